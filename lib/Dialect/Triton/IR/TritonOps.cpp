//===- TritonOps.cpp - Verifiers of values and shapes ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Triton/IR/Triton.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/OpImplementation.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::triton;

#define GET_OP_CLASSES
#include "tileir/Dialect/Triton/IR/TritonOps.cpp.inc"
#define GET_OP_CLASSES
#include "tileir/Dialect/Triton/IR/TritonGpuOps.cpp.inc"

void TTDialect::registerOperations() {
  addOperations<
#define GET_OP_LIST
#include "tileir/Dialect/Triton/IR/TritonOps.cpp.inc"
      >();
}

void TTGDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "tileir/Dialect/Triton/IR/TritonGpuOps.cpp.inc"
      >();
}

/// The shape of a tensor; empty for a scalar.
static ArrayRef<int64_t> getShape(Type type) {
  auto tensor = dyn_cast<RankedTensorType>(type);
  return tensor ? tensor.getShape() : ArrayRef<int64_t>();
}

/// Says what `op` expects, where it does not hold.
static LogicalResult expect(bool holds, Operation *op, const Twine &what,
                            TypeRange found, StringRef rule) {
  if (holds)
    return success();
  InFlightDiagnostic diagnostic = op->emitOpError("expects ");
  diagnostic << what << ", found ";
  llvm::interleave(
      found, [&](Type type) { diagnostic << type; },
      [&] { diagnostic << " and "; });
  return diagnostic << " (" << rule << ")";
}

/// Whether two types have the same elements.
static bool haveSameElements(Type lhs, Type rhs) {
  return getElement(lhs) == getElement(rhs);
}

LogicalResult triton::MakeRangeOp::verify() {
  RankedTensorType type = getType();
  int64_t size = int64_t(static_cast<int32_t>(getEnd())) -
                 static_cast<int32_t>(getStart());
  return expect(type.getRank() == 1 && type.getDimSize(0) == size, *this,
                "one axis of end - start = " + Twine(size) + " elements", type,
                "TT1");
}

LogicalResult triton::SplatOp::verify() {
  return expect(getSrc().getType() == getElement(getType()), *this,
                "a value of the result's element type",
                {getSrc().getType(), getType()}, "TT2");
}

LogicalResult triton::UnsplatOp::verify() {
  return expect(cast<ShapedType>(getSrc().getType()).getNumElements() == 1,
                *this, "a tensor of one element", getSrc().getType(), "TT3");
}

LogicalResult triton::ExpandDimsOp::verify() {
  SmallVector<int64_t> shape(getShape(getSrc().getType()));
  bool isAxis = getAxis() <= shape.size();
  if (isAxis)
    shape.insert(shape.begin() + getAxis(), 1);
  return expect(isAxis && getShape(getType()) == ArrayRef(shape) &&
                    haveSameElements(getSrc().getType(), getType()),
                *this, "one more axis of size 1 at " + Twine(getAxis()),
                {getSrc().getType(), getType()}, "TT4");
}

LogicalResult triton::BroadcastOp::verify() {
  ArrayRef<int64_t> from = getShape(getSrc().getType()),
                    to = getShape(getType());
  bool fits = from.size() == to.size() &&
              haveSameElements(getSrc().getType(), getType());
  for (auto [size, result] : llvm::zip(from, to))
    fits &= size == 1 || size == result;
  return expect(fits, *this, "sizes of 1 or those of the result",
                {getSrc().getType(), getType()}, "TT5");
}

LogicalResult triton::ReshapeOp::verify() {
  return expect(cast<ShapedType>(getSrc().getType()).getNumElements() ==
                        cast<ShapedType>(getType()).getNumElements() &&
                    haveSameElements(getSrc().getType(), getType()),
                *this, "as many elements, of one type",
                {getSrc().getType(), getType()}, "TT6");
}

LogicalResult triton::TransOp::verify() {
  ArrayRef<int64_t> from = getShape(getSrc().getType()),
                    to = getShape(getType());
  SmallVector<bool> seen(from.size(), false);
  bool fits = getOrder().size() == from.size() && to.size() == from.size() &&
              haveSameElements(getSrc().getType(), getType());
  for (auto [i, axis] : llvm::enumerate(getOrder())) {
    fits = fits && axis >= 0 && axis < static_cast<int64_t>(from.size()) &&
           !seen[axis] && to[i] == from[axis];
    if (!fits)
      break;
    seen[axis] = true;
  }
  return expect(fits, *this, "an order of all axes that gives the result",
                {getSrc().getType(), getType()}, "TT7");
}

/// TT8.
static LogicalResult verifyHalves(Operation *op, Type whole, Type half) {
  SmallVector<int64_t> shape(getShape(half));
  shape.push_back(2);
  return expect(getShape(whole) == ArrayRef(shape) &&
                    haveSameElements(whole, half),
                op, "a whole with one more axis, of size 2, than its halves",
                {whole, half}, "TT8");
}

LogicalResult triton::SplitOp::verify() {
  return verifyHalves(*this, getSrc().getType(), getOutLHS().getType());
}

LogicalResult triton::JoinOp::verify() {
  return verifyHalves(*this, getType(), getLhs().getType());
}

LogicalResult triton::CatOp::verify() {
  ArrayRef<int64_t> from = getShape(getLhs().getType()),
                    to = getShape(getType());
  return expect(from.size() == 1 && to.size() == 1 && to[0] == 2 * from[0] &&
                    haveSameElements(getLhs().getType(), getType()),
                *this, "one axis, and the elements of both operands",
                {getLhs().getType(), getType()}, "TT9");
}

/// The element type of an operand of a scaled product; null for what no type of
/// MLIR's has as wide as in memory.
static Type getStoredElement(ScaledElement element, MLIRContext *context) {
  switch (element) {
  case ScaledElement::E4M3:
    return Float8E4M3FNType::get(context);
  case ScaledElement::E5M2:
    return Float8E5M2Type::get(context);
  case ScaledElement::BF16:
    return BFloat16Type::get(context);
  case ScaledElement::FP16:
    return Float16Type::get(context);
  case ScaledElement::E2M1:
    return IntegerType::get(context, 8);
  case ScaledElement::E2M3:
  case ScaledElement::E3M2:
    return Type();
  }
  llvm_unreachable("unknown element");
}

LogicalResult triton::DotScaledOp::verify() {
  auto c = cast<RankedTensorType>(getType());
  SmallVector<int64_t> a(getShape(getA().getType())),
      b(getShape(getB().getType()));
  if (c.getRank() != 2 || a.size() != 2 || b.size() != 2)
    return expect(false, *this, "three matrices",
                  {getA().getType(), getB().getType(), c}, "TT22");
  if (getAElemType() == ScaledElement::E2M1)
    a[getLhsKPack() ? 1 : 0] *= 2;
  if (getBElemType() == ScaledElement::E2M1)
    b[getRhsKPack() ? 0 : 1] *= 2;
  auto hasElement = [&](Value value, ScaledElement element) {
    Type stored = getStoredElement(element, getContext());
    return stored ? getElement(value.getType()) == stored : true;
  };
  auto hasScales = [&](Value scale, int64_t rows) {
    return !scale ||
           getShape(scale.getType()) == ArrayRef<int64_t>{rows, a[1] / 32};
  };
  bool fits =
      a[1] == b[0] && c.getDimSize(0) == a[0] && c.getDimSize(1) == b[1] &&
      hasScales(getAScale(), a[0]) && hasScales(getBScale(), b[1]) &&
      ((!getAScale() && !getBScale()) || a[1] % 32 == 0) &&
      hasElement(getA(), getAElemType()) && hasElement(getB(), getBElemType());
  SmallVector<Type> types(getOperandTypes());
  return expect(fits, *this, "sizes and elements of a scaled matrix product",
                types, "TT22");
}

LogicalResult triton::DotOp::verify() {
  SmallVector<int64_t> a(getShape(getA().getType())),
      b(getShape(getB().getType())), c(getShape(getType()));
  bool fits = a.size() >= 2 && a.size() == b.size() && a.size() == c.size();
  if (fits) {
    size_t row = a.size() - 2, column = row + 1;
    fits = a[column] == b[row] && c[row] == a[row] && c[column] == b[column];
    for (size_t i = 0; i < row; ++i)
      fits &= a[i] == b[i] && a[i] == c[i];
  }
  return expect(fits, *this, "sizes of a matrix product",
                {getA().getType(), getB().getType(), getType()}, "TT15");
}

/// TT16 and TT17; `removed` is whether results lack the axis.
template <typename Op> static LogicalResult verifyCombine(Op op, bool removed) {
  TypeRange sources = op.getSrcs().getTypes(), results = op.getResultTypes();
  bool fits = !sources.empty() && sources.size() == results.size() &&
              op.getAxis() < getShape(sources.front()).size();
  for (size_t i = 0; fits && i < sources.size(); ++i) {
    SmallVector<int64_t> shape(getShape(sources[i]));
    if (removed)
      shape.erase(shape.begin() + op.getAxis());
    fits = ArrayRef(shape) == getShape(results[i]) &&
           haveSameElements(sources[i], results[i]) &&
           (!shape.empty() || !isa<RankedTensorType>(results[i]));
  }
  if (!fits)
    return op.emitOpError("expects results for the operands along axis ")
           << op.getAxis() << ", found (" << sources << ") -> (" << results
           << ") (TT16)";
  Block &body = op.getCombineOp().front();
  auto elements = llvm::map_to_vector(sources, getElement);
  SmallVector<Type> both(elements);
  llvm::append_range(both, elements);
  if (!llvm::equal(body.getArgumentTypes(), both) || body.empty() ||
      !llvm::equal(body.back().getOperandTypes(), elements))
    return op.emitOpError("expects a region that takes elements of (")
           << sources << ") twice and returns them once (TT17)";
  return success();
}

LogicalResult triton::ReduceOp::verify() {
  return verifyCombine(*this, /*removed=*/true);
}

LogicalResult triton::ScanOp::verify() {
  return verifyCombine(*this, /*removed=*/false);
}

LogicalResult triton::GatherOp::verify() {
  ArrayRef<int64_t> from = getShape(getSrc().getType()),
                    indices = getShape(getIndices().getType()),
                    to = getShape(getType());
  bool fits = from.size() == indices.size() && to == indices &&
              getAxis() < from.size() &&
              haveSameElements(getSrc().getType(), getType());
  for (size_t i = 0; fits && i < from.size(); ++i)
    fits = i == getAxis() || from[i] == to[i];
  return expect(fits, *this, "sizes that differ along the axis only",
                {getSrc().getType(), getIndices().getType(), getType()},
                "TT18");
}
