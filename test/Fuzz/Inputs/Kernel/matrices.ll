target triple = "nvptx64-nvidia-cuda"
@s = addrspace(3) global [256 x i32] undef, align 128
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3), ptr addrspace(1))
declare void @llvm.nvvm.cp.async.commit.group()
declare void @llvm.nvvm.cp.async.wait.group(i32)
declare { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3))
declare { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, <2 x half>, float, float, float, float)
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %o = mul i32 %t, 4
  %a = getelementptr i32, ptr addrspace(3) @s, i32 %o
  %g = getelementptr i32, ptr addrspace(1) %p, i32 %o
  call void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3) %a, ptr addrspace(1) %g)
  call void @llvm.nvvm.cp.async.commit.group()
  call void @llvm.nvvm.cp.async.wait.group(i32 0)
  %l = call { i32, i32, i32, i32 } @llvm.nvvm.ldmatrix.sync.aligned.m8n8.x4.b16.p3(ptr addrspace(3) %a)
  %e = extractvalue { i32, i32, i32, i32 } %l, 2
  %h = bitcast i32 %e to <2 x half>
  %d = call { float, float, float, float } @llvm.nvvm.mma.m16n8k16.row.col.f32.f32(<2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, <2 x half> %h, float 0.0, float 1.0, float 2.0, float 3.0)
  %x = extractvalue { float, float, float, float } %d, 3
  store float %x, ptr addrspace(1) %g, align 4
  ret void
}
