//===- DecodeNvvmInteger.cpp ----------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decodes integer arithmetic of llvm.nvvm.* and what works on bits, as the PTX
// ISA defines the instructions: mul.hi, mul24, sad, prmt, bfind, dp4a, shf, ...
//
//===----------------------------------------------------------------------===//

#include "Decode/DecodeCalls.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"

using namespace llvm;

namespace tileir::sim {

/// mulhi.{s,us,i,ui,ll,ull}
static Register multiplyHigh(Arithmetic &a, bool isSigned, Register x,
                             Register y) {
  if (a.isFull())
    return a.apply(isSigned ? Opcode::MulHiS32 : Opcode::MulHiU32, x, y);
  if (isSigned) {
    x = a.extend(x);
    y = a.extend(y);
  }
  Register product = a.apply(Opcode::Mul32, x, y);
  return a.mask(a.apply(Opcode::LShr32, product, a.constant(a.bits)));
}

/// mul24: the low bits of the product of 24-bit numbers.
static Register multiply24(Arithmetic &a, bool isSigned, Register x,
                           Register y) {
  auto cut = [&](Register r) {
    return a.emit(isSigned ? Opcode::SignExtend32 : Opcode::Mask32, false, r,
                  kNoRegister, kNoRegister, 24);
  };
  return a.apply(Opcode::Mul32, cut(x), cut(y));
}

/// sad: |x - y| + z
static Register sumDifference(Arithmetic &a, bool isSigned,
                              ArrayRef<Register> xyz) {
  Register x = isSigned ? a.extend(xyz[0]) : xyz[0];
  Register y = isSigned ? a.extend(xyz[1]) : xyz[1];
  Register larger = a.apply(isSigned ? Opcode::SMax32 : Opcode::UMax32, x, y);
  Register smaller = a.apply(isSigned ? Opcode::SMin32 : Opcode::UMin32, x, y);
  Register difference = a.apply(Opcode::Sub32, larger, smaller);
  return a.mask(a.apply(Opcode::Add32, difference, xyz[2]));
}

Register permuteBytes(Arithmetic &a, Register x, Register y,
                      Register selector) {
  Arithmetic pair(a.decoder, Type::getInt64Ty(a.type->getContext()));
  Register bytes = pair.emit(Opcode::Pack64, true, x, y);
  Register result = a.constant(0);
  for (unsigned i = 0; i < 4; ++i) {
    auto getBits = [&](unsigned first, uint32_t mask) {
      Register shifted = a.apply(Opcode::LShr32, selector, a.constant(first));
      return a.apply(Opcode::And32, shifted, a.constant(mask));
    };
    Register shift = a.apply(Opcode::Shl32, getBits(4 * i, 7), a.constant(3));
    Register moved = pair.apply(Opcode::LShr32, bytes,
                                pair.emit(Opcode::ZExtTo64, true, shift));
    Register byte =
        a.apply(Opcode::And32, a.emit(Opcode::Truncate, false, moved),
                a.constant(0xff));
    Register sign = a.apply(Opcode::LShr32, byte, a.constant(7));
    Register copies = a.apply(Opcode::Mul32, sign, a.constant(0xff));
    byte = a.select(getBits(4 * i + 3, 1), copies, byte);
    Register placed = a.apply(Opcode::Shl32, byte, a.constant(8 * i));
    result = a.apply(Opcode::Or32, result, placed);
  }
  return result;
}

/// idp4a, idp2a: the dot product of the four bytes of y with those of x, or of
/// two of them with the halves of x; plus z.
static Register dotProduct(Arithmetic &a, unsigned elements, bool xSigned,
                           bool ySigned, bool upperBytes, Register x,
                           Register y, Register z) {
  auto getPart = [&](Register r, unsigned first, unsigned bits, bool isSigned) {
    Register part = a.apply(Opcode::LShr32, r, a.constant(first));
    return a.emit(isSigned ? Opcode::SignExtend32 : Opcode::Mask32, false, part,
                  kNoRegister, kNoRegister, bits);
  };
  unsigned xBits = 32 / elements;
  for (unsigned i = 0; i < elements; ++i) {
    Register product =
        a.apply(Opcode::Mul32, getPart(x, i * xBits, xBits, xSigned),
                getPart(y, (upperBytes ? 16 : 0) + 8 * i, 8, ySigned));
    z = a.apply(Opcode::Add32, z, product);
  }
  return z;
}

/// flo (PTX bfind): the place of the highest bit that differs from the sign,
/// or how far it is from the top; all ones if there is none.
static Register findHighest(Arithmetic &a, Type *type, bool isSigned,
                            bool asShift, Register x) {
  Arithmetic operand(a.decoder, type);
  if (isSigned) {
    Register sign =
        operand.apply(Opcode::AShr32, x, operand.constant(operand.bits - 1));
    x = operand.apply(Opcode::Xor32, x, sign);
  }
  Register zeros = operand.apply(Opcode::Ctlz32, x);
  if (operand.wide)
    zeros = a.emit(Opcode::Truncate, false, zeros);
  Register place =
      asShift ? zeros
              : a.apply(Opcode::Sub32, a.constant(operand.bits - 1), zeros);
  return a.select(operand.isNotEqual(x, operand.constant(0)), place,
                  a.constant(~uint64_t(0)));
}

/// fsh{l,r}.clamp (PTX shf): the amount is at most the width.
static Register shiftClamped(Arithmetic &a, bool isLeft, ArrayRef<Register> x) {
  Register shifted =
      a.apply(isLeft ? Opcode::FshL32 : Opcode::FshR32, x[0], x[1], x[2]);
  Register fits = a.test(Opcode::CmpULt32, x[2], a.constant(a.bits));
  return a.select(fits, shifted, isLeft ? x[1] : x[0]);
}

bool decodeNvvmInteger(Decoder &decoder, CallBase &call, StringRef name) {
  auto decode =
      [&](unsigned operands,
          function_ref<Register(Arithmetic &, ArrayRef<Register>)> body) {
        decodeElements(decoder, call, operands, body);
        return true;
      };
  auto getFlag = [&](unsigned argument) {
    return !cast<ConstantInt>(call.getArgOperand(argument))->isZero();
  };
  auto [operation, rest] = name.split('.');
  bool isSigned = !rest.starts_with("u"), isLeft = operation == "fshl";
  if (operation == "mulhi")
    return decode(2, [&](Arithmetic &a, ArrayRef<Register> x) {
      return multiplyHigh(a, isSigned, x[0], x[1]);
    });
  if (operation == "mul24")
    return decode(2, [&](Arithmetic &a, ArrayRef<Register> x) {
      return multiply24(a, isSigned, x[0], x[1]);
    });
  if (operation == "sad")
    return decode(3, [&](Arithmetic &a, ArrayRef<Register> x) {
      return sumDifference(a, isSigned, x);
    });
  if (name == "prmt")
    return decode(3, [&](Arithmetic &a, ArrayRef<Register> x) {
      return permuteBytes(a, x[0], x[1], x[2]);
    });
  if (name == "fns")
    return decode(3, [&](Arithmetic &a, ArrayRef<Register> x) {
      return a.emit(Opcode::FindNthSet, false, x[0], x[1], x[2]);
    });
  if (operation == "idp4a" || operation == "idp2a") {
    bool isPair = operation == "idp2a";
    bool ySigned = !rest.ends_with("u"), upper = isPair && getFlag(2);
    return decode(isPair ? 4 : 3, [&](Arithmetic &a, ArrayRef<Register> x) {
      return dotProduct(a, isPair ? 2 : 4, isSigned, ySigned, upper, x[0], x[1],
                        x.back());
    });
  }
  if (operation == "flo")
    return decode(1, [&](Arithmetic &a, ArrayRef<Register> x) {
      return findHighest(a, call.getArgOperand(0)->getType(), isSigned,
                         getFlag(1), x[0]);
    });
  if (name == "fshl.clamp" || name == "fshr.clamp")
    return decode(3, [&](Arithmetic &a, ArrayRef<Register> x) {
      return shiftClamped(a, isLeft, x);
    });
  if (operation == "move") {
    decoder.rename(call, decoder.use(call.getArgOperand(0)));
    return true;
  }
  if (name == "lohi.i2d")
    return decode(2, [](Arithmetic &a, ArrayRef<Register> x) {
      return a.emit(Opcode::Pack64, true, x[0], x[1]);
    });
  if (name == "d2i.lo" || name == "d2i.hi")
    return decode(1, [&](Arithmetic &a, ArrayRef<Register> x) {
      Register r = x[0];
      if (name == "d2i.hi")
        r = a.emit(Opcode::LShr64, true, r, decoder.getConstant(32, true));
      return a.emit(Opcode::Truncate, false, r);
    });
  return false;
}

} // namespace tileir::sim
