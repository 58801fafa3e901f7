// Histograms of bytes below 32: each block counts in shared memory, then adds its counts to those in
// global memory; and straight into global memory.
// RUN: %python %S/corpus.py --tile-run tile-run %s

gpu.module @histograms {
  llvm.mlir.global internal @counts() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<32 x i32>

  // A thread takes every (blocks * threads)-th of the %n bytes.
  llvm.func @shared(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %counts = llvm.mlir.addressof @counts : !llvm.ptr<3>
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %gdim = nvvm.read.ptx.sreg.nctaid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %mine = llvm.getelementptr %counts[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %first = llvm.icmp "ult" %tid, %c32 : i32
    llvm.cond_br %first, ^clear, ^cleared
  ^clear:
    llvm.store %c0, %mine : i32, !llvm.ptr<3>
    llvm.br ^cleared
  ^cleared:
    nvvm.barrier
    %base = llvm.mul %bid, %bdim : i32
    %start = llvm.add %base, %tid : i32
    %stride = llvm.mul %gdim, %bdim : i32
    llvm.br ^loop(%start : i32)
  ^loop(%i: i32):
    %inside = llvm.icmp "slt" %i, %n : i32
    llvm.cond_br %inside, ^count, ^counted
  ^count:
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
    %byte = llvm.load %p : !llvm.ptr<1> -> i8
    %bin = llvm.zext %byte : i8 to i32
    %s = llvm.getelementptr %counts[%bin] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %old = llvm.atomicrmw add %s, %c1 syncscope("block") monotonic : !llvm.ptr<3>, i32
    %next = llvm.add %i, %stride : i32
    llvm.br ^loop(%next : i32)
  ^counted:
    nvvm.barrier
    llvm.cond_br %first, ^add, ^exit
  ^add:
    %count = llvm.load %mine : !llvm.ptr<3> -> i32
    %q = llvm.getelementptr %dst[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %sum = llvm.atomicrmw add %q, %count syncscope("device") monotonic : !llvm.ptr<1>, i32
    llvm.br ^exit
  ^exit:
    llvm.return
  }

  llvm.func @global(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %gdim = nvvm.read.ptx.sreg.nctaid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mul %bid, %bdim : i32
    %start = llvm.add %base, %tid : i32
    %stride = llvm.mul %gdim, %bdim : i32
    llvm.br ^loop(%start : i32)
  ^loop(%i: i32):
    %inside = llvm.icmp "slt" %i, %n : i32
    llvm.cond_br %inside, ^count, ^exit
  ^count:
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i8
    %byte = llvm.load %p : !llvm.ptr<1> -> i8
    %bin = llvm.zext %byte : i8 to i32
    %q = llvm.getelementptr %dst[%bin] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %old = llvm.atomicrmw add %q, %c1 syncscope("device") monotonic : !llvm.ptr<1>, i32
    %next = llvm.add %i, %stride : i32
    llvm.br ^loop(%next : i32)
  ^exit:
    llvm.return
  }
}
