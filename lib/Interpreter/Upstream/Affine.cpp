//===- Affine.cpp - The affine dialect ------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Loops, conditions and accesses from their maps as they stand. Parallel loops
// run in order, the last dimension fastest, and reduce in that order from the
// identity of the reduction.
//
//===----------------------------------------------------------------------===//

#include "Core/Evaluator.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/IR/IntegerSet.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;

/// The results of `map` on the values of `operands`.
static FailureOr<SmallVector<int64_t>> evaluateMap(Evaluator &evaluator,
                                                   Operation *op, AffineMap map,
                                                   ValueRange operands) {
  return evaluate(op, map, evaluator.getInts(operands));
}

/// A bound: the largest lower or the smallest upper one.
static FailureOr<int64_t> getBound(Evaluator &evaluator, Operation *op,
                                   AffineMap map, ValueRange operands,
                                   bool isLower) {
  auto bounds = evaluateMap(evaluator, op, map, operands);
  if (failed(bounds))
    return failure();
  return isLower ? *llvm::max_element(*bounds) : *llvm::min_element(*bounds);
}

static LogicalResult runApply(Evaluator &evaluator, affine::AffineApplyOp op) {
  auto values = evaluateMap(evaluator, op, op.getAffineMap(), op.getOperands());
  if (failed(values))
    return failure();
  evaluator.set(op.getResult(), makeIndex(values->front()));
  return success();
}

template <typename Op>
static LogicalResult runMinMax(Evaluator &evaluator, Op op) {
  auto value = getBound(evaluator, op, op.getMap(), op.getOperands(),
                        std::is_same_v<Op, affine::AffineMaxOp>);
  if (failed(value))
    return failure();
  evaluator.set(op.getResult(), makeIndex(*value));
  return success();
}

//===----------------------------------------------------------------------===//
// Accesses
//===----------------------------------------------------------------------===//

/// The element that a load or store accesses.
template <typename Op>
static FailureOr<Element> getAffineElement(Evaluator &evaluator, Op op,
                                           Access access) {
  auto index =
      evaluateMap(evaluator, op, op.getAffineMap(), op.getMapOperands());
  if (failed(index))
    return failure();
  return getElement(evaluator, op, op.getMemRef(), *index, access);
}

static LogicalResult runAffineLoad(Evaluator &evaluator,
                                   affine::AffineLoadOp op) {
  auto element = getAffineElement(evaluator, op, Access::Read);
  if (failed(element))
    return failure();
  evaluator.set(op.getResult(), element->read());
  return success();
}

static LogicalResult runAffineStore(Evaluator &evaluator,
                                    affine::AffineStoreOp op) {
  auto element = getAffineElement(evaluator, op, Access::Write);
  if (failed(element))
    return failure();
  element->write(evaluator.getScalar(op.getValueToStore()));
  return success();
}

//===----------------------------------------------------------------------===//
// Control flow
//===----------------------------------------------------------------------===//

static LogicalResult runAffineFor(Evaluator &evaluator,
                                  affine::AffineForOp op) {
  auto lower = getBound(evaluator, op, op.getLowerBoundMap(),
                        op.getLowerBoundOperands(), /*isLower=*/true);
  auto upper = getBound(evaluator, op, op.getUpperBoundMap(),
                        op.getUpperBoundOperands(), /*isLower=*/false);
  if (failed(lower) || failed(upper))
    return failure();
  auto tripCount = getTripCount(op, *lower, *upper, op.getStepAsInt());
  if (failed(tripCount))
    return failure();
  SmallVector<RuntimeValue> arguments = {Scalar()};
  llvm::append_range(arguments, evaluator.get(op.getInits()));
  for (int64_t i = 0; i < *tripCount; ++i) {
    arguments.front() = makeIndex(*lower + i * op.getStepAsInt());
    auto terminator = evaluator.run(op.getRegion(), arguments);
    if (failed(terminator))
      return failure();
    arguments.truncate(1);
    llvm::append_range(arguments, evaluator.get((*terminator)->getOperands()));
  }
  for (auto [result, value] :
       llvm::zip_equal(op.getResults(), llvm::drop_begin(arguments)))
    evaluator.set(result, value);
  return success();
}

static LogicalResult runAffineIf(Evaluator &evaluator, affine::AffineIfOp op) {
  IntegerSet set = op.getIntegerSet();
  auto map = AffineMap::get(set.getNumDims(), set.getNumSymbols(),
                            set.getConstraints(), op.getContext());
  auto values = evaluateMap(evaluator, op, map, op.getOperands());
  if (failed(values))
    return failure();
  bool holds = true;
  for (auto [value, isEquality] : llvm::zip_equal(*values, set.getEqFlags()))
    holds &= isEquality ? value == 0 : value >= 0;
  Region &region = holds ? op.getThenRegion() : op.getElseRegion();
  if (region.empty())
    return success();
  auto terminator = evaluator.run(region, {});
  if (failed(terminator))
    return failure();
  for (auto [result, value] :
       llvm::zip_equal(op.getResults(), (*terminator)->getOperands()))
    evaluator.set(result, RuntimeValue(evaluator.get(value)));
  return success();
}

/// The value a reduction starts from; an assignment may start from anything.
static FailureOr<Scalar> getIdentity(affine::AffineParallelOp op,
                                     arith::AtomicRMWKind kind, Type type) {
  if (isa<VectorType>(type))
    return op.emitError(kUnknownToInterpreter) << "reductions of " << type;
  if (kind == arith::AtomicRMWKind::assign) {
    auto element = getKind(op, type);
    if (failed(element))
      return failure();
    return Scalar{*element, 0};
  }
  OpBuilder builder(op.getContext());
  auto attr = arith::getIdentityValueAttr(kind, type, builder, op.getLoc());
  if (!attr)
    return failure();
  return makeScalar(op, attr);
}

static LogicalResult runAffineParallel(Evaluator &evaluator,
                                       affine::AffineParallelOp op) {
  SmallVector<int64_t> lower, counts, steps = llvm::to_vector(op.getSteps());
  for (unsigned dim = 0; dim < op.getNumDims(); ++dim) {
    auto first = getBound(evaluator, op, op.getLowerBoundMap(dim),
                          op.getLowerBoundsOperands(), /*isLower=*/true);
    auto last = getBound(evaluator, op, op.getUpperBoundMap(dim),
                         op.getUpperBoundsOperands(), /*isLower=*/false);
    if (failed(first) || failed(last))
      return failure();
    auto count = getTripCount(op, *first, *last, steps[dim]);
    if (failed(count))
      return failure();
    lower.push_back(*first);
    counts.push_back(*count);
  }
  SmallVector<arith::AtomicRMWKind> kinds;
  SmallVector<Scalar> totals;
  for (auto [attr, type] :
       llvm::zip_equal(op.getReductions(), op.getResultTypes())) {
    kinds.push_back(cast<arith::AtomicRMWKindAttr>(attr).getValue());
    auto identity = getIdentity(op, kinds.back(), type);
    if (failed(identity))
      return failure();
    totals.push_back(*identity);
  }

  SmallVector<RuntimeValue> variables(counts.size());
  bool done = forEachIndex(counts, [&](ArrayRef<int64_t> iteration) {
    for (auto [variable, first, i, step] :
         llvm::zip_equal(variables, lower, iteration, steps))
      variable = makeIndex(first + i * step);
    auto terminator = evaluator.run(op.getRegion(), variables);
    if (failed(terminator))
      return false;
    for (auto [total, kind, operand] :
         llvm::zip_equal(totals, kinds, (*terminator)->getOperands())) {
      auto combined = combine(op, kind, total, evaluator.getScalar(operand));
      if (failed(combined))
        return false;
      total = *combined;
    }
    return true;
  });
  if (!done)
    return failure();
  for (auto [result, total] : llvm::zip_equal(op.getResults(), totals))
    evaluator.set(result, total);
  return success();
}

//===----------------------------------------------------------------------===//
// Linear indices
//===----------------------------------------------------------------------===//

static LogicalResult runDelinearize(Evaluator &evaluator,
                                    affine::AffineDelinearizeIndexOp op) {
  int64_t rest = evaluator.getInt(op.getLinearIndex());
  SmallVector<int64_t> basis = evaluator.getInts(op.getEffectiveBasis());
  for (int64_t i = basis.size() - 1; i >= 0; --i) {
    if (basis[i] <= 0)
      return op.emitError("divides by the basis element ")
             << basis[i] << ", expected a positive one";
    evaluator.set(op.getResult(i + 1), makeIndex(llvm::mod(rest, basis[i])));
    rest = llvm::divideFloorSigned(rest, basis[i]);
  }
  evaluator.set(op.getResult(0), makeIndex(rest));
  return success();
}

static LogicalResult runLinearize(Evaluator &evaluator,
                                  affine::AffineLinearizeIndexOp op) {
  SmallVector<int64_t> index = evaluator.getInts(op.getMultiIndex());
  SmallVector<int64_t> basis = evaluator.getInts(op.getEffectiveBasis());
  std::optional<int64_t> linear = index.empty() ? 0 : index.front();
  for (size_t i = 1; i < index.size() && linear; ++i)
    linear = llvm::checkedMulAdd(*linear, basis[i - 1], index[i]);
  if (!linear)
    return op.emitError("overflows 64 bits");
  evaluator.set(op.getResult(), makeIndex(*linear));
  return success();
}

void interp::addAffineHandlers(HandlerTable &table) {
  table.add(runApply);
  table.add(runMinMax<affine::AffineMinOp>);
  table.add(runMinMax<affine::AffineMaxOp>);
  table.add(runAffineLoad);
  table.add(runAffineStore);
  table.add(runAffineFor);
  table.add(runAffineIf);
  table.add(runAffineParallel);
  table.add(runDelinearize);
  table.add(runLinearize);
}
