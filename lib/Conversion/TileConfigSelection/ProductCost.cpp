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

#include "tileir/Target/Gpu/Estimate.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>
#include <numeric>

using namespace tileir;
using namespace tileir::config_selection;
using einsum::ContractionDim;
using layout::TileConfig;
using layout::TileSizes;
using machine::InstrClass;
using machine::kWarpSize;

/// Instructions of a warp on integers, fitted by least squares to what the
/// simulator has counted for 340 products of all layouts on Volta, aligned or
/// not: four fifths of these are within a quarter of it.
namespace overhead {
/// Per program, per step with one stage or more, and per 8 of the step's K.
constexpr double kProgram = 80, kStep[] = {4, 25}, kDepth = 0.6;
/// Per access of an operand: before the loop, in each step, and also in each
/// step if it is narrower than what a thread holds side by side.
constexpr double kSetup = 3.5, kAccess = 1.3, kNarrow = 0.8;
/// With asynchronous copies, fitted with the others as they are to 123 products
/// on Ampere, of f16, bf16, tf32 and i8, in all layouts, aligned or not, with 2
/// to 8 stages: 93 % of these are within a quarter of it. Per step, for its
/// stage of the ring; per copy; and per copy that may reach over the end.
constexpr double kRing = 15, kCopy = 1.2, kMaskedCopy = 3;
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

/// Whether tile-pipeline takes the loads of an operand, as far as global memory
/// and the target allow.
static bool canBeCopied(const ProductKernel &kernel, const TileConfig &config,
                        const MatrixMemory &operand) {
  return kernel.hasAsync && config.stages > 1 && config.getNumWarps() > 1 &&
         !operand.isComputed &&
         operand.getAlignment() * operand.bits >= 8 * layout::kMinCopyBytes;
}

int64_t config_selection::getSharedBytes(const ProductKernel &kernel,
                                         const TileConfig &config) {
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

namespace {

/// How often device memory reads A and B.
struct Reads {
  double a, b;
};

/// The programs of a launch.
struct Grid {
  Grid(const ProductKernel &kernel, const TileConfig &config)
      : rows(llvm::divideCeil(kernel.products.front().sizes.m, config.block.m)),
        columns(
            llvm::divideCeil(kernel.products.front().sizes.n, config.block.n)),
        batch(kernel.products.front().batch) {}

  int64_t getPrograms() const { return rows * columns * batch; }
  /// If each wave of programs reads what it needs once.
  Reads getReads(int64_t wave, int64_t group) const;

  int64_t rows, columns, batch;
};

/// Sums up the work of a launch.
class Predictor {
public:
  Predictor(const ProductKernel &kernel, const TileConfig &config,
            const machine::Gpu &gpu, LayoutCosts &costs, bool withConversions);
  machine::Counters run();

private:
  double &of(InstrClass instrClass) { return counts[unsigned(instrClass)]; }
  /// Adds the sectors of all of a matrix of `sizes`, `times` over, by tiles of
  /// its axes `dims`, in this order. Returns those of one time.
  double addSectors(const MatrixMemory &matrix, const TileAccess &tile,
                    const layout::GlobalAccess &access,
                    std::array<ContractionDim, 2> dims, const TileSizes &sizes,
                    double times);
  /// Adds the accesses for that, by loads and stores. Returns how many.
  double addAccesses(const TileAccess &tile, const layout::GlobalAccess &access,
                     std::array<ContractionDim, 2> dims, const TileSizes &sizes,
                     double times);
  /// Adds what all warps take for `times` accesses of shared memory.
  void addShared(const layout::SharedCost &cost, double times);
  /// Adds what all warps take for `times` conversions.
  void addConversion(const layout::ConversionCost &cost, double times);
  /// Adds the work by which steps get an operand into fragments; `times` is how
  /// often the programs of the grid read it. Returns whether it is copied.
  bool addOperand(const Product &product, const MatrixMemory &memory,
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
  const machine::Gpu &gpu;
  LayoutCosts &costs;
  bool withConversions;
  int64_t warps;
  Grid grid;
  double programs;
  std::array<double, machine::kNumInstrClasses> counts = {};
  double wavefronts = 0, sectors = 0, roundTrips = 0;
  /// Sectors of A and B, and of what is accessed once.
  double sectorsOfA = 0, sectorsOfB = 0, sectorsOnce = 0;
};

} // namespace

/// The number of spans, one after the other, in which each `length` has a part,
/// on average over all of those that follow one another.
static double countTouched(int64_t length, int64_t span) {
  return double(length + span - std::gcd(length, span)) / span;
}

Reads Grid::getReads(int64_t wave, int64_t group) const {
  int64_t programs = getPrograms();
  if (wave >= rows * columns || wave >= programs)
    return {1, 1};
  // Programs go through strips of `height` rows, M fastest.
  int64_t height = group ? std::min(group, rows) : rows;
  Reads reads = {0, 0};
  auto add = [&](int64_t length, double times) {
    double strips = countTouched(length, height * columns);
    double ofRows =
        std::min<double>({double(rows), double(length), strips * height});
    double ofColumns = std::min<double>(columns, countTouched(length, height));
    reads.a += times * ofRows / (rows * batch);
    reads.b += times * ofColumns / (columns * batch);
  };
  add(wave, programs / wave);
  if (int64_t rest = programs % wave)
    add(rest, 1);
  return {std::clamp<double>(reads.a, 1, columns),
          std::clamp<double>(reads.b, 1, rows)};
}

Predictor::Predictor(const ProductKernel &kernel, const TileConfig &config,
                     const machine::Gpu &gpu, LayoutCosts &costs,
                     bool withConversions)
    : kernel(kernel), config(config), gpu(gpu), costs(costs),
      withConversions(withConversions), warps(config.getNumWarps()),
      grid(kernel, config), programs(grid.getPrograms()) {}

double Predictor::addSectors(const MatrixMemory &matrix, const TileAccess &tile,
                             const layout::GlobalAccess &access,
                             std::array<ContractionDim, 2> dims,
                             const TileSizes &sizes, double times) {
  int64_t length = getSize(sizes, dims[tile.fast]);
  double lines = getSize(sizes, dims[1 - tile.fast]);
  int64_t parts = access.stride / access.vector;
  // The last one of a line may be shorter.
  double spans = llvm::divideCeil(length, access.span);
  double bytes = tile.bits / 8.0;
  double reach = access.getReach(length / spans) * bytes;
  double alignment = matrix.getAlignment() * bytes;
  if (matrix.isDense && spans == 1) {
    // An access goes to whole lines, which share sectors.
    int64_t elements = access.lines * length;
    lines /= access.lines;
    reach = elements * bytes;
    alignment = (elements & -elements) * bytes;
  }
  double once = lines * spans * parts * layout::countSectors(reach, alignment);
  sectors += times * access.copies * once;
  return once;
}

double Predictor::addAccesses(const TileAccess &tile,
                              const layout::GlobalAccess &access,
                              std::array<ContractionDim, 2> dims,
                              const TileSizes &sizes, double times) {
  // A warp skips accesses that are outside altogether.
  double blocks =
      double(llvm::alignTo(getSize(sizes, dims[tile.fast]), access.span)) *
      llvm::alignTo(getSize(sizes, dims[1 - tile.fast]), access.lines) /
      (tile.shape[0] * tile.shape[1]);
  double accesses = blocks * warps * access.accesses * times;
  of(InstrClass::Global) += accesses;
  return accesses;
}

void Predictor::addShared(const layout::SharedCost &cost, double times) {
  of(InstrClass::Shared) += times * warps * cost.accesses;
  wavefronts += times * warps * cost.wavefronts;
}

void Predictor::addConversion(const layout::ConversionCost &cost,
                              double times) {
  of(InstrClass::Shuffle) += times * warps * cost.shuffles;
  of(InstrClass::Integer) += overhead::kShuffle * times * warps * cost.shuffles;
  addShared(cost.write, times);
  addShared(cost.read, times);
}

bool Predictor::addOperand(const Product &product, const MatrixMemory &memory,
                           layout::Matrix matrix, double times,
                           const TileSizes &block, double steps) {
  std::array<ContractionDim, 2> dims = {ContractionDim::M, ContractionDim::K};
  if (matrix == layout::Matrix::B)
    dims = {ContractionDim::K, ContractionDim::N};
  TileAccess tile = getTile(memory, dims, block);
  layout::GlobalAccess access = costs.getAccess(tile, memory.getAlignment());
  double &once = matrix == layout::Matrix::A ? sectorsOfA : sectorsOfB;
  once += product.batch *
          addSectors(memory, tile, access, dims, product.sizes, times);
  OperandCost cost;
  if (withConversions)
    cost = costs.getOperand(config, matrix, tile);
  double &integer = of(InstrClass::Integer);
  // A copy moves as much as a load would, or it is none.
  if (canBeCopied(kernel, config, memory) &&
      (!withConversions || cost.copyLength >= access.vector)) {
    bool isMasked = llvm::any_of(dims, [&](ContractionDim dim) {
      return getSize(product.sizes, dim) % getSize(block, dim) != 0;
    });
    // Those before the loop begin the first steps; as many at its end, of
    // zeros, belong to no step. Each step closes a group.
    double copied = steps + programs * (config.stages - 1);
    of(InstrClass::AsyncCopy) += copied * warps * (access.accesses + 1);
    integer += steps * warps * access.accesses *
               (overhead::kCopy + (isMasked ? overhead::kMaskedCopy : 0));
    // A narrow copy leaves gaps between lanes, and so takes as many wavefronts
    // as a wide one.
    if (cost.write.accesses > 0)
      wavefronts += copied * warps * access.accesses * cost.write.wavefronts /
                    cost.write.accesses;
    addShared(cost.read, steps);
    return true;
  }
  double accesses = addAccesses(tile, access, dims, product.sizes, times);
  integer += overhead::kAccess * accesses +
             overhead::kSetup * accesses * programs / steps;
  if (access.vector < access.stride)
    integer += overhead::kNarrow * accesses;
  // Operands of the next step are loaded under a mask.
  if (config.stages > 1)
    of(InstrClass::Control) += accesses;
  addConversion(cost, steps);
  return false;
}

void Predictor::addProduct(const Product &product) {
  TileSizes block = config.block;
  block.k = getDepth(product, config);
  int64_t stepsOfProgram = llvm::divideCeil(product.sizes.k, block.k);
  double steps = programs * stepsOfProgram;
  of(InstrClass::Mma) +=
      steps * block.m * block.n * block.k / config.atom->getInstructionWork();
  of(InstrClass::Control) += steps * warps;
  double batch = product.batch;
  unsigned numCopied = addOperand(product, product.a, layout::Matrix::A,
                                  batch * grid.columns, block, steps) +
                       addOperand(product, product.b, layout::Matrix::B,
                                  batch * grid.rows, block, steps);
  double integers =
      numCopied ? overhead::kRing : overhead::kStep[config.stages > 1];
  if (numCopied < 2)
    integers += overhead::kDepth * block.k / 8;
  of(InstrClass::Integer) += steps * warps * integers;
  // A wait in each step, and one after the loop. The copies of as many steps
  // as there are stages but one arrive together.
  if (numCopied) {
    of(InstrClass::AsyncCopy) += (steps + programs) * warps;
    roundTrips +=
        programs * llvm::divideCeil(stepsOfProgram, config.stages - 1);
  }
  // One where all that a step writes is of another stage than what it reads.
  if (warps > 1)
    of(InstrClass::Barrier) +=
        steps * warps * (config.stages == 1 || numCopied == 1 ? 2 : 1);
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
  layout::GlobalAccess access =
      costs.getAccess(tile, kernel.result.getAlignment());
  sectorsOnce += first.batch * addSectors(kernel.result, tile, access, dims,
                                          first.sizes, first.batch);
  of(InstrClass::Integer) +=
      overhead::kStore *
      addAccesses(tile, access, dims, first.sizes, first.batch);
  double ofPointwise = double(kernel.pointwiseBytes) / layout::kSectorBytes;
  sectors += ofPointwise;
  sectorsOnce += ofPointwise;
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
  counters.grid = {uint32_t(grid.rows), uint32_t(grid.columns),
                   uint32_t(grid.batch)};
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
  Reads reads = {1, 1};
  double all = sectorsOfA + sectorsOfB + sectorsOnce;
  if (all * layout::kSectorBytes > gpu.l2Bytes)
    reads =
        grid.getReads(machine::getBlocksOfWave(counters, gpu), config.group);
  counters.deviceBytes =
      layout::kSectorBytes *
      std::llround(sectorsOfA * reads.a + sectorsOfB * reads.b + sectorsOnce);
  counters.roundTrips = std::llround(roundTrips);
  return counters;
}

int64_t CostModel::chooseGroup(const ProductKernel &kernel,
                               const TileConfig &config) {
  double ofA = 0, ofB = 0, ofResult = 0;
  for (const Product &product : kernel.products) {
    auto [m, n, k] = product.sizes;
    ofA += double(product.batch) * m * k * product.a.bits / 8;
    ofB += double(product.batch) * n * k * product.b.bits / 8;
    ofResult = double(product.batch) * m * n * kernel.result.bits / 8;
  }
  if (ofA + ofB + ofResult <= gpu.l2Bytes)
    return 0;
  machine::Counters resources;
  resources.block = {uint32_t(kWarpSize * config.getNumWarps()), 1, 1};
  resources.sharedBytes = getSharedBytes(kernel, config);
  int64_t wave = machine::getBlocksOfWave(resources, gpu);
  Grid grid(kernel, config);
  auto getBytes = [&](int64_t group) {
    Reads reads = grid.getReads(wave, group);
    return reads.a * ofA + reads.b * ofB;
  };
  // What is a little less may be none.
  constexpr double kGain = 0.95;
  int64_t best = 0;
  double least = kGain * getBytes(0);
  for (int64_t group = 1; group < grid.rows; group *= 2)
    if (double bytes = getBytes(group); bytes < least) {
      best = group;
      least = bytes;
    }
  return best;
}

machine::Counters CostModel::predict(const ProductKernel &kernel,
                                     const TileConfig &config) {
  return Predictor(kernel, config, gpu, costs, /*withConversions=*/true).run();
}

machine::Counters CostModel::predictLeast(const ProductKernel &kernel,
                                          const TileConfig &config) {
  return Predictor(kernel, config, gpu, costs, /*withConversions=*/false).run();
}
