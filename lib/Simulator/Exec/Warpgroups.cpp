//===- Warpgroups.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// See Warpgroups.h. A group of mma_async is known to be done when one of its
// four warps has waited for it: the warpgroup executes as one, and producers
// may be told by any of its threads.
//
//===----------------------------------------------------------------------===//

#include "Exec/Warpgroups.h"

#include "Exec/Cluster.h"
#include "Memory/Memory.h"
#include "Memory/SharedShadow.h"

#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cstring>

using namespace tileir::sim;
using llvm::formatv;

namespace {
struct Product {
  const Instr *instr = nullptr;
  /// When each warp had waited for it; 0: it has not.
  uint32_t retired[kWarpsOfGroup] = {};
  bool isReported = false; ///< its missing wait
};
/// Of one warp.
struct Progress {
  uint32_t fences = 0, retired = 0;
  std::vector<uint32_t> open; ///< how many mma_async there were at each commit
};
struct Warpgroup {
  uint32_t arrived = 0; ///< warps that wait for the others
  const Instr *at = nullptr;
  std::vector<Product> products; ///< of this block
  uint32_t before = 0;           ///< how many there were in earlier blocks
  Progress warps[kWarpsOfGroup];
  uint32_t registers = 0; ///< of a thread, by setmaxnreg; 0: as at the start
};
} // namespace

class tileir::sim::Warpgroups {
public:
  Warpgroup groups[kMaxWarpgroups];
  uint32_t freeRegisters = 0; ///< that warps have given back
};

static Warpgroup &getGroup(Block &block, uint32_t warp) {
  if (!block.warpgroups)
    block.warpgroups = new Warpgroups;
  return block.warpgroups->groups[warp / kWarpsOfGroup];
}
static Progress &getProgress(Warp &warp) {
  return getGroup(*warp.block, warp.index).warps[warp.index % kWarpsOfGroup];
}
static std::string getPlace(const Block &block, const Instr *instr) {
  return block.launch->program->locations[instr->location].str();
}

void tileir::sim::resetWarpgroups(Block &block) {
  if (!block.warpgroups)
    return;
  block.warpgroups->freeRegisters = 0;
  for (Warpgroup &group : block.warpgroups->groups) {
    uint32_t before = group.before + group.products.size();
    group = Warpgroup();
    group.before = before;
  }
}
void tileir::sim::destroyWarpgroups(Warpgroups *warpgroups) {
  delete warpgroups;
}

void tileir::sim::finishWarpgroups(Block &block) {
  if (!block.warpgroups || block.aborted)
    return;
  for (uint32_t w = 0; w < block.numWarps; ++w) {
    Warpgroup &group = getGroup(block, w);
    uint32_t retired = getProgress(block.warps[w]).retired;
    if (retired >= group.products.size() || w % kWarpsOfGroup != 0 ||
        group.products[retired].isReported)
      continue;
    report(block.warps[w], group.products[retired].instr, 0,
           FindingKind::MissingWait, 0,
           "wgmma.mma_async is in flight when its warps return; expected "
           "wgmma.commit_group and wgmma.wait_group behind it");
  }
}

//===----------------------------------------------------------------------===//
// Meeting
//===----------------------------------------------------------------------===//

bool tileir::sim::joinWarpgroup(Warp &warp, const Instr *instr, Warp *&first,
                                const Instr *&next) {
  Block &block = *warp.block;
  Warpgroup &group = getGroup(block, warp.index);
  const uint32_t begin = warp.index / kWarpsOfGroup * kWarpsOfGroup;
  auto fail = [&](std::string message, const Instr *other = nullptr) {
    report(warp, instr, 0, FindingKind::MismatchedCollective, 0,
           std::move(message), other);
    block.aborted = block.launch->aborted = true;
    next = nullptr;
    return false;
  };
  uint32_t all = 0xf << begin;
  uint32_t present = block.aliveWarps & all;
  for (uint32_t w = begin; w < std::min(begin + 4, block.numWarps); ++w)
    if (block.warps[w].alive == 0)
      present &= ~(1u << w);
  if (present != all)
    return fail(formatv("{3} of the warps {0} to {1}, of which only {2} are "
                        "left; expected all four warps of a warpgroup",
                        begin, begin + 3, llvm::popcount(present),
                        getVerb(*instr)));
  if (group.arrived && group.at != instr)
    return fail(formatv("warp {0} is here, and another warp of its warpgroup "
                        "at {1}; expected all four at one instruction",
                        warp.index, getPlace(block, group.at)),
                group.at);
  group.at = instr;
  group.arrived |= 1u << warp.index;
  first = block.warps + begin;
  if (group.arrived == all)
    return true;
  next = suspend(warp, instr, GroupState::Warpgroup, 0);
  return false;
}

void tileir::sim::leaveWarpgroup(Warp &last, const Instr *instr) {
  Warpgroup &group = getGroup(*last.block, last.index);
  for (uint32_t left = group.arrived & ~(1u << last.index); left;
       left &= left - 1) {
    Warp &warp = last.block->warps[llvm::countr_zero(left)];
    for (uint32_t i = 0; i < warp.numGroups; ++i)
      if (warp.groups[i].state == GroupState::Warpgroup) {
        warp.groups[i].state = GroupState::Ready;
        warp.groups[i].pc = instr + 1;
      }
  }
  group.arrived = 0;
}

bool tileir::sim::getUniform(Warp *first, const Instr *instr, uint32_t slot,
                             bool isWide, const char *what, uint64_t &value) {
  auto get = [&](unsigned w, unsigned lane) -> uint64_t {
    const uint32_t *lanes = first[w].registers + slot * kLanes;
    return isWide ? reinterpret_cast<const uint64_t *>(lanes)[lane]
                  : lanes[lane];
  };
  value = get(0, 0);
  for (unsigned w = 0; w < kWarpsOfGroup; ++w)
    for (unsigned lane = 0; lane < kLanes; ++lane)
      if (get(w, lane) != value) {
        report(first[w], instr, lane, FindingKind::MismatchedCollective, 0,
               formatv("{0} is {1:x} here and {2:x} in lane 0 of warp {3}; "
                       "expected the same in all threads of the warpgroup",
                       what, get(w, lane), value, first->index));
        return false;
      }
  return true;
}

//===----------------------------------------------------------------------===//
// Registers
//===----------------------------------------------------------------------===//

constexpr uint32_t kThreadsOfGroup = kWarpsOfGroup * kLanes;

/// Registers of a thread when the block starts: what the kernel asks for, or
/// all that the SM has for so many threads.
static uint32_t getFirstRegisters(const Block &block) {
  constexpr uint32_t kRegistersOfSm = 65536, kMost = 255;
  const Program &program = *block.launch->program;
  const uint32_t threads = block.numWarps * kLanes;
  const uint32_t blocks = std::max(program.minBlocksOfSm, 1u);
  uint32_t registers = program.maxRegisters;
  if (!registers)
    registers = std::min(kMost, kRegistersOfSm / (threads * blocks));
  return registers / 8 * 8;
}

static uint32_t getRegisters(const Block &block, const Warpgroup &group) {
  return group.registers ? group.registers : getFirstRegisters(block);
}

/// Gives registers to the warpgroups that wait and for which there are enough.
static void handOutRegisters(Block &block) {
  for (uint32_t w = 0; w < block.numWarps; w += kWarpsOfGroup) {
    Warpgroup &group = getGroup(block, w);
    const Instr *at = nullptr;
    auto forWaiting = [&](auto body) {
      for (uint32_t i = w; i < std::min(w + kWarpsOfGroup, block.numWarps); ++i)
        for (uint32_t j = 0; j < block.warps[i].numGroups; ++j)
          if (block.warps[i].groups[j].state == GroupState::Registers)
            body(block.warps[i].groups[j]);
    };
    forWaiting([&](Group &waiting) { at = waiting.pc; });
    if (!at)
      continue;
    const uint32_t needed =
        (uint32_t(at->imm) - getRegisters(block, group)) * kThreadsOfGroup;
    if (needed > block.warpgroups->freeRegisters)
      continue;
    block.warpgroups->freeRegisters -= needed;
    group.registers = at->imm;
    forWaiting([&](Group &waiting) {
      waiting.state = GroupState::Ready;
      waiting.pc = at + 1;
    });
  }
}

const Instr *tileir::sim::setMaxRegisters(Warp &last, const Instr *instr) {
  Block &block = *last.block;
  Warpgroup &group = getGroup(block, last.index);
  const uint32_t count = instr->imm, present = getRegisters(block, group);
  const bool increases = instr->extra;
  if (increases ? count < present : count > present)
    report(last, instr, 0, FindingKind::RegisterCount, 0,
           formatv("setmaxnreg.{0} to {1} registers of a thread that has {2}; "
                   "expected at {3} {2}",
                   increases ? "inc" : "dec", count, present,
                   increases ? "least" : "most"));
  if (!increases || count <= present) {
    if (count < present)
      block.warpgroups->freeRegisters += (present - count) * kThreadsOfGroup;
    group.registers = count;
    leaveWarpgroup(last, instr);
    handOutRegisters(block);
    return instr + 1;
  }
  for (uint32_t left = group.arrived & ~(1u << last.index); left;
       left &= left - 1) {
    Warp &warp = block.warps[llvm::countr_zero(left)];
    for (uint32_t i = 0; i < warp.numGroups; ++i)
      if (warp.groups[i].state == GroupState::Warpgroup)
        warp.groups[i].state = GroupState::Registers;
  }
  group.arrived = 0;
  last.groups[last.numGroups++] = {instr, last.active, 0,
                                   GroupState::Registers};
  handOutRegisters(block);
  return nextGroup(last);
}

std::string tileir::sim::describeRegisters(const Warp &warp,
                                           const Instr *instr) {
  Block &block = *warp.block;
  const uint32_t present = getRegisters(block, getGroup(block, warp.index));
  return formatv("setmaxnreg.inc to {0} registers of a thread waits for ever: "
                 "expected {1} registers given back by others, found {2} of "
                 "the block's {3}",
                 instr->imm, (instr->imm - present) * kThreadsOfGroup,
                 block.warpgroups->freeRegisters,
                 getFirstRegisters(block) * block.numWarps * kLanes);
}

//===----------------------------------------------------------------------===//
// Operands
//===----------------------------------------------------------------------===//

namespace {
/// A matrix descriptor. Offsets are in bytes, `width` the bytes of a swizzled
/// row in units of 16; 1: there is no swizzle.
struct Descriptor {
  explicit Descriptor(uint64_t bits)
      : start(getField(bits, 0)), leading(getField(bits, 16)),
        stride(getField(bits, 32)), base(bits >> 49 & 7),
        width(bits >> 62 ? 16 >> (bits >> 62) : 1) {}
  static uint32_t getField(uint64_t bits, unsigned from) {
    return uint32_t(bits >> from & 0x3fff) << 4;
  }
  /// The chunk of 16 bytes of 8 rows at `row` and column `k`, of elements of 16
  /// bits; rows lie side by side.
  uint32_t getTransposed(uint32_t row, uint32_t k) const {
    if (width == 1)
      return swizzle(row / 8 * stride + k % 8 * 16 + k / 8 * leading);
    return swizzle(row % (8 * width) * 2 + row / (8 * width) * leading +
                   k % 8 * 16 * width + k / 8 * stride);
  }
  /// Chunk `half` of the 32 bytes of a row.
  uint32_t get(uint32_t row, uint32_t half) const {
    if (width == 1)
      return swizzle(row % 8 * 16 + row / 8 * stride + half * leading);
    return swizzle(row % 8 * 16 * width + row / 8 * stride + half * 16);
  }
  uint32_t swizzle(uint32_t offset) const {
    uint32_t address = start + offset;
    return address ^ ((((address >> 7) - base) & (width - 1)) << 4);
  }

  uint32_t start, leading, stride, base, width;
};
} // namespace

/// The bits that mean nothing, and have to be zero.
constexpr uint64_t kReservedBits =
    ~(uint64_t(0x3fff) | uint64_t(0x3fff) << 16 | uint64_t(0x3fff) << 32 |
      uint64_t(7) << 49 | uint64_t(3) << 62);
constexpr uint32_t kChunkBytes = 16;

bool tileir::sim::readWgmmaOperand(Warp *first, const Instr *instr,
                                   uint64_t bits, uint32_t rows,
                                   bool isTransposed, const char *what,
                                   uint8_t *bytes) {
  Block &block = *first->block;
  if (bits & kReservedBits) {
    report(*first, instr, 0, FindingKind::BadDescriptor, 0,
           formatv("the descriptor of {0} is {1:x}; expected zeros in its bits "
                   "{2:x}, which mean nothing",
                   what, bits, bits & kReservedBits));
    return false;
  }
  const Descriptor descriptor(bits);
  uint32_t offsets[2 * 256];
  const uint32_t count = 2 * rows;
  uint32_t largest = 0;
  for (uint32_t i = 0; i < count; ++i) {
    offsets[i] = isTransposed ? descriptor.getTransposed(i % (rows / 8) * 8,
                                                         i / (rows / 8))
                              : descriptor.get(i / 2, i % 2);
    largest = std::max(largest, offsets[i]);
  }
  if (block.sharedBytes < kChunkBytes ||
      largest > block.sharedBytes - kChunkBytes) {
    report(*first, instr, 0, FindingKind::OutOfBounds, kSharedBase + largest,
           formatv("{0} of wgmma reaches to shared offset {1}, by its "
                   "descriptor {2:x}: start {3}, leading offset {4}, stride "
                   "offset {5}, swizzle of {6} bytes; expected it within the "
                   "block's {7} bytes",
                   what, largest + kChunkBytes, bits, descriptor.start,
                   descriptor.leading, descriptor.stride,
                   descriptor.width == 1 ? 0 : 16 * descriptor.width,
                   block.sharedBytes));
    return false;
  }
  for (uint32_t i = 0; i < count; ++i)
    std::memcpy(bytes + i * kChunkBytes, block.shared + offsets[i],
                kChunkBytes);
  if (SharedShadow *shadow = block.shadow) {
    const uint32_t group = first->index / kWarpsOfGroup;
    const Warpgroup &state = block.warpgroups->groups[group];
    shadow->readAsync(first, instr, group,
                      state.before + state.products.size() + 1, offsets, count);
    for (uint32_t w = 0; block.remote && w < kWarpsOfGroup; ++w)
      for (uint32_t i = 0; i < count; ++i)
        checkRemoteRange(first[w], instr, 0, block, offsets[i], kChunkBytes,
                         /*isStore=*/false, /*atomic=*/false);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// In flight
//===----------------------------------------------------------------------===//

// A ticket is twice the number of a warp's fences, or twice that of a product
// of this block, from 1 on, plus 1.

uint32_t tileir::sim::beginWgmma(Warp *first, const Instr *instr) {
  for (unsigned w = 0; w < kWarpsOfGroup; ++w)
    if (getProgress(first[w]).fences == 0)
      report(first[w], instr, 0, FindingKind::MissingFence, 0,
             "wgmma.mma_async comes before any wgmma.fence of its warp; "
             "expected one before the first of them, even if D is not read");
  Warpgroup &group = getGroup(*first->block, first->index);
  group.products.push_back({instr, {}});
  return group.products.size() * 2 + 1;
}

void tileir::sim::fenceWgmma(Warp &warp) { ++getProgress(warp).fences; }

uint32_t tileir::sim::getWgmmaEpoch(Warp &warp) {
  return getProgress(warp).fences * 2;
}

void tileir::sim::commitWgmma(Warp &warp) {
  getProgress(warp).open.push_back(
      getGroup(*warp.block, warp.index).products.size());
}

void tileir::sim::waitWgmma(Warp &warp, int64_t groups) {
  Progress &progress = getProgress(warp);
  Warpgroup &group = getGroup(*warp.block, warp.index);
  if (progress.open.size() <= size_t(groups))
    return;
  size_t done = progress.open.size() - groups;
  uint32_t last = progress.open[done - 1];
  progress.open.erase(progress.open.begin(), progress.open.begin() + done);
  for (uint32_t i = progress.retired; i < last; ++i)
    group.products[i].retired[warp.index % kWarpsOfGroup] = warp.block->now;
  progress.retired = std::max(progress.retired, last);
}

/// Reports a value that an mma_async is still to write.
static void reportInFlight(Warp &warp, const Instr *instr, uint32_t number,
                           const char *what) {
  auto &products = getGroup(*warp.block, warp.index).products;
  for (uint32_t i = getProgress(warp).retired; i < number; ++i)
    products[i].isReported = true;
  const Instr *product = products[number - 1].instr;
  report(warp, instr, llvm::countr_zero(warp.active), FindingKind::MissingWait,
         0,
         formatv("{0} that the wgmma.mma_async at {1} is still to write; "
                 "expected wgmma.commit_group and wgmma.wait_group between "
                 "them",
                 what, getPlace(*warp.block, product)),
         product);
}

void tileir::sim::checkWgmmaUse(Warp &warp, const Instr *instr,
                                uint32_t ticket) {
  if ((ticket & 1) && ticket / 2 > getProgress(warp).retired)
    reportInFlight(warp, instr, ticket / 2, "uses a register");
}

void tileir::sim::checkWgmmaInput(Warp &warp, const Instr *instr,
                                  uint32_t ticket, bool isAccumulator) {
  const Progress &progress = getProgress(warp);
  if (ticket & 1) {
    if (!isAccumulator && ticket / 2 > progress.retired)
      reportInFlight(warp, instr, ticket / 2, "reads a register of A");
    return;
  }
  if (ticket / 2 < progress.fences)
    return;
  report(warp, instr, llvm::countr_zero(warp.active), FindingKind::MissingFence,
         0,
         formatv("wgmma.mma_async uses registers of {0} that were written "
                 "before it; expected wgmma.fence between them",
                 isAccumulator ? "D" : "A"));
}

int32_t tileir::sim::getRetiredWgmma(const Block &block, uint32_t warpgroup,
                                     const Warp &warp) {
  const Warpgroup &group = block.warpgroups->groups[warpgroup];
  size_t count = group.products.size();
  auto isRetired = [&](const Product &product) {
    for (uint32_t i = 0; i < kWarpsOfGroup; ++i) {
      const uint32_t w = warpgroup * kWarpsOfGroup + i;
      if (product.retired[i] &&
          ((w == warp.index && &block == warp.block) ||
           product.retired[i] <= getKnown(warp, block)[w]))
        return true;
    }
    return false;
  };
  while (count > 0 && !isRetired(group.products[count - 1]))
    --count;
  return group.before + count;
}

const Instr *tileir::sim::getWgmma(const Block &block, uint32_t warpgroup,
                                   int32_t number) {
  const Warpgroup &group = block.warpgroups->groups[warpgroup];
  return uint32_t(number) > group.before
             ? group.products[number - group.before - 1].instr
             : nullptr;
}
