//===- Access.h - Elements at offsets that loops move -----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How the loops of a schedule read and write memory: buffers of rank 1, offsets
// that are sums of strides and of entries of offset tables, and vectors there.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_ACCESS_H
#define TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_ACCESS_H

#include "mlir/IR/Builders.h"
#include "llvm/ADT/DenseMap.h"

namespace tileir::to_vector {

/// Builds index arithmetic. Without LLVM's optimizer what is built is what
/// runs: so constants are built once, before all loops, and zeros fold.
class IndexBuilder {
public:
  /// Constants are built at the start of `constantBlock`, a block that
  /// dominates all uses.
  IndexBuilder(mlir::OpBuilder &builder, mlir::Location loc,
               mlir::Block *constantBlock)
      : builder(builder), loc(loc), constantBlock(constantBlock) {}

  mlir::Value getConstant(int64_t value);
  mlir::Value getConstant(mlir::TypedAttr value);
  /// `base + value * factor`; a null `base` is 0.
  mlir::Value add(mlir::Value base, mlir::Value value, int64_t factor);
  /// `base + value`; null if both are 0.
  mlir::Value add(mlir::Value base, int64_t value);

  /// Moves the insertion point to where constants are.
  void setInsertionPointToConstants() {
    builder.setInsertionPointToStart(constantBlock);
  }

  mlir::OpBuilder &builder;
  mlir::Location loc;
  /// Buffers to be freed after the loops.
  llvm::SmallVector<mlir::Value> buffers;

private:
  mlir::Block *constantBlock;
  llvm::DenseMap<mlir::Attribute, mlir::Value> constants;
};

/// Offsets that are not strided: entry i of `buffer`, with i strided.
struct OffsetTable {
  mlir::Value buffer;                 // memref<?xindex>
  llvm::SmallVector<int64_t> strides; // per dimension of the schedule
  /// Entries from a multiple of this one on go up by one, so many of them.
  int64_t row = 1;
};

/// Elements of a buffer, as a function of the schedule's dimensions.
struct Access {
  mlir::Value buffer; // memref<?xT>
  int64_t constant = 0;
  llvm::SmallVector<int64_t> strides; // per dimension
  llvm::SmallVector<OffsetTable> tables;
  /// For a copy in panels (PackEmitter.h): the dimension of which a panel holds
  /// some values, and how many elements it holds of each. Strides are 1 for
  /// this dimension, and for summed ones to be multiplied by a panel's width.
  std::optional<unsigned> panelDim;
  int64_t panelDepth = 0;

  mlir::Type getElementType() const {
    return mlir::cast<mlir::MemRefType>(buffer.getType()).getElementType();
  }
  bool dependsOn(unsigned dim) const {
    return strides[dim] != 0 || tablesDependOn(dim);
  }
  bool tablesDependOn(unsigned dim) const {
    return llvm::any_of(tables, [&](const OffsetTable &table) {
      return table.strides[dim] != 0;
    });
  }
};

/// Where an access is within the loops: a value, null for 0, and a constant.
struct Position {
  mlir::Value value;
  int64_t constant = 0;
};
struct Cursor {
  Position offset;
  llvm::SmallVector<Position> tables;
};

/// The cursor where all dimensions are 0.
Cursor getStart(const Access &access);
/// Moves by `iv` steps, or a constant number of them, of dimension `dim`.
Cursor advance(IndexBuilder &index, const Access &access, Cursor cursor,
               unsigned dim, mlir::Value iv);
Cursor advance(const Access &access, Cursor cursor, unsigned dim, int64_t by);
/// Adds what the tables hold: the cursor of an access without tables.
Position resolve(IndexBuilder &index, const Access &access,
                 const Cursor &cursor);
/// The same without the tables along `dim`.
Position resolveBesides(IndexBuilder &index, const Access &access,
                        const Cursor &cursor, unsigned dim);
/// The position as one value.
mlir::Value toIndex(IndexBuilder &index, Position position);

/// A vector of `width` lanes, of which the first `count` are elements `stride`
/// apart, from `position` on. In a tile it begins at lane `begin`.
struct Lanes {
  int64_t width, count, stride, begin = 0;
};
/// The mask whose first `count` lanes are true.
mlir::Value getMask(IndexBuilder &index, Lanes lanes);
mlir::Value loadScalar(IndexBuilder &index, const Access &access,
                       Position position);
/// Asks for the line of a cache that holds `position`, which may be beyond the
/// buffer.
void prefetchLine(IndexBuilder &index, const Access &access, Position position,
                  bool isWrite);
/// Loads a vector. With stride 0 a scalar is broadcast; lanes beyond `count`
/// are 0.
mlir::Value loadVector(IndexBuilder &index, const Access &access,
                       Position position, Lanes lanes);
void storeScalar(IndexBuilder &index, const Access &access, Position position,
                 mlir::Value value);
/// With `streams`, a whole vector is written past the caches; it has to begin
/// where a multiple of its size does.
void storeVector(IndexBuilder &index, const Access &access, Position position,
                 Lanes lanes, mlir::Value value, bool streams = false);

/// The same at `cursor`, with lanes along `dim`, if any: also where tables tell
/// their offsets.
mlir::Value loadLanes(IndexBuilder &index, const Access &access,
                      const Cursor &cursor, std::optional<unsigned> dim,
                      Lanes lanes);
void storeLanes(IndexBuilder &index, const Access &access, const Cursor &cursor,
                std::optional<unsigned> dim, Lanes lanes, mlir::Value value,
                bool streams = false);

} // namespace tileir::to_vector

#endif // TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_ACCESS_H
