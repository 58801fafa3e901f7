//===- SharedMemory.cpp ---------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counts wavefronts by ranks. The words that a group of lanes asks for are an
// affine space, which the low bits of the word map onto another one, the banks:
// each bank that is asked has 2^(rank of words - rank of banks) of them.
//
//===----------------------------------------------------------------------===//

#include "tileir/Layout/Shared/SharedMemory.h"

#include "../Core/BitSpan.h"
#include "LineBits.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tileir::layout;
using namespace llvm;

constexpr uint64_t kWordBytes = 4, kNumBanks = 32;

/// The bits of `offset` as those of the number of a word.
static uint64_t getWord(uint64_t offset, unsigned elementBits) {
  return offset * (elementBits / 8) / kWordBytes;
}

LinearLayout tileir::layout::getOffsets(const LinearLayout &registers,
                                        const LinearLayout &shared) {
  auto toOffset = shared.invert();
  assert(toOffset && "a layout of shared memory is one to one");
  return registers.compose(*toOffset);
}

std::optional<SharedAccess>
tileir::layout::getSharedAccess(const LinearLayout &registers,
                                const LinearLayout &shared,
                                unsigned elementBits, unsigned vector) {
  LinearLayout offsets = getOffsets(registers, shared);
  SharedAccess access;
  access.vector = vector;
  ArrayRef<uint64_t> registerOffsets = offsets.getBases(InDim::Register);
  for (uint64_t step = 1; step < vector; step *= 2) {
    const auto *found = find(registerOffsets, step);
    if (found == registerOffsets.end())
      return std::nullopt;
    access.vectorBits.push_back(found - registerOffsets.begin());
  }
  // No other bit may reorder or shift a vector.
  size_t numInVector = count_if(offsets.getColumns(), [&](uint64_t offset) {
    return offset & (vector - 1);
  });
  if (numInVector != access.vectorBits.size())
    return std::nullopt;
  access.accesses = registers.getSize(InDim::Register) / vector;

  unsigned numLaneBits = registers.getNumBits(InDim::Lane);
  unsigned numGroupBits =
      std::min(numLaneBits, getGroupLaneBits(vector * elementBits));
  BitSpan words, banks;
  auto ask = [&](uint64_t word) {
    words.insert(word);
    banks.insert(word % kNumBanks);
  };
  for (uint64_t offset : offsets.getBases(InDim::Lane).take_front(numGroupBits))
    ask(getWord(offset, elementBits));
  for (uint64_t word = 1; word < vector * elementBits / 8 / kWordBytes;
       word *= 2)
    ask(word);
  access.idealWavefronts = 1u << (numLaneBits - numGroupBits);
  access.wavefronts = access.idealWavefronts
                      << (words.getRank() - banks.getRank());
  return access;
}

SharedAccess tileir::layout::getWidestAccess(const LinearLayout &registers,
                                             const LinearLayout &shared,
                                             unsigned elementBits,
                                             unsigned maxVectorBits) {
  unsigned vector = std::max(maxVectorBits / elementBits, 1u);
  while (true) {
    if (auto access = getSharedAccess(registers, shared, elementBits, vector))
      return *access;
    assert(vector > 1 && "elements are vectors");
    vector /= 2;
  }
}

int64_t tileir::layout::getCopyLength(const LinearLayout &registers,
                                      unsigned axis, const LinearLayout &shared,
                                      unsigned elementBits) {
  SharedAccess access = getWidestAccess(registers, shared, elementBits);
  int64_t length = 1;
  for (auto [there, here] :
       zip(access.vectorBits, registers.getContiguousBits(axis))) {
    if (there != here)
      break;
    length *= 2;
  }
  return length;
}
