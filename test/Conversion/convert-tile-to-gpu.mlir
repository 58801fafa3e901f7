// convert-tile-to-gpu: kernels become GPU functions, tiles vectors of registers; what is computed per element, numbers
// along an axis, other shapes.
//
// RUN: tile-opt --convert-tile-to-gpu %s | FileCheck %s

// 128 elements in 32 threads: four neighbours each, and two pairs.
#runs = #tile.layout<register = [[1], [2]], lane = [[4], [8], [16], [32], [64]], warp = []>
#pairs = #tile.layout<register = [[1], [64]], lane = [[2], [4], [8], [16], [32]], warp = []>

#same = #tile.layout<register = [[2], [1]], lane = [[0], [0], [0], [0], [0]], warp = []>

// CHECK: module attributes {gpu.container_module}
// CHECK: gpu.module @kernels
// CHECK-NOT: tile.

// A pointer is an address, a memref its address and its dynamic sizes.
// CHECK-LABEL: gpu.func @arguments
// CHECK-SAME:    (%{{.*}}: i64, %{{.*}}: i64, %[[N:.*]]: i64, %[[S:.*]]: f16, %[[I:.*]]: index) kernel
// CHECK-SAME:    attributes {known_block_size = array<i32: 128, 1, 1>}
// CHECK:         arith.index_cast %[[N]] : i64 to index
// CHECK:         gpu.return
func.func @arguments(%p: !tile.ptr<f32> {tile.readonly}, %m: memref<4x?xf32>, %s: f16, %i: index)
    attributes {tile.kernel, tile.num_warps = 4 : i64} {
  %c1 = arith.constant 1 : index
  %n = memref.dim %m, %c1 : memref<4x?xf32>
  %sum = arith.addi %n, %i : index
  return
}

// CHECK-LABEL: gpu.func @elementwise
// CHECK-SAME:    (%[[P:.*]]: i64, %[[X:.*]]: f32)
// CHECK:         %[[XS:.*]] = vector.broadcast %[[X]] : f32 to vector<4xf32>
// CHECK:         %[[C:.*]] = arith.constant dense<2.000000e+00> : vector<4xf32>
// CHECK:         arith.constant dense<[7, 8, 1, 2]> : vector<4xi32>
// CHECK:         %[[Y:.*]] = arith.mulf %[[XS]], %[[C]] fastmath<contract> : vector<4xf32>
// CHECK:         %[[Z:.*]] = math.exp2 %[[Y]] : vector<4xf32>
// Predicates one by one, and what depends on them.
// CHECK:         %[[TRUE:.*]] = arith.constant true
// CHECK:         %[[YE:.*]]:4 = vector.to_elements %[[Y]]
// CHECK:         %[[ZE:.*]]:4 = vector.to_elements %[[Z]]
// CHECK:         %[[LT:.*]] = arith.cmpf olt, %[[YE]]#0, %[[ZE]]#0 : f32
// CHECK-COUNT-3: arith.cmpf olt
// CHECK:         %[[GE:.*]] = arith.xori %[[LT]], %[[TRUE]] : i1
// CHECK-COUNT-3: arith.xori
// CHECK:         %[[T0:.*]] = arith.select %[[GE]], %{{.*}}, %{{.*}} : f32
// CHECK-COUNT-3: arith.select
// CHECK:         %[[T:.*]] = vector.from_elements %[[T0]], %{{.*}} : vector<4xf32>
// CHECK:         %[[BLOCK:.*]] = gpu.block_id y
// CHECK:         %[[ID:.*]] = arith.index_cast %[[BLOCK]] : index to i32
// CHECK:         %[[SIZE:.*]] = gpu.grid_dim z
// CHECK:         %[[NUM:.*]] = arith.index_cast %[[SIZE]] : index to i32
// CHECK:         %[[LAST:.*]] = arith.cmpi eq, %[[ID]], %[[NUM]] : i32
// CHECK:         arith.select %[[LAST]], %[[T]], %[[XS]] : vector<4xf32>
func.func @elementwise(%p: !tile.ptr<i64>, %x: f32) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %xs = tile.splat %x : f32 -> tensor<128xf32, #runs>
  %c = arith.constant dense<2.0> : tensor<128xf32, #runs>
  // The same four numbers in each thread.
  %r = arith.constant dense<[7, 1, 8, 2]> : tensor<4xi32, #same>
  %y = arith.mulf %xs, %c fastmath<contract> : tensor<128xf32, #runs>
  %z = math.exp2 %y : tensor<128xf32, #runs>
  %lt, %ge = tile.cmpp olt %y, %z : tensor<128xf32, #runs>
  %t = arith.select %ge, %y, %z : tensor<128xi1, #runs>, tensor<128xf32, #runs>
  %id = tile.program_id y
  %num = tile.num_programs z
  %last = arith.cmpi eq, %id, %num : i32
  %u = arith.select %last, %t, %xs : tensor<128xf32, #runs>
  // Facts are gone.
  %f = tile.assume %id {divisibility = array<i64: 2>} : i32
  %q = tile.addptr %p, %f : !tile.ptr<i64>, i32
  return
}

// Each pointer moves by the size of what it points at.
// CHECK-LABEL: gpu.func @pointers
// CHECK-SAME:    (%[[P:.*]]: i64, %[[I:.*]]: i32)
// CHECK:         %[[C8:.*]] = arith.constant 8 : i64
// CHECK:         %[[WIDE:.*]] = arith.extsi %[[I]] : i32 to i64
// CHECK:         %[[BYTES:.*]] = arith.muli %[[WIDE]], %[[C8]] : i64
// CHECK:         %[[Q:.*]] = arith.addi %[[P]], %[[BYTES]] : i64
// CHECK:         %[[THREAD:.*]] = arith.index_cast %{{.*}} : index to i32
// A thread's number shifted, as one field; to it a constant is added for each register.
// CHECK:         %[[C1:.*]] = arith.constant 1 : i32
// CHECK:         %[[SHIFTED:.*]] = arith.shli %[[THREAD]], %[[C1]] : i32
// CHECK:         %[[START:.*]] = arith.extui %[[SHIFTED]] : i32 to i64
// CHECK:         %[[C5:.*]] = arith.constant 5 : i64
// CHECK:         %[[R0:.*]] = arith.addi %[[START]], %[[C5]] overflow<nsw> : i64
// CHECK:         arith.constant 6 : i64
// CHECK:         arith.constant 69 : i64
// CHECK:         %[[C70:.*]] = arith.constant 70 : i64
// CHECK:         %[[R3:.*]] = arith.addi %[[START]], %[[C70]] overflow<nsw> : i64
// CHECK:         %[[B0:.*]] = arith.muli %[[R0]], %{{.*}} : i64
// CHECK:         %[[B3:.*]] = arith.muli %[[R3]], %{{.*}} : i64
// CHECK:         %[[Q0:.*]] = arith.addi %[[Q]], %[[B0]] : i64
// CHECK:         %[[Q3:.*]] = arith.addi %[[Q]], %[[B3]] : i64
// CHECK:         vector.from_elements %[[Q0]], %{{.*}}, %{{.*}}, %[[Q3]] : vector<4xi64>
func.func @pointers(%p: !tile.ptr<f64>, %i: i32) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %q = tile.addptr %p, %i : !tile.ptr<f64>, i32
  %qs = tile.splat %q : !tile.ptr<f64> -> tensor<128x!tile.ptr<f64>, #pairs>
  %r = tile.range 5 to 133 : tensor<128xi64, #pairs>
  %rs = tile.addptr %qs, %r : tensor<128x!tile.ptr<f64>, #pairs>, tensor<128xi64, #pairs>
  return
}

// Two bits of the thread for a row: the warp's, and the top bit of the lane, not next to each other;
// columns of which half the lanes hold copies. What adds an axis and repeats a tile selects registers.
#tile = #tile.layout<register = [[0, 1], [0, 2], [8, 0]], lane = [[0, 4], [0, 8], [1, 0], [2, 0], [16, 0]], warp = [[4, 0]]>
#rows = #tile.layout<register = [[8]], lane = [[0], [0], [1], [2], [16]], warp = [[4]]>
#rows1 = #tile.layout<register = [[8, 0]], lane = [[0, 0], [0, 0], [1, 0], [2, 0], [16, 0]], warp = [[4, 0]]>
#columns = #tile.layout<register = [[1], [2]], lane = [[4], [8], [0], [0], [0]], warp = [[0]]>
#turned = #tile.layout<register = [[1, 0], [2, 0], [0, 8]], lane = [[4, 0], [8, 0], [0, 1], [0, 2], [0, 16]], warp = [[0, 4]]>

// CHECK-LABEL: gpu.func @shapes
// CHECK:         %[[T:.*]] = arith.index_cast %{{.*}} : index to i32
// Bits 2 and 3 (lane), and 5 (warp): rows 1, 2 and 4 are no run of bits.
// CHECK:         %[[M:.*]] = arith.constant 12 : i32
// CHECK:         %[[LOW:.*]] = arith.andi %[[T]], %[[M]] : i32
// CHECK:         %[[C2:.*]] = arith.constant 2 : i32
// CHECK:         %[[A:.*]] = arith.shrui %[[LOW]], %[[C2]] : i32
// CHECK:         %[[B:.*]] = arith.constant 16 : i32
// CHECK:         %[[BIT:.*]] = arith.andi %[[T]], %[[B]] : i32
// CHECK:         %[[AB:.*]] = arith.xori %[[A]], %[[BIT]] : i32
// CHECK:         %[[W:.*]] = arith.constant 32 : i32
// CHECK:         %[[WARP:.*]] = arith.andi %[[T]], %[[W]] : i32
// CHECK:         %[[C3:.*]] = arith.constant 3 : i32
// CHECK:         arith.shrui %[[WARP]], %[[C3]] : i32
// CHECK:         %[[R1:.*]] = arith.addi %[[R0:.*]], %{{.*}} overflow<nsw> : i32
// CHECK:         vector.from_elements %[[R0]], %[[R0]], %[[R0]], %[[R0]], %[[R1]], %[[R1]], %[[R1]], %[[R1]] : vector<8xi32>
// CHECK:         %[[C1:.*]] = arith.addi %[[C0:[^,]*]], %{{.*}} overflow<nsw> : i32
// CHECK:         vector.from_elements %[[C0]], %[[C1]], %[[C2:.*]], %[[C3:.*]], %[[C0]], %[[C1]], %[[C2]], %[[C3]] : vector<8xi32>
// CHECK:         %[[SUM:.*]] = arith.addi %[[R0]], %[[C0]] : i32
// CHECK-COUNT-7: arith.addi
// Nothing moves for a transposition; what the elements of a row have in common is computed once.
// CHECK:         arith.muli %[[SUM]], %[[SUM]] : i32
// CHECK-COUNT-7: arith.muli
// CHECK:         %[[ODD:.*]] = arith.muli %[[R0]], %[[R0]] : i32
// CHECK-NEXT:    arith.muli %[[R1]], %[[R1]] : i32
// CHECK-NEXT:    vector.from_elements %[[ODD]], %[[ODD]], %[[ODD]], %[[ODD]], %{{.*}} : vector<8xi32>
func.func @shapes() attributes {tile.kernel, tile.num_warps = 2 : i64} {
  %r = tile.range 0 to 32 : tensor<32xi32, #rows>
  %r1 = tile.reshape %r : tensor<32xi32, #rows> -> tensor<32x1xi32, #rows1>
  %i = tile.broadcast %r1 : tensor<32x1xi32, #rows1> -> tensor<32x16xi32, #tile>
  %c = tile.range 0 to 16 : tensor<16xi32, #columns>
  %j = tile.broadcast %c : tensor<16xi32, #columns> -> tensor<32x16xi32, #tile>
  %sum = arith.addi %i, %j : tensor<32x16xi32, #tile>
  %t = tile.trans %sum [1, 0] : tensor<32x16xi32, #tile>
  %u = arith.muli %t, %t : tensor<16x32xi32, #turned>
  %v = arith.muli %i, %i : tensor<32x16xi32, #tile>
  return
}

// Registers whose bits a thread has as well are added by exclusive or.
#swizzled = #tile.layout<register = [[16], [2]], lane = [[1], [2], [4], [8], [0]], warp = []>

// Loops carry vectors, addresses and predicates. A scalar is stored by one thread.
// CHECK-LABEL: gpu.func @loops
// CHECK-SAME:    (%[[P:.*]]: i64, %[[N:.*]]: i32)
// CHECK:         %[[NUMBER:.*]] = arith.andi %{{.*}}, %{{.*}} : i32
// CHECK:         %[[C16:.*]] = arith.constant 16 : i32
// CHECK:         %[[ONE:.*]] = arith.addi %[[NUMBER]], %[[C16]] overflow<nsw> : i32
// CHECK:         %[[C2:.*]] = arith.constant 2 : i32
// CHECK:         %[[TWO:.*]] = arith.xori %[[NUMBER]], %[[C2]] : i32
// CHECK:         %[[C18:.*]] = arith.constant 18 : i32
// CHECK:         %[[THREE:.*]] = arith.xori %[[NUMBER]], %[[C18]] : i32
// CHECK:         vector.from_elements %[[NUMBER]], %[[ONE]], %[[TWO]], %[[THREE]] : vector<4xi32>
// CHECK:         scf.for {{.*}} -> (vector<4xi32>, i64, vector<4xi1>) : i32 {
// CHECK:           scf.if %{{.*}} -> (vector<4xi32>)
// CHECK:           scf.yield %{{.*}} : vector<4xi32>, i64, vector<4xi1>
// CHECK:         scf.while ({{.*}}) : (i32, i64) -> (i32, i64)
// CHECK:         %[[TID:.*]] = arith.index_cast %{{.*}} : index to i32
// CHECK:         %[[C31:.*]] = arith.constant 31 : i32
// CHECK:         %[[BITS:.*]] = arith.andi %[[TID]], %[[C31]] : i32
// CHECK:         %[[ISFIRST:.*]] = arith.cmpi eq, %[[BITS]], %{{.*}} : i32
// CHECK:         scf.if %[[ISFIRST]]
// CHECK:           llvm.store
func.func @loops(%p: !tile.ptr<i32>, %n: i32) attributes {tile.kernel, tile.num_warps = 1 : i64} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %r = tile.range 0 to 32 : tensor<32xi32, #swizzled>
  %t = arith.constant dense<true> : tensor<32xi1, #swizzled>
  %x, %q, %m = scf.for %i = %c0 to %n step %c1 iter_args(%a = %r, %b = %p, %c = %t)
      -> (tensor<32xi32, #swizzled>, !tile.ptr<i32>, tensor<32xi1, #swizzled>) : i32 {
    %is = arith.cmpi eq, %i, %c1 : i32
    %y = scf.if %is -> tensor<32xi32, #swizzled> {
      %d = arith.addi %a, %r : tensor<32xi32, #swizzled>
      scf.yield %d : tensor<32xi32, #swizzled>
    } else {
      scf.yield %a : tensor<32xi32, #swizzled>
    }
    %e = arith.cmpi slt, %y, %r : tensor<32xi32, #swizzled>
    %f = tile.addptr %b, %i : !tile.ptr<i32>, i32
    scf.yield %y, %f, %e : tensor<32xi32, #swizzled>, !tile.ptr<i32>, tensor<32xi1, #swizzled>
  }
  %z:2 = scf.while (%k = %c0, %w = %q) : (i32, !tile.ptr<i32>) -> (i32, !tile.ptr<i32>) {
    %v = tile.load %w : !tile.ptr<i32>
    %go = arith.cmpi slt, %k, %v : i32
    scf.condition(%go) %k, %w : i32, !tile.ptr<i32>
  } do {
  ^bb0(%k: i32, %w: !tile.ptr<i32>):
    %v = tile.load %w : !tile.ptr<i32>
    %o = tile.addptr %w, %c1 : !tile.ptr<i32>, i32
    scf.yield %v, %o : i32, !tile.ptr<i32>
  }
  tile.store %z#1, %z#0 : !tile.ptr<i32>
  return
}
