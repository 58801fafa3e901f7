// einsum.kernel and einsum.yield survive printing and parsing: as text, in the generic form and as bytecode.
//
// RUN: tile-opt %s | FileCheck %s
// RUN: tile-opt %s | tile-opt | FileCheck %s
// RUN: tile-opt --mlir-print-op-generic %s | tile-opt | FileCheck %s
// RUN: tile-opt --emit-bytecode %s | tile-opt | FileCheck %s
// RUN: tile-opt --verify-roundtrip %s | FileCheck %s
// RUN: tile-opt --mlir-print-op-generic %s | FileCheck %s --check-prefix=GENERIC

// CHECK-LABEL: @doc_relu
// CHECK-SAME: %[[A:.*]]: tensor<128x256xf16>, %[[B:.*]]: tensor<256x192xf16>, %[[BIAS:.*]]: tensor<128x192xf16>)
// GENERIC: %[[Y:.*]] = "einsum.kernel"(%{{.*}}, %{{.*}}, %{{.*}}) ({
// GENERIC-NEXT: ^bb0(%[[P:.*]]: tensor<128x256xf16>, %[[Q:.*]]: tensor<256x192xf16>, %[[C:.*]]: tensor<128x192xf16>):
// GENERIC-NEXT: "einsum.contract"(%[[P]], %[[Q]])
// GENERIC: "einsum.yield"(%{{.*}}) : (tensor<128x192xf16>) -> ()
// GENERIC-NEXT: }) : (tensor<128x256xf16>, tensor<256x192xf16>, tensor<128x192xf16>) -> tensor<128x192xf16>
func.func @doc_relu(%a: tensor<128x256xf16>, %b: tensor<256x192xf16>, %bias: tensor<128x192xf16>) -> tensor<128x192xf16> {
  // CHECK: %[[Y:.*]] = einsum.kernel (%[[P:.*]] = %[[A]] : tensor<128x256xf16>, %[[Q:.*]] = %[[B]] : tensor<256x192xf16>, %[[C:.*]] = %[[BIAS]] : tensor<128x192xf16>) -> tensor<128x192xf16> {
  // CHECK-NEXT: %[[AB:.*]] = einsum.contract "mk, kn -> mn" (%[[P]], %[[Q]]) : (tensor<128x256xf16>, tensor<256x192xf16>) -> tensor<128x192xf16>
  // CHECK-NEXT: %[[SUM:.*]] = arith.addf %[[AB]], %[[C]] : tensor<128x192xf16>
  // CHECK-NEXT: %[[ZERO:.*]] = arith.constant dense<0.000000e+00> : tensor<128x192xf16>
  // CHECK-NEXT: %[[RELU:.*]] = arith.maximumf %[[SUM]], %[[ZERO]] : tensor<128x192xf16>
  // CHECK-NEXT: einsum.yield %[[RELU]] : tensor<128x192xf16>
  // CHECK-NEXT: }
  // CHECK-NEXT: return %[[Y]]
  %y = einsum.kernel (%p = %a : tensor<128x256xf16>, %q = %b : tensor<256x192xf16>,
                      %c = %bias : tensor<128x192xf16>) -> tensor<128x192xf16> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q)
        : (tensor<128x256xf16>, tensor<256x192xf16>) -> tensor<128x192xf16>
    %sum = arith.addf %ab, %c : tensor<128x192xf16>
    %zero = arith.constant dense<0.0> : tensor<128x192xf16>
    %relu = arith.maximumf %sum, %zero : tensor<128x192xf16>
    einsum.yield %relu : tensor<128x192xf16>
  }
  return %y : tensor<128x192xf16>
}

// One value may be several inputs, and the result be used more than once.
// CHECK-LABEL: @same_input
// CHECK-SAME: %[[A:.*]]: tensor<4x4xf32>)
func.func @same_input(%a: tensor<4x4xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>) {
  // CHECK: %[[Y:.*]] = einsum.kernel (%[[P:.*]] = %[[A]] : tensor<4x4xf32>, %[[Q:.*]] = %[[A]] : tensor<4x4xf32>) -> tensor<4x4xf32> {
  // CHECK-NEXT: %[[AB:.*]] = einsum.contract "mk, kn -> mn" (%[[P]], %[[Q]])
  // CHECK-NEXT: einsum.yield %[[AB]]
  %y = einsum.kernel (%p = %a : tensor<4x4xf32>, %q = %a : tensor<4x4xf32>) -> tensor<4x4xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
    einsum.yield %ab : tensor<4x4xf32>
  }
  // CHECK: return %[[Y]], %[[Y]]
  return %y, %y : tensor<4x4xf32>, tensor<4x4xf32>
}

// CHECK-LABEL: @attributes
// GENERIC-LABEL: "attributes"
// GENERIC: "einsum.yield"(%{{.*}}) {mark = 3 : i64} : (tensor<f32>) -> ()
// GENERIC-NEXT: }) {name = "k", tag} : (tensor<7xf32>) -> tensor<f32>
func.func @attributes(%a: tensor<7xf32>) -> tensor<f32> {
  // CHECK: einsum.kernel (%{{.*}} = %{{.*}} : tensor<7xf32>) -> tensor<f32> attributes {name = "k", tag} {
  // CHECK: einsum.yield %{{.*}} {mark = 3 : i64} : tensor<f32>
  %y = einsum.kernel (%p = %a : tensor<7xf32>) -> tensor<f32> attributes {tag, name = "k"} {
    %sum = einsum.contract "i -> " (%p) : (tensor<7xf32>) -> tensor<f32>
    einsum.yield %sum {mark = 3 : i64} : tensor<f32>
  }
  return %y : tensor<f32>
}

// Sizes of inputs and of the result may be dynamic.
// CHECK-LABEL: @dynamic
func.func @dynamic(%a: tensor<?x8xf32>, %b: tensor<8x?xf32>, %c: tensor<?x?xf32>) -> tensor<?x?xf32> {
  // CHECK: einsum.kernel (%{{.*}} = %{{.*}} : tensor<?x8xf32>, %{{.*}} = %{{.*}} : tensor<8x?xf32>, %{{.*}} = %{{.*}} : tensor<?x?xf32>) -> tensor<?x?xf32> {
  %y = einsum.kernel (%p = %a : tensor<?x8xf32>, %q = %b : tensor<8x?xf32>, %r = %c : tensor<?x?xf32>) -> tensor<?x?xf32> {
    %ab = einsum.contract "mk, kn -> mn" (%p, %q) : (tensor<?x8xf32>, tensor<8x?xf32>) -> tensor<?x?xf32>
    %sum = arith.addf %ab, %r : tensor<?x?xf32>
    einsum.yield %sum : tensor<?x?xf32>
  }
  return %y : tensor<?x?xf32>
}

// CHECK-LABEL: @no_inputs
// GENERIC-LABEL: "no_inputs"
// GENERIC: "einsum.kernel"() ({
// GENERIC-NEXT: "arith.constant"()
// GENERIC: }) : () -> tensor<4x6xf32>
func.func @no_inputs() -> tensor<4x6xf32> {
  // CHECK: %[[Y:.*]] = einsum.kernel () -> tensor<4x6xf32> {
  // CHECK-NEXT: %[[A:.*]] = arith.constant
  %y = einsum.kernel () -> tensor<4x6xf32> {
    %a = arith.constant dense<1.0> : tensor<4x5xf32>
    %b = arith.constant dense<2.0> : tensor<5x6xf32>
    %ab = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<4x5xf32>, tensor<5x6xf32>) -> tensor<4x6xf32>
    einsum.yield %ab : tensor<4x6xf32>
  }
  return %y : tensor<4x6xf32>
}

// A kernel without contractions is one, too; what it yields may be an argument.
// CHECK-LABEL: @no_contraction
func.func @no_contraction(%a: tensor<4xf32>) -> tensor<4xf32> {
  // CHECK: einsum.kernel (%[[P:.*]] = %{{.*}} : tensor<4xf32>) -> tensor<4xf32> {
  // CHECK-NEXT: einsum.yield %[[P]] : tensor<4xf32>
  %y = einsum.kernel (%p = %a : tensor<4xf32>) -> tensor<4xf32> {
    einsum.yield %p : tensor<4xf32>
  }
  return %y : tensor<4xf32>
}

// Each kind of op that the body takes: contractions with tables and outs, element-wise ops with tensors or scalars,
// structured ops with broadcasts, transpositions and constants, i1 in between.
#id = affine_map<(d0, d1) -> (d0, d1)>
#transposed = affine_map<(d0, d1) -> (d1, d0)>
#column = affine_map<(d0, d1) -> (d1)>
#scalar = affine_map<(d0, d1) -> ()>
// CHECK-LABEL: @all_kinds
func.func @all_kinds(%x: tensor<9x8xf32>, %w: tensor<8x5xf32>, %t: tensor<5xi32>, %c: tensor<5xf32>, %s: tensor<f32>,
                     %n: tensor<5x5xi32>) -> tensor<5x5xf32> {
  // CHECK: einsum.kernel
  %y = einsum.kernel (%px = %x : tensor<9x8xf32>, %pw = %w : tensor<8x5xf32>, %pt = %t : tensor<5xi32>,
                      %pc = %c : tensor<5xf32>, %ps = %s : tensor<f32>, %pn = %n : tensor<5x5xi32>) -> tensor<5x5xf32> {
    // CHECK: tensor.empty
    %empty = tensor.empty() : tensor<5x5xf32>
    // CHECK: einsum.contract "(h+t[h])k, kn -> hn" (%{{.*}}) tables(t = %{{.*}} : tensor<5xi32>) outs(%{{.*}} : tensor<5x5xf32>) {pad = "zero"}
    %0 = einsum.contract "(h+t[h])k, kn -> hn" (%px, %pw) tables(t = %pt : tensor<5xi32>) outs(%empty : tensor<5x5xf32>)
        {pad = "zero"} : (tensor<9x8xf32>, tensor<8x5xf32>) -> tensor<5x5xf32>
    %half = arith.constant 5.000000e-01 : f32
    // CHECK: linalg.fill
    %halves = linalg.fill ins(%half : f32) outs(%empty : tensor<5x5xf32>) -> tensor<5x5xf32>
    // CHECK: linalg.broadcast
    %1 = linalg.broadcast ins(%pc : tensor<5xf32>) outs(%empty : tensor<5x5xf32>) dimensions = [0]
    // CHECK: linalg.transpose
    %2 = linalg.transpose ins(%1 : tensor<5x5xf32>) outs(%empty : tensor<5x5xf32>) permutation = [1, 0]
    // CHECK: linalg.add
    %3 = linalg.add ins(%0, %2 : tensor<5x5xf32>, tensor<5x5xf32>) outs(%empty : tensor<5x5xf32>) -> tensor<5x5xf32>
    // CHECK: linalg.map
    %4 = linalg.map { arith.mulf } ins(%3, %halves : tensor<5x5xf32>, tensor<5x5xf32>) outs(%empty : tensor<5x5xf32>)
    // CHECK: linalg.elementwise
    %5 = linalg.elementwise kind=#linalg.elementwise_kind<exp> ins(%4 : tensor<5x5xf32>) outs(%empty : tensor<5x5xf32>)
        -> tensor<5x5xf32>
    // CHECK: linalg.generic
    %6 = linalg.generic {indexing_maps = [#transposed, #column, #scalar, #id], iterator_types = ["parallel", "parallel"]}
        ins(%5, %pc, %ps : tensor<5x5xf32>, tensor<5xf32>, tensor<f32>) outs(%empty : tensor<5x5xf32>) {
    ^bb0(%u: f32, %v: f32, %z: f32, %out: f32):
      %two = arith.constant 2.0 : f32
      %sum = arith.addf %u, %v : f32
      %scaled = arith.mulf %sum, %two : f32
      %shifted = arith.subf %scaled, %z : f32
      linalg.yield %shifted : f32
    } -> tensor<5x5xf32>
    // A division is pointwise if its divisor is a constant that is not 0.
    // CHECK: arith.divsi
    %seven = arith.constant dense<7> : tensor<5x5xi32>
    %7 = arith.divsi %pn, %seven : tensor<5x5xi32>
    %8 = arith.cmpi slt, %7, %seven : tensor<5x5xi32>
    %9 = arith.select %8, %6, %0 : tensor<5x5xi1>, tensor<5x5xf32>
    // CHECK: arith.select %{{.*}}, %{{.*}}, %{{.*}} : tensor<5x5xf32>
    %yes = arith.constant true
    %10 = arith.select %yes, %9, %0 : tensor<5x5xf32>
    // CHECK: einsum.yield
    einsum.yield %10 : tensor<5x5xf32>
  }
  return %y : tensor<5x5xf32>
}
