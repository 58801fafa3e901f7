//===- Findings.cpp -------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Names and texts of findings, and the log that host threads share. The log
// keeps one finding per instruction and kind: the one of the first block, so
// that two runs of a kernel that is wrong everywhere report the same place
// however its blocks were spread over threads.
//
//===----------------------------------------------------------------------===//

#include "tileir/Simulator/Findings.h"

#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"

#include <algorithm>

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
  }
  llvm_unreachable("every kind has a name");
}

std::string Finding::str() const {
  std::string text = formatv(
      "error: {0}: kernel @{1}, block ({2},{3},{4}), warp {5}, lane {6}: "
      "{7}: {8}",
      location.str(), kernel, block[0], block[1], block[2], warp, lane,
      getName(kind), message);
  std::string where = formatv("{0:x}", address);
  if (address && message.find(where) == std::string::npos)
    text += "; address " + where;
  if (count > 1)
    text += formatv("; seen {0} times", count);
  return text;
}

/// The order of blocks in a grid: x fastest.
static bool isBefore(const Finding &a, const Finding &b) {
  return std::lexicographical_compare(a.block.rbegin(), a.block.rend(),
                                      b.block.rbegin(), b.block.rend());
}

void FindingLog::add(uint32_t instruction, Finding finding) {
  std::lock_guard<std::mutex> lock(mutex);
  auto [place, isNew] = findings.try_emplace({instruction, finding.kind});
  Finding &kept = place->second;
  if (isNew) {
    kept = std::move(finding);
    return;
  }
  uint64_t count = kept.count + finding.count;
  // Within a block the order is that of execution: the first stays.
  if (isBefore(finding, kept))
    kept = std::move(finding);
  kept.count = count;
}

std::vector<Finding> FindingLog::take() {
  std::lock_guard<std::mutex> lock(mutex);
  std::vector<Finding> taken;
  taken.reserve(findings.size());
  for (auto &[key, finding] : findings)
    taken.push_back(std::move(finding));
  findings.clear();
  return taken;
}
