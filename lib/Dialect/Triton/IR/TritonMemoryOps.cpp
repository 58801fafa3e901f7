//===- TritonMemoryOps.cpp - Verifiers of accesses and pointers -----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Triton/IR/Triton.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::triton;

/// The element in place of those of both types: whether their shapes agree.
static bool haveSameShape(Type lhs, Type rhs) {
  return withElement(lhs, getElement(rhs)) == rhs;
}

LogicalResult triton::AddPtrOp::verify() {
  if (haveSameShape(getPtr().getType(), getOffset().getType()))
    return success();
  return emitOpError("expects offsets of the pointers' shape, found ")
         << getPtr().getType() << " and " << getOffset().getType() << " (TT12)";
}

/// TT13.
static LogicalResult verifyAtomic(Operation *op, Type pointers, Type values,
                                  Type mask = {}) {
  if (values != getPointee(pointers))
    return op->emitOpError("expects values of ")
           << getPointee(pointers) << " for pointers of " << pointers
           << ", found " << values << " (TT13)";
  if (mask && !haveSameShape(mask, pointers))
    return op->emitOpError("expects a mask of the pointers' shape, found ")
           << mask << " for " << pointers << " (TT13)";
  return success();
}

LogicalResult triton::AtomicRMWOp::verify() {
  return verifyAtomic(*this, getPtr().getType(), getVal().getType(),
                      getMask() ? getMask().getType() : Type());
}

LogicalResult triton::AtomicCASOp::verify() {
  return verifyAtomic(*this, getPtr().getType(), getVal().getType());
}

LogicalResult triton::BitcastOp::verify() {
  Type from = getElement(getSrc().getType()), to = getElement(getType());
  bool areNumbers = from.isIntOrFloat() && to.isIntOrFloat();
  if (areNumbers ? from.getIntOrFloatBitWidth() == to.getIntOrFloatBitWidth()
                 : isa<PtrType>(from) && isa<PtrType>(to))
    return success();
  return emitOpError("expects numbers of one width, or pointers, found ")
         << from << " and " << to << " (TT14)";
}

static void
addEffects(bool isPure,
           SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
               &effects) {
  if (isPure)
    return;
  effects.emplace_back(MemoryEffects::Read::get());
  effects.emplace_back(MemoryEffects::Write::get());
}

void triton::ExternElementwiseOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  addEffects(getPure(), effects);
}

void triton::ElementwiseInlineAsmOp::getEffects(
    SmallVectorImpl<SideEffects::EffectInstance<MemoryEffects::Effect>>
        &effects) {
  addEffects(getPure(), effects);
}
