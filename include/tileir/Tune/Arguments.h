//===- Arguments.h - What programs are tuned on -----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TUNE_ARGUMENTS_H
#define TILEIR_TUNE_ARGUMENTS_H

#include "tileir/Frontend/TritonC/Program.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <map>
#include <string>
#include <vector>

namespace tileir::tune {

/// What the items of `--inputs` are, whatever they hold, as a Purpose has it.
/// Fails if a NumPy file cannot be read.
llvm::Expected<std::map<std::string, std::string>>
describeArguments(llvm::ArrayRef<std::string> items);

/// The names of the arguments of the function of `file` that is run: `entry`,
/// or @main, or the only one. Fails if the file is not right, or has no such
/// function.
llvm::Expected<std::vector<std::string>>
nameArguments(const std::string &file, const triton_c::Options &options,
              llvm::StringRef entry);

} // namespace tileir::tune

#endif // TILEIR_TUNE_ARGUMENTS_H
