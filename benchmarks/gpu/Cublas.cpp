//===- Cublas.cpp - Products by cuBLAS ------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cuBLAS stores columns one after the other, so that what it takes for
// C^T = B^T A^T is C = A B in rows.
//
//===----------------------------------------------------------------------===//

#include "Cublas.h"

using namespace tileir::bench;

Cublas::~Cublas() {
  if (handle)
    destroy(handle);
}

Error Cublas::open() {
  Library library({"libcublas.so.13", "libcublas.so.12", "libcublas.so.11"});
  if (!library)
    return Error("no cuBLAS: expected libcublas.so.13, .12 or .11 of the "
                 "CUDA toolkit; LD_LIBRARY_PATH may name its folder");
  int (*create)(void **) = nullptr;
  int (*findVersion)(void *, int *) = nullptr;
  if (!library.find(create, "cublasCreate_v2")
           .find(destroy, "cublasDestroy_v2")
           .find(findVersion, "cublasGetVersion_v2")
           .find(gemm, "cublasGemmEx"))
    return Error("cuBLAS lacks a function: expected that of CUDA 11 or newer");
  if (Error error = checkStatus(create(&handle), "cublasCreate"))
    return error;
  return checkStatus(findVersion(handle, &version), "cublasGetVersion");
}

Error Cublas::multiply(const Product &product, DevicePtr a, DevicePtr b,
                       DevicePtr c) const {
  constexpr int kF16 = 2, kCompute32F = 68, kDefaultAlgorithm = -1;
  const float one = 1, zero = 0;
  int m = int(product.m), n = int(product.n), k = int(product.k);
  return checkStatus(gemm(handle, product.isBTransposed, product.isATransposed,
                          n, m, k, &one, b, kF16, product.isBTransposed ? k : n,
                          a, kF16, product.isATransposed ? m : k, &zero, c,
                          kF16, n, kCompute32F, kDefaultAlgorithm),
                     "cublasGemmEx");
}
