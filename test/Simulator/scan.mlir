// Inclusive prefix sums of i32: of a warp by shuffles, of a block by its warps' sums, and of a block by
// doubling distances between two buffers in shared memory.
// RUN: %python %S/corpus.py --tile-run tile-run %s

gpu.module @scans {
  llvm.mlir.global internal @sums() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<32 x i32>
  llvm.mlir.global internal @buffers() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<256 x i32>

  // Each warp by itself; shfl tells lanes that have no neighbour that far.
  llvm.func @warp(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mul %bid, %bdim : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    llvm.br ^step(%c1, %x : i32, i32)
  ^step(%distance: i32, %sum: i32):
    %pair = nvvm.shfl.sync up %all, %sum, %distance, %c0 {return_value_and_is_valid} : i32 -> !llvm.struct<(i32, i1)>
    %other = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
    %valid = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
    %addend = llvm.select %valid, %other, %c0 : i1, i32
    %next = llvm.add %sum, %addend : i32
    %double = llvm.shl %distance, %c1 : i32
    %more = llvm.icmp "ult" %double, %c32 : i32
    llvm.cond_br %more, ^step(%double, %next : i32, i32), ^write
  ^write:
    %q = llvm.getelementptr %dst[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %next, %q : i32, !llvm.ptr<1>
    llvm.return
  }

  // Each block; a thread adds the sums of the warps before its own.
  llvm.func @block(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c5 = llvm.mlir.constant(5 : i32) : i32
    %c31 = llvm.mlir.constant(31 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %sums = llvm.mlir.addressof @sums : !llvm.ptr<3>
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %warp = llvm.lshr %tid, %c5 : i32
    %base = llvm.mul %bid, %bdim : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    llvm.br ^step(%c1, %x : i32, i32)
  ^step(%distance: i32, %sum: i32):
    %other = nvvm.shfl.sync up %all, %sum, %distance, %c0 : i32 -> i32
    %far = llvm.icmp "uge" %lane, %distance : i32
    %addend = llvm.select %far, %other, %c0 : i1, i32
    %next = llvm.add %sum, %addend : i32
    %double = llvm.shl %distance, %c1 : i32
    %more = llvm.icmp "ult" %double, %c32 : i32
    llvm.cond_br %more, ^step(%double, %next : i32, i32), ^keep
  ^keep:
    %last = llvm.icmp "eq" %lane, %c31 : i32
    llvm.cond_br %last, ^store, ^meet
  ^store:
    %s = llvm.getelementptr %sums[%warp] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %next, %s : i32, !llvm.ptr<3>
    llvm.br ^meet
  ^meet:
    nvvm.barrier
    llvm.br ^before(%c0, %next : i32, i32)
  ^before(%w: i32, %total: i32):
    %less = llvm.icmp "ult" %w, %warp : i32
    llvm.cond_br %less, ^add, ^write
  ^add:
    %t = llvm.getelementptr %sums[%w] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %y = llvm.load %t : !llvm.ptr<3> -> i32
    %more_total = llvm.add %total, %y : i32
    %w1 = llvm.add %w, %c1 : i32
    llvm.br ^before(%w1, %more_total : i32, i32)
  ^write:
    %q = llvm.getelementptr %dst[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %total, %q : i32, !llvm.ptr<1>
    llvm.return
  }

  // Each block of 128: read from one half of the buffers, write to the other, swap. One barrier a step
  // is enough, as the next step writes what this one has read before the barrier.
  llvm.func @two_buffers(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %buffers = llvm.mlir.addressof @buffers : !llvm.ptr<3>
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mul %bid, %c128 : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    %s = llvm.getelementptr %buffers[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %x, %s : i32, !llvm.ptr<3>
    llvm.br ^step(%c1, %c0, %x : i32, i32, i32)
  ^step(%distance: i32, %from: i32, %sum: i32):
    nvvm.barrier
    %to = llvm.sub %c128, %from : i32
    %far = llvm.icmp "uge" %tid, %distance : i32
    llvm.cond_br %far, ^add, ^put(%sum : i32)
  ^add:
    %before = llvm.sub %tid, %distance : i32
    %at = llvm.add %from, %before : i32
    %t = llvm.getelementptr %buffers[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %y = llvm.load %t : !llvm.ptr<3> -> i32
    %z = llvm.add %sum, %y : i32
    llvm.br ^put(%z : i32)
  ^put(%next: i32):
    %into = llvm.add %to, %tid : i32
    %u = llvm.getelementptr %buffers[%into] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %next, %u : i32, !llvm.ptr<3>
    %double = llvm.shl %distance, %c1 : i32
    %more = llvm.icmp "ult" %double, %c128 : i32
    llvm.cond_br %more, ^step(%double, %to, %next : i32, i32, i32), ^write
  ^write:
    %q = llvm.getelementptr %dst[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %next, %q : i32, !llvm.ptr<1>
    llvm.return
  }
}
