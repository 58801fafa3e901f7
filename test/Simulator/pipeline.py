"""Products by asynchronous copies on the simulator, against the interpreter: sizes with remainders and without, K of few
steps and of none, and each number of stages, with tile-slice-depth and without; then faults in what tile-pipeline makes,
each of which must be found."""

# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import itertools
import os
import pathlib
import re
import sys
import tempfile

import numpy as np

sys.dont_write_bytecode = True  # leave no files in the source folder
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Integration"))
import batch  # noqa: E402

CHIP = "sm_80"
CONFIG = "block=64x64x32 warp=32x32"
# M, N, K: multiples of the block; remainders of each; K of less than a step, and of less steps than there are stages.
SIZES = [(128, 64, 256), (200, 136, 72), (70, 64, 96), (64, 64, 32), (64, 80, 8), (64, 64, 40)]


def product(m, n, k):
    return f"""func.func @main(%a: tensor<{m}x{k}xf16>, %b: tensor<{k}x{n}xf16>) -> tensor<{m}x{n}xf32> {{
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<{m}x{k}xf16>, tensor<{k}x{n}xf16>) -> tensor<{m}x{n}xf32>
  return %c : tensor<{m}x{n}xf32>
}}
"""


def pipeline(stages, slices):
    return f"einsum-to-nvvm-pipeline{{chip={CHIP} config={{{CONFIG} stages={stages}}} slice-depth={slices}}}"


# Faults in a kernel of 3 stages: what is wrong, how it is written into the tile program, and the finding of the simulator
# by which it is found, or a result that differs from the interpreter's.
WAIT, SHARED, OUT, DIFFERS = "missing-wait", "shared-race", "out-of-bounds", "differs"
WHOLE, REST = (128, 64, 256), (200, 136, 72)
FAULTS = [
    (WHOLE, "the wait leaves one group too many", "{pending = 1 : i64}", "{pending = 2 : i64}", WAIT),
    (WHOLE, "the wait leaves two groups too many", "{pending = 1 : i64}", "{pending = 3 : i64}", WAIT),
    (WHOLE, "no wait", re.compile(r" *tile.async_wait .*{pending = 1 : i64}\n"), "", WAIT),
    (WHOLE, "no barrier behind the wait", re.compile(r"(scf.for(?:.*\n)+?) *tile.barrier\n"), r"\1", SHARED),
    (WHOLE, "no barrier before what shares memory with the copies",
     re.compile(r"({pending = 0 : i64}\n) *tile.barrier\n"), r"\1", SHARED),
    (WHOLE, "a ring of one stage too few", "%c2_i32 = arith.constant 2", "%c2_i32 = arith.constant 1", WAIT),
    (WHOLE, "a ring that goes on behind the last stage", "%c2_i32 = arith.constant 2", "%c2_i32 = arith.constant 3",
     "shared-undefined"),
    (WHOLE, "a ring that goes up", re.compile(r"arith.subi( %\w+, %c1_i32)"), r"arith.addi\1", WAIT),
    (WHOLE, "copies into the stage that is read",
     re.compile(r"(scf.for(?:.*\n)+?.* = arith.minui .*\n) *(%\w+) (= .*\n) *(%\w+) (= .*\n)"), r"\1\4 \3\2 \5",
     SHARED),
    (WHOLE, "a step before the loop into another stage", re.compile(r"(async_load_view .*, %\w+)\[%c1\] "), r"\1[%c0] ",
     None),
    (WHOLE, "copies after the last step", "arith.cmpi slt, ", "arith.cmpi sle, ", OUT),
    (WHOLE, "copies that are masked in all steps", re.compile(r"(arith.cmpi slt, %\w+, )%c192"), r"\1%c0", DIFFERS),
    (REST, "a tail that is not masked", re.compile(r"(scf.for(?:.*\n)+?.*)in_bounds \[(false|true), false\]"),
     r"\1in_bounds [\2, true]", None),
]


class Session:
    def __init__(self, arguments, folder):
        self.arguments, self.folder, self.failures = arguments, folder, 0

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def run(self, *command):
        """The exit status, and the output."""
        return batch.run(command)

    def expect(self, holds, name, output):
        if not holds:
            self.failures += 1
            print(f"{name}:\n{output}")

    def lower(self, source, stages):
        """The program after tile-pipeline and the passes up to the barriers: kernels before code of threads."""
        passes = (f"einsum-to-tile-pipeline{{config={{{CONFIG} stages={stages}}}}},tile-attach-target{{chip={CHIP}}},"
                  "tile-place-buffers,canonicalize,cse,func.func(tile-assign-layouts),cse,tile-pipeline,tile-prefetch,"
                  "canonicalize,cse,tile-promote-shared,tile-allocate-shared,tile-insert-barriers")
        status, output = self.run(self.arguments.tile_opt, source, f"--pass-pipeline=builtin.module({passes})")
        assert status == 0, output
        return output

    def simulate(self, source, rest):
        return self.run(self.arguments.tile_run, source, "--backend=sim", f"--chip={CHIP}", "--opt-level=0", "--random=7",
                        f"--outputs={self.path('got.npy')}", f"--pipeline={rest}")

    def check_products(self):
        cases = [(stages, sizes, slices) for stages in range(2, 9)
                 for sizes, slices in itertools.product(SIZES, (0, 1) if stages < 4 else (stages % 2,))]
        for number, (stages, sizes, slices) in enumerate(cases):
            source = self.write("product.mlir", product(*sizes))
            status, output = self.run(self.arguments.tile_run, source, "--backend=sim", f"--chip={CHIP}", "--random=7",
                                      "--check=interp", *batch.compile_flags(number), f"--pipeline={pipeline(stages, slices)}")
            self.expect(status == 0, f"{sizes}, {stages} stages, slices: {slices}", output)

    def check_faults(self):
        rest = f"convert-tile-to-gpu,canonicalize,cse,gpu-to-nvvm-pipeline{{chip={CHIP}}}"
        for sizes in WHOLE, REST:
            source = self.write("product.mlir", product(*sizes))
            right = self.lower(source, 3)
            status, output = self.run(self.arguments.tile_run, source, "--backend=interp", "--random=7",
                                      f"--outputs={self.path('expected.npy')}")
            assert status == 0, output
            expected = np.load(self.path("expected.npy"))
            for where, name, old, new, found in [(sizes, "nothing", "", "", "")] + FAULTS:
                if where != sizes:
                    continue
                wrong = old.sub(new, right) if isinstance(old, re.Pattern) else right.replace(old, new)
                assert (wrong == right) == (name == "nothing"), f"{name}: not in\n{right}"
                status, output = self.simulate(self.write("wrong.mlir", wrong), rest)
                differs = status == 0 and not np.allclose(np.load(self.path("got.npy")), expected, 0, 1e-2)
                if found == "":
                    holds = status == 0 and not differs
                elif found == DIFFERS:
                    holds = differs
                else:
                    holds = status != 0 and (found or "") in output
                self.expect(holds, f"{sizes}, {name}, expected {found}", output)

    def check_steps(self):
        """K by an argument: no step, one, two, ..."""
        kernel = KERNEL
        for number, (stages, steps) in enumerate(itertools.product((2, 3, 4), range(0, 5))):
            source = self.write("steps.mlir", kernel % {"stages": stages, "steps": steps})
            status, output = self.run(self.arguments.tile_run, source, "--backend=sim", f"--chip={CHIP}", "--random=7",
                                      "--check=interp", *batch.compile_flags(number),
                                      f"--pipeline=tile-to-nvvm-pipeline{{chip={CHIP}}}")
            self.expect(status == 0, f"{steps} steps, {stages} stages", output)


# A product of as many steps as the host says.
KERNEL = """func.func @main(%%a: memref<64x256xf16>, %%b: memref<256x64xf16>, %%c: memref<64x64xf32>) {
  %%c1 = arith.constant 1 : index
  %%end = arith.constant %(steps)d : i32
  tile.launch @kernel grid(%%c1, %%c1, %%c1) (%%a, %%b, %%c, %%end)
      : memref<64x256xf16>, memref<256x64xf16>, memref<64x64xf32>, i32
  return
}
func.func @kernel(%%a: memref<64x256xf16> {tile.readonly}, %%b: memref<256x64xf16> {tile.readonly},
                  %%c: memref<64x64xf32> {tile.noalias}, %%steps: i32)
    attributes {tile.kernel, tile.config = #tile.config<block=64x64x32 warp=32x32 stages=%(stages)d>} {
  %%c0 = arith.constant 0 : index
  %%c32 = arith.constant 32 : index
  %%count = arith.index_cast %%steps : i32 to index
  %%end = arith.muli %%count, %%c32 : index
  %%zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %%r = scf.for %%k = %%c0 to %%end step %%c32 iter_args(%%acc = %%zero) -> tensor<64x64xf32> {
    %%ta = tile.load_view %%a[%%c0, %%k] : memref<64x256xf16> -> tensor<64x32xf16>
    %%tb = tile.load_view %%b[%%k, %%c0] : memref<256x64xf16> -> tensor<32x64xf16>
    %%sum = tile.dot %%ta, %%tb, %%acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %%sum : tensor<64x64xf32>
  }
  tile.store_view %%r, %%c[%%c0, %%c0] : tensor<64x64xf32>, memref<64x64xf32>
  return
}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tile-run", required=True)
    parser.add_argument("--tile-opt", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        session = Session(arguments, folder)
        session.check_products()
        session.check_steps()
        session.check_faults()
    sys.exit(session.failures != 0)


main()
