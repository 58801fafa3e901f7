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
#include "mlir/Dialect/X86Vector/Transforms.h"
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

  /// The patterns are more work to make than to apply to a small module: they
  /// are made once.
  LogicalResult initialize(MLIRContext *context) override {
    LowerToLLVMOptions options(context);
    options.useBarePtrCallConv = true;
    converter = std::make_shared<LLVMTypeConverter>(context, options);
    target = std::make_shared<LLVMConversionTarget>(*context);
    target->addLegalOp<ModuleOp>();
    configureOpenMPToLLVMConversionLegality(*target, *converter);
    configureX86VectorLegalizeForExportTarget(*target);

    RewritePatternSet set(context);
    populateAffineToStdConversionPatterns(set);
    arith::populateCeilFloorDivExpandOpsPatterns(set);
    arith::populateArithToLLVMConversionPatterns(*converter, set);
    cf::populateControlFlowToLLVMConversionPatterns(*converter, set);
    index::populateIndexToLLVMConversionPatterns(*converter, set);
    populateMathToLLVMConversionPatterns(*converter, set);
    populateMathToLibmConversionPatterns(set);
    populateFinalizeMemRefToLLVMConversionPatterns(*converter, set);
    populateFuncToLLVMConversionPatterns(*converter, set);
    ub::populateUBToLLVMConversionPatterns(*converter, set);
    vector::populateVectorInsertExtractStridedSliceTransforms(set);
    populateVectorToLLVMConversionPatterns(*converter, set,
                                           /*reassociateFPReductions=*/true);
    populateX86VectorLegalizeForLLVMExportPatterns(*converter, set);
    populateOpenMPToLLVMConversionPatterns(*converter, set);
    patterns = std::move(set);
    return success();
  }

  void runOnOperation() override {
    if (failed(applyPartialConversion(getOperation(), *target, patterns)))
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

private:
  // Patterns refer to the converter; copies of the pass share both.
  std::shared_ptr<LLVMTypeConverter> converter;
  std::shared_ptr<LLVMConversionTarget> target;
  FrozenRewritePatternSet patterns;
};
} // namespace

std::unique_ptr<Pass> tileir::createConvertOperationToLLVMPass() {
  return std::make_unique<ConvertOperationToLLVMPass>();
}
