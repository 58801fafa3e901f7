//===- SimulatorAsyncStoreTest.cpp ----------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// st.async and red.async: results, and what is found where a wait is missing or
// the bytes or places are wrong.
//
//===----------------------------------------------------------------------===//

#include "SimulatorExchange.h"

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {

constexpr const char *kStore =
    "st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%r7], "
    "%r11, [%r3];\n";

TEST(AsyncStore, StoresOfAllWidths) {
  struct Form {
    const char *send;
    uint32_t bytes;
  };
  // Lane 4i sends four words, lane 2i two.
  const Form forms[] = {
      {kStore, 128},
      {"and.b32 %r20, %r4, 1;\nsetp.ne.u32 %p, %r20, 0;\n"
       "add.u32 %r21, %r11, 1;\n"
       "@%p bra sent;\n"
       "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%r7], "
       "{%r11, %r21}, [%r3];\nsent:\n",
       128},
      {"and.b32 %r20, %r4, 1;\nsetp.ne.u32 %p, %r20, 0;\n"
       "add.u32 %r21, %r11, 1;\nmov.b64 %rd3, {%r11, %r21};\n"
       "@!%p st.async.shared::cluster.mbarrier::complete_tx::bytes.s64 [%r7], "
       "%rd3, [%r3];\n",
       128},
      {"and.b32 %r20, %r4, 3;\nsetp.ne.u32 %p, %r20, 0;\n"
       "add.u32 %r21, %r11, 1;\nadd.u32 %r22, %r11, 2;\nadd.u32 %r23, %r11, "
       "3;\n"
       "@!%p st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 "
       "[%r7], {%r11, %r21, %r22, %r23}, [%r3];\n",
       128},
      {"and.b32 %r20, %r4, 3;\nsetp.ne.u32 %p, %r20, 0;\n"
       "add.u32 %r21, %r11, 1;\nadd.u32 %r22, %r11, 2;\nadd.u32 %r23, %r11, "
       "3;\nmov.b64 %rd3, {%r11, %r21};\nmov.b64 %rd4, {%r22, %r23};\n"
       "@!%p st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.u64 "
       "[%r7], {%rd3, %rd4}, [%r3];\n",
       128},
  };
  for (const Form &form : forms) {
    std::vector<uint32_t> out;
    RunResult result = runExchange(getExchange(form.send, form.bytes), out);
    EXPECT_EQ(result.error + result.text(), "") << form.send;
    for (uint32_t i = 0; i < 64; ++i)
      EXPECT_EQ(out[i], (i < 32 ? 1000 : 0) + i % 32) << form.send << i;
    EXPECT_EQ(result.counters.bulkBytes, 2 * form.bytes) << form.send;
  }
}

TEST(AsyncStore, FaultsOfStores) {
  const std::string store = kStore;
  EXPECT_FINDS(findIn(getExchange(store, 128, "")),
               "missing-wait: load of 4 bytes at shared offset 512 meets bytes "
               "that the st.async by warp 0, lane 0 of rank ");
  EXPECT_FINDS(findIn(getExchange(store, 132)), "4 bytes pending");
  EXPECT_FINDS(findIn(getExchange(store, 124)),
               "missing-wait: load of 4 bytes at shared offset 636 meets bytes "
               "that the st.async by warp 0, lane 31 of rank ");
  // A load of another phase, and a plain store to where one arrives.
  EXPECT_FINDS(findIn(getExchange(store + "st.shared.u32 [%r6], %r4;\n", 128)),
               "shared-race: ");
  EXPECT_FINDS(findIn(getExchange(store + store, 256)),
               "shared-race: st.async of 4 bytes at shared offset 512");
  std::string own = store;
  own.replace(own.find("[%r3]"), 5, "[%r9]");
  EXPECT_FINDS(findIn(getExchange(own, 128)),
               "invalid-copy: st.async to the shared memory of rank 1 with an "
               "mbarrier of rank 0; expected both in one block");
  std::string odd = store;
  odd.replace(odd.find("[%r7]"), 5, "[%r7+2]");
  EXPECT_FINDS(findIn(getExchange(odd, 128)),
               "misaligned: st.async of 4 bytes at shared offset 514");
  // The block may end while it arrives.
  std::string kernel = getExchange("", 0, "");
  kernel.replace(kernel.rfind("  barrier.cluster.arrive"), 0,
                 store + "  mbarrier.expect_tx.relaxed.cta.shared::cta.b64 "
                         "[bar], 128;\n");
  EXPECT_FINDS(findIn(kernel), "block-lifetime: st.async");
}

TEST(AsyncStore, BadForms) {
  for (const char *text :
       {"st.async.shared::cluster.mbarrier::complete_tx::bytes.b16 [%r7], "
        "%r11, [%r3];\n",
        "st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%r7], "
        "{%r11}, [%r3];\n",
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::"
        "bytes.add.f32 [%r7], %r11, [%r3];\n",
        "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::"
        "bytes.min.u64 [%r7], %rd3, [%r3];\n"})
    EXPECT_FINDS(findIn(getExchange(text, 128)), "expected ");
}

/// Both blocks reduce into word `tid` of rank 0, which is 100 + tid before;
/// each adds its rank and thread.
std::string getReduction(const std::string &form, const std::string &extra = "",
                         bool waits = true) {
  std::string kernel = getExchange(
      R"(
  mapa.shared::cluster.u32 %r7, %r6, 0;
  mov.u32 %r9, bar;
  mapa.shared::cluster.u32 %r3, %r9, 0;
  mad.lo.u32 %r20, %r5, 77, %r4;
  add.u32 %r20, %r20, 3;
  mov.b64 %rd3, {%r20, 0};
)" + extra +
          "red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::"
          "bytes." +
          form + ", [%r3];\n",
      256,
      waits ? R"(
  setp.ne.u32 %p, %r5, 0;
  @%p bra done;
wait:
  mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p, [bar], 0;
  @!%p bra wait;
)"
            : "setp.ne.u32 %p, %r5, 0;\n@%p bra done;\n",
      "done:\n");
  // Before all that, and known to all.
  kernel.replace(kernel.find("  st.shared.u32 [%r1]"), 0,
                 "  add.u32 %r20, %r4, 100;\n  st.shared.u32 [%r6], %r20;\n");
  return kernel;
}

TEST(AsyncStore, Reductions) {
  using Combine = uint32_t (*)(uint32_t, uint32_t);
  const std::pair<const char *, Combine> forms[] = {
      {"add.u32", [](uint32_t a, uint32_t b) { return a + b; }},
      {"add.s32", [](uint32_t a, uint32_t b) { return a + b; }},
      {"min.u32", [](uint32_t a, uint32_t b) { return std::min(a, b); }},
      {"max.s32", [](uint32_t a, uint32_t b) { return std::max(a, b); }},
      {"and.b32", [](uint32_t a, uint32_t b) { return a & b; }},
      {"or.b32", [](uint32_t a, uint32_t b) { return a | b; }},
      {"xor.b32", [](uint32_t a, uint32_t b) { return a ^ b; }},
      {"inc.u32", [](uint32_t a, uint32_t b) { return a >= b ? 0 : a + 1; }},
  };
  for (auto [name, combine] : forms) {
    std::vector<uint32_t> out;
    RunResult result =
        runExchange(getReduction(std::string(name) + " [%r7], %r20"), out);
    EXPECT_EQ(result.error + result.text(), "") << name;
    for (uint32_t t = 0; t < 32; ++t) {
      uint32_t a = combine(combine(100 + t, t + 3), t + 80);
      uint32_t b = combine(combine(100 + t, t + 80), t + 3);
      EXPECT_TRUE(out[t] == a || out[t] == b)
          << name << " " << t << ": " << out[t];
    }
    EXPECT_EQ(result.counters.bulkBytes, 256u);
  }
  // Pairs of words, as numbers of 64 bits, by the even lanes.
  std::vector<uint32_t> out;
  RunResult result = runExchange(getReduction("add.u64 [%r7], %rd3",
                                              "and.b32 %r21, %r4, 1;\n"
                                              "setp.eq.u32 %p, %r21, 0;\n@%p "),
                                 out);
  EXPECT_EQ(result.error + result.text(), "");
  for (uint32_t t = 0; t < 32; t += 2) {
    EXPECT_EQ(out[t], 100 + t + (t + 3) + (t + 80));
    EXPECT_EQ(out[t + 1], 101 + t);
  }
}

TEST(AsyncStore, FaultsOfReductions) {
  const std::string add = "add.u32 [%r7], %r20";
  EXPECT_FINDS(findIn(getReduction(add, "", /*waits=*/false)),
               "missing-wait: load of 4 bytes at shared offset 512");
  EXPECT_FINDS(findIn(getReduction(add, "st.shared.u32 [%r6], %r4;\n")),
               "shared-race: store of 4 bytes at shared offset 512 meets bytes "
               "that the red.async by warp 0, lane 0 of rank 1");
}

TEST(AsyncStore, ReductionsToOnePlace) {
  const std::string first = "mov.u32 %r9, got;\n"
                            "mapa.shared::cluster.u32 %r7, %r9, 0;\n"
                            "mov.u32 %r9, bar;\n";
  std::vector<uint32_t> out;
  RunResult result = runExchange(getReduction("add.u32 [%r7], 2", first), out);
  EXPECT_EQ(result.error + result.text(), "");
  EXPECT_EQ(out[0], 100u + 64 * 2);
  EXPECT_EQ(out[1], 101u);
  // Other atomic accesses do not race with them. The load does with those, as
  // nobody waits for them.
  std::string text = findIn(getReduction(
      "add.u32 [%r7], 2",
      first +
          "atom.relaxed.cluster.shared::cluster.add.u32 %r22, [%r7], 1;\n"));
  EXPECT_FINDS(text, "shared-race: load of 4 bytes at shared offset 512");
  EXPECT_FINDS(text, "with the atomic store by warp 0 of rank 1");
  EXPECT_EQ(text.find("red.async"), std::string::npos) << text;
}

} // namespace
