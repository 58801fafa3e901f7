//===- LowerChannels.cpp - Channels of a thread ---------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Channels become mbarriers. A channel of N stages has N that bytes complete
// ("full"), behind them N that the warps which release arrive at ("empty").
// Iteration i has stage i mod N, in phase i / N of its barriers: who waits for
// bytes waits for the end of that phase, and who acquires for that of the phase
// before, which is the end of none for the first N iterations (PTX ISA, "Phase
// of the mbarrier object"; the parity of the phase before the first one counts
// as complete).
//
// If programs of a cluster share copies, a stage is free when the warps of all
// of them have released it: a lane for each program arrives at its barrier. No
// program begins before all have made their barriers, nor ends before all have
// done with those of others.
//
//===----------------------------------------------------------------------===//

#include "BulkCopies.h"
#include "Patterns.h"
#include "Registers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::to_gpu;

static constexpr int64_t kBarrierBytes = 8;

static Value isEqual(OpBuilder &builder, Location loc, Value value,
                     int32_t number) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value,
                               createI32(builder, loc, number));
}

namespace {

/// Emits what a thread does with a channel.
class ChannelLowering {
public:
  ChannelLowering(ChannelOp op, int64_t cluster)
      : op(op), offset(*op.getOffset()), stages(op.getStages()),
        cluster(cluster) {}

  void lower();

private:
  void lower(OpBuilder &builder, ChannelAcquireOp access);
  void lower(OpBuilder &builder, ChannelWaitOp access);
  void lower(OpBuilder &builder, ChannelReleaseOp access);
  void lower(OpBuilder &builder, BulkLoadOp copy);
  void emitInit();

  /// The barrier of `stage`, an i32; null: of the first one.
  Value getBarrier(OpBuilder &builder, Location loc, bool isFull, Value stage) {
    Value at =
        createI32(builder, loc, offset + (isFull ? 0 : stages * kBarrierBytes));
    if (stage)
      at = arith::AddIOp::create(
          builder, loc, at,
          arith::MulIOp::create(builder, loc, stage,
                                createI32(builder, loc, kBarrierBytes)));
    return emitShared(builder, loc, at);
  }

  /// Of what a program says to others.
  NVVM::MemScopeKind getScope() const {
    return cluster > 1 ? NVVM::MemScopeKind::CLUSTER : NVVM::MemScopeKind::CTA;
  }

  ChannelOp op;
  int64_t offset, stages, cluster;
};

/// The stage and the parity of the phase of an iteration.
struct Turn {
  Value stage, parity;
};

} // namespace

static Turn getTurn(OpBuilder &builder, Location loc, Value iteration,
                    int64_t stages) {
  Value number = toI32(builder, loc, iteration);
  Value count = createI32(builder, loc, stages);
  Value phase = arith::DivUIOp::create(builder, loc, number, count);
  return {
      arith::RemUIOp::create(builder, loc, number, count),
      arith::AndIOp::create(builder, loc, phase, createI32(builder, loc, 1))};
}

/// Waits until the phase of this parity is over.
static void emitWait(OpBuilder &builder, Location loc, Value barrier,
                     Value parity, NVVM::MemScopeKind scope) {
  scf::WhileOp::create(
      builder, loc, TypeRange(), ValueRange(),
      [&](OpBuilder &inner, Location, ValueRange) {
        Value isOver = NVVM::MBarrierTryWaitOp::create(
            inner, loc, inner.getI1Type(), barrier, parity,
            /*ticks=*/Value(), scope);
        Value one = arith::ConstantIntOp::create(inner, loc, 1, 1);
        Value isPending = arith::XOrIOp::create(inner, loc, isOver, one);
        scf::ConditionOp::create(inner, loc, isPending, ValueRange());
      },
      [&](OpBuilder &inner, Location, ValueRange) {
        scf::YieldOp::create(inner, loc);
      });
}

void ChannelLowering::lower(OpBuilder &builder, ChannelAcquireOp access) {
  Location loc = access.getLoc();
  Turn turn = getTurn(builder, loc, access.getIteration(), stages);
  Value before = arith::XOrIOp::create(builder, loc, turn.parity,
                                       createI32(builder, loc, 1));
  emitWait(builder, loc, getBarrier(builder, loc, /*isFull=*/false, turn.stage),
           before, getScope());
  NVVM::MBarrierArriveExpectTxOp::create(
      builder, loc, Type(),
      getBarrier(builder, loc, /*isFull=*/true, turn.stage),
      createI32(builder, loc, access.getBytesAttr().getInt()),
      NVVM::MemScopeKind::CTA, /*relaxed=*/false, /*predicate=*/Value());
  Value stage = arith::IndexCastUIOp::create(
      builder, loc, builder.getIndexType(), turn.stage);
  access.getStage().replaceAllUsesWith(stage);
}

void ChannelLowering::lower(OpBuilder &builder, ChannelWaitOp access) {
  Location loc = access.getLoc();
  Turn turn = getTurn(builder, loc, access.getIteration(), stages);
  emitWait(builder, loc, getBarrier(builder, loc, /*isFull=*/true, turn.stage),
           turn.parity, getScope());
  Value stage = arith::IndexCastUIOp::create(
      builder, loc, builder.getIndexType(), turn.stage);
  access.getStage().replaceAllUsesWith(stage);
}

/// One lane of each warp arrives for each program of the cluster.
void ChannelLowering::lower(OpBuilder &builder, ChannelReleaseOp access) {
  Location loc = access.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                       access.getIteration(), zero);
  Value lane = getLane(builder, loc);
  Value isOne = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult,
                                      lane, createI32(builder, loc, cluster));
  auto guard = scf::IfOp::create(
      builder, loc, arith::AndIOp::create(builder, loc, exists, isOne));
  builder.setInsertionPoint(guard.thenYield());
  Turn turn = getTurn(builder, loc, access.getIteration(), stages);
  Value barrier = getBarrier(builder, loc, /*isFull=*/false, turn.stage);
  if (cluster > 1)
    barrier = NVVM::MapaOp::create(
        builder, loc,
        LLVM::LLVMPointerType::get(builder.getContext(), kClusterSpace),
        barrier, lane);
  NVVM::MBarrierArriveOp::create(builder, loc, Type(), barrier,
                                 /*count=*/Value(), getScope());
}

void ChannelLowering::lower(OpBuilder &builder, BulkLoadOp copy) {
  Location loc = copy.getLoc();
  Value stage = toI32(builder, loc, copy.getStage());
  emitBulkLoad(builder, copy, stage,
               getBarrier(builder, loc, /*isFull=*/true, stage));
}

/// All threads of the cluster's programs wait for each other.
static void emitClusterBarrier(OpBuilder &builder, Location loc) {
  NVVM::ClusterArriveOp::create(builder, loc, UnitAttr());
  NVVM::ClusterWaitOp::create(builder, loc, UnitAttr());
}

/// One thread makes the barriers, before all others go on.
void ChannelLowering::emitInit() {
  Location loc = op.getLoc();
  OpBuilder builder(op);
  int64_t numReleasing = 1;
  for (Operation *user : op->getUsers())
    if (isa<ChannelReleaseOp>(user)) {
      auto [roles, role] = RolesOp::find(user);
      numReleasing = roles.getWarps()[role];
    }
  Value isFirst = isEqual(builder, loc, getThread(builder, loc), 0);
  auto guard = scf::IfOp::create(builder, loc, isFirst);
  builder.setInsertionPoint(guard.thenYield());
  for (bool isFull : {true, false})
    for (int64_t stage = 0; stage < stages; ++stage)
      NVVM::MBarrierInitOp::create(
          builder, loc,
          getBarrier(builder, loc, isFull, createI32(builder, loc, stage)),
          createI32(builder, loc, isFull ? 1 : numReleasing * cluster),
          /*predicate=*/Value());
  NVVM::FenceMbarrierInitOp::create(builder, loc);
  builder.setInsertionPointAfter(guard);
  if (cluster > 1)
    emitClusterBarrier(builder, loc);
  else
    gpu::BarrierOp::create(builder, loc);
}

void ChannelLowering::lower() {
  emitInit();
  for (Operation *user : llvm::make_early_inc_range(op->getUsers())) {
    OpBuilder builder(user);
    llvm::TypeSwitch<Operation *>(user)
        .Case<ChannelAcquireOp, ChannelWaitOp, ChannelReleaseOp, BulkLoadOp>(
            [&](auto access) { lower(builder, access); });
    user->erase();
  }
  op->erase();
}

void to_gpu::lowerChannels(gpu::GPUFuncOp function) {
  SmallVector<ChannelOp> channels;
  function.walk([&](ChannelOp op) { channels.push_back(op); });
  int64_t cluster = getCluster(function);
  for (ChannelOp op : channels)
    ChannelLowering(op, cluster).lower();
  if (cluster == 1)
    return;
  function.walk([&](gpu::ReturnOp op) {
    OpBuilder builder(op);
    emitClusterBarrier(builder, op.getLoc());
  });
}
