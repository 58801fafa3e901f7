// What roles, channels and asynchronous products mean: the right sums for loops of no, few and many iterations, more than
// there are stages; and each misuse is one error.
//
// RUN: rm -rf %t && split-file %s %t
// RUN: %python %t/check.py %t
// RUN: not tile-run %t/early.mlir --backend=interp --random=3 2>&1 | FileCheck %t/early.mlir
// RUN: not tile-run %t/late.mlir --backend=interp --random=3 2>&1 | FileCheck %t/late.mlir
// RUN: not tile-run %t/order.mlir --backend=interp --random=3 2>&1 | FileCheck %t/order.mlir
// RUN: not tile-run %t/twice.mlir --backend=interp --random=3 2>&1 | FileCheck %t/twice.mlir
// RUN: not tile-run %t/unwaited.mlir --backend=interp --random=3 2>&1 | FileCheck %t/unwaited.mlir
// RUN: not tile-run %t/lapped.mlir --backend=interp --random=3 2>&1 | FileCheck %t/lapped.mlir
// RUN: not tile-run %t/stage.mlir --backend=interp --random=3 2>&1 | FileCheck %t/stage.mlir
// RUN: not tile-run %t/cluster.mlir --backend=interp --random=3 2>&1 | FileCheck %t/cluster.mlir
// RUN: not tile-run %t/grid.mlir --backend=interp --random=3 2>&1 | FileCheck %t/grid.mlir
// RUN: not tile-run %t/free.mlir --backend=interp --random=3 2>&1 | FileCheck %t/free.mlir
// RUN: not tile-run %t/many.mlir --backend=interp --random=3 2>&1 | FileCheck %t/many.mlir
// RUN: not tile-run %t/few.mlir --backend=interp --random=3 2>&1 | FileCheck %t/few.mlir
// RUN: not tile-run %t/bytes.mlir --backend=interp --random=3 2>&1 | FileCheck %t/bytes.mlir
// RUN: not tile-run %t/missing.mlir --backend=interp --random=3 2>&1 | FileCheck %t/missing.mlir
// RUN: not tile-run %t/full.mlir --backend=interp --random=3 2>&1 | FileCheck %t/full.mlir
// RUN: not tile-run %t/unused.mlir --backend=interp --random=3 2>&1 | FileCheck %t/unused.mlir
// RUN: not tile-run %t/reading.mlir --backend=interp --random=3 2>&1 | FileCheck %t/reading.mlir
// RUN: not tile-run %t/pending.mlir --backend=interp --random=3 2>&1 | FileCheck %t/pending.mlir

//--- product.mlir
func.func @kernel(%a: memref<64x?xf16>, %b: memref<?x32xf16>, %c: memref<64x32xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %k = memref.dim %a, %c1 : memref<64x?xf16>
  %trips = arith.ceildivui %k, %c16 : index
  %zero = arith.constant dense<0.0> : tensor<64x32xf32>
  %x = tile.alloc : !tile.buffer<3x64x16xf16>
  %y = tile.alloc : !tile.buffer<3x16x32xf16>
  %ch = tile.channel stages 3
  tile.roles warps [4, 4] {
    %sum = scf.for %i = %c0 to %trips step %c1 iter_args(%acc = %zero) -> tensor<64x32xf32> {
      %s = tile.channel_wait %ch[%i]
      %next = tile.mma_async %x[%s] row, %y[%s] row, %acc atom <wgmma_k16_f16> : !tile.buffer<3x64x16xf16>, !tile.buffer<3x16x32xf16>, tensor<64x32xf32>
      %same = tile.mma_wait %next pending 1 : tensor<64x32xf32>
      %before = arith.subi %i, %c1 : index
      tile.channel_release %ch[%before]
      scf.yield %same : tensor<64x32xf32>
    }
    %all = tile.mma_wait %sum pending 0 : tensor<64x32xf32>
    tile.store_view %all, %c[%c0, %c0] : tensor<64x32xf32>, memref<64x32xf32>
  }, {
    scf.for %i = %c0 to %trips step %c1 {
      %s = tile.channel_acquire %ch[%i] bytes 3072
      %at = arith.muli %i, %c16 : index
      tile.bulk_load %a[%c0, %at], %x[%s] through %ch : memref<64x?xf16>, !tile.buffer<3x64x16xf16>
      tile.bulk_load %b[%at, %c0], %y[%s] through %ch : memref<?x32xf16>, !tile.buffer<3x16x32xf16>
    }
  }
  return
}
func.func @main(%a: memref<64x?xf16>, %b: memref<?x32xf16>, %c: memref<64x32xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%a, %b, %c) : memref<64x?xf16>, memref<?x32xf16>, memref<64x32xf32>
  return
}

//--- check.py
import sys
import subprocess
import numpy as np

directory = sys.argv[1]
generator = np.random.default_rng(3)
for k in 0, 1, 16, 32, 40, 48, 64, 200:
    a = generator.integers(-3, 4, (64, k)).astype(np.float16)
    b = generator.integers(-3, 4, (k, 32)).astype(np.float16)
    paths = [f"{directory}/{name}.npy" for name in "abcdef"]
    for path, array in zip(paths, (a, b, np.ones((64, 32), np.float32))):
        np.save(path, array)
    subprocess.run(["tile-run", f"{directory}/product.mlir", "--backend=interp", "--inputs=" + ",".join(paths[:3]),
                    "--outputs=" + ",".join([paths[4], paths[5], paths[3]])], check=True)
    assert (np.load(paths[3]) == a.astype(np.float32) @ b.astype(np.float32)).all(), k

//--- early.mlir
func.func @kernel(%a: memref<32xf16>, %b: memref<16xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = tile.alloc : !tile.buffer<2x16xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
    // CHECK: early.mlir:[[@LINE+1]]:12: error: element (0): reads shared memory that nothing has written
    %rc0 = tile.local_load %x[%c0] : !tile.buffer<2x16xf16> -> tensor<16xf16>
    %s = tile.channel_wait %ch[%c0]
  }, {
    %s = tile.channel_acquire %ch[%c0] bytes 32
    tile.bulk_load %a[%c0], %x[%s] through %ch : memref<32xf16>, !tile.buffer<2x16xf16>
  }
  return
}
func.func @main(%a: memref<32xf16>, %b: memref<16xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%a, %b) : memref<32xf16>, memref<16xf16>
  return
}

//--- late.mlir
func.func @kernel(%a: memref<32xf16>, %b: memref<16xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = tile.alloc : !tile.buffer<2x16xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
    %s = tile.channel_wait %ch[%c0]
    tile.channel_release %ch[%c0]
    // CHECK: late.mlir:[[@LINE+1]]:12: error: element (0): reads shared memory that nothing has written
    %rc0 = tile.local_load %x[%c0] : !tile.buffer<2x16xf16> -> tensor<16xf16>
  }, {
    %s = tile.channel_acquire %ch[%c0] bytes 32
    tile.bulk_load %a[%c0], %x[%s] through %ch : memref<32xf16>, !tile.buffer<2x16xf16>
  }
  return
}
func.func @main(%a: memref<32xf16>, %b: memref<16xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%a, %b) : memref<32xf16>, memref<16xf16>
  return
}

//--- order.mlir
func.func @kernel(%a: memref<32xf16>, %b: memref<16xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = tile.alloc : !tile.buffer<2x16xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
    %s = tile.channel_wait %ch[%c0]
    tile.channel_release %ch[%c0]
  }, {
    %s = tile.channel_acquire %ch[%c0] bytes 0
    // CHECK: order.mlir:[[@LINE+1]]:10: error: acquires iteration 2, expected 1: iterations are acquired in order, each once
    %t = tile.channel_acquire %ch[%c2] bytes 0
  }
  return
}
func.func @main(%a: memref<32xf16>, %b: memref<16xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%a, %b) : memref<32xf16>, memref<16xf16>
  return
}

//--- twice.mlir
func.func @kernel(%a: memref<32xf16>, %b: memref<16xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = tile.alloc : !tile.buffer<2x16xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
    %s = tile.channel_wait %ch[%c0]
    tile.channel_release %ch[%c0]
    // CHECK: twice.mlir:[[@LINE+1]]:5: error: releases iteration 0, expected 1: iterations are released in order, each once
    tile.channel_release %ch[%c0]
  }, {
    %s = tile.channel_acquire %ch[%c0] bytes 0
  }
  return
}
func.func @main(%a: memref<32xf16>, %b: memref<16xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%a, %b) : memref<32xf16>, memref<16xf16>
  return
}

//--- unwaited.mlir
func.func @kernel(%a: memref<32xf16>, %b: memref<16xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = tile.alloc : !tile.buffer<2x16xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
    // CHECK: unwaited.mlir:[[@LINE+1]]:5: error: releases iteration 0, expected a tile.channel_wait for it before
    tile.channel_release %ch[%c0]
  }, {
    %s = tile.channel_acquire %ch[%c0] bytes 0
  }
  return
}
func.func @main(%a: memref<32xf16>, %b: memref<16xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%a, %b) : memref<32xf16>, memref<16xf16>
  return
}

//--- lapped.mlir
func.func @kernel(%a: memref<32xf16>, %b: memref<16xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = tile.alloc : !tile.buffer<2x16xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
    %s = tile.channel_wait %ch[%c0]
    tile.channel_release %ch[%c0]
    // CHECK: lapped.mlir:[[@LINE+1]]:10: error: waits for iteration 0, expected one that is not released yet: at least 1
    %t = tile.channel_wait %ch[%c0]
  }, {
    %s = tile.channel_acquire %ch[%c0] bytes 0
  }
  return
}
func.func @main(%a: memref<32xf16>, %b: memref<16xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%a, %b) : memref<32xf16>, memref<16xf16>
  return
}

//--- stage.mlir
func.func @kernel(%a: memref<32xf16>, %b: memref<16xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = tile.alloc : !tile.buffer<2x16xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
    %s = tile.channel_wait %ch[%c0]
  }, {
    %s = tile.channel_acquire %ch[%c0] bytes 32
    // CHECK: stage.mlir:[[@LINE+1]]:5: error: copies to stage 1, expected stage 0 of iteration 0, which was acquired last
    tile.bulk_load %a[%c0], %x[%c1] through %ch : memref<32xf16>, !tile.buffer<2x16xf16>
  }
  return
}
func.func @main(%a: memref<32xf16>, %b: memref<16xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%a, %b) : memref<32xf16>, memref<16xf16>
  return
}

//--- cluster.mlir
func.func @kernel(%a: memref<?x64xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %x = tile.alloc : !tile.buffer<1x16x64xf16>
  %ch = tile.channel stages 1
  %program = tile.program_id x
  %number = arith.index_cast %program : i32 to index
  %row = arith.muli %number, %c16 : index
  tile.roles warps [4, 4] {
    %s = tile.channel_wait %ch[%c0]
    tile.channel_release %ch[%c0]
  }, {
    %s = tile.channel_acquire %ch[%c0] bytes 2048
    // CHECK: cluster.mlir:[[@LINE+1]]:5: error: copies from [16, 0] for its cluster, expected what the program of it that ran first has copied: from [0, 0] (T50), in program (1, 0, 0) of @kernel
    tile.bulk_load %a[%row, %c0], %x[%s] through %ch multicast 2 : memref<?x64xf16>, !tile.buffer<1x16x64xf16>
  }
  return
}
func.func @main(%a: memref<64x64xf16>) {
  %c1 = arith.constant 1 : index
  %n = arith.constant 4 : index
  %all = memref.cast %a : memref<64x64xf16> to memref<?x64xf16>
  tile.launch @kernel grid(%n, %c1, %c1) (%all) : memref<?x64xf16>
  return
}

//--- grid.mlir
func.func @kernel(%a: memref<?x64xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %x = tile.alloc : !tile.buffer<1x16x64xf16>
  %ch = tile.channel stages 1
  %program = tile.program_id x
  %number = arith.index_cast %program : i32 to index
  %row = arith.muli %number, %c16 : index
  tile.roles warps [4, 4] {
    %s = tile.channel_wait %ch[%c0]
    tile.channel_release %ch[%c0]
  }, {
    %s = tile.channel_acquire %ch[%c0] bytes 2048
    // CHECK: grid.mlir:[[@LINE+1]]:5: error: is for clusters of 2 programs, expected a multiple of it along x, found 3 (T50)
    tile.bulk_load %a[%row, %c0], %x[%s] through %ch multicast 2 : memref<?x64xf16>, !tile.buffer<1x16x64xf16>
  }
  return
}
func.func @main(%a: memref<64x64xf16>) {
  %c1 = arith.constant 1 : index
  %n = arith.constant 3 : index
  %all = memref.cast %a : memref<64x64xf16> to memref<?x64xf16>
  tile.launch @kernel grid(%n, %c1, %c1) (%all) : memref<?x64xf16>
  return
}

//--- free.mlir
func.func @kernel(%a: memref<32xf16>, %b: memref<16xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = tile.alloc : !tile.buffer<2x16xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
    %s = tile.channel_wait %ch[%c0]
  }, {
    // CHECK: free.mlir:[[@LINE+1]]:5: error: copies to a stage that is not acquired, expected a tile.channel_acquire before
    tile.bulk_load %a[%c0], %x[%c0] through %ch : memref<32xf16>, !tile.buffer<2x16xf16>
  }
  return
}
func.func @main(%a: memref<32xf16>, %b: memref<16xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%a, %b) : memref<32xf16>, memref<16xf16>
  return
}

//--- many.mlir
func.func @kernel(%a: memref<32xf16>, %b: memref<16xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = tile.alloc : !tile.buffer<2x16xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
    %s = tile.channel_wait %ch[%c0]
  }, {
    %s = tile.channel_acquire %ch[%c0] bytes 16
    // CHECK: many.mlir:[[@LINE+1]]:5: error: makes 32 bytes of iteration 0, expected the 16 that its tile.channel_acquire announces
    tile.bulk_load %a[%c0], %x[%s] through %ch : memref<32xf16>, !tile.buffer<2x16xf16>
  }
  return
}
func.func @main(%a: memref<32xf16>, %b: memref<16xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%a, %b) : memref<32xf16>, memref<16xf16>
  return
}

//--- few.mlir
func.func @kernel(%a: memref<32xf16>, %b: memref<16xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = tile.alloc : !tile.buffer<2x16xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
    %s = tile.channel_wait %ch[%c0]
  }, {
    // CHECK: few.mlir:[[@LINE+1]]:10: error: announces 64 bytes, but 32 were copied before the next iteration was acquired
    %s = tile.channel_acquire %ch[%c0] bytes 64
    tile.bulk_load %a[%c0], %x[%s] through %ch : memref<32xf16>, !tile.buffer<2x16xf16>
    %t = tile.channel_acquire %ch[%c1] bytes 0
  }
  return
}
func.func @main(%a: memref<32xf16>, %b: memref<16xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%a, %b) : memref<32xf16>, memref<16xf16>
  return
}

//--- bytes.mlir
func.func @kernel(%a: memref<32xf16>, %b: memref<16xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = tile.alloc : !tile.buffer<2x16xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
    // CHECK: bytes.mlir:[[@LINE+1]]:10: error: waits for 64 bytes of iteration 0, of which 32 have been copied, and no role can go on
    %s = tile.channel_wait %ch[%c0]
  }, {
    %s = tile.channel_acquire %ch[%c0] bytes 64
    tile.bulk_load %a[%c0], %x[%s] through %ch : memref<32xf16>, !tile.buffer<2x16xf16>
  }
  return
}
func.func @main(%a: memref<32xf16>, %b: memref<16xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%a, %b) : memref<32xf16>, memref<16xf16>
  return
}

//--- missing.mlir
func.func @kernel(%a: memref<32xf16>, %b: memref<16xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = tile.alloc : !tile.buffer<2x16xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
    %s = tile.channel_wait %ch[%c0]
    // CHECK: missing.mlir:[[@LINE+1]]:10: error: waits for iteration 1, which is not acquired, and no role can go on
    %t = tile.channel_wait %ch[%c1]
  }, {
    %s = tile.channel_acquire %ch[%c0] bytes 0
  }
  return
}
func.func @main(%a: memref<32xf16>, %b: memref<16xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%a, %b) : memref<32xf16>, memref<16xf16>
  return
}

//--- full.mlir
func.func @kernel(%a: memref<32xf16>, %b: memref<16xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = tile.alloc : !tile.buffer<2x16xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
    // CHECK: full.mlir:[[@LINE+2]]:10: error: waits for iteration 3, which is not acquired, and no role can go on
    %c3 = arith.constant 3 : index
    %s = tile.channel_wait %ch[%c3]
  }, {
    %s = tile.channel_acquire %ch[%c0] bytes 0
    %t = tile.channel_acquire %ch[%c1] bytes 0
    // CHECK: full.mlir:[[@LINE+1]]:10: note: another role waits for iteration 0 to be released
    %u = tile.channel_acquire %ch[%c2] bytes 0
  }
  return
}
func.func @main(%a: memref<32xf16>, %b: memref<16xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%a, %b) : memref<32xf16>, memref<16xf16>
  return
}

//--- unused.mlir
func.func @kernel(%a: memref<32xf16>, %b: memref<16xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %x = tile.alloc : !tile.buffer<2x16xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
    %z = arith.constant 0 : i32
  }, {
    // CHECK: unused.mlir:[[@LINE+1]]:10: error: acquires iteration 0, expected a tile.channel_wait for it before the roles end
    %s = tile.channel_acquire %ch[%c0] bytes 0
  }
  return
}
func.func @main(%a: memref<32xf16>, %b: memref<16xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%a, %b) : memref<32xf16>, memref<16xf16>
  return
}

//--- reading.mlir
func.func @kernel(%a: memref<64x16xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %x = tile.alloc : !tile.buffer<1x64x16xf16>
  %y = tile.alloc : !tile.buffer<1x16x16xf16>
  %ch = tile.channel stages 1
  tile.roles warps [4, 4] {
    %s = tile.channel_wait %ch[%c0]
    %p = tile.mma_async %x[%s] row, %y[%s] row, %zero atom <wgmma_k16_f16> : !tile.buffer<1x64x16xf16>, !tile.buffer<1x16x16xf16>, tensor<64x16xf32>
    // CHECK: reading.mlir:[[@LINE+1]]:5: error: accesses shared memory that a product still reads, expected a tile.mma_wait before
    tile.channel_release %ch[%c0]
  }, {
    %s = tile.channel_acquire %ch[%c0] bytes 2560
    tile.bulk_load %a[%c0, %c0], %x[%s] through %ch : memref<64x16xf16>, !tile.buffer<1x64x16xf16>
    tile.bulk_load %a[%c0, %c0], %y[%s] through %ch : memref<64x16xf16>, !tile.buffer<1x16x16xf16>
  }
  return
}
func.func @main(%a: memref<64x16xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%a) : memref<64x16xf16>
  return
}

//--- pending.mlir
func.func @kernel(%a: memref<64x16xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<64x16xf32>
  %x = tile.alloc : !tile.buffer<1x64x16xf16>
  %y = tile.alloc : !tile.buffer<1x16x16xf16>
  %ch = tile.channel stages 1
  tile.roles warps [4, 4] {
    %s = tile.channel_wait %ch[%c0]
    %p = tile.mma_async %x[%s] row, %y[%s] row, %zero atom <wgmma_k16_f16> : !tile.buffer<1x64x16xf16>, !tile.buffer<1x16x16xf16>, tensor<64x16xf32>
    // CHECK: pending.mlir:[[@LINE+2]]:10: error: {{.*}}depends on {{.*}} that is poison (no predicate of a tile.psi was true there, no tile.mma_wait has waited for a tile.mma_async, or ub.poison)
    %w = tile.mma_wait %p pending 1 : tensor<64x16xf32>
    %q = tile.reduce max %w axis 0 : tensor<64x16xf32>
  }, {
    %s = tile.channel_acquire %ch[%c0] bytes 2560
    tile.bulk_load %a[%c0, %c0], %x[%s] through %ch : memref<64x16xf16>, !tile.buffer<1x64x16xf16>
    tile.bulk_load %a[%c0, %c0], %y[%s] through %ch : memref<64x16xf16>, !tile.buffer<1x16x16xf16>
  }
  return
}
func.func @main(%a: memref<64x16xf16>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%a) : memref<64x16xf16>
  return
}
