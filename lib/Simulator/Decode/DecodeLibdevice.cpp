//===- DecodeLibdevice.cpp ------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decodes calls of CUDA's libdevice (__nv_*) on f32 and f64: all that MLIR's
// conversions to NVVM make. The fast_ ones are computed like the others.
//
//===----------------------------------------------------------------------===//

#include "Decode/DecodeCalls.h"

#include "llvm/ADT/StringSwitch.h"

#include <limits>
#include <optional>

using namespace llvm;

namespace tileir::sim {

/// From here on, asinh(x) and acosh(x) are log(2 x).
constexpr double kLarge = 0x1p28;
constexpr double kLog2 = 0.693147180559945309417;

static Register applyLogOfTwice(Arithmetic &a, Register x) {
  return a.apply(Opcode::FAddF16, a.apply(Opcode::LogF16, x), a.number(kLog2));
}

/// asinh(x) = log1p(|x| + x^2 / (1 + sqrt(x^2 + 1))) with the sign of x
static Register applyAsinh(Arithmetic &a, Register x) {
  Register magnitude = a.apply(Opcode::FAbsF16, x), one = a.number(1);
  Register square = a.apply(Opcode::FMulF16, x, x);
  Register root =
      a.apply(Opcode::FSqrtF16, a.apply(Opcode::FAddF16, square, one));
  Register part =
      a.apply(Opcode::FDivF16, square, a.apply(Opcode::FAddF16, root, one));
  Register sum = a.apply(Opcode::FAddF16, magnitude, part);
  Register isSmall = a.test(Opcode::FCmpOLtF16, magnitude, a.number(kLarge));
  Register result = a.select(isSmall, a.apply(Opcode::Log1pF16, sum),
                             applyLogOfTwice(a, magnitude));
  return a.apply(Opcode::FCopySignF16, result, x);
}

/// acosh(x) = log1p(t + sqrt(2 t + t^2)), t = x - 1
static Register applyAcosh(Arithmetic &a, Register x) {
  Register t = a.apply(Opcode::FSubF16, x, a.number(1));
  Register inside =
      a.apply(Opcode::FMulF16, t, a.apply(Opcode::FAddF16, t, a.number(2)));
  Register root = a.apply(Opcode::FSqrtF16, inside);
  Register sum = a.apply(Opcode::FAddF16, t, root);
  Register isSmall = a.test(Opcode::FCmpOLtF16, x, a.number(kLarge));
  return a.select(isSmall, a.apply(Opcode::Log1pF16, sum),
                  applyLogOfTwice(a, x));
}

/// atanh(x) = log1p(2 x / (1 - x)) / 2
static Register applyAtanh(Arithmetic &a, Register x) {
  Register twice = a.apply(Opcode::FAddF16, x, x);
  Register rest = a.apply(Opcode::FSubF16, a.number(1), x);
  Register log =
      a.apply(Opcode::Log1pF16, a.apply(Opcode::FDivF16, twice, rest));
  return a.apply(Opcode::FMulF16, log, a.number(0.5));
}

/// Decodes in f64, where squares of floats lose no digits.
static void decodeInDouble(Decoder &decoder, CallBase &call,
                           Register (*function)(Arithmetic &, Register)) {
  Arithmetic real(decoder, Type::getDoubleTy(call.getContext()));
  decodeElements(decoder, call, 1, [&](Arithmetic &a, ArrayRef<Register> x) {
    return a.fromDouble(function(real, a.toDouble(x[0])));
  });
}

/// isnan, isinf, isfinite: of the type of the operand, an i32.
static bool decodeTest(Decoder &decoder, CallBase &call, StringRef name) {
  auto compare = StringSwitch<std::optional<Opcode>>(name)
                     .Cases({"isnanf", "isnand"}, Opcode::FCmpUnoF16)
                     .Cases({"isinff", "isinfd"}, Opcode::FCmpOEqF16)
                     .Cases({"finitef", "isfinited"}, Opcode::FCmpOLtF16)
                     .Default(std::nullopt);
  if (!compare)
    return false;
  Arithmetic a(decoder, call.getArgOperand(0)->getType());
  decodeElements(decoder, call, 1, [&](Arithmetic &, ArrayRef<Register> x) {
    if (*compare == Opcode::FCmpUnoF16)
      return a.test(*compare, x[0], x[0]);
    return a.test(*compare, a.apply(Opcode::FAbsF16, x[0]),
                  a.number(std::numeric_limits<double>::infinity()));
  });
  return true;
}

/// sincos(x, pointer to the sine, pointer to the cosine)
static void decodeSincos(Decoder &decoder, CallBase &call) {
  Arithmetic a(decoder, call.getArgOperand(0)->getType());
  Register angle = decoder.useScalar(call.getArgOperand(0));
  Access access;
  access.opcode = Opcode::Store;
  access.elementBytes = access.bytes = a.bits / 8;
  const Opcode functions[] = {Opcode::SinF16, Opcode::CosF16};
  for (unsigned i = 0; i < 2; ++i) {
    Register value = a.apply(functions[i], angle);
    decoder.emitAccess(access, call.getArgOperand(i + 1), {}, {value});
  }
}

bool decodeLibdevice(Decoder &decoder, CallBase &call, StringRef name) {
  name.consume_front("fast_");
  if (name == "abs" || name == "llabs")
    return decodeIntegerMath(decoder, call, "abs");
  if (decodeTest(decoder, call, name))
    return true;
  if (call.arg_empty())
    return false;
  Type *type = call.getArgOperand(0)->getType();
  if (!type->isFloatTy() && !type->isDoubleTy())
    return false;
  if (type->isFloatTy() && !name.consume_back("f"))
    return false;
  if (name == "sincos" && call.arg_size() == 3) {
    decodeSincos(decoder, call);
    return true;
  }
  if (type != call.getType())
    return false;
  auto hyperbolic = StringSwitch<Register (*)(Arithmetic &, Register)>(name)
                        .Case("asinh", applyAsinh)
                        .Case("acosh", applyAcosh)
                        .Case("atanh", applyAtanh)
                        .Default(nullptr);
  if (hyperbolic) {
    decodeInDouble(decoder, call, hyperbolic);
    return true;
  }
  return decodeFloatMath(decoder, call, name);
}

} // namespace tileir::sim
