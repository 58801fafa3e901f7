// convert-einsum-to-vector: kernels of a matrix unit (`matrix` of a schedule, `amx` of a machine).
// convert-einsum-to-vector-matrix-run.test runs the functions.
//
// RUN: tile-opt --convert-einsum-to-vector %s -o %t
// RUN: FileCheck %s --input-file=%t --implicit-check-not=einsum.contract
//
// The pipeline gives the instructions, and branches that pass registers.
// RUN: tile-opt --convert-einsum-to-vector=deallocate=0 --einsum-to-cpu-pipeline=schedule=0 %s \
// RUN:   | FileCheck %s --check-prefix=LLVM
//
// A machine without one is told.
// RUN: sed "s/, amx = true//" %s | not tile-opt --convert-einsum-to-vector 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: 'einsum.contract' op expects a machine with a matrix unit ('amx', vectors of 512 bits) for a schedule with 'matrix', found any

#machine = #einsum.machine<cpu = "any", vector_bits = 512, registers = 32, fma = 2, latency = 4, l1 = 49152,
    l2 = 2097152, l3 = 8388608, cores = 2, bf16 = false, amx = true>
module attributes {einsum.machine = #machine} {

// B is copied, a row for each pair of its rows; registers of A are loaded where it is, and those of the result stored
// there. Registers of B are read once for each 32 rows, and are not to stay in the first cache.
// CHECK-LABEL: @whole
// CHECK-DAG: %[[A:.*]] = memref.reinterpret_cast {{.*}} : memref<64x64xbf16> to memref<4096xbf16>
// CHECK-DAG: %[[B:.*]] = memref.reinterpret_cast {{.*}} : memref<64x48xbf16> to memref<3072xbf16>
// CHECK-DAG: %[[C:.*]] = memref.reinterpret_cast {{.*}} : memref<64x48xf32> to memref<3072xf32>
// CHECK: %[[PANELS:.*]] = memref.alloc() {alignment = 64 : i64} : memref<3072xbf16>
// CHECK: scf.for %{{.*}} = %c0 to %c64 step %c32 {
// CHECK:   %[[FIRST:.*]] = vector.load %[[B]]{{.*}} vector<16xbf16>
// CHECK:   %[[SECOND:.*]] = vector.load %[[B]]{{.*}} vector<16xbf16>
// CHECK:   %[[PAIRS:.*]] = vector.interleave %[[FIRST]], %[[SECOND]] : vector<16xbf16> -> vector<32xbf16>
// CHECK:   vector.store %[[PAIRS]], %[[PANELS]]{{.*}} : memref<3072xbf16>, vector<32xbf16>
// CHECK: scf.for %{{.*}} = %c0 to %c64 step %c32 {
// CHECK:   amx.tile_zero : !amx.tile<16x16xf32>
// CHECK:   scf.for %{{.*}} = %c0 to %c2 step %c1 iter_args
// CHECK:     %[[A0:.*]] = amx.tile_load %[[A]][{{.*}}], %c64 : memref<4096xbf16> into !amx.tile<16x32xbf16>
// CHECK:     %[[A1:.*]] = amx.tile_load %[[A]][{{.*}}], %c64 : memref<4096xbf16> into !amx.tile<16x32xbf16>
// CHECK:     %[[B0:.*]] = amx.tile_load %[[PANELS]][{{.*}}], %c64 {nontemporal} : memref<3072xbf16> into !amx.tile<16x32xbf16>
// CHECK:     %[[B1:.*]] = amx.tile_load %[[PANELS]][{{.*}}], %c64 {nontemporal} : memref<3072xbf16> into !amx.tile<16x32xbf16>
// CHECK:     amx.tile_mulf %[[A0]], %[[B0]], %{{.*}} : !amx.tile<16x32xbf16>, !amx.tile<16x32xbf16>, !amx.tile<16x16xf32>
// CHECK:     amx.tile_mulf %[[A0]], %[[B1]]
// CHECK:     amx.tile_mulf %[[A1]], %[[B0]]
// CHECK:     amx.tile_mulf %[[A1]], %[[B1]]
// CHECK:   amx.tile_store %[[C]][%{{.*}}], %{{.*}}, %c48 : memref<3072xf32>, !amx.tile<16x16xf32>
// The third vector is a part of its own.
// CHECK:   amx.tile_load %[[PANELS]][{{.*}}], %c32 {nontemporal}
// LLVM-LABEL: @whole
// LLVM: llvm.call_intrinsic "llvm.x86.tilezero.internal"
// LLVM: ^bb{{[0-9]+}}(%{{.*}}: i64, %{{.*}}: !llvm.x86_amx, %{{.*}}: !llvm.x86_amx,
// LLVM: llvm.call_intrinsic "llvm.x86.tileloadd64.internal"
// LLVM: llvm.call_intrinsic "llvm.x86.tileloaddt164.internal"
// LLVM: llvm.call_intrinsic "llvm.x86.tdpbf16ps.internal"
// LLVM: llvm.call_intrinsic "llvm.x86.tilestored64.internal"
func.func @whole(%a: memref<64x64xbf16>, %b: memref<64x48xbf16>, %c: memref<64x48xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<64x48xf32>) {schedule = #einsum.schedule<
      matrix = true, tile = [32, 2], dims = [<"m" prim 64>, <"n" prim 48>, <"k" prim 64>]>}
    : (memref<64x64xbf16>, memref<64x48xbf16>)
  return
}

// Of i8 four are one.
// CHECK-LABEL: @bytes
// CHECK: vector.interleave %{{.*}} : vector<16xi8> -> vector<32xi8>
// CHECK: vector.interleave %{{.*}} : vector<16xi8> -> vector<32xi8>
// CHECK: vector.interleave %{{.*}} : vector<32xi8> -> vector<64xi8>
// CHECK: amx.tile_muli %{{.*}} : !amx.tile<16x64xi8>, !amx.tile<16x64xi8>, !amx.tile<16x16xi32>
// LLVM-LABEL: @bytes
// LLVM: llvm.call_intrinsic "llvm.x86.tdpbssd.internal"
func.func @bytes(%a: memref<16x64xi8>, %b: memref<64x16xi8>, %c: memref<16x16xi32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<16x16xi32>) {schedule = #einsum.schedule<
      matrix = true, dims = [<"m" prim 16>, <"n" prim 16>, <"k" prim 64>]>}
    : (memref<16x64xi8>, memref<64x16xi8>)
  return
}

// Rows, lanes and steps that are missing in a register are 0, in copies of both operands; the result goes through a
// buffer, row by row.
// CHECK-LABEL: @rests
// CHECK: %[[TILE:.*]] = memref.alloca() {alignment = 64 : i64} : memref<2048xf32>
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<2048xbf16>
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<3072xbf16>
// CHECK: amx.tile_store %[[TILE]][%c0]
// CHECK: scf.for %{{.*}} = %c0 to %c32 step %c4 {
// CHECK:   vector.load %[[TILE]]
// CHECK:   vector.maskedstore
// CHECK: amx.tile_store %[[TILE]][%c0]
// CHECK-COUNT-3: vector.maskedstore
// CHECK-NOT: vector.maskedstore
func.func @rests(%a: memref<35x37xbf16>, %b: memref<37x21xbf16>, %c: memref<35x21xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<35x21xf32>) {schedule = #einsum.schedule<
      matrix = true, tile = [32, 2], dims = [<"m" prim 35>, <"n" prim 21>, <"k" prim 37>]>}
    : (memref<35x37xbf16>, memref<37x21xbf16>)
  return
}

// Of an operand that is loaded where it is, the last register begins earlier, at row 25 instead of 32, and so does that of
// the result.
// CHECK-LABEL: @overlapping
// CHECK-NOT: memref.alloca
// CHECK: amx.tile_load %{{.*}}[%c800], %c32 :
// CHECK: amx.tile_store %{{.*}}[%c400], %{{.*}}, %c16
func.func @overlapping(%a: memref<41x32xbf16>, %b: memref<32x16xbf16>, %c: memref<41x16xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<41x16xf32>) {schedule = #einsum.schedule<
      matrix = true, tile = [32, 1], dims = [<"m" prim 41>, <"n" prim 16>, <"k" prim 32>]>}
    : (memref<41x32xbf16>, memref<32x16xbf16>)
  return
}

// Both of a tile of two; its rows that are stored twice are stored once by vectors, and sums that go on are its own.
// CHECK-LABEL: @overlapping_parts
// CHECK: amx.tile_store %alloca
// CHECK: scf.for %{{.*}} = %c0 to %c16 step %c4 {
// CHECK-COUNT-7: arith.truncf
// CHECK-NOT: arith.truncf
// CHECK: return
func.func @overlapping_parts(%a: memref<19x64xbf16>, %b: memref<64x16xbf16>, %c: memref<19x16xbf16>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<19x16xbf16>) {schedule = #einsum.schedule<
      matrix = true, tile = [32, 1], dims = [<"k" seq 2 step 32>, <"m" prim 19>, <"n" prim 16>, <"k" prim 32>]>}
    : (memref<19x64xbf16>, memref<64x16xbf16>)
  return
}

// Sums go on in a buffer, registers one after the other, until the last part of them; the result is rounded once.
// CHECK-LABEL: @parts
// CHECK: %[[SUMS:.*]] = memref.alloc() {alignment = 64 : i64} : memref<{{.*}}xf32>
// CHECK: scf.for %[[K:.*]] = %c0 to %c3 step %c1 {
// CHECK:   %[[FIRST:.*]] = arith.cmpi eq, %[[K]], %c0
// CHECK:   %[[LAST:.*]] = arith.cmpi eq, %[[K]], %c2
// CHECK:   scf.if %[[FIRST]] -> (!amx.tile<16x16xf32>, !amx.tile<16x16xf32>) {
// CHECK:     amx.tile_zero
// CHECK:   } else {
// CHECK:     amx.tile_load %[[SUMS]]
// CHECK:   scf.if %[[LAST]] {
// CHECK:     arith.truncf
// CHECK:   } else {
// CHECK:     amx.tile_store %[[SUMS]]
func.func @parts(%a: memref<32x96xbf16>, %b: memref<96x16xbf16>, %c: memref<32x16xbf16>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<32x16xbf16>) {schedule = #einsum.schedule<
      matrix = true, tile = [32, 1], dims = [<"k" seq 3 step 32>, <"m" prim 32>, <"n" prim 16>, <"k" prim 32>]>}
    : (memref<32x96xbf16>, memref<96x16xbf16>)
  return
}

// The buffer is that of the loops within: here, for each of four panels, of two blocks.
// CHECK-LABEL: @inner_parts
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c1 {
// CHECK:   memref.alloc() {{.*}} : memref<1536xi32>
// CHECK:   scf.for %{{.*}} = %c0 to %c2 step %c1 {
func.func @inner_parts(%a: memref<40x20xi8>, %b: memref<20x40xi8>, %c: memref<40x40xi32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<40x40xi32>) {schedule = #einsum.schedule<
      matrix = true, tile = [16, 2], pack = [0, 1], dims = [<"n" seq 4 step 10>, <"k" seq 2 step 10>,
      <"m" seq 2 step 20>, <"m" prim 20>, <"n" prim 10>, <"k" prim 10>]>}
    : (memref<40x20xi8>, memref<20x40xi8>)
  return
}

// Where what is summed follows in memory for lanes, and not for rows, blocks of both are transposed in registers.
// CHECK-LABEL: @transposed
// CHECK: vector.bitcast %{{.*}} : vector<32xbf16> to vector<16xi32>
// CHECK: vector.shuffle {{.*}} : vector<16xi32>, vector<16xi32>
// CHECK: amx.tile_mulf
func.func @transposed(%a: memref<40x32xbf16>, %b: memref<24x40xbf16>, %c: memref<32x24xf32>) {
  einsum.contract "km, nk -> mn" (%a, %b) outs(%c : memref<32x24xf32>) {schedule = #einsum.schedule<
      matrix = true, tile = [32, 2], dims = [<"m" prim 32>, <"n" prim 24>, <"k" prim 40>]>}
    : (memref<40x32xbf16>, memref<24x40xbf16>)
  return
}

// Lanes may be of M, and the result another way round.
// CHECK-LABEL: @exchanged
// CHECK: amx.tile_mulf
func.func @exchanged(%a: memref<20x32xbf16>, %b: memref<32x18xbf16>, %c: memref<18x20xbf16>) {
  einsum.contract "mk, kn -> nm" (%a, %b) outs(%c : memref<18x20xbf16>) {schedule = #einsum.schedule<
      lanes = 0, matrix = true, tile = [32, 2], dims = [<"m" prim 20>, <"n" prim 18>, <"k" prim 32>]>}
    : (memref<20x32xbf16>, memref<32x18xbf16>)
  return
}

// The window of a convolution is three loops; the innermost one is of registers.
// CHECK-LABEL: @convolution
// CHECK: scf.for %{{.*}} = %c0 to %c3 step %c1 iter_args
// CHECK:   scf.for %{{.*}} = %c0 to %c3 step %c1 iter_args
// CHECK:     scf.for %{{.*}} = %c0 to %c2 step %c1 iter_args
// CHECK:       amx.tile_load %reinterpret_cast[{{.*}}], %c64
func.func @convolution(%x: memref<2x4x18x64xbf16>, %w: memref<3x3x64x16xbf16>, %y: memref<2x2x16x16xf32>) {
  einsum.contract "n(h+r)(w+s)c, rsck -> nhwk" (%x, %w) outs(%y : memref<2x2x16x16xf32>) {schedule = #einsum.schedule<
      matrix = true, tile = [16, 1], dims = [<"n" parallel 2>, <"h" seq 2>, <"w" prim 16>, <"k" prim 16>,
      <"r" prim 3>, <"s" prim 3>, <"c" prim 64>]>}
    : (memref<2x4x18x64xbf16>, memref<3x3x64x16xbf16>)
  return
}

// By channels, steps of filters are 9 places apart: whole vectors of 16 bits are taken of nine, as nothing gathers these.
// CHECK-LABEL: @filters
// CHECK-NOT: vector.gather
// CHECK: vector.shuffle {{.*}} : vector<32xbf16>, vector<32xbf16>
// CHECK-NOT: vector.gather
// CHECK: amx.tile_mulf
// CHECK: return
func.func @filters(%x: memref<1x32x3x18xbf16>, %w: memref<16x32x3x3xbf16>, %y: memref<1x16x1x16xf32>) {
  einsum.contract "nc(h+r)(w+s), kcrs -> nkhw" (%x, %w) outs(%y : memref<1x16x1x16xf32>) {schedule = #einsum.schedule<
      matrix = true, tile = [16, 1], dims = [<"n" seq 1>, <"h" seq 1>, <"k" prim 16>, <"w" prim 16>,
      <"c" prim 32>, <"r" prim 3>, <"s" prim 3>]>}
    : (memref<1x32x3x18xbf16>, memref<16x32x3x3xbf16>)
  return
}

// Of several sums, the one that fills registers best.
// CHECK-LABEL: @long_sum
// CHECK: scf.for %{{.*}} = %c0 to %c3 step %c1 iter_args
// CHECK-NEXT: arith.muli
// CHECK: amx.tile_mulf
func.func @long_sum(%a: memref<16x64x3xbf16>, %b: memref<64x3x16xbf16>, %c: memref<16x16xf32>) {
  einsum.contract "mkl, kln -> mn" (%a, %b) outs(%c : memref<16x16xf32>) {schedule = #einsum.schedule<
      matrix = true, dims = [<"m" prim 16>, <"n" prim 16>, <"k" prim 64>, <"l" prim 3>]>}
    : (memref<16x64x3xbf16>, memref<64x3x16xbf16>)
  return
}

// Tables tell rows, as well as what is summed.
// CHECK-LABEL: @tables
// CHECK: memref.load {{.*}} : memref<20xindex>
// CHECK: amx.tile_muli
func.func @tables(%a: memref<9x9xi8>, %b: memref<12x8xi8>, %t: memref<20xi32> {einsum.value_range = array<i64: 0, 8>},
                  %s: memref<12xi32> {einsum.value_range = array<i64: 0, 8>}, %c: memref<20x8xi32>) {
  einsum.contract "(t[m])(s[k]), kn -> mn" (%a, %b) tables(t = %t : memref<20xi32>, s = %s : memref<12xi32>)
    outs(%c : memref<20x8xi32>) {schedule = #einsum.schedule<matrix = true, tile = [32, 1], dims = [
      <"m" prim 20>, <"n" prim 8>, <"k" prim 12>]>}
    : (memref<9x9xi8>, memref<12x8xi8>)
  return
}

// What is computed of operands is computed in their copies, and is 0 beyond the end of the sum; sums start from an
// operand, by way of the buffer, and the epilogue is vectors'.
// CHECK-LABEL: @around
// CHECK: arith.mulf {{.*}} : vector<16xbf16>
// CHECK: arith.addf {{.*}} : vector<32xbf16>
// CHECK: arith.select
// CHECK: amx.tile_load %alloca
// CHECK: amx.tile_mulf
// CHECK: arith.maxnumf {{.*}} : vector<16xf32>
func.func @around(%a: tensor<16x24xbf16>, %b: tensor<24x16xbf16>, %d: tensor<16x16xf32>) -> tensor<16x16xf32> {
  %0 = einsum.kernel (%x = %a : tensor<16x24xbf16>, %y = %b : tensor<24x16xbf16>, %z = %d : tensor<16x16xf32>) -> tensor<16x16xf32> {
    %one = arith.constant dense<1.0> : tensor<16x24xbf16>
    %more = arith.addf %x, %one : tensor<16x24xbf16>
    %two = arith.constant dense<2.0> : tensor<24x16xbf16>
    %double = arith.mulf %y, %two : tensor<24x16xbf16>
    %1 = einsum.contract "mk, kn -> mn" (%more, %double) {schedule = #einsum.schedule<
        matrix = true, tile = [16, 1], dims = [<"m" prim 16>, <"n" prim 16>, <"k" prim 24>]>}
      : (tensor<16x24xbf16>, tensor<24x16xbf16>) -> tensor<16x16xf32>
    %2 = arith.addf %1, %z : tensor<16x16xf32>
    %zero = arith.constant dense<0.0> : tensor<16x16xf32>
    %3 = arith.maxnumf %2, %zero : tensor<16x16xf32>
    einsum.yield %3 : tensor<16x16xf32>
  }
  return %0 : tensor<16x16xf32>
}

// Both operands are computed of steps beyond the end, which are not 0: they are made so.
// CHECK-LABEL: @computed
// CHECK: arith.select {{.*}} : vector<32xi1>, vector<32xbf16>
// CHECK: amx.tile_mulf
func.func @computed(%a: tensor<16x20xbf16>, %b: tensor<16x20xbf16>) -> tensor<16x16xf32> {
  %0 = einsum.kernel (%x = %a : tensor<16x20xbf16>, %y = %b : tensor<16x20xbf16>) -> tensor<16x16xf32> {
    %one = arith.constant dense<1.0> : tensor<16x20xbf16>
    %p = arith.addf %x, %one : tensor<16x20xbf16>
    %q = arith.addf %y, %one : tensor<16x20xbf16>
    %1 = einsum.contract "mk, nk -> mn" (%p, %q) {schedule = #einsum.schedule<
        matrix = true, dims = [<"m" prim 16>, <"n" prim 16>, <"k" prim 20>]>}
      : (tensor<16x20xbf16>, tensor<16x20xbf16>) -> tensor<16x16xf32>
    einsum.yield %1 : tensor<16x16xf32>
  }
  return %0 : tensor<16x16xf32>
}

// An operand that is one number is still that of the rows, by the specification.
// CHECK-LABEL: @constant
// CHECK: amx.tile_mulf
func.func @constant(%b: tensor<8x16xbf16>) -> tensor<16x16xf32> {
  %0 = einsum.kernel (%y = %b : tensor<8x16xbf16>) -> tensor<16x16xf32> {
    %three = arith.constant dense<3.0> : tensor<16x8xbf16>
    %1 = einsum.contract "mk, kn -> mn" (%three, %y) {schedule = #einsum.schedule<
        matrix = true, dims = [<"m" prim 16>, <"n" prim 16>, <"k" prim 8>]>}
      : (tensor<16x8xbf16>, tensor<8x16xbf16>) -> tensor<16x16xf32>
    einsum.yield %1 : tensor<16x16xf32>
  }
  return %0 : tensor<16x16xf32>
}

}
