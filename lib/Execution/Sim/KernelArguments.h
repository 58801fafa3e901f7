//===- KernelArguments.h - Arguments of a kernel ----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_SIM_KERNELARGUMENTS_H
#define TILEIR_EXECUTION_SIM_KERNELARGUMENTS_H

#include "tileir/Execution/PointerItems.h"
#include "tileir/Runtime/NDArray.h"
#include "tileir/Simulator/Simulator.h"

#include "llvm/Support/Error.h"

namespace tileir::execution {

/// Whether an argument is the address of memory of the device.
bool isBuffer(const sim::KernelArgument &argument);

/// The values of a kernel's arguments, from the items of --inputs: what a
/// pointer points at, or a scalar, which is an array without axes. `seed` is
/// that of items that are drawn. A pointer into the array of another argument
/// has an array of no elements.
llvm::Expected<llvm::SmallVector<runtime::NDArray>>
readKernelArguments(const sim::Kernel &kernel,
                    llvm::ArrayRef<std::string> items,
                    llvm::ArrayRef<PointerItem> pointers, uint64_t seed);

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_SIM_KERNELARGUMENTS_H
