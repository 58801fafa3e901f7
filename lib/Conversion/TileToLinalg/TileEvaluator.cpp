//===- TileEvaluator.cpp --------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Goes from a tile to what it is computed from, along ops that work element by
// element or move elements. What it does not go into is made, and read.
//
//===----------------------------------------------------------------------===//

#include "TileEvaluator.h"
#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::to_linalg;

static bool isTile(Value value) {
  return isa<RankedTensorType>(value.getType());
}

static std::optional<TypedAttr> getSplat(Value tile) {
  auto constant = tile.getDefiningOp<arith::ConstantOp>();
  auto splat =
      constant ? dyn_cast<SplatElementsAttr>(constant.getValue()) : nullptr;
  if (!splat)
    return std::nullopt;
  return splat.getSplatValue<TypedAttr>();
}

std::optional<SmallVector<int64_t>> to_linalg::getAxes(Operation *op) {
  ArrayRef<int64_t> from = getShape(op->getOperand(0).getType()),
                    to = getShape(op->getResult(0).getType());
  SmallVector<int64_t> axes;
  if (isa<BroadcastOp>(op)) {
    for (auto [axis, size] : llvm::enumerate(from))
      axes.push_back(size == 1 ? -1 : axis + to.size() - from.size());
    return axes;
  }
  size_t axis = 0;
  for (int64_t size : from) {
    if (size == 1) {
      axes.push_back(-1);
      continue;
    }
    while (axis < to.size() && to[axis] == 1)
      ++axis;
    if (axis == to.size() || to[axis] != size)
      return std::nullopt;
    axes.push_back(axis++);
  }
  return axes;
}

/// Whether an element-wise op is as quick as a read.
static bool isCheap(Operation *op) {
  return !isa<arith::DivSIOp, arith::DivUIOp, arith::CeilDivSIOp,
              arith::CeilDivUIOp, arith::FloorDivSIOp, arith::RemSIOp,
              arith::RemUIOp, arith::DivFOp, arith::RemFOp>(op) &&
         !isa<math::MathDialect>(op->getDialect());
}

static bool isPointerCast(Operation *op) {
  return isa<IntToPtrOp, PtrToIntOp, PtrToPtrOp>(op);
}

/// The op that elements of `tile` are computed by; null if it is read.
static Operation *getComputed(Value tile, int64_t numElements, bool isVector) {
  Operation *op = tile.getDefiningOp();
  if (!op || op->getNumResults() != 1)
    return nullptr;
  if (isa<SplatOp, RangeOp>(op) || getSplat(tile))
    return op;
  if (isa<BroadcastOp, ReshapeOp>(op))
    return getAxes(op) ? op : nullptr;
  if (!isa<AddPtrOp>(op) && !isPointerCast(op) &&
      (!OpTrait::hasElementwiseMappableTraits(op) ||
       isa<TileDialect>(op->getDialect())))
    return nullptr;
  // Vectors of i1 do not lie in memory as tiles do.
  auto type = cast<RankedTensorType>(tile.getType());
  bool isRead =
      type.getNumElements() < numElements &&
      !(isVector && (isCheap(op) || type.getElementType().isInteger(1)));
  return isRead ? nullptr : op;
}

/// The axis that a broadcast or reshape takes for that of its result; -1 if the
/// elements are the same along that.
static int64_t getSourceAxis(Operation *op, int64_t axis) {
  SmallVector<int64_t> axes = *getAxes(op);
  const auto *it = llvm::find(axes, axis);
  return it == axes.end() ? -1 : it - axes.begin();
}

bool TileEvaluator::hasVectors(Value tile, int64_t axis, int64_t numElements) {
  if (!isTile(tile) || getShape(tile.getType())[axis] == 1)
    return true;
  Operation *op = getComputed(tile, numElements, /*isVector=*/true);
  if (!op) {
    auto type = cast<RankedTensorType>(tile.getType());
    Type element = type.getElementType();
    return axis + 1 == type.getRank() &&
           (isa<PtrType>(element) || !element.isInteger(1));
  }
  if (isa<SplatOp, RangeOp, arith::ConstantOp>(op))
    return true;
  if (isa<BroadcastOp, ReshapeOp>(op)) {
    int64_t source = getSourceAxis(op, axis);
    return source < 0 || hasVectors(op->getOperand(0), source, numElements);
  }
  return llvm::all_of(op->getOperands(), [&](Value operand) {
    return hasVectors(operand, axis, numElements);
  });
}

Value to_linalg::createLanes(OpBuilder &builder, Location loc, Value value,
                             int64_t lanes) {
  if (lanes == 0 || isa<VectorType>(value.getType()))
    return value;
  return vector::BroadcastOp::create(
      builder, loc, VectorType::get(lanes, value.getType()), value);
}

Value TileEvaluator::getScalar(Value tile, ValueRange indices) {
  return get(tile, indices, Lanes());
}

Value TileEvaluator::getVector(Value tile, ValueRange indices, Lanes lanes) {
  return createLanes(builder, loc, get(tile, indices, lanes), lanes.count);
}

Value TileEvaluator::get(Value tile, ValueRange indices, Lanes lanes) {
  if (!isTile(tile))
    return convert(tile);
  if (Operation *op = getComputed(tile, numElements, lanes.count > 0))
    return compute(op, indices, lanes);
  Value made = convert(tile);
  if (lanes.count == 0 || getShape(tile.getType())[lanes.axis] == 1)
    return tensor::ExtractOp::create(builder, loc, made, indices);
  return readVector(builder, loc, made, indices, lanes.count);
}

Value TileEvaluator::getRange(Type element, int64_t start, Value index,
                              int64_t lanes) {
  Value value = element.isIndex()
                    ? index
                    : arith::IndexCastOp::create(builder, loc, element, index)
                          .getResult();
  if (lanes == 0) {
    Value first = arith::ConstantOp::create(
        builder, loc, builder.getIntegerAttr(element, start));
    return arith::AddIOp::create(builder, loc, value, first);
  }
  auto type = VectorType::get(lanes, element);
  auto steps = llvm::map_to_vector(
      llvm::seq<int64_t>(start, start + lanes), [&](int64_t number) {
        return Attribute(builder.getIntegerAttr(element, number));
      });
  Value step = arith::ConstantOp::create(builder, loc,
                                         DenseElementsAttr::get(type, steps));
  return arith::AddIOp::create(builder, loc,
                               createLanes(builder, loc, value, lanes), step);
}

Value TileEvaluator::compute(Operation *op, ValueRange indices, Lanes lanes) {
  if (auto splat = dyn_cast<SplatOp>(op))
    return convert(splat.getValue());
  if (auto range = dyn_cast<RangeOp>(op))
    return getRange(getElement(range.getType()), range.getStart(),
                    indices.front(), lanes.count);
  if (std::optional<TypedAttr> splat = getSplat(op->getResult(0)))
    return arith::ConstantOp::create(builder, loc, *splat);
  if (isPointerCast(op)) // addresses stay
    return get(op->getOperand(0), indices, lanes);
  if (isa<BroadcastOp, ReshapeOp>(op)) {
    SmallVector<Value> from;
    SmallVector<int64_t> axes = *getAxes(op);
    for (int64_t axis : axes)
      from.push_back(
          axis < 0 ? arith::ConstantIndexOp::create(builder, loc, 0).getResult()
                   : indices[axis]);
    int64_t source = getSourceAxis(op, lanes.axis);
    return get(op->getOperand(0), from,
               source < 0 ? Lanes() : Lanes{lanes.count, source});
  }

  auto operands = llvm::map_to_vector(op->getOperands(), [&](Value operand) {
    return get(operand, indices, lanes);
  });
  bool isVector = llvm::any_of(
      operands, [](Value value) { return isa<VectorType>(value.getType()); });
  int64_t width = isVector ? lanes.count : 0;
  for (Value &operand : operands)
    operand = createLanes(builder, loc, operand, width);
  auto withLanes = [&](Type element) -> Type {
    return isVector ? VectorType::get(lanes.count, element) : element;
  };
  if (auto sum = dyn_cast<AddPtrOp>(op)) {
    Type address = builder.getI64Type();
    Value offset = operands[1];
    if (!getElementTypeOrSelf(offset).isInteger(64))
      offset = arith::ExtSIOp::create(builder, loc, withLanes(address), offset);
    auto pointer = cast<PtrType>(getElement(sum.getPtr().getType()));
    Value bytes = arith::ConstantIntOp::create(
        builder, loc, address,
        pointer.getPointee().getIntOrFloatBitWidth() / 8);
    offset = arith::MulIOp::create(builder, loc, offset,
                                   createLanes(builder, loc, bytes, width));
    return arith::AddIOp::create(builder, loc, operands[0], offset);
  }
  Type element = getElement(op->getResult(0).getType());
  if (isa<PtrType>(element))
    element = builder.getI64Type();
  OperationState state(loc, op->getName(), operands, withLanes(element),
                       op->getAttrs());
  return builder.create(state)->getResult(0);
}
