//===- CheckReports.cpp - Reports of failed run-time checks ---------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Runtime/CheckReports.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"

#include <atomic>

using namespace llvm;
using namespace tileir;
using namespace tileir::runtime;

static std::mutex activeCollectorMutex;
static std::atomic<CheckCollector *> activeCollector{nullptr};

extern "C" void tileirReportCheck(int64_t site, int64_t *, int64_t *aligned,
                                  int64_t offset, int64_t size,
                                  int64_t stride) {
  SmallVector<int64_t> values;
  for (int64_t i = 0; i < size; ++i)
    values.push_back(aligned[offset + i * stride]);
  if (CheckCollector *collector = activeCollector)
    collector->add(site, values);
}

CheckCollector::CheckCollector() : active(activeCollectorMutex) {
  activeCollector = this;
}

CheckCollector::~CheckCollector() { activeCollector = nullptr; }

void CheckCollector::add(int64_t site, ArrayRef<int64_t> values) {
  std::lock_guard<std::mutex> lock(mutex);
  auto isLess = [&] {
    if (site != leastSite)
      return site < leastSite;
    return std::lexicographical_compare(values.begin(), values.end(),
                                        leastValues.begin(), leastValues.end());
  };
  if (count++ == 0 || isLess()) {
    leastSite = site;
    leastValues.assign(values.begin(), values.end());
  }
}

std::string runtime::formatCheckMessage(ArrayRef<std::string> sites,
                                        int64_t site,
                                        ArrayRef<int64_t> values) {
  if (site < 0 || site >= static_cast<int64_t>(sites.size()))
    return ("check " + Twine(site) + " failed").str();
  std::string message;
  StringRef rest = sites[site];
  while (!rest.empty()) {
    // {number} is a value; other braces are text.
    size_t index;
    StringRef inside = rest;
    if (inside.consume_front("{") && !inside.consumeInteger(10, index) &&
        inside.consume_front("}") && index < values.size()) {
      message += std::to_string(values[index]);
      rest = inside;
    } else {
      message += rest.front();
      rest = rest.drop_front();
    }
  }
  return message;
}

std::optional<std::string>
CheckCollector::getMessage(ArrayRef<std::string> sites) {
  std::lock_guard<std::mutex> lock(mutex);
  if (count == 0)
    return std::nullopt;
  std::string message = formatCheckMessage(sites, leastSite, leastValues);
  if (count > 1)
    message += " (the first of " + std::to_string(count) + " failed checks)";
  return message;
}
