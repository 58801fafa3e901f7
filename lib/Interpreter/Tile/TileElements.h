//===- TileElements.h - Scalars and tiles alike -----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Most ops of the tile dialect take scalars and tiles: handlers see both as
// sequences of elements in C order, which may be poison. Tiles are dense, so
// element i is at position i.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_INTERPRETER_TILE_TILEELEMENTS_H
#define TILEIR_LIB_INTERPRETER_TILE_TILEELEMENTS_H

#include "Core/Evaluator.h"

namespace tileir::interp {

/// The elements of a value, which lives as long as this.
class Elements {
public:
  Elements(Evaluator &evaluator, mlir::Value value)
      : value(evaluator.get(value)) {
    array = std::get_if<Array>(&this->value);
  }
  Elements(const Elements &) = delete;

  Scalar operator[](int64_t i) const {
    return array ? array->read(i) : std::get<Scalar>(value);
  }
  int64_t getNumElements() const { return array ? array->getNumElements() : 1; }
  mlir::ArrayRef<int64_t> getShape() const {
    return array ? mlir::ArrayRef<int64_t>(array->shape)
                 : mlir::ArrayRef<int64_t>();
  }
  TileElement getElement(int64_t i) const { return {getShape(), i}; }

private:
  RuntimeValue value;
  const Array *array;
};

/// Sets `result`, a scalar or tile, to what `compute` gives for each element.
template <typename Function>
mlir::LogicalResult setElements(Evaluator &evaluator, mlir::Operation *op,
                                mlir::Value result, Function compute) {
  auto type = mlir::dyn_cast<mlir::RankedTensorType>(result.getType());
  if (!type) {
    mlir::FailureOr<Scalar> scalar = compute(0);
    if (failed(scalar))
      return mlir::failure();
    evaluator.set(result, *scalar);
    return mlir::success();
  }
  auto kind = getKind(op, type);
  if (failed(kind))
    return mlir::failure();
  auto array = allocate(op, *kind, type.getShape());
  if (failed(array))
    return mlir::failure();
  for (int64_t i = 0, e = array->getNumElements(); i < e; ++i) {
    mlir::FailureOr<Scalar> scalar = compute(i);
    if (failed(scalar))
      return mlir::failure();
    array->write(i, *scalar);
  }
  evaluator.set(result, std::move(*array));
  return mlir::success();
}

} // namespace tileir::interp

#endif // TILEIR_LIB_INTERPRETER_TILE_TILEELEMENTS_H
