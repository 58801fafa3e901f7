//===- Findings.cpp -------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names and texts of findings, and the log that host threads share. The log
// keeps one finding per source line and kind: the one of the first block, so
// that two runs of a kernel that is wrong everywhere report the same place
// however its blocks were spread over threads.
//
//===----------------------------------------------------------------------===//

#include "tileir/Simulator/Findings.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <cstdlib>

using namespace tileir::sim;
using llvm::formatv;

std::string SourceLocation::str() const {
  if (line == 0)
    return "<unknown>";
  if (column == 0)
    return formatv("{0}:{1}", file, line);
  return formatv("{0}:{1}:{2}", file, line, column);
}

const char *tileir::sim::getName(FindingKind kind) {
  switch (kind) {
  case FindingKind::OutOfBounds:
    return "out-of-bounds";
  case FindingKind::Misaligned:
    return "misaligned";
  case FindingKind::ReadOnly:
    return "read-only";
  case FindingKind::SharedRace:
    return "shared-race";
  case FindingKind::GlobalRace:
    return "global-race";
  case FindingKind::UninitializedShared:
    return "uninitialized-shared";
  case FindingKind::MissingWait:
    return "missing-wait";
  case FindingKind::DivergentBarrier:
    return "divergent-barrier";
  case FindingKind::MismatchedBarrier:
    return "mismatched-barrier";
  case FindingKind::MismatchedCollective:
    return "mismatched-collective";
  case FindingKind::Deadlock:
    return "deadlock";
  case FindingKind::StepLimit:
    return "step-limit";
  case FindingKind::Trap:
    return "trap";
  case FindingKind::DivisionByZero:
    return "division-by-zero";
  case FindingKind::SharedUndefined:
    return "shared-undefined";
  case FindingKind::SameValueStore:
    return "same-value-store";
  case FindingKind::UnorderedVolatile:
    return "unordered-volatile";
  case FindingKind::SkippedBarrier:
    return "skipped-barrier";
  case FindingKind::UninitializedGlobal:
    return "uninitialized-global";
  case FindingKind::UseAfterFree:
    return "use-after-free";
  case FindingKind::InvalidFree:
    return "invalid-free";
  case FindingKind::MissingFence:
    return "missing-fence";
  case FindingKind::RegisterCount:
    return "register-count";
  case FindingKind::BadDescriptor:
    return "bad-descriptor";
  case FindingKind::MBarrierMisuse:
    return "mbarrier-misuse";
  case FindingKind::InvalidCopy:
    return "invalid-copy";
  case FindingKind::MissingProxyFence:
    return "missing-proxy-fence";
  case FindingKind::PhaseLapped:
    return "phase-lapped";
  case FindingKind::BlockLifetime:
    return "block-lifetime";
  case FindingKind::StackOverflow:
    return "stack-overflow";
  case FindingKind::EarlyReturn:
    return "early-return";
  case FindingKind::AtomicRead:
    return "atomic-read";
  }
  llvm_unreachable("every kind has a name");
}

/// The lines of the calls that were inlined at `place`, as notes.
static std::string describeCalls(const SourceLocation &place,
                                 const char *which) {
  std::string text;
  for (const SourceLocation &at : place.stack)
    text += formatv("\nnote: {0}: {1} '{2}'", at.str(),
                    &at == &place.stack.front() ? which : "inlined into",
                    at.function);
  return text;
}

std::string tileir::sim::getKernelLabel(const std::string &name) {
  llvm::ItaniumPartialDemangler demangler;
  if (demangler.partialDemangle(name.c_str()) || !demangler.isFunction())
    return "@" + name;
  char *text = demangler.getFunctionName(nullptr, nullptr);
  std::string label = text ? text : "@" + name;
  std::free(text);
  return label;
}

std::string Finding::str() const {
  std::string text = formatv(
      "error: {0}: kernel {1}, block ({2},{3},{4}), warp {5}, lane {6}: "
      "{7}: {8}",
      location.str(), getKernelLabel(kernel), block[0], block[1], block[2],
      warp, lane, getName(kind), message);
  std::string where = formatv("{0:x}", address);
  if (address && message.find(where) == std::string::npos)
    text += "; address " + where;
  if (count > 1)
    text += formatv("; seen {0} times", count);
  if (launches > 1)
    text += formatv(" in {0} launches", launches);
  text += describeCalls(location, "in");
  text += describeCalls(other, "the other access is in");
  return text;
}

void tileir::sim::mergeLaunches(std::vector<Finding> &findings) {
  using Cause = std::tuple<FindingKind, std::string, std::string, uint32_t>;
  std::map<Cause, size_t> first;
  std::vector<Finding> merged;
  for (Finding &finding : findings) {
    const SourceLocation &at = finding.location;
    auto [place, isNew] = first.try_emplace(
        Cause(finding.kind, finding.kernel, at.file, at.line), merged.size());
    if (isNew || at.line == 0) {
      merged.push_back(std::move(finding));
      continue;
    }
    merged[place->second].count += finding.count;
    merged[place->second].launches += finding.launches;
  }
  findings = std::move(merged);
}

/// The order of blocks in a grid: x fastest.
static bool isBefore(const Finding &a, const Finding &b) {
  return std::lexicographical_compare(a.block.rbegin(), a.block.rend(),
                                      b.block.rbegin(), b.block.rend());
}

void FindingLog::add(uint32_t instruction, Finding finding) {
  const SourceLocation &at = finding.location;
  Cause cause(finding.kind, at.line ? at.file : "",
              at.line ? at.line : instruction);
  std::lock_guard<std::mutex> lock(mutex);
  auto [place, isNew] =
      findings.try_emplace(std::move(cause), Entry{instruction, {}});
  Entry &kept = place->second;
  if (isNew) {
    kept.finding = std::move(finding);
    return;
  }
  uint64_t count = kept.finding.count + finding.count;
  // Within a block the order is that of execution: the first stays.
  if (isBefore(finding, kept.finding))
    kept = {instruction, std::move(finding)};
  kept.finding.count = count;
}

std::vector<Finding> FindingLog::take() {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<Entry> entries;
  for (auto &[cause, entry] : findings)
    entries.push_back(std::move(entry));
  findings.clear();
  llvm::sort(entries, [](const Entry &a, const Entry &b) {
    return std::tie(a.instruction, a.finding.kind) <
           std::tie(b.instruction, b.finding.kind);
  });
  std::vector<Finding> taken;
  for (Entry &entry : entries)
    taken.push_back(std::move(entry.finding));
  return taken;
}
