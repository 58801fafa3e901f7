//===- KernelTiles.cpp - Copies and tiles of a kernel ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which operands a kernel reads a copy of, and what is held in registers, of
// vectors or of a matrix unit: the innermost of what KernelChooser.h tries.
//
//===----------------------------------------------------------------------===//

#include "KernelChooser.h"

#include "tileir/Dialect/Einsum/Analysis/StagedOperand.h"

using namespace mlir;
using namespace tileir::einsum;

/// Vectors that are copied at once.
static constexpr int64_t kCopiedVectors = 4;
/// How many times as large as an operand a copy may be whose elements tables
/// tell: one of each window of a convolution would be many times as large.
static constexpr double kMostSpread = 1.5;
/// The cost of a byte of a padded operand that is copied in the second cache,
/// in bytes of panels: convolutions of each channel, by channels.
static constexpr double kStagedShare = 0.25;
/// The most steps of a window that share what rows read of it.
static constexpr int64_t kWindowSteps = 5;

/// Whether `operand` may be packed: it moves along lanes or rows, but not along
/// both. One lane is no vector that has to be in order, nor are those along a
/// sum.
static bool isPackable(const KernelShape &shape,
                       const KernelShape::Operand &operand) {
  return !shape.isAlongSum && (operand.lanes != 0) != (operand.rows != 0) &&
         (shape.lanes > 1 || operand.lanes == 0);
}

bool KernelChooser::setPack(ScheduleParts &parts, KernelShape &shape,
                            PackMode mode) {
  parts.pack.clear();
  bool isSmall = true;
  for (auto [i, operand] : llvm::enumerate(shape.operands)) {
    bool isLanes = operand.lanes != 0;
    bool isReused = isLanes ? shape.rows > 1 || shape.calls > operand.changes
                            : operand.converts || operand.isTabled();
    operand.isPacked = !isCopy && isPackable(shape, operand) &&
                       ((isLanes && operand.lanes != 1) ||
                        (isReused && (mode == PackMode::Both ||
                                      (mode == PackMode::Lanes && isLanes))));
    if (parts.matrix)
      operand.isPacked =
          isLanes || mode == PackMode::Both || !isMatrixInPlace(shape, operand);
    if (!operand.isPacked)
      continue;
    parts.pack.push_back(i);
    isSmall &=
        !operand.isTabled() || operand.asked <= kMostSpread * operand.elements;
  }
  return isSmall;
}

/// Whether registers hold a tile, and `perVector` more for each vector. What a
/// single row reads along lanes is an operand in memory, if it is one.
static bool fitsTile(const KernelShape &shape, int64_t rows, int64_t vectors,
                     int64_t perVector, MachineAttr machine) {
  int64_t numAlongLanes =
      llvm::count_if(shape.operands, [](const KernelShape::Operand &operand) {
        return operand.lanes != 0;
      });
  int64_t spared = rows == 1 && numAlongLanes == 1 ? vectors - 1 : 0;
  return fitsRegisters(rows, vectors, machine, perVector * vectors - spared);
}

std::pair<KernelTile, double>
KernelChooser::findTile(const ScheduleParts &parts, const KernelShape &shape) {
  KernelTile best;
  double bestCycles = std::numeric_limits<double>::infinity();
  auto estimate = [isMatrix = parts.matrix, numLanes = numLanes](
                      const KernelShape &shape, const KernelTile &tile,
                      MachineAttr machine) {
    return isMatrix ? estimateMatrixCycles(shape, tile, machine)
                    : estimateCycles(shape, tile, numLanes, machine);
  };
  auto compareTile = [&](int64_t rows, int64_t vectors) {
    KernelTile tile{rows, vectors, parts.unroll, parts.prefetch};
    // Pairs of bf16 are made where they are read if one tile has all rows, and
    // these are few; else they are copied.
    KernelShape read = shape;
    if (shape.groupSize > 1 && !parts.matrix &&
        op.getAccumulatorType().isF32() &&
        shape.rows > std::min(rows, kMostPairRows))
      for (KernelShape::Operand &operand : read.operands)
        operand.isPacked |= isPackable(shape, operand) && operand.lanes != 0;
    complete(parts, read, tile);
    double cycles = estimate(read, tile, machine);
    if (cycles < bestCycles)
      std::tie(best, bestCycles) = std::tie(tile, cycles);
    if (!all)
      return;
    auto estimateOther = [=](MachineAttr other) {
      return estimate(read, tile, other);
    };
    tried.tile = {rows, vectors};
    tried.unroll = tile.unroll;
    tried.prefetch = tile.prefetch;
    all->push_back({getConfig(tried), cycles, estimateOther});
  };
  int64_t vectors =
      shape.isAlongSum ? shape.lanes : llvm::divideCeil(shape.lanes, numLanes);
  if (!parts.tile.empty()) {
    compareTile(parts.tile[0], parts.tile[1]);
  } else if (parts.matrix) {
    for (auto [blocks, v] : kMatrixTiles)
      if (v <= vectors && (blocks - 1) * kMatrixRows < shape.rows)
        compareTile(blocks * kMatrixRows, v);
  } else if (op.getInputs().size() == 1 && shape.sums == 1) {
    // A copy. A block that is transposed in registers has a vector's lanes of
    // rows; otherwise nothing is used again, and a few vectors hide latencies.
    bool transposes = shape.lanes > 1 && shape.operands.front().rows == 1;
    if (transposes)
      compareTile(std::min(shape.rows, numLanes), 1);
    else
      compareTile(1, std::min<int64_t>(vectors, kCopiedVectors));
  } else if (op.getInputs().size() == 1 && !isDot(shape) &&
             shape.operands.front().overlap <= 1) {
    // A sum of what is read once: the longer the pieces of each step, the
    // better they come.
    int64_t v = vectors;
    while (v > 1 && !fitsTile(shape, 1, v, /*perVector=*/0, machine))
      --v;
    compareTile(1, v);
  } else {
    // Of a window of vectors, what rows share stays in registers.
    bool hasWindow =
        llvm::any_of(shape.operands, [](const KernelShape::Operand &operand) {
          return operand.lanes != 0 && operand.rows != 0 && operand.sum != 0;
        });
    int64_t perVector = shape.hasCorrections();
    if (hasWindow && shape.innerSum <= kWindowSteps)
      perVector += shape.innerSum - 1;
    auto fits = [&](int64_t rows, int64_t vectors) {
      return fitsTile(shape, rows, vectors, perVector, machine);
    };
    // As many dots as a vector has lanes become one vector.
    int64_t most = isDot(shape) ? numLanes : shape.rows * vectors;
    for (int64_t v = 1; v <= std::min(vectors, most) && fits(1, v); ++v)
      for (int64_t r = 1; r <= shape.rows && r * v <= most && fits(r, v); ++r)
        compareTile(r, v);
  }
  return {best, bestCycles};
}

void KernelChooser::complete(const ScheduleParts &parts,
                             const KernelShape &shape, KernelTile &tile) const {
  if (parts.matrix) {
    tile.unroll = 1;
    return;
  }
  tile.prefetch = parts.prefetch;
  if (options.prefetch >= 0)
    tile.prefetch = options.prefetch;
  else if (tile.prefetch == 0)
    tile.prefetch = choosePrefetch(shape, tile, machine);
  tile.unroll =
      parts.unroll ? parts.unroll : chooseUnroll(shape, tile, machine);
}

double KernelChooser::getPaddingCycles(const ScheduleParts &parts) {
  double bytes = 0;
  for (unsigned operand = 0; operand < op.getInputs().size(); ++operand)
    if (tensor::PadOp pad = getPadding(op, operand);
        pad && !getBorderedOperand(op, parts.get(), operand))
      bytes += static_cast<double>(pad.getResultType().getNumElements()) *
               pad.getResultType().getElementTypeBitWidth() / 8;
  return bytes * kStagedShare * machine.getCosts().packByte;
}

void KernelChooser::compare(ScheduleParts parts, const KernelShape &shape) {
  auto [tile, cycles] = findTile(parts, shape);
  cycles += getPaddingCycles(parts);
  if (best && cycles > bestCycles * (1 - worthwhile))
    return;
  complete(parts, shape, tile);
  parts.tile = {tile.rows, tile.vectors};
  parts.prefetch = tile.prefetch;
  parts.unroll = tile.unroll;
  best = parts;
  bestCycles = cycles;
}

void KernelChooser::tryTiles(const ScheduleParts &parts) {
  KernelShape shape = getKernelShape(op, parts);
  shape.computed = getComputedShare(op, parts);
  if (!parts.matrix && options.unit != Unit::Matrix) {
    tried.unit = hasMatrix ? Unit::Vector : Unit::Any;
    tryPacks(parts, shape);
  }
  if (!hasMatrix || options.unit == Unit::Vector || !isMatrixShape(shape))
    return;
  ScheduleParts matrix = parts;
  matrix.matrix = true;
  tried.unit = Unit::Matrix;
  tryPacks(matrix, shape);
}

void KernelChooser::tryPacks(const ScheduleParts &parts, KernelShape shape) {
  if (!parts.pack.empty()) {
    for (int64_t operand : parts.pack)
      shape.operands[operand].isPacked = true;
    return compare(parts, shape);
  }
  std::optional<SmallVector<int64_t>> before;
  for (PackMode mode : {PackMode::Needed, PackMode::Lanes, PackMode::Both}) {
    if (options.pack != PackMode::Any && options.pack != mode)
      continue;
    ScheduleParts candidate = parts;
    tried.pack = mode;
    bool isSensible = setPack(candidate, shape, mode);
    if ((isSensible || !best) && before != candidate.pack)
      compare(candidate, shape);
    before = candidate.pack;
  }
}
