//===- Svg.h ----------------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The elements of an SVG picture that plots need. Colours are in a style sheet
// with one class per purpose, for light and for dark.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_REPORT_SVG_H
#define TILEIR_LIB_SIMULATOR_REPORT_SVG_H

#include "Report/LabelPlacement.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include <string>

namespace tileir::sim {

constexpr double kFontSize = 12, kLineHeight = 15;

/// About how wide a text is.
double getTextWidth(llvm::StringRef text);
/// A few digits of a number.
std::string toText(double value);

/// Styles of texts: "title", "ink", "muted"; of lines: "major", "minor" (of
/// grids), "roof", "leader"; of rectangles: "back", "plate" (behind a text); of
/// circles: "point". Contents and tooltips are any text. y goes down.
class SvgWriter {
public:
  SvgWriter(double width, double height, llvm::StringRef title,
            llvm::raw_ostream &os);
  ~SvgWriter();

  /// (x, y) is where the text's `anchor` ("start", "middle", "end") is.
  void text(llvm::StringRef style, double x, double y, llvm::StringRef anchor,
            llvm::StringRef content);
  /// Turned by `degrees` around its middle.
  void turnedText(llvm::StringRef style, double x, double y, double degrees,
                  llvm::StringRef content);
  void line(llvm::StringRef style, double x1, double y1, double x2, double y2);
  void rectangle(llvm::StringRef style, const Box &box);
  void circle(llvm::StringRef style, double x, double y, double radius,
              llvm::StringRef tooltip);

private:
  llvm::raw_ostream &os;
};

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_REPORT_SVG_H
