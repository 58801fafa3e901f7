//===- LabelPlacement.cpp -------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tries the eight sides of a point at growing distances, the first free one
// wins. Greedy: what is placed stays.
//
//===----------------------------------------------------------------------===//

#include "Report/LabelPlacement.h"

#include "llvm/ADT/STLExtras.h"

using namespace tileir::sim;

bool Box::overlaps(const Box &other) const {
  return left < other.right && other.left < right && top < other.bottom &&
         other.top < bottom;
}

bool Box::contains(const Box &other) const {
  return left <= other.left && other.right <= right && top <= other.top &&
         other.bottom <= bottom;
}

std::optional<Place> Placement::find(double x, double y, double width,
                                     double height, double step) {
  // Right, below and left of it first: above a point of a roofline are roofs.
  constexpr int kSides[][2] = {{1, 0},  {1, 1},   {0, 1},  {-1, 1},
                               {-1, 0}, {-1, -1}, {0, -1}, {1, -1}};
  constexpr double kRings = 24;
  for (int ring = 0; ring < kRings; ++ring) {
    double distance = (0.6 + 0.5 * ring) * step;
    for (auto [dx, dy] : kSides) {
      double left = x + dx * distance - (dx < 0 ? width : dx ? 0 : width / 2);
      double top = y + dy * (distance + (height - step) / 2) - height / 2;
      Box box{left, top, left + width, top + height};
      auto overlaps = [&](const Box &other) { return box.overlaps(other); };
      if (!limits.contains(box) || llvm::any_of(taken, overlaps))
        continue;
      take(box);
      return Place{box, dx < 0, ring > 1};
    }
  }
  return std::nullopt;
}
