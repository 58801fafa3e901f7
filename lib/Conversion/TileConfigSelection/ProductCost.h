//===- ProductCost.h - The cost of a tile configuration ---------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A cost model of the kernels that einsum-to-nvvm-pipeline makes of products by
// matrix instructions: it predicts what the simulator would count, so that
// machine::estimate, the only model of time, serves both.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_TILECONFIGSELECTION_PRODUCTCOST_H
#define TILEIR_LIB_CONVERSION_TILECONFIGSELECTION_PRODUCTCOST_H

#include "LayoutCosts.h"

#include "tileir/Target/Gpu/Counters.h"
#include "tileir/Target/Gpu/Gpu.h"

#include "tileir/Dialect/Einsum/IR/ContractionDim.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <functional>
#include <optional>

namespace tileir::config_selection {

/// Returns the size along `dim`, which is not Batch.
inline int64_t getSize(const layout::TileSizes &sizes,
                       einsum::ContractionDim dim) {
  return dim == einsum::ContractionDim::M   ? sizes.m
         : dim == einsum::ContractionDim::N ? sizes.n
                                            : sizes.k;
}

/// The way a matrix lies in memory.
struct MatrixMemory {
  einsum::ContractionDim fast; ///< along which elements lie side by side
  int64_t run;                 ///< how many, at multiples of as many elements
  unsigned bits;               ///< of an element
  /// Whether lines along `fast` follow one another without gaps.
  bool isDense = false;
  /// Whether pointwise ops compute it of what is loaded.
  bool isComputed = false;
  /// How many of them each element takes.
  int64_t numOps = 0;

  /// The largest power of two at whose multiples runs begin.
  int64_t getAlignment() const { return run & -run; }
};

/// A product that is summed up in registers.
struct Product {
  layout::TileSizes sizes;
  int64_t batch = 1;
  MatrixMemory a, b;
  unsigned accBits = 32;
};

/// One or more products of equal M and N that a kernel computes one
/// after the other, and what it makes of them.
struct ProductKernel {
  llvm::SmallVector<Product, 1> products;
  /// The atoms that take the types of all, best first.
  llvm::SmallVector<const layout::MmaAtom *> atoms;
  /// Those of warpgroups, where tensor maps can copy the operands of a product
  /// that is the only one.
  llvm::SmallVector<const layout::MmaAtom *> groupAtoms;
  /// The blocks of a configuration in which they can, if there are any.
  std::function<std::optional<layout::TileSizes>(const layout::TileConfig &)>
      getWindows;
  MatrixMemory result;
  /// Whether the target has asynchronous copies to shared memory.
  bool hasAsync = false;
  /// Bytes that pointwise ops read beside the results of the products.
  int64_t pointwiseBytes = 0;
  /// Whether something of the result's size is among it.
  bool isOfLoaded = false;
};

/// The resource limits of a CTA.
struct BlockLimits {
  int64_t shared, threads, registers;
};

/// Returns a block's K; blocks are cut to products of small K.
int64_t getDepth(const Product &product, const layout::TileConfig &config);

/// Whether tile-pipeline takes the loads of an operand, as far as global memory
/// and the target allow.
bool canBeCopied(const ProductKernel &kernel, const layout::TileConfig &config,
                 const MatrixMemory &operand);

/// Bytes of shared memory of a block.
int64_t getSharedBytes(const ProductKernel &kernel,
                       const layout::TileConfig &config);

/// The same for products of warpgroups.
int64_t getGroupSharedBytes(const ProductKernel &kernel,
                            const layout::TileConfig &config);

/// Registers of a thread for accumulators, for blocks of operands in flight to
/// registers, and for fragments.
int64_t getRegisters(const ProductKernel &kernel,
                     const layout::TileConfig &config);

/// The tile configurations to consider: those that fit, and whose blocks are
/// not larger than the product. There is one with each number of `stages`, or
/// with as many as there are steps if these are fewer.
llvm::SmallVector<layout::TileConfig>
getConfigs(const ProductKernel &kernel, const BlockLimits &limits,
           llvm::ArrayRef<int64_t> stages);

/// The same for products of warpgroups, with any of `stages`.
llvm::SmallVector<layout::TileConfig>
getGroupConfigs(const ProductKernel &kernel, const BlockLimits &limits,
                llvm::ArrayRef<int64_t> stages);

/// Predicts what the simulator would count. Remembers the costs of layouts.
class CostModel {
public:
  /// `matrices`: the instructions that the target has.
  CostModel(const machine::Gpu &gpu, layout::MatrixInstructions matrices)
      : gpu(gpu), costs(matrices) {}

  machine::Counters predict(const ProductKernel &kernel,
                            const layout::TileConfig &config);
  /// Without what conversions between layouts take, which costs most of the
  /// time of a prediction: counts that are as large or smaller.
  machine::Counters predictLeast(const ProductKernel &kernel,
                                 const layout::TileConfig &config);
  /// The group of programs for which device memory moves least; 0 if it does
  /// so without.
  int64_t chooseGroup(const ProductKernel &kernel,
                      const layout::TileConfig &config);

private:
  const machine::Gpu &gpu;
  LayoutCosts costs;
};

} // namespace tileir::config_selection

#endif // TILEIR_LIB_CONVERSION_TILECONFIGSELECTION_PRODUCTCOST_H
