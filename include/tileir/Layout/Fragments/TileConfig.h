//===- TileConfig.h - The tile configuration of a kernel --------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How a kernel divides a product: among programs, among the warps of a program,
// and over time. `#tile.config` is this in the IR, and options named `config`
// have the same text. A kernel without one has the defaults.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LAYOUT_FRAGMENTS_TILECONFIG_H
#define TILEIR_LAYOUT_FRAGMENTS_TILECONFIG_H

#include "tileir/Layout/Fragments/MmaAtom.h"

#include "llvm/ADT/Hashing.h"
#include "llvm/Support/raw_ostream.h"

namespace tileir::layout {

/// Sizes along M, N and K.
struct TileSizes {
  int64_t m = 1, n = 1, k = 1;

  /// By number: M is 0, N is 1, K is 2.
  int64_t &operator[](unsigned dim) { return dim == 0 ? m : dim == 1 ? n : k; }
  int64_t operator[](unsigned dim) const {
    return const_cast<TileSizes &>(*this)[dim];
  }
  bool operator==(const TileSizes &other) const {
    return m == other.m && n == other.n && k == other.k;
  }
  bool operator!=(const TileSizes &other) const { return !(*this == other); }
};

/// The most programs of a cluster (PTX ISA: what all chips with clusters take).
inline constexpr int64_t kMaxCluster = 8;

/// The most programs that a multiprocessor has at once.
inline constexpr int64_t kMaxPersistent = 32;

/// Least M and N of a warp.
inline constexpr int64_t kMinWarp = 16;

struct TileConfig {
  /// The tile of a program (a CTA), for each step along K.
  TileSizes block = {128, 128, 32};
  /// The part of a block's result that a warp computes.
  int64_t warpM = 64, warpN = 32;
  /// The matrix instruction to try first; null: the best of the target.
  AtomRef atom = nullptr;
  /// The split-K factor: the number of parts of a block's K, each of which has
  /// warps of its own.
  int64_t splitK = 1;
  /// Steps whose operands are in flight at once.
  int64_t stages = 2;
  /// Blocks along M of a group: the programs of a group, of all N, follow one
  /// another, so that they find in L2 what they share. 0: those of all M.
  int64_t group = 0;
  /// Programs along M that form a cluster, and copy for each other what all of
  /// them multiply.
  int64_t cluster = 1;
  /// Programs for each multiprocessor, which compute several blocks one after
  /// the other; 0: a program for each block.
  int64_t persistent = 0;

  int64_t getNumWarps() const {
    return block.m / warpM * (block.n / warpN) * splitK;
  }
  bool operator==(const TileConfig &other) const {
    return block == other.block && warpM == other.warpM &&
           warpN == other.warpN && atom == other.atom &&
           splitK == other.splitK && stages == other.stages &&
           group == other.group && cluster == other.cluster &&
           persistent == other.persistent;
  }
};

inline llvm::hash_code hash_value(const TileConfig &config) {
  return llvm::hash_combine(config.block.m, config.block.n, config.block.k,
                            config.warpM, config.warpN, config.atom,
                            config.splitK, config.stages, config.group,
                            config.cluster, config.persistent);
}

/// "128x128x32"
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const TileSizes &sizes);
/// "block=128x128x32 warp=64x32 split_k=1 stages=2", with the atom before
/// `split_k` if there is one, and the group, the cluster and `persistent` at
/// the end.
llvm::raw_ostream &operator<<(llvm::raw_ostream &os, const TileConfig &config);

/// The failure reason why a kernel cannot have such a configuration, or an
/// empty text.
std::string checkConfig(const TileConfig &config);

} // namespace tileir::layout

#endif // TILEIR_LAYOUT_FRAGMENTS_TILECONFIG_H
