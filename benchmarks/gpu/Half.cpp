//===- Half.cpp - Numbers of f16 on the host ------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Half.h"

#include "tileir-launch/Numbers.h"

#include <algorithm>
#include <random>

using namespace tileir::bench;

float tileir::bench::toFloat(uint16_t half) {
  static const std::vector<float> table = [] {
    std::vector<float> values(1 << 16);
    for (int bits = 0; bits < 1 << 16; ++bits) {
      int exponent = bits >> 10 & 31, mantissa = bits & 1023;
      float value = exponent ? std::ldexp(float(1024 + mantissa), exponent - 25)
                             : std::ldexp(float(mantissa), -24);
      if (exponent == 31)
        value = mantissa ? NAN : INFINITY;
      values[size_t(bits)] = bits & 0x8000 ? -value : value;
    }
    return values;
  }();
  return table[half];
}

Halves tileir::bench::draw(size_t size, unsigned seed) {
  // Large operands are made of some drawn numbers, each time from another one
  // on: what is drawn is exact in f16, and drawing is not what is measured.
  constexpr size_t kDrawn = 999983; // A prime: no row begins as another does.
  static const Halves drawn = [] {
    Halves numbers(kDrawn);
    std::mt19937_64 generator(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    for (uint16_t &number : numbers)
      number = launch::toSixteenBits(uniform(generator), 10);
    return numbers;
  }();
  Halves numbers(size);
  size_t next = size_t(seed) * 7919 % kDrawn;
  for (uint16_t &number : numbers) {
    number = drawn[next];
    next = next + 1 < kDrawn ? next + 1 : 0;
  }
  return numbers;
}

double tileir::bench::getLargest(const Halves &numbers) {
  double largest = 0;
  for (uint16_t number : numbers) {
    double magnitude = std::fabs(toFloat(number));
    if (!std::isfinite(magnitude))
      return INFINITY;
    largest = std::max(largest, magnitude);
  }
  return largest;
}

double tileir::bench::getDifference(const Halves &found,
                                    const Halves &reference) {
  double largest = 0;
  for (size_t i = 0; i < found.size(); ++i) {
    double difference = std::fabs(toFloat(found[i]) - toFloat(reference[i]));
    if (!std::isfinite(difference))
      return NAN;
    largest = std::max(largest, difference);
  }
  return largest;
}
