// What bulk stores mean: the tile is in memory when the program ends, but for what is outside of the memref; nobody writes to the
// buffer before a wait; and each misuse is one error.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: %python %t/check.py %t
// RUN: not tile-run %t/unwaited.mlir --backend=interp --random=3 2>&1 | FileCheck %t/unwaited.mlir
// RUN: not tile-run %t/overwritten.mlir --backend=interp --random=3 2>&1 | FileCheck %t/overwritten.mlir
// RUN: not tile-run %t/unwritten.mlir --backend=interp --random=3 2>&1 | FileCheck %t/unwritten.mlir

//--- check.py
import subprocess
import sys

import numpy as np

directory = sys.argv[1]
generator = np.random.default_rng(3)
a = generator.integers(-9, 10, (100, 72)).astype(np.float16)
paths = [f"{directory}/{name}.npy" for name in ("a", "b", "c", "d")]
np.save(paths[0], a)
np.save(paths[1], np.zeros_like(a))
subprocess.run(["tile-run", f"{directory}/right.mlir", "--backend=interp", f"--inputs={','.join(paths[:2])}",
                f"--outputs={','.join(paths[2:])}"], check=True)
assert (np.load(paths[3]) == a).all()

//--- right.mlir
func.func @kernel(%a: memref<100x72xf16>, %b: memref<100x72xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %id = tile.program_id x
  %x = arith.index_cast %id : i32 to index
  %i = arith.muli %x, %c64 : index
  %s = tile.alloc : !tile.buffer<64x64xf16>
  %t = tile.load_view %a[%i, %c0] : memref<100x72xf16> -> tensor<64x64xf16>
  %u = tile.load_view %a[%i, %c64] : memref<100x72xf16> -> tensor<64x64xf16>
  tile.local_store %t, %s : tensor<64x64xf16>, !tile.buffer<64x64xf16>
  tile.bulk_store %s, %b[%i, %c0] : !tile.buffer<64x64xf16>, memref<100x72xf16>
  tile.bulk_store_wait pending 0
  tile.local_store %u, %s : tensor<64x64xf16>, !tile.buffer<64x64xf16>
  tile.bulk_store %s, %b[%i, %c64] : !tile.buffer<64x64xf16>, memref<100x72xf16>
  tile.bulk_store_wait pending 0
  return
}
func.func @main(%a: memref<100x72xf16>, %b: memref<100x72xf16>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  tile.launch @kernel grid(%c2, %c1, %c1) (%a, %b) : memref<100x72xf16>, memref<100x72xf16>
  return
}

//--- unwaited.mlir
func.func @kernel(%a: memref<100x72xf16>, %b: memref<100x72xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %id = tile.program_id x
  %x = arith.index_cast %id : i32 to index
  %i = arith.muli %x, %c64 : index
  %s = tile.alloc : !tile.buffer<64x64xf16>
  %t = tile.load_view %a[%i, %c0] : memref<100x72xf16> -> tensor<64x64xf16>
  tile.local_store %t, %s : tensor<64x64xf16>, !tile.buffer<64x64xf16>
  // CHECK: .mlir:[[@LINE+1]]:3: error: is on its way when the program ends, expected a tile.bulk_store_wait after it, in program (0, 0, 0) of @kernel
  tile.bulk_store %s, %b[%i, %c0] : !tile.buffer<64x64xf16>, memref<100x72xf16>
  tile.bulk_store_wait pending 1
  return
}
func.func @main(%a: memref<100x72xf16>, %b: memref<100x72xf16>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  tile.launch @kernel grid(%c2, %c1, %c1) (%a, %b) : memref<100x72xf16>, memref<100x72xf16>
  return
}

//--- overwritten.mlir
func.func @kernel(%a: memref<100x72xf16>, %b: memref<100x72xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %id = tile.program_id x
  %x = arith.index_cast %id : i32 to index
  %i = arith.muli %x, %c64 : index
  %s = tile.alloc : !tile.buffer<64x64xf16>
  %t = tile.load_view %a[%i, %c0] : memref<100x72xf16> -> tensor<64x64xf16>
  tile.local_store %t, %s : tensor<64x64xf16>, !tile.buffer<64x64xf16>
  tile.bulk_store %s, %b[%i, %c0] : !tile.buffer<64x64xf16>, memref<100x72xf16>
  tile.bulk_store_wait pending 1
  // CHECK: .mlir:[[@LINE+1]]:3: error: accesses shared memory that a bulk store still reads, expected a tile.bulk_store_wait before
  tile.local_store %t, %s : tensor<64x64xf16>, !tile.buffer<64x64xf16>
  tile.bulk_store %s, %b[%i, %c64] : !tile.buffer<64x64xf16>, memref<100x72xf16>
  tile.bulk_store_wait pending 0
  return
}
func.func @main(%a: memref<100x72xf16>, %b: memref<100x72xf16>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  tile.launch @kernel grid(%c2, %c1, %c1) (%a, %b) : memref<100x72xf16>, memref<100x72xf16>
  return
}

//--- unwritten.mlir
func.func @kernel(%a: memref<100x72xf16>, %b: memref<100x72xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %id = tile.program_id x
  %x = arith.index_cast %id : i32 to index
  %i = arith.muli %x, %c64 : index
  %s = tile.alloc : !tile.buffer<64x64xf16>
  // CHECK: .mlir:[[@LINE+1]]:3: error: element (0, 0): reads shared memory that nothing has written
  tile.bulk_store %s, %b[%i, %c0] : !tile.buffer<64x64xf16>, memref<100x72xf16>
  tile.bulk_store_wait pending 0
  return
}
func.func @main(%a: memref<100x72xf16>, %b: memref<100x72xf16>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  tile.launch @kernel grid(%c2, %c1, %c1) (%a, %b) : memref<100x72xf16>, memref<100x72xf16>
  return
}
