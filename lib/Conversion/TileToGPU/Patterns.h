//===- Patterns.h - Parts of convert-tile-to-gpu ----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A tile with a layout is a vector per thread: tensor<64x64xf32, #l> becomes
// vector<R x f32> with R registers, element r of which is register r. Pointers
// become addresses of i64, in vectors as well, buffers their offset in bytes,
// an i32, from the beginning of the block's shared memory, and memrefs their
// address and dynamic sizes, each an i64.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_TILETOGPU_PATTERNS_H
#define TILEIR_LIB_CONVERSION_TILETOGPU_PATTERNS_H

#include "ThreadMap.h"

#include "tileir/Dialect/Tile/Analysis/ThreadLayouts.h"

#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Transforms/DialectConversion.h"

namespace mlir {
class DataFlowSolver;
}

namespace tileir::to_gpu {

/// Registers of a tile per thread.
int64_t getNumRegisters(mlir::Type tile);

/// The registers of a vector; a scalar is its only one.
llvm::SmallVector<mlir::Value> unpackRegisters(mlir::OpBuilder &builder,
                                               mlir::Location loc,
                                               mlir::Value vector);
/// The vector of these registers.
mlir::Value packRegisters(mlir::OpBuilder &builder, mlir::Location loc,
                          llvm::ArrayRef<mlir::Value> registers);

//===----------------------------------------------------------------------===//
// Launches.cpp
//===----------------------------------------------------------------------===//

/// Moves the kernels into a GPU module, as they are, and makes each launch pass
/// addresses to such a function. Null without kernels.
mlir::gpu::GPUModuleOp moveKernels(mlir::ModuleOp module);

/// Puts barriers between accesses of different threads to the same global
/// memory (GlobalOrder.cpp).
void orderGlobalAccesses(mlir::ModuleOp module);

//===----------------------------------------------------------------------===//
// LowerRoles.cpp, TensorMaps.cpp: before patterns
//===----------------------------------------------------------------------===//

/// Roles, channels and bulk copies become branches, barriers and instructions,
/// and tensor maps among the arguments of kernels their bytes.
void lowerRoles(mlir::gpu::GPUModuleOp kernels);
/// The channels and bulk copies of a kernel (LowerChannels.cpp).
void lowerChannels(mlir::gpu::GPUFuncOp function);

/// How a tensor map is passed: 128 bytes. Kernels take the address of such an
/// argument by a cast, which gpu-pass-by-value resolves.
mlir::Type getTensorMapBytes(mlir::MLIRContext *context);
/// Host code that makes a map, before `op`; returns its bytes.
mlir::Value emitTensorMap(tile::MakeTensorMapOp op);

//===----------------------------------------------------------------------===//
// Patterns, for what keeps tile-verify-promoted's contract.
//===----------------------------------------------------------------------===//

/// What is known of accesses of global memory, and their statistics.
struct GlobalAccesses {
  /// Has run axis analysis.
  const mlir::DataFlowSolver &solver;
  /// Loads and stores of vectors, and of single elements.
  unsigned numVectors = 0, numElements = 0;
  /// Asynchronous copies that share bounds (View.h).
  llvm::DenseSet<mlir::Operation *> sharedBounds = {};
};

// ElementwisePatterns.cpp: arith and math ops and constants on tiles, cmpp,
// assume, addptr, splat, program_id, num_programs.
void populateThreadElementwisePatterns(const mlir::TypeConverter &converter,
                                       mlir::RewritePatternSet &patterns);
// ShapePatterns.cpp: range, reshape, broadcast, trans.
void populateThreadShapePatterns(const mlir::TypeConverter &converter,
                                 mlir::RewritePatternSet &patterns);
// GlobalPatterns.cpp: load, store, atomic_rmw, atomic_cas.
void populateThreadGlobalPatterns(const mlir::TypeConverter &converter,
                                  mlir::RewritePatternSet &patterns,
                                  GlobalAccesses &accesses);
// PrintPatterns.cpp: print.
void populateThreadPrintPatterns(const mlir::TypeConverter &converter,
                                 mlir::RewritePatternSet &patterns);
// ViewPatterns.cpp: load_view, store_view; memref.load, store and dim.
void populateThreadViewPatterns(const mlir::TypeConverter &converter,
                                mlir::RewritePatternSet &patterns,
                                GlobalAccesses &accesses);
// SharedPatterns.cpp: alloc, local_store, local_load, barrier.
void populateThreadSharedPatterns(const mlir::TypeConverter &converter,
                                  mlir::RewritePatternSet &patterns);
// AsyncPatterns.cpp: async_wait; async_load_view and async_load are with the
// other accesses of global memory.
void populateThreadAsyncPatterns(const mlir::TypeConverter &converter,
                                 mlir::RewritePatternSet &patterns);
// ConvertLayoutPatterns.cpp: convert_layout within registers and by shuffles.
void populateThreadConvertLayoutPatterns(const mlir::TypeConverter &converter,
                                         mlir::RewritePatternSet &patterns);
// ReducePatterns.cpp: reduce, scan within a thread and by shuffles.
void populateThreadReducePatterns(const mlir::TypeConverter &converter,
                                  mlir::RewritePatternSet &patterns);
// MatrixPatterns.cpp: mma by the instructions of its atom, dot by fused
// multiply-add of registers.
void populateThreadMatrixPatterns(const mlir::TypeConverter &converter,
                                  mlir::RewritePatternSet &patterns);
// WarpgroupPatterns.cpp: mma_async, mma_wait.
void populateThreadWarpgroupPatterns(const mlir::TypeConverter &converter,
                                     mlir::RewritePatternSet &patterns);

/// Shared memory of a block: an array without a size, which the launch gives.
inline constexpr llvm::StringLiteral kSharedMemory = "tile_shared";
/// A pointer to it, at an offset in bytes (an i32).
mlir::Value emitShared(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value offset);

} // namespace tileir::to_gpu

#endif // TILEIR_LIB_CONVERSION_TILETOGPU_PATTERNS_H
