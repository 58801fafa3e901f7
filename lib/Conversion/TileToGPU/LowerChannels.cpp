//===- LowerChannels.cpp - Channels and bulk copies of a thread -----------===//
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
//===----------------------------------------------------------------------===//

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
static constexpr unsigned kClusterSpace = 7;

static Value isEqual(OpBuilder &builder, Location loc, Value value,
                     int32_t number) {
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value,
                               createI32(builder, loc, number));
}

static Value toI32(OpBuilder &builder, Location loc, Value index) {
  return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), index);
}

namespace {

/// Emits what a thread does with a channel.
class ChannelLowering {
public:
  explicit ChannelLowering(ChannelOp op)
      : op(op), offset(*op.getOffset()), stages(op.getStages()) {}

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

  ChannelOp op;
  int64_t offset, stages;
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
                     Value parity) {
  scf::WhileOp::create(
      builder, loc, TypeRange(), ValueRange(),
      [&](OpBuilder &inner, Location, ValueRange) {
        Value isOver = NVVM::MBarrierTryWaitOp::create(
            inner, loc, inner.getI1Type(), barrier, parity,
            /*ticks=*/Value());
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
           before);
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
           turn.parity);
  Value stage = arith::IndexCastUIOp::create(
      builder, loc, builder.getIndexType(), turn.stage);
  access.getStage().replaceAllUsesWith(stage);
}

/// One lane of each warp arrives.
void ChannelLowering::lower(OpBuilder &builder, ChannelReleaseOp access) {
  Location loc = access.getLoc();
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  Value exists = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge,
                                       access.getIteration(), zero);
  Value isFirst = isEqual(builder, loc, getLane(builder, loc), 0);
  auto guard = scf::IfOp::create(
      builder, loc, arith::AndIOp::create(builder, loc, exists, isFirst));
  builder.setInsertionPoint(guard.thenYield());
  Turn turn = getTurn(builder, loc, access.getIteration(), stages);
  NVVM::MBarrierArriveOp::create(
      builder, loc, Type(),
      getBarrier(builder, loc, /*isFull=*/false, turn.stage),
      /*count=*/Value());
}

void ChannelLowering::lower(OpBuilder &builder, BulkLoadOp copy) {
  Location loc = copy.getLoc();
  auto map = cast<TensorMapType>(copy.getSource().getType());
  RankedTensorType tile = copy.getTile();
  BufferType buffer = copy.getBuffer().getType();
  ArrayRef<int64_t> stageShape = copy.getStageType().getShape();
  layout::LinearLayout stageLayout = *getStageLayout(buffer, stageShape);
  layout::LinearLayout places = *stageLayout.invert();
  int64_t bytes = tile.getElementTypeBitWidth() / 8;
  SmallVector<int64_t> axes = copy.listAxes();
  SmallVector<int64_t> numBoxes;
  for (auto [axis, size] : llvm::zip_equal(axes, tile.getShape()))
    numBoxes.push_back(size / map.getBox()[axis]);

  Value address =
      UnrealizedConversionCastOp::create(
          builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
          copy.getSource())
          .getResult(0);
  Value stage = toI32(builder, loc, copy.getStage());
  Value barrier = getBarrier(builder, loc, /*isFull=*/true, stage);
  Value begin = arith::AddIOp::create(
      builder, loc,
      createI32(builder, loc,
                *copy.getBuffer().getDefiningOp<AllocOp>().getOffset()),
      arith::MulIOp::create(builder, loc, stage,
                            createI32(builder, loc, copy.getNumBytes())));
  SmallVector<Value> indices =
      llvm::map_to_vector(copy.getIndices(), [&](Value index) {
        return toI32(builder, loc, index);
      });
  for (int64_t box = 0, count = llvm::product_of(numBoxes); box < count;
       ++box) {
    // The element that the box begins with: in the tile, whose elements are
    // those of the stage in row-major order, and so in the stage.
    SmallVector<Value> coordinates = indices;
    int64_t rest = box, number = 0, weight = 1;
    for (size_t i = axes.size(); i-- > 0; rest /= numBoxes[i]) {
      int64_t begin = rest % numBoxes[i] * map.getBox()[axes[i]];
      number += begin * weight;
      weight *= tile.getDimSize(i);
      if (begin != 0)
        coordinates[axes[i]] = arith::AddIOp::create(
            builder, loc, coordinates[axes[i]], createI32(builder, loc, begin));
    }
    SmallVector<int32_t> origin(stageShape.size());
    for (size_t i = stageShape.size(); i-- > 0; number /= stageShape[i])
      origin[i] = number % stageShape[i];
    uint64_t place = places.getElementAt(
        {{layout::InDim::Offset, stageLayout.getElement(origin)}});
    Value to = emitShared(
        builder, loc,
        arith::AddIOp::create(builder, loc, begin,
                              createI32(builder, loc, place * bytes)));
    to = LLVM::AddrSpaceCastOp::create(
        builder, loc,
        LLVM::LLVMPointerType::get(builder.getContext(), kClusterSpace), to);
    // Maps count axes from the innermost one.
    std::reverse(coordinates.begin(), coordinates.end());
    NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
        builder, loc, to, address, coordinates, barrier,
        /*im2colOffsets=*/ValueRange(), /*multicastMask=*/Value(),
        /*l2CacheHint=*/Value(), NVVM::TMALoadMode::TILE, /*isCTAOnly=*/false,
        /*group=*/NVVM::CTAGroupKindAttr(), /*predicate=*/Value());
  }
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
          createI32(builder, loc, isFull ? 1 : numReleasing),
          /*predicate=*/Value());
  NVVM::FenceMbarrierInitOp::create(builder, loc);
  builder.setInsertionPointAfter(guard);
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
  for (ChannelOp op : channels)
    ChannelLowering(op).lower();
}
