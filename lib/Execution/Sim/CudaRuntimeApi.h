//===- CudaRuntimeApi.h - A stand-in for the CUDA runtime -------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a program that was compiled for the CUDA runtime calls: the functions
// are global symbols of the process, and work on the simulator that is set
// here. Each call has done its work when it returns, so that streams and events
// are in order.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_EXECUTION_SIM_CUDARUNTIMEAPI_H
#define TILEIR_LIB_EXECUTION_SIM_CUDARUNTIMEAPI_H

#include "tileir/Runtime/SimulatorRuntime.h"

#include "llvm/ADT/DenseMap.h"

namespace tileir::execution {

/// A program that runs: from construction to destruction the functions of the
/// CUDA runtime work for it. One at a time.
class CudaRuntimeApi {
public:
  /// `image` is the LLVM bitcode of the program's kernels.
  CudaRuntimeApi(sim::Simulator &simulator, llvm::StringRef image);
  ~CudaRuntimeApi();
  CudaRuntimeApi(const CudaRuntimeApi &) = delete;
  CudaRuntimeApi &operator=(const CudaRuntimeApi &) = delete;

  /// Loads the kernels.
  llvm::Error load();

  /// Remembers the error and tells of it; the number that the CUDA runtime has
  /// for it, or 0.
  int check(const char *function, llvm::Error error);
  int fail(const char *function, const llvm::Twine &message, int number);

  /// `arguments` are as many as the kernel has.
  llvm::Error launch(const void *function, runtime::GpuLaunch launch,
                     void **arguments);
  /// The address of a variable of the device, `offset` bytes from its begin, if
  /// there are `bytes` behind it.
  llvm::Expected<void *> getSymbol(const void *symbol, uint64_t offset,
                                   uint64_t bytes);

  /// A variable or a function of host code stands for one of the device.
  struct Symbol {
    std::string name;
    uint64_t bytes = 0;
  };
  llvm::DenseMap<const void *, Symbol> functions, variables;
  /// The arguments of <<<>>> between its begin and its call.
  std::vector<runtime::GpuLaunch> configurations;

  sim::Simulator &simulator;
  runtime::SimulatorRuntime runtime;
  int lastError = 0;
  bool hasFailed = false;
  /// What the launches so far take, by the estimate: the time of events.
  double microseconds = 0;

private:
  llvm::StringRef image;
  sim::LoadedModule *module = nullptr;
};

} // namespace tileir::execution

#endif // TILEIR_LIB_EXECUTION_SIM_CUDARUNTIMEAPI_H
