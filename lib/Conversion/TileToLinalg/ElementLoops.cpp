//===- ElementLoops.cpp - Elements of a tile, and loops over them ---------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What touches memory, or depends on other elements, is a nest of scf.for that
// carries the tile it makes: bufferization updates that in place. (A
// linalg.generic on tensors counts as free of effects and may be moved.)
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::to_linalg;

Value to_linalg::getElementAt(OpBuilder &builder, Location loc,
                              Value scalarOrTile, ValueRange indices) {
  if (!isa<RankedTensorType>(scalarOrTile.getType()))
    return scalarOrTile;
  return tensor::ExtractOp::create(builder, loc, scalarOrTile, indices);
}

Value to_linalg::setElementAt(OpBuilder &builder, Location loc, Value element,
                              Value scalarOrTile, ValueRange indices) {
  if (!isa<RankedTensorType>(scalarOrTile.getType()))
    return element;
  return tensor::InsertOp::create(builder, loc, element, scalarOrTile, indices);
}

bool to_linalg::hasVectors(Type element) {
  return element.isInteger(8) || element.isInteger(16) ||
         element.isInteger(32) || element.isInteger(64) ||
         isa<Float16Type, BFloat16Type, Float32Type, Float64Type>(element);
}

Value to_linalg::readVector(OpBuilder &builder, Location loc, Value tile,
                            ValueRange indices, int64_t lanes) {
  Type element = cast<RankedTensorType>(tile.getType()).getElementType();
  Value padding =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(element));
  return vector::TransferReadOp::create(
      builder, loc, VectorType::get(lanes, element), tile, indices, padding,
      /*inBounds=*/ArrayRef<bool>{true});
}

Value to_linalg::writeVector(OpBuilder &builder, Location loc, Value vector,
                             Value tile, ValueRange indices) {
  return vector::TransferWriteOp::create(builder, loc, vector, tile, indices,
                                         /*inBounds=*/ArrayRef<bool>{true})
      .getResult();
}

Value to_linalg::createEmptyTile(OpBuilder &builder, Location loc,
                                 RankedTensorType type) {
  return tensor::EmptyOp::create(builder, loc, type, ValueRange());
}

Value to_linalg::createFilledTile(OpBuilder &builder, Location loc,
                                  RankedTensorType type, Value value) {
  return linalg::FillOp::create(builder, loc, value,
                                createEmptyTile(builder, loc, type))
      .getResult(0);
}

Value to_linalg::buildElementLoops(OpBuilder &builder, Location loc,
                                   ArrayRef<OpFoldResult> lower,
                                   ArrayRef<OpFoldResult> upper, Value carried,
                                   ElementBody body) {
  SmallVector<Value> lowers =
      getValueOrCreateConstantIndexOp(builder, loc, lower);
  SmallVector<Value> uppers =
      getValueOrCreateConstantIndexOp(builder, loc, upper);
  SmallVector<Value> steps(lower.size(),
                           arith::ConstantIndexOp::create(builder, loc, 1));
  scf::LoopNest nest = scf::buildLoopNest(
      builder, loc, lowers, uppers, steps,
      carried ? ValueRange(carried) : ValueRange(),
      [&](OpBuilder &inner, Location innerLoc, ValueRange indices,
          ValueRange tiles) -> scf::ValueVector {
        Value result = body(inner, innerLoc, indices,
                            tiles.empty() ? Value() : tiles.front());
        return result ? scf::ValueVector{result} : scf::ValueVector{};
      });
  return nest.results.empty() ? Value() : nest.results.front();
}

Value to_linalg::buildElementLoops(OpBuilder &builder, Location loc,
                                   ArrayRef<int64_t> shape, Value carried,
                                   ElementBody body) {
  SmallVector<OpFoldResult> lower(shape.size(), builder.getIndexAttr(0));
  SmallVector<OpFoldResult> upper =
      getAsIndexOpFoldResult(builder.getContext(), shape);
  return buildElementLoops(builder, loc, lower, upper, carried, body);
}
