//===- LiftAccess.h ---------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What loads, stores and atomic operations say of space, order and scope.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_PTX_LIFTACCESS_H
#define TILEIR_LIB_SIMULATOR_PTX_LIFTACCESS_H

#include "PTX/Lifter.h"

#include "llvm/Support/AtomicOrdering.h"

namespace tileir::sim::ptx {

/// Takes the space of an access; generic if none is named. Nothing: one that
/// is not simulated.
std::optional<unsigned> takeSpace(Modifiers &m);

/// Takes cta, cluster, gpu or sys; `otherwise` if there is none.
llvm::SyncScope::ID takeScope(Lifter &l, Modifiers &m,
                              llvm::StringRef otherwise);

/// Takes v2, v4 or v8: the number of elements, 1 if there is none.
unsigned takeLanes(Modifiers &m);

/// The address of a parameter by value of which `address`, an i64, may be the
/// low 32 bits only: what LLVM writes with short pointers takes its offset as
/// such.
llvm::Value *widenParameter(Lifter &l, llvm::Value *address);

/// The elements of a list, or the operand itself.
llvm::ArrayRef<Operand> getLanes(const Operand &operand);

} // namespace tileir::sim::ptx

#endif // TILEIR_LIB_SIMULATOR_PTX_LIFTACCESS_H
