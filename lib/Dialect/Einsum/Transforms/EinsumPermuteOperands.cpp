//===- EinsumPermuteOperands.cpp - einsum-permute-operands ----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// OperandOrders.h decides; this copies operands, and has contractions read the
// copies.
//
// Needs contractions on tensors, of two operands. Leaves two kinds: those that
// copy, and those that read copies. Canonicalization would compose the two.
//
//===----------------------------------------------------------------------===//

#include "OperandOrders.h"

#include "tileir/Dialect/Einsum/Transforms/Passes.h"

#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileir::einsum {
#define GEN_PASS_DEF_EINSUMPERMUTEOPERANDSPASS
#include "tileir/Dialect/Einsum/Transforms/Passes.h.inc"
} // namespace tileir::einsum

using namespace mlir;
using namespace tileir::einsum;
using llvm::formatv;

/// A contraction that copies `input`, with its axes in the order `order`.
static Value permute(OpBuilder &builder, Location loc, Value input,
                     ArrayRef<unsigned> order) {
  auto type = cast<RankedTensorType>(input.getType());
  std::string indices;
  SmallVector<int64_t> shape;
  SmallVector<AffineExpr> axes(order.size());
  for (auto [position, axis] : llvm::enumerate(order)) {
    indices.push_back('a' + position);
    shape.push_back(type.getDimSize(axis));
    axes[axis] = builder.getAffineDimExpr(position);
  }
  auto spec = SpecAttr::getCanonical(
      builder.getContext(), indices, order.size(), /*lookups=*/{},
      AffineMap::get(order.size(), 0, axes, builder.getContext()));
  return ContractOp::create(
             builder, loc, RankedTensorType::get(shape, type.getElementType()),
             spec, input, /*tables=*/ValueRange(), /*outs=*/Value(),
             /*pad=*/nullptr, /*acc=*/nullptr, /*precision=*/nullptr,
             /*sizes=*/nullptr)
      .getResult();
}

namespace {

struct EinsumPermuteOperandsPass
    : tileir::einsum::impl::EinsumPermuteOperandsPassBase<
          EinsumPermuteOperandsPass> {
  using EinsumPermuteOperandsPassBase::EinsumPermuteOperandsPassBase;

  void runOnOperation() override {
    if (block < 1 || minReuse < 0 || rowBytes < 0) {
      getOperation()->emitError("einsum-permute-operands expects block to be "
                                "positive, min-reuse and row-bytes not to be "
                                "negative, found ")
          << block.getValue() << ", " << minReuse.getValue() << " and "
          << rowBytes.getValue();
      return signalPassFailure();
    }
    SmallVector<ContractOp> contractions;
    getOperation()->walk([&](ContractOp op) {
      if (op.hasTensorForm() && !op->getParentOfType<KernelOp>())
        contractions.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (ContractOp op : contractions)
      permuteOperands(rewriter, op);
  }

private:
  void permuteOperands(RewriterBase &rewriter, ContractOp op) {
    OperandOrders orders(op, block, minReuse, rowBytes);
    if (!orders.isProduct())
      return;
    auto isStatic = [](Value value) {
      return cast<ShapedType>(value.getType()).hasStaticShape();
    };
    if (!llvm::all_of(op.getInputs(), isStatic) || !isStatic(op.getResult())) {
      remark::missed(op.getLoc(), getRemark())
          << remark::reason("sizes are dynamic");
      return;
    }
    auto chosen = orders.choose();
    SpecAttr ordered = orders.apply(chosen);
    SmallVector<Value> inputs(op.getInputs());
    rewriter.setInsertionPoint(op);
    for (auto [operand, order] : llvm::enumerate(chosen)) {
      report(op, orders, operand, order, orders.isWide(ordered, operand));
      if (llvm::is_sorted(order))
        continue;
      inputs[operand] = permute(rewriter, op.getLoc(), inputs[operand], order);
      ++numPermuted;
    }
    if (llvm::equal(inputs, op.getInputs()))
      return;
    SpecAttr spec = SpecAttr::getCanonical(
        &getContext(), ordered.getIndices(), ordered.getNumResultIndices(),
        ordered.getLookups(), ordered.getMaps());
    auto tables = llvm::map_to_vector(
        spec.getTables(), [&](StringRef table) { return op.getTable(table); });
    auto result = ContractOp::create(
        rewriter, op.getLoc(), op->getResultTypes(), spec, inputs, tables,
        op.getOuts(), op.getPadAttr(), op.getAccAttr(), op.getPrecisionAttr(),
        op.getSizesAttr(), op.getScheduleAttr());
    result->setDiscardableAttrs(op->getDiscardableAttrDictionary());
    rewriter.replaceOp(op, result);
  }

  static remark::RemarkOpts getRemark() {
    return remark::RemarkOpts::name("permute-operands").category("einsum");
  }

  /// Reports the order of an operand that is copied, or why one that wide
  /// accesses do not read is not copied.
  void report(ContractOp op, const OperandOrders &orders, unsigned operand,
              ArrayRef<unsigned> order, bool isWide) {
    std::string reuse = formatv("{0:f1}", orders.getReuse(operand));
    if (!llvm::is_sorted(order)) {
      std::string axes;
      llvm::raw_string_ostream os(axes);
      llvm::interleaveComma(order, os);
      remark::passed(op.getLoc(), getRemark())
          << remark::metric("operand", operand) << remark::metric("axes", axes)
          << remark::metric("reuse", reuse);
    } else if (!isWide) {
      std::string reason = orders.getFailureReason(operand);
      if (reason.empty())
        reason =
            formatv("the kernel reads an element {0} times only, which costs "
                    "less than a copy",
                    reuse);
      remark::missed(op.getLoc(), getRemark())
          << remark::metric("operand", operand)
          << remark::reason("{0}", reason);
    }
  }
};

} // namespace
