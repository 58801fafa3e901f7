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
// Cycles are those of arithmetic (the largest of what multiply-adds and loads
// need, and latency where accumulators are few), of each tile's beginning and
// end, and of bringing operands from the cache that holds them. Lanes beyond
// the end cost what others do.
//
//===----------------------------------------------------------------------===//

#include "ScheduleCost.h"

#include "CacheLevel.h"
#include "tileir/Dialect/Einsum/Analysis/Primitives.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace tileir::einsum;
using tileir::machine::CpuCosts;
using tileir::machine::kLineBytes;
using tileir::machine::kPageBytes;

/// The operations of a loop iteration: counting, comparing and pointers.
static constexpr double kLoopOps = 4;
/// The norm by which the latency of multiply-adds is added to their number.
static constexpr double kLatencyOverlap = 4;
/// Pointers of rows that general registers hold besides what a loop needs.
static constexpr double kPointers = 11;
/// Registers into which operands of the next step are loaded ahead.
static constexpr int64_t kAhead = 2;
/// Multiply-adds in one iteration beyond which code takes long to compile and
/// gains little, of few iterations and of many; and steps of a loop that is
/// none, of few iterations, and of an iteration. Of somewhat more than a few,
/// four are one if nothing is left then.
static constexpr int64_t kFewUnrolled = 96, kManyUnrolled = 24, kShortSum = 24,
                         kShortUnrolled = 192, kFewSteps = 32, kMostUnroll = 8,
                         kSomeSteps = 60, kSomeUnroll = 4;
/// Prefetched by tiles of as many rows, for each of which a vector is used.
static constexpr int64_t kPrefetchedRows = 4;
/// Bits of vectors of which multiply-adds broadcast elements from memory.
static constexpr int64_t kBroadcastBits = 512;
/// Groups of rows from which on it does not matter how the first one is read.
static constexpr int64_t kPrefetchedGroups = 2;
/// Steps of an iteration that share what is prefetched of a line.
static constexpr int64_t kPrefetchingUnroll = 4;

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
  // Other tiles find in the first cache what the first ones brought.
  bool isKept =
      ofCall <= machine.getL1() && shape.rows > kPrefetchedGroups * tile.rows;
  const CpuCosts &costs = machine.getCosts();
  return bytes > costs.prefetchedL2 * machine.getL2() && !isKept
             ? static_cast<int64_t>(costs.prefetchSteps)
             : 0;
}

namespace {
/// Elements along rows that steps of a window have in common.
struct Sharing {
  int64_t steps = 0;   ///< how far apart these steps are
  double elements = 0; ///< 0: they have none
};
} // namespace

/// What unrolled steps of a window share, which stays in registers: in some
/// later step, a row reads what another row reads now, a later one, or, where
/// the window is gone through backwards, an earlier one.
static Sharing getSharing(const KernelShape &shape,
                          const KernelShape::Operand &operand, double rows) {
  if (operand.isPacked || operand.isTabled() || operand.rows == 0 ||
      operand.sum == 0)
    return {};
  int64_t common = std::gcd(operand.rows, operand.sum),
          steps = std::abs(operand.rows / common),
          apart = std::abs(operand.sum / common);
  if (steps >= shape.innerSum)
    return {};
  return {steps, std::max<double>(0, rows - apart)};
}

int64_t tileir::einsum::chooseUnroll(const KernelShape &shape, KernelTile tile,
                                     MachineAttr machine) {
  // Groups are balanced: of 28 rows, none has more than 10 with tiles of 13.
  tile.rows =
      llvm::divideCeil(shape.rows, llvm::divideCeil(shape.rows, tile.rows));
  int64_t shared = 0;
  for (const KernelShape::Operand &operand : shape.operands)
    if (operand.lanes == 0)
      shared += getSharing(shape, operand, tile.rows).elements;
  if (shared && !fitsRegisters(tile.rows, tile.vectors, machine, shared))
    return 1;
  // Where no multiply-add broadcasts what it reads, LLVM adds to the register
  // of the broadcast if nothing else reads that, and sums change places.
  if (tile.vectors == 1 && machine.getVectorBits() < kBroadcastBits &&
      !fitsRegisters(tile.rows, 1, machine, tile.rows / 2))
    return 1;
  // Operands loaded ahead would push accumulators out of registers.
  int64_t corrections = shape.hasCorrections() ? tile.vectors : 0;
  if (!tile.prefetch &&
      !fitsRegisters(tile.rows, tile.vectors, machine, kAhead + corrections))
    return 1;
  int64_t steps = shape.getInnerSteps();
  // A short loop is all of it beginning and end; but within others, much code
  // gains nothing by that, and its operands do not stay in registers.
  if (steps <= kShortSum &&
      (shape.sums == shape.innerSum ||
       steps * tile.rows * tile.vectors <= kShortUnrolled))
    return steps;
  int64_t multiplyAdds = steps <= kFewSteps ? kFewUnrolled : kManyUnrolled;
  int64_t most = std::clamp<int64_t>(multiplyAdds / (tile.rows * tile.vectors),
                                     1, kMostUnroll);
  if (tile.prefetch)
    most = kPrefetchingUnroll;
  else if (steps > kFewSteps && steps <= kSomeSteps && steps % kSomeUnroll == 0)
    most = std::max(most, kSomeUnroll);
  // A remainder costs a loop of its own.
  for (int64_t unroll = most; unroll > 1; --unroll)
    if (steps % unroll == 0 && unroll * 2 > most)
      return unroll;
  return llvm::PowerOf2Ceil(most + 1) / 2;
}

/// Cycles of a step of `step` if nothing waits. Few accumulators wait for each
/// other, the less the more there are: not all of them start in the first cycle
/// that they could.
static double addLatency(double step, MachineAttr machine) {
  return std::pow(std::pow(step, kLatencyOverlap) +
                      std::pow(machine.getLatency(), kLatencyOverlap),
                  1 / kLatencyOverlap);
}

/// Operations on vectors by which one that is loaded becomes one of the
/// accumulator's type: it is widened, or broadcast from a general register, and
/// shifted.
static constexpr double kConversionOps = 2;

/// How many vectors are loaded for one along the lanes whose elements are a few
/// places apart, as the lowering to vectors does it; 1 for others.
static double getSpread(const KernelShape::Operand &operand) {
  bool isSpread =
      !operand.isPacked && operand.lanes > 1 && operand.lanes <= kMostStride;
  return isSpread ? operand.lanes : 1;
}

/// Whether elements of a vector along the lanes are loaded one by one.
static bool isGathered(const KernelShape::Operand &operand) {
  return operand.lanes != 0 && operand.lanes != 1 && !operand.isPacked &&
         getSpread(operand) == 1;
}

/// Cycles of adding up the lanes of so many vectors, about one for each
/// operation: two shuffles and an addition for two vectors, or two halves.
static double getLaneSumCycles(double vectors, int64_t numLanes) {
  double padded = std::exp2(std::ceil(std::log2(vectors)));
  return 3 * (padded - 1 + std::log2(numLanes / padded));
}

bool tileir::einsum::isDot(const KernelShape &shape) {
  return (shape.lanes == 1 || shape.isAlongSum) && shape.sums > 1 &&
         llvm::all_of(shape.operands, [&](const KernelShape::Operand &operand) {
           return operand.sum == 1 || (operand.rows == 0 && !shape.isAlongSum);
         });
}

/// Cycles of dot products of so many rows and lanes, operands in the first
/// cache.
static double getDotCycles(const KernelShape &shape, double rows, double lanes,
                           int64_t numLanes, MachineAttr machine,
                           const CpuCosts &costs) {
  double steps = static_cast<double>(shape.sums) / shape.innerSum *
                 llvm::divideCeil(shape.innerSum, numLanes * shape.groupSize);
  double dots = rows * lanes, loads = 0, conversions = 0;
  for (const KernelShape::Operand &operand : shape.operands) {
    double read =
        (operand.rows != 0 ? rows : 1) * (operand.lanes != 0 ? lanes : 1);
    loads += read;
    if (shape.groupSize == 1)
      conversions += operand.converts ? kConversionOps * read : 0;
    else if (shape.groupSize * operand.bytes < shape.panelBytes)
      conversions += read; // to i16
  }
  if (shape.hasCorrections())
    conversions += rows + lanes;
  double arithmetic = dots + conversions;
  double step =
      std::max({arithmetic / machine.getFma(), loads / costs.loadsPerCycle,
                (arithmetic + loads) / costs.opsPerCycle});
  return steps * addLatency(step, machine) + getLaneSumCycles(dots, numLanes) +
         costs.tileCycles;
}

/// Cycles of one tile of `rows` and `vectors`, operands in the first cache.
static double getTileCycles(const KernelShape &shape, const KernelTile &tile,
                            double rows, double vectors, int64_t numLanes,
                            MachineAttr machine, const CpuCosts &costs) {
  if (isDot(shape))
    return getDotCycles(shape, rows, vectors, numLanes, machine, costs);
  double sums = rows * vectors, loads = 0, splits = 0, conversions = 0;
  double multiplyAdds = sums + (shape.hasCorrections() ? vectors : 0);
  for (const KernelShape::Operand &operand : shape.operands) {
    double read =
        (operand.lanes != 0 ? vectors : 1) * (operand.rows != 0 ? rows : 1);
    if (Sharing sharing = getSharing(shape, operand, rows);
        tile.unroll > sharing.steps)
      read -= sharing.elements * (operand.lanes != 0 ? vectors : 1) *
              (tile.unroll - sharing.steps) / tile.unroll;
    // A vector that is part of two lines is two loads.
    double lines = 1;
    if (operand.lanes == 1 && !operand.isAligned && !operand.isPacked)
      lines += static_cast<double>((numLanes - 1) * operand.bytes) / kLineBytes;
    double spread = getSpread(operand);
    // Each half of pairs of bf16 that are no pairs in memory is a vector.
    bool makesPairs = shape.groupSize == 2 && operand.bytes == 2 &&
                      operand.lanes == 1 && !operand.isPacked;
    loads += read * (isGathered(operand) ? numLanes
                                         : lines * spread * (1 + makesPairs));
    // As what converts them, what takes elements of two vectors is arithmetic.
    conversions += read * (spread - 1);
    if (!isGathered(operand))
      splits += read * (lines - 1);
    // Entries of tables: of each row, and of the sum.
    bool hasRowTable = mlir::ShapedType::isDynamic(operand.rows),
         hasSumTable = mlir::ShapedType::isDynamic(operand.sum);
    if (operand.isTabled() && !operand.isPacked)
      loads += hasRowTable ? rows : 1;
    // A step that adds its offset to more pointers of rows than registers hold
    // has what it broadcasts stored and loaded again.
    if (hasRowTable && hasSumTable && !operand.isPacked && rows > kPointers)
      loads += 2 * read;
    if (operand.converts && !operand.isPacked)
      conversions += kConversionOps * read;
  }
  double loop = kLoopOps / std::max<int64_t>(tile.unroll, 1);
  double step = std::max(
      {(multiplyAdds + conversions) / machine.getFma(),
       loads / costs.loadsPerCycle,
       (multiplyAdds + conversions + loads + loop) / costs.opsPerCycle});
  if (shape.sums > 1)
    step = addLatency(step, machine);
  step += loads * costs.loadCycles + splits * costs.splitCycles;
  double store = sums / costs.storesPerCycle;
  if (shape.resultLanes != 1)
    store += sums * numLanes * costs.scatterElement;
  double late = std::max(0.0, sums - costs.overlappedAccumulators) *
                costs.lateAccumulator;
  double loops =
      tile.unroll < shape.getInnerSteps() ? shape.sums / shape.innerSum : 0;
  return shape.computed * (shape.getSteps() * step + loops * costs.loopCycles) +
         store + late + costs.tileCycles;
}

namespace {

/// Cycles besides those of arithmetic.
struct Transfers {
  /// Cycles of streams, which arithmetic may hide.
  double streaming = 0;
  /// Cycles of what arithmetic waits for, and of copies.
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

/// Bytes that a call reads of operands of which elements are broadcast.
static double getRowBytes(const KernelShape &shape) {
  double bytes = 0;
  for (const KernelShape::Operand &operand : shape.operands)
    if (operand.lanes == 0 && operand.rows != 0)
      bytes += shape.sums / operand.overlap * shape.rows * operand.bytes;
  return bytes;
}

/// Of a vector that is parts of rows, another part takes this share of a whole
/// vector's copy.
static constexpr double kRunShare = 0.3;

/// Cycles more for a byte of a column that is read by pieces, each in a page of
/// its own, if lines next to them do not stay: longer pieces are streams.
static double getLostByte(const KernelShape &shape, double piece,
                          int64_t stride, MachineAttr machine,
                          const CpuCosts &costs) {
  if (stride < kPageBytes || staysIn(machine.getL2(), costs.l2Way, 1,
                                     shape.sums, piece + kLineBytes, stride))
    return 0;
  double pairs = std::max(1.0, piece / (2 * kLineBytes));
  return costs.pieceCycles / (pairs * pairs * pairs * piece);
}

/// Adds what it takes to bring an operand that moves along the lanes.
static void addStream(Transfers &transfers, const KernelShape &shape,
                      const KernelShape::Operand &operand, const Tiling &tiling,
                      int64_t numLanes, MachineAttr machine,
                      const CpuCosts &costs) {
  bool isOfRows = operand.rows != 0;
  // Panels hold elements of the accumulator.
  double held = operand.isPacked
                    ? static_cast<double>(shape.panelBytes) / shape.groupSize
                    : operand.bytes;
  double sums = shape.computed * shape.sums / operand.overlap * held;
  double lanesOfTile =
      std::min<double>(shape.lanes, tiling.vectorsOfTile * numLanes);
  double ofTile = sums * lanesOfTile * (isOfRows ? tiling.rowsOfTile : 1);
  double ofCall = sums * shape.lanes * (isOfRows ? shape.rows : 1);
  double whole = operand.elements * operand.bytes;
  // Lines of a panel that is not packed are far apart.
  int64_t stride = 0;
  if (!operand.isPacked && !isOfRows && !shape.isAlongSum)
    stride =
        mlir::ShapedType::isDynamic(operand.sum)
            ? std::min<int64_t>(whole / shape.sums, kPageBytes + kLineBytes)
            : getBytes(operand.sum, operand.bytes);
  auto getRate = [&](double bytes, double lanes) {
    if (!stride)
      return getCycles(costs,
                       getLevel(machine, costs, bytes, 1, 0, costs.l2Share));
    double piece = lanes * operand.bytes, count = bytes / piece;
    // Lines that are read in part are held as a whole.
    if (!operand.isAligned)
      piece = std::min<double>(piece + kLineBytes, stride);
    return getCycles(
        costs, getLevel(machine, costs, count, piece, stride, costs.sharedL2));
  };
  // Groups of rows read what the one before did.
  double again =
      isOfRows ? 0 : ofTile * (tiling.rowGroups - 1) * tiling.vectorGroups;
  double rateAgain = getRate(ofTile, lanesOfTile);
  // Vectors along the sum read rows as a whole, once each, between: only where
  // both fit do lanes stay.
  if (shape.isAlongSum) {
    double ofBoth = ofTile + getRowBytes(shape) / tiling.rowGroups;
    rateAgain = ofBoth <= kDotShare * machine.getL1()
                    ? 0
                    : std::max(rateAgain, getCycles(costs, Level::L2));
  }
  transfers.streaming += shape.calls * again * rateAgain;
  if (rateAgain > 0 && !operand.isAligned && !operand.isPacked)
    transfers.waiting += shape.calls * again * costs.splitByte;
  // A call reads something new, or again what the one before it did.
  double isNew = std::min(operand.changes * ofCall,
                          operand.sweeps * operand.elements * held);
  double isKnown = shape.calls * ofCall - isNew;
  double rate = getRate(ofCall, shape.lanes);
  // What a call reads along rows comes between.
  transfers.streaming +=
      isKnown * getRate(ofCall + getRowBytes(shape), shape.lanes);
  Level home = getLevel(machine, costs, operand.isPacked ? ofCall : whole, 1, 0,
                        costs.l2Share);
  if (!operand.isPacked) {
    transfers.streaming += isNew * std::max(getCycles(costs, home), rate);
    if (home > Level::L2)
      transfers.waiting +=
          isNew * getLostByte(shape, lanesOfTile * operand.bytes, stride,
                              machine, costs);
    return;
  }
  double copy = costs.packElement;
  if (operand.lanes == 1)
    copy = held * costs.packByte;
  else if (operand.laneRun >= kLeastRun)
    copy = held * costs.packByte *
           (1 + kRunShare * static_cast<double>(numLanes) / operand.laneRun);
  else if (operand.sum == 1)
    copy = costs.transposeElement;
  copy += operand.bytes * getCycles(costs, getLevel(machine, costs, whole, 1, 0,
                                                    costs.l2Share));
  // A copy is written, and read again.
  double kept = 2 * held * getCycles(costs, home);
  if (ofCall >= costs.freshBuffer)
    kept += held * costs.freshByte;
  transfers.waiting +=
      operand.sweeps * operand.elements * operand.overlap * (copy + kept);
}

/// How many lines tables lead to for one of the steps of a sum.
static double getPlaces(const KernelShape &shape,
                        const KernelShape::Operand &operand) {
  if (!operand.isLookedUp)
    return 1;
  double step = std::max<int64_t>(getBytes(operand.plainSum, operand.bytes), 1);
  double ofLine = std::min<double>(kLineBytes / step, shape.innerSum);
  int64_t places = operand.hasNeighbors ? kTabledPlacesOfRow : kTabledPlaces;
  return std::clamp(ofLine, 1.0, static_cast<double>(places));
}

/// Cycles for each element that is read along rows, besides bringing it, if the
/// lines of a tile push each other out of the first cache before the next steps
/// read more of them.
static double getRowElement(const KernelShape &shape,
                            const KernelShape::Operand &operand, double rows,
                            MachineAttr machine, const CpuCosts &costs) {
  int64_t stride = getBytes(operand.rowIndex, operand.bytes);
  bool stays = stride < kLineBytes || shape.isAlongSum ||
               staysIn(machine.getL1(), costs.l1Way, 1,
                       rows * getPlaces(shape, operand), kLineBytes, stride);
  return stays ? 0 : costs.conflict;
}

/// How many times as many bytes as are read are in the lines that hold them:
/// more than 1 where rows and the innermost sum lead to short pieces, and where
/// tables lead elements of one line to several ones.
static double getLineFactor(const KernelShape &shape,
                            const KernelShape::Operand &operand) {
  if (operand.isPacked)
    return 1;
  double piece = operand.bytes;
  for (auto [stride, size] : {std::pair(operand.rowIndex, shape.rows),
                              std::pair(operand.plainSum, shape.innerSum)})
    if (int64_t step = getBytes(stride, operand.bytes); step < kLineBytes)
      piece += step * static_cast<double>(size - 1);
  return std::max(1.0, kLineBytes / piece) * getPlaces(shape, operand);
}

/// Adds what it takes to bring an operand of which elements are broadcast.
static void addRows(Transfers &transfers, const KernelShape &shape,
                    const KernelShape::Operand &operand, const Tiling &tiling,
                    MachineAttr machine, const CpuCosts &costs) {
  double rows = operand.rows != 0 ? shape.rows : 1;
  double ofCall =
      shape.computed * shape.sums / operand.overlap * rows * operand.bytes;
  double whole = operand.elements * operand.bytes;
  if (ofCall < whole)
    ofCall = std::min(ofCall * getLineFactor(shape, operand), whole);
  double isNew = std::min(operand.changes * ofCall, operand.sweeps * whole);
  // Each group of vectors reads what the one before did.
  double isKnown = shape.calls * ofCall * tiling.vectorGroups - isNew;
  // Nothing fetches ahead where tables tell what is next, but where each row
  // is in pages of its own, which the next tiles go on in.
  bool isInPages = getBytes(operand.rowIndex, operand.bytes) >= kPageBytes;
  auto getRate = [&](double bytes, bool isLookedUp) {
    Level level = getLevel(machine, costs, bytes, 1, 0, costs.sharedL2);
    return isLookedUp && !isInPages && level == Level::Memory
               ? costs.tabledByteFromMemory
               : getCycles(costs, level, /*isStream=*/false);
  };
  double newBytes = whole, knownBytes = ofCall;
  // What is read along lanes and written meanwhile comes between.
  if (operand.isLookedUp) {
    newBytes += shape.resultElements * shape.resultBytes;
    double ofGroup = static_cast<double>(shape.lanes) / tiling.vectorGroups;
    knownBytes +=
        ofGroup * (shape.rows * shape.resultBytes +
                   static_cast<double>(shape.sums) * shape.panelBytes);
  }
  transfers.waiting +=
      isNew * getRate(newBytes, operand.isLookedUp) +
      isKnown * getRate(knownBytes, operand.isLookedUp && !operand.isPacked);
  if (!operand.isPacked)
    transfers.waiting +=
        shape.calls * tiling.vectorGroups * shape.sums * rows *
        getRowElement(shape, operand, tiling.rowsOfTile, machine, costs);
  if (operand.isPacked)
    transfers.waiting +=
        operand.sweeps * operand.elements * operand.overlap * costs.packElement;
}

/// Pages that prefetchers follow at once to write them: as many that it is
/// worth something, and not more than they can.
static constexpr int64_t kFewestStreams = 4, kMostStreams = 8;

/// Cycles to write a byte of the result.
static double getResultByte(const KernelShape &shape, const Tiling &tiling,
                            int64_t numLanes, MachineAttr machine,
                            const CpuCosts &costs) {
  double bytes = shape.resultElements * shape.resultBytes;
  if (bytes <= costs.sharedL2 * machine.getL2())
    return 0;
  if (shape.resultLanes != 1)
    return costs.resultByte;
  double piece = tiling.vectorsOfTile * numLanes * shape.resultBytes;
  if (machine.streams(bytes) && shape.isResultAligned && shape.outerSums == 1)
    return costs.streamedByte +
           (tiling.vectorGroups > 1 ? costs.streamedPiece / piece : 0);
  // A kernel of one row of tiles goes on, call by call, in each row.
  if (tiling.rowGroups == 1 && shape.rows >= kFewestStreams &&
      shape.rows <= kMostStreams &&
      getBytes(shape.resultRows, shape.resultBytes) >= kPageBytes)
    return costs.streamsByte;
  if (tiling.vectorGroups == 1)
    return costs.resultByte;
  return std::max(costs.resultByte, costs.resultPiece / piece);
}

double tileir::einsum::estimateCycles(const KernelShape &shape,
                                      const KernelTile &tile, int64_t numLanes,
                                      MachineAttr machine) {
  const CpuCosts &costs = machine.getCosts();
  // Lanes along the sum are vectors of their own.
  int64_t ofVector = shape.isAlongSum ? 1 : numLanes;
  Tiling tiling(shape, tile, ofVector);
  double tiles = static_cast<double>(tiling.rowGroups) * tiling.vectorGroups;
  double ofTile = getTileCycles(shape, tile, tiling.rowsOfTile,
                                tiling.vectorsOfTile, numLanes, machine, costs);
  bool hasUnevenRows = shape.rows % tiling.rowGroups != 0,
       hasUnevenVectors = tiling.vectors % tiling.vectorGroups != 0;
  double arithmetic = shape.calls * (costs.callCycles + tiles * ofTile) *
                      (1 + costs.uneven * (hasUnevenRows + hasUnevenVectors));

  Transfers transfers;
  for (const KernelShape::Operand &operand : shape.operands)
    if (operand.lanes != 0)
      addStream(transfers, shape, operand, tiling, ofVector, machine, costs);
    else
      addRows(transfers, shape, operand, tiling, machine, costs);
  double pages = 0;
  for (const KernelShape::Operand &operand : shape.operands)
    if (!operand.isPacked)
      pages += operand.pages;
  if (pages > costs.pages)
    transfers.waiting += shape.calls * tiles * pages * costs.pageCycles;
  // Sums that go on from one call to another are read from the result, and wait
  // for it.
  double ofResult =
      static_cast<double>(shape.rows) * shape.lanes * shape.resultBytes;
  Level held = getLevel(machine, costs, shape.callsOfSum * ofResult, 1, 0,
                        costs.l2Share);
  transfers.waiting +=
      shape.calls * (1 - 1 / shape.outerSums) *
      (2 * ofResult * getCycles(costs, held) + tiles * costs.resumeCycles);
  double result = shape.resultElements * shape.resultBytes;
  transfers.streaming +=
      result * getResultByte(shape, tiling, ofVector, machine, costs);
  double overlapped = std::pow(std::pow(arithmetic, costs.overlap) +
                                   std::pow(transfers.streaming, costs.overlap),
                               1 / costs.overlap);
  return overlapped + transfers.waiting;
}
