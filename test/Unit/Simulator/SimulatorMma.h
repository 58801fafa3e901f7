//===- SimulatorMma.h -------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One warp that executes an mma: matrices are put into fragments by formulas
// written out here shape by shape, as the PTX ISA has them, independent of
// MmaLayout.h.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TEST_UNIT_SIMULATOR_SIMULATORMMA_H
#define TILEIR_TEST_UNIT_SIMULATOR_SIMULATORMMA_H

#include "Exec/MmaLayout.h"
#include "Exec/Warp.h"

#include "llvm/ADT/APFloat.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>

namespace tileir::sim {
namespace baseline {
void addMmaHandlers(Handler *table);
}
#if defined(__x86_64__)
namespace avx2 {
void addMmaHandlers(Handler *table);
}
#endif
} // namespace tileir::sim

namespace tileir::sim::test {

using T = ElementType;
using S = MmaShape;

//===----------------------------------------------------------------------===//
// The layouts, shape by shape
//===----------------------------------------------------------------------===//

inline bool isQuads(const Mma &mma) {
  return mma.shape == S::M8N8K4 && mma.a == T::F16;
}
inline bool isF8(T type) { return type == T::E4M3 || type == T::E5M2; }
inline bool isByte(T type) {
  return type == T::I8 || type == T::U8 || isF8(type);
}

inline Position expectA(const Mma &mma, unsigned l, unsigned i) {
  const unsigned g = l >> 2, t = l & 3, hi = l >= 16;
  if (isQuads(mma))
    return mma.aRowMajor ? Position{t + 4 * hi, i} : Position{i + 4 * hi, t};
  switch (mma.shape) {
  case S::M8N8K4: // f64
    return {g, t};
  case S::M8N8K16:
    return {g, 4 * t + i};
  case S::M16N8K4: // tf32, f64
    return {i == 0 ? g : g + 8, t};
  case S::M16N8K8:
    if (mma.a == T::TF32 || mma.a == T::F64)
      return {i == 0 || i == 2 ? g : g + 8, i < 2 ? t : t + 4};
    return {g + 8 * (i >> 1), 2 * t + (i & 1)};
  case S::M16N8K16:
    if (mma.a == T::F64)
      return {i % 2 == 0 ? g : g + 8, (i % 2 == 0 ? 2 * i : 2 * i - 2) + t};
    if (isByte(mma.a))
      return {i < 4 ? g : g + 8, 4 * t + (i & 3)};
    return {g + 8 * ((i >> 1) & 1), 2 * t + (i & 1) + 8 * (i >> 2)};
  case S::M16N8K32:
    return {i < 4 || (i >= 8 && i < 12) ? g : g + 8,
            4 * t + (i & 3) + (i < 8 ? 0 : 16)};
  }
  return {};
}

/// k and column.
inline Position expectB(const Mma &mma, unsigned l, unsigned i) {
  const unsigned g = l >> 2, t = l & 3, hi = l >= 16;
  if (isQuads(mma))
    return mma.bRowMajor ? Position{t, i + 4 * hi} : Position{i, t + 4 * hi};
  switch (mma.shape) {
  case S::M8N8K4:
  case S::M16N8K4:
    return {t, g};
  case S::M8N8K16:
    return {4 * t + i, g};
  case S::M16N8K8:
    if (mma.a == T::TF32 || mma.a == T::F64)
      return {i == 0 ? t : t + 4, g};
    return {2 * t + i, g};
  case S::M16N8K16:
    if (mma.a == T::F64)
      return {t + 4 * i, g};
    if (isByte(mma.a))
      return {4 * t + i, g};
    return {2 * t + (i & 1) + 8 * (i >> 1), g};
  case S::M16N8K32:
    return {4 * t + (i & 3) + (i < 4 ? 0 : 16), g};
  }
  return {};
}

inline Position expectC(const Mma &mma, T type, unsigned l, unsigned i) {
  const unsigned g = l >> 2, t = l & 3, hi = l >= 16;
  if (isQuads(mma) && type == T::F16)
    return {t + 4 * hi, i};
  if (isQuads(mma))
    return {(l & 1) + (i & 2) + 4 * hi, (i & 4) + (l & 2) + (i & 1)};
  return {i < 2 ? g : g + 8, 2 * t + (i & 1)};
}

//===----------------------------------------------------------------------===//
// Every mma
//===----------------------------------------------------------------------===//

inline Mma makeMma(S shape, T a, T b, T c, T d, unsigned m, unsigned k) {
  Mma mma;
  mma.shape = shape;
  mma.a = a;
  mma.b = b;
  mma.c = c;
  mma.d = d;
  mma.m = m;
  mma.n = 8;
  mma.k = k;
  unsigned packing = a == T::BF16 ? 2 : isByte(a) ? 4 : 1;
  unsigned lanes = isQuads(mma) ? 8 : 32;
  mma.aRegisters = m * k / lanes / packing;
  mma.bRegisters = k * 8 / lanes / packing;
  mma.cRegisters = mma.dRegisters = m * 8 / lanes;
  return mma;
}

inline std::vector<Mma> getAllMmas() {
  std::vector<Mma> all;
  for (auto [c, d] : {std::pair(T::F16, T::F16), std::pair(T::F16, T::F32),
                      std::pair(T::F32, T::F32)})
    for (int layouts = 0; layouts < 4; ++layouts) {
      all.push_back(makeMma(S::M8N8K4, T::F16, T::F16, c, d, 8, 4));
      all.back().aRowMajor = layouts & 1;
      all.back().bRowMajor = layouts & 2;
    }
  for (T accumulator : {T::F16, T::F32}) {
    all.push_back(
        makeMma(S::M16N8K8, T::F16, T::F16, accumulator, accumulator, 16, 8));
    all.push_back(
        makeMma(S::M16N8K16, T::F16, T::F16, accumulator, accumulator, 16, 16));
  }
  auto add = [&](S shape, T type, T accumulator, unsigned m, unsigned k) {
    all.push_back(makeMma(shape, type, type, accumulator, accumulator, m, k));
  };
  add(S::M16N8K8, T::BF16, T::F32, 16, 8);
  add(S::M16N8K16, T::BF16, T::F32, 16, 16);
  add(S::M16N8K4, T::TF32, T::F32, 16, 4);
  add(S::M16N8K8, T::TF32, T::F32, 16, 8);
  add(S::M8N8K4, T::F64, T::F64, 8, 4);
  add(S::M16N8K4, T::F64, T::F64, 16, 4);
  add(S::M16N8K8, T::F64, T::F64, 16, 8);
  add(S::M16N8K16, T::F64, T::F64, 16, 16);
  for (T a : {T::I8, T::U8})
    for (T b : {T::I8, T::U8})
      for (bool saturate : {false, true}) {
        auto addByte = [&](S shape, unsigned m, unsigned k) {
          all.push_back(makeMma(shape, a, b, T::I32, T::I32, m, k));
          all.back().saturate = saturate;
        };
        addByte(S::M8N8K16, 8, 16);
        addByte(S::M16N8K16, 16, 16);
        addByte(S::M16N8K32, 16, 32);
      }
  for (T a : {T::E4M3, T::E5M2})
    for (T b : {T::E4M3, T::E5M2})
      for (T accumulator : {T::F16, T::F32}) {
        all.push_back(
            makeMma(S::M16N8K16, a, b, accumulator, accumulator, 16, 16));
        all.push_back(
            makeMma(S::M16N8K32, a, b, accumulator, accumulator, 16, 32));
      }
  return all;
}

inline std::string describe(const Mma &mma) {
  const char *names[] = {"i8",   "u8",  "i32", "i64",  "f16", "bf16",
                         "tf32", "f32", "f64", "e4m3", "e5m2"};
  auto name = [&](T type) { return names[unsigned(type)]; };
  return "m" + std::to_string(mma.m) + "n8k" + std::to_string(mma.k) + " " +
         name(mma.a) + " " + name(mma.b) + " c " + name(mma.c) + " d " +
         name(mma.d) + (mma.aRowMajor ? " row" : " col") +
         (mma.bRowMajor ? " row" : " col") + (mma.saturate ? " sat" : "");
}

//===----------------------------------------------------------------------===//
// Bits
//===----------------------------------------------------------------------===//

inline const llvm::fltSemantics &getSemantics(T type) {
  switch (type) {
  case T::F16:
    return llvm::APFloat::IEEEhalf();
  case T::BF16:
    return llvm::APFloat::BFloat();
  case T::F64:
    return llvm::APFloat::IEEEdouble();
  case T::E4M3:
    return llvm::APFloat::Float8E4M3FN();
  case T::E5M2:
    return llvm::APFloat::Float8E5M2();
  default:
    return llvm::APFloat::IEEEsingle();
  }
}
inline bool isFloat(T type) { return unsigned(type) >= unsigned(T::F16); }

inline uint64_t encode(T type, double value) {
  if (!isFloat(type))
    return uint32_t(int64_t(value));
  llvm::APFloat result(value);
  bool losesInfo;
  result.convert(getSemantics(type), llvm::APFloat::rmNearestTiesToEven,
                 &losesInfo);
  return result.bitcastToAPInt().getZExtValue();
}

inline double decode(T type, uint64_t bits) {
  if (type == T::I32)
    return int32_t(bits);
  const llvm::fltSemantics &semantics = getSemantics(type);
  llvm::APFloat value(
      semantics,
      llvm::APInt(llvm::APFloat::getSizeInBits(semantics), bits, false, true));
  bool losesInfo;
  value.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven,
                &losesInfo);
  return value.convertToDouble();
}

//===----------------------------------------------------------------------===//
// One warp
//===----------------------------------------------------------------------===//

/// Four matrices where quad pairs are, else one: [quad][row][column].
struct Matrices {
  double a[4][16][32] = {}, b[4][32][8] = {}, c[4][16][8] = {};
};

class Machine {
public:
  Machine(const Mma &mma, void (*addHandlers)(Handler *)) : mma(mma) {
    std::vector<Handler> table(kNumOpcodes);
    addHandlers(table.data());
    program.mmas.push_back(mma);
    program.locations.resize(1);
    program.code.resize(2);
    Instr &instr = program.code[0];
    instr.opcode = Opcode::Mma;
    instr.handler = table[unsigned(Opcode::Mma)];
    instr.numDefs = mma.dRegisters;
    instr.numUses = mma.aRegisters + mma.bRegisters + mma.cRegisters;
    slots = isWide() ? 2 : 1;
    for (unsigned i = 0; i < unsigned(instr.numDefs) + instr.numUses; ++i)
      program.pool.push_back(i * slots);
    storage.resize((program.pool.size() * slots + 1) * kLanes);
    auto address = reinterpret_cast<uintptr_t>(storage.data());
    warp.registers = reinterpret_cast<uint32_t *>((address + 127) / 128 * 128);
    launch.program = &program;
    launch.findings = &findings;
    block.launch = &launch;
    block.worker = &worker;
    block.warps = &warp;
    block.numWarps = 1;
    worker.launch = &launch;
    warp.block = &block;
    warp.worker = &worker;
    warp.alive = kAllLanes;
    warp.setActive(kAllLanes);
  }

  bool isWide() const { return mma.a == T::F64; }
  unsigned getQuads() const { return isQuads(mma) ? 4 : 1; }
  static unsigned quadOf(const Mma &mma, unsigned lane) {
    return isQuads(mma) ? (lane >> 2) & 3 : 0;
  }

  uint32_t &word(unsigned poolIndex, unsigned lane) {
    return warp.registers[program.pool[poolIndex] * kLanes + lane];
  }
  void set(unsigned poolIndex, unsigned lane, unsigned part, unsigned packing,
           uint64_t bits) {
    if (isWide()) {
      std::memcpy(&warp.registers[program.pool[poolIndex] * kLanes + 2 * lane],
                  &bits, 8);
      return;
    }
    unsigned width = 32 / packing;
    uint32_t &target = word(poolIndex, lane);
    if (part == 0)
      target = 0;
    target |=
        (packing == 1 ? uint32_t(bits) : uint32_t(bits) & ((1u << width) - 1))
        << part * width;
  }
  uint64_t get(unsigned poolIndex, unsigned lane) {
    if (!isWide())
      return word(poolIndex, lane);
    uint64_t bits;
    std::memcpy(
        &bits, &warp.registers[program.pool[poolIndex] * kLanes + 2 * lane], 8);
    return bits;
  }

  void load(const Matrices &x) {
    unsigned packing = mma.a == T::BF16 ? 2 : isByte(mma.a) ? 4 : 1;
    unsigned a = mma.dRegisters, b = a + mma.aRegisters, c = b + mma.bRegisters;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      unsigned q = quadOf(mma, lane);
      for (unsigned i = 0; i < mma.aRegisters * packing; ++i) {
        Position p = expectA(mma, lane, i);
        set(a + i / packing, lane, i % packing, packing,
            encode(mma.a, x.a[q][p.row][p.column]));
      }
      for (unsigned i = 0; i < mma.bRegisters * packing; ++i) {
        Position p = expectB(mma, lane, i);
        set(b + i / packing, lane, i % packing, packing,
            encode(mma.b, x.b[q][p.row][p.column]));
      }
      for (unsigned i = 0; i < mma.cRegisters; ++i) {
        Position p = expectC(mma, mma.c, lane, i);
        set(c + i, lane, 0, 1, encode(mma.c, x.c[q][p.row][p.column]));
      }
    }
  }

  const Instr *run() {
    return program.code[0].handler(warp, program.code.data());
  }

  /// The bits of D that a triple loop gives, and those that are there.
  void check(const Matrices &x, double tolerance) {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      for (unsigned i = 0; i < mma.dRegisters; ++i) {
        Position p = expectC(mma, mma.d, lane, i);
        unsigned q = quadOf(mma, lane);
        long double sum = x.c[q][p.row][p.column];
        for (unsigned k = 0; k < mma.k; ++k)
          sum += (long double)x.a[q][p.row][k] * x.b[q][k][p.column];
        double expected = double(sum);
        if (isFloat(mma.d))
          expected = decode(mma.d, encode(mma.d, expected));
        if (mma.d == T::I32) {
          int64_t whole = int64_t(sum);
          expected = mma.saturate
                         ? double(std::min<int64_t>(
                               std::max<int64_t>(whole, INT32_MIN), INT32_MAX))
                         : double(int32_t(uint64_t(whole)));
        }
        double found = decode(mma.d, get(i, lane));
        double error = std::fabs(found - expected);
        if (!(error <= tolerance * std::fabs(expected) + tolerance * 8))
          ADD_FAILURE() << describe(mma) << ": lane " << lane << ", element "
                        << i << " (" << p.row << ", " << p.column
                        << "): expected " << expected << ", found " << found;
        if (::testing::Test::HasFailure())
          return;
      }
  }

  const Mma mma;
  Program program;
  FindingLog findings;
  Launch launch;
  Worker worker;
  Block block;
  Warp warp;
  std::vector<uint32_t> storage;
  unsigned slots;
};

struct InstructionSet {
  const char *name;
  void (*addHandlers)(Handler *);
};
inline std::vector<InstructionSet> getInstructionSets() {
  std::vector<InstructionSet> sets = {{"baseline", baseline::addMmaHandlers}};
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    sets.push_back({"avx2", avx2::addMmaHandlers});
#endif
  return sets;
}

} // namespace tileir::sim::test

#endif // TILEIR_TEST_UNIT_SIMULATOR_SIMULATORMMA_H
