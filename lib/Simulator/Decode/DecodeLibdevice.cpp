//===- DecodeLibdevice.cpp ------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decodes calls of CUDA's libdevice (__nv_*) that have no body, for kernels
// that libdevice has not been linked into: all that MLIR's conversions to NVVM
// make, and what stands for instructions, such as __nv_umin, __nv_fadd_rz or
// __nv_double2int_rn. The fast_ ones are computed like the others.
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

/// atanh(x) = log1p(2 |x| / (1 - |x|)) / 2 with the sign of x
static Register applyAtanh(Arithmetic &a, Register x) {
  Register magnitude = a.apply(Opcode::FAbsF16, x);
  Register twice = a.apply(Opcode::FAddF16, magnitude, magnitude);
  Register rest = a.apply(Opcode::FSubF16, a.number(1), magnitude);
  Register log =
      a.apply(Opcode::Log1pF16, a.apply(Opcode::FDivF16, twice, rest));
  return a.apply(Opcode::FCopySignF16,
                 a.apply(Opcode::FMulF16, log, a.number(0.5)), x);
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

//===----------------------------------------------------------------------===//
// Functions that are instructions
//===----------------------------------------------------------------------===//

/// The names of LLVM's intrinsics for functions of integers.
static StringRef getIntegerIntrinsic(StringRef name) {
  return StringSwitch<StringRef>(name)
      .Cases({"clz", "clzll"}, "ctlz")
      .Cases({"popc", "popcll"}, "ctpop")
      .Cases({"brev", "brevll"}, "bitreverse")
      .Cases({"min", "llmin"}, "smin")
      .Cases({"max", "llmax"}, "smax")
      .Cases({"umin", "ullmin"}, "umin")
      .Cases({"umax", "ullmax"}, "umax")
      .Cases({"abs", "llabs"}, "abs")
      .Default("");
}

/// Those of llvm.nvvm, without that prefix.
static std::string getNvvmName(Decoder &decoder, StringRef name) {
  std::string fixed = StringSwitch<std::string>(name)
                          .Cases({"mulhi", "mul64hi"}, "mulhi.i")
                          .Cases({"umulhi", "umul64hi"}, "mulhi.ui")
                          .Case("mul24", "mul24.i")
                          .Case("umul24", "mul24.ui")
                          .Case("sad", "sad.i")
                          .Case("usad", "sad.ui")
                          .Case("double2loint", "d2i.lo")
                          .Case("double2hiint", "d2i.hi")
                          .Case("saturatef", "saturate.f")
                          .Case("rcp64h", "rcp.approx.ftz.d")
                          .Case("fast_fdividef", "div.approx.f")
                          .Case("frsqrt_rn", "rsqrt.approx.f")
                          .Default("");
  if (!fixed.empty())
    return fixed;
  // <operation>_r[nzdu], of which d and u are PTX's m and p.
  auto [operation, rounding] = name.rsplit("_r");
  size_t which = StringRef("nzdu").find(rounding);
  if (rounding.size() != 1 || which == StringRef::npos)
    return "";
  std::string end = std::string(".r") + "nzmp"[which];
  bool isIeee = operation.consume_back("_ieee");
  std::string flush = decoder.flushesF32 && !isIeee ? ".ftz" : "";
  auto getIndices = [](StringRef type) {
    return StringSwitch<StringRef>(type)
        .Case("int", "i")
        .Case("uint", "ui")
        .Case("float", "f")
        .Case("double", "d")
        .Cases({"ll", "ull"}, type)
        .Default("");
  };
  auto [from, to] = operation.split('2');
  StringRef fromIndices = getIndices(from), toIndices = getIndices(to);
  if (!fromIndices.empty() && !toIndices.empty()) {
    bool hasFloat =
        fromIndices == "f" || (fromIndices + toIndices).str() == "df";
    return (fromIndices + "2" + toIndices).str() + end +
           (hasFloat ? flush : "");
  }
  if (operation == "fma" || operation == "fmaf")
    return "fma" + end + (operation == "fma" ? ".d" : flush + ".f");
  StringRef base = operation.drop_front();
  if (!is_contained({"add", "sub", "mul", "div", "rcp", "sqrt"}, base))
    return "";
  if (operation.front() == 'd')
    return base.str() + end + ".d";
  return operation.front() == 'f' ? base.str() + end + flush + ".f" : "";
}

/// Averages: the bits that both have, and half of those that one has.
static Register averageOf(Arithmetic &a, bool isSigned, bool roundsUp,
                          Register x, Register y) {
  Register odd = a.apply(Opcode::Xor32, x, y);
  Register half =
      a.apply(isSigned ? Opcode::AShr32 : Opcode::LShr32, odd, a.constant(1));
  if (roundsUp)
    return a.apply(Opcode::Sub32, a.apply(Opcode::Or32, x, y), half);
  return a.apply(Opcode::Add32, a.apply(Opcode::And32, x, y), half);
}

static bool decodeInstruction(Decoder &decoder, CallBase &call,
                              StringRef name) {
  if (StringRef intrinsic = getIntegerIntrinsic(name); !intrinsic.empty()) {
    // Counts of 64-bit integers are i32.
    Type *operand = call.getArgOperand(0)->getType();
    if (operand == call.getType())
      return decodeIntegerMath(decoder, call, intrinsic);
    Arithmetic wide(decoder, operand);
    Opcode opcode = intrinsic == "ctlz" ? Opcode::Ctlz32 : Opcode::Ctpop32;
    decodeElements(decoder, call, 1, [&](Arithmetic &a, ArrayRef<Register> x) {
      return a.emit(Opcode::Truncate, false, wide.apply(opcode, x[0]));
    });
    return true;
  }
  if (std::string nvvm = getNvvmName(decoder, name); !nvvm.empty())
    return decodeNvvmMath(decoder, call, nvvm);
  bool isCast = StringSwitch<bool>(name)
                    .Cases({"int_as_float", "uint_as_float"}, true)
                    .Cases({"float_as_int", "float_as_uint"}, true)
                    .Cases({"longlong_as_double", "double_as_longlong"}, true)
                    .Default(false);
  if (isCast) {
    decoder.rename(call, decoder.use(call.getArgOperand(0)));
    return true;
  }
  auto decode =
      [&](unsigned operands,
          function_ref<Register(Arithmetic &, ArrayRef<Register>)> body) {
        decodeElements(decoder, call, operands, body);
        return true;
      };
  if (name == "hadd" || name == "rhadd" || name == "uhadd" || name == "urhadd")
    return decode(2, [&](Arithmetic &a, ArrayRef<Register> x) {
      return averageOf(a, name[0] != 'u', name.contains('r'), x[0], x[1]);
    });
  if (name == "ffs" || name == "ffsll")
    return decode(1, [&](Arithmetic &a, ArrayRef<Register> x) {
      Arithmetic operand(decoder, call.getArgOperand(0)->getType());
      Register zeros = operand.apply(Opcode::Cttz32, x[0]);
      if (operand.wide)
        zeros = a.emit(Opcode::Truncate, false, zeros);
      return a.select(operand.isNotEqual(x[0], operand.constant(0)),
                      a.apply(Opcode::Add32, zeros, a.constant(1)),
                      a.constant(0));
    });
  if (name == "byte_perm")
    return decode(3, [&](Arithmetic &a, ArrayRef<Register> x) {
      Register selector = a.apply(Opcode::And32, x[2], a.constant(0x7777));
      return permuteBytes(a, x[0], x[1], selector);
    });
  if (name == "hiloint2double")
    return decode(2, [](Arithmetic &a, ArrayRef<Register> x) {
      return a.emit(Opcode::Pack64, true, x[1], x[0]);
    });
  if (name == "signbitf" || name == "signbitd")
    return decode(1, [&](Arithmetic &a, ArrayRef<Register> x) {
      Arithmetic number(decoder, call.getArgOperand(0)->getType());
      Register sign =
          number.apply(Opcode::FCopySignF16, number.number(0), x[0]);
      return a.emit(number.wide ? Opcode::CmpNe64 : Opcode::CmpNe32, false,
                    sign, number.constant(0));
    });
  return false;
}

/// Lengths of vectors, without overflow of squares for f32.
static Register applyNorm(Arithmetic &a, ArrayRef<Register> x) {
  Register sum = kNoRegister;
  for (Register r : x) {
    Register square = a.apply(Opcode::FMulF16, r, r);
    sum = sum == kNoRegister ? square : a.apply(Opcode::FAddF16, sum, square);
  }
  return a.apply(Opcode::FSqrtF16, sum);
}

/// hypot, norm3d, norm4d and their reciprocals, of f32.
static bool decodeNorm(Decoder &decoder, CallBase &call, StringRef name) {
  bool isInverse = name.consume_front("r");
  unsigned operands = StringSwitch<unsigned>(name)
                          .Case("hypot", 2)
                          .Case("norm3d", 3)
                          .Case("norm4d", 4)
                          .Default(0);
  if (!operands || !call.getType()->isFloatTy())
    return false;
  Arithmetic real(decoder, Type::getDoubleTy(call.getContext()));
  decodeElements(decoder, call, operands,
                 [&](Arithmetic &a, ArrayRef<Register> x) {
                   SmallVector<Register> wide;
                   for (Register r : x)
                     wide.push_back(a.toDouble(r));
                   Register length = applyNorm(real, wide);
                   return a.fromDouble(
                       isInverse ? real.apply(Opcode::RcpF16, length) : length);
                 });
  return true;
}

bool decodeLibdevice(Decoder &decoder, CallBase &call, StringRef name) {
  if (decodeInstruction(decoder, call, name))
    return true;
  name.consume_front("fast_");
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
  if (name == "llrint" || name == "llround")
    return decodeFloatMath(decoder, call, name);
  if (type != call.getType())
    return false;
  if (decodeNorm(decoder, call, name))
    return true;
  if (name == "fdim") {
    decodeElements(decoder, call, 2, [](Arithmetic &a, ArrayRef<Register> x) {
      Register difference = a.apply(Opcode::FSubF16, x[0], x[1]);
      return a.select(a.test(Opcode::FCmpOLeF16, x[0], x[1]), a.number(0),
                      difference);
    });
    return true;
  }
  if (name == "rcbrt" && type->isFloatTy()) {
    decodeInDouble(decoder, call, [](Arithmetic &a, Register x) {
      return a.apply(Opcode::RcpF16, a.apply(Opcode::CbrtF16, x));
    });
    return true;
  }
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
