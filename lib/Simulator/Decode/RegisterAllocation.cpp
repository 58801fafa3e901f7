//===- RegisterAllocation.cpp ---------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Assigns slots to virtual registers: liveness within and across blocks, then
// copies and accumulators share a register where their lives do not meet, then
// a linear scan over the lives in the order of the code.
//
// Positions: instruction i reads at 2 i and writes at 2 i + 1, so that a result
// may take the slot of an operand that dies there. Divergent lanes need no
// care: each lane follows one path, and instructions leave the lanes alone that
// do not execute them.
//
//===----------------------------------------------------------------------===//

#include "Decode/Decoder.h"

#include "llvm/ADT/BitVector.h"

#include <queue>

using namespace llvm;

namespace tileir::sim {

namespace {
/// A time in which a register holds a value: positions, both ends included.
struct Range {
  uint32_t begin, end;
};

class Allocator {
public:
  Allocator(Program &program, const std::vector<bool> &wide)
      : program(program), wide(wide), isPreset(wide.size()),
        isUsed(wide.size()), ranges(wide.size()), slots(wide.size()),
        leader(wide.size()) {}
  void run();

private:
  /// The registers that an instruction reads, and those that it writes.
  template <typename Body> void forUses(const Instr &instr, Body body);
  template <typename Body> void forDefs(const Instr &instr, Body body);
  /// The blocks that may follow block `b`.
  SmallVector<uint32_t, 2> getSuccessors(uint32_t b);
  uint32_t getBlock(const Instr *first) const { return uint32_t(first->imm); }

  void findCrossing();
  void findLiveIns();
  void findRanges();
  void addRange(Register r, uint32_t begin, uint32_t end);

  Register find(Register r);
  void join(Register a, Register b);
  void joinCopies();

  void placePresets();
  void scan();
  void rewrite();

  Program &program;
  const std::vector<bool> &wide;
  BitVector isPreset, isUsed;
  /// Registers that live across blocks have a number in `crossing`, the others
  /// kNoRegister: few, so that sets of them are small.
  std::vector<uint32_t> crossing;
  std::vector<Register> crossingRegisters;
  std::vector<BitVector> liveIn; // of each block, by that number
  std::vector<BitVector> liveOut;
  std::vector<SmallVector<Range, 2>> ranges; // sorted
  std::vector<uint32_t> slots;
  std::vector<Register> leader; // of registers that share a slot
};
} // namespace

template <typename Body>
void Allocator::forUses(const Instr &instr, Body body) {
  for (Register r : {instr.a, instr.b, instr.c})
    if (r != kNoRegister && !isPreset[r])
      body(r);
  auto uses =
      ArrayRef(program.pool).slice(instr.list + instr.numDefs, instr.numUses);
  for (Register r : uses)
    if (!isPreset[r])
      body(r);
}

template <typename Body>
void Allocator::forDefs(const Instr &instr, Body body) {
  if (instr.dst != kNoRegister)
    body(instr.dst);
  for (Register r : ArrayRef(program.pool).slice(instr.list, instr.numDefs))
    body(r);
}

SmallVector<uint32_t, 2> Allocator::getSuccessors(uint32_t b) {
  const BasicBlock &block = program.blocks[b];
  const Instr &last = program.code[block.first + block.count - 1];
  switch (last.opcode) {
  case Opcode::Jump:
    return {getBlock(last.target)};
  case Opcode::Branch:
    return {getBlock(last.target), getBlock(last.target2)};
  case Opcode::Switch: {
    SmallVector<uint32_t, 2> blocks;
    for (const Instr *target : program.switches[last.extra].targets)
      blocks.push_back(getBlock(target));
    return blocks;
  }
  case Opcode::Return:
  case Opcode::Trap:
    return {};
  default:
    return {b + 1};
  }
}

//===----------------------------------------------------------------------===//
// Liveness
//===----------------------------------------------------------------------===//

/// Numbers the registers that occur in more than one block.
void Allocator::findCrossing() {
  crossing.assign(wide.size(), kNoRegister);
  std::vector<uint32_t> home(wide.size(), kNoRegister);
  for (auto [b, block] : enumerate(program.blocks)) {
    auto note = [&, b = uint32_t(b)](Register r) {
      if (home[r] == kNoRegister)
        home[r] = b;
      if (home[r] == b || crossing[r] != kNoRegister)
        return;
      crossing[r] = crossingRegisters.size();
      crossingRegisters.push_back(r);
    };
    for (uint32_t i = block.first; i < block.first + block.count; ++i) {
      forUses(program.code[i], note);
      forDefs(program.code[i], note);
    }
  }
}

void Allocator::findLiveIns() {
  uint32_t numBlocks = program.blocks.size(), count = crossingRegisters.size();
  std::vector<BitVector> defined(numBlocks, BitVector(count));
  liveIn.assign(numBlocks, BitVector(count));
  liveOut.assign(numBlocks, BitVector(count));
  for (auto [b, block] : enumerate(program.blocks)) {
    BitVector &in = liveIn[b], &defs = defined[b];
    for (uint32_t i = block.first; i < block.first + block.count; ++i) {
      forUses(program.code[i], [&](Register r) {
        if (crossing[r] != kNoRegister && !defs[crossing[r]])
          in.set(crossing[r]);
      });
      forDefs(program.code[i], [&](Register r) {
        if (crossing[r] != kNoRegister)
          defs.set(crossing[r]);
      });
    }
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t b = numBlocks; b-- > 0;) {
      BitVector out(count);
      for (uint32_t next : getSuccessors(b))
        out |= liveIn[next];
      if (out == liveOut[b])
        continue;
      changed = true;
      liveOut[b] = out;
      liveIn[b] |= out.reset(defined[b]);
    }
  }
}

void Allocator::addRange(Register r, uint32_t begin, uint32_t end) {
  SmallVector<Range, 2> &list = ranges[r];
  if (!list.empty() && begin <= list.back().end + 1)
    list.back().end = std::max(list.back().end, end);
  else
    list.push_back({begin, end});
}

void Allocator::findRanges() {
  for (auto [b, block] : enumerate(program.blocks)) {
    uint32_t begin = 2 * block.first;
    uint32_t end = 2 * (block.first + block.count) - 1;
    for (unsigned i : liveIn[b].set_bits())
      addRange(crossingRegisters[i], begin, begin);
    for (uint32_t i = block.first; i < block.first + block.count; ++i) {
      // A use extends the range that is open.
      forUses(program.code[i], [&](Register r) {
        if (!ranges[r].empty())
          ranges[r].back().end = std::max(ranges[r].back().end, 2 * i);
      });
      forDefs(program.code[i],
              [&](Register r) { addRange(r, 2 * i + 1, 2 * i + 1); });
    }
    for (unsigned i : liveOut[b].set_bits())
      ranges[crossingRegisters[i]].back().end = end;
  }
}

//===----------------------------------------------------------------------===//
// Sharing
//===----------------------------------------------------------------------===//

Register Allocator::find(Register r) {
  while (leader[r] != r)
    r = leader[r] = leader[leader[r]];
  return r;
}

/// Gives `a` and `b` one slot if their lives do not meet.
void Allocator::join(Register a, Register b) {
  if (isPreset[a] || isPreset[b] || wide[a] != wide[b])
    return;
  a = find(a);
  b = find(b);
  if (a == b)
    return;
  SmallVector<Range, 2> merged;
  ArrayRef<Range> left = ranges[a], right = ranges[b];
  while (!left.empty() || !right.empty()) {
    bool takeLeft =
        right.empty() || (!left.empty() && left[0].begin < right[0].begin);
    ArrayRef<Range> &from = takeLeft ? left : right;
    Range next = from[0];
    from = from.drop_front();
    if (!merged.empty() && next.begin <= merged.back().end)
      return;
    if (!merged.empty() && next.begin == merged.back().end + 1)
      merged.back().end = next.end;
    else
      merged.push_back(next);
  }
  leader[b] = a;
  ranges[a] = std::move(merged);
  ranges[b].clear();
}

/// Results of copies share with the operand; sums with what is added to, which
/// makes loops add in place.
void Allocator::joinCopies() {
  for (const Instr &instr : program.code) {
    if (instr.opcode == Opcode::Copy32 || instr.opcode == Opcode::Copy64) {
      join(instr.dst, instr.a);
    } else if (instr.opcode == Opcode::Mma) {
      ArrayRef<Register> list(program.pool.data() + instr.list,
                              instr.numDefs + instr.numUses);
      for (auto [def, use] : zip_equal(list.take_front(instr.numDefs),
                                       list.take_back(instr.numDefs)))
        join(def, use);
    } else if (instr.opcode == Opcode::Wgmma) {
      const Register *defs = program.pool.data() + instr.list;
      for (uint32_t i = 0; i + 1 < instr.numDefs; ++i)
        join(defs[i], defs[instr.numDefs + i]);
    } else if (instr.opcode == Opcode::FFmaF32 ||
               instr.opcode == Opcode::FFmaF64) {
      join(instr.dst, instr.c);
    }
  }
}

//===----------------------------------------------------------------------===//
// Slots
//===----------------------------------------------------------------------===//

void Allocator::placePresets() {
  erase_if(program.presets,
           [&](const Preset &preset) { return !isUsed[preset.slot]; });
  for (Preset &preset : program.presets) {
    slots[preset.slot] = program.numSlots;
    program.numSlots += preset.wide ? 2 : 1;
    preset.slot = slots[preset.slot];
  }
}

void Allocator::scan() {
  struct Life {
    uint32_t begin, end;
    Register r;
    bool operator>(const Life &other) const { return end > other.end; }
  };
  std::vector<Life> lives;
  for (Register r = 0; r < ranges.size(); ++r)
    if (!ranges[r].empty())
      lives.push_back({ranges[r].front().begin, ranges[r].back().end, r});
  sort(lives, [](const Life &a, const Life &b) {
    return std::tie(a.begin, a.r) < std::tie(b.begin, b.r);
  });
  std::priority_queue<Life, std::vector<Life>, std::greater<>> active;
  SmallVector<uint32_t> free[2]; // narrow ones, wide ones
  for (const Life &life : lives) {
    while (!active.empty() && active.top().end < life.begin) {
      Register r = active.top().r;
      free[wide[r]].push_back(slots[r]);
      active.pop();
    }
    auto &pool = free[wide[life.r]];
    if (pool.empty()) {
      pool.push_back(program.numSlots);
      program.numSlots += wide[life.r] ? 2 : 1;
    }
    slots[life.r] = pool.pop_back_val();
    active.push(life);
  }
}

void Allocator::rewrite() {
  auto toSlot = [&](Register &r) {
    if (r != kNoRegister)
      r = slots[find(r)];
  };
  for (Instr &instr : program.code)
    for (Register *r : {&instr.dst, &instr.a, &instr.b, &instr.c})
      toSlot(*r);
  for (Register &r : program.pool)
    toSlot(r);
}

void Allocator::run() {
  for (const Instr &instr : program.code)
    forUses(instr, [&](Register r) { isUsed.set(r); });
  for (const Preset &preset : program.presets)
    isPreset.set(preset.slot);
  for (Register r = 0; r < leader.size(); ++r)
    leader[r] = r;
  findCrossing();
  findLiveIns();
  findRanges();
  joinCopies();
  placePresets();
  scan();
  rewrite();
}

void allocateRegisters(Program &program, const std::vector<bool> &wide) {
  Allocator(program, wide).run();
}

} // namespace tileir::sim
