target triple = "nvptx64-nvidia-cuda"
@s = addrspace(3) global [64 x i32] undef, align 16
@d = external addrspace(3) global [0 x i32], align 16
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.shfl.sync.bfly.i32(i32, i32, i32, i32)
define ptx_kernel void @k(ptr addrspace(1) %p, i32 %n) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = getelementptr i32, ptr addrspace(3) @s, i32 %t
  store i32 %t, ptr addrspace(3) %a, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %r = sub i32 39, %t
  %b = getelementptr i32, ptr addrspace(3) @s, i32 %r
  %v = load i32, ptr addrspace(3) %b, align 4
  %w = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 255, i32 %v, i32 1, i32 31)
  %c = getelementptr i32, ptr addrspace(1) %p, i32 %t
  store i32 %w, ptr addrspace(1) %c, align 4
  %e = getelementptr i32, ptr addrspace(3) @d, i32 %t
  store volatile i32 %n, ptr addrspace(3) %e, align 4
  ret void
}
