//===- MmaAtom.cpp - Operands of products by atoms ------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code that is the same for all atoms. The layout of an operand is a product:
// the fragment of an instruction, the further instructions of the atom, more
// atoms, warps.
//
//===----------------------------------------------------------------------===//

#include "tileir/Layout/Fragments/MmaAtom.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace tileir::layout;
using namespace llvm;

StringRef tileir::layout::getName(Scalar type) {
  switch (type) {
  case Scalar::F16:
    return "f16";
  case Scalar::BF16:
    return "bf16";
  case Scalar::F32:
    return "f32";
  case Scalar::F64:
    return "f64";
  case Scalar::E4M3:
    return "f8E4M3FN";
  case Scalar::E5M2:
    return "f8E5M2";
  case Scalar::I8:
    return "i8";
  case Scalar::I32:
    return "i32";
  }
  llvm_unreachable("unknown type");
}

const MmaAtom *tileir::layout::findAtom(StringRef name) {
  ArrayRef<MmaAtom> atoms = getAtoms();
  const MmaAtom *found =
      find_if(atoms, [&](const MmaAtom &atom) { return atom.name == name; });
  return found == atoms.end() ? nullptr : found;
}

std::string tileir::layout::getAtomNames() {
  return join(map_range(getAtoms(), [](auto &atom) { return atom.name; }),
              " or ");
}

SmallVector<Scalar, 2> tileir::layout::getTypes(const MmaAtom &atom,
                                                Matrix matrix) {
  SmallVector<Scalar, 2> types;
  for (const MmaAtom::Fragment &fragment : atom.fragments)
    if (fragment.operand.matrix == matrix &&
        !is_contained(types, fragment.operand.type))
      types.push_back(fragment.operand.type);
  return types;
}

std::string tileir::layout::describeTypes(const MmaAtom &atom) {
  auto list = [&](Matrix matrix) {
    return join(map_range(getTypes(atom, matrix),
                          [](Scalar type) { return getName(type); }),
                " or ");
  };
  std::string a = list(Matrix::A), b = list(Matrix::B);
  return formatv("{0}{1} operands and an accumulator of {2}",
                 a == b ? a : a + " and " + b,
                 atom.isTf32 ? " (precision tf32)" : "", list(Matrix::Acc));
}

const LinearLayout *tileir::layout::getFragment(const MmaAtom &atom,
                                                Operand operand) {
  for (const MmaAtom::Fragment &fragment : atom.fragments)
    if (fragment.operand == operand)
      return &fragment.layout;
  return nullptr;
}

Operand tileir::layout::chooseOrder(const MmaAtom &atom, Operand operand) {
  if (!getFragment(atom, operand))
    operand.major = operand.major == Major::Row ? Major::Column : Major::Row;
  return operand;
}

bool tileir::layout::isSharedOperand(const MmaAtom &atom, Operand operand) {
  if (!atom.isWarpgroup || operand.matrix == Matrix::Acc)
    return false;
  if (operand.type == Scalar::F16 || operand.type == Scalar::BF16)
    return is_contained(getTypes(atom, operand.matrix), operand.type);
  return getFragment(atom, operand) != nullptr;
}

/// The sizes of the part of an operand that each warp needs at least.
static std::array<int64_t, 2> getAtomShape(const MmaAtom &atom, Matrix matrix) {
  switch (matrix) {
  case Matrix::A:
    return {atom.m, atom.k};
  case Matrix::B:
    return {atom.k, atom.n};
  case Matrix::Acc:
    return {atom.m, atom.n};
  }
  llvm_unreachable("unknown matrix");
}

/// Into how many parts warps divide each axis of an operand.
static std::array<int64_t, 2> getWarps(const MmaGrid &grid, Matrix matrix) {
  return {matrix == Matrix::B ? 1 : grid.warpsM,
          matrix == Matrix::A ? 1 : grid.warpsN};
}

std::string tileir::layout::checkOperand(const MmaGrid &grid, Operand operand,
                                         ArrayRef<int64_t> shape) {
  if (!getFragment(*grid.atom, operand))
    return formatv("{0} takes no such operand", grid.atom->name);
  if (shape.size() == 3 && isPowerOf2_64(shape.front()))
    shape = shape.drop_front();
  if (shape.size() != 2)
    return formatv("expects two axes, or three with a power of two of batches, "
                   "found {0}",
                   shape.size());
  auto [rows, columns] = getAtomShape(*grid.atom, operand.matrix);
  auto [warpsM, warpsN] = getWarps(grid, operand.matrix);
  if (!isPowerOf2_64(shape[0]) || !isPowerOf2_64(shape[1]) ||
      shape[0] < rows * warpsM || shape[1] < columns * warpsN)
    return formatv("expects powers of two of at least {0} x {1}, found {2} x "
                   "{3}",
                   rows * warpsM, columns * warpsN, shape[0], shape[1]);
  return "";
}

/// `layout` `count` times along an axis, numbered by more bits of `in`.
static LinearLayout repeat(const LinearLayout &layout, InDim in, unsigned axis,
                           int64_t count) {
  SmallVector<int64_t> sizes(layout.getRank(), 1);
  sizes[axis] = count;
  return layout.product(LinearLayout::identity(sizes, in));
}

/// More bits of the register, for the further instructions along an axis.
static void addSteps(LinearLayout &layout, unsigned axis,
                     ArrayRef<int32_t> steps) {
  for (int32_t step : steps) {
    Coordinate basis(layout.getRank(), 0);
    basis[axis] = step;
    layout.addBasis(InDim::Register, basis);
  }
}

/// More bits of the warp, which choose nothing.
static void addWarps(LinearLayout &layout, int64_t count) {
  for (unsigned bit = 0; bit < Log2_64(count); ++bit)
    layout.addBasis(InDim::Warp, 0);
}

LinearLayout tileir::layout::getOperand(const MmaGrid &grid, Operand operand,
                                        ArrayRef<int64_t> shape) {
  assert(checkOperand(grid, operand, shape).empty() && "the tile does not fit");
  if (shape.size() == 3) {
    LinearLayout matrix = getOperand(grid, operand, shape.drop_front());
    LinearLayout one = matrix.reshape({1, shape[1], shape[2]});
    return repeat(one, InDim::Warp, 0, shape[0]);
  }
  const MmaAtom &atom = *grid.atom;
  auto sizes = getAtomShape(atom, operand.matrix);
  auto warps = getWarps(grid, operand.matrix);
  LinearLayout layout = *getFragment(atom, operand);
  // First the steps within an atom, then the atoms of a warp.
  auto addAtoms = [&](unsigned axis) {
    layout = repeat(layout, InDim::Register, axis,
                    shape[axis] / warps[axis] / sizes[axis]);
  };
  if (operand.matrix == Matrix::Acc) {
    addSteps(layout, 1, atom.stepsN);
    addAtoms(1);
    addSteps(layout, 0, atom.stepsM);
    addAtoms(0);
  } else {
    bool isA = operand.matrix == Matrix::A;
    unsigned depth = isA ? 1 : 0;
    addSteps(layout, depth, atom.stepsK);
    addSteps(layout, 1 - depth, isA ? atom.stepsM : atom.stepsN);
    addAtoms(1 - depth);
    addAtoms(depth);
  }
  // Warps are numbered along N first; those that share an operand have copies.
  if (operand.matrix == Matrix::A)
    addWarps(layout, grid.warpsN);
  else
    layout = repeat(layout, InDim::Warp, 1, grid.warpsN);
  if (operand.matrix == Matrix::B)
    addWarps(layout, grid.warpsM);
  else
    layout = repeat(layout, InDim::Warp, 0, grid.warpsM);
  return layout;
}

SmallVector<MmaStep> tileir::layout::listSteps(const MmaGrid &grid, int64_t m,
                                               int64_t n, int64_t k) {
  const MmaAtom &atom = *grid.atom;
  SmallVector<MmaStep> steps;
  unsigned rows = (m / grid.warpsM / atom.m) << atom.stepsM.size();
  unsigned columns = (n / grid.warpsN / atom.n) << atom.stepsN.size();
  unsigned parts = 1u << atom.stepsK.size();
  for (unsigned strip = 0; strip < k / atom.k; ++strip)
    for (unsigned part = 0; part < parts; ++part)
      for (unsigned row = 0; row < rows; ++row)
        for (unsigned column = 0; column < columns; ++column)
          steps.push_back({part + parts * (row + rows * strip),
                           part + parts * (column + columns * strip),
                           column + columns * row});
  return steps;
}
