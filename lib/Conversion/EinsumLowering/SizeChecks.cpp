//===- SizeChecks.cpp - Checks of dynamic sizes ---------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Dynamic sizes are compared once, before the loops or the launch: those of an
// index wherever it stands alone, and those of what a pointwise op reads along
// one axis of its result.
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/EinsumLowering/SizeChecks.h"

#include "tileir/Dialect/Einsum/Analysis/OperandAccess.h"
#include "tileir/Dialect/Einsum/IR/IndexSizes.h"
#include "tileir/Dialect/Einsum/IR/Pointwise.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Affine/Utils.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::lowering;

/// The largest result, in bytes: more than machines have memory for.
static constexpr int64_t kMaxResultBytes = int64_t(1) << 40;

namespace {

class SizeChecks {
public:
  SizeChecks(OpBuilder &builder, const ContractMemRefs &memrefs,
             ArrayRef<OpFoldResult> sizes, CheckEmitter &checks)
      : builder(builder), memrefs(memrefs), op(memrefs.getOp()),
        spec(op.getSpec()), loc(op.getLoc()), sizes(sizes), checks(checks) {}

  Value emit() {
    auto indexSizes = inferIndexSizes(op);
    assert(succeeded(indexSizes) && "the verifier checked this");
    Value agree;
    auto check = [&](Value condition, const Twine &message, ValueRange values) {
      checks.emitCheck(builder, loc, condition, message, values);
      agree = checks.both(builder, loc, agree, condition);
    };
    auto checkAxis = [&](unsigned index, Value value, unsigned axis,
                         const Twine &place) {
      const IndexSize &known = (*indexSizes)[index];
      bool isStatic = known.isStatic() &&
                      !cast<ShapedType>(value.getType()).isDynamicDim(axis);
      bool isSource = known.source == IndexSize::Source::Axis &&
                      known.value == value && known.axis == axis;
      if (isStatic || isSource)
        return;
      Value size = getSize(index);
      Value dim = getDim(value, axis);
      Value equal = arith::CmpIOp::create(builder, loc,
                                          arith::CmpIPredicate::eq, size, dim);
      check(equal,
            Twine("index '") + Twine(spec.getIndices()[index]) +
                "' has size {0}" + describeSource(known) + " but size {1} in " +
                place,
            ValueRange{size, dim});
    };
    for (auto [operand, input] : llvm::enumerate(op.getInputs()))
      for (unsigned axis = 0; axis < spec.getMaps()[operand].getNumResults();
           ++axis) {
        if (auto index = spec.getBareIndex(operand, axis))
          checkAxis(*index, input, axis,
                    "axis " + Twine(axis) + " of operand " + Twine(operand));
      }
    for (LookupAttr lookup : spec.getLookups())
      if (!lookup.isIndex())
        for (auto [axis, index] : llvm::enumerate(lookup.getIndices()))
          checkAxis(index, op.getTable(lookup.getTable()), axis,
                    "axis " + Twine(axis) + " of table '" + lookup.getTable() +
                        "'");
    if (Value outs = op.getOuts()) {
      for (unsigned index = 0; index < spec.getNumResultIndices(); ++index)
        checkAxis(index, outs, index,
                  "axis " + Twine(index) + " of the result");
      if (outs.getDefiningOp<memref::AllocOp>())
        agree = checks.both(
            builder, loc, agree,
            emitResultSizeCheck(builder, loc, cast<MemRefType>(outs.getType()),
                                sizes, checks));
    }
    if (!op.isPadded())
      emitLinearChecks(check);
    return agree;
  }

private:
  using Check = function_ref<void(Value, const Twine &, ValueRange)>;

  /// Checks that linear axes whose size or indices are dynamic stay inside.
  void emitLinearChecks(Check check) {
    SmallVector<int64_t> staticSizes = getStaticIndexSizes(op);
    for (auto [operand, input] : llvm::enumerate(op.getInputs()))
      for (unsigned axis :
           OperandAccess(op, staticSizes, operand).getAxesOutside()) {
        auto linear = LinearAxis::get(spec.getMaps()[operand].getResult(axis),
                                      spec.getNumIndices());
        if (!linear)
          continue;
        // The extremes, as expressions of the sizes.
        AffineExpr min = builder.getAffineConstantExpr(linear->constant);
        AffineExpr max = min;
        for (auto [index, coefficient] :
             llvm::enumerate(linear->coefficients)) {
          AffineExpr reach =
              (builder.getAffineSymbolExpr(index) - 1) * coefficient;
          (coefficient < 0 ? min : max) = (coefficient < 0 ? min : max) + reach;
        }
        SmallVector<Value> values;
        for (unsigned index = 0; index < sizes.size(); ++index)
          values.push_back(getSize(index));
        Value low = affine::expandAffineExpr(builder, loc, min, {}, values);
        Value high = affine::expandAffineExpr(builder, loc, max, {}, values);
        Value dim = getDim(input, axis);
        Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
        Value fits = arith::AndIOp::create(
            builder, loc,
            arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sge, low,
                                  zero),
            arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::slt, high,
                                  dim));
        // Nothing is read if an index has no values.
        for (Value size : values) {
          Value none = arith::CmpIOp::create(
              builder, loc, arith::CmpIPredicate::eq, size, zero);
          fits = arith::OrIOp::create(builder, loc, fits, none);
        }
        check(fits,
              "axis " + Twine(axis) + " (" + spec.axisToString(operand, axis) +
                  ") of operand " + Twine(operand) +
                  " reads indices {0} to {1}, outside of its size {2}",
              ValueRange{low, high, dim});
      }
  }

  /// " in axis 1 of operand 0", where the size of an index was found.
  std::string describeSource(const IndexSize &size) {
    // A window is no case: it sizes only indices that are no axis by
    // themselves.
    if (size.source != IndexSize::Source::Axis)
      return " by 'sizes' or the type of the result";
    std::string axis = " in axis " + std::to_string(size.axis) + " of ";
    for (auto [operand, input] : llvm::enumerate(op.getInputs()))
      if (input == size.value)
        return axis + "operand " + std::to_string(operand);
    for (auto [name, table] : llvm::zip(spec.getTables(), op.getTables()))
      if (table == size.value)
        return axis + "table '" + name.str() + "'";
    return axis + "the result";
  }

  Value getSize(unsigned index) {
    return getValueOrCreateConstantIndexOp(builder, loc, sizes[index]);
  }

  Value getDim(Value operand, unsigned axis) {
    return getValueOrCreateConstantIndexOp(
        builder, loc, memrefs.getDim(builder, operand, axis));
  }

  OpBuilder &builder;
  const ContractMemRefs &memrefs;
  ContractOp op;
  SpecAttr spec;
  Location loc;
  ArrayRef<OpFoldResult> sizes;
  CheckEmitter &checks;
};

} // namespace

Value lowering::emitSizeChecks(OpBuilder &builder,
                               const ContractMemRefs &memrefs,
                               ArrayRef<OpFoldResult> sizes,
                               CheckEmitter &checks) {
  return SizeChecks(builder, memrefs, sizes, checks).emit();
}

Value lowering::emitResultSizeCheck(OpBuilder &builder, Location loc,
                                    MemRefType type,
                                    ArrayRef<OpFoldResult> sizes,
                                    CheckEmitter &checks) {
  if (type.hasStaticShape())
    return nullptr;
  Type f64 = builder.getF64Type();
  auto getDouble = [&](double value) -> Value {
    return arith::ConstantOp::create(builder, loc,
                                     builder.getF64FloatAttr(value));
  };
  SmallVector<Value> values;
  std::string shape;
  // In floating point the product cannot overflow.
  Value elements = getDouble(1);
  for (OpFoldResult known : sizes.take_front(type.getRank())) {
    Value size = getValueOrCreateConstantIndexOp(builder, loc, known);
    Value integer =
        arith::IndexCastOp::create(builder, loc, builder.getI64Type(), size);
    Value factor = arith::SIToFPOp::create(builder, loc, f64, integer);
    elements = arith::MulFOp::create(builder, loc, elements, factor);
    shape += "{" + std::to_string(values.size()) + "}x";
    values.push_back(size);
  }
  int64_t maxElements = kMaxResultBytes * 8 / type.getElementTypeBitWidth();
  Value fits =
      arith::CmpFOp::create(builder, loc, arith::CmpFPredicate::OLE, elements,
                            getDouble(static_cast<double>(maxElements)));
  std::string element;
  llvm::raw_string_ostream(element) << type.getElementType();
  checks.emitCheck(builder, loc, fits,
                   "the result " + shape + element +
                       " is too large: expected at most " + Twine(maxElements) +
                       " elements",
                   values);
  return fits;
}

//===----------------------------------------------------------------------===//
// Pointwise ops
//===----------------------------------------------------------------------===//

namespace {

class PointwiseChecks {
public:
  PointwiseChecks(OpBuilder &builder, GetDim getDim, CheckEmitter &checks)
      : builder(builder), getDim(getDim), checks(checks) {}

  /// Compares the sizes of operands along each axis of the result with that of
  /// the first one.
  void emit(const PointwiseOp &pointwise) {
    auto type = cast<ShapedType>(pointwise.op->getResult(0).getType());
    SmallVector<std::optional<Place>> known(type.getRank());
    auto add = [&](unsigned operand, ArrayRef<unsigned> axes) {
      for (auto [axis, resultAxis] : llvm::enumerate(axes)) {
        Place place{operand, unsigned(axis)};
        if (std::optional<Place> &first = known[resultAxis])
          compare(pointwise.op, *first, place);
        else
          first = place;
      }
    };
    for (auto [number, operand] : llvm::enumerate(pointwise.operands))
      add(number, operand.axes);
    if (isa<DestinationStyleOpInterface>(pointwise.op))
      add(pointwise.operands.size(),
          llvm::to_vector(llvm::seq<unsigned>(0, type.getRank())));
  }

  /// Whether all is well; null if nothing was to be checked.
  Value getAgree() const { return agree; }

private:
  struct Place {
    unsigned operand, axis;
  };

  void compare(Operation *op, const Place &first, const Place &place) {
    auto getSource = [&](const Place &at) {
      return getSizeSource(op->getOperand(at.operand), at.axis);
    };
    auto isStatic = [](std::pair<Value, unsigned> at) {
      return !cast<ShapedType>(at.first.getType()).isDynamicDim(at.second);
    };
    auto expected = getSource(first), found = getSource(place);
    bool isChecked = expected == found ||
                     (isStatic(expected) && isStatic(found)) ||
                     !compared.insert({expected, found}).second;
    if (isChecked)
      return;
    Location loc = op->getLoc();
    SmallVector<Value> sizes;
    for (const Place &at : {place, first})
      sizes.push_back(getValueOrCreateConstantIndexOp(
          builder, loc,
          reifyDim(builder, op->getOperand(at.operand), at.axis, getDim)));
    Value equal = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq,
                                        sizes[0], sizes[1]);
    checks.emitCheck(
        builder, loc, equal,
        "axis " + Twine(place.axis) + " of operand " + Twine(place.operand) +
            " of '" + op->getName().getStringRef() +
            "' has size {0}, but axis " + Twine(first.axis) + " of operand " +
            Twine(first.operand) + " has size {1}",
        sizes);
    agree = checks.both(builder, loc, agree, equal);
  }

  OpBuilder &builder;
  GetDim getDim;
  CheckEmitter &checks;
  llvm::DenseSet<
      std::pair<std::pair<Value, unsigned>, std::pair<Value, unsigned>>>
      compared;
  Value agree;
};

} // namespace

Value lowering::emitPointwiseChecks(OpBuilder &builder, Block &body,
                                    GetDim getDim, CheckEmitter &checks) {
  PointwiseChecks pointwiseChecks(builder, getDim, checks);
  for (Operation &op : body)
    if (auto pointwise = PointwiseOp::get(&op))
      pointwiseChecks.emit(*pointwise);
  return pointwiseChecks.getAgree();
}
