//===- LiftFloat.cpp ------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic that integers and floats share, and functions of floats. As
// everywhere in the simulator, .approx is the exact function.
//
//===----------------------------------------------------------------------===//

#include "PTX/LiftArithmetic.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace tileir::sim::ptx {

namespace {
/// What a result goes through; with `flush` the operands, too.
struct Rounding {
  StringRef mode; ///< "rn", "rz", "rm", "rp", or ""
  bool saturates = false, relu = false, flush = false;

  explicit Rounding(Modifiers &m) {
    mode = m.takeOneOf({"rn", "rz", "rm", "rp"});
    saturates = m.take("sat");
    relu = m.take("relu");
    flush = m.take("ftz");
    m.take("noftz");
  }
  bool isNearest() const { return mode.empty() || mode == "rn"; }
  /// f32 is flushed by the intrinsics of its arithmetic.
  Value *read(Lifter &l, const Operand &operand, ValueType type) const {
    Value *x = l.read(operand, type);
    return flush && !type.type->isFloatTy() ? l.flush(x) : x;
  }
};
} // namespace

static void writeRounded(Lifter &l, const Operand &result,
                         const Rounding &rounding, Value *value) {
  Type *type = value->getType();
  if (rounding.flush)
    value = l.flush(value);
  if (rounding.saturates) { // NaN becomes 0
    value = l.b.CreateBinaryIntrinsic(Intrinsic::maxnum, value,
                                      ConstantFP::get(type, 0.0));
    value = l.b.CreateBinaryIntrinsic(Intrinsic::minnum, value,
                                      ConstantFP::get(type, 1.0));
  }
  if (rounding.relu)
    value = l.b.CreateBinaryIntrinsic(Intrinsic::maximum, value,
                                      ConstantFP::get(type, 0.0));
  l.write(result, value);
}

/// An intrinsic of llvm.nvvm with a rounding: add.rz.f.
static Value *callRounded(Lifter &l, StringRef name, StringRef mode,
                          ValueType type, ArrayRef<Value *> operands) {
  if (!type.type->isFloatTy() && !type.type->isDoubleTy()) {
    l.fail("rounding '." + mode + "' of '." + type.name + "' is not known");
    return nullptr;
  }
  return l.callIntrinsic("llvm.nvvm." + name + "." + mode +
                             (type.type->isFloatTy() ? ".f" : ".d"),
                         operands);
}

/// Emits a function that LLVM has as an instruction when it rounds to nearest
/// and keeps subnormal numbers.
static bool emit(Lifter &l, Operands o, StringRef name,
                 const Rounding &rounding, ValueType type,
                 ArrayRef<Value *> operands,
                 function_ref<Value *()> toNearest) {
  Rounding rest = rounding;
  Value *value;
  if (rounding.flush && type.type->isFloatTy()) {
    StringRef mode = rounding.mode.empty() ? "rn" : rounding.mode;
    value = callRounded(l, name, (mode + ".ftz").str(), type, operands);
    rest.flush = false;
  } else {
    value = rounding.isNearest()
                ? toNearest()
                : callRounded(l, name, rounding.mode, type, operands);
  }
  if (!value)
    return false;
  writeRounded(l, o[0], rest, value);
  return true;
}

template <bool kSubtracts>
static bool liftSum(Lifter &l, Modifiers &m, Operands o) {
  Modifiers copy = m;
  if (copy.take("cc"))
    return liftWithCarry(l, m, o, kSubtracts ? "sub" : "add");
  auto type = m.takeType();
  if (!type)
    return false;
  if (!type->isFloat)
    return liftIntegerSum(l, m, o, *type, kSubtracts);
  Rounding rounding(m);
  // Mixed precision: add.f32.f16.
  auto narrow = m.takeType();
  Value *x = rounding.read(l, o[1], narrow ? *narrow : *type);
  Value *y = rounding.read(l, o[2], *type);
  if (narrow && (!narrow->isFloat || narrow->bits() >= type->bits()))
    return false;
  if (narrow)
    x = l.b.CreateFPExt(x, type->type);
  bool isAdd = !rounding.isNearest() || rounding.flush;
  Value *addend = kSubtracts && isAdd ? l.b.CreateFNeg(y) : y;
  return emit(l, o, "add", rounding, *type, {x, addend}, [&] {
    return kSubtracts ? l.b.CreateFSub(x, y) : l.b.CreateFAdd(x, y);
  });
}

static bool liftProduct(Lifter &l, Modifiers &m, Operands o) {
  auto type = m.takeType();
  if (!type)
    return false;
  if (!type->isFloat)
    return liftIntegerProduct(l, m, o, *type);
  Rounding rounding(m);
  Value *x = rounding.read(l, o[1], *type), *y = rounding.read(l, o[2], *type);
  return emit(l, o, "mul", rounding, *type, {x, y},
              [&] { return l.b.CreateFMul(x, y); });
}

static bool liftMultiplyAdd(Lifter &l, Modifiers &m, Operands o) {
  Modifiers copy = m;
  if (copy.take("cc"))
    return liftWithCarry(l, m, o, "mad");
  auto type = m.takeType();
  if (!type)
    return false;
  if (!type->isFloat)
    return liftIntegerMultiplyAdd(l, m, o, *type);
  Rounding rounding(m);
  auto narrow = m.takeType();
  if (narrow && (!narrow->isFloat || narrow->bits() >= type->bits()))
    return false;
  Value *operands[3];
  for (unsigned i = 0; i < 3; ++i) {
    operands[i] = rounding.read(l, o[i + 1], narrow && i < 2 ? *narrow : *type);
    if (narrow && i < 2)
      operands[i] = l.b.CreateFPExt(operands[i], type->type);
  }
  return emit(l, o, "fma", rounding, *type, operands, [&] {
    return l.b.CreateIntrinsic(Intrinsic::fma, {type->type}, operands);
  });
}

static bool liftQuotient(Lifter &l, Modifiers &m, Operands o) {
  auto type = m.takeType();
  if (!type)
    return false;
  if (!type->isFloat)
    return liftIntegerQuotient(l, o, *type);
  m.takeOneOf({"approx", "full"});
  Rounding rounding(m);
  Value *x = rounding.read(l, o[1], *type), *y = rounding.read(l, o[2], *type);
  return emit(l, o, "div", rounding, *type, {x, y},
              [&] { return l.b.CreateFDiv(x, y); });
}

static bool liftNegation(Lifter &l, Modifiers &m, Operands o) {
  bool flush = m.take("ftz");
  auto type = m.takeType();
  if (!type)
    return false;
  Value *x = l.read(o[1], *type, flush);
  l.write(o[0], type->isFloat ? l.b.CreateFNeg(x) : l.b.CreateNeg(x));
  return true;
}

static bool liftAbs(Lifter &l, Modifiers &m, Operands o) {
  bool flush = m.take("ftz");
  auto type = m.takeType();
  if (!type)
    return false;
  Value *x = l.read(o[1], *type, flush);
  l.write(o[0], type->isFloat ? l.b.CreateUnaryIntrinsic(Intrinsic::fabs, x)
                              : l.b.CreateBinaryIntrinsic(Intrinsic::abs, x,
                                                          l.b.getFalse()));
  return true;
}

/// {min,max}[.ftz][.NaN][.xorsign.abs]
static bool liftMinMax(Lifter &l, Modifiers &m, Operands o, bool isMin) {
  auto type = m.takeType();
  if (!type)
    return false;
  if (!type->isFloat)
    return liftIntegerMinMax(l, m, o, *type, isMin);
  Rounding rounding(m);
  bool keepsNaN = m.take("NaN"), xorSign = m.take("xorsign");
  if (xorSign && !m.take("abs"))
    return false;
  Intrinsic::ID id = keepsNaN
                         ? (isMin ? Intrinsic::minimum : Intrinsic::maximum)
                         : (isMin ? Intrinsic::minnum : Intrinsic::maxnum);
  Value *result = nullptr, *signs = nullptr;
  for (const Operand &operand : o.drop_front()) {
    Value *x = l.read(operand, *type, rounding.flush);
    if (xorSign) {
      Value *bits = l.castBits(x, l.integer(type->bits()));
      signs = signs ? l.b.CreateXor(signs, bits) : bits;
      x = l.b.CreateUnaryIntrinsic(Intrinsic::fabs, x);
    }
    result = result ? l.b.CreateBinaryIntrinsic(id, result, x) : x;
  }
  if (xorSign)
    result = l.b.CreateBinaryIntrinsic(Intrinsic::copysign, result,
                                       l.castBits(signs, type->type));
  writeRounded(l, o[0], rounding, result);
  return rounding.mode.empty() && !rounding.saturates;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

static bool liftSqrt(Lifter &l, Modifiers &m, Operands o) {
  m.take("approx");
  auto type = m.takeType();
  Rounding rounding(m);
  if (!type || !type->isFloat)
    return false;
  Value *x = rounding.read(l, o[1], *type);
  return emit(l, o, "sqrt", rounding, *type, {x},
              [&] { return l.b.CreateUnaryIntrinsic(Intrinsic::sqrt, x); });
}

/// A function of LLVM, of any type.
template <Intrinsic::ID kId>
static bool liftFunction(Lifter &l, Modifiers &m, Operands o) {
  m.take("approx");
  auto type = m.takeType();
  Rounding rounding(m);
  if (!type || !type->isFloat || !rounding.mode.empty())
    return false;
  Value *x = l.read(o[1], *type, rounding.flush);
  writeRounded(l, o[0], rounding, l.b.CreateUnaryIntrinsic(kId, x));
  return true;
}

static bool liftReciprocal(Lifter &l, Modifiers &m, Operands o) {
  bool isApproximate = m.take("approx");
  auto type = m.takeType();
  Rounding rounding(m);
  if (!type || !type->isFloat || type->type->isVectorTy())
    return false;
  Value *x = l.read(o[1], *type);
  if (type->type->isDoubleTy() && isApproximate) { // of the upper half
    l.write(o[0], l.callIntrinsic("llvm.nvvm.rcp.approx.ftz.d", {x}));
    return true;
  }
  return emit(l, o, "rcp", rounding, *type, {x},
              [&] { return callRounded(l, "rcp", "rn", *type, {x}); });
}

static bool liftRsqrt(Lifter &l, Modifiers &m, Operands o) {
  auto type = m.takeType();
  bool ftz = m.take("ftz");
  if (!m.take("approx") || !type || !type->isFloat)
    return false;
  bool isDouble = type->type->isDoubleTy();
  if (!isDouble && !type->type->isFloatTy())
    return false;
  Value *value = l.callIntrinsic(
      "llvm.nvvm.rsqrt.approx" +
          Twine(isDouble ? (ftz ? ".ftz.d" : ".d") : (ftz ? ".ftz.f" : ".f")),
      {l.read(o[1], *type)});
  if (!value)
    return false;
  l.write(o[0], value);
  return true;
}

/// copysign d, a, b: the sign of a, the rest of b.
static bool liftCopysign(Lifter &l, Modifiers &m, Operands o) {
  auto type = m.takeType();
  if (!type || !type->isFloat)
    return false;
  l.write(o[0],
          l.b.CreateBinaryIntrinsic(Intrinsic::copysign, l.read(o[2], *type),
                                    l.read(o[1], *type)));
  return true;
}

/// testp.{finite,infinite,number,notanumber,normal,subnormal}
static bool liftTest(Lifter &l, Modifiers &m, Operands o) {
  StringRef test = m.takeOneOf(
      {"finite", "infinite", "number", "notanumber", "normal", "subnormal"});
  auto type = m.takeType();
  if (test.empty() || !type || !type->isFloat || type->type->isVectorTy())
    return false;
  const fltSemantics &format = type->type->getFltSemantics();
  Value *x = l.b.CreateUnaryIntrinsic(Intrinsic::fabs, l.read(o[1], *type));
  auto number = [&](const APFloat &value) {
    return ConstantFP::get(type->type, value);
  };
  Constant *infinity = number(APFloat::getInf(format));
  Constant *smallest = number(APFloat::getSmallestNormalized(format));
  Constant *zero = number(APFloat::getZero(format));
  Value *result;
  if (test == "finite")
    result = l.b.CreateFCmpOLT(x, infinity);
  else if (test == "infinite")
    result = l.b.CreateFCmpOEQ(x, infinity);
  else if (test == "number")
    result = l.b.CreateFCmpORD(x, x);
  else if (test == "notanumber")
    result = l.b.CreateFCmpUNO(x, x);
  else if (test == "normal")
    result = l.b.CreateAnd(l.b.CreateFCmpOLT(x, infinity),
                           l.b.CreateFCmpOGE(x, smallest));
  else
    result = l.b.CreateAnd(l.b.CreateFCmpOLT(x, smallest),
                           l.b.CreateFCmpOGT(x, zero));
  l.write(o[0], result);
  return true;
}

ArrayRef<Instruction> getFloatInstructions() {
  static const Instruction all[] = {
      {"add", 3, 3, liftSum<false>, true},
      {"sub", 3, 3, liftSum<true>, true},
      {"mul", 3, 3, liftProduct, true},
      {"mad", 4, 4, liftMultiplyAdd, true},
      {"fma", 4, 4, liftMultiplyAdd, true},
      {"div", 3, 3, liftQuotient}, // a divisor may be 0
      {"neg", 2, 2, liftNegation, true},
      {"abs", 2, 2, liftAbs, true},
      {"min", 3, 4,
       [](Lifter &l, Modifiers &m, Operands o) {
         return liftMinMax(l, m, o, /*isMin=*/true);
       },
       true},
      {"max", 3, 4,
       [](Lifter &l, Modifiers &m, Operands o) {
         return liftMinMax(l, m, o, /*isMin=*/false);
       },
       true},
      {"sqrt", 2, 2, liftSqrt, true},
      {"sin", 2, 2, liftFunction<Intrinsic::sin>, true},
      {"cos", 2, 2, liftFunction<Intrinsic::cos>, true},
      {"lg2", 2, 2, liftFunction<Intrinsic::log2>, true},
      {"ex2", 2, 2, liftFunction<Intrinsic::exp2>, true},
      {"tanh", 2, 2, liftFunction<Intrinsic::tanh>, true},
      {"rcp", 2, 2, liftReciprocal, true},
      {"rsqrt", 2, 2, liftRsqrt, true},
      {"copysign", 3, 3, liftCopysign, true},
      {"testp", 2, 2, liftTest, true},
  };
  return all;
}

} // namespace tileir::sim::ptx
