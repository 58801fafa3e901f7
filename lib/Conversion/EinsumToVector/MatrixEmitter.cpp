//===- MatrixEmitter.cpp - Tiles of matrix registers ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The accumulators, a register for each 16 rows of each vector, are carried by
// the loops over what is summed. What is not stored as it is goes by way of the
// scratch, a tile in memory, from which vectors do the rest.
//
//===----------------------------------------------------------------------===//

#include "MatrixUnit.h"
#include "TileEmitter.h"
#include "tileir/Conversion/AMXToLLVM/AMXToLLVM.h"
#include "tileir/Conversion/EinsumLowering/UnrolledLoop.h"

#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::lowering;
using namespace tileir::to_vector;

/// Rows that one iteration reads from the scratch, or writes to it.
static constexpr int64_t kStoredRows = 4;

bool to_vector::needsScratch(const Nest &nest) {
  const Access &result = nest.accesses[nest.result];
  return nest.start || nest.epilogue.expression || nest.streams ||
         nest.contracted != nest.accumulator ||
         result.getElementType() != nest.accumulator ||
         result.strides[*nest.lanes] != 1 ||
         result.tablesDependOn(*nest.lanes) ||
         result.tablesDependOn(*nest.rows) ||
         nest.dims[*nest.lanes].getSize() % kMatrixLanes != 0 ||
         (nest.dims[*nest.rows].getSize() % kMatrixRows != 0 &&
          !nest.overlapsRows);
}

namespace {

class MatrixTileEmitter {
public:
  MatrixTileEmitter(IndexBuilder &index, const Nest &nest, int64_t rows,
                    const LaneParts &lanes)
      : index(index), builder(index.builder), loc(index.loc), nest(nest),
        rows(rows), blocks(llvm::divideCeil(rows, kMatrixRows)),
        vectors(lanes.vectors.size()), lanes(lanes), accesses(nest.accesses),
        type(
            amx::TileType::get({kMatrixRows, kMatrixLanes}, nest.accumulator)) {
    ofRows = nest.inputs[nest.rowsInput].accesses.front();
    ofLanes = nest.inputs[1 - nest.rowsInput].accesses.front();
    // In a panel of some width, elements along a sum are that far apart. A step
    // along groups is one of a register.
    for (unsigned number : {ofRows, ofLanes}) {
      Access &access = accesses[number];
      if (access.panelDim)
        for (unsigned dim : nest.sums)
          access.strides[dim] *=
              number == ofLanes ? vectors * kMatrixLanes : kMatrixRows;
      access.strides[*nest.grouped] *= getRowElements();
    }
  }

  void emit(ArrayRef<Cursor> cursors, Value isFirst, Value isLast) {
    SmallVector<Value> tiles =
        emitSums(0, cursors, getInitial(cursors, isFirst));
    if (!isLast)
      return storeResult(cursors, tiles);
    // What is no result yet stays a register in memory.
    auto condition = scf::IfOp::create(builder, loc, isLast,
                                       /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(condition.thenBlock());
    storeResult(cursors, tiles);
    builder.setInsertionPointToStart(condition.elseBlock());
    storeTiles(nest.held, cursors, tiles);
  }

private:
  /// Whether an access is the buffer of sums that go on, in which a tile is one
  /// piece.
  bool isBuffer(unsigned number) const {
    return number == nest.held && nest.held != nest.result;
  }

  void storeTiles(unsigned number, ArrayRef<Cursor> cursors,
                  ArrayRef<Value> tiles) {
    forTiles([&](int64_t i, int64_t block, int64_t vector) {
      amx::TileStoreOp::create(builder, loc, accesses[number].buffer,
                               getOffset(number, cursors, block, vector),
                               tiles[i], getRowStride(number));
    });
  }

  /// Stores registers, or rows of vectors by way of the scratch.
  void storeResult(ArrayRef<Cursor> cursors, ArrayRef<Value> tiles) {
    if (!nest.scratch)
      return storeTiles(nest.result, cursors, tiles);
    forTiles([&](int64_t i, int64_t block, int64_t vector) {
      amx::TileStoreOp::create(builder, loc, nest.scratch,
                               getScratchOffset(block, vector), tiles[i],
                               index.getConstant(vectors * kMatrixLanes));
    });
    emitRows(cursors, [&](ArrayRef<Cursor> cursors, ArrayRef<Position> at) {
      SmallVector<Value> values;
      for (Position position : at)
        values.push_back(
            loadVector(index, getScratch(), position, getScratchLanes()));
      storeRow(index, nest, lanes, cursors, values);
    });
  }

  /// The elements of a row of a register.
  int64_t getRowElements() const { return kMatrixGroups * nest.groupSize; }

  void forTiles(function_ref<void(int64_t, int64_t, int64_t)> body) {
    for (int64_t block = 0; block < blocks; ++block)
      for (int64_t vector = 0; vector < vectors; ++vector)
        body(block * vectors + vector, block, vector);
  }

  Value toIndex(Position position) {
    Value value = index.add(position.value, position.constant);
    return value ? value : index.getConstant(0);
  }

  /// Where the register of 16 rows and a vector begins in an access.
  Value getOffset(unsigned number, ArrayRef<Cursor> cursors, int64_t block,
                  int64_t vector) {
    const Access &access = accesses[number];
    Cursor cursor = cursors[number];
    if (isBuffer(number)) {
      cursor.offset.constant +=
          (block * kMatrixRows * vectors + vector) * kMatrixLanes;
    } else if (access.panelDim == nest.rows) {
      cursor.offset.constant += block * kMatrixRows * access.panelDepth;
    } else {
      if (number != ofLanes)
        cursor = advance(access, cursor, *nest.rows, getFirstRow(block));
      cursor = advance(access, cursor, *nest.lanes, vector * kMatrixLanes);
    }
    return toIndex(resolve(index, access, cursor));
  }

  /// The row of the tile at which a register begins: the last one may begin
  /// where rows of the one before are.
  int64_t getFirstRow(int64_t block) const {
    int64_t row = block * kMatrixRows;
    return nest.overlapsRows ? std::min(row, rows - kMatrixRows) : row;
  }

  /// How far the rows of a register are apart in an access.
  Value getRowStride(unsigned number) {
    const Access &access = accesses[number];
    if (isBuffer(number))
      return index.getConstant(vectors * kMatrixLanes);
    if (number == ofLanes)
      return index.getConstant(vectors * kMatrixLanes * nest.groupSize);
    return index.getConstant(access.panelDim ? getRowElements()
                                             : access.strides[*nest.rows]);
  }

  Value load(unsigned number, ArrayRef<Cursor> cursors, int64_t block,
             int64_t vector, Type type) {
    return amx::TileLoadOp::create(builder, loc, type, accesses[number].buffer,
                                   getOffset(number, cursors, block, vector),
                                   getRowStride(number));
  }

  /// What sums start from: later, what is held.
  SmallVector<Value> getInitial(ArrayRef<Cursor> cursors, Value isFirst) {
    SmallVector<Value> tiles(blocks * vectors);
    if (!isFirst)
      return getStarts(cursors);
    SmallVector<Type> types(tiles.size(), type);
    auto condition = scf::IfOp::create(builder, loc, types, isFirst,
                                       /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(condition.thenBlock());
    scf::YieldOp::create(builder, loc, getStarts(cursors));
    builder.setInsertionPointToStart(condition.elseBlock());
    forTiles([&](int64_t i, int64_t block, int64_t vector) {
      tiles[i] = load(nest.held, cursors, block, vector, type);
    });
    scf::YieldOp::create(builder, loc, tiles);
    return llvm::to_vector_of<Value>(condition.getResults());
  }

  /// 0, or what vectors compute by way of the scratch.
  SmallVector<Value> getStarts(ArrayRef<Cursor> cursors) {
    SmallVector<Value> tiles(blocks * vectors);
    if (!nest.start) {
      forTiles([&](int64_t i, int64_t, int64_t) {
        tiles[i] = amx::TileZeroOp::create(builder, loc, type);
      });
      return tiles;
    }
    emitRows(cursors, [&](ArrayRef<Cursor> cursors, ArrayRef<Position> at) {
      SmallVector<Value> values = loadStartRow(index, nest, lanes, cursors);
      for (auto [value, position] : llvm::zip(values, at))
        storeVector(index, getScratch(), position, getScratchLanes(), value);
    });
    forTiles([&](int64_t i, int64_t block, int64_t vector) {
      tiles[i] = amx::TileLoadOp::create(
          builder, loc, type, nest.scratch, getScratchOffset(block, vector),
          index.getConstant(vectors * kMatrixLanes));
    });
    return tiles;
  }

  Access getScratch() {
    Access access;
    access.buffer = nest.scratch;
    return access;
  }
  static Lanes getScratchLanes() { return {kMatrixLanes, kMatrixLanes, 1}; }
  Value getScratchOffset(int64_t block, int64_t vector) {
    return index.getConstant(block * kMatrixRows * vectors * kMatrixLanes +
                             vector * kMatrixLanes);
  }

  /// Emits `body` for each row of the tile, with cursors there, and where its
  /// vectors are in the scratch.
  void emitRows(ArrayRef<Cursor> cursors,
                function_ref<void(ArrayRef<Cursor>, ArrayRef<Position>)> body) {
    int64_t width = vectors * kMatrixLanes;
    // `skipped` rows of the scratch belong to a register before.
    auto emitSome = [&](Parts parts, int64_t skipped) {
      emitParts(index, parts, [&](Value begin, int64_t constant) {
        Value offset = begin ? index.add(Value(), begin, width) : Value();
        for (int64_t row = constant; row < constant + parts.size; ++row) {
          SmallVector<Position> at;
          for (int64_t vector = 0; vector < vectors; ++vector)
            at.push_back(
                {offset, (row + skipped) * width + vector * kMatrixLanes});
          body(moveTo(index, nest, cursors, nest.rows, begin, row), at);
        }
      });
    };
    int64_t last = (blocks - 1) * kMatrixRows, ofLast = rows - last,
            skipped = last - getFirstRow(blocks - 1);
    if (!skipped) {
      last = rows - rows % kStoredRows;
      ofLast = rows - last;
    }
    if (last)
      emitSome({0, kStoredRows, last / kStoredRows}, /*skipped=*/0);
    if (ofLast)
      emitSome({last, ofLast, 1}, skipped);
  }

  SmallVector<Value> emitSums(unsigned level, ArrayRef<Cursor> cursors,
                              SmallVector<Value> tiles) {
    if (level == nest.sums.size())
      return emitStep(cursors, tiles);
    unsigned dim = nest.sums[level];
    int64_t size = nest.dims[dim].getSize();
    if (dim == nest.grouped)
      size = llvm::divideCeil(size, getRowElements());
    if (size == 1)
      return emitSums(level + 1, cursors, std::move(tiles));
    auto loop = scf::ForOp::create(builder, loc, index.getConstant(0),
                                   index.getConstant(size),
                                   index.getConstant(1), tiles);
    keepLoop(loop);
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(loop.getBody());
    SmallVector<Cursor> moved(cursors);
    for (unsigned number : {ofRows, ofLanes})
      moved[number] = advance(index, accesses[number], cursors[number], dim,
                              loop.getInductionVar());
    tiles = emitSums(level + 1, moved,
                     llvm::to_vector_of<Value>(loop.getRegionIterArgs()));
    scf::YieldOp::create(builder, loc, tiles);
    return llvm::to_vector_of<Value>(loop.getResults());
  }

  SmallVector<Value> emitStep(ArrayRef<Cursor> cursors, ArrayRef<Value> tiles) {
    auto factor = amx::TileType::get({kMatrixRows, getRowElements()},
                                     nest.inputTypes.front());
    SmallVector<Value> ofBlocks, ofVectors, results;
    for (int64_t block = 0; block < blocks; ++block)
      ofBlocks.push_back(load(ofRows, cursors, block, 0, factor));
    // Other rows read the same lanes, but not before all others are read.
    for (int64_t vector = 0; vector < vectors; ++vector) {
      Value loaded = load(ofLanes, cursors, 0, vector, factor);
      loaded.getDefiningOp()->setAttr(amx_to_llvm::kStreamedTile,
                                      builder.getUnitAttr());
      ofVectors.push_back(loaded);
    }
    forTiles([&](int64_t i, int64_t block, int64_t vector) {
      Value lhs = ofBlocks[block], rhs = ofVectors[vector];
      if (nest.accumulator.isF32())
        results.push_back(
            amx::TileMulFOp::create(builder, loc, type, lhs, rhs, tiles[i]));
      else
        results.push_back(
            amx::TileMulIOp::create(builder, loc, type, lhs, rhs, tiles[i]));
    });
    return results;
  }

  IndexBuilder &index;
  OpBuilder &builder;
  Location loc;
  const Nest &nest;
  int64_t rows, blocks, vectors;
  const LaneParts &lanes;
  SmallVector<Access> accesses;
  amx::TileType type;
  unsigned ofRows = 0, ofLanes = 0;
};

} // namespace

Access to_vector::allocateMatrixSums(IndexBuilder &index, const Nest &nest,
                                     unsigned level) {
  Access held;
  held.strides.assign(nest.dims.size(), 0);
  int64_t lanes = llvm::alignTo(nest.dims[*nest.lanes].getSize(), kMatrixLanes),
          rows = llvm::alignTo(nest.dims[*nest.rows].getSize(), nest.tileRows);
  // Steps of both are those of tiles.
  held.strides[*nest.lanes] = nest.tileRows;
  held.strides[*nest.rows] = lanes;
  int64_t size = lanes * (rows + nest.tileRows);
  for (unsigned dim = nest.dims.size(); dim-- > level;)
    if (!nest.isSummed(dim) && dim != nest.lanes && dim != nest.rows) {
      held.strides[dim] = size;
      size *= nest.dims[dim].getSize();
    }
  held.buffer = memref::AllocOp::create(
      index.builder, index.loc, MemRefType::get({size}, nest.accumulator),
      index.builder.getI64IntegerAttr(64));
  return held;
}

void to_vector::emitMatrixKernel(IndexBuilder &index, const Nest &nest,
                                 ArrayRef<Cursor> cursors, Value isFirst,
                                 Value isLast) {
  for (Parts rows : getRowParts(nest, nest.tileRows))
    emitParts(index, rows, [&](Value begin, int64_t constant) {
      auto atRows = moveTo(index, nest, cursors, nest.rows, begin, constant);
      for (const LaneParts &lanes : getLaneParts(nest))
        emitParts(index, lanes.parts, [&](Value begin, int64_t constant) {
          auto atTile =
              moveTo(index, nest, atRows, nest.lanes, begin, constant);
          MatrixTileEmitter(index, nest, rows.size, lanes)
              .emit(atTile, isFirst, isLast);
        });
    });
}
