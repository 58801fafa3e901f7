//===- ReportJSON.cpp -----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counters and findings as JSON. docs/simulator.md lists the keys; programs
// read them, so they stay as they are.
//
//===----------------------------------------------------------------------===//

#include "Report/JSONText.h"

#include "tileir/Simulator/Report.h"

using namespace tileir::sim;
using tileir::machine::Gpu;
namespace json = llvm::json;

static json::Array toArray(const std::array<uint32_t, 3> &extents) {
  return json::Array{extents[0], extents[1], extents[2]};
}

static void addLocation(json::Object &object, const SourceLocation &location) {
  object["file"] = toText(location.file);
  object["line"] = location.line;
  object["column"] = location.column;
}

/// A location with its function, and with the calls that were inlined.
static json::Object toObject(const SourceLocation &location) {
  json::Object object;
  addLocation(object, location);
  if (!location.function.empty())
    object["function"] = toText(location.function);
  return object;
}
static json::Array toStack(const SourceLocation &location) {
  json::Array stack;
  for (const SourceLocation &at : location.stack)
    stack.push_back(toObject(at));
  return stack;
}

static json::Object toObject(const AccessCounters &counters) {
  return json::Object{{"warps", counters.warps},
                      {"lanes", counters.lanes},
                      {"bytes", counters.bytes},
                      {"wavefronts", counters.wavefronts},
                      {"idealWavefronts", counters.idealWavefronts},
                      {"conflicts", counters.getConflicts()},
                      {"sectors", counters.sectors},
                      {"idealSectors", counters.idealSectors}};
}

static json::Object
toObject(const std::array<uint64_t, kNumInstrClasses> &byClass) {
  json::Object object;
  for (unsigned i = 0; i < kNumInstrClasses; ++i)
    if (InstrClass(i) != InstrClass::Free)
      object[getName(InstrClass(i))] = byClass[i];
  return object;
}

static json::Object toObject(const AccessSummary &access) {
  json::Object object = toObject(access.counters);
  addLocation(object, access.location);
  object["space"] = getName(access.space);
  object["store"] = access.isStore;
  object["atomic"] = access.isAtomic;
  object["width"] = access.width;
  return object;
}

static json::Object toObject(const LineSummary &line) {
  return json::Object{{"file", toText(line.location.file)},
                      {"line", line.location.line},
                      {"warpInstructions", toObject(line.warpInstructions)},
                      {"threadInstructions", line.threadInstructions},
                      {"shared", toObject(line.shared)},
                      {"global", toObject(line.global)}};
}

static json::Object toObject(const tileir::machine::Estimate &estimate) {
  json::Object pipes;
  for (const tileir::machine::PipeTime &pipe : estimate.pipes)
    pipes[pipe.pipe] = pipe.microseconds;
  return json::Object{{"microseconds", estimate.microseconds},
                      {"bound", estimate.pipes[0].pipe},
                      {"slack", estimate.slack},
                      {"waves", estimate.waves},
                      {"pipes", std::move(pipes)}};
}

json::Value tileir::sim::toJSON(const LaunchCounters &counters,
                                const Gpu &chip) {
  json::Array accesses, lines;
  for (const AccessSummary &access : counters.accesses)
    accesses.push_back(toObject(access));
  for (const LineSummary &line : counters.lines)
    lines.push_back(toObject(line));
  // Without an access of global memory there is no such ratio.
  json::Value intensity = nullptr;
  if (counters.globalBytes)
    intensity = double(counters.flops) / counters.globalBytes;
  return json::Object{{"kernel", toText(counters.kernel)},
                      {"chip", chip.name},
                      {"grid", toArray(counters.grid)},
                      {"blocksRun", counters.blocksRun},
                      {"block", toArray(counters.block)},
                      {"sharedBytes", counters.sharedBytes},
                      {"warps", counters.warps},
                      {"instructions", counters.getWarpInstructions()},
                      {"warpInstructions", toObject(counters.warpInstructions)},
                      {"threadInstructions", counters.threadInstructions},
                      {"blockBarriers", counters.blockBarriers},
                      {"mma", counters.mma},
                      {"wgmma", counters.wgmma},
                      {"wgmmaFlops", counters.wgmmaFlops},
                      {"wgmmaWavefronts", counters.wgmmaWavefronts},
                      {"flops", counters.flops},
                      {"mmaFlops", counters.mmaFlops},
                      {"mmaTf32Flops", counters.mmaTf32Flops},
                      {"mma8Flops", counters.mma8Flops},
                      {"mma64Flops", counters.mma64Flops},
                      {"shared", toObject(counters.shared)},
                      {"global", toObject(counters.global)},
                      {"globalBytes", counters.globalBytes},
                      {"deviceBytes", counters.deviceBytes},
                      {"bulkBytes", counters.bulkBytes},
                      {"roundTrips", counters.roundTrips},
                      {"flopsPerByte", std::move(intensity)},
                      {"accesses", std::move(accesses)},
                      {"lines", std::move(lines)},
                      {"estimate", toObject(estimate(counters, chip))},
                      {"hostSeconds", counters.seconds},
                      {"decodeSeconds", counters.decodeSeconds}};
}

json::Value tileir::sim::toJSON(const Finding &finding) {
  json::Object object{{"kind", getName(finding.kind)},
                      {"kernel", toText(finding.kernel)},
                      {"block", toArray(finding.block)},
                      {"warp", finding.warp},
                      {"lane", finding.lane},
                      {"address", finding.address},
                      {"message", toText(finding.message)},
                      {"count", finding.count},
                      {"launches", finding.launches}};
  addLocation(object, finding.location);
  object["stack"] = toStack(finding.location);
  if (finding.other.line) {
    json::Object other = toObject(finding.other);
    other["stack"] = toStack(finding.other);
    object["other"] = std::move(other);
  }
  return object;
}
