//===- Einsum.h - Parts of executing einsum.contract ------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes of indices and indices of reads, both straight from EinsumOps.td and
// from run-time shapes; nothing here uses the dialect's own inference.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_INTERPRETER_EINSUM_EINSUM_H
#define TILEIR_LIB_INTERPRETER_EINSUM_EINSUM_H

#include "Core/Evaluator.h"

#include "tileir/Dialect/Einsum/IR/Einsum.h"

namespace tileir::interp {

/// A contraction with its run-time operands and sizes.
struct Contraction {
  einsum::ContractOp op;
  einsum::SpecAttr spec;
  mlir::SmallVector<Array> inputs;
  mlir::SmallVector<Array> tables; // in the order of spec.getTables()
  std::optional<Array> outs;
  mlir::SmallVector<int64_t> sizes; // of the indices

  mlir::ArrayRef<int64_t> getResultSizes() const {
    return mlir::ArrayRef<int64_t>(sizes).take_front(
        spec.getNumResultIndices());
  }
  mlir::ArrayRef<int64_t> getReducedSizes() const {
    return mlir::ArrayRef<int64_t>(sizes).drop_front(
        spec.getNumResultIndices());
  }
};

/// Finds the sizes of all indices, or fails after an error.
mlir::LogicalResult resolveSizes(Contraction &contraction);

/// The reason why a point of the space cannot be computed.
struct PointError {
  unsigned operand, axis;
  mlir::SmallVector<int64_t> indices;
  std::optional<int64_t> index; // that was read, or else
  std::string reason;           // there is none
};

/// Emits the diagnostic for `error`.
mlir::LogicalResult emitPointError(const Contraction &contraction,
                                   const PointError &error);

/// The indices that the operands are read at. By constraint C3 an axis is
/// f(e) + g(r) for result indices e and reduced indices r, so
///
///   axis(e, r) = axis(e, 0) + (axis(0, r) - axis(0, 0)),
///
/// an identity of integers: whatever f and g are, the sum of the two terms is
/// the value of the tree at (e, r). The trees themselves are thus evaluated
/// once for each e and once for each r, not for each pair. (0, 0) is a point of
/// every space that is not empty, so that a division by zero there or in either
/// term is one of the program.
class AxisTable {
public:
  explicit AxisTable(const Contraction &contraction);

  /// Tabulates the second term for `count` reduced points from `first` on.
  std::optional<PointError> tabulate(int64_t first, int64_t count);

  /// One axis of an operand.
  struct Axis {
    unsigned operand, position;
    int64_t size, stride;
    std::vector<int64_t> addends; // of the reduced points
    int64_t minAddend = 0, maxAddend = 0;
  };
  /// All axes, those of an operand next to each other.
  mlir::ArrayRef<Axis> getAxes() const { return axes; }
  unsigned getFirstAxis(unsigned operand) const { return firstAxis[operand]; }

  /// The sums, over the axes of `operand`, of addend times stride.
  mlir::ArrayRef<int64_t> getOffsets(unsigned operand) const {
    return offsets[operand];
  }

  /// The first term at result point `row` for each axis. Safe on many threads.
  std::optional<PointError>
  getBases(int64_t row, mlir::MutableArrayRef<int64_t> bases) const;

  /// The values of all indices at a result point and a reduced point.
  mlir::SmallVector<int64_t> getIndices(int64_t row, int64_t reduced) const;

private:
  std::optional<int64_t> evaluateAxis(const Axis &axis,
                                      mlir::ArrayRef<int64_t> indices,
                                      std::optional<PointError> &error) const;

  const Contraction &contraction;
  std::vector<Axis> axes;
  mlir::SmallVector<unsigned> firstAxis;
  std::vector<std::vector<int64_t>> offsets;
  mlir::SmallVector<int64_t> origin; // axis(0, 0)
};

/// Writes the contraction to `output`, which has the sizes of its result.
mlir::LogicalResult computeSums(const Contraction &contraction,
                                const Array &output,
                                runtime::ElementKind accumulator,
                                const InterpreterOptions &options);

} // namespace tileir::interp

#endif // TILEIR_LIB_INTERPRETER_EINSUM_EINSUM_H
