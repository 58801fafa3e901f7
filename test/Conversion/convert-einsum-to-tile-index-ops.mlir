// A step of a kernel's loop has the same number of index operations for a plain matrix product and for a convolution
// over three axes, whose tables have at most 9 * 20 entries. Where depths are not whole blocks, three more find which
// positions there are; dense blocks are cut by themselves.
// RUN: tile-opt %s --einsum-to-tile-pipeline="config={block=16x16x4}" | %python %S/index_ops.py | FileCheck %s --check-prefix=WHOLE
// RUN: tile-opt %s --einsum-to-tile-pipeline="config={block=16x16x32}" | %python %S/index_ops.py | FileCheck %s --check-prefix=PARTIAL

// WHOLE-DAG: gemm_contract: 2 index operations, tables of none
// WHOLE-DAG: conv_contract: 2 index operations, tables of 180 180
// WHOLE-DAG: shift_contract: 2 index operations, tables of 180
// PARTIAL-DAG: gemm_contract: 2 index operations, tables of none
// PARTIAL-DAG: conv_contract: 5 index operations, tables of 180 180

func.func @gemm(%a: tensor<50x180xf32>, %b: tensor<180x60xf32>) -> tensor<50x60xf32> {
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<50x180xf32>, tensor<180x60xf32>) -> tensor<50x60xf32>
  return %0 : tensor<50x60xf32>
}

func.func @conv(%a: tensor<2x20x9x9xf32>, %b: tensor<20x24x3x3xf32>) -> tensor<2x24x7x7xf32> {
  %0 = einsum.contract "nc(h+r)(w+s), ckrs -> nkhw" (%a, %b)
    : (tensor<2x20x9x9xf32>, tensor<20x24x3x3xf32>) -> tensor<2x24x7x7xf32>
  return %0 : tensor<2x24x7x7xf32>
}

// One index of the sum: the weights advance by a constant, the shifted image does not.
func.func @shift(%a: tensor<2x180x9x9xf32>, %b: tensor<180x24xf32>, %s: tensor<180xi32>) -> tensor<2x24x7x7xf32> {
  %0 = einsum.contract "nc(h+s[c])(w+s[c]), ck -> nkhw" (%a, %b) tables(s = %s : tensor<180xi32>)
    : (tensor<2x180x9x9xf32>, tensor<180x24xf32>) -> tensor<2x24x7x7xf32>
  return %0 : tensor<2x24x7x7xf32>
}
