// scf-prefetch: what loops over vectors read is prefetched some way ahead, what they write in the loop before.
//
// RUN: tile-opt %s --scf-prefetch | FileCheck %s
// RUN: tile-opt %s --scf-prefetch="distance=512 row-bytes=8192" | FileCheck %s --check-prefix=LONG

// Lines of the next row while this one is read, and of the result while it is computed.
// CHECK-LABEL: @row
// CHECK:      scf.for %[[I:.*]] = %c0 to %c1024 step %c32
// CHECK:        %[[X:.*]] = llvm.getelementptr %arg0[%{{.*}}] : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK-NEXT:   %[[FIRST:.*]] = llvm.getelementptr %[[X]][4096] : (!llvm.ptr) -> !llvm.ptr, i8
// CHECK-NEXT:   "llvm.intr.prefetch"(%[[FIRST]]) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}>
// CHECK-NEXT:   %[[NEXT:.*]] = llvm.getelementptr %[[X]][4160]
// CHECK-NEXT:   "llvm.intr.prefetch"(%[[NEXT]])
// CHECK-NEXT:   llvm.load %[[X]]
// CHECK:      scf.for %[[J:.*]] = %c0 to %c1024 step %c32
// CHECK-NEXT:   %[[AT:.*]] = arith.index_cast %[[J]]
// CHECK-NEXT:   %[[Y:.*]] = llvm.getelementptr %arg1[%[[AT]]]
// CHECK-NEXT:   llvm.getelementptr %[[Y]][0]
// CHECK-NEXT:   "llvm.intr.prefetch"(%{{.*}}) <{cache = 1 : i32, hint = 3 : i32, rw = 1 : i32}>
// CHECK-NEXT:   llvm.getelementptr %[[Y]][64]
// CHECK-NEXT:   "llvm.intr.prefetch"
// CHECK:        vector.store
// CHECK:      scf.for
// CHECK-NOT:    prefetch
// CHECK:        llvm.store
// LONG-LABEL: @row
// LONG-NOT: prefetch
// LONG-LABEL: @long
func.func @row(%x: !llvm.ptr, %y: !llvm.ptr, %row: memref<1024xf32>) {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c1024 = arith.constant 1024 : index
  scf.for %i = %c0 to %c1024 step %c32 {
    %at = arith.index_cast %i : index to i64
    %address = llvm.getelementptr %x[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %some = llvm.load %address : !llvm.ptr -> vector<32xf32>
    vector.store %some, %row[%i] : memref<1024xf32>, vector<32xf32>
  }
  scf.for %i = %c0 to %c1024 step %c32 {
    %some = vector.load %row[%i] : memref<1024xf32>, vector<32xf32>
    %root = math.sqrt %some : vector<32xf32>
    vector.store %root, %row[%i] : memref<1024xf32>, vector<32xf32>
  }
  scf.for %i = %c0 to %c1024 step %c32 {
    %some = vector.load %row[%i] : memref<1024xf32>, vector<32xf32>
    %at = arith.index_cast %i : index to i64
    %address = llvm.getelementptr %y[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %some, %address : vector<32xf32>, !llvm.ptr
  }
  return
}

// LONG: llvm.getelementptr %{{.*}}[512]
// LONG: prefetch
func.func @long(%x: !llvm.ptr, %row: memref<4096xf32>) {
  %c0 = arith.constant 0 : index
  %c16 = arith.constant 16 : index
  %c4096 = arith.constant 4096 : index
  scf.for %i = %c0 to %c4096 step %c16 {
    %at = arith.index_cast %i : index to i64
    %address = llvm.getelementptr %x[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %some = llvm.load %address : !llvm.ptr -> vector<16xf32>
    vector.store %some, %row[%i] : memref<4096xf32>, vector<16xf32>
  }
  return
}

// Unchanged: scalars; vectors with gaps; a short row; bounds that are not known; an address that does not move; and a
// result whose address is known after the loop before only.
// CHECK-LABEL: @unchanged
// CHECK-NOT: prefetch
// CHECK: return
func.func @unchanged(%x: !llvm.ptr, %y: !llvm.ptr, %n: index, %row: memref<1024xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c32 = arith.constant 32 : index
  %c64 = arith.constant 64 : index
  %c1024 = arith.constant 1024 : index
  %zero = arith.constant 0 : i64
  scf.for %i = %c0 to %c1024 step %c1 {
    %at = arith.index_cast %i : index to i64
    %address = llvm.getelementptr %x[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %one = llvm.load %address : !llvm.ptr -> f32
    memref.store %one, %row[%i] : memref<1024xf32>
  }
  scf.for %i = %c0 to %c1024 step %c32 {
    %at = arith.index_cast %i : index to i64
    %address = llvm.getelementptr %x[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %some = llvm.load %address : !llvm.ptr -> vector<16xf32>
    vector.store %some, %row[%i] : memref<1024xf32>, vector<16xf32>
  }
  scf.for %i = %c0 to %c64 step %c16 {
    %at = arith.index_cast %i : index to i64
    %address = llvm.getelementptr %x[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %some = llvm.load %address : !llvm.ptr -> vector<16xf32>
    vector.store %some, %row[%i] : memref<1024xf32>, vector<16xf32>
  }
  scf.for %i = %c0 to %n step %c16 {
    %at = arith.index_cast %i : index to i64
    %address = llvm.getelementptr %x[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %some = llvm.load %address : !llvm.ptr -> vector<16xf32>
    vector.store %some, %row[%i] : memref<1024xf32>, vector<16xf32>
  }
  %last = scf.for %i = %c0 to %c1024 step %c16 iter_args(%sum = %zero) -> (i64) {
    %some = llvm.load %x : !llvm.ptr -> vector<16xf32>
    vector.store %some, %row[%i] : memref<1024xf32>, vector<16xf32>
    %at = arith.index_cast %i : index to i64
    %next = arith.addi %sum, %at : i64
    scf.yield %next : i64
  }
  scf.for %i = %c0 to %c1024 step %c16 {
    %some = vector.load %row[%i] : memref<1024xf32>, vector<16xf32>
    %index = arith.index_cast %i : index to i64
    %at = arith.addi %index, %last : i64
    %address = llvm.getelementptr %y[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    llvm.store %some, %address : vector<16xf32>, !llvm.ptr
  }
  return
}
