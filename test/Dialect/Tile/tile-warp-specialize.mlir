// tile-warp-specialize: one role copies what the other one multiplies; and which kernels are kept.
//
// RUN: tile-opt %s --tile-warp-specialize --canonicalize --cse --remark-policy=all --remarks-filter=tile 2>%t.notes | FileCheck %s
// RUN: FileCheck %s --check-prefix=NOTE --input-file=%t.notes
// RUN: tile-opt %s --tile-warp-specialize=promote-sums=0 --canonicalize --cse | FileCheck %s --check-prefix=NARROW
// RUN: tile-opt %s --tile-select-config="config={stages=1}" --tile-warp-specialize --canonicalize --cse | FileCheck %s --check-prefix=ONE

// CHECK-LABEL: func.func @product(
// CHECK-SAME: %[[A:.*]]: memref<?x?xbf16> {{{.*}}}, %[[B:.*]]: memref<?x?xbf16> {{{.*}}}, %[[C:.*]]: memref<?x?xf32>, %[[N:.*]]: index)
// CHECK-DAG: %[[C0:.*]] = arith.constant 0 : index
// CHECK-DAG: %[[C1:.*]] = arith.constant 1 : index
// CHECK-DAG: %[[C64:.*]] = arith.constant 64 : index
// CHECK: %[[ID:.*]] = tile.program_id x
// CHECK: %[[ROW:.*]] = arith.muli
// CHECK: %[[SA:.*]] = tile.alloc : <2x128x64xbf16>
// CHECK: %[[SB:.*]] = tile.alloc : <2x64x256xbf16>
// CHECK: %[[CHANNEL:.*]] = tile.channel stages 2
// CHECK: tile.roles warps [8, 4] registers [240, 24] {
// CHECK-NOT: load
// CHECK: %[[R:.*]]:2 = scf.for %{{.*}} = %[[C0]] to %[[N]] step %[[C64]] iter_args(%[[SUM:.*]] = %{{.*}}, %[[T:.*]] = %[[C0]]) -> (tensor<128x256xf32>, index) {
// CHECK-NEXT: %[[S:.*]] = tile.channel_wait %[[CHANNEL]][%[[T]]]
// CHECK-NEXT: %[[PRODUCT:.*]] = tile.mma_async %[[SA]][%[[S]]] row, %[[SB]][%[[S]]] row, %[[SUM]] atom <wgmma_k16_bf16> :
// CHECK-NEXT: %[[SAME:.*]] = tile.mma_wait %[[PRODUCT]] pending 1
// CHECK-NEXT: %[[BEFORE:.*]] = arith.subi %[[T]], %[[C1]]
// CHECK-NEXT: tile.channel_release %[[CHANNEL]][%[[BEFORE]]]
// CHECK-NEXT: %[[NEXT:.*]] = arith.addi %[[T]], %[[C1]]
// CHECK-NEXT: scf.yield %[[SAME]], %[[NEXT]]
// CHECK: %[[ALL:.*]] = tile.mma_wait %[[R]]#0 pending 0
// CHECK: tile.store_view %[[ALL]], %[[C]]
// CHECK-NEXT: }, {
// CHECK-NEXT: scf.for %[[K:.*]] = %[[C0]] to %[[N]] step %[[C64]] iter_args(%[[U:.*]] = %[[C0]]) -> (index) {
// CHECK-NEXT: %[[FREE:.*]] = tile.channel_acquire %[[CHANNEL]][%[[U]]] bytes 49152
// CHECK-NEXT: tile.bulk_load %[[A]][%[[ROW]], %[[K]]], %[[SA]][%[[FREE]]] through %[[CHANNEL]] :
// CHECK-NEXT: tile.bulk_load %[[B]][%[[K]], %[[C0]]], %[[SB]][%[[FREE]]] through %[[CHANNEL]] :
// CHECK-NEXT: arith.addi %[[U]], %[[C1]]
// CHECK-NEXT: scf.yield
// CHECK-NEXT: }
// CHECK-NEXT: }
// CHECK-NEXT: return
// ONE-LABEL: func.func @product(
// ONE: tile.channel stages 1
// ONE: %[[S:.*]] = tile.channel_wait %[[CHANNEL:.*]][%[[T:.*]]]
// ONE: tile.mma_wait %{{.*}} pending 0
// ONE-NEXT: tile.channel_release %[[CHANNEL]][%[[T]]]
// NOTE: remark: [Passed] warp-specialize | Category:tile | bytes=98336, stages=2
func.func @product(%a: memref<?x?xbf16> {tile.size_multiple_of = array<i64: 1, 16>}, %b: memref<?x?xbf16> {tile.size_multiple_of = array<i64: 1, 16>}, %c: memref<?x?xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %c128 = arith.constant 128 : index
  %zero = arith.constant dense<0.0> : tensor<128x256xf32>
  %id = tile.program_id x
  %i = arith.index_cast %id : i32 to index
  %row = arith.muli %i, %c128 : index
  %r = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x256xf32> {
    %x = tile.load_view %a[%row, %k] : memref<?x?xbf16> -> tensor<128x64xbf16>
    %y = tile.load_view %b[%k, %c0] : memref<?x?xbf16> -> tensor<64x256xbf16>
    %sum = tile.dot %x, %y, %acc : tensor<128x64xbf16>, tensor<64x256xbf16>, tensor<128x256xf32>
    scf.yield %sum : tensor<128x256xf32>
  }
  tile.store_view %r, %c[%row, %c0] : tensor<128x256xf32>, memref<?x?xf32>
  return
}

// Operands are kept as memory has them; an index that the loop carries is carried by the copies alone.
// CHECK-LABEL: func.func @carried(
// CHECK: tile.roles warps [4, 4] {
// CHECK: scf.for {{.*}} -> (tensor<64x64xf16>, index, index) {
// CHECK: tile.mma_async %{{.*}} column, %{{.*}} column, %{{.*}} atom <wgmma_k16_f16> : !tile.buffer<2x32x64xf16>, <2x64x32xf16>, tensor<64x64xf16>
// CHECK: }, {
// CHECK: scf.for %{{.*}} iter_args(%[[AT:.*]] = %{{.*}}, %{{.*}} = %{{.*}}) -> (index, index) {
// CHECK: tile.bulk_load %{{.*}}[%{{.*}}, %[[AT]], %{{.*}}], %{{.*}} axes [1, 2]
// CHECK: tile.bulk_load
func.func @carried(%a: memref<4x?x?xf16> {tile.size_multiple_of = array<i64: 1, 1, 16>}, %b: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 16>}, %c: memref<?x?xf16>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf16>
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero, %at = %c0) -> (tensor<64x64xf16>, index) {
    %x = tile.load_view %a[%c1, %at, %c0] axes [1, 2] : memref<4x?x?xf16> -> tensor<32x64xf16>
    %xt = tile.trans %x [1, 0] : tensor<32x64xf16>
    %y = tile.load_view %b[%c0, %at] : memref<?x?xf16> -> tensor<64x32xf16>
    %yt = tile.trans %y [1, 0] : tensor<64x32xf16>
    %sum = tile.dot %xt, %yt, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf16>
    %next = arith.addi %at, %c32 : index
    scf.yield %sum, %next : tensor<64x64xf16>, index
  }
  tile.store_view %r#0, %c[%c0, %c0] : tensor<64x64xf16>, memref<?x?xf16>
  return
}

// CHECK-LABEL: func.func @unaligned(
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="rows of operand 'b' in memory are not known to be multiples of 16 bytes apart"
func.func @unaligned(%a: memref<?x64xf16>, %b: memref<?x?xf16> {tile.size_multiple_of = array<i64: 8, 4>}, %c: memref<?x?xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32> {
    %x = tile.load_view %a[%c0, %k] : memref<?x64xf16> -> tensor<64x32xf16>
    %y = tile.load_view %b[%k, %c0] : memref<?x?xf16> -> tensor<32x64xf16>
    %sum = tile.dot %x, %y, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %sum : tensor<64x64xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x64xf32>, memref<?x?xf32>
  return
}

// CHECK-LABEL: func.func @narrow(
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="rows of the tiles of operand 'b' have 16 bytes: expected multiples of 32"
func.func @narrow(%a: memref<?x64xf16>, %b: memref<?x64xf16>, %c: memref<?x?xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<64x8xf32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<64x8xf32> {
    %x = tile.load_view %a[%c0, %k] : memref<?x64xf16> -> tensor<64x32xf16>
    %y = tile.load_view %b[%k, %c0] : memref<?x64xf16> -> tensor<32x8xf16>
    %sum = tile.dot %x, %y, %acc : tensor<64x32xf16>, tensor<32x8xf16>, tensor<64x8xf32>
    scf.yield %sum : tensor<64x8xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x8xf32>, memref<?x?xf32>
  return
}

// CHECK-LABEL: func.func @m(
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="a product of 32 x 64 x 32: expected M of 64, 128 or 256, N a power of two from 8 to 256, K a multiple of 16"
func.func @m(%a: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 16>}, %b: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 16>}, %c: memref<?x?xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<32x64xf32> {
    %x = tile.load_view %a[%c0, %k] : memref<?x?xf16> -> tensor<32x32xf16>
    %y = tile.load_view %b[%k, %c0] : memref<?x?xf16> -> tensor<32x64xf16>
    %sum = tile.dot %x, %y, %acc : tensor<32x32xf16>, tensor<32x64xf16>, tensor<32x64xf32>
    scf.yield %sum : tensor<32x64xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<32x64xf32>, memref<?x?xf32>
  return
}

// CHECK-LABEL: func.func @large(
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="a product of 512 x 64 x 32: expected M of 64, 128 or 256, N a power of two from 8 to 256, K a multiple of 16"
func.func @large(%a: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 16>}, %b: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 16>}, %c: memref<?x?xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<512x64xf32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<512x64xf32> {
    %x = tile.load_view %a[%c0, %k] : memref<?x?xf16> -> tensor<512x32xf16>
    %y = tile.load_view %b[%k, %c0] : memref<?x?xf16> -> tensor<32x64xf16>
    %sum = tile.dot %x, %y, %acc : tensor<512x32xf16>, tensor<32x64xf16>, tensor<512x64xf32>
    scf.yield %sum : tensor<512x64xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<512x64xf32>, memref<?x?xf32>
  return
}

// CHECK-LABEL: func.func @registers(
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="a product of 256 x 256 takes 128 registers of each thread for its sum, of 112"
func.func @registers(%a: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 16>}, %b: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 16>}, %c: memref<?x?xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<256x256xf32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<256x256xf32> {
    %x = tile.load_view %a[%c0, %k] : memref<?x?xf16> -> tensor<256x32xf16>
    %y = tile.load_view %b[%k, %c0] : memref<?x?xf16> -> tensor<32x256xf16>
    %sum = tile.dot %x, %y, %acc : tensor<256x32xf16>, tensor<32x256xf16>, tensor<256x256xf32>
    scf.yield %sum : tensor<256x256xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<256x256xf32>, memref<?x?xf32>
  return
}

// CHECK-LABEL: func.func @n(
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="a product of 64 x 512 x 32: expected M of 64, 128 or 256, N a power of two from 8 to 256, K a multiple of 16"
func.func @n(%a: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 16>}, %b: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 16>}, %c: memref<?x?xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<64x512xf32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<64x512xf32> {
    %x = tile.load_view %a[%c0, %k] : memref<?x?xf16> -> tensor<64x32xf16>
    %y = tile.load_view %b[%k, %c0] : memref<?x?xf16> -> tensor<32x512xf16>
    %sum = tile.dot %x, %y, %acc : tensor<64x32xf16>, tensor<32x512xf16>, tensor<64x512xf32>
    scf.yield %sum : tensor<64x512xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x512xf32>, memref<?x?xf32>
  return
}

// CHECK-LABEL: func.func @types(
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="wgmma_k16_f16 takes f16 operands and an accumulator of f16 or f32, {{.*}}"
func.func @types(%a: memref<?x?xf64>, %b: memref<?x?xf64>, %c: memref<?x?xf64>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf64>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<64x64xf64> {
    %x = tile.load_view %a[%c0, %k] : memref<?x?xf64> -> tensor<64x32xf64>
    %y = tile.load_view %b[%k, %c0] : memref<?x?xf64> -> tensor<32x64xf64>
    %sum = tile.dot %x, %y, %acc : tensor<64x32xf64>, tensor<32x64xf64>, tensor<64x64xf64>
    scf.yield %sum : tensor<64x64xf64>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x64xf64>, memref<?x?xf64>
  return
}

// CHECK-LABEL: func.func @order(
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="wgmma_k32_i8 takes operand 'b' in the other order only"
func.func @order(%a: memref<?x?xi8> {tile.size_multiple_of = array<i64: 1, 16>}, %b: memref<?x?xi8> {tile.size_multiple_of = array<i64: 1, 16>}, %c: memref<?x?xi32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0> : tensor<64x64xi32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<64x64xi32> {
    %x = tile.load_view %a[%c0, %k] : memref<?x?xi8> -> tensor<64x32xi8>
    %y = tile.load_view %b[%k, %c0] : memref<?x?xi8> -> tensor<32x64xi8>
    %sum = tile.dot %x, %y, %acc : tensor<64x32xi8>, tensor<32x64xi8>, tensor<64x64xi32>
    scf.yield %sum : tensor<64x64xi32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x64xi32>, memref<?x?xi32>
  return
}

// CHECK-LABEL: func.func @strided(
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="operand 'a' is not of a memref of at most 5 axes in row-major order that the kernel takes"
func.func @strided(%a: memref<?x?xf16, strided<[1, ?]>>, %b: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 16>}, %c: memref<?x?xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32> {
    %x = tile.load_view %a[%c0, %k] : memref<?x?xf16, strided<[1, ?]>> -> tensor<64x32xf16>
    %y = tile.load_view %b[%k, %c0] : memref<?x?xf16> -> tensor<32x64xf16>
    %sum = tile.dot %x, %y, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %sum : tensor<64x64xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x64xf32>, memref<?x?xf32>
  return
}

// CHECK-LABEL: func.func @axis(
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="no axis of operand 'a' is the last one of its memref"
func.func @axis(%a: memref<?x?x8xf16>, %b: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 16>}, %c: memref<?x?xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32> {
    %x = tile.load_view %a[%c0, %k, %c0] axes [0, 1] : memref<?x?x8xf16> -> tensor<64x32xf16>
    %y = tile.load_view %b[%k, %c0] : memref<?x?xf16> -> tensor<32x64xf16>
    %sum = tile.dot %x, %y, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %sum : tensor<64x64xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x64xf32>, memref<?x?xf32>
  return
}

// CHECK-LABEL: func.func @written(
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="'tile.store_view' may write what is loaded"
func.func @written(%a: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 16>}, %b: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 16>}, %c: memref<?x?xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  tile.store_view %zero, %c[%c0, %c0] : tensor<64x64xf32>, memref<?x?xf32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32> {
    %x = tile.load_view %a[%c0, %k] : memref<?x?xf16> -> tensor<64x32xf16>
    %y = tile.load_view %b[%k, %c0] : memref<?x?xf16> -> tensor<32x64xf16>
    %sum = tile.dot %x, %y, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %sum : tensor<64x64xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x64xf32>, memref<?x?xf32>
  return
}

// CHECK-LABEL: func.func @gathered(
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="where the operands are depends on 'memref.load'"
func.func @gathered(%a: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 16>}, %b: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 16>}, %c: memref<?x?xf32>, %n: index, %t: memref<?xindex>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32> {
    %at = memref.load %t[%k] : memref<?xindex>
    %x = tile.load_view %a[%at, %k] : memref<?x?xf16> -> tensor<64x32xf16>
    %y = tile.load_view %b[%k, %c0] : memref<?x?xf16> -> tensor<32x64xf16>
    %sum = tile.dot %x, %y, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %sum : tensor<64x64xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x64xf32>, memref<?x?xf32>
  return
}

// CHECK-LABEL: func.func @bounded(
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="where the operands are depends on 'memref.load'"
func.func @bounded(%a: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 16>}, %b: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 16>}, %c: memref<?x?xf32>, %n: index, %t: memref<?xindex>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %at = memref.load %t[%c0] : memref<?xindex>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32> {
    %x = tile.load_view %a[%at, %k] : memref<?x?xf16> -> tensor<64x32xf16>
    %y = tile.load_view %b[%k, %c0] : memref<?x?xf16> -> tensor<32x64xf16>
    %sum = tile.dot %x, %y, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %sum : tensor<64x64xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x64xf32>, memref<?x?xf32>
  return
}

// A that is computed of what is loaded is loaded by those who multiply, and stays in their registers, which the product reads until
// it is waited for.
// CHECK-LABEL: func.func @computed(
// CHECK: tile.roles warps [4, 4] {
// CHECK: scf.for
// CHECK-NEXT: %[[L:.*]] = tile.load_view
// CHECK-NEXT: %[[X:.*]] = arith.negf %[[L]]
// CHECK-NEXT: %[[S:.*]] = tile.channel_wait
// CHECK-NEXT: %[[P:.*]] = tile.mma_async %[[X]], %{{.*}}[%[[S]]] row, %{{.*}} atom <wgmma_k16_f16> : tensor<64x32xf16>, <2x32x64xf16>, tensor<64x64xf32>
// CHECK-NEXT: tile.mma_wait %[[P]] pending 0
// CHECK-NEXT: tile.channel_release
// CHECK: }, {
// CHECK: tile.channel_acquire %{{.*}} bytes 4096
// CHECK-NEXT: tile.bulk_load
// CHECK-NOT: tile.bulk_load
// CHECK: return
// NOTE: remark: [Passed] warp-specialize | Category:tile | bytes=8224, stages=2
func.func @computed(%a: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 16>}, %b: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 16>}, %c: memref<?x?xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32> {
    %l = tile.load_view %a[%c0, %k] : memref<?x?xf16> -> tensor<64x32xf16>
    %x = arith.negf %l : tensor<64x32xf16>
    %y = tile.load_view %b[%k, %c0] : memref<?x?xf16> -> tensor<32x64xf16>
    %sum = tile.dot %x, %y, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %sum : tensor<64x64xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x64xf32>, memref<?x?xf32>
  return
}

// CHECK-LABEL: func.func @computed_b(
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="operand 'b' of the product is not only loaded for it, by a tile.load_view of the loop"
func.func @computed_b(%a: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 16>}, %b: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 16>}, %c: memref<?x?xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32> {
    %x = tile.load_view %a[%c0, %k] : memref<?x?xf16> -> tensor<64x32xf16>
    %l = tile.load_view %b[%k, %c0] : memref<?x?xf16> -> tensor<32x64xf16>
    %y = arith.negf %l : tensor<32x64xf16>
    %sum = tile.dot %x, %y, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %sum : tensor<64x64xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x64xf32>, memref<?x?xf32>
  return
}

// CHECK-LABEL: func.func @same(
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="operand 'a' of the product is not only loaded for it, by a tile.load_view of the loop"
func.func @same(%a: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 16>}, %b: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 16>}, %c: memref<?x?xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32> {
    %x = tile.load_view %a[%c0, %k] : memref<?x?xf16> -> tensor<64x64xf16>
    %y = tile.trans %x [1, 0] : tensor<64x64xf16>
    %sum = tile.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    scf.yield %sum : tensor<64x64xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x64xf32>, memref<?x?xf32>
  return
}

// CHECK-LABEL: func.func @two(
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="2 products are in no loop"
func.func @two(%a: memref<64x64xf16>, %c: memref<64x64xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %x = tile.load_view %a[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
  %y = tile.dot %x, %x, %x : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>
  %z = tile.dot %x, %x, %y : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>
  tile.store_view %z, %c[%c0, %c0] : tensor<64x64xf16>, memref<64x64xf16>
  return
}

// A product of all K at once is a loop of one iteration.
// CHECK-LABEL: func.func @once(
// CHECK: tile.channel stages 1
// CHECK: tile.roles warps [4, 4] {
// CHECK-NOT: scf.for
// CHECK: tile.channel_wait
// CHECK-NEXT: %[[SUM:.*]] = tile.mma_async {{.*}} row, {{.*}} column, %{{.*}} atom <wgmma_k16_f16> : !tile.buffer<1x64x64xf16>, <1x64x64xf16>, tensor<64x64xf32>
// CHECK: tile.store_view
// CHECK: }, {
// CHECK: tile.channel_acquire %{{.*}}[%{{.*}}] bytes 16384
// NOTE: remark: [Passed] warp-specialize | Category:tile | bytes=16400, stages=1
func.func @once(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %x = tile.load_view %a[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
  %y = tile.load_view %b[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
  %yt = tile.trans %y [1, 0] : tensor<64x64xf16>
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %z = tile.dot %x, %yt, %zero : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
  tile.store_view %z, %c[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  return
}

// Both operands are one tile: nothing changes.
// CHECK-LABEL: func.func @square(
// CHECK-NOT: scf.for
// CHECK: %[[X:.*]] = tile.load_view
// CHECK-NEXT: %[[Y:.*]] = tile.dot %[[X]], %[[X]], %[[X]]
// CHECK-NEXT: tile.store_view %[[Y]]
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="operand 'b' of the product is not only loaded for it, by a tile.load_view of the loop"
func.func @square(%a: memref<64x64xf16>, %c: memref<64x64xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %x = tile.load_view %a[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
  %y = tile.dot %x, %x, %x : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>
  tile.store_view %y, %c[%c0, %c0] : tensor<64x64xf16>, memref<64x64xf16>
  return
}

// CHECK-LABEL: func.func @branch(
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="the product is in no loop"
func.func @branch(%a: memref<64x64xf16>, %c: memref<64x64xf16>, %i: i1) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  scf.if %i {
    %x = tile.load_view %a[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
    %y = tile.dot %x, %x, %x : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>
    tile.store_view %y, %c[%c0, %c0] : tensor<64x64xf16>, memref<64x64xf16>
  }
  return
}

// What is computed of a product waits for it.
// CHECK-LABEL: func.func @scaled(
// CHECK: scf.for
// CHECK: %[[S:.*]] = tile.channel_wait %[[CHANNEL:.*]][%[[T:.*]]]
// CHECK-NEXT: %[[PRODUCT:.*]] = tile.mma_async
// CHECK-NEXT: %[[DONE:.*]] = tile.mma_wait %[[PRODUCT]] pending 0
// CHECK-NEXT: tile.channel_release %[[CHANNEL]][%[[T]]]
// CHECK-NEXT: arith.addf %[[DONE]], %[[DONE]]
// CHECK-NOT: tile.mma_wait
// CHECK: }, {
// NOTE: remark: [Passed] warp-specialize | Category:tile | bytes=32800, stages=2
func.func @scaled(%a: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 16>}, %c: memref<?x?xf16>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf16>
  %r = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<64x64xf16> {
    %x = tile.load_view %a[%c0, %k] : memref<?x?xf16> -> tensor<64x64xf16>
    %y = tile.load_view %a[%k, %c0] : memref<?x?xf16> -> tensor<64x64xf16>
    %sum = tile.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>
    %half = arith.addf %sum, %sum : tensor<64x64xf16>
    scf.yield %half : tensor<64x64xf16>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x64xf16>, memref<?x?xf16>
  return
}

// CHECK-LABEL: func.func @nested(
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="the loop is within others"
func.func @nested(%a: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 16>}, %c: memref<?x?xf16>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf16>
  scf.for %i = %c0 to %n step %c64 {
    %r = scf.for %k = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<64x64xf16> {
      %x = tile.load_view %a[%i, %k] : memref<?x?xf16> -> tensor<64x64xf16>
      %y = tile.load_view %a[%k, %c0] : memref<?x?xf16> -> tensor<64x64xf16>
      %sum = tile.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>
      scf.yield %sum : tensor<64x64xf16>
    }
    tile.store_view %r, %c[%i, %c0] : tensor<64x64xf16>, memref<?x?xf16>
  }
  return
}

// Shared memory of the target.
module attributes {tile.target = #tile.target<chip = "sm_90a", shared = 8192, threads = 1024, registers = 255, async = true, mma = ["wgmma_k16_f16"], ldmatrix = true>} {
// CHECK-LABEL: func.func @shared(
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="2 stages take 16416 bytes of shared memory, the chip has 8192"
func.func @shared(%a: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 16>}, %b: memref<?x?xf16> {tile.size_multiple_of = array<i64: 1, 16>}, %c: memref<?x?xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32> {
    %x = tile.load_view %a[%c0, %k] : memref<?x?xf16> -> tensor<64x32xf16>
    %y = tile.load_view %b[%k, %c0] : memref<?x?xf16> -> tensor<32x64xf16>
    %sum = tile.dot %x, %y, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %sum : tensor<64x64xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x64xf32>, memref<?x?xf32>
  return
}
}

// Windows of memory: rows of A run along two axes; of B, which has N before K, along the first one; C is K x M, in two parts of M.
// CHECK-LABEL: func.func @windows(
// CHECK: tile.alloc : <2x64x32xf16>
// CHECK: tile.alloc : <2x64x32xf16>
// CHECK: tile.mma_async {{.*}} column,
// CHECK: tile.bulk_load %{{.*}}, %{{.*}} through %{{.*}} axes [0, 1, 2, 3] sizes [1, 4, 16, 32] : memref<2x6x18x32xf16>, <2x64x32xf16>
// CHECK: tile.bulk_load %{{.*}}, %{{.*}} through %{{.*}} axes [0, 1, 2] sizes [64, 1, 32] : memref<64x9x32xf16>, <2x64x32xf16>
func.func @windows(%a: memref<2x6x18x32xf16>, %b: memref<64x9x32xf16>, %c: memref<?x?xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c3 = arith.constant 3 : index
  %c9 = arith.constant 9 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %c9 step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> {
    %i = arith.divui %k, %c3 : index
    %j = arith.remui %k, %c3 : index
    %x = tile.load_view %a[%c1, %i, %j, %c0] : memref<2x6x18x32xf16> -> tensor<1x4x16x32xf16>
    %xm = tile.reshape %x : tensor<1x4x16x32xf16> -> tensor<64x32xf16>
    %y = tile.load_view %b[%c0, %k, %c0] : memref<64x9x32xf16> -> tensor<64x1x32xf16>
    %ym = tile.reshape %y : tensor<64x1x32xf16> -> tensor<64x32xf16>
    %yt = tile.trans %ym [1, 0] : tensor<64x32xf16>
    %sum = tile.dot %xm, %yt, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %sum : tensor<64x64xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x64xf32>, memref<?x?xf32>
  return
}

// Every other pixel of a window.
// CHECK-LABEL: func.func @every_other(
// CHECK: tile.bulk_load %{{.*}}, %{{.*}} through %{{.*}} axes [0, 1, 2, 3] sizes [1, 4, 16, 32] steps [1, 2, 8, 1] : memref<2x9x129x32xf16>, <2x64x32xf16>
func.func @every_other(%a: memref<2x9x129x32xf16>, %b: memref<?x64xf16>, %c: memref<?x?xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32> {
    %x = tile.load_view %a[%c0, %c0, %c0, %k] steps [1, 2, 8, 1] : memref<2x9x129x32xf16> -> tensor<1x4x16x32xf16>
    %xm = tile.reshape %x : tensor<1x4x16x32xf16> -> tensor<64x32xf16>
    %y = tile.load_view %b[%k, %c0] : memref<?x64xf16> -> tensor<32x64xf16>
    %sum = tile.dot %xm, %y, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %sum : tensor<64x64xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x64xf32>, memref<?x?xf32>
  return
}

// CHECK-LABEL: func.func @far(
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="elements of operand 'b' are 9 apart along an axis, of at most 8"
func.func @far(%a: memref<64x?xf16> {tile.size_multiple_of = array<i64: 1, 8>}, %b: memref<?x64xf16>, %c: memref<?x?xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32> {
    %x = tile.load_view %a[%c0, %k] : memref<64x?xf16> -> tensor<64x32xf16>
    %y = tile.load_view %b[%k, %c0] steps [9, 1] : memref<?x64xf16> -> tensor<32x64xf16>
    %sum = tile.dot %x, %y, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %sum : tensor<64x64xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x64xf32>, memref<?x?xf32>
  return
}

// CHECK-LABEL: func.func @columns(
// CHECK: tile.alloc : <2x32x64xf16>
// CHECK: tile.mma_async %{{.*}} column, %{{.*}}
// CHECK: tile.bulk_load %{{.*}}, %{{.*}} through %{{.*}} axes [1, 0, 2] sizes [32, 2, 32] : memref<2x?x32xf16>, <2x32x64xf16>
func.func @columns(%a: memref<2x?x32xf16>, %b: memref<?x64xf16>, %c: memref<?x?xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32> {
    %x = tile.load_view %a[%c0, %k, %c0] : memref<2x?x32xf16> -> tensor<2x32x32xf16>
    %xt = tile.trans %x [0, 2, 1] : tensor<2x32x32xf16>
    %xm = tile.reshape %xt : tensor<2x32x32xf16> -> tensor<64x32xf16>
    %y = tile.load_view %b[%k, %c0] : memref<?x64xf16> -> tensor<32x64xf16>
    %sum = tile.dot %xm, %y, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %sum : tensor<64x64xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x64xf32>, memref<?x?xf32>
  return
}

// CHECK-LABEL: func.func @halves(
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="operand 'a' is reshaped to tensor<64x32xf16>, whose axes are not whole ones of what is loaded"
func.func @halves(%a: memref<4x?x64xf16>, %b: memref<?x64xf16>, %c: memref<?x?xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32> {
    %x = tile.load_view %a[%c0, %k, %c0] : memref<4x?x64xf16> -> tensor<4x8x64xf16>
    %xm = tile.reshape %x : tensor<4x8x64xf16> -> tensor<64x32xf16>
    %y = tile.load_view %b[%k, %c0] : memref<?x64xf16> -> tensor<32x64xf16>
    %sum = tile.dot %xm, %y, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %sum : tensor<64x64xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x64xf32>, memref<?x?xf32>
  return
}

// CHECK-LABEL: func.func @turned(
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="operand 'a' has its axes in another order than memory"
func.func @turned(%a: memref<4x16x?xf16> {tile.size_multiple_of = array<i64: 4, 16, 32>}, %b: memref<?x64xf16>, %c: memref<?x?xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %n step %c32 iter_args(%acc = %zero) -> tensor<64x64xf32> {
    %x = tile.load_view %a[%c0, %c0, %k] : memref<4x16x?xf16> -> tensor<4x16x32xf16>
    %xt = tile.trans %x [1, 0, 2] : tensor<4x16x32xf16>
    %xm = tile.reshape %xt : tensor<16x4x32xf16> -> tensor<64x32xf16>
    %y = tile.load_view %b[%k, %c0] : memref<?x64xf16> -> tensor<32x64xf16>
    %sum = tile.dot %xm, %y, %acc : tensor<64x32xf16>, tensor<32x64xf16>, tensor<64x64xf32>
    scf.yield %sum : tensor<64x64xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x64xf32>, memref<?x?xf32>
  return
}

// CHECK-LABEL: func.func @asked(
// CHECK-SAME: tile.config = #tile.config<block=64x64x32 warp=64x32 atom=m16n8k16_f16 split_k=1 stages=2>
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="the configuration asks for m16n8k16_f16"
func.func @asked(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf32>) attributes {tile.kernel, tile.config = #tile.config<block=64x64x32 atom=m16n8k16_f16>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.load_view %a[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
  %y = tile.load_view %b[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
  %sum = tile.dot %x, %y, %zero : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
  tile.store_view %sum, %c[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  return
}

// What is not divided gets the default of other chips instead of an atom of warpgroups.
// CHECK-LABEL: func.func @forgotten(
// CHECK-SAME: tile.config = #tile.config<block=32x64x64 warp=64x32 split_k=1 stages=2>
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="a product of 32 x 64 x 64: expected M of 64, 128 or 256, N a power of two from 8 to 256, K a multiple of 16"
func.func @forgotten(%a: memref<32x64xf16>, %b: memref<64x64xf16>, %c: memref<32x64xf32>) attributes {tile.kernel, tile.config = #tile.config<block=32x64x64 warp=16x64 atom=wgmma_k16_f16>} {
  %c0 = arith.constant 0 : index
  %zero = arith.constant dense<0.0> : tensor<32x64xf32>
  %x = tile.load_view %a[%c0, %c0] : memref<32x64xf16> -> tensor<32x64xf16>
  %y = tile.load_view %b[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
  %sum = tile.dot %x, %y, %zero : tensor<32x64xf16>, tensor<64x64xf16>, tensor<32x64xf32>
  tile.store_view %sum, %c[%c0, %c0] : tensor<32x64xf32>, memref<32x64xf32>
  return
}

// Where operands are may be looked up in an argument that nobody writes: by both roles, of which the copies alone need it.
// CHECK-LABEL: func.func @looked_up(
// CHECK: tile.roles
// CHECK-NOT: tile.load {{.*}}ptr
// CHECK: }, {
// CHECK: scf.for
// CHECK: %[[ENTRY:.*]] = tile.load %{{.*}} : !tile.ptr<i32>
// CHECK-NEXT: %[[ROW:.*]] = arith.index_cast %[[ENTRY]]
// CHECK: tile.bulk_load %{{.*}}[%[[ROW]], %{{.*}}]
// CHECK-LABEL: func.func @table_written(
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="where the operands are depends on 'tile.load'"
func.func @looked_up(%t: !tile.ptr<i32> {tile.readonly}, %a: memref<?x64xf16>, %b: memref<?x64xf16>, %c: memref<64x64xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> {
    %i = arith.index_cast %k : index to i64
    %p = tile.addptr %t, %i : !tile.ptr<i32>, i64
    %entry = tile.load %p : !tile.ptr<i32>
    %row = arith.index_cast %entry : i32 to index
    %x = tile.load_view %a[%row, %c0] : memref<?x64xf16> -> tensor<64x64xf16>
    %y = tile.load_view %b[%c0, %c0] : memref<?x64xf16> -> tensor<64x64xf16>
    %sum = tile.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    scf.yield %sum : tensor<64x64xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  return
}
func.func @table_written(%t: !tile.ptr<i32>, %a: memref<?x64xf16>, %b: memref<?x64xf16>, %c: memref<64x64xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %n step %c1 iter_args(%acc = %zero) -> tensor<64x64xf32> {
    %i = arith.index_cast %k : index to i64
    %p = tile.addptr %t, %i : !tile.ptr<i32>, i64
    %entry = tile.load %p : !tile.ptr<i32>
    %row = arith.index_cast %entry : i32 to index
    %x = tile.load_view %a[%row, %c0] : memref<?x64xf16> -> tensor<64x64xf16>
    %y = tile.load_view %b[%c0, %c0] : memref<?x64xf16> -> tensor<64x64xf16>
    %sum = tile.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    scf.yield %sum : tensor<64x64xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  return
}

// Instructions have too few bits for long sums of f8: each product is one of its own, done when it is added up.
// CHECK-LABEL: func.func @promoted(
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<128x128xf32>
// CHECK-DAG: %[[START:.*]] = arith.constant dense<1.000000e+00> : tensor<128x128xf32>
// CHECK: %[[R:.*]]:2 = scf.for {{.*}} iter_args(%[[SUM:.*]] = %[[START]], %[[T:.*]] = %{{.*}}) -> (tensor<128x128xf32>, index) {
// CHECK-NEXT: %[[S:.*]] = tile.channel_wait %[[CHANNEL:.*]][%[[T]]]
// CHECK-NEXT: %[[PRODUCT:.*]] = tile.mma_async %{{.*}}[%[[S]]] row, %{{.*}}[%[[S]]] column, %[[ZERO]] atom <wgmma_k32_f8> :
// CHECK-NEXT: %[[DONE:.*]] = tile.mma_wait %[[PRODUCT]] pending 0
// CHECK-NEXT: tile.channel_release %[[CHANNEL]][%[[T]]]
// CHECK-NEXT: %[[NEXT:.*]] = arith.addf %[[SUM]], %[[DONE]]
// CHECK: scf.yield %[[NEXT]],
// CHECK-NOT: mma_wait
// CHECK: tile.store_view %[[R]]#0,
// NARROW-LABEL: func.func @promoted(
// NARROW: tile.mma_wait %{{.*}} pending 1
// NARROW-NOT: addf
// NARROW: tile.mma_wait %{{.*}} pending 0
func.func @promoted(%a: memref<?x?xf8E4M3FN> {tile.size_multiple_of = array<i64: 1, 16>}, %b: memref<?x?xf8E4M3FN> {tile.size_multiple_of = array<i64: 1, 16>}, %c: memref<?x?xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %step = arith.constant 128 : index
  %start = arith.constant dense<1.0> : tensor<128x128xf32>
  %r = scf.for %k = %c0 to %n step %step iter_args(%acc = %start) -> tensor<128x128xf32> {
    %x = tile.load_view %a[%c0, %k] : memref<?x?xf8E4M3FN> -> tensor<128x128xf8E4M3FN>
    %y = tile.load_view %b[%c0, %k] : memref<?x?xf8E4M3FN> -> tensor<128x128xf8E4M3FN>
    %yt = tile.trans %y [1, 0] : tensor<128x128xf8E4M3FN>
    %sum = tile.dot %x, %yt, %acc : tensor<128x128xf8E4M3FN>, tensor<128x128xf8E4M3FN>, tensor<128x128xf32>
    scf.yield %sum : tensor<128x128xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<128x128xf32>, memref<?x?xf32>
  return
}

// No registers for a second sum.
// CHECK-LABEL: func.func @wide(
// CHECK: tile.mma_wait %{{.*}} pending 1
// CHECK-NOT: addf
// NOTE: remark: [Missed] promote-sums | Category:tile | Reason="a product of 64 x 256 takes 256 registers of each thread for two sums, of 240"
func.func @wide(%a: memref<?x?xf8E4M3FN> {tile.size_multiple_of = array<i64: 1, 16>}, %b: memref<?x?xf8E4M3FN> {tile.size_multiple_of = array<i64: 1, 16>}, %c: memref<?x?xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %step = arith.constant 128 : index
  %start = arith.constant dense<1.0> : tensor<64x256xf32>
  %r = scf.for %k = %c0 to %n step %step iter_args(%acc = %start) -> tensor<64x256xf32> {
    %x = tile.load_view %a[%c0, %k] : memref<?x?xf8E4M3FN> -> tensor<64x128xf8E4M3FN>
    %y = tile.load_view %b[%c0, %k] : memref<?x?xf8E4M3FN> -> tensor<256x128xf8E4M3FN>
    %yt = tile.trans %y [1, 0] : tensor<256x128xf8E4M3FN>
    %sum = tile.dot %x, %yt, %acc : tensor<64x128xf8E4M3FN>, tensor<128x256xf8E4M3FN>, tensor<64x256xf32>
    scf.yield %sum : tensor<64x256xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x256xf32>, memref<?x?xf32>
  return
}

// A step that is longer than what may be added up.
// CHECK-LABEL: func.func @deep(
// CHECK: tile.mma_wait %{{.*}} pending 1
// CHECK-NOT: addf
// NOTE: remark: [Missed] promote-sums | Category:tile | Reason="a block has a K of 256: expected at most 128"
func.func @deep(%a: memref<?x?xf8E4M3FN> {tile.size_multiple_of = array<i64: 1, 16>}, %b: memref<?x?xf8E4M3FN> {tile.size_multiple_of = array<i64: 1, 16>}, %c: memref<?x?xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %step = arith.constant 256 : index
  %start = arith.constant dense<1.0> : tensor<64x64xf32>
  %r = scf.for %k = %c0 to %n step %step iter_args(%acc = %start) -> tensor<64x64xf32> {
    %x = tile.load_view %a[%c0, %k] : memref<?x?xf8E4M3FN> -> tensor<64x256xf8E4M3FN>
    %y = tile.load_view %b[%c0, %k] : memref<?x?xf8E4M3FN> -> tensor<64x256xf8E4M3FN>
    %yt = tile.trans %y [1, 0] : tensor<64x256xf8E4M3FN>
    %sum = tile.dot %x, %yt, %acc : tensor<64x256xf8E4M3FN>, tensor<256x64xf8E4M3FN>, tensor<64x64xf32>
    scf.yield %sum : tensor<64x64xf32>
  }
  tile.store_view %r, %c[%c0, %c0] : tensor<64x64xf32>, memref<?x?xf32>
  return
}

// Two products, of which the second one multiplies what threads have made of the first one: A is in registers, and each
// product is waited for. A stage has what both read.
// CHECK-LABEL: func.func @chain(
// CHECK-SAME: attributes {tile.config = {{.*}}, tile.kernel} {
// CHECK: %[[SK:.*]] = tile.alloc : <2x64x64xf16>
// CHECK: %[[SV:.*]] = tile.alloc : <2x64x128xf16>
// CHECK: tile.roles warps [8, 4] registers [240, 24] {
// CHECK: %[[Q:.*]] = tile.load_view
// CHECK: scf.for {{.*}} iter_args(%[[ACC:.*]] = %{{.*}}, %[[T:.*]] = %{{.*}}) -> (tensor<128x128xf32>, index) {
// CHECK-NEXT: %[[S:.*]] = tile.channel_wait %[[CHANNEL:.*]][%[[T]]]
// CHECK-NEXT: %[[P1:.*]] = tile.mma_async %[[Q]], %[[SK]][%[[S]]] column, %{{.*}} atom <wgmma_k16_f16> : tensor<128x64xf16>, <2x64x64xf16>, tensor<128x64xf32>
// CHECK-NEXT: %[[D1:.*]] = tile.mma_wait %[[P1]] pending 0
// CHECK-NEXT: %[[W:.*]] = arith.truncf %[[D1]]
// CHECK-NEXT: %[[P2:.*]] = tile.mma_async %[[W]], %[[SV]][%[[S]]] row, %[[ACC]] atom <wgmma_k16_f16> : tensor<128x64xf16>, <2x64x128xf16>, tensor<128x128xf32>
// CHECK-NEXT: %[[D2:.*]] = tile.mma_wait %[[P2]] pending 0
// CHECK-NEXT: tile.channel_release %[[CHANNEL]][%[[T]]]
// CHECK: scf.yield %[[D2]],
// CHECK: }, {
// CHECK: tile.channel_acquire %{{.*}} bytes 24576
// CHECK-COUNT-2: tile.bulk_load
// NOTE: remark: [Passed] warp-specialize | Category:tile | bytes=49184, stages=2
func.func @chain(%q: memref<128x64xf16>, %k: memref<?x64xf16>, %v: memref<?x128xf16>, %o: memref<128x128xf32>, %n: index)
    attributes {tile.kernel, tile.config = #tile.config<stages=2>, nvvm.maxnreg = 224 : i32} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %none = arith.constant dense<0.0> : tensor<128x64xf32>
  %zero = arith.constant dense<0.0> : tensor<128x128xf32>
  %x = tile.load_view %q[%c0, %c0] : memref<128x64xf16> -> tensor<128x64xf16>
  %r = scf.for %s = %c0 to %n step %c64 iter_args(%acc = %zero) -> tensor<128x128xf32> {
    %y = tile.load_view %k[%s, %c0] : memref<?x64xf16> -> tensor<64x64xf16>
    %yt = tile.trans %y [1, 0] : tensor<64x64xf16>
    %scores = tile.dot %x, %yt, %none : tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32>
    %weights = arith.truncf %scores : tensor<128x64xf32> to tensor<128x64xf16>
    %z = tile.load_view %v[%s, %c0] : memref<?x128xf16> -> tensor<64x128xf16>
    %sum = tile.dot %weights, %z, %acc : tensor<128x64xf16>, tensor<64x128xf16>, tensor<128x128xf32>
    scf.yield %sum : tensor<128x128xf32>
  }
  tile.store_view %r, %o[%c0, %c0] : tensor<128x128xf32>, memref<128x128xf32>
  return
}

// CHECK-LABEL: func.func @rows(
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="the products have different numbers of rows"
func.func @rows(%q: memref<128x64xf16>, %p: memref<64x64xf16>, %k: memref<?x64xf16>, %v: memref<?x64xf16>, %o: memref<128x64xf32>, %u: memref<64x64xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : tensor<128x64xf32>
  %zero_u = arith.constant dense<0.0> : tensor<64x64xf32>
  %x = tile.load_view %q[%c0, %c0] : memref<128x64xf16> -> tensor<128x64xf16>
  %w = tile.load_view %p[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
  %r:2 = scf.for %s = %c0 to %n step %c64 iter_args(%acc = %zero, %acc_u = %zero_u) -> (tensor<128x64xf32>, tensor<64x64xf32>) {
    %y = tile.load_view %k[%s, %c0] : memref<?x64xf16> -> tensor<64x64xf16>
    %sum = tile.dot %x, %y, %acc : tensor<128x64xf16>, tensor<64x64xf16>, tensor<128x64xf32>
    %z = tile.load_view %v[%s, %c0] : memref<?x64xf16> -> tensor<64x64xf16>
    %sum_u = tile.dot %w, %z, %acc_u : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    scf.yield %sum, %sum_u : tensor<128x64xf32>, tensor<64x64xf32>
  }
  tile.store_view %r#0, %o[%c0, %c0] : tensor<128x64xf32>, memref<128x64xf32>
  tile.store_view %r#1, %u[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  return
}

// CHECK-LABEL: func.func @full(
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="the products take 272 registers of each thread, of 240"
func.func @full(%q: memref<64x64xf16>, %k: memref<?x256xf16>, %v: memref<?x256xf16>, %o: memref<64x256xf32>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : tensor<64x256xf32>
  %x = tile.load_view %q[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
  %r:2 = scf.for %s = %c0 to %n step %c64 iter_args(%acc = %zero, %more = %zero) -> (tensor<64x256xf32>, tensor<64x256xf32>) {
    %y = tile.load_view %k[%s, %c0] : memref<?x256xf16> -> tensor<64x256xf16>
    %sum = tile.dot %x, %y, %acc : tensor<64x64xf16>, tensor<64x256xf16>, tensor<64x256xf32>
    %z = tile.load_view %v[%s, %c0] : memref<?x256xf16> -> tensor<64x256xf16>
    %other = tile.dot %x, %z, %more : tensor<64x64xf16>, tensor<64x256xf16>, tensor<64x256xf32>
    scf.yield %sum, %other : tensor<64x256xf32>, tensor<64x256xf32>
  }
  %t = arith.addf %r#0, %r#1 : tensor<64x256xf32>
  tile.store_view %t, %o[%c0, %c0] : tensor<64x256xf32>, memref<64x256xf32>
  return
}

// CHECK-LABEL: func.func @apart(
// CHECK-NOT: tile.roles
// CHECK: return
// NOTE: remark: [Missed] warp-specialize | Category:tile | Reason="products are in different loops"
func.func @apart(%k: memref<64x64xf16>, %v: memref<64x64xf16>, %o: memref<64x64xf16>, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %x = tile.load_view %k[%c0, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
  %y = tile.dot %x, %x, %x : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>
  %r = scf.for %s = %c0 to %n step %c64 iter_args(%acc = %y) -> tensor<64x64xf16> {
    %z = tile.load_view %v[%s, %c0] : memref<64x64xf16> -> tensor<64x64xf16>
    %sum = tile.dot %x, %z, %acc : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf16>
    scf.yield %sum : tensor<64x64xf16>
  }
  tile.store_view %r, %o[%c0, %c0] : tensor<64x64xf16>, memref<64x64xf16>
  return
}

// Two products of one A, which a stage has once. Both only add to sums: they are on their way while the next two begin.
// CHECK-LABEL: func.func @gates(
// CHECK-COUNT-3: tile.alloc
// CHECK-NOT: tile.alloc
// CHECK: %[[R:.*]]:3 = scf.for {{.*}} iter_args(%[[X:.*]] = %{{.*}}, %[[Y:.*]] = %{{.*}}, %[[T:.*]] = %{{.*}})
// CHECK-NEXT: %[[S:.*]] = tile.channel_wait %[[CHANNEL:.*]][%[[T]]]
// CHECK-NEXT: %[[P:.*]] = tile.mma_async %[[A:.*]][%[[S]]] row, %{{.*}}[%[[S]]] row, %[[X]] atom
// CHECK-NEXT: %[[Q:.*]] = tile.mma_async %[[A]][%[[S]]] row, %{{.*}}[%[[S]]] row, %[[Y]] atom
// CHECK-NEXT: %[[W:.*]] = tile.mma_wait %[[Q]] pending 2
// CHECK-NEXT: %[[BEFORE:.*]] = arith.subi %[[T]]
// CHECK-NEXT: tile.channel_release %[[CHANNEL]][%[[BEFORE]]]
// CHECK: scf.yield %[[P]], %[[W]],
// CHECK: %[[D:.*]] = tile.mma_wait %[[R]]#0 pending 0
// CHECK: %[[E:.*]] = tile.mma_wait %[[R]]#1 pending 0
// CHECK: arith.mulf %[[D]], %[[E]]
// CHECK: tile.channel_acquire %{{.*}} bytes 24576
// CHECK-COUNT-3: tile.bulk_load
func.func @gates(%a: memref<64x?xf16> {tile.size_multiple_of = array<i64: 1, 8>}, %b: memref<?x64xf16>, %c: memref<?x64xf16>, %o: memref<64x64xf32>, %n: index)
    attributes {tile.kernel, tile.config = #tile.config<stages=2>} {
  %c0 = arith.constant 0 : index
  %c64 = arith.constant 64 : index
  %zero = arith.constant dense<0.0> : tensor<64x64xf32>
  %r:2 = scf.for %k = %c0 to %n step %c64 iter_args(%s = %zero, %t = %zero) -> (tensor<64x64xf32>, tensor<64x64xf32>) {
    %x = tile.load_view %a[%c0, %k] : memref<64x?xf16> -> tensor<64x64xf16>
    %y = tile.load_view %b[%k, %c0] : memref<?x64xf16> -> tensor<64x64xf16>
    %z = tile.load_view %c[%k, %c0] : memref<?x64xf16> -> tensor<64x64xf16>
    %u = tile.dot %x, %y, %s : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    %v = tile.dot %x, %z, %t : tensor<64x64xf16>, tensor<64x64xf16>, tensor<64x64xf32>
    scf.yield %u, %v : tensor<64x64xf32>, tensor<64x64xf32>
  }
  %p = arith.mulf %r#0, %r#1 : tensor<64x64xf32>
  tile.store_view %p, %o[%c0, %c0] : tensor<64x64xf32>, memref<64x64xf32>
  return
}
