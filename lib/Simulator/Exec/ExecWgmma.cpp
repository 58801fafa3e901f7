//===- ExecWgmma.cpp -----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The handlers of wgmma. The last of the four warps computes all of the
// product: A and B become matrices of doubles (integers: floats, which hold all
// sums of 32 products), once for the warpgroup; then 16 rows by 8 columns at a
// time, exactly, rounded once to the result, as mma (ExecMma.cpp).
//
// Of 8 columns of D a lane holds two, 2t and 2t + 1. The columns of a block of
// B are put in the order 0 2 4 6 1 3 5 7, so that four sums side by side are
// four lanes of one register.
//
//===----------------------------------------------------------------------===//

#include "Exec/ExecFloat.h"
#include "Exec/MmaModel.h"
#include "Exec/Warpgroups.h"
#include "Memory/Memory.h"

#ifdef __clang__
#pragma clang fp contract(fast)
#endif

namespace tileir::sim {
namespace TILEIR_SIM_ISA {
namespace {

constexpr unsigned kMaxColumns = 256, kColumns = 8, kMaxDepth = 32;
constexpr unsigned kRowsOfWarp = 16;

/// The bytes of A and B as they are in the descriptors' rows.
struct Operands {
  uint8_t a[kWgmmaRows * kWgmmaBytes], b[kMaxColumns * kWgmmaBytes];
};

/// Numbers of A and B: A[row][k], B[block of columns][k][place of a column].
template <typename Number> struct Matrices {
  alignas(128) Number a[kWgmmaRows * kMaxDepth];
  alignas(128) Number b[kMaxColumns * kMaxDepth];
};

/// Four numbers.
template <typename Number> struct Four;
template <> struct Four<double> {
  typedef double V __attribute__((vector_size(32), aligned(8), may_alias));
};
template <> struct Four<float> {
  typedef float V __attribute__((vector_size(16), aligned(4), may_alias));
};

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

SIM_INLINE void convert(U32 bits, ElementType type, double *to) {
  F64 &result = *reinterpret_cast<F64 *>(to);
  switch (type) {
  case ElementType::F16:
    result = toDouble(halfToFloat(bits));
    break;
  case ElementType::BF16:
    result = toDouble(bfloatToFloat(bits));
    break;
  case ElementType::TF32:
    result = toDouble(tf32ToFloat(bits));
    break;
  case ElementType::E4M3:
    result = toDouble(e4m3ToFloat(bits));
    break;
  default:
    result = toDouble(e5m2ToFloat(bits));
    break;
  }
}
SIM_INLINE void convert(U32 bits, ElementType type, float *to) {
  S32 value = type == ElementType::I8 ? (S32)(bits << 24) >> 24 : (S32)bits;
  *reinterpret_cast<F32 *>(to) = __builtin_convertvector(value, F32);
}

/// The elements of a matrix of `rows` rows of `depth` elements, in the order
/// that `place(row, k)` says.
template <typename Element, typename Number, typename Place>
SIM_INLINE void unpack(const uint8_t *bytes, unsigned rows, bool isTransposed,
                       ElementType type, Number *to, Place place) {
  constexpr unsigned depth = kWgmmaBytes / sizeof(Element);
  alignas(128) uint32_t bits[kMaxColumns * depth];
  const Element *from = reinterpret_cast<const Element *>(bytes);
  if (isTransposed)
    for (unsigned k = 0; k < depth; ++k)
      for (unsigned row = 0; row < rows; ++row)
        bits[place(row, k, depth)] = from[k * rows + row];
  else
    for (unsigned row = 0; row < rows; ++row)
      for (unsigned k = 0; k < depth; ++k)
        bits[place(row, k, depth)] = from[row * depth + k];
  for (unsigned i = 0; i < rows * depth; i += kLanes)
    convert(*reinterpret_cast<const U32 *>(bits + i), type, to + i);
}

template <typename Element, typename Number>
void unpackAll(const Wgmma &mma, const Operands &operands,
               Matrices<Number> &matrices) {
  unpack<Element>(
      operands.a, kWgmmaRows, mma.aTransposed, mma.a, matrices.a,
      [](unsigned row, unsigned k, unsigned depth) { return row * depth + k; });
  unpack<Element>(operands.b, mma.n, mma.bTransposed, mma.b, matrices.b,
                  [](unsigned n, unsigned k, unsigned depth) {
                    return (n / kColumns * depth + k) * kColumns +
                           (n % kColumns / 2 | n % 2 * 4);
                  });
  if (mma.negate)
    for (unsigned i = 0; i < kWgmmaRows * mma.k; i += kLanes)
      for (unsigned j = 0; j < kLanes; ++j)
        matrices.a[i + j] = -matrices.a[i + j];
}

/// A from registers: each holds 4 bytes of row l / 4 or l / 4 + 8 of its warp.
void getA(Warp *first, const uint32_t *slots, uint8_t *bytes) {
  for (unsigned w = 0; w < kWarpsOfGroup; ++w)
    for (unsigned i = 0; i < 4; ++i) {
      const uint32_t *lanes = lanes32(first[w], slots[i]);
      for (unsigned lane = 0; lane < kLanes; ++lane)
        __builtin_memcpy(
            bytes + (w * kRowsOfWarp + lane / 4 + i % 2 * 8) * kWgmmaBytes +
                lane % 4 * 4 + i / 2 * 16,
            lanes + lane, 4);
    }
}

//===----------------------------------------------------------------------===//
// Products
//===----------------------------------------------------------------------===//

/// The four registers of a warp that hold 8 columns of D, as numbers: even and
/// odd columns of the first 8 rows, then of the other 8.
template <typename T> struct Tile {
  alignas(128) T values[4][kLanes];
};

/// d = c + A * B; c may be null.
template <typename Number, typename C, typename D>
SIM_INLINE void multiplyTile(const Number *a, const Number *b, unsigned depth,
                             const Tile<C> *c, Tile<D> &d) {
  typedef typename Four<Number>::V V;
  typedef typename Four<C>::V VC;
  typedef typename Four<D>::V VD;
  constexpr unsigned kRows = 4;
  for (unsigned row = 0; row < kRowsOfWarp; row += kRows) {
    V sums[kRows][2] = {};
    const unsigned half = row / 8 * 2, lane = row % 8 * 4;
    if (c)
#pragma GCC unroll 4
      for (unsigned r = 0; r < kRows; ++r)
#pragma GCC unroll 2
        for (unsigned odd = 0; odd < 2; ++odd)
          sums[r][odd] =
              __builtin_convertvector(*reinterpret_cast<const VC *>(
                                          &c->values[half + odd][lane + 4 * r]),
                                      V);
    for (unsigned k = 0; k < depth; ++k) {
      V even = *reinterpret_cast<const V *>(b + k * kColumns);
      V odd = *reinterpret_cast<const V *>(b + k * kColumns + 4);
#pragma GCC unroll 4
      for (unsigned r = 0; r < kRows; ++r) {
        V left = V{} + a[(row + r) * depth + k];
        sums[r][0] += left * even;
        sums[r][1] += left * odd;
      }
    }
#pragma GCC unroll 4
    for (unsigned r = 0; r < kRows; ++r)
#pragma GCC unroll 2
      for (unsigned odd = 0; odd < 2; ++odd)
        *reinterpret_cast<VD *>(&d.values[half + odd][lane + 4 * r]) =
            __builtin_convertvector(sums[r][odd], VD);
  }
}

/// The same as the chip rounds it, element by element.
void multiplyAsHardware(const MmaModel &model, const Wgmma &mma,
                        const double *a, const double *b, const Tile<double> *c,
                        Tile<double> &d) {
  const bool isFloat8 =
      mma.a == ElementType::E4M3 || mma.a == ElementType::E5M2;
  const unsigned bytes = isFloat8 ? 1 : mma.a == ElementType::TF32 ? 4 : 2;
  const ModelledTypes types = {
      bytes, getLeastExponent(mma.a), getLeastExponent(mma.b),
      mma.d == ElementType::F16,
      isFloat8 ? kGroupFloat8Bits : model.fractionBits};
  for (unsigned i = 0; i < 4; ++i)
    for (unsigned lane = 0; lane < kLanes; ++lane)
      d.values[i][lane] = addAsHardware(
          model, a + (lane / 4 + i / 2 * 8) * mma.k, b + lane % 4 + i % 2 * 4,
          kColumns, mma.k, c ? c->values[i][lane] : 0, types);
}

/// The registers of D of one warp.
struct Accumulators {
  Warp &warp;
  const uint32_t *from;
  bool isRead; ///< scale-d
  U32 *to;
};

SIM_INLINE Tile<float> *loadFloats(const Accumulators &d, unsigned block,
                                   Tile<float> &tile) {
  if (!d.isRead)
    return nullptr;
  for (unsigned i = 0; i < 4; ++i)
    *reinterpret_cast<U32 *>(tile.values[i]) =
        reg<U32>(d.warp, d.from[block * 4 + i]);
  return &tile;
}
SIM_INLINE Tile<float> *loadHalves(const Accumulators &d, unsigned block,
                                   Tile<float> &tile) {
  if (!d.isRead)
    return nullptr;
  for (unsigned i = 0; i < 4; ++i)
    *reinterpret_cast<F32 *>(tile.values[i]) = halfToFloat(
        reg<U32>(d.warp, d.from[block * 2 + i / 2]) >> i % 2 * 16 & 0xffff);
  return &tile;
}
SIM_INLINE void storeHalves(const Accumulators &d, unsigned block,
                            const Tile<double> &tile) {
  for (unsigned i = 0; i < 2; ++i)
    d.to[block * 2 + i] =
        doubleToHalf(*reinterpret_cast<const F64 *>(tile.values[2 * i])) |
        doubleToHalf(*reinterpret_cast<const F64 *>(tile.values[2 * i + 1]))
            << 16;
}

void multiplyFloats(const Accumulators &d, const MmaModel &model,
                    const Wgmma &mma, const double *a, const double *b,
                    unsigned block) {
  const bool isHalf = mma.d == ElementType::F16;
  const bool isModelled = model.fractionBits != 0;
  Tile<float> from;
  const Tile<float> *c =
      isHalf ? loadHalves(d, block, from) : loadFloats(d, block, from);
  if (!isHalf && !isModelled)
    return multiplyTile<double>(
        a, b, mma.k, c, *reinterpret_cast<Tile<float> *>(d.to + block * 4));
  Tile<double> sums;
  if (!isModelled) {
    multiplyTile<double>(a, b, mma.k, c, sums);
  } else {
    Tile<double> wide;
    for (unsigned i = 0; c && i < 4; ++i)
      *reinterpret_cast<F64 *>(wide.values[i]) =
          toDouble(*reinterpret_cast<const F32 *>(c->values[i]));
    multiplyAsHardware(model, mma, a, b, c ? &wide : nullptr, sums);
  }
  if (isHalf)
    return storeHalves(d, block, sums);
  for (unsigned i = 0; i < 4; ++i)
    d.to[block * 4 + i] = (U32) __builtin_convertvector(
        *reinterpret_cast<const F64 *>(sums.values[i]), F32);
}

/// c + products, which cannot overflow.
SIM_INLINE U32 addProducts(U32 c, U32 products, bool saturate) {
  U32 sum = c + products;
  if (!saturate)
    return sum;
  S32 overflow = (S32)((c ^ sum) & (products ^ sum)) >> 31;
  S32 limit = ((S32)c >> 31) ^ 0x7fffffff;
  return (U32)((overflow & limit) | (~overflow & (S32)sum));
}

void storeIntegers(const Accumulators &d, const Wgmma &mma, unsigned block,
                   unsigned i, U32 products) {
  const unsigned r = block * 4 + i;
  U32 c = d.isRead ? reg<U32>(d.warp, d.from[r]) : U32{};
  d.to[r] = addProducts(c, products, mma.saturate);
}

void multiplyBytes(const Accumulators &d, const Wgmma &mma, const float *a,
                   const float *b, unsigned block) {
  Tile<float> products;
  multiplyTile<float, float>(a, b, mma.k, nullptr, products);
  for (unsigned i = 0; i < 4; ++i)
    storeIntegers(d, mma, block, i,
                  (U32) __builtin_convertvector(
                      *reinterpret_cast<F32 *>(products.values[i]), S32));
}

/// Ones that both have.
void multiplyBits(const Accumulators &d, const Wgmma &mma, const uint8_t *a,
                  const uint8_t *b, unsigned block) {
  for (unsigned i = 0; i < 4; ++i) {
    LaneResult products;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      uint64_t left[4], right[4];
      __builtin_memcpy(left, a + (lane / 4 + i / 2 * 8) * kWgmmaBytes,
                       kWgmmaBytes);
      __builtin_memcpy(right, b + (lane % 4 * 2 + i % 2) * kWgmmaBytes,
                       kWgmmaBytes);
      uint32_t count = 0;
      for (unsigned word = 0; word < 4; ++word)
        count += __builtin_popcountll(left[word] & right[word]);
      products.lane[lane] = count;
    }
    storeIntegers(d, mma, block, i, products.vector);
  }
}

/// Calls `multiply(accumulators, first row, block)` for all of D.
template <typename Multiply>
SIM_INLINE void forTiles(Warp *first, const Wgmma &mma, const uint32_t *from,
                         const uint32_t *to, bool isRead, Multiply multiply) {
  for (unsigned w = 0; w < kWarpsOfGroup; ++w) {
    // Results may share registers with other operands.
    U32 results[kMaxColumns / 2];
    Accumulators d = {first[w], from, isRead, results};
    for (unsigned block = 0; block < mma.n / kColumns; ++block)
      multiply(d, w * kRowsOfWarp, block);
    for (unsigned i = 0; i < mma.dRegisters; ++i)
      reg<U32>(first[w], to[i]) = results[i];
  }
}

template <typename Element, typename Number, typename Multiply>
void multiplyAll(Warp *first, const Wgmma &mma, const Operands &operands,
                 const uint32_t *from, const uint32_t *to, bool isRead,
                 Multiply multiply) {
  Matrices<Number> matrices;
  unpackAll<Element>(mma, operands, matrices);
  forTiles(first, mma, from, to, isRead,
           [&](const Accumulators &d, unsigned row, unsigned block) {
             multiply(d, matrices.a + row * mma.k,
                      matrices.b + block * kColumns * mma.k, block);
           });
}

void compute(Warp *first, const Wgmma &mma, const Operands &operands,
             const uint32_t *from, const uint32_t *to, bool isRead) {
  const MmaModel &model = first->block->launch->mmaModel;
  auto floats = [&](const Accumulators &d, const double *a, const double *b,
                    unsigned block) {
    multiplyFloats(d, model, mma, a, b, block);
  };
  auto bytes = [&](const Accumulators &d, const float *a, const float *b,
                   unsigned block) { multiplyBytes(d, mma, a, b, block); };
  if (mma.isBits)
    forTiles(first, mma, from, to, isRead,
             [&](const Accumulators &d, unsigned row, unsigned block) {
               multiplyBits(d, mma, operands.a + row * kWgmmaBytes,
                            operands.b + block * kColumns * kWgmmaBytes, block);
             });
  else if (mma.d == ElementType::I32)
    multiplyAll<uint8_t, float>(first, mma, operands, from, to, isRead, bytes);
  else if (mma.k == 8)
    multiplyAll<uint32_t, double>(first, mma, operands, from, to, isRead,
                                  floats);
  else if (mma.k == 16)
    multiplyAll<uint16_t, double>(first, mma, operands, from, to, isRead,
                                  floats);
  else
    multiplyAll<uint8_t, double>(first, mma, operands, from, to, isRead,
                                 floats);
}

//===----------------------------------------------------------------------===//
// Handlers
//===----------------------------------------------------------------------===//

/// Uses: D, A or its descriptor, the descriptor of B, scale-d. Defs: D and the
/// ticket.
const Instr *wgmma(Warp &warp, const Instr *instr) {
  const Instr *next;
  if (__builtin_expect(warp.active != kAllLanes, 0) &&
      !collectWarp(warp, instr, next))
    return next;
  Warp *first;
  if (!joinWarpgroup(warp, instr, first, next))
    return next;
  const Program &program = *warp.block->launch->program;
  const Wgmma &mma = program.wgmmas[instr->extra];
  const uint32_t *defs = program.pool.data() + instr->list;
  const uint32_t *uses = defs + instr->numDefs;
  const uint32_t *a = uses + mma.dRegisters;
  const uint32_t *b = a + (mma.aInRegisters ? 4 : 1);
  Operands operands;
  uint64_t ofA = 0, ofB = 0, scale = 0;
  bool isGood =
      getUniform(first, instr, b[0], true, "the descriptor of B", ofB) &&
      getUniform(first, instr, b[1], false, "scale-d", scale) &&
      readWgmmaOperand(first, instr, ofB, mma.n, mma.bTransposed, "B",
                       operands.b);
  if (mma.aInRegisters)
    getA(first, a, operands.a);
  else
    isGood = isGood &&
             getUniform(first, instr, a[0], true, "the descriptor of A", ofA) &&
             readWgmmaOperand(first, instr, ofA, kWgmmaRows, mma.aTransposed,
                              "A", operands.a);
  if (isGood)
    compute(first, mma, operands, uses, defs, scale & 1);
  const uint32_t ticket = beginWgmma(first, instr);
  for (unsigned w = 0; w < kWarpsOfGroup; ++w)
    reg<U32>(first[w], defs[mma.dRegisters]) = U32{} + ticket;
  leaveWarpgroup(warp, instr);
  return instr + 1;
}

/// wgmma.fence, commit_group and wait_group want whole warps.
template <typename Body>
SIM_INLINE const Instr *runWhole(Warp &warp, const Instr *instr, Body body) {
  const Instr *next;
  if (__builtin_expect(warp.active != kAllLanes, 0) &&
      !collectWarp(warp, instr, next))
    return next;
  body();
  return instr + 1;
}
const Instr *wgmmaFence(Warp &warp, const Instr *instr) {
  return runWhole(warp, instr, [&] { fenceWgmma(warp); });
}
const Instr *wgmmaCommit(Warp &warp, const Instr *instr) {
  return runWhole(warp, instr, [&] { commitWgmma(warp); });
}
const Instr *wgmmaWait(Warp &warp, const Instr *instr) {
  return runWhole(warp, instr, [&] { waitWgmma(warp, instr->imm); });
}

const Instr *setRegisters(Warp &warp, const Instr *instr) {
  const Instr *next;
  if (__builtin_expect(warp.active != kAllLanes, 0) &&
      !collectWarp(warp, instr, next))
    return next;
  Warp *first;
  return joinWarpgroup(warp, instr, first, next) ? setMaxRegisters(warp, instr)
                                                 : next;
}

const Instr *wgmmaEpoch(Warp &warp, const Instr *instr) {
  put(warp, instr->dst, U32{} + getWgmmaEpoch(warp));
  return instr + 1;
}

/// The tickets of the first active lane.
const Instr *wgmmaInputs(Warp &warp, const Instr *instr) {
  const uint32_t *slots =
      warp.block->launch->program->pool.data() + instr->list + instr->numDefs;
  const unsigned lane = __builtin_ctz(warp.active);
  for (unsigned i = 0; i < instr->numUses; ++i)
    checkWgmmaInput(warp, instr, lanes32(warp, slots[i])[lane], i < instr->imm);
  return instr + 1;
}
const Instr *wgmmaUse(Warp &warp, const Instr *instr) {
  const uint32_t *slots =
      warp.block->launch->program->pool.data() + instr->list + instr->numDefs;
  const unsigned lane = __builtin_ctz(warp.active);
  for (unsigned i = 0; i < instr->numUses; ++i)
    checkWgmmaUse(warp, instr, lanes32(warp, slots[i])[lane]);
  return instr + 1;
}

} // namespace

void addWgmmaHandlers(Handler *table) {
  table[unsigned(Opcode::Wgmma)] = wgmma;
  table[unsigned(Opcode::WgmmaFence)] = wgmmaFence;
  table[unsigned(Opcode::WgmmaCommit)] = wgmmaCommit;
  table[unsigned(Opcode::WgmmaWait)] = wgmmaWait;
  table[unsigned(Opcode::SetMaxRegisters)] = setRegisters;
  table[unsigned(Opcode::WgmmaEpoch)] = wgmmaEpoch;
  table[unsigned(Opcode::WgmmaInputs)] = wgmmaInputs;
  table[unsigned(Opcode::WgmmaUse)] = wgmmaUse;
}

} // namespace TILEIR_SIM_ISA
} // namespace tileir::sim
