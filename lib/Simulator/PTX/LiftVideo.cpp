//===- LiftVideo.cpp ------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Video instructions: integer arithmetic on parts of registers, one, two or
// four at once. A part is chosen by a selector behind the register (r.b0) and
// extended by the operand's type; then comes the operation, then .sat, then a
// second operation with, or a merge into, the last operand. As the manual has
// it, results in between have 34 bits, of which the sign is the last.
//
//===----------------------------------------------------------------------===//

#include "PTX/Lifter.h"

#include "llvm/IR/Intrinsics.h"

using namespace llvm;

namespace tileir::sim::ptx {

enum class Video { Add, Sub, Difference, Min, Max, Average, Left, Right, Set };

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

/// Splits the selector off a register.
static Operand takeSelector(Lifter &l, Operand operand, StringRef &selector) {
  if (!operand.isName() || l.getRegisterBits(operand))
    return operand;
  Operand base = operand;
  std::tie(base.name, selector) = operand.name.rsplit('.');
  if (l.getRegisterBits(base))
    return base;
  selector = "";
  return operand;
}

/// A part of a word; 0 bits: the selector is none.
struct WordPart {
  unsigned first = 0, bits = 0;
};

/// b0 to b3, h0, h1; the whole word without a selector.
static WordPart getPart(StringRef selector) {
  if (selector.empty())
    return {0, 32};
  unsigned place, bits = selector[0] == 'b' ? 8 : 16;
  if ((selector[0] != 'b' && selector[0] != 'h') ||
      selector.drop_front().getAsInteger(10, place) || selector.size() != 2 ||
      (place + 1) * bits > 32)
    return {};
  return {place * bits, bits};
}

static Value *extendPart(Lifter &l, Value *word, WordPart part, bool isSigned) {
  Value *bits =
      l.b.CreateTrunc(l.b.CreateLShr(word, part.first), l.integer(part.bits));
  return isSigned ? l.b.CreateSExt(bits, l.b.getInt64Ty())
                  : l.b.CreateZExt(bits, l.b.getInt64Ty());
}

static bool refuseSelector(Lifter &l, StringRef selector) {
  return l.fail("selector '." + selector + "' is not known here");
}

/// A source of an operation on one part, as an i64.
static Value *readPart(Lifter &l, const Operand &operand, bool isSigned) {
  StringRef selector;
  Operand base = takeSelector(l, operand, selector);
  WordPart part = getPart(selector);
  if (part.bits == 0) {
    refuseSelector(l, selector);
    part.bits = 32;
  }
  return extendPart(l, l.read(base, l.b.getInt32Ty()), part, isSigned);
}

/// One of the two types of 32 bits that there are.
static std::optional<bool> takeSign(Modifiers &m) {
  auto type = m.takeType();
  if (!type || (type->name != "u32" && type->name != "s32"))
    return std::nullopt;
  return type->isSigned;
}

//===----------------------------------------------------------------------===//
// Operations, on i64
//===----------------------------------------------------------------------===//

static Value *limit(Lifter &l, Value *x, Value *y, bool isMin) {
  return l.b.CreateBinaryIntrinsic(isMin ? Intrinsic::smin : Intrinsic::smax, x,
                                   y);
}

static Value *saturate(Lifter &l, Value *value, unsigned bits, bool isSigned) {
  APInt low =
      isSigned ? APInt::getSignedMinValue(bits).sext(64) : APInt::getZero(64);
  APInt high = isSigned ? APInt::getSignedMaxValue(bits).sext(64)
                        : APInt::getMaxValue(bits).zext(64);
  value = limit(l, value, l.b.getInt(high), /*isMin=*/true);
  return limit(l, value, l.b.getInt(low), /*isMin=*/false);
}

/// A comparison takes its name from the modifiers.
static std::optional<CmpInst::Predicate> takeComparison(Modifiers &m) {
  static const std::pair<StringRef, CmpInst::Predicate> all[] = {
      {"eq", CmpInst::ICMP_EQ},  {"ne", CmpInst::ICMP_NE},
      {"lt", CmpInst::ICMP_SLT}, {"le", CmpInst::ICMP_SLE},
      {"gt", CmpInst::ICMP_SGT}, {"ge", CmpInst::ICMP_SGE}};
  for (auto [name, predicate] : all)
    if (m.take(name))
      return predicate;
  return std::nullopt;
}

static Value *shift(Lifter &l, Value *x, Value *y, bool isLeft, bool clamps) {
  y = clamps ? l.b.CreateBinaryIntrinsic(Intrinsic::umin, y, l.b.getInt64(32))
             : l.b.CreateAnd(y, 31);
  if (!isLeft)
    return l.b.CreateAShr(x, y);
  constexpr unsigned kBehind = 64 - 34;
  return l.b.CreateAShr(l.b.CreateShl(l.b.CreateShl(x, y), kBehind), kBehind);
}

static Value *combine(Lifter &l, Video operation, Value *x, Value *y,
                      CmpInst::Predicate predicate) {
  switch (operation) {
  case Video::Add:
    return l.b.CreateAdd(x, y);
  case Video::Sub:
    return l.b.CreateSub(x, y);
  case Video::Difference:
    return limit(l, l.b.CreateSub(x, y), l.b.CreateSub(y, x), /*isMin=*/false);
  case Video::Min:
  case Video::Max:
    return limit(l, x, y, operation == Video::Min);
  case Video::Average: { // halves are rounded away from zero
    Value *sum = l.b.CreateAdd(x, y);
    Value *isPositive = l.b.CreateICmpSGE(sum, l.b.getInt64(0));
    sum = l.b.CreateAdd(sum, l.b.CreateZExt(isPositive, sum->getType()));
    return l.b.CreateAShr(sum, 1);
  }
  case Video::Set:
    return l.b.CreateZExt(l.b.CreateICmp(predicate, x, y), x->getType());
  case Video::Left:
  case Video::Right:
    break; // have no other modifiers in common with these
  }
  llvm_unreachable("a shift");
}

/// `value` in a part of `word`, both i64.
static Value *mergePart(Lifter &l, Value *value, Value *word, WordPart part) {
  uint64_t mask = maskTrailingOnes<uint64_t>(part.bits);
  return l.b.CreateOr(l.b.CreateShl(l.b.CreateAnd(value, mask), part.first),
                      l.b.CreateAnd(word, ~(mask << part.first)));
}

//===----------------------------------------------------------------------===//
// One part
//===----------------------------------------------------------------------===//

/// v*.dtype.atype.btype[.sat][.op2] d[.part], a[.part], b[.part][, c]
template <Video kOperation>
static bool liftVideoScalar(Lifter &l, Modifiers &m, Operands o) {
  constexpr bool isShift =
      kOperation == Video::Left || kOperation == Video::Right;
  std::optional<bool> d = false;
  if (kOperation != Video::Set)
    d = takeSign(m);
  auto a = takeSign(m), b = takeSign(m);
  bool saturates = kOperation != Video::Set && m.take("sat");
  StringRef second = m.takeOneOf({"add", "min", "max"});
  CmpInst::Predicate predicate = CmpInst::ICMP_EQ;
  if (kOperation == Video::Set) {
    auto comparison = takeComparison(m);
    if (!comparison)
      return false;
    predicate = *comparison;
  }
  StringRef mode = isShift ? m.takeOneOf({"clamp", "wrap"}) : "none";
  if (!d || !a || !b || mode.empty() || (isShift && *b))
    return false;

  StringRef selector;
  Operand destination = takeSelector(l, o[0], selector);
  WordPart part = getPart(selector);
  if (part.bits == 0)
    return refuseSelector(l, selector);
  bool merges = part.bits < 32;
  if (merges && !second.empty())
    return l.fail("expected a selector of the result or '." + second +
                  "', found both");
  if ((merges || !second.empty()) != (o.size() == 4))
    return l.fail("expected a last operand to merge with, or none");

  Value *x = readPart(l, o[1], *a), *y = readPart(l, o[2], *b);
  Value *value;
  if constexpr (isShift)
    value = shift(l, x, y, kOperation == Video::Left, mode == "clamp");
  else
    value = combine(l, kOperation, x, y, predicate);
  if (saturates)
    value = saturate(l, value, part.bits, *d);
  if (o.size() == 4) {
    Value *last = extendPart(l, l.read(o[3], l.b.getInt32Ty()), {0, 32}, *d);
    if (merges)
      value = mergePart(l, value, last, part);
    else
      value = second == "add" ? l.b.CreateAdd(value, last)
                              : limit(l, value, last, second == "min");
  }
  l.write(destination, l.b.CreateTrunc(value, l.b.getInt32Ty()));
  return true;
}

/// vmad.dtype.atype.btype[.po][.sat][.shr7|.shr15] d, [-]a, [-]b, [-]c
static bool liftVideoMultiplyAdd(Lifter &l, Modifiers &m, Operands o) {
  auto d = takeSign(m), a = takeSign(m), b = takeSign(m);
  if (!d || !a || !b)
    return false;
  bool addsOne = m.take("po"), saturates = m.take("sat");
  StringRef scale = m.takeOneOf({"shr7", "shr15"});
  bool isProductNegative = o[1].minus != o[2].minus,
       isLastNegative = o[3].minus;
  if ((isProductNegative && isLastNegative) ||
      (addsOne && (o[1].minus || o[2].minus || isLastNegative)))
    return l.fail("expected a minus before one factor or before the last "
                  "operand, and none with .po");
  bool isSigned = *a || *b || isProductNegative || isLastNegative;
  Operand sources[] = {o[1], o[2], o[3]};
  for (Operand &source : sources)
    source.minus = false;
  // The product of two numbers of 32 bits, with a sign, and more.
  Type *wide = l.integer(128);
  Value *x = l.b.CreateSExt(readPart(l, sources[0], *a), wide);
  Value *y = l.b.CreateSExt(readPart(l, sources[1], *b), wide);
  Value *last = l.read(sources[2], l.b.getInt32Ty());
  last = isSigned ? l.b.CreateSExt(last, wide) : l.b.CreateZExt(last, wide);
  Value *product = l.b.CreateMul(x, y);
  Value *sum = isProductNegative ? l.b.CreateSub(last, product)
               : isLastNegative  ? l.b.CreateSub(product, last)
                                 : l.b.CreateAdd(product, last);
  if (addsOne)
    sum = l.b.CreateAdd(sum, ConstantInt::get(wide, 1));
  if (!scale.empty())
    sum = l.b.CreateAShr(sum, scale == "shr7" ? 7 : 15);
  Value *result = l.b.CreateTrunc(sum, l.b.getInt32Ty());
  if (saturates) {
    auto low = isSigned ? APInt::getSignedMinValue(32) : APInt::getZero(32);
    auto high =
        isSigned ? APInt::getSignedMaxValue(32) : APInt::getMaxValue(32);
    auto bound = [&](const APInt &value) {
      return l.b.getInt(isSigned ? value.sext(128) : value.zext(128));
    };
    result = l.b.CreateSelect(l.b.CreateICmpSGT(sum, bound(high)),
                              l.b.getInt(high), result);
    result = l.b.CreateSelect(l.b.CreateICmpSLT(sum, bound(low)),
                              l.b.getInt(low), result);
  }
  l.write(o[0], result);
  return true;
}

//===----------------------------------------------------------------------===//
// Two or four parts
//===----------------------------------------------------------------------===//

/// The numbers of a selector such as b7210, the lowest first. Empty: it is
/// none.
static SmallVector<unsigned, 4> getNumbers(StringRef selector, unsigned lanes) {
  SmallVector<unsigned, 4> numbers;
  if (!selector.consume_front(lanes == 2 ? "h" : "b"))
    return {};
  for (char digit : reverse(selector)) {
    if (digit < '0' || unsigned(digit - '0') >= 2 * lanes)
      return {};
    numbers.push_back(digit - '0');
  }
  return numbers;
}

/// v*{2,4}.dtype.atype.btype[.sat|.add] d[.mask], a[.parts], b[.parts], c
template <Video kOperation, unsigned kLanes>
static bool liftVideoLanes(Lifter &l, Modifiers &m, Operands o) {
  constexpr unsigned kBits = 32 / kLanes;
  std::optional<bool> d = false;
  if (kOperation != Video::Set)
    d = takeSign(m);
  auto a = takeSign(m), b = takeSign(m);
  bool saturates = kOperation != Video::Set && m.take("sat");
  bool adds = m.take("add");
  CmpInst::Predicate predicate = CmpInst::ICMP_EQ;
  if (kOperation == Video::Set) {
    auto comparison = takeComparison(m);
    if (!comparison)
      return false;
    predicate = *comparison;
  }
  if (!d || !a || !b || (saturates && adds))
    return false;

  // Parts are chosen from both words.
  StringRef selectors[] = {kLanes == 2 ? "h10" : "b3210",
                           kLanes == 2 ? "h10" : "b3210",
                           kLanes == 2 ? "h32" : "b7654"};
  Operand operands[3];
  SmallVector<unsigned, 4> numbers[3];
  for (unsigned i = 0; i < 3; ++i) {
    StringRef selector;
    operands[i] = takeSelector(l, o[i], selector);
    if (!selector.empty())
      selectors[i] = selector;
    numbers[i] = getNumbers(selectors[i], kLanes);
    bool isMask = i == 0;
    if (numbers[i].empty() ||
        (isMask ? !is_sorted(numbers[i]) || numbers[i].back() >= kLanes ||
                      std::adjacent_find(numbers[i].begin(),
                                         numbers[i].end()) != numbers[i].end()
                : numbers[i].size() != kLanes))
      return refuseSelector(l, selectors[i]);
  }
  Value *words[] = {l.read(operands[1], l.b.getInt32Ty()),
                    l.read(operands[2], l.b.getInt32Ty())};
  auto get = [&](unsigned number, bool isSigned) {
    return extendPart(l, words[number / kLanes],
                      {number % kLanes * kBits, kBits}, isSigned);
  };
  Value *result = extendPart(l, l.read(o[3], l.b.getInt32Ty()), {0, 32},
                             /*isSigned=*/false);
  for (unsigned lane : numbers[0]) {
    Value *value = combine(l, kOperation, get(numbers[1][lane], *a),
                           get(numbers[2][lane], *b), predicate);
    if (saturates)
      value = saturate(l, value, kBits, *d);
    result = adds ? l.b.CreateAdd(result, value)
                  : mergePart(l, value, result, {lane * kBits, kBits});
  }
  l.write(operands[0], l.b.CreateTrunc(result, l.b.getInt32Ty()));
  return true;
}

ArrayRef<Instruction> getVideoInstructions() {
  static const Instruction all[] = {
      {"vadd", 3, 4, liftVideoScalar<Video::Add>, true},
      {"vsub", 3, 4, liftVideoScalar<Video::Sub>, true},
      {"vabsdiff", 3, 4, liftVideoScalar<Video::Difference>, true},
      {"vmin", 3, 4, liftVideoScalar<Video::Min>, true},
      {"vmax", 3, 4, liftVideoScalar<Video::Max>, true},
      {"vshl", 3, 4, liftVideoScalar<Video::Left>, true},
      {"vshr", 3, 4, liftVideoScalar<Video::Right>, true},
      {"vset", 3, 4, liftVideoScalar<Video::Set>, true},
      {"vmad", 4, 4, liftVideoMultiplyAdd, true},
      {"vadd2", 4, 4, liftVideoLanes<Video::Add, 2>, true},
      {"vsub2", 4, 4, liftVideoLanes<Video::Sub, 2>, true},
      {"vavrg2", 4, 4, liftVideoLanes<Video::Average, 2>, true},
      {"vabsdiff2", 4, 4, liftVideoLanes<Video::Difference, 2>, true},
      {"vmin2", 4, 4, liftVideoLanes<Video::Min, 2>, true},
      {"vmax2", 4, 4, liftVideoLanes<Video::Max, 2>, true},
      {"vset2", 4, 4, liftVideoLanes<Video::Set, 2>, true},
      {"vadd4", 4, 4, liftVideoLanes<Video::Add, 4>, true},
      {"vsub4", 4, 4, liftVideoLanes<Video::Sub, 4>, true},
      {"vavrg4", 4, 4, liftVideoLanes<Video::Average, 4>, true},
      {"vabsdiff4", 4, 4, liftVideoLanes<Video::Difference, 4>, true},
      {"vmin4", 4, 4, liftVideoLanes<Video::Min, 4>, true},
      {"vmax4", 4, 4, liftVideoLanes<Video::Max, 4>, true},
      {"vset4", 4, 4, liftVideoLanes<Video::Set, 4>, true},
  };
  return all;
}

} // namespace tileir::sim::ptx
