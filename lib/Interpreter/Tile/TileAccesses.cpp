//===- TileAccesses.cpp - Pointers, and who accessed what -----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each element the last two programs that read it, wrote it, and changed it
// atomically are kept. Programs run one after the other, so an access conflicts
// with an earlier one of another program if and only if one of the two last is
// not the current program. Where a release and an acquire put programs in an
// order, all are kept but those that come before another one: who comes after
// that one comes after them (as of FastTrack, PLDI 2009, whose epochs are our
// segments).
//
//===----------------------------------------------------------------------===//

#include "Tile/TileLaunch.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;
using namespace tileir::runtime;

//===----------------------------------------------------------------------===//
// Pointers
//===----------------------------------------------------------------------===//

/// Bits of the distance, which is signed.
static constexpr unsigned kDistanceBits = 44;

static int64_t getDistance(int64_t pointer) {
  return llvm::SignExtend64<kDistanceBits>(pointer);
}

int64_t Launch::getPointer(unsigned argument) {
  return (int64_t(argument) + 1) << kDistanceBits;
}

/// The bit that pointers have turned which are made of integers.
static constexpr int64_t kMadeBit = int64_t(1) << 62;

static bool isMade(int64_t pointer) {
  return pointer < 0 || pointer >= kMadeBit;
}

/// The number of the argument that a pointer or an address is of.
static int64_t getNumber(int64_t pointer) {
  return ((pointer - getDistance(pointer)) >> kDistanceBits) - 1;
}

std::optional<int64_t> Launch::getPointerTo(int64_t address) {
  int64_t pointer = address ^ kMadeBit;
  return isMade(pointer) ? std::optional(pointer) : std::nullopt;
}

std::optional<int64_t> Launch::advance(int64_t pointer, int64_t count,
                                       int64_t elementSize) {
  int64_t numBytes, distance;
  if (llvm::MulOverflow(count, elementSize, numBytes))
    return std::nullopt;
  if (isMade(pointer)) {
    if (llvm::AddOverflow(pointer ^ kMadeBit, numBytes, distance))
      return std::nullopt;
    return getPointerTo(distance);
  }
  if (llvm::AddOverflow(getDistance(pointer), numBytes, distance) ||
      !llvm::isInt<kDistanceBits>(distance))
    return std::nullopt;
  return pointer - getDistance(pointer) + distance;
}

FailureOr<unsigned> Launch::getArgument(Operation *op, int64_t pointer,
                                        TileElement element) const {
  int64_t number = getNumber(pointer);
  if (number >= 0 && number < int64_t(memory.size()) && memory[number])
    return static_cast<unsigned>(number);
  return op->emitError(inElement(element))
         << "uses a pointer that comes from no argument of the kernel";
}

FailureOr<int64_t> Launch::getAddress(Operation *op, int64_t pointer,
                                      TileElement element) const {
  if (isMade(pointer))
    return pointer ^ kMadeBit;
  auto number = getArgument(op, pointer, element);
  if (failed(number))
    return failure();
  const Array &array = *memory[*number];
  const auto *first = llvm::find_if(memory, [&](const auto &other) {
    return other && other->storage == array.storage;
  });
  return getPointer(first - memory.begin()) + array.getByte(array.offset) +
         getDistance(pointer);
}

int64_t Launch::getByte(int64_t address) { return getDistance(address); }

FailureOr<Launch::Place> Launch::getPlace(Operation *op, int64_t pointer,
                                          ElementKind kind,
                                          TileElement element) {
  if (isMade(pointer))
    return getPlaceAt(op, pointer ^ kMadeBit, kind, element);
  auto number = getArgument(op, pointer, element);
  if (failed(number))
    return failure();
  const Array &array = *memory[*number];
  int64_t distance = getDistance(pointer), numElements = array.getNumElements();
  int64_t kindSize = getElementSize(array.kind), size = getElementSize(kind);
  if (array.kind == kind && distance % size == 0) {
    int64_t position = distance / size;
    if (position >= 0 && position < numElements)
      return Place{&array, array.offset + position};
    return op->emitError(inElement(element))
           << "is out of bounds: points at element " << position
           << " of argument " << *number << ", which has " << numElements
           << " elements";
  }
  if (distance >= 0 && distance + size <= numElements * kindSize)
    return viewAs(op, array, array.getByte(array.offset) + distance, kind,
                  element);
  return op->emitError(inElement(element))
         << "is out of bounds: points at " << size << " bytes from byte "
         << distance << " of argument " << *number << ", which has "
         << numElements * kindSize << " bytes";
}

/// The place of an element at an address, in whichever argument has it.
FailureOr<Launch::Place> Launch::getPlaceAt(Operation *op, int64_t address,
                                            ElementKind kind,
                                            TileElement element) {
  int64_t number = getNumber(address), byte = getDistance(address);
  auto contains = [&](const std::optional<Array> &array) {
    return array && array->storage == memory[number]->storage &&
           llvm::all_of(llvm::seq(byte, byte + int64_t(getElementSize(kind))),
                        [&](int64_t i) { return array->findIndex(i); });
  };
  if (number < 0 || number >= int64_t(memory.size()) || !memory[number])
    return op->emitError(inElement(element))
           << "uses address " << address
           << ", which is in the memory of no argument of the kernel";
  const auto *found = llvm::find_if(memory, contains);
  if (found != memory.end())
    return viewAs(op, **found, byte, kind, element);
  return op->emitError(inElement(element))
         << "is out of bounds: points at " << getElementSize(kind)
         << " bytes from byte " << byte << " of the memory that argument "
         << number << " is in, which no argument has";
}

/// The place of an element that begins at a byte of the storage of `array`.
FailureOr<Launch::Place> Launch::viewAs(Operation *op, const Array &array,
                                        int64_t byte, ElementKind kind,
                                        TileElement element) {
  int64_t size = getElementSize(kind);
  if (!isAligned(byte, size))
    return op->emitError(inElement(element))
           << "is not aligned: points at an address " << byte
           << " bytes into memory that is aligned to " << kAllocationAlignment
           << " bytes, expected a multiple of " << size << " for elements of "
           << getElementName(kind);
  view.storage = array.storage;
  view.kind = kind;
  view.base = byte;
  view.offset = 0;
  view.shape.assign(1, 1);
  view.strides.assign(1, 1);
  return Place{&view, 0};
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

static StringRef getVerb(Access access) {
  switch (access) {
  case Access::Read:
    return "reads";
  case Access::Write:
    return "writes";
  case Access::Atomic:
  case Access::AtomicInProgram:
    return "atomically changes";
  }
  llvm_unreachable("unknown access");
}

/// "element (17) of argument 0"
std::string Launch::describe(const Array &array, int64_t position) const {
  int64_t byte = array.getByte(position);
  for (auto [number, argument] : llvm::enumerate(memory))
    if (argument && argument->storage == array.storage)
      if (auto index = argument->findIndex(byte))
        return "element " + formatIndex(*index) + " of argument " +
               std::to_string(number);
  auto index = array.findIndex(byte);
  return "element " + (index ? formatIndex(*index) : "") + " of a memref";
}

/// The records of the storage of `array`, in units that begin at `byte`.
FailureOr<Launch::Log *> Launch::getLog(Operation *op, const Array &array,
                                        int64_t byte) {
  Log &log = logs[array.storage.get()];
  int64_t size = getElementSize(array.kind);
  if (log.storage && byte % log.unitSize == 0 && size % log.unitSize == 0)
    return &log;
  // Elements of several sizes, or at odd places: bytes are units.
  int64_t unitSize = log.storage || byte % size != 0 ? 1 : size;
  int64_t count = llvm::divideCeil(array.storage->getNumBytes(), unitSize);
  auto bytes = Storage::allocate(count * int64_t(sizeof(Record)));
  if (!bytes)
    return op->emitError("there is not enough memory to keep who accessed an "
                         "array of ")
           << array.storage->getNumBytes() << " bytes";
  Log next{array.storage, unitSize, std::move(bytes)};
  if (log.storage)
    for (int64_t i = 0; i < count; ++i) {
      Record &record = next.getRecords()[i];
      record = log.getRecords()[i / log.unitSize];
      if (record.more == 0)
        continue;
      moreSegments.push_back(MoreSegments(moreSegments[record.more - 1]));
      record.more = moreSegments.size();
    }
  log = std::move(next);
  return &log;
}

/// The index of a kind in a record.
static unsigned getSlot(Access access) {
  return unsigned(access == Access::AtomicInProgram ? Access::Write : access);
}

/// Notes that the current segment accesses what a record is of.
void Launch::noteSegment(Record &record, unsigned kind) {
  auto &[last, other] = record.segments[kind];
  if (last == order.getSegment())
    return;
  for (ProgramOrder::Segment *segment : {&last, &other})
    if (order.isBefore(*segment))
      *segment = 0;
  if (last != 0 && other != 0 && hasAcquires) {
    if (record.more == 0) {
      moreSegments.emplace_back();
      record.more = moreSegments.size();
    }
    auto &more = moreSegments[record.more - 1][kind];
    more.push_back(other);
    // Now and then is enough.
    if (llvm::isPowerOf2_64(more.size()))
      llvm::erase_if(more,
                     [&](auto segment) { return order.isBefore(segment); });
  }
  if (last != 0)
    other = last;
  last = order.getSegment();
}

LogicalResult Launch::checkOrder(Operation *op, Record &record,
                                 const Array &array, int64_t position,
                                 Access access, TileElement element) {
  bool isWrite = getSlot(access) == getSlot(Access::Write);
  auto report = [&](Access earlier, ProgramOrder::Segment segment) {
    InFlightDiagnostic error = op->emitError(inElement(element));
    error << getVerb(access) << " " << describe(array, position)
          << ", which program "
          << toString(getProgram(order.getProgram(segment))) << " "
          << getVerb(earlier)
          << " in the same launch, whose programs have no order";
    if (hasAcquires)
      error << " but where one acquires what another has released";
    return error;
  };
  auto isUnordered = [&](ProgramOrder::Segment segment) {
    return segment != 0 && !order.isBefore(segment);
  };
  for (Access earlier : {Access::Write, Access::Atomic, Access::Read}) {
    if (access == earlier && !isWrite)
      continue; // reads may come in any order, and so may atomic changes
    for (ProgramOrder::Segment segment : record.segments[getSlot(earlier)])
      if (isUnordered(segment))
        return report(earlier, segment);
    if (record.more == 0)
      continue;
    auto &more = moreSegments[record.more - 1][getSlot(earlier)];
    if (const auto *found = llvm::find_if(more, isUnordered);
        found != more.end())
      return report(earlier, *found);
  }
  if (access == Access::Write && record.writtenBy == opNumber)
    return op->emitError(inElement(element))
           << "writes " << describe(array, position)
           << ", which another element of this op writes as well";

  if (isWrite) { // all that is noted comes before it
    uint32_t more = record.more;
    record = Record();
    record.more = more;
    if (more != 0)
      moreSegments[more - 1] = MoreSegments();
  }
  noteSegment(record, getSlot(access));
  if (access == Access::Write)
    record.writtenBy = opNumber;
  return success();
}

LogicalResult Launch::access(Operation *op, const Array &array,
                             int64_t position, Access access,
                             TileElement element) {
  if (access != Access::Write &&
      array.getState(position) == Storage::State::Unwritten)
    return op->emitError(inElement(element))
           << "reads " << describe(array, position)
           << ", which nothing has written";
  int64_t byte = array.getByte(position);
  int64_t end = byte + int64_t(getElementSize(array.kind));
  if (access != Access::Read)
    for (unsigned number : readOnly)
      if (memory[number]->storage == array.storage &&
          llvm::any_of(llvm::seq(byte, end),
                       [&](int64_t i) { return memory[number]->findIndex(i); }))
        return op->emitError(inElement(element))
               << getVerb(access) << " " << describe(array, position)
               << ", expected no write to what argument " << number
               << " points at, which is tile.readonly";
  auto log = getLog(op, array, byte);
  if (failed(log))
    return failure();
  for (; byte < end; byte += (*log)->unitSize)
    if (failed(checkOrder(op, (*log)->getRecords()[byte / (*log)->unitSize],
                          array, position, access, element)))
      return failure();
  return success();
}
