//===- Drawing.cpp - Pictures of layouts ----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All places are gone through once to find those of each element. A cell is a
// group of the class "cell": a coloured strip for each different colour of its
// places, two lines of text, and a tooltip that lists the places.
//
//===----------------------------------------------------------------------===//

#include "tileir/Layout/Drawing/Drawing.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <map>

using namespace tileir::layout;
using namespace llvm;

constexpr unsigned kCellWidth = 52, kCellHeight = 34, kMargin = 34, kHead = 70;
constexpr int64_t kMaxSide = 64;

namespace {
/// The place of an element, and its looks.
struct Holder {
  std::string name, detail, colour;
};

class Drawing {
public:
  Drawing(const LinearLayout &layout, unsigned elementBits)
      : layout(layout), elementBits(elementBits) {
    columns = layout.getShape().back();
    rows = (uint64_t(1) << layout.getNumElementBits()) / columns;
    collect();
  }
  void write(StringRef title, raw_ostream &os) const;

private:
  bool isShared() const { return layout.getNumBits(InDim::Offset) > 0; }
  void collect();
  Holder describe(uint64_t reg, uint64_t lane, uint64_t warp) const;
  Holder describe(uint64_t offset) const;
  void writeCell(int64_t row, int64_t column, raw_ostream &os) const;
  void writeLegend(unsigned y, raw_ostream &os) const;

  const LinearLayout &layout;
  unsigned elementBits;
  int64_t rows, columns;
  /// The holders of each element.
  std::map<uint64_t, SmallVector<Holder, 1>> holders;
};
} // namespace

static std::string escape(StringRef text) {
  std::string escaped;
  raw_string_ostream os(escaped);
  printHTMLEscaped(text, os);
  return escaped;
}

static std::string toText(ArrayRef<int32_t> coordinate) {
  std::string text;
  raw_string_ostream os(text);
  interleaveComma(coordinate, os);
  return text;
}

/// A hue of the circle for the quad pair of a lane, darker for the upper quad.
static std::string getLaneColour(uint64_t lane) {
  static constexpr unsigned hues[] = {210, 130, 45, 340};
  return formatv("hsl({0}, 70%, {1}%)", hues[lane >> 2 & 3],
                 lane & 16 ? 70 : 84);
}

static std::string getBankColour(uint64_t bank) {
  return formatv("hsl({0}, 65%, 80%)", bank * 360 / 32);
}

Holder Drawing::describe(uint64_t reg, uint64_t lane, uint64_t warp) const {
  std::string warpName =
      layout.getNumBits(InDim::Warp) ? "w" + utostr(warp) + " " : "";
  return {warpName + "t" + utostr(lane), "r" + utostr(reg),
          getLaneColour(lane)};
}

Holder Drawing::describe(uint64_t offset) const {
  uint64_t bank = offset * elementBits / 32 % 32;
  return {"bank " + utostr(bank), utostr(offset), getBankColour(bank)};
}

void Drawing::collect() {
  if (isShared()) {
    for (uint64_t offset : seq<uint64_t>(0, layout.getSize(InDim::Offset)))
      holders[layout.getElementAt({{InDim::Offset, offset}})].push_back(
          describe(offset));
    return;
  }
  for (uint64_t warp : seq<uint64_t>(0, layout.getSize(InDim::Warp)))
    for (uint64_t lane : seq<uint64_t>(0, layout.getSize(InDim::Lane)))
      for (uint64_t reg : seq<uint64_t>(0, layout.getSize(InDim::Register)))
        holders[layout.getElementAt({{InDim::Register, reg},
                                     {InDim::Lane, lane},
                                     {InDim::Warp, warp}})]
            .push_back(describe(reg, lane, warp));
}

void Drawing::writeCell(int64_t row, int64_t column, raw_ostream &os) const {
  unsigned x = kMargin + column * kCellWidth, y = kHead + row * kCellHeight;
  auto found = holders.find(row * columns + column);
  // Elements of other blocks have no place here.
  ArrayRef<Holder> places;
  if (found != holders.end())
    places = found->second;
  os << "<g class=\"cell\"><title>("
     << toText(layout.getCoordinate(row * columns + column)) << "):";
  SmallVector<StringRef> colours;
  for (const Holder &place : places) {
    os << ' ' << place.name << ' ' << place.detail << ';';
    if (!is_contained(colours, place.colour))
      colours.push_back(place.colour);
  }
  os << "</title>\n";
  auto writeBox = [&](StringRef style, unsigned left, unsigned width,
                      StringRef colour) {
    os << formatv("<rect{0} x=\"{1}\" y=\"{2}\" width=\"{3}\" height=\"{4}\" "
                  "fill=\"{5}\"/>\n",
                  style, left, y, width, kCellHeight, colour);
  };
  // Strips have no edges of their own: the text would stand on them.
  if (colours.size() > 1)
    for (auto [i, colour] : enumerate(colours))
      writeBox(" class=\"strip\"", x + i * kCellWidth / colours.size(),
               kCellWidth / colours.size(), colour);
  writeBox("", x, kCellWidth,
           colours.size() == 1 ? colours.front() : StringRef("none"));
  if (!places.empty()) {
    std::string name = places.front().name;
    if (places.size() == 2)
      name += " " + places.back().name;
    else if (places.size() > 2)
      name += " +" + utostr(places.size() - 1);
    os << formatv("<text x=\"{0}\" y=\"{1}\">{2}</text>\n", x + kCellWidth / 2,
                  y + 14, name)
       << formatv("<text class=\"what\" x=\"{0}\" y=\"{1}\">{2}</text>\n",
                  x + kCellWidth / 2, y + 28, places.front().detail);
  }
  os << "</g>\n";
}

void Drawing::writeLegend(unsigned y, raw_ostream &os) const {
  unsigned x = kMargin;
  auto add = [&](StringRef colour, const std::string &text) {
    os << formatv("<rect class=\"key\" x=\"{0}\" y=\"{1}\" width=\"12\" "
                  "height=\"12\" fill=\"{2}\"/><text class=\"legend\" "
                  "x=\"{3}\" y=\"{4}\">{5}</text>\n",
                  x, y, colour, x + 17, y + 10, text);
    x += 30 + 7 * text.size();
  };
  if (isShared()) {
    for (unsigned bank = 0; bank < 32; bank += 8)
      add(getBankColour(bank), formatv("bank {0}", bank));
    return;
  }
  uint64_t lanes = layout.getSize(InDim::Lane);
  for (unsigned first = 0; first < std::min<uint64_t>(lanes, 32); first += 4)
    add(getLaneColour(first), formatv("t{0}-{1}", first, first + 3));
}

void Drawing::write(StringRef title, raw_ostream &os) const {
  int64_t shownRows = std::min(rows, kMaxSide),
          shownColumns = std::min(columns, kMaxSide);
  // Wide enough for the title and the legend.
  unsigned width = std::max<int64_t>({2 * kMargin + shownColumns * kCellWidth,
                                      9 * int64_t(title.size()) + 60, 640});
  unsigned height = kHead + shownRows * kCellHeight + 24;
  std::string text = escape(title);
  if (shownRows < rows || shownColumns < columns)
    text += formatv(" (first {0} x {1})", shownRows, shownColumns);
  os << formatv(R"(<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" role="img" viewBox="0 0 {0} {1}" width="{0}" height="{1}">
<title>{2}</title>
)",
                width, height, text);
  os << R"(<style>
text { font: 11px sans-serif; text-anchor: middle; fill: #1c1c1c; }
text.title { font: bold 14px sans-serif; text-anchor: start; }
text.legend { text-anchor: start; }
text.axis, text.what { fill: #5a5a5a; font-size: 10px; }
.back { fill: #ffffff; }
.cell rect { stroke: #707070; stroke-width: 0.7; }
.cell rect.strip { stroke: none; }
</style>
)";
  os << formatv("<rect class=\"back\" width=\"{0}\" height=\"{1}\"/>\n", width,
                height);
  os << formatv("<text class=\"title\" x=\"{0}\" y=\"22\">{1}</text>\n",
                kMargin, text);
  writeLegend(32, os);
  for (int64_t column : seq(int64_t(0), shownColumns))
    os << formatv("<text class=\"axis\" x=\"{0}\" y=\"{1}\">{2}</text>\n",
                  kMargin + column * kCellWidth + kCellWidth / 2, kHead - 6,
                  column);
  for (int64_t row : seq(int64_t(0), shownRows)) {
    // All axes but the last one, which the columns are.
    Coordinate first = layout.getCoordinate(row * columns);
    os << formatv("<text class=\"axis\" x=\"{0}\" y=\"{1}\">{2}</text>\n",
                  kMargin / 2, kHead + row * kCellHeight + 21,
                  toText(ArrayRef<int32_t>(first).drop_back()));
    for (int64_t column : seq(int64_t(0), shownColumns))
      writeCell(row, column, os);
  }
  os << "</svg>\n";
}

void tileir::layout::drawLayout(const LinearLayout &layout,
                                unsigned elementBits, StringRef title,
                                raw_ostream &os) {
  Drawing(layout, elementBits).write(title, os);
}
