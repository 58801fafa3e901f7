//===- Task.h - A problem on a device ---------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Operands, and who computes the result from them: libraries, and our kernels.
// One of them is a candidate.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_BENCHMARKS_TASK_H
#define TILEIR_BENCHMARKS_TASK_H

#include "Cublas.h"
#include "CublasLt.h"
#include "Cudnn.h"
#include "Half.h"
#include "Problem.h"
#include "Program.h"

#include <functional>

namespace tileir::bench {

/// Of the largest element: a unit in the last place of f16, and a little.
constexpr double kTolerance = 1e-3;

struct Candidate {
  std::string name, options;
  std::string chip; ///< that it was compiled for; empty for a library
  /// What is done once: loading, choosing an algorithm.
  std::function<Error()> prepare;
  /// Begins to compute.
  std::function<Error()> launch;
  /// How far it may be from the exact result, over the largest element.
  double tolerance = kTolerance;
};

/// What tasks are computed with.
struct Machine {
  launch::Device device;
  Cublas cublas;
  CublasLt cublasLt{device};
  Cudnn cudnn;
  std::string folder; ///< of the bundles

  Error open();
};

class Task {
public:
  /// The task that a problem names, or null.
  static std::unique_ptr<Task> create(Machine &machine, const Problem &problem);
  virtual ~Task() = default;

  /// Draws the operands and names the candidates, our kernels last.
  Error setUp();

  /// The exact element of the result: a sum in f64.
  virtual double getElement(size_t index) const = 0;
  /// Multiplications and additions.
  virtual double getFlops() const = 0;

  std::vector<Candidate> &getCandidates() { return candidates; }
  launch::DeviceBuffer &getResult() { return *result; }
  size_t getResultSize() const { return resultSize; }

protected:
  Task(Machine &machine, const Problem &problem)
      : machine(machine), problem(problem) {}

  /// Adds the operands of our kernels to `arguments`, and candidates.
  virtual Error setUpOperands() = 0;
  /// How often a result of f16 is rounded on the way to it.
  virtual int getNumRoundings() const { return 1; }

  /// Device memory for as long as the task is there. Gives what kernels take.
  Error upload(const Halves &numbers, std::vector<int64_t> shape,
               launch::Value &value);
  Error upload(const std::vector<int64_t> &numbers, launch::Value &value);
  Error allocate(std::vector<int64_t> shape, launch::Value &value);
  Error allocateResult(std::vector<int64_t> shape);

  /// A candidate of ours. `arguments` are those of the program, `offsets` what
  /// stands for its tables.
  Candidate makeOurs(const std::string &name, const Bundle &bundle,
                     std::vector<launch::Value> arguments,
                     const launch::Value &offsets = {});

  Machine &machine;
  const Problem &problem;
  /// Of our programs, and what stands for their tables.
  std::vector<launch::Value> arguments;
  launch::Value offsets;
  launch::Value resultValue;
  std::vector<Candidate> candidates;

private:
  Error upload(const void *numbers, size_t width, std::vector<int64_t> shape,
               launch::Value &value);

  std::deque<launch::DeviceBuffer> buffers;
  launch::DeviceBuffer *result = nullptr;
  size_t resultSize = 0;
};

} // namespace tileir::bench

#endif // TILEIR_BENCHMARKS_TASK_H
