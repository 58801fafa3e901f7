//===- Cudnn.h - Convolutions by cuDNN --------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convolutions without padding of f16, with f32 accumulators and tensor cores
// allowed. cuDNN runs all of its algorithms once and says which are how fast.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_BENCHMARKS_CUDNN_H
#define TILEIR_BENCHMARKS_CUDNN_H

#include "Library.h"

#include "tileir-launch/Launch.h"

namespace tileir::bench {

using launch::DevicePtr;

/// Sizes as cuDNN names them: of the batch, the channels, the image, the
/// filters and their taps.
struct ConvolutionSizes {
  int64_t n = 0, c = 0, h = 0, w = 0, k = 0, r = 0, s = 0;
  /// The channels of an image are the last axis (NHWC) in place of the second
  /// one (NCHW); those of the filters too.
  bool isChannelsLast = false;

  int64_t getRows() const { return h - r + 1; }
  int64_t getColumns() const { return w - s + 1; }
};

class Cudnn {
public:
  Cudnn() = default;
  Cudnn(const Cudnn &) = delete;
  Cudnn &operator=(const Cudnn &) = delete;
  ~Cudnn();

  /// After the device was opened. Where the library is not there, nothing is
  /// open, which is no error.
  Error open();
  bool isOpen() const { return handle != nullptr; }
  size_t getVersion() const { return isOpen() ? functions.getVersion() : 0; }

private:
  friend class CudnnConvolution;

  /// cudnnConvolutionFwdAlgoPerf_t
  struct Choice {
    int algorithm, status;
    float milliseconds;
    size_t workspaceBytes;
    int determinism, mathType, reserved[3];
  };

  struct Functions {
    int (*create)(void **) = nullptr;
    int (*destroy)(void *) = nullptr;
    size_t (*getVersion)() = nullptr;
    int (*createTensor)(void **) = nullptr;
    int (*destroyTensor)(void *) = nullptr;
    int (*setTensor)(void *, int, int, int, int, int, int) = nullptr;
    int (*createFilter)(void **) = nullptr;
    int (*destroyFilter)(void *) = nullptr;
    int (*setFilter)(void *, int, int, int, int, int, int) = nullptr;
    int (*createConvolution)(void **) = nullptr;
    int (*destroyConvolution)(void *) = nullptr;
    int (*setConvolution)(void *, int, int, int, int, int, int, int,
                          int) = nullptr;
    int (*setMathType)(void *, int) = nullptr;
    int (*measure)(void *, void *, void *, void *, void *, int, int *,
                   Choice *) = nullptr;
    int (*convolve)(void *, const void *, void *, DevicePtr, void *, DevicePtr,
                    void *, int, DevicePtr, size_t, const void *, void *,
                    DevicePtr) = nullptr;
  };

  Functions functions;
  void *handle = nullptr;
};

/// A convolution, made ready.
class CudnnConvolution {
public:
  CudnnConvolution(const Cudnn &library, launch::Device &device)
      : library(library), workspace(device) {}
  CudnnConvolution(const CudnnConvolution &) = delete;
  CudnnConvolution &operator=(const CudnnConvolution &) = delete;
  ~CudnnConvolution();

  /// By the fastest algorithm, or by that of implicit products only.
  Error prepare(const ConvolutionSizes &sizes, bool isImplicitProduct);
  /// Begins to convolve.
  Error convolve(DevicePtr data, DevicePtr filters, DevicePtr result) const;

private:
  Error describe(const ConvolutionSizes &sizes);

  const Cudnn &library;
  launch::DeviceBuffer workspace;
  void *data = nullptr, *filters = nullptr, *convolution = nullptr,
       *result = nullptr;
  Cudnn::Choice choice = {};
};

} // namespace tileir::bench

#endif // TILEIR_BENCHMARKS_CUDNN_H
