// Kernels of structured ops, and their launches. run.mlir runs them, missed.mlir has what stays.
//
// RUN: tile-opt --convert-linalg-to-tile --canonicalize --cse %s | FileCheck %s --implicit-check-not=linalg.
// RUN: tile-opt --convert-linalg-to-tile="block=256" --canonicalize %s | FileCheck %s --check-prefix=BLOCK
// RUN: not tile-opt --convert-linalg-to-tile="block=96" %s 2>&1 | FileCheck %s --check-prefix=ODD
// RUN: not tile-opt --convert-linalg-to-tile="block=0" %s 2>&1 | FileCheck %s --check-prefix=NOTHING
//
// ODD: error: expected 'block' to be a power of two from 1 to 8192, found 96
// NOTHING: error: expected 'block' to be a power of two from 1 to 8192, found 0

#ij = affine_map<(i, j) -> (i, j)>
#ji = affine_map<(i, j) -> (j, i)>
#i = affine_map<(i, j) -> (i)>
#j = affine_map<(i, j) -> (j)>

// The example of the documentation: without gaps, two loops are one.
// CHECK-LABEL: @doc(
// CHECK-SAME: %[[X:.*]]: memref<4x1000xf16>, %[[Y:.*]]: memref<4x1000xf16>)
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C4:.*]] = arith.constant 4 : index
// CHECK: tile.launch @doc_generic grid(%[[C4]], %[[C1]], %[[C1]]) (%[[X]], %[[Y]]) : memref<4x1000xf16>, memref<4x1000xf16>
// BLOCK: tile.launch @doc_generic grid(%c16, %c1, %c1)
func.func @doc(%x: memref<4x1000xf16>, %y: memref<4x1000xf16>) {
  %zero = arith.constant 0.0 : f16
  linalg.generic {indexing_maps = [#ij, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<4x1000xf16>) outs(%y : memref<4x1000xf16>) {
  ^bb0(%a: f16, %old: f16):
    %b = arith.maximumf %a, %zero : f16
    linalg.yield %b : f16
  }
  return
}

// A second kernel of a name, a memref that is read and written, and a fill by i8. A fill and a copy of whole buffers stay
// for the device; an op without positions is nothing.
// CHECK-LABEL: @more(
// CHECK: tile.launch @more_exp grid({{.*}}) (%arg0) : memref<7xf32>
// CHECK-NEXT: tile.launch @more_exp_0 grid({{.*}}) (%arg0) : memref<7xf32>
// CHECK-NEXT: tile.launch @more_fill grid({{.*}}) (%arg1) : memref<7xi8>
// CHECK-NEXT: {{linalg}}.fill ins(%{{.*}} : f32) outs(%arg0
// CHECK-NEXT: {{linalg}}.copy ins(%arg0 : memref<7xf32>) outs(%arg2
// CHECK-NEXT: return
func.func @more(%x: memref<7xf32>, %bytes: memref<7xi8>, %y: memref<7xf32>, %none: memref<0x4xf32>) {
  %zero = arith.constant 0.0 : f32
  %seven = arith.constant 7 : i8
  linalg.exp ins(%x : memref<7xf32>) outs(%x : memref<7xf32>)
  linalg.exp ins(%x : memref<7xf32>) outs(%x : memref<7xf32>)
  linalg.fill ins(%seven : i8) outs(%bytes : memref<7xi8>)
  linalg.fill ins(%zero : f32) outs(%x : memref<7xf32>)
  memref.copy %x, %y : memref<7xf32> to memref<7xf32>
  linalg.exp ins(%none : memref<0x4xf32>) outs(%none : memref<0x4xf32>)
  return
}

// A part, in another order, plus a value for each column: indices by division, pointers by strides.
// CHECK-LABEL: @strided(
// CHECK: tile.launch @strided_generic grid({{.*}}) (%arg0, %arg1, %arg3, %arg2) : memref<40x30xf32>, memref<20xf32>, memref<8x20xf32>, f32
func.func @strided(%x: memref<40x30xf32>, %b: memref<20xf32>, %f: f32, %y: memref<8x20xf32>) {
  %part = memref.subview %x[3, 5] [20, 8] [1, 2] : memref<40x30xf32> to memref<20x8xf32, strided<[30, 2], offset: 95>>
  linalg.generic {indexing_maps = [#ji, #j, #ij], iterator_types = ["parallel", "parallel"]}
      ins(%part, %b : memref<20x8xf32, strided<[30, 2], offset: 95>>, memref<20xf32>) outs(%y : memref<8x20xf32>) {
  ^bb0(%a: f32, %c: f32, %old: f32):
    %s = arith.addf %a, %c : f32
    %m = arith.mulf %s, %f : f32
    linalg.yield %m : f32
  }
  return
}

// Rows are summed one element after the other, from what the output was. Sizes are arguments of the kernel.
// CHECK-LABEL: @sum(
// CHECK: %[[M:.*]] = memref.dim %arg0, %c0
// CHECK: %[[N:.*]] = memref.dim %arg0, %c1
// CHECK: %[[M64:.*]] = arith.index_cast %[[M]] : index to i64
// CHECK: %[[N64:.*]] = arith.index_cast %[[N]] : index to i64
// CHECK: %[[GRID:.*]] = arith.ceildivui %[[M]], %c1024
// CHECK: tile.launch @sum_generic grid(%[[GRID]], %c1, %c1) (%[[M64]], %[[N64]], %arg0, %arg1) :
func.func @sum(%x: memref<?x?xf32>, %y: memref<?xf32>) {
  linalg.generic {indexing_maps = [#ij, #i], iterator_types = ["parallel", "reduction"]}
      ins(%x : memref<?x?xf32>) outs(%y : memref<?xf32>) {
  ^bb0(%a: f32, %old: f32):
    %s = arith.addf %a, %old : f32
    linalg.yield %s : f32
  }
  return
}

// Numbers name rows; where they do not, nothing is read. The mask is a byte for each element.
// CHECK-LABEL: @gather(
// CHECK: %[[MASK:.*]] = memref.alloc() : memref<16xi8>
// CHECK: tile.launch @gather_generic grid({{.*}}) (%arg1, %[[MASK]], %arg2, %arg0)
// CHECK: memref.dealloc %[[MASK]] : memref<16xi8>
func.func @gather(%table: memref<50xf16>, %numbers: memref<16xi64>, %y: memref<16xf16>) {
  %mask = memref.alloc() : memref<16xi1>
  %n = arith.constant 50 : i64
  linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%numbers : memref<16xi64>) outs(%mask, %y : memref<16xi1>, memref<16xf16>) {
  ^bb0(%number: i64, %old: i1, %old2: f16):
    %below = arith.cmpi ult, %number, %n : i64
    cf.assert %below, "too large"
    %i = arith.index_cast %number : i64 to index
    %x = memref.load %table[%i] : memref<50xf16>
    linalg.yield %below, %x : i1, f16
  }
  memref.dealloc %mask : memref<16xi1>
  return
}

// CHECK-LABEL: func.func private @doc_generic(
// CHECK-SAME: %[[X:.*]]: !tile.ptr<f16> {tile.readonly}, %[[Y:.*]]: !tile.ptr<f16>) attributes {tile.kernel} {
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.0{{.*}}> : tensor<1024xf16>
// CHECK-DAG: %[[TOTAL:.*]] = arith.constant dense<4000> : tensor<1024xi64>
// CHECK-DAG: %[[WIDTH:.*]] = arith.constant 1024 : i64
// CHECK: %[[ID:.*]] = tile.program_id x
// CHECK-NEXT: %[[PROGRAM:.*]] = arith.extsi %[[ID]] : i32 to i64
// CHECK-NEXT: %[[START:.*]] = arith.muli %[[PROGRAM]], %[[WIDTH]]
// CHECK-NEXT: %[[STARTS:.*]] = tile.splat %[[START]]
// CHECK-NEXT: %[[RANGE:.*]] = tile.range 0 to 1024
// CHECK-NEXT: %[[POSITION:.*]] = arith.addi %[[STARTS]], %[[RANGE]]
// CHECK-NEXT: %[[INSIDE:.*]] = arith.cmpi ult, %[[POSITION]], %[[TOTAL]]
// CHECK-NEXT: %[[XS:.*]] = tile.splat %[[X]]
// CHECK-NEXT: %[[P:.*]] = tile.addptr %[[XS]], %[[POSITION]]
// CHECK-NEXT: %[[A:.*]] = tile.load %[[P]] mask %[[INSIDE]]
// CHECK-NEXT: %[[YS:.*]] = tile.splat %[[Y]]
// CHECK-NEXT: %[[Q:.*]] = tile.addptr %[[YS]], %[[POSITION]]
// CHECK-NEXT: %[[B:.*]] = arith.maximumf %[[A]], %[[ZERO]] : tensor<1024xf16>
// CHECK-NEXT: tile.store %[[Q]], %[[B]] mask %[[INSIDE]]
// CHECK-NEXT: return

// CHECK-LABEL: func.func private @more_exp(
// CHECK-SAME: %[[X:.*]]: !tile.ptr<f32>)
// CHECK: %[[P:.*]] = tile.addptr
// CHECK: tile.load %[[P]] mask
// CHECK: math.exp %{{.*}} : tensor<32xf32>
// CHECK: tile.store %[[P]]

// CHECK-LABEL: func.func private @strided_generic(
// CHECK-SAME: %[[X:.*]]: !tile.ptr<f32> {tile.readonly}, %[[B:.*]]: !tile.ptr<f32> {tile.readonly}, %[[Y:.*]]: !tile.ptr<f32>, %[[F:.*]]: f32)
// CHECK-DAG: %[[FIRST:.*]] = arith.constant 95 : i64
// CHECK-DAG: %[[STEP:.*]] = arith.constant dense<2> : tensor<256xi64>
// CHECK-DAG: %[[ROW:.*]] = arith.constant dense<30> : tensor<256xi64>
// CHECK-DAG: %[[SIZE:.*]] = arith.constant dense<20> : tensor<256xi64>
// CHECK: %[[POSITION:.*]] = arith.addi
// CHECK: %[[J:.*]] = arith.remui %[[POSITION]], %[[SIZE]]
// CHECK: %[[I:.*]] = arith.divui %[[POSITION]], %[[SIZE]]
// CHECK: %[[ALONG:.*]] = arith.muli %[[J]], %[[ROW]]
// CHECK: %[[ACROSS:.*]] = arith.muli %[[I]], %[[STEP]]
// CHECK: %[[OFFSET:.*]] = arith.addi %[[ALONG]], %[[ACROSS]]
// CHECK: %[[START:.*]] = tile.addptr %[[X]], %[[FIRST]] : !tile.ptr<f32>, i64
// CHECK: %[[STARTS:.*]] = tile.splat %[[START]]
// CHECK: %[[P:.*]] = tile.addptr %[[STARTS]], %[[OFFSET]]
// CHECK: tile.load %[[P]] mask
// CHECK: %[[BS:.*]] = tile.splat %[[B]]
// CHECK: tile.addptr %[[BS]], %[[J]]
// CHECK: %[[FS:.*]] = tile.splat %[[F]]
// CHECK: arith.mulf %{{.*}}, %[[FS]]

// CHECK-LABEL: func.func private @sum_generic(
// CHECK: %[[P:.*]] = tile.addptr
// CHECK: %[[OLD:.*]] = tile.load %[[Q:.*]] mask %[[INSIDE:.*]] :
// CHECK: %[[SUM:.*]] = scf.for %[[J:.*]] = %c0 to %{{.*}} step %c1 iter_args(%[[PART:.*]] = %[[OLD]])
// CHECK: %[[JS:.*]] = tile.splat
// CHECK: %[[R:.*]] = tile.addptr %[[P]], %[[JS]]
// CHECK: %[[A:.*]] = tile.load %[[R]] mask %[[INSIDE]]
// CHECK: %[[NEXT:.*]] = arith.addf %[[A]], %[[PART]]
// CHECK: scf.yield %[[NEXT]]
// CHECK: tile.store %[[Q]], %[[SUM]] mask %[[INSIDE]]

// CHECK-LABEL: func.func private @gather_generic(
// CHECK-SAME: %{{.*}}: !tile.ptr<i64> {tile.readonly}, %{{.*}}: !tile.ptr<i8>, %{{.*}}: !tile.ptr<f16>, %{{.*}}: !tile.ptr<f16> {tile.readonly})
// CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %{{.*}}, %{{.*}} : tensor<32xi64>
// CHECK: %[[NUMBER:.*]] = tile.load %{{.*}} mask %[[INSIDE]] : tensor<32x!tile.ptr<i64>>
// CHECK: %[[BELOW:.*]] = arith.cmpi ult, %[[NUMBER]], %{{.*}} : tensor<32xi64>
// CHECK: %[[READ:.*]] = arith.andi %[[INSIDE]], %[[BELOW]]
// CHECK: tile.load %{{.*}} mask %[[READ]] : tensor<32x!tile.ptr<f16>>
// CHECK: arith.extui %[[BELOW]] : tensor<32xi1> to tensor<32xi8>
