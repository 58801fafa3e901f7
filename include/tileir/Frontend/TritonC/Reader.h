//===- Reader.h - From text to typed trees ----------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_FRONTEND_TRITONC_READER_H
#define TILEIR_FRONTEND_TRITONC_READER_H

#include "tileir/Frontend/TritonC/Program.h"

#include "llvm/Support/LogicalResult.h"

namespace tileir::triton_c {

/// Reads the main file of the sources of `diagnostics` into `program`. Failure
/// if there are errors, which are in `diagnostics`.
llvm::LogicalResult readProgram(const Options &options, Program &program,
                                Diagnostics &diagnostics);

} // namespace tileir::triton_c

#endif // TILEIR_FRONTEND_TRITONC_READER_H
