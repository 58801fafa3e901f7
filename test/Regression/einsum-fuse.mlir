// What einsum-fuse and the lowering of kernels once did wrong.
//
// RUN: split-file %s %t.d
// RUN: tile-opt %t.d/fuse.mlir --split-input-file --einsum-fuse | FileCheck %s
// RUN: tile-opt %t.d/fuse.mlir --split-input-file --einsum-to-tile-pipeline="config={block=4x4x4}" -o /dev/null
// RUN: tile-opt %t.d/inline.mlir --einsum-inline-kernels | FileCheck %s --check-prefix=INLINE
// RUN: tile-run %t.d/remainder.mlir --random=1 --check=interp --pipeline="einsum-to-tile-pipeline{config={block=16x8x4}},tile-to-cpu-pipeline"
// RUN: tile-run %t.d/condition.mlir --random=1 --check=interp --pipeline="einsum-to-tile-pipeline{config={block=4x4x4}},tile-to-cpu-pipeline"

#--- fuse.mlir
// The last op of a kernel is a contraction whose operands are exchanged: it was used after it had been erased.
// CHECK-LABEL: func.func @exchanged
// CHECK: einsum.kernel
// CHECK: einsum.contract "mk, kn -> mn"
func.func @exchanged(%a: tensor<4x4xf32>, %b: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %e = math.exp %a : tensor<4x4xf32>
  %y = einsum.contract "kn, mk -> mn" (%b, %e) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
  return %y : tensor<4x4xf32>
}

// -----

// The body of an op that had become part of a kernel was visited afterwards.
// CHECK-LABEL: func.func @map
// CHECK: einsum.kernel
// CHECK-NOT: einsum.kernel
// CHECK: return
func.func @map(%a: tensor<4x3xf32>, %b: tensor<3x5xf32>, %c: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<4x3xf32>, tensor<3x5xf32>) -> tensor<4x5xf32>
  %e = tensor.empty() : tensor<4x5xf32>
  %s = linalg.map { arith.addf } ins(%ab, %c : tensor<4x5xf32>, tensor<4x5xf32>) outs(%e : tensor<4x5xf32>)
  return %s : tensor<4x5xf32>
}

// -----

// Constants that are not dense are operands.
// CHECK-LABEL: func.func @resource
// CHECK: %[[C:.*]] = arith.constant dense_resource
// CHECK: einsum.kernel ({{.*}} = %[[C]] : tensor<2x2xf32>
func.func @resource(%a: tensor<2x4xf32>, %b: tensor<4x2xf32>) -> tensor<2x2xf32> {
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<2x4xf32>, tensor<4x2xf32>) -> tensor<2x2xf32>
  %c = arith.constant dense_resource<bias> : tensor<2x2xf32>
  %s = arith.addf %ab, %c : tensor<2x2xf32>
  return %s : tensor<2x2xf32>
}
{-# dialect_resources: { builtin: { bias: "0x040000000000803F000000400000404000008040" } } #-}

// -----

// Tiles have no elements of index, not as constants either.
// CHECK-LABEL: func.func @index
// CHECK: arith.index_cast
// CHECK: einsum.kernel
func.func @index(%a: tensor<4x4xi32>, %b: tensor<4x4xi32>) -> tensor<4x4xi32> {
  %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<4x4xi32>, tensor<4x4xi32>) -> tensor<4x4xi32>
  %i = arith.constant dense<3> : tensor<4x4xindex>
  %c = arith.index_cast %i : tensor<4x4xindex> to tensor<4x4xi32>
  %s = arith.addi %ab, %c : tensor<4x4xi32>
  return %s : tensor<4x4xi32>
}

// -----

// Values that are used twice by each op took exponential time.
// CHECK-LABEL: func.func @chain
// CHECK: einsum.kernel
func.func @chain(%a: tensor<8x4xf32>, %b: tensor<4x8xf32>) -> tensor<8x8xf32> {
  %x0 = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<8x4xf32>, tensor<4x8xf32>) -> tensor<8x8xf32>
  %x1 = arith.addf %x0, %x0 : tensor<8x8xf32>
  %x2 = arith.addf %x1, %x1 : tensor<8x8xf32>
  %x3 = arith.addf %x2, %x2 : tensor<8x8xf32>
  %x4 = arith.addf %x3, %x3 : tensor<8x8xf32>
  %x5 = arith.addf %x4, %x4 : tensor<8x8xf32>
  %x6 = arith.addf %x5, %x5 : tensor<8x8xf32>
  %x7 = arith.addf %x6, %x6 : tensor<8x8xf32>
  %x8 = arith.addf %x7, %x7 : tensor<8x8xf32>
  %x9 = arith.addf %x8, %x8 : tensor<8x8xf32>
  %x10 = arith.addf %x9, %x9 : tensor<8x8xf32>
  %x11 = arith.addf %x10, %x10 : tensor<8x8xf32>
  %x12 = arith.addf %x11, %x11 : tensor<8x8xf32>
  %x13 = arith.addf %x12, %x12 : tensor<8x8xf32>
  %x14 = arith.addf %x13, %x13 : tensor<8x8xf32>
  %x15 = arith.addf %x14, %x14 : tensor<8x8xf32>
  %x16 = arith.addf %x15, %x15 : tensor<8x8xf32>
  %x17 = arith.addf %x16, %x16 : tensor<8x8xf32>
  %x18 = arith.addf %x17, %x17 : tensor<8x8xf32>
  %x19 = arith.addf %x18, %x18 : tensor<8x8xf32>
  %x20 = arith.addf %x19, %x19 : tensor<8x8xf32>
  %x21 = arith.addf %x20, %x20 : tensor<8x8xf32>
  %x22 = arith.addf %x21, %x21 : tensor<8x8xf32>
  %x23 = arith.addf %x22, %x22 : tensor<8x8xf32>
  %x24 = arith.addf %x23, %x23 : tensor<8x8xf32>
  %x25 = arith.addf %x24, %x24 : tensor<8x8xf32>
  %x26 = arith.addf %x25, %x25 : tensor<8x8xf32>
  %x27 = arith.addf %x26, %x26 : tensor<8x8xf32>
  %x28 = arith.addf %x27, %x27 : tensor<8x8xf32>
  %x29 = arith.addf %x28, %x28 : tensor<8x8xf32>
  %x30 = arith.addf %x29, %x29 : tensor<8x8xf32>
  %x31 = arith.addf %x30, %x30 : tensor<8x8xf32>
  %x32 = arith.addf %x31, %x31 : tensor<8x8xf32>
  %x33 = arith.addf %x32, %x32 : tensor<8x8xf32>
  %x34 = arith.addf %x33, %x33 : tensor<8x8xf32>
  %x35 = arith.addf %x34, %x34 : tensor<8x8xf32>
  %x36 = arith.addf %x35, %x35 : tensor<8x8xf32>
  %x37 = arith.addf %x36, %x36 : tensor<8x8xf32>
  %x38 = arith.addf %x37, %x37 : tensor<8x8xf32>
  %x39 = arith.addf %x38, %x38 : tensor<8x8xf32>
  %x40 = arith.addf %x39, %x39 : tensor<8x8xf32>
  return %x40 : tensor<8x8xf32>
}

#--- inline.mlir
// A kernel may yield its argument.
// INLINE-LABEL: func.func @main(
// INLINE-SAME: %[[A:.*]]: tensor<4xf32>
// INLINE-NEXT: return %[[A]]
func.func @main(%a: tensor<4xf32>) -> tensor<4xf32> {
  %y = einsum.kernel (%p = %a : tensor<4xf32>) -> tensor<4xf32> {
    einsum.yield %p : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

#--- remainder.mlir
// Divisors that are 0 in masked elements made programs trap.
func.func @main(%a: tensor<5x5xi32>, %b: tensor<5x5xi32> {einsum.value_range = array<i64: 1, 9>}) -> (tensor<5x5xi32>, tensor<5x5xi32>) {
  %r = arith.remsi %a, %b : tensor<5x5xi32>
  %y = einsum.contract "mk, kn -> mn" (%r, %a) : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi32>
  %z = einsum.contract "mk, kn -> mn" (%a, %a) : (tensor<5x5xi32>, tensor<5x5xi32>) -> tensor<5x5xi32>
  %s = arith.remsi %z, %b : tensor<5x5xi32>
  return %y, %s : tensor<5x5xi32>, tensor<5x5xi32>
}

#--- condition.mlir
// A kernel ended with a condition, which memory does not address.
func.func @main(%a: tensor<4x5x3xf32>, %b: tensor<3xf32>, %c: tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<4x5xf64>) {
  %ab = einsum.contract "mnk, k -> mn" (%a, %b) : (tensor<4x5x3xf32>, tensor<3xf32>) -> tensor<4x5xf32>
  %less = arith.cmpf olt, %ab, %c : tensor<4x5xf32>
  %f = arith.uitofp %less : tensor<4x5xi1> to tensor<4x5xf32>
  %g = arith.uitofp %less : tensor<4x5xi1> to tensor<4x5xf64>
  return %f, %g : tensor<4x5xf32>, tensor<4x5xf64>
}
