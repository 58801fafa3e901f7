//===- HostBuffers.h - Memory of host code that kernels access --*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The memrefs of a host function, by the memory that they may be, and how each
// op accesses it. It needs host code without tensors.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_DIALECT_TILE_TRANSFORMS_HOSTBUFFERS_H
#define TILEIR_LIB_DIALECT_TILE_TRANSFORMS_HOSTBUFFERS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"

#include <memory>

namespace tileir::tile {

/// Memory that a launch accesses, or that an argument has on the device: all
/// values that may be views of it.
struct HostBuffer {
  llvm::SetVector<mlir::Value> values;
  /// An argument, allocation or constant that all others are views of; else
  /// null, and `reason` says why there is no such one.
  mlir::Value root;
  std::string reason;

  /// The block in which the root is.
  mlir::Block *getHome() { return root.getParentBlock(); }
};

/// An access to a buffer that has a root, by an operand of `op`.
struct BufferAccess {
  mlir::OpOperand *operand;
  HostBuffer *buffer;
  bool onDevice, reads, writes;
  mlir::Operation *getOp() const { return operand->getOwner(); }
};

class HostBuffers {
public:
  /// `perLaunch`: no buffer has a root.
  HostBuffers(mlir::func::FuncOp function, bool perLaunch);

  /// The buffer that `value` is a view of, if it is one of `buffers`.
  HostBuffer *lookup(mlir::Value value) const { return map.lookup(value); }

  std::vector<std::unique_ptr<HostBuffer>> buffers;
  /// The accesses of buffers with a root, in the order of the ops.
  std::vector<BufferAccess> accesses;

private:
  void collect(mlir::Value value);
  void findRoot(HostBuffer &buffer);
  void addAccess(mlir::OpOperand &operand, HostBuffer &buffer);
  bool isOnDevice(mlir::OpOperand &operand) const;

  mlir::func::FuncOp function;
  llvm::DenseMap<mlir::Value, HostBuffer *> map;
};

/// The memref that `memref` is the same elements of, in another shape.
mlir::Value skipReshapes(mlir::Value memref);

/// Whether `value` is an argument that `function` gets in memory of the device.
bool isOnDeviceArgument(mlir::Value value, mlir::func::FuncOp function);

/// Whether `memref` is a memref.global that never changes.
bool isConstantMemory(mlir::Value memref);

/// Gives the pointers of kernels that are launched the alignment of device
/// memory.
void alignPointers(mlir::ModuleOp module);

} // namespace tileir::tile

#endif // TILEIR_LIB_DIALECT_TILE_TRANSFORMS_HOSTBUFFERS_H
