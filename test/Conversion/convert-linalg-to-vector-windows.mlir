// convert-linalg-to-vector on windows: vectors along the last axis of the result combine what they read at each place, and
// elements a few places apart are taken from vectors that hold all between. Results are the interpreter's.
//
// RUN: tile-opt --pass-pipeline="builtin.module(one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},convert-linalg-to-vector,canonicalize,cse)" %s | FileCheck %s
// RUN: tile-opt --pass-pipeline="builtin.module(one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},convert-linalg-to-vector{parallel=1})" %s | FileCheck %s --check-prefix=PARALLEL
// DEFINE: %{run} = tile-run %s --random=3 --backend=cpu --check=interp --entry
// RUN: %{run}=@every_second | FileCheck %s --check-prefix=SAME
// RUN: %{run}=@every_third | FileCheck %s --check-prefix=SAME
// RUN: %{run}=@dilated | FileCheck %s --check-prefix=SAME
// RUN: %{run}=@pixels | FileCheck %s --check-prefix=SAME
// RUN: %{run}=@wide | FileCheck %s --check-prefix=SAME
// RUN: %{run}=@far | FileCheck %s --check-prefix=SAME
// RUN: %{run}=@large | FileCheck %s --check-prefix=SAME
// RUN: %{run}=@integers | FileCheck %s --check-prefix=SAME
// RUN: %{run}=@narrow | FileCheck %s --check-prefix=SAME
// RUN: %{run}=@goes_on | FileCheck %s --check-prefix=SAME
// RUN: %{run}=@backwards | FileCheck %s --check-prefix=SAME
// RUN: %{run}=@every_second --cpu=generic | FileCheck %s --check-prefix=SAME
// RUN: %{run}=@narrow --cpu=generic | FileCheck %s --check-prefix=SAME
// SAME: check against interp: passed

// CHECK: #[[$FULL:.*]] = #llvm.loop_unroll<full = true>
// CHECK: #[[$UNROLLED:.*]] = #llvm.loop_annotation<unroll = #[[$FULL]]>

// CHECK-LABEL: @every_second
// CHECK-NOT: linalg
// CHECK: scf.for {{.*}} = %c0{{.*}} to %c24{{.*}} step %c8{{.*}} {
// CHECK: %[[A:.*]] = vector.load {{.*}} vector<8xf32>
// CHECK: %[[B:.*]] = vector.load {{.*}} vector<8xf32>
// CHECK: %[[FIRST:.*]] = vector.shuffle %[[A]], %[[B]] [0, 2, 4, 6, 9, 11, 13, 15]
// CHECK: %[[SECOND:.*]] = vector.shuffle
// CHECK: arith.maximumf %[[FIRST]], %[[SECOND]]
// CHECK-COUNT-7: arith.maximumf
// CHECK-NEXT: vector.store
// CHECK-NEXT: } {loop_annotation = #[[$UNROLLED]]}
// PARALLEL-LABEL: @every_second
// PARALLEL: scf.parallel
func.func @every_second(%x: tensor<2x3x55x55xf32>) -> tensor<2x3x27x27xf32> {
  %low = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<3x3xf32>
  %empty = tensor.empty() : tensor<2x3x27x27xf32>
  %start = linalg.fill ins(%low : f32) outs(%empty : tensor<2x3x27x27xf32>) -> tensor<2x3x27x27xf32>
  %y = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>}
      ins(%x, %window : tensor<2x3x55x55xf32>, tensor<3x3xf32>) outs(%start : tensor<2x3x27x27xf32>) -> tensor<2x3x27x27xf32>
  return %y : tensor<2x3x27x27xf32>
}

// Three vectors, of which two operations take elements.
// CHECK-LABEL: @every_third
// CHECK: %[[A:.*]] = vector.load {{.*}} vector<8xf32>
// CHECK: %[[B:.*]] = vector.load {{.*}} vector<8xf32>
// CHECK: %[[SOME:.*]] = vector.shuffle %[[A]], %[[B]] [0, 3, 6, 9, 12, 15, 6, 7]
// CHECK: %[[C:.*]] = vector.load {{.*}} vector<8xf32>
// CHECK: vector.shuffle %[[SOME]], %[[C]] [0, 1, 2, 3, 4, 5, 12, 15]
// CHECK: arith.maximumf
func.func @every_third(%x: tensor<1x2x30x62xf32>) -> tensor<1x2x10x20xf32> {
  %low = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<2x3xf32>
  %empty = tensor.empty() : tensor<1x2x10x20xf32>
  %start = linalg.fill ins(%low : f32) outs(%empty : tensor<1x2x10x20xf32>) -> tensor<1x2x10x20xf32>
  %y = linalg.pooling_nchw_max {strides = dense<3> : tensor<2xi64>}
      ins(%x, %window : tensor<1x2x30x62xf32>, tensor<2x3xf32>) outs(%start : tensor<1x2x10x20xf32>) -> tensor<1x2x10x20xf32>
  return %y : tensor<1x2x10x20xf32>
}

// CHECK-LABEL: @dilated
// CHECK-NOT: vector.shuffle
// CHECK: vector.load
// CHECK: arith.maximumf {{.*}} vector<8xf32>
func.func @dilated(%x: tensor<1x2x16x21xf32>) -> tensor<1x2x12x17xf32> {
  %low = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<3x3xf32>
  %empty = tensor.empty() : tensor<1x2x12x17xf32>
  %start = linalg.fill ins(%low : f32) outs(%empty : tensor<1x2x12x17xf32>) -> tensor<1x2x12x17xf32>
  %y = linalg.pooling_nchw_max {dilations = dense<2> : tensor<2xi64>}
      ins(%x, %window : tensor<1x2x16x21xf32>, tensor<3x3xf32>) outs(%start : tensor<1x2x12x17xf32>) -> tensor<1x2x12x17xf32>
  return %y : tensor<1x2x12x17xf32>
}

// Channels are next to each other, whatever the stride.
// CHECK-LABEL: @pixels
// CHECK-NOT: vector.shuffle
// CHECK: arith.minimumf {{.*}} vector<8xf32>
func.func @pixels(%x: tensor<2x13x13x9xf32>) -> tensor<2x3x3x9xf32> {
  %high = arith.constant 0x7F800000 : f32
  %window = tensor.empty() : tensor<3x3xf32>
  %empty = tensor.empty() : tensor<2x3x3x9xf32>
  %start = linalg.fill ins(%high : f32) outs(%empty : tensor<2x3x3x9xf32>) -> tensor<2x3x3x9xf32>
  %y = linalg.pooling_nhwc_min {strides = dense<5> : tensor<2xi64>}
      ins(%x, %window : tensor<2x13x13x9xf32>, tensor<3x3xf32>) outs(%start : tensor<2x3x3x9xf32>) -> tensor<2x3x3x9xf32>
  return %y : tensor<2x3x3x9xf32>
}

// A row takes 152 ops on vectors: its loop stays.
// CHECK-LABEL: @wide
// CHECK: vector.store
// CHECK-NOT: loop_annotation
func.func @wide(%x: tensor<1x4x4x64xf32>) -> tensor<1x2x2x64xf32> {
  %low = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<3x3xf32>
  %empty = tensor.empty() : tensor<1x2x2x64xf32>
  %start = linalg.fill ins(%low : f32) outs(%empty : tensor<1x2x2x64xf32>) -> tensor<1x2x2x64xf32>
  %y = linalg.pooling_nhwc_max ins(%x, %window : tensor<1x4x4x64xf32>, tensor<3x3xf32>)
      outs(%start : tensor<1x2x2x64xf32>) -> tensor<1x2x2x64xf32>
  return %y : tensor<1x2x2x64xf32>
}

// These stay: elements too far apart, and a window of many places.
// CHECK-LABEL: @far
// CHECK: linalg.pooling_nchw_max
func.func @far(%x: tensor<1x2x45x45xf32>) -> tensor<1x2x9x9xf32> {
  %low = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<5x5xf32>
  %empty = tensor.empty() : tensor<1x2x9x9xf32>
  %start = linalg.fill ins(%low : f32) outs(%empty : tensor<1x2x9x9xf32>) -> tensor<1x2x9x9xf32>
  %y = linalg.pooling_nchw_max {strides = dense<5> : tensor<2xi64>}
      ins(%x, %window : tensor<1x2x45x45xf32>, tensor<5x5xf32>) outs(%start : tensor<1x2x9x9xf32>) -> tensor<1x2x9x9xf32>
  return %y : tensor<1x2x9x9xf32>
}
// CHECK-LABEL: @large
// CHECK: linalg.pooling_nchw_max
func.func @large(%x: tensor<1x2x20x20xf32>) -> tensor<1x2x9x9xf32> {
  %low = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<12x12xf32>
  %empty = tensor.empty() : tensor<1x2x9x9xf32>
  %start = linalg.fill ins(%low : f32) outs(%empty : tensor<1x2x9x9xf32>) -> tensor<1x2x9x9xf32>
  %y = linalg.pooling_nchw_max ins(%x, %window : tensor<1x2x20x20xf32>, tensor<12x12xf32>)
      outs(%start : tensor<1x2x9x9xf32>) -> tensor<1x2x9x9xf32>
  return %y : tensor<1x2x9x9xf32>
}

// CHECK-LABEL: @integers
// CHECK: arith.maxsi {{.*}} vector<16xi16>
func.func @integers(%x: tensor<1x1x9x77xi16>) -> tensor<1x1x4x38xi16> {
  %low = arith.constant -32768 : i16
  %window = tensor.empty() : tensor<3x3xi16>
  %empty = tensor.empty() : tensor<1x1x4x38xi16>
  %start = linalg.fill ins(%low : i16) outs(%empty : tensor<1x1x4x38xi16>) -> tensor<1x1x4x38xi16>
  %y = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>}
      ins(%x, %window : tensor<1x1x9x77xi16>, tensor<3x3xi16>) outs(%start : tensor<1x1x4x38xi16>) -> tensor<1x1x4x38xi16>
  return %y : tensor<1x1x4x38xi16>
}

// Rows shorter than a vector: narrower ones.
// CHECK-LABEL: @narrow
// CHECK: arith.maximumf {{.*}} vector<4xf32>
// CHECK: arith.maximumf {{.*}} vector<2xf32>
// CHECK: arith.maximumf {{.*}} vector<1xf32>
func.func @narrow(%x: tensor<3x2x15x15xf32>) -> tensor<3x2x7x7xf32> {
  %low = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<3x3xf32>
  %empty = tensor.empty() : tensor<3x2x7x7xf32>
  %start = linalg.fill ins(%low : f32) outs(%empty : tensor<3x2x7x7xf32>) -> tensor<3x2x7x7xf32>
  %y = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>}
      ins(%x, %window : tensor<3x2x15x15xf32>, tensor<3x3xf32>) outs(%start : tensor<3x2x7x7xf32>) -> tensor<3x2x7x7xf32>
  return %y : tensor<3x2x7x7xf32>
}

// A maximum that begins with what is there.
// CHECK-LABEL: @goes_on
// CHECK: arith.maximumf {{.*}} vector<8xf32>
func.func @goes_on(%x: tensor<1x2x9x19xf32>, %before: tensor<1x2x4x9xf32>) -> tensor<1x2x4x9xf32> {
  %window = tensor.empty() : tensor<3x3xf32>
  %y = linalg.pooling_nchw_max {strides = dense<2> : tensor<2xi64>}
      ins(%x, %window : tensor<1x2x9x19xf32>, tensor<3x3xf32>) outs(%before : tensor<1x2x4x9xf32>) -> tensor<1x2x4x9xf32>
  return %y : tensor<1x2x4x9xf32>
}

// A window that is gone through backwards, of a structured op.
// CHECK-LABEL: @backwards
// CHECK: arith.maximumf {{.*}} vector<8xf32>
#read = affine_map<(i, j, r) -> (i, 2 * j - r + 2)>
#window = affine_map<(i, j, r) -> (r)>
#written = affine_map<(i, j, r) -> (i, j)>
func.func @backwards(%x: tensor<3x43xf32>) -> tensor<3x20xf32> {
  %low = arith.constant 0xFF800000 : f32
  %window = tensor.empty() : tensor<3xf32>
  %empty = tensor.empty() : tensor<3x20xf32>
  %start = linalg.fill ins(%low : f32) outs(%empty : tensor<3x20xf32>) -> tensor<3x20xf32>
  %y = linalg.generic {indexing_maps = [#read, #window, #written], iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%x, %window : tensor<3x43xf32>, tensor<3xf32>) outs(%start : tensor<3x20xf32>) {
  ^bb0(%a: f32, %w: f32, %max: f32):
    %b = arith.maximumf %max, %a : f32
    linalg.yield %b : f32
  } -> tensor<3x20xf32>
  return %y : tensor<3x20xf32>
}

// Sums of whole images by pixels are vectors of channels; by channels they are rows, and no windows.
// RUN: %{run}=@mean | FileCheck %s --check-prefix=SAME
// CHECK-LABEL: @mean
// CHECK-NOT: linalg
// CHECK: vector.load {{.*}} : memref<2x3x2x16xf32{{.*}}>, vector<8xf32>
// CHECK-COUNT-6: arith.addf {{.*}} vector<8xf32>
// CHECK-NEXT: vector.store
func.func @mean(%x: tensor<2x3x2x16xf32>) -> tensor<2x16xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<2x16xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<2x16xf32>) -> tensor<2x16xf32>
  %y = linalg.generic {indexing_maps = [affine_map<(n, c, h, w) -> (n, h, w, c)>, affine_map<(n, c, h, w) -> (n, c)>],
      iterator_types = ["parallel", "parallel", "reduction", "reduction"]}
      ins(%x : tensor<2x3x2x16xf32>) outs(%start : tensor<2x16xf32>) {
  ^bb0(%a: f32, %sum: f32):
    %b = arith.addf %a, %sum : f32
    linalg.yield %b : f32
  } -> tensor<2x16xf32>
  return %y : tensor<2x16xf32>
}
