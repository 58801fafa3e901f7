//===- PTXFuzzer.cpp -----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any text as a .ptx file: an error, or a module that LLVM's verifier accepts.
//
//===----------------------------------------------------------------------===//

#include "PTX/PTX.h"

#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  // A context keeps types and constants for ever: a new one now and then.
  static std::unique_ptr<LLVMContext> context;
  static unsigned numRuns = 0;
  if (numRuns++ % 1000 == 0)
    context = std::make_unique<LLVMContext>();
  StringRef text(reinterpret_cast<const char *>(data), size);
  auto module = tileir::sim::ptx::liftFile({text, "fuzz.ptx"}, *context);
  if (!module) {
    consumeError(module.takeError());
    return 0;
  }
  if (verifyModule(**module, &errs()))
    abort();
  return 0;
}
