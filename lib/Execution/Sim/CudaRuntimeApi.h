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

#include "Sim/CudaRuntimeArrays.h"
#include "Sim/CudaRuntimeGraphs.h"

#include "tileir/Runtime/SimulatorRuntime.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <map>
#include <memory>
#include <mutex>

/// A function that programs call by its name.
#define TILEIR_CUDA_API extern "C" __attribute__((visibility("default"), used))

namespace tileir::execution {

/// Numbers of cudaError_t.
enum CudaError : int {
  kCudaSuccess = 0,
  kCudaInvalidValue = 1,
  kCudaMemoryAllocation = 2,
  kCudaInvalidMemcpyDirection = 21,
  kCudaInvalidDeviceFunction = 98,
  kCudaInvalidDevice = 101,
  kCudaAssert = 710,
  kCudaLaunchFailure = 719,
  kCudaCooperativeLaunchTooLarge = 720,
  kCudaNotSupported = 801,
};

/// A program that runs: from construction to destruction the functions of the
/// CUDA runtime work for it. One at a time.
class CudaRuntimeApi {
public:
  explicit CudaRuntimeApi(sim::Simulator &simulator);
  ~CudaRuntimeApi();
  CudaRuntimeApi(const CudaRuntimeApi &) = delete;
  CudaRuntimeApi &operator=(const CudaRuntimeApi &) = delete;

  /// The one for which a program runs, for one of its threads at a time.
  class Locked {
  public:
    Locked();
    CudaRuntimeApi *operator->() const { return api; }

  private:
    std::unique_lock<std::recursive_mutex> lock;
    CudaRuntimeApi *api;
  };
  static Locked get() { return Locked(); }

  /// Loads the LLVM bitcode of a source's kernels, which has to stay.
  llvm::Error load(llvm::StringRef image);
  /// The module whose image is at `data`, in the program; null if there is
  /// none.
  sim::LoadedModule *findModule(const void *data) const;

  /// Remembers an error and tells of it; its number, 0 if there is none.
  CudaError check(const char *function, llvm::Error error,
                  CudaError number = kCudaInvalidValue);
  CudaError fail(const char *function, const llvm::Twine &message,
                 CudaError number = kCudaInvalidValue);
  /// Waits for all work: a failure of a kernel shows here.
  CudaError synchronize();

  /// The kernel that a function of host code stands for.
  llvm::Expected<sim::Kernel *> getKernel(const void *function);
  /// `arguments` are as many as the kernel has.
  llvm::Error launch(const void *function, runtime::GpuLaunch launch,
                     void **arguments);
  /// The address of a variable of the device, `offset` bytes from its begin, if
  /// there are `bytes` behind it.
  llvm::Expected<void *> getSymbol(const void *symbol, uint64_t offset,
                                   uint64_t bytes);

  /// A variable or a function of host code stands for one of the device.
  struct Symbol {
    sim::LoadedModule *module = nullptr;
    std::string name;
    uint64_t bytes = 0;
  };
  llvm::DenseMap<const void *, Symbol> functions, variables;
  /// Memory that the program has, by its address.
  struct Allocation {
    const char *function; ///< that it comes from
    uint64_t bytes;
    enum Kind : uint8_t { Device, Managed, Host } kind;
  };
  std::map<const void *, Allocation> allocations;
  /// Allocates memory and remembers it. What kernels read of device memory has
  /// to be written before.
  CudaError allocate(const char *function, void **address, uint64_t bytes,
                     Allocation::Kind kind);
  /// The allocation that holds an address; null: there is none.
  const Allocation *findAllocation(const void *address) const;
  /// A line for each that was not freed, those of kernels too.
  std::vector<std::string> describeLeaks() const;

  /// Functions whose clusters may be larger than on every chip.
  llvm::DenseSet<const void *> nonPortableClusters;
  /// The arrays that the program has.
  std::map<const CudaArray *, std::unique_ptr<CudaArray>> arrays;

  CudaCapture capture;

  sim::Simulator &simulator;
  runtime::SimulatorRuntime runtime;
  CudaError lastError = kCudaSuccess;
  bool hasFailed = false;
  /// What the launches so far take, by the estimate: the time of events.
  double microseconds = 0;

private:
  std::vector<std::pair<llvm::StringRef, sim::LoadedModule *>> modules;
};

/// A launch with copies of its arguments, to be made later
/// (CudaRuntimeGraphs.cpp).
CudaWork keepLaunch(const char *name, const void *function,
                    const runtime::GpuLaunch &launch, void **arguments);

} // namespace tileir::execution

#endif // TILEIR_LIB_EXECUTION_SIM_CUDARUNTIMEAPI_H
