//===- DeviceMemory.h - Buffers that kernels may touch ----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device buffers are memory of this process at its own addresses, aligned as
// cudaMalloc aligns (256 bytes) and far apart, so that an index that leaves its
// buffer meets no other one. Global addresses lie above 4 GiB; the windows of
// shared and local memory lie below.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_SIMULATOR_DEVICEMEMORY_H
#define TILEIR_SIMULATOR_DEVICEMEMORY_H

#include "tileir/Simulator/Buffer.h"

#include "llvm/Support/Error.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace tileir::sim {

class DeviceMemory {
public:
  DeviceMemory() = default;
  ~DeviceMemory();
  DeviceMemory(const DeviceMemory &) = delete;

  /// A new buffer of `bytes` bytes (0 gives an address that nothing may
  /// access). Its bytes are NaN patterns (0xFF), so that what a kernel should
  /// have written shows.
  llvm::Expected<void *> allocate(uint64_t bytes, std::string name = "");
  /// Frees what `allocate` gave; an error for any other address.
  llvm::Error free(void *address);
  /// Lets kernels access host memory at [address, address + bytes).
  llvm::Error registerHost(void *address, uint64_t bytes, std::string name);
  llvm::Error unregisterHost(void *address);

  /// The buffer whose bytes hold `address`, or null. Safe from several threads
  /// as long as no buffer is made or freed meanwhile.
  Buffer *find(uint64_t address);
  /// What was freed there and not given again.
  struct Freed {
    uint64_t bytes = 0;
    std::string name;
  };
  /// The freed buffer whose bytes held `address`, or null.
  const Freed *findFreed(uint64_t address) const;
  /// The buffer nearest to `address`, for messages; null if there is none.
  Buffer *findNearest(uint64_t address);
  const std::vector<std::unique_ptr<Buffer>> &getBuffers() const {
    return buffers;
  }

private:
  std::vector<std::unique_ptr<Buffer>> buffers; // sorted by address
  std::map<uint64_t, Freed> freed;              // by address
};

} // namespace tileir::sim

#endif // TILEIR_SIMULATOR_DEVICEMEMORY_H
