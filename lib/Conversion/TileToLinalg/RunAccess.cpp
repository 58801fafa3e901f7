//===- RunAccess.cpp ------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Where it is not sure that the elements of a run lie side by side, that is
// checked. Of masks the common case, that all are true, has a branch: accesses
// under a mask are slow on some machines, or for some types on all of them.
//
//===----------------------------------------------------------------------===//

#include "RunAccess.h"
#include "tileir/Conversion/EinsumLowering/UnrolledLoop.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::to_linalg;

TileEvaluator RunAccess::getEvaluator(OpBuilder &builder) const {
  int64_t numElements =
      cast<RankedTensorType>(pointers.getType()).getNumElements();
  return TileEvaluator(builder, loc, numElements, convert);
}

Value RunAccess::getPointer(OpBuilder &builder, ValueRange indices) const {
  return LLVM::IntToPtrOp::create(
      builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
      getEvaluator(builder).getScalar(pointers, indices));
}

Value RunAccess::createCheck(OpBuilder &builder, ValueRange indices) const {
  if (!run.isChecked)
    return {};
  TileEvaluator evaluator = getEvaluator(builder);
  SmallVector<Value> end(indices);
  end[run.axis] = arith::AddIOp::create(
      builder, loc, end[run.axis],
      arith::ConstantIndexOp::create(builder, loc, run.lanes - 1));
  Value first = evaluator.getScalar(pointers, indices),
        last = evaluator.getScalar(pointers, end);
  Value distance = arith::SubIOp::create(builder, loc, last, first);
  Value expected = arith::ConstantIntOp::create(
      builder, loc, builder.getI64Type(), (run.lanes - 1) * getBytes());
  Value check = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                      distance, expected);
  if (!run.steps)
    return check;
  Value steps = evaluator.getVector(run.steps, indices, getLanes());
  Value start = vector::ExtractOp::create(builder, loc, steps, 0);
  auto type = cast<VectorType>(steps.getType());
  auto numbers = llvm::map_to_vector(
      llvm::seq<int64_t>(0, run.lanes), [&](int64_t number) {
        return Attribute(builder.getIntegerAttr(type.getElementType(), number));
      });
  Value range = arith::AddIOp::create(
      builder, loc, createLanes(builder, loc, start, run.lanes),
      arith::ConstantOp::create(builder, loc,
                                DenseElementsAttr::get(type, numbers)));
  Value areSteps = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                         steps, range);
  areSteps = vector::ReductionOp::create(builder, loc,
                                         vector::CombiningKind::AND, areSteps);
  return arith::AndIOp::create(builder, loc, check, areSteps);
}

/// Whether all lanes of a mask are true, which may be one for all.
static Value createAllOf(OpBuilder &builder, Location loc, Value mask) {
  if (!mask || !isa<VectorType>(mask.getType()))
    return mask;
  return vector::ReductionOp::create(builder, loc, vector::CombiningKind::AND,
                                     mask);
}

/// Whether some lane of a mask is true.
static Value createAnyOf(OpBuilder &builder, Location loc, Value mask) {
  return vector::ReductionOp::create(builder, loc, vector::CombiningKind::OR,
                                     mask);
}

Value RunAccess::createAll(OpBuilder &builder, ValueRange indices) const {
  if (!mask)
    return {};
  return createAllOf(builder, loc,
                     getEvaluator(builder).get(mask, indices, getLanes()));
}

Value RunAccess::createWhole(OpBuilder &builder, ValueRange indices,
                             function_ref<Value(OpBuilder &, Value)> body,
                             function_ref<Value(OpBuilder &)> none) const {
  auto whole = [&](OpBuilder &inner, Location) { return body(inner, Value()); };
  Value mask = this->mask
                   ? getEvaluator(builder).get(this->mask, indices, getLanes())
                   : Value();
  if (!mask || !isa<VectorType>(mask.getType())) {
    auto other = [&](OpBuilder &inner, Location) { return none(inner); };
    return createMasked(builder, loc, mask, whole,
                        none ? MaskedBody(other) : MaskedBody());
  }
  Value all = createAllOf(builder, loc, mask);
  if (none)
    return createMasked(
        builder, loc, all, whole, [&](OpBuilder &inner, Location) {
          return createMasked(
              inner, loc, createAnyOf(inner, loc, mask),
              [&](OpBuilder &some, Location) { return body(some, mask); },
              [&](OpBuilder &others, Location) { return none(others); });
        });
  scf::IfOp::create(
      builder, loc, all,
      [&](OpBuilder &inner, Location) {
        body(inner, Value());
        scf::YieldOp::create(inner, loc);
      },
      [&](OpBuilder &inner, Location) {
        createMasked(
            inner, loc, createAnyOf(inner, loc, mask),
            [&](OpBuilder &some, Location) { return body(some, mask); },
            nullptr);
        scf::YieldOp::create(inner, loc);
      });
  return {};
}

Value to_linalg::buildRunLoops(OpBuilder &builder, Location loc,
                               ArrayRef<int64_t> shape, const Run &run,
                               Value carried, ElementBody body) {
  SmallVector<int64_t> order = llvm::to_vector(
      llvm::seq<int64_t>(0, static_cast<int64_t>(shape.size())));
  // Of what is side by side in memory, all is taken together.
  auto *taken = order.begin() + run.axis;
  std::rotate(taken, taken + 1, order.end());
  if (run.steps)
    std::rotate(order.begin(), order.end() - 1, order.end());
  auto getConstant = [&](int64_t number) -> Value {
    return arith::ConstantIndexOp::create(builder, loc, number);
  };
  SmallVector<Value> lower, upper, step;
  for (int64_t axis : order) {
    lower.push_back(getConstant(0));
    upper.push_back(getConstant(shape[axis]));
    step.push_back(getConstant(axis == run.axis ? run.lanes : 1));
  }
  scf::LoopNest nest = scf::buildLoopNest(
      builder, loc, lower, upper, step,
      carried ? ValueRange(carried) : ValueRange(),
      [&](OpBuilder &inner, Location, ValueRange loops,
          ValueRange tiles) -> scf::ValueVector {
        SmallVector<Value> indices(shape.size());
        for (auto [axis, index] : llvm::zip(order, loops))
          indices[axis] = index;
        Value result =
            body(inner, loc, indices, tiles.empty() ? Value() : tiles.front());
        return result ? scf::ValueVector{result} : scf::ValueVector{};
      });
  if (!nest.loops.empty())
    lowering::unrollShortLoop(nest.loops.back());
  return nest.results.empty() ? Value() : nest.results.front();
}
