// tile-take-turns: warpgroups of a role begin their products one after the other, if they compute while these are on their way.
//
// RUN: tile-opt %s --tile-take-turns --remark-policy=all --remarks-filter=tile 2>%t.notes | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE --input-file=%t.notes

// CHECK-LABEL: func.func @attention(
// CHECK: scf.for
// CHECK-NEXT: tile.take_turn
// CHECK-NEXT: tile.mma_async
// CHECK-NEXT: tile.mma_async
// CHECK-NEXT: tile.pass_turn
// CHECK-NEXT: tile.mma_wait
// CHECK-NOT: turn
// CHECK: return
// NOTE: remark: [Passed] take-turns | Category:tile | groups=2
func.func @attention(%m: memref<128x64xf16>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %none = arith.constant dense<0.0> : tensor<128x64xf16>
  %sk = tile.alloc : !tile.buffer<3x64x64xf16>
  %sv = tile.alloc : !tile.buffer<3x64x64xf16>
  tile.roles warps [8, 4] {
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %w = %none) -> (tensor<128x64xf32>, tensor<128x64xf16>) {
      %p = tile.mma_async %none, %sk[%i] column, %zero atom <wgmma_k16_f16> : tensor<128x64xf16>, !tile.buffer<3x64x64xf16>, tensor<128x64xf32>
      %o = tile.mma_async %w, %sv[%i] row, %acc atom <wgmma_k16_f16> : tensor<128x64xf16>, !tile.buffer<3x64x64xf16>, tensor<128x64xf32>
      %pw = tile.mma_wait %p pending 1 : tensor<128x64xf32>
      %next = arith.truncf %pw : tensor<128x64xf32> to tensor<128x64xf16>
      %ow = tile.mma_wait %o pending 0 : tensor<128x64xf32>
      scf.yield %ow, %next : tensor<128x64xf32>, tensor<128x64xf16>
    }
  }, { }
  return
}

// One warpgroup takes no turns.
// CHECK-LABEL: func.func @alone(
// CHECK-NOT: turn
// CHECK: return
func.func @alone(%n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %none = arith.constant dense<0.0> : tensor<64x64xf16>
  %sk = tile.alloc : !tile.buffer<3x64x64xf16>
  %sv = tile.alloc : !tile.buffer<3x64x64xf16>
  tile.roles warps [4, 4] {
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %w = %none) -> (tensor<64x64xf32>, tensor<64x64xf16>) {
      %p = tile.mma_async %none, %sk[%i] column, %zero atom <wgmma_k16_f16> : tensor<64x64xf16>, !tile.buffer<3x64x64xf16>, tensor<64x64xf32>
      %o = tile.mma_async %w, %sv[%i] row, %acc atom <wgmma_k16_f16> : tensor<64x64xf16>, !tile.buffer<3x64x64xf16>, tensor<64x64xf32>
      %pw = tile.mma_wait %p pending 1 : tensor<64x64xf32>
      %next = arith.truncf %pw : tensor<64x64xf32> to tensor<64x64xf16>
      %ow = tile.mma_wait %o pending 0 : tensor<64x64xf32>
      scf.yield %ow, %next : tensor<64x64xf32>, tensor<64x64xf16>
    }
  }, { }
  return
}

// Sums of which nothing is computed: the tensor cores are all that they wait for.
// CHECK-LABEL: func.func @sums(
// CHECK-NOT: turn
// CHECK: return
func.func @sums(%n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %none = arith.constant dense<0.0> : tensor<128x64xf16>
  %sk = tile.alloc : !tile.buffer<3x64x64xf16>
  tile.roles warps [8, 4] {
    %r:2 = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero, %other = %zero) -> (tensor<128x64xf32>, tensor<128x64xf32>) {
      %p = tile.mma_async %none, %sk[%i] column, %acc atom <wgmma_k16_f16> : tensor<128x64xf16>, !tile.buffer<3x64x64xf16>, tensor<128x64xf32>
      %o = tile.mma_async %none, %sk[%i] row, %other atom <wgmma_k16_f16> : tensor<128x64xf16>, !tile.buffer<3x64x64xf16>, tensor<128x64xf32>
      %ow = tile.mma_wait %o pending 2 : tensor<128x64xf32>
      scf.yield %p, %ow : tensor<128x64xf32>, tensor<128x64xf32>
    }
    %y = tile.mma_wait %r#0 pending 0 : tensor<128x64xf32>
  }, { }
  return
}

// A turn must not wait for what others may give only later.
// CHECK-LABEL: func.func @waits(
// CHECK-NOT: turn
// CHECK: return
// NOTE: remark: [Missed] take-turns | Category:tile | Reason="'tile.mma_wait' is between the products of an iteration"
func.func @waits(%n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %none = arith.constant dense<0.0> : tensor<128x64xf16>
  %sk = tile.alloc : !tile.buffer<3x64x64xf16>
  %sv = tile.alloc : !tile.buffer<3x64x64xf16>
  tile.roles warps [8, 4] {
    %r = scf.for %i = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<128x64xf32> {
      %p = tile.mma_async %none, %sk[%i] column, %zero atom <wgmma_k16_f16> : tensor<128x64xf16>, !tile.buffer<3x64x64xf16>, tensor<128x64xf32>
      %pw = tile.mma_wait %p pending 0 : tensor<128x64xf32>
      %w = arith.truncf %pw : tensor<128x64xf32> to tensor<128x64xf16>
      %o = tile.mma_async %w, %sv[%i] row, %acc atom <wgmma_k16_f16> : tensor<128x64xf16>, !tile.buffer<3x64x64xf16>, tensor<128x64xf32>
      %ow = tile.mma_wait %o pending 0 : tensor<128x64xf32>
      scf.yield %ow : tensor<128x64xf32>
    }
  }, { }
  return
}
