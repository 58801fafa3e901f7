//===- GpuRuntime.h - Functions that host code calls ------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Host code calls the mgpu* functions that upstream's gpu-to-llvm emits:
// CpuProgram gives it ours, which call the active GpuRuntime. One host program
// so runs on whatever implements GpuRuntime. The functions cannot fail: the
// first error is kept, and all that is called after it does nothing.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_RUNTIME_GPURUNTIME_H
#define TILEIR_RUNTIME_GPURUNTIME_H

#include "tileir/Runtime/CpuProgram.h"
#include "tileir/Target/Gpu/TensorMap.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

#include <array>
#include <cstdint>
#include <mutex>
#include <optional>

namespace tileir::runtime {

/// A launch as the host asks for it: nothing is checked yet.
struct GpuLaunch {
  std::array<int64_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  std::array<int64_t, 3> cluster = {1, 1, 1};
  int64_t dynamicSharedBytes = 0;
  /// Pointers to the arguments, as many as the function has; how many there are
  /// said to be, where that is said.
  void **arguments = nullptr;
  std::optional<size_t> numArguments;
  void *stream = nullptr;
  /// The blocks may wait for each other.
  bool cooperative = false;
  /// Clusters may have more blocks than on every chip.
  bool nonPortableCluster = false;
};

/// Modules, functions, streams and events are handles of the implementation. A
/// null stream is the default one. Implementations need not be safe from
/// several threads: calls come one at a time.
class GpuRuntime {
public:
  virtual ~GpuRuntime() = default;

  /// Loads what gpu-module-to-binary made of a gpu.module.
  virtual llvm::Expected<void *> loadModule(llvm::StringRef image) = 0;
  virtual llvm::Error unloadModule(void *module) = 0;
  virtual llvm::Expected<void *> getFunction(void *module,
                                             llvm::StringRef name) = 0;
  virtual llvm::Error launch(void *function, const GpuLaunch &launch) = 0;

  /// `hostShared`: host code may access the memory, too.
  virtual llvm::Expected<void *> allocate(uint64_t bytes, bool hostShared,
                                          void *stream) = 0;
  virtual llvm::Error free(void *address, void *stream) = 0;
  /// Copies between any two of host and device.
  virtual llvm::Error copy(void *target, const void *source, uint64_t bytes,
                           void *stream) = 0;
  /// Writes `count` copies of the bytes of `pattern`.
  virtual llvm::Error fill(void *target, llvm::ArrayRef<uint8_t> pattern,
                           uint64_t count, void *stream) = 0;
  /// Lets kernels access host memory.
  virtual llvm::Error registerHost(void *address, uint64_t bytes) = 0;
  virtual llvm::Error unregisterHost(void *address) = 0;
  virtual llvm::Error setDevice(int32_t device) = 0;

  /// Tells what messages call copies of host memory.
  virtual void nameHostMemory(const void *address, uint64_t bytes,
                              llvm::StringRef name) {}
  /// Makes the 128 bytes by which kernels know a map: this definition by the
  /// encoding of the simulator, after the rules of the hardware were checked.
  virtual llvm::Error encodeTensorMap(const machine::TensorMap &map,
                                      void *bytes);

  // Streams and events order work that is done later. These definitions are for
  // runtimes that have done all work when a call returns.
  virtual llvm::Expected<void *> createStream() { return this; }
  virtual llvm::Error destroyStream(void *stream);
  virtual llvm::Error synchronizeStream(void *stream);
  virtual llvm::Expected<void *> createEvent() { return this; }
  virtual llvm::Error destroyEvent(void *event);
  virtual llvm::Error recordEvent(void *event, void *stream);
  virtual llvm::Error synchronizeEvent(void *event);
  virtual llvm::Error waitForEvent(void *stream, void *event);

  /// Does `call` unless there was an error, and keeps the error that it gives.
  void perform(llvm::function_ref<llvm::Error()> call);
  /// The first error since the last call.
  llvm::Error takeError();

private:
  std::mutex mutex;
  std::optional<std::string> firstError;
};

/// Makes a runtime the one that compiled host code calls, from construction to
/// destruction: while such code is compiled (its modules are loaded then), runs
/// and is destroyed. One at a time: a second one waits for the first.
class ActiveGpuRuntime {
public:
  explicit ActiveGpuRuntime(GpuRuntime &runtime);
  ~ActiveGpuRuntime();
  ActiveGpuRuntime(const ActiveGpuRuntime &) = delete;
  ActiveGpuRuntime &operator=(const ActiveGpuRuntime &) = delete;

private:
  std::unique_lock<std::mutex> active;
};

/// The mgpu* functions, for CpuProgram::compile.
llvm::ArrayRef<HostFunction> getGpuRuntimeFunctions();

} // namespace tileir::runtime

#endif // TILEIR_RUNTIME_GPURUNTIME_H
