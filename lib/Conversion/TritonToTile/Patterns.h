//===- Patterns.h - Patterns of convert-triton-to-tile ----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_TRITONTOTILE_PATTERNS_H
#define TILEIR_LIB_CONVERSION_TRITONTOTILE_PATTERNS_H

#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/Dialect/Triton/IR/Triton.h"

#include "mlir/Transforms/DialectConversion.h"

namespace tileir::triton_to_tile {

/// Pointers of Triton's as those of tiles, also in tensors. Types that have no
/// counterpart convert to nothing.
struct PointerConverter : mlir::TypeConverter {
  PointerConverter();
};

/// Makes pointers and masks of descriptors and blocks.
mlir::LogicalResult expandDescriptors(mlir::ModuleOp module);

/// Checks that each op of Triton's in `module` has a counterpart; says at the
/// first that has none why.
mlir::LogicalResult verifySupported(mlir::ModuleOp module,
                                    const PointerConverter &converter);

/// The combiner by which a reduction or scan combines its only operand, if its
/// region is one op that has one.
std::optional<tile::Combiner> getCombiner(mlir::Block &body);
/// Whether the ops of a region work on tiles as they do on elements.
bool isElementwise(mlir::Block &body);
/// The name of the op of `math` or `arith` that stands for a function of
/// libdevice, and true for those that test floats; empty for others.
struct LibraryFunction {
  llvm::StringRef op;
  bool isTest = false;
};
LibraryFunction findLibraryFunction(llvm::StringRef symbol);

/// What a pass does with elements that a masked load leaves undefined, and what
/// it counts.
struct LoadOptions {
  bool isPoison = true;
};

void populateFunctionPatterns(const PointerConverter &converter,
                              mlir::RewritePatternSet &patterns);
void populateShapePatterns(const PointerConverter &converter,
                           mlir::RewritePatternSet &patterns);
void populateMemoryPatterns(const PointerConverter &converter,
                            mlir::RewritePatternSet &patterns,
                            LoadOptions options);
void populateComputePatterns(const PointerConverter &converter,
                             mlir::RewritePatternSet &patterns);
void populateCombinePatterns(const PointerConverter &converter,
                             mlir::RewritePatternSet &patterns);
void populateScaledProductPatterns(const PointerConverter &converter,
                                   mlir::RewritePatternSet &patterns);
void populatePrintPatterns(const PointerConverter &converter,
                           mlir::RewritePatternSet &patterns);
void populateGatherPatterns(const PointerConverter &converter,
                            mlir::RewritePatternSet &patterns);

/// The position of each element along an axis, an i32.
mlir::Value emitPosition(mlir::OpBuilder &builder, mlir::Location loc,
                         llvm::ArrayRef<int64_t> shape, int64_t axis);
/// Bits of a tile of numbers, as integers.
mlir::Value emitBits(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value tile);
/// Elements 0 and 1 along the last axis, of size 2, which goes away.
std::pair<mlir::Value, mlir::Value>
emitSplit(mlir::OpBuilder &builder, mlir::Location loc, mlir::Value whole);
/// The reverse of a split, of tiles.
mlir::Value emitJoin(mlir::OpBuilder &builder, mlir::Location loc,
                     mlir::Value lhs, mlir::Value rhs);
/// The same elements in another shape.
mlir::Value emitReshape(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value value, llvm::ArrayRef<int64_t> shape);
/// The element of a tile that has one.
mlir::Value emitOnlyElement(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value tile);

/// Takes names of variables out of the locations in `function`, but for its
/// arguments, and call sites of unknown places, which later passes cannot take.
void simplifyLocations(mlir::Operation *function);

} // namespace tileir::triton_to_tile

#endif // TILEIR_LIB_CONVERSION_TRITONTOTILE_PATTERNS_H
