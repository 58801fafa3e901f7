//===- AtomTable.cpp - The table of atoms ---------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fragments: PTX ISA, "Matrix Fragments for mma.m8n8k4 with .f16".
//
// That instruction is four products 8x8 += 8x4 * 4x8, each of a quad pair:
// lanes 4q .. 4q + 3 and 16 + 4q .. 16 + 4q + 3. Bits 0 and 1 of a lane number
// the lanes of a quad, bits 2 and 3 the quad pair q, bit 4 the quads of the
// pair. In both atoms, bit 2 chooses rows of A and bit 3 columns of B, so that
// one instruction gives 16 x 16 elements; B is A transposed, with the other of
// these bits.
//
//===----------------------------------------------------------------------===//

#include "tileir/Layout/Fragments/MmaAtom.h"

#include <array>

using namespace tileir::layout;
using namespace llvm;

/// Makes a fragment of a matrix of the atom.
static LinearLayout makeFragment(ArrayRef<int64_t> shape,
                                 ArrayRef<Coordinate> registers,
                                 ArrayRef<Coordinate> lanes) {
  LinearLayout layout(shape);
  for (const Coordinate &basis : registers)
    layout.addBasis(InDim::Register, basis);
  for (const Coordinate &basis : lanes)
    layout.addBasis(InDim::Lane, basis);
  return layout;
}

/// Makes an atom of `size` x `size` x 8 in which the upper quads of pairs hold
/// rows of A (and columns of B) from `quad` on, and the second quad pairs those
/// from `pair` on.
static MmaAtom makeVolta(StringLiteral name, int64_t size, int32_t quad,
                         int32_t pair) {
  MmaAtom atom{name, "m8n8k4", size, size, 8, {}};
  auto add = [&](Matrix matrix, Scalar type, Major major,
                 const LinearLayout &layout) {
    atom.fragments.push_back({{matrix, type, major}, layout});
  };
  // Runs of four elements along K, or along M and N.
  Coordinate along[] = {{0, 1}, {0, 2}}, across[] = {{1, 0}, {2, 0}};
  auto makeInput = [&](ArrayRef<Coordinate> registers,
                       ArrayRef<Coordinate> lanes, bool isA) {
    Coordinate chosen = {pair, 0}, shared = {0, 0};
    LinearLayout layout = makeFragment({size, 8}, registers,
                                       {lanes[0],
                                        lanes[1],
                                        isA ? chosen : shared,
                                        isA ? shared : chosen,
                                        {quad, 0}});
    return isA ? layout : layout.transpose({1, 0});
  };
  add(Matrix::A, Scalar::F16, Major::Row, makeInput(along, across, true));
  add(Matrix::A, Scalar::F16, Major::Column, makeInput(across, along, true));
  add(Matrix::B, Scalar::F16, Major::Row, makeInput(across, along, false));
  add(Matrix::B, Scalar::F16, Major::Column, makeInput(along, across, false));
  add(Matrix::Acc, Scalar::F16, Major::Row,
      makeFragment({size, size}, {{0, 1}, {0, 2}, {0, quad}},
                   {{1, 0}, {2, 0}, {pair, 0}, {0, pair}, {quad, 0}}));
  add(Matrix::Acc, Scalar::F32, Major::Row,
      makeFragment({size, size}, {{0, 1}, {2, 0}, {0, quad}},
                   {{1, 0}, {0, 2}, {pair, 0}, {0, pair}, {quad, 0}}));
  atom.stepsK = {4};
  return atom;
}

ArrayRef<MmaAtom> tileir::layout::getAtoms() {
  static const std::array<MmaAtom, 2> table = [] {
    // Quad pairs lie side by side.
    MmaAtom small = makeVolta("volta_16x16x8", 16, /*quad=*/4, /*pair=*/8);
    // Four times as much, with the halves of two fragments interleaved, so that
    // lanes hold runs of eight rows of a column-major A, and of eight columns
    // of a row-major B.
    MmaAtom large = makeVolta("volta_32x32x8", 32, /*quad=*/8, /*pair=*/16);
    large.stepsM = large.stepsN = {4};
    return std::array<MmaAtom, 2>{small, large};
  }();
  return table;
}
