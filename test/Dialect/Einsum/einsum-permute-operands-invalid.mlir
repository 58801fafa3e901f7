// einsum-permute-operands: options that make no sense.
//
// RUN: not tile-opt --einsum-permute-operands=block=0 %s 2>&1 | FileCheck %s
// RUN: not tile-opt --einsum-permute-operands=min-reuse=-1 %s 2>&1 | FileCheck %s
// RUN: not tile-opt --einsum-permute-operands=row-bytes=-16 %s 2>&1 | FileCheck %s

// CHECK: error: einsum-permute-operands expects block to be positive, min-reuse and row-bytes not to be negative, found {{0, 4 and 0|128, -1 and 0|128, 4 and -16}}
func.func @f() {
  return
}
