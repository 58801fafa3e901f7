//===- Report.h - What tile-run says of a run -------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_REPORT_H
#define TILEIR_EXECUTION_REPORT_H

#include "tileir/Execution/Check.h"
#include "tileir/Execution/Sim/SimReport.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <optional>
#include <string>
#include <vector>

namespace tileir::execution {

struct RunReport {
  std::string file, entry, backend;
  double compileSeconds = 0;
  std::vector<double> seconds; // per run
  std::optional<double> flops;
  llvm::json::Array contractions;
  std::optional<CheckOutcome> check;
  std::optional<SimReport> sim;

  double getMedianSeconds() const;
  llvm::json::Value toJSON() const;
  void print(llvm::raw_ostream &os) const;
};

/// The contractions of the module, {"spec": ..., "sizes": {letter: size}}; null
/// where a size is not static.
llvm::json::Array listContractions(mlir::ModuleOp module);

/// The additions and multiplications of all contractions of `module`, after
/// einsum-contract-pairwise; nothing if a size is not static or if there is no
/// arithmetic.
std::optional<double> countFlops(mlir::ModuleOp module);

/// Writes a file, unless its name is empty.
llvm::Error writeFile(llvm::StringRef path,
                      llvm::function_ref<void(llvm::raw_ostream &)> write);

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_REPORT_H
