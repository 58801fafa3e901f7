//===- Supervisor.h - Work that may hang or crash ---------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A kernel that fails may leave no way to use the device in its process, and
// one that hangs keeps it. So the work is done by a child process, which says
// what it tries; the parent, which knows no GPU, begins a new one where it has
// to.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_BENCHMARKS_SUPERVISOR_H
#define TILEIR_BENCHMARKS_SUPERVISOR_H

#include <functional>
#include <string>

namespace tileir::bench {

/// How the child speaks to its parent.
class Attempts {
public:
  explicit Attempts(int pipe) : pipe(pipe) {}
  /// Until `end`, whoever ends this process made `line` true.
  void begin(const std::string &line) const { say(line); }
  void end() const { say(""); }

private:
  void say(std::string line) const;

  int pipe;
};

/// The status with which a child asks for another one.
constexpr int kAgain = 75;

/// Does `work`, which gives an exit status, in child processes until one does
/// not ask for another. An attempt that takes more than `seconds`, or does not
/// survive, is given to `fail` with the reason. Gives the exit status, in both
/// processes.
int supervise(unsigned seconds,
              const std::function<int(const Attempts &)> &work,
              const std::function<void(const std::string &line,
                                       const std::string &why)> &fail);

} // namespace tileir::bench

#endif // TILEIR_BENCHMARKS_SUPERVISOR_H
