//===- Predictor.h - The work of a launch -----------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The sum of what a kernel will be counted for: by warps (ProductCost.cpp), or
// by warpgroups (WarpgroupCost.cpp).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_TILECONFIGSELECTION_PREDICTOR_H
#define TILEIR_LIB_CONVERSION_TILECONFIGSELECTION_PREDICTOR_H

#include "Grid.h"

namespace tileir::config_selection {

/// Sums up the work of a launch.
class Predictor {
public:
  Predictor(const ProductKernel &kernel, const layout::TileConfig &config,
            const machine::Gpu &gpu, LayoutCosts &costs, bool withConversions);
  machine::Counters run();

private:
  double &of(machine::InstrClass instrClass) {
    return counts[unsigned(instrClass)];
  }
  /// Adds the sectors of all of a matrix of `sizes`, `times` over, by tiles of
  /// its axes `dims`, in this order. Returns those of one time.
  double addSectors(const MatrixMemory &matrix, const TileAccess &tile,
                    const layout::GlobalAccess &access,
                    std::array<einsum::ContractionDim, 2> dims,
                    const layout::TileSizes &sizes, double times);
  /// Adds the accesses for that, by loads and stores. Returns how many.
  double addAccesses(const TileAccess &tile, const layout::GlobalAccess &access,
                     std::array<einsum::ContractionDim, 2> dims,
                     const layout::TileSizes &sizes, double times);
  /// Adds what all warps take for `times` accesses of shared memory.
  void addShared(const layout::SharedCost &cost, double times);
  /// Adds what all warps take for `times` conversions.
  void addConversion(const layout::ConversionCost &cost, double times);
  /// Adds the work by which steps get an operand into fragments; `times` is how
  /// often the programs of the grid read it. Returns whether it is copied.
  bool addOperand(const Product &product, const MatrixMemory &memory,
                  layout::Matrix matrix, double times,
                  const layout::TileSizes &block, double steps);
  void addProduct(const Product &product);
  /// WarpgroupCost.cpp: a product of warpgroups, and its work in the counters.
  void addGroupProduct(const Product &product);
  void setGroupProducts(machine::Counters &counters, uint64_t mma) const;
  void addEpilogue();
  /// WarpgroupCost.cpp: adds what it takes to store the result in bulk, but for
  /// sectors. Returns false, and adds the addresses of a store, if
  /// tile-use-bulk-stores keeps it.
  bool addBulkStore(const TileAccess &tile);

  /// A tile of `block` of the matrix with axes `dims`.
  TileAccess getTile(const MatrixMemory &matrix,
                     std::array<einsum::ContractionDim, 2> dims,
                     const layout::TileSizes &block) const {
    return {{getSize(block, dims[0]), getSize(block, dims[1])},
            matrix.fast == dims[0] ? 0u : 1u,
            std::max(matrix.bits, 8u), // a predicate takes a byte
            warps};
  }

  const ProductKernel &kernel;
  const layout::TileConfig &config;
  const machine::Gpu &gpu;
  LayoutCosts &costs;
  bool withConversions;
  /// The warps that have the result, and those that only copy.
  int64_t warps, copyWarps;
  Grid grid;
  double programs;
  std::array<double, machine::kNumInstrClasses> counts = {};
  double wavefronts = 0, sectors = 0, roundTrips = 0;
  /// Sectors of A and B, and of what is accessed once.
  double sectorsOfA = 0, sectorsOfB = 0, sectorsOnce = 0;
};

} // namespace tileir::config_selection

#endif // TILEIR_LIB_CONVERSION_TILECONFIGSELECTION_PREDICTOR_H
