// A softmax of rows on tensors becomes one loop over rows, with the vectors of the CPU that the code is for.
//
// RUN: tile-opt %s --einsum-attach-machine="cpu=sapphirerapids" --einsum-to-cpu-pipeline --mlir-print-ir-after=scf-fuse-loops -o /dev/null 2>&1 | FileCheck %s
// RUN: tile-run %s --random=7 --check=interp

// CHECK: func.func @main
// CHECK: scf.parallel (%{{.*}}) = (%c0) to (%c64) step (%c1) {
// CHECK: scf.for {{.*}} step %c64 iter_args({{.*}}) -> (vector<64xf32>)
// CHECK: scf.for {{.*}} step %c32 iter_args({{.*}}) -> (vector<32xf32>)
// CHECK: math.exp %{{.*}} : vector<32xf32>
// CHECK: scf.for {{.*}} step %c32 {
// CHECK-NOT: scf.parallel
func.func @main(%x: tensor<64x256xf32>) -> tensor<64x256xf32> {
  %ninf = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %e0 = tensor.empty() : tensor<64xf32>
  %f0 = linalg.fill ins(%ninf : f32) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
  %max = linalg.reduce ins(%x : tensor<64x256xf32>) outs(%f0 : tensor<64xf32>) dimensions = [1]
    (%a: f32, %b: f32) { %m = arith.maximumf %a, %b : f32 linalg.yield %m : f32 }
  %e1 = tensor.empty() : tensor<64x256xf32>
  %exp = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i)>, affine_map<(i,j)->(i,j)>], iterator_types=["parallel","parallel"]}
     ins(%x, %max : tensor<64x256xf32>, tensor<64xf32>) outs(%e1 : tensor<64x256xf32>) {
     ^bb0(%a: f32, %m: f32, %o: f32): %d = arith.subf %a, %m : f32
       %e = math.exp %d : f32
       linalg.yield %e : f32 } -> tensor<64x256xf32>
  %f1 = linalg.fill ins(%zero : f32) outs(%e0 : tensor<64xf32>) -> tensor<64xf32>
  %sum = linalg.reduce ins(%exp : tensor<64x256xf32>) outs(%f1 : tensor<64xf32>) dimensions = [1]
    (%a: f32, %b: f32) { %m = arith.addf %a, %b : f32 linalg.yield %m : f32 }
  %y = linalg.generic {indexing_maps = [affine_map<(i,j)->(i,j)>, affine_map<(i,j)->(i)>, affine_map<(i,j)->(i,j)>], iterator_types=["parallel","parallel"]}
     ins(%exp, %sum : tensor<64x256xf32>, tensor<64xf32>) outs(%e1 : tensor<64x256xf32>) {
     ^bb0(%a: f32, %m: f32, %o: f32): %d = arith.divf %a, %m : f32
       linalg.yield %d : f32 } -> tensor<64x256xf32>
  return %y : tensor<64x256xf32>
}
