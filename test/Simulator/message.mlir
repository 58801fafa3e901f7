// Messages through memory: data, then a flag with release; a loop reads the flag with acquire, then the
// data. Between warps in shared memory, between blocks in global memory; and a sum by the block that
// arrives last, with fences.
// RUN: %python %S/corpus.py --tile-run tile-run %s

gpu.module @messages {
  llvm.mlir.global internal @data() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<32 x i32>
  llvm.mlir.global internal @flag() {addr_space = 3 : i32, alignment = 4 : i64} : i32
  llvm.mlir.global internal @last() {addr_space = 3 : i32, alignment = 4 : i64} : i32

  // Warp 0 sends 32 values to warp 1, which writes them turned round.
  llvm.func @warps(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c31 = llvm.mlir.constant(31 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %data = llvm.mlir.addressof @data : !llvm.ptr<3>
    %flag = llvm.mlir.addressof @flag : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %first = llvm.icmp "eq" %tid, %c0 : i32
    llvm.cond_br %first, ^clear, ^start
  ^clear:
    llvm.store %c0, %flag : i32, !llvm.ptr<3>
    llvm.br ^start
  ^start:
    nvvm.barrier
    %sends = llvm.icmp "ult" %tid, %c32 : i32
    llvm.cond_br %sends, ^send, ^wait
  ^send:
    %p = llvm.getelementptr %src[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    %s = llvm.getelementptr %data[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %x, %s : i32, !llvm.ptr<3>
    nvvm.bar.warp.sync %all : i32
    llvm.cond_br %first, ^raise, ^exit
  ^raise:
    llvm.store %c1, %flag atomic syncscope("block") release {alignment = 4 : i64} : i32, !llvm.ptr<3>
    llvm.br ^exit
  ^wait:
    %seen = llvm.load %flag atomic syncscope("block") acquire {alignment = 4 : i64} : !llvm.ptr<3> -> i32
    %raised = llvm.icmp "eq" %seen, %c1 : i32
    llvm.cond_br %raised, ^receive, ^wait
  ^receive:
    %mirror = llvm.sub %c31, %lane : i32
    %t = llvm.getelementptr %data[%mirror] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %y = llvm.load %t : !llvm.ptr<3> -> i32
    %q = llvm.getelementptr %dst[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %y, %q : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }

  // Block b > 0 waits for flags[b - 1], adds 1 to what the block before wrote to dst and raises its own
  // flag: dst[b][i] = src[i] + b. Blocks of 64 threads.
  llvm.func @blocks(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %flags: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mul %bid, %c64 : i32
    %i = llvm.add %base, %tid : i32
    %q = llvm.getelementptr %dst[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %mine = llvm.getelementptr %flags[%bid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %starts = llvm.icmp "eq" %bid, %c0 : i32
    llvm.cond_br %starts, ^begin, ^follow
  ^begin:
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    llvm.br ^write(%x : i32)
  ^follow:
    %before = llvm.getelementptr %mine[-1] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.br ^wait
  ^wait:
    %seen = llvm.load %before atomic syncscope("device") acquire {alignment = 4 : i64} : !llvm.ptr<1> -> i32
    %raised = llvm.icmp "eq" %seen, %c1 : i32
    llvm.cond_br %raised, ^receive, ^wait
  ^receive:
    %r = llvm.getelementptr %q[-64] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %y = llvm.load %r : !llvm.ptr<1> -> i32
    %y1 = llvm.add %y, %c1 : i32
    llvm.br ^write(%y1 : i32)
  ^write(%z: i32):
    llvm.store %z, %q : i32, !llvm.ptr<1>
    nvvm.barrier
    %first = llvm.icmp "eq" %tid, %c0 : i32
    llvm.cond_br %first, ^raise, ^exit
  ^raise:
    llvm.store %c1, %mine atomic syncscope("device") release {alignment = 4 : i64} : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }

  // dst[0] = the sum of src: thread 0 of each block leaves the block's sum, a fence, and counts up; the
  // block that was last adds the sums.
  llvm.func @last_block(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %sums: !llvm.ptr<1>, %arrived: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %blocks = nvvm.read.ptx.sreg.nctaid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %last = llvm.mlir.addressof @last : !llvm.ptr<3>
    %leads = llvm.icmp "eq" %tid, %c0 : i32
    llvm.cond_br %leads, ^add, ^meet
  ^add:
    %first = llvm.mul %bid, %c32 : i32
    %end = llvm.add %first, %c32 : i32
    llvm.br ^element(%first, %c0 : i32, i32)
  ^element(%i: i32, %sum: i32):
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    %next = llvm.add %sum, %x : i32
    %i1 = llvm.add %i, %c1 : i32
    %more = llvm.icmp "ult" %i1, %end : i32
    llvm.cond_br %more, ^element(%i1, %next : i32, i32), ^leave
  ^leave:
    %s = llvm.getelementptr %sums[%bid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %next, %s : i32, !llvm.ptr<1>
    nvvm.memory.barrier <gpu>
    %before = llvm.atomicrmw add %arrived, %c1 syncscope("device") monotonic : !llvm.ptr<1>, i32
    %all_but_one = llvm.sub %blocks, %c1 : i32
    %is_last = llvm.icmp "eq" %before, %all_but_one : i32
    %is_last32 = llvm.zext %is_last : i1 to i32
    llvm.store %is_last32, %last : i32, !llvm.ptr<3>
    llvm.br ^meet
  ^meet:
    nvvm.barrier
    %go = llvm.load %last : !llvm.ptr<3> -> i32
    %goes = llvm.icmp "ne" %go, %c0 : i32
    %both = llvm.and %goes, %leads : i1
    llvm.cond_br %both, ^collect, ^exit
  ^collect:
    nvvm.memory.barrier <gpu>
    llvm.br ^block(%c0, %c0 : i32, i32)
  ^block(%b: i32, %total: i32):
    %t = llvm.getelementptr %sums[%b] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %y = llvm.load %t : !llvm.ptr<1> -> i32
    %total1 = llvm.add %total, %y : i32
    %b1 = llvm.add %b, %c1 : i32
    %again = llvm.icmp "ult" %b1, %blocks : i32
    llvm.cond_br %again, ^block(%b1, %total1 : i32, i32), ^write
  ^write:
    llvm.store %total1, %dst : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }
}
