// Reductions of a warp in one instruction (sm_80).
// RUN: %python %S/corpus.py --tile-run tile-run %s

gpu.module @reductions {
  // The sum, the smallest and the largest signed value, and, or, xor of each warp.
  llvm.func @all(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c5 = llvm.mlir.constant(5 : i32) : i32
    %c6 = llvm.mlir.constant(6 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %base = llvm.mul %bid, %bdim : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    %sum = nvvm.redux.sync add %x, %all : i32 -> i32
    %min = nvvm.redux.sync min %x, %all : i32 -> i32
    %max = nvvm.redux.sync max %x, %all : i32 -> i32
    %and = nvvm.redux.sync and %x, %all : i32 -> i32
    %or = nvvm.redux.sync or %x, %all : i32 -> i32
    %xor = nvvm.redux.sync xor %x, %all : i32 -> i32
    %leads = llvm.icmp "eq" %lane, %c0 : i32
    llvm.cond_br %leads, ^store, ^exit
  ^store:
    %w = llvm.lshr %i, %c5 : i32
    %row = llvm.mul %w, %c6 : i32
    %q = llvm.getelementptr %dst[%row] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %q1 = llvm.getelementptr %q[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %q2 = llvm.getelementptr %q[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %q3 = llvm.getelementptr %q[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %q4 = llvm.getelementptr %q[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %q5 = llvm.getelementptr %q[5] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %sum, %q : i32, !llvm.ptr<1>
    llvm.store %min, %q1 : i32, !llvm.ptr<1>
    llvm.store %max, %q2 : i32, !llvm.ptr<1>
    llvm.store %and, %q3 : i32, !llvm.ptr<1>
    llvm.store %or, %q4 : i32, !llvm.ptr<1>
    llvm.store %xor, %q5 : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }
}
