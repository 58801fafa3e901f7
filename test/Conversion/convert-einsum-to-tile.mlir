// convert-einsum-to-tile: which kernels, tables, masks and launches contractions become. What they compute is tested by
// test/Property and test/Integration; index operations per step by convert-einsum-to-tile-index-ops.mlir.
//
// RUN: tile-opt --convert-einsum-to-tile="block=16x8x4" --canonicalize --cse --split-input-file %s \
// RUN:   | FileCheck %s --implicit-check-not=einsum.contract
// RUN: tile-opt --convert-einsum-to-tile --canonicalize --cse --split-input-file %s | FileCheck %s --check-prefix=DEFAULT
// RUN: tile-opt --convert-einsum-to-tile="block=16x8x4" --split-input-file --remarks-filter=einsum --remark-policy=all %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

// Rows, columns and depth of a matrix product are axes of its operands: dense blocks.
// CHECK-LABEL: func.func @matmul
// CHECK-SAME: %[[A:.*]]: memref<64x16xf32>, %[[B:.*]]: memref<16x32xf32>, %[[C:.*]]: memref<64x32xf32>
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK: tile.launch @matmul_contract grid(%[[FOUR]], %[[FOUR]], %[[ONE]]) (%[[A]], %[[B]], %[[C]])
// CHECK: func.func private @matmul_contract(%[[A:.*]]: memref<64x16xf32> {tile.readonly}, %[[B:.*]]: memref<16x32xf32> {tile.readonly},
// CHECK-SAME: %[[C:.*]]: memref<64x32xf32> {tile.noalias}) attributes {tile.kernel}
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

// Two axes that follow each other in memory are one with a constant stride, so that pointers advance by 4 elements; in
// the other operand they need a table, which holds k * 30 + l for the innermost letter l first.
// CHECK: memref.global "private" constant @einsum_offsets : memref<6xi64> = dense<[0, 1, 2, 30, 31, 32]>
// CHECK-LABEL: func.func private @two_axes_contract(
// CHECK-SAME: memref<6xi64> {tile.readonly}
// CHECK: scf.for %[[K:.*]] = {{.*}} iter_args(%{{.*}} = %{{.*}}, %{{.*}} = %{{.*}})
// CHECK: tile.load_view %{{.*}}[%[[K]]] : memref<6xi64> -> tensor<4xi64>
func.func @two_axes(%a: memref<7x2x3xf32>, %b: memref<2x10x3xf32>, %c: memref<7x10xf32>) {
  einsum.contract "ikl, kjl -> ij" (%a, %b) outs(%c : memref<7x10xf32>) : (memref<7x2x3xf32>, memref<2x10x3xf32>)
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

// A table that is looked up with a summed letter makes a table at run time, with a loop before the launch. Padding
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

// A table that is looked up with letters of the result is read by the kernel, once.
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

// A transposition has neither a dot nor a loop: 16 * 8 elements per program.
// CHECK-LABEL: func.func private @transposed_contract
// CHECK-NOT: scf.for
// CHECK-NOT: tile.dot
// CHECK: tile.load {{.*}} : tensor<128x!tile.ptr<f32>>
// CHECK: tile.store {{.*}} : tensor<128x!tile.ptr<f32>>
func.func @transposed(%a: memref<64x16xf32>, %c: memref<16x64xf32>) {
  einsum.contract "ij -> ji" (%a) outs(%c : memref<16x64xf32>) : (memref<64x16xf32>)
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

// Batch letters have the third axis of the grid. Types that tile.dot does not mix meet in that of the sum.
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
// CHECK: einsum.check_sites = ["{{.*}}letter 'k' has size
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
