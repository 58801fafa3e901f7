//===- Triton.h -------------------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

//
// The dialects tt and ttg: what Triton writes before layouts. Semantics:
// TritonDialect.td and TritonOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_TRITON_IR_TRITON_H
#define TILEIR_DIALECT_TRITON_IR_TRITON_H

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tileir/Dialect/Triton/IR/TritonDialect.h.inc"
#include "tileir/Dialect/Triton/IR/TritonEnums.h.inc"
#include "tileir/Dialect/Triton/IR/TritonGpuDialect.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tileir/Dialect/Triton/IR/TritonAttrs.h.inc"

#define GET_TYPEDEF_CLASSES
#include "tileir/Dialect/Triton/IR/TritonTypes.h.inc"

namespace tileir::triton {

/// Whether a type is a tensor whose sizes are all static and positive.
bool isTile(mlir::Type type);
/// The element type of a tensor, or the type itself.
mlir::Type getElement(mlir::Type type);
/// `type` with other elements; `element` itself if it is no tensor.
mlir::Type withElement(mlir::Type type, mlir::Type element);
/// What is loaded by pointers of this type.
mlir::Type getPointee(mlir::Type pointers);

} // namespace tileir::triton

#define GET_OP_CLASSES
#include "tileir/Dialect/Triton/IR/TritonOps.h.inc"
#define GET_OP_CLASSES
#include "tileir/Dialect/Triton/IR/TritonGpuOps.h.inc"

#endif // TILEIR_DIALECT_TRITON_IR_TRITON_H
