//===- SimOptions.h - Options of --backend=sim ------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TOOLS_TILERUN_SIMOPTIONS_H
#define TILEIR_TOOLS_TILERUN_SIMOPTIONS_H

#include "tileir/Execution/Sim/SimOptions.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

namespace tileir {

/// The options of the simulator, as --help shows them.
extern llvm::cl::OptionCategory simCategory;

/// What the command line says. Fails for values that cannot be, and for any of
/// these options but --grid where the backend is another one.
llvm::Expected<execution::SimOptions> getSimOptions(bool isSimulated);

} // namespace tileir

#endif // TILEIR_TOOLS_TILERUN_SIMOPTIONS_H
