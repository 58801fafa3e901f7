// Integers divided by what a masked load left undefined, in lanes that are not stored: compiled code stopped on CPUs,
// and on GPUs LLVM dropped the masks, so that programs left their buffers. What is masked off reads as 0 there.
//
// RUN: tile-run %s --backend=cpu --random=3 --check=interp
// RUN: tile-run %s --backend=sim --random=3 --check=interp
// RUN: tile-opt %s --convert-tile-to-linalg | FileCheck %s

func.func @divide(%x: !tile.ptr<i32> {tile.readonly}, %y: !tile.ptr<i32> {tile.readonly}, %z: !tile.ptr<i32>, %n: i32)
    attributes {tile.kernel} {
  %i = tile.range 0 to 64 : tensor<64xi32>
  %ns = tile.splat %n : i32 -> tensor<64xi32>
  %inside = arith.cmpi slt, %i, %ns : tensor<64xi32>
  %xs = tile.splat %x : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %ys = tile.splat %y : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %zs = tile.splat %z : !tile.ptr<i32> -> tensor<64x!tile.ptr<i32>>
  %px = tile.addptr %xs, %i : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  %py = tile.addptr %ys, %i : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  %pz = tile.addptr %zs, %i : tensor<64x!tile.ptr<i32>>, tensor<64xi32>
  %loaded = tile.load %px mask %inside : tensor<64x!tile.ptr<i32>>
  %divisors = tile.load %py mask %inside : tensor<64x!tile.ptr<i32>>
  %a = tile.psi %inside ? %loaded : tensor<64xi1>, tensor<64xi32>
  %b = tile.psi %inside ? %divisors : tensor<64xi1>, tensor<64xi32>

  // By 0.
  // CHECK-LABEL: @divide
  // CHECK: %[[Q:.*]] = arith.select
  // CHECK-NEXT: arith.divsi %{{.*}}, %[[Q]]
  // CHECK: %[[R:.*]] = arith.select
  // CHECK-NEXT: arith.remsi %{{.*}}, %[[R]]
  // CHECK: %[[UQ:.*]] = arith.select
  // CHECK-NEXT: arith.divui %{{.*}}, %[[UQ]]
  // CHECK: %[[UR:.*]] = arith.select
  // CHECK-NEXT: arith.remui %{{.*}}, %[[UR]]
  %q = arith.divsi %a, %b : tensor<64xi32>
  %r = arith.remsi %a, %b : tensor<64xi32>
  %uq = arith.divui %a, %b : tensor<64xi32>
  %ur = arith.remui %a, %b : tensor<64xi32>
  %qr = arith.addi %q, %r : tensor<64xi32>
  %uqr = arith.addi %uq, %ur : tensor<64xi32>

  // The smallest number by -1.
  %min = arith.constant dense<-2147483648> : tensor<64xi32>
  %one = arith.constant dense<1> : tensor<64xi32>
  %c = arith.xori %a, %min : tensor<64xi32>
  %d = arith.subi %b, %one : tensor<64xi32>
  // CHECK: %[[WQ:.*]] = arith.select
  // CHECK-NEXT: arith.divsi %{{.*}}, %[[WQ]]
  // CHECK: %[[WR:.*]] = arith.select
  // CHECK-NEXT: arith.remsi %{{.*}}, %[[WR]]
  %wq = arith.divsi %c, %d : tensor<64xi32>
  %wr = arith.remsi %c, %d : tensor<64xi32>
  %wqr = arith.addi %wq, %wr : tensor<64xi32>

  // By what is known to be safe: as it is.
  // CHECK-NOT: arith.select
  // CHECK: arith.divsi
  %three = arith.constant dense<3> : tensor<64xi32>
  %sq = arith.divsi %uqr, %three : tensor<64xi32>

  %s = arith.addi %qr, %wqr : tensor<64xi32>
  %t = arith.xori %s, %sq : tensor<64xi32>
  tile.store %pz, %t mask %inside : tensor<64x!tile.ptr<i32>>
  return
}

func.func @main(%x: memref<?xi32> {einsum.example_shape = array<i64: 37>, einsum.value_range = array<i64: -1000, 1000>},
                %y: memref<?xi32> {einsum.example_shape = array<i64: 37>, einsum.value_range = array<i64: 2, 9>},
                %z: memref<?xi32> {einsum.example_shape = array<i64: 37>}) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %size = memref.dim %x, %c0 : memref<?xi32>
  %n = arith.index_cast %size : index to i32
  tile.launch @divide grid(%c1, %c1, %c1) (%x, %y, %z, %n) : memref<?xi32>, memref<?xi32>, memref<?xi32>, i32
  return
}
