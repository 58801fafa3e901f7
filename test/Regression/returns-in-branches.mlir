// A kernel of Triton that returns in two places and goes on from two: tiles of the way on were in a switch, which neither
// the CPU's pipeline nor the GPU's took.
//
// RUN: %python -c "import numpy; numpy.save('%t.npy', numpy.zeros(5 * 64, 'int32'))"
// RUN: tile-run %s --backend=interp --grid=5 --inputs=%t.npy,3 --outputs=%t.interp.npy
// RUN: tile-run %s --backend=cpu --grid=5 --inputs=%t.npy,3 --outputs=%t.cpu.npy
// RUN: tile-run %s --backend=sim --grid=5 --inputs=%t.npy,3 --outputs=%t.sim.npy
// RUN: %python -c "import numpy as n; [n.testing.assert_array_equal(n.load(f'%t.{b}.npy').reshape(5, 64), n.array([[0], [1], [7], [0], [7]]) * n.arange(64)) for b in ('interp', 'cpu', 'sim')]"
// RUN: tile-opt %s --convert-triton-to-tile | FileCheck %s
// CHECK-NOT: index_switch

tt.func public @ways(%p: !tt.ptr<i32>, %n: i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %c64 = arith.constant 64 : i32
  %pid = tt.get_program_id x : i32
  %first = arith.cmpi eq, %pid, %c0 : i32
  cf.cond_br %first, ^out, ^more
^out:
  tt.return
^more:
  %bit = arith.andi %pid, %c1 : i32
  %odd = arith.cmpi eq, %bit, %c1 : i32
  cf.cond_br %odd, ^late, ^store(%c7 : i32)
^late:
  %late = arith.cmpi sge, %pid, %n : i32
  cf.cond_br %late, ^out, ^store(%pid : i32)
^store(%v: i32):
  %at = arith.muli %pid, %c64 : i32
  %q = tt.addptr %p, %at : !tt.ptr<i32>, i32
  %lane = tt.make_range {end = 64 : i32, start = 0 : i32} : tensor<64xi32>
  %base = tt.splat %q : !tt.ptr<i32> -> tensor<64x!tt.ptr<i32>>
  %ps = tt.addptr %base, %lane : tensor<64x!tt.ptr<i32>>, tensor<64xi32>
  %x = tt.load %ps : tensor<64x!tt.ptr<i32>>
  %y = arith.addi %x, %lane : tensor<64xi32>
  %vs = tt.splat %v : i32 -> tensor<64xi32>
  %z = arith.muli %y, %vs : tensor<64xi32>
  tt.store %ps, %z : tensor<64x!tt.ptr<i32>>
  tt.return
}
