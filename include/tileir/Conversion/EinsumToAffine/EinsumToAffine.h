//===- EinsumToAffine.h - Lower einsum.contract to loops --------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_EINSUMTOAFFINE_EINSUMTOAFFINE_H
#define TILEIR_CONVERSION_EINSUMTOAFFINE_EINSUMTOAFFINE_H

namespace tileir {

/// What convert-einsum-to-affine verifies at run time.
enum class RuntimeChecks { None, Sizes, All };

} // namespace tileir

#endif // TILEIR_CONVERSION_EINSUMTOAFFINE_EINSUMTOAFFINE_H
