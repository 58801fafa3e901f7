//===- Products.h - Matrix products and what is around them -----*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The idioms of the paper: a product; of ReLU of A; followed by bias and ReLU;
// the sum of two.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_BENCHMARKS_PRODUCTS_H
#define TILEIR_BENCHMARKS_PRODUCTS_H

#include "Task.h"

namespace tileir::bench {

class ProductTask : public Task {
public:
  ProductTask(Machine &machine, const Problem &problem);
  static bool isNamed(const std::string &task);

  double getElement(size_t index) const override;
  double getFlops() const override;

private:
  Error setUpOperands() override;
  int getNumRoundings() const override;
  void addCublas();
  void addCublasLt();

  bool isReluOfA() const { return problem.task == "relu-gemm"; }
  bool hasBias() const { return problem.task == "gemm-bias-relu"; }
  bool isSum() const { return problem.task == "add-gemm-gemm"; }

  Product product;
  /// A and B of one product, or of both.
  std::vector<Halves> operands;
  Halves bias;
  /// What is between two kernels of a library.
  launch::Value intermediates[2];
};

} // namespace tileir::bench

#endif // TILEIR_BENCHMARKS_PRODUCTS_H
