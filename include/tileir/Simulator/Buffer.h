//===- Buffer.h -------------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where simulated memory lies. Plain C++ without LLVM: the sources of execution
// include it.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_SIMULATOR_BUFFER_H
#define TILEIR_SIMULATOR_BUFFER_H

#include <cstdint>
#include <string>
#include <vector>

namespace tileir::sim {

/// The window of shared memory: an address is kSharedBase + offset.
constexpr uint64_t kSharedBase = 0x01000000, kSharedEnd = 0x02000000;
/// The windows of the blocks of a cluster, by rank.
constexpr uint64_t kSharedWindow = kSharedEnd - kSharedBase;
constexpr uint32_t kMaxClusterBlocks = 16;
constexpr uint64_t kClusterBase = 0x10000000;
constexpr uint64_t kClusterEnd =
    kClusterBase + kMaxClusterBlocks * kSharedWindow;
/// The window of local memory: the same addresses mean other bytes in each
/// lane.
constexpr uint64_t kLocalBase = 0x40000000, kLocalEnd = 0x80000000;
constexpr uint64_t kGlobalBase = 0x100000000;

struct Buffer {
  uint64_t begin = 0, size = 0; ///< address and bytes
  std::string name;             ///< for messages
  bool readOnly = false;
  bool owned = true; ///< false: host memory that was registered
  /// Whether reads of what nobody wrote are findings: the host tells of all
  /// that it writes (noteWritten). False again once every byte is written.
  bool isTracked = false;

  // Read and set as atomics, by the compiler's built-in functions: the sources
  // of execution use no inline functions of the standard library.

  // Who wrote what in the present launch, for races between blocks; made by
  // the first store of a launch (GlobalShadow.cpp).
  uint64_t *writers = nullptr;
  // The last atomic store by a block before that of `writers`, in the same
  // words; made by the first one, if loads are compared with them.
  uint64_t *atomics = nullptr;
  // The wave of blocks, from 1, that was the last to access each sector of 32
  // bytes; made by the first access of a launch.
  uint32_t *waves = nullptr;
  // Its loads are remembered from the begin of the launch on, not only behind
  // its first store (Memory/GlobalReads.h): the kernel may store to it.
  bool isStored = false;

  uint64_t end() const { return begin + size; }

  enum class Writer : uint8_t { None, Host, Kernel };
  /// Bytes of a tracked buffer are written, from `offset` on.
  void noteWritten(uint64_t offset, uint64_t bytes, Writer by);
  /// Who wrote a byte before the present launch.
  Writer getWriter(uint64_t offset) const {
    return !isTracked        ? Writer::Host
           : written.empty() ? Writer::None
                             : written[offset];
  }

private:
  std::vector<Writer> written; ///< of each byte; empty: none is
  uint64_t numWritten = 0;
};

} // namespace tileir::sim

#endif // TILEIR_SIMULATOR_BUFFER_H
