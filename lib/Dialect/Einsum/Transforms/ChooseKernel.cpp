//===- ChooseKernel.cpp - The kernel of a contraction ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compares candidates for the kernel of a contraction (KernelChooser.h) by the
// models of ScheduleCost.h. What a schedule says already is kept: with a
// kernel, only tile, unrolling and packing are open; so is what options say.
//
//===----------------------------------------------------------------------===//

#include "KernelChooser.h"

#include "tileir/Dialect/Einsum/Analysis/StagedOperand.h"

#include "llvm/Support/InterleavedRange.h"

using namespace mlir;
using namespace tileir::einsum;

using Options = EinsumChooseSchedulePassOptions;

std::string tileir::einsum::getConfig(const Options &options) {
  std::string text;
  llvm::raw_string_ostream os(text);
  llvm::ListSeparator space(" ");
  if (!options.lanes.empty())
    os << space << "lanes=" << options.lanes;
  if (!options.rows.empty())
    os << space << "rows=" << options.rows;
  if (options.panel >= 0)
    os << space << "panel=" << options.panel;
  if (options.block >= 0)
    os << space << "block=" << options.block;
  if (options.sumParts > 0)
    os << space << "sum-parts=" << options.sumParts;
  if (options.pack != PackMode::Any)
    os << space << "pack="
       << (options.pack == PackMode::Needed  ? "needed"
           : options.pack == PackMode::Lanes ? "lanes"
                                             : "both");
  if (options.unit != Unit::Any)
    os << space
       << "unit=" << (options.unit == Unit::Vector ? "vector" : "matrix");
  if (!options.tile.empty())
    os << space << "tile=" << llvm::interleaved(options.tile, ",");
  if (options.unroll > 0)
    os << space << "unroll=" << options.unroll;
  if (options.prefetch >= 0)
    os << space << "prefetch=" << options.prefetch;
  return text;
}

/// Tries all kernels for loops that have none; whether there can be one.
static bool tryAll(KernelChooser &chooser, ContractOp op, ScheduleAttr schedule,
                   std::string &reason) {
  // Whether a step that is taken on the way changes anything does not matter.
  std::string unfused;
  // Loops that have already been ordered or divided stay, but those that
  // einsum-fuse-dims makes, which are made here as well.
  ScheduleAttr written = getDefaultSchedule(op),
               fused = fuseDims(op, written, /*minKernelSize=*/0, unfused);
  bool isOpen = schedule.getDims() == written.getDims() ||
                schedule.getDims() == fused.getDims();
  ScheduleParts parts(op, isOpen ? fused : schedule);
  reason = getKernelFailureReason(op, getOpenDims(parts),
                                  getKernelSums(op, parts, /*maxSums=*/0));
  if (!reason.empty())
    return false;
  chooser.tryKernels(parts);
  if (!isOpen)
    return true;
  ScheduleParts tabled(op, fuseDims(op, written, /*minKernelSize=*/0, unfused,
                                    /*byTables=*/true));
  if (tabled.dims != parts.dims)
    chooser.tryOthers(tabled);
  return true;
}

/// `schedule` with what options say of its kernel.
static ScheduleAttr fillIn(ScheduleAttr schedule, const Options &options) {
  ArrayRef<int64_t> tile = schedule.getTile();
  int64_t unroll = schedule.getUnroll();
  return ScheduleAttr::get(schedule.getContext(), schedule.getDims(),
                           schedule.getLanes(), schedule.getMatrix(),
                           tile.empty() ? ArrayRef(options.tile) : tile,
                           unroll ? unroll : options.unroll,
                           schedule.getPrefetch(), schedule.getPack());
}

/// `parts` with the summed loop directly around its kernel as part of that;
/// nothing if there is none.
static std::optional<ScheduleParts> absorbSum(ScheduleParts parts) {
  size_t numLoops = parts.dims.size() - parts.count(Execution::Prim);
  if (numLoops == 0)
    return std::nullopt;
  LoopDim &innermost = parts.dims[numLoops - 1];
  if (!innermost.isSummed() || innermost.getExec() != Execution::Seq)
    return std::nullopt;
  innermost = innermost.withExecution(Execution::Prim);
  return parts;
}

/// Divides a loop over rows of a padded image into blocks, each of which copies
/// what it reads with its border into the second cache, if no loops read little
/// enough of it as they are. There are as many as threads, if possible.
static void divideForStaging(ContractOp op, ScheduleParts &parts,
                             int64_t threads) {
  auto isStaged = [&](const ScheduleParts &parts, unsigned operand) {
    return getStagedOperand(op, parts.get(), operand).has_value();
  };
  for (unsigned operand = 0; operand < op.getInputs().size(); ++operand) {
    if (!getPadding(op, operand) || isStaged(parts, operand) ||
        getBorderedOperand(op, parts.get(), operand))
      continue;
    int64_t around = 1;
    for (unsigned i = 0; i < parts.dims.size(); ++i) {
      const LoopDim &dim = parts.dims[i];
      if (dim.getExec() != Execution::Seq || dim.isSummed())
        break;
      for (int64_t inner = dim.getSize() - 1;
           inner > 1 && dim.getStrides()[operand] != 0; --inner) {
        if (dim.getSize() % inner != 0)
          continue;
        ScheduleParts split = parts;
        split.split(i, inner, Execution::Seq, /*at=*/i);
        bool areEnough = around * (dim.getSize() / inner) >= threads;
        if (areEnough && isStaged(split, operand)) {
          parts = split;
          return;
        }
      }
      around *= dim.getSize();
    }
  }
}

ScheduleAttr tileir::einsum::chooseKernel(ContractOp op, ScheduleAttr given,
                                          const Options &options,
                                          std::string &reason) {
  MachineAttr machine = MachineAttr::find(op);
  ScheduleAttr schedule = fillIn(given, options);
  ScheduleParts parts(op, schedule);
  if (parts.hasKernel() && !given.getTile().empty()) {
    reason = "it has prim dimensions and a tile already";
    return given;
  }
  bool isWritten = parts.hasKernel();
  if (!isWritten) {
    KernelChooser chooser(op, machine, options);
    if (!tryAll(chooser, op, schedule, reason))
      return given;
    if (!chooser.getBest())
      return {};
    parts = *chooser.getBest();
    divideForStaging(op, parts,
                     options.threads ? options.threads : machine.getCores());
  }
  std::string sequential;
  if (options.threads != 1)
    parts = ScheduleParts(op, parallelizeDims(op, parts.get(), options.threads,
                                              kLeastParallelWork, sequential));
  // The sizes may be others now; and of a kernel that was given, the tile is
  // still open.
  parts.tile = SmallVector<int64_t>(schedule.getTile());
  parts.unroll = schedule.getUnroll();
  parts.prefetch = schedule.getPrefetch();
  KernelChooser chooser(op, machine, options);
  chooser.tryTiles(parts);
  if (isWritten && options.absorbSums)
    if (std::optional<ScheduleParts> whole = absorbSum(parts))
      chooser.tryTiles(*whole);
  return chooser.getBest()->get();
}

std::optional<double> tileir::einsum::estimateKernel(ContractOp op) {
  if (failed(verifySchedulable(op, /*emitError=*/nullptr)) ||
      op.getSpec().getNumIndices() == 0)
    return std::nullopt;
  std::string reason;
  KernelChooser chooser(op, MachineAttr::find(op), Options());
  if (!tryAll(chooser, op, getSchedule(op), reason) || !chooser.getBest())
    return std::nullopt;
  return chooser.getBestCycles();
}

std::vector<KernelCandidate> tileir::einsum::listKernels(ContractOp op) {
  std::vector<KernelCandidate> all;
  std::string reason;
  KernelChooser chooser(op, MachineAttr::find(op), Options(), &all);
  tryAll(chooser, op, getDefaultSchedule(op), reason);
  llvm::stable_sort(
      all, [](const auto &a, const auto &b) { return a.cycles < b.cycles; });
  return all;
}
