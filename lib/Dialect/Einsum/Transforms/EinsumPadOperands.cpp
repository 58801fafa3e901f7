//===- EinsumPadOperands.cpp - einsum-pad-operands ------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels on vectors check no index. So an operand that is read outside gets a
// border of zeros; one whose reads no border catches, since a table tells where
// they are, is read once, with checks, into an operand of its indices.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/Analysis/OperandAccess.h"
#include "tileir/Dialect/Einsum/IR/IndexSizes.h"
#include "tileir/Dialect/Einsum/Transforms/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileir::einsum {
#define GEN_PASS_DEF_EINSUMPADOPERANDSPASS
#include "tileir/Dialect/Einsum/Transforms/Passes.h.inc"
} // namespace tileir::einsum

using namespace mlir;
using namespace tileir::einsum;

namespace {

/// The change to an operand: none if all reads are inside.
struct Remedy {
  /// Zeros before and after each axis.
  SmallVector<int64_t> low, high;
  /// The indices of a copy of what is read, if it is copied.
  std::optional<SmallVector<unsigned>> indices;
  /// The reason why neither is possible.
  std::string reason;
};

/// A contraction on static tensors, of which some operand may be read outside.
class PaddedContraction {
public:
  PaddedContraction(ContractOp op, int64_t maxGrowth)
      : op(op), spec(op.getSpec()), sizes(getStaticIndexSizes(op)),
        maxGrowth(maxGrowth) {
    for (unsigned operand = 0; operand < spec.getNumOperands(); ++operand)
      remedies.push_back(choose(operand));
  }

  ArrayRef<Remedy> getRemedies() const { return remedies; }

  ContractOp rewrite(OpBuilder &builder);

private:
  RankedTensorType getType(unsigned operand) {
    return cast<RankedTensorType>(op.getInputs()[operand].getType());
  }
  bool isTooLarge(double elements, unsigned operand) {
    double before = std::max<int64_t>(1, getType(operand).getNumElements());
    return elements > before * maxGrowth;
  }

  Remedy choose(unsigned operand);
  bool findMargins(unsigned operand, Remedy &remedy);
  SmallVector<unsigned> getIndices(unsigned operand);
  Value pad(OpBuilder &builder, unsigned operand);
  Value copy(OpBuilder &builder, unsigned operand);
  SmallVector<Value> getTables(SpecAttr of) {
    return llvm::map_to_vector(
        of.getTables(), [&](StringRef table) { return op.getTable(table); });
  }

  ContractOp op;
  SpecAttr spec;
  SmallVector<int64_t> sizes;
  int64_t maxGrowth;
  SmallVector<Remedy> remedies;
};

} // namespace

//===----------------------------------------------------------------------===//
// The choice of a remedy
//===----------------------------------------------------------------------===//

Remedy PaddedContraction::choose(unsigned operand) {
  Remedy remedy;
  if (OperandAccess(op, sizes, operand).getAxesOutside().empty() ||
      findMargins(operand, remedy))
    return remedy;
  remedy.indices = getIndices(operand);
  double elements = 1;
  for (unsigned index : *remedy.indices)
    elements *= sizes[index];
  if (spec.getNumOperands() == 1 &&
      spec.getNumIndices() == spec.getNumResultIndices())
    remedy.reason = "the contraction is itself a copy of what is read";
  else if (isTooLarge(elements, operand))
    remedy.reason =
        llvm::formatv("a copy of what is read would have {0:f0} elements, the "
                      "operand has {1}",
                      elements, getType(operand).getNumElements());
  return remedy;
}

/// Whether zeros around the operand make all reads fall inside; if so, sets how
/// many.
bool PaddedContraction::findMargins(unsigned operand, Remedy &remedy) {
  double elements = 1;
  SmallVector<int64_t> low, high;
  OperandAccess access(op, sizes, operand);
  for (auto [axis, expr] :
       llvm::enumerate(spec.getMaps()[operand].getResults())) {
    int64_t dim = getType(operand).getDimSize(axis), before = 0, after = 0;
    if (!access.isInside(axis)) {
      auto range = getIndexRange(expr, spec, sizes);
      if (!range)
        return false;
      // Also keeps what is added up below from overflowing.
      if (isTooLarge(double(range->max) - double(range->min), operand))
        return false;
      before = std::max<int64_t>(0, -range->min);
      after = std::max<int64_t>(0, range->max - (dim - 1));
      // By C11 an axis that is an index alone is as long as the index.
      auto index = dyn_cast<AffineDimExpr>(expr + before);
      if (index && before + dim + after != sizes[index.getPosition()])
        return false;
    }
    low.push_back(before);
    high.push_back(after);
    elements *= double(before) + dim + after;
  }
  if (isTooLarge(elements, operand))
    return false;
  remedy.low = low;
  remedy.high = high;
  return true;
}

/// The indices of an operand, in the order of its axes.
SmallVector<unsigned> PaddedContraction::getIndices(unsigned operand) {
  SmallVector<unsigned> indices;
  for (AffineExpr axis : spec.getMaps()[operand].getResults())
    for (unsigned index = 0; index < spec.getNumIndices(); ++index)
      if (spec.usesIndex(axis, index) && !llvm::is_contained(indices, index))
        indices.push_back(index);
  return indices;
}

//===----------------------------------------------------------------------===//
// The rewrite
//===----------------------------------------------------------------------===//

Value PaddedContraction::pad(OpBuilder &builder, unsigned operand) {
  Type element = getType(operand).getElementType();
  Value zero = arith::ConstantOp::create(
      builder, op.getLoc(), cast<TypedAttr>(builder.getZeroAttr(element)));
  auto toIndices = [&](ArrayRef<int64_t> numbers) {
    return getAsIndexOpFoldResult(builder.getContext(), numbers);
  };
  return tensor::PadOp::create(builder, op.getLoc(), /*resultType=*/Type(),
                               op.getInputs()[operand],
                               toIndices(remedies[operand].low),
                               toIndices(remedies[operand].high), zero);
}

Value PaddedContraction::copy(OpBuilder &builder, unsigned operand) {
  ArrayRef<unsigned> indices = *remedies[operand].indices;
  SmallVector<unsigned> order(indices);
  for (unsigned index = 0; index < spec.getNumIndices(); ++index)
    if (!llvm::is_contained(indices, index))
      order.push_back(index);
  SpecAttr of = spec.reorder(order, indices.size(), spec.getMaps()[operand]);
  auto shape = llvm::map_to_vector(
      indices, [&](unsigned index) { return sizes[index]; });
  return ContractOp::create(builder, op.getLoc(), getType(operand).clone(shape),
                            of, op.getInputs()[operand], getTables(of),
                            /*outs=*/Value(), builder.getStringAttr("zero"),
                            /*acc=*/nullptr, /*precision=*/nullptr,
                            /*sizes=*/nullptr)
      .getResult();
}

ContractOp PaddedContraction::rewrite(OpBuilder &builder) {
  SmallVector<Value> inputs(op.getInputs());
  SmallVector<AffineMap> maps(spec.getMaps());
  for (auto [operand, remedy] : llvm::enumerate(remedies)) {
    SmallVector<AffineExpr> axes(maps[operand].getResults());
    if (!remedy.low.empty()) {
      inputs[operand] = pad(builder, operand);
      for (auto [axis, before] : llvm::zip(axes, remedy.low))
        axis = axis + before;
    } else if (remedy.indices) {
      inputs[operand] = copy(builder, operand);
      axes = llvm::map_to_vector(*remedy.indices, [&](unsigned index) {
        return builder.getAffineDimExpr(index);
      });
    }
    maps[operand] =
        AffineMap::get(spec.getNumIndices(), spec.getLookups().size(), axes,
                       builder.getContext());
  }
  SpecAttr inside = SpecAttr::getCanonical(
      builder.getContext(), spec.getIndices(), spec.getNumResultIndices(),
      spec.getLookups(), maps);
  auto result =
      ContractOp::create(builder, op.getLoc(), op->getResultTypes(), inside,
                         inputs, getTables(inside), op.getOuts(),
                         /*pad=*/nullptr, op.getAccAttr(),
                         op.getPrecisionAttr(), op.getSizesAttr());
  result->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  return result;
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct EinsumPadOperandsPass
    : tileir::einsum::impl::EinsumPadOperandsPassBase<EinsumPadOperandsPass> {
  using EinsumPadOperandsPassBase::EinsumPadOperandsPassBase;

  void runOnOperation() override {
    if (maxGrowth < 1) {
      getOperation()->emitError("einsum-pad-operands expects max-growth to be "
                                "at least 1, found ")
          << maxGrowth.getValue();
      return signalPassFailure();
    }
    SmallVector<ContractOp> contractions;
    getOperation()->walk([&](ContractOp op) {
      if (op.isPadded())
        contractions.push_back(op);
    });
    IRRewriter rewriter(&getContext());
    for (ContractOp op : contractions)
      padOperands(rewriter, op);
  }

private:
  static remark::RemarkOpts getRemark() {
    return remark::RemarkOpts::name("pad-operands").category("einsum");
  }

  /// The reason why `op` stays, whatever its operands are.
  static StringRef getFailureReason(ContractOp op) {
    if (!op.hasTensorForm())
      return "it is on memrefs";
    if (op->getParentOfType<KernelOp>())
      return "it is in an einsum.kernel, whose operands are not padded there: "
             "einsum-fuse comes later";
    auto isStatic = [](Value value) {
      return cast<ShapedType>(value.getType()).hasStaticShape();
    };
    if (!llvm::all_of(op.getInputs(), isStatic) ||
        llvm::is_contained(getStaticIndexSizes(op), ShapedType::kDynamic))
      return "sizes are dynamic";
    return "";
  }

  void padOperands(RewriterBase &rewriter, ContractOp op) {
    if (StringRef reason = getFailureReason(op); !reason.empty()) {
      remark::missed(op.getLoc(), getRemark()) << remark::reason("{0}", reason);
      return;
    }
    PaddedContraction padded(op, maxGrowth);
    for (auto [operand, remedy] : llvm::enumerate(padded.getRemedies()))
      if (!remedy.reason.empty()) {
        remark::missed(op.getLoc(), getRemark())
            << remark::metric("operand", operand)
            << remark::reason("{0}", remedy.reason);
        return;
      }
    for (auto [operand, remedy] : llvm::enumerate(padded.getRemedies()))
      report(op, operand, remedy);
    rewriter.setInsertionPoint(op);
    rewriter.replaceOp(op, padded.rewrite(rewriter));
    ++numRewritten;
  }

  void report(ContractOp op, unsigned operand, const Remedy &remedy) {
    auto toString = [](ArrayRef<int64_t> numbers) {
      return llvm::join(
          llvm::map_range(
              numbers, [](int64_t number) { return std::to_string(number); }),
          ", ");
    };
    if (!remedy.low.empty()) {
      remark::passed(op.getLoc(), getRemark())
          << remark::metric("operand", operand)
          << remark::metric("low", toString(remedy.low))
          << remark::metric("high", toString(remedy.high));
      ++numPadded;
    } else if (remedy.indices) {
      std::string indices;
      for (unsigned index : *remedy.indices)
        indices += op.getSpec().getIndices()[index];
      remark::passed(op.getLoc(), getRemark())
          << remark::metric("operand", operand)
          << remark::metric("copied to", indices);
      ++numCopied;
    }
  }
};

} // namespace
