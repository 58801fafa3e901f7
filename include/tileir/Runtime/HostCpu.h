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

/// The environment variable that names a CPU to take the one that this runs on
/// for, whose instructions it has to have: one of the table, as "znver3" on a
/// Zen 4, or a file with an entry, as `tile-tune --calibrate` writes it.
inline constexpr llvm::StringLiteral kCpuVariable = "TILEIR_CPU";

/// The CPU that this runs on: its entry in the table, with the vectors that it
/// has, and the caches and cores that the system tells of.
const machine::Cpu &getHostCpu();

/// The CPU that kCpuVariable names, which is read once; null if it names none,
/// an error if there is none of this name or this one lacks its instructions.
llvm::Expected<const machine::Cpu *> getNamedHostCpu();

/// Whether LLVM knows `cpu` as another processor than this one, whose
/// instructions code for it has then.
bool isOtherProcessor(const machine::Cpu &cpu);

/// Whether this process may use AMX, for which it asks the system.
bool hasMatrixUnit();

/// The name by which getCpu finds that CPU.
inline constexpr llvm::StringLiteral kHostCpu = "host";

/// The CPU `name` of the table, the one that this runs on, or that of a file
/// whose name ends in .json.
llvm::Expected<machine::Cpu> getCpu(llvm::StringRef name);

/// Sets `einsum.machine` of `module` to `cpu`, unless the module has a machine.
void attachMachine(mlir::ModuleOp module, const machine::Cpu &cpu);

} // namespace tileir::runtime

#endif // TILEIR_RUNTIME_HOSTCPU_H
