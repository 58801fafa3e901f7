// Lanes of a warp that go different ways: nested branches, loops of different lengths, early returns, a
// switch. After each they meet again: the ballots see all lanes.
// RUN: %python %S/corpus.py --tile-run tile-run %s

gpu.module @divergence {
  // x % 3 == 0: x / 3 + (x odd ? 100 : 200); else x even: -x; else: x * x. Then the ballot of x odd.
  llvm.func @nested(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %ballots: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %c100 = llvm.mlir.constant(100 : i32) : i32
    %c200 = llvm.mlir.constant(200 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mul %bid, %bdim : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %q = llvm.getelementptr %dst[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    %bit = llvm.and %x, %c1 : i32
    %odd = llvm.icmp "ne" %bit, %c0 : i32
    %rest = llvm.urem %x, %c3 : i32
    %divides = llvm.icmp "eq" %rest, %c0 : i32
    llvm.cond_br %divides, ^third, ^other
  ^third:
    %third = llvm.udiv %x, %c3 : i32
    llvm.cond_br %odd, ^third_odd, ^third_even
  ^third_odd:
    %a = llvm.add %third, %c100 : i32
    llvm.store %a, %q : i32, !llvm.ptr<1>
    llvm.br ^join
  ^third_even:
    %b = llvm.add %third, %c200 : i32
    llvm.store %b, %q : i32, !llvm.ptr<1>
    llvm.br ^join
  ^other:
    llvm.cond_br %odd, ^square, ^negate
  ^square:
    %c = llvm.mul %x, %x : i32
    llvm.store %c, %q : i32, !llvm.ptr<1>
    llvm.br ^join
  ^negate:
    %d = llvm.sub %c0, %x : i32
    llvm.store %d, %q : i32, !llvm.ptr<1>
    llvm.br ^join
  ^join:
    %ballot = nvvm.vote.sync ballot %all, %odd -> i32
    %r = llvm.getelementptr %ballots[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %ballot, %r : i32, !llvm.ptr<1>
    llvm.return
  }

  // How many steps of x -> x even ? x / 2 : 3 x + 1 until 1: each lane another number.
  llvm.func @loops(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c3 = llvm.mlir.constant(3 : i32) : i32
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mul %bid, %bdim : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %start = llvm.load %p : !llvm.ptr<1> -> i32
    llvm.br ^test(%start, %c0 : i32, i32)
  ^test(%x: i32, %steps: i32):
    %done = llvm.icmp "ule" %x, %c1 : i32
    llvm.cond_br %done, ^write, ^step
  ^step:
    %next_steps = llvm.add %steps, %c1 : i32
    %bit = llvm.and %x, %c1 : i32
    %odd = llvm.icmp "ne" %bit, %c0 : i32
    llvm.cond_br %odd, ^up, ^down
  ^up:
    %triple = llvm.mul %x, %c3 : i32
    %more = llvm.add %triple, %c1 : i32
    llvm.br ^test(%more, %next_steps : i32, i32)
  ^down:
    %half = llvm.lshr %x, %c1 : i32
    llvm.br ^test(%half, %next_steps : i32, i32)
  ^write:
    %q = llvm.getelementptr %dst[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %steps, %q : i32, !llvm.ptr<1>
    llvm.return
  }

  // Threads whose value is negative return at once; the others sum their warp's values, by shuffles
  // among those that are left.
  llvm.func @early_return(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c31 = llvm.mlir.constant(31 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mul %bid, %bdim : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %q = llvm.getelementptr %dst[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    %stays = llvm.icmp "sge" %x, %c0 : i32
    %left = nvvm.vote.sync ballot %all, %stays -> i32
    llvm.cond_br %stays, ^sum(%left, %c0 : i32, i32), ^exit
  ^sum(%lanes: i32, %total: i32):
    %source = "llvm.intr.cttz"(%lanes) <{is_zero_poison = false}> : (i32) -> i32
    %y = nvvm.shfl.sync idx %left, %x, %source, %c31 : i32 -> i32
    %next = llvm.add %total, %y : i32
    %less = llvm.sub %lanes, %c1 : i32
    %rest = llvm.and %lanes, %less : i32
    %done = llvm.icmp "eq" %rest, %c0 : i32
    llvm.cond_br %done, ^write, ^sum(%rest, %next : i32, i32)
  ^write:
    llvm.store %next, %q : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }

  // Each lane takes one of five ways, and they come together before the barrier.
  llvm.func @switches(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c7 = llvm.mlir.constant(7 : i32) : i32
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mul %bid, %bdim : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %q = llvm.getelementptr %dst[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    llvm.switch %x : i32, ^other [
      0: ^shift,
      1: ^multiply,
      2: ^index,
      -5: ^negative
    ]
  ^shift:
    %a = llvm.shl %tid, %c7 : i32
    llvm.br ^join(%a : i32)
  ^multiply:
    %b = llvm.mul %tid, %c7 : i32
    llvm.br ^join(%b : i32)
  ^index:
    llvm.br ^join(%i : i32)
  ^negative:
    %c = llvm.sub %x, %tid : i32
    llvm.br ^join(%c : i32)
  ^other:
    llvm.br ^join(%c1 : i32)
  ^join(%y: i32):
    nvvm.barrier
    llvm.store %y, %q : i32, !llvm.ptr<1>
    llvm.return
  }
}
