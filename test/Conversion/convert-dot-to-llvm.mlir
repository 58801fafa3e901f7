// convert-dot-to-llvm: products of fours that are added up become vpdpbusd; what only looks like it stays.
//
// RUN: tile-opt --convert-dot-to-llvm %s | FileCheck %s

// CHECK-LABEL: @dot(
// CHECK-SAME: %[[SUM:.*]]: vector<4xi32>, %[[A:.*]]: vector<16xi8>, %[[B:.*]]: vector<16xi8>
// CHECK-NEXT: %[[DOT:.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.128"(%[[SUM]], %[[A]], %[[B]]) : (vector<4xi32>, vector<16xi8>, vector<16xi8>) -> vector<4xi32>
// CHECK-NEXT: return %[[DOT]]
func.func @dot(%sum: vector<4xi32>, %a: vector<16xi8>, %b: vector<16xi8>) -> vector<4xi32> {
  %x = arith.extui %a : vector<16xi8> to vector<16xi32>
  %y = arith.extsi %b : vector<16xi8> to vector<16xi32>
  %p = arith.muli %x, %y {fours} : vector<16xi32>
  %0 = vector.shuffle %p, %p [0, 4, 8, 12] : vector<16xi32>, vector<16xi32>
  %1 = vector.shuffle %p, %p [1, 5, 9, 13] : vector<16xi32>, vector<16xi32>
  %2 = vector.shuffle %p, %p [2, 6, 10, 14] : vector<16xi32>, vector<16xi32>
  %3 = vector.shuffle %p, %p [3, 7, 11, 15] : vector<16xi32>, vector<16xi32>
  %01 = arith.addi %0, %1 : vector<4xi32>
  %23 = arith.addi %2, %3 : vector<4xi32>
  %all = arith.addi %01, %23 : vector<4xi32>
  %result = arith.addi %all, %sum : vector<4xi32>
  return %result : vector<4xi32>
}

// Nothing to add them to, the factors in the other order, places in another one, and a constant without a sign.
// CHECK-LABEL: @alone(
// CHECK-SAME: %[[B:.*]]: vector<16xi8>
// CHECK-DAG: %[[A:.*]] = arith.constant dense<-128> : vector<16xi8>
// CHECK-DAG: %[[ZERO:.*]] = arith.constant dense<0> : vector<4xi32>
// CHECK: %[[DOT:.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.128"(%[[ZERO]], %[[A]], %[[B]])
// CHECK-NEXT: return %[[DOT]]
func.func @alone(%b: vector<16xi8>) -> vector<4xi32> {
  %x = arith.constant dense<128> : vector<16xi32>
  %y = arith.extsi %b : vector<16xi8> to vector<16xi32>
  %p = arith.muli %y, %x {fours} : vector<16xi32>
  %0 = vector.shuffle %p, %p [3, 7, 11, 15] : vector<16xi32>, vector<16xi32>
  %1 = vector.shuffle %p, %p [1, 5, 9, 13] : vector<16xi32>, vector<16xi32>
  %2 = vector.shuffle %p, %p [0, 4, 8, 12] : vector<16xi32>, vector<16xi32>
  %3 = vector.shuffle %p, %p [2, 6, 10, 14] : vector<16xi32>, vector<16xi32>
  %01 = arith.addi %0, %1 : vector<4xi32>
  %23 = arith.addi %2, %3 : vector<4xi32>
  %all = arith.addi %01, %23 : vector<4xi32>
  return %all : vector<4xi32>
}

// What is shared stays for the other one; the sum of one is that of the other.
// CHECK-LABEL: @wide(
// CHECK: %[[DOT:.*]] = llvm.call_intrinsic "llvm.x86.avx512.vpdpbusd.256"(%{{.*}}, %{{.*}}, %{{.*}}) : (vector<8xi32>, vector<32xi8>, vector<32xi8>) -> vector<8xi32>
// CHECK-NEXT: return %[[DOT]], %{{.*}}
func.func @wide(%sum: vector<8xi32>, %a: vector<32xi8>, %b: vector<32xi8>) -> (vector<8xi32>, vector<32xi32>) {
  %x = arith.extui %a : vector<32xi8> to vector<32xi32>
  %y = arith.extsi %b : vector<32xi8> to vector<32xi32>
  %p = arith.muli %x, %y {fours} : vector<32xi32>
  %0 = vector.shuffle %p, %p [0, 4, 8, 12, 16, 20, 24, 28] : vector<32xi32>, vector<32xi32>
  %1 = vector.shuffle %p, %p [1, 5, 9, 13, 17, 21, 25, 29] : vector<32xi32>, vector<32xi32>
  %2 = vector.shuffle %p, %p [2, 6, 10, 14, 18, 22, 26, 30] : vector<32xi32>, vector<32xi32>
  %3 = vector.shuffle %p, %p [3, 7, 11, 15, 19, 23, 27, 31] : vector<32xi32>, vector<32xi32>
  %01 = arith.addi %0, %1 : vector<8xi32>
  %23 = arith.addi %2, %3 : vector<8xi32>
  %all = arith.addi %01, %23 : vector<8xi32>
  %result = arith.addi %sum, %all : vector<8xi32>
  return %result, %y : vector<8xi32>, vector<32xi32>
}

// Without the attribute, no machine is known to have it.
// CHECK-LABEL: @unknown(
// CHECK-NOT: llvm.call_intrinsic
func.func @unknown(%sum: vector<4xi32>, %a: vector<16xi8>, %b: vector<16xi8>) -> vector<4xi32> {
  %x = arith.extui %a : vector<16xi8> to vector<16xi32>
  %y = arith.extsi %b : vector<16xi8> to vector<16xi32>
  %p = arith.muli %x, %y : vector<16xi32>
  %0 = vector.shuffle %p, %p [0, 4, 8, 12] : vector<16xi32>, vector<16xi32>
  %1 = vector.shuffle %p, %p [1, 5, 9, 13] : vector<16xi32>, vector<16xi32>
  %2 = vector.shuffle %p, %p [2, 6, 10, 14] : vector<16xi32>, vector<16xi32>
  %3 = vector.shuffle %p, %p [3, 7, 11, 15] : vector<16xi32>, vector<16xi32>
  %01 = arith.addi %0, %1 : vector<4xi32>
  %23 = arith.addi %2, %3 : vector<4xi32>
  %all = arith.addi %01, %23 : vector<4xi32>
  return %all : vector<4xi32>
}

// Both have signs.
// CHECK-LABEL: @signed(
// CHECK-NOT: llvm.call_intrinsic
func.func @signed(%a: vector<16xi8>, %b: vector<16xi8>) -> vector<4xi32> {
  %x = arith.extsi %a : vector<16xi8> to vector<16xi32>
  %y = arith.extsi %b : vector<16xi8> to vector<16xi32>
  %p = arith.muli %x, %y {fours} : vector<16xi32>
  %0 = vector.shuffle %p, %p [0, 4, 8, 12] : vector<16xi32>, vector<16xi32>
  %1 = vector.shuffle %p, %p [1, 5, 9, 13] : vector<16xi32>, vector<16xi32>
  %2 = vector.shuffle %p, %p [2, 6, 10, 14] : vector<16xi32>, vector<16xi32>
  %3 = vector.shuffle %p, %p [3, 7, 11, 15] : vector<16xi32>, vector<16xi32>
  %01 = arith.addi %0, %1 : vector<4xi32>
  %23 = arith.addi %2, %3 : vector<4xi32>
  %all = arith.addi %01, %23 : vector<4xi32>
  return %all : vector<4xi32>
}

// One of the four is taken twice.
// CHECK-LABEL: @twice(
// CHECK-NOT: llvm.call_intrinsic
func.func @twice(%a: vector<16xi8>, %b: vector<16xi8>) -> vector<4xi32> {
  %x = arith.extui %a : vector<16xi8> to vector<16xi32>
  %y = arith.extsi %b : vector<16xi8> to vector<16xi32>
  %p = arith.muli %x, %y {fours} : vector<16xi32>
  %0 = vector.shuffle %p, %p [0, 4, 8, 12] : vector<16xi32>, vector<16xi32>
  %1 = vector.shuffle %p, %p [1, 5, 9, 13] : vector<16xi32>, vector<16xi32>
  %2 = vector.shuffle %p, %p [2, 6, 10, 14] : vector<16xi32>, vector<16xi32>
  %3 = vector.shuffle %p, %p [1, 5, 9, 13] : vector<16xi32>, vector<16xi32>
  %01 = arith.addi %0, %1 : vector<4xi32>
  %23 = arith.addi %2, %3 : vector<4xi32>
  %all = arith.addi %01, %23 : vector<4xi32>
  return %all : vector<4xi32>
}

// Some products are also read elsewhere, and places are others.
// CHECK-LABEL: @others(
// CHECK-NOT: llvm.call_intrinsic
func.func @others(%a: vector<16xi8>, %b: vector<16xi8>) -> (vector<4xi32>, vector<4xi32>) {
  %x = arith.extui %a : vector<16xi8> to vector<16xi32>
  %y = arith.extsi %b : vector<16xi8> to vector<16xi32>
  %p = arith.muli %x, %y {fours} : vector<16xi32>
  %0 = vector.shuffle %p, %p [0, 4, 8, 12] : vector<16xi32>, vector<16xi32>
  %1 = vector.shuffle %p, %p [1, 5, 9, 13] : vector<16xi32>, vector<16xi32>
  %2 = vector.shuffle %p, %p [2, 6, 10, 14] : vector<16xi32>, vector<16xi32>
  %3 = vector.shuffle %p, %p [3, 7, 15, 11] : vector<16xi32>, vector<16xi32>
  %01 = arith.addi %0, %1 : vector<4xi32>
  %23 = arith.addi %2, %3 : vector<4xi32>
  %all = arith.addi %01, %23 : vector<4xi32>
  return %all, %01 : vector<4xi32>, vector<4xi32>
}
