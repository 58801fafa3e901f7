// f16 and bf16: packed multiply-adds, comparisons, conversions with their roundings.
// RUN: %python %S/corpus.py --tile-run tile-run %s

gpu.module @halves {
  // y = a x + y in pairs of f16, one rounding.
  llvm.func @axpy(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %a: f16) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mul %bid, %bdim : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<2xf16>
    %q = llvm.getelementptr %y[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<2xf16>
    %v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr<1> -> vector<2xf16>
    %w = llvm.load %q {alignment = 4 : i64} : !llvm.ptr<1> -> vector<2xf16>
    %u = llvm.mlir.undef : vector<2xf16>
    %a0 = llvm.insertelement %a, %u[%c0 : i32] : vector<2xf16>
    %a1 = llvm.insertelement %a, %a0[%c1 : i32] : vector<2xf16>
    %r = llvm.intr.fma(%a1, %v, %w) : (vector<2xf16>, vector<2xf16>, vector<2xf16>) -> vector<2xf16>
    llvm.store %r, %q {alignment = 4 : i64} : vector<2xf16>, !llvm.ptr<1>
    llvm.return
  }

  // Of six numbers of a thread, y = x where x y is greater than y or unordered, else 0: by masks of pairs.
  llvm.func @masks(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c0 = llvm.mlir.constant(0 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c2 = llvm.mlir.constant(2 : i32) : i32
    %c6 = llvm.mlir.constant(6 : i32) : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %i = llvm.mul %tid, %c6 : i32
    %p = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f16
    %q = llvm.getelementptr %y[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f16
    %v = llvm.load %p {alignment = 4 : i64} : !llvm.ptr<1> -> vector<6xf16>
    %w = llvm.load %q {alignment = 4 : i64} : !llvm.ptr<1> -> vector<6xf16>
    %product = llvm.fmul %v, %w : vector<6xf16>
    %a = llvm.bitcast %product : vector<6xf16> to vector<3xi32>
    %b = llvm.bitcast %w : vector<6xf16> to vector<3xi32>
    %a0 = llvm.extractelement %a[%c0 : i32] : vector<3xi32>
    %a1 = llvm.extractelement %a[%c1 : i32] : vector<3xi32>
    %a2 = llvm.extractelement %a[%c2 : i32] : vector<3xi32>
    %b0 = llvm.extractelement %b[%c0 : i32] : vector<3xi32>
    %b1 = llvm.extractelement %b[%c1 : i32] : vector<3xi32>
    %b2 = llvm.extractelement %b[%c2 : i32] : vector<3xi32>
    %m0 = llvm.inline_asm "set.gtu.u32.f16x2 $0, $1, $2;", "=r,r,r" %a0, %b0 : (i32, i32) -> i32
    %m1 = llvm.inline_asm "set.gtu.u32.f16x2 $0, $1, $2;", "=r,r,r" %a1, %b1 : (i32, i32) -> i32
    %m2 = llvm.inline_asm "set.gtu.u32.f16x2 $0, $1, $2;", "=r,r,r" %a2, %b2 : (i32, i32) -> i32
    %u = llvm.mlir.undef : vector<3xi32>
    %u0 = llvm.insertelement %m0, %u[%c0 : i32] : vector<3xi32>
    %u1 = llvm.insertelement %m1, %u0[%c1 : i32] : vector<3xi32>
    %u2 = llvm.insertelement %m2, %u1[%c2 : i32] : vector<3xi32>
    %bits = llvm.bitcast %v : vector<6xf16> to vector<3xi32>
    %kept = llvm.and %bits, %u2 : vector<3xi32>
    %r = llvm.bitcast %kept : vector<3xi32> to vector<6xf16>
    llvm.store %r, %q {alignment = 4 : i64} : vector<6xf16>, !llvm.ptr<1>
    llvm.return
  }

  // y = (x > y ? x - y : x * y) in f16, each with its rounding.
  llvm.func @choose(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mul %bid, %bdim : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f16
    %q = llvm.getelementptr %y[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f16
    %v = llvm.load %p : !llvm.ptr<1> -> f16
    %w = llvm.load %q : !llvm.ptr<1> -> f16
    %above = llvm.fcmp "ogt" %v, %w : f16
    %difference = llvm.fsub %v, %w : f16
    %product = llvm.fmul %v, %w : f16
    %r = llvm.select %above, %difference, %product : i1, f16
    llvm.store %r, %q : f16, !llvm.ptr<1>
    llvm.return
  }

  // bf16 in and out, the product and sum in f32: y = bf16(x * x + 1).
  llvm.func @bfloats(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %one = llvm.mlir.constant(1.0 : f32) : f32
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mul %bid, %bdim : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, bf16
    %q = llvm.getelementptr %y[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, bf16
    %v = llvm.load %p : !llvm.ptr<1> -> bf16
    %f = llvm.fpext %v : bf16 to f32
    %square = llvm.fmul %f, %f : f32
    %sum = llvm.fadd %square, %one : f32
    %r = llvm.fptrunc %sum : f32 to bf16
    llvm.store %r, %q : bf16, !llvm.ptr<1>
    llvm.return
  }

  // f32 to f16, and on to i32 toward zero.
  llvm.func @convert(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %z: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %bid = nvvm.read.ptx.sreg.ctaid.x : i32
    %bdim = nvvm.read.ptx.sreg.ntid.x : i32
    %tid = nvvm.read.ptx.sreg.tid.x : i32
    %base = llvm.mul %bid, %bdim : i32
    %i = llvm.add %base, %tid : i32
    %p = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %q = llvm.getelementptr %y[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f16
    %r = llvm.getelementptr %z[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %v = llvm.load %p : !llvm.ptr<1> -> f32
    %h = llvm.fptrunc %v : f32 to f16
    %n = llvm.fptosi %h : f16 to i32
    llvm.store %h, %q : f16, !llvm.ptr<1>
    llvm.store %n, %r : i32, !llvm.ptr<1>
    llvm.return
  }
}
