//===- EinsumSplitDims.cpp - einsum-split-dims ----------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The inner part of a dimension is the largest multiple of what kernels prefer
// that divides the dimension, where it has no more than the largest size and
// neither part has less than the smallest. What kernels prefer is tried from
// the best to the worst: a vector of the lanes, its halves, 4, 2, 1.
//
//===----------------------------------------------------------------------===//

#include "ScheduleSteps.h"
#include "tileir/Dialect/Einsum/Transforms/Passes.h"

namespace tileir::einsum {
#define GEN_PASS_DEF_EINSUMSPLITDIMSPASS
#include "tileir/Dialect/Einsum/Transforms/Passes.h.inc"
} // namespace tileir::einsum

using namespace mlir;
using namespace tileir::einsum;

/// The largest multiple of `preferred` that divides `size`, is at most `most`,
/// and is at least `least`, as is what it is multiplied by; 0 if there is none.
static int64_t findInner(int64_t size, int64_t preferred, int64_t least,
                         int64_t most) {
  for (int64_t inner = most / preferred * preferred; inner >= preferred;
       inner -= preferred)
    if (size % inner == 0 && inner >= least && size / inner >= least)
      return inner;
  return 0;
}

/// The inner part of `dim`, or 0 if it does not split.
static int64_t findSplit(const LoopDim &dim, int64_t numLanes, int64_t least,
                         int64_t most) {
  int64_t best =
      dim.getResultStride() == 1 ? std::max<int64_t>(numLanes, 4) : 4;
  // Parts of 1 are none.
  least = std::max<int64_t>(least, 2);
  for (int64_t preferred = best; preferred > 0; preferred /= 2)
    if (int64_t inner = findInner(dim.getSize(), preferred, least, most))
      return inner;
  return 0;
}

namespace {

struct EinsumSplitDimsPass
    : tileir::einsum::impl::EinsumSplitDimsPassBase<EinsumSplitDimsPass> {
  using EinsumSplitDimsPassBase::EinsumSplitDimsPassBase;

  void runOnOperation() override {
    if (minKernelSize < 1 || maxKernelSize < minKernelSize) {
      getOperation()->emitError("einsum-split-dims expects min-kernel-size to "
                                "be positive and max-kernel-size to be no "
                                "less, found ")
          << minKernelSize.getValue() << " and " << maxKernelSize.getValue();
      return signalPassFailure();
    }
    applyScheduleStep(
        getOperation(), getArgument(),
        [&](ContractOp op, ScheduleAttr schedule, std::string &reason) {
          return split(op, schedule, reason);
        });
  }

private:
  ScheduleAttr split(ContractOp op, ScheduleAttr schedule,
                     std::string &reason) {
    ScheduleParts parts(op, schedule);
    int64_t numLanes = getNumLanes(op, MachineAttr::find(op));
    unsigned before = parts.dims.size();
    for (size_t i = 0; i < parts.dims.size();) {
      LoopDim dim = parts.dims[i];
      if (dim.getExec() == Execution::Seq && dim.getSize() > maxKernelSize) {
        if (int64_t inner =
                findSplit(dim, numLanes, minKernelSize, maxKernelSize)) {
          // The outer part comes first, and may have to be split again.
          parts.split(i, inner, Execution::Seq, /*at=*/i);
          continue;
        }
        reason =
            ("no parts of dimension \"" + dim.getIndices() + "\", of size " +
             Twine(dim.getSize()) + ", are within the sizes of kernels")
                .str();
      }
      ++i;
    }
    numSplit += parts.dims.size() - before;
    if (parts.dims.size() != before) {
      reason.clear();
      return parts.get();
    }
    if (reason.empty())
      reason = "no dimension is larger than max-kernel-size";
    return schedule;
  }
};

} // namespace
