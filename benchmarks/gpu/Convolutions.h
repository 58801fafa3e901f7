//===- Convolutions.h - Convolutions ----------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convolutions, and shift convolutions: each channel of the image is moved by a
// number of rows and columns of its own, and then a 1x1 convolution mixes them.
// Its rivals, 1x1 convolutions, get an image that was moved before.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_BENCHMARKS_CONVOLUTIONS_H
#define TILEIR_BENCHMARKS_CONVOLUTIONS_H

#include "Task.h"

namespace tileir::bench {

class ConvolutionTask : public Task {
public:
  ConvolutionTask(Machine &machine, const Problem &problem);
  static bool isNamed(const std::string &task) {
    return task == "convolution" || task == "shift";
  }

  double getElement(size_t index) const override;
  double getFlops() const override;

private:
  bool isShift() const { return problem.task == "shift"; }
  Error setUpOperands() override;
  Error setUpShift();
  void addCudnn(const std::string &name, const ConvolutionSizes &convolved,
                bool isImplicitProduct, launch::Value image);
  Halves moveImage() const;
  /// Where an element of an image is.
  size_t getIndex(int64_t batch, int64_t channel, int64_t row, int64_t column,
                  const ConvolutionSizes &image) const;

  ConvolutionSizes sizes;
  Halves image, filters;
  /// Of a shift convolution: rows and columns of each channel.
  std::vector<int64_t> rowShifts, columnShifts;
};

} // namespace tileir::bench

#endif // TILEIR_BENCHMARKS_CONVOLUTIONS_H
