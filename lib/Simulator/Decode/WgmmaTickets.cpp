//===- WgmmaTickets.cpp --------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What has to lie between wgmma and those who touch its registers: a
// wgmma.fence between a write to a register of D or A and the mma_async that
// uses it, and a wait between the mma_async and whoever reads D.
//
// Each value that holds D or A gets a ticket, a number that moves with it
// through phis and moves: of a result of mma_async which one it was, of any
// other value how many fences the warp had run when it was made. Where values
// are used, calls check the tickets: tileir.ptx.wgmma.inputs before an
// mma_async, tileir.ptx.wgmma.use before other instructions.
//
//===----------------------------------------------------------------------===//

#include "Decode/Wgmma.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace tileir::sim {

namespace {
constexpr StringLiteral kPrefix = "tileir.ptx.wgmma.";

CallInst *getProduct(Value *value) {
  auto *call = dyn_cast<CallInst>(value);
  const Function *callee = call ? call->getCalledFunction() : nullptr;
  return callee && callee->getName().starts_with("tileir.ptx.wgmma.mma_async.")
             ? call
             : nullptr;
}

unsigned getNumResults(const CallInst &product) {
  return cast<StructType>(product.getType())->getNumElements() - 1;
}

/// The registers of A behind those of D, if it is in registers.
unsigned getNumInputs(const CallInst &product) {
  constexpr unsigned kDescriptorAndScale = 2;
  unsigned rest = product.arg_size() - getNumResults(product);
  return product.arg_size() - (rest > 3 ? kDescriptorAndScale : rest);
}

/// Instructions that hand bits on.
bool isMove(const Instruction &instruction) {
  if (isa<PHINode, SelectInst, FreezeInst, ExtractElementInst,
          InsertElementInst, ShuffleVectorInst, ExtractValueInst,
          InsertValueInst, BitCastInst, TruncInst, ZExtInst>(instruction))
    return true;
  unsigned opcode = instruction.getOpcode();
  return opcode == Instruction::Or || opcode == Instruction::Shl ||
         opcode == Instruction::LShr;
}

/// Whether the tickets of a block that were looked at have to be looked at
/// again behind this instruction.
bool isStep(Instruction &instruction) {
  if (getProduct(&instruction))
    return true;
  auto *call = dyn_cast<IntrinsicInst>(&instruction);
  return call &&
         (call->getIntrinsicID() == Intrinsic::nvvm_wgmma_fence_sync_aligned ||
          call->getIntrinsicID() ==
              Intrinsic::nvvm_wgmma_wait_group_sync_aligned);
}

class Tickets {
public:
  explicit Tickets(Function &function)
      : function(function), module(*function.getParent()),
        i32(Type::getInt32Ty(function.getContext())) {}
  void run();

private:
  Value *get(Value *value);
  Value *make(Value *value);
  Value *makeEpoch(Instruction &instruction);
  Value *combine(Value *a, Value *b, Instruction *before);
  CallInst *call(StringRef name, Type *type, ArrayRef<Value *> operands,
                 Instruction *before);
  void addInputs(CallInst &product);
  void findUses(CallInst &product);
  void addUses();

  Function &function;
  Module &module;
  Type *i32;
  DenseMap<Value *, Value *> tickets;
  DenseMap<Instruction *, CallInst *> epochs; ///< by the step before
  SmallPtrSet<Value *, 32> followed;
  /// The values that instructions use before or behind a wait.
  MapVector<Instruction *, SmallSetVector<Value *, 2>> uses;
};
} // namespace

CallInst *Tickets::call(StringRef name, Type *type, ArrayRef<Value *> operands,
                        Instruction *before) {
  FunctionCallee callee = module.getOrInsertFunction(
      (kPrefix + name).str(), FunctionType::get(type, /*isVarArg=*/true));
  auto *call = CallInst::Create(callee, operands, "", before->getIterator());
  call->setDebugLoc(before->getDebugLoc());
  return call;
}

Value *Tickets::combine(Value *a, Value *b, Instruction *before) {
  if (a == b || isa<Constant>(b))
    return a;
  if (isa<Constant>(a))
    return b;
  IRBuilder<> builder(before);
  return builder.CreateBinaryIntrinsic(Intrinsic::umax, a, b);
}

/// One for all values between two steps of a block.
Value *Tickets::makeEpoch(Instruction &instruction) {
  Instruction *place = &instruction;
  if (isa<InvokeInst>(place))
    return ConstantInt::get(i32, 0);
  while (place->getPrevNode() && !isStep(*place->getPrevNode()) &&
         !isa<PHINode>(place->getPrevNode()))
    place = place->getPrevNode();
  CallInst *&epoch = epochs[place];
  if (!epoch)
    epoch = call("epoch", i32, {}, place);
  return epoch;
}

Value *Tickets::make(Value *value) {
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return ConstantInt::get(i32, 0);
  if (CallInst *product = getProduct(instruction))
    return ExtractValueInst::Create(product, {getNumResults(*product)}, "",
                                    std::next(product->getIterator()));
  if (auto *phi = dyn_cast<PHINode>(instruction)) {
    auto *ticket = PHINode::Create(i32, phi->getNumIncomingValues(), "",
                                   phi->getIterator());
    tickets[value] = ticket;
    for (auto [incoming, block] : zip(phi->incoming_values(), phi->blocks()))
      ticket->addIncoming(get(incoming), block);
    return ticket;
  }
  if (!isMove(*instruction))
    return makeEpoch(*instruction);
  if (auto *extract = dyn_cast<ExtractValueInst>(instruction))
    if (Value *inserted = FindInsertedValue(extract->getAggregateOperand(),
                                            extract->getIndices()))
      if (inserted != extract)
        return get(inserted);
  Value *ticket = nullptr;
  for (Value *operand :
       drop_begin(instruction->operands(), isa<SelectInst>(instruction)))
    ticket = ticket ? combine(ticket, get(operand), instruction) : get(operand);
  return ticket;
}

Value *Tickets::get(Value *value) {
  auto found = tickets.find(value);
  if (found != tickets.end())
    return found->second;
  Value *ticket = make(value);
  return tickets[value] = ticket;
}

void Tickets::addInputs(CallInst &product) {
  unsigned numResults = getNumResults(product);
  SmallSetVector<Value *, 4> accumulators, inputs;
  for (unsigned i = 0, end = getNumInputs(product); i < end; ++i)
    (i < numResults ? accumulators : inputs)
        .insert(get(product.getArgOperand(i)));
  // scale-d of 0: D is not read.
  auto *scale =
      dyn_cast<ConstantInt>(product.getArgOperand(product.arg_size() - 1));
  if (scale && scale->isZero())
    accumulators.clear();
  SmallVector<Value *> operands = {ConstantInt::get(i32, accumulators.size())};
  append_range(operands, accumulators);
  append_range(operands, inputs);
  call("inputs", Type::getVoidTy(function.getContext()), operands, &product);
}

void Tickets::findUses(CallInst &product) {
  SmallVector<Value *> work = {&product};
  while (!work.empty()) {
    Value *value = work.pop_back_val();
    if (!followed.insert(value).second)
      continue;
    for (Use &use : value->uses()) {
      auto *user = cast<Instruction>(use.getUser());
      if (isMove(*user))
        work.push_back(user);
      else if (!getProduct(user))
        uses[user].insert(value);
    }
  }
}

void Tickets::addUses() {
  DenseMap<Instruction *, SmallSetVector<Value *, 2>> ofUser;
  for (auto &[user, values] : uses)
    for (Value *value : values)
      if (Value *ticket = get(value); !isa<Constant>(ticket))
        ofUser[user].insert(ticket);
  for (llvm::BasicBlock &block : function) {
    SmallPtrSet<Value *, 4> seen;
    for (Instruction &instruction : make_early_inc_range(block)) {
      SmallVector<Value *> operands;
      if (auto found = ofUser.find(&instruction); found != ofUser.end())
        for (Value *ticket : found->second)
          if (seen.insert(ticket).second)
            operands.push_back(ticket);
      if (!operands.empty())
        call("use", Type::getVoidTy(function.getContext()), operands,
             &instruction);
      if (isStep(instruction))
        seen.clear();
    }
  }
}

void Tickets::run() {
  SmallVector<CallInst *> products;
  for (Instruction &instruction : instructions(function))
    if (CallInst *product = getProduct(&instruction))
      products.push_back(product);
  if (products.empty())
    return;
  // Uses first: tickets are no uses.
  for (CallInst *product : products)
    findUses(*product);
  for (CallInst *product : products)
    addInputs(*product);
  addUses();
  // Accumulators of one loop have one ticket.
  for (llvm::BasicBlock &block : function)
    EliminateDuplicatePHINodes(&block);
}

void addWgmmaTickets(Function &function) { Tickets(function).run(); }

} // namespace tileir::sim
