//===- Candidates.h - Configurations that a pass compares -------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// einsum-choose-schedule and tile-select-config compare configurations of a
// contraction by a model, and tell the best ones in remarks: the values that a
// tuner chooses from where the user gives none.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TUNE_CANDIDATES_H
#define TILEIR_TUNE_CANDIDATES_H

#include "tileir/Tune/Space.h"

namespace tileir::tune {

/// What stands in a pipeline where a configuration is to be put in.
inline constexpr llvm::StringLiteral kConfigPlace = "config={${config}}";

/// The pipeline that lowers contractions: for this CPU if `chip` is empty.
std::string getDefaultPipeline(llvm::StringRef chip);

/// The values of the parameter `config`, at most `count`, for the MLIR file:
/// what is chosen without tuning, "auto", and then those of the contraction
/// that takes longest. `pipeline` has kConfigPlace. Fails if it does not run,
/// or tells none.
llvm::Expected<Parameter> listConfigs(const std::string &file,
                                      const std::string &pipeline,
                                      unsigned count);

} // namespace tileir::tune

#endif // TILEIR_TUNE_CANDIDATES_H
