//===- LiftCompare.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comparisons and selections.
//
//===----------------------------------------------------------------------===//

#include "PTX/Lifter.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace tileir::sim::ptx {

constexpr auto kNone = CmpInst::BAD_ICMP_PREDICATE;

static CmpInst::Predicate getIntegerPredicate(StringRef name, bool isSigned) {
  return StringSwitch<CmpInst::Predicate>(name)
      .Case("eq", CmpInst::ICMP_EQ)
      .Case("ne", CmpInst::ICMP_NE)
      .Case("lt", isSigned ? CmpInst::ICMP_SLT : CmpInst::ICMP_ULT)
      .Case("le", isSigned ? CmpInst::ICMP_SLE : CmpInst::ICMP_ULE)
      .Case("gt", isSigned ? CmpInst::ICMP_SGT : CmpInst::ICMP_UGT)
      .Case("ge", isSigned ? CmpInst::ICMP_SGE : CmpInst::ICMP_UGE)
      .Case("lo", CmpInst::ICMP_ULT)
      .Case("ls", CmpInst::ICMP_ULE)
      .Case("hi", CmpInst::ICMP_UGT)
      .Case("hs", CmpInst::ICMP_UGE)
      .Default(kNone);
}

static CmpInst::Predicate getFloatPredicate(StringRef name) {
  return StringSwitch<CmpInst::Predicate>(name)
      .Case("eq", CmpInst::FCMP_OEQ)
      .Case("ne", CmpInst::FCMP_ONE)
      .Case("lt", CmpInst::FCMP_OLT)
      .Case("le", CmpInst::FCMP_OLE)
      .Case("gt", CmpInst::FCMP_OGT)
      .Case("ge", CmpInst::FCMP_OGE)
      .Case("equ", CmpInst::FCMP_UEQ)
      .Case("neu", CmpInst::FCMP_UNE)
      .Case("ltu", CmpInst::FCMP_ULT)
      .Case("leu", CmpInst::FCMP_ULE)
      .Case("gtu", CmpInst::FCMP_UGT)
      .Case("geu", CmpInst::FCMP_UGE)
      .Case("num", CmpInst::FCMP_ORD)
      .Case("nan", CmpInst::FCMP_UNO)
      .Default(kNone);
}

namespace {
/// A comparison, combined with a predicate if there is an operand for it.
struct Comparison {
  StringRef name, combine;
  ValueType type;
  bool flushes = false;

  /// The comparison's own type is the last one.
  static std::optional<Comparison> take(Modifiers &m) {
    auto type = m.takeLastType();
    Comparison comparison;
    comparison.name = m.takeFirst();
    comparison.combine = m.takeOneOf({"and", "or", "xor"});
    comparison.flushes = m.take("ftz");
    if (!type)
      return std::nullopt;
    comparison.type = *type;
    return comparison;
  }

  Value *compare(Lifter &l, const Operand &x, const Operand &y) const {
    CmpInst::Predicate predicate =
        type.isFloat ? getFloatPredicate(name)
                     : getIntegerPredicate(name, type.isSigned);
    if (predicate == kNone) {
      l.fail("comparison '." + name + "' of '." + type.name + "' is not known");
      return nullptr;
    }
    return l.b.CreateCmp(predicate, l.read(x, type, flushes),
                         l.read(y, type, flushes));
  }

  /// What the other predicate makes of a result.
  Value *combineWith(Lifter &l, Value *result, Operands rest) const {
    if (combine.empty() || rest.empty())
      return result;
    Value *other = l.read(rest[0], l.b.getInt1Ty());
    if (result->getType()->isVectorTy())
      other = l.b.CreateVectorSplat(2, other);
    if (combine == "and")
      return l.b.CreateAnd(result, other);
    return combine == "or" ? l.b.CreateOr(result, other)
                           : l.b.CreateXor(result, other);
  }
};
} // namespace

/// setp.lt[.and].s32 p[|q], a, b[, [!]c]; q is the opposite, of pairs the
/// upper half.
static bool liftSetPredicate(Lifter &l, Modifiers &m, Operands o) {
  auto comparison = Comparison::take(m);
  if (!comparison || comparison->combine.empty() != (o.size() == 3))
    return false;
  Value *holds = comparison->compare(l, o[1], o[2]);
  if (!holds)
    return false;
  bool isPair = o[0].kind == Operand::Kind::Pair;
  Value *result = comparison->combineWith(l, holds, o.drop_front(3));
  if (holds->getType()->isVectorTy()) {
    if (!isPair)
      return false;
    for (unsigned i : {0, 1})
      l.write(o[0].elements[i], l.b.CreateExtractElement(result, i));
    return true;
  }
  if (!isPair) {
    l.write(o[0], result);
    return true;
  }
  Value *opposite = comparison->combineWith(l, l.b.CreateNot(holds), //
                                            o.drop_front(3));
  l.write(o[0].elements[0], result);
  l.write(o[0].elements[1], opposite);
  return true;
}

/// set.lt[.and].u32.f32 d, a, b[, [!]c]: all ones or 1.0 where it holds. Of
/// pairs with an integer result each half is a mask.
static bool liftSet(Lifter &l, Modifiers &m, Operands o) {
  auto comparison = Comparison::take(m);
  auto type = m.takeLastType();
  if (!comparison || !type || comparison->combine.empty() != (o.size() == 3))
    return false;
  Value *result = comparison->compare(l, o[1], o[2]);
  if (!result)
    return false;
  result = comparison->combineWith(l, result, o.drop_front(3));
  Type *wanted = type->type;
  if (result->getType()->isVectorTy() && !wanted->isVectorTy())
    wanted = FixedVectorType::get(
        l.integer(wanted->getPrimitiveSizeInBits() / 2), 2);
  if (result->getType()->isVectorTy() != wanted->isVectorTy())
    return false;
  l.write(o[0], type->isFloat ? l.b.CreateUIToFP(result, wanted)
                              : l.b.CreateSExt(result, wanted));
  return true;
}

/// selp.b32 d, a, b, p
static bool liftSelect(Lifter &l, Modifiers &m, Operands o) {
  auto type = m.takeType();
  if (!type)
    return false;
  l.write(o[0], l.b.CreateSelect(l.read(o[3], l.b.getInt1Ty()),
                                 l.read(o[1], *type), l.read(o[2], *type)));
  return true;
}

/// slct.b32.{s32,f32} d, a, b, c: a where c >= 0.
static bool liftSelectBySign(Lifter &l, Modifiers &m, Operands o) {
  bool flush = m.take("ftz");
  auto type = m.takeType(), of = m.takeType();
  if (!type || !of)
    return false;
  Value *c = l.read(o[3], *of, flush), *zero = Constant::getNullValue(of->type);
  Value *holds =
      of->isFloat ? l.b.CreateFCmpOGE(c, zero) : l.b.CreateICmpSGE(c, zero);
  l.write(o[0],
          l.b.CreateSelect(holds, l.read(o[1], *type), l.read(o[2], *type)));
  return true;
}

ArrayRef<Instruction> getCompareInstructions() {
  static const Instruction all[] = {
      {"setp", 3, 4, liftSetPredicate, true},
      {"set", 3, 4, liftSet, true},
      {"selp", 4, 4, liftSelect, true},
      {"slct", 4, 4, liftSelectBySign, true},
  };
  return all;
}

} // namespace tileir::sim::ptx
