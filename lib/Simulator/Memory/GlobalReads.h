//===- GlobalReads.h --------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The loads that a block has made of global memory since the last store there,
// for stores that nothing orders behind them. Only plain loads of buffers that
// the kernel may store to are remembered, and only until all warps of the block
// know of them; other blocks' stores are not compared with them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_MEMORY_GLOBALREADS_H
#define TILEIR_LIB_SIMULATOR_MEMORY_GLOBALREADS_H

#include "Exec/Warp.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace tileir::sim {

/// Loads of a granule by lanes of one warp at one stamp.
struct GlobalRead {
  uint32_t stamp = 0, lanes = 0;
  uint32_t instr = 0; ///< one of those that made them
  uint32_t warp = 0;
  uint32_t stores = 0; ///< of Warp::groupStores, that of its group
};

class GlobalReads {
public:
  bool empty() const { return reads.empty(); }
  /// The loads of a block that is over.
  void reset();
  /// Loads of the lanes; granules have 1 << `shift` bytes.
  void load(const Warp &warp, const Instr *instr, uint32_t lanes,
            const uint64_t *addresses, uint32_t bytes, uint32_t shift);
  /// Calls `test` with the loads of a granule that a store by `lane` is not
  /// ordered behind, and one of their lanes each, until it gives true.
  bool anyUnordered(
      const Warp &warp, uint32_t lane, uint64_t granule,
      llvm::function_ref<bool(const GlobalRead &, uint32_t)> test) const;
  /// A store to the granule: whoever is ordered behind it is ordered behind
  /// these loads.
  void erase(uint64_t granule) { reads.erase(granule); }

private:
  using List = llvm::SmallVector<GlobalRead, 1>;
  void forget(const Block &block);
  void add(List &list, const GlobalRead &read, const Warp &warp);

  llvm::DenseMap<uint64_t, List> reads; ///< by address >> shift
  uint32_t newest = 0;                  ///< stamp of a load
  uint32_t lookedAt = 0;                ///< Block::now, see forget
};

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_MEMORY_GLOBALREADS_H
