// What a branch yields had a layout that is not known where a reduction in it had been copied, and a load of it stayed.
//
// RUN: tile-opt %s --tile-to-cpu-pipeline | FileCheck %s

// CHECK: llvm.func
// CHECK-NOT: vector.transfer_read
module {
  func.func @f(%arg0: !tile.ptr<i64> {tile.multiple_of = 16 : i64}, %arg1: !tile.ptr<i64> {tile.multiple_of = 16 : i64}, %arg2: !tile.ptr<f32> {tile.multiple_of = 16 : i64}, %arg3: i32, %arg4: i32, %arg5: f32, %arg6: !tile.ptr<i16> {tile.multiple_of = 16 : i64}, %arg7: !tile.ptr<i32> {tile.multiple_of = 16 : i64}, %arg8: !tile.ptr<i32> {tile.multiple_of = 16 : i64}, %arg9: !tile.ptr<i32> {tile.multiple_of = 16 : i64}, %arg10: !tile.ptr<f16> {tile.multiple_of = 16 : i64}) attributes {tile.kernel} {
    %0 = tile.program_id x
    %c832_i16 = arith.constant 832 : i16
    %cst = arith.constant dense<832> : tensor<16xi16>
    %c8_i32 = arith.constant 8 : i32
    %1 = arith.cmpi slt, %arg4, %c8_i32 : i32
    %c6_i32 = arith.constant 6 : i32
    %2 = arith.cmpi slt, %arg4, %c6_i32 : i32
    %3 = arith.andi %1, %2 : i1
    %true = arith.constant true
    %4 = arith.xori %3, %true : i1
    %5 = scf.if %4 -> (tensor<16xi16>) {
      %12 = tile.range 0 to 16 : tensor<16xi32>
      %13 = tile.reshape %12 : tensor<16xi32> -> tensor<16x1xi32>
      %14 = tile.broadcast %13 : tensor<16x1xi32> -> tensor<16x8xi32>
      %15 = tile.range 0 to 8 : tensor<8xi32>
      %16 = tile.broadcast %15 : tensor<8xi32> -> tensor<16x8xi32>
      %17 = arith.addi %14, %16 : tensor<16x8xi32>
      %c0_i32 = arith.constant 0 : i32
      %cst_1 = arith.constant dense<0> : tensor<16x8xi32>
      %18 = arith.cmpi sge, %17, %cst_1 : tensor<16x8xi32>
      %c6_i32_2 = arith.constant 6 : i32
      %19 = arith.cmpi slt, %arg4, %c6_i32_2 : i32
      %20 = tile.splat %19 : i1 -> tensor<16x8xi1>
      %c6_i32_3 = arith.constant 6 : i32
      %21 = arith.cmpi slt, %arg4, %c6_i32_3 : i32
      %22 = tile.splat %21 : i1 -> tensor<16x8xi1>
      %23 = arith.select %18, %20, %22 : tensor<16x8xi1>, tensor<16x8xi1>
      %24 = tile.reduce xor %23 axis 1 : tensor<16x8xi1>
      %25 = tile.range 0 to 16 : tensor<16xi32>
      %26 = tile.reshape %25 : tensor<16xi32> -> tensor<16x1xi32>
      %27 = tile.broadcast %26 : tensor<16x1xi32> -> tensor<16x8xi32>
      %28 = tile.range 0 to 8 : tensor<8xi32>
      %29 = tile.broadcast %28 : tensor<8xi32> -> tensor<16x8xi32>
      %30 = arith.addi %27, %29 : tensor<16x8xi32>
      %c0_i32_4 = arith.constant 0 : i32
      %cst_5 = arith.constant dense<0> : tensor<16x8xi32>
      %31 = arith.cmpi sge, %30, %cst_5 : tensor<16x8xi32>
      %c2_i32 = arith.constant 2 : i32
      %32 = arith.cmpi slt, %arg4, %c2_i32 : i32
      %33 = tile.splat %32 : i1 -> tensor<16x8xi1>
      %c2_i32_6 = arith.constant 2 : i32
      %34 = arith.cmpi slt, %arg4, %c2_i32_6 : i32
      %35 = tile.splat %34 : i1 -> tensor<16x8xi1>
      %36 = arith.select %31, %33, %35 : tensor<16x8xi1>, tensor<16x8xi1>
      %37 = arith.extui %36 : tensor<16x8xi1> to tensor<16x8xi32>
      %38 = tile.reduce min %37 axis 1 : tensor<16x8xi32>
      %c0_i32_7 = arith.constant 0 : i32
      %cst_8 = arith.constant dense<0> : tensor<16xi32>
      %39 = arith.cmpi ne, %38, %cst_8 : tensor<16xi32>
      %40 = arith.andi %24, %39 : tensor<16xi1>
      %c8_i16 = arith.constant 8 : i16
      %cst_9 = arith.constant dense<8> : tensor<16xi16>
      %41 = tile.range 0 to 16 : tensor<16xi32>
      %42 = tile.reshape %41 : tensor<16xi32> -> tensor<16x1xi32>
      %43 = tile.broadcast %42 : tensor<16x1xi32> -> tensor<16x8xi32>
      %44 = tile.range 0 to 8 : tensor<8xi32>
      %45 = tile.broadcast %44 : tensor<8xi32> -> tensor<16x8xi32>
      %46 = arith.addi %43, %45 : tensor<16x8xi32>
      %c0_i32_10 = arith.constant 0 : i32
      %cst_11 = arith.constant dense<0> : tensor<16x8xi32>
      %47 = arith.cmpi sge, %46, %cst_11 : tensor<16x8xi32>
      %c32_i16 = arith.constant 32 : i16
      %cst_12 = arith.constant dense<32> : tensor<16x8xi16>
      %c32_i16_13 = arith.constant 32 : i16
      %cst_14 = arith.constant dense<32> : tensor<16x8xi16>
      %48 = arith.select %47, %cst_12, %cst_14 : tensor<16x8xi1>, tensor<16x8xi16>
      %49 = tile.trans %48 [1, 0] : tensor<16x8xi16>
      %50 = arith.extui %49 : tensor<8x16xi16> to tensor<8x16xi32>
      %51 = tile.reduce min %50 axis 0 : tensor<8x16xi32>
      %52 = arith.trunci %51 : tensor<16xi32> to tensor<16xi16>
      %53 = arith.select %40, %cst_9, %52 : tensor<16xi1>, tensor<16xi16>
      scf.yield %53 : tensor<16xi16>
    } else {
      %cst_1 = arith.constant -5.000000e+01 : f32
      %12 = arith.maximumf %arg5, %cst_1 : f32
      %cst_2 = arith.constant 5.000000e+01 : f32
      %13 = arith.minimumf %12, %cst_2 : f32
      %14 = arith.fptosi %13 : f32 to i16
      %15 = arith.extsi %14 : i16 to i32
      %c28_i32 = arith.constant 28 : i32
      %16 = arith.cmpi sle, %15, %c28_i32 : i32
      %c16_i16 = arith.constant 16 : i16
      %cst_3 = arith.constant dense<16> : tensor<16xi16>
      %true_4 = arith.constant true
      %17 = tile.psi %true_4 ? %cst, %16 ? %cst_3 : i1, tensor<16xi16>
      scf.yield %17 : tensor<16xi16>
    }
    %c16_i32 = arith.constant 16 : i32
    %6 = arith.muli %0, %c16_i32 : i32
    %7 = tile.addptr %arg6, %6 : !tile.ptr<i16>, i32
    %8 = tile.splat %7 : !tile.ptr<i16> -> tensor<16x!tile.ptr<i16>>
    %9 = tile.range 0 to 16 : tensor<16xi32>
    %c1_i32 = arith.constant 1 : i32
    %cst_0 = arith.constant dense<1> : tensor<16xi32>
    %10 = arith.muli %9, %cst_0 : tensor<16xi32>
    %11 = tile.addptr %8, %10 : tensor<16x!tile.ptr<i16>>, tensor<16xi32>
    tile.store %11, %5 : tensor<16x!tile.ptr<i16>>
    return
  }
  func.func @main(%arg0: memref<?xi64>, %arg1: memref<?xi64>, %arg2: memref<?xf32>, %arg3: memref<i32>, %arg4: memref<i32>, %arg5: memref<f32>, %arg6: memref<?xi16>, %arg7: memref<?xi32>, %arg8: memref<?xi32>, %arg9: memref<?xi32>, %arg10: memref<?xf16>) {
    %0 = memref.load %arg3[] : memref<i32>
    %1 = memref.load %arg4[] : memref<i32>
    %2 = memref.load %arg5[] : memref<f32>
    %c2_i32 = arith.constant 2 : i32
    %3 = arith.index_cast %c2_i32 : i32 to index
    %c1 = arith.constant 1 : index
    %c1_0 = arith.constant 1 : index
    tile.launch @f grid(%3, %c1, %c1_0) (%arg0, %arg1, %arg2, %0, %1, %2, %arg6, %arg7, %arg8, %arg9, %arg10) : memref<?xi64>, memref<?xi64>, memref<?xf32>, i32, i32, f32, memref<?xi16>, memref<?xi32>, memref<?xi32>, memref<?xi32>, memref<?xf16>
    return
  }
}

