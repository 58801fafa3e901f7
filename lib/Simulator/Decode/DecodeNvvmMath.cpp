//===- DecodeNvvmMath.cpp -------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decodes arithmetic and conversions of llvm.nvvm.*. A name is an operation,
// modifiers and a type; the type is that of the call. .approx and .full are
// computed like the exact function.
//
//===----------------------------------------------------------------------===//

#include "Decode/DecodeCalls.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"

#include <optional>

using namespace llvm;

namespace tileir::sim {

static Rounding getRounding(StringRef name) {
  return StringSwitch<Rounding>(name)
      .Case("rz", Rounding::Zero)
      .Case("rm", Rounding::Down)
      .Case("rp", Rounding::Up)
      .Default(Rounding::Nearest);
}

/// The part of a name between the operation and the type.
struct Modifiers {
  StringRef rounding; ///< "rn", "rz", "rm", "rp" or none
  bool flush = false, saturate = false, relu = false, nan = false;
  bool xorSign = false, satFinite = false;

  int64_t getMode() const {
    return int64_t(getRounding(rounding)) | (flush ? kFlush : 0) |
           (saturate ? kSaturate : 0);
  }
};

/// False: there is one that is not known.
static bool parseModifiers(StringRef text, Modifiers &modifiers) {
  SmallVector<StringRef, 6> parts;
  text.split(parts, '.', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    if (part == "rn" || part == "rz" || part == "rm" || part == "rp" ||
        part == "rna")
      modifiers.rounding = part;
    else if (part == "ftz")
      modifiers.flush = true;
    else if (part == "sat")
      modifiers.saturate = true;
    else if (part == "satfinite")
      modifiers.satFinite = true;
    else if (part == "relu")
      modifiers.relu = true;
    else if (part == "nan")
      modifiers.nan = true;
    else if (part == "xorsign") // .abs follows
      modifiers.xorSign = true;
    else if (!StringSwitch<bool>(part)
                  .Cases({"approx", "full", "abs"}, true)
                  .Cases({"f", "d", "f16", "f16x2", "bf16", "bf16x2"}, true)
                  .Default(false))
      return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Floating point
//===----------------------------------------------------------------------===//

/// {fmin,fmax}[.nan][.xorsign.abs]: the latter compares the magnitudes and
/// gives the result the product of the signs.
static Register applyMinMax(Arithmetic &a, bool isMin,
                            const Modifiers &modifiers, ArrayRef<Register> x) {
  Opcode first = modifiers.nan
                     ? (isMin ? Opcode::FMinimumF16 : Opcode::FMaximumF16)
                     : (isMin ? Opcode::FMinNumF16 : Opcode::FMaxNumF16);
  if (!modifiers.xorSign)
    return a.applyInMode(first, modifiers.getMode(), x);
  Register magnitude = a.applyInMode(
      first, modifiers.getMode(),
      {a.apply(Opcode::FAbsF16, x[0]), a.apply(Opcode::FAbsF16, x[1])});
  Register signs =
      a.emit(a.wide ? Opcode::Xor64 : Opcode::Xor32, a.wide, x[0], x[1]);
  return a.apply(Opcode::FCopySignF16, magnitude, signs);
}

/// {rcp,rsqrt}.approx.ftz.d looks at the upper half of its operand, and gives
/// the upper half of a result.
static Register applyToUpperHalf(Arithmetic &a, Opcode first, Register x) {
  auto cut = [&](Register r) {
    return a.apply(Opcode::FFlushF16,
                   a.emit(Opcode::And64, true, r, a.constant(~0ull << 32)));
  };
  return cut(a.apply(first, cut(x)));
}

static bool decodeFloat(Decoder &decoder, CallBase &call, StringRef name) {
  StringRef operation = name.split('.').first, rest = name.split('.').second;
  Modifiers modifiers;
  if (!call.getType()->getScalarType()->isFloatingPointTy() ||
      !parseModifiers(rest, modifiers))
    return false;
  auto decode =
      [&](unsigned operands,
          function_ref<Register(Arithmetic &, ArrayRef<Register>)> body) {
        decodeElements(decoder, call, operands, body);
        return true;
      };
  const int64_t mode = modifiers.getMode();
  if (operation == "saturate")
    return decode(1, [&](Arithmetic &a, ArrayRef<Register> x) {
      Register operand = x[0];
      if (modifiers.flush)
        operand = a.apply(Opcode::FFlushF16, operand);
      return a.saturate(operand);
    });
  if (operation == "fmin" || operation == "fmax")
    return decode(2, [&](Arithmetic &a, ArrayRef<Register> x) {
      return applyMinMax(a, operation == "fmin", modifiers, x);
    });
  if (rest == "approx.ftz.d")
    return decode(1, [&](Arithmetic &a, ArrayRef<Register> x) {
      return applyToUpperHalf(
          a, operation == "rcp" ? Opcode::RcpF16 : Opcode::RsqrtF16, x[0]);
    });
  if (operation == "rcp" && mode & kRoundingMask)
    return decode(1, [&](Arithmetic &a, ArrayRef<Register> x) {
      return a.applyInMode(Opcode::FDivF16, mode, {a.number(1), x[0]});
    });
  auto function = StringSwitch<FloatFunction>(operation)
                      .Case("add", {Opcode::FAddF16, 2})
                      .Case("sub", {Opcode::FSubF16, 2})
                      .Case("mul", {Opcode::FMulF16, 2})
                      .Case("div", {Opcode::FDivF16, 2})
                      .Case("fma", {Opcode::FFmaF16, 3})
                      .Case("rcp", {Opcode::RcpF16, 1})
                      .Case("ex2", {Opcode::Exp2F16, 1})
                      .Case("lg2", {Opcode::Log2F16, 1})
                      .Case("round", {Opcode::FRintF16, 1}) // cvt.rni
                      .Case("neg", {Opcode::FNegF16, 1})
                      .Default(getFloatFunction(operation));
  if (function.first == Opcode::NumOpcodes)
    return false;
  if (!modifiers.relu) {
    decodeFloatFunction(decoder, call, function, mode);
    return true;
  }
  return decode(function.operands, [&](Arithmetic &a, ArrayRef<Register> x) {
    return a.apply(Opcode::FMaximumF16, a.applyInMode(function.first, mode, x),
                   a.number(0));
  });
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

/// A number to tf32, in an i32 whose low bits are 0.
static Register toTf32(Arithmetic &a, StringRef rounding, Register x) {
  constexpr uint32_t kDropped = (1u << 13) - 1; // of float's mantissa
  Register keep = a.constant(~uint64_t(kDropped));
  auto cut = [&](Register r) { return a.emit(Opcode::And32, false, r, keep); };
  if (rounding == "rna")
    return a.emit(Opcode::CvtF32ToTF32, false, x);
  // A NaN may have all its bits among those that go: the first one is set.
  Register isNaN = a.test(Opcode::FCmpUnoF16, x, x);
  Register nan = a.emit(Opcode::Or32, false, x, a.constant(0x00400000));
  if (rounding == "rz")
    return cut(a.select(isNaN, nan, x));
  // Rounds to nearest even: half of the dropped bits' worth is added, less one
  // if the last bit that stays is 0.
  Register last = a.emit(Opcode::LShr32, false, x, a.constant(13));
  last = a.emit(Opcode::And32, false, last, a.constant(1));
  Register sum = a.emit(Opcode::Add32, false, x, a.constant(kDropped >> 1));
  return cut(a.select(isNaN, nan, a.emit(Opcode::Add32, false, sum, last)));
}

/// A float to f16, bf16 or tf32: the bits.
static Register toNarrow(Arithmetic &a, StringRef type,
                         const Modifiers &modifiers, Register x) {
  if (modifiers.relu)
    x = a.apply(Opcode::FMaximumF16, x, a.number(0));
  if (modifiers.satFinite) {
    double largest = type == "f16"    ? 65504.0
                     : type == "bf16" ? 0x1.FEp127
                                      : 0x1.FFCp127;
    x = a.apply(Opcode::FMinimumF16, x, a.number(largest));
    x = a.apply(Opcode::FMaximumF16, x, a.number(-largest));
  }
  if (type == "tf32")
    return toTf32(a, modifiers.rounding, x);
  Rounding rounding =
      modifiers.rounding == "rz" ? Rounding::Zero : Rounding::Nearest;
  return a.emit(type == "f16" ? Opcode::CvtF32ToF16 : Opcode::CvtF32ToBF16,
                false, x, kNoRegister, kNoRegister, int64_t(rounding));
}

/// ff2{f16,bf16}x2, f2{f16,bf16,tf32}
static bool decodeToNarrow(Decoder &decoder, CallBase &call, StringRef type,
                           const Modifiers &modifiers) {
  Arithmetic a(decoder, Type::getFloatTy(call.getContext()));
  SmallVector<Register> results;
  bool isPair = type.consume_back("x2");
  if (type != "f16" && type != "bf16" && type != "tf32")
    return false;
  // The first operand of a pair goes to the upper half (PTX ISA, cvt).
  if (isPair)
    results.push_back(
        toNarrow(a, type, modifiers, decoder.useScalar(call.getArgOperand(1))));
  results.push_back(
      toNarrow(a, type, modifiers, decoder.useScalar(call.getArgOperand(0))));
  decoder.rename(call, results);
  return true;
}

/// Decodes conversions between integers, f32 and f64, by the indices of CUDA:
/// i, ui, ll, ull.
static bool decodeNumber(Decoder &decoder, CallBase &call, StringRef from,
                         StringRef to, const Modifiers &modifiers) {
  auto isInteger = [](StringRef indices) {
    return indices == "i" || indices == "ui" || indices == "ll" ||
           indices == "ull";
  };
  auto isFloat = [](StringRef indices) {
    return indices == "f" || indices == "d";
  };
  Type *fromType = call.getArgOperand(0)->getType();
  if (isFloat(from) && isInteger(to)) {
    auto opcode = StringSwitch<Opcode>(modifiers.rounding)
                      .Case("rn", Opcode::FRintF16)
                      .Case("rm", Opcode::FFloorF16)
                      .Case("rp", Opcode::FCeilF16)
                      .Default(Opcode::FTruncF16);
    decodeElements(decoder, call, 1, [&](Arithmetic &a, ArrayRef<Register> x) {
      Arithmetic source(decoder, fromType);
      Register number = x[0];
      if (modifiers.flush)
        number = source.apply(Opcode::FFlushF16, number);
      return source.toInteger(a.type, source.apply(opcode, number),
                              !to.starts_with("u"));
    });
    return true;
  }
  std::optional<Opcode> opcode;
  if (isInteger(from) && isFloat(to)) {
    Arithmetic target(decoder, call.getType());
    opcode = target.getConversion(StringSwitch<Opcode>(from)
                                      .Case("i", Opcode::CvtS32ToF16)
                                      .Case("ui", Opcode::CvtU32ToF16)
                                      .Case("ll", Opcode::CvtS64ToF16)
                                      .Default(Opcode::CvtU64ToF16));
  } else if (from == "d" && to == "f") {
    opcode = Opcode::CvtF64ToF32;
  } else if (from == "f" && to == "h") {
    opcode = Opcode::CvtF32ToF16;
  }
  if (!opcode)
    return false;
  decodeElements(decoder, call, 1, [&](Arithmetic &a, ArrayRef<Register> x) {
    Register number = x[0];
    if (modifiers.flush && from == "f") // f2h
      number = Arithmetic(decoder, fromType).apply(Opcode::FFlushF16, number);
    Register result = a.emit(*opcode, a.wide, number, kNoRegister, kNoRegister,
                             int64_t(getRounding(modifiers.rounding)));
    return modifiers.flush && to == "f" ? a.apply(Opcode::FFlushF16, result)
                                        : result;
  });
  return true;
}

/// {ff,f16x2}.to.{e4m3,e5m2}x2.rn[.relu] and back to f16x2. Two f8 are an i16;
/// of two floats the first goes to its upper byte. Each is one instruction.
static bool decodeF8(Decoder &decoder, CallBase &call, StringRef name) {
  bool relu = name.consume_back(".relu");
  auto [from, to] = name.split(".to.");
  if (!to.consume_back(".rn"))
    return false;
  auto isF8 = [](StringRef type) {
    return type == "e4m3x2" || type == "e5m2x2";
  };
  Arithmetic a(decoder, Type::getFloatTy(call.getContext()));
  auto limit = [&](Register x) {
    return relu ? a.apply(Opcode::FMaximumF16, x, a.number(0)) : x;
  };
  size_t first = decoder.program.code.size() + 1;
  SmallVector<Register> results;
  if (isF8(from) && to == "f16x2") {
    Opcode extend =
        from == "e4m3x2" ? Opcode::CvtE4M3ToF32 : Opcode::CvtE5M2ToF32;
    for (Register byte : decoder.regroup(
             decoder.useScalar(call.getArgOperand(0)), {16}, {8, 8}))
      results.push_back(a.emit(Opcode::CvtF32ToF16, false,
                               limit(a.emit(extend, false, byte))));
    decoder.rename(call, results);
  } else if (isF8(to) && (from == "ff" || from == "f16x2")) {
    SmallVector<Register> numbers;
    if (from == "ff")
      numbers = {decoder.useScalar(call.getArgOperand(1)),
                 decoder.useScalar(call.getArgOperand(0))};
    else
      for (Register half : decoder.use(call.getArgOperand(0)))
        numbers.push_back(a.emit(Opcode::CvtF16ToF32, false, half));
    Opcode round = to == "e4m3x2" ? Opcode::CvtF32ToE4M3 : Opcode::CvtF32ToE5M2;
    for (Register number : numbers)
      results.push_back(a.emit(round, false, limit(number)));
    decoder.rename(call, decoder.regroup(results, {8, 8}, {16}));
  } else {
    return false;
  }
  decoder.markParts(first);
  return true;
}

/// <from>2<to>.<rounding>...
static bool decodeConversion(Decoder &decoder, CallBase &call, StringRef name) {
  auto [operation, rest] = name.split('.');
  auto [from, to] = operation.split('2');
  Modifiers modifiers;
  if (to.empty() || !parseModifiers(rest, modifiers) ||
      modifiers.rounding.empty())
    return false;
  if (from == "ff" || (from == "f" && to.size() > 2 && to != "ull"))
    return decodeToNarrow(decoder, call, to, modifiers);
  if (from == "bf" && to == "h") {
    decodeElements(decoder, call, 1, [](Arithmetic &a, ArrayRef<Register> x) {
      return a.emit(Opcode::CvtF32ToF16, false,
                    a.emit(Opcode::CvtBF16ToF32, false, x[0]));
    });
    return true;
  }
  return decodeNumber(decoder, call, from, to, modifiers);
}

bool decodeNvvmMath(Decoder &decoder, CallBase &call, StringRef name) {
  return decodeFloat(decoder, call, name) ||
         decodeNvvmInteger(decoder, call, name) ||
         decodeF8(decoder, call, name) || decodeConversion(decoder, call, name);
}

} // namespace tileir::sim
