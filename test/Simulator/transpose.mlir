// Transpositions through a 32x32 tile of shared memory by blocks of 32x8 threads. The rows of the tile
// are written, its columns read: a column of 32 words of 4 bytes is in one bank (32-way conflicts)
// unless rows are padded to 33 words, or the column is XORed with the row. Halves in rows of 36 halves
// (18 words) meet in pairs (2-way).
// RUN: %python %S/corpus.py --tile-run tile-run %s

gpu.module @transposes {
  llvm.mlir.global internal @tile() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1024 x f32>
  llvm.mlir.global internal @padded() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1056 x f32>
  llvm.mlir.global internal @halves() {addr_space = 3 : i32, alignment = 16 : i64} : !llvm.array<1152 x f16>

  // dst[x][y] = src[y][x] for src of %rows x %columns, both multiples of 32.
  llvm.func @plain(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %rows: i32, %columns: i32) attributes {gpu.kernel, nvvm.kernel} {
    %c8 = llvm.mlir.constant(8 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %bx = nvvm.read.ptx.sreg.ctaid.x : i32
    %by = nvvm.read.ptx.sreg.ctaid.y : i32
    %tx = nvvm.read.ptx.sreg.tid.x : i32
    %ty = nvvm.read.ptx.sreg.tid.y : i32
    %x0 = llvm.mul %bx, %c32 : i32
    %y0 = llvm.mul %by, %c32 : i32
    %x = llvm.add %x0, %tx : i32
    llvm.br ^fill(%ty : i32)
  ^fill(%r: i32):
    %y = llvm.add %y0, %r : i32
    %line = llvm.mul %y, %columns : i32
    %i = llvm.add %line, %x : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %p : !llvm.ptr<1> -> f32
    %row = llvm.mul %r, %c32 : i32
    %j = llvm.add %row, %tx : i32
    %s = llvm.getelementptr %tile[%j] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    llvm.store %v, %s : f32, !llvm.ptr<3>
    %r1 = llvm.add %r, %c8 : i32
    %more = llvm.icmp "slt" %r1, %c32 : i32
    llvm.cond_br %more, ^fill(%r1 : i32), ^full
  ^full:
    nvvm.barrier
    %u = llvm.add %y0, %tx : i32
    llvm.br ^drain(%ty : i32)
  ^drain(%q: i32):
    %column = llvm.mul %tx, %c32 : i32
    %k = llvm.add %column, %q : i32
    %t = llvm.getelementptr %tile[%k] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %w = llvm.load %t : !llvm.ptr<3> -> f32
    %z = llvm.add %x0, %q : i32
    %out = llvm.mul %z, %rows : i32
    %o = llvm.add %out, %u : i32
    %d = llvm.getelementptr %dst[%o] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %w, %d : f32, !llvm.ptr<1>
    %q1 = llvm.add %q, %c8 : i32
    %again = llvm.icmp "slt" %q1, %c32 : i32
    llvm.cond_br %again, ^drain(%q1 : i32), ^exit
  ^exit:
    llvm.return
  }

  // Rows of 33 words.
  llvm.func @padded_rows(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %rows: i32, %columns: i32) attributes {gpu.kernel, nvvm.kernel} {
    %c8 = llvm.mlir.constant(8 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %pitch = llvm.mlir.constant(33 : i32) : i32
    %tile = llvm.mlir.addressof @padded : !llvm.ptr<3>
    %bx = nvvm.read.ptx.sreg.ctaid.x : i32
    %by = nvvm.read.ptx.sreg.ctaid.y : i32
    %tx = nvvm.read.ptx.sreg.tid.x : i32
    %ty = nvvm.read.ptx.sreg.tid.y : i32
    %x0 = llvm.mul %bx, %c32 : i32
    %y0 = llvm.mul %by, %c32 : i32
    %x = llvm.add %x0, %tx : i32
    llvm.br ^fill(%ty : i32)
  ^fill(%r: i32):
    %y = llvm.add %y0, %r : i32
    %line = llvm.mul %y, %columns : i32
    %i = llvm.add %line, %x : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %p : !llvm.ptr<1> -> f32
    %row = llvm.mul %r, %pitch : i32
    %j = llvm.add %row, %tx : i32
    %s = llvm.getelementptr %tile[%j] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    llvm.store %v, %s : f32, !llvm.ptr<3>
    %r1 = llvm.add %r, %c8 : i32
    %more = llvm.icmp "slt" %r1, %c32 : i32
    llvm.cond_br %more, ^fill(%r1 : i32), ^full
  ^full:
    nvvm.barrier
    %u = llvm.add %y0, %tx : i32
    llvm.br ^drain(%ty : i32)
  ^drain(%q: i32):
    %column = llvm.mul %tx, %pitch : i32
    %k = llvm.add %column, %q : i32
    %t = llvm.getelementptr %tile[%k] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %w = llvm.load %t : !llvm.ptr<3> -> f32
    %z = llvm.add %x0, %q : i32
    %out = llvm.mul %z, %rows : i32
    %o = llvm.add %out, %u : i32
    %d = llvm.getelementptr %dst[%o] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %w, %d : f32, !llvm.ptr<1>
    %q1 = llvm.add %q, %c8 : i32
    %again = llvm.icmp "slt" %q1, %c32 : i32
    llvm.cond_br %again, ^drain(%q1 : i32), ^exit
  ^exit:
    llvm.return
  }

  // Column c of row r lies at c ^ r.
  llvm.func @swizzled(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %rows: i32, %columns: i32) attributes {gpu.kernel, nvvm.kernel} {
    %c8 = llvm.mlir.constant(8 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %tile = llvm.mlir.addressof @tile : !llvm.ptr<3>
    %bx = nvvm.read.ptx.sreg.ctaid.x : i32
    %by = nvvm.read.ptx.sreg.ctaid.y : i32
    %tx = nvvm.read.ptx.sreg.tid.x : i32
    %ty = nvvm.read.ptx.sreg.tid.y : i32
    %x0 = llvm.mul %bx, %c32 : i32
    %y0 = llvm.mul %by, %c32 : i32
    %x = llvm.add %x0, %tx : i32
    llvm.br ^fill(%ty : i32)
  ^fill(%r: i32):
    %y = llvm.add %y0, %r : i32
    %line = llvm.mul %y, %columns : i32
    %i = llvm.add %line, %x : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    %v = llvm.load %p : !llvm.ptr<1> -> f32
    %row = llvm.mul %r, %c32 : i32
    %sx = llvm.xor %tx, %r : i32
    %j = llvm.add %row, %sx : i32
    %s = llvm.getelementptr %tile[%j] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    llvm.store %v, %s : f32, !llvm.ptr<3>
    %r1 = llvm.add %r, %c8 : i32
    %more = llvm.icmp "slt" %r1, %c32 : i32
    llvm.cond_br %more, ^fill(%r1 : i32), ^full
  ^full:
    nvvm.barrier
    %u = llvm.add %y0, %tx : i32
    llvm.br ^drain(%ty : i32)
  ^drain(%q: i32):
    %column = llvm.mul %tx, %c32 : i32
    %sq = llvm.xor %q, %tx : i32
    %k = llvm.add %column, %sq : i32
    %t = llvm.getelementptr %tile[%k] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f32
    %w = llvm.load %t : !llvm.ptr<3> -> f32
    %z = llvm.add %x0, %q : i32
    %out = llvm.mul %z, %rows : i32
    %o = llvm.add %out, %u : i32
    %d = llvm.getelementptr %dst[%o] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f32
    llvm.store %w, %d : f32, !llvm.ptr<1>
    %q1 = llvm.add %q, %c8 : i32
    %again = llvm.icmp "slt" %q1, %c32 : i32
    llvm.cond_br %again, ^drain(%q1 : i32), ^exit
  ^exit:
    llvm.return
  }

  // Halves in rows of 36.
  llvm.func @half_rows(%src: !llvm.ptr<1>, %dst: !llvm.ptr<1>, %rows: i32, %columns: i32) attributes {gpu.kernel, nvvm.kernel} {
    %c8 = llvm.mlir.constant(8 : i32) : i32
    %c32 = llvm.mlir.constant(32 : i32) : i32
    %pitch = llvm.mlir.constant(36 : i32) : i32
    %tile = llvm.mlir.addressof @halves : !llvm.ptr<3>
    %bx = nvvm.read.ptx.sreg.ctaid.x : i32
    %by = nvvm.read.ptx.sreg.ctaid.y : i32
    %tx = nvvm.read.ptx.sreg.tid.x : i32
    %ty = nvvm.read.ptx.sreg.tid.y : i32
    %x0 = llvm.mul %bx, %c32 : i32
    %y0 = llvm.mul %by, %c32 : i32
    %x = llvm.add %x0, %tx : i32
    llvm.br ^fill(%ty : i32)
  ^fill(%r: i32):
    %y = llvm.add %y0, %r : i32
    %line = llvm.mul %y, %columns : i32
    %i = llvm.add %line, %x : i32
    %p = llvm.getelementptr %src[%i] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f16
    %v = llvm.load %p : !llvm.ptr<1> -> f16
    %row = llvm.mul %r, %pitch : i32
    %j = llvm.add %row, %tx : i32
    %s = llvm.getelementptr %tile[%j] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f16
    llvm.store %v, %s : f16, !llvm.ptr<3>
    %r1 = llvm.add %r, %c8 : i32
    %more = llvm.icmp "slt" %r1, %c32 : i32
    llvm.cond_br %more, ^fill(%r1 : i32), ^full
  ^full:
    nvvm.barrier
    %u = llvm.add %y0, %tx : i32
    llvm.br ^drain(%ty : i32)
  ^drain(%q: i32):
    %column = llvm.mul %tx, %pitch : i32
    %k = llvm.add %column, %q : i32
    %t = llvm.getelementptr %tile[%k] : (!llvm.ptr<3>, i32) -> !llvm.ptr<3>, f16
    %w = llvm.load %t : !llvm.ptr<3> -> f16
    %z = llvm.add %x0, %q : i32
    %out = llvm.mul %z, %rows : i32
    %o = llvm.add %out, %u : i32
    %d = llvm.getelementptr %dst[%o] : (!llvm.ptr<1>, i32) -> !llvm.ptr<1>, f16
    llvm.store %w, %d : f16, !llvm.ptr<1>
    %q1 = llvm.add %q, %c8 : i32
    %again = llvm.icmp "slt" %q1, %c32 : i32
    llvm.cond_br %again, ^drain(%q1 : i32), ^exit
  ^exit:
    llvm.return
  }
}
