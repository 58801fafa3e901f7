//===- RegisterCounts.cpp - Registers that tiles take ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/Analysis/RegisterCounts.h"
#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

int64_t tile::countRegisters(Type type) {
  auto tile = dyn_cast<RankedTensorType>(type);
  if (!tile || !isa_and_present<LayoutAttr>(tile.getEncoding()))
    return 0;
  auto layout = cast<LayoutAttr>(tile.getEncoding()).getLayout(tile.getShape());
  int64_t elements = layout.getSize(layout::InDim::Register);
  Type element = tile.getElementType();
  int64_t bits = isa<PtrType>(element) ? 64 : element.getIntOrFloatBitWidth();
  // Conditions are predicates.
  return bits == 1 ? 0 : llvm::divideCeil(elements * bits, 32);
}

int64_t tile::countCarried(Operation *op) {
  int64_t own = 0;
  if (auto loop = dyn_cast<LoopLikeOpInterface>(op))
    for (Value argument : loop.getRegionIterArgs())
      own += countRegisters(argument.getType());
  int64_t inner = 0;
  for (Region &region : op->getRegions())
    for (Operation &nested : region.getOps())
      inner = std::max(inner, countCarried(&nested));
  return own + inner;
}
