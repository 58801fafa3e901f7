//===- StructuredRegion.cpp - The region of a structured op on tiles ------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each op of the region becomes the same op on tiles, with i64 for index; loads
// become loads at tiles of pointers. KernelForm.cpp says which ops there are.
//
//===----------------------------------------------------------------------===//

#include "KernelForm.h"
#include "StructuredKernel.h"

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::linalg_to_tile;

/// A constant, or a scalar of the host, at all positions.
Value StructuredKernel::getCaptured(Value value) {
  Type element = getTileElement(value.getType());
  RankedTensorType type = getTile({block}, element);
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant))) {
    if (value.getType().isIndex())
      constant =
          builder.getI64IntegerAttr(cast<IntegerAttr>(constant).getInt());
    return arith::ConstantOp::create(builder, loc,
                                     DenseElementsAttr::get(type, constant));
  }
  if (value.getType().isIndex())
    return splatNumber(value, type);
  if (!element.isInteger(1))
    return splat(pass(value, element), type);
  // Launches pass whole bytes.
  Type i8 = builder.getI8Type();
  Value &wide = bytes[value];
  if (!wide)
    wide = arith::ExtUIOp::create(hostBuilder, loc, i8, value);
  return splat(arith::TruncIOp::create(builder, loc, element, pass(wide, i8)),
               type);
}

Value StructuredKernel::emitGather(memref::LoadOp op, const IRMapping &values) {
  StridedView view = getView(op.getMemRef());
  Value offset = createScalarOrSplatConstant(builder, loc, i64, 0);
  for (auto [index, stride] : llvm::zip_equal(op.getIndices(), view.strides)) {
    Value moved =
        combine<arith::MulIOp>(values.lookup(index), passNumber(stride));
    offset = combine<arith::AddIOp>(offset, moved);
  }
  return LoadOp::create(builder, loc, pointTo(getPointer(view), toTile(offset)),
                        both(inside, asserted), /*other=*/Value());
}

/// A cast from or to index, which is i64 in tiles.
Value StructuredKernel::emitIndexCast(Operation *op, Value value) {
  Type element = getTileElement(op->getResult(0).getType());
  RankedTensorType type = getTile({block}, element);
  unsigned from = getElement(value.getType()).getIntOrFloatBitWidth();
  unsigned to = element.getIntOrFloatBitWidth();
  if (from == to)
    return value;
  if (from > to)
    return arith::TruncIOp::create(builder, loc, type, value);
  if (isa<arith::IndexCastUIOp>(op))
    return arith::ExtUIOp::create(builder, loc, type, value);
  return arith::ExtSIOp::create(builder, loc, type, value);
}

/// The same op, on tiles.
void StructuredKernel::emitElementwise(Operation *op, IRMapping &values) {
  Operation *copy = builder.clone(*op, values);
  for (Value result : copy->getResults())
    result.setType(getTile({block}, getTileElement(result.getType())));
  // Positions that there are not have zeros, which must not divide.
  if (!inside ||
      !isa<arith::DivSIOp, arith::DivUIOp, arith::RemSIOp, arith::RemUIOp>(op))
    return;
  Value divisor = copy->getOperand(1);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPoint(copy);
  Value one = createScalarOrSplatConstant(builder, loc, divisor.getType(), 1);
  copy->setOperand(1,
                   arith::SelectOp::create(builder, loc, inside, divisor, one));
}

void StructuredKernel::emitRegionOp(Operation *op, IRMapping &values) {
  for (Value operand : op->getOperands())
    if (!values.contains(operand) && !isa<MemRefType>(operand.getType()))
      values.map(operand, getCaptured(operand));
  if (auto assertOp = dyn_cast<cf::AssertOp>(op)) {
    asserted = both(asserted, values.lookup(assertOp.getArg()));
    return;
  }
  Value result;
  if (auto index = dyn_cast<linalg::IndexOp>(op))
    result = toTile(indices[index.getDim()]);
  else if (isa<arith::ConstantOp>(op))
    result = getCaptured(op->getResult(0));
  else if (auto load = dyn_cast<memref::LoadOp>(op))
    result = emitGather(load, values);
  else if (auto dim = dyn_cast<memref::DimOp>(op))
    result = toTile(passNumber(memref::getMixedSize(
        hostBuilder, loc, dim.getSource(), *dim.getConstantIndex())));
  else if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op))
    result = emitIndexCast(op, values.lookup(op->getOperand(0)));
  else
    return emitElementwise(op, values);
  values.map(op->getResult(0), result);
}

/// What the region yields, for the elements of the outputs.
SmallVector<Value> StructuredKernel::emitRegion(ValueRange outputs) {
  IRMapping values;
  unsigned numInputs = op.getNumDpsInputs();
  for (BlockArgument argument : op.getBlock()->getArguments()) {
    if (argument.use_empty())
      continue;
    unsigned number = argument.getArgNumber();
    OpOperand &operand = op->getOpOperand(number);
    if (number >= numInputs)
      values.map(argument, outputs[number - numInputs]);
    else if (!isa<MemRefType>(operand.get().getType()))
      values.map(argument, getCaptured(operand.get()));
    else if (Value loaded = invariants.lookup(number))
      values.map(argument, loaded);
    else
      values.map(argument, load(accesses.at(number)));
  }
  for (Operation &inner : op.getBlock()->without_terminator())
    emitRegionOp(&inner, values);
  SmallVector<Value> yielded;
  for (Value value : op.getBlock()->getTerminator()->getOperands())
    yielded.push_back(values.contains(value) ? values.lookup(value)
                                             : getCaptured(value));
  return yielded;
}
