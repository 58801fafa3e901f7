//===- Dialects.h - The dialects that tools read ----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TOOLS_DIALECTS_H
#define TILEIR_TOOLS_DIALECTS_H

#include "tileir/InitAllDialects.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"

namespace tileir {

/// Adds the dialects of MLIR with their extensions, and those of TileIR: what
/// tools that do not run programs read.
inline void registerToolDialects(mlir::DialectRegistry &registry) {
  mlir::registerAllDialects(registry);
  mlir::registerAllExtensions(registry);
  tileir::registerAllDialects(registry);
}

} // namespace tileir

#endif // TILEIR_TOOLS_DIALECTS_H
