// LLVM's code generation aborts at the vectors of odd sizes that its SLP vectorizer makes of these blocks on processors
// with avx512bf16: functions with bf16 are optimized without it.
//
// RUN: tile-run %s --random=5 --check=interp --pipeline="einsum-to-tile-pipeline{config={block=16x8x5}},tile-to-cpu-pipeline"

func.func @main(%x: tensor<?x?x8xbf16> {einsum.example_shape = array<i64: 2, 6, 8>},
                %y: tensor<?x3x?xbf16> {einsum.example_shape = array<i64: 6, 3, 2>}) -> tensor<3x?x2xbf16> {
  %0 = einsum.contract "umx, mju -> jxu" (%x, %y) {pad = "zero"}
      : (tensor<?x?x8xbf16>, tensor<?x3x?xbf16>) -> tensor<3x?x2xbf16>
  return %0 : tensor<3x?x2xbf16>
}
