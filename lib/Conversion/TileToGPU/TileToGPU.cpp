//===- TileToGPU.cpp - convert-tile-to-gpu --------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The pass: axis analysis of the kernels as they are, then they become
// functions of a GPU module and their launches copies and gpu.launch_func; then
// the ops in them are converted, as what one thread does. It needs what
// tile-verify-promoted verifies. Afterwards nothing of the dialect is left.
//
//===----------------------------------------------------------------------===//

#include "tileir/Conversion/TileToGPU/TileToGPU.h"
#include "Patterns.h"
#include "View.h"
#include "tileir/Conversion/TileLowering/AddressConverter.h"
#include "tileir/Conversion/TileLowering/Divisions.h"
#include "tileir/Dialect/Tile/Analysis/AxisInfo.h"
#include "tileir/Dialect/Tile/Transforms/Contracts.h"

#include "mlir/Analysis/DataFlowFramework.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Patterns.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

namespace tileir {
#define GEN_PASS_DEF_CONVERTTILETOGPUPASS
#include "tileir/Conversion/Passes.h.inc"
} // namespace tileir

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;
using namespace tileir::tile_lowering;
using namespace tileir::to_gpu;

int64_t to_gpu::getNumRegisters(Type tile) {
  return getTileLayout(tile).getSize(layout::InDim::Register);
}

/// The registers of a vector that is made of them, of one, of those of another
/// vector, or constant: values that say which registers are equal.
static SmallVector<Value> getKnownRegisters(OpBuilder &builder, Location loc,
                                            Value vector) {
  auto type = cast<VectorType>(vector.getType());
  if (auto from = vector.getDefiningOp<vector::FromElementsOp>())
    return llvm::to_vector(from.getElements());
  auto broadcast = vector.getDefiningOp<vector::BroadcastOp>();
  if (broadcast && !isa<VectorType>(broadcast.getSourceType()))
    return SmallVector<Value>(type.getNumElements(), broadcast.getSource());
  if (auto shuffle = vector.getDefiningOp<vector::ShuffleOp>()) {
    SmallVector<Value> from = unpackRegisters(builder, loc, shuffle.getV1());
    llvm::append_range(from, unpackRegisters(builder, loc, shuffle.getV2()));
    return llvm::map_to_vector(shuffle.getMask(),
                               [&](int64_t number) { return from[number]; });
  }
  DenseElementsAttr constant;
  if (!matchPattern(vector, m_Constant(&constant)))
    return {};
  llvm::SmallDenseMap<Attribute, Value> numbers;
  SmallVector<Value> registers;
  for (Attribute number : constant.getValues<Attribute>()) {
    Value &value = numbers[number];
    if (!value)
      value = arith::ConstantOp::create(builder, loc, cast<TypedAttr>(number));
    registers.push_back(value);
  }
  return registers;
}

SmallVector<Value> to_gpu::unpackRegisters(OpBuilder &builder, Location loc,
                                           Value vector) {
  if (!isa<VectorType>(vector.getType()))
    return {vector};
  SmallVector<Value> known = getKnownRegisters(builder, loc, vector);
  if (!known.empty())
    return known;
  return vector::ToElementsOp::create(builder, loc, vector).getResults();
}

Value to_gpu::packRegisters(OpBuilder &builder, Location loc,
                            ArrayRef<Value> registers) {
  auto type = VectorType::get(registers.size(), registers.front().getType());
  return vector::FromElementsOp::create(builder, loc, type, registers);
}

namespace {

/// Converts the types of a program's values to those of a thread (Patterns.h).
struct ThreadConverter : AddressConverter {
  ThreadConverter() {
    addConversion([](BufferType type) -> Type {
      return IntegerType::get(type.getContext(), 32);
    });
    // Threads wait for numbers of copies, not for some of them.
    addConversion([](TokenType, SmallVectorImpl<Type> &) { return success(); });
    addConversion([this](RankedTensorType type) -> Type {
      if (!isa_and_nonnull<LayoutAttr>(type.getEncoding()))
        return {};
      return VectorType::get(getNumRegisters(type),
                             convertType(type.getElementType()));
    });
    addConversion([](MemRefType type, SmallVectorImpl<Type> &parts) {
      parts.assign(1 + type.getNumDynamicDims(),
                   IntegerType::get(type.getContext(), 64));
      return success();
    });
  }
};

struct ConvertTileToGPUPass
    : tileir::impl::ConvertTileToGPUPassBase<ConvertTileToGPUPass> {
  using ConvertTileToGPUPassBase::ConvertTileToGPUPassBase;

  void runOnOperation() override {
    ModuleOp module = getOperation();
    module.walk([&](Operation *op) {
      numKernels += isKernel(op);
      numLaunches += isa<LaunchOp>(op);
    });
    if (failed(verifyPromoted(module)))
      return signalPassFailure();
    orderGlobalAccesses(module);
    DataFlowSolver solver;
    loadAxisInfoAnalysis(solver);
    if (failed(solver.initializeAndRun(module)))
      return signalPassFailure();
    guardDivisions(module);
    gpu::GPUModuleOp kernels = moveKernels(module);
    GlobalAccesses accesses{solver};
    if (kernels) {
      findSharedBounds(kernels, accesses);
      lowerRoles(kernels);
    }
    if (kernels && failed(convertKernels(kernels, accesses)))
      return signalPassFailure();
    numVectorAccesses += accesses.numVectors;
    numElementAccesses += accesses.numElements;
  }

private:
  LogicalResult convertKernels(gpu::GPUModuleOp kernels,
                               GlobalAccesses &accesses) {
    ThreadConverter converter;
    RewritePatternSet patterns(&getContext());
    ConversionTarget target(getContext());
    populateDropPatterns(converter, patterns);
    populateThreadElementwisePatterns(converter, patterns);
    populateThreadShapePatterns(converter, patterns);
    populateThreadGlobalPatterns(converter, patterns, accesses);
    populateThreadPrintPatterns(converter, patterns);
    populateThreadViewPatterns(converter, patterns, accesses);
    populateThreadSharedPatterns(converter, patterns);
    populateThreadAsyncPatterns(converter, patterns);
    populateThreadConvertLayoutPatterns(converter, patterns);
    populateThreadReducePatterns(converter, patterns);
    populateThreadMatrixPatterns(converter, patterns);
    populateThreadWarpgroupPatterns(converter, patterns);
    populateFunctionOpInterfaceTypeConversionPattern<gpu::GPUFuncOp>(patterns,
                                                                     converter);
    scf::populateSCFStructuralTypeConversionsAndLegality(converter, patterns,
                                                         target);

    target.addIllegalDialect<TileDialect>();
    target.addDynamicallyLegalOp<gpu::GPUFuncOp>([&](gpu::GPUFuncOp op) {
      return converter.isSignatureLegal(op.getFunctionType());
    });
    target.markUnknownOpDynamicallyLegal(
        [&](Operation *op) { return converter.isLegal(op); });
    // Once a pattern has reported an error, the driver's own error only says
    // where it is, and is dropped.
    bool hasError = false;
    ScopedDiagnosticHandler handler(&getContext(), [&](Diagnostic &diagnostic) {
      bool isError = diagnostic.getSeverity() == DiagnosticSeverity::Error;
      return success(isError && std::exchange(hasError, true));
    });
    return applyFullConversion(kernels, target, std::move(patterns));
  }
};

} // namespace
