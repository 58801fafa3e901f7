//===- DecodeAddresses.cpp ------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Addresses as base + offset: constant parts of getelementptr go to the
// accesses that use it, variable parts are multiply-adds.
//
//===----------------------------------------------------------------------===//

#include "Decode/DecodeInstructions.h"

#include "tileir/Simulator/DeviceMemory.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace tileir::sim {

/// Whether a user of a pointer takes its offset for free.
static bool addsOffset(const Use &use) {
  const User *user = use.getUser();
  unsigned operand = use.getOperandNo();
  if (isa<LoadInst, AddrSpaceCastInst, CallBase>(user))
    return true;
  if (isa<StoreInst>(user))
    return operand == StoreInst::getPointerOperandIndex();
  if (isa<GetElementPtrInst, AtomicRMWInst, AtomicCmpXchgInst>(user))
    return operand == 0 && !user->getType()->isVectorTy();
  return false;
}

Address Decoder::getAddress(const Value *pointer) {
  auto found = addresses.find(pointer);
  if (found != addresses.end())
    return found->second;
  // Constant addresses are offsets from zero: one register serves them all.
  if (auto *constant = dyn_cast<Constant>(pointer))
    return {getConstant(0, /*wide=*/true), int64_t(evaluate(constant))};
  return {useScalar(pointer), 0};
}

void Decoder::setAddress(const Instruction &instruction, Address address) {
  if (address.offset == 0)
    rename(instruction, address.base);
  else if (all_of(instruction.uses(), addsOffset))
    addresses[&instruction] = address;
  else
    rename(instruction, addOffset(address));
}

Register Decoder::addOffset(Address address) {
  if (address.base == getConstant(0, /*wide=*/true))
    return getConstant(address.offset, /*wide=*/true);
  Register sum = makeTemporary(/*wide=*/true);
  emit(Opcode::AddImm64, sum, address.base).imm = address.offset;
  return sum;
}

/// base + index * scale.
static Register addIndex(Decoder &decoder, Register base, const Value *index,
                         unsigned lane, int64_t scale) {
  index = getShortIndex(index);
  SmallVector<Register> registers = decoder.use(index);
  Register offset = registers[registers.size() == 1 ? 0 : lane];
  unsigned bits = index->getType()->getScalarSizeInBits();
  bool isWide = bits > 32;
  if (bits != 32 && bits != 64) {
    Register extended = decoder.makeTemporary(isWide);
    decoder
        .emit(isWide ? Opcode::SignExtend64 : Opcode::SignExtend32, extended,
              offset)
        .imm = bits;
    offset = extended;
  }
  Register sum = decoder.makeTemporary(/*wide=*/true);
  if (isWide && scale == 1)
    decoder.emit(Opcode::Add64, sum, base, offset);
  else
    decoder
        .emit(isWide ? Opcode::MulAdd64 : Opcode::MulAdd32, sum, base, offset)
        .imm = scale;
  return sum;
}

void decodeGetElementPtr(Decoder &decoder, GetElementPtrInst &gep) {
  const DataLayout &layout = decoder.getLayout();
  unsigned bits = layout.getIndexTypeSizeInBits(gep.getType());
  SmallMapVector<Value *, APInt, 4> scales;
  APInt constant(bits, 0);
  cast<GEPOperator>(gep).collectOffset(layout, bits, scales, constant);
  int64_t offset = constant.getSExtValue();

  auto *vector = dyn_cast<FixedVectorType>(gep.getType());
  if (!vector) {
    Address address = decoder.getAddress(gep.getPointerOperand());
    for (auto &[index, scale] : scales)
      address.base =
          addIndex(decoder, address.base, index, 0, scale.getSExtValue());
    address.offset += offset;
    return decoder.setAddress(gep, address);
  }
  SmallVector<Register> bases = decoder.use(gep.getPointerOperand());
  bases.resize(vector->getNumElements(), bases.front());
  for (auto [lane, base] : enumerate(bases)) {
    for (auto &[index, scale] : scales)
      base = addIndex(decoder, base, index, lane, scale.getSExtValue());
    if (offset)
      base = decoder.addOffset({base, offset});
  }
  decoder.rename(gep, bases);
}

/// GPUs have 512 KiB for a thread; the stack of functions that call themselves
/// comes to that.
constexpr uint64_t kMaxLocalBytes = 1 << 20;
static_assert(kMaxLocalBytes <= kLocalEnd - kLocalBase);

Address Decoder::makeLocal(uint64_t bytes, Align alignment) {
  uint64_t offset = alignTo(program.localBytes, alignment);
  if (bytes > kMaxLocalBytes || offset > kMaxLocalBytes - bytes) {
    fail("more local memory than " + Twine(kMaxLocalBytes >> 10) +
         " KiB a thread");
    offset = bytes = 0;
  }
  program.locals.push_back({uint32_t(offset), uint32_t(bytes), location});
  program.localBytes = offset + bytes;
  return {getConstant(0, /*wide=*/true), int64_t(kLocalBase + offset)};
}

/// Whether memory is only written and printed. Then one place is enough for an
/// alloca that runs often, as Triton makes one for each print in a loop.
static bool isOnlyPrinted(const Value &memory) {
  return all_of(memory.users(), [&](const User *user) {
    if (auto *store = dyn_cast<StoreInst>(user))
      return store->getValueOperand() != &memory;
    if (isa<GetElementPtrInst, AddrSpaceCastInst>(user))
      return isOnlyPrinted(*user);
    auto *call = dyn_cast<CallInst>(user);
    return call && call->getCalledFunction() &&
           call->getCalledFunction()->getName() == "vprintf";
  });
}

Error decodeAlloca(Decoder &decoder, AllocaInst &alloca) {
  auto bytes = alloca.getAllocationSize(decoder.getLayout());
  if (!bytes || !(alloca.isStaticAlloca() || isOnlyPrinted(alloca)))
    return decoder.unsupported(
        alloca, "alloca of a size that is only known when it runs");
  decoder.setAddress(
      alloca, decoder.makeLocal(bytes->getFixedValue(), alloca.getAlign()));
  return Error::success();
}

} // namespace tileir::sim
