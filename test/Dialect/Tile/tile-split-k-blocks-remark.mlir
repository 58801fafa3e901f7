// tile-split-k-blocks tells which kernels it split, and why it kept others.
//
// RUN: tile-opt --tile-split-k-blocks=factor=4 %s --remark-policy=all --remarks-filter=tile 2>&1 >/dev/null | FileCheck %s
// RUN: tile-opt --tile-split-k-blocks=factor=4 %s 2>/dev/null | FileCheck %s --check-prefix=SAME
// RUN: tile-opt --tile-split-k-blocks=programs=1 %s --remark-policy=all --remarks-filter=tile 2>&1 >/dev/null | FileCheck %s --check-prefix=ENOUGH
// SAME-COUNT-1: tile.atomic_rmw
// SAME-NOT: tile.atomic_rmw

!t = tensor<32xf32>

func.func @launches(%a: memref<320xf32>, %c: memref<64xf32>, %n: index, %strided: memref<64xf32, strided<[2]>>, %half: memref<64xf16>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  tile.launch @good grid(%c2, %c1, %c1) (%a, %c) : memref<320xf32>, memref<64xf32>
  tile.launch @same_place grid(%c1, %n, %c1) (%a, %c) : memref<320xf32>, memref<64xf32>
  tile.launch @overlapping grid(%c2, %c1, %c1) (%a, %c) : memref<320xf32>, memref<64xf32>
  tile.launch @epilogue grid(%c1, %c1, %c1) (%a, %c) : memref<320xf32>, memref<64xf32>
  tile.launch @used_twice grid(%c1, %c1, %c1) (%a, %c) : memref<320xf32>, memref<64xf32>
  tile.launch @from_one grid(%c1, %c1, %c1) (%a, %c) : memref<320xf32>, memref<64xf32>
  tile.launch @product grid(%c1, %c1, %c1) (%a, %c) : memref<320xf32>, memref<64xf32>
  tile.launch @dynamic_start grid(%c1, %c1, %c1) (%a, %c, %n) : memref<320xf32>, memref<64xf32>, index
  tile.launch @strided_result grid(%c1, %c1, %c1) (%a, %strided) : memref<320xf32>, memref<64xf32, strided<[2]>>
  tile.launch @rounded grid(%c1, %c1, %c1) (%a, %half) : memref<320xf32>, memref<64xf16>
  tile.launch @carried grid(%c1, %c1, %c1) (%a, %c) : memref<320xf32>, memref<64xf32>
  tile.launch @aliased grid(%c1, %c1, %c1) (%a, %c) : memref<320xf32>, memref<64xf32>
  tile.launch @address grid(%c1, %c1, %c1) (%a, %c) : memref<320xf32>, memref<64xf32>
  tile.launch @pointers grid(%c1, %c1, %c1) (%a, %c) : memref<320xf32>, memref<64xf32>
  tile.launch @asks grid(%c1, %c1, %c1) (%a, %c) : memref<320xf32>, memref<64xf32>
  tile.launch @one_step grid(%c1, %c1, %c1) (%a, %c) : memref<320xf32>, memref<64xf32>
  tile.launch @power grid(%c1, %c1, %c1) (%a, %c) : memref<320xf32>, memref<64xf32>
  tile.launch @public grid(%c1, %c1, %c1) (%a, %c) : memref<320xf32>, memref<64xf32>
  return
}

// CHECK: [[@LINE+2]]:1: remark: [Passed] split-k-blocks | Category:tile | split-k=4
// ENOUGH: [[@LINE+1]]:1: remark: [Missed] split-k-blocks | Category:tile | Reason="its programs suffice, or its loop is too short"
func.func private @good(%a: memref<320xf32>, %c: memref<64xf32> {tile.noalias}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c320 = arith.constant 320 : index
  %zero = arith.constant dense<0.0> : !t
  %one = arith.constant dense<1.0> : !t
  %x = tile.program_id x
  %block = arith.index_cast %x : i32 to index
  %i = arith.muli %block, %c32 : index
  %sum = scf.for %k = %c0 to %c320 step %c32 iter_args(%acc = %zero) -> (!t) {
    %v = tile.load_view %a[%k] : memref<320xf32> -> !t
    %next = arith.addf %acc, %v : !t
    scf.yield %next : !t
  }
  tile.store_view %sum, %c[%i] : !t, memref<64xf32>
  return
}

// The host does not tell that there is one program along y.
// CHECK: [[@LINE+1]]:1: remark: [Missed] split-k-blocks | Category:tile | Reason="it is not known that each element is stored by one program, along y of the grid"
func.func private @same_place(%a: memref<320xf32>, %c: memref<64xf32> {tile.noalias}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c320 = arith.constant 320 : index
  %zero = arith.constant dense<0.0> : !t
  %one = arith.constant dense<1.0> : !t
  %x = tile.program_id x
  %block = arith.index_cast %x : i32 to index
  %i = arith.muli %block, %c32 : index
  %sum = scf.for %k = %c0 to %c320 step %c32 iter_args(%acc = %zero) -> (!t) {
    %v = tile.load_view %a[%k] : memref<320xf32> -> !t
    %next = arith.addf %acc, %v : !t
    scf.yield %next : !t
  }
  tile.store_view %sum, %c[%i] : !t, memref<64xf32>
  return
}

// CHECK: [[@LINE+1]]:1: remark: [Missed] split-k-blocks | Category:tile | Reason="it is not known that each element is stored by one program, along x of the grid"
func.func private @overlapping(%a: memref<320xf32>, %c: memref<64xf32> {tile.noalias}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c320 = arith.constant 320 : index
  %zero = arith.constant dense<0.0> : !t
  %one = arith.constant dense<1.0> : !t
  %x = tile.program_id x
  %block = arith.index_cast %x : i32 to index
  %c16 = arith.constant 16 : index
  %i = arith.muli %block, %c16 : index
  %sum = scf.for %k = %c0 to %c320 step %c32 iter_args(%acc = %zero) -> (!t) {
    %v = tile.load_view %a[%k] : memref<320xf32> -> !t
    %next = arith.addf %acc, %v : !t
    scf.yield %next : !t
  }
  tile.store_view %sum, %c[%i] : !t, memref<64xf32>
  return
}

// CHECK: [[@LINE+1]]:1: remark: [Missed] split-k-blocks | Category:tile | Reason="what it stores is not the sum of a loop as it is"
func.func private @epilogue(%a: memref<320xf32>, %c: memref<64xf32> {tile.noalias}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c320 = arith.constant 320 : index
  %zero = arith.constant dense<0.0> : !t
  %one = arith.constant dense<1.0> : !t
  %x = tile.program_id x
  %block = arith.index_cast %x : i32 to index
  %i = arith.muli %block, %c32 : index
  %sum = scf.for %k = %c0 to %c320 step %c32 iter_args(%acc = %zero) -> (!t) {
    %v = tile.load_view %a[%k] : memref<320xf32> -> !t
    %next = arith.addf %acc, %v : !t
    scf.yield %next : !t
  }
  %relu = arith.maximumf %sum, %zero : !t
  tile.store_view %relu, %c[%i] : !t, memref<64xf32>
  return
}

// CHECK: [[@LINE+1]]:1: remark: [Missed] split-k-blocks | Category:tile | Reason="what it stores is not the sum of a loop as it is"
func.func private @used_twice(%a: memref<320xf32>, %c: memref<64xf32> {tile.noalias}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c320 = arith.constant 320 : index
  %zero = arith.constant dense<0.0> : !t
  %one = arith.constant dense<1.0> : !t
  %x = tile.program_id x
  %block = arith.index_cast %x : i32 to index
  %i = arith.muli %block, %c32 : index
  %sum = scf.for %k = %c0 to %c320 step %c32 iter_args(%acc = %zero) -> (!t) {
    %v = tile.load_view %a[%k] : memref<320xf32> -> !t
    %next = arith.addf %acc, %v : !t
    scf.yield %next : !t
  }
  tile.store_view %sum, %c[%i] : !t, memref<64xf32>
  %old = arith.addf %sum, %sum : !t
  return
}

// CHECK: [[@LINE+1]]:1: remark: [Missed] split-k-blocks | Category:tile | Reason="its loop does not add to a zero"
func.func private @from_one(%a: memref<320xf32>, %c: memref<64xf32> {tile.noalias}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c320 = arith.constant 320 : index
  %zero = arith.constant dense<0.0> : !t
  %one = arith.constant dense<1.0> : !t
  %x = tile.program_id x
  %block = arith.index_cast %x : i32 to index
  %i = arith.muli %block, %c32 : index
  %sum = scf.for %k = %c0 to %c320 step %c32 iter_args(%acc = %one) -> (!t) {
    %v = tile.load_view %a[%k] : memref<320xf32> -> !t
    %next = arith.addf %acc, %v : !t
    scf.yield %next : !t
  }
  tile.store_view %sum, %c[%i] : !t, memref<64xf32>
  return
}

// CHECK: [[@LINE+1]]:1: remark: [Missed] split-k-blocks | Category:tile | Reason="its loop does not add to a zero"
func.func private @product(%a: memref<320xf32>, %c: memref<64xf32> {tile.noalias}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c320 = arith.constant 320 : index
  %zero = arith.constant dense<0.0> : !t
  %one = arith.constant dense<1.0> : !t
  %x = tile.program_id x
  %block = arith.index_cast %x : i32 to index
  %i = arith.muli %block, %c32 : index
  %sum = scf.for %k = %c0 to %c320 step %c32 iter_args(%acc = %zero) -> (!t) {
    %v = tile.load_view %a[%k] : memref<320xf32> -> !t
    %next = arith.mulf %acc, %v : !t
    scf.yield %next : !t
  }
  tile.store_view %sum, %c[%i] : !t, memref<64xf32>
  return
}

// CHECK: [[@LINE+1]]:1: remark: [Missed] split-k-blocks | Category:tile | Reason="its loop does not add to a zero"
func.func private @power(%a: memref<320xf32>, %c: memref<64xf32> {tile.noalias}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c320 = arith.constant 320 : index
  %zero = arith.constant dense<0.0> : !t
  %one = arith.constant dense<1.0> : !t
  %x = tile.program_id x
  %block = arith.index_cast %x : i32 to index
  %i = arith.muli %block, %c32 : index
  %sum = scf.for %k = %c0 to %c320 step %c32 iter_args(%acc = %zero) -> (!t) {
    %v = tile.load_view %a[%k] : memref<320xf32> -> !t
    %more = arith.mulf %acc, %v : !t
    %next = arith.addf %acc, %more : !t
    scf.yield %next : !t
  }
  tile.store_view %sum, %c[%i] : !t, memref<64xf32>
  return
}

// CHECK: [[@LINE+1]]:1: remark: [Missed] split-k-blocks | Category:tile | Reason="the start of its loop, or its step, is not static"
func.func private @dynamic_start(%a: memref<320xf32>, %c: memref<64xf32> {tile.noalias}, %n: index) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c320 = arith.constant 320 : index
  %zero = arith.constant dense<0.0> : !t
  %one = arith.constant dense<1.0> : !t
  %x = tile.program_id x
  %block = arith.index_cast %x : i32 to index
  %i = arith.muli %block, %c32 : index
  %sum = scf.for %k = %n to %c320 step %c32 iter_args(%acc = %zero) -> (!t) {
    %v = tile.load_view %a[%k] : memref<320xf32> -> !t
    %next = arith.addf %acc, %v : !t
    scf.yield %next : !t
  }
  tile.store_view %sum, %c[%i] : !t, memref<64xf32>
  return
}

// CHECK: [[@LINE+1]]:1: remark: [Missed] split-k-blocks | Category:tile | Reason="what it stores to has a layout"
func.func private @strided_result(%a: memref<320xf32>, %c: memref<64xf32, strided<[2]>> {tile.noalias}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c320 = arith.constant 320 : index
  %zero = arith.constant dense<0.0> : !t
  %one = arith.constant dense<1.0> : !t
  %x = tile.program_id x
  %block = arith.index_cast %x : i32 to index
  %i = arith.muli %block, %c32 : index
  %sum = scf.for %k = %c0 to %c320 step %c32 iter_args(%acc = %zero) -> (!t) {
    %v = tile.load_view %a[%k] : memref<320xf32> -> !t
    %next = arith.addf %acc, %v : !t
    scf.yield %next : !t
  }
  tile.store_view %sum, %c[%i] : !t, memref<64xf32, strided<[2]>>
  return
}

// CHECK: [[@LINE+1]]:1: remark: [Missed] split-k-blocks | Category:tile | Reason="sums of f16 would be rounded for each part: expected f32, f64, i32 or i64; einsum-split-k takes all"
func.func private @rounded(%a: memref<320xf32>, %c: memref<64xf16> {tile.noalias}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c320 = arith.constant 320 : index
  %zero = arith.constant dense<0.0> : !t
  %one = arith.constant dense<1.0> : !t
  %x = tile.program_id x
  %block = arith.index_cast %x : i32 to index
  %i = arith.muli %block, %c32 : index
  %sum = scf.for %k = %c0 to %c320 step %c32 iter_args(%acc = %zero) -> (!t) {
    %v = tile.load_view %a[%k] : memref<320xf32> -> !t
    %next = arith.addf %acc, %v : !t
    scf.yield %next : !t
  }
  %half = arith.truncf %sum : !t to tensor<32xf16>
  tile.store_view %half, %c[%i] : tensor<32xf16>, memref<64xf16>
  return
}

// CHECK: [[@LINE+1]]:1: remark: [Missed] split-k-blocks | Category:tile | Reason="its loop carries more than the sum and pointers that advance evenly"
func.func private @carried(%a: memref<320xf32>, %c: memref<64xf32> {tile.noalias}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c320 = arith.constant 320 : index
  %zero = arith.constant dense<0.0> : !t
  %sum:2 = scf.for %k = %c0 to %c320 step %c32 iter_args(%acc = %zero, %last = %zero) -> (!t, !t) {
    %v = tile.load_view %a[%k] : memref<320xf32> -> !t
    %difference = arith.subf %v, %last : !t
    %next = arith.addf %acc, %difference : !t
    scf.yield %next, %v : !t, !t
  }
  tile.store_view %sum#0, %c[%c0] : !t, memref<64xf32>
  return
}

// CHECK: [[@LINE+1]]:1: remark: [Missed] split-k-blocks | Category:tile | Reason="what it stores to is not an argument of its own with 'tile.noalias'"
func.func private @aliased(%a: memref<320xf32>, %c: memref<64xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c320 = arith.constant 320 : index
  %zero = arith.constant dense<0.0> : !t
  %one = arith.constant dense<1.0> : !t
  %x = tile.program_id x
  %block = arith.index_cast %x : i32 to index
  %i = arith.muli %block, %c32 : index
  %sum = scf.for %k = %c0 to %c320 step %c32 iter_args(%acc = %zero) -> (!t) {
    %v = tile.load_view %a[%k] : memref<320xf32> -> !t
    %next = arith.addf %acc, %v : !t
    scf.yield %next : !t
  }
  tile.store_view %sum, %c[%i] : !t, memref<64xf32>
  return
}

// CHECK: [[@LINE+1]]:1: remark: [Missed] split-k-blocks | Category:tile | Reason="it writes memory in another way than by one 'tile.store_view'"
func.func private @pointers(%a: memref<320xf32>, %c: !tile.ptr<f32> {tile.noalias}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c320 = arith.constant 320 : index
  %zero = arith.constant dense<0.0> : !t
  %one = arith.constant dense<1.0> : !t
  %x = tile.program_id x
  %block = arith.index_cast %x : i32 to index
  %i = arith.muli %block, %c32 : index
  %sum = scf.for %k = %c0 to %c320 step %c32 iter_args(%acc = %zero) -> (!t) {
    %v = tile.load_view %a[%k] : memref<320xf32> -> !t
    %next = arith.addf %acc, %v : !t
    scf.yield %next : !t
  }
  %range = tile.range 0 to 32 : tensor<32xi64>
  %base = tile.splat %c : !tile.ptr<f32> -> tensor<32x!tile.ptr<f32>>
  %p = tile.addptr %base, %range : tensor<32x!tile.ptr<f32>>, tensor<32xi64>
  tile.store %p, %sum : tensor<32x!tile.ptr<f32>>
  return
}

// CHECK: [[@LINE+1]]:1: remark: [Missed] split-k-blocks | Category:tile | Reason="it asks how many programs there are along z"
func.func private @asks(%a: memref<320xf32>, %c: memref<64xf32> {tile.noalias}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c320 = arith.constant 320 : index
  %zero = arith.constant dense<0.0> : !t
  %one = arith.constant dense<1.0> : !t
  %x = tile.program_id x
  %block = arith.index_cast %x : i32 to index
  %i = arith.muli %block, %c32 : index
  %number = tile.num_programs z
  %sum = scf.for %k = %c0 to %c320 step %c32 iter_args(%acc = %zero) -> (!t) {
    %v = tile.load_view %a[%k] : memref<320xf32> -> !t
    %next = arith.addf %acc, %v : !t
    scf.yield %next : !t
  }
  tile.store_view %sum, %c[%i] : !t, memref<64xf32>
  return
}

// CHECK: [[@LINE+1]]:1: remark: [Missed] split-k-blocks | Category:tile | Reason="its programs suffice, or its loop is too short"
func.func private @one_step(%a: memref<320xf32>, %c: memref<64xf32> {tile.noalias}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c320 = arith.constant 320 : index
  %zero = arith.constant dense<0.0> : !t
  %one = arith.constant dense<1.0> : !t
  %x = tile.program_id x
  %block = arith.index_cast %x : i32 to index
  %i = arith.muli %block, %c32 : index
  %sum = scf.for %k = %c0 to %c32 step %c32 iter_args(%acc = %zero) -> (!t) {
    %v = tile.load_view %a[%k] : memref<320xf32> -> !t
    %next = arith.addf %acc, %v : !t
    scf.yield %next : !t
  }
  tile.store_view %sum, %c[%i] : !t, memref<64xf32>
  return
}

// CHECK: [[@LINE+1]]:1: remark: [Missed] split-k-blocks | Category:tile | Reason="not all of its launches are known: expected a private function"
func.func @public(%a: memref<320xf32>, %c: memref<64xf32> {tile.noalias}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c320 = arith.constant 320 : index
  %zero = arith.constant dense<0.0> : !t
  %one = arith.constant dense<1.0> : !t
  %x = tile.program_id x
  %block = arith.index_cast %x : i32 to index
  %i = arith.muli %block, %c32 : index
  %sum = scf.for %k = %c0 to %c320 step %c32 iter_args(%acc = %zero) -> (!t) {
    %v = tile.load_view %a[%k] : memref<320xf32> -> !t
    %next = arith.addf %acc, %v : !t
    scf.yield %next : !t
  }
  tile.store_view %sum, %c[%i] : !t, memref<64xf32>
  return
}

// CHECK: [[@LINE+1]]:1: remark: [Missed] split-k-blocks | Category:tile | Reason="it makes pointers of integers"
func.func private @address(%a: memref<320xf32>, %c: memref<64xf32> {tile.noalias}) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %c320 = arith.constant 320 : index
  %zero = arith.constant dense<0.0> : !t
  %one = arith.constant 1 : i64
  %p = tile.int_to_ptr %one : i64 -> !tile.ptr<i64>
  %read = tile.load %p : !tile.ptr<i64>
  %x = tile.program_id x
  %block = arith.index_cast %x : i32 to index
  %i = arith.muli %block, %c32 : index
  %sum = scf.for %k = %c0 to %c320 step %c32 iter_args(%acc = %zero) -> (!t) {
    %v = tile.load_view %a[%k] : memref<320xf32> -> !t
    %next = arith.addf %acc, %v : !t
    scf.yield %next : !t
  }
  tile.store_view %sum, %c[%i] : !t, memref<64xf32>
  return
}
