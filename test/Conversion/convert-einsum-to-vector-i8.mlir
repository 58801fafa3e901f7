// convert-einsum-to-vector: products of pairs of i16, which i8 is made where it is copied; LLVM finds the instructions. And
// products of fours, on a machine that has them (`vnni`). convert-einsum-to-vector-i8-run.test runs the functions.
//
// RUN: tile-opt --convert-einsum-to-vector %s | FileCheck %s --implicit-check-not=einsum.contract
//
// Vectors of 4 numbers, as other CPUs have, are multiplied as they are.
// RUN: sed 's/vector_bits = 512/vector_bits = 128/' %s | tile-opt --convert-einsum-to-vector \
// RUN:   | FileCheck %s --check-prefix=NONE --implicit-check-not=vector.bitcast
// NONE-LABEL: @rows
// NONE: arith.extsi
// NONE: arith.muli
//
// RUN: tile-opt --convert-einsum-to-vector=deallocate=0 --einsum-to-cpu-pipeline=schedule=0 %s \
// RUN:   | sed 's/ attributes {einsum.machine = .*>}//' | mlir-translate --mlir-to-llvmir -o %t.ll
// RUN: llc -O3 -mtriple=x86_64-linux-gnu -mcpu=znver5 %t.ll -o - | FileCheck %s --check-prefix=VNNI
// RUN: llc -O3 -mtriple=x86_64-linux-gnu -mcpu=skylake-avx512 %t.ll -o - | FileCheck %s --check-prefix=AVX512
// VNNI-LABEL: rows:
// VNNI-COUNT-2: vpdpwssd {{.*}}%zmm
// AVX512-LABEL: rows:
// AVX512: vpmaddwd {{.*}}%zmm
// AVX512: vpaddd {{.*}}%zmm

// Fours: rows of A are read where they are, and 128 is added to them by an exclusive or; four rows of B are interleaved. The
// last sum is that of B times 128, which is subtracted.
// RUN: sed 's/bf16 = false/bf16 = false, vnni = true/' %s > %t.fours.mlir
// RUN: tile-opt --convert-einsum-to-vector %t.fours.mlir | FileCheck %s --check-prefix=FOURS
// FOURS-LABEL: @rows
// FOURS-DAG: %[[SIGNS:.*]] = arith.constant dense<-2139062144> : vector<1xi32>
// FOURS-DAG: %[[OFFSET:.*]] = arith.constant dense<128> : vector<64xi32>
// FOURS: memref.alloc() {alignment = 64 : i64} : memref<32xi32>
// FOURS-COUNT-4: vector.load %{{.*}} : memref<128xi8>, vector<16xi8>
// FOURS: %[[EVEN:.*]] = vector.interleave %{{.*}} : vector<16xi8> -> vector<32xi8>
// FOURS: %[[ODD:.*]] = vector.interleave %{{.*}} : vector<16xi8> -> vector<32xi8>
// FOURS: vector.interleave %[[EVEN]], %[[ODD]] : vector<32xi8> -> vector<64xi8>
// FOURS: scf.for %{{.*}} iter_args(%[[SUM:[a-z0-9]+]] = %{{.*}}, %{{.*}} = %{{.*}}, %[[MORE:[a-z0-9]+]] = %{{.*}}) -> (vector<16xi32>, vector<16xi32>, vector<16xi32>)
// FOURS:   %[[A:.*]] = vector.load %{{.*}} : memref<32xi8>, vector<4xi8>
// FOURS:   %[[GROUP:.*]] = vector.bitcast %[[A]] : vector<4xi8> to vector<1xi32>
// FOURS:   arith.xori %[[GROUP]], %[[SIGNS]]
// FOURS:   %[[A32:.*]] = arith.extui %{{.*}} : vector<64xi8> to vector<64xi32>
// FOURS:   %[[B32:.*]] = arith.extsi %{{.*}} : vector<64xi8> to vector<64xi32>
// FOURS:   arith.muli %[[A32]], %[[B32]] {fours} : vector<64xi32>
// FOURS-COUNT-4: vector.shuffle {{.*}} : vector<64xi32>, vector<64xi32>
// FOURS:   arith.addi %{{.*}}, %[[SUM]]
// FOURS:   arith.muli %[[OFFSET]], %[[B32]] {fours} : vector<64xi32>
// FOURS:   arith.addi %{{.*}}, %[[MORE]]
// FOURS:   scf.yield
// FOURS-COUNT-2: arith.subi %{{.*}} : vector<16xi32>
//
// RUN: tile-opt --convert-einsum-to-vector=deallocate=0 --einsum-to-cpu-pipeline=schedule=0 %t.fours.mlir \
// RUN:   | sed 's/ attributes {einsum.machine = .*>}//' | mlir-translate --mlir-to-llvmir -o %t.fours.ll
// RUN: llc -O3 -mtriple=x86_64-linux-gnu -mcpu=znver5 %t.fours.ll -o - | FileCheck %s --check-prefix=FOURS-ASM
// FOURS-ASM-LABEL: rows:
// FOURS-ASM-COUNT-3: vpdpbusd {{.*}}%zmm
// FOURS-ASM-NOT: vpmull
// FOURS-ASM-LABEL: odd:

#machine = #einsum.machine<cpu = "any", vector_bits = 512, registers = 32, fma = 1, latency = 4, l1 = 32768,
    l2 = 1048576, l3 = 8388608, cores = 2, bf16 = false>
module attributes {einsum.machine = #machine} {

// Both are copied: rows of B as 4 pairs of 16 columns, interleaved, and those of A, of which a pair is repeated.
// CHECK-LABEL: @rows
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<64xi32>
// CHECK: %[[FIRST:.*]] = vector.load %{{.*}} : memref<128xi8>, vector<16xi8>
// CHECK: %[[SECOND:.*]] = vector.load %{{.*}} : memref<128xi8>, vector<16xi8>
// CHECK-DAG: %[[FIRST16:.*]] = arith.extsi %[[FIRST]] : vector<16xi8> to vector<16xi16>
// CHECK-DAG: %[[SECOND16:.*]] = arith.extsi %[[SECOND]] : vector<16xi8> to vector<16xi16>
// CHECK: %[[BOTH:.*]] = vector.interleave %[[FIRST16]], %[[SECOND16]] : vector<16xi16> -> vector<32xi16>
// CHECK: vector.bitcast %[[BOTH]] : vector<32xi16> to vector<16xi32>
// CHECK: scf.for %{{.*}} iter_args(%[[SUM:[a-z0-9]+]] = %{{.*}}) -> (vector<16xi32>, vector<16xi32>)
// CHECK:   %[[A:.*]] = vector.broadcast %{{.*}} : i32 to vector<16xi32>
// CHECK:   %[[A16:.*]] = vector.bitcast %[[A]] : vector<16xi32> to vector<32xi16>
// CHECK:   %[[A32:.*]] = arith.extsi %[[A16]] : vector<32xi16> to vector<32xi32>
// CHECK:   %[[B16:.*]] = vector.bitcast %{{.*}} : vector<16xi32> to vector<32xi16>
// CHECK:   %[[B32:.*]] = arith.extsi %[[B16]] : vector<32xi16> to vector<32xi32>
// CHECK:   %[[PRODUCTS:.*]] = arith.muli %[[A32]], %[[B32]] : vector<32xi32>
// CHECK:   %[[EVEN:.*]] = vector.shuffle %[[PRODUCTS]], %[[PRODUCTS]] [0, 2, 4, {{.*}}, 30] : vector<32xi32>, vector<32xi32>
// CHECK:   %[[ODD:.*]] = vector.shuffle %[[PRODUCTS]], %[[PRODUCTS]] [1, 3, 5, {{.*}}, 31] : vector<32xi32>, vector<32xi32>
// CHECK:   %[[PAIR:.*]] = arith.addi %[[EVEN]], %[[ODD]]
// CHECK:   arith.addi %[[PAIR]], %[[SUM]]
func.func @rows(%a: memref<4x8xi8>, %b: memref<8x16xi8>, %c: memref<4x16xi32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<4x16xi32>) {schedule = #einsum.schedule<
      tile = [2, 1], unroll = 1, dims = [
      <"m" prim 4>, <"n" prim 16>, <"k" prim 8>]>}
    : (memref<4x8xi8>, memref<8x16xi8>)
  return
}

// An odd sum ends in a pair with 0; 11 columns are part of a vector.
// CHECK-LABEL: @odd
// CHECK-COUNT-2: vector.shuffle
func.func @odd(%a: memref<4x7xi8>, %b: memref<7x11xi8>, %c: memref<4x11xi32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<4x11xi32>) {schedule = #einsum.schedule<
      tile = [4, 1], unroll = 1, dims = [
      <"m" prim 4>, <"n" prim 11>, <"k" prim 7>]>}
    : (memref<4x7xi8>, memref<7x11xi8>)
  return
}

// Columns of B are read along k, widened, and transposed as pairs.
// CHECK-LABEL: @transposed
// CHECK: vector.load {{.*}} : memref<576xi8>, vector<32xi8>
// CHECK: arith.extsi {{.*}} : vector<32xi8> to vector<32xi16>
// CHECK: vector.bitcast {{.*}} : vector<32xi16> to vector<16xi32>
func.func @transposed(%a: memref<4x36xi8>, %b: memref<16x36xi8>, %c: memref<4x16xi32>) {
  einsum.contract "mk, nk -> mn" (%a, %b) outs(%c : memref<4x16xi32>) {schedule = #einsum.schedule<
      tile = [4, 1], unroll = 1, dims = [
      <"m" prim 4>, <"n" prim 16>, <"k" prim 36>]>}
    : (memref<4x36xi8>, memref<16x36xi8>)
  return
}

// A copy of B that three rows read is not worth it.
// CHECK-LABEL: @few_rows
// CHECK-NOT: vector.shuffle
func.func @few_rows(%a: memref<3x8xi8>, %b: memref<8x16xi8>, %c: memref<3x16xi32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<3x16xi32>) {schedule = #einsum.schedule<
      tile = [3, 1], unroll = 1, dims = [
      <"m" prim 3>, <"n" prim 16>, <"k" prim 8>]>}
    : (memref<3x8xi8>, memref<8x16xi8>)
  return
}

// Both operands have lanes, and none is of the rows alone, whose elements fours add 128 to.
// FOURS-LABEL: @both
// FOURS-NOT: {fours}
// CHECK-LABEL: @both
func.func @both(%a: memref<8x16xi8>, %b: memref<8x4x16xi8>, %c: memref<4x16xi32>) {
  einsum.contract "kn, kmn -> mn" (%a, %b) outs(%c : memref<4x16xi32>) {schedule = #einsum.schedule<
      tile = [4, 1], unroll = 1, dims = [
      <"m" prim 4>, <"n" prim 16>, <"k" prim 8>]>}
    : (memref<8x16xi8>, memref<8x4x16xi8>)
  return
}

// Groups along a sum lie side by side in both operands. Of fours, each vector of B has a correction, once.
// CHECK-LABEL: @along_sum
// CHECK: scf.for %{{.*}} = %c0 to %c128 step %c32 {{.*}} -> (vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>)
// CHECK: vector.load {{.*}}, vector<32xi8>
// CHECK: arith.extsi {{.*}} : vector<32xi8> to vector<32xi16>
// CHECK-COUNT-4: arith.muli {{.*}} : vector<32xi32>
// CHECK: scf.yield
// CHECK: vector.maskedload {{.*}} into vector<32xi8>
// FOURS-LABEL: @along_sum
// FOURS: scf.for %{{.*}} = %c0 to %c128 step %c64
// FOURS-COUNT-6: arith.muli {{.*}} {fours} : vector<64xi32>
// FOURS-NOT: arith.muli {{.*}} {fours}
// FOURS: scf.yield
// FOURS-COUNT-4: arith.subi {{.*}} : vector<16xi32>
// VNNI-LABEL: along_sum:
// VNNI: vpdpwssd {{.*}}%zmm
// AVX512-LABEL: along_sum:
// AVX512: vpmaddwd {{.*}}%zmm
// FOURS-ASM-LABEL: along_sum:
// FOURS-ASM-COUNT-6: vpdpbusd {{.*}}%zmm
// FOURS-ASM-NOT: vpmull
func.func @along_sum(%a: memref<2x150xi8>, %b: memref<2x150xi8>, %c: memref<2x2xi32>) {
  einsum.contract "mk, nk -> mn" (%a, %b) outs(%c : memref<2x2xi32>) {schedule = #einsum.schedule<
      lanes = 2, tile = [2, 2], unroll = 1, dims = [
      <"m" prim 2>, <"n" prim 2>, <"k" prim 150>]>}
    : (memref<2x150xi8>, memref<2x150xi8>)
  return
}

// A matrix and a vector: one correction for all rows.
// FOURS-LABEL: @matrix_vector
// FOURS: scf.for
// FOURS-COUNT-4: arith.muli {{.*}} {fours} : vector<64xi32>
// FOURS-NOT: arith.muli {{.*}} {fours}
// FOURS: scf.yield
func.func @matrix_vector(%a: memref<3x128xi8>, %b: memref<128xi8>, %c: memref<3xi32>) {
  einsum.contract "k, mk -> m" (%b, %a) outs(%c : memref<3xi32>) {schedule = #einsum.schedule<
      lanes = 1, tile = [3, 1], unroll = 1, dims = [<"m" prim 3>, <"k" prim 128>]>}
    : (memref<128xi8>, memref<3x128xi8>)
  return
}

// Each row has a vector of its own, and so a correction.
// FOURS-LABEL: @row_by_row
// FOURS: scf.for
// FOURS-COUNT-6: arith.muli {{.*}} {fours} : vector<64xi32>
// FOURS: scf.yield
func.func @row_by_row(%a: memref<3x128xi8>, %b: memref<3x128xi8>, %c: memref<3xi32>) {
  einsum.contract "mk, mk -> m" (%a, %b) outs(%c : memref<3xi32>) {schedule = #einsum.schedule<
      lanes = 1, tile = [3, 1], unroll = 1, dims = [<"m" prim 3>, <"k" prim 128>]>}
    : (memref<3x128xi8>, memref<3x128xi8>)
  return
}
}
