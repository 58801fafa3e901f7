//===- TileMemory.cpp - Accesses through pointers -------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Elements are accessed one after the other in C order, each after it was
// checked (TileAccesses.cpp). Where a mask is false neither the pointer nor the
// value matters.
//
//===----------------------------------------------------------------------===//

#include "Tile/TileCopies.h"
#include "Tile/TileElements.h"
#include "Tile/TileLaunch.h"

#include "tileir/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;
using namespace tileir::runtime;

static LogicalResult runAddPtr(Evaluator &evaluator, tile::AddPtrOp op) {
  auto pointee =
      cast<tile::PtrType>(tile::getElement(op.getType())).getPointee();
  int64_t size = getElementSize(*getElementKind(pointee));
  Elements pointers(evaluator, op.getPtr()), counts(evaluator, op.getOffset());
  auto move = [&](int64_t i) -> FailureOr<Scalar> {
    Scalar pointer = pointers[i], count = counts[i];
    if (pointer.isPoison || count.isPoison)
      return Scalar{kPointerKind, 0, /*isPoison=*/true};
    auto moved = Launch::advance(pointer.bits, toSigned(count), size);
    if (!moved)
      return op.emitError(inElement(pointers.getElement(i)))
             << "moves a pointer by " << toSigned(count)
             << " elements, too far away from what it points at";
    return Scalar{kPointerKind, *moved};
  };
  return setElements(evaluator, op, op.getResult(), move);
}

static LogicalResult runPtrToInt(Evaluator &evaluator, tile::PtrToIntOp op) {
  auto launch = getLaunch(evaluator, op);
  if (failed(launch))
    return failure();
  Elements pointers(evaluator, op.getSource());
  auto convert = [&](int64_t i) -> FailureOr<Scalar> {
    if (pointers[i].isPoison)
      return Scalar{ElementKind::I64, 0, /*isPoison=*/true};
    auto address =
        (*launch)->getAddress(op, pointers[i].bits, pointers.getElement(i));
    if (failed(address))
      return failure();
    return Scalar{ElementKind::I64, *address};
  };
  return setElements(evaluator, op, op.getResult(), convert);
}

static LogicalResult runIntToPtr(Evaluator &evaluator, tile::IntToPtrOp op) {
  Elements addresses(evaluator, op.getSource());
  auto convert = [&](int64_t i) -> FailureOr<Scalar> {
    auto pointer = Launch::getPointerTo(addresses[i].bits);
    if (addresses[i].isPoison || !pointer)
      return Scalar{kPointerKind, 0, /*isPoison=*/true};
    return Scalar{kPointerKind, *pointer};
  };
  return setElements(evaluator, op, op.getResult(), convert);
}

static LogicalResult runPtrToPtr(Evaluator &evaluator, tile::PtrToPtrOp op) {
  evaluator.set(op.getResult(), evaluator.get(op.getSource()));
  return success();
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

namespace {
/// The places of the elements of an op with pointers and a mask.
class Places {
public:
  template <typename Op>
  Places(Evaluator &evaluator, Op op)
      : evaluator(evaluator), op(op), pointers(evaluator, op.getPtr()) {
    auto type = cast<tile::PtrType>(tile::getElement(op.getPtr().getType()));
    kind = *getElementKind(type.getPointee());
    if (op.getMask())
      mask.emplace(evaluator, op.getMask());
    if (evaluator.launch)
      evaluator.launch->beginOp();
  }

  /// The place of element `i`; none where the mask is false.
  FailureOr<std::optional<Launch::Place>> get(int64_t i, Access access) const {
    std::optional<Launch::Place> none;
    TileElement element = pointers.getElement(i);
    if (mask) {
      Scalar isActive = (*mask)[i];
      if (isActive.isPoison)
        return emitPoison(op, "a mask", element);
      if (!isActive.bits)
        return none;
    }
    Scalar pointer = pointers[i];
    if (pointer.isPoison)
      return emitPoison(op, "a pointer", element);
    auto launch = getLaunch(evaluator, op);
    if (failed(launch))
      return failure();
    auto place = (*launch)->getPlace(op, pointer.bits, kind, element);
    if (failed(place) ||
        failed((*launch)->access(op, *place->array, place->position, access,
                                 element)))
      return failure();
    return std::optional(*place);
  }

  int64_t getNumElements() const { return pointers.getNumElements(); }
  TileElement getElement(int64_t i) const { return pointers.getElement(i); }

private:
  Evaluator &evaluator;
  Operation *op;
  Elements pointers;
  ElementKind kind;
  std::optional<Elements> mask;
};
} // namespace

static LogicalResult runTileLoad(Evaluator &evaluator, tile::LoadOp op) {
  auto kind = getKind(op, op.getType());
  if (failed(kind))
    return failure();
  Places places(evaluator, op);
  std::optional<Elements> other;
  if (op.getOther())
    other.emplace(evaluator, op.getOther());
  auto load = [&](int64_t i) -> FailureOr<Scalar> {
    auto place = places.get(i, Access::Read);
    if (failed(place))
      return failure();
    if (*place)
      return (*place)->array->read((*place)->position);
    return other ? (*other)[i] : Scalar{*kind, 0};
  };
  return setElements(evaluator, op, op.getResult(), load);
}

static LogicalResult runAsyncLoad(Evaluator &evaluator, tile::AsyncLoadOp op) {
  RankedTensorType type = op.getTile();
  auto kind = getKind(op, type);
  if (failed(kind))
    return failure();
  auto tile = allocate(op, *kind, type.getShape());
  if (failed(tile))
    return failure();
  Places places(evaluator, op);
  for (int64_t i = 0, e = places.getNumElements(); i < e; ++i) {
    auto place = places.get(i, Access::Read);
    if (failed(place))
      return failure();
    if (*place) // new arrays are zeros
      tile->write(i, (*place)->array->read((*place)->position));
  }
  return beginCopy(evaluator, op, op.getBuffer(), op.getStages(),
                   std::move(*tile), op.getWithNext());
}

static LogicalResult runTileStore(Evaluator &evaluator, tile::StoreOp op) {
  Places places(evaluator, op);
  Elements values(evaluator, op.getValue());
  for (int64_t i = 0, e = places.getNumElements(); i < e; ++i) {
    auto place = places.get(i, Access::Write);
    if (failed(place))
      return failure();
    if (!*place)
      continue;
    Scalar value = values[i];
    if (value.isPoison)
      return emitPoison(op, "a value", values.getElement(i));
    (*place)->array->write((*place)->position, value);
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Atomics
//===----------------------------------------------------------------------===//

static arith::AtomicRMWKind getKind(tile::AtomicKind kind, bool isFloat) {
  using K = arith::AtomicRMWKind;
  switch (kind) {
  case tile::AtomicKind::Add:
    return isFloat ? K::addf : K::addi;
  case tile::AtomicKind::Max:
    return K::maxs;
  case tile::AtomicKind::Min:
    return K::mins;
  case tile::AtomicKind::UMax:
    return K::maxu;
  case tile::AtomicKind::UMin:
    return K::minu;
  case tile::AtomicKind::And:
    return K::andi;
  case tile::AtomicKind::Or:
    return K::ori;
  case tile::AtomicKind::Xor:
    return K::xori;
  case tile::AtomicKind::Exchange:
    return K::assign;
  }
  llvm_unreachable("unknown kind");
}

/// Changes elements as `change(place, i)` does, which gives what was there
/// before, and whether it is changed.
template <typename Op, typename Change>
static LogicalResult runAtomic(Evaluator &evaluator, Op op, Change change) {
  auto kind = interp::getKind(op, op.getType());
  if (failed(kind))
    return failure();
  Access access = op.getScope() == tile::MemoryScope::Program
                      ? Access::AtomicInProgram
                      : Access::Atomic;
  bool acquires = tile::acquires(op), releases = tile::releases(op);
  Places places(evaluator, op);
  auto update = [&](int64_t i) -> FailureOr<Scalar> {
    auto place = places.get(i, access);
    if (failed(place))
      return failure();
    if (!*place)
      return Scalar{*kind, 0};
    FailureOr<std::pair<Scalar, bool>> old = change(**place, i);
    if (failed(old))
      return failure();
    const Array &array = *(*place)->array;
    ProgramOrder::Place key(array.storage.get(),
                            array.getByte((*place)->position));
    if (acquires)
      evaluator.launch->order.acquire(key);
    if (releases && old->second)
      evaluator.launch->order.release(key);
    return old->first;
  };
  if (failed(setElements(evaluator, op, op.getResult(), update)))
    return failure();
  if (acquires || releases)
    evaluator.launch->order.endOp();
  return success();
}

static LogicalResult runTileAtomic(Evaluator &evaluator, tile::AtomicRMWOp op) {
  auto elementKind = interp::getKind(op, op.getType());
  if (failed(elementKind))
    return failure();
  arith::AtomicRMWKind kind = getKind(op.getKind(), isFloat(*elementKind));
  Elements values(evaluator, op.getValue());
  auto change = [&](const Launch::Place &place,
                    int64_t i) -> FailureOr<std::pair<Scalar, bool>> {
    Scalar value = values[i];
    if (value.isPoison)
      return emitPoison(op, "a value", values.getElement(i));
    Scalar old = place.array->read(place.position);
    auto combined = combine(op, kind, old, value);
    if (failed(combined))
      return failure();
    place.array->write(place.position, *combined);
    return std::pair(old, true);
  };
  return runAtomic(evaluator, op, change);
}

static LogicalResult runTileCompareAndSwap(Evaluator &evaluator,
                                           tile::AtomicCASOp op) {
  Elements compared(evaluator, op.getCompare()),
      values(evaluator, op.getValue());
  auto change = [&](const Launch::Place &place,
                    int64_t i) -> FailureOr<std::pair<Scalar, bool>> {
    Scalar compare = compared[i], value = values[i];
    if (compare.isPoison || value.isPoison)
      return emitPoison(op, "a value", values.getElement(i));
    Scalar old = place.array->read(place.position);
    bool isEqual = old.bits == compare.bits;
    if (isEqual)
      place.array->write(place.position, value);
    return std::pair(old, isEqual);
  };
  return runAtomic(evaluator, op, change);
}

void interp::addTileMemoryHandlers(HandlerTable &table) {
  table.add(runAddPtr);
  table.add(runPtrToInt);
  table.add(runIntToPtr);
  table.add(runPtrToPtr);
  table.add(runTileLoad);
  table.add(runAsyncLoad);
  table.add(runTileStore);
  table.add(runTileAtomic);
  table.add(runTileCompareAndSwap);
}
