//===- MmaAtoms.cpp - Atoms in the dialect --------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of atoms as the dialect's attributes and types see it.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/IR/Tile.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using layout::Matrix;
using layout::MmaAtom;

FailureOr<const MmaAtom *> tile::parseAtom(AsmParser &parser) {
  SMLoc loc = parser.getCurrentLocation();
  StringRef name;
  if (parser.parseKeyword(&name))
    return failure();
  if (const MmaAtom *atom = layout::findAtom(name))
    return atom;
  return parser.emitError(loc, "expects an atom, ")
         << layout::getAtomNames() << ", found '" << name << "'";
}

std::optional<layout::Scalar> tile::getScalar(Type type) {
  if (type.isF16())
    return layout::Scalar::F16;
  if (type.isF32())
    return layout::Scalar::F32;
  return std::nullopt;
}

SmallVector<const MmaAtom *> tile::listAtoms(Operation *op) {
  if (TargetAttr target = TargetAttr::find(op))
    return target.getAtoms();
  return llvm::map_to_vector(layout::getAtoms(),
                             [](const MmaAtom &atom) { return &atom; });
}

SmallVector<const MmaAtom *> tile::selectAtoms(ArrayRef<const MmaAtom *> atoms,
                                               Type a, Type b, Type acc,
                                               std::string &reason) {
  auto takes = [](const MmaAtom &atom, Matrix matrix, Type type) {
    auto scalar = getScalar(type);
    return scalar && llvm::is_contained(getTypes(atom, matrix), *scalar);
  };
  SmallVector<const MmaAtom *> selected;
  llvm::copy_if(atoms, std::back_inserter(selected), [&](const MmaAtom *atom) {
    return takes(*atom, Matrix::A, a) && takes(*atom, Matrix::B, b) &&
           takes(*atom, Matrix::Acc, acc);
  });
  if (atoms.empty())
    reason = "the target has no matrix instructions";
  else if (selected.empty())
    reason =
        atoms.front()->name.str() + " takes " + describeTypes(*atoms.front());
  return selected;
}
