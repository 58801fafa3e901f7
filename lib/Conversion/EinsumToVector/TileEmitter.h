//===- TileEmitter.h - Tiles of registers -----------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_TILEEMITTER_H
#define TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_TILEEMITTER_H

#include "MicrokernelEmitter.h"

namespace tileir::to_vector {

/// Values of an operand at a place in the loops. A value that lanes do not
/// change is a scalar.
class OperandLoader {
public:
  /// `accesses` are those of the nest, as they are within a tile.
  OperandLoader(IndexBuilder &index, const Nest &nest,
                llvm::ArrayRef<Access> accesses)
      : index(index), nest(nest), accesses(accesses) {}

  /// Whether lanes change what an operand is.
  bool dependsOnLanes(const Operand &operand) const;

  /// Vectors that are the same for all lanes of a row, by access and type.
  using RowVectors =
      llvm::SmallDenseMap<std::pair<unsigned, mlir::Type>, mlir::Value>;

  /// The value of `operand`; `getCursor` tells where its accesses are.
  /// `contraction` is the value of the contraction, if that is a leaf. What is
  /// in `known` is not loaded again.
  mlir::Value load(const Operand &operand, Lanes lanes,
                   llvm::function_ref<Cursor(unsigned)> getCursor,
                   mlir::Value contraction = {}, RowVectors *known = nullptr);

private:
  mlir::Value loadAccess(unsigned access, Lanes lanes, const Cursor &cursor);

  IndexBuilder &index;
  const Nest &nest;
  llvm::ArrayRef<Access> accesses;
};

/// The cursor of `access` at a row and a lane of the tile at `cursor`.
Cursor advanceInTile(const Nest &nest, const Access &access, Cursor cursor,
                     int64_t row, int64_t lane);

/// The values that sums of a row of a tile start from, and how complete ones
/// are stored.
llvm::SmallVector<mlir::Value> loadStartRow(IndexBuilder &index,
                                            const Nest &nest,
                                            const LaneParts &lanes,
                                            llvm::ArrayRef<Cursor> cursors);
void storeRow(IndexBuilder &index, const Nest &nest, const LaneParts &lanes,
              llvm::ArrayRef<Cursor> cursors,
              llvm::ArrayRef<mlir::Value> values);

/// Emits a tile of `rows` rows, with all accesses at its first element.
void emitTile(IndexBuilder &index, const Nest &nest, int64_t rows,
              const LaneParts &lanes, llvm::ArrayRef<Cursor> cursors,
              mlir::Value isFirst, mlir::Value isLast);

} // namespace tileir::to_vector

#endif // TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_TILEEMITTER_H
