//===- OpenMPSkipBarriers.cpp - openmp-skip-barriers ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comes after convert-scf-to-openmp. Afterwards the end of a region is the only
// place where the thread that began it waits, which the runtime library counts
// on when it measures how long (lib/Runtime/ThreadLimit.h).
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/OpenMP/Transforms/Passes.h"

#include "mlir/Dialect/OpenMP/OpenMPDialect.h"

namespace tileir {
#define GEN_PASS_DEF_OPENMPSKIPBARRIERSPASS
#include "tileir/Dialect/OpenMP/Transforms/Passes.h.inc"
} // namespace tileir

using namespace mlir;

namespace {
struct OpenMPSkipBarriersPass
    : tileir::impl::OpenMPSkipBarriersPassBase<OpenMPSkipBarriersPass> {
  using Base::Base;

  void runOnOperation() override {
    getOperation()->walk([&](omp::WsloopOp loop) {
      if (!isa<omp::ParallelOp>(loop->getParentOp()) ||
          !isa<omp::TerminatorOp>(loop->getNextNode()) ||
          !loop.getReductionVars().empty() || loop.getNowait())
        return;
      loop.setNowait(true);
      ++numSkipped;
    });
  }
};
} // namespace
