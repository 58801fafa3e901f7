//===- RuntimeChecks.h - How compiled code reports --------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The extent of run-time checks, and the names that lowered contractions and
// the runtime agree on.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_EINSUM_IR_RUNTIMECHECKS_H
#define TILEIR_DIALECT_EINSUM_IR_RUNTIMECHECKS_H

#include "llvm/ADT/StringRef.h"

namespace tileir {

/// The properties that compiled contractions verify at run time: none; that
/// sizes agree and that divisors from tables are positive; or every access as
/// well.
enum class RuntimeChecks { None, Sizes, All };

} // namespace tileir

namespace tileir::einsum {

/// The module attribute with the message templates of failed checks: strings in
/// which {0}, {1}, ... stand for the values of a report.
inline constexpr llvm::StringLiteral kCheckSitesAttr("einsum.check_sites");

/// The function that a failed check calls, with the index of its template and a
/// memref<?xi64> of values. See Runtime/CheckReports.h.
inline constexpr llvm::StringLiteral kReportCheckFunction("tileirReportCheck");

} // namespace tileir::einsum

#endif // TILEIR_DIALECT_EINSUM_IR_RUNTIMECHECKS_H
