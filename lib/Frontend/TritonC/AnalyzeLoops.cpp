//===- AnalyzeLoops.cpp - Conditions and loops ----------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Frontend/TritonC/Analyzer.h"

namespace tileir::triton_c {

Expr *Analyzer::analyzeCondition(Expr *expr, llvm::StringRef of) {
  Expr *condition = analyze(expr);
  if (condition->isError())
    return condition;
  if (condition->type.isTile()) {
    diagnostics.error(condition->place,
                      "expected a scalar as the condition of '" + of +
                          "', found " + condition->type.str() +
                          ": 'c ? x : y' chooses for each element");
    noteDeclarations({condition});
    return makeError(*condition);
  }
  return convertToBool(condition);
}

void Analyzer::analyzeIf(Stmt &stmt) {
  stmt.condition = analyzeCondition(stmt.condition, "if");
  auto before = assigned;
  logs.emplace_back();
  auto analyzeArm = [&](std::vector<Stmt *> &body) {
    scopes.emplace_back();
    analyzeBody(body);
    scopes.pop_back();
    return std::exchange(assigned, before);
  };
  auto first = analyzeArm(stmt.body);
  auto second = analyzeArm(stmt.orElse);
  // What both arms assign has a value behind them.
  for (Variable *variable : first)
    if (second.count(variable))
      assigned.insert(variable);
  for (Variable *variable : logs.pop_back_val())
    if (assigned.count(variable))
      stmt.carried.push_back(variable);
}

void Analyzer::analyzeFor(Stmt &stmt) {
  scopes.emplace_back();
  if (stmt.init)
    analyzeStmt(*stmt.init);
  auto before = assigned;
  logs.emplace_back();
  if (stmt.condition) {
    stmt.condition = analyzeCondition(stmt.condition, stmt.op);
  } else {
    diagnostics.error(stmt.place, "expected a condition of 'for': a loop "
                                  "without one has no end");
    stmt.condition = makeError(*program.newExpr(ExprKind::Error, stmt.place));
  }
  scopes.emplace_back();
  analyzeBody(stmt.body);
  scopes.pop_back();
  for (Stmt *step : stmt.steps)
    analyzeStmt(*step);
  // The body may never run.
  assigned = std::move(before);
  for (Variable *variable : logs.back())
    if (assigned.count(variable))
      stmt.carried.push_back(variable);
  stmt.counting = findCounting(stmt);
  logs.pop_back();
  scopes.pop_back();
}

bool Analyzer::isInvariant(const Expr &expr) {
  if (expr.hasLoad || (expr.variable && logs.back().contains(expr.variable)))
    return false;
  return llvm::all_of(expr.operands,
                      [&](const Expr *e) { return isInvariant(*e); });
}

std::optional<Counting> Analyzer::findCounting(const Stmt &loop) {
  if (!loop.init || loop.steps.size() != 1 || loop.condition->isError() ||
      loop.condition->kind != ExprKind::Binary)
    return std::nullopt;
  Counting counting;
  counting.variable = loop.init->variable;
  counting.isLocal = loop.init->kind == StmtKind::Declaration;
  if (!counting.variable || !loop.init->value || loop.init->value->isError())
    return std::nullopt;
  // An integer whose overflow is not defined.
  Element element = counting.variable->type.element;
  if (counting.variable->type.isTile() || counting.variable->type.isPointer ||
      (element != Element::Int32 && element != Element::Int64))
    return std::nullopt;

  // Only the step assigns it, by what stays: k = k + c, as k += c is by now.
  const Stmt &step = *loop.steps.front();
  if (step.variable != counting.variable || !step.value ||
      step.value->kind != ExprKind::Binary ||
      step.value->operands[0]->variable != counting.variable ||
      !isInvariant(*step.value->operands[1]))
    return std::nullopt;
  unsigned numAssignments = 0;
  auto count = [&](const auto &self, const std::vector<Stmt *> &body) -> void {
    for (const Stmt *stmt : body) {
      numAssignments += stmt->kind == StmtKind::Assignment &&
                        stmt->variable == counting.variable;
      self(self, stmt->body);
      self(self, stmt->orElse);
      self(self, stmt->steps);
      if (stmt->init)
        self(self, {stmt->init});
    }
  };
  count(count, loop.body);
  if (numAssignments != 0)
    return std::nullopt;
  llvm::StringRef stepOp = step.value->text;
  counting.step = step.value->operands[1];
  if ((stepOp != "+" && stepOp != "-") || counting.step->constant == 0)
    return std::nullopt;
  counting.isDown = stepOp == "-";
  // k += -1
  if (counting.step->constant && *counting.step->constant < 0) {
    counting.isDown = !counting.isDown;
    counting.step =
        makeInteger(-*counting.step->constant, element, counting.step->place);
  }

  llvm::StringRef op = loop.condition->text;
  const Expr *lhs = loop.condition->operands[0];
  counting.bound = loop.condition->operands[1];
  bool isSwapped = lhs->variable != counting.variable;
  if (isSwapped) {
    if (counting.bound->variable != counting.variable)
      return std::nullopt;
    counting.bound = loop.condition->operands[0];
  }
  bool isLess =
      op == (isSwapped ? ">" : "<") || op == (isSwapped ? ">=" : "<=");
  bool isMore =
      op == (isSwapped ? "<" : ">") || op == (isSwapped ? "<=" : ">=");
  counting.isInclusive = op == "<=" || op == ">=";
  // Against the condition it would run until it overflows.
  if ((counting.isDown ? !isMore : !isLess) ||
      counting.bound->type.element != element || !isInvariant(*counting.bound))
    return std::nullopt;
  return counting;
}

} // namespace tileir::triton_c
