// einsum-hoist-invariants: what an epilogue computes for many elements alike is computed once.
//
// RUN: tile-opt %s --einsum-hoist-invariants --split-input-file | FileCheck %s
// RUN: tile-opt %s --einsum-hoist-invariants=min-reuse=101 --split-input-file | FileCheck %s --check-prefix=MORE
// RUN: tile-opt %s --einsum-hoist-invariants --split-input-file --remark-policy=all --remarks-filter=einsum -o /dev/null 2>&1 | FileCheck %s --check-prefix=REMARK
// RUN: not tile-opt %s --einsum-hoist-invariants=min-reuse=1 --split-input-file -o /dev/null 2>&1 | FileCheck %s --check-prefix=INVALID
// INVALID: error: einsum-hoist-invariants expects min-reuse to be at least 2, found 1

#element = affine_map<(k, p) -> (k, p)>
#transposed = affine_map<(k, p) -> (p, k)>
#channel = affine_map<(k, p) -> (k)>

// A normalization: the root is computed for 16 channels; the variance is no operand any more, the mean still is.
// CHECK-LABEL: @norm
// CHECK-SAME: (%[[A:.*]]: tensor<16x8xf32>, %[[B:.*]]: tensor<8x100xf32>, %[[MEAN:.*]]: tensor<16xf32>, %[[VARIANCE:.*]]: tensor<16xf32>)
// CHECK: %[[C:.*]] = einsum.contract
// CHECK: %[[SCALE:.*]] = linalg.generic {{.*}}iterator_types = ["parallel"]} ins(%[[VARIANCE]] : tensor<16xf32>) outs(%{{.*}} : tensor<16xf32>)
// CHECK: arith.addf
// CHECK-NEXT: math.rsqrt
// CHECK-NEXT: linalg.yield
// CHECK: linalg.generic {{.*}} ins(%[[C]], %[[MEAN]], %[[SCALE]] : tensor<16x100xf32>, tensor<16xf32>, tensor<16xf32>)
// CHECK-NEXT: ^bb0(%[[X:.*]]: f32, %[[M:.*]]: f32, %[[S:.*]]: f32, %{{.*}}: f32):
// CHECK-NEXT: %[[D:.*]] = arith.subf %[[X]], %[[M]]
// CHECK-NEXT: %[[P:.*]] = arith.mulf %[[D]], %[[S]]
// CHECK-NEXT: linalg.yield %[[P]]
// REMARK: remark: [Passed] hoist-invariants | Category:einsum | elements=16
// MORE-LABEL: @norm
// MORE: linalg.generic {{.*}}iterator_types = ["parallel", "parallel"]}
// MORE: math.rsqrt
// MORE: return
func.func @norm(%a: tensor<16x8xf32>, %b: tensor<8x100xf32>, %mean: tensor<16xf32>, %variance: tensor<16xf32>) -> tensor<16x100xf32> {
  %c = einsum.contract "kc, cp -> kp" (%a, %b) : (tensor<16x8xf32>, tensor<8x100xf32>) -> tensor<16x100xf32>
  %epsilon = arith.constant 1.0e-5 : f32
  %e = tensor.empty() : tensor<16x100xf32>
  %d = linalg.generic {indexing_maps = [#element, #channel, #channel, #element], iterator_types = ["parallel", "parallel"]}
      ins(%c, %mean, %variance : tensor<16x100xf32>, tensor<16xf32>, tensor<16xf32>) outs(%e : tensor<16x100xf32>) {
  ^bb0(%x: f32, %m: f32, %v: f32, %out: f32):
    %sum = arith.addf %v, %epsilon : f32
    %scale = math.rsqrt %sum : f32
    %y = arith.subf %x, %m : f32
    %z = arith.mulf %y, %scale : f32
    linalg.yield %z : f32
  } -> tensor<16x100xf32>
  return %d : tensor<16x100xf32>
}

// -----

#element = affine_map<(k, p) -> (k, p)>
#transposed = affine_map<(k, p) -> (p, k)>
#channel = affine_map<(k, p) -> (k)>
#pixel = affine_map<(k, p) -> (p)>

// Values of different dimensions, one used twice; what only widens stays, and so does what is the same for no element.
// CHECK-LABEL: @several
// CHECK: %[[ROWS:.*]] = linalg.generic {{.*}} ins(%arg2, %arg3 : tensor<16xf16>, tensor<16xf32>)
// CHECK: arith.extf
// CHECK: math.exp
// CHECK: arith.mulf
// CHECK: %[[COLUMNS:.*]] = linalg.generic {{.*}} ins(%arg4 : tensor<100xf32>)
// CHECK: math.absf
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %arg2, %arg5, %[[ROWS]], %[[COLUMNS]] : tensor<16x100xf32>, tensor<16xf16>, tensor<100x16xf32>, tensor<16xf32>, tensor<100xf32>)
// CHECK: ^bb0(%[[X:.*]]: f32, %[[H:.*]]: f16, %[[T:.*]]: f32, %[[R:.*]]: f32, %[[C:.*]]: f32, %{{.*}}: f32):
// CHECK-DAG: arith.extf %[[H]]
// CHECK-DAG: math.exp %[[T]]
// CHECK-COUNT-2: %[[R]]
// CHECK: linalg.yield
func.func @several(%a: tensor<16x8xf32>, %b: tensor<8x100xf32>, %half: tensor<16xf16>, %wide: tensor<16xf32>, %row: tensor<100xf32>, %other: tensor<100x16xf32>) -> tensor<16x100xf32> {
  %c = einsum.contract "kc, cp -> kp" (%a, %b) : (tensor<16x8xf32>, tensor<8x100xf32>) -> tensor<16x100xf32>
  %e = tensor.empty() : tensor<16x100xf32>
  %d = linalg.generic {indexing_maps = [#element, #channel, #channel, #pixel, #transposed, #element], iterator_types = ["parallel", "parallel"]}
      ins(%c, %half, %wide, %row, %other : tensor<16x100xf32>, tensor<16xf16>, tensor<16xf32>, tensor<100xf32>, tensor<100x16xf32>) outs(%e : tensor<16x100xf32>) {
  ^bb0(%x: f32, %h: f16, %w: f32, %r: f32, %t: f32, %out: f32):
    %wider = arith.extf %h : f16 to f32
    %exp = math.exp %w : f32
    %scale = arith.mulf %wider, %exp : f32
    %abs = math.absf %r : f32
    %each = math.exp %t : f32
    %1 = arith.mulf %x, %scale : f32
    %2 = arith.addf %1, %scale : f32
    %3 = arith.addf %2, %abs : f32
    %4 = arith.addf %3, %each : f32
    %5 = arith.addf %4, %wider : f32
    linalg.yield %5 : f32
  } -> tensor<16x100xf32>
  return %d : tensor<16x100xf32>
}

// -----

#element = affine_map<(k, p) -> (k, p)>
#channel = affine_map<(k, p) -> (k)>

// An index is not the same for all, and an op that no contraction comes before is no epilogue.
// CHECK-LABEL: @stays
// CHECK-COUNT-2: linalg.generic {{.*}}"parallel", "parallel"
// CHECK-NOT: linalg.generic
func.func @stays(%a: tensor<16x8xf32>, %b: tensor<8x100xf32>, %v: tensor<16xf32>) -> (tensor<16x100xf32>, tensor<16x100xf32>) {
  %c = einsum.contract "kc, cp -> kp" (%a, %b) : (tensor<16x8xf32>, tensor<8x100xf32>) -> tensor<16x100xf32>
  %e = tensor.empty() : tensor<16x100xf32>
  %d = linalg.generic {indexing_maps = [#element, #channel, #element], iterator_types = ["parallel", "parallel"]}
      ins(%c, %v : tensor<16x100xf32>, tensor<16xf32>) outs(%e : tensor<16x100xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %p = linalg.index 1 : index
    %i = arith.index_cast %p : index to i32
    %f = arith.sitofp %i : i32 to f32
    %s = arith.addf %f, %y : f32
    %z = arith.mulf %x, %s : f32
    linalg.yield %z : f32
  } -> tensor<16x100xf32>
  %g = linalg.generic {indexing_maps = [#element, #channel, #element], iterator_types = ["parallel", "parallel"]}
      ins(%d, %v : tensor<16x100xf32>, tensor<16xf32>) outs(%e : tensor<16x100xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %s = math.sqrt %y : f32
    %z = arith.mulf %x, %s : f32
    linalg.yield %z : f32
  } -> tensor<16x100xf32>
  return %d, %g : tensor<16x100xf32>, tensor<16x100xf32>
}

// -----

#element = affine_map<(k, p) -> (k, p)>
#channel = affine_map<(k, p) -> (k)>

// Kernels do not read i1: what it is computed from is hoisted. Ops with regions stay, and with them all others.
// CHECK-LABEL: @bits
// CHECK: linalg.generic {{.*}} ins(%arg2 : tensor<16xf32>) outs(%{{.*}} : tensor<16xf32>)
// CHECK: math.exp
// CHECK: linalg.generic {{.*}} ins(%{{.*}}, %{{.*}} : tensor<16x100xf32>, tensor<16xf32>)
// CHECK: arith.cmpf
// CHECK-LABEL: @regions
// CHECK: linalg.generic {{.*}}"parallel", "parallel"
// CHECK: math.exp
// CHECK: scf.if
// CHECK-NOT: linalg.generic
func.func @bits(%a: tensor<16x8xf32>, %b: tensor<8x100xf32>, %v: tensor<16xf32>) -> tensor<16x100xf32> {
  %c = einsum.contract "kc, cp -> kp" (%a, %b) : (tensor<16x8xf32>, tensor<8x100xf32>) -> tensor<16x100xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x100xf32>
  %d = linalg.generic {indexing_maps = [#element, #channel, #element], iterator_types = ["parallel", "parallel"]}
      ins(%c, %v : tensor<16x100xf32>, tensor<16xf32>) outs(%e : tensor<16x100xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %s = math.exp %y : f32
    %p = arith.cmpf ogt, %s, %zero : f32
    %z = arith.select %p, %x, %zero : f32
    linalg.yield %z : f32
  } -> tensor<16x100xf32>
  return %d : tensor<16x100xf32>
}
func.func @regions(%a: tensor<16x8xf32>, %b: tensor<8x100xf32>, %v: tensor<16xf32>) -> tensor<16x100xf32> {
  %c = einsum.contract "kc, cp -> kp" (%a, %b) : (tensor<16x8xf32>, tensor<8x100xf32>) -> tensor<16x100xf32>
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<16x100xf32>
  %d = linalg.generic {indexing_maps = [#element, #channel, #element], iterator_types = ["parallel", "parallel"]}
      ins(%c, %v : tensor<16x100xf32>, tensor<16xf32>) outs(%e : tensor<16x100xf32>) {
  ^bb0(%x: f32, %y: f32, %out: f32):
    %s = math.exp %y : f32
    %p = arith.cmpf ogt, %x, %s : f32
    %z = scf.if %p -> f32 {
      %w = arith.mulf %x, %y : f32
      scf.yield %w : f32
    } else {
      scf.yield %zero : f32
    }
    linalg.yield %z : f32
  } -> tensor<16x100xf32>
  return %d : tensor<16x100xf32>
}
