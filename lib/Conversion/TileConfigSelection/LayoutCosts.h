//===- LayoutCosts.h - The costs of a kernel's layouts ----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Candidate layouts of operands and results, by the functions with which
// tile-assign-layouts and tile-promote-shared choose them, and what it costs a
// warp to access memory in these and to get from one to the other. Each is
// counted once: many tile configurations have them in common.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_TILECONFIGSELECTION_LAYOUTCOSTS_H
#define TILEIR_LIB_CONVERSION_TILECONFIGSELECTION_LAYOUTCOSTS_H

#include "tileir/Layout/Fragments/TileConfig.h"
#include "tileir/Layout/Global/GlobalMemory.h"
#include "tileir/Layout/Shared/Conversion.h"

#include "llvm/ADT/DenseMap.h"

namespace tileir::config_selection {

/// A tile of a matrix, from or to memory.
struct TileAccess {
  std::array<int64_t, 2> shape;
  unsigned fast; ///< the axis along which elements lie side by side
  unsigned bits; ///< of an element
  int64_t numWarps;

  layout::LinearLayout getLayout() const {
    return layout::getCoalesced(shape, bits, {fast, shape[fast]}, numWarps);
  }
};

/// The cost of getting an operand from its loads to fragments.
struct OperandCost : layout::ConversionCost {
  /// Elements that lie side by side in both memories: the most that an
  /// asynchronous copy moves. 0 if it does not go through shared memory.
  int64_t copyLength = 0;
};

class LayoutCosts {
public:
  /// `matrices`: the instructions that the target has.
  explicit LayoutCosts(layout::MatrixInstructions matrices)
      : matrices(matrices) {}

  /// By vectors of up to `aligned` elements, a power of two.
  layout::GlobalAccess getAccess(const TileAccess &tile, int64_t aligned);

  /// From the layout in which an operand is loaded to that of fragments.
  OperandCost getOperand(const layout::TileConfig &config,
                         layout::Matrix matrix, const TileAccess &tile);

  /// From accumulators to the layout in which the result is stored, as elements
  /// of `bits`; with split-K each thread gets all parts of what it stores.
  layout::ConversionCost getResult(const layout::TileConfig &config,
                                   layout::Scalar acc, const TileAccess &tile,
                                   unsigned bits);

  /// From accumulators to panels of shared memory, from which a bulk copy takes
  /// the result, as elements of `bits`; none if rows are too short for these.
  std::optional<layout::SharedCost>
  getPanelStore(const layout::TileConfig &config, layout::Scalar acc,
                const TileAccess &tile, unsigned bits) const;

private:
  layout::MatrixInstructions matrices;
  llvm::DenseMap<uint64_t, layout::GlobalAccess> accesses;
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, OperandCost> operands;
  llvm::DenseMap<std::pair<uint64_t, uint64_t>, layout::ConversionCost> results;
};

} // namespace tileir::config_selection

#endif // TILEIR_LIB_CONVERSION_TILECONFIGSELECTION_LAYOUTCOSTS_H
