// tile-multicast: copies of the same block become those of a cluster; and which do not.
//
// RUN: tile-opt %s --split-input-file --tile-multicast --remark-policy=all --remarks-filter=tile 2>%t.notes | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE --input-file=%t.notes

// Of programs along M, which have other rows of A, and the same columns of B.
// CHECK-LABEL: func.func @rows(
// CHECK: tile.bulk_load %arg0{{.*}} through %{{[0-9]+}} : memref
// CHECK: tile.bulk_load %arg1{{.*}} through %{{[0-9]+}} multicast 2 : memref
// NOTE: remark: [Missed] multicast | Category:tile | Reason="each program copies another block"
// NOTE: remark: [Passed] multicast | Category:tile | bytes=8192, programs=2
func.func @rows(%a: memref<?x?xf16>, %b: memref<?x?xf16>, %n: index) attributes {tile.kernel, tile.config = #tile.config<cluster=2>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %x = tile.program_id x
  %y = tile.program_id y
  %i = arith.index_cast %x : i32 to index
  %j = arith.index_cast %y : i32 to index
  %row = arith.muli %i, %c64 : index
  %column = arith.muli %j, %c64 : index
  %sa = tile.alloc : !tile.buffer<4x64x64xf16>
  %sb = tile.alloc : !tile.buffer<4x64x128xf16>
  %ch = tile.channel stages 4
  tile.roles warps [4, 4] {
  }, {
    %r = scf.for %k = %c0 to %n step %c64 iter_args(%t = %c0) -> (index) {
      %s = tile.channel_acquire %ch[%t] bytes 24576
      tile.bulk_load %a[%row, %k], %sa[%s] through %ch : memref<?x?xf16>, !tile.buffer<4x64x64xf16>
      tile.bulk_load %b[%k, %column], %sb[%s] through %ch : memref<?x?xf16>, !tile.buffer<4x64x128xf16>
      %next = arith.addi %t, %c1 : index
      scf.yield %next : index
    }
  }
  return
}
func.func @main(%a: memref<?x?xf16>, %n: index) {
  %c2 = arith.constant 2 : index
  %columns = arith.muli %n, %c2 : index
  tile.launch @rows grid(%columns, %n, %n) (%a, %a, %n) : memref<?x?xf16>, memref<?x?xf16>, index
  return
}

// -----

// Programs in groups of 8 blocks along M: a column of blocks is that of a whole cluster, as its size divides 8 and what remains.
// CHECK-LABEL: func.func @groups(
// CHECK: tile.bulk_load {{.*}} multicast 4
// CHECK: tile.bulk_load {{.*}} through %{{[0-9]+}} : memref
// CHECK: tile.bulk_load {{.*}} through %{{[0-9]+}} : memref
// CHECK: tile.bulk_load {{.*}} through %{{[0-9]+}} : memref
// CHECK: tile.bulk_load {{.*}} through %{{[0-9]+}} : memref
func.func @groups(%b: memref<?x?xf16>) attributes {tile.kernel, tile.config = #tile.config<cluster=4>} {
  %c0 = arith.constant 0 : index
  %group = arith.constant 8 : i32
  %odd = arith.constant 6 : i32
  %x = tile.program_id x
  %y = tile.program_id y
  %rows = tile.num_programs x
  %columns = tile.num_programs y
  %before = arith.muli %y, %rows : i32
  %position = arith.addi %x, %before : i32
  %strip = arith.muli %columns, %group : i32
  %number = arith.divui %position, %strip : i32
  %inside = arith.remui %position, %strip : i32
  %first = arith.muli %number, %group : i32
  %left = arith.subi %rows, %first : i32
  %height = arith.minui %left, %group : i32
  %column = arith.divui %inside, %height : i32
  %row = arith.remui %inside, %height : i32
  %other = arith.divui %inside, %odd : i32
  // Signed division rounds towards zero: of -8 to -5 the last three are 0, the first one is -1.
  %before_zero = arith.subi %x, %group : i32
  %rounded = arith.divsi %before_zero, %group : i32
  %remainder = arith.remsi %before_zero, %group : i32
  %whole = arith.divui %remainder, %group : i32
  %j = arith.index_cast %column : i32 to index
  %i = arith.index_cast %row : i32 to index
  %o = arith.index_cast %other : i32 to index
  %z = arith.index_cast %rounded : i32 to index
  %w = arith.index_cast %whole : i32 to index
  %s = tile.alloc : !tile.buffer<1x64x64xf16>
  %ch = tile.channel stages 1
  tile.roles warps [4, 4] {
  }, {
    %t = tile.channel_acquire %ch[%c0] bytes 24576
    tile.bulk_load %b[%c0, %j], %s[%t] through %ch : memref<?x?xf16>, !tile.buffer<1x64x64xf16>
    tile.bulk_load %b[%c0, %i], %s[%t] through %ch : memref<?x?xf16>, !tile.buffer<1x64x64xf16>
    tile.bulk_load %b[%c0, %o], %s[%t] through %ch : memref<?x?xf16>, !tile.buffer<1x64x64xf16>
    tile.bulk_load %b[%c0, %z], %s[%t] through %ch : memref<?x?xf16>, !tile.buffer<1x64x64xf16>
    tile.bulk_load %b[%c0, %w], %s[%t] through %ch : memref<?x?xf16>, !tile.buffer<1x64x64xf16>
  }
  return
}

// -----

// What a loop carries is the same if it begins with the same and nothing else comes to it.
// CHECK-LABEL: func.func @carried(
// CHECK: tile.bulk_load {{.*}} multicast 2
// CHECK: tile.bulk_load {{.*}} through %{{[0-9]+}} : memref
func.func @carried(%b: memref<?x?xf16>, %n: index) attributes {tile.kernel, tile.config = #tile.config<cluster=2>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tile.program_id x
  %i = arith.index_cast %x : i32 to index
  %s = tile.alloc : !tile.buffer<1x64x64xf16>
  %ch = tile.channel stages 1
  tile.roles warps [4, 4] {
  }, {
    %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%same = %c0, %other = %c0) -> (index, index) {
      %t = tile.channel_acquire %ch[%k] bytes 16384
      tile.bulk_load %b[%k, %same], %s[%t] through %ch : memref<?x?xf16>, !tile.buffer<1x64x64xf16>
      tile.bulk_load %b[%k, %other], %s[%t] through %ch : memref<?x?xf16>, !tile.buffer<1x64x64xf16>
      %next = arith.addi %same, %k : index
      %sum = arith.addi %other, %c1 : index
      %wrong = arith.addi %sum, %i : index
      scf.yield %next, %wrong : index, index
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @lengths(
// CHECK-NOT: multicast
// CHECK: return
// NOTE: remark: [Missed] multicast | Category:tile | Reason="programs may copy different numbers of blocks"
func.func @lengths(%b: memref<?x?xf16>) attributes {tile.kernel, tile.config = #tile.config<cluster=2>} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = tile.program_id x
  %i = arith.index_cast %x : i32 to index
  %s = tile.alloc : !tile.buffer<1x64x64xf16>
  %ch = tile.channel stages 1
  tile.roles warps [4, 4] {
  }, {
    scf.for %k = %c0 to %i step %c1 {
      %t = tile.channel_acquire %ch[%k] bytes 8192
      tile.bulk_load %b[%c0, %c0], %s[%t] through %ch : memref<?x?xf16>, !tile.buffer<1x64x64xf16>
    }
  }
  return
}

// -----

// CHECK-LABEL: func.func @few(
// CHECK-NOT: multicast
// CHECK: return
// NOTE: remark: [Missed] multicast | Category:tile | Reason="a block of 32 rows has too few for 8 programs"
func.func @few(%b: memref<?x?xf16>) attributes {tile.kernel, tile.config = #tile.config<cluster=8>} {
  %c0 = arith.constant 0 : index
  %s = tile.alloc : !tile.buffer<1x32x64xf16>
  %ch = tile.channel stages 1
  tile.roles warps [4, 4] {
  }, {
    %t = tile.channel_acquire %ch[%c0] bytes 4096
    tile.bulk_load %b[%c0, %c0], %s[%t] through %ch : memref<?x?xf16>, !tile.buffer<1x32x64xf16>
  }
  return
}

// -----

// CHECK-LABEL: func.func @launched(
// CHECK-NOT: multicast
// CHECK: return
// NOTE: remark: [Missed] multicast | Category:tile | Reason="a launch is not known to have a multiple of 2 programs along x"
func.func @launched(%b: memref<?x?xf16>) attributes {tile.kernel, tile.config = #tile.config<cluster=2>} {
  %c0 = arith.constant 0 : index
  %s = tile.alloc : !tile.buffer<1x32x64xf16>
  %ch = tile.channel stages 1
  tile.roles warps [4, 4] {
  }, {
    %t = tile.channel_acquire %ch[%c0] bytes 4096
    tile.bulk_load %b[%c0, %c0], %s[%t] through %ch : memref<?x?xf16>, !tile.buffer<1x32x64xf16>
  }
  return
}
func.func @main(%b: memref<?x?xf16>) {
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  tile.launch @launched grid(%c2, %c3, %c3) (%b) : memref<?x?xf16>
  tile.launch @launched grid(%c3, %c2, %c2) (%b) : memref<?x?xf16>
  return
}

// -----

// NOTE: remark: [Missed] multicast | Category:tile | Reason="the kernel has no copies in bulk"
func.func @plain() attributes {tile.kernel, tile.config = #tile.config<cluster=2>} {
  return
}
