//===- VectorMemory.cpp - Vectors and memory ------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Lane by lane. Each lane that is not masked off accesses an element of the
// memref, within its shape, as memref.load and memref.store do; the others
// access nothing, wherever they may point. A vector goes along the last axis.
//
//===----------------------------------------------------------------------===//

#include "Core/Evaluator.h"

#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;
using namespace tileir::runtime;

namespace {

/// The elements of a memref that the lanes of a vector stand for.
class Lanes {
public:
  /// Lane i is `offsets[i]`, or else i, from `start` on.
  static FailureOr<Lanes> get(Evaluator &evaluator, Operation *op, Value base,
                              ValueRange start, VectorType type,
                              Value mask = Value(), Value offsets = Value()) {
    if (!isa<MemRefType>(base.getType()))
      return op->emitError(kUnknownToInterpreter)
             << "accesses of vectors to " << base.getType();
    if (start.empty())
      return op->emitError(kUnknownToInterpreter)
             << "accesses of vectors to memory without axes";
    auto kind = getKind(op, type);
    if (failed(kind))
      return failure();
    Lanes lanes;
    lanes.base = base;
    lanes.type = type;
    lanes.kind = *kind;
    lanes.start = evaluator.getInts(start);
    if (mask)
      lanes.mask = evaluator.getArray(mask);
    if (offsets)
      lanes.offsets = evaluator.getArray(offsets);
    if (mask && failed(checkNoPoison(op, *lanes.mask, "a mask")))
      return failure();
    return lanes;
  }

  int64_t getCount() const { return type.getNumElements(); }
  ElementKind getElementKind() const { return kind; }
  TileElement getLane(int64_t lane) const { return {type.getShape(), lane}; }
  bool isEnabled(int64_t lane) const { return !mask || mask->read(lane).bits; }

  /// The element of a lane that is enabled.
  FailureOr<Element> getElement(Evaluator &evaluator, Operation *op,
                                int64_t lane, Access access) const {
    int64_t offset = lane;
    if (offsets) {
      Scalar read = offsets->read(lane);
      if (read.isPoison)
        return emitPoison(op, "an index", getLane(lane));
      offset = toSigned(read);
    }
    SmallVector<int64_t> index = start;
    auto last = llvm::checkedAdd(index.back(), offset);
    if (!last)
      return op->emitError(inElement(getLane(lane)))
             << "the sum of " << index.back() << " and " << offset
             << " is no index";
    index.back() = *last;
    return interp::getElement(evaluator, op, base, index, access,
                              getLane(lane));
  }

private:
  Value base;
  VectorType type;
  ElementKind kind;
  SmallVector<int64_t> start;
  std::optional<Array> mask, offsets;
};

} // namespace

/// The result of `op`; lanes that are masked off are those of `otherwise`.
static LogicalResult load(Evaluator &evaluator, Operation *op,
                          FailureOr<Lanes> lanes, Value otherwise = Value()) {
  if (failed(lanes))
    return failure();
  auto vector = allocate(op, lanes->getElementKind(), lanes->getCount());
  if (failed(vector))
    return failure();
  for (int64_t i = 0; i < lanes->getCount(); ++i) {
    if (!lanes->isEnabled(i)) {
      vector->write(i, evaluator.getArray(otherwise).read(i));
      continue;
    }
    auto element = lanes->getElement(evaluator, op, i, Access::Read);
    if (failed(element))
      return failure();
    vector->write(i, element->read());
  }
  evaluator.set(op->getResult(0), std::move(*vector));
  return success();
}

/// Two lanes that go to one place are an error: which one stays is undefined.
static LogicalResult store(Evaluator &evaluator, Operation *op,
                           FailureOr<Lanes> lanes, Value value) {
  if (failed(lanes))
    return failure();
  Array vector = evaluator.getArray(value);
  llvm::SmallDenseMap<int64_t, int64_t> written; // position to lane
  for (int64_t i = 0; i < lanes->getCount(); ++i) {
    if (!lanes->isEnabled(i))
      continue;
    Scalar scalar = vector.read(i);
    if (scalar.isPoison)
      return emitPoison(op, "a value", lanes->getLane(i));
    auto element = lanes->getElement(evaluator, op, i, Access::Write);
    if (failed(element))
      return failure();
    auto [other, isNew] = written.try_emplace(element->position, i);
    if (!isNew)
      return op->emitError(inElement(lanes->getLane(i)))
             << "is stored to the place of element "
             << formatIndex(other->second);
    element->write(scalar);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Ops
//===----------------------------------------------------------------------===//

static LogicalResult runVectorLoad(Evaluator &evaluator, vector::LoadOp op) {
  return load(evaluator, op,
              Lanes::get(evaluator, op, op.getBase(), op.getIndices(),
                         op.getVectorType()));
}

static LogicalResult runVectorStore(Evaluator &evaluator, vector::StoreOp op) {
  return store(evaluator, op,
               Lanes::get(evaluator, op, op.getBase(), op.getIndices(),
                          op.getVectorType()),
               op.getValueToStore());
}

static LogicalResult runMaskedLoad(Evaluator &evaluator,
                                   vector::MaskedLoadOp op) {
  return load(evaluator, op,
              Lanes::get(evaluator, op, op.getBase(), op.getIndices(),
                         op.getVectorType(), op.getMask()),
              op.getPassThru());
}

static LogicalResult runMaskedStore(Evaluator &evaluator,
                                    vector::MaskedStoreOp op) {
  return store(evaluator, op,
               Lanes::get(evaluator, op, op.getBase(), op.getIndices(),
                          op.getVectorType(), op.getMask()),
               op.getValueToStore());
}

static LogicalResult runGather(Evaluator &evaluator, vector::GatherOp op) {
  return load(evaluator, op,
              Lanes::get(evaluator, op, op.getBase(), op.getOffsets(),
                         op.getVectorType(), op.getMask(), op.getIndices()),
              op.getPassThru());
}

static LogicalResult runScatter(Evaluator &evaluator, vector::ScatterOp op) {
  return store(evaluator, op,
               Lanes::get(evaluator, op, op.getBase(), op.getOffsets(),
                          op.getVectorType(), op.getMask(), op.getIndices()),
               op.getValueToStore());
}

/// Whether a transfer goes along the last axis, and is not known to leave it.
template <typename Op> static LogicalResult checkTransfer(Op op) {
  if (op.getVectorType().getRank() == 1 && !op.getMask() &&
      op.isDimInBounds(0) && op.getPermutationMap().isMinorIdentity())
    return success();
  return op.emitError(kUnknownToInterpreter)
         << "transfers that are masked, permuted, of several axes or out of "
            "bounds";
}

/// The position in a tensor of the first lane of a transfer.
static FailureOr<int64_t> getFirst(Evaluator &evaluator, Operation *op,
                                   const Array &tensor, ValueRange indices,
                                   int64_t lanes) {
  SmallVector<int64_t> index = evaluator.getInts(indices), last = index;
  auto end = llvm::checkedAdd(last.back(), lanes - 1);
  if (end)
    last.back() = *end;
  if (!end || !tensor.contains(index) || !tensor.contains(last))
    return op->emitError("is out of bounds: from ")
           << formatIndex(index) << " on of a tensor of "
           << toString(tensor.shape);
  return tensor.getPosition(index);
}

static LogicalResult runTransferRead(Evaluator &evaluator,
                                     vector::TransferReadOp op) {
  if (failed(checkTransfer(op)))
    return failure();
  VectorType type = op.getVectorType();
  if (isa<MemRefType>(op.getBase().getType()))
    return load(evaluator, op,
                Lanes::get(evaluator, op, op.getBase(), op.getIndices(), type));
  Array tensor = evaluator.getArray(op.getBase());
  auto first =
      getFirst(evaluator, op, tensor, op.getIndices(), type.getNumElements());
  auto vector = allocate(op, tensor.kind, type.getNumElements());
  if (failed(first) || failed(vector))
    return failure();
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    vector->write(i, tensor.read(*first + i * tensor.strides.back()));
  evaluator.set(op.getResult(), std::move(*vector));
  return success();
}

static LogicalResult runTransferWrite(Evaluator &evaluator,
                                      vector::TransferWriteOp op) {
  if (failed(checkTransfer(op)))
    return failure();
  VectorType type = op.getVectorType();
  if (isa<MemRefType>(op.getBase().getType()))
    return store(evaluator, op,
                 Lanes::get(evaluator, op, op.getBase(), op.getIndices(), type),
                 op.getVector());
  auto tensor = clone(op, evaluator.getArray(op.getBase()));
  if (failed(tensor))
    return failure();
  auto first =
      getFirst(evaluator, op, *tensor, op.getIndices(), type.getNumElements());
  if (failed(first))
    return failure();
  Array vector = evaluator.getArray(op.getVector());
  for (int64_t i = 0; i < type.getNumElements(); ++i)
    tensor->write(*first + i * tensor->strides.back(), vector.read(i));
  evaluator.set(op.getResult(), std::move(*tensor));
  return success();
}

void interp::addVectorMemoryHandlers(HandlerTable &table) {
  table.add(runVectorLoad);
  table.add(runVectorStore);
  table.add(runMaskedLoad);
  table.add(runMaskedStore);
  table.add(runGather);
  table.add(runScatter);
  table.add(runTransferRead);
  table.add(runTransferWrite);
}
