#!/usr/bin/env python3
# Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plants bugs in pipelines and checks that `tile-run --bisect` names where.

The pass test-plant-bug of the test plugin is put in the middle of a pipeline.
Bisecting must fail and name that pass; of the two files that it writes, the
first must give NumPy's answer, the second another one (or fail, where the bug
is an access out of bounds). Without the bug no pass may be named.
"""

import argparse
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np

SIZE = 16  # of the matrices
LENGTH = 100  # of the vectors: no multiple of the block

# C = A B, by one program per quarter of C.
MATMUL = """
func.func @matmul(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %c16 = arith.constant 16 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %xi = arith.index_cast %x : i32 to index
  %yi = arith.index_cast %y : i32 to index
  %i = arith.muli %xi, %c8 : index
  %j = arith.muli %yi, %c8 : index
  %zero = arith.constant dense<0.0> : tensor<8x8xf32>
  %sum = scf.for %k = %c0 to %c16 step %c8 iter_args(%acc = %zero) -> tensor<8x8xf32> {
    %ta = tile.load_view %a[%i, %k] : memref<16x16xf32> -> tensor<8x8xf32>
    %tb = tile.load_view %b[%k, %j] : memref<16x16xf32> -> tensor<8x8xf32>
    %d = tile.dot %ta, %tb, %acc : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xf32>
    scf.yield %d : tensor<8x8xf32>
  }
  tile.store_view %sum, %c[%i, %j] : tensor<8x8xf32>, memref<16x16xf32>
  return
}
func.func @main(%a: memref<16x16xf32>, %b: memref<16x16xf32>, %c: memref<16x16xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  tile.launch @matmul grid(%c2, %c2, %c1) (%a, %b, %c) : memref<16x16xf32>, memref<16x16xf32>, memref<16x16xf32>
  return
}
"""

# z = x < y ? x : y, in blocks of 64.
MINIMUM = """
!ptrs = tensor<64x!tile.ptr<f32>>
func.func @minimum(%x: !tile.ptr<f32>, %y: !tile.ptr<f32>, %z: !tile.ptr<f32>) attributes {tile.kernel} {
  %c64 = arith.constant 64 : i32
  %n = arith.constant dense<100> : tensor<64xi32>
  %id = tile.program_id x
  %first = arith.muli %id, %c64 : i32
  %firsts = tile.splat %first : i32 -> tensor<64xi32>
  %lane = tile.range 0 to 64 : tensor<64xi32>
  %i = arith.addi %firsts, %lane : tensor<64xi32>
  %inside = arith.cmpi slt, %i, %n : tensor<64xi32>
  %xs = tile.splat %x : !tile.ptr<f32> -> !ptrs
  %ys = tile.splat %y : !tile.ptr<f32> -> !ptrs
  %zs = tile.splat %z : !tile.ptr<f32> -> !ptrs
  %px = tile.addptr %xs, %i : !ptrs, tensor<64xi32>
  %py = tile.addptr %ys, %i : !ptrs, tensor<64xi32>
  %pz = tile.addptr %zs, %i : !ptrs, tensor<64xi32>
  %vx = tile.load %px mask %inside : !ptrs
  %vy = tile.load %py mask %inside : !ptrs
  %less, %others = tile.cmpp olt %vx, %vy : tensor<64xf32>
  %min = tile.psi %less ? %vx, %others ? %vy : tensor<64xi1>, tensor<64xf32>
  tile.store %pz, %min mask %inside : !ptrs
  return
}
func.func @main(%x: memref<100xf32>, %y: memref<100xf32>, %z: memref<100xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  tile.launch @minimum grid(%c2, %c1, %c1) (%x, %y, %z) : memref<100xf32>, memref<100xf32>, memref<100xf32>
  return
}
"""

# C = A B of 128 x 128, by one program per quarter of C: what warpgroups multiply.
WIDE = 128
PRODUCT = """
func.func @product(%a: memref<128x128xf16>, %b: memref<128x128xf16>, %c: memref<128x128xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %xi = arith.index_cast %x : i32 to index
  %yi = arith.index_cast %y : i32 to index
  %i = arith.muli %xi, %c64 : index
  %j = arith.muli %yi, %c64 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sum = scf.for %k = %c0 to %c128 step %c64 iter_args(%acc = %zero) -> tensor<64x64xf32> {
    %ta = tile.load_view %a[%i, %k] : memref<128x128xf16> -> tensor<64x64xf16>
    %tb = tile.load_view %b[%k, %j] : memref<128x128xf16> -> tensor<64x64xf16>
    %d = tile.dot %ta, %tb, %acc : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    scf.yield %d : tensor<64x64xf32>
  }
  tile.store_view %sum, %c[%i, %j] : tensor<64x64xf32>, memref<128x128xf32>
  return
}
func.func @main(%a: memref<128x128xf16>, %b: memref<128x128xf16>, %c: memref<128x128xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  tile.launch @product grid(%c2, %c2, %c1) (%a, %b, %c) : memref<128x128xf16>, memref<128x128xf16>, memref<128x128xf32>
  return
}
"""
# C = max(A B^T, 0) B, as attention has it: a product of what is computed of another one.
CHAIN = """
func.func @chain(%a: memref<128x128xf16>, %b: memref<128x128xf16>, %c: memref<128x128xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %x = tile.program_id x
  %xi = arith.index_cast %x : i32 to index
  %i = arith.muli %xi, %c64 : index
  %none = arith.constant dense<0.0> : tensor<64x64xf32>
  %zero = arith.constant dense<0.0> : tensor<64x128xf32>
  %q = tile.load_view %a[%i, %c0] : memref<128x128xf16> -> tensor<64x128xf16>
  %sum = scf.for %s = %c0 to %c128 step %c64 iter_args(%acc = %zero) -> tensor<64x128xf32> {
    %k = tile.load_view %b[%s, %c0] : memref<128x128xf16> -> tensor<64x128xf16>
    %kt = tile.trans %k [1, 0] : tensor<64x128xf16>
    %scores = tile.dot %q, %kt, %none : tensor<64x128xf16>, tensor<128x64xf16>, tensor<64x64xf32>
    %some = arith.maximumf %scores, %none : tensor<64x64xf32>
    %weights = arith.truncf %some : tensor<64x64xf32> to tensor<64x64xf16>
    %v = tile.load_view %b[%s, %c0] : memref<128x128xf16> -> tensor<64x128xf16>
    %d = tile.dot %weights, %v, %acc : tensor<64x64xf16>, tensor<64x128xf16>, tensor<64x128xf32>
    scf.yield %d : tensor<64x128xf32>
  }
  tile.store_view %sum, %c[%i, %c0] : tensor<64x128xf32>, memref<128x128xf32>
  return
}
func.func @main(%a: memref<128x128xf16>, %b: memref<128x128xf16>, %c: memref<128x128xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  tile.launch @chain grid(%c2, %c1, %c1) (%a, %b, %c) : memref<128x128xf16>, memref<128x128xf16>, memref<128x128xf32>
  return
}
"""
OVERLAPPED = ("tile-attach-target{chip=sm_90a},tile-select-config{config={stages=2}},tile-warp-specialize,"
              "tile-overlap-products")
HOPPER = "tile-attach-target{chip=sm_90a},tile-select-config{config={block=64x64x64 cluster=2}},tile-warp-specialize"
PERSISTENT = ("tile-attach-target{chip=sm_90a},tile-select-config{config={block=64x64x64 persistent=1}},tile-warp-specialize,"
              "tile-persistent{programs=3}")
LAYOUTS = "tile-promote-shared,tile-allocate-shared,tile-insert-barriers"
SHARED = f"func.func(tile-assign-layouts),tile-use-tensor-maps,{LAYOUTS}"

# For a machine by its numbers, so that the kernel is the same on all.
CONTRACTION = """
module attributes {einsum.machine = #einsum.machine<cpu = "znver3", vector_bits = 256, registers = 16, fma = 2,
    latency = 4, l1 = 32768, l2 = 524288, l3 = 33554432, cores = 1, bf16 = false>} {
func.func @main(%a: tensor<16x16xf32>, %b: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %0 = einsum.contract "ij, jk -> ik" (%a, %b) : (tensor<16x16xf32>, tensor<16x16xf32>) -> tensor<16x16xf32>
  return %0 : tensor<16x16xf32>
}
}
"""

# name: program, passes before the bug, the bug, passes after it, what is found.
CASES = {
    "einsum level": (
        CONTRACTION, "canonicalize", "test-plant-bug{op=einsum.contract swap=0,1}", "einsum-to-cpu-pipeline{openmp=0}",
        "the answer changes after pass 2, 'test-plant-bug': output 0 at ["),
    "vector level": (
        CONTRACTION, "canonicalize,einsum-identify-primitives,einsum-choose-schedule,convert-einsum-to-vector",
        "test-plant-bug{op=vector.fma swap=0,2}", "canonicalize,cse,convert-scf-to-cf",
        "the answer changes after pass 5, 'test-plant-bug': output 0 at ["),
    "a position of a vector": (
        CONTRACTION, "einsum-choose-schedule,convert-einsum-to-vector,one-shot-bufferize{"
        "bufferize-function-boundaries=1 function-boundary-type-conversion=identity-layout-map}",
        "test-plant-bug{op=vector.store subtract=2,2}", "canonicalize,cse",
        "the answer changes after pass 4, 'test-plant-bug': output 0 at ["),
    "tile level, a value": (
        MATMUL, "canonicalize,tile-peephole", "test-plant-bug{op=tile.dot swap=0,1}", "tile-to-cpu-pipeline",
        "the answer changes after pass 3, 'test-plant-bug': output 2 at ["),
    "tile level, a predicate": (
        MINIMUM, "canonicalize,cse", "test-plant-bug{op=tile.psi swap=2,3}", "tile-psi-to-select,tile-to-cpu-pipeline",
        "the answer changes after pass 3, 'test-plant-bug': output 2 at ["),
    "tile level, a mask": (
        MINIMUM, "tile-eliminate-masks", "test-plant-bug{op=tile.store erase=2}", "cse,tile-to-cpu-pipeline",
        "the answer changes after pass 2, 'test-plant-bug': the interpreter stops: "),
    "kernel of einsum": (
        CONTRACTION, "one-shot-bufferize{bufferize-function-boundaries=1 "
        "function-boundary-type-conversion=identity-layout-map},tile-select-config{config={block=8x8x8}},"
        "convert-einsum-to-tile",
        "test-plant-bug{op=tile.dot swap=0,1}", "tile-to-cpu-pipeline",
        "the answer changes after pass 4, 'test-plant-bug': output 0 at ["),
    "roles": (
        PRODUCT, HOPPER, "test-plant-bug{op=tile.mma_async swap=0,1}", f"tile-multicast,{SHARED}",
        "the answer changes after pass 4, 'test-plant-bug': output 2 at ["),
    "copies of a cluster": (
        PRODUCT, f"{HOPPER},tile-multicast", "test-plant-bug{op=tile.bulk_load swap=1,2}", SHARED,
        "the answer changes after pass 5, 'test-plant-bug': output 2 at ["),
    "tensor maps": (
        PRODUCT, f"{HOPPER},tile-multicast,func.func(tile-assign-layouts),tile-use-tensor-maps",
        "test-plant-bug{op=tile.mma_async swap=0,1}", LAYOUTS,
        "the answer changes after pass 8, 'test-plant-bug': output 2 at ["),
    "programs of several blocks": (
        PRODUCT, PERSISTENT, "test-plant-bug{op=tile.bulk_load swap=1,2}", SHARED,
        "the answer changes after pass 5, 'test-plant-bug': output 2 at ["),
    "products that overlap": (
        CHAIN, OVERLAPPED, "test-plant-bug{op=scf.for subtract=1,2}", SHARED,
        "the answer changes after pass 5, 'test-plant-bug': output 2 at ["),
    "results in bulk": (
        PRODUCT, f"{PERSISTENT},tile-use-bulk-stores", "test-plant-bug{op=tile.bulk_store swap=2,3}", SHARED,
        "the answer changes after pass 6, 'test-plant-bug': output 2 at ["),
    "fences": (
        PRODUCT, f"{PERSISTENT},tile-use-bulk-stores,{SHARED},tile-insert-fences", "test-plant-bug{op=tile.bulk_store swap=2,3}",
        "canonicalize,cse", "the answer changes after pass 13, 'test-plant-bug': output 2 at ["),
    "barriers of roles": (
        PRODUCT, f"{HOPPER},tile-multicast,{SHARED}", "test-plant-bug{op=tile.store_view swap=2,3}", "canonicalize,cse",
        "the answer changes after pass 11, 'test-plant-bug': output 2 at ["),
    "a bound of a loop": (
        MATMUL, "canonicalize,convert-tile-to-linalg", "test-plant-bug{op=scf.for subtract=1,2}", "canonicalize,cse",
        "the answer changes after pass 3, 'test-plant-bug': output 2 at ["),
    "a bound of the grid": (
        MATMUL, "convert-tile-to-linalg,one-shot-bufferize{bufferize-function-boundaries=1},convert-linalg-to-loops",
        "test-plant-bug{op=scf.parallel subtract=3,6}", "canonicalize,convert-scf-to-cf",
        "the answer changes after pass 4, 'test-plant-bug': output 2 at ["),
    # The second pass hides the operand of the third from the interpreter, until the fourth.
    "stages that cannot be executed": (
        MATMUL, "canonicalize,test-plant-bug{op=tile.dot hide=0}", "test-plant-bug{op=tile.dot swap=0,1}",
        "reconcile-unrealized-casts,cse",
        "the answer changes between pass 1, 'canonicalize', and pass 4, 'reconcile-unrealized-casts' "
        "(what passes 2 to 3 leave cannot be executed): output 2 at ["),
}


class Failure(Exception):
    pass


def expect(good, what):
    if not good:
        raise Failure(what)


def run(command):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True)


def make_inputs(program, folder):
    """The arguments, as files, and the answer."""
    generator = np.random.default_rng(7)
    shape = (LENGTH,) if program is MINIMUM else (WIDE, WIDE) if program in (PRODUCT, CHAIN) else (SIZE, SIZE)
    arrays = [generator.integers(-4, 5, shape).astype(np.float32) for _ in range(2)]
    answer = np.minimum(*arrays) if program is MINIMUM else arrays[0] @ arrays[1]
    if program is CHAIN:
        answer = np.maximum(arrays[0] @ arrays[1].T, 0) @ arrays[1]
    if program in (PRODUCT, CHAIN):
        arrays = [array.astype(np.float16) for array in arrays]
    if program is not CONTRACTION:
        arrays.append(np.full_like(answer, 99))
    files = [folder / f"{i}.npy" for i in range(len(arrays))]
    for file, array in zip(files, arrays):
        np.save(file, array)
    return files, answer


def interpret(tile_run, file, inputs, program, folder):
    """What a file computes; None where the interpreter stops."""
    outputs = [folder / f"out{i}.npy" for i in range(1 if program is CONTRACTION else len(inputs))]
    for output in outputs:
        output.unlink(missing_ok=True)
    done = run([tile_run, file, "--entry=main", "--backend=interp", "--inputs=" + ",".join(map(str, inputs)),
                "--outputs=" + ",".join(map(str, outputs))])
    return np.load(outputs[-1]) if done.returncode == 0 else None


def check(options, folder, program, before, bug, after, found):
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "program.mlir"
    source.write_text(program)
    inputs, answer = make_inputs(program, folder)
    prefix = folder / "bisect"
    files = [Path(f"{prefix}-{which}.mlir") for which in ("before", "after")]
    for file in files:
        file.unlink(missing_ok=True)
    command = [options.tile_run, source, "--entry=main", "--inputs=" + ",".join(map(str, inputs)), "--bisect",
               f"--bisect-prefix={prefix}", f"--load-pass-plugin={options.plugin}"]

    good = run([*command, f"--pipeline={before},{after}"])
    expect(good.returncode == 0 and "bisect: no pass changes the answer" in good.stdout,
           f"without the bug: {good.stdout}{good.stderr}")
    expect(not any(file.exists() for file in files), "without the bug: files are written")

    bad = run([*command, f"--pipeline={before},{bug},{after}"])
    expect(bad.returncode == 1, f"exit status {bad.returncode}: {bad.stdout}{bad.stderr}")
    expect(f"tile-run: error: {found}" in bad.stderr, f"expected '{found}', found: {bad.stdout}{bad.stderr}")
    expect(bad.stdout.splitlines() == [f"before: {files[0]}", f"after: {files[1]}", "entry: main"],
           f"the files are not told: {bad.stdout}")
    for file in files:
        parsed = run([options.tile_opt, file, "-o", folder / "parsed.mlir"])
        expect(parsed.returncode == 0, f"{file} does not parse: {parsed.stderr}")
    results = [interpret(options.tile_run, file, inputs, program, folder) for file in files]
    expect(results[0] is not None and np.array_equal(results[0], answer), "the file before the bug is wrong")
    expect(results[1] is None if "stops" in found else not np.array_equal(results[1], answer),
           "the file after the bug is right")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tile-run", required=True)
    parser.add_argument("--plugin", required=True, help="the library with test-plant-bug")
    parser.add_argument("folder", type=Path, help="for the files")
    options = parser.parse_args()
    options.tile_run = Path(shutil.which(options.tile_run))
    options.tile_opt = options.tile_run.with_name("tile-opt")
    failed = 0
    for name, case in CASES.items():
        try:
            check(options, options.folder / name.replace(",", "").replace(" ", "-"), *case)
            print(f"{name}: pass")
        except Failure as failure:
            failed += 1
            print(f"{name}: FAIL: {failure}")
    print(f"{len(CASES)} cases, {failed} failed")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
