//===- CompareTest.cpp - Tests of comparing and drawing arrays ------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Also tests of the conversions of NDArray, which comparing relies on.
//
//===----------------------------------------------------------------------===//

#include "tileir/Runtime/Compare.h"

#include "gtest/gtest.h"

#include <cmath>

using namespace llvm;
using namespace tileir;
using namespace tileir::runtime;

static constexpr double kInf = std::numeric_limits<double>::infinity();
static constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
static constexpr ElementKind kFloats[] = {ElementKind::F16, ElementKind::BF16,
                                          ElementKind::F32, ElementKind::F64};

static NDArray makeFloats(ArrayRef<double> values,
                          ElementKind kind = ElementKind::F64) {
  NDArray array(kind, {static_cast<int64_t>(values.size())});
  for (size_t i = 0; i < values.size(); ++i)
    array.setDouble(i, values[i]);
  return array;
}

static NDArray makeIntegers(ArrayRef<int64_t> values,
                            ElementKind kind = ElementKind::I64) {
  NDArray array(kind, {static_cast<int64_t>(values.size())});
  for (size_t i = 0; i < values.size(); ++i)
    array.setInteger(i, values[i]);
  return array;
}

static void expectDifference(const NDArray &got, const NDArray &expected,
                             double error, int64_t worst) {
  Difference difference = compare(got, expected);
  if (std::isnan(error))
    EXPECT_TRUE(std::isnan(difference.error)) << difference.error;
  else
    EXPECT_EQ(difference.error, error);
  EXPECT_EQ(difference.worst, worst);
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

TEST(CompareTest, Floats) {
  for (ElementKind kind : kFloats) {
    expectDifference(makeFloats({1, 2, 3}, kind), makeFloats({1, 2, 3}, kind),
                     0, 0);
    // Relative to the largest magnitude of the reference, not to the element.
    expectDifference(makeFloats({1, 2, -8}, kind), makeFloats({1, 3, -8}, kind),
                     0.125, 1);
    expectDifference(makeFloats({0, 5, 16}, kind), makeFloats({0, 4, 8}, kind),
                     1, 2);
    expectDifference(makeFloats({0, -0.0}, kind), makeFloats({-0.0, 0}, kind),
                     0, 0);
  }
}

TEST(CompareTest, ZeroReference) {
  expectDifference(makeFloats({0, 0.25, -0.5}), makeFloats({0, 0, 0}), 0.5, 2);
  expectDifference(makeIntegers({0, 3, 0}), makeIntegers({0, 0, 0}), 3, 1);
}

TEST(CompareTest, NaN) {
  expectDifference(makeFloats({1, kNaN, 3}), makeFloats({1, kNaN, 3}), 0, 0);
  expectDifference(makeFloats({1, kNaN, 3}), makeFloats({1, 2, 3}), kNaN, 1);
  expectDifference(makeFloats({1, 2, 3}), makeFloats({1, 2, kNaN}), kNaN, 2);
  // Nothing is worse than the first NaN, whatever comes before and after.
  expectDifference(makeFloats({9, kNaN, kInf, kNaN}), makeFloats({1, 2, 3, 4}),
                   kNaN, 1);
  expectDifference(makeFloats({kNaN}), makeFloats({kInf}), kNaN, 0);
  EXPECT_FALSE(compare(makeFloats({kNaN}), makeFloats({1})).isWithin(kInf));
}

TEST(CompareTest, Infinities) {
  expectDifference(makeFloats({kInf, -kInf, 4}), makeFloats({kInf, -kInf, 2}),
                   1, 2);
  expectDifference(makeFloats({1, kInf}), makeFloats({1, -kInf}), kInf, 1);
  expectDifference(makeFloats({1, kInf}), makeFloats({1, 2}), kInf, 1);
  expectDifference(makeFloats({1, 2}), makeFloats({1, -kInf}), kInf, 1);
  // An infinity in the reference does not make all errors small.
  EXPECT_EQ(compare(makeFloats({kInf, 3}), makeFloats({kInf, 2})).error, 0.5);
  EXPECT_FALSE(compare(makeFloats({kInf}), makeFloats({1})).isWithin(1e300));
}

TEST(CompareTest, Integers) {
  for (ElementKind kind : {ElementKind::I8, ElementKind::I16, ElementKind::I32,
                           ElementKind::I64, ElementKind::Index})
    expectDifference(makeIntegers({-4, 5, 6}, kind),
                     makeIntegers({-8, 5, 6}, kind), 0.5, 0);
  expectDifference(makeIntegers({0, 1}, ElementKind::I1),
                   makeIntegers({0, 0}, ElementKind::I1), 1, 1);
  expectDifference(makeIntegers({INT64_MAX}), makeIntegers({INT64_MIN}), 2, 0);
}

TEST(CompareTest, IntegersThatDoublesCannotHold) {
  constexpr int64_t big = int64_t(1) << 60;
  for (int64_t distance : {1, 3, 50}) {
    Difference difference =
        compare(makeIntegers({7, big + distance}), makeIntegers({7, big}));
    EXPECT_FALSE(difference.isWithin(0)) << distance;
    EXPECT_EQ(difference.worst, 1) << distance;
  }
  EXPECT_TRUE(
      compare(makeIntegers({big + 1}), makeIntegers({big + 1})).isWithin(0));
}

TEST(CompareTest, WorstOfIntegersThatDoublesCannotHold) {
  constexpr int64_t big = int64_t(1) << 60;
  EXPECT_EQ(compare(makeIntegers({9, big + 50}), makeIntegers({7, big})).worst,
            1);
}

TEST(CompareTest, WorstIsTheFirstOfEquals) {
  expectDifference(makeFloats({8, 1, 3, 2}), makeFloats({8, 2, 2, 2}), 0.125,
                   1);
  expectDifference(makeFloats({8, 3, 4, 2}), makeFloats({8, 2, 2, 2}), 0.25, 2);
}

TEST(CompareTest, Empty) {
  NDArray empty(ElementKind::F32, {0, 3});
  expectDifference(empty, empty, 0, 0);
  EXPECT_TRUE(compare(empty, empty).isWithin(0));
  NDArray scalar(ElementKind::F32, {});
  EXPECT_EQ(scalar.getNumElements(), 1);
  expectDifference(scalar, scalar, 0, 0);
}

TEST(CompareTest, DefaultTolerance) {
  EXPECT_DOUBLE_EQ(getDefaultTolerance(ElementKind::F64, 100), 1e-12);
  EXPECT_DOUBLE_EQ(getDefaultTolerance(ElementKind::F32, 400), 2e-4);
  EXPECT_DOUBLE_EQ(getDefaultTolerance(ElementKind::F32, 0), 1e-5);
  EXPECT_DOUBLE_EQ(getDefaultTolerance(ElementKind::F16, 400), 1e-3);
  EXPECT_DOUBLE_EQ(getDefaultTolerance(ElementKind::BF16, 400), 1e-2);
  EXPECT_DOUBLE_EQ(getDefaultTolerance(ElementKind::F8E4M3FN, 400), 0.125);
  EXPECT_DOUBLE_EQ(getDefaultTolerance(ElementKind::F8E5M2, 400), 0.25);
  for (ElementKind kind : {ElementKind::I1, ElementKind::I8, ElementKind::I32,
                           ElementKind::I64, ElementKind::Index})
    EXPECT_EQ(getDefaultTolerance(kind, 400), 0);
}

//===----------------------------------------------------------------------===//
// Elements
//===----------------------------------------------------------------------===//

static uint64_t getBits(double value, ElementKind kind) {
  NDArray array = makeFloats({value}, kind);
  uint64_t bits = 0;
  std::memcpy(&bits, array.getData(), array.getNumBytes());
  return bits;
}

/// What 16 bits mean, from the definition of the formats.
static double decode(uint16_t bits, ElementKind kind) {
  int mantissaBits = kind == ElementKind::F16 ? 10 : 7;
  int bias = kind == ElementKind::F16 ? 15 : 127;
  int mantissa = bits & ((1 << mantissaBits) - 1);
  int exponent = (bits & 0x7fff) >> mantissaBits;
  double magnitude;
  if (exponent == 2 * bias + 1)
    magnitude = mantissa ? kNaN : kInf;
  else if (exponent == 0)
    magnitude = std::ldexp(mantissa, 1 - bias - mantissaBits);
  else
    magnitude = std::ldexp(mantissa + (1 << mantissaBits),
                           exponent - bias - mantissaBits);
  return bits & 0x8000 ? -magnitude : magnitude;
}

TEST(NDArrayTest, RoundsToF16) {
  auto bits = [](double value) { return getBits(value, ElementKind::F16); };
  EXPECT_EQ(bits(0.0), 0u);
  EXPECT_EQ(bits(-0.0), 0x8000u);
  EXPECT_EQ(bits(1), 0x3c00u);
  EXPECT_EQ(bits(-2), 0xc000u);
  EXPECT_EQ(bits(0.1), 0x2e66u);
  EXPECT_EQ(bits(1.0 / 3), 0x3555u);
  // Ties go to even, and rounding does not go through f32.
  EXPECT_EQ(bits(1 + 0x1p-11), 0x3c00u);
  EXPECT_EQ(bits(1 + 0x3p-11), 0x3c02u);
  EXPECT_EQ(bits(1 + 0x1p-11 + 0x1p-40), 0x3c01u);
  EXPECT_EQ(bits(1 + 0x3p-11 - 0x1p-40), 0x3c01u);
  // Overflow.
  EXPECT_EQ(bits(65504), 0x7bffu);
  EXPECT_EQ(bits(65519.999), 0x7bffu);
  EXPECT_EQ(bits(65520), 0x7c00u);
  EXPECT_EQ(bits(-1e300), 0xfc00u);
  EXPECT_EQ(bits(-kInf), 0xfc00u);
  // Subnormals.
  EXPECT_EQ(bits(0x1p-14), 0x0400u);
  EXPECT_EQ(bits(0x1p-14 - 0x1p-24), 0x03ffu);
  EXPECT_EQ(bits(0x1p-14 - 0x1p-25), 0x0400u);
  EXPECT_EQ(bits(0x1p-24), 0x0001u);
  EXPECT_EQ(bits(0x3p-25), 0x0002u);
  EXPECT_EQ(bits(0x1p-25), 0x0000u);
  EXPECT_EQ(bits(0x1.001p-25), 0x0001u);
  EXPECT_EQ(bits(-0x1p-1000), 0x8000u);
}

TEST(NDArrayTest, RoundsToBF16) {
  auto bits = [](double value) { return getBits(value, ElementKind::BF16); };
  EXPECT_EQ(bits(1), 0x3f80u);
  EXPECT_EQ(bits(-2.5), 0xc020u);
  EXPECT_EQ(bits(0.1), 0x3dcdu);
  EXPECT_EQ(bits(3.14159265), 0x4049u);
  EXPECT_EQ(bits(1 + 0x1p-8), 0x3f80u);
  EXPECT_EQ(bits(1 + 0x3p-8), 0x3f82u);
  EXPECT_EQ(bits(1 + 0x1p-8 + 0x1p-40), 0x3f81u);
  EXPECT_EQ(bits(0x1.fep127), 0x7f7fu);
  EXPECT_EQ(bits(0x1.feffffp127), 0x7f7fu);
  EXPECT_EQ(bits(0x1.ffp127), 0x7f80u);
  EXPECT_EQ(bits(-0x1p128), 0xff80u);
  EXPECT_EQ(bits(0x1p-126), 0x0080u);
  EXPECT_EQ(bits(0x1p-133), 0x0001u);
  EXPECT_EQ(bits(0x3p-134), 0x0002u);
  EXPECT_EQ(bits(0x1p-134), 0x0000u);
}

TEST(NDArrayTest, RoundsToF32AndF64) {
  EXPECT_EQ(getBits(0.1, ElementKind::F32), 0x3dcccccdu);
  EXPECT_EQ(getBits(1 + 0x1p-24, ElementKind::F32), 0x3f800000u);
  EXPECT_EQ(getBits(1 + 0x3p-24, ElementKind::F32), 0x3f800002u);
  EXPECT_EQ(getBits(1e39, ElementKind::F32), 0x7f800000u);
  EXPECT_EQ(getBits(0x1p-149, ElementKind::F32), 1u);
  EXPECT_EQ(getBits(0.1, ElementKind::F64), 0x3fb999999999999aull);
}

TEST(NDArrayTest, AllHalfFloatsConvertExactly) {
  for (ElementKind kind : {ElementKind::F16, ElementKind::BF16}) {
    NDArray array(kind, {0x10000});
    for (unsigned bits = 0; bits < 0x10000; ++bits)
      array.as<uint16_t>()[bits] = bits;
    for (unsigned bits = 0; bits < 0x10000; ++bits) {
      double expected = decode(bits, kind), value = array.getDouble(bits);
      if (std::isnan(expected)) {
        ASSERT_TRUE(std::isnan(value)) << bits;
        ASSERT_TRUE(std::isnan(decode(getBits(value, kind), kind))) << bits;
        continue;
      }
      ASSERT_EQ(value, expected) << bits;
      ASSERT_EQ(getBits(value, kind), bits);
    }
  }
}

TEST(NDArrayTest, RoundsHalfFloatsToNearestEven) {
  std::mt19937_64 engine(1);
  for (ElementKind kind : {ElementKind::F16, ElementKind::BF16}) {
    unsigned infinity = kind == ElementKind::F16 ? 0x7c00 : 0x7f80;
    for (int i = 0; i < 100000; ++i) {
      // Between a finite value and the next, often in the middle.
      unsigned lower = engine() % (infinity - 1);
      double low = decode(lower, kind), high = decode(lower + 1, kind);
      double fraction = i % 3 ? (engine() >> 11) * 0x1p-53 : 0.5;
      double value = low + (high - low) * fraction;
      double toLow = value - low, toHigh = high - value;
      bool up = toHigh < toLow || (toHigh == toLow && lower % 2 == 1);
      ASSERT_EQ(getBits(value, kind), lower + up) << value;
      ASSERT_EQ(getBits(-value, kind), (lower + up) | 0x8000) << -value;
    }
  }
}

/// What a byte means, from the definition of the formats.
static double decodeF8(unsigned bits, ElementKind kind) {
  bool isE5M2 = kind == ElementKind::F8E5M2;
  int mantissaBits = isE5M2 ? 2 : 3, bias = isE5M2 ? 15 : 7;
  int mantissa = bits & ((1 << mantissaBits) - 1);
  int exponent = (bits & 0x7f) >> mantissaBits;
  double magnitude = exponent == 0
                         ? std::ldexp(mantissa, 1 - bias - mantissaBits)
                         : std::ldexp(mantissa + (1 << mantissaBits),
                                      exponent - bias - mantissaBits);
  if (isE5M2 && exponent == 31)
    magnitude = mantissa ? kNaN : kInf;
  if (!isE5M2 && (bits & 0x7f) == 0x7f)
    magnitude = kNaN;
  return bits & 0x80 ? -magnitude : magnitude;
}

TEST(NDArrayTest, AllF8ConvertExactly) {
  for (ElementKind kind : {ElementKind::F8E4M3FN, ElementKind::F8E5M2}) {
    NDArray array(kind, {256});
    for (unsigned bits = 0; bits < 256; ++bits)
      array.as<uint8_t>()[bits] = bits;
    for (unsigned bits = 0; bits < 256; ++bits) {
      double expected = decodeF8(bits, kind), value = array.getDouble(bits);
      if (std::isnan(expected)) {
        ASSERT_TRUE(std::isnan(value)) << bits;
        ASSERT_TRUE(std::isnan(decodeF8(getBits(value, kind), kind))) << bits;
        continue;
      }
      ASSERT_EQ(value, expected) << bits;
      ASSERT_EQ(getBits(value, kind), bits);
    }
  }
}

TEST(NDArrayTest, RoundsToF8) {
  auto e4m3 = [](double value) {
    return getBits(value, ElementKind::F8E4M3FN);
  };
  auto e5m2 = [](double value) { return getBits(value, ElementKind::F8E5M2); };
  EXPECT_EQ(e4m3(1), 0x38u);
  EXPECT_EQ(e4m3(1 + 0x1p-4), 0x38u);
  EXPECT_EQ(e4m3(1 + 0x3p-4), 0x3au);
  EXPECT_EQ(e4m3(1 + 0x1p-4 + 0x1p-40), 0x39u);
  EXPECT_EQ(e4m3(0x1p-9), 1u);
  EXPECT_EQ(e4m3(-0x1p-10), 0x80u);
  // No infinities: what is too large becomes NaN.
  EXPECT_EQ(e4m3(448), 0x7eu);
  EXPECT_EQ(e4m3(464), 0x7eu);
  EXPECT_EQ(e4m3(464.001), 0x7fu);
  EXPECT_EQ(e4m3(-kInf), 0xffu);
  EXPECT_EQ(e5m2(1), 0x3cu);
  EXPECT_EQ(e5m2(1 + 0x3p-3), 0x3eu);
  EXPECT_EQ(e5m2(0x1p-16), 1u);
  EXPECT_EQ(e5m2(57344), 0x7bu);
  EXPECT_EQ(e5m2(61439), 0x7bu);
  EXPECT_EQ(e5m2(61440), 0x7cu);
  EXPECT_EQ(e5m2(-kInf), 0xfcu);
}

TEST(NDArrayTest, Integers) {
  auto store = [](ElementKind kind, int64_t value) {
    return makeIntegers({value}, kind).getInteger(0);
  };
  EXPECT_EQ(store(ElementKind::I1, 3), 1);
  EXPECT_EQ(store(ElementKind::I1, 2), 0);
  EXPECT_EQ(store(ElementKind::I8, 0x1ff), -1);
  EXPECT_EQ(store(ElementKind::I8, -128), -128);
  EXPECT_EQ(store(ElementKind::I16, 0x18000), -0x8000);
  EXPECT_EQ(store(ElementKind::I32, 0x180000000), INT32_MIN);
  EXPECT_EQ(store(ElementKind::I64, INT64_MIN), INT64_MIN);
  EXPECT_EQ(store(ElementKind::Index, INT64_MAX), INT64_MAX);
  EXPECT_EQ(makeIntegers({-7}, ElementKind::I8).getDouble(0), -7);
}

TEST(NDArrayTest, Shapes) {
  NDArray array(ElementKind::I16, {2, 3, 4});
  EXPECT_EQ(array.getNumElements(), 24);
  EXPECT_EQ(array.getNumBytes(), 48u);
  for (int64_t i = 0; i < 24; ++i)
    EXPECT_EQ(array.getInteger(i), 0);
  EXPECT_EQ(array.getCoordinates(23), (SmallVector<int64_t>{1, 2, 3}));
  EXPECT_EQ(array.getCoordinates(13), (SmallVector<int64_t>{1, 0, 1}));
  EXPECT_TRUE(NDArray(ElementKind::F64, {}).getCoordinates(0).empty());
  EXPECT_EQ(shapeToString({4, 5}, ElementKind::BF16), "4x5xbf16");
  EXPECT_EQ(shapeToString({}, ElementKind::Index), "index");

  NDArray copy = array;
  copy.setInteger(0, 9);
  EXPECT_EQ(array.getInteger(0), 0);
}

//===----------------------------------------------------------------------===//
// Drawing
//===----------------------------------------------------------------------===//

TEST(RandomArraysTest, EngineIsTheOneOfTheStandard) {
  // The 10000th value that the C++ standard gives for the default seed.
  NDArray array = RandomArrays(5489).draw(ElementKind::I64, {100, 100},
                                          INT64_MIN, INT64_MAX);
  EXPECT_EQ(static_cast<uint64_t>(array.getInteger(9999)) + (uint64_t(1) << 63),
            9981545732273789042u);
}

TEST(RandomArraysTest, PinnedValues) {
  // From an implementation of the engine in Python.
  NDArray integers = RandomArrays(42).draw(ElementKind::I32, {2, 4}, -3, 3);
  EXPECT_EQ(integers.getShape(), (ArrayRef<int64_t>{2, 4}));
  EXPECT_EQ(integers.as<int32_t>(),
            (ArrayRef<int32_t>{3, 0, 2, 1, 3, 3, 1, -3}));
  NDArray doubles = RandomArrays(42).draw(ElementKind::F64, {4}, 0, 0);
  EXPECT_EQ(doubles.as<double>(),
            (ArrayRef<double>{0x1.05477df5bb978p-1, 0x1.1cbc7dcdc9280p-2,
                              0x1.023259fc3979ep-1, -0x1.7474ef01d794cp-1}));
  NDArray floats = RandomArrays(42).draw(ElementKind::F32, {4}, 0, 0);
  EXPECT_EQ(
      floats.as<uint32_t>(),
      (ArrayRef<uint32_t>{0x3f02a3bf, 0x3e8e5e3f, 0x3f01192d, 0xbf3a3a78}));
}

TEST(RandomArraysTest, SameSeedSameValues) {
  RandomArrays one(7), same(7), other(8);
  NDArray first = one.draw(ElementKind::I64, {50}, INT64_MIN, INT64_MAX);
  NDArray second = one.draw(ElementKind::I64, {50}, INT64_MIN, INT64_MAX);
  EXPECT_EQ(
      first.as<int64_t>(),
      same.draw(ElementKind::I64, {50}, INT64_MIN, INT64_MAX).as<int64_t>());
  EXPECT_NE(first.as<int64_t>(), second.as<int64_t>());
  EXPECT_NE(
      first.as<int64_t>(),
      other.draw(ElementKind::I64, {50}, INT64_MIN, INT64_MAX).as<int64_t>());
}

TEST(RandomArraysTest, IntegerRangesAreInclusive) {
  auto drawn = [](ElementKind kind, int64_t low, int64_t high) {
    NDArray array = RandomArrays(3).draw(kind, {4000}, low, high);
    std::set<int64_t> values;
    for (int64_t i = 0; i < array.getNumElements(); ++i)
      values.insert(array.getInteger(i));
    return values;
  };
  EXPECT_EQ(drawn(ElementKind::I32, -2, 2),
            (std::set<int64_t>{-2, -1, 0, 1, 2}));
  EXPECT_EQ(drawn(ElementKind::I1, 0, 1), (std::set<int64_t>{0, 1}));
  EXPECT_EQ(drawn(ElementKind::I64, 5, 5), (std::set<int64_t>{5}));
  EXPECT_EQ(drawn(ElementKind::I8, -128, 127).size(), 256u);
  EXPECT_EQ(drawn(ElementKind::I64, INT64_MAX - 1, INT64_MAX),
            (std::set<int64_t>{INT64_MAX - 1, INT64_MAX}));
  EXPECT_EQ(drawn(ElementKind::I64, INT64_MIN, INT64_MIN + 1),
            (std::set<int64_t>{INT64_MIN, INT64_MIN + 1}));
}

TEST(RandomArraysTest, FullRangeOfI64) {
  NDArray array =
      RandomArrays(3).draw(ElementKind::I64, {4000}, INT64_MIN, INT64_MAX);
  uint64_t seenOne = 0, seenZero = 0;
  for (int64_t value : array.as<int64_t>()) {
    seenOne |= value;
    seenZero |= ~value;
  }
  EXPECT_EQ(seenOne & seenZero, ~uint64_t(0));
}

TEST(RandomArraysTest, FloatsWithinOne) {
  for (ElementKind kind : kFloats) {
    NDArray array = RandomArrays(9).draw(kind, {20000}, 0, 0);
    double least = 1, greatest = -1, sum = 0;
    for (int64_t i = 0; i < array.getNumElements(); ++i) {
      double value = array.getDouble(i);
      ASSERT_LE(std::fabs(value), 1);
      least = std::min(least, value);
      greatest = std::max(greatest, value);
      sum += value;
    }
    // Uniform: close to both ends, with a mean close to 0.
    EXPECT_LT(least, -0.99);
    EXPECT_GT(greatest, 0.99);
    EXPECT_LT(std::fabs(sum / array.getNumElements()), 0.02);
  }
}
