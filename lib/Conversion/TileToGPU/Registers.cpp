//===- Registers.cpp - Registers of a thread as values --------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Shuffles move words of 32 bits. What lies between elements and words is
// written as vectors of the one that are cast to vectors of the other, which
// cost nothing where registers hold them so anyway.
//
//===----------------------------------------------------------------------===//

#include "Registers.h"

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::layout;
using namespace tileir::to_gpu;

static constexpr unsigned kWordBits = 32;

Value to_gpu::createI32(OpBuilder &builder, Location loc, int32_t number) {
  return arith::ConstantOp::create(builder, loc,
                                   builder.getI32IntegerAttr(number));
}

Value to_gpu::pickRegisters(OpBuilder &builder, Location loc, Value vector,
                            ArrayRef<int64_t> numbers) {
  return builder.createOrFold<vector::ShuffleOp>(loc, vector, vector, numbers);
}

//===----------------------------------------------------------------------===//
// Shuffles
//===----------------------------------------------------------------------===//

/// Up to as many elements as a word holds, or one that takes several words.
static SmallVector<Value> emitShuffle(OpBuilder &builder, Location loc,
                                      ArrayRef<Value> registers,
                                      NVVM::ShflKind kind, Value lane) {
  Type element = registers.front().getType();
  unsigned bits = registers.size() * element.getIntOrFloatBitWidth();
  int64_t numWords = llvm::divideCeil(bits, kWordBits);
  auto getWords = [&](unsigned wordBits) {
    return VectorType::get(numWords, builder.getIntegerType(wordBits));
  };

  Value packed = packRegisters(builder, loc, registers);
  Type packedType = packed.getType();
  unsigned usedBits = std::min(bits, kWordBits);
  packed =
      builder.createOrFold<vector::BitCastOp>(loc, getWords(usedBits), packed);
  if (usedBits < kWordBits)
    packed = arith::ExtUIOp::create(builder, loc, getWords(kWordBits), packed);
  SmallVector<Value> words = unpackRegisters(builder, loc, packed);
  for (Value &word : words)
    word = NVVM::ShflOp::create(
        builder, loc, word.getType(), createI32(builder, loc, -1), word, lane,
        createI32(builder, loc, kWordBits - 1), kind, UnitAttr());
  packed = packRegisters(builder, loc, words);
  if (usedBits < kWordBits)
    packed = arith::TruncIOp::create(builder, loc, getWords(usedBits), packed);
  packed = builder.createOrFold<vector::BitCastOp>(loc, packedType, packed);
  return unpackRegisters(builder, loc, packed);
}

SmallVector<Value> to_gpu::emitShuffles(OpBuilder &builder, Location loc,
                                        ArrayRef<Value> registers,
                                        NVVM::ShflKind kind, Value lane) {
  // Bits are not packed, but bytes are.
  Type element = registers.front().getType();
  bool isBit = element.isInteger(1);
  llvm::MapVector<Value, Value> shuffled;
  for (Value value : registers)
    if (shuffled.insert({value, value}).second && isBit)
      shuffled[value] =
          arith::ExtUIOp::create(builder, loc, builder.getI8Type(), value);
  SmallVector<Value> values =
      llvm::to_vector(llvm::make_second_range(shuffled));

  unsigned bits = values.front().getType().getIntOrFloatBitWidth();
  size_t perWord = std::max(kWordBits / bits, 1u);
  auto *next = shuffled.begin();
  for (ArrayRef<Value> rest = values; !rest.empty();
       rest = rest.drop_front(std::min(perWord, rest.size())))
    for (Value value :
         emitShuffle(builder, loc, rest.take_front(perWord), kind, lane))
      (next++)->second =
          isBit ? arith::TruncIOp::create(builder, loc, element, value) : value;
  return llvm::map_to_vector(
      registers, [&](Value value) { return shuffled.lookup(value); });
}
