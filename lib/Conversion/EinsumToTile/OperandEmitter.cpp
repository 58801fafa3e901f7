//===- OperandEmitter.cpp - What a step of a sum reads --------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Before the loop, the part of each operand's offsets that depends on rows and
// columns is computed. A step adds to the pointers what depends on the position
// in the sum: a constant, or entries of a table. So a step has the same index
// operations whatever the number of indices.
//
// A table has an entry per group of positions: as many as divide both the depth
// of a block and the size of the innermost index of the sum. Within a group
// offsets go up by a constant, which pointers have in them before the loop, so
// that accesses along memory are wide. If a step is one group, its entry is a
// scalar.
//
// Where M or N and K are one index each, which are axes of the
// memref, a step loads a dense block instead; what lies outside of it reads
// as 0.
//
//===----------------------------------------------------------------------===//

#include "TileKernelEmitter.h"

#include "tileir/Conversion/EinsumLowering/ElementArithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::tile;
using namespace tileir::lowering;
using namespace tileir::to_tile;

SmallVector<int64_t> KernelEmitter::getShape(Contraction &contraction,
                                             unsigned operand) const {
  if (!contraction.plan.hasDepth())
    return {rows.size};
  if (getDepthAxis(contraction, operand) == 0)
    return {contraction.plan.block.k, columns.size};
  return {rows.size, contraction.plan.block.k};
}

/// How `exprs[0] * factors[0] + ...`, parts of axes, advance along the sum.
/// `inGroups` becomes what they add within groups, a tile of the block's shape.
Offsets KernelEmitter::passOffsets(Contraction &contraction, unsigned operand,
                                   ArrayRef<AffineExpr> exprs,
                                   ArrayRef<OpFoldResult> factors,
                                   const StepPattern &pattern,
                                   Value &inGroups) {
  int64_t depth = contraction.plan.block.k;
  Value advance = createInteger(builder, loc, i64, 0);
  for (auto [steps, factor] : llvm::zip_equal(pattern.advance, factors))
    if (steps != 0)
      advance = add(advance, multiply(passNumber(factor),
                                      createInteger(builder, loc, i64, steps)));
  auto type = getTile(depth, i64);
  Value positions = createRange(depth);
  if (pattern.group < depth)
    positions = builder.createOrFold<arith::RemUIOp>(
        loc, positions, createInteger(builder, loc, type, pattern.group));
  inGroups = expand(multiply(positions, splat(advance, type)),
                    getDepthAxis(contraction, operand),
                    getShape(contraction, operand));

  Offsets offsets;
  if (pattern.isUniform) {
    offsets.advance = advance;
    return offsets;
  }
  auto [table, unit] =
      contraction.host.getTable(operand, exprs, factors, pattern.group);
  offsets.group = pattern.group;
  offsets.unit = unit;
  if (pattern.group < depth) {
    offsets.table = pass(table, table.getType(), TileDialect::kReadOnly);
  } else {
    offsets.carried = carried.size();
    carried.push_back(passPointer(table, TileDialect::kReadOnly));
  }
  return offsets;
}

/// The offsets of the groups of a step, a tile of the block's shape.
Value KernelEmitter::loadOffsets(Contraction &contraction, unsigned operand,
                                 const Offsets &offsets, const Step &step) {
  SmallVector<int64_t> shape = getShape(contraction, operand);
  if (offsets.advance) {
    Value start = arith::IndexCastOp::create(builder, loc, i64, step.start);
    return splat(multiply(start, offsets.advance), getTile(shape, i64));
  }
  // Tiles are multiplied last: what is known of an entry may get lost on the
  // way to the threads that need it.
  auto inUnits = [&](Value entries) {
    return multiply(
        entries, createInteger(builder, loc, entries.getType(), offsets.unit));
  };
  if (!offsets.table) {
    Value entry = LoadOp::create(builder, loc, step.carried[offsets.carried],
                                 /*mask=*/Value(), /*other=*/Value());
    return splat(inUnits(entry), getTile(shape, i64));
  }
  int64_t depth = contraction.plan.block.k, group = offsets.group;
  Value first = builder.createOrFold<arith::DivUIOp>(
      loc, step.start,
      createInteger(builder, loc, builder.getIndexType(), group));
  int64_t total = contraction.plan.getStaticSize(contraction.plan.depth);
  bool isInside = !ShapedType::isDynamic(total) && total % depth == 0;
  Value entries = LoadViewOp::create(
      builder, loc, getTile(depth / group, i64), offsets.table, first,
      /*axes=*/nullptr, /*steps=*/nullptr,
      isInside ? builder.getDenseBoolArrayAttr({true}) : nullptr);
  if (group > 1)
    entries = ReshapeOp::create(builder, loc, getTile(depth, i64),
                                expand(entries, 0, {depth / group, group}));
  return inUnits(expand(entries, getDepthAxis(contraction, operand), shape));
}

/// `memref` as dense block, if M or N and K are axes of it, or
/// parts of axes that begin at an index that is fixed within a program.
std::optional<View> KernelEmitter::getView(Contraction &contraction,
                                           unsigned operand, const Leaf &leaf,
                                           const OperandAccess &access) {
  const TilePlan &plan = contraction.plan;
  if (plan.depth.size() > 1)
    return std::nullopt;
  const BlockAxis &blockAxis = getBlockAxis(contraction, operand);
  std::optional<unsigned> blockIndex = blockAxis.getIndex();
  View view{fusion.memory.lookup(leaf.value), {}, std::nullopt, {}, {}, {}};
  int64_t total = plan.getStaticSize(plan.depth);
  bool isDepthWhole =
      !ShapedType::isDynamic(total) && total % plan.block.k == 0;
  SmallVector<AffineExpr> externals = access.getExternal();
  SmallVector<AffineExpr> reductions = access.getReduction();
  for (auto [axis, parts] :
       llvm::enumerate(llvm::zip_equal(externals, reductions))) {
    auto [external, summed] = parts;
    auto start = LinearAxis::get(external, plan.spec.getNumIndices());
    bool isSummed = isa<AffineDimExpr>(summed);
    if (!start || !(isSummed || isa<AffineConstantExpr>(summed)))
      return std::nullopt;
    bool isOfBlock = blockIndex && start->coefficients[*blockIndex] == 1;
    if (isOfBlock)
      start->coefficients[*blockIndex] = 0;
    Value fixed = emitFixed(*start);
    // The elements that follow a part of an axis are not 0.
    bool isPart =
        start->constant != 0 ||
        llvm::any_of(start->coefficients, [](int64_t c) { return c; });
    if (!fixed || (isSummed && (isOfBlock || (isPart && !isDepthWhole))))
      return std::nullopt;
    view.indices.push_back(getIndex(
        isOfBlock && blockAxis.start ? add(fixed, blockAxis.start) : fixed));
    // An axis that runs along the tile may leave the memref.
    bool isMasked =
        llvm::is_contained(plan.operands[operand].maskedAxes, leaf.axes[axis]);
    if (!isSummed && !isOfBlock) {
      if (isMasked)
        return std::nullopt;
      continue;
    }
    if (isSummed)
      view.stepAxis = axis;
    unsigned along = isSummed ? getDepthAxis(contraction, operand)
                              : getExternalAxis(contraction, operand);
    if (llvm::is_contained(view.along, along))
      return std::nullopt;
    view.axes.push_back(axis);
    view.along.push_back(along);
    view.inside.push_back(!isMasked &&
                          (isSummed ? isDepthWhole : !blockAxis.inside));
  }
  if (view.along.empty())
    return std::nullopt;
  return view;
}

LeafSource KernelEmitter::emitLeaf(Contraction &contraction, unsigned operand,
                                   const Leaf &leaf) {
  const TilePlan &plan = contraction.plan;
  Value memref = fusion.memory.lookup(leaf.value);
  OperandAccess access =
      plan.getAccess(operand, leaf.axes, cast<MemRefType>(memref.getType()));
  LeafSource source;
  source.view = getView(contraction, operand, leaf, access);
  if (source.view) {
    ++counts.views;
    return source;
  }
  SmallVector<int64_t> shape = getShape(contraction, operand);
  SmallVector<OpFoldResult> strides = host.getStrides(memref);
  Value inGroups;
  bool isOdd = false, hasTable = false;
  if (plan.hasDepth()) {
    StepPattern steps = plan.getStepPattern(access);
    source.offsets = passOffsets(contraction, operand, access.getReduction(),
                                 strides, steps, inGroups);
    isOdd = source.offsets.isOdd();
    hasTable = !steps.isUniform;
  }
  // Elements that are loaded one by one had better not be known to be adjacent:
  // a thread would get as many as wide accesses load, and what adjacent threads
  // load together would be far apart.
  Value offsets =
      expand(emitOffset(contraction, access.getExternal(), strides,
                        getBlockAxis(contraction, operand), /*joins=*/!isOdd),
             getExternalAxis(contraction, operand), shape);
  if (inGroups)
    offsets = add(offsets, inGroups);
  ++(hasTable ? counts.tables : counts.strided);
  source.pointers =
      pointTo(passPointer(memref, TileDialect::kReadOnly), offsets);
  return source;
}

/// Emits what `operand` needs in each step.
Source KernelEmitter::emitSource(Contraction &contraction, unsigned operand) {
  Source source{
      Expression(contraction.op.getInputs()[operand], fusion.body), {}, {}, {}};
  for (const Leaf &leaf : source.expression.getLeaves())
    source.leaves.push_back(emitLeaf(contraction, operand, leaf));
  source.mask = expand(getBlockAxis(contraction, operand).inside,
                       getExternalAxis(contraction, operand),
                       getShape(contraction, operand));
  // A view is 0 outside.
  if (!source.expression.isLeaf() || !source.leaves.front().view)
    emitPositions(source, contraction, operand);
  return source;
}

/// Compares the positions along axes that do not depend on the step; those that
/// do are prepared.
void KernelEmitter::emitPositions(Source &source, Contraction &contraction,
                                  unsigned operand) {
  const TilePlan &plan = contraction.plan;
  const OperandPlan &operandPlan = plan.operands[operand];
  const BlockAxis &axis = getBlockAxis(contraction, operand);
  SmallVector<int64_t> shape = getShape(contraction, operand);
  unsigned external = getExternalAxis(contraction, operand);
  counts.masked += !operandPlan.maskedAxes.empty();
  for (unsigned masked : operandPlan.maskedAxes) {
    Value position = emitExternal(
        contraction, operandPlan.access.getExternal()[masked], axis);
    OpFoldResult size = contraction.host.getInputDim(operand, masked);
    AffineExpr summed = operandPlan.access.getReduction()[masked];
    if (summed == getAffineConstantExpr(0, builder.getContext())) {
      Value inside =
          isBelow(position, splatNumber(size, getTile(axis.size, i64)));
      source.mask = both(source.mask, expand(inside, external, shape));
      continue;
    }
    Value inGroups;
    Offsets offsets = passOffsets(
        contraction, operand, summed, OpFoldResult(builder.getIndexAttr(1)),
        plan.getStepPattern(OperandAccess(plan.spec, plan.sizes, summed)),
        inGroups);
    source.positions.push_back(
        {add(expand(position, external, shape), inGroups), offsets,
         splatNumber(size, getTile(shape, i64))});
  }
}

/// Loads the block of an operand.
Value KernelEmitter::emitLoad(const Source &source, Contraction &contraction,
                              unsigned operand, const Step &step) {
  const TilePlan &plan = contraction.plan;
  SmallVector<int64_t> shape = getShape(contraction, operand);
  Value mask = source.mask;
  if (plan.hasDepth())
    mask = both(mask,
                expand(step.inside, getDepthAxis(contraction, operand), shape));
  for (const Source::Position &position : source.positions) {
    Value moved = loadOffsets(contraction, operand, position.offsets, step);
    mask = both(mask, isBelow(add(position.first, moved), position.size));
  }
  SmallVector<Value> tiles;
  for (const LeafSource &leaf : source.leaves) {
    if (leaf.view) {
      tiles.push_back(loadView(*leaf.view, shape, step.start));
      continue;
    }
    Value from = leaf.pointers;
    if (plan.hasDepth())
      from = AddPtrOp::create(
          builder, loc, from,
          loadOffsets(contraction, operand, leaf.offsets, step));
    tiles.push_back(
        LoadOp::create(builder, loc, from, mask, /*other=*/Value()));
  }
  Value tile =
      source.expression.emit(builder, shape, [&](const Leaf &leaf) -> Value {
        auto leaves = source.expression.getLeaves();
        return tiles[llvm::find(leaves, leaf) - leaves.begin()];
      });
  // A value computed from zeros need not be 0.
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

/// Emits what a contraction reads of an operand whose axes are indices of the
/// result.
Value KernelEmitter::emitCopied(Contraction &contraction, unsigned operand) {
  Expression expression(contraction.op.getInputs()[operand], fusion.body);
  Value tile = expression.emit(
      builder, getResultShape(), [&](const Leaf &leaf) -> Value {
        Leaf placed{leaf.value, {}};
        for (unsigned axis : leaf.axes)
          placed.axes.push_back(
              *contraction.plan.spec.getBareIndex(operand, axis));
        return loadResultLeaf(placed, counts);
      });
  return convertElements(builder, loc, tile,
                         contraction.op.getAccumulatorType());
}
