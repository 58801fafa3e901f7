//===- ContractPatterns.cpp - Products on buffers -------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The product is written as a contraction of einsum, gets a schedule for the
// machine as all contractions on the CPU do, and becomes its kernel.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "tileir/Conversion/EinsumToVector/EinsumToVector.h"
#include "tileir/Dialect/Einsum/IR/Einsum.h"

#include "mlir/Dialect/Linalg/IR/Linalg.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::linalg_to_vector;

/// Whether sums of `result` are formed of products of `input` as they are.
static bool isExact(Type input, Type result) {
  if (input == result)
    return input.isF32() || input.isF64() || input.isInteger(32);
  if (input.isInteger(8))
    return result.isInteger(32);
  return result.isF32() &&
         isa<Float16Type, BFloat16Type, Float8E4M3FNType, Float8E5M2Type>(
             input);
}

namespace {

struct VectorizeContract : OpRewritePattern<linalg::ContractOp> {
  VectorizeContract(MLIRContext *context, Pass::Statistic &count)
      : OpRewritePattern(context), count(count) {}

  LogicalResult matchAndRewrite(linalg::ContractOp op,
                                PatternRewriter &rewriter) const override {
    if (!op.hasPureBufferSemantics() ||
        ShapedType::isDynamicShape(op.getStaticLoopRanges()))
      return rewriter.notifyMatchFailure(op, "not on buffers of static shapes");
    Value result = op.getOutputs().front();
    auto getElement = [](Value memref) {
      return cast<MemRefType>(memref.getType()).getElementType();
    };
    Type input = getElement(op.getInputs()[0]);
    if (input != getElement(op.getInputs()[1]) ||
        !isExact(input, getElement(result)) ||
        op.getCast() == linalg::TypeFn::cast_unsigned)
      return rewriter.notifyMatchFailure(
          op, "microkernels do not multiply these types");
    std::optional<SpecAttr> spec = getSpec(op);
    if (!spec)
      return rewriter.notifyMatchFailure(op, "the indices of an operand are no "
                                             "projection of the loops");
    auto contract = ContractOp::create(
        rewriter, op.getLoc(), TypeRange(), *spec, op.getInputs(),
        /*tables=*/ValueRange(), result, /*pad=*/StringAttr(),
        /*acc=*/TypeAttr(), /*precision=*/StringAttr(),
        /*sizes=*/DictionaryAttr());
    std::string reason;
    if (failed(to_vector::emitAccumulation(rewriter, contract, reason))) {
      rewriter.eraseOp(contract);
      return rewriter.notifyMatchFailure(op, reason);
    }
    rewriter.eraseOp(op);
    ++count;
    return success();
  }

private:
  /// Indices of the result come first.
  static std::optional<SpecAttr> getSpec(linalg::ContractOp op) {
    SmallVector<AffineMap> maps = op.getIndexingMapsArray();
    if (llvm::any_of(
            maps, [](AffineMap map) { return !map.isProjectedPermutation(); }))
      return std::nullopt;
    unsigned numLoops = maps.back().getNumDims();
    SmallVector<AffineExpr> places(numLoops);
    unsigned next = 0;
    MLIRContext *context = op.getContext();
    auto place = [&](unsigned loop) {
      if (!places[loop])
        places[loop] = getAffineDimExpr(next++, context);
    };
    for (AffineExpr index : maps.back().getResults())
      place(cast<AffineDimExpr>(index).getPosition());
    unsigned numResults = next;
    for (unsigned loop = 0; loop < numLoops; ++loop)
      place(loop);
    std::string indices;
    for (unsigned i = 0; i < numLoops; ++i)
      indices += 'a' + i;
    SmallVector<AffineMap> operands =
        llvm::map_to_vector(ArrayRef(maps).drop_back(), [&](AffineMap map) {
          return map.replaceDimsAndSymbols(places, {}, numLoops, 0);
        });
    return SpecAttr::getCanonical(context, indices, numResults, /*lookups=*/{},
                                  operands);
  }

  Pass::Statistic &count;
};

} // namespace

void linalg_to_vector::populateContractPatterns(RewritePatternSet &patterns,
                                                Pass::Statistic &count) {
  patterns.add<VectorizeContract>(patterns.getContext(), count);
}
