//===- ProductCost.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of a warp and bytes of shared memory follow from the tile
// configuration; accesses of both memories, wavefronts and sectors from the
// layouts that the passes will choose (LayoutCosts.h), and from how memory is
// aligned. The cost of a step's addresses, masks and loop control depends on
// how LLVM simplifies them; `overhead` is measured.
//
//===----------------------------------------------------------------------===//

#include "ProductCost.h"

#include "tileir/Target/Gpu/Gpu.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace tileir;
using namespace tileir::config_selection;
using einsum::ContractionDim;
using layout::TileConfig;
using layout::TileSizes;
using machine::InstrClass;
using machine::kWarpSize;

/// Instructions of a warp on integers, fitted by least squares to what the
/// simulator has counted for 340 products of all layouts, aligned or not: four
/// fifths of these are within a quarter of it.
namespace overhead {
/// Per program, per step with one or two stages, and per 8 of the step's K.
constexpr double kProgram = 80, kStep[] = {4, 25}, kDepth = 0.6;
/// Per access of an operand: before the loop, in each step, and also in each
/// step if it is narrower than what a thread holds side by side.
constexpr double kSetup = 3.5, kAccess = 1.3, kNarrow = 0.8;
/// Per shuffle by which a warp moves elements of its own to fragments.
constexpr double kShuffle = 3;
/// Per conversion of the result's elements, and per access that stores it.
constexpr double kConversion = 1.5, kStore = 3;
} // namespace overhead

/// Bytes of the widest access of a warp.
static constexpr int64_t kWideAccess = kWarpSize * layout::kMaxAccessBits / 8;
/// Returns how many lanes of a warp hold each element of an operand.
static int64_t getCopies(const TileConfig &config, layout::Matrix matrix) {
  for (const auto &fragment : config.atom->fragments)
    if (fragment.operand.matrix == matrix)
      return int64_t(1) << llvm::popcount(
                 fragment.layout.getFreeBits(layout::InDim::Lane));
  return 1;
}

/// Returns a block's K; blocks are cut to products of small K.
static int64_t getDepth(const Product &product, const TileConfig &config) {
  int64_t whole = llvm::PowerOf2Ceil(product.sizes.k);
  return std::min(config.block.k, std::max(whole, config.atom->k));
}

int64_t config_selection::getSharedBytes(const ProductKernel &kernel,
                                         const TileConfig &config) {
  if (config.getNumWarps() == 1)
    return 0;
  auto [rows, columns, depth] = config.block;
  int64_t bytes = rows * columns * kernel.result.bits / 8;
  for (const Product &product : kernel.products) {
    int64_t operands = getDepth(product, config) *
                       (rows * product.a.bits + columns * product.b.bits) / 8;
    int64_t parts = rows * columns * product.accBits / 8 * config.splitK;
    bytes = std::max(
        {bytes, config.stages * operands, config.splitK > 1 ? parts : 0});
  }
  return bytes;
}

int64_t config_selection::getRegisters(const ProductKernel &kernel,
                                       const TileConfig &config) {
  int64_t threads = kWarpSize * config.getNumWarps();
  int64_t held = 0, most = 0;
  for (const Product &product : kernel.products) {
    int64_t accumulators = config.warpM * config.warpN * product.accBits / 32;
    int64_t bits =
        (config.block.m * product.a.bits + config.block.n * product.b.bits) *
        getDepth(product, config);
    int64_t inFlight =
        config.stages > 1 ? llvm::divideCeil(bits / 32, threads) : 0;
    int64_t fragments =
        (config.warpM * getCopies(config, layout::Matrix::A) * product.a.bits +
         config.warpN * getCopies(config, layout::Matrix::B) * product.b.bits) *
        config.atom->k / 32 / kWarpSize;
    held += accumulators / kWarpSize;
    most = std::max(most, held + inFlight + fragments);
  }
  return most;
}

llvm::SmallVector<TileConfig>
config_selection::getConfigs(const ProductKernel &kernel,
                             const BlockLimits &limits, int64_t stages) {
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
    d.stages = d.block.k < deepest ? stages : 1;
    if (d.warpM >= d.atom->m && d.warpN >= d.atom->n &&
        llvm::all_of(kernel.products,
                     [&](const Product &product) {
                       return getDepth(product, d) / d.splitK >= d.atom->k;
                     }) &&
        kWarpSize * d.getNumWarps() <= limits.threads &&
        getSharedBytes(kernel, d) <= limits.shared &&
        getRegisters(kernel, d) <= limits.registers)
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
                addIfItFits();
              }
  return configs;
}

namespace {

/// Sums up the work of a launch.
class Predictor {
public:
  Predictor(const ProductKernel &kernel, const TileConfig &config,
            LayoutCosts &costs, bool withConversions);
  machine::Counters run();

private:
  double &of(InstrClass instrClass) { return counts[unsigned(instrClass)]; }
  /// Accesses to all of a matrix of `sizes`, `times` over, by tiles of its axes
  /// `dims`, in this order. Returns how many.
  double addAccesses(const MatrixMemory &matrix, const TileAccess &tile,
                     const layout::GlobalAccess &access,
                     std::array<ContractionDim, 2> dims, const TileSizes &sizes,
                     double times);
  /// Adds what all warps take for `times` conversions.
  void addConversion(const layout::ConversionCost &cost, double times);
  void addOperand(const Product &product, const MatrixMemory &memory,
                  layout::Matrix matrix, double times, const TileSizes &block,
                  double steps);
  void addProduct(const Product &product);
  void addEpilogue();

  /// A tile of `block` of the matrix with axes `dims`.
  TileAccess getTile(const MatrixMemory &matrix,
                     std::array<ContractionDim, 2> dims,
                     const TileSizes &block) const {
    return {{getSize(block, dims[0]), getSize(block, dims[1])},
            matrix.fast == dims[0] ? 0u : 1u,
            std::max(matrix.bits, 8u), // a predicate takes a byte
            warps};
  }

  const ProductKernel &kernel;
  const TileConfig &config;
  LayoutCosts &costs;
  bool withConversions;
  int64_t warps, gridRows, gridColumns;
  double programs;
  std::array<double, machine::kNumInstrClasses> counts = {};
  double wavefronts = 0, sectors = 0;
};

} // namespace

Predictor::Predictor(const ProductKernel &kernel, const TileConfig &config,
                     LayoutCosts &costs, bool withConversions)
    : kernel(kernel), config(config), costs(costs),
      withConversions(withConversions), warps(config.getNumWarps()) {
  const Product &first = kernel.products.front();
  gridRows = llvm::divideCeil(first.sizes.m, config.block.m);
  gridColumns = llvm::divideCeil(first.sizes.n, config.block.n);
  programs = double(gridRows) * gridColumns * first.batch;
}

/// The largest power of two at whose multiples the runs of a matrix begin.
static int64_t getAlignment(const MatrixMemory &matrix) {
  return matrix.run & -matrix.run;
}

double Predictor::addAccesses(const MatrixMemory &matrix,
                              const TileAccess &tile,
                              const layout::GlobalAccess &access,
                              std::array<ContractionDim, 2> dims,
                              const TileSizes &sizes, double times) {
  int64_t length = getSize(sizes, dims[tile.fast]);
  int64_t lines = getSize(sizes, dims[1 - tile.fast]);
  int64_t parts = access.stride / access.vector;

  // A warp skips accesses that are outside altogether.
  double blocks = double(llvm::alignTo(length, access.span)) *
                  llvm::alignTo(lines, access.lines) /
                  (tile.shape[0] * tile.shape[1]);
  double accesses = blocks * warps * access.accesses * times;

  // The last one of a line may be shorter.
  double spans = llvm::divideCeil(length, access.span);
  double bytes = tile.bits / 8.0;
  sectors += lines * spans * parts * times * access.copies *
             layout::countSectors(access.getReach(length / spans) * bytes,
                                  getAlignment(matrix) * bytes);
  of(InstrClass::Global) += accesses;
  return accesses;
}

void Predictor::addConversion(const layout::ConversionCost &cost,
                              double times) {
  of(InstrClass::Shuffle) += times * warps * cost.shuffles;
  of(InstrClass::Integer) += overhead::kShuffle * times * warps * cost.shuffles;
  of(InstrClass::Shared) += times * warps * cost.accesses;
  wavefronts += times * warps * cost.wavefronts;
}

/// Adds the work by which a step gets an operand into fragments; `times` is how
/// often the programs of the grid read it.
void Predictor::addOperand(const Product &product, const MatrixMemory &memory,
                           layout::Matrix matrix, double times,
                           const TileSizes &block, double steps) {
  std::array<ContractionDim, 2> dims = {ContractionDim::M, ContractionDim::K};
  if (matrix == layout::Matrix::B)
    dims = {ContractionDim::K, ContractionDim::N};
  TileAccess tile = getTile(memory, dims, block);
  layout::GlobalAccess access = costs.getAccess(tile, getAlignment(memory));
  double accesses =
      addAccesses(memory, tile, access, dims, product.sizes, times);
  double &integer = of(InstrClass::Integer);
  integer += overhead::kAccess * accesses +
             overhead::kSetup * accesses * programs / steps;
  if (access.vector < access.stride)
    integer += overhead::kNarrow * accesses;
  // Operands of the next step are loaded under a mask.
  if (config.stages == 2)
    of(InstrClass::Control) += accesses;
  if (withConversions)
    addConversion(costs.getOperand(config, matrix, tile), steps);
}

void Predictor::addProduct(const Product &product) {
  TileSizes block = config.block;
  block.k = getDepth(product, config);
  double steps = programs * llvm::divideCeil(product.sizes.k, block.k);
  of(InstrClass::Mma) +=
      steps * block.m * block.n * block.k / config.atom->getInstructionWork();
  of(InstrClass::Control) += steps * warps;
  of(InstrClass::Integer) +=
      steps * warps *
      (overhead::kStep[config.stages - 1] + overhead::kDepth * block.k / 8);
  double batch = product.batch;
  addOperand(product, product.a, layout::Matrix::A, batch * gridColumns, block,
             steps);
  addOperand(product, product.b, layout::Matrix::B, batch * gridRows, block,
             steps);
  if (warps > 1)
    of(InstrClass::Barrier) += steps * warps * (config.stages == 1 ? 2 : 1);
}

void Predictor::addEpilogue() {
  const Product &first = kernel.products.front();
  double elements = programs * config.block.m * config.block.n;
  std::array<ContractionDim, 2> dims = {ContractionDim::M, ContractionDim::N};
  TileAccess tile = getTile(kernel.result, dims, config.block);
  // Each result is reordered for the store, as the parts that are added up with
  // split-K, else as the type of the kernel's result.
  auto addReordering = [&](const Product &product, unsigned bits) {
    auto types = getTypes(*config.atom, layout::Matrix::Acc);
    layout::Scalar acc =
        product.accBits == 16 ? layout::Scalar::F16 : types.back();
    if (withConversions)
      addConversion(costs.getResult(config, acc, tile, bits), programs);
  };
  of(InstrClass::Integer) += programs * warps * overhead::kProgram;
  for (const Product &product : kernel.products) {
    if (product.accBits != kernel.result.bits)
      of(InstrClass::Integer) += overhead::kConversion * elements / kWarpSize;
    if (config.splitK > 1) {
      addReordering(product, product.accBits);
      of(InstrClass::Float32) += elements * (config.splitK - 1) / kWarpSize;
    }
  }
  if (config.splitK == 1)
    addReordering(kernel.products.back(), tile.bits);
  of(InstrClass::Integer) +=
      overhead::kStore *
      addAccesses(kernel.result, tile,
                  costs.getAccess(tile, getAlignment(kernel.result)), dims,
                  first.sizes, first.batch);
  sectors += double(kernel.pointwiseBytes) / layout::kSectorBytes;
  of(InstrClass::Global) += double(kernel.pointwiseBytes) / kWideAccess;
}

/// The counter of the work of `atom`'s types; null for those of f16 and bf16.
static uint64_t *getMmaShare(machine::Counters &counters,
                             const layout::MmaAtom &atom) {
  switch (getTypes(atom, layout::Matrix::A).front()) {
  case layout::Scalar::F32:
    return &counters.mmaTf32Flops;
  case layout::Scalar::F64:
    return &counters.mma64Flops;
  case layout::Scalar::I8:
  case layout::Scalar::E4M3:
  case layout::Scalar::E5M2:
    return &counters.mma8Flops;
  default:
    return nullptr;
  }
}

machine::Counters Predictor::run() {
  for (const Product &product : kernel.products)
    addProduct(product);
  addEpilogue();
  machine::Counters counters;
  counters.grid = {uint32_t(gridRows), uint32_t(gridColumns),
                   uint32_t(kernel.products.front().batch)};
  counters.block = {uint32_t(kWarpSize * warps), 1, 1};
  counters.sharedBytes = getSharedBytes(kernel, config);
  counters.warps = programs * warps;
  for (auto [counter, count] :
       llvm::zip_equal(counters.warpInstructions, counts))
    counter = std::llround(count);
  counters.mma = std::llround(of(InstrClass::Mma));
  counters.mmaFlops = counters.flops =
      2 * config.atom->getInstructionWork() * counters.mma;
  uint64_t *share = getMmaShare(counters, *config.atom);
  if (share)
    *share = counters.mmaFlops;
  counters.shared.wavefronts = std::llround(wavefronts);
  counters.global.sectors = std::llround(sectors);
  counters.globalBytes = layout::kSectorBytes * counters.global.sectors;
  return counters;
}

machine::Counters CostModel::predict(const ProductKernel &kernel,
                                     const TileConfig &config) {
  return Predictor(kernel, config, costs, /*withConversions=*/true).run();
}

machine::Counters CostModel::predictLeast(const ProductKernel &kernel,
                                          const TileConfig &config) {
  return Predictor(kernel, config, costs, /*withConversions=*/false).run();
}
