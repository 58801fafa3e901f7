//===- HostCpu.h - The CPU that a program runs on ---------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Whoever compiles for the machine at hand tells passes so: they do not ask.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_RUNTIME_HOSTCPU_H
#define TILEIR_RUNTIME_HOSTCPU_H

#include "tileir/Target/Cpu/Cpu.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace tileir::runtime {

/// The environment variable that names a CPU of the table to take the one that
/// this runs on for, whose instructions it has to have: "znver3" on a Zen 4.
inline constexpr llvm::StringLiteral kCpuVariable = "TILEIR_CPU";

/// The CPU that this runs on: its entry in the table, with the vectors that it
/// has, and the caches and cores that the system tells of.
const machine::Cpu &getHostCpu();

/// The CPU that kCpuVariable names; null if it names none, an error if the
/// table lacks it or this CPU has no vectors of that size.
llvm::Expected<const machine::Cpu *> getNamedHostCpu();

/// Whether this process may use AMX, for which it asks the system.
bool hasMatrixUnit();

/// The name by which getCpu finds that CPU.
inline constexpr llvm::StringLiteral kHostCpu = "host";

/// The CPU `name` of the table, or the one that this runs on.
llvm::Expected<const machine::Cpu *> getCpu(llvm::StringRef name);

/// Sets `einsum.machine` of `module` to `cpu`, unless the module has a machine.
void attachMachine(mlir::ModuleOp module, const machine::Cpu &cpu);

} // namespace tileir::runtime

#endif // TILEIR_RUNTIME_HOSTCPU_H
