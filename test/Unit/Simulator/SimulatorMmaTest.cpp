//===- SimulatorMmaTest.cpp -----------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The mma handler of each instruction set against plain triple loops, and the
// formulas of MmaLayout.h against those of SimulatorMma.h.
//
//===----------------------------------------------------------------------===//

#include "SimulatorMma.h"

#include <chrono>
#include <cstdio>
#include <random>

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {

/// Small integers: exact in every type.
Matrices makeIntegers(const Mma &mma, unsigned seed) {
  std::mt19937 random(seed);
  Matrices x;
  auto draw = [&](T type) {
    int limit = type == T::I8 || type == T::U8 ? 127 : 5;
    int low = type == T::U8 ? 0 : type == T::I8 ? -128 : -limit;
    int high = type == T::U8 ? 255 : limit;
    return double(std::uniform_int_distribution<int>(low, high)(random));
  };
  for (unsigned q = 0; q < 4; ++q)
    for (unsigned i = 0; i < 16; ++i) {
      for (unsigned k = 0; k < 32; ++k)
        x.a[q][i][k] = draw(mma.a);
      for (unsigned n = 0; n < 8; ++n)
        x.c[q][i][n] = draw(T::F16) * 7;
    }
  for (unsigned q = 0; q < 4; ++q)
    for (unsigned k = 0; k < 32; ++k)
      for (unsigned n = 0; n < 8; ++n)
        x.b[q][k][n] = draw(mma.b);
  return x;
}

/// Reals that the types of the operands hold exactly.
Matrices makeReals(const Mma &mma, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  auto draw = [&](T type) {
    double value = decode(type, encode(type, uniform(random)));
    if (type == T::TF32)
      value = double(float(int(value * 1024)) / 1024);
    return value;
  };
  Matrices x;
  for (unsigned q = 0; q < 4; ++q) {
    for (auto &row : x.a[q])
      for (double &value : row)
        value = draw(mma.a);
    for (auto &row : x.b[q])
      for (double &value : row)
        value = draw(mma.b);
    for (auto &row : x.c[q])
      for (double &value : row)
        value = draw(mma.c);
  }
  return x;
}

TEST(SimulatorMma, Layouts) {
  for (const Mma &mma : getAllMmas()) {
    unsigned width = mma.a == T::F16 || mma.a == T::BF16 ? 2
                     : isByte(mma.a)                     ? 4
                                                         : 1;
    unsigned packing = mma.a == T::BF16 ? 2 : isByte(mma.a) ? 4 : 1;
    auto expectEqual = [&](Position found, Position expected, unsigned lane,
                           unsigned i) {
      EXPECT_TRUE(found.row == expected.row && found.column == expected.column)
          << describe(mma) << ", lane " << lane << ", element " << i;
    };
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      for (unsigned i = 0; i < mma.aRegisters * packing; ++i) {
        Position found = !isQuads(mma)   ? getA(mma.m, width, lane, i)
                         : mma.aRowMajor ? getQuadA(lane, i)
                                         : getQuadAColumnMajor(lane, i);
        expectEqual(found, expectA(mma, lane, i), lane, i);
      }
      for (unsigned i = 0; i < mma.bRegisters * packing; ++i) {
        Position found = !isQuads(mma) ? getB(width, lane, i)
                         : mma.bRowMajor
                             ? transposed(getQuadAColumnMajor(lane, i))
                             : transposed(getQuadA(lane, i));
        expectEqual(found, expectB(mma, lane, i), lane, i);
      }
      for (unsigned i = 0; i < mma.dRegisters; ++i) {
        Position found = !isQuads(mma)     ? getC(lane, i)
                         : mma.d == T::F16 ? getQuadC16(lane, i)
                                           : getQuadC32(lane, i);
        expectEqual(found, expectC(mma, mma.d, lane, i), lane, i);
      }
    }
  }
}

/// Every element of a fragment is held once.
TEST(SimulatorMma, FragmentsCoverMatrices) {
  for (const Mma &mma : getAllMmas()) {
    unsigned packing = mma.a == T::BF16 ? 2 : isByte(mma.a) ? 4 : 1;
    unsigned seenA[4][16][32] = {}, seenB[4][32][8] = {};
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      unsigned q = Machine::quadOf(mma, lane);
      for (unsigned i = 0; i < mma.aRegisters * packing; ++i) {
        Position p = expectA(mma, lane, i);
        ++seenA[q][p.row][p.column];
      }
      for (unsigned i = 0; i < mma.bRegisters * packing; ++i) {
        Position p = expectB(mma, lane, i);
        ++seenB[q][p.row][p.column];
      }
    }
    for (unsigned k = 0; k < mma.k; ++k) {
      for (unsigned m = 0; m < mma.m; ++m)
        EXPECT_EQ(seenA[0][m][k], 1u) << describe(mma);
      for (unsigned n = 0; n < 8; ++n)
        EXPECT_EQ(seenB[0][k][n], 1u) << describe(mma);
    }
  }
}

TEST(SimulatorMma, SmallIntegersAreExact) {
  for (const InstructionSet &set : getInstructionSets())
    for (const Mma &mma : getAllMmas())
      for (unsigned seed = 1; seed <= 20; ++seed) {
        SCOPED_TRACE(set.name);
        Matrices x = makeIntegers(mma, seed);
        Machine machine(mma, set.addHandlers);
        machine.load(x);
        ASSERT_EQ(machine.run(), &machine.program.code[1]);
        machine.check(x, 0);
        ASSERT_FALSE(HasFailure());
      }
}

/// Sums of f16 and f32 are rounded once; f64 has no wider type to add in.
TEST(SimulatorMma, RealsAreRoundedOnce) {
  for (const InstructionSet &set : getInstructionSets())
    for (const Mma &mma : getAllMmas()) {
      if (!isFloat(mma.d))
        continue;
      SCOPED_TRACE(set.name);
      for (unsigned seed = 1; seed <= 20; ++seed) {
        Matrices x = makeReals(mma, seed);
        Machine machine(mma, set.addHandlers);
        machine.load(x);
        machine.run();
        machine.check(x, mma.d == T::F64 ? 0x1p-50 : 0);
        ASSERT_FALSE(HasFailure());
      }
    }
}

/// The instruction sets agree in every bit, also where rounding matters.
TEST(SimulatorMma, InstructionSetsAgree) {
  std::vector<InstructionSet> sets = getInstructionSets();
  for (const Mma &mma : getAllMmas())
    for (unsigned seed = 1; seed <= 5; ++seed) {
      Matrices x =
          isFloat(mma.a) ? makeReals(mma, seed) : makeIntegers(mma, seed);
      Machine first(mma, sets.front().addHandlers);
      Machine last(mma, sets.back().addHandlers);
      for (Machine *machine : {&first, &last}) {
        machine->load(x);
        machine->run();
      }
      for (unsigned lane = 0; lane < kLanes; ++lane)
        for (unsigned i = 0; i < mma.dRegisters; ++i)
          ASSERT_EQ(first.get(i, lane), last.get(i, lane)) << describe(mma);
    }
}

/// D in the registers of C, of A, of B: operands are read first.
TEST(SimulatorMma, ResultsMayShareRegisters) {
  for (const InstructionSet &set : getInstructionSets())
    for (const Mma &mma : getAllMmas())
      for (int shared = 0; shared < 3; ++shared) {
        SCOPED_TRACE(std::string(set.name) + ", " + std::to_string(shared));
        Matrices x = makeIntegers(mma, 7 + shared);
        Machine machine(mma, set.addHandlers);
        machine.load(x);
        unsigned a = mma.dRegisters, b = a + mma.aRegisters,
                 c = b + mma.bRegisters;
        // From the last of C on backward, so that no register keeps its place.
        unsigned e = c + mma.cRegisters;
        for (unsigned i = 0; i < mma.dRegisters; ++i) {
          unsigned from = shared == 0   ? e - 1 - i
                          : shared == 1 ? a + i
                                        : c - 1 - i;
          if (from < a || from >= e)
            continue;
          machine.program.pool[i] = machine.program.pool[from];
        }
        machine.run();
        machine.check(x, 0);
        ASSERT_FALSE(HasFailure());
      }
}

TEST(SimulatorMma, IntegersWrapOrSaturate) {
  for (const InstructionSet &set : getInstructionSets())
    for (const Mma &mma : getAllMmas()) {
      if (mma.d != T::I32)
        continue;
      SCOPED_TRACE(set.name);
      Matrices x = makeIntegers(mma, 3);
      for (unsigned i = 0; i < mma.m; ++i)
        for (unsigned n = 0; n < 8; ++n)
          x.c[0][i][n] = (i + n) % 2 ? double(INT32_MAX) - (i * 8 + n)
                                     : double(INT32_MIN) + (i * 8 + n);
      Machine machine(mma, set.addHandlers);
      machine.load(x);
      machine.run();
      machine.check(x, 0);
      ASSERT_FALSE(HasFailure());
    }
}

/// Each value of an f8 comes out as it is, on the diagonal of a product.
TEST(SimulatorMma, AllValuesOfF8) {
  for (const InstructionSet &set : getInstructionSets())
    for (const Mma &mma : getAllMmas()) {
      if (!isF8(mma.a) || mma.d != T::F32)
        continue;
      SCOPED_TRACE(set.name);
      for (unsigned bits = 0; bits < 256; ++bits) {
        Matrices x;
        x.a[0][3][2] = decode(mma.a, bits);
        x.b[0][2][5] = 1;
        Machine machine(mma, set.addHandlers);
        machine.load(x);
        machine.run();
        // Row 3, column 5: lane 4 * 3 + 5 / 2, the second of a pair.
        double found = decode(T::F32, machine.get(1, 14));
        double expected = decode(mma.a, bits);
        EXPECT_TRUE(found == expected ||
                    (std::isnan(found) && std::isnan(expected)))
            << describe(mma) << ", bits " << bits << ": " << found;
      }
    }
}

/// A half is rounded once: the sum 2048 + 1 + 2^-18 is nearer to 2050 than to
/// 2048, which rounding to float first would not see.
TEST(SimulatorMma, HalvesAreRoundedOnce) {
  for (const InstructionSet &set : getInstructionSets())
    for (const Mma &mma : getAllMmas()) {
      if (mma.d != T::F16)
        continue;
      SCOPED_TRACE(set.name);
      Matrices x;
      for (unsigned q = 0; q < 4; ++q)
        for (unsigned i = 0; i < 8; ++i) {
          x.c[q][i][i] = 2048;
          x.a[q][i][0] = 1;
          x.b[q][0][i] = 1;
          x.a[q][i][1] = 0x1p-9;
          x.b[q][1][i] = 0x1p-9;
        }
      Machine machine(mma, set.addHandlers);
      machine.load(x);
      machine.run();
      for (unsigned lane = 0; lane < kLanes; ++lane)
        for (unsigned i = 0; i < mma.dRegisters; ++i) {
          Position p = expectC(mma, mma.d, lane, i);
          if (p.row == p.column)
            EXPECT_EQ(decode(T::F16, machine.get(i, lane)), 2050)
                << describe(mma);
        }
    }
}

TEST(SimulatorMma, InfinitiesAndNaNs) {
  for (const InstructionSet &set : getInstructionSets())
    for (const Mma &mma : getAllMmas()) {
      if (!isFloat(mma.d) || mma.a == T::TF32)
        continue;
      SCOPED_TRACE(set.name);
      Matrices x = makeIntegers(mma, 5);
      for (unsigned k = 0; k < 4; ++k)
        x.b[0][k][0] = 1;
      x.a[0][0][1] = INFINITY;
      x.a[0][1][1] = NAN;
      Machine machine(mma, set.addHandlers);
      machine.load(x);
      machine.run();
      for (unsigned lane = 0; lane < kLanes; ++lane)
        for (unsigned i = 0; i < mma.dRegisters; ++i) {
          Position p = expectC(mma, mma.d, lane, i);
          if (p.column != 0 || Machine::quadOf(mma, lane) != 0)
            continue;
          double found = decode(mma.d, machine.get(i, lane));
          // E4M3 has no infinities: they become NaN.
          bool hasInfinity = mma.a != T::E4M3;
          EXPECT_EQ(std::isinf(found), p.row == 0 && hasInfinity)
              << describe(mma);
          EXPECT_EQ(std::isnan(found),
                    p.row == 1 || (p.row == 0 && !hasInfinity))
              << describe(mma);
        }
    }
}

TEST(SimulatorMma, PartOfAWarpIsAFinding) {
  for (const InstructionSet &set : getInstructionSets()) {
    SCOPED_TRACE(set.name);
    Machine machine(getAllMmas().front(), set.addHandlers);
    machine.warp.alive = 0xffff;
    machine.warp.setActive(0xfff0);
    EXPECT_EQ(machine.run(), nullptr);
    std::vector<Finding> findings = machine.findings.take();
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].kind, FindingKind::DivergentBarrier);
    EXPECT_EQ(findings[0].lane, 4u);
    EXPECT_NE(findings[0].message.find("mma"), std::string::npos)
        << findings[0].message;
    EXPECT_TRUE(machine.block.aborted);
  }
}

/// Not a test: prints what one mma costs.
TEST(SimulatorMma, Speed) {
  for (const InstructionSet &set : getInstructionSets())
    for (const Mma &mma : getAllMmas()) {
      if (mma.saturate || mma.a == T::U8 || mma.b == T::U8)
        continue;
      Machine machine(mma, set.addHandlers);
      machine.load(makeIntegers(mma, 1));
      double best = INFINITY; // of batches: other work disturbs some
      for (unsigned batch = 0; batch < 20; ++batch) {
        constexpr unsigned kRuns = 500;
        auto begin = std::chrono::steady_clock::now();
        for (unsigned i = 0; i < kRuns; ++i)
          machine.run();
        std::chrono::duration<double, std::nano> time =
            std::chrono::steady_clock::now() - begin;
        best = std::min(best, time.count() / kRuns);
      }
      std::printf("%-8s %-40s %6.0f ns\n", set.name, describe(mma).c_str(),
                  best);
    }
}

} // namespace
