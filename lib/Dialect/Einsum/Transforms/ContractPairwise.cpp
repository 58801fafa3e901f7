//===- ContractPairwise.cpp - einsum-contract-pairwise --------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites a contraction of n > 2 operands as n - 1 of two, in the order of
// ContractionOrder.h. Afterwards no contraction has more than two operands. An
// intermediate result has an axis for each letter that is used later, so it
// holds what its operands multiply to wherever they are read: affine axes,
// tables and padding stay in the step that reads the original operand.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/IR/LetterSizes.h"
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

/// An operand of a step: a value, how the letters of the original contraction
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
        sizes(reifyLetterSizes(rewriter, op)) {
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
    auto isUsed = [&](unsigned letter) {
      return llvm::any_of(inputs, [&](const StepOperand &input) {
        return llvm::any_of(input.map.getResults(), [&](AffineExpr axis) {
          return spec.usesLetter(axis, letter);
        });
      });
    };
    // The letters of the step's result come first.
    SmallVector<unsigned> letters;
    for (unsigned letter = 0; letter < spec.getNumLetters(); ++letter)
      if (isLast ? !spec.isReduction(letter)
                 : (step.letters >> letter & 1) && isUsed(letter))
        letters.push_back(letter);
    unsigned numKept = letters.size();
    for (unsigned letter = 0; letter < spec.getNumLetters(); ++letter)
      if (!llvm::is_contained(letters, letter))
        letters.push_back(letter);
    SpecAttr stepSpec =
        spec.reorder(letters, numKept, {inputs[0].map, inputs[1].map});

    SmallVector<Value> tables;
    for (StringRef table : stepSpec.getTables())
      tables.push_back(op.getTable(table));
    Value outs = isLast ? op.getOuts() : createOuts(letters, numKept);
    SmallVector<Type> types;
    if (op.hasTensorForm())
      types.push_back(isLast ? op.getResult().getType()
                             : getIntermediateType(letters, numKept));
    auto result = ContractOp::create(
        rewriter, op.getLoc(), types, stepSpec,
        ValueRange{inputs[0].value, inputs[1].value}, tables, outs,
        op.getPadAttr(), op.getAccAttr(), getStepSizes(stepSpec));
    // The default may come from an operand that this step does not read.
    if (result.getAccumulatorType() != op.getAccumulatorType())
      result.setAcc(op.getAccumulatorType());

    SmallVector<AffineExpr> axes;
    for (unsigned letter : ArrayRef(letters).take_front(numKept))
      axes.push_back(rewriter.getAffineDimExpr(letter));
    operands.push_back(
        {op.hasTensorForm() ? result.getResult() : outs,
         AffineMap::get(spec.getNumLetters(), spec.getLookups().size(), axes,
                        op.getContext())});
  }

  RankedTensorType getIntermediateType(ArrayRef<unsigned> letters,
                                       unsigned numKept) {
    SmallVector<int64_t> shape;
    for (unsigned letter : letters.take_front(numKept))
      shape.push_back(
          getConstantIntValue(sizes[letter]).value_or(ShapedType::kDynamic));
    return RankedTensorType::get(shape, op.getAccumulatorType());
  }

  /// Where an intermediate result goes: a buffer, or on tensors, where sizes
  /// are dynamic, an empty tensor that tells them.
  Value createOuts(ArrayRef<unsigned> letters, unsigned numKept) {
    RankedTensorType type = getIntermediateType(letters, numKept);
    if (op.hasTensorForm() && type.hasStaticShape())
      return {};
    SmallVector<Value> dynamicSizes;
    for (unsigned letter : letters.take_front(numKept))
      if (auto size = dyn_cast<Value>(sizes[letter]))
        dynamicSizes.push_back(size);
    if (op.hasTensorForm())
      return tensor::EmptyOp::create(rewriter, op.getLoc(), type, dynamicSizes);
    auto memrefType = MemRefType::get(type.getShape(), type.getElementType());
    return buffers.emplace_back(memref::AllocOp::create(
        rewriter, op.getLoc(), memrefType, dynamicSizes));
  }

  /// The entries of `sizes` for the letters of a step.
  DictionaryAttr getStepSizes(SpecAttr stepSpec) {
    NamedAttrList entries;
    if (op.getSizesAttr())
      for (NamedAttribute entry : op.getSizesAttr())
        if (stepSpec.getLetters().contains(entry.getName().getValue()))
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

/// Letters that an axis combines by other means than a sum, as `(k/(j+1))`, are
/// kept or summed together: C3 has to hold in each step. So an operand that has
/// one of them counts as having all.
void joinLetters(SpecAttr spec, MutableArrayRef<LetterSet> operands) {
  SmallVector<LetterSet> groups;
  for (AffineMap map : spec.getMaps())
    map.walkExprs([&](AffineExpr expr) {
      auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
      bool splits = binary && (binary.getKind() == AffineExprKind::Add ||
                               (binary.getKind() == AffineExprKind::Mul &&
                                isa<AffineConstantExpr>(binary.getRHS())));
      LetterSet group = 0;
      for (unsigned letter = 0; letter < spec.getNumLetters(); ++letter)
        if (!splits && spec.usesLetter(expr, letter))
          group |= LetterSet(1) << letter;
      groups.push_back(group);
    });
  for (bool changed = true; changed;) {
    changed = false;
    for (LetterSet group : groups)
      for (LetterSet &operand : operands)
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
    SmallVector<LetterSet> operands(spec.getNumOperands());
    LetterSet result = 0;
    for (unsigned letter = 0; letter < spec.getNumLetters(); ++letter) {
      if (!spec.isReduction(letter))
        result |= LetterSet(1) << letter;
      for (unsigned operand = 0; operand < operands.size(); ++operand)
        if (spec.usesLetter(operand, letter))
          operands[operand] |= LetterSet(1) << letter;
    }
    joinLetters(spec, operands);
    ContractionOrder order = findContractionOrder(
        operands, result, getStaticLetterSizes(op), options);

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
