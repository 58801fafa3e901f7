//===- TritonToTile.cpp - convert-triton-to-tile --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass: descriptors are expanded, then what has no counterpart is found, so
// that each error is one line at the op that is meant. Then ops and types are
// converted where they stand, and upstream's passes structure the control flow
// and inline functions.
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/TritonToTile/TritonToTile.h"
#include "Patterns.h"

#include "mlir/Conversion/ControlFlowToSCF/ControlFlowToSCF.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlow.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

namespace tileir {
#define GEN_PASS_DEF_CONVERTTRITONTOTILEPASS
#include "tileir/Conversion/Passes.h.inc"
} // namespace tileir

using namespace mlir;
using namespace tileir;
using namespace tileir::triton_to_tile;

/// Whether an attribute of an op is a hint of Triton's.
static bool isHint(NamedAttribute attr) {
  StringRef dialect = attr.getName().getValue().split('.').first;
  return dialect == "tt" || dialect == "ttg" ||
         attr.getName() == "loop_annotation";
}

/// Whether an op does nothing in a program of tiles.
static bool isDropped(Operation *op) {
  return isa<triton::BarrierOp, gpu::BarrierOp, LLVM::AssumeOp>(op);
}

/// Makes branches by `scf.if` of a switch, by which upstream's pass tells ways
/// out apart: all pipelines know those.
static void replaceSwitch(scf::IndexSwitchOp op) {
  if (op.getCases().empty())
    return;
  IRRewriter rewriter(op);
  Location loc = op.getLoc();
  Operation *outermost = nullptr;
  for (auto [value, region] : llvm::zip(op.getCases(), op.getCaseRegions())) {
    Value number = arith::ConstantIndexOp::create(rewriter, loc, value);
    Value equal = arith::CmpIOp::create(rewriter, loc, arith::CmpIPredicate::eq,
                                        op.getArg(), number);
    auto branch = scf::IfOp::create(rewriter, loc, op.getResultTypes(), equal,
                                    /*addThenBlock=*/false,
                                    /*addElseBlock=*/false);
    if (!outermost)
      outermost = branch;
    else
      scf::YieldOp::create(rewriter, loc, branch.getResults());
    branch.getThenRegion().takeBody(region);
    if (value == op.getCases().back())
      branch.getElseRegion().takeBody(op.getDefaultRegion());
    else
      rewriter.createBlock(&branch.getElseRegion());
  }
  rewriter.replaceOp(op, outermost);
}

namespace {

struct ConvertTritonToTilePass
    : tileir::impl::ConvertTritonToTilePassBase<ConvertTritonToTilePass> {
  using ConvertTritonToTilePassBase::ConvertTritonToTilePassBase;

  LogicalResult initialize(MLIRContext *context) override {
    if (undefinedOther == "poison" || undefinedOther == "zero")
      return success();
    return emitError(UnknownLoc::get(context))
           << "convert-triton-to-tile: undefined-other: expected poison or "
              "zero, found '"
           << undefinedOther << "'";
  }

  /// Counts and tells of what is dropped, and drops it.
  void dropHints(ModuleOp module) {
    SmallVector<Operation *> dropped;
    module.walk([&](Operation *op) {
      if (isDropped(op)) {
        dropped.push_back(op);
        return;
      }
      for (NamedAttribute attr :
           llvm::to_vector(op->getDiscardableAttrDictionary()))
        if (isHint(attr) && !isa<triton::FuncOp>(op)) {
          op->removeDiscardableAttr(attr.getName());
          ++numHints;
        }
      if (auto load = dyn_cast<triton::LoadOp>(op))
        numUndefined += load.getMask() && !load.getOther();
    });
    for (Operation *op : dropped) {
      ++numHints;
      op->erase();
    }
  }

  LogicalResult convert(ModuleOp module, PointerConverter &converter) {
    RewritePatternSet patterns(&getContext());
    ConversionTarget target(getContext());
    populateFunctionPatterns(converter, patterns);
    populateShapePatterns(converter, patterns);
    populateMemoryPatterns(converter, patterns, {undefinedOther == "poison"});
    populateComputePatterns(converter, patterns);
    populateCombinePatterns(converter, patterns);
    populateGatherPatterns(converter, patterns);
    populatePrintPatterns(converter, patterns);
    populateScaledProductPatterns(converter, patterns);
    populateBranchOpInterfaceTypeConversionPattern(patterns, converter);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);
    target.addIllegalDialect<triton::TTDialect, triton::TTGDialect>();
    target.addLegalDialect<tile::TileDialect>();
    target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp op) {
      return converter.isSignatureLegal(op.getFunctionType());
    });
    target.markUnknownOpDynamicallyLegal(
        [&](Operation *op) { return converter.isLegal(op); });
    return applyPartialConversion(module, target, std::move(patterns));
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    if (!hasTritonFunctions(module))
      return;
    PointerConverter converter;
    if (failed(expandDescriptors(module)) ||
        failed(verifySupported(module, converter)))
      return signalPassFailure();
    SmallVector<StringRef> names;
    for (auto function : module.getOps<triton::FuncOp>()) {
      numKernels += function.isPublic();
      names.push_back(function.getName());
    }
    dropHints(module);
    if (failed(convert(module, converter)))
      return signalPassFailure();
    for (StringRef name : names)
      simplifyLocations(module.lookupSymbol(name));

    OpPassManager structure(ModuleOp::getOperationName());
    structure.addPass(createLiftControlFlowToSCFPass());
    // Without canonicalization, which may take undefined elements for any.
    structure.addPass(createInlinerPass({}, [](OpPassManager &) {}));
    if (failed(runPipeline(structure, module)))
      return signalPassFailure();
    module.walk(replaceSwitch);
  }
};

} // namespace

bool triton_to_tile::hasTritonFunctions(ModuleOp module) {
  return !module.getOps<triton::FuncOp>().empty();
}

LogicalResult triton_to_tile::convertTritonFunctions(ModuleOp module) {
  if (!hasTritonFunctions(module))
    return success();
  PassManager manager(module.getContext());
  manager.addPass(createConvertTritonToTilePass());
  return manager.run(module);
}
