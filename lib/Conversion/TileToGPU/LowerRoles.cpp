//===- LowerRoles.cpp - Roles, channels and bulk copies of a thread -------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before tiles become vectors, for none of this is on tiles: roles become
// branches by the number of the warp, and channels mbarriers. A channel of N
// stages has N that bytes complete ("full"), behind them N that the warps which
// release arrive at ("empty"). Iteration i has stage i mod N, in phase i / N of
// its barriers: who waits for bytes waits for the end of that phase, and who
// acquires for that of the phase before, which is the end of none for the first
// N iterations (PTX ISA, "Phase of the mbarrier object"; the parity of the
// phase before the first one counts as complete).
//
// Barriers in a role are those of its warps alone, and have a number of their
// own: 0 is that of the program.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "Registers.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::to_gpu;
using machine::kWarpSize;

static constexpr int64_t kBarrierBytes = 8;
/// Registers of a multiprocessor.
static constexpr int64_t kAllRegisters = 65536;
static constexpr unsigned kClusterSpace = 7;

static Value emitCompare(OpBuilder &builder, Location loc,
                         arith::CmpIPredicate predicate, Value value,
                         int32_t number) {
  return arith::CmpIOp::create(builder, loc, predicate, value,
                               createI32(builder, loc, number));
}

static Value toI32(OpBuilder &builder, Location loc, Value index) {
  return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), index);
}

//===----------------------------------------------------------------------===//
// Channels
//===----------------------------------------------------------------------===//

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
  Value isFirst = emitCompare(builder, loc, arith::CmpIPredicate::eq,
                              getLane(builder, loc), 0);
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
  layout::LinearLayout stageLayout = *getStageLayout(buffer, tile.getShape());
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
    // The element that the box begins with.
    SmallVector<int32_t> origin(axes.size());
    SmallVector<Value> coordinates = indices;
    int64_t rest = box;
    for (size_t i = axes.size(); i-- > 0; rest /= numBoxes[i]) {
      origin[i] = rest % numBoxes[i] * map.getBox()[axes[i]];
      if (origin[i] != 0)
        coordinates[axes[i]] =
            arith::AddIOp::create(builder, loc, coordinates[axes[i]],
                                  createI32(builder, loc, origin[i]));
    }
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
  Value isFirst = emitCompare(builder, loc, arith::CmpIPredicate::eq,
                              getThread(builder, loc), 0);
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

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

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

static void lowerRoles(RolesOp op) {
  Location loc = op.getLoc();
  OpBuilder builder(op);
  Value warp = emitUniformWarp(builder, loc);
  int64_t share = llvm::alignDown(
      uint64_t(kAllRegisters / (op.getNumWarps() * kWarpSize)), 8);
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
      int64_t count = (*registers)[role];
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
    SmallVector<ChannelOp> channels;
    SmallVector<RolesOp> roles;
    function.walk([&](ChannelOp op) { channels.push_back(op); });
    function.walk([&](RolesOp op) { roles.push_back(op); });
    for (ChannelOp op : channels)
      ChannelLowering(op).lower();
    for (RolesOp op : roles)
      ::lowerRoles(op);
    passMaps(function);
  }
}
