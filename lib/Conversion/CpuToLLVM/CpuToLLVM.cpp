//===- CpuToLLVM.cpp - convert-cpu-to-llvm --------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream has a pass per dialect, and each goes through the module and makes
// its patterns anew. This is one conversion by the patterns of all of them,
// which are made once. Needs loops, vectors and memrefs of static shape, as
// convert-einsum-to-vector makes them; afterwards there is the LLVM dialect,
// and OpenMP's.
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/CpuToLLVM/CpuToLLVM.h"

#include "tileir/Conversion/AMXToLLVM/AMXToLLVM.h"
#include "tileir/Dialect/Einsum/IR/Einsum.h"
#include "tileir/Dialect/Einsum/IR/RuntimeChecks.h"
#include "tileir/Dialect/Einsum/IR/Schedule.h"

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
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Conversion/UBToLLVM/UBToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVM.h"
#include "mlir/Dialect/AMX/Transforms.h"
#include "mlir/Dialect/Arith/Transforms/Passes.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/Transforms/LoweringPatterns.h"
#include "mlir/Dialect/Vector/Transforms/VectorRewritePatterns.h"
#include "mlir/Dialect/X86Vector/Transforms.h"
#include "mlir/IR/Iterators.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Transforms/DialectConversion.h"

namespace tileir {
#define GEN_PASS_DEF_CONVERTCPUTOLLVMPASS
#include "tileir/Conversion/Passes.h.inc"
} // namespace tileir

using namespace mlir;
using namespace tileir;
using namespace tileir::einsum;

/// Erases ops whose results nothing computes with: above all tensors of
/// buffers, which convert-einsum-to-vector leaves.
static void eraseUnused(ModuleOp module) {
  module.walk<WalkOrder::PostOrder, ReverseIterator>([](Operation *op) {
    if (isOpTriviallyDead(op) ||
        (isa<bufferization::ToTensorOp, bufferization::ToBufferOp>(op) &&
         op->use_empty()))
      op->erase();
  });
}

/// The first op that is not loops, vectors or memrefs yet, or null.
static Operation *findOpenOp(ModuleOp module) {
  Operation *found = nullptr;
  module.walk([&](Operation *op) {
    if (!isa_and_nonnull<EinsumDialect, tensor::TensorDialect,
                         linalg::LinalgDialect,
                         bufferization::BufferizationDialect>(op->getDialect()))
      return WalkResult::advance();
    found = op;
    return WalkResult::interrupt();
  });
  return found;
}

/// Frees the buffers that nothing frees: results of contractions that others
/// read. They are made, and the function ends, outside of loops.
static unsigned freeUnownedBuffers(ModuleOp module) {
  unsigned numFreed = 0;
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isExternal())
      continue;
    Block &body = function.getBody().front();
    OpBuilder builder(body.getTerminator());
    for (auto alloc : body.getOps<memref::AllocOp>())
      if (llvm::none_of(alloc->getUsers(), llvm::IsaPred<memref::DeallocOp>)) {
        memref::DeallocOp::create(builder, alloc.getLoc(), alloc);
        ++numFreed;
      }
  }
  return numFreed;
}

/// convert-scf-to-openmp makes an alloca scope of each loop's body. They cannot
/// be lowered around control flow, and are not needed around none.
static void inlineScopes(ModuleOp module) {
  module.walk([](memref::AllocaScopeOp scope) {
    if (scope->getNumResults() != 0 || !scope.getBodyRegion().hasOneBlock() ||
        scope.walk([](memref::AllocaOp) { return WalkResult::interrupt(); })
            .wasInterrupted())
      return;
    Block &body = scope.getBodyRegion().front();
    body.getTerminator()->erase();
    scope->getBlock()->getOperations().splice(scope->getIterator(),
                                              body.getOperations());
    scope.erase();
  });
}

/// Reports of failed checks without their values, memrefs of dynamic size,
/// which have no place among functions on pointers.
static void simplifyReports(ModuleOp module) {
  auto report = module.lookupSymbol<func::FuncOp>(kReportCheckFunction);
  if (!report)
    return;
  report.setFunctionType(FunctionType::get(module.getContext(), {}, {}));
  module.walk([&](func::CallOp call) {
    if (call.getCallee() != kReportCheckFunction)
      return;
    OpBuilder builder(call);
    func::CallOp::create(builder, call.getLoc(), report, ValueRange());
    call.erase();
  });
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

namespace {
/// A conversion whose patterns refer to the converter: copies of the pass share
/// all of it.
struct Conversion {
  explicit Conversion(MLIRContext *context)
      : converter(context, getOptions(context)), loops(*context),
        target(*context) {
    // Not the terminators, which go with their loops.
    loops.addIllegalOp<scf::ForallOp, scf::ForOp, scf::IfOp, scf::IndexSwitchOp,
                       scf::ParallelOp, scf::WhileOp, scf::ExecuteRegionOp>();
    loops.markUnknownOpDynamicallyLegal([](Operation *) { return true; });
    RewritePatternSet loopSet(context);
    populateSCFToControlFlowConversionPatterns(loopSet);
    loopPatterns = std::move(loopSet);

    target.addLegalOp<ModuleOp>();
    configureOpenMPToLLVMConversionLegality(target, converter);
    configureX86VectorLegalizeForExportTarget(target);
    configureAMXLegalizeForExportTarget(target);
    RewritePatternSet set(context);
    populateAffineToStdConversionPatterns(set);
    arith::populateCeilFloorDivExpandOpsPatterns(set);
    arith::populateArithToLLVMConversionPatterns(converter, set);
    cf::populateControlFlowToLLVMConversionPatterns(converter, set);
    index::populateIndexToLLVMConversionPatterns(converter, set);
    populateMathToLLVMConversionPatterns(converter, set);
    populateMathToLibmConversionPatterns(set);
    populateFinalizeMemRefToLLVMConversionPatterns(converter, set);
    populateFuncToLLVMConversionPatterns(converter, set);
    ub::populateUBToLLVMConversionPatterns(converter, set);
    vector::populateVectorInsertExtractStridedSliceTransforms(set);
    vector::populateVectorStepLoweringPatterns(set);
    populateVectorToLLVMConversionPatterns(converter, set,
                                           /*reassociateFPReductions=*/true);
    populateX86VectorLegalizeForLLVMExportPatterns(converter, set);
    amx_to_llvm::populateAMXToLLVMPatterns(converter, set);
    populateOpenMPToLLVMConversionPatterns(converter, set);
    patterns = std::move(set);
  }

  static LowerToLLVMOptions getOptions(MLIRContext *context) {
    LowerToLLVMOptions options(context);
    options.useBarePtrCallConv = true;
    return options;
  }

  LLVMTypeConverter converter;
  ConversionTarget loops;
  LLVMConversionTarget target;
  FrozenRewritePatternSet loopPatterns, patterns;
};

struct ConvertCpuToLLVMPass
    : tileir::impl::ConvertCpuToLLVMPassBase<ConvertCpuToLLVMPass> {
  using ConvertCpuToLLVMPassBase::ConvertCpuToLLVMPassBase;

  /// The patterns are more work to make than to apply to a small module: they
  /// are made once.
  LogicalResult initialize(MLIRContext *context) override {
    conversion = std::make_shared<Conversion>(context);
    return success();
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    eraseUnused(module);
    // LLVM IR has no place for it.
    module->removeAttr(einsum::kMachineAttr);
    if (Operation *open = findOpenOp(module)) {
      open->emitError("convert-cpu-to-llvm expects loops, vectors and memrefs, "
                      "found '")
          << open->getName()
          << "': einsum-to-cpu-pipeline with tier=full takes it";
      return signalPassFailure();
    }
    if (freeBuffers)
      numFreed += freeUnownedBuffers(module);
    inlineScopes(module);
    simplifyReports(module);
    if (failed(applyPartialConversion(module, conversion->loops,
                                      conversion->loopPatterns)) ||
        failed(applyPartialConversion(module, conversion->target,
                                      conversion->patterns)))
      return signalPassFailure();
    foldDescriptors(module);
  }

private:
  std::shared_ptr<Conversion> conversion;
};
} // namespace
