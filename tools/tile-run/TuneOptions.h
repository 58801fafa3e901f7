//===- TuneOptions.h - tile-run beside tile-tune ----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What tile-tune found may be asked for; and runs that it starts at once wait
// for each other.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TOOLS_TILERUN_TUNEOPTIONS_H
#define TILEIR_TOOLS_TILERUN_TUNEOPTIONS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tileir {

/// Options of tile-run beside tile-tune, as --help shows them.
extern llvm::cl::OptionCategory tuneCategory;

/// Whether --tuned is given.
bool asksForTuned();

/// The options that were fastest for `file`, run by `backend` with `inputs`;
/// none, and a warning, if that is not known.
llvm::Expected<std::vector<std::string>>
findTunedOptions(llvm::StringRef file, llvm::StringRef backend,
                 llvm::ArrayRef<std::string> inputs);

/// Runs share the lock of --measure-lock; one that is timed has it alone.
enum class MeasureLock { Shared, Alone };

/// Waits for the lock, if there is one.
llvm::Error lockMeasurement(MeasureLock lock);

} // namespace tileir

#endif // TILEIR_TOOLS_TILERUN_TUNEOPTIONS_H
