//===- MatrixCost.cpp - What a kernel of a matrix unit costs --------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The kernel goes over groups of rows, within these over groups of vectors, and
// within these over the sum:
//
//   for each group of rows: for each group of vectors: for each summed step:
//     load a register for 16 rows, and for a vector; multiply all of them
//
// So the rows of a group stay in the first cache, if that holds them, and the
// operand of the lanes streams from the cache that holds all of it. Copies are
// those of elements, not of what they are converted to.
//
//===----------------------------------------------------------------------===//

#include "CacheLevel.h"
#include "ScheduleCost.h"
#include "tileir/Dialect/Einsum/Analysis/Primitives.h"
#include "tileir/Dialect/Einsum/IR/Schedule.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace tileir::einsum;
using tileir::machine::CpuCosts;
using tileir::machine::kPageBytes;

/// Bytes of a row of a register.
static constexpr int64_t kRowBytes = 64;

bool tileir::einsum::isMatrixShape(const KernelShape &shape) {
  const auto &operands = shape.operands;
  return operands.size() == 2 &&
         llvm::all_of(operands,
                      [](const auto &it) {
                        return (it.lanes != 0) != (it.rows != 0);
                      }) &&
         (operands[0].lanes != 0) != (operands[1].lanes != 0);
}

bool tileir::einsum::isMatrixInPlace(const KernelShape &shape,
                                     const KernelShape::Operand &operand) {
  return operand.lanes == 0 && operand.grouped == 1 && !operand.isTabled() &&
         shape.groupedSum * operand.bytes % kRowBytes == 0 &&
         shape.rows >= kMatrixRows;
}

namespace {
/// The registers of a kernel.
struct Registers {
  Registers(const KernelShape &shape, const KernelTile &tile)
      : blocks(llvm::divideCeil(shape.rows, kMatrixRows)),
        vectors(llvm::divideCeil(shape.lanes, kMatrixLanes)),
        rowGroups(llvm::divideCeil(
            blocks, std::max<int64_t>(tile.rows / kMatrixRows, 1))),
        vectorGroups(llvm::divideCeil(vectors, tile.vectors)),
        blocksOfTile(static_cast<double>(blocks) / rowGroups),
        vectorsOfTile(static_cast<double>(vectors) / vectorGroups) {
    int64_t elements = kRowBytes / shape.operands.front().bytes;
    steps = static_cast<double>(shape.sums) / shape.groupedSum *
            llvm::divideCeil(shape.groupedSum, elements);
  }

  int64_t blocks, vectors, rowGroups, vectorGroups;
  double blocksOfTile, vectorsOfTile;
  double steps; ///< products of a register
};
} // namespace

/// Cycles to make the copy of `operand`, of which a call reads `ofCall` bytes.
static double getPackCycles(const KernelShape &shape,
                            const KernelShape::Operand &operand, double ofCall,
                            MachineAttr machine, const CpuCosts &costs) {
  double bytes = operand.elements * operand.overlap * operand.bytes;
  Level from = getLevel(machine, costs, operand.elements * operand.bytes, 1, 0,
                        costs.l2Share);
  // What the lanes read comes between rows that are written and read.
  Level to = getLevel(machine, costs, ofCall, 1, 0,
                      operand.lanes != 0 ? costs.l2Share : costs.sharedL2);
  double ofByte = getCycles(costs, from) + 2 * getCycles(costs, to);
  // Blocks are transposed where memory has them in another order.
  int64_t along = operand.lanes != 0 ? operand.lanes : operand.rows;
  bool hasGroups = operand.lanes == 0;
  if (operand.grouped == 1 || along == 1)
    ofByte += (operand.grouped == 1) == hasGroups
                  ? costs.packByte
                  : costs.packByte + costs.transposeElement / 4;
  else
    ofByte += (operand.grouped <= kMostNarrowStride ? costs.matrixSpread
                                                    : costs.matrixGather) /
              operand.bytes;
  return operand.sweeps * bytes * ofByte;
}

/// Cycles of a byte that registers load.
static double getLoadCycles(const CpuCosts &costs, Level level) {
  return level == Level::L2 ? 1 / costs.matrixBytesFromL2
                            : getCycles(costs, level);
}

double tileir::einsum::estimateMatrixCycles(const KernelShape &shape,
                                            const KernelTile &tile,
                                            MachineAttr machine) {
  const CpuCosts &costs = machine.getCosts();
  Registers held(shape, tile);
  double products = held.blocksOfTile * held.vectorsOfTile;
  double step =
      std::max({products * costs.matrixProduct, costs.matrixLatency,
                (held.blocksOfTile + held.vectorsOfTile) * costs.matrixLoad});
  double ofRegister = held.steps * kMatrixRows * kRowBytes;
  double ofRows = ofRegister * held.blocksOfTile,
         ofLanes = ofRegister * held.vectors;

  double waiting = 0, again = 0, first = 0, split = 0;
  for (const KernelShape::Operand &operand : shape.operands) {
    bool isOfRows = operand.lanes == 0;
    double ofCall =
        isOfRows ? ofRegister * held.blocks : ofRegister * held.vectors;
    if (operand.isPacked)
      waiting += getPackCycles(shape, operand, ofCall, machine, costs);
    Level home =
        getLevel(machine, costs,
                 operand.isPacked ? ofCall : operand.elements * operand.bytes,
                 1, 0, costs.l2Share);
    if (!isOfRows) {
      again += ofLanes / held.vectorGroups * getLoadCycles(costs, home);
      continue;
    }
    // Each group of vectors loads the rows again. Rows far apart share places
    // of the first cache.
    double ofFirst = getLoadCycles(costs, home);
    int64_t stride =
        operand.isPacked ? 0 : std::abs(operand.rows) * operand.bytes;
    if (stride >= kPageBytes)
      ofFirst *= costs.matrixFarRows;
    first += ofRows * ofFirst;
    if (!staysIn(machine.getL1(), costs.l1Way, costs.matrixL1Share,
                 held.blocksOfTile * kMatrixRows, held.steps * kRowBytes,
                 stride))
      again += ofRows * getLoadCycles(costs, Level::L2);
    // Callers' memory need not begin where lines do.
    if (!operand.isPacked)
      split = held.blocksOfTile * costs.matrixSplit;
  }
  double arithmetic = held.steps * (step + split);
  double ofTile = std::pow(std::pow(arithmetic, costs.overlap) +
                               std::pow(again, costs.overlap),
                           1 / costs.overlap) +
                  costs.tileCycles + products * kMatrixRows * costs.matrixStore;
  if (shape.resultBytes != shape.panelBytes ||
      shape.lanes % kMatrixLanes != 0 || shape.rows % kMatrixRows != 0)
    ofTile += products * kMatrixRows * costs.matrixConvert;
  double calls = shape.calls;
  double cycles =
      calls * (costs.callCycles +
               held.rowGroups * (first + held.vectorGroups * ofTile)) +
      waiting;
  // Sums that go on are registers in memory.
  double ofSums = held.blocks * held.vectors * kMatrixRows * kRowBytes;
  Level sums =
      getLevel(machine, costs, shape.callsOfSum * ofSums, 1, 0, costs.l2Share);
  cycles +=
      calls * (1 - 1 / shape.outerSums) * 2 * ofSums * getCycles(costs, sums);
  // The others are written by vectors, or one by one.
  double result = shape.resultElements * shape.resultBytes;
  if (result > costs.sharedL2 * machine.getL2())
    cycles += result * costs.resultByte;
  if (shape.resultLanes != 1)
    cycles += shape.resultElements * costs.scatterElement;
  return cycles;
}
