//===- ExecAtomic.cpp -----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handlers of atomic read-modify-writes, compare-and-exchange, and fences. The
// active lanes take their turns in the order of the lanes. Global memory is
// shared with other host threads, which run other blocks: it is updated by
// compare-and-exchange of the host; shared memory belongs to one host thread.
//
// Not as on the machine: atom.add.f32 of global memory flushes subnormal
// numbers there, here it does not.
//
//===----------------------------------------------------------------------===//

#include "Exec/Cluster.h"
#include "Exec/Exec.h"
#include "Exec/ExecFloat.h"
#include "Memory/Memory.h"

namespace tileir::sim {
namespace TILEIR_SIM_ISA {

/// Numbers as PTX orders them: of a number and a NaN, the number.
template <typename T> SIM_INLINE T combineFloat(AtomicOp op, T old, T x) {
  switch (op) {
  case AtomicOp::FAdd:
    return old + x;
  case AtomicOp::FSub:
    return old - x;
  case AtomicOp::FMin:
    return x < old || old != old ? x : old;
  case AtomicOp::FMax:
    return x > old || old != old ? x : old;
  default:
    return x;
  }
}

template <typename T, typename Bits>
SIM_INLINE uint64_t combineBits(AtomicOp op, uint64_t old, uint64_t x) {
  Bits oldBits = Bits(old), xBits = Bits(x), bits;
  T oldValue, value;
  __builtin_memcpy(&oldValue, &oldBits, sizeof(T));
  __builtin_memcpy(&value, &xBits, sizeof(T));
  value = combineFloat(op, oldValue, value);
  __builtin_memcpy(&bits, &value, sizeof(T));
  return bits;
}

static float toFloat(ElementType type, uint64_t bits) {
  U32 all = U32{} + uint32_t(bits);
  return (type == ElementType::F16 ? halfToFloat(all) : bfloatToFloat(all))[0];
}
static uint64_t fromFloat(ElementType type, float value) {
  F32 all = value - F32{}; // not a sum, which would make +0 of -0
  return (type == ElementType::F16 ? floatToHalf(all) : floatToBFloat(all))[0];
}

/// The new value that an operation makes of `old`; both are zero-extended from
/// `bits` bits, and the bits of the result above these are ignored.
static uint64_t combine(AtomicOp op, ElementType type, unsigned bits,
                        uint64_t old, uint64_t x) {
  switch (op) {
  case AtomicOp::Exchange:
    return x;
  case AtomicOp::Add:
    return old + x;
  case AtomicOp::Sub:
    return old - x;
  case AtomicOp::And:
    return old & x;
  case AtomicOp::Or:
    return old | x;
  case AtomicOp::Xor:
    return old ^ x;
  case AtomicOp::SMin:
    return int64_t(x << (64 - bits)) < int64_t(old << (64 - bits)) ? x : old;
  case AtomicOp::SMax:
    return int64_t(x << (64 - bits)) > int64_t(old << (64 - bits)) ? x : old;
  case AtomicOp::UMin:
    return x < old ? x : old;
  case AtomicOp::UMax:
    return x > old ? x : old;
  case AtomicOp::Inc:
    return old >= x ? 0 : old + 1;
  case AtomicOp::Dec:
    return old == 0 || old > x ? x : old - 1;
  case AtomicOp::FAdd:
  case AtomicOp::FSub:
  case AtomicOp::FMin:
  case AtomicOp::FMax:
    break;
  }
  if (type == ElementType::F32)
    return combineBits<float, uint32_t>(op, old, x);
  if (type == ElementType::F64)
    return combineBits<double, uint64_t>(op, old, x);
  return fromFloat(type,
                   combineFloat(op, toFloat(type, old), toFloat(type, x)));
}

/// Replaces a word by combine(word); gives the old one.
template <typename Word, typename Combine>
SIM_INLINE uint64_t updateWord(uint8_t *address, bool contended,
                               Combine combine) {
  typedef Word __attribute__((may_alias)) Aliased;
  Aliased *word = reinterpret_cast<Aliased *>(address);
  Word old = __atomic_load_n(word, __ATOMIC_RELAXED);
  if (!contended) {
    *word = Word(combine(old));
    return old;
  }
  while (!__atomic_compare_exchange_n(word, &old, Word(combine(old)), true,
                                      __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
  }
  return old;
}

template <typename Combine>
SIM_INLINE uint64_t update(uint8_t *address, unsigned bytes, bool contended,
                           Combine combine) {
  switch (bytes) {
  case 1:
    return updateWord<uint8_t>(address, contended, combine);
  case 2:
    return updateWord<uint16_t>(address, contended, combine);
  case 4:
    return updateWord<uint32_t>(address, contended, combine);
  default:
    return updateWord<uint64_t>(address, contended, combine);
  }
}

/// The operand of a lane, in `bytes` bytes.
SIM_INLINE uint64_t getOperand(Warp &warp, uint32_t slot, unsigned lane,
                               unsigned bytes) {
  if (bytes == 8)
    return reg<U64>(warp, slot)[lane];
  return reg<U32>(warp, slot)[lane] &
         uint32_t(~uint64_t(0) >> (64 - 8 * bytes));
}

/// Updates memory lane by lane: body(lane, old) gives the new value. `stored`
/// are the lanes that count as stores; the body may take some away.
template <typename Body>
SIM_INLINE const Instr *updateLanes(Warp &warp, const Instr *instr,
                                    uint32_t &stored, Body body) {
  const Access &access = warp.block->launch->program->accesses[instr->extra];
  const unsigned bytes = access.elementBytes;
  alignas(128) uint64_t addresses[kLanes];
  *reinterpret_cast<U64 *>(addresses) =
      reg<U64>(warp, instr->a) + uint64_t(instr->imm);
  if (access.releasesToBlocks())
    publish(warp, warp.active);
  uint32_t done = 0;
  alignas(128) uint64_t old[kLanes] = {};
  forLanes(warp.active, [&](unsigned lane) {
    uint64_t address = addresses[lane] =
        toOwnWindow(*warp.block, addresses[lane]);
    uint8_t *memory = resolve(warp, instr, access, lane, address, bytes, true);
    if (!memory)
      return;
    if (address >= kGlobalBase) {
      const Buffer *buffer = warp.worker->lastBuffer.data()[instr->extra];
      if (buffer->isTracked)
        checkWritten(warp, instr, 1u << lane, *buffer, addresses, bytes);
    }
    done |= 1u << lane;
    old[lane] = update(memory, bytes, address >= kGlobalBase,
                       [&](uint64_t word) { return body(lane, word); });
  });
  if (warp.block->launch->instrument)
    noteAtomics(warp, instr, access, done, stored, addresses);
  if (instr->dst == kNoRegister)
    return instr + 1;
  const U64 &result = *reinterpret_cast<U64 *>(old);
  if (bytes == 8)
    put(warp, instr->dst, result);
  else
    put(warp, instr->dst, __builtin_convertvector(result, U32));
  return instr + 1;
}

static const Instr *atomicRmw(Warp &warp, const Instr *instr) {
  const Access &access = warp.block->launch->program->accesses[instr->extra];
  const unsigned bytes = access.elementBytes;
  uint32_t stored = warp.active;
  return updateLanes(warp, instr, stored, [&](unsigned lane, uint64_t old) {
    return combine(access.atomicOp, access.type, 8 * bytes, old,
                   getOperand(warp, instr->b, lane, bytes));
  });
}

static const Instr *atomicCmpXchg(Warp &warp, const Instr *instr) {
  const unsigned bytes =
      warp.block->launch->program->accesses[instr->extra].elementBytes;
  uint32_t stored = warp.active;
  return updateLanes(warp, instr, stored, [&](unsigned lane, uint64_t old) {
    bool equal = old == getOperand(warp, instr->b, lane, bytes);
    // Another host thread may make the last comparison differ from the first.
    stored = equal ? stored | 1u << lane : stored & ~(1u << lane);
    return equal ? getOperand(warp, instr->c, lane, bytes) : old;
  });
}

static const Instr *fenceHandler(Warp &warp, const Instr *instr) {
  fence(warp, Scope(instr->imm));
  return instr + 1;
}

void addAtomicHandlers(Handler *table) {
  table[unsigned(Opcode::AtomicRmw)] = atomicRmw;
  table[unsigned(Opcode::AtomicCmpXchg)] = atomicCmpXchg;
  table[unsigned(Opcode::Fence)] = fenceHandler;
}

} // namespace TILEIR_SIM_ISA
} // namespace tileir::sim
