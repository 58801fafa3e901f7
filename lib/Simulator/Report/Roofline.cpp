//===- Roofline.cpp -------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A roofline as an SVG picture: logarithmic axes, the roofs of the chip, a
// point for each launch. Colours follow the reader's light or dark scheme.
// Points that touch share one list of names, which goes to a free place near
// them (LabelPlacement.h); widths of texts are estimated, as the reader's fonts
// are not known.
//
//===----------------------------------------------------------------------===//

#include "Report/Svg.h"
#include "tileir/Simulator/Report.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cmath>

using namespace tileir::sim;
using llvm::formatv;
using llvm::StringRef;
using tileir::machine::Gpu;

namespace {
/// Whole decades of values on [begin, end] of the picture.
struct Axis {
  int first = 0, last = 0; // powers of ten
  double begin = 0, end = 0;

  double operator()(double value) const {
    return begin + (std::log10(value) - first) / (last - first) * (end - begin);
  }
};

struct Roof {
  std::string name;
  double gflops;
};

/// Launches that lie at one place.
struct Point {
  StringRef kernel;
  double intensity, gflops, microseconds;
  StringRef bound;
  unsigned count = 1;
};

/// Names beside a point: of the launches there and of those that touch it.
struct Label {
  double x, y;
  std::vector<std::string> names;
};

constexpr double kWidth = 900, kHeight = 600;
constexpr Box kPlot = {80, 64, kWidth - 30, kHeight - 84};
constexpr double kRadius = 5;
constexpr size_t kMaxNames = 4; // beside one point

class Picture {
public:
  Picture(llvm::ArrayRef<LaunchCounters> launches, const Gpu &chip,
          llvm::raw_ostream &os);
  void draw();

private:
  void addPoint(const LaunchCounters &counters);
  void chooseAxes();
  void drawGrid();
  void drawRoofs();
  void drawPoints();
  std::vector<Label> makeLabels() const;
  void drawLabel(const Label &label);
  void drawCaptions();

  const Gpu &chip;
  std::string title;
  SvgWriter svg;
  size_t numLaunches;
  std::vector<Roof> roofs; // the highest last
  std::vector<Point> points;
  std::vector<StringRef> others; // kernels that have no place in the picture
  Placement placement{kPlot};
  Axis x, y;
};
} // namespace

/// A power of ten as an axis shows it.
static std::string powerOfTen(int power) {
  return power > 3 || power < -3 ? "1e" + std::to_string(power)
                                 : toText(std::pow(10.0, power));
}

/// The beginning of `text`: names of kernels differ there.
static std::string keepStart(StringRef text, size_t length) {
  return text.size() <= length ? text.str()
                               : (text.take_front(length - 3) + "...").str();
}

Picture::Picture(llvm::ArrayRef<LaunchCounters> launches, const Gpu &chip,
                 llvm::raw_ostream &os)
    : chip(chip),
      title(formatv("Roofline of {0} ({1})", chip.product, chip.name)),
      svg(kWidth, kHeight, title, os), numLaunches(launches.size()) {
  auto addRoof = [&](const char *name, double rate) {
    double gflops = 2 * rate * chip.sms * chip.clockGHz;
    roofs.push_back(
        {formatv("{0}, {1} Tflop/s", name, toText(gflops / 1e3)), gflops});
  };
  auto uses = [&](uint64_t LaunchCounters::*flops) {
    return llvm::any_of(launches,
                        [&](const LaunchCounters &c) { return c.*flops; });
  };
  addRoof("multiply-adds of f32", chip.fma32);
  if (chip.mmaTf32 && uses(&LaunchCounters::mmaTf32Flops))
    addRoof("tensor cores, tf32", chip.mmaTf32);
  addRoof("tensor cores, f16", chip.mma16);
  if (chip.mma8 && uses(&LaunchCounters::mma8Flops))
    addRoof("tensor cores, i8", chip.mma8);
  for (const LaunchCounters &counters : launches)
    addPoint(counters);
}

void Picture::addPoint(const LaunchCounters &counters) {
  if (counters.flops == 0 || counters.deviceBytes == 0) {
    if (!llvm::is_contained(others, counters.kernel))
      others.push_back(counters.kernel);
    return;
  }
  tileir::machine::Estimate e = estimate(counters, chip);
  Point point{counters.kernel, double(counters.flops) / counters.deviceBytes,
              counters.flops / (1e3 * e.microseconds), e.microseconds,
              e.pipes[0].pipe};
  for (Point &other : points)
    if (other.kernel == point.kernel && other.intensity == point.intensity &&
        other.gflops == point.gflops) {
      ++other.count;
      return;
    }
  points.push_back(point);
}

void Picture::chooseAxes() {
  // Room for names beside the outermost points.
  constexpr double kMargin = 1.5;
  double least = 0.1, most = 1000; // flops a byte
  for (const Point &point : points) {
    least = std::min(least, point.intensity / kMargin);
    most = std::max(most, point.intensity * kMargin);
  }
  double slowest = least * chip.globalGBs;
  double fastest = roofs.back().gflops * kMargin;
  for (const Point &point : points) {
    slowest = std::min(slowest, point.gflops / kMargin);
    fastest = std::max(fastest, point.gflops * kMargin);
  }
  auto choose = [](double least, double most, double begin, double end) {
    // 1e-9: a power of ten may come out a little off.
    return Axis{int(std::floor(std::log10(least) + 1e-9)),
                int(std::ceil(std::log10(most) - 1e-9)), begin, end};
  };
  x = choose(least, most, kPlot.left, kPlot.right);
  y = choose(slowest, fastest, kPlot.bottom, kPlot.top);
}

//===----------------------------------------------------------------------===//
// Drawing
//===----------------------------------------------------------------------===//

void Picture::drawGrid() {
  // 1 to 9 of each decade, and the end.
  auto forLines = [](const Axis &axis, auto body) {
    for (int power = axis.first; power <= axis.last; ++power)
      for (int digit = 1; digit < (power == axis.last ? 2 : 10); ++digit)
        body(axis(digit * std::pow(10.0, power)),
             digit == 1 ? "major" : "minor");
  };
  forLines(x, [&](double at, StringRef style) {
    svg.line(style, at, kPlot.top, at, kPlot.bottom);
  });
  forLines(y, [&](double at, StringRef style) {
    svg.line(style, kPlot.left, at, kPlot.right, at);
  });
  for (int power = x.first; power <= x.last; ++power)
    svg.text("muted", x(std::pow(10.0, power)), kPlot.bottom + 18, "middle",
             powerOfTen(power));
  for (int power = y.first; power <= y.last; ++power)
    svg.text("muted", kPlot.left - 8, y(std::pow(10.0, power)) + 4, "end",
             powerOfTen(power));
  svg.text("ink", (kPlot.left + kPlot.right) / 2, kPlot.bottom + 40, "middle",
           "flops per byte of device memory");
  svg.turnedText("ink", 22, (kPlot.top + kPlot.bottom) / 2, -90, "Gflop/s");
}

void Picture::drawRoofs() {
  double left = std::pow(10.0, x.first), right = std::pow(10.0, x.last);
  double bandwidth = chip.globalGBs;
  for (const Roof &roof : roofs) {
    double ridge = std::max(roof.gflops / bandwidth, left);
    double height = y(roof.gflops);
    if (ridge < right)
      svg.line("roof", x(ridge), height, kPlot.right, height);
    svg.text("muted", kPlot.right - 6, height - 6, "end", roof.name);
    placement.take({kPlot.right - 6 - getTextWidth(roof.name),
                    height - kLineHeight - 2, kPlot.right, height + 2});
    placement.take({x(ridge), height - 2, kPlot.right, height + 2});
  }
  // The slope, from where it enters the picture to the highest roof.
  double low = std::max(left, std::pow(10.0, y.first) / bandwidth);
  double high = std::min(right, roofs.back().gflops / bandwidth);
  double x1 = x(low), y1 = y(low * bandwidth);
  double x2 = x(high), y2 = y(high * bandwidth);
  svg.line("roof", x1, y1, x2, y2);
  std::string name = formatv("device memory, {0} GB/s", toText(bandwidth));
  double angle = std::atan2(y2 - y1, x2 - x1);
  // Above the line, where it hides least points.
  auto countPoints = [&](double part) {
    return llvm::count_if(points, [&](const Point &point) {
      return std::hypot(x(point.intensity) - x1 - part * (x2 - x1),
                        y(point.gflops) - y1 - part * (y2 - y1)) <
             getTextWidth(name) / 2 + kRadius;
    });
  };
  double part = 0.15;
  for (int percent = 16; percent < 85; ++percent)
    if (countPoints(percent / 100.0) < countPoints(part))
      part = percent / 100.0;
  double tx = x1 + part * (x2 - x1), ty = y1 + part * (y2 - y1);
  svg.turnedText("muted", tx + 7 * std::sin(angle), ty - 7 * std::cos(angle),
                 angle * 180 / M_PI, name);
  // Small boxes along the line and its name.
  constexpr unsigned kPieces = 64;
  for (unsigned i = 0; i <= kPieces; ++i) {
    double px = x1 + (x2 - x1) * i / kPieces, py = y1 + (y2 - y1) * i / kPieces;
    bool isNamed = std::hypot(px - tx, py - ty) < getTextWidth(name) / 2 + 8;
    placement.take(
        {px - (isNamed ? 18 : 4), py - (isNamed ? 22 : 4), px + 4, py + 4});
  }
}

std::vector<Label> Picture::makeLabels() const {
  std::vector<Label> labels;
  for (const Point &point : points) {
    std::string name = keepStart(point.kernel, 32);
    if (point.count > 1)
      name += formatv(" x{0}", point.count);
    double px = x(point.intensity), py = y(point.gflops);
    auto near = llvm::find_if(labels, [&](const Label &label) {
      return std::hypot(px - label.x, py - label.y) < 2 * kRadius;
    });
    if (near == labels.end())
      labels.push_back({px, py, {name}});
    else
      near->names.push_back(name);
  }
  for (Label &label : labels) {
    if (label.names.size() <= kMaxNames)
      continue;
    size_t left = label.names.size() - (kMaxNames - 1);
    label.names.resize(kMaxNames - 1);
    label.names.push_back(formatv("and {0} more", left));
  }
  return labels;
}

void Picture::drawLabel(const Label &label) {
  double width = 0, height = kLineHeight * label.names.size();
  for (StringRef name : label.names)
    width = std::max(width, getTextWidth(name) + 4);
  auto place = placement.find(label.x, label.y, width, height, kLineHeight);
  if (!place)
    return;
  const Box &box = place->box;
  if (place->isFar)
    svg.line("leader", label.x, label.y,
             std::clamp(label.x, box.left, box.right),
             std::clamp(label.y, box.top, box.bottom));
  svg.rectangle("plate", box);
  double bottom = box.top;
  for (StringRef name : label.names) {
    bottom += kLineHeight;
    svg.text("ink", place->isLeft ? box.right - 2 : box.left + 2, bottom - 4,
             place->isLeft ? "end" : "start", name);
  }
}

void Picture::drawPoints() {
  for (const Point &point : points) {
    double px = x(point.intensity), py = y(point.gflops);
    placement.take({px - kRadius, py - kRadius, px + kRadius, py + kRadius});
  }
  for (const Label &label : makeLabels())
    drawLabel(label);
  for (const Point &point : points)
    svg.circle("point", x(point.intensity), y(point.gflops), kRadius,
               formatv("{0}: {1} Gflop/s at {2} flops a byte, {3} us, bound "
                       "by {4}",
                       point.kernel, toText(point.gflops),
                       toText(point.intensity), toText(point.microseconds),
                       point.bound)
                   .str());
}

void Picture::drawCaptions() {
  svg.text("title", kPlot.left, 30, "start", title);
  svg.text("muted", kPlot.left, 50, "start",
           formatv("{0} launches; times are estimates from counted work",
                   numLaunches)
               .str());
  if (!others.empty())
    svg.text("muted", kPlot.left, kHeight - 14, "start",
             keepStart("Not shown, without flops or without accesses of global "
                       "memory: " +
                           llvm::join(others, ", "),
                       105));
}

void Picture::draw() {
  chooseAxes();
  drawGrid();
  drawRoofs();
  drawPoints();
  drawCaptions();
}

void tileir::sim::drawRoofline(llvm::ArrayRef<LaunchCounters> launches,
                               const Gpu &chip, llvm::raw_ostream &os) {
  Picture(launches, chip, os).draw();
}
