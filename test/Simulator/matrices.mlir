// ldmatrix (sm_75): one warp moves 8x8 matrices of halves from shared memory to registers, which go to
// dst[register][lane].
// RUN: %python %S/corpus.py --tile-run tile-run %s

gpu.module @matrices {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<256 x f16>

  // Lane l gives row l % 8 of matrix l / 8.
  llvm.func @load4(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %all = llvm.mlir.constant(-1 : i32) : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %p = llvm.getelementptr %src[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xi32>
    %s = llvm.getelementptr %tile[%lane] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi32>
    %x = llvm.load %p {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
    llvm.store %x, %s {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
    nvvm.bar.warp.sync %all : i32
    %m = nvvm.ldmatrix %s {num = 4 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32, i32, i32)>
    %m0 = llvm.extractvalue %m[0] : !llvm.struct<(i32, i32, i32, i32)>
    %m1 = llvm.extractvalue %m[1] : !llvm.struct<(i32, i32, i32, i32)>
    %m2 = llvm.extractvalue %m[2] : !llvm.struct<(i32, i32, i32, i32)>
    %m3 = llvm.extractvalue %m[3] : !llvm.struct<(i32, i32, i32, i32)>
    %q0 = llvm.getelementptr %dst[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %q1 = llvm.getelementptr %q0[32] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %q2 = llvm.getelementptr %q0[64] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    %q3 = llvm.getelementptr %q0[96] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %m0, %q0 : i32, !llvm.ptr<1>
    llvm.store %m1, %q1 : i32, !llvm.ptr<1>
    llvm.store %m2, %q2 : i32, !llvm.ptr<1>
    llvm.store %m3, %q3 : i32, !llvm.ptr<1>
    llvm.return
  }

  // Two matrices, transposed: lanes 0 to 15 give their rows.
  llvm.func @load2_transposed(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %all = llvm.mlir.constant(-1 : i32) : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %p = llvm.getelementptr %src[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xi32>
    %s = llvm.getelementptr %tile[%lane] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi32>
    %x = llvm.load %p {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
    llvm.store %x, %s {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
    nvvm.bar.warp.sync %all : i32
    %m = nvvm.ldmatrix %s {num = 2 : i32, layout = #nvvm.mma_layout<col>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> !llvm.struct<(i32, i32)>
    %m0 = llvm.extractvalue %m[0] : !llvm.struct<(i32, i32)>
    %m1 = llvm.extractvalue %m[1] : !llvm.struct<(i32, i32)>
    %q0 = llvm.getelementptr %dst[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    %q1 = llvm.getelementptr %q0[32] : (!llvm.ptr<1>) -> !llvm.ptr<1>, i32
    llvm.store %m0, %q0 : i32, !llvm.ptr<1>
    llvm.store %m1, %q1 : i32, !llvm.ptr<1>
    llvm.return
  }

  // One matrix, whose rows lie 32 bytes apart.
  llvm.func @load1(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>) attributes {gpu.kernel, nvvm.kernel} {
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %all = llvm.mlir.constant(-1 : i32) : i32
    %c1 = llvm.mlir.constant(1 : i32) : i32
    %c7 = llvm.mlir.constant(7 : i32) : i32
    %lane = nvvm.read.ptx.sreg.laneid : i32
    %p = llvm.getelementptr %src[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, vector<4xi32>
    %s = llvm.getelementptr %tile[%lane] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi32>
    %x = llvm.load %p {alignment = 16 : i64} : !llvm.ptr<1> -> vector<4xi32>
    llvm.store %x, %s {alignment = 16 : i64} : vector<4xi32>, !llvm.ptr<3>
    nvvm.bar.warp.sync %all : i32
    %row = llvm.and %lane, %c7 : i32
    %twice = llvm.shl %row, %c1 : i32
    %t = llvm.getelementptr %tile[%twice] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, vector<4xi32>
    %m = nvvm.ldmatrix %t {num = 1 : i32, layout = #nvvm.mma_layout<row>, shape = #nvvm.ld_st_matrix_shape<m = 8, n = 8>, eltType = #nvvm.ld_st_matrix_elt_type<b16>} : (!llvm.ptr<3>) -> i32
    %q = llvm.getelementptr %dst[%lane] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, i32
    llvm.store %m, %q : i32, !llvm.ptr<1>
    llvm.return
  }
}
