// A power with an exponent of i64 was one of libdevice that takes an i32, and its result anything.
//
// RUN: tile-run %s --backend=sim --chip=sm_80 --random=3 --check=interp

func.func @kernel(%x: memref<128xf32>, %n: memref<128xi64>, %y: memref<128xf32>, %z: memref<128xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %three = arith.constant dense<3> : tensor<128xi64>
  %0 = tile.load_view %x[%c0] : memref<128xf32> -> tensor<128xf32>
  %1 = tile.load_view %n[%c0] : memref<128xi64> -> tensor<128xi64>
  %2 = math.fpowi %0, %three : tensor<128xf32>, tensor<128xi64>
  %3 = math.fpowi %0, %1 : tensor<128xf32>, tensor<128xi64>
  tile.store_view %2, %y[%c0] : tensor<128xf32>, memref<128xf32>
  tile.store_view %3, %z[%c0] : tensor<128xf32>, memref<128xf32>
  return
}

func.func @main(%x: memref<128xf32>, %n: memref<128xi64>, %y: memref<128xf32>, %z: memref<128xf32>) {
  %c1 = arith.constant 1 : index
  tile.launch @kernel grid(%c1, %c1, %c1) (%x, %n, %y, %z)
      : memref<128xf32>, memref<128xi64>, memref<128xf32>, memref<128xf32>
  return
}
