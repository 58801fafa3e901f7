//===- Patterns.h - Parts of convert-linalg-to-vector -----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The patterns of the conversion by concern, and the loops over vectors that
// they share.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_LINALGTOVECTOR_PATTERNS_H
#define TILEIR_LIB_CONVERSION_LINALGTOVECTOR_PATTERNS_H

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/IR/PatternMatch.h"
#include "mlir/Pass/Pass.h"

namespace tileir::linalg_to_vector {

/// The least length of a row that loops over vectors are made for.
inline constexpr int64_t kLeastRow = 4;

/// Vectors of the machine that combine side by side: their latency is longer
/// than the time between two of them.
inline constexpr int64_t kReduceVectors = 4;

/// Makes one loop of loops of linalg.generic that all operands go through as
/// one, where these are dense.
void collapseLoops(mlir::Operation *root);

/// What results of reductions begin with: where a linalg.fill comes right
/// before one, the reduction needs the scalar alone.
class Fills {
public:
  /// The scalar that all elements of `result` are before `op`, which writes all
  /// of them, or null; the fill is needless then.
  mlir::Value take(mlir::Operation *op, mlir::Value result);
  /// Notes that `op` is needless, too: its results are not used when those that
  /// were noted before are erased.
  void add(mlir::Operation *op) { needless.push_back(op); }
  /// Erases what is needless.
  void erase();

private:
  llvm::SmallVector<mlir::Operation *> needless;
};

/// Whether the loops of `op` are parallel, which those of few elements are not:
/// threads take longer to begin. Those of unknown shape are.
bool isParallel(mlir::linalg::LinalgOp op, int64_t minElements);

/// linalg.contract: products, by microkernels of contractions.
void populateContractPatterns(mlir::RewritePatternSet &patterns,
                              mlir::Pass::Statistic &count);
/// linalg.generic without sums: a vector along the last loop at once.
void populatePointwisePatterns(mlir::RewritePatternSet &patterns,
                               int64_t minParallel,
                               mlir::Pass::Statistic &count);
/// linalg.generic that moves elements to other axes: squares of them at once.
void populateTransposePatterns(mlir::RewritePatternSet &patterns,
                               int64_t minParallel,
                               mlir::Pass::Statistic &count);

/// Moves operands of element-wise linalg.generic that have no vectors along the
/// last loop into buffers that do.
void straightenOperands(mlir::Operation *root, int64_t minParallel);

/// linalg.generic whose last loop is a sum, or the like.
void populateGenericReducePatterns(mlir::RewritePatternSet &patterns,
                                   int64_t minParallel, Fills &fills,
                                   mlir::Pass::Statistic &count);
/// linalg.reduce along one axis.
void populateReducePatterns(mlir::RewritePatternSet &patterns,
                            int64_t minParallel, Fills &fills,
                            mlir::Pass::Statistic &count);

/// Reductions over windows, as max pooling.
void populateWindowPatterns(mlir::RewritePatternSet &patterns,
                            int64_t minParallel, Fills &fills,
                            mlir::Pass::Statistic &count);

/// The same where the input is the middle of a buffer whose border changes no
/// result, which is then not made.
void populateBorderedWindowPatterns(mlir::RewritePatternSet &patterns,
                                    int64_t minParallel, Fills &fills,
                                    mlir::Pass::Statistic &count);

/// Makes products of divisions of wide vectors of f32 by one number, in loops;
/// their results stay as they are (UniformDivision.cpp). Returns their number.
unsigned expandUniformDivisions(mlir::Operation *root);

/// Whether vectors of `type` lie in memory as scalars of it do, one after the
/// other.
bool isVectorElement(mlir::Type type);

/// Whether vectors along the last axis of `memref` are dense there.
bool hasVectors(mlir::Value memref);

/// Lanes of `count` vectors of the machine at `op`, with elements of `bits`,
/// but no more than `size`: a power of two.
int64_t getNumLanes(mlir::Operation *op, unsigned bits, int64_t count,
                    int64_t size);

/// The step of the loop over vectors that has used `buffer` right before `op`,
/// so that one loop can be made of both; 0 if there is none of at most `lanes`.
int64_t getLanesOfLoop(mlir::Operation *op, mlir::Value buffer, int64_t lanes);

/// Goes over `shape`, and calls `body` with the indices of each element, or
/// those that `steps` come to, if given. With `parallel` the loops are one that
/// is.
void buildLoops(
    mlir::OpBuilder &builder, mlir::Location loc, llvm::ArrayRef<int64_t> shape,
    llvm::function_ref<void(mlir::OpBuilder &, mlir::ValueRange)> body,
    bool parallel = false, llvm::ArrayRef<int64_t> steps = {});

/// Calls `body` with the first index and the number of lanes of each vector of
/// a row of `size` elements: a loop over those with `lanes`, then shorter ones.
void buildVectors(
    mlir::OpBuilder &builder, mlir::Location loc, int64_t size, int64_t lanes,
    llvm::function_ref<void(mlir::OpBuilder &, mlir::Value, int64_t)> body,
    bool parallel = false);

/// `value` as a vector: itself, if it is one.
mlir::Value createVector(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::Value value, int64_t lanes);

/// Whether an operand with this map moves along the last loop.
bool movesAlong(mlir::AffineMap map);

/// Whether vectors along the last loop can be computed by the body of `op`, but
/// for `combiner`, if given. `bits` gets the size of the largest element.
mlir::LogicalResult matchGeneric(mlir::PatternRewriter &rewriter,
                                 mlir::linalg::GenericOp op,
                                 mlir::Operation *combiner, unsigned &bits);

/// The element of `operand` that loops at `indices` access.
llvm::SmallVector<mlir::Value> getIndices(mlir::OpBuilder &builder,
                                          mlir::linalg::GenericOp op,
                                          mlir::OpOperand &operand,
                                          llvm::ArrayRef<mlir::Value> indices);

/// Computes the body of `op`, but for `combiner`, at `indices` and the next
/// lanes: its values, of which those that are the same for all are scalars.
/// With a combiner no result is loaded.
mlir::IRMapping emitGeneric(mlir::OpBuilder &builder,
                            mlir::linalg::GenericOp op,
                            mlir::Operation *combiner,
                            llvm::ArrayRef<mlir::Value> indices, int64_t lanes);

/// The elements of a row from an index on, as a vector of some lanes.
using RowElements = llvm::function_ref<mlir::Value(
    mlir::OpBuilder &, mlir::Value index, int64_t width)>;

/// Combines the elements of a row (RowReduction.cpp).
struct RowReduction {
  mlir::Location loc;
  mlir::Operation *combiner; ///< of two scalars; gets others of its kind
  mlir::vector::CombiningKind kind;
  int64_t size, lanes;

  /// Combines `start`, a scalar, with the row.
  mlir::Value emit(mlir::OpBuilder &builder, mlir::Value start,
                   RowElements compute) const;
  /// Combines what `value` and `before` hold, scalars or vectors.
  mlir::Value combine(mlir::OpBuilder &builder, mlir::Value value,
                      mlir::Value before) const;

private:
  mlir::Value createNeutral(mlir::OpBuilder &builder) const;
  bool dropsNaN() const;
  mlir::Value isBeyond(mlir::OpBuilder &builder, mlir::Value lhs,
                       mlir::Value rhs) const;
  mlir::Value choose(mlir::OpBuilder &builder, mlir::Value value,
                     mlir::Value before) const;
  mlir::Value chooseLane(mlir::OpBuilder &builder, mlir::Value vector) const;
  mlir::Value loop(mlir::OpBuilder &builder, int64_t from, int64_t to,
                   int64_t step, mlir::Value start,
                   llvm::function_ref<mlir::Value(mlir::OpBuilder &,
                                                  mlir::Value, mlir::Value)>
                       body) const;
  mlir::Value emitDroppingNaN(mlir::OpBuilder &builder, mlir::Value start,
                              RowElements compute) const;
};

} // namespace tileir::linalg_to_vector

#endif // TILEIR_LIB_CONVERSION_LINALGTOVECTOR_PATTERNS_H
