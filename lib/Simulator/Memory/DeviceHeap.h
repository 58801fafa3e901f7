//===- DeviceHeap.h ---------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What malloc and new of kernels give. Each allocation is a buffer of its own,
// so that its bounds are checked; those that were freed are remembered until
// their memory is used again.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_MEMORY_DEVICEHEAP_H
#define TILEIR_LIB_SIMULATOR_MEMORY_DEVICEHEAP_H

#include "tileir/Simulator/Findings.h"

#include <cstdint>
#include <map>
#include <vector>

namespace tileir::sim {

class DeviceMemory;

/// For one thread of the host at a time.
class DeviceHeap {
public:
  explicit DeviceHeap(DeviceMemory &memory) : memory(memory) {}
  ~DeviceHeap();
  DeviceHeap(const DeviceHeap &) = delete;

  /// Sets the size. False: there was an allocation already.
  bool setLimit(uint64_t bytes);
  uint64_t getLimit() const { return limit; }

  /// The address of so many bytes; 0: there is no room.
  uint64_t allocate(uint64_t bytes);
  /// Frees an allocation. False: there is none at this address.
  bool free(uint64_t address, const SourceLocation &where);

  /// The bytes of each allocation that was not freed.
  std::vector<uint64_t> getAllocations() const;

  struct Freed {
    uint64_t bytes;
    SourceLocation where;
  };
  /// The allocation that `address` was in until it was freed; null: none.
  const Freed *findFreed(uint64_t address) const;

private:
  /// Memory for so many bytes, as an offset; none: `limit`.
  uint64_t take(uint64_t bytes);

  DeviceMemory &memory;
  uint64_t limit = 8 << 20;
  uint8_t *arena = nullptr;
  uint64_t next = 0;                   ///< behind it nothing was used yet
  std::map<uint64_t, uint64_t> unused; ///< freed offsets, with their bytes
  std::map<uint64_t, uint64_t> live;   ///< addresses, with all their bytes
  std::map<uint64_t, Freed> freed;     ///< by address
  uint64_t numAllocations = 0;
};

struct Warp;
struct Instr;
/// malloc and free of the active lanes.
void allocateFromHeap(Warp &warp, const Instr *instr);
void freeToHeap(Warp &warp, const Instr *instr);

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_MEMORY_DEVICEHEAP_H
