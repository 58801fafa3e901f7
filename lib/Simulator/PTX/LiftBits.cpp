//===- LiftBits.cpp -------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bits: logic, shifts, fields, permutations, counts.
//
//===----------------------------------------------------------------------===//

#include "PTX/Lifter.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace tileir::sim::ptx {

//===----------------------------------------------------------------------===//
// Logic
//===----------------------------------------------------------------------===//

template <BinaryOperator::BinaryOps kOperation>
static bool liftLogic(Lifter &l, Modifiers &m, Operands o) {
  auto type = m.takeType();
  if (!type)
    return false;
  l.write(o[0], l.b.CreateBinOp(kOperation, l.read(o[1], *type),
                                l.read(o[2], *type)));
  return true;
}

static bool liftNot(Lifter &l, Modifiers &m, Operands o) {
  auto type = m.takeType();
  if (!type)
    return false;
  l.write(o[0], l.b.CreateNot(l.read(o[1], *type)));
  return true;
}

/// cnot: whether it is 0.
static bool liftIsZero(Lifter &l, Modifiers &m, Operands o) {
  auto type = m.takeType();
  if (!type)
    return false;
  l.write(o[0],
          l.b.CreateZExt(l.b.CreateIsNull(l.read(o[1], *type)), type->type));
  return true;
}

/// lop3.b32 d, a, b, c, table: bit 4a+2b+c of the table. Or, with a second
/// result p|d and a predicate: lop3.{or,and}.b32 d|p, a, b, c, table, q.
static bool liftTable(Lifter &l, Modifiers &m, Operands o) {
  StringRef combine = m.takeOneOf({"or", "and"});
  auto type = m.takeType();
  if (!type || o[4].kind != Operand::Kind::Integer)
    return false;
  uint64_t table = o[4].bits;
  Value *a = l.read(o[1], *type), *b = l.read(o[2], *type),
        *c = l.read(o[3], *type);
  // What a function of one bit makes of c, then of b and c, then of all.
  auto ofC = [&](unsigned bits) -> Value * {
    switch (bits & 3) {
    case 0:
      return Constant::getNullValue(type->type);
    case 1:
      return l.b.CreateNot(c);
    case 2:
      return c;
    default:
      return Constant::getAllOnesValue(type->type);
    }
  };
  auto choose = [&](Value *selector, Value *one, Value *zero) -> Value * {
    if (one == zero)
      return one;
    Value *difference = l.b.CreateXor(one, zero);
    return l.b.CreateXor(l.b.CreateAnd(selector, difference), zero);
  };
  auto ofB = [&](unsigned bits) {
    return choose(b, ofC(bits >> 2), ofC(bits));
  };
  Value *result = choose(a, ofB(table >> 4), ofB(table & 15));
  if (combine.empty()) {
    l.write(o[0], result);
    return o.size() == 5;
  }
  if (o.size() != 6 || o[0].kind != Operand::Kind::Pair)
    return false;
  Value *other = l.read(o[5], l.b.getInt1Ty());
  Value *isSet = l.b.CreateIsNotNull(result);
  l.write(o[0].elements[0], result);
  l.write(o[0].elements[1], combine == "or" ? l.b.CreateOr(isSet, other)
                                            : l.b.CreateAnd(isSet, other));
  return true;
}

//===----------------------------------------------------------------------===//
// Shifts and fields
//===----------------------------------------------------------------------===//

/// A shift by up to 2^32 - 1 bits. Shifts of less than 32 bits are made with
/// operands that fill a register.
static Value *shift(Lifter &l, StringRef kind, Value *value, Value *amount) {
  unsigned bits = value->getType()->getIntegerBitWidth();
  if (auto *constant = dyn_cast<ConstantInt>(amount)) {
    uint64_t by = constant->getZExtValue();
    bool fits = by < bits;
    if (kind == "ashr")
      return l.b.CreateAShr(value, fits ? by : bits - 1);
    if (!fits)
      return Constant::getNullValue(value->getType());
    return kind == "shl" ? l.b.CreateShl(value, by) : l.b.CreateLShr(value, by);
  }
  return l.callOwn(kind + ".i" + Twine(bits), value->getType(),
                   {value, l.castBits(amount, value->getType())});
}

template <bool kLeft>
static bool liftShift(Lifter &l, Modifiers &m, Operands o) {
  auto type = m.takeType();
  if (!type || type->isFloat || type->type->isVectorTy())
    return false;
  unsigned bits = std::max(32u, type->bits());
  Value *value = l.castBits(l.read(o[1], *type), l.integer(bits),
                            !kLeft && type->isSigned);
  Value *shifted = shift(l, kLeft ? "shl" : (type->isSigned ? "ashr" : "lshr"),
                         value, l.read(o[2], l.b.getInt32Ty()));
  l.write(o[0], l.castBits(shifted, type->type));
  return true;
}

/// shf.{l,r}.{clamp,wrap}.b32 d, low, high, amount
static bool liftFunnelShift(Lifter &l, Modifiers &m, Operands o) {
  bool isLeft = m.take("l");
  if (!isLeft && !m.take("r"))
    return false;
  bool isClamped = m.take("clamp");
  if (!isClamped && !m.take("wrap"))
    return false;
  auto type = m.takeType();
  if (!type || type->bits() != 32)
    return false;
  Value *low = l.read(o[1], *type), *high = l.read(o[2], *type),
        *amount = l.read(o[3], *type);
  Value *result;
  if (isClamped) {
    result =
        l.callIntrinsic("llvm.nvvm.fsh" + Twine(isLeft ? "l" : "r") + ".clamp",
                        {high, low, amount}, {type->type});
    if (!result)
      return false;
  } else {
    result = l.b.CreateIntrinsic(isLeft ? Intrinsic::fshl : Intrinsic::fshr,
                                 {type->type}, {high, low, amount});
  }
  l.write(o[0], result);
  return true;
}

/// The bits 0 to 7 of an operand that says a place or a length.
static Value *readByte(Lifter &l, const Operand &operand, Type *type) {
  return l.castBits(
      l.b.CreateAnd(l.read(operand, l.b.getInt32Ty()), l.b.getInt32(255)),
      type);
}

/// A mask of `length` low bits, of all if it is the width or more.
static Value *makeMask(Lifter &l, Value *length) {
  Type *type = length->getType();
  return l.b.CreateSub(shift(l, "shl", ConstantInt::get(type, 1), length),
                       ConstantInt::get(type, 1));
}

/// bfe d, a, place, length
static bool liftExtract(Lifter &l, Modifiers &m, Operands o) {
  auto type = m.takeType();
  if (!type || type->bits() < 32)
    return false;
  Value *value = l.read(o[1], *type), *place = readByte(l, o[2], type->type),
        *length = readByte(l, o[3], type->type);
  Value *moved = shift(l, type->isSigned ? "ashr" : "lshr", value, place);
  if (!type->isSigned) {
    l.write(o[0], l.b.CreateAnd(moved, makeMask(l, length)));
    return true;
  }
  // The field goes to the top and comes back with its sign.
  unsigned bits = type->bits();
  Value *isShort =
      l.b.CreateICmpULT(length, ConstantInt::get(type->type, bits));
  Value *up = l.b.CreateSelect(
      isShort, l.b.CreateSub(ConstantInt::get(type->type, bits), length),
      ConstantInt::get(type->type, 0));
  Value *field = shift(l, "ashr", shift(l, "shl", moved, up), up);
  l.write(o[0], l.b.CreateSelect(l.b.CreateIsNull(length),
                                 ConstantInt::get(type->type, 0), field));
  return true;
}

/// bfi d, field, into, place, length
static bool liftInsert(Lifter &l, Modifiers &m, Operands o) {
  auto type = m.takeType();
  if (!type || type->bits() < 32)
    return false;
  Value *field = l.read(o[1], *type), *into = l.read(o[2], *type),
        *place = readByte(l, o[3], type->type),
        *length = readByte(l, o[4], type->type);
  Value *mask = shift(l, "shl", makeMask(l, length), place);
  l.write(o[0],
          l.b.CreateOr(l.b.CreateAnd(into, l.b.CreateNot(mask)),
                       l.b.CreateAnd(shift(l, "shl", field, place), mask)));
  return true;
}

/// bmsk.{clamp,wrap}.b32 d, place, length
static bool liftMask(Lifter &l, Modifiers &m, Operands o) {
  bool wraps = m.take("wrap");
  auto type = m.takeType();
  if ((!wraps && !m.take("clamp")) || !type)
    return false;
  Value *place = l.read(o[1], *type), *length = l.read(o[2], *type);
  if (wraps) {
    place = l.b.CreateAnd(place, 31);
    length = l.b.CreateAnd(length, 31);
  }
  l.write(o[0], shift(l, "shl", makeMask(l, length), place));
  return true;
}

/// szext.{clamp,wrap}.{s32,u32} d, a, bits
static bool liftExtend(Lifter &l, Modifiers &m, Operands o) {
  bool wraps = m.take("wrap");
  auto type = m.takeType();
  if ((!wraps && !m.take("clamp")) || !type)
    return false;
  Value *value = l.read(o[1], *type), *length = l.read(o[2], *type);
  if (wraps)
    length = l.b.CreateAnd(length, 31);
  if (!type->isSigned) {
    l.write(o[0], l.b.CreateAnd(value, makeMask(l, length)));
    return true;
  }
  Value *isShort = l.b.CreateICmpULT(length, l.b.getInt32(32));
  Value *up = l.b.CreateSelect(isShort, l.b.CreateSub(l.b.getInt32(32), length),
                               l.b.getInt32(0));
  Value *field = shift(l, "ashr", shift(l, "shl", value, up), up);
  l.write(o[0],
          l.b.CreateSelect(l.b.CreateIsNull(length), l.b.getInt32(0), field));
  return true;
}

/// prmt.b32[.mode] d, a, b, selector. A mode is a table of four selectors.
static bool liftPermute(Lifter &l, Modifiers &m, Operands o) {
  static const std::pair<StringRef, uint64_t> modes[] = {
      {"f4e", 0x6543'5432'4321'3210}, {"b4e", 0x0123'7012'6701'5670},
      {"rc8", 0x3333'2222'1111'0000}, {"ecl", 0x3333'3222'3211'3210},
      {"ecr", 0x3210'2210'1110'0000}, {"rc16", 0x3232'1010'3232'1010}};
  auto type = m.takeType();
  if (!type)
    return false;
  Value *selector = l.read(o[3], *type);
  for (auto [mode, table] : modes)
    if (m.take(mode)) {
      Value *row = l.b.CreateShl(l.b.CreateAnd(selector, 3), 4);
      selector =
          l.b.CreateTrunc(l.b.CreateLShr(l.b.getInt64(table),
                                         l.b.CreateZExt(row, l.b.getInt64Ty())),
                          type->type);
      selector = l.b.CreateAnd(selector, 0xffff);
      break;
    }
  Value *result = l.callIntrinsic(
      "llvm.nvvm.prmt", {l.read(o[1], *type), l.read(o[2], *type), selector});
  if (!result)
    return false;
  l.write(o[0], result);
  return true;
}

//===----------------------------------------------------------------------===//
// Counts
//===----------------------------------------------------------------------===//

/// popc, clz: the result has 32 bits, whatever the operand.
template <Intrinsic::ID kId>
static bool liftCount(Lifter &l, Modifiers &m, Operands o) {
  auto type = m.takeType();
  if (!type)
    return false;
  SmallVector<Value *> operands = {l.read(o[1], *type)};
  if (kId == Intrinsic::ctlz)
    operands.push_back(l.b.getFalse()); // of 0 it is the width
  Value *count = l.b.CreateIntrinsic(kId, {type->type}, operands);
  l.write(o[0], l.castBits(count, l.b.getInt32Ty()));
  return true;
}

static bool liftReverse(Lifter &l, Modifiers &m, Operands o) {
  auto type = m.takeType();
  if (!type)
    return false;
  l.write(o[0],
          l.b.CreateUnaryIntrinsic(Intrinsic::bitreverse, l.read(o[1], *type)));
  return true;
}

/// bfind[.shiftamt]
static bool liftFind(Lifter &l, Modifiers &m, Operands o) {
  bool asShift = m.take("shiftamt");
  auto type = m.takeType();
  if (!type)
    return false;
  Value *result = l.callIntrinsic(
      Twine("llvm.nvvm.flo.") + (type->isSigned ? "s" : "u"),
      {l.read(o[1], *type), l.b.getInt1(asShift)}, {type->type});
  if (!result)
    return false;
  l.write(o[0], result);
  return true;
}

/// fns.b32 d, mask, base, offset
static bool liftFindNth(Lifter &l, Modifiers &m, Operands o) {
  auto type = m.takeType();
  if (!type || type->bits() != 32)
    return false;
  l.write(o[0], l.callIntrinsic("llvm.nvvm.fns",
                                {l.read(o[1], *type), l.read(o[2], *type),
                                 l.read(o[3], *type)}));
  return true;
}

ArrayRef<Instruction> getBitInstructions() {
  static const Instruction all[] = {
      {"and", 3, 3, liftLogic<BinaryOperator::And>, true},
      {"or", 3, 3, liftLogic<BinaryOperator::Or>, true},
      {"xor", 3, 3, liftLogic<BinaryOperator::Xor>, true},
      {"not", 2, 2, liftNot, true},
      {"cnot", 2, 2, liftIsZero, true},
      {"lop3", 5, 6, liftTable, true},
      {"shl", 3, 3, liftShift<true>, true},
      {"shr", 3, 3, liftShift<false>, true},
      {"shf", 4, 4, liftFunnelShift, true},
      {"bfe", 4, 4, liftExtract, true},
      {"bfi", 5, 5, liftInsert, true},
      {"bmsk", 3, 3, liftMask, true},
      {"szext", 3, 3, liftExtend, true},
      {"prmt", 4, 4, liftPermute, true},
      {"popc", 2, 2, liftCount<Intrinsic::ctpop>, true},
      {"clz", 2, 2, liftCount<Intrinsic::ctlz>, true},
      {"brev", 2, 2, liftReverse, true},
      {"bfind", 2, 2, liftFind, true},
      {"fns", 4, 4, liftFindNth, true},
  };
  return all;
}

} // namespace tileir::sim::ptx
