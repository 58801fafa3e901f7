target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare float @llvm.fma.f32(float, float, float)
define ptx_kernel void @k(ptr %p, float %f, i32 %n) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %q = and i32 %t, 7
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %next ]
  %x = phi float [ %f, %entry ], [ %z, %next ]
  %g = getelementptr float, ptr %p, i32 %i
  %y = load float, ptr %g, align 4
  switch i32 %q, label %other [ i32 0, label %one
                                i32 3, label %two ]
one:
  %o = fadd float %x, %y
  br label %next
two:
  %u = fdiv float %x, 3.0
  br label %next
other:
  %m = call float @llvm.fma.f32(float %x, float %y, float 1.0)
  br label %next
next:
  %z = phi float [ %o, %one ], [ %u, %two ], [ %m, %other ]
  %j = add i32 %i, 1
  %c = icmp ult i32 %j, 9
  br i1 %c, label %loop, label %end
end:
  %h = getelementptr float, ptr %p, i32 %t
  store float %z, ptr %h, align 4
  ret void
}
