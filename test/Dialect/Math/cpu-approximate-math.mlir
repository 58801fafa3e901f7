// cpu-approximate-math: functions on vectors of f32, f16 and bf16 become arithmetic; scalars, f64 and other functions stay.
//
// RUN: tile-opt %s --cpu-approximate-math | FileCheck %s
// RUN: tile-opt %s --cpu-approximate-math --remark-policy=all --remarks-filter=cpu -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt %s --cpu-approximate-math=functions=exp,log2 | FileCheck %s --check-prefix=SOME
// RUN: not tile-opt %s --cpu-approximate-math=functions=exp,sinh -o /dev/null 2>&1 | FileCheck %s --check-prefix=INVALID
// INVALID: error: cpu-approximate-math expects functions to be some of tanh, exp, exp2, expm1, erf, erfc, log, log2, log1p, sin, cos, powf, found 'sinh'

// CHECK-LABEL: @functions
// CHECK-NOT: math.{{[telc]}}
// CHECK: math.fma
// CHECK-NOT: math.{{[telc]}}
// SOME-LABEL: @functions
// SOME-DAG: math.tanh
// SOME-DAG: math.erfc
// SOME-DAG: math.log %
// SOME-NOT: math.exp %
// SOME-NOT: math.log2
// SOME: return
func.func @functions(%x: vector<16xf32>) -> vector<16xf32> {
  // REMARK: [[@LINE+1]]:{{.*}} remark: [Passed] cpu-approximate-math | Category:cpu
  %0 = math.tanh %x : vector<16xf32>
  %1 = math.exp %0 : vector<16xf32>
  %3 = math.expm1 %1 : vector<16xf32>
  %4 = math.erf %3 : vector<16xf32>
  %5 = math.erfc %4 : vector<16xf32>
  %6 = math.log %5 : vector<16xf32>
  %7 = math.log2 %6 : vector<16xf32>
  %8 = math.log1p %7 : vector<16xf32>
  %9 = math.exp2 %8 : vector<16xf32>
  return %9 : vector<16xf32>
}

// By way of f32, in several dimensions too.
// CHECK-LABEL: @narrow
// CHECK: arith.extf %{{.*}} : vector<2x8xbf16> to vector<2x8xf32>
// CHECK: math.fma %{{.*}} : vector<2x8xf32>
// CHECK: arith.truncf %{{.*}} : vector<2x8xf32> to vector<2x8xbf16>
// CHECK: arith.truncf %{{.*}} : vector<4xf32> to vector<4xf16>
// CHECK-NOT: math.{{[tl]}}
func.func @narrow(%x: vector<2x8xbf16>, %y: vector<4xf16>) -> (vector<2x8xbf16>, vector<4xf16>) {
  %0 = math.tanh %x : vector<2x8xbf16>
  %1 = math.log %y : vector<4xf16>
  return %0, %1 : vector<2x8xbf16>, vector<4xf16>
}

// CHECK-LABEL: @stays
func.func @stays(%x: vector<4xf32>, %y: vector<4xf64>, %z: f32, %t: tensor<4xf32>) -> (vector<4xf32>, vector<4xf64>, f32, tensor<4xf32>) {
  // CHECK: math.tan %{{.*}} : vector<4xf32>
  %0 = math.tan %x : vector<4xf32>
  // CHECK: math.exp %{{.*}} : vector<4xf64>
  // REMARK: [[@LINE+1]]:{{.*}} remark: [Missed] cpu-approximate-math | Category:cpu{{.*}}polynomials are for f32, to which f16 and bf16 are extended
  %1 = math.exp %y : vector<4xf64>
  // CHECK: math.exp %{{.*}} : f32
  %2 = math.exp %z : f32
  // CHECK: math.exp %{{.*}} : tensor<4xf32>
  %3 = math.exp %t : tensor<4xf32>
  return %0, %1, %2, %3 : vector<4xf32>, vector<4xf64>, f32, tensor<4xf32>
}

// Of large angles, and what is not a number, libm's, one by one; of several axes it stays.
// CHECK-LABEL: @sines
func.func @sines(%x: vector<16xf32>, %y: vector<8xbf16>, %z: vector<2x8xf32>) -> (vector<16xf32>, vector<8xbf16>, vector<2x8xf32>) {
  // CHECK: %[[MOST:.*]] = arith.constant dense<1.310720e+05> : vector<16xf32>
  // CHECK: %[[FAR:.*]] = arith.cmpf ugt, %{{.*}}, %[[MOST]]
  // CHECK: %[[ANY:.*]] = vector.reduction <or>, %[[FAR]]
  // CHECK: scf.if %[[ANY]] -> (vector<16xf32>) {
  // CHECK: scf.for
  // CHECK: math.sin %{{.*}} : f32
  // CHECK: } else {
  // CHECK-NOT: math.sin
  // CHECK: scf.yield
  %0 = math.sin %x : vector<16xf32>
  // CHECK: arith.extf %{{.*}} : vector<8xbf16> to vector<8xf32>
  // CHECK: math.cos %{{.*}} : f32
  // CHECK: arith.truncf %{{.*}} : vector<8xf32> to vector<8xbf16>
  %1 = math.cos %y : vector<8xbf16>
  // CHECK: math.sin %{{.*}} : vector<2x8xf32>
  // REMARK: [[@LINE+1]]:{{.*}} remark: [Missed] cpu-approximate-math | Category:cpu{{.*}}sines are of vectors with one axis
  %2 = math.sin %z : vector<2x8xf32>
  return %0, %1, %2 : vector<16xf32>, vector<8xbf16>, vector<2x8xf32>
}

// Powers that are constant are a few operations; others go by f64, and none by a function of libm.
// CHECK-LABEL: @powers
// CHECK-SAME: (%[[X:.*]]: vector<16xf32>, %[[Y:.*]]: vector<16xf32>,
func.func @powers(%x: vector<16xf32>, %y: vector<16xf32>, %z: vector<8xbf16>)
    -> (vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<8xbf16>) {
  %two = arith.constant dense<2.0> : vector<16xf32>
  %half = arith.constant 0.5 : f32
  %halves = vector.broadcast %half : f32 to vector<16xf32>
  %ten = arith.constant dense<10.0> : vector<16xf32>
  // CHECK-NOT: math.powf
  // CHECK: arith.mulf %[[X]], %[[X]] : vector<16xf32>
  %0 = math.powf %x, %two : vector<16xf32>
  // CHECK: math.sqrt
  %1 = math.powf %x, %halves : vector<16xf32>
  // CHECK: arith.divf {{.*}} : vector<16xf64>
  // CHECK: arith.truncf {{.*}} : vector<16xf64> to vector<16xf32>
  %2 = math.powf %x, %ten : vector<16xf32>
  // CHECK: arith.extf %[[Y]] : vector<16xf32> to vector<16xf64>
  // CHECK: arith.truncf {{.*}} : vector<16xf64> to vector<16xf32>
  %3 = math.powf %x, %y : vector<16xf32>
  // CHECK: arith.extf {{.*}} : vector<8xf32> to vector<8xf64>
  // CHECK: arith.truncf {{.*}} : vector<8xf32> to vector<8xbf16>
  // CHECK-NOT: math.powf
  %4 = math.powf %z, %z : vector<8xbf16>
  return %0, %1, %2, %3, %4 : vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<16xf32>, vector<8xbf16>
}

// CHECK-LABEL: @maxima
// CHECK-SAME: (%[[X:.*]]: vector<4xf64>, %[[Y:.*]]: f32)
func.func @maxima(%x: vector<4xf64>, %y: f32) -> (vector<4xf64>, vector<4xf64>, vector<4xf64>, f32) {
  // CHECK: %[[ZERO:.*]] = arith.constant dense<0.0{{.*}}> : vector<4xf64>
  %zero = arith.constant dense<0.0> : vector<4xf64>
  %minus = arith.constant dense<-0.0> : vector<4xf64>
  %scalar = arith.constant 0.0 : f32
  // CHECK: %[[C:.*]] = arith.cmpf ugt, %[[X]], %[[ZERO]] : vector<4xf64>
  // CHECK: arith.select %[[C]], %[[X]], %[[ZERO]]
  %0 = arith.maximumf %x, %zero : vector<4xf64>
  // CHECK: arith.maximumf
  %1 = arith.maximumf %x, %minus : vector<4xf64>
  // CHECK: arith.minimumf
  %2 = arith.minimumf %x, %zero : vector<4xf64>
  // CHECK: arith.maximumf %[[Y]]
  %3 = arith.maximumf %y, %scalar : f32
  return %0, %1, %2, %3 : vector<4xf64>, vector<4xf64>, vector<4xf64>, f32
}
