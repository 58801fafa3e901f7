//===- DecodeControl.cpp --------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The order of basic blocks, the copies that phis are, and terminators.
//
//===----------------------------------------------------------------------===//

#include "Decode/DecodeInstructions.h"

#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/CFG.h"
#include "llvm/IR/Dominators.h"

using namespace llvm;

namespace tileir::sim {

//===----------------------------------------------------------------------===//
// Order
//===----------------------------------------------------------------------===//

/// The blocks to be visited from `block`: those that a loop leads to first,
/// before any other block of the loop. The first to be visited comes last.
static SmallVector<llvm::BasicBlock *> getNext(llvm::BasicBlock *block,
                                               const LoopInfo &loops) {
  SmallVector<llvm::BasicBlock *> next;
  const Loop *loop = loops.getLoopFor(block);
  if (loop && loop->getHeader() == block)
    loop->getExitBlocks(next);
  // Of two successors, the first is to lie behind the block.
  auto all = to_vector(successors(block));
  append_range(next, reverse(all));
  return next;
}

std::vector<llvm::BasicBlock *> orderBlocks(Function &kernel) {
  DominatorTree dominators(kernel);
  LoopInfo loops(dominators);
  struct Visit {
    llvm::BasicBlock *block;
    SmallVector<llvm::BasicBlock *> next;
    size_t position = 0;
  };
  std::vector<Visit> stack;
  SmallPtrSet<llvm::BasicBlock *, 32> seen;
  auto visit = [&](llvm::BasicBlock *block) {
    if (seen.insert(block).second)
      stack.push_back({block, getNext(block, loops)});
  };
  std::vector<llvm::BasicBlock *> order;
  visit(&kernel.getEntryBlock());
  while (!stack.empty()) {
    Visit &top = stack.back();
    if (top.position < top.next.size()) {
      visit(top.next[top.position++]);
    } else {
      order.push_back(top.block);
      stack.pop_back();
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

//===----------------------------------------------------------------------===//
// Phis
//===----------------------------------------------------------------------===//

/// Emits copies that happen at once, as (result, operand): each after those
/// that read its result. A cycle is broken by one register more.
static void emitCopies(Decoder &decoder,
                       SmallVector<std::pair<Register, Register>> copies) {
  auto emit = [&](Register result, Register operand) {
    decoder.emit(decoder.isWide(result) ? Opcode::Copy64 : Opcode::Copy32,
                 result, operand);
  };
  DenseMap<Register, unsigned> readers; // how many copies are yet to read it
  DenseMap<Register, unsigned> writer;  // which copy has this result
  for (auto [i, copy] : enumerate(copies)) {
    ++readers[copy.second];
    writer[copy.first] = i;
  }
  SmallVector<unsigned> ready;
  for (auto [i, copy] : enumerate(copies))
    if (!readers.lookup(copy.first))
      ready.push_back(i);
  BitVector done(copies.size());
  auto drain = [&] {
    while (!ready.empty()) {
      unsigned i = ready.pop_back_val();
      auto [result, operand] = copies[i];
      emit(result, operand);
      done.set(i);
      auto next = writer.find(operand);
      if (--readers[operand] == 0 && next != writer.end())
        ready.push_back(next->second);
    }
  };
  drain();
  for (unsigned i = 0; i < copies.size(); ++i) {
    if (done.test(i))
      continue;
    // Only cycles are left: exactly one copy reads each result.
    Register result = copies[i].first;
    Register saved = decoder.makeTemporary(decoder.isWide(result));
    emit(saved, result);
    for (auto &copy : copies)
      if (copy.second == result)
        copy.second = saved;
    readers[result] = 0;
    readers[saved] = 1;
    ready.push_back(i);
    drain();
  }
}

void Decoder::copyPhis(const llvm::BasicBlock *from,
                       const llvm::BasicBlock *to) {
  if (to->getUniquePredecessor())
    return; // renamePhi
  SmallVector<std::pair<Register, Register>> copies;
  for (const PHINode &phi : to->phis()) {
    SmallVector<Register> results = use(&phi);
    SmallVector<Register> operands = use(phi.getIncomingValueForBlock(from));
    for (auto [result, operand] : zip_equal(results, operands))
      if (result != operand)
        copies.push_back({result, operand});
  }
  emitCopies(*this, std::move(copies));
}

/// With one predecessor a phi is a name for its operand.
void Decoder::renamePhi(const PHINode &phi) {
  if (const llvm::BasicBlock *from = phi.getParent()->getUniquePredecessor())
    rename(phi, use(phi.getIncomingValueForBlock(from)));
}

//===----------------------------------------------------------------------===//
// Terminators
//===----------------------------------------------------------------------===//

void Decoder::beginBlock() {
  sums.clear();
  if (!program.blocks.empty()) {
    BasicBlock &last = program.blocks.back();
    last.count = program.code.size() - last.first;
  }
  program.blocks.push_back({uint32_t(program.code.size()), 0});
  emit(Opcode::Block).imm = program.blocks.size() - 1;
}

void Decoder::decodeTerminator(Instruction &instruction) {
  const llvm::BasicBlock *from = instruction.getParent();
  if (isa<ReturnInst>(instruction)) {
    emit(Opcode::Return);
  } else if (isa<UnreachableInst>(instruction)) {
    Instr &trap = emit(Opcode::Trap);
    trap.imm = program.texts.size();
    trap.extra = uint32_t(FindingKind::Trap);
    program.texts.push_back("reached code that is marked as unreachable");
  } else if (const llvm::BasicBlock *to = from->getUniqueSuccessor()) {
    copyPhis(from, to);
    fixups.push_back({uint32_t(program.code.size()), 0, to, 0});
    emit(Opcode::Jump);
  } else if (auto *branch = dyn_cast<BranchInst>(&instruction)) {
    Register condition = useScalar(branch->getCondition());
    emit(Opcode::Branch, kNoRegister, condition);
    link(from, {branch->getSuccessor(0), branch->getSuccessor(1)});
  } else {
    decodeSwitch(cast<SwitchInst>(instruction));
  }
}

void Decoder::decodeSwitch(SwitchInst &instruction) {
  SmallVector<const llvm::BasicBlock *> targets;
  SwitchTable table;
  for (auto &entry : instruction.cases()) {
    table.values.push_back(entry.getCaseValue()->getZExtValue());
    targets.push_back(entry.getCaseSuccessor());
  }
  targets.push_back(instruction.getDefaultDest());
  table.targets.resize(targets.size());
  Register condition = useScalar(instruction.getCondition());
  Instr &instr = emit(Opcode::Switch, kNoRegister, condition);
  instr.imm = isWide(condition) ? 64 : 32;
  instr.extra = program.switches.size();
  program.switches.push_back(std::move(table));
  link(instruction.getParent(), targets);
}

/// Sets the targets of the instruction that ends `from`. Copies for a block
/// that has other predecessors too get a block of their own, directly behind.
void Decoder::link(const llvm::BasicBlock *from,
                   ArrayRef<const llvm::BasicBlock *> targets) {
  uint32_t instr = program.code.size() - 1;
  SmallDenseMap<const llvm::BasicBlock *, uint32_t> edges; // their blocks
  for (auto [slot, to] : enumerate(targets)) {
    Fixup fixup{instr, uint32_t(slot), to, 0};
    if (to->getUniquePredecessor() || to->phis().empty()) {
      fixups.push_back(fixup);
      continue;
    }
    auto [edge, isNew] = edges.try_emplace(to, program.code.size());
    fixup.block = nullptr;
    fixup.index = edge->second;
    fixups.push_back(fixup);
    if (!isNew)
      continue;
    beginBlock();
    copyPhis(from, to);
    fixups.push_back({uint32_t(program.code.size()), 0, to, 0});
    emit(Opcode::Jump);
  }
}

void Decoder::patchTargets() {
  BasicBlock &last = program.blocks.back();
  last.count = program.code.size() - last.first;
  for (const Fixup &fixup : fixups) {
    Instr &instr = program.code[fixup.instr];
    const Instr *target =
        &program.code[fixup.block ? firsts[fixup.block] : fixup.index];
    if (instr.opcode == Opcode::Switch)
      program.switches[instr.extra].targets[fixup.slot] = target;
    else
      (fixup.slot ? instr.target2 : instr.target) = target;
  }
}

} // namespace tileir::sim
