//===- Accumulation.cpp - Contractions added to a buffer ------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One contraction on memrefs at a time, for passes that meet products on their
// way: it gets the schedule that einsum-choose-schedule chooses, for one
// thread, and becomes its kernel at once.
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/EinsumToVector/EinsumToVector.h"

#include "ScheduledOp.h"
#include "tileir/Conversion/EinsumLowering/CheckEmitter.h"
#include "tileir/Dialect/Einsum/IR/Schedule.h"
#include "tileir/Dialect/Einsum/Transforms/Passes.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::lowering;
using namespace tileir::to_vector;

LogicalResult to_vector::emitAccumulation(RewriterBase &rewriter, ContractOp op,
                                          std::string &reason) {
  if (failed(verifySchedulable(op, nullptr))) {
    reason = "it can have no schedule";
    return failure();
  }
  ScheduleAttr schedule =
      chooseKernel(op, getDefaultSchedule(op), /*options=*/{}, reason);
  if (schedule.getTile().empty())
    return failure();
  op.setScheduleAttr(schedule);
  auto scheduled = ScheduledOp::get(op, reason);
  if (!scheduled)
    return failure();
  // Sizes are static: nothing is checked.
  CheckEmitter checks(op->getParentOfType<ModuleOp>(), RuntimeChecks::None);
  scheduled->startFromResult();
  scheduled->emit(rewriter, checks, /*deallocate=*/false);
  return success();
}
