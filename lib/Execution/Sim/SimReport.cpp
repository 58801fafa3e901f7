//===- SimReport.cpp - Report of the simulator on a run -------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Execution/Sim/SimReport.h"

#include "tileir/Simulator/Report.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/Support/Format.h"

using namespace llvm;
using namespace tileir;
using namespace tileir::execution;
using namespace tileir::runtime;

std::vector<sim::Finding> SimReport::getFindings() const {
  std::vector<sim::Finding> findings;
  for (const sim::LaunchResult &launch : launches)
    llvm::append_range(findings, launch.findings);
  sim::mergeLaunches(findings);
  return findings;
}

size_t SimReport::getNumFindings() const { return getFindings().size(); }

std::string SimReport::describeFindings() const {
  MapVector<StringRef, size_t> kinds;
  const std::vector<sim::Finding> findings = getFindings();
  for (const sim::Finding &finding : findings)
    ++kinds[sim::getName(finding.kind)];
  const size_t count = findings.size();
  std::string text;
  raw_string_ostream os(text);
  os << "the simulator found " << count << (count == 1 ? " fault" : " faults");
  StringRef before = " (";
  for (auto &[kind, number] : kinds) {
    os << before << number << ' ' << kind;
    before = ", ";
  }
  os << (kinds.empty() ? "" : ")");
  return text;
}

static json::Object toJSON(const CopyCount &copies) {
  return json::Object{{"count", copies.count}, {"bytes", copies.bytes}};
}

void SimReport::addTo(json::Object &report) const {
  json::Array counters, findings;
  uint64_t numSuppressed = 0;
  for (const sim::LaunchResult &launch : launches) {
    numSuppressed += launch.numSuppressed;
    counters.push_back(sim::toJSON(launch.counters, *chip));
  }
  for (const sim::Finding &finding : getFindings())
    findings.push_back(sim::toJSON(finding));
  report["chip"] = chip->name;
  report["launches"] = std::move(counters);
  report["copies"] = json::Object{{"to_device", ::toJSON(copies.toDevice)},
                                  {"to_host", ::toJSON(copies.toHost)},
                                  {"on_device", ::toJSON(copies.onDevice)}};
  report["findings"] = std::move(findings);
  report["suppressed"] = numSuppressed;
}

json::Value SimReport::toSarif() const { return sim::toSarif(getFindings()); }

/// "4x2x1".
static std::string toString(const std::array<uint32_t, 3> &sizes) {
  std::string text;
  raw_string_ostream(text) << sizes[0] << 'x' << sizes[1] << 'x' << sizes[2];
  return text;
}

static void printSummary(const sim::LaunchCounters &counters,
                         const machine::Gpu &chip, bool isInstrumented,
                         raw_ostream &os) {
  os << "launch " << sim::getKernelLabel(counters.kernel) << ", grid "
     << toString(counters.grid);
  if (counters.blocksRun < sim::getNumBlocks(counters.grid))
    os << " (from its first " << counters.blocksRun << " blocks)";
  os << ", block " << toString(counters.block) << ": "
     << counters.getWarpInstructions() << " warp instructions";
  if (isInstrumented) {
    if (counters.mma)
      os << ", " << counters.mma << " mma";
    if (counters.wgmma)
      os << ", " << counters.wgmma << " wgmma";
    os << ", " << counters.shared.getConflicts() << " bank conflicts, "
       << counters.global.sectors << " sectors (ideal "
       << counters.global.idealSectors << ')';
    machine::Estimate estimate = machine::estimate(counters, chip);
    if (!estimate.pipes.empty())
      os << ", estimate " << format("%.3g", estimate.microseconds) << " us on "
         << chip.name << " (" << estimate.pipes.front().pipe << ')';
  }
  os << '\n';
}

void SimReport::print(raw_ostream &os, bool asTables) const {
  for (const sim::LaunchResult &launch : launches)
    if (asTables)
      sim::printCounters(launch.counters, *chip, os);
    else
      printSummary(launch.counters, *chip, isInstrumented, os);
}

void SimReport::printFindings(raw_ostream &os) const {
  uint64_t numSuppressed = 0;
  for (const sim::LaunchResult &launch : launches)
    numSuppressed += launch.numSuppressed;
  for (const sim::Finding &finding : getFindings())
    os << finding.str() << '\n';
  if (numSuppressed)
    os << "note: " << numSuppressed
       << (numSuppressed == 1 ? " finding" : " findings") << " suppressed\n";
}

void SimReport::drawRoofline(raw_ostream &os) const {
  std::vector<sim::LaunchCounters> counters;
  for (const sim::LaunchResult &launch : launches)
    counters.push_back(launch.counters);
  sim::drawRoofline(counters, *chip, os);
}
