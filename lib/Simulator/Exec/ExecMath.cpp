//===- ExecMath.cpp -------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handlers of the functions that GPUs approximate or that libdevice has: calls
// of the C library, lane by lane. Those of the narrow types are computed in
// float, and rounded.
//
//===----------------------------------------------------------------------===//

#include "Exec/ExecFloat.h"

namespace tileir::sim {
namespace TILEIR_SIM_ISA {
namespace {

// The functions of the C library, for both types.
#define SIM_UNARY(NAME)                                                        \
  SIM_INLINE float NAME(float x) { return __builtin_##NAME##f(x); }            \
  SIM_INLINE double NAME(double x) { return __builtin_##NAME(x); }
#define SIM_BINARY(NAME)                                                       \
  SIM_INLINE float NAME(float x, float y) {                                    \
    return __builtin_##NAME##f(x, y);                                          \
  }                                                                            \
  SIM_INLINE double NAME(double x, double y) { return __builtin_##NAME(x, y); }
SIM_UNARY(exp)
SIM_UNARY(exp2)
SIM_UNARY(expm1)
SIM_UNARY(log)
SIM_UNARY(log2)
SIM_UNARY(log10)
SIM_UNARY(log1p)
SIM_UNARY(sin)
SIM_UNARY(cos)
SIM_UNARY(tan)
SIM_UNARY(asin)
SIM_UNARY(acos)
SIM_UNARY(atan)
SIM_UNARY(sinh)
SIM_UNARY(cosh)
SIM_UNARY(tanh)
SIM_UNARY(erf)
SIM_UNARY(erfc)
SIM_BINARY(atan2)
SIM_BINARY(pow)
#undef SIM_UNARY
#undef SIM_BINARY
// Those of the C library may be off by more than what CUDA states.
SIM_INLINE float cbrt(float x) { return __builtin_cbrt(x); }
SIM_INLINE double cbrt(double x) { return __builtin_cbrtl(x); }
SIM_INLINE float rsqrt(float x) { return 1 / __builtin_sqrt(x); }
SIM_INLINE double rsqrt(double x) { return 1 / __builtin_sqrtl(x); }

// Name of the opcode, result for the lane's operands x and y.
// clang-format off
#define SIM_MATH_LIST(X)                                                       \
  X(Exp, exp(x))                                                               \
  X(Exp2, exp2(x))                                                             \
  X(Exp10, pow(Lane(10), x))                                                   \
  X(Expm1, expm1(x))                                                           \
  X(Log, log(x))                                                               \
  X(Log2, log2(x))                                                             \
  X(Log10, log10(x))                                                           \
  X(Log1p, log1p(x))                                                           \
  X(Sin, sin(x))                                                               \
  X(Cos, cos(x))                                                               \
  X(Tan, tan(x))                                                               \
  X(Asin, asin(x))                                                             \
  X(Acos, acos(x))                                                             \
  X(Atan, atan(x))                                                             \
  X(Sinh, sinh(x))                                                             \
  X(Cosh, cosh(x))                                                             \
  X(Tanh, tanh(x))                                                             \
  X(Rcp, 1 / x)                                                                \
  X(Rsqrt, rsqrt(x))                                                           \
  X(Cbrt, cbrt(x))                                                             \
  X(Erf, erf(x))                                                               \
  X(Erfc, erfc(x))                                                             \
  X(Atan2, atan2(x, y))                                                        \
  X(Pow, pow(x, y))
// clang-format on

/// dst = f(a, b) in the active lanes; b is read if there is one.
template <typename T, typename Function>
SIM_INLINE const Instr *apply(Warp &warp, const Instr *instr, Function f) {
  typedef typename T::Bits Bits;
  union {
    typename T::Float vector;
    typename T::Lane lane[kLanes];
  } a, b;
  a.vector = b.vector = T::load(reg<Bits>(warp, instr->a));
  if (instr->b != kNoRegister)
    b.vector = T::load(reg<Bits>(warp, instr->b));
  forLanes(warp.active,
           [&](unsigned i) { a.lane[i] = f(a.lane[i], b.lane[i]); });
  put(warp, instr->dst, T::store(a.vector));
  return instr + 1;
}

#define SIM_DEFINE(NAME, RESULT)                                               \
  template <typename T> const Instr *NAME(Warp &warp, const Instr *instr) {    \
    typedef typename T::Lane Lane;                                             \
    return apply<T>(warp, instr, [](Lane x, Lane y) { return RESULT; });       \
  }
SIM_MATH_LIST(SIM_DEFINE)
#undef SIM_DEFINE

} // namespace

void addMathHandlers(Handler *table) {
#define SIM_ADD(NAME, RESULT)                                                  \
  table[unsigned(Opcode::NAME##F16)] = NAME<TypeF16>;                          \
  table[unsigned(Opcode::NAME##BF16)] = NAME<TypeBF16>;                        \
  table[unsigned(Opcode::NAME##F32)] = NAME<TypeF32>;                          \
  table[unsigned(Opcode::NAME##F64)] = NAME<TypeF64>;
  SIM_MATH_LIST(SIM_ADD)
#undef SIM_ADD
}

} // namespace TILEIR_SIM_ISA
} // namespace tileir::sim
