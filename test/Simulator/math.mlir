// Approximate instructions of the special function unit, exact square roots and divisions, and functions
// of libdevice.
// RUN: %python %S/corpus.py --tile-run tile-run %s

gpu.module @math {
  llvm.func @__nv_expf(f32) -> f32
  llvm.func @__nv_logf(f32) -> f32
  llvm.func @__nv_tanhf(f32) -> f32
  llvm.func @__nv_erff(f32) -> f32
  llvm.func @__nv_powf(f32, f32) -> f32
  llvm.func @__nv_cos(f64) -> f64

  // Rows of dst, n apart: 2^x, log2 x, sin x, cos x, 1 / x, 1 / sqrt x; approximate.
  llvm.func @approximate(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mul %bid, %bdim : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %x = llvm.load %p : !llvm.ptr<1> -> f32
    %ex2 = llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz.f"(%x) : (f32) -> f32
    %lg2 = llvm.call_intrinsic "llvm.nvvm.lg2.approx.ftz.f"(%x) : (f32) -> f32
    %sin = llvm.call_intrinsic "llvm.nvvm.sin.approx.ftz.f"(%x) : (f32) -> f32
    %cos = llvm.call_intrinsic "llvm.nvvm.cos.approx.ftz.f"(%x) : (f32) -> f32
    %rcp = nvvm.rcp.approx.ftz.f %x : f32
    %rsqrt = llvm.call_intrinsic "llvm.nvvm.rsqrt.approx.ftz.f"(%x) : (f32) -> f32
    %q0 = llvm.getelementptr %dst[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %q1 = llvm.getelementptr %q0[%n] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %q2 = llvm.getelementptr %q1[%n] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %q3 = llvm.getelementptr %q2[%n] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %q4 = llvm.getelementptr %q3[%n] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %q5 = llvm.getelementptr %q4[%n] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %ex2, %q0 : f32, !llvm.ptr<1>
    llvm.store %lg2, %q1 : f32, !llvm.ptr<1>
    llvm.store %sin, %q2 : f32, !llvm.ptr<1>
    llvm.store %cos, %q3 : f32, !llvm.ptr<1>
    llvm.store %rcp, %q4 : f32, !llvm.ptr<1>
    llvm.store %rsqrt, %q5 : f32, !llvm.ptr<1>
    llvm.return
  }

  // dst = sqrt(x) / (x + 1), correctly rounded in f32.
  llvm.func @exact(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mul %bid, %bdim : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %q = llvm.getelementptr %dst[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %x = llvm.load %p : !llvm.ptr<1> -> f32
    %root = llvm.intr.sqrt(%x) : (f32) -> f32
    %more = llvm.fadd %x, %one : f32
    %y = llvm.fdiv %root, %more : f32
    llvm.store %y, %q : f32, !llvm.ptr<1>
    llvm.return
  }

  // Rows of dst, n apart: exp, log, tanh, erf, x^1.5; and cos in f64.
  llvm.func @libdevice(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %dst64: !llvm.ptr<1>, %n: i32) attributes {gpu.kernel, nvvm.kernel} {
    %exponent = llvm.mlir.constant(1.5 : f32) : f32
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mul %bid, %bdim : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %x = llvm.load %p : !llvm.ptr<1> -> f32
    %exp = llvm.call @__nv_expf(%x) : (f32) -> f32
    %log = llvm.call @__nv_logf(%x) : (f32) -> f32
    %tanh = llvm.call @__nv_tanhf(%x) : (f32) -> f32
    %erf = llvm.call @__nv_erff(%x) : (f32) -> f32
    %pow = llvm.call @__nv_powf(%x, %exponent) : (f32, f32) -> f32
    %x64 = llvm.fpext %x : f32 to f64
    %cos64 = llvm.call @__nv_cos(%x64) : (f64) -> f64
    %q0 = llvm.getelementptr %dst[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %q1 = llvm.getelementptr %q0[%n] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %q2 = llvm.getelementptr %q1[%n] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %q3 = llvm.getelementptr %q2[%n] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %q4 = llvm.getelementptr %q3[%n] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %q64 = llvm.getelementptr %dst64[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f64
    llvm.store %exp, %q0 : f32, !llvm.ptr<1>
    llvm.store %log, %q1 : f32, !llvm.ptr<1>
    llvm.store %tanh, %q2 : f32, !llvm.ptr<1>
    llvm.store %erf, %q3 : f32, !llvm.ptr<1>
    llvm.store %pow, %q4 : f32, !llvm.ptr<1>
    llvm.store %cos64, %q64 : f64, !llvm.ptr<1>
    llvm.return
  }
}
