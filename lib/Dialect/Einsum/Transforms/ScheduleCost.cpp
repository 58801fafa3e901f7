//===- ScheduleCost.cpp - What a kernel costs -----------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel goes over vectors of the lanes, within these over rows, and within
// these over the sum:
//
//   for each group of vectors: for each group of rows: for each summed step:
//     load the vectors, broadcast the rows, multiply and add
//
// Cycles are those of arithmetic (the largest of what multiply-adds, their
// latency and loads need), of each tile's beginning and end, and of bringing
// operands from the cache that holds them. Masked lanes cost what others do.
//
//===----------------------------------------------------------------------===//

#include "ScheduleCost.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <numeric>

using namespace tileir::einsum;

// What machines differ little in.
static constexpr double kLoadsPerCycle = 2, kOpsPerCycle = 6,
                        kStoresPerCycle = 1;
/// What each load takes from the arithmetic that hides it.
static constexpr double kLoadCycles = 0.03;
/// Of a tile: the loop's end, which is mispredicted, and addresses.
static constexpr double kTileCycles = 24;
/// Accumulators of a tile that begins while the one before it ends, and cycles
/// for each further one.
static constexpr double kOverlapped = 16, kLateAccumulator = 0.5;
/// Part of the arithmetic that groups of two sizes cost more: code is larger.
static constexpr double kUneven = 0.005;
/// Of a tile whose sum goes on from what the result holds.
static constexpr double kResumeCycles = 60;
/// Of a call of the kernel: the loops around it.
static constexpr double kCallCycles = 6;
/// Of a loop iteration: counting, comparing and pointers.
static constexpr double kLoopOps = 4;
/// Bytes per cycle from a cache or memory: what streams, as the lanes' operand
/// does, is fetched ahead, and takes time only if it takes longer than
/// arithmetic.
static constexpr double kBytesFromL2 = 40, kBytesFromL3 = 6,
                        kBytesFromMemory = 3;
/// Cycles for each byte of what is read along rows, a few elements of many
/// lines at a time, which arithmetic waits for.
static constexpr double kRowByteFromL2 = 0.01, kRowByteFromL3 = 0.05,
                        kRowByteFromMemory = 0.1;
/// Cycles for each byte of vectors that are parts of two lines, not of the
/// first cache.
static constexpr double kSplitByte = 0.02;
/// Pages that are found at once, their bytes, and cycles to find another one.
static constexpr double kPages = 80, kPageCycles = 6;
/// Which part of the first cache one operand may fill, and of the second one
/// what is not a panel by itself: what else is read comes between.
static constexpr double kL1Share = 0.5, kSharedL2 = 0.4;
/// How well arithmetic and streams overlap: with infinity, as if the longer one
/// were alone.
static constexpr double kOverlap = 4;
/// Bytes of one way of the first and second cache.
static constexpr int64_t kL1Way = 4 << 10, kL2Way = 128 << 10;
/// Cycles to copy one byte of an operand in vectors, one element by transposing
/// blocks, and one by itself.
static constexpr double kPackByte = 0.14, kTransposeElement = 0.5,
                        kPackElement = 1.5;
/// Bytes of a buffer for which the system gives new pages, and cycles for each
/// of them.
static constexpr double kFreshBuffer = 1 << 20, kFreshByte = 0.25;
/// Cycles for each element along rows that tables lead to, lines around a row
/// that they lead to, and cycles if such lines push each other out of the first
/// cache; the same if lines of rows do without tables.
static constexpr double kTabledElement = 0.25, kLinesOfRow = 4,
                        kTabledConflict = 0.6, kConflict = 0.15;
/// Cycles to write a byte of a result that no cache holds, and if only parts of
/// its rows are written, one after the other.
static constexpr double kResultByte = 0.35, kBrokenResultByte = 1;
/// Cycles to store an element of a vector by itself.
static constexpr double kScatterElement = 3;
/// Registers into which operands of the next step are loaded ahead.
static constexpr int64_t kAhead = 2;
/// Multiply-adds in one iteration beyond which code takes long to compile and
/// gains little, of few iterations and of many; and steps of a loop that is
/// none, of few iterations, and of an iteration. Of somewhat more than a few,
/// four are one if nothing is left then.
static constexpr int64_t kFewUnrolled = 96, kManyUnrolled = 24, kShortSum = 24,
                         kFewSteps = 32, kMostUnroll = 8, kSomeSteps = 60,
                         kSomeUnroll = 4;
/// Prefetched: if what a contraction reads and writes is more than this part of
/// the second cache, by tiles of as many rows, for each of which a vector is
/// used; and how many steps ahead, more than the second cache takes.
static constexpr double kPrefetchedL2 = 0.25;
static constexpr int64_t kPrefetchedRows = 4, kPrefetch = 2;
/// Groups of rows from which on it does not matter how the first one is read.
static constexpr int64_t kPrefetchedGroups = 2;
/// Steps of an iteration that share what is prefetched of a line.
static constexpr int64_t kPrefetchingUnroll = 4;

namespace {

/// Where an operand is read from.
enum class Level { L1, L2, L3, Memory };

/// Cycles for one byte.
double getCycles(Level level, bool isStream = true) {
  switch (level) {
  case Level::L1:
    return 0;
  case Level::L2:
    return isStream ? 1 / kBytesFromL2 : kRowByteFromL2;
  case Level::L3:
    return isStream ? 1 / kBytesFromL3 : kRowByteFromL3;
  case Level::Memory:
    return isStream ? 1 / kBytesFromMemory : kRowByteFromMemory;
  }
  llvm_unreachable("unknown level");
}

} // namespace

/// Whether `count` pieces of `piece` bytes, `stride` bytes apart, stay in a
/// cache. Strides that are multiples of large powers of two leave most of its
/// sets unused.
static bool staysIn(int64_t cache, int64_t way, double share, double count,
                    double piece, int64_t stride) {
  if (count * piece > share * cache)
    return false;
  if (stride == 0 || piece >= stride)
    return true;
  int64_t places = way / std::gcd(way, stride);
  int64_t ways = std::max<int64_t>(cache / way, 1);
  double perPlace = std::max(1.0, piece / std::max<int64_t>(way / places, 1));
  return count * perPlace <= places * ways;
}

static Level getLevel(MachineAttr machine, double count, double piece,
                      int64_t stride, double l2Share = kL2Share) {
  if (staysIn(machine.getL1(), kL1Way, kL1Share, count, piece, stride))
    return Level::L1;
  if (staysIn(machine.getL2(), kL2Way, l2Share, count, piece, stride))
    return Level::L2;
  return count * piece <= machine.getL3() ? Level::L3 : Level::Memory;
}

static int64_t getBytes(int64_t stride, int64_t bytes) {
  return mlir::ShapedType::isDynamic(stride) ? 0 : std::abs(stride) * bytes;
}

bool tileir::einsum::fitsRegisters(int64_t rows, int64_t vectors,
                                   MachineAttr machine, int64_t spare) {
  return rows * vectors + vectors + 1 + spare <= machine.getRegisters();
}

int64_t tileir::einsum::choosePrefetch(const KernelShape &shape,
                                       const KernelTile &tile,
                                       MachineAttr machine) {
  if (shape.sums == 1 || shape.operands.size() != 2 ||
      tile.rows < kPrefetchedRows)
    return 0;
  double bytes = shape.resultElements * shape.resultBytes;
  double ofCall =
      static_cast<double>(shape.rows) * shape.lanes * shape.resultBytes;
  for (const KernelShape::Operand &operand : shape.operands) {
    bytes += operand.elements * operand.bytes;
    ofCall += static_cast<double>(shape.sums) * operand.bytes *
              (operand.lanes != 0 ? shape.lanes : 1) *
              (operand.rows != 0 ? shape.rows : 1);
  }
  // What the first tiles brought, others find in the first cache.
  bool isKept =
      ofCall <= machine.getL1() && shape.rows > kPrefetchedGroups * tile.rows;
  return bytes > kPrefetchedL2 * machine.getL2() && !isKept ? kPrefetch : 0;
}

int64_t tileir::einsum::chooseUnroll(const KernelShape &shape,
                                     const KernelTile &tile,
                                     MachineAttr machine) {
  // Operands loaded ahead would push accumulators out of registers.
  if (!tile.prefetch &&
      !fitsRegisters(tile.rows, tile.vectors, machine, kAhead))
    return 1;
  // A short loop is all of it beginning and end.
  if (shape.innerSum <= kShortSum)
    return shape.innerSum;
  int64_t multiplyAdds =
      shape.innerSum <= kFewSteps ? kFewUnrolled : kManyUnrolled;
  int64_t most = std::clamp<int64_t>(multiplyAdds / (tile.rows * tile.vectors),
                                     1, kMostUnroll);
  if (tile.prefetch)
    most = kPrefetchingUnroll;
  else if (shape.innerSum > kFewSteps && shape.innerSum <= kSomeSteps &&
           shape.innerSum % kSomeUnroll == 0)
    most = std::max(most, kSomeUnroll);
  // A remainder costs a loop of its own.
  for (int64_t unroll = most; unroll > 1; --unroll)
    if (shape.innerSum % unroll == 0 && unroll * 2 > most)
      return unroll;
  return llvm::PowerOf2Ceil(most + 1) / 2;
}

/// Whether a vector along the lanes is more than one load.
static bool isGathered(const KernelShape::Operand &operand) {
  return operand.lanes != 0 && operand.lanes != 1 && !operand.isPacked;
}

/// Cycles of one tile of `rows` and `vectors`, operands in the first cache.
static double getTileCycles(const KernelShape &shape, const KernelTile &tile,
                            double rows, double vectors, int64_t numLanes,
                            MachineAttr machine) {
  double multiplyAdds = rows * vectors, loads = 0, conversions = 0;
  for (const KernelShape::Operand &operand : shape.operands) {
    double read =
        (operand.lanes != 0 ? vectors : 1) * (operand.rows != 0 ? rows : 1);
    // A vector that is part of two lines is two loads.
    double lines = 1;
    if (operand.lanes == 1 && !operand.isAligned && !operand.isPacked)
      lines += static_cast<double>((numLanes - 1) * operand.bytes) / kLineBytes;
    loads += read * (isGathered(operand) ? numLanes : lines);
    // Entries of tables: of each row, and of the sum.
    if (operand.isTabled() && !operand.isPacked)
      loads += mlir::ShapedType::isDynamic(operand.rows) ? rows : 1;
    if (operand.converts && !operand.isPacked)
      conversions += read;
  }
  double loop = kLoopOps / std::max<int64_t>(tile.unroll, 1);
  double step = std::max(
      {(multiplyAdds + conversions) / machine.getFma(), loads / kLoadsPerCycle,
       (multiplyAdds + conversions + loads + loop) / kOpsPerCycle,
       shape.sums > 1 ? static_cast<double>(machine.getLatency()) : 0.0});
  step += loads * kLoadCycles;
  double store = multiplyAdds / kStoresPerCycle;
  if (shape.resultLanes != 1)
    store += multiplyAdds * numLanes * kScatterElement;
  double late = std::max(0.0, multiplyAdds - kOverlapped) * kLateAccumulator;
  return shape.sums * step + store + late + kTileCycles;
}

namespace {

/// Cycles besides those of arithmetic.
struct Transfers {
  /// Of streams, which arithmetic may hide.
  double streaming = 0;
  /// Of what it waits for, and of copies.
  double waiting = 0;
};

/// A kernel that is divided into tiles. Groups are balanced: 33 rows by at most
/// 7 are 7, 7, 7, 6 and 6.
struct Tiling {
  Tiling(const KernelShape &shape, const KernelTile &tile, int64_t numLanes)
      : vectors(llvm::divideCeil(shape.lanes, numLanes)),
        rowGroups(llvm::divideCeil(shape.rows, tile.rows)),
        vectorGroups(llvm::divideCeil(vectors, tile.vectors)),
        rowsOfTile(static_cast<double>(shape.rows) / rowGroups),
        vectorsOfTile(static_cast<double>(vectors) / vectorGroups) {}

  int64_t vectors, rowGroups, vectorGroups;
  double rowsOfTile, vectorsOfTile;
};

} // namespace

/// What it takes to bring an operand that moves along the lanes.
static void addStream(Transfers &transfers, const KernelShape &shape,
                      const KernelShape::Operand &operand, const Tiling &tiling,
                      int64_t numLanes, MachineAttr machine) {
  bool isOfRows = operand.rows != 0;
  // Panels hold elements of the accumulator.
  int64_t held = operand.isPacked ? shape.panelBytes : operand.bytes;
  double sums = shape.sums / operand.overlap * held;
  double lanesOfTile =
      std::min<double>(shape.lanes, tiling.vectorsOfTile * numLanes);
  double ofTile = sums * lanesOfTile * (isOfRows ? tiling.rowsOfTile : 1);
  double ofCall = sums * shape.lanes * (isOfRows ? shape.rows : 1);
  double whole = operand.elements * operand.bytes;
  // Lines of a panel that is not packed are far apart.
  int64_t stride = 0;
  if (!operand.isPacked && !isOfRows)
    stride =
        mlir::ShapedType::isDynamic(operand.sum)
            ? std::min<int64_t>(whole / shape.sums, kPageBytes + kLineBytes)
            : getBytes(operand.sum, operand.bytes);
  auto getRate = [&](double bytes, double lanes) {
    if (!stride)
      return getCycles(getLevel(machine, bytes, 1, 0));
    double piece = lanes * operand.bytes, count = bytes / piece;
    // Lines that are read in part are held as a whole.
    if (!operand.isAligned)
      piece = std::min<double>(piece + kLineBytes, stride);
    return getCycles(getLevel(machine, count, piece, stride, kSharedL2));
  };
  // Groups of rows read what the one before did.
  double again =
      isOfRows ? 0 : ofTile * (tiling.rowGroups - 1) * tiling.vectorGroups;
  double rateAgain = getRate(ofTile, lanesOfTile);
  transfers.streaming += shape.calls * again * rateAgain;
  if (rateAgain > 0 && !operand.isAligned && !operand.isPacked)
    transfers.waiting += shape.calls * again * kSplitByte;
  // A call reads something new, or again what the one before it did.
  double isNew = std::min(operand.changes * ofCall,
                          operand.sweeps * operand.elements * held);
  double isKnown = shape.calls * ofCall - isNew;
  double rate = getRate(ofCall, shape.lanes);
  transfers.streaming += isKnown * rate;
  Level home = getLevel(machine, operand.isPacked ? ofCall : whole, 1, 0);
  if (!operand.isPacked) {
    transfers.streaming += isNew * std::max(getCycles(home), rate);
    return;
  }
  double copy = operand.lanes == 1 ? held * kPackByte
                : operand.sum == 1 ? kTransposeElement
                                   : kPackElement;
  copy += operand.bytes * getCycles(getLevel(machine, whole, 1, 0));
  // What is written, and read again.
  double kept = 2 * held * getCycles(home);
  if (ofCall >= kFreshBuffer)
    kept += held * kFreshByte;
  transfers.waiting +=
      operand.sweeps * operand.elements * operand.overlap * (copy + kept);
}

/// Cycles for each element that is read along rows, besides bringing it.
static double getRowElement(const KernelShape::Operand &operand, double rows,
                            MachineAttr machine) {
  bool isTabled = mlir::ShapedType::isDynamic(operand.sum);
  int64_t stride = getBytes(operand.rowLetter, operand.bytes);
  double lines = isTabled ? kLinesOfRow * rows : rows;
  bool stays = stride < kLineBytes ||
               staysIn(machine.getL1(), kL1Way, 1, lines, kLineBytes, stride);
  if (isTabled)
    return stays ? kTabledElement : kTabledConflict;
  return stays ? 0 : kConflict;
}

/// What it takes to bring one of which elements are broadcast.
static void addRows(Transfers &transfers, const KernelShape &shape,
                    const KernelShape::Operand &operand, const Tiling &tiling,
                    MachineAttr machine) {
  double rows = operand.rows != 0 ? shape.rows : 1;
  double ofCall = shape.sums / operand.overlap * rows * operand.bytes;
  double whole = operand.elements * operand.bytes;
  double isNew = std::min(operand.changes * ofCall, operand.sweeps * whole);
  // Each group of vectors reads what the one before did.
  double isKnown = shape.calls * ofCall * tiling.vectorGroups - isNew;
  auto getRate = [&](double bytes) {
    Level level = getLevel(machine, bytes, 1, 0, kSharedL2);
    return getCycles(level, /*isStream=*/false);
  };
  transfers.waiting += isNew * getRate(whole) + isKnown * getRate(ofCall);
  if (!operand.isPacked)
    transfers.waiting += shape.calls * tiling.vectorGroups * shape.sums * rows *
                         getRowElement(operand, tiling.rowsOfTile, machine);
  if (operand.isPacked)
    transfers.waiting +=
        operand.sweeps * operand.elements * operand.overlap * kPackElement;
}

double tileir::einsum::estimateCycles(const KernelShape &shape,
                                      const KernelTile &tile, int64_t numLanes,
                                      MachineAttr machine) {
  Tiling tiling(shape, tile, numLanes);
  double tiles = static_cast<double>(tiling.rowGroups) * tiling.vectorGroups;
  double ofTile = getTileCycles(shape, tile, tiling.rowsOfTile,
                                tiling.vectorsOfTile, numLanes, machine);
  bool hasUnevenRows = shape.rows % tiling.rowGroups != 0,
       hasUnevenVectors = tiling.vectors % tiling.vectorGroups != 0;
  double arithmetic = shape.calls * (kCallCycles + tiles * ofTile) *
                      (1 + kUneven * (hasUnevenRows + hasUnevenVectors));

  Transfers transfers;
  for (const KernelShape::Operand &operand : shape.operands)
    if (operand.lanes != 0)
      addStream(transfers, shape, operand, tiling, numLanes, machine);
    else
      addRows(transfers, shape, operand, tiling, machine);
  double pages = 0;
  for (const KernelShape::Operand &operand : shape.operands)
    if (!operand.isPacked)
      pages += operand.pages;
  if (pages > kPages)
    transfers.waiting += shape.calls * tiles * pages * kPageCycles;
  // Sums that go on from one call to another are read from the result, and wait
  // for it.
  double ofResult =
      static_cast<double>(shape.rows) * shape.lanes * shape.resultBytes;
  Level held = getLevel(machine, shape.callsOfSum * ofResult, 1, 0);
  transfers.waiting += shape.calls * (1 - 1 / shape.outerSums) *
                       (2 * ofResult * getCycles(held) + tiles * kResumeCycles);
  double result = shape.resultElements * shape.resultBytes;
  if (result > kSharedL2 * machine.getL2())
    transfers.streaming +=
        result * (shape.resultLanes == 1 && tiling.vectorGroups > 1
                      ? kBrokenResultByte
                      : kResultByte);
  double overlapped = std::pow(std::pow(arithmetic, kOverlap) +
                                   std::pow(transfers.streaming, kOverlap),
                               1 / kOverlap);
  return overlapped + transfers.waiting;
}
