//===- DecodeMemory.cpp ---------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads and stores, cut into the accesses that PTX makes of them: as wide as
// the alignment allows, 16 bytes at most.
//
//===----------------------------------------------------------------------===//

#include "DecodeCalls.h"
#include "DecodeInstructions.h"

using namespace llvm;

namespace tileir::sim {

namespace {
/// How a scalar or a vector lies in memory and is accessed: as `units` units of
/// `unitBits` bits, 8 to 64, side by side.
struct MemoryShape {
  unsigned elementBits; ///< of one element: its bytes, or packed in a vector
  unsigned unitBits;
  uint64_t units;
};
} // namespace

static MemoryShape getShape(Type *type, const DataLayout &layout,
                            Align alignment) {
  auto *vector = dyn_cast<FixedVectorType>(type);
  unsigned bits =
      vector
          ? layout.getTypeSizeInBits(vector->getElementType()).getFixedValue()
          : layout.getTypeStoreSizeInBits(type).getFixedValue();
  // The largest power of two that divides the bits.
  unsigned unit =
      std::max<uint64_t>(8, std::min<uint64_t>({bits & -bits, 64, 8 * alignment.value()}));
  return {bits, unit, (vector ? vector->getNumElements() : 1) * bits / unit};
}

/// The bits of each register of a value as it lies in memory: an odd integer
/// has those of its bytes.
static SmallVector<unsigned> getMemoryBits(Type *type, unsigned elementBits) {
  SmallVector<unsigned> bits;
  for (Type *scalar : Decoder::flatten(type))
    bits.push_back(type->isVectorTy() ? elementBits : 0);
  return bits;
}

/// Calls `body(first, count)` for each access to `units` units of `bytes` bytes
/// at an address of this alignment.
static void forEachAccess(unsigned bytes, uint64_t units, Align alignment,
                          function_ref<void(uint64_t, uint64_t)> body) {
  for (uint64_t first = 0; first < units;) {
    uint64_t here = commonAlignment(alignment, first * bytes).value();
    uint64_t left = bit_floor((units - first) * bytes);
    uint64_t count = std::min<uint64_t>({here, left, 16}) / bytes;
    body(first, count);
    first += count;
  }
}

static Access makeAccess(Opcode opcode, const Value *pointer, unsigned bytes,
                         unsigned elements, bool isVolatile) {
  Access access;
  access.opcode = opcode;
  access.space = Decoder::getSpace(pointer);
  access.elementBytes = bytes;
  access.elements = elements;
  access.bytes = bytes * elements;
  access.isVolatile = isVolatile;
  return access;
}

/// `access` is emitted for each piece of a value in memory; `registers` are its
/// units.
static void emitAccesses(Decoder &decoder, Access access, Address address,
                         ArrayRef<Register> registers, Align alignment) {
  unsigned bytes = access.elementBytes;
  forEachAccess(
      bytes, registers.size(), alignment, [&](uint64_t first, uint64_t count) {
        access.elements = count;
        access.bytes = count * bytes;
        ArrayRef<Register> piece = registers.slice(first, count);
        Address at{address.base, address.offset + int64_t(first * bytes)};
        bool isLoad = access.opcode == Opcode::Load;
        decoder.emitAccess(access, at, isLoad ? piece : ArrayRef<Register>(),
                           isLoad ? ArrayRef<Register>() : piece);
      });
}

void decodeLoad(Decoder &decoder, LoadInst &load) {
  const DataLayout &layout = decoder.getLayout();
  const Value *pointer = load.getPointerOperand();
  Address base = decoder.getAddress(pointer);
  SmallVector<Register> results;
  for (auto [type, offset] : getParts(load.getType(), layout)) {
    Align alignment = commonAlignment(load.getAlign(), offset);
    MemoryShape shape = getShape(type, layout, alignment);
    Access access = makeAccess(Opcode::Load, pointer, shape.unitBits / 8, 1,
                               load.isVolatile());
    if (load.isAtomic())
      setOrder(decoder, load, load.getOrdering(), load.getSyncScopeID(),
               access);
    SmallVector<Register> units;
    for (uint64_t i = 0; i < shape.units; ++i)
      units.push_back(decoder.makeTemporary(shape.unitBits > 32));
    emitAccesses(decoder, access, {base.base, base.offset + int64_t(offset)},
                 units, alignment);
    units = decoder.regroup(units, shape.unitBits, shape.elementBits);
    // Memory has more bits than an odd integer.
    if (type->isIntegerTy())
      units.assign(1, Arithmetic(decoder, type).mask(units.front()));
    append_range(results, units);
  }
  decoder.rename(load, results);
}

void decodeStore(Decoder &decoder, StoreInst &store) {
  const DataLayout &layout = decoder.getLayout();
  const Value *pointer = store.getPointerOperand();
  Address base = decoder.getAddress(pointer);
  SmallVector<Register> scalars = decoder.use(store.getValueOperand());
  ArrayRef<Register> left = scalars;
  for (auto [type, offset] :
       getParts(store.getValueOperand()->getType(), layout)) {
    Align alignment = commonAlignment(store.getAlign(), offset);
    MemoryShape shape = getShape(type, layout, alignment);
    Access access = makeAccess(Opcode::Store, pointer, shape.unitBits / 8, 1,
                               store.isVolatile());
    if (store.isAtomic())
      setOrder(decoder, store, store.getOrdering(), store.getSyncScopeID(),
               access);
    size_t count = Decoder::flatten(type).size();
    SmallVector<Register> units = decoder.regroup(
        left.take_front(count), shape.elementBits, shape.unitBits);
    left = left.drop_front(count);
    emitAccesses(decoder, access, {base.base, base.offset + int64_t(offset)},
                 units, alignment);
  }
}

//===----------------------------------------------------------------------===//
// memcpy, memmove, memset
//===----------------------------------------------------------------------===//

/// A register of `bytes` bytes that each are `value`.
static Register repeatByte(Decoder &decoder, const Value *value,
                           unsigned bytes) {
  bool isWide = bytes > 4;
  if (auto *constant = dyn_cast<ConstantInt>(value))
    return decoder.getConstant(
        APInt::getSplat(8 * bytes, constant->getValue()).getZExtValue(),
        isWide);
  SmallVector<Register> parts(bytes, decoder.useScalar(value));
  return decoder.regroup(parts, 8, 8 * bytes).front();
}

Error decodeMemoryIntrinsic(Decoder &decoder, MemIntrinsic &call) {
  auto *length = dyn_cast<ConstantInt>(call.getLength());
  if (!length)
    return decoder.unsupported(call, "a copy of a size that is only known when "
                                     "it runs");
  auto *transfer = dyn_cast<MemTransferInst>(&call);
  Align alignment = call.getDestAlign().valueOrOne();
  if (transfer)
    alignment = std::min(alignment, transfer->getSourceAlign().valueOrOne());
  // Everything is read before anything is written: memmove may overlap.
  SmallVector<std::pair<uint64_t, Register>> pieces; // offsets
  SmallVector<unsigned> sizes;
  auto access = [&](Opcode opcode, const Value *pointer, unsigned bytes,
                    uint64_t offset, Register piece) {
    Address address = decoder.getAddress(pointer);
    address.offset += offset;
    bool isLoad = opcode == Opcode::Load;
    decoder.emitAccess(makeAccess(opcode, pointer, bytes, 1, call.isVolatile()),
                       address, isLoad ? ArrayRef(piece) : ArrayRef<Register>(),
                       isLoad ? ArrayRef<Register>() : ArrayRef(piece));
  };
  uint64_t total = length->getZExtValue();
  for (uint64_t offset = 0; offset < total; offset += sizes.back()) {
    uint64_t bytes =
        std::min<uint64_t>({commonAlignment(alignment, offset).value(),
                            bit_floor(total - offset), 8});
    Register piece;
    if (transfer) {
      piece = decoder.makeTemporary(bytes > 4);
      access(Opcode::Load, transfer->getRawSource(), bytes, offset, piece);
    } else {
      piece = repeatByte(decoder, cast<MemSetInst>(call).getValue(), bytes);
    }
    pieces.push_back({offset, piece});
    sizes.push_back(bytes);
  }
  for (auto [piece, bytes] : zip(pieces, sizes))
    access(Opcode::Store, call.getRawDest(), bytes, piece.first, piece.second);
  return Error::success();
}

} // namespace tileir::sim
