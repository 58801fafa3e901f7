// expand-f8: conversions become arithmetic on bits, arithmetic goes by f32; loads, stores and other floats stay.
//
// RUN: tile-opt %s --expand-f8 | FileCheck %s

// CHECK-LABEL: @widen
// CHECK-SAME: (%[[x:.*]]: f8E5M2)
// CHECK-DAG: %[[byte:.*]] = arith.bitcast %[[x]] : f8E5M2 to i8
// CHECK-DAG: %[[bits:.*]] = arith.extui %[[byte]] : i8 to i16
// CHECK-DAG: %[[eight:.*]] = arith.constant 8 : i16
// CHECK-DAG: %[[upper:.*]] = arith.shli %[[bits]], %[[eight]] : i16
// CHECK-DAG: %[[half:.*]] = arith.bitcast %[[upper]] : i16 to f16
// CHECK: arith.extf %[[half]] : f16 to f32
func.func @widen(%x: f8E5M2) -> f32 {
  %y = arith.extf %x : f8E5M2 to f32
  return %y : f32
}

// f8E4M3FN: 2^8 is missing in the exponent, and only all ones are NaN.
// CHECK-LABEL: @vectors
// CHECK-NOT: {{(extf|truncf) .*f8}}
// CHECK: arith.mulf %{{.*}}, %{{.*}} : vector<16xf32>
// CHECK: arith.cmpi eq, %{{.*}}, %{{.*}} : vector<16xi8>
// CHECK: arith.select
// CHECK: arith.trunci %{{.*}} : vector<16xi32> to vector<16xi8>
// CHECK: %[[y:.*]] = arith.bitcast %{{.*}} : vector<16xi8> to vector<16xf8E5M2>
// CHECK: return %[[y]]
func.func @vectors(%x: vector<16xf8E4M3FN>) -> vector<16xf8E5M2> {
  %y = arith.extf %x : vector<16xf8E4M3FN> to vector<16xf32>
  %z = arith.truncf %y : vector<16xf32> to vector<16xf8E5M2>
  return %z : vector<16xf8E5M2>
}

// CHECK-LABEL: @arithmetic
// CHECK-NOT: {{(addf|extf) .*f8E5M2}}
// CHECK: arith.addf %{{.*}}, %{{.*}} : f32
// CHECK-NOT: arith.truncf
func.func @arithmetic(%x: f8E5M2, %y: f8E5M2) -> f8E5M2 {
  %z = arith.addf %x, %y : f8E5M2
  return %z : f8E5M2
}

// CHECK-LABEL: @moves
// CHECK: %[[v:.*]] = vector.load %{{.*}} : memref<8xf8E4M3FN>, vector<8xf8E4M3FN>
// CHECK-NEXT: vector.store %[[v]]
// CHECK: arith.extf %{{.*}} : f16 to f32
func.func @moves(%a: memref<8xf8E4M3FN>, %x: f16) -> f32 {
  %c0 = arith.constant 0 : index
  %v = vector.load %a[%c0] : memref<8xf8E4M3FN>, vector<8xf8E4M3FN>
  vector.store %v, %a[%c0] : memref<8xf8E4M3FN>, vector<8xf8E4M3FN>
  %y = arith.extf %x : f16 to f32
  return %y : f32
}
