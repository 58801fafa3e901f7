//===- Convolutions.cpp - Convolutions ------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The reference is cuDNN's algorithm of implicit products: its fastest one may
// be Winograd's, which rounds more.
//
//===----------------------------------------------------------------------===//

#include "Convolutions.h"

#include <random>

using namespace tileir::bench;
using namespace tileir::launch;

ConvolutionTask::ConvolutionTask(Machine &machine, const Problem &problem)
    : Task(machine, problem) {
  const std::vector<int64_t> &size = problem.size;
  sizes = {size[0], size[1], size[2], size[3],
           size[4], size[5], size[6], problem.order == "nhwc"};
}

double ConvolutionTask::getFlops() const {
  double taps = isShift() ? 1 : double(sizes.r * sizes.s);
  return 2.0 * double(sizes.n * sizes.k * sizes.c) *
         double(sizes.getRows() * sizes.getColumns()) * taps;
}

size_t ConvolutionTask::getIndex(int64_t batch, int64_t channel, int64_t row,
                                 int64_t column,
                                 const ConvolutionSizes &image) const {
  return size_t(
      image.isChannelsLast
          ? ((batch * image.h + row) * image.w + column) * image.c + channel
          : ((batch * image.c + channel) * image.h + row) * image.w + column);
}

double ConvolutionTask::getElement(size_t index) const {
  int64_t rest = int64_t(index), rows = sizes.getRows(),
          columns = sizes.getColumns();
  auto take = [&](int64_t size) {
    int64_t taken = rest % size;
    rest /= size;
    return taken;
  };
  int64_t filter = sizes.isChannelsLast ? take(sizes.k) : 0;
  int64_t column = take(columns), row = take(rows);
  filter = sizes.isChannelsLast ? filter : take(sizes.k);
  int64_t numTaps = isShift() ? 1 : sizes.r * sizes.s;
  double sum = 0;
  for (int64_t channel = 0; channel < sizes.c; ++channel)
    for (int64_t tap = 0; tap < numTaps; ++tap) {
      int64_t down = isShift() ? rowShifts[size_t(channel)] : tap / sizes.s;
      int64_t right = isShift() ? columnShifts[size_t(channel)] : tap % sizes.s;
      int64_t weight = sizes.isChannelsLast
                           ? (filter * numTaps + tap) * sizes.c + channel
                           : (filter * sizes.c + channel) * numTaps + tap;
      sum += double(toFloat(filters[size_t(weight)])) *
             double(toFloat(image[getIndex(rest, channel, row + down,
                                           column + right, sizes)]));
    }
  return sum;
}

Error ConvolutionTask::setUpOperands() {
  auto [n, c, h, w, k, r, s, isChannelsLast] = sizes;
  image = draw(size_t(n * c * h * w), 0);
  std::vector<int64_t> imageShape = {n, c, h, w}, filterShape = {k, c, r, s},
                       resultShape = {n, k, sizes.getRows(),
                                      sizes.getColumns()};
  if (isChannelsLast) {
    imageShape = {n, h, w, c};
    filterShape = {k, r, s, c};
    resultShape = {n, sizes.getRows(), sizes.getColumns(), k};
  }
  if (isShift())
    filterShape = {k, c};
  filters = draw(size_t(isShift() ? k * c : k * c * r * s), 1);
  if (isShift())
    if (Error error = setUpShift())
      return error;
  if (Error error = upload(image, imageShape, arguments.emplace_back()))
    return error;
  if (Error error = upload(filters, filterShape, arguments.emplace_back()))
    return error;
  if (isShift()) {
    ConvolutionSizes moved = sizes;
    moved.h = sizes.getRows();
    moved.w = sizes.getColumns();
    moved.r = moved.s = 1;
    std::vector<int64_t> movedShape = {n, c, moved.h, moved.w};
    if (isChannelsLast)
      movedShape = {n, moved.h, moved.w, c};
    Value movedImage;
    if (Error error = upload(moveImage(), movedShape, movedImage))
      return error;
    if (Error error = allocateResult(resultShape))
      return error;
    addCudnn("cudnn-1x1", moved, false, movedImage);
    for (const Bundle &part : problem.parts)
      candidates.push_back(
          makeOurs("ours-1x1", part, {movedImage, arguments.back()}));
    return Error();
  }
  if (Error error = allocateResult(resultShape))
    return error;
  addCudnn("cudnn-implicit", sizes, true, arguments[0]);
  addCudnn("cudnn-best", sizes, false, arguments[0]);
  return Error();
}

/// Draws where the channels go. Our kernel takes it as how far from the first
/// element of an image what a channel adds to the first pixel lies.
Error ConvolutionTask::setUpShift() {
  std::mt19937_64 generator(5);
  std::vector<int64_t> numbers;
  for (int64_t channel = 0; channel < sizes.c; ++channel) {
    rowShifts.push_back(int64_t(generator() % uint64_t(sizes.r)));
    columnShifts.push_back(int64_t(generator() % uint64_t(sizes.s)));
    numbers.push_back(int64_t(
        getIndex(0, channel, rowShifts.back(), columnShifts.back(), sizes)));
  }
  return upload(numbers, offsets);
}

Halves ConvolutionTask::moveImage() const {
  ConvolutionSizes moved = sizes;
  moved.h = sizes.getRows();
  moved.w = sizes.getColumns();
  Halves numbers(size_t(moved.n * moved.c * moved.h * moved.w));
  for (int64_t batch = 0; batch < moved.n; ++batch)
    for (int64_t channel = 0; channel < moved.c; ++channel)
      for (int64_t row = 0; row < moved.h; ++row)
        for (int64_t column = 0; column < moved.w; ++column)
          numbers[getIndex(batch, channel, row, column, moved)] =
              image[getIndex(batch, channel, row + rowShifts[size_t(channel)],
                             column + columnShifts[size_t(channel)], sizes)];
  return numbers;
}

void ConvolutionTask::addCudnn(const std::string &name,
                               const ConvolutionSizes &convolved,
                               bool isImplicitProduct, Value convolvedImage) {
  if (!machine.cudnn.isOpen())
    return;
  auto convolution =
      std::make_shared<CudnnConvolution>(machine.cudnn, machine.device);
  Value weights = arguments.back();
  auto prepare = [=] {
    return convolution->prepare(convolved, isImplicitProduct);
  };
  auto launch = [=] {
    return convolution->convolve(convolvedImage.bits, weights.bits,
                                 resultValue.bits);
  };
  candidates.push_back({name, "", "", prepare, launch,
                        isImplicitProduct ? kTolerance : 10 * kTolerance});
}
