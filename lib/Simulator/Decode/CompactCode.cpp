//===- CompactCode.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Removes what registers and block order made superfluous: copies of a slot to
// itself, blocks that only jump, and jumps to the next instruction.
//
//===----------------------------------------------------------------------===//

#include "Decode/Decoder.h"

using namespace llvm;

namespace tileir::sim {

namespace {
class Compactor {
public:
  explicit Compactor(Program &program)
      : program(program), code(program.code), keep(code.size(), true) {}
  void run();

private:
  uint32_t indexOf(const Instr *instr) const { return instr - code.data(); }
  /// The block that begins at `instr`.
  uint32_t getBlock(const Instr *instr) const { return uint32_t(instr->imm); }
  void dropCopies();
  void findEmptyBlocks();
  const Instr *forward(const Instr *target) const;
  template <typename Body> void forTargets(Body body);
  void dropJumps();
  void move();

  Program &program;
  std::vector<Instr> &code;
  std::vector<bool> keep; // of each instruction
  /// The target of each block that only jumps, null for others.
  std::vector<const Instr *> empty;
};
} // namespace

void Compactor::dropCopies() {
  for (auto [i, instr] : enumerate(code))
    if ((instr.opcode == Opcode::Copy32 || instr.opcode == Opcode::Copy64) &&
        instr.dst == instr.a)
      keep[i] = false;
}

/// All but the first, and but those that lead back to an empty one: that is an
/// endless loop.
void Compactor::findEmptyBlocks() {
  empty.assign(program.blocks.size(), nullptr);
  for (auto [b, block] : enumerate(program.blocks)) {
    uint32_t last = block.first + block.count - 1;
    bool onlyJumps = b > 0 && code[last].opcode == Opcode::Jump;
    for (uint32_t i = block.first + 1; i < last && onlyJumps; ++i)
      onlyJumps = !keep[i];
    if (onlyJumps)
      empty[b] = code[last].target;
  }
  for (auto [b, target] : enumerate(empty))
    if (target && getBlock(target) <= b && empty[getBlock(target)])
      target = nullptr;
  for (auto [b, block] : enumerate(program.blocks))
    for (uint32_t i = 0; empty[b] && i < block.count; ++i)
      keep[block.first + i] = false;
}

const Instr *Compactor::forward(const Instr *target) const {
  while (const Instr *next = empty[getBlock(target)])
    target = next;
  return target;
}

template <typename Body> void Compactor::forTargets(Body body) {
  for (Instr &instr : code) {
    if (instr.target)
      instr.target = body(instr.target);
    if (instr.target2)
      instr.target2 = body(instr.target2);
  }
  for (SwitchTable &table : program.switches)
    for (const Instr *&target : table.targets)
      target = body(target);
}

void Compactor::dropJumps() {
  const Instr *next = nullptr; // the next instruction that is kept
  for (uint32_t i = code.size(); i-- > 0;) {
    if (!keep[i])
      continue;
    if (code[i].opcode == Opcode::Jump && code[i].target == next)
      keep[i] = false;
    else
      next = &code[i];
  }
}

/// Closes the gaps; the code stays where it is in memory, so that targets can
/// be told from the old places.
void Compactor::move() {
  std::vector<uint32_t> newIndex(code.size());
  uint32_t count = 0;
  for (uint32_t i = 0; i < code.size(); ++i) {
    newIndex[i] = count;
    count += keep[i];
  }
  forTargets(
      [&](const Instr *target) { return &code[newIndex[indexOf(target)]]; });
  std::vector<BasicBlock> blocks;
  for (uint32_t i = 0; i < newIndex.size(); ++i) {
    if (!keep[i])
      continue;
    Instr &instr = code[newIndex[i]] = code[i];
    if (instr.opcode == Opcode::Block) {
      instr.imm = blocks.size();
      blocks.push_back({newIndex[i], 0});
    }
    ++blocks.back().count;
  }
  for (Access &access : program.accesses)
    access.instr = newIndex[access.instr];
  code.resize(count);
  program.blocks = std::move(blocks);
}

void Compactor::run() {
  dropCopies();
  findEmptyBlocks();
  forTargets([&](const Instr *target) { return forward(target); });
  dropJumps();
  move();
}

void compact(Program &program) { Compactor(program).run(); }

} // namespace tileir::sim
