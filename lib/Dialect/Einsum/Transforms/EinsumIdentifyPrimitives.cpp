//===- EinsumIdentifyPrimitives.cpp - einsum-identify-primitives ----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chooses by fixed rules which dimensions form the kernel:
//
// - lanes, along vectors: the largest dimension with stride 1 in the result, so
//   that results are stored by whole vectors;
// - rows: for a product, one that moves only the other operand, so that each
//   vector that is loaded is used once per row; for a copy that transposes,
//   the one with stride 1 in the operand; otherwise, and of several, the one
//   with the smallest stride;
// - all summed dimensions, so that a block of the result is stored once. Two or
//   more of a product are a batch-reduce GEMM.
//
//===----------------------------------------------------------------------===//

#include "ScheduleSteps.h"
#include "tileir/Dialect/Einsum/Transforms/Passes.h"

namespace tileir::einsum {
#define GEN_PASS_DEF_EINSUMIDENTIFYPRIMITIVESPASS
#include "tileir/Dialect/Einsum/Transforms/Passes.h.inc"
} // namespace tileir::einsum

using namespace mlir;
using namespace tileir::einsum;

/// A stride as a key: what moves by no one number comes last.
static int64_t getKey(int64_t stride) {
  return ShapedType::isDynamic(stride) ? std::numeric_limits<int64_t>::max()
                                       : std::abs(stride);
}

SmallVector<LoopDim> tileir::einsum::getOpenDims(const ScheduleParts &parts) {
  SmallVector<LoopDim> open =
      llvm::filter_to_vector(parts.dims, [](const LoopDim &dim) {
        return dim.getExec() == Execution::Seq && !dim.isSummed();
      });
  auto isLoop = [](const LoopDim &dim) { return dim.getSize() > 1; };
  if (llvm::any_of(open, isLoop))
    llvm::erase_if(open, [&](const LoopDim &dim) { return !isLoop(dim); });
  else
    open.truncate(std::min<size_t>(open.size(), 1));
  return open;
}

std::string tileir::einsum::getKernelFailureReason(ContractOp op,
                                                   ArrayRef<LoopDim> open,
                                                   ArrayRef<LoopDim> sums) {
  return open.empty() && sums.empty() ? "all of its dimensions are parallel"
                                      : "";
}

LoopDim tileir::einsum::findLanes(ArrayRef<LoopDim> open) {
  if (open.empty())
    return {};
  return *llvm::min_element(open, [](const LoopDim &a, const LoopDim &b) {
    return std::make_pair(getKey(a.getResultStride()), -a.getSize()) <
           std::make_pair(getKey(b.getResultStride()), -b.getSize());
  });
}

LoopDim tileir::einsum::findRows(ContractOp op, ArrayRef<LoopDim> open,
                                 const LoopDim &lanes) {
  unsigned numInputs = op.getInputs().size();
  bool sums = op.getSpec().getNumIndices() > op.getSpec().getNumResultIndices();
  auto rank = [&](const LoopDim &dim) {
    // Whether the dimension leaves the operand alone that lanes move. Without
    // such ones, rows are what the operand follows, where lanes are not; else
    // the result is written in its order.
    bool isOther = false;
    int64_t stride = getKey(dim.getResultStride());
    if (numInputs == 2 && sums)
      for (unsigned i = 0; i < 2; ++i)
        isOther |= lanes.getStrides()[i] != 0 && dim.getStrides()[i] == 0;
    else if (getKey(lanes.getStrides().front()) != 1)
      stride = getKey(dim.getStrides().front());
    return std::make_pair(!isOther, stride);
  };
  LoopDim rows;
  for (const LoopDim &dim : open)
    if (dim != lanes && (!rows || rank(dim) < rank(rows)))
      rows = dim;
  return rows;
}

/// The order in which a kernel goes through summed dimensions: those with large
/// strides first.
static void sortSums(MutableArrayRef<LoopDim> sums) {
  auto key = [](const LoopDim &dim) {
    int64_t largest = 0;
    for (int64_t stride : dim.getStrides())
      largest = std::max(largest, getKey(stride));
    return std::make_tuple(-largest, dim.getSize(), dim.getIndices());
  };
  llvm::sort(sums, [&](const LoopDim &a, const LoopDim &b) {
    return key(a) < key(b);
  });
}

SmallVector<LoopDim> tileir::einsum::getKernelSums(ContractOp op,
                                                   const ScheduleParts &parts,
                                                   int64_t maxSums) {
  SmallVector<LoopDim> sums = llvm::filter_to_vector(
      parts.dims, [](const LoopDim &dim) { return dim.isSummed(); });
  sortSums(sums);
  // A loop over one value is none: the kernel is simpler without it.
  SmallVector<LoopDim> kernel = llvm::filter_to_vector(
      sums, [](const LoopDim &dim) { return dim.getSize() > 1; });
  if (kernel.empty())
    kernel.append(sums.end() - std::min<size_t>(sums.size(), 1), sums.end());
  if (op.getInputs().size() == 1)
    maxSums = 1; // C24
  if (maxSums > 0 && static_cast<int64_t>(kernel.size()) > maxSums)
    kernel.erase(kernel.begin(), kernel.end() - maxSums);
  return kernel;
}

void tileir::einsum::formKernel(ScheduleParts &parts, const LoopDim &lanes,
                                const LoopDim &rows, ArrayRef<LoopDim> sums) {
  SmallVector<LoopDim> kernel;
  for (const LoopDim &dim : {rows, lanes})
    if (dim)
      kernel.push_back(dim);
  llvm::append_range(kernel, sums);
  llvm::erase_if(parts.dims, [&](const LoopDim &dim) {
    return llvm::is_contained(kernel, dim);
  });
  for (const LoopDim &dim : kernel)
    parts.dims.push_back(dim.withExecution(Execution::Prim));
  parts.lanes = lanes ? lanes.withExecution(Execution::Prim) : LoopDim();
}

ScheduleAttr tileir::einsum::identifyPrimitives(ContractOp op,
                                                ScheduleAttr schedule,
                                                int64_t maxSums,
                                                std::string &reason) {
  ScheduleParts parts(op, schedule);
  if (parts.hasKernel()) {
    reason = "it has prim dimensions already";
    return schedule;
  }
  SmallVector<LoopDim> open = getOpenDims(parts);
  SmallVector<LoopDim> sums = getKernelSums(op, parts, maxSums);
  reason = getKernelFailureReason(op, open, sums);
  if (!reason.empty())
    return schedule;
  LoopDim lanes = findLanes(open);
  LoopDim rows = lanes ? findRows(op, open, lanes) : LoopDim();
  formKernel(parts, lanes, rows, sums);
  return parts.get();
}

namespace {

struct EinsumIdentifyPrimitivesPass
    : tileir::einsum::impl::EinsumIdentifyPrimitivesPassBase<
          EinsumIdentifyPrimitivesPass> {
  using EinsumIdentifyPrimitivesPassBase::EinsumIdentifyPrimitivesPassBase;

  void runOnOperation() override {
    if (maxSums < 0) {
      getOperation()->emitError("einsum-identify-primitives expects max-sums "
                                "to be 0 or more, found ")
          << maxSums.getValue();
      return signalPassFailure();
    }
    numIdentified += applyScheduleStep(
        getOperation(), getArgument(),
        [&](ContractOp op, ScheduleAttr schedule, std::string &reason) {
          return identifyPrimitives(op, schedule, maxSums, reason);
        });
  }
};

} // namespace
