//===- UnrolledLoop.cpp - Loops that LLVM unrolls or not ------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/EinsumLowering/UnrolledLoop.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

/// Ops on vectors that a short loop is at most, unrolled.
static constexpr int64_t kMostUnrolledOps = 128;

static void annotate(scf::ForOp loop, BoolAttr disable, BoolAttr full) {
  MLIRContext *context = loop.getContext();
  auto unroll =
      LLVM::LoopUnrollAttr::get(context, disable, {}, {}, full, {}, {}, {});
  loop->setDiscardableAttr(
      "loop_annotation",
      LLVM::LoopAnnotationAttr::get(context, {}, {}, {}, unroll, {}, {}, {}, {},
                                    {}, {}, {}, {}, {}, {}, {}));
}

void tileir::lowering::keepLoop(scf::ForOp loop) {
  annotate(loop, BoolAttr::get(loop.getContext(), true), /*full=*/{});
}

void tileir::lowering::unrollShortLoop(scf::ForOp loop) {
  auto iterations = loop.getStaticTripCount();
  int64_t numOps = 0;
  loop.getBody()->walk([&](Operation *op) {
    numOps += llvm::any_of(op->getOperandTypes(), llvm::IsaPred<VectorType>) ||
              llvm::any_of(op->getResultTypes(), llvm::IsaPred<VectorType>);
  });
  if (iterations && (*iterations * numOps).ule(kMostUnrolledOps))
    annotate(loop, /*disable=*/{}, BoolAttr::get(loop.getContext(), true));
}
