//===- Session.h - Problems one after the other -----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What becomes of each candidate of a problem is a row.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_BENCHMARKS_SESSION_H
#define TILEIR_BENCHMARKS_SESSION_H

#include "Benchmark.h"
#include "Supervisor.h"
#include "Table.h"
#include "tileir-launch/Clock.h"

namespace tileir::bench {

class Session {
public:
  Session(Machine &machine, Table &table, const Effort &effort,
          const Attempts &attempts);

  /// Compares and measures what is not in the table. `hasFailed` if a
  /// candidate has: the device may be lost.
  Error run(const Problem &problem, bool &hasFailed);

private:
  Row describe(const Problem &problem, const Candidate &candidate) const;

  Machine &machine;
  Table &table;
  const Effort &effort;
  const Attempts &attempts;
  launch::Clock clock;
  Row facts;
};

} // namespace tileir::bench

#endif // TILEIR_BENCHMARKS_SESSION_H
