//===- IndexSizes.cpp - Sizes of indices ----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sizes are unified over all places where an index stands alone; what is left
// is solved from linear axes with one unknown, until nothing changes.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/IR/IndexSizes.h"

#include "tileir/Dialect/Einsum/IR/Pointwise.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace tileir::einsum;

//===----------------------------------------------------------------------===//
// Sizes of indices
//===----------------------------------------------------------------------===//

namespace {
/// Collects what every place says of the size of an index.
class SizeSolver {
public:
  SizeSolver(SpecAttr spec, function_ref<InFlightDiagnostic()> emitError)
      : spec(spec), emitError(emitError), sizes(spec.getNumIndices()),
        places(spec.getNumIndices()) {}

  /// Constraint C11: `place` says that `index` has `size`.
  LogicalResult unify(unsigned index, IndexSize size, const Twine &place) {
    IndexSize &known = sizes[index];
    if (known.isStatic() && size.isStatic() && known.size != size.size) {
      if (emitError)
        emitError() << "index '" << Twine(spec.getIndices()[index])
                    << "' has size " << known.size << " in " << places[index]
                    << " but size " << size.size << " in " << place;
      return failure();
    }
    if (known.source == IndexSize::Source::Unknown ||
        (!known.isStatic() && size.isStatic())) {
      known = size;
      places[index] = place.str();
    }
    return success();
  }

  /// Solves an axis for the one index of unknown size, if there is just one.
  /// Returns whether there is.
  bool solveWindow(ValueRange inputs, unsigned operand, unsigned axisIndex) {
    AffineExpr axis = spec.getMaps()[operand].getResult(axisIndex);
    auto linear = LinearAxis::get(axis, spec.getNumIndices());
    if (!linear)
      return false;
    std::optional<unsigned> unknown;
    for (unsigned index = 0; index < spec.getNumIndices(); ++index) {
      if (linear->coefficients[index] == 0 ||
          sizes[index].source != IndexSize::Source::Unknown)
        continue;
      if (unknown)
        return false;
      unknown = index;
    }
    if (!unknown || linear->coefficients[*unknown] <= 0)
      return false;
    int64_t dim =
        cast<ShapedType>(inputs[operand].getType()).getDimSize(axisIndex);
    sizes[*unknown] = {IndexSize::Source::Window, inputs[operand], axisIndex,
                       getWindow(*linear, *unknown, dim), operand};
    places[*unknown] =
        "the axis (" + spec.axisToString(operand, axisIndex) + ")";
    return true;
  }

  SmallVector<IndexSize> take() { return std::move(sizes); }

private:
  /// The largest size of `index` for which no read is at or past `dim`.
  int64_t getWindow(const LinearAxis &linear, unsigned index, int64_t dim) {
    if (ShapedType::isDynamic(dim))
      return ShapedType::kDynamic;
    std::optional<int64_t> room = llvm::checkedSub(dim, linear.constant);
    for (auto [other, coefficient] : llvm::enumerate(linear.coefficients)) {
      if (other == index || coefficient == 0)
        continue;
      if (!sizes[other].isStatic())
        return ShapedType::kDynamic;
      if (coefficient < 0 || !room)
        continue;
      auto reach = llvm::checkedMul(coefficient, sizes[other].size - 1);
      room = reach ? llvm::checkedSub(*room, *reach) : std::nullopt;
    }
    if (!room || *room < 1)
      return 0;
    return (*room - 1) / linear.coefficients[index] + 1;
  }

  SpecAttr spec;
  function_ref<InFlightDiagnostic()> emitError;
  SmallVector<IndexSize> sizes;
  SmallVector<std::string> places;
};
} // namespace

FailureOr<SmallVector<IndexSize>> tileir::einsum::inferIndexSizes(
    SpecAttr spec, ValueRange inputs, ValueRange tables, Value outs,
    ShapedType resultType, DictionaryAttr sizes, bool padded,
    function_ref<InFlightDiagnostic()> emitError) {
  using Source = IndexSize::Source;
  SizeSolver solver(spec, emitError);
  auto axisOf = [](Value value, unsigned axis) -> IndexSize {
    return {Source::Axis, value, axis,
            cast<ShapedType>(value.getType()).getDimSize(axis)};
  };

  if (sizes)
    for (NamedAttribute entry : sizes) {
      size_t index = spec.getIndices().find(entry.getName().getValue());
      int64_t size = cast<IntegerAttr>(entry.getValue()).getInt();
      if (failed(solver.unify(index, {Source::Attribute, Value(), 0, size},
                              "'sizes'")))
        return failure();
    }
  for (auto [operand, input] : llvm::enumerate(inputs))
    for (unsigned axis = 0; axis < spec.getMaps()[operand].getNumResults();
         ++axis)
      if (auto index = spec.getBareIndex(operand, axis))
        if (failed(solver.unify(*index, axisOf(input, axis),
                                "axis " + Twine(axis) + " of operand " +
                                    Twine(operand))))
          return failure();
  SmallVector<StringRef> tableNames = spec.getTables();
  for (LookupAttr lookup : spec.getLookups()) {
    if (lookup.isIndex())
      continue;
    Value table =
        tables[llvm::find(tableNames, lookup.getTable()) - tableNames.begin()];
    for (auto [axis, index] : llvm::enumerate(lookup.getIndices()))
      if (failed(solver.unify(index, axisOf(table, axis),
                              "axis " + Twine(axis) + " of table '" +
                                  lookup.getTable() + "'")))
        return failure();
  }
  for (unsigned index = 0; index < spec.getNumResultIndices(); ++index) {
    if (outs && failed(solver.unify(index, axisOf(outs, index),
                                    "axis " + Twine(index) + " of outs")))
      return failure();
    if (resultType && !resultType.isDynamicDim(index) &&
        failed(solver.unify(
            index,
            {Source::Attribute, Value(), 0, resultType.getDimSize(index)},
            "axis " + Twine(index) + " of the result")))
      return failure();
  }
  for (bool changed = !padded; changed;) {
    changed = false;
    for (unsigned operand = 0; operand < inputs.size(); ++operand)
      for (unsigned axis = 0; axis < spec.getMaps()[operand].getNumResults();
           ++axis)
        changed |= solver.solveWindow(inputs, operand, axis);
  }
  return solver.take();
}

FailureOr<SmallVector<IndexSize>>
tileir::einsum::inferIndexSizes(ContractOp op,
                                function_ref<InFlightDiagnostic()> emitError) {
  return inferIndexSizes(op.getSpec(), op.getInputs(), op.getTables(),
                         op.getOuts(), op.getOutputType(), op.getSizesAttr(),
                         op.isPadded(), emitError);
}

SmallVector<int64_t> tileir::einsum::getStaticIndexSizes(ContractOp op) {
  auto sizes = inferIndexSizes(op);
  if (failed(sizes))
    return SmallVector<int64_t>(op.getSpec().getNumIndices(),
                                ShapedType::kDynamic);
  return llvm::map_to_vector(*sizes, [](const IndexSize &s) { return s.size; });
}

SmallVector<OpFoldResult> tileir::einsum::reifyIndexSizes(OpBuilder &builder,
                                                          ContractOp op,
                                                          GetDim getDim) {
  Location loc = op.getLoc();
  SpecAttr spec = op.getSpec();
  auto sizes = inferIndexSizes(op);
  assert(succeeded(sizes) && "the verifier checked this");

  auto dimOf = [&](Value value, unsigned axis) -> OpFoldResult {
    auto type = cast<ShapedType>(value.getType());
    if (!type.isDynamicDim(axis))
      return builder.getIndexAttr(type.getDimSize(axis));
    if (getDim)
      return getDim(value, axis);
    if (isa<MemRefType>(value.getType()))
      return memref::DimOp::create(builder, loc, value, axis).getResult();
    return tensor::DimOp::create(builder, loc, value, axis).getResult();
  };

  SmallVector<OpFoldResult> result(sizes->size());
  std::function<OpFoldResult(unsigned)> reify = [&](unsigned index) {
    OpFoldResult &known = result[index];
    const IndexSize &size = (*sizes)[index];
    if (known)
      return known;
    if (size.isStatic())
      return known = builder.getIndexAttr(size.size);
    if (size.source == IndexSize::Source::Axis)
      return known = dimOf(size.value, size.axis);
    // A window: (dim - 1 - reach of the others) floordiv coefficient + 1, or 0.
    auto linear =
        LinearAxis::get(spec.getMaps()[size.operand].getResult(size.axis),
                        spec.getNumIndices());
    SmallVector<OpFoldResult> operands = {dimOf(size.value, size.axis)};
    AffineExpr room = builder.getAffineSymbolExpr(0) - 1 - linear->constant;
    for (auto [other, coefficient] : llvm::enumerate(linear->coefficients))
      if (other != index && coefficient > 0) {
        AffineExpr symbol = builder.getAffineSymbolExpr(operands.size());
        room = room - (symbol - 1) * coefficient;
        operands.push_back(reify(other));
      }
    AffineExpr window = room.floorDiv(linear->coefficients[index]) + 1;
    auto map = AffineMap::get(0, operands.size(),
                              {window, builder.getAffineConstantExpr(0)},
                              builder.getContext());
    return known =
               affine::makeComposedFoldedAffineMax(builder, loc, map, operands);
  };
  for (unsigned index = 0; index < result.size(); ++index)
    reify(index);
  return result;
}

//===----------------------------------------------------------------------===//
// Sizes of what is computed
//===----------------------------------------------------------------------===//

/// The operand of a pointwise op that tells the size of an axis of its result;
/// for a structured op that no operand tells it is `outs`.
static std::pair<Value, unsigned> getSizeOperand(const PointwiseOp &pointwise,
                                                 unsigned axis) {
  for (const PointwiseOp::Operand &operand : pointwise.operands)
    if (auto it = llvm::find(operand.axes, axis); it != operand.axes.end())
      return {operand.value, it - operand.axes.begin()};
  return {cast<DestinationStyleOpInterface>(pointwise.op).getDpsInits().front(),
          axis};
}

std::pair<Value, unsigned> tileir::einsum::getSizeSource(Value value,
                                                         unsigned axis) {
  while (cast<ShapedType>(value.getType()).isDynamicDim(axis)) {
    Operation *op = value.getDefiningOp();
    auto pointwise = op ? PointwiseOp::get(op) : std::nullopt;
    if (!pointwise)
      break;
    std::tie(value, axis) = getSizeOperand(*pointwise, axis);
  }
  return {value, axis};
}

OpFoldResult tileir::einsum::reifyDim(OpBuilder &builder, Value value,
                                      unsigned axis, GetDim getDim) {
  auto [source, sourceAxis] = getSizeSource(value, axis);
  auto type = cast<ShapedType>(source.getType());
  if (!type.isDynamicDim(sourceAxis))
    return builder.getIndexAttr(type.getDimSize(sourceAxis));
  auto contract = source.getDefiningOp<ContractOp>();
  if (!contract)
    return getDim(source, sourceAxis);
  auto getOperandDim = [&](Value operand, unsigned operandAxis) {
    return reifyDim(builder, operand, operandAxis, getDim);
  };
  return reifyIndexSizes(builder, contract, getOperandDim)[sourceAxis];
}
