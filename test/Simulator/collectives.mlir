// What the lanes of a warp say to each other: votes, ballots, matches, shuffles in parts of a warp.
// RUN: %python %S/corpus.py --tile-run tile-run %s

gpu.module @collectives {
  // Keeps the positive elements: each warp writes its own, dense, at its place of dst; their number to
  // counts.
  llvm.func @compact(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %counts: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c5 = llvm.mlir.constant(5 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %before = nvvm.read.ptx.sreg.lanemask.lt : i32
    %base = llvm.mul %bid, %bdim : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    %keep = llvm.icmp "sgt" %x, %c0 : i32
    %ballot = nvvm.vote.sync ballot %all, %keep -> i32
    llvm.cond_br %keep, ^put, ^count
  ^put:
    %lower = llvm.and %ballot, %before : i32
    %rank = llvm.intr.ctpop(%lower) : (i32) -> i32
    %start = llvm.sub %i, %lane : i32
    %j = llvm.add %start, %rank : i32
    %q = llvm.getelementptr %dst[%j] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %q : i32, !llvm.ptr<1>
    llvm.br ^count
  ^count:
    %leads = llvm.icmp "eq" %lane, %c0 : i32
    llvm.cond_br %leads, ^store, ^exit
  ^store:
    %kept = llvm.intr.ctpop(%ballot) : (i32) -> i32
    %w = llvm.lshr %i, %c5 : i32
    %r = llvm.getelementptr %counts[%w] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %kept, %r : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }

  // dst[i][0..3] = the lanes with the same value; all lanes if all have the same, else 0; whether all
  // are positive; whether any is.
  llvm.func @votes(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mul %bid, %bdim : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    %same = nvvm.match.sync any %all, %x : i32 -> i32
    %pair = nvvm.match.sync all %all, %x : i32 -> !llvm.struct<(i32, i1)>
    %one = llvm.extractvalue %pair[0] : !llvm.struct<(i32, i1)>
    %isOne = llvm.extractvalue %pair[1] : !llvm.struct<(i32, i1)>
    %lanes = llvm.select %isOne, %one, %c0 : i1, i32
    %positive = llvm.icmp "sgt" %x, %c0 : i32
    %every = nvvm.vote.sync all %all, %positive -> i1
    %some = nvvm.vote.sync any %all, %positive -> i1
    %every32 = llvm.zext %every : i1 to i32
    %some32 = llvm.zext %some : i1 to i32
    %v0 = llvm.mlir.undef : vector<4xi32>
    %k0 = llvm.mlir.constant(0 : i32) : i32
    %k1 = llvm.mlir.constant(1 : i32) : i32
    %k2 = llvm.mlir.constant(2 : i32) : i32
    %k3 = llvm.mlir.constant(3 : i32) : i32
    %v1 = llvm.insertelement %same, %v0[%k0 : i32] : vector<4xi32>
    %v2 = llvm.insertelement %lanes, %v1[%k1 : i32] : vector<4xi32>
    %v3 = llvm.insertelement %every32, %v2[%k2 : i32] : vector<4xi32>
    %v4 = llvm.insertelement %some32, %v3[%k3 : i32] : vector<4xi32>
    %q = llvm.getelementptr %dst[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xi32>
    llvm.store %v4, %q {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
    llvm.return
  }

  // In parts of 8 lanes (clamp 0x1818 | the bound): the value of lane 2 of the part, of the next lane
  // (the own at the end), of the lane before (the own at the start), of the mirrored lane.
  llvm.func @parts(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %k0 = llvm.mlir.constant(0 : i32) : i32
    %k1 = llvm.mlir.constant(1 : i32) : i32
    %k2 = llvm.mlir.constant(2 : i32) : i32
    %k3 = llvm.mlir.constant(3 : i32) : i32
    %k7 = llvm.mlir.constant(7 : i32) : i32
    %high = llvm.mlir.constant(0x181f : i32) : i32
    %low = llvm.mlir.constant(0x1800 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %src[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    %a = nvvm.shfl.sync idx %all, %x, %k2, %high : i32 -> i32
    %b = nvvm.shfl.sync down %all, %x, %k1, %high : i32 -> i32
    %c = nvvm.shfl.sync up %all, %x, %k1, %low : i32 -> i32
    %d = nvvm.shfl.sync bfly %all, %x, %k7, %high : i32 -> i32
    %v0 = llvm.mlir.undef : vector<4xi32>
    %v1 = llvm.insertelement %a, %v0[%k0 : i32] : vector<4xi32>
    %v2 = llvm.insertelement %b, %v1[%k1 : i32] : vector<4xi32>
    %v3 = llvm.insertelement %c, %v2[%k2 : i32] : vector<4xi32>
    %v4 = llvm.insertelement %d, %v3[%k3 : i32] : vector<4xi32>
    %q = llvm.getelementptr %dst[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xi32>
    llvm.store %v4, %q {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<1>
    llvm.return
  }
}
