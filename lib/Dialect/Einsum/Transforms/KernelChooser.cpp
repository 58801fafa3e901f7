//===- KernelChooser.cpp - Loops around a kernel --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Which dimensions are lanes and rows, how many lanes make a panel that a loop
// around the kernel goes over, how many rows a block, and whether the sum is in
// parts.
//
//===----------------------------------------------------------------------===//

#include "KernelChooser.h"

#include "tileir/Dialect/Einsum/Analysis/StagedOperand.h"

#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tileir::einsum;

/// Lanes of a panel, in vectors.
static constexpr int64_t kLeastPanel = 4, kMostPanel = 64;
/// The least rows of a block, and how many sizes of blocks are tried.
static constexpr int64_t kLeastBlock = 16, kMostBlocks = 2;
/// Rows of blocks whose copies a matrix unit reads while they are in the first
/// caches.
static constexpr int64_t kMatrixBlocks[] = {64, 128};
/// The most parts that a sum is divided into, and the least length of one.
static constexpr int64_t kMostSumParts = 64, kLeastSum = 32;
/// Rows and lanes of a tile of dot products, about.
static constexpr int64_t kDotSide = 4;
/// How full vectors are along lanes that need not be compared with others.
static constexpr double kFullVectors = 0.95;

/// Whether an option asks for a dimension of these indices, or for none.
static bool isAsked(StringRef option, const LoopDim &dim) {
  return option.empty() || (dim && option == dim.getIndices());
}

void KernelChooser::tryPanels(const ScheduleParts &parts, const LoopDim &lanes,
                              const LoopDim &rows, ArrayRef<LoopDim> sums) {
  ScheduleParts kernel = parts;
  formKernel(kernel, lanes, rows, sums);
  tried.lanes = lanes ? lanes.getIndices().str() : "";
  tried.rows = rows ? rows.getIndices().str() : "";
  tried.panel = 0;
  if (options.panel <= 0) {
    tryBlocks(kernel);
    ScheduleParts moved = kernel;
    if (lanes && rows)
      moved.moveLoopsOfLanes(op.getInputs().size(), lanes, rows);
    if (moved.dims != kernel.dims)
      tryBlocks(moved);
  }
  if (!lanes || options.panel == 0)
    return;
  SmallVector<int64_t> panels;
  if (options.panel > 0)
    panels = {options.panel};
  else
    for (int64_t panel = kLeastPanel; panel <= kMostPanel; panel *= 2)
      panels.push_back(panel);
  for (int64_t panel : panels) {
    int64_t size = panel * numLanes;
    if (lanes.getSize() % size != 0 || lanes.getSize() == size)
      continue;
    ScheduleParts split = kernel;
    auto position = llvm::find(split.dims, kernel.lanes) - split.dims.begin();
    auto at = llvm::count_if(split.dims, isOutside);
    split.split(position, size, Execution::Seq, at);
    std::stable_partition(split.dims.begin(), split.dims.end(), isOutside);
    tried.panel = panel;
    tryBlocks(split);
  }
}

void KernelChooser::tryDots(const ScheduleParts &parts, const LoopDim &lanes,
                            const LoopDim &rows, ArrayRef<LoopDim> sums) {
  if (!isAsked(options.rows, rows) || !isAsked(options.lanes, sums.back()))
    return;
  ScheduleParts kernel = parts;
  formKernel(kernel, lanes, rows, sums);
  kernel.lanes = kernel.dims.back();
  KernelShape shape = getKernelShape(op, kernel);
  if (!isDot(shape))
    return;
  tried.lanes = kernel.lanes.getIndices().str();
  tried.rows = rows.getIndices().str();
  tried.panel = 0;
  if (!lanes)
    return tryBlocks(kernel);
  if (options.block > 0)
    return;
  tried.block = 0;
  tried.sumParts = 1;
  if (options.sumParts <= 1)
    tryTiles(kernel);
  trySumParts(kernel, getDotSumParts(shape));
}

int64_t KernelChooser::getDotSumParts(const KernelShape &shape) const {
  if (options.sumParts > 0)
    return options.sumParts;
  int64_t bytes = 0;
  for (const KernelShape::Operand &operand : shape.operands)
    bytes += shape.sums * operand.bytes * kDotSide;
  int64_t factor = 1;
  while (factor <= kMostSumParts &&
         bytes / factor > kDotShare * machine.getL1())
    factor *= 2;
  return factor;
}

void KernelChooser::tryAllDots(const ScheduleParts &parts,
                               ArrayRef<LoopDim> open, ArrayRef<LoopDim> sums) {
  if (sums.empty() || options.panel > 0)
    return;
  auto isBatch = [](const LoopDim &dim) {
    return dim.getContractionDim() == ContractionDim::Batch;
  };
  // A vector has no dimension besides those of its batch and of the sum.
  auto isVector = [&](unsigned i) {
    return llvm::all_of(open, [&](const LoopDim &dim) {
      return dim.getStrides()[i] == 0 || isBatch(dim);
    });
  };
  LoopDim lanes;
  if (op.getInputs().size() == 2 && !isVector(0) && !isVector(1)) {
    lanes = findLanes(open);
    if (isBatch(lanes) || getPadding(op, 0) || getPadding(op, 1))
      return;
  }
  // Rows that have a vector each, or none, are those of a batch.
  bool areOfBatch = llvm::all_of(open, isBatch);
  for (const LoopDim &rows : open)
    if (rows != lanes && (areOfBatch || !isBatch(rows)))
      tryDots(parts, lanes, rows, sums);
}

SmallVector<int64_t> KernelChooser::getBlocks(const ScheduleParts &parts,
                                              int64_t rows) {
  if (options.block > 0)
    return {options.block};
  KernelShape shape = getKernelShape(op, parts);
  double bytes = 0;
  for (const KernelShape::Operand &operand : shape.operands)
    if (operand.rows != 0 && operand.lanes == 0)
      bytes += shape.sums / operand.overlap * operand.bytes;
  double held = machine.getL2() * machine.getCosts().sharedL2;
  SmallVector<int64_t> blocks;
  if (hasMatrix)
    llvm::copy_if(kMatrixBlocks, std::back_inserter(blocks),
                  [&](int64_t block) { return rows % block == 0; });
  if (rows * bytes > held)
    for (int64_t block = held / bytes;
         block >= kLeastBlock && blocks.size() < kMostBlocks; --block)
      if (rows % block == 0)
        blocks.push_back(block);
  return blocks;
}

void KernelChooser::tryBlocks(const ScheduleParts &parts) {
  tried.block = 0;
  if (options.block <= 0)
    trySums(parts);
  const auto *rows = llvm::find_if(parts.dims, [&](const LoopDim &dim) {
    return dim.getExec() == Execution::Prim && !dim.isSummed() &&
           dim != parts.lanes;
  });
  if (!parts.lanes || rows == parts.dims.end() || options.block == 0)
    return;
  llvm::SaveAndRestore saved(worthwhile, kWorthAnException);
  for (int64_t block : getBlocks(parts, rows->getSize())) {
    if (rows->getSize() % block != 0 || rows->getSize() == block)
      continue;
    ScheduleParts split = parts;
    split.split(rows - parts.dims.begin(), block, Execution::Seq,
                parts.dims.size() - parts.count(Execution::Prim));
    tried.block = block;
    trySums(split);
  }
}

int64_t KernelChooser::getSumParts(const ScheduleParts &parts) const {
  if (options.sumParts > 0)
    return options.sumParts;
  KernelShape shape = getKernelShape(op, parts);
  int64_t bytes = 0;
  for (const KernelShape::Operand &operand : shape.operands)
    if (operand.lanes != 0 && operand.rows == 0)
      bytes = std::max(bytes, shape.sums * shape.lanes * operand.bytes);
  int64_t factor = 1;
  while (factor <= kMostSumParts &&
         bytes / factor > machine.getL2() * machine.getCosts().l2Share)
    factor *= 2;
  return factor;
}

int64_t KernelChooser::getMatrixSumParts(const ScheduleParts &parts) const {
  if (options.sumParts > 0 || !hasMatrix)
    return options.sumParts > 0 ? options.sumParts : 1;
  KernelShape shape = getKernelShape(op, parts);
  int64_t bytes = shape.sums * shape.operands.front().bytes *
                  kMatrixTiles[0].first * kMatrixRows;
  int64_t factor = 1;
  while (factor <= kMostSumParts &&
         bytes / factor > machine.getL1() * machine.getCosts().matrixL1Share)
    factor *= 2;
  return factor;
}

void KernelChooser::trySums(const ScheduleParts &parts) {
  tried.sumParts = 1;
  if (options.sumParts <= 1)
    tryTiles(parts);
  int64_t factor = getSumParts(parts), ofMatrix = getMatrixSumParts(parts);
  trySumParts(parts, factor);
  if (ofMatrix != factor)
    trySumParts(parts, ofMatrix);
}

void KernelChooser::trySumParts(const ScheduleParts &parts, int64_t factor) {
  if (factor == 1 || factor > kMostSumParts)
    return;
  unsigned position = 0;
  for (auto [i, dim] : llvm::enumerate(parts.dims))
    if (dim.getExec() == Execution::Prim && dim.isSummed() &&
        dim.getSize() % factor == 0 && dim.getSize() / factor >= kLeastSum &&
        (position == 0 || dim.getSize() > parts.dims[position].getSize()))
      position = i;
  if (position == 0)
    return;
  // Inside of what moves the operand anyway, outside of what does not.
  auto at = llvm::count_if(parts.dims, [&](const LoopDim &dim) {
    return isOutside(dim) || (dim.getExec() == Execution::Seq && parts.lanes &&
                              dim.getIndices() == parts.lanes.getIndices());
  });
  ScheduleParts split = parts;
  split.split(position, split.dims[position].getSize() / factor, Execution::Seq,
              at);
  tried.sumParts = factor;
  tryTiles(split);
}

void KernelChooser::tryKernels(const ScheduleParts &parts) {
  SmallVector<LoopDim> open = getOpenDims(parts);
  SmallVector<LoopDim> sums = getKernelSums(op, parts, /*maxSums=*/0);
  LoopDim byRule = findLanes(open);
  auto tryRows = [&](const LoopDim &lanes, const LoopDim &rows) {
    if (isAsked(options.rows, rows))
      tryPanels(parts, lanes, rows, sums);
  };
  auto tryLanes = [&](const LoopDim &lanes) {
    if (!isAsked(options.lanes, lanes))
      return;
    if (!lanes)
      return tryRows(LoopDim(), LoopDim());
    LoopDim rows = findRows(op, open, lanes);
    tryRows(lanes, rows);
    worthwhile = kWorthAnException;
    if (op.getInputs().size() == 1)
      return;
    for (const LoopDim &other : open)
      if (other != rows && other != lanes)
        tryRows(lanes, other);
  };
  tryLanes(byRule);
  if (!byRule)
    return;
  // A matrix times a vector reads the matrix once: along the sum it needs no
  // copy, and the one column is the lanes.
  for (const LoopDim &dim : parts.dims)
    if (dim.getSize() == 1 && !dim.isSummed() && !llvm::is_contained(open, dim))
      tryLanes(dim);
  tryAllDots(parts, open, sums);
  // If vectors would not be full, lanes of others may be, stored one by one.
  double held = llvm::alignTo(byRule.getSize(), numLanes);
  bool areFull = byRule.getSize() >= kFullVectors * held;
  for (const LoopDim &other : open)
    if (other != byRule &&
        (options.lanes.empty() ? !areFull && other.getSize() >= numLanes
                               : options.lanes == other.getIndices()))
      tryLanes(other);
}
