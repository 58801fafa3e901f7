//===- CreateSimulator.h - Simulators as options say ------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_EXECUTION_SIM_CREATESIMULATOR_H
#define TILEIR_LIB_EXECUTION_SIM_CREATESIMULATOR_H

#include "tileir/Execution/Backend.h"

namespace tileir::execution {

/// A simulator as the options say, which optimizes kernels or not.
llvm::Expected<std::unique_ptr<sim::Simulator>>
createSimulator(const BackendOptions &options, llvm::StringRef chip,
                bool optimize);

/// The report of a run that launched `launches`.
inline SimReport makeReport(const sim::Simulator &simulator,
                            std::vector<sim::LaunchResult> launches,
                            runtime::CopyCounts copies = {}) {
  return {&simulator.getChip(), std::move(launches),
          simulator.getOptions().instrument, copies};
}

} // namespace tileir::execution

#endif // TILEIR_LIB_EXECUTION_SIM_CREATESIMULATOR_H
