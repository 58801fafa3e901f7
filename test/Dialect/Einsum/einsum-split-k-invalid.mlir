// einsum-split-k: options that make no sense.
//
// RUN: not tile-opt --einsum-split-k=ways=-1 %s 2>&1 | FileCheck %s --check-prefix=WAYS
// RUN: not tile-opt --einsum-split-k=programs=0 %s 2>&1 | FileCheck %s --check-prefix=WAYS
// RUN: not tile-opt --einsum-split-k=block=128,128 %s 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: not tile-opt --einsum-split-k=block=128,0,32 %s 2>&1 | FileCheck %s --check-prefix=BLOCK

// WAYS: error: einsum-split-k expects ways to be 0 or more and programs to be positive, found {{-1 and 80|0 and 0}}
// BLOCK: error: einsum-split-k expects block to be three positive numbers, as in '128,128,32'
func.func @f() {
  return
}
