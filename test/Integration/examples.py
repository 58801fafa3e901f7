"""Runs every example and checks it against the interpreter; all but the largest also against NumPy.

    examples.py --tile-run PATH [--part I/N] [--tile BLOCK] [--backend cpu|sim] EXAMPLES_FOLDER

With --tile contractions become tile kernels of such blocks, which run on the CPU and in the interpreter.
With --backend=sim they run as kernels on the simulated GPU, of such blocks or of the default ones.

Prints a line per example, and exits with 1 if one fails or if there is none.
"""
import argparse
import pathlib
import shutil
import subprocess
import sys


def run(command):
    """Whether the command succeeds; its output if not."""
    done = subprocess.run(command, capture_output=True, text=True)
    return done.returncode == 0, done.stdout + done.stderr


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-run", required=True)
    parser.add_argument("--part", default="0/1", help="only every Nth example, from the Ith")
    parser.add_argument("--tile", metavar="BLOCK", help="rows, columns and depth of blocks, as 16x8x5")
    parser.add_argument("--backend", choices=["cpu", "sim"], default="cpu")
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    options.tile_run = shutil.which(options.tile_run)
    oracle = pathlib.Path(__file__).with_name("numpy_einsum.py")
    first, step = map(int, options.part.split("/"))
    files = sorted(options.folder.glob("*.mlir"))[first::step]
    failed = not files
    for file in files:
        check = [options.tile_run, file, f"--backend={options.backend}", "--random=7", "--check=interp"]
        runs = {f"{options.backend} against interp": check}
        numpy = [sys.executable, oracle, "--tile-run", options.tile_run, "--file", file, "--seed", "3", "--backend"]
        # The seven convolution tasks hold 4e9 multiplications: too many for NumPy.
        is_small = not file.stem.startswith("conv_task")
        if options.backend == "sim":
            pipeline = [f"--pipeline=einsum-to-nvvm-pipeline{{block={options.tile}}}"] if options.tile else []
            check += pipeline
            if is_small:
                runs["sim against NumPy"] = [*numpy, "sim", *pipeline]
        elif options.tile:
            pipeline = f"einsum-to-tile-pipeline{{block={options.tile}}}"
            check.append(f"--pipeline={pipeline},tile-to-cpu-pipeline")
            if is_small:
                kernels = f"{file.stem}.tile.mlir"
                tile_opt = pathlib.Path(options.tile_run).with_name("tile-opt")
                runs["kernels"] = [tile_opt, file, f"--pass-pipeline=builtin.module({pipeline})", "-o", kernels]
                runs["kernels on interp against NumPy"] = [*numpy, "interp", "--run", kernels]
        elif is_small:
            for backend in "cpu", "interp":
                runs[f"{backend} against NumPy"] = [*numpy, backend]
        for what, command in runs.items():
            good, output = run(command)
            print(f"{file.stem}: {what}: {'pass' if good else 'FAIL'}")
            if not good:
                failed = True
                print(output)
    print(f"{len(files)} examples")
    return failed


if __name__ == "__main__":
    sys.exit(main())
