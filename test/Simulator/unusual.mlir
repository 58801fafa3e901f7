// Correct, if unusual: threads that return before a barrier, leaders among the lanes that came by, votes
// of a block, two warps that take turns, calls, elements of 8 and 64 bits.
// RUN: %python %S/corpus.py --tile-run tile-run %s

gpu.module @unusual {
  llvm.mlir.global internal @values() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<96 x i32>
  llvm.mlir.global internal @ball() {addr_space = 3 : i32, alignment = 4 : i64} : i32
  llvm.mlir.global internal @turn() {addr_space = 3 : i32, alignment = 4 : i64} : i32

  // The first %n threads turn their elements round; the others, in the midst of a warp, return.
  llvm.func @early_return(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %values = llvm.mlir.addressof @values : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %stays = llvm.icmp "slt" %tid, %n : i32
    llvm.cond_br %stays, ^work, ^exit
  ^work:
    %p = llvm.getelementptr %src[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    %s = llvm.getelementptr %values[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %x, %s : i32, !llvm.ptr<3>
    nvvm.barrier
    %last = llvm.sub %n, %c1 : i32
    %mirror = llvm.sub %last, %tid : i32
    %t = llvm.getelementptr %values[%mirror] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %y = llvm.load %t : !llvm.ptr<3> -> i32
    %q = llvm.getelementptr %dst[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %y, %q : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }

  // One warp keeps its positive elements: the first of the lanes that came by takes places for all.
  llvm.func @leader(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %counter: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c31 = llvm.mlir.constant(31 : i32) : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %before = nvvm.read.ptx.sreg.lanemask.lt : i32
    %p = llvm.getelementptr %src[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    %keep = llvm.icmp "sgt" %x, %c0 : i32
    llvm.cond_br %keep, ^came, ^exit
  ^came:
    %mask = llvm.call_intrinsic "llvm.nvvm.activemask"() : () -> i32
    %first = "llvm.intr.cttz"(%mask) <{is_zero_poison = false}> : (i32) -> i32
    %leads = llvm.icmp "eq" %lane, %first : i32
    llvm.cond_br %leads, ^take, ^share(%c0 : i32)
  ^take:
    %number = llvm.intr.ctpop(%mask) : (i32) -> i32
    %start = llvm.atomicrmw add %counter, %number monotonic : !llvm.ptr<1>, i32
    llvm.br ^share(%start : i32)
  ^share(%mine: i32):
    %base = nvvm.shfl.sync idx %mask, %mine, %first, %c31 : i32 -> i32
    %lower = llvm.and %mask, %before : i32
    %rank = llvm.intr.ctpop(%lower) : (i32) -> i32
    %place = llvm.add %base, %rank : i32
    %q = llvm.getelementptr %dst[%place] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %x, %q : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }

  // dst[block] = how many elements are positive, whether all are, whether one is: barriers that reduce.
  llvm.func @block_votes(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mul %bid, %bdim : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    %positive = llvm.icmp "sgt" %x, %c0 : i32
    %bit = llvm.zext %positive : i1 to i32
    %number = nvvm.barrier #nvvm.reduction<popc> %bit -> i32
    %all = nvvm.barrier #nvvm.reduction<and> %bit -> i32
    %some = nvvm.barrier #nvvm.reduction<or> %bit -> i32
    %first = llvm.icmp "eq" %tid, %c0 : i32
    llvm.cond_br %first, ^store, ^exit
  ^store:
    %row = llvm.mul %bid, %c3 : i32
    %q = llvm.getelementptr %dst[%row] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %q1 = llvm.getelementptr %q[1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %q2 = llvm.getelementptr %q[2] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %number, %q : i32, !llvm.ptr<1>
    llvm.store %all, %q1 : i32, !llvm.ptr<1>
    llvm.store %some, %q2 : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }

  // Warp w takes the turns t with t % 2 == w: the ball becomes 3 ball + t, not as an atomic, as the turn
  // is given on with release and taken with acquire. dst[0] = the ball after %turns.
  llvm.func @ping_pong(%dst: !llvm.ptr<1>, %turns: i32) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %c5 = llvm.mlir.constant(5 : i32) : i32
    %ball = llvm.mlir.addressof @ball : !llvm.ptr<3>
    %turn = llvm.mlir.addressof @turn : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %warp = llvm.lshr %tid, %c5 : i32
    %first = llvm.icmp "eq" %tid, %c0 : i32
    llvm.cond_br %first, ^clear, ^meet
  ^clear:
    llvm.store %c1, %ball : i32, !llvm.ptr<3>
    llvm.store %c0, %turn : i32, !llvm.ptr<3>
    llvm.br ^meet
  ^meet:
    nvvm.barrier
    %plays = llvm.icmp "eq" %lane, %c0 : i32
    llvm.cond_br %plays, ^game(%warp : i32), ^end
  ^game(%t: i32):
    %on = llvm.icmp "slt" %t, %turns : i32
    llvm.cond_br %on, ^wait, ^end
  ^wait:
    %now = llvm.load %turn atomic syncscope("block") acquire {alignment = 4 : i64} : !llvm.ptr<3> -> i32
    %mine = llvm.icmp "eq" %now, %t : i32
    llvm.cond_br %mine, ^play, ^wait
  ^play:
    %x = llvm.load %ball : !llvm.ptr<3> -> i32
    %y = llvm.mul %x, %c3 : i32
    %z = llvm.add %y, %t : i32
    llvm.store %z, %ball : i32, !llvm.ptr<3>
    %given = llvm.add %t, %c1 : i32
    llvm.store %given, %turn atomic syncscope("block") release {alignment = 4 : i64} : i32, !llvm.ptr<3>
    %t2 = llvm.add %t, %c2 : i32
    llvm.br ^game(%t2 : i32)
  ^end:
    nvvm.barrier
    llvm.cond_br %first, ^store, ^exit
  ^store:
    %score = llvm.load %ball : !llvm.ptr<3> -> i32
    llvm.store %score, %dst : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }

  llvm.func @digits(%x: i64) -> i64 attributes {no_inline} {
    %c0 = llvm.mlir.constant(0 : i64) : i64
    %c10 = llvm.mlir.constant(10 : i64) : i64
    llvm.br ^loop(%x, %c0 : i64, i64)
  ^loop(%rest: i64, %sum: i64):
    %digit = llvm.urem %rest, %c10 : i64
    %next = llvm.udiv %rest, %c10 : i64
    %more = llvm.add %sum, %digit : i64
    %done = llvm.icmp "eq" %next, %c0 : i64
    llvm.cond_br %done, ^exit, ^loop(%next, %more : i64, i64)
  ^exit:
    llvm.return %more : i64
  }

  // dst = the sum of the decimal digits of src, by a function that is not inlined.
  llvm.func @calls(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %src[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i64
    %q = llvm.getelementptr %dst[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i64
    %x = llvm.load %p : !llvm.ptr<1> -> i64
    %y = llvm.call @digits(%x) : (i64) -> i64
    llvm.store %y, %q : i64, !llvm.ptr<1>
    llvm.return
  }

  // A pixel of four bytes at once: each becomes (3 x + 128) / 4 below 255, in 16 bits.
  llvm.func @bytes(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %three = llvm.mlir.constant(dense<3> : vector<4xi16>) : vector<4xi16>
    %half = llvm.mlir.constant(dense<128> : vector<4xi16>) : vector<4xi16>
    %two = llvm.mlir.constant(dense<2> : vector<4xi16>) : vector<4xi16>
    %most = llvm.mlir.constant(dense<200> : vector<4xi16>) : vector<4xi16>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %src[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xi8>
    %q = llvm.getelementptr %dst[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xi8>
    %x = llvm.load %p {alignment = 4 : i64} : !llvm.ptr<1> -> vector<4xi8>
    %wide = llvm.zext %x : vector<4xi8> to vector<4xi16>
    %triple = llvm.mul %wide, %three : vector<4xi16>
    %sum = llvm.add %triple, %half : vector<4xi16>
    %quarter = llvm.lshr %sum, %two : vector<4xi16>
    %least = llvm.intr.umin(%quarter, %most) : (vector<4xi16>, vector<4xi16>) -> vector<4xi16>
    %y = llvm.trunc %least : vector<4xi16> to vector<4xi8>
    llvm.store %y, %q {alignment = 4 : i64} : vector<4xi8>, !llvm.ptr<1>
    llvm.return
  }

  // A step of Newton's method for 1 / sqrt(x) in f64.
  llvm.func @doubles(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %half = llvm.mlir.constant(0.5 : f64) : f64
    %one_and_half = llvm.mlir.constant(1.5 : f64) : f64
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %src[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f64
    %q = llvm.getelementptr %dst[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f64
    %x = llvm.load %p : !llvm.ptr<1> -> f64
    %guess = llvm.load %q : !llvm.ptr<1> -> f64
    %a = llvm.fmul %x, %half : f64
    %b = llvm.fmul %a, %guess : f64
    %c = llvm.fmul %b, %guess : f64
    %d = llvm.fsub %one_and_half, %c : f64
    %y = llvm.fmul %guess, %d : f64
    llvm.store %y, %q : f64, !llvm.ptr<1>
    llvm.return
  }
}
