//===- ContractEmitter.h - Loops of one contraction -------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_EINSUMTOAFFINE_CONTRACTEMITTER_H
#define TILEIR_LIB_CONVERSION_EINSUMTOAFFINE_CONTRACTEMITTER_H

#include "ReadEmitter.h"

namespace tileir::to_affine {

/// Emits the loops of `op`, a contraction on memrefs, in front of it. As many
/// outer loops are parallel as have `parallelIterations` iterations together.
LoweringCounts emitContract(mlir::OpBuilder &builder, einsum::ContractOp op,
                            int64_t parallelIterations,
                            lowering::CheckEmitter &checks);

} // namespace tileir::to_affine

#endif // TILEIR_LIB_CONVERSION_EINSUMTOAFFINE_CONTRACTEMITTER_H
