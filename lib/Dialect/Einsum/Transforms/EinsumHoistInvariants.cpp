//===- EinsumHoistInvariants.cpp - einsum-hoist-invariants ----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each value of a body depends on the dimensions of the operands that it is
// computed from. One that depends on few, and of which an op uses it that
// depends on more, is computed by an op of its own, with what it is computed
// from. A body has one such op for each value: they are few, and small.
// Comes before einsum-fuse.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/IR/Einsum.h"
#include "tileir/Dialect/Einsum/Transforms/Passes.h"

#include "mlir/Analysis/SliceAnalysis.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StructuredOpsUtils.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/CastInterfaces.h"
#include "llvm/ADT/SmallBitVector.h"

namespace tileir::einsum {
#define GEN_PASS_DEF_EINSUMHOISTINVARIANTSPASS
#include "tileir/Dialect/Einsum/Transforms/Passes.h.inc"
} // namespace tileir::einsum

using namespace mlir;
using namespace tileir::einsum;

/// Whether `op` computes elements that follow those of a contraction, by ops
/// that can be computed elsewhere.
static bool isEpilogue(linalg::GenericOp op) {
  bool isSimple =
      llvm::all_of(op.getBody()->without_terminator(), [](Operation &inner) {
        return isPure(&inner) && inner.getNumRegions() == 0 &&
               inner.getNumResults() == 1;
      });
  return isSimple && op.hasPureTensorSemantics() && op.getNumResults() == 1 &&
         op.getNumParallelLoops() == op.getNumLoops() &&
         llvm::none_of(op.getStaticLoopRanges(), ShapedType::isDynamic) &&
         llvm::any_of(op.getInputs(), [](Value input) {
           return input.getDefiningOp<ContractOp>() != nullptr;
         });
}

namespace {

/// The body of an op, and on which of its dimensions the values depend.
class Body {
public:
  Body(linalg::GenericOp op, int64_t minReuse);

  /// Values that are computed again and again, in the order of the body.
  SmallVector<OpResult> findInvariants();

  /// An op that computes `value` over its dimensions, and its map.
  std::pair<Value, AffineMap> compute(RewriterBase &rewriter, OpResult value);

private:
  /// Of elements that kernels read: memory does not address i1.
  bool isInvariant(Value value) const {
    auto it = dims.find(value);
    Type type = value.getType();
    return it != dims.end() && it->second.any() && type.isIntOrFloat() &&
           type.getIntOrFloatBitWidth() >= 8 &&
           numElements >= minReuse * count(it->second);
  }
  int64_t count(const llvm::SmallBitVector &of) const {
    int64_t elements = 1;
    for (unsigned dim : of.set_bits())
      elements *= sizes[dim];
    return elements;
  }
  /// What `value` is computed from: ops, and arguments of the body.
  SmallVector<Operation *> getSlice(OpResult value);

  linalg::GenericOp op;
  int64_t minReuse;
  SmallVector<int64_t> sizes;
  int64_t numElements;
  llvm::DenseMap<Value, llvm::SmallBitVector> dims;
};

} // namespace

Body::Body(linalg::GenericOp op, int64_t minReuse)
    : op(op), minReuse(minReuse), sizes(op.getStaticLoopRanges()) {
  llvm::SmallBitVector all(sizes.size(), true);
  numElements = count(all);
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    llvm::SmallBitVector &own = dims[op.getMatchingBlockArgument(&operand)];
    own = all;
    if (op.isDpsInput(&operand) && map.isProjectedPermutation())
      for (unsigned dim = 0; dim < sizes.size(); ++dim)
        own[dim] = map.isFunctionOfDim(dim);
  }
  for (Operation &inner : op.getBody()->without_terminator()) {
    llvm::SmallBitVector own(sizes.size());
    if (isa<linalg::IndexOp>(inner))
      own = all;
    for (Value operand : inner.getOperands())
      if (auto it = dims.find(operand); it != dims.end())
        own |= it->second;
    for (Value result : inner.getResults())
      dims[result] = own;
  }
}

SmallVector<Operation *> Body::getSlice(OpResult value) {
  llvm::SetVector<Operation *> slice;
  BackwardSliceOptions options;
  options.inclusive = true;
  options.filter = [&](Operation *inner) {
    return inner->getBlock() == op.getBody();
  };
  (void)getBackwardSlice(Value(value), &slice, options);
  return llvm::to_vector(slice);
}

SmallVector<OpResult> Body::findInvariants() {
  SmallVector<OpResult> found;
  for (Operation &inner : op.getBody()->without_terminator())
    for (OpResult result : inner.getResults()) {
      bool isLast = llvm::any_of(result.getUsers(), [&](Operation *user) {
        return user->hasTrait<OpTrait::IsTerminator>() ||
               !isInvariant(user->getResult(0));
      });
      if (!isInvariant(result) || !isLast)
        continue;
      // A conversion alone would only make what is read wider.
      bool isCast = llvm::all_of(getSlice(result), [](Operation *inner) {
        return isa<CastOpInterface>(inner) ||
               inner->hasTrait<OpTrait::ConstantLike>();
      });
      if (!isCast)
        found.push_back(result);
    }
  return found;
}

std::pair<Value, AffineMap> Body::compute(RewriterBase &rewriter,
                                          OpResult value) {
  Location loc = value.getLoc();
  MLIRContext *context = rewriter.getContext();
  const llvm::SmallBitVector &own = dims.find(value)->second;
  SmallVector<AffineExpr> used,
      inner(sizes.size(), getAffineConstantExpr(0, context));
  SmallVector<int64_t> shape;
  for (unsigned dim : own.set_bits()) {
    inner[dim] = getAffineDimExpr(used.size(), context);
    used.push_back(getAffineDimExpr(dim, context));
    shape.push_back(sizes[dim]);
  }

  SmallVector<Operation *> slice = getSlice(value);
  SmallVector<Value> inputs;
  SmallVector<AffineMap> maps;
  SmallVector<BlockArgument> arguments;
  for (OpOperand *operand : op.getDpsInputOperands()) {
    BlockArgument argument = op.getMatchingBlockArgument(operand);
    if (llvm::none_of(argument.getUsers(), [&](Operation *user) {
          return llvm::is_contained(slice, user);
        }))
      continue;
    inputs.push_back(operand->get());
    arguments.push_back(argument);
    maps.push_back(op.getMatchingIndexingMap(operand).replaceDimsAndSymbols(
        inner, {}, used.size(), 0));
  }
  maps.push_back(rewriter.getMultiDimIdentityMap(used.size()));
  Value empty = tensor::EmptyOp::create(rewriter, loc, shape, value.getType());
  auto computed = linalg::GenericOp::create(
      rewriter, loc, empty.getType(), inputs, empty, maps,
      SmallVector<utils::IteratorType>(used.size(),
                                       utils::IteratorType::parallel),
      [&](OpBuilder &builder, Location, ValueRange elements) {
        IRMapping mapping;
        mapping.map(arguments, elements.drop_back());
        for (Operation *of : slice)
          builder.clone(*of, mapping);
        linalg::YieldOp::create(builder, loc, mapping.lookup(Value(value)));
      });
  return {computed.getResult(0),
          AffineMap::get(sizes.size(), 0, used, context)};
}

namespace {

struct EinsumHoistInvariantsPass
    : tileir::einsum::impl::EinsumHoistInvariantsPassBase<
          EinsumHoistInvariantsPass> {
  using EinsumHoistInvariantsPassBase::EinsumHoistInvariantsPassBase;

  void runOnOperation() override {
    if (minReuse < 2) {
      getOperation()->emitError("einsum-hoist-invariants expects min-reuse to "
                                "be at least 2, found ")
          << minReuse.getValue();
      return signalPassFailure();
    }
    SmallVector<linalg::GenericOp> ops;
    getOperation()->walk([&](linalg::GenericOp op) {
      if (!op->getParentOfType<KernelOp>() && isEpilogue(op))
        ops.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp op : ops)
      hoist(rewriter, op);
  }

private:
  void hoist(RewriterBase &rewriter, linalg::GenericOp op) {
    Body body(op, minReuse);
    SmallVector<OpResult> invariants = body.findInvariants();
    if (invariants.empty())
      return;
    // What is still computed for each element, from the last op to the first.
    llvm::SmallDenseSet<Value> needed;
    for (Operation &inner : llvm::reverse(*op.getBody()))
      if (inner.hasTrait<OpTrait::IsTerminator>() ||
          llvm::any_of(inner.getResults(), [&](OpResult result) {
            return needed.contains(result) &&
                   !llvm::is_contained(invariants, result);
          }))
        needed.insert_range(inner.getOperands());

    rewriter.setInsertionPoint(op);
    SmallVector<Value> inputs;
    SmallVector<AffineMap> maps;
    SmallVector<Value> old;
    for (OpOperand *operand : op.getDpsInputOperands())
      if (BlockArgument argument = op.getMatchingBlockArgument(operand);
          needed.contains(argument)) {
        inputs.push_back(operand->get());
        maps.push_back(op.getMatchingIndexingMap(operand));
        old.push_back(argument);
      }
    for (OpResult value : invariants) {
      auto [input, map] = body.compute(rewriter, value);
      inputs.push_back(input);
      maps.push_back(map);
      old.push_back(value);
      remark::passed(
          value.getLoc(),
          remark::RemarkOpts::name("hoist-invariants").category("einsum"))
          << remark::metric("elements",
                            cast<ShapedType>(input.getType()).getNumElements());
    }
    maps.push_back(op.getIndexingMapsArray().back());
    old.push_back(op.getBody()->getArguments().back());
    auto replaced = linalg::GenericOp::create(
        rewriter, op.getLoc(), op.getResultTypes(), inputs, op.getOutputs(),
        maps, op.getIteratorTypesArray(),
        [&](OpBuilder &builder, Location, ValueRange elements) {
          IRMapping mapping;
          mapping.map(old, elements);
          for (Operation &inner : *op.getBody())
            if (inner.hasTrait<OpTrait::IsTerminator>() ||
                llvm::any_of(inner.getResults(), [&](Value result) {
                  return needed.contains(result) && !mapping.contains(result);
                }))
              builder.clone(inner, mapping);
        });
    numHoisted += invariants.size();
    rewriter.replaceOp(op, replaced);
  }
};

} // namespace
