// memref.copy between memrefs with gaps compiles: LLVM code calls memrefCopy, as it does for a kernel that exchanges the
// even and odd elements of rows. Memrefs without axes or without elements are copied, too.
//
// RUN: tile-run %s --entry=parts --random=1 --check=interp | FileCheck %s
// RUN: tile-run %s --entry=runs --random=1 --check=interp | FileCheck %s
// RUN: tile-run %s --entry=scalars --random=1 --check=interp | FileCheck %s
// RUN: tile-run %s --entry=swap --grid=1 --random=1 --inputs=random:4x6xf16 --check=interp | FileCheck %s
// CHECK: check against interp: passed, error 0

func.func @parts(%a: memref<4x6xf64>, %b: memref<4x6xf64>) {
  %s = memref.subview %a[0, 0] [4, 3] [1, 1] : memref<4x6xf64> to memref<4x3xf64, strided<[6, 1]>>
  %d = memref.subview %b[0, 1] [4, 3] [1, 2] : memref<4x6xf64> to memref<4x3xf64, strided<[6, 2], offset: 1>>
  memref.copy %s, %d : memref<4x3xf64, strided<[6, 1]>> to memref<4x3xf64, strided<[6, 2], offset: 1>>
  %n = memref.subview %a[1, 1] [0, 3] [1, 1] : memref<4x6xf64> to memref<0x3xf64, strided<[6, 1], offset: 7>>
  %m = memref.subview %b[0, 1] [0, 3] [1, 2] : memref<4x6xf64> to memref<0x3xf64, strided<[6, 2], offset: 1>>
  memref.copy %n, %m : memref<0x3xf64, strided<[6, 1], offset: 7>> to memref<0x3xf64, strided<[6, 2], offset: 1>>
  return
}

// Rows that follow each other in both are copied at once, past axes of one element, whatever their strides.
func.func @runs(%a: memref<2x5x1x4xf32>, %b: memref<2x7x3x4xf32>, %c: memref<2x6x1x4xf32>) {
  %s = memref.subview %a[0, 1, 0, 0] [2, 3, 1, 4] [1, 1, 1, 1]
      : memref<2x5x1x4xf32> to memref<2x3x1x4xf32, strided<[20, 4, 4, 1], offset: 4>>
  %d = memref.subview %b[0, 2, 1, 0] [2, 3, 1, 4] [1, 1, 1, 1]
      : memref<2x7x3x4xf32> to memref<2x3x1x4xf32, strided<[84, 12, 4, 1], offset: 28>>
  memref.copy %s, %d : memref<2x3x1x4xf32, strided<[20, 4, 4, 1], offset: 4>> to memref<2x3x1x4xf32, strided<[84, 12, 4, 1], offset: 28>>
  %e = memref.subview %c[0, 2, 0, 0] [2, 3, 1, 4] [1, 1, 1, 1]
      : memref<2x6x1x4xf32> to memref<2x3x1x4xf32, strided<[24, 4, 4, 1], offset: 8>>
  memref.copy %s, %e : memref<2x3x1x4xf32, strided<[20, 4, 4, 1], offset: 4>> to memref<2x3x1x4xf32, strided<[24, 4, 4, 1], offset: 8>>
  return
}

func.func @scalars(%a: memref<5xi8>, %b: memref<5xi8>) {
  %s = memref.subview %a[3] [1] [1] : memref<5xi8> to memref<i8, strided<[], offset: 3>>
  %d = memref.subview %b[1] [1] [1] : memref<5xi8> to memref<i8, strided<[], offset: 1>>
  memref.copy %s, %d : memref<i8, strided<[], offset: 3>> to memref<i8, strided<[], offset: 1>>
  return
}

func.func @swap(%x: memref<4x6xf16>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %t = tile.load_view %x[%c0, %c0] : memref<4x6xf16> -> tensor<4x6xf16>
  %pairs = tile.reshape %t : tensor<4x6xf16> -> tensor<4x3x2xf16>
  %even = tensor.extract_slice %pairs[0, 0, 0] [4, 3, 1] [1, 1, 1] : tensor<4x3x2xf16> to tensor<4x3x1xf16>
  %odd = tensor.extract_slice %pairs[0, 0, 1] [4, 3, 1] [1, 1, 1] : tensor<4x3x2xf16> to tensor<4x3x1xf16>
  %swapped = tensor.concat dim(2) %odd, %even : (tensor<4x3x1xf16>, tensor<4x3x1xf16>) -> tensor<4x3x2xf16>
  %r = tile.reshape %swapped : tensor<4x3x2xf16> -> tensor<4x6xf16>
  tile.store_view %r, %x[%c0, %c0] : tensor<4x6xf16>, memref<4x6xf16>
  return
}
