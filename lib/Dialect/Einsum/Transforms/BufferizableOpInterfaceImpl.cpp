//===- BufferizableOpInterfaceImpl.cpp - Bufferization --------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// einsum.contract on tensors becomes einsum.contract on memrefs. It writes outs
// in place if that is possible, otherwise, or without outs, a new allocation.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Einsum/Transforms/BufferizableOpInterfaceImpl.h"

#include "tileir/Dialect/Einsum/IR/IndexSizes.h"
#include "tileir/Dialect/Einsum/IR/Schedule.h"

#include "mlir/Dialect/Bufferization/IR/BufferizableOpInterface.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"

using namespace mlir;
using namespace mlir::bufferization;
using namespace tileir::einsum;

namespace {
struct ContractOpModel
    : BufferizableOpInterface::ExternalModel<ContractOpModel, ContractOp> {
  static bool isOuts(Operation *op, OpOperand &operand) {
    auto contract = cast<ContractOp>(op);
    return contract.getOuts() &&
           operand.getOperandNumber() == op->getNumOperands() - 1;
  }

  bool bufferizesToAllocation(Operation *op, Value value) const {
    return !cast<ContractOp>(op).getOuts();
  }
  bool bufferizesToMemoryRead(Operation *op, OpOperand &operand,
                              const AnalysisState &) const {
    return !isOuts(op, operand);
  }
  bool bufferizesToMemoryWrite(Operation *op, OpOperand &operand,
                               const AnalysisState &) const {
    return isOuts(op, operand);
  }
  AliasingValueList getAliasingValues(Operation *op, OpOperand &operand,
                                      const AnalysisState &) const {
    if (!isOuts(op, operand))
      return {};
    return {{op->getResult(0), BufferRelation::Equivalent}};
  }

  LogicalResult bufferize(Operation *operation, RewriterBase &rewriter,
                          const BufferizationOptions &options,
                          BufferizationState &state) const {
    auto op = cast<ContractOp>(operation);
    if (!op.hasTensorForm())
      return success();
    IRMapping buffers;
    for (Value operand : op->getOperands()) {
      FailureOr<Value> buffer = getBuffer(rewriter, operand, options, state);
      if (failed(buffer))
        return failure();
      buffers.map(operand, *buffer);
    }
    auto bufferOf = [&](Value v) { return buffers.lookup(v); };
    Value outs;
    if (op.getOuts()) {
      outs = bufferOf(op.getOuts());
    } else {
      ShapedType type = op.getOutputType();
      SmallVector<Value> dynamicSizes;
      SmallVector<OpFoldResult> sizes = reifyIndexSizes(rewriter, op);
      for (auto [size, dim] : llvm::zip(sizes, type.getShape()))
        if (ShapedType::isDynamic(dim))
          dynamicSizes.push_back(
              getValueOrCreateConstantIndexOp(rewriter, op.getLoc(), size));
      auto buffer = options.createAlloc(
          rewriter, op.getLoc(),
          MemRefType::get(type.getShape(), type.getElementType()),
          dynamicSizes);
      if (failed(buffer))
        return failure();
      outs = *buffer;
    }
    auto onBuffers = ContractOp::create(
        rewriter, op.getLoc(), TypeRange(), op.getSpec(),
        llvm::map_to_vector(op.getInputs(), bufferOf),
        llvm::map_to_vector(op.getTables(), bufferOf), outs, op.getPadAttr(),
        op.getAccAttr(), op.getPrecisionAttr(), op.getSizesAttr());
    // The schedule fits any layout that is known.
    if (succeeded(verifySchedulable(onBuffers, /*emitError=*/nullptr)))
      onBuffers.setScheduleAttr(op.getScheduleAttr());
    replaceOpWithBufferizedValues(rewriter, op, outs);
    return success();
  }
};
} // namespace

void tileir::einsum::registerBufferizableOpInterfaceExternalModels(
    DialectRegistry &registry) {
  registry.addExtension(+[](MLIRContext *context, EinsumDialect *dialect,
                            BufferizationDialect *) {
    ContractOp::attachInterface<ContractOpModel>(*context);
  });
}
