//===- Conversion.cpp - From one layout to another ------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// `src.invertAndCompose(dst)` tells for each register, lane and warp of dst
// from which register, lane and warp of src it comes. Within a warp:
//
//     source lane     = A register + B lane + G warp
//     source register = C register + D lane + H warp
//
// In round r, a lane takes register r + F lane, from the lane
// A r + (B + A F) lane + G warp. F is chosen such that B + A F is invertible if
// that is possible: then each lane is read by one other, and what it offers,
// C r + (D + C F) lane + H warp of the lane that reads, is a linear function of
// itself. (If it is not invertible, lanes that read from the same one have to
// want the same register.)
//
//===----------------------------------------------------------------------===//

#include "tileir/Layout/Shared/Conversion.h"

#include "../Core/BitSpan.h"

#include "llvm/ADT/STLExtras.h"

using namespace tileir::layout;
using namespace llvm;

namespace {
/// Images of the bits of `in`, in the source's registers, lanes, ...
struct Sources {
  Sources(const LinearLayout &map, InDim in) {
    for (unsigned bit = 0; bit < map.getNumBits(in); ++bit) {
      Coordinate place = map.getBasis(in, bit);
      for (InDim to : kInDims)
        of[unsigned(to)].push_back(place[unsigned(to)]);
    }
  }
  ArrayRef<uint64_t> get(InDim to) const { return of[unsigned(to)]; }
  /// Bit i goes to bit i.
  bool isIdentity(InDim to) const {
    return all_of(enumerate(get(to)), [](auto entry) {
      return entry.value() == uint64_t(1) << entry.index();
    });
  }
  bool isZero(InDim to) const {
    return all_of(get(to), [](uint64_t image) { return image == 0; });
  }

private:
  std::array<SmallVector<uint64_t>, kNumInDims> of;
};
} // namespace

/// The rounds of shuffles, or none if lanes disagree on what one has to offer.
static std::optional<LinearLayout> planRounds(const LinearLayout &src,
                                              const LinearLayout &dst,
                                              const Sources &ofRegister,
                                              const Sources &ofLane,
                                              const Sources &ofWarp) {
  ArrayRef<uint64_t> a = ofRegister.get(InDim::Lane),
                     c = ofRegister.get(InDim::Register),
                     g = ofWarp.get(InDim::Lane),
                     h = ofWarp.get(InDim::Register);
  // B + A F and D + C F, by columns; F has one register bit per lane bit.
  SmallVector<uint64_t> f(src.getNumBits(InDim::Lane), 0),
      lanes(ofLane.get(InDim::Lane)), registers(ofLane.get(InDim::Register));
  BitSpan reached;
  SmallVector<unsigned> dependent;
  for (auto [bit, lane] : enumerate(lanes))
    if (!reached.insert(lane))
      dependent.push_back(bit);
  for (unsigned bit : dependent)
    for (unsigned r = 0; r < a.size(); ++r)
      if (reached.insert(lanes[bit] ^ a[r])) {
        f[bit] = uint64_t(1) << r;
        lanes[bit] ^= a[r];
        registers[bit] ^= c[r];
        break;
      }

  // K with K (B + A F) = D + C F, by columns; lanes that nobody reads offer
  // anything.
  BitSpan readers(lanes);
  for (auto [bit, lane] : enumerate(lanes)) {
    uint64_t same = *readers.solve(lane);
    if (sumOf(registers, same) != registers[bit])
      return std::nullopt;
  }
  for (unsigned bit = 0; bit < lanes.size(); ++bit)
    readers.insert(uint64_t(1) << bit);
  SmallVector<uint64_t> k;
  for (unsigned bit = 0; bit < lanes.size(); ++bit)
    k.push_back(sumOf(registers, *readers.solve(uint64_t(1) << bit)));

  LinearLayout rounds({int64_t(src.getSize(InDim::Register)),
                       int64_t(src.getSize(InDim::Lane)),
                       int64_t(dst.getSize(InDim::Register))});
  auto add = [&](InDim in, uint64_t offered, uint64_t lane, uint64_t taken) {
    rounds.addBasis(in, {int32_t(offered), int32_t(lane), int32_t(taken)});
  };
  for (unsigned r = 0; r < a.size(); ++r)
    add(InDim::Register, c[r] ^ sumOf(k, a[r]), a[r], uint64_t(1) << r);
  for (unsigned bit = 0; bit < lanes.size(); ++bit)
    add(InDim::Lane, k[bit], lanes[bit], f[bit]);
  for (unsigned bit = 0; bit < g.size(); ++bit)
    add(InDim::Warp, h[bit] ^ sumOf(k, g[bit]), g[bit], 0);
  return rounds;
}

std::optional<ConversionPlan>
tileir::layout::planConversion(const LinearLayout &src, const LinearLayout &dst,
                               unsigned elementBits,
                               MatrixInstructions matrices) {
  for (InDim in : {InDim::Lane, InDim::Warp, InDim::Block}) {
    assert(src.getNumBits(in) == dst.getNumBits(in) && "expects one machine");
    (void)in;
  }
  LinearLayout map = src.invertAndCompose(dst);
  Sources ofRegister(map, InDim::Register), ofLane(map, InDim::Lane),
      ofWarp(map, InDim::Warp), ofBlock(map, InDim::Block);
  if (!ofRegister.isZero(InDim::Block) || !ofLane.isZero(InDim::Block) ||
      !ofWarp.isZero(InDim::Block) || !ofBlock.isIdentity(InDim::Block) ||
      !ofBlock.isZero(InDim::Warp) || !ofBlock.isZero(InDim::Lane) ||
      !ofBlock.isZero(InDim::Register))
    return std::nullopt;

  ConversionPlan plan;
  bool staysInWarp = ofRegister.isZero(InDim::Warp) &&
                     ofLane.isZero(InDim::Warp) &&
                     ofWarp.isIdentity(InDim::Warp);
  bool staysInLane = staysInWarp && ofRegister.isZero(InDim::Lane) &&
                     ofLane.isIdentity(InDim::Lane) &&
                     ofWarp.isZero(InDim::Lane);
  if (staysInLane && ofLane.isZero(InDim::Register) &&
      ofWarp.isZero(InDim::Register)) {
    if (ofRegister.isIdentity(InDim::Register) &&
        src.getNumBits(InDim::Register) == dst.getNumBits(InDim::Register))
      return plan;
    plan.kind = ConversionPlan::Kind::Registers;
    plan.registers = LinearLayout({int64_t(src.getSize(InDim::Register))});
    plan.registers.setBases(InDim::Register, ofRegister.get(InDim::Register));
    return plan;
  }
  if (staysInWarp)
    if (auto rounds = planRounds(src, dst, ofRegister, ofLane, ofWarp)) {
      plan.kind = ConversionPlan::Kind::Shuffles;
      plan.rounds = *rounds;
      return plan;
    }
  plan.kind = ConversionPlan::Kind::SharedMemory;
  plan.swizzle = chooseSwizzle(src, dst, elementBits, kMaxAccessBits, matrices);
  return plan;
}

bool tileir::layout::isButterfly(const LinearLayout &rounds) {
  for (unsigned bit = 0; bit < rounds.getNumBits(InDim::Lane); ++bit)
    if (rounds.getBasis(InDim::Lane, bit)[kFromLane] != 1 << bit)
      return false;
  for (unsigned bit = 0; bit < rounds.getNumBits(InDim::Warp); ++bit)
    if (rounds.getBasis(InDim::Warp, bit)[kFromLane] != 0)
      return false;
  return true;
}

uint64_t tileir::layout::countShuffles(const LinearLayout &rounds,
                                       unsigned elementBits) {
  BitSpan lanes;
  for (unsigned bit = 0; bit < rounds.getNumBits(InDim::Register); ++bit)
    lanes.insert(rounds.getBasis(InDim::Register, bit)[kFromLane]);
  uint64_t groups = uint64_t(1) << lanes.getRank();
  uint64_t words =
      divideCeil(rounds.getSize(InDim::Register) / groups * elementBits, 32);
  // A lane needs none to take what it has.
  return (groups - isButterfly(rounds)) * words;
}

ConversionCost tileir::layout::getConversionCost(const ConversionPlan &plan,
                                                 const LinearLayout &src,
                                                 unsigned elementBits) {
  ConversionCost cost;
  if (plan.kind == ConversionPlan::Kind::Shuffles) {
    cost.shuffles = countShuffles(plan.rounds, elementBits);
    cost.shuffledElements = cost.shuffles * std::max(32 / elementBits, 1u);
  }
  if (plan.kind != ConversionPlan::Kind::SharedMemory)
    return cost;
  // Of warps that hold the same, the first one writes.
  double writers = 1.0 / (1 << popcount(src.getFreeBits(InDim::Warp)));
  const auto &[shared, write, read] = *plan.swizzle;
  cost.write = {writers * write.accesses, writers * write.getTotalWavefronts()};
  cost.read = {double(read.accesses), double(read.getTotalWavefronts())};
  return cost;
}
