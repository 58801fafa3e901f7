// Flags of functions around a product reach its kernel, where they decide between instructions and libdevice.
//
// RUN: tile-opt --einsum-fuse %s | FileCheck %s --check-prefixes=FUSED,KEPT
// RUN: tile-opt --pass-pipeline="builtin.module(einsum-fuse,convert-einsum-to-tile)" %s | FileCheck %s --check-prefixes=KERNEL,KEPT
// RUN: tile-opt --pass-pipeline="builtin.module(einsum-to-tile-pipeline,tile-place-buffers,tile-attach-target,func.func(tile-assign-layouts),tile-promote-shared,tile-allocate-shared,tile-insert-barriers,convert-tile-to-gpu)" %s | FileCheck %s --check-prefixes=KERNEL,KEPT
// RUN: tile-opt --einsum-to-nvvm-pipeline %s | FileCheck %s --check-prefixes=KERNEL,DONE
// RUN: tile-run %s --backend=sim --chip=sm_70 --entry=approximate --random=3 --check=interp --tolerance=0.002
// RUN: tile-run %s --backend=sim --chip=sm_80 --entry=approximate --random=3 --check=interp --tolerance=0.002
// RUN: tile-run %s --backend=sim --chip=sm_70 --entry=exact --random=3 --check=interp --tolerance=0.002

!a = tensor<32x32xf16>

// FUSED-LABEL: func.func @approximate(
// KERNEL-LABEL: func{{.*}} @approximate_contract(
func.func @approximate(%a: !a, %b: !a) -> !a {
  // KEPT: math.exp %{{.*}} fastmath<afn>
  // DONE-NOT: __nv_
  // DONE: "llvm.nvvm.ex2.approx.ftz"
  // DONE: mma.sync
  %0 = math.exp %a fastmath<afn> : !a
  // KEPT: {{tile.dot|einsum.contract|mma.sync}}
  %1 = einsum.contract "mk, kn -> mn" (%0, %b) : (!a, !a) -> !a
  // KEPT: math.tanh %{{.*}} fastmath<contract,afn>
  // DONE: "llvm.nvvm.rcp.approx.ftz.f"
  %2 = math.tanh %1 fastmath<contract,afn> : !a
  // KEPT: arith.divf %{{.*}}, %{{.*}} fastmath<arcp>
  // DONE: "llvm.nvvm.div.approx.ftz.f"
  %two = arith.constant dense<2.0> : !a
  %3 = arith.divf %2, %two fastmath<arcp> : !a
  // KEPT: arith.maximumf %{{.*}}, %{{.*}} fastmath<nnan>
  // DONE: "set.gtu.u32.f16x2
  %half = arith.constant dense<-0.25> : !a
  %4 = arith.maximumf %3, %half fastmath<nnan> : !a
  // DONE-NOT: __nv_
  // DONE: llvm.return
  return %4 : !a
}

// FUSED-LABEL: func.func @exact(
// KERNEL-LABEL: func{{.*}} @exact_contract(
func.func @exact(%a: !a, %b: !a) -> !a {
  %0 = einsum.contract "mk, kn -> mn" (%a, %b) : (!a, !a) -> !a
  // KEPT: math.tanh %{{.*}} : {{(tensor|vector)}}
  // DONE: call @__nv_tanhf
  %1 = math.tanh %0 : !a
  return %1 : !a
}
