//===- PadToMemRef.cpp - convert-pad-to-memref ----------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Comes after einsum-pad-operands, whose tensor.pad would be copied element by
// element once it is bufferized. Afterwards, a buffer, and loops that copy to
// it and clear its border, stand in its place. What has gaps in memory is
// copied by a contraction, after memset: that gets a schedule as all do.
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/PadToMemRef/PadToMemRef.h"

#include "tileir/Dialect/Einsum/Analysis/StagedOperand.h"
#include "tileir/Dialect/MemRef/Transforms/CopyWithBorder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

namespace tileir {
#define GEN_PASS_DEF_CONVERTPADTOMEMREFPASS
#include "tileir/Conversion/Passes.h.inc"
} // namespace tileir

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;

namespace {

struct ConvertPadToMemRefPass
    : tileir::impl::ConvertPadToMemRefPassBase<ConvertPadToMemRefPass> {
  using ConvertPadToMemRefPassBase::ConvertPadToMemRefPassBase;

  void runOnOperation() override {
    getOperation().walk([&](tensor::PadOp op) {
      Value value = op.getConstantPaddingValue();
      auto input = op.getSource().getDefiningOp<bufferization::ToTensorOp>();
      bool isZero = value && (matchPattern(value, m_AnyZeroFloat()) ||
                              matchPattern(value, m_Zero()));
      if (isZero && input && op.getResultType().hasStaticShape() &&
          getConstantIntValues(op.getMixedLowPad()) && !isLeft(op))
        replace(op, input.getBuffer());
    });
    getOperation().walk([&](ContractOp op) {
      if (op.isPadded() && op.hasTensorForm())
        replace(op);
    });
  }

  /// Whether the contraction that reads a border copies what it needs of it, or
  /// may do so once it has a schedule.
  bool isLeft(tensor::PadOp op) {
    Value value = op.getResult();
    if (!value.hasOneUse())
      return false;
    OpOperand &use = *value.use_begin();
    Value read = value;
    if (auto kernel = dyn_cast<KernelOp>(use.getOwner()))
      read = kernel.getBody().getArgument(use.getOperandNumber());
    for (Operation *user : read.getUsers()) {
      auto contraction = dyn_cast<ContractOp>(user);
      for (unsigned operand = 0;
           contraction && operand < contraction.getInputs().size(); ++operand) {
        if (getPadding(contraction, operand) != op)
          continue;
        ScheduleAttr schedule = contraction.getScheduleAttr();
        return schedule ? getBorderedOperand(contraction, schedule, operand) ||
                              getStagedOperand(contraction, schedule, operand)
                        : beforeSchedules;
      }
    }
    return false;
  }

  /// A buffer for a result of `type`.
  static Value allocate(OpBuilder &builder, Location loc, ShapedType type) {
    return memref::AllocOp::create(
        builder, loc, MemRefType::get(type.getShape(), type.getElementType()),
        builder.getI64IntegerAttr(64));
  }

  /// A contraction on what memrefs hold becomes one on memrefs.
  void replace(ContractOp op) {
    auto getBuffer = [](Value tensor) -> Value {
      auto origin = tensor.getDefiningOp<bufferization::ToTensorOp>();
      return origin ? origin.getBuffer() : Value();
    };
    SmallVector<Value> inputs = llvm::map_to_vector(op.getInputs(), getBuffer);
    SmallVector<Value> tables = llvm::map_to_vector(op.getTables(), getBuffer);
    if (llvm::is_contained(inputs, Value()) ||
        llvm::is_contained(tables, Value()) ||
        !op.getOutputType().hasStaticShape())
      return;
    OpBuilder builder(op);
    Value buffer = allocate(builder, op.getLoc(), op.getOutputType());
    ContractOp::create(builder, op.getLoc(), TypeRange(), op.getSpec(), inputs,
                       tables, buffer, op.getPadAttr(), op.getAccAttr(),
                       op.getPrecisionAttr(), op.getSizesAttr());
    Value result = bufferization::ToTensorOp::create(
        builder, op.getLoc(), op.getOutputType(), buffer, /*restrict=*/true);
    op.replaceAllUsesWith(ValueRange(result));
    op.erase();
    ++numReplaced;
  }

  void replace(tensor::PadOp op, Value source) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    RankedTensorType type = op.getResultType();
    Value buffer = allocate(builder, loc, type);
    [[maybe_unused]] auto bufferType = cast<MemRefType>(buffer.getType());
    SmallVector<int64_t> low = *getConstantIntValues(op.getMixedLowPad());
    Value zero = arith::ConstantOp::create(
        builder, loc, builder.getZeroAttr(type.getElementType()));
    bool hasBytes = type.getElementTypeBitWidth() % 8 == 0;
    if (hasBytes && cast<MemRefType>(source.getType()).getLayout().isIdentity())
      memref_transforms::emitCopyWithBorder(builder, loc, source, buffer, low,
                                            zero, parallel);
    else
      copyToMiddle(builder, loc, source, buffer, low);
    Value padded = bufferization::ToTensorOp::create(builder, loc, type, buffer,
                                                     /*restrict=*/true);
    op.replaceAllUsesWith(padded);
    op.erase();
    ++numReplaced;
  }

  static void copyToMiddle(OpBuilder &builder, Location loc, Value source,
                           Value buffer, ArrayRef<int64_t> low) {
    auto bufferType = cast<MemRefType>(buffer.getType());
    clear(builder, loc, buffer, bufferType);

    // Its middle: the same strides, from the end of the border on.
    auto [strides, offset] = bufferType.getStridesAndOffset();
    for (auto [before, stride] : llvm::zip(low, strides))
      offset += before * stride;
    ArrayRef<int64_t> shape = cast<MemRefType>(source.getType()).getShape();
    MLIRContext *context = builder.getContext();
    auto layout = StridedLayoutAttr::get(context, offset, strides);
    Value middle = memref::ReinterpretCastOp::create(
        builder, loc,
        MemRefType::get(shape, bufferType.getElementType(), layout), buffer,
        offset, shape, strides);
    unsigned rank = bufferType.getRank();
    std::string indices;
    for (unsigned axis = 0; axis < rank; ++axis)
      indices += axis < 26 ? 'a' + axis : 'A' + (axis - 26);
    auto spec = SpecAttr::getCanonical(
        context, indices, rank, /*lookups=*/{},
        AffineMap::getMultiDimIdentityMap(rank, context));
    ContractOp::create(builder, loc, TypeRange(), spec, ValueRange(source),
                       /*tables=*/ValueRange(), middle, /*pad=*/StringAttr(),
                       /*acc=*/TypeAttr(), /*precision=*/StringAttr(),
                       /*sizes=*/DictionaryAttr());
  }

  /// Fills a buffer with zeros, which all types have as bytes of 0.
  static void clear(OpBuilder &builder, Location loc, Value buffer,
                    MemRefType type) {
    Type word = builder.getI64Type();
    Value address =
        memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, buffer);
    address = arith::IndexCastOp::create(builder, loc, word, address);
    Value pointer = LLVM::IntToPtrOp::create(
        builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
        address);
    int64_t bytes = type.getNumElements() * type.getElementTypeBitWidth() / 8;
    Value zero = LLVM::ConstantOp::create(builder, loc, builder.getI8Type(),
                                          builder.getI8IntegerAttr(0));
    Value size = LLVM::ConstantOp::create(builder, loc, word,
                                          builder.getI64IntegerAttr(bytes));
    LLVM::MemsetOp::create(builder, loc, pointer, zero, size,
                           /*isVolatile=*/false);
  }
};

} // namespace
