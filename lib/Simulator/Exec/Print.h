//===- Print.h --------------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What kernels print by vprintf: each call of each thread, put in order when
// the launch has ended.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_EXEC_PRINT_H
#define TILEIR_LIB_SIMULATOR_EXEC_PRINT_H

#include "Exec/Warp.h"

namespace tileir::sim {

/// The handler of Opcode::Print.
const Instr *print(Warp &warp, const Instr *instr);

/// All that the workers' blocks printed, by block, then thread, then time, and
/// at most `limit` bytes: the rest is counted.
std::string takePrinted(std::vector<Worker> &workers, uint64_t limit);

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_EXEC_PRINT_H
