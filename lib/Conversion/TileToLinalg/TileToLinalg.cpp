//===- TileToLinalg.cpp - convert-tile-to-linalg --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass: first kernels and their launches become functions and loops, then
// the dialect's ops are converted, and its pointers become addresses of i64
// wherever they occur. It needs P1 and P2 of tile-verify-program. Afterwards
// nothing of the dialect is left, and tiles are tensors that can be bufferized.
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/TileToLinalg/TileToLinalg.h"
#include "Patterns.h"
#include "tileir/Conversion/TileLowering/AddressConverter.h"
#include "tileir/Conversion/TileLowering/Divisions.h"
#include "tileir/Dialect/Tile/Transforms/Contracts.h"
#include "tileir/Dialect/Tile/Transforms/Passes.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Func/Transforms/FuncConversions.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/UB/IR/UBOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tileir {
#define GEN_PASS_DEF_CONVERTTILETOLINALGPASS
#include "tileir/Conversion/Passes.h.inc"
} // namespace tileir

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::tile_lowering;
using namespace tileir::to_linalg;

namespace {

/// Converts pointers in tiles as well.
struct TileConverter : AddressConverter {
  TileConverter() {
    addConversion([this](RankedTensorType type) -> Type {
      return type.clone(convertType(type.getElementType()));
    });
  }
};

struct ConvertTileToLinalgPass
    : tileir::impl::ConvertTileToLinalgPassBase<ConvertTileToLinalgPass> {
  void getDependentDialects(DialectRegistry &registry) const override {
    ConvertTileToLinalgPassBase::getDependentDialects(registry);
    registerAtomicEffects(registry);
  }

  void runOnOperation() override {
    ModuleOp module = getOperation();
    module.walk([&](Operation *op) {
      numKernels += isKernel(op);
      numLaunches += isa<LaunchOp>(op);
    });
    if (failed(verifyLaunches(module)))
      return signalPassFailure();
    std::optional<Runs> runs = findRuns(module);
    if (!runs)
      return signalPassFailure();
    for (auto &[op, run] : *runs)
      numVectors += run.lanes > 0;
    guardDivisions(module);
    lowerLaunches(module);

    TileConverter converter;
    RewritePatternSet patterns(&getContext());
    ConversionTarget target(getContext());
    populateDropPatterns(converter, patterns);
    populateShapePatterns(converter, patterns);
    populateCombinePatterns(converter, patterns);
    populateSplitPatterns(converter, patterns);
    populateElementwisePatterns(converter, patterns);
    populatePsiToSelectPatterns(patterns);
    populatePointerPatterns(converter, patterns);
    populateRunPatterns(converter, patterns, *runs);
    populateViewPatterns(converter, patterns);
    populateFunctionOpInterfaceTypeConversionPattern<func::FuncOp>(patterns,
                                                                   converter);
    populateCallOpTypeConversionPattern(patterns, converter);
    populateReturnOpTypeConversionPattern(patterns, converter);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);

    target.addIllegalDialect<TileDialect>();
    target.addDynamicallyLegalOp<func::FuncOp>([&](func::FuncOp op) {
      return converter.isSignatureLegal(op.getFunctionType());
    });
    target.addDynamicallyLegalOp<arith::ConstantOp>([](arith::ConstantOp op) {
      return !isa<RankedTensorType>(op.getType()) ||
             !isa<SplatElementsAttr>(op.getValue());
    });
    target.addDynamicallyLegalOp<arith::SelectOp>([&](arith::SelectOp op) {
      return converter.isLegal(op.getOperation()) && !isJoin(op);
    });
    target.addDynamicallyLegalOp<ub::PoisonOp>([&](ub::PoisonOp op) {
      return converter.isLegal(op.getOperation()) &&
             !isa<RankedTensorType>(op.getType());
    });
    target.markUnknownOpDynamicallyLegal(
        [&](Operation *op) { return converter.isLegal(op); });
    if (failed(applyFullConversion(module, target, std::move(patterns))))
      return signalPassFailure();
  }
};

} // namespace
