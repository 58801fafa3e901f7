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
// own: 0 is that of the program. Warpgroups that take turns have one each.
//
//===----------------------------------------------------------------------===//

#include "BulkCopies.h"
#include "Patterns.h"
#include "Registers.h"

#include "tileir/Conversion/EinsumLowering/UnrolledLoop.h"
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

/// Each warpgroup waits for its turn at a barrier of its own, at which the one
/// before it arrives; the last one does so before all turns, and the first one
/// waits for that behind all, so that nothing is left at any barrier.
static void lowerTurns(RolesOp op, unsigned role, Value warp) {
  SmallVector<Operation *> turns;
  op.getRoles()[role].walk([&](Operation *inner) {
    if (isa<TakeTurnOp, PassTurnOp>(inner))
      turns.push_back(inner);
  });
  int64_t groups = op.getWarps()[role] / layout::kGroupWarps;
  // One thread alone runs a role without tiles.
  if (!turns.empty() && groups > 1 && hasTiles(op.getRoles()[role])) {
    Location loc = op.getLoc();
    OpBuilder builder(op);
    auto createNumber = [&](int64_t number) {
      return createI32(builder, loc, number);
    };
    int64_t first = 1 + op.getRoles().size();
    Value count = createNumber(2 * layout::kGroupWarps * kWarpSize);
    Value own = arith::SubIOp::create(builder, loc, warp,
                                      createNumber(op.getFirstWarp(role)));
    own = arith::DivUIOp::create(builder, loc, own,
                                 createNumber(layout::kGroupWarps));
    Value next = arith::RemUIOp::create(
        builder, loc, arith::AddIOp::create(builder, loc, own, createNumber(1)),
        createNumber(groups));
    auto isGroup = [&](int64_t number) {
      return emitCompare(builder, loc, arith::CmpIPredicate::eq, own, number);
    };
    Value isFirst = isGroup(0), isLast = isGroup(groups - 1);
    own = arith::AddIOp::create(builder, loc, own, createNumber(first));
    next = arith::AddIOp::create(builder, loc, next, createNumber(first));
    auto emit = [&](bool isTaken) {
      if (isTaken)
        NVVM::BarrierOp::create(builder, loc, Type(), own, count,
                                NVVM::BarrierReductionAttr(), Value());
      else
        LLVM::CallIntrinsicOp::create(
            builder, loc,
            builder.getStringAttr("llvm.nvvm.barrier.cta.arrive.aligned.count"),
            ValueRange{next, count});
    };
    auto emitIf = [&](Value condition, bool isTaken) {
      OpBuilder::InsertionGuard guard(builder);
      auto branch = scf::IfOp::create(builder, loc, condition);
      builder.setInsertionPoint(branch.thenYield());
      emit(isTaken);
    };
    Block &body = op.getRoles()[role].front();
    builder.setInsertionPointToStart(&body);
    emitIf(isLast, /*isTaken=*/false);
    builder.setInsertionPoint(body.getTerminator());
    emitIf(isFirst, /*isTaken=*/true);
    for (Operation *turn : turns) {
      builder.setInsertionPoint(turn);
      emit(isa<TakeTurnOp>(turn));
    }
  }
  for (Operation *turn : turns)
    turn->erase();
}

static void lowerRoles(RolesOp op) {
  Location loc = op.getLoc();
  OpBuilder builder(op);
  Value warp = emitUniformWarp(builder, loc);
  int64_t share = llvm::alignDown(
      uint64_t(layout::kAllRegisters / (op.getNumWarps() * kWarpSize)), 8);
  for (unsigned role = 0; role < op.getRoles().size(); ++role) {
    lowerBarriers(op, role);
    lowerTurns(op, role, warp);
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
        // Copies of what loops do would spill the few registers.
        op.getRoles()[role].walk(lowering::keepLoop);
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
