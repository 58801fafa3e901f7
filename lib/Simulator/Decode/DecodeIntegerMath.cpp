//===- DecodeIntegerMath.cpp ----------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decodes target-independent intrinsics on integers, element by element for
// vectors, and reductions and rearrangements of vectors. An operation without
// an opcode of its own is spelled out in opcodes, as the LLVM Language
// Reference defines it.
//
//===----------------------------------------------------------------------===//

#include "Decode/DecodeCalls.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"

#include <optional>

using namespace llvm;

namespace tileir::sim {

/// A result with whether it is not the exact one.
struct Checked {
  Register value, overflow;
};

static Checked checkOverflow(Arithmetic &a, Opcode first, bool isSigned,
                             Register x, Register y) {
  if (isSigned) {
    x = a.extend(x);
    y = a.extend(y);
  }
  Register whole = a.apply(first, x, y), value = a.mask(whole);
  Register zero = a.constant(0);
  if (first == Opcode::Mul32) {
    // The product as two registers has to be the extension of its low bits.
    Register low = isSigned ? a.extend(value) : value;
    Register high =
        a.apply(isSigned ? Opcode::MulHiS32 : Opcode::MulHiU32, x, y);
    unsigned last = a.wide ? 63 : 31;
    Register expected =
        isSigned ? a.apply(Opcode::AShr32, low, a.constant(last)) : zero;
    Register highDiffers = a.isNotEqual(high, expected);
    if (a.isFull())
      return {value, highDiffers};
    return {value,
            a.emit(Opcode::Or32, false, highDiffers, a.isNotEqual(low, whole))};
  }
  if (!a.isFull())
    return {value, a.isNotEqual(isSigned ? a.extend(value) : value, whole)};
  if (!isSigned)
    return {value, first == Opcode::Add32 ? a.test(Opcode::CmpULt32, value, x)
                                          : a.test(Opcode::CmpULt32, x, y)};
  // The sign of a sum differs from that of both operands; a difference: from
  // that of x, which is not that of y.
  Register left = a.apply(Opcode::Xor32, x, value);
  Register right = first == Opcode::Add32 ? a.apply(Opcode::Xor32, y, value)
                                          : a.apply(Opcode::Xor32, x, y);
  return {value,
          a.test(Opcode::CmpSLt32, a.apply(Opcode::And32, left, right), zero)};
}

static Register saturate(Arithmetic &a, Opcode first, bool isSigned, Register x,
                         Register y) {
  Checked checked = checkOverflow(a, first, isSigned, x, y);
  uint64_t ones = ~uint64_t(0) >> (64 - a.bits);
  Register limit = a.constant(first == Opcode::Add32 ? ones : 0);
  if (isSigned) {
    // The largest for an x that is not negative, else the smallest.
    Register sign =
        a.apply(Opcode::AShr32, a.extend(x), a.constant(a.wide ? 63 : 31));
    limit = a.mask(a.apply(Opcode::Xor32, sign, a.constant(ones >> 1)));
  }
  return a.select(checked.overflow, limit, checked.value);
}

/// [su]{add,sub,mul}.with.overflow, [su]{add,sub}.sat
static bool decodeChecked(Decoder &decoder, CallBase &call, StringRef name) {
  bool saturates = name.consume_back(".sat");
  if (!saturates && !name.consume_back(".with.overflow"))
    return false;
  bool isSigned = name.starts_with("s");
  auto first = StringSwitch<std::optional<Opcode>>(name.drop_front())
                   .Case("add", Opcode::Add32)
                   .Case("sub", Opcode::Sub32)
                   .Case("mul", Opcode::Mul32)
                   .Default(std::nullopt);
  if (!first)
    return false;
  if (saturates) {
    decodeElements(decoder, call, 2, [&](Arithmetic &a, ArrayRef<Register> x) {
      return saturate(a, *first, isSigned, x[0], x[1]);
    });
    return true;
  }
  Arithmetic a(decoder, call.getArgOperand(0)->getType()->getScalarType());
  SmallVector<Register> xs = decoder.use(call.getArgOperand(0));
  SmallVector<Register> ys = decoder.use(call.getArgOperand(1));
  SmallVector<Register> values, overflows;
  for (auto [x, y] : zip_equal(xs, ys)) {
    Checked checked = checkOverflow(a, *first, isSigned, x, y);
    values.push_back(checked.value);
    overflows.push_back(checked.overflow);
  }
  append_range(values, overflows);
  decoder.rename(call, values);
  return true;
}

/// fshl, fshr: a narrow pair is shifted in one 64-bit register.
template <bool isLeft>
static Register funnelShift(Arithmetic &a, ArrayRef<Register> x) {
  if (a.isFull())
    return a.apply(isLeft ? Opcode::FshL32 : Opcode::FshR32, x[0], x[1], x[2]);
  Arithmetic whole(a.decoder, Type::getInt64Ty(a.type->getContext()));
  auto widen = [&](Register r) {
    return a.wide ? r : whole.emit(Opcode::ZExtTo64, true, r);
  };
  Register width = whole.constant(a.bits);
  Register count = whole.apply(Opcode::URem32, widen(x[2]), width);
  Register high = whole.apply(Opcode::Shl32, widen(x[0]), width);
  Register pair = whole.apply(Opcode::Or32, high, widen(x[1]));
  if (isLeft)
    pair = whole.apply(Opcode::LShr32, whole.apply(Opcode::Shl32, pair, count),
                       width);
  else
    pair = whole.apply(Opcode::LShr32, pair, count);
  return a.mask(whole.emit(Opcode::Truncate, false, pair));
}

using IntegerFunction = Register (*)(Arithmetic &, ArrayRef<Register>);
struct IntegerFunctionInfo {
  IntegerFunction function = nullptr;
  unsigned operands = 1;
};

/// The bits of the register above a narrow integer.
static unsigned getUnused(const Arithmetic &a) {
  return (a.wide ? 64 : 32) - a.bits;
}

template <Opcode first>
static Register applyUnsigned(Arithmetic &a, ArrayRef<Register> x) {
  return a.apply(first, x[0], x[1]);
}
template <Opcode first>
static Register applySigned(Arithmetic &a, ArrayRef<Register> x) {
  return a.mask(a.apply(first, a.extend(x[0]), a.extend(x[1])));
}
/// Applies a function after the low bits were moved to the top of the register.
template <Opcode first>
static Register applyTurned(Arithmetic &a, ArrayRef<Register> x) {
  Register turned = a.apply(first, x[0]);
  unsigned unused = getUnused(a);
  // The number of bits need not fit in the type.
  return unused ? a.apply(Opcode::LShr32, turned,
                          a.decoder.getConstant(unused, a.wide))
                : turned;
}

static Register applyAbs(Arithmetic &a, ArrayRef<Register> x) {
  Register value = a.extend(x[0]);
  Register negated = a.apply(Opcode::Sub32, a.constant(0), value);
  return a.mask(a.apply(Opcode::SMax32, value, negated));
}

static Register applyCtlz(Arithmetic &a, ArrayRef<Register> x) {
  Register zeros = a.apply(Opcode::Ctlz32, x[0]);
  unsigned unused = getUnused(a);
  return unused ? a.apply(Opcode::Sub32, zeros,
                          a.decoder.getConstant(unused, a.wide))
                : zeros;
}

static Register applyCttz(Arithmetic &a, ArrayRef<Register> x) {
  if (a.isFull())
    return a.apply(Opcode::Cttz32, x[0]);
  // A bit behind the last one ends the count.
  Register end = a.decoder.getConstant(uint64_t(1) << a.bits, a.wide);
  return a.apply(Opcode::Cttz32, a.apply(Opcode::Or32, x[0], end));
}

static IntegerFunctionInfo getIntegerFunction(StringRef name) {
  return StringSwitch<IntegerFunctionInfo>(name)
      .Case("umin", {applyUnsigned<Opcode::UMin32>, 2})
      .Case("umax", {applyUnsigned<Opcode::UMax32>, 2})
      .Case("smin", {applySigned<Opcode::SMin32>, 2})
      .Case("smax", {applySigned<Opcode::SMax32>, 2})
      .Case("abs", {applyAbs, 1})
      .Case("ctlz", {applyCtlz, 1})
      .Case("cttz", {applyCttz, 1})
      .Case("ctpop", {[](Arithmetic &a, ArrayRef<Register> x) {
                        return a.apply(Opcode::Ctpop32, x[0]);
                      },
                      1})
      .Case("bitreverse", {applyTurned<Opcode::BitReverse32>, 1})
      .Case("bswap", {applyTurned<Opcode::ByteSwap32>, 1})
      .Case("fshl", {funnelShift<true>, 3})
      .Case("fshr", {funnelShift<false>, 3})
      .Case("ptrmask", {applyUnsigned<Opcode::And32>, 2})
      .Default({});
}

/// scmp and ucmp: (x > y) - (x < y)
static void decodeCompare(Decoder &decoder, CallBase &call, bool isSigned) {
  Arithmetic operand(decoder,
                     call.getArgOperand(0)->getType()->getScalarType());
  decodeElements(decoder, call, 2, [&](Arithmetic &a, ArrayRef<Register> xy) {
    Opcode less = isSigned ? Opcode::CmpSLt32 : Opcode::CmpULt32;
    Register x = isSigned ? operand.extend(xy[0]) : xy[0];
    Register y = isSigned ? operand.extend(xy[1]) : xy[1];
    Register isGreater = operand.test(less, y, x);
    Register isLess = operand.test(less, x, y);
    Register sign = a.emit(Opcode::Sub32, false, isGreater, isLess);
    return a.mask(a.wide ? a.emit(Opcode::SExtTo64, true, sign) : sign);
  });
}

/// vector.reduce.<op>: one element after the other, which every order allows
/// that LLVM asks for.
static bool decodeReduction(Decoder &decoder, CallBase &call, StringRef name) {
  // For floats, the first operand is where the sum or product starts.
  bool hasStart = name == "fadd" || name == "fmul";
  const Value *vector = call.getArgOperand(hasStart ? 1 : 0);
  Arithmetic a(decoder, vector->getType()->getScalarType());
  auto simple = StringSwitch<std::optional<Opcode>>(name)
                    .Case("add", Opcode::Add32)
                    .Case("mul", Opcode::Mul32)
                    .Case("and", Opcode::And32)
                    .Case("or", Opcode::Or32)
                    .Case("xor", Opcode::Xor32)
                    .Case("fadd", Opcode::FAddF16)
                    .Case("fmul", Opcode::FMulF16)
                    .Case("fmin", Opcode::FMinNumF16)
                    .Case("fmax", Opcode::FMaxNumF16)
                    .Case("fminimum", Opcode::FMinimumF16)
                    .Case("fmaximum", Opcode::FMaximumF16)
                    .Default(std::nullopt);
  IntegerFunctionInfo integer = getIntegerFunction(name);
  if (!simple && integer.operands != 2)
    return false;
  SmallVector<Register> elements = decoder.use(vector);
  if (hasStart)
    elements.insert(elements.begin(), decoder.useScalar(call.getArgOperand(0)));
  Register result = elements.front();
  for (Register element : drop_begin(elements))
    result = simple ? a.apply(*simple, result, element)
                    : integer.function(a, {result, element});
  decoder.rename(call, a.type->isIntegerTy() ? a.mask(result) : result);
  return true;
}

/// Intrinsics that only give elements other places.
static bool decodeRearrangement(Decoder &decoder, CallBase &call,
                                StringRef name) {
  auto getIndex = [&](unsigned argument) {
    return cast<ConstantInt>(call.getArgOperand(argument))->getZExtValue();
  };
  SmallVector<Register> x = decoder.use(call.getArgOperand(0)), result;
  if (name == "reverse") {
    result.assign(x.rbegin(), x.rend());
  } else if (name == "extract") {
    unsigned size = Decoder::flatten(call.getType()).size();
    append_range(result, ArrayRef(x).slice(getIndex(1), size));
  } else if (name == "insert") {
    result = x;
    copy(decoder.use(call.getArgOperand(1)), result.begin() + getIndex(2));
  } else if (name == "interleave2") {
    for (auto [even, odd] : zip_equal(x, decoder.use(call.getArgOperand(1))))
      append_values(result, even, odd);
  } else if (name == "deinterleave2") {
    for (unsigned first : {0, 1})
      for (unsigned i = first; i < x.size(); i += 2)
        result.push_back(x[i]);
  } else {
    return false;
  }
  decoder.rename(call, result);
  return true;
}

bool decodeIntegerMath(Decoder &decoder, CallBase &call, StringRef name) {
  IntegerFunctionInfo info = getIntegerFunction(name);
  // A pair of such odd integers fits no register.
  unsigned bits = call.getType()->getScalarSizeInBits();
  if (name.starts_with("fsh") && bits > 32 && bits < 64)
    return false;
  if (info.function) {
    decodeElements(decoder, call, info.operands, info.function);
    return true;
  }
  if (name == "scmp" || name == "ucmp") {
    decodeCompare(decoder, call, name == "scmp");
    return true;
  }
  if (name.consume_front("vector.reduce."))
    return decodeReduction(decoder, call, name);
  if (name.consume_front("vector."))
    return decodeRearrangement(decoder, call, name);
  return decodeChecked(decoder, call, name);
}

} // namespace tileir::sim
