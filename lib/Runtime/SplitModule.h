//===- SplitModule.h - Parts of a module, for threads -----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_RUNTIME_SPLITMODULE_H
#define TILEIR_LIB_RUNTIME_SPLITMODULE_H

#include "llvm/ADT/SmallVector.h"

#include <vector>

namespace llvm {
class Module;
} // namespace llvm

namespace tileir::runtime {

/// Modules as bitcode, which a context of its own can read, that are `module`
/// once they are linked: at most `maxParts`, of about the same size. Empty if
/// it is too small, or cannot be divided. `module` is changed: functions that
/// are to be inlined are, and names that were its own are seen outside.
std::vector<llvm::SmallVector<char, 0>> splitModule(llvm::Module &module,
                                                    unsigned maxParts);

} // namespace tileir::runtime

#endif // TILEIR_LIB_RUNTIME_SPLITMODULE_H
