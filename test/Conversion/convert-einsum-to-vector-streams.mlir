// convert-einsum-to-vector: results of which the third cache keeps nothing are written past it, if vectors are where
// nontemporal stores can be. convert-einsum-to-vector-run.test computes such results.
//
// RUN: tile-opt --convert-einsum-to-vector %s | FileCheck %s
// RUN: sed -e 's/l3 = 256/l3 = 1048576/' %s | tile-opt --convert-einsum-to-vector | FileCheck %s --check-prefix=KEPT
// KEPT-NOT: nontemporal

#machine = #einsum.machine<cpu = "any", vector_bits = 256, registers = 16, fma = 2, latency = 4, l1 = 64, l2 = 128,
    l3 = 256, cores = 1, bf16 = false>
module attributes {einsum.machine = #machine} {

// Where a caller's memory begins is looked at once. Lines that are not read are not prefetched either.
// CHECK-LABEL: @memory(
// CHECK-SAME: %{{.*}}, %{{.*}}, %[[C:.*]]: memref<4x20x16xf32>)
// CHECK: %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index %[[C]]
// CHECK: %[[BEYOND:.*]] = arith.andi %[[ADDRESS]], %c31 : index
// CHECK: %[[STREAMS:.*]] = arith.cmpi eq, %[[BEYOND]], %c0{{[_0-9]*}} : index
// CHECK-NOT: prefetch {{.*}} write
// CHECK: scf.if %[[STREAMS]] {
// CHECK-COUNT-4: vector.store {{.*}} {alignment = 32 : i64, nontemporal = true} : memref<1280xf32>, vector<8xf32>
// CHECK-NEXT: } else {
// CHECK-COUNT-4: vector.store {{.*}}] : memref<1280xf32>, vector<8xf32>
// CHECK-NEXT: }
func.func @memory(%a: memref<4x20x64xf32>, %b: memref<64x16xf32>, %c: memref<4x20x16xf32>) {
  einsum.contract "bmk, kn -> bmn" (%a, %b) outs(%c : memref<4x20x16xf32>) {schedule = #einsum.schedule<tile = [2, 2],
      unroll = 1, prefetch = 2, dims = [<"b" seq 4>, <"m" prim 20>, <"n" prim 16>, <"k" prim 64>]>}
      : (memref<4x20x64xf32>, memref<64x16xf32>)
  return
}

// Where its own memory begins is known.
// CHECK-LABEL: @own(
// CHECK: %[[TRUE:.*]] = arith.constant true
// CHECK-NOT: extract_aligned_pointer
// CHECK: scf.if %[[TRUE]] {
// CHECK: nontemporal
func.func @own(%a: tensor<20x8xf32>, %b: tensor<8x16xf32>) -> tensor<20x16xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<tile = [2, 2],
      unroll = 1, dims = [<"m" prim 20>, <"n" prim 16>, <"k" prim 8>]>}
      : (tensor<20x8xf32>, tensor<8x16xf32>) -> tensor<20x16xf32>
  return %c : tensor<20x16xf32>
}

// The last vector holds the one column again that is before its own: it begins where no other does.
// CHECK-LABEL: @lastVector(
// CHECK: scf.if
// CHECK-NEXT: vector.store {{.*}} {alignment = 32 : i64, nontemporal = true} : memref<367xf32>, vector<8xf32>
// CHECK-NEXT: arith.addi %{{.*}}, %c7
// CHECK-NEXT: vector.store {{.*}}] : memref<367xf32>, vector<8xf32>
// CHECK-NEXT: } else {
func.func @lastVector(%a: tensor<23x8xf32>, %b: tensor<8x15xf32>, %c: memref<23x15xf32, strided<[16, 1]>>) {
  %d = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<tile = [1, 2],
      unroll = 1, dims = [<"m" prim 23>, <"n" prim 15>, <"k" prim 8>]>}
      : (tensor<23x8xf32>, tensor<8x15xf32>) -> tensor<23x15xf32>
  bufferization.materialize_in_destination %d in writable %c : (tensor<23x15xf32>, memref<23x15xf32, strided<[16, 1]>>) -> ()
  return
}

// Rows begin anywhere in a vector; parts of sums are read again; columns are not adjacent; a view begins anywhere.
// CHECK-LABEL: @odd(
// CHECK-NOT: nontemporal
func.func @odd(%a: tensor<20x8xf32>, %b: tensor<8x20xf32>) -> tensor<20x20xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<tile = [2, 2],
      unroll = 1, dims = [<"m" prim 20>, <"n" prim 20>, <"k" prim 8>]>}
      : (tensor<20x8xf32>, tensor<8x20xf32>) -> tensor<20x20xf32>
  return %c : tensor<20x20xf32>
}
func.func @parts(%a: tensor<20x8xf32>, %b: tensor<8x16xf32>) -> tensor<20x16xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<tile = [2, 2],
      unroll = 1, dims = [<"k" seq 2 step 4>, <"m" prim 20>, <"n" prim 16>, <"k" prim 4>]>}
      : (tensor<20x8xf32>, tensor<8x16xf32>) -> tensor<20x16xf32>
  return %c : tensor<20x16xf32>
}
func.func @columns(%a: tensor<16x8xf32>, %b: tensor<8x16xf32>) -> tensor<16x16xf32> {
  %c = einsum.contract "mk, kn -> nm" (%a, %b) {schedule = #einsum.schedule<lanes = 1, tile = [2, 2],
      unroll = 1, dims = [<"m" prim 16>, <"n" prim 16>, <"k" prim 8>]>}
      : (tensor<16x8xf32>, tensor<8x16xf32>) -> tensor<16x16xf32>
  return %c : tensor<16x16xf32>
}
func.func @view(%a: memref<20x8xf32>, %b: memref<8x16xf32>, %c: memref<20x16xf32, strided<[16, 1], offset: 4>>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<20x16xf32, strided<[16, 1], offset: 4>>) {
      schedule = #einsum.schedule<tile = [2, 2], unroll = 1, dims = [<"m" prim 20>, <"n" prim 16>, <"k" prim 8>]>}
      : (memref<20x8xf32>, memref<8x16xf32>)
  return
}
}
