// C15: an accumulator of f16 and a result of bf16 have as many bits; the conversion between them goes
// through f32, which holds both, so that it rounds once. It became a truncation, which does not verify.
//
// RUN: tile-opt --convert-einsum-to-affine %s | FileCheck %s
// RUN: tile-run %s --entry=f16_to_bf16 --random=1 --check=interp | FileCheck %s --check-prefix=EXACT
// RUN: tile-run %s --entry=bf16_to_f16 --random=1 --check=interp | FileCheck %s --check-prefix=EXACT
// EXACT: check against interp: passed, error 0

// CHECK-LABEL: @f16_to_bf16
func.func @f16_to_bf16(%a: memref<9xf16>, %o: memref<9xbf16>) {
  // CHECK: %[[V:.*]] = affine.load
  // CHECK: %[[W:.*]] = arith.extf %[[V]] : f16 to f32
  // CHECK: arith.truncf %[[W]] : f32 to bf16
  einsum.contract "h -> h" (%a) outs(%o : memref<9xbf16>) {acc = f16} : (memref<9xf16>)
  return
}

// CHECK-LABEL: @bf16_to_f16
func.func @bf16_to_f16(%a: memref<9xbf16>, %o: memref<9xf16>) {
  // CHECK: %[[V:.*]] = affine.load
  // CHECK: %[[W:.*]] = arith.extf %[[V]] : bf16 to f32
  // CHECK: arith.truncf %[[W]] : f32 to f16
  einsum.contract "h -> h" (%a) outs(%o : memref<9xf16>) {acc = bf16} : (memref<9xbf16>)
  return
}
