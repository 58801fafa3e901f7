// The pictures and remarks of docs/layouts.md, which are kept as this writes them. After a change:
//   tile-opt --tile-print-layouts=svg=pictures test/Docs/layouts.mlir, and copy them as the lines below compare them.
// RUN: rm -rf %t && tile-opt --tile-print-layouts=svg=%t %s -o /dev/null 2> %t.remarks
// RUN: diff %source/docs/images/mma884-a.svg %t/layout0.svg
// RUN: diff %source/docs/images/mma884-b.svg %t/layout1.svg
// RUN: diff %source/docs/images/mma884-c.svg %t/layout2.svg
// RUN: diff %source/docs/images/swizzle.svg %t/layout3.svg
// RUN: FileCheck --input-file=%source/docs/layouts.md %s

#a = #tile.layout<mma a row, shape = [16, 8], atom = volta_16x16x8, warp = [1, 1]>
#b = #tile.layout<mma b column, shape = [8, 16], atom = volta_16x16x8, warp = [1, 1]>
#c = #tile.layout<mma c f32, shape = [16, 16], atom = volta_16x16x8, warp = [1, 1]>
func.func private @macro_mma(tensor<16x8xf16, #a>, tensor<8x16xf16, #b>, tensor<16x16xf32, #c>)

// CHECK: #rows = #tile.layout<blocked shape = [16, 32], register = [1, 8], lane = [8, 4], warp = [1, 1]>
#rows = #tile.layout<blocked shape = [16, 32], register = [1, 8], lane = [8, 4], warp = [1, 1]>
// CHECK: #a = #tile.layout<mma a row, shape = [16, 32], atom = volta_16x16x8, warp = [1, 1]>
#a32 = #tile.layout<mma a row, shape = [16, 32], atom = volta_16x16x8, warp = [1, 1]>
// CHECK: #shared = #tile.layout<swizzle shape = [16, 32], bits = 16, write = #rows, read = #a>
#shared = #tile.layout<swizzle shape = [16, 32], bits = 16, write = #rows, read = #a32>
func.func private @swizzled(!tile.buffer<16x32xf16, #shared>)
