//===- TilePredicates.cpp - Predicated values, and assumptions ------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cmpp, psi and assume. An element of a psi for which no predicate is true is
// poison, and so is what any op computes from it element by element; whatever
// else depends on it fails. Assumptions are checked where they are made.
//
//===----------------------------------------------------------------------===//

#include "Tile/TileElements.h"
#include "Tile/TileLaunch.h"

#include "tileir/Dialect/Tile/IR/Tile.h"

#include <deque>

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;
using namespace tileir::runtime;

/// A comparison and its opposite.
static LogicalResult comparePair(Operation *op, ArrayRef<Scalar> in,
                                 MutableArrayRef<Scalar> out) {
  StringRef predicate = cast<tile::CmppOp>(op).getPredicate();
  bool holds =
      isFloat(in[0].kind)
          ? compare(*arith::symbolizeCmpFPredicate(predicate), toDouble(in[0]),
                    toDouble(in[1]))
          : compare(*arith::symbolizeCmpIPredicate(predicate), in[0], in[1]);
  out[0] = makeBool(holds);
  out[1] = makeBool(!holds);
  return success();
}

static LogicalResult runPsi(Evaluator &evaluator, tile::PsiOp op) {
  auto kind = getKind(op, op.getType());
  if (failed(kind))
    return failure();
  std::deque<Elements> predicates, values;
  for (auto [predicate, value] :
       llvm::zip_equal(op.getPredicates(), op.getValues())) {
    predicates.emplace_back(evaluator, predicate);
    values.emplace_back(evaluator, value);
  }
  // Scalar predicates give the same for each element.
  auto merge = [&](int64_t i) -> FailureOr<Scalar> {
    Scalar poison{*kind, 0, /*isPoison=*/true};
    for (auto [predicate, value] :
         llvm::zip_equal(llvm::reverse(predicates), llvm::reverse(values))) {
      Scalar holds = predicate[i];
      if (holds.isPoison)
        return poison;
      if (holds.bits)
        return value[i];
    }
    return poison;
  };
  return setElements(evaluator, op, op.getResult(), merge);
}

//===----------------------------------------------------------------------===//
// assume
//===----------------------------------------------------------------------===//

namespace {
/// Checks the assumptions of one assume.
class FactChecker {
public:
  FactChecker(Evaluator &evaluator, tile::AssumeOp op)
      : evaluator(evaluator), op(op), values(evaluator, op.getValue()),
        shape(values.getShape()), strides(getDenseStrides(shape)) {
    if (auto pointer = dyn_cast<tile::PtrType>(tile::getElement(op.getType())))
      pointeeSize = getElementSize(*getElementKind(pointer.getPointee()));
  }

  LogicalResult check() {
    for (int64_t i = 0, e = values.getNumElements(); i < e; ++i) {
      if (values[i].isPoison)
        return emitPoison(op, "a value", values.getElement(i));
      auto number = computeNumber(i);
      if (failed(number))
        return failure();
      numbers.push_back(*number);
      if (failed(checkRange(i)))
        return failure();
      for (int64_t axis = 0; axis < getNumAxes(); ++axis)
        if (failed(checkAxis(i, axis)))
          return failure();
    }
    return success();
  }

private:
  int64_t getNumAxes() const { return std::max<int64_t>(shape.size(), 1); }

  /// An integer, or the address of a pointer relative to its allocation.
  FailureOr<int64_t> computeNumber(int64_t i) const {
    if (!pointeeSize)
      return toSigned(values[i]);
    auto launch = getLaunch(evaluator, op);
    if (failed(launch))
      return failure();
    auto address =
        (*launch)->getAddress(op, values[i].bits, values.getElement(i));
    if (failed(address))
      return failure();
    return Launch::getByte(*address);
  }

  InFlightDiagnostic emitBroken(int64_t i) const {
    InFlightDiagnostic diagnostic =
        op->emitError(inElement(values.getElement(i)))
        << "breaks what is assumed: the ";
    if (pointeeSize)
      return std::move(diagnostic << "pointer is " << numbers[i]
                                  << " bytes into memory that is aligned to "
                                  << kAllocationAlignment << " bytes");
    return std::move(diagnostic << "value is " << numbers[i]);
  }

  LogicalResult checkRange(int64_t i) const {
    auto range = op.getRange();
    if (!range)
      return success();
    int64_t value = numbers[i];
    if (value >= (*range)[0] && value <= (*range)[1])
      return success();
    return emitBroken(i) << ", expected range " << (*range)[0] << " to "
                         << (*range)[1];
  }

  LogicalResult checkAxis(int64_t i, int64_t axis) const {
    auto getFact = [&](std::optional<ArrayRef<int64_t>> list) {
      return list ? (*list)[axis] : 1;
    };
    // The place of the element along the axis, and the element before it.
    int64_t place =
        shape.empty() ? 0 : i / strides[axis] % int64_t(shape[axis]);
    int64_t before = shape.empty() ? i : i - strides[axis];
    int64_t contiguity = getFact(op.getContiguity());
    int64_t divisor = getFact(op.getDivisibility());
    bool isMultiple = pointeeSize ? isAligned(numbers[i], divisor)
                                  : numbers[i] % divisor == 0;
    if (place % contiguity == 0 && !isMultiple)
      return emitBroken(i) << ", expected a multiple of " << divisor
                           << " (divisibility along axis " << axis << ")";
    if (place % contiguity != 0 &&
        values[i].bits !=
            values[before].bits + std::max<int64_t>(pointeeSize, 1))
      return emitBroken(i) << " after " << numbers[before]
                           << ", expected runs of " << contiguity
                           << " that go up by one (contiguity along axis "
                           << axis << ")";
    int64_t constancy = getFact(op.getConstancy());
    if (place % constancy != 0 && values[i].bits != values[before].bits)
      return emitBroken(i) << " after " << numbers[before]
                           << ", expected runs of " << constancy
                           << " equal ones (constancy along axis " << axis
                           << ")";
    return success();
  }

  Evaluator &evaluator;
  mutable tile::AssumeOp op;
  Elements values;
  ArrayRef<int64_t> shape;
  SmallVector<int64_t, 4> strides;
  int64_t pointeeSize = 0;      // 0 for integers
  std::vector<int64_t> numbers; // of the elements so far
};
} // namespace

static LogicalResult runAssume(Evaluator &evaluator, tile::AssumeOp op) {
  if (failed(FactChecker(evaluator, op).check()))
    return failure();
  evaluator.set(op.getResult(), RuntimeValue(evaluator.get(op.getValue())));
  return success();
}

void interp::addTilePredicateHandlers(HandlerTable &table) {
  table.addScalar<tile::CmppOp>(comparePair);
  table.add(runPsi);
  table.add(runAssume);
}
