// Roles, channels, bulk copies and products of warpgroups, from layouts to instructions.
//
// RUN: tile-opt %s --tile-use-tensor-maps --tile-assign-layouts --tile-promote-shared --tile-allocate-shared --tile-insert-barriers --tile-verify-promoted -o %t.mlir
// RUN: FileCheck %s --check-prefix=SHARED --input-file=%t.mlir
// RUN: tile-opt %t.mlir --convert-tile-to-gpu --canonicalize --cse | FileCheck %s

// The sum has the layout of the atom: 16 rows for each of 8 warps. It is stored through shared memory that held stages
// before, once no product of any warp reads these.
// SHARED-DAG: #[[$SUM:.*]] = #tile.layout<register = {{\[\[}}0, 1], [8, 0], [0, 8], [0, 16], [0, 32]], lane = {{\[\[}}0, 2], [0, 4], [1, 0], [2, 0], [4, 0]], warp = {{\[\[}}16, 0], [32, 0], [64, 0]]>
// SHARED-LABEL: func.func @product(
// SHARED-SAME: tile.num_warps = 8 : i64, tile.shared_bytes = 49184 : i64
// SHARED: tile.alloc {offset = 0 : i64} : <128x64xf32,
// SHARED: tile.alloc {offset = 0 : i64} : <2x128x64xf16,
// SHARED: tile.alloc {offset = 32768 : i64} : <2x64x64xf16,
// SHARED: tile.channel stages 2 {offset = 49152 : i64}
// SHARED: tile.roles
// SHARED: tile.mma_async {{.*}} tensor<128x64xf32, #[[$SUM]]>
// SHARED: tile.mma_wait %{{.*}} pending 0 : tensor<128x64xf32, #[[$SUM]]>
// SHARED-NEXT: tile.barrier
// SHARED-NEXT: tile.local_store
// SHARED-NEXT: tile.barrier
// SHARED-NEXT: tile.local_load

// A role that gives up registers keeps its loops: an unrolled one needs more of them.
// CHECK: #[[$KEEP:.*]] = #llvm.loop_unroll<disable = true>
// CHECK: #[[$LOOP:.*]] = #llvm.loop_annotation<unroll = #[[$KEEP]]>
// CHECK: llvm.mlir.global external @tile_shared() {addr_space = 3 : i32, alignment = 1024 : i64}
// CHECK-LABEL: gpu.func @product(
// CHECK-SAME: %[[MAP_A:[^:]*]]: !llvm.array<16 x i64>, %[[MAP_B:[^:]*]]: !llvm.array<16 x i64>) kernel
// CHECK-SAME: known_block_size = array<i32: 384, 1, 1>, nvvm.minctasm = 1 : i32

// One thread makes two barriers that bytes complete, and two at which eight warps arrive.
// CHECK: scf.if
// CHECK-NEXT: %[[FULL:.*]] = llvm.getelementptr %{{.*}}[49152]
// CHECK-NEXT: nvvm.mbarrier.init %[[FULL]], %c1_i32
// CHECK-NEXT: %[[FULL:.*]] = llvm.getelementptr %{{.*}}[49160]
// CHECK-NEXT: nvvm.mbarrier.init %[[FULL]], %c1_i32
// CHECK-NEXT: %[[EMPTY:.*]] = llvm.getelementptr %{{.*}}[49168]
// CHECK-NEXT: nvvm.mbarrier.init %[[EMPTY]], %c8_i32
// CHECK-NEXT: %[[EMPTY:.*]] = llvm.getelementptr %{{.*}}[49176]
// CHECK-NEXT: nvvm.mbarrier.init %[[EMPTY]], %c8_i32
// CHECK-NEXT: nvvm.fence.mbarrier.init
// CHECK-NEXT: }
// CHECK-NEXT: gpu.barrier
// CHECK: scf.if
// CHECK-NEXT: nvvm.setmaxregister increase 240
// CHECK: scf.for
// CHECK-NOT: loop_annotation
// CHECK: scf.while
// CHECK-NEXT: nvvm.mbarrier.try_wait
// CHECK: llvm.inline_asm has_side_effects
// CHECK-SAME: wgmma.fence.sync.aligned;\0Awgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {$0, {{[^;]*}} $31}, $64, $65, p, 1, 1, 0, 1;
// CHECK-SAME: $70, $71, p, 1, 1, 0, 1;\0Awgmma.commit_group.sync.aligned;
// CHECK: llvm.inline_asm has_side_effects {{.*}}"wgmma.wait_group.sync.aligned 1;"
// CHECK: scf.if
// CHECK-NOT: scf.yield
// CHECK: nvvm.mbarrier.arrive
// CHECK: "wgmma.wait_group.sync.aligned 0;"
// Barriers of the role's 256 threads alone.
// CHECK: nvvm.barrier id = %c1_i32 number_of_threads = %c256_i32

// The other role runs in one thread; the stage of the iteration has to be free first.
// CHECK: } else {
// CHECK-NEXT: nvvm.setmaxregister decrease 24
// CHECK: scf.if
// CHECK-NEXT: nvvm.elect.sync
// CHECK-NEXT: scf.if
// CHECK: scf.for
// CHECK: nvvm.mbarrier.try_wait
// CHECK: nvvm.mbarrier.arrive.expect_tx
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %{{.*}}, %{{.*}}, box[%[[K:.*]], %[[ROW:.*]]]
// CHECK: nvvm.cp.async.bulk.tensor.shared.cluster.global %{{.*}}, %{{.*}}, %{{.*}}, box[%{{.*}}, %[[K]]]
// CHECK-NOT: nvvm.cp.async.bulk
// CHECK: } {loop_annotation = #[[$LOOP]]}
func.func @product(%a: memref<?x64xf16>, %b: memref<?x64xf16>, %c: memref<?x64xf32>, %row: index, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %sa = tile.alloc : !tile.buffer<2x128x64xf16>
  %sb = tile.alloc : !tile.buffer<2x64x64xf16>
  %ch = tile.channel stages 2
  tile.roles warps [8, 4] registers [240, 24] {
    %r:2 = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero, %t = %c0) -> (tensor<128x64xf32>, index) {
      %s = tile.channel_wait %ch[%t]
      %sum = tile.mma_async %sa[%s] row, %sb[%s] row, %acc atom <wgmma_k16_f16> : !tile.buffer<2x128x64xf16>, !tile.buffer<2x64x64xf16>, tensor<128x64xf32>
      %same = tile.mma_wait %sum pending 1 : tensor<128x64xf32>
      %before = arith.subi %t, %c1 : index
      tile.channel_release %ch[%before]
      %next = arith.addi %t, %c1 : index
      scf.yield %same, %next : tensor<128x64xf32>, index
    }
    %all = tile.mma_wait %r#0 pending 0 : tensor<128x64xf32>
    tile.store_view %all, %c[%row, %c0] : tensor<128x64xf32>, memref<?x64xf32>
  }, {
    %r = scf.for %k = %c0 to %n step %c64 iter_args(%t = %c0) -> (index) {
      %s = tile.channel_acquire %ch[%t] bytes 24576
      tile.bulk_load %a[%row, %k], %sa[%s] through %ch : memref<?x64xf16>, !tile.buffer<2x128x64xf16>
      tile.bulk_load %b[%k, %c0], %sb[%s] through %ch : memref<?x64xf16>, !tile.buffer<2x64x64xf16>
      %next = arith.addi %t, %c1 : index
      scf.yield %next : index
    }
  }
  return
}

// Two warpgroups take turns by barriers 3 and 4: each waits at its own, and then arrives at that of the other one. The second one
// arrives at that of the first one before all turns, which waits for the last one behind them.
// CHECK-LABEL: gpu.func @turns(
// CHECK: gpu.barrier
// CHECK-NEXT: nvvm.shfl.sync
// CHECK-NEXT: %[[GROUP:.*]] = arith.divui %{{.*}}, %c4_i32
// CHECK: %[[MORE:.*]] = arith.addi %[[GROUP]], %c1_i32
// CHECK: %[[OTHER:.*]] = arith.remui %[[MORE]], %c2_i32
// CHECK-DAG: %[[IS_FIRST:.*]] = arith.cmpi eq, %[[GROUP]], %c0_i32
// CHECK-DAG: %[[IS_LAST:.*]] = arith.cmpi eq, %[[GROUP]], %c1_i32
// CHECK-DAG: %[[OWN:.*]] = arith.addi %[[GROUP]], %c3_i32
// CHECK-DAG: %[[NEXT:.*]] = arith.addi %[[OTHER]], %c3_i32
// CHECK: scf.if %[[IS_LAST]] {
// CHECK-NEXT: llvm.call_intrinsic "llvm.nvvm.barrier.cta.arrive.aligned.count"(%[[NEXT]], %c256_i32)
// CHECK: scf.for
// CHECK: nvvm.barrier id = %[[OWN]] number_of_threads = %c256_i32
// CHECK: llvm.inline_asm {{.*}}wgmma.mma_async
// CHECK: llvm.call_intrinsic "llvm.nvvm.barrier.cta.arrive.aligned.count"(%[[NEXT]], %c256_i32)
// CHECK: scf.yield
// CHECK: scf.if %[[IS_FIRST]] {
// CHECK-NEXT: nvvm.barrier id = %[[OWN]] number_of_threads = %c256_i32
func.func @turns(%a: memref<?x64xf16>, %b: memref<?x64xf16>, %c: memref<?x64xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %sa = tile.alloc : !tile.buffer<2x128x64xf16>
  %sb = tile.alloc : !tile.buffer<2x64x64xf16>
  %ch = tile.channel stages 2
  tile.roles warps [8, 4] {
    %r:2 = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero, %t = %c0) -> (tensor<128x64xf32>, index) {
      %s = tile.channel_wait %ch[%t]
      tile.take_turn
      %sum = tile.mma_async %sa[%s] row, %sb[%s] row, %acc atom <wgmma_k16_f16> : !tile.buffer<2x128x64xf16>, !tile.buffer<2x64x64xf16>, tensor<128x64xf32>
      tile.pass_turn
      %same = tile.mma_wait %sum pending 0 : tensor<128x64xf32>
      tile.channel_release %ch[%t]
      %next = arith.addi %t, %c1 : index
      scf.yield %same, %next : tensor<128x64xf32>, index
    }
    tile.store_view %r#0, %c[%c0, %c0] : tensor<128x64xf32>, memref<?x64xf32>
  }, {
    %r = scf.for %k = %c0 to %n step %c64 iter_args(%t = %c0) -> (index) {
      %s = tile.channel_acquire %ch[%t] bytes 24576
      tile.bulk_load %a[%c0, %k], %sa[%s] through %ch : memref<?x64xf16>, !tile.buffer<2x128x64xf16>
      tile.bulk_load %b[%k, %c0], %sb[%s] through %ch : memref<?x64xf16>, !tile.buffer<2x64x64xf16>
      %next = arith.addi %t, %c1 : index
      scf.yield %next : index
    }
  }
  return
}

// Host code encodes the maps, and passes their bytes.
// CHECK-LABEL: func.func @main(
// CHECK: %[[MAP:.*]] = llvm.alloca %c16_i64 x i64
// CHECK: call @tileirEncodeTensorMap(%[[MAP]], {{.*}}) : (!llvm.ptr, i64, i64, i64, !llvm.ptr, !llvm.ptr, !llvm.ptr, i64) -> ()
// CHECK-NEXT: %[[BYTES:.*]] = llvm.load %[[MAP]] : !llvm.ptr -> !llvm.array<16 x i64>
// CHECK: gpu.launch_func {{.*}} %[[BYTES]] : !llvm.array<16 x i64>
func.func @main(%a: memref<?x64xf16, #gpu.address_space<global>>, %c: memref<?x64xf32, #gpu.address_space<global>>, %n: index) {
  %c1 = arith.constant 1 : index
  tile.launch @product grid(%c1, %c1, %c1) (%a, %a, %c, %n, %n) : memref<?x64xf16, #gpu.address_space<global>>, memref<?x64xf16, #gpu.address_space<global>>, memref<?x64xf32, #gpu.address_space<global>>, index, index
  return
}
