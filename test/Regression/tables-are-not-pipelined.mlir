// A table of positions, by which an operand is read: it must be there before the asynchronous copy of that operand begins, and so
// is not copied asynchronously itself.
//
// RUN: tile-run %s --backend=sim --chip=sm_80 --random=7 --check=interp \
// RUN:   --pipeline="einsum-to-nvvm-pipeline{chip=sm_80 config={block=16x64x64 warp=16x32}}" | FileCheck %s
// CHECK: check against interp: passed

func.func @main(%t: tensor<?xi64> {einsum.value_range = array<i64: 0, 2>, einsum.example_shape = array<i64: 96>},
                %a: tensor<?x?xf32> {einsum.example_shape = array<i64: 96, 19>},
                %b: tensor<?x?xf32> {einsum.example_shape = array<i64: 96, 64>}) -> tensor<17x?xf32> {
  %0 = einsum.contract "r(h+t[r]), rw -> hw" (%a, %b) tables(t = %t : tensor<?xi64>)
      : (tensor<?x?xf32>, tensor<?x?xf32>) -> tensor<17x?xf32>
  return %0 : tensor<17x?xf32>
}
