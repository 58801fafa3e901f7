//===- MemRefCopyWithBorder.cpp - memref-copy-with-border -----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Needs what one-shot-bufferize makes of a tensor.pad: a buffer that is filled,
// and a copy into its middle. Afterwards each element is written once.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/MemRef/Transforms/CopyWithBorder.h"
#include "tileir/Dialect/MemRef/Transforms/Passes.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/PatternMatch.h"

namespace tileir {
#define GEN_PASS_DEF_MEMREFCOPYWITHBORDERPASS
#include "tileir/Dialect/MemRef/Transforms/Passes.h.inc"
} // namespace tileir

using namespace mlir;
using namespace tileir;
using memref_transforms::CopyIntoMiddle;

/// The constant that `op` fills all of `buffer` with; null if it does not.
static Value getFilled(Operation *op, Value buffer) {
  Value value;
  if (auto fill = dyn_cast<linalg::FillOp>(op); fill && fill.output() == buffer)
    value = fill.value();
  if (auto map = dyn_cast<linalg::MapOp>(op);
      map && map.getInputs().empty() && map.getInit() == buffer)
    value = map.getMapper().front().getTerminator()->getOperand(0);
  bool isConstant = value && matchPattern(value, m_Constant());
  return isConstant && !op->isAncestor(value.getDefiningOp()) ? value : Value();
}

/// Whether it is all of its memory, from the first element on, and has axes.
static bool isWhole(Value memref) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  return type && type.hasStaticShape() && type.getLayout().isIdentity() &&
         type.getRank() > 0 && type.getNumElements() > 0 &&
         type.getElementType().isIntOrFloat() &&
         type.getElementTypeBitWidth() % 8 == 0;
}

namespace {

struct MemRefCopyWithBorderPass
    : tileir::impl::MemRefCopyWithBorderPassBase<MemRefCopyWithBorderPass> {
  using Base::Base;

  void runOnOperation() override {
    SmallVector<CopyIntoMiddle> copies;
    getOperation().walk([&](memref::CopyOp op) {
      if (auto found = CopyIntoMiddle::match(op))
        copies.push_back(*found);
    });
    for (CopyIntoMiddle found : copies)
      replace(found);
    numReplaced += copies.size();
  }

private:
  void replace(CopyIntoMiddle found) {
    IRRewriter rewriter(found.copy);
    memref_transforms::emitCopyWithBorder(
        rewriter, found.copy.getLoc(), found.copy.getSource(), found.buffer,
        found.middle.getStaticOffsets(), found.border, parallel);
    rewriter.eraseOp(found.copy);
    rewriter.eraseOp(found.fill);
    if (found.middle.use_empty())
      rewriter.eraseOp(found.middle);
  }
};

} // namespace

std::optional<CopyIntoMiddle> CopyIntoMiddle::match(memref::CopyOp copy) {
  CopyIntoMiddle found;
  found.copy = copy;
  found.middle = copy.getTarget().getDefiningOp<memref::SubViewOp>();
  if (!found.middle || !isWhole(copy.getSource()) ||
      !isWhole(found.middle.getSource()) ||
      found.middle.getSourceType().getRank() !=
          found.middle.getType().getRank() ||
      ShapedType::isDynamicShape(found.middle.getStaticOffsets()) ||
      !found.middle.hasUnitStride())
    return std::nullopt;
  found.buffer = found.middle.getSource();
  if (!found.buffer.getDefiningOp<memref::AllocOp>() ||
      found.buffer == copy.getSource())
    return std::nullopt;
  Block *block = copy->getBlock();
  for (Operation *user : found.buffer.getUsers()) {
    if (user == found.middle)
      continue;
    Operation *here = block->findAncestorOpInBlock(*user);
    if (!here)
      return std::nullopt;
    if (copy->isBeforeInBlock(here))
      continue;
    // It is read in between, or written otherwise.
    found.border = found.fill ? Value() : getFilled(user, found.buffer);
    if (!found.border || here != user)
      return std::nullopt;
    found.fill = user;
  }
  bool hasOthers = llvm::any_of(found.middle->getUsers(), [&](Operation *user) {
    return user != copy &&
           !(block->findAncestorOpInBlock(*user) &&
             copy->isBeforeInBlock(block->findAncestorOpInBlock(*user)));
  });
  if (!found.fill || hasOthers)
    return std::nullopt;
  return found;
}
