//===- GpuTest.cpp --------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of GPUs: its figures against those that the vendor publishes; and
// that an entry is all that a chip needs, from the choice of a tile
// configuration to PTX and to a right answer of the simulator.
//
//===----------------------------------------------------------------------===//

#include "tileir/Target/Gpu/Gpu.h"

#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/InitAllDialects.h"
#include "tileir/InitAllPasses.h"
#include "tileir/Simulator/Simulator.h"
#include "tileir/Target/Gpu/Estimate.h"
#include "tileir/Target/PTX/Lowering.h"
#include "tileir/Target/PTX/PTX.h"

#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "llvm/Support/FormatVariadic.h"
#include "gtest/gtest.h"

#include <cstring>
#include <vector>

using namespace mlir;
using namespace tileir;
using namespace tileir::ptx;

namespace {

TEST(Gpu, limitsOfTheProgrammingGuide) {
  struct Limits {
    const char *name;
    uint32_t capability, sharedPerSm, sharedPerBlock, warps, blocks;
  };
  for (Limits e : {Limits{"sm_70", 70, 98304, 98304, 64, 32},
                   {"sm_72", 72, 98304, 98304, 64, 32},
                   {"sm_75", 75, 65536, 65536, 32, 16},
                   {"sm_80", 80, 167936, 166912, 64, 32},
                   {"sm_86", 86, 102400, 101376, 48, 16},
                   {"sm_87", 87, 167936, 166912, 48, 16},
                   {"sm_88", 88, 102400, 101376, 48, 16},
                   {"sm_89", 89, 102400, 101376, 48, 24},
                   {"sm_90", 90, 233472, 232448, 64, 32},
                   {"sm_90a", 90, 233472, 232448, 64, 32},
                   {"sm_100", 100, 233472, 232448, 64, 32},
                   {"sm_100a", 100, 233472, 232448, 64, 32},
                   {"sm_100f", 100, 233472, 232448, 64, 32},
                   {"sm_103", 103, 233472, 232448, 64, 32},
                   {"sm_110", 110, 233472, 232448, 48, 24},
                   {"sm_120", 120, 102400, 101376, 48, 24},
                   {"sm_121f", 121, 102400, 101376, 48, 24}}) {
    const machine::Gpu &c = *llvm::cantFail(machine::getGpu(e.name));
    EXPECT_EQ(c.name, e.name);
    EXPECT_EQ(c.computeCapability, e.capability) << e.name;
    EXPECT_EQ(c.sharedPerSm, e.sharedPerSm) << e.name;
    EXPECT_EQ(c.maxSharedPerBlock, e.sharedPerBlock) << e.name;
    EXPECT_EQ(c.maxWarpsPerSm, e.warps) << e.name;
    EXPECT_EQ(c.maxBlocksPerSm, e.blocks) << e.name;
    EXPECT_EQ(c.maxThreadsPerBlock, 1024u) << e.name;
    EXPECT_EQ(c.maxBlockDim[0], 1024u) << e.name;
    EXPECT_EQ(c.maxBlockDim[1], 1024u) << e.name;
    EXPECT_EQ(c.maxBlockDim[2], 64u) << e.name;
    EXPECT_EQ(c.maxGridDim[0], 2147483647u) << e.name;
    EXPECT_EQ(c.maxGridDim[1], 65535u) << e.name;
    EXPECT_EQ(c.maxGridDim[2], 65535u) << e.name;
    EXPECT_EQ(c.maxStaticShared, 49152u) << e.name;
    EXPECT_EQ(c.registersPerSm, 65536u) << e.name;
    EXPECT_EQ(c.special, 16) << e.name;
    EXPECT_EQ(c.integer, 64) << e.name;
    EXPECT_EQ(c.issue, 4) << e.name;
    EXPECT_EQ(c.sharedWavefronts, 1) << e.name;
  }
}

TEST(Gpu, peaksOfTheDataSheets) {
  // Tflop/s of dense products of f16 and tf32, of f32 lanes and f64 lanes, and
  // Top/s of i8; 0: the chip has none. H100's f32 and f64 peaks are given for
  // 1.98 GHz, its tensor peaks for 1.83 GHz; likewise B200's for 1.965 GHz.
  struct Peaks {
    const char *name;
    double f16, tf32, i8, f32, f64, clockOfLanes;
  };
  for (Peaks e : {Peaks{"sm_70", 125, 0, 0, 15.7, 7.8, 1.53},
                  {"sm_72", 11.3, 0, 22.6, 1.41, 0.705, 1.377},
                  {"sm_75", 65, 0, 130, 8.1, 0.254, 1.59},
                  {"sm_80", 312, 156, 624, 19.5, 9.7, 1.41},
                  {"sm_86", 125, 62.5, 250, 31.2, 0.488, 1.695},
                  {"sm_87", 42.6, 21.3, 85.2, 5.3, 0.083, 1.3},
                  {"sm_89", 121, 60.5, 242, 30.3, 0.473, 2.04},
                  {"sm_90a", 989.4, 494.7, 1978.9, 66.9, 33.5, 1.98},
                  {"sm_100", 2250, 1125, 4500, 74.4, 37.2, 1.965},
                  {"sm_110", 258, 129, 516, 8.06, 0.126, 1.575},
                  {"sm_120", 209.5, 104.8, 838, 104.8, 1.637, 2.407}}) {
    const machine::Gpu &c = *llvm::cantFail(machine::getGpu(e.name));
    double clocks = 2e-3 * c.sms * c.clockGHz;
    double laneClocks = 2e-3 * c.sms * e.clockOfLanes;
    EXPECT_NEAR(c.mma16 * clocks, e.f16, 0.005 * e.f16) << e.name;
    EXPECT_NEAR(c.mmaTf32 * clocks, e.tf32, 0.005 * e.tf32) << e.name;
    EXPECT_NEAR(c.mma8 * clocks, e.i8, 0.005 * e.i8) << e.name;
    EXPECT_NEAR(c.fma32 * laneClocks, e.f32, 0.01 * e.f32) << e.name;
    EXPECT_NEAR(c.fma64 * laneClocks, e.f64, 0.01 * e.f64) << e.name;
  }
  EXPECT_EQ(machine::findGpu("sm_70")->globalGBs, 900);
  EXPECT_EQ(machine::findGpu("sm_80")->globalGBs, 1555);
  EXPECT_EQ(machine::findGpu("sm_90")->globalGBs, 3350);
}

TEST(Gpu, UnknownNamesListTheKnownOnes) {
  auto unknown = machine::getGpu("sm_61");
  ASSERT_FALSE(bool(unknown));
  EXPECT_EQ(llvm::toString(unknown.takeError())
                .find("unknown chip 'sm_61': expected one of sm_70, sm_72, "
                      "sm_75, sm_80, sm_86, sm_87, sm_88, sm_89, sm_90, "
                      "sm_90a, sm_100, sm_100a, sm_100f, sm_103"),
            0u);
  EXPECT_EQ(machine::findGpu("sm_61"), nullptr);
  EXPECT_EQ(machine::findGpu("sm_90"), machine::findGpu("sm_90"));
  EXPECT_EQ(machine::getDefaultGpu().name, machine::kDefaultGpu);
}

TEST(Gpu, ChipsThatTheTableLacksHaveWhatOlderOnesHave) {
  EXPECT_EQ(machine::findGpuOrOlder("sm_101")->name, "sm_100");
  EXPECT_EQ(machine::findGpuOrOlder("sm_130a")->name, "sm_121");
  EXPECT_EQ(machine::findGpuOrOlder("sm_75")->name, "sm_75");
  EXPECT_EQ(machine::findGpuOrOlder("sm_61"), nullptr);
  EXPECT_EQ(machine::findGpuOrOlder("volta"), nullptr);
}

//===----------------------------------------------------------------------===//
// The whole path
//===----------------------------------------------------------------------===//

constexpr int64_t kSize = 64;

/// A product of f16, lowered for a chip, its PTX, and its kernel's launch.
struct Lowered {
  OwningOpRef<ModuleOp> module;
  std::string ptx, bitcode, kernel;
  sim::LaunchConfig config;
};

struct GpuPath : testing::Test {
  static void SetUpTestSuite() {
    mlir::registerAllPasses();
    tileir::registerAllPasses();
  }

  GpuPath() {
    DialectRegistry registry;
    mlir::registerAllDialects(registry);
    registerAllExtensions(registry);
    tileir::registerAllDialects(registry);
    registerAllToLLVMIRTranslations(registry);
    context.appendDialectRegistry(registry);
  }

  Lowered lower(StringRef chip, StringRef options = "");
  void check(const machine::Gpu &gpu);

  MLIRContext context;
};

/// Runs passes, and verifies what each leaves.
static void run(ModuleOp module, StringRef pipeline) {
  PassManager passes(module.getContext());
  llvm::cantFail(runPasses(passes, module, pipeline, /*verifyEach=*/true));
}

Lowered GpuPath::lower(StringRef chip, StringRef options) {
  std::string text =
      llvm::formatv("func.func @main(%a: tensor<{0}x{0}xf16>, "
                    "%b: tensor<{0}x{0}xf16>) -> tensor<{0}x{0}xf32> {{\n"
                    "  %c = einsum.contract \"mk, kn -> mn\" (%a, %b) : "
                    "(tensor<{0}x{0}xf16>, tensor<{0}x{0}xf16>) -> "
                    "tensor<{0}x{0}xf32>\n"
                    "  return %c : tensor<{0}x{0}xf32>\n}",
                    kSize);
  Lowered lowered;
  lowered.module = parseSourceString<ModuleOp>(text, &context);
  run(*lowered.module,
      llvm::formatv("einsum-to-nvvm-pipeline{{chip={0} {1}}", chip, options)
          .str());
  lowered.module->walk([&](gpu::LaunchFuncOp launch) {
    auto get = [](Value size) -> uint32_t {
      return size ? getConstantIntValue(size).value_or(0) : 0;
    };
    gpu::KernelDim3 grid = launch.getGridSizeOperandValues(),
                    block = launch.getBlockSizeOperandValues();
    lowered.kernel = launch.getKernelName().str();
    lowered.config = {{get(grid.x), get(grid.y), get(grid.z)},
                      {get(block.x), get(block.y), get(block.z)},
                      get(launch.getDynamicSharedMemorySize())};
  });
  lowered.ptx = llvm::cantFail(
      translateToPTX(*lowered.module->getOps<gpu::GPUModuleOp>().begin()));
  run(*lowered.module, "gpu-module-to-binary{format=llvm}");
  auto binary = *lowered.module->getOps<gpu::BinaryOp>().begin();
  lowered.bitcode =
      cast<gpu::ObjectAttr>(binary.getObjects()[0]).getObject().str();
  return lowered;
}

/// Small integers, and their bits as f16: sums of their products are exact.
int getNumber(size_t i, size_t seed) { return int(i * 7 + i / 5 + seed) % 3; }
uint16_t getBits(int number) {
  constexpr uint16_t kBits[] = {0x0000, 0x3c00, 0x4000};
  return kBits[number];
}

void GpuPath::check(const machine::Gpu &gpu) {
  SCOPED_TRACE(gpu.name.str());
  Lowered lowered = lower(gpu.name, "config=auto");
  // Attached.
  auto target = tile::TargetAttr::find(*lowered.module);
  ASSERT_TRUE(target);
  EXPECT_EQ(target.getChip(), gpu.name);
  EXPECT_EQ(target.getShared(), gpu.maxSharedPerBlock);
  // Emitted.
  EXPECT_NE(lowered.ptx.find(".target " + gpu.name.str()), std::string::npos);
  if (gpu.ptxVersion) {
    std::string version = llvm::formatv(".version {0}.{1}", gpu.ptxVersion / 10,
                                        gpu.ptxVersion % 10);
    EXPECT_NE(lowered.ptx.find(version), std::string::npos);
  }
  // Simulated.
  sim::Simulator simulator(gpu);
  sim::LoadedModule *module = llvm::cantFail(
      simulator.load(llvm::MemoryBufferRef(lowered.bitcode, "product")));
  sim::Kernel *kernel = llvm::cantFail(module->getKernel(lowered.kernel));
  constexpr size_t kNumbers = kSize * kSize;
  void *buffers[3];
  const void *arguments[3];
  for (auto [i, buffer] : llvm::enumerate(buffers)) {
    buffer = llvm::cantFail(
        simulator.getMemory().allocate(kNumbers * (i == 2 ? 4 : 2)));
    for (size_t j = 0; i < 2 && j < kNumbers; ++j)
      static_cast<uint16_t *>(buffer)[j] = getBits(getNumber(j, i));
    arguments[i] = &buffer;
  }
  ASSERT_EQ(kernel->arguments.size(), 3u);
  auto launched = simulator.launch(*kernel, lowered.config, arguments);
  ASSERT_TRUE(bool(launched)) << llvm::toString(launched.takeError());
  EXPECT_TRUE(launched->findings.empty());
  for (int64_t m = 0; m < kSize; ++m)
    for (int64_t n = 0; n < kSize; ++n) {
      float sum = 0;
      for (int64_t k = 0; k < kSize; ++k)
        sum += getNumber(m * kSize + k, 0) * getNumber(k * kSize + n, 1);
      ASSERT_EQ(static_cast<float *>(buffers[2])[m * kSize + n], sum)
          << m << ", " << n;
    }
  // Estimated.
  EXPECT_GT(machine::estimate(launched->counters, gpu).microseconds, 0);
  // Refused, what no chip of the table can hold.
  lowered.config.dynamicSharedBytes = gpu.maxSharedPerBlock + 1;
  auto refused = simulator.launch(*kernel, lowered.config, arguments);
  EXPECT_FALSE(bool(refused));
  llvm::consumeError(refused.takeError());
}

TEST_F(GpuPath, EveryEntryIsAttachedEmittedAndSimulated) {
  for (const machine::Gpu *gpu : machine::getGpus())
    check(*gpu);
}

TEST_F(GpuPath, AnEntryIsAllThatANewChipTakes) {
  machine::Gpu gpu = *machine::findGpu("sm_80");
  gpu.name = "sm_101"; // LLVM has kept the name, which PTX has not
  gpu.product = "made up";
  gpu.computeCapability = 101;
  gpu.ptxVersion = 88;
  gpu.maxSharedPerBlock = 6 * 1024;
  gpu.sms = 1;
  llvm::cantFail(machine::addGpu(gpu));
  EXPECT_EQ(llvm::toString(machine::addGpu(gpu)),
            "expected a chip that the table lacks, found 'sm_101'");
  check(*machine::findGpu("sm_101"));
  // What the entry says is what decides: how much shared memory there is for
  // blocks, and how many programs a sum is split for.
  EXPECT_LE(lower("sm_101", "config=auto").config.dynamicSharedBytes, 6144u);
  StringRef split =
      "config={block=64x64x8 warp=32x32 stages=1} split-k-blocks=0 "
      "split-k-combine=atomic";
  EXPECT_EQ(lower("sm_70", split).config.grid[2], 2u);
  EXPECT_EQ(lower("sm_101", split).config.grid[2], 1u);
}

} // namespace
