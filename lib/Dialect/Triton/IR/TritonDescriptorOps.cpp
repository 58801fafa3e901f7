//===- TritonDescriptorOps.cpp - Verifiers of accesses to blocks ----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Triton/IR/Triton.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::triton;

LogicalResult triton::MakeTensorDescOp::verify() {
  size_t rank = getType().getShape().size();
  if (getShape().size() != rank || getStrides().size() != rank)
    return emitOpError("expects a size and a stride for each of the ")
           << rank << " axes of " << getType() << ", found "
           << getShape().size() << " sizes and " << getStrides().size()
           << " strides (TT19)";
  Type element = getType().getBlock().getElementType();
  if (getBase().getType().getPointee() != element)
    return emitOpError("expects a pointer to ")
           << element << ", found " << getBase().getType() << " (TT19)";
  return success();
}

/// TT20.
static LogicalResult verifyBlock(Operation *op, TensorDescType descriptor,
                                 size_t numIndices, Type type) {
  RankedTensorType block = descriptor.getBlock();
  if (numIndices != size_t(block.getRank()))
    return op->emitOpError("expects an index for each of the ")
           << block.getRank() << " axes of " << descriptor << ", found "
           << numIndices << " (TT20)";
  auto getLongAxes = [](ArrayRef<int64_t> shape) {
    return llvm::filter_to_vector(shape,
                                  [](int64_t size) { return size != 1; });
  };
  auto tensor = cast<RankedTensorType>(type);
  if (tensor.getElementType() == block.getElementType() &&
      getLongAxes(tensor.getShape()) == getLongAxes(block.getShape()))
    return success();
  return op->emitOpError("expects a tensor like ")
         << block << ", found " << tensor << " (TT20)";
}

LogicalResult triton::DescriptorLoadOp::verify() {
  return verifyBlock(*this, getDesc().getType(), getIndices().size(),
                     getType());
}

LogicalResult triton::DescriptorStoreOp::verify() {
  return verifyBlock(*this, getDesc().getType(), getIndices().size(),
                     getSrc().getType());
}

LogicalResult triton::DescriptorReduceOp::verify() {
  return verifyBlock(*this, getDesc().getType(), getIndices().size(),
                     getSrc().getType());
}

/// TT21.
static LogicalResult verifyRows(Operation *op, TensorDescType descriptor,
                                Type rows, Type type) {
  RankedTensorType block = descriptor.getBlock();
  if (block.getRank() != 2 || block.getDimSize(0) != 1)
    return op->emitOpError("expects a block of one row, found ")
           << descriptor << " (TT21)";
  auto indices = cast<RankedTensorType>(rows);
  if (indices.getRank() != 1)
    return op->emitOpError("expects indices of one axis, found ")
           << indices << " (TT21)";
  auto expected = block.clone({indices.getDimSize(0), block.getDimSize(1)});
  if (type == expected)
    return success();
  return op->emitOpError("expects a tensor of ")
         << expected << ", found " << type << " (TT21)";
}

LogicalResult triton::DescriptorGatherOp::verify() {
  return verifyRows(*this, getDesc().getType(), getRows().getType(), getType());
}

LogicalResult triton::DescriptorScatterOp::verify() {
  return verifyRows(*this, getDesc().getType(), getRows().getType(),
                    getSrc().getType());
}
