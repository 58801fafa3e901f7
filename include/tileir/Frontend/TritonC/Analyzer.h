//===- Analyzer.h - Meaning of Triton-C -------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Semantic analysis: gives names their variables, expressions their types, and
// makes conversions and broadcasts explicit. Finds what each loop and condition
// changes, what is read before it is assigned, and how loops count.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_FRONTEND_TRITONC_ANALYZER_H
#define TILEIR_FRONTEND_TRITONC_ANALYZER_H

#include "tileir/Frontend/TritonC/Program.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"

namespace tileir::triton_c {

class Analyzer {
public:
  Analyzer(Program &program, const Preprocessor &preprocessor,
           Diagnostics &diagnostics)
      : program(program), preprocessor(preprocessor), diagnostics(diagnostics) {
  }

  void run();

private:
  using Shape = llvm::ArrayRef<int64_t>;

  // Files and statements (AnalyzeFile.cpp, AnalyzeStatements.cpp,
  // AnalyzeLoops.cpp).
  void analyzeGlobal(Stmt &declaration);
  void analyzeKernel(Kernel &kernel);
  void analyzeGrid(Kernel &kernel);
  void chooseTunable(Stmt &declaration);
  void analyzeBody(std::vector<Stmt *> &body);
  void analyzeStmt(Stmt &stmt);
  void analyzeDeclaration(Stmt &stmt);
  void analyzeAssignment(Stmt &stmt);
  void analyzeStore(Stmt &stmt);
  void analyzePredicated(Stmt &stmt);
  void analyzeIf(Stmt &stmt);
  void analyzeFor(Stmt &stmt);
  std::optional<Counting> findCounting(const Stmt &loop);
  bool isInvariant(const Expr &expr);
  Expr *analyzeCondition(Expr *expr, llvm::StringRef of);
  bool resolveType(const TypeSyntax &syntax, const Place &place,
                   ValueType &type);
  bool declare(Variable &variable);
  void setAssigned(Variable &variable);
  /// The predicate of the statement, for values of `shape`; null if there is
  /// none.
  Expr *getPredicate(Shape shape, const Place &place);

  // Expressions (AnalyzeExpressions.cpp, AnalyzeOperators.cpp).
  /// Returns what `expr` becomes: an error if it is wrong.
  Expr *analyze(Expr *expr);
  Expr *analyzeInteger(Expr *expr);
  Expr *analyzeFloating(Expr *expr);
  Expr *analyzeName(Expr *expr);
  Expr *analyzeUnary(Expr *expr);
  Expr *analyzeBinary(Expr *expr);
  Expr *analyzeConditional(Expr *expr);
  Expr *analyzeRange(Expr *expr);
  Expr *analyzeSubscript(Expr *expr);
  Expr *analyzeLoad(Expr *expr);
  /// `condition ? first : second` of analyzed operands.
  Expr *makeConditional(Expr *condition, Expr *first, Expr *second,
                        const Place &place);
  /// `lhs op rhs` of analyzed operands.
  Expr *makeBinary(llvm::StringRef op, Expr *lhs, Expr *rhs,
                   const Place &place);
  Expr *makeLogical(llvm::StringRef op, Expr *lhs, Expr *rhs,
                    const Place &place);
  Expr *makePointerSum(llvm::StringRef op, Expr *lhs, Expr *rhs,
                       const Place &place);
  Expr *makeDot(Expr *a, Expr *b, Expr *acc, const Place &place);
  Expr *makeTrans(Expr *operand, const Place &place);
  Expr *makeReduce(Expr *operand, const SubscriptAxis &axis, int64_t number);
  std::optional<int64_t> fold(llvm::StringRef op, Element element, int64_t lhs,
                              int64_t rhs, const Place &place);

  // Built-in functions (AnalyzeCalls.cpp).
  Expr *analyzeCall(Expr *expr);
  Expr *analyzeGridCall(Expr *expr);
  Expr *analyzeMath(Expr *expr);
  Expr *analyzeMinMax(Expr *expr);
  Expr *analyzeSelect(Expr *expr);
  Expr *analyzeAtomic(Expr *expr);
  bool checkCount(const Expr &call, size_t least, size_t most);

  // Conversions (Conversions.cpp).
  Expr *make(ExprKind kind, const Place &place, std::vector<Expr *> operands,
             ValueType type);
  Expr *makeError(const Expr &of) {
    return program.newExpr(ExprKind::Error, of.place);
  }
  Expr *makeInteger(int64_t value, Element element, const Place &place);
  Expr *convert(Expr *expr, Element element);
  Expr *convertToBool(Expr *expr);
  /// Repeats `expr` to `shape`, which it has to fit.
  Expr *broadcast(Expr *expr, Shape shape);
  /// Brings operands to their common shape. If there is none, says so.
  bool unify(llvm::MutableArrayRef<Expr *> operands, const Place &place);
  /// What `expr` becomes where a value of `type` is assigned.
  Expr *coerce(Expr *expr, const ValueType &type, const Place &place,
               const llvm::Twine &target, const Variable *variable = nullptr);
  Element getCommonOf(const Expr &lhs, const Expr &rhs);
  bool checkSize(Shape shape, const Place &place);
  void noteDeclarations(llvm::ArrayRef<Expr *> operands);
  /// An integer constant; otherwise says that `what` is one.
  std::optional<int64_t> getConstant(Expr *expr, const llvm::Twine &what);

  Variable *find(llvm::StringRef name) const;
  std::vector<llvm::StringRef> getNames() const;

  Program &program;
  const Preprocessor &preprocessor;
  Diagnostics &diagnostics;
  std::vector<llvm::StringMap<Variable *>> scopes;
  llvm::DenseSet<Variable *> assigned;
  /// What is assigned within the loops and conditions that are open.
  llvm::SmallVector<llvm::SetVector<Variable *>> logs;
  Variable *predicate = nullptr;
  /// Within `#pragma tile grid`.
  bool isHost = false;
};

} // namespace tileir::triton_c

#endif // TILEIR_FRONTEND_TRITONC_ANALYZER_H
