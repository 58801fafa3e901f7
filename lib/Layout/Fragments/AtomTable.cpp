//===- AtomTable.cpp - The table of atoms ---------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Fragments: PTX ISA, "Matrix Fragments for mma.m8n8k4 with .f16" and the
// sections after it, up to "Matrix Fragments for mma.m16n8k32"; "Register
// Fragments for wgmma.mma_async.m64nNk16" and those after it.
//
// Volta's m8n8k4 is four products 8x8 += 8x4 * 4x8, each of a quad pair:
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
  MmaAtom atom{name, {8, 8, 4}, size, size, 8, {}};
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

/// Makes the atom of one instruction `m` x 8 x `k` on rows of A and columns of
/// B, each of which a lane holds in runs of `run` elements: a word, or one
/// element if it is wider.
static MmaAtom makeSync(StringLiteral name, int64_t m, int64_t k, int32_t run,
                        ArrayRef<Scalar> operands, ArrayRef<Scalar> sums) {
  MmaAtom atom{name, {m, 8, k}, m, 8, k, {}};
  SmallVector<Coordinate> a, b, acc = {{0, 1}};
  for (int32_t step = 1; step < run; step *= 2) {
    a.push_back({0, step});
    b.push_back({step, 0});
  }
  if (m == 16) {
    a.push_back({8, 0});
    acc.push_back({8, 0});
  }
  if (k == 8 * run) {
    a.push_back({0, 4 * run});
    b.push_back({4 * run, 0});
  }
  LinearLayout ofA =
      makeFragment({m, k}, a, {{0, run}, {0, 2 * run}, {1, 0}, {2, 0}, {4, 0}});
  LinearLayout ofB =
      makeFragment({k, 8}, b, {{run, 0}, {2 * run, 0}, {0, 1}, {0, 2}, {0, 4}});
  LinearLayout ofAcc =
      makeFragment({m, 8}, acc, {{0, 2}, {0, 4}, {1, 0}, {2, 0}, {4, 0}});
  for (Scalar type : operands) {
    atom.fragments.push_back({{Matrix::A, type, Major::Row}, ofA});
    atom.fragments.push_back({{Matrix::B, type, Major::Column}, ofB});
  }
  for (Scalar type : sums)
    atom.fragments.push_back({{Matrix::Acc, type, Major::Row}, ofAcc});
  return atom;
}

ArrayRef<MmaAtom> tileir::layout::getAtoms() {
  static const std::array<MmaAtom, 15> table = [] {
    // Quad pairs lie side by side.
    MmaAtom small = makeVolta("volta_16x16x8", 16, /*quad=*/4, /*pair=*/8);
    // Four times as much, with the halves of two fragments interleaved, so that
    // lanes hold runs of eight rows of a column-major A, and of eight columns
    // of a row-major B.
    MmaAtom large = makeVolta("volta_32x32x8", 32, /*quad=*/8, /*pair=*/16);
    large.stepsM = large.stepsN = {4};
    constexpr Scalar kHalf[] = {Scalar::F16},
                     kSums[] = {Scalar::F16, Scalar::F32};
    auto make = makeSync;
    MmaAtom tf32 = make("m16n8k8_tf32", 16, 8, 1, Scalar::F32, Scalar::F32);
    tf32.isTf32 = true;
    // A warp's rows are those of mma.m16n8; N is that of 8 of its columns.
    auto makeGroup = [](StringLiteral name, int64_t k, int32_t run,
                        ArrayRef<Scalar> operands, ArrayRef<Scalar> sums) {
      MmaAtom atom = makeSync(name, 16, k, run, operands, sums);
      atom.instruction[0] = 64;
      atom.isWarpgroup = true;
      return atom;
    };
    MmaAtom groupTf32 =
        makeGroup("wgmma_k8_tf32", 8, 1, Scalar::F32, Scalar::F32);
    groupTf32.isTf32 = true;
    constexpr Scalar kFloat8[] = {Scalar::E4M3, Scalar::E5M2};
    return std::array<MmaAtom, 15>{
        small,
        large,
        make("m16n8k8_f16", 16, 8, 2, kHalf, kSums),
        make("m8n8k16_i8", 8, 16, 4, Scalar::I8, Scalar::I32),
        make("m16n8k16_f16", 16, 16, 2, kHalf, kSums),
        make("m16n8k16_bf16", 16, 16, 2, Scalar::BF16, Scalar::F32),
        tf32,
        make("m16n8k32_i8", 16, 32, 4, Scalar::I8, Scalar::I32),
        make("m8n8k4_f64", 8, 4, 1, Scalar::F64, Scalar::F64),
        make("m16n8k32_f8", 16, 32, 4, kFloat8, Scalar::F32),
        makeGroup("wgmma_k16_f16", 16, 2, kHalf, kSums),
        makeGroup("wgmma_k16_bf16", 16, 2, Scalar::BF16, Scalar::F32),
        groupTf32,
        makeGroup("wgmma_k32_f8", 32, 4, kFloat8, kSums),
        makeGroup("wgmma_k32_i8", 32, 4, Scalar::I8, Scalar::I32)};
  }();
  return table;
}
