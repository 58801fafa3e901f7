//===- KernelNames.h - The kernel that a name means -------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels are called by their name in LLVM IR, by that in the source, or by a
// pattern.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_EXECUTION_SIM_KERNELNAMES_H
#define TILEIR_LIB_EXECUTION_SIM_KERNELNAMES_H

#include "tileir/Simulator/Simulator.h"

namespace tileir::execution {

/// A kernel that could be launched.
struct Candidate {
  std::string module; ///< the gpu.module; "" for a file of LLVM IR
  std::string name;   ///< in LLVM IR
  llvm::MemoryBufferRef ir;
};

/// The one kernel that `entry` means; "" is the only one. It is a name,
/// "kernel" or "module::kernel": that in LLVM IR, or that in C++ without
/// parameters, as `scale` or `ns::scale<float>`; or a pattern with `*` and `?`
/// of the whole name in C++, as `*scale<float>(*`.
llvm::Expected<Candidate> chooseKernel(llvm::ArrayRef<Candidate> candidates,
                                       llvm::StringRef entry);

} // namespace tileir::execution

#endif // TILEIR_LIB_EXECUTION_SIM_KERNELNAMES_H
