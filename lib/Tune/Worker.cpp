//===- Worker.cpp - A run of a configuration ------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Tune/Worker.h"

#include "TemporaryFile.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Program.h"

#include <chrono>
#include <csignal>

using namespace tileir::tune;
using llvm::formatv;
using llvm::StringRef;

/// The first line that tells of an error, without the name of the program.
static std::string findError(StringRef text) {
  llvm::SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines)
    if (size_t at = line.find("error: "); at != StringRef::npos)
      return line.substr(at + 7).trim().str();
  return "";
}

/// What a report says.
static Outcome readReport(StringRef text) {
  Outcome outcome;
  auto report = llvm::json::parse(text);
  if (!report) {
    llvm::consumeError(report.takeError());
    outcome.reason = "it left no report";
    return outcome;
  }
  const llvm::json::Object *object = report->getAsObject();
  const llvm::json::Object *times = nullptr;
  if (object && !(times = object->getObject("kernel_ms")))
    times = object->getObject("time_ms");
  if (times) {
    outcome.median = times->getNumber("median").value_or(0);
    outcome.least = times->getNumber("min").value_or(0);
    outcome.most = times->getNumber("max").value_or(0);
  }
  if (object)
    outcome.megahertz = object->getNumber("clock_mhz").value_or(0);
  if (const auto *launches = object ? object->getArray("launches") : nullptr)
    for (const llvm::json::Value &launch : *launches)
      if (const auto *fields = launch.getAsObject())
        if (const auto *estimate = fields->getObject("estimate"))
          outcome.estimate += estimate->getNumber("microseconds").value_or(0);
  return outcome;
}

struct Worker::Process {
  llvm::sys::ProcessInfo info;
  TemporaryFile out, err, report;
  Limits limits;
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
  bool hasEnded = false, isLate = false;

  ~Process() {
    if (hasEnded)
      return;
    ::kill(info.Pid, SIGKILL);
    llvm::sys::Wait(info, std::nullopt);
  }
  /// What came of a process that ended by `message`.
  Outcome getOutcome(int status, StringRef message) const;
};

Worker::Worker() = default;
Worker::Worker(Worker &&) = default;
Worker &Worker::operator=(Worker &&) = default;
Worker::~Worker() = default;

llvm::Error Worker::start(const std::string &program,
                          llvm::ArrayRef<std::string> arguments,
                          const Limits &limits) {
  process = std::make_unique<Process>();
  process->hasEnded = true; // until it has begun
  process->limits = limits;
  for (auto [file, suffix] :
       {std::pair(&process->out, "out"), std::pair(&process->err, "err"),
        std::pair(&process->report, "json")})
    if (llvm::Error error = file->create(suffix))
      return error;
  std::vector<StringRef> command = {program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::string reportOption = ("--report=" + process->report.path).str();
  command.push_back(reportOption);
  std::optional<StringRef> redirects[] = {StringRef(""),
                                          StringRef(process->out.path),
                                          StringRef(process->err.path)};
  std::string message;
  bool isMissing = false;
  process->info = llvm::sys::ExecuteNoWait(
      program, command, /*Env=*/std::nullopt, redirects, limits.mebibytes,
      &message, &isMissing);
  if (isMissing || process->info.Pid == llvm::sys::ProcessInfo::InvalidPid)
    return llvm::createStringError("cannot run '" + program + "': " + message);
  process->hasEnded = false;
  return llvm::Error::success();
}

std::optional<Outcome> Worker::poll() {
  // The timeout of llvm::sys::Wait is for one process at a time.
  using std::chrono::seconds;
  if (!process->isLate && process->limits.seconds != 0 &&
      std::chrono::steady_clock::now() - process->start >
          seconds(process->limits.seconds)) {
    process->isLate = true;
    ::kill(process->info.Pid, SIGKILL);
  }
  std::string message;
  llvm::sys::ProcessInfo state =
      llvm::sys::Wait(process->info, /*SecondsToWait=*/0, &message,
                      /*ProcStat=*/nullptr, /*Polling=*/true);
  if (state.Pid == 0)
    return std::nullopt;
  process->hasEnded = true;
  return process->getOutcome(state.ReturnCode, message);
}

Outcome Worker::Process::getOutcome(int status, StringRef message) const {
  std::string text = err.read();
  if (status == 0 && !isLate)
    return readReport(report.read());
  Outcome outcome;
  if (isLate)
    outcome.reason = formatv("took longer than {0} s", limits.seconds);
  else if (StringRef(text).contains("out of memory") ||
           StringRef(text).contains("bad_alloc") ||
           StringRef(text).contains("cannot allocate"))
    outcome.reason =
        formatv("took more than {0} MiB of memory", limits.mebibytes);
  else if (status < 0)
    outcome.reason = ("crashed: " + message).str();
  else if (std::string output = out.read();
           StringRef(output).contains("check against"))
    outcome.reason = "wrong: " + StringRef(output)
                                     .substr(output.find("check against"))
                                     .split('\n')
                                     .first.trim()
                                     .str();
  else if (std::string error = findError(text); !error.empty())
    outcome.reason = error;
  else
    outcome.reason = formatv("ended with status {0}", status);
  return outcome;
}
