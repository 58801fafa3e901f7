// einsum-permute-operands: options that make no sense.
//
// RUN: not tile-opt --einsum-permute-operands=block=0 %s 2>&1 | FileCheck %s
// RUN: not tile-opt --einsum-permute-operands=min-reuse=-1 %s 2>&1 | FileCheck %s

// CHECK: error: einsum-permute-operands expects block to be positive and min-reuse not to be negative, found {{0 and 4|128 and -1}}
func.func @f() {
  return
}
