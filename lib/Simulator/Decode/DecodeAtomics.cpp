//===- DecodeAtomics.cpp --------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Atomic operations, their order and scope, and fences. What counts is what PTX
// will say, not the IR: LLVM 22 emits a read-modify-write that PTX has an
// instruction for as atom without order, which is relaxed, at scope gpu; one
// that becomes a loop of compare-and-swap, and all other atomic accesses, keep
// their order; a fence.sc comes before each that is sequentially consistent.
//
//===----------------------------------------------------------------------===//

#include "Decode/DecodeCalls.h"
#include "Decode/DecodeInstructions.h"

#include "Load/LoadModule.h"

#include "llvm/CodeGen/TargetLowering.h"
#include "llvm/CodeGen/TargetSubtargetInfo.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/AtomicOrdering.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;

namespace tileir::sim {

/// The scope of PTX; one thread alone counts as a block.
static std::optional<Scope> getScope(const LLVMContext &context,
                                     SyncScope::ID scope) {
  SmallVector<StringRef> names;
  context.getSyncScopeNames(names);
  StringRef name = names[scope];
  if (name.empty())
    return Scope::System;
  if (name == "device" || name == "cluster")
    return Scope::Gpu;
  if (name == "block" || name == "singlethread")
    return Scope::Block;
  return std::nullopt;
}

/// Whether PTX has an instruction for it.
static bool isNative(AtomicRMWInst &atomic, const TargetLowering &target) {
  // Exchanges of other types become those of integers before that is asked.
  Type *type = atomic.getType();
  if (atomic.getOperation() == AtomicRMWInst::Xchg && !type->isIntegerTy())
    return atomic.getDataLayout().getTypeStoreSize(type) >= 4;
  return target.shouldExpandAtomicRMWInIR(&atomic) ==
         TargetLowering::AtomicExpansionKind::None;
}

void relaxAtomics(Function &function, const TargetMachine &machine) {
  const TargetLowering &target =
      *machine.getSubtargetImpl(function)->getTargetLowering();
  for (Instruction &instruction : instructions(function)) {
    auto *atomic = dyn_cast<AtomicRMWInst>(&instruction);
    if (atomic && isNative(*atomic, target))
      atomic->setOrdering(AtomicOrdering::Monotonic);
  }
}

void setOrder(Decoder &decoder, const Instruction &instruction,
              AtomicOrdering order, SyncScope::ID scope, Access &access) {
  access.isAtomic = true;
  access.acquire = isAcquireOrStronger(order);
  access.release = isReleaseOrStronger(order);
  if (auto known = getScope(instruction.getContext(), scope))
    access.scope = *known;
  else
    decoder.fail("cannot simulate this syncscope: expected none, \"device\", "
                 "\"cluster\", \"block\" or \"singlethread\"");
  if (order == AtomicOrdering::SequentiallyConsistent)
    decoder.emit(Opcode::Fence).imm = int64_t(access.scope);
}

static ElementType getElementType(const Type *type) {
  if (type->isHalfTy())
    return ElementType::F16;
  if (type->isBFloatTy())
    return ElementType::BF16;
  if (type->isFloatTy())
    return ElementType::F32;
  if (type->isDoubleTy())
    return ElementType::F64;
  return Decoder::isWide(type) ? ElementType::I64 : ElementType::I32;
}

static std::optional<AtomicOp> getOperation(AtomicRMWInst::BinOp operation) {
  switch (operation) {
  case AtomicRMWInst::Xchg:
    return AtomicOp::Exchange;
  case AtomicRMWInst::Add:
    return AtomicOp::Add;
  case AtomicRMWInst::Sub:
    return AtomicOp::Sub;
  case AtomicRMWInst::And:
    return AtomicOp::And;
  case AtomicRMWInst::Or:
    return AtomicOp::Or;
  case AtomicRMWInst::Xor:
    return AtomicOp::Xor;
  case AtomicRMWInst::Max:
    return AtomicOp::SMax;
  case AtomicRMWInst::Min:
    return AtomicOp::SMin;
  case AtomicRMWInst::UMax:
    return AtomicOp::UMax;
  case AtomicRMWInst::UMin:
    return AtomicOp::UMin;
  case AtomicRMWInst::FAdd:
    return AtomicOp::FAdd;
  case AtomicRMWInst::FSub:
    return AtomicOp::FSub;
  case AtomicRMWInst::FMax:
    return AtomicOp::FMax;
  case AtomicRMWInst::FMin:
    return AtomicOp::FMin;
  case AtomicRMWInst::UIncWrap:
    return AtomicOp::Inc;
  case AtomicRMWInst::UDecWrap:
    return AtomicOp::Dec;
  default:
    return std::nullopt;
  }
}

static Access makeAtomic(Opcode opcode, const Value *pointer, Type *type,
                         const DataLayout &layout) {
  Access access;
  access.opcode = opcode;
  access.space = Decoder::getSpace(pointer);
  access.elementBytes = access.bytes = layout.getTypeStoreSize(type);
  access.type = getElementType(type);
  return access;
}

Error decodeAtomicRmw(Decoder &decoder, AtomicRMWInst &atomic) {
  Type *type = atomic.getType();
  auto operation = getOperation(atomic.getOperation());
  if (!operation || type->isVectorTy())
    return decoder.unsupported(
        atomic, "atomicrmw " +
                    AtomicRMWInst::getOperationName(atomic.getOperation()) +
                    (type->isVectorTy() ? " of vectors" : ""));
  Access access = makeAtomic(Opcode::AtomicRmw, atomic.getPointerOperand(),
                             type, decoder.getLayout());
  access.atomicOp = *operation;
  access.isVolatile = atomic.isVolatile();
  setOrder(decoder, atomic, atomic.getOrdering(), atomic.getSyncScopeID(),
           access);
  Register operand = decoder.useScalar(atomic.getValOperand());
  Register old =
      atomic.use_empty() ? kNoRegister : decoder.defineScalar(atomic);
  Instr &instr = decoder.emitAccess(access, atomic.getPointerOperand(), {}, {});
  instr.dst = old;
  instr.b = operand;
  return Error::success();
}

Error decodeCompareExchange(Decoder &decoder, AtomicCmpXchgInst &atomic) {
  Type *type = atomic.getCompareOperand()->getType();
  Access access = makeAtomic(Opcode::AtomicCmpXchg, atomic.getPointerOperand(),
                             type, decoder.getLayout());
  access.isVolatile = atomic.isVolatile();
  setOrder(decoder, atomic, atomic.getMergedOrdering(), atomic.getSyncScopeID(),
           access);
  Register compare = decoder.useScalar(atomic.getCompareOperand());
  Register desired = decoder.useScalar(atomic.getNewValOperand());
  Arithmetic arithmetic(decoder, type);
  Register old = decoder.makeTemporary(arithmetic.wide);
  Instr &instr = decoder.emitAccess(access, atomic.getPointerOperand(), {}, {});
  instr.dst = old;
  instr.b = compare;
  instr.c = desired;
  decoder.rename(atomic, {old, arithmetic.test(Opcode::CmpEq32, old, compare)});
  return Error::success();
}

Error decodeFence(Decoder &decoder, FenceInst &fence) {
  auto scope = getScope(fence.getContext(), fence.getSyncScopeID());
  if (!scope)
    return decoder.unsupported(fence, "this syncscope");
  if (fence.getSyncScopeID() != SyncScope::SingleThread)
    decoder.emit(Opcode::Fence).imm = int64_t(*scope);
  return Error::success();
}

} // namespace tileir::sim
