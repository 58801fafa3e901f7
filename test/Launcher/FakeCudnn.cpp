//===- FakeCudnn.cpp - In the place of cuDNN ------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Convolutions of f16 without padding. It has three algorithms: 7 (Winograd's)
// is the fastest, then 1 (implicit products), and 0, which cannot be had.
//
//===----------------------------------------------------------------------===//

#include "Fake.h"

#include <cstdint>
#include <cstdio>

namespace {

int numObjects = 0;

struct AtExit {
  ~AtExit() {
    std::fprintf(stderr, "at exit: %d objects of cuDNN\n", numObjects);
  }
} atExit;

/// A tensor, or filters: sizes in the order NCHW, and strides.
struct Tensor {
  int64_t sizes[4], strides[4];

  void set(int format, const int (&given)[4]) {
    // From the fastest axis on.
    const int orders[2][4] = {{3, 2, 1, 0}, {1, 3, 2, 0}};
    int64_t stride = 1;
    for (int axis : orders[format]) {
      sizes[axis] = given[axis];
      strides[axis] = stride;
      stride *= given[axis];
    }
  }
  int64_t at(int64_t n, int64_t c, int64_t h, int64_t w) const {
    return n * strides[0] + c * strides[1] + h * strides[2] + w * strides[3];
  }
};

struct Convolution {
  bool isPlain = false;
  int mathType = -1;
};

struct Choice {
  int algorithm, status;
  float milliseconds;
  size_t workspaceBytes;
  int determinism, mathType, reserved[3];
};

template <typename T> int create(void **object) {
  *object = new T();
  ++numObjects;
  return 0;
}

template <typename T> int destroy(void *object) {
  delete static_cast<T *>(object);
  --numObjects;
  return 0;
}

bool fits(const Tensor &data, const Tensor &filters, const Tensor &result) {
  bool fits = data.sizes[1] == filters.sizes[1] &&
              result.sizes[0] == data.sizes[0] &&
              result.sizes[1] == filters.sizes[0];
  for (int axis : {2, 3})
    fits &= result.sizes[axis] == data.sizes[axis] - filters.sizes[axis] + 1;
  return fits;
}

} // namespace

extern "C" {

int cudnnCreate(void **handle) { return create<int>(handle); }
int cudnnDestroy(void *handle) { return destroy<int>(handle); }
size_t cudnnGetVersion() { return 90100; }

int cudnnCreateTensorDescriptor(void **tensor) {
  return create<Tensor>(tensor);
}
int cudnnDestroyTensorDescriptor(void *tensor) {
  return destroy<Tensor>(tensor);
}
int cudnnSetTensor4dDescriptor(Tensor *tensor, int format, int type, int n,
                               int c, int h, int w) {
  tensor->set(format, {n, c, h, w});
  return type == 2 ? 0 : 2000;
}

int cudnnCreateFilterDescriptor(void **filters) {
  return create<Tensor>(filters);
}
int cudnnDestroyFilterDescriptor(void *filters) {
  return destroy<Tensor>(filters);
}
int cudnnSetFilter4dDescriptor(Tensor *filters, int type, int format, int k,
                               int c, int h, int w) {
  filters->set(format, {k, c, h, w});
  return type == 2 ? 0 : 2000;
}

int cudnnCreateConvolutionDescriptor(void **convolution) {
  return create<Convolution>(convolution);
}
int cudnnDestroyConvolutionDescriptor(void *convolution) {
  return destroy<Convolution>(convolution);
}
int cudnnSetConvolution2dDescriptor(Convolution *convolution, int padH,
                                    int padW, int stepH, int stepW, int spanH,
                                    int spanW, int mode, int type) {
  convolution->isPlain = padH == 0 && padW == 0 && stepH == 1 && stepW == 1 &&
                         spanH == 1 && spanW == 1 && mode == 1 && type == 0;
  return 0;
}
int cudnnSetConvolutionMathType(Convolution *convolution, int mathType) {
  convolution->mathType = mathType;
  return 0;
}

int cudnnFindConvolutionForwardAlgorithm(void *, const Tensor *data,
                                         const Tensor *filters,
                                         const Convolution *convolution,
                                         const Tensor *result, int numWanted,
                                         int *numChoices, Choice *choices) {
  *numChoices = 0;
  if (!fits(*data, *filters, *result) || !convolution->isPlain ||
      convolution->mathType != 1)
    return 2000;
  if (fake::mustFail("cudnnFindConvolutionForwardAlgorithm"))
    return 0; // None.
  const Choice all[] = {{7, 0, 1, 1 << 16, 1, 0, {}},
                        {0, 3000, -1, 0, 1, 0, {}},
                        {1, 0, 2, 1 << 8, 1, 1, {}}};
  for (const Choice &choice : all)
    if (*numChoices < numWanted)
      choices[(*numChoices)++] = choice;
  return 0;
}

int cudnnConvolutionForward(void *, const float *alpha, const Tensor *data,
                            const _Float16 *x, const Tensor *filters,
                            const _Float16 *w, const Convolution *convolution,
                            int algorithm, void *workspace,
                            size_t workspaceBytes, const float *beta,
                            const Tensor *result, _Float16 *y) {
  bool isWinograd = algorithm == 7;
  if ((!isWinograd && algorithm != 1) ||
      convolution->mathType != (isWinograd ? 0 : 1) || !workspace ||
      workspaceBytes != size_t(1) << (isWinograd ? 16 : 8) || *alpha != 1 ||
      *beta != 0 || !fits(*data, *filters, *result))
    return 2000;
  std::fprintf(stderr, "cudnnConvolutionForward by algorithm %d\n", algorithm);
  for (int64_t n = 0; n < result->sizes[0]; ++n)
    for (int64_t k = 0; k < result->sizes[1]; ++k)
      for (int64_t h = 0; h < result->sizes[2]; ++h)
        for (int64_t v = 0; v < result->sizes[3]; ++v) {
          float sum = 0;
          for (int64_t c = 0; c < filters->sizes[1]; ++c)
            for (int64_t r = 0; r < filters->sizes[2]; ++r)
              for (int64_t s = 0; s < filters->sizes[3]; ++s)
                sum += fake::toFloat(x[data->at(n, c, h + r, v + s)]) *
                       fake::toFloat(w[filters->at(k, c, r, s)]);
          y[result->at(n, k, h, v)] = _Float16(sum);
        }
  fake::spoil("cudnnConvolutionForward", y[0]);
  return 0;
}
}
