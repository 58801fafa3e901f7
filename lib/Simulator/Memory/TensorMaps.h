//===- TensorMaps.h ---------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// tensormap.replace, tensormap.cp_fenceproxy, fence.proxy.tensormap::generic,
// and where copies find their tensor maps.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_MEMORY_TENSORMAPS_H
#define TILEIR_LIB_SIMULATOR_MEMORY_TENSORMAPS_H

#include "Exec/Warp.h"

#include <cstdint>
#include <map>
#include <mutex>
#include <tuple>

namespace tileir::sim {

/// The tensor maps in global memory that a launch has written, and who has
/// acquired them.
class TensorMapLog {
public:
  struct Write {
    uint64_t number = 0; ///< in the order of the launch
    const Instr *instr = nullptr;
  };
  struct Acquisition {
    uint64_t number;
    uint32_t stamp; ///< of the warp, see Warp.h
  };
  std::mutex mutex;
  uint64_t clock = 0;
  std::map<uint64_t, Write> written; ///< by address
  /// By block, warp and address: the last one.
  std::map<std::tuple<uint64_t, uint32_t, uint64_t>, Acquisition> acquired;
};

/// Replaces the field that Instr::imm says in the map at an address.
void replaceField(Warp &warp, const Instr *instr, uint32_t lane,
                  uint64_t address, uint64_t value);
/// Copies a map from shared to global memory.
void copyTensorMap(Warp &warp, const Instr *instr, uint32_t lane, uint64_t to,
                   uint64_t from);
void acquireTensorMap(Warp &warp, uint64_t address);
/// Whether a copy may read a map there. False after a finding that it cannot go
/// on from.
bool checkMapPlace(Warp &warp, const Instr *instr, uint32_t lane,
                   uint64_t address);

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_MEMORY_TENSORMAPS_H
