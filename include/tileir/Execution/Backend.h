//===- Backend.h - Where programs run ---------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A backend makes a program ready to run, and what it makes runs it on arrays,
// as often as asked for. Every backend gives the same outputs in the same
// order, so that any two can be compared (Check.h).
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_BACKEND_H
#define TILEIR_EXECUTION_BACKEND_H

#include "tileir/Execution/Sim/SimReport.h"
#include "tileir/Runtime/NDArray.h"
#include "tileir/Simulator/Simulator.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/CodeGen.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>

namespace tileir::execution {

/// Called now and then during long runs with what runs, an op or a kernel, and
/// the fraction done, from 0 to 1.
using ProgressCallback =
    std::function<void(llvm::StringRef what, double fraction)>;

/// Options for preparing and running programs. Each backend reads what concerns
/// it.
struct BackendOptions {
  /// The passes that lower the program ("cpu") or its kernels ("sim", "cuda"),
  /// as "name{options},..."; empty: those that fit what the program holds.
  /// "interp" runs the program as it is.
  std::string pipeline;
  /// "cpu", "sim", "cuda": verifies what each pass leaves, not only the last.
  bool verifyEach = false;
  /// "cpu", without a pipeline: checks tables and bounds of each read, as
  /// "interp" and "sim" always do.
  bool checked = false;
  /// "cpu": an access of a kernel of tiles to what is around an argument ends
  /// the process with status 1 and a message, as compiled code cannot return
  /// from there. It costs the code nothing. Runs on arguments of the same sizes
  /// as those of the run before are not guarded.
  bool guarded = false;
  /// "cpu": the CPU that passes decide for, as LLVM names it, where the program
  /// has no `einsum.machine`; "host" is the one that this runs on.
  std::string cpu = "host";
  /// "cpu", "sim", "cuda": how far LLVM optimizes code for this CPU. "sim": at
  /// `None` kernels are not optimized, either.
  llvm::CodeGenOptLevel optLevel = llvm::CodeGenOptLevel::Aggressive;
  /// "sim": the chip, as LLVM names it; empty: that which the program names, or
  /// the default one.
  std::string chip;
  /// "sim": what is checked and counted, and by how many threads. Its callback
  /// is `progress`.
  sim::SimulatorOptions simulator;
  /// "cuda": before each kernel, what is in the second cache is driven out.
  bool flushL2 = false;
  /// "interp": nothing comes of what the program prints, as for a run whose
  /// results are compared with another's.
  bool quiet = false;
  /// "interp", "sim": told how far a run is.
  ProgressCallback progress;
};

/// The outcome of one run.
struct RunResult {
  /// The results of the function, then its memref arguments, as the run left
  /// them.
  llvm::SmallVector<runtime::NDArray> outputs;
  /// The time of the run in seconds, without compilation.
  double seconds = 0;
  /// The longest sum that was formed, where it is known ("interp"), else 1: the
  /// K of error bounds.
  int64_t longestReduction = 1;
  /// "sim": what was launched, counted and found. A fault that was found is no
  /// error: whether the outputs can be trusted is for the caller to decide.
  std::optional<SimReport> sim;
  /// "cuda": the time of its kernels in seconds, by events around each, and the
  /// clock of the multiprocessors after them in MHz, if it is known.
  std::optional<double> kernelSeconds = std::nullopt;
  std::optional<unsigned> megahertz = std::nullopt;
};

/// A program that is ready to run. It needs neither its backend nor the module
/// that it was made of, only its context. Not for several threads at once.
class Executable {
public:
  virtual ~Executable() = default;

  /// Runs the program on `arguments`, which stay as they are: one array for
  /// each argument, of its element type, rank and static sizes. Fails if the
  /// run cannot be finished: by a check at run time, a driver without a GPU, an
  /// op that cannot be executed (whose location a diagnostic tells).
  virtual llvm::Expected<RunResult>
  run(llvm::ArrayRef<runtime::NDArray> arguments) = 0;

  /// Whether a first run starts threads and caches, which is not to be timed.
  virtual bool needsWarmUp() const { return false; }

  /// The seconds that lowering and compilation took.
  double getCompileSeconds() const { return compileSeconds; }

protected:
  double compileSeconds = 0;
};

/// One way to run programs.
class Backend {
public:
  virtual ~Backend() = default;

  /// "interp", "cpu", "sim" or "cuda".
  virtual llvm::StringRef getName() const = 0;

  /// Makes `entry` ready to run, with what it calls. Its module stays as it is.
  /// `entry` comes from findEntry (Program.h), or takes and returns what that
  /// accepts. Fails if the program does not lower, or is none for this backend.
  virtual llvm::Expected<std::unique_ptr<Executable>>
  compile(mlir::func::FuncOp entry) = 0;
};

/// The backend called `name`:
///   interp   the reference interpreter: slow, and obviously right
///   cpu      compiled in process for this CPU
///   sim      host code for this CPU, kernels on a simulated GPU
///   cuda     host code for this CPU, kernels on the first NVIDIA GPU
/// Fails for another name. Programs have to be in a context with what
/// registerAll (Program.h) registers.
llvm::Expected<std::unique_ptr<Backend>>
createBackend(llvm::StringRef name, BackendOptions options = {});

/// The passes by which "cpu" lowers `module`, where no others are given;
/// `checked` as in BackendOptions.
std::string getCpuPipeline(mlir::ModuleOp module, bool checked);

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_BACKEND_H
