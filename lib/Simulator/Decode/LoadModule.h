//===- LoadModule.h ---------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The steps from parsed LLVM IR to a module whose kernels can be decoded.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_DECODE_LOADMODULE_H
#define TILEIR_LIB_SIMULATOR_DECODE_LOADMODULE_H

#include "tileir/Simulator/DeviceMemory.h"
#include "tileir/Target/Gpu/Gpu.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/AsmParser/AsmParserContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

namespace tileir::sim {

/// The target of modules that name none.
constexpr llvm::StringLiteral kTargetTriple = "nvptx64-nvidia-cuda";

/// Whether a function is a kernel that the module defines.
bool isKernel(const llvm::Function &function);

/// Makes the lines of LLVM IR text the source locations of its instructions,
/// unless it has debug information (SourceLines.cpp). `name` is the file.
void addSourceLines(llvm::Module &module, const llvm::AsmParserContext &places,
                    llvm::StringRef name);

/// Does to the module what happens before PTX is emitted: inlines all calls,
/// optimizes if asked to, finds address spaces, makes accesses wide
/// (PrepareModule.cpp).
llvm::Error prepareModule(llvm::Module &module, const machine::Gpu &chip,
                          bool optimize);

/// Gives the global variables in global and constant memory their place in
/// device memory and their initial values; `addresses` gets them by name
/// (Globals.cpp).
llvm::Error allocateGlobals(const llvm::Module &module, DeviceMemory &memory,
                            llvm::StringMap<uint64_t> &addresses);

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_DECODE_LOADMODULE_H
