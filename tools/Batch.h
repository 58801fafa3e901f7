//===- Batch.h - Many command lines of one tool -----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tool needs longer to load LLVM and MLIR than to run a small program. With
// `--batch` as its only argument it loads them once.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TOOLS_BATCH_H
#define TILEIR_TOOLS_BATCH_H

#include "llvm/ADT/STLFunctionalExtras.h"

namespace tileir {

/// Whether a command line is `tool --batch`.
bool isBatch(int argc, char **argv);

/// Reads command lines from standard input, words as a shell splits them,
/// without the name of the tool. Each is run by `run`, in a process of its own
/// that is forked from this one, so that they share no state and one may crash;
/// after its output comes a line on standard output, "[batch] " and its exit
/// status, which is -N after signal N. This process may have no threads.
int runBatch(char *tool, llvm::function_ref<int(int, char **)> run);

} // namespace tileir

#endif // TILEIR_TOOLS_BATCH_H
