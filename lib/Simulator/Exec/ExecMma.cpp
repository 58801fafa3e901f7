//===- ExecMma.cpp --------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The handler of mma. Products are exact, their sum and the accumulator are
// added in double in the order of k, and rounded once to the result, to nearest
// even. Hardware aligns all terms to the largest, cuts them to 23 to 25 bits,
// and rounds f32 toward zero, each chip a bit differently: results that
// depend on rounding differ from it in the last bits. Integers are exact.
//
// Volta's m8n8k4 works on lanes as they are: C and D need no other order, and
// what a lane needs of A and B is in its own group of four, or in the other
// group of its quad pair. The other shapes go through matrices in memory, by
// tables that MmaLayout.h gives at compile time.
//
//===----------------------------------------------------------------------===//

#include "Exec/ExecFloat.h"
#include "Exec/MmaLayout.h"
#include "Exec/MmaModel.h"
#include "Memory/Memory.h"

// Products of narrow types are exact in double, so that a fused multiply-add
// gives what two operations give, at half the price.
#ifdef __clang__
#pragma clang fp contract(fast)
#endif

namespace tileir::sim {
namespace TILEIR_SIM_ISA {
namespace {

/// The registers of an mma.
struct Operands {
  Warp &warp;
  const uint32_t *d, *a, *b, *c;
};

//===----------------------------------------------------------------------===//
// m8n8k4 of f16
//===----------------------------------------------------------------------===//

typedef uint32_t U32x4 __attribute__((vector_size(16), may_alias));
typedef float F32x4 __attribute__((vector_size(16), may_alias));
typedef double F64x4 __attribute__((vector_size(32), aligned(16), may_alias));

/// Four registers of doubles.
struct QuadFragment {
  alignas(128) double values[4][kLanes];

  F64x4 get(unsigned k, unsigned lane) const {
    return *reinterpret_cast<const F64x4 *>(&values[k][lane]);
  }
};

/// Swaps the four registers with the four lanes of each group.
void transposeGroups(U32 (&registers)[4]) {
  for (unsigned lane = 0; lane < kLanes; lane += 4) {
    U32x4 *r[4];
    for (unsigned i = 0; i < 4; ++i)
      r[i] = reinterpret_cast<U32x4 *>(
          reinterpret_cast<uint32_t *>(&registers[i]) + lane);
    U32x4 low01 = __builtin_shufflevector(*r[0], *r[1], 0, 4, 1, 5);
    U32x4 low23 = __builtin_shufflevector(*r[2], *r[3], 0, 4, 1, 5);
    U32x4 high01 = __builtin_shufflevector(*r[0], *r[1], 2, 6, 3, 7);
    U32x4 high23 = __builtin_shufflevector(*r[2], *r[3], 2, 6, 3, 7);
    *r[0] = __builtin_shufflevector(low01, low23, 0, 1, 4, 5);
    *r[1] = __builtin_shufflevector(low01, low23, 2, 3, 6, 7);
    *r[2] = __builtin_shufflevector(high01, high23, 0, 1, 4, 5);
    *r[3] = __builtin_shufflevector(high01, high23, 2, 3, 6, 7);
  }
}

/// In the order of getQuadA: register k of a lane is element k of its row of A,
/// or of its column of B.
SIM_INLINE void loadQuad(Warp &warp, const uint32_t *slots, bool isTransposed,
                         QuadFragment &fragment) {
  U32 registers[4];
  for (unsigned k = 0; k < 4; ++k)
    registers[k] = reg<U32>(warp, slots[k]);
  if (isTransposed)
    transposeGroups(registers);
  for (unsigned k = 0; k < 4; ++k)
    *reinterpret_cast<F64 *>(fragment.values[k]) =
        toDouble(halfToFloat(registers[k]));
}

/// D in the order of getQuadC32, for four lanes: rows of A of these lanes,
/// times columns of both groups of the quad pair.
SIM_INLINE void multiplyQuad32(const QuadFragment &a, const QuadFragment &b,
                               unsigned lane, F64x4 (&sums)[8]) {
  const unsigned group = lane & 12;
  for (unsigned k = 0; k < 4; ++k) {
    F64x4 rows = a.get(k, lane);
    F64x4 pairs[2] = {__builtin_shufflevector(rows, rows, 0, 1, 0, 1),
                      __builtin_shufflevector(rows, rows, 2, 3, 2, 3)};
#pragma GCC unroll 2
    for (unsigned half = 0; half < 2; ++half) {
      F64x4 columns = b.get(k, group + 16 * half);
      F64x4 even = __builtin_shufflevector(columns, columns, 0, 0, 2, 2);
      F64x4 odd = __builtin_shufflevector(columns, columns, 1, 1, 3, 3);
      sums[4 * half + 0] += pairs[0] * even;
      sums[4 * half + 1] += pairs[0] * odd;
      sums[4 * half + 2] += pairs[1] * even;
      sums[4 * half + 3] += pairs[1] * odd;
    }
  }
}

/// D in the order of getQuadC16.
SIM_INLINE void multiplyQuad16(const QuadFragment &a, const QuadFragment &b,
                               unsigned lane, F64x4 (&sums)[8]) {
  const unsigned group = lane & 12;
  for (unsigned k = 0; k < 4; ++k) {
    F64x4 rows = a.get(k, lane);
#pragma GCC unroll 8
    for (unsigned n = 0; n < 8; ++n)
      sums[n] += rows * b.values[k][group + (n & 3) + (n >> 2) * 16];
  }
}

/// C and D of f32: lane by lane as they are.
void multiplyQuadF32(const Operands &operands, const QuadFragment &a,
                     const QuadFragment &b) {
  for (unsigned lane = 0; lane < kLanes; lane += 4) {
    auto at = [&](uint32_t slot) {
      return reinterpret_cast<F32x4 *>(lanes32(operands.warp, slot) + lane);
    };
    F64x4 sums[8];
    for (unsigned i = 0; i < 8; ++i)
      sums[i] = __builtin_convertvector(*at(operands.c[i]), F64x4);
    multiplyQuad32(a, b, lane, sums);
    // D may lie where C lay.
    for (unsigned i = 0; i < 8; ++i)
      *at(operands.d[i]) = __builtin_convertvector(sums[i], F32x4);
  }
}

/// C of f16, D of f16 or f32, through memory.
template <bool isD32>
void multiplyQuadC16(const Operands &operands, const QuadFragment &a,
                     const QuadFragment &b) {
  alignas(128) double c[8][kLanes], d[8][kLanes];
  for (unsigned i = 0; i < 8; ++i)
    *reinterpret_cast<F64 *>(c[i]) =
        toDouble(halfToFloat(reg<U32>(operands.warp, operands.c[i])));
  for (unsigned lane = 0; lane < kLanes; lane += 4) {
    F64x4 sums[8];
    for (unsigned i = 0; i < 8; ++i) {
      sums[i] = *reinterpret_cast<F64x4 *>(&c[i][lane]);
      if (!isD32)
        continue;
      for (unsigned j = 0; j < 4; ++j) {
        // C lies in another order.
        Position p = getQuadC32(lane + j, i);
        unsigned from = (lane & 12) + (p.row & 3) + (p.row >> 2) * 16;
        sums[i][j] = c[p.column][from];
      }
    }
    if (isD32)
      multiplyQuad32(a, b, lane, sums);
    else
      multiplyQuad16(a, b, lane, sums);
    for (unsigned i = 0; i < 8; ++i)
      *reinterpret_cast<F64x4 *>(&d[i][lane]) = sums[i];
  }
  for (unsigned i = 0; i < 8; ++i) {
    F64 sum = *reinterpret_cast<F64 *>(d[i]);
    reg<U32>(operands.warp, operands.d[i]) =
        isD32 ? (U32) __builtin_convertvector(sum, F32) : doubleToHalf(sum);
  }
}

/// The same as the chip rounds it, element by element.
void multiplyQuadsAsHardware(const Operands &operands, const Mma &mma,
                             const QuadFragment &a, const QuadFragment &b) {
  const bool isC32 = mma.c == ElementType::F32;
  const bool isD32 = mma.d == ElementType::F32;
  const MmaModel &model = operands.warp.block->launch->mmaModel;
  const ModelledTypes types = {2, -14, -14, !isD32, model.fractionBits};
  alignas(128) double c[8][kLanes], d[8][kLanes];
  for (unsigned i = 0; i < 8; ++i) {
    const U32 &bits = reg<U32>(operands.warp, operands.c[i]);
    *reinterpret_cast<F64 *>(c[i]) =
        toDouble(isC32 ? (F32)bits : halfToFloat(bits));
  }
  for (unsigned lane = 0; lane < kLanes; ++lane)
    for (unsigned i = 0; i < 8; ++i) {
      Position p = isD32 ? getQuadC32(lane, i) : getQuadC16(lane, i);
      // The lanes that hold the row of A, the column of B, and C.
      const unsigned group = lane & 12;
      auto holder = [&](unsigned place) {
        return group + (place & 3) + (place >> 2) * 16;
      };
      double row[4], column[4];
      for (unsigned k = 0; k < 4; ++k) {
        row[k] = a.values[k][holder(p.row)];
        column[k] = b.values[k][holder(p.column)];
      }
      double start = isC32 == isD32 ? c[i][lane] : c[p.column][holder(p.row)];
      d[i][lane] = addAsHardware(model, row, column, 1, 4, start, types);
    }
  for (unsigned i = 0; i < 8; ++i) {
    F64 sum = *reinterpret_cast<F64 *>(d[i]);
    reg<U32>(operands.warp, operands.d[i]) =
        isD32 ? (U32) __builtin_convertvector(sum, F32) : doubleToHalf(sum);
  }
}

void multiplyQuads(const Operands &operands, const Mma &mma) {
  QuadFragment a, b;
  loadQuad(operands.warp, operands.a, !mma.aRowMajor, a);
  loadQuad(operands.warp, operands.b, mma.bRowMajor, b);
  if (operands.warp.block->launch->mmaModel.fractionBits)
    multiplyQuadsAsHardware(operands, mma, a, b);
  else if (mma.c == ElementType::F32)
    multiplyQuadF32(operands, a, b);
  else if (mma.d == ElementType::F32)
    multiplyQuadC16<true>(operands, a, b);
  else
    multiplyQuadC16<false>(operands, a, b);
}

//===----------------------------------------------------------------------===//
// All others
//===----------------------------------------------------------------------===//

/// The places of element i of each lane in matrices that are rows side by side.
template <unsigned m, unsigned k, unsigned width> struct Tables {
  static constexpr unsigned kA = m * k / kLanes, kB = k * 8 / kLanes,
                            kC = m * 8 / kLanes;
  uint16_t a[kA][kLanes] = {}, b[kB][kLanes] = {}, c[kC][kLanes] = {};

  constexpr Tables() {
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      for (unsigned i = 0; i < kA; ++i) {
        Position p = getA(m, width, lane, i);
        a[i][lane] = uint16_t(p.row * k + p.column);
      }
      for (unsigned i = 0; i < kB; ++i) {
        Position p = getB(width, lane, i);
        b[i][lane] = uint16_t(p.row * 8 + p.column);
      }
      for (unsigned i = 0; i < kC; ++i) {
        Position p = getC(lane, i);
        c[i][lane] = uint16_t(p.row * 8 + p.column);
      }
    }
  }
};

template <typename V, typename T>
SIM_INLINE void scatter(V values, const uint16_t (&places)[kLanes], T *matrix) {
  alignas(128) T lanes[kLanes];
  *reinterpret_cast<V *>(lanes) = values;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    matrix[places[lane]] = lanes[lane];
}

template <typename V, typename T>
SIM_INLINE V gather(const T *matrix, const uint16_t (&places)[kLanes]) {
  alignas(128) T lanes[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane)
    lanes[lane] = matrix[places[lane]];
  return *reinterpret_cast<V *>(lanes);
}

// The types of A and B. Number is what is computed with, kPacked how many
// elements a register of ours holds, get the elements `part` of a register.
// kModelledBytes is the size of an element if chips round its sums.

struct HalfOperand {
  typedef double Number;
  static constexpr bool kIsDouble = false;
  static constexpr unsigned kModelledBytes = 2;
  static constexpr unsigned kPacked = 1, kWidth = 2;
  static F64 get(Warp &warp, uint32_t slot, unsigned, ElementType) {
    return toDouble(halfToFloat(reg<U32>(warp, slot)));
  }
};
struct BFloatOperand {
  typedef double Number;
  static constexpr bool kIsDouble = false;
  static constexpr unsigned kModelledBytes = 2;
  static constexpr unsigned kPacked = 2, kWidth = 2;
  static F64 get(Warp &warp, uint32_t slot, unsigned part, ElementType) {
    return toDouble(bfloatToFloat(reg<U32>(warp, slot) >> 16 * part));
  }
};
struct TF32Operand {
  typedef double Number;
  static constexpr bool kIsDouble = false;
  static constexpr unsigned kModelledBytes = 4;
  static constexpr unsigned kPacked = 1, kWidth = 1;
  static F64 get(Warp &warp, uint32_t slot, unsigned, ElementType) {
    return toDouble(tf32ToFloat(reg<U32>(warp, slot)));
  }
};
struct DoubleOperand {
  typedef double Number;
  static constexpr bool kIsDouble = true;
  static constexpr unsigned kModelledBytes = 0;
  static constexpr unsigned kPacked = 1, kWidth = 1;
  static F64 get(Warp &warp, uint32_t slot, unsigned, ElementType) {
    return reg<F64>(warp, slot);
  }
};
struct F8Operand {
  typedef double Number;
  static constexpr bool kIsDouble = false;
  static constexpr unsigned kModelledBytes = 1;
  static constexpr unsigned kPacked = 4, kWidth = 4;
  static F64 get(Warp &warp, uint32_t slot, unsigned part, ElementType type) {
    U32 byte = reg<U32>(warp, slot) >> 8 * part & 0xff;
    return toDouble(type == ElementType::E4M3 ? e4m3ToFloat(byte)
                                              : e5m2ToFloat(byte));
  }
};
/// Float holds all sums of 32 products of bytes.
struct ByteOperand {
  typedef float Number;
  static constexpr bool kIsDouble = false;
  static constexpr unsigned kPacked = 4, kWidth = 4;
  static F32 get(Warp &warp, uint32_t slot, unsigned part, ElementType type) {
    U32 top = reg<U32>(warp, slot) << (24 - 8 * part);
    S32 value = type == ElementType::I8 ? (S32)top >> 24 : (S32)(top >> 24);
    return __builtin_convertvector(value, F32);
  }
};

/// sum + a * b; products of f64 are not exact, but fused they are on every
/// machine.
template <typename Operand, typename Number>
SIM_INLINE Number multiplyAdd(Number a, Number b, Number sum) {
  if constexpr (Operand::kIsDouble)
    return __builtin_fma(a, b, sum);
  else
    return sum + a * b;
}

template <typename Operand, unsigned m, unsigned k, typename Number>
SIM_INLINE void multiplyMatrices(const Number *a, const Number *b,
                                 Number *sums) {
  for (unsigned row = 0; row < m; ++row) {
    Number sum[8];
    for (unsigned n = 0; n < 8; ++n)
      sum[n] = sums[row * 8 + n];
    for (unsigned i = 0; i < k; ++i)
      for (unsigned n = 0; n < 8; ++n)
        sum[n] = multiplyAdd<Operand>(a[row * k + i], b[i * 8 + n], sum[n]);
    for (unsigned n = 0; n < 8; ++n)
      sums[row * 8 + n] = sum[n];
  }
}

template <typename Operand, unsigned m, unsigned k>
SIM_INLINE void multiplyFloats(const MmaModel &model, const Mma &mma,
                               const double *a, const double *b, double *sums) {
  if constexpr (Operand::kModelledBytes != 0) {
    if (__builtin_expect(model.fractionBits != 0, 0)) {
      const ModelledTypes types = {
          Operand::kModelledBytes, getLeastExponent(mma.a),
          getLeastExponent(mma.b), mma.d == ElementType::F16,
          Operand::kModelledBytes == 1 ? model.float8Bits : model.fractionBits};
      for (unsigned i = 0; i < m * 8; ++i)
        sums[i] = addAsHardware(model, a + i / 8 * k, b + i % 8, 8, k, sums[i],
                                types);
      return;
    }
  }
  multiplyMatrices<Operand, m, k>(a, b, sums);
}

F64 loadC(Warp &warp, uint32_t slot, ElementType type) {
  if (type == ElementType::F64)
    return reg<F64>(warp, slot);
  return toDouble(type == ElementType::F16 ? halfToFloat(reg<U32>(warp, slot))
                                           : reg<F32>(warp, slot));
}

void storeD(Warp &warp, uint32_t slot, ElementType type, F64 sum) {
  if (type == ElementType::F64)
    reg<F64>(warp, slot) = sum;
  else if (type == ElementType::F16)
    reg<U32>(warp, slot) = doubleToHalf(sum);
  else
    reg<F32>(warp, slot) = __builtin_convertvector(sum, F32);
}

/// Integers: the sum of the products cannot overflow, adding C can.
void addProducts(Warp &warp, const Mma &mma, uint32_t to, U32 c, S32 products) {
  U32 sum = c + (U32)products;
  if (mma.saturate) {
    S32 overflow = (S32)((c ^ sum) & ((U32)products ^ sum)) >> 31;
    S32 limit = ((S32)c >> 31) ^ 0x7fffffff;
    sum = (U32)((overflow & limit) | (~overflow & (S32)sum));
  }
  reg<U32>(warp, to) = sum;
}

template <typename Operand, unsigned m, unsigned k>
void multiply(const Operands &operands, const Mma &mma) {
  typedef typename Operand::Number Number;
  typedef Tables<m, k, Operand::kWidth> Places;
  static constexpr Places places;
  constexpr unsigned kPacked = Operand::kPacked;
  constexpr bool isInteger = sizeof(Number) == 4;
  Warp &warp = operands.warp;
  alignas(128) Number a[m * k], b[k * 8], sums[m * 8] = {};
  for (unsigned i = 0; i < Places::kA; ++i)
    scatter(Operand::get(warp, operands.a[i / kPacked], i % kPacked, mma.a),
            places.a[i], a);
  for (unsigned i = 0; i < Places::kB; ++i)
    scatter(Operand::get(warp, operands.b[i / kPacked], i % kPacked, mma.b),
            places.b[i], b);
  if constexpr (isInteger) {
    multiplyMatrices<Operand, m, k>(a, b, sums);
    U32 c[Places::kC];
    for (unsigned i = 0; i < Places::kC; ++i)
      c[i] = reg<U32>(warp, operands.c[i]);
    for (unsigned i = 0; i < Places::kC; ++i)
      addProducts(warp, mma, operands.d[i], c[i],
                  __builtin_convertvector(gather<F32>(sums, places.c[i]), S32));
  } else {
    for (unsigned i = 0; i < Places::kC; ++i)
      scatter(loadC(warp, operands.c[i], mma.c), places.c[i], sums);
    multiplyFloats<Operand, m, k>(warp.block->launch->mmaModel, mma, a, b,
                                  sums);
    for (unsigned i = 0; i < Places::kC; ++i)
      storeD(warp, operands.d[i], mma.d, gather<F64>(sums, places.c[i]));
  }
}

template <typename Operand, MmaShape... shapes>
void multiplyOneOf(const Operands &operands, const Mma &mma) {
  auto tryShape = [&](auto multiplyShape, MmaShape shape) {
    if (mma.shape == shape)
      multiplyShape(operands, mma);
  };
  (tryShape(multiply<Operand, getRows(shapes), getDepth(shapes)>, shapes), ...);
}

const Instr *mma(Warp &warp, const Instr *instr) {
  const Instr *next;
  if (__builtin_expect(warp.active != kAllLanes, 0) &&
      !collectWarp(warp, instr, next))
    return next;
  const Program &program = *warp.block->launch->program;
  const Mma &mma = program.mmas[instr->extra];
  const uint32_t *d = program.pool.data() + instr->list;
  const uint32_t *a = d + mma.dRegisters, *b = a + mma.aRegisters;
  Operands operands = {warp, d, a, b, b + mma.bRegisters};
  switch (mma.a) {
  case ElementType::F16:
    if (mma.shape == MmaShape::M8N8K4)
      multiplyQuads(operands, mma);
    else
      multiplyOneOf<HalfOperand, MmaShape::M16N8K8, MmaShape::M16N8K16>(
          operands, mma);
    break;
  case ElementType::BF16:
    multiplyOneOf<BFloatOperand, MmaShape::M16N8K8, MmaShape::M16N8K16>(
        operands, mma);
    break;
  case ElementType::TF32:
    multiplyOneOf<TF32Operand, MmaShape::M16N8K4, MmaShape::M16N8K8>(operands,
                                                                     mma);
    break;
  case ElementType::F64:
    multiplyOneOf<DoubleOperand, MmaShape::M8N8K4, MmaShape::M16N8K4,
                  MmaShape::M16N8K8, MmaShape::M16N8K16>(operands, mma);
    break;
  case ElementType::E4M3:
  case ElementType::E5M2:
    multiplyOneOf<F8Operand, MmaShape::M16N8K16, MmaShape::M16N8K32>(operands,
                                                                     mma);
    break;
  default:
    multiplyOneOf<ByteOperand, MmaShape::M8N8K16, MmaShape::M16N8K16,
                  MmaShape::M16N8K32>(operands, mma);
    break;
  }
  return instr + 1;
}

} // namespace

void addMmaHandlers(Handler *table) { table[unsigned(Opcode::Mma)] = mma; }

} // namespace TILEIR_SIM_ISA
} // namespace tileir::sim
