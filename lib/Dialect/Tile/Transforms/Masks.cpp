//===- Masks.cpp - Masks of tile accesses ---------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/Transforms/Masks.h"
#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

/// A view is read and written nowhere if it starts before the memref by its
/// whole length, in steps. Its indices along other axes have to be inside all
/// the same.
template <typename Op>
static void moveOutside(OpBuilder &builder, Op op, TileType type,
                        Value predicate, int64_t step = 1) {
  Location loc = op.getLoc();
  auto axes = op.getAxes();
  SmallVector<bool> inBounds(type.getRank(), false);
  if (auto promised = op.getInBounds())
    inBounds.assign(promised->begin(), promised->end());
  auto select = [&](OpOperand &index, int64_t otherwise) {
    Value other = arith::ConstantIndexOp::create(builder, loc, otherwise);
    index.set(
        arith::SelectOp::create(builder, loc, predicate, index.get(), other));
  };
  unsigned position = 0; // among the axes of the tile
  for (auto [axis, index] : llvm::enumerate(op.getIndicesMutable())) {
    if (axes && !llvm::is_contained(*axes, int64_t(axis))) {
      select(index, 0);
      continue;
    }
    // The first axis leads outside; what is promised of others holds at 0.
    if (position == 0)
      select(index, -type.getDimSize(0) * step);
    else if (inBounds[position])
      select(index, 0);
    ++position;
  }
  inBounds.front() = false;
  if (op.getInBounds())
    op.setInBounds(inBounds);
}

bool tile::isMaskable(Operation *op) {
  return isa<LoadOp, StoreOp, AtomicRMWOp, AtomicCASOp, LoadViewOp, StoreViewOp,
             AsyncLoadOp, AsyncLoadViewOp>(op);
}

void tile::addToMask(OpBuilder &builder, Operation *op, Value predicate) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op);
  TypeSwitch<Operation *>(op)
      .Case<LoadOp, StoreOp, AtomicRMWOp, AtomicCASOp, AsyncLoadOp>(
          [&](auto access) {
            Type type =
                withElement(access.getPtr().getType(), predicate.getType());
            Value mask = predicate;
            if (type != predicate.getType())
              mask = SplatOp::create(builder, op->getLoc(), type, predicate);
            if (access.getMask())
              mask = arith::AndIOp::create(builder, op->getLoc(),
                                           access.getMask(), mask);
            access.getMaskMutable().assign(mask);
          })
      .Case([&](AsyncLoadViewOp view) {
        Value mask = predicate;
        if (view.getMask())
          mask = arith::AndIOp::create(builder, op->getLoc(), view.getMask(),
                                       mask);
        view.getMaskMutable().assign(mask);
      })
      .Case([&](LoadViewOp view) {
        auto steps = view.getSteps();
        moveOutside(builder, view, cast<TileType>(view.getType()), predicate,
                    steps ? steps->front() : 1);
      })
      .Case([&](StoreViewOp view) {
        moveOutside(builder, view, cast<TileType>(view.getValue().getType()),
                    predicate);
      });
}
