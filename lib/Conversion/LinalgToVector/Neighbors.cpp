//===- Neighbors.cpp - What comes before an op on a buffer ----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Patterns.h"
#include "tileir/Dialect/MemRef/Transforms/OwnMemory.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::linalg_to_vector;

/// Whether nothing but `buffer` leads to its memory: to what is allocated, an
/// argument that says so, or the only view of one of these.
static bool isAlone(Value buffer) {
  if (auto view = buffer.getDefiningOp<ViewLikeOpInterface>())
    return view.getViewSource().hasOneUse() && isAlone(view.getViewSource());
  return buffer.getDefiningOp<memref::AllocOp>() ||
         memref_transforms::isArgumentOfOwnMemory(buffer);
}

/// The last op of its block before `op` that uses a buffer, or has an op in it
/// that does; null if there is none, or another value may be the buffer, too.
static Operation *findLastUser(Operation *op, Value buffer) {
  if (!isAlone(buffer))
    return nullptr;
  Operation *last = nullptr;
  for (Operation *user : buffer.getUsers()) {
    if (llvm::any_of(user->getResultTypes(), llvm::IsaPred<MemRefType>))
      return nullptr;
    Operation *before = op->getBlock()->findAncestorOpInBlock(*user);
    if (before && before != op && before->isBeforeInBlock(op) &&
        (!last || last->isBeforeInBlock(before)))
      last = before;
  }
  return last;
}

Value Fills::take(Operation *op, Value result) {
  auto fill = dyn_cast_or_null<linalg::FillOp>(findLastUser(op, result));
  if (!fill || fill.getOutputs().front() != result)
    return {};
  Value scalar = fill.getInputs().front();
  if (scalar.getType() != cast<MemRefType>(result.getType()).getElementType())
    return {};
  needless.push_back(fill);
  return scalar;
}

void Fills::erase() {
  for (Operation *fill : needless)
    fill->erase();
  needless.clear();
}

int64_t linalg_to_vector::getLanesOfLoop(Operation *op, Value buffer,
                                         int64_t lanes) {
  Operation *before = findLastUser(op, buffer);
  if (!before)
    return 0;
  for (Operation *user : buffer.getUsers()) {
    auto loop = user->getParentOfType<scf::ForOp>();
    if (!loop || !before->isAncestor(loop))
      continue;
    int64_t step = getConstantIntValue(loop.getStep()).value_or(0);
    if (step >= kLeastRow && step <= lanes && llvm::isPowerOf2_64(step))
      return step;
  }
  return 0;
}
