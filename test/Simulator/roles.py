"""Faults in products by roles, wgmma and bulk copies: each is planted into what passes make of a product, and has to be
found: by the finding of the simulator that is named, by the rules of tensor maps, or by a result that differs from that of the
interpreter."""

# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import os
import re
import subprocess
import sys
import tempfile

import numpy as np

CHIP = "sm_90a"
M, N, K = 128, 64, 160  # five iterations, of three stages
CONFIG = "block=128x64x32 stages=3"
PRODUCT = f"""func.func @main(%a: tensor<{M}x{K}xf16>, %b: tensor<{K}x{N}xf16>) -> tensor<{M}x{N}xf32> {{
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<{M}x{K}xf16>, tensor<{K}x{N}xf16>) -> tensor<{M}x{N}xf32>
  return %c : tensor<{M}x{N}xf32>
}}
"""
# The parts of the program, by how the next one begins.
BEGIN, PRODUCTS, COPIES, HOST = range(4)
BOUNDS = "nvvm.setmaxregister  increase", "nvvm.setmaxregister  decrease", "func.func @main"
DIFFERS, REFUSED = "differs", "tensor map"
DEADLOCK, RACE, WAIT = "deadlock", "shared-race", "missing-wait"
LAPPED, MISUSE = "phase-lapped", "mbarrier-misuse"
LOOP = r" *scf.while : (?:.*\n){7}"

# The part, what is wrong, a pattern in the part, what it becomes (in its first place), and by what that is found.
FAULTS = [
    (BEGIN, "full barriers wait for two arrivals", r"(init %\w+, )%c1_i32", r"\1%c2_i32", DEADLOCK),
    (BEGIN, "empty barriers wait for half of the warps", r"(init %\w+, )%c8_i32", r"\1%c4_i32", LAPPED),
    (BEGIN, "empty barriers wait for one warp more", r"(init %\w+, )%c8_i32", r"\1%c16_i32", DEADLOCK),
    (BEGIN, "no barrier after the barriers are made", r" *gpu.barrier\n", "", RACE),
    (BEGIN, "all threads make barriers", r"cmpi eq, (%\w+, %c0_i32)", r"cmpi uge, \1", MISUSE),
    (BEGIN, "a barrier that nobody makes", r" *nvvm.mbarrier.init .*%c8_i32.*\n", "", MISUSE),
    (PRODUCTS, "more registers than there are", "increase 240", "increase 248", DEADLOCK),
    (PRODUCTS, "no wait for copies", LOOP, "", WAIT),
    (PRODUCTS, "a wait for the other parity", r"(try_wait %\w+, )(%\w+)", r"\1%c1_i32", WAIT),
    (PRODUCTS, "a wait at the empty barriers", "%c36864_i32", "%c36888_i32", DEADLOCK),
    (PRODUCTS, "no wait for the product before", r"wgmma.wait_group.sync.aligned 1;", "", RACE),
    (PRODUCTS, "a wait that leaves one product too many", r"wait_group.sync.aligned 1;", "wait_group.sync.aligned 2;", RACE),
    (PRODUCTS, "a last wait that leaves a product", r"wait_group.sync.aligned 0;", "wait_group.sync.aligned 1;", WAIT),
    (PRODUCTS, "no fence before a product", r"wgmma.fence.sync.aligned;\\0A", "", "missing-fence"),
    (PRODUCTS, "a product that is in no group", r"wgmma.commit_group.sync.aligned;\\0A", "", WAIT),
    (PRODUCTS, "a stage given back while a product reads it", r"arith.subi (%\w+), %c1 ", r"arith.subi \1, %c0 ", RACE),
    (PRODUCTS, "a stage given back by all lanes", r"arith.andi (%\w+), (%\w+) : i1", r"arith.andi \1, \1 : i1", LAPPED),
    (PRODUCTS, "a stage given back by one warp alone", r"arith.cmpi eq, %\w+, %c0_i32", "arith.cmpi eq, %1, %c0_i32", DEADLOCK),
    (PRODUCTS, "a stage never given back", r" *nvvm.mbarrier.arrive .*\n", "", DEADLOCK),
    (PRODUCTS, "an arrival at the full barriers", "%c36888_i32", "%c36864_i32", LAPPED),
    (PRODUCTS, "A in another swizzle", r"ori (%\w+), %c-\w+_i64", r"ori \1, %c4611686293305294848_i64", RACE),
    (PRODUCTS, "rows of A of the other group", r"muli (%\w+), %c4096_i32", r"muli \1, %c512_i32", DIFFERS),
    (PRODUCTS, "a step over K into the middle of B", r"(%\w+), %c128_i64 : i64\n( *%\w+ = llvm.inline)", r"\1, %c64_i64 : i64\n\2", DIFFERS),
    (PRODUCTS, "a step over K that A lacks", r", %c2_i64 : i64", ", %c128_i64 : i64", RACE),
    (PRODUCTS, "stages of B that are too large", r"muli (%\w+), %c256_i32 : i32\n(.*addi)", r"muli \1, %c512_i32 : i32\n\2", "out-of-bounds"),
    (PRODUCTS, "B not transposed", "p, 1, 1, 0, 1;", "p, 1, 1, 0, 0;", "out-of-bounds"),
    (PRODUCTS, "A transposed", "p, 1, 1, 0, 1;", "p, 1, 1, 1, 1;", DIFFERS),
    (PRODUCTS, "B negated", "p, 1, 1, 0, 1;", "p, 1, -1, 0, 1;", DIFFERS),
    (PRODUCTS, "a product that replaces the sum", "setp.ne.b32 p, 1, 0;", "setp.ne.b32 p, 0, 0;", DIFFERS),
    (PRODUCTS, "a barrier of all threads in a role", "number_of_threads = %c256_i32", "number_of_threads = %c512_i32", "mismatched-barrier"),
    (PRODUCTS, "results stored where products still read", r" *nvvm.barrier .*\n", "", RACE),
    (PRODUCTS, "results read before all are stored", r"(nvvm.barrier (?:.*\n)*?) *nvvm.barrier .*\n", r"\1", RACE),
    (PRODUCTS, "fewer registers than at the beginning", "increase 240", "increase 160", "register-count"),
    (PRODUCTS, "a wait for the parity of the iteration", r"(divui (%\w+), .*\n.*\n.*andi) %\w+", r"\1 \2", WAIT),
    (PRODUCTS, "a ring of one stage too few", r"remui (%\w+), %c3_i32", r"remui \1, %c2_i32", RACE),
    (PRODUCTS, "phases of two iterations", r"divui (%\w+), %c3_i32", r"divui \1, %c2_i32", WAIT),
    (PRODUCTS, "stages of A that are too small", r"muli (%\w+), %c512_i32", r"muli \1, %c256_i32", RACE),
    (PRODUCTS, "a stage given back before the first one", r"cmpi sge, (%\w+), %c0 ", r"cmpi sge, \1, \1 ", LAPPED),
    (PRODUCTS, "a stage given back by all lanes but the first", r"(sge.*\n.*\n.*cmpi) eq", r"\1 ne", LAPPED),
    (PRODUCTS, "elements of another type", "f32.f16.f16", "f32.bf16.bf16", DIFFERS),
    (COPIES, "registers that are not given back", r"nvvm.setmaxregister  decrease 24\n", "\n", DEADLOCK),
    (COPIES, "no wait for a free stage", LOOP, "", RACE),
    (COPIES, "a wait for a stage that was never full", r"arith.xori (%\w+), %c1_i32", r"arith.xori \1, %c0_i32", DEADLOCK),
    (COPIES, "fewer bytes than are copied", "expect_tx (%\\w+), %c12288_i32", r"expect_tx \1, %c8192_i32", WAIT),
    (COPIES, "more bytes than are copied", "expect_tx (%\\w+), %c12288_i32", r"expect_tx \1, %c24576_i32", DEADLOCK),
    (COPIES, "no bytes expected", r" *nvvm.mbarrier.arrive.expect_tx .*\n", "", DEADLOCK),
    (COPIES, "one copy of two", r" *nvvm.cp.async.bulk.*\n", "", DEADLOCK),
    (COPIES, "a copy twice", r"( *nvvm.cp.async.bulk.*\n)", r"\1\1", MISUSE),
    (COPIES, "stages of A that overlap", r"muli (%\w+), %c8192_i32", r"muli \1, %c4096_i32", RACE),
    (COPIES, "axes of a copy exchanged", r"box\[(%\w+), (%\w+)\]", r"box[\2, \1]", DIFFERS),
    (COPIES, "a copy that ends at the empty barrier", r"(muli %\w+, %c8_i32 : i32\n.*addi %\w+, )%c36864_i32(.*\n.*\n.*muli)", r"\1%c36888_i32\2", DEADLOCK),
    (COPIES, "A copied in the place of B", r"(unrealized(?:.*\n)*?.*unrealized_conversion_cast )%\w+", r"\1%arg3", "out-of-bounds"),
    (COPIES, "one iteration too few", "= %c0 to", "= %c32 to", DEADLOCK),
    (COPIES, "copies by all lanes", r"(nvvm.elect.sync -> i1\n *scf.if )%\w+", r"\1%true", MISUSE),
    (COPIES, "copies by all warps of the role", r"cmpi eq, (%\w+), %c8_i32", r"cmpi uge, \1, %c8_i32", LAPPED),
    (COPIES, "fewer registers given back", "decrease 24", "decrease 40", DEADLOCK),
    (COPIES, "copies into a ring of one stage too few", r"remui (%\w+), %c3_i32", r"remui \1, %c2_i32", DEADLOCK),
    (COPIES, "phases of two iterations", r"divui (%\w+), %c3_i32", r"divui \1, %c2_i32", DEADLOCK),
    (COPIES, "the first columns of A in all iterations", r"box\[%\w+, (%\w+)\]", r"box[%c0_i32, \1]", DIFFERS),
    (HOST, "boxes with fewer rows", r"llvm.store %c32_i64, (%\w+) : i64", r"llvm.store %c16_i64, \1 : i64", DEADLOCK),
    (HOST, "a map of another swizzle", r"(%c2_i64, %\w+, %\w+, )%c64_i64", r"\1%c128_i64", DIFFERS),
    (HOST, "a map of a smaller matrix", r"llvm.store %c160_i64,", "llvm.store %c128_i64,", DIFFERS),
    (HOST, "a map of other elements", r"%c6_i64, %c2_i64", "%c2_i64, %c2_i64", REFUSED),
    (HOST, "shared memory without room for the barriers", "constant 36912 : i32", "constant 36864 : i32", "shared-undefined"),
    (HOST, "threads of the first role alone", "constant 384 : index", "constant 256 : index", DEADLOCK),
    (HOST, "maps exchanged", r"(args\(.*), (%\w+ : !llvm.array<16 x i64>), (%\w+ : !llvm.array<16 x i64>)", r"\1, \3, \2", "out-of-bounds"),
]


class Session:
    def __init__(self, arguments, folder):
        self.arguments, self.folder, self.failures = arguments, folder, 0
        source = self.write("product.mlir", PRODUCT)
        text = self.run(arguments.tile_opt, source, "-o", os.devnull,
                        f"--einsum-to-nvvm-pipeline=chip={CHIP} config={{{CONFIG}}}",
                        "--mlir-print-ir-before=gpu-launch-sink-index-computations").stdout
        text = text[text.index("module attributes"):]
        at = [0] + [text.index(bound) for bound in BOUNDS] + [len(text)]
        self.parts = [text[begin:end] for begin, end in zip(at, at[1:])]
        run = self.run(arguments.tile_run, source, "--backend=interp", "--random=7", f"--outputs={self.path('expected.npy')}")
        assert run.returncode == 0, run.stdout
        self.expected = np.load(self.path("expected.npy"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def run(self, *command):
        return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)

    def find(self, parts):
        """What is found in a program, and the output of the run."""
        run = self.run(self.arguments.tile_run, self.write("wrong.mlir", "".join(parts)), "--backend=sim", f"--chip={CHIP}",
                       "--random=7", f"--outputs={self.path('got.npy')}", f"--pipeline=gpu-to-nvvm-pipeline{{chip={CHIP}}}")
        summary = re.search(r"the simulator found .*\((.*)\)", run.stdout)
        found = re.findall(r"\d+ ([\w-]+)", summary[1]) if summary else []
        if "error: tensor map" in run.stdout:
            found.append(REFUSED)
        if run.returncode == 0 and not np.allclose(np.load(self.path("got.npy")), self.expected, 0, 1e-2):
            found.append(DIFFERS)
        return found, run.stdout

    def check(self):
        found, output = self.find(self.parts)
        if found:
            self.failures += 1
            print(f"nothing is wrong, found {found}:\n{output}")
        for part, name, old, new, expected in FAULTS:
            parts = list(self.parts)
            parts[part] = re.sub(old, new, parts[part], count=1)
            assert parts != self.parts, f"{name}: not in\n{parts[part]}"
            found, output = self.find(parts)
            if self.arguments.show:
                print(f"{name}: {', '.join(found) or output}")
            if expected not in found:
                self.failures += 1
                print(f"{name}: expected {expected}, found {found}:\n{output}")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tile-run", required=True)
    parser.add_argument("--tile-opt", required=True)
    parser.add_argument("--show", action="store_true", help="tell by what each fault is found")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        session = Session(arguments, folder)
        session.check()
    print(f"{len(FAULTS)} faults, {session.failures} failures")
    sys.exit(session.failures != 0)


main()
