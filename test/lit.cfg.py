# How lit runs the tests. `lit --param roundtrip=1` adds --verify-roundtrip to every run of tile-opt.
import os
import re
import subprocess
from pathlib import Path

import lit.formats
import lit.util
from lit.llvm import llvm_config
from lit.llvm.subst import ToolSubst

config.name = "TileIR"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs", "Unit"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.tileir_build_dir, "test")

# Not by the PATH of whoever runs the tests: its FileCheck may be another LLVM's.
llvm_config.with_environment("PATH", config.llvm_tools_dir, append_path=True)
llvm_config.with_environment("PATH", config.tileir_tools_dir, append_path=True)
llvm_config.with_system_environment(["HOME", "TMPDIR", "LD_LIBRARY_PATH", "PYTHONPATH", "CCACHE_DIR"])
# Who waits for ever is told which test does: the slowest take 40 seconds. lit ends processes by psutil, and refuses without.
if not lit_config.maxIndividualTestTime and lit.util.killProcessAndChildrenIsSupported()[0]:
    lit_config.maxIndividualTestTime = 600
# Tests run side by side; each is better off with one thread.
config.environment["OMP_NUM_THREADS"] = os.environ.get("OMP_NUM_THREADS", "2")
# All tests verify what each stage of a pipeline leaves.
config.environment["TILEIR_VERIFY_CONTRACTS"] = "1"
config.environment["FILECHECK_OPTS"] = "-enable-var-scope"

tile_opt = "tile-opt"
if lit_config.params.get("roundtrip"):
    tile_opt += " --verify-roundtrip"
llvm_config.add_tool_substitutions(
    [
        ToolSubst("tile-opt", command=os.path.join(config.tileir_tools_dir, tile_opt), unresolved="fatal"),
        ToolSubst("tile-lsp-server", unresolved="fatal"),
        ToolSubst("tile-run", unresolved="fatal"),
        ToolSubst("tile-translate", unresolved="fatal"),
        ToolSubst("tile-launch", unresolved="fatal"),
    ],
    [config.tileir_tools_dir],
)
llvm_config.add_tool_substitutions(["FileCheck", "not", "split-file", "mlir-opt"], [config.llvm_tools_dir])
# Assembler and disassembler of the CUDA toolkit, for kernels; tests that need them are UNSUPPORTED without.
toolkit = {}
for name in "ptxas", "nvdisasm":
    toolkit[name] = lit.util.which(name, os.pathsep.join(
        [os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "bin"), config.environment["PATH"]])) or name
    if os.path.exists(toolkit[name]):
        config.available_features.add(name)
# The package for Python: that of the build, or, as in 'make check', what scripts/install-python.sh installed.
python_package = os.path.join(config.tileir_build_dir, "python")
package_python = config.python
if os.environ.get("TILEIR_INSTALLED_PYTHON"):
    package_python = os.environ["TILEIR_INSTALLED_PYTHON"]
    python_package = subprocess.run([package_python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))"],
                                    check=True, capture_output=True, text=True).stdout.strip()
    config.available_features.add("installed-package")
# Its compiled module; CMake says aloud why it is left out.
if config.python_module == "ON":
    config.available_features.add("python-module")
    if any(Path(python_package, "tileir").glob("_ir.*so")):
        config.available_features.add("python-ir")
    # torch is large: where the Python of the tests has none, another one may have it.
    torch_python = os.environ.get("TILEIR_TORCH_PYTHON", config.python)
    if subprocess.run([torch_python, "-c", "import importlib.util, sys; sys.exit(not importlib.util.find_spec('torch'))"],
                      check=False).returncode == 0:
        config.available_features.add("torch")
        if subprocess.run([torch_python, "-c", "import importlib.util, sys; sys.exit(not importlib.util.find_spec('torch_mlir'))"],
                          check=False).returncode == 0:
            config.available_features.add("torch-mlir")
        else:
            lit_config.note(f"1 test with torch-mlir is left out: {torch_python} has no torch-mlir")
    else:
        tests = [path.name for path in Path(config.test_source_root).rglob("*.test")
                 if re.search(r"^# REQUIRES:.*\btorch\b", path.read_text(), re.M)]
        lit_config.note(f"{len(tests)} tests with torch are left out: {torch_python} has no torch "
                        "(TILEIR_TORCH_PYTHON names a Python that has)")
    config.substitutions.append(("%torch_python", f"env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH={python_package} {torch_python}"))
else:
    lit_config.note("tests of tileir.einsum are left out: tileir._native is not built (see build/configure.log)")
# CUDA C++: clang and the toolkit's headers, where tile-run looks for them.
if any(lit.util.which(name, config.environment["PATH"]) for name in ("clang++-22", "clang++")) and os.path.exists(
        os.path.join(os.environ.get("CUDA_HOME", "/usr/local/cuda"), "include", "cuda_runtime.h")):
    config.available_features.add("cuda")
# The atoms as messages list them: the one place in the tests that knows all.
ATOMS = ("volta_16x16x8", "volta_32x32x8", "m16n8k8_f16", "m8n8k16_i8", "m16n8k16_f16", "m16n8k16_bf16", "m16n8k8_tf32",
         "m16n8k32_i8", "m8n8k4_f64", "m16n8k32_f8", "wgmma_k16_f16", "wgmma_k16_bf16",
         "wgmma_k8_tf32", "wgmma_k32_f8", "wgmma_k32_i8")
config.substitutions += [
    ("%atoms", " or ".join(ATOMS)),
    ("%ptxas", toolkit["ptxas"]),
    ("%nvdisasm", toolkit["nvdisasm"]),
    # With the packages that scripts/setup.sh gets for tests.
    ("%tileir_python", "env PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=%s:%s/.deps/python %s"
     % (python_package, config.tileir_source_dir, package_python)),
    ("%python_package", python_package),
    ("%simulated_cuda", f"env LD_LIBRARY_PATH={config.tileir_build_dir}/lib/simulated-cuda"),
    ("%python", config.python),
    ("%examples", os.path.join(config.tileir_source_dir, "examples")),
    ("%source", config.tileir_source_dir),
    ("%build", config.tileir_build_dir),
    ("%cmake", config.cmake),
    ("%cxx", config.cxx),
    ("%linker_flags", config.linker_flags),
    ("%numpy_einsum", "%s %s/test/Integration/numpy_einsum.py --tile-run %s/tile-run"
     % (config.python, config.tileir_source_dir, config.tileir_tools_dir)),
    ("%numpy_tile", "%s %s/test/Integration/numpy_tile.py --tile-run %s/tile-run --tile-opt %s/tile-opt"
     % (config.python, config.tileir_source_dir, config.tileir_tools_dir, config.tileir_tools_dir)),
]
