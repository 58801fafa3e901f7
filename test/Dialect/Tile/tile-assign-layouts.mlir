// tile-assign-layouts: which layouts tiles get, and where they are converted.
//
// RUN: tile-opt %s --pass-pipeline="builtin.module(func.func(tile-assign-layouts))" --mlir-print-local-scope --split-input-file | FileCheck %s
// RUN: tile-opt %s --pass-pipeline="builtin.module(func.func(tile-assign-layouts{mma=0}))" --split-input-file \
// RUN:   | FileCheck %s --check-prefix=FMA --implicit-check-not=tile.mma
// RUN: tile-opt %s --pass-pipeline="builtin.module(tile-select-config{config={warp=64x64 atom=volta_32x32x8}},func.func(tile-assign-layouts))" --split-input-file \
// RUN:   | FileCheck %s --check-prefix=LARGE
// RUN: tile-opt %s --pass-pipeline="builtin.module(func.func(tile-assign-layouts{num-warps=2}))" --split-input-file \
// RUN:   | FileCheck %s --check-prefix=WARPS
// RUN: tile-opt %s --pass-pipeline="builtin.module(func.func(tile-assign-layouts))" --split-input-file --remarks-filter=tile --remark-policy=all 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REMARK

// Rows of 64 elements of f16: eight lanes have vectors of 128 bits each. The accumulator is that of 2 x 2 warps; it stays so in
// the loop, and is converted once, after it is rounded, for stores that are coalesced.
// REMARK: assign-layouts {{.*}} atom=volta_16x16x8, warps-m=2, warps-n=2
// REMARK: [Missed] assign-layouts {{.*}}volta_16x16x8 takes f16 operands
// REMARK: [Missed] assign-layouts {{.*}}a tile of 8x8 has no 16x16 of volta_16x16x8 for each warp
// CHECK-LABEL: func.func @product
// CHECK-SAME: tile.num_warps = 4 : i64
// CHECK: scf.for {{.*}} -> (tensor<128x64xf32, #tile.layout<register = {{\[\[}}0, 1], [2, 0], [0, 4], [0, 16], [16, 0], [32, 0]], lane = {{\[\[}}1, 0], [0, 2], [8, 0], [0, 8], [4, 0]], warp = {{\[\[}}0, 32], [64, 0]]>>)
// CHECK-NEXT: tile.load_view {{.*}} -> tensor<128x64xf16, #tile.layout<register = {{\[\[}}0, 1], [0, 2], [0, 4], {{.*}}lane = {{\[\[}}0, 8], [0, 16], [0, 32], [1, 0], [2, 0]], warp = {{\[\[}}4, 0], [8, 0]]>>
// CHECK-NEXT: arith.maximumf {{.*}} : tensor<128x64xf16, #tile.layout<register = {{\[\[}}0, 1], [0, 2], [0, 4], {{.*}}lane = {{\[\[}}0, 8],
// CHECK: tile.convert_layout
// CHECK-NEXT: tile.convert_layout
// CHECK-NEXT: tile.mma {{.*}} row, {{.*}} row, {{.*}} atom <volta_16x16x8> warps(2, 2)
// CHECK-NEXT: scf.yield
// CHECK: arith.truncf {{.*}} lane = {{\[\[}}1, 0], [0, 2], [8, 0], [0, 8], [4, 0]]
// CHECK-NEXT: tile.convert_layout
// CHECK-NEXT: tile.store_view
// CHECK-NOT: tile.convert_layout
// FMA-LABEL: func.func @product
// FMA-SAME: tile.num_warps = 4 : i64
// FMA: tile.dot
// LARGE-LABEL: func.func @product
// LARGE-SAME: tile.num_warps = 2 : i64
// LARGE: tile.mma {{.*}} atom <volta_32x32x8> warps(2, 1)
// WARPS-LABEL: func.func @product
// WARPS-SAME: tile.num_warps = 4 : i64
func.func @product(%a: memref<256x256xf16>, %b: memref<256x256xf16>, %c: memref<256x256xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %acc = arith.constant dense<0.0> : tensor<128x64xf32>
  %zero = arith.constant dense<0.0> : tensor<128x64xf16>
  %sum = scf.for %k = %c0 to %c256 step %c64 iter_args(%s = %acc) -> (tensor<128x64xf32>) {
    %x = tile.load_view %a[%c0, %k] : memref<256x256xf16> -> tensor<128x64xf16>
    %r = arith.maximumf %x, %zero : tensor<128x64xf16>
    %y = tile.load_view %b[%k, %c0] : memref<256x256xf16> -> tensor<64x64xf16>
    %n = tile.dot %r, %y, %s : tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32>
    scf.yield %n : tensor<128x64xf32>
  }
  %h = arith.truncf %sum : tensor<128x64xf32> to tensor<128x64xf16>
  tile.store_view %h, %c[%c0, %c0] : tensor<128x64xf16>, memref<256x256xf16>
  return
}

// -----

// A transposed operand runs along its columns.
// CHECK-LABEL: func.func @transposed
// CHECK: tile.mma {{.*}} column, {{.*}} column,
func.func @transposed(%a: memref<64x128xf16>, %b: memref<64x64xf16>, %c: memref<128x64xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %acc = arith.constant dense<0.0> : tensor<128x64xf32>
  %x = tile.load_view %a[%c0, %c0] : memref<64x128xf16> -> tensor<64x128xf16>
  %xt = tile.trans %x [1, 0] : tensor<64x128xf16>
  %y = tile.load_view %b[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
  %yt = tile.trans %y [1, 0] : tensor<64x64xf16>
  %n = tile.dot %xt, %yt, %acc : tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32>
  tile.store_view %n, %c[%c0, %c0] : tensor<128x64xf32>, memref<128x64xf32>
  return
}

// -----

// Pointers, masks and constants are made in the layouts of the accesses: nothing is converted.
// CHECK-LABEL: func.func @add
// CHECK-NOT: tile.convert_layout
// WARPS-LABEL: func.func @add
// WARPS-SAME: tile.num_warps = 2 : i64
func.func @add(%a: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %n: i32) attributes {tile.kernel} {
  %i = tile.range 0 to 512 : tensor<512xi32>
  %size = tile.splat %n : i32 -> tensor<512xi32>
  %inside = arith.cmpi slt, %i, %size : tensor<512xi32>
  %s = tile.splat %a : !tile.ptr<f32> -> tensor<512x!tile.ptr<f32>>
  %p = tile.addptr %s, %i : tensor<512x!tile.ptr<f32>>, tensor<512xi32>
  %x = tile.load %p mask %inside : tensor<512x!tile.ptr<f32>>
  %y = arith.addf %x, %x : tensor<512xf32>
  tile.store %p, %y mask %inside : tensor<512x!tile.ptr<f32>>
  return
}

// -----

// A sum along rows loses their axis; what repeats it is made in the layout of the rows.
// CHECK-LABEL: func.func @softmax
// CHECK: %[[MAX:.*]] = tile.reduce max %[[X:.*]] axis 1
// CHECK: tile.reshape %[[MAX]]
// CHECK: tile.broadcast
// CHECK: arith.subf %[[X]],
// CHECK-NOT: tile.convert_layout
func.func @softmax(%a: memref<32x64xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %x = tile.load_view %a[%c0, %c0] : memref<32x64xf32> -> tensor<32x64xf32>
  %m = tile.reduce max %x axis 1 : tensor<32x64xf32>
  %r = tile.reshape %m : tensor<32xf32> -> tensor<32x1xf32>
  %b = tile.broadcast %r : tensor<32x1xf32> -> tensor<32x64xf32>
  %d = arith.subf %x, %b : tensor<32x64xf32>
  tile.store_view %d, %a[%c0, %c0] : tensor<32x64xf32>, memref<32x64xf32>
  return
}

// -----

// What matrix instructions do not take stays a dot.
// CHECK-LABEL: func.func @singles
// CHECK: tile.dot
// CHECK-LABEL: func.func @small
// CHECK: tile.dot
func.func @singles(%a: memref<32x32xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %acc = arith.constant dense<0.0> : tensor<32x32xf32>
  %x = tile.load_view %a[%c0, %c0] : memref<32x32xf32> -> tensor<32x32xf32>
  %n = tile.dot %x, %x, %acc : tensor<32x32xf32>, tensor<32x32xf32>, tensor<32x32xf32>
  tile.store_view %n, %a[%c0, %c0] : tensor<32x32xf32>, memref<32x32xf32>
  return
}
func.func @small(%a: memref<8x8xf16>, %b: memref<8x8xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %acc = arith.constant dense<0.0> : tensor<8x8xf32>
  %x = tile.load_view %a[%c0, %c0] : memref<8x8xf16> -> tensor<8x8xf16>
  %n = tile.dot %x, %x, %acc : tensor<8x8xf16>, tensor<8x8xf16>, tensor<8x8xf32>
  tile.store_view %n, %b[%c0, %c0] : tensor<8x8xf32>, memref<8x8xf32>
  return
}

// -----

// A loop that carries pointers carries them in the layout of the access; an if gives the layout of what it yields.
// CHECK-LABEL: func.func @carried
// CHECK: scf.for {{.*}} -> (tensor<64x!tile.ptr<f32>, #tile.layout<{{.*}}>>)
// CHECK: %[[X:.*]] = scf.if {{.*}} -> (tensor<64xf32, #tile.layout<{{.*}}>>)
// CHECK-NOT: tile.convert_layout
func.func @carried(%a: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %flag: i1) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %i = tile.range 0 to 64 : tensor<64xi32>
  %s = tile.splat %a : !tile.ptr<f32> -> tensor<64x!tile.ptr<f32>>
  %first = tile.addptr %s, %i : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
  %step = arith.constant dense<64> : tensor<64xi32>
  scf.for %k = %c0 to %c4 step %c1 iter_args(%p = %first) -> (tensor<64x!tile.ptr<f32>>) {
    %x = scf.if %flag -> (tensor<64xf32>) {
      %y = tile.load %p : tensor<64x!tile.ptr<f32>>
      scf.yield %y : tensor<64xf32>
    } else {
      %z = arith.constant dense<1.0> : tensor<64xf32>
      scf.yield %z : tensor<64xf32>
    }
    tile.store %p, %x : tensor<64x!tile.ptr<f32>>
    %q = tile.addptr %p, %step : tensor<64x!tile.ptr<f32>>, tensor<64xi32>
    scf.yield %q : tensor<64x!tile.ptr<f32>>
  }
  return
}
