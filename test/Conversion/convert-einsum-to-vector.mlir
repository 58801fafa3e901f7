// convert-einsum-to-vector: what becomes of schedules that are written by hand, on a machine with vectors of 8 floats.
// convert-einsum-to-vector-run.test runs the functions.
//
// RUN: tile-opt --convert-einsum-to-vector %s -o %t
// RUN: FileCheck %s --input-file=%t --implicit-check-not=einsum.contract --implicit-check-not=unrealized
// RUN: tile-opt --convert-einsum-to-vector=deallocate=0 %s | FileCheck %s --check-prefix=KEEP --implicit-check-not=memref.dealloc

#machine = #einsum.machine<cpu = "any", vector_bits = 256, registers = 16, fma = 2, latency = 4, l1 = 32768,
    l2 = 1048576, l3 = 8388608, cores = 2, bf16 = false>
#id = affine_map<(n, m) -> (n, m)>
#tr = affine_map<(n, m) -> (m, n)>
#rows = affine_map<(n, m) -> (n)>
#columns = affine_map<(n, m) -> (m)>
module attributes {einsum.machine = #machine} {

//===--------------------------------------------------------------------===//
// Register tiles
//===--------------------------------------------------------------------===//

// Two rows of 8 + 3 columns: a vector holds the 3, and the one before them once more. LLVM does not unroll further.
// CHECK-DAG: #[[$DISABLE:.*]] = #llvm.loop_unroll<disable = true>
// CHECK-DAG: #[[$UNROLLED:.*]] = #llvm.loop_annotation<unroll = #[[$DISABLE]]>
// CHECK-LABEL: @tile(
// CHECK-SAME: %[[A:.*]]: memref<4x8xf32>, %[[B:.*]]: memref<8x11xf32>, %[[C:.*]]: memref<4x11xf32>)
// CHECK-DAG: %[[A1:.*]] = memref.reinterpret_cast %[[A]] to offset: [0], sizes: [32], strides: [1]
// CHECK-DAG: %[[B1:.*]] = memref.reinterpret_cast %[[B]] to offset: [0], sizes: [88], strides: [1]
// CHECK-DAG: %[[C1:.*]] = memref.reinterpret_cast %[[C]] to offset: [0], sizes: [44], strides: [1]
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c2 {
// CHECK:   %[[SUMS:.*]]:4 = scf.for %{{.*}} = %c0 to %c8 step %c1 iter_args({{.*}}) -> (vector<8xf32>, vector<4xf32>, vector<8xf32>, vector<4xf32>) {
// CHECK:     %[[A_ROW:.*]] = memref.load %[[A1]]
// CHECK:     vector.broadcast %[[A_ROW]] : f32 to vector<8xf32>
// CHECK:     vector.load %[[B1]]
// CHECK:     vector.fma {{.*}} : vector<8xf32>
// CHECK:     %[[LAST:.*]] = arith.addi %{{.*}}, %c7 : index
// CHECK:     vector.load %[[B1]][%[[LAST]]] : memref<88xf32>, vector<4xf32>
// CHECK:     vector.fma {{.*}} : vector<4xf32>
// CHECK:     memref.load %[[A1]]
// CHECK-NOT: vector.load
// CHECK:     vector.fma {{.*}} : vector<8xf32>
// CHECK:     vector.fma {{.*}} : vector<4xf32>
// CHECK-NOT: vector.fma
// CHECK:     scf.yield
// CHECK-NEXT: } {loop_annotation = #[[$UNROLLED]]}
// CHECK:   vector.store %[[SUMS]]#0, %[[C1]]
// CHECK:   vector.store %[[SUMS]]#1, %[[C1]]
// CHECK:   vector.store %[[SUMS]]#2, %[[C1]]
// CHECK:   vector.store %[[SUMS]]#3, %[[C1]]
func.func @tile(%a: memref<4x8xf32>, %b: memref<8x11xf32>, %c: memref<4x11xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<4x11xf32>) {schedule = #einsum.schedule<
      tile = [2, 2], unroll = 1, dims = [
      <"m" prim 4>, <"n" prim 11>, <"k" prim 8>]>}
    : (memref<4x8xf32>, memref<8x11xf32>)
  return
}

// A last tile of one vector begins earlier, too, where nothing but the result changes: not where its sum goes on, not of
// fewer lanes than a vector has.
// CHECK-LABEL: @overlapping_tiles
// CHECK-NOT: masked
// CHECK: vector.load %{{.*}} : memref<88xf32>, vector<4xf32>
// CHECK-NOT: masked
// CHECK: return
func.func @overlapping_tiles(%a: memref<2x8xf32>, %b: memref<8x11xf32>, %c: memref<2x11xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<2x11xf32>) {schedule = #einsum.schedule<
      tile = [2, 1], unroll = 1, dims = [
      <"m" prim 2>, <"n" prim 11>, <"k" prim 8>]>}
    : (memref<2x8xf32>, memref<8x11xf32>)
  return
}
// CHECK-LABEL: @overlapping_sums
// CHECK-COUNT-2: vector.maskedload {{.*}} vector<4xf32>
// CHECK: vector.maskedstore {{.*}} vector<4xf32>
func.func @overlapping_sums(%a: memref<1x8xf32>, %b: memref<8x11xf32>, %c: memref<1x11xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<1x11xf32>) {schedule = #einsum.schedule<
      tile = [1, 1], unroll = 1, dims = [
      <"k" seq 2 step 4>, <"m" prim 1>, <"n" prim 11>, <"k" prim 4>]>}
    : (memref<1x8xf32>, memref<8x11xf32>)
  return
}
// CHECK-LABEL: @three_lanes
// CHECK: vector.maskedload {{.*}} vector<4xf32>
// CHECK: vector.maskedstore {{.*}} vector<4xf32>
func.func @three_lanes(%a: memref<2x8xf32>, %b: memref<8x3xf32>, %c: memref<2x3xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<2x3xf32>) {schedule = #einsum.schedule<
      tile = [2, 1], unroll = 1, dims = [
      <"m" prim 2>, <"n" prim 3>, <"k" prim 8>]>}
    : (memref<2x8xf32>, memref<8x3xf32>)
  return
}

// Seven rows of at most three are tiles of 3, 2 and 2 rows, and 40 columns, of at most two vectors, 2, 2 and 1 vectors:
// tiles of nearly equal size.
// CHECK-LABEL: @balanced
// CHECK: scf.for %{{.*}} = %c0 to %c32 step %c16 {
// CHECK:   scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
// CHECK:   scf.for %{{.*}} = %c3 to %c7 step %c2 {
// CHECK:     scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
// CHECK: scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>) {
// CHECK: scf.for %{{.*}} = %c3 to %c7 step %c2 {
// CHECK:   scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>) {
// CHECK: return
func.func @balanced(%a: memref<7x16xf32>, %b: memref<16x40xf32>, %c: memref<7x40xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<7x40xf32>) {schedule = #einsum.schedule<
      tile = [3, 2], unroll = 1, dims = [
      <"m" prim 7>, <"n" prim 40>, <"k" prim 16>]>}
    : (memref<7x16xf32>, memref<16x40xf32>)
  return
}

// Lines are asked for before they are read: those of the result before the sum, one of 16 floats for each row; of B, two
// steps ahead; of A, of which a line has 16 steps, by each of the two steps of an iteration one row's next line.
// CHECK-LABEL: @prefetch(
// CHECK-SAME: %[[A:.*]]: memref<4x32xf32>, %[[B:.*]]: memref<32x16xf32>, %[[C:.*]]: memref<4x16xf32>)
// CHECK-DAG: %[[A1:.*]] = memref.reinterpret_cast %[[A]] to
// CHECK-DAG: %[[B1:.*]] = memref.reinterpret_cast %[[B]] to
// CHECK-DAG: %[[C1:.*]] = memref.reinterpret_cast %[[C]] to
// CHECK-COUNT-2: memref.prefetch %[[C1]][%{{.*}}], write, locality<3>, data
// CHECK-NOT: memref.prefetch
// CHECK: scf.for %[[K:.*]] = %c0 to %c32 step %c2 iter_args
// CHECK: memref.prefetch %[[A1]][%{{.*}}], read, locality<3>, data
// CHECK-NEXT: %[[ROW_B:.*]] = arith.addi %{{.*}}, %c32
// CHECK-NEXT: memref.prefetch %[[B1]][%[[ROW_B]]], read
// CHECK: vector.fma
// CHECK: memref.prefetch %[[A1]]
// CHECK: memref.prefetch %[[B1]]
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @prefetch(%a: memref<4x32xf32>, %b: memref<32x16xf32>, %c: memref<4x16xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<4x16xf32>) {schedule = #einsum.schedule<
      tile = [2, 2], unroll = 2, prefetch = 2, dims = [
      <"m" prim 4>, <"n" prim 16>, <"k" prim 32>]>}
    : (memref<4x32xf32>, memref<32x16xf32>)
  return
}

// A that lies along rows has one line for both. A sum that is short does not hide the lines of the result, and entries of
// a table would have to be read to be asked for.
// CHECK-LABEL: @prefetch_columns(
// CHECK-SAME: %[[A:.*]]: memref<16x2xf32>
// CHECK-DAG: %[[A1:.*]] = memref.reinterpret_cast %[[A]] to
// CHECK-NOT: memref.prefetch
// CHECK: scf.for %{{.*}} = %c0 to %c16 step %c1 iter_args
// CHECK-NOT: memref.prefetch
// CHECK: memref.prefetch %[[A1]]
// CHECK-NOT: memref.prefetch
// CHECK: return
func.func @prefetch_columns(%a: memref<16x2xf32>, %b: memref<32x16xf32>, %t: memref<16xi32> {einsum.value_range = array<i64: 0, 31>},
                            %c: memref<2x16xf32>) {
  einsum.contract "km, (t[k])n -> mn" (%a, %b) tables(t = %t : memref<16xi32>) outs(%c : memref<2x16xf32>)
    {schedule = #einsum.schedule<
      tile = [2, 2], unroll = 1, prefetch = 2, dims = [
      <"m" prim 2>, <"n" prim 16>, <"k" prim 16>]>}
    : (memref<16x2xf32>, memref<32x16xf32>)
  return
}

// Sums that go on read the result at once: it is not asked for.
// CHECK-LABEL: @prefetch_resumed(
// CHECK-NOT: memref.prefetch {{.*}}, write
// CHECK: memref.prefetch {{.*}}, read
// CHECK-NOT: memref.prefetch {{.*}}, write
// CHECK: return
func.func @prefetch_resumed(%a: memref<4x64xf32>, %b: memref<64x16xf32>, %c: memref<4x16xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<4x16xf32>) {schedule = #einsum.schedule<
      tile = [2, 2], unroll = 2, prefetch = 2, dims = [
      <"k" seq 2 step 32>,
      <"m" prim 4>, <"n" prim 16>, <"k" prim 32>]>}
    : (memref<4x64xf32>, memref<64x16xf32>)
  return
}

// Four steps of the sum are an iteration, and the last two of ten follow the loop.
// CHECK-LABEL: @unroll
// CHECK: scf.for %{{.*}} = %c0 to %c8 step %c4 iter_args
// CHECK-COUNT-4: vector.fma
// CHECK-NOT: vector.fma
// CHECK: scf.yield
// CHECK-COUNT-2: vector.fma
// CHECK-NOT: vector.fma
// CHECK: return
func.func @unroll(%a: memref<1x10xf32>, %b: memref<10x8xf32>, %c: memref<1x8xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<1x8xf32>) {schedule = #einsum.schedule<
      tile = [1, 1], unroll = 4, dims = [
      <"m" prim 1>, <"n" prim 8>, <"k" prim 10>]>}
    : (memref<1x10xf32>, memref<10x8xf32>)
  return
}

// A sum over two dimensions is two loops that carry the tile; nothing is stored between blocks.
// CHECK-LABEL: @brgemm
// CHECK: scf.for %{{.*}} = %c0 to %c3 step %c1 iter_args
// CHECK:   scf.for %{{.*}} = %c0 to %c5 step %c1 iter_args
// CHECK-NOT: vector.store
// CHECK:     vector.fma
// CHECK-NOT: vector.store
// CHECK:   scf.yield
// CHECK-NOT: vector.store
// CHECK:   scf.yield
// CHECK: vector.store
func.func @brgemm(%a: memref<3x2x5xf32>, %b: memref<3x5x8xf32>, %c: memref<2x8xf32>) {
  einsum.contract "cmk, ckn -> mn" (%a, %b) outs(%c : memref<2x8xf32>) {schedule = #einsum.schedule<
      tile = [2, 1], unroll = 1, dims = [
      <"m" prim 2>, <"n" prim 8>, <"c" prim 3>,
      <"k" prim 5>]>}
    : (memref<3x2x5xf32>, memref<3x5x8xf32>)
  return
}

// Lanes along rows of the result, as 'lanes' says: they are scattered.
// CHECK-LABEL: @lanes
// CHECK-DAG: %[[OFFSETS:.*]] = arith.constant dense<[0, 3, 6, 9, 12, 15, 18, 21]> : vector<8xindex>
// CHECK: vector.fma {{.*}} : vector<8xf32>
// CHECK: vector.scatter %{{.*}}[%{{.*}}] [%[[OFFSETS]]]
func.func @lanes(%a: memref<4x8xf32>, %b: memref<4x3xf32>, %c: memref<8x3xf32>) {
  einsum.contract "km, kn -> mn" (%a, %b) outs(%c : memref<8x3xf32>) {schedule = #einsum.schedule<
      lanes = 1, tile = [3, 1], unroll = 1, dims = [
      <"n" prim 3>, <"m" prim 8>, <"k" prim 4>]>}
    : (memref<4x8xf32>, memref<4x3xf32>)
  return
}

// A view that begins anywhere and has gaps between its rows.
// CHECK-LABEL: @view
// CHECK: %[[OFFSET:.*]] = memref.extract_strided_metadata %{{.*}}
// CHECK: memref.reinterpret_cast %{{.*}} to offset: [%offset], sizes: [48], strides: [1]
// CHECK: vector.load %{{.*}} : memref<48xf32, strided<[1], offset: ?>>, vector<8xf32>
func.func @view(%a: memref<2x4xf32>, %whole: memref<6x13xf32>, %i: memref<1xindex> {einsum.value_range = array<i64: 0, 2>},
                %c: memref<2x8xf32>) {
  %zero = arith.constant 0 : index
  %row = memref.load %i[%zero] : memref<1xindex>
  %b = memref.subview %whole[%row, 1] [4, 9] [1, 1] : memref<6x13xf32> to memref<4x9xf32, strided<[13, 1], offset: ?>>
  einsum.contract "mk, k(n+1) -> mn" (%a, %b) outs(%c : memref<2x8xf32>) {schedule = #einsum.schedule<
      tile = [2, 1], unroll = 1, dims = [
      <"m" prim 2>, <"n" prim 8>, <"k" prim 4>]>}
    : (memref<2x4xf32>, memref<4x9xf32, strided<[13, 1], offset: ?>>)
  return
}

//===--------------------------------------------------------------------===//
// Loops around the kernel
//===--------------------------------------------------------------------===//

// Shared dimensions are one parallel loop; seq ones are loops inside of it.
// CHECK-LABEL: @shared
// CHECK: scf.parallel (%{{.*}}, %{{.*}}) = (%c0, %c0) to (%c2, %c3) step (%c1, %c1) {
// CHECK:   scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:     scf.for {{.*}} iter_args({{.*}}) -> (vector<8xf32>, vector<8xf32>) {
// CHECK:     vector.store
// CHECK:   scf.reduce
func.func @shared(%a: memref<2x6x5xf32>, %b: memref<2x5x16xf32>, %c: memref<2x6x16xf32>) {
  einsum.contract "bmk, bkn -> bmn" (%a, %b) outs(%c : memref<2x6x16xf32>) {schedule = #einsum.schedule<
      tile = [2, 1], unroll = 1, dims = [
      <"b" parallel 2>, <"m" parallel 3 step 2>,
      <"n" seq 2 step 8>, <"m" prim 2>, <"n" prim 8>,
      <"k" prim 5>]>}
    : (memref<2x6x5xf32>, memref<2x5x16xf32>)
  return
}

// Part of the sum is outside of the kernel: the tile starts from zero at the first touch, and from the result at others.
// CHECK-LABEL: @touches
// CHECK: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : vector<8xf32>
// CHECK: scf.for %[[K:.*]] = %c0 to %c2 step %c1 {
// CHECK:   %[[FIRST:.*]] = arith.cmpi eq, %[[K]], %c0
// CHECK:   %[[HELD:.*]] = vector.load
// CHECK:   arith.select %[[FIRST]], %[[ZERO]], %[[HELD]]
// CHECK:   scf.for %{{.*}} = %c0 to %c4 step %c1 iter_args
// CHECK:   vector.store
func.func @touches(%a: memref<1x8xf32>, %b: memref<8x8xf32>, %c: memref<1x8xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<1x8xf32>) {schedule = #einsum.schedule<
      tile = [1, 1], unroll = 1, dims = [
      <"k" seq 2 step 4>, <"m" prim 1>, <"n" prim 8>,
      <"k" prim 4>]>}
    : (memref<1x8xf32>, memref<8x8xf32>)
  return
}

//===--------------------------------------------------------------------===//
// Packing
//===--------------------------------------------------------------------===//

// Panels of lanes: one of 16 columns and one of 4, in which rows of the sum follow each other. The rest of the second
// one, of which a lane is unused, is there.
// CHECK-LABEL: @pack_lanes
// CHECK: %[[PANELS:.*]] = memref.alloc() {alignment = 64 : i64} : memref<120xf32>
// CHECK: scf.for %[[K:.*]] = %c0 to %c6 step %c1 {
// CHECK:   arith.muli %[[K]], %c16
// CHECK:   vector.load
// CHECK:   vector.store %{{.*}}, %[[PANELS]]
// CHECK:   vector.load
// CHECK:   vector.store %{{.*}}, %[[PANELS]]
// CHECK: scf.for %[[K:.*]] = %c0 to %c6 step %c1 {
// CHECK:   vector.maskedload
// CHECK:   vector.store %{{.*}}, %[[PANELS]][%{{.*}}] : memref<120xf32>, vector<4xf32>
// CHECK: scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
// CHECK:   vector.load %[[PANELS]]
// CHECK:   vector.load %[[PANELS]]
// CHECK: scf.for {{.*}} -> (vector<4xf32>, vector<4xf32>) {
// CHECK-NOT: maskedload
// CHECK:   vector.load %[[PANELS]]{{.*}} vector<4xf32>
// CHECK: memref.dealloc %[[PANELS]]
// KEEP-LABEL: @pack_lanes
// KEEP: memref.alloc() {alignment = 64 : i64} : memref<120xf32>
func.func @pack_lanes(%a: memref<2x6xf32>, %b: memref<6x19xf32>, %c: memref<2x19xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<2x19xf32>) {schedule = #einsum.schedule<
      tile = [2, 2], unroll = 1, pack = [1], dims = [
      <"m" prim 2>, <"n" prim 19>, <"k" prim 6>]>}
    : (memref<2x6xf32>, memref<6x19xf32>)
  return
}

// Panels of two rows, and one of a row: elements of a column of A follow each other.
// CHECK-LABEL: @pack_rows
// CHECK: %[[PANELS:.*]] = memref.alloc() {alignment = 64 : i64} : memref<30xf32>
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c2 {
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c2 {
// CHECK:   scf.for %[[K:.*]] = %c0 to %c6 step %c1 iter_args
// CHECK:     arith.muli %[[K]], %c2
// CHECK-COUNT-2: memref.load %[[PANELS]]
// CHECK: memref.dealloc %[[PANELS]]
func.func @pack_rows(%a: memref<5x6xf32>, %b: memref<6x8xf32>, %c: memref<5x8xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<5x8xf32>) {schedule = #einsum.schedule<
      tile = [2, 1], unroll = 1, pack = [0], dims = [
      <"m" prim 5>, <"n" prim 8>, <"k" prim 6>]>}
    : (memref<5x6xf32>, memref<6x8xf32>)
  return
}

// Full vectors of a panel that follow each other are transposed by a loop, what is left by itself: 27 lanes are three of them and 3.
// CHECK-LABEL: @pack_transposed_loop
// CHECK: %[[PANEL:.*]] = memref.alloc() {{.*}} : memref<224xf32>
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %c24{{.*}} step %c8
// CHECK-COUNT-24: vector.shuffle
// CHECK-NOT: vector.shuffle
// CHECK: }
// CHECK-COUNT-24: vector.shuffle
// CHECK-NOT: vector.shuffle
// CHECK: vector.fma
func.func @pack_transposed_loop(%a: memref<2x8xf32>, %b: memref<27x8xf32>, %c: memref<2x27xf32>) {
  einsum.contract "mk, nk -> mn" (%a, %b) outs(%c : memref<2x27xf32>)
    {schedule = #einsum.schedule<lanes = 1, tile = [1, 4], pack = [1], dims = [<"m" prim 2>, <"n" prim 27>, <"k" prim 8>]>}
    : (memref<2x8xf32>, memref<27x8xf32>)
  return
}

// Vectors along the sum are read and transposed: three rounds of eight shuffles. The last two of ten are masked.
// CHECK-LABEL: @pack_transposed
// CHECK: %[[PANELS:.*]] = memref.alloc() {alignment = 64 : i64} : memref<80xf32>
// CHECK-COUNT-8: vector.load %{{.*}} : memref<80xf32>, vector<8xf32>
// CHECK-COUNT-24: vector.shuffle
// CHECK-NOT: vector.shuffle
// CHECK-COUNT-8: vector.store %{{.*}}, %[[PANELS]]
// CHECK-COUNT-8: vector.maskedload
// CHECK-COUNT-24: vector.shuffle
// CHECK-COUNT-2: vector.store %{{.*}}, %[[PANELS]]
// CHECK-NOT: vector.store %{{.*}}, %[[PANELS]]
// CHECK: scf.for
// CHECK-NOT: gather
// CHECK: vector.load %[[PANELS]]
// CHECK: return
func.func @pack_transposed(%a: memref<2x10xf32>, %b: memref<8x10xf32>, %c: memref<2x8xf32>) {
  einsum.contract "mk, nk -> mn" (%a, %b) outs(%c : memref<2x8xf32>) {schedule = #einsum.schedule<
      tile = [2, 1], unroll = 1, pack = [1], dims = [
      <"m" prim 2>, <"n" prim 8>, <"k" prim 10>]>}
    : (memref<2x10xf32>, memref<8x10xf32>)
  return
}

// A copy is made inside of the loops that change what is read, also parallel ones, and outside of those that do not.
// CHECK-LABEL: @pack_levels
// CHECK: scf.parallel (%{{.*}}) = (%c0) to (%c2)
// CHECK:   %[[PANEL:.*]] = memref.alloc() {alignment = 64 : i64} : memref<64xf32>
// CHECK:   vector.store %{{.*}}, %[[PANEL]]
// CHECK:   scf.for %{{.*}} = %c0 to %c3 step %c1 {
// CHECK-NOT: memref.alloc
// CHECK:     vector.load %[[PANEL]]
// CHECK:   }
// CHECK:   memref.dealloc %[[PANEL]]
// CHECK:   scf.reduce
func.func @pack_levels(%a: memref<6x8xf32>, %b: memref<8x16xf32>, %c: memref<6x16xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<6x16xf32>) {schedule = #einsum.schedule<
      tile = [2, 1], unroll = 1, pack = [1], dims = [
      <"n" parallel 2 step 8>, <"m" seq 3 step 2>,
      <"m" prim 2>, <"n" prim 8>, <"k" prim 8>]>}
    : (memref<6x8xf32>, memref<8x16xf32>)
  return
}

//===--------------------------------------------------------------------===//
// Tables of offsets
//===--------------------------------------------------------------------===//

// A shift convolution: offsets of channels are computed once, and one is read for each step, for all rows.
// CHECK-LABEL: @shift
// CHECK-SAME: %[[X:.*]]: memref<10x8xf32>, %{{.*}}: memref<8x8xf32>, %[[S:[a-z0-9]+]]: memref<8xi32>
// CHECK: %[[TABLE:.*]] = memref.alloc() : memref<8xindex>
// CHECK: scf.for %{{.*}} = %c0 to %c8 step %c1 {
// CHECK:   memref.load %[[S]]
// CHECK:   memref.store %{{.*}}, %[[TABLE]]
// CHECK: scf.for %[[C:.*]] = %c0 to %c8 step %c1 iter_args
// CHECK:   %[[OFFSET:.*]] = memref.load %[[TABLE]][%[[C]]]
// CHECK:   memref.load %{{.*}}[%[[OFFSET]]] : memref<80xf32>
// CHECK:   scf.yield
// CHECK: memref.dealloc %[[TABLE]]
// KEEP-LABEL: @shift
func.func @shift(%x: memref<10x8xf32>, %w: memref<8x8xf32>,
                 %s: memref<8xi32> {einsum.value_range = array<i64: 0, 8>}, %y: memref<2x8xf32>) {
  einsum.contract "(h+s[c])c, ck -> hk" (%x, %w) tables(s = %s : memref<8xi32>) outs(%y : memref<2x8xf32>)
      {schedule = #einsum.schedule<tile = [2, 1], unroll = 1, dims = [
      <"h" prim 2>, <"k" prim 8>, <"c" prim 8>]>}
    : (memref<10x8xf32>, memref<8x8xf32>)
  return
}

// Pixels that are gone through as one do not follow each other: their offsets are a table, too, which tells lanes.
// CHECK-LABEL: @pixels
// CHECK: memref.alloc() : memref<12xindex>
// CHECK: vector.load %{{.*}} : memref<12xindex>, vector<8xindex>
// CHECK: vector.gather %{{.*}} : memref<20xf32>, vector<8xindex>
// CHECK: vector.load %{{.*}} : memref<12xindex>, vector<4xindex>
// CHECK: vector.gather %{{.*}} : memref<20xf32>, vector<4xindex>
// CHECK: vector.store %{{.*}}, vector<8xf32>
// CHECK: vector.store %{{.*}}, vector<4xf32>
func.func @pixels(%f: memref<3x2x2xf32>, %x: memref<5x4xf32>, %y: memref<3x4x3xf32>) {
  einsum.contract "krs, (h+r)(w+s) -> khw" (%f, %x) outs(%y : memref<3x4x3xf32>) {schedule = #einsum.schedule<
      tile = [1, 2], unroll = 1, dims = [
      <"k" prim 3>, <"hw" prim 12>, <"r" prim 2>,
      <"s" prim 2>]>}
    : (memref<3x2x2xf32>, memref<5x4xf32>)
  return
}

//===--------------------------------------------------------------------===//
// Sums along vectors
//===--------------------------------------------------------------------===//

// One column of nine remains. Instead of a vector for each step of its sum it is computed as dot products of rows of A,
// and a copy of the column: eight rows at once make one vector of sums.
// CHECK-LABEL: @dots
// CHECK: %[[COLUMN:.*]] = memref.alloca() {alignment = 64 : i64} : memref<64xf32>
// CHECK: scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
// CHECK: vector.gather
// CHECK: vector.store %{{.*}}, %[[COLUMN]]
// CHECK: scf.for %{{.*}} = %c0 to %c64 step %c8 iter_args
// CHECK:   vector.load %[[COLUMN]]
// CHECK: vector.shuffle
// CHECK: arith.addf {{.*}} : vector<8xf32>
// CHECK: memref.store
func.func @dots(%a: memref<8x64xf32>, %b: memref<64x9xf32>, %c: memref<8x9xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<8x9xf32>) {schedule = #einsum.schedule<
      tile = [4, 1], unroll = 1, dims = [
      <"m" prim 8>, <"n" prim 9>, <"k" prim 64>]>}
    : (memref<8x64xf32>, memref<64x9xf32>)
  return
}

// Rows of a panel that are nine places apart, where steps follow a table, are copied one by one: no gather, no transposition.
// CHECK-LABEL: @far_apart
// CHECK: scf.for
// CHECK-COUNT-3: memref.load %{{.*}} : memref<27xf32>
// CHECK-NOT: vector.gather
// CHECK: scf.for
func.func @far_apart(%a: memref<3x9xf32>, %b: memref<6x8xf32>, %t: memref<6xi32> {einsum.value_range = array<i64: 0, 8>},
                     %c: memref<3x8xf32>) {
  einsum.contract "m(t[k]), kn -> mn" (%a, %b) tables(t = %t : memref<6xi32>) outs(%c : memref<3x8xf32>)
    {schedule = #einsum.schedule<tile = [3, 1], unroll = 1, pack = [0], dims = [
      <"m" prim 3>, <"n" prim 8>, <"k" prim 6>]>}
    : (memref<3x9xf32>, memref<6x8xf32>)
  return
}

// Lanes along the sum: dot products of three rows, each with a sum of its own, added up by their lanes at the end.
// CHECK-LABEL: @along_sum
// CHECK: scf.for %{{.*}} iter_args({{.*}}) -> (vector<8xf32>, vector<8xf32>, vector<8xf32>)
// CHECK-COUNT-3: vector.fma {{.*}} : vector<8xf32>
// CHECK: scf.yield
func.func @along_sum(%a: memref<3x64xf32>, %b: memref<64xf32>, %c: memref<3xf32>) {
  einsum.contract "mk, k -> m" (%a, %b) outs(%c : memref<3xf32>) {schedule = #einsum.schedule<
      lanes = 1, tile = [3, 1], unroll = 1, dims = [<"m" prim 3>, <"k" prim 64>]>}
    : (memref<3x64xf32>, memref<64xf32>)
  return
}

// Rows and lanes along the sum: of 5 rows tiles have 2 and 1, of 7 lanes 3 and 2, and each of these has a sum.
// CHECK-LABEL: @tile_along_sum
// CHECK: scf.for %{{.*}} = %c0 to %c4 step %c2 {
// CHECK:   %[[SUMS:.*]]:6 = scf.for %{{.*}} = %c0 to %c64 step %c8
// CHECK-COUNT-5: vector.load {{.*}} : memref<{{.*}}>, vector<8xf32>
// CHECK-NOT: vector.load
// CHECK:     scf.yield
// CHECK:   vector.shuffle
// CHECK:   vector.maskedstore {{.*}} : memref<35xf32>, vector<4xi1>, vector<4xf32>
// CHECK: scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>) {
// CHECK: scf.for %{{.*}} = %c3 to %c7 step %c2 {
// CHECK:   scf.for %{{.*}} = %c0 to %c4 step %c2 {
// CHECK:     scf.for {{.*}} -> (vector<8xf32>, vector<8xf32>, vector<8xf32>, vector<8xf32>) {
func.func @tile_along_sum(%a: memref<5x67xf32>, %b: memref<7x67xf32>, %c: memref<5x7xf32>) {
  einsum.contract "mk, nk -> mn" (%a, %b) outs(%c : memref<5x7xf32>) {schedule = #einsum.schedule<
      lanes = 2, tile = [2, 3], unroll = 1, dims = [<"m" prim 5>, <"n" prim 7>, <"k" prim 67>]>}
    : (memref<5x67xf32>, memref<7x67xf32>)
  return
}

// The sum goes on in the result, and what starts it is added once; columns that do not lie along it are copied.
// CHECK-LABEL: @parts_along_sum
// CHECK: scf.for
// CHECK: vector.gather
// CHECK: vector.store
// CHECK-COUNT-8: vector.fma
func.func @parts_along_sum(%a: memref<4x64xf32>, %b: memref<64x6xf32>, %c: memref<4x6xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<4x6xf32>) {accumulate, schedule = #einsum.schedule<
      lanes = 3, tile = [4, 2], unroll = 1, dims = [<"k" seq 2 step 32>, <"m" prim 4>, <"n" prim 6>, <"k" prim 32>]>}
    : (memref<4x64xf32>, memref<64x6xf32>)
  return
}

// Columns are packed in panels as wide as vectors along them, which these lie along then.
// CHECK-LABEL: @packed_along_sum
// CHECK: vector.fma {{.*}} : vector<4xf32>
// CHECK-NOT: vector.shuffle
// CHECK: return
func.func @packed_along_sum(%a: memref<24x4xf32>, %b: memref<4x3xf32>, %c: memref<24x3xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<24x3xf32>) {schedule = #einsum.schedule<
      lanes = 2, tile = [4, 2], pack = [1], dims = [<"n" prim 3>, <"m" prim 24>, <"k" prim 4>]>}
    : (memref<24x4xf32>, memref<4x3xf32>)
  return
}

// A dot product has no dimension for lanes. The last three of 67 are masked.
// CHECK-LABEL: @dot(
// CHECK: %[[SUM:.*]] = scf.for %{{.*}} = %c0 to %c64 step %c8 iter_args({{.*}}) -> (vector<8xf32>) {
// CHECK:   vector.fma
// CHECK: vector.maskedload
// CHECK: vector.maskedload
// CHECK: %[[SUM:.*]] = vector.fma
// CHECK: vector.shuffle %[[SUM]], %[[SUM]]
// CHECK: memref.store %{{.*}} : memref<1xf32{{.*}}>
func.func @dot(%a: memref<67xf32>, %b: memref<67xf32>, %c: memref<f32>) {
  einsum.contract "k, k -> " (%a, %b) outs(%c : memref<f32>) {schedule = #einsum.schedule<
      tile = [1, 1], unroll = 1, dims = [
      <"k" prim 67>]>}
    : (memref<67xf32>, memref<67xf32>)
  return
}

//===--------------------------------------------------------------------===//
// One operand
//===--------------------------------------------------------------------===//

// Blocks are transposed in registers; of 5 x 11 elements the last 4 lanes in vectors of 4.
// CHECK-LABEL: @transposition
// CHECK-COUNT-8: vector.load
// CHECK-COUNT-24: vector.shuffle
// CHECK-NOT: vector.shuffle
// CHECK-COUNT-8: vector.store
// CHECK: return
func.func @transposition(%a: memref<8x8xf32>, %c: memref<8x8xf32>) {
  einsum.contract "mn -> nm" (%a) outs(%c : memref<8x8xf32>) {schedule = #einsum.schedule<
      tile = [8, 1], dims = [
      <"n" prim 8>, <"m" prim 8>]>}
    : (memref<8x8xf32>)
  return
}
// CHECK-LABEL: @transposition_odd
// CHECK-COUNT-8: vector.maskedload {{.*}} into vector<8xf32>
// CHECK-COUNT-24: vector.shuffle
// CHECK-COUNT-5: vector.store {{.*}} vector<8xf32>
// CHECK-NOT: vector.store
// CHECK-COUNT-4: vector.load {{.*}} vector<4xf32>
// CHECK-COUNT-4: vector.maskedload {{.*}} into vector<4xf32>
// CHECK: vector.store {{.*}} vector<4xf32>
// CHECK: return
func.func @transposition_odd(%a: memref<11x5xf32>, %c: memref<5x11xf32>) {
  einsum.contract "mn -> nm" (%a) outs(%c : memref<5x11xf32>) {schedule = #einsum.schedule<
      tile = [5, 1], dims = [
      <"n" prim 5>, <"m" prim 11>]>}
    : (memref<11x5xf32>)
  return
}

// A permutation that keeps the last axis: vectors as they are.
// CHECK-LABEL: @permutation
// CHECK-NOT: vector.shuffle
// CHECK: scf.for %{{.*}} = %c0 to %c2 step %c1 {
// CHECK:   vector.load {{.*}} vector<8xf32>
// CHECK:   vector.store {{.*}} vector<8xf32>
// CHECK: return
func.func @permutation(%a: memref<2x3x8xf32>, %c: memref<3x2x8xf32>) {
  einsum.contract "abc -> bac" (%a) outs(%c : memref<3x2x8xf32>) {schedule = #einsum.schedule<
      tile = [1, 1], dims = [
      <"a" seq 2>, <"b" prim 3>, <"c" prim 8>]>}
    : (memref<2x3x8xf32>)
  return
}

// Sums of columns, and an outer product, which is not summed.
// CHECK-LABEL: @sum
// CHECK: scf.for {{.*}} iter_args
// CHECK:   vector.load
// CHECK:   arith.addf {{.*}} : vector<8xf32>
// CHECK: return
func.func @sum(%a: memref<6x8xf32>, %c: memref<8xf32>) {
  einsum.contract "km -> m" (%a) outs(%c : memref<8xf32>) {schedule = #einsum.schedule<
      tile = [1, 1], unroll = 1, dims = [
      <"m" prim 8>, <"k" prim 6>]>}
    : (memref<6x8xf32>)
  return
}
// CHECK-LABEL: @product
// CHECK-NOT: vector.fma
// CHECK: arith.mulf {{.*}} : vector<8xf32>
// CHECK: return
func.func @product(%a: memref<3xf32>, %b: memref<8xf32>, %c: memref<3x8xf32>) {
  einsum.contract "m, n -> mn" (%a, %b) outs(%c : memref<3x8xf32>) {schedule = #einsum.schedule<
      tile = [1, 1], dims = [
      <"m" prim 3>, <"n" prim 8>]>}
    : (memref<3xf32>, memref<8xf32>)
  return
}

//===--------------------------------------------------------------------===//
// Elements
//===--------------------------------------------------------------------===//

// Integers of 8 bits are widened; sums are multiplied and added.
// CHECK-LABEL: @integers
// CHECK: vector.load {{.*}} : memref<48xi8>, vector<8xi8>
// CHECK: arith.extsi {{.*}} : vector<8xi8> to vector<8xi32>
// CHECK: arith.muli {{.*}} : vector<8xi32>
// CHECK: arith.addi {{.*}} : vector<8xi32>
// CHECK: vector.store {{.*}} vector<8xi32>
func.func @integers(%a: memref<2x6xi8>, %b: memref<6x8xi8>, %c: memref<2x8xi32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<2x8xi32>) {schedule = #einsum.schedule<
      tile = [2, 1], unroll = 1, dims = [
      <"m" prim 2>, <"n" prim 8>, <"k" prim 6>]>}
    : (memref<2x6xi8>, memref<6x8xi8>)
  return
}

// Halves are summed in f32 and rounded once.
// CHECK-LABEL: @halves
// CHECK: scf.for {{.*}} iter_args({{.*}}) -> (vector<8xf32>, vector<8xf32>) {
// CHECK:   arith.extf {{.*}} : f16 to f32
// CHECK:   vector.load {{.*}} : memref<48xf16>, vector<8xf16>
// CHECK:   arith.extf {{.*}} : vector<8xf16> to vector<8xf32>
// CHECK:   vector.fma {{.*}} : vector<8xf32>
// CHECK: arith.truncf {{.*}} : vector<8xf32> to vector<8xf16>
// CHECK: vector.store {{.*}} vector<8xf16>
func.func @halves(%a: memref<2x6xf16>, %b: memref<6x8xf16>, %c: memref<2x8xf16>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<2x8xf16>) {schedule = #einsum.schedule<
      tile = [2, 1], unroll = 1, dims = [
      <"m" prim 2>, <"n" prim 8>, <"k" prim 6>]>}
    : (memref<2x6xf16>, memref<6x8xf16>)
  return
}

// Doubles: vectors of four, whose rest of two is a vector of two, all of which are used.
// CHECK-LABEL: @doubles
// CHECK: scf.for {{.*}} -> (vector<4xf64>, vector<2xf64>) {
// CHECK-NOT: masked
// CHECK: return
func.func @doubles(%a: memref<1x6xf64>, %b: memref<6x6xf64>, %c: memref<1x6xf64>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<1x6xf64>) {schedule = #einsum.schedule<
      tile = [1, 2], unroll = 1, dims = [
      <"m" prim 1>, <"n" prim 6>, <"k" prim 6>]>}
    : (memref<1x6xf64>, memref<6x6xf64>)
  return
}

//===--------------------------------------------------------------------===//
// Tensors
//===--------------------------------------------------------------------===//

// CHECK-LABEL: @tensors
// CHECK-SAME: %[[A:.*]]: tensor<2x4xf32>, %[[B:.*]]: tensor<4x8xf32>
// CHECK-DAG: bufferization.to_buffer %[[A]] read_only
// CHECK-DAG: bufferization.to_buffer %[[B]] read_only
// CHECK-DAG: %[[C:.*]] = memref.alloc() {alignment = 64 : i64} : memref<2x8xf32>
// CHECK: vector.store
// CHECK: %[[R:.*]] = bufferization.to_tensor %[[C]] restrict :
// CHECK: return %[[R]]
func.func @tensors(%a: tensor<2x4xf32>, %b: tensor<4x8xf32>) -> tensor<2x8xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<
      tile = [2, 1], unroll = 1, dims = [
      <"m" prim 2>, <"n" prim 8>, <"k" prim 4>]>}
    : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
  return %c : tensor<2x8xf32>
}

// What goes to a memref is written there.
// CHECK-LABEL: @destination
// CHECK-SAME: %[[A:.*]]: memref<2x4xf32>, %[[B:.*]]: memref<4x8xf32>, %[[C:.*]]: memref<2x8xf32>)
// CHECK-NOT: memref.alloc
// CHECK: %[[C1:.*]] = memref.reinterpret_cast %[[C]]
// CHECK: vector.store %{{.*}}, %[[C1]]
// CHECK-NOT: materialize_in_destination
// CHECK: return
func.func @destination(%a: memref<2x4xf32>, %b: memref<4x8xf32>, %c: memref<2x8xf32>) {
  %ta = bufferization.to_tensor %a restrict : memref<2x4xf32> to tensor<2x4xf32>
  %tb = bufferization.to_tensor %b restrict : memref<4x8xf32> to tensor<4x8xf32>
  %tc = einsum.contract "mk, kn -> mn" (%ta, %tb) {schedule = #einsum.schedule<
      tile = [2, 1], unroll = 1, dims = [
      <"m" prim 2>, <"n" prim 8>, <"k" prim 4>]>}
    : (tensor<2x4xf32>, tensor<4x8xf32>) -> tensor<2x8xf32>
  bufferization.materialize_in_destination %tc in restrict writable %c : (tensor<2x8xf32>, memref<2x8xf32>) -> ()
  return
}

//===--------------------------------------------------------------------===//
// Kernels
//===--------------------------------------------------------------------===//

// Sums start from an operand.
// CHECK-LABEL: @load
// CHECK: %[[START:.*]] = vector.load %{{.*}} : memref<8xf32>, vector<8xf32>
// CHECK: %[[SUM:.*]] = scf.for {{.*}} iter_args(%{{.*}} = %[[START]]) -> (vector<8xf32>) {
// CHECK-NOT: arith.addf
// CHECK: vector.store %[[SUM]]
func.func @load(%a: tensor<1x6xf32>, %b: tensor<6x8xf32>, %c: tensor<1x8xf32>) -> tensor<1x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<1x6xf32>, %q = %b : tensor<6x8xf32>, %r = %c : tensor<1x8xf32>) -> tensor<1x8xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) {schedule = #einsum.schedule<
        tile = [1, 1], unroll = 1, dims = [
        <"m" prim 1>, <"n" prim 8>, <"k" prim 6>]>}
      : (tensor<1x6xf32>, tensor<6x8xf32>) -> tensor<1x8xf32>
    %sum = arith.addf %r, %ab : tensor<1x8xf32>
    einsum.yield %sum : tensor<1x8xf32>
  }
  return %y : tensor<1x8xf32>
}

// They start from a bias; at the last touch the sum is complete, and negative elements become 0.
// CHECK-LABEL: @epilogue
// CHECK: scf.for %[[K:.*]] = %c0 to %c2 step %c1 {
// CHECK:   %[[FIRST:.*]] = arith.cmpi eq, %[[K]], %c0
// CHECK:   %[[LAST:.*]] = arith.cmpi eq, %[[K]], %c1
// CHECK:   %[[BIAS:.*]] = vector.load %{{.*}} : memref<8xf32>, vector<8xf32>
// CHECK:   %[[HELD:.*]] = vector.load
// CHECK:   %[[START:.*]] = arith.select %[[FIRST]], %[[BIAS]], %[[HELD]]
// CHECK:   %[[SUM:.*]]:2 = scf.for {{.*}} iter_args(%{{.*}} = %[[START]],
// CHECK:   scf.if %[[LAST]] {
// CHECK:     %[[RELU:.*]] = arith.maximumf %[[SUM]]#0, %{{.*}} : vector<8xf32>
// CHECK:     vector.store %[[RELU]]
// CHECK:   } else {
// CHECK:     vector.store %[[SUM]]#0
func.func @epilogue(%a: tensor<2x12xf32>, %b: tensor<12x8xf32>, %c: tensor<8xf32>) -> tensor<2x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<2x12xf32>, %q = %b : tensor<12x8xf32>, %r = %c : tensor<8xf32>) -> tensor<2x8xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) {schedule = #einsum.schedule<
        tile = [2, 1], unroll = 1, dims = [
        <"k" seq 2 step 6>, <"m" prim 2>, <"n" prim 8>,
        <"k" prim 6>]>}
      : (tensor<2x12xf32>, tensor<12x8xf32>) -> tensor<2x8xf32>
    %e = tensor.empty() : tensor<2x8xf32>
    %bias = linalg.broadcast ins(%r : tensor<8xf32>) outs(%e : tensor<2x8xf32>) dimensions = [0]
    %sum = arith.addf %ab, %bias : tensor<2x8xf32>
    %zero = arith.constant dense<0.0> : tensor<2x8xf32>
    %relu = arith.maximumf %sum, %zero : tensor<2x8xf32>
    einsum.yield %relu : tensor<2x8xf32>
  }
  return %y : tensor<2x8xf32>
}

// An epilogue in place reads each element where it is replaced: none is computed twice. So do sums that start from one,
// but for those of one tile, which are read before any is written.
// CHECK-LABEL: @in_place(
// CHECK: vector.maskedload {{.*}} : memref<88xf32>
// CHECK: vector.maskedload {{.*}} : memref<22xf32>
// CHECK: vector.maskedstore {{.*}} : memref<22xf32>
func.func @in_place(%a: memref<2x8xf32>, %b: memref<8x11xf32>, %c: memref<2x11xf32>) {
  %ta = bufferization.to_tensor %a restrict : memref<2x8xf32> to tensor<2x8xf32>
  %tb = bufferization.to_tensor %b restrict : memref<8x11xf32> to tensor<8x11xf32>
  %tc = bufferization.to_tensor %c restrict writable : memref<2x11xf32> to tensor<2x11xf32>
  %y = einsum.kernel (%p = %ta : tensor<2x8xf32>, %q = %tb : tensor<8x11xf32>, %r = %tc : tensor<2x11xf32>) -> tensor<2x11xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) {schedule = #einsum.schedule<
        tile = [2, 2], unroll = 1, dims = [
        <"m" prim 2>, <"n" prim 11>, <"k" prim 8>]>}
      : (tensor<2x8xf32>, tensor<8x11xf32>) -> tensor<2x11xf32>
    %product = arith.mulf %ab, %r : tensor<2x11xf32>
    einsum.yield %product : tensor<2x11xf32>
  }
  bufferization.materialize_in_destination %y in restrict writable %c : (tensor<2x11xf32>, memref<2x11xf32>) -> ()
  return
}
// CHECK-LABEL: @in_place_start
// CHECK: vector.maskedload {{.*}} : memref<22xf32>
// CHECK: vector.maskedstore {{.*}} : memref<22xf32>
func.func @in_place_start(%a: memref<2x8xf32>, %b: memref<8x11xf32>, %c: memref<2x11xf32>) {
  %ta = bufferization.to_tensor %a restrict : memref<2x8xf32> to tensor<2x8xf32>
  %tb = bufferization.to_tensor %b restrict : memref<8x11xf32> to tensor<8x11xf32>
  %tc = bufferization.to_tensor %c restrict writable : memref<2x11xf32> to tensor<2x11xf32>
  %y = einsum.kernel (%p = %ta : tensor<2x8xf32>, %q = %tb : tensor<8x11xf32>, %r = %tc : tensor<2x11xf32>) -> tensor<2x11xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) {schedule = #einsum.schedule<
        tile = [2, 1], unroll = 1, dims = [
        <"m" prim 2>, <"n" prim 11>, <"k" prim 8>]>}
      : (tensor<2x8xf32>, tensor<8x11xf32>) -> tensor<2x11xf32>
    %sum = arith.addf %ab, %r : tensor<2x11xf32>
    einsum.yield %sum : tensor<2x11xf32>
  }
  bufferization.materialize_in_destination %y in restrict writable %c : (tensor<2x11xf32>, memref<2x11xf32>) -> ()
  return
}

// Elements that differ, a transposed result, lanes that are computed twice, an operand of the epilogue that is read by lanes and one that
// is read by rows.
// CHECK-LABEL: @fused
// CHECK-NOT: memref.alloc{{.*}}f32>
// CHECK: vector.fma
// CHECK: arith.mulf {{.*}} : vector<8xf32>
// CHECK: arith.subf {{.*}} : vector<8xf32>
// CHECK: arith.truncf {{.*}} : vector<8xf32> to vector<8xf16>
// CHECK: vector.store {{.*}} : memref<33xf16>, vector<8xf16>
// CHECK: arith.truncf {{.*}} : vector<4xf32> to vector<4xf16>
// CHECK: vector.store {{.*}} : memref<33xf16>, vector<4xf16>
// CHECK: return
func.func @fused(%a: tensor<6x11xf16>, %b: tensor<3x6xf16>, %s: tensor<3xf16>, %d: tensor<11xf16>) -> tensor<3x11xf16> {
  %y = einsum.kernel (%p = %a : tensor<6x11xf16>, %q = %b : tensor<3x6xf16>, %ps = %s : tensor<3xf16>, %pd = %d : tensor<11xf16>)
      -> tensor<3x11xf16> {
    %ab = einsum.contract "km, nk -> mn" (%p, %q) {schedule = #einsum.schedule<
        lanes = 1, tile = [1, 2], unroll = 1, dims = [
        <"n" prim 3>, <"m" prim 11>, <"k" prim 6>]>}
      : (tensor<6x11xf16>, tensor<3x6xf16>) -> tensor<11x3xf32>
    %e = tensor.empty() : tensor<3x11xf16>
    %f = linalg.generic {indexing_maps = [#tr, #rows, #columns, #id], iterator_types = ["parallel", "parallel"]}
        ins(%ab, %ps, %pd : tensor<11x3xf32>, tensor<3xf16>, tensor<11xf16>) outs(%e : tensor<3x11xf16>) {
      ^bb0(%x: f32, %scale: f16, %offset: f16, %out: f16):
        %ws = arith.extf %scale : f16 to f32
        %wo = arith.extf %offset : f16 to f32
        %scaled = arith.mulf %x, %ws : f32
        %moved = arith.subf %scaled, %wo : f32
        %h = arith.truncf %moved : f32 to f16
        linalg.yield %h : f16
    } -> tensor<3x11xf16>
    einsum.yield %f : tensor<3x11xf16>
  }
  return %y : tensor<3x11xf16>
}

// What pointwise ops compute of an operand is computed once, when it is packed.
// CHECK-LABEL: @prologue
// CHECK: %[[PANELS:.*]] = memref.alloc() {alignment = 64 : i64} : memref<48xf32>
// CHECK: scf.for
// CHECK:   arith.addf {{.*}} : vector<8xf32>
// CHECK:   vector.store %{{.*}}, %[[PANELS]]
// CHECK: scf.for {{.*}} iter_args
// CHECK-NOT: arith.addf
// CHECK:   vector.load %[[PANELS]]
// CHECK: return
func.func @prologue(%a: tensor<2x6xf32>, %b: tensor<6x8xf32>, %c: tensor<6x8xf32>) -> tensor<2x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<2x6xf32>, %q = %b : tensor<6x8xf32>, %r = %c : tensor<6x8xf32>) -> tensor<2x8xf32> {
    %sum = arith.addf %q, %r : tensor<6x8xf32>
    %ab = einsum.contract "mk, kn -> mn" (%p, %sum) {schedule = #einsum.schedule<
        tile = [2, 1], unroll = 1, dims = [
        <"m" prim 2>, <"n" prim 8>, <"k" prim 6>]>}
      : (tensor<2x6xf32>, tensor<6x8xf32>) -> tensor<2x8xf32>
    einsum.yield %ab : tensor<2x8xf32>
  }
  return %y : tensor<2x8xf32>
}

// A permuted operand combined with another one, without a sum.
// CHECK-LABEL: @permuted_difference
// CHECK: vector.shuffle
// CHECK: arith.subf {{.*}} : vector<8xf32>
// CHECK: return
func.func @permuted_difference(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf32> {
  %y = einsum.kernel (%p = %a : tensor<8x8xf32>, %q = %b : tensor<8x8xf32>) -> tensor<8x8xf32> {
    %t = einsum.contract "mn -> nm" (%p) {schedule = #einsum.schedule<
        tile = [8, 1], dims = [
        <"n" prim 8>, <"m" prim 8>]>}
      : (tensor<8x8xf32>) -> tensor<8x8xf32>
    %d = arith.subf %t, %q : tensor<8x8xf32>
    einsum.yield %d : tensor<8x8xf32>
  }
  return %y : tensor<8x8xf32>
}

// Columns of an image, every second one: elements of two vectors that hold all of them. Of the last three, which lie in
// less than a vector, those beyond are 0.
// CHECK-LABEL: @every_second
// CHECK: %[[A:.*]] = vector.load {{.*}} vector<8xf32>
// CHECK: %[[B:.*]] = vector.load {{.*}} vector<8xf32>
// CHECK: vector.shuffle %[[A]], %[[B]] [0, 2, 4, 6, 9, 11, 13, 15] : vector<8xf32>, vector<8xf32>
// CHECK: return
func.func @every_second(%x: tensor<2x5x23xf32>, %w: tensor<2x3x3xf32>) -> tensor<2x2x11xf32> {
  %y = einsum.contract "c(2*h+r)(2*w+s), crs -> chw" (%x, %w) {schedule = #einsum.schedule<
      tile = [2, 2], unroll = 3, dims = [
      <"c" seq 2>, <"h" prim 2>, <"w" prim 11>, <"r" prim 3>, <"s" prim 3>]>}
    : (tensor<2x5x23xf32>, tensor<2x3x3xf32>) -> tensor<2x2x11xf32>
  return %y : tensor<2x2x11xf32>
}

// The same of each third column, and of partial vectors that span several.
// CHECK-LABEL: @every_third
// CHECK-COUNT-2: vector.shuffle
// CHECK: return
func.func @every_third(%x: tensor<3x62xf32>, %w: tensor<3x3xf32>) -> tensor<3x20xf32> {
  %y = einsum.contract "c(3*w+s), cs -> cw" (%x, %w) {schedule = #einsum.schedule<
      tile = [1, 1], unroll = 3, dims = [
      <"c" prim 3>, <"w" prim 20>, <"s" prim 3>]>}
    : (tensor<3x62xf32>, tensor<3x3xf32>) -> tensor<3x20xf32>
  return %y : tensor<3x20xf32>
}

// 13 columns: the last vector has five, which span more than one.
// CHECK-LABEL: @part
// CHECK: vector.shuffle
// CHECK: return
func.func @part(%x: tensor<2x27xf32>, %w: tensor<2x3xf32>) -> tensor<2x13xf32> {
  %y = einsum.contract "c(2*w+s), cs -> cw" (%x, %w) {schedule = #einsum.schedule<
      tile = [1, 2], unroll = 3, dims = [
      <"c" prim 2>, <"w" prim 13>, <"s" prim 3>]>}
    : (tensor<2x27xf32>, tensor<2x3xf32>) -> tensor<2x13xf32>
  return %y : tensor<2x13xf32>
}

// Sums in another type than the result's go on in a buffer, of what the loops inside of the one over the sum write.
// CHECK-LABEL: @held
// CHECK: scf.for %[[N:.*]] = %c0 to %c2 step %c1 {
// CHECK:   %[[HELD:.*]] = memref.alloc() {alignment = 64 : i64} : memref<32xf32>
// CHECK:   scf.for %[[K:.*]] = %c0 to %c3 step %c1 {
// CHECK:     vector.load %[[HELD]]
// CHECK:     scf.if
// CHECK:       arith.truncf
// CHECK:     } else {
// CHECK:       vector.store %{{.*}}, %[[HELD]]
// CHECK: memref.dealloc %[[HELD]]
func.func @held(%a: memref<4x6xf16>, %b: memref<6x16xf16>, %c: memref<4x16xf16>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<4x16xf16>) {schedule = #einsum.schedule<
      tile = [2, 2], unroll = 1, dims = [<"n" seq 2 step 8>, <"k" seq 3 step 2>,
      <"m" prim 4>, <"n" prim 8>, <"k" prim 2>]>}
    : (memref<4x6xf16>, memref<6x16xf16>)
  return
}

// Nor are they rounded by the pointwise ops that come after them.
// CHECK-LABEL: @held_elements
// CHECK: memref.alloc() {alignment = 64 : i64} : memref<64xf32>
// CHECK: scf.if
// CHECK:   arith.truncf
func.func @held_elements(%a: tensor<8x8xf32>, %b: tensor<8x8xf32>) -> tensor<8x8xf16> {
  %y = einsum.kernel (%p = %a : tensor<8x8xf32>, %q = %b : tensor<8x8xf32>) -> tensor<8x8xf16> {
    %0 = einsum.contract "mk, kn -> mn" (%p, %q) {schedule = #einsum.schedule<dims = [
        <"k" seq 2 step 4>, <"m" prim 8>, <"n" prim 8>,
        <"k" prim 4>]>}
      : (tensor<8x8xf32>, tensor<8x8xf32>) -> tensor<8x8xf32>
    %1 = arith.truncf %0 : tensor<8x8xf32> to tensor<8x8xf16>
    einsum.yield %1 : tensor<8x8xf16>
  }
  return %y : tensor<8x8xf16>
}

// Steps of a window that are one iteration read each element along rows once: four rows and three steps are six elements.
// CHECK-LABEL: @window
// CHECK: scf.for {{.*}} iter_args
// CHECK-COUNT-6: memref.load
// CHECK-NOT: memref.load
// CHECK: scf.yield
func.func @window(%x: memref<8x18xf32>, %w: memref<16x8x3xf32>, %y: memref<16x16xf32>) {
  einsum.contract "c(w+s), kcs -> wk" (%x, %w) outs(%y : memref<16x16xf32>) {schedule = #einsum.schedule<
      tile = [4, 1], unroll = 3, pack = [1], dims = [<"w" prim 16>, <"k" prim 16>, <"c" prim 8>, <"s" prim 3>]>}
    : (memref<8x18xf32>, memref<16x8x3xf32>)
  return
}

}
