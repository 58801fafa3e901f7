//===- Summarize.h ----------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Makes the Counters of a launch of what its workers counted.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_REPORT_SUMMARIZE_H
#define TILEIR_LIB_SIMULATOR_REPORT_SUMMARIZE_H

#include "Exec/Warp.h"

#include "llvm/ADT/ArrayRef.h"

namespace tileir::sim {

/// The counters of a launch whose workers have ended. Host times are left 0.
LaunchCounters summarize(const Launch &launch, llvm::ArrayRef<Worker> workers);

/// Floating-point operations of one warp's mma: 2 a multiply-add.
uint64_t getFlops(const Mma &mma);

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_REPORT_SUMMARIZE_H
