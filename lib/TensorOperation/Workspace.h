//===- Workspace.h - Memory that operations work in -------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Copies of operands and intermediate results live for a call or for a part of
// one. The C library would give large ones back to the system each time, which
// has to clear their pages again: this keeps some, per thread.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_TENSOROPERATION_WORKSPACE_H
#define TILEIR_LIB_TENSOROPERATION_WORKSPACE_H

#include <cstddef>

namespace tileir::tensor_operation {

/// Memory for compiled code, of any contents. Ends the process if there is
/// none: compiled code cannot be told so, nor be left.
void *allocateWorkspace(size_t size);

/// The same, of zeros: LLVM's optimizer makes such calls of allocations that
/// are filled.
void *allocateZeroedWorkspace(size_t count, size_t size);

/// Takes back what the others gave, in whatever thread.
void releaseWorkspace(void *memory);

} // namespace tileir::tensor_operation

#endif // TILEIR_LIB_TENSOROPERATION_WORKSPACE_H
