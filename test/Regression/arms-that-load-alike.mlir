// Two arms of a branch whose code differs in a buffer alone: LLVM's branch was to pass it as a memref, and nothing ran.
//
// RUN: %python -c "import numpy; numpy.save('%t.x.npy', numpy.arange(512, dtype='float32')); numpy.save('%t.y.npy', numpy.zeros(512, 'float32'))"
// RUN: tile-run %s --backend=cpu --grid=1 --inputs=%t.x.npy,%t.y.npy,5 --outputs=%t.ignored.npy,%t.masked.npy
// RUN: tile-run %s --backend=cpu --grid=1 --inputs=%t.x.npy,%t.y.npy,0 --outputs=%t.ignored.npy,%t.all.npy
// RUN: %python -c "import numpy as n; x = n.arange(512); n.testing.assert_array_equal(n.load('%t.masked.npy'), x * (x < 5 * 32)); n.testing.assert_array_equal(n.load('%t.all.npy'), x)"

func.func @kernel(%p: !tile.ptr<f32>, %q: !tile.ptr<f32>, %n: i32) attributes {tile.kernel} {
  %c0 = arith.constant 0 : i32
  %zero = arith.constant dense<0.0> : tensor<16x32xf32>
  %r = tile.range 0 to 16 : tensor<16xi32>
  %c = tile.range 0 to 32 : tensor<32xi32>
  %r1 = tile.reshape %r : tensor<16xi32> -> tensor<16x1xi32>
  %c1 = tile.reshape %c : tensor<32xi32> -> tensor<1x32xi32>
  %rows = tile.broadcast %r1 : tensor<16x1xi32> -> tensor<16x32xi32>
  %columns = tile.broadcast %c1 : tensor<1x32xi32> -> tensor<16x32xi32>
  %c32 = arith.constant dense<32> : tensor<16x32xi32>
  %o = arith.muli %rows, %c32 : tensor<16x32xi32>
  %at = arith.addi %o, %columns : tensor<16x32xi32>
  %ps = tile.splat %p : !tile.ptr<f32> -> tensor<16x32x!tile.ptr<f32>>
  %px = tile.addptr %ps, %at : tensor<16x32x!tile.ptr<f32>>, tensor<16x32xi32>
  %qs = tile.splat %q : !tile.ptr<f32> -> tensor<16x32x!tile.ptr<f32>>
  %qx = tile.addptr %qs, %at : tensor<16x32x!tile.ptr<f32>>, tensor<16x32xi32>
  %ns = tile.splat %n : i32 -> tensor<16x32xi32>
  %m = arith.cmpi slt, %rows, %ns : tensor<16x32xi32>
  %masked = arith.cmpi sgt, %n, %c0 : i32
  %x = scf.if %masked -> tensor<16x32xf32> {
    %y = tile.load %px mask %m other %zero : tensor<16x32x!tile.ptr<f32>>
    scf.yield %y : tensor<16x32xf32>
  } else {
    %y = tile.load %px : tensor<16x32x!tile.ptr<f32>>
    scf.yield %y : tensor<16x32xf32>
  }
  tile.store %qx, %x : tensor<16x32x!tile.ptr<f32>>
  return
}
