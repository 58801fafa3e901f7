//===- ArgumentAttributes.h - Attributes for example inputs -----*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_EINSUM_IR_ARGUMENTATTRIBUTES_H
#define TILEIR_DIALECT_EINSUM_IR_ARGUMENTATTRIBUTES_H

#include "mlir/Interfaces/FunctionInterfaces.h"

namespace tileir::einsum {

/// Removes einsum.value_range and einsum.example_shape from the arguments of
/// `function`: how to make example inputs is of no use below this dialect.
void removeArgumentAttributes(mlir::FunctionOpInterface function);

} // namespace tileir::einsum

#endif // TILEIR_DIALECT_EINSUM_IR_ARGUMENTATTRIBUTES_H
