//===- Buffers.h - From tensors to their buffers ----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An op that is lowered on tensors works on their buffers, which bufferization
// finds or makes later. A buffer that is written is new and has no other name,
// and its tensor is not writable: other kernels read it without a trace that
// bufferization could see, so no op on tensors may write it in place. A buffer
// of another tensor is asked for where it is read (bufferization.to_buffer), as
// ops after that may write it. So nothing may move, merge or fold these ops
// before bufferization, as CSE and the canonicalizer do.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_EINSUMLOWERING_BUFFERS_H
#define TILEIR_CONVERSION_EINSUMLOWERING_BUFFERS_H

#include "tileir/Dialect/Einsum/IR/Einsum.h"

#include "mlir/IR/PatternMatch.h"

namespace tileir::lowering {

/// The memref without gaps of a tensor's shape.
mlir::MemRefType getBufferType(mlir::Type tensor);

/// A buffer of `tensor`, to be read before the ops that follow.
mlir::Value getBuffer(mlir::OpBuilder &builder, mlir::Location loc,
                      mlir::Value tensor);

/// Replaces `op`, of one tensor, by the tensor that `buffer` will hold where
/// `rewriter` stands.
void replaceByBuffer(mlir::RewriterBase &rewriter, mlir::Operation *op,
                     mlir::Value buffer);

/// The argument of a function, with the attribute `name`, to which the tensor
/// that `op` gives is only copied (bufferization.materialize_in_destination),
/// without gaps and used for nothing else: `op` is to write there, for the copy
/// is erased. Null if there is none.
mlir::Value takeDestination(mlir::RewriterBase &rewriter, mlir::Operation *op,
                            llvm::StringRef name);

/// Whether the memory of `memref`, before any offset, begins at a multiple of
/// `alignment` bytes: known of what is allocated so, else looked at.
mlir::Value createIsAligned(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value memref, int64_t alignment);

/// A contraction on tensors becomes one on the buffers of its operands and on
/// `outs`, or, without, on a new buffer; one on memrefs stays.
einsum::ContractOp moveToBuffers(mlir::RewriterBase &rewriter,
                                 einsum::ContractOp op,
                                 mlir::Value outs = mlir::Value());

} // namespace tileir::lowering

#endif // TILEIR_CONVERSION_EINSUMLOWERING_BUFFERS_H
