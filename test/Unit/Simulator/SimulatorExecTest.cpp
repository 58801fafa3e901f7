//===- SimulatorExecTest.cpp ----------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integer arithmetic against llvm::APInt.
//
//===----------------------------------------------------------------------===//

#include "SimulatorExecTest.h"

#include "llvm/ADT/APInt.h"

using namespace tileir::sim;
using llvm::APInt;

namespace {

using IntegerOracle =
    std::function<APInt(const APInt &, const APInt &, const APInt &)>;

class IntegerTest : public ExecTest {
protected:
  static std::vector<uint64_t> specials(unsigned width) {
    uint64_t sign = uint64_t(1) << (width - 1), ones = sign | (sign - 1);
    return {0,         1,        2,         3,        7,
            width - 1, width,    width + 1, 255,      0x8000,
            sign - 1,  sign,     sign + 1,  ones,     ones - 1,
            ones / 3,  ones / 5, 1000003,   ones - 7, 0x12345678 % ones};
  }
  /// Both widths of an instruction; the result has the width or is a bool.
  void checkInteger(Opcode opcode32, Opcode opcode64, unsigned operands,
                    const IntegerOracle &oracle, bool isBool = false) {
    for (unsigned width : {32, 64}) {
      Shape shape = shapeOf(width, operands);
      if (isBool)
        shape.dst = 32;
      std::vector<Inputs> inputs = combine(specials(width), operands);
      if (width == 32)
        for (Inputs &in : inputs)
          for (uint64_t &value : in)
            value &= 0xffffffff;
      check(make(width == 32 ? opcode32 : opcode64), shape, inputs,
            [&](uint64_t a, uint64_t b, uint64_t c) {
              return oracle(APInt(width, a), APInt(width, b), APInt(width, c))
                  .getZExtValue();
            });
    }
  }
};
#define CHECK_INTEGER(NAME, OPERANDS, ...)                                     \
  checkInteger(Opcode::NAME##32, Opcode::NAME##64, OPERANDS,                   \
               [](const APInt &a, const APInt &b, const APInt &c) -> APInt {   \
                 [[maybe_unused]] unsigned w = a.getBitWidth();                \
                 return __VA_ARGS__;                                           \
               })
#define CHECK_COMPARISON(NAME, RESULT)                                         \
  checkInteger(                                                                \
      Opcode::NAME##32, Opcode::NAME##64, 2,                                   \
      [](const APInt &a, const APInt &b, const APInt &) {                      \
        return APInt(32, RESULT);                                              \
      },                                                                       \
      true)

TEST_P(IntegerTest, Arithmetic) {
  CHECK_INTEGER(Copy, 1, a);
  CHECK_INTEGER(Add, 2, a + b);
  CHECK_INTEGER(Sub, 2, a - b);
  CHECK_INTEGER(Mul, 2, a * b);
  CHECK_INTEGER(MulHiS, 2, (a.sext(2 * w) * b.sext(2 * w)).extractBits(w, w));
  CHECK_INTEGER(MulHiU, 2, (a.zext(2 * w) * b.zext(2 * w)).extractBits(w, w));
  CHECK_INTEGER(SMin, 2, a.slt(b) ? a : b);
  CHECK_INTEGER(SMax, 2, a.slt(b) ? b : a);
  CHECK_INTEGER(UMin, 2, a.ult(b) ? a : b);
  CHECK_INTEGER(UMax, 2, a.ult(b) ? b : a);
}

TEST_P(IntegerTest, Divisions) {
  // APInt's smallest number / -1 wraps.
  CHECK_INTEGER(SDiv, 2, b.isZero() ? b : a.sdiv(b));
  CHECK_INTEGER(UDiv, 2, b.isZero() ? b : a.udiv(b));
  CHECK_INTEGER(SRem, 2, b.isZero() ? b : a.srem(b));
  CHECK_INTEGER(URem, 2, b.isZero() ? b : a.urem(b));
}

// Quotients next to whole numbers, where 32-bit division by way of doubles
// would go wrong first.
TEST_P(IntegerTest, DivisionNearWholeNumbers) {
  std::vector<Inputs> inputs;
  for (unsigned i = 0; i < 4096; ++i) {
    uint64_t b = (random() & 0xffffffff) >> random() % 32 | 1;
    uint64_t quotient = random() % (0x100000000 / b);
    for (uint64_t offset : {uint64_t(0), uint64_t(1), b - 1})
      inputs.push_back({(quotient * b + offset) & 0xffffffff, b, 0});
  }
  check(make(Opcode::UDiv32), shapeOf(32, 2), inputs,
        [](uint64_t a, uint64_t b, uint64_t) { return a / b; });
  check(make(Opcode::URem32), shapeOf(32, 2), inputs,
        [](uint64_t a, uint64_t b, uint64_t) { return a % b; });
}

TEST_P(IntegerTest, DivisionByZeroIsFound) {
  for (Opcode opcode :
       {Opcode::SDiv32, Opcode::UDiv64, Opcode::SRem64, Opcode::URem32}) {
    bool wide = opcode == Opcode::UDiv64 || opcode == Opcode::SRem64;
    unsigned width = wide ? 64 : 32;
    std::vector<Inputs> inputs(kLanes, Inputs{7, 2, 0});
    inputs[5][1] = inputs[9][1] = 0;
    auto run = [&](uint32_t mask) {
      checkWarp(
          make(opcode), shapeOf(width, 2), inputs.data(), mask, 0,
          [&](uint64_t a, uint64_t b, uint64_t) -> uint64_t {
            bool isDivision =
                opcode == Opcode::SDiv32 || opcode == Opcode::UDiv64;
            return b == 0 ? 0 : isDivision ? a / b : a % b;
          },
          std::equal_to<uint64_t>());
      return log.take();
    };
    EXPECT_TRUE(run(~(1u << 5 | 1u << 9)).empty()) << "lanes are not active";
    std::vector<Finding> findings = run(~(1u << 5));
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].kind, FindingKind::DivisionByZero);
    EXPECT_EQ(findings[0].lane, 9u);
    EXPECT_EQ(findings[0].message, "integer division by zero");
    findings = run(kAllLanes);
    ASSERT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].lane, 5u);
  }
}

TEST_P(IntegerTest, Logic) {
  CHECK_INTEGER(And, 2, a & b);
  CHECK_INTEGER(Or, 2, a | b);
  CHECK_INTEGER(Xor, 2, a ^ b);
  CHECK_INTEGER(Shl, 2, b.uge(w) ? APInt(w, 0) : a.shl(b));
  CHECK_INTEGER(LShr, 2, b.uge(w) ? APInt(w, 0) : a.lshr(b));
  CHECK_INTEGER(AShr, 2, a.ashr(b.uge(w) ? APInt(w, w - 1) : b));
  CHECK_INTEGER(FshL, 3, a.concat(b).shl(c.urem(w)).extractBits(w, w));
  CHECK_INTEGER(FshR, 3, a.concat(b).lshr(c.urem(w)).trunc(w));
  CHECK_INTEGER(Ctpop, 1, APInt(w, a.popcount()));
  CHECK_INTEGER(Ctlz, 1, APInt(w, a.countl_zero()));
  CHECK_INTEGER(Cttz, 1, APInt(w, a.countr_zero()));
  CHECK_INTEGER(BitReverse, 1, a.reverseBits());
  CHECK_INTEGER(ByteSwap, 1, a.byteSwap());
}

TEST_P(IntegerTest, Comparisons) {
  CHECK_COMPARISON(CmpEq, a == b);
  CHECK_COMPARISON(CmpNe, a != b);
  CHECK_COMPARISON(CmpULt, a.ult(b));
  CHECK_COMPARISON(CmpULe, a.ule(b));
  CHECK_COMPARISON(CmpSLt, a.slt(b));
  CHECK_COMPARISON(CmpSLe, a.sle(b));
}

TEST_P(IntegerTest, Select) {
  // Only the lowest bit of the condition counts.
  Oracle oracle = [](uint64_t a, uint64_t b, uint64_t c) {
    return a & 1 ? b : c;
  };
  std::vector<Inputs> inputs = combine({0, 1, 2, 3, 0xffffffff}, 3);
  check(make(Opcode::Select64), {64, 32, 64, 64}, inputs, oracle);
  for (Inputs &in : inputs)
    in = {in[0], in[1] & 0xffffffff, in[2] & 0xffffffff};
  check(make(Opcode::Select32), {32, 32, 32, 32}, inputs, oracle);
}

TEST_P(IntegerTest, Addresses) {
  std::vector<Inputs> inputs = combine(specials(64), 2);
  for (int64_t imm :
       {int64_t(0), int64_t(1), int64_t(4), int64_t(12), int64_t(-8),
        int64_t(1) << 20, int64_t(1) << 31, int64_t(1) << 32,
        (int64_t(1) << 40) + 3, INT64_MIN, INT64_MAX}) {
    check(make(Opcode::MulAdd32, imm), {64, 64, 32, 0}, inputs,
          [&](uint64_t a, uint64_t b, uint64_t) {
            return a + uint64_t(int64_t(int32_t(b))) * uint64_t(imm);
          });
    check(make(Opcode::MulAdd64, imm), {64, 64, 64, 0}, inputs,
          [&](uint64_t a, uint64_t b, uint64_t) { return a + b * imm; });
    check(make(Opcode::AddImm64, imm), {64, 64, 0, 0}, inputs,
          [&](uint64_t a, uint64_t, uint64_t) { return a + imm; });
  }
}

TEST_P(IntegerTest, PackedRegisters) {
  std::vector<Inputs> inputs = combine(specials(64), 2);
  for (uint32_t shift : {0, 8, 16, 24, 31})
    for (uint32_t mask : {1u, 0xffu, 0xffffu, 0xffffffffu})
      check(make(Opcode::Extract32, shift, mask), {32, 32, 0, 0}, inputs,
            [&](uint64_t a, uint64_t, uint64_t) {
              return uint32_t(a) >> shift & mask;
            });
  for (uint32_t shift : {0, 8, 32, 48, 63})
    for (uint32_t mask : {1u, 0xffffu, 0xffffffffu})
      check(make(Opcode::Extract64, shift, mask), {32, 64, 0, 0}, inputs,
            [&](uint64_t a, uint64_t, uint64_t) { return a >> shift & mask; });
  for (uint32_t shift : {0, 8, 16, 24})
    check(make(Opcode::Pack32, shift), {32, 32, 32, 0}, inputs,
          [&](uint64_t a, uint64_t b, uint64_t) {
            return uint32_t(a) | uint32_t(b) << shift;
          });
  check(make(Opcode::Pack64), {64, 32, 32, 0}, inputs,
        [](uint64_t a, uint64_t b, uint64_t) { return uint32_t(a) | b << 32; });
}

TEST_P(IntegerTest, Widths) {
  std::vector<Inputs> inputs = combine(specials(64), 1);
  for (unsigned bits = 1; bits <= 64; ++bits) {
    check(make(Opcode::Mask64, bits), {64, 64, 0, 0}, inputs,
          [&](uint64_t a, uint64_t, uint64_t) {
            return APInt(64, a).trunc(bits).zext(64).getZExtValue();
          });
    check(make(Opcode::SignExtend64, bits), {64, 64, 0, 0}, inputs,
          [&](uint64_t a, uint64_t, uint64_t) {
            return APInt(64, a).trunc(bits).sext(64).getZExtValue();
          });
    if (bits > 32)
      continue;
    check(make(Opcode::Mask32, bits), {32, 32, 0, 0}, inputs,
          [&](uint64_t a, uint64_t, uint64_t) {
            return APInt(64, a).trunc(bits).zext(32 + 1).getZExtValue();
          });
    check(make(Opcode::SignExtend32, bits), {32, 32, 0, 0}, inputs,
          [&](uint64_t a, uint64_t, uint64_t) {
            return APInt(64, a).trunc(bits).sext(64).trunc(32).getZExtValue();
          });
  }
  check(make(Opcode::Truncate), {32, 64, 0, 0}, inputs,
        [](uint64_t a, uint64_t, uint64_t) { return uint32_t(a); });
  check(make(Opcode::ZExtTo64), {64, 32, 0, 0}, inputs,
        [](uint64_t a, uint64_t, uint64_t) { return uint32_t(a); });
  check(make(Opcode::SExtTo64), {64, 32, 0, 0}, inputs,
        [](uint64_t a, uint64_t, uint64_t) { return int64_t(int32_t(a)); });
}

INSTANTIATE_TEST_SUITE_P(Isa, IntegerTest,
                         ::testing::ValuesIn(instructionSets()),
                         [](const auto &info) { return info.param; });

} // namespace
