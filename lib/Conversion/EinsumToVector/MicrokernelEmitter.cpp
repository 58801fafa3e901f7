//===- MicrokernelEmitter.cpp - The innermost kernel ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel goes over tiles of rows x vectors, lanes outermost, so that what
// is read along lanes stays in the cache while rows pass by. A tile is held in
// registers, a vector each, while its sum is formed.
//
//===----------------------------------------------------------------------===//

#include "MicrokernelEmitter.h"

#include "DotEmitter.h"
#include "MatrixUnit.h"
#include "TileEmitter.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::to_vector;

SmallVector<Parts> to_vector::balance(int64_t total, int64_t most) {
  int64_t count = llvm::divideCeil(total, most);
  int64_t size = total / count, larger = total % count;
  SmallVector<Parts> parts;
  if (larger > 0)
    parts.push_back({0, size + 1, larger});
  parts.push_back({larger * (size + 1), size, count - larger});
  return parts;
}

SmallVector<Parts> to_vector::getRowParts(const Nest &nest, int64_t most) {
  if (!nest.rows)
    return {{0, 1, 1}};
  int64_t total = nest.dims[*nest.rows].getSize();
  if (!nest.isMatrix)
    return balance(total, most);
  SmallVector<Parts> parts =
      balance(llvm::divideCeil(total, kMatrixRows), most / kMatrixRows);
  for (Parts &part : parts) {
    part.begin *= kMatrixRows;
    part.size *= kMatrixRows;
  }
  // Rows that are missing in the last register make a part of its own.
  Parts last = parts.back();
  int64_t begin = last.begin + (last.count - 1) * last.size;
  if (begin + last.size == total)
    return parts;
  if (--parts.back().count == 0)
    parts.pop_back();
  parts.push_back({begin, total - begin, 1});
  return parts;
}

SmallVector<LaneParts> to_vector::getLaneParts(const Nest &nest) {
  if (!nest.lanes)
    return {{{0, 1, 1}, {{1, 1, 0}}, nest.dotLanes > 0}};
  int64_t total = nest.dims[*nest.lanes].getSize();
  SmallVector<LaneParts> result;
  // The least vectors have 128 bits.
  int64_t least =
      std::max<int64_t>(1, 128 / nest.accumulator.getIntOrFloatBitWidth());
  auto getNarrowWidth = [&](int64_t count) {
    return std::max<int64_t>(llvm::PowerOf2Ceil(count), least);
  };
  auto addDots = [&](Parts parts) {
    int64_t count = parts.size, width = count > 1 ? getNarrowWidth(count) : 1;
    result.push_back({parts, {{width, count, 1}}, true});
  };
  if (nest.isAlongSum && nest.dotLanes > 0) {
    llvm::for_each(balance(total, nest.dotLanes), addDots);
    return result;
  }
  int64_t full = nest.getVectorLanes(), rest = total % full;
  bool leavesDots = nest.dotLanes > 0;
  if (leavesDots)
    total -= rest;
  if (total > 0)
    for (Parts vectors :
         balance(llvm::divideCeil(total, full), nest.tileVectors)) {
      LaneParts &lanes = result.emplace_back(LaneParts{
          {vectors.begin * full, vectors.size * full, vectors.count}, {}});
      for (int64_t i = 0; i < vectors.size; ++i)
        lanes.vectors.push_back({full, full, 1, i * full});
    }
  if (rest == 0)
    return result;
  if (leavesDots) {
    addDots({total, rest, 1});
    return result;
  }
  // The remaining lanes take a narrower vector, which costs less.
  int64_t width = nest.isMatrix ? full : getNarrowWidth(rest);
  Lanes narrow{std::min(width, full), rest, 1};
  // The last part is one of its own.
  LaneParts last = result.back();
  last.parts.begin += (last.parts.count - 1) * last.parts.size;
  last.parts.size -= full - rest;
  last.parts.count = 1;
  narrow.begin = last.vectors.back().begin;
  last.vectors.back() = narrow;
  if (--result.back().parts.count == 0)
    result.pop_back();
  result.push_back(last);
  return result;
}

void to_vector::emitParts(IndexBuilder &index, Parts parts,
                          function_ref<void(Value, int64_t)> body) {
  if (parts.count == 1)
    return body(Value(), parts.begin);
  auto loop = scf::ForOp::create(
      index.builder, index.loc, index.getConstant(parts.begin),
      index.getConstant(parts.begin + parts.size * parts.count),
      index.getConstant(parts.size));
  OpBuilder::InsertionGuard guard(index.builder);
  index.builder.setInsertionPointToStart(loop.getBody());
  body(loop.getInductionVar(), 0);
}

/// Whether `operand`, of which sums start or which the epilogue reads, may be
/// in the result's memory: in place, elements are read where they are written.
static bool mayReadResult(const Nest &nest, const Operand &operand) {
  return llvm::any_of(operand.accesses, [&](unsigned access) {
    return access < nest.accesses.size() &&
           nest.accesses[access].strides == nest.accesses[nest.result].strides;
  });
}

/// Has the last vector begin earlier rather than be masked, where computing
/// some elements twice changes nothing: a load with a mask is no operand of
/// arithmetic, for which code generation spills accumulators. `isOnlyVisit`:
/// each tile is computed once.
static void overlapLastVector(const Nest &nest, LaneParts &lanes,
                              bool isOnlyVisit) {
  Lanes &last = lanes.vectors.back();
  int64_t missing = last.width - last.count;
  if (missing == 0 || !nest.lanes || lanes.areDots)
    return;
  // Panels are cut where tiles are, and read without masks.
  if (llvm::any_of(nest.accesses, [&](const Access &access) {
        return access.panelDim == nest.lanes;
      }))
    return;
  if (mayReadResult(nest, nest.epilogue))
    return;
  if (lanes.vectors.size() > 1) {
    last.begin -= missing;
  } else {
    bool mayRead =
        !isOnlyVisit || (nest.start && mayReadResult(nest, *nest.start));
    if (mayRead || lanes.parts.begin < missing)
      return;
    lanes.parts.begin -= missing;
  }
  last.count = last.width;
}

SmallVector<Cursor> to_vector::moveTo(IndexBuilder &index, const Nest &nest,
                                      ArrayRef<Cursor> cursors,
                                      std::optional<unsigned> dim, Value begin,
                                      int64_t constant) {
  SmallVector<Cursor> moved(cursors);
  if (!dim)
    return moved;
  for (auto [cursor, access] : llvm::zip(moved, nest.accesses)) {
    if (access.panelDim == dim) {
      if (begin)
        cursor.offset.value =
            index.add(cursor.offset.value, begin, access.panelDepth);
      cursor.offset.constant += constant * access.panelDepth;
      continue;
    }
    if (begin)
      cursor = advance(index, access, cursor, *dim, begin);
    cursor = advance(access, cursor, *dim, constant);
  }
  return moved;
}

void to_vector::emitKernel(IndexBuilder &index, const Nest &nest,
                           ArrayRef<Cursor> cursors, Value isFirst,
                           Value isLast) {
  if (nest.isMatrix)
    return emitMatrixKernel(index, nest, cursors, isFirst, isLast);
  SmallVector<LaneParts> allLanes = getLaneParts(nest);
  overlapLastVector(nest, allLanes.back(), /*isOnlyVisit=*/!isFirst);
  for (const LaneParts &lanes : allLanes)
    emitParts(index, lanes.parts, [&](Value begin, int64_t constant) {
      auto atLanes = moveTo(index, nest, cursors, nest.lanes, begin, constant);
      auto emitRows = [&](const Nest &nest, int64_t most) {
        for (Parts rows : getRowParts(nest, most))
          emitParts(index, rows, [&](Value begin, int64_t constant) {
            auto atTile =
                moveTo(index, nest, atLanes, nest.rows, begin, constant);
            emitTile(index, nest, rows.size, lanes, atTile, isFirst, isLast);
          });
      };
      if (!lanes.areDots)
        return emitRows(nest, nest.tileRows);
      Nest packed = nest;
      int64_t numLanes = lanes.vectors.front().count;
      SmallVector<Value> buffers =
          packForDots(index, packed, lanes.vectors.front(), atLanes);
      int64_t most = nest.getVectorLanes() / numLanes;
      emitRows(packed, nest.isAlongSum ? std::min(nest.tileRows, most) : most);
      if (nest.deallocate)
        for (Value buffer : buffers)
          memref::DeallocOp::create(index.builder, index.loc, buffer);
    });
}
