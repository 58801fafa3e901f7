//===- ReportSarif.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Findings as SARIF 2.1.0 (OASIS), which editors and code hosts show beside the
// source.
//
//===----------------------------------------------------------------------===//

#include "Report/JSONText.h"

#include "tileir/Simulator/Report.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

#include <set>

using namespace tileir::sim;
namespace json = llvm::json;

/// A path as a URI: of an absolute one "file:///...", else a relative one.
static std::string toUri(llvm::StringRef path) {
  std::string uri = path.starts_with("/") ? "file://" : "";
  for (unsigned char c : path)
    if (llvm::isAlnum(c) || llvm::StringRef("/-._~").contains(c))
      uri += c;
    else
      uri += llvm::formatv("%{0:X-2}", c).str();
  return uri;
}

static json::Object toLocation(const SourceLocation &at) {
  json::Object region{{"startLine", at.line}};
  if (at.column)
    region["startColumn"] = at.column;
  return json::Object{
      {"physicalLocation",
       json::Object{{"artifactLocation", json::Object{{"uri", toUri(at.file)}}},
                    {"region", std::move(region)}}}};
}

static json::Object toLocation(const SourceLocation &at,
                               const std::string &message) {
  json::Object location = toLocation(at);
  location["message"] = json::Object{{"text", toText(message)}};
  return location;
}

/// The innermost call first, as SARIF wants it.
static json::Object toStack(const SourceLocation &at,
                            const std::string &message) {
  json::Array frames;
  for (const SourceLocation &frame : at.stack)
    frames.push_back(
        json::Object{{"location", toLocation(frame, frame.function)}});
  return json::Object{{"message", json::Object{{"text", message}}},
                      {"frames", std::move(frames)}};
}

static json::Object toResult(const Finding &finding) {
  std::string text = llvm::formatv(
      "kernel {0}, block ({1},{2},{3}), warp {4}, lane {5}: {6}",
      getKernelLabel(finding.kernel), finding.block[0], finding.block[1],
      finding.block[2], finding.warp, finding.lane, finding.message);
  json::Object result{{"ruleId", getName(finding.kind)},
                      {"level", "error"},
                      {"message", json::Object{{"text", toText(text)}}},
                      {"occurrenceCount", finding.count}};
  if (finding.location.line)
    result["locations"] = json::Array{toLocation(finding.location)};
  if (finding.other.line)
    result["relatedLocations"] =
        json::Array{toLocation(finding.other, "the other access")};
  json::Array stacks;
  if (!finding.location.stack.empty())
    stacks.push_back(toStack(finding.location, "the access"));
  if (!finding.other.stack.empty())
    stacks.push_back(toStack(finding.other, "the other access"));
  if (!stacks.empty())
    result["stacks"] = std::move(stacks);
  return result;
}

json::Value tileir::sim::toSarif(llvm::ArrayRef<Finding> findings) {
  json::Array results, rules;
  std::set<llvm::StringRef> kinds;
  for (const Finding &finding : findings) {
    results.push_back(toResult(finding));
    if (kinds.insert(getName(finding.kind)).second)
      rules.push_back(json::Object{{"id", getName(finding.kind)}});
  }
  return json::Object{
      {"$schema",
       "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
       "sarif-schema-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs",
       json::Array{json::Object{
           {"tool", json::Object{{"driver",
                                  json::Object{{"name", "tile-run"},
                                               {"rules", std::move(rules)}}}}},
           {"results", std::move(results)}}}}};
}
