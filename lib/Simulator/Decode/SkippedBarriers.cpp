//===- SkippedBarriers.cpp ------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where a thread is behind a barrier of all threads: in blocks that every
// thread comes to after the barrier, and from which none comes back to it. Who
// was there, and has returned, when the barrier completes, went round it.
// Threads that return before the barrier, as CUDA allows, were not: what is
// left to them is a return, or code that is not behind the barrier. Code
// without a line of its own does not count; the compiler has merged it from
// several places.
//
//===----------------------------------------------------------------------===//

#include "Decode/Decoder.h"

#include "llvm/ADT/BitVector.h"

#include <map>

using namespace llvm;

namespace tileir::sim {

namespace {
/// Larger kernels are left alone: the sets below are quadratic.
constexpr size_t kMaxBlocks = 1 << 12;
using Edges = std::vector<SmallVector<uint32_t, 2>>;

class BarrierMarks {
public:
  explicit BarrierMarks(Program &program)
      : program(program), size(program.blocks.size()), successors(size),
        predecessors(size) {}
  void run();

private:
  Instr &getLast(uint32_t block) {
    const BasicBlock &of = program.blocks[block];
    return program.code[of.first + of.count - 1];
  }
  void findEdges();
  bool hasCode(uint32_t block) const;
  BitVector findReaching(uint32_t block) const;
  std::vector<uint32_t> findMarks(uint32_t block) const;

  Program &program;
  uint32_t size;
  Edges successors, predecessors;
  /// Of each block those on every way to it, and on every way from it to a
  /// return; with itself.
  std::vector<BitVector> dominators, postDominators;
};
} // namespace

void BarrierMarks::findEdges() {
  auto add = [&](uint32_t from, uint32_t to) {
    successors[from].push_back(to);
    predecessors[to].push_back(from);
  };
  for (uint32_t b = 0; b < size; ++b) {
    const Instr &last = getLast(b);
    switch (last.opcode) {
    case Opcode::Return:
    case Opcode::Trap:
      break;
    case Opcode::Switch:
      for (const Instr *target : program.switches[last.extra].targets)
        add(b, target->imm);
      break;
    case Opcode::Branch:
      add(b, last.target2->imm);
      [[fallthrough]];
    case Opcode::Jump:
      add(b, last.target->imm);
      break;
    default:
      add(b, b + 1);
    }
  }
}

/// The blocks on every way from a root to each block; all of them where there
/// is none.
static std::vector<BitVector>
findDominators(const Edges &from, const BitVector &roots, bool isForward) {
  const uint32_t size = from.size();
  std::vector<BitVector> sets(size, BitVector(size, true));
  for (bool isChanged = true; isChanged;) {
    isChanged = false;
    for (uint32_t i = 0; i < size; ++i) {
      uint32_t b = isForward ? i : size - 1 - i;
      BitVector set(size, !roots[b]);
      for (uint32_t other : from[b])
        set &= sets[other];
      set.set(b);
      isChanged |= set != sets[b];
      sets[b] = std::move(set);
    }
  }
  return sets;
}

/// Whether a block does something that the source has a line for.
bool BarrierMarks::hasCode(uint32_t block) const {
  const BasicBlock &of = program.blocks[block];
  return any_of(ArrayRef(program.code).slice(of.first, of.count),
                [](const Instr &instr) {
                  switch (instr.opcode) {
                  case Opcode::Block:
                  case Opcode::Copy32:
                  case Opcode::Copy64:
                  case Opcode::Jump:
                  case Opcode::Return:
                  case Opcode::Trap:
                    return false;
                  default:
                    return instr.location != 0;
                  }
                });
}

/// The blocks from which a way leads to `block`.
BitVector BarrierMarks::findReaching(uint32_t block) const {
  BitVector found(size);
  SmallVector<uint32_t> left = {block};
  while (!left.empty())
    for (uint32_t from : predecessors[left.pop_back_val()])
      if (!found[from]) {
        found.set(from);
        left.push_back(from);
      }
  found.set(block);
  return found;
}

/// Blocks such that who was in one is behind the barrier in `block`.
std::vector<uint32_t> BarrierMarks::findMarks(uint32_t block) const {
  BitVector behind = postDominators[block];
  behind.reset(findReaching(block));
  // Who comes to one of them comes to all that are on every way from there.
  BitVector counts(size);
  for (uint32_t b : behind.set_bits())
    if (hasCode(b))
      for (uint32_t before : behind.set_bits())
        if (postDominators[before][b])
          counts.set(before);
  std::vector<uint32_t> marks;
  for (uint32_t b : counts.set_bits()) {
    // Who comes to this one was at another one already.
    BitVector others = dominators[b];
    others.reset(b);
    if (!others.anyCommon(counts))
      marks.push_back(b);
  }
  return marks;
}

void BarrierMarks::run() {
  findEdges();
  BitVector entry(size), returns(size);
  entry.set(0);
  for (uint32_t b = 0; b < size; ++b)
    if (getLast(b).opcode == Opcode::Return)
      returns.set(b);
  dominators = findDominators(predecessors, entry, /*isForward=*/true);
  // Traps end the launch: they are no way round anything.
  postDominators = findDominators(successors, returns, /*isForward=*/false);
  std::map<std::vector<uint32_t>, uint32_t> sites;
  for (uint32_t b = 0; b < size; ++b) {
    std::vector<uint32_t> marks;
    const BasicBlock &of = program.blocks[b];
    for (Instr &instr :
         MutableArrayRef(program.code).slice(of.first, of.count)) {
      if (instr.opcode != Opcode::Barrier || instr.b != kNoRegister ||
          BarrierMode(instr.imm) == BarrierMode::Arrive)
        continue;
      if (marks.empty())
        marks = findMarks(b);
      if (marks.empty())
        break;
      auto [site, isNew] = sites.try_emplace(marks, sites.size());
      if (site->second < kMaxBarrierSites)
        instr.extra = site->second + 1;
    }
  }
  for (const auto &[marks, site] : sites)
    for (uint32_t b : marks)
      if (site < kMaxBarrierSites) {
        Instr &instr = program.code[program.blocks[b].first];
        instr.a = instr.opcode == Opcode::Block ? 0 : instr.a;
        instr.opcode = Opcode::BlockBehind;
        instr.a |= 1u << site;
      }
}

void markBehindBarriers(Program &program) {
  bool hasBarrier = any_of(program.code, [](const Instr &instr) {
    return instr.opcode == Opcode::Barrier;
  });
  if (hasBarrier && program.blocks.size() <= kMaxBlocks)
    BarrierMarks(program).run();
}

} // namespace tileir::sim
