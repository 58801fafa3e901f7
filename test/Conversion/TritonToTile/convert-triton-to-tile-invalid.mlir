// What has no counterpart: one error at the op, which says why.
// RUN: tile-opt %s --split-input-file --verify-diagnostics --convert-triton-to-tile

tt.func public @compare_and_swap(%p: !tt.ptr<i8>, %x: i8) {
  // expected-error@+1 {{'tt.atomic_cas' op cannot become a program of tiles: GPUs compare and swap numbers of 16, 32 or 64 bits}}
  %0 = tt.atomic_cas acq_rel, gpu, %p, %x, %x : (!tt.ptr<i8>, i8, i8) -> i8
  tt.return
}

// -----

tt.func public @address(%i: i64) {
  // expected-error@+1 {{'tt.int_to_ptr' op cannot become a program of tiles: there are no tiles of '!tt.ptr<i4>'}}
  %0 = tt.int_to_ptr %i : i64 -> !tt.ptr<i4>
  tt.return
}

// -----

tt.func public @assembly(%x: i32) {
  // expected-error@+1 {{'tt.elementwise_inline_asm' op cannot become a program of tiles: tiles have no such op}}
  %0 = tt.elementwise_inline_asm "mov.b32 $0, $1;" {constraints = "=r,r", packed_element = 1 : i32, pure = true} %x : i32 -> i32
  tt.return
}

// -----

tt.func public @gather(%p: tensor<8x!tt.ptr<i32>>, %i: tensor<4xi32>) {
  // expected-error@+1 {{'tt.gather' op cannot become a program of tiles: its elements are pointers}}
  %0 = tt.gather %p[%i] {axis = 0 : i32} : (tensor<8x!tt.ptr<i32>>, tensor<4xi32>) -> tensor<4x!tt.ptr<i32>>
  tt.return
}

// -----

tt.func public @rounding(%x: f32) {
  // expected-error@+1 {{'tt.fp_to_fp' op cannot become a program of tiles: tiles do not round towards zero where there is no infinity}}
  %0 = tt.fp_to_fp %x, rounding = rtz : f32 -> f8E4M3FN
  tt.return
}

// -----

tt.func public @wide(%x: i64) {
  // expected-error@+1 {{'tt.mulhiui' op cannot become a program of tiles: tiles have no integers of 128 bits}}
  %0 = tt.mulhiui %x, %x : i64
  tt.return
}

// -----

tt.func public @library(%x: f32) {
  // expected-error@+1 {{'tt.extern_elementwise' op cannot become a program of tiles: the function '__nv_j0f' has no counterpart in math}}
  %0 = tt.extern_elementwise %x {libname = "", libpath = "", pure = true, symbol = "__nv_j0f"} : (f32) -> f32
  tt.return
}

// -----

// expected-error@+1 {{'tt.func' op cannot become a program of tiles: it is public, and a kernel returns nothing}}
tt.func public @result(%x: f32) -> f32 {
  tt.return %x : f32
}

// -----

// expected-error@+1 {{'tt.func' op cannot become a program of tiles: there are no tiles of '!tt.ptr<!tt.ptr<f32>>'}}
tt.func public @pointers(%p: !tt.ptr<!tt.ptr<f32>>) {
  tt.return
}

// -----

// expected-error@+1 {{'tt.func' op cannot become a program of tiles: there are no tiles of '!tt.ptr<f32, 3>'}}
tt.func public @shared(%p: !tt.ptr<f32, 3>) {
  tt.return
}

// -----

tt.func public @number(%x: f32) {
  // expected-error@+1 {{'tt.fp_to_fp' op cannot become a program of tiles: there are no tiles of 'f8E4M3B11FNUZ'}}
  %0 = tt.fp_to_fp %x, rounding = rtne : f32 -> f8E4M3B11FNUZ
  tt.return
}

// -----

tt.func public @control_flow(%p: !tt.ptr<f32>, %t: tensor<8xf32>) {
  // expected-error@+1 {{'tt.reduce' op cannot become a program of tiles: its region has ops that do not work element by element}}
  %0 = "tt.reduce"(%t) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.cmpf ogt, %a, %b : f32
    %d = scf.if %c -> f32 {
      scf.yield %a : f32
    } else {
      scf.yield %b : f32
    }
    tt.reduce.return %d : f32
  }) : (tensor<8xf32>) -> f32
  tt.return
}

// -----

tt.func public @odd(%t: tensor<6xf32>) {
  // expected-error@+1 {{'tt.reduce' op cannot become a program of tiles: the axis has 6 elements, which is no power of two}}
  %0 = "tt.reduce"(%t) <{axis = 0 : i32}> ({
  ^bb0(%a: f32, %b: f32):
    %c = arith.subf %a, %b : f32
    tt.reduce.return %c : f32
  }) : (tensor<6xf32>) -> f32
  tt.return
}

// -----

tt.func public @six_bits(%a: tensor<32x64xi8>, %b: tensor<64x16xbf16>, %c: tensor<32x16xf32>) {
  // expected-error@+1 {{'tt.dot_scaled' op cannot become a program of tiles: tiles have no elements of 6 bits}}
  %0 = tt.dot_scaled %a, %b, %c lhs = e2m3 rhs = bf16 {fastMath = false} : tensor<32x64xi8> * tensor<64x16xbf16> -> tensor<32x16xf32>
  tt.return
}

// -----

// expected-error@+1 {{'tt.func' op expects 2 sizes (i32) and 2 strides (i64) behind argument 1, which is '!tt.tensordesc<8x16xf32>', as Triton 3.4 to 3.9 write them}}
tt.func public @sizes(%p: !tt.ptr<f32>, %d: !tt.tensordesc<8x16xf32>, %a: i32, %b: i32, %s: i64) {
  tt.return
}

// -----

tt.func public @reduce(%p: !tt.ptr<f32>, %n: i32, %s: i64, %x: tensor<16xf32>) {
  %d = tt.make_tensor_descriptor %p, [%n], [%s] : <f32>, <16xf32>
  // expected-error@+1 {{'tt.descriptor_reduce' op cannot become a program of tiles: there is no atomic access by 'max' to elements of 'f32'}}
  tt.descriptor_reduce max, %d[%n], %x : !tt.tensordesc<16xf32>, tensor<16xf32>
  tt.return
}

// -----

tt.func public @branch(%p: !tt.ptr<f32>, %n: i32, %s: i64) {
  %d = tt.make_tensor_descriptor %p, [%n], [%s] : <f32>, <16xf32>
  // expected-error@+1 {{'cf.br' op cannot become a program of tiles: it passes a descriptor to a block, expected structured control flow}}
  cf.br ^bb1(%d : !tt.tensordesc<16xf32>)
^bb1(%e: !tt.tensordesc<16xf32>):
  tt.return
}
