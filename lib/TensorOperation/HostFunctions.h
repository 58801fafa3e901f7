//===- HostFunctions.h - What operations call -------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_TENSOROPERATION_HOSTFUNCTIONS_H
#define TILEIR_LIB_TENSOROPERATION_HOSTFUNCTIONS_H

#include "llvm/ADT/StringRef.h"

namespace tileir {

/// The function that compiled code calls by `name`, or null.
void *findHostFunction(llvm::StringRef name);

} // namespace tileir

#endif // TILEIR_LIB_TENSOROPERATION_HOSTFUNCTIONS_H
