//===- SimOptions.h - Options of --backend=sim ------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TOOLS_TILERUN_SIMOPTIONS_H
#define TILEIR_TOOLS_TILERUN_SIMOPTIONS_H

#include "tileir/Execution/Sim/CudaSource.h"
#include "tileir/Simulator/Simulator.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

#include <array>
#include <optional>
#include <string>

namespace tileir {

/// The options of the simulator, as --help shows them.
extern llvm::cl::OptionCategory simCategory;

struct SimOptions {
  std::string chip; ///< empty: that of the program
  sim::SimulatorOptions simulator;
  /// Blocks, or programs, of a kernel that is launched by itself.
  std::optional<std::array<uint32_t, 3>> grid;
  /// The launch of a kernel by itself on the simulator; nothing for a host
  /// program, and for a kernel of tiles.
  std::optional<sim::LaunchConfig> launch;
  bool counters = false;
  /// Whether memory that a CUDA program has not freed is a fault.
  bool leakCheck = false;
  std::string roofline, sarif;
  execution::CudaOptions cuda;
};

/// What `--chip` says; empty: nothing.
llvm::StringRef getChipOption();

/// Returns the options of the command line. Fails for values that cannot be,
/// and for any of these options but --grid where the backend is another one.
llvm::Expected<SimOptions> getSimOptions(bool isSimulated);

} // namespace tileir

#endif // TILEIR_TOOLS_TILERUN_SIMOPTIONS_H
