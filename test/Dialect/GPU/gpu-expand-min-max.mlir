// gpu-expand-min-max: before sm_80, min and max that one comparison decides become a comparison and a selection.
//
// RUN: tile-opt --pass-pipeline="builtin.module(gpu.module(gpu-expand-min-max))" %s | FileCheck %s
// RUN: tile-opt --pass-pipeline="builtin.module(gpu.module(gpu-expand-min-max))" %s --remark-policy=all --remarks-filter=gpu -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK: gpu.module @volta
gpu.module @volta [#nvvm.target<chip = "sm_70", features = "+ptx65">] {
  // maximumf and minimumf keep NaN, and order zeros: equal numbers are the left one where the constant is the lesser
  // zero of a maximum, or the greater one of a minimum.
  // CHECK-LABEL: @keep
  // CHECK-SAME: (%[[X:.*]]: f32)
  func.func @keep(%x: f32) -> (f32, f32, f32, f32, f32) {
    // CHECK: %[[ZERO:.*]] = arith.constant 0.0
    %zero = arith.constant 0.0 : f32
    %minus = arith.constant -0.0 : f32
    %one = arith.constant 1.0 : f32
    // CHECK: %[[C0:.*]] = arith.cmpf ugt, %[[X]], %[[ZERO]] : f32
    // CHECK: arith.select %[[C0]], %[[X]], %[[ZERO]] : f32
    %0 = arith.maximumf %x, %zero : f32
    // CHECK: arith.cmpf uge
    %1 = arith.maximumf %x, %minus : f32
    // CHECK: arith.cmpf ule
    %2 = arith.minimumf %x, %zero : f32
    // CHECK: arith.cmpf ult
    %3 = arith.minimumf %x, %minus : f32
    // CHECK: arith.cmpf ult
    %4 = arith.minimumf %x, %one : f32
    return %0, %1, %2, %3, %4 : f32, f32, f32, f32, f32
  }

  // Pairs of f16: a mask for both. Where c is 0, there is nothing to take from it.
  // CHECK-LABEL: @pairs
  // CHECK-SAME: (%[[X:.*]]: vector<2x2xf16>)
  func.func @pairs(%x: vector<2x2xf16>) -> (vector<2x2xf16>, vector<2x2xf16>) {
    // CHECK: %[[ZERO:.*]] = arith.constant dense<0.0
    %zero = arith.constant dense<0.0> : vector<2x2xf16>
    %one = arith.constant dense<1.0> : vector<2x2xf16>
    // CHECK: %[[XS:.*]] = vector.bitcast %[[X]] : vector<2x2xf16> to vector<2x1xi32>
    // CHECK: %[[CS:.*]] = vector.bitcast %[[ZERO]] : vector<2x2xf16> to vector<2x1xi32>
    // CHECK: %[[A:.*]]:2 = vector.to_elements %[[XS]]
    // CHECK: %[[B:.*]]:2 = vector.to_elements %[[CS]]
    // CHECK: %[[M0:.*]] = llvm.inline_asm "set.gtu.u32.f16x2 $0, $1, $2;", "=r,r,r" %[[A]]#0, %[[B]]#0 : (i32, i32) -> i32
    // CHECK: %[[M1:.*]] = llvm.inline_asm "set.gtu.u32.f16x2 $0, $1, $2;", "=r,r,r" %[[A]]#1, %[[B]]#1 : (i32, i32) -> i32
    // CHECK: %[[M:.*]] = vector.from_elements %[[M0]], %[[M1]] : vector<2x1xi32>
    // CHECK: %[[R:.*]] = arith.andi %[[XS]], %[[M]] : vector<2x1xi32>
    // CHECK-NEXT: vector.bitcast %[[R]] : vector<2x1xi32> to vector<2x2xf16>
    %0 = arith.maximumf %x, %zero : vector<2x2xf16>
    // CHECK-COUNT-2: "set.ltu.u32.f16x2
    // CHECK: %[[NOT:.*]] = arith.xori
    // CHECK: %[[OTHER:.*]] = arith.andi %{{.*}}, %[[NOT]]
    // CHECK: arith.ori %{{.*}}, %[[OTHER]]
    %1 = arith.minimumf %x, %one : vector<2x2xf16>
    return %0, %1 : vector<2x2xf16>, vector<2x2xf16>
  }

  // maxnumf drops NaN, as chips do for f32. An odd vector has no pairs.
  // CHECK-LABEL: @drop
  func.func @drop(%x: vector<3xf16>, %y: f32) -> (vector<3xf16>, f32) {
    %zero = arith.constant dense<0.0> : vector<3xf16>
    %one = arith.constant 1.0 : f32
    // CHECK: arith.cmpf ogt, %{{.*}} : vector<3xf16>
    %0 = arith.maxnumf %x, %zero : vector<3xf16>
    // CHECK: arith.maxnumf
    %1 = arith.maxnumf %y, %one : f32
    return %0, %1 : vector<3xf16>, f32
  }

  // Two variables: with flags.
  // CHECK-LABEL: @variables
  func.func @variables(%x: vector<2xf16>, %y: vector<2xf16>) -> (vector<2xf16>, vector<2xf16>, vector<2xf16>) {
    // CHECK: arith.maximumf
    // REMARK: [[@LINE+1]]:10: remark: [Missed] gpu-expand-min-max | Category:gpu{{.*}}one comparison does not order NaN and zeros: it needs a constant on the right, or nnan and nsz
    %0 = arith.maximumf %x, %y : vector<2xf16>
    // CHECK: arith.minnumf
    %1 = arith.minnumf %x, %y fastmath<nnan> : vector<2xf16>
    // CHECK: "set.gtu.u32.f16x2
    %2 = arith.maximumf %x, %y fastmath<nnan,nsz> : vector<2xf16>
    return %0, %1, %2 : vector<2xf16>, vector<2xf16>, vector<2xf16>
  }

  // Without NaN the instructions of f32 and f64 do.
  // CHECK-LABEL: @instructions
  func.func @instructions(%x: f32, %y: vector<2xf64>) -> (f32, vector<2xf64>) {
    %zero = arith.constant 0.0 : f32
    // CHECK: arith.maxnumf %{{.*}}, %{{.*}} fastmath<nnan> : f32
    %0 = arith.maximumf %x, %zero fastmath<nnan> : f32
    // CHECK: arith.minnumf %{{.*}}, %{{.*}} fastmath<nnan,nsz> : vector<2xf64>
    %1 = arith.minimumf %y, %y fastmath<nnan,nsz> : vector<2xf64>
    return %0, %1 : f32, vector<2xf64>
  }

  // CHECK-LABEL: @stay
  func.func @stay(%x: f32, %y: vector<2xf16>) -> (f32, vector<2xf16>) {
    %nan = arith.constant 0x7FC00000 : f32
    %several = arith.constant dense<[0.0, -0.0]> : vector<2xf16>
    // CHECK: arith.maximumf
    %0 = arith.maximumf %x, %nan : f32
    // CHECK: arith.maximumf
    %1 = arith.maximumf %y, %several : vector<2xf16>
    return %0, %1 : f32, vector<2xf16>
  }
}

// Masks are of PTX 6.5.
// CHECK: gpu.module @old
gpu.module @old [#nvvm.target<chip = "sm_70", features = "+ptx64">] {
  // CHECK: arith.cmpf ugt, %{{.*}} : vector<2xf16>
  func.func @f(%x: vector<2xf16>) -> vector<2xf16> {
    %zero = arith.constant dense<0.0> : vector<2xf16>
    %0 = arith.maximumf %x, %zero : vector<2xf16>
    return %0 : vector<2xf16>
  }
}

// Chips that have the instructions, and those that are not known.
// CHECK: gpu.module @ampere
gpu.module @ampere [#nvvm.target<chip = "sm_80">] {
  // CHECK: arith.maximumf
  func.func @f(%x: vector<2xf16>) -> vector<2xf16> {
    %zero = arith.constant dense<0.0> : vector<2xf16>
    %0 = arith.maximumf %x, %zero : vector<2xf16>
    return %0 : vector<2xf16>
  }
}
// CHECK: gpu.module @none
gpu.module @none {
  // CHECK: arith.maximumf
  func.func @f(%x: vector<2xf16>) -> vector<2xf16> {
    %zero = arith.constant dense<0.0> : vector<2xf16>
    %0 = arith.maximumf %x, %zero : vector<2xf16>
    return %0 : vector<2xf16>
  }
}
