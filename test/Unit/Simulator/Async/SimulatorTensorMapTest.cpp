//===- SimulatorTensorMapTest.cpp -----------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tensor maps that a kernel makes of zeros, copies to global memory and loads
// by: what is loaded, against loops over elements, and faults on the way.
//
//===----------------------------------------------------------------------===//

#include "SimulatorPtx.h"

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {

/// A tensor of f32 in %in, and a box of it.
struct Shape {
  std::vector<uint32_t> sizes, box;
  std::vector<int32_t> place;
  bool fillsNaN = false;
};

/// Parts of the kernel that a test may replace by something else.
struct MapParts {
  std::string zeros = "mul.lo.u32 %r1, %tid, 4; add.u32 %r2, %data32, %r1;\n"
                      "st.shared.b32 [%r2+2048], 0; bar.warp.sync -1;\n";
  std::string more; ///< fields, behind the others
  std::string copy =
      "bar.warp.sync -1;\n"
      "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release."
      "gpu.sync.aligned [%out], [%src], 128;\n";
  std::string acquire = "fence.proxy.tensormap::generic.acquire.gpu [%out], "
                        "128;\n";
  std::string map = "%out";
};

/// Fields of the map of a dense tensor.
std::string getFields(const Shape &shape, const std::string &space) {
  std::string text, head = "@%first tensormap.replace.tile.";
  auto field = [&](const std::string &name, const std::string &value,
                   const char *type = "b32") {
    text +=
        head + name + space + ".b1024." + type + " [%src], " + value + ";\n";
  };
  const unsigned rank = shape.sizes.size();
  field("global_address", "%in", "b64");
  field("rank", std::to_string(rank - 1));
  uint64_t stride = 4;
  for (unsigned a = 0; a < rank; ++a) {
    const std::string axis = std::to_string(a) + ", ";
    field("box_dim", axis + std::to_string(shape.box[a]));
    text += "mov.b32 %r3, " + std::to_string(shape.sizes[a]) + ";\n";
    field("global_dim", axis + "%r3");
    field("element_stride", axis + "1");
    stride *= shape.sizes[a];
    text += "mov.b64 %addr, " + std::to_string(stride) + ";\n";
    if (a + 1 < rank)
      field("global_stride", axis + "%addr", "b64");
  }
  field("elemtype", "7");
  field("interleave_layout", "0");
  field("swizzle_mode", "0");
  field("fill_mode", std::to_string(shape.fillsNaN));
  return text;
}

uint32_t getCount(const std::vector<uint32_t> &sizes) {
  uint32_t count = 1;
  for (uint32_t size : sizes)
    count *= size;
  return count;
}

/// The map is made at [%data + 2048], copied to the first 32 words of %out,
/// and the box follows there.
PtxRun runShape(const Shape &shape, const MapParts &parts = {}) {
  const uint32_t count = getCount(shape.box);
  std::string place = "{";
  for (int32_t c : shape.place)
    place += (place.size() > 1 ? ", " : "") + std::to_string(c);
  std::string body =
      "setp.eq.u32 %first, %tid, 0; cvt.u64.u32 %src, %data32;\n"
      "add.u64 %src, %src, 2048;\n" +
      parts.zeros + getFields(shape, ".shared::cta") + parts.more + parts.copy +
      "@%first mbarrier.init.shared.b64 [%bar], 1;\n"
      "fence.mbarrier_init.release.cluster; bar.sync 0;\n" +
      parts.acquire +
      "@!%first bra W;\n"
      "mbarrier.arrive.expect_tx.shared.b64 _, [%bar], " +
      std::to_string(4 * count) + ";\ncp.async.bulk.tensor." +
      std::to_string(shape.sizes.size()) +
      "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%data], [" +
      parts.map + ", " + place +
      "}], [%bar];\n"
      "W: mbarrier.try_wait.parity.shared.b64 %q, [%bar], 0;\n@!%q bra W;\n"
      "mov.u32 %i, %tid;\nL: setp.ge.u32 %p, %i, " +
      std::to_string(count) +
      ";\n@%p bra E;\nmul.wide.u32 %addr, %i, 4; add.u64 %dst, %data, %addr;\n"
      "ld.shared.b32 %r4, [%dst]; add.u64 %dst, %out, %addr;\n"
      "st.global.b32 [%dst+128], %r4; add.u32 %i, %i, 32; bra L;\nE:\n";
  std::vector<uint32_t> in(getCount(shape.sizes));
  for (uint32_t i = 0; i < in.size(); ++i)
    in[i] = 1000 + i;
  return runPtx(body, 32 + count, {32, 1, 1}, in);
}

void check(const Shape &shape) {
  PtxRun result = runShape(shape);
  ASSERT_EQ(result.error + result.text(), "");
  for (uint32_t i = 0; i < getCount(shape.box); ++i) {
    uint32_t rest = i, offset = 0, stride = 1;
    bool isInside = true;
    for (unsigned a = 0; a < shape.sizes.size(); ++a) {
      const int32_t at = shape.place[a] + int32_t(rest % shape.box[a]);
      rest /= shape.box[a];
      isInside &= at >= 0 && at < int32_t(shape.sizes[a]);
      offset += at * stride;
      stride *= shape.sizes[a];
    }
    const uint32_t outside = shape.fillsNaN ? 0x7fffffff : 0;
    EXPECT_EQ(result.out[32 + i], isInside ? 1000 + offset : outside)
        << "element " << i;
  }
}

TEST(SimulatorTensorMap, BoxesOfMapsThatTheKernelMakes) {
  check({{64}, {16}, {24}});
  check({{16, 8}, {8, 4}, {8, 2}});
  check({{16, 8}, {8, 4}, {12, 6}, true});
  check({{8, 5, 3}, {8, 2, 2}, {0, -1, 2}});
  check({{8, 3, 2, 2}, {4, 2, 2, 2}, {4, 1, 1, 0}, true});
  check({{8, 3, 2, 2, 2}, {4, 2, 1, 2, 1}, {4, 2, 1, -1, 1}});
}

const Shape kShape = {{16, 8}, {8, 4}, {8, 2}};

/// The kinds of findings, each once.
std::string getKinds(const MapParts &parts) {
  PtxRun result = runShape(kShape, parts);
  EXPECT_EQ(result.error, "");
  std::string kinds;
  for (const Finding &finding : result.findings)
    if (std::string name = getName(finding.kind);
        kinds.find(name) == std::string::npos)
      kinds += name + " ";
  return kinds;
}

TEST(SimulatorTensorMap, Faults) {
  MapParts parts;
  EXPECT_EQ(getKinds(parts), "");
  parts.acquire = "";
  PtxRun result = runShape(kShape, parts);
  EXPECT_NE(result.text().find("missing-proxy-fence: cp.async.bulk.tensor by "
                               "the tensor map at"),
            std::string::npos)
      << result.text();
  EXPECT_NE(result.text().find("which tensormap.cp_fenceproxy has written at"),
            std::string::npos);
  // Of another address.
  parts.acquire = "add.u64 %addr, %out, 128;\n"
                  "fence.proxy.tensormap::generic.acquire.gpu [%addr], 128;\n";
  EXPECT_NE(getKinds(parts).find("missing-proxy-fence"), std::string::npos);

  parts = {};
  parts.zeros = "";
  EXPECT_NE(getKinds(parts).find("uninitialized-shared"), std::string::npos);
  EXPECT_NE(getKinds(parts).find("invalid-copy"), std::string::npos);

  // Lane 0 replaces what the other lanes clear.
  parts = {};
  parts.zeros = parts.zeros.substr(0, parts.zeros.find("bar.warp"));
  EXPECT_EQ(getKinds(parts), "shared-race ");

  parts = {};
  parts.map = "%src";
  result = runShape(kShape, parts);
  EXPECT_NE(result.text().find("by a tensor map in shared memory"),
            std::string::npos)
      << result.text();

  for (auto [field, message] :
       {std::pair("swizzle_mode.shared::cta.b1024.b32 [%src], 4",
                  "by the value 4, which is not simulated"),
        std::pair("interleave_layout.shared::cta.b1024.b32 [%src], 1",
                  "by the value 1, which is not simulated"),
        std::pair("rank.shared::cta.b1024.b32 [%src], 2", "size 0 of axis 2"),
        std::pair("global_stride.shared::cta.b1024.b64 [%src], 0, 24",
                  "stride of 24 bytes of axis 1")}) {
    parts = {};
    parts.more = std::string("@%first tensormap.replace.tile.") + field + ";\n";
    result = runShape(kShape, parts);
    EXPECT_NE(result.text().find(message), std::string::npos)
        << field << ": " << result.text();
  }
}

/// A second block may replace the map in global memory; the first one has to
/// acquire it anew. Here one block replaces it twice.
TEST(SimulatorTensorMap, ReplacedInGlobalMemory) {
  MapParts parts;
  const std::string again = "bar.sync 0; mov.b64 %addr, %in;\n"
                            "@%first tensormap.replace.tile.global_address."
                            "global.b1024.b64 [%out], %addr; bar.sync 0;\n";
  parts.acquire += again;
  EXPECT_EQ(getKinds(parts), "missing-proxy-fence ");
  parts.acquire += "fence.proxy.tensormap::generic.acquire.gpu [%out], 128;\n";
  EXPECT_EQ(getKinds(parts), "");
}

TEST(SimulatorTensorMap, Intrinsics) {
  const std::string ir = R"(
    target triple = "nvptx64-nvidia-cuda"
    @smem = internal addrspace(3) global [32 x i32] undef, align 128
    declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
    define ptx_kernel void @k(ptr addrspace(1) %out) {
      %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      %at = getelementptr i32, ptr addrspace(3) @smem, i32 %t
      store i32 0, ptr addrspace(3) %at
      call void @llvm.nvvm.bar.warp.sync(i32 -1)
      %first = icmp eq i32 %t, 0
      br i1 %first, label %make, label %end
    make:
      call void @llvm.nvvm.tensormap.replace.rank.p3(ptr addrspace(3) @smem,
                                                     i32 1)
      call void @llvm.nvvm.tensormap.replace.global.stride.p3(
        ptr addrspace(3) @smem, i32 0, i64 64)
      call void @llvm.nvvm.tensormap.replace.box.dim.p3(
        ptr addrspace(3) @smem, i32 1, i32 %t)
      call void @llvm.nvvm.tensormap.replace.elemtype.p3(
        ptr addrspace(3) @smem, i32 7)
      br label %end
    end:
      ret void
    }
    declare void @llvm.nvvm.bar.warp.sync(i32))";
  RunOptions options;
  options.chip = "sm_90a";
  std::vector<std::vector<uint32_t>> arrays = {{0}};
  RunResult result = run(ir, arrays, options);
  EXPECT_EQ(result.error + result.text(), "");
  options.chip = "sm_90";
  EXPECT_NE(run(ir, arrays, options).error.find("expected sm_90a, or a later"),
            std::string::npos);
}

} // namespace
