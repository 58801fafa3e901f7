// convert-tile-to-gpu: how many elements an access moves, and why no more; masks; who stores; addresses in memrefs.
//
// RUN: tile-opt --convert-tile-to-gpu --remarks-filter=tile --remark-policy=all --verify-diagnostics %s | FileCheck %s
// Without the option no one is told.
// RUN: tile-opt --convert-tile-to-gpu %s 2>&1 | FileCheck %s --check-prefix=SILENT --implicit-check-not=remark:
// SILENT: gpu.module

#l = #tile.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [64], [128]], warp = []>
#pairs = #tile.layout<register = [[1], [64]], lane = [[2], [4], [8], [16], [32]], warp = []>

// CHECK-LABEL: gpu.func @widths
// Eight halves at once; of floats two runs of four.
// CHECK:         llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<8xf16>
// CHECK:         llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
// CHECK:         llvm.store %{{.*}} {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
func.func @widths(%p: !tile.ptr<f16> {tile.multiple_of = 16 : i64}, %q: !tile.ptr<f32> {tile.multiple_of = 32 : i64})
    attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %i = tile.range 0 to 256 : tensor<256xi32, #l>
  %ps = tile.splat %p : !tile.ptr<f16> -> tensor<256x!tile.ptr<f16>, #l>
  %pi = tile.addptr %ps, %i : tensor<256x!tile.ptr<f16>, #l>, tensor<256xi32, #l>
  // expected-remark@+1 {{[Passed] global-access | Category:tile | bits=128}}
  %x = tile.load %pi : tensor<256x!tile.ptr<f16>, #l>
  %y = arith.extf %x : tensor<256xf16, #l> to tensor<256xf32, #l>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #l>
  %qi = tile.addptr %qs, %i : tensor<256x!tile.ptr<f32>, #l>, tensor<256xi32, #l>
  // expected-remark@+1 {{[Passed] global-access | Category:tile | bits=128}}
  tile.store %qi, %y : tensor<256x!tile.ptr<f32>, #l>
  return
}

// CHECK-LABEL: gpu.func @limits
// CHECK:         llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xf32>
// CHECK:         llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xf32>
// CHECK:         llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xf32>
// CHECK-COUNT-8: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK:         scf.if %{{.*}} -> (vector<2xf32>) {
// CHECK-NEXT:      llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr<1> -> vector<2xf32>
// CHECK:         } else {
// CHECK-NEXT:      arith.constant dense<0.000000e+00> : vector<2xf32>
func.func @limits(%p: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %q: !tile.ptr<f32> {tile.multiple_of = 8 : i64},
                  %n: i32 {tile.multiple_of = 2 : i64})
    attributes {tile.kernel, tile.num_warps = 1 : i64} {
  // Of a register, only one neighbour.
  %k = tile.range 0 to 128 : tensor<128xi32, #pairs>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<128x!tile.ptr<f32>, #pairs>
  %pk = tile.addptr %ps, %k : tensor<128x!tile.ptr<f32>, #pairs>, tensor<128xi32, #pairs>
  // expected-remark@+1 {{64 bits at once: the layout gives a register no more neighbours}}
  %x = tile.load %pk : tensor<128x!tile.ptr<f32>, #pairs>
  // Addresses are multiples of 8 bytes.
  %i = tile.range 0 to 256 : tensor<256xi32, #l>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #l>
  %qi = tile.addptr %qs, %i : tensor<256x!tile.ptr<f32>, #l>, tensor<256xi32, #l>
  // expected-remark@+1 {{64 bits at once: the pointers are not known to be aligned}}
  %y = tile.load %qi : tensor<256x!tile.ptr<f32>, #l>
  // Every third element.
  %three = arith.constant dense<3> : tensor<256xi32, #l>
  %i3 = arith.muli %i, %three : tensor<256xi32, #l>
  %rs = tile.splat %p : !tile.ptr<f32> -> tensor<256x!tile.ptr<f32>, #l>
  %r3 = tile.addptr %rs, %i3 : tensor<256x!tile.ptr<f32>, #l>, tensor<256xi32, #l>
  // expected-remark@+1 {{32 bits at once: the pointers are not known to be contiguous}}
  %z = tile.load %r3 : tensor<256x!tile.ptr<f32>, #l>
  // Two of a pair are below an even number, or not.
  %ns = tile.splat %n : i32 -> tensor<256xi32, #l>
  %m = arith.cmpi slt, %i, %ns : tensor<256xi32, #l>
  %ri = tile.addptr %rs, %i : tensor<256x!tile.ptr<f32>, #l>, tensor<256xi32, #l>
  // expected-remark@+1 {{64 bits at once: the mask is not known to be constant}}
  %w = tile.load %ri mask %m : tensor<256x!tile.ptr<f32>, #l>
  return
}

// Registers, lanes and warps that hold copies do not store.
#copies = #tile.layout<register = [[0], [1], [2]], lane = [[4], [8], [0], [16], [4]], warp = [[0]]>

// CHECK-LABEL: gpu.func @stores
// CHECK-SAME:    (%[[P:.*]]: i64, %[[X:.*]]: f32, %{{.*}}: i1)
// CHECK:         %[[C52:.*]] = arith.constant 52 : i32
// CHECK:         %[[BITS:.*]] = arith.andi %{{.*}}, %[[C52]] : i32
// CHECK:         %[[FIRST:.*]] = arith.cmpi eq, %[[BITS]], %{{.*}} : i32
// CHECK:         scf.if %[[FIRST]] {
// CHECK:           llvm.store %{{.*}} : vector<4xf32>, !llvm.ptr<1>
// CHECK-NOT:       llvm.store
// CHECK:         }
// An atomic access, too, and no vectors of them.
// CHECK:         scf.if %{{.*}} {
// CHECK:           scf.if
// CHECK:             llvm.atomicrmw fadd %{{.*}}, %{{.*}} syncscope("device") monotonic : !llvm.ptr<1>, f32
// CHECK:           scf.if
// CHECK:           scf.if
// CHECK:           scf.if
// CHECK:             llvm.atomicrmw
// CHECK-NOT:       llvm.atomicrmw
// A scalar is stored by the first thread of all.
// CHECK:         %[[C63:.*]] = arith.constant 63 : i32
// CHECK:         arith.andi %{{.*}}, %[[C63]] : i32
// CHECK:         llvm.store %[[X]], %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr<1>
func.func @stores(%p: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %x: f32, %m: i1)
    attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %i = tile.range 0 to 32 : tensor<32xi32, #copies>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>, #copies>
  %pi = tile.addptr %ps, %i : tensor<32x!tile.ptr<f32>, #copies>, tensor<32xi32, #copies>
  %xs = tile.splat %x : f32 -> tensor<32xf32, #copies>
  // expected-remark@+1 {{[Passed] global-access | Category:tile | bits=128}}
  tile.store %pi, %xs : tensor<32x!tile.ptr<f32>, #copies>
  %ms = tile.splat %m : i1 -> tensor<32xi1, #copies>
  %old = tile.atomic_rmw add %pi, %xs mask %ms : tensor<32x!tile.ptr<f32>, #copies>
  tile.store %p, %x : !tile.ptr<f32>
  return
}

// The result for other lanes by a shuffle, 0 under a false mask; one element in two registers.
#told = #tile.layout<register = [[0]], lane = [[1], [2], [0], [4], [8]], warp = []>

// CHECK-LABEL: gpu.func @told
// CHECK:         %[[ISFIRST:.*]] = arith.cmpi eq
// CHECK:         %[[OLD:.*]] = scf.if %[[ISFIRST]] -> (vector<2xi32>) {
// CHECK:           %[[ONE:.*]] = scf.if %{{.*}} -> (i32) {
// CHECK:             llvm.atomicrmw umax
// CHECK:           } else {
// CHECK-NEXT:        arith.constant 0 : i32
// CHECK:           vector.from_elements %[[ONE]], %[[ONE]] : vector<2xi32>
// CHECK:         %[[C:.*]] = arith.constant -5 : i32
// CHECK:         %[[LANE:.*]] = arith.andi %{{.*}}, %[[C]] : i32
// CHECK:         nvvm.shfl.sync idx %{{.*}}, %{{.*}}, %[[LANE]]
// CHECK:         llvm.store
// By the same thread, in the same way.
// CHECK:         scf.if %{{.*}} -> (vector<2xi32>) {
// CHECK-NOT:       scf.if
// CHECK:           %[[PAIR:.*]] = llvm.cmpxchg %{{.*}}, %{{.*}}, %{{.*}} monotonic monotonic : !llvm.ptr<1>, i32
// CHECK:           llvm.extractvalue %[[PAIR]][0]
// CHECK:         nvvm.shfl.sync idx
func.func @told(%p: !tile.ptr<i32>, %q: !tile.ptr<i32>, %m: i1) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %i = tile.range 0 to 16 : tensor<16xi32, #told>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<16x!tile.ptr<i32>, #told>
  %qs = tile.splat %q : !tile.ptr<i32> -> tensor<16x!tile.ptr<i32>, #told>
  %pi = tile.addptr %ps, %i : tensor<16x!tile.ptr<i32>, #told>, tensor<16xi32, #told>
  %qi = tile.addptr %qs, %i : tensor<16x!tile.ptr<i32>, #told>, tensor<16xi32, #told>
  %ms = tile.splat %m : i1 -> tensor<16xi1, #told>
  %old = tile.atomic_rmw umax %pi, %i mask %ms : tensor<16x!tile.ptr<i32>, #told>
  // expected-remark@+1 {{32 bits at once: the layout gives a register no more neighbours}}
  tile.store %qi, %old : tensor<16x!tile.ptr<i32>, #told>
  %swapped = tile.atomic_cas %pi, %old, %i : tensor<16x!tile.ptr<i32>, #told>
  // expected-remark@+1 {{32 bits at once: the layout gives a register no more neighbours}}
  tile.store %qi, %swapped : tensor<16x!tile.ptr<i32>, #told>
  return
}

#rows = #tile.layout<register = [[0, 1], [0, 2], [16, 0]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [4, 0]], warp = [[8, 0]]>
#short = #tile.layout<register = [[2], [1]], lane = [[4], [8], [16], [32], [64]], warp = [[128]]>

// CHECK-LABEL: gpu.func @views
// CHECK-SAME:    (%[[P:[^:]*]]: i64, %[[Q:[^:]*]]: i64, %[[ROWS:[^:]*]]: i64, %[[SIZE:[^:]*]]: i64, %[[I:[^:]*]]: index, %[[J:[^:]*]]: index)
// Static: the second run is 16 rows of 64 floats further on.
// CHECK:         %[[THREAD:.*]] = llvm.inttoptr %[[ADDRESS:.*]] : i64 to !llvm.ptr<1>
// CHECK:         %[[BYTES:.*]] = arith.constant 4096 : i64
// CHECK:         %[[NEXT:.*]] = arith.addi %[[ADDRESS]], %[[BYTES]] : i64
// CHECK:         %[[FURTHER:.*]] = llvm.inttoptr %[[NEXT]] : i64 to !llvm.ptr<1>
// CHECK:         llvm.load %[[THREAD]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// CHECK:         llvm.load %[[FURTHER]] {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xf32>
// Checked: the run is inside, or it is not.
// CHECK:         %[[ROW:.*]] = arith.cmpi ult
// CHECK:         %[[COLUMN:.*]] = arith.cmpi ult
// CHECK:         %[[BOTH:.*]] = arith.andi %[[ROW]], %[[COLUMN]] : i1
// CHECK:         scf.if %[[BOTH]] -> (vector<4xf32>)
// Dynamic: element by element, checked against the size that the kernel gets; both rows in one branch.
// CHECK:         arith.cmpi ult, %{{.*}}, %[[SIZE]] : i64
// CHECK:         scf.if %{{.*}} -> (f32, f32) {
// CHECK-NEXT:      llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK-NEXT:      llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
func.func @views(%a: memref<64x64xf32> {tile.readonly}, %b: memref<?x?xf32> {tile.readonly}, %i: index,
                 %j: index {tile.multiple_of = 4 : i64}) attributes {tile.kernel, tile.num_warps = 2 : i64} {
  // expected-remark@+1 {{[Passed] global-access | Category:tile | bits=128}}
  %x = tile.load_view %a[%i, %j] in_bounds [true, true] : memref<64x64xf32> -> tensor<32x16xf32, #rows>
  // expected-remark@+1 {{[Passed] global-access | Category:tile | bits=128}}
  %y = tile.load_view %a[%i, %j] : memref<64x64xf32> -> tensor<32x16xf32, #rows>
  // expected-remark@+1 {{32 bits at once: the last size of the memref is not known to be a multiple of more}}
  %z = tile.load_view %b[%i, %j] in_bounds [true, false] : memref<?x?xf32> -> tensor<32x16xf32, #rows>
  return
}

// CHECK-LABEL: gpu.func @places
// The index is known to be 0: nothing to check.
// CHECK-NOT:     scf.if
// CHECK:         llvm.load %{{.*}} -> vector<4xi16>
// CHECK:         gpu.return
func.func @places(%a: memref<256xi16> {tile.readonly}, %b: memref<256x2xi16> {tile.readonly}, %i: index)
    attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %c0 = arith.constant 0 : index
  // expected-remark@+1 {{64 bits at once: the layout gives a register no more neighbours}}
  %x = tile.load_view %a[%c0] : memref<256xi16> -> tensor<256xi16, #short>
  // expected-remark@+1 {{16 bits at once: the tile does not go along the last axis of the memref}}
  %y = tile.load_view %b[%c0, %i] axes [0] : memref<256x2xi16> -> tensor<256xi16, #short>
  // expected-remark@+1 {{16 bits at once: the last index is not known to be a multiple of more}}
  %z = tile.load_view %a[%i] in_bounds [true] : memref<256xi16> -> tensor<256xi16, #short>
  return
}

// Runs go along the axis whose neighbours are neighbours in memory.
#columns = #tile.layout<register = [[1, 0], [2, 0]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 4]], warp = []>
#i = #tile.layout<register = [[1, 0], [2, 0]], lane = [[4, 0], [8, 0], [0, 0], [0, 0], [0, 0]], warp = []>
#j = #tile.layout<register = [], lane = [[0], [0], [1], [2], [4]], warp = []>

// CHECK-LABEL: gpu.func @columns
// CHECK:         llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
func.func @columns(%p: !tile.ptr<i32> {tile.multiple_of = 16 : i64})
    attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %rows = tile.range 0 to 16 : tensor<16xi32, #tile.layout<register = [[1], [2]], lane = [[4], [8], [0], [0], [0]], warp = []>>
  %i1 = tile.reshape %rows : tensor<16xi32, #tile.layout<register = [[1], [2]], lane = [[4], [8], [0], [0], [0]], warp = []>> -> tensor<16x1xi32, #i>
  %i = tile.broadcast %i1 : tensor<16x1xi32, #i> -> tensor<16x8xi32, #columns>
  %c16 = arith.constant dense<16> : tensor<8xi32, #j>
  %j8 = tile.range 0 to 8 : tensor<8xi32, #j>
  %j16 = arith.muli %j8, %c16 : tensor<8xi32, #j>
  %j = tile.broadcast %j16 : tensor<8xi32, #j> -> tensor<16x8xi32, #columns>
  %n = arith.addi %i, %j : tensor<16x8xi32, #columns>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<16x8x!tile.ptr<i32>, #columns>
  %q = tile.addptr %ps, %n : tensor<16x8x!tile.ptr<i32>, #columns>, tensor<16x8xi32, #columns>
  // expected-remark@+1 {{[Passed] global-access | Category:tile | bits=128}}
  %x = tile.load %q : tensor<16x8x!tile.ptr<i32>, #columns>
  return
}

// Single elements: all threads load, one stores.
// CHECK-LABEL: gpu.func @elements
// CHECK-SAME:    (%[[A:[^:]*]]: i64, %[[ROWS:[^:]*]]: i64, %[[B:[^:]*]]: i64, %[[I:[^:]*]]: index)
// CHECK:         %[[C40:.*]] = arith.constant 40 : i64
// CHECK:         %[[WIDE:.*]] = arith.index_cast %[[I]] : index to i64
// CHECK:         %[[BYTES:.*]] = arith.muli %[[WIDE]], %[[C40]] : i64
// CHECK:         %[[X:.*]] = llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> f32
// CHECK:         %[[FIRST:.*]] = arith.cmpi eq
// CHECK:         scf.if %[[FIRST]] {
// CHECK:           llvm.store %[[X]], %{{.*}} {alignment = 4 : i64} : f32, !llvm.ptr<1>
func.func @elements(%a: memref<?x10xf32> {tile.readonly}, %b: memref<8xf32>, %i: index)
    attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %x = memref.load %a[%i, %i] : memref<?x10xf32>
  memref.store %x, %b[%i] : memref<8xf32>
  return
}

// One thread reads for all of a warp, one element after the other; `other` where the mask is false.
// CHECK-LABEL: gpu.func @volatile
// CHECK:         %[[ISFIRST:.*]] = arith.cmpi eq
// CHECK:         scf.if %[[ISFIRST]] -> (vector<2xi32>) {
// CHECK:           %[[ONE:.*]] = scf.if %{{.*}} -> (i32) {
// CHECK:             llvm.load volatile %{{.*}} {alignment = 4 : i64} : !llvm.ptr<1> -> i32
// CHECK:           } else {
// CHECK-NEXT:        scf.yield
// CHECK-NOT:       llvm.load
// CHECK:           vector.from_elements %[[ONE]], %[[ONE]] : vector<2xi32>
// CHECK:         nvvm.shfl.sync idx
func.func @volatile(%p: !tile.ptr<i32>, %m: i1) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %i = tile.range 0 to 16 : tensor<16xi32, #told>
  %ps = tile.splat %p : !tile.ptr<i32> -> tensor<16x!tile.ptr<i32>, #told>
  %pi = tile.addptr %ps, %i : tensor<16x!tile.ptr<i32>, #told>, tensor<16xi32, #told>
  %ms = tile.splat %m : i1 -> tensor<16xi1, #told>
  %x = tile.load %pi mask %ms other %i {is_volatile} : tensor<16x!tile.ptr<i32>, #told>
  // expected-remark@+1 {{32 bits at once: the layout gives a register no more neighbours}}
  tile.store %pi, %x : tensor<16x!tile.ptr<i32>, #told>
  return
}
