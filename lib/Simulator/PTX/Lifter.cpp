//===- Lifter.cpp ---------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The frame of lifting: from statement to statement, scopes, guards, labels,
// and the clean-up in the end. Operands are in LiftOperands.cpp, instructions
// in the other Lift*.cpp.
//
//===----------------------------------------------------------------------===//

#include "PTX/Lifter.h"
#include "PTX/PTX.h"

#include "llvm/Analysis/InstructionSimplify.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Path.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/PromoteMemToReg.h"

using namespace llvm;

namespace tileir::sim::ptx {

ArrayRef<ArrayRef<Instruction>> getInstructions() {
  static const ArrayRef<Instruction> all[] = {
      getIntegerInstructions(),  getBitInstructions(),
      getFloatInstructions(),    getCompareInstructions(),
      getMoveInstructions(),     getConvertInstructions(),
      getMemoryInstructions(),   getAtomicInstructions(),
      getWarpInstructions(),     getMatrixInstructions(),
      getMBarrierInstructions(), getWgmmaInstructions(),
      getTextureInstructions(),  getControlInstructions(),
      getVideoInstructions(),    getTensorMapInstructions()};
  return all;
}

static const Instruction *findInstruction(StringRef name) {
  static const StringMap<const Instruction *> byName = [] {
    StringMap<const Instruction *> map;
    for (ArrayRef<Instruction> group : getInstructions())
      for (const Instruction &instruction : group)
        map[instruction.name] = &instruction;
    return map;
  }();
  return byName.lookup(name);
}

Lifter::Lifter(llvm::Instruction *place)
    : b(place->getContext(), InstSimplifyFolder(place->getDataLayout()),
        IRBuilderCallbackInserter(
            [this](llvm::Instruction *i) { emitted.push_back(i); })),
      module(*place->getModule()), context(place->getContext()),
      entry(&place->getFunction()->getEntryBlock()) {
  moveTo(place);
}

void Lifter::moveTo(llvm::Instruction *place) {
  b.SetInsertPoint(place);
  b.SetCurrentDebugLocation(place->getDebugLoc());
  scopes.clear();
  scopes.emplace_back();
  carry = nullptr;
}

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

AllocaInst *Lifter::addRegister(StringRef name, unsigned bits) {
  IRBuilder<> atEntry(entry, entry->begin());
  AllocaInst *reg = atEntry.CreateAlloca(integer(bits), nullptr, name);
  registers.push_back(reg);
  addRegister(name, reg);
  return reg;
}

void Lifter::addRegister(StringRef name, AllocaInst *reg) {
  scopes.back().registers[name] = reg;
}

void Lifter::addSymbol(StringRef name, Symbol symbol) {
  scopes.back().symbols[name] = symbol;
}

AllocaInst *Lifter::getCarry() {
  if (!carry) {
    IRBuilder<> atEntry(entry, entry->begin());
    carry = atEntry.CreateAlloca(b.getInt1Ty(), nullptr, "carry");
    registers.push_back(carry);
  }
  return carry;
}

AllocaInst *Lifter::findRegister(StringRef name) {
  StringRef prefix = name.rtrim("0123456789");
  for (size_t i = scopes.size(); i-- > 0;) {
    auto found = scopes[i].registers.find(name);
    if (found != scopes[i].registers.end())
      return found->second;
    auto family = scopes[i].families.find(prefix);
    if (family != scopes[i].families.end() && prefix != name) {
      AllocaInst *reg = addRegister(name, family->second);
      scopes.back().registers.erase(name);
      return scopes[i].registers[name] = reg;
    }
  }
  return nullptr;
}

const Symbol *Lifter::findSymbol(StringRef name) {
  for (size_t i = scopes.size(); i-- > 0;) {
    auto found = scopes[i].symbols.find(name);
    if (found != scopes[i].symbols.end())
      return &found->second;
  }
  if (GlobalVariable *variable = module.getNamedGlobal(name)) {
    addSymbol(name, {variable, nullptr});
    return &scopes.back().symbols[name];
  }
  return nullptr;
}

BasicBlock *Lifter::getLabel(StringRef name) {
  for (size_t i = scopes.size(); i-- > 0;)
    if (llvm::BasicBlock *block = scopes[i].labels.lookup(name))
      return block;
  return nullptr;
}

ArrayRef<Operand> Lifter::getTargets(StringRef label) {
  for (size_t i = scopes.size(); i-- > 0;) {
    auto found = scopes[i].targets.find(label);
    if (found != scopes[i].targets.end())
      return found->second;
  }
  return {};
}

/// Begins a scope: the labels of all statements up to its end.
void Lifter::open(ArrayRef<Statement> inside) {
  Scope &scope = scopes.emplace_back();
  unsigned depth = 0;
  for (auto [i, statement] : enumerate(inside)) {
    if (statement.kind == Statement::Kind::Open)
      ++depth;
    if (statement.kind == Statement::Kind::Close && depth-- == 0)
      break;
    if (statement.kind != Statement::Kind::Label || depth > 0)
      continue;
    const Statement *next = i + 1 < inside.size() ? &inside[i + 1] : nullptr;
    if (next && next->kind == Statement::Kind::Instruction &&
        next->name.empty() && !next->modifiers.empty() &&
        next->modifiers[0] == "branchtargets")
      scope.targets[statement.name] = next->operands;
    else
      scope.labels[statement.name] =
          llvm::BasicBlock::Create(context, statement.name, &getFunction());
  }
}

void Lifter::declare(const Variable &variable) {
  unsigned bits = getTypeBits(variable.type);
  if (variable.space == "reg") {
    if (variable.family)
      scopes.back().families[variable.name] = bits;
    else if (variable.lanes == 1)
      addRegister(variable.name, bits);
    else
      for (char lane : StringRef("xyzw").take_front(variable.lanes)) {
        auto name = (variable.name + "." + Twine(lane)).str();
        addRegister(name, bits);
      }
    return;
  }
  uint64_t bytes = std::max(1u, bits / 8) * uint64_t(variable.lanes) *
                   variable.elements.value_or(1);
  Align alignment(variable.alignment ? variable.alignment
                                     : std::max(1u, bits / 8));
  auto *type = ArrayType::get(b.getInt8Ty(), bytes);
  if (variable.space == "shared") {
    auto *shared = new GlobalVariable(
        module, type, /*isConstant=*/false, GlobalValue::InternalLinkage,
        PoisonValue::get(type), variable.name, nullptr,
        GlobalValue::NotThreadLocal, kShared);
    shared->setAlignment(alignment);
    addSymbol(variable.name, {shared, nullptr});
    return;
  }
  IRBuilder<> atEntry(entry, entry->begin());
  AllocaInst *local = atEntry.CreateAlloca(type, nullptr, variable.name);
  local->setAlignment(alignment);
  addSymbol(variable.name, {local, nullptr});
}

//===----------------------------------------------------------------------===//
// Statements
//===----------------------------------------------------------------------===//

BasicBlock *Lifter::makeBlock(const Twine &name) {
  llvm::BasicBlock *present = b.GetInsertBlock();
  return llvm::BasicBlock::Create(context, name, present->getParent(),
                                  present->getNextNode());
}

/// What follows the insertion point moves to the new block.
void Lifter::endBlock(function_ref<void(llvm::BasicBlock *)> emit) {
  DebugLoc location = b.getCurrentDebugLocation();
  llvm::BasicBlock *block = b.GetInsertBlock(), *rest;
  if (b.GetInsertPoint() == block->end()) {
    rest = makeBlock("");
  } else {
    rest = block->splitBasicBlock(b.GetInsertPoint());
    block->getTerminator()->eraseFromParent();
  }
  b.SetInsertPoint(block);
  emit(rest);
  if (!b.GetInsertBlock()->getTerminator())
    b.CreateBr(rest);
  b.SetInsertPoint(rest, rest->begin());
  b.SetCurrentDebugLocation(location); // the line before took that of `rest`
}

void Lifter::lift(ArrayRef<Statement> statements) {
  open(statements);
  unsigned depth = 1;
  for (auto [i, statement] : enumerate(statements)) {
    if (getLocation)
      b.SetCurrentDebugLocation(getLocation(statement));
    switch (statement.kind) {
    case Statement::Kind::Open:
      open(statements.drop_front(i + 1));
      ++depth;
      break;
    case Statement::Kind::Close:
      scopes.pop_back();
      --depth;
      break;
    case Statement::Kind::Declaration:
      for (const Variable &variable : statement.variables)
        declare(variable);
      break;
    case Statement::Kind::Label:
      if (llvm::BasicBlock *block = getLabel(statement.name))
        endBlock([&](llvm::BasicBlock *rest) {
          block->moveBefore(rest);
          b.CreateBr(block);
          b.SetInsertPoint(block);
        });
      break;
    case Statement::Kind::Location:
      break;
    case Statement::Kind::Instruction:
      liftInstruction(statement);
      break;
    }
  }
  while (depth-- > 0)
    scopes.pop_back();
}

bool Lifter::fail(const Twine &text) {
  if (message.empty())
    message = text.str();
  return false;
}

void Lifter::liftInstruction(const Statement &statement) {
  if (statement.name.empty()) // .branchtargets
    return;
  message.clear();
  firstOfStatement = emitted.size();
  const Instruction *instruction = findInstruction(statement.name);
  size_t count = statement.operands.size();
  if (!instruction)
    fail("unknown instruction '" + statement.name + "'");
  else if (count < instruction->minOperands || count > instruction->maxOperands)
    fail("'" + statement.name + "' with " + Twine(count) +
         " operands: expected " + Twine(instruction->minOperands) +
         (instruction->minOperands == instruction->maxOperands
              ? ""
              : " to " + std::to_string(instruction->maxOperands)));
  else if (statement.guard.empty())
    apply(statement, *instruction);
  else
    liftGuarded(statement, *instruction);
  if (!message.empty())
    reject(statement.text, message);
  markParts();
}

void Lifter::apply(const Statement &statement, const Instruction &instruction) {
  Modifiers modifiers(context, statement.modifiers);
  if (!instruction.lift(*this, modifiers, statement.operands))
    fail("this form of '" + statement.name + "' is not known");
  else if (!modifiers.empty())
    fail("modifier '." + modifiers.takeFirst() + "' of '" + statement.name +
         "' is not known");
}

void Lifter::liftGuarded(const Statement &statement,
                         const Instruction &instruction) {
  Operand predicate;
  predicate.kind = Operand::Kind::Name;
  predicate.name = statement.guard;
  predicate.negated = statement.guardNegated;
  Value *condition = read(predicate, b.getInt1Ty());
  if (instruction.takesGuard) {
    guard = condition;
    apply(statement, instruction);
    guard = nullptr;
    return;
  }
  endBlock([&](llvm::BasicBlock *rest) {
    llvm::BasicBlock *inside = makeBlock("guarded");
    b.CreateCondBr(condition, inside, rest);
    b.SetInsertPoint(inside);
    apply(statement, instruction);
  });
}

void Lifter::reject(StringRef text, const Twine &why) {
  FunctionCallee marker =
      module.getOrInsertFunction(kUnsupportedName, b.getVoidTy());
  CallInst *call = b.CreateCall(marker);
  constexpr size_t kMost = 120; // characters of a message's quotation
  std::string line = ("cannot simulate '" + text.take_front(kMost) +
                      (text.size() > kMost ? "..." : "") + "': " + why)
                         .str();
  call->setMetadata(kUnsupportedName,
                    MDNode::get(context, MDString::get(context, line)));
}

/// All instructions of a statement but the one that stands for it.
void Lifter::markParts() {
  llvm::Instruction *main = nullptr;
  auto rank = [&](const llvm::Instruction &i) {
    if (isa<AllocaInst, BranchInst>(i))
      return isa<BranchInst>(i) && cast<BranchInst>(i).isConditional() ? 1 : 0;
    if (auto *load = dyn_cast<LoadInst>(&i))
      return isa<AllocaInst>(load->getPointerOperand()) ? 0 : 4;
    if (auto *store = dyn_cast<StoreInst>(&i))
      return isa<AllocaInst>(store->getPointerOperand()) ? 0 : 4;
    if (i.mayReadOrWriteMemory())
      return 4;
    if (isa<BitCastInst, IntToPtrInst, PtrToIntInst, GetElementPtrInst>(i) ||
        isa<ExtractValueInst, InsertElementInst, ExtractElementInst>(i))
      return 0;
    return isa<CastInst>(i) ? 2 : 3;
  };
  int best = 0;
  auto statement = ArrayRef(emitted).drop_front(firstOfStatement);
  for (const WeakVH &handle : statement)
    if (auto *i = dyn_cast_or_null<llvm::Instruction>(handle))
      if (int rankOfThis = rank(*i); rankOfThis > best) {
        best = rankOfThis;
        main = i;
      }
  MDNode *mark = MDNode::get(context, {});
  for (const WeakVH &handle : statement)
    if (auto *i = dyn_cast_or_null<llvm::Instruction>(handle); i && i != main)
      i->setMetadata(kPartName, mark);
}

//===----------------------------------------------------------------------===//
// The end
//===----------------------------------------------------------------------===//

void Lifter::finish() {
  llvm::Function &function = *entry->getParent();
  removeUnreachableBlocks(function);
  DominatorTree tree(function);
  PromoteMemToReg(registers, tree);
  SimplifyQuery query(function.getDataLayout());
  // A use may come before the definition that becomes a constant.
  for (bool changed = true; changed;) {
    changed = false;
    for (WeakVH &handle : emitted) {
      auto *i = dyn_cast_or_null<llvm::Instruction>(handle);
      if (!i || i->isTerminator())
        continue;
      Value *simple = i->use_empty() ? nullptr : simplifyInstruction(i, query);
      if (simple && simple != i) {
        i->replaceAllUsesWith(simple);
        changed = true;
      }
      // Loads stay: each is an access.
      if (isInstructionTriviallyDead(i) && !i->mayReadFromMemory()) {
        i->eraseFromParent();
        changed = true;
      }
    }
  }
}

Error reportUnsupported(const llvm::Function &kernel) {
  std::string all;
  for (const llvm::Instruction &instruction : instructions(kernel)) {
    auto *call = dyn_cast<CallInst>(&instruction);
    MDNode *text = call ? call->getMetadata(kUnsupportedName) : nullptr;
    if (!text)
      continue;
    const DILocation *where = call->getDebugLoc().get();
    std::string line = "kernel '" + kernel.getName().str() + "'";
    if (where && where->getLine())
      line = (sys::path::filename(where->getFilename()) + ":" +
              Twine(where->getLine()) + ":" + Twine(where->getColumn()))
                 .str();
    line += ": " + cast<MDString>(text->getOperand(0))->getString().str();
    if (!StringRef(all).contains(line))
      all += (all.empty() ? "" : "\n") + line;
  }
  return all.empty() ? Error::success() : createStringError(all);
}

} // namespace tileir::sim::ptx
