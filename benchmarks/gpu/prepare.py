"""Compiles the programs of problems into a folder that a machine with a GPU needs nothing beside.

The folder has index.json, a bundle for each program, set of options and chip, and the program that measures them. It is
made again if what would be in it has changed, and then the rows that were measured go, too.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def find_ptxas():
    path = pathlib.Path(os.environ.get("CUDA_HOME", "/usr/local/cuda")) / "bin/ptxas"
    return str(path) if path.exists() else shutil.which("ptxas")


def can_assemble(chip):
    """CUDA 13 and later have no machine code for sm_70."""
    ptxas = find_ptxas()
    if not ptxas:
        return False
    source = ".version 6.4\n.target sm_70\n.address_size 64\n"
    return subprocess.run([ptxas, f"--gpu-name={chip}", "-o", os.devnull, "-"], input=source.encode(),
                          capture_output=True, check=False).returncode == 0


class Compiler:
    """Compiles each program once for each chip and set of options, several at the same time."""

    def __init__(self, options):
        self.options = options
        self.tool = options.build / "bin/tile-translate"
        self.cubins = {chip: chip for chip in options.chips if can_assemble(chip)}
        self.jobs = {}  # folder of a bundle: (program, chip, pipeline)
        self.launches = {}  # folder of a bundle: number of them

    def add(self, program, config, chip):
        if program.is_tiled:
            config = ""
        folder = re.sub(r"[^A-Za-z0-9_]+", "-", f"{program.name} {chip} {config}").strip("-")
        pipeline = "tile-to-nvvm-pipeline" if program.is_tiled else "einsum-to-nvvm-pipeline"
        self.jobs[folder] = (program, chip, f"{pipeline}{{{f'chip={chip} {config}'.strip()}}}")
        return {"bundle": folder, "chip": chip, "options": config}

    def get_key(self):
        """Of all that decides what is in the folder."""
        key = hashlib.sha256(self.tool.read_bytes())
        for folder, (program, _, pipeline) in sorted(self.jobs.items()):
            key.update(f"{folder}\n{program.text}\n{pipeline}\n".encode())
        key.update(str(self.cubins).encode())
        return key.hexdigest()

    def compile(self, folder):
        """Why there is no bundle, or nothing."""
        program, chip, pipeline = self.jobs[folder]
        target = self.options.folder / folder
        source = self.options.folder / f"{folder}.mlir"
        source.write_text(program.text)
        command = [self.tool, source, f"--emit-bundle={target}", f"--pipeline={pipeline}"]
        if chip in self.cubins:
            command.append(f"--cubin-chip={chip}")
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            errors = [line for line in done.stderr.splitlines() if "error:" in line]
            return (errors or done.stderr.splitlines() or ["no message"])[0]
        self.launches[folder] = len(json.loads((target / "manifest.json").read_text()).get("launches", []))
        return "" if self.launches[folder] else "its host code does more than to launch kernels"

    def compile_all(self):
        """The bundles that could not be made, and why."""
        refused = {}
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = {pool.submit(self.compile, folder): folder for folder in self.jobs}
            for number, job in enumerate(concurrent.futures.as_completed(jobs), 1):
                print(f"\r[gpu] bundle {number} of {len(jobs)}", end="", file=sys.stderr, flush=True)
                if job.result():
                    refused[jobs[job]] = job.result()
        print(file=sys.stderr)
        for folder, why in sorted(refused.items()):
            print(f"[gpu] {folder} is left out: {why}", file=sys.stderr)
        return refused


def interleave(problems):
    """Some of each kind first, so that a run that ends early has some of all."""
    kinds = {}
    for problem in problems:
        kinds.setdefault((problem.group, problem.task), []).append(problem)
    places = {id(problem): i / len(kind) for kind in kinds.values() for i, problem in enumerate(kind)}
    return sorted(problems, key=lambda problem: places[id(problem)])


def prepare(options, problems):
    compiler = Compiler(options)
    entries = []
    for problem in interleave(problems):
        def make_bundles(programs):
            bundles = [compiler.add(program, config, chip)
                       for program in programs for chip in options.chips for config in options.configs[chip]]
            return list({bundle["bundle"]: bundle for bundle in bundles}.values())

        entries.append({"name": problem.name, "set": problem.group, "task": problem.task, "size": problem.size,
                        "order": problem.order, "bundles": make_bundles([problem.program]),
                        "parts": make_bundles(problem.parts)})
    key = compiler.get_key()
    index = options.folder / "index.json"
    if not index.exists() or json.loads(index.read_text()).get("key") != key:
        shutil.rmtree(options.folder, ignore_errors=True)
        options.folder.mkdir(parents=True)
        refused = compiler.compile_all()
        for entry in entries:
            for kind in ("bundles", "parts"):
                entry[kind] = [bundle for bundle in entry[kind] if bundle["bundle"] not in refused]
                for bundle in entry[kind]:
                    if compiler.launches[bundle["bundle"]] > 1:
                        bundle["options"] += f" ({compiler.launches[bundle['bundle']]} kernels)"
        commit = subprocess.run(["git", "-C", ROOT, "rev-parse", "--short", "HEAD"], capture_output=True, text=True,
                                check=False).stdout
        index.write_text(json.dumps({"commit": commit.strip(), "key": key, "refused": refused,
                                     "problems": entries}, indent=1))
    shutil.copy(options.build / "benchmarks/gpu/gpu-measure", options.folder / "measure")
