//===- CacheLevel.cpp - Caches that operands stay in ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "CacheLevel.h"

#include <numeric>

using namespace tileir::einsum;
using tileir::machine::CpuCosts;

double tileir::einsum::getCycles(const CpuCosts &costs, Level level,
                                 bool isStream) {
  switch (level) {
  case Level::L1:
    return 0;
  case Level::L2:
    return isStream ? 1 / costs.bytesFromL2 : costs.rowByteFromL2;
  case Level::L3:
    return isStream ? 1 / costs.bytesFromL3 : costs.rowByteFromL3;
  case Level::Memory:
    return isStream ? 1 / costs.bytesFromMemory : costs.rowByteFromMemory;
  }
  llvm_unreachable("unknown level");
}

bool tileir::einsum::staysIn(int64_t cache, int64_t way, double share,
                             double count, double piece, int64_t stride) {
  if (count * piece > share * cache)
    return false;
  if (stride == 0 || piece >= stride)
    return true;
  int64_t places = way / std::gcd(way, stride);
  int64_t ways = std::max<int64_t>(cache / way, 1);
  double perPlace = std::max(1.0, piece / std::max<int64_t>(way / places, 1));
  return count * perPlace <= places * ways;
}

Level tileir::einsum::getLevel(MachineAttr machine, const CpuCosts &costs,
                               double count, double piece, int64_t stride,
                               double l2Share) {
  if (staysIn(machine.getL1(), costs.l1Way, costs.l1Share, count, piece,
              stride))
    return Level::L1;
  if (staysIn(machine.getL2(), costs.l2Way, l2Share, count, piece, stride))
    return Level::L2;
  return count * piece <= costs.l3Share * machine.getL3() ? Level::L3
                                                          : Level::Memory;
}
