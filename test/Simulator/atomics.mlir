// Atomics of global memory: sums, bounds, exchanges, compare-and-swap loops, a lock.
// RUN: %python %S/corpus.py --tile-run tile-run %s

gpu.module @atomics {
  // All elements into dst[0..4]: sum, least, greatest, or, and how many there were, modulo 101 (inc).
  llvm.func @integers(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mul %bid, %bdim : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    %q1 = llvm.getelementptr %dst[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %q2 = llvm.getelementptr %dst[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %q3 = llvm.getelementptr %dst[3] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %q4 = llvm.getelementptr %dst[4] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %a = llvm.atomicrmw add %dst, %x monotonic : !llvm.ptr<1>, i32
    %b = llvm.atomicrmw min %q1, %x monotonic : !llvm.ptr<1>, i32
    %c = llvm.atomicrmw max %q2, %x monotonic : !llvm.ptr<1>, i32
    %d = llvm.atomicrmw _or %q3, %x monotonic : !llvm.ptr<1>, i32
    %e = llvm.atomicrmw uinc_wrap %q4, %c100 monotonic : !llvm.ptr<1>, i32
    llvm.return
  }

  // dst[0] = the sum of small integers in f32: exact in any order. dst[1] = the greatest, by
  // compare-and-swap.
  llvm.func @floats(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mul %bid, %bdim : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %x = llvm.load %p : !llvm.ptr<1> -> f32
    %sum = llvm.atomicrmw fadd %dst, %x monotonic : !llvm.ptr<1>, f32
    %q = llvm.getelementptr %dst[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, f32
    %start = llvm.load %q atomic monotonic {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    llvm.br ^try(%start : i32)
  ^try(%seen: i32):
    %now = llvm.bitcast %seen : i32 to f32
    %greater = llvm.fcmp "ogt" %x, %now : f32
    llvm.cond_br %greater, ^swap, ^exit
  ^swap:
    %bits = llvm.bitcast %x : f32 to i32
    %pair = llvm.cmpxchg %q, %seen, %bits monotonic monotonic : !llvm.ptr<1>, i32
    %found = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
    %swapped = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
    llvm.cond_br %swapped, ^exit, ^try(%found : i32)
  ^exit:
    llvm.return
  }

  // Slots of dst are taken one by one: each thread puts its value into the place that a counter gives.
  llvm.func @append(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %counter: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mul %bid, %bdim : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    %slot = llvm.atomicrmw add %counter, %c1 monotonic : !llvm.ptr<1>, i32
    %q = llvm.getelementptr %dst[%slot] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %q : i32, !llvm.ptr<1>
    llvm.return
  }

  // The first lane of each warp adds its element to dst[0], which a lock protects.
  llvm.func @lock(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %lock: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %base = llvm.mul %bid, %bdim : i32
    %i = llvm.add %base, %tid : i32
    %first = llvm.icmp "eq" %lane, %c0 : i32
    llvm.cond_br %first, ^take, ^exit
  ^take:
    %pair = llvm.cmpxchg %lock, %c0, %c1 syncscope("device") acquire monotonic : !llvm.ptr<1>, i32
    %taken = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
    llvm.cond_br %taken, ^add, ^take
  ^add:
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    %old = llvm.load %dst : !llvm.ptr<1> -> i32
    %new = llvm.add %old, %x : i32
    llvm.store %new, %dst : i32, !llvm.ptr<1>
    llvm.store %c0, %lock atomic syncscope("device") release {alignment = 4 : i64} : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }
}
