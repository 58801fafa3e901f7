//===- Report.cpp - What came of tuning -----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As text for a terminal, as CSV, and as a page with plots in SVG.
//
//===----------------------------------------------------------------------===//

#include "tileir/Tune/Report.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"

#include <cmath>
#include <map>

using namespace tileir::tune;
using llvm::formatv;
using llvm::StringRef;

/// What a reason has in common with others of its kind: all but numbers.
static std::string getKind(StringRef reason) {
  std::string kind;
  while (!reason.empty()) {
    bool isHexadecimal = reason.consume_front("0x");
    StringRef number = reason.take_while([&](char c) {
      return isHexadecimal ? llvm::isHexDigit(c) : llvm::isDigit(c);
    });
    if (number.empty()) {
      kind += reason.front();
      reason = reason.drop_front();
      continue;
    }
    kind += '#';
    reason = reason.drop_front(number.size());
  }
  return kind;
}

/// A GPU that gets warm runs slower, so that times are compared by it.
void Report::printClock(llvm::raw_ostream &os) const {
  double least = 0, most = 0;
  for (const Result &result : tuner.getResults())
    if (double clock = result.outcome.megahertz; result.isRight() && clock) {
      least = least == 0 ? clock : std::min(least, clock);
      most = std::max(most, clock);
    }
  if (most != 0)
    os << formatv("multiprocessors at {0:f0} to {1:f0} MHz\n", least, most);
}

void Report::print(llvm::raw_ostream &os) const {
  os << (isEstimate ? " estimate, us   configuration\n"
                    : "   median, ms   ratio  spread   configuration\n");
  constexpr unsigned kMostLines = 20;
  unsigned numLines = 0, numRight = 0;
  std::map<std::string, std::pair<unsigned, std::string>> reasons;
  unsigned numMissing = 0;
  for (const Result &result : tuner.getResults()) {
    std::string text = space.describe(result.configuration);
    if (!result.isMeasured) {
      ++numMissing;
      continue;
    }
    if (!result.isRight()) {
      auto [it, isNew] =
          reasons.try_emplace(getKind(result.outcome.reason), 0,
                              text + ": " + result.outcome.reason);
      ++it->second.first;
      continue;
    }
    ++numRight;
    if (++numLines > kMostLines)
      continue;
    const Outcome &outcome = result.outcome;
    if (isEstimate)
      os << llvm::format("%13.4g", outcome.estimate);
    else
      os << llvm::format("%13.4g  %6.3f  %4.0f %%", outcome.median,
                         tuner.getRatio(result),
                         100 * (outcome.most - outcome.least) /
                             std::max(outcome.median, 1e-9));
    os << "   " << text << '\n';
  }
  printClock(os);
  if (numLines > kMostLines)
    os << "  and " << numRight - kMostLines << " slower ones\n";
  for (const auto &[kind, count] : reasons)
    os << count.first << (count.first == 1 ? " fails" : " fail") << ", such as "
       << count.second << '\n';
  if (space.getNumExcluded())
    os << space.getNumExcluded() << " left out by --where\n";
  if (numMissing)
    os << numMissing << " not measured: " << tuner.getStop() << '\n';
}

/// A value of CSV.
static std::string quote(StringRef text) {
  if (text.find_first_of(",\"\n") == StringRef::npos)
    return text.str();
  std::string quoted = "\"";
  for (char c : text)
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

void Report::printCsv(llvm::raw_ostream &os) const {
  for (const Parameter &parameter : space.getParameters())
    os << quote(parameter.name) << ',';
  os << "median_ms,ratio,min_ms,max_ms,estimate_us,clock_mhz,predicted,seconds,"
        "reason\n";
  for (const Result &result : tuner.getResults()) {
    for (const std::string &value : result.configuration)
      os << quote(value) << ',';
    const Outcome &outcome = result.outcome;
    if (result.isRight())
      os << llvm::format("%.6g,%.4g,%.6g,%.6g,%.6g,%.6g,", outcome.median,
                         tuner.getRatio(result), outcome.least, outcome.most,
                         outcome.estimate, outcome.megahertz);
    else
      os << ",,,,,,";
    os << llvm::format("%.6g,%.3f,", space.getPrediction(result.configuration),
                       result.time)
       << (result.isRight()
               ? ""
               : quote(result.isMeasured ? StringRef(outcome.reason)
                                         : tuner.getStop()))
       << '\n';
  }
}

//===----------------------------------------------------------------------===//
// A page
//===----------------------------------------------------------------------===//

namespace {

/// A point of a plot, and what is told where a mouse is over it.
struct Point {
  double x = 0, y = 0;
  std::string text;
};

/// A plot of points, whose y are logarithmic, and x if `isLogarithmic`. With
/// `names`, x are their numbers.
class Plot {
public:
  Plot(std::string title, std::string xAxis, std::string yAxis)
      : title(std::move(title)), xAxis(std::move(xAxis)),
        yAxis(std::move(yAxis)) {}

  void print(llvm::raw_ostream &os) const;

  std::vector<Point> points;
  std::vector<std::string> names;
  bool isLogarithmic = false, isLine = false;

private:
  static constexpr double kWidth = 460, kHeight = 300, kLeft = 70, kBelow = 60,
                          kAbove = 30, kRight = 15;
  std::string title, xAxis, yAxis;
};

/// The ends of an axis, and where a value is between them.
struct Axis {
  double least = 0, most = 1;
  bool isLogarithmic = false;

  double scale(double value) const {
    return isLogarithmic ? std::log10(std::max(value, 1e-9)) : value;
  }
  void include(llvm::ArrayRef<double> values) {
    least = scale(*llvm::min_element(values));
    most = scale(*llvm::max_element(values));
    double margin = 0.05 * (most - least) + 1e-6;
    least -= margin;
    most += margin;
  }
  double place(double value) const {
    return (scale(value) - least) / (most - least);
  }
  double getValue(double place) const {
    double value = least + place * (most - least);
    return isLogarithmic ? std::pow(10, value) : value;
  }
};

} // namespace

static std::string escape(StringRef text) {
  std::string escaped;
  llvm::raw_string_ostream os(escaped);
  llvm::printHTMLEscaped(text, os);
  return escaped;
}

void Plot::print(llvm::raw_ostream &os) const {
  if (points.empty())
    return;
  Axis x{0, 1, isLogarithmic}, y{0, 1, true};
  x.include(llvm::map_to_vector(points, [](const Point &p) { return p.x; }));
  y.include(llvm::map_to_vector(points, [](const Point &p) { return p.y; }));
  if (!names.empty())
    x = {-0.5, double(names.size()) - 0.5, false};
  double width = kWidth - kLeft - kRight, height = kHeight - kAbove - kBelow;
  auto getX = [&](double place) { return kLeft + place * width; };
  auto getY = [&](double place) { return kAbove + (1 - place) * height; };
  auto write = [&](double px, double py, StringRef anchor, StringRef text) {
    os << llvm::formatv("<text x='{0:f1}' y='{1:f1}' text-anchor='{2}'>{3}"
                        "</text>\n",
                        px, py, anchor, escape(text));
  };
  os << llvm::formatv("<svg width='{0}' height='{1}' viewBox='0 0 {0} {1}'>\n",
                      kWidth, kHeight);
  os << llvm::formatv("<rect x='{0}' y='{1}' width='{2}' height='{3}' "
                      "class='frame'/>\n",
                      kLeft, kAbove, width, height);
  write(getX(0.5), kAbove - 10, "middle", title);
  write(getX(0.5), kHeight - 8, "middle", xAxis);
  write(kLeft, kAbove - 10, "end", yAxis);
  for (double place : {0.05, 0.35, 0.65, 0.95}) {
    std::string value;
    llvm::raw_string_ostream(value) << llvm::format("%.3g", y.getValue(place));
    write(kLeft - 6, getY(place) + 4, "end", value);
    if (!names.empty())
      continue;
    value.clear();
    llvm::raw_string_ostream(value) << llvm::format("%.3g", x.getValue(place));
    write(getX(place), kHeight - kBelow + 18, "middle", value);
  }
  for (auto [i, name] : llvm::enumerate(names))
    write(getX(x.place(double(i))), kHeight - kBelow + 18, "middle", name);
  if (isLine) {
    os << "<polyline points='";
    for (const Point &point : points)
      os << llvm::formatv("{0:f1},{1:f1} ", getX(x.place(point.x)),
                          getY(y.place(point.y)));
    os << "'/>\n";
  }
  for (const Point &point : points)
    os << llvm::formatv("<circle cx='{0:f1}' cy='{1:f1}' r='3'><title>{2}"
                        "</title></circle>\n",
                        getX(x.place(point.x)), getY(y.place(point.y)),
                        escape(point.text));
  os << "</svg>\n";
}

void Report::printHtml(llvm::raw_ostream &os, StringRef command) const {
  os << "<!DOCTYPE html>\n<html><head><meta charset='utf-8'>"
        "<title>tile-tune</title>\n<style>\n"
        "body { font: 14px sans-serif; margin: 24px; }\n"
        "svg text { font: 11px sans-serif; } svg { margin: 8px; }\n"
        ".frame { fill: none; stroke: #888; }\n"
        "circle { fill: #1f77b4; fill-opacity: 0.6; }\n"
        "polyline { fill: none; stroke: #d62728; }\n"
        "pre { background: #eee; padding: 8px; }\n"
        "</style></head><body>\n<h1>tile-tune</h1>\n";
  if (!command.empty())
    os << "<p>The best configuration:</p>\n<pre>" << escape(command)
       << "</pre>\n";
  std::string text;
  llvm::raw_string_ostream table(text);
  print(table);
  os << "<pre>" << escape(text) << "</pre>\n";

  std::string unit = getUnit().str();
  std::vector<const Result *> right;
  for (const Result &result : tuner.getResults())
    if (result.isRight())
      right.push_back(&result);
  auto getPoint = [&](const Result &result, double x) -> Point {
    std::string told;
    llvm::raw_string_ostream(told)
        << llvm::format("%.4g ", tuner.getCost(result)) << unit << ": "
        << space.describe(result.configuration);
    return {x, tuner.getCost(result), told};
  };

  Plot best("The best so far", "seconds", unit);
  best.isLine = true;
  std::vector<const Result *> byTime = right;
  llvm::stable_sort(byTime, [](const Result *a, const Result *b) {
    return a->time < b->time;
  });
  for (const Result *result : byTime)
    if (!result->isFromCache &&
        (best.points.empty() || tuner.getCost(*result) < best.points.back().y))
      best.points.push_back(getPoint(*result, result->time));
  best.print(os);

  Plot predicted("Measured and predicted", "predicted", unit);
  predicted.isLogarithmic = true;
  for (const Result *result : right)
    if (double x = space.getPrediction(result->configuration))
      predicted.points.push_back(getPoint(*result, x));
  predicted.print(os);

  for (auto [i, parameter] : llvm::enumerate(space.getParameters())) {
    // Values that are long texts, as those of passes, are told by the table.
    constexpr size_t kMostNames = 16;
    if (parameter.values.size() > kMostNames)
      continue;
    Plot plot(parameter.name, parameter.name, unit);
    plot.names = parameter.values;
    for (const Result *result : right)
      plot.points.push_back(getPoint(
          *result, llvm::find(parameter.values, result->configuration[i]) -
                       parameter.values.begin()));
    plot.print(os);
  }
  os << "</body></html>\n";
}
