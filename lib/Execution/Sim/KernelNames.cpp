//===- KernelNames.cpp - The kernel that a name means ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Sim/KernelNames.h"

#include "tileir/Simulator/Findings.h"

#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/GlobPattern.h"

#include <cstdlib>

using namespace llvm;
using namespace tileir;
using namespace tileir::execution;

/// "scale" of "_ZN2ns5scaleIfEEvPT_"; "" of a name that is not mangled.
static std::string getBaseName(const std::string &mangled) {
  ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(mangled.c_str()) || !demangler.isFunction())
    return "";
  char *text = demangler.getFunctionBaseName(nullptr, nullptr);
  std::string name = text ? text : "";
  std::free(text);
  return name;
}

static bool isPattern(StringRef name) {
  return name.find_first_of("*?") != StringRef::npos;
}

static bool matches(const Candidate &candidate, StringRef name) {
  if (!isPattern(name))
    return name == getBaseName(candidate.name) ||
           name == sim::getKernelLabel(candidate.name) ||
           name == demangle(candidate.name);
  // What else a pattern can have is part of names in C++: [], {}, \.
  std::string escaped;
  for (char c : name)
    escaped += StringRef("[]{}\\").contains(c) ? std::string({'\\', c})
                                               : std::string(1, c);
  auto pattern = GlobPattern::create(escaped);
  if (!pattern) {
    consumeError(pattern.takeError());
    return false;
  }
  return pattern->match(demangle(candidate.name));
}

static raw_ostream &operator<<(raw_ostream &os, const Candidate &candidate) {
  if (!candidate.module.empty())
    os << '@' << candidate.module << "::";
  os << '@' << candidate.name;
  std::string demangled = demangle(candidate.name);
  return demangled == candidate.name ? os : os << " (" << demangled << ')';
}

Expected<Candidate> execution::chooseKernel(ArrayRef<Candidate> candidates,
                                            StringRef entry) {
  SmallVector<const Candidate *> found, matching;
  entry.consume_front("@");
  for (const Candidate &candidate : candidates) {
    StringRef name = entry;
    if (!candidate.module.empty() && name.consume_front(candidate.module) &&
        name.consume_front("::"))
      name.consume_front("@");
    else
      name = entry;
    if (entry.empty() || name == candidate.name)
      found.push_back(&candidate);
    else if (matches(candidate, name))
      matching.push_back(&candidate);
  }
  if (found.empty())
    found = matching;
  if (found.size() == 1)
    return *found.front();

  std::string all = candidates.empty() ? "it has none" : "it has ";
  raw_string_ostream os(all);
  interleaveComma(candidates, os,
                  [&](const Candidate &candidate) { os << candidate; });
  if (entry.empty())
    return createStringError("expected one kernel, or --entry to choose one; " +
                             all);
  if (found.empty())
    return createStringError("no such kernel '" + entry +
                             "': expected a kernel of the file; " + all);
  return createStringError(
      "several kernels are called '" + entry + "': expected " +
      (found.front()->module.empty() ? "a longer name" : "module::kernel") +
      " for --entry; " + all);
}
