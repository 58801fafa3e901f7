target triple = "nvptx64-nvidia-cuda"
@s = internal addrspace(3) global i32 undef, align 4
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare void @llvm.nvvm.bar.warp.sync(i32)
declare void @llvm.nvvm.membar.gl()
define ptx_kernel void @k(ptr addrspace(1) %p, i64 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = icmp eq i32 %t, 0
  br i1 %f, label %zero, label %all
zero:
  store i32 0, ptr addrspace(3) @s, align 4
  br label %all
all:
  call void @llvm.nvvm.bar.warp.sync(i32 -1)
  %a = atomicrmw add ptr addrspace(3) @s, i32 2 syncscope("block") monotonic
  %b = atomicrmw fmax ptr addrspace(1) %p, float 2.5 acq_rel
  %c = cmpxchg ptr addrspace(1) %p, i32 0, i32 %t seq_cst monotonic
  %e = extractvalue { i32, i1 } %c, 0
  %o = icmp sgt i32 %e, 5
  %v = call i32 @llvm.nvvm.vote.ballot.sync(i32 255, i1 %o)
  call void @llvm.nvvm.membar.gl()
  fence syncscope("device") release
  %l = load atomic i32, ptr addrspace(1) %p acquire, align 4
  %x = udiv i32 %v, %l
  store atomic i32 %x, ptr addrspace(1) %p release, align 4
  ret void
}
