// Every feature of einsum.contract survives printing and parsing: as text, in the generic form and
// as bytecode.
//
// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt --mlir-print-op-generic %s | tile-opt | FileCheck %s
// RUN: tile-opt --emit-bytecode %s | tile-opt | FileCheck %s
// RUN: tile-opt --verify-roundtrip %s | FileCheck %s
// RUN: tile-opt --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// The examples of the documentation of einsum.contract.

// CHECK-LABEL: @doc_shift_convolution
// CHECK-SAME: %[[X:.*]]: tensor<8x64x28x28xf32>, %[[W:.*]]: tensor<64x128xf32>, %[[SH:.*]]: tensor<64xi32>, %[[SW:.*]]: tensor<64xi32>
func.func @doc_shift_convolution(%x: tensor<8x64x28x28xf32>, %w: tensor<64x128xf32>,
                                 %sh: tensor<64xi32>, %sw: tensor<64xi32>) -> tensor<8x128x28x28xf32> {
  // CHECK: einsum.contract "nc(h+sh[c])(w+sw[c]), ck -> nkhw" (%[[X]], %[[W]]) tables(sh = %[[SH]] : tensor<64xi32>, sw = %[[SW]] : tensor<64xi32>) {pad = "zero"} : (tensor<8x64x28x28xf32>, tensor<64x128xf32>) -> tensor<8x128x28x28xf32>
  // GENERIC: "einsum.contract"(%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) <{operandSegmentSizes = array<i32: 2, 2, 0>, pad = "zero", spec = #einsum.spec<"nc(h+sh[c])(w+sw[c]), ck -> nkhw">}>
  %d = einsum.contract "nc(h+sh[c])(w+sw[c]), ck -> nkhw" (%x, %w)
         tables(sh = %sh : tensor<64xi32>, sw = %sw : tensor<64xi32>) {pad = "zero"}
       : (tensor<8x64x28x28xf32>, tensor<64x128xf32>) -> tensor<8x128x28x28xf32>
  return %d : tensor<8x128x28x28xf32>
}

// CHECK-LABEL: @doc_memref_product
// CHECK-SAME: %[[A:.*]]: memref<?x?xf32>, %[[B:.*]]: memref<?x?xf32>, %[[C:.*]]: memref<?x?xf32>
func.func @doc_memref_product(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  // CHECK: einsum.contract "mk, kn -> mn" (%[[A]], %[[B]]) outs(%[[C]] : memref<?x?xf32>) : (memref<?x?xf32>, memref<?x?xf32>){{$}}
  // GENERIC: "einsum.contract"(%{{.*}}) <{operandSegmentSizes = array<i32: 2, 0, 1>, spec = #einsum.spec<"mk, kn -> mn">}> : (memref<?x?xf32>, memref<?x?xf32>, memref<?x?xf32>) -> ()
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<?x?xf32>)
    : (memref<?x?xf32>, memref<?x?xf32>)
  return
}

// CHECK-LABEL: @doc_attributes
// CHECK-SAME: attributes {l = #einsum.lookup<"sh"[4]>, s = #einsum.spec<"n(h+sh[c]), ck -> nkh">}
func.func private @doc_attributes() attributes {
  l = #einsum.lookup<"sh"[4]>, s = #einsum.spec<"n(h+sh[c]), ck -> nkh">}

// CHECK-LABEL: @doc_arguments
// CHECK-SAME: (tensor<?xi32> {einsum.example_shape = array<i64: 5>, einsum.value_range = array<i64: -1, 4>})
func.func private @doc_arguments(tensor<?xi32> {einsum.value_range = array<i64: -1, 4>,
                                                einsum.example_shape = array<i64: 5>})

// CHECK-LABEL: @strides_divisions_moduli
func.func @strides_divisions_moduli(%x: tensor<9x3x7xf32>) -> tensor<4x3x8xf32> {
  // CHECK: einsum.contract "(2*h+1)(w%3)(v-1) -> hwv" (%{{.*}}) {pad = "zero"} : (tensor<9x3x7xf32>) -> tensor<4x3x8xf32>
  %0 = einsum.contract "(2*h+1)(w%3)(v-1) -> hwv" (%x) {pad = "zero"}
      : (tensor<9x3x7xf32>) -> tensor<4x3x8xf32>
  // CHECK: einsum.contract "(h+w/2)(-1*(w%3)+2)(-1*v+7) -> hwv" (%{{.*}}) {pad = "none"} : (tensor<4x3x8xf32>) -> tensor<3x3x8xf32>
  %1 = einsum.contract "(h+w/2)(2-w%3)(7-v) -> hwv" (%0) {pad = "none"}
      : (tensor<4x3x8xf32>) -> tensor<3x3x8xf32>
  return %0 : tensor<4x3x8xf32>
}

// Tables print in the order of first use, whatever the order in the text; a name that is no keyword
// is quoted.
// CHECK-LABEL: @tables
// CHECK-SAME: %[[T:[a-z0-9]*]]: tensor<5x3xi32>, %[[U:[a-z0-9]*]]: tensor<?xi64>
func.func @tables(%x: tensor<20xf32>, %t: tensor<5x3xi32>, %u: tensor<?xi64>) -> tensor<5x3xf32> {
  // CHECK: einsum.contract "(u_1[c]+t[h,c]) -> hc" (%{{.*}}) tables(u_1 = %[[U]] : tensor<?xi64>, t = %[[T]] : tensor<5x3xi32>) : (tensor<20xf32>) -> tensor<5x3xf32>
  %0 = einsum.contract "(u_1[c]+t[h,c]) -> hc" (%x)
      tables("t" = %t : tensor<5x3xi32>, u_1 = %u : tensor<?xi64>) : (tensor<20xf32>) -> tensor<5x3xf32>
  return %0 : tensor<5x3xf32>
}

// CHECK-LABEL: @everything
// CHECK-SAME: %[[X:.*]]: memref<9xf16>, %[[Y:.*]]: memref<3xbf16, 1>, %[[T:.*]]: memref<?xi64>, %[[O:.*]]: memref<?x5xf64, strided<[?, 1], offset: ?>>
func.func @everything(%x: memref<9xf16>, %y: memref<3xbf16, 1>, %t: memref<?xi64>,
                      %o: memref<?x5xf64, strided<[?, 1], offset: ?>>) {
  // CHECK: einsum.contract "(h+r+t[w]), r -> wh" (%[[X]], %[[Y]]) tables(t = %[[T]] : memref<?xi64>) outs(%[[O]] : memref<?x5xf64, strided<[?, 1], offset: ?>>) {acc = f64, foo.bar = 7 : i64, pad = "zero", sizes = {r = 3 : i64}} : (memref<9xf16>, memref<3xbf16, 1>){{$}}
  // GENERIC: "einsum.contract"(%{{.*}}) <{acc = f64, operandSegmentSizes = array<i32: 2, 1, 1>, pad = "zero", sizes = {r = 3 : i64}, spec = #einsum.spec<"(h+r+t[w]), r -> wh">}> {foo.bar = 7 : i64}
  einsum.contract "(h+r+t[w]), r -> wh" (%x, %y) tables(t = %t : memref<?xi64>)
      outs(%o : memref<?x5xf64, strided<[?, 1], offset: ?>>)
      {pad = "zero", acc = f64, sizes = {r = 3}, foo.bar = 7} : (memref<9xf16>, memref<3xbf16, 1>)
  return
}

// CHECK-LABEL: @tensor_outs
func.func @tensor_outs(%a: tensor<4x?xi8>, %c: tensor<4x?xi32>) -> tensor<4x?xi32> {
  // CHECK: einsum.contract "mk -> mk" (%{{.*}}) outs(%{{.*}} : tensor<4x?xi32>) {acc = i32} : (tensor<4x?xi8>) -> tensor<4x?xi32>
  %0 = einsum.contract "mk -> mk" (%a) outs(%c : tensor<4x?xi32>) {acc = i32}
      : (tensor<4x?xi8>) -> tensor<4x?xi32>
  return %0 : tensor<4x?xi32>
}

// CHECK-LABEL: @ranks_and_numbers_of_operands
func.func @ranks_and_numbers_of_operands(%s: tensor<f32>, %v: tensor<3xf32>) {
  // CHECK: einsum.contract " -> " (%{{.*}}) : (tensor<f32>) -> tensor<f32>
  %0 = einsum.contract "->" (%s) : (tensor<f32>) -> tensor<f32>
  // CHECK: einsum.contract ", i,  -> i" (%{{.*}}, %{{.*}}, %{{.*}}) : (tensor<f32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  %1 = einsum.contract ", i, -> i" (%s, %v, %0) : (tensor<f32>, tensor<3xf32>, tensor<f32>) -> tensor<3xf32>
  // CHECK: einsum.contract "i, j, k, i -> jk" (%{{.*}}, %{{.*}}, %{{.*}}, %{{.*}}) : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  %2 = einsum.contract "i, j, k, i -> jk" (%v, %v, %1, %1)
      : (tensor<3xf32>, tensor<3xf32>, tensor<3xf32>, tensor<3xf32>) -> tensor<3x3xf32>
  // CHECK: einsum.contract "i(0) -> " (%{{.*}}) : (tensor<3x3xf32>) -> tensor<f32>
  %3 = einsum.contract "i(0) -> " (%2) : (tensor<3x3xf32>) -> tensor<f32>
  return
}

// CHECK-LABEL: @elements
func.func @elements(%i8: tensor<3xi8>, %i32: tensor<3xi32>, %f16: tensor<3xf16>, %bf16: tensor<3xbf16>,
                    %f32: tensor<3xf32>, %f64: tensor<3xf64>) {
  // CHECK-COUNT-4: einsum.contract "i, i -> i"
  %0 = einsum.contract "i, i -> i" (%i8, %i8) : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi8>
  %1 = einsum.contract "i, i -> i" (%i8, %i8) : (tensor<3xi8>, tensor<3xi8>) -> tensor<3xi32>
  %2 = einsum.contract "i, i -> i" (%i8, %i32) : (tensor<3xi8>, tensor<3xi32>) -> tensor<3xi8>
  %3 = einsum.contract "i, i -> i" (%f16, %bf16) : (tensor<3xf16>, tensor<3xbf16>) -> tensor<3xbf16>
  // CHECK: (tensor<3xf16>, tensor<3xbf16>) -> tensor<3xf32>
  %4 = einsum.contract "i, i -> i" (%f16, %bf16) : (tensor<3xf16>, tensor<3xbf16>) -> tensor<3xf32>
  // CHECK: (tensor<3xf64>, tensor<3xf16>) -> tensor<3xf16>
  %5 = einsum.contract "i, i -> i" (%f64, %f16) : (tensor<3xf64>, tensor<3xf16>) -> tensor<3xf16>
  // CHECK: {acc = f16} : (tensor<3xf16>, tensor<3xf16>) -> tensor<3xf16>
  %6 = einsum.contract "i, i -> i" (%f16, %f16) {acc = f16} : (tensor<3xf16>, tensor<3xf16>) -> tensor<3xf16>
  // C15: a result may be narrower or wider than the inputs and the accumulator.
  // CHECK: (tensor<3xf32>) -> tensor<3xf16>
  %8 = einsum.contract "i -> i" (%f32) : (tensor<3xf32>) -> tensor<3xf16>
  // CHECK: {acc = f16} : (tensor<3xf16>) -> tensor<3xf64>
  %9 = einsum.contract "i -> i" (%f16) {acc = f16} : (tensor<3xf16>) -> tensor<3xf64>
  // CHECK: (tensor<3xi32>) -> tensor<3xi8>
  %10 = einsum.contract "i -> i" (%i32) : (tensor<3xi32>) -> tensor<3xi8>
  // CHECK: {acc = f64} : (tensor<3xf32>, tensor<3xbf16>) -> tensor<3xf64>
  %7 = einsum.contract "i, i -> i" (%f32, %bf16) {acc = f64} : (tensor<3xf32>, tensor<3xbf16>) -> tensor<3xf64>
  return
}
