//===- ExecMemory.cpp -----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Handlers of loads and stores. Mostly the addresses of a warp go up by one
// stride, none or that of the access: then the first and the last are all there
// is to check and to count. Other addresses are checked as one vector against
// the buffer (or shared memory) that the first of them leads to; only if that
// fails does each lane go through `resolve`. Data move as rows of memory,
// `bytes` of each lane, and as words, the same 4 bytes of all lanes.
//
//===----------------------------------------------------------------------===//

#include "Exec/Cluster.h"
#include "Exec/Exec.h"
#include "Memory/CountStrided.h"

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
  Addresses host;    ///< the same bytes in this process, of the pattern Any
  uint8_t *first;    ///< of other patterns: those of the first lane, then by
  int64_t stride;    ///< this from lane to lane
  uint32_t good;     ///< those that may access them
  WarpAccess::Pattern pattern;
};
/// No buffer is so large that a warp's addresses are further apart.
constexpr int64_t kMaxStride = int64_t(1) << 40;

/// The bytes that lanes read which may not load.
alignas(kMaxBytes) static const uint8_t zeros[kMaxBytes] = {};

SIM_INLINE uint64_t orLanes(U64 value) {
  typedef uint64_t Part __attribute__((vector_size(32), may_alias));
  const Part *parts = reinterpret_cast<const Part *>(&value);
  Part all = ((parts[0] | parts[1]) | (parts[2] | parts[3])) |
             ((parts[4] | parts[5]) | (parts[6] | parts[7]));
  return (all[0] | all[1]) | (all[2] | all[3]);
}

/// Whether the lanes of a register go up, or down, by one stride.
SIM_INLINE bool isStrided(const uint64_t *lane, int64_t &stride) {
  typedef uint64_t Part __attribute__((vector_size(32), may_alias));
  const uint64_t first = lane[0], step = lane[1] - first;
  stride = int64_t(step);
  if (lane[kLanes - 1] - first != step * (kLanes - 1) || stride > kMaxStride ||
      stride < -kMaxStride)
    return false;
  const Part *parts = reinterpret_cast<const Part *>(lane);
  Part expected = {first, first + step, first + 2 * step, first + 3 * step};
  Part difference = {};
  for (unsigned i = 0; i < kLanes / 4; ++i) {
    difference |= parts[i] ^ expected;
    expected += 4 * step;
  }
  return ((difference[0] | difference[1]) | (difference[2] | difference[3])) ==
         0;
}

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
  // They lie apart in this process.
  lanes.first = warp.local + offset;
  lanes.stride = program.localBytes;
  lanes.pattern = WarpAccess::Strided;
  return true;
}

/// The buffer that an address leads to, most likely that of the last time.
SIM_INLINE Buffer *findLikely(Warp &warp, const Instr *instr,
                              uint64_t address) {
  Buffer *&last = warp.worker->lastBuffer[instr->extra];
  if (!last || address - last->begin >= last->size)
    last = findBuffer(warp, address);
  return last;
}

/// Records an access of all lanes that go by one stride, from `low` to `high`.
template <bool IsStore>
SIM_INLINE void observeStrided(Warp &warp, const Instr *instr,
                               const Access &access, Lanes &lanes, Space space,
                               Buffer *buffer, uint64_t low, uint64_t high,
                               const uint32_t *words) {
  auto makeAccess = [&]() -> WarpAccess {
    lanes.address.vector = reg<U64>(warp, instr->a) + uint64_t(instr->imm);
    return {space,  kAllLanes, lanes.address.lane, IsStore, lanes.pattern,
            buffer, words};
  };
  if (!buffer || access.isAtomic || access.isVolatile || access.isHint)
    return observe(warp, instr, access, makeAccess());
  countStrided(warp, instr, access, lanes.pattern, lanes.stride, *buffer, low,
               high);
  if (IsStore || isWatched(*buffer))
    watchGlobal(warp, instr, *buffer, makeAccess(), access.bytes,
                /*atomic=*/false);
}

/// Finds, checks and records where the lanes go if all of them are active, and
/// go up or down by one stride. False, and nothing done, if not, or if one is
/// bad.
template <bool IsStore>
SIM_INLINE bool locateStrided(Warp &warp, const Instr *instr,
                              const Access &access, Lanes &lanes,
                              const uint32_t *words) {
  const Block &block = *warp.block;
  const unsigned bytes = access.bytes;
  const uint64_t *base = lanes64(warp, instr->a);
  if (!isStrided(base, lanes.stride))
    return false;
  const uint64_t first = base[0] + uint64_t(instr->imm);
  const uint64_t last = base[kLanes - 1] + uint64_t(instr->imm);
  const uint64_t low = lanes.stride < 0 ? last : first;
  const uint64_t high = lanes.stride < 0 ? first : last;
  if ((first | uint64_t(lanes.stride)) & (bytes - 1))
    return false;
  auto isWithin = [&](uint64_t begin, uint64_t size) {
    return size >= bytes && low - begin <= size - bytes &&
           high - begin <= size - bytes;
  };
  lanes.pattern = lanes.stride == 0                ? WarpAccess::Same
                  : lanes.stride == int64_t(bytes) ? WarpAccess::Consecutive
                                                   : WarpAccess::Strided;
  lanes.good = kAllLanes;
  const Space space =
      access.space == Space::Generic ? getSpace(first) : access.space;
  Buffer *buffer = nullptr;
  if (space == Space::Shared) {
    if (!isWithin(kSharedBase, block.sharedBytes))
      return false;
    lanes.first = block.shared + (first - kSharedBase);
  } else if (space == Space::Global || space == Space::Constant) {
    buffer = findLikely(warp, instr, first);
    if (!buffer || !isWithin(buffer->begin, buffer->size) ||
        (IsStore && (buffer->readOnly || space == Space::Constant)))
      return false;
    lanes.first = reinterpret_cast<uint8_t *>(first);
  } else if (space != Space::Local || lanes.stride != 0 ||
             !locateLocal(warp, first, bytes, lanes)) {
    return false;
  }
  if (block.launch->instrument)
    observeStrided<IsStore>(warp, instr, access, lanes, space, buffer, low,
                            high, words);
  return true;
}

/// Finds and checks where the active lanes go, and records it. `words` are what
/// a store is to write.
template <bool IsStore>
SIM_INLINE void locate(Warp &warp, const Instr *instr, const Access &access,
                       Lanes &lanes, const uint32_t *words = nullptr) {
  const Block &block = *warp.block;
  const unsigned bytes = access.bytes;
  if (__builtin_expect(warp.active == kAllLanes, 1) &&
      locateStrided<IsStore>(warp, instr, access, lanes, words))
    return;
  U64 address = reg<U64>(warp, instr->a) + uint64_t(instr->imm);
  lanes.address.vector = address;
  lanes.good = warp.active;
  lanes.pattern = WarpAccess::Any;
  WarpAccess::Pattern pattern = WarpAccess::Any;
  const uint64_t first = lanes.address.lane[__builtin_ctz(warp.active)];
  if (warp.active != kAllLanes) {
    // Lanes that are not active do as the first one does.
    U64 mask = activeMask64(warp);
    address = (address & mask) | ((U64{} + first) & ~mask);
    lanes.address.vector = address;
    if (orLanes(address - first) == 0)
      pattern = WarpAccess::Same;
  }

  const Space space =
      access.space == Space::Generic ? getSpace(first) : access.space;
  Buffer *buffer = nullptr;
  bool good = false;
  if (space == Space::Shared) {
    good = areGood(address, bytes, kSharedBase, block.sharedBytes);
    lanes.host.vector =
        address + (reinterpret_cast<uint64_t>(block.shared) - kSharedBase);
  } else if (space == Space::Global || space == Space::Constant) {
    buffer = findLikely(warp, instr, first);
    good = buffer && areGood(address, bytes, buffer->begin, buffer->size) &&
           !(IsStore && (buffer->readOnly || space == Space::Constant));
    lanes.host.vector = address;
  } else if (space == Space::Local && pattern == WarpAccess::Same) {
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
    return toWords<Bytes>(lanes.first, words);
  if (lanes.pattern == WarpAccess::Same) {
    uint32_t one[(Bytes + 3) / 4] = {};
    __builtin_memcpy(one, lanes.first, Bytes);
    for (unsigned i = 0; i < (Bytes + 3) / 4; ++i)
      words[i] = U32{} + one[i];
    return;
  }
  alignas(128) uint8_t rows[kLanes * Bytes];
  if (lanes.pattern == WarpAccess::Strided) {
    const uint8_t *from = lanes.first;
    for (unsigned lane = 0; lane < kLanes; ++lane, from += lanes.stride)
      __builtin_memcpy(rows + lane * Bytes, from, Bytes);
  } else {
    for (unsigned lane = 0; lane < kLanes; ++lane)
      __builtin_memcpy(rows + lane * Bytes, (const void *)lanes.host.lane[lane],
                       Bytes);
  }
  toWords<Bytes>(rows, words);
}

template <unsigned Bytes>
SIM_INLINE void storeWords(const Lanes &lanes, const U32 *words) {
  if (lanes.pattern == WarpAccess::Consecutive)
    return toRows<Bytes>(words, lanes.first);
  alignas(128) uint8_t rows[kLanes * Bytes];
  toRows<Bytes>(words, rows);
  if (lanes.pattern != WarpAccess::Any)
    return forLanes(lanes.good, [&](unsigned lane) {
      __builtin_memcpy(lanes.first + int64_t(lane) * lanes.stride,
                       rows + lane * Bytes, Bytes);
    });
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
  if (__builtin_expect(warp.undefinedLanes, 0))
    return trackWarp(warp, instr);
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
