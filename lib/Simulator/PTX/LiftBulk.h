//===- LiftBulk.h -----------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parts of `cp`, `st`, `red` and `fence` that Hopper brought.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_PTX_LIFTBULK_H
#define TILEIR_LIB_SIMULATOR_PTX_LIFTBULK_H

#include "PTX/Lifter.h"

namespace tileir::sim::ptx {

/// cp[.reduce].async.bulk, whose modifiers up to here are taken.
bool liftBulk(Lifter &l, Modifiers &m, Operands o, bool reduces);
/// st.async and red.async, whose modifiers up to here are taken.
bool liftStoreAsync(Lifter &l, Modifiers &m, Operands o);
bool liftReduceAsync(Lifter &l, Modifiers &m, Operands o);
/// fence.proxy and fence.mbarrier_init.
bool liftProxyFence(Lifter &l, Modifiers &m, Operands o);

} // namespace tileir::sim::ptx

#endif // TILEIR_LIB_SIMULATOR_PTX_LIFTBULK_H
