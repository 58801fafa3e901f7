//===- AssemblyConstraints.cpp --------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM reads constraints of several letters, "@3abc" and "^ab", without asking
// whether so many letters are there. NVPTX has none of them, so they are
// refused in the text, before LLVM sees them.
//
//===----------------------------------------------------------------------===//

#include "Load/LoadModule.h"

#include "llvm/ADT/StringRef.h"

using namespace llvm;

namespace tileir::sim {

/// Takes a string with its quotes from the front of what is left of a file.
static StringRef takeString(StringRef &text) {
  const size_t end = std::min(text.find('"', 1), text.size() - 1);
  StringRef string = text.take_front(end + 1);
  text = text.drop_front(end + 1);
  return string;
}

/// Whether a string of LLVM IR has one of the characters, or its code.
static bool hasLongConstraint(StringRef string) {
  return string.contains("\\40") || string.contains_insensitive("\\5e") ||
         string.find_first_of("@^") != StringRef::npos;
}

StringRef findLongConstraint(StringRef text) {
  while (true) {
    text = text.substr(text.find_first_of(";\""));
    if (text.empty())
      return {};
    if (text.front() == ';') {
      text = text.drop_until([](char c) { return c == '\n'; });
      continue;
    }
    // The text of inline assembly, and behind a comma its constraints.
    takeString(text);
    StringRef next = text.ltrim();
    if (!next.consume_front(","))
      continue;
    next = next.ltrim();
    if (!next.starts_with("\""))
      continue;
    StringRef constraints = takeString(next);
    if (hasLongConstraint(constraints))
      return constraints;
    text = next;
  }
}

} // namespace tileir::sim
