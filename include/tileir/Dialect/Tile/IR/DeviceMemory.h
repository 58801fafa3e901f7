//===- DeviceMemory.h - Memory of the device in host code -------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// How host code tells memrefs of the device from its own, and what it knows of
// them. tile-place-buffers makes such memrefs.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_DIALECT_TILE_IR_DEVICEMEMORY_H
#define TILEIR_DIALECT_TILE_IR_DEVICEMEMORY_H

#include "mlir/IR/BuiltinTypes.h"

namespace tileir::tile {

/// Whether a type is that of memrefs of the device: in
/// #gpu.address_space<global>.
bool isDeviceMemory(mlir::Type type);
/// `type` as that of a memref of the device.
mlir::MemRefType getDeviceType(mlir::MemRefType type);

/// On a gpu.alloc: the constant that it holds, `@name`, or its role in the
/// function, "argument 0".
inline constexpr llvm::StringLiteral kMemory = "tile.memory";
/// On a gpu.launch_func: a dictionary for each operand, with the `type` of a
/// buffer, its `memory`, and whether it is `readonly`, or the argument and axis
/// of which it is the `size`.
inline constexpr llvm::StringLiteral kArguments = "tile.arguments";
/// On a gpu.launch_func: what depends on sizes of its operands alone, as
/// formulas (LaunchFormulas.h): its `grid`, and the `requirements` without
/// which it is not reached; and the name of the kernel that is launched
/// instead, its `fallback`.
inline constexpr llvm::StringLiteral kFormulas = "tile.formulas";

} // namespace tileir::tile

#endif // TILEIR_DIALECT_TILE_IR_DEVICEMEMORY_H
