//===- Numbers.h - Numbers as kernels take them -----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LAUNCH_NUMBERS_H
#define TILEIR_LAUNCH_NUMBERS_H

#include "tileir-launch/Error.h"

#include <cerrno>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>

namespace tileir::launch {

/// The bytes of an element; 0 for a type that no kernel has.
inline size_t getElementBytes(const std::string &type) {
  static const std::pair<const char *, size_t> types[] = {
      {"i1", 1},  {"i8", 1},    {"i16", 2},      {"i32", 4},
      {"i64", 8}, {"f16", 2},   {"bf16", 2},     {"f32", 4},
      {"f64", 8}, {"index", 8}, {"f8E4M3FN", 1}, {"f8E5M2", 1}};
  for (auto [name, bytes] : types)
    if (type == name)
      return bytes;
  return 0;
}

inline bool isFloat(const std::string &type) {
  return type.find('f') != std::string::npos;
}

/// The magnitude of a number in a format of `width` bits with so many in the
/// mantissa, rounded to nearest, ties to even; `overflow` stands for all that
/// is not less, as those bits.
inline uint16_t roundMagnitude(double number, int width, int mantissaBits,
                               uint16_t overflow) {
  int bias = (1 << (width - 2 - mantissaBits)) - 1;
  if (std::isinf(number))
    return overflow;
  // In units of the last place, which is the same for all small numbers.
  int exponent = number == 0 ? 1 - bias : std::ilogb(number);
  exponent = exponent < 1 - bias ? 1 - bias : exponent;
  double units =
      std::nearbyint(std::ldexp(std::fabs(number), mantissaBits - exponent));
  // A mantissa that was rounded up carries into the exponent.
  double bits = units + std::ldexp(exponent + bias - 1, mantissaBits);
  return bits < overflow ? uint16_t(bits) : overflow;
}

/// A number in an IEEE-like format of 16 bits.
inline uint16_t toSixteenBits(double number, int mantissaBits) {
  auto infinity = uint16_t(0x7fff >> mantissaBits << mantissaBits);
  uint16_t sign = std::signbit(number) ? 0x8000 : 0;
  if (std::isnan(number))
    return infinity | uint16_t(1 << (mantissaBits - 1));
  return sign | roundMagnitude(number, 16, mantissaBits, infinity);
}

/// A number as f8E5M2, or with 3 bits in the mantissa as f8E4M3FN, which has
/// NaN instead of infinities.
inline uint8_t toEightBits(double number, int mantissaBits) {
  uint8_t overflow = mantissaBits == 2 ? 0x7c : 0x7f;
  uint8_t sign = std::signbit(number) ? 0x80 : 0;
  if (std::isnan(number))
    return mantissaBits == 2 ? 0x7e : 0x7f;
  return sign | uint8_t(roundMagnitude(number, 8, mantissaBits, overflow));
}

/// The bits of a number, from the lowest on.
inline uint64_t getBits(const std::string &type, double number) {
  uint64_t bits = 0;
  if (type == "f64") {
    std::memcpy(&bits, &number, sizeof(number));
  } else if (type == "f32") {
    float single = float(number);
    std::memcpy(&bits, &single, sizeof(single));
  } else if (type == "f16") {
    bits = toSixteenBits(number, 10);
  } else if (type == "bf16") {
    bits = toSixteenBits(number, 7);
  } else if (type == "f8E5M2") {
    bits = toEightBits(number, 2);
  } else if (type == "f8E4M3FN") {
    bits = toEightBits(number, 3);
  } else {
    bits = uint64_t(int64_t(number));
  }
  return bits;
}

/// Reads a number of a type.
inline Error parseNumber(const std::string &type, const std::string &text,
                         uint64_t &bits) {
  char *end = nullptr;
  errno = 0;
  if (isFloat(type))
    bits = getBits(type, std::strtod(text.c_str(), &end));
  else
    bits = uint64_t(std::strtoll(text.c_str(), &end, 10));
  bool fits = true;
  if (size_t width = 8 * getElementBytes(type); !isFloat(type) && width < 64) {
    int64_t number = int64_t(bits);
    fits = number >= -(int64_t(1) << (width - 1)) &&
           number < (int64_t(1) << width);
  }
  if (text.empty() || *end != '\0' || !fits || (!isFloat(type) && errno))
    return Error("expected a number of type " + type + ", found '" + text +
                 "'");
  return Error();
}

} // namespace tileir::launch

#endif // TILEIR_LAUNCH_NUMBERS_H
