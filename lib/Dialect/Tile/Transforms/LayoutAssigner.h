//===- LayoutAssigner.h - Give the tiles of a kernel layouts ----*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_DIALECT_TILE_TRANSFORMS_LAYOUTASSIGNER_H
#define TILEIR_LIB_DIALECT_TILE_TRANSFORMS_LAYOUTASSIGNER_H

#include "LayoutChoice.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"

namespace tileir::tile {

//===----------------------------------------------------------------------===//
// Tiles and ops on them
//===----------------------------------------------------------------------===//

inline bool isTile(mlir::Value value) {
  return llvm::isa<mlir::RankedTensorType>(value.getType());
}

inline bool hasTiles(mlir::Operation *op) {
  return llvm::any_of(op->getOperands(), isTile) ||
         llvm::any_of(op->getResults(), isTile);
}

inline llvm::ArrayRef<int64_t> getSizes(mlir::Value tile) {
  return llvm::cast<mlir::RankedTensorType>(tile.getType()).getShape();
}

/// Ops that compute each element from the elements at the same place.
inline bool isElementwise(mlir::Operation *op) {
  return mlir::OpTrait::hasElementwiseMappableTraits(op) ||
         llvm::isa<AddPtrOp, CmppOp, AssumeOp, IntToPtrOp, PtrToIntOp,
                   PtrToPtrOp>(op);
}

inline bool isAccess(mlir::Operation *op) {
  return llvm::isa<LoadOp, StoreOp, AtomicRMWOp, AtomicCASOp, LoadViewOp,
                   StoreViewOp>(op);
}

/// The tile that an access moves, or its pointers.
inline mlir::Value getAccessed(mlir::Operation *access) {
  if (auto store = llvm::dyn_cast<StoreViewOp>(access))
    return store.getValue();
  if (auto load = llvm::dyn_cast<LoadViewOp>(access))
    return load.getResult();
  return access->getOperand(0);
}

/// The operands of the op that gives a value; what a loop carries in its place,
/// or the ends of an if.
llvm::SmallVector<mlir::Value> getSources(mlir::Value value);

//===----------------------------------------------------------------------===//
// The assigner
//===----------------------------------------------------------------------===//

/// Before anything is changed: LayoutAnchors.cpp; which layout a value is to
/// have: LayoutPrediction.cpp; changes: LayoutAssigner.cpp.
class LayoutAssigner {
public:
  /// `defaultWarps` is the number of warps of kernels without matrix
  /// instructions; 0 chooses one.
  LayoutAssigner(mlir::func::FuncOp kernel, const layout::TileConfig &config,
                 int64_t defaultWarps, bool useMma);

  mlir::LogicalResult run();
  unsigned getNumConversions() const { return numConversions; }
  unsigned getNumMmas() const { return mmas.size(); }

private:
  //===--------------------------------------------------------------------===//
  // Before anything is changed
  //===--------------------------------------------------------------------===//

  void chooseMmas();
  void chooseAnchors();
  LayoutAttr getAttr(const layout::LinearLayout &layout) {
    return LayoutAttr::get(kernel.getContext(), layout);
  }
  LayoutAttr getDefault(mlir::Type tile);

  //===--------------------------------------------------------------------===//
  // Which layout
  //===--------------------------------------------------------------------===//

  /// Whether a value is made again in each layout, rather than converted.
  bool isCheap(mlir::Value value);
  /// Whether elements come from memory other than by products.
  bool isLoaded(mlir::Value value);
  /// The layout that a value will have, as far as its operands tell.
  LayoutAttr predict(mlir::Value value, llvm::SmallPtrSetImpl<void *> &visited);
  LayoutAttr predict(mlir::Value value);
  /// Chooses among the layouts of the operands of an element-wise op.
  LayoutAttr choose(llvm::ArrayRef<LayoutAttr> layouts) const;
  LayoutAttr choose(mlir::Operation *op, llvm::ArrayRef<LayoutAttr> layouts);
  /// Returns the layout of the operand of a broadcast, reshape or
  /// transposition, by the layout of the result.
  LayoutAttr getRetiledLayout(mlir::Operation *op, LayoutAttr layout);
  /// Returns the layout in which a reshaped or transposed value is made without
  /// conversions; null if that is any.
  LayoutAttr getMadeLayout(mlir::Value value);
  LayoutAttr findRepeated(mlir::Value tile, bool repeats);
  /// Returns the layout of a value that goes through a loop or leaves an if,
  /// and may be cheap.
  LayoutAttr getCarried(mlir::ValueRange values);
  LayoutAttr getReduced(ReduceOp op, LayoutAttr source);
  /// Returns the layout of the operand of a reduction.
  LayoutAttr getReductionSource(ReduceOp op, LayoutAttr predicted);
  LayoutAttr findStore(mlir::Value value);

  //===--------------------------------------------------------------------===//
  // Changes
  //===--------------------------------------------------------------------===//

  mlir::LogicalResult assign(mlir::Block &block);
  mlir::LogicalResult assign(mlir::Operation *op);
  mlir::LogicalResult assign(mlir::scf::ForOp op);
  mlir::LogicalResult assign(mlir::scf::IfOp op);
  mlir::LogicalResult assign(mlir::scf::WhileOp op);
  void assignDot(DotOp op);
  /// All tiles among the operands and results get one layout.
  void assignAll(mlir::Operation *op, LayoutAttr layout);
  void setOperands(mlir::MutableArrayRef<mlir::OpOperand> operands,
                   llvm::ArrayRef<LayoutAttr> layouts);
  /// `value` in `layout`.
  mlir::Value getIn(mlir::Value value, LayoutAttr layout);
  mlir::Value rematerialize(mlir::Value value, LayoutAttr layout);
  void eraseUnused();
  void sinkRetiling();
  mlir::LogicalResult checkResult();

  mlir::func::FuncOp kernel;
  layout::TileConfig config;
  int64_t numWarps;
  bool useMma;
  unsigned numConversions = 0;
  /// The way products are computed, and the atom takes their operands.
  struct Mma {
    layout::MmaGrid grid;
    layout::Operand a, b, acc;
  };
  llvm::DenseMap<mlir::Operation *, Mma> mmas;
  /// The layouts of accesses and of the results of products.
  llvm::DenseMap<mlir::Operation *, LayoutAttr> anchors;
  /// The layouts of fragments, in which memory is not accessed.
  llvm::DenseSet<mlir::Attribute> fragments;
  llvm::DenseMap<mlir::Value, bool> cheap, loaded;
  llvm::DenseMap<std::pair<mlir::Value, mlir::Attribute>, mlir::Value> made;
};

} // namespace tileir::tile

#endif // TILEIR_LIB_DIALECT_TILE_TRANSFORMS_LAYOUTASSIGNER_H
