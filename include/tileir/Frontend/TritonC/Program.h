//===- Program.h - Trees of Triton-C programs -------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the parser makes, and semantic analysis annotates. Analysis gives each
// expression a type, and makes conversions, broadcasts and the like explicit,
// as nodes that no parser makes; what is emitted has no others.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_FRONTEND_TRITONC_PROGRAM_H
#define TILEIR_FRONTEND_TRITONC_PROGRAM_H

#include "tileir/Frontend/TritonC/Preprocessor.h"
#include "tileir/Frontend/TritonC/Types.h"

namespace tileir::triton_c {

struct Expr;
struct Stmt;

/// A type as it is written: its shape is not known before analysis.
struct TypeSyntax {
  Element element = Element::Int32;
  bool isPointer = false;
  bool isConst = false;
  std::vector<Expr *> sizes;
};

/// What an argument promises.
struct Promises {
  /// Of `__multipleof` or `__aligned`; 0 if there is none.
  int64_t multiple = 0;
  bool isReadOnly = false;
  bool isNoAlias = false;
};

struct Variable {
  llvm::StringRef name;
  Place place;
  TypeSyntax syntax;
  ValueType type;
  Promises promises;
  /// The value of a constant, or of the size of `alloc_const`.
  std::optional<int64_t> constant;
  /// Whether it may not be assigned.
  bool isConst = false;
  bool isArgument = false;
};

/// How an axis of the result of a subscript comes about.
struct SubscriptAxis {
  enum Kind { Keep, New, Reduce } kind = Keep;
  /// "+", "*", "min", "max", "&", "|" or "^".
  llvm::StringRef combiner;
  Place place;
};

enum class ExprKind {
  // What the parser makes.
  Integer,
  Floating,
  Name,
  /// `op` is - ! ~ or ^, or + of one operand.
  Unary,
  /// Also @ and the comparisons; && and ||.
  Binary,
  /// c ? x : y.
  Conditional,
  /// a ... b.
  Range,
  /// x[:, newaxis].
  Subscript,
  /// f(x, y), f[T](x).
  Call,
  /// *p, or with a second operand *?(m)p, whose mask that is.
  Load,
  /// (float)x.
  Cast,
  // What analysis makes of them, besides.
  /// Another element.
  Convert,
  /// A tile of one scalar.
  Splat,
  /// Row-major elements in another shape.
  Reshape,
  /// Axes of size one repeated, and axes added on the left.
  Broadcast,
  /// The last two axes exchanged.
  Trans,
  /// Elements combined along `axis` by `op`.
  Reduce,
  /// a @ b, or with a third operand a @ b + c.
  Dot,
  /// A pointer moved by elements.
  AddPtr,
  /// Along `axis`.
  ProgramId,
  NumPrograms,
  /// A function of floats or integers, by `name`.
  Function,
  /// Both arms evaluated.
  Select,
  /// atomic_`op`(p, v[, m]).
  Atomic,
  /// What is wrong, and has been told of.
  Error,
};

struct Expr {
  ExprKind kind = ExprKind::Error;
  Place place;
  /// Operator, name or text of a literal.
  llvm::StringRef text;
  std::vector<Expr *> operands;
  std::vector<SubscriptAxis> axes;
  TypeSyntax castTo;
  /// Whether parentheses are around it.
  bool isParenthesised = false;

  // Set by analysis.
  ValueType type;
  Variable *variable = nullptr;
  /// The value of an integer constant.
  std::optional<int64_t> constant;
  int64_t axis = 0;
  int64_t start = 0, end = 0;
  double number = 0;
  /// A literal without suffix: takes the type of the other operand.
  bool isWeak = false;
  /// Whether a load is in it, which masks of arms have to reach.
  bool hasLoad = false;

  bool isError() const { return kind == ExprKind::Error; }
};

enum class StmtKind {
  Block,
  /// `variable`, and `value` if it has one.
  Declaration,
  /// `target` is a name or a load; `op` is "=" or "+=" and the like.
  Assignment,
  /// A call.
  Expression,
  If,
  /// Also of `while`, without init and steps.
  For,
  /// `condition` is the predicate.
  Predicated,
  Return,
};

/// How a loop counts, if analysis found out.
struct Counting {
  Variable *variable = nullptr;
  Expr *bound = nullptr;
  /// What is added, or downwards subtracted: it is positive, or the loop has no
  /// end.
  Expr *step = nullptr;
  bool isDown = false;
  /// Whether the bound itself is included.
  bool isInclusive = false;
  /// Whether the variable ends with the loop.
  bool isLocal = false;
};

struct Stmt {
  StmtKind kind = StmtKind::Block;
  Place place;
  /// Of an assignment; or the word of a loop.
  llvm::StringRef op;
  Variable *variable = nullptr;
  Expr *target = nullptr;
  Expr *value = nullptr;
  Expr *condition = nullptr;
  /// Of a block, and of what is repeated, predicated or done if.
  std::vector<Stmt *> body;
  std::vector<Stmt *> orElse;
  Stmt *init = nullptr;
  std::vector<Stmt *> steps;

  // Set by analysis.
  /// What is assigned inside and has a value before, or after an `if`.
  std::vector<Variable *> carried;
  std::optional<Counting> counting;
  /// Whether a predicated assignment leaves the old value elsewhere.
  bool hasOldValue = false;
};

struct Kernel {
  llvm::StringRef name;
  Place place;
  std::vector<Variable *> arguments;
  Stmt *body = nullptr;
  /// Of `#pragma tile grid`; empty without one.
  std::vector<Expr *> grid;
};

/// A file. It owns its tree.
struct Program {
  std::vector<Kernel *> kernels;
  /// Constants and arrays of constants, in order.
  std::vector<Stmt *> globals;
  /// Arrays of constants: further arguments of all kernels.
  std::vector<Variable *> arrays;
  std::vector<Tunable> tunables;
  /// For "did you mean": what is wrong may be the name of a macro.
  std::vector<llvm::StringRef> macroNames;

  Expr *newExpr(ExprKind kind, const Place &place) {
    Expr &expr = exprs.emplace_back();
    expr.kind = kind;
    expr.place = place;
    return &expr;
  }
  Stmt *newStmt(StmtKind kind, const Place &place) {
    Stmt &stmt = stmts.emplace_back();
    stmt.kind = kind;
    stmt.place = place;
    return &stmt;
  }
  Variable *newVariable() { return &variables.emplace_back(); }
  Kernel *newKernel() { return &ownedKernels.emplace_back(); }
  /// Text that no source has.
  llvm::StringRef keep(std::string text) {
    return texts.emplace_back(std::move(text));
  }

private:
  std::deque<Expr> exprs;
  std::deque<Stmt> stmts;
  std::deque<Variable> variables;
  std::deque<Kernel> ownedKernels;
  std::deque<std::string> texts;
};

} // namespace tileir::triton_c

#endif // TILEIR_FRONTEND_TRITONC_PROGRAM_H
