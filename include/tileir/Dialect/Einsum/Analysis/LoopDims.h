//===- LoopDims.h - Loops of a schedule -------------------------*- C++ -*-===//
//-*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A schedule holds decisions only. What follows from them and the contraction
// is computed here: to which dimension of the contraction a loop belongs, and
// how it goes through the operands. Passes ask once for each schedule they look
// at.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_EINSUM_ANALYSIS_LOOPDIMS_H
#define TILEIR_DIALECT_EINSUM_ANALYSIS_LOOPDIMS_H

#include "tileir/Dialect/Einsum/IR/Schedule.h"

namespace tileir::einsum {

/// A dimension of a schedule, with what follows from the contraction and the
/// layouts of its operands. It may be null, as attributes may.
class LoopDim {
public:
  LoopDim() = default;
  LoopDim(DimAttr dim, ContractionDim contractionDim,
          llvm::ArrayRef<int64_t> strides)
      : dim(dim), contractionDim(contractionDim), strides(strides) {}

  explicit operator bool() const { return bool(dim); }
  /// Compares dimensions of one contraction.
  bool operator==(const LoopDim &other) const { return dim == other.dim; }
  bool operator!=(const LoopDim &other) const { return dim != other.dim; }

  DimAttr getDim() const { return dim; }
  llvm::StringRef getIndices() const { return dim.getIndices(); }
  Execution getExec() const { return dim.getExec(); }
  int64_t getSize() const { return dim.getSize(); }
  int64_t getStep() const { return dim.getStep(); }

  ContractionDim getContractionDim() const { return contractionDim; }
  bool isSummed() const { return contractionDim == ContractionDim::K; }
  /// By how many elements a step moves in each operand and, last, in the
  /// result; ShapedType::kDynamic where this is not one number: where an index
  /// is divided or indexes a table, or where indices that are gone through as
  /// one do not follow each other in memory.
  llvm::ArrayRef<int64_t> getStrides() const { return strides; }
  int64_t getResultStride() const { return strides.back(); }

  LoopDim withExecution(Execution exec) const;
  /// The dimension of `size` of the values, every `factor`-th of them.
  LoopDim getPart(int64_t size, int64_t factor, Execution exec) const;

private:
  DimAttr dim;
  ContractionDim contractionDim = ContractionDim::Batch;
  llvm::SmallVector<int64_t, 3> strides;
};

/// The indices that `dim` goes through as one, the innermost first.
llvm::SmallVector<unsigned> getIndices(SpecAttr spec, DimAttr dim);

/// `dims`, dimensions of the schedule of `op`, which has to be schedulable.
llvm::SmallVector<LoopDim> getLoopDims(ContractOp op,
                                       llvm::ArrayRef<DimAttr> dims);

} // namespace tileir::einsum

#endif // TILEIR_DIALECT_EINSUM_ANALYSIS_LOOPDIMS_H
