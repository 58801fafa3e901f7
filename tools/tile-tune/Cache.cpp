//===- Cache.cpp - What was measured before -------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Cache.h"

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

/// A line for a configuration of `key`: the configuration and its outcome. Null
/// if it is for another key. Fails if it is none.
static llvm::Expected<std::optional<std::pair<std::string, Outcome>>>
readLine(StringRef line, StringRef key) {
  auto value = llvm::json::parse(line);
  if (!value)
    return value.takeError();
  const llvm::json::Object *object = value->getAsObject();
  auto ofLine = object ? object->getString("key") : std::nullopt;
  auto configuration =
      object ? object->getString("configuration") : std::nullopt;
  if (!ofLine || !configuration)
    return llvm::createStringError("expected 'key' and 'configuration'");
  if (*ofLine != key)
    return std::nullopt;
  Outcome outcome;
  outcome.reason = object->getString("reason").value_or("").str();
  outcome.median = object->getNumber("median_ms").value_or(0);
  outcome.least = object->getNumber("min_ms").value_or(0);
  outcome.most = object->getNumber("max_ms").value_or(0);
  outcome.estimate = object->getNumber("estimate_us").value_or(0);
  return std::pair(configuration->str(), outcome);
}

llvm::Expected<Cache> Cache::open(std::string path, std::string key) {
  Cache cache;
  cache.path = std::move(path);
  cache.key = std::move(key);
  if (cache.path.empty() || !fs::is_regular_file(cache.path))
    return cache;
  auto buffer = llvm::MemoryBuffer::getFile(cache.path, /*IsText=*/true);
  if (!buffer)
    return llvm::createStringError("cannot read the cache '" + cache.path +
                                   "': " + buffer.getError().message());
  llvm::SmallVector<StringRef> lines;
  (*buffer)->getBuffer().split(lines, '\n');
  for (auto [number, line] : llvm::enumerate(lines)) {
    if (line.trim().empty())
      continue;
    auto read = readLine(line, cache.key);
    if (!read)
      llvm::WithColor::warning(llvm::errs(), "tile-tune")
          << cache.path << ':' << number + 1
          << ": no result, left out: " << llvm::toString(read.takeError())
          << '\n';
    else if (*read)
      cache.outcomes[(*read)->first] = (*read)->second;
  }
  return cache;
}

std::optional<Outcome> Cache::find(StringRef configuration) const {
  auto it = outcomes.find(configuration);
  if (it == outcomes.end())
    return std::nullopt;
  return it->second;
}

void Cache::add(StringRef configuration, const Outcome &outcome) {
  outcomes[configuration] = outcome;
  if (path.empty())
    return;
  if (Error error = write(configuration, outcome)) {
    llvm::WithColor::warning(llvm::errs(), "tile-tune")
        << llvm::toString(std::move(error)) << '\n';
    path.clear();
  }
}

Error Cache::write(StringRef configuration, const Outcome &outcome) {
  auto fail = [&](std::error_code error) {
    return llvm::createStringError("cannot write the cache '" + path +
                                   "': " + error.message() +

                                   ", expected a file to add lines to: name "
                                   "another one by --cache, or none");
  };
  if (std::error_code error =
          fs::create_directories(llvm::sys::path::parent_path(path)))
    return fail(error);
  llvm::json::Object object{{"key", key},
                            {"configuration", configuration},
                            {"median_ms", outcome.median},
                            {"min_ms", outcome.least},
                            {"max_ms", outcome.most},
                            {"estimate_us", outcome.estimate}};
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
