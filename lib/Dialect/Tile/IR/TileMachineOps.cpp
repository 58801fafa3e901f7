//===- TileMachineOps.cpp -------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Verifiers, effects and folds of what needs layouts (TileMachineOps.td).
//
//===----------------------------------------------------------------------===//

#include "Verifiers.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

//===----------------------------------------------------------------------===//
// Layouts
//===----------------------------------------------------------------------===//

LogicalResult ConvertLayoutOp::verify() {
  auto from = cast<RankedTensorType>(getSource().getType());
  auto to = cast<RankedTensorType>(getResult().getType());
  if (from.getShape() == to.getShape() &&
      from.getElementType() == to.getElementType())
    return success();
  return emitOpError("expects operand and result of one shape and element "
                     "type, found ")
         << from << " and " << to;
}

OpFoldResult ConvertLayoutOp::fold(FoldAdaptor) {
  if (getSource().getType() == getType())
    return getSource();
  auto inner = getSource().getDefiningOp<ConvertLayoutOp>();
  if (!inner)
    return nullptr;
  if (inner.getSource().getType() == getType())
    return inner.getSource();
  getSourceMutable().assign(inner.getSource());
  return getResult();
}

//===----------------------------------------------------------------------===//
// Shared memory
//===----------------------------------------------------------------------===//

void AllocOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Allocate::get(),
                       cast<OpResult>(getBuffer()));
}

void BarrierOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

/// T31.
static LogicalResult verifyLocalAccess(Operation *op, RankedTensorType tile,
                                       BufferType buffer, size_t numIndices) {
  ArrayRef<int64_t> sizes = buffer.getShape();
  if (tile.getElementType() != buffer.getElementType())
    return op->emitOpError("expects elements of the buffer's type ")
           << buffer.getElementType() << ", found " << tile;
  if (sizes.size() < size_t(tile.getRank()) ||
      sizes.take_back(tile.getRank()) != tile.getShape())
    return op->emitOpError("expects the last sizes of the buffer ")
           << buffer << " to be those of the tile, found " << tile;
  if (sizes.size() - tile.getRank() != numIndices)
    return op->emitOpError("expects ")
           << sizes.size() - tile.getRank()
           << " indices for the axes of the buffer " << buffer
           << " before those of the tile, found " << numIndices;
  return success();
}

LogicalResult LocalStoreOp::verify() {
  return verifyLocalAccess(*this, cast<RankedTensorType>(getValue().getType()),
                           getBuffer().getType(), getIndices().size());
}

/// T38.
static LogicalResult verifyPart(LocalLoadOp op, ArrayRef<int64_t> offsets) {
  auto part = cast<RankedTensorType>(op.getType());
  ArrayRef<int64_t> whole = op.getStageShape();
  if (offsets.size() != whole.size() ||
      offsets.size() != size_t(part.getRank()))
    return op.emitOpError("expects an offset for each of the ")
           << part.getRank() << " axes of " << part << ", and a buffer of "
           << "as many axes behind the indices, found " << offsets.size()
           << " offsets and " << whole.size() << " axes (T38)";
  for (auto [offset, size, all] :
       llvm::zip_equal(offsets, part.getShape(), whole))
    if (all % size != 0 || offset % size != 0 || offset < 0 ||
        offset + size > all)
      return op.emitOpError("expects sizes that divide those of the buffer, "
                            "and offsets within it that are multiples of "
                            "them, found an offset of ")
             << offset << " for " << size << " of " << all << " elements (T38)";
  return success();
}

LogicalResult LocalLoadOp::verify() {
  auto tile = cast<RankedTensorType>(getType());
  if (getOffsets() &&
      getIndices().size() <= getBuffer().getType().getShape().size()) {
    if (failed(verifyPart(*this, *getOffsets())))
      return failure();
    tile = tile.clone(getStageShape());
  }
  return verifyLocalAccess(*this, tile, getBuffer().getType(),
                           getIndices().size());
}

//===----------------------------------------------------------------------===//
// Asynchronous copies
//===----------------------------------------------------------------------===//

/// T39.
static LogicalResult verifyGroup(Operation *copy, bool isWithNext) {
  if (!isWithNext)
    return success();
  for (Operation *op = copy->getNextNode(); op; op = op->getNextNode()) {
    WalkResult found = op->walk([](Operation *inner) {
      return isa<AsyncLoadOp, AsyncLoadViewOp, AsyncWaitOp>(inner)
                 ? WalkResult::interrupt()
                 : WalkResult::advance();
    });
    if (!found.wasInterrupted())
      continue;
    if (isa<AsyncLoadOp, AsyncLoadViewOp>(op))
      return success();
    return copy->emitOpError("is 'with_next', and expects another copy of its "
                             "block before any wait, found '")
           << op->getName() << "' (T39)";
  }
  return copy->emitOpError("is 'with_next', and expects another copy behind it "
                           "in its block, found none (T39)");
}

LogicalResult AsyncLoadViewOp::verify() {
  auto tile = cast<RankedTensorType>(getTile());
  return failure(
      failed(verifyView(*this, getMemref().getType(), tile, getIndices().size(),
                        getAxes(), getInBounds(), getSteps())) ||
      failed(verifyLocalAccess(*this, tile, getBuffer().getType(),
                               getStages().size())) ||
      failed(verifyGroup(*this, getWithNext())));
}

RankedTensorType AsyncLoadOp::getTile() {
  auto pointers = cast<RankedTensorType>(getPtr().getType());
  return pointers.clone(cast<PtrType>(pointers.getElementType()).getPointee());
}

LogicalResult AsyncLoadOp::verify() {
  return failure(
      failed(verifyLocalAccess(*this, getTile(), getBuffer().getType(),
                               getStages().size())) ||
      failed(verifyGroup(*this, getWithNext())));
}

LogicalResult AsyncWaitOp::verify() {
  int64_t pending = getPendingAttr().getInt();
  if (pending >= 0)
    return success();
  return emitOpError("expects 'pending' not to be negative, found ")
         << pending << " (T37)";
}

void AsyncWaitOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

//===----------------------------------------------------------------------===//
// Matrix instructions
//===----------------------------------------------------------------------===//

LogicalResult MmaOp::verify() {
  auto a = cast<RankedTensorType>(getA().getType());
  auto b = cast<RankedTensorType>(getB().getType());
  auto acc = cast<RankedTensorType>(getAcc().getType());
  int64_t rank = acc.getRank();
  if ((rank != 2 && rank != 3) || a.getRank() != rank || b.getRank() != rank)
    return emitOpError("expects tiles of rank 2, or 3 with batches, found ")
           << a << ", " << b << " and " << acc;
  ArrayRef<int64_t> sizesA = a.getShape(), sizesB = b.getShape(),
                    sizes = acc.getShape();
  if (sizesA[rank - 1] != sizesB[rank - 2] ||
      sizesA.drop_back() != sizes.drop_back() ||
      sizesB.drop_back(2) != sizes.drop_back(2) ||
      sizesB.back() != sizes.back())
    return emitOpError("expects tiles of M x K, K x N and M x N, found ")
           << a << ", " << b << " and " << acc;
  std::string reason;
  if (selectAtoms(getAtom().getAtom(), a.getElementType(), b.getElementType(),
                  acc.getElementType(), /*allowTf32=*/true, reason)
          .empty())
    return emitOpError("expects ")
           << layout::describeTypes(*getAtom().getAtom()) << ", found " << a
           << ", " << b << " and " << acc;

  auto verifyLayout = [&](RankedTensorType type, layout::Matrix matrix,
                          StringRef name) -> LogicalResult {
    layout::Operand operand = getOperandOf(matrix);
    std::string reason = checkOperand(getGrid(), operand, type.getShape());
    if (!reason.empty())
      return emitOpError("expects '") << name << "' to fit: " << reason;
    auto expected = LayoutAttr::get(
        getContext(), layout::getOperand(getGrid(), operand, type.getShape()));
    if (type.getEncoding() == expected)
      return success();
    return emitOpError("expects '")
           << name << "' to have the layout " << expected << ", found " << type;
  };
  return failure(failed(verifyLayout(a, layout::Matrix::A, "a")) ||
                 failed(verifyLayout(b, layout::Matrix::B, "b")) ||
                 failed(verifyLayout(acc, layout::Matrix::Acc, "acc")));
}

layout::MmaGrid MmaOp::getGrid() {
  return {getAtom().getAtom(), int64_t(getWarpsM()), int64_t(getWarpsN())};
}

layout::Operand MmaOp::getOperandOf(layout::Matrix matrix) {
  bool isA = matrix == layout::Matrix::A, isB = matrix == layout::Matrix::B;
  Value tile = isA ? getA() : isB ? getB() : getAcc();
  Major order = isA ? getAOrder() : isB ? getBOrder() : Major::Row;
  return {matrix, *getScalar(getElementTypeOrSelf(tile)),
          static_cast<layout::Major>(order)};
}

//===----------------------------------------------------------------------===//
// Halves
//===----------------------------------------------------------------------===//

/// T36.
static LogicalResult verifyHalves(Operation *op, Value whole, Value half) {
  auto wholeType = cast<RankedTensorType>(whole.getType());
  auto halfType = cast<RankedTensorType>(half.getType());
  if (wholeType.getRank() > 0 && wholeType.getShape().back() == 2 &&
      wholeType.getShape().drop_back() == halfType.getShape() &&
      wholeType.getElementType() == halfType.getElementType())
    return success();
  return op->emitOpError("expects halves with all axes of the whole but the "
                         "last, which has size 2, and its element type, found ")
         << halfType << " of " << wholeType;
}

LogicalResult SplitOp::verify() {
  return verifyHalves(*this, getSource(), getLhs());
}

LogicalResult JoinOp::verify() {
  return verifyHalves(*this, getResult(), getLhs());
}
