//===- TargetAttr.cpp - #tile.target --------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Figures: CUDA C++ Programming Guide, compute capabilities. On chips after
// Turing mma.m8n8k4 of f16 is emulated: correct, and slow.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
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
      return get(context, name, chip.shared * 1024, /*threads=*/1024,
                 /*registers=*/255,
                 Builder(context).getStrArrayAttr({"m8n8k4"}));
  return nullptr;
}

TargetAttr TargetAttr::find(Operation *op) {
  for (; op; op = op->getParentOp())
    if (auto target = op->getAttrOfType<TargetAttr>(TileDialect::kTarget))
      return target;
  return nullptr;
}

bool TargetAttr::hasMma(StringRef instruction) const {
  return llvm::is_contained(getMma().getAsValueRange<StringAttr>(),
                            instruction);
}

LogicalResult TargetAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 StringRef, int64_t shared, int64_t threads,
                                 int64_t registers, ArrayAttr mma) {
  if (shared < 1 || threads < 1 || registers < 1)
    return emitError() << "expects positive numbers, found shared = " << shared
                       << ", threads = " << threads
                       << ", registers = " << registers << " (T34)";
  if (!llvm::all_of(mma, llvm::IsaPred<StringAttr>))
    return emitError() << "expects 'mma' to hold names, found " << mma;
  return success();
}
