//===- TritonCFuzzer.cpp - Any text as a Triton-C file --------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An error, or a typed tree.
//
//===----------------------------------------------------------------------===//

#include "tileir/Frontend/TritonC/Reader.h"

#include "llvm/Support/raw_ostream.h"

using namespace tileir::triton_c;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef text(reinterpret_cast<const char *>(data), size);
  // What is included comes from files of this machine.
  if (text.contains("include"))
    return 0;
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy(text, "fuzz.c"), llvm::SMLoc());
  Options options;
  options.definitions = {"TM=32", "TYPE=float", "AXES=:,newaxis"};
  Diagnostics diagnostics(sources);
  Program program;
  bool isRight = succeeded(readProgram(options, program, diagnostics));
  if (isRight == diagnostics.hasErrors())
    abort();
  llvm::raw_null_ostream nowhere;
  diagnostics.print(nowhere);
  return 0;
}
