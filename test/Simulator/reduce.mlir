// Sums: of a warp by butterfly shuffles, of a block by shuffles and shared memory, of a block by a tree
// in shared memory.
// RUN: %python %S/corpus.py --tile-run tile-run %s

gpu.module @reductions {
  llvm.mlir.global internal @partial() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<32 x f32>
  llvm.mlir.global internal @tree() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<128 x f32>

  // dst[warp] = the sum of the warp's 32 elements.
  llvm.func @warp(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c5 = llvm.mlir.constant(5 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %c31 = llvm.mlir.constant(31 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %base = llvm.mul %bid, %bdim : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %x = llvm.load %p : !llvm.ptr<1> -> f32
    llvm.br ^step(%c16, %x : i32, f32)
  ^step(%distance: i32, %sum: f32):
    %other = nvvm.shfl.sync bfly %all, %sum, %distance, %c31 : f32 -> f32
    %next = llvm.fadd %sum, %other : f32
    %half = llvm.lshr %distance, %c1 : i32
    %done = llvm.icmp "eq" %half, %c0 : i32
    llvm.cond_br %done, ^write, ^step(%half, %next : i32, f32)
  ^write:
    %first = llvm.icmp "eq" %lane, %c0 : i32
    llvm.cond_br %first, ^store, ^exit
  ^store:
    %w = llvm.lshr %i, %c5 : i32
    %q = llvm.getelementptr %dst[%w] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %next, %q : f32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }

  // dst[block] = the sum of the block's elements; its warps' sums meet in shared memory.
  llvm.func @block(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c5 = llvm.mlir.constant(5 : i32) : i32
    %c8 = llvm.mlir.constant(8 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %c31 = llvm.mlir.constant(31 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %zero = llvm.mlir.constant(0.0 : f32) : f32
    %partial = llvm.mlir.addressof @partial : !llvm.ptr<3>
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %base = llvm.mul %bid, %bdim : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %x = llvm.load %p : !llvm.ptr<1> -> f32
    %s16 = nvvm.shfl.sync down %all, %x, %c16, %c31 : f32 -> f32
    %a16 = llvm.fadd %x, %s16 : f32
    %s8 = nvvm.shfl.sync down %all, %a16, %c8, %c31 : f32 -> f32
    %a8 = llvm.fadd %a16, %s8 : f32
    %s4 = nvvm.shfl.sync down %all, %a8, %c4, %c31 : f32 -> f32
    %a4 = llvm.fadd %a8, %s4 : f32
    %s2 = nvvm.shfl.sync down %all, %a4, %c2, %c31 : f32 -> f32
    %a2 = llvm.fadd %a4, %s2 : f32
    %s1 = nvvm.shfl.sync down %all, %a2, %c1, %c31 : f32 -> f32
    %a1 = llvm.fadd %a2, %s1 : f32
    %leads = llvm.icmp "eq" %lane, %c0 : i32
    llvm.cond_br %leads, ^keep, ^meet
  ^keep:
    %w = llvm.lshr %tid, %c5 : i32
    %s = llvm.getelementptr %partial[%w] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    llvm.store %a1, %s : f32, !llvm.ptr<3>
    llvm.br ^meet
  ^meet:
    nvvm.barrier
    %inFirst = llvm.icmp "ult" %tid, %c32 : i32
    llvm.cond_br %inFirst, ^gather, ^exit
  ^gather:
    %warps = llvm.lshr %bdim, %c5 : i32
    %mine = llvm.icmp "ult" %tid, %warps : i32
    llvm.cond_br %mine, ^read, ^sum(%zero : f32)
  ^read:
    %t = llvm.getelementptr %partial[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %y = llvm.load %t : !llvm.ptr<3> -> f32
    llvm.br ^sum(%y : f32)
  ^sum(%b: f32):
    %t16 = nvvm.shfl.sync bfly %all, %b, %c16, %c31 : f32 -> f32
    %b16 = llvm.fadd %b, %t16 : f32
    %t8 = nvvm.shfl.sync bfly %all, %b16, %c8, %c31 : f32 -> f32
    %b8 = llvm.fadd %b16, %t8 : f32
    %t4 = nvvm.shfl.sync bfly %all, %b8, %c4, %c31 : f32 -> f32
    %b4 = llvm.fadd %b8, %t4 : f32
    %t2 = nvvm.shfl.sync bfly %all, %b4, %c2, %c31 : f32 -> f32
    %b2 = llvm.fadd %b4, %t2 : f32
    %t1 = nvvm.shfl.sync bfly %all, %b2, %c1, %c31 : f32 -> f32
    %b1 = llvm.fadd %b2, %t1 : f32
    %first = llvm.icmp "eq" %tid, %c0 : i32
    llvm.cond_br %first, ^store, ^exit
  ^store:
    %q = llvm.getelementptr %dst[%bid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %b1, %q : f32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }

  // The same by a tree in shared memory: 64, 32, ..., 1 threads add.
  llvm.func @shared_tree(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %tree = llvm.mlir.addressof @tree : !llvm.ptr<3>
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mul %bid, %bdim : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %x = llvm.load %p : !llvm.ptr<1> -> f32
    %s = llvm.getelementptr %tree[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    llvm.store %x, %s : f32, !llvm.ptr<3>
    %half = llvm.lshr %bdim, %c1 : i32
    llvm.br ^level(%half : i32)
  ^level(%distance: i32):
    nvvm.barrier
    %adds = llvm.icmp "ult" %tid, %distance : i32
    llvm.cond_br %adds, ^add, ^next
  ^add:
    %far = llvm.add %tid, %distance : i32
    %t = llvm.getelementptr %tree[%far] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %a = llvm.load %s : !llvm.ptr<3> -> f32
    %b = llvm.load %t : !llvm.ptr<3> -> f32
    %sum = llvm.fadd %a, %b : f32
    llvm.store %sum, %s : f32, !llvm.ptr<3>
    llvm.br ^next
  ^next:
    %nearer = llvm.lshr %distance, %c1 : i32
    %done = llvm.icmp "eq" %nearer, %c0 : i32
    llvm.cond_br %done, ^write, ^level(%nearer : i32)
  ^write:
    %first = llvm.icmp "eq" %tid, %c0 : i32
    llvm.cond_br %first, ^store, ^exit
  ^store:
    %total = llvm.load %tree : !llvm.ptr<3> -> f32
    %q = llvm.getelementptr %dst[%bid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %total, %q : f32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }
}
