//===- ProductCost.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Products of a warp, bytes of shared memory and its wavefronts follow from the
// tile configuration: accesses are free of conflicts, and each fragment is read
// by all lanes that hold it. So do accesses of global memory, from how many
// elements of 128 bits a thread holds side by side, and from how memory is
// aligned. The cost of a step's addresses, masks and loop control depends on
// how LLVM simplifies them; Overheads is measured.
//
//===----------------------------------------------------------------------===//

#include "ProductCost.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace tileir;
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

/// Bytes of a wavefront, of the widest access of a warp, and of a sector.
static constexpr int64_t kWavefront = 128, kWideAccess = 512, kSector = 32;
/// Bytes of an element of an operand.
static constexpr int64_t kHalf = 2;

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
  int64_t whole = llvm::PowerOf2Ceil(product.sizes[kDepth]);
  return std::min(config.block[kDepth], std::max(whole, config.atom->k));
}

int64_t tileir::getSharedBytes(const ProductKernel &kernel,
                               const TileConfig &config) {
  if (config.getNumWarps() == 1)
    return 0;
  auto [rows, columns, depth] = config.block;
  int64_t bytes = rows * columns * kernel.result.bits / 8;
  for (const Product &product : kernel.products) {
    int64_t operands = getDepth(product, config) * (rows + columns) * kHalf;
    int64_t parts = rows * columns * product.accBits / 8 * config.splitK;
    bytes = std::max(
        {bytes, config.stages * operands, config.splitK > 1 ? parts : 0});
  }
  return bytes;
}

int64_t tileir::getRegisters(const ProductKernel &kernel,
                             const TileConfig &config) {
  int64_t threads = kWarpSize * config.getNumWarps();
  int64_t held = 0, most = 0;
  for (const Product &product : kernel.products) {
    int64_t accumulators = config.warpM * config.warpN * product.accBits / 32;
    int64_t elements = (config.block[kRows] + config.block[kColumns]) *
                       getDepth(product, config);
    int64_t inFlight =
        config.stages > 1 ? llvm::divideCeil(elements * kHalf / 4, threads) : 0;
    int64_t fragments = (config.warpM * getCopies(config, layout::Matrix::A) +
                         config.warpN * getCopies(config, layout::Matrix::B)) *
                        config.atom->k * kHalf / 4 / kWarpSize;
    held += accumulators / kWarpSize;
    most = std::max(most, held + inFlight + fragments);
  }
  return most;
}

llvm::SmallVector<TileConfig> tileir::getConfigs(const ProductKernel &kernel,
                                                 const BlockLimits &limits,
                                                 int64_t stages) {
  auto getSizes = [](int64_t least, int64_t most) {
    llvm::SmallVector<int64_t> sizes;
    for (int64_t size = least; size <= most; size *= 2)
      sizes.push_back(size);
    return sizes;
  };
  int64_t deepest = 0;
  for (const Product &product : kernel.products)
    deepest = std::max(deepest, product.sizes[kDepth]);
  auto cut = [](int64_t size, int64_t least, int64_t most) {
    int64_t whole = llvm::PowerOf2Ceil(size);
    return std::clamp(whole, least, most);
  };
  const auto &sizes = kernel.products.front().sizes;
  llvm::SmallVector<TileConfig> configs;
  TileConfig d;
  auto addIfItFits = [&] {
    d.stages = d.block[kDepth] < deepest ? stages : 1;
    if (d.warpM >= d.atom->m && d.warpN >= d.atom->n &&
        d.block[kDepth] / d.splitK >= d.atom->k &&
        kWarpSize * d.getNumWarps() <= limits.threads &&
        getSharedBytes(kernel, d) <= limits.shared &&
        getRegisters(kernel, d) <= limits.registers)
      configs.push_back(d);
  };
  // No smaller than some atom.
  std::array<int64_t, 3> least = {256, 256, 64};
  for (const layout::MmaAtom *atom : kernel.atoms)
    least = {std::min(least[kRows], atom->m),
             std::min(least[kColumns], atom->n),
             std::min(least[kDepth], atom->k)};
  auto [m, n, k] = least;
  for (int64_t rows : getSizes(m, cut(sizes[kRows], m, 256)))
    for (int64_t columns : getSizes(n, cut(sizes[kColumns], n, 256)))
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
  Predictor(const ProductKernel &kernel, const TileConfig &config);
  machine::Counters run();

private:
  double &of(InstrClass instrClass) { return counts[unsigned(instrClass)]; }
  /// Elements that a thread holds side by side of a tile of a matrix.
  int64_t getHeld(const MatrixMemory &matrix, const TileSizes &block,
                  ProductAxis across) const;
  double addAccesses(const MatrixMemory &matrix, ProductAxis across,
                     const std::array<int64_t, 3> &sizes,
                     const TileSizes &block, double times);
  bool staysInWarps(const MatrixMemory &matrix, ProductAxis axis,
                    const TileSizes &block) const;
  void addOperand(const Product &product, const MatrixMemory &matrix,
                  ProductAxis axis, double times, const TileSizes &block,
                  double steps);
  void addProduct(const Product &product);
  void addEpilogue();

  const ProductKernel &kernel;
  const TileConfig &config;
  int64_t warps, gridRows, gridColumns;
  double programs;
  std::array<double, machine::kNumInstrClasses> counts = {};
  double wavefronts = 0, sectors = 0;
};

} // namespace

Predictor::Predictor(const ProductKernel &kernel, const TileConfig &config)
    : kernel(kernel), config(config), warps(config.getNumWarps()) {
  const Product &first = kernel.products.front();
  gridRows = llvm::divideCeil(first.sizes[kRows], config.block[kRows]);
  gridColumns = llvm::divideCeil(first.sizes[kColumns], config.block[kColumns]);
  programs = double(gridRows) * gridColumns * first.batch;
}

int64_t Predictor::getHeld(const MatrixMemory &matrix, const TileSizes &block,
                           ProductAxis across) const {
  int64_t elements = block[matrix.fast] * block[across];
  int64_t perThread = std::max<int64_t>(1, elements / (kWarpSize * warps));
  return std::min<int64_t>(
      {int64_t(128 / matrix.bits), perThread, block[matrix.fast]});
}

/// Accesses to all of a matrix, `times` over; `across` is its axis that is not
/// the fast one. Returns how many.
double Predictor::addAccesses(const MatrixMemory &matrix, ProductAxis across,
                              const std::array<int64_t, 3> &sizes,
                              const TileSizes &block, double times) {
  int64_t length = sizes[matrix.fast], lines = sizes[across];
  int64_t blockLength = block[matrix.fast], blockLines = block[across];
  int64_t held = getHeld(matrix, block, across);
  int64_t aligned = matrix.run & -matrix.run; // its largest power of two
  int64_t vector = std::min(held, aligned), parts = held / vector;

  // A warp covers some lines or a piece of one. It skips what is outside.
  int64_t lanesOfElements = kWarpSize * held;
  int64_t piece = std::min(blockLength, lanesOfElements);
  int64_t linesOfWarp =
      std::min(blockLines, std::max<int64_t>(1, lanesOfElements / blockLength));
  double perBlock = std::max<double>(warps, double(blockLength) * blockLines /
                                                lanesOfElements);
  double blocks = double(llvm::alignTo(length, piece)) / blockLength *
                  llvm::alignTo(lines, linesOfWarp) / blockLines;
  double accesses = blocks * perBlock * parts * times;

  // A piece begins anywhere at multiples of `grain` bytes; of the places in its
  // first sector, all but one make it reach one sector further.
  double bytes = matrix.bits / 8.0;
  double pieces = llvm::divideCeil(length, piece);
  double reach = (length / pieces - held + vector) * bytes;
  double grain = std::min({double(kSector), aligned * bytes, reach});
  double copies = std::max(1.0, double(warps) * lanesOfElements /
                                    (blockLength * blockLines));
  sectors += lines * pieces * parts * times * copies *
             std::max(1.0, (reach - grain) / kSector + 1);
  of(InstrClass::Global) += accesses;
  return accesses;
}

/// Whether each warp loads just the fragments of an operand that it multiplies,
/// so that it keeps them to itself.
bool Predictor::staysInWarps(const MatrixMemory &matrix, ProductAxis axis,
                             const TileSizes &block) const {
  if (warps == 1)
    return true;
  bool isA = axis == kRows;
  int64_t extent = isA ? config.warpM : config.warpN;
  ProductAxis across = matrix.fast == kDepth ? axis : kDepth;
  // Other warps multiply the same fragments, or a thread loads several times.
  int64_t loaded = kWarpSize * getHeld(matrix, block, across);
  if (warps != block[axis] / extent * config.splitK ||
      warps * loaded != block[axis] * block[kDepth])
    return false;
  // Threads of a warp lie along the fast axis first.
  return loaded ==
         block[matrix.fast] *
             (matrix.fast == kDepth ? extent : block[kDepth] / config.splitK);
}

/// Adds the work by which a step gets an operand into fragments; `times` is how
/// often the programs of the grid read it.
void Predictor::addOperand(const Product &product, const MatrixMemory &matrix,
                           ProductAxis axis, double times,
                           const TileSizes &block, double steps) {
  ProductAxis across = matrix.fast == kDepth ? axis : kDepth;
  double accesses = addAccesses(matrix, across, product.sizes, block, times);
  int64_t held = getHeld(matrix, block, across);
  double &integer = of(InstrClass::Integer);
  integer += overhead::kAccess * accesses +
             overhead::kSetup * accesses * programs / steps;
  if (matrix.run % held != 0)
    integer += overhead::kNarrow * accesses;
  // Operands of the next step are loaded under a mask.
  if (config.stages == 2)
    of(InstrClass::Control) += accesses;

  double elements = double(block[axis]) * block[kDepth];
  if (staysInWarps(matrix, axis, block)) {
    double shuffles = steps * elements / kWarpSize;
    of(InstrClass::Shuffle) += shuffles;
    integer += overhead::kShuffle * shuffles;
    return;
  }
  double extent = axis == kRows ? config.warpM : config.warpN;
  double copies =
      getCopies(config, axis == kRows ? layout::Matrix::A : layout::Matrix::B);
  double fragments =
      warps * extent * block[kDepth] / config.splitK * copies * kHalf;
  of(InstrClass::Shared) +=
      steps * (std::max<double>(warps, elements / (kWarpSize * held)) +
               fragments / kWideAccess);
  wavefronts +=
      steps * (std::max<double>(warps, elements * kHalf / kWavefront) +
               fragments / kWavefront);
}

void Predictor::addProduct(const Product &product) {
  TileSizes block = config.block;
  block[kDepth] = getDepth(product, config);
  double steps =
      programs * llvm::divideCeil(product.sizes[kDepth], block[kDepth]);
  of(InstrClass::Mma) += steps * block[kRows] * block[kColumns] *
                         block[kDepth] / config.atom->getInstructionWork();
  of(InstrClass::Control) += steps * warps;
  of(InstrClass::Integer) += steps * warps *
                             (overhead::kStep[config.stages - 1] +
                              overhead::kDepth * block[kDepth] / 8);
  double batch = product.batch;
  addOperand(product, product.a, kRows, batch * gridColumns, block, steps);
  addOperand(product, product.b, kColumns, batch * gridRows, block, steps);
  if (warps > 1)
    of(InstrClass::Barrier) += steps * warps * (config.stages == 1 ? 2 : 1);
}

void Predictor::addEpilogue() {
  const Product &first = kernel.products.front();
  double elements = programs * config.block[kRows] * config.block[kColumns];
  auto addShared = [&](double bytes) {
    of(InstrClass::Shared) += bytes / kWideAccess;
    wavefronts += bytes / kWavefront;
  };
  of(InstrClass::Integer) += programs * warps * overhead::kProgram;
  for (const Product &product : kernel.products) {
    if (product.accBits != kernel.result.bits)
      of(InstrClass::Integer) += overhead::kConversion * elements / kWarpSize;
    if (config.splitK > 1) {
      addShared(2 * elements * config.splitK * product.accBits / 8);
      of(InstrClass::Float32) += elements * (config.splitK - 1) / kWarpSize;
    }
  }
  // Reordered for the stores.
  if (warps > 1 && config.splitK == 1)
    addShared(2 * elements * kernel.result.bits / 8);
  ProductAxis across = kernel.result.fast == kRows ? kColumns : kRows;
  of(InstrClass::Integer) +=
      overhead::kStore * addAccesses(kernel.result, across, first.sizes,
                                     config.block, first.batch);
  sectors += double(kernel.pointwiseBytes) / kSector;
  of(InstrClass::Global) += double(kernel.pointwiseBytes) / kWideAccess;
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
  counters.shared.wavefronts = std::llround(wavefronts);
  counters.global.sectors = std::llround(sectors);
  counters.globalBytes = kSector * counters.global.sectors;
  return counters;
}

machine::Counters tileir::predict(const ProductKernel &kernel,
                                  const TileConfig &config) {
  return Predictor(kernel, config).run();
}
