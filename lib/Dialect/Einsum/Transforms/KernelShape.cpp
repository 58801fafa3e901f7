//===- KernelShape.cpp - What a schedule looks like to the cost model -----===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums up a schedule: how often its kernel runs, how far that moves in each
// operand, and how much of what it reads was read before.
//
//===----------------------------------------------------------------------===//

#include "ScheduleCost.h"
#include "ScheduleSteps.h"

#include "tileir/Dialect/Einsum/Analysis/OperandAccess.h"
#include "tileir/Dialect/Einsum/Analysis/StagedOperand.h"
#include "tileir/Dialect/Einsum/IR/IndexSizes.h"

#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <map>

using namespace mlir;
using namespace tileir::einsum;
using tileir::machine::kLineBytes;
using tileir::machine::kPageBytes;

/// The dimension of the microkernel that is not summed and not the lanes.
static LoopDim getRows(const ScheduleParts &parts, const LoopDim &lanes) {
  for (const LoopDim &dim : parts.dims)
    if (dim.getExec() == Execution::Prim && !dim.isSummed() && dim != lanes)
      return dim;
  return {};
}

/// The dimension that the lanes of dot products along a sum go over, as the
/// lowering chooses it; null if there are rows alone.
static LoopDim getDotLanes(const ScheduleParts &parts) {
  SmallVector<LoopDim> kept =
      llvm::filter_to_vector(parts.dims, [](const LoopDim &dim) {
        return dim.getExec() == Execution::Prim && !dim.isSummed();
      });
  if (kept.size() < 2)
    return {};
  for (const LoopDim &dim : llvm::reverse(kept))
    if (dim.getResultStride() == 1)
      return dim;
  return kept.back();
}

/// How often the loops `dims` read each element of operand `operand`, on
/// average. Dimensions that move by the same stride go over the same elements,
/// and those that move by less than others span, partly.
static double getOverlap(ArrayRef<LoopDim> dims, unsigned operand) {
  std::map<int64_t, int64_t> sizes; // by stride
  double reads = 1;
  for (const LoopDim &dim : dims) {
    int64_t stride = dim.getStrides()[operand];
    if (stride == 0 || ShapedType::isDynamic(stride))
      continue;
    reads *= dim.getSize();
    int64_t &size = sizes.try_emplace(std::abs(stride), 1).first->second;
    size += dim.getSize() - 1;
  }
  double elements = 1, span = 1;
  for (auto [stride, size] : sizes) {
    double grown = span + static_cast<double>(size - 1) * stride;
    elements *= stride < span ? grown / span : size;
    span = grown;
  }
  return reads / elements;
}

/// Sets `plain` to how far a step of the innermost index of `dim` moves in
/// operand `operand` of `op`, if tables led all of its values to the same
/// place. Returns whether they lead to others.
static bool isLookedUp(ContractOp op, const LoopDim &dim, unsigned operand,
                       int64_t &plain) {
  OperandAccess access(op, getStaticIndexSizes(op), operand);
  unsigned index = getIndices(op.getSpec(), dim.getDim()).front();
  plain = access.getPlainStride(index).value_or(0) * dim.getStep();
  return !access.getAdvance(index);
}

/// How many values of `dim` follow each other by one in operand `operand`, from
/// multiples of that number on.
static int64_t getRun(ContractOp op, const LoopDim &dim, unsigned operand) {
  SmallVector<int64_t> sizes = getStaticIndexSizes(op);
  unsigned index = getIndices(op.getSpec(), dim.getDim()).front();
  OperandAccess access(op, sizes, operand);
  return dim.getStep() == 1 && access.getStride(index) == 1 ? sizes[index] : 1;
}

/// How many pages the loops `sums` of `op` go through in operand `operand`, of
/// which elements have `bytes`. Tables lead to some places around each of those
/// where an index stands by itself.
static double getPages(ContractOp op, ArrayRef<LoopDim> sums, unsigned operand,
                       int64_t bytes) {
  double pages = 1, span = 0;
  for (const LoopDim &dim : sums) {
    int64_t stride = dim.getStrides()[operand];
    bool isTabled =
        ShapedType::isDynamic(stride) && isLookedUp(op, dim, operand, stride);
    if (std::abs(stride) * bytes >= kPageBytes)
      pages *= dim.getSize();
    else if (isTabled)
      pages *= std::min<double>(kTabledPlacesOfRow, dim.getSize());
    if (std::abs(stride) * bytes < kPageBytes)
      span += static_cast<double>(std::abs(stride)) * bytes * dim.getSize();
  }
  return pages * std::max(span / kPageBytes, 1.0);
}

/// Whether a step moves by whole lines of a cache.
static bool isWholeLines(int64_t stride, int64_t bytes) {
  return !ShapedType::isDynamic(stride) && stride * bytes % kLineBytes == 0;
}

/// As the lowering groups steps of `sums`, those of the kernel.
static void setGroupedSum(KernelShape &shape, ArrayRef<LoopDim> sums) {
  int64_t held = kLineBytes / shape.operands.front().bytes; // by a register
  auto getPadding = [&](const LoopDim &dim) {
    return static_cast<double>(llvm::alignTo(dim.getSize(), held)) /
           dim.getSize();
  };
  const LoopDim *best = nullptr;
  for (const LoopDim &dim : llvm::reverse(sums))
    if (!best || getPadding(dim) < getPadding(*best))
      best = &dim;
  if (!best)
    return;
  shape.groupedSum = best->getSize();
  for (auto [i, operand] : llvm::enumerate(shape.operands))
    operand.grouped = best->getStrides()[i];
}

double tileir::einsum::getComputedShare(ContractOp op,
                                        const ScheduleParts &parts) {
  double share = 1;
  for (unsigned operand = 0; operand < op.getInputs().size(); ++operand) {
    if (!getPadding(op, operand))
      continue;
    ScheduleAttr schedule = parts.get();
    for (const BorderSteps &steps : getBorderSteps(op, schedule, operand)) {
      bool isInnermost =
          llvm::none_of(ArrayRef(parts.dims).drop_front(steps.dim + 1),
                        [](const LoopDim &dim) { return dim.isSummed(); });
      if (!isInnermost)
        share *= getShareInside(steps, schedule);
    }
  }
  return share;
}

KernelShape tileir::einsum::getKernelShape(ContractOp op,
                                           const ScheduleParts &parts) {
  KernelShape shape;
  shape.groupSize = getGroupSize(op, MachineAttr::find(op));
  ArrayRef<LoopDim> kernel =
      ArrayRef(parts.dims).take_back(parts.count(Execution::Prim));
  SmallVector<LoopDim> sums = llvm::filter_to_vector(
      kernel, [](const LoopDim &dim) { return dim.isSummed(); });
  for (auto [i, input] : llvm::enumerate(op.getInputs())) {
    auto type = cast<ShapedType>(input.getType());
    KernelShape::Operand &operand = shape.operands.emplace_back();
    operand.bytes = llvm::divideCeil(type.getElementTypeBitWidth(), 8);
    operand.converts = type.getElementType() != op.getAccumulatorType();
    operand.elements = type.getNumElements();
    operand.overlap = getOverlap(kernel, i);
    operand.pages =
        std::min(getPages(op, sums, i, operand.bytes),
                 std::ceil(operand.elements * operand.bytes / kPageBytes));
  }
  if (!sums.empty())
    for (auto [i, operand] : llvm::enumerate(shape.operands))
      operand.isLookedUp = isLookedUp(op, sums.back(), i, operand.plainSum);
  setGroupedSum(shape, sums);
  LoopDim vectors = getLanes(parts), lanes = vectors;
  if (lanes && lanes.isSummed()) {
    lanes = getDotLanes(parts);
    shape.isAlongSum = bool(lanes);
  }
  LoopDim rows = getRows(parts, lanes);
  if (lanes) {
    shape.lanes = lanes.getSize();
    shape.resultLanes = lanes.getResultStride();
  }
  if (rows) {
    shape.rows = rows.getSize();
    shape.resultRows = rows.getResultStride();
    auto index = DimAttr::get(op.getContext(), rows.getIndices().take_back(),
                              Execution::Prim, /*size=*/1, rows.getStep());
    LoopDim innermost = getLoopDims(op, index).front();
    SpecAttr spec = op.getSpec();
    unsigned number = getIndices(spec, index).front();
    for (auto [i, operand] : llvm::enumerate(shape.operands)) {
      operand.rowIndex = innermost.getStrides()[i];
      operand.hasNeighbors =
          llvm::any_of(spec.getMaps()[i].getResults(), [&](AffineExpr axis) {
            return spec.usesTable(axis) && spec.usesIndex(axis, number);
          });
    }
  }
  shape.resultBytes =
      llvm::divideCeil(op.getOutputType().getElementTypeBitWidth(), 8);
  shape.panelBytes =
      llvm::divideCeil(op.getAccumulatorType().getIntOrFloatBitWidth(), 8);
  shape.resultElements = op.getOutputType().getNumElements();
  SmallVector<double> moves(shape.operands.size(), 1);
  for (const LoopDim &dim : parts.dims) {
    bool isKernel = dim.getExec() == Execution::Prim;
    bool isSum = dim.isSummed();
    double size = dim.getSize();
    if (!isKernel)
      shape.calls *= size;
    if (dim != lanes && size > 1 &&
        !isWholeLines(dim.getResultStride(), shape.resultBytes))
      shape.isResultAligned = false;
    for (auto [i, operand] : llvm::enumerate(shape.operands)) {
      int64_t stride = dim.getStrides()[i];
      if (stride != 0)
        operand.asked *= size;
      if (dim != vectors && size > 1 && !isWholeLines(stride, operand.bytes))
        operand.isAligned = false;
      if (isKernel && dim == lanes) {
        operand.lanes = stride;
        if (ShapedType::isDynamic(stride))
          operand.laneRun = getRun(op, dim, i);
      } else if (isKernel && dim == rows) {
        operand.rows = stride;
      } else if (isKernel) {
        operand.sum = stride;
      } else if (stride != 0 && size > 1) {
        moves[i] *= size;
        operand.changes = shape.calls;
        operand.sweeps = shape.calls / moves[i];
      }
    }
    if (isKernel && isSum) {
      shape.sums *= dim.getSize();
      shape.innerSum = dim.getSize();
    } else if (isSum) {
      shape.outerSums *= size;
      shape.callsOfSum = 1;
    } else if (!isKernel) {
      shape.callsOfSum *= size;
    }
  }
  // Pairs of bf16 that lie side by side are read as they are.
  if (shape.groupSize > 1 && op.getAccumulatorType().isF32())
    for (KernelShape::Operand &operand : shape.operands)
      operand.converts &= operand.sum != 1 || operand.lanes != 0 ||
                          shape.innerSum % shape.groupSize != 0;
  return shape;
}
