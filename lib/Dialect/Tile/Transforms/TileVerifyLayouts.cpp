//===- TileVerifyLayouts.cpp - tile-verify-layouts ------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The contract of kernels whose tiles have layouts (L in Passes.td): each op
// finds its operands in the registers of its thread, but for conversions,
// reductions and scans, which tile-promote-shared sees to. It comes after
// tile-assign-layouts and changes nothing.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/Analysis/ThreadLayouts.h"
#include "tileir/Dialect/Tile/IR/DeviceMemory.h"
#include "tileir/Dialect/Tile/Transforms/Contracts.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEVERIFYLAYOUTSPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using layout::ConversionPlan;
using layout::InDim;
using layout::LinearLayout;

static constexpr Contract kLayoutContract{"tile-verify-layouts"};

/// L1; the number of warps.
static FailureOr<int64_t> verifyNumWarps(func::FuncOp kernel) {
  auto attr = kernel->getAttrOfType<IntegerAttr>(TileDialect::kNumWarps);
  int64_t numWarps = attr ? attr.getInt() : 0;
  if (llvm::isPowerOf2_64(numWarps) && numWarps <= 32)
    return numWarps;
  return kLayoutContract.violate(kernel, "L1")
         << "expects '" << TileDialect::kNumWarps
         << "', a power of two up to 32, as tile-assign-layouts gives it, "
            "found "
         << numWarps;
}

/// L2 and L3.
static LogicalResult verifyTile(Operation *op, Type type, int64_t numWarps) {
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile)
    return success();
  auto attr = dyn_cast_or_null<LayoutAttr>(tile.getEncoding());
  if (!attr)
    return kLayoutContract.violate(op, "L2")
           << "expects each tile of a kernel to have a layout, as "
              "tile-assign-layouts gives them, found "
           << tile;
  LinearLayout layout = attr.getLayout(tile.getShape());
  if (layout.getSize(InDim::Lane) != 32 ||
      layout.getSize(InDim::Warp) != uint64_t(numWarps) ||
      layout.getNumBits(InDim::Block))
    return kLayoutContract.violate(op, "L3")
           << "expects layouts of 32 lanes and " << numWarps << " warps ('"
           << TileDialect::kNumWarps
           << "' of the kernel), and of one block, found " << tile
           << ": give all tiles layouts for the same warps";
  return success();
}

static LogicalResult verifyTiles(Operation *op, int64_t numWarps) {
  for (Type type : op->getResultTypes())
    if (failed(verifyTile(op, type, numWarps)))
      return failure();
  if (auto copy = dyn_cast<AsyncLoadViewOp>(op))
    return verifyTile(op, copy.getTile(), numWarps);
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Type type : block.getArgumentTypes())
        if (failed(verifyTile(op, type, numWarps)))
          return failure();
  return success();
}

/// L4. Not all ops of math verify it.
static LogicalResult verifyElementwise(Operation *op) {
  Attribute common;
  for (Type type : llvm::concat<Type>(SmallVector<Type>(op->getOperandTypes()),
                                      SmallVector<Type>(op->getResultTypes())))
    if (auto tile = dyn_cast<RankedTensorType>(type)) {
      if (common && tile.getEncoding() != common)
        return kLayoutContract.violate(op, "L4")
               << "expects its operands and results to have one layout; "
                  "tile.convert_layout changes layouts, found "
               << common << " and " << tile.getEncoding();
      common = tile.getEncoding();
    }
  return success();
}

/// L5.
static LogicalResult verifyRetiling(Operation *op) {
  if (mapRetiling(op))
    return success();
  return kLayoutContract.violate(op, "L5")
         << "expects a result in a layout that differs from that of the "
            "operand in registers only; tile.convert_layout moves elements to "
            "other threads, found "
         << op->getOperand(0).getType() << " and "
         << op->getResult(0).getType();
}

/// L6.
static LogicalResult verifyDot(DotOp op) {
  for (Value factor : {op.getA(), op.getB()})
    if (!mapFactors(op, factor))
      return kLayoutContract.violate(op, "L6")
             << "expects each thread to have what its accumulators need of a "
                "and b, in the same registers of all threads, found "
             << factor.getType() << " for " << op.getType()
             << ": tile.convert_layout moves elements to other threads";
  return success();
}

/// L7.
static LogicalResult verifyConstant(arith::ConstantOp op) {
  auto values = dyn_cast<DenseElementsAttr>(op.getValue());
  if (!values || values.isSplat() ||
      isSameInAllThreads(getTileLayout(op.getType()), values))
    return success();
  return kLayoutContract.violate(op, "L7")
         << "expects a constant whose elements are the same in all threads; "
            "compute it from tile.range, or load it";
}

/// L9.
static LogicalResult verifyConversion(ConvertLayoutOp op) {
  if (!isa<PtrType>(getElement(op.getType())) ||
      getConversionPlan(op).kind != ConversionPlan::Kind::SharedMemory)
    return success();
  return kLayoutContract.violate(op, "L9")
         << "expects numbers to be moved through shared memory, found "
            "pointers: convert the offsets that tile.addptr adds instead";
}

/// L10.
static LogicalResult verifyMemRef(Operation *op, Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref || memref.getLayout().isIdentity())
    return success();
  return kLayoutContract.violate(op, "L10")
         << "expects memrefs whose elements are in row-major order without "
            "gaps, found "
         << memref << ": copy it to one";
}

static LogicalResult verifyKernelOp(Operation *op, int64_t numWarps) {
  if (failed(verifyTiles(op, numWarps)))
    return failure();
  if (OpTrait::hasElementwiseMappableTraits(op))
    return verifyElementwise(op);
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case<ReshapeOp, TransOp, BroadcastOp>(verifyRetiling)
      .Case(verifyDot)
      .Case(verifyConstant)
      .Case(verifyConversion)
      .Default(success());
}

LogicalResult tile::verifyLayouts(func::FuncOp kernel) {
  if (failed(verifyControlFlow(kernel)))
    return failure();
  FailureOr<int64_t> numWarps = verifyNumWarps(kernel);
  if (failed(numWarps))
    return failure();
  for (Type type : kernel.getArgumentTypes())
    if (failed(verifyMemRef(kernel, type)))
      return failure();
  auto verify = [&](Operation *op) -> WalkResult {
    return verifyKernelOp(op, *numWarps);
  };
  return failure(kernel.walk<WalkOrder::PreOrder>(verify).wasInterrupted());
}

/// L10 to L12.
static LogicalResult verifyArguments(LaunchOp launch) {
  for (Value argument : launch.getArguments()) {
    if (isa<PtrType>(argument.getType()))
      return kLayoutContract.violate(launch, "L11")
             << "expects memrefs in the place of pointers, found a pointer, at "
                "memory that nothing would copy to the GPU";
    if (isa<MemRefType>(argument.getType()) &&
        !isDeviceMemory(argument.getType()))
      return kLayoutContract.violate(launch, "L12")
             << "expects memrefs of the device, in "
                "#gpu.address_space<global>, as tile-place-buffers gives them, "
                "found "
             << argument.getType();
    if (failed(verifyMemRef(launch, argument.getType())))
      return failure();
  }
  return success();
}

LogicalResult tile::verifyLayouts(ModuleOp module) {
  if (failed(verifyLaunches(module)))
    return failure();
  for (auto kernel : module.getOps<func::FuncOp>())
    if (isKernel(kernel) && failed(verifyLayouts(kernel)))
      return failure();
  auto verify = [](LaunchOp launch) -> WalkResult {
    return verifyArguments(launch);
  };
  return failure(module.walk(verify).wasInterrupted());
}

namespace {
struct TileVerifyLayoutsPass
    : tileir::tile::impl::TileVerifyLayoutsPassBase<TileVerifyLayoutsPass> {
  using TileVerifyLayoutsPassBase::TileVerifyLayoutsPassBase;

  void runOnOperation() override {
    if (failed(verifyLayouts(getOperation())))
      return signalPassFailure();
    numKernels += llvm::count_if(getOperation().getOps<func::FuncOp>(),
                                 [](func::FuncOp op) { return isKernel(op); });
  }
};
} // namespace
