//===- LiftMemory.cpp -----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loads and stores. An access of a vector stays one access; cache hints are
// dropped. .relaxed, .acquire and .release become atomic accesses of LLVM.
//
//===----------------------------------------------------------------------===//

#include "PTX/LiftAccess.h"
#include "PTX/LiftBulk.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tileir::sim::ptx {

//===----------------------------------------------------------------------===//
// Space, order, scope
//===----------------------------------------------------------------------===//

std::optional<unsigned> takeSpace(Modifiers &m) {
  static const std::pair<StringRef, unsigned> spaces[] = {
      {"global", kGlobal},
      {"shared", kShared},
      {"shared::cta", kShared},
      {"local", kLocal},
      {"const", kConst}};
  for (auto [name, space] : spaces)
    if (m.take(name))
      return space;
  // An address of any rank, or one of the own block.
  if (m.take("shared::cluster"))
    return kGeneric;
  return kGeneric;
}

SyncScope::ID takeScope(Lifter &l, Modifiers &m, StringRef otherwise) {
  StringRef scope = m.takeOneOf({"cta", "cluster", "gpu", "sys"});
  if (scope.empty())
    scope = otherwise;
  if (scope == "sys")
    return SyncScope::System;
  return l.context.getOrInsertSyncScopeID(scope == "gpu"   ? "device"
                                          : scope == "cta" ? "block"
                                                           : "cluster");
}

unsigned takeLanes(Modifiers &m) {
  StringRef lanes = m.takeOneOf({"v2", "v4", "v8"});
  return lanes.empty() ? 1 : lanes[1] - '0';
}

ArrayRef<Operand> getLanes(const Operand &operand) {
  return operand.isList() ? ArrayRef(operand.elements) : ArrayRef(operand);
}

namespace {
/// A load or a store but for its operands.
struct Access {
  unsigned space = kGeneric, lanes = 1;
  ValueType type;
  bool isVolatile = false;
  AtomicOrdering order = AtomicOrdering::NotAtomic;
  SyncScope::ID scope = SyncScope::System;

  static std::optional<Access> take(Lifter &l, Modifiers &m);
  Align alignment(unsigned count) const {
    return Align(count * std::max(1u, type.bits() / 8));
  }
  Type *element(Lifter &l) const {
    return l.integer(std::max(8u, type.bits()));
  }
};
} // namespace

std::optional<Access> Access::take(Lifter &l, Modifiers &m) {
  Access access;
  auto space = takeSpace(m);
  m.takeCacheHints();
  access.lanes = takeLanes(m);
  auto type = m.takeType();
  if (!space || !type)
    return std::nullopt;
  access.space = *space;
  access.type = *type;
  StringRef order = m.takeOneOf(
      {"weak", "volatile", "mmio", "relaxed", "acquire", "release"});
  access.isVolatile = order == "volatile";
  m.take("relaxed"); // .mmio.relaxed
  if (order == "relaxed" || order == "mmio")
    access.order = AtomicOrdering::Monotonic;
  else if (order == "acquire")
    access.order = AtomicOrdering::Acquire;
  else if (order == "release")
    access.order = AtomicOrdering::Release;
  if (access.order != AtomicOrdering::NotAtomic)
    access.scope = takeScope(l, m, "sys");
  return access;
}

static Value *offsetBy(Lifter &l, Value *pointer, uint64_t bytes) {
  return bytes ? l.b.CreateGEP(l.b.getInt8Ty(), pointer, l.b.getInt64(bytes))
               : pointer;
}

//===----------------------------------------------------------------------===//
// Parameters
//===----------------------------------------------------------------------===//

Value *widenParameter(Lifter &l, Value *address) {
  const DataLayout &layout = l.module.getDataLayout();
  Type *narrow = l.b.getInt32Ty();
  for (Argument &parameter : l.getFunction().args()) {
    if (!parameter.hasByValAttr())
      continue;
    Value *begin = l.b.CreatePtrToInt(&parameter, l.b.getInt64Ty());
    Value *offset = l.b.CreateSub(l.b.CreateTrunc(address, narrow),
                                  l.b.CreateTrunc(begin, narrow));
    Value *isInside = l.b.CreateICmpULT(
        offset,
        l.b.getInt32(layout.getTypeAllocSize(parameter.getParamByValType())));
    address = l.b.CreateSelect(
        isInside,
        l.b.CreateAdd(begin, l.b.CreateZExt(offset, begin->getType())),
        address);
  }
  return address;
}

namespace {
/// What an access of .param means; neither: it is of another space.
struct Parameter {
  Value *value = nullptr;   ///< of a parameter that is no variable
  Value *pointer = nullptr; ///< generic
};
} // namespace

/// [name + offset], or [register + offset] where the address was computed.
static Parameter takeParameter(Lifter &l, Modifiers &m,
                               const Operand &address) {
  if (!m.take("param") && !m.take("param::entry") && !m.take("param::func"))
    return {};
  Operand base;
  base.kind = Operand::Kind::Name;
  base.name = address.name;
  if (unsigned bits = l.getRegisterBits(base)) {
    Value *whole =
        widenParameter(l, l.read(base, l.integer(bits == 32 ? 64 : bits)));
    Value *pointer = l.b.CreateIntToPtr(whole, l.b.getPtrTy(kGeneric));
    return {nullptr, offsetBy(l, pointer, address.offset)};
  }
  const Symbol *symbol = l.findSymbol(address.name);
  if (!symbol)
    l.fail("'" + address.name + "' is no parameter");
  else if (symbol->value)
    return {symbol->value, nullptr};
  return {nullptr, l.getPointer(address, kGeneric)};
}

/// A parameter that is no variable: its bytes from the offset on.
static bool loadValue(Lifter &l, const Access &access, Operands results,
                      Value *value, uint64_t offset) {
  uint64_t size = value->getType()->isPointerTy()
                      ? 64
                      : uint64_t(value->getType()->getPrimitiveSizeInBits());
  for (auto [i, result] : enumerate(results)) {
    uint64_t place = 8 * offset + i * access.type.bits();
    if (place + access.type.bits() > size)
      return l.fail("expected an access within the parameter");
    Value *bits = l.castBits(value, l.integer(size));
    l.write(result, l.castBits(l.b.CreateLShr(bits, place), access.element(l)),
            access.type.isSigned);
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Loads and stores
//===----------------------------------------------------------------------===//

static bool emitLoad(Lifter &l, const Access &access, Operands results,
                     Value *pointer) {
  Type *element = access.element(l);
  auto extend = [&](const Operand &result, Value *value) {
    l.write(result, value, access.type.isSigned);
  };
  if (results.size() != access.lanes)
    return l.fail("expected " + Twine(access.lanes) + " results, found " +
                  Twine(results.size()));
  if (access.lanes == 1 || access.order != AtomicOrdering::NotAtomic) {
    for (auto [i, result] : enumerate(results)) {
      Value *place = offsetBy(l, pointer, i * access.type.bits() / 8);
      LoadInst *load = l.b.CreateAlignedLoad(
          element, place, access.alignment(1), access.isVolatile);
      load->setAtomic(access.order, access.scope);
      extend(result, load);
    }
    return true;
  }
  auto *vector = FixedVectorType::get(element, access.lanes);
  Value *value = l.b.CreateAlignedLoad(
      vector, pointer, access.alignment(access.lanes), access.isVolatile);
  for (auto [i, result] : enumerate(results))
    extend(result, l.b.CreateExtractElement(value, i));
  return true;
}

/// ld, ldu. A second operand behind the address is a policy of caches.
static bool liftLoad(Lifter &l, Modifiers &m, Operands o) {
  if (o[1].kind != Operand::Kind::Address)
    return l.fail("expected an address in brackets");
  Parameter parameter = takeParameter(l, m, o[1]);
  auto access = Access::take(l, m);
  if (!access)
    return false;
  if (parameter.value)
    return loadValue(l, *access, getLanes(o[0]), parameter.value, o[1].offset);
  return emitLoad(l, *access, getLanes(o[0]),
                  parameter.pointer ? parameter.pointer
                                    : l.getPointer(o[1], access->space));
}

static bool liftStore(Lifter &l, Modifiers &m, Operands o) {
  if (o[0].kind != Operand::Kind::Address)
    return l.fail("expected an address in brackets");
  if (m.take("async"))
    return liftStoreAsync(l, m, o);
  Parameter parameter = takeParameter(l, m, o[0]);
  auto access = Access::take(l, m);
  if (!access || parameter.value)
    return false;
  Value *pointer =
      parameter.pointer ? parameter.pointer : l.getPointer(o[0], access->space);
  Operands values = getLanes(o[1]);
  Type *element = access->element(l);
  if (values.size() != access->lanes)
    return l.fail("expected " + Twine(access->lanes) + " values, found " +
                  Twine(values.size()));
  // Numbers and constants of a type, e.g. 0f3F800000 for .f32.
  auto readAs = [&](const Operand &operand) {
    return l.castBits(l.read(operand, access->type), element);
  };
  if (access->lanes == 1 || access->order != AtomicOrdering::NotAtomic) {
    for (auto [i, operand] : enumerate(values)) {
      StoreInst *store = l.b.CreateAlignedStore(
          readAs(operand), offsetBy(l, pointer, i * access->type.bits() / 8),
          access->alignment(1), access->isVolatile);
      store->setAtomic(access->order, access->scope);
    }
    return true;
  }
  Value *vector =
      PoisonValue::get(FixedVectorType::get(element, access->lanes));
  for (auto [i, operand] : enumerate(values))
    vector = l.b.CreateInsertElement(vector, readAs(operand), i);
  l.b.CreateAlignedStore(vector, pointer, access->alignment(access->lanes),
                         access->isVolatile);
  return true;
}

/// What only caches notice.
static bool liftHint(Lifter &, Modifiers &m, Operands) {
  while (!m.empty())
    m.takeFirst();
  return true;
}

ArrayRef<Instruction> getMemoryInstructions() {
  static const Instruction all[] = {
      {"ld", 2, 3, liftLoad},
      {"ldu", 2, 2, liftLoad},
      {"st", 2, 3, liftStore},
      {"prefetch", 1, 2, liftHint},
      {"prefetchu", 1, 2, liftHint},
      {"discard", 2, 2, liftHint},
      {"applypriority", 2, 2, liftHint},
  };
  return all;
}

} // namespace tileir::sim::ptx
