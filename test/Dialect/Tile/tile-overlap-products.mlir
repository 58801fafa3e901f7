// tile-overlap-products: an iteration begins the first product of the next one and its own second one, and computes while the
// latter is on its way; and which loops are kept.
//
// RUN: tile-opt %s --tile-overlap-products --canonicalize --cse --remark-policy=all --remarks-filter=tile 2>%t.notes | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE --input-file=%t.notes

// CHECK-LABEL: func.func @attention(
// CHECK-SAME: %[[N:[^,]*]]: index,
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<64x64xf32>
// CHECK: tile.alloc : <3x64x64xf16>
// CHECK: tile.alloc : <3x64x64xf16>
// CHECK: %[[CHANNEL:.*]] = tile.channel stages 3
// CHECK: %[[Q:.*]] = tile.load_view
// CHECK: %[[F:.*]] = tile.load_view
// CHECK: %[[ANY:.*]] = arith.cmpi sgt, %[[N]], %[[C0]] : index
// CHECK-NEXT: %{{.*}} = scf.if %[[ANY]] -> (tensor<64x64xf32>) {
// CHECK-NEXT: %[[S0:.*]] = tile.channel_wait %[[CHANNEL]][%[[C0]]]
// CHECK-NEXT: %[[P0:.*]] = tile.mma_async %[[Q]], %[[SK:.*]][%[[S0]]] column, %[[ZERO]]
// CHECK-NEXT: %[[D0:.*]] = tile.mma_wait %[[P0]] pending 0
// CHECK-NEXT: %[[W0:.*]] = arith.truncf %[[D0]]
// CHECK-NEXT: %[[R:.*]]:4 = scf.for %{{.*}} = %[[C1]] to %[[N]] step %[[C1]] iter_args(%[[T:.*]] = %[[C1]], %[[W:.*]] = %[[W0]], %[[S:.*]] = %[[S0]], %[[ACC:.*]] = %{{.*}}) -> (index, tensor<64x64xf16>, index, tensor<64x64xf32>) {
// CHECK-NEXT: %[[SN:.*]] = tile.channel_wait %[[CHANNEL]][%[[T]]]
// CHECK-NEXT: %[[P:.*]] = tile.mma_async %[[Q]], %[[SK]][%[[SN]]] column, %[[ZERO]]
// CHECK-NEXT: %[[O:.*]] = tile.mma_async %[[W]], %[[SV:.*]][%[[S]]] row, %[[ACC]]
// CHECK-NEXT: %[[D:.*]] = tile.mma_wait %[[P]] pending 1
// CHECK-NEXT: %[[WN:.*]] = arith.truncf %[[D]]
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[T]], %[[C1]]
// CHECK-NEXT: %[[BEFORE:.*]] = arith.subi %[[T]], %[[C1]]
// CHECK-NEXT: %[[OD:.*]] = tile.mma_wait %[[O]] pending 0
// CHECK-NEXT: tile.channel_release %[[CHANNEL]][%[[BEFORE]]]
// CHECK-NEXT: %[[SCALED:.*]] = arith.mulf %[[OD]], %[[F]]
// CHECK-NEXT: scf.yield %[[NEXT]], %[[WN]], %[[SN]], %[[SCALED]]
// CHECK: %[[LAST:.*]] = tile.mma_async %[[R]]#1, %[[SV]][%[[R]]#2] row, %[[R]]#3
// CHECK: %[[BEFORE:.*]] = arith.subi %[[R]]#0, %[[C1]]
// CHECK: %[[ALL:.*]] = tile.mma_wait %[[LAST]] pending 0
// CHECK: tile.channel_release %[[CHANNEL]][%[[BEFORE]]]
// CHECK: scf.yield %[[ALL]] :
// CHECK: else
// CHECK-NEXT: scf.yield
// NOTE: remark: [Passed] overlap-products | Category:tile | stages=3
func.func @attention(%qs: memref<64x64xf16>, %fs: memref<64x64xf32>, %n: index, %m: memref<64x64xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %start = arith.constant dense<1.0> : tensor<64x64xf32>
  %sk = tile.alloc : !tile.buffer<2x64x64xf16>
  %sv = tile.alloc : !tile.buffer<2x64x64xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
    %q = tile.load_view %qs[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
    %factors = tile.load_view %fs[%c0, %c0] : memref<64x64xf32> -> tensor<64x64xf32>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %start, %t = %c0) -> (tensor<64x64xf32>, index) {
      %s = tile.channel_wait %ch[%t]
      %p = tile.mma_async %q, %sk[%s] column, %zero atom <wgmma_k16_f16> : tensor<64x64xf16>, !tile.buffer<2x64x64xf16>, tensor<64x64xf32>
      %pw = tile.mma_wait %p pending 0 : tensor<64x64xf32>
      %w = arith.truncf %pw : tensor<64x64xf32> to tensor<64x64xf16>
      %kept = arith.mulf %acc, %factors : tensor<64x64xf32>
      %o = tile.mma_async %w, %sv[%s] row, %kept atom <wgmma_k16_f16> : tensor<64x64xf16>, !tile.buffer<2x64x64xf16>, tensor<64x64xf32>
      %ow = tile.mma_wait %o pending 0 : tensor<64x64xf32>
      tile.channel_release %ch[%t]
      %next = arith.addi %t, %c1 : index
      scf.yield %ow, %next : tensor<64x64xf32>, index
    }
    %twice = arith.addf %r#0, %r#0 : tensor<64x64xf32>
    %y = tile.mma_wait %twice pending 0 : tensor<64x64xf32>
  }, {
    scf.for %i = %c0 to %n step %c1 {
      %s = tile.channel_acquire %ch[%i] bytes 16384
      tile.bulk_load %m[%c0, %c0], %sk[%s] through %ch : memref<64x64xf16>, !tile.buffer<2x64x64xf16>
      tile.bulk_load %m[%c0, %c0], %sv[%s] through %ch : memref<64x64xf16>, !tile.buffer<2x64x64xf16>
    }
  }
  return
}

// The iteration before multiplies what the next one starts with: there is nothing to overlap.
// CHECK-LABEL: func.func @dependent(
// CHECK-NOT: scf.if
// CHECK: return
// NOTE: remark: [Missed] overlap-products | Category:tile | Reason="more than the second product depends on its sum"
func.func @dependent(%qs: memref<64x64xf16>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %start = arith.constant dense<1.0> : tensor<64x64xf32>
  %sk = tile.alloc : !tile.buffer<2x64x64xf16>
  %sv = tile.alloc : !tile.buffer<2x64x64xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
    %q = tile.load_view %qs[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %start, %t = %c0) -> (tensor<64x64xf32>, index) {
      %s = tile.channel_wait %ch[%t]
      %p = tile.mma_async %q, %sk[%s] column, %acc atom <wgmma_k16_f16> : tensor<64x64xf16>, !tile.buffer<2x64x64xf16>, tensor<64x64xf32>
      %pw = tile.mma_wait %p pending 0 : tensor<64x64xf32>
      %w = arith.truncf %pw : tensor<64x64xf32> to tensor<64x64xf16>
      %o = tile.mma_async %w, %sv[%s] row, %start atom <wgmma_k16_f16> : tensor<64x64xf16>, !tile.buffer<2x64x64xf16>, tensor<64x64xf32>
      %ow = tile.mma_wait %o pending 0 : tensor<64x64xf32>
      tile.channel_release %ch[%t]
      %next = arith.addi %t, %c1 : index
      scf.yield %ow, %next : tensor<64x64xf32>, index
    }
    %y = tile.mma_wait %r#0 pending 0 : tensor<64x64xf32>
  }, { }
  return
}

// CHECK-LABEL: func.func @used(
// CHECK-NOT: scf.if
// CHECK: return
// NOTE: remark: [Missed] overlap-products | Category:tile | Reason="the loop uses what the second product gives"
func.func @used(%qs: memref<64x64xf16>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sk = tile.alloc : !tile.buffer<2x64x64xf16>
  %sv = tile.alloc : !tile.buffer<2x64x64xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
    %q = tile.load_view %qs[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %t = %c0) -> (tensor<64x64xf32>, index) {
      %s = tile.channel_wait %ch[%t]
      %p = tile.mma_async %q, %sk[%s] column, %zero atom <wgmma_k16_f16> : tensor<64x64xf16>, !tile.buffer<2x64x64xf16>, tensor<64x64xf32>
      %pw = tile.mma_wait %p pending 0 : tensor<64x64xf32>
      %w = arith.truncf %pw : tensor<64x64xf32> to tensor<64x64xf16>
      %o = tile.mma_async %w, %sv[%s] row, %acc atom <wgmma_k16_f16> : tensor<64x64xf16>, !tile.buffer<2x64x64xf16>, tensor<64x64xf32>
      %ow = tile.mma_wait %o pending 0 : tensor<64x64xf32>
      tile.channel_release %ch[%t]
      %half = arith.addf %ow, %zero : tensor<64x64xf32>
      %next = arith.addi %t, %c1 : index
      scf.yield %half, %next : tensor<64x64xf32>, index
    }
    %y = tile.mma_wait %r#0 pending 0 : tensor<64x64xf32>
  }, { }
  return
}

// Products that overlap already, as sums that share an operand do.
// CHECK-LABEL: func.func @sums(
// CHECK-NOT: scf.if
// CHECK: return
// NOTE: remark: [Missed] overlap-products | Category:tile | Reason="an iteration does not wait for each of its products by itself"
func.func @sums(%qs: memref<64x64xf16>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sk = tile.alloc : !tile.buffer<2x64x64xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
    %q = tile.load_view %qs[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
    %r:3 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %other = %zero, %t = %c0) -> (tensor<64x64xf32>, tensor<64x64xf32>, index) {
      %s = tile.channel_wait %ch[%t]
      %p = tile.mma_async %q, %sk[%s] column, %acc atom <wgmma_k16_f16> : tensor<64x64xf16>, !tile.buffer<2x64x64xf16>, tensor<64x64xf32>
      %o = tile.mma_async %q, %sk[%s] row, %other atom <wgmma_k16_f16> : tensor<64x64xf16>, !tile.buffer<2x64x64xf16>, tensor<64x64xf32>
      %ow = tile.mma_wait %o pending 2 : tensor<64x64xf32>
      %before = arith.subi %t, %c1 : index
      tile.channel_release %ch[%before]
      %next = arith.addi %t, %c1 : index
      scf.yield %p, %ow, %next : tensor<64x64xf32>, tensor<64x64xf32>, index
    }
    %y = tile.mma_wait %r#0 pending 0 : tensor<64x64xf32>
    %z = tile.mma_wait %r#1 pending 0 : tensor<64x64xf32>
  }, { }
  return
}

// Two stages that fill shared memory stay two; of one stage there is no second one.
module attributes {tile.target = #tile.target<chip = "small", shared = 32800, threads = 1024, registers = 255, mma = []>} {
// CHECK-LABEL: func.func @two(
// CHECK: tile.channel stages 2
// CHECK: scf.if
// NOTE: remark: [Passed] overlap-products | Category:tile | stages=2
func.func @two(%qs: memref<64x64xf16>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sk = tile.alloc : !tile.buffer<2x64x64xf16>
  %sv = tile.alloc : !tile.buffer<2x64x64xf16>
  %ch = tile.channel stages 2
  tile.roles warps [4, 4] {
    %q = tile.load_view %qs[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %t = %c0) -> (tensor<64x64xf32>, index) {
      %s = tile.channel_wait %ch[%t]
      %p = tile.mma_async %q, %sk[%s] column, %zero atom <wgmma_k16_f16> : tensor<64x64xf16>, !tile.buffer<2x64x64xf16>, tensor<64x64xf32>
      %pw = tile.mma_wait %p pending 0 : tensor<64x64xf32>
      %w = arith.truncf %pw : tensor<64x64xf32> to tensor<64x64xf16>
      %o = tile.mma_async %w, %sv[%s] row, %acc atom <wgmma_k16_f16> : tensor<64x64xf16>, !tile.buffer<2x64x64xf16>, tensor<64x64xf32>
      %ow = tile.mma_wait %o pending 0 : tensor<64x64xf32>
      tile.channel_release %ch[%t]
      %next = arith.addi %t, %c1 : index
      scf.yield %ow, %next : tensor<64x64xf32>, index
    }
    %y = tile.mma_wait %r#0 pending 0 : tensor<64x64xf32>
  }, {
    scf.for %i = %c0 to %n step %c1 {
      %s = tile.channel_acquire %ch[%i] bytes 0
    }
  }
  return
}
}

module attributes {tile.target = #tile.target<chip = "small", shared = 20000, threads = 1024, registers = 255, mma = []>} {
// CHECK-LABEL: func.func @one(
// CHECK: tile.channel stages 1
// CHECK-NOT: scf.if
// CHECK: return
// NOTE: remark: [Missed] overlap-products | Category:tile | Reason="there is no room for a second stage"
func.func @one(%qs: memref<64x64xf16>, %m: memref<64x64xf16>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %sk = tile.alloc : !tile.buffer<1x64x64xf16>
  %sv = tile.alloc : !tile.buffer<1x64x64xf16>
  %ch = tile.channel stages 1
  tile.roles warps [4, 4] {
    %q = tile.load_view %qs[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %t = %c0) -> (tensor<64x64xf32>, index) {
      %s = tile.channel_wait %ch[%t]
      %p = tile.mma_async %q, %sk[%s] column, %zero atom <wgmma_k16_f16> : tensor<64x64xf16>, !tile.buffer<1x64x64xf16>, tensor<64x64xf32>
      %pw = tile.mma_wait %p pending 0 : tensor<64x64xf32>
      %w = arith.truncf %pw : tensor<64x64xf32> to tensor<64x64xf16>
      %o = tile.mma_async %w, %sv[%s] row, %acc atom <wgmma_k16_f16> : tensor<64x64xf16>, !tile.buffer<1x64x64xf16>, tensor<64x64xf32>
      %ow = tile.mma_wait %o pending 0 : tensor<64x64xf32>
      tile.channel_release %ch[%t]
      %next = arith.addi %t, %c1 : index
      scf.yield %ow, %next : tensor<64x64xf32>, index
    }
    %y = tile.mma_wait %r#0 pending 0 : tensor<64x64xf32>
  }, {
    scf.for %i = %c0 to %n step %c1 {
      %s = tile.channel_acquire %ch[%i] bytes 16384
      tile.bulk_load %m[%c0, %c0], %sk[%s] through %ch : memref<64x64xf16>, !tile.buffer<1x64x64xf16>
      tile.bulk_load %m[%c0, %c0], %sv[%s] through %ch : memref<64x64xf16>, !tile.buffer<1x64x64xf16>
    }
  }
  return
}
}
