//===- WidenBooleans.cpp - Buffers of i1 as bytes -------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A buffer and the views of it get elements of i8, which are 0 or 1: regions
// truncate what they take from it, and extend what they yield to it. Buffers
// that anything else sees, as a caller does, keep i1. Of an argument that is
// only read the host makes a copy of bytes.
//
//===----------------------------------------------------------------------===//

#include "WidenBooleans.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::linalg_to_tile;

static bool isBoolean(Value memref) {
  auto type = dyn_cast<MemRefType>(memref.getType());
  return type && type.getElementType().isInteger(1);
}

static bool isView(Operation *op) {
  return isa<memref::CastOp, memref::CollapseShapeOp, memref::ExpandShapeOp,
             memref::SubViewOp, memref::TransposeOp>(op);
}

/// The elements of a constant as bytes; null if they are not at hand.
static DenseElementsAttr getBytes(memref::GlobalOp global) {
  auto elements = dyn_cast_if_present<DenseIntElementsAttr>(
      global.getInitialValue().value_or(Attribute()));
  if (!elements || !global.getConstant())
    return {};
  return elements.mapValues(IntegerType::get(global.getContext(), 8),
                            [](const APInt &value) { return value.zext(8); });
}

namespace {
class BooleanWidener {
public:
  BooleanWidener(func::FuncOp function, SymbolTable &symbols)
      : symbols(symbols), rewriter(function.getContext()) {}

  /// Widens the buffer that `op` makes, if that can be done.
  void widen(Operation *op);
  /// Reads bytes in the place of an argument, if that can be done.
  void widen(BlockArgument argument);

private:
  bool canWiden(Operation *op);
  bool addViews();
  bool isWritten();
  void widenUses();
  void widenConstant(memref::GetGlobalOp op);
  void widenOp(Operation *op);
  void widenStructuredOp(linalg::LinalgOp op);

  SymbolTable &symbols;
  IRRewriter rewriter;
  llvm::SetVector<Value> memrefs; // a buffer and its views
};
} // namespace

bool BooleanWidener::canWiden(Operation *op) {
  if (isa<memref::AllocOp, memref::AllocaOp>(op))
    return true;
  auto get = cast<memref::GetGlobalOp>(op);
  auto global = symbols.lookup<memref::GlobalOp>(get.getName());
  return global && getBytes(global);
}

/// Finds all views of the buffer; says whether all uses can be rewritten.
bool BooleanWidener::addViews() {
  for (unsigned i = 0; i < memrefs.size(); ++i)
    for (Operation *user : memrefs[i].getUsers()) {
      auto structured = dyn_cast<linalg::LinalgOp>(user);
      if (isView(user))
        memrefs.insert(user->getResult(0));
      else if (structured ? !structured.hasPureBufferSemantics()
                          : !isa<memref::LoadOp, memref::StoreOp, memref::DimOp,
                                 memref::DeallocOp>(user))
        return false;
    }
  return true;
}

void BooleanWidener::widenConstant(memref::GetGlobalOp op) {
  auto global = symbols.lookup<memref::GlobalOp>(op.getName());
  auto wide = cast<memref::GlobalOp>(global->clone());
  wide.setType(cast<MemRefType>(global.getType().clone(rewriter.getI8Type())));
  wide.setInitialValueAttr(getBytes(global));
  symbols.insert(wide, std::next(Block::iterator(global)));
  op.setName(wide.getSymName());
}

void BooleanWidener::widenStructuredOp(linalg::LinalgOp op) {
  // The regions of other named ops follow from their operands.
  if (!isa<linalg::GenericOp, linalg::MapOp, linalg::ReduceOp>(*op)) {
    rewriter.setInsertionPoint(op);
    auto generic = linalg::generalizeNamedOp(rewriter, op);
    if (failed(generic))
      return;
    op = *generic;
  }
  Block *body = op.getBlock();
  for (OpOperand &operand : op->getOpOperands()) {
    if (!memrefs.contains(operand.get()))
      continue;
    unsigned number = operand.getOperandNumber();
    if (number < body->getNumArguments()) {
      BlockArgument argument = body->getArgument(number);
      rewriter.setInsertionPointToStart(body);
      argument.setType(rewriter.getI8Type());
      auto value = arith::TruncIOp::create(rewriter, op.getLoc(),
                                           rewriter.getI1Type(), argument);
      argument.replaceAllUsesExcept(value, value);
    }
    if (!op.isDpsInit(&operand))
      continue;
    Operation *yield = body->getTerminator();
    OpOperand &yielded = yield->getOpOperand(number - op.getNumDpsInputs());
    rewriter.setInsertionPoint(yield);
    yielded.set(arith::ExtUIOp::create(rewriter, op.getLoc(),
                                       rewriter.getI8Type(), yielded.get()));
  }
}

void BooleanWidener::widenOp(Operation *op) {
  if (auto structured = dyn_cast<linalg::LinalgOp>(op))
    return widenStructuredOp(structured);
  if (auto load = dyn_cast<memref::LoadOp>(op)) {
    Value result = load.getResult();
    result.setType(rewriter.getI8Type());
    rewriter.setInsertionPointAfter(op);
    auto value = arith::TruncIOp::create(rewriter, op->getLoc(),
                                         rewriter.getI1Type(), result);
    result.replaceAllUsesExcept(value, value);
  } else if (auto store = dyn_cast<memref::StoreOp>(op)) {
    rewriter.setInsertionPoint(op);
    store.getValueMutable().assign(arith::ExtUIOp::create(
        rewriter, op->getLoc(), rewriter.getI8Type(), store.getValueToStore()));
  }
}

/// Whether an op writes what has been found of the buffer.
bool BooleanWidener::isWritten() {
  return llvm::any_of(memrefs, [](Value memref) {
    return llvm::any_of(memref.getUses(), [](OpOperand &use) {
      auto structured = dyn_cast<linalg::LinalgOp>(use.getOwner());
      return structured
                 ? structured.isDpsInit(&use)
                 : isa<memref::StoreOp, memref::DeallocOp>(use.getOwner());
    });
  });
}

void BooleanWidener::widen(Operation *op) {
  memrefs.clear();
  memrefs.insert(op->getResult(0));
  if (!canWiden(op) || !addViews())
    return;
  if (auto get = dyn_cast<memref::GetGlobalOp>(op))
    widenConstant(get);
  widenUses();
}

void BooleanWidener::widen(BlockArgument argument) {
  memrefs.clear();
  memrefs.insert(argument);
  auto type = cast<MemRefType>(argument.getType());
  // The buffer is without gaps, and so have to be what is viewed.
  if (argument.use_empty() || !type.getLayout().isIdentity() || !addViews() ||
      isWritten())
    return;
  Block *body = argument.getOwner();
  Location loc = argument.getLoc();
  rewriter.setInsertionPointToStart(body);
  auto bytes = memref::AllocOp::create(
      rewriter, loc, memref::getMixedSizes(rewriter, loc, argument),
      type.getElementType(), type.getMemorySpace());
  argument.replaceUsesWithIf(bytes, [](OpOperand &use) {
    return !isa<memref::DimOp>(use.getOwner());
  });
  linalg::CopyOp::create(rewriter, loc, Value(argument), bytes.getResult());
  rewriter.setInsertionPoint(body->getTerminator());
  memref::DeallocOp::create(rewriter, loc, bytes);
  widen(bytes);
}

void BooleanWidener::widenUses() {
  llvm::SetVector<Operation *> users;
  for (Value memref : memrefs) {
    users.insert_range(memref.getUsers());
    memref.setType(
        cast<MemRefType>(memref.getType()).clone(rewriter.getI8Type()));
  }
  for (Operation *user : users)
    widenOp(user);
}

void linalg_to_tile::widenBooleans(func::FuncOp function,
                                   SymbolTable &symbols) {
  SmallVector<Operation *> buffers;
  function.walk([&](Operation *op) {
    if (isa<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(op) &&
        isBoolean(op->getResult(0)))
      buffers.push_back(op);
  });
  BooleanWidener widener(function, symbols);
  for (Operation *op : buffers)
    widener.widen(op);
  for (BlockArgument argument : function.getArguments())
    if (isBoolean(argument) && function.getBody().hasOneBlock())
      widener.widen(argument);
}
