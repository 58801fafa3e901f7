//===- EinsumInlineKernels.cpp - einsum-inline-kernels --------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces kernels by their bodies. Afterwards no einsum.kernel is left.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/IR/Einsum.h"
#include "tileir/Dialect/Einsum/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"

namespace tileir::einsum {
#define GEN_PASS_DEF_EINSUMINLINEKERNELSPASS
#include "tileir/Dialect/Einsum/Transforms/Passes.h.inc"
} // namespace tileir::einsum

using namespace mlir;
using namespace tileir::einsum;

void tileir::einsum::inlineKernel(RewriterBase &rewriter, KernelOp kernel) {
  Block *body = &kernel.getBody().front();
  Operation *yield = body->getTerminator();
  rewriter.inlineBlockBefore(body, kernel, kernel.getInputs());
  rewriter.replaceOp(kernel, yield->getOperand(0));
  rewriter.eraseOp(yield);
}

namespace {

struct EinsumInlineKernelsPass
    : tileir::einsum::impl::EinsumInlineKernelsPassBase<
          EinsumInlineKernelsPass> {
  using EinsumInlineKernelsPassBase::EinsumInlineKernelsPassBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    getOperation()->walk([&](KernelOp op) {
      inlineKernel(rewriter, op);
      ++numInlined;
    });
  }
};

} // namespace
