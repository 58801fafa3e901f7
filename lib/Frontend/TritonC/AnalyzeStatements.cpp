//===- AnalyzeStatements.cpp - Declarations and assignments -------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Frontend/TritonC/Analyzer.h"

namespace tileir::triton_c {

bool Analyzer::resolveType(const TypeSyntax &syntax, const Place &place,
                           ValueType &type) {
  type.element = syntax.element;
  type.isPointer = syntax.isPointer;
  type.isConst = syntax.isConst && syntax.isPointer;
  bool isRight = true;
  if (type.isPointer && type.element == Element::Bool) {
    diagnostics.error(place, "expected a pointer to numbers of 8 bits or more, "
                             "found bool*");
    isRight = false;
  }
  for (Expr *size : syntax.sizes) {
    auto value = getConstant(analyze(size), "the size of a tile");
    if (value && *value < 1)
      diagnostics.error(size->place, "expected a size of at least 1, found " +
                                         llvm::Twine(*value));
    isRight &= value && *value >= 1;
    type.shape.push_back(value ? *value : 1);
  }
  return isRight && checkSize(type.shape, place);
}

bool Analyzer::declare(Variable &variable) {
  auto [it, isNew] = scopes.back().try_emplace(variable.name, &variable);
  if (isNew)
    return true;
  diagnostics.error(variable.place,
                    "'" + variable.name + "' is declared a second time");
  diagnostics.note(it->second->place,
                   "'" + variable.name + "' is declared here first");
  return false;
}

void Analyzer::setAssigned(Variable &variable) {
  assigned.insert(&variable);
  for (auto &log : logs)
    log.insert(&variable);
}

Expr *Analyzer::getPredicate(Shape shape, const Place &place) {
  if (!predicate)
    return nullptr;
  Expr *name = make(ExprKind::Name, place, {}, predicate->type);
  name->variable = predicate;
  auto common = broadcastShapes(predicate->type.shape, shape);
  if (common && Shape(*common) == shape)
    return broadcast(name, shape);
  diagnostics.error(place,
                    "expected a predicate that fits " +
                        (shape.empty() ? std::string("a scalar")
                                       : "the shape " + toString(shape)) +
                        ", found " + predicate->type.str());
  diagnostics.note(predicate->place, "the predicate is here");
  return makeError(*name);
}

void Analyzer::analyzeBody(std::vector<Stmt *> &body) {
  for (Stmt *stmt : body) {
    if (diagnostics.isFull())
      return;
    analyzeStmt(*stmt);
    if (stmt->kind == StmtKind::Return && !predicate &&
        (stmt != body.back() || scopes.size() != 2))
      diagnostics.error(stmt->place,
                        "expected 'return' at the end of a kernel: put what "
                        "depends on a condition into an 'if'");
  }
}

void Analyzer::analyzeStmt(Stmt &stmt) {
  bool isPredicable =
      stmt.kind == StmtKind::Block || stmt.kind == StmtKind::Declaration ||
      stmt.kind == StmtKind::Assignment || stmt.kind == StmtKind::Expression ||
      stmt.kind == StmtKind::Predicated;
  if (predicate && !isPredicable) {
    diagnostics.error(stmt.place, "expected an assignment, a call or a block "
                                  "of them behind a predicate");
    diagnostics.note(predicate->place, "the predicate is here");
  }
  switch (stmt.kind) {
  case StmtKind::Block:
    scopes.emplace_back();
    analyzeBody(stmt.body);
    scopes.pop_back();
    return;
  case StmtKind::Declaration:
    return analyzeDeclaration(stmt);
  case StmtKind::Assignment:
    return analyzeAssignment(stmt);
  case StmtKind::Expression:
    stmt.value = analyze(stmt.value);
    if (!stmt.value->isError() && stmt.value->kind != ExprKind::Atomic)
      diagnostics.error(stmt.place, "expected an assignment or an atomic "
                                    "function, found an expression that has no "
                                    "effect");
    return;
  case StmtKind::If:
    return analyzeIf(stmt);
  case StmtKind::For:
    return analyzeFor(stmt);
  case StmtKind::Predicated:
    return analyzePredicated(stmt);
  case StmtKind::Return:
    return;
  }
}

void Analyzer::analyzeDeclaration(Stmt &stmt) {
  Variable &variable = *stmt.variable;
  bool isTyped = resolveType(variable.syntax, variable.place, variable.type);
  Expr *value = stmt.value ? analyze(stmt.value) : nullptr;
  declare(variable);
  if (!value) {
    if (variable.isConst)
      diagnostics.error(variable.place, "expected a value for the constant '" +
                                            variable.name + "'");
    // The error is told of; others would follow from it.
    if (!isTyped || variable.isConst)
      assigned.insert(&variable);
    return;
  }
  if (isTyped && !value->isError()) {
    stmt.value = coerce(value, variable.type, stmt.value->place,
                        "'" + variable.name + "'");
    if (!stmt.value->isError() && variable.isConst && !variable.type.isTile())
      variable.constant = stmt.value->constant;
    stmt.condition = getPredicate(variable.type.shape, stmt.place);
  }
  setAssigned(variable);
}

void Analyzer::analyzeAssignment(Stmt &stmt) {
  if (stmt.target->kind == ExprKind::Load)
    return analyzeStore(stmt);
  if (stmt.target->kind != ExprKind::Name) {
    diagnostics.error(stmt.target->place,
                      "expected a variable, '*p' or '*?(m)p' to assign");
    return;
  }
  Variable *variable = find(stmt.target->text);
  if (!variable) {
    analyzeName(stmt.target);
    analyze(stmt.value);
    return;
  }
  if (variable->isConst) {
    diagnostics.error(stmt.target->place,
                      "expected a variable on the left of '" + stmt.op +
                          "', found the constant '" + variable->name + "'");
    diagnostics.note(variable->place,
                     "'" + variable->name + "' is declared here");
    return;
  }
  Expr *value = analyze(stmt.value);
  if (stmt.op != "=") {
    Expr *old = analyzeName(stmt.target);
    if (!value->isError() && !old->isError())
      value =
          makeBinary(stmt.op.drop_back(), old, value,
                     spanPlaces(stmt.target->place, value->place, stmt.place));
  }
  stmt.hasOldValue = assigned.count(variable);
  if (!value->isError())
    stmt.value = coerce(value, variable->type, value->place,
                        "'" + variable->name + "'", variable);
  stmt.variable = variable;
  stmt.condition = getPredicate(variable->type.shape, stmt.place);
  setAssigned(*variable);
}

void Analyzer::analyzeStore(Stmt &stmt) {
  Expr *target = analyzeLoad(stmt.target);
  Expr *value = analyze(stmt.value);
  if (target->isError() || value->isError())
    return;
  const ValueType &pointer = target->operands[0]->type;
  if (pointer.isConst) {
    diagnostics.error(stmt.target->place,
                      "expected a pointer that may be written through, found "
                      "one to const values");
    return;
  }
  if (stmt.op != "=")
    value =
        makeBinary(stmt.op.drop_back(), target, value,
                   spanPlaces(stmt.target->place, value->place, stmt.place));
  if (value->isError())
    return;
  stmt.target = target;
  stmt.value =
      coerce(value, target->type, stmt.place, "what the pointers point at");
  if (stmt.value->isError())
    noteDeclarations({target->operands[0]});
  stmt.condition = getPredicate(target->type.shape, stmt.place);
}

void Analyzer::analyzePredicated(Stmt &stmt) {
  Expr *condition = analyze(stmt.condition);
  if (!condition->isError())
    condition = convertToBool(condition);
  if (!condition->isError() && predicate) {
    Expr *outer = make(ExprKind::Name, stmt.place, {}, predicate->type);
    outer->variable = predicate;
    condition = makeLogical("&&", outer, condition, stmt.place);
  }
  // Evaluated once: what follows may change what it depends on.
  Variable *value = program.newVariable();
  value->name = "the predicate";
  value->place = stmt.condition->place;
  value->type = condition->type;
  stmt.condition = condition;
  stmt.variable = value;
  if (condition->isError())
    return;
  Variable *outer = std::exchange(predicate, value);
  scopes.emplace_back();
  analyzeBody(stmt.body);
  scopes.pop_back();
  predicate = outer;
}

} // namespace tileir::triton_c
