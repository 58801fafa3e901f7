//===- Validation.h - Rules for descriptions --------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_TENSOROPERATION_VALIDATION_H
#define TILEIR_LIB_TENSOROPERATION_VALIDATION_H

#include "tileir/TensorOperation/TensorOperation.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace tileir::tensor_operation {

/// The names of values, as C has them without their prefix.
llvm::StringRef getName(OperationType type);
llvm::StringRef getName(ContractionDim role);
llvm::StringRef getName(DimExecution execution);
llvm::StringRef getName(Primitive primitive);

/// Whether sums are formed in a wider type than the elements have.
bool isNarrow(OperationType type);

/// Whether the main primitive sums products.
bool isProduct(Primitive main);

/// The number of operands of the main primitive.
unsigned getNumOperands(Primitive main);

/// Fails, and says why, if a description cannot be compiled. Errors that only
/// the specification of an einsum shows are found when its module is made.
llvm::Error validate(const OperationDescription &description);
llvm::Error validate(const EinsumDescription &description);

} // namespace tileir::tensor_operation

#endif // TILEIR_LIB_TENSOROPERATION_VALIDATION_H
