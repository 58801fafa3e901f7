//===- TilePlaceBuffers.cpp - tile-place-buffers --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host code on memrefs comes in, after buffer deallocation and before linalg
// ops become loops. Afterwards launches take memrefs of the device.
//
// A memref of the host that launches access has a counterpart on the device,
// and at each op it is known which of the two holds the data: a copy stands
// where the other one is needed. Loops and branches that only launch kernels,
// or only run on the host, are as one access, so that copies stand outside of
// them; where there are both, each region begins and ends with the data in both
// places. What may be one of several memrefs is copied for each launch.
//
//===----------------------------------------------------------------------===//

#include "HostBuffers.h"

#include "tileir/Dialect/Tile/IR/DeviceMemory.h"
#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Remarks.h"
#include "llvm/ADT/MapVector.h"

namespace tileir::tile {
#define GEN_PASS_DEF_TILEPLACEBUFFERSPASS
#include "tileir/Dialect/Tile/Transforms/Passes.h.inc"
} // namespace tileir::tile

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

static remark::RemarkOpts placeRemark() {
  return remark::RemarkOpts::name("place-buffers").category("tile");
}

static Value allocateOnDevice(OpBuilder &builder, Location loc, Value memref) {
  auto type = cast<MemRefType>(memref.getType());
  SmallVector<Value> sizes;
  if (auto alloc = memref.getDefiningOp<memref::AllocOp>())
    sizes = alloc.getDynamicSizes();
  else
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      if (type.isDynamicDim(axis))
        sizes.push_back(memref::DimOp::create(builder, loc, memref, axis));
  return gpu::AllocOp::create(builder, loc, getDeviceType(type),
                              /*asyncToken=*/Type(), /*asyncDependencies=*/{},
                              sizes, /*symbolOperands=*/{})
      .getMemref();
}

static void copyTo(OpBuilder &builder, Location loc, Value target,
                   Value source) {
  gpu::MemcpyOp::create(builder, loc, TypeRange(), ValueRange(), target,
                        source);
}

/// The view `value` of `memref`, of `device` instead.
static Value viewOnDevice(OpBuilder &builder, Value value, Value memref,
                          Value device) {
  if (value == memref)
    return device;
  Operation *view = value.getDefiningOp();
  Value source = viewOnDevice(builder, view->getOperand(0), memref, device);
  Operation *copy = builder.clone(*view);
  copy->setOperand(0, source);
  copy->getResult(0).setType(getDeviceType(cast<MemRefType>(value.getType())));
  return copy->getResult(0);
}

namespace {

/// The side on which the data of a buffer is, and what the ops within an op do
/// with it.
enum Side : unsigned { Host = 0, Device = 1 };

struct Placement {
  Value device;
  bool valid[2] = {true, false};
};

/// The accesses of a buffer on either side by an op and those in its regions.
struct Touch {
  bool on[2] = {false, false};
  bool reads = false, writes = false;
  bool isMixed() const { return on[Host] && on[Device]; }
};

using Touches = llvm::MapVector<HostBuffer *, Touch>;

/// Places the buffers of a function.
class FunctionPlacer {
public:
  FunctionPlacer(func::FuncOp function, bool perLaunch)
      : function(function), buffers(function, perLaunch) {}

  LogicalResult run();
  int64_t numBuffers = 0, numToDevice = 0, numToHost = 0, numPerLaunch = 0;

private:
  void summarize();
  void visitBlock(Block &block);
  void visit(Operation *op);
  void makeValid(Side side, HostBuffer &buffer, Operation *before);
  bool isGivenOnDevice(const HostBuffer &buffer) {
    return buffer.root && isOnDeviceArgument(buffer.root, function);
  }
  Value getDevice(HostBuffer &buffer, Operation *user);
  Value getOnDevice(OpOperand &operand);
  void moveAccesses();
  void freeBuffers();
  Attribute nameMemory(HostBuffer &buffer);
  LogicalResult copyForLaunch(LaunchOp launch);

  func::FuncOp function;
  HostBuffers buffers;
  bool hasFailed = false;
  unsigned numTemporary = 0, numComputed = 0;
  llvm::DenseMap<HostBuffer *, Placement> placements;
  llvm::DenseMap<Operation *, Touches> touches;
};

} // namespace

//===----------------------------------------------------------------------===//
// Where copies are
//===----------------------------------------------------------------------===//

/// Notes each access at its op and at all ops around it, up to the block of the
/// buffer.
void FunctionPlacer::summarize() {
  for (const BufferAccess &access : buffers.accesses)
    for (Operation *op = access.getOp();; op = op->getParentOp()) {
      Touch &touch = touches[op][access.buffer];
      touch.on[access.onDevice ? Device : Host] = true;
      // A buffer that only some iterations or branches overwrite keeps the
      // rest.
      touch.reads |= access.reads || op != access.getOp();
      touch.writes |= access.writes;
      if (op->getBlock() == access.buffer->getHome())
        break;
    }
}

Value FunctionPlacer::getDevice(HostBuffer &buffer, Operation *user) {
  Value &device = placements[&buffer].device;
  if (!device && isGivenOnDevice(buffer)) {
    OpBuilder builder = OpBuilder::atBlockBegin(buffer.getHome());
    auto type = cast<MemRefType>(buffer.root.getType());
    device = memref::MemorySpaceCastOp::create(
        builder, buffer.root.getLoc(), getDeviceType(type), buffer.root);
  } else if (!device) {
    OpBuilder builder(buffer.getHome()->findAncestorOpInBlock(*user));
    device = allocateOnDevice(builder, user->getLoc(), buffer.root);
    ++numBuffers;
  }
  return device;
}

void FunctionPlacer::makeValid(Side side, HostBuffer &buffer,
                               Operation *before) {
  bool *valid = placements[&buffer].valid;
  if (std::exchange(valid[side], true))
    return;
  if (isGivenOnDevice(buffer)) {
    hasFailed = true;
    auto argument = cast<BlockArgument>(buffer.root);
    before->emitError("expects memory of the host, found argument ")
        << argument.getArgNumber() << " of @" << function.getName()
        << ", which is on the device (tile.on_device): compute this in a "
           "kernel, or give the argument in memory of the host";
    return;
  }
  OpBuilder builder(before);
  Location loc = before->getLoc();
  Value device = getDevice(buffer, before);
  bool toDevice = side == Device;
  ++(toDevice ? numToDevice : numToHost);
  copyTo(builder, loc, toDevice ? device : buffer.root,
         toDevice ? buffer.root : device);
  if (!toDevice && !before->hasTrait<OpTrait::IsTerminator>())
    remark::missed(loc, placeRemark())
        << remark::reason("'{0}' of the host needs what kernels have computed: "
                          "it is copied from the device",
                          before->getName().getStringRef());
}

void FunctionPlacer::visitBlock(Block &block) {
  for (Operation &op : llvm::make_early_inc_range(block))
    visit(&op);
}

void FunctionPlacer::visit(Operation *op) {
  auto known = touches.find(op);
  Touches none;
  Touches &here = known == touches.end() ? none : known->second;
  SmallVector<HostBuffer *> mixed;
  for (auto &[buffer, touch] : here) {
    if (touch.isMixed()) {
      mixed.push_back(buffer);
      for (Side side : {Host, Device})
        makeValid(side, *buffer, op);
      continue;
    }
    Side side = touch.on[Device] ? Device : Host;
    if (side == Device)
      getDevice(*buffer, op);
    if (touch.reads)
      makeValid(side, *buffer, op);
    bool *valid = placements[buffer].valid;
    valid[side] = true;
    if (touch.writes)
      valid[1 - side] = false;
  }
  for (Region &region : op->getRegions())
    for (Block &block : region) {
      visitBlock(block);
      for (HostBuffer *buffer : mixed)
        for (Side side : {Host, Device})
          makeValid(side, *buffer, block.getTerminator());
    }
}

//===----------------------------------------------------------------------===//
// What happens on the device
//===----------------------------------------------------------------------===//

/// Returns `operand` on the device; itself if it stays on the host.
Value FunctionPlacer::getOnDevice(OpOperand &operand) {
  HostBuffer *buffer = buffers.lookup(operand.get());
  if (!buffer || !buffer->root)
    return operand.get();
  OpBuilder builder(operand.getOwner());
  return viewOnDevice(builder, operand.get(), buffer->root,
                      placements[buffer].device);
}

void FunctionPlacer::moveAccesses() {
  llvm::SetVector<Operation *> copies;
  for (const BufferAccess &access : buffers.accesses) {
    if (!access.onDevice)
      continue;
    Operation *op = access.getOp();
    if (isa<LaunchOp>(op)) {
      access.operand->set(getOnDevice(*access.operand));
    } else if (auto fill = dyn_cast<linalg::FillOp>(op)) {
      OpBuilder builder(op);
      gpu::MemsetOp::create(builder, op->getLoc(), TypeRange(), ValueRange(),
                            getOnDevice(*access.operand), fill.value());
      op->erase();
    } else {
      copies.insert(op);
    }
  }
  for (Operation *op : copies) {
    Value source = getOnDevice(op->getOpOperand(0));
    Value target = getOnDevice(op->getOpOperand(1));
    OpBuilder builder(op);
    copyTo(builder, op->getLoc(), target, source);
    op->erase();
  }
}

/// The last op of the block of `memref` in which it or a view of it is used.
static Operation *findLastUser(Value memref, Block *block) {
  Operation *last = memref.getDefiningOp();
  SmallVector<Value> views{memref};
  while (!views.empty())
    for (Operation *user : views.pop_back_val().getUsers()) {
      Operation *here = block->findAncestorOpInBlock(*user);
      if (last->isBeforeInBlock(here))
        last = here;
      llvm::append_range(views, user->getResults());
    }
  return last;
}

/// Names the memory for whoever calls the function, or launches its kernels
/// instead; null if more matters than what kernels find and leave there.
Attribute FunctionPlacer::nameMemory(HostBuffer &buffer) {
  Builder builder(function.getContext());
  if (auto get = buffer.root.getDefiningOp<memref::GetGlobalOp>())
    return get.getNameAttr();
  // Ops between launches write it, or read what kernels wrote.
  bool touched = false, touchedToWrite = false, launchesWrite = false;
  std::optional<unsigned> result;
  for (const BufferAccess &access : buffers.accesses) {
    if (access.buffer != &buffer)
      continue;
    if (isa<func::ReturnOp>(access.getOp())) {
      result = access.operand->getOperandNumber();
    } else if (isa<LaunchOp>(access.getOp())) {
      launchesWrite |= access.writes;
    } else {
      touched = true;
      touchedToWrite |= access.writes;
    }
  }
  auto argument = dyn_cast<BlockArgument>(buffer.root);
  if (touched && (launchesWrite || ((argument || result) && touchedToWrite)))
    return {};
  if (argument)
    return builder.getStringAttr("argument " + Twine(argument.getArgNumber()));
  if (result)
    return builder.getStringAttr("result " + Twine(*result));
  return builder.getStringAttr(touched ? "computed " + Twine(numComputed++)
                                       : "temporary " + Twine(numTemporary++));
}

void FunctionPlacer::freeBuffers() {
  for (auto &buffer : buffers.buffers) {
    Value device = placements[buffer.get()].device;
    if (!device || isGivenOnDevice(*buffer))
      continue;
    OpBuilder builder(function.getContext());
    builder.setInsertionPointAfter(findLastUser(device, buffer->getHome()));
    gpu::DeallocOp::create(builder, device.getLoc(), TypeRange(), ValueRange(),
                           device);
    // Memory of the host that nothing accesses.
    auto alloc = buffer->root.getDefiningOp<memref::AllocOp>();
    if (!alloc || !llvm::all_of(alloc->getUsers(), [](Operation *user) {
          return isa<memref::DeallocOp>(user);
        }))
      continue;
    for (Operation *user : llvm::make_early_inc_range(alloc->getUsers()))
      user->erase();
    alloc.erase();
  }
}

/// Copies what may be one of several buffers to the device, and back.
LogicalResult FunctionPlacer::copyForLaunch(LaunchOp launch) {
  struct Copy {
    Value device;
    bool written = false;
  };
  auto kernel = SymbolTable::lookupNearestSymbolFrom<func::FuncOp>(
      launch, launch.getKernelAttr());
  OpBuilder builder(launch);
  Location loc = launch.getLoc();
  llvm::MapVector<Value, Copy> copies;
  for (auto [i, operand] : llvm::enumerate(launch.getArgumentsMutable())) {
    HostBuffer *buffer = buffers.lookup(operand.get());
    if (!buffer || buffer->root)
      continue;
    Value memref = skipReshapes(operand.get());
    auto type = cast<MemRefType>(memref.getType());
    if (!type.getLayout().isIdentity() || type.getMemorySpace())
      return launch.emitError("expects memrefs of the host, without a memory "
                              "space, whose elements are in row-major order "
                              "without gaps, found ")
             << type;
    for (Value value : buffer->values)
      if (isOnDeviceArgument(value, function))
        return launch.emitError("expects memory of the host or of the device, "
                                "found argument ")
               << i
               << ", which may be an argument of the function that is on "
                  "the device (tile.on_device): "
               << buffer->reason;
    Copy &copy = copies[memref];
    if (!copy.device) {
      remark::missed(loc, placeRemark())
          << remark::reason("argument {0} is copied for this launch only: {1}",
                            i, buffer->reason);
      copy.device = allocateOnDevice(builder, loc, memref);
      copyTo(builder, loc, copy.device, memref);
      ++numPerLaunch;
    }
    copy.written |= !isReadOnly(kernel, i) && !isConstantMemory(memref);
    operand.set(viewOnDevice(builder, operand.get(), memref, copy.device));
  }
  builder.setInsertionPointAfter(launch);
  for (auto &[memref, copy] : copies) {
    for (auto &[other, otherCopy] : copies)
      if (copy.written && memref != other &&
          buffers.lookup(memref) == buffers.lookup(other))
        return launch.emitError("expects memrefs that are known to be the same "
                                "or apart, if the kernel writes one of them: "
                                "pass one that is not chosen at run time");
    if (copy.written)
      copyTo(builder, loc, memref, copy.device);
  }
  for (auto &[memref, copy] : copies)
    gpu::DeallocOp::create(builder, loc, TypeRange(), ValueRange(),
                           copy.device);
  return success();
}

LogicalResult FunctionPlacer::run() {
  for (auto &buffer : buffers.buffers)
    if (buffer->root && isa_and_present<memref::AllocOp, memref::AllocaOp>(
                            buffer->root.getDefiningOp()))
      placements[buffer.get()].valid[Device] = true;
    else if (isGivenOnDevice(*buffer))
      placements[buffer.get()] = {Value(), {false, true}};
  summarize();
  if (function.getBody().hasOneBlock())
    visitBlock(function.front());
  for (auto &buffer : buffers.buffers)
    if (buffer->root && isa<BlockArgument>(buffer->root) &&
        !isGivenOnDevice(*buffer))
      makeValid(Host, *buffer, function.front().getTerminator());
  if (hasFailed)
    return failure();
  for (auto &buffer : buffers.buffers)
    if (Value device = placements[buffer.get()].device;
        device && !isGivenOnDevice(*buffer))
      if (Attribute memory = nameMemory(*buffer))
        device.getDefiningOp()->setAttr(kMemory, memory);
  moveAccesses();
  freeBuffers();
  SmallVector<LaunchOp> launches;
  function.walk([&](LaunchOp launch) { launches.push_back(launch); });
  return failure(llvm::any_of(launches, [&](LaunchOp launch) {
    return failed(copyForLaunch(launch));
  }));
}

//===----------------------------------------------------------------------===//
// The pass
//===----------------------------------------------------------------------===//

/// Names each global once, so that it is copied once.
static void mergeGlobals(func::FuncOp function) {
  llvm::DenseMap<Attribute, Value> known;
  function.walk([&](memref::GetGlobalOp op) {
    auto [first, isNew] = known.try_emplace(op.getNameAttr(), op.getResult());
    if (isNew) {
      op->moveBefore(&function.front(), function.front().begin());
      return;
    }
    op.replaceAllUsesWith(first->second);
    op.erase();
  });
}

namespace {
struct TilePlaceBuffersPass
    : tileir::tile::impl::TilePlaceBuffersPassBase<TilePlaceBuffersPass> {
  using TilePlaceBuffersPassBase::TilePlaceBuffersPassBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (function.isExternal() || isKernel(function))
        continue;
      mergeGlobals(function);
      FunctionPlacer placer(function, perLaunch);
      if (failed(placer.run()))
        return signalPassFailure();
      numBuffers += placer.numBuffers;
      numToDevice += placer.numToDevice;
      numToHost += placer.numToHost;
      numPerLaunch += placer.numPerLaunch;
    }
    alignPointers(getOperation());
  }
};
} // namespace
