// RUN: rm -rf %t && tile-opt --tile-print-layouts=svg=%t --verify-diagnostics %s -o /dev/null
// RUN: tile-opt --tile-print-layouts %s -o %t.mlir 2> %t.remarks
// RUN: FileCheck --check-prefix=REMARKS --input-file=%t.remarks %s
// RUN: %python %S/Inputs/svg_cells.py %t/layout0.svg 128 %t/layout1.svg 1 %t/layout2.svg 64 %t/layout3.svg 4096 %t/layout4.svg 4
// RUN: FileCheck --check-prefix=A --input-file=%t/layout0.svg %s
// RUN: FileCheck --check-prefix=WARPS --input-file=%t/layout2.svg %s
// RUN: FileCheck --check-prefix=SHARED --input-file=%t/layout3.svg %s
// RUN: FileCheck --check-prefix=BLOCKS --input-file=%t/layout4.svg %s
// RUN: not tile-opt --tile-print-layouts=svg=/dev/null %s 2>&1 | FileCheck --check-prefix=UNWRITABLE %s

// Without a folder there are remarks alone, each layout once.
// REMARKS-COUNT-5: remark:
// REMARKS-NOT: remark:
// UNWRITABLE: error: cannot write /dev/null{{.}}layout0.svg: {{.+}}

// Two lanes hold each element, of different colours.
// A: <title>16x8xf16</title>
// A: <g class="cell"><title>(0, 0): t0 r0; t8 r0;</title>
// A-NEXT: <rect class="strip" {{.*}} width="26" height="34" fill="hsl(210, 70%, 84%)"/>
// A-NEXT: <rect class="strip" {{.*}} width="26" height="34" fill="hsl(45, 70%, 84%)"/>
// A: >t0 t8</text>
// A-NEXT: >r0</text>
// A: <title>(12, 3): t20 r3; t28 r3;</title>
// A-NEXT: fill="hsl(130, 70%, 70%)"/>
#a = #tile.layout<mma a row, shape = [16, 8], atom = volta_16x16x8, warp = [1, 1]>
// Four places each: two lanes, two warps.
// WARPS: <title>(1): w0 t0 r1; w0 t16 r1; w1 t0 r1; w1 t16 r1;</title>
// WARPS: >w0 t0 +3</text>
#copies = #tile.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [0]], warp = [[0]]>
// Of 128 rows, 64 are drawn. In row 1, neighbouring chunks of 16 bytes have changed places.
// SHARED: <title>128x64xf16 (first 64 x 64)</title>
// SHARED: <title>(0, 63): bank 31 63;</title>
// SHARED: <title>(1, 0): bank 4 72;</title>
#rows = #tile.layout<blocked shape = [128, 64], register = [1, 8], lane = [4, 8], warp = [4, 1]>
#operand = #tile.layout<mma a row, shape = [128, 64], atom = volta_16x16x8, warp = [2, 2]>
#shared = #tile.layout<swizzle shape = [128, 64], bits = 16, write = #rows, read = #operand>
// The other block's elements are without a place here.
// BLOCKS: <title>(1): t0 r1;</title>
// BLOCKS: <title>(2):</title>
// BLOCKS-NEXT: fill="none"/>
#blocks = #tile.layout<register = [[1]], block = [[2]]>
#one = #tile.layout<register = []>

// expected-remark @below {{16x8xf16: register = [[0, 1], [0, 2], [0, 4]], lane = [[1, 0], [2, 0], [8, 0], [0, 0], [4, 0]], warp = []; registers = 8, copies = 2, contiguity = [1, 8]}}
func.func private @declared(tensor<16x8xf16, #a>, tensor<16x8xf16, #a>)

// expected-remark @below {{1x!tile.ptr<f32>: register = [], lane = [], warp = []; registers = 1, copies = 1, contiguity = [1]}}
func.func @values(%p: tensor<1x!tile.ptr<f32>, #one>, %plain: tensor<4xf32>) {
  // expected-remark @below {{64xi32: register = [[1], [2]], lane = [[4], [8], [16], [32], [0]], warp = [[0]]; registers = 4, copies = 4, contiguity = [4]}}
  %i = tile.range 0 to 64 : tensor<64xi32, #copies>
  cf.br ^next(%i : tensor<64xi32, #copies>)
^next(%j: tensor<64xi32, #copies>):
  return
}

// expected-remark @below {{128x64xf16: offset = [[0, 1], [0, 2], [0, 4], [0, 8], [0, 16], [0, 32]}}
// expected-remark @below {{4xf32: register = [[1]], lane = [], warp = [], block = [[2]]; registers = 2, copies = 1, contiguity = [2]}}
func.func private @buffer(!tile.buffer<128x64xf16, #shared>) -> tensor<4xf32, #blocks>
