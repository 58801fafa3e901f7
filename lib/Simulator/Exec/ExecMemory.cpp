//===- ExecMemory.cpp -----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handlers of loads and stores. The addresses of a warp are checked as one
// vector against the buffer (or shared memory) that the first of them leads to;
// only if that fails does each lane go through `resolve`. Data move as rows of
// memory, `bytes` of each lane, and as words, the same 4 bytes of all lanes.
//
//===----------------------------------------------------------------------===//

#include "Exec/Cluster.h"
#include "Exec/Exec.h"
#include "Memory/Memory.h"

#include <type_traits>

namespace tileir::sim {
namespace TILEIR_SIM_ISA {

constexpr unsigned kMaxBytes = 32; // of one lane's access
typedef uint32_t U32x4 __attribute__((vector_size(16), may_alias));
typedef uint32_t U32x4u __attribute__((vector_size(16), aligned(1), may_alias));

/// Addresses of all lanes, as a vector and one by one.
union Addresses {
  U64 vector;
  uint64_t lane[kLanes];
};

/// The places that the lanes of an access go to.
struct Lanes {
  Addresses address; ///< as the kernel sees it
  Addresses host;    ///< the same bytes in this process
  uint32_t good;     ///< those that may access them
  WarpAccess::Pattern pattern;
};

/// The bytes that lanes read which may not load.
alignas(kMaxBytes) static const uint8_t zeros[kMaxBytes] = {};

SIM_INLINE uint64_t orLanes(U64 value) {
  typedef uint64_t Part __attribute__((vector_size(32), may_alias));
  const Part *parts = reinterpret_cast<const Part *>(&value);
  Part all = ((parts[0] | parts[1]) | (parts[2] | parts[3])) |
             ((parts[4] | parts[5]) | (parts[6] | parts[7]));
  return (all[0] | all[1]) | (all[2] | all[3]);
}

static constexpr U64 kLaneIndices = {0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10,
                                     11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21,
                                     22, 23, 24, 25, 26, 27, 28, 29, 30, 31};

/// True if every lane's `bytes` bytes lie in [begin, begin + size) and are
/// aligned.
SIM_INLINE bool areGood(U64 address, unsigned bytes, uint64_t begin,
                        uint64_t size) {
  if (size < bytes || size >> 62)
    return false;
  U64 offset = address - begin;
  // The sign bit is set by an offset outside [0, size - bytes].
  uint64_t outside = orLanes(offset | ((size - bytes) - offset));
  return !(outside >> 63) && (orLanes(address) & (bytes - 1)) == 0;
}

/// Checks the lanes one by one, and records the good ones.
static void locateLanes(Warp &warp, const Instr *instr, const Access &access,
                        Lanes &lanes, bool isStore, const uint32_t *words) {
  lanes.host.vector = U64{} + reinterpret_cast<uint64_t>(zeros);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    lanes.address.lane[lane] =
        toOwnWindow(*warp.block, lanes.address.lane[lane]);
  lanes.good = resolveLanes(warp, instr, access, lanes.address.lane, isStore,
                            lanes.host.lane);
  // Neighbours in memory of this process need not be neighbours in the
  // kernel's.
  lanes.pattern = WarpAccess::Any;
  if (!warp.block->launch->instrument)
    return;
  uint32_t spaces[6] = {}; // their lanes
  forLanes(lanes.good, [&](unsigned lane) {
    Space space = access.space == Space::Generic
                      ? getSpace(lanes.address.lane[lane])
                      : access.space;
    spaces[unsigned(space)] |= 1u << lane;
  });
  for (unsigned space = 0; space < 6; ++space)
    if (spaces[space])
      observe(warp, instr, access,
              {Space(space), spaces[space], lanes.address.lane, isStore,
               WarpAccess::Any, nullptr, words});
}

/// The common case of local memory: all lanes go to one place of a variable.
SIM_INLINE bool locateLocal(Warp &warp, uint64_t address, unsigned bytes,
                            Lanes &lanes) {
  const Program &program = *warp.block->launch->program;
  const uint64_t offset = address - kLocalBase;
  const LocalVariable *variable = program.locals.data();
  const LocalVariable *end = variable + program.locals.size();
  while (variable != end && offset - variable->offset >= variable->bytes)
    ++variable;
  if (variable == end || offset % bytes != 0 ||
      offset - variable->offset + bytes > variable->bytes)
    return false;
  lanes.host.vector = kLaneIndices * program.localBytes +
                      (reinterpret_cast<uint64_t>(warp.local) + offset);
  // They lie apart in this process.
  lanes.pattern = WarpAccess::Any;
  return true;
}

/// Finds and checks where the active lanes go, and records it. `words` are what
/// a store is to write.
template <bool IsStore>
SIM_INLINE void locate(Warp &warp, const Instr *instr, const Access &access,
                       Lanes &lanes, const uint32_t *words = nullptr) {
  const Block &block = *warp.block;
  const unsigned bytes = access.bytes;
  U64 address = reg<U64>(warp, instr->a) + uint64_t(instr->imm);
  lanes.address.vector = address;
  lanes.good = warp.active;
  const uint64_t first = lanes.address.lane[__builtin_ctz(warp.active)];
  if (__builtin_expect(warp.active != kAllLanes, 0)) {
    // Lanes that are not active do as the first one does.
    U64 mask = activeMask64(warp);
    address = (address & mask) | ((U64{} + first) & ~mask);
    lanes.address.vector = address;
  }
  U64 distance = address - first;
  lanes.pattern = WarpAccess::Any;
  if (orLanes(distance) == 0)
    lanes.pattern = WarpAccess::Same;
  else if (warp.active == kAllLanes &&
           orLanes(distance ^ (kLaneIndices << __builtin_ctz(bytes))) == 0)
    lanes.pattern = WarpAccess::Consecutive;

  const Space space =
      access.space == Space::Generic ? getSpace(first) : access.space;
  const WarpAccess::Pattern pattern = lanes.pattern;
  Buffer *buffer = nullptr;
  bool good = false;
  if (space == Space::Shared) {
    good = areGood(address, bytes, kSharedBase, block.sharedBytes);
    lanes.host.vector =
        address + (reinterpret_cast<uint64_t>(block.shared) - kSharedBase);
  } else if (space == Space::Global || space == Space::Constant) {
    Buffer *&last = warp.worker->lastBuffer[instr->extra];
    buffer = last;
    if (!buffer || first - buffer->begin >= buffer->size)
      buffer = last = findBuffer(warp, first);
    good = buffer && areGood(address, bytes, buffer->begin, buffer->size) &&
           !(IsStore && (buffer->readOnly || space == Space::Constant));
    lanes.host.vector = address;
  } else if (space == Space::Local && lanes.pattern == WarpAccess::Same) {
    good = locateLocal(warp, first, bytes, lanes);
  }
  if (__builtin_expect(!good, 0))
    return locateLanes(warp, instr, access, lanes, IsStore, words);
  if (block.launch->instrument)
    observe(warp, instr, access,
            {space, warp.active, lanes.address.lane, IsStore, pattern, buffer,
             words});
}

//===----------------------------------------------------------------------===//
// Rows and words
//===----------------------------------------------------------------------===//

/// Swaps rows and columns of 4 x 4 words.
SIM_INLINE void transpose(const U32x4 in[4], U32x4 out[4]) {
  U32x4 a = __builtin_shufflevector(in[0], in[1], 0, 4, 1, 5);
  U32x4 b = __builtin_shufflevector(in[2], in[3], 0, 4, 1, 5);
  U32x4 c = __builtin_shufflevector(in[0], in[1], 2, 6, 3, 7);
  U32x4 d = __builtin_shufflevector(in[2], in[3], 2, 6, 3, 7);
  out[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
  out[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
  out[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
  out[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

/// The words of rows of Bytes bytes.
template <unsigned Bytes>
SIM_INLINE void toWords(const uint8_t *rows, U32 *words) {
  if constexpr (Bytes == 1) {
    typedef uint8_t V __attribute__((vector_size(32), aligned(1), may_alias));
    words[0] = __builtin_convertvector(*(const V *)rows, U32);
  } else if constexpr (Bytes == 2) {
    typedef uint16_t V __attribute__((vector_size(64), aligned(1), may_alias));
    words[0] = __builtin_convertvector(*(const V *)rows, U32);
  } else if constexpr (Bytes == 4) {
    __builtin_memcpy(words, rows, sizeof(U32));
  } else if constexpr (Bytes == 8) {
    U64 both;
    __builtin_memcpy(&both, rows, sizeof(U64));
    words[0] = __builtin_convertvector(both, U32);
    words[1] = __builtin_convertvector(both >> 32, U32);
  } else {
    for (unsigned lane = 0; lane < kLanes; lane += 4)
      for (unsigned part = 0; part < Bytes / 16; ++part) {
        U32x4 in[4], out[4];
        for (unsigned i = 0; i < 4; ++i)
          in[i] = *(const U32x4u *)(rows + (lane + i) * Bytes + part * 16);
        transpose(in, out);
        for (unsigned i = 0; i < 4; ++i)
          ((U32x4 *)&words[part * 4 + i])[lane / 4] = out[i];
      }
  }
}

/// The rows of Bytes bytes of words.
template <unsigned Bytes>
SIM_INLINE void toRows(const U32 *words, uint8_t *rows) {
  if constexpr (Bytes == 1) {
    typedef uint8_t V __attribute__((vector_size(32), aligned(1), may_alias));
    *(V *)rows = __builtin_convertvector(words[0], V);
  } else if constexpr (Bytes == 2) {
    typedef uint16_t V __attribute__((vector_size(64), aligned(1), may_alias));
    *(V *)rows = __builtin_convertvector(words[0], V);
  } else if constexpr (Bytes == 4) {
    __builtin_memcpy(rows, words, sizeof(U32));
  } else if constexpr (Bytes == 8) {
    U64 both = __builtin_convertvector(words[0], U64) |
               __builtin_convertvector(words[1], U64) << 32;
    __builtin_memcpy(rows, &both, sizeof(U64));
  } else {
    for (unsigned lane = 0; lane < kLanes; lane += 4)
      for (unsigned part = 0; part < Bytes / 16; ++part) {
        U32x4 in[4], out[4];
        for (unsigned i = 0; i < 4; ++i)
          in[i] = ((const U32x4 *)&words[part * 4 + i])[lane / 4];
        transpose(in, out);
        for (unsigned i = 0; i < 4; ++i)
          *(U32x4u *)(rows + (lane + i) * Bytes + part * 16) = out[i];
      }
  }
}

template <unsigned Bytes>
SIM_INLINE void loadWords(const Lanes &lanes, U32 *words) {
  if (lanes.pattern == WarpAccess::Consecutive)
    return toWords<Bytes>((const uint8_t *)lanes.host.lane[0], words);
  alignas(128) uint8_t rows[kLanes * Bytes];
  for (unsigned lane = 0; lane < kLanes; ++lane)
    __builtin_memcpy(rows + lane * Bytes, (const void *)lanes.host.lane[lane],
                     Bytes);
  toWords<Bytes>(rows, words);
}

template <unsigned Bytes>
SIM_INLINE void storeWords(const Lanes &lanes, const U32 *words) {
  if (lanes.pattern == WarpAccess::Consecutive)
    return toRows<Bytes>(words, (uint8_t *)lanes.host.lane[0]);
  alignas(128) uint8_t rows[kLanes * Bytes];
  toRows<Bytes>(words, rows);
  forLanes(lanes.good, [&](unsigned lane) {
    __builtin_memcpy((void *)lanes.host.lane[lane], rows + lane * Bytes, Bytes);
  });
}

/// Calls `body` with the size as a constant.
template <typename Body> SIM_INLINE void withBytes(unsigned bytes, Body body) {
  switch (bytes) {
  case 1:
    return body(std::integral_constant<unsigned, 1>());
  case 2:
    return body(std::integral_constant<unsigned, 2>());
  case 4:
    return body(std::integral_constant<unsigned, 4>());
  case 8:
    return body(std::integral_constant<unsigned, 8>());
  case 16:
    return body(std::integral_constant<unsigned, 16>());
  default:
    return body(std::integral_constant<unsigned, 32>());
  }
}

//===----------------------------------------------------------------------===//
// Handlers
//===----------------------------------------------------------------------===//

static const Instr *load(Warp &warp, const Instr *instr) {
  const Program &program = *warp.block->launch->program;
  const Access &access = program.accesses[instr->extra];
  const uint32_t *defs = program.pool.data() + instr->list;
  Lanes lanes;
  locate<false>(warp, instr, access, lanes);
  U32 words[kMaxBytes / 4];
  withBytes(access.bytes, [&](auto bytes) { loadWords<bytes>(lanes, words); });
  switch (access.elementBytes) {
  case 4:
    for (unsigned i = 0; i < access.elements; ++i)
      put(warp, defs[i], words[i]);
    break;
  case 8:
    for (unsigned i = 0; i < access.elements; ++i)
      put(warp, defs[i],
          __builtin_convertvector(words[2 * i], U64) |
              __builtin_convertvector(words[2 * i + 1], U64) << 32);
    break;
  default: {
    const unsigned bits = 8 * access.elementBytes;
    for (unsigned i = 0; i < access.elements; ++i)
      put(warp, defs[i],
          words[i * bits / 32] >> (i * bits % 32) & ((1u << bits) - 1));
    break;
  }
  }
  return instr + 1;
}

static const Instr *store(Warp &warp, const Instr *instr) {
  const Program &program = *warp.block->launch->program;
  const Access &access = program.accesses[instr->extra];
  const uint32_t *uses = program.pool.data() + instr->list + instr->numDefs;
  U32 words[kMaxBytes / 4];
  switch (access.elementBytes) {
  case 4:
    for (unsigned i = 0; i < access.elements; ++i)
      words[i] = reg<U32>(warp, uses[i]);
    break;
  case 8:
    for (unsigned i = 0; i < access.elements; ++i) {
      U64 value = reg<U64>(warp, uses[i]);
      words[2 * i] = __builtin_convertvector(value, U32);
      words[2 * i + 1] = __builtin_convertvector(value >> 32, U32);
    }
    break;
  default: {
    const unsigned bits = 8 * access.elementBytes;
    for (unsigned i = 0; i < access.elements; ++i) {
      U32 value = (reg<U32>(warp, uses[i]) & ((1u << bits) - 1))
                  << (i * bits % 32);
      U32 &word = words[i * bits / 32];
      word = i * bits % 32 == 0 ? value : word | value;
    }
    break;
  }
  }
  Lanes lanes;
  locate<true>(warp, instr, access, lanes,
               reinterpret_cast<const uint32_t *>(words));
  withBytes(access.bytes, [&](auto bytes) { storeWords<bytes>(lanes, words); });
  return instr + 1;
}

static const Instr *isSpace(Warp &warp, const Instr *instr) {
  const uint64_t *addresses = lanes64(warp, instr->a);
  LaneResult result;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    // The window of its rank is the block's own, too.
    Space space = getSpace(toOwnWindow(*warp.block, addresses[lane]));
    const bool isShared = space == Space::Shared;
    result.lane[lane] = space == Space(instr->imm) ||
                        (isShared && Space(instr->imm) == Space::Cluster);
  }
  put(warp, instr->dst, result.vector);
  return instr + 1;
}

static const Instr *mapRank(Warp &warp, const Instr *instr) {
  const uint64_t *addresses = lanes64(warp, instr->a);
  const uint32_t *ranks = lanes32(warp, instr->b);
  alignas(128) uint64_t result[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane)
    // A rank that there cannot be leads nowhere.
    result[lane] = ranks[lane] < kMaxClusterBlocks
                       ? mapToRank(addresses[lane], ranks[lane])
                       : 0;
  put(warp, instr->dst, *reinterpret_cast<const U64 *>(result));
  return instr + 1;
}

static const Instr *rankOf(Warp &warp, const Instr *instr) {
  const uint64_t *addresses = lanes64(warp, instr->a);
  LaneResult result;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    result.lane[lane] = isClusterAddress(addresses[lane])
                            ? getRank(addresses[lane])
                            : warp.block->rank;
  put(warp, instr->dst, result.vector);
  return instr + 1;
}

void addMemoryHandlers(Handler *table) {
  table[unsigned(Opcode::IsSpace)] = isSpace;
  table[unsigned(Opcode::MapRank)] = mapRank;
  table[unsigned(Opcode::GetRank)] = rankOf;
  table[unsigned(Opcode::Load)] = load;
  table[unsigned(Opcode::Store)] = store;
}

} // namespace TILEIR_SIM_ISA
} // namespace tileir::sim
