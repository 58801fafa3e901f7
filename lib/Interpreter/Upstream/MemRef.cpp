//===- MemRef.cpp - Memory and its elements -------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Allocation, accesses and globals. New memory is zeros, of which it is kept
// that nobody has written them. Every use of memory that was freed is an error.
// Memory of the device, as tile-place-buffers allocates it, is as any other.
// Views are in MemRefViews.cpp.
//
//===----------------------------------------------------------------------===//

#include "Core/Evaluator.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;

//===----------------------------------------------------------------------===//
// Allocation
//===----------------------------------------------------------------------===//

/// New memory for a memref of `type`, whose strides may leave gaps.
static FailureOr<Array> allocate(Operation *op, MemRefType type,
                                 ArrayRef<int64_t> shape) {
  auto kind = getKind(op, type);
  if (failed(kind))
    return failure();
  if (type.getLayout().isIdentity())
    return interp::allocate(op, *kind, shape);
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)) ||
      ShapedType::isDynamic(offset) ||
      llvm::any_of(strides, [](int64_t stride) { return stride < 0; }))
    return op->emitError("the interpreter needs static strides that are not "
                         "negative, found ")
           << type;
  // Room for each axis at its stride.
  auto array = interp::allocate(op, *kind, shape); // checks the sizes
  if (failed(array))
    return failure();
  std::optional<int64_t> last = offset;
  for (auto [size, stride] : llvm::zip_equal(shape, strides))
    if (last)
      last = llvm::checkedMulAdd(std::max<int64_t>(size - 1, 0), stride, *last);
  auto extent = last ? llvm::checkedAdd<int64_t>(*last, 1) : std::nullopt;
  if (!extent)
    return op->emitError("cannot allocate ") << type;
  auto room = interp::allocate(op, *kind, *extent);
  if (failed(room))
    return failure();
  array->storage = room->storage;
  array->strides.assign(strides.begin(), strides.end());
  array->offset = offset;
  return array;
}

template <typename Op>
static LogicalResult runAllocation(Evaluator &evaluator, Op op) {
  auto array = allocate(
      op, op.getType(),
      fillShape(op.getType(), evaluator.getInts(op.getDynamicSizes())));
  if (failed(array))
    return failure();
  array->storage->isHeap = !std::is_same_v<Op, memref::AllocaOp>;
  array->storage->forget();
  evaluator.set(op.getMemref(), std::move(*array));
  return success();
}

static LogicalResult free(Operation *op, const Array &array) {
  if (!array.storage->isHeap)
    return op->emitError("frees memory that memref.alloc did not allocate");
  array.storage->isFreed = true;
  return success();
}

static LogicalResult runMemRefDealloc(Evaluator &evaluator,
                                      memref::DeallocOp op) {
  auto array = getLive(evaluator, op, op.getMemref());
  return failed(array) ? failure() : free(op, **array);
}

static LogicalResult runRealloc(Evaluator &evaluator, memref::ReallocOp op) {
  auto source = getLive(evaluator, op, op.getSource());
  if (failed(source))
    return failure();
  auto type = cast<MemRefType>(op.getType());
  int64_t size = op.getDynamicResultSize()
                     ? evaluator.getInt(op.getDynamicResultSize())
                     : type.getDimSize(0);
  auto array = allocate(op, type, size);
  if (failed(array) || failed(free(op, **source)))
    return failure();
  array->storage->isHeap = true;
  array->storage->forget();
  int64_t kept = std::min(size, (*source)->shape[0]);
  auto from = slice(op, **source, 0, kept, 1);
  auto to = slice(op, *array, 0, kept, 1);
  if (failed(from) || failed(to))
    return failure();
  copyElements(*from, *to);
  evaluator.set(op.getResult(), std::move(*array));
  return success();
}

static LogicalResult runAllocaScope(Evaluator &evaluator,
                                    memref::AllocaScopeOp op) {
  auto terminator = evaluator.run(op.getBodyRegion(), {});
  if (failed(terminator))
    return failure();
  for (auto [result, value] :
       llvm::zip_equal(op.getResults(), (*terminator)->getOperands()))
    evaluator.set(result, RuntimeValue(evaluator.get(value)));
  return success();
}

static LogicalResult runGetGlobal(Evaluator &evaluator,
                                  memref::GetGlobalOp op) {
  auto global = SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(
      op, op.getNameAttr());
  if (!global || global.isExternal())
    return op.emitError("'") << op.getName() << "' is not defined";
  auto known = evaluator.globals.find(global);
  if (known == evaluator.globals.end()) {
    auto array =
        allocate(global, global.getType(), global.getType().getShape());
    if (failed(array))
      return failure();
    if (auto value = dyn_cast<ElementsAttr>(*global.getInitialValue())) {
      auto constant = makeConstant(evaluator, global, value);
      if (failed(constant))
        return failure();
      copyElements(*constant, *array);
    } else {
      array->storage->forget();
    }
    known = evaluator.globals.try_emplace(global, std::move(*array)).first;
  }
  evaluator.set(op.getResult(), known->second);
  return success();
}

//===----------------------------------------------------------------------===//
// Elements and sizes
//===----------------------------------------------------------------------===//

static LogicalResult runMemRefLoad(Evaluator &evaluator, memref::LoadOp op) {
  auto element = getElement(evaluator, op, op.getMemRef(),
                            evaluator.getInts(op.getIndices()), Access::Read);
  if (failed(element))
    return failure();
  evaluator.set(op.getResult(), element->read());
  return success();
}

static LogicalResult runMemRefStore(Evaluator &evaluator, memref::StoreOp op) {
  auto element = getElement(evaluator, op, op.getMemRef(),
                            evaluator.getInts(op.getIndices()), Access::Write);
  if (failed(element))
    return failure();
  element->write(evaluator.getScalar(op.getValueToStore()));
  return success();
}

/// Gives the old element.
static LogicalResult runMemRefAtomic(Evaluator &evaluator,
                                     memref::AtomicRMWOp op) {
  auto element = getElement(evaluator, op, op.getMemref(),
                            evaluator.getInts(op.getIndices()), Access::Atomic);
  if (failed(element))
    return failure();
  Scalar old = element->read();
  auto combined =
      combine(op, op.getKind(), old, evaluator.getScalar(op.getValue()));
  if (failed(combined))
    return failure();
  element->write(*combined);
  evaluator.set(op.getResult(), old);
  return success();
}

static LogicalResult runCopy(Evaluator &evaluator, memref::CopyOp op) {
  auto source = getLive(evaluator, op, op.getSource());
  auto target = getLive(evaluator, op, op.getTarget());
  if (failed(source) || failed(target))
    return failure();
  return interp::copy(op, **source, **target);
}

static LogicalResult runMemRefDim(Evaluator &evaluator, memref::DimOp op) {
  const Array &array = evaluator.getArray(op.getSource());
  int64_t axis = evaluator.getInt(op.getIndex());
  if (axis < 0 || axis >= array.getRank())
    return op.emitError("asks for axis ")
           << axis << " of a memref of rank " << array.getRank();
  evaluator.set(op.getResult(), makeIndex(array.shape[axis]));
  return success();
}

static LogicalResult runMemRefRank(Evaluator &evaluator, memref::RankOp op) {
  evaluator.set(op.getResult(),
                makeIndex(evaluator.getArray(op.getMemref()).getRank()));
  return success();
}

static LogicalResult runPrefetch(Evaluator &, memref::PrefetchOp) {
  return success();
}

//===----------------------------------------------------------------------===//
// Memory of the device
//===----------------------------------------------------------------------===//

/// Checks that `op` has ended when the next one begins.
template <typename Op> static LogicalResult checkSynchronous(Op op) {
  if (op.getAsyncToken() || !op.getAsyncDependencies().empty())
    return op.emitError(kUnknownToInterpreter) << "operations with tokens";
  return success();
}

static LogicalResult runDeviceAlloc(Evaluator &evaluator, gpu::AllocOp op) {
  return failed(checkSynchronous(op)) ? failure()
                                      : runAllocation(evaluator, op);
}

static LogicalResult runDeviceDealloc(Evaluator &evaluator, gpu::DeallocOp op) {
  auto array = getLive(evaluator, op, op.getMemref());
  if (failed(array) || failed(checkSynchronous(op)))
    return failure();
  return free(op, **array);
}

static LogicalResult runDeviceCopy(Evaluator &evaluator, gpu::MemcpyOp op) {
  auto source = getLive(evaluator, op, op.getSrc());
  auto target = getLive(evaluator, op, op.getDst());
  if (failed(source) || failed(target) || failed(checkSynchronous(op)))
    return failure();
  return interp::copy(op, **source, **target);
}

static LogicalResult runDeviceFill(Evaluator &evaluator, gpu::MemsetOp op) {
  auto array = getLive(evaluator, op, op.getDst());
  if (failed(array) || failed(checkSynchronous(op)))
    return failure();
  Scalar value = evaluator.getScalar(op.getValue());
  forEachIndex((*array)->shape, [&](ArrayRef<int64_t> index) {
    (*array)->write((*array)->getPosition(index), value);
    return true;
  });
  return success();
}

void interp::addMemRefHandlers(HandlerTable &table) {
  table.add(runAllocation<memref::AllocOp>);
  table.add(runAllocation<memref::AllocaOp>);
  table.add(runMemRefDealloc);
  table.add(runRealloc);
  table.add(runAllocaScope);
  table.add(runGetGlobal);
  table.add(runMemRefLoad);
  table.add(runMemRefStore);
  table.add(runMemRefAtomic);
  table.add(runCopy);
  table.add(runMemRefDim);
  table.add(runMemRefRank);
  table.add(runPrefetch);
  table.add(runDeviceAlloc);
  table.add(runDeviceDealloc);
  table.add(runDeviceCopy);
  table.add(runDeviceFill);
}
