//===- PTX.h ----------------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX as input of the simulator: as inline assembly of LLVM IR and as a file.
// Both become LLVM IR that the decoder knows. What is not known stays in it as
// a marker until its kernel is asked for.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_PTX_PTX_H
#define TILEIR_LIB_SIMULATOR_PTX_PTX_H

#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <memory>
#include <optional>
#include <string>

namespace tileir::sim::ptx {

/// Replaces all inline assembly of a kernel by LLVM IR (InlineAssembly.cpp).
void liftInlineAssembly(llvm::Function &kernel);

/// All that is not known in a lifted kernel as one error, a line each
/// (Lifter.cpp).
llvm::Error reportUnsupported(const llvm::Function &kernel);

/// Makes a module of a file (LiftFile.cpp). An error begins with its name and
/// the line.
llvm::Expected<std::unique_ptr<llvm::Module>>
liftFile(llvm::MemoryBufferRef file, llvm::LLVMContext &context);

/// Rewrites numbers that newer versions of LLVM print as this one reads them
/// (NormalizeText.cpp). Nothing: there are none.
std::optional<std::string> normalizeText(llvm::StringRef ir);

} // namespace tileir::sim::ptx

#endif // TILEIR_LIB_SIMULATOR_PTX_PTX_H
