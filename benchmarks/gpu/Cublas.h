//===- Cublas.h - Products by cuBLAS ----------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cublasGemmEx, with f16 operands and results and f32 accumulators.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_BENCHMARKS_CUBLAS_H
#define TILEIR_BENCHMARKS_CUBLAS_H

#include "Library.h"

#include "tileir-launch/Driver.h"

namespace tileir::bench {

using launch::DevicePtr;

/// C (m x n) = A (m x k) * B (k x n), in rows, or as their transposes are.
struct Product {
  int64_t m = 0, n = 0, k = 0;
  bool isATransposed = false, isBTransposed = false;
};

class Cublas {
public:
  Cublas() = default;
  Cublas(const Cublas &) = delete;
  Cublas &operator=(const Cublas &) = delete;
  ~Cublas();

  /// After the device was opened, whose context it uses.
  Error open();
  /// Begins to multiply.
  Error multiply(const Product &product, DevicePtr a, DevicePtr b,
                 DevicePtr c) const;
  int getVersion() const { return version; }

private:
  void *handle = nullptr;
  int version = 0;
  int (*destroy)(void *) = nullptr;
  int (*gemm)(void *, int, int, int, int, int, const void *, DevicePtr, int,
              int, DevicePtr, int, int, const void *, DevicePtr, int, int, int,
              int) = nullptr;
};

} // namespace tileir::bench

#endif // TILEIR_BENCHMARKS_CUBLAS_H
