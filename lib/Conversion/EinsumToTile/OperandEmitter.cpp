//===- OperandEmitter.cpp - What a step of a sum reads --------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before the loop, what of each operand's offsets depends on rows and columns
// is computed. A step adds to the pointers what depends on the position in the
// sum: a constant, or entries of a table. So a step has the same index
// operations whatever the number of letters. Where rows or columns and the sum
// are one letter each, which are axes of the memref, a step loads a dense block
// instead; what lies outside of it reads as 0.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "Elements.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::tile;

SmallVector<int64_t> KernelEmitter::getShape(Contraction &contraction,
                                             unsigned operand) const {
  if (!contraction.plan.hasDepth())
    return {rows.size};
  if (getDepthAxis(contraction, operand) == 0)
    return {contraction.plan.block.depth, columns.size};
  return {rows.size, contraction.plan.block.depth};
}

Value KernelEmitter::passTable(Contraction &contraction, unsigned operand,
                               ArrayRef<AffineExpr> exprs,
                               ArrayRef<OpFoldResult> factors) {
  Value table = contraction.host.getTable(operand, exprs, factors);
  return pass(table, table.getType(), TileDialect::kReadOnly);
}

Value KernelEmitter::loadTable(Contraction &contraction, Value table,
                               Value step) {
  return LoadViewOp::create(builder, loc,
                            getTile(contraction.plan.block.depth, i64), table,
                            step, /*axes=*/nullptr, /*in_bounds=*/nullptr);
}

/// `memref` as dense block, if rows or columns and the sum are axes of it.
std::optional<View> KernelEmitter::getView(Contraction &contraction,
                                           unsigned operand,
                                           const Access &access, Value memref) {
  const TilePlan &plan = contraction.plan;
  if (!plan.operands[operand].maskedAxes.empty() || plan.depth.size() > 1)
    return std::nullopt;
  const BlockAxis &blockAxis = getBlockAxis(contraction, operand);
  View view{memref, {}, {}, {}, {}};
  int64_t total = plan.getStaticSize(plan.depth);
  bool isDepthWhole =
      !ShapedType::isDynamic(total) && total % plan.block.depth == 0;
  for (auto [axis, parts] :
       llvm::enumerate(llvm::zip_equal(access.external, access.reduction))) {
    auto [external, summed] = parts;
    auto externalLetter = dyn_cast<AffineDimExpr>(external);
    auto summedLetter = dyn_cast<AffineDimExpr>(summed);
    auto constant = dyn_cast<AffineConstantExpr>(external);
    bool stays = isa<AffineConstantExpr>(summed);
    unsigned along;
    bool isInside;
    if (summedLetter && constant && constant.getValue() == 0) {
      along = getDepthAxis(contraction, operand);
      isInside = isDepthWhole;
      view.indices.push_back(nullptr);
    } else if (stays && constant) {
      Value index = createInteger(builder, loc, builder.getIndexType(),
                                  constant.getValue());
      view.indices.push_back(index);
      continue;
    } else if (stays && externalLetter &&
               externalLetter.getPosition() == blockAxis.getLetter()) {
      along = getExternalAxis(contraction, operand);
      isInside = !blockAxis.inside;
      view.indices.push_back(getIndex(blockAxis.start));
    } else if (stays && externalLetter &&
               isFixed(externalLetter.getPosition())) {
      view.indices.push_back(getIndex(getLetter(externalLetter.getPosition())));
      continue;
    } else {
      return std::nullopt;
    }
    if (llvm::is_contained(view.along, along))
      return std::nullopt;
    view.axes.push_back(axis);
    view.along.push_back(along);
    view.inside.push_back(isInside);
  }
  if (view.along.empty())
    return std::nullopt;
  return view;
}

LeafSource KernelEmitter::emitLeaf(Contraction &contraction, unsigned operand,
                                   const Leaf &leaf) {
  const TilePlan &plan = contraction.plan;
  Value memref = fusion.memory.lookup(leaf.value);
  Access access =
      plan.getAccess(operand, leaf.axes, cast<MemRefType>(memref.getType()));
  LeafSource source;
  source.view = getView(contraction, operand, access, memref);
  if (source.view) {
    ++counts.views;
    return source;
  }
  SmallVector<int64_t> shape = getShape(contraction, operand);
  SmallVector<OpFoldResult> strides = host.getStrides(memref);
  unsigned external = getExternalAxis(contraction, operand);
  Value offsets = expand(emitOffset(contraction, access.external, strides,
                                    getBlockAxis(contraction, operand)),
                         external, shape);
  ++(access.advance ? counts.strided : counts.tables);
  if (plan.hasDepth() && access.advance) {
    Value stride = createInteger(builder, loc, i64, 0);
    for (auto [factor, axisStride] : llvm::zip_equal(*access.advance, strides))
      if (factor != 0)
        stride =
            add(stride, multiply(passNumber(axisStride),
                                 createInteger(builder, loc, i64, factor)));
    auto type = getTile(plan.block.depth, i64);
    Value steps = multiply(createRange(plan.block.depth), splat(stride, type));
    offsets = add(offsets, expand(steps, 1 - external, shape));
    source.advance =
        multiply(stride, createInteger(builder, loc, i64, plan.block.depth));
  } else if (plan.hasDepth()) {
    source.table = passTable(contraction, operand, access.reduction, strides);
  }
  source.pointers =
      pointTo(passPointer(memref, TileDialect::kReadOnly), offsets);
  return source;
}

/// What `operand` needs in each step.
Source KernelEmitter::emitSource(Contraction &contraction, unsigned operand) {
  Source source{
      Expression(contraction.op.getInputs()[operand], fusion.body), {}, {}, {}};
  for (const Leaf &leaf : source.expression.getLeaves())
    source.leaves.push_back(emitLeaf(contraction, operand, leaf));
  source.mask = expand(getBlockAxis(contraction, operand).inside,
                       getExternalAxis(contraction, operand),
                       getShape(contraction, operand));
  emitPositions(source, contraction, operand);
  return source;
}

/// Compares the positions along axes that do not depend on the step; those that
/// do are prepared.
void KernelEmitter::emitPositions(Source &source, Contraction &contraction,
                                  unsigned operand) {
  const OperandPlan &operandPlan = contraction.plan.operands[operand];
  const BlockAxis &axis = getBlockAxis(contraction, operand);
  SmallVector<int64_t> shape = getShape(contraction, operand);
  unsigned external = getExternalAxis(contraction, operand);
  counts.masked += !operandPlan.maskedAxes.empty();
  for (unsigned masked : operandPlan.maskedAxes) {
    Value position =
        emitExternal(contraction, operandPlan.external[masked], axis);
    OpFoldResult size = contraction.host.getDim(
        contraction.plan.op.getInputs()[operand], masked);
    AffineExpr summed = operandPlan.reduction[masked];
    if (summed == getAffineConstantExpr(0, builder.getContext())) {
      Value inside =
          isBelow(position, splatNumber(size, getTile(axis.size, i64)));
      source.mask = both(source.mask, expand(inside, external, shape));
      continue;
    }
    Value table = passTable(contraction, operand, summed,
                            OpFoldResult(builder.getIndexAttr(1)));
    source.positions.push_back({expand(position, external, shape), table,
                                splatNumber(size, getTile(shape, i64))});
  }
}

Value KernelEmitter::emitLoad(const Source &source, Contraction &contraction,
                              unsigned operand, ValueRange &pointers,
                              Value step, Value stepInside) {
  const TilePlan &plan = contraction.plan;
  SmallVector<int64_t> shape = getShape(contraction, operand);
  unsigned depth = getDepthAxis(contraction, operand);
  Value mask = source.mask;
  if (plan.hasDepth())
    mask = both(mask, expand(stepInside, depth, shape));
  for (const Source::Position &position : source.positions) {
    Value summed =
        expand(loadTable(contraction, position.table, step), depth, shape);
    mask = both(mask, isBelow(add(position.external, summed), position.size));
  }
  SmallVector<Value> tiles;
  for (const LeafSource &leaf : source.leaves) {
    if (leaf.view) {
      tiles.push_back(loadView(*leaf.view, shape, step));
      continue;
    }
    Value from = leaf.pointers;
    if (leaf.advance) {
      from = pointers.front();
      pointers = pointers.drop_front();
    } else if (leaf.table) {
      Value offsets =
          expand(loadTable(contraction, leaf.table, step), depth, shape);
      from = AddPtrOp::create(builder, loc, from, offsets);
    }
    tiles.push_back(
        LoadOp::create(builder, loc, from, mask, /*other=*/Value()));
  }
  Value tile =
      source.expression.emit(builder, shape, [&](const Leaf &leaf) -> Value {
        auto leaves = source.expression.getLeaves();
        return tiles[llvm::find(leaves, leaf) - leaves.begin()];
      });
  // What is computed of zeros need not be 0.
  if (mask && !source.expression.isLeaf())
    tile = arith::SelectOp::create(
        builder, loc, mask, tile,
        arith::ConstantOp::create(
            builder, loc,
            cast<TypedAttr>(builder.getZeroAttr(tile.getType()))));
  Type element =
      plan.usesDot() ? plan.dotElement : contraction.op.getAccumulatorType();
  return convertElements(builder, loc, tile, element);
}
