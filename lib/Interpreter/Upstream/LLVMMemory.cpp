//===- LLVMMemory.cpp - Memory by its address -----------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Pointers of kernels become addresses of memrefs, as integers, on a CPU. These
// are run here, with the few ops of the llvm dialect that access elements
// there, so that lowered kernels can still be executed. Addresses are those of
// this process. Only memory whose address the program has taken is accessed,
// within its bounds.
//
//===----------------------------------------------------------------------===//

#include "Core/Evaluator.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;
using namespace tileir::runtime;

static LogicalResult runTakeAddress(Evaluator &evaluator,
                                    memref::ExtractAlignedPointerAsIndexOp op) {
  auto array = getLive(evaluator, op, op.getSource());
  if (failed(array))
    return failure();
  auto getAddress = [](const uint8_t *data) {
    return static_cast<int64_t>(reinterpret_cast<intptr_t>(data));
  };
  const std::shared_ptr<Storage> &storage = (*array)->storage;
  evaluator.exposed[getAddress(storage->getData())] = storage;
  // The offset of a memref is no part of its pointer.
  evaluator.set(op.getResult(), makeIndex(getAddress((*array)->at(0))));
  return success();
}

static LogicalResult runIntToPtr(Evaluator &evaluator, LLVM::IntToPtrOp op) {
  auto address = std::get<Scalar>(evaluator.get(op.getArg()));
  address.kind = kPointerKind;
  evaluator.set(op.getRes(), address);
  return success();
}

/// The number at `address`, as an array without axes; if `type` is that of a
/// vector, of its lanes.
static FailureOr<Array> getElementAt(Evaluator &evaluator, Operation *op,
                                     int64_t address, Type type) {
  auto kind = getKind(op, type);
  if (failed(kind))
    return failure();
  auto it = evaluator.exposed.upper_bound(address);
  if (it != evaluator.exposed.begin()) {
    const std::shared_ptr<Storage> &storage = std::prev(it)->second;
    int64_t byte = address - std::prev(it)->first;
    int64_t size = getElementSize(*kind);
    if (byte + size <= storage->getNumBytes()) {
      if (storage->isFreed)
        return op->emitError("uses memory that was freed");
      Array element;
      element.storage = storage;
      element.kind = *kind;
      element.base = byte;
      return element;
    }
  }
  return op->emitError("accesses an address that is in no memory whose address "
                       "was taken");
}

/// Calls `access` with each lane of `vector` that `mask` (null for none) does
/// not turn off, and the element at `pointer` that it stands for. What other
/// lanes point at does not matter.
static LogicalResult
forEachLane(Evaluator &evaluator, Operation *op, Value pointer,
            VectorType vector, Value mask,
            function_ref<LogicalResult(int64_t, const Array &)> access) {
  assert(vector.getRank() == 1 && !vector.isScalable() &&
         "LLVM's vectors have one axis, and those that scale are no values");
  auto kind = getKind(op, vector);
  if (failed(kind))
    return failure();
  int64_t address = evaluator.getInt(pointer);
  std::optional<Array> enabled;
  if (mask) {
    enabled = evaluator.getArray(mask);
    if (failed(checkNoPoison(op, *enabled, "a mask")))
      return failure();
  }
  for (int64_t lane = 0; lane < vector.getNumElements(); ++lane) {
    if (enabled && !enabled->read(lane).bits)
      continue;
    auto element = getElementAt(
        evaluator, op,
        address + lane * static_cast<int64_t>(getElementSize(*kind)), vector);
    if (failed(element) || failed(access(lane, *element)))
      return failure();
  }
  return success();
}

/// Loads a vector; lanes that are masked off are those of `otherwise`.
static LogicalResult loadVector(Evaluator &evaluator, Operation *op,
                                Value pointer, Value mask, Value otherwise) {
  auto type = cast<VectorType>(op->getResult(0).getType());
  auto kind = getKind(op, type);
  if (failed(kind))
    return failure();
  auto vector = allocate(op, *kind, type.getNumElements());
  if (failed(vector))
    return failure();
  if (otherwise)
    copyElements(evaluator.getArray(otherwise), *vector);
  if (failed(forEachLane(evaluator, op, pointer, type, mask,
                         [&](int64_t lane, const Array &element) {
                           vector->write(lane, element.read(0));
                           return success();
                         })))
    return failure();
  evaluator.set(op->getResult(0), std::move(*vector));
  return success();
}

static LogicalResult storeVector(Evaluator &evaluator, Operation *op,
                                 Value value, Value pointer, Value mask) {
  Array vector = evaluator.getArray(value);
  return forEachLane(evaluator, op, pointer, cast<VectorType>(value.getType()),
                     mask, [&](int64_t lane, const Array &element) {
                       Scalar scalar = vector.read(lane);
                       if (scalar.isPoison)
                         return emitPoison(op, "a value", {vector.shape, lane});
                       element.write(0, scalar);
                       return success();
                     });
}

static LogicalResult runLLVMLoad(Evaluator &evaluator, LLVM::LoadOp op) {
  if (isa<VectorType>(op.getType()))
    return loadVector(evaluator, op, op.getAddr(), Value(), Value());
  auto element =
      getElementAt(evaluator, op, evaluator.getInt(op.getAddr()), op.getType());
  if (failed(element))
    return failure();
  evaluator.set(op.getResult(), element->read(0));
  return success();
}

static LogicalResult runLLVMStore(Evaluator &evaluator, LLVM::StoreOp op) {
  if (isa<VectorType>(op.getValue().getType()))
    return storeVector(evaluator, op, op.getValue(), op.getAddr(), Value());
  auto element = getElementAt(evaluator, op, evaluator.getInt(op.getAddr()),
                              op.getValue().getType());
  if (failed(element))
    return failure();
  element->write(0, evaluator.getScalar(op.getValue()));
  return success();
}

static LogicalResult runLLVMMaskedLoad(Evaluator &evaluator,
                                       LLVM::MaskedLoadOp op) {
  if (!op.getPassThru())
    return op.emitError(kUnknownToInterpreter)
           << "loads without values for lanes that are masked off";
  return loadVector(evaluator, op, op.getData(), op.getMask(),
                    op.getPassThru());
}

static LogicalResult runLLVMMaskedStore(Evaluator &evaluator,
                                        LLVM::MaskedStoreOp op) {
  return storeVector(evaluator, op, op.getValue(), op.getData(), op.getMask());
}

static std::optional<arith::AtomicRMWKind> getKind(LLVM::AtomicBinOp op) {
  using K = arith::AtomicRMWKind;
  switch (op) {
  case LLVM::AtomicBinOp::xchg:
    return K::assign;
  case LLVM::AtomicBinOp::add:
    return K::addi;
  case LLVM::AtomicBinOp::fadd:
    return K::addf;
  case LLVM::AtomicBinOp::max:
    return K::maxs;
  case LLVM::AtomicBinOp::min:
    return K::mins;
  case LLVM::AtomicBinOp::umax:
    return K::maxu;
  case LLVM::AtomicBinOp::umin:
    return K::minu;
  case LLVM::AtomicBinOp::_and:
    return K::andi;
  case LLVM::AtomicBinOp::_or:
    return K::ori;
  case LLVM::AtomicBinOp::_xor:
    return K::xori;
  default:
    return std::nullopt;
  }
}

static LogicalResult runLLVMAtomic(Evaluator &evaluator, LLVM::AtomicRMWOp op) {
  auto kind = getKind(op.getBinOp());
  if (!kind)
    return op.emitError(kUnknownToInterpreter)
           << "the operation '" << LLVM::stringifyAtomicBinOp(op.getBinOp())
           << "'";
  auto element =
      getElementAt(evaluator, op, evaluator.getInt(op.getPtr()), op.getType());
  if (failed(element))
    return failure();
  Scalar old = element->read(0);
  auto combined = combine(op, *kind, old, evaluator.getScalar(op.getVal()));
  if (failed(combined))
    return failure();
  element->write(0, *combined);
  evaluator.set(op.getRes(), old);
  return success();
}

/// One thing happens after the other anyway.
static LogicalResult runLLVMFence(Evaluator &, LLVM::FenceOp) {
  return success();
}

void interp::addAddressHandlers(HandlerTable &table) {
  table.add(runLLVMFence);
  table.add(runTakeAddress);
  table.add(runIntToPtr);
  table.add(runLLVMLoad);
  table.add(runLLVMStore);
  table.add(runLLVMMaskedLoad);
  table.add(runLLVMMaskedStore);
  table.add(runLLVMAtomic);
}
