// Programs in groups, and what L2 makes of their order: 48 of 256 programs run at the same time on sm_72, whose L2 does not
// hold operands and result. In order of their numbers they are 16 rows of blocks by 3 columns, in groups of 8 they are 8 by
// 6. Operands and result are 2.5 MB, and all sectors that the programs ask for 10 MB.
//
// RUN: tile-run %s --backend=sim --chip=sm_72 --random=1 --check=interp --counters --pipeline="einsum-to-nvvm-pipeline{chip=sm_72 config={block=64x64x32 warp=32x32}}" | FileCheck %s --check-prefixes=CHECK,PLAIN
// RUN: tile-run %s --backend=sim --chip=sm_72 --random=1 --check=interp --counters --pipeline="einsum-to-nvvm-pipeline{chip=sm_72 config={block=64x64x32 warp=32x32 group=8}}" | FileCheck %s --check-prefixes=CHECK,GROUP

// CHECK: grid 16x16x1
// CHECK: global {{ *}}10485760 bytes
// PLAIN: device {{ *}}3932160 bytes
// GROUP: device {{ *}}3538944 bytes
// CHECK: 5.33 waves
func.func @main(%a: tensor<1024x128xf16>, %b: tensor<128x1024xf16>) -> tensor<1024x1024xf16> {
  %c = einsum.contract "mk, kn -> mn" (%a, %b) : (tensor<1024x128xf16>, tensor<128x1024xf16>) -> tensor<1024x1024xf16>
  return %c : tensor<1024x1024xf16>
}
