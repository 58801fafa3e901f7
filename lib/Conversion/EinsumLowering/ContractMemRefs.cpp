//===- ContractMemRefs.cpp - The memory of operands -----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/EinsumLowering/ContractMemRefs.h"

#include "tileir/Dialect/Einsum/IR/IndexSizes.h"

#include "mlir/Dialect/MemRef/IR/MemRef.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::lowering;

Value ContractMemRefs::getTable(StringRef name) const {
  SmallVector<StringRef> names = op.getSpec().getTables();
  return memrefs[op.getInputs().size() +
                 (llvm::find(names, name) - names.begin())];
}

OpFoldResult ContractMemRefs::getDim(OpBuilder &builder, Value operand,
                                     unsigned axis) const {
  return reifyDim(builder, operand, axis,
                  [&](Value source, unsigned sourceAxis) {
                    return memref::DimOp::create(builder, op->getLoc(),
                                                 getMemRef(source), sourceAxis)
                        .getResult();
                  });
}
