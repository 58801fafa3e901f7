//===- Einsum.h - The einsum dialect ----------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The dialect, its attributes and its operations. Semantics: EinsumOps.td.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_EINSUM_IR_EINSUM_H
#define TILEIR_DIALECT_EINSUM_IR_EINSUM_H

#include "tileir/Dialect/Einsum/IR/ContractionDim.h"
#include "tileir/Target/Cpu/Cpu.h"

#include "mlir/Bytecode/BytecodeOpInterface.h"
#include "mlir/IR/AffineMap.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Dialect.h"
#include "mlir/IR/OpDefinition.h"
#include "mlir/IR/OpImplementation.h"
#include "mlir/Interfaces/ControlFlowInterfaces.h"
#include "mlir/Interfaces/InferTypeOpInterface.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

#include "tileir/Dialect/Einsum/IR/EinsumDialect.h.inc"
#include "tileir/Dialect/Einsum/IR/EinsumEnums.h.inc"

#define GET_ATTRDEF_CLASSES
#include "tileir/Dialect/Einsum/IR/EinsumAttrs.h.inc"

#define GET_OP_CLASSES
#include "tileir/Dialect/Einsum/IR/EinsumOps.h.inc"

#endif // TILEIR_DIALECT_EINSUM_IR_EINSUM_H
