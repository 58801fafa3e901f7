//===- SimulatorBulkTest.cpp ----------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cp.async.bulk between global and shared memory: what arrives when, reductions
// against plain C++, and planted faults.
//
//===----------------------------------------------------------------------===//

#include "Async/SimulatorPtx.h"

#include <algorithm>
#include <cmath>

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {

std::vector<uint32_t> iota(uint32_t count) {
  std::vector<uint32_t> values(count);
  for (uint32_t i = 0; i < count; ++i)
    values[i] = i * 2654435761u + 17;
  return values;
}

/// A block of 64 threads that loads 1024 bytes, and copies them to %out.
struct LoadParts {
  std::string init = "@%first mbarrier.init.shared.b64 [%bar], 1;\n";
  std::string sync = "bar.sync 0;\n";
  std::string expect =
      "@%first mbarrier.arrive.expect_tx.shared.b64 _, [%bar], 1024;\n";
  std::string copy = "@%first cp.async.bulk.shared::cluster.global.mbarrier::"
                     "complete_tx::bytes [%data], [%in], 1024, [%bar];\n";
  std::string wait = "W: mbarrier.try_wait.parity.shared.b64 %p, [%bar], 0;\n"
                     "@!%p bra W;\n";
  std::string before, after;

  std::string text() const {
    return "setp.eq.u32 %first, %tid, 0;\n" + init + sync + before + expect +
           copy + wait +
           "mul.wide.u32 %addr, %tid, 16;\n"
           "add.u64 %src, %data, %addr;\nadd.u64 %dst, %out, %addr;\n"
           "ld.shared.v4.u32 {%r1, %r2, %r3, %r4}, [%src];\n"
           "st.global.v4.u32 [%dst], {%r1, %r2, %r3, %r4};\n" +
           after;
  }
  PtxRun run() const { return runPtx(text(), 256, {64, 1, 1}, iota(256)); }
};

TEST(SimulatorBulk, Loads) {
  PtxRun run = LoadParts().run();
  ASSERT_EQ(run.error, "");
  EXPECT_EQ(run.text(), "");
  EXPECT_EQ(run.out, iota(256));
  EXPECT_EQ(run.counters.bulkBytes, 1024u);
  EXPECT_EQ(run.counters.global.sectors, 32u + 32u);
  // In parts, before the expectation, in the space of the block.
  LoadParts parts;
  std::swap(parts.copy, parts.expect);
  parts.expect = "";
  for (int i = 0; i < 4; ++i) {
    std::string at = "+" + std::to_string(256 * i);
    parts.expect += "@%first cp.async.bulk.shared::cta.global.mbarrier::"
                    "complete_tx::bytes.L2::cache_hint [%data" +
                    at + "], [%in" + at + "], 256, [%bar], %state;\n";
  }
  run = parts.run();
  ASSERT_EQ(run.error, "");
  EXPECT_EQ(run.text(), "");
  EXPECT_EQ(run.out, iota(256));
}

/// Whether the text is in the findings of a faulty load.
void expectFault(const LoadParts &parts, const std::string &text) {
  PtxRun run = parts.run();
  EXPECT_EQ(run.error, "");
  EXPECT_NE(run.text().find(text), std::string::npos) << text << "\nin\n"
                                                      << run.text();
}

TEST(SimulatorBulk, FaultsOfLoads) {
  LoadParts parts;
  parts.wait = "";
  expectFault(parts, "missing-wait: load of 16 bytes at shared offset 1024 "
                     "meets bytes that the cp.async.bulk by warp 0, lane 0");
  parts = LoadParts(); // whether it is over is not looked at
  parts.wait = parts.wait.substr(0, parts.wait.find('@'));
  expectFault(parts, "missing-wait: load of 16 bytes");
  parts = LoadParts(); // another parity
  parts.wait.replace(parts.wait.find(", 0;"), 4, ", 1;");
  expectFault(parts, "missing-wait: ");
  parts = LoadParts(); // no bytes are expected
  parts.expect = "@%first mbarrier.arrive.shared.b64 _, [%bar];\n";
  expectFault(parts, "missing-wait: ");
  parts = LoadParts(); // too few
  parts.expect.replace(parts.expect.find("1024"), 4, "512");
  expectFault(parts, "mbarrier-misuse: cp.async.bulk at shared offset 0 gets "
                     "1024 bytes in phase 0, 512 more than it expects");
  parts = LoadParts(); // too many
  parts.expect.replace(parts.expect.find("1024"), 4, "2048");
  expectFault(parts, "deadlock: the wait for parity 0 of the mbarrier at "
                     "shared offset 0 waits for ever: its phase 0 has 0 of 1 "
                     "arrivals and 1024 bytes pending");
  parts = LoadParts(); // by all lanes
  parts.copy.replace(0, 8, "");
  expectFault(parts, "shared-race: cp.async.bulk of 1024 bytes at shared "
                     "offset 1024 meets bytes that the cp.async.bulk by");
  parts = LoadParts(); // only one warp waits
  parts.wait = "setp.ge.u32 %q, %tid, 32;\n@%q bra S;\n" + parts.wait + "S:\n";
  expectFault(parts, "shared-race: cp.async.bulk of 1024 bytes at shared "
                     "offset 1024 is not ordered with the load by warp 1");
  parts = LoadParts(); // the copy overtakes loads of before
  parts.before = "mul.wide.u32 %addr, %tid, 16;\nadd.u64 %src, %data, %addr;\n"
                 "st.shared.u32 [%src], %tid;\nld.shared.u32 %r9, [%src];\n";
  expectFault(parts,
              "shared-race: cp.async.bulk of 1024 bytes at shared offset "
              "1024 is not ordered with the store by warp 0");
  parts = LoadParts(); // bytes that are on their way
  parts.copy += "@%first st.shared.u32 [%data+16], %tid;\n";
  expectFault(parts,
              "shared-race: store of 4 bytes at shared offset 1040 meets "
              "bytes that the cp.async.bulk by warp 0, lane 0");
  parts = LoadParts();
  parts.copy.replace(parts.copy.find("1024"), 4, "1000");
  expectFault(parts, "invalid-copy: cp.async.bulk of 1000 bytes; expected a "
                     "multiple of 16");
  parts = LoadParts();
  parts.copy.replace(parts.copy.find("%data"), 5, "%data+8");
  expectFault(parts, "misaligned: cp.async.bulk of 1024 bytes");
  parts = LoadParts();
  parts.copy.replace(parts.copy.find("%in"), 3, "%in+4");
  expectFault(parts, "cp.async.bulk of 1024 bytes at");
  parts = LoadParts();
  parts.copy.replace(parts.copy.find("%in"), 3, "%in+16");
  expectFault(parts, "out-of-bounds: cp.async.bulk of 1024 bytes");
  parts = LoadParts();
  parts.copy.replace(parts.copy.find("%data"), 5, "%data+4000");
  expectFault(parts, "out-of-bounds: cp.async.bulk of 1024 bytes");
  parts = LoadParts(); // no mbarrier
  parts.copy.replace(parts.copy.find("%bar"), 4, "%bar+64");
  expectFault(parts, "mbarrier-misuse: cp.async.bulk at shared offset 64 where "
                     "there is no mbarrier");
}

/// A block of 64 threads that writes 1024 bytes, and stores them to %out.
struct StoreParts {
  std::string fence = "fence.proxy.async.shared::cta;\n";
  std::string sync = "bar.sync 0;\n";
  std::string copy = "@%first cp.async.bulk.global.shared::cta.bulk_group "
                     "[%out], [%data], 1024;\n";
  std::string commit = "cp.async.bulk.commit_group;\n";
  std::string wait = "cp.async.bulk.wait_group.read 0;\n";
  std::string before, after;

  std::string text() const {
    return "setp.eq.u32 %first, %tid, 0;\n"
           "mul.wide.u32 %addr, %tid, 16;\n"
           "add.u64 %src, %in, %addr;\nadd.u64 %dst, %data, %addr;\n"
           "ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%src];\n"
           "st.shared.v4.u32 [%dst], {%r1, %r2, %r3, %r4};\n" +
           before + fence + sync + copy + commit + wait + after;
  }
  PtxRun run() const { return runPtx(text(), 256, {64, 1, 1}, iota(256)); }
};

void expectFault(const StoreParts &parts, const std::string &text) {
  PtxRun run = parts.run();
  EXPECT_EQ(run.error, "");
  EXPECT_NE(run.text().find(text), std::string::npos) << text << "\nin\n"
                                                      << run.text();
}

TEST(SimulatorBulk, Stores) {
  const std::string overwrite = "bar.sync 0;\nst.shared.u32 [%dst], %tid;\n";
  std::vector<StoreParts> all(5);
  all[1].wait = "cp.async.bulk.wait_group 0;\n";
  all[2].after = overwrite; // what was read is safe
  all[3].fence = "";        // one fence, of the thread that copies
  all[3].copy = "@%first fence.proxy.async;\n" + all[3].copy;
  all[4].copy += all[4].commit + "cp.async.bulk.wait_group.read 1;\n";
  for (const StoreParts &parts : all) {
    PtxRun run = parts.run();
    ASSERT_EQ(run.error, "");
    EXPECT_EQ(run.text(), "");
    EXPECT_EQ(run.out, iota(256));
  }
}

TEST(SimulatorBulk, FaultsOfStores) {
  StoreParts parts;
  parts.fence = "";
  expectFault(parts,
              "missing-proxy-fence: cp.async.bulk reads at shared offset "
              "0 what the store by warp 0, lane 0");
  parts.fence = "fence.proxy.async.global;\n"; // of other memory
  expectFault(parts, "missing-proxy-fence: ");
  parts = StoreParts(); // one warp has none
  parts.fence = "setp.lt.u32 %q, %tid, 32;\n@%q fence.proxy.async;\n";
  expectFault(parts,
              "missing-proxy-fence: cp.async.bulk reads at shared offset "
              "512 what the store by warp 1, lane 0");
  parts = StoreParts(); // the fence comes before the store
  parts.before = parts.fence + "st.shared.u32 [%dst], 1;\n";
  parts.fence = "";
  expectFault(parts, "missing-proxy-fence: ");
  parts = StoreParts();
  parts.sync = "";
  expectFault(parts, "shared-race: cp.async.bulk of 1024 bytes");
  parts = StoreParts();
  parts.wait = "";
  expectFault(parts, "missing-wait: cp.async.bulk of 1024 bytes at shared "
                     "offset 0 is still to read them when its block ends");
  parts.commit = "";
  expectFault(parts, "missing-wait: ");
  parts = StoreParts(); // waits for one group too few
  parts.wait = "cp.async.bulk.wait_group.read 1;\n";
  expectFault(parts, "missing-wait: ");
  parts = StoreParts(); // the source is overwritten too early
  parts.wait = "bar.sync 0;\nst.shared.u32 [%dst], 1;\n" + parts.wait;
  expectFault(parts, "shared-race: store of 4 bytes at shared offset 0 meets "
                     "bytes that the cp.async.bulk at");
  parts = StoreParts(); // the thread that copies has waited, nobody knows
  parts.after = "st.shared.u32 [%dst], 1;\n";
  expectFault(parts, "shared-race: store of 4 bytes");
}

TEST(SimulatorBulk, Groups) {
  // Three groups; those but the last one have written when one may be open.
  std::string body = "setp.eq.u32 %first, %tid, 0;\n"
                     "mul.wide.u32 %addr, %tid, 16;\n"
                     "add.u64 %dst, %data, %addr;\n"
                     "add.u32 %r1, %tid, 1;\n"
                     "st.shared.v4.u32 [%dst], {%r1, %r1, %r1, %r1};\n"
                     "fence.proxy.async;\nbar.sync 0;\n@!%first bra E;\n";
  for (int i = 0; i < 3; ++i) {
    std::string at = std::to_string(16 * i);
    body += "cp.async.bulk.global.shared::cta.bulk_group [%out+" + at +
            "], [%data+" + at + "], 16;\ncp.async.bulk.commit_group;\n";
  }
  body += "cp.async.bulk.wait_group 1;\n"
          "ld.global.u32 %r1, [%out];\nld.global.u32 %r2, [%out+16];\n"
          "ld.global.u32 %r3, [%out+32];\n"
          "st.global.v4.u32 [%out+48], {%r1, %r2, %r3, %r3};\n"
          "cp.async.bulk.wait_group 0;\nE:\n";
  PtxRun run = runPtx(body, 16, {32, 1, 1});
  ASSERT_EQ(run.error, "");
  EXPECT_EQ(run.text(), "");
  EXPECT_EQ(run.out, (std::vector<uint32_t>{1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3,
                                            1, 2, 0, 0}));
}

/// cp.reduce.async.bulk of one type on both memories.
template <typename T, typename F>
void reduce(const std::string &type, const std::vector<T> &old,
            const std::vector<T> &x, F combine) {
  std::vector<uint32_t> in(64);
  std::memcpy(in.data(), old.data(), 128);
  std::memcpy(in.data() + 32, x.data(), 128);
  // %out gets the old values first.
  PtxRun run =
      runPtx("setp.eq.u32 %first, %tid, 0;\n"
             "mul.wide.u32 %addr, %tid, 4;\n"
             "add.u64 %src, %in, %addr;\nadd.u64 %dst, %out, %addr;\n"
             "ld.global.u32 %r1, [%src];\nld.global.u32 %r2, [%src+128];\n"
             "st.global.u32 [%dst], %r1;\n"
             "add.u64 %dst, %data, %addr;\nst.shared.u32 [%dst], %r2;\n"
             "fence.proxy.async;\nbar.sync 0;\n"
             "@%first cp.reduce.async.bulk.global.shared::cta.bulk_group." +
                 type +
                 " [%out], [%data], 128;\ncp.async.bulk.commit_group;\n"
                 "cp.async.bulk.wait_group 0;\n",
             32, {32, 1, 1}, in);
  ASSERT_EQ(run.error, "") << type;
  EXPECT_EQ(run.text(), "") << type;
  std::vector<T> result(old.size());
  std::memcpy(result.data(), run.out.data(), 128);
  for (size_t i = 0; i < old.size(); ++i)
    EXPECT_EQ(result[i], combine(old[i], x[i])) << type << " " << i;
}

template <typename T> std::vector<T> numbers(uint64_t factor) {
  std::vector<T> values;
  for (size_t i = 0; i < 128 / sizeof(T); ++i)
    values.push_back(std::is_integral_v<T>
                         ? T((i * factor) >> (i % 5) * 3)
                         : T(double(int(i * factor % 41) - 20) / 4));
  return values;
}

TEST(SimulatorBulk, Reductions) {
  auto all = [](const std::string &suffix, auto zero, bool isInteger) {
    using T = decltype(zero);
    auto old = numbers<T>(2654435761u), x = numbers<T>(40503u * 977u);
    reduce<T>("add." + suffix, old, x, [](T a, T b) { return T(a + b); });
    if (!isInteger)
      return;
    reduce<T>("min." + suffix, old, x, [](T a, T b) { return std::min(a, b); });
    reduce<T>("max." + suffix, old, x, [](T a, T b) { return std::max(a, b); });
  };
  all("u32", uint32_t(), true);
  all("s32", int32_t(), true);
  all("u64", uint64_t(), true);
  all("s64", int64_t(), true);
  all("f32", float(), false);
  all("f64", double(), false);
  using U = uint32_t;
  auto old = numbers<U>(77), x = numbers<U>(31);
  reduce<U>("and.b32", old, x, [](U a, U b) { return a & b; });
  reduce<U>("or.b32", old, x, [](U a, U b) { return a | b; });
  reduce<U>("xor.b32", old, x, [](U a, U b) { return a ^ b; });
  reduce<U>("inc.u32", old, x, [](U a, U b) { return a >= b ? 0 : a + 1; });
  reduce<U>("dec.u32", old, x,
            [](U a, U b) { return a == 0 || a > b ? b : a - 1; });
  // Halves by their bits: 1.5 + 2.25 = 3.75, and the same of bf16.
  using H = uint16_t;
  std::vector<H> a(64, 0x3e00), b(64, 0x4080);
  reduce<H>("add.noftz.f16", a, b, [](H, H) { return H(0x4380); });
  reduce<H>("min.f16", a, b, [](H, H) { return H(0x3e00); });
  reduce<H>("max.f16", a, b, [](H, H) { return H(0x4080); });
  std::vector<H> c(64, 0x3fc0), d(64, 0x4010);
  reduce<H>("add.noftz.bf16", c, d, [](H, H) { return H(0x4070); });
}

} // namespace
