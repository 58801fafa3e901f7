//===- DecodeCasts.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Casts between integers, floating point and pointers.
//
//===----------------------------------------------------------------------===//

#include "Decode/DecodeCalls.h"
#include "Decode/DecodeInstructions.h"

using namespace llvm;

namespace tileir::sim {

/// Whether an address can take the operand of this extension instead.
static bool extendsIndex(const Instruction &instruction) {
  if (!isa<SExtInst, ZExtInst>(instruction) ||
      !instruction.getType()->isIntegerTy(64) ||
      !instruction.getOperand(0)->getType()->isIntegerTy(32))
    return false;
  return isa<SExtInst>(instruction) || instruction.hasNonNeg();
}

const Value *getShortIndex(const Value *index) {
  auto *extension = dyn_cast<Instruction>(index);
  return extension && extendsIndex(*extension) ? extension->getOperand(0)
                                               : index;
}

/// Whether the result is only used where getShortIndex passes it by.
static bool isOnlyIndex(const Instruction &instruction) {
  return extendsIndex(instruction) &&
         all_of(instruction.uses(), [](const Use &use) {
           return isa<GetElementPtrInst>(use.getUser()) &&
                  use.getOperandNo() > 0;
         });
}

/// An integer in another width: its low bits, or extended.
static Register resize(Arithmetic &from, Arithmetic &to, Register value,
                       bool isSigned) {
  if (to.bits == from.bits)
    return value;
  if (to.bits < from.bits) {
    if (from.wide && !to.wide)
      value = to.emit(Opcode::Truncate, false, value);
    return to.mask(value);
  }
  if (isSigned)
    value = from.extend(value);
  if (to.wide && !from.wide)
    value =
        to.emit(isSigned ? Opcode::SExtTo64 : Opcode::ZExtTo64, true, value);
  return isSigned ? to.mask(value) : value;
}

static Register fromInteger(Arithmetic &from, Arithmetic &to, Register value,
                            bool isSigned) {
  if (isSigned)
    value = from.extend(value);
  Opcode first = isSigned
                     ? (from.wide ? Opcode::CvtS64ToF16 : Opcode::CvtS32ToF16)
                     : (from.wide ? Opcode::CvtU64ToF16 : Opcode::CvtU32ToF16);
  return to.emit(to.getConversion(first), to.wide, value);
}

/// Returns the cast between floating-point types; NumOpcodes: there is none.
static Opcode getFloatCast(const Type *from, const Type *to) {
  if (from->isHalfTy())
    return to->isFloatTy() ? Opcode::CvtF16ToF32 : Opcode::CvtF16ToF64;
  if (from->isBFloatTy())
    return to->isFloatTy() ? Opcode::CvtBF16ToF32 : Opcode::CvtBF16ToF64;
  if (from->isFloatTy())
    return to->isHalfTy()     ? Opcode::CvtF32ToF16
           : to->isBFloatTy() ? Opcode::CvtF32ToBF16
                              : Opcode::CvtF32ToF64;
  return to->isHalfTy()     ? Opcode::CvtF64ToF16
         : to->isBFloatTy() ? Opcode::CvtF64ToBF16
                            : Opcode::CvtF64ToF32;
}

static Register castScalar(Instruction::CastOps operation, Arithmetic &from,
                           Arithmetic &to, Register value) {
  switch (operation) {
  case Instruction::SExt:
    return resize(from, to, value, /*isSigned=*/true);
  case Instruction::Trunc:
  case Instruction::ZExt:
  case Instruction::PtrToInt:
  case Instruction::PtrToAddr:
  case Instruction::IntToPtr:
    return resize(from, to, value, /*isSigned=*/false);
  case Instruction::FPTrunc:
  case Instruction::FPExt:
    if (getDefaultMode(from.decoder, from.type))
      value = from.apply(Opcode::FFlushF16, value);
    value = to.emit(getFloatCast(from.type, to.type), to.wide, value);
    return getDefaultMode(to.decoder, to.type)
               ? to.apply(Opcode::FFlushF16, value)
               : value;
  case Instruction::FPToUI:
  case Instruction::FPToSI:
    return from.toInteger(to.type, value, operation == Instruction::FPToSI);
  case Instruction::UIToFP:
  case Instruction::SIToFP:
    return fromInteger(from, to, value, operation == Instruction::SIToFP);
  default: // between address spaces
    return value;
  }
}

void decodeCast(Decoder &decoder, CastInst &cast) {
  Value *operand = cast.getOperand(0);
  if (isOnlyIndex(cast))
    return;
  if (isa<AddrSpaceCastInst>(cast) && !cast.getType()->isVectorTy())
    return decoder.setAddress(cast, decoder.getAddress(operand));
  SmallVector<Register> registers = decoder.use(operand);
  if (isa<BitCastInst>(cast))
    return decoder.rename(cast, decoder.regroup(registers,
                                                getBits(operand->getType()),
                                                getBits(cast.getType())));
  Arithmetic from(decoder, operand->getType()->getScalarType());
  Arithmetic to(decoder, cast.getType()->getScalarType());
  for (Register &scalar : registers)
    scalar = castScalar(cast.getOpcode(), from, to, scalar);
  decoder.rename(cast, registers);
}

} // namespace tileir::sim
