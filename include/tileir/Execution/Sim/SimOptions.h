//===- SimOptions.h - How programs are simulated ---------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_SIM_SIMOPTIONS_H
#define TILEIR_EXECUTION_SIM_SIMOPTIONS_H

#include "tileir/Simulator/Simulator.h"

#include "llvm/ADT/StringRef.h"

#include <array>
#include <optional>
#include <string>

namespace tileir::execution {

/// The chip of programs that name none.
constexpr llvm::StringLiteral kDefaultChip = "sm_80";

struct SimOptions {
  std::string chip; ///< empty: that of the program
  sim::SimulatorOptions simulator;
  /// Blocks, or programs, of a kernel that is launched by itself.
  std::optional<std::array<uint32_t, 3>> grid;
  /// The launch of a kernel by itself on the simulator; nothing for a host
  /// program.
  std::optional<sim::LaunchConfig> launch;
  bool counters = false;
  std::string roofline;
};

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_SIM_SIMOPTIONS_H
