//===- ScheduleCost.h - What a kernel costs ---------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An estimate of the cycles of a contraction, from the sizes of its kernel, the
// description of a machine, and the costs that the table of CPUs has for it. It
// tells candidates from each other, not how long they take.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_DIALECT_EINSUM_TRANSFORMS_SCHEDULECOST_H
#define TILEIR_LIB_DIALECT_EINSUM_TRANSFORMS_SCHEDULECOST_H

#include "tileir/Dialect/Einsum/IR/Einsum.h"

#include "llvm/Support/MathExtras.h"

namespace tileir::einsum {

struct ScheduleParts;

/// Places to which tables lead around that where an index stands by itself, and
/// those of them that are not places of the next row as well, about: windows of
/// 3 x 3 along a line of them.
inline constexpr int64_t kTabledPlaces = 9, kTabledPlacesOfRow = 4;

/// The share of the first cache that the rows and lanes of a tile of dot
/// products may take, to stay there.
inline constexpr double kDotShare = 0.85;

/// The shape of a candidate for the kernel of a contraction.
struct KernelShape {
  /// How a step of each dimension moves in an operand, in elements.
  struct Operand {
    int64_t lanes = 0, rows = 0;
    /// How many lanes follow each other by one where tables lead to them.
    int64_t laneRun = 1;
    /// The step of the innermost summed dimension, and of the grouped one.
    int64_t sum = 0, grouped = 0;
    /// The step of the innermost index of the rows, and of the innermost
    /// summed one if tables led all of its values to the same place.
    int64_t rowIndex = 0, plainSum = 0;
    /// Whether tables lead these to other places, and whether rows are next to
    /// each other where they lead.
    bool isLookedUp = false, hasNeighbors = false;
    /// Pages that all steps of the sums lead to.
    double pages = 1;
    int64_t bytes = 4;
    /// Whether vectors that are loaded from it begin where lines of a cache may
    /// begin: whether all that moves it moves by whole lines.
    bool isAligned = true;
    /// Whether its elements are converted when they are read.
    bool converts = false;
    /// All of its elements, and how often a call reads each of those it reads:
    /// the windows of a convolution overlap.
    double elements = 0, overlap = 1;
    /// How often the loops around the kernel go on to another part of it, and
    /// how often they go through the same parts again.
    double changes = 1, sweeps = 1;
    /// How many elements all loops together ask for, the same ones again or
    /// not.
    double asked = 1;
    bool isPacked = false;

    /// Whether tables tell where elements are.
    bool isTabled() const {
      return mlir::ShapedType::isDynamic(rows) ||
             mlir::ShapedType::isDynamic(lanes) ||
             mlir::ShapedType::isDynamic(sum);
    }
  };

  /// Of dot products, lanes have a sum each, along which vectors lie.
  int64_t lanes = 1, rows = 1;
  bool isAlongSum = false;
  /// Steps of all summed dimensions of the kernel, and of the innermost one.
  int64_t sums = 1, innerSum = 1;
  /// The steps of the summed dimension that fills registers of a matrix unit
  /// best, the innermost of several.
  int64_t groupedSum = 1;
  /// How many of them vectors multiply at once, where they can.
  int64_t groupSize = 1;
  /// The share of the steps that is left without those that multiply by zeros
  /// of a border, on average over all calls: getComputedShare.
  double computed = 1;
  double calls = 1;
  llvm::SmallVector<Operand, 2> operands;
  /// The steps of the lanes and of the rows in the result, and the size of its
  /// elements.
  int64_t resultLanes = 1, resultRows = 0, resultBytes = 4;
  /// Whether vectors of the result begin where lines of a cache may begin.
  bool isResultAligned = true;
  /// How large elements of panels are.
  int64_t panelBytes = 4;
  /// All elements of the result.
  double resultElements = 0;
  /// Steps of the summed dimensions around the kernel, and how often it runs
  /// within one of them.
  double outerSums = 1, callsOfSum = 1;

  /// Steps of the innermost summed dimension, and of all, that are computed.
  int64_t getInnerSteps() const {
    return llvm::divideCeil(innerSum, groupSize);
  }
  int64_t getSteps() const { return sums / innerSum * getInnerSteps(); }
  /// Whether sums of fours are corrected by one more row of a tile.
  bool hasCorrections() const { return groupSize == 4; }
};

/// The share of the steps of the kernel of `parts` that is left without those
/// that multiply by zeros of a border. Steps of the innermost sum are not left
/// out, for that is unrolled.
double getComputedShare(ContractOp op, const ScheduleParts &parts);

/// Returns the shape of the kernel of `parts`, before anything is packed.
KernelShape getKernelShape(ContractOp op, const ScheduleParts &parts);

/// Rows and vectors that are held in registers, and the steps of a sum that are
/// one iteration, and that are prefetched ahead.
struct KernelTile {
  int64_t rows = 1, vectors = 1, unroll = 1, prefetch = 0;
};

/// Whether the lowering goes along the sum by vectors, as products of a matrix
/// and a vector do, of which the lanes are one, and those that are to.
bool isDot(const KernelShape &shape);

/// The cycles of all calls of a kernel.
double estimateCycles(const KernelShape &shape, const KernelTile &tile,
                      int64_t numLanes, MachineAttr machine);

/// Whether a matrix unit can compute the kernel: one operand moves along lanes,
/// the other one along rows.
bool isMatrixShape(const KernelShape &shape);

/// Whether it can load `operand` of such a kernel as it is.
bool isMatrixInPlace(const KernelShape &shape,
                     const KernelShape::Operand &operand);

/// The cycles of all calls of a kernel on a matrix unit.
double estimateMatrixCycles(const KernelShape &shape, const KernelTile &tile,
                            MachineAttr machine);

/// Whether the accumulators and operands of a tile fit into the registers, with
/// `spare` ones left.
bool fitsRegisters(int64_t rows, int64_t vectors, MachineAttr machine,
                   int64_t spare = 0);

/// How many steps ahead to prefetch; 0 if that would cost more than it saves.
int64_t choosePrefetch(const KernelShape &shape, const KernelTile &tile,
                       MachineAttr machine);

/// How many steps of the innermost summed dimension to do in one iteration.
int64_t chooseUnroll(const KernelShape &shape, KernelTile tile,
                     MachineAttr machine);

} // namespace tileir::einsum

#endif // TILEIR_LIB_DIALECT_EINSUM_TRANSFORMS_SCHEDULECOST_H
