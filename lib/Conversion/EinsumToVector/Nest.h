//===- Nest.h - What a schedule computes ------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A contraction, with the pointwise ops of its kernel, in terms of accesses.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_NEST_H
#define TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_NEST_H

#include "Access.h"
#include "tileir/Conversion/EinsumLowering/IndexEmitter.h"
#include "tileir/Dialect/Einsum/Analysis/StagedOperand.h"
#include "tileir/Dialect/Einsum/IR/Schedule.h"

#include "llvm/Support/MathExtras.h"

namespace tileir::lowering {
class Expression;
} // namespace tileir::lowering

namespace tileir::to_vector {

/// A value of the kernel: an access, or a pointwise expression of several.
struct Operand {
  const lowering::Expression *expression = nullptr;
  /// Positions in Nest::accesses, in the order of the expression's leaves; ~0
  /// for a leaf that is the contraction.
  llvm::SmallVector<unsigned> accesses;
};

/// A padded input of which the loops copy what they read, with its border
/// (StagedOperand.h).
struct Stage {
  unsigned access; // whose buffer it is
  unsigned level;  // how many loops are around the copy
  mlir::Value source;
  llvm::SmallVector<int64_t> strides; // of the copy, per dimension
  mlir::TypedAttr border;
  llvm::SmallVector<int64_t> shape;
  /// Where its first element is in the source, and how far loops move that.
  llvm::SmallVector<int64_t> begin;
  llvm::SmallVector<llvm::SmallVector<int64_t>> moves; // by loop
  llvm::SmallVector<bool> isInside; // whether an axis has no border
};

/// A padded input that is read where it is, but for tiles at its border.
struct Border {
  einsum::BorderedOperand operand;
  Stage tile; // whose access is that of the input
};

/// The loops of a schedule and what is computed inside of them.
struct Nest {
  einsum::SpecAttr spec;
  llvm::SmallVector<einsum::DimAttr> dims;
  llvm::SmallVector<Access> accesses;
  llvm::SmallVector<Operand> inputs;
  /// The value that sums start from; nothing: 0.
  std::optional<Operand> start;
  /// The value that is stored; without expression, the contraction.
  Operand epilogue;
  unsigned result; // the access that is written
  /// The access that holds sums between calls of the kernel: the result, or a
  /// buffer (NestEmitter.cpp).
  unsigned held;

  llvm::SmallVector<mlir::Type> inputTypes; // element types of `inputs`
  mlir::Type accumulator;                   // in which sums are formed
  mlir::Type contracted;                    // element type of the contraction

  std::optional<unsigned> lanes, rows; // dimensions
  llvm::SmallVector<unsigned> sums;    // summed ones of the kernel
  /// The summed dimension of which so many steps are one, in vectors (Groups.h)
  /// and on a matrix unit, and the input of the rows.
  std::optional<unsigned> grouped;
  int64_t groupSize = 1;
  unsigned rowsInput = 0; // the other one is that of the lanes
  /// Whether the kernel runs on a matrix unit (MatrixUnit.h); then, the buffer,
  /// if any, by way of which tiles are stored.
  bool isMatrix = false;
  /// Whether the last register of rows begins earlier where it would not be
  /// full.
  bool overlapsRows = false;
  mlir::Value scratch;
  int64_t tileRows, tileVectors, unroll, prefetch;
  int64_t vectorBits;
  llvm::SmallVector<int64_t> pack; // inputs
  std::vector<Stage> stages;
  std::optional<Border> border;
  /// Sums of which steps can be left out, and, by dimension, the first and the
  /// end of those that are not; null: all are done.
  llvm::SmallVector<einsum::BorderSteps> borderSteps;
  llvm::SmallVector<std::pair<mlir::Value, mlir::Value>> bounds;
  /// Whether vectors lie along the innermost sum, of which each lane has one.
  bool isAlongSum = false;
  /// How many elements vectors along it multiply at once where they lie.
  int64_t dotGroupSize = 1;
  /// Lanes at the end that are computed as dots (DotEmitter.h), or, along the
  /// sum, those of a tile.
  int64_t dotLanes = 0;
  bool deallocate; // free buffers of panels
  /// Whether vectors of the result are written past the caches (Streaming.h);
  /// null: never.
  mlir::Value streams;

  bool isSummed(unsigned dim) const {
    return einsum::isSummed(spec, dims[dim]);
  }
  bool isPrim(unsigned dim) const {
    return dims[dim].getExec() == einsum::Execution::Prim;
  }
  bool dependsOn(const Operand &operand, unsigned dim) const {
    return llvm::any_of(operand.accesses, [&](unsigned access) {
      return access < accesses.size() && accesses[access].dependsOn(dim);
    });
  }
  /// Steps of a summed dimension of the kernel.
  int64_t getSteps(unsigned dim) const {
    int64_t size = dims[dim].getSize();
    return grouped == dim && !isMatrix ? llvm::divideCeil(size, groupSize)
                                       : size;
  }
  /// The type that inputs are converted to before they are multiplied: a group
  /// is an integer.
  mlir::Type getFactorType() const {
    return grouped && !isMatrix
               ? mlir::IntegerType::get(accumulator.getContext(), 32)
               : accumulator;
  }
  /// Lanes of a vector of accumulators.
  int64_t getVectorLanes() const {
    return vectorBits / accumulator.getIntOrFloatBitWidth();
  }
};

/// `memref`, of static sizes and strides, as a buffer of rank 1.
mlir::Value flatten(IndexBuilder &index, mlir::Value memref);

/// The access to `memref` at the indices `map`, in the indices of a contraction
/// whose look-up tables are in `memrefs`; `operand` is named in messages.
/// Builds tables of what is not strided, at the insertion point.
Access makeAccess(IndexBuilder &index, const lowering::ContractMemRefs &memrefs,
                  llvm::ArrayRef<einsum::DimAttr> dims, unsigned operand,
                  mlir::AffineMap map, mlir::Value memref,
                  lowering::CheckEmitter &checks);

/// Emits the loops of `nest`.
void emitNest(IndexBuilder &index, Nest &nest);

} // namespace tileir::to_vector

#endif // TILEIR_LIB_CONVERSION_EINSUMTOVECTOR_NEST_H
