//===- LaneRuns.cpp - Lanes that tables lead to, by rows ------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a row ends within a vector depends on the lane it begins at, so masks
// are computed when it runs, but once for all steps of the sums.
//
//===----------------------------------------------------------------------===//

#include "LaneRuns.h"

#include "tileir/Dialect/Einsum/Analysis/Primitives.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::to_vector;

/// The table that leads to lanes along `dim`; null if none does alone.
static const OffsetTable *getTable(const Access &access, unsigned dim) {
  const OffsetTable *found = nullptr;
  for (const OffsetTable &table : access.tables) {
    if (table.strides[dim] == 0)
      continue;
    if (found)
      return nullptr;
    found = &table;
  }
  return found;
}

bool to_vector::hasLaneRuns(const Access &access, unsigned dim, Lanes lanes) {
  const OffsetTable *table = getTable(access, dim);
  return table && access.strides[dim] == 0 && table->strides[dim] == 1 &&
         std::min(table->row, lanes.count) >= einsum::kLeastRun;
}

SmallVector<LaneRun> to_vector::findLaneRuns(IndexBuilder &index,
                                             const Access &access,
                                             const Cursor &cursor, unsigned dim,
                                             Lanes lanes) {
  OpBuilder &builder = index.builder;
  Location loc = index.loc;
  const OffsetTable *table = getTable(access, dim);
  Value first = toIndex(index, cursor.tables[table - access.tables.begin()]);
  Value last = index.add(first, lanes.count - 1);

  auto type = VectorType::get(lanes.width, builder.getI32Type());
  auto numbers = llvm::map_to_vector(
      llvm::seq<int32_t>(0, static_cast<int32_t>(lanes.width)),
      [](int32_t lane) { return lane; });
  Value lane = index.getConstant(
      cast<TypedAttr>(Attribute(DenseIntElementsAttr::get(type, numbers))));
  auto compare = [&](arith::CmpIPredicate predicate, Value bound) -> Value {
    bound =
        arith::IndexCastOp::create(builder, loc, builder.getI32Type(), bound);
    bound = vector::BroadcastOp::create(builder, loc, type, bound);
    return arith::CmpIOp::create(builder, loc, predicate, lane, bound);
  };

  // Lanes before the first end of a row, and between it and the next ones.
  Value count = index.getConstant(lanes.count);
  Value begin = index.getConstant(0);
  Value end = arith::RemUIOp::create(builder, loc, first,
                                     index.getConstant(table->row));
  end = arith::SubIOp::create(builder, loc, index.getConstant(table->row), end);
  int64_t most = llvm::divideCeil(lanes.count - 1, table->row) + 1;
  SmallVector<LaneRun> runs;
  for (int64_t i = 0; i < most; ++i) {
    end = arith::MinSIOp::create(builder, loc, end, count);
    Value mask = compare(arith::CmpIPredicate::slt, end);
    if (i > 0)
      mask = arith::AndIOp::create(builder, loc, mask,
                                   compare(arith::CmpIPredicate::sge, begin));
    // Of a run without lanes, some entry of the table.
    Value place = arith::MinSIOp::create(
        builder, loc, arith::AddIOp::create(builder, loc, first, begin), last);
    Value entry = memref::LoadOp::create(builder, loc, table->buffer, place);
    runs.push_back({mask, arith::SubIOp::create(builder, loc, entry, begin)});
    begin = end;
    end = index.add(end, table->row);
  }
  return runs;
}

Value to_vector::loadLaneRuns(IndexBuilder &index, const Access &access,
                              const Cursor &cursor, unsigned dim, Lanes lanes,
                              ArrayRef<LaneRun> runs) {
  Value base = toIndex(index, resolveBesides(index, access, cursor, dim));
  auto type = VectorType::get(lanes.width, access.getElementType());
  Value vector =
      index.getConstant(cast<TypedAttr>(index.builder.getZeroAttr(type)));
  for (LaneRun run : runs)
    vector = vector::MaskedLoadOp::create(
        index.builder, index.loc, type, access.buffer,
        ValueRange(index.add(base, run.offset, 1)), run.mask, vector);
  return vector;
}
