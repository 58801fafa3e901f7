//===- Cudnn.cpp - Convolutions by cuDNN ----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The functions that versions 7 to 9 have in common.
//
//===----------------------------------------------------------------------===//

#include "Cudnn.h"

using namespace tileir::bench;

Cudnn::~Cudnn() {
  if (handle)
    functions.destroy(handle);
}

Error Cudnn::open() {
  Library library({"libcudnn.so.9", "libcudnn.so.8", "libcudnn.so.7"});
  Functions &f = functions;
  if (!library.find(f.create, "cudnnCreate")
           .find(f.destroy, "cudnnDestroy")
           .find(f.getVersion, "cudnnGetVersion")
           .find(f.createTensor, "cudnnCreateTensorDescriptor")
           .find(f.destroyTensor, "cudnnDestroyTensorDescriptor")
           .find(f.setTensor, "cudnnSetTensor4dDescriptor")
           .find(f.createFilter, "cudnnCreateFilterDescriptor")
           .find(f.destroyFilter, "cudnnDestroyFilterDescriptor")
           .find(f.setFilter, "cudnnSetFilter4dDescriptor")
           .find(f.createConvolution, "cudnnCreateConvolutionDescriptor")
           .find(f.destroyConvolution, "cudnnDestroyConvolutionDescriptor")
           .find(f.setConvolution, "cudnnSetConvolution2dDescriptor")
           .find(f.setMathType, "cudnnSetConvolutionMathType")
           .find(f.measure, "cudnnFindConvolutionForwardAlgorithm")
           .find(f.convolve, "cudnnConvolutionForward"))
    return Error();
  return checkStatus(f.create(&handle), "cudnnCreate");
}

CudnnConvolution::~CudnnConvolution() {
  const Cudnn::Functions &f = library.functions;
  for (void *tensor : {data, result})
    if (tensor)
      f.destroyTensor(tensor);
  if (filters)
    f.destroyFilter(filters);
  if (convolution)
    f.destroyConvolution(convolution);
}

Error CudnnConvolution::describe(const ConvolutionSizes &sizes) {
  constexpr int kF32 = 0, kF16 = 2, kCrossCorrelation = 1;
  const Cudnn::Functions &f = library.functions;
  int format = sizes.isChannelsLast;
  Error error;
  auto require = [&](int status, const char *call) {
    if (!error)
      error = checkStatus(status, call);
  };
  auto setTensor = [&](void *&tensor, int64_t c, int64_t h, int64_t w) {
    require(f.createTensor(&tensor), "cudnnCreateTensorDescriptor");
    if (!error)
      require(f.setTensor(tensor, format, kF16, int(sizes.n), int(c), int(h),
                          int(w)),
              "cudnnSetTensor4dDescriptor");
  };
  setTensor(data, sizes.c, sizes.h, sizes.w);
  setTensor(result, sizes.k, sizes.getRows(), sizes.getColumns());
  require(f.createFilter(&filters), "cudnnCreateFilterDescriptor");
  if (!error)
    require(f.setFilter(filters, kF16, format, int(sizes.k), int(sizes.c),
                        int(sizes.r), int(sizes.s)),
            "cudnnSetFilter4dDescriptor");
  require(f.createConvolution(&convolution),
          "cudnnCreateConvolutionDescriptor");
  // No padding; steps and distances of 1.
  if (!error)
    require(f.setConvolution(convolution, 0, 0, 1, 1, 1, 1, kCrossCorrelation,
                             kF32),
            "cudnnSetConvolution2dDescriptor");
  return error;
}

Error CudnnConvolution::prepare(const ConvolutionSizes &sizes,
                                bool isImplicitProduct) {
  constexpr int kTensorOpMath = 1, kMaxChoices = 16;
  constexpr int kImplicitPrecomputedProduct = 1; // 0: without a table.
  const Cudnn::Functions &f = library.functions;
  if (Error error = describe(sizes))
    return error;
  if (Error error = checkStatus(f.setMathType(convolution, kTensorOpMath),
                                "cudnnSetConvolutionMathType"))
    return error;
  Cudnn::Choice choices[kMaxChoices] = {};
  int numChoices = 0;
  if (Error error =
          checkStatus(f.measure(library.handle, data, filters, convolution,
                                result, kMaxChoices, &numChoices, choices),
                      "cudnnFindConvolutionForwardAlgorithm"))
    return error;
  // The fastest are first.
  const Cudnn::Choice *fastest = nullptr;
  for (int i = 0; i < numChoices && !fastest; ++i)
    if (choices[i].status == 0 &&
        (!isImplicitProduct ||
         choices[i].algorithm <= kImplicitPrecomputedProduct))
      fastest = &choices[i];
  if (!fastest)
    return Error("cuDNN has no algorithm for it");
  choice = *fastest;
  if (Error error = checkStatus(f.setMathType(convolution, choice.mathType),
                                "cudnnSetConvolutionMathType"))
    return error;
  return workspace.allocate(choice.workspaceBytes);
}

Error CudnnConvolution::convolve(DevicePtr image, DevicePtr weights,
                                 DevicePtr target) const {
  const float one = 1, zero = 0;
  return checkStatus(
      library.functions.convolve(library.handle, &one, data, image, filters,
                                 weights, convolution, choice.algorithm,
                                 workspace.value({}).bits,
                                 choice.workspaceBytes, &zero, result, target),
      "cudnnConvolutionForward");
}
