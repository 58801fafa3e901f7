//===- Workspace.h - Memory of compiled code --------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies of operands and intermediate results live for a call or for a part of
// one, and arrays for a run. The C library would give large ones back to the
// system each time, which has to clear their pages again: this keeps some, per
// thread.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_RUNTIME_WORKSPACE_H
#define TILEIR_RUNTIME_WORKSPACE_H

#include "tileir/Runtime/Jit.h"

#include <cstddef>

namespace tileir::runtime {

/// Memory for compiled code, of any contents. Ends the process if there is
/// none: compiled code cannot be told so, nor be left.
void *allocateWorkspace(size_t size);

/// The same, of zeros: LLVM's optimizer makes such calls of allocations that
/// are filled.
void *allocateZeroedWorkspace(size_t count, size_t size);

/// The same, at a multiple of `alignment`, a power of two.
void *allocateAlignedWorkspace(size_t alignment, size_t size);

/// Takes back what the others gave, in whatever thread.
void releaseWorkspace(void *memory);

/// These as the C library's functions, for Jit::link.
llvm::ArrayRef<HostFunction> getWorkspaceFunctions();

} // namespace tileir::runtime

#endif // TILEIR_RUNTIME_WORKSPACE_H
