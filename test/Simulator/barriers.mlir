// Barriers of parts of a block. Warps 0 and 1 produce rounds of 64 values in shared memory, warps 2 and 3
// consume them: barrier 1 says that a round is full, barrier 2 that it is empty again. And: each pair
// of warps has a barrier of its own; each warp orders its lanes by a warp barrier alone.
// RUN: %python %S/corpus.py --tile-run tile-run %s

gpu.module @barriers {
  llvm.mlir.global internal @round() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<64 x i32>
  llvm.mlir.global internal @values() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<128 x i32>

  // dst = src, turned round within each 64, by one block of 128 threads.
  llvm.func @producer_consumer(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %rounds: i32) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c63 = llvm.mlir.constant(63 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %threads = llvm.mlir.constant(128 : i32) : i32
    %full = llvm.mlir.constant(1 : i32) : i32
    %empty = llvm.mlir.constant(2 : i32) : i32
    %round = llvm.mlir.addressof @round : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %place = llvm.and %tid, %c63 : i32
    %produces = llvm.icmp "ult" %tid, %c64 : i32
    llvm.cond_br %produces, ^produce(%c0 : i32), ^start
  ^produce(%r: i32):
    %i0 = llvm.mul %r, %c64 : i32
    %i = llvm.add %i0, %place : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    nvvm.barrier id = %empty number_of_threads = %threads
    %s = llvm.getelementptr %round[%place] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %x, %s : i32, !llvm.ptr<3>
    nvvm.barrier.arrive id = %full number_of_threads = %threads
    %r1 = llvm.add %r, %c1 : i32
    %more = llvm.icmp "slt" %r1, %rounds : i32
    llvm.cond_br %more, ^produce(%r1 : i32), ^exit
  ^start:
    %mirror = llvm.sub %c63, %place : i32
    llvm.br ^consume(%c0 : i32)
  ^consume(%t: i32):
    nvvm.barrier.arrive id = %empty number_of_threads = %threads
    nvvm.barrier id = %full number_of_threads = %threads
    %u = llvm.getelementptr %round[%mirror] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %y = llvm.load %u : !llvm.ptr<3> -> i32
    %j0 = llvm.mul %t, %c64 : i32
    %j = llvm.add %j0, %place : i32
    %q = llvm.getelementptr %dst[%j] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %y, %q : i32, !llvm.ptr<1>
    %t1 = llvm.add %t, %c1 : i32
    %again = llvm.icmp "slt" %t1, %rounds : i32
    llvm.cond_br %again, ^consume(%t1 : i32), ^exit
  ^exit:
    llvm.return
  }

  // Warps 0 and 1 meet at barrier 1, warps 2 and 3 at barrier 2; dst = src, turned round within 64.
  llvm.func @pairs(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c6 = llvm.mlir.constant(6 : i32) : i32
    %c63 = llvm.mlir.constant(63 : i32) : i32
    %c64 = llvm.mlir.constant(64 : i32) : i32
    %values = llvm.mlir.addressof @values : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %src[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    %s = llvm.getelementptr %values[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %x, %s : i32, !llvm.ptr<3>
    %pair = llvm.lshr %tid, %c6 : i32
    %id = llvm.add %pair, %c1 : i32
    nvvm.barrier id = %id number_of_threads = %c64
    %mirror = llvm.xor %tid, %c63 : i32
    %t = llvm.getelementptr %values[%mirror] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %y = llvm.load %t : !llvm.ptr<3> -> i32
    %q = llvm.getelementptr %dst[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %y, %q : i32, !llvm.ptr<1>
    llvm.return
  }

  // Each warp turns its 32 elements round, twice through the same words: a warp barrier after each
  // write, and one between reading and writing again.
  llvm.func @warp_barrier(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c31 = llvm.mlir.constant(31 : i32) : i32
    %all = llvm.mlir.constant(-1 : i32) : i32
    %values = llvm.mlir.addressof @values : !llvm.ptr<3>
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %p = llvm.getelementptr %src[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    %s = llvm.getelementptr %values[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %x, %s : i32, !llvm.ptr<3>
    nvvm.bar.warp.sync %all : i32
    %mirror = llvm.xor %tid, %c31 : i32
    %t = llvm.getelementptr %values[%mirror] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %y = llvm.load %t : !llvm.ptr<3> -> i32
    nvvm.bar.warp.sync %all : i32  // read before written
    %twice = llvm.add %y, %y : i32
    llvm.store %twice, %s : i32, !llvm.ptr<3>
    nvvm.bar.warp.sync %all : i32  // the last
    %z = llvm.load %t : !llvm.ptr<3> -> i32
    %q = llvm.getelementptr %dst[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %z, %q : i32, !llvm.ptr<1>
    llvm.return
  }
}
