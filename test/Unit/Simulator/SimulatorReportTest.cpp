//===- SimulatorReportTest.cpp --------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the tables and the JSON of a launch look like, to the index.
//
//===----------------------------------------------------------------------===//

#include "tileir/Simulator/Report.h"

#include "llvm/ADT/STLExtras.h"
#include "gtest/gtest.h"

using namespace tileir::sim;
using llvm::StringRef;

namespace {

const tileir::machine::Gpu &chip(StringRef name) {
  return *llvm::cantFail(tileir::machine::getGpu(name));
}

uint64_t &of(LaunchCounters &counters, InstrClass instrClass) {
  return counters.warpInstructions[unsigned(instrClass)];
}

//===----------------------------------------------------------------------===//
// Tables
//===----------------------------------------------------------------------===//

AccessSummary makeAccess(InstrClass space, uint32_t line, unsigned width,
                         AccessCounters counters) {
  AccessSummary access;
  access.space = space;
  access.location = {"gemm.mlir", line, 5};
  access.width = width;
  access.counters = counters;
  return access;
}

/// A product of 64 x 64 x 64 by two warps of each of 4 blocks, not a real one.
LaunchCounters makeGemm() {
  LaunchCounters c;
  c.kernel = "gemm";
  c.grid = {2, 2, 1};
  c.block = {64, 1, 1};
  c.sharedBytes = 8192;
  c.warps = 8;
  of(c, InstrClass::Free) = 7;
  of(c, InstrClass::Integer) = 100;
  of(c, InstrClass::Mma) = 256;
  of(c, InstrClass::Global) = 24;
  of(c, InstrClass::Shared) = 120;
  c.threadInstructions = 15000;
  c.blockBarriers = 16;
  c.mma = 256;
  c.mmaFlops = 524288;
  c.flops = 524308;
  c.shared = {120, 3840, 480, 240, 0, 0, 30720};
  c.global = {24, 768, 0, 0, 300, 150, 4800};
  c.globalBytes = 9600;
  c.deviceBytes = 4800;
  c.seconds = 0.00125;
  c.decodeSeconds = 0.0005;
  c.accesses = {
      makeAccess(InstrClass::Global, 10, 16, {20, 640, 0, 0, 280, 140, 4480}),
      makeAccess(InstrClass::AsyncCopy, 11, 16, {1, 5, 2, 1, 3, 3, 80}),
      makeAccess(InstrClass::Shared, 12, 8, {119, 3800, 478, 239, 0, 0, 30400}),
      makeAccess(InstrClass::Global, 20, 4, {3, 3, 0, 0, 17, 7, 96}),
      makeAccess(InstrClass::Local, 21, 4, {2, 64, 0, 0, 0, 0, 256})};
  c.accesses[2].isStore = true;
  c.accesses[3].isAtomic = true;
  for (uint32_t line : {10, 12}) {
    LineSummary summary;
    summary.location = {"gemm.mlir", line, 0};
    summary.warpInstructions[unsigned(InstrClass::Free)] = 3;
    summary.warpInstructions[unsigned(InstrClass::Mma)] = line == 12 ? 256 : 0;
    summary.warpInstructions[unsigned(InstrClass::Integer)] = 122;
    summary.shared.wavefronts = line == 12 ? 360 : 120;
    summary.global.sectors = line == 12 ? 0 : 300;
    c.lines.push_back(summary);
  }
  return c;
}

std::string print(const LaunchCounters &counters, StringRef name = "sm_70") {
  std::string text;
  llvm::raw_string_ostream os(text);
  printCounters(counters, chip(name), os);
  return text;
}

TEST(Table, all) {
  EXPECT_EQ("\n" + print(makeGemm()), R"(
kernel gemm on sm_70 (V100 SXM2)
  launch        grid 2x2x1, block 64x1x1, 8192 bytes of shared memory
  warps         8, with 16 block barriers
  instructions  500 of warps, 15000 of threads; 62.5 a warp, 30.0 lanes
  work          524308 flops, 100.0% of them in 256 mma
  shared        480 wavefronts, ideal 240: 240 conflicts
  global        9600 bytes in 300 sectors, ideal 150; 54.62 flops a byte
  device        4800 bytes; L2 has the others
  host          1.250 ms to run, 0.500 ms to decode

  instruction mix  of warps  share
  integer               100  20.0%
  mma                   256  51.2%
  global                 24   4.8%
  shared                120  24.0%

  shared memory   access  bytes  warps  lanes  wavefronts  ideal  ratio
  gemm.mlir:11:5  copy       16      1    5.0           2      1  2.00x
  gemm.mlir:12:5  store       8    119   31.9         478    239  2.00x

  global memory   access  bytes  warps  lanes  sectors  ideal  ratio
  gemm.mlir:10:5  load       16     20   32.0      280    140  2.00x
  gemm.mlir:11:5  copy       16      1    5.0        3      3  1.00x
  gemm.mlir:20:5  atomic      4      3    1.0       17      7  2.43x

  local memory    access  bytes  warps  lanes
  gemm.mlir:21:5  load        4      2   32.0

  source line   of tensor  of warps  mma  wavefronts  sectors
  gemm.mlir:12     100.0%       378  256         360        0

  estimate  microseconds  of the longest
  tensor           0.167          100.0%
  shared           0.078           46.9%
  l2               0.049           29.3%
  issue            0.041           24.4%
  integer          0.016            9.8%
  global           0.005            3.2%
  bound by tensor, 3133.6 Gflop/s; 0.00417 waves of blocks on 80 SMs
)");
}

TEST(Table, atMost100Columns) {
  LaunchCounters c = makeGemm();
  constexpr uint64_t kMany = 1234567890123;
  c.kernel = std::string(300, 'k');
  c.grid = {2147483647, 65535, 65535};
  c.block = {1024, 1024, 64};
  c.sharedBytes = 232448;
  for (uint64_t *count : {&c.warps, &c.threadInstructions, &c.mma, &c.flops,
                          &c.mmaFlops, &c.globalBytes, &c.deviceBytes,
                          &c.blockBarriers, &of(c, InstrClass::Special)})
    *count = kMany;
  c.shared = c.global = {kMany, kMany, kMany, kMany, kMany, kMany, kMany};
  for (AccessSummary &access : c.accesses) {
    access.location.file = std::string(200, 'f') + ".mlir";
    access.counters = c.shared;
  }
  for (LineSummary &line : c.lines) {
    line.location.file = std::string(200, 'f') + ".mlir";
    line.warpInstructions.fill(kMany);
    line.shared = line.global = c.shared;
  }
  std::string text = print(c);
  llvm::SmallVector<StringRef> lines;
  StringRef(text).split(lines, '\n');
  EXPECT_GT(lines.size(), 30u);
  for (StringRef line : lines)
    EXPECT_LE(line.size(), 100u) << line.str();
  EXPECT_NE(text.find("...ff"), std::string::npos);
  EXPECT_NE(text.find("f.mlir:12:5"), std::string::npos);
}

TEST(Table, linesByThePipeThatBinds) {
  LaunchCounters c = makeGemm();
  c.lines.clear();
  for (uint32_t line = 1; line <= 12; ++line) {
    LineSummary summary;
    summary.location = {"a", line, 0};
    summary.warpInstructions[unsigned(InstrClass::Special)] = line;
    summary.global.sectors = 100 - line;
    c.lines.push_back(summary);
  }
  of(c, InstrClass::Special) = 100000;
  std::string bySpecial = print(c);
  EXPECT_LT(bySpecial.find("a:12 "), bySpecial.find("a:11 "));
  EXPECT_EQ(bySpecial.find("a:2 "), std::string::npos);
  EXPECT_NE(bySpecial.find("  and 2 more\n"), std::string::npos);
  c.deviceBytes = 1ull << 40;
  std::string byGlobal = print(c);
  EXPECT_LT(byGlobal.find("a:1 "), byGlobal.find("a:2 "));
  EXPECT_EQ(byGlobal.find("a:11 "), std::string::npos);
}

TEST(Table, withoutDebugLocations) {
  LaunchCounters c = makeGemm();
  EXPECT_NE(print(c).find("source line"), std::string::npos);
  c.lines = {LineSummary()};
  EXPECT_EQ(print(c).find("source line"), std::string::npos);
}

TEST(Table, emptyLaunch) {
  LaunchCounters c;
  c.kernel = "nothing";
  EXPECT_EQ("\n" + print(c), R"(
kernel nothing on sm_70 (V100 SXM2)
  launch        grid 1x1x1, block 1x1x1, 0 bytes of shared memory
  warps         0, with 0 block barriers
  instructions  0 of warps, 0 of threads; 0.0 a warp, 0.0 lanes
  work          0 flops
  host          0.000 ms to run, 0.000 ms to decode
)");
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

std::string print(const llvm::json::Value &value) {
  std::string text;
  llvm::raw_string_ostream(text) << value;
  return text;
}

std::vector<std::string> keysOf(const llvm::json::Object &object) {
  std::vector<std::string> keys;
  for (const auto &[key, value] : object)
    keys.push_back(StringRef(key).str());
  llvm::sort(keys);
  return keys;
}

TEST(JSON, counters) {
  llvm::json::Value value = toJSON(makeGemm(), chip("sm_70"));
  const llvm::json::Object &o = *value.getAsObject();
  EXPECT_EQ(keysOf(o), (std::vector<std::string>{"accesses",
                                                 "block",
                                                 "blockBarriers",
                                                 "blocksRun",
                                                 "bulkBytes",
                                                 "chip",
                                                 "decodeSeconds",
                                                 "deviceBytes",
                                                 "estimate",
                                                 "flops",
                                                 "flopsPerByte",
                                                 "global",
                                                 "globalBytes",
                                                 "grid",
                                                 "hostSeconds",
                                                 "instructions",
                                                 "kernel",
                                                 "lines",
                                                 "mma",
                                                 "mma64Flops",
                                                 "mma8Flops",
                                                 "mmaFlops",
                                                 "mmaTf32Flops",
                                                 "roundTrips",
                                                 "shared",
                                                 "sharedBytes",
                                                 "threadInstructions",
                                                 "warpInstructions",
                                                 "warps",
                                                 "wgmma",
                                                 "wgmmaFlops",
                                                 "wgmmaWavefronts"}));
  EXPECT_EQ(o.getString("kernel"), "gemm");
  EXPECT_EQ(o.getString("chip"), "sm_70");
  EXPECT_EQ(print(*o.get("grid")), "[2,2,1]");
  EXPECT_EQ(o.getInteger("instructions"), 500);
  EXPECT_EQ(o.getNumber("flopsPerByte"), 524308 / 9600.0);
  EXPECT_EQ(o.getNumber("hostSeconds"), 0.00125);
  EXPECT_EQ(print(*o.get("shared")),
            R"({"bytes":30720,"conflicts":240,"idealSectors":0,)"
            R"("idealWavefronts":240,"lanes":3840,"sectors":0,"warps":120,)"
            R"("wavefronts":480})");
  EXPECT_EQ(print(*o.get("warpInstructions")),
            R"({"async-copy":0,"barrier":0,"control":0,"float32":0,)"
            R"("float64":0,"global":24,"half":0,"integer":100,"local":0,)"
            R"("mma":256,"shared":120,"shuffle":0,"special":0})");
  EXPECT_EQ(print((*o.getArray("accesses"))[2]),
            R"({"atomic":false,"bytes":30400,"column":5,"conflicts":239,)"
            R"("file":"gemm.mlir","idealSectors":0,"idealWavefronts":239,)"
            R"("lanes":3800,"line":12,"sectors":0,"space":"shared",)"
            R"("store":true,"warps":119,"wavefronts":478,"width":8})");
  EXPECT_EQ(
      keysOf(*(*o.getArray("lines"))[0].getAsObject()),
      (std::vector<std::string>{"file", "global", "line", "shared",
                                "threadInstructions", "warpInstructions"}));
  const llvm::json::Object &e = *o.getObject("estimate");
  EXPECT_EQ(keysOf(e), (std::vector<std::string>{"bound", "microseconds",
                                                 "pipes", "slack", "waves"}));
  EXPECT_EQ(e.getString("bound"), "tensor");
  EXPECT_EQ(keysOf(*e.getObject("pipes")),
            (std::vector<std::string>{"fma32", "fma64", "global", "integer",
                                      "issue", "l2", "latency", "shared",
                                      "special", "tensor"}));
  EXPECT_EQ(e.getObject("pipes")->getNumber("shared"), 480 / (4 * 1530.0));
  // It is JSON, also of what has no ratio and of names that are no text.
  LaunchCounters odd;
  odd.kernel = "a\"\xff";
  llvm::Expected<llvm::json::Value> parsed =
      llvm::json::parse(print(toJSON(odd, chip("sm_90"))));
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  EXPECT_TRUE(parsed->getAsObject()->getNull("flopsPerByte"));
}

TEST(JSON, finding) {
  Finding finding;
  finding.kind = FindingKind::SharedRace;
  finding.kernel = "k";
  finding.location = {"a.mlir", 3, 4};
  finding.block = {1, 2, 0};
  finding.warp = 5;
  finding.lane = 6;
  finding.address = 0xffffffffffffffff;
  finding.message = "both write";
  finding.count = 7;
  EXPECT_EQ(
      print(toJSON(finding)),
      R"({"address":18446744073709551615,"block":[1,2,0],"column":4,)"
      R"("count":7,"file":"a.mlir","kernel":"k","kind":"shared-race",)"
      R"("lane":6,"launches":1,"line":3,"message":"both write","stack":[],"warp":5})");
}

TEST(Findings, ofSeveralLaunches) {
  auto make = [](FindingKind kind, const char *kernel, uint32_t line,
                 uint64_t count, const char *message) {
    Finding finding;
    finding.kind = kind;
    finding.kernel = kernel;
    finding.location = {"k.cu", line, 1};
    finding.message = message;
    finding.count = count;
    return finding;
  };
  constexpr FindingKind race = FindingKind::SharedRace;
  std::vector<Finding> findings = {
      make(race, "k", 3, 2, "first"),
      make(FindingKind::Trap, "k", 3, 1, "another kind"),
      make(race, "k", 3, 5, "again"),
      make(race, "other", 3, 1, "another kernel"),
      make(race, "k", 4, 1, "another line"),
      make(race, "k", 0, 1, "no line"),
      make(race, "k", 0, 1, "nor here"),
      make(race, "k", 3, 1, "and again"),
  };
  mergeLaunches(findings);
  std::string text;
  for (const Finding &finding : findings)
    text += finding.message + " " + std::to_string(finding.count) + " " +
            std::to_string(finding.launches) + "\n";
  EXPECT_EQ(text, "first 8 3\nanother kind 1 1\nanother kernel 1 1\n"
                  "another line 1 1\nno line 1 1\nnor here 1 1\n");
  EXPECT_EQ(findings.front().str(),
            "error: k.cu:3:1: kernel @k, block (0,0,0), warp 0, lane 0: "
            "shared-race: first; seen 8 times in 3 launches");
}

} // namespace
