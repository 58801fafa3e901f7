//===- Compare.h - Compare arrays, draw arrays ------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Inputs drawn from a seed, and the error of one array against another: all
// that is needed to check a result against a reference.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_RUNTIME_COMPARE_H
#define TILEIR_RUNTIME_COMPARE_H

#include "tileir/Runtime/NDArray.h"

#include <random>

namespace tileir::runtime {

/// The distance of an array from its reference.
struct Difference {
  /// max |got - expected| / max |expected| (the numerator alone where the
  /// reference is all zero); NaN where one is NaN and the other is not. Equal
  /// infinities and equal NaNs are no error.
  double error = 0;
  /// The element with the largest |got - expected|.
  int64_t worst = 0;

  /// Written so that NaN fails.
  bool isWithin(double tolerance) const { return error <= tolerance; }
};

/// Compares two arrays of the same kind and shape.
Difference compare(const NDArray &got, const NDArray &expected);

/// The tolerance for sums of `reduction` products whose least precise type is
/// `kind`: f64 1e-13 sqrt(K), f32 1e-5 sqrt(K), f16 1e-3, bf16 1e-2, and
/// for results of f8E4M3FN 1/8, of f8E5M2 1/4; integers are exact.
double getDefaultTolerance(ElementKind kind, int64_t reduction);

/// Draws floats uniformly from [-1, 1] and integers from [low, high]. The same
/// seed gives the same values on every machine.
class RandomArrays {
public:
  explicit RandomArrays(uint64_t seed) : engine(seed) {}
  NDArray draw(ElementKind kind, llvm::ArrayRef<int64_t> shape, int64_t low,
               int64_t high);

private:
  std::mt19937_64 engine;
};

} // namespace tileir::runtime

#endif // TILEIR_RUNTIME_COMPARE_H
