// f8: conversions from and to pairs.
// RUN: %python %S/corpus.py --tile-run tile-run %s

gpu.module @float8 {
  // Pairs of e4m3, and of e5m2, to f16 and back.
  llvm.func @bytes(%x: !llvm.ptr<1>, %y: !llvm.ptr<1>, %z: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %c128 = llvm.mlir.constant(128 : i32) : i32
    %i = nvvm.read.ptx.sreg.tid.x : i32
    %j = llvm.add %i, %c128 : i32
    %p = llvm.getelementptr %x[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i16
    %pair = llvm.load %p {alignment = 2 : i64} : !llvm.ptr<1> -> i16
    %a = llvm.call_intrinsic "llvm.nvvm.e4m3x2.to.f16x2.rn"(%pair) : (i16) -> vector<2xf16>
    %b = llvm.call_intrinsic "llvm.nvvm.e5m2x2.to.f16x2.rn"(%pair) : (i16) -> vector<2xf16>
    %q = llvm.getelementptr %y[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<2xf16>
    %r = llvm.getelementptr %y[%j] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<2xf16>
    llvm.store %a, %q {alignment = 4 : i64} : vector<2xf16>, !llvm.ptr<1>
    llvm.store %b, %r {alignment = 4 : i64} : vector<2xf16>, !llvm.ptr<1>
    %c = llvm.call_intrinsic "llvm.nvvm.f16x2.to.e4m3x2.rn"(%a) : (vector<2xf16>) -> i16
    %d = llvm.call_intrinsic "llvm.nvvm.f16x2.to.e5m2x2.rn"(%b) : (vector<2xf16>) -> i16
    %s = llvm.getelementptr %z[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i16
    %t = llvm.getelementptr %z[%j] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i16
    llvm.store %c, %s {alignment = 2 : i64} : i16, !llvm.ptr<1>
    llvm.store %d, %t {alignment = 2 : i64} : i16, !llvm.ptr<1>
    llvm.return
  }
}
