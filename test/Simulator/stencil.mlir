// Steps of x[i] = x[i-1] + x[i+1] - x[i] over a ring of 128 elements in shared memory, in place: a barrier
// before the values of a step are written, and one after.
// RUN: %python %S/corpus.py --tile-run tile-run %s

gpu.module @stencils {
  llvm.mlir.global internal @ring() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<128 x i32>

  llvm.func @steps(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c127 = llvm.mlir.constant(127 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %ring = llvm.mlir.addressof @ring : !llvm.ptr<3>
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mul %bid, %c128 : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    %s = llvm.getelementptr %ring[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %x, %s : i32, !llvm.ptr<3>
    nvvm.barrier  // filled
    %before = llvm.sub %tid, %c1 : i32
    %left = llvm.and %before, %c127 : i32
    %after = llvm.add %tid, %c1 : i32
    %right = llvm.and %after, %c127 : i32
    %a = llvm.getelementptr %ring[%left] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %b = llvm.getelementptr %ring[%right] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.br ^step(%c0, %x : i32, i32)
  ^step(%k: i32, %mine: i32):
    %l = llvm.load %a : !llvm.ptr<3> -> i32
    %r = llvm.load %b : !llvm.ptr<3> -> i32
    %sum = llvm.add %l, %r : i32
    %next = llvm.sub %sum, %mine : i32
    nvvm.barrier  // read
    llvm.store %next, %s : i32, !llvm.ptr<3>
    nvvm.barrier  // written
    %k1 = llvm.add %k, %c1 : i32
    %more = llvm.icmp "slt" %k1, %n : i32
    llvm.cond_br %more, ^step(%k1, %next : i32, i32), ^write
  ^write:
    %q = llvm.getelementptr %dst[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %next, %q : i32, !llvm.ptr<1>
    llvm.return
  }
}
