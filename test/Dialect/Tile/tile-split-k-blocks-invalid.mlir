// tile-split-k-blocks: options that make no sense.
//
// RUN: not tile-opt --tile-split-k-blocks=factor=-2 %s 2>&1 | FileCheck %s
// RUN: not tile-opt --tile-split-k-blocks=programs=0 %s 2>&1 | FileCheck %s

// CHECK: error: tile-split-k-blocks expects factor to be 0 or more and programs to be positive, found {{-2 and 80|0 and 0}}
func.func @f() {
  return
}
