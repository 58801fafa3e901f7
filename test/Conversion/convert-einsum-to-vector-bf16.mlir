// convert-einsum-to-vector: products of pairs of bf16, on a machine that has them (`bf16`) in vectors of 8 floats; and
// where there can be none. convert-einsum-to-vector-bf16-run.test runs the functions.
//
// RUN: tile-opt --convert-einsum-to-vector %s -o %t
// RUN: FileCheck %s --input-file=%t --implicit-check-not=einsum.contract
//
// The conversion of pipelines gives the instruction for vectors of 8 and 4 floats, and of 16 on another machine.
// RUN: tile-opt --convert-einsum-to-vector=deallocate=0 --einsum-to-cpu-pipeline=schedule=0 %s \
// RUN:   | FileCheck %s --check-prefix=LLVM
// RUN: sed 's/vector_bits = 256/vector_bits = 512/' %s \
// RUN:   | tile-opt --convert-einsum-to-vector=deallocate=0 --einsum-to-cpu-pipeline=schedule=0 \
// RUN:   | FileCheck %s --check-prefix=WIDE
//
// Neither a machine without the instruction nor vectors of 4 floats, as other CPUs have, use it.
// RUN: sed 's/bf16 = true/bf16 = false/' %s | tile-opt --convert-einsum-to-vector \
// RUN:   | FileCheck %s --check-prefix=NONE --implicit-check-not=x86vector
// RUN: sed 's/vector_bits = 256/vector_bits = 128/' %s | tile-opt --convert-einsum-to-vector \
// RUN:   | FileCheck %s --check-prefix=NONE --implicit-check-not=x86vector
// NONE-LABEL: @rows
// NONE: arith.extf
// NONE: vector.fma

#machine = #einsum.machine<cpu = "any", vector_bits = 256, registers = 32, fma = 1, latency = 4, l1 = 32768,
    l2 = 1048576, l3 = 8388608, cores = 2, bf16 = true>
module attributes {einsum.machine = #machine} {

//===--------------------------------------------------------------------===//
// Pairs
//===--------------------------------------------------------------------===//

// Rows of A have their pairs side by side, which are read as they are and repeated; those of B are made of two of its
// rows: 4 pairs of 8 + 4 columns, the last of which is not there.
// CHECK-LABEL: @rows
// CHECK-DAG: %[[MASK:.*]] = arith.constant dense<[true, true, true, false]> : vector<4xi1>
// CHECK-DAG: %[[A:.*]] = memref.reinterpret_cast {{.*}} : memref<4x8xbf16> to memref<32xbf16>
// CHECK-DAG: %[[B:.*]] = memref.reinterpret_cast {{.*}} : memref<8x11xbf16> to memref<88xbf16>
// CHECK: %[[PANELS:.*]] = memref.alloc() {alignment = 64 : i64} : memref<48xi32>
// CHECK: scf.for %[[PAIR:.*]] = %c0 to %c4 step %c1 {
// CHECK:   %[[ROW:.*]] = arith.muli %[[PAIR]], %c22
// CHECK:   %[[FIRST:.*]] = vector.load %[[B]][%[[ROW]]] : memref<88xbf16>, vector<8xbf16>
// CHECK:   %[[NEXT:.*]] = arith.addi %[[ROW]], %c11
// CHECK:   %[[SECOND:.*]] = vector.load %[[B]][%[[NEXT]]] : memref<88xbf16>, vector<8xbf16>
// CHECK:   %[[BOTH:.*]] = vector.interleave %[[FIRST]], %[[SECOND]] : vector<8xbf16> -> vector<16xbf16>
// CHECK:   %[[PAIRS:.*]] = vector.bitcast %[[BOTH]] : vector<16xbf16> to vector<8xi32>
// CHECK:   vector.store %[[PAIRS]], %[[PANELS]]
// CHECK:   vector.maskedload %[[B]][{{.*}}], %[[MASK]]
// CHECK:   vector.maskedload %[[B]][{{.*}}], %[[MASK]]
// CHECK:   vector.interleave {{.*}} : vector<4xbf16> -> vector<8xbf16>
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c2 {
// CHECK:   scf.for %[[PAIR:.*]] = %c0 to %c4 step %c1 iter_args(%[[SUM:[a-z0-9]+]] = %{{.*}}) -> (vector<8xf32>, vector<4xf32>, vector<8xf32>, vector<4xf32>) {
// CHECK:     arith.muli %[[PAIR]], %c2
// CHECK:     %[[READ:.*]] = vector.load %[[A]][{{.*}}] : memref<32xbf16>, vector<2xbf16>
// CHECK:     %[[ONE:.*]] = vector.bitcast %[[READ]] : vector<2xbf16> to vector<1xi32>
// CHECK:     %[[SCALAR:.*]] = vector.extract %[[ONE]][0]
// CHECK:     %[[REPEATED:.*]] = vector.broadcast %[[SCALAR]] : i32 to vector<8xi32>
// CHECK:     %[[LHS:.*]] = vector.bitcast %[[REPEATED]] : vector<8xi32> to vector<16xbf16>
// CHECK:     %[[PANEL:.*]] = vector.load %[[PANELS]][{{.*}}] : memref<48xi32>, vector<8xi32>
// CHECK:     %[[RHS:.*]] = vector.bitcast %[[PANEL]] : vector<8xi32> to vector<16xbf16>
// CHECK:     x86vector.avx512.dot %[[SUM]], %[[LHS]], %[[RHS]] : vector<16xbf16> -> vector<8xf32>
// CHECK:     x86vector.avx512.dot {{.*}} : vector<8xbf16> -> vector<4xf32>
// CHECK-COUNT-2: x86vector.avx512.dot
// CHECK-NOT: x86vector
// CHECK:     scf.yield
// CHECK: memref.dealloc %[[PANELS]]
// LLVM-LABEL: @rows
// LLVM: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.256"(%{{.*}}, %{{.*}}, %{{.*}}) : (vector<8xf32>, vector<16xbf16>, vector<16xbf16>) -> vector<8xf32>
// LLVM: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.128"(%{{.*}}, %{{.*}}, %{{.*}}) : (vector<4xf32>, vector<8xbf16>, vector<8xbf16>) -> vector<4xf32>
// WIDE-LABEL: @rows
// WIDE: llvm.call_intrinsic "llvm.x86.avx512bf16.dpbf16ps.512"(%{{.*}}, %{{.*}}, %{{.*}}) : (vector<16xf32>, vector<32xbf16>, vector<32xbf16>) -> vector<16xf32>
func.func @rows(%a: memref<4x8xbf16>, %b: memref<8x11xbf16>, %c: memref<4x11xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<4x11xf32>) {schedule = #einsum.schedule<
      tile = [2, 2], unroll = 1, dims = [
      <"m" prim 4>, <"n" prim 11>, <"k" prim 8>]>}
    : (memref<4x8xbf16>, memref<8x11xbf16>)
  return
}

// After the three pairs of seven rows the last one is with 0. A pair of A would reach beyond its row, so A is packed:
// its 7 elements as 4 pairs, by a masked load, for 4 rows, which are transposed.
// CHECK-LABEL: @odd
// CHECK-DAG: %[[SEVEN:.*]] = arith.constant dense<[true, true, true, true, true, true, true, false, false, false, false, false, false, false, false, false]>
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<8xbf16>
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<16xi32>
// CHECK-COUNT-4: vector.maskedload {{.*}}, %[[SEVEN]], {{.*}} into vector<16xbf16>
// CHECK: vector.shuffle {{.*}} : vector<8xi32>, vector<8xi32>
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<32xi32>
// CHECK: scf.for %{{.*}} = %c0 to %c3 step %c1 {
// CHECK:   vector.interleave
// CHECK: }
// CHECK: vector.interleave %{{.*}}, %[[ZERO]] : vector<8xbf16>
// CHECK: x86vector.avx512.dot
func.func @odd(%a: memref<4x7xbf16>, %b: memref<7x8xbf16>, %c: memref<4x8xbf16>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<4x8xbf16>) {schedule = #einsum.schedule<
      tile = [4, 1], unroll = 1, dims = [
      <"m" prim 4>, <"n" prim 8>, <"k" prim 7>]>}
    : (memref<4x7xbf16>, memref<7x8xbf16>)
  return
}

// What is summed follows in memory for each column: 8 pairs of 8 columns are read, and transposed.
// CHECK-LABEL: @transposed
// CHECK: %[[PANELS:.*]] = memref.alloc() {alignment = 64 : i64} : memref<72xi32>
// CHECK-COUNT-8: vector.load {{.*}}, vector<16xbf16>
// CHECK-NOT: vector.interleave
// CHECK: vector.shuffle {{.*}} : vector<8xi32>, vector<8xi32>
// CHECK-COUNT-8: vector.store {{.*}}, %[[PANELS]]
// The two elements that are left make a pair.
// CHECK-COUNT-8: vector.maskedload {{.*}} into vector<16xbf16>
// CHECK: vector.store {{.*}}, %[[PANELS]]
// CHECK-NOT: vector.store
// CHECK: x86vector.avx512.dot
func.func @transposed(%a: memref<4x18xbf16>, %b: memref<8x18xbf16>, %c: memref<4x8xf32>) {
  einsum.contract "mk, nk -> mn" (%a, %b) outs(%c : memref<4x8xf32>) {schedule = #einsum.schedule<
      lanes = 1, tile = [4, 1], unroll = 1, dims = [
      <"m" prim 4>, <"n" prim 8>, <"k" prim 18>]>}
    : (memref<4x18xbf16>, memref<8x18xbf16>)
  return
}

// Both operands are packed, since the schedule says so, once.
// CHECK-LABEL: @packed
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<64xi32>
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<128xi32>
// CHECK-NOT: memref.alloc
// CHECK: x86vector.avx512.dot
// CHECK-NOT: memref.alloc
// CHECK: return
func.func @packed(%a: memref<4x32xbf16>, %b: memref<32x8xbf16>, %c: memref<4x8xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<4x8xf32>) {schedule = #einsum.schedule<
      tile = [4, 2], unroll = 1, pack = [0, 1], dims = [
      <"m" prim 4>, <"n" prim 8>, <"k" prim 32>]>}
    : (memref<4x32xbf16>, memref<32x8xbf16>)
  return
}

// The last of nine columns is of a narrow vector, not a dot product along what is summed.
// CHECK-LABEL: @last_lane
// CHECK-NOT: vector.fma
// CHECK: x86vector.avx512.dot {{.*}} : vector<16xbf16> -> vector<8xf32>
// CHECK: x86vector.avx512.dot {{.*}} : vector<8xbf16> -> vector<4xf32>
// CHECK-NOT: vector.fma
// CHECK: return
func.func @last_lane(%a: memref<4x32xbf16>, %b: memref<32x9xbf16>, %c: memref<4x9xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<4x9xf32>) {schedule = #einsum.schedule<
      tile = [4, 2], unroll = 1, dims = [
      <"m" prim 4>, <"n" prim 9>, <"k" prim 32>]>}
    : (memref<4x32xbf16>, memref<32x9xbf16>)
  return
}

// Of two summed dimensions the one of even size has pairs, though it is not the innermost.
// CHECK-LABEL: @batches
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   scf.for %{{.*}} = %c0 to %c3 step %c1 {
// CHECK:     vector.interleave
// CHECK: x86vector.avx512.dot
func.func @batches(%a: memref<4x4x3xbf16>, %b: memref<4x3x8xbf16>, %c: memref<4x8xf32>) {
  einsum.contract "bmk, bkn -> mn" (%a, %b) outs(%c : memref<4x8xf32>) {schedule = #einsum.schedule<
      tile = [4, 1], unroll = 1, dims = [
      <"m" prim 4>, <"n" prim 8>,
      <"b" prim 4>, <"k" prim 3>]>}
    : (memref<4x4x3xbf16>, memref<4x3x8xbf16>)
  return
}

// Where a table tells what is summed, both elements of a pair are looked up.
// CHECK-LABEL: @tables
// CHECK: memref.load {{.*}} : memref<6xindex>
// CHECK: %[[FIRST:.*]] = vector.gather
// CHECK: memref.load {{.*}} : memref<6xindex>
// CHECK: %[[SECOND:.*]] = vector.gather
// CHECK: vector.interleave %[[FIRST]], %[[SECOND]]
// CHECK: x86vector.avx512.dot
func.func @tables(%a: memref<4x9xbf16>, %b: memref<6x8xbf16>, %t: memref<6xi32> {einsum.value_range = array<i64: 0, 8>},
                  %c: memref<4x8xf32>) {
  einsum.contract "m(t[k]), kn -> mn" (%a, %b) tables(t = %t : memref<6xi32>) outs(%c : memref<4x8xf32>)
    {schedule = #einsum.schedule<tile = [4, 1], unroll = 1, dims = [
      <"m" prim 4>, <"n" prim 8>, <"k" prim 6>]>}
    : (memref<4x9xbf16>, memref<6x8xbf16>)
  return
}

// A sum outside of the kernel adds to the result.
// CHECK-LABEL: @parts
// CHECK: scf.for %{{.*}} = %c0 to %c3 step %c1 {
// CHECK:   arith.select
// CHECK:   vector.interleave
// CHECK:   x86vector.avx512.dot
func.func @parts(%a: memref<4x12xbf16>, %b: memref<12x8xbf16>, %c: memref<4x8xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<4x8xf32>) {schedule = #einsum.schedule<
      tile = [4, 1], unroll = 1, dims = [<"k" seq 3 step 4>,
      <"m" prim 4>, <"n" prim 8>, <"k" prim 4>]>}
    : (memref<4x12xbf16>, memref<12x8xbf16>)
  return
}

// What is computed of A is packed in pairs, of two scalars each; accumulators start from what is added.
// CHECK-LABEL: @around
// CHECK: arith.mulf {{.*}} : bf16
// CHECK: arith.mulf {{.*}} : bf16
// CHECK: vector.from_elements %{{.*}}, %{{.*}} : vector<2xbf16>
// CHECK: %[[START:.*]] = vector.load {{.*}} : memref<32xf32>, vector<8xf32>
// CHECK: iter_args(%{{.*}} = %[[START]],
// CHECK: x86vector.avx512.dot
// CHECK: arith.maxnumf {{.*}} : vector<8xf32>
func.func @around(%a: tensor<4x8xbf16>, %b: tensor<8x8xbf16>, %d: tensor<4x8xf32>) -> tensor<4x8xf32> {
  %0 = einsum.kernel (%x = %a : tensor<4x8xbf16>, %y = %b : tensor<8x8xbf16>, %z = %d : tensor<4x8xf32>) -> tensor<4x8xf32> {
    %two = arith.constant dense<2.0> : tensor<4x8xbf16>
    %double = arith.mulf %x, %two : tensor<4x8xbf16>
    %1 = einsum.contract "mk, kn -> mn" (%double, %y) {schedule = #einsum.schedule<
        tile = [4, 1], unroll = 1, dims = [
        <"m" prim 4>, <"n" prim 8>, <"k" prim 8>]>}
      : (tensor<4x8xbf16>, tensor<8x8xbf16>) -> tensor<4x8xf32>
    %2 = arith.addf %1, %z : tensor<4x8xf32>
    %zero = arith.constant dense<0.0> : tensor<4x8xf32>
    %3 = arith.maxnumf %2, %zero : tensor<4x8xf32>
    einsum.yield %3 : tensor<4x8xf32>
  }
  return %0 : tensor<4x8xf32>
}

// One tile has all rows: pairs of B are made where they are read.
// CHECK-LABEL: @few_rows
// CHECK-NOT: memref.alloc
// CHECK: scf.for
// CHECK: vector.interleave {{.*}} : vector<8xbf16> -> vector<16xbf16>
// CHECK-COUNT-3: x86vector.avx512.dot
// CHECK: scf.yield
func.func @few_rows(%a: memref<3x8xbf16>, %b: memref<8x8xbf16>, %c: memref<3x8xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<3x8xf32>) {schedule = #einsum.schedule<
      tile = [3, 1], unroll = 1, dims = [
      <"m" prim 3>, <"n" prim 8>, <"k" prim 8>]>}
    : (memref<3x8xbf16>, memref<8x8xbf16>)
  return
}

// Where one is left over, they are copied.
// CHECK-LABEL: @few_rows_odd
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<32xi32>
// CHECK: scf.for
// CHECK: x86vector.avx512.dot
func.func @few_rows_odd(%a: memref<4x7xbf16>, %b: memref<7x8xbf16>, %c: memref<4x8xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<4x8xf32>) {schedule = #einsum.schedule<
      tile = [4, 1], unroll = 1, dims = [
      <"m" prim 4>, <"n" prim 8>, <"k" prim 7>]>}
    : (memref<4x7xbf16>, memref<7x8xbf16>)
  return
}

//===--------------------------------------------------------------------===//
// No pairs
//===--------------------------------------------------------------------===//

// A sum of one step has no pairs.
// CHECK-LABEL: @one_step
// CHECK-NOT: x86vector
// CHECK: vector.fma
func.func @one_step(%a: memref<4x1xbf16>, %b: memref<1x8xbf16>, %c: memref<4x8xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<4x8xf32>) {schedule = #einsum.schedule<
      tile = [4, 1], unroll = 1, dims = [
      <"m" prim 4>, <"n" prim 8>, <"k" prim 1>]>}
    : (memref<4x1xbf16>, memref<1x8xbf16>)
  return
}

// Panels are of lanes or of rows: B depends on both.
// CHECK-LABEL: @both
// CHECK-NOT: x86vector
// CHECK: vector.fma
func.func @both(%a: memref<4x8xbf16>, %b: memref<4x8x8xbf16>, %c: memref<4x8xf32>) {
  einsum.contract "mk, mkn -> mn" (%a, %b) outs(%c : memref<4x8xf32>) {schedule = #einsum.schedule<
      tile = [4, 1], unroll = 1, dims = [
      <"m" prim 4>, <"n" prim 8>, <"k" prim 8>]>}
    : (memref<4x8xbf16>, memref<4x8x8xbf16>)
  return
}

// Pairs along a sum lie side by side in both operands: 4 whole vectors of 16 elements, and 6 elements.
// CHECK-LABEL: @along_sum
// CHECK: scf.for %{{.*}} = %c0 to %c64 step %c16 iter_args({{.*}}) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>)
// CHECK-COUNT-2: vector.load {{.*}}, vector<16xbf16>
// CHECK-COUNT-4: x86vector.avx512.dot {{.*}} : vector<16xbf16> -> vector<8xf32>
// CHECK: scf.yield
// CHECK-COUNT-2: vector.maskedload {{.*}} into vector<16xbf16>
// CHECK-COUNT-4: x86vector.avx512.dot {{.*}} : vector<16xbf16> -> vector<8xf32>
// CHECK: vector.shuffle
func.func @along_sum(%a: memref<2x70xbf16>, %b: memref<4x70xbf16>, %c: memref<2x4xf32>) {
  einsum.contract "mk, nk -> mn" (%a, %b) outs(%c : memref<2x4xf32>) {schedule = #einsum.schedule<
      lanes = 2, tile = [2, 2], unroll = 1, dims = [<"m" prim 2>, <"n" prim 4>, <"k" prim 70>]>}
    : (memref<2x70xbf16>, memref<4x70xbf16>)
  return
}

// A vector that does not is copied, as f32, and so are the elements of the other one.
// CHECK-LABEL: @copied_along_sum
// CHECK-NOT: x86vector
// CHECK: vector.fma {{.*}} : vector<8xf32>
func.func @copied_along_sum(%a: memref<2x64xbf16>, %b: memref<64x3xbf16>, %c: memref<2x3xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<2x3xf32>) {schedule = #einsum.schedule<
      lanes = 2, tile = [2, 3], unroll = 1, dims = [<"m" prim 2>, <"n" prim 3>, <"k" prim 64>]>}
    : (memref<2x64xbf16>, memref<64x3xbf16>)
  return
}

// The sum is formed in another type than f32.
// CHECK-LABEL: @wide_sum
// CHECK-NOT: x86vector
// CHECK: vector.fma {{.*}}xf64>
func.func @wide_sum(%a: memref<4x8xbf16>, %b: memref<8x8xbf16>, %c: memref<4x8xf64>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<4x8xf64>) {acc = f64, schedule = #einsum.schedule<
      tile = [4, 1], unroll = 1, dims = [
      <"m" prim 4>, <"n" prim 8>, <"k" prim 8>]>}
    : (memref<4x8xbf16>, memref<8x8xbf16>)
  return
}

// Other elements have other pairs.
// CHECK-LABEL: @half
// CHECK-NOT: x86vector
// CHECK: vector.fma
func.func @half(%a: memref<4x8xf16>, %b: memref<8x8xf16>, %c: memref<4x8xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<4x8xf32>) {schedule = #einsum.schedule<
      tile = [4, 1], unroll = 1, dims = [
      <"m" prim 4>, <"n" prim 8>, <"k" prim 8>]>}
    : (memref<4x8xf16>, memref<8x8xf16>)
  return
}

}
