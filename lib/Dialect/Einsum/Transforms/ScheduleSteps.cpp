//===- ScheduleSteps.cpp - Steps of the optimizer of schedules ------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that the passes on schedules share. A dimension is known by its
// letters and its step, so that `lanes`, a position in the attribute, follows
// it when dimensions move.
//
//===----------------------------------------------------------------------===//

#include "ScheduleSteps.h"

#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace tileir::einsum;

ScheduleParts::ScheduleParts(ScheduleAttr schedule)
    : first(schedule.getFirst()), main(schedule.getMain()),
      last(schedule.getLast()), dims(schedule.getDims()),
      tile(schedule.getTile()), unroll(schedule.getUnroll()),
      prefetch(schedule.getPrefetch()), pack(schedule.getPack()) {
  if (schedule.getLanes() != -1)
    lanes = dims[schedule.getLanes()];
}

ScheduleAttr ScheduleParts::get() const {
  int64_t position = lanes ? llvm::find(dims, lanes) - dims.begin() : -1;
  return ScheduleAttr::get(dims.front().getContext(), first, main, last, dims,
                           position, tile, unroll, prefetch, pack);
}

int64_t ScheduleParts::count(Execution exec) const {
  return llvm::count_if(dims,
                        [&](DimAttr dim) { return dim.getExec() == exec; });
}

void ScheduleParts::sort() {
  SmallVector<DimAttr> sorted;
  for (Execution exec : {Execution::Shared, Execution::Seq, Execution::Prim})
    llvm::copy_if(dims, std::back_inserter(sorted),
                  [&](DimAttr dim) { return dim.getExec() == exec; });
  dims = sorted;
}

void ScheduleParts::split(ContractOp op, unsigned position, int64_t inner,
                          Execution exec, unsigned at) {
  DimAttr dim = dims[position];
  StringRef letters = dim.getLetters();
  dims[position] = makeDim(op, letters, dim.getExec(), inner, dim.getStep());
  if (lanes == dim)
    lanes = dims[position];
  dims.insert(
      dims.begin() + at,
      makeDim(op, letters, exec, dim.getSize() / inner, dim.getStep() * inner));
}

std::string tileir::einsum::describe(ScheduleAttr schedule) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::interleaveComma(schedule.getDims(), os, [&](DimAttr dim) {
    os << dim.getLetters() << " " << stringifyDimKind(dim.getKind()) << " "
       << stringifyExecution(dim.getExec()) << " " << dim.getSize();
  });
  return text;
}

int64_t tileir::einsum::getNumLanes(ContractOp op, MachineAttr machine) {
  int64_t bits = op.getAccumulatorType().getIntOrFloatBitWidth();
  return std::max<int64_t>(machine.getVectorBits() / bits, 1);
}

DimAttr tileir::einsum::getLanes(const ScheduleParts &parts) {
  if (parts.lanes)
    return parts.lanes;
  for (DimAttr dim : parts.dims)
    if (dim.getExec() == Execution::Prim && dim.getKind() != DimKind::K &&
        getResultStride(dim) == 1)
      return dim;
  return nullptr;
}

/// The reason why `op` can have no schedule, in short (C28 in full:
/// verifySchedulable); empty if it can. Diagnostics would reach those of other
/// threads.
static std::string getObstacle(ContractOp op) {
  if (succeeded(verifySchedulable(op, /*emitError=*/nullptr)))
    return op.getSpec().getNumLetters() == 0 ? "it has no letters" : "";
  if (op.getInputs().size() > 2)
    return "it has three or more operands: einsum-contract-pairwise comes "
           "before";
  if (op.isPadded())
    return "it is padded: einsum-pad-operands comes before";
  return "its operands have a size or stride that is dynamic, or a size of 0";
}

unsigned tileir::einsum::applyScheduleStep(Operation *root, StringRef pass,
                                           ScheduleStep step) {
  auto name = remark::RemarkOpts::name(pass).category("einsum");
  unsigned changed = 0;
  root->walk([&](ContractOp op) {
    std::string why = getObstacle(op);
    ScheduleAttr schedule;
    if (why.empty())
      schedule = step(op, getSchedule(op), why);
    if (!why.empty()) {
      remark::missed(op.getLoc(), name) << remark::reason("{0}", why);
      return;
    }
    op.setScheduleAttr(schedule);
    ++changed;
    remark::passed(op.getLoc(), name)
        << remark::metric("dims", describe(schedule));
  });
  return changed;
}
