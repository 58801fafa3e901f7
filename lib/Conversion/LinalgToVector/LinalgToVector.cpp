//===- LinalgToVector.cpp - convert-linalg-to-vector ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comes right after bufferization: buffers that kernels of products need are
// then placed and freed with those of tiles. Whatever it leaves becomes loops
// over elements by upstream's passes.
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/LinalgToVector/LinalgToVector.h"
#include "Patterns.h"
#include "tileir/Dialect/Einsum/IR/Einsum.h"
#include "tileir/Dialect/Einsum/IR/Schedule.h"

#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Dialect/X86Vector/X86VectorDialect.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace tileir {
#define GEN_PASS_DEF_CONVERTLINALGTOVECTORPASS
#include "tileir/Conversion/Passes.h.inc"
} // namespace tileir

using namespace mlir;
using namespace tileir;
using namespace tileir::linalg_to_vector;

namespace {

struct ConvertLinalgToVectorPass
    : tileir::impl::ConvertLinalgToVectorPassBase<ConvertLinalgToVectorPass> {
  using Base::Base;

  void runOnOperation() override {
    if (collapse)
      collapseLoops(getOperation());
    RewritePatternSet patterns(&getContext());
    int64_t minParallel =
        parallel ? minParallelElements : std::numeric_limits<int64_t>::max();
    Fills fills;
    if (borderedWindows) {
      populateBorderedWindowPatterns(patterns, minParallel, fills,
                                     numReductions);
      walkAndApplyPatterns(getOperation(), std::move(patterns));
      return fills.erase();
    }
    straightenOperands(getOperation(), minParallel);
    populateContractPatterns(patterns, numProducts);
    populateTransposePatterns(patterns, minParallel, numPointwise);
    populatePointwisePatterns(patterns, minParallel, numPointwise);
    populateGenericReducePatterns(patterns, minParallel, fills, numReductions);
    populateReducePatterns(patterns, minParallel, fills, numReductions);
    populateWindowPatterns(patterns, minParallel, fills, numReductions);
    walkAndApplyPatterns(getOperation(), std::move(patterns));
    fills.erase();
    numDivisions += expandUniformDivisions(getOperation());
    // Nothing after this one asks for it, and LLVM IR has no place for it.
    getOperation()->removeAttr(einsum::kMachineAttr);
  }
};

} // namespace
