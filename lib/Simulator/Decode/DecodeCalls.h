//===- DecodeCalls.h --------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of decodeCall (Decoder.h), and what they share to spell out
// arithmetic that has no opcode of its own.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_DECODE_DECODECALLS_H
#define TILEIR_LIB_SIMULATOR_DECODE_DECODECALLS_H

#include "Decode/Decoder.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <optional>

namespace tileir::sim {

/// Each decodes the call of a function that it knows, by `name`: that of an
/// intrinsic without its overloaded types. False: it does not know it.

/// llvm.nvvm.mma.* (DecodeMma.cpp).
llvm::Expected<bool> decodeMma(Decoder &decoder, llvm::CallBase &call,
                               llvm::StringRef name);
/// What "mma.<shape>.<layouts>.<types>" is, if it is known.
std::optional<Mma> parseMma(llvm::StringRef name);
void emitMma(Decoder &decoder, const Mma &mma, llvm::ArrayRef<Register> defs,
             llvm::ArrayRef<Register> uses);
/// llvm.nvvm.wmma.* (DecodeWmma.cpp).
llvm::Expected<bool> decodeWmma(Decoder &decoder, llvm::CallBase &call,
                                llvm::StringRef name);
/// Accesses and fences of llvm.nvvm.* (DecodeMemoryCalls.cpp).
bool decodeMemoryCall(Decoder &decoder, llvm::CallBase &call,
                      llvm::StringRef name);
/// Textures and surfaces (DecodeTexture.cpp).
bool decodeTexture(Decoder &decoder, llvm::CallBase &call,
                   llvm::StringRef name);
/// mbarrier.*, of LLVM or of PTX (DecodeMBarrier.cpp).
bool decodeMBarrier(Decoder &decoder, llvm::CallBase &call,
                    llvm::StringRef name);
/// Bulk copies and fences of proxies, likewise (DecodeBulk.cpp).
bool decodeBulk(Decoder &decoder, llvm::CallBase &call, llvm::StringRef name);
/// Arithmetic of llvm.* on floats (DecodeMath.cpp), on integers, and
/// rearrangements of vectors (DecodeIntegerMath.cpp).
bool decodeFloatMath(Decoder &decoder, llvm::CallBase &call,
                     llvm::StringRef name);
bool decodeIntegerMath(Decoder &decoder, llvm::CallBase &call,
                       llvm::StringRef name);
/// Arithmetic and conversions of llvm.nvvm.* (DecodeNvvmMath.cpp).
bool decodeNvvmMath(Decoder &decoder, llvm::CallBase &call,
                    llvm::StringRef name);
/// Decodes those of them that work on integers and bits
/// (DecodeNvvmInteger.cpp).
bool decodeNvvmInteger(Decoder &decoder, llvm::CallBase &call,
                       llvm::StringRef name);
/// vprintf (DecodePrint.cpp).
llvm::Expected<bool> decodePrint(Decoder &decoder, llvm::CallBase &call);
/// __nv_* (DecodeLibdevice.cpp).
bool decodeLibdevice(Decoder &decoder, llvm::CallBase &call,
                     llvm::StringRef name);

/// Emits arithmetic on one scalar type into new registers. Integers narrower
/// than their register are zero-extended in operands and results.
class Arithmetic {
public:
  Arithmetic(Decoder &decoder, llvm::Type *type);

  /// An operation whose variants stand in Opcodes.def as F16, BF16, F32, F64 or
  /// as 32, 64: `first` is the first of them, that of this type is emitted.
  Register apply(Opcode first, Register a, Register b = kNoRegister,
                 Register c = kNoRegister, int64_t imm = 0) {
    return emit(getVariant(first), wide, a, b, c, imm);
  }
  /// The same with a 32-bit result: comparisons.
  Register test(Opcode first, Register a, Register b) {
    return emit(getVariant(first), false, a, b);
  }
  Register emit(Opcode opcode, bool wideResult, Register a,
                Register b = kNoRegister, Register c = kNoRegister,
                int64_t imm = 0);
  /// condition ? a : b
  Register select(Register condition, Register a, Register b) {
    return emit(wide ? Opcode::Select64 : Opcode::Select32, wide, condition, a,
                b);
  }
  /// An operation on this floating-point type in a mode (Program.h). What has
  /// no opcode for that is rounded to nearest, and the rest of the mode is done
  /// around it, as parts of it.
  Register applyInMode(Opcode first, int64_t mode, llvm::ArrayRef<Register> x);
  /// The same for comparisons.
  Register testInMode(Opcode first, int64_t mode, Register a, Register b);
  /// Clamps to [0, 1]; NaN becomes 0.
  Register saturate(Register a);
  /// The bits of this type, unsigned or two's complement.
  Register constant(uint64_t value);
  /// A floating-point constant of this type.
  Register number(double value);
  /// A narrow integer sign-extended to its register, and back.
  Register extend(Register a);
  Register mask(Register a);
  /// A float of this type to an integer type, toward zero and saturating. Where
  /// one of both has 64 bits, PTX's cvt makes the highest bit of NaN; else, and
  /// if `nanIsZero`, as in fptosi.sat, it becomes 0.
  Register toInteger(llvm::Type *integer, Register a, bool isSigned,
                     bool nanIsZero = false);
  /// A float of this type to f64, and back.
  Register toDouble(Register a);
  Register fromDouble(Register a);
  /// A comparison of integers in registers of this width.
  Register isNotEqual(Register a, Register b) {
    return emit(wide ? Opcode::CmpNe64 : Opcode::CmpNe32, false, a, b);
  }

  /// The variant of `first` for this type.
  Opcode getVariant(Opcode first) const;
  /// A conversion between integers and f16 (CvtS32ToF16, CvtF16ToU64, ...):
  /// that of this floating-point type.
  Opcode getConversion(Opcode ofHalf) const;

  Decoder &decoder;
  llvm::Type *type;
  const unsigned bits; ///< of the type
  const bool wide;     ///< 64-bit registers
  /// Whether an integer fills its register.
  bool isFull() const { return bits == 32 || bits == 64; }
};

/// Defines the call by `body` for each scalar of its result: `body` gets the
/// scalars of the first `count` arguments at that place. An argument that is
/// one scalar serves all places.
void decodeElements(
    Decoder &decoder, llvm::CallBase &call, unsigned count,
    llvm::function_ref<Register(Arithmetic &, llvm::ArrayRef<Register>)> body);

/// prmt: each nibble of the selector picks one of the eight bytes of y:x; its
/// top bit asks for copies of the byte's sign (DecodeNvvmInteger.cpp).
Register permuteBytes(Arithmetic &a, Register x, Register y, Register selector);

/// A floating-point function of one to three operands that has an opcode.
struct FloatFunction {
  Opcode first = Opcode::NumOpcodes; ///< NumOpcodes: not known
  unsigned operands = 1;
};
/// By the name that <math.h>, LLVM (llvm.*) and libdevice (__nv_*) share, "exp"
/// or "fma".
FloatFunction getFloatFunction(llvm::StringRef name);
void decodeFloatFunction(Decoder &decoder, llvm::CallBase &call,
                         FloatFunction function, int64_t mode);
/// The mode of operations on numbers of this type that name none: kFlush for
/// f32 if the kernel's attributes say so.
int64_t getDefaultMode(const Decoder &decoder, const llvm::Type *type);

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_DECODE_DECODECALLS_H
