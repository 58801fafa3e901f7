// Matrix products without mma, C[m][n] = A[m][k] B[k][n] of any sizes: each thread reads its row and
// column from global memory, or blocks of 16x16 threads go through tiles in shared memory.
// RUN: %python %S/corpus.py --tile-run tile-run %s

gpu.module @matmuls {
  llvm.mlir.global internal @tileA() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<256 x f32>
  llvm.mlir.global internal @tileB() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<256 x f32>

  llvm.func @naive(%A: !llvm.ptr<1>, %B: !llvm.ptr<1>, %C: !llvm.ptr<1>, %m: i32, %n: i32, %k: i32) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    %bx = nvvm.read.ptx.sreg.ctaid.x : i32
    %by = nvvm.read.ptx.sreg.ctaid.y : i32
    %dx = nvvm.read.ptx.sreg.ntid.x : i32
    %dy = nvvm.read.ptx.sreg.ntid.y : i32
    %tx = nvvm.read.ptx.sreg.tid.x : i32
    %ty = nvvm.read.ptx.sreg.tid.y : i32
    %x0 = llvm.mul %bx, %dx : i32
    %y0 = llvm.mul %by, %dy : i32
    %column = llvm.add %x0, %tx : i32
    %row = llvm.add %y0, %ty : i32
    %inN = llvm.icmp "slt" %column, %n : i32
    %inM = llvm.icmp "slt" %row, %m : i32
    %inside = llvm.and %inN, %inM : i1
    llvm.cond_br %inside, ^start, ^exit
  ^start:
    %a0 = llvm.mul %row, %k : i32
    llvm.br ^product(%c0, %zero : i32, f32)
  ^product(%i: i32, %sum: f32):
    %ai = llvm.add %a0, %i : i32
    %bi0 = llvm.mul %i, %n : i32
    %bi = llvm.add %bi0, %column : i32
    %p = llvm.getelementptr %A[%ai] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %q = llvm.getelementptr %B[%bi] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %a = llvm.load %p : !llvm.ptr<1> -> f32
    %b = llvm.load %q : !llvm.ptr<1> -> f32
    %next = llvm.intr.fma(%a, %b, %sum) : (f32, f32, f32) -> f32
    %i1 = llvm.add %i, %c1 : i32
    %more = llvm.icmp "slt" %i1, %k : i32
    llvm.cond_br %more, ^product(%i1, %next : i32, f32), ^write
  ^write:
    %c = llvm.mul %row, %n : i32
    %ci = llvm.add %c, %column : i32
    %r = llvm.getelementptr %C[%ci] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %next, %r : f32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }

  llvm.func @tiled(%A: !llvm.ptr<1>, %B: !llvm.ptr<1>, %C: !llvm.ptr<1>, %m: i32, %n: i32, %k: i32) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    %tileA = llvm.mlir.addressof @tileA : !llvm.ptr<3>
    %tileB = llvm.mlir.addressof @tileB : !llvm.ptr<3>
    %bx = nvvm.read.ptx.sreg.ctaid.x : i32
    %by = nvvm.read.ptx.sreg.ctaid.y : i32
    %tx = nvvm.read.ptx.sreg.tid.x : i32
    %ty = nvvm.read.ptx.sreg.tid.y : i32
    %x0 = llvm.mul %bx, %c16 : i32
    %y0 = llvm.mul %by, %c16 : i32
    %column = llvm.add %x0, %tx : i32
    %row = llvm.add %y0, %ty : i32
    %inN = llvm.icmp "slt" %column, %n : i32
    %inM = llvm.icmp "slt" %row, %m : i32
    %place0 = llvm.mul %ty, %c16 : i32
    %place = llvm.add %place0, %tx : i32
    %sa = llvm.getelementptr %tileA[%place] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %sb = llvm.getelementptr %tileB[%place] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %a0 = llvm.mul %row, %k : i32
    llvm.br ^tile(%c0, %zero : i32, f32)
  ^tile(%k0: i32, %sum: f32):
    %ka = llvm.add %k0, %tx : i32
    %inKa = llvm.icmp "slt" %ka, %k : i32
    %inA = llvm.and %inM, %inKa : i1
    llvm.cond_br %inA, ^loadA, ^putA(%zero : f32)
  ^loadA:
    %ai = llvm.add %a0, %ka : i32
    %p = llvm.getelementptr %A[%ai] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %a = llvm.load %p : !llvm.ptr<1> -> f32
    llvm.br ^putA(%a : f32)
  ^putA(%va: f32):
    llvm.store %va, %sa : f32, !llvm.ptr<3>
    %kb = llvm.add %k0, %ty : i32
    %inKb = llvm.icmp "slt" %kb, %k : i32
    %inB = llvm.and %inN, %inKb : i1
    llvm.cond_br %inB, ^loadB, ^putB(%zero : f32)
  ^loadB:
    %b0 = llvm.mul %kb, %n : i32
    %bi = llvm.add %b0, %column : i32
    %q = llvm.getelementptr %B[%bi] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %b = llvm.load %q : !llvm.ptr<1> -> f32
    llvm.br ^putB(%b : f32)
  ^putB(%vb: f32):
    llvm.store %vb, %sb : f32, !llvm.ptr<3>
    nvvm.barrier  // filled
    llvm.br ^product(%c0, %sum : i32, f32)
  ^product(%i: i32, %part: f32):
    %ti = llvm.add %place0, %i : i32
    %tj0 = llvm.mul %i, %c16 : i32
    %tj = llvm.add %tj0, %tx : i32
    %ta = llvm.getelementptr %tileA[%ti] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %tb = llvm.getelementptr %tileB[%tj] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %xa = llvm.load %ta : !llvm.ptr<3> -> f32
    %xb = llvm.load %tb : !llvm.ptr<3> -> f32
    %next = llvm.intr.fma(%xa, %xb, %part) : (f32, f32, f32) -> f32
    %i1 = llvm.add %i, %c1 : i32
    %more = llvm.icmp "slt" %i1, %c16 : i32
    llvm.cond_br %more, ^product(%i1, %next : i32, f32), ^multiplied
  ^multiplied:
    nvvm.barrier  // read
    %k1 = llvm.add %k0, %c16 : i32
    %again = llvm.icmp "slt" %k1, %k : i32
    llvm.cond_br %again, ^tile(%k1, %next : i32, f32), ^write
  ^write:
    %inside = llvm.and %inN, %inM : i1
    llvm.cond_br %inside, ^store, ^exit
  ^store:
    %c = llvm.mul %row, %n : i32
    %ci = llvm.add %c, %column : i32
    %r = llvm.getelementptr %C[%ci] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %next, %r : f32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }
}
