//===- DecodeElements.cpp -------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parts of vectors, structs and arrays: other names for registers, but for
// indices that only the kernel knows.
//
//===----------------------------------------------------------------------===//

#include "Decode/DecodeCalls.h"
#include "Decode/DecodeInstructions.h"

using namespace llvm;

namespace tileir::sim {

/// The constant index of an element; nothing: it is not constant. One beyond
/// the end, whose element is poison, gives 0.
static std::optional<uint64_t> getIndex(const Value *index, uint64_t count) {
  auto *constant = dyn_cast<ConstantInt>(index);
  if (!constant)
    return std::nullopt;
  return constant->getValue().ult(count) ? constant->getZExtValue() : 0;
}

/// Whether `index` is `i`, as a register.
static Register isIndex(Decoder &decoder, const Value *index, uint64_t i) {
  Arithmetic arithmetic(decoder, index->getType());
  return arithmetic.test(Opcode::CmpEq32, decoder.useScalar(index),
                         arithmetic.constant(i));
}

/// In how many registers an element of a vector is: integers of more than 64
/// bits are in several.
static size_t getPartsOfElement(const Value *vector) {
  return Decoder::flatten(vector->getType()->getScalarType()).size();
}

/// `condition` ? a : b, part by part of a value of type `type`.
static void select(Decoder &decoder, Type *type, Register condition,
                   ArrayRef<Register> a, MutableArrayRef<Register> b) {
  for (auto [i, part] : enumerate(Decoder::flatten(type)))
    b[i] = Arithmetic(decoder, part).select(condition, a[i], b[i]);
}

void decodeExtractElement(Decoder &decoder, ExtractElementInst &extract) {
  SmallVector<Register> registers = decoder.use(extract.getVectorOperand());
  const size_t parts = getPartsOfElement(extract.getVectorOperand());
  auto element = [&](size_t i) {
    return ArrayRef(registers).slice(i * parts, parts);
  };
  const Value *index = extract.getIndexOperand();
  if (auto i = getIndex(index, registers.size() / parts))
    return decoder.rename(extract, element(*i));
  SmallVector<Register> result(element(0));
  for (size_t i = 1; i < registers.size() / parts; ++i)
    select(decoder, extract.getType(), isIndex(decoder, index, i), element(i),
           result);
  decoder.rename(extract, result);
}

void decodeInsertElement(Decoder &decoder, InsertElementInst &insert) {
  SmallVector<Register> registers = decoder.use(insert.getOperand(0));
  SmallVector<Register> value = decoder.use(insert.getOperand(1));
  const size_t parts = value.size();
  auto element = [&](size_t i) {
    return MutableArrayRef(registers).slice(i * parts, parts);
  };
  const Value *index = insert.getOperand(2);
  if (auto i = getIndex(index, registers.size() / parts))
    copy(value, element(*i).begin());
  else
    for (size_t i = 0; i < registers.size() / parts; ++i)
      select(decoder, insert.getOperand(1)->getType(),
             isIndex(decoder, index, i), value, element(i));
  decoder.rename(insert, registers);
}

void decodeShuffle(Decoder &decoder, ShuffleVectorInst &shuffle) {
  SmallVector<Register> registers = decoder.use(shuffle.getOperand(0));
  append_range(registers, decoder.use(shuffle.getOperand(1)));
  const size_t parts = getPartsOfElement(&shuffle);
  SmallVector<Register> results;
  for (int i : shuffle.getShuffleMask())
    for (size_t part = 0; part < parts; ++part)
      results.push_back(
          i < 0 ? decoder.getConstant(0, decoder.isWide(registers[part]))
                : registers[i * parts + part]);
  decoder.rename(shuffle, results);
}

/// Returns where the part at `indices` of an aggregate begins, in scalars.
static size_t getFirstScalar(Type *type, ArrayRef<unsigned> indices) {
  size_t first = 0;
  for (unsigned index : indices) {
    if (auto *array = dyn_cast<ArrayType>(type)) {
      type = array->getElementType();
      first += index * Decoder::flatten(type).size();
      continue;
    }
    auto *structure = cast<StructType>(type);
    for (unsigned i = 0; i < index; ++i)
      first += Decoder::flatten(structure->getElementType(i)).size();
    type = structure->getElementType(index);
  }
  return first;
}

void decodeExtractValue(Decoder &decoder, ExtractValueInst &extract) {
  SmallVector<Register> scalars = decoder.use(extract.getAggregateOperand());
  size_t first = getFirstScalar(extract.getAggregateOperand()->getType(),
                                extract.getIndices());
  decoder.rename(extract,
                 ArrayRef(scalars).slice(
                     first, Decoder::flatten(extract.getType()).size()));
}

void decodeInsertValue(Decoder &decoder, InsertValueInst &insert) {
  SmallVector<Register> scalars = decoder.use(insert.getAggregateOperand());
  SmallVector<Register> part = decoder.use(insert.getInsertedValueOperand());
  copy(part,
       scalars.begin() + getFirstScalar(insert.getType(), insert.getIndices()));
  decoder.rename(insert, scalars);
}

} // namespace tileir::sim
