//===- Divisions.cpp - Divisions in lanes that are masked off -------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/TileLowering/Divisions.h"
#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;
using namespace tileir;

static bool isSigned(Operation *op) {
  return isa<arith::DivSIOp, arith::RemSIOp, arith::CeilDivSIOp,
             arith::FloorDivSIOp>(op);
}

static bool isDivision(Operation *op) {
  return isSigned(op) ||
         isa<arith::DivUIOp, arith::RemUIOp, arith::CeilDivUIOp>(op);
}

/// Whether `divisor` is the same number everywhere, for which each quotient is
/// defined.
static bool isSafe(Value divisor, bool isSigned) {
  APInt number;
  if (auto splat = divisor.getDefiningOp<tile::SplatOp>())
    divisor = splat.getValue();
  return matchPattern(divisor, m_ConstantInt(&number)) && !number.isZero() &&
         !(isSigned && number.isAllOnes());
}

static Value createInteger(OpBuilder &builder, Location loc, Type type,
                           const APInt &number) {
  TypedAttr value = IntegerAttr::get(tile::getElement(type), number);
  if (auto tile = dyn_cast<RankedTensorType>(type))
    value = DenseElementsAttr::get(tile, number);
  return arith::ConstantOp::create(builder, loc, value);
}

static void guardDivision(Operation *op) {
  OpBuilder builder(op);
  Location loc = op->getLoc();
  Value dividend = op->getOperand(0), divisor = op->getOperand(1);
  Type type = divisor.getType();
  unsigned width = tile::getElement(type).getIntOrFloatBitWidth();
  auto equals = [&](Value value, const APInt &number) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, value,
                                 createInteger(builder, loc, type, number));
  };
  Value isUndefined = equals(divisor, APInt::getZero(width));
  if (isSigned(op)) {
    Value overflows = arith::AndIOp::create(
        builder, loc, equals(divisor, APInt::getAllOnes(width)),
        equals(dividend, APInt::getSignedMinValue(width)));
    isUndefined = arith::OrIOp::create(builder, loc, isUndefined, overflows);
  }
  op->setOperand(1, arith::SelectOp::create(
                        builder, loc, isUndefined,
                        createInteger(builder, loc, type, APInt(width, 1)),
                        divisor));
}

void tile_lowering::guardDivisions(Operation *root) {
  root->walk([](Operation *kernel) {
    if (!tile::isKernel(kernel))
      return;
    SmallVector<Operation *> divisions;
    kernel->walk([&](Operation *op) {
      if (isDivision(op) &&
          isa<IntegerType>(tile::getElement(op->getOperand(1).getType())) &&
          !isSafe(op->getOperand(1), isSigned(op)))
        divisions.push_back(op);
    });
    llvm::for_each(divisions, guardDivision);
  });
}
