//===- Report.cpp ---------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Counters as tables for a terminal. A table makes its columns as wide as they
// need to be and shortens its first one, a place in a source, from the left
// until a line has at most 100 columns.
//
//===----------------------------------------------------------------------===//

#include "tileir/Simulator/Report.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"

#include <algorithm>

using namespace tileir::sim;
using llvm::formatv;
using llvm::StringRef;
using tileir::machine::Gpu;

constexpr size_t kMaxColumns = 100;
constexpr size_t kMaxLines = 10; // of the source

namespace {
class Table {
public:
  /// The first `numLeft` columns are aligned to the left, the others to the
  /// right.
  Table(std::vector<std::string> header, size_t numLeft)
      : numLeft(numLeft), rows{std::move(header)} {}
  void add(std::vector<std::string> row) { rows.push_back(std::move(row)); }
  bool isEmpty() const { return rows.size() == 1; }
  void print(llvm::raw_ostream &os) const;

private:
  size_t numLeft;
  std::vector<std::vector<std::string>> rows;
};
} // namespace

/// The end of `text`, in `width` columns.
static std::string keepEnd(StringRef text, size_t width) {
  if (text.size() <= width)
    return text.str();
  return ("..." + text.take_back(width - 3)).str();
}

void Table::print(llvm::raw_ostream &os) const {
  std::vector<size_t> widths(rows[0].size());
  for (const auto &row : rows)
    for (auto [width, cell] : llvm::zip(widths, row))
      width = std::max(width, cell.size());
  size_t others = 0;
  for (size_t width : llvm::drop_begin(widths))
    others += 2 + width;
  widths[0] = std::min(widths[0], kMaxColumns - std::min(others + 2, 88ul));
  for (const auto &row : rows) {
    os << "  " << llvm::left_justify(keepEnd(row[0], widths[0]), widths[0]);
    for (size_t i = 1; i < row.size(); ++i) {
      os << "  ";
      if (i < numLeft)
        os << llvm::left_justify(row[i], widths[i]);
      else
        os << llvm::right_justify(row[i], widths[i]);
    }
    os << "\n";
  }
}

//===----------------------------------------------------------------------===//
// Numbers
//===----------------------------------------------------------------------===//

static std::string fixed(double value, unsigned digits) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.*f", int(digits), value);
  return text;
}

/// Three significant digits.
static std::string significant(double value) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.3g", value);
  return text;
}

static double divide(double a, double b) { return b == 0 ? 0 : a / b; }

static std::string percent(double part, double whole) {
  return fixed(100 * divide(part, whole), 1) + "%";
}

static std::string extents(const std::array<uint32_t, 3> &e) {
  return formatv("{0}x{1}x{2}", e[0], e[1], e[2]);
}

/// Real over ideal; where nothing is needed, nothing is wasted.
static std::string ratio(uint64_t real, uint64_t ideal) {
  return ideal ? fixed(double(real) / ideal, 2) + "x" : "-";
}

//===----------------------------------------------------------------------===//
// Sections
//===----------------------------------------------------------------------===//

static void printSummary(const LaunchCounters &counters, const Gpu &chip,
                         llvm::raw_ostream &os) {
  uint64_t instructions = counters.getWarpInstructions();
  os << "kernel " << keepEnd(counters.kernel, 50) << " on " << chip.name << " ("
     << chip.product << ")\n";
  auto line = [&](StringRef name, const std::string &text) {
    os << "  " << llvm::left_justify(name, 14) << text << "\n";
  };
  line("launch", formatv("grid {0}, block {1}, {2} bytes of shared memory",
                         extents(counters.grid), extents(counters.block),
                         counters.sharedBytes));
  line("warps", formatv("{0}, with {1} block barriers", counters.warps,
                        counters.blockBarriers));
  line("instructions",
       formatv("{0} of warps, {1} of threads; {2} a warp, {3} lanes",
               instructions, counters.threadInstructions,
               fixed(divide(instructions, counters.warps), 1),
               fixed(divide(counters.threadInstructions, instructions), 1)));
  std::string work = formatv("{0} flops", counters.flops);
  if (counters.mma)
    work += formatv(", {0} of them in {1} mma",
                    percent(counters.mmaFlops, counters.flops), counters.mma);
  line("work", work);
  if (counters.shared.warps)
    line("shared",
         formatv("{0} wavefronts, ideal {1}: {2} conflicts",
                 counters.shared.wavefronts, counters.shared.idealWavefronts,
                 counters.shared.getConflicts()));
  if (counters.global.warps)
    line("global",
         formatv("{0} bytes in {1} sectors, ideal {2}; {3} flops a byte",
                 counters.globalBytes, counters.global.sectors,
                 counters.global.idealSectors,
                 fixed(divide(counters.flops, counters.globalBytes), 2)));
  if (counters.deviceBytes)
    line("device",
         formatv("{0} bytes; L2 has the others", counters.deviceBytes));
  line("host", formatv("{0} ms to run, {1} ms to decode",
                       fixed(1e3 * counters.seconds, 3),
                       fixed(1e3 * counters.decodeSeconds, 3)));
}

static void printMix(const LaunchCounters &counters, llvm::raw_ostream &os) {
  Table table({"instruction mix", "of warps", "share"}, 1);
  uint64_t all = counters.getWarpInstructions();
  for (unsigned i = 0; i < kNumInstrClasses; ++i) {
    uint64_t count = counters.warpInstructions[i];
    if (InstrClass(i) != InstrClass::Free && count)
      table.add(
          {getName(InstrClass(i)), std::to_string(count), percent(count, all)});
  }
  if (!table.isEmpty())
    table.print(os << "\n");
}

static const char *getKind(const AccessSummary &access) {
  if (access.space == InstrClass::AsyncCopy)
    return "copy";
  if (access.isAtomic)
    return "atomic";
  return access.isStore ? "store" : "load";
}

/// A place in a table: the file without its folder.
static std::string getPlace(const SourceLocation &location) {
  SourceLocation place = location;
  place.file = llvm::sys::path::filename(location.file).str();
  return place.str();
}

/// The accesses of one memory. `unit` is what it moves per pass; null: nothing
/// that is counted. An asynchronous copy is in the tables of both its sides.
static void printAccesses(const LaunchCounters &counters, InstrClass space,
                          const char *unit, uint64_t AccessCounters::*real,
                          uint64_t AccessCounters::*ideal,
                          llvm::raw_ostream &os) {
  std::vector<std::string> header = {formatv("{0} memory", getName(space)),
                                     "access", "bytes", "warps", "lanes"};
  if (unit)
    header.insert(header.end(), {unit, "ideal", "ratio"});
  Table table(std::move(header), 2);
  for (const AccessSummary &access : counters.accesses) {
    bool isCopy = access.space == InstrClass::AsyncCopy && unit;
    if (access.space != space && !isCopy)
      continue;
    const AccessCounters &c = access.counters;
    std::vector<std::string> row = {getPlace(access.location), getKind(access),
                                    std::to_string(access.width),
                                    std::to_string(c.warps),
                                    fixed(divide(c.lanes, c.warps), 1)};
    if (unit)
      row.insert(row.end(), {std::to_string(c.*real), std::to_string(c.*ideal),
                             ratio(c.*real, c.*ideal)});
    table.add(std::move(row));
  }
  if (!table.isEmpty())
    table.print(os << "\n");
}

/// Returns the work that a line gives the pipe, in the unit of that pipe.
static uint64_t getWork(const LineSummary &line, StringRef pipe) {
  auto ofClass = [&](InstrClass instrClass) {
    return line.warpInstructions[unsigned(instrClass)];
  };
  if (pipe == "tensor")
    return ofClass(InstrClass::Mma);
  if (pipe == "fma32")
    return ofClass(InstrClass::Float32) + ofClass(InstrClass::Half);
  if (pipe == "fma64")
    return ofClass(InstrClass::Float64);
  if (pipe == "special")
    return ofClass(InstrClass::Special);
  if (pipe == "integer")
    return ofClass(InstrClass::Integer);
  if (pipe == "shared")
    return line.shared.wavefronts;
  if (pipe == "global" || pipe == "l2")
    return line.global.sectors;
  if (pipe == "latency")
    return ofClass(InstrClass::AsyncCopy);
  return line.getWarpInstructions();
}

/// The lines that give most work to the pipe that binds. Nothing where no line
/// is known.
static void printLines(const LaunchCounters &counters, StringRef pipe,
                       llvm::raw_ostream &os) {
  std::vector<const LineSummary *> lines;
  uint64_t all = 0;
  bool isKnown = false;
  for (const LineSummary &line : counters.lines)
    if (uint64_t work = getWork(line, pipe)) {
      lines.push_back(&line);
      all += work;
      isKnown |= line.location.line != 0;
    }
  if (!isKnown)
    return;
  auto toKey = [&](const LineSummary *line) {
    return std::make_pair(getWork(*line, pipe), line->getWarpInstructions());
  };
  llvm::sort(lines, [&](const LineSummary *a, const LineSummary *b) {
    auto keyA = toKey(a), keyB = toKey(b);
    return keyA != keyB ? keyA > keyB : a < b; // the first in the source
  });
  Table table({"source line", "of " + pipe.str(), "of warps", "mma",
               "wavefronts", "sectors"},
              1);
  for (const LineSummary *line : llvm::ArrayRef(lines).take_front(kMaxLines))
    table.add(
        {getPlace(line->location), percent(getWork(*line, pipe), all),
         std::to_string(line->getWarpInstructions()),
         std::to_string(line->warpInstructions[unsigned(InstrClass::Mma)]),
         std::to_string(line->shared.wavefronts),
         std::to_string(line->global.sectors)});
  table.print(os << "\n");
  if (lines.size() > kMaxLines)
    os << "  and " << lines.size() - kMaxLines << " more\n";
}

static void printEstimate(const LaunchCounters &counters, const Gpu &chip,
                          const tileir::machine::Estimate &estimate,
                          llvm::raw_ostream &os) {
  if (estimate.microseconds == 0)
    return;
  Table table({"estimate", "microseconds", "of the longest"}, 1);
  for (const tileir::machine::PipeTime &pipe : estimate.pipes)
    if (pipe.microseconds > 0)
      table.add({pipe.pipe.str(), fixed(pipe.microseconds, 3),
                 percent(pipe.microseconds, estimate.microseconds)});
  table.print(os << "\n");
  os << "  bound by " << estimate.pipes[0].pipe << ", "
     << fixed(divide(counters.flops, 1e3 * estimate.microseconds), 1)
     << " Gflop/s; " << significant(estimate.waves) << " waves of blocks on "
     << chip.sms << " SMs\n";
}

void tileir::sim::printCounters(const LaunchCounters &counters, const Gpu &chip,
                                llvm::raw_ostream &os) {
  tileir::machine::Estimate e = estimate(counters, chip);
  printSummary(counters, chip, os);
  printMix(counters, os);
  printAccesses(counters, InstrClass::Shared, "wavefronts",
                &AccessCounters::wavefronts, &AccessCounters::idealWavefronts,
                os);
  printAccesses(counters, InstrClass::Global, "sectors",
                &AccessCounters::sectors, &AccessCounters::idealSectors, os);
  printAccesses(counters, InstrClass::Local, nullptr, nullptr, nullptr, os);
  printLines(counters, e.pipes[0].pipe, os);
  printEstimate(counters, chip, e, os);
}
