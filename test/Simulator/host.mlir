// A host program: it allocates device memory, copies to and from it, and launches two kernels, one after
// the other, with bare pointers and dynamic shared memory.
// RUN: %python -c "import numpy as np; np.save(r'%t.x.npy', np.arange(600, dtype=np.int32).reshape(3, 200))"
// RUN: tile-run %s --backend=sim --entry=main --chip=sm_70 --inputs=%t.x.npy,zeros:3x200xi32 \
// RUN:   --outputs=%t.x2.npy,%t.y.npy --report=%t.json
// RUN: %python -c "import numpy as np; x, y = np.load(r'%t.x.npy'), np.load(r'%t.y.npy'); assert np.array_equal(y, 3 * x[:, ::-1]), y"
// RUN: %python -c "import json; l = json.load(open(r'%t.json'))['launches']; assert [x['kernel'] for x in l] == ['reverse', 'triple'], l"

module attributes {gpu.container_module} {
  gpu.module @kernels {
    llvm.mlir.global external @dynamic() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<0 x i8>

    // Each block turns its row round.
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

    llvm.func @triple(%dst: !llvm.ptr<1>, %factor: i32) attributes {gpu.kernel, nvvm.kernel} {
      %bid = nvvm.read.ptx.sreg.ctaid.x : i32
      %bdim = nvvm.read.ptx.sreg.ntid.x : i32
      %tid = nvvm.read.ptx.sreg.tid.x : i32
      %base = llvm.mul %bid, %bdim : i32
      %i = llvm.add %base, %tid : i32
      %p = llvm.getelementptr %dst[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
      %x = llvm.load %p : !llvm.ptr<1> -> i32
      %y = llvm.mul %x, %factor : i32
      llvm.store %y, %p : i32, !llvm.ptr<1>
      llvm.return
    }
  }

  func.func @main(%x: memref<3x200xi32>, %y: memref<3x200xi32>) {
    %c1 = arith.constant 1 : index
    %c3 = arith.constant 3 : index
    %c200 = arith.constant 200 : index
    %bytes = arith.constant 800 : i32
    %n = arith.constant 200 : i32
    %factor = arith.constant 3 : i32
    %src = gpu.alloc () : memref<3x200xi32>
    %dst = gpu.alloc () : memref<3x200xi32>
    gpu.memcpy %src, %x : memref<3x200xi32>, memref<3x200xi32>
    %i = memref.extract_aligned_pointer_as_index %src : memref<3x200xi32> -> index
    %j = memref.extract_aligned_pointer_as_index %dst : memref<3x200xi32> -> index
    %i64 = arith.index_cast %i : index to i64
    %j64 = arith.index_cast %j : index to i64
    %p = llvm.inttoptr %i64 : i64 to !llvm.ptr<1>
    %q = llvm.inttoptr %j64 : i64 to !llvm.ptr<1>
    gpu.launch_func @kernels::@reverse blocks in (%c3, %c1, %c1) threads in (%c200, %c1, %c1)
        dynamic_shared_memory_size %bytes args(%p : !llvm.ptr<1>, %q : !llvm.ptr<1>, %n : i32)
    gpu.launch_func @kernels::@triple blocks in (%c3, %c1, %c1) threads in (%c200, %c1, %c1)
        args(%q : !llvm.ptr<1>, %factor : i32)
    gpu.memcpy %y, %dst : memref<3x200xi32>, memref<3x200xi32>
    gpu.dealloc %src : memref<3x200xi32>
    gpu.dealloc %dst : memref<3x200xi32>
    return
  }
}
