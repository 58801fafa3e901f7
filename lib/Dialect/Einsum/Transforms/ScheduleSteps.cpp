//===- ScheduleSteps.cpp - Steps of the optimizer of schedules ------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that the passes on schedules share. A dimension is known by its
// indices and its step, so that `lanes`, a position in the attribute, follows
// it when dimensions move.
//
//===----------------------------------------------------------------------===//

#include "ScheduleSteps.h"

#include "mlir/IR/Remarks.h"

using namespace mlir;
using namespace tileir::einsum;

ScheduleParts::ScheduleParts(ContractOp op, ScheduleAttr schedule)
    : dims(getLoopDims(op, schedule.getDims())), matrix(schedule.getMatrix()),
      tile(schedule.getTile()), unroll(schedule.getUnroll()),
      prefetch(schedule.getPrefetch()), pack(schedule.getPack()) {
  if (schedule.getLanes() != -1)
    lanes = dims[schedule.getLanes()];
}

ScheduleAttr ScheduleParts::get() const {
  int64_t position = lanes ? llvm::find(dims, lanes) - dims.begin() : -1;
  auto decided = llvm::map_to_vector(
      dims, [](const LoopDim &dim) { return dim.getDim(); });
  return ScheduleAttr::get(decided.front().getContext(), decided, position,
                           matrix, tile, unroll, prefetch, pack);
}

int64_t ScheduleParts::count(Execution exec) const {
  return llvm::count_if(
      dims, [&](const LoopDim &dim) { return dim.getExec() == exec; });
}

void ScheduleParts::sort() {
  SmallVector<LoopDim> sorted;
  for (Execution exec : {Execution::Parallel, Execution::Seq, Execution::Prim})
    llvm::copy_if(dims, std::back_inserter(sorted),
                  [&](const LoopDim &dim) { return dim.getExec() == exec; });
  dims = sorted;
}

void ScheduleParts::split(unsigned position, int64_t inner, Execution exec,
                          unsigned at) {
  LoopDim dim = dims[position];
  dims[position] = dim.getPart(inner, /*factor=*/1, dim.getExec());
  if (lanes == dim)
    lanes = dims[position];
  dims.insert(dims.begin() + at,
              dim.getPart(dim.getSize() / inner, /*factor=*/inner, exec));
}

bool tileir::einsum::isOutside(const LoopDim &dim) {
  return dim.getExec() == Execution::Parallel ||
         (dim.getExec() == Execution::Seq &&
          dim.getContractionDim() == ContractionDim::Batch);
}

void ScheduleParts::moveLoopsOfLanes(unsigned numInputs, const LoopDim &lanes,
                                     const LoopDim &rows) {
  auto changesLanes = [&](const LoopDim &dim) {
    return llvm::any_of(llvm::seq(numInputs), [&](unsigned i) {
      return lanes.getStrides()[i] != 0 && rows.getStrides()[i] == 0 &&
             dim.getStrides()[i] != 0;
    });
  };
  auto getPlace = [&](const LoopDim &dim) {
    if (dim.getExec() == Execution::Prim)
      return 3;
    return isOutside(dim) ? 0 : !dim.isSummed() && changesLanes(dim) ? 1 : 2;
  };
  llvm::stable_sort(dims, [&](const LoopDim &a, const LoopDim &b) {
    return getPlace(a) < getPlace(b);
  });
}

std::string tileir::einsum::describe(ContractOp op) {
  std::string text;
  llvm::raw_string_ostream os(text);
  ArrayRef<DimAttr> dims = op.getScheduleAttr().getDims();
  llvm::interleaveComma(getLoopDims(op, dims), os, [&](const LoopDim &dim) {
    os << dim.getIndices() << " " << stringify(dim.getContractionDim()) << " "
       << stringifyExecution(dim.getExec()) << " " << dim.getSize();
  });
  return text;
}

int64_t tileir::einsum::getNumLanes(ContractOp op, MachineAttr machine) {
  int64_t bits = op.getAccumulatorType().getIntOrFloatBitWidth();
  return std::max<int64_t>(machine.getVectorBits() / bits, 1);
}

LoopDim tileir::einsum::getLanes(const ScheduleParts &parts) {
  if (parts.lanes)
    return parts.lanes;
  for (const LoopDim &dim : parts.dims)
    if (dim.getExec() == Execution::Prim && !dim.isSummed() &&
        dim.getResultStride() == 1)
      return dim;
  return {};
}

/// The reason why `op` can have no schedule, in short (C28 in full:
/// verifySchedulable); empty if it can. Diagnostics would reach those of other
/// threads.
static std::string getFailureReason(ContractOp op) {
  if (succeeded(verifySchedulable(op, /*emitError=*/nullptr)))
    return op.getSpec().getNumIndices() == 0 ? "it has no indices" : "";
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
    std::string reason = getFailureReason(op);
    ScheduleAttr schedule;
    if (reason.empty())
      schedule = step(op, getSchedule(op), reason);
    if (!reason.empty()) {
      remark::missed(op.getLoc(), name) << remark::reason("{0}", reason);
      return;
    }
    op.setScheduleAttr(schedule);
    ++changed;
    remark::passed(op.getLoc(), name) << remark::metric("dims", describe(op));
  });
  return changed;
}
