//===- Space.h - What a tuner chooses from ----------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Parameters, and the configurations that give a value to each of them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TUNE_SPACE_H
#define TILEIR_TUNE_SPACE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace tileir::tune {

/// What may have several values: a macro of a Triton-C file, or what `${name}`
/// stands for in options.
struct Parameter {
  std::string name;
  std::vector<std::string> values;
  bool isMacro = false;
  /// What a model predicts for each value, as it may for those that a pass
  /// lists: less is faster.
  std::vector<double> predictions;
};

/// A value for each parameter.
using Configuration = std::vector<std::string>;

/// What the command line says of a space.
struct SpaceOptions {
  std::string file;
  /// -D and -I, as they are given.
  std::vector<std::string> definitions, includeFolders;
  /// "name=value|value", each.
  std::vector<std::string> lists;
  /// Parameters that are known already.
  std::vector<Parameter> parameters;
  /// A condition as of `#if`, on parameters; empty: none.
  std::string where;
};

class Space {
public:
  /// Messages that have a line go to stderr.
  static llvm::Expected<Space> read(const SpaceOptions &options);

  llvm::ArrayRef<Parameter> getParameters() const { return parameters; }
  /// Those that the condition holds for.
  llvm::ArrayRef<Configuration> getConfigurations() const {
    return configurations;
  }
  /// How many others there are.
  size_t getNumExcluded() const { return numExcluded; }

  /// What is predicted for one; 0 if nothing is.
  double getPrediction(const Configuration &configuration) const;
  /// "TM=32 stages=2"
  std::string describe(const Configuration &configuration) const;
  /// `text` with values for `${name}`.
  std::string substitute(llvm::StringRef text,
                         const Configuration &configuration) const;
  /// The options of tile-run that define macros: -DTM=32.
  std::vector<std::string>
  getDefinitions(const Configuration &configuration) const;

private:
  llvm::Error addMacros(const SpaceOptions &options);
  llvm::Error addLists(const SpaceOptions &options);
  llvm::Error choose(const std::string &where);

  std::vector<Parameter> parameters;
  /// Definitions without a list.
  std::vector<std::string> fixed;
  std::vector<Configuration> configurations;
  size_t numExcluded = 0;
};

} // namespace tileir::tune

#endif // TILEIR_TUNE_SPACE_H
