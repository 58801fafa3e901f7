//===- Backend.cpp - Where programs run -----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Backends.h"

using namespace tileir;
using namespace tileir::execution;
using llvm::Expected;

Expected<std::unique_ptr<Backend>>
execution::createBackend(llvm::StringRef name, BackendOptions options) {
  if (name == "interp")
    return createInterpBackend(std::move(options));
  if (name == "cpu")
    return createCpuBackend(std::move(options));
  if (name == "sim")
    return createSimBackend(std::move(options));
  if (name == "cuda")
    return createCudaBackend(std::move(options));
  return llvm::createStringError(
      "backend: expected 'interp', 'cpu', 'sim' or 'cuda', found '" + name +
      "'");
}
