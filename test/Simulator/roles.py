"""Products by roles, wgmma and bulk copies: faults in them, what a step costs, and what ptxas makes of them.

    roles.py faults --tile-run PATH --tile-opt PATH [--show]
    roles.py steps --tile-run PATH --tile-translate PATH
    roles.py ptxas --tile-opt PATH --tile-translate PATH --ptxas PATH

    faults  each is planted into what passes make of a product, and has to be found: by the finding of the simulator that is
            named, by the rules of tensor maps, or by a result that differs from that of the interpreter
    steps   instructions of a warp for 64 of K in a block of 128x256, in bf16: the difference of two runs
    ptxas   no register is spilled, no product is serialized, and the machine code has the products of one step
"""

# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

import argparse
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile

import numpy as np

sys.dont_write_bytecode = True  # leave no files in the source folder
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "Integration"))
import batch  # noqa: E402

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
LAPPED, MISUSE, LIFETIME = "phase-lapped", "mbarrier-misuse", "block-lifetime"
GRID = "the blocks of a cluster"
LOOP = r" *scf.while : (?:.*\n){7}"

# The part, what is wrong, a pattern in the part, what it becomes (in its first place), and by what that is found.
FAULTS = [
    (BEGIN, "full barriers wait for two arrivals", r"(init %\w+, )%c1_i32", r"\1%c2_i32", DEADLOCK),
    (BEGIN, "empty barriers wait for half of the warps", r"(init %\w+, )%c8_i32", r"\1%c4_i32", LAPPED),
    (BEGIN, "empty barriers wait for one warp more", r"(init %\w+, )%c8_i32", r"\1%c32_i32", DEADLOCK),
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
    (PRODUCTS, "a stage given back by one warp alone", r"arith.cmpi ult, %\w+, %c1_i32", "arith.cmpi ult, %1, %c1_i32", DEADLOCK),
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
    (PRODUCTS, "a stage given back by all lanes but the first", r"cmpi ult, (%\w+), %c1_i32", r"cmpi uge, \1, %c1_i32", LAPPED),
    (PRODUCTS, "elements of another type", "f32.f16.f16", "f32.bf16.bf16", DIFFERS),
    (PRODUCTS, "results that bulk copies need not see", r" *nvvm.fence.proxy .*\n", "", "missing-proxy-fence"),
    (PRODUCTS, "results copied before all threads have stored theirs", r"(nvvm.fence.proxy .*\n) *nvvm.barrier .*\n", r"\1", RACE),
    (PRODUCTS, "an end that does not wait for results", r" *nvvm.cp.async.bulk.wait_group .*\n", "", WAIT),
    (PRODUCTS, "results that are in no group", r" *nvvm.cp.async.bulk.commit.group.*\n", "", WAIT),
    (PRODUCTS, "a wait that leaves results", r"bulk.wait_group 0", "bulk.wait_group 1", WAIT),
    (PRODUCTS, "one panel of the result of two", r" *nvvm.cp.async.bulk.tensor.global.*\n", "", DIFFERS),
    (PRODUCTS, "axes of the result exchanged", r"box\[(%\w+), (%\w+)(\].*\n *nvvm.cp.async.bulk.commit)", r"box[\2, \1\3", DIFFERS),
    (PRODUCTS, "a map of another operand", r"(unrealized_conversion_cast )%\w+", r"\1%arg4", DIFFERS),
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
    (HOST, "boxes with fewer rows", r"(llvm.store %c32_i64, (?:.*\n)*?.*)llvm.store %c32_i64,", r"\1llvm.store %c16_i64,", DEADLOCK),
    (HOST, "boxes of the result with fewer columns", r"llvm.store %c32_i64,", "llvm.store %c16_i64,", DIFFERS),
    (HOST, "a map of another swizzle", r"(%c2_i64, %\w+, %\w+, %\w+, )%c64_i64", r"\1%c128_i64", DIFFERS),
    (HOST, "a map of a smaller matrix", r"llvm.store %c160_i64,", "llvm.store %c128_i64,", DIFFERS),
    (HOST, "a map of other elements", r"%c6_i64, %c2_i64", "%c2_i64, %c2_i64", REFUSED),
    (HOST, "shared memory without room for the barriers", "constant 36912 : i32", "constant 36864 : i32", "shared-undefined"),
    (HOST, "threads of the first role alone", "constant 384 : index", "constant 256 : index", DEADLOCK),
    (HOST, "maps exchanged", r"(args\(.*), (%\w+ : !llvm.array<16 x i64>), (%\w+ : !llvm.array<16 x i64>)", r"\1, \3, \2", "out-of-bounds"),
]

# A product by two programs along M that form a cluster, each of which copies half of B to both.
CLUSTER_CONFIG = f"{CONFIG} cluster=2"
CLUSTER_PRODUCT = PRODUCT.replace(f"{M}x", f"{2 * M}x")
CLUSTER_BARRIER = r" *nvvm.cluster.arrive *\n *nvvm.cluster.wait *\n"
CLUSTER_FAULTS = [
    (BEGIN, "no program waits until the others have made barriers", CLUSTER_BARRIER, "", LIFETIME),
    (BEGIN, "programs wait for their own threads alone", CLUSTER_BARRIER, "gpu.barrier\n", LIFETIME),
    (BEGIN, "empty barriers wait for the warps of one program", r"(init %\w+, )%c16_i32", r"\1%c8_i32", LAPPED),
    (PRODUCTS, "a stage given back to one program alone", r"(cmpi ult, %\w+, )%c2_i32", r"\1%c1_i32", DEADLOCK),
    (PRODUCTS, "a stage given back to the first program twice", r"mapa (%\w+), %\w+", r"mapa \1, %c0_i32", LAPPED),
    (PRODUCTS, "a stage given back while a product reads it", r"arith.subi (%\w+), %c1 ", r"arith.subi \1, %c0 ", RACE),
    (COPIES, "programs end while others may give stages back to them", CLUSTER_BARRIER, "", LIFETIME),
    (COPIES, "bytes of one half alone", r"expect_tx (%\w+), %c12288_i32", r"expect_tx \1, %c8192_i32", WAIT),
    (COPIES, "both programs copy the same half", r"(read.ptx.sreg.cluster.ctaid.x : i32\n(?:.*\n)*?.*muli) %\w+", r"\1 %c0_i32", WAIT),
    (COPIES, "the half of B goes to one program alone", r" multicast_mask = %\w+", "", DEADLOCK),
    (COPIES, "no wait for a free stage", LOOP, "", RACE),
    (HOST, "a grid that clusters do not divide", r"blocks in \(%c2", "blocks in (%c1", GRID),
]

# Three blocks by one program, one after the other; results go through shared memory of their own.
PERSISTENT_CONFIG = f"{CONFIG} persistent=1"
PERSISTENT_PRODUCT = f"""module attributes {{tile.target = #tile.target<chip = "{CHIP}", shared = 232448, threads = 1024, registers = 255,
    sms = 1, async = true, mma = ["wgmma_k16_f16"], ldmatrix = true, stmatrix = true>}} {{
{PRODUCT.replace(f"{M}x", f"{3 * M}x")}}}
"""
BLOCKS = r"(scf.for %\w+ = %\w+ to )%c3_i32( step )%c1_i32"
PERSISTENT_FAULTS = [
    (PRODUCTS, "iterations from 0 on in each block", r"(= %cst, %\w+ = )%arg\d+", r"\1%c0", DEADLOCK),
    (PRODUCTS, "one block too few", BLOCKS, r"\1%c2_i32\2%c1_i32", DEADLOCK),
    (PRODUCTS, "every second block", BLOCKS, r"\1%c3_i32\2%c2_i32", DEADLOCK),
    (PRODUCTS, "results of all blocks in the place of the first", r"arith.remui (%arg\d+), %c3_i32", r"arith.remui %c0_i32, %c3_i32", DIFFERS),
    (PRODUCTS, "the last stage of a block never given back", r"(iter_args\((%\w+) = %c0\)(?:.*\n)*?.*cmpi sge, %\w+, )%c0", r"\1\2", DEADLOCK),
    (PRODUCTS, "results copied before all threads have stored theirs", r"(nvvm.fence.proxy .*\n) *nvvm.barrier .*\n", r"\1", RACE),
    (PRODUCTS, "results in the place of those that are still copied", r" *nvvm.cp.async.bulk.wait_group .*\n", "", RACE),
    (PRODUCTS, "a wait for all results but the last", r"bulk.wait_group 0", "bulk.wait_group 1", RACE),
    (PRODUCTS, "a wait behind the barrier", r"( *nvvm.cp.async.bulk.wait_group .*\n)(.*\n)( *nvvm.barrier .*\n)", r"\2\3\1", RACE),
    (PRODUCTS, "results that bulk copies need not see", r" *nvvm.fence.proxy .*\n", "", "missing-proxy-fence"),
    (PRODUCTS, "a last wait that leaves a product to the next block", r"wait_group.sync.aligned 0;", "wait_group.sync.aligned 1;", WAIT),
    (COPIES, "iterations from 0 on in each block", r"(iter_args\(%\w+ = )%arg\d+", r"\1%c0", DEADLOCK),
    (COPIES, "one block too few", BLOCKS, r"\1%c2_i32\2%c1_i32", DEADLOCK),
    (COPIES, "one block too many", BLOCKS, r"\1%c4_i32\2%c1_i32", DEADLOCK),
    (COPIES, "the first block for all", r"arith.remui (%arg\d+), %c3_i32", r"arith.remui %c0_i32, %c3_i32", DIFFERS),
]

# Sums of f8 are those of each step, added up in f32 (what a product begins at is undefined where it replaces it).
PROMOTED_CONFIG = "block=128x64x64 stages=2"
PROMOTED_PRODUCT = PRODUCT.replace("f16", "f8E4M3FN").replace("mk, kn", "mk, nk").replace(f"{K}x{N}x", f"{N}x{K}x")
PROMOTED_FAULTS = [
    (PRODUCTS, "a product added up while it is on its way", r"wait_group.sync.aligned 0;", "wait_group.sync.aligned 1;", WAIT),
    (PRODUCTS, "a product of the last part of a step alone", r"setp.ne.b32 p, 1, 0;", "setp.ne.b32 p, 0, 0;", DIFFERS),
    (PRODUCTS, "the last product alone", r"arith.addf %\w+, (%\w+)", r"arith.addf \1, \1", DIFFERS),
]

# Of every other row and column of an image with an odd number of them.
STRIDED_PRODUCT = """func.func @main(%x: tensor<1x29x33x32xf16>, %w: tensor<64x3x3x32xf16>) -> tensor<1x14x16x64xf32> {
  %c = einsum.contract "n(2*h+r)(2*w+s)c, krsc -> nhwk" (%x, %w)
      : (tensor<1x29x33x32xf16>, tensor<64x3x3x32xf16>) -> tensor<1x14x16x64xf32>
  return %c : tensor<1x14x16x64xf32>
}
"""
STEP_OF_ROWS = "llvm.store %c2_i64,"
STRIDED_FAULTS = [
    (HOST, "every row", STEP_OF_ROWS, "llvm.store %c1_i64,", DIFFERS),
    (HOST, "every fourth row", STEP_OF_ROWS, "llvm.store %c4_i64,", DIFFERS),
    (HOST, "every column", r"(llvm.store %c2_i64,(?:.*\n)*?.*)llvm.store %c2_i64,", r"\1llvm.store %c1_i64,", DIFFERS),
    (HOST, "steps of rows that no map has", STEP_OF_ROWS, "llvm.store %c16_i64,", REFUSED),
    (HOST, "every other channel", r"((?:llvm.store %c2_i64,(?:.*\n)*?.*){2})llvm.store %c1_i64,", r"\1llvm.store %c2_i64,", REFUSED),
    (COPIES, "blocks that follow each other as if all rows were read", r"(arith.muli %\w+, )%c2 ", r"\1%c1 ", DIFFERS),
    (COPIES, "rows and columns of the filter exchanged", r"box\[%c0_i32, (%\w+), (%\w+),", r"box[%c0_i32, \2, \1,", DIFFERS),
]

# A is computed in registers, of what is loaded an iteration before.
PROLOGUE = "  %none = arith.constant dense<0.0> : tensor<{1}>\n  %r = arith.maximumf %{0}, %none : tensor<{1}>\n"
PROLOGUE_PRODUCT = PRODUCT.replace("  %c =", PROLOGUE.format("a", f"{M}x{K}xf16") + "  %c =").replace("(%a, %b)", "(%r, %b)")
BARRIER = r" *nvvm.barrier .*\n"
PROLOGUE_FAULTS = [
    (PRODUCTS, "A stored where others still read it", BARRIER, "", RACE),
    (PRODUCTS, "A read before all threads have stored it", f"({BARRIER}(?:.*\\n)*?){BARRIER}", r"\1", RACE),
    (PRODUCTS, "a stage given back while a product reads it", "wait_group.sync.aligned 0;", "wait_group.sync.aligned 1;", RACE),
    (PRODUCTS, "no fence before a product", r"wgmma.fence.sync.aligned;\\0A", "", "missing-fence"),
    (PRODUCTS, "registers of A in another order", r"\{\$64, \$65,", "{$65, $64,", DIFFERS),
    (PRODUCTS, "no wait for copies", LOOP, "", WAIT),
    (PRODUCTS, "a stage never given back", r" *nvvm.mbarrier.arrive .*\n", "", DEADLOCK),
    (COPIES, "more bytes than are copied", r"expect_tx (%\w+), %c4096_i32", r"expect_tx \1, %c12288_i32", DEADLOCK),
    (COPIES, "no wait for a free stage", LOOP, "", RACE),
]

# What threads make of one product is operand A of another, in registers. An iteration begins the first product of the next one,
# and then its own second one: the first product of all is before the loop, the last one of all behind it.
CHAIN_PIPELINE, CHAIN_CONFIG = "tile-to-nvvm-pipeline", "stages=2"
CHAIN_PRODUCT = """
func.func @chain(%q: memref<?x32xf16> {tile.readonly}, %k: memref<?x32xf16> {tile.readonly}, %v: memref<?x64xf16> {tile.readonly},
                 %o: memref<?x64xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %none = arith.constant dense<0.0> : tensor<128x32xf32>
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %n = memref.dim %k, %c0 : memref<?x32xf16>
  %query = tile.load_view %q[%c0, %c0] : memref<?x32xf16> -> tensor<128x32xf16>
  %r = scf.for %s = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<128x64xf32> {
    %y = tile.load_view %k[%s, %c0] : memref<?x32xf16> -> tensor<32x32xf16>
    %yt = tile.trans %y [1, 0] : tensor<32x32xf16>
    %scores = tile.dot %query, %yt, %none : tensor<128x32xf16>, tensor<32x32xf16>, tensor<128x32xf32>
    %some = arith.maximumf %scores, %none : tensor<128x32xf32>
    %weights = arith.truncf %some : tensor<128x32xf32> to tensor<128x32xf16>
    %z = tile.load_view %v[%s, %c0] : memref<?x64xf16> -> tensor<32x64xf16>
    %sum = tile.dot %weights, %z, %acc : tensor<128x32xf16>, tensor<32x64xf16>, tensor<128x64xf32>
    scf.yield %sum : tensor<128x64xf32>
  }
  tile.store_view %r, %o[%c0, %c0] : tensor<128x64xf32>, memref<?x64xf32>
  return
}
func.func private @launch(%q: memref<?x32xf16>, %k: memref<?x32xf16>, %v: memref<?x64xf16>, %o: memref<?x64xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @chain grid(%c1, %c1, %c1) (%q, %k, %v, %o) : memref<?x32xf16>, memref<?x32xf16>, memref<?x64xf16>, memref<?x64xf32>
  return
}
func.func @main(%q: memref<100x32xf16>, %k: memref<150x32xf16>, %v: memref<150x64xf16>, %o: memref<100x64xf32>) {
  %q0 = memref.cast %q : memref<100x32xf16> to memref<?x32xf16>
  %k0 = memref.cast %k : memref<150x32xf16> to memref<?x32xf16>
  %v0 = memref.cast %v : memref<150x64xf16> to memref<?x64xf16>
  %o0 = memref.cast %o : memref<100x64xf32> to memref<?x64xf32>
  func.call @launch(%q0, %k0, %v0, %o0) : (memref<?x32xf16>, memref<?x32xf16>, memref<?x64xf16>, memref<?x64xf32>) -> ()
  return
}
"""
PASS_TURN = 'llvm.call_intrinsic "llvm.nvvm.barrier.cta.arrive.aligned.count"'
SECOND = r"({0}(?:.*\n)*?.*){0}"
CHAIN_FAULTS = [
    (PRODUCTS, "what the first product gives read while it is on its way", r"wait_group.sync.aligned 0;", "wait_group.sync.aligned 1;", WAIT),
    (PRODUCTS, "the second product on its way when a stage is given back", SECOND.format("wait_group.sync.aligned 0;"),
     r"\1wait_group.sync.aligned 1;", RACE),
    (PRODUCTS, "the product of the next iteration read while it is on its way", "wait_group.sync.aligned 1;",
     "wait_group.sync.aligned 2;", WAIT),
    (PRODUCTS, "the last product read while it is on its way", r"((?:wait_group.sync.aligned 0;(?:.*\n)*?.*){2})wait_group.sync.aligned 0;",
     r"\1wait_group.sync.aligned 1;", WAIT),
    (PRODUCTS, "the last product alone", r"((?:setp.ne.b32 p, 1, 0;(?:.*\n)*?.*){3})setp.ne.b32 p, 1, 0;", r"\1setp.ne.b32 p, 0, 0;", DIFFERS),
    (PRODUCTS, "no fence before the products of the loop", "({0}(?:.*\\n)*?.*){0}((?:.*\\n)*?.*){0}".format(r"wgmma.fence.sync.aligned;\\0A"),
     r"\1\2", "missing-fence"),
    (PRODUCTS, "the stage of the next iteration given back", r"arith.subi (%\w+), %c1 ", r"arith.subi \1, %c0 ", DEADLOCK),
    (PRODUCTS, "the second product of what the next iteration has",
     r"((%\w+) = arith.index_castui %\w+ : i32 to index\n(?:.*\n)*?.*arith.index_cast )%arg\d+( : index to i32)", r"\1\2\3", DIFFERS),
    (PRODUCTS, "the first iteration twice", r"(scf.for %\w+ = )%c32( to)", r"\1%c0\2", DEADLOCK),
    (PRODUCTS, "no wait for the copies of the next iteration", f"({LOOP}(?:.*\\n)*?){LOOP}", r"\1", WAIT),
    (PRODUCTS, "nobody has the first turn", f" *{PASS_TURN}.*\\n", "", DEADLOCK),
    (PRODUCTS, "a turn that is not passed", f"({PASS_TURN}(?:.*\\n)*?) *{PASS_TURN}.*\\n", r"\1", DEADLOCK),
    (PRODUCTS, "a turn passed to the same warpgroup", rf"(nvvm.barrier id = (%\d+)(?:.*\n)*?.*{PASS_TURN}\()%\w+", r"\1\2", DEADLOCK),
    (PRODUCTS, "registers of A in another order", r"\{\$32, \$33,", "{$33, $32,", DIFFERS),
    (PRODUCTS, "registers of A of another step of K", r"\$37, \$38, \$39, \$40\}", "$32, $33, $34, $35}", DIFFERS),
    (PRODUCTS, "the last part of a step alone", "setp.ne.b32 p, 1, 0;", "setp.ne.b32 p, 0, 0;", DIFFERS),
    (PRODUCTS, "B of the second product transposed", SECOND.format("p, 1, 1, 1;"), r"\1p, 1, 1, 0;", RACE),
    (PRODUCTS, "no wait for copies", LOOP, "", WAIT),
    (PRODUCTS, "a stage never given back", r" *nvvm.mbarrier.arrive .*\n", "", DEADLOCK),
    (COPIES, "bytes of one operand alone", r"expect_tx (%\w+), %c6144_i32", r"expect_tx \1, %c2048_i32", WAIT),
    (COPIES, "no wait for a free stage", LOOP, "", RACE),
    (COPIES, "one copy of two", r" *nvvm.cp.async.bulk.*\n", "", DEADLOCK),
]


class Session:
    def __init__(self, arguments, folder, product, config, faults, pipeline="einsum-to-nvvm-pipeline"):
        self.arguments, self.folder, self.failures, self.faults = arguments, folder, 0, faults
        # Memrefs that a program takes are all written to files, the result last.
        self.before = [self.path(f"{i}.npy") for i in range(3)] if pipeline == CHAIN_PIPELINE else []
        source = self.write("product.mlir", product)
        _, text = self.run(arguments.tile_opt, source, "-o", os.devnull,
                           f"--{pipeline}=chip={CHIP} config={{{config}}}",
                           "--mlir-print-ir-before=gpu-launch-sink-index-computations")
        text = text[re.search(r"^(#\w+ = .*\n)*module attributes", text, re.M).start():]  # aliases of attributes come first
        at = [0] + [text.index(bound) for bound in BOUNDS] + [len(text)]
        self.parts = [text[begin:end] for begin, end in zip(at, at[1:])]
        status, output = self.run(arguments.tile_run, source, "--backend=interp", "--random=7",
                                  "--outputs=" + ",".join(self.before + [self.path("expected.npy")]))
        assert status == 0, output
        self.expected = np.load(self.path("expected.npy"))

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)

    def run(self, *command):
        """The exit status, and the output."""
        return batch.run(command)

    def find(self, parts):
        """What is found in a program, and the output of the run."""
        status, output = self.run(self.arguments.tile_run, self.write("wrong.mlir", "".join(parts)), "--backend=sim",
                                  f"--chip={CHIP}", "--opt-level=0", "--random=7",
                                  "--outputs=" + ",".join(self.before + [self.path("got.npy")]),
                                  f"--pipeline=gpu-to-nvvm-pipeline{{chip={CHIP}}}")
        summary = re.search(r"the simulator found .*\((.*)\)", output)
        found = re.findall(r"\d+ ([\w-]+)", summary[1]) if summary else []
        if "error: tensor map" in output:
            found.append(REFUSED)
        if GRID in output:
            found.append(GRID)
        if status == 0 and not np.allclose(np.load(self.path("got.npy")), self.expected, 0, 1e-2):
            found.append(DIFFERS)
        return found, output

    def check(self):
        found, output = self.find(self.parts)
        if found:
            self.failures += 1
            print(f"nothing is wrong, found {found}:\n{output}")
        for part, name, old, new, expected in self.faults:
            parts = list(self.parts)
            parts[part] = re.sub(old, new, parts[part], count=1)
            assert parts != self.parts, f"{name}: no {old}"
            found, output = self.find(parts)
            if self.arguments.show:
                print(f"{name}: {', '.join(found) or output}")
            if expected not in found:
                self.failures += 1
                print(f"{name}: expected {expected}, found {found}:\n{output}")


# ----------------------------------------------------------------------------------------------------------------------
# What they cost
# ----------------------------------------------------------------------------------------------------------------------

MOST_INSTRUCTIONS = 40
GROUP_WARPS, STEP = 4, 64


def product(m, n, k, element, result, spec):
    b = f"{k}x{n}" if spec.endswith("kn") else f"{n}x{k}"
    return f"""func.func @main(%a: tensor<{m}x{k}x{element}>, %b: tensor<{b}x{element}>) -> tensor<{m}x{n}x{result}> {{
  %c = einsum.contract "{spec} -> mn" (%a, %b) : (tensor<{m}x{k}x{element}>, tensor<{b}x{element}>) -> tensor<{m}x{n}x{result}>
  return %c : tensor<{m}x{n}x{result}>
}}
"""


def get_pipeline(config):
    return f"einsum-to-nvvm-pipeline{{chip={CHIP} config={{{config}}}}}"


def run(*command):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    assert done.returncode == 0, done.stdout
    return done.stdout


def count_step(arguments, folder, m):
    """Instructions of all warps of a block for one step."""
    counts = []
    for steps in 16, 17:
        path = os.path.join(folder, "product.mlir")
        with open(path, "w") as file:
            file.write(product(m, 256, STEP * steps, "bf16", "f32", "mk, kn"))
        output = run(arguments.tile_run, path, "--backend=sim", f"--chip={CHIP}", "--random=1",
                     f"--pipeline={get_pipeline(f'block={m}x256x64 stages=4')}")
        counts.append([int(re.search(rf"(\d+) {what}", output)[1]) for what in ("warp instructions", "wgmma")])
    return [after - before for before, after in zip(*counts)]


def check_steps(arguments, folder):
    # With two groups of products there are four such warps more than with one.
    (one, _), (two, products) = (count_step(arguments, folder, m) for m in (64, 128))
    of_products = (two - one) / GROUP_WARPS
    of_copies = one - GROUP_WARPS * of_products
    print(f"a step takes {of_products:g} instructions in a warp of products, {products // (2 * GROUP_WARPS)} of them wgmma, and "
          f"{of_copies:g} in that of copies")
    ptx = run(arguments.tile_translate, "--tile-to-ptx", f"--chip={CHIP}", os.path.join(folder, "product.mlir"))
    assert "wgmma" in ptx and "ld.global" not in ptx and "st.global" not in ptx[:ptx.rindex("wgmma")], ptx
    return products != 2 * GROUP_WARPS * STEP // 16 or max(of_products, of_copies) > MOST_INSTRUCTIONS


# HGMMA, IGMMA and QGMMA by the low bits of an instruction of 16 bytes, with A in shared memory or in registers.
OPCODES = (0x9F0, 0x9F1, 0x9F3, 0xDF0, 0xDF1, 0xDF3)


def count_products(path):
    """The instructions of warpgroups in the code of a cubin, an ELF file."""
    with open(path, "rb") as file:
        data = file.read()
    sections, = struct.unpack_from("<Q", data, 0x28)
    size, count, names = struct.unpack_from("<HHH", data, 0x3A)
    table = [struct.unpack_from("<IIQQQQ", data, sections + i * size) for i in range(count)]
    found = 0
    for name, _, _, _, offset, length in table:
        if data[table[names][4] + name:].startswith(b".text."):
            found += sum(struct.unpack_from("<Q", data, at)[0] & 0xFFF in OPCODES
                         for at in range(offset, offset + length, 16))
    return found


def check_ptxas(arguments, folder):
    failed = False
    source, ptx, cubin = (os.path.join(folder, name) for name in ("product.mlir", "product.ptx", "product.cubin"))
    for element, result, spec, config, expected, *special in [
            ("bf16", "f32", "mk, kn", "block=128x256x64 stages=4", 4), ("f16", "f16", "mk, kn", "block=128x256x64 stages=4", 4),
            ("f16", "f32", "km, kn", "block=256x128x64 stages=4", 4), ("f16", "f32", "km, nk", "block=64x16x32 stages=7", 2),
            ("bf16", "f32", "mk, nk", "block=64x64x64 stages=1", 4), ("bf16", "f32", "mk, kn", "block=128x256x64 stages=4 cluster=2", 4),
            # Needs fewer registers than its share.
            ("bf16", "bf16", "mk, nk", "block=128x32x32 stages=4", 2),
            ("bf16", "f32", "mk, kn", "block=128x256x64 stages=3 persistent=1", 4),
            ("bf16", "bf16", "mk, kn", "block=128x256x64 stages=3 cluster=2 persistent=1", 4),
            ("f16", "f32", "mk, nk", "block=64x64x64 stages=4 persistent=1", 4), ("f8E4M3FN", "f32", "mk, nk", "block=128x128x128 stages=3", 4),
            ("f8E5M2", "f32", "mk, nk", "block=128x128x128 stages=3 persistent=1", 4),
            ("bf16", "f32", "mk, kn", "block=128x256x64 stages=4", 4, "%a"), ("f16", "f32", "mk, nk", "block=64x128x64 stages=4", 4, "%a"),
            # Transposed, for operand A is the one that is computed, and has many rows.
            ("bf16", "bf16", "mk, kn", "block=128x256x64 stages=4", 4, "%b"), ("f16", "f32", "mk, nk", "block=128x128x64 stages=4", 4, "%b"),
            ("bf16", "bf16", "mk, kn", "block=128x256x64 stages=4", 4, "16 rows"),
            ("f8E5M2", "f32", "mk, nk", "block=64x256x64 stages=4", 2), ("i8", "i32", "mk, nk", "block=128x128x128 stages=4", 4)]:
        size = 8192 if "persistent" in config else 512  # more blocks than multiprocessors
        text = product(16 if special == ["16 rows"] else size, size, 2048, element, result, spec)
        if special and special[0] in ("%a", "%b"):
            of, = re.findall(rf"[(]?{special[0]}: tensor<(.*?)>", text)
            operands = "(%a, %b)"
            text = text.replace("  %c =", PROLOGUE.format(special[0][1:], of) + "  %c =")
            text = text.replace(operands, operands.replace(special[0], "%r"))
        if spec.startswith("km"):
            text = text.replace("tensor<512x2048", "tensor<2048x512", 1).replace("(tensor<512x2048", "(tensor<2048x512", 1)
        with open(source, "w") as file:
            file.write(text)
        lowered = run(arguments.tile_opt, source, f"--pass-pipeline=builtin.module({get_pipeline(config)})")
        with open(source, "w") as file:
            file.write(lowered)
        run(arguments.tile_translate, "--tile-to-ptx", source, "-o", ptx)
        output = run(arguments.ptxas, f"-arch={CHIP}", "-v", ptx, "-o", cubin)
        found = count_products(cubin)
        if " 0 bytes spill stores, 0 bytes spill loads" not in output or "warning" in output or "(C75" in output or found != expected:
            failed = True
            print(f"{element} {result} {spec} {config}: expected {expected} products, found {found}\n{output}")
    return failed


def check_faults(arguments, folder):
    failures, count = 0, 0
    for case in (PRODUCT, CONFIG, FAULTS), (CLUSTER_PRODUCT, CLUSTER_CONFIG, CLUSTER_FAULTS), \
            (PERSISTENT_PRODUCT, PERSISTENT_CONFIG, PERSISTENT_FAULTS), (PROMOTED_PRODUCT, PROMOTED_CONFIG, PROMOTED_FAULTS), \
            (STRIDED_PRODUCT, CONFIG, STRIDED_FAULTS), (PROLOGUE_PRODUCT, CONFIG, PROLOGUE_FAULTS), \
            (CHAIN_PRODUCT, CHAIN_CONFIG, CHAIN_FAULTS, CHAIN_PIPELINE):
        session = Session(arguments, folder, *case)
        session.check()
        failures += session.failures
        count += len(session.faults)
    print(f"{count} faults, {failures} failures")
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    checks = {"faults": check_faults, "steps": check_steps, "ptxas": check_ptxas}
    parser.add_argument("check", choices=checks)
    for tool in "tile-run", "tile-opt", "tile-translate", "ptxas":
        parser.add_argument(f"--{tool}", default=tool)
    parser.add_argument("--show", action="store_true", help="tell by what each fault is found")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        failed = checks[arguments.check](arguments, folder)
    sys.exit(bool(failed))


main()
