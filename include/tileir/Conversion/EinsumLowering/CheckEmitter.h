//===- CheckEmitter.h - Run-time checks -------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_EINSUMLOWERING_CHECKEMITTER_H
#define TILEIR_CONVERSION_EINSUMLOWERING_CHECKEMITTER_H

#include "tileir/Dialect/Einsum/IR/RuntimeChecks.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"

namespace tileir::lowering {

/// Emits calls of the report function and collects their message templates.
class CheckEmitter {
public:
  CheckEmitter(mlir::ModuleOp module, RuntimeChecks level);

  RuntimeChecks getLevel() const { return level; }

  /// Emits a report of `values` (index type). `message` has {0}, {1}, ... for
  /// them; the location's file, line and column are put in front.
  void emitReport(mlir::OpBuilder &builder, mlir::Location loc,
                  const llvm::Twine &message, mlir::ValueRange values);

  /// Emits `emitReport` under `if (!condition)`.
  void emitCheck(mlir::OpBuilder &builder, mlir::Location loc,
                 mlir::Value condition, const llvm::Twine &message,
                 mlir::ValueRange values);

  /// The conjunction of two conditions; null stands for true.
  static mlir::Value both(mlir::OpBuilder &builder, mlir::Location loc,
                          mlir::Value lhs, mlir::Value rhs);

  /// Declares the report function, if it is called.
  void finish();

private:
  mlir::ModuleOp module;
  RuntimeChecks level;
  llvm::SmallVector<std::string> sites;
};

} // namespace tileir::lowering

#endif // TILEIR_CONVERSION_EINSUMLOWERING_CHECKEMITTER_H
