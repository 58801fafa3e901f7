//===- CpuFile.h - Entries of the table of CPUs in files --------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What `tile-tune --calibrate` writes, and `TILEIR_CPU` reads.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TARGET_CPU_CPUFILE_H
#define TILEIR_TARGET_CPU_CPUFILE_H

#include "tileir/Target/Cpu/Cpu.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace tileir::machine {

/// The entry that a text of JSON is. What it leaves out is that of the entry
/// nearest to its name. Fails if it is none, or contradicts itself.
llvm::Expected<Cpu> parseCpu(llvm::StringRef text);
llvm::Expected<Cpu> readCpuFile(llvm::StringRef path);

/// Writes an entry as parseCpu reads it.
void printCpu(llvm::raw_ostream &os, const Cpu &cpu);

} // namespace tileir::machine

#endif // TILEIR_TARGET_CPU_CPUFILE_H
