//===- CollapseLoops.cpp - Loops that are gone through as one -------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rows of an image are short, but a channel of it is one row of memory. So are
// all elements of an op whose operands have its shape.
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"

#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tileir;

/// Whether all operands go through the loops `first` and the next one as
/// through one.
static bool isOne(linalg::GenericOp op, unsigned first) {
  return llvm::all_of(op->getOpOperands(), [&](OpOperand &operand) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    bool hasFirst = map.isFunctionOfDim(first);
    if (hasFirst != map.isFunctionOfDim(first + 1))
      return false;
    if (!hasFirst)
      return true;
    auto axis = map.getResultPosition(getAffineDimExpr(first, op.getContext()));
    auto next =
        map.getResultPosition(getAffineDimExpr(first + 1, op.getContext()));
    return axis && next && *axis + 1 == *next;
  });
}

void linalg_to_vector::collapseLoops(Operation *root) {
  SmallVector<linalg::GenericOp> ops;
  root->walk([&](linalg::GenericOp op) { ops.push_back(op); });
  for (linalg::GenericOp op : ops) {
    // A collapse of a memref needs dense elements; an index would be divided.
    if (!op.hasPureBufferSemantics() || op.hasIndexSemantics() ||
        ShapedType::isDynamicShape(op.getStaticLoopRanges()) ||
        llvm::any_of(op->getOperands(),
                     [](Value operand) {
                       auto type = dyn_cast<MemRefType>(operand.getType());
                       return type && !type.getLayout().isIdentity();
                     }) ||
        llvm::any_of(op.getIndexingMapsArray(), [](AffineMap map) {
          return !map.isProjectedPermutation();
        }))
      continue;
    auto kinds = op.getIteratorTypesArray();
    SmallVector<ReassociationIndices> groups;
    for (unsigned loop = 0; loop < op.getNumLoops(); ++loop)
      if (loop > 0 && kinds[loop - 1] == kinds[loop] && isOne(op, loop - 1))
        groups.back().push_back(loop);
      else
        groups.push_back({static_cast<int64_t>(loop)});
    if (groups.size() == op.getNumLoops())
      continue;
    IRRewriter rewriter(op);
    if (succeeded(linalg::collapseOpIterationDims(op, groups, rewriter)))
      rewriter.eraseOp(op);
  }
}
