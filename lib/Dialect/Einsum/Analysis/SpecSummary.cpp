//===- SpecSummary.cpp - A specification in words -------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Three paragraphs: the sum that is computed, a table of the indices, and where
// the expressions read.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/Analysis/SpecSummary.h"

#include "tileir/Dialect/Einsum/Analysis/ContractionDims.h"
#include "tileir/Dialect/Einsum/IR/IndexSizes.h"

using namespace mlir;
using namespace tileir::einsum;

/// The sum as a line of code: result[m, n] = sum over k of input0[m, k] * ...
static void printFormula(llvm::raw_ostream &os, SpecAttr spec) {
  StringRef indices = spec.getIndices();
  unsigned numResult = spec.getNumResultIndices();
  os << "result[";
  llvm::interleaveComma(indices.take_front(numResult), os);
  os << "] = ";
  if (StringRef summed = indices.drop_front(numResult); !summed.empty()) {
    os << "sum over ";
    llvm::interleaveComma(summed, os);
    os << " of ";
  }
  llvm::interleave(
      llvm::seq(spec.getNumOperands()), os,
      [&](unsigned operand) {
        os << "input" << operand << "[";
        llvm::interleaveComma(
            spec.getMaps()[operand].getResults(), os,
            [&](AffineExpr axis) { spec.printAxis(os, axis); });
        os << "]";
      },
      " * ");
}

/// Where an axis that is no bare index reads, when indices have `sizes`.
static void printAxisReads(llvm::raw_ostream &os, SpecAttr spec, ContractOp op,
                           unsigned operand, unsigned axis,
                           ArrayRef<int64_t> sizes) {
  AffineExpr expr = spec.getMaps()[operand].getResult(axis);
  os << "- axis " << axis << " of operand " << operand << " is read at `";
  spec.printAxis(os, expr);
  os << "`";
  int64_t size =
      op ? cast<ShapedType>(op.getInputs()[operand].getType()).getDimSize(axis)
         : ShapedType::kDynamic;
  if (spec.usesTable(expr))
    os << ", where a table leads";
  else if (auto range = getIndexRange(expr, spec, sizes))
    os << ", " << range->min << " to " << range->max;
  if (!ShapedType::isDynamic(size))
    os << "; its size is " << size;
  os << "\n";
}

void tileir::einsum::printSummary(llvm::raw_ostream &os, SpecAttr spec,
                                  ContractOp op) {
  SmallVector<int64_t> sizes(spec.getNumIndices(), ShapedType::kDynamic);
  if (op)
    sizes = getStaticIndexSizes(op);
  os << "```text\n";
  printFormula(os, spec);
  os << "\n```\n";

  if (spec.getNumIndices() != 0)
    os << "\n| index | size | |\n|---|---|---|\n";
  for (auto [index, size] : llvm::enumerate(sizes)) {
    os << "| " << spec.getIndices()[index] << " | ";
    if (ShapedType::isDynamic(size))
      os << "?";
    else
      os << size;
    // In capitals, since letters are indices.
    StringRef dim = stringify(spec.getContractionDim(index));
    os << " | " << (dim.size() == 1 ? dim.upper() : dim.str())
       << (spec.isReduction(index) ? ", summed over" : "") << " |\n";
  }

  std::string reads;
  llvm::raw_string_ostream readsStream(reads);
  for (unsigned operand = 0; operand < spec.getNumOperands(); ++operand)
    for (unsigned axis = 0; axis < spec.getMaps()[operand].getNumResults();
         ++axis)
      if (!spec.getBareIndex(operand, axis))
        printAxisReads(readsStream, spec, op, operand, axis, sizes);
  if (!reads.empty())
    os << "\n" << reads;
  if (op && op.isPadded())
    os << "\nReads outside of an operand give 0.\n";

  auto all = llvm::to_vector(llvm::seq(spec.getNumIndices()));
  int64_t total = getTotalSize(all, sizes);
  // More operands are contracted in pairs, with fewer multiplications.
  if (spec.getNumOperands() == 2 && !ShapedType::isDynamic(total))
    os << "\n" << total << " multiplications.\n";
}
