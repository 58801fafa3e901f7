// convert-einsum-to-tile: which kernels, tables, masks and launches contractions become. What they compute is tested by
// test/Property and test/Integration; index operations per step by convert-einsum-to-tile-index-ops.mlir.
//
// RUN: tile-opt --tile-select-config="config={block=16x8x4}" --convert-einsum-to-tile --canonicalize --cse --split-input-file %s \
// RUN:   | FileCheck %s --implicit-check-not=einsum.contract
// RUN: tile-opt --convert-einsum-to-tile --canonicalize --cse --split-input-file %s | FileCheck %s --check-prefix=DEFAULT
// RUN: tile-opt --tile-select-config="config={block=16x8x4}" --convert-einsum-to-tile="min-block=8x8x4 narrow-dots=1" --canonicalize --cse --split-input-file %s \
// RUN:   | FileCheck %s --check-prefix=NARROW
// RUN: tile-opt --tile-select-config="config={block=16x8x4}" --convert-einsum-to-tile --split-input-file --remarks-filter=einsum --remark-policy=all %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

// Rows, columns and depth of a matrix product are axes of its operands: dense blocks.
// CHECK-LABEL: func.func @matmul
// CHECK-SAME: %[[A:.*]]: memref<64x16xf32>, %[[B:.*]]: memref<16x32xf32>, %[[C:.*]]: memref<64x32xf32>
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK: tile.launch @matmul_contract grid(%[[FOUR]], %[[FOUR]], %[[ONE]]) (%[[A]], %[[B]], %[[C]])
// CHECK: func.func private @matmul_contract(%[[A:.*]]: memref<64x16xf32> {tile.readonly}, %[[B:.*]]: memref<16x32xf32> {tile.readonly},
// CHECK-SAME: %[[C:.*]]: memref<64x32xf32> {tile.noalias}) attributes {tile.config = #tile.config<block=16x8x4 {{.*}}>, tile.kernel}
// CHECK-DAG: %[[X:.*]] = tile.program_id x
// CHECK-DAG: %[[Y:.*]] = tile.program_id y
// CHECK-DAG: %[[ROW:.*]] = arith.index_cast
// CHECK-DAG: %[[COLUMN:.*]] = arith.index_cast
// CHECK: %[[SUM:.*]] = scf.for %[[K:.*]] = %{{.*}} to %c16 step %c4 iter_args(%[[ACC:.*]] = %{{.*}})
// CHECK-NEXT: %[[TA:.*]] = tile.load_view %[[A]][%[[ROW:.*]], %[[K]]] axes [0, 1] in_bounds [true, true] : memref<64x16xf32> -> tensor<16x4xf32>
// CHECK-NEXT: %[[TB:.*]] = tile.load_view %[[B]][%[[K]], %[[COLUMN:.*]]] axes [0, 1] in_bounds [true, true] : memref<16x32xf32> -> tensor<4x8xf32>
// CHECK-NEXT: %[[DOT:.*]] = tile.dot %[[TA]], %[[TB]], %[[ACC]]
// CHECK-NEXT: scf.yield %[[DOT]]
// CHECK: tile.store_view %[[SUM]], %[[C]][%[[ROW]], %[[COLUMN]]] axes [0, 1] in_bounds [true, true] : tensor<16x8xf32>, memref<64x32xf32>
// DEFAULT-LABEL: func.func private @matmul_contract
// DEFAULT: tile.dot {{.*}} : tensor<64x16xf32>, tensor<16x32xf32>, tensor<64x32xf32>
// REMARK: einsum-to-tile {{.*}} columns=8, contractions=1, dense-operands=2, depth=4, dot=1, masked-operands=0, rows=16, strided-operands=0, table-operands=0
func.func @matmul(%a: memref<64x16xf32>, %b: memref<16x32xf32>, %c: memref<64x32xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<64x32xf32>) : (memref<64x16xf32>, memref<16x32xf32>)
  return
}

// -----

// The example of the documentation.
// DEFAULT-LABEL: func.func @doc
// DEFAULT: tile.launch @doc_contract grid(%c4, %c2, %c1)
// DEFAULT: func.func private @doc_contract(%[[A:[a-z0-9]+]]: memref<512x512xf32> {{.*}}, %[[B:[a-z0-9]+]]: memref<512x256xf32> {{.*}}, %[[C:[a-z0-9]+]]: memref<512x256xf32>
// DEFAULT: %[[SUM:.*]] = scf.for %[[K:.*]] = %c0{{.*}} to %c512{{.*}} step %c32{{.*}} iter_args(%[[ACC:.*]] = %{{.*}})
// DEFAULT-NEXT: %[[TA:.*]] = tile.load_view %[[A]][%[[ROW:.*]], %[[K]]] axes [0, 1] in_bounds [true, true] : memref<512x512xf32> -> tensor<128x32xf32>
// DEFAULT-NEXT: %[[TB:.*]] = tile.load_view %[[B]][%[[K]], %[[COLUMN:.*]]] axes [0, 1] in_bounds [true, true] : memref<512x256xf32> -> tensor<32x128xf32>
// DEFAULT-NEXT: %[[NEXT:.*]] = tile.dot %[[TA]], %[[TB]], %[[ACC]]
// DEFAULT-NEXT: scf.yield %[[NEXT]]
// DEFAULT: tile.store_view %[[SUM]], %[[C]][%[[ROW]], %[[COLUMN]]] axes [0, 1]
func.func @doc(%a: memref<512x512xf32>, %b: memref<512x256xf32>, %c: memref<512x256xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<512x256xf32>) : (memref<512x512xf32>, memref<512x256xf32>)
  return
}

// -----

// Two axes that follow each other in memory are one with a constant stride, so that offsets are the position; in the
// other operand they need a table, which holds k * 30 + l for the innermost index l first.
// CHECK: memref.global "private" constant @einsum_offsets : memref<6xi64> = dense<[0, 1, 2, 30, 31, 32]>
// CHECK-LABEL: func.func private @two_axes_contract(
// CHECK-SAME: memref<6xi64> {tile.readonly}
// CHECK: scf.for %[[K:[a-z0-9]+]] = {{.*}} iter_args(%{{[a-z0-9]+}} = %{{[a-z0-9_]+}})
// CHECK: %[[I:.*]] = arith.index_cast %[[K]] : index to i64
// CHECK: %[[S:.*]] = tile.splat %[[I]] : i64 -> tensor<7x4xi64>
// CHECK: tile.addptr %{{.*}}, %[[S]]
// CHECK: tile.load_view %{{.*}}[%[[K]]] : memref<6xi64> -> tensor<4xi64>
func.func @two_axes(%a: memref<7x2x3xf32>, %b: memref<2x10x3xf32>, %c: memref<7x10xf32>) {
  einsum.contract "ikl, kjl -> ij" (%a, %b) outs(%c : memref<7x10xf32>) : (memref<7x2x3xf32>, memref<2x10x3xf32>)
  return
}

// -----

// A part of an axis that begins at an index of the batch is dense, too, if parts are whole blocks: what follows a part
// is not 0. What lies beyond the end of the axis is.
// CHECK-LABEL: func.func private @parts_contract
// CHECK: %[[S:.*]] = arith.muli %{{.*}}, %c12_i64
// CHECK: %[[START:.*]] = arith.index_cast %[[S]]
// CHECK: scf.for %[[K:[a-z0-9]+]] = %c0{{.*}} to %c12{{.*}} step %c4
// CHECK: %[[FROM:.*]] = arith.addi %[[START]], %[[K]] : index
// CHECK: tile.load_view %{{.*}}[%{{.*}}, %[[FROM]]] axes [0, 1] in_bounds [true, true] : memref<16x36xf32> -> tensor<16x4xf32>
// CHECK: tile.load_view %{{.*}}[%[[FROM]], %{{.*}}] axes [0, 1] in_bounds [true, true] : memref<36x8xf32> -> tensor<4x8xf32>
// CHECK-LABEL: func.func private @parts_beyond_contract
// CHECK: scf.for
// CHECK-NOT: arith.cmpi
// CHECK: tile.load_view {{.*}} in_bounds [true, false] : memref<16x34xf32> -> tensor<16x4xf32>
// CHECK: tile.load_view {{.*}} in_bounds [false, true] : memref<34x8xf32> -> tensor<4x8xf32>
// CHECK-LABEL: func.func private @parts_unaligned_contract
// CHECK: scf.for
// CHECK-NOT: tile.load_view
// CHECK: scf.yield
func.func @parts(%a: memref<16x36xf32>, %b: memref<36x8xf32>, %c: memref<3x16x8xf32>) {
  einsum.contract "m(12*s+k), (12*s+k)n -> smn" (%a, %b) outs(%c : memref<3x16x8xf32>) {sizes = {k = 12}}
    : (memref<16x36xf32>, memref<36x8xf32>)
  return
}
func.func @parts_beyond(%a: memref<16x34xf32>, %b: memref<34x8xf32>, %c: memref<3x16x8xf32>) {
  einsum.contract "m(12*s+k), (12*s+k)n -> smn" (%a, %b) outs(%c : memref<3x16x8xf32>) {pad = "zero", sizes = {k = 12}}
    : (memref<16x34xf32>, memref<34x8xf32>)
  return
}
func.func @parts_unaligned(%a: memref<16x30xf32>, %b: memref<30x8xf32>, %c: memref<3x16x8xf32>) {
  einsum.contract "m(10*s+k), (10*s+k)n -> smn" (%a, %b) outs(%c : memref<3x16x8xf32>) {sizes = {k = 10}}
    : (memref<16x30xf32>, memref<30x8xf32>)
  return
}

// -----

// Groups of positions along the innermost index have an entry of a table each, in units of what divides them all: 2*r*8
// + c, of which c is a multiple of 4. If a step is a group, a pointer goes through the table; the other operand advances
// by 10 per position.
// CHECK: memref.global "private" constant @einsum_offsets : memref<6xi64> = dense<[0, 1, 4, 5, 8, 9]>
// CHECK-LABEL: func.func private @steps_contract(
// CHECK-SAME: %[[TABLE:[a-z0-9]+]]: !tile.ptr<i64> {tile.readonly}
// CHECK: scf.for %[[K:[a-z0-9]+]] = {{.*}} iter_args(%{{.*}} = %{{.*}}, %[[ENTRY:[a-z0-9]+]] = %[[TABLE]])
// CHECK: %[[E:.*]] = tile.load %[[ENTRY]] : !tile.ptr<i64>
// CHECK: %[[U:.*]] = arith.muli %[[E]], %c4_i64 : i64
// CHECK: tile.splat %[[U]] : i64 -> tensor<16x4xi64>
// CHECK: %[[I:.*]] = arith.index_cast %[[K]] : index to i64
// CHECK: arith.muli %[[I]], %c10_i64 : i64
// CHECK: tile.addptr %[[ENTRY]], %c1_i64
func.func @steps(%a: memref<20x8xf32>, %b: memref<3x8x2x5xf32>, %c: memref<16x2x5xf32>) {
  einsum.contract "(h+2*r)c, rcjk -> hjk" (%a, %b) outs(%c : memref<16x2x5xf32>) : (memref<20x8xf32>, memref<3x8x2x5xf32>)
  return
}

// -----

// Groups of two in steps of four. Look-ups make a table at run time, with an entry per group, too.
// CHECK-LABEL: func.func @groups(
// CHECK: %[[OFFSETS:.*]] = memref.alloc() {{.*}}: memref<9xi64>
// CHECK: scf.for %[[X:[a-z0-9]+]] = %c0{{.*}} to %c3{{.*}} step
// CHECK: scf.for %[[G:[a-z0-9]+]] = %c0{{.*}} to %c3{{.*}} step
// CHECK: arith.muli %[[G]], %c2
// CHECK: memref.load %arg2[%[[X]]]
// CHECK: arith.divsi %{{.*}}, %c2
// CHECK: memref.store %{{.*}}, %[[OFFSETS]]
// CHECK-LABEL: func.func private @groups_contract(
// CHECK: scf.for %[[K:[a-z0-9]+]] =
// CHECK: %[[FIRST:.*]] = arith.divui %[[K]], %c2
// CHECK: %[[E:.*]] = tile.load_view %{{.*}}[%[[FIRST]]] : memref<9xi64> -> tensor<2xi64>
// CHECK: tile.reshape %[[E]] : tensor<2xi64> -> tensor<2x1xi64>
// CHECK: tile.broadcast {{.*}} -> tensor<2x2xi64>
// CHECK: tile.reshape {{.*}} : tensor<2x2xi64> -> tensor<1x4xi64>
// CHECK: %[[ALL:.*]] = tile.broadcast {{.*}} -> tensor<16x4xi64>
// CHECK: arith.muli %[[ALL]], %cst{{.*}} : tensor<16x4xi64>
func.func @groups(%a: memref<20x6xf32>, %b: memref<3x6x2x5xf32>, %t: memref<3xi32>, %c: memref<16x2x5xf32>) {
  einsum.contract "(h+t[x])c, xcjk -> hjk" (%a, %b) tables(t = %t : memref<3xi32>) outs(%c : memref<16x2x5xf32>)
    : (memref<20x6xf32>, memref<3x6x2x5xf32>)
  return
}

// -----

// Indices that follow each other in memory are one: 24 pixels of a channel. Not so where steps are odd, so that no wide
// access could use it.
// CHECK-LABEL: func.func private @joined_contract
// CHECK-DAG: %[[PIXELS:.*]] = arith.constant dense<24> : tensor<16xi64>
// CHECK: %[[IMAGE:.*]] = arith.divui %[[ROW:.*]], %[[PIXELS]]
// CHECK: %[[PIXEL:.*]] = arith.remui %[[ROW]], %[[PIXELS]]
// CHECK-NOT: arith.remui
// CHECK: scf.for
// CHECK-LABEL: func.func private @odd_contract
// CHECK-DAG: %[[WIDTH:.*]] = arith.constant dense<5> : tensor<16xi64>
// CHECK-DAG: %[[HEIGHT:.*]] = arith.constant dense<3> : tensor<16xi64>
// CHECK: arith.remui %[[ROW:.*]], %[[WIDTH]]
// CHECK: %[[REST:.*]] = arith.divui %[[ROW]], %[[WIDTH]]
// CHECK: arith.remui %[[REST]], %[[HEIGHT]]
// CHECK: scf.for
func.func @joined(%a: memref<2x8x4x6xf32>, %b: memref<8x8xf32>, %c: memref<2x8x4x6xf32>) {
  einsum.contract "nchw, ck -> nkhw" (%a, %b) outs(%c : memref<2x8x4x6xf32>) : (memref<2x8x4x6xf32>, memref<8x8xf32>)
  return
}
func.func @odd(%a: memref<2x8x3x5xf32>, %b: memref<8x8xf32>, %c: memref<2x8x3x5xf32>) {
  einsum.contract "nchw, ck -> nkhw" (%a, %b) outs(%c : memref<2x8x3x5xf32>) : (memref<2x8x3x5xf32>, memref<8x8xf32>)
  return
}

// -----

// Products of f16 with rows only, for matrix instructions: one column of eight is read and stored.
// NARROW-LABEL: func.func private @depthwise_contract
// NARROW: %[[COLUMN:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : tensor<8xi64>
// NARROW: tile.dot {{.*}} : tensor<16x4xf16>, tensor<4x8xf16>, tensor<16x8xf32>
// NARROW: tile.store {{.*}} mask
// NARROW-LABEL: func.func private @vector_contract
// NARROW: tile.dot {{.*}} : tensor<16x4xf16>, tensor<4x8xf16>, tensor<16x8xf32>
// CHECK-LABEL: func.func private @depthwise_contract
// CHECK-NOT: tile.dot
// CHECK-LABEL: func.func private @vector_contract
func.func @depthwise(%a: memref<4x18xf16>, %b: memref<4x3xf16>, %c: memref<4x16xf16>) {
  einsum.contract "c(w+s), cs -> cw" (%a, %b) outs(%c : memref<4x16xf16>) : (memref<4x18xf16>, memref<4x3xf16>)
  return
}
func.func @vector(%a: memref<16x8xf16>, %b: memref<8xf16>, %c: memref<16xf16>) {
  einsum.contract "mk, k -> m" (%a, %b) outs(%c : memref<16xf16>) : (memref<16x8xf16>, memref<8xf16>)
  return
}

// -----

// Partial blocks of pointers are masked along each axis, dense ones are cut to the memory; halves are summed in f32 and
// rounded once.
// CHECK-LABEL: func.func private @partial_contract
// CHECK: arith.cmpi ult, {{.*}} : tensor<16xi64>
// CHECK: scf.for
// CHECK: arith.cmpi ult, {{.*}} : tensor<4xi64>
// CHECK: tile.load %{{.*}} mask %{{.*}} : tensor<16x4x!tile.ptr<f16>>
// CHECK: tile.load_view %{{.*}} : memref<5x9xf16> -> tensor<4x8xf16>
// CHECK: tile.dot {{.*}} : tensor<16x4xf16>, tensor<4x8xf16>, tensor<16x8xf32>
// CHECK: arith.truncf {{.*}} : tensor<16x8xf32> to tensor<16x8xf16>
// CHECK: tile.store {{.*}} mask
func.func @partial(%a: memref<3x17x5xf16>, %b: memref<5x9xf16>, %c: memref<3x17x9xf16>) {
  einsum.contract "lmk, kn -> lmn" (%a, %b) outs(%c : memref<3x17x9xf16>) : (memref<3x17x5xf16>, memref<5x9xf16>)
  return
}

// -----

// A table that is looked up with a summed index makes a table at run time, with a loop before the launch. Padding
// compares positions, from a table as well, with the size.
// CHECK-LABEL: func.func @shift
// CHECK: %[[OFFSETS:.*]] = memref.alloc() {{.*}}: memref<6xi64>
// CHECK: scf.for
// CHECK: memref.load %arg2
// CHECK: memref.store %{{.*}}, %[[OFFSETS]]
// CHECK: %[[POSITIONS:.*]] = memref.alloc() {{.*}}: memref<6xi64>
// CHECK: tile.launch @shift_contract {{.*}}%[[OFFSETS]]{{.*}}%[[POSITIONS]]
// CHECK-LABEL: func.func private @shift_contract
// CHECK: scf.for
// CHECK: tile.load_view
// CHECK: arith.cmpi ult
// CHECK: tile.load_view
// CHECK: tile.load %{{.*}} mask
// REMARK: masked-operands=1
func.func @shift(%a: memref<32x6x16xf32>, %b: memref<6x8xf32>, %s: memref<6xi32>, %c: memref<32x8x16xf32>) {
  einsum.contract "nc(h+s[c]), ck -> nkh" (%a, %b) tables(s = %s : memref<6xi32>) outs(%c : memref<32x8x16xf32>)
    {pad = "zero"} : (memref<32x6x16xf32>, memref<6x8xf32>)
  return
}

// -----

// A table that is looked up with indices of the result is read by the kernel, once.
// CHECK-LABEL: func.func private @gather_contract
// CHECK: tile.load %{{.*}} : tensor<{{.*}}x!tile.ptr<i64>>
// CHECK: scf.for
// CHECK-NOT: !tile.ptr<i64>
// CHECK: scf.yield
func.func @gather(%a: memref<40x8xf32>, %b: memref<8x8xf32>, %t: memref<16xi64>, %c: memref<16x8xf32>) {
  einsum.contract "(t[m])k, kn -> mn" (%a, %b) tables(t = %t : memref<16xi64>) outs(%c : memref<16x8xf32>)
    : (memref<40x8xf32>, memref<8x8xf32>)
  return
}

// -----

// A copy has neither a dot nor a loop: 16 * 8 elements per program, in the order of the operand.
// CHECK-LABEL: func.func private @copied_contract
// CHECK-NOT: scf.for
// CHECK-NOT: tile.dot
// CHECK: tile.load {{.*}} : tensor<128x!tile.ptr<f32>>
// CHECK: tile.store {{.*}} : tensor<128x!tile.ptr<f32>>
func.func @copied(%a: memref<2x64x16xf32>, %c: memref<64x2x16xf32>) {
  einsum.contract "ijk -> jik" (%a) outs(%c : memref<64x2x16xf32>) : (memref<2x64x16xf32>)
  return
}

// -----

// If memory goes along other indices, both are axes of a tile: i of the result, and from j on of the operand. Several
// indices of an axis are pointers. An axis that is shorter than 8 is none.
// CHECK-LABEL: func.func private @transposed_contract
// CHECK: %[[T:.*]] = tile.load_view %{{.*}} in_bounds [true, true] : memref<64x16xf32> -> tensor<16x8xf32>
// CHECK: %[[TT:.*]] = tile.trans %[[T]] [1, 0]
// CHECK: tile.store_view %[[TT]]
// CHECK-LABEL: func.func private @last_first_contract
// CHECK: tile.load {{.*}} : tensor<16x8x!tile.ptr<f32>>
// CHECK: tile.store {{.*}} : tensor<16x8x!tile.ptr<f32>>
// CHECK-LABEL: func.func private @short_contract
// CHECK: tile.load {{.*}} : tensor<{{[0-9]+}}x!tile.ptr<f32>>
func.func @transposed(%a: memref<64x16xf32>, %c: memref<16x64xf32>) {
  einsum.contract "ij -> ji" (%a) outs(%c : memref<16x64xf32>) : (memref<64x16xf32>)
  return
}
func.func @last_first(%a: memref<2x32x4x8xf32>, %c: memref<2x4x8x32xf32>) {
  einsum.contract "nchw -> nhwc" (%a) outs(%c : memref<2x4x8x32xf32>) : (memref<2x32x4x8xf32>)
  return
}
func.func @short(%a: memref<2x7x4x8xf32>, %c: memref<2x4x8x7xf32>) {
  einsum.contract "nchw -> nhwc" (%a) outs(%c : memref<2x4x8x7xf32>) : (memref<2x7x4x8xf32>)
  return
}

// -----

// A sum is reduced along the rows of a tile; so are products of i32, which tile.dot does not form.
// CHECK-LABEL: func.func private @sum_contract
// CHECK: scf.for
// CHECK: tile.reduce add %{{.*}} axis 1 : tensor<16x4xf32>
// CHECK-LABEL: func.func private @integers_contract
// CHECK: arith.muli {{.*}} : tensor<16x4xi32>
// CHECK: tile.reduce add %{{.*}} axis 1 : tensor<16x4xi32>
func.func @sum(%a: memref<64x16xf32>, %c: memref<64xf32>) {
  einsum.contract "ij -> i" (%a) outs(%c : memref<64xf32>) : (memref<64x16xf32>)
  return
}
func.func @integers(%a: memref<64x16xi32>, %b: memref<16x32xi32>, %c: memref<64x32xi32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<64x32xi32>) : (memref<64x16xi32>, memref<16x32xi32>)
  return
}

// -----

// Batch indices have the third axis of the grid. Types that tile.dot does not mix meet in that of the sum.
// CHECK-LABEL: func.func @batched
// CHECK: tile.launch @batched_contract grid(%c1{{.*}}, %c1{{.*}}, %c6{{.*}})
// CHECK-LABEL: func.func private @batched_contract
// CHECK: tile.program_id z
// CHECK: tile.dot {{.*}} : tensor<8x4xf64>, tensor<4x8xf64>, tensor<8x8xf64>
func.func @batched(%a: memref<2x3x8x4xf32>, %b: memref<2x3x4x8xf32>, %c: memref<2x3x8x8xf32>) {
  einsum.contract "xymk, xykn -> xymn" (%a, %b) outs(%c : memref<2x3x8x8xf32>) {acc = f64}
    : (memref<2x3x8x4xf32>, memref<2x3x4x8xf32>)
  return
}

// -----

// Dynamic sizes are checked, and passed to the kernel.
// CHECK: einsum.check_sites = ["{{.*}}index 'k' has size
// CHECK-LABEL: func.func @dynamic
// CHECK: call @tileirReportCheck
// CHECK: scf.if
// CHECK: tile.launch @dynamic_contract {{.*}}i64
// CHECK-LABEL: func.func private @dynamic_contract
// CHECK: arith.index_cast %{{.*}} : i64 to index
func.func @dynamic(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<?x?xf32>) : (memref<?x?xf32>, memref<?x?xf32>)
  return
}

// -----

// Memory with gaps is copied: pointers are into contiguous memory.
// CHECK-LABEL: func.func @strided
// CHECK-SAME: %[[A:.*]]: memref<8x4xf32, strided<[10, 1]>>, %[[C:.*]]: memref<4x8xf32, strided<[9, 1]>>
// CHECK: %[[CA:.*]] = memref.alloc() {{.*}}: memref<8x4xf32>
// CHECK: %[[E:.*]] = memref.load %[[A]]
// CHECK-NEXT: memref.store %[[E]], %[[CA]]
// CHECK: %[[CC:.*]] = memref.alloc() {{.*}}: memref<4x8xf32>
// CHECK-NEXT: tile.launch @strided_contract {{.*}}(%[[CA]], %[[CC]])
// CHECK: %[[R:.*]] = memref.load %[[CC]]
// CHECK-NEXT: memref.store %[[R]], %[[C]]
func.func @strided(%a: memref<8x4xf32, strided<[10, 1]>>, %c: memref<4x8xf32, strided<[9, 1]>>) {
  einsum.contract "ij -> ji" (%a) outs(%c : memref<4x8xf32, strided<[9, 1]>>) : (memref<8x4xf32, strided<[10, 1]>>)
  return
}
