//===- RowReduction.cpp - Combine the elements of a row -------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Each lane combines what it meets, and the lanes are combined at the end:
// floats are added in another order than that of their indices.
//
// What drops NaN (maxnumf, minnumf) takes several instructions where either
// operand may be one, and LLVM combines its lanes one after the other. Here
// lanes begin at an infinity, and are never NaN: a comparison and a choice are
// enough, one instruction on most machines. Where no element is beyond the
// infinity, all may have been NaN, and they are combined as written.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::linalg_to_vector;
using vector::CombiningKind;

Value RowReduction::combine(OpBuilder &builder, Value value,
                            Value before) const {
  OperationState state(loc, combiner->getName(), {value, before},
                       value.getType(), combiner->getAttrs());
  return builder.create(state)->getResult(0);
}

bool RowReduction::dropsNaN() const {
  return kind == CombiningKind::MAXNUMF || kind == CombiningKind::MINNUMF;
}

Value RowReduction::isBeyond(OpBuilder &builder, Value lhs, Value rhs) const {
  return arith::CmpFOp::create(builder, loc,
                               kind == CombiningKind::MAXNUMF
                                   ? arith::CmpFPredicate::OGT
                                   : arith::CmpFPredicate::OLT,
                               lhs, rhs);
}

/// Of a value and one that is not NaN.
Value RowReduction::choose(OpBuilder &builder, Value value,
                           Value before) const {
  return arith::SelectOp::create(builder, loc, isBeyond(builder, value, before),
                                 value, before);
}

/// Of lanes that are not NaN: halves against each other.
Value RowReduction::chooseLane(OpBuilder &builder, Value vector) const {
  int64_t width = cast<VectorType>(vector.getType()).getNumElements();
  while (width > 1) {
    width /= 2;
    auto getHalf = [&](int64_t offset) -> Value {
      return vector::ExtractStridedSliceOp::create(
          builder, loc, vector, ArrayRef<int64_t>{offset},
          ArrayRef<int64_t>{width}, ArrayRef<int64_t>{1});
    };
    vector = choose(builder, getHalf(0), getHalf(width));
  }
  return vector::ExtractOp::create(builder, loc, vector, 0);
}

Value RowReduction::loop(
    OpBuilder &builder, int64_t from, int64_t to, int64_t step, Value start,
    function_ref<Value(OpBuilder &, Value, Value)> body) const {
  if (from >= to)
    return start;
  auto getConstant = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, number);
  };
  return scf::ForOp::create(
             builder, loc, getConstant(from), getConstant(to),
             getConstant(step), start,
             [&](OpBuilder &inner, Location, Value index, ValueRange carried) {
               scf::YieldOp::create(inner, loc,
                                    body(inner, index, carried.front()));
             })
      .getResult(0);
}

/// Lanes that change nothing they are combined with, or null. The sum of
/// negative zeros is one.
Value RowReduction::createNeutral(OpBuilder &builder) const {
  std::optional<TypedAttr> neutral = arith::getNeutralElement(combiner);
  if (!neutral)
    return {};
  if (auto zero = dyn_cast<FloatAttr>(*neutral);
      zero && isa<arith::AddFOp>(combiner))
    neutral = FloatAttr::get(zero.getType(), -zero.getValue());
  auto type = VectorType::get(lanes, neutral->getType());
  return arith::ConstantOp::create(
      builder, loc, DenseElementsAttr::get(type, Attribute(*neutral)));
}

Value RowReduction::emit(OpBuilder &builder, Value start,
                         RowElements compute) const {
  if (dropsNaN())
    return emitDroppingNaN(builder, start, compute);
  auto getConstant = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, number);
  };
  auto combineLanes = [&](Value vector, Value before) -> Value {
    return vector::ReductionOp::create(builder, loc, kind, vector, before,
                                       arith::FastMathFlags::reassoc);
  };
  int64_t done = size - size % lanes, begin = 0;
  Value first = createNeutral(builder);
  if (!first) {
    first = compute(builder, getConstant(0), lanes);
    begin = lanes;
  }
  Value all =
      loop(builder, begin, done, lanes, first,
           [&](OpBuilder &inner, Value index, Value before) {
             return combine(inner, compute(inner, index, lanes), before);
           });
  Value total = combineLanes(all, start);
  for (int64_t width = lanes / 2; width > 0; width /= 2)
    for (; size - done >= width; done += width)
      total = combineLanes(compute(builder, getConstant(done), width), total);
  return total;
}

Value RowReduction::emitDroppingNaN(OpBuilder &builder, Value start,
                                    RowElements compute) const {
  auto element = cast<FloatType>(start.getType());
  auto infinity = builder.getFloatAttr(
      element, APFloat::getInf(element.getFloatSemantics(),
                               kind == CombiningKind::MAXNUMF));
  auto getInfinities = [&](int64_t width) -> Value {
    auto type = VectorType::get(width, element);
    return arith::ConstantOp::create(
        builder, loc, DenseElementsAttr::get(type, infinity.getValue()));
  };
  int64_t done = size - size % lanes;
  Value all = loop(builder, 0, done, lanes, getInfinities(lanes),
                   [&](OpBuilder &inner, Value index, Value before) {
                     return choose(inner, compute(inner, index, lanes), before);
                   });
  Value best = chooseLane(builder, all);
  for (int64_t width = lanes / 2; width > 0; width /= 2)
    for (; size - done >= width; done += width) {
      Value at = arith::ConstantIndexOp::create(builder, loc, done);
      Value some =
          choose(builder, compute(builder, at, width), getInfinities(width));
      best = choose(builder, chooseLane(builder, some), best);
    }
  Value least = arith::ConstantOp::create(builder, loc, infinity);
  auto yield = [&](OpBuilder &inner, Value value) {
    scf::YieldOp::create(inner, loc, value);
  };
  auto takeBest = [&](OpBuilder &inner, Location) {
    yield(inner, combine(inner, best, start));
  };
  auto combineAll = [&](OpBuilder &inner, Location) {
    yield(inner, loop(inner, 0, size, 1, start,
                      [&](OpBuilder &step, Value index, Value before) {
                        Value one = vector::ExtractOp::create(
                            step, loc, compute(step, index, 1), 0);
                        return combine(step, one, before);
                      }));
  };
  return scf::IfOp::create(builder, loc, isBeyond(builder, best, least),
                           takeBest, combineAll)
      .getResult(0);
}
