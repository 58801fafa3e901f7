//===- ChooseKernel.cpp - The kernel of a contraction ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares candidates for the kernel of a contraction by the model of
// ScheduleCost.h: which dimensions are lanes and rows, how many lanes make a
// panel that a loop around the kernel goes over, how many rows make a block,
// which tile is held in registers, and whether the operand of the lanes is
// copied into the order of the kernel. What a schedule says already is kept:
// with a kernel, only tile, unrolling and packing are open; so is what options
// say.
//
//===----------------------------------------------------------------------===//

#include "ScheduleCost.h"
#include "ScheduleSteps.h"
#include "tileir/Dialect/Einsum/Analysis/Primitives.h"
#include "tileir/Dialect/Einsum/Transforms/Passes.h"

#include "llvm/Support/InterleavedRange.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace mlir;
using namespace tileir::einsum;

/// Lanes of a panel, in vectors.
static constexpr int64_t kLeastPanel = 4, kMostPanel = 64;
/// The least rows of a block, and how many sizes of blocks are tried.
static constexpr int64_t kLeastBlock = 16, kMostBlocks = 2;
/// Tiles of a matrix unit, by blocks of 16 rows and vectors: those that fill
/// its registers, and smaller ones.
static constexpr std::pair<int64_t, int64_t> kMatrixTiles[] = {
    {2, 2}, {1, 3}, {3, 1}, {1, 2}, {2, 1}, {1, 1}};
/// Rows of blocks whose copies a matrix unit reads while they are in the first
/// caches.
static constexpr int64_t kMatrixBlocks[] = {64, 128};
/// Vectors that are copied at once.
static constexpr int64_t kCopiedVectors = 4;
/// The most parts that a sum is divided into, and the least length of one.
static constexpr int64_t kMostSumParts = 64, kLeastSum = 32;
/// The fraction by which a candidate has to be faster than one that was tried
/// before, which is simpler; and that for one with other lanes or rows than
/// rules say, or with blocks.
static constexpr double kWorthwhile = 0.005, kWorthAnException = 0.02;
/// How full vectors are along lanes that need not be compared with others.
static constexpr double kFullVectors = 0.95;
/// How many times as large as an operand a copy may be whose elements tables
/// tell: one of each window of a convolution would be many times as large.
static constexpr double kMostSpread = 1.5;

namespace {

using Options = EinsumChooseSchedulePassOptions;

/// Finds the cheapest candidate for one contraction.
class Chooser {
public:
  /// With `all`, it also tells all candidates.
  Chooser(ContractOp op, MachineAttr machine, const Options &options,
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

private:
  /// Tries all that may be copied.
  void tryPacks(const ScheduleParts &parts, KernelShape shape);
  void tryPanels(const ScheduleParts &parts, const LoopDim &lanes,
                 const LoopDim &rows, ArrayRef<LoopDim> sums);
  /// Tries the rows as they are, or divided so that what is read along them
  /// stays in the second cache while the kernel goes through the lanes.
  void tryBlocks(const ScheduleParts &parts);
  /// The sizes of such blocks; none if the rows stay there anyway.
  SmallVector<int64_t> getBlocks(const ScheduleParts &parts, int64_t rows);
  /// Tries the sum as it is, or divided so that what is read of the operand of
  /// the lanes stays in the second cache.
  void trySums(const ScheduleParts &parts);
  void trySumParts(const ScheduleParts &parts, int64_t factor);
  /// How many parts those are, and how many it takes for the rows of a tile of
  /// a matrix unit to stay in the first cache.
  int64_t getSumParts(const ScheduleParts &parts) const;
  int64_t getMatrixSumParts(const ScheduleParts &parts) const;
  /// Whether all that is packed remains about as large as it is.
  bool setPack(ScheduleParts &parts, KernelShape &shape, PackMode mode);
  /// The tile of `shape` that takes the fewest cycles.
  std::pair<KernelTile, double> findTile(const ScheduleParts &parts,
                                         const KernelShape &shape);
  void compare(ScheduleParts parts, const KernelShape &shape);
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

} // namespace

/// Whether `operand` may be packed: it moves along lanes or rows, but not along
/// both. One lane is no vector that has to be in order.
static bool isPackable(const KernelShape &shape,
                       const KernelShape::Operand &operand) {
  return (operand.lanes != 0) != (operand.rows != 0) &&
         (shape.lanes > 1 || operand.lanes == 0);
}

bool Chooser::setPack(ScheduleParts &parts, KernelShape &shape, PackMode mode) {
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

std::pair<KernelTile, double> Chooser::findTile(const ScheduleParts &parts,
                                                const KernelShape &shape) {
  KernelTile best;
  double bestCycles = std::numeric_limits<double>::infinity();
  auto compareTile = [&](int64_t rows, int64_t vectors) {
    KernelTile tile{rows, vectors, parts.unroll, parts.prefetch};
    if (tile.unroll == 0 && !parts.matrix)
      tile.unroll = chooseUnroll(shape, tile, machine);
    double cycles = parts.matrix
                        ? estimateMatrixCycles(shape, tile, machine)
                        : estimateCycles(shape, tile, numLanes, machine);
    if (cycles < bestCycles)
      std::tie(best, bestCycles) = std::tie(tile, cycles);
    if (!all)
      return;
    tried.tile = {rows, vectors};
    complete(parts, shape, tile);
    tried.unroll = tile.unroll;
    tried.prefetch = tile.prefetch;
    all->push_back({getConfig(tried), cycles});
  };
  int64_t vectors = llvm::divideCeil(shape.lanes, numLanes);
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
  } else {
    for (int64_t v = 1; v <= vectors && fitsRegisters(1, v, machine); ++v)
      for (int64_t r = 1; r <= shape.rows && fitsRegisters(r, v, machine); ++r)
        compareTile(r, v);
  }
  return {best, bestCycles};
}

void Chooser::complete(const ScheduleParts &parts, const KernelShape &shape,
                       KernelTile &tile) const {
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

void Chooser::compare(ScheduleParts parts, const KernelShape &shape) {
  auto [tile, cycles] = findTile(parts, shape);
  if (best && cycles > bestCycles * (1 - worthwhile))
    return;
  complete(parts, shape, tile);
  parts.tile = {tile.rows, tile.vectors};
  parts.prefetch = tile.prefetch;
  parts.unroll = tile.unroll;
  best = parts;
  bestCycles = cycles;
}

void Chooser::tryTiles(const ScheduleParts &parts) {
  KernelShape shape = getKernelShape(op, parts);
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

void Chooser::tryPacks(const ScheduleParts &parts, KernelShape shape) {
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

void Chooser::tryPanels(const ScheduleParts &parts, const LoopDim &lanes,
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

SmallVector<int64_t> Chooser::getBlocks(const ScheduleParts &parts,
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

void Chooser::tryBlocks(const ScheduleParts &parts) {
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

int64_t Chooser::getSumParts(const ScheduleParts &parts) const {
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

int64_t Chooser::getMatrixSumParts(const ScheduleParts &parts) const {
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

void Chooser::trySums(const ScheduleParts &parts) {
  tried.sumParts = 1;
  if (options.sumParts <= 1)
    tryTiles(parts);
  int64_t factor = getSumParts(parts), ofMatrix = getMatrixSumParts(parts);
  trySumParts(parts, factor);
  if (ofMatrix != factor)
    trySumParts(parts, ofMatrix);
}

void Chooser::trySumParts(const ScheduleParts &parts, int64_t factor) {
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

/// Whether an option asks for a dimension of these indices, or for none.
static bool isAsked(StringRef option, const LoopDim &dim) {
  return option.empty() || (dim && option == dim.getIndices());
}

void Chooser::tryKernels(const ScheduleParts &parts) {
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
  // If vectors would not be full, lanes of others may be, stored one by one.
  double held = llvm::alignTo(byRule.getSize(), numLanes);
  bool areFull = byRule.getSize() >= kFullVectors * held;
  for (const LoopDim &other : open)
    if (other != byRule &&
        (options.lanes.empty() ? !areFull && other.getSize() >= numLanes
                               : options.lanes == other.getIndices()))
      tryLanes(other);
}

std::string tileir::einsum::getConfig(const Options &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::ListSeparator space(" ");
  if (!options.lanes.empty())
    os << space << "lanes=" << options.lanes;
  if (!options.rows.empty())
    os << space << "rows=" << options.rows;
  if (options.panel >= 0)
    os << space << "panel=" << options.panel;
  if (options.block >= 0)
    os << space << "block=" << options.block;
  if (options.sumParts > 0)
    os << space << "sum-parts=" << options.sumParts;
  if (options.pack != PackMode::Any)
    os << space << "pack="
       << (options.pack == PackMode::Needed  ? "needed"
           : options.pack == PackMode::Lanes ? "lanes"
                                             : "both");
  if (options.unit != Unit::Any)
    os << space
       << "unit=" << (options.unit == Unit::Vector ? "vector" : "matrix");
  if (!options.tile.empty())
    os << space << "tile=" << llvm::interleaved(options.tile, ",");
  if (options.unroll > 0)
    os << space << "unroll=" << options.unroll;
  if (options.prefetch >= 0)
    os << space << "prefetch=" << options.prefetch;
  return text;
}

/// Tries all kernels for loops that have none; whether there can be one.
static bool tryAll(Chooser &chooser, ContractOp op, ScheduleAttr schedule,
                   std::string &reason) {
  // Whether a step that is taken on the way changes anything does not matter.
  std::string unfused;
  // Loops that have already been ordered or divided stay.
  bool isOpen = schedule.getDims() == getDefaultSchedule(op).getDims();
  ScheduleParts parts(
      op,
      isOpen ? fuseDims(op, schedule, /*minKernelSize=*/0, unfused) : schedule);
  reason = getKernelFailureReason(op, getOpenDims(parts),
                                  getKernelSums(op, parts, /*maxSums=*/0));
  if (!reason.empty())
    return false;
  chooser.tryKernels(parts);
  if (!isOpen)
    return true;
  ScheduleParts tabled(op, fuseDims(op, schedule, /*minKernelSize=*/0, unfused,
                                    /*byTables=*/true));
  if (tabled.dims != parts.dims)
    chooser.tryOthers(tabled);
  return true;
}

/// `schedule` with what options say of its kernel.
static ScheduleAttr fillIn(ScheduleAttr schedule, const Options &options) {
  ArrayRef<int64_t> tile = schedule.getTile();
  int64_t unroll = schedule.getUnroll();
  return ScheduleAttr::get(schedule.getContext(), schedule.getDims(),
                           schedule.getLanes(), schedule.getMatrix(),
                           tile.empty() ? ArrayRef(options.tile) : tile,
                           unroll ? unroll : options.unroll,
                           schedule.getPrefetch(), schedule.getPack());
}

ScheduleAttr tileir::einsum::chooseKernel(ContractOp op, ScheduleAttr given,
                                          const Options &options,
                                          std::string &reason) {
  MachineAttr machine = MachineAttr::find(op);
  ScheduleAttr schedule = fillIn(given, options);
  ScheduleParts parts(op, schedule);
  if (parts.hasKernel() && !given.getTile().empty()) {
    reason = "it has prim dimensions and a tile already";
    return given;
  }
  if (!parts.hasKernel()) {
    Chooser chooser(op, machine, options);
    if (!tryAll(chooser, op, schedule, reason))
      return given;
    if (!chooser.getBest())
      return {};
    parts = *chooser.getBest();
  }
  std::string sequential;
  if (options.threads != 1)
    parts = ScheduleParts(op, parallelizeDims(op, parts.get(), options.threads,
                                              kLeastParallelWork, sequential));
  // The sizes may be others now; and of a kernel that was given, the tile is
  // still open.
  parts.tile = SmallVector<int64_t>(schedule.getTile());
  parts.unroll = schedule.getUnroll();
  parts.prefetch = schedule.getPrefetch();
  Chooser chooser(op, machine, options);
  chooser.tryTiles(parts);
  return chooser.getBest()->get();
}

std::vector<KernelCandidate> tileir::einsum::listKernels(ContractOp op) {
  std::vector<KernelCandidate> all;
  std::string reason;
  Chooser chooser(op, MachineAttr::find(op), Options(), &all);
  tryAll(chooser, op, getDefaultSchedule(op), reason);
  llvm::stable_sort(
      all, [](const auto &a, const auto &b) { return a.cycles < b.cycles; });
  return all;
}
