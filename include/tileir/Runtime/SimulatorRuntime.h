//===- SimulatorRuntime.h - Host code on the simulator ----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_RUNTIME_SIMULATORRUNTIME_H
#define TILEIR_RUNTIME_SIMULATORRUNTIME_H

#include "tileir/Runtime/GpuRuntime.h"
#include "tileir/Simulator/Simulator.h"

#include <map>
#include <utility>
#include <vector>

namespace tileir::runtime {

/// Copies in one direction.
struct CopyCount {
  uint64_t count = 0, bytes = 0;
};

/// Copies between the memories of host and device, by direction. Copies within
/// the host are not the runtime's.
struct CopyCounts {
  CopyCount toDevice, toHost, onDevice;
};

/// A GPU that is simulated. Each call has done its work when it returns. Host
/// and device share one memory; that of the host is not known, unless it is
/// registered, so only accesses to device buffers are checked.
class SimulatorRuntime : public GpuRuntime {
public:
  explicit SimulatorRuntime(sim::Simulator &simulator) : simulator(simulator) {}

  llvm::Expected<void *> loadModule(llvm::StringRef image) override;
  llvm::Error unloadModule(void *module) override;
  llvm::Expected<void *> getFunction(void *module,
                                     llvm::StringRef name) override;
  /// Does nothing once a kernel could not go on: what later ones find would be
  /// its consequence.
  llvm::Error launch(void *function, const GpuLaunch &launch) override;
  llvm::Expected<void *> allocate(uint64_t bytes, bool hostShared,
                                  void *stream) override;
  llvm::Error free(void *address, void *stream) override;
  llvm::Error copy(void *target, const void *source, uint64_t bytes,
                   void *stream) override;
  llvm::Error fill(void *target, llvm::ArrayRef<uint8_t> pattern,
                   uint64_t count, void *stream) override;
  llvm::Error registerHost(void *address, uint64_t bytes) override;
  llvm::Error unregisterHost(void *address) override;
  llvm::Error setDevice(int32_t device) override;
  /// A device buffer takes the name of what is copied to its begin.
  void nameHostMemory(const void *address, uint64_t bytes,
                      llvm::StringRef name) override;

  /// Whether a kernel could not go on.
  bool isStopped() const { return stopped; }
  /// The last launch since takeLaunches(); null if there was none.
  const sim::LaunchResult *getLastLaunch() const {
    return launches.empty() ? nullptr : &launches.back();
  }
  /// The launches since the last call.
  std::vector<sim::LaunchResult> takeLaunches();
  /// The copies since the last call.
  CopyCounts takeCopies() { return std::exchange(copies, {}); }

private:
  /// Checks that [address, address + bytes) can be accessed, as far as known.
  /// `what` is the call, for the message.
  llvm::Error checkRange(const char *what, const void *address, uint64_t bytes);
  /// The host has written to device memory.
  void noteWritten(const void *address, uint64_t bytes);
  /// Whether an address is in memory that allocate() gave.
  bool isOnDevice(const void *address);

  sim::Simulator &simulator;
  std::vector<sim::LaunchResult> launches;
  CopyCounts copies;
  bool stopped = false;
  uint64_t numAllocations = 0;
  std::map<uint64_t, uint64_t> freed; // begin and end of freed buffers
  std::map<const void *, std::string> hostNames;
};

} // namespace tileir::runtime

#endif // TILEIR_RUNTIME_SIMULATORRUNTIME_H
