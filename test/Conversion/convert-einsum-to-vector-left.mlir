// convert-einsum-to-vector: contractions that it leaves, and what remarks tell of those; options that are wrong.
//
// RUN: tile-opt --convert-einsum-to-vector --remark-policy=all --remarks-filter=einsum %s -o %t 2>%t.remarks
// RUN: FileCheck %s --input-file=%t --implicit-check-not=scf. --implicit-check-not=vector. --implicit-check-not=memref.
// RUN: FileCheck %s --input-file=%t.remarks --check-prefix=REMARK --implicit-check-not=remark:
// RUN: not tile-opt --convert-einsum-to-vector=checks=some %s 2>&1 | FileCheck %s --check-prefix=CHECKS
// RUN: not tile-opt --convert-einsum-to-vector=deallocate=maybe %s 2>&1 | FileCheck %s --check-prefix=DEALLOCATE
// RUN: not tile-opt --convert-einsum-to-vector=lanes=3 %s 2>&1 | FileCheck %s --check-prefix=UNKNOWN
//
// CHECKS: for the --checks option: Cannot find option named 'some'
// DEALLOCATE: for the --deallocate option: 'maybe' is invalid value for boolean argument
// UNKNOWN: no such option lanes

#machine = #einsum.machine<cpu = "any", vector_bits = 256, registers = 16, fma = 2, latency = 4, l1 = 32768,
    l2 = 1048576, l3 = 8388608, cores = 2, bf16 = false>
#id = affine_map<(i, j) -> (i, j)>
#tr = affine_map<(i, j) -> (j, i)>
module attributes {einsum.machine = #machine} {

// No schedule.
// CHECK-LABEL: @no_schedule
// CHECK: einsum.contract "mk, kn -> mn"
func.func @no_schedule(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}

// A schedule that has no kernel yet.
// CHECK-LABEL: @no_prim
// CHECK: einsum.contract "mk, kn -> mn" {{.*}}schedule = #einsum.schedule<
func.func @no_prim(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<dims = [
      <"m" seq 8>, <"n" seq 8>, <"k" seq 8>]>}
    : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
  return %c : tensor<8x8xf32>
}

// CHECK-LABEL: @several
// CHECK: einsum.kernel
// CHECK: einsum.contract {{.*}}schedule
// CHECK: einsum.contract "mk, kn -> mn"
// CHECK: einsum.yield
func.func @several(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<8x8xf32>, %q = %b : tensor<8x8xf32>) -> tensor<8x8xf32> {
    // REMARK: [[@LINE+1]]:10: remark: [Missed] einsum-to-vector | Category:einsum | Reason="its kernel has several contractions"
    %0 = einsum.contract "mk, kn -> mn" (%p, %q) {schedule = #einsum.schedule<dims = [
        <"m" prim 8>, <"n" prim 8>, <"k" prim 8>]>}
      : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = einsum.contract "mk, kn -> mn" (%q, %p) : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %2 = arith.addf %0, %1 : tensor<8x8xf32>
    einsum.yield %2 : tensor<8x8xf32>
  }
  return %y : tensor<8x8xf32>
}

// CHECK-LABEL: @table
// CHECK: einsum.kernel
// CHECK: einsum.contract {{.*}}schedule
func.func @table(%x: tensor<9x8xf32>, %w: tensor<8x8xf32>, %s: tensor<8xi32>) -> tensor<2x8xf32> {
  %y = einsum.kernel (%p = %x : tensor<9x8xf32>, %q = %w : tensor<8x8xf32>, %r = %s : tensor<8xi32>) -> tensor<2x8xf32> {
    %t = arith.addi %r, %r : tensor<8xi32>
    // REMARK: [[@LINE+1]]:10: remark: [Missed] {{.*}} Reason="its kernel computes a table"
    %0 = einsum.contract "(h+s[c])c, ck -> hk" (%p, %q) tables(s = %t : tensor<8xi32>) {schedule = #einsum.schedule<
        dims = [
        <"h" prim 2>, <"k" prim 8>, <"c" prim 8>]>}
      : (tensor<9x8xf32>, tensor<8x8xf32>) -> tensor<2x8xf32>
    einsum.yield %0 : tensor<2x8xf32>
  }
  return %y : tensor<2x8xf32>
}

// An element of the result needs two of the product.
// CHECK-LABEL: @symmetric
// CHECK: einsum.kernel
// CHECK: einsum.contract {{.*}}schedule
func.func @symmetric(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<8x8xf32>, %q = %b : tensor<8x8xf32>) -> tensor<8x8xf32> {
    // REMARK: [[@LINE+1]]:10: remark: [Missed] {{.*}} Reason="its kernel uses the contraction transposed or broadcast, beside others"
    %0 = einsum.contract "mk, kn -> mn" (%p, %q) {schedule = #einsum.schedule<dims = [
        <"m" prim 8>, <"n" prim 8>, <"k" prim 8>]>}
      : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %e = tensor.empty() : tensor<8x8xf32>
    %1 = linalg.generic {indexing_maps = [#id, #tr, #id], iterator_types = ["parallel", "parallel"]}
        ins(%0, %0 : tensor<8x8xf32>, tensor<8x8xf32>) outs(%e : tensor<8x8xf32>) {
      ^bb0(%x: f32, %z: f32, %out: f32):
        %s = arith.addf %x, %z : f32
        linalg.yield %s : f32
    } -> tensor<8x8xf32>
    einsum.yield %1 : tensor<8x8xf32>
  }
  return %y : tensor<8x8xf32>
}

// The result has an axis more than the product.
// CHECK-LABEL: @broadcast
// CHECK: einsum.kernel
// CHECK: einsum.contract {{.*}}schedule
func.func @broadcast(%a: tensor<8x8xf32>, %b: tensor<8xf32>) -> tensor<3x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<8x8xf32>, %q = %b : tensor<8xf32>) -> tensor<3x8xf32> {
    // REMARK: [[@LINE+1]]:10: remark: [Missed] {{.*}} Reason="its kernel uses the contraction transposed or broadcast, beside others"
    %0 = einsum.contract "mk, k -> m" (%p, %q) {schedule = #einsum.schedule<dims = [
        <"m" prim 8>, <"k" prim 8>]>}
      : (tensor<8x8xf32>, tensor<8xf32>) -> tensor<8xf32>
    %e = tensor.empty() : tensor<3x8xf32>
    %1 = linalg.broadcast ins(%0 : tensor<8xf32>) outs(%e : tensor<3x8xf32>) dimensions = [0]
    einsum.yield %1 : tensor<3x8xf32>
  }
  return %y : tensor<3x8xf32>
}

// The kernel does not need its contraction.
// CHECK-LABEL: @unused
// CHECK: einsum.kernel
// CHECK: einsum.contract {{.*}}schedule
func.func @unused(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<8x8xf32>, %q = %b : tensor<8x8xf32>) -> tensor<8x8xf32> {
    // REMARK: [[@LINE+1]]:10: remark: [Missed]
    %0 = einsum.contract "mk, kn -> mn" (%p, %q) {schedule = #einsum.schedule<dims = [
        <"m" prim 8>, <"n" prim 8>, <"k" prim 8>]>}
      : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = arith.addf %p, %q : tensor<8x8xf32>
    einsum.yield %1 : tensor<8x8xf32>
  }
  return %y : tensor<8x8xf32>
}

}
