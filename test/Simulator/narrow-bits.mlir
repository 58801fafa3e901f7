// Functions of bits on integers that are narrower than the number of their unused bits: LLVM makes them of exchanged
// bits of a thread's number.
// RUN: tile-run %s --backend=sim --entry=reverse --chip=sm_70 --grid=1 --block=32 --inputs=zeros:32xi32,zeros:32xi32 \
// RUN:   --outputs=%t.reversed.npy,%t.zeros.npy
// RUN: %python -c "import numpy as np; i = np.arange(32) % 4; r, z = np.load(r'%t.reversed.npy'), np.load(r'%t.zeros.npy'); assert np.array_equal(r, i // 2 + i % 2 * 2), r; assert np.array_equal(z, [2, 1, 0, 0] * 8), z"

gpu.module @bits {
  llvm.func @reverse(%reversed: !llvm.ptr<1>, %zeros: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %narrow = llvm.trunc %tid : i32 to i2
    %r = llvm.intr.bitreverse(%narrow) : (i2) -> i2
    %r32 = llvm.zext %r : i2 to i32
    %p = llvm.getelementptr %reversed[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %r32, %p : i32, !llvm.ptr<1>
    %z = "llvm.intr.ctlz"(%narrow) <{is_zero_poison = false}> : (i2) -> i2
    %z32 = llvm.zext %z : i2 to i32
    %q = llvm.getelementptr %zeros[%tid] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %z32, %q : i32, !llvm.ptr<1>
    llvm.return
  }
}
