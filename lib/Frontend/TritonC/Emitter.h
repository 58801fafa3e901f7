//===- Emitter.h - Operations of Triton-C programs --------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Prints no decision: what an expression needs is in the typed tree. Structured
// SSA: a variable is the value that was assigned last, and loops and conditions
// carry what analysis says that they change.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_FRONTEND_TRITONC_EMITTER_H
#define TILEIR_FRONTEND_TRITONC_EMITTER_H

#include "tileir/Frontend/TritonC/TritonC.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"

namespace tileir::triton_c {

class Emitter {
public:
  Emitter(const Program &program, llvm::SourceMgr &sources,
          mlir::MLIRContext *context)
      : program(program), sources(sources), builder(context) {}

  mlir::OwningOpRef<mlir::ModuleOp> emitModule();

private:
  using Value = mlir::Value;
  using Type = mlir::Type;
  using Location = mlir::Location;

  // Functions (EmitFunctions.cpp).
  mlir::func::FuncOp emitKernel(const Kernel &kernel);
  void emitHost(const Kernel &kernel, mlir::func::FuncOp function,
                llvm::StringRef name);
  mlir::DictionaryAttr getPromises(const Variable &argument);
  Location getLoc(const Place &place);
  /// Also tells the name of an argument.
  Location getLoc(const Variable &argument);
  Location getFileLoc(llvm::SMLoc loc);
  Type getElementType(Element element);
  Type getType(const ValueType &type);

  // Statements (EmitStatements.cpp).
  void emitBody(const std::vector<Stmt *> &body);
  void emitStmt(const Stmt &stmt);
  void emitAssignment(const Stmt &stmt);
  void emitStore(const Stmt &stmt);
  void emitIf(const Stmt &stmt);
  void emitCountedFor(const Stmt &stmt);
  void emitWhile(const Stmt &stmt);
  llvm::SmallVector<Value> getValues(llvm::ArrayRef<Variable *> variables);
  void setValues(llvm::ArrayRef<Variable *> variables, mlir::ValueRange values);

  // Expressions (EmitExpressions.cpp, EmitOperators.cpp). The loads in one are
  // masked by `mask`: an i1, or a tile of the shape of the expression; null if
  // all are done.
  Value emit(const Expr &expr, Value mask = nullptr);
  Value emitConditional(const Expr &expr, Value mask);
  Value emitLogical(const Expr &expr, Value mask);
  Value emitLoad(const Expr &expr, Value mask, Value other = nullptr);
  Value emitAtomic(const Expr &expr, Value mask);
  Value emitDot(const Expr &expr, Value mask);
  Value emitBinary(const Expr &expr, Value lhs, Value rhs);
  Value emitUnary(const Expr &expr, Value operand);
  Value emitConvert(const Expr &expr, Value operand);
  Value emitFunction(const Expr &expr, llvm::ArrayRef<Value> operands);
  Value emitReduce(const Expr &expr, Value operand);
  Value emitConstant(Location loc, Type type, int64_t value);
  Value emitConstant(Location loc, Type type, double value);
  Value emitSplat(Location loc, Value scalar, llvm::ArrayRef<int64_t> shape);
  /// A condition, without a splat around it.
  Value emitPredicate(const Expr &expr, Value mask = nullptr);

  // Masks (EmitMasks.cpp).
  /// The mask of the operand of an expression, from that of the expression.
  Value getOperandMask(const Expr &expr, Value mask);
  /// Whether any element along axes is set, in the shape `to`.
  Value reduceMask(Location loc, Value mask, llvm::ArrayRef<int64_t> to);
  /// A tile of the mask, whose shape is `shape`; null stays null.
  Value toShape(Location loc, Value mask, llvm::ArrayRef<int64_t> shape);
  /// Of masks that may be null, and scalars or tiles.
  Value combineMasks(Location loc, Value lhs, Value rhs);
  Value negateMask(Location loc, Value mask);

  const Program &program;
  llvm::SourceMgr &sources;
  mlir::OpBuilder builder;
  llvm::DenseMap<const Variable *, Value> values;
  /// What a statement uses twice and evaluates once.
  llvm::DenseMap<const Expr *, Value> shared;
};

} // namespace tileir::triton_c

#endif // TILEIR_FRONTEND_TRITONC_EMITTER_H
