//===- Grid.h - What programs share by L2 -----------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The programs of a launch, and what device memory reads for them.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_CONVERSION_TILECONFIGSELECTION_GRID_H
#define TILEIR_LIB_CONVERSION_TILECONFIGSELECTION_GRID_H

#include "ProductCost.h"

#include "llvm/Support/MathExtras.h"

namespace tileir::config_selection {

/// How often device memory reads A and B.
struct Reads {
  double a, b;
};

/// The programs of a launch.
struct Grid {
  Grid(const ProductKernel &kernel, const layout::TileConfig &config)
      : rows(llvm::alignTo(
            llvm::divideCeil(kernel.products.front().sizes.m, config.block.m),
            config.cluster)),
        columns(
            llvm::divideCeil(kernel.products.front().sizes.n, config.block.n)),
        batch(kernel.products.front().batch) {}

  int64_t getPrograms() const { return rows * columns * batch; }
  /// If each wave of programs reads what it needs once.
  Reads getReads(int64_t wave, int64_t group) const;

  int64_t rows, columns, batch;
};

} // namespace tileir::config_selection

#endif // TILEIR_LIB_CONVERSION_TILECONFIGSELECTION_GRID_H
