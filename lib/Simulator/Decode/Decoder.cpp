//===- Decoder.cpp --------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The frame of decoding: from instruction to instruction, source locations,
// errors, and what is known of the program once all is decoded.
//
//===----------------------------------------------------------------------===//

#include "Decode/Decoder.h"

#include "Decode/DecodeInstructions.h"
#include "Load/LoadModule.h"
#include "PTX/Lifter.h"

#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"

using namespace llvm;

namespace tileir::sim {

Decoder::Decoder(Function &kernel, const StringMap<uint64_t> &globals,
                 Program &program)
    : program(program),
      flushesF32(kernel.getDenormalMode(APFloat::IEEEsingle()).Output ==
                 DenormalMode::PreserveSign),
      kernel(kernel), globals(globals), layout(kernel.getDataLayout()) {
  program.kernel = kernel.getName().str();
  program.locations.push_back({});
}

Error Decoder::run() {
  layOutShared();
  std::vector<llvm::BasicBlock *> order = orderBlocks(kernel);
  for (llvm::BasicBlock *block : order)
    if (!block->getUniquePredecessor())
      for (PHINode &phi : block->phis())
        define(phi);
  for (llvm::BasicBlock *block : order) {
    location = getLocation(block->front().getDebugLoc());
    firsts[block] = program.code.size();
    beginBlock();
    for (Instruction &instruction : *block)
      if (Error error = decode(instruction))
        return error;
  }
  patchTargets();
  finish();
  allocateRegisters(program, wide);
  compact(program);
  markBehindBarriers(program);
  return Error::success();
}

Error Decoder::decode(Instruction &instruction) {
  if (Error error = checkTypes(instruction))
    return error;
  location = getLocation(instruction.getDebugLoc());
  if (!location && instruction.mayReadOrWriteMemory())
    location = getNearestLocation(instruction);
  size_t first = program.code.size();
  if (Error error = decodeOperation(instruction))
    return error;
  if (!failure.empty())
    return makeError(instruction, failure);
  // A part of what was one instruction of PTX.
  if (instruction.hasMetadataOtherThanDebugLoc() &&
      instruction.getMetadata(ptx::kPartName))
    markParts(first);
  return Error::success();
}

/// Calls that stand for nothing that a program does.
static bool isNothing(const CallBase &call) {
  switch (call.getIntrinsicID()) {
  case Intrinsic::lifetime_start:
  case Intrinsic::lifetime_end:
  case Intrinsic::invariant_end:
  case Intrinsic::assume:
  case Intrinsic::dbg_assign:
  case Intrinsic::dbg_declare:
  case Intrinsic::dbg_label:
  case Intrinsic::dbg_value:
  case Intrinsic::donothing:
  case Intrinsic::sideeffect:
  case Intrinsic::pseudoprobe:
  case Intrinsic::var_annotation:
  case Intrinsic::experimental_noalias_scope_decl:
  case Intrinsic::stackrestore:
    return true;
  default:
    return false;
  }
}

static Error decodeAnyCall(Decoder &decoder, CallBase &call) {
  if (auto *memory = dyn_cast<MemIntrinsic>(&call))
    return decodeMemoryIntrinsic(decoder, *memory);
  if (call.getIntrinsicID() == Intrinsic::masked_load)
    return decodeMaskedLoad(decoder, cast<IntrinsicInst>(call));
  // Marks of code that nothing reads.
  if (call.getIntrinsicID() == Intrinsic::stacksave ||
      call.getIntrinsicID() == Intrinsic::invariant_start) {
    decoder.rename(call, decoder.getConstant(0, /*wide=*/true));
    return Error::success();
  }
  // The address of a parameter in its own address space.
  if (call.getIntrinsicID() == Intrinsic::nvvm_internal_addrspace_wrap) {
    decoder.setAddress(call, decoder.getAddress(call.getArgOperand(0)));
    return Error::success();
  }
  Expected<bool> known = decodeCall(decoder, call);
  if (!known)
    return known.takeError();
  if (*known)
    return Error::success();
  const Function *callee = call.getCalledFunction();
  return decoder.makeError(
      call, Twine("cannot simulate ") +
                (callee->isIntrinsic() ? "intrinsic" : "a call of") + " '" +
                callee->getName() +
                "': expected one that docs/simulator.md lists");
}

Error Decoder::decodeOperation(Instruction &instruction) {
  if (isWideOperation(instruction))
    return decodeWideOperation(*this, instruction);
  if (isa<BinaryOperator>(instruction))
    decodeBinary(*this, cast<BinaryOperator>(instruction));
  else if (isa<UnaryOperator>(instruction))
    decodeNegation(*this, cast<UnaryOperator>(instruction));
  else if (isa<CmpInst>(instruction))
    decodeCompare(*this, cast<CmpInst>(instruction));
  else if (isa<CastInst>(instruction))
    decodeCast(*this, cast<CastInst>(instruction));
  else if (isa<SelectInst>(instruction))
    decodeSelect(*this, cast<SelectInst>(instruction));
  else if (isa<ExtractElementInst>(instruction))
    decodeExtractElement(*this, cast<ExtractElementInst>(instruction));
  else if (isa<InsertElementInst>(instruction))
    decodeInsertElement(*this, cast<InsertElementInst>(instruction));
  else if (isa<ShuffleVectorInst>(instruction))
    decodeShuffle(*this, cast<ShuffleVectorInst>(instruction));
  else if (isa<ExtractValueInst>(instruction))
    decodeExtractValue(*this, cast<ExtractValueInst>(instruction));
  else if (isa<InsertValueInst>(instruction))
    decodeInsertValue(*this, cast<InsertValueInst>(instruction));
  else if (isa<FreezeInst>(instruction))
    rename(instruction, use(instruction.getOperand(0)));
  else if (isa<GetElementPtrInst>(instruction))
    decodeGetElementPtr(*this, cast<GetElementPtrInst>(instruction));
  else if (isa<AllocaInst>(instruction))
    return decodeAlloca(*this, cast<AllocaInst>(instruction));
  else if (isa<LoadInst>(instruction))
    decodeLoad(*this, cast<LoadInst>(instruction));
  else if (isa<StoreInst>(instruction))
    decodeStore(*this, cast<StoreInst>(instruction));
  else if (isa<AtomicRMWInst>(instruction))
    return decodeAtomicRmw(*this, cast<AtomicRMWInst>(instruction));
  else if (isa<AtomicCmpXchgInst>(instruction))
    return decodeCompareExchange(*this, cast<AtomicCmpXchgInst>(instruction));
  else if (isa<FenceInst>(instruction))
    return decodeFence(*this, cast<FenceInst>(instruction));
  else if (isa<CallInst>(instruction))
    return isNothing(cast<CallInst>(instruction))
               ? Error::success()
               : decodeAnyCall(*this, cast<CallInst>(instruction));
  else if (isa<PHINode>(instruction))
    renamePhi(cast<PHINode>(instruction));
  else if (isa<ReturnInst, BranchInst, SwitchInst, UnreachableInst>(
               instruction))
    decodeTerminator(instruction);
  else
    return unsupported(instruction,
                       Twine("'") + instruction.getOpcodeName() + "'");
  return Error::success();
}

//===----------------------------------------------------------------------===//
// Types that can be simulated
//===----------------------------------------------------------------------===//

constexpr unsigned kMaxIntegerBits = 1024;

/// Whether a type is a vector of what is computed with in parts.
static bool hasWideElements(const Type *type) {
  return type->isVectorTy() && type->getScalarType()->isIntegerTy() &&
         type->getScalarSizeInBits() > 64;
}

bool Decoder::isSimulated(Type *type) {
  auto [entry, isNew] = simulated.try_emplace(type, true);
  if (!isNew)
    return entry->second;
  bool result = false;
  if (auto *integer = dyn_cast<IntegerType>(type))
    result = integer->getBitWidth() <= kMaxIntegerBits;
  else if (isa<FixedVectorType>(type))
    result = isSimulated(type->getScalarType());
  else if (isa<StructType, ArrayType>(type))
    result = all_of(type->subtypes(), [&](Type *t) {
      return isSimulated(t) && !hasWideElements(t);
    });
  else
    result = type->isVoidTy() || type->isPointerTy() || type->isHalfTy() ||
             type->isBFloatTy() || type->isFloatTy() || type->isDoubleTy();
  return simulated[type] = result;
}

/// Whether an instruction only moves the elements of vectors, which may then
/// have more than 64 bits.
static bool movesElements(const Instruction &instruction) {
  return isa<BitCastInst, ExtractElementInst, InsertElementInst,
             ShuffleVectorInst, PHINode, FreezeInst>(instruction);
}

Error Decoder::checkTypes(const Instruction &instruction) {
  auto isGood = [&](Type *type) {
    return isSimulated(type) &&
           (!hasWideElements(type) || movesElements(instruction));
  };
  Type *bad = isGood(instruction.getType()) ? nullptr : instruction.getType();
  for (const Value *operand : instruction.operand_values())
    if (!isa<llvm::BasicBlock, MetadataAsValue, InlineAsm>(operand) &&
        !isGood(operand->getType()))
      bad = operand->getType();
  if (!bad)
    return Error::success();
  std::string text;
  raw_string_ostream(text) << "type '" << *bad << "'";
  return unsupported(instruction, text);
}

//===----------------------------------------------------------------------===//
// Locations and errors
//===----------------------------------------------------------------------===//

uint32_t Decoder::getLocation(const DebugLoc &debugLoc) {
  const DILocation *source = debugLoc.get();
  if (!source || !source->getLine())
    return 0;
  auto [entry, isNew] = locations.try_emplace(source, program.locations.size());
  if (isNew)
    program.locations.push_back(getSource(*source));
  return entry->second;
}

uint32_t Decoder::getNearestLocation(const Instruction &instruction) {
  // The calls that an instruction without a line was inlined by have lines.
  for (const DILocation *at = instruction.getDebugLoc().get(); at;
       at = at->getInlinedAt())
    if (uint32_t found = getLocation(at))
      return found;
  for (const Instruction *before = instruction.getPrevNode(); before;
       before = before->getPrevNode())
    if (uint32_t found = getLocation(before->getDebugLoc()))
      return found;
  for (const Instruction *behind = instruction.getNextNode(); behind;
       behind = behind->getNextNode())
    if (uint32_t found = getLocation(behind->getDebugLoc()))
      return found;
  return 0;
}

Error Decoder::makeError(const Instruction &instruction, const Twine &message) {
  const DILocation *source = instruction.getDebugLoc().get();
  std::string where = source && source->getLine()
                          ? getSource(*source).str()
                          : ("kernel '" + kernel.getName() + "'").str();
  return createStringError(where + ": " + message);
}

Error Decoder::unsupported(const Instruction &instruction, const Twine &what) {
  std::string text;
  raw_string_ostream(text) << instruction;
  return makeError(instruction,
                   "cannot simulate " + what + ": " + StringRef(text).trim());
}

void Decoder::fail(const Twine &message) {
  if (failure.empty())
    failure = message.str();
}

//===----------------------------------------------------------------------===//
// Emission
//===----------------------------------------------------------------------===//

Instr &Decoder::emit(Opcode opcode, Register dst, Register a, Register b,
                     Register c, int64_t imm) {
  Instr &instr = program.code.emplace_back();
  instr.opcode = opcode;
  instr.dst = dst;
  instr.a = a;
  instr.b = b;
  instr.c = c;
  instr.imm = imm;
  instr.location = location;
  return instr;
}

Instr &Decoder::emitList(Opcode opcode, ArrayRef<Register> defs,
                         ArrayRef<Register> uses) {
  Instr &instr = emit(opcode);
  instr.list = program.pool.size();
  instr.numDefs = defs.size();
  instr.numUses = uses.size();
  append_range(program.pool, defs);
  append_range(program.pool, uses);
  return instr;
}

Instr &Decoder::emitAccess(const Access &access, Address address,
                           ArrayRef<Register> defs, ArrayRef<Register> uses) {
  Instr &instr = emitList(access.opcode, defs, uses);
  instr.a = address.base;
  instr.imm = address.offset;
  instr.extra = program.accesses.size();
  program.accesses.push_back(access);
  program.accesses.back().instr = program.code.size() - 1;
  return instr;
}

/// The granules of shadows, the groups of stores, and whether there are fences.
void Decoder::finish() {
  auto shrink = [](uint32_t &granule, uint32_t bytes) {
    granule = std::min(granule, bytes);
  };
  for (const Access &access : program.accesses) {
    bool isGeneric = access.space == Space::Generic;
    if (isGeneric || access.space == Space::Shared)
      shrink(program.sharedGranule, access.bytes);
    if (isGeneric || access.space == Space::Global ||
        access.opcode == Opcode::CpAsync)
      shrink(program.globalGranule, access.bytes);
    program.usesFences |= access.isAtomic && access.space != Space::Shared;
    program.numStoredGroups =
        std::max(program.numStoredGroups, access.storedGroup + 1);
  }
  for (const Instr &instr : program.code)
    program.usesFences |=
        instr.opcode == Opcode::Fence && instr.imm != int64_t(Scope::Block);
}

} // namespace tileir::sim
