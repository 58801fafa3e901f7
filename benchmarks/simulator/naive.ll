; C = A * B, n x n, f32, one thread an element of C, all operands in global memory: the plainest kernel there is, for the
; rate of scalar code. Launch: grid n/32, n/8, block 32, 8.
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
declare float @llvm.fma.f32(float, float, float)

define ptx_kernel void @naive(ptr addrspace(1) noalias %a, ptr addrspace(1) noalias %b, ptr addrspace(1) noalias %c, i32 %n) {
entry:
  %tx = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %ty = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %bx = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %by = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.y()
  %bx32 = mul i32 %bx, 32
  %by8 = mul i32 %by, 8
  %col = add i32 %bx32, %tx
  %row = add i32 %by8, %ty
  %rown = mul i32 %row, %n
  br label %loop

loop:
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum1, %loop ]
  %ai = add i32 %rown, %k
  %ap = getelementptr float, ptr addrspace(1) %a, i32 %ai
  %av = load float, ptr addrspace(1) %ap, align 4
  %kn = mul i32 %k, %n
  %bi = add i32 %kn, %col
  %bp = getelementptr float, ptr addrspace(1) %b, i32 %bi
  %bv = load float, ptr addrspace(1) %bp, align 4
  %sum1 = call float @llvm.fma.f32(float %av, float %bv, float %sum)
  %k1 = add i32 %k, 1
  %more = icmp slt i32 %k1, %n
  br i1 %more, label %loop, label %done

done:
  %ci = add i32 %rown, %col
  %cp = getelementptr float, ptr addrspace(1) %c, i32 %ci
  store float %sum1, ptr addrspace(1) %cp, align 4
  ret void
}
