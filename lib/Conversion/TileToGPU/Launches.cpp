//===- Launches.cpp - Kernels become GPU functions, launches copy ---------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel moves into a GPU module with its body; its types are converted
// later. Host and GPU have memory of their own: a launch allocates device
// memory for each memref that it passes, copies it there, passes addresses and
// dynamic sizes, and copies back what the kernel may have written. Memrefs that
// are casts or other shapes of one memref are copied once.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using layout::InDim;

static constexpr unsigned kWarpSize = 32;
/// Of device memory, in bytes: what one access needs at most.
static constexpr int64_t kAlignment = 16;

static int64_t getInteger(Operation *op, StringRef name) {
  auto attr = op->getAttrOfType<IntegerAttr>(name);
  return attr ? attr.getInt() : 0;
}

//===----------------------------------------------------------------------===//
// What can be lowered
//===----------------------------------------------------------------------===//

/// Tiles have layouts for the warps of the kernel.
static LogicalResult checkTile(Operation *op, Type type, int64_t numWarps) {
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile)
    return success();
  auto attr = dyn_cast_or_null<LayoutAttr>(tile.getEncoding());
  if (!attr)
    return op->emitError("expects each tile of a kernel to have a layout, as "
                         "tile-assign-layouts gives them, found ")
           << tile;
  layout::LinearLayout layout = attr.getLayout(tile.getShape());
  if (layout.getSize(InDim::Lane) != kWarpSize ||
      layout.getSize(InDim::Warp) != uint64_t(numWarps) ||
      layout.getNumBits(InDim::Block))
    return op->emitError("expects layouts of 32 lanes and ")
           << numWarps << " warps ('" << TileDialect::kNumWarps
           << "' of the kernel), and of one block, found " << tile;
  return success();
}

static LogicalResult checkTiles(Operation *op, int64_t numWarps) {
  auto check = [&](Type type) { return checkTile(op, type, numWarps); };
  for (Type type : op->getResultTypes())
    if (failed(check(type)))
      return failure();
  for (Region &region : op->getRegions())
    for (Block &block : region)
      for (Type type : block.getArgumentTypes())
        if (failed(check(type)))
          return failure();
  // Not all ops of math verify that their elements are in the same places.
  if (!OpTrait::hasElementwiseMappableTraits(op))
    return success();
  Attribute common;
  for (Type type : llvm::concat<Type>(SmallVector<Type>(op->getOperandTypes()),
                                      SmallVector<Type>(op->getResultTypes())))
    if (auto tile = dyn_cast<RankedTensorType>(type)) {
      if (common && tile.getEncoding() != common)
        return op->emitError("expects its operands and results to have one "
                             "layout; tile.convert_layout changes layouts");
      common = tile.getEncoding();
    }
  return success();
}

static LogicalResult checkMemRef(Operation *op, Type type) {
  auto memref = dyn_cast<MemRefType>(type);
  if (!memref)
    return success();
  if (!memref.getLayout().isIdentity())
    return op->emitError("expects memrefs whose elements are in row-major "
                         "order without gaps, found ")
           << memref;
  return success();
}

static LogicalResult checkKernel(func::FuncOp kernel) {
  if (kernel.isExternal())
    return kernel.emitError("expects a kernel with a body, found a "
                            "declaration of @")
           << kernel.getName();
  int64_t numWarps = getInteger(kernel, TileDialect::kNumWarps);
  if (!llvm::isPowerOf2_64(numWarps) || numWarps > 32)
    return kernel.emitError("expects '")
           << TileDialect::kNumWarps
           << "', a power of two up to 32, as tile-assign-layouts gives it";
  for (Type type : kernel.getArgumentTypes())
    if (failed(checkMemRef(kernel, type)))
      return failure();
  WalkResult walked = kernel.walk(
      [&](Operation *op) -> WalkResult { return checkTiles(op, numWarps); });
  return failure(walked.wasInterrupted());
}

static LogicalResult checkLaunch(LaunchOp launch) {
  for (Value argument : launch.getArguments()) {
    if (isa<PtrType>(argument.getType()))
      return launch.emitError("expects memrefs in the place of pointers, found "
                              "a pointer, at memory that nothing would copy "
                              "to the GPU");
    if (failed(checkMemRef(launch, argument.getType())))
      return failure();
  }
  return success();
}

LogicalResult tile::checkKernels(ModuleOp module) {
  SymbolTableCollection tables;
  SymbolUserMap users(tables, module);
  for (auto kernel : module.getOps<func::FuncOp>()) {
    if (!isKernel(kernel))
      continue;
    if (failed(checkKernel(kernel)))
      return failure();
    for (Operation *user : users.getUsers(kernel)) {
      auto launch = dyn_cast<LaunchOp>(user);
      if (!launch)
        return user->emitError("expects kernel @")
               << kernel.getName() << " to be run by 'tile.launch', found '"
               << user->getName() << "'";
      if (failed(checkLaunch(launch)))
        return failure();
    }
  }
  return success();
}

void tile::addLaunchFacts(ModuleOp module) {
  module.walk([](LaunchOp launch) {
    auto kernel = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        launch, launch.getKernelAttr());
    for (auto [i, type] : llvm::enumerate(kernel.getArgumentTypes())) {
      auto known =
          kernel.getArgAttrOfType<IntegerAttr>(i, TileDialect::kMultipleOf);
      if (isa<PtrType>(type) && !(known && known.getInt() % kAlignment == 0))
        kernel.setArgAttr(i, TileDialect::kMultipleOf,
                          Builder(launch).getI64IntegerAttr(kAlignment));
    }
  });
}

//===----------------------------------------------------------------------===//
// Launches
//===----------------------------------------------------------------------===//

Value tile::getCopied(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    if (!isa<memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp>(
            op))
      break;
    auto source = dyn_cast<MemRefType>(op->getOperand(0).getType());
    if (!source || !source.getLayout().isIdentity())
      break;
    memref = op->getOperand(0);
  }
  return memref;
}

static SmallVector<Value> getDynamicSizes(OpBuilder &builder, Location loc,
                                          Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<Value> sizes;
  for (int64_t axis = 0; axis < type.getRank(); ++axis)
    if (type.isDynamicDim(axis))
      sizes.push_back(memref::DimOp::create(builder, loc, memref, axis));
  return sizes;
}

static Value castToI64(OpBuilder &builder, Location loc, Value index) {
  return arith::IndexCastOp::create(builder, loc, builder.getI64Type(), index);
}

namespace {
/// What stands on the device for a memref.
struct DeviceCopy {
  Value memref, address;
  bool written = false;
};
} // namespace

static DeviceCopy copyToDevice(OpBuilder &builder, Location loc, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  Value device =
      gpu::AllocOp::create(
          builder, loc, MemRefType::get(type.getShape(), type.getElementType()),
          /*asyncToken=*/Type(), /*asyncDependencies=*/{},
          getDynamicSizes(builder, loc, memref),
          /*symbolOperands=*/{})
          .getMemref();
  gpu::MemcpyOp::create(builder, loc, TypeRange(), ValueRange(), device,
                        memref);
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, device);
  return {device, castToI64(builder, loc, address)};
}

/// Whether the grid has programs: null if it is known to. A GPU does not take
/// grids of size 0.
static Value emitHasPrograms(OpBuilder &builder, LaunchOp op) {
  Value all;
  for (Value size : {op.getGridX(), op.getGridY(), op.getGridZ()}) {
    std::optional<int64_t> number = getConstantIntValue(size);
    if (number && *number > 0)
      continue;
    Value zero = arith::ConstantIndexOp::create(builder, op.getLoc(), 0);
    Value some = arith::CmpIOp::create(builder, op.getLoc(),
                                       arith::CmpIPredicate::sgt, size, zero);
    all =
        all ? arith::AndIOp::create(builder, op.getLoc(), all, some).getResult()
            : some;
  }
  return all;
}

static void lowerLaunch(LaunchOp op, func::FuncOp kernel,
                        gpu::GPUFuncOp function) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  llvm::MapVector<Value, DeviceCopy> copies;
  SmallVector<Value> arguments;
  for (auto [i, value] : llvm::enumerate(op.getArguments())) {
    if (!isa<MemRefType>(value.getType())) {
      arguments.push_back(value);
      continue;
    }
    Value copied = getCopied(value);
    DeviceCopy &copy = copies[copied];
    if (!copy.memref)
      copy = copyToDevice(builder, loc, copied);
    copy.written |= !kernel.getArgAttr(i, TileDialect::kReadOnly);
    arguments.push_back(copy.address);
    if (isa<MemRefType>(kernel.getArgumentTypes()[i]))
      for (Value size : getDynamicSizes(builder, loc, value))
        arguments.push_back(castToI64(builder, loc, size));
  }

  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  Value threads = arith::ConstantIndexOp::create(
      builder, loc, function.getKnownBlockSizeAttr()[0]);
  Value shared;
  if (int64_t bytes = getInteger(kernel, TileDialect::kSharedBytes))
    shared = arith::ConstantIntOp::create(builder, loc, bytes, 32);
  auto launch = [&](OpBuilder &inner) {
    gpu::LaunchFuncOp::create(
        inner, loc, function,
        gpu::KernelDim3{op.getGridX(), op.getGridY(), op.getGridZ()},
        gpu::KernelDim3{threads, one, one}, shared, arguments);
  };
  if (Value hasPrograms = emitHasPrograms(builder, op))
    scf::IfOp::create(builder, loc, hasPrograms,
                      [&](OpBuilder &inner, Location) {
                        launch(inner);
                        scf::YieldOp::create(inner, loc);
                      });
  else
    launch(builder);

  for (auto &[host, copy] : copies)
    if (copy.written)
      gpu::MemcpyOp::create(builder, loc, TypeRange(), ValueRange(), host,
                            copy.memref);
  for (auto &[host, copy] : copies)
    gpu::DeallocOp::create(builder, loc, TypeRange(), ValueRange(),
                           copy.memref);
  op.erase();
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

static gpu::GPUFuncOp moveKernel(func::FuncOp kernel,
                                 gpu::GPUModuleOp kernels) {
  OpBuilder builder = OpBuilder::atBlockEnd(kernels.getBody());
  auto function = gpu::GPUFuncOp::create(
      builder, kernel.getLoc(), kernel.getName(), kernel.getFunctionType());
  function->setAttr(gpu::GPUDialect::getKernelFuncAttrName(),
                    builder.getUnitAttr());
  int32_t threads = kWarpSize * getInteger(kernel, TileDialect::kNumWarps);
  function.setKnownBlockSizeAttr(builder.getDenseI32ArrayAttr({threads, 1, 1}));
  function.getBody().takeBody(kernel.getBody());
  for (auto op : llvm::make_early_inc_range(
           function.getBody().getOps<func::ReturnOp>())) {
    builder.setInsertionPoint(op);
    gpu::ReturnOp::create(builder, op.getLoc());
    op.erase();
  }
  return function;
}

/// Shared memory, whose size launches tell.
static void declareSharedMemory(gpu::GPUModuleOp kernels) {
  OpBuilder builder = OpBuilder::atBlockBegin(kernels.getBody());
  LLVM::GlobalOp::create(builder, kernels.getLoc(),
                         LLVM::LLVMArrayType::get(builder.getI8Type(), 0),
                         /*isConstant=*/false, LLVM::Linkage::External,
                         kSharedMemory, Attribute(), /*alignment=*/16,
                         /*addrSpace=*/3);
}

gpu::GPUModuleOp tile::moveKernels(ModuleOp module) {
  SmallVector<func::FuncOp> all = llvm::to_vector(
      llvm::make_filter_range(module.getOps<func::FuncOp>(), isKernel));
  if (all.empty())
    return {};
  SymbolTable table(module);
  OpBuilder builder(module.getContext());
  auto kernels = gpu::GPUModuleOp::create(builder, module.getLoc(), "kernels");
  table.insert(kernels, module.getBody()->begin());
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(),
                  builder.getUnitAttr());
  if (llvm::any_of(all, [](func::FuncOp kernel) {
        return getInteger(kernel, TileDialect::kSharedBytes) > 0;
      }))
    declareSharedMemory(kernels);

  SymbolTableCollection tables;
  SymbolUserMap users(tables, module);
  for (func::FuncOp kernel : all) {
    gpu::GPUFuncOp function = moveKernel(kernel, kernels);
    for (Operation *user : users.getUsers(kernel))
      lowerLaunch(cast<LaunchOp>(user), kernel, function);
    kernel.erase();
  }
  return kernels;
}
