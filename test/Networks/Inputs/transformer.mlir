#map = affine_map<(d0, d1, d2) -> (d0, d1, d2)>
#map1 = affine_map<(d0, d1, d2) -> (d0, d1, 0)>
#map2 = affine_map<(d0, d1, d2) -> (d2)>
#map3 = affine_map<(d0) -> (d0)>
#map4 = affine_map<(d0, d1) -> (d0, d1)>
#map5 = affine_map<(d0, d1) -> (d1)>
#map6 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map7 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2)>
#map8 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, 0)>
module {
  func.func @main(%arg0: tensor<2x16x32xf16>, %arg1: tensor<32xf16>, %arg2: tensor<32xf16>, %arg3: tensor<32xf16>, %arg4: tensor<32xf16>, %arg5: tensor<32x32xf16>, %arg6: tensor<32xf16>, %arg7: tensor<32x32xf16>, %arg8: tensor<32xf16>, %arg9: tensor<32x32xf16>, %arg10: tensor<32xf16>, %arg11: tensor<32x32xf16>, %arg12: tensor<32xf16>, %arg13: tensor<128x32xf16>, %arg14: tensor<128xf16>, %arg15: tensor<32x128xf16>, %arg16: tensor<32xf16>) -> tensor<2x16x32xf16> {
    %cst = arith.constant 0.000000e+00 : f64
    %cst_0 = arith.constant 0.000000e+00 : f32
    %c0_i64 = arith.constant 0 : i64
    %cst_1 = arith.constant 0xFF800000 : f32
    %c3_i64 = arith.constant 3 : i64
    %cst_2 = arith.constant 4.470830e-02 : f16
    %cst_3 = arith.constant 7.978520e-01 : f16
    %cst_4 = arith.constant 1.000000e+00 : f16
    %cst_5 = arith.constant 5.000000e-01 : f16
    %cst_6 = arith.constant 1.000000e-05 : f64
    %cst_7 = arith.constant 3.200000e+01 : f64
    %cst_8 = arith.constant 3.200000e+01 : f32
    %cst_9 = arith.constant 2.500000e-01 : f16
    %0 = tensor.empty() : tensor<2x16x32xf32>
    %1 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0 : tensor<2x16x32xf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %121 = arith.extf %in : f16 to f32
      linalg.yield %121 : f32
    } -> tensor<2x16x32xf32>
    %2 = tensor.empty() : tensor<2x16x32xf64>
    %3 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1 : tensor<2x16x32xf32>) outs(%2 : tensor<2x16x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %121 = arith.extf %in : f32 to f64
      linalg.yield %121 : f64
    } -> tensor<2x16x32xf64>
    %4 = tensor.empty() : tensor<2x16x1xf64>
    %5 = linalg.fill ins(%cst : f64) outs(%4 : tensor<2x16x1xf64>) -> tensor<2x16x1xf64>
    %6 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%3 : tensor<2x16x32xf64>) outs(%5 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %121 = arith.addf %in, %out : f64
      linalg.yield %121 : f64
    } -> tensor<2x16x1xf64>
    %7 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%6 : tensor<2x16x1xf64>) outs(%4 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %121 = arith.divf %in, %cst_7 : f64
      linalg.yield %121 : f64
    } -> tensor<2x16x1xf64>
    %8 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%3, %7 : tensor<2x16x32xf64>, tensor<2x16x1xf64>) outs(%2 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_34: f64, %out: f64):
      %121 = arith.subf %in, %in_34 : f64
      linalg.yield %121 : f64
    } -> tensor<2x16x32xf64>
    %9 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%8, %8 : tensor<2x16x32xf64>, tensor<2x16x32xf64>) outs(%2 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_34: f64, %out: f64):
      %121 = arith.mulf %in, %in_34 : f64
      linalg.yield %121 : f64
    } -> tensor<2x16x32xf64>
    %10 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%9 : tensor<2x16x32xf64>) outs(%5 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %121 = arith.addf %in, %out : f64
      linalg.yield %121 : f64
    } -> tensor<2x16x1xf64>
    %11 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%10 : tensor<2x16x1xf64>) outs(%4 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %121 = arith.divf %in, %cst_7 : f64
      linalg.yield %121 : f64
    } -> tensor<2x16x1xf64>
    %12 = tensor.empty() : tensor<2x16x1xf32>
    %13 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%11 : tensor<2x16x1xf64>) outs(%12 : tensor<2x16x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %121 = arith.truncf %in : f64 to f32
      linalg.yield %121 : f32
    } -> tensor<2x16x1xf32>
    %14 = linalg.fill ins(%cst_0 : f32) outs(%12 : tensor<2x16x1xf32>) -> tensor<2x16x1xf32>
    %15 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%1 : tensor<2x16x32xf32>) outs(%14 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.addf %in, %out : f32
      linalg.yield %121 : f32
    } -> tensor<2x16x1xf32>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%15 : tensor<2x16x1xf32>) outs(%12 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.divf %in, %cst_8 : f32
      linalg.yield %121 : f32
    } -> tensor<2x16x1xf32>
    %17 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%13 : tensor<2x16x1xf32>) outs(%12 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.truncf %cst_6 : f64 to f32
      %122 = arith.addf %in, %121 : f32
      linalg.yield %122 : f32
    } -> tensor<2x16x1xf32>
    %18 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%17 : tensor<2x16x1xf32>) outs(%12 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = math.rsqrt %in : f32
      linalg.yield %121 : f32
    } -> tensor<2x16x1xf32>
    %19 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%1, %16 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %121 = arith.subf %in, %in_34 : f32
      linalg.yield %121 : f32
    } -> tensor<2x16x32xf32>
    %20 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%19, %18 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %121 = arith.mulf %in, %in_34 : f32
      linalg.yield %121 : f32
    } -> tensor<2x16x32xf32>
    %21 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%20, %arg1 : tensor<2x16x32xf32>, tensor<32xf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_34: f16, %out: f32):
      %121 = arith.extf %in_34 : f16 to f32
      %122 = arith.mulf %in, %121 : f32
      linalg.yield %122 : f32
    } -> tensor<2x16x32xf32>
    %22 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%21, %arg2 : tensor<2x16x32xf32>, tensor<32xf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_34: f16, %out: f32):
      %121 = arith.extf %in_34 : f16 to f32
      %122 = arith.addf %in, %121 : f32
      linalg.yield %122 : f32
    } -> tensor<2x16x32xf32>
    %23 = tensor.empty() : tensor<2x16x32xf16>
    %24 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%22 : tensor<2x16x32xf32>) outs(%23 : tensor<2x16x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %121 = arith.truncf %in : f32 to f16
      linalg.yield %121 : f16
    } -> tensor<2x16x32xf16>
    %collapsed = tensor.collapse_shape %24 [[0, 1], [2]] : tensor<2x16x32xf16> into tensor<32x32xf16>
    %25 = tensor.empty() : tensor<32x32xf16>
    %transposed = linalg.transpose ins(%arg5 : tensor<32x32xf16>) outs(%25 : tensor<32x32xf16>) permutation = [1, 0] 
    %26 = tensor.empty() : tensor<32xf32>
    %27 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg6 : tensor<32xf16>) outs(%26 : tensor<32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %121 = arith.extf %in : f16 to f32
      linalg.yield %121 : f32
    } -> tensor<32xf32>
    %28 = tensor.empty() : tensor<32x32xf32>
    %29 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed : tensor<32x32xf16>) outs(%28 : tensor<32x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %121 = arith.extf %in : f16 to f32
      linalg.yield %121 : f32
    } -> tensor<32x32xf32>
    %30 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<32x32xf16>) outs(%28 : tensor<32x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %121 = arith.extf %in : f16 to f32
      linalg.yield %121 : f32
    } -> tensor<32x32xf32>
    %31 = linalg.fill ins(%cst_0 : f32) outs(%28 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %32 = linalg.matmul ins(%29, %30 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%31 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %33 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%27 : tensor<32xf32>) outs(%28 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x32xf32>
    %34 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%32, %33 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%28 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %121 = arith.addf %in, %in_34 : f32
      linalg.yield %121 : f32
    } -> tensor<32x32xf32>
    %35 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%34 : tensor<32x32xf32>) outs(%25 : tensor<32x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %121 = arith.truncf %in : f32 to f16
      linalg.yield %121 : f16
    } -> tensor<32x32xf16>
    %expanded = tensor.expand_shape %35 [[0, 1], [2, 3]] output_shape [2, 16, 2, 16] : tensor<32x32xf16> into tensor<2x16x2x16xf16>
    %36 = tensor.empty() : tensor<2x2x16x16xf16>
    %transposed_10 = linalg.transpose ins(%expanded : tensor<2x16x2x16xf16>) outs(%36 : tensor<2x2x16x16xf16>) permutation = [0, 2, 1, 3] 
    %transposed_11 = linalg.transpose ins(%arg7 : tensor<32x32xf16>) outs(%25 : tensor<32x32xf16>) permutation = [1, 0] 
    %37 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg8 : tensor<32xf16>) outs(%26 : tensor<32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %121 = arith.extf %in : f16 to f32
      linalg.yield %121 : f32
    } -> tensor<32xf32>
    %38 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_11 : tensor<32x32xf16>) outs(%28 : tensor<32x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %121 = arith.extf %in : f16 to f32
      linalg.yield %121 : f32
    } -> tensor<32x32xf32>
    %39 = linalg.matmul ins(%29, %38 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%31 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %40 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%37 : tensor<32xf32>) outs(%28 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x32xf32>
    %41 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%39, %40 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%28 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %121 = arith.addf %in, %in_34 : f32
      linalg.yield %121 : f32
    } -> tensor<32x32xf32>
    %42 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%41 : tensor<32x32xf32>) outs(%25 : tensor<32x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %121 = arith.truncf %in : f32 to f16
      linalg.yield %121 : f16
    } -> tensor<32x32xf16>
    %expanded_12 = tensor.expand_shape %42 [[0, 1], [2, 3]] output_shape [2, 16, 2, 16] : tensor<32x32xf16> into tensor<2x16x2x16xf16>
    %transposed_13 = linalg.transpose ins(%arg9 : tensor<32x32xf16>) outs(%25 : tensor<32x32xf16>) permutation = [1, 0] 
    %43 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg10 : tensor<32xf16>) outs(%26 : tensor<32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %121 = arith.extf %in : f16 to f32
      linalg.yield %121 : f32
    } -> tensor<32xf32>
    %44 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_13 : tensor<32x32xf16>) outs(%28 : tensor<32x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %121 = arith.extf %in : f16 to f32
      linalg.yield %121 : f32
    } -> tensor<32x32xf32>
    %45 = linalg.matmul ins(%29, %44 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%31 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %46 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%43 : tensor<32xf32>) outs(%28 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x32xf32>
    %47 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%45, %46 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%28 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %121 = arith.addf %in, %in_34 : f32
      linalg.yield %121 : f32
    } -> tensor<32x32xf32>
    %48 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%47 : tensor<32x32xf32>) outs(%25 : tensor<32x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %121 = arith.truncf %in : f32 to f16
      linalg.yield %121 : f16
    } -> tensor<32x32xf16>
    %expanded_14 = tensor.expand_shape %48 [[0, 1], [2, 3]] output_shape [2, 16, 2, 16] : tensor<32x32xf16> into tensor<2x16x2x16xf16>
    %transposed_15 = linalg.transpose ins(%expanded_14 : tensor<2x16x2x16xf16>) outs(%36 : tensor<2x2x16x16xf16>) permutation = [0, 2, 1, 3] 
    %transposed_16 = linalg.transpose ins(%expanded_12 : tensor<2x16x2x16xf16>) outs(%36 : tensor<2x2x16x16xf16>) permutation = [0, 2, 3, 1] 
    %collapsed_17 = tensor.collapse_shape %transposed_10 [[0, 1], [2], [3]] : tensor<2x2x16x16xf16> into tensor<4x16x16xf16>
    %collapsed_18 = tensor.collapse_shape %transposed_16 [[0, 1], [2], [3]] : tensor<2x2x16x16xf16> into tensor<4x16x16xf16>
    %49 = tensor.empty() : tensor<4x16x16xf32>
    %50 = linalg.fill ins(%cst_0 : f32) outs(%49 : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %51 = linalg.batch_matmul ins(%collapsed_17, %collapsed_18 : tensor<4x16x16xf16>, tensor<4x16x16xf16>) outs(%50 : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %52 = tensor.empty() : tensor<4x16x16xf16>
    %53 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%51 : tensor<4x16x16xf32>) outs(%52 : tensor<4x16x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %121 = arith.truncf %in : f32 to f16
      linalg.yield %121 : f16
    } -> tensor<4x16x16xf16>
    %expanded_19 = tensor.expand_shape %53 [[0, 1], [2], [3]] output_shape [2, 2, 16, 16] : tensor<4x16x16xf16> into tensor<2x2x16x16xf16>
    %54 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%expanded_19 : tensor<2x2x16x16xf16>) outs(%36 : tensor<2x2x16x16xf16>) {
    ^bb0(%in: f16, %out: f16):
      %121 = arith.mulf %in, %cst_9 : f16
      linalg.yield %121 : f16
    } -> tensor<2x2x16x16xf16>
    %55 = tensor.empty() : tensor<2x2x16x16xf32>
    %56 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%54 : tensor<2x2x16x16xf16>) outs(%55 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %121 = arith.extf %in : f16 to f32
      linalg.yield %121 : f32
    } -> tensor<2x2x16x16xf32>
    %57 = tensor.empty() : tensor<2x2x16xi64>
    %58 = linalg.fill ins(%c0_i64 : i64) outs(%57 : tensor<2x2x16xi64>) -> tensor<2x2x16xi64>
    %59 = tensor.empty() : tensor<2x2x16xf32>
    %60 = linalg.fill ins(%cst_1 : f32) outs(%59 : tensor<2x2x16xf32>) -> tensor<2x2x16xf32>
    %61:2 = linalg.generic {indexing_maps = [#map6, #map7, #map7], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%56 : tensor<2x2x16x16xf32>) outs(%60, %58 : tensor<2x2x16xf32>, tensor<2x2x16xi64>) {
    ^bb0(%in: f32, %out: f32, %out_34: i64):
      %121 = linalg.index 3 : index
      %122 = arith.index_cast %121 : index to i64
      %123 = arith.maximumf %in, %out : f32
      %124 = arith.cmpf ogt, %in, %out : f32
      %125 = arith.select %124, %122, %out_34 : i64
      linalg.yield %123, %125 : f32, i64
    } -> (tensor<2x2x16xf32>, tensor<2x2x16xi64>)
    %expanded_20 = tensor.expand_shape %61#0 [[0], [1], [2, 3]] output_shape [2, 2, 16, 1] : tensor<2x2x16xf32> into tensor<2x2x16x1xf32>
    %62 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%56, %expanded_20 : tensor<2x2x16x16xf32>, tensor<2x2x16x1xf32>) outs(%55 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %121 = arith.subf %in, %in_34 : f32
      linalg.yield %121 : f32
    } -> tensor<2x2x16x16xf32>
    %63 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<2x2x16x16xf32>) outs(%55 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = math.exp %in : f32
      linalg.yield %121 : f32
    } -> tensor<2x2x16x16xf32>
    %64 = tensor.empty() : tensor<2x2x16x1xf32>
    %65 = linalg.fill ins(%cst_0 : f32) outs(%64 : tensor<2x2x16x1xf32>) -> tensor<2x2x16x1xf32>
    %66 = linalg.generic {indexing_maps = [#map6, #map8], iterator_types = ["parallel", "parallel", "parallel", "reduction"]} ins(%63 : tensor<2x2x16x16xf32>) outs(%65 : tensor<2x2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.addf %in, %out : f32
      linalg.yield %121 : f32
    } -> tensor<2x2x16x1xf32>
    %67 = linalg.generic {indexing_maps = [#map6, #map8, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%63, %66 : tensor<2x2x16x16xf32>, tensor<2x2x16x1xf32>) outs(%55 : tensor<2x2x16x16xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %121 = arith.divf %in, %in_34 : f32
      linalg.yield %121 : f32
    } -> tensor<2x2x16x16xf32>
    %68 = linalg.generic {indexing_maps = [#map6, #map6], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67 : tensor<2x2x16x16xf32>) outs(%36 : tensor<2x2x16x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %121 = arith.truncf %in : f32 to f16
      linalg.yield %121 : f16
    } -> tensor<2x2x16x16xf16>
    %collapsed_21 = tensor.collapse_shape %68 [[0, 1], [2], [3]] : tensor<2x2x16x16xf16> into tensor<4x16x16xf16>
    %collapsed_22 = tensor.collapse_shape %transposed_15 [[0, 1], [2], [3]] : tensor<2x2x16x16xf16> into tensor<4x16x16xf16>
    %69 = linalg.batch_matmul ins(%collapsed_21, %collapsed_22 : tensor<4x16x16xf16>, tensor<4x16x16xf16>) outs(%50 : tensor<4x16x16xf32>) -> tensor<4x16x16xf32>
    %70 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%69 : tensor<4x16x16xf32>) outs(%52 : tensor<4x16x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %121 = arith.truncf %in : f32 to f16
      linalg.yield %121 : f16
    } -> tensor<4x16x16xf16>
    %expanded_23 = tensor.expand_shape %70 [[0, 1], [2], [3]] output_shape [2, 2, 16, 16] : tensor<4x16x16xf16> into tensor<2x2x16x16xf16>
    %71 = tensor.empty() : tensor<2x16x2x16xf16>
    %transposed_24 = linalg.transpose ins(%expanded_23 : tensor<2x2x16x16xf16>) outs(%71 : tensor<2x16x2x16xf16>) permutation = [0, 2, 1, 3] 
    %collapsed_25 = tensor.collapse_shape %transposed_24 [[0, 1], [2, 3]] : tensor<2x16x2x16xf16> into tensor<32x32xf16>
    %transposed_26 = linalg.transpose ins(%arg11 : tensor<32x32xf16>) outs(%25 : tensor<32x32xf16>) permutation = [1, 0] 
    %72 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg12 : tensor<32xf16>) outs(%26 : tensor<32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %121 = arith.extf %in : f16 to f32
      linalg.yield %121 : f32
    } -> tensor<32xf32>
    %73 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_25 : tensor<32x32xf16>) outs(%28 : tensor<32x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %121 = arith.extf %in : f16 to f32
      linalg.yield %121 : f32
    } -> tensor<32x32xf32>
    %74 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_26 : tensor<32x32xf16>) outs(%28 : tensor<32x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %121 = arith.extf %in : f16 to f32
      linalg.yield %121 : f32
    } -> tensor<32x32xf32>
    %75 = linalg.matmul ins(%73, %74 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%31 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %76 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%72 : tensor<32xf32>) outs(%28 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x32xf32>
    %77 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%75, %76 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%28 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %121 = arith.addf %in, %in_34 : f32
      linalg.yield %121 : f32
    } -> tensor<32x32xf32>
    %78 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%77 : tensor<32x32xf32>) outs(%25 : tensor<32x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %121 = arith.truncf %in : f32 to f16
      linalg.yield %121 : f16
    } -> tensor<32x32xf16>
    %expanded_27 = tensor.expand_shape %78 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xf16> into tensor<2x16x32xf16>
    %79 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%arg0, %expanded_27 : tensor<2x16x32xf16>, tensor<2x16x32xf16>) outs(%23 : tensor<2x16x32xf16>) {
    ^bb0(%in: f16, %in_34: f16, %out: f16):
      %121 = arith.addf %in, %in_34 : f16
      linalg.yield %121 : f16
    } -> tensor<2x16x32xf16>
    %80 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79 : tensor<2x16x32xf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %121 = arith.extf %in : f16 to f32
      linalg.yield %121 : f32
    } -> tensor<2x16x32xf32>
    %81 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80 : tensor<2x16x32xf32>) outs(%2 : tensor<2x16x32xf64>) {
    ^bb0(%in: f32, %out: f64):
      %121 = arith.extf %in : f32 to f64
      linalg.yield %121 : f64
    } -> tensor<2x16x32xf64>
    %82 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%81 : tensor<2x16x32xf64>) outs(%5 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %121 = arith.addf %in, %out : f64
      linalg.yield %121 : f64
    } -> tensor<2x16x1xf64>
    %83 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%82 : tensor<2x16x1xf64>) outs(%4 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %121 = arith.divf %in, %cst_7 : f64
      linalg.yield %121 : f64
    } -> tensor<2x16x1xf64>
    %84 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%81, %83 : tensor<2x16x32xf64>, tensor<2x16x1xf64>) outs(%2 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_34: f64, %out: f64):
      %121 = arith.subf %in, %in_34 : f64
      linalg.yield %121 : f64
    } -> tensor<2x16x32xf64>
    %85 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%84, %84 : tensor<2x16x32xf64>, tensor<2x16x32xf64>) outs(%2 : tensor<2x16x32xf64>) {
    ^bb0(%in: f64, %in_34: f64, %out: f64):
      %121 = arith.mulf %in, %in_34 : f64
      linalg.yield %121 : f64
    } -> tensor<2x16x32xf64>
    %86 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%85 : tensor<2x16x32xf64>) outs(%5 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %121 = arith.addf %in, %out : f64
      linalg.yield %121 : f64
    } -> tensor<2x16x1xf64>
    %87 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%86 : tensor<2x16x1xf64>) outs(%4 : tensor<2x16x1xf64>) {
    ^bb0(%in: f64, %out: f64):
      %121 = arith.divf %in, %cst_7 : f64
      linalg.yield %121 : f64
    } -> tensor<2x16x1xf64>
    %88 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%87 : tensor<2x16x1xf64>) outs(%12 : tensor<2x16x1xf32>) {
    ^bb0(%in: f64, %out: f32):
      %121 = arith.truncf %in : f64 to f32
      linalg.yield %121 : f32
    } -> tensor<2x16x1xf32>
    %89 = linalg.generic {indexing_maps = [#map, #map1], iterator_types = ["parallel", "parallel", "reduction"]} ins(%80 : tensor<2x16x32xf32>) outs(%14 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.addf %in, %out : f32
      linalg.yield %121 : f32
    } -> tensor<2x16x1xf32>
    %90 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%89 : tensor<2x16x1xf32>) outs(%12 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.divf %in, %cst_8 : f32
      linalg.yield %121 : f32
    } -> tensor<2x16x1xf32>
    %91 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%88 : tensor<2x16x1xf32>) outs(%12 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = arith.truncf %cst_6 : f64 to f32
      %122 = arith.addf %in, %121 : f32
      linalg.yield %122 : f32
    } -> tensor<2x16x1xf32>
    %92 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%91 : tensor<2x16x1xf32>) outs(%12 : tensor<2x16x1xf32>) {
    ^bb0(%in: f32, %out: f32):
      %121 = math.rsqrt %in : f32
      linalg.yield %121 : f32
    } -> tensor<2x16x1xf32>
    %93 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%80, %90 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %121 = arith.subf %in, %in_34 : f32
      linalg.yield %121 : f32
    } -> tensor<2x16x32xf32>
    %94 = linalg.generic {indexing_maps = [#map, #map1, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%93, %92 : tensor<2x16x32xf32>, tensor<2x16x1xf32>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %121 = arith.mulf %in, %in_34 : f32
      linalg.yield %121 : f32
    } -> tensor<2x16x32xf32>
    %95 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%94, %arg3 : tensor<2x16x32xf32>, tensor<32xf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_34: f16, %out: f32):
      %121 = arith.extf %in_34 : f16 to f32
      %122 = arith.mulf %in, %121 : f32
      linalg.yield %122 : f32
    } -> tensor<2x16x32xf32>
    %96 = linalg.generic {indexing_maps = [#map, #map2, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%95, %arg4 : tensor<2x16x32xf32>, tensor<32xf16>) outs(%0 : tensor<2x16x32xf32>) {
    ^bb0(%in: f32, %in_34: f16, %out: f32):
      %121 = arith.extf %in_34 : f16 to f32
      %122 = arith.addf %in, %121 : f32
      linalg.yield %122 : f32
    } -> tensor<2x16x32xf32>
    %97 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%96 : tensor<2x16x32xf32>) outs(%23 : tensor<2x16x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %121 = arith.truncf %in : f32 to f16
      linalg.yield %121 : f16
    } -> tensor<2x16x32xf16>
    %collapsed_28 = tensor.collapse_shape %97 [[0, 1], [2]] : tensor<2x16x32xf16> into tensor<32x32xf16>
    %98 = tensor.empty() : tensor<32x128xf16>
    %transposed_29 = linalg.transpose ins(%arg13 : tensor<128x32xf16>) outs(%98 : tensor<32x128xf16>) permutation = [1, 0] 
    %99 = tensor.empty() : tensor<128xf32>
    %100 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg14 : tensor<128xf16>) outs(%99 : tensor<128xf32>) {
    ^bb0(%in: f16, %out: f32):
      %121 = arith.extf %in : f16 to f32
      linalg.yield %121 : f32
    } -> tensor<128xf32>
    %101 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_28 : tensor<32x32xf16>) outs(%28 : tensor<32x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %121 = arith.extf %in : f16 to f32
      linalg.yield %121 : f32
    } -> tensor<32x32xf32>
    %102 = tensor.empty() : tensor<32x128xf32>
    %103 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_29 : tensor<32x128xf16>) outs(%102 : tensor<32x128xf32>) {
    ^bb0(%in: f16, %out: f32):
      %121 = arith.extf %in : f16 to f32
      linalg.yield %121 : f32
    } -> tensor<32x128xf32>
    %104 = linalg.fill ins(%cst_0 : f32) outs(%102 : tensor<32x128xf32>) -> tensor<32x128xf32>
    %105 = linalg.matmul ins(%101, %103 : tensor<32x32xf32>, tensor<32x128xf32>) outs(%104 : tensor<32x128xf32>) -> tensor<32x128xf32>
    %106 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%100 : tensor<128xf32>) outs(%102 : tensor<32x128xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x128xf32>
    %107 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%105, %106 : tensor<32x128xf32>, tensor<32x128xf32>) outs(%102 : tensor<32x128xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %121 = arith.addf %in, %in_34 : f32
      linalg.yield %121 : f32
    } -> tensor<32x128xf32>
    %108 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%107 : tensor<32x128xf32>) outs(%98 : tensor<32x128xf16>) {
    ^bb0(%in: f32, %out: f16):
      %121 = arith.truncf %in : f32 to f16
      linalg.yield %121 : f16
    } -> tensor<32x128xf16>
    %expanded_30 = tensor.expand_shape %108 [[0, 1], [2]] output_shape [2, 16, 128] : tensor<32x128xf16> into tensor<2x16x128xf16>
    %109 = tensor.empty() : tensor<2x16x128xf16>
    %110 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%expanded_30 : tensor<2x16x128xf16>) outs(%109 : tensor<2x16x128xf16>) {
    ^bb0(%in: f16, %out: f16):
      %121 = math.fpowi %in, %c3_i64 : f16, i64
      %122 = arith.mulf %121, %cst_2 : f16
      %123 = arith.addf %in, %122 : f16
      %124 = arith.mulf %123, %cst_3 : f16
      %125 = math.tanh %124 : f16
      %126 = arith.addf %125, %cst_4 : f16
      %127 = arith.mulf %126, %cst_5 : f16
      %128 = arith.mulf %in, %127 : f16
      linalg.yield %128 : f16
    } -> tensor<2x16x128xf16>
    %collapsed_31 = tensor.collapse_shape %110 [[0, 1], [2]] : tensor<2x16x128xf16> into tensor<32x128xf16>
    %111 = tensor.empty() : tensor<128x32xf16>
    %transposed_32 = linalg.transpose ins(%arg15 : tensor<32x128xf16>) outs(%111 : tensor<128x32xf16>) permutation = [1, 0] 
    %112 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel"]} ins(%arg16 : tensor<32xf16>) outs(%26 : tensor<32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %121 = arith.extf %in : f16 to f32
      linalg.yield %121 : f32
    } -> tensor<32xf32>
    %113 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%collapsed_31 : tensor<32x128xf16>) outs(%102 : tensor<32x128xf32>) {
    ^bb0(%in: f16, %out: f32):
      %121 = arith.extf %in : f16 to f32
      linalg.yield %121 : f32
    } -> tensor<32x128xf32>
    %114 = tensor.empty() : tensor<128x32xf32>
    %115 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%transposed_32 : tensor<128x32xf16>) outs(%114 : tensor<128x32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %121 = arith.extf %in : f16 to f32
      linalg.yield %121 : f32
    } -> tensor<128x32xf32>
    %116 = linalg.matmul ins(%113, %115 : tensor<32x128xf32>, tensor<128x32xf32>) outs(%31 : tensor<32x32xf32>) -> tensor<32x32xf32>
    %117 = linalg.generic {indexing_maps = [#map5, #map4], iterator_types = ["parallel", "parallel"]} ins(%112 : tensor<32xf32>) outs(%28 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<32x32xf32>
    %118 = linalg.generic {indexing_maps = [#map4, #map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%116, %117 : tensor<32x32xf32>, tensor<32x32xf32>) outs(%28 : tensor<32x32xf32>) {
    ^bb0(%in: f32, %in_34: f32, %out: f32):
      %121 = arith.addf %in, %in_34 : f32
      linalg.yield %121 : f32
    } -> tensor<32x32xf32>
    %119 = linalg.generic {indexing_maps = [#map4, #map4], iterator_types = ["parallel", "parallel"]} ins(%118 : tensor<32x32xf32>) outs(%25 : tensor<32x32xf16>) {
    ^bb0(%in: f32, %out: f16):
      %121 = arith.truncf %in : f32 to f16
      linalg.yield %121 : f16
    } -> tensor<32x32xf16>
    %expanded_33 = tensor.expand_shape %119 [[0, 1], [2]] output_shape [2, 16, 32] : tensor<32x32xf16> into tensor<2x16x32xf16>
    %120 = linalg.generic {indexing_maps = [#map, #map, #map], iterator_types = ["parallel", "parallel", "parallel"]} ins(%79, %expanded_33 : tensor<2x16x32xf16>, tensor<2x16x32xf16>) outs(%23 : tensor<2x16x32xf16>) {
    ^bb0(%in: f16, %in_34: f16, %out: f16):
      %121 = arith.addf %in, %in_34 : f16
      linalg.yield %121 : f16
    } -> tensor<2x16x32xf16>
    return %120 : tensor<2x16x32xf16>
  }
}

