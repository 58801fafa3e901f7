//===- HostBuffers.cpp - Memory of host code that kernels access ----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Starting at the operands of launches, values are followed through views, and
// through whatever else takes and gives memrefs: regions, calls, selections.
// What is reached is one buffer. Only if all of it are views of one memref,
// whose place in the program is known, can that memref have a counterpart on
// the device.
//
//===----------------------------------------------------------------------===//

#include "HostBuffers.h"

#include "tileir/Dialect/Tile/IR/DeviceMemory.h"
#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

/// The alignment of device memory, in bytes, that a kernel's widest access
/// needs.
static constexpr int64_t kViewAlignment = 16;

static bool isMemRef(Value value) {
  return isa<BaseMemRefType>(value.getType());
}

static bool isContiguous(Value memref) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  return type && type.getLayout().isIdentity();
}

/// Whether `op` gives a view of its first operand at an address that kernels
/// can take.
static bool isView(Operation *op) {
  if (!isa<ViewLikeOpInterface>(op) || isa<memref::MemorySpaceCastOp>(op) ||
      op->getNumResults() != 1 || !isa<MemRefType>(op->getResult(0).getType()))
    return false;
  if (auto view = dyn_cast<memref::ViewOp>(op)) {
    APInt shift;
    return matchPattern(view.getByteShift(), m_ConstantInt(&shift)) &&
           shift.getSExtValue() % kViewAlignment == 0;
  }
  return isMemRef(op->getOperand(0)) &&
         llvm::count_if(op->getOperands(), isMemRef) == 1;
}

Value tile::skipReshapes(Value memref) {
  while (Operation *op = memref.getDefiningOp()) {
    if (!isa<memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp>(
            op) ||
        !isContiguous(op->getOperand(0)))
      break;
    memref = op->getOperand(0);
  }
  return memref;
}

//===----------------------------------------------------------------------===//
// Which values are one buffer
//===----------------------------------------------------------------------===//

/// Whether the memref results of `op` are memory of their own.
static bool makesMemory(Operation *op) {
  return llvm::none_of(op->getOperands(), isMemRef) && op->getNumRegions() == 0;
}

/// All memrefs that go into `op`, come out of it, or pass through its regions.
static void addMemRefsOf(Operation *op, llvm::SetVector<Value> &values) {
  auto add = [&](ValueRange range) {
    for (Value value : range)
      if (isMemRef(value))
        values.insert(value);
  };
  add(op->getOperands());
  add(op->getResults());
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      add(block.getArguments());
      if (block.mightHaveTerminator())
        add(block.getTerminator()->getOperands());
    }
}

/// Whether memrefs that go into `op` may come out of it, or into its regions.
static bool passesOn(Operation *op) {
  return !isa<func::ReturnOp>(op) &&
         (op->hasTrait<OpTrait::IsTerminator>() || op->getNumRegions() ||
          llvm::any_of(op->getResults(), isMemRef));
}

void HostBuffers::collect(Value value) {
  auto &buffer = buffers.emplace_back(std::make_unique<HostBuffer>());
  llvm::SetVector<Value> &values = buffer->values;
  values.insert(value);
  for (unsigned i = 0; i < values.size(); ++i) {
    Value next = values[i];
    if (Operation *op = next.getDefiningOp(); op && !makesMemory(op))
      addMemRefsOf(op, values);
    else if (auto argument = dyn_cast<BlockArgument>(next);
             argument && argument.getOwner() != &function.front())
      addMemRefsOf(argument.getOwner()->getParentOp(), values);
    for (Operation *user : next.getUsers()) {
      if (user->hasTrait<OpTrait::IsTerminator>() && passesOn(user))
        addMemRefsOf(user->getParentOp(), values);
      else if (passesOn(user) && !isa<linalg::LinalgOp>(user))
        addMemRefsOf(user, values);
    }
  }
  for (Value each : values)
    map[each] = buffer.get();
}

/// Whether the address is only compared, as buffer deallocation does.
static bool isCompared(Operation *taken) {
  return llvm::all_of(taken->getUsers(), [](Operation *user) {
    return isa<arith::CmpIOp, memref::StoreOp>(user) ||
           (isa<arith::IndexCastOp>(user) && isCompared(user));
  });
}

bool tile::isOnDeviceArgument(Value value, func::FuncOp function) {
  auto argument = dyn_cast<BlockArgument>(value);
  return argument && argument.getOwner() == &function.front() &&
         function.getArgAttr(argument.getArgNumber(), TileDialect::kOnDevice);
}

bool tile::isConstantMemory(Value memref) {
  auto get = memref.getDefiningOp<memref::GetGlobalOp>();
  auto global = get ? SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
                          get, get.getNameAttr())
                    : memref::GlobalOp();
  return global && global.getConstant();
}

/// A memref whose elements nothing else knows of.
static bool canBeRoot(Value value, func::FuncOp function) {
  if (!isContiguous(value) ||
      cast<MemRefType>(value.getType()).getMemorySpace())
    return false;
  Operation *op = value.getDefiningOp();
  if (!op)
    return cast<BlockArgument>(value).getOwner() == &function.front();
  return isConstantMemory(value) || isa<memref::AllocOp, memref::AllocaOp>(op);
}

void HostBuffers::findRoot(HostBuffer &buffer) {
  Value root;
  for (Value value : buffer.values) {
    if (Operation *op = value.getDefiningOp(); op && isView(op))
      continue;
    if (root || !canBeRoot(value, function)) {
      buffer.reason = root ? "it may be one of several buffers"
                           : "it is not an argument, an allocation or a "
                             "constant, without gaps";
      return;
    }
    root = value;
  }
  for (Value value : buffer.values)
    for (Operation *user : value.getUsers())
      if (isa<memref::ExtractAlignedPointerAsIndexOp>(user) &&
          !isCompared(user)) {
        buffer.reason = "its address is taken";
        return;
      }
  buffer.root = root;
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// Whether a copy or fill can be done by the device. Values are set in steps of
/// 16 or 32 bits.
bool HostBuffers::isOnDevice(OpOperand &operand) const {
  Operation *op = operand.getOwner();
  if (isa<LaunchOp>(op))
    return true;
  auto isWhole = [&](Value memref) {
    HostBuffer *buffer = lookup(memref);
    return isContiguous(memref) &&
           (!buffer || !buffer->root || skipReshapes(memref) == buffer->root);
  };
  if (auto fill = dyn_cast<linalg::FillOp>(op)) {
    Type type = fill.value().getType();
    return isWhole(operand.get()) && type.isIntOrFloat() &&
           llvm::is_contained({16u, 32u}, type.getIntOrFloatBitWidth());
  }
  if (isa<linalg::CopyOp, memref::CopyOp>(op))
    return llvm::all_of(op->getOperands(), isWhole);
  return false;
}

void HostBuffers::addAccess(OpOperand &operand, HostBuffer &buffer) {
  Operation *op = operand.getOwner();
  if (isa<memref::DeallocOp>(op) || isMemoryEffectFree(op))
    if (!isa<func::ReturnOp>(op))
      return;
  BufferAccess access{&operand, &buffer, isOnDevice(operand), true, true};
  if (auto launch = dyn_cast<LaunchOp>(op)) {
    auto kernel = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
        launch, launch.getKernelAttr());
    unsigned number = operand.getOperandNumber() -
                      launch.getArguments().getBeginOperandIndex();
    access.writes =
        !isReadOnly(kernel, number) && !isConstantMemory(buffer.root);
  } else if (isa<func::ReturnOp>(op)) {
    access.writes = false;
  } else if (auto effects = dyn_cast<MemoryEffectOpInterface>(op)) {
    SmallVector<MemoryEffects::EffectInstance> all;
    effects.getEffects(all);
    access.reads = access.writes = false;
    for (const MemoryEffects::EffectInstance &effect : all)
      if (!effect.getValue() || effect.getValue() == operand.get()) {
        access.reads |= !isa<MemoryEffects::Write>(effect.getEffect());
        access.writes |= !isa<MemoryEffects::Read>(effect.getEffect());
      }
    // A buffer that is written in part keeps the rest.
    access.reads |= access.writes && !access.onDevice;
  }
  accesses.push_back(access);
}

HostBuffers::HostBuffers(func::FuncOp function, bool perLaunch)
    : function(function) {
  function.walk([&](LaunchOp launch) {
    for (Value value : launch.getArguments())
      if (isMemRef(value) && !isDeviceMemory(value.getType()) && !lookup(value))
        collect(value);
  });
  for (BlockArgument argument : function.getArguments())
    if (isOnDeviceArgument(argument, function) && !lookup(argument) &&
        !llvm::all_of(argument.getUsers(),
                      llvm::IsaPred<memref::MemorySpaceCastOp>))
      collect(argument);
  for (auto &buffer : buffers) {
    if (perLaunch)
      buffer->reason = "the option 'per-launch' says so";
    else if (!function.getBody().hasOneBlock())
      buffer->reason = "control flow has no structure";
    else
      findRoot(*buffer);
  }
  function.walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (OpOperand &operand : op->getOpOperands())
      if (HostBuffer *buffer = lookup(operand.get()); buffer && buffer->root)
        addAccess(operand, *buffer);
  });
}

/// The alignment of device memory, in bytes, that the widest access needs.
static constexpr int64_t kAlignment = 16;

void tile::alignPointers(ModuleOp module) {
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
