//===- ArgumentAttributes.h - Attributes of arguments -----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What the attributes of the dialect on arguments of functions promise of
// sizes. It needs a module that verifies.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_EINSUM_IR_ARGUMENTATTRIBUTES_H
#define TILEIR_DIALECT_EINSUM_IR_ARGUMENTATTRIBUTES_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tileir::einsum {

/// The names of the attributes, which have an entry per axis.
inline constexpr llvm::StringLiteral kMultipleOf("einsum.multiple_of");
inline constexpr llvm::StringLiteral kAtLeast("einsum.at_least");
inline constexpr llvm::StringLiteral kAtMost("einsum.at_most");

/// What one of these says of the size of an argument along an axis.
struct SizePromise {
  unsigned argument;
  int64_t axis;
  llvm::StringRef attribute;
  int64_t number;

  bool isKept(int64_t size) const;
  /// As in "argument 0 of @main has size {0} in axis 1, expected a multiple of
  /// 8 (einsum.multiple_of)".
  std::string getError(mlir::FunctionOpInterface function,
                       llvm::StringRef size) const;
};

/// Whether an entry of `attribute` says nothing.
bool isEmptyPromise(llvm::StringRef attribute, int64_t number);

/// Lists what is promised of the arguments of `function`.
llvm::SmallVector<SizePromise>
listSizePromises(mlir::FunctionOpInterface function);

/// Removes the attributes of the dialect from the arguments of `function`: they
/// are of no use below it.
void removeArgumentAttributes(mlir::FunctionOpInterface function);

} // namespace tileir::einsum

#endif // TILEIR_DIALECT_EINSUM_IR_ARGUMENTATTRIBUTES_H
