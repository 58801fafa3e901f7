//===- Suppressions.cpp - Findings that the user does not want to see -----===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By file and line, from the command line, and by comments in the source.
//
//===----------------------------------------------------------------------===//

#include "tileir/Simulator/Findings.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace tileir::sim;
using llvm::StringRef;

namespace {
/// The lines of source files, each of which is read once.
class SourceFiles {
public:
  /// Empty if there is no such file or line.
  StringRef getLine(const std::string &path, uint32_t number) {
    auto [place, isNew] = files.try_emplace(path);
    File &file = place->second;
    if (isNew)
      if (auto buffer = llvm::MemoryBuffer::getFile(path)) {
        file.buffer = std::move(*buffer);
        file.buffer->getBuffer().split(file.lines, '\n');
      }
    return number && number <= file.lines.size() ? file.lines[number - 1] : "";
  }

private:
  struct File {
    std::unique_ptr<llvm::MemoryBuffer> buffer;
    llvm::SmallVector<StringRef, 0> lines;
  };
  llvm::StringMap<File> files;
};
} // namespace

/// Whether `test` holds at a line of the finding: its own, that of the other
/// access, or one that a call was inlined into.
template <typename Test>
static bool anyLine(const Finding &finding, Test test) {
  auto anyOf = [&](const SourceLocation &place) {
    return test(place) || llvm::any_of(place.stack, test);
  };
  return anyOf(finding.location) || anyOf(finding.other);
}

/// Whether a line has a comment "sim-suppress" without kinds, or with this one:
/// "sim-suppress(shared-race, global-race)".
static bool hasComment(StringRef line, StringRef kind) {
  auto [before, after] = line.split("sim-suppress");
  if (before.size() == line.size() ||
      (!before.contains("//") && !before.contains("/*") &&
       !before.contains('#') && !before.contains(';')))
    return false;
  if (!after.consume_front("("))
    return true;
  llvm::SmallVector<StringRef> kinds;
  after.take_until([](char c) { return c == ')'; }).split(kinds, ',');
  return llvm::any_of(kinds, [&](StringRef it) { return it.trim() == kind; });
}

/// Whether a path ends with the parts of `end`.
static bool endsWith(StringRef path, StringRef end) {
  return path.consume_back(end) && (path.empty() || path.ends_with("/"));
}

/// Whether a place is meant by "file:line".
static bool isAt(const SourceLocation &place, StringRef suppression) {
  auto [file, line] = suppression.rsplit(':');
  return llvm::utostr(place.line) == line && endsWith(place.file, file);
}

void tileir::sim::eraseSuppressed(
    std::vector<Finding> &findings,
    const std::vector<std::string> &suppressions) {
  SourceFiles files;
  llvm::erase_if(findings, [&](const Finding &finding) {
    return anyLine(finding, [&](const SourceLocation &place) {
      return llvm::any_of(suppressions,
                          [&](StringRef it) { return isAt(place, it); }) ||
             hasComment(files.getLine(place.file, place.line),
                        getName(finding.kind));
    });
  });
}
