//===- Approximations.h - Parts of cpu-approximate-math ---------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_DIALECT_MATH_TRANSFORMS_APPROXIMATIONS_H
#define TILEIR_LIB_DIALECT_MATH_TRANSFORMS_APPROXIMATIONS_H

#include "mlir/IR/PatternMatch.h"

namespace tileir::math_transforms {

/// sin and cos of vectors of f32.
void populateSinePatterns(mlir::RewritePatternSet &patterns);

} // namespace tileir::math_transforms

#endif // TILEIR_LIB_DIALECT_MATH_TRANSFORMS_APPROXIMATIONS_H
