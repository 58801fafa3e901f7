//===- Gpu.cpp - The table of GPUs ----------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources: [G] CUDA C++ Programming Guide, "Compute Capabilities" (tables of
// features, technical specifications and arithmetic throughput); [V], [T], [A],
// [H], [R] NVIDIA's white papers "Tesla V100 GPU Architecture" (WP-08608),
// "Turing GPU Architecture" (WP-09183), "A100 Tensor Core GPU Architecture",
// "H100 Tensor Core GPU Architecture", "RTX Blackwell GPU Architecture"; [D]
// the data sheets of T4, A10, L4, HGX B200, Jetson AGX Xavier, Orin and Thor.
//
// - The chips are those that LLVM 22 knows from sm_70 on, but for sm_101, the
//   name that sm_110 had before PTX 9.0. Of a product without published rates
//   (sm_88, sm_103, sm_121) an entry has those of a chip of the same family,
//   and names its product.
// - Shared memory, warps and blocks of an SM: [G]. From sm_80 on the system
//   keeps 1 KB of each block's shared memory, so a block gets 1 KB less than an
//   SM has. [G] lacks sm_88: it has the least of its family.
// - SMs, boost clocks, bandwidths, L2: [V] [T] [A] [H] [R] [D]; the L2 of Thor
//   is not published, and taken to be 32 MB.
// - L2 gives an SM up to 64 bytes a clock on A100 [A] and all SMs of V100 2048
//   together: 32 are what SMs that all ask get at least, nearly. A copy from
//   global memory arrives after some 470 clocks on A100 and 480 on H100 (Luo et
//   al., see below), if L2 is not busy.
// - Rates of f32 and f64 lanes: [G]. Rates of mma: dense, f16 with f32
//   accumulation. They follow from the peaks in [V] [D] [A] [H], for example
//   V100: 125 Tflop/s = 80 SMs * 1.53 GHz * 2 * 512.
// - H100: 2048 f16 multiply-adds an SM and clock are what wgmma reaches; with
//   mma.sync the same tensor cores reach about 62 % of it (Luo et al.,
//   "Benchmarking and Dissecting the Nvidia Hopper GPU Architecture", 2024,
//   arXiv 2402.13499).
//   Its clock is the 1.83 GHz that [H]'s tensor peaks are for (989 Tflop/s).
// - B200, Thor: the rates of mma are those of tcgen05. The share that mma.sync
//   reaches is not published; that of H100 stands for it. B200's clock is that
//   of its tensor peaks on 148 SMs (2.25 Pflop/s of f16).
// - PTX: the atoms of Volta need 6.4, and LLVM would ask for less on its chips;
//   those of f8 need 8.4. Chips after sm_90, and sm_88, exist since the version
//   that is given. tanh.approx exists since sm_75 and PTX 7.0, which LLVM asks
//   for from sm_80 on. Volta's atoms are emulated on all later chips, which do
//   not list them.
//
//===----------------------------------------------------------------------===//

#include "tileir/Target/Gpu/Gpu.h"

#include <deque>

using namespace tileir::machine;

static constexpr uint32_t KB = 1024, MB = 1024 * KB;

/// Adds the targets whose instructions do not carry over to all later chips:
/// those of one chip (a) and of its family (f), which need PTX 8.8. They differ
/// from the chip in nothing else, but that wgmma is sm_90a's alone.
static std::deque<Gpu> withVariants(const std::deque<Gpu> &chips) {
  static constexpr std::pair<llvm::StringLiteral, llvm::StringLiteral>
      kVariants[] = {
          {"sm_90", "sm_90a"},   {"sm_100", "sm_100a"}, {"sm_100", "sm_100f"},
          {"sm_103", "sm_103a"}, {"sm_103", "sm_103f"}, {"sm_110", "sm_110a"},
          {"sm_110", "sm_110f"}, {"sm_120", "sm_120a"}, {"sm_120", "sm_120f"},
          {"sm_121", "sm_121a"}, {"sm_121", "sm_121f"}};
  static constexpr llvm::StringLiteral kWarpgroup[] = {
      "wgmma_k16_f16", "wgmma_k16_bf16", "wgmma_k8_tf32", "wgmma_k32_f8",
      "wgmma_k32_i8"};
  std::deque<Gpu> table;
  for (const Gpu &chip : chips) {
    table.push_back(chip);
    for (auto [name, variant] : kVariants)
      if (name == chip.name) {
        table.push_back(chip);
        table.back().name = variant;
        if (variant.ends_with("f"))
          table.back().ptxVersion = std::max(chip.ptxVersion, 88u);
        if (table.back().hasWgmma())
          table.back().mma.insert(table.back().mma.begin(),
                                  std::begin(kWarpgroup), std::end(kWarpgroup));
      }
  }
  return table;
}

/// A deque, for entries that are added must not move the others.
static std::deque<Gpu> &getTable() {
  // The name for LLVM, the product, the compute capability; version of PTX,
  // tanh, min and max with NaN, matrix instructions; shared memory of an SM and
  // of a block, warps and blocks of an SM, SMs; GHz, multiply-adds of f32 and
  // f64, mma of f16, tf32, i8 and f64, share of mma.sync, GB/s, L2.
  // clang-format off
  using Atoms = llvm::SmallVector<llvm::StringRef, 2>;
  static const Atoms kVolta = {"volta_16x16x8", "volta_32x32x8"};
  static const Atoms kTuring = {"m16n8k8_f16", "m8n8k16_i8"};
  static const Atoms kAmpere = {"m16n8k16_f16", "m16n8k8_f16", "m16n8k16_bf16",
                                "m16n8k8_tf32", "m16n8k32_i8", "m8n8k4_f64"};
  static const Atoms kAda = {"m16n8k16_f16", "m16n8k8_f16", "m16n8k16_bf16",
                             "m16n8k8_tf32", "m16n8k32_i8", "m8n8k4_f64",
                             "m16n8k32_f8"};
  static std::deque<Gpu> table = withVariants({
      {"sm_70", "V100 SXM2", 70, 65, false, false, kVolta,
       96 * KB, 96 * KB, 64, 32, 80, 1.530, 64, 32, 512, 0, 0, 0, 1, 900, 6 * MB},
      {"sm_72", "Jetson AGX Xavier", 72, 65, false, false, kVolta,
       96 * KB, 96 * KB, 64, 32, 8, 1.377, 64, 32, 512, 0, 1024, 0, 1, 137, 512 * KB},
      {"sm_75", "T4", 75, 65, false, false, kTuring,
       64 * KB, 64 * KB, 32, 16, 40, 1.590, 64, 2, 512, 0, 1024, 0, 1, 320, 4 * MB},
      {"sm_80", "A100 SXM4 40 GB", 80, 0, true, true, kAmpere,
       164 * KB, 163 * KB, 64, 32, 108, 1.410, 64, 32, 1024, 512, 2048, 64, 1, 1555, 40 * MB},
      {"sm_86", "A10", 86, 0, true, true, kAmpere,
       100 * KB, 99 * KB, 48, 16, 72, 1.695, 128, 2, 512, 256, 1024, 0, 1, 600, 6 * MB},
      {"sm_87", "Jetson AGX Orin 64 GB", 87, 0, true, true, kAmpere,
       164 * KB, 163 * KB, 48, 16, 16, 1.300, 128, 2, 1024, 512, 2048, 0, 1, 204.8, 4 * MB},
      {"sm_88", "Jetson AGX Orin 64 GB", 88, 90, true, true, kAmpere,
       100 * KB, 99 * KB, 48, 16, 16, 1.300, 128, 2, 1024, 512, 2048, 0, 1, 204.8, 4 * MB},
      {"sm_89", "L4", 89, 84, true, true, kAda,
       100 * KB, 99 * KB, 48, 24, 58, 2.040, 128, 2, 512, 256, 1024, 0, 1, 300, 48 * MB},
      {"sm_90", "H100 SXM5", 90, 84, true, true, kAda,
       228 * KB, 227 * KB, 64, 32, 132, 1.830, 128, 64, 2048, 1024, 4096, 128, 0.62, 3350, 50 * MB},
      {"sm_100", "B200", 100, 86, true, true, kAda,
       228 * KB, 227 * KB, 64, 32, 148, 1.856, 128, 64, 4096, 2048, 8192, 64, 0.62, 8000, 126 * MB},
      {"sm_103", "B200", 103, 88, true, true, kAda,
       228 * KB, 227 * KB, 64, 32, 148, 1.856, 128, 64, 4096, 2048, 8192, 64, 0.62, 8000, 126 * MB},
      {"sm_110", "Jetson AGX Thor", 110, 90, true, true, kAda,
       228 * KB, 227 * KB, 48, 24, 20, 1.575, 128, 2, 4096, 2048, 8192, 0, 0.62, 273, 32 * MB},
      {"sm_120", "GeForce RTX 5090", 120, 87, true, true, kAda,
       100 * KB, 99 * KB, 48, 24, 170, 2.407, 128, 2, 256, 128, 1024, 0, 1, 1792, 96 * MB},
      {"sm_121", "GeForce RTX 5090", 121, 88, true, true, kAda,
       100 * KB, 99 * KB, 48, 24, 170, 2.407, 128, 2, 256, 128, 1024, 0, 1, 1792, 96 * MB},
  });
  // clang-format on
  return table;
}

const Gpu &tileir::machine::getDefaultGpu() { return *findGpu(kDefaultGpu); }

const Gpu *tileir::machine::findGpu(llvm::StringRef name) {
  for (const Gpu &gpu : getTable())
    if (gpu.name == name)
      return &gpu;
  return nullptr;
}

llvm::Expected<const Gpu *> tileir::machine::getGpu(llvm::StringRef name) {
  if (const Gpu *gpu = findGpu(name))
    return gpu;
  return llvm::createStringError("unknown chip '" + name +
                                 "': expected one of " + getGpuNames());
}

static constexpr llvm::StringLiteral kPrefix = "sm_";

bool tileir::machine::isGpuName(llvm::StringRef name) {
  return name.starts_with(kPrefix);
}

std::string tileir::machine::getGpuName(uint32_t computeCapability) {
  return (kPrefix + llvm::Twine(computeCapability)).str();
}

const Gpu *tileir::machine::findGpuOrOlder(llvm::StringRef name) {
  if (const Gpu *gpu = findGpu(name))
    return gpu;
  unsigned computeCapability;
  if (!name.consume_front(kPrefix) ||
      name.consumeInteger(10, computeCapability))
    return nullptr;
  const Gpu *newest = nullptr;
  for (const Gpu &gpu : getTable())
    if (gpu.computeCapability <= computeCapability &&
        (!newest || gpu.computeCapability > newest->computeCapability))
      newest = &gpu;
  return newest;
}

llvm::SmallVector<const Gpu *> tileir::machine::getGpus() {
  llvm::SmallVector<const Gpu *> gpus;
  for (const Gpu &gpu : getTable())
    gpus.push_back(&gpu);
  return gpus;
}

std::string tileir::machine::getGpuNames() {
  std::string names;
  for (const Gpu &gpu : getTable())
    names += (names.empty() ? "" : ", ") + gpu.name.str();
  return names;
}

llvm::Error tileir::machine::addGpu(const Gpu &gpu) {
  if (findGpu(gpu.name))
    return llvm::createStringError("expected a chip that the table lacks, "
                                   "found '" +
                                   gpu.name + "'");
  getTable().push_back(gpu);
  return llvm::Error::success();
}
