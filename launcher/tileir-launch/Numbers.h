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
      {"i1", 1},  {"i8", 1},   {"i16", 2}, {"i32", 4}, {"i64", 8},
      {"f16", 2}, {"bf16", 2}, {"f32", 4}, {"f64", 8}, {"index", 8}};
  for (auto [name, bytes] : types)
    if (type == name)
      return bytes;
  return 0;
}

inline bool isFloat(const std::string &type) {
  return type.find('f') != std::string::npos;
}

/// A number in an IEEE-like format of 16 bits, rounded to nearest, ties to
/// even.
inline uint16_t toSixteenBits(double number, int mantissaBits) {
  int exponentBits = 15 - mantissaBits;
  int bias = (1 << (exponentBits - 1)) - 1;
  uint16_t infinity = uint16_t(((1 << exponentBits) - 1) << mantissaBits);
  uint16_t sign = std::signbit(number) ? 0x8000 : 0;
  if (std::isnan(number))
    return infinity | uint16_t(1 << (mantissaBits - 1));
  if (std::isinf(number))
    return sign | infinity;
  // In units of the last place, which is the same for all small numbers.
  int exponent = number == 0 ? 1 - bias : std::ilogb(number);
  exponent = exponent < 1 - bias ? 1 - bias : exponent;
  double units =
      std::nearbyint(std::ldexp(std::fabs(number), mantissaBits - exponent));
  // A mantissa that was rounded up carries into the exponent.
  double bits = units + std::ldexp(exponent + bias - 1, mantissaBits);
  return sign | (bits < infinity ? uint16_t(bits) : infinity);
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
