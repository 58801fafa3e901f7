// convert-amx-to-llvm: matrix registers, and branches that pass them; a load of what is read once has a hint. So does
// convert-cpu-to-llvm.
//
// RUN: tile-opt --convert-amx-to-llvm %s | FileCheck %s
// RUN: tile-opt --convert-cpu-to-llvm %s | FileCheck %s --check-prefix=WHOLE

// CHECK-LABEL: func.func @sum
// CHECK: %[[ZERO:.*]] = llvm.call_intrinsic "llvm.x86.tilezero.internal"(%{{.*}}, %{{.*}}) : (i16, i16) -> !llvm.x86_amx
// CHECK: llvm.br ^[[LOOP:.*]](%{{.*}}, %[[ZERO]] : i64, !llvm.x86_amx)
// CHECK: ^[[LOOP]](%{{.*}}: i64, %[[SUM:.*]]: !llvm.x86_amx):
// CHECK: llvm.cond_br
// CHECK: %[[LHS:.*]] = llvm.call_intrinsic "llvm.x86.tileloadd64.internal"
// CHECK: %[[RHS:.*]] = llvm.call_intrinsic "llvm.x86.tileloaddt164.internal"
// CHECK: llvm.call_intrinsic "llvm.x86.tdpbf16ps.internal"(%{{.*}}, %{{.*}}, %{{.*}}, %[[SUM]], %[[LHS]], %[[RHS]])
// CHECK: llvm.call_intrinsic "llvm.x86.tilestored64.internal"
// WHOLE-LABEL: llvm.func @sum
// WHOLE: llvm.br ^{{.*}}(%{{.*}}, %{{.*}} : i64, !llvm.x86_amx)
// WHOLE: llvm.call_intrinsic "llvm.x86.tileloadd64.internal"
// WHOLE: llvm.call_intrinsic "llvm.x86.tileloaddt164.internal"
func.func @sum(%a: memref<2048xbf16>, %b: memref<2048xbf16>, %c: memref<256xf32>, %n: index) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c512 = arith.constant 512 : index
  %zero = amx.tile_zero : !amx.tile<16x16xf32>
  cf.br ^loop(%c0, %zero : index, !amx.tile<16x16xf32>)
^loop(%i: index, %sum: !amx.tile<16x16xf32>):
  %more = arith.cmpi slt, %i, %n : index
  cf.cond_br %more, ^body, ^end
^body:
  %lhs = amx.tile_load %a[%i], %c32 : memref<2048xbf16> into !amx.tile<16x32xbf16>
  %rhs = amx.tile_load %b[%i], %c32 {nontemporal} : memref<2048xbf16> into !amx.tile<16x32xbf16>
  %next = amx.tile_mulf %lhs, %rhs, %sum : !amx.tile<16x32xbf16>, !amx.tile<16x32xbf16>, !amx.tile<16x16xf32>
  %j = arith.addi %i, %c512 : index
  cf.br ^loop(%j, %next : index, !amx.tile<16x16xf32>)
^end:
  amx.tile_store %c[%c0], %sum, %c16 : memref<256xf32>, !amx.tile<16x16xf32>
  return
}
