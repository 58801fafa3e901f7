//===- ConfigAttr.cpp - #tile.config --------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

ConfigAttr ConfigAttr::find(Operation *op) {
  return op->getAttrOfType<ConfigAttr>(TileDialect::kConfig);
}

LogicalResult ConfigAttr::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<int64_t> block,
                                 ArrayRef<int64_t> warp,
                                 const layout::MmaAtom *, int64_t splitK,
                                 int64_t stages) {
  auto arePowers = [](ArrayRef<int64_t> sizes) {
    return llvm::all_of(sizes, llvm::isPowerOf2_64);
  };
  if (block.size() != 3 || !arePowers(block))
    return emitError() << "expects 'block' to be three powers of two, found ["
                       << block << "] (T35)";
  if (warp.size() != 2 || !arePowers(warp))
    return emitError() << "expects 'warp' to be two powers of two, found ["
                       << warp << "] (T35)";
  if (!llvm::isPowerOf2_64(splitK))
    return emitError() << "expects 'split_k' to be a power of two, found "
                       << splitK << " (T35)";
  if (stages != 1 && stages != 2)
    return emitError() << "expects 'stages' to be 1 or 2, found " << stages
                       << " (T35)";
  return success();
}
