//===- EinsumContractPairwise.cpp - einsum-contract-pairwise --------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites a contraction of n > 2 operands as n - 1 of two, in the order of
// ContractionOrder.h. Afterwards no contraction has more than two operands. An
// intermediate result has an axis for each index that is used later, so it
// holds what its operands multiply to wherever they are read: affine axes,
// tables and padding stay in the step that reads the original operand.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/IR/IndexSizes.h"
#include "tileir/Dialect/Einsum/Transforms/Passes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/WalkPatternRewriteDriver.h"

namespace tileir::einsum {
#define GEN_PASS_DEF_EINSUMCONTRACTPAIRWISEPASS
#include "tileir/Dialect/Einsum/Transforms/Passes.h.inc"
} // namespace tileir::einsum

using namespace mlir;
using namespace tileir::einsum;

namespace {

/// An operand of a step: a value, how the indices of the original contraction
/// index it, and which they are.
struct StepOperand {
  Value value;
  AffineMap map;
};

/// Emits the steps that replace one contraction.
class PairEmitter {
public:
  PairEmitter(ContractOp op, PatternRewriter &rewriter)
      : op(op), spec(op.getSpec()), rewriter(rewriter),
        sizes(reifyIndexSizes(rewriter, op)) {
    for (auto [value, map] : llvm::zip(op.getInputs(), spec.getMaps()))
      operands.push_back({value, map});
  }

  void emit(const ContractionOrder &order) {
    for (const ContractionStep &step : order.steps) {
      bool isLast = &step == &order.steps.back();
      emitStep(step, isLast);
    }
    for (Value buffer : buffers)
      memref::DeallocOp::create(rewriter, op.getLoc(), buffer);
    if (op.hasTensorForm())
      rewriter.replaceOp(op, operands.back().value);
    else
      rewriter.eraseOp(op);
  }

private:
  void emitStep(const ContractionStep &step, bool isLast) {
    StepOperand inputs[] = {operands[step.lhs], operands[step.rhs]};
    auto isUsed = [&](unsigned index) {
      return llvm::any_of(inputs, [&](const StepOperand &input) {
        return llvm::any_of(input.map.getResults(), [&](AffineExpr axis) {
          return spec.usesIndex(axis, index);
        });
      });
    };
    // The indices of the step's result come first.
    SmallVector<unsigned> indices;
    for (unsigned index = 0; index < spec.getNumIndices(); ++index)
      if (isLast ? !spec.isReduction(index)
                 : (step.indices >> index & 1) && isUsed(index))
        indices.push_back(index);
    unsigned numKept = indices.size();
    for (unsigned index = 0; index < spec.getNumIndices(); ++index)
      if (!llvm::is_contained(indices, index))
        indices.push_back(index);
    SpecAttr stepSpec =
        spec.reorder(indices, numKept, {inputs[0].map, inputs[1].map});

    SmallVector<Value> tables;
    for (StringRef table : stepSpec.getTables())
      tables.push_back(op.getTable(table));
    Value outs = isLast ? op.getOuts() : createOuts(indices, numKept);
    SmallVector<Type> types;
    if (op.hasTensorForm())
      types.push_back(isLast ? op.getResult().getType()
                             : getIntermediateType(indices, numKept));
    auto result =
        ContractOp::create(rewriter, op.getLoc(), types, stepSpec,
                           ValueRange{inputs[0].value, inputs[1].value}, tables,
                           outs, op.getPadAttr(), op.getAccAttr(),
                           op.getPrecisionAttr(), getStepSizes(stepSpec));
    // The default may come from an operand that this step does not read.
    if (result.getAccumulatorType() != op.getAccumulatorType())
      result.setAcc(op.getAccumulatorType());

    SmallVector<AffineExpr> axes;
    for (unsigned index : ArrayRef(indices).take_front(numKept))
      axes.push_back(rewriter.getAffineDimExpr(index));
    operands.push_back(
        {op.hasTensorForm() ? result.getResult() : outs,
         AffineMap::get(spec.getNumIndices(), spec.getLookups().size(), axes,
                        op.getContext())});
  }

  RankedTensorType getIntermediateType(ArrayRef<unsigned> indices,
                                       unsigned numKept) {
    SmallVector<int64_t> shape;
    for (unsigned index : indices.take_front(numKept))
      shape.push_back(
          getConstantIntValue(sizes[index]).value_or(ShapedType::kDynamic));
    return RankedTensorType::get(shape, op.getAccumulatorType());
  }

  /// Where an intermediate result goes: a buffer, or on tensors, where sizes
  /// are dynamic, an empty tensor that tells them.
  Value createOuts(ArrayRef<unsigned> indices, unsigned numKept) {
    RankedTensorType type = getIntermediateType(indices, numKept);
    if (op.hasTensorForm() && type.hasStaticShape())
      return {};
    SmallVector<Value> dynamicSizes;
    for (unsigned index : indices.take_front(numKept))
      if (auto size = dyn_cast<Value>(sizes[index]))
        dynamicSizes.push_back(size);
    if (op.hasTensorForm())
      return tensor::EmptyOp::create(rewriter, op.getLoc(), type, dynamicSizes);
    auto memrefType = MemRefType::get(type.getShape(), type.getElementType());
    return buffers.emplace_back(memref::AllocOp::create(
        rewriter, op.getLoc(), memrefType, dynamicSizes));
  }

  /// The entries of `sizes` for the indices of a step.
  DictionaryAttr getStepSizes(SpecAttr stepSpec) {
    NamedAttrList entries;
    if (op.getSizesAttr())
      for (NamedAttribute entry : op.getSizesAttr())
        if (stepSpec.getIndices().contains(entry.getName().getValue()))
          entries.append(entry);
    return entries.empty() ? DictionaryAttr()
                           : entries.getDictionary(op.getContext());
  }

  ContractOp op;
  SpecAttr spec;
  PatternRewriter &rewriter;
  SmallVector<OpFoldResult> sizes;
  SmallVector<StepOperand> operands;
  SmallVector<Value> buffers;
};

/// Indices that an axis combines by other means than a sum, as `(k/(j+1))`, are
/// kept or summed together: C3 has to hold in each step. So an operand that has
/// one of them counts as having all.
void joinIndices(SpecAttr spec, MutableArrayRef<IndexSet> operands) {
  SmallVector<IndexSet> groups;
  for (AffineMap map : spec.getMaps())
    map.walkExprs([&](AffineExpr expr) {
      auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
      bool splits = binary && (binary.getKind() == AffineExprKind::Add ||
                               (binary.getKind() == AffineExprKind::Mul &&
                                isa<AffineConstantExpr>(binary.getRHS())));
      IndexSet group = 0;
      for (unsigned index = 0; index < spec.getNumIndices(); ++index)
        if (!splits && spec.usesIndex(expr, index))
          group |= IndexSet(1) << index;
      groups.push_back(group);
    });
  for (bool changed = true; changed;) {
    changed = false;
    for (IndexSet group : groups)
      for (IndexSet &operand : operands)
        if ((operand & group) && (operand & group) != group) {
          operand |= group;
          changed = true;
        }
  }
}

struct ContractPairwisePattern : OpRewritePattern<ContractOp> {
  ContractPairwisePattern(MLIRContext *context,
                          const ContractionOrderOptions &options)
      : OpRewritePattern(context), options(options) {}

  LogicalResult matchAndRewrite(ContractOp op,
                                PatternRewriter &rewriter) const override {
    SpecAttr spec = op.getSpec();
    if (spec.getNumOperands() < 3)
      return rewriter.notifyMatchFailure(op, "fewer than three operands");
    if (!options.memrefs && !op.hasTensorForm())
      return rewriter.notifyMatchFailure(op, "on memrefs");
    SmallVector<IndexSet> operands(spec.getNumOperands());
    IndexSet result = 0;
    for (unsigned index = 0; index < spec.getNumIndices(); ++index) {
      if (!spec.isReduction(index))
        result |= IndexSet(1) << index;
      for (unsigned operand = 0; operand < operands.size(); ++operand)
        if (spec.usesIndex(operand, index))
          operands[operand] |= IndexSet(1) << index;
    }
    joinIndices(spec, operands);
    ContractionOrder order = findContractionOrder(
        operands, result, getStaticIndexSizes(op), options);

    std::string text;
    llvm::raw_string_ostream os(text);
    llvm::interleaveComma(order.steps, os, [&](const ContractionStep &step) {
      os << '(' << step.lhs << ' ' << step.rhs << ')';
    });
    remark::passed(
        op.getLoc(),
        remark::RemarkOpts::name("contract-pairwise").category("einsum"))
        << remark::metric("order", text)
        << remark::metric("multiplications", order.multiplications);
    PairEmitter(op, rewriter).emit(order);
    return success();
  }

  ContractionOrderOptions options;
};

struct EinsumContractPairwisePass
    : tileir::einsum::impl::EinsumContractPairwisePassBase<
          EinsumContractPairwisePass> {
  using EinsumContractPairwisePassBase::EinsumContractPairwisePassBase;

  void runOnOperation() override {
    getOperation()->walk([&](ContractOp op) {
      if (op.getSpec().getNumOperands() > 2 &&
          (memrefs || op.hasTensorForm())) {
        ++numSplit;
        numPairs += op.getSpec().getNumOperands() - 1;
      }
    });
    RewritePatternSet patterns(&getContext());
    populateContractPairwisePatterns(patterns,
                                     {maxExhaustive, unknownSize, memrefs});
    walkAndApplyPatterns(getOperation(), std::move(patterns));
  }
};

} // namespace

void tileir::einsum::populateContractPairwisePatterns(
    RewritePatternSet &patterns, const ContractionOrderOptions &options) {
  patterns.add<ContractPairwisePattern>(patterns.getContext(), options);
}
