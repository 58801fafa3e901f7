//===- DecodeArithmetic.cpp -----------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arithmetic, comparisons and selections, scalar by scalar.
//
//===----------------------------------------------------------------------===//

#include "Decode/DecodeCalls.h"
#include "Decode/DecodeInstructions.h"

using namespace llvm;

namespace tileir::sim {

/// Defines `instruction` by `body` for each scalar of its operands. Chips do
/// two f16 at once, but for divisions.
static void
mapOperands(Decoder &decoder, Instruction &instruction,
            function_ref<Register(Arithmetic &, Register, Register)> body) {
  Arithmetic arithmetic(decoder,
                        instruction.getOperand(0)->getType()->getScalarType());
  SmallVector<Register> a = decoder.use(instruction.getOperand(0)), b = a;
  if (instruction.getNumOperands() > 1)
    b = decoder.use(instruction.getOperand(1));
  SmallVector<Register> results;
  bool hasPairs = arithmetic.type->isHalfTy() &&
                  instruction.getOpcode() != Instruction::FDiv &&
                  instruction.getOpcode() != Instruction::FRem;
  for (auto [i, left, right] : enumerate(a, b)) {
    size_t first = decoder.program.code.size();
    results.push_back(body(arithmetic, left, right));
    if (hasPairs && i % 2 == 1)
      decoder.markParts(first);
  }
  decoder.rename(instruction, results);
}

/// `scalar`, one of those of `value`, as a signed number that fills its
/// register.
static Register extendSigned(Arithmetic &arithmetic, const Value *value,
                             Register scalar) {
  if (auto *constant = dyn_cast<ConstantInt>(value))
    return arithmetic.decoder.getConstant(
        arithmetic.wide ? constant->getSExtValue()
                        : uint32_t(constant->getSExtValue()),
        arithmetic.wide);
  return arithmetic.extend(scalar);
}

static Opcode getOpcode(Instruction::BinaryOps operation) {
  switch (operation) {
  case Instruction::Add:
    return Opcode::Add32;
  case Instruction::Sub:
    return Opcode::Sub32;
  case Instruction::Mul:
    return Opcode::Mul32;
  case Instruction::UDiv:
    return Opcode::UDiv32;
  case Instruction::SDiv:
    return Opcode::SDiv32;
  case Instruction::URem:
    return Opcode::URem32;
  case Instruction::SRem:
    return Opcode::SRem32;
  case Instruction::Shl:
    return Opcode::Shl32;
  case Instruction::LShr:
    return Opcode::LShr32;
  case Instruction::AShr:
    return Opcode::AShr32;
  case Instruction::And:
    return Opcode::And32;
  case Instruction::Or:
    return Opcode::Or32;
  case Instruction::Xor:
    return Opcode::Xor32;
  case Instruction::FAdd:
    return Opcode::FAddF16;
  case Instruction::FSub:
    return Opcode::FSubF16;
  case Instruction::FMul:
    return Opcode::FMulF16;
  case Instruction::FDiv:
    return Opcode::FDivF16;
  case Instruction::FRem:
    return Opcode::FRemF16;
  case Instruction::BinaryOpsEnd:
    break;
  }
  llvm_unreachable("all binary operations are listed");
}

void decodeBinary(Decoder &decoder, BinaryOperator &operation) {
  Opcode opcode = getOpcode(operation.getOpcode());
  bool isSignedRight = opcode == Opcode::SDiv32 || opcode == Opcode::SRem32;
  bool isSignedLeft = isSignedRight || opcode == Opcode::AShr32;
  bool canOverflow = opcode == Opcode::Add32 || opcode == Opcode::Sub32 ||
                     opcode == Opcode::Mul32 || opcode == Opcode::Shl32;
  if (canOverflow)
    canOverflow = !operation.hasNoUnsignedWrap();
  mapOperands(
      decoder, operation, [&](Arithmetic &arithmetic, Register a, Register b) {
        if (isSignedLeft)
          a = extendSigned(arithmetic, operation.getOperand(0), a);
        if (isSignedRight)
          b = extendSigned(arithmetic, operation.getOperand(1), b);
        Register result =
            arithmetic.type->isFloatTy()
                ? arithmetic.applyInMode(
                      opcode, getDefaultMode(decoder, arithmetic.type), {a, b})
                : arithmetic.apply(opcode, a, b);
        return isSignedLeft || canOverflow ? arithmetic.mask(result) : result;
      });
}

void decodeNegation(Decoder &decoder, UnaryOperator &operation) {
  mapOperands(
      decoder, operation, [&](Arithmetic &arithmetic, Register a, Register) {
        return arithmetic.applyInMode(
            Opcode::FNegF16, getDefaultMode(decoder, arithmetic.type), {a});
      });
}

/// The opcode of a predicate; "greater" is "less" with swapped operands.
/// NumOpcodes: always true or always false.
static Opcode getOpcode(CmpInst::Predicate predicate) {
  switch (predicate) {
  case CmpInst::ICMP_EQ:
    return Opcode::CmpEq32;
  case CmpInst::ICMP_NE:
    return Opcode::CmpNe32;
  case CmpInst::ICMP_ULT:
  case CmpInst::ICMP_UGT:
    return Opcode::CmpULt32;
  case CmpInst::ICMP_ULE:
  case CmpInst::ICMP_UGE:
    return Opcode::CmpULe32;
  case CmpInst::ICMP_SLT:
  case CmpInst::ICMP_SGT:
    return Opcode::CmpSLt32;
  case CmpInst::ICMP_SLE:
  case CmpInst::ICMP_SGE:
    return Opcode::CmpSLe32;
  case CmpInst::FCMP_OEQ:
    return Opcode::FCmpOEqF16;
  case CmpInst::FCMP_OLT:
  case CmpInst::FCMP_OGT:
    return Opcode::FCmpOLtF16;
  case CmpInst::FCMP_OLE:
  case CmpInst::FCMP_OGE:
    return Opcode::FCmpOLeF16;
  case CmpInst::FCMP_ONE:
    return Opcode::FCmpONeF16;
  case CmpInst::FCMP_ORD:
    return Opcode::FCmpOrdF16;
  case CmpInst::FCMP_UEQ:
    return Opcode::FCmpUEqF16;
  case CmpInst::FCMP_ULT:
  case CmpInst::FCMP_UGT:
    return Opcode::FCmpULtF16;
  case CmpInst::FCMP_ULE:
  case CmpInst::FCMP_UGE:
    return Opcode::FCmpULeF16;
  case CmpInst::FCMP_UNE:
    return Opcode::FCmpUNeF16;
  case CmpInst::FCMP_UNO:
    return Opcode::FCmpUnoF16;
  default:
    return Opcode::NumOpcodes;
  }
}

static bool isGreater(CmpInst::Predicate predicate) {
  switch (predicate) {
  case CmpInst::ICMP_UGT:
  case CmpInst::ICMP_UGE:
  case CmpInst::ICMP_SGT:
  case CmpInst::ICMP_SGE:
  case CmpInst::FCMP_OGT:
  case CmpInst::FCMP_OGE:
  case CmpInst::FCMP_UGT:
  case CmpInst::FCMP_UGE:
    return true;
  default:
    return false;
  }
}

void decodeCompare(Decoder &decoder, CmpInst &compare) {
  CmpInst::Predicate predicate = compare.getPredicate();
  Opcode opcode = getOpcode(predicate);
  bool isSwapped = isGreater(predicate);
  mapOperands(decoder, compare,
              [&](Arithmetic &arithmetic, Register a, Register b) {
                if (opcode == Opcode::NumOpcodes)
                  return decoder.getConstant(predicate == CmpInst::FCMP_TRUE,
                                             /*wide=*/false);
                if (compare.isSigned()) {
                  a = extendSigned(arithmetic, compare.getOperand(0), a);
                  b = extendSigned(arithmetic, compare.getOperand(1), b);
                }
                if (isSwapped)
                  std::swap(a, b);
                return arithmetic.testInMode(
                    opcode, getDefaultMode(decoder, arithmetic.type), a, b);
              });
}

void decodeSelect(Decoder &decoder, SelectInst &select) {
  SmallVector<Register> conditions = decoder.use(select.getCondition());
  SmallVector<Register> a = decoder.use(select.getTrueValue());
  SmallVector<Register> b = decoder.use(select.getFalseValue());
  conditions.resize(a.size(), conditions.front());
  SmallVector<Register> results = decoder.define(select);
  for (auto [result, condition, left, right] : zip(results, conditions, a, b))
    decoder.emit(decoder.isWide(result) ? Opcode::Select64 : Opcode::Select32,
                 result, condition, left, right);
}

} // namespace tileir::sim
