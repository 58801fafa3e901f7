"""Runs every example on the CPU and checks it against the interpreter; all but the largest also against NumPy.

    examples.py --tile-run PATH [--part I/N] EXAMPLES_FOLDER

Prints a line per example, and exits with 1 if one fails or if there is none.
"""
import argparse
import pathlib
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
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    oracle = pathlib.Path(__file__).with_name("numpy_einsum.py")
    first, step = map(int, options.part.split("/"))
    files = sorted(options.folder.glob("*.mlir"))[first::step]
    failed = not files
    for file in files:
        runs = {"cpu against interp": [options.tile_run, file, "--backend=cpu", "--random=7", "--check=interp"]}
        # The seven convolution tasks hold 4e9 multiplications: too many for NumPy.
        if not file.stem.startswith("conv_task"):
            for backend in "cpu", "interp":
                runs[f"{backend} against NumPy"] = [sys.executable, oracle, "--tile-run", options.tile_run, "--file",
                                                    file, "--backend", backend, "--seed", "3"]
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
