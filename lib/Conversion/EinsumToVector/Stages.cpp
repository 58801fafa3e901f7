//===- Stages.cpp - Padded inputs and their borders -----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel of a bordered input is there twice: once for rows whose windows are
// inside of the image, and once, in a loop, for tiles of a few rows that read a
// copy. Along lines at the border that loop takes all tiles.
//
//===----------------------------------------------------------------------===//

#include "Stages.h"

#include "MicrokernelEmitter.h"
#include "tileir/Dialect/MemRef/Transforms/CopyWithBorder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::to_vector;

Stage to_vector::makeStage(StagedOperand box) {
  Stage stage;
  stage.level = box.level;
  stage.strides = box.strides;
  stage.shape = box.shape;
  stage.moves = box.moves;
  matchPattern(box.pad.getConstantPaddingValue(), m_Constant(&stage.border));
  for (auto [origin, low] :
       llvm::zip(box.origin, *getConstantIntValues(box.pad.getMixedLowPad())))
    stage.begin.push_back(origin - low);
  for (auto [before, after] : llvm::zip(box.pad.getSourceType().getShape(),
                                        box.pad.getResultType().getShape()))
    stage.isInside.push_back(before == after);
  return stage;
}

Value to_vector::allocateStage(IndexBuilder &index, const Stage &stage) {
  return memref::AllocOp::create(
      index.builder, index.loc,
      MemRefType::get(stage.shape, stage.border.getType()),
      index.builder.getI64IntegerAttr(64));
}

void to_vector::emitStage(IndexBuilder &index, const Nest &nest,
                          const Stage &stage, Value buffer, ArrayRef<Value> ivs,
                          Value rows, ArrayRef<int64_t> rowMove) {
  SmallVector<OpFoldResult> begin;
  for (auto [axis, at] : llvm::enumerate(stage.begin)) {
    Value moved;
    for (auto [iv, move] : llvm::zip(ivs, stage.moves))
      if (iv)
        moved = index.add(moved, iv, move[axis]);
    if (rows)
      moved = index.add(moved, rows, rowMove[axis]);
    begin.push_back(moved ? OpFoldResult(index.add(moved, at))
                          : index.builder.getIndexAttr(at));
  }
  memref_transforms::emitBox(
      index.builder, index.loc, stage.source, buffer, begin, stage.isInside,
      index.getConstant(stage.border), nest.vectorBits / 8);
}

void to_vector::emitBorderedKernel(IndexBuilder &index, const Nest &nest,
                                   ArrayRef<Cursor> cursors,
                                   ArrayRef<Value> ivs, Value buffer) {
  OpBuilder &builder = index.builder;
  Location loc = index.loc;
  const BorderedOperand &border = nest.border->operand;
  const Stage &stage = nest.border->tile;
  int64_t size = nest.dims[*nest.rows].getSize(), tile = border.tileRows;
  Value isInside;
  if (!border.loops.empty()) {
    Value value;
    for (unsigned loop : border.loops)
      if (ivs[loop])
        value = index.add(value, ivs[loop], nest.dims[loop].getStep());
    if (!value)
      value = index.getConstant(0);
    auto compare = [&](arith::CmpIPredicate predicate, int64_t with) {
      return arith::CmpIOp::create(builder, loc, predicate, value,
                                   index.getConstant(with));
    };
    isInside = arith::AndIOp::create(
        builder, loc, compare(arith::CmpIPredicate::sge, border.first),
        compare(arith::CmpIPredicate::slt, border.end));
  }
  auto emitRows = [&](Nest &part, int64_t numRows, ArrayRef<Cursor> at) {
    DimAttr &rows = part.dims[*nest.rows];
    rows = DimAttr::get(builder.getContext(), rows.getIndices(), rows.getExec(),
                        numRows, rows.getStep());
    emitKernel(index, part, at, /*isFirst=*/Value(), /*isLast=*/Value());
  };
  int64_t before = border.isBefore ? tile : 0;
  int64_t after = border.isAfter ? tile : 0;
  Value first = index.getConstant(before ? 0 : size - tile);
  Value end = index.getConstant(after ? size : tile);
  Value step = index.getConstant(size - tile);
  {
    OpBuilder::InsertionGuard guard(builder);
    if (isInside) {
      auto select = [&](Value inside, int64_t otherwise) -> Value {
        return arith::SelectOp::create(builder, loc, isInside, inside,
                                       index.getConstant(otherwise));
      };
      first = select(first, 0);
      end = select(end, size);
      step = select(step, tile);
      auto inside = scf::IfOp::create(builder, loc, isInside);
      builder.setInsertionPointToStart(inside.thenBlock());
    }
    Nest inner = nest;
    emitRows(inner, size - before - after,
             moveTo(index, nest, cursors, nest.rows, Value(), before));
  }
  auto loop = scf::ForOp::create(builder, loc, first, end, step);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value row = loop.getInductionVar();
  emitStage(index, nest, stage, buffer, ivs, row, border.rowMove);
  Nest outer = nest;
  Access &access = outer.accesses[stage.access];
  access.buffer = flatten(index, buffer);
  access.strides = stage.strides;
  access.strides[*nest.rows] = 0; // where the copy begins
  access.constant = 0;
  SmallVector<Cursor> moved(cursors);
  moved[stage.access] = getStart(access);
  moved = moveTo(index, outer, moved, nest.rows, row, 0);
  access.strides = stage.strides;
  emitRows(outer, tile, moved);
}
