//===- FusionGroup.cpp - What becomes one kernel --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program of a kernel computes one block of its result. So it can have of
// each contraction the block that stands at the same place, and no other:
// results that are needed elsewhere stay results of kernels of their own.
//
//===----------------------------------------------------------------------===//

#include "FusionGroup.h"

#include "tileir/Dialect/Einsum/IR/IndexSizes.h"
#include "tileir/Dialect/Einsum/IR/Pointwise.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Transforms/RegionUtils.h"

using namespace mlir;
using namespace tileir::einsum;

//===----------------------------------------------------------------------===//
// Kinds of ops
//===----------------------------------------------------------------------===//

/// The operands of `op` and what its regions use from outside.
static SmallVector<Value> getUsedValues(Operation *op) {
  llvm::SetVector<Value> values(op->operand_begin(), op->operand_end());
  getUsedValuesDefinedAbove(op->getRegions(), values);
  return values.takeVector();
}

/// Whether `op` is copied into kernels: constants of one value are, and what is
/// filled with one. Of a tensor.empty of dynamic shape that is filled, the
/// kernel has the size only.
static bool isConstant(Operation *op) {
  if (auto constant = dyn_cast_or_null<arith::ConstantOp>(op))
    return !isa<ShapedType>(constant.getType()) ||
           isa<SplatElementsAttr>(constant.getValue());
  if (auto empty = dyn_cast_or_null<tensor::EmptyOp>(op))
    return empty.getType().hasStaticShape();
  auto fill = dyn_cast_or_null<linalg::FillOp>(op);
  if (!fill || !isConstant(fill.value().getDefiningOp()))
    return false;
  Operation *filled = fill.output().getDefiningOp();
  return isConstant(filled) || isa_and_nonnull<tensor::EmptyOp>(filled);
}

/// Whether a tile can hold elements of this type.
static bool isTileElement(Type type) {
  return isa<Float8E4M3FNType, Float8E5M2Type>(type) || type.isF16() ||
         type.isBF16() || type.isF32() || type.isF64() || type.isInteger(1) ||
         type.isInteger(8) || type.isInteger(16) || type.isInteger(32) ||
         type.isInteger(64);
}

/// Whether tiles can be blocks of a tensor.
static bool isTileTensor(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && !llvm::is_contained(type.getShape(), 0) &&
         isTileElement(type.getElementType());
}

/// `op` as a pointwise op that kernels take.
static std::optional<PointwiseOp> getPointwise(Operation *op) {
  auto pointwise = PointwiseOp::get(op);
  if (!pointwise || !isTileTensor(op->getResult(0)))
    return std::nullopt;
  bool isTaken = llvm::all_of(getUsedValues(op), [](Value value) {
    return isa<ShapedType>(value.getType()) ? isTileTensor(value)
                                            : isConstant(value.getDefiningOp());
  });
  return isTaken ? pointwise : std::nullopt;
}

static ContractOp getContraction(Operation *op) {
  auto contract = dyn_cast<ContractOp>(op);
  return contract && contract.hasTensorForm() &&
                 isTileTensor(contract.getResult())
             ? contract
             : ContractOp();
}

/// The dimension of each axis of a contraction's result; nothing where it has
/// size 1. Empty if elements are computed one by one.
static ResultDims getResultDims(ContractOp op) {
  SpecAttr spec = op.getSpec();
  ResultDims dims;
  bool hasReduction = false;
  for (auto [index, size] : llvm::enumerate(getStaticIndexSizes(op))) {
    if (spec.isReduction(index))
      hasReduction |= size != 1;
    else
      dims.push_back(size == 1 ? std::nullopt
                               : std::optional(spec.getContractionDim(index)));
  }
  bool hasBlock = llvm::is_contained(dims, ContractionDim::M) &&
                  llvm::is_contained(dims, ContractionDim::N) && hasReduction;
  return hasBlock ? dims : ResultDims();
}

/// Whether N of a contraction comes before M, so that its operands are to be
/// exchanged.
static bool hasNFirst(const ResultDims &dims) {
  return llvm::find(dims, ContractionDim::N) <
         llvm::find(dims, ContractionDim::M);
}

/// The dimensions after operands have been exchanged where N comes first.
static ResultDims getMFirst(ResultDims dims) {
  if (hasNFirst(dims))
    for (auto &dim : dims)
      dim = dim == ContractionDim::M   ? ContractionDim::N
            : dim == ContractionDim::N ? ContractionDim::M
                                       : dim;
  return dims;
}

//===----------------------------------------------------------------------===//
// Growth
//===----------------------------------------------------------------------===//

/// Whether a contraction reads elements of the operand with `map` more than
/// once: there is a loop that does not move along it, or a window.
static bool isReadAgain(ContractOp op, AffineMap map) {
  for (auto [index, size] : llvm::enumerate(getStaticIndexSizes(op)))
    if (size != 1 && !map.isFunctionOfDim(index))
      return true;
  return llvm::any_of(map.getResults(), [](AffineExpr axis) {
    return !isa<AffineDimExpr, AffineConstantExpr>(axis);
  });
}

bool FusionGroup::canBeLast(Operation *op) {
  if (ContractOp contract = getContraction(op))
    return contract.getInputs().size() <= 2;
  // A result goes to memory, which does not address i1.
  return !isConstant(op) && getPointwise(op) &&
         !getElementTypeOrSelf(op->getResult(0)).isInteger(1);
}

void FusionGroup::noteUnfit(Operation *op) {
  bool isUsed = llvm::any_of(op->getUsers(), [](Operation *user) {
    return PointwiseOp::get(user).has_value();
  });
  if (isa<ContractOp>(op) && !getContraction(op) && isUsed)
    remark::missed(op->getLoc(),
                   remark::RemarkOpts::name("einsum-fuse").category("einsum"))
        << remark::reason("kernels of several ops need shapes without sizes of "
                          "0, and its result is a {0}",
                          op->getResult(0).getType());
}

FusionGroup::FusionGroup(Operation *last, const FusionOptions &options,
                         const llvm::SmallPtrSetImpl<Operation *> &taken) {
  Use use;
  use.inEpilogue = true;
  add(last, use);
  Block::reverse_iterator end = last->getBlock()->rend();
  for (auto it = ++Block::reverse_iterator(last); it != end; ++it)
    if (!taken.contains(&*it))
      tryToAdd(&*it, options);
}

void FusionGroup::tryToAdd(Operation *op, const FusionOptions &options) {
  if (op->getNumResults() != 1 || !uses.contains(op->getResult(0)) ||
      isConstant(op))
    return;
  Use use = uses.lookup(op->getResult(0));
  ContractOp contract = getContraction(op);
  if (!contract &&
      (!getPointwise(op) || (use.inPrologue && !options.prologues)))
    return;
  if (!contract && use.isReadAgain && !options.recompute) {
    remark::missed(op->getLoc(),
                   remark::RemarkOpts::name("einsum-fuse").category("einsum"))
        << remark::reason("its elements would be computed several times");
    return;
  }
  bool isUsedOutside = llvm::any_of(
      op->getUsers(), [&](Operation *user) { return !ops.contains(user); });
  std::string reason;
  if (isUsedOutside)
    reason = "its result is used outside of the kernel as well";
  else if (contract)
    reason = getFailureReason(contract, use, options);
  if (reason.empty())
    return add(op, use);
  remark::missed(op->getLoc(),
                 remark::RemarkOpts::name("einsum-fuse").category("einsum"))
      << remark::reason("{0}", reason);
}

std::string FusionGroup::getFailureReason(ContractOp op, const Use &use,
                                          const FusionOptions &options) const {
  if (use.inPrologue)
    return "its result is needed to make an operand of another contraction";
  if (use.isTransposed)
    return "its result is transposed or broadcast";
  if (op.getInputs().size() > 2)
    return "it has more than two operands: run einsum-contract-pairwise first";
  if (numContractions == options.maxContractions)
    return "the kernel has " + std::to_string(numContractions) +
           " contractions already, as many as max-contractions allows";
  if (numContractions == 0)
    return "";
  if (getMFirst(getResultDims(op)) != resultDims)
    return "its result is divided into rows and columns in another way than "
           "that of the kernel's other contractions";
  return "";
}

void FusionGroup::add(Operation *op, const Use &use) {
  ops.insert({op, use});
  auto noteUse = [&](Value value, Use of) {
    Use &known = uses[value];
    known.inEpilogue |= of.inEpilogue;
    known.isTransposed |= of.isTransposed;
    known.inPrologue |= of.inPrologue;
    known.isReadAgain |= of.isReadAgain;
  };
  if (ContractOp contract = getContraction(op)) {
    ResultDims ownDims = getResultDims(contract);
    resultDims = getMFirst(ownDims);
    if (hasNFirst(ownDims))
      exchanged.insert(op);
    ++numContractions;
    Use inPrologue;
    inPrologue.inPrologue = true;
    for (auto [input, map] :
         llvm::zip_equal(contract.getInputs(), contract.getSpec().getMaps())) {
      inPrologue.isReadAgain = isReadAgain(contract, map);
      noteUse(input, inPrologue);
    }
    return;
  }
  int64_t rank = cast<RankedTensorType>(op->getResult(0).getType()).getRank();
  auto identity = llvm::to_vector(llvm::seq<unsigned>(0, rank));
  auto pointwise = getPointwise(op);
  for (const PointwiseOp::Operand &operand : pointwise->operands) {
    Use inner = use;
    inner.isTransposed |= operand.axes != identity;
    inner.isReadAgain |= operand.axes.size() < identity.size();
    noteUse(operand.value, inner);
  }
}

bool FusionGroup::isWorthwhile() const {
  if (numContractions == 0 || ops.size() == 1)
    return false;
  for (Operation *op : getOps())
    for (Value value : getUsedValues(op)) {
      Operation *source = value.getDefiningOp();
      if (!getElementTypeOrSelf(value).isInteger(1) || ops.contains(source) ||
          isConstant(source))
        continue;
      remark::missed(op->getLoc(),
                     remark::RemarkOpts::name("einsum-fuse").category("einsum"))
          << remark::reason("it reads elements of i1 from outside of the "
                            "kernel, which memory does not address");
      return false;
    }
  return true;
}

//===----------------------------------------------------------------------===//
// The kernel
//===----------------------------------------------------------------------===//

void FusionGroup::emitKernel(RewriterBase &rewriter) {
  auto inOrder = llvm::to_vector(llvm::reverse(getOps()));
  for (Operation *&op : inOrder)
    if (exchanged.contains(op)) {
      rewriter.setInsertionPoint(op);
      ContractOp other = cast<ContractOp>(op).createExchanged(rewriter);
      rewriter.replaceOp(op, other);
      op = other;
    }
  Operation *last = inOrder.back();
  Location loc = last->getLoc();

  llvm::SetVector<Value> inputs, constants;
  llvm::SmallPtrSet<Operation *, 8> inside(inOrder.begin(), inOrder.end());
  auto collect = [&](auto &&collect, Value value) -> void {
    Operation *source = value.getDefiningOp();
    if (inside.contains(source))
      return;
    if (!isConstant(source)) {
      inputs.insert(value);
      return;
    }
    for (Value operand : source->getOperands())
      collect(collect, operand);
    constants.insert(value);
  };
  for (Operation *op : inOrder)
    for (Value value : getUsedValues(op))
      collect(collect, value);

  rewriter.setInsertionPoint(last);
  auto kernel = KernelOp::create(rewriter, loc, last->getResultTypes(),
                                 inputs.getArrayRef());
  auto locations =
      llvm::map_to_vector(inputs, [](Value input) { return input.getLoc(); });
  SmallVector<Type> types(ValueRange(inputs.getArrayRef()).getTypes());
  Block *body = rewriter.createBlock(&kernel.getBody(), {}, types, locations);
  IRMapping mapping;
  mapping.map(inputs.getArrayRef(), body->getArguments());
  for (Value constant : constants)
    rewriter.clone(*constant.getDefiningOp(), mapping);
  for (Operation *op : inOrder)
    rewriter.clone(*op, mapping);
  YieldOp::create(rewriter, loc, mapping.lookup(last->getResult(0)));
  rewriter.replaceOp(last, kernel);
  for (Operation *op : llvm::drop_begin(llvm::reverse(inOrder)))
    rewriter.eraseOp(op);
  // On the host they would be computed in vain.
  for (Value constant : llvm::reverse(constants))
    if (constant.use_empty())
      rewriter.eraseOp(constant.getDefiningOp());
}
