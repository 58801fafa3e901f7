//===- JSONText.h - Text in JSON --------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_REPORT_JSONTEXT_H
#define TILEIR_LIB_SIMULATOR_REPORT_JSONTEXT_H

#include "llvm/Support/JSON.h"

namespace tileir::sim {

/// Names and paths are any bytes; JSON is UTF-8.
inline llvm::json::Value toText(llvm::StringRef text) {
  return llvm::json::isUTF8(text) ? text.str() : llvm::json::fixUTF8(text);
}

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_REPORT_JSONTEXT_H
