//===- LiftAtomics.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Atomic operations and fences. Pairs and vectors become an operation for each
// element, as the PTX ISA says.
//
//===----------------------------------------------------------------------===//

#include "PTX/LiftAccess.h"
#include "PTX/LiftBulk.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace tileir::sim::ptx {

namespace {
struct Atomic {
  StringRef operation;
  unsigned space = kGeneric, lanes = 1;
  ValueType type;
  AtomicOrdering order = AtomicOrdering::Monotonic;
  SyncScope::ID scope;
};
} // namespace

static std::optional<AtomicRMWInst::BinOp> getOperation(const Atomic &atomic) {
  bool isFloat = atomic.type.isFloat, isSigned = atomic.type.isSigned;
  using Op = AtomicRMWInst;
  return StringSwitch<std::optional<AtomicRMWInst::BinOp>>(atomic.operation)
      .Case("add", isFloat ? Op::FAdd : Op::Add)
      .Case("min", isFloat    ? Op::FMin
                   : isSigned ? Op::Min
                              : Op::UMin)
      .Case("max", isFloat    ? Op::FMax
                   : isSigned ? Op::Max
                              : Op::UMax)
      .Case("and", Op::And)
      .Case("or", Op::Or)
      .Case("xor", Op::Xor)
      .Case("exch", Op::Xchg)
      .Case("inc", Op::UIncWrap)
      .Case("dec", Op::UDecWrap)
      .Default(std::nullopt);
}

static std::optional<Atomic> takeAtomic(Lifter &l, Modifiers &m) {
  Atomic atomic;
  auto space = takeSpace(m);
  m.takeCacheHints();
  m.take("noftz");
  atomic.lanes = takeLanes(m);
  auto type = m.takeType();
  atomic.operation = m.takeOneOf(
      {"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"});
  if (!space || !type || atomic.operation.empty())
    return std::nullopt;
  atomic.space = *space;
  atomic.type = *type;
  if (m.take("acq_rel"))
    atomic.order = AtomicOrdering::AcquireRelease;
  else if (m.take("acquire"))
    atomic.order = AtomicOrdering::Acquire;
  else if (m.take("release"))
    atomic.order = AtomicOrdering::Release;
  else
    m.take("relaxed");
  atomic.scope = takeScope(l, m, "gpu");
  return atomic;
}

/// One element; gives what was there.
static Value *emitOne(Lifter &l, const Atomic &atomic,
                      AtomicRMWInst::BinOp operation, Value *pointer,
                      Value *value) {
  Align alignment(value->getType()->getPrimitiveSizeInBits() / 8);
  return l.b.CreateAtomicRMW(operation, pointer, value, alignment, atomic.order,
                             atomic.scope);
}

/// The elements of one operand: of a pair two.
static Value *emitElements(Lifter &l, const Atomic &atomic,
                           AtomicRMWInst::BinOp operation, Value *pointer,
                           Value *value) {
  if (!value->getType()->isVectorTy())
    return emitOne(l, atomic, operation, pointer, value);
  Value *old = PoisonValue::get(value->getType());
  Type *element = value->getType()->getScalarType();
  for (unsigned i : {0, 1}) {
    Value *place = i ? l.b.CreateGEP(element, pointer, l.b.getInt64(i)) //
                     : pointer;
    old = l.b.CreateInsertElement(old,
                                  emitOne(l, atomic, operation, place,
                                          l.b.CreateExtractElement(value, i)),
                                  i);
  }
  return old;
}

/// cas d, [a], compare, value
static bool liftCompareAndSwap(Lifter &l, const Atomic &atomic, Operands o) {
  if (o.size() < 4 || atomic.lanes > 1)
    return false;
  Type *type = l.integer(atomic.type.bits());
  AtomicOrdering failure =
      AtomicCmpXchgInst::getStrongestFailureOrdering(atomic.order);
  Value *result = l.b.CreateAtomicCmpXchg(
      l.getPointer(o[1], atomic.space), l.read(o[2], type), l.read(o[3], type),
      Align(atomic.type.bits() / 8), atomic.order, failure, atomic.scope);
  l.write(o[0], l.b.CreateExtractValue(result, 0));
  return true;
}

static bool emitAtomic(Lifter &l, const Atomic &atomic,
                       ArrayRef<Operand> results, const Operand &address,
                       Operands values) {
  auto operation = getOperation(atomic);
  if (!operation || values.size() != atomic.lanes ||
      (!results.empty() && results.size() != atomic.lanes))
    return false;
  Value *pointer = l.getPointer(address, atomic.space);
  for (auto [i, operand] : enumerate(values)) {
    Value *place =
        i ? l.b.CreateGEP(atomic.type.type, pointer, l.b.getInt64(i)) : pointer;
    Value *old = emitElements(l, atomic, *operation, place,
                              l.read(operand, atomic.type));
    if (!results.empty())
      l.write(results[i], old, atomic.type.isSigned);
  }
  return true;
}

/// atom d, [a], b[, c][, policy]
static bool liftAtomic(Lifter &l, Modifiers &m, Operands o) {
  auto atomic = takeAtomic(l, m);
  if (!atomic)
    return false;
  if (atomic->operation == "cas")
    return liftCompareAndSwap(l, *atomic, o);
  return emitAtomic(l, *atomic, getLanes(o[0]), o[1], getLanes(o[2]));
}

/// red [a], b[, policy]
static bool liftReduction(Lifter &l, Modifiers &m, Operands o) {
  if (m.take("async"))
    return liftReduceAsync(l, m, o);
  auto atomic = takeAtomic(l, m);
  return atomic && emitAtomic(l, *atomic, {}, o[0], getLanes(o[1]));
}

/// membar.{cta,gl,sys}, fence[.sc|.acq_rel|.acquire|.release].scope
static bool liftFence(Lifter &l, Modifiers &m, Operands o) {
  if (m.take("proxy") || m.has("mbarrier_init"))
    return liftProxyFence(l, m, o);
  m.takeOneOf({"sc", "acq_rel", "acquire", "release"});
  bool isGl = m.take("gl");
  SyncScope::ID scope = takeScope(l, m, isGl ? "gpu" : "sys");
  l.b.CreateFence(AtomicOrdering::SequentiallyConsistent, scope);
  return true;
}

ArrayRef<Instruction> getAtomicInstructions() {
  static const Instruction all[] = {
      {"atom", 3, 5, liftAtomic},
      {"red", 2, 3, liftReduction},
      {"membar", 0, 0, liftFence},
      {"fence", 0, 2, liftFence},
  };
  return all;
}

} // namespace tileir::sim::ptx
