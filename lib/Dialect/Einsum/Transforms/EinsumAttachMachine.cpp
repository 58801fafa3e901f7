//===- EinsumAttachMachine.cpp - einsum-attach-machine --------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Looks the CPU up in the table of CPUs. Afterwards the module has
// `einsum.machine`.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/IR/Einsum.h"
#include "tileir/Dialect/Einsum/IR/Schedule.h"
#include "tileir/Dialect/Einsum/Transforms/Passes.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Remarks.h"

namespace tileir::einsum {
#define GEN_PASS_DEF_EINSUMATTACHMACHINEPASS
#include "tileir/Dialect/Einsum/Transforms/Passes.h.inc"
} // namespace tileir::einsum

using namespace mlir;
using namespace tileir::einsum;

namespace {

struct EinsumAttachMachinePass
    : tileir::einsum::impl::EinsumAttachMachinePassBase<
          EinsumAttachMachinePass> {
  using EinsumAttachMachinePassBase::EinsumAttachMachinePassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    auto given = module->getAttrOfType<MachineAttr>(kMachineAttr);
    if (given && given.getCpu() == cpu)
      return;
    if (given) {
      module.emitError("expected code for ")
          << given.getCpu() << ", as 'einsum.machine' says, found 'cpu' to be "
          << cpu;
      return signalPassFailure();
    }
    const tileir::machine::Cpu *found = tileir::machine::findNearestCpu(cpu);
    if (!found) {
      module.emitError("expected 'cpu' to be one of ")
          << tileir::machine::getCpuNames() << ", found '" << cpu
          << "'; a module with 'einsum.machine' can be for any other";
      return signalPassFailure();
    }
    if (found->name != cpu)
      remark::analysis(
          module.getLoc(),
          remark::RemarkOpts::name(getArgument()).category("einsum"))
          << remark::reason("{0} is not in the table of CPUs: {1} is taken, "
                            "whose cores are built alike",
                            std::string(cpu), found->name);
    tileir::machine::Cpu taken = *found;
    taken.name = cpu;
    module->setAttr(kMachineAttr, MachineAttr::get(&getContext(), taken));
    ++numAttached;
  }
};

} // namespace
