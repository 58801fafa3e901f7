//===- measure.cpp - Kernels of bundles beside those of libraries ---------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Takes a folder of bundles with an index.json, which bench.py made. For each
// problem: random f16 operands, results compared (Benchmark.h), and only then
// times. A row is in the CSV file as soon as it is known, and is not measured
// again where it is there already.
//
// After a kernel that fails, a new process goes on (Supervisor.h).
//
// Where the program itself has to be compiled on the machine with the GPU:
//   c++ -std=c++17 -O2 -I launcher benchmarks/gpu/*.cpp -ldl -o measure
//
//===----------------------------------------------------------------------===//

#include "Session.h"

#include <ctime>
#include <iostream>

using namespace tileir::bench;
using namespace tileir::launch;

namespace {

struct Options {
  std::string folder, csv;
  Effort effort;
  uint64_t limit = 0, patience = 60, noDriverStatus = 1;
};

Error readOptions(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i], name = word.substr(0, word.find('=') + 1);
    std::string value = word.substr(name.size());
    uint64_t *number = name == "--repeat="      ? &options.effort.repeat
                       : name == "--warm-up="   ? &options.effort.warmUp
                       : name == "--budget="    ? &options.effort.budget
                       : name == "--limit="     ? &options.limit
                       : name == "--patience="  ? &options.patience
                       : name == "--no-driver=" ? &options.noDriverStatus
                                                : nullptr;
    if (number) {
      if (Error error = parseNumber("i32", value, *number))
        return Error(name + ": " + error.getMessage());
      if (int64_t(*number) <
          (number == &options.effort.repeat || number == &options.patience))
        return Error(name + ": expected a count, found " + value);
    } else if (name == "--csv=") {
      options.csv = value;
    } else if (name.empty() && options.folder.empty() && word[0] != '-') {
      options.folder = word;
    } else {
      return Error("expected <folder> [--csv=<file>] [--repeat=<launches>] "
                   "[--warm-up=<launches>] [--budget=<milliseconds of a "
                   "problem>] [--limit=<seconds in all>] "
                   "[--patience=<seconds of a check>] "
                   "[--no-driver=<status>], found '" +
                   word + "'");
    }
  }
  if (options.folder.empty())
    return Error("expected the folder with index.json, which bench.py made");
  if (options.csv.empty())
    options.csv = options.folder + "/rows.csv";
  return Error();
}

Error runAll(const Options &options, const Attempts &attempts,
             std::time_t deadline, int &status) {
  std::vector<Problem> problems;
  // Whether the index can be read does not depend on the GPU.
  if (Error error = readProblems(options.folder, 99, 9, problems))
    return error;
  status = int(options.noDriverStatus);
  Machine machine;
  machine.folder = options.folder;
  if (Error error = machine.open())
    return error;
  status = 1;
  problems.clear();
  if (Error error = readProblems(options.folder, machine.device.getMajor(),
                                 machine.device.getMinor(), problems))
    return error;
  Table table;
  if (Error error = table.open(options.csv, machine.device.getName()))
    return error;

  Session session(machine, table, options.effort, attempts);
  size_t number = 0;
  for (const Problem &problem : problems) {
    if (deadline && std::time(nullptr) >= deadline) {
      std::cout << "[gpu] the time is up: " << problems.size() - number
                << " of " << problems.size() << " problems are left"
                << std::endl;
      break;
    }
    std::cout << "[gpu] " << ++number << "/" << problems.size() << " "
              << problem.name << ": " << std::flush;
    if (table.isMeasured(problem.name)) {
      std::cout << "measured before" << std::endl;
      continue;
    }
    bool hasFailed = false;
    if (Error error = session.run(problem, hasFailed))
      return Error(problem.name + ": " + error.getMessage());
    if (hasFailed) {
      status = kAgain;
      return Error();
    }
  }
  size_t numFaults = table.countFaults();
  if (numFaults)
    return Error(std::to_string(numFaults) +
                 " results are wrong or missing and were not measured: see "
                 "'wrong' and 'failed' in " +
                 options.csv);
  status = 0;
  return Error();
}

int print(const Error &error, int status) {
  std::cout << std::flush;
  if (error)
    std::cerr << "gpu-measure: error: " << error.getMessage() << '\n';
  return status;
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  if (Error error = readOptions(argc, argv, options))
    return print(error, 1);
  std::time_t deadline =
      options.limit ? std::time(nullptr) + std::time_t(options.limit) : 0;
  return supervise(
      unsigned(options.patience + options.effort.budget / 1000),
      [&](const Attempts &attempts) {
        int status = 1;
        Error error = runAll(options, attempts, deadline, status);
        return print(error, status);
      },
      [&](const std::string &line, const std::string &why) {
        std::cout << "\n  FAILED, " << why << ": " << line << std::endl;
        if (Error error = Table::addFailure(options.csv, line, why))
          print(error, 1);
      });
}
