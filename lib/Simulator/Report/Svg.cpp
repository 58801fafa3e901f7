//===- Svg.cpp ------------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Writes SVG as text, a line per element. Coordinates have one decimal: a tenth
// of a pixel.
//
//===----------------------------------------------------------------------===//

#include "Report/Svg.h"

#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace tileir::sim;
using llvm::formatv;
using llvm::StringRef;

double tileir::sim::getTextWidth(StringRef text) {
  return 0.6 * kFontSize * text.size(); // the reader's fonts are not known
}

std::string tileir::sim::toText(double value) {
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format(value < 1e4 ? "%.4g" : "%.0f", value);
  return text;
}

/// Escapes text for XML, in UTF-8 and without control characters.
static std::string escape(StringRef text) {
  std::string escaped;
  for (char c : llvm::json::fixUTF8(text)) {
    switch (c) {
    case '&':
      escaped += "&amp;";
      break;
    case '<':
      escaped += "&lt;";
      break;
    case '>':
      escaped += "&gt;";
      break;
    default:
      escaped += (unsigned char)c < 0x20 ? ' ' : c;
    }
  }
  return escaped;
}

SvgWriter::SvgWriter(double width, double height, StringRef title,
                     llvm::raw_ostream &os)
    : os(os) {
  os << formatv(R"(<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" role="img"
     viewBox="0 0 {0} {1}" width="{0}" height="{1}">
<title>{2}</title>
)",
                width, height, escape(title));
  os << R"(<style>
text { font: 12px sans-serif; }
text.title { font: bold 16px sans-serif; }
.back, .plate { fill: #ffffff; }
.plate { fill-opacity: 0.85; }
.ink, .title { fill: #1c1c1c; }
.muted { fill: #5a5a5a; }
.major { stroke: #cfcfcf; stroke-width: 1; }
.minor { stroke: #eeeeee; stroke-width: 1; }
.roof { stroke: #333333; stroke-width: 2; stroke-linecap: round; }
.leader { stroke: #8a8a8a; stroke-width: 1; }
.point { fill: #0b62c4; stroke: #ffffff; stroke-width: 1; }
@media (prefers-color-scheme: dark) {
  .back, .plate { fill: #16181c; }
  .ink, .title { fill: #ececec; }
  .muted { fill: #b0b4ba; }
  .major { stroke: #3d4148; }
  .minor { stroke: #24272c; }
  .roof { stroke: #d8d8d8; }
  .leader { stroke: #80858c; }
  .point { fill: #6db3ff; stroke: #16181c; }
}
</style>
)";
  rectangle("back", {0, 0, width, height});
}

SvgWriter::~SvgWriter() { os << "</svg>\n"; }

void SvgWriter::text(StringRef style, double x, double y, StringRef anchor,
                     StringRef content) {
  os << formatv("<text class=\"{0}\" x=\"{1:f1}\" y=\"{2:f1}\" "
                "text-anchor=\"{3}\">{4}</text>\n",
                style, x, y, anchor, escape(content));
}

void SvgWriter::turnedText(StringRef style, double x, double y, double degrees,
                           StringRef content) {
  os << formatv("<text class=\"{0}\" text-anchor=\"middle\" "
                "transform=\"translate({1:f1} {2:f1}) rotate({3:f1})\">{4}"
                "</text>\n",
                style, x, y, degrees, escape(content));
}

void SvgWriter::line(StringRef style, double x1, double y1, double x2,
                     double y2) {
  os << formatv("<line class=\"{0}\" x1=\"{1:f1}\" y1=\"{2:f1}\" "
                "x2=\"{3:f1}\" y2=\"{4:f1}\"/>\n",
                style, x1, y1, x2, y2);
}

void SvgWriter::rectangle(StringRef style, const Box &box) {
  os << formatv("<rect class=\"{0}\" x=\"{1:f1}\" y=\"{2:f1}\" "
                "width=\"{3:f1}\" height=\"{4:f1}\"/>\n",
                style, box.left, box.top, box.right - box.left,
                box.bottom - box.top);
}

void SvgWriter::circle(StringRef style, double x, double y, double radius,
                       StringRef tooltip) {
  os << formatv("<circle class=\"{0}\" cx=\"{1:f1}\" cy=\"{2:f1}\" "
                "r=\"{3}\"><title>{4}</title></circle>\n",
                style, x, y, radius, escape(tooltip));
}
