//===- CudaRuntime.h - Host programs on a GPU -------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_RUNTIME_CUDARUNTIME_H
#define TILEIR_RUNTIME_CUDARUNTIME_H

#include "tileir-launch/Clock.h"
#include "tileir-launch/Driver.h"
#include "tileir/Runtime/GpuRuntime.h"

#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace tileir::runtime {

/// A GPU of NVIDIA, by its driver. Modules are PTX, which the driver compiles,
/// or machine code.
class CudaRuntime : public GpuRuntime {
public:
  /// Fails where there is no driver or no GPU.
  static llvm::Expected<std::unique_ptr<CudaRuntime>> create();
  ~CudaRuntime() override;

  /// Times kernels from now on, by events around each launch. `flushL2`: before
  /// each, the second cache is filled with something else, during which the
  /// launch gets to the GPU, so that its latency is not in the time.
  llvm::Error startTimes(bool flushL2);
  /// The seconds that all kernels took since then, when they are done.
  llvm::Expected<double> takeTimes();
  /// The clock of the multiprocessors in MHz, if it is known.
  std::optional<unsigned> getMegahertz() const { return clock.read(); }

  llvm::Expected<void *> loadModule(llvm::StringRef image) override;
  llvm::Error unloadModule(void *module) override;
  llvm::Expected<void *> getFunction(void *module,
                                     llvm::StringRef name) override;
  llvm::Error launch(void *function, const GpuLaunch &launch) override;
  llvm::Expected<void *> allocate(uint64_t bytes, bool hostShared,
                                  void *stream) override;
  llvm::Error free(void *address, void *stream) override;
  /// Without a stream, the copy is done when it returns.
  llvm::Error copy(void *target, const void *source, uint64_t bytes,
                   void *stream) override;
  llvm::Error fill(void *target, llvm::ArrayRef<uint8_t> pattern,
                   uint64_t count, void *stream) override;
  llvm::Error registerHost(void *address, uint64_t bytes) override;
  llvm::Error unregisterHost(void *address) override;
  llvm::Error setDevice(int32_t device) override;
  /// By the driver, which has to be that of CUDA 12 or newer.
  llvm::Error encodeTensorMap(const machine::TensorMap &map,
                              void *bytes) override;
  llvm::Expected<void *> createStream() override;
  llvm::Error destroyStream(void *stream) override;
  llvm::Error synchronizeStream(void *stream) override;
  llvm::Expected<void *> createEvent() override;
  llvm::Error destroyEvent(void *event) override;
  llvm::Error recordEvent(void *event, void *stream) override;
  llvm::Error synchronizeEvent(void *event) override;
  llvm::Error waitForEvent(void *stream, void *event) override;

  /// Ten times the compute capability.
  uint32_t getComputeCapability() const {
    return 10 * device.getMajor() + device.getMinor();
  }

protected:
  CudaRuntime() = default;

  launch::Device device;

private:
  /// Gets the events of the next launch, and flushes the cache before it.
  llvm::Error startTime(launch::StreamHandle stream);

  launch::Clock clock;
  /// Before and after launches; those of the first `numTimed` were recorded.
  std::vector<std::pair<launch::EventHandle, launch::EventHandle>> events;
  size_t numTimed = 0;
  bool isTimed = false;
  /// What is written to flush the second cache.
  launch::DevicePtr flushed = 0;
  size_t numFlushed = 0;
};

/// What host code does on a GPU is done by a stream of its caller: memory comes
/// and goes in the order of the stream, and nothing waits. Device memory that
/// is given to the host code is ready for the stream.
class CudaStreamRuntime : public CudaRuntime {
public:
  /// Of the GPU `ordinal`, whose context is left as it was in this thread.
  static llvm::Expected<std::unique_ptr<CudaStreamRuntime>> create(int ordinal);

  /// Makes the context of the GPU that of this thread, and `stream` the one
  /// that is used, from construction to destruction.
  class Use {
  public:
    Use(CudaStreamRuntime &runtime, void *stream);
    ~Use();
    Use(const Use &) = delete;
    Use &operator=(const Use &) = delete;

  private:
    ActiveGpuRuntime active;
    CudaStreamRuntime &runtime;
    launch::ContextHandle before = nullptr;
  };

  llvm::Expected<void *> allocate(uint64_t bytes, bool hostShared,
                                  void *stream) override;
  llvm::Error free(void *address, void *stream) override;
  llvm::Error copy(void *target, const void *source, uint64_t bytes,
                   void *stream) override;
  llvm::Expected<void *> createStream() override;
  llvm::Error destroyStream(void *stream) override;
  llvm::Error synchronizeStream(void *stream) override;

private:
  CudaStreamRuntime() = default;

  launch::StreamHandle current = nullptr;
};

} // namespace tileir::runtime

#endif // TILEIR_RUNTIME_CUDARUNTIME_H
