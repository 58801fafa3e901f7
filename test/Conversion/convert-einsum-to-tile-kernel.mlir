// convert-einsum-to-tile: the kernel and the launch that an einsum.kernel becomes. What they compute is tested by
// convert-einsum-to-tile-kernel-run.mlir.
//
// RUN: tile-opt --tile-select-config="config={block=16x8x4}" --convert-einsum-to-tile --canonicalize --cse --split-input-file %s \
// RUN:   | FileCheck %s --implicit-check-not=einsum. --implicit-check-not=ub.poison
// RUN: tile-opt --tile-select-config="config={block=16x8x4}" --convert-einsum-to-tile --split-input-file --remarks-filter=einsum --remark-policy=all %s 2>&1 >/dev/null \
// RUN:   | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt --tile-select-config="config={block=16x8x4}" --convert-einsum-to-tile --split-input-file %s | tile-opt --split-input-file --tile-bufferize-host \
// RUN:   | FileCheck %s --check-prefix=HOST --implicit-check-not=bufferization.

// The epilogue is computed on the tile that the sum leaves. What it reads of the same shape is read as the dense block at
// the place of the result, the bias as a row, which is repeated; nothing intermediate is in memory.
// CHECK-LABEL: func.func @epilogue
// CHECK-SAME: %[[A:.*]]: tensor<64x16xf32>, %[[B:.*]]: tensor<16x32xf32>, %[[C:.*]]: tensor<64x32xf32>, %[[BIAS:.*]]: tensor<32xf32>)
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[FOUR:.*]] = arith.constant 4 : index
// CHECK-DAG: %[[MA:.*]] = bufferization.to_buffer %[[A]] read_only
// CHECK-DAG: %[[MB:.*]] = bufferization.to_buffer %[[B]] read_only
// CHECK-DAG: %[[MC:.*]] = bufferization.to_buffer %[[C]] read_only
// CHECK-DAG: %[[MBIAS:.*]] = bufferization.to_buffer %[[BIAS]] read_only
// CHECK-DAG: %[[OUT:.*]] = memref.alloc() : memref<64x32xf32>
// CHECK-NOT: memref.alloc
// CHECK: tile.launch @epilogue_contract grid(%[[FOUR]], %[[FOUR]], %[[ONE]]) (%[[MA]], %[[MB]], %[[MC]], %[[MBIAS]], %[[OUT]])
// CHECK-NEXT: %[[Y:.*]] = bufferization.to_tensor %[[OUT]] restrict :
// CHECK-NEXT: return %[[Y]]
// CHECK: func.func private @epilogue_contract(%[[A:.*]]: memref<64x16xf32> {tile.readonly}, %[[B:.*]]: memref<16x32xf32> {tile.readonly}, %[[C:.*]]: memref<64x32xf32> {tile.readonly}, %[[BIAS:.*]]: memref<32xf32> {tile.readonly}, %[[OUT:.*]]: memref<64x32xf32> {tile.noalias}) attributes {tile.config = #tile.config<block=16x8x4 {{.*}}>, tile.kernel}
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<16x8xf32>
// CHECK-DAG: %[[ROW:.*]] = arith.index_cast %{{.*}} : i64 to index
// CHECK-DAG: %[[COLUMN:.*]] = arith.index_cast %{{.*}} : i64 to index
// CHECK: %[[SUM:.*]] = scf.for %[[K:.*]] = %{{.*}} iter_args(%[[ACC:.*]] = %[[ZERO]])
// CHECK-NEXT: %[[TA:.*]] = tile.load_view %[[A]][%[[ROW]], %[[K]]] axes [0, 1]
// CHECK-NEXT: %[[TB:.*]] = tile.load_view %[[B]][%[[K]], %[[COLUMN]]] axes [0, 1]
// CHECK-NEXT: %[[DOT:.*]] = tile.dot %[[TA]], %[[TB]], %[[ACC]]
// CHECK-NEXT: scf.yield %[[DOT]]
// CHECK-NEXT: }
// CHECK-NEXT: %[[TC:.*]] = tile.load_view %[[C]][%[[ROW]], %[[COLUMN]]] axes [0, 1] in_bounds {{.*}} : memref<64x32xf32> -> tensor<16x8xf32>
// CHECK-NEXT: %[[WITH_C:.*]] = arith.addf %[[SUM]], %[[TC]]
// CHECK-NEXT: %[[TBIAS:.*]] = tile.load_view %[[BIAS]][%[[COLUMN]]] axes [0] in_bounds {{.*}} : memref<32xf32> -> tensor<8xf32>
// CHECK-NEXT: %[[THIN:.*]] = tile.reshape %[[TBIAS]] : tensor<8xf32> -> tensor<1x8xf32>
// CHECK-NEXT: %[[WIDE:.*]] = tile.broadcast %[[THIN]] : tensor<1x8xf32> -> tensor<16x8xf32>
// CHECK-NEXT: %[[WITH_BIAS:.*]] = arith.addf %[[WITH_C]], %[[WIDE]]
// CHECK-NEXT: %[[RELU:.*]] = arith.maximumf %[[WITH_BIAS]], %[[ZERO]] : tensor<16x8xf32>
// CHECK-NEXT: tile.store_view %[[RELU]], %[[OUT]][%[[ROW]], %[[COLUMN]]] axes [0, 1]
// CHECK-NEXT: return
// REMARK: [[@LINE+5]]:8: remark: [Passed] einsum-to-tile | Category:einsum | columns=8, contractions=1, dense-operands=2, depth=4, dot=1, masked-operands=0, rows=16, strided-operands=0, table-operands=0
// HOST-LABEL: func.func @epilogue(
// HOST-SAME: memref<64x16xf32>
// HOST: tile.launch @epilogue_contract
func.func @epilogue(%a: tensor<64x16xf32>, %b: tensor<16x32xf32>, %c: tensor<64x32xf32>, %bias: tensor<32xf32>) -> tensor<64x32xf32> {
  %y = einsum.kernel (%p = %a : tensor<64x16xf32>, %q = %b : tensor<16x32xf32>, %r = %c : tensor<64x32xf32>, %s = %bias : tensor<32xf32>) -> tensor<64x32xf32> {
    %zero = arith.constant dense<0.0> : tensor<64x32xf32>
    %empty = tensor.empty() : tensor<64x32xf32>
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<64x16xf32>, tensor<16x32xf32>) -> tensor<64x32xf32>
    %sum = arith.addf %ab, %r : tensor<64x32xf32>
    %rows = linalg.broadcast ins(%s : tensor<32xf32>) outs(%empty : tensor<64x32xf32>) dimensions = [0]
    %more = arith.addf %sum, %rows : tensor<64x32xf32>
    %relu = arith.maximumf %more, %zero : tensor<64x32xf32>
    einsum.yield %relu : tensor<64x32xf32>
  }
  return %y : tensor<64x32xf32>
}

// -----

// A prologue is computed in each step. Where 16, 8 and 4 divide the sizes, all that is read counts.
// CHECK-LABEL: func.func private @prologue_contract
// CHECK-NOT: arith.select
// CHECK: scf.for
// CHECK: %[[TA:.*]] = tile.load_view
// CHECK-NEXT: %[[E:.*]] = math.exp %[[TA]] : tensor<16x4xf32>
// CHECK-NEXT: %[[TB:.*]] = tile.load_view
// CHECK-NEXT: tile.dot %[[E]], %[[TB]]
// CHECK-NOT: arith.select
// CHECK: return
func.func @prologue(%a: tensor<64x16xf32>, %b: tensor<16x32xf32>) -> tensor<64x32xf32> {
  %y = einsum.kernel (%p = %a : tensor<64x16xf32>, %q = %b : tensor<16x32xf32>) -> tensor<64x32xf32> {
    %e = math.exp %p : tensor<64x16xf32>
    %ab = einsum.contract "mk, kn -> mn" (%e, %q) : (tensor<64x16xf32>, tensor<16x32xf32>) -> tensor<64x32xf32>
    einsum.yield %ab : tensor<64x32xf32>
  }
  return %y : tensor<64x32xf32>
}

// -----

// Beyond the ends of operands exp(0) would count as 1: what is computed of them is replaced by 0, along the rows of the
// operand and the sum. The other operand reads as 0 there.
// CHECK-LABEL: func.func private @partial_prologue_contract
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<16x4xf32>
// CHECK: %[[ROWS:.*]] = arith.cmpi ult, %{{.*}} : tensor<16xi64>
// CHECK: %[[ROWS1:.*]] = tile.reshape %[[ROWS]] : tensor<16xi1> -> tensor<16x1xi1>
// CHECK-NEXT: %[[ROWS2:.*]] = tile.broadcast %[[ROWS1]]
// CHECK: scf.for
// CHECK: %[[DEPTH:.*]] = arith.cmpi ult, %{{.*}} : tensor<4xi64>
// CHECK-NEXT: %[[DEPTH1:.*]] = tile.reshape %[[DEPTH]] : tensor<4xi1> -> tensor<1x4xi1>
// CHECK-NEXT: %[[DEPTH2:.*]] = tile.broadcast %[[DEPTH1]]
// CHECK-NEXT: %[[MASK:.*]] = arith.andi %[[ROWS2]], %[[DEPTH2]] : tensor<16x4xi1>
// CHECK: %[[TA:.*]] = tile.load_view
// CHECK-NEXT: %[[E:.*]] = math.exp %[[TA]] : tensor<16x4xf32>
// CHECK-NEXT: %[[INSIDE:.*]] = arith.select %[[MASK]], %[[E]], %[[ZERO]]
// CHECK-NEXT: %[[TB:.*]] = tile.load_view
// CHECK-NEXT: tile.dot %[[INSIDE]], %[[TB]]
func.func @partial_prologue(%a: tensor<61x15xf32>, %b: tensor<15x30xf32>) -> tensor<61x30xf32> {
  %y = einsum.kernel (%p = %a : tensor<61x15xf32>, %q = %b : tensor<15x30xf32>) -> tensor<61x30xf32> {
    %e = math.exp %p : tensor<61x15xf32>
    %ab = einsum.contract "mk, kn -> mn" (%e, %q) : (tensor<61x15xf32>, tensor<15x30xf32>) -> tensor<61x30xf32>
    einsum.yield %ab : tensor<61x30xf32>
  }
  return %y : tensor<61x30xf32>
}

// -----

// Two contractions of one program: two loops, of 16 and 8, and one store.
// CHECK-LABEL: func.func private @two_contract
// CHECK-DAG: %[[SIX:.*]] = arith.constant 16 : index
// CHECK-DAG: %[[EIGHT:.*]] = arith.constant 8 : index
// CHECK: %[[AB:.*]] = scf.for %{{.*}} to %[[SIX]] step
// CHECK: tile.dot
// CHECK: %[[CD:.*]] = scf.for %{{.*}} to %[[EIGHT]] step
// CHECK: tile.dot
// CHECK: %[[SUM:.*]] = arith.subf %[[AB]], %[[CD]] : tensor<16x8xf32>
// CHECK-NEXT: tile.store_view %[[SUM]]
// CHECK-NEXT: return
// REMARK: contractions=2, dense-operands=4, depth=4, dot=1, masked-operands=0, rows=16, strided-operands=0, table-operands=0
func.func @two(%a: tensor<64x16xf32>, %b: tensor<16x32xf32>, %c: tensor<64x8xf32>, %d: tensor<8x32xf32>) -> tensor<64x32xf32> {
  %y = einsum.kernel (%p = %a : tensor<64x16xf32>, %q = %b : tensor<16x32xf32>, %r = %c : tensor<64x8xf32>, %s = %d : tensor<8x32xf32>) -> tensor<64x32xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<64x16xf32>, tensor<16x32xf32>) -> tensor<64x32xf32>
    %cd = einsum.contract "mk, kn -> mn" (%r, %s) : (tensor<64x8xf32>, tensor<8x32xf32>) -> tensor<64x32xf32>
    %sum = arith.subf %ab, %cd : tensor<64x32xf32>
    einsum.yield %sum : tensor<64x32xf32>
  }
  return %y : tensor<64x32xf32>
}

// -----

// A product, and an outer product, which has no sum to divide: all indices of the result are rows, and nothing is a dot.
// CHECK-LABEL: func.func @no_common_division
// CHECK-DAG: %[[ONE:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[BLOCKS:.*]] = arith.constant 128 : index
// CHECK: tile.launch @no_common_division_contract grid(%[[BLOCKS]], %[[ONE]], %[[ONE]])
// CHECK-LABEL: func.func private @no_common_division_contract
// CHECK-NOT: tile.dot
// CHECK: scf.for
// CHECK: tile.reduce add {{.*}} axis 1 : tensor<16x4xf32>
// CHECK: arith.mulf {{.*}} : tensor<16xf32>
// CHECK-NEXT: arith.subf {{.*}} : tensor<16xf32>
// CHECK: tile.store {{.*}} : tensor<16x!tile.ptr<f32>>
// CHECK-NOT: tile.dot
// CHECK: return
// REMARK: columns=1, contractions=2, dense-operands=0, depth=4, dot=0, masked-operands=0, rows=16, strided-operands=4, table-operands=0
func.func @no_common_division(%a: tensor<64x16xf32>, %b: tensor<16x32xf32>, %c: tensor<64xf32>, %d: tensor<32xf32>) -> tensor<64x32xf32> {
  %y = einsum.kernel (%p = %a : tensor<64x16xf32>, %q = %b : tensor<16x32xf32>, %r = %c : tensor<64xf32>, %s = %d : tensor<32xf32>) -> tensor<64x32xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<64x16xf32>, tensor<16x32xf32>) -> tensor<64x32xf32>
    %cd = einsum.contract "m, n -> mn" (%r, %s) : (tensor<64xf32>, tensor<32xf32>) -> tensor<64x32xf32>
    %sum = arith.subf %ab, %cd : tensor<64x32xf32>
    einsum.yield %sum : tensor<64x32xf32>
  }
  return %y : tensor<64x32xf32>
}

// -----

// A program of a batch has one value of the batch's index: of an input along it, one element.
// CHECK-LABEL: func.func @batched
// CHECK: tile.launch @batched_contract grid(%{{.*}}, %{{.*}}, %c3)
// CHECK-LABEL: func.func private @batched_contract
// CHECK-SAME: %[[F:[^:]*]]: !tile.ptr<f32> {tile.readonly}, %{{.*}}: memref<3x64x32xf32> {tile.noalias})
// CHECK: %[[Z:.*]] = tile.program_id z
// CHECK: %[[Z64:.*]] = arith.extsi %[[Z]] : i32 to i64
// CHECK: scf.for
// CHECK: tile.load_view %{{.*}}[%[[BATCH:.*]], %{{.*}}, %{{.*}}] axes [1, 2] in_bounds {{.*}} : memref<3x64x16xf32> -> tensor<16x4xf32>
// CHECK: %[[AT:.*]] = tile.splat %[[Z64]] : i64 -> tensor<16x8xi64>
// CHECK: %[[BASE:.*]] = tile.splat %[[F]]
// CHECK: tile.addptr %[[BASE]], %[[AT]]
// CHECK: tile.store_view %{{.*}}, %{{.*}}[%[[BATCH]], %{{.*}}, %{{.*}}] axes [1, 2]
func.func @batched(%a: tensor<3x64x16xf32>, %b: tensor<3x16x32xf32>, %c: tensor<3xf32>) -> tensor<3x64x32xf32> {
  %y = einsum.kernel (%p = %a : tensor<3x64x16xf32>, %q = %b : tensor<3x16x32xf32>, %r = %c : tensor<3xf32>) -> tensor<3x64x32xf32> {
    %empty = tensor.empty() : tensor<3x64x32xf32>
    %ab = einsum.contract "bmk, bkn -> bmn" (%p, %q) : (tensor<3x64x16xf32>, tensor<3x16x32xf32>) -> tensor<3x64x32xf32>
    %f = linalg.broadcast ins(%r : tensor<3xf32>) outs(%empty : tensor<3x64x32xf32>) dimensions = [1, 2]
    %scaled = arith.mulf %ab, %f : tensor<3x64x32xf32>
    einsum.yield %scaled : tensor<3x64x32xf32>
  }
  return %y : tensor<3x64x32xf32>
}

// -----

// A convolution: rows of three indices and a sum of three are read by tables, in which padding is masked. The bias is a
// row of columns here, too; the result is not one block of memory.
// CHECK-LABEL: func.func private @convolution_contract
// CHECK-SAME: %[[BIAS:[^:]*]]: memref<8xf32> {tile.readonly}, %{{.*}}: !tile.ptr<f32> {tile.noalias})
// CHECK: scf.for
// CHECK: %[[MASK:.*]] = arith.andi
// CHECK: tile.load %{{.*}} mask %[[MASK]] : tensor<16x4x!tile.ptr<f32>>
// CHECK-NOT: arith.select
// CHECK: tile.dot
// CHECK: scf.yield
// CHECK: tile.load_view %[[BIAS]]
// CHECK: arith.addf
// CHECK: %[[RELU:.*]] = arith.maximumf
// CHECK: tile.store %{{.*}}, %[[RELU]] : tensor<16x8x!tile.ptr<f32>>
// REMARK: columns=8, contractions=1, dense-operands=0, depth=4, dot=1, masked-operands=1, rows=16, strided-operands=1, table-operands=1
func.func @convolution(%x: tensor<2x4x16x8xf32>, %w: tensor<4x3x3x8xf32>, %bias: tensor<8xf32>) -> tensor<2x8x16x8xf32> {
  %y = einsum.kernel (%p = %x : tensor<2x4x16x8xf32>, %q = %w : tensor<4x3x3x8xf32>, %r = %bias : tensor<8xf32>) -> tensor<2x8x16x8xf32> {
    %zero = arith.constant dense<0.0> : tensor<2x8x16x8xf32>
    %empty = tensor.empty() : tensor<2x8x16x8xf32>
    %c = einsum.contract "nc(h+r-1)(w+s-1), crsk -> nkhw" (%p, %q) {pad = "zero"} : (tensor<2x4x16x8xf32>, tensor<4x3x3x8xf32>) -> tensor<2x8x16x8xf32>
    %b = linalg.broadcast ins(%r : tensor<8xf32>) outs(%empty : tensor<2x8x16x8xf32>) dimensions = [0, 2, 3]
    %sum = arith.addf %c, %b : tensor<2x8x16x8xf32>
    %relu = arith.maximumf %sum, %zero : tensor<2x8x16x8xf32>
    einsum.yield %relu : tensor<2x8x16x8xf32>
  }
  return %y : tensor<2x8x16x8xf32>
}

// -----

// Padding is 0 where a prologue would make something else of it. Tables are operands of the kernel.
// CHECK-LABEL: func.func private @padded_prologue_contract
// CHECK: scf.for
// CHECK: %[[MASK:.*]] = arith.cmpi ult, {{.*}} : tensor<16x4xi64>
// CHECK: %[[TX:.*]] = tile.load %{{.*}} mask %[[MASK]] : tensor<16x4x!tile.ptr<f32>>
// CHECK-NEXT: %[[E:.*]] = math.exp %[[TX]] : tensor<16x4xf32>
// CHECK-NEXT: %[[INSIDE:.*]] = arith.select %[[MASK]], %[[E]], %{{.*}} : tensor<16x4xi1>, tensor<16x4xf32>
// CHECK: tile.dot %[[INSIDE]]
func.func @padded_prologue(%x: tensor<2x12x8xf32>, %w: tensor<12x5xf32>, %t: tensor<12xi32>) -> tensor<2x5x8xf32> {
  %y = einsum.kernel (%p = %x : tensor<2x12x8xf32>, %q = %w : tensor<12x5xf32>, %u = %t : tensor<12xi32>) -> tensor<2x5x8xf32> {
    %zero = arith.constant dense<0.0> : tensor<2x5x8xf32>
    %e = math.exp %p : tensor<2x12x8xf32>
    %c = einsum.contract "nc(h+u[c]), ck -> nkh" (%e, %q) tables(u = %u : tensor<12xi32>) {pad = "zero"}
        : (tensor<2x12x8xf32>, tensor<12x5xf32>) -> tensor<2x5x8xf32>
    %relu = arith.maximumf %c, %zero : tensor<2x5x8xf32>
    einsum.yield %relu : tensor<2x5x8xf32>
  }
  return %y : tensor<2x5x8xf32>
}

// -----

// A transposed input is read as the block at the transposed place.
// CHECK-LABEL: func.func private @transposed_leaf_contract
// CHECK: scf.for
// CHECK: tile.load_view %{{.*}}[%[[ROW:.*]], %{{.*}}] axes [0, 1] in_bounds {{.*}} : memref<64x16xf32>
// CHECK: tile.load_view %{{.*}}[%{{.*}}, %[[COLUMN:.*]]] axes [0, 1] in_bounds {{.*}} : memref<16x32xf32>
// CHECK: %[[BLOCK:.*]] = tile.load_view %{{.*}}[%[[COLUMN]], %[[ROW]]] axes [0, 1] in_bounds {{.*}} : memref<32x64xf32> -> tensor<8x16xf32>
// CHECK-NEXT: %[[T:.*]] = tile.trans %[[BLOCK]]
// CHECK-NEXT: arith.addf %{{.*}}, %[[T]] : tensor<16x8xf32>
func.func @transposed_leaf(%a: tensor<64x16xf32>, %b: tensor<16x32xf32>, %c: tensor<32x64xf32>) -> tensor<64x32xf32> {
  %y = einsum.kernel (%p = %a : tensor<64x16xf32>, %q = %b : tensor<16x32xf32>, %r = %c : tensor<32x64xf32>) -> tensor<64x32xf32> {
    %empty = tensor.empty() : tensor<64x32xf32>
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<64x16xf32>, tensor<16x32xf32>) -> tensor<64x32xf32>
    %t = linalg.transpose ins(%r : tensor<32x64xf32>) outs(%empty : tensor<64x32xf32>) permutation = [1, 0]
    %sum = arith.addf %ab, %t : tensor<64x32xf32>
    einsum.yield %sum : tensor<64x32xf32>
  }
  return %y : tensor<64x32xf32>
}

// -----

// A sum is computed once, however often the epilogue uses it, and not at all if the result does not depend on it. A second
// kernel of a function gets a name of its own, and reads what the first one wrote.
// CHECK-LABEL: func.func @twice
// CHECK: tile.launch @twice_contract grid{{.*}} %[[OUT:[^ ]*]]) :
// CHECK-NEXT: %[[Y:.*]] = bufferization.to_tensor %[[OUT]]
// CHECK-NEXT: %[[Z:.*]] = memref.alloc
// CHECK: tile.launch @twice_contract_0 grid{{.*}} %[[Z]]) :
// CHECK-LABEL: func.func private @twice_contract(
// CHECK: %[[SUM:.*]] = scf.for
// CHECK-NOT: scf.for
// CHECK: arith.mulf %[[SUM]], %[[SUM]]
// CHECK: func.func private @twice_contract_0(
// HOST-LABEL: func.func @twice(
// HOST: tile.launch @twice_contract grid{{.*}} %[[OUT:[^ ]*]]) :
// HOST: tile.launch @twice_contract_0 grid{{.*}} (%[[OUT]], %[[Z:.*]]) :
// HOST: return %[[OUT]], %[[Z]]
func.func @twice(%a: tensor<64x16xf32>, %b: tensor<16x32xf32>) -> (tensor<64x32xf32>, tensor<64x32xf32>) {
  %y = einsum.kernel (%p = %a : tensor<64x16xf32>, %q = %b : tensor<16x32xf32>) -> tensor<64x32xf32> {
    %sum = einsum.contract "mk -> " (%p) : (tensor<64x16xf32>) -> tensor<f32>
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<64x16xf32>, tensor<16x32xf32>) -> tensor<64x32xf32>
    %square = arith.mulf %ab, %ab : tensor<64x32xf32>
    einsum.yield %square : tensor<64x32xf32>
  }
  %z = einsum.kernel (%p = %y : tensor<64x32xf32>) -> tensor<64x32xf32> {
    %copy = einsum.contract "mn -> mn" (%p) : (tensor<64x32xf32>) -> tensor<64x32xf32>
    einsum.yield %copy : tensor<64x32xf32>
  }
  return %y, %z : tensor<64x32xf32>, tensor<64x32xf32>
}
