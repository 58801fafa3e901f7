//===- TileConfig.cpp -----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The text of a tile configuration, and the limits of its numbers.
//
//===----------------------------------------------------------------------===//

#include "tileir/Layout/Fragments/TileConfig.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace tileir;
using namespace tileir::layout;

llvm::raw_ostream &layout::operator<<(llvm::raw_ostream &os,
                                      const TileSizes &sizes) {
  return os << sizes.m << 'x' << sizes.n << 'x' << sizes.k;
}

llvm::raw_ostream &layout::operator<<(llvm::raw_ostream &os,
                                      const TileConfig &config) {
  os << "block=" << config.block << " warp=" << config.warpM << 'x'
     << config.warpN;
  if (config.atom)
    os << " atom=" << config.atom->name;
  os << " split_k=" << config.splitK << " stages=" << config.stages;
  if (config.group)
    os << " group=" << config.group;
  if (config.cluster != 1)
    os << " cluster=" << config.cluster;
  if (config.persistent)
    os << " persistent=" << config.persistent;
  return os;
}

std::string layout::checkConfig(const TileConfig &config) {
  auto isWarpSize = [](int64_t size) {
    return llvm::isPowerOf2_64(size) && size >= kMinWarp && size <= 4096;
  };
  for (unsigned dim = 0; dim < 3; ++dim)
    if (config.block[dim] < 1 || config.block[dim] > (1 << 16))
      return llvm::formatv("expects 'block' to be three numbers from 1 to "
                           "65536, as in 128x128x32, found {0}",
                           config.block);
  if (!isWarpSize(config.warpM) || !isWarpSize(config.warpN))
    return llvm::formatv("expects 'warp' to be two powers of two from 16 to "
                         "4096, as in 64x32, found {0}x{1}",
                         config.warpM, config.warpN);
  if (!llvm::isPowerOf2_64(config.splitK) || config.splitK > 8)
    return llvm::formatv("expects 'split_k' to be 1, 2, 4 or 8, found {0}",
                         config.splitK);
  if (config.stages < 1 || config.stages > 16)
    return llvm::formatv("expects 'stages' to be a number from 1 to 16, found "
                         "{0}",
                         config.stages);
  if (config.group < 0 || config.group > (1 << 16))
    return llvm::formatv("expects 'group' to be a number from 1 to 65536, or 0 "
                         "for all blocks along M, found {0}",
                         config.group);
  if (!llvm::isPowerOf2_64(config.cluster) || config.cluster > kMaxCluster)
    return llvm::formatv("expects 'cluster' to be 1, 2, 4 or 8, found {0}",
                         config.cluster);
  if (config.persistent < 0 || config.persistent > kMaxPersistent)
    return llvm::formatv("expects 'persistent' to be a number from 1 to {0}, "
                         "or 0 for a program a block, found {1}",
                         kMaxPersistent, config.persistent);
  return "";
}
