//===- SimulatorRooflineTest.cpp ------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The roofline picture: where points and roofs lie, that names do not overlap,
// and that what is written is XML, by Python's parser.
//
//===----------------------------------------------------------------------===//

#include "tileir/Simulator/Report.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include "gtest/gtest.h"

using namespace tileir::sim;
using llvm::StringRef;

namespace {

/// A launch that fills the chip, of so many flops and bytes; all of them, or
/// none, in mma.
LaunchCounters makeLaunch(StringRef kernel, double flops, double bytes,
                          bool isMma = true) {
  LaunchCounters counters;
  counters.kernel = kernel.str();
  counters.grid = {4000, 1, 1};
  counters.block = {128, 1, 1};
  counters.flops = uint64_t(flops);
  counters.mmaFlops = isMma ? counters.flops : 0;
  counters.warpInstructions[unsigned(InstrClass::Float32)] =
      isMma ? 0 : counters.flops / 64;
  counters.deviceBytes = uint64_t(bytes);
  return counters;
}

std::vector<LaunchCounters> makeLaunches() {
  return {makeLaunch("gemm_128x128x32", 1e11, 1e9),
          makeLaunch("gemm_64x64x32", 1e11, 2e9),
          makeLaunch("gemm_32x32x32", 1e11, 4e9),
          makeLaunch("gemm_naive", 1e11, 4e10, false),
          makeLaunch("axpy", 2e8, 1.2e9, false),
          makeLaunch("softmax", 5e8, 4e8, false)};
}

std::string draw(llvm::ArrayRef<LaunchCounters> launches,
                 StringRef chip = "sm_70") {
  std::string text;
  llvm::raw_string_ostream os(text);
  drawRoofline(launches, *llvm::cantFail(tileir::machine::getGpu(chip)), os);
  return text;
}

/// The attributes of all elements of one class.
struct Element {
  std::string text;

  double operator[](StringRef name) const {
    size_t at = text.find((" " + name + "=\"").str());
    EXPECT_NE(at, std::string::npos) << name.str() << " in " << text;
    return std::stod(text.substr(at + name.size() + 3));
  }
};
std::vector<Element> find(const std::string &svg, StringRef tag,
                          StringRef cssClass) {
  std::string begin = ("<" + tag + " class=\"" + cssClass + "\"").str();
  std::vector<Element> found;
  for (size_t at = svg.find(begin); at != std::string::npos;
       at = svg.find(begin, at + 1))
    found.push_back({svg.substr(at, svg.find('>', at) - at)});
  return found;
}

/// What is wrong with it by Python's parser; empty where nothing is.
std::string parse(const std::string &svg) {
  std::string python = *llvm::sys::findProgramByName("python3");
  llvm::SmallString<128> path;
  int file;
  llvm::sys::fs::createTemporaryFile("roofline", "svg", file, path);
  llvm::raw_fd_ostream(file, /*shouldClose=*/true) << svg;
  std::string error;
  int status = llvm::sys::ExecuteAndWait(
      python,
      {python, "-c", "import sys, xml.dom.minidom as d; d.parse(sys.argv[1])",
       path},
      std::nullopt, {"", "", ""}, 60, 0, &error);
  llvm::sys::fs::remove(path);
  return status ? "status " + std::to_string(status) + " " + error : "";
}

TEST(Roofline, isXML) {
  if (!llvm::sys::findProgramByName("python3"))
    GTEST_SKIP() << "no python3";
  std::vector<LaunchCounters> odd = makeLaunches();
  odd.push_back(makeLaunch("a<b>&\"c'\x01\xff", 1e10, 1e9));
  odd.push_back(makeLaunch("<copy>&", 0, 1e9));
  for (const auto &launches :
       {std::vector<LaunchCounters>(), makeLaunches(), odd}) {
    std::string svg = draw(launches);
    EXPECT_EQ(parse(svg), "");
    EXPECT_EQ(svg.find("nan"), std::string::npos);
    EXPECT_EQ(svg.find("inf"), std::string::npos);
  }
  EXPECT_NE(parse(draw(odd) + "<"), "");
}

TEST(Roofline, pointsLieAtTheirPlaces) {
  std::vector<LaunchCounters> launches = {
      makeLaunch("memory", 1e9, 1e10), makeLaunch("tensor", 1e13, 1e10),
      makeLaunch("scalar", 1e13, 1e10, false)};
  std::string svg = draw(launches);
  std::vector<Element> points = find(svg, "circle", "point");
  ASSERT_EQ(points.size(), 3u);
  std::vector<Element> roofs = find(svg, "line", "roof");
  ASSERT_EQ(roofs.size(), 3u); // f32, tensor cores, memory
  // 0.1 flops a byte is on the slope, 1000 under the two flat roofs.
  EXPECT_EQ(points[1]["cx"], points[2]["cx"]);
  EXPECT_EQ(points[1]["cy"], roofs[1]["y1"]);
  EXPECT_EQ(points[2]["cy"], roofs[0]["y1"]);
  EXPECT_EQ(roofs[0]["y1"], roofs[0]["y2"]);
  double slope =
      (roofs[2]["y2"] - roofs[2]["y1"]) / (roofs[2]["x2"] - roofs[2]["x1"]);
  EXPECT_NEAR(points[0]["cy"] - roofs[2]["y1"],
              slope * (points[0]["cx"] - roofs[2]["x1"]), 0.5);
  EXPECT_EQ(roofs[2]["x2"], roofs[1]["x1"]); // they meet at the ridge
  EXPECT_EQ(roofs[2]["y2"], roofs[1]["y1"]);
  // Four decades between the intensities, as many as between these ticks.
  std::vector<Element> ticks = find(svg, "line", "major");
  EXPECT_NEAR(points[1]["cx"] - points[0]["cx"],
              4 * (ticks[1]["x1"] - ticks[0]["x1"]), 0.5);
  EXPECT_NE(svg.find("memory: 90 Gflop/s at 0.1 flops a byte, 11111 us, "
                     "bound by global"),
            std::string::npos);
}

/// Names beside points; "and 7 more" stands for seven.
size_t countNames(const std::string &svg) {
  size_t names = 0;
  StringRef rest = svg;
  // Names come after the first plate, the points after the names.
  rest = rest.substr(rest.find("<rect class=\"plate\""));
  for (rest = rest.take_front(rest.find("<circle")); !rest.empty();) {
    auto [line, others] = rest.split('\n');
    rest = others;
    if (!line.starts_with("<text"))
      continue;
    StringRef content = line.split('>').second;
    size_t more = 1;
    if (content.consume_front("and "))
      content.consumeInteger(10, more);
    names += more;
  }
  return names;
}

TEST(Roofline, namesDoNotOverlap) {
  std::vector<LaunchCounters> launches = makeLaunches();
  for (unsigned i = 0; i < 12; ++i) // variants that lie close together
    launches.push_back(makeLaunch("variant_of_a_gemm_" + std::to_string(i),
                                  1e11, 1e9 + 2e7 * i));
  for (StringRef chip :
       {"sm_70", "sm_75", "sm_80", "sm_86", "sm_89", "sm_90"}) {
    std::string svg = draw(launches, chip);
    EXPECT_EQ(countNames(svg), launches.size()) << chip.str();
    std::vector<Element> plates = find(svg, "rect", "plate");
    std::vector<Element> points = find(svg, "circle", "point");
    EXPECT_EQ(points.size(), launches.size());
    auto overlap = [](double a, double widthA, double b, double widthB) {
      return a < b + widthB - 0.2 && b < a + widthA - 0.2;
    };
    for (size_t i = 0; i < plates.size(); ++i) {
      const Element &a = plates[i];
      for (const Element &point : points)
        EXPECT_FALSE(overlap(a["x"], a["width"], point["cx"] - 5, 10) &&
                     overlap(a["y"], a["height"], point["cy"] - 5, 10));
      for (size_t j = 0; j < i; ++j) {
        const Element &b = plates[j];
        EXPECT_FALSE(overlap(a["x"], a["width"], b["x"], b["width"]) &&
                     overlap(a["y"], a["height"], b["y"], b["height"]))
            << chip.str() << ": " << a.text << " and " << b.text;
      }
    }
  }
}

TEST(Roofline, equalLaunchesAreOnePoint) {
  std::string svg =
      draw({makeLaunch("gemm", 1e10, 1e8), makeLaunch("gemm", 1e10, 1e8),
            makeLaunch("gemm", 1e10, 1e8)});
  EXPECT_EQ(find(svg, "circle", "point").size(), 1u);
  EXPECT_NE(svg.find(">gemm x3<"), std::string::npos);
  EXPECT_NE(svg.find("3 launches"), std::string::npos);
}

TEST(Roofline, whatHasNoPlaceIsNamed) {
  std::string svg = draw({makeLaunch("copy", 0, 1e8), makeLaunch("pi", 1e9, 0),
                          makeLaunch("copy", 0, 2e8)});
  EXPECT_EQ(find(svg, "circle", "point").size(), 0u);
  EXPECT_NE(svg.find("accesses of global memory: copy, pi<"),
            std::string::npos);
}

TEST(Roofline, roofsOfTheTypesThatAreUsed) {
  EXPECT_NE(draw({}, "sm_80").find("tensor cores, f16, 311.9 Tflop/s"),
            std::string::npos);
  EXPECT_NE(draw({}, "sm_80").find("device memory, 1555 GB/s"),
            std::string::npos);
  EXPECT_EQ(find(draw({}, "sm_80"), "line", "roof").size(), 3u);
  LaunchCounters counters = makeLaunch("i8", 1e14, 1e9);
  counters.mma8Flops = counters.mmaFlops;
  std::string svg = draw(counters, "sm_80");
  EXPECT_NE(svg.find("tensor cores, i8, 623.7 Tflop/s"), std::string::npos);
  EXPECT_EQ(svg.find("tf32"), std::string::npos);
}

} // namespace
