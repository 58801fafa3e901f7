//===- ResidentBlocks.h -----------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A worker runs Launch::numResident blocks in turns: one, unless the launch
// promises them that they are resident together and may wait for each other.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_EXEC_RESIDENTBLOCKS_H
#define TILEIR_LIB_SIMULATOR_EXEC_RESIDENTBLOCKS_H

#include "Exec/Warp.h"

#include "llvm/ADT/ArrayRef.h"

namespace tileir::sim {

/// Makes the blocks of a worker whose launch is set, with warps, registers and
/// memory. `presets` are the values of Program::presets.
void makeResidentBlocks(Worker &worker, llvm::ArrayRef<uint64_t> presets);
void freeResidentBlocks(Worker &worker);

/// Runs the blocks from number `first` of the grid on to their ends, or until
/// one of them is aborted.
void runResidentBlocks(Worker &worker, uint64_t first);

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_EXEC_RESIDENTBLOCKS_H
