// An operand that is empty while a reduced index has no values is not read: its load must not move out
// of the loop without iterations.
//
// RUN: tile-opt --pass-pipeline="builtin.module(einsum-to-cpu-pipeline{openmp=0})" %s | FileCheck %s
// RUN: tile-run %s --random=1 --check=interp

// The load is in the inner loop, after the second comparison.
// CHECK-LABEL: llvm.func @main
// CHECK: llvm.icmp "slt"
// CHECK-NOT: llvm.load %{{.*}} : !llvm.ptr -> f32
// CHECK: llvm.icmp "slt" %{{.*}}, %{{.*}} : i64
// CHECK: llvm.load %{{.*}} : !llvm.ptr -> f32
func.func @main(%a: tensor<?x5xf32> {einsum.example_shape = array<i64: 0, 5>},
                %b: tensor<?xf32> {einsum.example_shape = array<i64: 0>}) -> tensor<5xf32> {
  %0 = einsum.contract "(0)j, k -> j" (%a, %b) : (tensor<?x5xf32>, tensor<?xf32>) -> tensor<5xf32>
  return %0 : tensor<5xf32>
}
