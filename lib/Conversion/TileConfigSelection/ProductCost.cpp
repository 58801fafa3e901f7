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

#include "Predictor.h"

#include "tileir/Layout/Fragments/Warpgroup.h"
#include "tileir/Target/Gpu/Estimate.h"

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
/// Per element of a lane that shuffles move to fragments: which one is offered,
/// and which one is taken, depends on the lane. Fitted to blocks of one warp,
/// of f16, bf16 and i8, on Ampere.
constexpr double kShuffled = 5.3;
/// Per conversion of the result's elements, and per access that stores it.
constexpr double kConversion = 1.5, kStore = 3;
/// The first where warpgroups have the elements, pairs of them side by side.
constexpr double kGroupConversion = 1;
/// Per element of an operand that is computed, of 8 bits or more: for each op,
/// and for the selection of zeros where blocks reach over an edge.
constexpr double kComputed[] = {6, 1}, kSelected[] = {7, 2.4};
} // namespace overhead

/// Bytes of the widest access of a warp.
static constexpr int64_t kWideAccess = kWarpSize * layout::kMaxAccessBits / 8;

Predictor::Predictor(const ProductKernel &kernel, const TileConfig &config,
                     const machine::Gpu &gpu, LayoutCosts &costs,
                     bool withConversions)
    : kernel(kernel), config(config), gpu(gpu), costs(costs),
      withConversions(withConversions), warps(config.getNumWarps()),
      copyWarps(config.atom->isWarpgroup ? layout::kGroupWarps : 0),
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
  of(InstrClass::Integer) +=
      overhead::kShuffled * times * warps * cost.shuffledElements;
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
  bool isMasked = llvm::any_of(dims, [&](ContractionDim dim) {
    return getSize(product.sizes, dim) % getSize(block, dim) != 0;
  });
  // A copy moves as much as a load would, or it is none.
  if (canBeCopied(kernel, config, memory) &&
      (!withConversions || cost.copyLength >= access.vector)) {
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
  bool isWide = memory.bits > 8;
  double computed = steps * tile.shape[0] * tile.shape[1] / kWarpSize;
  of(isWide ? InstrClass::Half : InstrClass::Integer) +=
      computed * memory.numOps * overhead::kComputed[isWide];
  if (memory.isComputed && isMasked)
    integer += computed * overhead::kSelected[isWide];
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
  bool isOfGroups = config.atom->isWarpgroup;
  if (!isOfGroups)
    of(InstrClass::Integer) += programs * warps * overhead::kProgram;
  for (const Product &product : kernel.products) {
    if (product.accBits != kernel.result.bits)
      of(InstrClass::Integer) +=
          (isOfGroups ? overhead::kGroupConversion : overhead::kConversion) *
          elements / kWarpSize;
    if (config.splitK > 1) {
      addReordering(product, product.accBits);
      of(InstrClass::Float32) += elements * (config.splitK - 1) / kWarpSize;
    }
  }
  bool isInBulk = isOfGroups && addBulkStore(tile);
  if (config.splitK == 1 && !isInBulk)
    addReordering(kernel.products.back(), tile.bits);
  layout::GlobalAccess access =
      costs.getAccess(tile, kernel.result.getAlignment());
  sectorsOnce += first.batch * addSectors(kernel.result, tile, access, dims,
                                          first.sizes, first.batch);
  if (!isInBulk)
    of(InstrClass::Integer) +=
        (isOfGroups ? 1 : overhead::kStore) *
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
    config.atom->isWarpgroup ? addGroupProduct(product) : addProduct(product);
  addEpilogue();
  machine::Counters counters;
  counters.grid = {uint32_t(grid.rows), uint32_t(grid.columns),
                   uint32_t(grid.batch)};
  counters.block = {uint32_t(kWarpSize * (warps + copyWarps)), 1, 1};
  counters.sharedBytes = getSharedBytes(kernel, config);
  counters.warps = programs * (warps + copyWarps);
  for (auto [counter, count] :
       llvm::zip_equal(counters.warpInstructions, counts))
    counter = std::llround(count);
  uint64_t mma = std::llround(of(InstrClass::Mma));
  if (config.atom->isWarpgroup)
    setGroupProducts(counters, mma);
  else {
    counters.mma = mma;
    counters.mmaFlops = counters.flops =
        2 * config.atom->getInstructionWork() * mma;
  }
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

machine::Counters CostModel::predict(const ProductKernel &kernel,
                                     const TileConfig &config) {
  return Predictor(kernel, config, gpu, costs, /*withConversions=*/true).run();
}

machine::Counters CostModel::predictLeast(const ProductKernel &kernel,
                                          const TileConfig &config) {
  return Predictor(kernel, config, gpu, costs, /*withConversions=*/false).run();
}
