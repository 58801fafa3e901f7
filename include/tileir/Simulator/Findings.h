//===- Findings.h - What the simulator holds against a kernel ---*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A finding is a fault of a kernel that was seen while it ran: it names the
// kernel, the source line, the block, warp and lane, and the address. Equal
// findings (same kind, same source line) are kept once, with a count.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_SIMULATOR_FINDINGS_H
#define TILEIR_SIMULATOR_FINDINGS_H

#include <array>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace tileir::sim {

/// A line of the source that a kernel was made from; line 0: not known.
struct SourceLocation {
  std::string file; ///< the path, as the debug information gives it
  uint32_t line = 0, column = 0;
  /// The function that the line is in, where that is known.
  std::string function;
  /// Where calls were inlined: the lines from the innermost one outwards. This
  /// line is one of them, the innermost that is not in a header of the system.
  /// Empty where nothing was inlined.
  std::vector<SourceLocation> stack;

  SourceLocation() = default;
  SourceLocation(std::string file, uint32_t line, uint32_t column = 0)
      : file(std::move(file)), line(line), column(column) {}

  /// "file:line:column", or "<unknown>".
  std::string str() const;
};

enum class FindingKind : uint8_t {
  OutOfBounds,          ///< an access outside every buffer it could mean
  Misaligned,           ///< an address that its access width does not divide
  ReadOnly,             ///< a store to constant or read-only memory
  SharedRace,           ///< shared accesses that nothing orders, one a write
  GlobalRace,           ///< global accesses of one launch that nothing orders
  UninitializedShared,  ///< a read of shared memory that was never written
  MissingWait,          ///< cp.async data used before its wait
  DivergentBarrier,     ///< a barrier or mma that a part of a warp reaches
  MismatchedBarrier,    ///< warps that disagree on a barrier's thread count
  MismatchedCollective, ///< shfl, vote, ... without all lanes that it names
  Deadlock,             ///< every warp waits, none can go on
  StepLimit,            ///< more steps than the limit: an endless loop?
  Trap,                 ///< llvm.trap, unreachable or a failed device assert
  DivisionByZero,       ///< an integer division by zero
  SharedUndefined,      ///< cp.async or ldmatrix outside shared memory
  SameValueStore,       ///< stores of one value that nothing orders
  UnorderedVolatile,    ///< volatile shared accesses that nothing orders
  SkippedBarrier,       ///< a barrier that threads went round, and returned
  UninitializedGlobal,  ///< a read of global memory that was never written
  UseAfterFree,         ///< an access of what a kernel or the host has freed
  InvalidFree,          ///< a free of what no malloc gave, or twice
  MissingFence,         ///< registers of wgmma, written without a wgmma.fence
  RegisterCount,        ///< setmaxnreg in the wrong direction
  BadDescriptor,        ///< a matrix descriptor with bits that mean nothing
  MBarrierMisuse,       ///< an mbarrier that is not there, overflows, ...
  InvalidCopy,          ///< a bulk or tensor copy against a rule
  MissingProxyFence,    ///< a store that a bulk copy or wgmma cannot see
  PhaseLapped,          ///< a phase that ends before the last one was seen
  BlockLifetime,        ///< shared memory of a block that may not run
  StackOverflow,        ///< recursion deeper than the stack
  EarlyReturn,          ///< a barrier of threads some of which have returned
  AtomicRead,           ///< a plain load of what others write by atomics
};

/// "out-of-bounds", "shared-race", ...: the name in reports and tests.
const char *getName(FindingKind kind);

/// What reports call a kernel: "ns::scale<float>" of a name that C++ mangled,
/// "@scale" of any other.
std::string getKernelLabel(const std::string &name);

/// All positions are 0-based. `message` is one line that says what was
/// expected, what was found, and which other access it conflicts with.
struct Finding {
  FindingKind kind = FindingKind::OutOfBounds;
  std::string kernel;
  SourceLocation location;
  std::array<uint32_t, 3> block = {0, 0, 0};
  uint32_t warp = 0, lane = 0;
  uint64_t address = 0; ///< as the kernel sees it
  std::string message;
  /// Where the other access (barrier, exit) is that the message names; line 0:
  /// there is none.
  SourceLocation other;
  uint64_t count = 1;    ///< how often it was seen at this line
  uint64_t launches = 1; ///< in how many launches, see mergeLaunches

  /// "error: file:1:2: kernel @k, block (0,0,0), warp 0, lane 3: out-of-bounds:
  /// ...", and a line for each call that was inlined:
  /// "note: file:1:2: inlined into 'k'".
  std::string str() const;
};

/// Makes one finding, the first, of those that several launches of a kernel
/// have at one line. `findings` are those of one launch after the other.
void mergeLaunches(std::vector<Finding> &findings);

/// Erases findings that the user does not want to see: by a suppression
/// "file:line", whose file may be the end of a path, or by a comment in the
/// source, "sim-suppress" or "sim-suppress(shared-race, ...)". The line is that
/// of a finding, of the other access that it names, or of a call that one of
/// them was inlined into.
void eraseSuppressed(std::vector<Finding> &findings,
                     const std::vector<std::string> &suppressions);

/// The findings of one launch, filled by several host threads.
class FindingLog {
public:
  /// Adds `finding`, found at instruction `instruction` of the program. What
  /// is found again at the same line (without lines: at the same instruction)
  /// is counted only. Of several blocks the one with the smallest index is
  /// kept, so that reports do not depend on the schedule.
  void add(uint32_t instruction, Finding finding);
  /// In order of instruction, then kind.
  std::vector<Finding> take();
  bool empty() const { return findings.empty(); }

private:
  /// The kind, and the file and line or else the instruction.
  using Cause = std::tuple<FindingKind, std::string, uint32_t>;
  struct Entry {
    uint32_t instruction;
    Finding finding;
  };

  std::mutex mutex;
  std::map<Cause, Entry> findings;
};

} // namespace tileir::sim

#endif // TILEIR_SIMULATOR_FINDINGS_H
