//===- AsyncStores.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What arrives in the shared memory of a block of the cluster, bytes of its
// mbarrier, and does not come from global memory: cp.async.bulk between shared
// memories, st.async and red.async. All arrive as bulk copies do
// (BulkCopies.h): at the latest, when a wait is held up by their bytes alone.
//
//===----------------------------------------------------------------------===//

#include "Exec/Cluster.h"
#include "Memory/BulkCopies.h"
#include "Memory/BulkReduce.h"
#include "Memory/Memory.h"
#include "Memory/SharedShadow.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

using namespace tileir::sim;
using llvm::formatv;

constexpr uint32_t kWavefrontBytes = 128;

/// Begins the arrival of a copy at `operands.shared`. False after a finding.
static bool beginStore(Warp &warp, const Instr *instr, uint32_t lane,
                       const BulkOperands &operands, BulkCopy &copy) {
  Block &block = *warp.block;
  const uint32_t targets = getTargets(warp, instr, lane, operands);
  if (!targets)
    return false;
  copy.instr = instr;
  copy.warp = warp.index;
  copy.lane = lane;
  copy.shared = operands.shared % kSharedWindow;
  Block &owner = *block.cluster->blocks[llvm::countr_zero(targets)];
  if (&owner == &block &&
      !checkShared(warp, instr, lane, toOwnWindow(block, operands.shared),
                   copy.bytes, copy.alignment))
    return false;
  return beginArrival(warp, instr, lane, owner, operands.mbarrier, copy);
}

void tileir::sim::issueSend(Warp &warp, const Instr *instr, uint32_t lane,
                            const BulkOperands &operands) {
  Block &block = *warp.block;
  if (operands.bytes % kBulkAlignment || operands.bytes == 0)
    return report(warp, instr, lane, FindingKind::InvalidCopy, operands.shared,
                  formatv("{0} of {1} bytes; expected a multiple of 16",
                          getVerb(*instr), operands.bytes));
  const uint64_t source = toOwnWindow(block, operands.global);
  if (isClusterAddress(source))
    return report(warp, instr, lane, FindingKind::InvalidCopy, source,
                  formatv("{0} from the shared memory of another block; "
                          "expected that of its own",
                          getVerb(*instr)));
  if (!checkShared(warp, instr, lane, source, operands.bytes, kBulkAlignment))
    return;
  BulkCopy copy;
  copy.bytes = operands.bytes;
  copy.source = source - kSharedBase;
  if (!beginStore(warp, instr, lane, operands, copy))
    return;
  if (SharedShadow *shadow = block.shadow) {
    shadow->beginRead(warp, instr, lane, copy.source, copy.bytes);
    shadow->checkFenced(warp, instr, lane, copy.source, copy.bytes);
    if (block.remote)
      checkRemoteRange(warp, instr, lane, block, copy.source, copy.bytes,
                       /*isStore=*/false, /*atomic=*/false);
  }
  if (!block.launch->instrument)
    return;
  AccessCounters &counters = warp.worker->accesses[instr->extra];
  ++counters.warps;
  ++counters.lanes;
  counters.bytes += copy.bytes;
  // They are read and written.
  const uint32_t wavefronts = 2 * llvm::divideCeil(copy.bytes, kWavefrontBytes);
  counters.wavefronts += wavefronts;
  counters.idealWavefronts += wavefronts;
}

void tileir::sim::issueStores(Warp &warp, const Instr *instr,
                              const uint64_t *addresses,
                              const uint64_t *mbarriers,
                              const AsyncValue *values) {
  const Program &program = *warp.block->launch->program;
  const Bulk &bulk = program.bulks[instr->imm];
  const uint32_t bytes = program.accesses[instr->extra].bytes;
  uint32_t issued = 0;
  for (uint32_t left = warp.active; left; left &= left - 1) {
    const uint32_t lane = llvm::countr_zero(left);
    BulkOperands operands;
    operands.shared = addresses[lane];
    operands.mbarrier = mbarriers[lane];
    BulkCopy copy;
    copy.bytes = copy.alignment = bytes;
    copy.type = bulk.type;
    copy.isSigned = bulk.isSigned;
    copy.data.assign(values[lane].bytes, values[lane].bytes + bytes);
    issued |= uint32_t(beginStore(warp, instr, lane, operands, copy)) << lane;
  }
  if (!warp.block->launch->instrument || !issued)
    return;
  AccessCounters &counters = warp.worker->accesses[instr->extra];
  ++counters.warps;
  counters.lanes += llvm::popcount(issued);
  counters.bytes += llvm::popcount(issued) * bytes;
  counters.wavefronts += countWavefronts(addresses, issued, bytes);
  counters.idealWavefronts += countIdealWavefronts(issued, bytes);
}

void tileir::sim::performStore(Block &block, Block &issuer,
                               const BulkCopy &copy) {
  const Bulk &bulk = block.launch->program->bulks[copy.instr->imm];
  uint8_t *to = block.shared + copy.shared;
  if (bulk.kind == Bulk::StoreAsync) {
    std::memcpy(to, copy.data.data(), copy.bytes);
    return;
  }
  if (bulk.kind == Bulk::ReduceAsync)
    return reduceGlobal(bulk.op, copy.type, copy.isSigned,
                        reinterpret_cast<uint64_t>(to), copy.data.data(),
                        copy.bytes);
  if (&issuer != &block && !issuer.aliveWarps)
    report(issuer.warps[copy.warp], copy.instr, copy.lane,
           FindingKind::BlockLifetime, kSharedBase + copy.source,
           formatv("{0} of {1} bytes at shared offset {2} of rank {3} is still "
                   "to read them when that block has ended; expected "
                   "barrier.cluster between this and its end",
                   getVerb(*copy.instr), copy.bytes, copy.source, issuer.rank));
  std::memmove(to, issuer.shared + copy.source, copy.bytes);
  if (issuer.shadow)
    issuer.shadow->dropRead(copy.source, copy.bytes);
}
