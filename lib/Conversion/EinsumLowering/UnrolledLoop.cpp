//===- UnrolledLoop.cpp - Loops that stay as they are ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/EinsumLowering/UnrolledLoop.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

void tileir::lowering::keepLoop(scf::ForOp loop) {
  Builder builder(loop);
  auto unroll = LLVM::LoopUnrollAttr::get(loop.getContext(),
                                          /*disable=*/builder.getBoolAttr(true),
                                          {}, {}, {}, {}, {}, {});
  loop->setDiscardableAttr(
      "loop_annotation",
      LLVM::LoopAnnotationAttr::get(loop.getContext(), {}, {}, {}, unroll, {},
                                    {}, {}, {}, {}, {}, {}, {}, {}, {}, {}));
}
