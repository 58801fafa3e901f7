//===- Warpgroup.cpp - Products of warpgroups -----------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// PTX ISA, "setmaxnreg" and "Asynchronous warpgroup level matrix instructions".
//
//===----------------------------------------------------------------------===//

#include "tileir/Layout/Fragments/Warpgroup.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace tileir;
using namespace tileir::layout;

/// What the copies need, and the most that a thread may ask for.
static constexpr int64_t kCopyRegisters = 24, kMaxRegisters = 240;

RoleRegisters layout::getRoleRegisters(int64_t groups) {
  // Each thread begins with an equal share, in multiples of 8.
  int64_t share = llvm::alignDown(
      uint64_t(kAllRegisters / ((groups + 1) * kGroupWarps * 32)), 8);
  int64_t rest = (share * (groups + 1) - kCopyRegisters) / groups;
  return {std::min<int64_t>(kMaxRegisters, llvm::alignDown(uint64_t(rest), 8)),
          kCopyRegisters};
}

/// The failure reason why a thread has too few registers for `count` sums of a
/// block, or an empty text.
static std::string checkSums(const TileSizes &block, unsigned accBits,
                             int64_t count) {
  int64_t ofSum = block.n * accBits / 64;
  int64_t ofThread = getRoleRegisters(block.m / kGroupRows).product;
  if (count * ofSum + kOtherRegisters <= ofThread)
    return "";
  return llvm::formatv("a product of {0} x {1} takes {2} registers of each "
                       "thread for {3}, of {4}",
                       block.m, block.n, count * ofSum,
                       count == 1 ? "its sum" : "two sums", ofThread);
}

bool layout::hasNarrowSums(const MmaAtom &atom) {
  return atom.isWarpgroup &&
         llvm::is_contained(getTypes(atom, Matrix::A), Scalar::E4M3);
}

std::string layout::checkPromotion(const TileSizes &block) {
  if (block.k > kNarrowSum)
    return llvm::formatv("a block has a K of {0}: expected at most {1}",
                         block.k, kNarrowSum);
  return checkSums(block, /*accBits=*/32, /*count=*/2);
}

std::string layout::checkWarpgroups(const MmaAtom &atom, const TileSizes &block,
                                    unsigned accBits) {
  auto [m, n, k] = block;
  int64_t groups = m / kGroupRows;
  if (m % kGroupRows != 0 || !llvm::isPowerOf2_64(m) || groups > kMaxGroups ||
      n < 8 || n > 256 || !llvm::isPowerOf2_64(n) || k % atom.k != 0)
    return llvm::formatv(
        "a product of {0} x {1} x {2}: expected M of 64, 128 or 256, "
        "N a power of two from 8 to 256, K a multiple of {3}",
        m, n, k, atom.k);
  return checkSums(block, accBits, /*count=*/1);
}
