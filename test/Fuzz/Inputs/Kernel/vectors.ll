target triple = "nvptx64-nvidia-cuda"
@c = addrspace(4) constant [4 x half] [half 1.0, half 2.0, half 0.0, half -1.0], align 8
declare i32 @llvm.nvvm.read.ptx.sreg.laneid()
declare <2 x half> @llvm.maxnum.v2f16(<2 x half>, <2 x half>)
declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)
declare i32 @llvm.ctpop.i32(i32)
declare { i32, i1 } @llvm.sadd.with.overflow.i32(i32, i32)
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %v = load <4 x half>, ptr addrspace(4) @c, align 8
  %a = shufflevector <4 x half> %v, <4 x half> poison, <2 x i32> <i32 3, i32 1>
  %b = insertelement <2 x half> %a, half 5.0, i32 0
  %m = call <2 x half> @llvm.maxnum.v2f16(<2 x half> %a, <2 x half> %b)
  %i = bitcast <2 x half> %m to i32
  %n = call i32 @llvm.ctpop.i32(i32 %i)
  %o = call { i32, i1 } @llvm.sadd.with.overflow.i32(i32 %n, i32 %t)
  %s = extractvalue { i32, i1 } %o, 0
  %l = alloca [16 x i8], align 16
  call void @llvm.memcpy.p0.p1.i64(ptr %l, ptr addrspace(1) %p, i64 16, i1 false)
  %g = getelementptr i8, ptr %l, i32 4
  %w = load i32, ptr %g, align 4
  %x = sext i32 %w to i64
  %y = shl i64 %x, 3
  %z = sitofp i64 %y to double
  %u = fptosi double %z to i32
  %q = select i1 true, i32 %s, i32 %u
  %h = getelementptr i32, ptr addrspace(1) %p, i32 %t
  store i32 %q, ptr addrspace(1) %h, align 4
  ret void
}
