//===- Patterns.h - Parts of convert-tile-to-linalg -------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The patterns of the conversion by concern, and how loops over the elements of
// a tile are built.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_TILETOLINALG_PATTERNS_H
#define TILEIR_LIB_CONVERSION_TILETOLINALG_PATTERNS_H

#include "Runs.h"
#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Transforms/DialectConversion.h"

namespace tileir::to_linalg {

/// Makes ordinary functions of kernels, with the program's place in the grid as
/// further arguments, and parallel loops of launches.
void lowerLaunches(mlir::ModuleOp module);

/// splat, range, reshape, broadcast, trans, and tiles that are constant.
void populateShapePatterns(const mlir::TypeConverter &converter,
                           mlir::RewritePatternSet &patterns);
/// dot, reduce, scan.
void populateCombinePatterns(const mlir::TypeConverter &converter,
                             mlir::RewritePatternSet &patterns);
/// Whether a choice joins two tiles to pairs, by vectors.
bool isJoin(mlir::arith::SelectOp op);
/// Such choices; reduce, where it takes every second element: vectors.
void populateSplitPatterns(const mlir::TypeConverter &converter,
                           mlir::RewritePatternSet &patterns);
/// assume, addptr; selects among pointers, and the addresses that launches
/// pass.
void populateElementwisePatterns(const mlir::TypeConverter &converter,
                                 mlir::RewritePatternSet &patterns);
/// load, store, atomic_rmw, atomic_cas, print.
void populatePointerPatterns(const mlir::TypeConverter &converter,
                             mlir::RewritePatternSet &patterns);
/// load and store of runs: vectors. `runs` lives as long as the patterns.
void populateRunPatterns(const mlir::TypeConverter &converter,
                         mlir::RewritePatternSet &patterns, const Runs &runs);
/// Tells what the ops that these patterns make do to memory.
void registerAtomicEffects(mlir::DialectRegistry &registry);
/// load_view, store_view.
void populateViewPatterns(const mlir::TypeConverter &converter,
                          mlir::RewritePatternSet &patterns);

/// Computes a value where a mask is true.
using MaskedBody =
    llvm::function_ref<mlir::Value(mlir::OpBuilder &, mlir::Location)>;
/// What `body` gives, or, where `mask` (null for none) is false, what `other`
/// gives. Without `other` there are no values.
mlir::Value createMasked(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value mask, MaskedBody body, MaskedBody other);

/// The value of `scalarOrTile` at `indices`, which are none for a scalar.
mlir::Value getElementAt(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value scalarOrTile, mlir::ValueRange indices);
/// `scalarOrTile` with `element` at `indices`: `element` itself for a scalar.
mlir::Value setElementAt(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value element, mlir::Value scalarOrTile,
                         mlir::ValueRange indices);

/// Whether elements of memory and of tiles, by this type, have vectors.
bool hasVectors(mlir::Type element);
/// The vector of `tile` at `indices` and after it, along the last axis.
mlir::Value readVector(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value tile, mlir::ValueRange indices,
                       int64_t lanes);
/// `tile` with the vector there.
mlir::Value writeVector(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value vector, mlir::Value tile,
                        mlir::ValueRange indices);

/// A tile with elements that are not known yet.
mlir::Value createEmptyTile(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::RankedTensorType type);
/// A tile with all elements equal to `value`.
mlir::Value createFilledTile(mlir::OpBuilder &builder, mlir::Location loc,
                             mlir::RankedTensorType type, mlir::Value value);

/// `source` with other axes: the element of the result at `i` is that at
/// `map(i)`.
mlir::Value createMoved(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::RankedTensorType type, mlir::Value source,
                        mlir::AffineMap map);

/// Computes an element, given its indices and what the loops carry: the tile
/// so far, or nothing. Returns the tile with the element.
using ElementBody = llvm::function_ref<mlir::Value(
    mlir::OpBuilder &, mlir::Location, mlir::ValueRange, mlir::Value)>;

/// Loops in row-major order from `lower` to `upper` (exclusive); without axes
/// the body stands by itself. `carried` may be null, and so may the result.
mlir::Value buildElementLoops(mlir::OpBuilder &builder, mlir::Location loc,
                              llvm::ArrayRef<mlir::OpFoldResult> lower,
                              llvm::ArrayRef<mlir::OpFoldResult> upper,
                              mlir::Value carried, ElementBody body);
/// Loops over all elements of a shape.
mlir::Value buildElementLoops(mlir::OpBuilder &builder, mlir::Location loc,
                              llvm::ArrayRef<int64_t> shape,
                              mlir::Value carried, ElementBody body);

} // namespace tileir::to_linalg

#endif // TILEIR_LIB_CONVERSION_TILETOLINALG_PATTERNS_H
