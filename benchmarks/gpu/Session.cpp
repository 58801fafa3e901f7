//===- Session.cpp - Problems one after the other -------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A progress line for each problem, and one for each result that is not right.
//
//===----------------------------------------------------------------------===//

#include "Session.h"

#include <ctime>
#include <iostream>

using namespace tileir::bench;
using namespace tileir::launch;

/// The version of the kernel module, such as 580.65.06.
static std::string getDriverVersion() {
  std::ifstream file("/proc/driver/nvidia/version");
  std::string word;
  while (file >> word)
    if (std::isdigit(word[0]) && word.find('.') != std::string::npos)
      return word;
  return "unknown";
}

static std::string format(const char *pattern, double number) {
  char text[32];
  std::snprintf(text, sizeof(text), pattern, number);
  return text;
}

Session::Session(Machine &machine, Table &table, const Effort &effort,
                 const Attempts &attempts)
    : machine(machine), table(table), effort(effort), attempts(attempts) {
  clock.open(/*ordinal=*/0);
  char date[16];
  std::time_t now = std::time(nullptr);
  std::strftime(date, sizeof(date), "%Y-%m-%d", std::localtime(&now));
  const Device &device = machine.device;
  facts = {{"date", date},
           {"gpu", device.getName()},
           {"device",
            "sm_" + std::to_string(10 * device.getMajor() + device.getMinor())},
           {"driver", getDriverVersion()},
           {"cublas", std::to_string(machine.cublas.getVersion())}};
  if (machine.cublasLt.isOpen())
    facts["cublaslt"] = std::to_string(machine.cublasLt.getVersion());
  if (machine.cudnn.isOpen())
    facts["cudnn"] = std::to_string(machine.cudnn.getVersion());
}

Row Session::describe(const Problem &problem,
                      const Candidate &candidate) const {
  Row row = facts;
  row["problem"] = problem.name;
  row["candidate"] = candidate.name;
  row["options"] = candidate.options;
  row["chip"] = candidate.chip;
  row["set"] = problem.set;
  row["task"] = problem.task;
  for (int64_t size : problem.size)
    row["size"] += (row["size"].empty() ? "" : "x") + std::to_string(size);
  row["order"] = problem.order;
  return row;
}

Error Session::run(const Problem &problem, bool &hasFailed) {
  std::unique_ptr<Task> task = Task::create(machine, problem);
  if (!task)
    return Error("expected a task with as many sizes as it has, found '" +
                 problem.task + "'");
  if (Error error = task->setUp())
    return error;
  Benchmark benchmark(machine, *task);
  std::vector<Candidate *> right;
  bool hasFaults = false;
  for (Candidate &candidate : task->getCandidates()) {
    if (table.findFault(problem.name, candidate.name, candidate.options))
      continue;
    Row row = describe(problem, candidate);
    std::string wrong;
    attempts.begin(Table::format(row));
    Error error = benchmark.check(candidate, wrong);
    attempts.end();
    hasFailed = bool(error);
    if (!error && wrong.empty()) {
      right.push_back(&candidate);
      continue;
    }
    hasFaults = true;
    row[error ? "failed" : "wrong"] = error ? error.getMessage() : wrong;
    std::cout << "\n  " << candidate.name << " " << candidate.options
              << (error ? ": FAILED, " : ": WRONG, ")
              << (error ? error.getMessage() : wrong) << std::flush;
    if (Error error = table.add({row}))
      return error;
    if (hasFailed) {
      std::cout << std::endl;
      return Error();
    }
  }
  if (right.empty()) {
    std::cout << std::endl;
    return Error();
  }
  // Who fails only now is not known: the last one is left out, who is ours, and
  // then the others are measured again.
  std::vector<std::vector<double>> times;
  Row last = describe(problem, *right.back());
  attempts.begin(Table::format(last));
  Error error = benchmark.measure(right, effort, times);
  attempts.end();
  if (error) {
    last["failed"] = error.getMessage();
    std::cout << "FAILED, " << error.getMessage() << std::endl;
    hasFailed = true;
    return table.add({last});
  }
  std::optional<unsigned> megahertz = clock.read();
  std::vector<Row> rows;
  std::cout << (hasFaults ? "\n  " : "");
  for (size_t i = 0; i < right.size(); ++i) {
    Row &row = rows.emplace_back(describe(problem, *right[i]));
    double median = times[i][times[i].size() / 2];
    row["us"] = format("%.2f", median);
    row["best_us"] = format("%.2f", times[i][0]);
    row["tflops"] = format("%.2f", task->getFlops() / median * 1e-6);
    row["launches"] = std::to_string(times[i].size());
    if (megahertz)
      row["mhz"] = std::to_string(*megahertz);
    std::cout << (i ? ", " : "") << right[i]->name << " " << row["us"] << " us";
  }
  std::cout << std::endl;
  return table.add(rows);
}
