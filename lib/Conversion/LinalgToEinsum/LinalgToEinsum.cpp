//===- LinalgToEinsum.cpp - convert-linalg-to-einsum ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Replaces structured ops that are contractions (LinalgContraction.cpp) by
// einsum.contract, and adds what their outputs were, unless that is known to be
// zero. An op is left as it is, with a remark that says why, where the verifier
// of einsum.contract would refuse what it would become. The last op comes
// first: what it looks through is not a contraction yet, and may then be
// unused.
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/LinalgToEinsum/LinalgToEinsum.h"
#include "LinalgContraction.h"

#include "mlir/Analysis/AliasAnalysis.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"

namespace tileir {
#define GEN_PASS_DEF_CONVERTLINALGTOEINSUMPASS
#include "tileir/Conversion/Passes.h.inc"
} // namespace tileir

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::to_einsum;

static remark::RemarkOpts getRemarkOptions() {
  return remark::RemarkOpts::name("linalg-to-einsum").category("einsum");
}

/// Whether `value` is 0 or an array of zeros. A sum that begins at -0 may be -0
/// itself, one that begins at 0 may not.
static bool isZero(Value value) {
  return matchPattern(value, m_Zero()) || matchPattern(value, m_PosZeroFloat());
}

/// The fill that gives `init` its elements right before `op`, or null.
static linalg::FillOp findFill(linalg::LinalgOp op, Value init,
                               AliasAnalysis &aliases) {
  if (isa<TensorType>(init.getType()))
    return init.getDefiningOp<linalg::FillOp>();
  for (Operation *before = op->getPrevNode(); before;
       before = before->getPrevNode()) {
    auto fill = dyn_cast<linalg::FillOp>(before);
    if (fill && fill.output() == init)
      return fill;
    if (!aliases.getModRef(before, init).isNoModRef())
      return {};
  }
  return {};
}

/// Makes the contraction, which is in no block yet. On tensors `outs` is left
/// out where the type tells the sizes.
static FailureOr<ContractOp> create(linalg::LinalgOp op,
                                    const LinalgContraction &contraction,
                                    Value outs, Miss miss) {
  OpBuilder detached(op.getContext());
  SmallVector<Type> types;
  auto outsType = cast<ShapedType>(outs.getType());
  if (op.hasPureTensorSemantics()) {
    types.push_back(outsType);
    if (outsType.hasStaticShape())
      outs = Value();
  }
  auto contract = ContractOp::create(
      detached, op.getLoc(), types, contraction.spec, contraction.inputs,
      /*tables=*/ValueRange(), outs, /*pad=*/StringAttr(), /*acc=*/TypeAttr(),
      /*precision=*/StringAttr(), contraction.sizes);
  // Structured ops round each product and each sum to their output's type.
  Type element = outsType.getElementType();
  if (isa<FloatType>(element) && contract.getAccumulatorType() != element)
    contract.setAcc(element);
  if (failed(reportAsMiss(op.getContext(), miss,
                          [&] { return contract.verifyInvariants(); }))) {
    contract->erase();
    return failure();
  }
  return contract;
}

/// Replaces `op` on tensors by `sum`, to which `init` is added.
static void addToTensor(RewriterBase &rewriter, linalg::LinalgOp op,
                        ContractOp sum, Value init) {
  if (isa<FloatType>(sum.getOutputType().getElementType()))
    rewriter.replaceOpWithNewOp<arith::AddFOp>(op, init, sum.getResult());
  else
    rewriter.replaceOpWithNewOp<arith::AddIOp>(op, init, sum.getResult());
}

/// Replaces `op` on memrefs by `sum`, which goes to a new buffer and from there
/// is added to `init`. Passes that place deallocations leave the buffer alone.
static void addToBuffer(RewriterBase &rewriter, linalg::LinalgOp op,
                        ContractOp sum, Value init) {
  Location loc = op.getLoc();
  auto type = cast<MemRefType>(init.getType());
  rewriter.setInsertionPoint(sum);
  auto buffer = memref::AllocOp::create(
      rewriter, loc, memref::getMixedSizes(rewriter, loc, init),
      type.getElementType(), type.getMemorySpace());
  sum.getOutsMutable().assign(buffer);
  rewriter.setInsertionPoint(op);
  linalg::AddOp::create(rewriter, loc, ValueRange{init, buffer},
                        ValueRange{init});
  auto dealloc = memref::DeallocOp::create(rewriter, loc, buffer);
  for (Operation *manual : {buffer.getOperation(), dealloc.getOperation()})
    manual->setAttr(bufferization::BufferizationDialect::kManualDeallocation,
                    rewriter.getUnitAttr());
  rewriter.eraseOp(op);
}

/// Replaces `op`, if it is a contraction, and returns its specification.
static FailureOr<SpecAttr> convert(linalg::LinalgOp op, RewriterBase &rewriter,
                                   AliasAnalysis &aliases, Miss miss) {
  auto contraction = LinalgContraction::match(op, miss);
  if (failed(contraction))
    return failure();
  Value init = op.getDpsInits().front();
  if (op.hasPureBufferSemantics())
    for (Value input : contraction->inputs)
      if (AliasResult alias = aliases.alias(input, init);
          alias.isMust() || alias.isPartial())
        return miss("its output overlaps an operand");

  // Nothing but a sum over at least one index is the same when it begins at 0:
  // that turns -0 into 0.
  linalg::FillOp fill = findFill(op, init, aliases);
  bool isOverwritten = !contraction->accumulates;
  if (contraction->isSum())
    isOverwritten |= isZero(fill ? fill.value() : init);

  bool isTensor = op.hasPureTensorSemantics();
  auto contract =
      create(op, *contraction, fill && isTensor ? fill.output() : init, miss);
  if (failed(contract))
    return failure();
  rewriter.setInsertionPoint(op);
  rewriter.insert(*contract);
  if (isOverwritten)
    rewriter.replaceOp(op, contract->getResults());
  else if (isTensor)
    addToTensor(rewriter, op, *contract, init);
  else
    addToBuffer(rewriter, op, *contract, init);
  if (isOverwritten && fill && fill->use_empty())
    rewriter.eraseOp(fill);
  return contraction->spec;
}

namespace {
struct ConvertLinalgToEinsumPass
    : tileir::impl::ConvertLinalgToEinsumPassBase<ConvertLinalgToEinsumPass> {
  using ConvertLinalgToEinsumPassBase::ConvertLinalgToEinsumPassBase;

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    auto &aliases = getAnalysis<AliasAnalysis>();
    SmallVector<std::pair<linalg::LinalgOp, bool>> ops; // whether used
    getOperation()->walk([&](linalg::LinalgOp op) {
      // An op that reads no array, such as a fill, is no candidate.
      if (llvm::any_of(op.getDpsInputs(), [](Value input) {
            return isa<ShapedType>(input.getType());
          }))
        ops.push_back({op, !op->use_empty()});
    });
    SmallVector<Outcome> outcomes;
    for (auto [op, wasUsed] : llvm::reverse(ops)) {
      if (wasUsed && op->use_empty()) {
        rewriter.eraseOp(op);
        continue;
      }
      Outcome &outcome = outcomes.emplace_back(op.getLoc());
      auto miss = [&, op = op](const Twine &reason) {
        outcome.reason = reason.str();
        return rewriter.notifyMatchFailure(op, reason);
      };
      auto spec = convert(op, rewriter, aliases, miss);
      if (succeeded(spec))
        outcome.spec = spec->toString();
    }
    for (const Outcome &outcome : llvm::reverse(outcomes))
      tell(outcome);
  }

private:
  /// What became of a structured op.
  struct Outcome {
    Outcome(Location loc) : loc(loc) {}
    Location loc;
    std::string spec;   // of the contraction, or
    std::string reason; // why it is none
  };

  void tell(const Outcome &outcome) {
    if (outcome.reason.empty()) {
      ++numConverted;
      remark::passed(outcome.loc, getRemarkOptions())
          << remark::metric("spec", outcome.spec);
    } else {
      ++numKept;
      remark::missed(outcome.loc, getRemarkOptions())
          << remark::reason("{0}", outcome.reason);
    }
  }
};
} // namespace
