// einsum-split-k: options that make no sense.
//
// RUN: not tile-opt --einsum-split-k=factor=-1 %s 2>&1 | FileCheck %s --check-prefix=FACTOR
// RUN: not tile-opt --einsum-split-k=programs=0 %s 2>&1 | FileCheck %s --check-prefix=FACTOR
// RUN: not tile-opt --einsum-split-k="config={block=128x128}" %s 2>&1 | FileCheck %s --check-prefix=BLOCK
// RUN: not tile-opt --einsum-split-k="config={block=128x0x32}" %s 2>&1 | FileCheck %s --check-prefix=BLOCK

// FACTOR: error: einsum-split-k expects factor to be 0 or more and programs to be positive, found {{-1 and 80|0 and 0}}
// BLOCK: error: einsum-split-k: option 'config={block=128x{{.*}}}': expects 'block' to be three numbers{{( from 1 to 65536)?}}, as in 128x128x32, found 128x{{128|0x32}}
func.func @f() {
  return
}
