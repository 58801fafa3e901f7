// tile-assign-layouts: what is repeated before it joins a product is loaded as the result is stored, by wide accesses.
//
// RUN: tile-opt %s --pass-pipeline="builtin.module(func.func(tile-assign-layouts))" | FileCheck %s

// CHECK-DAG: #[[$FRAGMENT:.*]] = #tile.layout<register = {{\[}}[0, 1], [2, 0], [0, 4], [0, 16], [16, 0]], lane = {{\[}}[1, 0], [0, 2], [8, 0], [0, 8], [4, 0]], warp = []>
// CHECK-DAG: #[[$STORE:.*]] = #tile.layout<register = {{\[}}[0, 1], [0, 2], [0, 4], [8, 0], [16, 0]], lane = {{\[}}[0, 8], [0, 16], [1, 0], [2, 0], [4, 0]], warp = []>
// CHECK-DAG: #[[$COLUMNS:.*]] = #tile.layout<register = {{\[}}[1], [2], [4]], lane = {{\[}}[8], [16], [0], [0], [0]], warp = []>
// CHECK-DAG: #[[$ROWS:.*]] = #tile.layout<register = {{\[}}[8], [16]], lane = {{\[}}[0], [0], [1], [2], [4]], warp = []>
// CHECK-DAG: #[[$VECTOR:.*]] = #tile.layout<register = [], lane = {{\[}}[1], [2], [4], [8], [16]], warp = []>

// Eight columns in a row of a thread, as in the store: one access of 128 bits, and nothing of the bias is exchanged.
// CHECK-LABEL: @columns(
func.func private @columns(%a: memref<32x32xf16>, %b: memref<32x32xf16>, %bias: memref<32xf16>,
                       %out: memref<32x32xf16>, %more: memref<32xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %sums = arith.constant dense<0.0> : tensor<32x32xf32>
  %x = tile.load_view %a[%c0, %c0] axes [0, 1] in_bounds [true, true] : memref<32x32xf16> -> tensor<32x32xf16>
  %y = tile.load_view %b[%c0, %c0] axes [0, 1] in_bounds [true, true] : memref<32x32xf16> -> tensor<32x32xf16>
  // CHECK: tile.mma
  %0 = tile.dot %x, %y, %sums : tensor<32x32xf16>, tensor<32x32xf16>, tensor<32x32xf32>
  %1 = arith.truncf %0 : tensor<32x32xf32> to tensor<32x32xf16>
  // CHECK: %[[BIAS:.*]] = tile.load_view {{.*}} -> tensor<32xf16, #[[$COLUMNS]]>
  %2 = tile.load_view %bias[%c0] axes [0] in_bounds [true] : memref<32xf16> -> tensor<32xf16>
  // CHECK: %[[SUM:.*]] = tile.convert_layout %{{.*}} : tensor<32x32xf16, #[[$FRAGMENT]]> -> tensor<32x32xf16, #[[$STORE]]>
  // CHECK: tile.reshape %[[BIAS]]
  %3 = tile.reshape %2 : tensor<32xf16> -> tensor<1x32xf16>
  %4 = tile.broadcast %3 : tensor<1x32xf16> -> tensor<32x32xf16>
  // CHECK: arith.addf %[[SUM]], %{{.*}} : tensor<32x32xf16, #[[$STORE]]>
  // CHECK-NOT: tile.convert_layout
  %r = arith.addf %1, %4 : tensor<32x32xf16>
  tile.store_view %r, %out[%c0, %c0] axes [0, 1] in_bounds [true, true] : tensor<32x32xf16>, memref<32x32xf16>
  return
}

// A number for each row.
// CHECK-LABEL: @rows(
func.func private @rows(%a: memref<32x32xf16>, %b: memref<32x32xf16>, %bias: memref<32xf32>,
                       %out: memref<32x32xf16>, %more: memref<32xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %sums = arith.constant dense<0.0> : tensor<32x32xf32>
  %x = tile.load_view %a[%c0, %c0] axes [0, 1] in_bounds [true, true] : memref<32x32xf16> -> tensor<32x32xf16>
  %y = tile.load_view %b[%c0, %c0] axes [0, 1] in_bounds [true, true] : memref<32x32xf16> -> tensor<32x32xf16>
  // CHECK: tile.mma
  %0 = tile.dot %x, %y, %sums : tensor<32x32xf16>, tensor<32x32xf16>, tensor<32x32xf32>
  // What is computed of it before is in this layout, too.
  // CHECK: tile.load_view {{.*}} -> tensor<32xf32, #[[$ROWS]]>
  %1 = tile.load_view %bias[%c0] axes [0] in_bounds [true] : memref<32xf32> -> tensor<32xf32>
  // CHECK: math.exp %{{.*}} : tensor<32xf32, #[[$ROWS]]>
  %2 = math.exp %1 : tensor<32xf32>
  %3 = tile.reshape %2 : tensor<32xf32> -> tensor<1x32xf32>
  %4 = tile.trans %3 [1, 0] : tensor<1x32xf32>
  %5 = tile.broadcast %4 : tensor<32x1xf32> -> tensor<32x32xf32>
  // CHECK: arith.mulf %{{.*}}, %{{.*}} : tensor<32x32xf32, #[[$STORE]]>
  %6 = arith.mulf %0, %5 : tensor<32x32xf32>
  // CHECK-NOT: tile.convert_layout
  %r = arith.truncf %6 : tensor<32x32xf32> to tensor<32x32xf16>
  tile.store_view %r, %out[%c0, %c0] axes [0, 1] in_bounds [true, true] : tensor<32x32xf16>, memref<32x32xf16>
  return
}

// What is computed of it where it is repeated stays there.
// CHECK-LABEL: @cast(
func.func private @cast(%a: memref<32x32xf16>, %b: memref<32x32xf16>, %bias: memref<32xf32>,
                       %out: memref<32x32xf16>, %more: memref<32xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %sums = arith.constant dense<0.0> : tensor<32x32xf32>
  %x = tile.load_view %a[%c0, %c0] axes [0, 1] in_bounds [true, true] : memref<32x32xf16> -> tensor<32x32xf16>
  %y = tile.load_view %b[%c0, %c0] axes [0, 1] in_bounds [true, true] : memref<32x32xf16> -> tensor<32x32xf16>
  // CHECK: tile.mma
  %0 = tile.dot %x, %y, %sums : tensor<32x32xf16>, tensor<32x32xf16>, tensor<32x32xf32>
  // CHECK: tile.load_view {{.*}} -> tensor<32xf32, #[[$COLUMNS]]>
  %1 = tile.load_view %bias[%c0] axes [0] in_bounds [true] : memref<32xf32> -> tensor<32xf32>
  %2 = tile.broadcast %1 : tensor<32xf32> -> tensor<32x32xf32>
  %3 = arith.truncf %2 : tensor<32x32xf32> to tensor<32x32xf16>
  %4 = arith.truncf %0 : tensor<32x32xf32> to tensor<32x32xf16>
  // CHECK: arith.mulf %{{.*}}, %{{.*}} : tensor<32x32xf16, #[[$STORE]]>
  // CHECK-NOT: tile.convert_layout
  %r = arith.mulf %4, %3 : tensor<32x32xf16>
  tile.store_view %r, %out[%c0, %c0] axes [0, 1] in_bounds [true, true] : tensor<32x32xf16>, memref<32x32xf16>
  return
}

// It has another user, which wants it as it is.
// CHECK-LABEL: @also_stored(
func.func private @also_stored(%a: memref<32x32xf16>, %b: memref<32x32xf16>, %bias: memref<32xf16>,
                       %out: memref<32x32xf16>, %more: memref<32xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %sums = arith.constant dense<0.0> : tensor<32x32xf32>
  %x = tile.load_view %a[%c0, %c0] axes [0, 1] in_bounds [true, true] : memref<32x32xf16> -> tensor<32x32xf16>
  %y = tile.load_view %b[%c0, %c0] axes [0, 1] in_bounds [true, true] : memref<32x32xf16> -> tensor<32x32xf16>
  // CHECK: tile.mma
  %0 = tile.dot %x, %y, %sums : tensor<32x32xf16>, tensor<32x32xf16>, tensor<32x32xf32>
  %1 = arith.truncf %0 : tensor<32x32xf32> to tensor<32x32xf16>
  // CHECK: %[[LOADED:.*]] = tile.load_view {{.*}} -> tensor<32xf16, #[[$VECTOR]]>
  %2 = tile.load_view %bias[%c0] axes [0] in_bounds [true] : memref<32xf16> -> tensor<32xf16>
  // CHECK: tile.convert_layout %[[LOADED]] : tensor<32xf16, #[[$VECTOR]]> -> tensor<32xf16, #[[$COLUMNS]]>
  %3 = tile.broadcast %2 : tensor<32xf16> -> tensor<32x32xf16>
  %r = arith.addf %1, %3 : tensor<32x32xf16>
  // CHECK: tile.store_view %[[LOADED]]
  tile.store_view %2, %more[%c0] axes [0] in_bounds [true] : tensor<32xf16>, memref<32xf16>
  tile.store_view %r, %out[%c0, %c0] axes [0, 1] in_bounds [true, true] : tensor<32x32xf16>, memref<32x32xf16>
  return
}

// Nothing joins from memory: what is computed stays in fragments, and is converted when it is narrow.
// CHECK-LABEL: @alone(
func.func private @alone(%a: memref<32x32xf16>, %b: memref<32x32xf16>, %bias: memref<32xf16>,
                       %out: memref<32x32xf16>, %more: memref<32xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %sums = arith.constant dense<0.0> : tensor<32x32xf32>
  %x = tile.load_view %a[%c0, %c0] axes [0, 1] in_bounds [true, true] : memref<32x32xf16> -> tensor<32x32xf16>
  %y = tile.load_view %b[%c0, %c0] axes [0, 1] in_bounds [true, true] : memref<32x32xf16> -> tensor<32x32xf16>
  // CHECK: tile.mma
  %0 = tile.dot %x, %y, %sums : tensor<32x32xf16>, tensor<32x32xf16>, tensor<32x32xf32>
  // CHECK: arith.maximumf %{{.*}} : tensor<32x32xf32, #[[$FRAGMENT]]>
  %1 = arith.maximumf %0, %sums : tensor<32x32xf32>
  // CHECK: %[[NARROW:.*]] = arith.truncf %{{.*}} to tensor<32x32xf16, #[[$FRAGMENT]]>
  %r = arith.truncf %1 : tensor<32x32xf32> to tensor<32x32xf16>
  // CHECK: tile.convert_layout %[[NARROW]]
  tile.store_view %r, %out[%c0, %c0] axes [0, 1] in_bounds [true, true] : tensor<32x32xf16>, memref<32x32xf16>
  return
}

// So are offsets that are repeated to address with: the layout is that of the pointers.
// CHECK-LABEL: @offsets(
func.func private @offsets(%table: memref<32xi32>, %p: !tile.ptr<f16> {tile.multiple_of = 16 : i64}, %out: memref<32x32xf16>)
    attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %range = tile.range 0 to 32 : tensor<32xi32>
  %0 = tile.broadcast %range : tensor<32xi32> -> tensor<32x32xi32>
  %1 = tile.splat %p : !tile.ptr<f16> -> tensor<32x32x!tile.ptr<f16>>
  %2 = tile.addptr %1, %0 : tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>
  // CHECK: %[[TABLE:.*]] = tile.load_view
  // CHECK-NOT: tile.convert_layout
  // CHECK: tile.reshape %[[TABLE]]
  // CHECK-NOT: tile.convert_layout
  %3 = tile.load_view %table[%c0] in_bounds [true] : memref<32xi32> -> tensor<32xi32>
  %4 = tile.reshape %3 : tensor<32xi32> -> tensor<32x1xi32>
  %5 = tile.broadcast %4 : tensor<32x1xi32> -> tensor<32x32xi32>
  %6 = tile.addptr %2, %5 : tensor<32x32x!tile.ptr<f16>>, tensor<32x32xi32>
  %r = tile.load %6 : tensor<32x32x!tile.ptr<f16>>
  tile.store_view %r, %out[%c0, %c0] in_bounds [true, true] : tensor<32x32xf16>, memref<32x32xf16>
  return
}
