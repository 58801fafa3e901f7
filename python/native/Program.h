//===- Program.h - Modules compiled in process ------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A function of a lowered module as code of this process, by the JIT in
// TileIR's plugin: what tileir.torch compiles whole networks by.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_PYTHON_NATIVE_PROGRAM_H
#define TILEIR_PYTHON_NATIVE_PROGRAM_H

#include "tileir-c/Program.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// Where the elements of a dense array are, in C order, and its shape.
using Dense = std::pair<uintptr_t, std::vector<int64_t>>;

class Program {
public:
  /// Compiles `module`, in the LLVM dialect, whose function `entry` takes
  /// pointers and gives nothing, by `functions`. Throws std::runtime_error
  /// after a diagnostic of the module.
  Program(const TileirProgramFunctions &functions, MlirModule module,
          const std::string &entry);
  Program(const Program &) = delete;
  Program &operator=(const Program &) = delete;
  ~Program();

  /// Calls the function. Several threads may.
  void run(const std::vector<uintptr_t> &arguments);

private:
  TileirProgramFunctions functions;
  void *code;
};

class GpuProgram {
public:
  /// The same for the GPU `device`; the function had the attribute
  /// llvm.emit_c_interface.
  GpuProgram(const TileirProgramFunctions &functions, MlirModule module,
             const std::string &entry, int device);
  GpuProgram(const GpuProgram &) = delete;
  GpuProgram &operator=(const GpuProgram &) = delete;
  ~GpuProgram();

  /// Calls the function, whose kernels go to `stream`. Throws
  /// std::runtime_error where the driver refuses something.
  void run(const std::vector<Dense> &arguments, uintptr_t stream);

private:
  TileirProgramFunctions functions;
  void *code;
};

/// The name of a GPU for passes. Throws std::runtime_error if it is not there.
std::string getGpuChip(const TileirProgramFunctions &functions, int device);

#endif // TILEIR_PYTHON_NATIVE_PROGRAM_H
