// einsum-fuse-dims: which dimensions become one, and why others do not.
//
// RUN: tile-opt --einsum-fuse-dims %s | FileCheck %s
// RUN: tile-opt --einsum-fuse-dims=min-kernel-size=16 %s | FileCheck %s --check-prefix=SMALL
// RUN: tile-opt --einsum-fuse-dims %s --remark-policy=all --remarks-filter=einsum 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: not tile-opt --einsum-fuse-dims=min-kernel-size=-1 %s 2>&1 | FileCheck %s --check-prefix=OPTION

// OPTION: error: einsum-fuse-dims expects min-kernel-size to be 0 or more, found -1

// Three indices become one: each step is that of the next times its size, in the image and the result; the filter does
// not move. With a least size, 14 columns look for a partner, and take the rows; the 196 that they make are large enough
// for a kernel, and the 4 images are not.
// CHECK-LABEL: @one_by_one
// CHECK: dims = [<"nhw" seq 784>, <"k" seq 512>, <"c" seq 256>]
// SMALL-LABEL: @one_by_one
// SMALL: dims = [<"nhw" seq 784
func.func @one_by_one(%x: tensor<4x14x14x256xf32>, %w: tensor<256x512xf32>) -> tensor<4x14x14x512xf32> {
  // REMARK: [[@LINE+1]]:8: remark: [Passed] einsum-fuse-dims | Category:einsum | dims="nhw m seq 784, k n seq 512, c k seq 256"
  %y = einsum.contract "nhwc, ck -> nhwk" (%x, %w) : (tensor<4x14x14x256xf32>, tensor<256x512xf32>) -> tensor<4x14x14x512xf32>
  return %y : tensor<4x14x14x512xf32>
}

// Both are large enough.
// CHECK-LABEL: @large
// CHECK: dims = [<"mn" seq 512>,
// SMALL-LABEL: @large
// SMALL: einsum.contract "mnk, kl -> mnl" (%{{.*}}, %{{.*}}) :
func.func @large(%a: tensor<16x32x64xf32>, %b: tensor<64x64xf32>) -> tensor<16x32x64xf32> {
  %y = einsum.contract "mnk, kl -> mnl" (%a, %b) : (tensor<16x32x64xf32>, tensor<64x64xf32>) -> tensor<16x32x64xf32>
  return %y : tensor<16x32x64xf32>
}

// The sum over a row of the filter, and the channels in it, goes through both operands in order.
// CHECK-LABEL: @sum
// CHECK: <"r" seq 3>, <"sc" seq 192>]
func.func @sum(%x: tensor<4x58x58x64xf32>, %w: tensor<3x3x64x64xf32>) -> tensor<4x56x56x64xf32> {
  %y = einsum.contract "n(h+r)(w+s)c, rsck -> nhwk" (%x, %w) : (tensor<4x58x58x64xf32>, tensor<3x3x64x64xf32>) -> tensor<4x56x56x64xf32>
  return %y : tensor<4x56x56x64xf32>
}

// c and k follow each other in the first operand and not in the second; b and n in the result and not in the second.
// CHECK-LABEL: @brgemm
// CHECK-NOT: schedule
// CHECK: return
func.func @brgemm(%a: tensor<32x8x32x32xf32>, %b: tensor<32x8x32x32xf32>) -> tensor<32x32x32x32xf32> {
  // REMARK: [[@LINE+1]]:8: remark: [Missed] {{.*}} Reason="no two dimensions follow each other in all operands"
  %c = einsum.contract "ackm, bcnk -> abnm" (%a, %b) : (tensor<32x8x32x32xf32>, tensor<32x8x32x32xf32>) -> tensor<32x32x32x32xf32>
  return %c : tensor<32x32x32x32xf32>
}

// A copy of a matrix as it is: one loop.
// CHECK-LABEL: @copy
// CHECK: dims = [<"mn" seq 221>]
func.func @copy(%a: tensor<13x17xf32>) -> tensor<13x17xf32> {
  %y = einsum.contract "mn -> mn" (%a) : (tensor<13x17xf32>) -> tensor<13x17xf32>
  return %y : tensor<13x17xf32>
}

// In memory with gaps between rows they do not follow each other.
// CHECK-LABEL: @gaps
// CHECK-NOT: schedule
// CHECK: return
func.func @gaps(%a: memref<13x17xf32, strided<[32, 1]>>, %y: memref<13x17xf32>) {
  einsum.contract "mn -> mn" (%a) outs(%y : memref<13x17xf32>) : (memref<13x17xf32, strided<[32, 1]>>)
  return
}

// Of two kinds, though no stride tells: those of the second operand are 0.
// CHECK-LABEL: @kinds
// CHECK-NOT: schedule
// CHECK: return
func.func @kinds(%a: memref<4x8xf32>, %b: memref<4xf32, strided<[0]>>, %y: memref<4x8xf32>) {
  einsum.contract "bm, b -> bm" (%a, %b) outs(%y : memref<4x8xf32>) : (memref<4x8xf32>, memref<4xf32, strided<[0]>>)
  return
}

// A dimension that is split already stays; the other one has no partner then.
// CHECK-LABEL: @split
// CHECK: dims = [<"n" seq 17>, <"m" seq 7 step 2>, <"m" seq 2>]
func.func @split(%a: tensor<14x17xf32>) -> tensor<14x17xf32> {
  %y = einsum.contract "mn -> mn" (%a) {schedule = #einsum.schedule<dims = [
      <"n" seq 17>, <"m" seq 7 step 2>, <"m" seq 2>]>}
    : (tensor<14x17xf32>) -> tensor<14x17xf32>
  return %y : tensor<14x17xf32>
}

// Shared and prim dimensions stay.
// CHECK-LABEL: @parallel
// CHECK: dims = [<"m" parallel 14>, <"n" seq 17>]
func.func @parallel(%a: tensor<14x17xf32>) -> tensor<14x17xf32> {
  %y = einsum.contract "mn -> mn" (%a) {schedule = #einsum.schedule<dims = [
      <"m" parallel 14>, <"n" seq 17>]>}
    : (tensor<14x17xf32>) -> tensor<14x17xf32>
  return %y : tensor<14x17xf32>
}

// What a kernel adds is gone through in the same way if it has both indices, or neither.
// CHECK-LABEL: @whole
// CHECK: <"nhw" seq 784
func.func @whole(%x: tensor<4x14x14x32xf32>, %w: tensor<32x64xf32>, %r: tensor<4x14x14x64xf32>) -> tensor<4x14x14x64xf32> {
  %y = einsum.kernel (%p = %x : tensor<4x14x14x32xf32>, %q = %w : tensor<32x64xf32>, %s = %r : tensor<4x14x14x64xf32>) -> tensor<4x14x14x64xf32> {
    %c = einsum.contract "nhwc, ck -> nhwk" (%p, %q) : (tensor<4x14x14x32xf32>, tensor<32x64xf32>) -> tensor<4x14x14x64xf32>
    %z = arith.mulf %c, %s : tensor<4x14x14x64xf32>
    einsum.yield %z : tensor<4x14x14x64xf32>
  }
  return %y : tensor<4x14x14x64xf32>
}

// It has h and not n: only rows and columns become one.
// CHECK-LABEL: @broadcast
// CHECK: <"n" seq 4>, <"hw" seq 196
func.func @broadcast(%x: tensor<4x14x14x32xf32>, %w: tensor<32x64xf32>, %r: tensor<14x14xf32>) -> tensor<4x14x14x64xf32> {
  %y = einsum.kernel (%p = %x : tensor<4x14x14x32xf32>, %q = %w : tensor<32x64xf32>, %s = %r : tensor<14x14xf32>) -> tensor<4x14x14x64xf32> {
    %c = einsum.contract "nhwc, ck -> nhwk" (%p, %q) : (tensor<4x14x14x32xf32>, tensor<32x64xf32>) -> tensor<4x14x14x64xf32>
    %e = tensor.empty() : tensor<4x14x14x64xf32>
    %b = linalg.broadcast ins(%s : tensor<14x14xf32>) outs(%e : tensor<4x14x14x64xf32>) dimensions = [0, 3]
    %z = arith.mulf %c, %b : tensor<4x14x14x64xf32>
    einsum.yield %z : tensor<4x14x14x64xf32>
  }
  return %y : tensor<4x14x14x64xf32>
}

// An op that changes the order of axes.
// CHECK-LABEL: @transposed
// CHECK-NOT: schedule
// CHECK: return
func.func @transposed(%x: tensor<4x14x32xf32>, %w: tensor<32x64xf32>, %r: tensor<4x64x14xf32>) -> tensor<4x14x64xf32> {
  %y = einsum.kernel (%p = %x : tensor<4x14x32xf32>, %q = %w : tensor<32x64xf32>, %s = %r : tensor<4x64x14xf32>) -> tensor<4x14x64xf32> {
    %c = einsum.contract "nhc, ck -> nhk" (%p, %q) : (tensor<4x14x32xf32>, tensor<32x64xf32>) -> tensor<4x14x64xf32>
    %e = tensor.empty() : tensor<4x14x64xf32>
    %b = linalg.transpose ins(%s : tensor<4x64x14xf32>) outs(%e : tensor<4x14x64xf32>) permutation = [0, 2, 1]
    %z = arith.mulf %c, %b : tensor<4x14x64xf32>
    einsum.yield %z : tensor<4x14x64xf32>
  }
  return %y : tensor<4x14x64xf32>
}

// CHECK-LABEL: @dynamic
// CHECK-NOT: schedule
// CHECK: return
func.func @dynamic(%a: tensor<?x17xf32>) -> tensor<?x17xf32> {
  // REMARK: [[@LINE+1]]:8: remark: [Missed] {{.*}} Reason="its operands have a size or stride that is dynamic, or a size of 0"
  %y = einsum.contract "mn -> mn" (%a) : (tensor<?x17xf32>) -> tensor<?x17xf32>
  return %y : tensor<?x17xf32>
}
