//===- CallFrames.cpp -----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Functions that call each other in a circle cannot be inlined. Each such
// circle becomes one function without calls, which can: the bodies side by
// side, with a stack of frames in a local variable. A call keeps the values
// that are used behind it in its caller's frame, makes a frame for the callee,
// notes there where to go on, and jumps; a return goes on there. Each lane has
// a stack of its own, so lanes may be at different depths.
//
//===----------------------------------------------------------------------===//

#include "Load/LoadModule.h"

#include "llvm/ADT/DepthFirstIterator.h"
#include "llvm/ADT/SCCIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/CallGraph.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"

using namespace llvm;

namespace tileir::sim {

namespace {
using IRBlock = llvm::BasicBlock;

/// A function of a circle, in the function that all of them become.
struct FrameFunction {
  Function *source = nullptr;
  SmallVector<AllocaInst *> parameters; ///< what a call passes
  AllocaInst *result = nullptr;         ///< what a return gives
  IRBlock *entry = nullptr;
  SmallVector<IRBlock *> blocks;
  /// Of a frame: where its callee's caller goes on, then local variables and
  /// values that calls keep.
  uint64_t bytes = sizeof(uint32_t);
};

/// A call of one by another. Its block ends with it.
struct FrameCall {
  CallInst *call = nullptr;
  FrameFunction *caller = nullptr, *callee = nullptr;
  IRBlock *after = nullptr;
  /// Variables that the callee may overwrite, for the next frame of the caller,
  /// and their places in the frame.
  SmallVector<std::pair<AllocaInst *, uint64_t>> kept;
};

/// Makes one function of a circle, to be entered at one of its functions.
class FrameMaker {
public:
  FrameMaker(ArrayRef<Function *> circle, uint64_t stackBytes)
      : circle(circle), stackBytes(stackBytes),
        module(*circle.front()->getParent()), context(module.getContext()),
        layout(module.getDataLayout()) {}

  Expected<Function *> make(Function &entered);

private:
  AllocaInst *addVariable(Type *type, const Twine &name) {
    return new AllocaInst(type, layout.getAllocaAddrSpace(), nullptr,
                          layout.getPrefTypeAlign(type), name,
                          start->getTerminator()->getIterator());
  }
  void addMember(Function &source);
  void copyBody(FrameFunction &member);
  Error cleanUp(FrameFunction &member);
  uint64_t addToFrame(FrameFunction &member, Type *type, Align alignment);
  Value *getPlace(IRBuilder<> &builder, Value *frame, uint64_t offset) {
    return builder.CreatePtrAdd(
        stack, builder.CreateAdd(frame, builder.getInt32(offset)));
  }
  void moveToFrame(FrameFunction &member, AllocaInst &variable);
  void splitAt(FrameFunction &member, CallInst &call);
  SmallVector<FrameCall *> findCallsAcross(Instruction &value);
  void keepValues(FrameFunction &member);
  void lowerCall(FrameCall &call, uint32_t number);
  void lowerReturns(FrameFunction &member, IRBlock &returns);
  void enter(Function &entered);
  void fillReturns(IRBlock &returns, FrameFunction &entered);

  ArrayRef<Function *> circle;
  uint64_t stackBytes;
  Module &module;
  LLVMContext &context;
  const DataLayout &layout;

  Function *function = nullptr;
  IRBlock *start = nullptr;
  AllocaInst *stack = nullptr;
  AllocaInst *top = nullptr; ///< i32: where the last frame begins in the stack
  Align alignment = Align(16); ///< of frames
  MapVector<Function *, FrameFunction> members;
  SmallVector<std::unique_ptr<FrameCall>> calls;
};
} // namespace

void FrameMaker::addMember(Function &source) {
  FrameFunction &member = members[&source];
  member.source = &source;
  for (Argument &argument : source.args())
    member.parameters.push_back(
        addVariable(argument.getType(), argument.getName()));
  if (!source.getReturnType()->isVoidTy())
    member.result = addVariable(source.getReturnType(), "result");
  member.entry = IRBlock::Create(context, source.getName(), function);
}

void FrameMaker::copyBody(FrameFunction &member) {
  ValueToValueMapTy map;
  IRBuilder<> builder(member.entry);
  for (auto [argument, variable] :
       zip_equal(member.source->args(), member.parameters)) {
    Value *value = builder.CreateLoad(argument.getType(), variable);
    if (argument.hasByValAttr()) {
      Type *type = argument.getParamByValType();
      const MaybeAlign wanted = argument.getParamAlign();
      AllocaInst *copy = builder.CreateAlloca(type);
      copy->setAlignment(wanted.value_or(layout.getABITypeAlign(type)));
      builder.CreateMemCpy(copy, copy->getAlign(), value, wanted,
                           layout.getTypeAllocSize(type));
      value = copy;
      if (copy->getType() != argument.getType())
        value = builder.CreateAddrSpaceCast(copy, argument.getType());
    }
    map[&argument] = value;
  }
  member.blocks.push_back(member.entry);
  for (IRBlock &block : *member.source) {
    IRBlock *copy = CloneBasicBlock(&block, map, "", function);
    map[&block] = copy;
    member.blocks.push_back(copy);
  }
  builder.CreateBr(member.blocks[1]);
  for (IRBlock *block : drop_begin(member.blocks))
    for (Instruction &instruction : *block)
      RemapInstruction(&instruction, map,
                       RF_IgnoreMissingLocals | RF_NoModuleLevelChanges);
}

/// Drops what is said of values and variables of one call alone.
Error FrameMaker::cleanUp(FrameFunction &member) {
  for (IRBlock *block : member.blocks)
    for (Instruction &instruction : make_early_inc_range(*block)) {
      instruction.dropDbgRecords();
      instruction.setMetadata(LLVMContext::MD_alias_scope, nullptr);
      instruction.setMetadata(LLVMContext::MD_noalias, nullptr);
      if (auto *call = dyn_cast<CallInst>(&instruction))
        call->setTailCallKind(CallInst::TCK_None);
      auto *intrinsic = dyn_cast<IntrinsicInst>(&instruction);
      auto *variable = dyn_cast<AllocaInst>(&instruction);
      const bool isMarker =
          intrinsic &&
          is_contained({Intrinsic::lifetime_start, Intrinsic::lifetime_end,
                        Intrinsic::experimental_noalias_scope_decl},
                       intrinsic->getIntrinsicID());
      if (isMarker)
        intrinsic->eraseFromParent();
      else if (variable && !isa<ConstantInt>(variable->getArraySize()))
        return createStringError(
            "function '" + member.source->getName() +
            "' calls itself and has a variable whose size is only known when "
            "it runs: expected one or the other");
    }
  return Error::success();
}

uint64_t FrameMaker::addToFrame(FrameFunction &member, Type *type,
                                Align wanted) {
  alignment = std::max(alignment, wanted);
  const uint64_t offset = alignTo(member.bytes, wanted);
  member.bytes = offset + layout.getTypeAllocSize(type);
  return offset;
}

/// Gives a local variable its place in each frame.
void FrameMaker::moveToFrame(FrameFunction &member, AllocaInst &variable) {
  Type *type = variable.getAllocatedType();
  if (variable.isArrayAllocation())
    type = ArrayType::get(
        type, cast<ConstantInt>(variable.getArraySize())->getZExtValue());
  const uint64_t offset = addToFrame(member, type, variable.getAlign());
  for (Use &use : make_early_inc_range(variable.uses())) {
    auto *user = cast<Instruction>(use.getUser());
    if (auto *phi = dyn_cast<PHINode>(user))
      user = phi->getIncomingBlock(use)->getTerminator();
    IRBuilder<> builder(user);
    Value *frame = builder.CreateLoad(builder.getInt32Ty(), top);
    Value *place = getPlace(builder, frame, offset);
    if (place->getType() != variable.getType())
      place = builder.CreateAddrSpaceCast(place, variable.getType());
    auto *phi = dyn_cast<PHINode>(use.getUser());
    if (!phi) {
      use.set(place);
      continue;
    }
    // All edges from one block have one value.
    for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
      if (phi->getIncomingBlock(i) == user->getParent() &&
          phi->getIncomingValue(i) == &variable)
        phi->setIncomingValue(i, place);
  }
  variable.eraseFromParent();
}

void FrameMaker::splitAt(FrameFunction &member, CallInst &call) {
  auto made = std::make_unique<FrameCall>();
  made->call = &call;
  made->caller = &member;
  made->callee = &members[call.getCalledFunction()];
  made->after = SplitBlock(call.getParent(), call.getNextNode());
  member.blocks.push_back(made->after);
  if (!call.getType()->isVoidTy()) {
    IRBuilder<> builder(made->after, made->after->begin());
    call.replaceAllUsesWith(
        builder.CreateLoad(call.getType(), made->callee->result));
  }
  calls.push_back(std::move(made));
}

/// The calls behind which a value is used that was there before.
SmallVector<FrameCall *> FrameMaker::findCallsAcross(Instruction &value) {
  IRBlock *made = value.getParent();
  SmallPtrSet<IRBlock *, 16> alive; // where the block begins
  SmallVector<IRBlock *> open;
  for (Use &use : value.uses()) {
    auto *user = cast<Instruction>(use.getUser());
    auto *phi = dyn_cast<PHINode>(user);
    IRBlock *block = phi ? phi->getIncomingBlock(use) : user->getParent();
    if (block != made)
      open.push_back(block);
  }
  while (!open.empty()) {
    IRBlock *block = open.pop_back_val();
    if (!alive.insert(block).second)
      continue;
    for (IRBlock *before : predecessors(block))
      if (before != made)
        open.push_back(before);
  }
  SmallVector<FrameCall *> across;
  for (const std::unique_ptr<FrameCall> &call : calls)
    if (alive.contains(call->after))
      across.push_back(call.get());
  return across;
}

/// Makes variables of the values that are used behind calls.
void FrameMaker::keepValues(FrameFunction &member) {
  SmallVector<std::pair<Instruction *, SmallVector<FrameCall *>>> values;
  for (IRBlock *block : member.blocks)
    for (Instruction &instruction : *block)
      if (auto across = findCallsAcross(instruction); !across.empty())
        values.emplace_back(&instruction, std::move(across));
  for (auto &[value, across] : values) {
    Type *type = value->getType();
    const uint64_t offset =
        addToFrame(member, type, layout.getABITypeAlign(type));
    AllocaInst *variable = DemoteRegToStack(
        *value, /*VolatileLoads=*/false, start->getTerminator()->getIterator());
    for (FrameCall *call : across)
      call->kept.emplace_back(variable, offset);
  }
}

/// `number` tells the calls apart; 0 is that from outside.
void FrameMaker::lowerCall(FrameCall &call, uint32_t number) {
  IRBlock *before = call.call->getParent();
  const uint64_t callerBytes = alignTo(call.caller->bytes, alignment);
  const uint64_t calleeBytes = alignTo(call.callee->bytes, alignment);
  before->getTerminator()->eraseFromParent();
  IRBuilder<> builder(before);
  builder.SetCurrentDebugLocation(call.call->getDebugLoc());
  Value *frame = builder.CreateLoad(builder.getInt32Ty(), top);
  for (auto [variable, offset] : call.kept)
    builder.CreateStore(
        builder.CreateLoad(variable->getAllocatedType(), variable),
        getPlace(builder, frame, offset));
  for (auto [argument, variable] :
       zip_equal(call.call->args(), call.callee->parameters))
    builder.CreateStore(argument, variable);
  Value *next = builder.CreateAdd(frame, builder.getInt32(callerBytes));
  Value *isFull =
      builder.CreateICmpUGT(next, builder.getInt32(stackBytes - calleeBytes));
  IRBlock *full = IRBlock::Create(context, "full", function);
  IRBlock *go = IRBlock::Create(context, "go", function);
  builder.CreateCondBr(isFull, full, go);

  builder.SetInsertPoint(full);
  CallInst *finding = builder.CreateCall(
      module.getOrInsertFunction(kFullStack, builder.getVoidTy()));
  finding->addFnAttr(Attribute::get(
      context, kFullStack,
      ("the call of '" + call.callee->source->getName() + "' needs " +
       Twine(calleeBytes) + " bytes more than the " + Twine(stackBytes) +
       " of a thread's stack; expected recursion that ends before that")
          .str()));
  builder.CreateUnreachable();

  builder.SetInsertPoint(go);
  builder.CreateStore(builder.getInt32(number), getPlace(builder, next, 0));
  builder.CreateStore(next, top);
  builder.CreateBr(call.callee->entry);

  builder.SetInsertPoint(call.after, call.after->begin());
  frame = builder.CreateSub(builder.CreateLoad(builder.getInt32Ty(), top),
                            builder.getInt32(callerBytes));
  builder.CreateStore(frame, top);
  for (auto [variable, offset] : call.kept)
    builder.CreateStore(builder.CreateLoad(variable->getAllocatedType(),
                                           getPlace(builder, frame, offset)),
                        variable);
  call.call->eraseFromParent();
}

void FrameMaker::lowerReturns(FrameFunction &member, IRBlock &returns) {
  for (IRBlock *block : member.blocks)
    if (auto *end = dyn_cast<ReturnInst>(block->getTerminator())) {
      IRBuilder<> builder(end);
      if (member.result)
        builder.CreateStore(end->getReturnValue(), member.result);
      builder.CreateBr(&returns);
      end->eraseFromParent();
    }
}

/// Makes the first frame, and calls from outside.
void FrameMaker::enter(Function &entered) {
  Instruction *end = start->getTerminator();
  IRBuilder<> builder(end);
  builder.CreateStore(builder.getInt32(0), top);
  builder.CreateStore(builder.getInt32(0), stack);
  for (auto [argument, variable] :
       zip_equal(function->args(), members[&entered].parameters))
    builder.CreateStore(&argument, variable);
  builder.CreateBr(members[&entered].entry);
  end->eraseFromParent();
}

/// Goes on where the last frame says.
void FrameMaker::fillReturns(IRBlock &returns, FrameFunction &entered) {
  IRBlock *end = IRBlock::Create(context, "end", function);
  IRBlock *broken = IRBlock::Create(context, "broken", function);
  IRBuilder<> builder(&returns);
  Value *frame = builder.CreateLoad(builder.getInt32Ty(), top);
  SwitchInst *choice = builder.CreateSwitch(
      builder.CreateLoad(builder.getInt32Ty(), getPlace(builder, frame, 0)),
      broken, calls.size() + 1);
  choice->addCase(builder.getInt32(0), end);
  for (auto [i, call] : enumerate(calls))
    choice->addCase(builder.getInt32(i + 1), call->after);
  builder.SetInsertPoint(broken);
  builder.CreateIntrinsic(Intrinsic::trap, {});
  builder.CreateUnreachable();
  builder.SetInsertPoint(end);
  if (entered.result)
    builder.CreateRet(
        builder.CreateLoad(function->getReturnType(), entered.result));
  else
    builder.CreateRetVoid();
}

Expected<Function *> FrameMaker::make(Function &entered) {
  function =
      Function::Create(entered.getFunctionType(), GlobalValue::InternalLinkage,
                       entered.getName() + ".frames", module);
  // What is known of the functions is not known of this one.
  function->setAttributes(entered.getAttributes().removeFnAttributes(context));
  if (entered.isConvergent())
    function->setConvergent();
  start = IRBlock::Create(context, "start", function);
  new UnreachableInst(context, start);
  stack = addVariable(ArrayType::get(Type::getInt8Ty(context), stackBytes),
                      "stack");
  top = addVariable(Type::getInt32Ty(context), "top");
  for (Function *source : circle)
    addMember(*source);
  for (auto &[source, member] : members) {
    copyBody(member);
    if (Error error = cleanUp(member))
      return std::move(error);
    SmallVector<AllocaInst *> variables;
    SmallVector<CallInst *> recursive;
    for (IRBlock *block : member.blocks)
      for (Instruction &instruction : *block) {
        auto *call = dyn_cast<CallInst>(&instruction);
        if (call && members.contains(call->getCalledFunction()))
          recursive.push_back(call);
        if (auto *variable = dyn_cast<AllocaInst>(&instruction))
          variables.push_back(variable);
      }
    for (AllocaInst *variable : variables)
      moveToFrame(member, *variable);
    for (CallInst *call : recursive)
      splitAt(member, *call);
  }
  for (auto &[source, member] : members)
    keepValues(member);
  for (auto &[source, member] : members)
    if (const uint64_t bytes = alignTo(member.bytes, alignment);
        bytes > stackBytes)
      return createStringError("function '" + source->getName() +
                               "' calls itself and needs " + Twine(bytes) +
                               " bytes of stack a call: expected at most the " +
                               Twine(stackBytes) + " of a thread's stack");
  stack->setAlignment(alignment);
  IRBlock *returns = IRBlock::Create(context, "returns", function);
  for (auto &[source, member] : members)
    lowerReturns(member, *returns);
  for (auto [i, call] : enumerate(calls))
    lowerCall(*call, i + 1);
  enter(entered);
  fillReturns(*returns, members[&entered]);
  assert(!verifyFunction(*function, &errs()) && "broken call frames");
  return function;
}

/// The circles of functions that call each other, callees first, of those that
/// a kernel comes to.
static std::vector<std::vector<Function *>> findCircles(Module &module) {
  std::vector<std::vector<Function *>> circles;
  CallGraph graph(module);
  df_iterator_default_set<CallGraphNode *> reached;
  for (Function &function : module)
    if (isKernel(function))
      for (CallGraphNode *node : depth_first_ext(graph[&function], reached))
        (void)node;
  for (auto it = scc_begin(&graph); !it.isAtEnd(); ++it) {
    if (!it.hasCycle() || !reached.contains(it->front()))
      continue;
    std::vector<Function *> &circle = circles.emplace_back();
    for (CallGraphNode *node : *it)
      circle.push_back(node->getFunction());
  }
  return circles;
}

Error makeCallFrames(Module &module, uint64_t stackBytes) {
  for (const std::vector<Function *> &circle : findCircles(module)) {
    for (Function *function : circle) {
      SmallVector<CallBase *> outside;
      for (User *user : function->users())
        if (auto *call = dyn_cast<CallBase>(user);
            call && call->getCalledFunction() == function &&
            !is_contained(circle, call->getFunction()))
          outside.push_back(call);
      if (outside.empty())
        continue;
      Expected<Function *> made =
          FrameMaker(circle, stackBytes).make(*function);
      if (!made)
        return made.takeError();
      for (CallBase *call : outside)
        call->setCalledFunction(*made);
    }
    for (Function *function : circle)
      function->deleteBody();
  }
  return Error::success();
}

} // namespace tileir::sim
