//===- KernelBuilder.cpp - Build a kernel and its launch ------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sums and products fold as they are built: many offsets are 0 and strides 1.
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/TileLowering/KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::tile_lowering;

KernelBuilder::KernelBuilder(OpBuilder &hostBuilder, Location loc,
                             StringRef name, SymbolTable &symbols)
    : hostBuilder(hostBuilder), builder(hostBuilder.getContext()), loc(loc),
      i64(builder.getI64Type()),
      kernel(func::FuncOp::create(loc, name, builder.getFunctionType({}, {}))) {
  kernel.setPrivate();
  kernel->setAttr(TileDialect::kKernel, builder.getUnitAttr());
  builder.setInsertionPointToStart(kernel.addEntryBlock());
  symbols.insert(kernel);
}

void KernelBuilder::launch(std::array<Value, 3> grid) {
  func::ReturnOp::create(builder, loc);
  kernel.setType(builder.getFunctionType(kernel.getBody().getArgumentTypes(),
                                         TypeRange()));
  for (auto [argument, assumption] : llvm::enumerate(assumptions))
    if (!assumption.empty())
      kernel.setArgAttr(argument, assumption, builder.getUnitAttr());
  LaunchOp::create(hostBuilder, loc, kernel.getSymName(), grid[0], grid[1],
                   grid[2], launchArguments);
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

Value KernelBuilder::pass(Value value, Type type, StringRef assumption) {
  Value &argument = passed[{value, type}];
  if (!argument) {
    argument = kernel.getBody().addArgument(type, loc);
    launchArguments.push_back(value);
    assumptions.push_back(assumption);
  }
  return argument;
}

Value KernelBuilder::passPointer(Value memref, StringRef assumption) {
  Type element = cast<MemRefType>(memref.getType()).getElementType();
  return pass(memref, PtrType::get(builder.getContext(), element), assumption);
}

Value KernelBuilder::passNumber(OpFoldResult number) {
  if (auto constant = getConstantIntValue(number))
    return createScalarOrSplatConstant(builder, loc, i64, *constant);
  auto value = cast<Value>(number);
  Value &integer = casts[value];
  if (!integer)
    integer = arith::IndexCastOp::create(hostBuilder, loc, i64, value);
  return pass(integer, i64);
}

//===----------------------------------------------------------------------===//
// Tiles
//===----------------------------------------------------------------------===//

Value KernelBuilder::splat(Value value, RankedTensorType type) {
  if (value.getType() == type)
    return value;
  return SplatOp::create(builder, loc, type, value);
}

Value KernelBuilder::splatNumber(OpFoldResult number, RankedTensorType type) {
  if (auto constant = getConstantIntValue(number))
    return createScalarOrSplatConstant(builder, loc, type, *constant);
  return splat(passNumber(number), type);
}

Value KernelBuilder::createRange(int64_t size) {
  return RangeOp::create(builder, loc, getTile(size, i64), 0, size);
}

Value KernelBuilder::add(Value lhs, Value rhs) {
  return builder.createOrFold<arith::AddIOp>(loc, lhs, rhs);
}

Value KernelBuilder::multiply(Value lhs, Value rhs) {
  return builder.createOrFold<arith::MulIOp>(loc, lhs, rhs);
}

Value KernelBuilder::isBelow(Value value, Value bound) {
  // A negative value is a huge unsigned one.
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::ult, value,
                               bound);
}

Value KernelBuilder::expand(Value tile, unsigned axis,
                            ArrayRef<int64_t> shape) {
  if (!tile || shape.size() == 1)
    return tile;
  Type element = getElement(tile.getType());
  SmallVector<int64_t> thin(shape.size(), 1);
  thin[axis] = shape[axis];
  Value reshaped =
      ReshapeOp::create(builder, loc, getTile(thin, element), tile);
  return BroadcastOp::create(builder, loc, getTile(shape, element), reshaped);
}

Value KernelBuilder::spread(Value tile, ArrayRef<unsigned> along,
                            ArrayRef<int64_t> shape) {
  if (along.size() == 1)
    return expand(tile, along.front(), shape);
  if (llvm::is_sorted(along))
    return tile;
  return TransOp::create(builder, loc, tile,
                         builder.getDenseI64ArrayAttr({1, 0}));
}

Value KernelBuilder::both(Value lhs, Value rhs) {
  if (!lhs || !rhs)
    return lhs ? lhs : rhs;
  return arith::AndIOp::create(builder, loc, lhs, rhs);
}

Value KernelBuilder::pointTo(Value pointer, Value offsets) {
  auto type =
      cast<RankedTensorType>(withElement(offsets.getType(), pointer.getType()));
  return AddPtrOp::create(builder, loc, splat(pointer, type), offsets);
}
