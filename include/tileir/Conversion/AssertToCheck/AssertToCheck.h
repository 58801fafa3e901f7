//===- AssertToCheck.h - Assertions as run-time checks ----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// convert-assert-to-check: assertions become run-time checks.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_ASSERTTOCHECK_ASSERTTOCHECK_H
#define TILEIR_CONVERSION_ASSERTTOCHECK_ASSERTTOCHECK_H

#include "mlir/Pass/Pass.h"

namespace tileir {

#define GEN_PASS_DECL_CONVERTASSERTTOCHECKPASS
#include "tileir/Conversion/Passes.h.inc"

} // namespace tileir

#endif // TILEIR_CONVERSION_ASSERTTOCHECK_ASSERTTOCHECK_H
