// What orders accesses and what does not: volatile, fences around an atomic counter, barriers that threads
// return before, and copies to two buffers. The kernels are right; mutants.py removes what orders them.
// RUN: %python %S/corpus.py --tile-run tile-run %s

gpu.module @orders {
  llvm.mlir.global internal @sums() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x i32>
  llvm.mlir.global internal @row() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<128 x i32>
  llvm.mlir.global internal @flag() {addr_space = 3 : i32, alignment = 4 : i64} : i32
  llvm.mlir.global internal @places() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<256 x i32>

  // dst[b] = the sum of 64 elements, by volatile accesses of shared memory: warp 1 leaves its half to warp 0,
  // whose lanes then take half as many steps as before, each between warp barriers.
  llvm.func @volatile_sum(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %sums = llvm.mlir.addressof @sums : !llvm.ptr<3>
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mul %bid, %c64 : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    %mine = llvm.getelementptr %sums[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store volatile %x, %mine : i32, !llvm.ptr<3>
    nvvm.barrier
    %adds = llvm.icmp "ult" %tid, %c32 : i32
    llvm.cond_br %adds, ^step(%c32, %x : i32, i32), ^exit
  ^step(%far: i32, %sum: i32):
    %other = llvm.getelementptr %mine[%far] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %y = llvm.load volatile %other : !llvm.ptr<3> -> i32
    %more = llvm.add %sum, %y : i32
    nvvm.bar.warp.sync %all : i32  // read before written
    llvm.store volatile %more, %mine : i32, !llvm.ptr<3>
    nvvm.bar.warp.sync %all : i32  // written before read
    %half = llvm.lshr %far, %c1 : i32
    %goes = llvm.icmp "ugt" %half, %c0 : i32
    llvm.cond_br %goes, ^step(%half, %more : i32, i32), ^last
  ^last:
    %first = llvm.icmp "eq" %tid, %c0 : i32
    llvm.cond_br %first, ^write, ^exit
  ^write:
    %q = llvm.getelementptr %dst[%bid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %more, %q : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }

  // Warp 0 sends 32 values to warp 1 and raises a volatile flag, between fences; warp 1 writes them turned
  // round. A loop that waits for a volatile value is right.
  llvm.func @volatile_flag(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c31 = llvm.mlir.constant(31 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %row = llvm.mlir.addressof @row : !llvm.ptr<3>
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
    %s = llvm.getelementptr %row[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %x, %s : i32, !llvm.ptr<3>
    nvvm.bar.warp.sync %all : i32
    llvm.cond_br %first, ^raise, ^exit
  ^raise:
    nvvm.memory.barrier <cta>
    llvm.store volatile %c1, %flag : i32, !llvm.ptr<3>
    llvm.br ^exit
  ^wait:
    %seen = llvm.load volatile %flag : !llvm.ptr<3> -> i32
    %raised = llvm.icmp "eq" %seen, %c1 : i32
    llvm.cond_br %raised, ^receive, ^wait
  ^receive:
    nvvm.memory.barrier <cta>  // behind the flag
    %mirror = llvm.sub %c31, %lane : i32
    %t = llvm.getelementptr %row[%mirror] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %y = llvm.load %t : !llvm.ptr<3> -> i32
    %q = llvm.getelementptr %dst[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %y, %q : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }

  // Threads from n on return before the barrier, as they may; the others swap with their neighbours.
  llvm.func @early(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %row = llvm.mlir.addressof @row : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %inside = llvm.icmp "slt" %tid, %n : i32
    llvm.cond_br %inside, ^swap, ^exit
  ^swap:
    %p = llvm.getelementptr %src[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    %s = llvm.getelementptr %row[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %x, %s : i32, !llvm.ptr<3>
    nvvm.barrier
    %neighbour = llvm.xor %tid, %c1 : i32
    %t = llvm.getelementptr %row[%neighbour] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %y = llvm.load %t : !llvm.ptr<3> -> i32
    %q = llvm.getelementptr %dst[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %y, %q : i32, !llvm.ptr<1>
    llvm.br ^exit
  ^exit:
    llvm.return
  }

  // Threads below n double their element, all threads meet, then all write.
  llvm.func @meet(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %src[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %q = llvm.getelementptr %dst[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %inside = llvm.icmp "slt" %tid, %n : i32
    %x = llvm.load volatile %p : !llvm.ptr<1> -> i32
    llvm.cond_br %inside, ^double, ^meet(%x : i32)
  ^double:
    %twice = llvm.add %x, %x : i32
    llvm.store volatile %twice, %q : i32, !llvm.ptr<1>
    llvm.br ^meet(%twice : i32)
  ^meet(%y: i32):
    nvvm.barrier
    llvm.store volatile %y, %q : i32, !llvm.ptr<1>
    llvm.return
  }

  // Two copies of each thread, each to a place of its own; what has arrived is read at once.
  llvm.func @copies(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %places = llvm.mlir.addressof @places : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %far = llvm.add %tid, %c128 : i32
    %p = llvm.getelementptr %src[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %q = llvm.getelementptr %src[%far] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %s = llvm.getelementptr %places[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %t = llvm.getelementptr %places[%far] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    nvvm.cp.async.shared.global %s, %p, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.commit.group
    nvvm.cp.async.shared.global %t, %q, 4, cache = ca : !llvm.ptr<3>, !llvm.ptr<1>
    nvvm.cp.async.commit.group
    nvvm.cp.async.wait.group 1
    %x = llvm.load %s : !llvm.ptr<3> -> i32
    nvvm.cp.async.wait.group 0
    %y = llvm.load %t : !llvm.ptr<3> -> i32
    %z = llvm.sub %x, %y : i32
    %d = llvm.getelementptr %dst[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %z, %d : i32, !llvm.ptr<1>
    llvm.return
  }
}
