//===- Specialization.h - A kernel divided into roles -----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The parts of tile-warp-specialize: which kernels can be divided
// (Specialization.cpp), and how they are (TileWarpSpecialize.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_DIALECT_TILE_TRANSFORMS_ROLES_SPECIALIZATION_H
#define TILEIR_LIB_DIALECT_TILE_TRANSFORMS_ROLES_SPECIALIZATION_H

#include "tileir/Dialect/Tile/IR/Tile.h"
#include "tileir/Layout/Fragments/Warpgroup.h"

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/PatternMatch.h"
#include "llvm/ADT/SetVector.h"

namespace tileir::tile {

/// An operand of a product, as the loop loads it: what is loaded may be
/// transposed, and what is then the matrix in row order may run along several
/// axes.
struct LoadedOperand {
  LoadViewOp load;
  /// What comes between the load and the product, from the latter on.
  llvm::SmallVector<mlir::Operation *, 2> reordering;
  Major order = Major::Row; ///< column: the stage has the transpose
  /// The shape of a stage.
  std::array<int64_t, 2> shape;
  /// The axes of memory, the sizes of what is loaded, and how far apart its
  /// elements are, in the order of the stage.
  llvm::SmallVector<int64_t> axes, sizes, steps;
  AllocOp buffer = nullptr;

  /// Whether the stage is what is loaded, as it is.
  bool isPlain() const {
    return llvm::ArrayRef(sizes) == llvm::ArrayRef(shape) &&
           llvm::is_sorted(axes);
  }
  int64_t getNumBytes() {
    auto tile = mlir::cast<mlir::RankedTensorType>(load.getType());
    return tile.getNumElements() * tile.getElementTypeBitWidth() / 8;
  }
};

/// A product of the loop.
struct LoadedProduct {
  DotOp dot;
  const layout::MmaAtom *atom = nullptr;
  /// The operands; `a` has no load if threads have it in registers.
  LoadedOperand a, b;
  /// The product is a sum of its own, which is added to the accumulator.
  bool isPromoted = false;

  /// The M, N and K of the product.
  layout::TileSizes getBlock();
};

/// What is known to divide the bytes of a row of an argument of the kernel, a
/// memref in row-major order.
int64_t getRowFactor(mlir::func::FuncOp kernel, mlir::BlockArgument argument);

/// A kernel that is divided, or the reason why it is not.
class Specialization {
public:
  Specialization(mlir::func::FuncOp kernel, mlir::scf::ForOp loop,
                 llvm::ArrayRef<DotOp> dots)
      : kernel(kernel), loop(loop), stages(getConfig(kernel).stages) {
    for (DotOp dot : dots)
      products.emplace_back().dot = dot;
    // Stages of persistent kernels are filled for the next block, too.
    if (auto trips = loop.getStaticTripCount();
        trips && getConfig(kernel).persistent == 0)
      stages = std::clamp<int64_t>(trips->getSExtValue(), 1, stages);
  }

  /// The failure reason; empty if the kernel can be divided.
  std::string check();
  /// Lets the product of each step be a sum of its own, which is added to the
  /// carried one, if instructions sum up in fewer bits than the product asks
  /// for. The reason if they do and it cannot. After `check`.
  std::string promoteSums();
  void apply(mlir::RewriterBase &rewriter);

  bool isPromoted() const {
    return llvm::any_of(products, [](const LoadedProduct &product) {
      return product.isPromoted;
    });
  }
  int64_t getStages() const { return stages; }
  /// Of the stages of all operands, and of the two barriers of each.
  int64_t getNumBytes() {
    return stages * (getStageBytes() + layout::kStageBarrierBytes);
  }

private:
  std::string checkOperand(const LoadedProduct &product, layout::Matrix matrix,
                           LoadedOperand &operand);
  std::string checkAtom(LoadedProduct &product);
  /// Whether A of a product is not only loaded in the loop, but before it, or
  /// computed of what is loaded, or of another product.
  bool isInRegisters(mlir::Value value);
  std::string checkRegisters();
  /// Whether each product adds to a sum that the loop carries, and is used for
  /// nothing else, of operands that stay where they are meanwhile.
  bool areSums();
  /// The operands that a stage has, each once.
  llvm::SmallVector<LoadedOperand *> getLoaded();
  int64_t getStageBytes();
  std::string checkAddresses();
  std::string checkWrites();
  RolesOp createRoles(mlir::RewriterBase &rewriter);
  void fillCopies(mlir::RewriterBase &rewriter, mlir::Region &role);
  void fillProducts(mlir::RewriterBase &rewriter, mlir::Region &role);
  /// Makes a product asynchronous; a wait for it follows, which leaves as many
  /// pending, unless that is -1. Returns the last of both.
  mlir::Operation *replaceProduct(mlir::RewriterBase &rewriter,
                                  LoadedProduct &product, mlir::Value stage,
                                  int64_t pending);

  mlir::func::FuncOp kernel;
  mlir::scf::ForOp loop;
  llvm::SmallVector<LoadedProduct, 2> products;
  int64_t stages, groups = 0;
  /// What the loads depend on: in the loop, and before it.
  llvm::SetVector<mlir::Operation *> inside, before;
  ChannelOp channel;
};

} // namespace tileir::tile

#endif // TILEIR_LIB_DIALECT_TILE_TRANSFORMS_ROLES_SPECIALIZATION_H
