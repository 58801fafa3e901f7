//===- OwnMemory.cpp - Arguments to memory of their own -------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/MemRef/Transforms/OwnMemory.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;

bool tileir::memref_transforms::isArgumentOfOwnMemory(Value value) {
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || !argument.getOwner()->isEntryBlock())
    return false;
  auto function =
      dyn_cast<FunctionOpInterface>(argument.getOwner()->getParentOp());
  return function &&
         function.getArgAttr(argument.getArgNumber(),
                             LLVM::LLVMDialect::getNoAliasAttrName());
}
