//===- SpreadLoad.h - Vectors of elements a few places apart ----*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What strided convolutions and poolings read along lanes: all elements from
// the first to the last are loaded, and one operation takes those of two
// vectors. A load for each element takes several times as long.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_CONVERSION_EINSUMLOWERING_SPREADLOAD_H
#define TILEIR_CONVERSION_EINSUMLOWERING_SPREADLOAD_H

#include "tileir/Dialect/Einsum/Analysis/Primitives.h"

#include "mlir/IR/Builders.h"

namespace tileir::lowering {

/// A vector of `width` lanes, of which the first `count` are elements of
/// `buffer`, a memref whose last axis has stride 1, `stride` apart along it;
/// others are one of these. `getIndices` tells where the element so many places
/// after the first one is. Nothing before the first element and after the last
/// is read. Null if they are farther apart than `mostStride`, next to
/// each other, or span less than a vector.
mlir::Value createSpreadLoad(
    mlir::OpBuilder &builder, mlir::Location loc, mlir::Value buffer,
    llvm::function_ref<llvm::SmallVector<mlir::Value>(int64_t)> getIndices,
    int64_t width, int64_t count, int64_t stride,
    int64_t mostStride = einsum::kMostStride);

} // namespace tileir::lowering

#endif // TILEIR_CONVERSION_EINSUMLOWERING_SPREADLOAD_H
