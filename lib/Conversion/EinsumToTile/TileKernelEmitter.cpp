//===- TileKernelEmitter.cpp - The kernel of one fusion -------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program computes one block of the result. First it unpacks its rows and
// columns into indices. At the end it evaluates the epilogue on the tiles that
// the sums have left, and stores the block: as a dense block of memory where
// M and N are one index each, else by a pointer per element.
//
//===----------------------------------------------------------------------===//

#include "TileKernelEmitter.h"

#include "tileir/Conversion/EinsumLowering/ElementArithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::tile;
using namespace tileir::lowering;
using namespace tileir::to_tile;

KernelEmitter::KernelEmitter(OpBuilder &hostBuilder, Fusion &fusion,
                             SymbolTable &symbols, std::optional<BoxPlan> boxes)
    : KernelBuilder(hostBuilder, fusion.loc, fusion.name, symbols),
      fusion(fusion), plan(fusion.contractions.front()->plan),
      host(fusion.contractions.front()->host),
      indices(plan.spec.getNumResultIndices()), boxes(std::move(boxes)),
      starts(plan.sizes.size()) {}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

/// Unpacks the rows or columns of this program.
BlockAxis KernelEmitter::emitAxis(tile::Axis gridAxis, ArrayRef<unsigned> group,
                                  int64_t size) {
  BlockAxis axis;
  axis.size = size;
  llvm::append_range(axis.indices, group);
  if (group.empty()) {
    if (size > 1)
      axis.inside = isBelow(createRange(size),
                            createInteger(builder, loc, getTile(size, i64), 1));
    return axis;
  }
  auto type = getTile(size, i64);
  axis.start =
      multiply(getProgram(gridAxis), createInteger(builder, loc, i64, size));
  Value position = add(splat(axis.start, type), createRange(size));
  int64_t total = plan.getStaticSize(group);
  bool isPadded = gridAxis == tile::Axis::X && hasMorePrograms();
  if (ShapedType::isDynamic(total) || total % size != 0 || isPadded)
    axis.inside = isBelow(position, splatNumber(host.getTotal(group), type));
  unpack(position, axis);
  return axis;
}

/// Finds the indices of an axis, the innermost first.
void KernelEmitter::unpack(Value position, BlockAxis &axis) {
  auto getNumber = [&](OpFoldResult number) {
    auto type = dyn_cast<RankedTensorType>(position.getType());
    return type ? splatNumber(number, type) : passNumber(number);
  };
  for (auto [i, index] : llvm::enumerate(axis.indices)) {
    Value quotient = position;
    if (i > 0)
      quotient = arith::DivUIOp::create(
          builder, loc, position,
          getNumber(host.getTotal(ArrayRef(axis.indices).take_front(i))));
    axis.quotients.push_back(quotient);
    indices[index] = quotient;
    if (index != axis.indices.back())
      indices[index] = arith::RemUIOp::create(builder, loc, quotient,
                                              getNumber(host.getSize(index)));
  }
}

/// The position in some indices of an axis together, of static size.
Value KernelEmitter::emitJoined(const BlockAxis &axis, unsigned first,
                                unsigned last) {
  Value quotient = axis.quotients[first];
  if (first == last)
    return indices[axis.indices[first]];
  if (last + 1 == axis.indices.size())
    return quotient;
  ArrayRef<unsigned> joined =
      ArrayRef(axis.indices).slice(first, last - first + 1);
  return arith::RemUIOp::create(
      builder, loc, quotient,
      splatNumber(host.getTotal(joined),
                  cast<RankedTensorType>(quotient.getType())));
}

/// The value of `expr`, which depends on no summed index, along `axis`.
Value KernelEmitter::emitExternal(Contraction &contraction, AffineExpr expr,
                                  const BlockAxis &axis) {
  auto type = getTile(axis.size, i64);
  auto getIndexTile = [&](unsigned index) -> Value {
    Value value = getIndex(index);
    return value ? splat(value, type) : createInteger(builder, loc, type, 0);
  };
  auto getLeaf = [&](AffineExpr leaf) -> Value {
    if (auto dim = dyn_cast<AffineDimExpr>(leaf))
      return getIndexTile(dim.getPosition());
    auto symbol = cast<AffineSymbolExpr>(leaf);
    LookupAttr lookup =
        contraction.plan.spec.getLookups()[symbol.getPosition()];
    if (lookup.isIndex())
      return getIndexTile(lookup.getIndices().front());
    return emitLookup(contraction, lookup, axis);
  };
  // The host has checked divisors; a bad one must not trap.
  auto getDivisor = [&](AffineExpr divisor, Value value) -> Value {
    bool isSafe = isa<AffineConstantExpr>(divisor);
    return isSafe
               ? value
               : arith::MaxSIOp::create(builder, loc, value,
                                        createInteger(builder, loc, type, 1));
  };
  return emitIndexArithmetic(builder, loc, expr, type, getLeaf, getDivisor);
}

Value KernelEmitter::emitLookup(Contraction &contraction, LookupAttr lookup,
                                const BlockAxis &axis) {
  SmallVector<AffineExpr> exprs;
  for (unsigned index : lookup.getIndices())
    exprs.push_back(getAffineDimExpr(index, builder.getContext()));
  Value contiguous =
      fusion.memory.lookup(contraction.op.getTable(lookup.getTable()));
  Value offset =
      emitOffset(contraction, exprs, host.getStrides(contiguous), axis);
  Value pointers =
      pointTo(passPointer(contiguous, TileDialect::kReadOnly), offset);
  Value entries =
      LoadOp::create(builder, loc, pointers, axis.inside, /*other=*/Value());
  return convertElements(builder, loc, entries, i64);
}

/// The offset in elements that `exprs`, indices of a memref, make along `axis`.
/// If it joins indices, those that follow each other in memory as they do along
/// the axis count as one, so that it is known how far memory goes along it.
Value KernelEmitter::emitOffset(Contraction &contraction,
                                ArrayRef<AffineExpr> exprs,
                                ArrayRef<OpFoldResult> strides,
                                const BlockAxis &axis, bool joins) {
  auto type = getTile(axis.size, i64);
  Value offset = createInteger(builder, loc, type, 0);
  unsigned numIndices = contraction.plan.spec.getNumIndices();
  SmallVector<int64_t> factors(numIndices, 0);
  for (auto [expr, stride] : llvm::zip_equal(exprs, strides)) {
    auto linear = LinearAxis::get(expr, numIndices);
    auto number = getConstantIntValue(stride);
    if (!linear || !number) {
      offset = add(offset, multiply(emitExternal(contraction, expr, axis),
                                    splatNumber(stride, type)));
      continue;
    }
    offset = add(offset,
                 createInteger(builder, loc, type, linear->constant * *number));
    for (auto [factor, steps] : llvm::zip_equal(factors, linear->coefficients))
      factor += steps * *number;
  }
  auto addTerm = [&](Value value, int64_t factor) {
    Value number = createInteger(builder, loc, value.getType(), factor);
    offset = add(offset, splat(multiply(value, number), type));
  };
  for (unsigned first = 0, e = axis.indices.size(); first < e;) {
    int64_t factor = std::exchange(factors[axis.indices[first]], 0);
    int64_t next = factor;
    unsigned last = first;
    for (; joins && factor != 0 && last + 1 < e; ++last) {
      int64_t size = plan.sizes[axis.indices[last]];
      int64_t &following = factors[axis.indices[last + 1]];
      if (ShapedType::isDynamic(size) || llvm::MulOverflow(next, size, next) ||
          following != next)
        break;
      following = 0;
    }
    if (factor != 0)
      addTerm(emitJoined(axis, first, last), factor);
    first = last + 1;
  }
  // Those of the batch are the same everywhere.
  for (auto [index, factor] : llvm::enumerate(factors))
    if (Value value = factor != 0 ? getIndex(index) : Value())
      addTerm(value, factor);
  return offset;
}

/// The value of an index that is the same for all of a program; null if it is
/// not.
Value KernelEmitter::emitFixed(const LinearAxis &axis) {
  Value sum = createInteger(builder, loc, i64, axis.constant);
  for (auto [index, factor] : llvm::enumerate(axis.coefficients)) {
    if (factor == 0)
      continue;
    if (!isFixed(index))
      return nullptr;
    if (Value value = getIndex(index))
      sum = add(sum, multiply(value, createInteger(builder, loc, i64, factor)));
  }
  return sum;
}

/// A number of i64 as index; null is 0.
Value KernelEmitter::getIndex(Value number) {
  Type indexType = builder.getIndexType();
  return number
             ? builder.createOrFold<arith::IndexCastOp>(loc, indexType, number)
             : createInteger(builder, loc, indexType, 0);
}

/// Loads a dense block into a tile of shape `shape`, broadcast along the axes
/// along which nothing runs.
Value KernelEmitter::loadView(const View &view, ArrayRef<int64_t> shape,
                              Value step) {
  SmallVector<Value> starts = view.indices;
  if (view.stepAxis)
    starts[*view.stepAxis] = add(starts[*view.stepAxis], step);
  auto sizes = llvm::map_to_vector(view.along,
                                   [&](unsigned axis) { return shape[axis]; });
  Type element = cast<MemRefType>(view.memref.getType()).getElementType();
  Value memref =
      pass(view.memref, view.memref.getType(), TileDialect::kReadOnly);
  Value tile = LoadViewOp::create(
      builder, loc, getTile(sizes, element), memref, starts,
      builder.getDenseI64ArrayAttr(view.axes),
      /*steps=*/nullptr, builder.getDenseBoolArrayAttr(view.inside));
  return spread(tile, view.along, shape);
}

//===----------------------------------------------------------------------===//
// The result
//===----------------------------------------------------------------------===//

SmallVector<int64_t> KernelEmitter::getResultShape() const {
  SmallVector<int64_t> shape = {rows.size};
  if (plan.hasColumns())
    shape.push_back(columns.size);
  return shape;
}

Value KernelEmitter::getResultMask() {
  SmallVector<int64_t> shape = getResultShape();
  Value mask = expand(rows.inside, 0, shape);
  return plan.hasColumns() ? both(mask, expand(columns.inside, 1, shape))
                           : mask;
}

/// The offsets in `memref` of the elements of a block; axis i of it is indexed
/// by index `indices[i]` of the result.
Value KernelEmitter::getResultOffsets(Value memref,
                                      ArrayRef<unsigned> indices) {
  SmallVector<int64_t> shape = getResultShape();
  SmallVector<OpFoldResult> strides = host.getStrides(memref);
  auto getOffset = [&](const BlockAxis &axis, bool ofColumns) {
    SmallVector<AffineExpr> exprs;
    SmallVector<OpFoldResult> ownStrides;
    for (auto [index, stride] : llvm::zip_equal(indices, strides))
      if (llvm::is_contained(columns.indices, index) == ofColumns) {
        exprs.push_back(getAffineDimExpr(index, builder.getContext()));
        ownStrides.push_back(stride);
      }
    return emitOffset(*fusion.contractions.front(), exprs, ownStrides, axis);
  };
  // Indices of a batch are the same everywhere.
  Value offsets = expand(getOffset(rows, /*ofColumns=*/false), 0, shape);
  if (!plan.hasColumns())
    return offsets;
  return add(offsets, expand(getOffset(columns, /*ofColumns=*/true), 1, shape));
}

/// The block of `memref` at the place of the result's, if it is dense.
std::optional<View> KernelEmitter::getResultView(Value memref,
                                                 ArrayRef<unsigned> indices) {
  View view{memref, {}, std::nullopt, {}, {}, {}};
  for (auto [axis, index] : llvm::enumerate(indices)) {
    bool alongRows = index == rows.getIndex();
    bool alongColumns = index == columns.getIndex();
    if (!alongRows && !alongColumns && !isFixed(index))
      return std::nullopt;
    if (alongRows || alongColumns) {
      unsigned along = alongColumns;
      if (llvm::is_contained(view.along, along))
        return std::nullopt;
      const BlockAxis &blockAxis = alongRows ? rows : columns;
      view.axes.push_back(axis);
      view.along.push_back(along);
      view.inside.push_back(!blockAxis.inside);
      view.indices.push_back(getIndex(blockAxis.start));
    } else {
      view.indices.push_back(getIndex(getIndex(index)));
    }
  }
  if (view.along.empty())
    return std::nullopt;
  return view;
}

/// Loads what stands in a leaf at the place of the block; its axes are indices
/// of the result.
Value KernelEmitter::loadResultLeaf(const Leaf &leaf, ReadCounts &counts) {
  if (boxes)
    return loadBoxOfResult(leaf);
  Value memref = fusion.memory.lookup(leaf.value);
  if (auto view = getResultView(memref, leaf.axes)) {
    ++counts.views;
    return loadView(*view, getResultShape(), /*step=*/nullptr);
  }
  ++counts.strided;
  Value pointers = pointTo(passPointer(memref, TileDialect::kReadOnly),
                           getResultOffsets(memref, leaf.axes));
  return LoadOp::create(builder, loc, pointers, getResultMask(),
                        /*other=*/Value());
}

Value KernelEmitter::emitResult() {
  auto getSum = [&](Contraction &contraction) {
    return convertElements(builder, loc, emitSum(contraction),
                           contraction.op.getOutputType().getElementType());
  };
  if (!fusion.body)
    return getSum(*fusion.contractions.front());
  Value root = fusion.body->getTerminator()->getOperand(0);
  return Expression(root, fusion.body)
      .emit(builder, getResultShape(), [&](const Leaf &leaf) {
        Operation *op = leaf.value.getDefiningOp();
        for (auto &contraction : fusion.contractions)
          if (contraction->op == op)
            return getSum(*contraction);
        ReadCounts ofEpilogue;
        return loadResultLeaf(leaf, ofEpilogue);
      });
}

void KernelEmitter::emitStore(Value result) {
  auto identity = llvm::to_vector(llvm::seq<unsigned>(0, indices.size()));
  // A mask tells which of rows or columns without indices are stored.
  auto view = getResultView(fusion.result, identity);
  if (view && view->along.size() == getResultShape().size()) {
    Value memref =
        pass(fusion.result, fusion.result.getType(), TileDialect::kNoAlias);
    if (!llvm::is_sorted(view->along))
      result = TransOp::create(builder, loc, result,
                               builder.getDenseI64ArrayAttr({1, 0}));
    StoreViewOp::create(builder, loc, result, memref, view->indices,
                        builder.getDenseI64ArrayAttr(view->axes),
                        builder.getDenseBoolArrayAttr(view->inside));
    return;
  }
  Value pointers = pointTo(passPointer(fusion.result, TileDialect::kNoAlias),
                           getResultOffsets(fusion.result, identity));
  StoreOp::create(builder, loc, pointers, result, getResultMask());
}

ReadCounts KernelEmitter::emit() {
  if (fusion.config)
    setAttr(TileDialect::kConfig, fusion.config);
  emitGroups();
  if (boxes) {
    rows.size = boxes->block.m;
    columns.size = boxes->block.n;
    unpackBoxes(getProgram(tile::Axis::X), plan.rows);
    unpackBoxes(getProgram(tile::Axis::Y), plan.columns);
    if (!plan.batch.empty())
      unpackBoxes(getProgram(tile::Axis::Z), plan.batch);
    storeBox(emitResult());
    launchBoxes();
    return counts;
  }
  rows = emitAxis(tile::Axis::X, plan.rows, plan.block.m);
  columns = emitAxis(tile::Axis::Y, plan.columns, plan.block.n);
  if (!plan.batch.empty()) {
    BlockAxis batch;
    batch.indices = plan.batch;
    unpack(getProgram(tile::Axis::Z), batch);
  }
  emitStore(emitResult());
  launch({host.getMultiple(
              host.getNumBlocks(host.getTotal(plan.rows), plan.block.m),
              getCluster()),
          host.getNumBlocks(host.getTotal(plan.columns), plan.block.n),
          host.getNumBlocks(host.getTotal(plan.batch), 1)});
  return counts;
}

/// Whether operands are read as they are.
static bool areRead(const Fusion &fusion, Contraction &contraction) {
  return llvm::all_of(contraction.op.getInputs(), [&](Value input) {
    return Expression(input, fusion.body).isLeaf();
  });
}

ReadCounts to_tile::emitKernel(OpBuilder &builder, Fusion &fusion,
                               SymbolTable &symbols) {
  std::optional<BoxPlan> boxes;
  Contraction &first = *fusion.contractions.front();
  if (fusion.contractions.size() == 1 && areRead(fusion, first))
    boxes = BoxPlan::get(first.plan);
  if (boxes)
    first.plan.block = boxes->block;
  return KernelEmitter(builder, fusion, symbols, std::move(boxes)).emit();
}
