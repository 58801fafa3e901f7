// tile-promote-shared: which conversions go through shared memory, where they are written and read, two
// buffers in turn, and what becomes of reductions and scans across warps.
//
// RUN: tile-opt %s --tile-select-config="config={stages=1}" --tile-promote-shared | FileCheck %s --check-prefixes=CHECK,ONE
// RUN: tile-opt %s --tile-select-config="config={stages=2}" --tile-promote-shared | FileCheck %s --check-prefixes=CHECK,TWO
// RUN: tile-opt %s --tile-select-config="config={stages=1}" --tile-promote-shared --mlir-print-local-scope | FileCheck %s --check-prefix=LAYOUT

#rows = #tile.layout<blocked shape = [64, 64], register = [1, 8], lane = [4, 8], warp = [4, 1], order = [1, 0]>
#columns = #tile.layout<blocked shape = [64, 64], register = [8, 1], lane = [8, 4], warp = [1, 4], order = [0, 1]>
#swapped = #tile.layout<blocked shape = [64, 64], register = [1, 4], lane = [4, 8], warp = [4, 1], order = [1, 0]>
!rows = tensor<64x64xf32, #rows>
!columns = tensor<64x64xf32, #columns>

// The example of the documentation. Shared memory has both in vectors of 16 bytes, without conflicts (see
// tile-promote-shared-remark.mlir).
// CHECK-LABEL: @doc
// LAYOUT-LABEL: @doc
// LAYOUT: tile.alloc : <64x64xf32, #tile.layout<offset = {{\[\[}}
func.func @doc(%b: memref<64x64xf32>) attributes {tile.kernel, tile.num_warps = 4 : i64} {
  // CHECK: %[[S:.*]] = tile.alloc : <64x64xf32, #[[SHARED:.*]]>
  // CHECK: %[[X:.*]] = tile.load_view
  // CHECK-NEXT: tile.local_store %[[X]], %[[S]] : tensor<64x64xf32, #[[ROWS:.*]]>, <64x64xf32, #[[SHARED]]>
  // CHECK-NEXT: %[[Y:.*]] = tile.local_load %[[S]] : <64x64xf32, #[[SHARED]]> -> tensor<64x64xf32, #[[COLUMNS:.*]]>
  // CHECK-NEXT: tile.store_view %[[Y]]
  %c0 = arith.constant 0 : index
  %x = tile.load_view %b[%c0, %c0] : memref<64x64xf32> -> !rows
  %y = tile.convert_layout %x : !rows -> !columns
  tile.store_view %y, %b[%c0, %c0] : !columns, memref<64x64xf32>
  return
}

// What is converted for one op is written together and read together, inside of its region too.
// CHECK-LABEL: @first_use
func.func @first_use(%b: memref<64x64xf32>, %p: i1) attributes {tile.kernel, tile.num_warps = 4 : i64} {
  // CHECK-COUNT-2: tile.alloc
  // CHECK-NOT: tile.alloc
  // CHECK: tile.local_store
  // CHECK-NEXT: tile.load_view
  // CHECK-NEXT: tile.local_store
  // CHECK-NEXT: arith.constant
  // CHECK-NEXT: tile.local_load
  // CHECK-NEXT: tile.local_load
  // CHECK-NEXT: scf.if
  // CHECK-NEXT: arith.addf
  %c0 = arith.constant 0 : index
  %x = tile.load_view %b[%c0, %c0] : memref<64x64xf32> -> !rows
  %u = tile.convert_layout %x : !rows -> !columns
  %y = tile.load_view %b[%c0, %c0] : memref<64x64xf32> -> !rows
  %v = tile.convert_layout %y : !rows -> !columns
  %c1 = arith.constant 1 : index
  scf.if %p {
    %s = arith.addf %u, %v : !columns
    tile.store_view %s, %b[%c0, %c0] : !columns, memref<64x64xf32>
  }
  return
}

// Within a warp there are other ways; results without uses need none; other functions are not looked at.
// CHECK-LABEL: @kept
func.func @kept(%b: memref<64x64xf32>) attributes {tile.kernel, tile.num_warps = 4 : i64} {
  // CHECK-NOT: tile.alloc
  // CHECK: tile.convert_layout
  // CHECK-NOT: tile.convert_layout
  // CHECK: return
  %c0 = arith.constant 0 : index
  %x = tile.load_view %b[%c0, %c0] : memref<64x64xf32> -> !rows
  %y = tile.convert_layout %x : !rows -> tensor<64x64xf32, #swapped>
  tile.store_view %y, %b[%c0, %c0] : tensor<64x64xf32, #swapped>, memref<64x64xf32>
  %dead = tile.convert_layout %x : !rows -> !columns
  return
}
// CHECK-LABEL: @no_kernel
func.func @no_kernel(%x: !rows) -> !columns {
  // CHECK: tile.convert_layout
  %y = tile.convert_layout %x : !rows -> !columns
  return %y : !columns
}

// CHECK-LABEL: @predicate
func.func @predicate(%b: memref<64x64xf32>) attributes {tile.kernel, tile.num_warps = 4 : i64} {
  // CHECK: %[[S:.*]] = tile.alloc : <64x64xi8, #
  // CHECK: %[[P:.*]] = arith.cmpf
  // CHECK-NEXT: %[[I:.*]] = arith.extui %[[P]] : tensor<64x64xi1, #[[ROWS:.*]]> to tensor<64x64xi8, #[[ROWS]]>
  // CHECK-NEXT: tile.local_store %[[I]], %[[S]]
  // CHECK: %[[L:.*]] = tile.local_load %[[S]] : {{.*}} -> tensor<64x64xi8, #[[COLUMNS:.*]]>
  // CHECK-NEXT: %[[Q:.*]] = arith.trunci %[[L]] : tensor<64x64xi8, #[[COLUMNS]]> to tensor<64x64xi1, #[[COLUMNS]]>
  // CHECK-NEXT: arith.select %[[Q]]
  %c0 = arith.constant 0 : index
  %x = tile.load_view %b[%c0, %c0] : memref<64x64xf32> -> !rows
  %z = tile.load_view %b[%c0, %c0] : memref<64x64xf32> -> !columns
  %p = arith.cmpf olt, %x, %x : !rows
  %q = tile.convert_layout %p : tensor<64x64xi1, #rows> -> tensor<64x64xi1, #columns>
  %zero = arith.constant dense<0.0> : !columns
  %r = arith.select %q, %z, %zero : tensor<64x64xi1, #columns>, !columns
  tile.store_view %r, %b[%c0, %c0] : !columns, memref<64x64xf32>
  return
}

// Two buffers for what a loop of the kernel loads or carries, or computes of it by elements, one number for all of them; not for
// other tiles, nor in loops within loops, nor for what the loop gives out.
// CHECK-LABEL: @stages
func.func @stages(%b: memref<64x64xf32>, %h: memref<64x64xf16>, %n: index) attributes {tile.kernel, tile.num_warps = 4 : i64} {
  // ONE: %[[X:.*]] = tile.alloc : <64x64xf32, #
  // ONE-NEXT: %[[H:.*]] = tile.alloc : <64x64xf32, #
  // TWO: %[[X:.*]] = tile.alloc : <2x64x64xf32, #
  // TWO-NEXT: %[[H:.*]] = tile.alloc : <2x64x64xf32, #
  // CHECK-NEXT: %[[S:.*]] = tile.alloc : <64x64xf32, #
  // CHECK-NEXT: %[[INNER:.*]] = tile.alloc : <64x64xf32, #
  // CHECK-NEXT: %[[LAST:.*]] = tile.alloc : <64x64xf32, #
  // ONE: scf.for {{.*}} iter_args(%[[CX:[^ ]*]] = %{{[^ ,]*}}, %{{[^ ]*}} = %{{[^ ,]*}}) ->
  // TWO: scf.for {{.*}} iter_args(%[[CX:[^ ]*]] = %{{[^ ,]*}}, %{{[^ ]*}} = %{{[^ ,]*}}, %[[I:[^ ]*]] = %{{[^ ,]*}}) ->
  // ONE: tile.local_store %[[CX]], %[[X]] :
  // TWO: tile.local_store %[[CX]], %[[X]][%[[I]]] :
  // CHECK: arith.extf
  // ONE: tile.local_store %{{.*}}, %[[H]] :
  // TWO: tile.local_store %{{.*}}, %[[H]][%[[I]]] :
  // ONE: tile.local_load %[[X]] :
  // ONE: tile.local_load %[[H]] :
  // TWO: tile.local_load %[[X]][%[[I]]] :
  // TWO: tile.local_load %[[H]][%[[I]]] :
  // CHECK: tile.local_store %{{.*}}, %[[S]] :
  // CHECK: tile.local_store %{{.*}}, %[[INNER]] :
  // TWO: %[[NEXT:.*]] = arith.xori %[[I]], %c1
  // TWO-NEXT: scf.yield %{{.*}}, %{{.*}}, %[[NEXT]] :
  // CHECK: tile.local_store %{{.*}}, %[[LAST]] :
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = tile.load_view %b[%c0, %c0] : memref<64x64xf32> -> !rows
  %zero = arith.constant dense<0.0> : !columns
  %r:2 = scf.for %k = %c0 to %n step %c1 iter_args(%x = %first, %acc = %zero) -> (!rows, !columns) {
    %next = tile.load_view %b[%k, %c0] : memref<64x64xf32> -> !rows
    %u = tile.convert_layout %x : !rows -> !columns
    %half = tile.load_view %h[%k, %c0] : memref<64x64xf16> -> tensor<64x64xf16, #rows>
    %wide = arith.extf %half : tensor<64x64xf16, #rows> to !rows
    %more = arith.addf %wide, %first : !rows
    %v = tile.convert_layout %more : !rows -> !columns
    %s = arith.addf %u, %v : !columns
    %t = arith.addf %s, %acc : !columns
    %w = tile.convert_layout %first : !rows -> !columns
    %sum = arith.addf %t, %w : !columns
    %last = scf.for %j = %c0 to %n step %c1 iter_args(%y = %sum) -> !columns {
      %l = tile.load_view %b[%j, %c0] : memref<64x64xf32> -> !rows
      %m = tile.convert_layout %l : !rows -> !columns
      %o = arith.addf %y, %m : !columns
      scf.yield %o : !columns
    }
    scf.yield %next, %last : !rows, !columns
  }
  %out = tile.convert_layout %r#1 : !columns -> !rows
  tile.store_view %out, %b[%c0, %c0] : !rows, memref<64x64xf32>
  return
}

// Rows are bits 0 and 1 (lanes), 2 and 3 (warps), 4 and 5 (registers): first the registers' and the lanes'.
// One element per warp is converted; the axis along which warps share nothing is left.
// CHECK-LABEL: @reduce
// LAYOUT-LABEL: @reduce
// LAYOUT: tile.local_load %{{.*}} -> tensor<4x64xf32, #tile.layout<register = {{\[\[}}0, 1], [0, 2], [0, 4], [1, 0], [2, 0]], lane = {{\[\[}}0, 8], [0, 16], [0, 32], [0, 0], [0, 0]], warp = {{\[\[}}0, 0], [0, 0]]>>
func.func @reduce(%b: memref<64x64xf32>, %c: memref<64xf32>) attributes {tile.kernel, tile.num_warps = 4 : i64} {
  // CHECK: %[[X:.*]] = tile.load_view
  // CHECK: %[[R:.*]] = tile.reshape %[[X]] : tensor<64x64xf32, #{{.*}}> -> tensor<4x4x4x64xf32, #
  // CHECK-NEXT: %[[A:.*]] = tile.reduce max %[[R]] axis 2 : tensor<4x4x4x64xf32, #
  // CHECK-NEXT: %[[B:.*]] = tile.reduce max %[[A]] axis 0 : tensor<4x4x64xf32, #
  // CHECK-NEXT: tile.local_store %[[B]], %{{.*}} : tensor<4x64xf32, #
  // CHECK-NEXT: %[[L:.*]] = tile.local_load
  // CHECK-NEXT: %[[M:.*]] = tile.reduce max %[[L]] axis 0 : tensor<4x64xf32, #
  // CHECK-NEXT: tile.store_view %[[M]], {{.*}} : tensor<64xf32, #
  // CHECK-NEXT: %[[N:.*]] = tile.reduce max %[[X]] axis 1
  // CHECK-NEXT: tile.store_view %[[N]]
  %c0 = arith.constant 0 : index
  %x = tile.load_view %b[%c0, %c0] : memref<64x64xf32> -> !rows
  %m = tile.reduce max %x axis 0 : !rows
  tile.store_view %m, %c[%c0] : tensor<64xf32, #tile.layout<register = [[1], [2], [4]], lane = [[8], [16], [32], [0], [0]], warp = [[0], [0]]>>, memref<64xf32>
  %n = tile.reduce max %x axis 1 : !rows
  tile.store_view %n, %c[%c0] : tensor<64xf32, #tile.layout<register = [[16], [32]], lane = [[0], [0], [0], [1], [2]], warp = [[4], [8]]>>, memref<64xf32>
  return
}

// Scans are converted as they are. Each warp then has what it needs, and more, in registers.
#scattered = #tile.layout<register = [[0, 1], [0, 4], [16, 0], [32, 0]], lane = [[1, 0], [2, 0], [4, 0], [8, 0], [0, 8]], warp = [[16, 2], [32, 16]]>
// CHECK-LABEL: @scattered
func.func @scattered(%b: memref<64x32xi32>, %c: memref<64xi32>) attributes {tile.kernel, tile.num_warps = 4 : i64} {
  // CHECK: %[[X:.*]] = tile.load_view
  // CHECK-NEXT: tile.local_store %[[X]], %[[S:.*]] : tensor<64x32xi32, #[[SCATTERED:.*]]>,
  // CHECK-NEXT: %[[L:.*]] = tile.local_load %[[S]] : {{.*}} -> tensor<64x32xi32, #[[GATHERED:.*]]>
  // CHECK-NEXT: tile.scan add %[[L]] axis 1 reverse : tensor<64x32xi32, #[[GATHERED]]>
  // CHECK-NEXT: tile.convert_layout {{.*}} -> tensor<64x32xi32, #[[SCATTERED]]>
  // CHECK-NEXT: tile.store_view
  %c0 = arith.constant 0 : index
  %x = tile.load_view %b[%c0, %c0] : memref<64x32xi32> -> tensor<64x32xi32, #scattered>
  %s = tile.scan add %x axis 1 reverse : tensor<64x32xi32, #scattered>
  tile.store_view %s, %b[%c0, %c0] : tensor<64x32xi32, #scattered>, memref<64x32xi32>
  return
}

// What one thread gets from memory goes to all warps, if it is used: tiles as they are, scalars as tiles.
#both = #tile.layout<register = [], lane = [[1], [2], [4], [8], [16]], warp = [[0], [0]]>
// CHECK-LABEL: @told
func.func @told(%p: !tile.ptr<i32>) attributes {tile.kernel, tile.num_warps = 4 : i64} {
  // CHECK-NEXT: %[[A:.*]] = tile.alloc : <1xi32>
  // CHECK-NEXT: %[[B:.*]] = tile.alloc : <32xi32>
  // CHECK: %[[X:.*]] = tile.atomic_rmw add
  // CHECK-NEXT: %[[S:.*]] = tile.splat %[[X]] : i32 -> tensor<1xi32, #[[COPIES:.*]]>
  // CHECK-NEXT: tile.local_store %[[S]], %[[A]]
  // CHECK-NEXT: %[[L:.*]] = tile.local_load %[[A]] : {{.*}} -> tensor<1xi32, #[[COPIES]]>
  // CHECK-NEXT: %[[Y:.*]] = tile.reduce add %[[L]] axis 0
  // CHECK-NEXT: %[[Z:.*]] = tile.atomic_cas
  // CHECK-NEXT: tile.local_store %[[Z]], %[[B]]
  // CHECK-NEXT: %[[T:.*]] = tile.local_load %[[B]] : {{.*}} -> tensor<32xi32, #{{.*}}>
  // CHECK-NEXT: tile.store %{{.*}}, %[[Y]] : !tile.ptr<i32>
  // CHECK-NEXT: tile.store %{{.*}}, %[[T]] : tensor<32x!tile.ptr<i32>
  // CHECK-NEXT: tile.atomic_rmw
  // CHECK-NEXT: return
  %c1 = arith.constant 1 : i32
  %n = tile.range 0 to 32 : tensor<32xi32, #both>
  %q = tile.splat %p : !tile.ptr<i32> -> tensor<32x!tile.ptr<i32>, #both>
  %x = tile.atomic_rmw add %p, %c1 : !tile.ptr<i32>
  %z = tile.atomic_cas %q, %n, %n : tensor<32x!tile.ptr<i32>, #both>
  tile.store %p, %x : !tile.ptr<i32>
  tile.store %q, %z : tensor<32x!tile.ptr<i32>, #both>
  %unused = tile.atomic_rmw add %p, %c1 : !tile.ptr<i32>
  return
}
