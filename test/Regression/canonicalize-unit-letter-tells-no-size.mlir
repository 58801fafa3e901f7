// Replacing a reduced index of size 1 must not make an axis a single index whose size only a dynamic
// outs tells: the axis may be longer. It used to give the result the size of the axis.
//
// RUN: tile-opt --canonicalize %s | FileCheck %s

// CHECK-LABEL: @outs_tells_the_size
func.func @outs_tells_the_size(%x: tensor<9xf32>, %y: tensor<1xf32>, %n: index) -> tensor<?xf32> {
  // CHECK: einsum.contract "(u+3*p), p -> u" {{.*}} -> tensor<?xf32>
  %o = tensor.empty(%n) : tensor<?xf32>
  %0 = einsum.contract "(u+3*p), p -> u" (%x, %y) outs(%o : tensor<?xf32>)
      : (tensor<9xf32>, tensor<1xf32>) -> tensor<?xf32>
  return %0 : tensor<?xf32>
}
