//===- LiftInteger.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integer arithmetic: with saturation, with carries, of pairs of 16 bits.
//
//===----------------------------------------------------------------------===//

#include "PTX/LiftArithmetic.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace tileir::sim::ptx {

/// The width that a multiplication gives, and which part of it.
enum class Part { Low, High, Wide };

static std::optional<Part> takePart(Modifiers &m) {
  if (m.take("lo"))
    return Part::Low;
  if (m.take("hi"))
    return Part::High;
  if (m.take("wide"))
    return Part::Wide;
  return std::nullopt;
}

static std::optional<ValueType> takeInteger(Modifiers &m) {
  auto type = m.takeType();
  return type && !type->isFloat ? type : std::nullopt;
}

static Value *widen(Lifter &l, Value *value, ValueType type) {
  Type *wide = l.integer(2 * type.bits());
  return type.isSigned ? l.b.CreateSExt(value, wide)
                       : l.b.CreateZExt(value, wide);
}

/// A part of a product.
static Value *multiply(Lifter &l, Part part, ValueType type, Value *x,
                       Value *y) {
  if (part == Part::Low)
    return l.b.CreateMul(x, y);
  if (part == Part::High && (type.bits() == 32 || type.bits() == 64))
    return l.callIntrinsic("llvm.nvvm.mulhi." +
                               Twine(type.bits() == 64
                                         ? (type.isSigned ? "ll" : "ull")
                                         : (type.isSigned ? "i" : "ui")),
                           {x, y});
  Value *product = l.b.CreateMul(widen(l, x, type), widen(l, y, type));
  if (part == Part::Wide)
    return product;
  return l.b.CreateTrunc(l.b.CreateLShr(product, type.bits()), type.type);
}

//===----------------------------------------------------------------------===//
// Carries
//===----------------------------------------------------------------------===//

namespace {
/// The register of carries: read by addc and the like, written with .cc.
struct Carry {
  Lifter &l;
  bool reads, writes;

  Value *read(Type *type) {
    AllocaInst *reg = l.getCarry();
    return l.b.CreateZExt(l.b.CreateLoad(l.b.getInt1Ty(), reg), type);
  }
  void write(Value *value) {
    AllocaInst *reg = l.getCarry();
    if (Value *guard = l.getGuard())
      value =
          l.b.CreateSelect(guard, value, l.b.CreateLoad(l.b.getInt1Ty(), reg));
    l.b.CreateStore(value, reg);
  }
  Value *add(Value *x, Value *y) {
    Value *sum = l.b.CreateAdd(x, y), *over = l.b.CreateICmpULT(sum, x);
    if (reads) {
      Value *in = read(x->getType()), *total = l.b.CreateAdd(sum, in);
      over = l.b.CreateOr(over, l.b.CreateICmpULT(total, sum));
      sum = total;
    }
    if (writes)
      write(over);
    return sum;
  }
  /// The carry of a subtraction is a borrow.
  Value *subtract(Value *x, Value *y) {
    Value *rest = l.b.CreateSub(x, y), *under = l.b.CreateICmpULT(x, y);
    if (reads) {
      Value *in = read(x->getType()), *total = l.b.CreateSub(rest, in);
      under = l.b.CreateOr(under, l.b.CreateICmpULT(rest, in));
      rest = total;
    }
    if (writes)
      write(under);
    return rest;
  }
};
} // namespace

template <bool kSubtracts, bool kReads>
static bool liftCarrySum(Lifter &l, Modifiers &m, Operands o) {
  Carry carry{l, kReads, m.take("cc")};
  auto type = takeInteger(m);
  if (!type)
    return false;
  Value *x = l.read(o[1], *type), *y = l.read(o[2], *type);
  l.write(o[0], kSubtracts ? carry.subtract(x, y) : carry.add(x, y));
  return true;
}

template <bool kReads>
static bool liftCarryProduct(Lifter &l, Modifiers &m, Operands o) {
  Carry carry{l, kReads, m.take("cc")};
  auto part = takePart(m);
  auto type = takeInteger(m);
  if (!part || *part == Part::Wide || !type)
    return false;
  Value *product =
      multiply(l, *part, *type, l.read(o[1], *type), l.read(o[2], *type));
  l.write(o[0], carry.add(product, l.read(o[3], *type)));
  return true;
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

bool liftIntegerSum(Lifter &l, Modifiers &m, Operands o, ValueType type,
                    bool subtracts) {
  Value *x = l.read(o[1], type), *y = l.read(o[2], type);
  if (!m.take("sat")) {
    l.write(o[0], subtracts ? l.b.CreateSub(x, y) : l.b.CreateAdd(x, y));
    return true;
  }
  Intrinsic::ID id = subtracts ? Intrinsic::ssub_sat : Intrinsic::sadd_sat;
  l.write(o[0], l.b.CreateBinaryIntrinsic(id, x, y));
  return type.isSigned;
}

bool liftIntegerProduct(Lifter &l, Modifiers &m, Operands o, ValueType type) {
  auto part = takePart(m);
  if (!part)
    return false;
  l.write(o[0],
          multiply(l, *part, type, l.read(o[1], type), l.read(o[2], type)));
  return true;
}

bool liftIntegerMultiplyAdd(Lifter &l, Modifiers &m, Operands o,
                            ValueType type) {
  bool saturates = m.take("sat");
  auto part = takePart(m);
  if (!part)
    return false;
  Value *product =
      multiply(l, *part, type, l.read(o[1], type), l.read(o[2], type));
  Value *addend = l.read(o[3], product->getType());
  if (!saturates)
    l.write(o[0], l.b.CreateAdd(product, addend));
  else
    l.write(o[0],
            l.b.CreateBinaryIntrinsic(Intrinsic::sadd_sat, product, addend));
  return !saturates || (*part == Part::High && type.isSigned);
}

/// {mul24,mad24}.{lo,hi}
static bool liftProduct24(Lifter &l, Modifiers &m, Operands o) {
  auto part = takePart(m);
  auto type = takeInteger(m);
  if (!part || !type || type->bits() != 32)
    return false;
  auto cut = [&](const Operand &operand) -> Value * {
    Value *low = l.b.CreateTrunc(l.read(operand, *type), l.integer(24));
    Type *wide = l.b.getInt64Ty();
    return type->isSigned ? l.b.CreateSExt(low, wide)
                          : l.b.CreateZExt(low, wide);
  };
  Value *product = l.b.CreateMul(cut(o[1]), cut(o[2]));
  if (*part == Part::High)
    product = l.b.CreateLShr(product, 16);
  product = l.b.CreateTrunc(product, type->type);
  if (o.size() == 4)
    product = l.b.CreateAdd(product, l.read(o[3], *type));
  l.write(o[0], product);
  return true;
}

bool liftIntegerQuotient(Lifter &l, Operands o, ValueType type) {
  Value *x = l.read(o[1], type), *y = l.read(o[2], type);
  l.write(o[0], type.isSigned ? l.b.CreateSDiv(x, y) : l.b.CreateUDiv(x, y));
  return true;
}

static bool liftRemainder(Lifter &l, Modifiers &m, Operands o) {
  auto type = takeInteger(m);
  if (!type)
    return false;
  Value *x = l.read(o[1], *type), *y = l.read(o[2], *type);
  l.write(o[0], type->isSigned ? l.b.CreateSRem(x, y) : l.b.CreateURem(x, y));
  return true;
}

bool liftIntegerMinMax(Lifter &l, Modifiers &m, Operands o, ValueType type,
                       bool isMin) {
  bool relu = m.take("relu");
  Intrinsic::ID id = type.isSigned
                         ? (isMin ? Intrinsic::smin : Intrinsic::smax)
                         : (isMin ? Intrinsic::umin : Intrinsic::umax);
  Value *result =
      l.b.CreateBinaryIntrinsic(id, l.read(o[1], type), l.read(o[2], type));
  if (relu)
    result = l.b.CreateBinaryIntrinsic(Intrinsic::smax, result,
                                       Constant::getNullValue(type.type));
  l.write(o[0], result);
  return !relu || type.isSigned;
}

/// sad: c + |a - b|
static bool liftSad(Lifter &l, Modifiers &m, Operands o) {
  auto type = takeInteger(m);
  if (!type)
    return false;
  Value *x = l.read(o[1], *type), *y = l.read(o[2], *type);
  Value *isLess =
      type->isSigned ? l.b.CreateICmpSLT(x, y) : l.b.CreateICmpULT(x, y);
  Value *difference =
      l.b.CreateSelect(isLess, l.b.CreateSub(y, x), l.b.CreateSub(x, y));
  l.write(o[0], l.b.CreateAdd(difference, l.read(o[3], *type)));
  return true;
}

/// dp4a.{u32,s32}.{u32,s32}, dp2a.{lo,hi}...
static bool liftDot(Lifter &l, Modifiers &m, Operands o, bool isPair) {
  bool isHigh = isPair && m.take("hi");
  if (isPair && !isHigh && !m.take("lo"))
    return false;
  auto x = takeInteger(m), y = takeInteger(m);
  if (!x || !y)
    return false;
  SmallVector<Value *> operands = {l.read(o[1], *x), l.read(o[2], *y)};
  if (isPair)
    operands.push_back(l.b.getInt1(isHigh));
  operands.push_back(l.read(o[3], l.b.getInt32Ty()));
  Value *result = l.callIntrinsic(
      "llvm.nvvm." + Twine(isPair ? "idp2a." : "idp4a.") +
          (x->isSigned ? "s." : "u.") + (y->isSigned ? "s" : "u"),
      operands);
  if (!result)
    return false;
  l.write(o[0], result);
  return true;
}

ArrayRef<Instruction> getIntegerInstructions() {
  static const Instruction all[] = {
      {"addc", 3, 3, liftCarrySum<false, true>, true},
      {"subc", 3, 3, liftCarrySum<true, true>, true},
      {"madc", 4, 4, liftCarryProduct<true>, true},
      {"mul24", 3, 3, liftProduct24, true},
      {"mad24", 4, 4, liftProduct24, true},
      {"rem", 3, 3, liftRemainder},
      {"sad", 4, 4, liftSad, true},
      {"dp4a", 4, 4,
       [](Lifter &l, Modifiers &m, Operands o) {
         return liftDot(l, m, o, /*isPair=*/false);
       },
       true},
      {"dp2a", 4, 4,
       [](Lifter &l, Modifiers &m, Operands o) {
         return liftDot(l, m, o, /*isPair=*/true);
       },
       true},
  };
  return all;
}

bool liftWithCarry(Lifter &l, Modifiers &m, Operands o, StringRef name) {
  if (name == "add")
    return liftCarrySum<false, false>(l, m, o);
  if (name == "sub")
    return liftCarrySum<true, false>(l, m, o);
  return liftCarryProduct<false>(l, m, o);
}

} // namespace tileir::sim::ptx
