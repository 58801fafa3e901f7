// Groups of elements along a window may begin in a border and end in the image: none of these is left out, as whole lines of it are.
// The second convolution of each kind has groups of channels inside of lines that are left out.
//
// DEFINE: %{run} = tile-run %s --random=3 --backend=cpu --check=interp --entry
// RUN: %{run}=@pairs | FileCheck %s
// RUN: %{run}=@pairs --cpu=generic | FileCheck %s
// RUN: %{run}=@pairs_in_lines | FileCheck %s
// RUN: %{run}=@fours | FileCheck %s
// RUN: %{run}=@fours --cpu=generic | FileCheck %s
// RUN: %{run}=@fours_in_lines | FileCheck %s
// RUN: %{run}=@fours_in_lines --cpu=generic | FileCheck %s
// CHECK: check against interp: passed

func.func @pairs(%x: tensor<8x20x32xbf16>, %v: tensor<16x6xbf16>) -> tensor<8x20x32x16xbf16> {
  %zero = arith.constant 0.0 : bf16
  %p = tensor.pad %x low[0, 2, 0] high[0, 3, 0] {
    ^bb0(%i: index, %j: index, %k: index):
      tensor.yield %zero : bf16
  } : tensor<8x20x32xbf16> to tensor<8x25x32xbf16>
  %y = einsum.contract "n(h+r)w, kr -> nhwk" (%p, %v) {schedule = #einsum.schedule<lanes = 3, tile = [8, 1], unroll = 1,
      pack = [0, 1], dims = [<"n" seq 8>, <"h" seq 20>, <"w" prim 32>, <"k" prim 16>, <"r" prim 6>]>}
      : (tensor<8x25x32xbf16>, tensor<16x6xbf16>) -> tensor<8x20x32x16xbf16>
  return %y : tensor<8x20x32x16xbf16>
}

func.func @pairs_in_lines(%x: tensor<2x6x8x32xbf16>, %v: tensor<16x3x3x32xbf16>) -> tensor<2x10x8x16xbf16> {
  %zero = arith.constant 0.0 : bf16
  %p = tensor.pad %x low[0, 3, 1, 0] high[0, 3, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %zero : bf16
  } : tensor<2x6x8x32xbf16> to tensor<2x12x10x32xbf16>
  %y = einsum.contract "n(h+r)(w+s)c, krsc -> nhwk" (%p, %v) {schedule = #einsum.schedule<lanes = 3, tile = [8, 1], unroll = 4,
      pack = [1], dims = [<"n" seq 2>, <"h" seq 10>, <"w" prim 8>, <"k" prim 16>, <"r" prim 3>, <"s" prim 3>, <"c" prim 32>]>}
      : (tensor<2x12x10x32xbf16>, tensor<16x3x3x32xbf16>) -> tensor<2x10x8x16xbf16>
  return %y : tensor<2x10x8x16xbf16>
}

func.func @fours(%x: tensor<8x20x32xi8>, %v: tensor<16x6xi8>) -> tensor<8x20x32x16xi32> {
  %zero = arith.constant 0 : i8
  %p = tensor.pad %x low[0, 2, 0] high[0, 3, 0] {
    ^bb0(%i: index, %j: index, %k: index):
      tensor.yield %zero : i8
  } : tensor<8x20x32xi8> to tensor<8x25x32xi8>
  %y = einsum.contract "n(h+r)w, kr -> nhwk" (%p, %v) {schedule = #einsum.schedule<lanes = 3, tile = [8, 1], unroll = 1,
      pack = [0, 1], dims = [<"n" seq 8>, <"h" seq 20>, <"w" prim 32>, <"k" prim 16>, <"r" prim 6>]>}
      : (tensor<8x25x32xi8>, tensor<16x6xi8>) -> tensor<8x20x32x16xi32>
  return %y : tensor<8x20x32x16xi32>
}

func.func @fours_in_lines(%x: tensor<2x6x8x32xi8>, %v: tensor<16x3x3x32xi8>) -> tensor<2x10x8x16xi32> {
  %zero = arith.constant 0 : i8
  %p = tensor.pad %x low[0, 3, 1, 0] high[0, 3, 1, 0] {
    ^bb0(%i: index, %j: index, %k: index, %l: index):
      tensor.yield %zero : i8
  } : tensor<2x6x8x32xi8> to tensor<2x12x10x32xi8>
  %y = einsum.contract "n(h+r)(w+s)c, krsc -> nhwk" (%p, %v) {schedule = #einsum.schedule<lanes = 3, tile = [8, 1], unroll = 4,
      pack = [1], dims = [<"n" seq 2>, <"h" seq 10>, <"w" prim 8>, <"k" prim 16>, <"r" prim 3>, <"s" prim 3>, <"c" prim 32>]>}
      : (tensor<2x12x10x32xi8>, tensor<16x3x3x32xi8>) -> tensor<2x10x8x16xi32>
  return %y : tensor<2x10x8x16xi32>
}
