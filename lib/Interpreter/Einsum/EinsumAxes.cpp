//===- EinsumAxes.cpp - The indices that a contraction reads at -----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Evaluates the axes of operands, with look-ups in tables, and explains reads
// that fail. Indices are integers: 64 bits that overflow are an error.
//
//===----------------------------------------------------------------------===//

#include "Einsum/Einsum.h"

#include "llvm/Support/CheckedArithmetic.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::interp;

/// The array that holds the elements of `lookup`.
static const Array &getTable(const Contraction &contraction,
                             einsum::LookupAttr lookup) {
  SmallVector<StringRef> names = contraction.spec.getTables();
  return contraction
      .tables[llvm::find(names, lookup.getTable()) - names.begin()];
}

static SmallVector<int64_t> getIndex(einsum::LookupAttr lookup,
                                     ArrayRef<int64_t> indices) {
  return llvm::map_to_vector(lookup.getIndices(),
                             [&](unsigned index) { return indices[index]; });
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

AxisTable::AxisTable(const Contraction &contraction)
    : contraction(contraction) {
  for (auto [operand, input] : llvm::enumerate(contraction.inputs)) {
    firstAxis.push_back(axes.size());
    for (auto [axis, size, stride] :
         llvm::enumerate(input.shape, getDenseStrides(input.shape)))
      axes.push_back({unsigned(operand), unsigned(axis), size, stride, {}});
  }
  firstAxis.push_back(axes.size());
}

SmallVector<int64_t> AxisTable::getIndices(int64_t row, int64_t reduced) const {
  ArrayRef<int64_t> sizes = contraction.sizes;
  SmallVector<int64_t> indices(sizes.size());
  for (int64_t index = sizes.size() - 1; index >= 0; --index) {
    int64_t &rest = contraction.spec.isReduction(index) ? reduced : row;
    indices[index] = rest % sizes[index];
    rest /= sizes[index];
  }
  return indices;
}

std::optional<int64_t>
AxisTable::evaluateAxis(const Axis &axis, ArrayRef<int64_t> indices,
                        std::optional<PointError> &error) const {
  einsum::SpecAttr spec = contraction.spec;
  auto symbol = [&](unsigned position) {
    einsum::LookupAttr lookup = spec.getLookups()[position];
    if (lookup.isIndex())
      return indices[lookup.getIndices().front()];
    const Array &table = getTable(contraction, lookup);
    return table.read(table.getPosition(getIndex(lookup, indices))).bits;
  };
  std::string reason;
  auto position =
      evaluate(spec.getMaps()[axis.operand].getResult(axis.position), indices,
               symbol, reason);
  if (!position)
    error = PointError{axis.operand, axis.position,
                       SmallVector<int64_t>(indices), std::nullopt, reason};
  return position;
}

std::optional<PointError> AxisTable::tabulate(int64_t first, int64_t count) {
  std::optional<PointError> error;
  SmallVector<int64_t> zeros = getIndices(0, 0);
  origin.clear();
  for (Axis &axis : axes) {
    auto position = evaluateAxis(axis, zeros, error);
    if (!position)
      return error;
    origin.push_back(*position);
    axis.addends.clear();
    axis.addends.reserve(count);
  }
  for (int64_t r = first; r < first + count; ++r) {
    SmallVector<int64_t> indices = getIndices(0, r);
    for (auto [axis, atOrigin] : llvm::zip_equal(axes, origin)) {
      auto position = evaluateAxis(axis, indices, error);
      if (!position)
        return error;
      auto addend = llvm::checkedSub(*position, atOrigin);
      if (!addend)
        return PointError{axis.operand, axis.position, indices, std::nullopt,
                          "overflows 64 bits"};
      axis.addends.push_back(*addend);
    }
  }
  offsets.assign(contraction.inputs.size(), std::vector<int64_t>(count));
  for (Axis &axis : axes) {
    auto [min, max] =
        std::minmax_element(axis.addends.begin(), axis.addends.end());
    axis.minAddend = *min;
    axis.maxAddend = *max;
    // Used only where the read is inside, and the sum then does not overflow.
    for (auto [offset, addend] :
         llvm::zip_equal(offsets[axis.operand], axis.addends))
      offset = static_cast<int64_t>(uint64_t(offset) +
                                    uint64_t(addend) * uint64_t(axis.stride));
  }
  return std::nullopt;
}

std::optional<PointError>
AxisTable::getBases(int64_t row, MutableArrayRef<int64_t> bases) const {
  std::optional<PointError> error;
  SmallVector<int64_t> indices = getIndices(row, 0);
  for (auto [axis, base] : llvm::zip_equal(axes, bases)) {
    auto position = evaluateAxis(axis, indices, error);
    if (!position)
      return error;
    base = *position;
    // So that sums of bases and addends are indices.
    if (!llvm::checkedAdd(base, axis.minAddend) ||
        !llvm::checkedAdd(base, axis.maxAddend))
      return PointError{axis.operand, axis.position, indices, std::nullopt,
                        "overflows 64 bits for some values of the reduced "
                        "indices"};
  }
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// Diagnostics
//===----------------------------------------------------------------------===//

LogicalResult interp::emitPointError(const Contraction &contraction,
                                     const PointError &error) {
  einsum::SpecAttr spec = contraction.spec;
  AffineExpr axis = spec.getMaps()[error.operand].getResult(error.axis);
  einsum::ContractOp op = contraction.op;
  auto diagnostic = op.emitError();

  SmallVector<einsum::LookupAttr> tables;
  axis.walk([&](AffineExpr expr) {
    if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
      if (auto lookup = spec.getLookups()[symbol.getPosition()];
          !lookup.isIndex() && !llvm::is_contained(tables, lookup))
        tables.push_back(lookup);
  });
  for (einsum::LookupAttr lookup : tables) {
    const Array &table = getTable(contraction, lookup);
    SmallVector<int64_t> position = getIndex(lookup, error.indices);
    diagnostic << "table '" << lookup.getTable() << "' at [";
    llvm::interleaveComma(position, diagnostic);
    diagnostic << "] holds " << table.read(table.getPosition(position)).bits
               << (lookup == tables.back() ? ": " : ", ");
  }

  diagnostic << "axis " << error.axis << " ("
             << spec.axisToString(error.operand, error.axis) << ") of operand "
             << error.operand;
  if (error.index)
    diagnostic << " reads index " << *error.index;
  else
    diagnostic << " " << error.reason;
  diagnostic << " at ";
  llvm::interleaveComma(llvm::enumerate(error.indices), diagnostic,
                        [&](auto index) {
                          diagnostic << Twine(spec.getIndices()[index.index()])
                                     << "=" << index.value();
                        });
  if (error.index)
    diagnostic << ", outside of its size "
               << contraction.inputs[error.operand].shape[error.axis];
  return diagnostic;
}
