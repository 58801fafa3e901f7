//===- SumEmitter.cpp - The loop of a contraction -------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A step multiplies the blocks of the operands and adds them to the sum.
// Pointers to entries of tables are carried from step to step.
//
//===----------------------------------------------------------------------===//

#include "TileKernelEmitter.h"

#include "tileir/Conversion/EinsumLowering/ElementArithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::tile;
using namespace tileir::lowering;
using namespace tileir::to_tile;

/// Returns the new value of `sum`, given the products of `tiles`.
Value KernelEmitter::emitStep(Contraction &contraction, ArrayRef<Value> tiles,
                              Value sum) {
  if (contraction.plan.usesDot())
    return DotOp::create(builder, loc, sum.getType(), tiles[0], tiles[1], sum,
                         contraction.op.getPrecisionAttr());
  Value product;
  for (Value tile : tiles) {
    if (contraction.op.isTF32())
      tile = roundToTF32(builder, loc, tile);
    product = product ? createProduct(builder, loc, product, tile) : tile;
  }
  if (!contraction.plan.hasDepth())
    return product;
  Value partial =
      ReduceOp::create(builder, loc, Combiner::Add, product, /*axis=*/1);
  return createSum(builder, loc, sum, partial);
}

/// The block of the contraction's result, in the type of its accumulator.
Value KernelEmitter::emitSum(Contraction &contraction) {
  const TilePlan &plan = contraction.plan;
  if (boxes)
    return emitBoxSum(contraction);
  if (!plan.usesDot() && plan.hasColumns()) {
    SmallVector<Value> tiles;
    for (unsigned operand = 0; operand < plan.operands.size(); ++operand)
      tiles.push_back(emitCopied(contraction, operand));
    return emitStep(contraction, tiles, {});
  }
  carried.clear();
  SmallVector<Source, 2> sources;
  for (unsigned operand = 0; operand < plan.operands.size(); ++operand)
    sources.push_back(emitSource(contraction, operand));
  auto load = [&](const Step &step) {
    SmallVector<Value> tiles;
    for (auto [operand, source] : llvm::enumerate(sources))
      tiles.push_back(emitLoad(source, contraction, operand, step));
    return tiles;
  };
  if (!plan.hasDepth())
    return emitStep(contraction, load({}), {});

  auto sumType = getTile(getResultShape(), contraction.op.getAccumulatorType());
  SmallVector<Value> inits = {
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(sumType))};
  llvm::append_range(inits, carried);

  int64_t depth = plan.block.k;
  int64_t total = plan.getStaticSize(plan.depth);
  OpFoldResult size = contraction.host.getTotal(plan.depth);
  auto depthType = getTile(depth, i64);
  Value range, end;
  if (ShapedType::isDynamic(total) || total % depth != 0) {
    range = createRange(depth);
    end = splatNumber(size, depthType);
  }
  auto loop = scf::ForOp::create(
      builder, loc, getIndex(nullptr), getIndex(passNumber(size)),
      createInteger(builder, loc, builder.getIndexType(), depth), inits);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  ValueRange arguments = loop.getRegionIterArgs();
  Step step{loop.getInductionVar(), nullptr, arguments.drop_front()};
  if (range) {
    Value start = arith::IndexCastOp::create(builder, loc, i64, step.start);
    step.inside = isBelow(add(splat(start, depthType), range), end);
  }
  SmallVector<Value> next = {
      emitStep(contraction, load(step), arguments.front())};
  for (Value pointer : step.carried)
    next.push_back(AddPtrOp::create(builder, loc, pointer,
                                    createInteger(builder, loc, i64, 1)));
  scf::YieldOp::create(builder, loc, next);
  return loop.getResult(0);
}
