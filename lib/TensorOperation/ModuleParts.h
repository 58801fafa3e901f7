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
#include "tileir/Dialect/Einsum/IR/Schedule.h"

namespace tileir {

/// The first touch of the schedule of a sum.
einsum::FirstTouch getFirstTouch(Primitive primitive);

/// The module of one function, verified.
llvm::Expected<mlir::OwningOpRef<mlir::ModuleOp>>
makeModule(mlir::MLIRContext *context, const OperationFunction &function);

/// Gives the contraction in `module` the schedule that `make` makes of it;
/// null: none, unless `isRequired`.
llvm::Error
setSchedule(mlir::ModuleOp module, bool isRequired,
            llvm::function_ref<einsum::ScheduleAttr(einsum::ContractOp)> make);

/// A schedule of these parts; null, with an error, if they do not fit.
einsum::ScheduleAttr makeSchedule(einsum::ContractOp op,
                                  einsum::FirstTouch first,
                                  einsum::MainPrimitive main, bool relu,
                                  llvm::ArrayRef<einsum::DimAttr> dims);

} // namespace tileir

#endif // TILEIR_LIB_TENSOROPERATION_MODULEPARTS_H
