// The other memories: dynamic shared memory, constant memory, an array of each thread's own.
// RUN: %python %S/corpus.py --tile-run tile-run %s

gpu.module @spaces {
  llvm.mlir.global external @dynamic() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>
  llvm.mlir.global internal constant @primes(dense<[2, 3, 5, 7, 11, 13, 17, 19]> : tensor<8xi32>) {addr_space = 4 : i32, alignment = 4 : i64} : !llvm.array<8 x i32>

  // Each block turns its %n elements round, through dynamic shared memory of n * 4 bytes.
  llvm.func @reverse(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %dynamic = llvm.mlir.addressof @dynamic : !llvm.ptr<3>
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mul %bid, %n : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    %s = llvm.getelementptr %dynamic[%tid] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    llvm.store %x, %s : i32, !llvm.ptr<3>
    nvvm.barrier
    %last = llvm.sub %n, %c1 : i32
    %mirror = llvm.sub %last, %tid : i32
    %t = llvm.getelementptr %dynamic[%mirror] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, i32
    %y = llvm.load %t : !llvm.ptr<3> -> i32
    %q = llvm.getelementptr %dst[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %y, %q : i32, !llvm.ptr<1>
    llvm.return
  }

  // dst[i] = primes[src[i]].
  llvm.func @constant(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %primes = llvm.mlir.addressof @primes : !llvm.ptr<4>
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mul %bid, %bdim : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    %c = llvm.getelementptr %primes[%x] : (!llvm.ptr<4>, i32) -> !llvm.ptr<4>, i32
    %y = llvm.load %c : !llvm.ptr<4> -> i32
    %q = llvm.getelementptr %dst[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %y, %q : i32, !llvm.ptr<1>
    llvm.return
  }

  // Each thread puts i, 2 i, ..., 8 i into an array of its own and reads the one that src[i] names.
  llvm.func @local(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c8 = llvm.mlir.constant(8 : i32) : i32
    %array = llvm.alloca %c1 x !llvm.array<8 x i32> {alignment = 16 : i64} : (i32) -> !llvm.ptr
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mul %bid, %bdim : i32
    %i = llvm.add %base, %tid : i32
    llvm.br ^fill(%c0, %i : i32, i32)
  ^fill(%k: i32, %value: i32):
    %a = llvm.getelementptr %array[%k] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    llvm.store %value, %a : i32, !llvm.ptr
    %more_value = llvm.add %value, %i : i32
    %k1 = llvm.add %k, %c1 : i32
    %more = llvm.icmp "ult" %k1, %c8 : i32
    llvm.cond_br %more, ^fill(%k1, %more_value : i32, i32), ^read
  ^read:
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %x = llvm.load %p : !llvm.ptr<1> -> i32
    %b = llvm.getelementptr %array[%x] : (!llvm.ptr, i32) -> !llvm.ptr, i32
    %y = llvm.load %b : !llvm.ptr -> i32
    %q = llvm.getelementptr %dst[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %y, %q : i32, !llvm.ptr<1>
    llvm.return
  }
}
