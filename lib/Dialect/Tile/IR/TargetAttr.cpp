//===- TargetAttr.cpp - #tile.target --------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Figures: CUDA C++ Programming Guide, compute capabilities. On chips after
// Turing Volta's atoms are emulated: correct, and slow.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

namespace {
struct Chip {
  StringLiteral name;
  int64_t shared; // KiB
};
} // namespace

static constexpr Chip kChips[] = {
    {"sm_70", 96}, {"sm_72", 96},  {"sm_75", 64}, {"sm_80", 163},
    {"sm_86", 99}, {"sm_87", 163}, {"sm_89", 99}, {"sm_90", 227},
};

SmallVector<StringRef> TargetAttr::getChips() {
  SmallVector<StringRef> names;
  for (const Chip &chip : kChips)
    names.push_back(chip.name);
  return names;
}

TargetAttr TargetAttr::getChip(MLIRContext *context, StringRef name) {
  for (const Chip &chip : kChips)
    if (chip.name == name)
      return get(
          context, name, chip.shared * 1024, /*threads=*/1024,
          /*registers=*/255,
          Builder(context).getStrArrayAttr({"volta_16x16x8", "volta_32x32x8"}));
  return nullptr;
}

TargetAttr TargetAttr::find(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto target = op->getAttrOfType<TargetAttr>(TileDialect::kTarget))
      return target;
  return nullptr;
}

SmallVector<const layout::MmaAtom *> TargetAttr::getAtoms() const {
  return llvm::map_to_vector(getMma().getAsValueRange<StringAttr>(),
                             layout::findAtom);
}

LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 StringRef, int64_t shared, int64_t threads,
                                 int64_t registers, ArrayAttr mma) {
  if (shared < 1 || threads < 1 || registers < 1)
    return emitError() << "expects positive numbers, found shared = " << shared
                       << ", threads = " << threads
                       << ", registers = " << registers << " (T34)";
  for (Attribute attr : mma) {
    auto name = dyn_cast<StringAttr>(attr);
    if (!name || !layout::findAtom(name))
      return emitError() << "expects 'mma' to hold atoms, "
                         << layout::getAtomNames() << ", found " << attr
                         << " (T34)";
  }
  return success();
}
