//===- Cache.cpp - What was measured before -------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Tune/Cache.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Duration.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/raw_ostream.h"

#include <chrono>
#include <map>

using namespace tileir::tune;
using llvm::Error;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

std::string Cache::getDefaultPath() {
  llvm::SmallString<128> path;
  if (!llvm::sys::path::cache_directory(path))
    return "";
  llvm::sys::path::append(path, "tileir", "tune.jsonl");
  return path.str().str();
}

namespace {
struct Line {
  std::string key, configuration;
  Purpose purpose;
  std::vector<std::string> options;
  Outcome outcome;
};
} // namespace

static llvm::Expected<Line> readLine(StringRef text) {
  auto value = llvm::json::parse(text);
  if (!value)
    return value.takeError();
  const llvm::json::Object *object = value->getAsObject();
  auto getText = [&](StringRef name) {
    return object ? object->getString(name).value_or("").str() : "";
  };
  Line line{getText("key"), getText("configuration"), {}, {}, {}};
  if (line.key.empty() || line.configuration.empty())
    return llvm::createStringError("expected 'key' and 'configuration'");
  line.purpose.program = getText("program");
  line.purpose.target = getText("target");
  if (const llvm::json::Object *arguments = object->getObject("arguments"))
    for (const auto &[number, what] : *arguments)
      line.purpose.arguments[StringRef(number).str()] =
          what.getAsString().value_or("").str();
  if (const llvm::json::Array *options = object->getArray("options"))
    for (const llvm::json::Value &option : *options)
      line.options.push_back(option.getAsString().value_or("").str());
  auto getNumber = [&](StringRef name) {
    return object->getNumber(name).value_or(0);
  };
  line.outcome = {getText("reason"),
                  getNumber("median_ms"),
                  getNumber("min_ms"),
                  getNumber("max_ms"),
                  getNumber("estimate_us"),
                  getNumber("clock_mhz"),
                  object->getBoolean("chosen").value_or(false)};
  return line;
}

/// Calls `visit` with each line that is not empty, and its number.
static Error
forEachLine(const std::string &path,
            llvm::function_ref<void(StringRef text, size_t number)> visit) {
  if (path.empty() || !fs::is_regular_file(path))
    return Error::success();
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return llvm::createStringError("cannot read the cache '" + path +
                                   "': " + buffer.getError().message());
  size_t number = 0;
  for (StringRef line : llvm::split((*buffer)->getBuffer(), '\n')) {
    ++number;
    if (!line.trim().empty())
      visit(line, number);
  }
  return Error::success();
}

llvm::Expected<Cache> Cache::open(std::string path, std::string key,
                                  Purpose purpose) {
  Cache cache;
  cache.path = std::move(path);
  cache.key = std::move(key);
  cache.purpose = std::move(purpose);
  Error error = forEachLine(cache.path, [&](StringRef text, size_t number) {
    auto line = readLine(text);
    if (!line)
      llvm::WithColor::warning(llvm::errs(), "tile-tune")
          << cache.path << ':' << number
          << ": no result, left out: " << llvm::toString(line.takeError())
          << '\n';
    else if (line->key == cache.key)
      cache.outcomes[line->configuration] = line->outcome;
  });
  if (error)
    return std::move(error);
  return cache;
}

llvm::Expected<std::optional<Tuned>> Cache::findTuned(const std::string &path,
                                                      const Purpose &run) {
  // The last line of each configuration holds.
  std::map<std::pair<std::string, std::string>, Line> lines;
  Error error = forEachLine(path, [&](StringRef text, size_t) {
    if (!text.contains(run.program))
      return;
    auto line = readLine(text);
    if (!line)
      return llvm::consumeError(line.takeError());
    if (line->purpose.serves(run))
      lines[{line->key, line->configuration}] = std::move(*line);
  });
  if (error)
    return std::move(error);
  // What a search has chosen comes before what was timed once.
  const Line *best = nullptr;
  auto getRank = [](const Line &line) {
    const Outcome &outcome = line.outcome;
    return std::pair(!outcome.isChosen,
                     outcome.estimate ? outcome.estimate : outcome.least);
  };
  for (const auto &[key, line] : lines)
    if (line.outcome.reason.empty() &&
        (!best || getRank(line) < getRank(*best)))
      best = &line;
  if (!best)
    return std::nullopt;
  return Tuned{best->options, getRank(*best).second};
}

std::optional<Outcome> Cache::find(StringRef configuration) const {
  auto it = outcomes.find(configuration);
  if (it == outcomes.end())
    return std::nullopt;
  return it->second;
}

void Cache::add(StringRef configuration, llvm::ArrayRef<std::string> options,
                const Outcome &outcome) {
  outcomes[configuration] = outcome;
  if (path.empty())
    return;
  if (Error error = write(configuration, options, outcome)) {
    llvm::WithColor::warning(llvm::errs(), "tile-tune")
        << llvm::toString(std::move(error)) << '\n';
    path.clear();
  }
}

Error Cache::write(StringRef configuration, llvm::ArrayRef<std::string> options,
                   const Outcome &outcome) {
  auto fail = [&](std::error_code error) {
    return llvm::createStringError("cannot write the cache '" + path +
                                   "': " + error.message() +

                                   ", expected a file to add lines to: name "
                                   "another one by --cache, or none");
  };
  if (StringRef folder = llvm::sys::path::parent_path(path); !folder.empty())
    if (std::error_code error = fs::create_directories(folder))
      return fail(error);
  llvm::json::Object arguments;
  for (const auto &[number, what] : purpose.arguments)
    arguments[number] = what;
  llvm::json::Object object{{"key", key},
                            {"configuration", configuration},
                            {"program", purpose.program},
                            {"target", purpose.target},
                            {"arguments", std::move(arguments)},
                            {"options", llvm::json::Array(options)},
                            {"median_ms", outcome.median},
                            {"min_ms", outcome.least},
                            {"max_ms", outcome.most},
                            {"estimate_us", outcome.estimate}};
  if (outcome.megahertz != 0)
    object["clock_mhz"] = outcome.megahertz;
  if (outcome.isChosen)
    object["chosen"] = true;
  if (!outcome.reason.empty())
    object["reason"] = llvm::json::fixUTF8(outcome.reason);
  // Begins with the end of what a process that was killed has left.
  std::string line =
      llvm::formatv("{0}\n", llvm::json::Value(std::move(object)));
  std::error_code error;
  llvm::raw_fd_ostream file(path, error, fs::CD_OpenAlways, fs::FA_Write,
                            fs::OF_Append);
  if (error)
    return fail(error);
  auto lock = file.tryLockFor(llvm::Duration(std::chrono::seconds(10)));
  if (!lock)
    return fail(llvm::errorToErrorCode(lock.takeError()));
  uint64_t size = 0;
  char last = '\n';
  if (!fs::file_size(path, size) && size > 0)
    if (auto slice = llvm::MemoryBuffer::getFileSlice(path, 1, size - 1))
      last = (*slice)->getBuffer().front();
  if (last != '\n')
    line = "\n" + line;
  file << line;
  file.flush();
  if (file.has_error()) {
    error = file.error();
    file.clear_error();
    return fail(error);
  }
  return Error::success();
}
