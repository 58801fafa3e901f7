//===- LayoutTesting.h - What tests of layouts share ------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Oracles that go through all places one by one, without algebra.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TEST_UNIT_LAYOUT_LAYOUTTESTING_H
#define TILEIR_TEST_UNIT_LAYOUT_LAYOUTTESTING_H

#include "tileir/Layout/Shared/SharedMemory.h"

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>

namespace tileir::layout {

inline std::string toString(const LinearLayout &layout) {
  std::string text;
  llvm::raw_string_ostream(text) << layout;
  return text;
}

/// A place by its three numbers.
struct Thread {
  uint64_t reg, lane, warp;
};

template <typename Visit>
void forEachPlace(const LinearLayout &layout, Visit visit) {
  for (uint64_t warp = 0; warp < layout.getSize(InDim::Warp); ++warp)
    for (uint64_t lane = 0; lane < layout.getSize(InDim::Lane); ++lane)
      for (uint64_t reg = 0; reg < layout.getSize(InDim::Register); ++reg)
        visit(Thread{reg, lane, warp});
}

/// The element number at a place, by adding up bases along each axis.
inline uint64_t elementAt(const LinearLayout &layout, Thread place) {
  Coordinate sum(layout.getRank(), 0);
  const std::pair<InDim, uint64_t> parts[] = {{InDim::Register, place.reg},
                                              {InDim::Lane, place.lane},
                                              {InDim::Warp, place.warp}};
  for (auto [in, value] : parts)
    for (unsigned bit = 0; bit < layout.getNumBits(in); ++bit)
      if (value >> bit & 1) {
        Coordinate basis = layout.getBasis(in, bit);
        for (unsigned axis = 0; axis < sum.size(); ++axis)
          sum[axis] ^= basis[axis];
      }
  uint64_t element = 0;
  for (unsigned axis = 0; axis < sum.size(); ++axis)
    element = element * layout.getShape()[axis] + sum[axis];
  return element;
}

inline unsigned countElements(const LinearLayout &layout) {
  unsigned count = 1;
  for (int64_t size : layout.getShape())
    count *= size;
  return count;
}

/// Bases at random, such that each element has a place. One in four is 0 if
/// there are bits to spare.
inline LinearLayout makeRandom(std::mt19937 &random,
                               llvm::ArrayRef<int64_t> shape,
                               unsigned registerBits, unsigned laneBits,
                               unsigned warpBits) {
  while (true) {
    LinearLayout layout(shape);
    uint64_t count = countElements(layout);
    bool isSparse =
        (uint64_t(1) << (registerBits + laneBits + warpBits)) > count;
    auto add = [&](InDim in, unsigned bits) {
      for (unsigned bit = 0; bit < bits; ++bit)
        layout.addBasis(in,
                        isSparse && random() % 4 == 0 ? 0 : random() % count);
    };
    add(InDim::Register, registerBits);
    add(InDim::Lane, laneBits);
    add(InDim::Warp, warpBits);
    std::set<uint64_t> elements;
    forEachPlace(layout,
                 [&](Thread p) { elements.insert(elementAt(layout, p)); });
    if (elements.size() == count)
      return layout;
  }
}

/// Bases that are single bits in random order, and 0 for those to spare.
inline LinearLayout makeRandomPermutation(std::mt19937 &random,
                                          llvm::ArrayRef<int64_t> shape,
                                          unsigned registerBits,
                                          unsigned laneBits,
                                          unsigned warpBits) {
  LinearLayout layout(shape);
  llvm::SmallVector<uint64_t> bases(registerBits + laneBits + warpBits, 0);
  for (unsigned bit = 0; (1u << bit) < countElements(layout); ++bit)
    bases[bit] = 1u << bit;
  std::shuffle(bases.begin(), bases.end(), random);
  auto take = [&](InDim in, unsigned bits) {
    for (unsigned bit = 0; bit < bits; ++bit)
      layout.addBasis(in, bases.pop_back_val());
  };
  take(InDim::Register, registerBits);
  take(InDim::Lane, laneBits);
  take(InDim::Warp, warpBits);
  return layout;
}

/// Where each element lies in shared memory, by going through all offsets.
inline std::map<uint64_t, uint64_t> findOffsets(const LinearLayout &shared) {
  std::map<uint64_t, uint64_t> offsets;
  for (uint64_t offset = 0; offset < shared.getSize(InDim::Offset); ++offset) {
    uint64_t element = 0;
    for (unsigned bit = 0; bit < shared.getNumBits(InDim::Offset); ++bit)
      if (offset >> bit & 1)
        element ^= shared.getBases(InDim::Offset)[bit];
    offsets[element] = offset;
  }
  return offsets;
}

/// The wavefronts of the access of one warp to the vectors that begin at byte
/// addresses, one per lane.
inline unsigned countWavefronts(llvm::ArrayRef<uint64_t> addresses,
                                unsigned bytes) {
  size_t group = bytes <= 4 ? 32 : 128 / bytes;
  unsigned wavefronts = 0;
  for (size_t first = 0; first < addresses.size(); first += group) {
    std::map<uint64_t, std::set<uint64_t>> wordsOfBank;
    for (size_t lane = first; lane < std::min(first + group, addresses.size());
         ++lane)
      for (uint64_t byte = 0; byte < bytes; ++byte) {
        uint64_t word = (addresses[lane] + byte) / 4;
        wordsOfBank[word % 32].insert(word);
      }
    size_t most = 0;
    for (auto &[bank, words] : wordsOfBank)
      most = std::max(most, words.size());
    wavefronts += most;
  }
  return wavefronts;
}

} // namespace tileir::layout

#endif // TILEIR_TEST_UNIT_LAYOUT_LAYOUTTESTING_H
