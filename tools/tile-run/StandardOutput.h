//===- StandardOutput.h - What a program prints, in a file ------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Compiled programs print by the C library, the interpreter and the simulator
// by LLVM's streams: what they share is the file descriptor.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TOOLS_TILE_RUN_STANDARDOUTPUT_H
#define TILEIR_TOOLS_TILE_RUN_STANDARDOUTPUT_H

#include "tileir/Execution/Report.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>
#include <unistd.h>

namespace tileir {

/// As long as this lives, standard output is a file.
class StandardOutput {
public:
  llvm::Error redirect(llvm::StringRef path) {
    flush();
    if (path.empty())
      return llvm::Error::success();
    int file;
    if (std::error_code code = llvm::sys::fs::openFileForWrite(path, file))
      return llvm::createStringError("cannot write '" + path +
                                     "': " + code.message());
    saved = dup(STDOUT_FILENO);
    dup2(file, STDOUT_FILENO);
    close(file);
    return llvm::Error::success();
  }

  ~StandardOutput() {
    flush();
    if (saved < 0)
      return;
    dup2(saved, STDOUT_FILENO);
    close(saved);
  }

private:
  static void flush() {
    llvm::outs().flush();
    std::fflush(stdout);
  }

  int saved = -1;
};

/// Runs a program `repeat` times, which prints to `path`.
inline llvm::Expected<execution::RunResult>
measurePrinting(llvm::StringRef path, execution::Executable &executable,
                llvm::ArrayRef<runtime::NDArray> arguments, unsigned repeat,
                execution::RunReport &report) {
  StandardOutput output;
  if (llvm::Error error = output.redirect(path))
    return error;
  return execution::measure(executable, arguments, repeat, report);
}

} // namespace tileir

#endif // TILEIR_TOOLS_TILE_RUN_STANDARDOUTPUT_H
