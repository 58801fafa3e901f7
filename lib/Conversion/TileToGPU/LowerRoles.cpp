//===- LowerRoles.cpp - Roles of warps ------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before tiles become vectors, for none of this is on tiles: roles become
// branches by the number of the warp, and channels mbarriers
// (LowerChannels.cpp).
//
// Barriers in a role are those of its warps alone, and have a number of their
// own: 0 is that of the program.
//
//===----------------------------------------------------------------------===//

#include "BulkCopies.h"
#include "Patterns.h"
#include "Registers.h"

#include "tileir/Layout/Fragments/Warpgroup.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::to_gpu;
using machine::kWarpSize;

static Value emitCompare(OpBuilder &builder, Location loc,
                         arith::CmpIPredicate predicate, Value value,
                         int32_t number) {
  return arith::CmpIOp::create(builder, loc, predicate, value,
                               createI32(builder, loc, number));
}

/// Whether something in a role is on tiles: all its threads take part.
static bool hasTiles(Region &role) {
  return role
      .walk([](Operation *op) {
        bool isOnTiles = llvm::any_of(
            llvm::concat<Type>(SmallVector<Type>(op->getOperandTypes()),
                               SmallVector<Type>(op->getResultTypes())),
            llvm::IsaPred<RankedTensorType>);
        return isOnTiles ? WalkResult::interrupt() : WalkResult::advance();
      })
      .wasInterrupted();
}

/// Keeps loops as they are: each copy of what they do takes registers for its
/// numbers, and a role that has few would spill them.
static void keepLoops(Region &role) {
  Builder builder(role.getContext());
  auto unroll = LLVM::LoopUnrollAttr::get(role.getContext(),
                                          /*disable=*/builder.getBoolAttr(true),
                                          {}, {}, {}, {}, {}, {});
  auto annotation =
      LLVM::LoopAnnotationAttr::get(role.getContext(), {}, {}, {}, unroll, {},
                                    {}, {}, {}, {}, {}, {}, {}, {}, {}, {});
  role.walk([&](scf::ForOp loop) {
    loop->setDiscardableAttr("loop_annotation", annotation);
  });
}

/// Barriers of the role's warps.
static void lowerBarriers(RolesOp op, unsigned role) {
  op.getRoles()[role].walk([&](BarrierOp barrier) {
    OpBuilder builder(barrier);
    Location loc = barrier.getLoc();
    NVVM::BarrierOp::create(
        builder, loc, Type(), createI32(builder, loc, 1 + role),
        createI32(builder, loc, op.getWarps()[role] * kWarpSize),
        NVVM::BarrierReductionAttr(), Value());
    barrier.erase();
  });
}

static void lowerRoles(RolesOp op) {
  Location loc = op.getLoc();
  OpBuilder builder(op);
  Value warp = emitUniformWarp(builder, loc);
  int64_t share = llvm::alignDown(
      uint64_t(layout::kAllRegisters / (op.getNumWarps() * kWarpSize)), 8);
  for (unsigned role = 0; role < op.getRoles().size(); ++role) {
    lowerBarriers(op, role);
    bool isLast = role + 1 == op.getRoles().size();
    scf::IfOp branch;
    if (!isLast) {
      branch =
          scf::IfOp::create(builder, loc,
                            emitCompare(builder, loc, arith::CmpIPredicate::ult,
                                        warp, op.getFirstWarp(role + 1)),
                            /*withElseRegion=*/true);
      builder.setInsertionPoint(branch.thenYield());
    }
    if (auto registers = op.getRegisters()) {
      // So that ptxas gives each thread an equal share at the entry.
      op->getParentOfType<gpu::GPUFuncOp>()->setAttr(
          NVVM::NVVMDialect::getMinctasmAttrName(),
          builder.getI32IntegerAttr(1));
      int64_t count = (*registers)[role];
      if (count < share)
        keepLoops(op.getRoles()[role]);
      NVVM::SetMaxRegisterOp::create(
          builder, loc, count,
          count < share ? NVVM::SetMaxRegisterAction::decrease
                        : NVVM::SetMaxRegisterAction::increase);
    }
    Block &body = op.getRoles()[role].front();
    if (!hasTiles(op.getRoles()[role])) {
      // ptxas knows what `elect` means: that no other thread goes there.
      Value isFirst = emitCompare(builder, loc, arith::CmpIPredicate::eq, warp,
                                  op.getFirstWarp(role));
      auto first = scf::IfOp::create(builder, loc, isFirst);
      builder.setInsertionPoint(first.thenYield());
      Value isElected = NVVM::ElectSyncOp::create(
          builder, loc, builder.getI1Type(), /*membermask=*/Value());
      auto one = scf::IfOp::create(builder, loc, isElected);
      builder.setInsertionPoint(one.thenYield());
    }
    body.getTerminator()->erase();
    Block *block = builder.getInsertionBlock();
    block->getOperations().splice(builder.getInsertionPoint(),
                                  body.getOperations());
    if (!isLast)
      builder.setInsertionPoint(branch.elseYield());
  }
  op.erase();
}

/// Tensor maps are passed as their bytes.
static void passMaps(gpu::GPUFuncOp function) {
  SmallVector<Type> types = llvm::to_vector(function.getArgumentTypes());
  for (auto [i, type] : llvm::enumerate(types))
    if (isa<TensorMapType>(type)) {
      type = getTensorMapBytes(type.getContext());
      function.getArgument(i).setType(type);
    }
  function.setFunctionType(
      FunctionType::get(function.getContext(), types, TypeRange()));
}

void to_gpu::lowerRoles(gpu::GPUModuleOp kernels) {
  for (auto function : kernels.getOps<gpu::GPUFuncOp>()) {
    lowerChannels(function);
    lowerBulkStores(function);
    SmallVector<RolesOp> roles;
    function.walk([&](RolesOp op) { roles.push_back(op); });
    for (RolesOp op : roles)
      ::lowerRoles(op);
    passMaps(function);
  }
}
