//===- AxisInfo.h - What is known along the axes of tiles -------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Contiguity, divisibility and constancy of integers and pointers: a sparse
// forward data-flow analysis through control flow. It needs upstream's range
// analysis in the same solver (`loadAxisInfoAnalysis`). The sources of
// properties are tile.range, constants, tile.assume, tile.multiple_of and
// tile.size_multiple_of of arguments and the bounds of loops. Of a memref it
// knows what divides the size of each axis, in host code as well.
//
// Integers wrap around: of a sum or product that may, only divisors that are
// powers of two are kept, and a run that goes up by one may step from the
// greatest integer to the least. Where that would matter (when it is widened,
// or moves a pointer), runs are cut to where it cannot happen.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_TILE_ANALYSIS_AXISINFO_H
#define TILEIR_DIALECT_TILE_ANALYSIS_AXISINFO_H

#include "mlir/Analysis/DataFlow/IntegerRangeAnalysis.h"
#include "mlir/Analysis/DataFlow/SparseAnalysis.h"

namespace tileir::tile {

/// The properties along one axis. Runs start at multiples of their length.
struct AxisProperties {
  /// Elements come in runs of this many that go up by one, modulo the width of
  /// the integers (pointers: by one element).
  int64_t contiguity = 1;
  /// The first element of each such run is a multiple of this: as a signed
  /// integer, or an address in bytes. 0 if it is 0.
  int64_t divisibility = 1;
  /// Elements come in runs of this many equal ones.
  int64_t constancy = 1;

  bool operator==(const AxisProperties &other) const;
};

/// The properties of an integer, pointer, or tile of them; a scalar has one
/// axis of one element. Those of a memref are of the sizes of its axes. Without
/// axes it has not been reached yet.
class AxisInfo {
public:
  AxisInfo() = default;
  /// The info of a value of which nothing is known.
  explicit AxisInfo(mlir::Type type);
  /// The info of a value all of whose elements are a multiple of
  /// `divisibility`, and, if `isConstant`, equal.
  AxisInfo(mlir::Type type, int64_t divisibility, bool isConstant = false);

  bool isUnset() const { return axes.empty(); }
  unsigned getNumAxes() const { return axes.size(); }
  const AxisProperties &operator[](unsigned axis) const { return axes[axis]; }
  AxisProperties &operator[](unsigned axis) { return axes[axis]; }

  /// Returns a divisor of all elements at multiples of `stride` along the axis.
  int64_t getDivisor(unsigned axis, int64_t stride) const;
  /// Returns a divisor of all elements.
  int64_t getDivisor() const;
  /// Makes runs along the axis shorter, to a divisor of what they were.
  void cutRuns(unsigned axis, int64_t length);

  /// The properties that hold for both.
  static AxisInfo join(const AxisInfo &lhs, const AxisInfo &rhs);
  bool operator==(const AxisInfo &other) const;
  /// contiguity = [..], divisibility = [..], constancy = [..], value = ..
  void print(llvm::raw_ostream &os) const;

  /// The value of all elements, where it is known.
  std::optional<int64_t> value;

private:
  llvm::SmallVector<AxisProperties, 2> axes;
  /// The size of one step: 1, or for pointers the size of the pointee in bytes.
  int64_t unit = 1;
};

/// The greatest power of two that divides `divisor`; 0 for 0.
int64_t getPowerOfTwo(int64_t divisor);

/// The properties of `result`, which `op` gives for operands with those
/// `operands`. `getRange` tells the range of an integer.
AxisInfo inferAxisInfo(
    mlir::OpResult result, llvm::ArrayRef<AxisInfo> operands,
    llvm::function_ref<mlir::ConstantIntRanges(mlir::Value)> getRange);

using AxisInfoLattice = mlir::dataflow::Lattice<AxisInfo>;

class AxisInfoAnalysis
    : public mlir::dataflow::SparseForwardDataFlowAnalysis<AxisInfoLattice> {
public:
  using SparseForwardDataFlowAnalysis::SparseForwardDataFlowAnalysis;

  mlir::LogicalResult
  visitOperation(mlir::Operation *op,
                 llvm::ArrayRef<const AxisInfoLattice *> operands,
                 llvm::ArrayRef<AxisInfoLattice *> results) override;
  void visitNonControlFlowArguments(mlir::Operation *op,
                                    const mlir::RegionSuccessor &successor,
                                    llvm::ArrayRef<AxisInfoLattice *> arguments,
                                    unsigned firstIndex) override;
  void setToEntryState(AxisInfoLattice *lattice) override;
};

/// Adds the analysis, and those that it needs, to a solver.
void loadAxisInfoAnalysis(mlir::DataFlowSolver &solver);

/// Returns the axis info that a solver has found for a value.
AxisInfo getAxisInfo(const mlir::DataFlowSolver &solver, mlir::Value value);

} // namespace tileir::tile

#endif // TILEIR_DIALECT_TILE_ANALYSIS_AXISINFO_H
