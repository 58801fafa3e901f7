//===- MmaLayout.h ----------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The element of a matrix that a lane holds in each element of its fragment, as
// the PTX ISA draws it ("Matrix Fragments for mma.*").
//
// m8n8k4 on f16 is four multiplications in one, of Volta: quad pair
// q = (lane >> 2) & 3 is the lanes 4q .. 4q + 3 and 16 + 4q .. 16 + 4q + 3. All
// other shapes share one scheme: a row of 32-bit registers over four lanes, a
// column of them over the eight groups of four.
//
// Plain C++ without LLVM, see Program.h.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_SIMULATOR_EXEC_MMALAYOUT_H
#define TILEIR_LIB_SIMULATOR_EXEC_MMALAYOUT_H

#include "Program.h"

namespace tileir::sim {

/// An element of A at (m, k), of B at (k, n), of C and D at (m, n).
struct Position {
  unsigned row, column;
};

//===----------------------------------------------------------------------===//
// m8n8k4 of f16
//===----------------------------------------------------------------------===//

constexpr unsigned getQuad(unsigned lane) { return lane >> 2 & 3; }

/// Row-major A. Column-major A is its transpose within four rows, and B is A
/// transposed: row-major B lies like column-major A.
constexpr Position getQuadA(unsigned lane, unsigned i) {
  return {(lane & 3) + (lane >> 4) * 4, i};
}
constexpr Position getQuadAColumnMajor(unsigned lane, unsigned i) {
  return {i + (lane >> 4) * 4, lane & 3};
}
constexpr Position transposed(Position p) { return {p.column, p.row}; }

constexpr Position getQuadC16(unsigned lane, unsigned i) {
  return {(lane & 3) + (lane >> 4) * 4, i};
}
constexpr Position getQuadC32(unsigned lane, unsigned i) {
  return {(lane & 1) + (i & 2) + (lane >> 4) * 4,
          (i & 4) + (lane & 2) + (i & 1)};
}

//===----------------------------------------------------------------------===//
// All others
//===----------------------------------------------------------------------===//

constexpr unsigned getRows(MmaShape shape) {
  return shape == MmaShape::M8N8K4 || shape == MmaShape::M8N8K16 ? 8 : 16;
}
constexpr unsigned getDepth(MmaShape shape) {
  return shape == MmaShape::M8N8K4 || shape == MmaShape::M16N8K4     ? 4
         : shape == MmaShape::M16N8K8                                ? 8
         : shape == MmaShape::M8N8K16 || shape == MmaShape::M16N8K16 ? 16
                                                                     : 32;
}

/// A of `m` rows, 8 or 16, with `width` elements side by side: those of 32
/// bits, or one of f64.
constexpr Position getA(unsigned m, unsigned width, unsigned lane, unsigned i) {
  const unsigned part = i / width, lowerHalf = m == 16 ? part & 1 : 0;
  const unsigned block = m == 16 ? part >> 1 : part;
  return {(lane >> 2) + 8 * lowerHalf,
          width * (lane & 3) + i % width + 4 * width * block};
}
constexpr Position getB(unsigned width, unsigned lane, unsigned i) {
  return {width * (lane & 3) + i % width + 4 * width * (i / width), lane >> 2};
}
/// C and D, also of 8 rows.
constexpr Position getC(unsigned lane, unsigned i) {
  return {(lane >> 2) + 8 * (i >> 1), 2 * (lane & 3) + (i & 1)};
}

} // namespace tileir::sim

#endif // TILEIR_LIB_SIMULATOR_EXEC_MMALAYOUT_H
