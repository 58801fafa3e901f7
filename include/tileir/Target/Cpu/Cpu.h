//===- Cpu.h - The table of CPUs --------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All that is known of a CPU: what `#einsum.machine` says of it, and the costs
// that no description of a processor names. It needs LLVM's support library
// alone, and never asks which CPU it runs on: tileir/Runtime/HostCpu.h does.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TARGET_CPU_CPU_H
#define TILEIR_TARGET_CPU_CPU_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/Hashing.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <string>

namespace tileir::machine {

/// The CPU of modules that name none, so that what the compiler makes of them
/// does not depend on the machine that it runs on.
inline constexpr llvm::StringLiteral kDefaultCpu = "generic";

/// Bytes of a line of all caches, and of a page.
inline constexpr int64_t kLineBytes = 64, kPageBytes = 4096;

/// Cycles, and parts of caches, by which estimates tell kernels apart:
/// CpuCosts.def says what each one is.
struct CpuCosts {
#define TILEIR_CPU_COST(name, value) double name = value;
#include "tileir/Target/Cpu/CpuCosts.def"
};

/// A cost by its name, as texts have it: "bytes_from_l2".
struct NamedCost {
  std::string name;
  double CpuCosts::*cost;
};

/// All of them.
llvm::ArrayRef<NamedCost> getNamedCosts();

bool operator==(const CpuCosts &a, const CpuCosts &b);
llvm::hash_code hash_value(const CpuCosts &costs);

/// One entry of the table.
struct Cpu {
  std::string name;         ///< for LLVM: "znver4"
  int64_t vectorBits = 256; ///< of a vector, a power of two
  int64_t registers = 16;   ///< of vectors
  /// Multiply-adds of vectors that start in a cycle, and cycles until one can
  /// be added to.
  int64_t fma = 2, latency = 4;
  /// Bytes of the caches (of data), and threads that run at once.
  int64_t l1 = 32 << 10, l2 = 1 << 20, l3 = 8 << 20, cores = 8;
  /// Dot products of bf16 pairs (`vdpbf16ps`) are there, and faster than
  /// multiply-adds of f32.
  bool bf16 = false;
  /// A matrix unit, AMX, for products of bf16 and of i8.
  bool amx = false;
  /// Products of four u8 and i8 that are added to an i32 (`vpdpbusd`).
  bool vnni = false;
  CpuCosts costs = {};
};

/// The CPU `name`; null if the table lacks it.
const Cpu *findCpu(llvm::StringRef name);

/// The CPU `name`, or the one of the table whose cores are built most alike;
/// null if that is not known of any.
const Cpu *findNearestCpu(llvm::StringRef name);
/// That, or the entry of the default CPU.
const Cpu &getNearestCpu(llvm::StringRef name);

/// Returns the entry of kDefaultCpu.
const Cpu &getDefaultCpu();

/// All entries.
llvm::ArrayRef<Cpu> getCpus();

/// A figure of a CPU that is no cost by its name, as texts have it.
struct NamedFigure {
  llvm::StringRef name;
  int64_t Cpu::*figure;
};

/// All of them.
llvm::ArrayRef<NamedFigure> getNamedFigures();

/// What of an entry cannot be, as "expects 'l1' to be ..."; empty: nothing.
std::string findContradiction(const Cpu &cpu);

/// The names of all, separated by commas.
std::string getCpuNames();

} // namespace tileir::machine

#endif // TILEIR_TARGET_CPU_CPU_H
