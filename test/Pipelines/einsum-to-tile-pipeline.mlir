// einsum-to-tile-pipeline: host code on memrefs that launches a kernel per pair of operands; each option changes
// something.
//
// RUN: tile-opt --einsum-to-tile-pipeline %s | FileCheck %s --implicit-check-not=einsum.contract --implicit-check-not=to_tensor
// RUN: tile-opt --einsum-to-tile-pipeline="config={block=4x4x2}" %s | FileCheck %s --check-prefix=BLOCK
// RUN: tile-opt --einsum-to-tile-pipeline="checks=none" %s | FileCheck %s --check-prefix=NONE --implicit-check-not=tileirReportCheck
// RUN: tile-opt --einsum-to-tile-pipeline="checks=all" %s | FileCheck %s --check-prefix=ALL
// RUN: not tile-opt --einsum-to-tile-pipeline="config={block=4x4}" %s 2>&1 | FileCheck %s --check-prefix=BAD-BLOCK
// RUN: not tile-opt --pass-pipeline="builtin.module(func.func(einsum-to-tile-pipeline))" %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BAD-ANCHOR
//
// Compiled kernels find a table's entry that leads outside.
// RUN: not tile-run %s --entry=lookup --random=1 --pipeline="einsum-to-tile-pipeline{checks=all},tile-to-cpu-pipeline" 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OUTSIDE

// Operands that are slices of memory.
// RUN: tile-run %s --entry=slice --random=1 --check=interp --pipeline="einsum-to-tile-pipeline{config={block=2x2x2}},tile-to-cpu-pipeline"

// BAD-BLOCK: option 'config={block=4x4}': expects 'block' to be three numbers, as in 128x128x32, found 4x4
// BAD-ANCHOR: einsum-to-tile-pipeline: expected it in builtin.module(...), found it in func.func(...)
// OUTSIDE: table 't' at [{{[0-9]+}}] holds 9: axis 0 (m+t[k]) of operand 0 reads index {{[0-9]+}}, outside of its size 8

// ALL: axis 0 (m+t[k]) of operand 0 reads index
// CHECK-LABEL: func.func @chain
// CHECK: tile.launch @[[FIRST:.*]] grid
// CHECK: tile.launch @[[SECOND:.*]] grid
// CHECK: return %{{.*}} : memref<?x8xf32>
// CHECK-DAG: func.func private @[[FIRST]]({{.*}}tile.kernel
// CHECK-DAG: func.func private @[[SECOND]]({{.*}}tile.kernel
// CHECK-DAG: tensor<{{[0-9]+x[0-9]+}}xf32>
// BLOCK: tile.dot {{.*}} : tensor<4x2xf32>, tensor<2x4xf32>, tensor<4x4xf32>
// NONE: tile.launch
func.func @chain(%a: tensor<?x6xf32>, %b: tensor<6x7xf32>, %c: tensor<7x8xf32>) -> tensor<?x8xf32> {
  %0 = einsum.contract "mk, kl, ln -> mn" (%a, %b, %c)
    : (tensor<?x6xf32>, tensor<6x7xf32>, tensor<7x8xf32>) -> tensor<?x8xf32>
  return %0 : tensor<?x8xf32>
}

func.func @lookup(%a: tensor<8xf32>, %b: tensor<4x5xf32>,
                  %t: tensor<4xi32> {einsum.value_range = array<i64: 9, 9>}) -> tensor<5x5xf32> {
  %0 = einsum.contract "(m+t[k]), kn -> mn" (%a, %b) tables(t = %t : tensor<4xi32>) {sizes = {m = 5}}
    : (tensor<8xf32>, tensor<4x5xf32>) -> tensor<5x5xf32>
  return %0 : tensor<5x5xf32>
}

func.func @slice(%a: tensor<10x12xf32>, %b: tensor<9x7xf32>) -> tensor<5x7xf32> {
  %s = tensor.extract_slice %a[2, 1] [5, 9] [1, 1] : tensor<10x12xf32> to tensor<5x9xf32>
  %0 = einsum.contract "mk, kn -> mn" (%s, %b) : (tensor<5x9xf32>, tensor<9x7xf32>) -> tensor<5x7xf32>
  return %0 : tensor<5x7xf32>
}
