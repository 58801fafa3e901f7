//===- DecodeInstructions.h -------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of the decoder: one function for each family of LLVM instructions.
// Calls are in DecodeCalls.h.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_DECODE_DECODEINSTRUCTIONS_H
#define TILEIR_LIB_SIMULATOR_DECODE_DECODEINSTRUCTIONS_H

#include "Decode/Decoder.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/IntrinsicInst.h"

#include <optional>
#include <vector>

namespace tileir::sim {

/// The blocks that can be reached, each before those it dominates and every
/// block of a loop before those that the loop leads to: the smallest program
/// counter is where divergent lanes meet again (DecodeControl.cpp).
std::vector<llvm::BasicBlock *> orderBlocks(llvm::Function &kernel);

// DecodeArithmetic.cpp
void decodeBinary(Decoder &decoder, llvm::BinaryOperator &operation);
void decodeNegation(Decoder &decoder, llvm::UnaryOperator &operation);
void decodeCompare(Decoder &decoder, llvm::CmpInst &compare);
void decodeSelect(Decoder &decoder, llvm::SelectInst &select);

// DecodeCasts.cpp
void decodeCast(Decoder &decoder, llvm::CastInst &cast);
/// An index of getelementptr, or the 32-bit one that it extends: MulAdd32
/// extends as well.
const llvm::Value *getShortIndex(const llvm::Value *index);

/// The bits of each scalar of a type (DecodeBits.cpp).
llvm::SmallVector<unsigned> getBits(llvm::Type *type);

// DecodeWideIntegers.cpp

/// Whether an instruction computes with integers of more than 64 bits, rather
/// than hands them on.
bool isWideOperation(const llvm::Instruction &instruction);
llvm::Error decodeWideOperation(Decoder &decoder,
                                llvm::Instruction &instruction);

// DecodeElements.cpp: parts of vectors, structs and arrays.
void decodeExtractElement(Decoder &decoder, llvm::ExtractElementInst &extract);
void decodeInsertElement(Decoder &decoder, llvm::InsertElementInst &insert);
void decodeShuffle(Decoder &decoder, llvm::ShuffleVectorInst &shuffle);
void decodeExtractValue(Decoder &decoder, llvm::ExtractValueInst &extract);
void decodeInsertValue(Decoder &decoder, llvm::InsertValueInst &insert);

// DecodeAddresses.cpp
void decodeGetElementPtr(Decoder &decoder, llvm::GetElementPtrInst &gep);
llvm::Error decodeAlloca(Decoder &decoder, llvm::AllocaInst &alloca);

/// A scalar or vector within a type that lies in memory.
struct TypePart {
  llvm::Type *type;
  uint64_t offset;
};
/// The scalars and vectors of structs and arrays in order (DecodeValues.cpp).
llvm::SmallVector<TypePart>
getParts(llvm::Type *type, const llvm::DataLayout &layout, uint64_t offset = 0);

// DecodeMemory.cpp
void decodeLoad(Decoder &decoder, llvm::LoadInst &load);
void decodeStore(Decoder &decoder, llvm::StoreInst &store);
/// llvm.masked.load with a constant mask.
llvm::Error decodeMaskedLoad(Decoder &decoder, llvm::IntrinsicInst &call);
/// memcpy, memmove and memset of a constant number of bytes.
llvm::Error decodeMemoryIntrinsic(Decoder &decoder, llvm::MemIntrinsic &call);

// DecodeAtomics.cpp
llvm::Error decodeAtomicRmw(Decoder &decoder, llvm::AtomicRMWInst &atomic);
llvm::Error decodeCompareExchange(Decoder &decoder,
                                  llvm::AtomicCmpXchgInst &atomic);
llvm::Error decodeFence(Decoder &decoder, llvm::FenceInst &fence);
/// Fills in order and scope of an atomic access; an error for scopes that PTX
/// does not have.
void setOrder(Decoder &decoder, const llvm::Instruction &instruction,
              llvm::AtomicOrdering order, llvm::SyncScope::ID scope,
              Access &access);

/// The value of a scalar constant as bits: numbers, addresses, and expressions
/// of them. `resolve` gives the addresses of global variables. Nothing: not a
/// constant that can be known (ConstantValues.cpp).
std::optional<uint64_t> evaluateConstant(
    const llvm::Constant *constant, const llvm::DataLayout &layout,
    llvm::function_ref<std::optional<uint64_t>(const llvm::GlobalValue &)>
        resolve);

/// The elements of a constant struct, array or vector. Nothing: they cannot be
/// known.
std::optional<llvm::SmallVector<const llvm::Constant *>>
getElements(const llvm::Constant *constant, const llvm::DataLayout &layout);

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_DECODE_DECODEINSTRUCTIONS_H
