//===- Arith.cpp - Integers, constants and selection ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The integer half of the arith dialect, and what makes any op on scalars one
// on tensors. Integers wrap; flags that promise no overflow are not checked.
// What is undefined (division by zero, shifts by the width) is an error.
//
//===----------------------------------------------------------------------===//

#include "Evaluator.h"

#include "mlir/IR/DialectResourceBlobManager.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;

//===----------------------------------------------------------------------===//
// Element-wise application
//===----------------------------------------------------------------------===//

/// Applies `function` to each element of tensor operands of one shape.
static LogicalResult runOnTensors(Evaluator &evaluator, Operation *op,
                                  const ScalarFunction &function,
                                  MutableArrayRef<Scalar> results) {
  SmallVector<Array, 3> inputs;
  for (Value operand : op->getOperands()) {
    inputs.push_back(evaluator.getArray(operand));
    if (failed(checkSameShape(op, inputs.front(), "operand 0", inputs.back(),
                              "another operand")))
      return failure();
  }
  SmallVector<Array, 1> outputs;
  for (Scalar result : results) {
    auto output = allocate(op, result.kind, inputs.front().shape);
    if (failed(output))
      return failure();
    outputs.push_back(std::move(*output));
  }
  SmallVector<Scalar, 3> operands(inputs.size());
  int64_t numElements = inputs.front().getNumElements();
  for (int64_t i = 0; i < numElements; ++i) { // tensors are dense
    for (auto [operand, input] : llvm::zip_equal(operands, inputs))
      operand = input.read(i);
    if (failed(function(op, operands, results)))
      return failure();
    for (auto [result, output] : llvm::zip_equal(results, outputs))
      output.write(i, result);
  }
  for (auto [result, output] : llvm::zip_equal(op->getResults(), outputs))
    evaluator.set(result, std::move(output));
  return success();
}

Handler HandlerTable::makeElementwise(ScalarFunction function) {
  return [function](Evaluator &evaluator, Operation *op) -> LogicalResult {
    SmallVector<Scalar, 2> results;
    for (Type type : op->getResultTypes()) {
      auto kind = getKind(op, type);
      if (failed(kind))
        return failure();
      results.push_back({*kind, 0});
    }
    if (isa<TensorType>(op->getResult(0).getType()))
      return runOnTensors(evaluator, op, function, results);
    SmallVector<Scalar, 3> operands;
    for (Value operand : op->getOperands())
      operands.push_back(evaluator.getScalar(operand));
    if (failed(function(op, operands, results)))
      return failure();
    for (auto [result, value] : llvm::zip_equal(op->getResults(), results))
      evaluator.set(result, value);
    return success();
  };
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

/// A function of two unsigned integers, whose low bits are the result. Adding,
/// subtracting, multiplying and bitwise logic do not depend on the sign.
static ScalarFunction unsignedOp(uint64_t (*function)(uint64_t, uint64_t)) {
  return [function](Operation *, ArrayRef<Scalar> in,
                    MutableArrayRef<Scalar> out) {
    out[0] = makeInteger(out[0].kind,
                         function(toUnsigned(in[0]), toUnsigned(in[1])));
    return success();
  };
}

static ScalarFunction signedOp(int64_t (*function)(int64_t, int64_t)) {
  return [function](Operation *, ArrayRef<Scalar> in,
                    MutableArrayRef<Scalar> out) {
    out[0] =
        makeInteger(out[0].kind, function(toSigned(in[0]), toSigned(in[1])));
    return success();
  };
}

static ScalarFunction unsignedDivision(uint64_t (*function)(uint64_t,
                                                            uint64_t)) {
  return [function](Operation *op, ArrayRef<Scalar> in,
                    MutableArrayRef<Scalar> out) -> LogicalResult {
    if (toUnsigned(in[1]) == 0)
      return op->emitError("divides ") << toUnsigned(in[0]) << " by zero";
    return unsignedOp(function)(op, in, out);
  };
}

/// A quotient that does not fit is undefined; a remainder then is 0.
static ScalarFunction signedDivision(int64_t (*function)(int64_t, int64_t),
                                     bool isRemainder = false) {
  return [=](Operation *op, ArrayRef<Scalar> in,
             MutableArrayRef<Scalar> out) -> LogicalResult {
    int64_t lhs = toSigned(in[0]), rhs = toSigned(in[1]);
    if (rhs == 0)
      return op->emitError("divides ") << lhs << " by zero";
    if (rhs == -1 && lhs == llvm::minIntN(getWidth(in[0].kind))) {
      out[0].bits = 0;
      if (isRemainder)
        return success();
      return op->emitError("overflows: divides ") << lhs << " by -1";
    }
    out[0] = makeInteger(out[0].kind, function(lhs, rhs));
    return success();
  };
}

static ScalarFunction shift(int64_t (*function)(Scalar, unsigned)) {
  return [function](Operation *op, ArrayRef<Scalar> in,
                    MutableArrayRef<Scalar> out) -> LogicalResult {
    if (toUnsigned(in[1]) >= getWidth(in[0].kind))
      return op->emitError("shifts by ")
             << toUnsigned(in[1]) << ", expected less than the width "
             << getWidth(in[0].kind);
    out[0] = makeInteger(out[0].kind, function(in[0], in[1].bits));
    return success();
  };
}

/// The low and high half of a product in twice the width.
static ScalarFunction extendedProduct(bool isSigned) {
  return [isSigned](Operation *, ArrayRef<Scalar> in,
                    MutableArrayRef<Scalar> out) {
    auto extend = [&](Scalar scalar) {
      return APInt(128, isSigned ? toSigned(scalar) : toUnsigned(scalar),
                   isSigned);
    };
    APInt product = extend(in[0]) * extend(in[1]);
    unsigned width = getWidth(in[0].kind);
    out[0] = makeInteger(out[0].kind, product.trunc(64).getSExtValue());
    out[1] =
        makeInteger(out[1].kind, product.lshr(width).trunc(64).getSExtValue());
    return success();
  };
}

static bool compare(arith::CmpIPredicate predicate, Scalar lhs, Scalar rhs) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return lhs.bits == rhs.bits;
  case arith::CmpIPredicate::ne:
    return lhs.bits != rhs.bits;
  case arith::CmpIPredicate::slt:
    return toSigned(lhs) < toSigned(rhs);
  case arith::CmpIPredicate::sle:
    return toSigned(lhs) <= toSigned(rhs);
  case arith::CmpIPredicate::sgt:
    return toSigned(lhs) > toSigned(rhs);
  case arith::CmpIPredicate::sge:
    return toSigned(lhs) >= toSigned(rhs);
  case arith::CmpIPredicate::ult:
    return toUnsigned(lhs) < toUnsigned(rhs);
  case arith::CmpIPredicate::ule:
    return toUnsigned(lhs) <= toUnsigned(rhs);
  case arith::CmpIPredicate::ugt:
    return toUnsigned(lhs) > toUnsigned(rhs);
  case arith::CmpIPredicate::uge:
    return toUnsigned(lhs) >= toUnsigned(rhs);
  }
  llvm_unreachable("unknown predicate");
}

/// A conversion between integers that extends by the sign or by zeros.
static LogicalResult castSigned(Operation *, ArrayRef<Scalar> in,
                                MutableArrayRef<Scalar> out) {
  out[0] = makeInteger(out[0].kind, toSigned(in[0]));
  return success();
}

static LogicalResult castUnsigned(Operation *, ArrayRef<Scalar> in,
                                  MutableArrayRef<Scalar> out) {
  out[0] = makeInteger(out[0].kind, toUnsigned(in[0]));
  return success();
}

static LogicalResult bitcast(Operation *, ArrayRef<Scalar> in,
                             MutableArrayRef<Scalar> out) {
  out[0] = isFloat(out[0].kind)
               ? Scalar{out[0].kind, static_cast<int64_t>(toUnsigned(in[0]))}
               : makeInteger(out[0].kind, in[0].bits);
  return success();
}

static LogicalResult addExtended(Operation *, ArrayRef<Scalar> in,
                                 MutableArrayRef<Scalar> out) {
  out[0] = makeInteger(in[0].kind, toUnsigned(in[0]) + toUnsigned(in[1]));
  out[1] = makeBool(toUnsigned(out[0]) < toUnsigned(in[0]));
  return success();
}

//===----------------------------------------------------------------------===//
// Constants
//===----------------------------------------------------------------------===//

FailureOr<Scalar> interp::makeScalar(Operation *op, TypedAttr attr) {
  auto kind = getKind(op, attr.getType());
  if (failed(kind))
    return failure();
  if (auto value = dyn_cast<FloatAttr>(attr))
    return makeFloat(*kind, value.getValue());
  if (auto value = dyn_cast<IntegerAttr>(attr))
    return makeInteger(*kind, value.getValue().getSExtValue());
  return op->emitError("the interpreter cannot read the constant ") << attr;
}

/// Writes the elements of `values` in C order.
template <typename Range, typename Convert>
static LogicalResult fill(const Array &array, Range &&values, Convert convert) {
  int64_t i = 0;
  for (const auto &value : values)
    array.write(i++, convert(value));
  return success();
}

static LogicalResult fillConstant(Operation *op, const Array &array,
                                  ElementsAttr attr) {
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(attr)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    auto numBytes = array.storage->getNumBytes();
    if (!blob || static_cast<int64_t>(blob->getData().size()) != numBytes)
      return op->emitError("expects a dense resource of ")
             << numBytes << " bytes";
    std::memcpy(array.at(0), blob->getData().data(), numBytes);
    return success();
  }
  if (isFloat(array.kind)) {
    if (auto values = attr.tryGetValues<APFloat>())
      return fill(array, *values, [&](const APFloat &value) {
        return makeFloat(array.kind, value);
      });
  } else if (auto values = attr.tryGetValues<APInt>()) {
    return fill(array, *values, [&](const APInt &value) {
      return makeInteger(array.kind, value.getSExtValue());
    });
  }
  return op->emitError("the interpreter cannot read the constant of type ")
         << attr.getType();
}

FailureOr<Array> interp::makeConstant(Evaluator &evaluator, Operation *op,
                                      ElementsAttr attr) {
  auto known = evaluator.constants.find(attr);
  if (known != evaluator.constants.end())
    return known->second;
  auto kind = getKind(op, attr.getType());
  if (failed(kind))
    return failure();
  auto array = allocate(op, *kind, attr.getShapedType().getShape());
  if (failed(array) || failed(fillConstant(op, *array, attr)))
    return failure();
  evaluator.constants[attr] = *array;
  return array;
}

static LogicalResult runConstant(Evaluator &evaluator, arith::ConstantOp op) {
  if (auto elements = dyn_cast<ElementsAttr>(op.getValue())) {
    auto array = makeConstant(evaluator, op, elements);
    if (failed(array))
      return failure();
    evaluator.set(op, std::move(*array));
    return success();
  }
  auto scalar = makeScalar(op, op.getValue());
  if (failed(scalar))
    return failure();
  evaluator.set(op, *scalar);
  return success();
}

//===----------------------------------------------------------------------===//
// Selection
//===----------------------------------------------------------------------===//

/// One condition for whole values, of any type, or one for each element.
static LogicalResult runSelect(Evaluator &evaluator, arith::SelectOp op) {
  if (op.getCondition().getType().isInteger(1)) {
    bool condition = evaluator.getScalar(op.getCondition()).bits;
    RuntimeValue chosen =
        evaluator.get(condition ? op.getTrueValue() : op.getFalseValue());
    evaluator.set(op, std::move(chosen));
    return success();
  }
  Scalar kind;
  auto elementKind = getKind(op, op.getType());
  if (failed(elementKind))
    return failure();
  kind.kind = *elementKind;
  return runOnTensors(
      evaluator, op,
      [](Operation *, ArrayRef<Scalar> in, MutableArrayRef<Scalar> out) {
        out[0] = in[0].bits ? in[1] : in[2];
        return success();
      },
      kind);
}

void interp::addArithHandlers(HandlerTable &table) {
  using U = uint64_t;
  using S = int64_t;
  table.add(runConstant);
  table.add(runSelect);
  table.addScalar<arith::AddIOp>(unsignedOp([](U a, U b) { return a + b; }));
  table.addScalar<arith::SubIOp>(unsignedOp([](U a, U b) { return a - b; }));
  table.addScalar<arith::MulIOp>(unsignedOp([](U a, U b) { return a * b; }));
  table.addScalar<arith::AndIOp>(unsignedOp([](U a, U b) { return a & b; }));
  table.addScalar<arith::OrIOp>(unsignedOp([](U a, U b) { return a | b; }));
  table.addScalar<arith::XOrIOp>(unsignedOp([](U a, U b) { return a ^ b; }));
  table.addScalar<arith::MaxUIOp>(
      unsignedOp([](U a, U b) { return std::max(a, b); }));
  table.addScalar<arith::MinUIOp>(
      unsignedOp([](U a, U b) { return std::min(a, b); }));
  table.addScalar<arith::MaxSIOp>(
      signedOp([](S a, S b) { return std::max(a, b); }));
  table.addScalar<arith::MinSIOp>(
      signedOp([](S a, S b) { return std::min(a, b); }));

  table.addScalar<arith::DivUIOp>(
      unsignedDivision([](U a, U b) { return a / b; }));
  table.addScalar<arith::RemUIOp>(
      unsignedDivision([](U a, U b) { return a % b; }));
  table.addScalar<arith::CeilDivUIOp>(
      unsignedDivision([](U a, U b) { return a / b + (a % b != 0); }));
  table.addScalar<arith::DivSIOp>(
      signedDivision([](S a, S b) { return a / b; }));
  table.addScalar<arith::FloorDivSIOp>(signedDivision(
      [](S a, S b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }));
  table.addScalar<arith::CeilDivSIOp>(signedDivision(
      [](S a, S b) { return a / b + (a % b != 0 && (a < 0) == (b < 0)); }));
  table.addScalar<arith::RemSIOp>(
      signedDivision([](S a, S b) { return a % b; }, /*isRemainder=*/true));

  table.addScalar<arith::ShLIOp>(
      shift([](Scalar a, unsigned n) { return S(toUnsigned(a) << n); }));
  table.addScalar<arith::ShRUIOp>(
      shift([](Scalar a, unsigned n) { return S(toUnsigned(a) >> n); }));
  table.addScalar<arith::ShRSIOp>(
      shift([](Scalar a, unsigned n) { return toSigned(a) >> n; }));
  table.addScalar<arith::AddUIExtendedOp>(addExtended);
  table.addScalar<arith::MulSIExtendedOp>(extendedProduct(/*isSigned=*/true));
  table.addScalar<arith::MulUIExtendedOp>(extendedProduct(/*isSigned=*/false));

  table.addScalar<arith::ExtSIOp>(castSigned);
  table.addScalar<arith::ExtUIOp>(castUnsigned);
  table.addScalar<arith::TruncIOp>(castSigned);
  table.addScalar<arith::IndexCastOp>(castSigned);
  table.addScalar<arith::IndexCastUIOp>(castUnsigned);
  table.addScalar<arith::BitcastOp>(bitcast);
  table.addScalar<arith::CmpIOp>([](Operation *op, ArrayRef<Scalar> in,
                                    MutableArrayRef<Scalar> out) {
    out[0] =
        makeBool(compare(cast<arith::CmpIOp>(op).getPredicate(), in[0], in[1]));
    return success();
  });
}
