//===- LiftMove.cpp -------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Moves: of registers, of the parts of a register, of addresses.
//
//===----------------------------------------------------------------------===//

#include "PTX/LiftAccess.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tileir::sim::ptx {

/// mov.b64 {a, b}, c: the parts of a register, the lowest first.
static bool unpack(Lifter &l, ArrayRef<Operand> parts, ValueType type,
                   const Operand &from) {
  unsigned bits = type.bits() / parts.size();
  auto *vector = FixedVectorType::get(l.integer(bits), parts.size());
  Value *value = l.castBits(l.read(from, type), vector);
  for (auto [i, part] : enumerate(parts))
    l.write(part, l.b.CreateExtractElement(value, i));
  return type.bits() % parts.size() == 0;
}

static bool pack(Lifter &l, const Operand &to, ValueType type,
                 ArrayRef<Operand> parts) {
  unsigned bits = type.bits() / parts.size();
  auto *vector = FixedVectorType::get(l.integer(bits), parts.size());
  Value *value = PoisonValue::get(vector);
  for (auto [i, part] : enumerate(parts))
    value = l.b.CreateInsertElement(value, l.read(part, l.integer(bits)), i);
  l.write(to, l.castBits(value, type.type));
  return type.bits() % parts.size() == 0;
}

static bool liftMove(Lifter &l, Modifiers &m, Operands o) {
  auto type = m.takeType();
  if (!type)
    return false;
  if (o[0].isList() && o[0].elements.size() > 1)
    return !o[1].isList() && unpack(l, o[0].elements, *type, o[1]);
  if (o[1].isList() && o[1].elements.size() > 1)
    return pack(l, o[0], *type, o[1].elements);
  l.write(o[0], l.read(o[1], *type));
  return true;
}

/// cvta[.to].space.u64: addresses of all spaces are the generic ones.
static bool liftAddress(Lifter &l, Modifiers &m, Operands o) {
  m.take("to");
  StringRef space = m.takeOneOf({"global", "shared::cta", "shared::cluster",
                                 "shared", "local", "const", "param"});
  auto type = m.takeType();
  if (space.empty() || !type)
    return false;
  Value *address = l.read(o[1], *type);
  l.write(o[0], space == "param" && type->bits() == 64
                    ? widenParameter(l, address)
                    : address);
  return true;
}

static bool liftIsSpace(Lifter &l, Modifiers &m, Operands o) {
  StringRef space = m.takeFirst();
  if (space == "shared::cta")
    space = "shared";
  if (space == "shared::cluster")
    space = "shared.cluster";
  Value *address = l.read(o[1], l.b.getInt64Ty());
  Value *result = l.callIntrinsic("llvm.nvvm.isspacep." + space, {address});
  if (!result)
    return false;
  l.write(o[0], result);
  return true;
}

/// mapa[.shared::cluster].{u32,u64} d, a, rank
static bool liftMapRank(Lifter &l, Modifiers &m, Operands o) {
  const bool isShared = m.take("shared::cluster");
  auto type = m.takeType();
  Value *address = l.read(o[1], l.b.getInt64Ty());
  if (!type)
    return false;
  Value *result = l.callIntrinsic(Twine("llvm.nvvm.mapa") +
                                      (isShared ? ".shared.cluster" : ""),
                                  {address, l.read(o[2], l.b.getInt32Ty())});
  l.write(o[0], l.castBits(result, l.integer(type->bits())));
  return true;
}

/// getctarank[.shared::cluster].{u32,u64} d, a
static bool liftGetRank(Lifter &l, Modifiers &m, Operands o) {
  m.take("shared::cluster");
  if (!m.takeType())
    return false;
  l.write(o[0], l.callIntrinsic("llvm.nvvm.getctarank",
                                {l.read(o[1], l.b.getInt64Ty())}));
  return true;
}

/// createpolicy: a policy of the caches, which are not simulated.
static bool liftPolicy(Lifter &l, Modifiers &m, Operands o) {
  while (!m.empty())
    m.takeFirst();
  l.write(o[0], l.b.getInt64(0));
  return true;
}

ArrayRef<Instruction> getMoveInstructions() {
  static const Instruction all[] = {
      {"mov", 2, 2, liftMove, true},
      {"cvta", 2, 2, liftAddress, true},
      {"isspacep", 2, 2, liftIsSpace, true},
      {"mapa", 3, 3, liftMapRank, true},
      {"getctarank", 2, 2, liftGetRank, true},
      {"createpolicy", 1, 4, liftPolicy, true},
  };
  return all;
}

} // namespace tileir::sim::ptx
