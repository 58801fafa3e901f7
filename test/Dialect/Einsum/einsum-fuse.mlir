// einsum-fuse: which kernels it makes of contractions and the pointwise ops around them. That they compute the same is
// tested by einsum-fuse-run.mlir, remarks by einsum-fuse-remark.mlir.
//
// RUN: tile-opt --einsum-fuse --split-input-file %s | FileCheck %s
// RUN: tile-opt --einsum-fuse --split-input-file %s | tile-opt --einsum-fuse --split-input-file | FileCheck %s --check-prefix=AGAIN
// RUN: tile-opt --einsum-fuse=prologues=false --split-input-file %s | FileCheck %s --check-prefix=NOPROLOGUE
// RUN: tile-opt --einsum-fuse=max-contractions=2 --split-input-file %s | FileCheck %s --check-prefix=TWO
// RUN: tile-opt --einsum-fuse=max-contractions=1 --split-input-file %s | FileCheck %s --check-prefix=ONE

// Kernels are not made of kernels.
// AGAIN-LABEL: @epilogue(
// AGAIN: einsum.kernel
// AGAIN-NOT: einsum.kernel
// AGAIN-LABEL: @casts(

// The epilogue: element-wise ops, whose operands are results of the kernel's ops or inputs of it. The constant is copied.
// CHECK-LABEL: func.func @epilogue(
// CHECK-SAME: %[[A:.*]]: tensor<64x32xf32>, %[[B:.*]]: tensor<32x48xf32>, %[[C:.*]]: tensor<64x48xf32>)
// CHECK: %[[Y:.*]] = einsum.kernel (%[[P:.*]] = %[[A]] : tensor<64x32xf32>, %[[Q:.*]] = %[[B]] : tensor<32x48xf32>, %[[R:.*]] = %[[C]] : tensor<64x48xf32>) -> tensor<64x48xf32> {
// CHECK-NEXT: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<64x48xf32>
// CHECK-NEXT: %[[AB:.*]] = einsum.contract "mk, kn -> mn" (%[[P]], %[[Q]])
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[AB]], %[[R]]
// CHECK-NEXT: %[[RELU:.*]] = arith.maximumf %[[SUM]], %[[ZERO]]
// CHECK-NEXT: einsum.yield %[[RELU]]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[Y]]
func.func @epilogue(%a: tensor<64x32xf32>, %b: tensor<32x48xf32>, %c: tensor<64x48xf32>) -> tensor<64x48xf32> {
  %zero = arith.constant dense<0.0> : tensor<64x48xf32>
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<64x32xf32>, tensor<32x48xf32>) -> tensor<64x48xf32>
  %sum = arith.addf %ab, %c : tensor<64x48xf32>
  %relu = arith.maximumf %sum, %zero : tensor<64x48xf32>
  return %relu : tensor<64x48xf32>
}

// -----

// Uses of one value more than once, an i1 in between, and a cast at the end.
// CHECK-LABEL: func.func @casts(
// CHECK: einsum.kernel ({{.*}}) -> tensor<8x6xf16> {
// CHECK: einsum.contract
// CHECK: arith.cmpf
// CHECK: math.tanh
// CHECK: arith.mulf
// CHECK: arith.select
// CHECK: %[[CAST:.*]] = arith.truncf
// CHECK-NEXT: einsum.yield %[[CAST]] : tensor<8x6xf16>
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @casts(%a: tensor<8x4xf16>, %b: tensor<4x6xf16>) -> tensor<8x6xf16> {
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) {acc = f32} : (tensor<8x4xf16>, tensor<4x6xf16>) -> tensor<8x6xf32>
  %zero = arith.constant dense<0.0> : tensor<8x6xf32>
  %positive = arith.cmpf ogt, %ab, %zero : tensor<8x6xf32>
  %tanh = math.tanh %ab : tensor<8x6xf32>
  %product = arith.mulf %ab, %tanh : tensor<8x6xf32>
  %selected = arith.select %positive, %product, %tanh : tensor<8x6xi1>, tensor<8x6xf32>
  %half = arith.truncf %selected : tensor<8x6xf32> to tensor<8x6xf16>
  return %half : tensor<8x6xf16>
}

// -----

// A bias per column by linalg.broadcast and one per row by linalg.generic: inputs are the vectors. What tensor.empty and
// linalg.fill make is copied.
// CHECK-LABEL: func.func @bias(
// CHECK-SAME: %[[A:.*]]: tensor<8x4xf32>, %[[B:.*]]: tensor<4x6xf32>, %[[C:.*]]: tensor<6xf32>, %[[D:.*]]: tensor<8xf32>)
// CHECK: einsum.kernel ({{.*}} = %[[A]] : tensor<8x4xf32>, {{.*}} = %[[B]] : tensor<4x6xf32>, %[[R:.*]] = %[[C]] : tensor<6xf32>, %[[S:.*]] = %[[D]] : tensor<8xf32>) -> tensor<8x6xf32> {
// CHECK: tensor.empty
// CHECK: linalg.fill
// CHECK: einsum.contract
// CHECK: linalg.broadcast ins(%[[R]] : tensor<6xf32>)
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %[[S]] : tensor<8x6xf32>, tensor<8xf32>)
// CHECK: linalg.mul
// CHECK: einsum.yield
// CHECK-NEXT: }
// CHECK-NEXT: return
func.func @bias(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>, %columns: tensor<6xf32>, %rows: tensor<8xf32>) -> tensor<8x6xf32> {
  %half = arith.constant 0.5 : f32
  %empty = tensor.empty() : tensor<8x6xf32>
  %halves = linalg.fill ins(%half : f32) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %c = linalg.broadcast ins(%columns : tensor<6xf32>) outs(%empty : tensor<8x6xf32>) dimensions = [0]
  %sum = arith.addf %ab, %c : tensor<8x6xf32>
  %more = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
                          iterator_types = ["parallel", "parallel"]}
      ins(%sum, %rows : tensor<8x6xf32>, tensor<8xf32>) outs(%empty : tensor<8x6xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %z = arith.addf %x, %y : f32
    linalg.yield %z : f32
  } -> tensor<8x6xf32>
  %scaled = linalg.mul ins(%more, %halves : tensor<8x6xf32>, tensor<8x6xf32>) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  return %scaled : tensor<8x6xf32>
}

// -----

// Dynamic sizes. Those of results are taken from what the kernel reads, so that nobody else uses them; of an allocation the
// kernel gets the size, by the allocation itself.
// CHECK-LABEL: func.func @dynamic(
// CHECK-SAME: %[[A:.*]]: tensor<?x?xf16>, %[[B:.*]]: tensor<?x?xf16>, %[[C:.*]]: tensor<?xf32>)
// CHECK: %[[M:.*]] = tensor.dim %[[A]],
// CHECK: tensor.dim %[[A]],
// CHECK: %[[N:.*]] = tensor.dim %[[B]],
// CHECK-NOT: tensor.dim %{{[0-9]}}
// CHECK: %[[EMPTY:.*]] = tensor.empty(%[[M]], %[[N]])
// CHECK-NOT: linalg.fill
// CHECK: %[[Y:.*]] = einsum.kernel (%[[P:.*]] = %[[A]] : tensor<?x?xf16>, %[[Q:.*]] = %[[B]] : tensor<?x?xf16>, %[[R:.*]] = %[[C]] : tensor<?xf32>, %[[S:.*]] = %[[EMPTY]] : tensor<?x?xf32>) -> tensor<?x?xf32> {
// CHECK: %[[ZERO:.*]] = linalg.fill {{.*}} outs(%[[S]] : tensor<?x?xf32>)
// CHECK: %[[HALF:.*]] = arith.negf %[[P]]
// CHECK: %[[AB:.*]] = einsum.contract "mk, kn -> mn" (%[[HALF]], %[[Q]])
// CHECK: %[[BIAS:.*]] = linalg.broadcast ins(%[[R]] : tensor<?xf32>) outs(%[[S]] : tensor<?x?xf32>)
// CHECK: %[[SUM:.*]] = arith.addf %[[AB]], %[[BIAS]]
// CHECK: %[[RELU:.*]] = arith.maximumf %[[SUM]], %[[ZERO]]
// CHECK: einsum.yield %[[RELU]]
// CHECK: return %[[Y]]
func.func @dynamic(%a: tensor<?x?xf16>, %b: tensor<?x?xf16>, %c: tensor<?xf32>) -> tensor<?x?xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %negated = arith.negf %a : tensor<?x?xf16>
  %ab = einsum.contract "mk, kn -> mn" (%negated, %b) : (tensor<?x?xf16>, tensor<?x?xf16>) -> tensor<?x?xf32>
  %m = tensor.dim %ab, %c0 : tensor<?x?xf32>
  %n = tensor.dim %ab, %c1 : tensor<?x?xf32>
  %empty = tensor.empty(%m, %n) : tensor<?x?xf32>
  %zeros = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x?xf32>) -> tensor<?x?xf32>
  %bias = linalg.broadcast ins(%c : tensor<?xf32>) outs(%empty : tensor<?x?xf32>) dimensions = [0]
  %sum = arith.addf %ab, %bias : tensor<?x?xf32>
  %relu = arith.maximumf %sum, %zeros : tensor<?x?xf32>
  return %relu : tensor<?x?xf32>
}

// -----

// A fill with a number that is not constant stays outside: kernels take tensors.
// CHECK-LABEL: func.func @fill_with_argument(
// CHECK: %[[FILLED:.*]] = linalg.fill
// CHECK: einsum.kernel ({{.*}}, %[[S:.*]] = %[[FILLED]] : tensor<8x6xf32>)
// CHECK: arith.mulf %{{.*}}, %[[S]]
func.func @fill_with_argument(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>, %s: f32) -> tensor<8x6xf32> {
  %empty = tensor.empty() : tensor<8x6xf32>
  %filled = linalg.fill ins(%s : f32) outs(%empty : tensor<8x6xf32>) -> tensor<8x6xf32>
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %scaled = arith.mulf %ab, %filled : tensor<8x6xf32>
  return %scaled : tensor<8x6xf32>
}

// -----

// A constant of several values is an input.
// CHECK-LABEL: func.func @table_of_constants(
// CHECK: %[[TABLE:.*]] = arith.constant dense<{{\[\[}}1.000000e+00, 2.000000e+00]]>
// CHECK: einsum.kernel ({{.*}}, %[[S:.*]] = %[[TABLE]] : tensor<1x2xf32>)
// CHECK-NOT: arith.constant
// CHECK: einsum.yield
func.func @table_of_constants(%a: tensor<1x4xf32>, %b: tensor<4x2xf32>) -> tensor<1x2xf32> {
  %table = arith.constant dense<[[1.0, 2.0]]> : tensor<1x2xf32>
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<1x4xf32>, tensor<4x2xf32>) -> tensor<1x2xf32>
  %sum = arith.addf %ab, %table : tensor<1x2xf32>
  return %sum : tensor<1x2xf32>
}

// -----

// Prologues: relu of one operand, a cast of the other. The kernel's last op is the contraction. NOPROLOGUE leaves it alone.
// CHECK-LABEL: func.func @prologue(
// CHECK: einsum.kernel (%[[P:.*]] = %{{.*}} : tensor<8x4xf32>, %[[Q:.*]] = %{{.*}} : tensor<4x6xf16>) -> tensor<8x6xf32> {
// CHECK: %[[RELU:.*]] = arith.maximumf %[[P]]
// CHECK-NEXT: %[[CAST:.*]] = arith.extf %[[Q]]
// CHECK-NEXT: %[[AB:.*]] = einsum.contract "mk, kn -> mn" (%[[RELU]], %[[CAST]])
// CHECK-NEXT: einsum.yield %[[AB]]
// NOPROLOGUE-LABEL: func.func @prologue(
// NOPROLOGUE-NOT: einsum.kernel
// NOPROLOGUE: return
func.func @prologue(%a: tensor<8x4xf32>, %b: tensor<4x6xf16>) -> tensor<8x6xf32> {
  %zero = arith.constant dense<0.0> : tensor<8x4xf32>
  %relu = arith.maximumf %a, %zero : tensor<8x4xf32>
  %cast = arith.extf %b : tensor<4x6xf16> to tensor<4x6xf32>
  %ab = einsum.contract "mk, kn -> mn" (%relu, %cast) : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  return %ab : tensor<8x6xf32>
}

// -----

// A pointwise op may be prologue of both operands and epilogue at once. With prologues=false it stays outside, and the
// epilogue is fused.
// CHECK-LABEL: func.func @prologue_and_epilogue(
// CHECK-SAME: %[[A:.*]]: tensor<8x8xf32>)
// CHECK-NEXT: einsum.kernel (%[[P:.*]] = %[[A]] : tensor<8x8xf32>) -> tensor<8x8xf32> {
// CHECK-NEXT: %[[E:.*]] = math.exp %[[P]]
// CHECK-NEXT: %[[EE:.*]] = einsum.contract "mk, kn -> mn" (%[[E]], %[[E]])
// CHECK-NEXT: arith.addf %[[EE]], %[[E]]
// NOPROLOGUE-LABEL: func.func @prologue_and_epilogue(
// NOPROLOGUE-NEXT: %[[E:.*]] = math.exp
// NOPROLOGUE-NEXT: einsum.kernel (%[[P:.*]] = %[[E]] : tensor<8x8xf32>)
// NOPROLOGUE-NEXT: %[[EE:.*]] = einsum.contract "mk, kn -> mn" (%[[P]], %[[P]])
// NOPROLOGUE-NEXT: arith.addf %[[EE]], %[[P]]
func.func @prologue_and_epilogue(%a: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %e = math.exp %a : tensor<8x8xf32>
  %ee = einsum.contract "mk, kn -> mn" (%e, %e) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %sum = arith.addf %ee, %e : tensor<8x8xf32>
  return %sum : tensor<8x8xf32>
}

// -----

// Two contractions into one addition. The operands of the second are exchanged, so that its rows are those of the first.
// CHECK-LABEL: func.func @two_contractions(
// CHECK-SAME: %[[A:.*]]: tensor<8x4xf32>, %[[B:.*]]: tensor<4x6xf32>, %[[C:.*]]: tensor<8x3xf32>, %[[D:.*]]: tensor<3x6xf32>)
// CHECK-NEXT: %[[Y:.*]] = einsum.kernel (%[[P:.*]] = %[[A]] : tensor<8x4xf32>, %[[Q:.*]] = %[[B]] : tensor<4x6xf32>, %[[R:.*]] = %[[C]] : tensor<8x3xf32>, %[[S:.*]] = %[[D]] : tensor<3x6xf32>)
// CHECK-NEXT: %[[AB:.*]] = einsum.contract "mk, kn -> mn" (%[[P]], %[[Q]])
// CHECK-NEXT: %[[CD:.*]] = einsum.contract "mk, kn -> mn" (%[[R]], %[[S]]) : (tensor<8x3xf32>, tensor<3x6xf32>) -> tensor<8x6xf32>
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[AB]], %[[CD]]
// CHECK-NEXT: einsum.yield %[[SUM]]
// CHECK-NEXT: }
// CHECK-NEXT: return %[[Y]]
// TWO-LABEL: func.func @two_contractions(
// TWO-NEXT: einsum.kernel
// ONE-LABEL: func.func @two_contractions(
// ONE-NEXT: %[[AB:.*]] = einsum.contract "mk, kn -> mn"
// ONE-NEXT: einsum.kernel ({{.*}} = %[[AB]] : tensor<8x6xf32>)
// ONE-NEXT: einsum.contract
// ONE-NEXT: arith.addf
func.func @two_contractions(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>, %c: tensor<8x3xf32>, %d: tensor<3x6xf32>) -> tensor<8x6xf32> {
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %cd = einsum.contract "kn, mk -> mn" (%d, %c) : (tensor<3x6xf32>, tensor<8x3xf32>) -> tensor<8x6xf32>
  %sum = arith.addf %ab, %cd : tensor<8x6xf32>
  return %sum : tensor<8x6xf32>
}

// -----

// Tables follow the operands that they belong to when these are exchanged.
// CHECK-LABEL: func.func @exchanged_tables(
// CHECK: einsum.kernel
// CHECK: einsum.contract "(v[h])k, (u[k])n -> hn" (%{{.*}}, %{{.*}}) tables(v = %[[V:.*]] : tensor<5xi64>, u = %[[U:.*]] : tensor<4xi32>) {pad = "zero"} : (tensor<9x4xf32>, tensor<7x6xf32>) -> tensor<5x6xf32>
func.func @exchanged_tables(%x: tensor<9x4xf32>, %w: tensor<7x6xf32>, %u: tensor<4xi32>, %v: tensor<5xi64>) -> tensor<5x6xf32> {
  %0 = einsum.contract "(u[k])n, (v[h])k -> hn" (%w, %x) tables(u = %u : tensor<4xi32>, v = %v : tensor<5xi64>) {pad = "zero"}
      : (tensor<7x6xf32>, tensor<9x4xf32>) -> tensor<5x6xf32>
  %1 = arith.negf %0 : tensor<5x6xf32>
  return %1 : tensor<5x6xf32>
}

// -----

// Five contractions: as many as the option allows are in a kernel, the last ones.
// CHECK-LABEL: func.func @five(
// CHECK-COUNT-1: einsum.contract
// CHECK-NOT: einsum.contract
// CHECK: einsum.kernel
// CHECK-COUNT-4: einsum.contract
// CHECK-NOT: einsum.contract
// CHECK: einsum.yield
// TWO-LABEL: func.func @five(
// TWO-COUNT-3: einsum.contract
// TWO: einsum.kernel
// TWO-COUNT-2: einsum.contract
// TWO: einsum.yield
func.func @five(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>, %c: tensor<4x6xf32>) -> tensor<8x6xf32> {
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %1 = einsum.contract "mk, kn -> mn" (%a, %c) : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %2 = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %3 = einsum.contract "mk, kn -> mn" (%a, %c) : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %4 = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %5 = arith.subf %0, %1 : tensor<8x6xf32>
  %6 = arith.mulf %2, %3 : tensor<8x6xf32>
  %7 = arith.addf %5, %6 : tensor<8x6xf32>
  %8 = arith.maximumf %7, %4 : tensor<8x6xf32>
  return %8 : tensor<8x6xf32>
}

// -----

// A product and an outer product are divided in different ways: the second contraction stays outside.
// CHECK-LABEL: func.func @other_division(
// CHECK-NEXT: einsum.contract "mk, kn -> mn"
// CHECK-NEXT: einsum.kernel
// CHECK-NEXT: einsum.contract "m, n -> mn"
// CHECK-NEXT: arith.addf
func.func @other_division(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>, %c: tensor<8xf32>, %d: tensor<6xf32>) -> tensor<8x6xf32> {
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %cd = einsum.contract "m, n -> mn" (%c, %d) : (tensor<8xf32>, tensor<6xf32>) -> tensor<8x6xf32>
  %sum = arith.addf %ab, %cd : tensor<8x6xf32>
  return %sum : tensor<8x6xf32>
}

// -----

// What is used outside as well stays outside: as an input of the kernel, or of none.
// CHECK-LABEL: func.func @used_outside(
// CHECK-NEXT: %[[AB:.*]] = einsum.contract
// CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[AB]]
// CHECK-NEXT: %[[TANH:.*]] = math.tanh %[[SUM]]
// CHECK-NEXT: return %[[AB]], %[[TANH]]
func.func @used_outside(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>, %c: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %sum = arith.addf %ab, %c : tensor<8x6xf32>
  %tanh = math.tanh %sum : tensor<8x6xf32>
  return %ab, %tanh : tensor<8x6xf32>, tensor<8x6xf32>
}

// -----

// Here the sum is used outside: it is the last op of a kernel, and what comes after it stays.
// CHECK-LABEL: func.func @used_outside_later(
// CHECK-NEXT: %[[Y:.*]] = einsum.kernel
// CHECK: arith.addf
// CHECK-NEXT: einsum.yield
// CHECK-NEXT: }
// CHECK-NEXT: %[[TANH:.*]] = math.tanh %[[Y]]
// CHECK-NEXT: return %[[Y]], %[[TANH]]
func.func @used_outside_later(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>, %c: tensor<8x6xf32>) -> (tensor<8x6xf32>, tensor<8x6xf32>) {
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %sum = arith.addf %ab, %c : tensor<8x6xf32>
  %tanh = math.tanh %sum : tensor<8x6xf32>
  return %sum, %tanh : tensor<8x6xf32>, tensor<8x6xf32>
}

// -----

// A chain of two contractions is two kernels. What stands between them joins the second as its prologue; with
// prologues=false it is the epilogue of the first.
// CHECK-LABEL: func.func @chain(
// CHECK: %[[AB:.*]] = einsum.contract "mk, kn -> mn" (%{{.*}}, %{{.*}}) : (tensor<8x4xf32>, tensor<4x6xf32>)
// CHECK-NEXT: %[[Y:.*]] = einsum.kernel (%[[P:.*]] = %[[AB]] : tensor<8x6xf32>
// CHECK: %[[RELU:.*]] = arith.maximumf %[[P]]
// CHECK-NEXT: %[[ABC:.*]] = einsum.contract "mk, kn -> mn" (%[[RELU]]
// CHECK-NEXT: math.tanh %[[ABC]]
// NOPROLOGUE-LABEL: func.func @chain(
// NOPROLOGUE: %[[Z:.*]] = einsum.kernel
// NOPROLOGUE: einsum.contract
// NOPROLOGUE-NEXT: arith.maximumf
// NOPROLOGUE-NEXT: einsum.yield
// NOPROLOGUE: einsum.kernel (%{{.*}} = %[[Z]] : tensor<8x6xf32>
// NOPROLOGUE-NEXT: einsum.contract
// NOPROLOGUE-NEXT: math.tanh
// NOPROLOGUE-NEXT: einsum.yield
func.func @chain(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>, %c: tensor<6x5xf32>) -> tensor<8x5xf32> {
  %zero = arith.constant dense<0.0> : tensor<8x6xf32>
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %relu = arith.maximumf %ab, %zero : tensor<8x6xf32>
  %abc = einsum.contract "mk, kn -> mn" (%relu, %c) : (tensor<8x6xf32>, tensor<6x5xf32>) -> tensor<8x5xf32>
  %tanh = math.tanh %abc : tensor<8x5xf32>
  return %tanh : tensor<8x5xf32>
}

// -----

// A program has the block of its place, not the transposed one: this contraction stays outside, and no kernel is made.
// CHECK-LABEL: func.func @transposed(
// CHECK-NOT: einsum.kernel
// CHECK: return
func.func @transposed(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>, %c: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %empty = tensor.empty() : tensor<6x8xf32>
  %t = linalg.transpose ins(%ab : tensor<8x6xf32>) outs(%empty : tensor<6x8xf32>) permutation = [1, 0]
  %sum = arith.addf %t, %c : tensor<6x8xf32>
  return %sum : tensor<6x8xf32>
}

// -----

// The same value directly and transposed.
// CHECK-LABEL: func.func @symmetrized(
// CHECK-NOT: einsum.kernel
// CHECK: return
func.func @symmetrized(%a: tensor<8x4xf32>, %b: tensor<4x8xf32>) -> tensor<8x8xf32> {
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %empty = tensor.empty() : tensor<8x8xf32>
  %t = linalg.transpose ins(%ab : tensor<8x8xf32>) outs(%empty : tensor<8x8xf32>) permutation = [1, 0]
  %sum = arith.addf %ab, %t : tensor<8x8xf32>
  return %sum : tensor<8x8xf32>
}

// -----

// Leaves and operands may be transposed.
// CHECK-LABEL: func.func @transposed_leaves(
// CHECK-SAME: %[[A:.*]]: tensor<4x8xf32>, %[[B:.*]]: tensor<4x6xf32>, %[[C:.*]]: tensor<6x8xf32>)
// CHECK: einsum.kernel (%[[P:.*]] = %[[A]] : tensor<4x8xf32>, %{{.*}} = %[[B]] : tensor<4x6xf32>, %[[R:.*]] = %[[C]] : tensor<6x8xf32>)
// CHECK: linalg.transpose ins(%[[P]]
// CHECK: einsum.contract
// CHECK: linalg.transpose ins(%[[R]]
func.func @transposed_leaves(%a: tensor<4x8xf32>, %b: tensor<4x6xf32>, %c: tensor<6x8xf32>) -> tensor<8x6xf32> {
  %empty_a = tensor.empty() : tensor<8x4xf32>
  %at = linalg.transpose ins(%a : tensor<4x8xf32>) outs(%empty_a : tensor<8x4xf32>) permutation = [1, 0]
  %ab = einsum.contract "mk, kn -> mn" (%at, %b) : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %empty = tensor.empty() : tensor<8x6xf32>
  %ct = linalg.transpose ins(%c : tensor<6x8xf32>) outs(%empty : tensor<8x6xf32>) permutation = [1, 0]
  %sum = arith.addf %ab, %ct : tensor<8x6xf32>
  return %sum : tensor<8x6xf32>
}

// -----

// The result of a contraction broadcast to more axes is not there in each program.
// CHECK-LABEL: func.func @broadcast_result(
// CHECK-NEXT: %[[ROWS:.*]] = einsum.contract "ij -> i"
// CHECK: einsum.kernel ({{.*}}, %{{.*}} = %[[ROWS]] : tensor<8xf32>)
// CHECK: einsum.contract "mk, kn -> mn"
func.func @broadcast_result(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>) -> tensor<8x6xf32> {
  %rows = einsum.contract "ij -> i" (%a) : (tensor<8x4xf32>) -> tensor<8xf32>
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %empty = tensor.empty() : tensor<8x6xf32>
  %wide = linalg.broadcast ins(%rows : tensor<8xf32>) outs(%empty : tensor<8x6xf32>) dimensions = [1]
  %quotient = arith.divf %ab, %wide : tensor<8x6xf32>
  return %quotient : tensor<8x6xf32>
}

// -----

// Three operands are for einsum-contract-pairwise.
// CHECK-LABEL: func.func @three_operands(
// CHECK-NOT: einsum.kernel
// CHECK: return
func.func @three_operands(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>, %c: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %e = math.exp %a : tensor<8x4xf32>
  %abc = einsum.contract "mk, kn, mn -> mn" (%e, %b, %c) : (tensor<8x4xf32>, tensor<4x6xf32>, tensor<8x6xf32>) -> tensor<8x6xf32>
  %sum = arith.addf %abc, %c : tensor<8x6xf32>
  return %sum : tensor<8x6xf32>
}

// -----

// Memory does not address i1.
// CHECK-LABEL: func.func @mask_from_outside(
// CHECK-NOT: einsum.kernel
// CHECK: return
func.func @mask_from_outside(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>, %c: tensor<8x6xf32>, %m: tensor<8x6xi1>) -> tensor<8x6xf32> {
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %selected = arith.select %m, %ab, %c : tensor<8x6xi1>, tensor<8x6xf32>
  return %selected : tensor<8x6xf32>
}

// -----

// A mask that is computed of what is not i1 joins, and a mask that is constant is copied.
// CHECK-LABEL: func.func @mask_from_inside(
// CHECK: einsum.kernel
// CHECK: arith.constant dense<true>
// CHECK: arith.cmpi
// CHECK: arith.select
func.func @mask_from_inside(%a: tensor<8x4xf32>, %b: tensor<4x6xf32>, %c: tensor<8x6xf32>, %m: tensor<8x6xi8>) -> tensor<8x6xf32> {
  %zero = arith.constant dense<0> : tensor<8x6xi8>
  %yes = arith.constant dense<true> : tensor<8x6xi1>
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<8x4xf32>, tensor<4x6xf32>) -> tensor<8x6xf32>
  %mask = arith.cmpi ne, %m, %zero : tensor<8x6xi8>
  %both = arith.andi %mask, %yes : tensor<8x6xi1>
  %selected = arith.select %both, %ab, %c : tensor<8x6xi1>, tensor<8x6xf32>
  return %selected : tensor<8x6xf32>
}

// -----

// Sizes of which some are dynamic.
// CHECK-LABEL: func.func @dynamic_rows(
// CHECK: einsum.kernel (%{{.*}} = %{{.*}} : tensor<?x4xf32>, %{{.*}} = %{{.*}} : tensor<4x6xf32>, %{{.*}} : tensor<?x6xf32>)
func.func @dynamic_rows(%a: tensor<?x4xf32>, %b: tensor<4x6xf32>, %c: tensor<?x6xf32>) -> tensor<?x6xf32> {
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<?x4xf32>, tensor<4x6xf32>) -> tensor<?x6xf32>
  %sum = arith.addf %ab, %c : tensor<?x6xf32>
  return %sum : tensor<?x6xf32>
}
// CHECK-LABEL: func.func @dynamic_sum(
// CHECK: einsum.kernel (%{{.*}} = %{{.*}} : tensor<8x?xf32>, %{{.*}} = %{{.*}} : tensor<?x6xf32>, %{{.*}} : tensor<8x6xf32>)
func.func @dynamic_sum(%a: tensor<8x?xf32>, %b: tensor<?x6xf32>, %c: tensor<8x6xf32>) -> tensor<8x6xf32> {
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<8x?xf32>, tensor<?x6xf32>) -> tensor<8x6xf32>
  %sum = arith.addf %ab, %c : tensor<8x6xf32>
  return %sum : tensor<8x6xf32>
}

// -----

// Two kernels in one block, of which the second reads the first; both copy one constant.
// CHECK-LABEL: func.func @two_kernels(
// CHECK: %[[Y:.*]] = einsum.kernel
// CHECK-NEXT: arith.constant dense<5.000000e-01> : tensor<8x8xf32>
// CHECK: einsum.yield
// CHECK: %[[Z:.*]] = einsum.kernel ({{.*}}%[[Y]] : tensor<8x8xf32>
// CHECK-NEXT: arith.constant dense<5.000000e-01> : tensor<8x8xf32>
// CHECK: einsum.yield
// CHECK: return %[[Y]], %[[Z]]
func.func @two_kernels(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> (tensor<8x8xf32>, tensor<8x8xf32>) {
  %half = arith.constant dense<0.5> : tensor<8x8xf32>
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %y = arith.mulf %ab, %half : tensor<8x8xf32>
  %yb = einsum.contract "mk, kn -> mn" (%y, %b) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %z = arith.mulf %yb, %half : tensor<8x8xf32>
  return %y, %z : tensor<8x8xf32>, tensor<8x8xf32>
}

// -----

// Bodies of loops are blocks, too; a use in another block is one outside of the kernel.
// CHECK-LABEL: func.func @loop(
// CHECK: %[[AB:.*]] = einsum.contract "mk, kn -> mn"
// CHECK: scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}})
// CHECK-NEXT: %[[Y:.*]] = einsum.kernel (%[[P:.*]] = %[[X]] : tensor<8x8xf32>, {{.*}} = %[[AB]] : tensor<8x8xf32>)
// CHECK-NEXT: einsum.contract "mk, kn -> mn" (%[[P]],
// CHECK-NEXT: arith.addf
// CHECK-NEXT: einsum.yield
// CHECK-NEXT: }
// CHECK-NEXT: scf.yield %[[Y]]
func.func @loop(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>, %n: index) -> tensor<8x8xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %r = scf.for %i = %c0 to %n step %c1 iter_args(%x = %a) -> tensor<8x8xf32> {
    %xx = einsum.contract "mk, kn -> mn" (%x, %x) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %sum = arith.addf %xx, %ab : tensor<8x8xf32>
    scf.yield %sum : tensor<8x8xf32>
  }
  return %r : tensor<8x8xf32>
}

// -----

// Nothing to fuse: a contraction alone, pointwise ops alone, one on memrefs, elements that tiles do not hold.
// CHECK-LABEL: func.func @nothing(
// CHECK-NOT: einsum.kernel
// CHECK: return
func.func @nothing(%a: tensor<8x8xf32>, %m: memref<8x8xf32>, %n: memref<8x8xf32>, %i: tensor<8x8xi32>)
    -> (tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xindex>, tensor<8x8xi32>) {
  %aa = einsum.contract "mk, kn -> mn" (%a, %a) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  %e = math.exp %a : tensor<8x8xf32>
  %f = math.absf %e : tensor<8x8xf32>
  einsum.contract "ij -> ji" (%m) outs(%n : memref<8x8xf32>) : (memref<8x8xf32>)
  %ii = einsum.contract "mk, kn -> mn" (%i, %i) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
  %index = arith.index_cast %ii : tensor<8x8xi32> to tensor<8x8xindex>
  // The divisor may be 0.
  %jj = einsum.contract "mk, kn -> nm" (%i, %i) : (tensor<8x8xi32>, tensor<8x8xi32>) -> tensor<8x8xi32>
  %quotient = arith.divsi %jj, %i : tensor<8x8xi32>
  return %aa, %f, %index, %quotient : tensor<8x8xf32>, tensor<8x8xf32>, tensor<8x8xindex>, tensor<8x8xi32>
}
