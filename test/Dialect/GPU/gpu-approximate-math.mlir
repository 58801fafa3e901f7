// gpu-approximate-math: functions with afn become approximate instructions and arithmetic in f32; others stay.
//
// RUN: tile-opt --pass-pipeline="builtin.module(gpu.module(gpu-approximate-math))" %s | FileCheck %s
// RUN: tile-opt --pass-pipeline="builtin.module(gpu.module(gpu-approximate-math))" %s --remark-policy=all --remarks-filter=gpu -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK

// CHECK: gpu.module @volta
gpu.module @volta [#nvvm.target<chip = "sm_70">] {
  // The plain ones.
  // CHECK-LABEL: @instructions
  // CHECK-SAME: (%[[X:.*]]: f32, %[[Y:.*]]: f32)
  // CHECK-NOT: math.
  func.func @instructions(%x: f32, %y: f32) -> (f32, f32, f32, f32, f32, f32, f32, f32) {
    // CHECK: %[[R0:.*]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx"(%[[X]]) : (f32) -> f32
    // REMARK: [[@LINE+1]]:10: remark: [Passed] gpu-approximate-math | Category:gpu
    %0 = math.exp2 %x fastmath<afn> : f32
    // CHECK: %[[R1:.*]] = llvm.call_intrinsic "llvm.nvvm.lg2.approx.f"(%[[X]])
    %1 = math.log2 %x fastmath<afn> : f32
    // CHECK: %[[R2:.*]] = llvm.call_intrinsic "llvm.nvvm.sin.approx.f"(%[[X]])
    %2 = math.sin %x fastmath<fast> : f32
    // CHECK: %[[R3:.*]] = llvm.call_intrinsic "llvm.nvvm.cos.approx.f"(%[[X]])
    %3 = math.cos %x fastmath<afn> : f32
    // CHECK: %[[R4:.*]] = llvm.call_intrinsic "llvm.nvvm.sqrt.approx.f"(%[[X]])
    %4 = math.sqrt %x fastmath<afn> : f32
    // CHECK: %[[R5:.*]] = llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.f"(%[[X]])
    %5 = math.rsqrt %x fastmath<afn> : f32
    // CHECK: %[[R6:.*]] = llvm.call_intrinsic "llvm.nvvm.div.approx.f"(%[[X]], %[[Y]])
    %6 = arith.divf %x, %y fastmath<afn> : f32
    // CHECK: %[[R7:.*]] = llvm.call_intrinsic "llvm.nvvm.div.approx.f"(%[[Y]], %[[X]])
    %7 = arith.divf %y, %x fastmath<arcp> : f32
    // CHECK: return %[[R0]], %[[R1]], %[[R2]], %[[R3]], %[[R4]], %[[R5]], %[[R6]], %[[R7]]
    return %0, %1, %2, %3, %4, %5, %6, %7 : f32, f32, f32, f32, f32, f32, f32, f32
  }

  // To base e and 10.
  // CHECK-LABEL: @bases
  // CHECK-SAME: (%[[X:.*]]: f32)
  func.func @bases(%x: f32) -> (f32, f32, f32) {
    // CHECK: %[[LOG2E:.*]] = arith.constant 1.44269502 : f32
    // CHECK: %[[POWER:.*]] = arith.mulf %[[X]], %[[LOG2E]] : f32
    // CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx"(%[[POWER]])
    %0 = math.exp %x fastmath<afn> : f32
    // CHECK: %[[LOG:.*]] = llvm.call_intrinsic "llvm.nvvm.lg2.approx.f"(%[[X]])
    // CHECK: %[[LN2:.*]] = arith.constant 0.693147182 : f32
    // CHECK: arith.mulf %[[LOG]], %[[LN2]] : f32
    %1 = math.log %x fastmath<afn> : f32
    // CHECK: llvm.call_intrinsic "llvm.nvvm.lg2.approx.f"(%[[X]])
    // CHECK: arith.constant 3.010300e-01 : f32
    %2 = math.log10 %x fastmath<afn> : f32
    return %0, %1, %2 : f32, f32, f32
  }

  // Vectors: arithmetic on the whole, instructions for each element.
  // CHECK-LABEL: @vector
  // CHECK-SAME: (%[[X:.*]]: vector<2x1xf32>)
  func.func @vector(%x: vector<2x1xf32>) -> vector<2x1xf32> {
    // CHECK: %[[POWERS:.*]] = arith.mulf %[[X]], %{{.*}} : vector<2x1xf32>
    // CHECK: %[[E:.*]]:2 = vector.to_elements %[[POWERS]] : vector<2x1xf32>
    // CHECK: %[[R0:.*]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx"(%[[E]]#0)
    // CHECK: %[[R1:.*]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx"(%[[E]]#1)
    // CHECK: vector.from_elements %[[R0]], %[[R1]] : vector<2x1xf32>
    %0 = math.exp %x fastmath<afn> : vector<2x1xf32>
    return %0 : vector<2x1xf32>
  }

  // By way of f32. contract lets LLVM keep what is between two functions in f32. No f16 is subnormal there.
  // CHECK-LABEL: @narrow
  // CHECK-SAME: (%[[X:.*]]: vector<2xf16>, %[[Y:.*]]: bf16, %[[Z:.*]]: f16)
  func.func @narrow(%x: vector<2xf16>, %y: bf16, %z: f16) -> (vector<2xf16>, bf16, f16, f16, f16) {
    // CHECK: arith.extf %[[X]] fastmath<contract> : vector<2xf16> to vector<2xf32>
    // CHECK-COUNT-2: "llvm.nvvm.sqrt.approx.ftz.f"
    // CHECK: arith.truncf %{{.*}} fastmath<contract> : vector<2xf32> to vector<2xf16>
    %0 = math.sqrt %x fastmath<afn,contract> : vector<2xf16>
    // CHECK: %[[WIDE:.*]] = arith.extf %[[Y]] : bf16 to f32
    // CHECK: %[[ROOT:.*]] = llvm.call_intrinsic "llvm.nvvm.sqrt.approx.f"(%[[WIDE]])
    // CHECK: arith.truncf %[[ROOT]] : f32 to bf16
    %1 = math.sqrt %y fastmath<afn> : bf16
    // CHECK: "llvm.nvvm.ex2.approx.ftz"
    %2 = math.exp2 %z fastmath<afn> : f16
    // CHECK: %[[DENOMINATOR:.*]] = arith.extf %[[Z]]
    // CHECK: "llvm.nvvm.rcp.approx.ftz.f"(%[[DENOMINATOR]])
    %one = arith.constant 1.0 : f16
    %3 = arith.divf %one, %z fastmath<afn> : f16
    // CHECK: "llvm.nvvm.div.approx.ftz.f"
    %4 = arith.divf %z, %one fastmath<afn> : f16
    return %0, %1, %2, %3, %4 : vector<2xf16>, bf16, f16, f16, f16
  }

  // 1 - 2 / (1 + e^2x), and x near zero.
  // CHECK-LABEL: @tanh
  // CHECK-SAME: (%[[X:.*]]: f32)
  func.func @tanh(%x: f32) -> f32 {
    // CHECK: %[[POWER:.*]] = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"
    // CHECK: %[[SUM:.*]] = arith.addf %[[POWER]], %{{.*}} : f32
    // CHECK: %[[INVERSE:.*]] = llvm.call_intrinsic "llvm.nvvm.rcp.approx.ftz.f"(%[[SUM]])
    // CHECK: %[[FAR:.*]] = math.fma %[[INVERSE]], %{{.*}}, %{{.*}} : f32
    // CHECK: %[[ABS:.*]] = llvm.call_intrinsic "llvm.fabs"(%[[X]])
    // CHECK: %[[NEAR:.*]] = arith.cmpf olt, %[[ABS]], %{{.*}} : f32
    // CHECK: %[[R:.*]] = arith.select %[[NEAR]], %[[X]], %[[FAR]] : f32
    // CHECK: return %[[R]]
    %0 = math.tanh %x fastmath<afn> : f32
    return %0 : f32
  }

  // CHECK-LABEL: @erf
  func.func @erf(%x: f32) -> f32 {
    // CHECK-COUNT-1: "llvm.nvvm.rcp.approx.ftz.f"
    // CHECK-COUNT-4: math.fma
    // CHECK-COUNT-1: "llvm.nvvm.ex2.approx.ftz"
    // CHECK: llvm.call_intrinsic "llvm.copysign"
    %0 = math.erf %x fastmath<afn> : f32
    return %0 : f32
  }

  // Without the flag, of f64, or without an instruction: they stay.
  // CHECK-LABEL: @others
  func.func @others(%x: f32, %y: f64) -> (f32, f32, f32, f64, f32) {
    // CHECK-NEXT: math.exp %{{.*}} : f32
    %0 = math.exp %x : f32
    // CHECK-NEXT: math.tanh %{{.*}} fastmath<nnan,ninf,arcp> : f32
    %1 = math.tanh %x fastmath<nnan,ninf,arcp> : f32
    // CHECK-NEXT: arith.divf
    %2 = arith.divf %x, %x fastmath<nnan> : f32
    // CHECK-NEXT: math.exp %{{.*}} fastmath<afn> : f64
    // REMARK: [[@LINE+1]]:10: remark: [Missed] gpu-approximate-math | Category:gpu{{.*}}chips approximate f32, to which f16 and bf16 are extended
    %3 = math.exp %y fastmath<afn> : f64
    // CHECK-NEXT: math.atan %{{.*}} fastmath<afn> : f32
    %4 = math.atan %x fastmath<afn> : f32
    return %0, %1, %2, %3, %4 : f32, f32, f32, f64, f32
  }
}

// Which chip it is says the first #nvvm.target.
// CHECK: gpu.module @ampere
gpu.module @ampere [#nvvm.target<chip = "sm_80">] {
  // CHECK-LABEL: @tanh
  // CHECK-NEXT: llvm.call_intrinsic "llvm.tanh"(%{{.*}}) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
  // CHECK-NEXT: return
  func.func @tanh(%x: f32) -> f32 {
    %0 = math.tanh %x fastmath<afn> : f32
    return %0 : f32
  }
}
// CHECK: gpu.module @hopper
gpu.module @hopper [#nvvm.target<chip = "sm_90a">] {
  // CHECK: "llvm.tanh"
  func.func @tanh(%x: f32) -> f32 {
    %0 = math.tanh %x fastmath<afn> : f32
    return %0 : f32
  }
}

// No chip, no instruction; and nothing outside.
// CHECK: gpu.module @none
gpu.module @none {
  // CHECK: math.tanh
  func.func @tanh(%x: f32) -> f32 {
    %0 = math.tanh %x fastmath<afn> : f32
    return %0 : f32
  }
}
// CHECK-LABEL: @host
func.func @host(%x: f32) -> f32 {
  // CHECK: math.tanh
  %0 = math.tanh %x fastmath<afn> : f32
  return %0 : f32
}
