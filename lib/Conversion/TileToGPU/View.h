//===- View.h - The registers of a tile in a memref -------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The address of a register is that of the thread's register 0 and what its
// other coordinate adds, a constant where strides are static. Runs go along the
// last axis of the memref. Memrefs begin at multiples of 128 bits, as the
// device memory that launches allocate does.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_TILETOGPU_VIEW_H
#define TILEIR_LIB_CONVERSION_TILETOGPU_VIEW_H

#include "SharedAccess.h"

namespace tileir::to_gpu {

/// In elements of memory: a predicate takes one.
int64_t getElementBytes(mlir::MemRefType type);

/// The size of a memref that the conversion has made `parts` of.
mlir::Value getSize(mlir::OpBuilder &builder, mlir::Location loc,
                    mlir::MemRefType type, mlir::ValueRange parts,
                    int64_t axis);

/// The stride of an axis, in bytes, with its number where that is known.
struct Stride {
  mlir::Value value;
  std::optional<int64_t> number;
};

llvm::SmallVector<Stride> getStrides(mlir::OpBuilder &builder,
                                     mlir::Location loc, mlir::MemRefType type,
                                     mlir::ValueRange parts);

/// The address of the element at these indices, from what the conversion has
/// made of memref and indices.
mlir::Value getAddressAt(mlir::OpBuilder &builder, mlir::Location loc,
                         mlir::ValueRange parts, llvm::ArrayRef<Stride> strides,
                         llvm::ArrayRef<mlir::ValueRange> indices);

/// Finds the loops whose copies are to share bounds.
void findSharedBounds(mlir::Operation *kernels, GlobalAccesses &accesses);

/// The registers of a tile in a memref: addresses and masks.
class View {
public:
  /// `parts` and `indices` are what the conversion has made of the operands.
  template <typename Op>
  View(mlir::OpBuilder &builder, Op op, mlir::RankedTensorType tile,
       mlir::ValueRange parts, llvm::ArrayRef<mlir::ValueRange> indices,
       GlobalAccesses &accesses)
      : View(builder, op, tile::ViewAccess::get(op, tile), parts, indices,
             accesses) {}

  const layout::LinearLayout &getLayout() const { return layout; }
  const tile::GlobalRun &getRun() const { return run; }
  Runs getRuns() const {
    return Runs(layout, run.axis, run.width.getNumElements());
  }

  /// The address of a register.
  mlir::Value getAddress(unsigned reg) const { return getPlace(reg, address); }
  /// The same as pointer, from that of register 0: of the addresses of a loop
  /// LLVM then counts up only one.
  mlir::Value getPointer(unsigned reg);
  /// Whether a register, and the run that begins with it, is inside: null if
  /// all are.
  mlir::Value getMask(unsigned reg);

  /// Prepares masks for a loop, of which as much as possible is computed before
  /// it: getCopyMask takes in `mask`, an i1 or null, of which the conversion
  /// has made `converted`.
  void followSteps(mlir::Value mask, mlir::Value converted,
                   mlir::ConversionPatternRewriter &rewriter,
                   const mlir::DataFlowSolver &solver);
  /// What getMask tells, and the mask of all registers.
  CopyMask getCopyMask(unsigned reg);

private:
  View(mlir::OpBuilder &builder, mlir::Operation *op, tile::ViewAccess of,
       mlir::ValueRange parts, llvm::ArrayRef<mlir::ValueRange> indices,
       GlobalAccesses &accesses);

  /// The place of a register, if that of register 0 is `first`.
  mlir::Value getPlace(unsigned reg, mlir::Value first) const;
  mlir::Value advance(mlir::Value from, mlir::Value distance,
                      int64_t axis) const;
  /// How far a coordinate, which is not negative, is along an axis of the tile.
  mlir::Value getDistance(mlir::Value i32, unsigned i) const;
  /// What is left along an axis from the thread's first element in this step.
  mlir::Value getRest(unsigned axis);
  /// Whether a coordinate along an axis of the tile is inside.
  mlir::Value isInside(unsigned axis, int32_t coordinate);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  tile::ViewAccess access;
  mlir::MemRefType type;
  layout::LinearLayout layout;
  llvm::SmallVector<int64_t> axes;
  llvm::SmallVector<bool> isChecked;
  tile::GlobalRun run;
  llvm::SmallVector<Stride> strides;
  /// The address of register 0, and the pointer, if it is used.
  mlir::Value address, pointer;
  llvm::SmallVector<mlir::Value> threads, starts, sizes;
  /// Along which axes the tile starts at a number that a step of a loop changes
  /// and that is not negative, and what it has to be below besides, or null.
  llvm::SmallVector<bool> isStep;
  llvm::SmallVector<mlir::Value> limits;
  /// Whether comparisons in a step have one bound, and what is left of it.
  bool sharesBounds;
  llvm::SmallVector<mlir::Value> rests;
  /// The mask of all registers, without what became a limit.
  CopyMask common;
  /// The masks of coordinates along an axis, and those of elements along the
  /// checked axes.
  llvm::DenseMap<std::pair<unsigned, int32_t>, mlir::Value> axisMasks;
  llvm::DenseMap<uint64_t, mlir::Value> masks;
};

} // namespace tileir::to_gpu

#endif // TILEIR_LIB_CONVERSION_TILETOGPU_VIEW_H
