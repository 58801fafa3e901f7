//===- AMX.cpp - Registers of a matrix unit -------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The amx dialect, as Intel's manual has the instructions: a row of the second
// operand of a product holds, for each column, as many elements as fit 32 bits,
// which follow each other along the sum. What hardware flushes to zero stays
// here.
//
//===----------------------------------------------------------------------===//

#include "Core/Evaluator.h"

#include "mlir/Dialect/AMX/AMXDialect.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;
using namespace tileir::runtime;

/// Sets the result of `op`, a register: element i is `getValue(i)`.
static LogicalResult
setElements(Evaluator &evaluator, Operation *op, amx::TileType type,
            llvm::function_ref<FailureOr<Scalar>(int64_t)> getValue) {
  auto kind = getKind(op, type.getElementType());
  if (failed(kind))
    return failure();
  auto tile = allocate(op, *kind, type.getShape());
  if (failed(tile))
    return failure();
  for (int64_t i = 0; i < tile->getNumElements(); ++i) {
    auto value = getValue(i);
    if (failed(value))
      return failure();
    tile->write(i, *value);
  }
  evaluator.set(op->getResult(0), std::move(*tile));
  return success();
}

static LogicalResult runRegisterZero(Evaluator &evaluator, amx::TileZeroOp op) {
  auto kind = getKind(op, op.getTileType().getElementType());
  if (failed(kind))
    return failure();
  return setElements(
      evaluator, op, op.getTileType(),
      [&](int64_t) -> FailureOr<Scalar> { return Scalar{*kind, 0}; });
}

/// The element of memory that element `number` of a register is: rows are
/// `stride` elements apart or, without, steps of the last axis but one.
template <typename OpT>
static FailureOr<Element> getPlace(Evaluator &evaluator, OpT op, int64_t number,
                                   Access access) {
  ArrayRef<int64_t> shape = op.getTileType().getShape();
  int64_t row = number / shape[1], column = number % shape[1];
  SmallVector<int64_t> index = evaluator.getInts(op.getIndices());
  if (op.getStride())
    index.back() += row * evaluator.getInts(ValueRange(op.getStride())).front();
  else
    index[index.size() - 2] += row;
  index.back() += column;
  return getElement(evaluator, op, op.getBase(), index, access,
                    {shape, number});
}

static LogicalResult runRegisterLoad(Evaluator &evaluator, amx::TileLoadOp op) {
  return setElements(evaluator, op, op.getTileType(),
                     [&](int64_t i) -> FailureOr<Scalar> {
                       auto place = getPlace(evaluator, op, i, Access::Read);
                       if (failed(place))
                         return failure();
                       return place->read();
                     });
}

static LogicalResult runRegisterStore(Evaluator &evaluator,
                                      amx::TileStoreOp op) {
  Array tile = evaluator.getArray(op.getVal());
  for (int64_t i = 0; i < tile.getNumElements(); ++i) {
    auto place = getPlace(evaluator, op, i, Access::Write);
    if (failed(place))
      return failure();
    place->write(tile.read(i));
  }
  return success();
}

namespace {
/// The operands of a product.
template <typename OpT> struct Product {
  static FailureOr<Product> get(Evaluator &evaluator, OpT op) {
    Product product(evaluator, op);
    for (const Array *array : {&product.lhs, &product.rhs})
      if (failed(checkNoPoison(op, *array, "a value")))
        return failure();
    return product;
  }

  Product(Evaluator &evaluator, OpT op)
      : lhs(evaluator.getArray(op.getLhs())),
        rhs(evaluator.getArray(op.getRhs())),
        sums(evaluator.getArray(op.getAcc())),
        columns(op.getTileType().getDimSize(1)),
        steps(op.getLhsTileType().getDimSize(1)),
        group(op.getRhsTileType().getDimSize(1) / columns) {}

  /// Step `k` of the sum of element `number`.
  Scalar getLhs(int64_t number, int64_t k) const {
    return lhs.read(number / columns * steps + k);
  }
  Scalar getRhs(int64_t number, int64_t k) const {
    return rhs.read(k / group * columns * group + number % columns * group +
                    k % group);
  }

  Array lhs, rhs, sums;
  int64_t columns, steps, group;
};
} // namespace

/// Even and odd steps are summed by themselves, and both sums added.
static LogicalResult runRegisterMulF(Evaluator &evaluator, amx::TileMulFOp op) {
  auto product = Product<amx::TileMulFOp>::get(evaluator, op);
  if (failed(product))
    return failure();
  return setElements(
      evaluator, op, op.getTileType(), [&](int64_t i) -> FailureOr<Scalar> {
        Scalar sum = product->sums.read(i);
        // Rows that are not stored may never have been written.
        if (sum.isPoison)
          return sum;
        auto add = [&](Scalar to, double value) {
          return makeFloat(sum.kind, toDouble(to) + value);
        };
        Scalar parts[] = {makeFloat(sum.kind, 0.0), makeFloat(sum.kind, 0.0)};
        for (int64_t k = 0; k < product->steps; ++k)
          parts[k % 2] = add(parts[k % 2], toDouble(product->getLhs(i, k)) *
                                               toDouble(product->getRhs(i, k)));
        return add(sum, toDouble(add(parts[0], toDouble(parts[1]))));
      });
}

static LogicalResult runRegisterMulI(Evaluator &evaluator, amx::TileMulIOp op) {
  auto product = Product<amx::TileMulIOp>::get(evaluator, op);
  if (failed(product))
    return failure();
  auto toInteger = [](Scalar scalar, bool isUnsigned) {
    return isUnsigned ? toSigned(scalar) & 0xff : toSigned(scalar);
  };
  return setElements(
      evaluator, op, op.getTileType(), [&](int64_t i) -> FailureOr<Scalar> {
        Scalar sum = product->sums.read(i);
        // Rows that are not stored may never have been written.
        if (sum.isPoison)
          return sum;
        int64_t total = toSigned(sum);
        for (int64_t k = 0; k < product->steps; ++k)
          total += toInteger(product->getLhs(i, k), op.getIsZextLhs()) *
                   toInteger(product->getRhs(i, k), op.getIsZextRhs());
        return makeInteger(sum.kind, total);
      });
}

void interp::addAMXHandlers(HandlerTable &table) {
  table.add(runRegisterZero);
  table.add(runRegisterLoad);
  table.add(runRegisterStore);
  table.add(runRegisterMulF);
  table.add(runRegisterMulI);
}
