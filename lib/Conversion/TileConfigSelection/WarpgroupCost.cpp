//===- WarpgroupCost.cpp - Products of warpgroups -------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The tile configurations by which tile-warp-specialize divides a product, and
// what these kernels will be counted for. The instructions of a step do not
// depend on the product, so that few numbers tell them.
//
//===----------------------------------------------------------------------===//

#include "Predictor.h"

#include "tileir/Layout/Fragments/Warpgroup.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace tileir;
using namespace tileir::config_selection;
using einsum::ContractionDim;
using layout::TileConfig;
using layout::TileSizes;
using machine::InstrClass;
using machine::kWarpSize;

/// Instructions that the simulator has counted for 22 products of f16, bf16 and
/// i8, in all orders: those on integers are within a tenth of these.
namespace overhead {
/// On integers: of a warp of products in a program, beyond that if it stores
/// the result itself, in a step, and for each instruction of its product; of
/// the copying warp in a step, and for each copy beyond one of each operand.
constexpr double kGroupProgram = 45, kGroupStore = 20, kGroupStep = 18,
                 kDescriptors = 2, kCopyStep = 17, kMoreCopies = 5;
/// Barriers and fences, and jumps, of each of these warps in a step.
constexpr double kBarriers[] = {5, 3}, kJumps = 3;
/// The same in a program.
constexpr double kProgramBarriers = 5, kProgramJumps = 6;
} // namespace overhead

/// A copy has rows of so many bytes of shared memory at the most.
static constexpr int64_t kMostPanelBytes = 128;
/// Bytes of shared memory in a wavefront.
static constexpr int64_t kWavefrontBytes = 128;

/// Bytes of the stages of what is copied, and of their barriers, and of what
/// passes through shared memory on its way to registers.
static int64_t getOperandBytes(const Product &product, const TileSizes &block,
                               int64_t stages) {
  int64_t ofA = block.k * block.m * product.a.bits / 8;
  int64_t ofB = block.k * block.n * product.b.bits / 8;
  int64_t barriers = stages * layout::kStageBarrierBytes;
  return (product.a.isComputed ? ofA : stages * ofA) + stages * ofB + barriers;
}

/// Whether threads have registers for the sum and for what they compute of A.
static bool fitsComputed(const Product &product, const TileSizes &block) {
  if (!product.a.isComputed)
    return true;
  int64_t ofThread =
      (block.n * product.accBits + block.k * product.a.bits) / 64;
  return ofThread + layout::kOtherRegisters <=
         layout::getRoleRegisters(block.m / layout::kGroupRows).product;
}

int64_t config_selection::getGroupSharedBytes(const ProductKernel &kernel,
                                              const TileConfig &config) {
  const Product &product = kernel.products.front();
  TileSizes block = config.block;
  block.k = getDepth(product, config);
  // The result takes the place of the stages.
  return std::max(getOperandBytes(product, block, config.stages),
                  block.m * block.n * int64_t(kernel.result.bits) / 8);
}

/// The most programs of a cluster that are candidates, each of which copies a
/// part of B with some rows of shared memory.
static int64_t getMostCluster(const Product &product,
                              const TileConfig &config) {
  constexpr int64_t kMost = 2, kRows = 8;
  bool isAlongK = product.b.fast == ContractionDim::K;
  int64_t rows = isAlongK ? config.block.n : getDepth(product, config);
  bool hasOthers = product.sizes.m > config.block.m;
  return hasOthers && rows >= kMost * kRows ? kMost : 1;
}

llvm::SmallVector<TileConfig>
config_selection::getGroupConfigs(const ProductKernel &kernel,
                                  const BlockLimits &limits,
                                  llvm::ArrayRef<int64_t> stages) {
  llvm::SmallVector<TileConfig> configs;
  if (kernel.groupAtoms.empty())
    return configs;
  const Product &product = kernel.products.front();
  auto [sizeM, sizeN, sizeK] = product.sizes;
  TileConfig d;
  d.atom = kernel.groupAtoms.front();
  d.warpM = layout::kMinWarp;
  // Rows of 64 and of 128 bytes, if they are along K.
  for (int64_t m = layout::kGroupRows; m <= 256; m *= 2)
    for (int64_t n = layout::kMinWarp; n <= 256; n *= 2)
      for (int64_t k : {2 * d.atom->k, 4 * d.atom->k}) {
        // Those of twice the size would be in vain.
        if ((m > layout::kGroupRows && m / 2 >= sizeM) ||
            (n > layout::kMinWarp && n / 2 >= sizeN) ||
            (k > 2 * d.atom->k && k / 2 >= sizeK))
          continue;
        d.block = {m, n, k};
        d.warpN = n;
        d.stages = 1;
        TileSizes block = {m, n, getDepth(product, d)};
        bool isPromoted = hasNarrowSums(*d.atom);
        if (!checkWarpgroups(*d.atom, block, product.accBits).empty() ||
            (isPromoted && !layout::checkPromotion(block).empty()) ||
            !fitsComputed(product, block) ||
            kWarpSize * (d.getNumWarps() + layout::kGroupWarps) >
                limits.threads)
          continue;
        auto windows = kernel.getWindows(d);
        if (!windows || (!configs.empty() && configs.back().block == *windows))
          continue;
        d.block = *windows;
        block.k = std::min(block.k, windows->k);
        int64_t steps = llvm::divideCeil(sizeK, block.k), before = 0;
        for (int64_t count : stages) {
          d.stages = std::min(count, steps);
          if (d.stages != before &&
              getGroupSharedBytes(kernel, d) <= limits.shared)
            for (d.cluster = 1; d.cluster <= getMostCluster(product, d);
                 d.cluster *= 2)
              configs.push_back(d);
          before = d.stages;
        }
      }
  return configs;
}

void Predictor::addGroupProduct(const Product &product) {
  TileSizes block = config.block;
  block.k = getDepth(product, config);
  int64_t stepsOfProgram = llvm::divideCeil(product.sizes.k, block.k);
  double steps = programs * stepsOfProgram;
  double products = steps * warps * block.k / config.atom->k;
  of(InstrClass::Mma) += products;
  // The sum of a step is added to the one of all.
  if (hasNarrowSums(*config.atom))
    of(InstrClass::Float32) += steps * block.m * block.n / kWarpSize;

  double copies = 0;
  auto addCopies = [&](const MatrixMemory &memory, ContractionDim other,
                       double times, double &once) {
    bool isAlongK = memory.fast == ContractionDim::K;
    int64_t rowBytes =
        (isAlongK ? block.k : getSize(block, other)) * memory.bits / 8;
    copies += llvm::divideCeil(rowBytes, kMostPanelBytes);
    // Nothing is read outside of the matrix. Where rows begin in the middle of
    // a sector they touch one more.
    double bytes = double(product.batch) * getSize(product.sizes, other) *
                   product.sizes.k * memory.bits / 8;
    int64_t alignment = memory.getAlignment() * memory.bits / 8;
    double touched =
        bytes / rowBytes * layout::countSectors(rowBytes, alignment);
    once += touched;
    sectors += times * touched;
    wavefronts += steps * block.k * getSize(block, other) * memory.bits / 8 /
                  kWavefrontBytes;
  };
  if (product.a.isComputed) {
    addOperand(product, product.a, layout::Matrix::A,
               double(product.batch) * grid.columns, block, steps);
    // Threads write it to shared memory when all have read the one before.
    of(InstrClass::Barrier) += steps * warps * 2;
  } else {
    addCopies(product.a, ContractionDim::M, grid.columns, sectorsOfA);
  }
  // The programs of a cluster copy B once.
  addCopies(product.b, ContractionDim::N, double(grid.rows) / config.cluster,
            sectorsOfB);
  of(InstrClass::AsyncCopy) += steps * copies;

  of(InstrClass::Integer) +=
      programs * warps * overhead::kGroupProgram +
      steps * (warps * overhead::kGroupStep + overhead::kCopyStep +
               overhead::kMoreCopies * std::max(copies - 2, 0.0)) +
      overhead::kDescriptors * products;
  of(InstrClass::Barrier) +=
      steps * (warps * overhead::kBarriers[0] + overhead::kBarriers[1]) +
      programs * warps * overhead::kProgramBarriers;
  of(InstrClass::Control) += steps * (warps + 1) * overhead::kJumps +
                             programs * warps * overhead::kProgramJumps;
  // The copies of all stages are on their way together.
  roundTrips += programs * llvm::divideCeil(stepsOfProgram, config.stages);
}

bool Predictor::addBulkStore(const TileAccess &tile) {
  const MatrixMemory &result = kernel.result;
  const Product &product = kernel.products.back();
  int64_t alignment = result.getAlignment() * result.bits / 8;
  bool hasRows = alignment % layout::kRowAlignment == 0;
  layout::Scalar acc = product.accBits == 16
                           ? layout::Scalar::F16
                           : getTypes(*config.atom, layout::Matrix::Acc).back();
  auto store = costs.getPanelStore(config, acc, tile, tile.bits);
  if (kernel.isOfLoaded || !hasRows || !store) {
    of(InstrClass::Integer) += programs * warps * overhead::kGroupStore;
    return false;
  }
  addShared(*store, programs);
  int64_t rowBytes = tile.shape[tile.fast] * tile.bits / 8;
  int64_t bytes = rowBytes * tile.shape[1 - tile.fast];
  wavefronts += programs * bytes / kWavefrontBytes;
  // Its copies are a group that is waited for.
  of(InstrClass::AsyncCopy) +=
      programs * (llvm::divideCeil(rowBytes, kMostPanelBytes) + 2);
  return true;
}

void Predictor::setGroupProducts(machine::Counters &counters,
                                 uint64_t mma) const {
  counters.wgmma = mma;
  // A warp has 16 rows of each.
  int64_t columns = config.block.n;
  counters.mmaFlops = counters.wgmmaFlops = counters.flops =
      2 * 16 * columns * config.atom->k * mma;
  bool isInRegisters = kernel.products.front().a.isComputed;
  counters.wgmmaWavefronts =
      mma / layout::kGroupWarps *
      ((isInRegisters ? 0 : layout::kGroupRows) + columns) * 32 /
      kWavefrontBytes;
}
