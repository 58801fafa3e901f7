// Every operation of the dialect in its own syntax, printed, parsed again, and in the generic form.
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt %s --mlir-print-op-generic | tile-opt | FileCheck %s
// RUN: tile-opt %s --emit-bytecode | tile-opt | FileCheck %s

// CHECK-LABEL: func.func @grid
// CHECK-SAME: attributes {tile.kernel}
func.func @grid(%p: !tile.ptr<i32> {tile.noalias, tile.multiple_of = 16 : i64}) attributes {tile.kernel} {
  // CHECK: tile.program_id x
  %x = tile.program_id x
  // CHECK: tile.program_id z
  %z = tile.program_id z
  // CHECK: tile.num_programs y
  %y = tile.num_programs y
  // CHECK: tile.store %{{.*}}, %{{.*}} : !tile.ptr<i32>
  tile.store %p, %x : !tile.ptr<i32>
  return
}

// CHECK-LABEL: func.func @host
func.func @host(%m: memref<64xi32>, %n: index) {
  // CHECK: tile.launch @grid grid(%{{.*}}, %{{.*}}, %{{.*}}) (%{{.*}}) : memref<64xi32>
  tile.launch @grid grid(%n, %n, %n) (%m) : memref<64xi32>
  // CHECK: tile.launch @empty grid(%{{.*}}, %{{.*}}, %{{.*}}) ()
  tile.launch @empty grid(%n, %n, %n) ()
  return
}
func.func @empty() attributes {tile.kernel} {
  return
}

// CHECK-LABEL: func.func @retiling
func.func @retiling(%x: f32, %p: !tile.ptr<f16>) {
  // CHECK: tile.splat %{{.*}} : f32 -> tensor<6xf32>
  %0 = tile.splat %x : f32 -> tensor<6xf32>
  // CHECK: tile.splat %{{.*}} : !tile.ptr<f16> -> tensor<2x3x!tile.ptr<f16>>
  %1 = tile.splat %p : !tile.ptr<f16> -> tensor<2x3x!tile.ptr<f16>>
  // CHECK: tile.range -3 to 4 : tensor<7xi64>
  %2 = tile.range -3 to 4 : tensor<7xi64>
  // CHECK: tile.reshape %{{.*}} : tensor<6xf32> -> tensor<2x3xf32>
  %3 = tile.reshape %0 : tensor<6xf32> -> tensor<2x3xf32>
  // CHECK: tile.broadcast %{{.*}} : tensor<2x3xf32> -> tensor<5x2x3xf32>
  %4 = tile.broadcast %3 : tensor<2x3xf32> -> tensor<5x2x3xf32>
  // CHECK: tile.trans %{{.*}} [2, 0, 1] : tensor<5x2x3xf32>
  %5 = tile.trans %4 [2, 0, 1] : tensor<5x2x3xf32>
  // The type of the result follows from the permutation.
  // CHECK: tile.reshape %{{.*}} : tensor<3x5x2xf32> -> tensor<30xf32>
  %6 = tile.reshape %5 : tensor<3x5x2xf32> -> tensor<30xf32>
  return
}

// CHECK-LABEL: func.func @across
func.func @across(%a: tensor<4x3x5xf16>, %b: tensor<4x5x2xf16>, %c: tensor<4x3x2xf32>, %i: tensor<3x7xi8>, %j: tensor<7x2xi8>, %k: tensor<3x2xi32>, %v: tensor<9xi1>) {
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<4x3x5xf16>, tensor<4x5x2xf16>, tensor<4x3x2xf32>
  %0 = tile.dot %a, %b, %c : tensor<4x3x5xf16>, tensor<4x5x2xf16>, tensor<4x3x2xf32>
  // CHECK: tile.dot %{{.*}} : tensor<3x7xi8>, tensor<7x2xi8>, tensor<3x2xi32>
  %1 = tile.dot %i, %j, %k : tensor<3x7xi8>, tensor<7x2xi8>, tensor<3x2xi32>
  // CHECK: tile.reduce umax %{{.*}} axis 1 : tensor<3x2xi32>
  %2 = tile.reduce umax %1 axis 1 : tensor<3x2xi32>
  // A tile of one axis is reduced to a scalar.
  // CHECK: tile.reduce and %{{.*}} axis 0 : tensor<9xi1>
  %3 = tile.reduce and %v axis 0 : tensor<9xi1>
  // CHECK: arith.xori %{{.*}}, %{{.*}} : i1
  %4 = arith.xori %3, %3 : i1
  // CHECK: tile.scan add %{{.*}} axis 0 : tensor<3x2xi32>
  %5 = tile.scan add %1 axis 0 : tensor<3x2xi32>
  // CHECK: tile.scan max %{{.*}} axis 1 reverse : tensor<3x2xi32>
  %6 = tile.scan max %1 axis 1 reverse : tensor<3x2xi32>
  return
}

// CHECK-LABEL: func.func @memory
func.func @memory(%p: !tile.ptr<f32>, %q: tensor<8x!tile.ptr<f32>>, %i: i64, %o: tensor<8xi32>, %m: tensor<8xi1>, %b: i1, %x: tensor<8xf32>, %y: f32) {
  // CHECK: tile.addptr %{{.*}}, %{{.*}} : !tile.ptr<f32>, i64
  %0 = tile.addptr %p, %i : !tile.ptr<f32>, i64
  // CHECK: tile.addptr %{{.*}}, %{{.*}} : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  %1 = tile.addptr %q, %o : tensor<8x!tile.ptr<f32>>, tensor<8xi32>
  // CHECK: tile.load %{{.*}} : !tile.ptr<f32>
  %2 = tile.load %0 : !tile.ptr<f32>
  // CHECK: tile.load %{{.*}} mask %{{.*}} : tensor<8x!tile.ptr<f32>>
  %3 = tile.load %1 mask %m : tensor<8x!tile.ptr<f32>>
  // CHECK: tile.load %{{.*}} mask %{{.*}} other %{{.*}} : tensor<8x!tile.ptr<f32>>
  %4 = tile.load %1 mask %m other %x : tensor<8x!tile.ptr<f32>>
  // CHECK: tile.load %{{.*}} {is_volatile} : !tile.ptr<f32>
  %9 = tile.load %0 {is_volatile} : !tile.ptr<f32>
  // CHECK: tile.store %{{.*}}, %{{.*}} mask %{{.*}} : !tile.ptr<f32>
  tile.store %p, %y mask %b : !tile.ptr<f32>
  // CHECK: tile.store %{{.*}}, %{{.*}} : tensor<8x!tile.ptr<f32>>
  tile.store %q, %x : tensor<8x!tile.ptr<f32>>
  // CHECK: tile.atomic_rmw add %{{.*}}, %{{.*}} mask %{{.*}} : tensor<8x!tile.ptr<f32>>
  %5 = tile.atomic_rmw add %q, %x mask %m : tensor<8x!tile.ptr<f32>>
  // CHECK: tile.atomic_rmw xchg %{{.*}}, %{{.*}} : !tile.ptr<f32>
  %6 = tile.atomic_rmw xchg %p, %y : !tile.ptr<f32>
  // CHECK: tile.atomic_cas %{{.*}}, %{{.*}}, %{{.*}} mask %{{.*}} : tensor<8x!tile.ptr<f32>>
  %7 = tile.atomic_cas %q, %x, %5 mask %m : tensor<8x!tile.ptr<f32>>
  // CHECK: tile.atomic_cas %{{.*}}, %{{.*}}, %{{.*}} : !tile.ptr<f32>
  %8 = tile.atomic_cas %p, %y, %6 : !tile.ptr<f32>
  // CHECK: tile.atomic_cas %{{.*}}, %{{.*}}, %{{.*}} order acquire scope sys : !tile.ptr<f32>
  %taken = tile.atomic_cas %p, %y, %6 order acquire scope sys : !tile.ptr<f32>
  // CHECK: tile.atomic_rmw add %{{.*}}, %{{.*}} mask %{{.*}} order acq_rel scope cta : tensor<8x!tile.ptr<f32>>
  %sums = tile.atomic_rmw add %q, %x mask %m order acq_rel scope cta : tensor<8x!tile.ptr<f32>>
  // CHECK: tile.atomic_rmw xchg %{{.*}}, %{{.*}} : !tile.ptr<f32>
  %old = tile.atomic_rmw xchg %p, %y order relaxed scope gpu : !tile.ptr<f32>
  // CHECK: tile.ptr_to_int %{{.*}} : !tile.ptr<f32> -> i64
  %10 = tile.ptr_to_int %p : !tile.ptr<f32> -> i64
  // CHECK: tile.int_to_ptr %{{.*}} : i64 -> !tile.ptr<f16>
  %11 = tile.int_to_ptr %10 : i64 -> !tile.ptr<f16>
  // CHECK: tile.ptr_to_ptr %{{.*}} : tensor<8x!tile.ptr<f32>> -> tensor<8x!tile.ptr<i8>>
  %12 = tile.ptr_to_ptr %q : tensor<8x!tile.ptr<f32>> -> tensor<8x!tile.ptr<i8>>
  // CHECK: tile.ptr_to_int %{{.*}} : tensor<8x!tile.ptr<i8>> -> tensor<8xi64>
  %13 = tile.ptr_to_int %12 : tensor<8x!tile.ptr<i8>> -> tensor<8xi64>
  // CHECK: tile.int_to_ptr %{{.*}} : tensor<8xi64> -> tensor<8x!tile.ptr<f32>>
  %14 = tile.int_to_ptr %13 : tensor<8xi64> -> tensor<8x!tile.ptr<f32>>
  return
}

// CHECK-LABEL: func.func @views
func.func @views(%m: memref<?x?xf16>, %n: memref<4x?x8x6xf16, strided<[?, ?, 6, 1]>>, %i: index) {
  // CHECK: tile.load_view %{{.*}}[%{{.*}}, %{{.*}}] : memref<?x?xf16> -> tensor<3x5xf16>
  %0 = tile.load_view %m[%i, %i] : memref<?x?xf16> -> tensor<3x5xf16>
  // CHECK: tile.load_view %{{.*}}[%{{.*}}] axes [1, 3] : memref<4x?x8x6xf16, strided<[?, ?, 6, 1]>> -> tensor<3x5xf16>
  %1 = tile.load_view %n[%i, %i, %i, %i] axes [1, 3] : memref<4x?x8x6xf16, strided<[?, ?, 6, 1]>> -> tensor<3x5xf16>
  // CHECK: tile.load_view %{{.*}}[%{{.*}}] axes [1, 2] steps [2, 3] in_bounds [false, true] : memref<4x?x8x6xf16, strided<[?, ?, 6, 1]>> -> tensor<3x2xf16>
  %2 = tile.load_view %n[%i, %i, %i, %i] axes [1, 2] steps [2, 3] in_bounds [false, true] : memref<4x?x8x6xf16, strided<[?, ?, 6, 1]>> -> tensor<3x2xf16>
  // CHECK: tile.store_view %{{.*}}, %{{.*}}[%{{.*}}, %{{.*}}] : tensor<3x5xf16>, memref<?x?xf16>
  tile.store_view %1, %m[%i, %i] : tensor<3x5xf16>, memref<?x?xf16>
  // CHECK: tile.store_view %{{.*}}, %{{.*}}[%{{.*}}] axes [0, 2]
  tile.store_view %0, %n[%i, %i, %i, %i] axes [0, 2] : tensor<3x5xf16>, memref<4x?x8x6xf16, strided<[?, ?, 6, 1]>>
  return
}

// CHECK-LABEL: func.func @predicates
func.func @predicates(%x: tensor<8xf32>, %i: i16, %p: i1, %q: !tile.ptr<f32>) {
  // CHECK: %[[T:.*]], %[[E:.*]] = tile.cmpp ult %{{.*}}, %{{.*}} : tensor<8xf32>
  %t, %e = tile.cmpp ult %x, %x : tensor<8xf32>
  // CHECK: tile.cmpp sge %{{.*}}, %{{.*}} : i16
  %u, %f = tile.cmpp sge %i, %i : i16
  // CHECK: tile.psi %[[T]] ? %{{.*}}, %[[E]] ? %{{.*}} : tensor<8xi1>, tensor<8xf32>
  %0 = tile.psi %t ? %x, %e ? %x : tensor<8xi1>, tensor<8xf32>
  // CHECK: tile.psi %{{.*}} ? %{{.*}} : i1, tensor<8xf32>
  %1 = tile.psi %u ? %x : i1, tensor<8xf32>
  // CHECK: tile.assume %{{.*}} {divisibility = array<i64: 4>, range = array<i64: -8, 99>} : i16
  %2 = tile.assume %i {divisibility = array<i64: 4>, range = array<i64: -8, 99>} : i16
  // CHECK: tile.assume %{{.*}} {divisibility = array<i64: 16>} : !tile.ptr<f32>
  %3 = tile.assume %q {divisibility = array<i64: 16>} : !tile.ptr<f32>
  return
}

// CHECK-LABEL: func.func @print
func.func @print(%x: tensor<8xf8E5M2>, %n: i64) {
  // CHECK: tile.print "done"{{$}}
  tile.print "done"
  // CHECK: tile.print "%5.1e of %lld%%\0A" %{{.*}}, %{{.*}} : tensor<8xf8E5M2>, i64
  tile.print "%5.1e of %lld%%\n" %x, %n : tensor<8xf8E5M2>, i64
  return
}

// CHECK-LABEL: func.func private @types
// CHECK-SAME: !tile.buffer<128x64xf16>, !tile.buffer<4xi8, #layout{{.*}}>, !tile.ptr<bf16>
func.func private @types(!tile.buffer<128x64xf16>, !tile.buffer<4xi8, #tile.layout<offset = [[2], [1]]>>, !tile.ptr<bf16>)
