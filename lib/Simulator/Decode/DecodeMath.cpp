//===- DecodeMath.cpp -----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decodes target-independent intrinsics on floating-point numbers, element by
// element for vectors, and has what spells out arithmetic in opcodes.
//
//===----------------------------------------------------------------------===//

#include "Decode/DecodeCalls.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"

#include <optional>

using namespace llvm;

namespace tileir::sim {

static Type *getScalarType(const Value *value) {
  return value->getType()->getScalarType();
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

static unsigned getScalarBits(Type *type) {
  return type->isPointerTy() ? 64 : type->getPrimitiveSizeInBits();
}

Arithmetic::Arithmetic(Decoder &decoder, Type *type)
    : decoder(decoder), type(type), bits(getScalarBits(type)),
      wide(Decoder::isWide(type)) {}

/// The place of a floating-point type in the lists of Opcodes.def.
static unsigned getFloatIndex(const Type *type) {
  return type->isHalfTy()     ? 0
         : type->isBFloatTy() ? 1
         : type->isFloatTy()  ? 2
                              : 3;
}

Opcode Arithmetic::getVariant(Opcode first) const {
  static_assert(unsigned(Opcode::FAddF64) == unsigned(Opcode::FAddF16) + 3 &&
                unsigned(Opcode::Add64) == unsigned(Opcode::Add32) + 1);
  return Opcode(unsigned(first) +
                (type->isFloatingPointTy() ? getFloatIndex(type) : wide));
}

Opcode Arithmetic::getConversion(Opcode ofHalf) const {
  constexpr unsigned kPerType =
      unsigned(Opcode::CvtS32ToBF16) - unsigned(Opcode::CvtS32ToF16);
  static_assert(unsigned(Opcode::CvtF64ToU64) ==
                unsigned(Opcode::CvtF16ToU64) + 3 * kPerType);
  return Opcode(unsigned(ofHalf) + kPerType * getFloatIndex(type));
}

Register Arithmetic::emit(Opcode opcode, bool wideResult, Register a,
                          Register b, Register c, int64_t imm) {
  Register result = decoder.makeTemporary(wideResult);
  decoder.emit(opcode, result, a, b, c, imm);
  return result;
}

/// The opcode that takes a mode; NumOpcodes: there is none.
static Opcode getOpcodeInMode(Opcode first) {
  switch (first) {
  case Opcode::FAddF16:
    return Opcode::FAddInModeF16;
  case Opcode::FSubF16:
    return Opcode::FSubInModeF16;
  case Opcode::FMulF16:
    return Opcode::FMulInModeF16;
  case Opcode::FDivF16:
    return Opcode::FDivInModeF16;
  case Opcode::FFmaF16:
    return Opcode::FFmaInModeF16;
  case Opcode::FSqrtF16:
    return Opcode::FSqrtInModeF16;
  default:
    return Opcode::NumOpcodes;
  }
}

int64_t getDefaultMode(const Decoder &decoder, const Type *type) {
  return decoder.flushesF32 && type->isFloatTy() ? kFlush : 0;
}

Register Arithmetic::saturate(Register x) {
  return apply(Opcode::FMinNumF16, apply(Opcode::FMaxNumF16, x, number(0)),
               number(1));
}

Register Arithmetic::applyInMode(Opcode first, int64_t mode,
                                 ArrayRef<Register> x) {
  SmallVector<Register, 3> operands(x);
  if (Opcode inMode = getOpcodeInMode(first);
      mode && inMode != Opcode::NumOpcodes) {
    operands.resize(3, kNoRegister);
    return apply(inMode, operands[0], operands[1], operands[2], mode);
  }
  if (mode & kFlush)
    for (Register &operand : operands)
      operand = apply(Opcode::FFlushF16, operand);
  operands.resize(3, kNoRegister);
  Register result = apply(first, operands[0], operands[1], operands[2]);
  if (mode & kFlush)
    result = apply(Opcode::FFlushF16, result);
  size_t begin = decoder.program.code.size();
  if (mode & kSaturate)
    result = saturate(result);
  decoder.markParts(begin);
  return result;
}

Register Arithmetic::testInMode(Opcode first, int64_t mode, Register a,
                                Register b) {
  if (mode & kFlush) {
    a = apply(Opcode::FFlushF16, a);
    b = apply(Opcode::FFlushF16, b);
  }
  return test(first, a, b);
}

Register Arithmetic::constant(uint64_t value) {
  if (bits < 64)
    value &= (uint64_t(1) << bits) - 1;
  return decoder.getConstant(value, wide);
}

Register Arithmetic::number(double value) {
  APFloat converted(value);
  bool losesInfo;
  converted.convert(type->getFltSemantics(), APFloat::rmNearestTiesToEven,
                    &losesInfo);
  return constant(converted.bitcastToAPInt().getZExtValue());
}

Register Arithmetic::extend(Register a) {
  if (isFull())
    return a;
  return emit(wide ? Opcode::SignExtend64 : Opcode::SignExtend32, wide, a,
              kNoRegister, kNoRegister, bits);
}

Register Arithmetic::mask(Register a) {
  if (isFull())
    return a;
  return emit(wide ? Opcode::Mask64 : Opcode::Mask32, wide, a, kNoRegister,
              kNoRegister, bits);
}

Register Arithmetic::toInteger(Type *integer, Register a, bool isSigned,
                               bool nanIsZero) {
  Arithmetic to(decoder, integer);
  Opcode first = isSigned
                     ? (to.wide ? Opcode::CvtF16ToS64 : Opcode::CvtF16ToS32)
                     : (to.wide ? Opcode::CvtF16ToU64 : Opcode::CvtF16ToU32);
  int64_t nan = !nanIsZero && (wide || to.wide) ? kNaNIsHighestBit : 0;
  return to.emit(getConversion(first), to.wide, a, kNoRegister, kNoRegister,
                 to.bits | nan);
}

Register Arithmetic::toDouble(Register a) {
  constexpr Opcode opcodes[] = {Opcode::CvtF16ToF64, Opcode::CvtBF16ToF64,
                                Opcode::CvtF32ToF64};
  return wide ? a : emit(opcodes[getFloatIndex(type)], true, a);
}

Register Arithmetic::fromDouble(Register a) {
  constexpr Opcode opcodes[] = {Opcode::CvtF64ToF16, Opcode::CvtF64ToBF16,
                                Opcode::CvtF64ToF32};
  return wide ? a : emit(opcodes[getFloatIndex(type)], false, a);
}

void decodeElements(
    Decoder &decoder, CallBase &call, unsigned count,
    function_ref<Register(Arithmetic &, ArrayRef<Register>)> body) {
  Arithmetic arithmetic(decoder, getScalarType(&call));
  SmallVector<SmallVector<Register>> operands;
  for (unsigned i = 0; i < count; ++i)
    operands.push_back(decoder.use(call.getArgOperand(i)));
  SmallVector<Register> results;
  for (unsigned i = 0, e = Decoder::flatten(call.getType()).size(); i < e;
       ++i) {
    SmallVector<Register, 3> scalars;
    for (const SmallVector<Register> &operand : operands)
      scalars.push_back(operand.size() == 1 ? operand[0] : operand[i]);
    results.push_back(body(arithmetic, scalars));
  }
  decoder.rename(call, results);
}

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

FloatFunction getFloatFunction(StringRef name) {
  return StringSwitch<FloatFunction>(name)
      .Case("fabs", {Opcode::FAbsF16, 1})
      .Cases({"fma", "fmuladd"}, {Opcode::FFmaF16, 3})
      .Case("sqrt", {Opcode::FSqrtF16, 1})
      .Case("floor", {Opcode::FFloorF16, 1})
      .Case("ceil", {Opcode::FCeilF16, 1})
      .Case("trunc", {Opcode::FTruncF16, 1})
      .Cases({"rint", "nearbyint", "roundeven"}, {Opcode::FRintF16, 1})
      .Case("round", {Opcode::FRoundF16, 1})
      .Cases({"minnum", "minimumnum", "fmin"}, {Opcode::FMinNumF16, 2})
      .Cases({"maxnum", "maximumnum", "fmax"}, {Opcode::FMaxNumF16, 2})
      .Case("minimum", {Opcode::FMinimumF16, 2})
      .Case("maximum", {Opcode::FMaximumF16, 2})
      .Case("copysign", {Opcode::FCopySignF16, 2})
      .Case("fmod", {Opcode::FRemF16, 2})
      .Case("exp", {Opcode::ExpF16, 1})
      .Case("exp2", {Opcode::Exp2F16, 1})
      .Case("exp10", {Opcode::Exp10F16, 1})
      .Case("expm1", {Opcode::Expm1F16, 1})
      .Case("log", {Opcode::LogF16, 1})
      .Case("log2", {Opcode::Log2F16, 1})
      .Case("log10", {Opcode::Log10F16, 1})
      .Case("log1p", {Opcode::Log1pF16, 1})
      .Case("sin", {Opcode::SinF16, 1})
      .Case("cos", {Opcode::CosF16, 1})
      .Case("tan", {Opcode::TanF16, 1})
      .Case("asin", {Opcode::AsinF16, 1})
      .Case("acos", {Opcode::AcosF16, 1})
      .Case("atan", {Opcode::AtanF16, 1})
      .Case("sinh", {Opcode::SinhF16, 1})
      .Case("cosh", {Opcode::CoshF16, 1})
      .Case("tanh", {Opcode::TanhF16, 1})
      .Case("rsqrt", {Opcode::RsqrtF16, 1})
      .Case("cbrt", {Opcode::CbrtF16, 1})
      .Case("erf", {Opcode::ErfF16, 1})
      .Case("erfc", {Opcode::ErfcF16, 1})
      .Case("atan2", {Opcode::Atan2F16, 2})
      .Case("pow", {Opcode::PowF16, 2})
      .Default({});
}

void decodeFloatFunction(Decoder &decoder, CallBase &call,
                         FloatFunction function, int64_t mode) {
  // Chips since Volta do these on two f16 at once, minima and maxima since
  // Ampere: passes leave these on vectors there only.
  bool hasPairs =
      getScalarType(&call)->isHalfTy() &&
      is_contained({Opcode::FAddF16, Opcode::FMulF16, Opcode::FFmaF16,
                    Opcode::FNegF16, Opcode::FAbsF16, Opcode::FMinNumF16,
                    Opcode::FMaxNumF16, Opcode::FMinimumF16,
                    Opcode::FMaximumF16},
                   function.first);
  size_t numDone = 0;
  decodeElements(decoder, call, function.operands,
                 [&](Arithmetic &a, ArrayRef<Register> x) {
                   size_t first = decoder.program.code.size();
                   Register result = a.applyInMode(function.first, mode, x);
                   if (hasPairs && numDone++ % 2 == 1)
                     decoder.markParts(first);
                   return result;
                 });
}

/// is.fpclass: the classes that are asked for are ranges of the bits.
static Register isClass(Arithmetic &a, Register x, unsigned classes) {
  const fltSemantics &semantics = a.type->getFltSemantics();
  uint64_t sign = uint64_t(1) << (a.bits - 1);
  uint64_t infinity =
      APFloat::getInf(semantics).bitcastToAPInt().getZExtValue();
  uint64_t smallest =
      APFloat::getSmallestNormalized(semantics).bitcastToAPInt().getZExtValue();
  uint64_t quiet = APFloat::getQNaN(semantics).bitcastToAPInt().getZExtValue();
  // The classes in the order of their bits, with the first bits of each: zero,
  // subnormal, normal, infinity, signalling and quiet NaN; then negative.
  const uint64_t begins[] = {0, 1, smallest, infinity, infinity + 1, quiet};
  const unsigned positive[] = {fcPosZero, fcPosSubnormal, fcPosNormal,
                               fcPosInf,  fcSNan,         fcQNan};
  const unsigned negative[] = {fcNegZero, fcNegSubnormal, fcNegNormal,
                               fcNegInf,  fcSNan,         fcQNan};
  Register result = a.decoder.getConstant(0, /*wide=*/false);
  Opcode subtract = a.wide ? Opcode::Sub64 : Opcode::Sub32;
  Opcode compare = a.wide ? Opcode::CmpULt64 : Opcode::CmpULt32;
  auto addRange = [&](uint64_t begin, uint64_t length) {
    Register offset = a.emit(subtract, a.wide, x, a.constant(begin));
    Register inside = a.emit(compare, false, offset, a.constant(length));
    result = a.emit(Opcode::Or32, false, result, inside);
  };
  std::optional<uint64_t> open; // where the range began that is being joined
  for (unsigned i = 0; i < 12; ++i) {
    bool wanted = classes & (i < 6 ? positive[i] : negative[i - 6]);
    uint64_t begin = begins[i % 6] + (i < 6 ? 0 : sign);
    if (wanted && !open)
      open = begin;
    if (!wanted && open) {
      addRange(*open, begin - *open);
      open.reset();
    }
  }
  if (open && *open == 0) // everything
    return a.decoder.getConstant(1, /*wide=*/false);
  if (open)
    addRange(*open, 2 * sign - *open);
  return result;
}

/// Functions whose operand has another type than the result.
static bool decodeRoundingConversion(Decoder &decoder, CallBase &call,
                                     StringRef name) {
  auto decodeToInteger = [&](Opcode rounding, bool isSigned, bool nanIsZero) {
    decodeElements(decoder, call, 1, [&](Arithmetic &a, ArrayRef<Register> x) {
      Arithmetic from(decoder, getScalarType(call.getArgOperand(0)));
      Register rounded =
          rounding == Opcode::NumOpcodes ? x[0] : from.apply(rounding, x[0]);
      return from.toInteger(a.type, rounded, isSigned, nanIsZero);
    });
    return true;
  };
  if (name == "fptosi.sat" || name == "fptoui.sat")
    return decodeToInteger(Opcode::NumOpcodes, name == "fptosi.sat", true);
  if (name == "lrint" || name == "llrint")
    return decodeToInteger(Opcode::FRintF16, true, false);
  if (name == "lround" || name == "llround")
    return decodeToInteger(Opcode::FRoundF16, true, false);
  if (name == "is.fpclass") {
    unsigned classes = cast<ConstantInt>(call.getArgOperand(1))->getZExtValue();
    decodeElements(decoder, call, 1, [&](Arithmetic &, ArrayRef<Register> x) {
      Arithmetic from(decoder, getScalarType(call.getArgOperand(0)));
      return isClass(from, x[0], classes);
    });
    return true;
  }
  if (name == "convert.to.fp16" || name == "convert.from.fp16") {
    bool isDouble =
        (name == "convert.to.fp16" ? call.getArgOperand(0)->getType()
                                   : call.getType())
            ->isDoubleTy();
    Opcode opcode =
        name == "convert.to.fp16"
            ? (isDouble ? Opcode::CvtF64ToF16 : Opcode::CvtF32ToF16)
            : (isDouble ? Opcode::CvtF16ToF64 : Opcode::CvtF16ToF32);
    decodeElements(decoder, call, 1, [&](Arithmetic &a, ArrayRef<Register> x) {
      return a.emit(opcode, a.wide, x[0]);
    });
    return true;
  }
  return false;
}

bool decodeFloatMath(Decoder &decoder, CallBase &call, StringRef name) {
  FloatFunction function = getFloatFunction(name);
  if (function.first != Opcode::NumOpcodes) {
    bool isBits = function.first == Opcode::FCopySignF16;
    decodeFloatFunction(decoder, call, function,
                        isBits ? 0
                               : getDefaultMode(decoder, getScalarType(&call)));
    return true;
  }
  if (name == "powi") {
    // This is done in f64, which holds every power.
    Arithmetic real(decoder, Type::getDoubleTy(call.getContext()));
    decodeElements(decoder, call, 2, [&](Arithmetic &a, ArrayRef<Register> x) {
      Register power = real.emit(Opcode::CvtS32ToF64, true, x[1]);
      return a.fromDouble(real.apply(Opcode::PowF16, a.toDouble(x[0]), power));
    });
    return true;
  }
  if (name == "sincos") {
    SmallVector<Register> results;
    Arithmetic a(decoder, getScalarType(call.getArgOperand(0)));
    SmallVector<Register> angles = decoder.use(call.getArgOperand(0));
    for (Opcode opcode : {Opcode::SinF16, Opcode::CosF16})
      for (Register angle : angles)
        results.push_back(a.apply(opcode, angle));
    decoder.rename(call, results);
    return true;
  }
  return decodeRoundingConversion(decoder, call, name);
}

} // namespace tileir::sim
