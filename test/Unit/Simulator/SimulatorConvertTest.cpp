//===- SimulatorConvertTest.cpp -------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Conversions between floating-point types, and between them and integers,
// against llvm::APFloat.
//
//===----------------------------------------------------------------------===//

#include "SimulatorFloatTest.h"

#include "llvm/ADT/APSInt.h"

#include <cmath>

using namespace tileir::sim;
using llvm::APSInt;

namespace {

class ConvertTest : public FloatTest {
protected:
  void checkConversion(Opcode opcode, const FloatType &from,
                       const FloatType &to, std::vector<Inputs> inputs,
                       RoundingMode mode = nearest) {
    check(
        make(opcode,
             int64_t(mode == nearest ? Rounding::Nearest : Rounding::Zero)),
        {to.width, from.width, 0, 0}, inputs,
        [&](uint64_t a, uint64_t, uint64_t) {
          return FloatType::bitsOf(convert(from.get(a), to, mode));
        },
        to.equal());
  }
};

TEST_P(ConvertTest, AllHalves) {
  std::vector<Inputs> all, around;
  for (uint64_t bits = 0; bits < 0x10000; ++bits)
    all.push_back({bits, 0, 0});
  checkConversion(Opcode::CvtF16ToF32, f16, f32, all);
  checkConversion(Opcode::CvtF16ToF64, f16, f64, all);
  checkConversion(Opcode::CvtBF16ToF32, bf16, f32, all);
  checkConversion(Opcode::CvtBF16ToF64, bf16, f64, all);
  // Back, from the numbers themselves, the middles between two, and the floats
  // next to these.
  for (const FloatType &type : {f16, bf16}) {
    std::vector<Inputs> singles, doubles;
    for (const Inputs &in : all) {
      APFloat x = convert(type.get(in[0]), f64), y = x;
      if (x.isNaN())
        continue;
      uint64_t above = FloatType::bitsOf(convert(type.get(in[0] + 1), f64));
      uint64_t middle = x.isInfinity() ? FloatType::bitsOf(x)
                                       : (FloatType::bitsOf(x) + above) / 2;
      y = f64.get(middle);
      uint64_t single = FloatType::bitsOf(convert(y, f32));
      singles.push_back({FloatType::bitsOf(convert(x, f32)), 0, 0});
      for (int offset : {-1, 0, 1}) {
        singles.push_back({single + offset, 0, 0});
        doubles.push_back({middle + offset, 0, 0});
      }
    }
    bool isHalf = type.index == 0;
    checkConversion(isHalf ? Opcode::CvtF32ToF16 : Opcode::CvtF32ToBF16, f32,
                    type, singles);
    checkConversion(isHalf ? Opcode::CvtF32ToF16 : Opcode::CvtF32ToBF16, f32,
                    type, singles, RoundingMode::TowardZero);
    checkConversion(isHalf ? Opcode::CvtF64ToF16 : Opcode::CvtF64ToBF16, f64,
                    type, doubles);
  }
}

TEST_P(ConvertTest, Conversions) {
  std::vector<Inputs> singles = makeInputs(f32, 1),
                      doubles = makeInputs(f64, 1);
  for (unsigned i = 0; i < 10000; ++i) // of sizes that narrow types have
    doubles.push_back({(random() >> 2) % (uint64_t(1) << 60) |
                           uint64_t(0x3) << 60 | random() << 63,
                       0, 0});
  checkConversion(Opcode::CvtF32ToF16, f32, f16, singles);
  checkConversion(Opcode::CvtF32ToBF16, f32, bf16, singles);
  RoundingMode zero = RoundingMode::TowardZero;
  checkConversion(Opcode::CvtF32ToF16, f32, f16, singles, zero);
  checkConversion(Opcode::CvtF32ToBF16, f32, bf16, singles, zero);
  checkConversion(Opcode::CvtF32ToF64, f32, f64, singles);
  checkConversion(Opcode::CvtF64ToF16, f64, f16, doubles);
  checkConversion(Opcode::CvtF64ToBF16, f64, bf16, doubles);
  checkConversion(Opcode::CvtF64ToF32, f64, f32, doubles);
  // tf32 is the upper 19 bits of a float.
  std::vector<Inputs> middles = singles;
  for (const Inputs &in : singles)
    for (uint64_t low : {0xfff, 0x1000, 0x1001})
      middles.push_back({(in[0] & ~uint64_t(0x1fff)) | low, 0, 0});
  const FloatType tf32{&APFloat::FloatTF32(), 32, 0};
  check(
      make(Opcode::CvtF32ToTF32), {32, 32, 0, 0}, middles,
      [&](uint64_t a, uint64_t, uint64_t) {
        return FloatType::bitsOf(
                   convert(f32.get(a), tf32, RoundingMode::NearestTiesToAway))
               << 13;
      },
      f32.equal());
}

/// To f8 saturates: what is too large, infinities too, becomes the largest
/// number.
TEST_P(ConvertTest, F8) {
  struct {
    FloatType type;
    Opcode extend, round;
  } formats[] = {{{&APFloat::Float8E4M3FN(), 32, 0},
                  Opcode::CvtE4M3ToF32,
                  Opcode::CvtF32ToE4M3},
                 {{&APFloat::Float8E5M2(), 32, 0},
                  Opcode::CvtE5M2ToF32,
                  Opcode::CvtF32ToE5M2}};
  for (const auto &format : formats) {
    const FloatType &type = format.type;
    std::vector<Inputs> all, singles = makeInputs(f32, 1);
    for (uint64_t bits = 0; bits < 256; ++bits) {
      all.push_back({bits, 0, 0});
      APFloat low = type.get(bits), high = type.get(bits + 1);
      if (!low.isFinite() || !high.isFinite())
        continue;
      uint64_t x = FloatType::bitsOf(convert(low, f32)),
               y = FloatType::bitsOf(convert(high, f32));
      for (int offset : {-1, 0, 1})
        for (uint64_t middle : {x, (x + y) / 2, y})
          singles.push_back({middle + offset, 0, 0});
    }
    checkConversion(format.extend, type, f32, all);
    check(
        make(format.round), {32, 32, 0, 0}, singles,
        [&](uint64_t a, uint64_t, uint64_t) {
          APFloat x = f32.get(a), y = convert(x, type);
          if (!x.isNaN() && !y.isFinite())
            y = APFloat::getLargest(*type.semantics, x.isNegative());
          return FloatType::bitsOf(y);
        },
        type.equal());
  }
}

struct IntegerType {
  unsigned width, index;
  bool isSigned;
};
const IntegerType integerTypes[] = {
    {32, 0, true}, {32, 1, false}, {64, 2, true}, {64, 3, false}};
/// The conversions of each type: from S32, U32, S64, U64, then to them.
Opcode conversionsOf(const FloatType &type) {
  const Opcode first[] = {Opcode::CvtS32ToF16, Opcode::CvtS32ToBF16,
                          Opcode::CvtS32ToF32, Opcode::CvtS32ToF64};
  return first[type.index];
}

TEST_P(ConvertTest, FromIntegers) {
  std::vector<Inputs> inputs = {{0, 0, 0}};
  for (unsigned bit = 0; bit < 64; ++bit) // next to where they round
    for (uint64_t offset : {0, 1, 2, 3})
      for (unsigned lower = 0; lower <= bit; ++lower)
        for (uint64_t x : {(uint64_t(1) << bit) + (uint64_t(1) << lower)}) {
          inputs.push_back({x + offset - 2, 0, 0});
          inputs.push_back({offset - x, 0, 0});
        }
  for (unsigned i = 0; i < 5000; ++i)
    inputs.push_back({random() >> random() % 64, 0, 0});
  for (const FloatType &type : {f16, bf16, f32, f64})
    for (const IntegerType &from : integerTypes)
      check(
          make(Opcode(unsigned(conversionsOf(type)) + from.index)),
          {type.width, from.width, 0, 0}, inputs,
          [&](uint64_t a, uint64_t, uint64_t) {
            APFloat x(*type.semantics);
            x.convertFromAPInt(APInt(64, a).trunc(from.width), from.isSigned,
                               nearest);
            return FloatType::bitsOf(x);
          },
          type.equal());
}

TEST_P(ConvertTest, ToIntegers) {
  for (const FloatType &type : {f16, bf16, f32, f64}) {
    std::vector<Inputs> inputs = makeInputs(type, 1);
    // Next to powers of two, where integers end.
    for (int exponent = -2; exponent <= 66; ++exponent)
      for (double x : {std::ldexp(1.0, exponent), -std::ldexp(1.0, exponent)})
        for (int offset : {-2, -1, 0, 1, 2}) {
          uint64_t bits = fromDouble(type, x);
          inputs.push_back({bits + offset, 0, 0});
          inputs.push_back({fromDouble(type, x + offset * 0.5), 0, 0});
        }
    for (const IntegerType &to : integerTypes)
      for (unsigned imm : {0, 1, 8, 16, 31, 32, 48, 64, 160, 192}) {
        unsigned bits = imm % unsigned(kNaNIsHighestBit);
        if (bits > to.width)
          continue;
        bits = bits ? bits : to.width;
        uint64_t nan = imm & kNaNIsHighestBit ? uint64_t(1) << (bits - 1) : 0;
        check(make(Opcode(unsigned(conversionsOf(type)) + 4 + to.index), imm),
              {to.width, type.width, 0, 0}, inputs,
              [&](uint64_t a, uint64_t, uint64_t) {
                APSInt result(bits, !to.isSigned);
                bool isExact;
                type.get(a).convertToInteger(result, RoundingMode::TowardZero,
                                             &isExact);
                return type.get(a).isNaN() ? nan : result.getZExtValue();
              });
      }
  }
}

INSTANTIATE_TEST_SUITE_P(Isa, ConvertTest,
                         ::testing::ValuesIn(instructionSets()),
                         [](const auto &info) { return info.param; });

} // namespace
