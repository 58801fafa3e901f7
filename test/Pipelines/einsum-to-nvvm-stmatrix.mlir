// einsum-to-nvvm-pipeline: results of 16 bits go from accumulators to the layout of the stores by stmatrix, from sm_90 on.
// A warp has 64 x 32 of them: eight times four matrices of 8 x 8, each lane the address of a row of 16 bytes; then it reads
// vectors of 16 bytes.
//
// RUN: tile-translate %s --tile-to-ptx --chip=sm_90 | FileCheck %s
// RUN: tile-translate %s --tile-to-ptx --chip=sm_120 | FileCheck %s
// RUN: tile-translate %s --tile-to-ptx --chip=sm_89 | FileCheck %s --check-prefix=ADA

// CHECK:         mma.sync
// CHECK-COUNT-8: stmatrix.sync.aligned.m8n8.x4.shared.b16
// CHECK-NOT:     {{stmatrix|st.shared}}
// CHECK:         bar.sync
// CHECK-COUNT-8: ld.shared.v4
// CHECK-NOT:     ld.shared
// CHECK:         st.global.v4

// ADA-NOT: stmatrix
func.func @main(%a: tensor<512x512xf16>, %b: tensor<512x512xf16>) -> tensor<512x512xf16> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) {acc = f32} : (tensor<512x512xf16>, tensor<512x512xf16>) -> tensor<512x512xf16>
  return %c : tensor<512x512xf16>
}
