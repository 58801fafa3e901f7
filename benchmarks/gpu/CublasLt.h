//===- CublasLt.h - Products with an epilogue by cuBLASLt -------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One kernel for a product and what follows it: a bias and ReLU, or another
// matrix that is added. The algorithm is what its heuristics name first.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_BENCHMARKS_CUBLASLT_H
#define TILEIR_BENCHMARKS_CUBLASLT_H

#include "Cublas.h"

#include "tileir-launch/Launch.h"

namespace tileir::bench {

class CublasLt {
public:
  explicit CublasLt(launch::Device &device) : workspace(device) {}
  CublasLt(const CublasLt &) = delete;
  CublasLt &operator=(const CublasLt &) = delete;
  ~CublasLt();

  /// After the device was opened. Where the library is not there, nothing is
  /// open, which is no error.
  Error open();
  bool isOpen() const { return handle != nullptr; }
  size_t getVersion() const { return isOpen() ? functions.getVersion() : 0; }

private:
  friend class EpilogueProduct;

  /// cublasLtMatmulHeuristicResult_t
  struct Choice {
    uint64_t algorithm[8];
    size_t workspaceBytes;
    int status;
    float numWaves;
    int reserved[4];
  };

  struct Functions {
    int (*create)(void **) = nullptr;
    int (*destroy)(void *) = nullptr;
    size_t (*getVersion)() = nullptr;
    int (*createProduct)(void **, int, int) = nullptr;
    int (*destroyProduct)(void *) = nullptr;
    int (*setProduct)(void *, int, const void *, size_t) = nullptr;
    int (*createLayout)(void **, int, uint64_t, uint64_t, int64_t) = nullptr;
    int (*destroyLayout)(void *) = nullptr;
    int (*createPreference)(void **) = nullptr;
    int (*destroyPreference)(void *) = nullptr;
    int (*setPreference)(void *, int, const void *, size_t) = nullptr;
    int (*choose)(void *, void *, void *, void *, void *, void *, void *, int,
                  Choice *, int *) = nullptr;
    int (*multiply)(void *, void *, const void *, DevicePtr, void *, DevicePtr,
                    void *, const void *, DevicePtr, void *, DevicePtr, void *,
                    const uint64_t *, DevicePtr, size_t, void *) = nullptr;
  };

  Functions functions;
  void *handle = nullptr;
  launch::DeviceBuffer workspace;
};

/// A product with what follows it, made ready.
class EpilogueProduct {
public:
  explicit EpilogueProduct(const CublasLt &library) : library(library) {}
  EpilogueProduct(const EpilogueProduct &) = delete;
  EpilogueProduct &operator=(const EpilogueProduct &) = delete;
  ~EpilogueProduct();

  /// max(product + bias, 0), with a number of bias per column.
  Error prepareBiasRelu(const Product &product, DevicePtr bias);
  /// product + another matrix, which `multiply` gets.
  Error prepareSum(const Product &product);
  /// Begins to multiply. `added` is not read by prepareBiasRelu's.
  Error multiply(DevicePtr a, DevicePtr b, DevicePtr added, DevicePtr c) const;

private:
  Error describe(const Product &product);
  Error choose();

  const CublasLt &library;
  void *descriptor = nullptr, *layouts[3] = {};
  CublasLt::Choice choice = {};
  float addedFactor = 0;
};

} // namespace tileir::bench

#endif // TILEIR_BENCHMARKS_CUBLASLT_H
