//===- KernelChooser.h - Candidates for a kernel ----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tries candidates for the kernel of a contraction, from the outside in: lanes
// and rows, panels and blocks of them, parts of the sum (KernelChooser.cpp);
// and for each of these what is copied, and the tile (KernelTiles.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_DIALECT_EINSUM_TRANSFORMS_KERNELCHOOSER_H
#define TILEIR_LIB_DIALECT_EINSUM_TRANSFORMS_KERNELCHOOSER_H

#include "ScheduleCost.h"
#include "ScheduleSteps.h"
#include "tileir/Dialect/Einsum/Analysis/Primitives.h"
#include "tileir/Dialect/Einsum/IR/Schedule.h"
#include "tileir/Dialect/Einsum/Transforms/Passes.h"

namespace tileir::einsum {

/// The fraction by which a candidate has to be faster than one that was tried
/// before, which is simpler; and that for one with other lanes or rows than
/// rules say, or with blocks.
inline constexpr double kWorthwhile = 0.005, kWorthAnException = 0.02;
/// Tiles of a matrix unit, by blocks of 16 rows and vectors: those that fill
/// its registers, and smaller ones.
inline constexpr std::pair<int64_t, int64_t> kMatrixTiles[] = {
    {2, 2}, {1, 3}, {3, 1}, {1, 2}, {2, 1}, {1, 1}};

/// Finds the cheapest candidate for one contraction.
class KernelChooser {
public:
  using Options = EinsumChooseSchedulePassOptions;

  /// With `all`, it also tells all candidates.
  KernelChooser(ContractOp op, MachineAttr machine, const Options &options,
                std::vector<KernelCandidate> *all = nullptr)
      : op(op), machine(machine), options(options), tried(options), all(all),
        numLanes(getNumLanes(op, machine)),
        hasMatrix(hasMatrixUnit(machine) && hasMatrixElements(op)),
        isCopy(getPrimitives(op).main == MainPrimitive::Copy) {}

  /// Tries all candidates that `parts`, without a kernel, allows.
  void tryKernels(const ScheduleParts &parts);
  /// Tries the candidates of an exception to rules in the same way.
  void tryOthers(const ScheduleParts &parts) {
    worthwhile = kWorthAnException;
    tryKernels(parts);
  }
  /// Tries all tiles of a kernel, on vectors and on a matrix unit.
  void tryTiles(const ScheduleParts &parts);

  /// None if no candidate does what the options say.
  const std::optional<ScheduleParts> &getBest() const { return best; }
  /// As estimated.
  double getBestCycles() const { return bestCycles; }

private:
  /// Tries all that may be copied.
  void tryPacks(const ScheduleParts &parts, KernelShape shape);
  /// Tries vectors along the innermost sum: dot products of rows, as those of a
  /// matrix and a vector that has no columns, or of rows and `lanes`.
  void tryDots(const ScheduleParts &parts, const LoopDim &lanes,
               const LoopDim &rows, llvm::ArrayRef<LoopDim> sums);
  /// Tries those that `op` has between the dimensions `open`.
  void tryAllDots(const ScheduleParts &parts, llvm::ArrayRef<LoopDim> open,
                  llvm::ArrayRef<LoopDim> sums);
  void tryPanels(const ScheduleParts &parts, const LoopDim &lanes,
                 const LoopDim &rows, llvm::ArrayRef<LoopDim> sums);
  /// Tries the rows as they are, or divided so that what is read along them
  /// stays in the second cache while the kernel goes through the lanes.
  void tryBlocks(const ScheduleParts &parts);
  /// The sizes of such blocks; none if the rows stay there anyway.
  llvm::SmallVector<int64_t> getBlocks(const ScheduleParts &parts,
                                       int64_t rows);
  /// Tries the sum as it is, or divided so that what is read of the operand of
  /// the lanes stays in the second cache.
  void trySums(const ScheduleParts &parts);
  void trySumParts(const ScheduleParts &parts, int64_t factor);
  /// How many parts those are, and how many it takes for the rows of a tile of
  /// a matrix unit to stay in the first cache.
  int64_t getSumParts(const ScheduleParts &parts) const;
  int64_t getMatrixSumParts(const ScheduleParts &parts) const;
  /// The same for what a tile of dot products reads.
  int64_t getDotSumParts(const KernelShape &shape) const;
  /// Whether all that is packed remains about as large as it is.
  bool setPack(ScheduleParts &parts, KernelShape &shape, PackMode mode);
  /// The tile of `shape` that takes the fewest cycles.
  std::pair<KernelTile, double> findTile(const ScheduleParts &parts,
                                         const KernelShape &shape);
  void compare(ScheduleParts parts, const KernelShape &shape);
  /// What it takes to copy padded operands with their borders.
  double getPaddingCycles(const ScheduleParts &parts);
  /// Chooses what is open of a tile: how far it prefetches, and then unrolling.
  void complete(const ScheduleParts &parts, const KernelShape &shape,
                KernelTile &tile) const;

  ContractOp op;
  MachineAttr machine;
  const Options options;
  /// What is being tried, as options would say it.
  Options tried;
  std::vector<KernelCandidate> *all;
  int64_t numLanes;
  /// Whether a matrix unit has such elements.
  bool hasMatrix;
  /// Whether it copies an operand, and combines it with no other one.
  bool isCopy;
  std::optional<ScheduleParts> best;
  /// The fraction by which a candidate has to be faster than the best one
  /// before.
  double worthwhile = kWorthwhile;
  double bestCycles = 0;
};

} // namespace tileir::einsum

#endif // TILEIR_LIB_DIALECT_EINSUM_TRANSFORMS_KERNELCHOOSER_H
