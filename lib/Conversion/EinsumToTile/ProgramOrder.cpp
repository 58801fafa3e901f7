//===- ProgramOrder.cpp - Which block a program computes ------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A GPU starts programs in order, x fastest, and those that run at the same
// time read what they share from L2. The blocks along M are x and those along N
// y, so that programs side by side share their columns of B, and read all of A;
// with `group` of the tile configuration they go through a strip of so many
// blocks along M and all along N, M fastest, before the next strip begins: what
// runs together is then a rectangle. The last strip may be lower.
//
//===----------------------------------------------------------------------===//

#include "TileKernelEmitter.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::tile;
using namespace tileir::lowering;
using namespace tileir::to_tile;

std::optional<int64_t> KernelEmitter::getNumBlocks(ArrayRef<unsigned> indices,
                                                   int64_t block) const {
  if (boxes)
    return boxes->countBoxes(indices, plan.sizes);
  int64_t size = plan.getStaticSize(indices);
  if (ShapedType::isDynamic(size))
    return std::nullopt;
  return llvm::divideCeil(size, block);
}

int64_t KernelEmitter::getCluster() const {
  auto number = getNumBlocks(plan.rows, plan.block.m);
  if (!fusion.config || !plan.usesDot() || plan.rows.empty() || number == 1)
    return 1;
  return fusion.config.getConfig().cluster;
}

bool KernelEmitter::hasMorePrograms() const {
  auto number = getNumBlocks(plan.rows, plan.block.m);
  return number && *number % getCluster() != 0;
}

/// Replaces the numbers of this program along M and N by those of the block
/// that comes in its place.
void KernelEmitter::emitGroups() {
  int64_t group = fusion.config ? fusion.config.getConfig().group : 0;
  auto numRows = getNumBlocks(plan.rows, plan.block.m);
  if (numRows)
    numRows = llvm::alignTo(*numRows, getCluster());
  auto numColumns = getNumBlocks(plan.columns, plan.block.n);
  // One strip, or one column of blocks: as they come.
  if (group == 0 || !plan.usesDot() || plan.rows.empty() ||
      plan.columns.empty() || (numRows && *numRows <= group) || numColumns == 1)
    return;
  Type i32 = builder.getI32Type();
  auto number = [&](int64_t value) {
    return createInteger(builder, loc, i32, value);
  };
  auto getNumPrograms = [&](tile::Axis axis,
                            std::optional<int64_t> known) -> Value {
    if (known)
      return number(*known);
    return NumProgramsOp::create(builder, loc, axis);
  };
  Value rowsOfGrid = getNumPrograms(tile::Axis::X, numRows);
  Value columnsOfGrid = getNumPrograms(tile::Axis::Y, numColumns);
  Value x = ProgramIdOp::create(builder, loc, tile::Axis::X);
  Value y = ProgramIdOp::create(builder, loc, tile::Axis::Y);
  Value position = add(x, multiply(y, rowsOfGrid));
  Value ofStrip = multiply(columnsOfGrid, number(group));
  Value strip = arith::DivUIOp::create(builder, loc, position, ofStrip);
  Value inStrip = arith::RemUIOp::create(builder, loc, position, ofStrip);
  Value first = multiply(strip, number(group));
  Value height = number(group);
  if (!numRows || *numRows % group != 0) {
    Value left = arith::SubIOp::create(builder, loc, rowsOfGrid, first);
    height = arith::MinUIOp::create(builder, loc, left, height);
  }
  Value row = arith::RemUIOp::create(builder, loc, inStrip, height);
  grouped = {add(first, row),
             arith::DivUIOp::create(builder, loc, inStrip, height)};
}

Value KernelEmitter::getProgram(tile::Axis axis) {
  Value id = axis == tile::Axis::Z ? Value() : grouped[axis == tile::Axis::Y];
  if (!id)
    id = ProgramIdOp::create(builder, loc, axis);
  return arith::ExtSIOp::create(builder, loc, i64, id);
}
