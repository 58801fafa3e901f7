//===- EinsumSizes.cpp - Sizes of indices at run time ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An index's size is what `sizes` says or the size of an axis that is the
// index alone; all must agree. Without padding, an axis that is linear in one
// index of unknown size bounds it.
//
//===----------------------------------------------------------------------===//

#include "Einsum/Einsum.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;

namespace {
/// An axis as constant + sum of coefficient * index. Wide enough for products
/// and sums of what a specification can hold.
struct Linear {
  __int128 constant = 0;
  SmallVector<__int128> coefficients;

  /// Adds `factor * expr`; fails if that is not linear.
  LogicalResult add(AffineExpr expr, __int128 factor) {
    if (auto value = dyn_cast<AffineConstantExpr>(expr)) {
      constant += factor * value.getValue();
      return success();
    }
    if (auto index = dyn_cast<AffineDimExpr>(expr)) {
      coefficients[index.getPosition()] += factor;
      return success();
    }
    auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
    if (!binary)
      return failure(); // a table, or an index that something is divided by
    if (binary.getKind() == AffineExprKind::Add)
      return success(succeeded(add(binary.getLHS(), factor)) &&
                     succeeded(add(binary.getRHS(), factor)));
    auto scale = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (binary.getKind() != AffineExprKind::Mul || !scale)
      return failure();
    return add(binary.getLHS(), factor * scale.getValue());
  }
};

/// The sizes that are known so far, and from where.
class Resolver {
public:
  explicit Resolver(Contraction &contraction)
      : contraction(contraction), spec(contraction.spec),
        sizes(spec.getNumIndices()), places(spec.getNumIndices()) {}

  LogicalResult run() {
    if (failed(unifyAll()))
      return failure();
    if (!contraction.op.isPadded())
      while (findWindow()) {
      }
    for (auto [index, size] : llvm::enumerate(sizes)) {
      if (!size)
        return contraction.op.emitError("cannot tell the size of index '")
               << Twine(spec.getIndices()[index]) << "'";
      contraction.sizes.push_back(*size);
    }
    return success();
  }

private:
  LogicalResult unify(unsigned index, int64_t size, const Twine &place) {
    if (sizes[index] && *sizes[index] != size)
      return contraction.op.emitError("index '")
             << Twine(spec.getIndices()[index]) << "' has size "
             << *sizes[index] << " in " << places[index] << " but size " << size
             << " in " << place;
    if (!sizes[index])
      places[index] = place.str();
    sizes[index] = size;
    return success();
  }

  LogicalResult unifyAll();
  bool findWindow();

  Contraction &contraction;
  einsum::SpecAttr spec;
  SmallVector<std::optional<int64_t>> sizes;
  SmallVector<std::string> places;
};
} // namespace

LogicalResult Resolver::unifyAll() {
  if (DictionaryAttr attr = contraction.op.getSizesAttr())
    for (NamedAttribute entry : attr)
      if (failed(unify(spec.getIndices().find(entry.getName().getValue()),
                       cast<IntegerAttr>(entry.getValue()).getInt(),
                       "'sizes'")))
        return failure();
  for (auto [operand, map] : llvm::enumerate(spec.getMaps()))
    for (auto [axis, expr] : llvm::enumerate(map.getResults()))
      if (auto index = dyn_cast<AffineDimExpr>(expr))
        if (failed(unify(
                index.getPosition(), contraction.inputs[operand].shape[axis],
                "axis " + Twine(axis) + " of operand " + Twine(operand))))
          return failure();
  SmallVector<StringRef> names = spec.getTables();
  for (einsum::LookupAttr lookup : spec.getLookups()) {
    if (lookup.isIndex())
      continue;
    auto table = llvm::find(names, lookup.getTable()) - names.begin();
    for (auto [axis, index] : llvm::enumerate(lookup.getIndices()))
      if (failed(unify(index, contraction.tables[table].shape[axis],
                       "axis " + Twine(axis) + " of table '" +
                           lookup.getTable() + "'")))
        return failure();
  }
  for (unsigned index = 0; index < spec.getNumResultIndices(); ++index) {
    if (contraction.outs && failed(unify(index, contraction.outs->shape[index],
                                         "axis " + Twine(index) + " of outs")))
      return failure();
    int64_t size = contraction.op.getOutputType().getDimSize(index);
    if (!ShapedType::isDynamic(size) &&
        failed(unify(index, size, "axis " + Twine(index) + " of the result")))
      return failure();
  }
  return success();
}

/// Looks for an axis with one unknown, whose coefficient is positive: the reads
/// of the axis end before the operand does if
///
///   constant + coefficient * (size - 1) + reach of the others < dim.
///
/// (A read before the operand's begin is found as any other.) Returns whether a
/// size was found.
bool Resolver::findWindow() {
  for (auto [operand, map] : llvm::enumerate(spec.getMaps()))
    for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
      Linear linear;
      linear.coefficients.resize(spec.getNumIndices());
      if (failed(linear.add(expr, 1)))
        continue;
      SmallVector<unsigned> unknown;
      __int128 room = contraction.inputs[operand].shape[axis] - 1;
      room -= linear.constant;
      for (auto [index, coefficient] : llvm::enumerate(linear.coefficients)) {
        if (coefficient != 0 && !sizes[index])
          unknown.push_back(index);
        else if (coefficient > 0)
          room -= coefficient * (*sizes[index] - 1);
      }
      if (unknown.size() != 1)
        continue;
      __int128 coefficient = linear.coefficients[unknown.front()];
      if (coefficient <= 0)
        continue;
      sizes[unknown.front()] = room < 0 ? 0 : room / coefficient + 1;
      places[unknown.front()] =
          "the axis (" + spec.axisToString(operand, axis) + ")";
      return true;
    }
  return false;
}

LogicalResult interp::resolveSizes(Contraction &contraction) {
  return Resolver(contraction).run();
}
