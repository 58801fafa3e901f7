//===- Tuned.h - Operations and the results of tile-tune --------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An operation is tuned as a program: a file that tile-tune measures, and by
// whose text its result is found again.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_TENSOROPERATION_TUNED_H
#define TILEIR_LIB_TENSOROPERATION_TUNED_H

#include "Module.h"

namespace tileir::tensor_operation {

/// The text of a program that does what a module does, before any pass: its
/// function takes memrefs without layouts, of the elements from the first to
/// the last one of each argument.
std::string printProgram(const OperationModule &module);

/// The `config` that was found to be fastest for a module, before any pass, on
/// this CPU; empty if none is known. `path` is the file of results, or empty:
/// that of the user. Fails if it cannot be read.
llvm::Expected<std::string> findTunedConfig(const OperationModule &module,
                                            const std::string &path);

} // namespace tileir::tensor_operation

#endif // TILEIR_LIB_TENSOROPERATION_TUNED_H
