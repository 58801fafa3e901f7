//===- BulkCopies.h ---------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cp.async.bulk, of ranges and of boxes of tensors, at the latest time that is
// legal. A copy to shared memory is performed when a wait for its mbarrier is
// held up by bytes alone; until then its destination is NaN patterns, pending
// in the shadow. A copy from shared memory reads its source when its thread
// waits for its group, and writes global memory then, or when the block ends
// if the wait was .read. Copies between the shared memories of a cluster,
// st.async and red.async (AsyncStores.cpp) arrive as copies to shared memory.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_MEMORY_BULKCOPIES_H
#define TILEIR_LIB_SIMULATOR_MEMORY_BULKCOPIES_H

#include "Exec/Warp.h"

#include <cstdint>
#include <vector>

namespace tileir::sim {

constexpr uint32_t kBulkAlignment = 16;

/// What an instruction names, in the order of its operands.
struct BulkOperands {
  uint64_t shared = 0, mbarrier = 0;
  uint64_t global = 0; ///< or that of a tensor map
  uint32_t bytes = 0;
  int32_t coordinates[5] = {};
  uint16_t offsets[3] = {};
  uint32_t mask = 1; ///< of the blocks of a cluster
};

/// Bytes side by side in both memories.
struct BulkSegment {
  uint64_t global = 0; ///< 0: outside the tensor, filled
  uint32_t shared = 0; ///< offset
  uint32_t bytes = 0;
};

/// What a lane of st.async or red.async stores.
struct AsyncValue {
  uint8_t bytes[32];
};

struct BulkCopy {
  const Instr *instr = nullptr;
  uint32_t warp = 0, lane = 0;    ///< that issued it
  uint32_t shared = 0, bytes = 0; ///< the range of shared memory
  /// Chunks of 16 bytes are spread over the last 128 bytes, too: by a swizzle
  /// wider than the rows.
  bool isSpread = false;
  uint32_t mbarrier = 0; ///< its offset
  uint32_t group = 0;    ///< groups that were closed before
  uint8_t elementBytes = 1;
  bool fillsNaN = false;
  ElementType type = ElementType::I32; ///< of a reduction
  bool isSigned = false;
  bool wasRead = false; ///< then `data` is what it read
  uint32_t alignment = kBulkAlignment;
  uint32_t source = 0; ///< offset in the issuer's shared memory, of Bulk::Send
  std::vector<BulkSegment> segments;
  std::vector<uint8_t> data;
};

/// A copy of one lane, of the active ones one by one.
void issueBulk(Warp &warp, const Instr *instr, uint32_t lane,
               BulkOperands operands);
/// st.async or red.async of the active lanes.
void issueStores(Warp &warp, const Instr *instr, const uint64_t *addresses,
                 const uint64_t *mbarriers, const AsyncValue *values);
/// Closes the open group of the active lanes.
void commitBulk(Warp &warp);
/// Waits until no more than `groups` groups of the active lanes are open, or
/// have sources to read.
void waitBulk(Warp &warp, const Instr *instr, uint32_t groups, bool readsOnly);
/// Bytes arrive at the mbarrier at `offset` until its phase is complete.
void performCopies(Block &block, uint32_t offset);
/// At the end of a block: writes what is left of its copies to global memory.
void finishBulk(Block &block);

/// The box of a tensor that a copy is of (TensorCopies.cpp). False after a
/// finding.
bool setBox(Warp &warp, const Instr *instr, uint32_t lane,
            const BulkOperands &operands, BulkCopy &copy);

// Arrival of copies in shared memory (BulkCopies.cpp, AsyncStores.cpp).

/// The ranks of the blocks that a copy to shared memory goes to, as a mask. 0
/// after a finding.
uint32_t getTargets(Warp &warp, const Instr *instr, uint32_t lane,
                    const BulkOperands &operands);
/// Whether the bytes are shared memory and aligned; else after a finding.
bool checkShared(Warp &warp, const Instr *instr, uint32_t lane,
                 uint64_t address, uint64_t bytes, uint32_t alignment);
/// The copy is to arrive in `owner`. False after a finding.
bool beginArrival(Warp &warp, const Instr *instr, uint32_t lane, Block &owner,
                  uint64_t mbarrier, BulkCopy copy);
/// Bulk::Send: issues it.
void issueSend(Warp &warp, const Instr *instr, uint32_t lane,
               const BulkOperands &operands);
/// What Bulk::Send and the like write.
void performStore(Block &block, Block &issuer, const BulkCopy &copy);

BulkCopies *createBulkCopies();
void resetBulkCopies(BulkCopies &copies);
void destroyBulkCopies(BulkCopies *copies);

// Proxies (Proxies.cpp).

/// fence.proxy.async: what the warp knows of may be accessed by copies and
/// wgmma of those that know of the fence.
void fenceProxy(Warp &warp);
/// Whether such a fence is between a store of the warp `writer` at `stamp` and
/// what the warp does now.
bool isFenced(const Warp &warp, uint32_t writer, uint32_t stamp);
/// An access of the async proxy reads bytes of shared memory: as a plain load
/// of the lane, and finds stores of the generic proxy that no fence is behind.
/// For operands of wgmma, too.
void noteProxyRead(Warp &warp, const Instr *instr, uint32_t lane,
                   uint32_t offset, uint32_t bytes);

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_MEMORY_BULKCOPIES_H
