//===- ExecBulk.cpp -------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handlers of cp.async.bulk, st.async and red.async (Memory/BulkCopies.h), of
// fences of proxies; of tensor maps that a kernel makes (Memory/TensorMaps.h).
//
//===----------------------------------------------------------------------===//

#include "Exec/Exec.h"
#include "Memory/BulkCopies.h"
#include "Memory/Memory.h"
#include "Memory/TensorMaps.h"

namespace tileir::sim {
namespace TILEIR_SIM_ISA {

static const Instr *bulkCopy(Warp &warp, const Instr *instr) {
  const Program &program = *warp.block->launch->program;
  const Bulk &bulk = program.bulks.data()[instr->imm];
  const uint32_t *uses = program.pool.data() + instr->list;
  forLanes(warp.active, [&](unsigned lane) {
    const uint32_t *use = uses;
    auto next64 = [&] { return lanes64(warp, *use++)[lane]; };
    auto next32 = [&] { return lanes32(warp, *use++)[lane]; };
    BulkOperands operands;
    operands.shared = next64();
    if (bulk.kind == Bulk::Load || bulk.kind == Bulk::Send)
      operands.mbarrier = next64();
    operands.global = next64();
    if (!bulk.isTensor)
      operands.bytes = next32();
    for (unsigned a = 0; a < bulk.rank; ++a)
      operands.coordinates[a] = int32_t(next32());
    for (unsigned i = 0; i < bulk.numOffsets; ++i)
      operands.offsets[i] = uint16_t(next32());
    if (bulk.hasMask)
      operands.mask = next32();
    issueBulk(warp, instr, lane, operands);
  });
  return instr + 1;
}

/// st.async and red.async.
static const Instr *storeAsync(Warp &warp, const Instr *instr) {
  const Program &program = *warp.block->launch->program;
  const Bulk &bulk = program.bulks.data()[instr->imm];
  const uint32_t *uses = program.pool.data() + instr->list;
  const uint32_t bytes = program.accesses.data()[instr->extra].elementBytes;
  AsyncValue values[kLanes];
  forLanes(warp.active, [&](unsigned lane) {
    for (unsigned i = 0; i < bulk.elements; ++i)
      if (bytes == 8)
        __builtin_memcpy(values[lane].bytes + i * 8,
                         &lanes64(warp, uses[2 + i])[lane], 8);
      else
        __builtin_memcpy(values[lane].bytes + i * 4,
                         &lanes32(warp, uses[2 + i])[lane], 4);
  });
  issueStores(warp, instr, lanes64(warp, uses[0]), lanes64(warp, uses[1]),
              values);
  return instr + 1;
}

static const Instr *bulkCommit(Warp &warp, const Instr *instr) {
  commitBulk(warp);
  return instr + 1;
}

static const Instr *bulkWait(Warp &warp, const Instr *instr) {
  waitBulk(warp, instr, uint32_t(instr->imm), instr->extra);
  return instr + 1;
}

static const Instr *proxyFence(Warp &warp, const Instr *instr) {
  fenceProxy(warp);
  return instr + 1;
}

static const Instr *tensorMapReplace(Warp &warp, const Instr *instr) {
  const Program &program = *warp.block->launch->program;
  const uint32_t *uses = program.pool.data() + instr->list;
  const TensorField field = TensorField(instr->imm & 0xff);
  const bool isWide =
      field == TensorField::Address || field == TensorField::Stride;
  forLanes(warp.active, [&](unsigned lane) {
    replaceField(warp, instr, lane, lanes64(warp, uses[0])[lane],
                 isWide ? lanes64(warp, uses[1])[lane]
                        : lanes32(warp, uses[1])[lane]);
  });
  return instr + 1;
}

/// .sync.aligned: one copy of the whole warp.
static const Instr *tensorMapCopy(Warp &warp, const Instr *instr) {
  const Instr *next;
  if (warp.active != kAllLanes && !collectWarp(warp, instr, next))
    return next;
  const Program &program = *warp.block->launch->program;
  const uint32_t *uses = program.pool.data() + instr->list;
  const unsigned lane = __builtin_ctz(warp.active);
  copyTensorMap(warp, instr, lane, lanes64(warp, uses[0])[lane],
                lanes64(warp, uses[1])[lane]);
  return instr + 1;
}

static const Instr *tensorMapAcquire(Warp &warp, const Instr *instr) {
  const Program &program = *warp.block->launch->program;
  const uint32_t *uses = program.pool.data() + instr->list;
  forLanes(warp.active, [&](unsigned lane) {
    acquireTensorMap(warp, lanes64(warp, uses[0])[lane]);
  });
  return instr + 1;
}

void addBulkHandlers(Handler *table) {
  table[unsigned(Opcode::BulkCopy)] = bulkCopy;
  table[unsigned(Opcode::StoreAsync)] = storeAsync;
  table[unsigned(Opcode::ReduceAsync)] = storeAsync;
  table[unsigned(Opcode::BulkCommit)] = bulkCommit;
  table[unsigned(Opcode::BulkWait)] = bulkWait;
  table[unsigned(Opcode::ProxyFence)] = proxyFence;
  table[unsigned(Opcode::TensorMapReplace)] = tensorMapReplace;
  table[unsigned(Opcode::TensorMapCopy)] = tensorMapCopy;
  table[unsigned(Opcode::TensorMapAcquire)] = tensorMapAcquire;
}

} // namespace TILEIR_SIM_ISA
} // namespace tileir::sim
