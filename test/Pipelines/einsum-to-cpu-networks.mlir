// What networks have around contractions, on the CPU by vectors, against the interpreter: softmax, layer norm, gelu,
// sums and maxima of channels; sizes that are no multiples of vectors. Serial, and among threads.
//
// RUN: tile-run %s --backend=cpu --random=3 --check=interp
// RUN: tile-run %s --backend=cpu --random=3 --check=interp --pipeline="einsum-to-cpu-pipeline{openmp=false}"
//
// No function of libm is left.
// RUN: tile-opt %s --einsum-to-cpu-pipeline | FileCheck %s --implicit-check-not="call @expf" --implicit-check-not="call @tanhf"
// CHECK: llvm.func @main

#map = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
#lane = affine_map<(i, j) -> (j)>
#image = affine_map<(n, c, h, w) -> (n, c, h, w)>
#channel = affine_map<(n, c, h, w) -> (c)>
#pixel = affine_map<(n, c, h, w) -> (n, c)>
func.func @main(%x: tensor<13x67xf32>, %gain: tensor<67xf32>, %w: tensor<67x21xf32>, %image: tensor<2x5x7x7xf32>, %bias: tensor<5xf32>)
    -> (tensor<13x67xf32>, tensor<13x21xf32>, tensor<2x5xf32>) {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %half = arith.constant 0.5 : f32
  %one = arith.constant 1.0 : f32
  %size = arith.constant 67.0 : f32
  %none = tensor.empty() : tensor<13x67xf32>
  %rows = tensor.empty() : tensor<13xf32>

  // Softmax.
  %lowest = linalg.fill ins(%least : f32) outs(%rows : tensor<13xf32>) -> tensor<13xf32>
  %max = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<13x67xf32>) outs(%lowest : tensor<13xf32>) {
  ^bb0(%a: f32, %b: f32):
    %m = arith.maximumf %a, %b : f32
    linalg.yield %m : f32
  } -> tensor<13xf32>
  %exp = linalg.generic {indexing_maps = [#map, #row, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x, %max : tensor<13x67xf32>, tensor<13xf32>) outs(%none : tensor<13x67xf32>) {
  ^bb0(%a: f32, %b: f32, %_: f32):
    %d = arith.subf %a, %b : f32
    %e = math.exp %d : f32
    linalg.yield %e : f32
  } -> tensor<13x67xf32>
  %start = linalg.fill ins(%zero : f32) outs(%rows : tensor<13xf32>) -> tensor<13xf32>
  %sum = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%exp : tensor<13x67xf32>) outs(%start : tensor<13xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<13xf32>
  %softmax = linalg.generic {indexing_maps = [#map, #row, #map], iterator_types = ["parallel", "parallel"]}
      ins(%exp, %sum : tensor<13x67xf32>, tensor<13xf32>) outs(%none : tensor<13x67xf32>) {
  ^bb0(%a: f32, %b: f32, %_: f32):
    %d = arith.divf %a, %b : f32
    linalg.yield %d : f32
  } -> tensor<13x67xf32>

  // Squares of what is left of the mean, and a product of what gelu makes of the normed rows.
  %total = linalg.generic {indexing_maps = [#map, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<13x67xf32>) outs(%start : tensor<13xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<13xf32>
  %squares = linalg.generic {indexing_maps = [#map, #row, #row], iterator_types = ["parallel", "reduction"]}
      ins(%x, %total : tensor<13x67xf32>, tensor<13xf32>) outs(%start : tensor<13xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %mean = arith.divf %b, %size : f32
    %d = arith.subf %a, %mean : f32
    %q = arith.mulf %d, %d : f32
    %s = arith.addf %c, %q : f32
    linalg.yield %s : f32
  } -> tensor<13xf32>
  %gelu = linalg.generic {indexing_maps = [#map, #row, #row, #lane, #map], iterator_types = ["parallel", "parallel"]}
      ins(%x, %total, %squares, %gain : tensor<13x67xf32>, tensor<13xf32>, tensor<13xf32>, tensor<67xf32>) outs(%none : tensor<13x67xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32, %g: f32, %_: f32):
    %mean = arith.divf %b, %size : f32
    %d = arith.subf %a, %mean : f32
    %v = arith.divf %c, %size : f32
    %k = arith.addf %v, %one : f32
    %r = math.rsqrt %k : f32
    %n = arith.mulf %d, %r : f32
    %y = arith.mulf %n, %g : f32
    %t = math.tanh %y : f32
    %u = arith.addf %t, %one : f32
    %h = arith.mulf %y, %half : f32
    %z = arith.mulf %h, %u : f32
    linalg.yield %z : f32
  } -> tensor<13x67xf32>
  %product = einsum.contract "mk, kn -> mn" (%gelu, %w) : (tensor<13x67xf32>, tensor<67x21xf32>) -> tensor<13x21xf32>

  // A bias of channels, and the sum of each channel.
  %images = tensor.empty() : tensor<2x5x7x7xf32>
  %biased = linalg.generic {indexing_maps = [#image, #channel, #image], iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
      ins(%image, %bias : tensor<2x5x7x7xf32>, tensor<5xf32>) outs(%images : tensor<2x5x7x7xf32>) {
  ^bb0(%a: f32, %b: f32, %_: f32):
    %s = arith.addf %a, %b : f32
    %m = arith.maximumf %s, %zero : f32
    linalg.yield %m : f32
  } -> tensor<2x5x7x7xf32>
  %pixels = tensor.empty() : tensor<2x5xf32>
  %black = linalg.fill ins(%zero : f32) outs(%pixels : tensor<2x5xf32>) -> tensor<2x5xf32>
  %sums = linalg.generic {indexing_maps = [#image, #pixel], iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%biased : tensor<2x5x7x7xf32>) outs(%black : tensor<2x5xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<2x5xf32>
  return %softmax, %product, %sums : tensor<13x67xf32>, tensor<13x21xf32>, tensor<2x5xf32>
}
