//===- FakeKernels.cpp - What kernels of benchmarks/gpu do ----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The fake driver cannot run PTX. The names of the kernels that benchmarks/gpu
// compiles say what they compute on which sizes (programs.py), as
// gemm_bias_relu_mk_kn_256x128x64_contract; this computes it, with the loops
// that the name suggests, from the addresses that the launch gives.
//
//===----------------------------------------------------------------------===//

#include "Fake.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

namespace {

using Half = _Float16;

/// A name taken apart.
struct Name {
  std::string task; ///< with its operands' order: gemm_mk_kn
  std::vector<int64_t> sizes;

  explicit Name(const std::string &name) {
    std::istringstream words(name);
    std::string word;
    while (std::getline(words, word, '_') && !std::isdigit(word[0]))
      task += (task.empty() ? "" : "_") + word;
    std::istringstream numbers(word);
    while (std::getline(numbers, word, 'x'))
      sizes.push_back(std::atoll(word.c_str()));
  }
  bool begins(const std::string &word) const {
    return task.compare(0, word.size(), word) == 0;
  }
  bool ends(const std::string &word) const {
    return task.size() >= word.size() &&
           task.compare(task.size() - word.size(), word.size(), word) == 0;
  }
};

Half relu(Half x) { return x > Half(0) ? x : Half(0); }

/// relu_MxN(x, y), bias_relu_MxN(x, bias, y), add_MxN(x, x2, y).
void computePointwise(const Name &name, Half **a) {
  int64_t rows = name.sizes[0], columns = name.sizes[1];
  for (int64_t i = 0; i < rows * columns; ++i)
    if (name.task == "relu")
      a[1][i] = relu(a[0][i]);
    else if (name.task == "bias_relu")
      a[2][i] = relu(a[0][i] + a[1][i % columns]);
    else
      a[2][i] = a[0][i] + a[1][i];
}

/// Sums for a place of a product, from one step to another.
float multiply(const Name &name, const Half *x, const Half *y, int64_t place,
               int64_t begin, int64_t end) {
  int64_t m = name.sizes[0], n = name.sizes[1], k = name.sizes[2];
  int64_t i = place / n, j = place % n;
  bool isATransposed = name.task.find("_km_") != std::string::npos;
  bool isBTransposed = name.ends("_nk");
  bool isRelu = name.begins("relu_gemm");
  float sum = 0;
  for (int64_t l = begin; l < end; ++l) {
    float factor = fake::toFloat(x[isATransposed ? l * m + i : i * k + l]);
    if (isRelu && !(factor > 0))
      factor = 0;
    sum += factor * fake::toFloat(y[isBTransposed ? j * k + l : l * n + j]);
  }
  return sum;
}

void computeProduct(const Name &name, Half **a) {
  int64_t size = name.sizes[0] * name.sizes[1], k = name.sizes[2];
  for (int64_t at = 0; at < size; ++at) {
    Half product = Half(multiply(name, a[0], a[1], at, 0, k));
    if (name.begins("add_gemm_gemm"))
      a[4][at] = product + Half(multiply(name, a[2], a[3], at, 0, k));
    else if (name.begins("gemm_bias_relu"))
      a[3][at] = relu(product + a[2][at % name.sizes[1]]);
    else
      a[2][at] = product;
  }
}

/// A sum that is divided: gemm_*_contract(x, y, parts of f32) forms the parts,
/// and gemm_*_contract_0(parts, result) adds them up.
void computeParts(const Name &name, Half **a, int64_t numParts) {
  int64_t size = name.sizes[0] * name.sizes[1], k = name.sizes[2];
  auto *parts = reinterpret_cast<float *>(a[2]);
  for (int64_t part = 0; part < numParts; ++part)
    for (int64_t at = 0; at < size; ++at)
      parts[part * size + at] = multiply(
          name, a[0], a[1], at, part * k / numParts, (part + 1) * k / numParts);
}

void addParts(const Name &name, Half **a, int64_t numParts) {
  int64_t size = name.sizes[0] * name.sizes[1];
  auto *parts = reinterpret_cast<const float *>(a[0]);
  for (int64_t at = 0; at < size; ++at) {
    float sum = 0;
    for (int64_t part = 0; part < numParts; ++part)
      sum += parts[part * size + at];
    a[1][at] = Half(sum);
  }
}

using Buffers = std::vector<std::pair<uint64_t, size_t>>;

/// Which argument offsets are, and for what, is the compiler's affair: what is
/// used of a convolution is told by its bytes. Image, filters, result, others.
std::vector<Half *> sortBuffers(const Name &name, const Buffers &buffers) {
  const std::vector<int64_t> &s = name.sizes;
  int64_t taps = name.begins("shift") ? 1 : s[5] * s[6];
  const size_t bytes[] = {2 * size_t(s[0] * s[1] * s[2] * s[3]),
                          2 * size_t(s[4] * s[1] * taps)};
  std::vector<Half *> sorted(3);
  for (size_t i = 0; i < buffers.size(); ++i) {
    auto *address = reinterpret_cast<Half *>(buffers[i].first);
    size_t place = i + 1 == buffers.size()         ? 2
                   : buffers[i].second == bytes[0] ? 0
                   : buffers[i].second == bytes[1] ? 1
                                                   : sorted.size();
    if (place == sorted.size())
      sorted.emplace_back();
    sorted[place] = address;
  }
  return sorted;
}

/// convolution_*, pointwise_* (which is one of a tap) and shift_*, from image,
/// filters, result, and of the last one the offsets of channels.
void computeConvolution(const Name &name, Half **a) {
  int64_t n = name.sizes[0], c = name.sizes[1], h = name.sizes[2],
          w = name.sizes[3], k = name.sizes[4], r = name.sizes[5],
          s = name.sizes[6];
  bool isShift = name.begins("shift"), isLast = name.ends("nhwc");
  auto *offsets = reinterpret_cast<const int64_t *>(a[3]);
  const Half *filters = a[1];
  Half *result = a[2];
  int64_t taps = isShift ? 1 : r * s;
  int64_t rows = h - r + 1, columns = w - s + 1;
  for (int64_t batch = 0; batch < n; ++batch)
    for (int64_t y = 0; y < rows; ++y)
      for (int64_t x = 0; x < columns; ++x) {
        const Half *pixel = a[0] + (isLast ? ((batch * h + y) * w + x) * c
                                           : batch * c * h * w + y * w + x);
        for (int64_t filter = 0; filter < k; ++filter) {
          float sum = 0;
          for (int64_t l = 0; l < c * taps; ++l) {
            int64_t channel = isLast ? l % c : l / taps;
            int64_t tap = isLast ? l / c : l % taps;
            int64_t place = tap / s * w + tap % s;
            int64_t offset = isShift  ? offsets[l]
                             : isLast ? place * c + channel
                                      : channel * h * w + place;
            sum += fake::toFloat(pixel[offset]) *
                   fake::toFloat(filters[filter * c * taps + l]);
          }
          int64_t at = isLast ? ((batch * rows + y) * columns + x) * k + filter
                              : ((batch * k + filter) * rows + y) * columns + x;
          result[at] = Half(sum);
        }
      }
}

} // namespace

/// Buffers are addresses and bytes, the result last. Nothing is computed for
/// kernels of other names. False if the test wants the launch to fail.
bool runFakeKernel(const std::string &name, const Buffers &buffers) {
  if (fake::mustFail(name))
    return false;
  Name parts(name);
  size_t numSizes = parts.sizes.size();
  if (numSizes != 2 && numSizes != 3 && numSizes != 7)
    return true;
  std::vector<Half *> addresses;
  for (auto [address, bytes] : buffers)
    addresses.push_back(reinterpret_cast<Half *>(address));
  auto [result, bytes] = buffers.back();
  // Of a product whose sum is divided.
  size_t part = sizeof(float) * size_t(parts.sizes[0] * parts.sizes[1]);
  if (numSizes == 2) {
    computePointwise(parts, addresses.data());
  } else if (numSizes == 7) {
    addresses = sortBuffers(parts, buffers);
    computeConvolution(parts, addresses.data());
  } else if (buffers.size() == 2) {
    addParts(parts, addresses.data(), int64_t(buffers[0].second / part));
  } else if (bytes >= part) {
    computeParts(parts, addresses.data(), int64_t(bytes / part));
    return true;
  } else {
    computeProduct(parts, addresses.data());
  }
  fake::spoil(name, reinterpret_cast<Half *>(result)[bytes / 4]);
  return true;
}
