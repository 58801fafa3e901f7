// einsum-parallelize: what is divided among threads.
//
// RUN: tile-opt --einsum-parallelize=threads=2 %s | FileCheck %s
// RUN: tile-opt --einsum-parallelize=threads=8 %s | FileCheck %s --check-prefix=EIGHT
// RUN: tile-opt --einsum-parallelize %s | FileCheck %s --check-prefix=CORES
// RUN: tile-opt --einsum-parallelize="threads=2 min-work=1" %s | FileCheck %s --check-prefix=LITTLE
// RUN: tile-opt --einsum-parallelize=threads=2 %s --remark-policy=all --remarks-filter=einsum 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK
// RUN: tile-opt --einsum-parallelize=threads=1 %s --remark-policy=all --remarks-filter=einsum 2>&1 >/dev/null | FileCheck %s --check-prefix=ALONE
// RUN: not tile-opt --einsum-parallelize=threads=-1 %s 2>&1 | FileCheck %s --check-prefix=OPTION
// RUN: not tile-opt --einsum-parallelize=min-work=-1 %s 2>&1 | FileCheck %s --check-prefix=OPTION

// OPTION: error: einsum-parallelize expects threads and min-work to be 0 or more, found {{-1 and 262144|0 and -1}}

module attributes {einsum.machine = #einsum.machine<cpu = "znver4", vector_bits = 512, registers = 32, fma = 1,
    latency = 4, l1 = 32768, l2 = 1048576, l3 = 33554432, cores = 3, bf16 = true>} {

// A batch that divides is parallel as it is; among 3 cores, 64 are 22 rounds of 3 at 97 %.
// CHECK-LABEL: @batch
// CHECK: dims = [<"b" parallel 64>, <"m" seq 64
// CORES-LABEL: @batch
// CORES: dims = [<"b" parallel 64
func.func @batch(%a: tensor<64x64x64xf32>, %b: tensor<64x64x64xf32>) -> tensor<64x64x64xf32> {
  // REMARK: [[@LINE+2]]:8: remark: [Passed] einsum-parallelize | Category:einsum | dims="b batch parallel 64, m m seq 64, n n seq 64, k k seq 64"
  // ALONE: [[@LINE+1]]:8: remark: [Missed] {{.*}} Reason="there is one thread"
  %c = einsum.contract "bmk, bkn -> bmn" (%a, %b) : (tensor<64x64x64xf32>, tensor<64x64x64xf32>) -> tensor<64x64x64xf32>
  return %c : tensor<64x64x64xf32>
}

// One that does not takes the next one with it, past a summed one.
// CHECK-LABEL: @two
// CHECK: dims = [<"b" parallel 3>, <"m" parallel 64>, <"k" seq 64>, <"n" seq 64>]
func.func @two(%a: tensor<3x64x64xf32>, %b: tensor<3x64x64xf32>) -> tensor<3x64x64xf32> {
  %c = einsum.contract "bmk, bkn -> bmn" (%a, %b) {schedule = #einsum.schedule<dims = [
      <"b" seq 3>, <"k" seq 64>, <"m" seq 64>, <"n" seq 64>]>}
    : (tensor<3x64x64xf32>, tensor<3x64x64xf32>) -> tensor<3x64x64xf32>
  return %c : tensor<3x64x64xf32>
}

// The rows of a kernel: 1024 = 2 * 512. Lanes stay lanes.
// CHECK-LABEL: @rows
// CHECK: lanes = 2, dims = [<"m" parallel 2 step 512>, <"m" prim 512>, <"n" prim 64
// EIGHT-LABEL: @rows
// EIGHT: lanes = 2, dims = [<"m" parallel 8 step 128
// CORES-LABEL: @rows
// CORES: lanes = 2, dims = [<"m" parallel 32 step 32
func.func @rows(%a: tensor<1024x64xf32>, %b: tensor<64x64xf32>) -> tensor<1024x64xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<lanes = 1, dims = [
      <"m" prim 1024>, <"n" prim 64>, <"k" prim 64>]>}
    : (tensor<1024x64xf32>, tensor<64x64xf32>) -> tensor<1024x64xf32>
  return %c : tensor<1024x64xf32>
}

// 61 rows do not divide; 1056 lanes do, into whole vectors: 2 * 33 * 16.
// CHECK-LABEL: @lanes
// CHECK: lanes = 2, dims = [<"n" parallel 2 step 528>, <"m" prim 61>, <"n" prim 528>
func.func @lanes(%a: tensor<61x64xf32>, %b: tensor<64x1056xf32>) -> tensor<61x1056xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<lanes = 1, dims = [
      <"m" prim 61>, <"n" prim 1056>, <"k" prim 64>]>}
    : (tensor<61x64xf32>, tensor<64x1056xf32>) -> tensor<61x1056xf32>
  return %c : tensor<61x1056xf32>
}

// Of 33 vectors no half is whole: it is 33 chunks of one.
// CHECK-LABEL: @vectors
// CHECK: dims = [<"n" parallel 33 step 16>, <"m" prim 61>, <"n" prim 16
func.func @vectors(%a: tensor<61x64xf32>, %b: tensor<64x528xf32>) -> tensor<61x528xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<lanes = 1, dims = [
      <"m" prim 61>, <"n" prim 528>, <"k" prim 64>]>}
    : (tensor<61x64xf32>, tensor<64x528xf32>) -> tensor<61x528xf32>
  return %c : tensor<61x528xf32>
}

// That the sum divides is of no use.
// CHECK-LABEL: @sum_first
// CHECK: dims = [<"m" parallel 3>, <"n" parallel 2048>, <"k" seq 64
func.func @sum_first(%a: tensor<3x64xf32>, %b: tensor<64x2048xf32>) -> tensor<3x2048xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<dims = [
      <"k" seq 64>, <"m" seq 3>, <"n" seq 2048>]>}
    : (tensor<3x64xf32>, tensor<64x2048xf32>) -> tensor<3x2048xf32>
  return %c : tensor<3x2048xf32>
}

// Both are prime.
// CHECK-LABEL: @prime
// CHECK: dims = [<"m" prim 61
func.func @prime(%a: tensor<61x128xf32>, %b: tensor<128x67xf32>) -> tensor<61x67xf32> {
  // REMARK: [[@LINE+1]]:8: remark: [Missed] {{.*}} Reason="no dimension divides among the threads"
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<lanes = 1, dims = [
      <"m" prim 61>, <"n" prim 67>, <"k" prim 128>]>}
    : (tensor<61x128xf32>, tensor<128x67xf32>) -> tensor<61x67xf32>
  return %c : tensor<61x67xf32>
}

// What is parallel already counts: it suffices for 2 threads, and 4 more parts for 8.
// CHECK-LABEL: @more
// CHECK: dims = [<"m" parallel 2 step 32>, <"n" seq 64
// EIGHT-LABEL: @more
// EIGHT: dims = [<"m" parallel 2 step 32>, <"n" parallel 64>, <"m" seq 32
func.func @more(%a: tensor<64x64xf32>, %b: tensor<64x64xf32>) -> tensor<64x64xf32> {
  // REMARK: [[@LINE+1]]:8: remark: [Missed] {{.*}} Reason="its parallel dimensions suffice"
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<dims = [
      <"m" parallel 2 step 32>, <"n" seq 64>, <"m" seq 32>,
      <"k" seq 64>]>}
    : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32>
  return %c : tensor<64x64xf32>
}

// 63 * 64 * 64 multiply-adds are little.
// CHECK-LABEL: @little
// CHECK: einsum.contract "mk, kn -> mn" (%{{.*}}, %{{.*}}) :
// LITTLE-LABEL: @little
// LITTLE: dims = [<"m" parallel 63>, <"n" seq 64
func.func @little(%a: tensor<63x64xf32>, %b: tensor<64x64xf32>) -> tensor<63x64xf32> {
  // REMARK: [[@LINE+1]]:8: remark: [Missed] {{.*}} Reason="it has less than min-work steps"
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<63x64xf32>, tensor<64x64xf32>) -> tensor<63x64xf32>
  return %c : tensor<63x64xf32>
}

// 256 * 256 copied elements are not.
// CHECK-LABEL: @copy
// CHECK: dims = [<"n" parallel 256
func.func @copy(%a: tensor<256x256xf32>) -> tensor<256x256xf32> {
  %y = einsum.contract "mn -> nm" (%a) : (tensor<256x256xf32>) -> tensor<256x256xf32>
  return %y : tensor<256x256xf32>
}

// Blocks of rows inside of parts of a sum are divided, and stay there: what the kernel reads a copy of is packed once for
// each part.
// CHECK-LABEL: @inside_of_a_sum
// CHECK: dims = [<"m" parallel 2 step 192>, <"k" seq 2 step 64>, <"m" seq 3 step 64>, <"m" prim 64>, <"n" prim 64>, <"k" prim 64>]
func.func @inside_of_a_sum(%a: tensor<384x128xf32>, %b: tensor<128x64xf32>) -> tensor<384x64xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<pack = [1], dims = [
      <"k" seq 2 step 64>, <"m" seq 6 step 64>, <"m" prim 64>, <"n" prim 64>, <"k" prim 64>]>}
    : (tensor<384x128xf32>, tensor<128x64xf32>) -> tensor<384x64xf32>
  return %c : tensor<384x64xf32>
}

// Two panels are too few for eight threads: rows are divided as well, within the loop over panels, of which four threads copy
// each, not in place of it, where all of them would copy both.
// CHECK-LABEL: @panels
// CHECK: dims = [<"n" parallel 2 step 64>, <"m" prim 384>, <"n" prim 64>, <"k" prim 128>]
// EIGHT-LABEL: @panels
// EIGHT: dims = [<"m" parallel 4 step 96>, <"n" parallel 2 step 64>, <"m" prim 96>, <"n" prim 64>, <"k" prim 128>]
func.func @panels(%a: tensor<384x128xf32>, %b: tensor<128x128xf32>) -> tensor<384x128xf32> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {schedule = #einsum.schedule<pack = [1], dims = [
      <"n" seq 2 step 64>, <"m" prim 384>, <"n" prim 64>, <"k" prim 128>]>}
    : (tensor<384x128xf32>, tensor<128x128xf32>) -> tensor<384x128xf32>
  return %c : tensor<384x128xf32>
}

}
