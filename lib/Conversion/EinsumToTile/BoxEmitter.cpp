//===- BoxEmitter.cpp - Kernels whose blocks are boxes --------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All that a kernel of boxes (BoxPlan.h) reads and writes are views with the
// axes of memory. Their elements change places to become those of a matrix: of
// rows and columns the first index has the smallest stride.
//
// What is outside along K reads as 0 in both operands, for only indices that
// are axes by themselves have boxes of several values there. What is outside
// along M or N may be anything: it is not stored.
//
//===----------------------------------------------------------------------===//

#include "TileKernelEmitter.h"

#include "tileir/Conversion/EinsumLowering/ElementArithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/IndexingUtils.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::tile;
using namespace tileir::lowering;
using namespace tileir::to_tile;

/// `group`, the index of the largest stride first.
static SmallVector<unsigned> getOuterFirst(ArrayRef<unsigned> group) {
  return llvm::to_vector(llvm::reverse(group));
}

/// `tile` with other axes of the same elements.
static Value reshape(OpBuilder &builder, Location loc, Value tile,
                     ArrayRef<int64_t> shape) {
  auto type = cast<RankedTensorType>(tile.getType());
  if (type.getShape() == shape)
    return tile;
  return ReshapeOp::create(builder, loc, type.clone(shape), tile);
}

static Value permute(OpBuilder &builder, Location loc, Value tile,
                     ArrayRef<int64_t> order) {
  if (llvm::is_sorted(order))
    return tile;
  return TransOp::create(builder, loc, tile,
                         builder.getDenseI64ArrayAttr(order));
}

/// Finds where boxes of some indices begin, given their number, an integer.
void KernelEmitter::unpackBoxes(Value number, ArrayRef<unsigned> group) {
  auto getConstant = [&](int64_t value) {
    return createInteger(builder, loc, number.getType(), value);
  };
  int64_t rest = boxes->countBoxes(group, plan.sizes);
  for (unsigned index : group) {
    int64_t count = boxes->countBoxes(index, plan.sizes);
    rest /= count;
    if (count == 1)
      continue;
    Value box = number;
    if (rest > 1) {
      box = arith::RemUIOp::create(builder, loc, number, getConstant(count));
      number = arith::DivUIOp::create(builder, loc, number, getConstant(count));
    }
    starts[index] = getIndex(multiply(box, getConstant(boxes->sizes[index])));
  }
}

bool KernelEmitter::mayBeBeyond(unsigned index) const {
  // The outermost index has what remains of the program's number.
  auto outermost = llvm::find_if(llvm::reverse(plan.rows), [&](unsigned row) {
    return boxes->countBoxes(row, plan.sizes) > 1;
  });
  return hasMorePrograms() && outermost != plan.rows.rend() &&
         *outermost == index;
}

/// Looks up a number at the place where the indices stand.
Value KernelEmitter::lookUp(Contraction &contraction, LookupAttr lookup) {
  Value table =
      fusion.memory.lookup(contraction.op.getTable(lookup.getTable()));
  Value offset = createInteger(builder, loc, i64, 0);
  for (auto [index, size] : llvm::zip_equal(
           lookup.getIndices(), cast<MemRefType>(table.getType()).getShape())) {
    offset = multiply(offset, createInteger(builder, loc, i64, size));
    if (starts[index])
      offset = add(
          offset, arith::IndexCastOp::create(builder, loc, i64, starts[index]));
  }
  Value pointer = passPointer(table, TileDialect::kReadOnly);
  Value entry = LoadOp::create(
      builder, loc,
      AddPtrOp::create(builder, loc, pointer.getType(), pointer, offset),
      /*mask=*/Value(), /*other=*/Value());
  return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                    entry);
}

/// Loads the box of `memref`, whose axes are at `axes` of the indices, as a
/// tile with an axis for each index of `order`, of 1 where `memref` has none.
Value KernelEmitter::loadBox(Contraction &contraction, Value memref,
                             ArrayRef<AffineExpr> axes,
                             ArrayRef<unsigned> order) {
  auto type = cast<MemRefType>(memref.getType());
  Type indexType = builder.getIndexType();
  auto getConstant = [&](int64_t value) {
    return createInteger(builder, loc, indexType, value);
  };
  SmallVector<Value> at;
  SmallVector<int64_t> shape, ofOrder(order.size(), 1);
  SmallVector<bool> inside;
  SmallVector<unsigned> positions; // in `order`, of the axes that are long
  SmallVector<int64_t> steps;
  for (auto [axis, size] : llvm::zip_equal(axes, type.getShape())) {
    auto linear = BoxPlan::getAxis(axis, contraction.plan.spec);
    auto lookups = contraction.plan.spec.getLookups();
    ArrayRef<int64_t> ofLookups =
        ArrayRef(linear->coefficients).take_back(lookups.size());
    Value start = getConstant(linear->constant);
    int64_t least = linear->constant, last = linear->constant, length = 1;
    for (auto [index, factor] : llvm::enumerate(
             ArrayRef(linear->coefficients).drop_back(lookups.size()))) {
      if (factor == 0)
        continue;
      int64_t box = boxes->sizes[index];
      int64_t count = boxes->countBoxes(index, plan.sizes);
      if (mayBeBeyond(index))
        count += getCluster();
      int64_t reach = factor * box * (count - 1);
      least += std::min<int64_t>(reach, 0);
      last += std::max<int64_t>(reach, 0);
      if (box > 1) {
        length = box;
        unsigned position = llvm::find(order, index) - order.begin();
        positions.push_back(position);
        ofOrder[position] = box;
      }
      if (starts[index])
        start = add(start, multiply(starts[index], getConstant(factor)));
    }
    for (auto [lookup, factor] : llvm::zip_equal(lookups, ofLookups)) {
      if (factor == 0)
        continue;
      start = add(start,
                  multiply(lookUp(contraction, lookup), getConstant(factor)));
      last = size; // it may be anywhere
    }
    int64_t step = boxes->getStep(*linear);
    at.push_back(start);
    shape.push_back(length);
    steps.push_back(step);
    inside.push_back(least >= 0 && last + (length - 1) * step < size);
  }
  bool hasSteps = llvm::any_of(steps, [](int64_t step) { return step != 1; });
  Value view = LoadViewOp::create(
      builder, loc, getTile(shape, type.getElementType()),
      pass(memref, type, TileDialect::kReadOnly), at, /*axes=*/nullptr,
      hasSteps ? builder.getDenseI64ArrayAttr(steps) : nullptr,
      builder.getDenseBoolArrayAttr(inside));
  ++counts.views;
  // The axes that are long, in the order of `order`; others come anywhere.
  SmallVector<int64_t> trans, places;
  unsigned numLong = 0;
  for (int64_t axis = 0; axis < int64_t(shape.size()); ++axis) {
    trans.push_back(axis);
    places.push_back(shape[axis] > 1  ? positions[numLong++]
                     : places.empty() ? 0
                                      : places.back());
  }
  llvm::stable_sort(trans, [&](int64_t lhs, int64_t rhs) {
    return places[lhs] < places[rhs];
  });
  return reshape(builder, loc, permute(builder, loc, view, trans), ofOrder);
}

/// Loads the block of an operand for the step at which the indices stand.
Value KernelEmitter::loadBoxOfOperand(Contraction &contraction,
                                      unsigned operand) {
  SmallVector<unsigned> order =
      getOuterFirst(operand == 0 ? plan.rows : plan.depth);
  llvm::append_range(order,
                     getOuterFirst(operand == 0 ? plan.depth : plan.columns));
  Value memref = fusion.memory.lookup(contraction.op.getInputs()[operand]);
  Value tile = loadBox(contraction, memref,
                       plan.spec.getMaps()[operand].getResults(), order);
  return reshape(builder, loc, tile, getShape(contraction, operand));
}

Value KernelEmitter::emitBoxSum(Contraction &contraction) {
  auto sumType = getTile(getResultShape(), contraction.op.getAccumulatorType());
  Value zero =
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(sumType));
  auto getConstant = [&](int64_t value) {
    return createInteger(builder, loc, builder.getIndexType(), value);
  };
  int64_t count = boxes->countBoxes(plan.depth, plan.sizes);
  auto loop = scf::ForOp::create(builder, loc, getConstant(0),
                                 getConstant(count), getConstant(1), zero);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  unpackBoxes(loop.getInductionVar(), plan.depth);
  SmallVector<Value> tiles;
  for (unsigned operand : {0, 1})
    tiles.push_back(loadBoxOfOperand(contraction, operand));
  scf::YieldOp::create(builder, loc,
                       emitStep(contraction, tiles, loop.getRegionIterArg(0)));
  return loop.getResult(0);
}

/// Loads what stands in a leaf at the place of the block.
Value KernelEmitter::loadBoxOfResult(const Leaf &leaf) {
  Value memref = fusion.memory.lookup(leaf.value);
  if (leaf.axes.empty()) { // a view has axes
    SmallVector<int64_t> one(getResultShape().size(), 1);
    Value offset = createInteger(builder, loc, getTile(one, i64), 0);
    Value number = LoadOp::create(
        builder, loc,
        pointTo(passPointer(memref, TileDialect::kReadOnly), offset),
        /*mask=*/Value(), /*other=*/Value());
    auto type = cast<RankedTensorType>(number.getType());
    return BroadcastOp::create(builder, loc, type.clone(getResultShape()),
                               number);
  }
  auto axes = llvm::map_to_vector(leaf.axes, [&](unsigned index) {
    return getAffineDimExpr(index, builder.getContext());
  });
  SmallVector<unsigned> order = getOuterFirst(plan.rows);
  llvm::append_range(order, getOuterFirst(plan.columns));
  Value tile =
      loadBox(*fusion.contractions.front(), memref,
              SmallVector<AffineExpr>(axes.begin(), axes.end()), order);
  auto sizes = llvm::map_to_vector(
      order, [&](unsigned index) { return boxes->sizes[index]; });
  auto type = cast<RankedTensorType>(tile.getType());
  if (type.getShape() != ArrayRef(sizes))
    tile = BroadcastOp::create(builder, loc, type.clone(sizes), tile);
  return reshape(builder, loc, tile, getResultShape());
}

void KernelEmitter::storeBox(Value result) {
  SmallVector<unsigned> order = getOuterFirst(plan.batch);
  llvm::append_range(order, getOuterFirst(plan.rows));
  llvm::append_range(order, getOuterFirst(plan.columns));
  auto type = cast<MemRefType>(fusion.result.getType());
  SmallVector<int64_t> ofOrder, trans(order.size());
  // Indices of one value are in no group: their axis may be anywhere.
  SmallVector<Value> at;
  SmallVector<bool> inside;
  for (unsigned index = 0; index < type.getRank(); ++index) {
    if (!llvm::is_contained(order, index))
      order.push_back(index);
    at.push_back(starts[index] ? starts[index] : getIndex(nullptr));
    inside.push_back(plan.sizes[index] % boxes->sizes[index] == 0 &&
                     !mayBeBeyond(index));
  }
  trans.resize(order.size());
  for (auto [position, index] : llvm::enumerate(order)) {
    ofOrder.push_back(boxes->sizes[index]);
    trans[index] = position;
  }
  Value tile =
      permute(builder, loc, reshape(builder, loc, result, ofOrder), trans);
  StoreViewOp::create(builder, loc, tile,
                      pass(fusion.result, type, TileDialect::kNoAlias), at,
                      /*axes=*/nullptr, builder.getDenseBoolArrayAttr(inside));
}

void KernelEmitter::launchBoxes() {
  auto getCount = [&](ArrayRef<unsigned> group) {
    return host.getValue(
        hostBuilder.getIndexAttr(boxes->countBoxes(group, plan.sizes)));
  };
  launch({host.getMultiple(getCount(plan.rows), getCluster()),
          getCount(plan.columns), getCount(plan.batch)});
}
