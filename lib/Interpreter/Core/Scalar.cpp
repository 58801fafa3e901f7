//===- Scalar.cpp - Values of one element ---------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Integers wrap at their width. f16 and bf16 are converted by hand: they are
// rounded in inner loops of contractions, where APFloat would take most of the
// time. f8 and tf32, in which no sums are formed, are left to APFloat.
//
//===----------------------------------------------------------------------===//

#include "Core/Scalar.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace llvm;
using namespace tileir;
using namespace tileir::interp;
using namespace tileir::runtime;

unsigned interp::getWidth(ElementKind kind) {
  return kind == ElementKind::I1 ? 1 : 8 * getElementSize(kind);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

Scalar interp::makeInteger(ElementKind kind, int64_t value) {
  if (kind == ElementKind::I1)
    return {kind, value & 1};
  return {kind, SignExtend64(value, getWidth(kind))};
}

int64_t interp::toSigned(Scalar scalar) {
  return scalar.kind == ElementKind::I1 ? -scalar.bits : scalar.bits;
}

uint64_t interp::toUnsigned(Scalar scalar) {
  return static_cast<uint64_t>(scalar.bits) &
         maskTrailingOnes<uint64_t>(getWidth(scalar.kind));
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

namespace {
/// The properties that distinguish the two 16-bit formats.
struct Format {
  int precision;   // bits of the significand, with the implicit one
  int minExponent; // of normal numbers
};
} // namespace

static Format getFormat(ElementKind kind) {
  return kind == ElementKind::F16 ? Format{11, -14} : Format{8, -126};
}

double interp::roundTo(ElementKind kind, double value) {
  if (kind == ElementKind::F64)
    return value;
  if (kind == ElementKind::F32)
    return static_cast<float>(value);
  if (isF8(kind))
    return toDouble(makeFloat(kind, APFloat(value)));
  if (!std::isfinite(value))
    return value;
  Format format = getFormat(kind);
  // The spacing of the format at `value` is 2^quantum. Adding and subtracting
  // a number whose spacing in double is the same rounds to a multiple of it.
  int exponent = int(bit_cast<uint64_t>(value) >> 52 & 0x7ff) - 1023;
  int quantum = std::max(exponent, format.minExponent) - (format.precision - 1);
  double shifter = 1.5 * bit_cast<double>(uint64_t(quantum + 52 + 1023) << 52);
  double rounded = (value + shifter) - shifter;
  // The first power of two after the largest number, 2^(1 - minExponent) * 2.
  double overflow =
      bit_cast<double>(uint64_t(2 - format.minExponent + 1023) << 52);
  if (std::fabs(rounded) >= overflow)
    rounded = HUGE_VAL;
  return std::copysign(rounded, value);
}

/// Encodes a number of a 16-bit format, which it has to be.
static uint16_t encode(Format format, double value) {
  uint64_t bits = bit_cast<uint64_t>(value);
  uint16_t sign = bits >> 63 << 15;
  int fraction = format.precision - 1;
  uint64_t mantissa =
      bits >> (52 - fraction) & maskTrailingOnes<uint64_t>(fraction);
  uint16_t infinity = 0x7fff & ~maskTrailingOnes<uint16_t>(fraction);
  if (std::isnan(value)) // quiet, with what fits of the payload
    return sign | infinity | uint16_t(1) << (fraction - 1) | mantissa;
  if (std::isinf(value))
    return sign | infinity;
  int exponent = int(bits >> 52 & 0x7ff) - 1023;
  if (exponent < format.minExponent)
    return sign | uint16_t(std::ldexp(std::fabs(value),
                                      fraction - format.minExponent));
  return sign | uint16_t(exponent - format.minExponent + 1) << fraction |
         mantissa;
}

/// The number that `bits` encode in a 16-bit format.
static double decode(Format format, uint16_t bits) {
  int fraction = format.precision - 1;
  uint64_t mantissa = bits & maskTrailingOnes<uint16_t>(fraction);
  int biased = (bits & 0x7fff) >> fraction;
  uint64_t sign = uint64_t(bits >> 15) << 63;
  if (biased == 0) {
    double value = std::ldexp(double(mantissa), format.minExponent - fraction);
    return sign ? -value : value;
  }
  bool special = biased == 0x7fff >> fraction;
  uint64_t exponent = special ? 0x7ff : biased - 1 + format.minExponent + 1023;
  return bit_cast<double>(sign | exponent << 52 | mantissa << (52 - fraction));
}

Scalar interp::makeFloat(ElementKind kind, double value) {
  switch (kind) {
  case ElementKind::F64:
    return {kind, bit_cast<int64_t>(value)};
  case ElementKind::F32:
    return {kind, bit_cast<uint32_t>(static_cast<float>(value))};
  case ElementKind::F8E4M3FN:
  case ElementKind::F8E5M2:
    return makeFloat(kind, APFloat(value));
  default:
    return {kind, encode(getFormat(kind), roundTo(kind, value))};
  }
}

double interp::toDouble(Scalar scalar) {
  switch (scalar.kind) {
  case ElementKind::F64:
    return bit_cast<double>(scalar.bits);
  case ElementKind::F32:
    return bit_cast<float>(static_cast<uint32_t>(scalar.bits));
  case ElementKind::F8E4M3FN:
  case ElementKind::F8E5M2: {
    APFloat value = toAPFloat(scalar);
    bool losesInfo;
    value.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
    return value.convertToDouble();
  }
  default:
    return decode(getFormat(scalar.kind), static_cast<uint16_t>(scalar.bits));
  }
}

APFloat interp::toAPFloat(Scalar scalar) {
  return APFloat(getSemantics(scalar.kind),
                 APInt(getWidth(scalar.kind), toUnsigned(scalar)));
}

Scalar interp::makeFloat(ElementKind kind, const APFloat &value) {
  APFloat rounded = value;
  bool losesInfo;
  rounded.convert(getSemantics(kind), APFloat::rmNearestTiesToEven, &losesInfo);
  return {kind, static_cast<int64_t>(rounded.bitcastToAPInt().getZExtValue())};
}

float interp::roundToTF32(float value) {
  APFloat rounded(value);
  bool losesInfo;
  rounded.convert(APFloat::FloatTF32(), APFloat::rmNearestTiesToAway,
                  &losesInfo);
  rounded.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven,
                  &losesInfo);
  return rounded.convertToFloat();
}

std::string interp::toString(Scalar scalar) {
  if (!isFloat(scalar.kind))
    return std::to_string(scalar.bits);
  SmallString<24> text;
  toAPFloat(scalar).toString(text);
  return std::string(text);
}
