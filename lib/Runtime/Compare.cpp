//===- Compare.cpp - Compare arrays, draw arrays --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Runtime/Compare.h"

#include <cmath>

using namespace tileir;
using namespace tileir::runtime;

Difference runtime::compare(const NDArray &got, const NDArray &expected) {
  Difference difference;
  double largestError = -1, largestValue = 0;
  for (int64_t i = 0, e = expected.getNumElements(); i < e; ++i) {
    double g = got.getDouble(i), x = expected.getDouble(i);
    if (std::isfinite(x))
      largestValue = std::max(largestValue, std::fabs(x));
    double error;
    if (isFloat(got.getKind())) {
      bool equal = g == x || (std::isnan(g) && std::isnan(x));
      error = equal ? 0 : std::fabs(g - x);
    } else {
      // 64-bit integers are more precise than doubles.
      int64_t a = got.getInteger(i), b = expected.getInteger(i);
      error = static_cast<double>(static_cast<uint64_t>(std::max(a, b)) -
                                  static_cast<uint64_t>(std::min(a, b)));
    }
    // NaN is the largest error, and the first one stays.
    if (!(error <= largestError) && !std::isnan(largestError)) {
      largestError = error;
      difference.worst = i;
    }
  }
  difference.error = largestError == -1 ? 0 : largestError;
  if (difference.error != 0 && largestValue > 0)
    difference.error /= largestValue;
  return difference;
}

double runtime::getDefaultTolerance(ElementKind kind, int64_t reduction) {
  double root = std::sqrt(static_cast<double>(std::max<int64_t>(reduction, 1)));
  switch (kind) {
  case ElementKind::F64:
    return 1e-13 * root;
  case ElementKind::F32:
    return 1e-5 * root;
  case ElementKind::F16:
    return 1e-3;
  case ElementKind::BF16:
    return 1e-2;
  // A unit of the last place.
  case ElementKind::F8E4M3FN:
    return 0x1p-3;
  case ElementKind::F8E5M2:
    return 0x1p-2;
  default:
    return 0;
  }
}

NDArray RandomArrays::draw(ElementKind kind, llvm::ArrayRef<int64_t> shape,
                           int64_t low, int64_t high) {
  NDArray array(kind, shape);
  uint64_t values = static_cast<uint64_t>(high) - static_cast<uint64_t>(low);
  for (int64_t i = 0, e = array.getNumElements(); i < e; ++i) {
    uint64_t bits = engine();
    // Standard distributions differ between libraries; the engine does not.
    if (isFloat(kind))
      array.setDouble(i, static_cast<double>(bits >> 11) * 0x1p-52 - 1);
    else
      array.setInteger(i, static_cast<uint64_t>(low) +
                              (values + 1 ? bits % (values + 1) : bits));
  }
  return array;
}
