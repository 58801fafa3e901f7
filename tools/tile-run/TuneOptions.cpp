//===- TuneOptions.cpp - tile-run beside tile-tune ------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "TuneOptions.h"
#include "SimOptions.h"

#include "tileir/Tune/Arguments.h"
#include "tileir/Tune/Cache.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <cstring>
#include <fcntl.h>
#include <sys/file.h>

using namespace tileir;
namespace cl = llvm::cl;
using llvm::Error;
using llvm::StringRef;

cl::OptionCategory tileir::tuneCategory("Options beside tile-tune");

static cl::opt<std::string> tuned(
    "tuned",
    cl::desc("Add the options that tile-tune found to be fastest for this "
             "file, target and arguments (default: in the user's cache)"),
    cl::value_desc("tune.jsonl"), cl::ValueOptional, cl::cat(tuneCategory));
static cl::opt<std::string> measureLock(
    "measure-lock",
    cl::desc("A file whose lock other runs share, and that no other has while "
             "this one is timed"),
    cl::value_desc("file"), cl::Hidden, cl::cat(tuneCategory));

bool tileir::asksForTuned() { return tuned.getNumOccurrences() > 0; }

llvm::Expected<std::vector<std::string>>
tileir::findTunedOptions(StringRef file, StringRef backend,
                         llvm::ArrayRef<std::string> inputs) {
  auto text = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!text)
    return llvm::createStringError("--tuned: cannot read '" + file +
                                   "': " + text.getError().message());
  auto arguments = tune::describeArguments(inputs);
  if (!arguments)
    return arguments.takeError();
  tune::Purpose purpose{tune::getHash((*text)->getBuffer()),
                        tune::getTarget(backend, getChipOption()),
                        std::move(*arguments)};
  std::string path =
      tuned.empty() ? tune::Cache::getDefaultPath() : tuned.getValue();
  auto found = tune::Cache::findTuned(path, purpose);
  if (!found)
    return found.takeError();
  std::vector<std::string> options;
  if (!*found) {
    llvm::WithColor::warning(llvm::errs(), "tile-run")
        << "--tuned: expected a result of tile-tune for '" << file
        << "' as it is, for " << purpose.target
        << " and these arguments, found none in '" << path
        << "': it runs as without\n";
    return options;
  }
  // What else was said when it was tuned is said now, or does not matter.
  for (const std::string &option : (*found)->options)
    if (StringRef(option).starts_with("-D") ||
        StringRef(option).starts_with("--pipeline="))
      options.push_back(option);
  llvm::errs() << "tile-run: tuned: " << llvm::join(options, " ") << '\n';
  return options;
}

Error tileir::lockMeasurement(MeasureLock lock) {
  static int file = -1;
  if (measureLock.empty())
    return Error::success();
  if (file < 0)
    file = ::open(measureLock.c_str(), O_RDONLY | O_CLOEXEC);
  int kind = lock == MeasureLock::Alone ? LOCK_EX : LOCK_SH;
  int status = file;
  if (file >= 0)
    do
      status = ::flock(file, kind);
    while (status < 0 && errno == EINTR);
  if (status >= 0)
    return Error::success();
  return llvm::createStringError("--measure-lock: cannot lock '" + measureLock +
                                 "': " + std::strerror(errno));
}
