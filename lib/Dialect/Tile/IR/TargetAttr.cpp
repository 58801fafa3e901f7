//===- TargetAttr.cpp - #tile.target --------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What passes need to know of a GPU, from the table of GPUs.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "tileir/Target/Gpu/Gpu.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

TargetAttr TargetAttr::get(MLIRContext *context, const machine::Gpu &gpu) {
  return get(context, gpu.name, gpu.maxSharedPerBlock, gpu.maxThreadsPerBlock,
             gpu.maxRegistersPerThread, gpu.sms, gpu.hasAsync(),
             Builder(context).getStrArrayAttr(gpu.mma), gpu.hasLdmatrix(),
             gpu.hasStmatrix());
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
                                 int64_t registers, int64_t sms, bool,
                                 ArrayAttr mma, bool, bool) {
  if (shared < 1 || threads < 1 || registers < 1 || sms < 0)
    return emitError() << "expects positive numbers, found shared = " << shared
                       << ", threads = " << threads
                       << ", registers = " << registers << ", sms = " << sms
                       << " (T34)";
  for (Attribute attr : mma) {
    auto name = dyn_cast<StringAttr>(attr);
    if (!name || !layout::findAtom(name))
      return emitError() << "expects 'mma' to hold atoms, "
                         << layout::getAtomNames() << ", found " << attr
                         << " (T34)";
  }
  return success();
}
