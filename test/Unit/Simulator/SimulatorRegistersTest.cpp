//===- SimulatorRegistersTest.cpp -----------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Registers and compaction on random programs: a lane takes the same random
// path before and after; each operand must hold the value that it held before.
//
//===----------------------------------------------------------------------===//

#include "Decode/Decoder.h"

#include "gtest/gtest.h"

#include <map>
#include <random>

using namespace tileir::sim;

namespace {

constexpr unsigned kBlocks = 12, kCrossing = 30, kLocal = 8, kPresets = 3;

/// A program of which every register is written before it is read: those that
/// cross blocks in the first block, the others within their block. The
/// `location` of each instruction is its place here.
struct RandomProgram {
  Program program;
  std::vector<bool> wide;
  std::mt19937 random;
  std::vector<std::vector<uint32_t>> next; // blocks behind each block

  explicit RandomProgram(unsigned seed) : random(seed) {
    for (unsigned i = 0; i < kCrossing + kLocal * kBlocks + kPresets; ++i)
      wide.push_back(random() % 3 == 0);
    for (unsigned i = 1; i <= kPresets; ++i) {
      Preset &preset = program.presets.emplace_back();
      preset.slot = wide.size() - i;
      preset.wide = wide[preset.slot];
    }
    for (unsigned b = 0; b < kBlocks; ++b)
      addBlock(b);
    for (unsigned b = 0; b < kBlocks; ++b)
      patch(program.code[program.blocks[b].first + program.blocks[b].count - 1],
            next[b]);
  }

  unsigned pick(unsigned count) { return random() % count; }

  Instr &emit(Opcode opcode, std::vector<Register> defs = {},
              std::vector<Register> uses = {}) {
    Instr &instr = program.code.emplace_back();
    instr.opcode = opcode;
    instr.location = program.code.size() - 1;
    instr.list = program.pool.size();
    instr.numDefs = defs.size();
    instr.numUses = uses.size();
    program.pool.insert(program.pool.end(), defs.begin(), defs.end());
    program.pool.insert(program.pool.end(), uses.begin(), uses.end());
    return instr;
  }

  void addOperation(Register dst, const std::vector<Register> &live) {
    auto use = [&] { return live[pick(live.size())]; };
    Register operand = use(), second = pick(kCrossing);
    unsigned kind = pick(4);
    if (kind == 0 && second != dst) {
      emit(Opcode::Shfl, {dst, second}, {use(), use(), use()});
    } else if (kind == 1) {
      Instr &instr = emit(Opcode::FFmaF32);
      instr.dst = dst;
      instr.a = operand;
      instr.c = use();
    } else {
      while (wide[operand] != wide[dst])
        operand = use();
      Instr &copy = emit(wide[dst] ? Opcode::Copy64 : Opcode::Copy32);
      copy.dst = dst;
      copy.a = operand;
    }
  }

  void addBlock(unsigned b) {
    uint32_t first = program.code.size();
    emit(Opcode::Block).imm = b;
    std::vector<Register> live; // what may be read
    for (const Preset &preset : program.presets)
      live.push_back(preset.slot);
    for (Register r = 0; r < kCrossing; ++r) {
      live.push_back(r);
      if (b == 0)
        emit(Opcode::ReadSpecial).dst = r;
    }
    // Some blocks have nothing but copies, which may vanish.
    Register local = kCrossing + b * kLocal, end = local + kLocal;
    for (unsigned i = pick(3) ? pick(20) : pick(2); i > 0; --i) {
      bool isNew = pick(2) && local < end;
      Register dst = isNew ? local++ : pick(kCrossing);
      addOperation(dst, live);
      if (isNew)
        live.push_back(dst);
    }
    addEnd(b, live[pick(live.size())]);
    program.blocks.push_back({first, uint32_t(program.code.size()) - first});
  }

  void addEnd(unsigned b, Register condition) {
    std::vector<uint32_t> blocks;
    Opcode opcode = Opcode::Return;
    if (b + 1 < kBlocks) {
      opcode =
          std::array{Opcode::Jump, Opcode::Branch, Opcode::Switch}[pick(3)];
      blocks.resize(1 + unsigned(opcode == Opcode::Branch) +
                    2 * unsigned(opcode == Opcode::Switch));
      for (uint32_t &block : blocks)
        block = 1 + pick(kBlocks - 1);
    }
    Instr &instr = emit(opcode);
    if (blocks.size() > 1)
      instr.a = condition;
    if (opcode == Opcode::Switch) {
      instr.extra = program.switches.size();
      program.switches.emplace_back();
    }
    next.push_back(blocks);
  }

  void patch(Instr &instr, const std::vector<uint32_t> &blocks) {
    std::vector<const Instr *> pointers;
    for (uint32_t b : blocks)
      pointers.push_back(&program.code[program.blocks[b].first]);
    if (instr.opcode == Opcode::Switch) {
      program.switches[instr.extra].targets = pointers;
      return;
    }
    if (!pointers.empty())
      instr.target = pointers[0];
    if (pointers.size() > 1)
      instr.target2 = pointers[1];
  }
};

/// Walks a program; `virtuals` is the same before registers had slots.
class Walk {
public:
  Walk(const Program &program, const RandomProgram &virtuals, bool isVirtual)
      : program(program), virtuals(virtuals), isVirtual(isVirtual) {
    for (size_t i = 0; i < program.presets.size(); ++i)
      write(program.presets[i].slot, program.presets[i].wide,
            // Presets that nothing uses may be gone: named by their value.
            {program.presets[i].value + 1, 0});
  }

  /// The place and the operands of each instruction that does something.
  std::vector<std::vector<uint64_t>> run(unsigned seed) {
    std::mt19937 random(seed);
    const Instr *pc = program.code.data();
    for (unsigned i = 0; i < 3000; ++i) {
      const Instr &instr = *pc++;
      if (instr.opcode == Opcode::Block)
        continue;
      if (instr.opcode == Opcode::Jump)
        pc = instr.target;
      else if (!execute(instr))
        return trace;
      if (instr.opcode == Opcode::Branch)
        pc = random() % 2 ? instr.target : instr.target2;
      if (instr.opcode == Opcode::Switch)
        pc = program.switches[instr.extra].targets[random() % 3];
      if (trace.size() > 200)
        return trace;
    }
    return trace;
  }

private:
  using Value = std::array<uint64_t, 2>; // of both halves

  void write(uint32_t slot, bool isWide, Value value) {
    uint32_t key = isVirtual ? 2 * slot : slot;
    halves[key] = value[0];
    if (isWide)
      halves[key + 1] = value[1];
  }
  Value read(uint32_t slot, bool isWide) {
    uint32_t key = isVirtual ? 2 * slot : slot;
    return {halves[key], isWide ? halves[key + 1] : 0};
  }

  bool execute(const Instr &instr) {
    const Instr &original = virtuals.program.code[instr.location];
    auto isWide = [&](Register r) { return bool(virtuals.wide[r]); };
    if (instr.opcode == Opcode::Copy32 || instr.opcode == Opcode::Copy64) {
      bool both = instr.opcode == Opcode::Copy64;
      write(instr.dst, both, read(instr.a, both));
      return true;
    }
    std::vector<uint64_t> entry = {instr.location};
    auto note = [&](uint32_t slot, Register r) {
      if (r == kNoRegister)
        return;
      Value value = read(slot, isWide(r));
      entry.insert(entry.end(), value.begin(), value.end());
    };
    note(instr.a, original.a);
    note(instr.b, original.b);
    note(instr.c, original.c);
    const std::vector<Register> &before = virtuals.program.pool;
    for (unsigned i = instr.numDefs; i < instr.numDefs + instr.numUses; ++i)
      note(program.pool[instr.list + i], before[original.list + i]);
    trace.push_back(entry);
    uint64_t stamp = 1000 * trace.size();
    if (instr.dst != kNoRegister)
      write(instr.dst, isWide(original.dst), {stamp, stamp + 1});
    for (unsigned i = 0; i < instr.numDefs; ++i)
      write(program.pool[instr.list + i], isWide(before[original.list + i]),
            {stamp + 2 * i + 2, stamp + 2 * i + 3});
    return instr.opcode != Opcode::Return;
  }

  const Program &program;
  const RandomProgram &virtuals;
  bool isVirtual;
  std::map<uint32_t, uint64_t> halves;
  std::vector<std::vector<uint64_t>> trace;
};

/// The same program with targets of its own.
Program clone(const Program &program) {
  Program copy = program;
  auto move = [&](const Instr *target) {
    return target ? &copy.code[target - program.code.data()] : nullptr;
  };
  for (Instr &instr : copy.code) {
    instr.target = move(instr.target);
    instr.target2 = move(instr.target2);
  }
  for (SwitchTable &table : copy.switches)
    for (const Instr *&target : table.targets)
      target = move(target);
  return copy;
}

TEST(Registers, OperandsHoldTheirValuesOnAnyPath) {
  unsigned entries = 0, dropped = 0;
  for (unsigned seed = 0; seed < 400; ++seed) {
    RandomProgram virtuals(seed);
    for (size_t i = 0; i < virtuals.program.presets.size(); ++i)
      virtuals.program.presets[i].value = 10 * i;
    Program allocated = clone(virtuals.program);
    allocateRegisters(allocated, virtuals.wide);
    EXPECT_LE(allocated.numSlots, 2 * virtuals.wide.size());
    Program compacted = clone(allocated);
    compact(compacted);
    dropped += allocated.code.size() - compacted.code.size();
    for (unsigned path = 0; path < 6; ++path) {
      auto expected = Walk(virtuals.program, virtuals, true).run(path);
      ASSERT_EQ(Walk(allocated, virtuals, false).run(path), expected)
          << "seed " << seed << ", path " << path;
      auto found = Walk(compacted, virtuals, false).run(path);
      // Endless loops of nothing end a walk at another place.
      size_t common = std::min(found.size(), expected.size());
      found.resize(common);
      expected.resize(common);
      ASSERT_EQ(found, expected) << "seed " << seed << ", path " << path;
      entries += common;
    }
  }
  EXPECT_GT(entries, 100000u);
  EXPECT_GT(dropped, 1000u);
}

TEST(Registers, CompactedProgramsAreWhole) {
  for (unsigned seed = 0; seed < 200; ++seed) {
    RandomProgram random(seed);
    Program program = clone(random.program);
    allocateRegisters(program, random.wide);
    compact(program);
    uint32_t next = 0;
    for (size_t b = 0; b < program.blocks.size(); ++b) {
      const BasicBlock &block = program.blocks[b];
      ASSERT_EQ(block.first, next);
      next += block.count;
      for (uint32_t i = block.first; i < next; ++i)
        ASSERT_EQ(program.code[i].opcode == Opcode::Block, i == block.first);
      ASSERT_EQ(program.code[block.first].imm, int64_t(b));
    }
    ASSERT_EQ(next, program.code.size());
    for (const Instr &instr : program.code) {
      if (instr.target) {
        ASSERT_EQ(instr.target->opcode, Opcode::Block);
        ASSERT_FALSE(instr.opcode == Opcode::Jump &&
                     instr.target == &instr + 1);
      }
      if (instr.opcode == Opcode::Copy32 || instr.opcode == Opcode::Copy64) {
        ASSERT_NE(instr.dst, instr.a);
      }
    }
  }
}

TEST(Registers, DeadOperandsMakePlace) {
  // A chain needs one slot, whatever its length.
  Program program;
  std::vector<bool> wide;
  program.code.emplace_back().opcode = Opcode::Block;
  for (unsigned i = 0; i < 50; ++i) {
    Instr &instr = program.code.emplace_back();
    instr.opcode = Opcode::FNegF32;
    instr.dst = i;
    instr.a = i ? i - 1 : kNoRegister;
    wide.push_back(false);
  }
  program.code.emplace_back().opcode = Opcode::Return;
  program.blocks.push_back({0, uint32_t(program.code.size())});
  allocateRegisters(program, wide);
  EXPECT_EQ(program.numSlots, 1u);
}

TEST(Registers, AccumulatorsStayInPlace) {
  // Two chained mma a round in a loop, which carries what the last one made.
  Program program;
  std::vector<bool> wide(7, false); // 0, 1: carried; 2, 3: between; 4, 5: next
  auto emit = [&](Opcode opcode, std::vector<Register> list = {},
                  unsigned numDefs = 0) -> Instr & {
    Instr &instr = program.code.emplace_back();
    instr.opcode = opcode;
    instr.list = program.pool.size();
    instr.numDefs = numDefs;
    instr.numUses = list.size() - numDefs;
    program.pool.insert(program.pool.end(), list.begin(), list.end());
    return instr;
  };
  auto copy = [&](Register dst, Register a) {
    Instr &instr = emit(Opcode::Copy32);
    instr.dst = dst;
    instr.a = a;
  };
  emit(Opcode::Block);
  emit(Opcode::ReadSpecial).dst = 6;
  copy(0, 6);
  copy(1, 6);
  emit(Opcode::Block).imm = 1;
  emit(Opcode::Mma, {2, 3, 6, 0, 1}, 2);
  emit(Opcode::Mma, {4, 5, 6, 2, 3}, 2);
  copy(0, 4);
  copy(1, 5);
  emit(Opcode::Branch).a = 6;
  emit(Opcode::Block).imm = 2;
  emit(Opcode::Store, {0, 1});
  emit(Opcode::Return);
  program.blocks = {{0, 4}, {4, 6}, {10, 3}};
  program.code[9].target = &program.code[4];
  program.code[9].target2 = &program.code[10];
  allocateRegisters(program, wide);
  EXPECT_EQ(program.numSlots, 3u);
  compact(program);
  EXPECT_EQ(program.code.size(), 11u); // only the first copies are left
}

} // namespace
