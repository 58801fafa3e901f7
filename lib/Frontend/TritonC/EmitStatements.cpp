//===- EmitStatements.cpp - Statements as structured SSA ------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Emitter.h"

#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace tileir::triton_c {

void Emitter::emitBody(const std::vector<Stmt *> &body) {
  for (const Stmt *stmt : body)
    emitStmt(*stmt);
}

void Emitter::emitStmt(const Stmt &stmt) {
  switch (stmt.kind) {
  case StmtKind::Block:
    return emitBody(stmt.body);
  case StmtKind::Declaration:
    // A constant is no value.
    if (stmt.value)
      emitAssignment(stmt);
    return;
  case StmtKind::Assignment:
    return stmt.target->kind == ExprKind::Load ? emitStore(stmt)
                                               : emitAssignment(stmt);
  case StmtKind::Expression:
    emit(*stmt.value);
    return;
  case StmtKind::If:
    return emitIf(stmt);
  case StmtKind::For:
    return stmt.counting ? emitCountedFor(stmt) : emitWhile(stmt);
  case StmtKind::Predicated:
    values[stmt.variable] = emit(*stmt.condition);
    return emitBody(stmt.body);
  case StmtKind::Return:
    return;
  }
}

void Emitter::emitAssignment(const Stmt &stmt) {
  if (!stmt.condition) {
    values[stmt.variable] = emit(*stmt.value);
    return;
  }
  Location loc = getLoc(stmt.place);
  Value predicate = emitPredicate(*stmt.condition);
  Value value = emit(*stmt.value, predicate);
  SmallVector<Value> predicates, merged;
  if (stmt.hasOldValue) {
    Type type = predicate.getType();
    Value always = emitConstant(loc, builder.getI1Type(), int64_t(1));
    if (isa<RankedTensorType>(type))
      always = emitSplat(loc, always, cast<RankedTensorType>(type).getShape());
    predicates.push_back(always);
    merged.push_back(values.lookup(stmt.variable));
  }
  predicates.push_back(predicate);
  merged.push_back(value);
  values[stmt.variable] =
      tile::PsiOp::create(builder, loc, value.getType(), predicates, merged);
}

void Emitter::emitStore(const Stmt &stmt) {
  Location loc = getLoc(stmt.place);
  Value predicate;
  if (stmt.condition)
    predicate = emitPredicate(*stmt.condition);
  const Expr &pointer = *stmt.target->operands[0];
  Value address = emit(pointer, predicate);
  Value mask;
  if (stmt.target->operands.size() > 1)
    mask = emit(*stmt.target->operands[1], predicate);
  // `*p += v` reads what it writes.
  shared[&pointer] = address;
  if (mask)
    shared[stmt.target->operands[1]] = mask;
  Value value = emit(*stmt.value, predicate);
  shared.clear();
  mask =
      toShape(loc, combineMasks(loc, predicate, mask), stmt.target->type.shape);
  tile::StoreOp::create(builder, loc, address, value, mask);
}

SmallVector<Value> Emitter::getValues(ArrayRef<Variable *> variables) {
  SmallVector<Value> result;
  for (Variable *variable : variables)
    result.push_back(values.lookup(variable));
  return result;
}

void Emitter::setValues(ArrayRef<Variable *> variables, ValueRange results) {
  for (auto [variable, value] : llvm::zip_equal(variables, results))
    values[variable] = value;
}

void Emitter::emitIf(const Stmt &stmt) {
  Location loc = getLoc(stmt.place);
  Value condition = emit(*stmt.condition);
  SmallVector<Type> types;
  for (Variable *variable : stmt.carried)
    types.push_back(getType(variable->type));
  bool hasElse = !types.empty() || !stmt.orElse.empty();
  auto op = scf::IfOp::create(builder, loc, types, condition, hasElse);
  auto before = values;
  auto emitArm = [&](Block *block, const std::vector<Stmt *> &body) {
    OpBuilder::InsertionGuard guard(builder);
    // A block without results has its terminator already.
    if (block->empty()) {
      builder.setInsertionPointToEnd(block);
      emitBody(body);
      scf::YieldOp::create(builder, loc, getValues(stmt.carried));
    } else {
      builder.setInsertionPoint(block->getTerminator());
      emitBody(body);
    }
    values = before;
  };
  emitArm(op.thenBlock(), stmt.body);
  if (hasElse)
    emitArm(op.elseBlock(), stmt.orElse);
  setValues(stmt.carried, op.getResults());
}

void Emitter::emitCountedFor(const Stmt &stmt) {
  const Counting &counting = *stmt.counting;
  emitStmt(*stmt.init);
  Location loc = getLoc(stmt.place);
  Value first = values.lookup(counting.variable);
  Value bound = emit(*counting.bound);
  Type type = first.getType();
  bool isDown = counting.isDown;
  Value one = emitConstant(loc, type, int64_t(1));
  Value step = emit(*counting.step);
  // Downwards it counts how far it has come.
  Value start = isDown ? emitConstant(loc, type, int64_t(0)) : first;
  Value end =
      isDown ? arith::SubIOp::create(builder, loc, first, bound) : bound;
  if (counting.isInclusive)
    end = arith::AddIOp::create(builder, loc, end, one);
  SmallVector<Variable *> carried;
  for (Variable *variable : stmt.carried)
    if (variable != counting.variable || !counting.isLocal)
      carried.push_back(variable);
  auto before = values;
  auto op = scf::ForOp::create(
      builder, loc, start, end, step, getValues(carried),
      [&](OpBuilder &, Location, Value index, ValueRange arguments) {});
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *body = op.getBody();
    if (!body->empty())
      body->getTerminator()->erase();
    builder.setInsertionPointToEnd(body);
    setValues(carried, op.getRegionIterArgs());
    Value index = op.getInductionVar();
    if (isDown)
      index = arith::SubIOp::create(builder, loc, first, index);
    values[counting.variable] = index;
    emitBody(stmt.body);
    if (!counting.isLocal)
      emitBody(stmt.steps);
    scf::YieldOp::create(builder, loc, getValues(carried));
  }
  values = std::move(before);
  setValues(carried, op.getResults());
}

void Emitter::emitWhile(const Stmt &stmt) {
  if (stmt.init)
    emitStmt(*stmt.init);
  Location loc = getLoc(stmt.place);
  SmallVector<Value> inits = getValues(stmt.carried);
  SmallVector<Type> types(ValueRange(inits).getTypes());
  SmallVector<Location> locs(types.size(), loc);
  auto op = scf::WhileOp::create(builder, loc, types, inits);
  auto before = values;
  {
    OpBuilder::InsertionGuard guard(builder);
    Block *check = builder.createBlock(&op.getBefore(), {}, types, locs);
    setValues(stmt.carried, check->getArguments());
    Value condition = emit(*stmt.condition);
    scf::ConditionOp::create(builder, loc, condition, check->getArguments());
    Block *body = builder.createBlock(&op.getAfter(), {}, types, locs);
    setValues(stmt.carried, body->getArguments());
    emitBody(stmt.body);
    emitBody(stmt.steps);
    scf::YieldOp::create(builder, loc, getValues(stmt.carried));
  }
  values = std::move(before);
  setValues(stmt.carried, op.getResults());
}

} // namespace tileir::triton_c
