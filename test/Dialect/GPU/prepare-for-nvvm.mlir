// gpu-prepare-for-nvvm: a target where there is none, and external dynamic shared memory where it is used.
//
// RUN: tile-opt --gpu-prepare-for-nvvm %s | FileCheck %s --check-prefixes=CHECK,SM70
// RUN: tile-opt --gpu-prepare-for-nvvm="chip=sm_75" %s | FileCheck %s --check-prefixes=CHECK,SM75
// RUN: tile-opt --gpu-prepare-for-nvvm="chip=sm_80" %s | FileCheck %s --check-prefixes=CHECK,SM80
// RUN: tile-opt --gpu-prepare-for-nvvm="chip=sm_90a features=+ptx80 opt-level=3" %s | FileCheck %s --check-prefixes=CHECK,SM90
// RUN: not tile-opt --gpu-prepare-for-nvvm="opt-level=4" %s 2>&1 | FileCheck %s --check-prefix=LEVEL
// LEVEL: error: gpu-prepare-for-nvvm: expected opt-level to be 0 to 3, found 4

// SM70: gpu.module @plain [#nvvm.target<chip = "sm_70", features = "+ptx65">] {
// SM75: gpu.module @plain [#nvvm.target<chip = "sm_75", features = "+ptx65">] {
// SM80: gpu.module @plain [#nvvm.target<chip = "sm_80">] {
// SM90: gpu.module @plain [#nvvm.target<O = 3, chip = "sm_90a", features = "+ptx80">] {
// CHECK-NOT: llvm.mlir.global
gpu.module @plain {
  gpu.func @f() kernel {
    gpu.return
  }
}

// Its own target stays, and stays the only one.
// CHECK: gpu.module @own [#nvvm.target<chip = "sm_80">] {
gpu.module @own [#nvvm.target<chip = "sm_80">] {
  // CHECK-NEXT: llvm.mlir.global external @dynamic_shared() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  // CHECK-NOT: llvm.mlir.global
  gpu.func @f() kernel {
    %0 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    gpu.return
  }
  gpu.func @g() kernel {
    %0 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// One that is there is used; a name that is taken is not.
// CHECK: gpu.module @declared
gpu.module @declared {
  // CHECK-NEXT: llvm.mlir.global external @mine()
  // CHECK-NOT: llvm.mlir.global
  llvm.mlir.global external @mine() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  gpu.func @f() kernel {
    %0 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    gpu.return
  }
}
// CHECK: gpu.module @taken
gpu.module @taken {
  // CHECK-NEXT: llvm.mlir.global external @dynamic_shared_0()
  // CHECK: gpu.func @dynamic_shared
  gpu.func @dynamic_shared() kernel {
    %0 = gpu.dynamic_shared_memory : memref<?xi8, #gpu.address_space<workgroup>>
    gpu.return
  }
}

// What convert-gpu-to-nvvm refuses becomes a call by name, with its flags; nothing else does.
// CHECK: gpu.module @intrinsics
gpu.module @intrinsics {
  // CHECK-LABEL: llvm.func @f
  // CHECK-SAME: (%[[X:.*]]: f32, %[[V:.*]]: vector<2xf64>)
  llvm.func @f(%x: f32, %v: vector<2xf64>) -> f32 attributes {nvvm.kernel} {
    // CHECK-NEXT: %[[ROOT:.*]] = llvm.call_intrinsic "llvm.sqrt"(%[[X]]) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
    %root = llvm.intr.sqrt(%x) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
    // CHECK-NEXT: llvm.call_intrinsic "llvm.pow"(%[[V]], %[[V]]) : (vector<2xf64>, vector<2xf64>) -> vector<2xf64>
    %pow = llvm.intr.pow(%v, %v) : (vector<2xf64>, vector<2xf64>) -> vector<2xf64>
    // CHECK-NEXT: %[[FMA:.*]] = llvm.intr.fma(%[[ROOT]], %[[X]], %[[X]]) : (f32, f32, f32) -> f32
    %fma = llvm.intr.fma(%root, %x, %x) : (f32, f32, f32) -> f32
    // CHECK-NEXT: llvm.return %[[FMA]]
    llvm.return %fma : f32
  }
}
