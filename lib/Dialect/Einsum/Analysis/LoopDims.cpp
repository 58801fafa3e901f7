//===- LoopDims.cpp - Loops of a schedule ---------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The strides of all indices are computed once for all loops of a contraction.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/Analysis/LoopDims.h"

#include "tileir/Dialect/Einsum/Analysis/OperandAccess.h"
#include "tileir/Dialect/Einsum/IR/IndexSizes.h"

using namespace mlir;
using namespace tileir::einsum;

LoopDim LoopDim::withExecution(Execution exec) const {
  return {
      DimAttr::get(dim.getContext(), getIndices(), exec, getSize(), getStep()),
      contractionDim, strides};
}

LoopDim LoopDim::getPart(int64_t size, int64_t factor, Execution exec) const {
  LoopDim part(DimAttr::get(dim.getContext(), getIndices(), exec, size,
                            getStep() * factor),
               contractionDim, strides);
  for (int64_t &stride : part.strides)
    if (!ShapedType::isDynamic(stride))
      stride *= factor;
  return part;
}

SmallVector<unsigned> tileir::einsum::getIndices(SpecAttr spec, DimAttr dim) {
  return llvm::map_to_vector(
      llvm::reverse(dim.getIndices()),
      [&](char name) -> unsigned { return spec.getIndices().find(name); });
}

SmallVector<LoopDim> tileir::einsum::getLoopDims(ContractOp op,
                                                 ArrayRef<DimAttr> dims) {
  SpecAttr spec = op.getSpec();
  SmallVector<int64_t> sizes = getStaticIndexSizes(op);
  SmallVector<OperandAccess, 3> accesses;
  for (unsigned i = 0; i <= op.getInputs().size(); ++i)
    accesses.emplace_back(op, sizes, i);
  return llvm::map_to_vector(dims, [&](DimAttr dim) {
    SmallVector<unsigned> indices = getIndices(spec, dim);
    SmallVector<int64_t, 3> strides;
    for (const OperandAccess &access : accesses) {
      auto stride = access.getStride(indices);
      strides.push_back(stride ? *stride * dim.getStep()
                               : ShapedType::kDynamic);
    }
    return LoopDim(dim, spec.getContractionDim(indices.front()), strides);
  });
}
