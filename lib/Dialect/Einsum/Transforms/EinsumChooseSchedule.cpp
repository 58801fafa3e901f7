//===- EinsumChooseSchedule.cpp - einsum-choose-schedule ------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Gives contractions the kernels that ChooseKernel.cpp finds.
//
//===----------------------------------------------------------------------===//

#include "ScheduleSteps.h"
#include "tileir/Dialect/Einsum/Transforms/Passes.h"

#include "mlir/IR/Remarks.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

namespace tileir::einsum {
#define GEN_PASS_DEF_EINSUMCHOOSESCHEDULEPASS
#include "tileir/Dialect/Einsum/Transforms/Passes.h.inc"
} // namespace tileir::einsum

using namespace mlir;
using namespace tileir::einsum;

namespace {

struct EinsumChooseSchedulePass
    : tileir::einsum::impl::EinsumChooseSchedulePassBase<
          EinsumChooseSchedulePass> {
  using EinsumChooseSchedulePassBase::EinsumChooseSchedulePassBase;

  void runOnOperation() override {
    EinsumChooseSchedulePassOptions options{
        lanes, rows,   panel,    block,   sumParts, pack,      unit,
        {},    unroll, prefetch, threads, list,     absorbSums};
    llvm::append_range(options.tile, tile);
    if (failed(verifyOptions()))
      return signalPassFailure();
    bool isFulfilled = true;
    numChosen += applyScheduleStep(
        getOperation(), getArgument(),
        [&](ContractOp op, ScheduleAttr schedule, std::string &reason) {
          tellCandidates(op);
          ScheduleAttr chosen = chooseKernel(op, schedule, options, reason);
          if (chosen)
            return chosen;
          op.emitOpError("has no kernel with '")
              << getConfig(options)
              << "': expected lanes and rows among its indices that are not "
                 "summed, a panel that divides lanes into several, a block "
                 "that divides rows into several, and sum-parts that divide "
                 "one of its sums into parts of 32 or more; for unit=matrix "
                 "products of bf16 or i8, each operand with one of lanes and "
                 "rows, on a machine with 'amx'";
          isFulfilled = false;
          return schedule;
        });
    if (!isFulfilled)
      signalPassFailure();
  }

private:
  void tellCandidates(ContractOp op) {
    if (list == 0)
      return;
    auto name = remark::RemarkOpts::name("list-configs").category("einsum");
    std::vector<KernelCandidate> all = listKernels(op);
    for (const KernelCandidate &candidate :
         ArrayRef(all).take_front(std::min<size_t>(all.size(), list)))
      remark::analysis(op.getLoc(), name)
          << remark::metric("config", candidate.config)
          << remark::metric("estimate",
                            llvm::formatv("{0:f0}", candidate.cycles).str());
  }
  /// What is wrong for any contraction.
  LogicalResult verifyOptions() {
    auto expect = [&](bool holds, const Twine &what) -> LogicalResult {
      if (holds)
        return success();
      return getOperation()->emitError("einsum-choose-schedule expects ")
             << what;
    };
    auto atLeast = [&](StringRef option, int64_t least, int64_t value) {
      return expect(value >= least, option + " to be " + Twine(least) +
                                        " or more, found " + Twine(value));
    };
    if (failed(atLeast("threads", 0, threads)) ||
        failed(atLeast("panel", -1, panel)) ||
        failed(atLeast("block", -1, block)) ||
        failed(atLeast("sum-parts", 0, sumParts)) ||
        failed(atLeast("list", 0, list)) ||
        failed(atLeast("unroll", 0, unroll)) ||
        failed(atLeast("prefetch", -1, prefetch)))
      return failure();
    bool isTile =
        tile.empty() || (tile.size() == 2 && tile[0] > 0 && tile[1] > 0);
    return expect(isTile,
                  "tile to be rows and vectors, as 6,2, found " +
                      llvm::join(llvm::map_range(tile,
                                                 [](int64_t size) {
                                                   return std::to_string(size);
                                                 }),
                                 ","));
  }
};

} // namespace
