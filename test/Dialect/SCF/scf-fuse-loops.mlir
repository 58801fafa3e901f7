// scf-fuse-loops: loops that go over the same elements of a buffer in the same iterations become one.
//
// RUN: tile-opt %s --scf-fuse-loops | FileCheck %s

// Rows of a softmax: parallel loops, and loops within them. The buffer is allocated before the first one.
// CHECK-LABEL: @rows
// CHECK:      memref.alloc() : memref<64xf32>
// CHECK:      memref.alloc() : memref<64x256xf32>
// CHECK:      scf.parallel
// CHECK-NEXT:   scf.for
// CHECK:        memref.store
// CHECK:        memref.load
// CHECK:        %[[SUM:.*]] = scf.for
// CHECK:          math.exp
// CHECK:          vector.store
// CHECK-NEXT:     vector.load
// CHECK-NEXT:     arith.addf
// CHECK:        vector.reduction <add>, %[[SUM]]
// CHECK-NOT:  scf.parallel
// CHECK:      return
func.func @rows(%x: memref<64x256xf32>) -> memref<64x256xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c16 = arith.constant 16 : index
  %c64 = arith.constant 64 : index
  %c256 = arith.constant 256 : index
  %low = arith.constant dense<0xFF800000> : vector<16xf32>
  %zero = arith.constant dense<0.0> : vector<16xf32>
  %best = memref.alloc() : memref<64xf32>
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %max = scf.for %j = %c0 to %c256 step %c16 iter_args(%so_far = %low) -> (vector<16xf32>) {
      %some = vector.load %x[%i, %j] : memref<64x256xf32>, vector<16xf32>
      %next = arith.maximumf %some, %so_far : vector<16xf32>
      scf.yield %next : vector<16xf32>
    }
    %one = vector.reduction <maximumf>, %max : vector<16xf32> into f32
    memref.store %one, %best[%i] : memref<64xf32>
  }
  %e = memref.alloc() : memref<64x256xf32>
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %max = memref.load %best[%i] : memref<64xf32>
    %all = vector.broadcast %max : f32 to vector<16xf32>
    scf.for %j = %c0 to %c256 step %c16 {
      %some = vector.load %x[%i, %j] : memref<64x256xf32>, vector<16xf32>
      %less = arith.subf %some, %all : vector<16xf32>
      %exp = math.exp %less : vector<16xf32>
      vector.store %exp, %e[%i, %j] : memref<64x256xf32>, vector<16xf32>
    }
  }
  scf.parallel (%i) = (%c0) to (%c64) step (%c1) {
    %sums = scf.for %j = %c0 to %c256 step %c16 iter_args(%so_far = %zero) -> (vector<16xf32>) {
      %some = vector.load %e[%i, %j] : memref<64x256xf32>, vector<16xf32>
      %next = arith.addf %some, %so_far : vector<16xf32>
      scf.yield %next : vector<16xf32>
    }
    %one = vector.reduction <add>, %sums : vector<16xf32> into f32
    memref.store %one, %best[%i] : memref<64xf32>
  }
  return %e : memref<64x256xf32>
}

// What pointers lead to is no buffer of the function, and what comes between two loops stays behind them.
// CHECK-LABEL: @pointers
// CHECK:      scf.for
// CHECK:        llvm.load
// CHECK:        memref.store
// CHECK-NEXT:   memref.load
// CHECK:        scf.yield
// CHECK:      llvm.store %{{.*}} : f32, !llvm.ptr
// CHECK-NOT:  scf.for
// CHECK:      return
func.func @pointers(%x: !llvm.ptr, %y: !llvm.ptr) -> f32 {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %zero = arith.constant 0.0 : f32
  %m = memref.alloca() : memref<256xf32>
  scf.for %i = %c0 to %c256 step %c1 {
    %at = arith.index_cast %i : index to i64
    %address = llvm.getelementptr %x[%at] : (!llvm.ptr, i64) -> !llvm.ptr, f32
    %one = llvm.load %address : !llvm.ptr -> f32
    memref.store %one, %m[%i] : memref<256xf32>
  }
  llvm.store %zero, %y : f32, !llvm.ptr
  %sum = scf.for %i = %c0 to %c256 step %c1 iter_args(%so_far = %zero) -> (f32) {
    %one = memref.load %m[%i] : memref<256xf32>
    %next = arith.addf %so_far, %one : f32
    scf.yield %next : f32
  }
  return %sum : f32
}

// A loop passes by an earlier one that has nothing to do with it.
// CHECK-LABEL: @past
// CHECK:      scf.for
// CHECK:        memref.store %{{.*}}, %[[A:.*]][
// CHECK:        memref.load %[[A]]
// CHECK:      scf.for
// CHECK-NOT:  scf.for
// CHECK:      return
func.func @past(%x: f32) -> (memref<256xf32>, memref<256xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  %a = memref.alloc() : memref<256xf32>
  %b = memref.alloc() : memref<256xf32>
  scf.for %i = %c0 to %c256 step %c1 {
    memref.store %x, %a[%i] : memref<256xf32>
  }
  scf.for %i = %c0 to %c256 step %c1 {
    memref.store %x, %b[%i] : memref<256xf32>
  }
  scf.for %i = %c0 to %c256 step %c1 {
    %one = memref.load %a[%i] : memref<256xf32>
    %root = math.sqrt %one : f32
    memref.store %root, %a[%i] : memref<256xf32>
  }
  return %a, %b : memref<256xf32>, memref<256xf32>
}

// Apart: other bounds; elements of other iterations; vectors that overlap; a value of the first loop; nothing in common;
// what a pointer may lead to, once one is made of the buffer; a fill, and a call, in between.
func.func private @call(memref<256xf32>)
// CHECK-LABEL: @apart
// CHECK-COUNT-16: scf.for
// CHECK-NOT: scf.for
// CHECK: return
func.func @apart(%x: f32, %n: index, %p: !llvm.ptr) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %c255 = arith.constant 255 : index
  %c256 = arith.constant 256 : index
  %zeros = arith.constant dense<0.0> : vector<16xf32>
  %zero = arith.constant 0.0 : f32
  %a = memref.alloc() : memref<256xf32>
  %b = memref.alloc() : memref<256xf32>
  %c = memref.alloc() : memref<512xf32>
  %d = memref.alloc() : memref<256xf32>
  %e = memref.alloc() : memref<256xf32>
  %f = memref.alloc() : memref<256xf32>
  %g = memref.alloc() : memref<256xf32>
  scf.for %i = %c0 to %c255 step %c1 {
    memref.store %x, %a[%i] : memref<256xf32>
  }
  scf.for %i = %c0 to %n step %c1 {
    %one = memref.load %a[%i] : memref<256xf32>
    memref.store %one, %a[%i] : memref<256xf32>
  }
  scf.for %i = %c0 to %c255 step %c1 {
    memref.store %x, %b[%i] : memref<256xf32>
  }
  scf.for %i = %c0 to %c255 step %c1 {
    %next = arith.addi %i, %c1 : index
    %one = memref.load %b[%next] : memref<256xf32>
    memref.store %one, %b[%i] : memref<256xf32>
  }
  scf.for %i = %c0 to %c256 step %c8 {
    vector.store %zeros, %c[%i] : memref<512xf32>, vector<16xf32>
  }
  scf.for %i = %c0 to %c256 step %c8 {
    %some = vector.load %c[%i] : memref<512xf32>, vector<16xf32>
    vector.store %some, %c[%i] : memref<512xf32>, vector<16xf32>
  }
  %sum = scf.for %i = %c0 to %c256 step %c1 iter_args(%so_far = %zero) -> (f32) {
    %one = memref.load %d[%i] : memref<256xf32>
    %next = arith.addf %so_far, %one : f32
    scf.yield %next : f32
  }
  scf.for %i = %c0 to %c256 step %c1 {
    %one = memref.load %d[%i] : memref<256xf32>
    %share = arith.divf %one, %sum : f32
    memref.store %share, %d[%i] : memref<256xf32>
  }
  scf.for %i = %c0 to %c256 step %c1 {
    memref.store %x, %e[%i] : memref<256xf32>
  }
  %index = memref.extract_aligned_pointer_as_index %e : memref<256xf32> -> index
  scf.for %i = %c0 to %c256 step %c1 {
    %one = memref.load %e[%i] : memref<256xf32>
    llvm.store %one, %p : f32, !llvm.ptr
  }
  scf.for %i = %c0 to %c256 step %c1 {
    memref.store %x, %f[%i] : memref<256xf32>
  }
  linalg.fill ins(%zero : f32) outs(%f : memref<256xf32>)
  scf.for %i = %c0 to %c256 step %c1 {
    %one = memref.load %f[%i] : memref<256xf32>
    memref.store %one, %f[%i] : memref<256xf32>
  }
  scf.for %i = %c0 to %c256 step %c1 {
    memref.store %x, %g[%i] : memref<256xf32>
  }
  func.call @call(%g) : (memref<256xf32>) -> ()
  scf.for %i = %c0 to %c256 step %c1 {
    %one = memref.load %g[%i] : memref<256xf32>
    memref.store %one, %g[%i] : memref<256xf32>
  }
  %h = memref.alloca() : memref<256xf32>
  %k = memref.alloca() : memref<256xf32>
  scf.for %i = %c0 to %c256 step %c1 {
    memref.store %x, %h[%i] : memref<256xf32>
  }
  scf.for %i = %c0 to %c256 step %c1 {
    memref.store %x, %k[%i] : memref<256xf32>
  }
  return
}

// Arguments may share memory.
// CHECK-LABEL: @arguments
// CHECK-COUNT-2: scf.for
// CHECK: return
func.func @arguments(%a: memref<256xf32>, %b: memref<256xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  scf.for %i = %c0 to %c256 step %c1 {
    %one = memref.load %a[%i] : memref<256xf32>
    memref.store %one, %a[%i] : memref<256xf32>
  }
  scf.for %i = %c0 to %c256 step %c1 {
    %one = memref.load %a[%i] : memref<256xf32>
    memref.store %one, %b[%i] : memref<256xf32>
  }
  return
}

// But one that says that nothing else leads to its memory does not.
// CHECK-LABEL: @alone
// CHECK: scf.for
// CHECK-NOT: scf.for
// CHECK: return
func.func @alone(%a: memref<256xf32>, %b: memref<256xf32> {llvm.noalias}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c256 = arith.constant 256 : index
  scf.for %i = %c0 to %c256 step %c1 {
    %one = memref.load %a[%i] : memref<256xf32>
    memref.store %one, %a[%i] : memref<256xf32>
  }
  scf.for %i = %c0 to %c256 step %c1 {
    %one = memref.load %a[%i] : memref<256xf32>
    memref.store %one, %b[%i] : memref<256xf32>
  }
  return
}

// Bounds that are compared as unsigned numbers may give other iterations.
// CHECK-LABEL: @unsigned
// CHECK: scf.for %
// CHECK: scf.for unsigned
// CHECK: return
func.func @unsigned(%x: f32, %n: index) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %a = memref.alloc() : memref<256xf32>
  scf.for %i = %c0 to %n step %c1 {
    memref.store %x, %a[%i] : memref<256xf32>
  }
  scf.for unsigned %i = %c0 to %n step %c1 {
    %one = memref.load %a[%i] : memref<256xf32>
    memref.store %one, %a[%i] : memref<256xf32>
  }
  return
}
