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
/// whole length. Its indices along other axes have to be inside all the same.
template <typename Op>
static void moveOutside(OpBuilder &builder, Op op, TileType type,
                        Value predicate) {
  Location loc = op.getLoc();
  auto axes = op.getAxes();
  int64_t first = axes ? axes->front() : 0;
  for (auto [axis, index] : llvm::enumerate(op.getIndicesMutable())) {
    bool isOfTile = !axes || llvm::is_contained(*axes, int64_t(axis));
    if (isOfTile && int64_t(axis) != first)
      continue;
    Value outside = arith::ConstantIndexOp::create(
        builder, loc, isOfTile ? -type.getDimSize(0) : 0);
    index.set(
        arith::SelectOp::create(builder, loc, predicate, index.get(), outside));
  }
}

bool tile::isMaskable(Operation *op) {
  return isa<LoadOp, StoreOp, AtomicRMWOp, LoadViewOp, StoreViewOp>(op);
}

void tile::addToMask(OpBuilder &builder, Operation *op, Value predicate) {
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(op);
  TypeSwitch<Operation *>(op)
      .Case<LoadOp, StoreOp, AtomicRMWOp>([&](auto access) {
        Type type = withElement(access.getPtr().getType(), predicate.getType());
        Value mask = predicate;
        if (type != predicate.getType())
          mask = SplatOp::create(builder, op->getLoc(), type, predicate);
        if (access.getMask())
          mask = arith::AndIOp::create(builder, op->getLoc(), access.getMask(),
                                       mask);
        access.getMaskMutable().assign(mask);
      })
      .Case([&](LoadViewOp view) {
        moveOutside(builder, view, cast<TileType>(view.getType()), predicate);
      })
      .Case([&](StoreViewOp view) {
        moveOutside(builder, view, cast<TileType>(view.getValue().getType()),
                    predicate);
      });
}
