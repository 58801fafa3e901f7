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

/// The element of `type` that `pointer` points at, as an array without axes.
static FailureOr<Array> getElementAt(Evaluator &evaluator, Operation *op,
                                     Value pointer, Type type) {
  if (isa<VectorType>(type))
    return op->emitError(kUnknownToInterpreter)
           << "accesses of " << type << " at an address";
  auto kind = getKind(op, type);
  if (failed(kind))
    return failure();
  int64_t address = evaluator.getInt(pointer);
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

static LogicalResult runLLVMLoad(Evaluator &evaluator, LLVM::LoadOp op) {
  auto element = getElementAt(evaluator, op, op.getAddr(), op.getType());
  if (failed(element))
    return failure();
  evaluator.set(op.getResult(), element->read(0));
  return success();
}

static LogicalResult runLLVMStore(Evaluator &evaluator, LLVM::StoreOp op) {
  auto element =
      getElementAt(evaluator, op, op.getAddr(), op.getValue().getType());
  if (failed(element))
    return failure();
  element->write(0, evaluator.getScalar(op.getValue()));
  return success();
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
  auto element = getElementAt(evaluator, op, op.getPtr(), op.getType());
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

void interp::addAddressHandlers(HandlerTable &table) {
  table.add(runTakeAddress);
  table.add(runIntToPtr);
  table.add(runLLVMLoad);
  table.add(runLLVMStore);
  table.add(runLLVMAtomic);
}
