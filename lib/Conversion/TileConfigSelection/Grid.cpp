//===- Grid.cpp - What programs share by L2 -------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A wave of programs, as many as the GPU holds at once, reads from device
// memory what its programs need, once; L2 keeps nothing from wave to wave.
// Which blocks a wave has depends on the order of programs (ProgramOrder.cpp):
// strips of so many blocks along M, within a strip M fastest. Waves begin
// anywhere in strips and columns of blocks, so that numbers are averages.
//
//===----------------------------------------------------------------------===//

#include "Grid.h"

#include "tileir/Target/Gpu/Estimate.h"

#include <algorithm>
#include <numeric>

using namespace tileir;
using namespace tileir::config_selection;
using layout::TileConfig;

/// The number of spans, one after the other, in which each `length` has a part,
/// on average over all of those that follow one another.
static double countTouched(int64_t length, int64_t span) {
  return double(length + span - std::gcd(length, span)) / span;
}

Reads Grid::getReads(int64_t wave, int64_t group) const {
  int64_t programs = getPrograms();
  if (wave >= rows * columns || wave >= programs)
    return {1, 1};
  // Programs go through strips of `height` rows, M fastest.
  int64_t height = group ? std::min(group, rows) : rows;
  Reads reads = {0, 0};
  auto add = [&](int64_t length, double times) {
    double strips = countTouched(length, height * columns);
    double ofRows =
        std::min<double>({double(rows), double(length), strips * height});
    double ofColumns = std::min<double>(columns, countTouched(length, height));
    reads.a += times * ofRows / (rows * batch);
    reads.b += times * ofColumns / (columns * batch);
  };
  add(wave, programs / wave);
  if (int64_t rest = programs % wave)
    add(rest, 1);
  return {std::clamp<double>(reads.a, 1, columns),
          std::clamp<double>(reads.b, 1, rows)};
}

int64_t CostModel::chooseGroup(const ProductKernel &kernel,
                               const TileConfig &config) {
  double ofA = 0, ofB = 0, ofResult = 0;
  for (const Product &product : kernel.products) {
    auto [m, n, k] = product.sizes;
    ofA += double(product.batch) * m * k * product.a.bits / 8;
    ofB += double(product.batch) * n * k * product.b.bits / 8;
    ofResult = double(product.batch) * m * n * kernel.result.bits / 8;
  }
  if (ofA + ofB + ofResult <= gpu.l2Bytes)
    return 0;
  machine::Counters resources;
  resources.block = {uint32_t(machine::kWarpSize * config.getNumWarps()), 1, 1};
  resources.sharedBytes = getSharedBytes(kernel, config);
  int64_t wave = machine::getBlocksOfWave(resources, gpu);
  Grid grid(kernel, config);
  auto getBytes = [&](int64_t group) {
    Reads reads = grid.getReads(wave, group);
    return reads.a * ofA + reads.b * ofB;
  };
  // What is a little less may be none.
  constexpr double kGain = 0.95;
  int64_t best = 0;
  double least = kGain * getBytes(0);
  for (int64_t group = 1; group < grid.rows; group *= 2)
    if (double bytes = getBytes(group); bytes < least) {
      best = group;
      least = bytes;
    }
  return best;
}
