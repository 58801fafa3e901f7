//===- StructuredAccess.cpp - Where structured ops access memory ----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels take pointers to memrefs without gaps, so that views are followed up
// to one. Two loops that run along neighbouring axes wherever they appear, axes
// with no gap between them, are one loop over both: element-wise ops on whole
// arrays need no division, and access consecutive elements.
//
//===----------------------------------------------------------------------===//

#include "StructuredAccess.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::linalg_to_tile;

//===----------------------------------------------------------------------===//
// Views
//===----------------------------------------------------------------------===//

static bool isContiguous(Value memref) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  return type && type.getLayout().isIdentity();
}

/// Whether the strides and the offset of `type` are all numbers.
static bool hasStaticStrides(MemRefType type) {
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(type.getStridesAndOffset(strides, offset)) &&
         llvm::none_of(strides, ShapedType::isDynamic);
}

/// The memref that `memref` is a view of, if getView can follow that.
static Value getViewed(Value memref) {
  Operation *op = memref.getDefiningOp();
  if (!op ||
      !isa<memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp,
           memref::SubViewOp, memref::TransposeOp>(op))
    return {};
  Value source = op->getOperand(0);
  // Without gaps, both begin at the same element.
  if (isContiguous(memref))
    return isContiguous(source) ? source : Value();
  bool isReshape = isa<memref::CollapseShapeOp, memref::ExpandShapeOp>(op);
  if (!isa<MemRefType>(source.getType()) ||
      (isReshape && !hasStaticStrides(cast<MemRefType>(memref.getType()))))
    return {};
  return source;
}

Value linalg_to_tile::findRoot(Value memref) {
  while (Value viewed = getViewed(memref))
    memref = viewed;
  return isContiguous(memref) ? memref : Value();
}

/// Whether memrefs that go into `op` may come out of it, or into its regions.
static bool passesOn(Operation *op) {
  auto isMemRef = [](Type type) { return isa<BaseMemRefType>(type); };
  return !isa<func::ReturnOp, linalg::LinalgOp>(op) &&
         (op->hasTrait<OpTrait::IsTerminator>() || op->getNumRegions() != 0 ||
          llvm::any_of(op->getResultTypes(), isMemRef));
}

bool linalg_to_tile::isOneBuffer(Value root) {
  Operation *op = root.getDefiningOp();
  bool isMade =
      op ? isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(op)
         : isa<func::FuncOp>(root.getParentBlock()->getParentOp());
  if (!isMade || !root.getParentRegion()->hasOneBlock())
    return false;
  SmallVector<Value> views{root};
  while (!views.empty())
    for (Operation *user : views.pop_back_val().getUsers()) {
      if (isa<ViewLikeOpInterface>(user) && user->getNumResults() == 1)
        views.push_back(user->getResult(0));
      else if (passesOn(user))
        return false;
    }
  return true;
}

OpFoldResult linalg_to_tile::multiply(OpBuilder &builder, Location loc,
                                      OpFoldResult lhs, OpFoldResult rhs) {
  return getAsOpFoldResult(builder.createOrFold<arith::MulIOp>(
      loc, getValueOrCreateConstantIndexOp(builder, loc, lhs),
      getValueOrCreateConstantIndexOp(builder, loc, rhs)));
}

static OpFoldResult add(OpBuilder &builder, Location loc, OpFoldResult lhs,
                        OpFoldResult rhs) {
  return getAsOpFoldResult(builder.createOrFold<arith::AddIOp>(
      loc, getValueOrCreateConstantIndexOp(builder, loc, lhs),
      getValueOrCreateConstantIndexOp(builder, loc, rhs)));
}

/// The view of a part of what `view` is.
static StridedView getPart(OpBuilder &builder, memref::SubViewOp op,
                           const StridedView &view) {
  Location loc = op.getLoc();
  StridedView part{view.root, view.offset, {}};
  llvm::SmallBitVector dropped = op.getDroppedDims();
  auto offsets = op.getMixedOffsets(), steps = op.getMixedStrides();
  for (auto [axis, stride] : llvm::enumerate(view.strides)) {
    part.offset = add(builder, loc, part.offset,
                      multiply(builder, loc, offsets[axis], stride));
    if (!dropped[axis])
      part.strides.push_back(multiply(builder, loc, steps[axis], stride));
  }
  return part;
}

StridedView linalg_to_tile::getView(OpBuilder &builder, Location loc,
                                    Value memref, GetSize getSize) {
  auto type = cast<MemRefType>(memref.getType());
  int64_t rank = type.getRank();
  if (isContiguous(memref)) {
    SmallVector<OpFoldResult> strides(rank, builder.getIndexAttr(1));
    for (int64_t axis = rank - 2; axis >= 0; --axis)
      strides[axis] =
          multiply(builder, loc, strides[axis + 1], getSize(memref, axis + 1));
    return {findRoot(memref), builder.getIndexAttr(0), strides};
  }
  StridedView view = getView(builder, loc, getViewed(memref), getSize);
  Operation *op = memref.getDefiningOp();
  if (auto subview = dyn_cast<memref::SubViewOp>(op))
    return getPart(builder, subview, view);
  if (auto transpose = dyn_cast<memref::TransposeOp>(op)) {
    SmallVector<OpFoldResult> strides;
    for (AffineExpr axis : transpose.getPermutation().getResults())
      strides.push_back(view.strides[cast<AffineDimExpr>(axis).getPosition()]);
    view.strides = strides;
  } else if (!isa<memref::CastOp>(op)) {
    auto [strides, offset] = type.getStridesAndOffset();
    view.strides = getAsIndexOpFoldResult(builder.getContext(), strides);
  }
  return view;
}

//===----------------------------------------------------------------------===//
// Loops
//===----------------------------------------------------------------------===//

bool linalg_to_tile::isRead(linalg::LinalgOp op, OpOperand &operand) {
  // linalg.map has no argument for its output.
  unsigned number = operand.getOperandNumber();
  return number < op.getBlock()->getNumArguments() &&
         !op.getBlock()->getArgument(number).use_empty();
}

/// Whether no memory lies between what two neighbouring axes run along.
static bool isDense(Value memref, unsigned axis) {
  auto type = cast<MemRefType>(memref.getType());
  if (type.getLayout().isIdentity())
    return true;
  SmallVector<int64_t> strides;
  int64_t offset;
  return succeeded(type.getStridesAndOffset(strides, offset)) &&
         !ShapedType::isDynamic(strides[axis]) &&
         !ShapedType::isDynamic(strides[axis + 1]) &&
         !type.isDynamicDim(axis + 1) &&
         strides[axis] == strides[axis + 1] * type.getDimSize(axis + 1);
}

/// Whether the elements of all operands follow each other along a loop and the
/// next one.
static bool areConsecutive(linalg::LinalgOp op, unsigned loop) {
  for (OpOperand &operand : op->getOpOperands()) {
    if (!isRead(op, operand) && !op.isDpsInit(&operand))
      continue;
    AffineMap map = op.getMatchingIndexingMap(&operand);
    unsigned numUses = 0;
    bool follow = false;
    for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
      numUses += expr.isFunctionOfDim(loop) || expr.isFunctionOfDim(loop + 1);
      follow |= axis + 1 < map.getNumResults() &&
                expr == getAffineDimExpr(loop, op.getContext()) &&
                map.getResult(axis + 1) ==
                    getAffineDimExpr(loop + 1, op.getContext()) &&
                isDense(operand.get(), axis);
    }
    if (numUses != 0 && !(numUses == 2 && follow))
      return false;
  }
  return true;
}

SmallVector<LoopGroup> linalg_to_tile::groupLoops(linalg::LinalgOp op) {
  auto iterators = op.getIteratorTypesArray();
  llvm::SmallBitVector isNamed(op.getNumLoops());
  op.getBlock()->walk(
      [&](linalg::IndexOp index) { isNamed.set(index.getDim()); });
  SmallVector<LoopGroup> groups;
  for (unsigned loop = 0; loop < op.getNumLoops(); ++loop) {
    bool isReduction = iterators[loop] == utils::IteratorType::reduction;
    if (loop > 0 && groups.back().isReduction == isReduction &&
        !isNamed[loop - 1] && !isNamed[loop] && areConsecutive(op, loop - 1))
      groups.back().last = loop;
    else
      groups.push_back({loop, loop, isReduction});
  }
  return groups;
}

SmallVector<OpFoldResult> linalg_to_tile::getLoopSizes(OpBuilder &builder,
                                                       linalg::LinalgOp op) {
  SmallVector<OpFoldResult> sizes(op.getNumLoops());
  for (OpOperand &operand : op->getOpOperands())
    for (auto [axis, expr] :
         llvm::enumerate(op.getMatchingIndexingMap(&operand).getResults())) {
      auto dim = dyn_cast<AffineDimExpr>(expr);
      if (!dim)
        continue;
      // A static size is known wherever it is; any other is that of the first.
      OpFoldResult &size = sizes[dim.getPosition()];
      auto type = cast<MemRefType>(operand.get().getType());
      if (!size || (isa<Value>(size) && !type.isDynamicDim(axis)))
        size = memref::getMixedSize(builder, op.getLoc(), operand.get(), axis);
    }
  return sizes;
}
