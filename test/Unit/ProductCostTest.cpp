//===- ProductCostTest.cpp ------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Predictions against what the simulator has counted for the same products, by
// tile-run --backend=sim with the options of the tile configuration; and which
// configurations there are.
//
//===----------------------------------------------------------------------===//

#include "ProductCost.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace tileir;
using namespace tileir::config_selection;
using einsum::ContractionDim;
using layout::TileConfig;
using machine::InstrClass;

namespace {

constexpr BlockLimits kVolta = {96 * 1024, 1024, 255};

const layout::MmaAtom *const kSmall = layout::findAtom("volta_16x16x8");
const layout::MmaAtom *const kLarge = layout::findAtom("volta_32x32x8");

machine::Counters predict(const ProductKernel &kernel,
                          const TileConfig &config) {
  CostModel model(*machine::findGpu(kernel.hasAsync ? "sm_80" : "sm_70"),
                  {/*loads=*/kernel.hasAsync, /*stores=*/false});
  return model.predict(kernel, config);
}

/// "mk, kn -> mn" with other orders of the operands, if they are said to be
/// transposed.
ProductKernel makeKernel(int64_t rows, int64_t columns, int64_t depth,
                         bool transposesA = false, bool transposesB = false,
                         unsigned accBits = 32, unsigned resultBits = 16) {
  Product product;
  product.sizes = {rows, columns, depth};
  product.a = transposesA ? MatrixMemory{ContractionDim::M, rows, 16}
                          : MatrixMemory{ContractionDim::K, depth, 16};
  product.b = transposesB ? MatrixMemory{ContractionDim::K, depth, 16}
                          : MatrixMemory{ContractionDim::N, columns, 16};
  product.accBits = accBits;
  ProductKernel kernel;
  kernel.products = {product};
  kernel.atoms = {kSmall, kLarge};
  kernel.result = {ContractionDim::N, columns, resultBits};
  return kernel;
}

/// The same on sm_80, of elements of `bits`.
ProductKernel makeAsyncKernel(llvm::StringRef atom, unsigned bits, int64_t rows,
                              int64_t columns, int64_t depth, bool transposesA,
                              bool transposesB, unsigned resultBits) {
  ProductKernel kernel = makeKernel(rows, columns, depth, transposesA,
                                    transposesB, /*accBits=*/32, resultBits);
  kernel.products[0].a.bits = kernel.products[0].b.bits = bits;
  kernel.atoms = {layout::findAtom(atom)};
  kernel.hasAsync = true;
  return kernel;
}

struct Counted {
  uint64_t mma, wavefronts, bytes, integer, global, instructions, shared;
  uint64_t copies = 0;
};

/// Counts that depend on how LLVM simplifies addresses may be off by a third.
void compare(const ProductKernel &kernel, const TileConfig &config,
             const Counted &counted, bool isAligned = true) {
  machine::Counters c = predict(kernel, config);
  EXPECT_EQ(c.mma, counted.mma);
  EXPECT_EQ(c.mmaFlops, 2 * config.atom->getInstructionWork() * counted.mma);
  EXPECT_EQ(c.shared.wavefronts, counted.wavefronts);
  EXPECT_EQ(c.sharedBytes, counted.shared);
  double allowed = isAligned ? 0 : 0.1;
  EXPECT_NEAR(c.globalBytes, counted.bytes, allowed * counted.bytes);
  EXPECT_EQ(c.globalBytes, 32 * c.global.sectors);
  auto of = [&](InstrClass instrClass) {
    return c.warpInstructions[unsigned(instrClass)];
  };
  EXPECT_NEAR(of(InstrClass::Global), counted.global, allowed * counted.global);
  EXPECT_EQ(of(InstrClass::AsyncCopy), counted.copies);
  EXPECT_NEAR(of(InstrClass::Integer), counted.integer, counted.integer / 3.);
  EXPECT_NEAR(c.getWarpInstructions(), counted.instructions,
              counted.instructions / 6.);
}

TEST(ProductCost, alignedProducts) {
  compare(makeKernel(512, 512, 512), {{128, 128, 32}, 64, 32, kSmall, 1, 2},
          {131072, 237568, 4718592, 105472, 9216, 317824, 32768});
  compare(makeKernel(256, 256, 128, true, true, 16, 32),
          {{64, 64, 32}, 32, 32, kLarge, 1, 1},
          {8192, 24576, 786432, 10240, 1536, 27072, 16384});
  compare(makeKernel(256, 384, 256, true, false, 32, 32),
          {{128, 64, 16}, 32, 64, kSmall, 1, 2},
          {24576, 52224, 1572864, 32064, 3072, 77520, 32768});
}

TEST(ProductCost, partsOfTheDepth) {
  compare(makeKernel(128, 128, 256, false, true),
          {{64, 64, 64}, 32, 32, kSmall, 2, 2},
          {4096, 12288, 294912, 8288, 576, 17408, 32768});
  compare(makeKernel(64, 256, 512), {{32, 64, 64}, 32, 32, kSmall, 4, 2},
          {8192, 26624, 819200, 25216, 1600, 46976, 32768});
}

TEST(ProductCost, unalignedProducts) {
  compare(makeKernel(300, 200, 100), {{64, 64, 32}, 32, 32, kSmall, 1, 2},
          {10240, 28160, 985600, 30320, 1864, 52824, 16384},
          /*isAligned=*/false);
  compare(makeKernel(171, 259, 330, true, true),
          {{64, 128, 32}, 32, 32, kSmall, 1, 2},
          {25344, 62496, 6446432, 74961, 11966, 146183, 24576},
          /*isAligned=*/false);
}

TEST(ProductCost, asynchronousCopies) {
  auto make = [](int64_t rows, int64_t columns, int64_t depth,
                 bool transposesA = false, bool transposesB = false,
                 unsigned resultBits = 32) {
    return makeAsyncKernel("m16n8k16_f16", 16, rows, columns, depth,
                           transposesA, transposesB, resultBits);
  };
  const layout::MmaAtom *f16 = layout::findAtom("m16n8k16_f16");
  compare(make(512, 512, 512, false, false, 16),
          {{128, 128, 32}, 64, 32, f16, 1, 3},
          {65536, 143360, 4718592, 50688, 1024, 164352, 49152, 16000});
  compare(make(256, 384, 512, true), {{64, 64, 32}, 32, 32, f16, 1, 8},
          {24576, 90624, 3538944, 42624, 768, 100032, 65536, 14880});
  compare(make(300, 200, 104, false, false, 16),
          {{64, 64, 32}, 32, 32, f16, 1, 4},
          {5120, 21760, 706880, 21200, 300, 34780, 32768, 3760},
          /*isAligned=*/false);
  compare(make(172, 260, 330, true, true), {{64, 128, 32}, 32, 32, f16, 1, 3},
          {12672, 67392, 3569504, 66528, 516, 101676, 36864, 12096},
          /*isAligned=*/false);
  const layout::MmaAtom *i8 = layout::findAtom("m16n8k32_i8");
  compare(makeAsyncKernel("m16n8k32_i8", 8, 256, 256, 512, false, true, 32),
          {{64, 64, 64}, 32, 32, i8, 1, 4},
          {8192, 31744, 1310720, 16448, 512, 36288, 32768, 4800});
}

TEST(ProductCost, warpgroups) {
  // As counted on sm_90a with block=128x256x64 and stages=4, of 8 steps.
  ProductKernel kernel =
      makeAsyncKernel("wgmma_k16_bf16", 16, 128, 256, 512, false, false, 32);
  TileConfig config = {{128, 256, 64}, 16, 256, kernel.atoms[0], 1, 4};
  CostModel model(*machine::findGpu("sm_90a"), {true, true});
  machine::Counters c = model.predict(kernel, config);
  EXPECT_EQ(c.grid, (std::array<uint32_t, 3>{1, 1, 1}));
  EXPECT_EQ(c.block, (std::array<uint32_t, 3>{384, 1, 1}));
  EXPECT_EQ(c.sharedBytes, 196672u);
  EXPECT_EQ(c.mma, 0u);
  EXPECT_EQ(c.wgmma, 256u);
  EXPECT_EQ(c.wgmmaFlops, 33554432u);
  EXPECT_EQ(c.mmaFlops, c.wgmmaFlops);
  EXPECT_EQ(c.wgmmaWavefronts, 5120u);
  // Operands, and the sum on its way to the bulk store.
  EXPECT_EQ(c.shared.wavefronts, 6144u);
  EXPECT_EQ(c.global.sectors, 16384u);
  EXPECT_NEAR(c.getWarpInstructions(), 3826, 3826 / 20.);
  // The copies of four steps are on their way together.
  EXPECT_EQ(c.roundTrips, 2u);
}

TEST(ProductCost, promotedSums) {
  // As counted on sm_90a, of 2 x 2 blocks of 4 steps, and of 2 x 4 of 8.
  for (auto [block, instructions] :
       {std::pair(layout::TileSizes{128, 128, 128}, 15648),
        std::pair(layout::TileSizes{128, 64, 64}, 36896)}) {
    ProductKernel kernel =
        makeAsyncKernel("wgmma_k32_f8", 8, 256, 256, 512, false, true, 32);
    TileConfig config = {block, 16, block.n, kernel.atoms[0], 1, 4};
    CostModel model(*machine::findGpu("sm_90a"), {true, true});
    machine::Counters c = model.predict(kernel, config);
    EXPECT_NEAR(c.getWarpInstructions(), instructions, instructions / 10.);
    // A sum of f32 for each step.
    uint64_t steps = 256 * 256 * 512 / (block.m * block.n * block.k);
    EXPECT_EQ(c.warpInstructions[size_t(machine::InstrClass::Float32)],
              steps * block.m * block.n / 32);
  }
}

TEST(ProductCost, configurationsOfWarpgroups) {
  constexpr BlockLimits kHopper = {227 * 1024, 1024, 255};
  ProductKernel kernel =
      makeAsyncKernel("m16n8k16_bf16", 16, 1024, 200, 512, false, false, 32);
  EXPECT_TRUE(getGroupConfigs(kernel, kHopper, {4}).empty());
  kernel.groupAtoms = {layout::findAtom("wgmma_k16_bf16")};
  kernel.getWindows = [](const TileConfig &config) {
    return std::optional(config.block);
  };
  auto configs = getGroupConfigs(kernel, kHopper, {4, 6});
  EXPECT_FALSE(configs.empty());
  for (const TileConfig &config : configs) {
    EXPECT_EQ(config.atom, kernel.groupAtoms.front());
    EXPECT_LE(getSharedBytes(kernel, config), kHopper.shared);
    // The sum of a block of 256 x 256 has more registers than there are.
    EXPECT_LE(config.block.m * config.block.n, 256 * 128);
    EXPECT_EQ(config.getNumWarps(), config.block.m / 16);
  }
  // Boxes have a smaller K.
  kernel.getWindows = [](const TileConfig &config) {
    return std::optional(layout::TileSizes{config.block.m, config.block.n, 16});
  };
  for (const TileConfig &config : getGroupConfigs(kernel, kHopper, {4}))
    EXPECT_EQ(config.block.k, 16);
  kernel.getWindows = [](const TileConfig &) {
    return std::optional<layout::TileSizes>();
  };
  EXPECT_TRUE(getGroupConfigs(kernel, kHopper, {4}).empty());
}

TEST(ProductCost, registersOfManyThreads) {
  // 512 threads have 128 registers each: too few for sums of 64 x 64 a warp.
  ProductKernel kernel =
      makeAsyncKernel("m16n8k16_f16", 16, 4096, 4096, 512, false, false, 32);
  for (const TileConfig &config :
       getConfigs(kernel, {227 * 1024, 1024, 255}, {3}))
    EXPECT_TRUE(config.warpM * config.warpN < 64 * 64 ||
                config.getNumWarps() <= 8);
}

TEST(ProductCost, stagesTakeSharedMemoryAndNoRegisters) {
  ProductKernel kernel =
      makeAsyncKernel("m16n8k16_f16", 16, 512, 512, 512, false, false, 16);
  TileConfig config = {{128, 128, 32}, 64, 32, kernel.atoms[0], 1, 2};
  int64_t registers = getRegisters(kernel, config);
  for (config.stages = 3; config.stages <= 8; ++config.stages) {
    EXPECT_EQ(getSharedBytes(kernel, config), config.stages * 16384);
    EXPECT_EQ(getRegisters(kernel, config), registers);
  }
  config.stages = 8;
  // What goes through registers has two stages, and takes registers.
  kernel.products[0].a.isComputed = true;
  EXPECT_EQ(getSharedBytes(kernel, config), 2 * 8192 + config.stages * 8192);
  EXPECT_EQ(getRegisters(kernel, config), registers + 8);
  // So does what lies side by side by less than four bytes.
  kernel.products[0].b.run = 201;
  EXPECT_EQ(getSharedBytes(kernel, config), 2 * 16384);
  EXPECT_EQ(getRegisters(kernel, config), registers + 16);
}

TEST(ProductCost, latency) {
  // Of 32 steps, those of as many stages as there are but one arrive together.
  ProductKernel kernel =
      makeAsyncKernel("m16n8k16_f16", 16, 256, 256, 1024, false, false, 16);
  auto getTrips = [&](int64_t stages) {
    return predict(kernel, {{128, 128, 32}, 64, 32, kernel.atoms[0], 1, stages})
        .roundTrips;
  };
  EXPECT_EQ(getTrips(2), 4u * 32);
  EXPECT_EQ(getTrips(3), 4u * 16);
  EXPECT_EQ(getTrips(4), 4u * 11);
  EXPECT_EQ(getTrips(8), 4u * 5);
  kernel.products[0].a.isComputed = kernel.products[0].b.isComputed = true;
  EXPECT_EQ(getTrips(3), 0u);
}

TEST(ProductCost, groupsOfPrograms) {
  const machine::Gpu &gpu = *machine::findGpu("sm_80");
  CostModel model(gpu, {/*loads=*/true, /*stores=*/false});
  auto make = [](int64_t rows, int64_t columns) {
    return makeAsyncKernel("m16n8k16_f16", 16, rows, columns, 4096, false,
                           false, 16);
  };
  ProductKernel large = make(8192, 8192);
  TileConfig config = {{128, 128, 32}, 64, 32, large.atoms[0], 1, 3};
  // All of 64 blocks along M are 64 MB for each few columns of blocks; of a
  // square, each row and column of blocks is read once a wave.
  config.group = model.chooseGroup(large, config);
  EXPECT_GE(config.group, 8);
  EXPECT_LE(config.group, 32);
  TileConfig plain = config;
  plain.group = 0;
  machine::Counters grouped = model.predict(large, config),
                    all = model.predict(large, plain);
  EXPECT_LT(1.5 * grouped.deviceBytes, all.deviceBytes);
  EXPECT_EQ(grouped.globalBytes, all.globalBytes);
  // L2 holds all of a small product, and one wave the blocks of a flat one.
  EXPECT_EQ(model.chooseGroup(make(1024, 1024), plain), 0);
  EXPECT_EQ(model.chooseGroup(make(256, 8192), plain), 0);
}

TEST(ProductCost, bytesOfDeviceMemory) {
  // As the simulator counts them on sm_72, by test/Simulator/group.mlir.
  CostModel model(*machine::findGpu("sm_72"), /*matrices=*/{});
  ProductKernel kernel = makeKernel(1024, 1024, 128);
  TileConfig config = {{64, 64, 32}, 32, 32, kSmall, 1, 2};
  EXPECT_EQ(model.predict(kernel, config).deviceBytes, 3932160u);
  for (auto [group, counted] :
       {std::pair(1, 3932160), {2, 3899392}, {4, 3670016}, {8, 3538944}}) {
    config.group = group;
    EXPECT_NEAR(model.predict(kernel, config).deviceBytes, counted,
                0.05 * counted);
  }
}

TEST(ProductCost, gridAndBlock) {
  ProductKernel kernel = makeKernel(300, 200, 100);
  kernel.products[0].batch = 3;
  machine::Counters c = predict(kernel, {{64, 128, 32}, 32, 32, kSmall, 2, 2});
  EXPECT_EQ(c.grid, (std::array<uint32_t, 3>{5, 2, 3}));
  EXPECT_EQ(c.block, (std::array<uint32_t, 3>{32 * 16, 1, 1}));
  EXPECT_EQ(c.warps, 5u * 2 * 3 * 16);
}

TEST(ProductCost, oneWarpSharesNothing) {
  ProductKernel kernel = makeKernel(128, 64, 128);
  TileConfig config = {{32, 32, 16}, 32, 32, kSmall, 1, 2};
  machine::Counters c = predict(kernel, config);
  EXPECT_EQ(getSharedBytes(kernel, config), 0);
  EXPECT_EQ(c.shared.wavefronts, 0u);
  EXPECT_EQ(c.mma, 1024u);
  EXPECT_EQ(c.globalBytes, 147456u);
  EXPECT_GT(c.warpInstructions[unsigned(InstrClass::Shuffle)], 0u);
}

TEST(ProductCost, warpsThatLoadTheirOwnFragments) {
  // Of 8 warps one above the other, each loads the rows of A that it
  // multiplies. Of 4 parts of the depth, each loads its own of both operands.
  auto check = [](const ProductKernel &kernel, const TileConfig &config,
                  uint64_t wavefronts, uint64_t shuffles) {
    machine::Counters c = predict(kernel, config);
    EXPECT_EQ(c.shared.wavefronts, wavefronts);
    EXPECT_EQ(c.warpInstructions[unsigned(InstrClass::Shuffle)], shuffles);
  };
  check(makeKernel(512, 384, 128, false, true),
        {{256, 64, 8}, 32, 64, kLarge, 1, 2}, 32256, 12288);
  check(makeKernel(64, 48, 168, true, true),
        {{32, 32, 32}, 32, 32, kSmall, 4, 2}, 2176, 768);
}

TEST(ProductCost, productsOfOneKernel) {
  TileConfig config = {{64, 64, 32}, 32, 32, kSmall, 1, 2};
  ProductKernel one = makeKernel(256, 256, 128), two = one;
  two.products.push_back(one.products[0]);
  two.products[1].sizes.k = 256;
  // Memory is shared, the first result is held while the second is summed up.
  EXPECT_EQ(getSharedBytes(two, config), getSharedBytes(one, config));
  EXPECT_EQ(getRegisters(two, config), getRegisters(one, config) + 32);
  EXPECT_EQ(predict(two, config).mma, 3 * predict(one, config).mma);
  ProductKernel bias = one;
  bias.pointwiseBytes = 2 * 256 * 256;
  EXPECT_EQ(predict(bias, config).globalBytes,
            predict(one, config).globalBytes + 2 * 256 * 256);
}

TEST(ProductCost, predicatesTakeABytePerElement) {
  TileConfig config = {{64, 64, 32}, 32, 32, kSmall, 1, 2};
  machine::Counters bits =
      predict(makeKernel(256, 256, 128, false, false, 32, 1), config);
  machine::Counters bytes =
      predict(makeKernel(256, 256, 128, false, false, 32, 8), config);
  EXPECT_EQ(bits.shared.wavefronts, bytes.shared.wavefronts);
  EXPECT_EQ(bits.globalBytes, bytes.globalBytes);
}

TEST(ProductCost, withoutConversionsThereIsLess) {
  ProductKernel kernel = makeKernel(300, 256, 130, true);
  CostModel model(*machine::findGpu("sm_70"), /*matrices=*/{});
  unsigned fewer = 0;
  for (const TileConfig &config : getConfigs(kernel, kVolta, {2})) {
    machine::Counters least = model.predictLeast(kernel, config),
                      all = model.predict(kernel, config);
    EXPECT_EQ(least.mma, all.mma);
    EXPECT_EQ(least.globalBytes, all.globalBytes);
    EXPECT_EQ(least.sharedBytes, all.sharedBytes);
    EXPECT_LE(least.shared.wavefronts, all.shared.wavefronts);
    for (auto [some, total] :
         llvm::zip_equal(least.warpInstructions, all.warpInstructions))
      EXPECT_LE(some, total);
    fewer += least.getWarpInstructions() < all.getWarpInstructions();
  }
  EXPECT_GT(fewer, 0u);
}

TEST(ProductCost, configsFit) {
  ProductKernel kernel = makeKernel(512, 512, 512);
  auto configs = getConfigs(kernel, kVolta, {2});
  EXPECT_GT(configs.size(), 1000u);
  for (const TileConfig &d : configs) {
    EXPECT_LE(getSharedBytes(kernel, d), kVolta.shared);
    EXPECT_LE(getRegisters(kernel, d), kVolta.registers);
    EXPECT_LE(d.getNumWarps(), 32);
    EXPECT_GE(d.block.k / d.splitK, 8);
    EXPECT_LE(d.atom->m, d.warpM);
    EXPECT_LE(d.atom->n, d.warpN);
    EXPECT_EQ(d.stages, 2);
  }
  auto has = [&](const TileConfig &wanted) {
    return llvm::any_of(configs, [&](const TileConfig &d) {
      return d.block == wanted.block && d.warpM == wanted.warpM &&
             d.warpN == wanted.warpN && d.atom == wanted.atom &&
             d.splitK == wanted.splitK;
    });
  };
  EXPECT_TRUE(has({{128, 128, 32}, 64, 32, kSmall, 1, 2}));
  EXPECT_TRUE(has({{256, 128, 64}, 64, 64, kLarge, 1, 2}));
  EXPECT_FALSE(has({{256, 256, 32}, 64, 64, kSmall, 1, 2}));  // shared memory
  EXPECT_FALSE(has({{128, 128, 32}, 128, 64, kSmall, 1, 2})); // registers
  EXPECT_FALSE(has({{128, 128, 32}, 16, 16, kSmall, 1, 2}));  // warps
}

TEST(ProductCost, configsOfSmallProducts) {
  // 40 x 9 x 20: blocks are not larger, one step has one stage.
  auto configs = getConfigs(makeKernel(40, 9, 20), kVolta, {2});
  for (const TileConfig &d : configs) {
    EXPECT_LE(d.block.m, 64);
    EXPECT_EQ(d.block.n, 16);
    EXPECT_LE(d.block.k, 32);
    EXPECT_EQ(d.stages, d.block.k == 32 ? 1 : 2);
  }
  EXPECT_FALSE(configs.empty());
  EXPECT_TRUE(getConfigs(makeKernel(40, 9, 20), {0, 32, 15}, {2}).empty());
}

} // namespace
