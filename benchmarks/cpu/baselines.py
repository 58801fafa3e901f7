"""Gets the libraries that ours is compared with, into .deps/bench; nothing of the system is changed.

- OpenBLAS, oneDNN and libxsmm: Debian's packages, unpacked;
- torch: from PyPI, in a virtual environment, where NumPy is, too;
- plugins/: what needs their headers, compiled here.

What cannot be had is left out, and the report says so.
"""
import os
import pathlib
import platform
import shutil
import subprocess
import sys

PACKAGES = {
    "openblas": ("libopenblas0-pthread", "libgfortran5", "libquadmath0"),
    "onednn": ("libdnnl2", "libdnnl-dev", "ocl-icd-libopencl1", "libgomp1"),
    "xsmm": ("libxsmm-dev",),
}
PLUGINS = {"onednn": ("Onednn.cpp", ["-ldnnl"]),
           "xsmm": ("Xsmm.cpp", ["-lxsmm", "-lxsmmnoblas", "-lrt", "-ldl", "-lpthread", "-lm"])}
NOT_THERE = "not there: "


def say(text):
    print(f"[cpu] {text}", file=sys.stderr, flush=True)


def run(command, **options):
    """Empty if it went well, or the last line of what it said."""
    try:
        done = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False, **options)
    except OSError as error:
        return str(error)
    lines = done.stdout.strip().splitlines() or [f"exit status {done.returncode}"]
    errors = [line for line in lines if line.startswith(("E:", "ERROR"))]
    return "" if done.returncode == 0 else f"{pathlib.Path(command[0]).name}: {(errors or lines)[-1]}"


class Baselines:
    def __init__(self, folder, source):
        self.folder, self.source = folder, source
        self.root = folder / "root"
        self.found = {}  # of each baseline a file, or why it is not there
        libraries = self.root / f"usr/lib/{platform.machine()}-linux-gnu"
        self.paths = [libraries, libraries / "openblas-pthread", self.root / "usr/lib"]

    def get_environment(self):
        """What processes that open the libraries have to have."""
        paths = [str(path) for path in self.paths] + [os.environ.get("LD_LIBRARY_PATH", "")]
        return os.environ | {"LD_LIBRARY_PATH": ":".join(path for path in paths if path)}

    def get_python(self):
        """One that has torch, or else the one that runs this."""
        python = self.folder / "venv/bin/python"
        return python if (self.folder / "venv/.torch").exists() else pathlib.Path(sys.executable)

    def unpack(self, baseline):
        """Why it is not there; empty if it is."""
        mark = self.root / f".{baseline}"
        if mark.exists():
            return ""
        downloads = self.folder / "downloads"
        shutil.rmtree(downloads, ignore_errors=True)
        downloads.mkdir(parents=True)
        say(f"getting {', '.join(PACKAGES[baseline])}")
        command = ["apt-get", "-q", "download", *PACKAGES[baseline]]
        failed = run(command, cwd=downloads)
        if failed:
            # The lists may be older than the mirror, or none.
            run([*([] if os.geteuid() == 0 else ["sudo", "-n"]), "apt-get", "-q", "update"])
            failed = run(command, cwd=downloads)
        for package in [] if failed else sorted(downloads.glob("*.deb")):
            failed = failed or run(["dpkg-deb", "-x", package, self.root])
        shutil.rmtree(downloads)
        if not failed:
            mark.touch()
        return failed

    def compile(self, baseline):
        file, libraries = PLUGINS[baseline]
        source, plugin = self.source / "plugins" / file, self.folder / f"{baseline}.so"
        newest = max(path.stat().st_mtime for path in (source, self.source / "Baseline.h"))
        if plugin.exists() and plugin.stat().st_mtime > newest:
            return ""
        say(f"compiling plugins/{file}")
        return run([os.environ.get("CXX", "clang++-22"), "-std=c++17", "-O2", "-fPIC", "-shared", "-Wl,--no-undefined",
                    f"-I{self.root}/usr/include", source, *(f"-L{path}" for path in self.paths), *libraries,
                    "-o", plugin])

    def get_torch(self):
        mark = self.folder / "venv/.torch"
        if mark.exists():
            return ""
        say("getting torch from PyPI (some GB, some minutes)")
        shutil.rmtree(self.folder / "venv", ignore_errors=True)
        failed = run([sys.executable, "-m", "venv", self.folder / "venv"])
        failed = failed or run([self.folder / "venv/bin/pip", "install", "-q", "torch", "numpy"])
        failed = failed or run([self.folder / "venv/bin/python", "-c", "import torch, numpy"])
        if not failed:
            mark.touch()
        return failed

    def get(self, wanted):
        """Sees to it that `wanted` are there, as far as they can be; fills `found`."""
        self.folder.mkdir(parents=True, exist_ok=True)
        for baseline in (*PACKAGES, "torch"):
            if baseline not in wanted:
                self.found[baseline] = NOT_THERE + "not asked for"
                continue
            failed = self.get_torch() if baseline == "torch" else self.unpack(baseline)
            if not failed and baseline in PLUGINS:
                failed = self.compile(baseline)
            if failed:
                say(f"{baseline} is not there: {failed}")
            self.found[baseline] = NOT_THERE + failed if failed else str(self.folder / f"{baseline}.so")
