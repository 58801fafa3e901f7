//===- SimReport.h - Report of the simulator on a run -----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_SIM_SIMREPORT_H
#define TILEIR_EXECUTION_SIM_SIMREPORT_H

#include "tileir/Runtime/SimulatorRuntime.h"

#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include <vector>

namespace tileir::execution {

/// The launches of a run, the last if there were several.
struct SimReport {
  const machine::Gpu *chip = nullptr;
  std::vector<sim::LaunchResult> launches;
  /// Whether more was counted than instructions.
  bool isInstrumented = true;
  /// The copies between host and device in that run.
  runtime::CopyCounts copies;

  /// What was found, once for all launches of a kernel.
  std::vector<sim::Finding> getFindings() const;
  size_t getNumFindings() const;
  /// "the simulator found 3 faults (2 shared-race, 1 deadlock)".
  std::string describeFindings() const;
  /// Adds "chip", "launches", "copies", "findings" and "suppressed".
  void addTo(llvm::json::Object &report) const;
  /// The findings in SARIF.
  llvm::json::Value toSarif() const;
  /// A line per launch, or tables.
  void print(llvm::raw_ostream &os, bool asTables) const;
  void printFindings(llvm::raw_ostream &os) const;
  void drawRoofline(llvm::raw_ostream &os) const;
};

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_SIM_SIMREPORT_H
