//===- KernelEmitter.cpp - The kernel of a contraction --------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A program computes one block. Before its loop it unpacks its rows and columns
// into letters and computes what of each operand's offsets depends on them. A
// step of the loop adds to the pointers what depends on the position in the
// sum: a constant, or entries of a table. So a step has the same index
// operations whatever the number of letters.
//
//===----------------------------------------------------------------------===//

#include "KernelEmitter.h"

#include "Elements.h"
#include "KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::tile;

namespace {

/// An aggregate axis of a block: the rows or columns of this program.
struct BlockAxis {
  int64_t size = 1; // of the block
  Value inside;     // a tile of i1; null if all are
};

/// What a program reads of one operand.
struct Source {
  /// Where the block's first step reads: a tile of the block's shape.
  Value pointers;
  /// A scalar by which pointers advance per step, or the table of offsets.
  Value advance, table;
  /// A mask that does not change from step to step; null if all is true.
  Value mask;
  /// Axes to compare with the operand's size in each step.
  struct Position {
    Value external; // a tile of the block's shape
    Value table;
    Value size; // likewise
  };
  SmallVector<Position> positions;
};

class KernelEmitter : KernelBuilder {
public:
  KernelEmitter(OpBuilder &hostBuilder, const TilePlan &plan, HostEmitter &host,
                const DenseMap<Value, Value> &memory, StringRef name,
                SymbolTable &symbols)
      : KernelBuilder(hostBuilder, plan.op.getLoc(), name, symbols), plan(plan),
        host(host), op(plan.op), memory(memory), letters(plan.sizes.size()) {}

  void emit();

private:
  //===--------------------------------------------------------------------===//
  // Before the loop
  //===--------------------------------------------------------------------===//

  Value getProgram(tile::Axis axis) {
    Value id = ProgramIdOp::create(builder, loc, axis);
    return arith::ExtSIOp::create(builder, loc, i64, id);
  }
  BlockAxis emitAxis(tile::Axis gridAxis, ArrayRef<unsigned> group,
                     int64_t size);
  void unpack(Value position, ArrayRef<unsigned> group);
  Value emitExternal(AffineExpr expr, const BlockAxis &axis);
  Value emitLookup(LookupAttr lookup, const BlockAxis &axis);
  Value emitOffset(ArrayRef<AffineExpr> exprs, ArrayRef<OpFoldResult> strides,
                   const BlockAxis &axis);
  Source emitSource(unsigned operand, const BlockAxis &axis);
  Value passTable(unsigned operand, ArrayRef<AffineExpr> exprs,
                  ArrayRef<OpFoldResult> factors) {
    Value table = host.getTable(operand, exprs, factors);
    return pass(table, table.getType(), TileDialect::kReadOnly);
  }
  void emitPositions(Source &source, unsigned operand, const BlockAxis &axis);

  //===--------------------------------------------------------------------===//
  // The loop, and what comes after it
  //===--------------------------------------------------------------------===//

  Value emitLoop(ArrayRef<Source> sources);
  Value emitLoad(const Source &source, unsigned operand, Value pointers,
                 Value step, Value stepInside);
  Value emitStep(ArrayRef<Value> tiles, Value sum);
  Value loadTable(Value table, Value step) {
    return LoadViewOp::create(builder, loc, getTile(plan.block.depth, i64),
                              table, step, /*axes=*/nullptr);
  }
  void emitStore(Value sum);

  /// Which axis of an operand's block runs along the sum; rows or columns run
  /// along the other one.
  unsigned getDepthAxis(unsigned operand) const {
    return plan.usesDot() && operand == 1 ? 0 : 1;
  }
  SmallVector<int64_t> getShape(unsigned operand) const {
    if (!plan.hasDepth())
      return {rows.size};
    if (getDepthAxis(operand) == 0)
      return {plan.block.depth, columns.size};
    return {rows.size, plan.block.depth};
  }
  unsigned getExternalAxis(unsigned operand) const {
    return plan.hasDepth() ? 1 - getDepthAxis(operand) : 0;
  }

  const TilePlan &plan;
  HostEmitter &host;
  ContractOp op;
  const DenseMap<Value, Value> &memory; // contiguous memory of operands

  /// The values of letters that do not run along the sum; null is 0.
  SmallVector<Value> letters;
  BlockAxis rows, columns;
};

} // namespace

//===----------------------------------------------------------------------===//
// Before the loop
//===----------------------------------------------------------------------===//

/// Unpacks the rows or columns of this program.
BlockAxis KernelEmitter::emitAxis(tile::Axis gridAxis, ArrayRef<unsigned> group,
                                  int64_t size) {
  BlockAxis axis;
  axis.size = size;
  if (group.empty())
    return axis;
  auto type = getTile(size, i64);
  Value first =
      multiply(getProgram(gridAxis), createInteger(builder, loc, i64, size));
  Value position = add(splat(first, type), createRange(size));
  int64_t total = plan.getStaticSize(group);
  if (ShapedType::isDynamic(total) || total % size != 0)
    axis.inside = isBelow(position, splatNumber(host.getTotal(group), type));
  unpack(position, group);
  return axis;
}

/// Finds the letters of a group, the innermost first.
void KernelEmitter::unpack(Value position, ArrayRef<unsigned> group) {
  for (unsigned letter : group) {
    if (letter == group.back()) {
      letters[letter] = position;
      break;
    }
    Value size = passNumber(host.getSize(letter));
    if (auto type = dyn_cast<RankedTensorType>(position.getType()))
      size = splatNumber(host.getSize(letter), type);
    letters[letter] = arith::RemUIOp::create(builder, loc, position, size);
    position = arith::DivUIOp::create(builder, loc, position, size);
  }
}

/// The value of `expr`, which depends on no summed letter, along `axis`.
Value KernelEmitter::emitExternal(AffineExpr expr, const BlockAxis &axis) {
  auto type = getTile(axis.size, i64);
  auto getLetter = [&](unsigned letter) -> Value {
    if (!letters[letter])
      return createInteger(builder, loc, type, 0);
    return splat(letters[letter], type);
  };
  auto getLeaf = [&](AffineExpr leaf) -> Value {
    if (auto dim = dyn_cast<AffineDimExpr>(leaf))
      return getLetter(dim.getPosition());
    auto symbol = cast<AffineSymbolExpr>(leaf);
    LookupAttr lookup = plan.spec.getLookups()[symbol.getPosition()];
    if (lookup.isLetter())
      return getLetter(lookup.getLetters().front());
    return emitLookup(lookup, axis);
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

Value KernelEmitter::emitLookup(LookupAttr lookup, const BlockAxis &axis) {
  Value table = op.getTable(lookup.getTable());
  SmallVector<AffineExpr> exprs;
  for (unsigned letter : lookup.getLetters())
    exprs.push_back(getAffineDimExpr(letter, builder.getContext()));
  Value contiguous = memory.lookup(table);
  Value offset = emitOffset(exprs, host.getStrides(contiguous), axis);
  Value pointers =
      pointTo(passPointer(contiguous, TileDialect::kReadOnly), offset);
  Value entries =
      LoadOp::create(builder, loc, pointers, axis.inside, /*other=*/Value());
  return convertElements(builder, loc, entries, i64);
}

/// The offset in elements that `exprs`, indices of a memref, make along `axis`.
Value KernelEmitter::emitOffset(ArrayRef<AffineExpr> exprs,
                                ArrayRef<OpFoldResult> strides,
                                const BlockAxis &axis) {
  auto type = getTile(axis.size, i64);
  Value offset = createInteger(builder, loc, type, 0);
  for (auto [expr, stride] : llvm::zip_equal(exprs, strides))
    offset = add(offset,
                 multiply(emitExternal(expr, axis), splatNumber(stride, type)));
  return offset;
}

/// What `operand` needs in each step; `axis` is that of its block which does
/// not run along the sum.
Source KernelEmitter::emitSource(unsigned operand, const BlockAxis &axis) {
  const OperandPlan &operandPlan = plan.operands[operand];
  Value memref = memory.lookup(op.getInputs()[operand]);
  SmallVector<OpFoldResult> strides = host.getStrides(memref);
  SmallVector<int64_t> shape = getShape(operand);
  unsigned external = getExternalAxis(operand);
  Source source;
  source.mask = expand(axis.inside, external, shape);
  Value offsets =
      expand(emitOffset(operandPlan.external, strides, axis), external, shape);
  if (plan.hasDepth() && operandPlan.advance) {
    Value stride = createInteger(builder, loc, i64, 0);
    for (auto [factor, axisStride] :
         llvm::zip_equal(*operandPlan.advance, strides))
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
    source.table = passTable(operand, operandPlan.reduction, strides);
  }
  source.pointers =
      pointTo(passPointer(memref, TileDialect::kReadOnly), offsets);
  emitPositions(source, operand, axis);
  return source;
}

/// Compares the positions along axes that do not depend on the step; those that
/// do are prepared.
void KernelEmitter::emitPositions(Source &source, unsigned operand,
                                  const BlockAxis &axis) {
  const OperandPlan &operandPlan = plan.operands[operand];
  SmallVector<int64_t> shape = getShape(operand);
  unsigned external = getExternalAxis(operand);
  AffineExpr zero = getAffineConstantExpr(0, builder.getContext());
  for (unsigned masked : operandPlan.maskedAxes) {
    Value position = emitExternal(operandPlan.external[masked], axis);
    OpFoldResult size = host.getDim(op.getInputs()[operand], masked);
    AffineExpr summed = operandPlan.reduction[masked];
    if (summed == zero) {
      Value inside =
          isBelow(position, splatNumber(size, getTile(axis.size, i64)));
      source.mask = both(source.mask, expand(inside, external, shape));
      continue;
    }
    Value table =
        passTable(operand, summed, OpFoldResult(builder.getIndexAttr(1)));
    source.positions.push_back({expand(position, external, shape), table,
                                splatNumber(size, getTile(shape, i64))});
  }
}

//===----------------------------------------------------------------------===//
// The loop, and what comes after it
//===----------------------------------------------------------------------===//

/// Loads the block of an operand. `step` is the first position of the step in
/// the sum, `stepInside` says which ones there are (null: all).
Value KernelEmitter::emitLoad(const Source &source, unsigned operand,
                              Value pointers, Value step, Value stepInside) {
  SmallVector<int64_t> shape = getShape(operand);
  unsigned depth = getDepthAxis(operand);
  if (source.table)
    pointers =
        AddPtrOp::create(builder, loc, pointers,
                         expand(loadTable(source.table, step), depth, shape));
  Value mask = both(source.mask, expand(stepInside, depth, shape));
  for (const Source::Position &position : source.positions) {
    Value summed = expand(loadTable(position.table, step), depth, shape);
    mask = both(mask, isBelow(add(position.external, summed), position.size));
  }
  Value tile = LoadOp::create(builder, loc, pointers, mask, /*other=*/Value());
  Type element = plan.usesDot() ? plan.dotElement : op.getAccumulatorType();
  return convertElements(builder, loc, tile, element);
}

/// What `sum` becomes by the products of `tiles`.
Value KernelEmitter::emitStep(ArrayRef<Value> tiles, Value sum) {
  if (plan.usesDot())
    return DotOp::create(builder, loc, tiles[0], tiles[1], sum);
  Value product = tiles[0];
  for (Value tile : tiles.drop_front())
    product = createProduct(builder, loc, product, tile);
  if (!plan.hasDepth())
    return product;
  Value partial =
      ReduceOp::create(builder, loc, Combiner::Add, product, /*axis=*/1);
  return createSum(builder, loc, sum, partial);
}

/// Sums over all steps. The pointers of operands that advance are carried.
Value KernelEmitter::emitLoop(ArrayRef<Source> sources) {
  auto load = [&](ValueRange pointers, Value step, Value stepInside) {
    SmallVector<Value> tiles;
    for (auto [operand, source] : llvm::enumerate(sources)) {
      Value from = source.pointers;
      if (source.advance) {
        from = pointers.front();
        pointers = pointers.drop_front();
      }
      tiles.push_back(emitLoad(source, operand, from, step, stepInside));
    }
    return tiles;
  };
  if (!plan.hasDepth())
    return emitStep(load({}, {}, {}), {});

  SmallVector<int64_t> shape = {rows.size};
  if (plan.usesDot())
    shape.push_back(columns.size);
  auto sumType = getTile(shape, op.getAccumulatorType());
  SmallVector<Value> carried = {
      arith::ConstantOp::create(builder, loc, builder.getZeroAttr(sumType))};
  for (const Source &source : sources)
    if (source.advance)
      carried.push_back(source.pointers);

  auto getIndex = [&](OpFoldResult number) -> Value {
    if (auto constant = getConstantIntValue(number))
      return createInteger(builder, loc, builder.getIndexType(), *constant);
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      passNumber(number));
  };
  int64_t depth = plan.block.depth;
  int64_t total = plan.getStaticSize(plan.depth);
  OpFoldResult size = host.getTotal(plan.depth);
  auto depthType = getTile(depth, i64);
  Value range, end;
  if (ShapedType::isDynamic(total) || total % depth != 0) {
    range = createRange(depth);
    end = splatNumber(size, depthType);
  }
  SmallVector<Value> advances;
  for (const Source &source : sources)
    if (source.advance)
      advances.push_back(splat(
          source.advance,
          cast<RankedTensorType>(withElement(source.pointers.getType(), i64))));
  auto loop = scf::ForOp::create(
      builder, loc, getIndex(builder.getIndexAttr(0)), getIndex(size),
      getIndex(builder.getIndexAttr(depth)), carried);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Value step = loop.getInductionVar(), stepInside;
  if (range) {
    Value start = arith::IndexCastOp::create(builder, loc, i64, step);
    stepInside = isBelow(add(splat(start, depthType), range), end);
  }
  ValueRange arguments = loop.getRegionIterArgs();
  ValueRange pointers = arguments.drop_front();
  SmallVector<Value> next = {
      emitStep(load(pointers, step, stepInside), arguments.front())};
  for (auto [pointer, advance] : llvm::zip_equal(pointers, advances))
    next.push_back(AddPtrOp::create(builder, loc, pointer, advance));
  scf::YieldOp::create(builder, loc, next);
  return loop.getResult(0);
}

void KernelEmitter::emitStore(Value sum) {
  Value memref = memory.lookup(op.getOuts());
  auto shape = cast<RankedTensorType>(sum.getType()).getShape();
  SmallVector<OpFoldResult> strides = host.getStrides(memref);
  auto getOffset = [&](ArrayRef<unsigned> group, const BlockAxis &axis) {
    SmallVector<AffineExpr> exprs;
    SmallVector<OpFoldResult> groupStrides;
    for (unsigned letter : group) {
      exprs.push_back(getAffineDimExpr(letter, builder.getContext()));
      groupStrides.push_back(strides[letter]);
    }
    return emitOffset(exprs, groupStrides, axis);
  };
  SmallVector<unsigned> group(plan.rows);
  llvm::append_range(group, plan.batch);
  Value offsets = expand(getOffset(group, rows), 0, shape);
  Value mask = expand(rows.inside, 0, shape);
  if (plan.usesDot()) {
    offsets = add(offsets, expand(getOffset(plan.columns, columns), 1, shape));
    mask = both(mask, expand(columns.inside, 1, shape));
  }
  Value result =
      convertElements(builder, loc, sum, op.getOutputType().getElementType());
  Value pointers = pointTo(passPointer(memref, TileDialect::kNoAlias), offsets);
  StoreOp::create(builder, loc, pointers, result, mask);
}

void KernelEmitter::emit() {
  rows = emitAxis(tile::Axis::X, plan.rows, plan.block.rows);
  columns = emitAxis(tile::Axis::Y, plan.columns, plan.block.columns);
  if (!plan.batch.empty())
    unpack(getProgram(tile::Axis::Z), plan.batch);
  SmallVector<Source> sources;
  for (unsigned operand = 0; operand < plan.operands.size(); ++operand)
    sources.push_back(
        emitSource(operand, plan.usesDot() && operand == 1 ? columns : rows));
  emitStore(emitLoop(sources));
  launch({host.getNumBlocks(host.getTotal(plan.rows), plan.block.rows),
          host.getNumBlocks(host.getTotal(plan.columns), plan.block.columns),
          host.getNumBlocks(host.getTotal(plan.batch), 1)});
}

void tileir::emitKernel(OpBuilder &builder, const TilePlan &plan,
                        HostEmitter &host, const DenseMap<Value, Value> &memory,
                        StringRef name, SymbolTable &symbols) {
  KernelEmitter(builder, plan, host, memory, name, symbols).emit();
}
