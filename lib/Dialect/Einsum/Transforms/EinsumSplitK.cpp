//===- EinsumSplitK.cpp - einsum-split-k ----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rewrites a contraction as one per part of its sum and the sum of these. The
// part is an index of the first one's result, s, and where the summed index k
// was there is now s * part + k: nothing that comes later knows of split-K.
//
// Parts are equal. Where they reach beyond the end of k, every operand has to
// read 0 there: 0 times what another one reads need not be 0. So each of them
// needs an axis that is k alone. Otherwise only parts that divide k will do.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/Analysis/ContractionDims.h"
#include "tileir/Dialect/Einsum/IR/IndexSizes.h"
#include "tileir/Dialect/Einsum/Transforms/Passes.h"
#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/IR/Remarks.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

namespace tileir::einsum {
#define GEN_PASS_DEF_EINSUMSPLITKPASS
#include "tileir/Dialect/Einsum/Transforms/Passes.h.inc"
} // namespace tileir::einsum

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using layout::TileSizes;
using llvm::formatv;

namespace {

/// A summed index in `parts` parts of size `part`.
struct Split {
  unsigned index;
  int64_t parts, part;
  bool reachesBeyond;
};

/// Decides how a contraction is split, and does it.
class Splitter {
public:
  Splitter(ContractOp op, const TileSizes &block)
      : op(op), spec(op.getSpec()), sizes(getStaticIndexSizes(op)),
        block(block) {}

  /// The reason why the contraction cannot be split at all; empty if it can.
  std::string getFailureReason();
  /// The split-K factor for which the programs of its result become `programs`.
  int64_t chooseFactor(int64_t programs);
  /// How to split it by a factor of up to `factor`; nothing, and the failure
  /// reason in `reason`, if that fails.
  std::optional<Split> plan(int64_t factor, std::string &reason);
  void emit(RewriterBase &rewriter, const Split &split);

  char getName(unsigned index) { return spec.getIndices()[index]; }

private:
  std::string getFailureReason(unsigned index);
  bool readsZeroBeyond(unsigned index);
  SmallVector<unsigned> getSummed();
  char getFreeName();
  SpecAttr getPartSpec(const Split &split);
  SpecAttr getSumSpec();

  ContractOp op;
  SpecAttr spec;
  SmallVector<int64_t> sizes;
  TileSizes block;
};

} // namespace

//===----------------------------------------------------------------------===//
// The choice of a split
//===----------------------------------------------------------------------===//

/// Whether `index` is only added in `expr`, as such or by a constant factor.
static bool isAddend(SpecAttr spec, AffineExpr expr, unsigned index) {
  if (isa<AffineDimExpr>(expr) || !spec.usesIndex(expr, index))
    return true;
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && binary.getKind() == AffineExprKind::Add)
    return isAddend(spec, binary.getLHS(), index) &&
           isAddend(spec, binary.getRHS(), index);
  return binary && binary.getKind() == AffineExprKind::Mul &&
         isa<AffineConstantExpr>(binary.getRHS()) &&
         isAddend(spec, binary.getLHS(), index);
}

std::string Splitter::getFailureReason() {
  if (op->getParentOfType<KernelOp>())
    return "it is part of an einsum.kernel already: einsum-split-k comes "
           "before einsum-fuse";
  for (auto [index, size] : llvm::enumerate(sizes))
    if (ShapedType::isDynamic(size))
      return formatv("the size of index '{0}' is not static: "
                     "tile-split-k-blocks takes it",
                     getName(index));
  if (!getFreeName())
    return "its specification uses all 52 indices, and none is left for the "
           "part";
  return "";
}

std::string Splitter::getFailureReason(unsigned index) {
  for (LookupAttr lookup : spec.getLookups())
    if (!lookup.isIndex() && llvm::is_contained(lookup.getIndices(), index))
      return formatv("index '{0}' indexes table '{1}'", getName(index),
                     lookup.getTable());
  for (auto [operand, map] : llvm::enumerate(spec.getMaps()))
    for (auto [axis, expr] : llvm::enumerate(map.getResults()))
      if (!isAddend(spec, expr, index))
        return formatv("index '{0}' is multiplied or divided by more than a "
                       "constant in '({1})'",
                       getName(index), spec.axisToString(operand, axis));
  return "";
}

/// Whether all operands can be made to read 0 beyond the end of `index`. Reads
/// by tables that leave an operand are to be found, not to become 0.
bool Splitter::readsZeroBeyond(unsigned index) {
  if (!op.isPadded() && !spec.getTables().empty())
    return false;
  return llvm::all_of(
      llvm::seq<unsigned>(0, spec.getNumOperands()), [&](unsigned operand) {
        unsigned rank = spec.getMaps()[operand].getNumResults();
        return llvm::any_of(llvm::seq<unsigned>(0, rank), [&](unsigned axis) {
          return spec.getBareIndex(operand, axis) == index;
        });
      });
}

/// The indices of the sum that take more than one value, the largest first.
SmallVector<unsigned> Splitter::getSummed() {
  SmallVector<unsigned> indices;
  for (unsigned index = 0; index < sizes.size(); ++index)
    if (spec.isReduction(index) && sizes[index] > 1)
      indices.push_back(index);
  llvm::sort(indices, [&](unsigned l, unsigned r) {
    return std::make_pair(-sizes[l], l) < std::make_pair(-sizes[r], r);
  });
  return indices;
}

int64_t Splitter::chooseFactor(int64_t programs) {
  ContractionDims dims(spec, sizes);
  int64_t batch = dims.getSize(ContractionDim::Batch);
  int64_t m = dims.getSize(ContractionDim::M);
  int64_t n = dims.getSize(ContractionDim::N);
  int64_t k = dims.getSize(ContractionDim::K);
  // Sums of a single operand are computed in blocks along M.
  if (spec.getNumOperands() == 1)
    std::swap(batch, m);
  int64_t present =
      batch * llvm::divideCeil(m, block.m) * llvm::divideCeil(n, block.n);
  // With fewer steps per part, storing and adding results outweighs them.
  constexpr int64_t kLeastSteps = 4;
  return std::min(programs / std::max<int64_t>(present, 1),
                  k / (kLeastSteps * block.k));
}

std::optional<Split> Splitter::plan(int64_t factor, std::string &reason) {
  SmallVector<unsigned> summed = getSummed();
  if (summed.empty())
    reason = "it sums nothing";
  for (unsigned index : summed) {
    std::string failure = getFailureReason(index);
    int64_t size = sizes[index], part = llvm::divideCeil(size, factor);
    // With one index, whole blocks of a part are dense.
    int64_t rounded = summed.size() == 1 ? llvm::alignTo(part, block.k) : part;
    bool canPad = readsZeroBeyond(index);
    SmallVector<int64_t> candidates = {rounded};
    if (!canPad)
      candidates.push_back(part);
    if (failure.empty())
      for (int64_t candidate : candidates) {
        int64_t parts = llvm::divideCeil(size, candidate);
        if (parts > 1 && (canPad || parts * candidate == size))
          return Split{index, parts, candidate, parts * candidate != size};
      }
    if (!reason.empty())
      continue; // the reason of the largest index
    if (!failure.empty())
      reason = failure;
    else if (canPad)
      reason = formatv("the {0} positions of index '{1}' are one part of {2}",
                       size, getName(index), rounded);
    else
      reason =
          formatv("{0} parts of {1} do not divide index '{2}', of size {3}, "
                  "and not every operand would read 0 beyond its end",
                  factor, part, getName(index), size);
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// The two contractions
//===----------------------------------------------------------------------===//

/// The name of the new index: s, or the first one that is free.
char Splitter::getFreeName() {
  for (char name : StringRef("sabcdefghijklmnopqrtuvwxyz"
                             "ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    if (!spec.getIndices().contains(name))
      return name;
  return 0;
}

/// The specification of the first contraction; its index 0 is the part.
SpecAttr Splitter::getPartSpec(const Split &split) {
  MLIRContext *context = op.getContext();
  unsigned numIndices = spec.getNumIndices();
  SmallVector<AffineExpr> indices, symbols;
  for (unsigned index = 0; index < numIndices; ++index)
    indices.push_back(getAffineDimExpr(index + 1, context));
  indices[split.index] =
      getAffineDimExpr(0, context) * split.part + indices[split.index];
  SmallVector<LookupAttr> lookups;
  for (LookupAttr lookup : spec.getLookups()) {
    symbols.push_back(getAffineSymbolExpr(symbols.size(), context));
    auto shifted = llvm::map_to_vector(
        lookup.getIndices(), [](unsigned index) { return index + 1; });
    lookups.push_back(LookupAttr::get(context, lookup.getTable(), shifted));
  }
  auto maps = llvm::map_to_vector(spec.getMaps(), [&](AffineMap map) {
    return map.replaceDimsAndSymbols(indices, symbols, numIndices + 1,
                                     symbols.size());
  });
  return SpecAttr::getCanonical(context,
                                getFreeName() + spec.getIndices().str(),
                                spec.getNumResultIndices() + 1, lookups, maps);
}

/// The specification of the second one, as "smn -> mn".
SpecAttr Splitter::getSumSpec() {
  unsigned rank = spec.getNumResultIndices();
  std::string indices = spec.getIndices().take_front(rank).str();
  SmallVector<AffineExpr> axes = {getAffineDimExpr(rank, op.getContext())};
  for (unsigned index = 0; index < rank; ++index)
    axes.push_back(getAffineDimExpr(index, op.getContext()));
  return SpecAttr::getCanonical(
      op.getContext(), indices + getFreeName(), rank, /*lookups=*/{},
      AffineMap::get(rank + 1, /*symbolCount=*/0, axes, op.getContext()));
}

void Splitter::emit(RewriterBase &rewriter, const Split &split) {
  Location loc = op.getLoc();
  SmallVector<int64_t> shape = {split.parts};
  llvm::append_range(shape, op.getOutputType().getShape());
  Type acc = op.getAccumulatorType();
  NamedAttrList partSizes;
  if (op.getSizesAttr())
    partSizes.append(op.getSizesAttr().getValue());
  partSizes.set(StringRef(spec.getIndices().substr(split.index, 1)),
                rewriter.getI64IntegerAttr(split.part));
  StringAttr pad =
      split.reachesBeyond ? rewriter.getStringAttr("zero") : op.getPadAttr();

  rewriter.setInsertionPoint(op);
  SmallVector<Type> types;
  Value buffer;
  if (op.hasTensorForm())
    types.push_back(RankedTensorType::get(shape, acc));
  else
    buffer =
        memref::AllocOp::create(rewriter, loc, MemRefType::get(shape, acc));
  auto parts = ContractOp::create(rewriter, loc, types, getPartSpec(split),
                                  op.getInputs(), op.getTables(), buffer, pad,
                                  op.getAccAttr(), op.getPrecisionAttr(),
                                  partSizes.getDictionary(op.getContext()));
  parts->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  Value partial = op.hasTensorForm() ? parts.getResult() : buffer;
  auto sum = ContractOp::create(rewriter, loc, op->getResultTypes(),
                                getSumSpec(), partial, /*tables=*/ValueRange(),
                                op.getOuts(), /*pad=*/nullptr, /*acc=*/nullptr,
                                /*precision=*/nullptr, /*sizes=*/nullptr);
  // The default is that of the operands.
  if (sum.getAccumulatorType() != acc)
    sum.setAcc(acc);
  if (buffer)
    memref::DeallocOp::create(rewriter, loc, buffer);
  rewriter.replaceOp(op, sum);
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

namespace {

struct EinsumSplitKPass
    : tileir::einsum::impl::EinsumSplitKPassBase<EinsumSplitKPass> {
  using EinsumSplitKPassBase::EinsumSplitKPassBase;

  void runOnOperation() override {
    if (factor < 0 || programs < 1) {
      getOperation()->emitError("einsum-split-k expects factor to be 0 or more "
                                "and programs to be positive, found ")
          << factor.getValue() << " and " << programs.getValue();
      return signalPassFailure();
    }
    if (factor == 1)
      return;
    auto parsed = tile::parseConfig(&getContext(), config, [&] {
      return getOperation()->emitError("einsum-split-k: ");
    });
    if (failed(parsed))
      return signalPassFailure();
    SmallVector<ContractOp> contractions;
    getOperation()->walk([&](ContractOp op) { contractions.push_back(op); });
    for (ContractOp op : contractions)
      split(op, parsed->block);
  }

private:
  void split(ContractOp op, const TileSizes &block) {
    Splitter splitter(op, block);
    std::string reason = splitter.getFailureReason();
    std::optional<Split> found;
    if (reason.empty()) {
      int64_t wanted = factor ? factor : splitter.chooseFactor(programs);
      if (wanted > 1)
        found = splitter.plan(wanted, reason);
      else
        reason = "the programs of its result suffice, or its sum is too short";
    }
    auto name = remark::RemarkOpts::name("einsum-split-k").category("einsum");
    if (!found) {
      remark::missed(op.getLoc(), name) << remark::reason("{0}", reason);
      return;
    }
    ++numSplit;
    remark::passed(op.getLoc(), name)
        << remark::metric("index",
                          std::string(1, splitter.getName(found->index)))
        << remark::metric("parts", found->parts)
        << remark::metric("size", found->part)
        << remark::metric("padded", found->reachesBeyond ? 1 : 0);
    IRRewriter rewriter(&getContext());
    splitter.emit(rewriter, *found);
  }
};

} // namespace
