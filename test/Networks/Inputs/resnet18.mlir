#map = affine_map<(d0) -> (d0)>
#map1 = affine_map<(d0, d1, d2, d3) -> (d0, d1, d2, d3)>
#map2 = affine_map<(d0, d1, d2, d3) -> (d0, d1)>
#map3 = affine_map<(d0, d1) -> (d0, d1)>
#map4 = affine_map<(d0, d1) -> (d1)>
module {
  func.func @main(%arg0: tensor<2x3x32x32xf16>, %arg1: tensor<8x3x7x7xf16>, %arg2: tensor<8xf16>, %arg3: tensor<8x8x3x3xf16>, %arg4: tensor<8xf16>, %arg5: tensor<8x8x3x3xf16>, %arg6: tensor<8xf16>, %arg7: tensor<8x8x3x3xf16>, %arg8: tensor<8xf16>, %arg9: tensor<8x8x3x3xf16>, %arg10: tensor<8xf16>, %arg11: tensor<16x8x3x3xf16>, %arg12: tensor<16xf16>, %arg13: tensor<16x16x3x3xf16>, %arg14: tensor<16xf16>, %arg15: tensor<16x8x1x1xf16>, %arg16: tensor<16xf16>, %arg17: tensor<16x16x3x3xf16>, %arg18: tensor<16xf16>, %arg19: tensor<16x16x3x3xf16>, %arg20: tensor<16xf16>, %arg21: tensor<32x16x3x3xf16>, %arg22: tensor<32xf16>, %arg23: tensor<32x32x3x3xf16>, %arg24: tensor<32xf16>, %arg25: tensor<32x16x1x1xf16>, %arg26: tensor<32xf16>, %arg27: tensor<32x32x3x3xf16>, %arg28: tensor<32xf16>, %arg29: tensor<32x32x3x3xf16>, %arg30: tensor<32xf16>, %arg31: tensor<64x32x3x3xf16>, %arg32: tensor<64xf16>, %arg33: tensor<64x64x3x3xf16>, %arg34: tensor<64xf16>, %arg35: tensor<64x32x1x1xf16>, %arg36: tensor<64xf16>, %arg37: tensor<64x64x3x3xf16>, %arg38: tensor<64xf16>, %arg39: tensor<64x64x3x3xf16>, %arg40: tensor<64xf16>, %arg41: tensor<16x64xf16>, %arg42: tensor<16xf16>) -> tensor<2x16xf16> {
    %cst = arith.constant 0.000000e+00 : f16
    %cst_0 = arith.constant 0xFC00 : f16
    %cst_1 = arith.constant 0.000000e+00 : f32
    %padded = tensor.pad %arg0 low[0, 0, 3, 3] high[0, 0, 3, 3] {
    ^bb0(%arg43: index, %arg44: index, %arg45: index, %arg46: index):
      tensor.yield %cst : f16
    } : tensor<2x3x32x32xf16> to tensor<2x3x38x38xf16>
    %0 = tensor.empty() : tensor<2x8x16x16xf32>
    %1 = tensor.empty() : tensor<8xf32>
    %2 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg2 : tensor<8xf16>) outs(%1 : tensor<8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<8xf32>
    %broadcasted = linalg.broadcast ins(%2 : tensor<8xf32>) outs(%0 : tensor<2x8x16x16xf32>) dimensions = [0, 2, 3] 
    %3 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded, %arg1 : tensor<2x3x38x38xf16>, tensor<8x3x7x7xf16>) outs(%broadcasted : tensor<2x8x16x16xf32>) -> tensor<2x8x16x16xf32>
    %4 = tensor.empty() : tensor<2x8x16x16xf16>
    %5 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%3 : tensor<2x8x16x16xf32>) outs(%4 : tensor<2x8x16x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<2x8x16x16xf16>
    %6 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%5 : tensor<2x8x16x16xf16>) outs(%4 : tensor<2x8x16x16xf16>) {
    ^bb0(%in: f16, %out: f16):
      %118 = arith.cmpf ugt, %in, %cst : f16
      %119 = arith.select %118, %in, %cst : f16
      linalg.yield %119 : f16
    } -> tensor<2x8x16x16xf16>
    %padded_2 = tensor.pad %6 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg43: index, %arg44: index, %arg45: index, %arg46: index):
      tensor.yield %cst_0 : f16
    } : tensor<2x8x16x16xf16> to tensor<2x8x18x18xf16>
    %7 = tensor.empty() : tensor<2x8x8x8xf16>
    %8 = linalg.fill ins(%cst_0 : f16) outs(%7 : tensor<2x8x8x8xf16>) -> tensor<2x8x8x8xf16>
    %9 = tensor.empty() : tensor<3x3xf16>
    %10 = linalg.pooling_nchw_max {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded_2, %9 : tensor<2x8x18x18xf16>, tensor<3x3xf16>) outs(%8 : tensor<2x8x8x8xf16>) -> tensor<2x8x8x8xf16>
    %padded_3 = tensor.pad %10 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg43: index, %arg44: index, %arg45: index, %arg46: index):
      tensor.yield %cst : f16
    } : tensor<2x8x8x8xf16> to tensor<2x8x10x10xf16>
    %11 = tensor.empty() : tensor<2x8x8x8xf32>
    %12 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg4 : tensor<8xf16>) outs(%1 : tensor<8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<8xf32>
    %broadcasted_4 = linalg.broadcast ins(%12 : tensor<8xf32>) outs(%11 : tensor<2x8x8x8xf32>) dimensions = [0, 2, 3] 
    %13 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_3, %arg3 : tensor<2x8x10x10xf16>, tensor<8x8x3x3xf16>) outs(%broadcasted_4 : tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
    %14 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%13 : tensor<2x8x8x8xf32>) outs(%7 : tensor<2x8x8x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<2x8x8x8xf16>
    %15 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%14 : tensor<2x8x8x8xf16>) outs(%7 : tensor<2x8x8x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      %118 = arith.cmpf ugt, %in, %cst : f16
      %119 = arith.select %118, %in, %cst : f16
      linalg.yield %119 : f16
    } -> tensor<2x8x8x8xf16>
    %padded_5 = tensor.pad %15 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg43: index, %arg44: index, %arg45: index, %arg46: index):
      tensor.yield %cst : f16
    } : tensor<2x8x8x8xf16> to tensor<2x8x10x10xf16>
    %16 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg6 : tensor<8xf16>) outs(%1 : tensor<8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<8xf32>
    %broadcasted_6 = linalg.broadcast ins(%16 : tensor<8xf32>) outs(%11 : tensor<2x8x8x8xf32>) dimensions = [0, 2, 3] 
    %17 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_5, %arg5 : tensor<2x8x10x10xf16>, tensor<8x8x3x3xf16>) outs(%broadcasted_6 : tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
    %18 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%17 : tensor<2x8x8x8xf32>) outs(%7 : tensor<2x8x8x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<2x8x8x8xf16>
    %19 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%10, %18 : tensor<2x8x8x8xf16>, tensor<2x8x8x8xf16>) outs(%7 : tensor<2x8x8x8xf16>) {
    ^bb0(%in: f16, %in_38: f16, %out: f16):
      %118 = arith.addf %in, %in_38 : f16
      linalg.yield %118 : f16
    } -> tensor<2x8x8x8xf16>
    %20 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%19 : tensor<2x8x8x8xf16>) outs(%7 : tensor<2x8x8x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      %118 = arith.cmpf ugt, %in, %cst : f16
      %119 = arith.select %118, %in, %cst : f16
      linalg.yield %119 : f16
    } -> tensor<2x8x8x8xf16>
    %padded_7 = tensor.pad %20 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg43: index, %arg44: index, %arg45: index, %arg46: index):
      tensor.yield %cst : f16
    } : tensor<2x8x8x8xf16> to tensor<2x8x10x10xf16>
    %21 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg8 : tensor<8xf16>) outs(%1 : tensor<8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<8xf32>
    %broadcasted_8 = linalg.broadcast ins(%21 : tensor<8xf32>) outs(%11 : tensor<2x8x8x8xf32>) dimensions = [0, 2, 3] 
    %22 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_7, %arg7 : tensor<2x8x10x10xf16>, tensor<8x8x3x3xf16>) outs(%broadcasted_8 : tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
    %23 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%22 : tensor<2x8x8x8xf32>) outs(%7 : tensor<2x8x8x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<2x8x8x8xf16>
    %24 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%23 : tensor<2x8x8x8xf16>) outs(%7 : tensor<2x8x8x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      %118 = arith.cmpf ugt, %in, %cst : f16
      %119 = arith.select %118, %in, %cst : f16
      linalg.yield %119 : f16
    } -> tensor<2x8x8x8xf16>
    %padded_9 = tensor.pad %24 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg43: index, %arg44: index, %arg45: index, %arg46: index):
      tensor.yield %cst : f16
    } : tensor<2x8x8x8xf16> to tensor<2x8x10x10xf16>
    %25 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg10 : tensor<8xf16>) outs(%1 : tensor<8xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<8xf32>
    %broadcasted_10 = linalg.broadcast ins(%25 : tensor<8xf32>) outs(%11 : tensor<2x8x8x8xf32>) dimensions = [0, 2, 3] 
    %26 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_9, %arg9 : tensor<2x8x10x10xf16>, tensor<8x8x3x3xf16>) outs(%broadcasted_10 : tensor<2x8x8x8xf32>) -> tensor<2x8x8x8xf32>
    %27 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%26 : tensor<2x8x8x8xf32>) outs(%7 : tensor<2x8x8x8xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<2x8x8x8xf16>
    %28 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%20, %27 : tensor<2x8x8x8xf16>, tensor<2x8x8x8xf16>) outs(%7 : tensor<2x8x8x8xf16>) {
    ^bb0(%in: f16, %in_38: f16, %out: f16):
      %118 = arith.addf %in, %in_38 : f16
      linalg.yield %118 : f16
    } -> tensor<2x8x8x8xf16>
    %29 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%28 : tensor<2x8x8x8xf16>) outs(%7 : tensor<2x8x8x8xf16>) {
    ^bb0(%in: f16, %out: f16):
      %118 = arith.cmpf ugt, %in, %cst : f16
      %119 = arith.select %118, %in, %cst : f16
      linalg.yield %119 : f16
    } -> tensor<2x8x8x8xf16>
    %30 = tensor.empty() : tensor<2x16x4x4xf32>
    %31 = tensor.empty() : tensor<16xf32>
    %32 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg16 : tensor<16xf16>) outs(%31 : tensor<16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<16xf32>
    %broadcasted_11 = linalg.broadcast ins(%32 : tensor<16xf32>) outs(%30 : tensor<2x16x4x4xf32>) dimensions = [0, 2, 3] 
    %33 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%29, %arg15 : tensor<2x8x8x8xf16>, tensor<16x8x1x1xf16>) outs(%broadcasted_11 : tensor<2x16x4x4xf32>) -> tensor<2x16x4x4xf32>
    %34 = tensor.empty() : tensor<2x16x4x4xf16>
    %35 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%33 : tensor<2x16x4x4xf32>) outs(%34 : tensor<2x16x4x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<2x16x4x4xf16>
    %padded_12 = tensor.pad %29 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg43: index, %arg44: index, %arg45: index, %arg46: index):
      tensor.yield %cst : f16
    } : tensor<2x8x8x8xf16> to tensor<2x8x10x10xf16>
    %36 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg12 : tensor<16xf16>) outs(%31 : tensor<16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<16xf32>
    %broadcasted_13 = linalg.broadcast ins(%36 : tensor<16xf32>) outs(%30 : tensor<2x16x4x4xf32>) dimensions = [0, 2, 3] 
    %37 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded_12, %arg11 : tensor<2x8x10x10xf16>, tensor<16x8x3x3xf16>) outs(%broadcasted_13 : tensor<2x16x4x4xf32>) -> tensor<2x16x4x4xf32>
    %38 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%37 : tensor<2x16x4x4xf32>) outs(%34 : tensor<2x16x4x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<2x16x4x4xf16>
    %39 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%38 : tensor<2x16x4x4xf16>) outs(%34 : tensor<2x16x4x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %118 = arith.cmpf ugt, %in, %cst : f16
      %119 = arith.select %118, %in, %cst : f16
      linalg.yield %119 : f16
    } -> tensor<2x16x4x4xf16>
    %padded_14 = tensor.pad %39 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg43: index, %arg44: index, %arg45: index, %arg46: index):
      tensor.yield %cst : f16
    } : tensor<2x16x4x4xf16> to tensor<2x16x6x6xf16>
    %40 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg14 : tensor<16xf16>) outs(%31 : tensor<16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<16xf32>
    %broadcasted_15 = linalg.broadcast ins(%40 : tensor<16xf32>) outs(%30 : tensor<2x16x4x4xf32>) dimensions = [0, 2, 3] 
    %41 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_14, %arg13 : tensor<2x16x6x6xf16>, tensor<16x16x3x3xf16>) outs(%broadcasted_15 : tensor<2x16x4x4xf32>) -> tensor<2x16x4x4xf32>
    %42 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%41 : tensor<2x16x4x4xf32>) outs(%34 : tensor<2x16x4x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<2x16x4x4xf16>
    %43 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%35, %42 : tensor<2x16x4x4xf16>, tensor<2x16x4x4xf16>) outs(%34 : tensor<2x16x4x4xf16>) {
    ^bb0(%in: f16, %in_38: f16, %out: f16):
      %118 = arith.addf %in, %in_38 : f16
      linalg.yield %118 : f16
    } -> tensor<2x16x4x4xf16>
    %44 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%43 : tensor<2x16x4x4xf16>) outs(%34 : tensor<2x16x4x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %118 = arith.cmpf ugt, %in, %cst : f16
      %119 = arith.select %118, %in, %cst : f16
      linalg.yield %119 : f16
    } -> tensor<2x16x4x4xf16>
    %padded_16 = tensor.pad %44 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg43: index, %arg44: index, %arg45: index, %arg46: index):
      tensor.yield %cst : f16
    } : tensor<2x16x4x4xf16> to tensor<2x16x6x6xf16>
    %45 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg18 : tensor<16xf16>) outs(%31 : tensor<16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<16xf32>
    %broadcasted_17 = linalg.broadcast ins(%45 : tensor<16xf32>) outs(%30 : tensor<2x16x4x4xf32>) dimensions = [0, 2, 3] 
    %46 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_16, %arg17 : tensor<2x16x6x6xf16>, tensor<16x16x3x3xf16>) outs(%broadcasted_17 : tensor<2x16x4x4xf32>) -> tensor<2x16x4x4xf32>
    %47 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%46 : tensor<2x16x4x4xf32>) outs(%34 : tensor<2x16x4x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<2x16x4x4xf16>
    %48 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%47 : tensor<2x16x4x4xf16>) outs(%34 : tensor<2x16x4x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %118 = arith.cmpf ugt, %in, %cst : f16
      %119 = arith.select %118, %in, %cst : f16
      linalg.yield %119 : f16
    } -> tensor<2x16x4x4xf16>
    %padded_18 = tensor.pad %48 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg43: index, %arg44: index, %arg45: index, %arg46: index):
      tensor.yield %cst : f16
    } : tensor<2x16x4x4xf16> to tensor<2x16x6x6xf16>
    %49 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg20 : tensor<16xf16>) outs(%31 : tensor<16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<16xf32>
    %broadcasted_19 = linalg.broadcast ins(%49 : tensor<16xf32>) outs(%30 : tensor<2x16x4x4xf32>) dimensions = [0, 2, 3] 
    %50 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_18, %arg19 : tensor<2x16x6x6xf16>, tensor<16x16x3x3xf16>) outs(%broadcasted_19 : tensor<2x16x4x4xf32>) -> tensor<2x16x4x4xf32>
    %51 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%50 : tensor<2x16x4x4xf32>) outs(%34 : tensor<2x16x4x4xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<2x16x4x4xf16>
    %52 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%44, %51 : tensor<2x16x4x4xf16>, tensor<2x16x4x4xf16>) outs(%34 : tensor<2x16x4x4xf16>) {
    ^bb0(%in: f16, %in_38: f16, %out: f16):
      %118 = arith.addf %in, %in_38 : f16
      linalg.yield %118 : f16
    } -> tensor<2x16x4x4xf16>
    %53 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%52 : tensor<2x16x4x4xf16>) outs(%34 : tensor<2x16x4x4xf16>) {
    ^bb0(%in: f16, %out: f16):
      %118 = arith.cmpf ugt, %in, %cst : f16
      %119 = arith.select %118, %in, %cst : f16
      linalg.yield %119 : f16
    } -> tensor<2x16x4x4xf16>
    %54 = tensor.empty() : tensor<2x32x2x2xf32>
    %55 = tensor.empty() : tensor<32xf32>
    %56 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg26 : tensor<32xf16>) outs(%55 : tensor<32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<32xf32>
    %broadcasted_20 = linalg.broadcast ins(%56 : tensor<32xf32>) outs(%54 : tensor<2x32x2x2xf32>) dimensions = [0, 2, 3] 
    %57 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%53, %arg25 : tensor<2x16x4x4xf16>, tensor<32x16x1x1xf16>) outs(%broadcasted_20 : tensor<2x32x2x2xf32>) -> tensor<2x32x2x2xf32>
    %58 = tensor.empty() : tensor<2x32x2x2xf16>
    %59 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%57 : tensor<2x32x2x2xf32>) outs(%58 : tensor<2x32x2x2xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<2x32x2x2xf16>
    %padded_21 = tensor.pad %53 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg43: index, %arg44: index, %arg45: index, %arg46: index):
      tensor.yield %cst : f16
    } : tensor<2x16x4x4xf16> to tensor<2x16x6x6xf16>
    %60 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg22 : tensor<32xf16>) outs(%55 : tensor<32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<32xf32>
    %broadcasted_22 = linalg.broadcast ins(%60 : tensor<32xf32>) outs(%54 : tensor<2x32x2x2xf32>) dimensions = [0, 2, 3] 
    %61 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded_21, %arg21 : tensor<2x16x6x6xf16>, tensor<32x16x3x3xf16>) outs(%broadcasted_22 : tensor<2x32x2x2xf32>) -> tensor<2x32x2x2xf32>
    %62 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%61 : tensor<2x32x2x2xf32>) outs(%58 : tensor<2x32x2x2xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<2x32x2x2xf16>
    %63 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%62 : tensor<2x32x2x2xf16>) outs(%58 : tensor<2x32x2x2xf16>) {
    ^bb0(%in: f16, %out: f16):
      %118 = arith.cmpf ugt, %in, %cst : f16
      %119 = arith.select %118, %in, %cst : f16
      linalg.yield %119 : f16
    } -> tensor<2x32x2x2xf16>
    %padded_23 = tensor.pad %63 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg43: index, %arg44: index, %arg45: index, %arg46: index):
      tensor.yield %cst : f16
    } : tensor<2x32x2x2xf16> to tensor<2x32x4x4xf16>
    %64 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg24 : tensor<32xf16>) outs(%55 : tensor<32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<32xf32>
    %broadcasted_24 = linalg.broadcast ins(%64 : tensor<32xf32>) outs(%54 : tensor<2x32x2x2xf32>) dimensions = [0, 2, 3] 
    %65 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_23, %arg23 : tensor<2x32x4x4xf16>, tensor<32x32x3x3xf16>) outs(%broadcasted_24 : tensor<2x32x2x2xf32>) -> tensor<2x32x2x2xf32>
    %66 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%65 : tensor<2x32x2x2xf32>) outs(%58 : tensor<2x32x2x2xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<2x32x2x2xf16>
    %67 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%59, %66 : tensor<2x32x2x2xf16>, tensor<2x32x2x2xf16>) outs(%58 : tensor<2x32x2x2xf16>) {
    ^bb0(%in: f16, %in_38: f16, %out: f16):
      %118 = arith.addf %in, %in_38 : f16
      linalg.yield %118 : f16
    } -> tensor<2x32x2x2xf16>
    %68 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%67 : tensor<2x32x2x2xf16>) outs(%58 : tensor<2x32x2x2xf16>) {
    ^bb0(%in: f16, %out: f16):
      %118 = arith.cmpf ugt, %in, %cst : f16
      %119 = arith.select %118, %in, %cst : f16
      linalg.yield %119 : f16
    } -> tensor<2x32x2x2xf16>
    %padded_25 = tensor.pad %68 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg43: index, %arg44: index, %arg45: index, %arg46: index):
      tensor.yield %cst : f16
    } : tensor<2x32x2x2xf16> to tensor<2x32x4x4xf16>
    %69 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg28 : tensor<32xf16>) outs(%55 : tensor<32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<32xf32>
    %broadcasted_26 = linalg.broadcast ins(%69 : tensor<32xf32>) outs(%54 : tensor<2x32x2x2xf32>) dimensions = [0, 2, 3] 
    %70 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_25, %arg27 : tensor<2x32x4x4xf16>, tensor<32x32x3x3xf16>) outs(%broadcasted_26 : tensor<2x32x2x2xf32>) -> tensor<2x32x2x2xf32>
    %71 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%70 : tensor<2x32x2x2xf32>) outs(%58 : tensor<2x32x2x2xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<2x32x2x2xf16>
    %72 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%71 : tensor<2x32x2x2xf16>) outs(%58 : tensor<2x32x2x2xf16>) {
    ^bb0(%in: f16, %out: f16):
      %118 = arith.cmpf ugt, %in, %cst : f16
      %119 = arith.select %118, %in, %cst : f16
      linalg.yield %119 : f16
    } -> tensor<2x32x2x2xf16>
    %padded_27 = tensor.pad %72 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg43: index, %arg44: index, %arg45: index, %arg46: index):
      tensor.yield %cst : f16
    } : tensor<2x32x2x2xf16> to tensor<2x32x4x4xf16>
    %73 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg30 : tensor<32xf16>) outs(%55 : tensor<32xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<32xf32>
    %broadcasted_28 = linalg.broadcast ins(%73 : tensor<32xf32>) outs(%54 : tensor<2x32x2x2xf32>) dimensions = [0, 2, 3] 
    %74 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_27, %arg29 : tensor<2x32x4x4xf16>, tensor<32x32x3x3xf16>) outs(%broadcasted_28 : tensor<2x32x2x2xf32>) -> tensor<2x32x2x2xf32>
    %75 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%74 : tensor<2x32x2x2xf32>) outs(%58 : tensor<2x32x2x2xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<2x32x2x2xf16>
    %76 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%68, %75 : tensor<2x32x2x2xf16>, tensor<2x32x2x2xf16>) outs(%58 : tensor<2x32x2x2xf16>) {
    ^bb0(%in: f16, %in_38: f16, %out: f16):
      %118 = arith.addf %in, %in_38 : f16
      linalg.yield %118 : f16
    } -> tensor<2x32x2x2xf16>
    %77 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%76 : tensor<2x32x2x2xf16>) outs(%58 : tensor<2x32x2x2xf16>) {
    ^bb0(%in: f16, %out: f16):
      %118 = arith.cmpf ugt, %in, %cst : f16
      %119 = arith.select %118, %in, %cst : f16
      linalg.yield %119 : f16
    } -> tensor<2x32x2x2xf16>
    %78 = tensor.empty() : tensor<2x64x1x1xf32>
    %79 = tensor.empty() : tensor<64xf32>
    %80 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg36 : tensor<64xf16>) outs(%79 : tensor<64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<64xf32>
    %broadcasted_29 = linalg.broadcast ins(%80 : tensor<64xf32>) outs(%78 : tensor<2x64x1x1xf32>) dimensions = [0, 2, 3] 
    %81 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%77, %arg35 : tensor<2x32x2x2xf16>, tensor<64x32x1x1xf16>) outs(%broadcasted_29 : tensor<2x64x1x1xf32>) -> tensor<2x64x1x1xf32>
    %82 = tensor.empty() : tensor<2x64x1x1xf16>
    %83 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%81 : tensor<2x64x1x1xf32>) outs(%82 : tensor<2x64x1x1xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<2x64x1x1xf16>
    %padded_30 = tensor.pad %77 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg43: index, %arg44: index, %arg45: index, %arg46: index):
      tensor.yield %cst : f16
    } : tensor<2x32x2x2xf16> to tensor<2x32x4x4xf16>
    %84 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg32 : tensor<64xf16>) outs(%79 : tensor<64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<64xf32>
    %broadcasted_31 = linalg.broadcast ins(%84 : tensor<64xf32>) outs(%78 : tensor<2x64x1x1xf32>) dimensions = [0, 2, 3] 
    %85 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<2> : vector<2xi64>} ins(%padded_30, %arg31 : tensor<2x32x4x4xf16>, tensor<64x32x3x3xf16>) outs(%broadcasted_31 : tensor<2x64x1x1xf32>) -> tensor<2x64x1x1xf32>
    %86 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%85 : tensor<2x64x1x1xf32>) outs(%82 : tensor<2x64x1x1xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<2x64x1x1xf16>
    %87 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%86 : tensor<2x64x1x1xf16>) outs(%82 : tensor<2x64x1x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %118 = arith.cmpf ugt, %in, %cst : f16
      %119 = arith.select %118, %in, %cst : f16
      linalg.yield %119 : f16
    } -> tensor<2x64x1x1xf16>
    %padded_32 = tensor.pad %87 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg43: index, %arg44: index, %arg45: index, %arg46: index):
      tensor.yield %cst : f16
    } : tensor<2x64x1x1xf16> to tensor<2x64x3x3xf16>
    %88 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg34 : tensor<64xf16>) outs(%79 : tensor<64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<64xf32>
    %broadcasted_33 = linalg.broadcast ins(%88 : tensor<64xf32>) outs(%78 : tensor<2x64x1x1xf32>) dimensions = [0, 2, 3] 
    %89 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_32, %arg33 : tensor<2x64x3x3xf16>, tensor<64x64x3x3xf16>) outs(%broadcasted_33 : tensor<2x64x1x1xf32>) -> tensor<2x64x1x1xf32>
    %90 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%89 : tensor<2x64x1x1xf32>) outs(%82 : tensor<2x64x1x1xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<2x64x1x1xf16>
    %91 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%83, %90 : tensor<2x64x1x1xf16>, tensor<2x64x1x1xf16>) outs(%82 : tensor<2x64x1x1xf16>) {
    ^bb0(%in: f16, %in_38: f16, %out: f16):
      %118 = arith.addf %in, %in_38 : f16
      linalg.yield %118 : f16
    } -> tensor<2x64x1x1xf16>
    %92 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%91 : tensor<2x64x1x1xf16>) outs(%82 : tensor<2x64x1x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %118 = arith.cmpf ugt, %in, %cst : f16
      %119 = arith.select %118, %in, %cst : f16
      linalg.yield %119 : f16
    } -> tensor<2x64x1x1xf16>
    %padded_34 = tensor.pad %92 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg43: index, %arg44: index, %arg45: index, %arg46: index):
      tensor.yield %cst : f16
    } : tensor<2x64x1x1xf16> to tensor<2x64x3x3xf16>
    %93 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg38 : tensor<64xf16>) outs(%79 : tensor<64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<64xf32>
    %broadcasted_35 = linalg.broadcast ins(%93 : tensor<64xf32>) outs(%78 : tensor<2x64x1x1xf32>) dimensions = [0, 2, 3] 
    %94 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_34, %arg37 : tensor<2x64x3x3xf16>, tensor<64x64x3x3xf16>) outs(%broadcasted_35 : tensor<2x64x1x1xf32>) -> tensor<2x64x1x1xf32>
    %95 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%94 : tensor<2x64x1x1xf32>) outs(%82 : tensor<2x64x1x1xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<2x64x1x1xf16>
    %96 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%95 : tensor<2x64x1x1xf16>) outs(%82 : tensor<2x64x1x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %118 = arith.cmpf ugt, %in, %cst : f16
      %119 = arith.select %118, %in, %cst : f16
      linalg.yield %119 : f16
    } -> tensor<2x64x1x1xf16>
    %padded_36 = tensor.pad %96 low[0, 0, 1, 1] high[0, 0, 1, 1] {
    ^bb0(%arg43: index, %arg44: index, %arg45: index, %arg46: index):
      tensor.yield %cst : f16
    } : tensor<2x64x1x1xf16> to tensor<2x64x3x3xf16>
    %97 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg40 : tensor<64xf16>) outs(%79 : tensor<64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<64xf32>
    %broadcasted_37 = linalg.broadcast ins(%97 : tensor<64xf32>) outs(%78 : tensor<2x64x1x1xf32>) dimensions = [0, 2, 3] 
    %98 = linalg.conv_2d_nchw_fchw {dilations = dense<1> : vector<2xi64>, strides = dense<1> : vector<2xi64>} ins(%padded_36, %arg39 : tensor<2x64x3x3xf16>, tensor<64x64x3x3xf16>) outs(%broadcasted_37 : tensor<2x64x1x1xf32>) -> tensor<2x64x1x1xf32>
    %99 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%98 : tensor<2x64x1x1xf32>) outs(%82 : tensor<2x64x1x1xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<2x64x1x1xf16>
    %100 = linalg.generic {indexing_maps = [#map1, #map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%92, %99 : tensor<2x64x1x1xf16>, tensor<2x64x1x1xf16>) outs(%82 : tensor<2x64x1x1xf16>) {
    ^bb0(%in: f16, %in_38: f16, %out: f16):
      %118 = arith.addf %in, %in_38 : f16
      linalg.yield %118 : f16
    } -> tensor<2x64x1x1xf16>
    %101 = linalg.generic {indexing_maps = [#map1, #map1], iterator_types = ["parallel", "parallel", "parallel", "parallel"]} ins(%100 : tensor<2x64x1x1xf16>) outs(%82 : tensor<2x64x1x1xf16>) {
    ^bb0(%in: f16, %out: f16):
      %118 = arith.cmpf ugt, %in, %cst : f16
      %119 = arith.select %118, %in, %cst : f16
      linalg.yield %119 : f16
    } -> tensor<2x64x1x1xf16>
    %102 = tensor.empty() : tensor<2x64xf16>
    %103 = linalg.fill ins(%cst : f16) outs(%102 : tensor<2x64xf16>) -> tensor<2x64xf16>
    %104 = linalg.generic {indexing_maps = [#map1, #map2], iterator_types = ["parallel", "parallel", "reduction", "reduction"]} ins(%101 : tensor<2x64x1x1xf16>) outs(%103 : tensor<2x64xf16>) {
    ^bb0(%in: f16, %out: f16):
      %118 = arith.addf %in, %out : f16
      linalg.yield %118 : f16
    } -> tensor<2x64xf16>
    %105 = tensor.empty() : tensor<64x16xf16>
    %transposed = linalg.transpose ins(%arg41 : tensor<16x64xf16>) outs(%105 : tensor<64x16xf16>) permutation = [1, 0] 
    %106 = linalg.generic {indexing_maps = [#map, #map], iterator_types = ["parallel"]} ins(%arg42 : tensor<16xf16>) outs(%31 : tensor<16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<16xf32>
    %107 = tensor.empty() : tensor<2x64xf32>
    %108 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%104 : tensor<2x64xf16>) outs(%107 : tensor<2x64xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<2x64xf32>
    %109 = tensor.empty() : tensor<64x16xf32>
    %110 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%transposed : tensor<64x16xf16>) outs(%109 : tensor<64x16xf32>) {
    ^bb0(%in: f16, %out: f32):
      %118 = arith.extf %in : f16 to f32
      linalg.yield %118 : f32
    } -> tensor<64x16xf32>
    %111 = tensor.empty() : tensor<2x16xf32>
    %112 = linalg.fill ins(%cst_1 : f32) outs(%111 : tensor<2x16xf32>) -> tensor<2x16xf32>
    %113 = linalg.matmul ins(%108, %110 : tensor<2x64xf32>, tensor<64x16xf32>) outs(%112 : tensor<2x16xf32>) -> tensor<2x16xf32>
    %114 = linalg.generic {indexing_maps = [#map4, #map3], iterator_types = ["parallel", "parallel"]} ins(%106 : tensor<16xf32>) outs(%111 : tensor<2x16xf32>) {
    ^bb0(%in: f32, %out: f32):
      linalg.yield %in : f32
    } -> tensor<2x16xf32>
    %115 = linalg.generic {indexing_maps = [#map3, #map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%113, %114 : tensor<2x16xf32>, tensor<2x16xf32>) outs(%111 : tensor<2x16xf32>) {
    ^bb0(%in: f32, %in_38: f32, %out: f32):
      %118 = arith.addf %in, %in_38 : f32
      linalg.yield %118 : f32
    } -> tensor<2x16xf32>
    %116 = tensor.empty() : tensor<2x16xf16>
    %117 = linalg.generic {indexing_maps = [#map3, #map3], iterator_types = ["parallel", "parallel"]} ins(%115 : tensor<2x16xf32>) outs(%116 : tensor<2x16xf16>) {
    ^bb0(%in: f32, %out: f16):
      %118 = arith.truncf %in : f32 to f16
      linalg.yield %118 : f16
    } -> tensor<2x16xf16>
    return %117 : tensor<2x16xf16>
  }
}

