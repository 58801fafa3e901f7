// convert-linalg-to-vector: results of pointwise ops of which the third cache keeps nothing are written past it, by vectors
// of the machine.
//
// RUN: tile-opt %s --convert-linalg-to-vector | FileCheck %s
// RUN: sed -e 's/l3 = 256/l3 = 1048576/' %s | tile-opt --convert-linalg-to-vector | FileCheck %s --check-prefix=KEPT
// KEPT-NOT: nontemporal
//
// What is stored where is what the interpreter has, by one thread and by two.
// RUN: tile-run %s --entry=run --backend=cpu --random=3 --check=interp | FileCheck %s --check-prefix=SAME
// RUN: tile-run %s --entry=run --backend=cpu --random=4 --check=interp --pipeline="einsum-to-cpu-pipeline{threads=2}" \
// RUN:   | FileCheck %s --check-prefix=SAME
// SAME: check against interp: passed

#machine = #einsum.machine<cpu = "any", vector_bits = 256, registers = 16, fma = 2, latency = 4, l1 = 64, l2 = 128,
    l3 = 256, cores = 1, bf16 = false>
#id = affine_map<(a, b) -> (a, b)>
#row = affine_map<(a, b) -> (b)>
module attributes {einsum.machine = #machine} {

// Two vectors an iteration. Memory of a caller may begin anywhere.
// CHECK-LABEL: @sum(
// CHECK-SAME: %[[X:.*]]: memref<4x48xf32>, %[[Y:.*]]: memref<4x48xf32>)
// CHECK: %[[ADDRESS:.*]] = memref.extract_aligned_pointer_as_index
// CHECK: arith.andi %[[ADDRESS]], %c31 : index
// CHECK: %[[STREAMS:.*]] = arith.cmpi eq
// CHECK: scf.for
// CHECK: scf.if %[[STREAMS]] {
// CHECK:   %[[FIRST:.*]] = vector.extract_strided_slice %[[VALUE:.*]] {offsets = [0], sizes = [8], strides = [1]}
// CHECK-NEXT: vector.store %[[FIRST]], {{.*}} {alignment = 32 : i64, nontemporal = true} : {{.*}}, vector<8xf32>
// CHECK:   %[[SECOND:.*]] = vector.extract_strided_slice %[[VALUE]] {offsets = [8], sizes = [8], strides = [1]}
// CHECK:   vector.store %[[SECOND]], {{.*}} {alignment = 32 : i64, nontemporal = true} : {{.*}}, vector<8xf32>
// CHECK: } else {
// CHECK:   vector.store %[[VALUE]], {{.*}}] : {{.*}}, vector<16xf32>
func.func @sum(%x: memref<4x48xf32>, %y: memref<4x48xf32>) {
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<4x48xf32>) outs(%y : memref<4x48xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  }
  return
}

// What is read is in the caches: an operand in place, also by a view, and a result that goes on. Odd rows begin anywhere.
// CHECK-LABEL: @read(
// CHECK-NOT: nontemporal
func.func @read(%x: memref<4x48xf32>, %y: memref<4x48xf32>, %z: memref<4x45xf32>, %bias: memref<48xf32>) {
  linalg.generic {indexing_maps = [#id, #row, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %bias : memref<4x48xf32>, memref<48xf32>) outs(%x : memref<4x48xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }
  %view = memref.cast %y : memref<4x48xf32> to memref<4x48xf32, strided<[48, 1], offset: 0>>
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%view : memref<4x48xf32, strided<[48, 1], offset: 0>>) outs(%y : memref<4x48xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %a : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x : memref<4x48xf32>) outs(%y : memref<4x48xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  }
  linalg.generic {indexing_maps = [#id], iterator_types = ["parallel", "parallel"]} outs(%z : memref<4x45xf32>) {
  ^bb0(%a: f32):
    %zero = arith.constant 0.0 : f32
    linalg.yield %zero : f32
  }
  return
}

func.func @run(%x: tensor<40x48xf32>, %y: tensor<40x48xf32>, %h: tensor<40x48xf16>) -> (tensor<40x48xf32>, tensor<40x48xf16>, tensor<40x44xf64>) {
  %e = tensor.empty() : tensor<40x48xf32>
  %z = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%x, %y : tensor<40x48xf32>, tensor<40x48xf32>) outs(%e : tensor<40x48xf32>) {
  ^bb0(%a: f32, %b: f32, %c: f32):
    %s = arith.addf %a, %b : f32
    linalg.yield %s : f32
  } -> tensor<40x48xf32>
  %eh = tensor.empty() : tensor<40x48xf16>
  %half = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%z, %h : tensor<40x48xf32>, tensor<40x48xf16>) outs(%eh : tensor<40x48xf16>) {
  ^bb0(%a: f32, %b: f16, %c: f16):
    %n = arith.truncf %a : f32 to f16
    %s = arith.mulf %n, %b : f16
    linalg.yield %s : f16
  } -> tensor<40x48xf16>
  %part = tensor.extract_slice %z[0, 2] [40, 44] [1, 1] : tensor<40x48xf32> to tensor<40x44xf32>
  %ed = tensor.empty() : tensor<40x44xf64>
  %double = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]}
      ins(%part : tensor<40x44xf32>) outs(%ed : tensor<40x44xf64>) {
  ^bb0(%a: f32, %c: f64):
    %w = arith.extf %a : f32 to f64
    linalg.yield %w : f64
  } -> tensor<40x44xf64>
  return %z, %half, %double : tensor<40x48xf32>, tensor<40x48xf16>, tensor<40x44xf64>
}
}
