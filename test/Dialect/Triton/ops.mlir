// Each op, as Triton 3.4 to 3.9 print it, comes back from its pretty and its generic form.
// RUN: tile-opt %s --split-input-file | FileCheck %s
// RUN: tile-opt %s --split-input-file --mlir-print-op-generic | tile-opt --split-input-file | FileCheck %s

// CHECK-LABEL: tt.func public @grid(
// CHECK-SAME: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %{{.*}}: !tt.ptr<i8, 3>, %{{.*}}: !tt.ptr<i8>, %{{.*}}: !tt.ptr<i8, "constant">) attributes {noinline = false}
tt.func public @grid(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}, %q: !tt.ptr<i8, 3>, %r: !tt.ptr<i8, "global">, %s: !tt.ptr<i8, "constant">) attributes {noinline = false} {
  // CHECK: tt.get_program_id x : i32
  %x = tt.get_program_id x : i32
  // CHECK: tt.get_num_programs z : i32
  %n = tt.get_num_programs z : i32
  // CHECK: tt.call @twice(%{{.*}}) : (i32) -> i32
  %y = tt.call @twice(%x) : (i32) -> i32
  // CHECK: ttg.barrier all
  ttg.barrier all
  // CHECK: ttg.barrier local|global_read
  ttg.barrier local|global_read
  // CHECK: tt.return{{$}}
  tt.return
}
// CHECK: tt.func private @twice(%{{.*}}: i32) -> i32
tt.func private @twice(%x: i32) -> i32 attributes {noinline = true} {
  %y = arith.addi %x, %x : i32
  // CHECK: tt.return %{{.*}} : i32
  tt.return %y : i32
}

// -----

// CHECK-LABEL: tt.func @shapes
tt.func @shapes(%s: f32, %t: tensor<64xf32>, %p: !tt.ptr<f16>, %i: tensor<64xi32>) {
  // CHECK: tt.make_range {end = 96 : i32, start = 32 : i32} : tensor<64xi32>
  %0 = tt.make_range {end = 96 : i32, start = 32 : i32} : tensor<64xi32>
  // CHECK: tt.splat %{{.*}} : !tt.ptr<f16> -> tensor<8x16x!tt.ptr<f16>>
  %1 = tt.splat %p : !tt.ptr<f16> -> tensor<8x16x!tt.ptr<f16>>
  // CHECK: tt.expand_dims %{{.*}} {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
  %2 = tt.expand_dims %t {axis = 1 : i32} : tensor<64xf32> -> tensor<64x1xf32>
  // CHECK: tt.broadcast %{{.*}} : tensor<64x1xf32> -> tensor<64x4xf32>
  %3 = tt.broadcast %2 : tensor<64x1xf32> -> tensor<64x4xf32>
  // CHECK: tt.reshape %{{.*}} : tensor<64x4xf32> -> tensor<128x2xf32>
  %4 = tt.reshape %3 : tensor<64x4xf32> -> tensor<128x2xf32>
  // CHECK: tt.reshape %{{.*}} allow_reorder efficient_layout : tensor<64x4xf32> -> tensor<256xf32>
  %5 = tt.reshape %3 allow_reorder efficient_layout : tensor<64x4xf32> -> tensor<256xf32>
  // CHECK: tt.trans %{{.*}} {order = array<i32: 1, 0>} : tensor<64x4xf32> -> tensor<4x64xf32>
  %6 = tt.trans %3 {order = array<i32: 1, 0>} : tensor<64x4xf32> -> tensor<4x64xf32>
  // CHECK: %[[LHS:.*]], %[[RHS:.*]] = tt.split %{{.*}} : tensor<128x2xf32> -> tensor<128xf32>
  %l, %r = tt.split %4 : tensor<128x2xf32> -> tensor<128xf32>
  // CHECK: tt.join %[[LHS]], %[[RHS]] : tensor<128xf32> -> tensor<128x2xf32>
  %7 = tt.join %l, %r : tensor<128xf32> -> tensor<128x2xf32>
  // CHECK: tt.cat %{{.*}}, %{{.*}} : tensor<64xf32> -> tensor<128xf32>
  %8 = tt.cat %t, %t : tensor<64xf32> -> tensor<128xf32>
  %9 = tt.splat %s : f32 -> tensor<1x1xf32>
  // CHECK: tt.unsplat %{{.*}} : tensor<1x1xf32>
  %10 = tt.unsplat %9 : tensor<1x1xf32>
  // CHECK: tt.gather %{{.*}}[%{{.*}}] {axis = 0 : i32} : (tensor<64xf32>, tensor<64xi32>) -> tensor<64xf32>
  %11 = tt.gather %t[%i] {axis = 0 : i32} : (tensor<64xf32>, tensor<64xi32>) -> tensor<64xf32>
  // CHECK: tt.histogram %{{.*}} : tensor<64xi32> -> tensor<16xi32>
  %12 = tt.histogram %i : tensor<64xi32> -> tensor<16xi32>
  tt.return
}

// -----

// CHECK-LABEL: tt.func @memory
tt.func @memory(%p: tensor<64x!tt.ptr<f32>>, %m: tensor<64xi1>, %z: tensor<64xf32>, %q: !tt.ptr<i32>, %x: i32, %i: tensor<64xi32>) {
  // CHECK: tt.addptr %{{.*}}, %{{.*}} : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  %0 = tt.addptr %p, %i : tensor<64x!tt.ptr<f32>>, tensor<64xi32>
  // CHECK: tt.load %{{[^ ]*}} : tensor<64x!tt.ptr<f32>>
  %1 = tt.load %p : tensor<64x!tt.ptr<f32>>
  // CHECK: tt.load %{{.*}}, %{{.*}} cacheModifier = ca evictionPolicy = evict_last : tensor<64x!tt.ptr<f32>>
  %2 = tt.load %p, %m cacheModifier = ca evictionPolicy = evict_last : tensor<64x!tt.ptr<f32>>
  // CHECK: tt.load %{{.*}}, %{{.*}}, %{{.*}} {isVolatile = true} : tensor<64x!tt.ptr<f32>>
  %3 = tt.load %p, %m, %z {isVolatile = true} : tensor<64x!tt.ptr<f32>>
  // CHECK: tt.load %{{.*}} {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_first>}
  %4 = tt.load %p {cachePolicy = #tt.cache_policy<cache_modifier = cg, eviction_policy = evict_first>} : tensor<64x!tt.ptr<f32>>
  // CHECK: tt.store %{{.*}}, %{{.*}}, %{{.*}} evictionPolicy = evict_first : tensor<64x!tt.ptr<f32>>
  tt.store %p, %1, %m evictionPolicy = evict_first : tensor<64x!tt.ptr<f32>>
  // CHECK: tt.store %{{.*}}, %{{.*}} {cachePolicy = #tt.cache_policy<cache_modifier = cs>} : !tt.ptr<i32>
  tt.store %q, %x {cachePolicy = #tt.cache_policy<cache_modifier = cs>} : !tt.ptr<i32>
  // CHECK: tt.atomic_rmw fadd, acq_rel, gpu, %{{.*}}, %{{.*}}, %{{.*}} : (tensor<64x!tt.ptr<f32>>, tensor<64xf32>, tensor<64xi1>) -> tensor<64xf32>
  %5 = tt.atomic_rmw fadd, acq_rel, gpu, %p, %z, %m : (tensor<64x!tt.ptr<f32>>, tensor<64xf32>, tensor<64xi1>) -> tensor<64xf32>
  // CHECK: tt.atomic_rmw exch, relaxed, cta, %{{.*}}, %{{.*}} : (!tt.ptr<i32>, i32) -> i32
  %6 = tt.atomic_rmw exch, relaxed, cta, %q, %x : (!tt.ptr<i32>, i32) -> i32
  // CHECK: tt.atomic_cas release, sys, %{{.*}}, %{{.*}}, %{{.*}} : (!tt.ptr<i32>, i32, i32) -> i32
  %7 = tt.atomic_cas release, sys, %q, %x, %x : (!tt.ptr<i32>, i32, i32) -> i32
  // CHECK: tt.ptr_to_int %{{.*}} : !tt.ptr<i32> -> i64
  %8 = tt.ptr_to_int %q : !tt.ptr<i32> -> i64
  // CHECK: tt.int_to_ptr %{{.*}} : i64 -> !tt.ptr<f32>
  %9 = tt.int_to_ptr %8 : i64 -> !tt.ptr<f32>
  // CHECK: tt.bitcast %{{.*}} : tensor<64x!tt.ptr<f32>> -> tensor<64x!tt.ptr<i32>>
  %10 = tt.bitcast %p : tensor<64x!tt.ptr<f32>> -> tensor<64x!tt.ptr<i32>>
  // CHECK: tt.assert %{{.*}}, "inside" : tensor<64xi1>
  tt.assert %m, "inside" : tensor<64xi1>
  // CHECK: tt.print " z: " {hex = false, isSigned = array<i32: 0, 1>} : %{{.*}}, %{{.*}} : tensor<64xf32>, i32
  tt.print " z: " {hex = false, isSigned = array<i32: 0, 1>} : %z, %x : tensor<64xf32>, i32
  tt.return
}

// -----

// CHECK-LABEL: tt.func @compute
tt.func @compute(%a: tensor<16x32xf32>, %b: tensor<32x8xf32>, %c: tensor<16x8xf32>, %t: tensor<64xf32>, %i: tensor<64xi32>) {
  // CHECK: tt.dot %{{.*}}, %{{.*}}, %{{.*}} : tensor<16x32xf32> * tensor<32x8xf32> -> tensor<16x8xf32>
  %0 = tt.dot %a, %b, %c : tensor<16x32xf32> * tensor<32x8xf32> -> tensor<16x8xf32>
  // CHECK: tt.dot %{{.*}}, inputPrecision = tf32 {maxNumImpreciseAcc = 32 : i32} :
  %1 = tt.dot %a, %b, %c, inputPrecision = tf32 {maxNumImpreciseAcc = 32 : i32} : tensor<16x32xf32> * tensor<32x8xf32> -> tensor<16x8xf32>
  // CHECK: "tt.reduce"(%{{.*}}, %{{.*}}) <{axis = 0 : i32}> ({
  %2:2 = "tt.reduce"(%t, %i) <{axis = 0 : i32}> ({
  ^bb0(%x: f32, %k: i32, %y: f32, %l: i32):
    %g = arith.cmpf ogt, %x, %y : f32
    %m = arith.select %g, %x, %y : f32
    %n = arith.select %g, %k, %l : i32
    // CHECK: tt.reduce.return %{{.*}}, %{{.*}} : f32, i32
    tt.reduce.return %m, %n : f32, i32
  // CHECK: }) : (tensor<64xf32>, tensor<64xi32>) -> (f32, i32)
  }) : (tensor<64xf32>, tensor<64xi32>) -> (f32, i32)
  // CHECK: "tt.scan"(%{{.*}}) <{axis = 1 : i32, reverse = true}> ({
  %3 = "tt.scan"(%a) <{axis = 1 : i32, reverse = true}> ({
  ^bb0(%x: f32, %y: f32):
    %s = arith.addf %x, %y : f32
    // CHECK: tt.scan.return %{{.*}} : f32
    tt.scan.return %s : f32
  }) : (tensor<16x32xf32>) -> tensor<16x32xf32>
  // CHECK: tt.fp_to_fp %{{.*}}, rounding = rtne : tensor<64xf32> -> tensor<64xf8E5M2>
  %4 = tt.fp_to_fp %t, rounding = rtne : tensor<64xf32> -> tensor<64xf8E5M2>
  // CHECK: tt.fp_to_fp %{{.*}} : tensor<64xf8E5M2> -> tensor<64xf32>
  %5 = tt.fp_to_fp %4 : tensor<64xf8E5M2> -> tensor<64xf32>
  // CHECK: tt.clampf %{{.*}}, %{{.*}}, %{{.*}}, propagateNan = none : tensor<64xf32>
  %6 = tt.clampf %t, %t, %t, propagateNan = none : tensor<64xf32>
  // CHECK: tt.mulhiui %{{.*}}, %{{.*}} : tensor<64xi32>
  %7 = tt.mulhiui %i, %i : tensor<64xi32>
  // CHECK: tt.precise_sqrt %{{.*}} : tensor<64xf32>
  %8 = tt.precise_sqrt %t : tensor<64xf32>
  // CHECK: tt.precise_divf %{{.*}}, %{{.*}} : tensor<64xf32>
  %9 = tt.precise_divf %t, %8 : tensor<64xf32>
  // CHECK: tt.extern_elementwise %{{.*}} {libname = "", libpath = "", pure = true, symbol = "__nv_tanhf"} : (tensor<64xf32>) -> tensor<64xf32>
  %10 = tt.extern_elementwise %t {libname = "", libpath = "", pure = true, symbol = "__nv_tanhf"} : (tensor<64xf32>) -> tensor<64xf32>
  // CHECK: tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %{{.*}} : tensor<64xf32> -> tensor<64xi32>
  %11 = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %t : tensor<64xf32> -> tensor<64xi32>
  // CHECK: tt.bitcast %{{.*}} : tensor<64xi32> -> tensor<64xf32>
  %12 = tt.bitcast %i : tensor<64xi32> -> tensor<64xf32>
  tt.return
}

// CHECK-LABEL: tt.func public @descriptors(
// CHECK-SAME: %{{.*}}: !tt.tensordesc<64x32xf16>, %{{.*}}: !tt.tensordesc<1x64xui32>
tt.func public @descriptors(%d: !tt.tensordesc<64x32xf16>, %u: !tt.tensordesc<tensor<1x64xui32>>, %p: !tt.ptr<f16>,
                            %i: i32, %s: i64, %r: tensor<8xi32>) {
  // CHECK: tt.make_tensor_descriptor %{{.*}}, [%{{.*}}, %{{.*}}], [%{{.*}}, %{{.*}}] : <f16>, <64x32xf16>
  %0 = tt.make_tensor_descriptor %p, [%i, %i], [%s, %s] : <f16>, <64x32xf16>
  // CHECK: tt.make_tensor_descriptor %{{.*}}, [%{{.*}}], [%{{.*}}] {padding = 2 : i32} : <f16>, <32xf16>
  %1 = tt.make_tensor_descriptor %p, [%i], [%s] {padding = 2 : i32} : <f16>, <tensor<32xf16>>
  // CHECK: tt.descriptor_load %{{.*}}[%{{.*}}, %{{.*}}] : !tt.tensordesc<64x32xf16> -> tensor<64x32xf16>
  %2 = tt.descriptor_load %d[%i, %i] : !tt.tensordesc<64x32xf16> -> tensor<64x32xf16>
  // CHECK: tt.descriptor_load %{{.*}}[%{{.*}}, %{{.*}}] evictionPolicy = evict_first : !tt.tensordesc<1x64xui32> -> tensor<64xi32>
  %3 = tt.descriptor_load %u[%i, %i] evictionPolicy = evict_first : !tt.tensordesc<1x64xui32> -> tensor<64xi32>
  // CHECK: tt.descriptor_store %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<64x32xf16>, tensor<64x32xf16>
  tt.descriptor_store %d[%i, %i], %2 : !tt.tensordesc<64x32xf16>, tensor<64x32xf16>
  // CHECK: tt.descriptor_reduce max, %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<1x64xui32>, tensor<64xi32>
  tt.descriptor_reduce max, %u[%i, %i], %3 : !tt.tensordesc<1x64xui32>, tensor<64xi32>
  // CHECK: tt.descriptor_gather %{{.*}}[%{{.*}}, %{{.*}}] : (!tt.tensordesc<1x64xui32>, tensor<8xi32>, i32) -> tensor<8x64xi32>
  %4 = tt.descriptor_gather %u[%r, %i] : (!tt.tensordesc<1x64xui32>, tensor<8xi32>, i32) -> tensor<8x64xi32>
  // CHECK: tt.descriptor_scatter %{{.*}}[%{{.*}}, %{{.*}}], %{{.*}} : !tt.tensordesc<1x64xui32>, tensor<8xi32>, i32, tensor<8x64xi32>
  tt.descriptor_scatter %u[%r, %i], %4 : !tt.tensordesc<1x64xui32>, tensor<8xi32>, i32, tensor<8x64xi32>
  tt.return
}

// CHECK-LABEL: tt.func public @dot_scaled(
tt.func public @dot_scaled(%a: tensor<32x64xf8E4M3FN>, %sa: tensor<32x2xi8>, %b: tensor<32x16xi8>, %sb: tensor<16x2xi8>,
                           %c: tensor<32x16xf32>) {
  // CHECK: tt.dot_scaled %{{.*}} scale %{{.*}}, %{{.*}} scale %{{.*}}, %{{.*}} lhs = e4m3 rhs = e2m1 {fastMath = false} : tensor<32x64xf8E4M3FN>, tensor<32x2xi8> * tensor<32x16xi8>, tensor<16x2xi8> -> tensor<32x16xf32>
  %0 = tt.dot_scaled %a scale %sa, %b scale %sb, %c lhs = e4m3 rhs = e2m1 {fastMath = false} : tensor<32x64xf8E4M3FN>, tensor<32x2xi8> * tensor<32x16xi8>, tensor<16x2xi8> -> tensor<32x16xf32>
  // CHECK: tt.dot_scaled %{{.*}}, %{{.*}}, %{{.*}} lhs = e4m3 rhs = e2m1 {fastMath = true} : tensor<32x64xf8E4M3FN> * tensor<32x16xi8> -> tensor<32x16xf32>
  %1 = tt.dot_scaled %a, %b, %0 lhs = e4m3 rhs = e2m1 {fastMath = true} : tensor<32x64xf8E4M3FN> * tensor<32x16xi8> -> tensor<32x16xf32>
  tt.return
}
