//===- Half.h - Numbers of f16 on the host ----------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Random operands, and how far results are from each other.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_BENCHMARKS_HALF_H
#define TILEIR_BENCHMARKS_HALF_H

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tileir::bench {

/// The bits of numbers of f16.
using Halves = std::vector<uint16_t>;

constexpr uint16_t kNaN = 0x7fff;

float toFloat(uint16_t half);

/// Uniform in [-1, 1]; the same ones for the same seed.
Halves draw(size_t size, unsigned seed);

/// The largest magnitude; infinite if one is not finite.
double getLargest(const Halves &numbers);

/// The largest difference; NaN if a number is not finite.
double getDifference(const Halves &found, const Halves &reference);

} // namespace tileir::bench

#endif // TILEIR_BENCHMARKS_HALF_H
