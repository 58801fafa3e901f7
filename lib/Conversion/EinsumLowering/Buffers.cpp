//===- Buffers.cpp - From tensors to their buffers ------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/EinsumLowering/Buffers.h"

#include "tileir/Dialect/Einsum/IR/IndexSizes.h"

#include "mlir/Dialect/Arith/Utils/Utils.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;
using namespace tileir::lowering;
using bufferization::ToBufferOp;
using bufferization::ToTensorOp;

MemRefType lowering::getBufferType(Type tensor) {
  auto type = cast<ShapedType>(tensor);
  return MemRefType::get(type.getShape(), type.getElementType());
}

Value lowering::getBuffer(OpBuilder &builder, Location loc, Value tensor) {
  auto source = tensor.getDefiningOp<ToTensorOp>();
  if (source && !source.getWritable())
    return source.getBuffer();
  Type type = source ? Type(source.getBuffer().getType())
                     : getBufferType(tensor.getType());
  return ToBufferOp::create(builder, loc, type, tensor, /*readOnly=*/true);
}

void lowering::replaceByBuffer(RewriterBase &rewriter, Operation *op,
                               Value buffer) {
  rewriter.replaceOpWithNewOp<ToTensorOp>(op, op->getResult(0).getType(),
                                          buffer, /*restrict=*/true);
}

Value lowering::takeDestination(RewriterBase &rewriter, Operation *op,
                                StringRef name) {
  Value result = op->getResult(0);
  if (!result.hasOneUse())
    return {};
  auto copy =
      dyn_cast<bufferization::MaterializeInDestinationOp>(*result.user_begin());
  if (!copy || !copy.getRestrict() || !copy.getWritable())
    return {};
  auto destination = dyn_cast<BlockArgument>(copy.getDest());
  if (!destination || !destination.hasOneUse() ||
      destination.getType() != getBufferType(result.getType()))
    return {};
  auto function =
      dyn_cast<FunctionOpInterface>(destination.getOwner()->getParentOp());
  if (!function || !function.getArgAttr(destination.getArgNumber(), name))
    return {};
  rewriter.eraseOp(copy);
  return destination;
}

ContractOp lowering::moveToBuffers(RewriterBase &rewriter, ContractOp op,
                                   Value outs) {
  if (!op.hasTensorForm())
    return op;
  Location loc = op.getLoc();
  OpBuilder::InsertionGuard guard(rewriter);
  rewriter.setInsertionPoint(op);
  auto getOperand = [&](Value tensor) {
    return getBuffer(rewriter, loc, tensor);
  };
  auto inputs = llvm::map_to_vector(op.getInputs(), getOperand);
  auto tables = llvm::map_to_vector(op.getTables(), getOperand);
  SmallVector<Value> dynamicSizes;
  for (auto [size, dim] :
       llvm::zip(reifyIndexSizes(rewriter, op), op.getOutputType().getShape()))
    if (ShapedType::isDynamic(dim))
      dynamicSizes.push_back(
          getValueOrCreateConstantIndexOp(rewriter, loc, size));
  if (!outs)
    outs = memref::AllocOp::create(
        rewriter, loc, getBufferType(op.getOutputType()), dynamicSizes);
  auto moved =
      ContractOp::create(rewriter, loc, TypeRange(), op.getSpec(), inputs,
                         tables, outs, op.getPadAttr(), op.getAccAttr(),
                         op.getPrecisionAttr(), op.getSizesAttr());
  moved->setDiscardableAttrs(op->getDiscardableAttrDictionary());
  replaceByBuffer(rewriter, op, outs);
  return moved;
}

Value lowering::createIsAligned(OpBuilder &builder, Location loc, Value memref,
                                int64_t alignment) {
  if (auto alloc = memref.getDefiningOp<memref::AllocOp>();
      alloc && alloc.getAlignment().value_or(1) % alignment == 0)
    return arith::ConstantOp::create(builder, loc, builder.getBoolAttr(true));
  Value address =
      memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, memref);
  Value beyond = arith::AndIOp::create(
      builder, loc, address,
      arith::ConstantIndexOp::create(builder, loc, alignment - 1));
  return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, beyond,
                               arith::ConstantIndexOp::create(builder, loc, 0));
}
