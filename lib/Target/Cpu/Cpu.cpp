//===- Cpu.cpp - The table of CPUs ----------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Sources: vectors, registers, multiply-adds and caches of a core from Intel's
// and AMD's software optimization manuals; the latency of multiply-adds from
// uops.info. The third cache and the cores are those of a common product; of
// the CPU that a program runs on, the system tells them.
//
// - Zen 4 forms a 512-bit multiply-add from two halves.
// - Sapphire Rapids has vdpbf16ps, but starts one every other cycle, which is
//   half of what multiply-adds of f32 do.
//
//===----------------------------------------------------------------------===//

#include "tileir/Target/Cpu/Cpu.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace tileir::machine;

static constexpr int64_t KB = 1 << 10, MB = 1 << 20;

llvm::ArrayRef<NamedCost> tileir::machine::getNamedCosts() {
  static const NamedCost all[] = {
#define TILEIR_CPU_COST(name, value)                                           \
  {llvm::convertToSnakeFromCamelCase(#name), &CpuCosts::name},
#include "tileir/Target/Cpu/CpuCosts.def"
  };
  return all;
}

bool tileir::machine::operator==(const CpuCosts &a, const CpuCosts &b) {
  return llvm::all_of(getNamedCosts(), [&](const NamedCost &named) {
    return a.*named.cost == b.*named.cost;
  });
}

llvm::hash_code tileir::machine::hash_value(const CpuCosts &costs) {
  llvm::hash_code code(0);
  for (const NamedCost &named : getNamedCosts())
    code =
        llvm::hash_combine(code, llvm::bit_cast<uint64_t>(costs.*named.cost));
  return code;
}

/// Fitted as the figures of CpuCosts.def, to the times of 37 convolutions,
/// products and shift convolutions, and shares of caches and copies by tables
/// to those of 82. Pages that the first TLB lacks are in a large second one,
/// and the third cache is that of few cores.
static CpuCosts getCostsOfZen5() {
  CpuCosts costs;
  costs.pageCycles = 0.5;
  costs.pieceCycles = 7;
  costs.bytesFromL3 = 12;
  costs.rowByteFromL3 = 0.025;
  costs.streamsByte = 0.35;
  costs.l1Share = 0.7;
  costs.l2Share = 0.75;
  costs.packElement = 2;
  return costs;
}

/// Fitted on a Zen 5 whose code was held to AVX2, to the times of five to
/// eleven kernels of each of 75 products, convolutions and shift convolutions.
/// Tiles have few rows and vectors there, so that loads, the ends of short
/// loops and pieces of rows are many more for the same arithmetic.
static CpuCosts getCostsOfAvx2() {
  CpuCosts costs;
  costs.loadsPerCycle = 1.8;
  costs.loopCycles = 1;
  costs.resultPiece = 32;
  return costs;
}

llvm::ArrayRef<Cpu> tileir::machine::getCpus() {
  // Bits of vectors, registers, multiply-adds in a cycle, their latency, the
  // three caches, cores, bf16, AMX, VNNI, costs.
  // clang-format off
  static const Cpu table[] = {
      {"generic",        256, 16, 2, 4, 32 * KB,    1 * MB,   8 * MB,  8, false, false, false, getCostsOfAvx2()},
      {"haswell",        256, 16, 2, 5, 32 * KB,  256 * KB,   8 * MB,  4, false, false, false, getCostsOfAvx2()},
      {"skylake-avx512", 512, 32, 2, 4, 32 * KB,    1 * MB,  22 * MB, 16, false},
      {"icelake-server", 512, 32, 2, 4, 48 * KB, 1280 * KB,  36 * MB, 24, false, false, true},
      {"sapphirerapids", 512, 32, 2, 4, 48 * KB,    2 * MB, 105 * MB, 56, false, true, true},
      {"znver2",         256, 16, 2, 5, 32 * KB,  512 * KB,  16 * MB,  8, false, false, false, getCostsOfAvx2()},
      {"znver3",         256, 16, 2, 4, 32 * KB,  512 * KB,  32 * MB,  8, false, false, false, getCostsOfAvx2()},
      {"znver4",         512, 32, 1, 4, 32 * KB,    1 * MB,  32 * MB,  8, true, false, true},
      {"znver5",         512, 32, 2, 4, 48 * KB,    1 * MB,  32 * MB,  8, true, false, true, getCostsOfZen5()},
  };
  // clang-format on
  return table;
}

llvm::ArrayRef<NamedFigure> tileir::machine::getNamedFigures() {
  static const NamedFigure all[] = {
      {"vector_bits", &Cpu::vectorBits},
      {"registers", &Cpu::registers},
      {"fma", &Cpu::fma},
      {"latency", &Cpu::latency},
      {"l1", &Cpu::l1},
      {"l2", &Cpu::l2},
      {"l3", &Cpu::l3},
      {"cores", &Cpu::cores},
  };
  return all;
}

std::string tileir::machine::findContradiction(const Cpu &cpu) {
  auto expect = [](const llvm::Twine &name, const llvm::Twine &what,
                   const llvm::Twine &found) {
    return ("expects '" + name + "' to be " + what + ", found " + found).str();
  };
  if (!llvm::isPowerOf2_64(cpu.vectorBits) || cpu.vectorBits < 64)
    return expect("vector_bits", "a power of two from 64 up",
                  llvm::Twine(cpu.vectorBits));
  for (const NamedFigure &named : getNamedFigures())
    if (cpu.*named.figure <= 0)
      return expect(named.name, "positive", llvm::Twine(cpu.*named.figure));
  for (const NamedCost &named : getNamedCosts())
    if (double cost = cpu.costs.*named.cost; !std::isfinite(cost) || cost <= 0)
      return expect(named.name, "a positive number",
                    llvm::Twine(std::to_string(cost)));
  // The third one may be a part of what the cores have together.
  if (cpu.l1 > cpu.l2)
    return expect("l1", "at most 'l2', which is " + llvm::Twine(cpu.l2),
                  llvm::Twine(cpu.l1));
  if (cpu.amx && cpu.vectorBits < 512)
    return expect("vector_bits", "512 with 'amx'", llvm::Twine(cpu.vectorBits));
  return "";
}

const Cpu *tileir::machine::findCpu(llvm::StringRef name) {
  for (const Cpu &cpu : getCpus())
    if (cpu.name == name)
      return &cpu;
  return nullptr;
}

const Cpu *tileir::machine::findNearestCpu(llvm::StringRef name) {
  // Names of LLVM. Of hybrid ones, the cores for performance, which have no
  // vectors of 512 bits.
  static const std::pair<llvm::StringRef, llvm::StringRef> alike[] = {
      {"broadwell", "haswell"},
      {"skylake", "haswell"},
      {"alderlake", "haswell"},
      {"raptorlake", "haswell"},
      {"meteorlake", "haswell"},
      {"arrowlake", "haswell"},
      {"arrowlake-s", "haswell"},
      {"lunarlake", "haswell"},
      {"pantherlake", "haswell"},
      {"cascadelake", "skylake-avx512"},
      {"cooperlake", "skylake-avx512"},
      {"icelake-client", "icelake-server"},
      {"tigerlake", "icelake-server"},
      {"rocketlake", "icelake-server"},
      {"emeraldrapids", "sapphirerapids"},
      {"graniterapids", "sapphirerapids"},
      {"graniterapids-d", "sapphirerapids"},
      {"diamondrapids", "sapphirerapids"},
      {"znver1", "znver2"},
  };
  for (auto [other, known] : alike)
    if (name == other)
      return findCpu(known);
  return findCpu(name);
}

const Cpu &tileir::machine::getDefaultCpu() { return *findCpu(kDefaultCpu); }

const Cpu &tileir::machine::getNearestCpu(llvm::StringRef name) {
  const Cpu *cpu = findNearestCpu(name);
  return cpu ? *cpu : getDefaultCpu();
}

std::string tileir::machine::getCpuNames() {
  std::string names;
  for (const Cpu &cpu : getCpus())
    names += (names.empty() ? "" : ", ") + cpu.name;
  return names;
}
