//===- TableChecks.cpp - Reads that tables lead to ------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// For each value of the indices in brackets, the axis is evaluated with the
// other indices as intervals. That may enclose more than is read, where there
// are remainders: only then each point is looked at.
//
//===----------------------------------------------------------------------===//

#include "TableChecks.h"

#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::tensor_operation;

TableChecks::TableChecks(const EinsumDescription &description,
                         const SpecText &text, SpecAttr spec,
                         ArrayRef<int64_t> sizes,
                         ArrayRef<std::pair<std::string, OperationType>> tables)
    : spec(spec), sizes(sizes), numOperands(description.shapes.size()),
      tables(tables), indices(spec.getIndices()) {
  if (is_contained(sizes, 0)) // nothing is read
    return;
  for (auto [operand, map] : enumerate(spec.getMaps()))
    for (auto [number, expr] : enumerate(map.getResults())) {
      if (!spec.usesTable(expr))
        continue;
      Axis &axis = axes.emplace_back();
      if (description.padding != "zero")
        axis.size = description.shapes[operand][number];
      axis.details = text.atAxis(operand, number);
      axis.details.kind = ErrorDetails::Kind::Table;
      axis.text = spec.axisToString(operand, number);
      addNode(axis, expr);
      for (unsigned index = 0; index < sizes.size(); ++index)
        if (spec.usesIndex(expr, index) && !is_contained(axis.lookedUp, index))
          axis.plain.push_back(index);
    }
}

size_t TableChecks::addNode(Axis &axis, AffineExpr expr) {
  Node node;
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    node.kind = Node::Constant;
    node.value = constant.getValue();
  } else if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
    node.kind = Node::Index;
    node.value = dim.getPosition();
  } else if (auto symbol = dyn_cast<AffineSymbolExpr>(expr)) {
    LookupAttr lookup = spec.getLookups()[symbol.getPosition()];
    if (lookup.isIndex()) {
      node.kind = Node::Index;
      node.value = lookup.getIndices().front();
    } else {
      node.kind = Node::Table;
      auto *table = find_if(
          tables, [&](auto &t) { return t.first == lookup.getTable(); });
      node.input = numOperands + (table - tables.begin());
      node.isWide = table->second == OperationType::I64;
      int64_t stride = 1;
      for (unsigned index : llvm::reverse(lookup.getIndices())) {
        node.strides.emplace_back(index, stride);
        stride *= sizes[index];
        if (!is_contained(axis.lookedUp, index))
          axis.lookedUp.push_back(index);
      }
    }
  } else {
    auto binary = cast<AffineBinaryOpExpr>(expr);
    node.lhs = addNode(axis, binary.getLHS());
    node.rhs = addNode(axis, binary.getRHS());
    node.kind = binary.getKind() == AffineExprKind::Add   ? Node::Add
                : binary.getKind() == AffineExprKind::Mul ? Node::Mul
                : binary.getKind() == AffineExprKind::Mod ? Node::Mod
                                                          : Node::Div;
  }
  axis.nodes.push_back(std::move(node));
  return axis.nodes.size() - 1;
}

/// Returns what is wrong if the indices of `axis` take the values of `point`:
/// intervals of which those in brackets have one value.
std::optional<std::string>
TableChecks::checkPoint(const Axis &axis, const void *const *inputs,
                        ArrayRef<Interval> point) const {
  SmallVector<Interval, 16> values;
  for (const Node &node : axis.nodes) {
    Interval value = {node.value, node.value};
    if (node.kind == Node::Index) {
      value = point[node.value];
    } else if (node.kind == Node::Table) {
      int64_t offset = 0;
      for (auto [index, stride] : node.strides)
        offset += point[index].min * stride;
      value.min =
          node.isWide
              ? static_cast<const int64_t *>(inputs[node.input])[offset]
              : static_cast<const int32_t *>(inputs[node.input])[offset];
      value.max = value.min;
    } else if (node.kind != Node::Constant) {
      Interval lhs = values[node.lhs], rhs = values[node.rhs];
      bool divides = node.kind == Node::Div || node.kind == Node::Mod;
      if (divides && rhs.min < 1)
        return formatv("divides by {0}: expected a positive divisor", rhs.min)
            .str();
      // Operators but the remainder are monotonic in each argument.
      bool isFirst = true;
      for (int64_t l : {lhs.min, lhs.max})
        for (int64_t r : {rhs.min, rhs.max}) {
          std::optional<int64_t> corner =
              node.kind == Node::Add   ? checkedAdd(l, r)
              : node.kind == Node::Mul ? checkedMul(l, r)
              : node.kind == Node::Mod ? mod(l, r)
                                       : divideFloorSigned(l, r);
          if (!corner)
            return std::string("overflows 64 bits: expected smaller entries");
          value.min = isFirst ? *corner : std::min(value.min, *corner);
          value.max = isFirst ? *corner : std::max(value.max, *corner);
          isFirst = false;
        }
      if (node.kind == Node::Mod && (lhs.min != lhs.max || rhs.min != rhs.max))
        value = {0, rhs.max - 1};
    }
    values.push_back(value);
  }
  Interval read = values.back();
  if (!axis.size || (read.min >= 0 && read.max < *axis.size))
    return std::nullopt;
  return formatv("reads index {0}, outside of its size {1}: expected an index "
                 "in [0, {1}); change the table or pad with zeros",
                 read.min < 0 ? read.min : read.max, *axis.size)
      .str();
}

std::string TableChecks::describe(ArrayRef<unsigned> used,
                                  ArrayRef<Interval> point) const {
  std::string text;
  for (unsigned index : used)
    text += formatv("{0}{1} = {2}", text.empty() ? "" : ", ", indices[index],
                    point[index].min);
  return text;
}

std::optional<TableChecks::Failure>
TableChecks::checkAxis(const Axis &axis, const void *const *inputs) const {
  SmallVector<Interval> point;
  for (int64_t size : sizes)
    point.push_back({0, size - 1});
  for (unsigned index : axis.lookedUp)
    point[index] = {0, 0};
  // Moves to the next point of `used`, and says whether there is one.
  auto advance = [&](ArrayRef<unsigned> used) {
    for (unsigned index : llvm::reverse(used)) {
      int64_t next = point[index].min + 1;
      bool isOver = next == sizes[index];
      point[index] = isOver ? Interval{0, 0} : Interval{next, next};
      if (!isOver)
        return true;
    }
    return false;
  };
  do {
    if (!checkPoint(axis, inputs, point))
      continue;
    for (unsigned index : axis.plain)
      point[index] = {0, 0};
    do
      if (auto wrong = checkPoint(axis, inputs, point)) {
        SmallVector<unsigned> used(axis.lookedUp);
        used.append(axis.plain);
        return Failure{formatv("axis {0} of operand {1} ({2}), at {3}, {4}",
                               axis.details.axis, axis.details.operand,
                               axis.text, describe(used, point), *wrong)
                           .str(),
                       axis.details};
      }
    while (advance(axis.plain));
    for (unsigned index : axis.plain)
      point[index] = {0, sizes[index] - 1};
  } while (advance(axis.lookedUp));
  return std::nullopt;
}

std::optional<TableChecks::Failure>
TableChecks::check(const void *const *inputs) const {
  for (const Axis &axis : axes)
    if (auto failure = checkAxis(axis, inputs))
      return failure;
  return std::nullopt;
}
