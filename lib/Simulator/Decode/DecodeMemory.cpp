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

#include "Decode/DecodeInstructions.h"
#include "Load/LoadModule.h"

using namespace llvm;

namespace tileir::sim {

namespace {
/// The place of a value in memory, and how it is accessed.
struct Place {
  Access access; ///< but for its widths
  Address address;
  Align alignment;

  /// The place `offset` bytes behind.
  Place at(uint64_t offset) const {
    return {access,
            {address.base, address.offset + int64_t(offset)},
            commonAlignment(alignment, offset)};
  }
};
} // namespace

static Place makePlace(Decoder &decoder, Opcode opcode, const Value *pointer,
                       Align alignment, bool isVolatile) {
  Place place{Access(), decoder.getAddress(pointer), alignment};
  place.access.opcode = opcode;
  place.access.space = Decoder::getSpace(pointer);
  place.access.isVolatile = isVolatile;
  return place;
}

/// The units that a scalar or vector is accessed in: the bits of each, 8 to 64.
static SmallVector<unsigned> getUnits(Decoder &decoder, Type *type,
                                      Align alignment) {
  const DataLayout &layout = decoder.getLayout();
  uint64_t total = layout.getTypeStoreSizeInBits(type), element = total;
  if (type->isVectorTy())
    element = layout.getTypeSizeInBits(type->getScalarType());
  // The largest power of two that divides an element.
  uint64_t bits =
      std::min<uint64_t>({element & -element, 64, 8 * alignment.value()});
  bits = std::max<uint64_t>(bits, 8);
  return SmallVector<unsigned>(total / bits, bits);
}

/// Notes a scalar that has to be cut because of its alignment: one that the
/// front end knows to be misaligned, or a part of a packed struct.
static void noteCut(Type *type, Place &place, const DataLayout &layout) {
  const uint64_t bytes = layout.getTypeStoreSize(type);
  if (!type->isVectorTy() && isPowerOf2_64(bytes) && bytes <= 16 &&
      place.alignment.value() < bytes)
    place.access.wholeBytes = bytes;
}

/// Emits the accesses to units of `bytes` bytes, each as many as the alignment
/// allows.
static void emitPieces(Decoder &decoder, const Place &place, unsigned bytes,
                       ArrayRef<Register> units) {
  for (size_t first = 0; first < units.size();) {
    Place here = place.at(first * bytes);
    uint64_t left = bit_floor((units.size() - first) * bytes);
    here.access.wholeOffset = first * bytes;
    here.access.elementBytes = bytes;
    here.access.bytes = std::min<uint64_t>({here.alignment.value(), left, 16});
    here.access.elements = here.access.bytes / bytes;
    ArrayRef<Register> piece = units.slice(first, here.access.elements), none;
    bool isLoad = here.access.opcode == Opcode::Load;
    decoder.emitAccess(here.access, here.address, isLoad ? piece : none,
                       isLoad ? none : piece);
    first += here.access.elements;
  }
}

/// Loads a scalar or vector; gives its scalars.
static SmallVector<Register> load(Decoder &decoder, Type *type, Place place) {
  noteCut(type, place, decoder.getLayout());
  SmallVector<unsigned> bits = getUnits(decoder, type, place.alignment);
  SmallVector<Register> units;
  for (unsigned unit : bits)
    units.push_back(decoder.makeTemporary(unit > 32));
  emitPieces(decoder, place, bits[0] / 8, units);
  return decoder.regroup(units, bits, getBits(type));
}

static void store(Decoder &decoder, Type *type, Place place,
                  ArrayRef<Register> scalars) {
  noteCut(type, place, decoder.getLayout());
  SmallVector<unsigned> bits = getUnits(decoder, type, place.alignment);
  emitPieces(decoder, place, bits[0] / 8,
             decoder.regroup(scalars, getBits(type), bits));
}

//===----------------------------------------------------------------------===//
// Instructions
//===----------------------------------------------------------------------===//

void decodeLoad(Decoder &decoder, LoadInst &instruction) {
  Place place =
      makePlace(decoder, Opcode::Load, instruction.getPointerOperand(),
                instruction.getAlign(), instruction.isVolatile());
  place.access.isPolled = instruction.hasMetadata(kPolled);
  place.access.storedGroup = getStoredGroup(instruction);
  place.access.isHint = instruction.hasMetadata(kHint);
  if (instruction.isAtomic())
    setOrder(decoder, instruction, instruction.getOrdering(),
             instruction.getSyncScopeID(), place.access);
  SmallVector<Register> results;
  for (auto [type, offset] :
       getParts(instruction.getType(), decoder.getLayout()))
    append_range(results, load(decoder, type, place.at(offset)));
  decoder.rename(instruction, results);
}

void decodeStore(Decoder &decoder, StoreInst &instruction) {
  const Value *value = instruction.getValueOperand();
  Place place =
      makePlace(decoder, Opcode::Store, instruction.getPointerOperand(),
                instruction.getAlign(), instruction.isVolatile());
  place.access.storedGroup = getStoredGroup(instruction);
  if (instruction.isAtomic())
    setOrder(decoder, instruction, instruction.getOrdering(),
             instruction.getSyncScopeID(), place.access);
  SmallVector<Register> scalars = decoder.use(value);
  ArrayRef<Register> left = scalars;
  for (auto [type, offset] : getParts(value->getType(), decoder.getLayout())) {
    size_t count = Decoder::flatten(type).size();
    store(decoder, type, place.at(offset), left.take_front(count));
    left = left.drop_front(count);
  }
}

/// The load-store-vectorizer joins loads with gaps between them. The gaps may
/// lie in memory that belongs to nobody, so the runs between are loaded.
Error decodeMaskedLoad(Decoder &decoder, IntrinsicInst &call) {
  auto *mask = dyn_cast<Constant>(call.getArgOperand(1));
  if (!mask)
    return decoder.unsupported(call, "a mask that is only known when it runs");
  auto *vector = cast<FixedVectorType>(call.getType());
  Type *element = vector->getElementType();
  Place place = makePlace(decoder, Opcode::Load, call.getArgOperand(0),
                          call.getParamAlign(0).valueOrOne(),
                          /*isVolatile=*/false);
  SmallVector<Register> results = decoder.use(call.getArgOperand(2));
  auto isLoaded = [&](unsigned i) {
    return i < results.size() && mask->getAggregateElement(i)->isOneValue();
  };
  for (unsigned first = 0; first < results.size();) {
    unsigned end = first;
    while (isLoaded(end))
      ++end;
    if (end > first) {
      uint64_t stride = decoder.getLayout().getTypeStoreSize(element);
      copy(load(decoder, FixedVectorType::get(element, end - first),
                place.at(first * stride)),
           results.begin() + first);
    }
    first = end + 1;
  }
  decoder.rename(call, results);
  return Error::success();
}

//===----------------------------------------------------------------------===//
// memcpy, memmove, memset
//===----------------------------------------------------------------------===//

/// A register of `bytes` bytes that each are `value`.
static Register repeatByte(Decoder &decoder, const Value *value,
                           unsigned bytes) {
  SmallVector<unsigned> bits(bytes, 8);
  if (auto *constant = dyn_cast<ConstantInt>(value))
    return decoder.getConstant(
        APInt::getSplat(8 * bytes, constant->getValue()).getZExtValue(),
        /*wide=*/bytes > 4);
  SmallVector<Register> parts(bytes, decoder.useScalar(value));
  return decoder.regroup(parts, bits, 8 * bytes).front();
}

Error decodeMemoryIntrinsic(Decoder &decoder, MemIntrinsic &call) {
  auto *length = dyn_cast<ConstantInt>(call.getLength());
  if (!length)
    return decoder.unsupported(call, "a copy of a size that is only known when "
                                     "it runs");
  Place to = makePlace(decoder, Opcode::Store, call.getRawDest(),
                       call.getDestAlign().valueOrOne(), call.isVolatile());
  Place from = to;
  auto *transfer = dyn_cast<MemTransferInst>(&call);
  if (transfer)
    from =
        makePlace(decoder, Opcode::Load, transfer->getRawSource(),
                  transfer->getSourceAlign().valueOrOne(), call.isVolatile());
  // Everything is read before anything is written: memmove may overlap.
  struct Piece {
    uint64_t offset;
    Type *type;
    SmallVector<Register> value;
  };
  SmallVector<Piece> pieces;
  uint64_t total = length->getZExtValue();
  for (uint64_t offset = 0; offset < total;) {
    uint64_t bytes = std::min<uint64_t>({to.at(offset).alignment.value(),
                                         from.at(offset).alignment.value(),
                                         bit_floor(total - offset), 8});
    Type *type = IntegerType::get(call.getContext(), 8 * bytes);
    SmallVector<Register> value;
    if (transfer)
      value = load(decoder, type, from.at(offset));
    else
      value = {repeatByte(decoder, cast<MemSetInst>(call).getValue(), bytes)};
    pieces.push_back({offset, type, value});
    offset += bytes;
  }
  for (const Piece &piece : pieces)
    store(decoder, piece.type, to.at(piece.offset), piece.value);
  return Error::success();
}

} // namespace tileir::sim
