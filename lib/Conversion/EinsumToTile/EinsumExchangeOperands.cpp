//===- EinsumExchangeOperands.cpp - einsum-exchange-operands --------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs a target, and the pointwise ops around contractions in an
// einsum.kernel: einsum-fuse comes before, tile-select-config behind it.
// Afterwards what multiplies in warpgroups finds its long axis along M, and
// operand A is the one that pointwise ops make, if only one is.
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/EinsumToTile/EinsumToTile.h"
#include "tileir/Dialect/Einsum/Analysis/ContractionDims.h"
#include "tileir/Dialect/Einsum/IR/IndexSizes.h"
#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/Layout/Fragments/Warpgroup.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileir {
#define GEN_PASS_DEF_EINSUMEXCHANGEOPERANDSPASS
#include "tileir/Conversion/Passes.h.inc"
} // namespace tileir

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;

/// The only contraction of what becomes a kernel, if it has two operands.
static ContractOp getOnlyContraction(Operation *unit) {
  auto contract = dyn_cast<ContractOp>(unit);
  if (auto kernel = dyn_cast<KernelOp>(unit)) {
    auto all = kernel.getBody().getOps<ContractOp>();
    if (llvm::hasSingleElement(all))
      contract = *all.begin();
  }
  return contract && contract.getInputs().size() == 2 ? contract : ContractOp();
}

static bool hasWarpgroupAtoms(ContractOp op) {
  std::string reason;
  auto getType = [&](unsigned operand) {
    return getElementTypeOrSelf(op.getInputs()[operand]);
  };
  return !tile::selectAtoms(tile::listAtoms(op), getType(0), getType(1),
                            op.getAccumulatorType(), op.isTF32(), reason,
                            /*ofWarpgroups=*/true)
              .empty();
}

/// Why M and N are to change places; empty if they are not.
static StringRef getReason(ContractOp op) {
  ContractionDims dims(op.getSpec(), getStaticIndexSizes(op));
  auto isLong = [&](ContractionDim dim) {
    int64_t size = dims.getSize(dim);
    return ShapedType::isDynamic(size) || size >= layout::kGroupRows;
  };
  // A size of 1 is no product of matrices.
  for (ContractionDim dim :
       {ContractionDim::M, ContractionDim::N, ContractionDim::K})
    if (dims.getIndices(dim).empty())
      return "";
  if (op.isComputed(0) || !isLong(ContractionDim::N))
    return "";
  if (op.isComputed(1))
    return "pointwise ops make B";
  return isLong(ContractionDim::M) ? "" : "M is small";
}

namespace {
struct EinsumExchangeOperandsPass
    : tileir::impl::EinsumExchangeOperandsPassBase<EinsumExchangeOperandsPass> {
  using EinsumExchangeOperandsPassBase::EinsumExchangeOperandsPassBase;

  void runOnOperation() override {
    // If it is wrong, tile-select-config says so.
    auto given = tile::parseConfig(&getContext(), config,
                                   [] { return InFlightDiagnostic(); });
    if (failed(given))
      return;
    SmallVector<ContractOp> exchanged;
    getOperation().walk<WalkOrder::PreOrder>([&](Operation *op) {
      if (!isa<ContractOp, KernelOp>(op))
        return WalkResult::advance();
      ContractOp contract = getOnlyContraction(op);
      if (contract && !getReason(contract).empty() &&
          hasWarpgroupAtoms(contract) && mayExchange(op, contract, *given))
        exchanged.push_back(contract);
      return WalkResult::skip();
    });
    IRRewriter rewriter(&getContext());
    for (ContractOp op : exchanged) {
      rewriter.setInsertionPoint(op);
      ContractOp other = op.createExchanged(rewriter);
      other->setDiscardableAttrs(op->getDiscardableAttrDictionary());
      rewriter.replaceOp(op, other);
    }
    numExchanged += exchanged.size();
  }

private:
  static bool mayExchange(Operation *unit, ContractOp op,
                          const layout::TileConfig &given) {
    auto options =
        remark::RemarkOpts::name("exchange-operands").category("tile");
    std::string reason;
    if (tile::ConfigAttr::find(unit))
      reason = "its 'tile.config' has blocks of M and N as they are";
    else if (given.block.m % layout::kGroupRows != 0)
      reason = llvm::formatv("blocks have an M of {0}: expected a multiple of "
                             "{1}",
                             given.block.m, layout::kGroupRows);
    else if (given.atom && !given.atom->isWarpgroup)
      reason =
          llvm::formatv("the configuration asks for {0}", given.atom->name);
    if (reason.empty())
      remark::passed(op.getLoc(), options)
          << remark::reason("{0}", getReason(op));
    else
      remark::missed(op.getLoc(), options) << remark::reason("{0}", reason);
    return reason.empty();
  }
};
} // namespace
