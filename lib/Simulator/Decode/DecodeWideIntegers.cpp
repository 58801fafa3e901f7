//===- DecodeWideIntegers.cpp ---------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers of more than 64 bits, which LLVM's passes make of neighbouring
// values and of the high half of products: parts of 64 bits and a rest.
//
//===----------------------------------------------------------------------===//

#include "Decode/DecodeCalls.h"
#include "Decode/DecodeInstructions.h"

using namespace llvm;

namespace tileir::sim {

static bool isWideInteger(const Type *type) {
  return type->isIntegerTy() && type->getIntegerBitWidth() > 64;
}

bool isWideOperation(const Instruction &instruction) {
  if (isa<PHINode, SelectInst, FreezeInst, LoadInst, StoreInst, InsertValueInst,
          ExtractValueInst, ExtractElementInst, InsertElementInst>(instruction))
    return false;
  return isWideInteger(instruction.getType()) ||
         any_of(instruction.operand_values(), [](const Value *operand) {
           return isWideInteger(operand->getType());
         });
}

namespace {
/// Spells out the operations on one wide type.
class WideArithmetic {
public:
  WideArithmetic(Decoder &decoder, Type *type)
      : decoder(decoder), type(type), part(decoder, getPartType()),
        bits(getBits(type)) {}

  using Parts = SmallVector<Register>;

  /// Nothing: it is none of the operations that are known here.
  std::optional<Parts> apply(const Instruction &instruction);

private:
  Type *getPartType() { return Type::getInt64Ty(type->getContext()); }
  unsigned getWidth() const { return type->getIntegerBitWidth(); }

  /// Converts to full 64-bit parts, and back.
  Parts toWords(ArrayRef<Register> parts) {
    SmallVector<unsigned> words(bits.size(), 64);
    return decoder.regroup(parts, bits, words);
  }
  Parts fromWords(ArrayRef<Register> words) {
    return decoder.regroup(words, SmallVector<unsigned>(words.size(), 64),
                           bits);
  }
  /// 0 or -1, by the sign of a value whose last part has `lastBits` bits, as a
  /// 32-bit register.
  Register getSign(Register last, unsigned lastBits);

  Parts applyBitwise(Opcode opcode, ArrayRef<Register> a, ArrayRef<Register> b);
  Parts add(ArrayRef<Register> a, ArrayRef<Register> b);
  Parts subtract(ArrayRef<Register> a, ArrayRef<Register> b);
  Parts multiply(ArrayRef<Register> a, ArrayRef<Register> b);
  Parts shiftLeft(ArrayRef<Register> a, unsigned count);
  Parts shiftRight(ArrayRef<Register> a, unsigned count, bool isSigned);
  Register compare(CmpInst::Predicate predicate, ArrayRef<Register> a,
                   ArrayRef<Register> b);

  Decoder &decoder;
  Type *type;
  Arithmetic part; // of 64 bits
  SmallVector<unsigned> bits;
};
} // namespace

Register WideArithmetic::getSign(Register last, unsigned lastBits) {
  Type *integer = IntegerType::get(type->getContext(), lastBits);
  Arithmetic arithmetic(decoder, integer);
  Register isNegative = arithmetic.test(
      Opcode::CmpSLt32, arithmetic.extend(last), arithmetic.constant(0));
  return Arithmetic(decoder, Type::getInt1Ty(type->getContext()))
      .extend(isNegative);
}

WideArithmetic::Parts WideArithmetic::applyBitwise(Opcode opcode,
                                                   ArrayRef<Register> a,
                                                   ArrayRef<Register> b) {
  Parts results;
  for (auto [left, right, scalar] : zip(a, b, Decoder::flatten(type)))
    results.push_back(Arithmetic(decoder, scalar).apply(opcode, left, right));
  return results;
}

WideArithmetic::Parts WideArithmetic::add(ArrayRef<Register> a,
                                          ArrayRef<Register> b) {
  Register low = part.apply(Opcode::Add32, a[0], b[0]);
  Register carry = part.test(Opcode::CmpULt32, low, a[0]);
  Register high = part.apply(Opcode::Add32, a[1], b[1]);
  return {low, part.apply(Opcode::Add32, high,
                          part.emit(Opcode::ZExtTo64, true, carry))};
}

WideArithmetic::Parts WideArithmetic::subtract(ArrayRef<Register> a,
                                               ArrayRef<Register> b) {
  Register borrow = part.test(Opcode::CmpULt32, a[0], b[0]);
  Register high = part.apply(Opcode::Sub32, a[1], b[1]);
  return {part.apply(Opcode::Sub32, a[0], b[0]),
          part.apply(Opcode::Sub32, high,
                     part.emit(Opcode::ZExtTo64, true, borrow))};
}

WideArithmetic::Parts WideArithmetic::multiply(ArrayRef<Register> a,
                                               ArrayRef<Register> b) {
  Register high = part.apply(Opcode::MulHiU32, a[0], b[0]);
  Register cross = part.apply(Opcode::Add32, //
                              part.apply(Opcode::Mul32, a[0], b[1]),
                              part.apply(Opcode::Mul32, a[1], b[0]));
  return {part.apply(Opcode::Mul32, a[0], b[0]),
          part.apply(Opcode::Add32, high, cross)};
}

WideArithmetic::Parts WideArithmetic::shiftLeft(ArrayRef<Register> a,
                                                unsigned count) {
  Parts source;
  SmallVector<unsigned> sourceBits;
  for (unsigned left = count; left > 0; left -= sourceBits.back()) {
    source.push_back(decoder.getConstant(0, /*wide=*/false));
    sourceBits.push_back(std::min(left, 32u));
  }
  append_range(source, a);
  append_range(sourceBits, bits);
  return decoder.regroup(source, sourceBits, bits);
}

WideArithmetic::Parts WideArithmetic::shiftRight(ArrayRef<Register> a,
                                                 unsigned count,
                                                 bool isSigned) {
  Parts source(a);
  SmallVector<unsigned> sourceBits = bits;
  for (unsigned left = isSigned ? count : 0; left > 0;
       left -= sourceBits.back()) {
    source.push_back(getSign(a.back(), bits.back()));
    sourceBits.push_back(std::min(left, 32u));
  }
  // The bits that are shifted out, then the result.
  SmallVector<unsigned> resultBits;
  for (unsigned left = count; left > 0; left -= resultBits.back())
    resultBits.push_back(std::min(left, 32u));
  size_t dropped = resultBits.size();
  append_range(resultBits, bits);
  Parts results = decoder.regroup(source, sourceBits, resultBits);
  results.erase(results.begin(), results.begin() + dropped);
  return results;
}

Register WideArithmetic::compare(CmpInst::Predicate predicate,
                                 ArrayRef<Register> a, ArrayRef<Register> b) {
  Arithmetic flag(decoder, Type::getInt1Ty(type->getContext()));
  if (ICmpInst::isGT(predicate) || ICmpInst::isGE(predicate)) {
    std::swap(a, b);
    predicate = CmpInst::getSwappedPredicate(predicate);
  }
  bool isSigned = CmpInst::isSigned(predicate);
  bool isLess = ICmpInst::isLT(predicate);
  Register result = kNoRegister; // of the parts so far, from the lowest one
  auto scalars = Decoder::flatten(type);
  for (auto [i, left, right, scalar] : enumerate(a, b, scalars)) {
    Arithmetic arithmetic(decoder, scalar);
    bool isLast = i + 1 == scalars.size();
    Register x = left, y = right;
    if (isSigned && isLast) {
      x = arithmetic.extend(x);
      y = arithmetic.extend(y);
    }
    Register equal = arithmetic.test(Opcode::CmpEq32, x, y);
    if (CmpInst::isEquality(predicate)) {
      result = i ? flag.apply(Opcode::And32, result, equal) : equal;
      continue;
    }
    Opcode less = isSigned && isLast ? Opcode::CmpSLt32 : Opcode::CmpULt32;
    Opcode lessOrEqual = Opcode::CmpULe32;
    if (i == 0) {
      result = arithmetic.test(isLess ? less : lessOrEqual, x, y);
      continue;
    }
    result = flag.apply(Opcode::Or32, arithmetic.test(less, x, y),
                        flag.apply(Opcode::And32, equal, result));
  }
  if (predicate == CmpInst::ICMP_NE)
    result = flag.apply(Opcode::Xor32, result, flag.constant(1));
  return result;
}

std::optional<WideArithmetic::Parts>
WideArithmetic::apply(const Instruction &instruction) {
  Parts a = decoder.use(instruction.getOperand(0)), b;
  if (instruction.getNumOperands() > 1)
    b = decoder.use(instruction.getOperand(1));
  unsigned opcode = instruction.getOpcode();
  switch (opcode) {
  case Instruction::And:
    return applyBitwise(Opcode::And32, a, b);
  case Instruction::Or:
    return applyBitwise(Opcode::Or32, a, b);
  case Instruction::Xor:
    return applyBitwise(Opcode::Xor32, a, b);
  case Instruction::ICmp:
    return Parts{compare(cast<ICmpInst>(instruction).getPredicate(), a, b)};
  case Instruction::Shl:
  case Instruction::LShr:
  case Instruction::AShr: {
    auto *constant = dyn_cast<ConstantInt>(instruction.getOperand(1));
    if (!constant || constant->getValue().uge(getWidth()))
      return std::nullopt;
    unsigned count = constant->getZExtValue();
    return opcode == Instruction::Shl
               ? shiftLeft(a, count)
               : shiftRight(a, count, opcode == Instruction::AShr);
  }
  case Instruction::Add:
  case Instruction::Sub:
  case Instruction::Mul: {
    if (getWidth() > 128)
      return std::nullopt;
    a = toWords(a);
    b = toWords(b);
    return fromWords(opcode == Instruction::Add   ? add(a, b)
                     : opcode == Instruction::Sub ? subtract(a, b)
                                                  : multiply(a, b));
  }
  case Instruction::SExt: {
    auto source = getBits(instruction.getOperand(0)->getType());
    Register sign = getSign(a.back(), source.back());
    for (unsigned i = 0; i < getWidth(); i += 32) {
      a.push_back(sign);
      source.push_back(32);
    }
    return decoder.regroup(a, source, bits);
  }
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::BitCast:
    return decoder.regroup(a, getBits(instruction.getOperand(0)->getType()),
                           getBits(instruction.getType()));
  default:
    return std::nullopt;
  }
}

Error decodeWideOperation(Decoder &decoder, Instruction &instruction) {
  // The operands of comparisons and truncations are wide, else the result.
  Type *type = isWideInteger(instruction.getType())
                   ? instruction.getType()
                   : instruction.getOperand(0)->getType();
  if (isWideInteger(type))
    if (auto parts = WideArithmetic(decoder, type).apply(instruction)) {
      decoder.rename(instruction, *parts);
      return Error::success();
    }
  return decoder.unsupported(instruction,
                             "this operation on more than 64 bits");
}

} // namespace tileir::sim
