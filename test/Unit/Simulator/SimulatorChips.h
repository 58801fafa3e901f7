//===- SimulatorChips.h -----------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Chips and counters by name, for tests of what is reported of them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TEST_UNIT_SIMULATOR_SIMULATORCHIPS_H
#define TILEIR_TEST_UNIT_SIMULATOR_SIMULATORCHIPS_H

#include "tileir/Simulator/Report.h"

namespace tileir::sim::test {

inline const machine::Gpu &chip(llvm::StringRef name) {
  return *llvm::cantFail(machine::getGpu(name));
}

inline uint64_t &of(Counters &counters, InstrClass instrClass) {
  return counters.warpInstructions[unsigned(instrClass)];
}

} // namespace tileir::sim::test

#endif // TILEIR_TEST_UNIT_SIMULATOR_SIMULATORCHIPS_H
