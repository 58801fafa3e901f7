// A table with a value that leaves the operand: the simulator sees the access, --checked and the interpreter the value.
//
// RUN: not tile-run %s --backend=sim --chip=sm_70 --random=7 2>&1 | FileCheck %s --check-prefix=SIM
// RUN: not tile-run %s --backend=cpu --checked --random=7 2>&1 | FileCheck %s
// RUN: not tile-run %s --backend=interp --random=7 2>&1 | FileCheck %s

// SIM: table-values.mlir:[[@LINE+5]]:8: kernel @main_contract{{.*}}: out-of-bounds: load of
// SIM: tile-run: error: the simulator found 1 fault
// CHECK: table-values.mlir:[[@LINE+3]]:8: {{(error: )?}}table 'T' at [5] holds 64: axis 1 (T[k]) of operand 0 reads index 64
func.func @main(%x: tensor<64x64xf16>, %w: tensor<8x64xf16>) -> tensor<64x64xf16> {
  %t = arith.constant dense<[0, 9, 18, 27, 36, 64, 54, 63]> : tensor<8xi32>
  %0 = einsum.contract "m(T[k]), kn -> mn" (%x, %w) tables(T = %t : tensor<8xi32>) : (tensor<64x64xf16>, tensor<8x64xf16>) -> tensor<64x64xf16>
  return %0 : tensor<64x64xf16>
}
