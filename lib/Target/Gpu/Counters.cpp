//===- Counters.cpp -------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Target/Gpu/Counters.h"

#include "llvm/Support/ErrorHandling.h"

#include <numeric>

using namespace tileir::machine;

const char *tileir::machine::getName(InstrClass instrClass) {
  switch (instrClass) {
  case InstrClass::Free:
    return "free";
  case InstrClass::Integer:
    return "integer";
  case InstrClass::Float32:
    return "float32";
  case InstrClass::Float64:
    return "float64";
  case InstrClass::Half:
    return "half";
  case InstrClass::Special:
    return "special";
  case InstrClass::Mma:
    return "mma";
  case InstrClass::Global:
    return "global";
  case InstrClass::Shared:
    return "shared";
  case InstrClass::Local:
    return "local";
  case InstrClass::AsyncCopy:
    return "async-copy";
  case InstrClass::Shuffle:
    return "shuffle";
  case InstrClass::Barrier:
    return "barrier";
  case InstrClass::Control:
    return "control";
  }
  llvm_unreachable("every class has a name");
}

uint64_t tileir::machine::sumInstructions(const InstrCounts &counts) {
  return std::accumulate(counts.begin(), counts.end(), uint64_t(0)) -
         counts[unsigned(InstrClass::Free)];
}

AccessCounters &AccessCounters::operator+=(const AccessCounters &other) {
  warps += other.warps;
  lanes += other.lanes;
  wavefronts += other.wavefronts;
  idealWavefronts += other.idealWavefronts;
  sectors += other.sectors;
  idealSectors += other.idealSectors;
  bytes += other.bytes;
  return *this;
}
