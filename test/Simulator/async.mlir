// Asynchronous copies from global to shared memory (sm_80): a pipeline of three stages with one barrier
// a round, and copies whose end is filled with zeros.
// RUN: %python %S/corpus.py --tile-run tile-run %s

gpu.module @async {
  llvm.mlir.global internal @stages() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<384 x f32>
  llvm.mlir.global internal @chunk() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<256 x f32>

  // Each block turns %rounds chunks of 128 elements round. Two chunks are on their way while one is
  // read; the stage that is filled in a round is the one that was read in the round before.
  llvm.func @pipeline(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %rounds: i32) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c127 = llvm.mlir.constant(127 : i32) : i32
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %c384 = llvm.mlir.constant(384 : i32) : i32
    %stages = llvm.mlir.addressof @stages : !llvm.ptr<3>
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %chunks = llvm.mul %bid, %rounds : i32
    %base = llvm.mul %chunks, %c128 : i32
    %mirror = llvm.sub %c127, %tid : i32
    llvm.br ^prologue(%c0 : i32)
  ^prologue(%k: i32):
    %k0 = llvm.mul %k, %c128 : i32
    %k1 = llvm.add %k0, %tid : i32
    %ki = llvm.add %base, %k1 : i32
    %kp = llvm.getelementptr %src[%ki] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %ks = llvm.getelementptr %stages[%k1] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    nvvm.cp.async.shared.global %ks, %kp, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.commit.group
    %k2 = llvm.add %k, %c1 : i32
    %early = llvm.icmp "slt" %k2, %c2 : i32
    llvm.cond_br %early, ^prologue(%k2 : i32), ^round(%c0, %c0 : i32, i32)
  ^round(%r: i32, %stage: i32):  // %stage: the first element of the stage of round %r
    nvvm.cp.async.wait.group 1
    nvvm.barrier
    %at = llvm.add %stage, %mirror : i32
    %t = llvm.getelementptr %stages[%at] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %y = llvm.load %t : !llvm.ptr<3> -> f32
    %r0 = llvm.mul %r, %c128 : i32
    %j0 = llvm.add %base, %r0 : i32
    %j = llvm.add %j0, %tid : i32
    %q = llvm.getelementptr %dst[%j] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %y, %q : f32, !llvm.ptr<1>
    %ahead = llvm.add %r, %c2 : i32
    %copies = llvm.icmp "slt" %ahead, %rounds : i32
    llvm.cond_br %copies, ^copy, ^next
  ^copy:
    %isFirst = llvm.icmp "eq" %stage, %c0 : i32
    %back = llvm.sub %stage, %c128 : i32
    %third = llvm.add %c128, %c128 : i32
    %free = llvm.select %isFirst, %third, %back : i1, i32
    %into = llvm.add %free, %tid : i32
    %s = llvm.getelementptr %stages[%into] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %p0 = llvm.mul %ahead, %c128 : i32
    %p1 = llvm.add %p0, %base : i32
    %pi = llvm.add %p1, %tid : i32
    %p = llvm.getelementptr %src[%pi] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    nvvm.cp.async.shared.global %s, %p, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
    llvm.br ^next
  ^next:
    nvvm.cp.async.commit.group
    %up = llvm.add %stage, %c128 : i32
    %wraps = llvm.icmp "eq" %up, %c384 : i32
    %stage1 = llvm.select %wraps, %c0, %up : i1, i32
    %r1 = llvm.add %r, %c1 : i32
    %more = llvm.icmp "slt" %r1, %rounds : i32
    llvm.cond_br %more, ^round(%r1, %stage1 : i32, i32), ^exit
  ^exit:
    llvm.return
  }

  // One block of 64 threads: the %n <= 256 elements of src, turned round among 256 with zeros.
  llvm.func @zero_fill(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c4 = llvm.mlir.constant(4 : i32) : i32
    %c16 = llvm.mlir.constant(16 : i32) : i32
    %c63 = llvm.mlir.constant(63 : i32) : i32
    %chunk = llvm.mlir.addressof @chunk : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %i = llvm.mul %tid, %c4 : i32
    %left = llvm.sub %n, %i : i32
    %left_bytes = llvm.mul %left, %c4 : i32
    %some = llvm.intr.smax(%left_bytes, %c0) : (i32, i32) -> i32
    %bytes = llvm.intr.smin(%some, %c16) : (i32, i32) -> i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %s = llvm.getelementptr %chunk[%i] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    nvvm.cp.async.shared.global %s, %p, 16, cache = cg, %bytes : !llvm.ptr<3>, !llvm.ptr<1>, i32
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 0
    nvvm.barrier
    %mirror = llvm.sub %c63, %tid : i32
    %j = llvm.mul %mirror, %c4 : i32
    %t = llvm.getelementptr %chunk[%j] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %y = llvm.load %t {alignment = 16 : i64} : !llvm.ptr<3> -> vector<4xf32>
    %z = llvm.shufflevector %y, %y [3, 2, 1, 0] : vector<4xf32>
    %q = llvm.getelementptr %dst[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %z, %q {alignment = 16 : i64} : vector<4xf32>, !llvm.ptr<1>
    llvm.return
  }
}
