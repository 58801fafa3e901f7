//===- ModuleParts.h - Common code that makes modules -----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_TENSOROPERATION_MODULEPARTS_H
#define TILEIR_LIB_TENSOROPERATION_MODULEPARTS_H

#include "FunctionBuilder.h"
#include "Module.h"

namespace tileir::tensor_operation {

/// The module of one function, verified.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
makeModule(mlir::MLIRContext *context, const OperationFunction &function);

} // namespace tileir::tensor_operation

#endif // TILEIR_LIB_TENSOROPERATION_MODULEPARTS_H
