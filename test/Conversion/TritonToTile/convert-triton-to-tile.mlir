// What each op becomes.
// RUN: tile-opt %s --split-input-file --convert-triton-to-tile | FileCheck %s
// RUN: tile-opt %s --split-input-file --convert-triton-to-tile=undefined-other=zero | FileCheck %s --check-prefix=ZERO

// CHECK-LABEL: func.func @arguments(
// CHECK-SAME: %{{.*}}: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %{{.*}}: i32 {tile.multiple_of = 8 : i64}, %{{.*}}: f32, %{{.*}}: !tile.ptr<i8>)
// CHECK-SAME: attributes {tile.kernel}
tt.func public @arguments(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %n: i32 {tt.divisibility = 8 : i32}, %x: f32 {tt.divisibility = 4 : i32}, %b: !tt.ptr<i1> {tt.pointer_range = 32 : i32}) attributes {noinline = false} {
  // CHECK: %[[X:.*]] = tile.program_id x
  // CHECK: %[[N:.*]] = tile.num_programs y
  %0 = tt.get_program_id x : i32
  %1 = tt.get_num_programs y : i32
  // CHECK: %[[Q:.*]] = tile.addptr %{{.*}}, %[[X]] : !tile.ptr<f32>, i32
  %2 = tt.addptr %p, %0 : !tt.ptr<f32>, i32
  // CHECK-NEXT: tile.store %[[Q]], %{{.*}} : !tile.ptr<f32>
  tt.store %2, %x : !tt.ptr<f32>
  // CHECK: %[[W:.*]] = arith.extsi %{{.*}} : i8 to i32
  // CHECK-NEXT: tile.addptr %{{.*}}, %[[W]] : !tile.ptr<i8>, i32
  %3 = tt.bitcast %b : !tt.ptr<i1> -> !tt.ptr<i8>
  %c5 = arith.constant 5 : i8
  %4 = tt.addptr %3, %c5 : !tt.ptr<i8>, i8
  tt.store %4, %c5 : !tt.ptr<i8>
  %5 = tt.addptr %p, %1 : !tt.ptr<f32>, i32
  tt.store %5, %x : !tt.ptr<f32>
  // CHECK: return
  // CHECK-NEXT: }
  tt.return
}

// -----

// Loads: undefined elements are those of a psi without other pairs.
// CHECK-LABEL: func.func @loads
// ZERO-LABEL: func.func @loads
tt.func public @loads(%p: !tt.ptr<f32>, %n: i32) {
  %lane = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %size = tt.splat %n {tt.divisibility = dense<16> : tensor<1xi32>} : i32 -> tensor<64xi32>
  %mask = arith.cmpi slt, %lane, %size : tensor<64xi32>
  %base = tt.splat %p : !tt.ptr<f32> -> tensor<64x!tt.ptr<f32>>
  %at = tt.addptr %base, %lane : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  // CHECK: %[[X:.*]] = tile.load %[[P:.*]] mask %[[M:.*]] : tensor<64x!tile.ptr<f32>>
  // CHECK-NEXT: %[[Y:.*]] = tile.psi %[[M]] ? %[[X]] : tensor<64xi1>, tensor<64xf32>
  // CHECK-NEXT: %[[Z:.*]] = tile.load %[[P]] mask %[[M]] other %[[Y]] : tensor<64x!tile.ptr<f32>>
  // CHECK-NEXT: tile.store %[[P]], %[[Z]] mask %[[M]] : tensor<64x!tile.ptr<f32>>
  // ZERO: %[[X:.*]] = tile.load %[[P:.*]] mask %[[M:.*]] : tensor<64x!tile.ptr<f32>>
  // ZERO-NEXT: tile.load %[[P]] mask %[[M]] other %[[X]]
  %x = tt.load %at, %mask evictionPolicy = evict_last : tensor<64x!tt.ptr<f32>>
  %y = tt.load %at, %mask, %x : tensor<64x!tt.ptr<f32>>
  ttg.barrier all
  tt.store %at, %y, %mask : tensor<64x!tt.ptr<f32>>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %positive = arith.cmpi sgt, %n, %c0 : i32
  llvm.intr.assume %positive : i1
  // CHECK: scf.for
  // CHECK-NOT: tt.num_stages
  // CHECK: return
  scf.for %i = %c0 to %n step %c1 : i32 {
    tt.store %at, %y : tensor<64x!tt.ptr<f32>>
  } {tt.num_stages = 2 : i32}
  tt.return
}

// -----

// CHECK-LABEL: func.func @shapes
tt.func public @shapes(%p: !tt.ptr<f32>) {
  // CHECK: %[[R:.*]] = tile.range 0 to 16 : tensor<16xi32>
  %lane = tt.make_range {end = 16 : i32, start = 0 : i32} : tensor<16xi32>
  // CHECK: %[[C:.*]] = tile.reshape %[[R]] : tensor<16xi32> -> tensor<16x1xi32>
  %column = tt.expand_dims %lane {axis = 1 : i32} : tensor<16xi32> -> tensor<16x1xi32>
  // CHECK: %[[W:.*]] = tile.broadcast %[[C]] : tensor<16x1xi32> -> tensor<16x8xi32>
  %wide = tt.broadcast %column : tensor<16x1xi32> -> tensor<16x8xi32>
  // CHECK: %[[T:.*]] = tile.trans %[[W]] [1, 0] : tensor<16x8xi32>
  %turned = tt.trans %wide {order = array<i32: 1, 0>} : tensor<16x8xi32> -> tensor<8x16xi32>
  // CHECK: %[[F:.*]] = tile.reshape %[[T]] : tensor<8x16xi32> -> tensor<128xi32>
  %flat = tt.reshape %turned allow_reorder : tensor<8x16xi32> -> tensor<128xi32>
  // CHECK: %[[B:.*]] = tile.splat %{{.*}} : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>>
  %base = tt.splat %p : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
  // CHECK: tile.addptr %[[B]], %[[F]] : tensor<128x!tile.ptr<f32>>, tensor<128xi32>
  %at = tt.addptr %base, %flat : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
  %x = tt.load %at : tensor<128x!tt.ptr<f32>>
  tt.store %at, %x : tensor<128x!tt.ptr<f32>>
  tt.return
}

// -----

// CHECK-LABEL: func.func @atomics
tt.func public @atomics(%p: !tt.ptr<f32>, %q: !tt.ptr<i32>, %x: f32, %i: i32, %m: i1) {
  // CHECK: tile.atomic_rmw add %{{.*}}, %{{.*}} mask %{{.*}} order acq_rel : !tile.ptr<f32>
  %0 = tt.atomic_rmw fadd, acq_rel, gpu, %p, %x, %m : (!tt.ptr<f32>, f32, i1) -> f32
  // CHECK: tile.atomic_rmw umax %{{.*}}, %{{.*}} : !tile.ptr<i32>
  %1 = tt.atomic_rmw umax, relaxed, gpu, %q, %i : (!tt.ptr<i32>, i32) -> i32
  // CHECK: tile.atomic_rmw xchg %{{.*}}, %{{.*}} order acquire scope cta : !tile.ptr<i32>
  %2 = tt.atomic_rmw exch, acquire, cta, %q, %i : (!tt.ptr<i32>, i32) -> i32
  // CHECK: tile.atomic_cas %{{.*}}, %{{.*}}, %{{.*}} order release scope sys : !tile.ptr<i32>
  %3 = tt.atomic_cas release, sys, %q, %i, %2 : (!tt.ptr<i32>, i32, i32) -> i32
  // CHECK: tile.load %{{.*}} mask %{{.*}} other %{{.*}} {is_volatile} : !tile.ptr<i32>
  %4 = tt.load %q, %m, %i {isVolatile = true} : !tt.ptr<i32>
  tt.return
}

// -----

// CHECK-LABEL: func.func @gather
tt.func public @gather(%p: !tt.ptr<f32>, %n: !tt.ptr<i8>, %m: i1) {
  %x0 = tt.load %p : !tt.ptr<f32>
  %x = tt.splat %x0 : f32 -> tensor<16x8xf32>
  %i0 = tt.load %n : !tt.ptr<i8>
  %i = tt.splat %i0 : i8 -> tensor<4x8xi8>
  // CHECK: %[[X:.*]] = tile.splat %{{.*}} : f32 -> tensor<16x8xf32>
  // CHECK: %[[I:.*]] = arith.extsi %{{.*}} : tensor<4x8xi8> to tensor<4x8xi32>
  // CHECK: %[[BITS:.*]] = arith.bitcast %[[X]] : tensor<16x8xf32> to tensor<16x8xi32>
  // CHECK: %[[TAKEN:.*]] = scf.for %[[K:.*]] = %c0{{.*}} to %c16{{.*}} step %c1{{.*}} iter_args(%[[T:.*]] = %{{.*}}) -> (tensor<4x8xi32>)
  // CHECK:   %[[CHOSEN:.*]] = arith.select %{{.*}}, %[[BITS]], %{{.*}}
  // CHECK:   %[[SLICE:.*]] = tile.reduce or %[[CHOSEN]] axis 0
  // CHECK:   %[[ROW:.*]] = tile.reshape %[[SLICE]] : tensor<8xi32> -> tensor<1x8xi32>
  // CHECK:   %[[ALL:.*]] = tile.broadcast %[[ROW]] : tensor<1x8xi32> -> tensor<4x8xi32>
  // CHECK:   %[[ASKED:.*]] = arith.cmpi eq, %[[I]], %{{.*}}
  // CHECK:   arith.select %[[ASKED]], %[[ALL]], %[[T]]
  // CHECK: %[[Y:.*]] = arith.bitcast %[[TAKEN]] : tensor<4x8xi32> to tensor<4x8xf32>
  // CHECK: %[[SIZE:.*]] = arith.constant dense<16> : tensor<4x8xi32>
  // CHECK: %[[INSIDE:.*]] = arith.cmpi ult, %[[I]], %[[SIZE]]
  // CHECK: tile.psi %[[INSIDE]] ? %[[Y]]
  %0 = tt.gather %x[%i] {axis = 0 : i32} : (tensor<16x8xf32>, tensor<4x8xi8>) -> tensor<4x8xf32>
  tt.return
}

// -----

// CHECK-LABEL: func.func @histogram
tt.func public @histogram(%n: !tt.ptr<i8>, %m: i1) {
  %i0 = tt.load %n : !tt.ptr<i8>
  %i = tt.splat %i0 : i8 -> tensor<64xi8>
  %ms = tt.splat %m : i1 -> tensor<64xi1>
  // CHECK: %[[I:.*]] = arith.extui %{{.*}} : tensor<64xi8> to tensor<64xi32>
  // CHECK: %[[NONE:.*]] = arith.constant dense<-1> : tensor<64xi32>
  // CHECK: %[[N:.*]] = arith.select %{{.*}}, %[[I]], %[[NONE]]
  // CHECK: scf.for %{{.*}} = %c0{{.*}} to %c16{{.*}} step %c1
  // CHECK:   %[[HIT:.*]] = arith.cmpi eq, %[[N]]
  // CHECK:   %[[ONES:.*]] = arith.extui %[[HIT]] : tensor<64xi1> to tensor<64xi32>
  // CHECK:   %[[SUM:.*]] = tile.reduce add %[[ONES]] axis 0
  // CHECK:   tile.splat %[[SUM]] : i32 -> tensor<16xi32>
  %0 = tt.histogram %i, %ms : tensor<64xi8> -> tensor<16xi32>
  tt.return
}

// -----

// CHECK-LABEL: func.func @combine
tt.func public @combine(%p: !tt.ptr<f32>) {
  %x = tt.load %p : !tt.ptr<f32>
  %t = tt.splat %x : f32 -> tensor<64xf32>
  // CHECK: %[[T:.*]] = tile.splat
  // CHECK: tile.reduce maxnum %[[T]] axis 0 : tensor<64xf32>
  %0 = "tt.reduce"(%t) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.maxnumf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<64xf32>) -> f32
  // CHECK: tile.reduce max %[[T]] axis 0 : tensor<64xf32>
  %1 = "tt.reduce"(%t) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.maximumf %b, %a : f32
    tt.reduce.return %c : f32
  }) : (tensor<64xf32>) -> f32
  // CHECK: tile.scan add %[[T]] axis 0 reverse : tensor<64xf32>
  %2 = "tt.scan"(%t) <{axis = 0 : i32, reverse = true}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.addf %a, %b : f32
    tt.scan.return %c : f32
  }) : (tensor<64xf32>) -> tensor<64xf32>
  // x - y has no name, and x + x is no combination of two: both become trees.
  // CHECK-COUNT-6: arith.subf %{{.*}}, %{{.*}} : tensor<{{32|16|8|4|2|1}}xf32>
  %3 = "tt.reduce"(%t) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.subf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<64xf32>) -> f32
  %s = arith.addf %0, %1 : f32
  %u = arith.addf %s, %3 : f32
  tt.store %p, %u : !tt.ptr<f32>
  tt.return
}

// -----

// CHECK-LABEL: func.func @compute
tt.func public @compute(%x: f32, %i: i32, %h: f16) {
  %a = tt.splat %x : f32 -> tensor<16x16xf32>
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} {precision = "tf32"} : tensor<16x16xf32>
  %0 = tt.dot %a, %a, %a, inputPrecision = tf32 : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<16x16xf32>
  %1 = tt.dot %a, %a, %a : tensor<16x16xf32> * tensor<16x16xf32> -> tensor<16x16xf32>
  %b = tt.splat %h : f16 -> tensor<16x16xf16>
  // tf32 is said of all products, but means those of f32.
  // CHECK: tile.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<16x16xf16>
  %2 = tt.dot %b, %b, %a, inputPrecision = tf32 : tensor<16x16xf16> * tensor<16x16xf16> -> tensor<16x16xf32>
  // CHECK: arith.maxnumf
  // CHECK-NEXT: arith.minnumf
  %3 = tt.clampf %x, %x, %x, propagateNan = none : f32
  // CHECK: arith.maximumf
  // CHECK-NEXT: arith.minimumf
  %4 = tt.clampf %x, %x, %x, propagateNan = all : f32
  // CHECK: arith.extui %{{.*}} : i32 to i64
  // CHECK: arith.shrui %{{.*}}, %c32
  %5 = tt.mulhiui %i, %i : i32
  // CHECK: arith.truncf %{{.*}} : f32 to bf16
  %6 = tt.fp_to_fp %x, rounding = rtne : f32 -> bf16
  // CHECK: %[[WIDE:.*]] = arith.extf %{{.*}} : f16 to f32
  // CHECK-NEXT: arith.truncf %[[WIDE]] : f32 to bf16
  %7 = tt.fp_to_fp %h : f16 -> bf16
  // CHECK: math.sqrt
  %8 = tt.precise_sqrt %x : f32
  // CHECK: arith.divf
  %9 = tt.precise_divf %x, %8 : f32
  // CHECK: arith.bitcast %{{.*}} : f32 to i32
  %10 = tt.bitcast %x : f32 -> i32
  // CHECK: math.erf %{{.*}} : f32
  %11 = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_erff"} : (f32) -> f32
  // CHECK: math.tanh %{{.*}} : f32
  %12 = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_fast_tanhf"} : (f32) -> f32
  // CHECK: math.powf %{{.*}}, %{{.*}} : f32
  %13 = tt.extern_elementwise %x, %x {libname = "", libpath = "", pure = true, symbol = "__nv_powf"} : (f32, f32) -> f32
  // CHECK: %[[NAN:.*]] = arith.cmpf uno
  // CHECK-NEXT: arith.extui %[[NAN]] : i1 to i32
  %14 = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_isnanf"} : (f32) -> i32
  tt.return
}

// -----

// A return in the middle, and a call.
// CHECK-LABEL: func.func @early
// CHECK-NOT: cf.
// CHECK: scf.if
// CHECK: arith.addf
// CHECK-NOT: func.func
tt.func public @early(%p: !tt.ptr<f32>, %n: i32) {
  %c5 = arith.constant 5 : i32
  %more = arith.cmpi sgt, %n, %c5 : i32
  cf.cond_br %more, ^bb1, ^bb2
^bb1:
  tt.return
^bb2:
  %x = tt.load %p : !tt.ptr<f32>
  %y = tt.call @twice(%x) : (f32) -> f32
  tt.store %p, %y : !tt.ptr<f32>
  tt.return
}
tt.func private @twice(%x: f32) -> f32 attributes {noinline = true} {
  %y = arith.addf %x, %x : f32
  tt.return %y : f32
}

// -----

// Casts of pointers, those to booleans as those to bytes.
// CHECK-LABEL: func.func @casts
tt.func public @casts(%p: !tt.ptr<f32>, %q: !tt.ptr<i64>, %b: !tt.ptr<i1>) {
  // CHECK: %[[A:.*]] = tile.ptr_to_int %{{.*}} : !tile.ptr<f32> -> i64
  %0 = tt.ptr_to_int %p : !tt.ptr<f32> -> i64
  tt.store %q, %0 : !tt.ptr<i64>
  %1 = tt.splat %q : !tt.ptr<i64> -> tensor<8x!tt.ptr<i64>>
  %2 = tt.load %1 : tensor<8x!tt.ptr<i64>>
  // CHECK: %[[P:.*]] = tile.int_to_ptr %{{.*}} : tensor<8xi64> -> tensor<8x!tile.ptr<i8>>
  %3 = tt.int_to_ptr %2 : tensor<8xi64> -> tensor<8x!tt.ptr<i1>>
  // CHECK-NEXT: %[[H:.*]] = tile.ptr_to_ptr %[[P]] : tensor<8x!tile.ptr<i8>> -> tensor<8x!tile.ptr<f16>>
  %4 = tt.bitcast %3 : tensor<8x!tt.ptr<i1>> -> tensor<8x!tt.ptr<f16>>
  // CHECK-NEXT: tile.load %[[H]]
  %5 = tt.load %4 : tensor<8x!tt.ptr<f16>>
  tt.store %4, %5 : tensor<8x!tt.ptr<f16>>
  tt.return
}

// -----

// The argument is a pointer, with what a copy engine wants of it. What is the same for a block is added to its pointer.
// CHECK-LABEL: func.func @descriptor(
// CHECK-SAME: %[[A:.*]]: !tile.ptr<f16> {tile.multiple_of = 16 : i64}, %[[M:[^:]*]]: i32, %[[N:[^:]*]]: i32, %[[S:[^:]*]]: i64 {tile.multiple_of = 8 : i64}, %{{[^:]*}}: i64, %[[I:[^:]*]]: i32, %[[J:[^:]*]]: i32)
tt.func public @descriptor(%d: !tt.tensordesc<8x16xf16>, %m: i32, %n: i32, %s: i64, %t: i64, %i: i32, %j: i32) {
  // CHECK: %[[I64:.*]] = arith.extsi %[[I]] : i32 to i64
  // CHECK: %[[ROW:.*]] = arith.muli %[[I64]], %[[S]] : i64
  // CHECK: %[[AT:.*]] = tile.addptr %[[A]], %[[ROW]]
  // CHECK: arith.cmpi sge
  // CHECK: arith.cmpi slt
  // CHECK: %[[J64:.*]] = arith.extsi %[[J]] : i32 to i64
  // CHECK: %[[BASE:.*]] = tile.addptr %[[AT]], %[[J64]]
  // CHECK: %[[PS:.*]] = tile.splat %[[BASE]] : !tile.ptr<f16> -> tensor<8x16x!tile.ptr<f16>>
  // CHECK: %[[P:.*]] = tile.addptr %[[PS]], %{{.*}} : tensor<8x16x!tile.ptr<f16>>, tensor<8x16xi64>
  // CHECK: %[[Z:.*]] = arith.constant dense<0.000000e+00> : tensor<8x16xf16>
  // CHECK: %[[X:.*]] = tile.load %[[P]] mask %{{.*}} other %[[Z]]
  %x = tt.descriptor_load %d[%i, %j] : !tt.tensordesc<8x16xf16> -> tensor<8x16xf16>
  // CHECK: tile.atomic_rmw add %{{.*}}, %[[X]] mask %{{.*}} : tensor<8x16x!tile.ptr<f16>>
  tt.descriptor_reduce add, %d[%i, %j], %x : !tt.tensordesc<8x16xf16>, tensor<8x16xf16>
  tt.return
}

// -----

// Which of two, and what is outside of it, is not known before.
// CHECK-LABEL: func.func @one_of_two(
tt.func public @one_of_two(%p: !tt.ptr<f32>, %q: !tt.ptr<f32>, %n: i32, %s: i64, %c: i1) {
  %d = tt.make_tensor_descriptor %p, [%n], [%s] {padding = 2 : i32} : <f32>, <16xf32>
  %e = tt.make_tensor_descriptor %q, [%n], [%s] : <f32>, <16xf32>
  // CHECK: %[[NAN:.*]] = arith.constant true
  // CHECK: %[[OFF:.*]] = arith.constant false
  // CHECK: arith.select %[[C:.*]], %{{.*}}, %{{.*}} : !tile.ptr<f32>
  // CHECK: %[[IS:.*]] = arith.select %[[C]], %[[NAN]], %[[OFF]] : i1
  %f = arith.select %c, %d, %e : !tt.tensordesc<16xf32>
  // CHECK: arith.select %[[IS]], %{{.*}}, %{{.*}} : tensor<16xf32>
  %x = tt.descriptor_load %f[%n] : !tt.tensordesc<16xf32> -> tensor<16xf32>
  tt.descriptor_store %e[%n], %x : !tt.tensordesc<16xf32>, tensor<16xf32>
  tt.return
}

// -----

// CHECK-LABEL: func.func @assert(
tt.func public @assert(%c: i1) {
  %m = tt.splat %c : i1 -> tensor<4x8xi1>
  // CHECK: cf.assert %{{.*}}, "one"
  tt.assert %c, "one" : i1
  // CHECK: %[[R:.*]] = tile.reduce and %{{.*}} axis 0 : tensor<4x8xi1>
  // CHECK: %[[A:.*]] = tile.reduce and %[[R]] axis 0 : tensor<8xi1>
  // CHECK: cf.assert %[[A]], "all"
  tt.assert %m, "all" : tensor<4x8xi1>
  tt.return
}

// -----

// The scale of 32 elements along K, as bf16, times these.
// CHECK-LABEL: func.func @scaled(
tt.func public @scaled(%p: !tt.ptr<f8E5M2>, %c: f32) {
  %zero = arith.constant dense<0.0> : tensor<16x64xf8E5M2>
  %s = arith.constant dense<127> : tensor<16x2xi8>
  %b = arith.constant dense<1.0> : tensor<64x16xbf16>
  %d = arith.constant dense<0.0> : tensor<16x16xf32>
  // CHECK: %[[A:.*]] = arith.extf %{{.*}} : tensor<16x64xf8E5M2> to tensor<16x64xbf16>
  // CHECK: %[[W:.*]] = arith.extui %{{.*}} : tensor<16x2xi8> to tensor<16x2xi16>
  // CHECK: arith.shli %[[W]]
  // CHECK: %[[F:.*]] = arith.bitcast %{{.*}} : tensor<16x2xi16> to tensor<16x2xbf16>
  // CHECK: %[[R:.*]] = tile.reshape %[[F]] : tensor<16x2xbf16> -> tensor<16x2x1xbf16>
  // CHECK: %[[B:.*]] = tile.broadcast %[[R]] : tensor<16x2x1xbf16> -> tensor<16x2x32xbf16>
  // CHECK: %[[E:.*]] = tile.reshape %[[B]] : tensor<16x2x32xbf16> -> tensor<16x64xbf16>
  // CHECK: %[[S:.*]] = arith.mulf %[[A]], %[[E]]
  // CHECK: tile.dot %[[S]], %{{.*}}, %{{.*}} : tensor<16x64xbf16>, tensor<64x16xbf16>, tensor<16x16xf32>
  %0 = tt.dot_scaled %zero scale %s, %b, %d lhs = e5m2 rhs = bf16 {fastMath = false} : tensor<16x64xf8E5M2>, tensor<16x2xi8> * tensor<64x16xbf16> -> tensor<16x16xf32>
  tt.return
}

// -----

// A line for each element of each operand, as Triton prints it.
// CHECK-LABEL: func.func @print(
tt.func public @print(%f: f32, %n: i8, %p: !tt.ptr<f32>) {
  %x = tt.splat %f : f32 -> tensor<4x16xf32>
  // CHECK-DAG: %[[X:.*]] = tile.program_id x
  // CHECK-DAG: %[[Y:.*]] = tile.program_id y
  // CHECK-DAG: %[[Z:.*]] = tile.program_id z
  // CHECK: %[[I:.*]] = tile.broadcast %{{.*}} : tensor<4x1xi32> -> tensor<4x16xi32>
  // CHECK: %[[J:.*]] = tile.broadcast %{{.*}} : tensor<1x16xi32> -> tensor<4x16xi32>
  // CHECK: tile.print "pid (%d, %d, %d) idx (%1d, %2d) 50%%: (operand 0) %f\0A" %[[X]], %[[Y]], %[[Z]], %[[I]], %[[J]], %{{.*}} : i32, i32, i32, tensor<4x16xi32>, tensor<4x16xi32>, tensor<4x16xf32>
  // CHECK: tile.print "pid (%d, %d, %d) idx () 50%%: (operand 1) %d\0A" %{{.*}}, %{{.*}}, %{{.*}}, %{{.*}} : i32, i32, i32, i8
  // CHECK: %[[A:.*]] = tile.ptr_to_int %{{.*}} : !tile.ptr<f32> -> i64
  // CHECK: tile.print "pid (%d, %d, %d) idx () 50%%: (operand 2) 0x%x\0A" %{{.*}}, %{{.*}}, %{{.*}}, %[[A]] : i32, i32, i32, i64
  tt.print " 50%: " {hex = false, isSigned = array<i32: 0, 1, 0>} : %x, %n, %p : tensor<4x16xf32>, i8, !tt.ptr<f32>
  // CHECK: %[[B:.*]] = arith.bitcast %{{.*}} : tensor<4x16xf32> to tensor<4x16xi32>
  // CHECK: tile.print "pid (%d, %d, %d) idx (%1d, %2d) x: 0x%08x\0A" %{{.*}}, %[[B]] :
  tt.print " x: " {hex = true, isSigned = array<i32: 0>} : %x : tensor<4x16xf32>
  // CHECK: tile.print "pid (%d, %d, %d) here\0A" %{{.*}}, %{{.*}}, %{{.*}} : i32, i32, i32
  tt.print " here" {hex = false, isSigned = array<i32>}
  tt.return
}
