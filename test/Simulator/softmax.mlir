// Softmax of rows of any length, a warp a row: the greatest element and the sum of exponentials go
// through butterfly shuffles, exponentials through ex2.
// RUN: %python %S/corpus.py --tile-run tile-run %s

gpu.module @softmaxes {
  llvm.func @rows(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %rows: i32, %columns: i32) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c5 = llvm.mlir.constant(5 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %c31 = llvm.mlir.constant(31 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    %lowest = llvm.mlir.constant(0xFF800000 : f32) : f32
    %log2e = llvm.mlir.constant(1.44269502 : f32) : f32
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %base = llvm.mul %bid, %bdim : i32
    %thread = llvm.add %base, %tid : i32
    %row = llvm.lshr %thread, %c5 : i32
    %inside = llvm.icmp "ult" %row, %rows : i32
    llvm.cond_br %inside, ^start, ^exit
  ^start:
    %i0 = llvm.mul %row, %columns : i32
    llvm.br ^greatest(%lane, %lowest : i32, f32)
  ^greatest(%j: i32, %max: f32):
    %in = llvm.icmp "ult" %j, %columns : i32
    llvm.cond_br %in, ^greater, ^share(%c16, %max : i32, f32)
  ^greater:
    %i = llvm.add %i0, %j : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %x = llvm.load %p : !llvm.ptr<1> -> f32
    %max1 = llvm.intr.maxnum(%max, %x) : (f32, f32) -> f32
    %j1 = llvm.add %j, %c32 : i32
    llvm.br ^greatest(%j1, %max1 : i32, f32)
  ^share(%distance: i32, %m: f32):
    %other = nvvm.shfl.sync bfly %all, %m, %distance, %c31 : f32 -> f32
    %m1 = llvm.intr.maxnum(%m, %other) : (f32, f32) -> f32
    %half = llvm.lshr %distance, %c1 : i32
    %shared = llvm.icmp "eq" %half, %c0 : i32
    llvm.cond_br %shared, ^sum(%lane, %zero : i32, f32), ^share(%half, %m1 : i32, f32)
  ^sum(%k: i32, %total: f32):
    %ink = llvm.icmp "ult" %k, %columns : i32
    llvm.cond_br %ink, ^add, ^spread(%c16, %total : i32, f32)
  ^add:
    %ik = llvm.add %i0, %k : i32
    %pk = llvm.getelementptr %src[%ik] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %xk = llvm.load %pk : !llvm.ptr<1> -> f32
    %dk = llvm.fsub %xk, %m1 : f32
    %lk = llvm.fmul %dk, %log2e : f32
    %ek = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%lk) : (f32) -> f32
    %qk = llvm.getelementptr %dst[%ik] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %ek, %qk : f32, !llvm.ptr<1>
    %total1 = llvm.fadd %total, %ek : f32
    %k1 = llvm.add %k, %c32 : i32
    llvm.br ^sum(%k1, %total1 : i32, f32)
  ^spread(%far: i32, %s: f32):
    %theirs = nvvm.shfl.sync bfly %all, %s, %far, %c31 : f32 -> f32
    %s1 = llvm.fadd %s, %theirs : f32
    %near = llvm.lshr %far, %c1 : i32
    %done = llvm.icmp "eq" %near, %c0 : i32
    llvm.cond_br %done, ^scale(%lane : i32), ^spread(%near, %s1 : i32, f32)
  ^scale(%l: i32):
    %inl = llvm.icmp "ult" %l, %columns : i32
    llvm.cond_br %inl, ^divide, ^exit
  ^divide:
    %il = llvm.add %i0, %l : i32
    %ql = llvm.getelementptr %dst[%il] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %el = llvm.load %ql : !llvm.ptr<1> -> f32
    %y = llvm.fdiv %el, %s1 : f32
    llvm.store %y, %ql : f32, !llvm.ptr<1>
    %l1 = llvm.add %l, %c32 : i32
    llvm.br ^scale(%l1 : i32)
  ^exit:
    llvm.return
  }
}
