//===- Report.h - Counters as tables, JSON, pictures, estimates -*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Estimates are of the model of time that all cost models share (Estimate.h).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_SIMULATOR_REPORT_H
#define TILEIR_SIMULATOR_REPORT_H

#include "tileir/Simulator/Counters.h"
#include "tileir/Target/Gpu/Estimate.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace tileir::sim {

/// A table that fits 100 columns: summary, instruction mix, accesses, lines.
void printCounters(const LaunchCounters &counters, const machine::Gpu &chip,
                   llvm::raw_ostream &os);
llvm::json::Value toJSON(const LaunchCounters &counters,
                         const machine::Gpu &chip);
llvm::json::Value toJSON(const Finding &finding);
/// Findings in SARIF 2.1.0, for editors and code hosts.
llvm::json::Value toSarif(llvm::ArrayRef<Finding> findings);
/// A roofline picture: arithmetic intensity (flop/byte of global memory)
/// against Gflop/s, one point per launch.
void drawRoofline(llvm::ArrayRef<LaunchCounters> launches,
                  const machine::Gpu &chip, llvm::raw_ostream &os);

} // namespace tileir::sim

#endif // TILEIR_SIMULATOR_REPORT_H
