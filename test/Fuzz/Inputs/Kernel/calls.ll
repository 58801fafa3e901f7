target triple = "nvptx64-nvidia-cuda"
@table = addrspace(1) global [2 x ptr] [ptr @f, ptr @g]
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
%pair = type { i32, i64 }
define i32 @f(i32 %n) {
  %z = icmp eq i32 %n, 0
  br i1 %z, label %leaf, label %more
leaf:
  ret i32 1
more:
  %m = sub i32 %n, 1
  %v = alloca [3 x i32], align 4
  store i32 %n, ptr %v, align 4
  %r = call i32 @f(i32 %m)
  %w = load i32, ptr %v, align 4
  %s = mul i32 %r, %w
  ret i32 %s
}
define i32 @g(i32 %n) {
  %r = call i32 @f(i32 4)
  %s = add i32 %r, %n
  ret i32 %s
}
define ptx_kernel void @k(ptr addrspace(1) %p, ptr byval(%pair) align 8 %b) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = and i32 %t, 1
  %e = getelementptr ptr, ptr addrspace(1) @table, i32 %i
  %c = load ptr, ptr addrspace(1) %e, align 8
  %r = call i32 %c(i32 3)
  %l = getelementptr %pair, ptr %b, i32 0, i32 1
  %w = load i64, ptr %l, align 8
  %x = trunc i64 %w to i32
  %y = xor i32 %x, %r
  %q = getelementptr i32, ptr addrspace(1) %p, i32 %t
  store i32 %y, ptr addrspace(1) %q, align 4
  ret void
}
