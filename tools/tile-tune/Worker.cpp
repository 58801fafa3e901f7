//===- Worker.cpp - A run of a configuration ------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Worker.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace tileir::tune;
using llvm::Expected;
using llvm::formatv;
using llvm::StringRef;

namespace {
/// A file that is removed in the end.
struct TemporaryFile {
  llvm::SmallString<128> path;
  llvm::FileRemover remover;

  llvm::Error create(StringRef suffix) {
    if (std::error_code error =
            llvm::sys::fs::createTemporaryFile("tile-tune", suffix, path))
      return llvm::createStringError("cannot make a temporary file: " +
                                     error.message());
    remover.setFile(path);
    return llvm::Error::success();
  }
  std::string read() const {
    auto buffer = llvm::MemoryBuffer::getFile(path);
    return buffer ? (*buffer)->getBuffer().str() : "";
  }
};
} // namespace

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
  if (const auto *times = object ? object->getObject("time_ms") : nullptr) {
    outcome.median = times->getNumber("median").value_or(0);
    outcome.least = times->getNumber("min").value_or(0);
    outcome.most = times->getNumber("max").value_or(0);
  }
  if (const auto *launches = object ? object->getArray("launches") : nullptr)
    for (const llvm::json::Value &launch : *launches)
      if (const auto *fields = launch.getAsObject())
        if (const auto *estimate = fields->getObject("estimate"))
          outcome.estimate += estimate->getNumber("microseconds").value_or(0);
  return outcome;
}

Expected<Outcome> tileir::tune::runWorker(const std::string &program,
                                          llvm::ArrayRef<std::string> arguments,
                                          const Limits &limits) {
  TemporaryFile out, err, report;
  for (auto [file, suffix] : {std::pair(&out, "out"), std::pair(&err, "err"),
                              std::pair(&report, "json")})
    if (llvm::Error error = file->create(suffix))
      return std::move(error);
  std::vector<StringRef> command = {program};
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::string reportOption = ("--report=" + report.path).str();
  command.push_back(reportOption);
  std::optional<StringRef> redirects[] = {StringRef(""), StringRef(out.path),
                                          StringRef(err.path)};
  std::string message;
  bool isMissing = false;
  int status = llvm::sys::ExecuteAndWait(
      program, command, /*Env=*/std::nullopt, redirects, limits.seconds,
      limits.mebibytes, &message, &isMissing);
  if (isMissing)
    return llvm::createStringError("cannot run '" + program + "': " + message);
  std::string text = err.read();
  if (status == 0)
    return readReport(report.read());
  Outcome outcome;
  if (StringRef(message).contains("timed out"))
    outcome.reason = formatv("took longer than {0} s", limits.seconds);
  else if (StringRef(text).contains("out of memory") ||
           StringRef(text).contains("bad_alloc"))
    outcome.reason =
        formatv("took more than {0} MiB of memory", limits.mebibytes);
  else if (status < 0)
    outcome.reason = "crashed: " + message;
  else if (size_t at = out.read().find("check against");
           at != std::string::npos)
    outcome.reason =
        "wrong: " +
        StringRef(out.read()).substr(at).split('\n').first.trim().str();
  else if (std::string error = findError(text); !error.empty())
    outcome.reason = error;
  else
    outcome.reason = formatv("ended with status {0}", status);
  return outcome;
}
