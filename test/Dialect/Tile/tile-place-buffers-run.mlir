// tile-place-buffers changes no answer: branches, loops, host code between launches, arguments that are written and
// returned or passed twice, memrefs that are chosen at run time. Interpreted before and after, and on the simulator.
//
// RUN: rm -rf %t && mkdir %t
// RUN: tile-opt %s --tile-place-buffers -o %t/placed.mlir
// RUN: tile-opt %s --tile-place-buffers=per-launch -o %t/each.mlir
// RUN: tile-run %s --backend=interp --entry=main --inputs=random:4x32xf32,random:4x32xf32,random:4x32xf32,zeros:3xi8 --random=5 --outputs=%t/x0.npy,%t/y0.npy,%t/z0.npy,%t/n0.npy,%t/r0.npy,%t/s0.npy
// RUN: tile-run %t/placed.mlir --backend=interp --entry=main --inputs=random:4x32xf32,random:4x32xf32,random:4x32xf32,zeros:3xi8 --random=5 --outputs=%t/x1.npy,%t/y1.npy,%t/z1.npy,%t/n1.npy,%t/r1.npy,%t/s1.npy
// RUN: tile-run %t/each.mlir --backend=interp --entry=main --inputs=random:4x32xf32,random:4x32xf32,random:4x32xf32,zeros:3xi8 --random=5 --outputs=%t/x2.npy,%t/y2.npy,%t/z2.npy,%t/n2.npy,%t/r2.npy,%t/s2.npy
// RUN: tile-run %s --backend=sim --entry=main --inputs=random:4x32xf32,random:4x32xf32,random:4x32xf32,zeros:3xi8 --random=5 --outputs=%t/x3.npy,%t/y3.npy,%t/z3.npy,%t/n3.npy,%t/r3.npy,%t/s3.npy
// RUN: %python -c "import sys, numpy as np; l = lambda n, i: np.load(sys.argv[1] + '/%%s%%d.npy' %% (n, i)); assert all(np.array_equal(l(n, 0), l(n, i)) for n in 'xyzrs' for i in (1, 2, 3)); assert l('r', 0).any()" %t

func.func private @add(%a: memref<4x32xf32> {tile.readonly}, %b: memref<4x32xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %p = tile.program_id x
  %i = arith.index_cast %p : i32 to index
  %0 = tile.load_view %a[%i, %c0] : memref<4x32xf32> -> tensor<1x32xf32>
  %1 = tile.load_view %b[%i, %c0] : memref<4x32xf32> -> tensor<1x32xf32>
  %2 = arith.addf %0, %1 : tensor<1x32xf32>
  tile.store_view %2, %b[%i, %c0] : tensor<1x32xf32>, memref<4x32xf32>
  return
}

func.func private @double(%a: memref<4x32xf32>, %b: memref<4x32xf32>) attributes {tile.kernel} {
  %c0 = arith.constant 0 : index
  %p = tile.program_id x
  %i = arith.index_cast %p : i32 to index
  %0 = tile.load_view %a[%i, %c0] : memref<4x32xf32> -> tensor<1x32xf32>
  %1 = arith.addf %0, %0 : tensor<1x32xf32>
  tile.store_view %1, %b[%i, %c0] : tensor<1x32xf32>, memref<4x32xf32>
  return
}

memref.global "private" constant @table : memref<4x32xf32> = dense<0.25>

func.func @main(%x: memref<4x32xf32>, %y: memref<4x32xf32>, %z: memref<4x32xf32>, %n: memref<3xi8>)
    -> (memref<4x32xf32>, memref<4x32xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %half = arith.constant 0.5 : f32
  %count = memref.dim %n, %c0 : memref<3xi8>
  %r = memref.alloc() : memref<4x32xf32>
  %s = memref.alloc() : memref<4x32xf32>
  // In memory that only kernels access, and what was copied there.
  %t = memref.alloc() : memref<4x32xf32>
  linalg.fill ins(%zero : f32) outs(%t : memref<4x32xf32>)
  linalg.copy ins(%x : memref<4x32xf32>) outs(%s : memref<4x32xf32>)
  tile.launch @add grid(%c4, %c1, %c1) (%x, %t) : memref<4x32xf32>, memref<4x32xf32>
  // Passed twice; the host looks at it, and changes it.
  tile.launch @double grid(%c4, %c1, %c1) (%y, %y) : memref<4x32xf32>, memref<4x32xf32>
  %e = memref.load %y[%c1, %c2] : memref<4x32xf32>
  memref.store %e, %y[%c0, %c0] : memref<4x32xf32>
  tile.launch @add grid(%c4, %c1, %c1) (%y, %t) : memref<4x32xf32>, memref<4x32xf32>
  %g = memref.get_global @table : memref<4x32xf32>
  scf.for %i = %c0 to %count step %c1 {
    %odd = arith.remui %i, %c2 : index
    %isOdd = arith.cmpi eq, %odd, %c1 : index
    // Launches only, and a branch of the host in between.
    scf.if %isOdd {
      tile.launch @add grid(%c4, %c1, %c1) (%t, %z) : memref<4x32xf32>, memref<4x32xf32>
    } else {
      %old = memref.load %z[%i, %c0] : memref<4x32xf32>
      %new = arith.addf %old, %half : f32
      memref.store %new, %z[%i, %c0] : memref<4x32xf32>
    }
    tile.launch @add grid(%c4, %c1, %c1) (%g, %z) : memref<4x32xf32>, memref<4x32xf32>
    // One of two.
    %chosen = arith.select %isOdd, %x, %g : memref<4x32xf32>
    tile.launch @add grid(%c4, %c1, %c1) (%chosen, %s) : memref<4x32xf32>, memref<4x32xf32>
    // Of the loop's own.
    %own = memref.alloc() : memref<4x32xf32>
    linalg.copy ins(%z : memref<4x32xf32>) outs(%own : memref<4x32xf32>)
    tile.launch @add grid(%c4, %c1, %c1) (%own, %s) : memref<4x32xf32>, memref<4x32xf32>
  }
  linalg.copy ins(%z : memref<4x32xf32>) outs(%r : memref<4x32xf32>)
  return %r, %s : memref<4x32xf32>, memref<4x32xf32>
}
