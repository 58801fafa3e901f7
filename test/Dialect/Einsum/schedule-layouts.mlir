// Schedules are kept where operands get another layout: by bufferization, when a permutation becomes part of the specification,
// and when one is taken out of it. What is computed stays the same.
//
// RUN: tile-opt --one-shot-bufferize="bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map" %s | FileCheck %s --check-prefix=BUFFER
// RUN: tile-opt --one-shot-bufferize="bufferize-function-boundaries" %s | FileCheck %s --check-prefix=UNKNOWN
// RUN: tile-opt --canonicalize %s | FileCheck %s --check-prefix=COMPOSE
// RUN: tile-opt --einsum-permute-operands %s | FileCheck %s --check-prefix=PERMUTE
// RUN: tile-run %s --entry=product --random=1 --check=interp --pipeline="builtin.module(one-shot-bufferize{bufferize-function-boundaries function-boundary-type-conversion=identity-layout-map},convert-einsum-to-vector,einsum-to-cpu-pipeline{schedule=0})" | FileCheck %s --check-prefix=PASSED
// RUN: tile-run %s --entry=permuted --random=2 --check=interp --pipeline="builtin.module(canonicalize,convert-einsum-to-vector{deallocate=0},einsum-to-cpu-pipeline{schedule=0})" | FileCheck %s --check-prefix=PASSED
// RUN: tile-run %s --entry=permuted --random=3 --check=interp --pipeline="builtin.module(einsum-permute-operands,convert-einsum-to-vector{deallocate=0},einsum-to-cpu-pipeline{schedule=0})" | FileCheck %s --check-prefix=PASSED
// RUN: tile-run %s --entry=transposed --random=4 --check=interp --pipeline="builtin.module(canonicalize,convert-einsum-to-vector{deallocate=0},einsum-to-cpu-pipeline{schedule=0})" | FileCheck %s --check-prefix=PASSED
// PASSED: check against interp: passed

// Of a slice of rows with gaps between them. A layout that is not known has no schedule (C28).
// UNKNOWN-LABEL: @product
// UNKNOWN: einsum.contract "mk, kn -> mn"
// UNKNOWN-NOT: schedule
// UNKNOWN: return
// BUFFER-LABEL: @product
// BUFFER: einsum.contract "mk, kn -> mn" ({{.*}} outs({{.*}} {schedule = #einsum.schedule<tile = [3, 2], dims = [<"m" prim 12>, <"n" prim 11>, <"k" prim 10>]>} : (memref<12x10xf32, strided<[40, 1]>>, memref<10x11xf32
func.func @product(%x: tensor<12x40xf32>, %b: tensor<10x11xf32>) -> tensor<12x11xf32> {
  %a = tensor.extract_slice %x[0, 0] [12, 10] [1, 1] : tensor<12x40xf32> to tensor<12x10xf32>
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<tile = [3, 2], dims = [<"m" prim 12>, <"n" prim 11>, <"k" prim 10>]>}
    : (tensor<12x10xf32>, tensor<10x11xf32>) -> tensor<12x11xf32>
  return %c : tensor<12x11xf32>
}

// COMPOSE-LABEL: @permuted
// COMPOSE-NOT: "km -> mk"
// COMPOSE: einsum.contract "km, kn -> mn" {{.*}}schedule = #einsum.schedule<lanes = 1, pack = [1], dims = [
func.func @permuted(%x: tensor<128x256xf32>, %b: tensor<128x64xf32>) -> tensor<256x64xf32> {
  %a = einsum.contract "km -> mk" (%x) : (tensor<128x256xf32>) -> tensor<256x128xf32>
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<lanes = 1, pack = [1], dims = [<"m" prim 256>, <"n" prim 64>, <"k" prim 128>]>}
    : (tensor<256x128xf32>, tensor<128x64xf32>) -> tensor<256x64xf32>
  return %c : tensor<256x64xf32>
}

// Of the result.
// COMPOSE-LABEL: @transposed
// COMPOSE: einsum.contract "mk, kn -> nm" {{.*}}schedule = #einsum.schedule<dims = [
// COMPOSE-NOT: einsum.contract
// COMPOSE: return
func.func @transposed(%a: tensor<12x10xf32>, %b: tensor<10x11xf32>) -> tensor<11x12xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<dims = [<"m" prim 12>, <"n" prim 11>, <"k" prim 10>]>}
    : (tensor<12x10xf32>, tensor<10x11xf32>) -> tensor<12x11xf32>
  %t = einsum.contract "mn -> nm" (%c) : (tensor<12x11xf32>) -> tensor<11x12xf32>
  return %t : tensor<11x12xf32>
}

// PERMUTE-LABEL: @wide
// PERMUTE: schedule = #einsum.schedule<tile = [4, 1], dims = [
func.func @wide(%x: tensor<8x64x30x30xf32>, %w: tensor<64x3x3x64xf32>) -> tensor<8x64x28x28xf32> {
  %y = einsum.contract "nc(h+r)(w+s), crsk -> nkhw" (%x, %w) {schedule = #einsum.schedule<tile = [4, 1], dims = [
      <"n" seq 8>, <"h" seq 28>, <"k" prim 64>, <"w" prim 28>, <"c" prim 64>, <"r" prim 3>, <"s" prim 3>]>}
    : (tensor<8x64x30x30xf32>, tensor<64x3x3x64xf32>) -> tensor<8x64x28x28xf32>
  return %y : tensor<8x64x28x28xf32>
}
