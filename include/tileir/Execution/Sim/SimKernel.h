//===- SimKernel.h - Launch a kernel by itself ------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel of a GPU, without host code, on the simulator.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_SIM_SIMKERNEL_H
#define TILEIR_EXECUTION_SIM_SIMKERNEL_H

#include "tileir/Execution/Backend.h"
#include "tileir/Execution/PointerItems.h"

#include "llvm/Support/MemoryBufferRef.h"

namespace tileir::execution {

struct Candidate;

/// Whether a file is LLVM IR, as text or bitcode, rather than MLIR.
bool isLLVMIR(llvm::MemoryBufferRef file);

/// A kernel that each run launches once. Its arguments are one array each: what
/// a pointer points at, or a scalar, which is an array without axes. Its
/// outputs are the arrays of pointers, in order.
class SimKernel : public Executable {
public:
  /// The kernel `name`, "kernel" or "module::kernel", of a file of NVPTX LLVM
  /// IR, by its name there or in C++, or by a pattern (lib/Execution/Sim/
  /// KernelNames.h); an empty name is that of the only one. Fails for IR that
  /// does not parse or cannot be simulated, and where there is no such kernel,
  /// or more than one. Others are not even optimized.
  static llvm::Expected<std::unique_ptr<SimKernel>>
  load(llvm::MemoryBufferRef ir, llvm::StringRef name,
       const sim::LaunchConfig &launch, const BackendOptions &options);

  /// The same of the gpu.modules of `module`, which are lowered in place by
  /// `options.pipeline`.
  static llvm::Expected<std::unique_ptr<SimKernel>>
  load(mlir::ModuleOp module, llvm::StringRef name,
       const sim::LaunchConfig &launch, const BackendOptions &options);

  ~SimKernel() override;

  /// The name of the kernel, without that of its module.
  llvm::StringRef getName() const { return kernel->name; }

  /// The arguments that `items` stand for (Inputs.h, PointerItems.h), one each;
  /// those that are drawn come from `seed`. Fails where one does not fit. Runs
  /// let arguments point where the last items say.
  llvm::Expected<llvm::SmallVector<runtime::NDArray>>
  readArguments(llvm::ArrayRef<std::string> items, uint64_t seed);

  /// Gives variables of the module their values: `items` are "name=item", the
  /// name that in LLVM IR or C++.
  llvm::Error setGlobals(llvm::ArrayRef<std::string> items, uint64_t seed);

  /// Fails for a launch that the chip would refuse; faults are in the report.
  llvm::Expected<RunResult>
  run(llvm::ArrayRef<runtime::NDArray> arguments) override;

private:
  SimKernel(std::unique_ptr<sim::Simulator> simulator,
            const sim::LaunchConfig &launch);
  llvm::Error load(llvm::ArrayRef<Candidate> candidates, llvm::StringRef name);

  std::unique_ptr<sim::Simulator> simulator;
  sim::LaunchConfig launch;
  sim::LoadedModule *module = nullptr;
  sim::Kernel *kernel = nullptr;
  llvm::SmallVector<PointerItem> pointers; ///< of each argument
};

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_SIM_SIMKERNEL_H
