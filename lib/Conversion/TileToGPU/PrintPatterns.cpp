//===- PrintPatterns.cpp - Threads print their elements -------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of the threads that hold an element the first one prints it.
//
//===----------------------------------------------------------------------===//

#include "GlobalAccess.h"
#include "tileir/Conversion/TileLowering/Print.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::to_gpu;
using layout::InDim;

namespace {
struct ConvertPrint : OpConversionPattern<PrintOp> {
  using OpConversionPattern::OpConversionPattern;
  LogicalResult
  matchAndRewrite(PrintOp op, OpAdaptor adaptor,
                  ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    // All tiles have one layout; scalars are the same for each register.
    Type type = rewriter.getI32Type();
    for (Type operand : op.getValues().getTypes())
      if (isa<RankedTensorType>(operand))
        type = operand;
    layout::LinearLayout layout = getLayoutOrScalar(op, type);
    SmallVector<SmallVector<Value>> registers;
    for (Value value : adaptor.getValues())
      registers.push_back(unpackRegisters(rewriter, loc, value));
    uint64_t copies = layout.getFreeBits(InDim::Register);
    auto printAll = [&](OpBuilder &builder) {
      for (unsigned reg = 0; reg < layout.getSize(InDim::Register); ++reg)
        if ((reg & copies) == 0)
          tile_lowering::createPrint(
              builder, loc, op.getFormat(),
              llvm::map_to_vector(registers, [&](ArrayRef<Value> values) {
                return values[values.size() == 1 ? 0 : reg];
              }));
      return SmallVector<Value>();
    };
    emitMasked(rewriter, loc, emitIsFirst(rewriter, loc, layout), printAll,
               ValuesBuilder());
    rewriter.eraseOp(op);
    return success();
  }
};
} // namespace

void to_gpu::populateThreadPrintPatterns(const TypeConverter &converter,
                                         RewritePatternSet &patterns) {
  patterns.add<ConvertPrint>(converter, patterns.getContext());
}
