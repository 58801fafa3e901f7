//===- ToLLVM.cpp - One conversion to the LLVM dialect --------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream has a pass per dialect, and each goes through the module. This is
// one conversion by the patterns of all of them.
//
//===----------------------------------------------------------------------===//

#include "Lowering.h"

#include "mlir/Analysis/DataLayoutAnalysis.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/ControlFlowToLLVM/ControlFlowToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVM.h"
#include "mlir/Conversion/IndexToLLVM/IndexToLLVM.h"
#include "mlir/Conversion/LLVMCommon/ConversionTarget.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/MathToLibm/MathToLibm.h"
#include "mlir/Conversion/MemRefToLLVM/MemRefToLLVM.h"
#include "mlir/Conversion/OpenMPToLLVM/ConvertOpenMPToLLVM.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Transforms.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Transforms/DialectConversion.h"

using namespace mlir;
using namespace tileir;

namespace {
struct ConvertOperationToLLVMPass
    : PassWrapper<ConvertOperationToLLVMPass, OperationPass<ModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ConvertOperationToLLVMPass)

  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<LLVM::LLVMDialect, omp::OpenMPDialect>();
  }

  void runOnOperation() override {
    MLIRContext *context = &getContext();
    LowerToLLVMOptions options(context);
    options.useBarePtrCallConv = true;
    LLVMTypeConverter converter(context, options);
    LLVMConversionTarget target(*context);
    target.addLegalOp<ModuleOp>();
    configureOpenMPToLLVMConversionLegality(target, converter);

    RewritePatternSet patterns(context);
    populateAffineToStdConversionPatterns(patterns);
    arith::populateCeilFloorDivExpandOpsPatterns(patterns);
    arith::populateArithToLLVMConversionPatterns(converter, patterns);
    cf::populateControlFlowToLLVMConversionPatterns(converter, patterns);
    index::populateIndexToLLVMConversionPatterns(converter, patterns);
    populateMathToLLVMConversionPatterns(converter, patterns);
    populateMathToLibmConversionPatterns(patterns);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, patterns);
    populateFuncToLLVMConversionPatterns(converter, patterns);
    ub::populateUBToLLVMConversionPatterns(converter, patterns);
    vector::populateVectorInsertExtractStridedSliceTransforms(patterns);
    populateVectorToLLVMConversionPatterns(converter, patterns,
                                           /*reassociateFPReductions=*/true);
    populateOpenMPToLLVMConversionPatterns(converter, patterns);
    if (failed(applyPartialConversion(getOperation(), target,
                                      std::move(patterns))))
      return signalPassFailure();
    foldDescriptors(getOperation());
  }

  /// Takes what descriptors of memrefs were made of instead of what they hold:
  /// LLVM's analyses do not look into them, and see an unknown pointer in each
  /// access.
  static void foldDescriptors(ModuleOp module) {
    module.walk([](LLVM::ExtractValueOp op) {
      Value part = op.getContainer();
      while (auto insert = part.getDefiningOp<LLVM::InsertValueOp>()) {
        if (insert.getPosition() == op.getPosition()) {
          op.replaceAllUsesWith(insert.getValue());
          op.erase();
          return;
        }
        part = insert.getContainer();
      }
    });
    module.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
      if (isa<LLVM::InsertValueOp, LLVM::ConstantOp, LLVM::PoisonOp>(op) &&
          op->use_empty())
        op->erase();
    });
  }
};
} // namespace

std::unique_ptr<Pass> tileir::createConvertOperationToLLVMPass() {
  return std::make_unique<ConvertOperationToLLVMPass>();
}
