//===- DecodeMma.cpp ------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decodes llvm.nvvm.mma.<shape>.<layout of A>.<of B>[.satfinite].<types>. The
// types are those of D and C where A and B are f16, of D, A, B and C where A
// and B are f8, else those of A and B, one if they are the same. Not simulated:
// types narrower than f8, sparse and scaled mma.
//
//===----------------------------------------------------------------------===//

#include "Decode/DecodeCalls.h"

#include "llvm/ADT/StringSwitch.h"

#include <optional>

using namespace llvm;

namespace tileir::sim {

static std::optional<ElementType> getElementType(StringRef name) {
  return StringSwitch<std::optional<ElementType>>(name)
      .Case("f16", ElementType::F16)
      .Case("bf16", ElementType::BF16)
      .Case("tf32", ElementType::TF32)
      .Case("f32", ElementType::F32)
      .Case("f64", ElementType::F64)
      .Case("s8", ElementType::I8)
      .Case("u8", ElementType::U8)
      .Case("e4m3", ElementType::E4M3)
      .Case("e5m2", ElementType::E5M2)
      .Default(std::nullopt);
}

static bool setShape(Mma &mma, StringRef name) {
  auto set = [&](MmaShape shape, unsigned m, unsigned n, unsigned k) {
    mma.shape = shape;
    mma.m = m;
    mma.n = n;
    mma.k = k;
    return true;
  };
  if (name == "m8n8k4")
    return set(MmaShape::M8N8K4, 8, 8, 4);
  if (name == "m8n8k16")
    return set(MmaShape::M8N8K16, 8, 8, 16);
  if (name == "m16n8k4")
    return set(MmaShape::M16N8K4, 16, 8, 4);
  if (name == "m16n8k8")
    return set(MmaShape::M16N8K8, 16, 8, 8);
  if (name == "m16n8k16")
    return set(MmaShape::M16N8K16, 16, 8, 16);
  if (name == "m16n8k32")
    return set(MmaShape::M16N8K32, 16, 8, 32);
  return false;
}

static bool isF8(ElementType type) {
  return type == ElementType::E4M3 || type == ElementType::E5M2;
}

/// Sets the types from those at the end of the name.
static bool setTypes(Mma &mma, ArrayRef<StringRef> names) {
  if (names.size() == 4) {
    ElementType *const types[] = {&mma.d, &mma.a, &mma.b, &mma.c};
    for (auto [name, type] : zip_equal(names, types)) {
      std::optional<ElementType> found = getElementType(name);
      if (!found)
        return false;
      *type = *found;
    }
    return isF8(mma.a) && isF8(mma.b);
  }
  if (names.empty() || names.size() > 2)
    return false;
  auto first = getElementType(names.front());
  auto second = getElementType(names.back());
  if (!first || !second)
    return false;
  bool isHalf = names.size() == 2 && *first != ElementType::I8 &&
                *first != ElementType::U8;
  if (isHalf) {
    mma.a = mma.b = ElementType::F16;
    mma.d = *first;
    mma.c = *second;
    return true;
  }
  mma.a = *first;
  mma.b = *second;
  switch (*first) {
  case ElementType::I8:
  case ElementType::U8:
    mma.c = mma.d = ElementType::I32;
    return true;
  case ElementType::F64:
    mma.c = mma.d = ElementType::F64;
    return true;
  case ElementType::BF16:
  case ElementType::TF32:
    mma.c = mma.d = ElementType::F32;
    return true;
  default:
    return false;
  }
}

/// Returns how many elements of a matrix one scalar of the intrinsic's
/// arguments holds: those of f16 are vectors, others are packed into i32.
static unsigned getPacking(ElementType type) {
  switch (type) {
  case ElementType::BF16:
    return 2;
  case ElementType::I8:
  case ElementType::U8:
  case ElementType::E4M3:
  case ElementType::E5M2:
    return 4;
  default:
    return 1;
  }
}

std::optional<Mma> parseMma(StringRef name) {
  SmallVector<StringRef, 8> parts;
  name.split(parts, '.');
  Mma mma;
  if (parts.size() < 5 || !setShape(mma, parts[1]))
    return std::nullopt;
  mma.aRowMajor = parts[2] == "row";
  mma.bRowMajor = parts[3] == "row";
  ArrayRef<StringRef> types = ArrayRef(parts).drop_front(4);
  mma.saturate = types.front() == "satfinite";
  if (!setTypes(mma, types.drop_front(mma.saturate)))
    return std::nullopt;
  // m8n8k4 of f16 is four multiplications in one, by eight lanes each.
  bool isQuad = mma.shape == MmaShape::M8N8K4 && mma.a == ElementType::F16;
  unsigned lanes = isQuad ? kLanes / 4 : kLanes;
  mma.aRegisters = mma.m * mma.k / lanes / getPacking(mma.a);
  mma.bRegisters = mma.k * mma.n / lanes / getPacking(mma.b);
  mma.cRegisters = mma.dRegisters = mma.m * mma.n / lanes;
  return mma;
}

void emitMma(Decoder &decoder, const Mma &mma, ArrayRef<Register> defs,
             ArrayRef<Register> uses) {
  decoder.program.mmas.push_back(mma);
  decoder.emitList(Opcode::Mma, defs, uses).extra =
      decoder.program.mmas.size() - 1;
}

Expected<bool> decodeMma(Decoder &decoder, CallBase &call, StringRef name) {
  SmallVector<Register> uses;
  std::optional<Mma> mma = parseMma(name);
  if (!mma)
    return decoder.unsupported(call, "llvm.nvvm." + name);
  for (Value *argument : call.args())
    append_range(uses, decoder.use(argument));
  SmallVector<Register> defs = decoder.define(call);
  if (uses.size() !=
          unsigned(mma->aRegisters + mma->bRegisters + mma->cRegisters) ||
      defs.size() != mma->dRegisters)
    return decoder.unsupported(call, "llvm.nvvm." + name +
                                         " with operands of this type");
  emitMma(decoder, *mma, defs, uses);
  return true;
}

} // namespace tileir::sim
