//===- AMXToLLVM.cpp - convert-amx-to-llvm --------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream has no load with a hint, nor branches that pass registers: its pass
// on branches knows no types of AMX. Needs branches instead of loops; leaves
// casts of memrefs and indices to the conversions of these.
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/AMXToLLVM/AMXToLLVM.h"

#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/Pattern.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/AMX/AMXDialect.h"
#include "mlir/Dialect/AMX/Transforms.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Transforms/DialectConversion.h"

namespace tileir {
#define GEN_PASS_DEF_CONVERTAMXTOLLVMPASS
#include "tileir/Conversion/Passes.h.inc"
} // namespace tileir

using namespace mlir;
using namespace tileir;
using namespace tileir::amx_to_llvm;

namespace {

/// `tileloaddt1`: the line is not kept where others are read again. A pattern
/// of the interface, as upstream's: the driver tries these before those of an
/// op.
struct StreamedLoadPattern : OpInterfaceConversionPattern<amx::AMXIntrinsicOp> {
  StreamedLoadPattern(const LLVMTypeConverter &converter)
      : OpInterfaceConversionPattern(converter, &converter.getContext(),
                                     /*benefit=*/2) {}

  LogicalResult
  matchAndRewrite(amx::AMXIntrinsicOp op, ArrayRef<Value> converted,
                  ConversionPatternRewriter &rewriter) const override {
    auto load = dyn_cast<amx::TileLoadOp>(*op);
    if (!load || !op->hasAttr(kStreamedTile))
      return rewriter.notifyMatchFailure(op, "it is no streamed load");
    const auto &converter =
        *static_cast<const LLVMTypeConverter *>(getTypeConverter());
    rewriter.replaceOpWithNewOp<LLVM::CallIntrinsicOp>(
        op, converter.convertType(load.getTileType()),
        rewriter.getStringAttr("llvm.x86.tileloaddt164.internal"),
        op.getIntrinsicOperands(converted, converter, rewriter));
    return success();
  }
};

struct ConvertAMXToLLVMPass
    : tileir::impl::ConvertAMXToLLVMPassBase<ConvertAMXToLLVMPass> {
  void runOnOperation() override {
    ModuleOp module = getOperation();
    module.walk([&](amx::TileMulFOp) { ++numProducts; });
    module.walk([&](amx::TileMulIOp) { ++numProducts; });
    MLIRContext *context = &getContext();
    LLVMTypeConverter converter(context);
    LLVMConversionTarget target(*context);
    RewritePatternSet patterns(context);
    target.addIllegalDialect<cf::ControlFlowDialect>();
    target.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    configureAMXLegalizeForExportTarget(target);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    cf::populateAssertToLLVMConversionPattern(converter, patterns);
    populateAMXToLLVMPatterns(converter, patterns);
    if (failed(applyPartialConversion(module, target, std::move(patterns))))
      signalPassFailure();
  }
};

} // namespace

void amx_to_llvm::populateAMXToLLVMPatterns(LLVMTypeConverter &converter,
                                            RewritePatternSet &patterns) {
  populateAMXLegalizeForLLVMExportPatterns(converter, patterns);
  patterns.add<StreamedLoadPattern>(converter);
}
