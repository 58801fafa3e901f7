// einsum-to-cpu-pipeline makes kernels for the machine that the module describes, whichever it runs on: assembled for
// AArch64, AVX2 and AVX-512, they compute on whole vectors, and what is left over by vectors that begin earlier or have
// masks, not by elements.
//
// RUN: tile-opt --einsum-to-cpu-pipeline=openmp=0 %s -o %t.neon.mlir
// RUN: FileCheck %s --input-file=%t.neon.mlir --check-prefix=NEON-IR --implicit-check-not='vector<8xf32>' --implicit-check-not='vector<16xf32>' --implicit-check-not='vector<4xf64>'
// RUN: mlir-translate --mlir-to-llvmir %t.neon.mlir -o %t.neon.ll
// RUN: llc -O3 -mtriple=aarch64-linux-gnu -filetype=asm %t.neon.ll -o - | FileCheck %s --check-prefix=NEON --implicit-check-not=fmadd --implicit-check-not='tb{{n?}}z'
// RUN: llc -O3 -mtriple=aarch64-linux-gnu -filetype=obj %t.neon.ll -o %t.o
// RUN: llvm-readelf --file-header --symbols %t.o | FileCheck %s --check-prefix=OBJECT
//
// RUN: sed "s/vector_bits = 128, registers = 32/vector_bits = 256, registers = 16/" %s > %t.avx2.mlir
// RUN: tile-opt --einsum-to-cpu-pipeline=openmp=0 %t.avx2.mlir | mlir-translate --mlir-to-llvmir -o %t.avx2.ll
// RUN: llc -O3 -mtriple=x86_64-linux-gnu -mcpu=haswell %t.avx2.ll -o - | FileCheck %s --check-prefix=AVX2 --implicit-check-not=zmm --implicit-check-not='{{vfmadd[0-9]+s}}'
//
// RUN: sed "s/vector_bits = 128/vector_bits = 512/" %s > %t.avx512.mlir
// RUN: tile-opt --einsum-to-cpu-pipeline=openmp=0 %t.avx512.mlir | mlir-translate --mlir-to-llvmir -o %t.avx512.ll
// RUN: llc -O3 -mtriple=x86_64-linux-gnu -mcpu=skylake-avx512 %t.avx512.ll -o - | FileCheck %s --check-prefix=AVX512 --implicit-check-not='{{vfmadd[0-9]+s}}'

// OBJECT: Machine: AArch64
// OBJECT-DAG: FUNC {{.*}} gemm
// OBJECT-DAG: FUNC {{.*}} odd
// OBJECT-DAG: FUNC {{.*}} doubles
// OBJECT-DAG: FUNC {{.*}} convolution

#machine = #einsum.machine<cpu = "generic", vector_bits = 128, registers = 32, fma = 2, latency = 4, l1 = 65536,
    l2 = 1048576, l3 = 33554432, cores = 2, bf16 = false>
module attributes {einsum.machine = #machine} {

// NEON-IR-LABEL: llvm.func @gemm
// NEON-IR: llvm.intr.fmuladd({{.*}} : (vector<4xf32>
// NEON-LABEL: gemm:
// NEON-COUNT-16: fmla v{{[0-9]+}}.4s, v{{[0-9]+}}.4s, v{{[0-9]+}}.s[0]
// AVX2-LABEL: gemm:
// AVX2-COUNT-8: vfmadd231ps {{.*}}%ymm{{[0-9]+}}, %ymm
// AVX512-LABEL: gemm:
// AVX512-COUNT-8: vfmadd231ps {{.*}}%zmm
func.func @gemm(%a: memref<64x64xf32>, %b: memref<64x64xf32>, %c: memref<64x64xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<64x64xf32>) : (memref<64x64xf32>, memref<64x64xf32>)
  return
}

// The last three of 31 columns (or 7, or 15) are in a vector that begins a lane earlier, without masks. A sum of three
// columns has no such lane. NEON has no masks: those known when compiling become accesses of parts of a vector, without a
// branch.
// NEON-LABEL: odd:
// NEON-NOT: ].s }
// NEON: fmla
// NEON-LABEL: three:
// NEON-DAG: ld1 { v{{[0-9]+}}.s }[2]
// NEON-DAG: st1 { v{{[0-9]+}}.s }[2]
// AVX2-LABEL: odd:
// AVX2-NOT: vmaskmovps
// AVX2: vfmadd231ps {{.*}}%ymm
// AVX2-LABEL: three:
// AVX2-DAG: vmaskmovps {{.*}}), %xmm{{[0-9]+}}, %xmm
// AVX2-DAG: vmaskmovps %xmm{{[0-9]+}}, %xmm{{[0-9]+}}, {{.*}})
// AVX512-LABEL: odd:
// AVX512-NOT: {%k
// AVX512: vfmadd231ps {{.*}}%zmm
// AVX512-LABEL: three:
// AVX512-DAG: vmovups {{.*}}, %xmm{{[0-9]+}} {%k{{[1-7]}}} {z}
// AVX512-DAG: vmovups %xmm{{[0-9]+}}, {{.*}} {%k{{[1-7]}}}
func.func @odd(%a: memref<17x23xf32>, %b: memref<23x31xf32>, %c: memref<17x31xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<17x31xf32>) : (memref<17x23xf32>, memref<23x31xf32>)
  return
}
func.func @three(%a: memref<16x8xf32>, %b: memref<8x3xf32>, %c: memref<16x3xf32>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<16x3xf32>) {schedule = #einsum.schedule<
      tile = [4, 1], unroll = 1, dims = [
      <"m" prim 16>, <"n" prim 3>, <"k" prim 8>]>}
    : (memref<16x8xf32>, memref<8x3xf32>)
  return
}

// NEON-LABEL: doubles:
// NEON-COUNT-8: fmla v{{[0-9]+}}.2d, v{{[0-9]+}}.2d, v{{[0-9]+}}.d[0]
// AVX2-LABEL: doubles:
// AVX2-COUNT-8: vfmadd231pd {{.*}}%ymm
// AVX512-LABEL: doubles:
// AVX512-COUNT-8: vfmadd231pd {{.*}}%zmm
func.func @doubles(%a: memref<64x64xf64>, %b: memref<64x64xf64>, %c: memref<64x64xf64>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<64x64xf64>) : (memref<64x64xf64>, memref<64x64xf64>)
  return
}

// NEON-LABEL: convolution:
// NEON-COUNT-8: fmla v{{[0-9]+}}.4s
// AVX2-LABEL: convolution:
// AVX2-COUNT-8: vfmadd231ps {{.*}}%ymm
// AVX512-LABEL: convolution:
// AVX512-COUNT-8: vfmadd231ps {{.*}}%zmm
func.func @convolution(%x: memref<2x10x10x16xf32>, %f: memref<3x3x16x32xf32>, %y: memref<2x8x8x32xf32>) {
  einsum.contract "n(h+r)(w+s)c, rsck -> nhwk" (%x, %f) outs(%y : memref<2x8x8x32xf32>)
    : (memref<2x10x10x16xf32>, memref<3x3x16x32xf32>)
  return
}

// Offsets from a table.
// NEON-LABEL: shift:
// NEON-COUNT-8: fmla v{{[0-9]+}}.4s
// AVX2-LABEL: shift:
// AVX2-COUNT-8: vfmadd231ps {{.*}}%ymm
// AVX512-LABEL: shift:
// AVX512-COUNT-8: vfmadd231ps {{.*}}%zmm
func.func @shift(%x: memref<40x16xf32>, %w: memref<16x32xf32>, %s: memref<16xi32>, %y: memref<32x32xf32>) {
  einsum.contract "(h+s[c])c, ck -> hk" (%x, %w) tables(s = %s : memref<16xi32>) outs(%y : memref<32x32xf32>)
    : (memref<40x16xf32>, memref<16x32xf32>)
  return
}

// Halves become floats by vectors, and results halves.
// NEON-LABEL: halves:
// NEON-DAG: fcvtl v{{[0-9]+}}.4s, v{{[0-9]+}}.4h
// NEON-DAG: fmla v{{[0-9]+}}.4s
// NEON-DAG: fcvtn v{{[0-9]+}}.4h, v{{[0-9]+}}.4s
// AVX2-LABEL: halves:
// AVX2-DAG: vcvtph2ps {{.*}}%ymm
// AVX2-DAG: vfmadd231ps {{.*}}%ymm
// AVX2-DAG: vcvtps2ph {{.*}}%ymm
// AVX512-LABEL: halves:
// AVX512-DAG: vcvtph2ps {{.*}}%zmm
// AVX512-DAG: vfmadd231ps {{.*}}%zmm
// AVX512-DAG: vcvtps2ph {{.*}}%zmm
func.func @halves(%a: memref<64x64xf16>, %b: memref<64x64xf16>, %c: memref<64x64xf16>) {
  einsum.contract "mk, kn -> mn" (%a, %b) outs(%c : memref<64x64xf16>) : (memref<64x64xf16>, memref<64x64xf16>)
  return
}

// A transposition, by exchanges of lanes.
// NEON-LABEL: transposition:
// NEON: {{zip1|trn1|uzp1}} v{{[0-9]+}}.
// NEON: str q
// NEON: .Lfunc_end
// AVX2-LABEL: transposition:
// AVX2: vunpck{{[lh]}}p{{[sd]}} {{.*}}%ymm
// AVX512-LABEL: transposition:
// AVX512: vunpck{{[lh]}}p{{[sd]}} {{.*}}%zmm
func.func @transposition(%a: memref<64x64xf32>, %c: memref<64x64xf32>) {
  einsum.contract "mn -> nm" (%a) outs(%c : memref<64x64xf32>) : (memref<64x64xf32>)
  return
}

}
