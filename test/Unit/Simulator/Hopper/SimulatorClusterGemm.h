//===- SimulatorClusterGemm.h -----------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A GEMM as libraries write it for Hopper, in PTX: two blocks of a cluster
// multiply their rows of A by one B. Each block loads half of a tile of B and
// multicasts it to both, one warp for all loads, and a warpgroup multiplies;
// its warps release a stage to the producers of both blocks.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TEST_UNIT_SIMULATOR_SIMULATORCLUSTERGEMM_H
#define TILEIR_TEST_UNIT_SIMULATOR_SIMULATORCLUSTERGEMM_H

#include "SimulatorEvaluate.h"
#include "tileir/Target/Gpu/TensorMap.h"

namespace tileir::sim::test {

/// Rows of A in a block, of B (columns of the result), and the depth of a tile.
constexpr uint32_t kRows = 64, kColumns = 32, kDepth = 64;
constexpr uint32_t kGemmBlocks = 4, kCluster = 2, kGemmThreads = 160;

/// Parameters: A, B, the result in row-major order, tiles along the depth.
/// Stages of 8192 bytes of A and 4096 of B; warp 4 loads.
const char *const kGemm = R"(.version 8.4
.target sm_90a
.address_size 64
.visible .entry gemm(.param .align 64 .b8 mapA[128],
                     .param .align 64 .b8 mapB[128], .param .u64 out,
                     .param .u32 rounds) {
  .shared .align 1024 .b8 stages[24576];
  .shared .align 8 .b64 full[2];
  .shared .align 8 .b64 empty[2];
  .reg .pred %p<8>;
  .reg .b16 %mask;
  .reg .b32 %tid, %rank, %block, %rounds, %k, %s, %parity, %other, %r<32>;
  .reg .b32 %full, %empty, %a, %b, %d<16>;
  .reg .b64 %mapA, %mapB, %out, %x<8>;
  mov.b64 %mapA, mapA;
  cvta.param.u64 %mapA, %mapA;
  mov.b64 %mapB, mapB;
  cvta.param.u64 %mapB, %mapB;
  ld.param.u64 %out, [out];
  ld.param.u32 %rounds, [rounds];
  mov.u32 %tid, %tid.x;
  mov.u32 %rank, %cluster_ctarank;
  mov.u32 %block, %ctaid.x;
  mov.u32 %k, 0;
  setp.ne.u32 %p0, %tid, 0;
  @%p0 bra made;
  mbarrier.init.shared.b64 [full], 1;
  mbarrier.init.shared.b64 [full+8], 1;
  mbarrier.init.shared.b64 [empty], 8;
  mbarrier.init.shared.b64 [empty+8], 8;
  fence.mbarrier_init.release.cluster;
made:
  barrier.cluster.arrive;
  barrier.cluster.wait;
  setp.lt.u32 %p0, %tid, 128;
  @%p0 bra consume;
  setp.ne.u32 %p0, %tid, 128;
  @%p0 bra done;

  mov.b16 %mask, 3;
  shl.b32 %r0, %block, 6;  // the first row of A
  shl.b32 %r1, %rank, 4;   // of B, and 128 bytes each
  shl.b32 %r2, %rank, 11;
produce:
  setp.ge.u32 %p0, %k, %rounds;
  @%p0 bra done;
  and.b32 %s, %k, 1;
  shr.b32 %parity, %k, 1;
  and.b32 %parity, %parity, 1;
  xor.b32 %other, %parity, 1;
  mov.u32 %full, full;
  mad.lo.u32 %full, %s, 8, %full;
  mov.u32 %empty, empty;
  mad.lo.u32 %empty, %s, 8, %empty;
  mov.u32 %a, stages;
  mad.lo.u32 %a, %s, 12288, %a;
  add.u32 %b, %a, 8192;
  add.u32 %b, %b, %r2;
  shl.b32 %r3, %k, 6;
waitEmpty:
  mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p1, [%empty], %other;
  @!%p1 bra waitEmpty;
  mbarrier.arrive.expect_tx.shared::cta.b64 _, [%full], 12288;
  cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%a], [%mapA, {%r3, %r0}], [%full];
  cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%b], [%mapB, {%r3, %r1}], [%full], %mask;
  add.u32 %k, %k, 1;
  bra produce;

consume:
)"
                          R"(  and.b32 %r4, %tid, 31;
  setp.lt.u32 %p2, %r4, 2; // lane 0 releases to rank 0, lane 1 to rank 1
round:
  setp.ge.u32 %p0, %k, %rounds;
  @%p0 bra store;
  and.b32 %s, %k, 1;
  shr.b32 %parity, %k, 1;
  and.b32 %parity, %parity, 1;
  mov.u32 %full, full;
  mad.lo.u32 %full, %s, 8, %full;
  mov.u32 %empty, empty;
  mad.lo.u32 %empty, %s, 8, %empty;
  mapa.shared::cluster.u32 %empty, %empty, %r4;
  mov.u32 %a, stages;
  mad.lo.u32 %a, %s, 12288, %a;
  and.b32 %a, %a, 0x3ffff;
  shr.b32 %a, %a, 4;
  add.u32 %b, %a, 512;
  cvt.u64.u32 %x0, %a;
  cvt.u64.u32 %x1, %b;
  or.b64 %x0, %x0, 0x4000004000010000; // 8 rows of 128 bytes, swizzled
  or.b64 %x1, %x1, 0x4000004000010000;
waitFull:
  mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p1, [%full], %parity;
  @!%p1 bra waitFull;
  wgmma.fence.sync.aligned;
PRODUCTS
  wgmma.commit_group.sync.aligned;
  wgmma.wait_group.sync.aligned 0;
  @%p2 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%empty];
  add.u32 %k, %k, 1;
  bra round;

store: // thread t has rows t/32*16 + t%32/4 (+8), columns t%4*2 (+8, 16, 24)
  shr.b32 %r5, %tid, 5;
  shl.b32 %r5, %r5, 4;
  shr.b32 %r6, %r4, 2;
  add.u32 %r5, %r5, %r6;
  mad.lo.u32 %r5, %block, 64, %r5;
  and.b32 %r6, %tid, 3;
  shl.b32 %r6, %r6, 1;
  mad.lo.u32 %r5, %r5, 32, %r6;
  mul.wide.u32 %x2, %r5, 4;
  add.u64 %out, %out, %x2;
STORES
done:
  barrier.cluster.arrive;
  barrier.cluster.wait;
  ret;
}
)";

inline void change(std::string &text, const std::string &from,
                   const std::string &to) {
  size_t at = text.find(from);
  ASSERT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
}

inline std::string makeGemm() {
  std::string registers, zeros, products, stores, text = kGemm;
  for (unsigned i = 0; i < 16; ++i) {
    registers += (i ? ", %d" : "%d") + std::to_string(i);
    zeros += "  mov.b32 %d" + std::to_string(i) + ", 0;\n";
    stores +=
        "  st.global.b32 [%out+" +
        std::to_string((i / 2 % 2 * 8 * kColumns + i / 4 * 8 + i % 2) * 4) +
        "], %d" + std::to_string(i) + ";\n";
  }
  for (unsigned step = 0; step < kDepth / 16; ++step) // 32 bytes each
    products += std::string(step ? "  add.u64 %x0, %x0, 2;\n"
                                   "  add.u64 %x1, %x1, 2;\n"
                                 : "") +
                "  wgmma.mma_async.sync.aligned.m64n32k16.f32.f16.f16 {" +
                registers + "}, %x0, %x1, 1, 1, 1, 0, 0;\n";
  change(text, "round:\n", zeros + "round:\n");
  change(text, "PRODUCTS\n", products);
  change(text, "STORES\n", stores);
  return text;
}

/// What was found, and whether the product is right.
struct GemmResult {
  std::string text;
  LaunchCounters counters;
  uint32_t wrong = 0;
};

/// A row-major matrix of f16, and the map of its boxes of `boxRows` rows.
inline machine::TensorMap makeMap(const void *data, uint32_t rows,
                                  uint32_t columns, uint32_t boxRows) {
  machine::TensorMap map;
  map.type = machine::TensorType::F16;
  map.rank = 2;
  map.address = reinterpret_cast<uint64_t>(data);
  map.sizes = {columns, rows};
  map.strides = {0, columns * 2};
  map.box = {kDepth, boxRows};
  map.swizzle = 128;
  return map;
}

inline GemmResult runGemm(const std::string &ptx, uint32_t rounds) {
  GemmResult result;
  auto fail = [&](llvm::Error error) {
    result.text = llvm::toString(std::move(error));
    return result;
  };
  SimulatorOptions simulatorOptions;
  simulatorOptions.stepLimit = 1 << 20;
  Simulator simulator(**machine::getGpu("sm_90a"), simulatorOptions);
  auto module = simulator.load(llvm::MemoryBufferRef(ptx, "gemm.ptx"));
  if (!module)
    return fail(module.takeError());
  auto kernel = (*module)->getKernel("gemm");
  if (!kernel)
    return fail(kernel.takeError());
  const uint32_t rows = kGemmBlocks * kRows, depth = rounds * kDepth;
  std::vector<int> a(rows * depth), b(kColumns * depth);
  std::mt19937 random(rounds);
  auto allocate = [&](std::vector<int> &values) {
    auto *halves = static_cast<uint16_t *>(
        llvm::cantFail(simulator.getMemory().allocate(values.size() * 2)));
    for (size_t i = 0; i < values.size(); ++i)
      halves[i] = encode("half", values[i] = int(random() % 9) - 4);
    return halves;
  };
  alignas(64) uint8_t maps[2][machine::kTensorMapBytes];
  machine::encodeTensorMap(makeMap(allocate(a), rows, depth, kRows), maps[0]);
  machine::encodeTensorMap(makeMap(allocate(b), kColumns, depth, kColumns / 2),
                           maps[1]);
  void *out = llvm::cantFail(
      simulator.getMemory().allocate(rows * kColumns * sizeof(float)));
  const void *arguments[] = {maps[0], maps[1], &out, &rounds};
  LaunchConfig config;
  config.grid = {kGemmBlocks, 1, 1};
  config.block = {kGemmThreads, 1, 1};
  config.cluster = {kCluster, 1, 1};
  auto launched = simulator.launch(**kernel, config, arguments);
  if (!launched)
    return fail(launched.takeError());
  for (const Finding &finding : launched->findings)
    result.text +=
        std::string(getName(finding.kind)) + ": " + finding.message + "\n";
  result.counters = std::move(launched->counters);
  const float *found = static_cast<const float *>(out);
  for (uint32_t i = 0; i < rows; ++i)
    for (uint32_t j = 0; j < kColumns; ++j) {
      int sum = 0;
      for (uint32_t k = 0; k < depth; ++k)
        sum += a[i * depth + k] * b[j * depth + k];
      result.wrong += !(found[i * kColumns + j] == float(sum));
    }
  return result;
}

} // namespace tileir::sim::test

#endif // TILEIR_TEST_UNIT_SIMULATOR_SIMULATORCLUSTERGEMM_H
