//===- DecodeBits.cpp -----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Bits that change the width of their registers: bitcasts between vectors,
// memory that is accessed in other units than its elements, wide integers.
//
//===----------------------------------------------------------------------===//

#include "Decode/DecodeInstructions.h"

using namespace llvm;

namespace tileir::sim {

namespace {
/// Bits that lie side by side in registers, read from the low ones on.
class BitReader {
public:
  BitReader(Decoder &decoder, ArrayRef<Register> registers,
            ArrayRef<unsigned> bits)
      : decoder(decoder), registers(registers), bits(bits) {}

  /// The next `count` bits: a register that is there, if it holds just these.
  Register take(unsigned count) {
    if (offset == 0 && !registers.empty() && bits[0] == count) {
      Register whole = registers[0];
      advance(count);
      return whole;
    }
    Register low = takeNarrow(std::min(count, 32u));
    if (count <= 32)
      return low;
    Register high = takeNarrow(count - 32);
    Register result = decoder.makeTemporary(/*wide=*/true);
    decoder.emit(Opcode::Pack64, result, low, high);
    return result;
  }

private:
  void advance(unsigned count) {
    offset += count;
    if (offset < bits[0])
      return;
    offset = 0;
    registers = registers.drop_front();
    bits = bits.drop_front();
  }

  /// The next `count` bits, which lie in one register, as a 32-bit register.
  Register takePart(unsigned count) {
    Register from = registers[0];
    unsigned shift = offset;
    bool isWhole = count == bits[0] && !decoder.isWide(from);
    advance(count);
    if (isWhole)
      return from;
    Register part = decoder.makeTemporary(/*wide=*/false);
    Instr &instr = decoder.emit(decoder.isWide(from) ? Opcode::Extract64
                                                     : Opcode::Extract32,
                                part, from);
    instr.imm = shift;
    instr.extra = maskTrailingOnes<uint32_t>(count);
    return part;
  }

  /// The next `count` bits, 32 at most, as a 32-bit register.
  Register takeNarrow(unsigned count) {
    Register result = kNoRegister;
    for (unsigned filled = 0; filled < count && !registers.empty();) {
      unsigned part = std::min(count - filled, bits[0] - offset);
      Register low = result, high = takePart(part);
      result = high;
      if (low != kNoRegister) {
        result = decoder.makeTemporary(/*wide=*/false);
        decoder.emit(Opcode::Pack32, result, low, high).imm = filled;
      }
      filled += part;
    }
    return result == kNoRegister ? decoder.getConstant(0, /*wide=*/false)
                                 : result;
  }

  Decoder &decoder;
  ArrayRef<Register> registers; // what is left
  ArrayRef<unsigned> bits;      // of each of them
  unsigned offset = 0;          // bits taken of the first
};
} // namespace

SmallVector<Register> Decoder::regroup(ArrayRef<Register> registers,
                                       ArrayRef<unsigned> fromBits,
                                       ArrayRef<unsigned> toBits) {
  BitReader reader(*this, registers, fromBits);
  SmallVector<Register> results;
  for (unsigned bits : toBits)
    results.push_back(reader.take(bits));
  return results;
}

SmallVector<unsigned> getBits(Type *type) {
  SmallVector<unsigned> bits;
  for (Type *scalar : Decoder::flatten(type))
    bits.push_back(scalar->isPointerTy() ? 64
                                         : scalar->getPrimitiveSizeInBits());
  return bits;
}

} // namespace tileir::sim
