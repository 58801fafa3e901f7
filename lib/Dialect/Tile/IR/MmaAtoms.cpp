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

#include "tileir/Target/Gpu/Gpu.h"

#include "llvm/ADT/TypeSwitch.h"

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
  using layout::Scalar;
  return llvm::TypeSwitch<Type, std::optional<Scalar>>(type)
      .Case([](Float16Type) { return Scalar::F16; })
      .Case([](BFloat16Type) { return Scalar::BF16; })
      .Case([](Float32Type) { return Scalar::F32; })
      .Case([](Float64Type) { return Scalar::F64; })
      .Case([](Float8E4M3FNType) { return Scalar::E4M3; })
      .Case([](Float8E5M2Type) { return Scalar::E5M2; })
      .Case([](IntegerType integer) -> std::optional<Scalar> {
        if (integer.isInteger(8))
          return Scalar::I8;
        if (integer.isInteger(32))
          return Scalar::I32;
        return std::nullopt;
      })
      .Default(std::nullopt);
}

SmallVector<const MmaAtom *> tile::listAtoms(Operation *op) {
  if (TargetAttr target = TargetAttr::find(op))
    return target.getAtoms();
  return llvm::map_to_vector(machine::getDefaultGpu().mma, layout::findAtom);
}

SmallVector<const MmaAtom *>
tile::selectAtoms(ArrayRef<const MmaAtom *> atoms, Type a, Type b, Type acc,
                  bool allowTf32, std::string &reason, bool ofWarpgroups) {
  auto takes = [](const MmaAtom &atom, Matrix matrix, Type type) {
    auto scalar = getScalar(type);
    return scalar && llvm::is_contained(getTypes(atom, matrix), *scalar);
  };
  SmallVector<const MmaAtom *> ofKind, selected;
  llvm::copy_if(atoms, std::back_inserter(ofKind), [&](const MmaAtom *atom) {
    return atom->isWarpgroup == ofWarpgroups;
  });
  atoms = ofKind;
  llvm::copy_if(atoms, std::back_inserter(selected), [&](const MmaAtom *atom) {
    return takes(*atom, Matrix::A, a) && takes(*atom, Matrix::B, b) &&
           takes(*atom, Matrix::Acc, acc) && (allowTf32 || !atom->isTf32);
  });
  if (atoms.empty())
    reason = ofWarpgroups
                 ? "the target has no matrix instructions of warpgroups"
                 : "the target has no matrix instructions";
  else if (selected.empty())
    reason = llvm::join(llvm::map_range(atoms,
                                        [](const MmaAtom *atom) {
                                          return atom->name.str() + " takes " +
                                                 describeTypes(*atom);
                                        }),
                        ", ");
  return selected;
}
