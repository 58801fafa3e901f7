target triple = "nvptx64-nvidia-cuda"
@b = addrspace(3) global i64 undef, align 8
@s = addrspace(3) global [64 x i32] undef, align 128
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3), i32)
declare i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3))
declare i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3), i64)
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32, i32)
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %f = icmp eq i32 %t, 0
  br i1 %f, label %init, label %meet
init:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @b, i32 40)
  br label %meet
meet:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %a = getelementptr i32, ptr addrspace(3) @s, i32 %t
  store i32 %t, ptr addrspace(3) %a, align 4
  %x = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @b)
  br label %wait
wait:
  %w = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @b, i64 %x)
  br i1 %w, label %done, label %wait
done:
  %v = load i32, ptr addrspace(3) @s, align 4
  call void @llvm.nvvm.barrier.cta.arrive.aligned.count(i32 1, i32 64)
  store i32 %v, ptr addrspace(1) %p, align 4
  ret void
}
