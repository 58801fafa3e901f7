//===- EinsumParallelize.cpp - einsum-parallelize -------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parallel loops are divided among threads in equal parts, so what counts is
// how the number of their iterations, the chunks, divides: 3 chunks keep two
// threads busy for 2 rounds, at 75 %. In this order, the first way that is good
// enough, or else the best, is taken:
//
// 1. outer sequential dimensions, as they are: one, two, ...
// 2. all of these, and the outer part of another dimension, sequential or of
//    the microkernel, in an exact split that leaves whole vectors of lanes, and
//    at least a tile of rows: what is copied for one of the former is copied by
//    as many threads as there are parts.
// 3. such a part alone.
//
//===----------------------------------------------------------------------===//

#include "ScheduleSteps.h"
#include "tileir/Dialect/Einsum/Transforms/Passes.h"

#include "llvm/Support/MathExtras.h"

namespace tileir::einsum {
#define GEN_PASS_DEF_EINSUMPARALLELIZEPASS
#include "tileir/Dialect/Einsum/Transforms/Passes.h.inc"
} // namespace tileir::einsum

using namespace mlir;
using namespace tileir::einsum;

/// The fraction of the threads that has to be busy for a way to be good enough.
static constexpr double kGoodBalance = 0.95;
/// Rows that have to remain of a dimension that is split.
static constexpr int64_t kLeastRows = 8;
/// A copied or summed element takes as long as some multiply-adds of a product.
static constexpr double kStepsOfElement = 8;

namespace {

/// A way to parallelize: the `numWhole` first sequential dimensions, and a
/// split.
struct Way {
  unsigned numWhole = 0;
  /// The size that remains of dimension `position`; 0: none is split.
  int64_t inner = 0;
  unsigned position = 0;
  double balance = 0;
};

} // namespace

/// The fraction of the threads that is busy on average.
static double getBalance(int64_t chunks, int64_t threads) {
  return static_cast<double>(chunks) /
         (llvm::divideCeil(chunks, threads) * threads);
}

/// Whether `inner` may remain of `dim`.
static bool canRemain(const ScheduleParts &parts, const LoopDim &dim,
                      int64_t inner, int64_t numLanes) {
  if (dim.getExec() != Execution::Prim)
    return true;
  return dim == getLanes(parts) ? inner % numLanes == 0 : inner >= kLeastRows;
}

static Way findWay(const ScheduleParts &parts, int64_t parallel,
                   int64_t threads, int64_t numLanes) {
  Way best;
  auto isBest = [&](const Way &way) {
    // A tie goes to the one before.
    if (way.balance > best.balance + 1e-9)
      best = way;
    return best.balance >= kGoodBalance;
  };
  Way whole;
  int64_t chunks = parallel;
  for (const LoopDim &dim : parts.dims) {
    // What is copied for a part of a sum would be copied again in each
    // iteration of loops that are inside of it now: they are divided, not
    // moved.
    if (parts.hasKernel() && dim.getExec() == Execution::Seq &&
        dim.isSummed() && dim.getSize() > 1)
      break;
    if (dim.getExec() != Execution::Seq || dim.isSummed())
      continue;
    chunks *= dim.getSize();
    ++whole.numWhole;
    whole.balance = getBalance(chunks, threads);
    if (dim.getSize() > 1 && isBest(whole))
      return best;
  }
  auto trySplits = [&](int64_t numWhole, int64_t chunks) {
    int64_t numSkipped = 0;
    for (auto [position, dim] : llvm::enumerate(parts.dims)) {
      if (dim.getExec() == Execution::Parallel || dim.isSummed())
        continue;
      if (dim.getExec() == Execution::Seq && numSkipped++ < numWhole)
        continue;
      for (int64_t outer = 2; outer < dim.getSize(); ++outer) {
        int64_t inner = dim.getSize() / outer;
        if (inner * outer != dim.getSize() ||
            !canRemain(parts, dim, inner, numLanes))
          continue;
        Way way;
        way.numWhole = numWhole;
        way.position = position;
        way.inner = inner;
        way.balance = getBalance(chunks * outer, threads);
        if (isBest(way))
          return;
      }
    }
  };
  if (whole.numWhole > 0)
    trySplits(whole.numWhole, chunks);
  if (best.balance < kGoodBalance)
    trySplits(/*numWhole=*/0, parallel);
  return best;
}

ScheduleAttr tileir::einsum::parallelizeDims(ContractOp op,
                                             ScheduleAttr schedule,
                                             int64_t threads, int64_t minWork,
                                             std::string &reason) {
  ScheduleParts parts(op, schedule);
  MachineAttr machine = MachineAttr::find(op);
  if (threads == 0)
    threads = machine.getCores();
  int64_t parallel = 1;
  double steps = 1;
  for (const LoopDim &dim : parts.dims) {
    steps *= dim.getSize();
    if (dim.getExec() == Execution::Parallel)
      parallel *= dim.getSize();
  }
  bool isProduct =
      op.getInputs().size() == 2 &&
      op.getSpec().getNumIndices() > op.getSpec().getNumResultIndices();
  if (threads <= 1)
    reason = "there is one thread";
  else if (parallel >= threads)
    reason = "its parallel dimensions suffice";
  else if (steps * (isProduct ? 1 : kStepsOfElement) < minWork)
    reason = "it has less than min-work steps";
  if (!reason.empty())
    return schedule;
  Way way = findWay(parts, parallel, threads, getNumLanes(op, machine));
  if (way.balance <= getBalance(parallel, threads)) {
    reason = "no dimension divides among the threads";
    return schedule;
  }
  if (way.inner)
    parts.split(way.position, way.inner, Execution::Parallel, /*at=*/0);
  for (LoopDim &dim : parts.dims)
    if (way.numWhole > 0 && dim.getExec() == Execution::Seq &&
        !dim.isSummed()) {
      dim = dim.withExecution(Execution::Parallel);
      --way.numWhole;
    }
  parts.sort();
  return parts.get();
}

namespace {

struct EinsumParallelizePass
    : tileir::einsum::impl::EinsumParallelizePassBase<EinsumParallelizePass> {
  using EinsumParallelizePassBase::EinsumParallelizePassBase;

  void runOnOperation() override {
    if (threads < 0 || minWork < 0) {
      getOperation()->emitError("einsum-parallelize expects threads and "
                                "min-work to be 0 or more, found ")
          << threads.getValue() << " and " << minWork.getValue();
      return signalPassFailure();
    }
    numParallelized += applyScheduleStep(
        getOperation(), getArgument(),
        [&](ContractOp op, ScheduleAttr schedule, std::string &reason) {
          return parallelizeDims(op, schedule, threads, minWork, reason);
        });
  }
};

} // namespace
