//===- BulkCopies.cpp - Bulk copies of a thread ---------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A copy becomes an instruction for each box of its map. Bulk stores are groups
// of one copy each, for which the thread that began them waits (PTX ISA,
// "cp.async.bulk.wait_group").
//
//===----------------------------------------------------------------------===//

#include "BulkCopies.h"
#include "Patterns.h"
#include "Registers.h"

#include "tileir/Dialect/Tile/IR/BulkCopy.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::to_gpu;

Value to_gpu::toI32(OpBuilder &builder, Location loc, Value index) {
  return arith::IndexCastOp::create(builder, loc, builder.getI32Type(), index);
}

namespace {

/// The boxes of a copy: where they are in memory, and in shared memory.
class Boxes {
public:
  /// `stage` is an i32, or null if the buffer has no stages. With `rank`, the
  /// number of the program in its cluster, those of its part.
  Boxes(OpBuilder &builder, const BulkCopy &copy, Value stage, Value rank);

  /// Calls `visit` with a pointer to shared memory and the coordinates of each
  /// box, the innermost one first.
  void forEach(function_ref<void(Value, ArrayRef<Value>)> visit);

  /// The address of the map.
  Value getMap() {
    return UnrealizedConversionCastOp::create(
               builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
               copy.memory->get())
        .getResult(0);
  }

private:
  int64_t getPlace(ArrayRef<int64_t> begins) const;
  Value addTo(Value value, int64_t constant) {
    return arith::AddIOp::create(builder, loc, value,
                                 createI32(builder, loc, constant));
  }

  OpBuilder &builder;
  const BulkCopy &copy;
  Location loc;
  layout::LinearLayout stageLayout, places;
  SmallVector<int64_t> numBoxes;
  /// Where the copy begins in shared memory, in bytes, and in memory.
  Value begin;
  SmallVector<Value> indices;
};

} // namespace

Boxes::Boxes(OpBuilder &builder, const BulkCopy &copy, Value stage, Value rank)
    : builder(builder), copy(copy), loc(copy.op->getLoc()),
      stageLayout(
          *getStageLayout(copy.buffer.getType(), copy.stage.getShape())),
      places(*stageLayout.invert()), numBoxes(copy.countBoxes()) {
  begin = createI32(builder, loc,
                    *copy.buffer.getDefiningOp<AllocOp>().getOffset());
  int64_t bytes =
      copy.stage.getNumElements() * copy.stage.getElementTypeBitWidth() / 8;
  if (stage)
    begin = arith::AddIOp::create(
        builder, loc, begin,
        arith::MulIOp::create(builder, loc, stage,
                              createI32(builder, loc, bytes)));
  indices = llvm::map_to_vector(
      copy.indices, [&](Value index) { return toI32(builder, loc, index); });
  if (!rank)
    return;
  // Each program of a cluster copies its part of the boxes along an axis.
  // Places of parts are equally far apart: their sizes are powers of two, and
  // multiples of what a swizzle mixes.
  unsigned shared = copy.findSharedAxis();
  numBoxes[shared] /= copy.programs;
  int64_t size = copy.tile.getDimSize(shared) / copy.programs;
  SmallVector<int64_t> begins(copy.axes.size(), 0);
  begins[shared] = size;
  auto getPart = [&](int64_t distance) -> Value {
    return arith::MulIOp::create(builder, loc, rank,
                                 createI32(builder, loc, distance));
  };
  begin = arith::AddIOp::create(builder, loc, begin, getPart(getPlace(begins)));
  Value &index = indices[copy.axes[shared]];
  index = arith::AddIOp::create(builder, loc, index,
                                getPart(size * copy.steps[shared]));
}

/// Where the element is in a stage that is as far from the first one along the
/// axes of the tile as `begins` say, in bytes.
int64_t Boxes::getPlace(ArrayRef<int64_t> begins) const {
  int64_t number = 0;
  for (auto [begin, size] : llvm::zip_equal(begins, copy.tile.getShape()))
    number = number * size + begin;
  ArrayRef<int64_t> shape = copy.stage.getShape();
  SmallVector<int32_t> origin(shape.size());
  for (size_t i = shape.size(); i-- > 0; number /= shape[i])
    origin[i] = number % shape[i];
  return copy.tile.getElementTypeBitWidth() / 8 *
         int64_t(places.getElementAt(
             {{layout::InDim::Offset, stageLayout.getElement(origin)}}));
}

void Boxes::forEach(function_ref<void(Value, ArrayRef<Value>)> visit) {
  ArrayRef<int64_t> boxSizes = copy.getMap().getBox();
  for (int64_t box = 0, count = llvm::product_of(numBoxes); box < count;
       ++box) {
    // The element of the tile that the box begins with.
    SmallVector<Value> coordinates = indices;
    SmallVector<int64_t> begins(copy.axes.size());
    int64_t rest = box;
    for (size_t i = copy.axes.size(); i-- > 0; rest /= numBoxes[i]) {
      int64_t axis = copy.axes[i];
      begins[i] = rest % numBoxes[i] * boxSizes[axis];
      if (begins[i] != 0)
        coordinates[axis] = addTo(coordinates[axis], begins[i] * copy.steps[i]);
    }
    Value shared = emitShared(builder, loc, addTo(begin, getPlace(begins)));
    // Maps count axes from the innermost one.
    std::reverse(coordinates.begin(), coordinates.end());
    visit(shared, coordinates);
  }
}

void to_gpu::emitBulkLoad(OpBuilder &builder, BulkLoadOp op, Value stage,
                          Value barrier) {
  Location loc = op.getLoc();
  BulkCopy copy = *BulkCopy::get(op);
  Value rank, mask;
  if (copy.programs > 1) {
    rank =
        NVVM::BlockInClusterIdXOp::create(builder, loc, builder.getI32Type());
    mask = LLVM::ConstantOp::create(
        builder, loc, builder.getI16IntegerAttr((1 << copy.programs) - 1));
  }
  Boxes boxes(builder, copy, stage, rank);
  Value map = boxes.getMap();
  boxes.forEach([&](Value to, ArrayRef<Value> coordinates) {
    to = LLVM::AddrSpaceCastOp::create(
        builder, loc,
        LLVM::LLVMPointerType::get(builder.getContext(), kClusterSpace), to);
    NVVM::CpAsyncBulkTensorGlobalToSharedClusterOp::create(
        builder, loc, to, map, coordinates, barrier,
        /*im2colOffsets=*/ValueRange(), /*multicastMask=*/mask,
        /*l2CacheHint=*/Value(), NVVM::TMALoadMode::TILE, /*isCTAOnly=*/false,
        /*group=*/NVVM::CTAGroupKindAttr(), /*predicate=*/Value());
  });
}

/// Sets the builder to where the first thread of the role is alone.
static void enterFirstThread(OpBuilder &builder, Operation *op) {
  auto [roles, role] = RolesOp::find(op);
  int64_t first = roles ? roles.getFirstWarp(role) * machine::kWarpSize : 0;
  Location loc = op->getLoc();
  Value isFirst = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        getThread(builder, loc),
                                        createI32(builder, loc, first));
  auto guard = scf::IfOp::create(builder, loc, isFirst);
  builder.setInsertionPoint(guard.thenYield());
}

static void lower(OpBuilder &builder, BulkStoreOp op) {
  Location loc = op.getLoc();
  enterFirstThread(builder, op);
  BulkCopy copy = *BulkCopy::get(op);
  Boxes boxes(builder, copy, /*stage=*/Value(), /*rank=*/Value());
  Value map = boxes.getMap();
  boxes.forEach([&](Value from, ArrayRef<Value> coordinates) {
    NVVM::CpAsyncBulkTensorSharedCTAToGlobalOp::create(
        builder, loc, map, from, coordinates, /*l2CacheHint=*/Value(),
        NVVM::TMAStoreMode::TILE, /*predicate=*/Value());
  });
  NVVM::CpAsyncBulkCommitGroupOp::create(builder, loc);
}

void to_gpu::lowerBulkStores(gpu::GPUFuncOp function) {
  SmallVector<Operation *> ops;
  function.walk([&](Operation *op) {
    if (isa<BulkStoreOp, BulkStoreWaitOp, ProxyFenceOp>(op))
      ops.push_back(op);
  });
  for (Operation *op : ops) {
    OpBuilder builder(op);
    Location loc = op->getLoc();
    if (auto store = dyn_cast<BulkStoreOp>(op)) {
      lower(builder, store);
    } else if (auto wait = dyn_cast<BulkStoreWaitOp>(op)) {
      enterFirstThread(builder, op);
      NVVM::CpAsyncBulkWaitGroupOp::create(builder, loc,
                                           wait.getPendingAttr().getInt(),
                                           /*read=*/builder.getUnitAttr());
    } else {
      NVVM::FenceProxyOp::create(
          builder, loc, NVVM::ProxyKind::async_shared,
          NVVM::SharedSpaceAttr::get(builder.getContext(),
                                     NVVM::SharedSpace::shared_cta));
    }
    op->erase();
  }
}
