//===- TileVerifyProgram.cpp - tile-verify-program ------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The contract of tile programs, before they are taken to a CPU, or given
// layouts for a GPU (P in Passes.td). It needs nothing before it and changes
// nothing.
//
//===----------------------------------------------------------------------===//

#include "LayoutAssigner.h"
#include "LocalAccess.h"

#include "tileir/Dialect/Tile/Transforms/Contracts.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "llvm/Support/MathExtras.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEVERIFYPROGRAMPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

static constexpr Contract kProgramContract{"tile-verify-program"};

LogicalResult tile::verifyLaunches(ModuleOp module) {
  SymbolTableCollection tables;
  SymbolUserMap users(tables, module);
  for (auto kernel : module.getOps<func::FuncOp>()) {
    if (!isKernel(kernel))
      continue;
    if (kernel.isExternal())
      return kProgramContract.violate(kernel, "P1")
             << "expects a kernel with a body, found a declaration of @"
             << kernel.getName() << ": define it in this module";
    for (Operation *user : users.getUsers(kernel))
      if (!isa<LaunchOp>(user))
        return kProgramContract.violate(user, "P2")
               << "expects kernel @" << kernel.getName()
               << " to be run by 'tile.launch', found '" << user->getName()
               << "': launch it, with a grid";
  }
  return success();
}

/// P3 and P4, of an op in a kernel.
static LogicalResult verifyMachineIndependent(Operation *op) {
  if (op->getName().getDialectNamespace() == "einsum")
    return kProgramContract.violate(op, "P3")
           << "expects no op of einsum in a kernel: run convert-einsum-to-tile";
  // What bulk copies bring or take does not depend on layouts.
  auto store = dyn_cast<LocalStoreOp>(op);
  auto alloc = store ? store.getBuffer().getDefiningOp<AllocOp>()
                     : dyn_cast<AllocOp>(op);
  bool isOfRoles = alloc && isOfBulkCopies(alloc);
  if (!isOfRoles && isa<ConvertLayoutOp, AllocOp, LocalStoreOp, LocalLoadOp,
                        BarrierOp, MmaOp, SplitOp, JoinOp>(op))
    return kProgramContract.violate(op, "P4")
           << "expects no op that takes layouts or shared memory before "
              "tile-assign-layouts: remove it, or run the passes from "
              "tile-promote-shared on";
  for (Type type : op->getResultTypes())
    if (isa<RankedTensorType>(type) && getLayout(type))
      return kProgramContract.violate(op, "P4")
             << "expected tiles without layouts, found " << type
             << ": tile-assign-layouts gives layouts, once";
  return success();
}

LogicalResult tile::verifyControlFlow(func::FuncOp kernel) {
  auto verify = [](Operation *op) -> WalkResult {
    if (op->getNumRegions() == 0)
      return success();
    if (!isa<RegionBranchOpInterface, func::FuncOp>(op))
      return kProgramContract.violate(op, "P5")
             << "expects structured control flow in a kernel, of which '"
             << op->getName() << "' is none: write it as scf.for or scf.if";
    for (Region &region : op->getRegions())
      if (!region.empty() && !region.hasOneBlock())
        return kProgramContract.violate(op, "P5")
               << "expects structured control flow in a kernel, found branches "
                  "between blocks: lift them to scf";
    return success();
  };
  return failure(kernel.walk<WalkOrder::PreOrder>(verify).wasInterrupted());
}

/// P6 to P8, of an op in a kernel.
static LogicalResult verifyTakesLayouts(Operation *op) {
  for (Type type : op->getResultTypes())
    if (auto tile = dyn_cast<RankedTensorType>(type))
      if (!llvm::all_of(tile.getShape(), llvm::isPowerOf2_64))
        return kProgramContract.violate(op, "P6")
               << "expected sizes that are powers of two, found " << tile
               << ": make the tile larger, and mask what is outside";
  if (isa<PsiOp>(op))
    return kProgramContract.violate(op, "P7")
           << "expects arith.select in its place: run tile-psi-to-select "
              "before";
  bool isKnown =
      isa<func::FuncOp, scf::ForOp, scf::IfOp, scf::WhileOp, scf::ConditionOp,
          scf::YieldOp, DotOp, MmaAsyncOp, MmaWaitOp, ReduceOp, ScanOp, SplatOp,
          RangeOp, BroadcastOp, LocalStoreOp, ReshapeOp, TransOp, PrintOp,
          arith::ConstantOp, ub::PoisonOp>(op) ||
      isAccess(op) || isElementwise(op);
  if (hasTiles(op) && !isKnown)
    return kProgramContract.violate(op, "P8")
           << "expects ops whose tiles have layouts: cannot give layouts to "
              "the "
              "tiles of this op, write it with ops of tile, arith and math";
  return success();
}

LogicalResult tile::verifyTakesLayouts(func::FuncOp kernel) {
  if (failed(verifyControlFlow(kernel)))
    return failure();
  auto verify = [](Operation *op) -> WalkResult {
    return success(succeeded(verifyMachineIndependent(op)) &&
                   succeeded(::verifyTakesLayouts(op)));
  };
  return failure(kernel.walk<WalkOrder::PreOrder>(verify).wasInterrupted());
}

namespace {
struct TileVerifyProgramPass
    : tileir::tile::impl::TileVerifyProgramPassBase<TileVerifyProgramPass> {
  using TileVerifyProgramPassBase::TileVerifyProgramPassBase;

  void runOnOperation() override {
    if (failed(verifyLaunches(getOperation())))
      return signalPassFailure();
    for (auto kernel : getOperation().getOps<func::FuncOp>()) {
      if (!isKernel(kernel))
        continue;
      if (failed(verify(kernel)))
        return signalPassFailure();
      ++numKernels;
    }
  }

private:
  LogicalResult verify(func::FuncOp kernel) {
    if (forLayouts)
      return verifyTakesLayouts(kernel);
    auto verifyOp = [](Operation *op) -> WalkResult {
      return verifyMachineIndependent(op);
    };
    return failure(kernel.walk<WalkOrder::PreOrder>(verifyOp).wasInterrupted());
  }
};
} // namespace
