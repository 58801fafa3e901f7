// stmatrix (sm_90): one warp moves 8x8 matrices of halves from registers to shared memory.
// RUN: %python %S/corpus.py --tile-run tile-run %s

gpu.module @matrices {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<256 x f16>

  // Two registers of each lane (src[register][lane]) become two matrices, then 16 rows of 8
  // halves in dst.
  llvm.func @store2(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %all = llvm.mlir.constant(-1 : i32) : i32
    %c15 = llvm.mlir.constant(15 : i32) : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %p0 = llvm.getelementptr %src[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %p1 = llvm.getelementptr %p0[32] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %x0 = llvm.load %p0 : !llvm.ptr<1> -> i32
    %x1 = llvm.load %p1 : !llvm.ptr<1> -> i32
    %row = llvm.and %lane, %c15 : i32
    %s = llvm.getelementptr %tile[%row] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi32>
    nvvm.stmatrix %s, %x0, %x1 {layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : !llvm.ptr<3>, i32, i32
    nvvm.bar.warp.sync %all : i32
    %t = llvm.getelementptr %tile[%lane] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<2xi32>
    %y = llvm.load %t {alignment = 8 : i64} : !llvm.ptr<3> -> vector<2xi32>
    %q = llvm.getelementptr %dst[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<2xi32>
    llvm.store %y, %q {alignment = 8 : i64} : vector<2xi32>, !llvm.ptr<1>
    llvm.return
  }
}
