//===- EinsumToAffine.h - Lower einsum.contract to loops --------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_EINSUMTOAFFINE_EINSUMTOAFFINE_H
#define TILEIR_CONVERSION_EINSUMTOAFFINE_EINSUMTOAFFINE_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace tileir {

/// What convert-einsum-to-affine verifies at run time.
enum class RuntimeChecks { None, Sizes, All };

/// The module attribute with the message templates of failed checks: strings in
/// which {0}, {1}, ... stand for the values of a report.
inline constexpr llvm::StringLiteral kCheckSitesAttr("einsum.check_sites");

/// The function that a failed check calls, with the index of its template and a
/// memref<?xi64> of values. See Runtime/CheckReports.h.
inline constexpr llvm::StringLiteral kReportCheckFunction("tileirReportCheck");

} // namespace tileir

#endif // TILEIR_CONVERSION_EINSUMTOAFFINE_EINSUMTOAFFINE_H
