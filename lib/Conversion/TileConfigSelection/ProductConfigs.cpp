//===- ProductConfigs.cpp - Tile configurations that fit ------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What a block takes of shared memory and registers, and all configurations for
// which it has enough: bytes follow from the blocks of operands in flight, and
// registers from accumulators and fragments; what else ptxas needs is not
// known.
//
//===----------------------------------------------------------------------===//

#include "ProductCost.h"

#include "tileir/Layout/Fragments/Warpgroup.h"
#include "tileir/Layout/Shared/SharedMemory.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tileir;
using namespace tileir::config_selection;
using layout::TileConfig;
using layout::TileSizes;
using machine::kWarpSize;

/// Returns how many lanes of a warp hold each element of an operand.
static int64_t getCopies(const TileConfig &config, layout::Matrix matrix) {
  for (const auto &fragment : config.atom->fragments)
    if (fragment.operand.matrix == matrix)
      return int64_t(1) << llvm::popcount(
                 fragment.layout.getFreeBits(layout::InDim::Lane));
  return 1;
}

int64_t config_selection::getDepth(const Product &product,
                                   const TileConfig &config) {
  int64_t whole = llvm::PowerOf2Ceil(product.sizes.k);
  return std::min(config.block.k, std::max(whole, config.atom->k));
}

bool config_selection::canBeCopied(const ProductKernel &kernel,
                                   const TileConfig &config,
                                   const MatrixMemory &operand) {
  return kernel.hasAsync && config.stages > 1 && config.getNumWarps() > 1 &&
         !operand.isComputed &&
         operand.getAlignment() * operand.bits >= 8 * layout::kMinCopyBytes;
}

int64_t config_selection::getSharedBytes(const ProductKernel &kernel,
                                         const TileConfig &config) {
  if (config.atom && config.atom->isWarpgroup)
    return getGroupSharedBytes(kernel, config);
  if (config.getNumWarps() == 1)
    return 0;
  auto [rows, columns, depth] = config.block;
  int64_t bytes = rows * columns * kernel.result.bits / 8;
  for (const Product &product : kernel.products) {
    auto getRing = [&](const MatrixMemory &operand, int64_t lines) {
      // What goes through registers has two stages at most.
      int64_t stages = canBeCopied(kernel, config, operand)
                           ? config.stages
                           : std::min<int64_t>(config.stages, 2);
      return stages * getDepth(product, config) * lines * operand.bits / 8;
    };
    int64_t parts = rows * columns * product.accBits / 8 * config.splitK;
    bytes =
        std::max({bytes, getRing(product.a, rows) + getRing(product.b, columns),
                  config.splitK > 1 ? parts : 0});
  }
  return bytes;
}

int64_t config_selection::getRegisters(const ProductKernel &kernel,
                                       const TileConfig &config) {
  int64_t threads = kWarpSize * config.getNumWarps();
  int64_t held = 0, most = 0;
  for (const Product &product : kernel.products) {
    int64_t accumulators = config.warpM * config.warpN * product.accBits / 32;
    auto getInFlight = [&](const MatrixMemory &operand, int64_t lines) {
      bool isInRegisters =
          config.stages > 1 && !canBeCopied(kernel, config, operand);
      return isInRegisters ? lines * operand.bits * getDepth(product, config)
                           : 0;
    };
    int64_t bits = getInFlight(product.a, config.block.m) +
                   getInFlight(product.b, config.block.n);
    int64_t inFlight = llvm::divideCeil(bits / 32, threads);
    int64_t fragments =
        (config.warpM * getCopies(config, layout::Matrix::A) * product.a.bits +
         config.warpN * getCopies(config, layout::Matrix::B) * product.b.bits) *
        config.atom->k / 32 / kWarpSize;
    held += accumulators / kWarpSize;
    most = std::max(most, held + inFlight + fragments);
  }
  return most;
}

/// Whether threads have the registers that they need, of which those for
/// addresses and loop control are not known exactly.
static bool fitsRegisters(const ProductKernel &kernel, const TileConfig &config,
                          const BlockLimits &limits) {
  constexpr int64_t kOther = 24, kGranularity = 8;
  int64_t needed = getRegisters(kernel, config);
  int64_t share = llvm::alignDown(
      uint64_t(layout::kAllRegisters / (kWarpSize * config.getNumWarps())),
      kGranularity);
  return needed <= limits.registers && needed + kOther <= share;
}

llvm::SmallVector<TileConfig>
config_selection::getConfigs(const ProductKernel &kernel,
                             const BlockLimits &limits,
                             llvm::ArrayRef<int64_t> stages) {
  auto getSizes = [](int64_t least, int64_t most) {
    llvm::SmallVector<int64_t> sizes;
    for (int64_t size = least; size <= most; size *= 2)
      sizes.push_back(size);
    return sizes;
  };
  int64_t deepest = 0;
  for (const Product &product : kernel.products)
    deepest = std::max(deepest, product.sizes.k);
  auto cut = [](int64_t size, int64_t least, int64_t most) {
    int64_t whole = llvm::PowerOf2Ceil(size);
    return std::clamp(whole, least, most);
  };
  const auto &sizes = kernel.products.front().sizes;
  llvm::SmallVector<TileConfig> configs;
  TileConfig d;
  auto addIfItFits = [&] {
    if (d.warpM >= d.atom->m && d.warpN >= d.atom->n &&
        llvm::all_of(kernel.products,
                     [&](const Product &product) {
                       return getDepth(product, d) / d.splitK >= d.atom->k;
                     }) &&
        kWarpSize * d.getNumWarps() <= limits.threads &&
        getSharedBytes(kernel, d) <= limits.shared &&
        fitsRegisters(kernel, d, limits))
      configs.push_back(d);
  };
  // No smaller than some atom.
  TileSizes least = {256, 256, 64};
  for (const layout::MmaAtom *atom : kernel.atoms)
    least = {std::min(least.m, std::max(atom->m, layout::kMinWarp)),
             std::min(least.n, std::max(atom->n, layout::kMinWarp)),
             std::min(least.k, atom->k)};
  auto [m, n, k] = least;
  for (int64_t rows : getSizes(m, cut(sizes.m, m, 256)))
    for (int64_t columns : getSizes(n, cut(sizes.n, n, 256)))
      for (int64_t depth : getSizes(k, cut(deepest, k, 64)))
        for (int64_t warpM : getSizes(m, std::min<int64_t>(rows, 128)))
          for (int64_t warpN : getSizes(n, std::min<int64_t>(columns, 128)))
            for (const layout::MmaAtom *atom : kernel.atoms)
              for (int64_t splitK : getSizes(1, 4)) {
                d = {{rows, columns, depth}, warpM, warpN, atom, splitK};
                int64_t steps = llvm::divideCeil(deepest, depth), before = 0;
                for (int64_t count : stages) {
                  d.stages = std::min(count, steps);
                  if (d.stages != before)
                    addIfItFits();
                  before = d.stages;
                }
              }
  return configs;
}
