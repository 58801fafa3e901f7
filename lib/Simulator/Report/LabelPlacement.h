//===- LabelPlacement.h -----------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Free places for labels in a picture. y goes down, as in SVG.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_REPORT_LABELPLACEMENT_H
#define TILEIR_LIB_SIMULATOR_REPORT_LABELPLACEMENT_H

#include <optional>
#include <vector>

namespace tileir::sim {

struct Box {
  double left, top, right, bottom;

  bool overlaps(const Box &other) const;
  bool contains(const Box &other) const;
};

/// The place of a label.
struct Place {
  Box box;
  bool isLeft; ///< of its point: text ends there
  bool isFar;  ///< so far off that a line should lead to it
};

class Placement {
public:
  explicit Placement(const Box &limits) : limits(limits) {}
  /// Nothing else may lie here.
  void take(const Box &box) { taken.push_back(box); }
  /// Takes the nearest free box of this size around a point; `step` is about
  /// the height of a line.
  std::optional<Place> find(double x, double y, double width, double height,
                            double step);

private:
  Box limits;
  std::vector<Box> taken;
};

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_REPORT_LABELPLACEMENT_H
