// tile.print in the interpreter: each conversion, scalars beside tiles, and an element that nothing defines; each stage of the
// pipeline for the CPU prints the same.

// RUN: tile-run %s --entry=host --backend=interp | FileCheck %s --check-prefixes=CHECK,INTERP
// RUN: tile-run %s --entry=host --backend=cpu | FileCheck %s
// RUN: tile-opt %s --convert-tile-to-linalg | tile-run - --entry=host --backend=interp | FileCheck %s
// RUN: tile-run %s --entry=host --bisect | FileCheck %s --check-prefix=BISECT --implicit-check-not=narrow

// CHECK: narrow 1 1 -3 253 fd FD, wide 4294967296 18446744073709551615 1e240|{{$}}
// CHECK-NEXT: 2.50 nan|   1|0x7|100%
// CHECK-NEXT: 2.50 inf|  -2|0x7|100%
// INTERP: number 5 undefined
// BISECT: bisect: no pass changes the answer

func.func @kernel() attributes {tile.kernel} {
  %true = arith.constant true
  %i8 = arith.constant -3 : i8
  %i64 = arith.constant 0x100000000 : i64
  %ones = arith.constant -1 : i64
  %hex = arith.constant 0x1e240 : i64
  tile.print "narrow %d %u %d %u %x %X, " %true, %true, %i8, %i8, %i8, %i8 : i1, i1, i8, i8, i8, i8
  tile.print "wide %lld %llu %x|\n" %i64, %ones, %hex : i64, i64, i64
  %f = arith.constant 2.5 : bf16
  %t = arith.constant dense<[0x7fc00000, 0x7f800000]> : tensor<2xi32>
  %fs = arith.bitcast %t : tensor<2xi32> to tensor<2xf32>
  %is = arith.constant dense<[1, -2]> : tensor<2xi16>
  %c7 = arith.constant 7 : i32
  tile.print "%.2f %g|%4d|%#x|100%%\n" %f, %fs, %is, %c7 : bf16, tensor<2xf32>, tensor<2xi16>, i32
  %never = arith.constant false
  %c5 = arith.constant 5 : i32
  %u = tile.psi %never ? %c5 : i1, i32
  tile.print "number %d %d\n" %c5, %u : i32, i32
  return
}

func.func @host() {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) ()
  return
}
