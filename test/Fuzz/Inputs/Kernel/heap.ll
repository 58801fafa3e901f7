target triple = "nvptx64-nvidia-cuda"
declare ptr @malloc(i64)
declare void @free(ptr)
declare i32 @vprintf(ptr, ptr)
@format = private constant [7 x i8] c"%d %f\0A\00"
define ptx_kernel void @k(ptr addrspace(1) %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %a = call i32 asm sideeffect "{ .reg .pred q; setp.lt.u32 q, $1, 5; @q add.u32 $0, $1, 7; @!q mov.u32 $0, 3; }", "=r,r"(i32 %t)
  %m = call ptr @malloc(i64 16)
  %b = load i32, ptr %m, align 4
  call void @free(ptr %m)
  %v = alloca { i32, double }, align 8
  store i32 %b, ptr %v, align 4
  %w = call i32 @vprintf(ptr @format, ptr %v)
  %g = getelementptr i32, ptr addrspace(1) %p, i32 %t
  call void asm sideeffect "st.global.v2.b32 [$0], {$1, $2};", "l,r,r,~{memory}"(ptr addrspace(1) %g, i32 %b, i32 %w)
  ret void
}
