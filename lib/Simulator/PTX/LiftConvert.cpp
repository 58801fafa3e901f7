//===- LiftConvert.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions: cvt.to.from, between integers, floats, and packed pairs.
//
//===----------------------------------------------------------------------===//

#include "PTX/Lifter.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace tileir::sim::ptx {

namespace {
struct Conversion {
  ValueType to, from;
  StringRef rounding; ///< "rn", ..., "rni", ...; or ""
  bool saturates = false, satFinite = false, relu = false;
  bool flushes = false; ///< f32, on either side

  Value *flush(Lifter &l, Value *x) const {
    return flushes && x->getType()->isFloatTy() ? l.flush(x) : x;
  }
};
} // namespace

/// Between integers: cut or extended; .sat to what the result can hold.
static Value *convertInteger(Lifter &l, const Conversion &c, Value *x) {
  unsigned to = c.to.bits(), from = c.from.bits();
  if (c.saturates) { // to the part of the result's range that can be exceeded
    if (c.from.isSigned && (!c.to.isSigned || to < from)) {
      APInt least = c.to.isSigned ? APInt::getSignedMinValue(to).sext(from)
                                  : APInt::getZero(from);
      x = l.b.CreateBinaryIntrinsic(Intrinsic::smax, x,
                                    ConstantInt::get(l.context, least));
    }
    unsigned toBits = c.to.isSigned ? to - 1 : to;
    if (toBits < (c.from.isSigned ? from - 1 : from)) {
      Constant *most =
          ConstantInt::get(l.context, APInt::getLowBitsSet(from, toBits));
      x = l.b.CreateBinaryIntrinsic(
          c.from.isSigned ? Intrinsic::smin : Intrinsic::umin, x, most);
    }
  }
  return c.from.isSigned ? l.b.CreateSExtOrTrunc(x, c.to.type)
                         : l.b.CreateZExtOrTrunc(x, c.to.type);
}

/// To the next integral number in the same type.
static Value *roundToIntegral(Lifter &l, StringRef rounding, Value *x) {
  Intrinsic::ID id = rounding == "rni"   ? Intrinsic::rint
                     : rounding == "rmi" ? Intrinsic::floor
                     : rounding == "rpi" ? Intrinsic::ceil
                     : rounding == "rzi" ? Intrinsic::trunc
                                         : Intrinsic::not_intrinsic;
  return id == Intrinsic::not_intrinsic ? nullptr
                                        : l.b.CreateUnaryIntrinsic(id, x);
}

static Value *toInteger(Lifter &l, const Conversion &c, Value *x) {
  x = roundToIntegral(l, c.rounding, x);
  if (!x)
    return nullptr;
  return l.b.CreateIntrinsic(c.to.isSigned ? Intrinsic::fptosi_sat
                                           : Intrinsic::fptoui_sat,
                             {c.to.type, c.from.type}, {x});
}

static Value *fromInteger(Lifter &l, const Conversion &c, Value *x) {
  if (c.rounding == "rn")
    return c.from.isSigned ? l.b.CreateSIToFP(x, c.to.type)
                           : l.b.CreateUIToFP(x, c.to.type);
  if (c.rounding.empty() || c.to.bits() < 32)
    return nullptr;
  // The intrinsics are of 32 and 64 bits.
  bool isWide = c.from.bits() == 64;
  Type *type = l.integer(isWide ? 64 : 32);
  x = c.from.isSigned ? l.b.CreateSExt(x, type) : l.b.CreateZExt(x, type);
  return l.callIntrinsic("llvm.nvvm." +
                             Twine(isWide ? (c.from.isSigned ? "ll" : "ull")
                                          : (c.from.isSigned ? "i" : "ui")) +
                             "2" + (c.to.bits() == 64 ? "d" : "f") + "." +
                             c.rounding,
                         {x});
}

/// Between floats. Whether a rounding can be left out follows from the widths.
static Value *convertFloat(Lifter &l, const Conversion &c, Value *x) {
  if (c.to.type == c.from.type)
    return c.rounding.empty() || c.rounding == "rn"
               ? x
               : roundToIntegral(l, c.rounding, x);
  if (c.to.bits() > c.from.bits())
    return l.b.CreateFPExt(x, c.to.type);
  if (c.rounding == "rn" && !c.relu && !c.satFinite) {
    if (c.to.bits() < c.from.bits())
      return l.b.CreateFPTrunc(x, c.to.type);
    // f16 to bf16 and back: f32 holds both.
    return l.b.CreateFPTrunc(l.b.CreateFPExt(x, l.b.getFloatTy()), c.to.type);
  }
  if (c.from.bits() == 64 && c.to.bits() == 32)
    return l.callIntrinsic("llvm.nvvm.d2f." + c.rounding, {x});
  if (c.from.bits() != 32 || c.rounding.empty())
    return nullptr;
  return l.callIntrinsic("llvm.nvvm.f2" + c.to.name + "." + c.rounding +
                             (c.relu ? ".relu" : "") +
                             (c.satFinite ? ".satfinite" : ""),
                         {x});
}

/// Two floats to a pair; the first becomes the upper half.
static Value *toPair(Lifter &l, const Conversion &c, Value *x, Value *y) {
  std::string suffix = ("." + c.rounding + (c.relu ? ".relu" : "")).str();
  if (c.to.name.starts_with("e"))
    return l.callIntrinsic("llvm.nvvm.ff.to." + c.to.name + suffix, {x, y});
  if (c.satFinite)
    suffix += ".satfinite";
  return l.callIntrinsic("llvm.nvvm.ff2" + c.to.name + suffix, {x, y});
}

static Value *convert(Lifter &l, Conversion &c, Operands o) {
  Value *x = c.flush(l, l.read(o[1], c.from));
  if (o.size() == 3)
    return c.from.name == "f32"
               ? toPair(l, c, x, c.flush(l, l.read(o[2], c.from)))
               : nullptr;
  // Pairs of 8 bits, and back.
  if (c.to.name.starts_with("e") || c.from.name.starts_with("e"))
    return l.callIntrinsic("llvm.nvvm." + c.from.name + ".to." + c.to.name +
                               "." + c.rounding + (c.relu ? ".relu" : ""),
                           {x});
  if (c.to.name == "tf32")
    return l.callIntrinsic("llvm.nvvm.f2tf32." + c.rounding +
                               (c.relu ? ".relu" : "") +
                               (c.satFinite ? ".satfinite" : ""),
                           {x});
  if (!c.to.isFloat && !c.from.isFloat)
    return convertInteger(l, c, x);
  if (!c.to.isFloat)
    return toInteger(l, c, x);
  return c.from.isFloat ? convertFloat(l, c, x) : fromInteger(l, c, x);
}

/// cvt[.rounding][.relu][.satfinite][.ftz][.sat].to.from d, a[, b]
static bool liftConversion(Lifter &l, Modifiers &m, Operands o) {
  Conversion c;
  c.rounding =
      m.takeOneOf({"rn", "rz", "rm", "rp", "rna", "rni", "rzi", "rmi", "rpi"});
  c.saturates = m.take("sat");
  c.satFinite = m.take("satfinite");
  c.relu = m.take("relu");
  c.flushes = m.take("ftz");
  auto to = m.takeType(), from = m.takeType();
  if (!to || !from)
    return false;
  c.to = *to;
  c.from = *from;
  Value *value = convert(l, c, o);
  if (!value)
    return false;
  value = c.flush(l, value);
  if (c.saturates && c.to.isFloat) { // to [0, 1], NaN to 0
    value = l.b.CreateBinaryIntrinsic(Intrinsic::maxnum, value,
                                      ConstantFP::get(c.to.type, 0.0));
    value = l.b.CreateBinaryIntrinsic(Intrinsic::minnum, value,
                                      ConstantFP::get(c.to.type, 1.0));
  }
  l.write(o[0], value, c.to.isSigned);
  return true;
}

ArrayRef<Instruction> getConvertInstructions() {
  static const Instruction all[] = {{"cvt", 2, 3, liftConversion, true}};
  return all;
}

} // namespace tileir::sim::ptx
