//===- Counters.cpp -------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of opcodes, and the summary of a launch. While a
// kernel runs, only executions of basic blocks are counted, in warps and in
// lanes, and what accesses do to banks and sectors. All other counts follow
// from these and the instructions of the blocks.
//
//===----------------------------------------------------------------------===//

#include "Report/Summarize.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/MathExtras.h"

#include <map>

using namespace tileir::sim;

const OpcodeInfo tileir::sim::kOpcodes[kNumOpcodes] = {
#define SIM_OP(name, instrClass, flops) {#name, InstrClass::instrClass, flops},
#include "Opcodes.def"
};

/// The instructions whose class is that of the space they access.
static bool isPlainAccess(Opcode opcode) {
  return opcode == Opcode::Load || opcode == Opcode::Store ||
         opcode == Opcode::AtomicRmw || opcode == Opcode::AtomicCmpXchg;
}

/// The class that an instruction is counted in: that of its opcode, or, for an
/// access, that of its space. `genericSpace` is the space that a generic access
/// met.
static InstrClass getClass(const Program &program, const Instr &instr,
                           InstrClass genericSpace) {
  InstrClass ofOpcode = getInfo(instr.opcode).instrClass;
  if (!isPlainAccess(instr.opcode))
    return ofOpcode;
  switch (program.accesses[instr.extra].space) {
  case Space::Shared:
    return InstrClass::Shared;
  case Space::Local:
    return InstrClass::Local;
  case Space::Cluster:
    return InstrClass::Shared;
  case Space::Generic:
    // An access that no lane made met no space.
    return genericSpace == InstrClass::Free ? ofOpcode : genericSpace;
  case Space::Global:
  case Space::Constant:
    return ofOpcode;
  }
  llvm_unreachable("every space has a class");
}

uint64_t tileir::sim::getFlops(const Mma &mma) {
  uint64_t flops = uint64_t(2) * mma.m * mma.n * mma.k;
  // m8n8k4 of f16 is one product for each of the four quad pairs of a warp.
  bool isPerQuadPair =
      mma.shape == MmaShape::M8N8K4 && mma.a == ElementType::F16;
  return isPerQuadPair ? 4 * flops : flops;
}

namespace {
/// The sums over all workers, and the summary that is made of them.
class Summary {
public:
  Summary(const Launch &launch, llvm::ArrayRef<Worker> workers);
  LaunchCounters take();

private:
  void addWorkers(llvm::ArrayRef<Worker> workers);
  void scale(uint64_t numBlocks, uint64_t numRun);
  void addInstruction(const Instr &instr, uint64_t warps, uint64_t lanes);
  void addProducts(ElementType type, uint64_t flops);
  void addAccess(uint32_t index);
  /// The line of a location of the program.
  LineSummary &getLine(uint32_t location);

  const Program &program;
  LaunchCounters counters;
  uint64_t sectorsOfWaves = 0, sectorsOfLaunch = 0;
  std::vector<uint64_t> blockWarps, blockLanes;
  std::vector<AccessCounters> accesses;
  std::vector<InstrClass> spaces; // that generic accesses met
  std::map<std::pair<std::string, uint32_t>, LineSummary> lines;
  std::vector<LineSummary *> lineOfLocation;
};
} // namespace

Summary::Summary(const Launch &launch, llvm::ArrayRef<Worker> workers)
    : program(*launch.program), blockWarps(program.blocks.size()),
      blockLanes(program.blocks.size()), accesses(program.accesses.size()),
      spaces(program.accesses.size(), InstrClass::Free),
      lineOfLocation(program.locations.size()) {
  counters.kernel = program.kernel;
  for (unsigned i = 0; i < 3; ++i) {
    counters.grid[i] = launch.grid[i];
    counters.block[i] = launch.blockDim[i];
  }
  counters.sharedBytes = program.staticSharedBytes;
  if (launch.dynamicSharedBytes)
    counters.sharedBytes =
        llvm::alignTo(counters.sharedBytes, program.sharedAlignment) +
        launch.dynamicSharedBytes;
  addWorkers(workers);
  counters.blocksRun = launch.numBlocks;
  scale(getNumBlocks(launch.grid), launch.numBlocks);
  // What L2 holds altogether, it holds from wave to wave.
  counters.deviceBytes =
      32 * (32 * sectorsOfLaunch <= launch.l2Bytes ? sectorsOfLaunch
                                                   : sectorsOfWaves);
}

void Summary::addWorkers(llvm::ArrayRef<Worker> workers) {
  for (const Worker &worker : workers) {
    counters.warps += worker.warpsRun;
    counters.blockBarriers += worker.blockBarriers;
    counters.roundTrips += worker.roundTrips;
    sectorsOfWaves += worker.sectorsOfWaves;
    sectorsOfLaunch += worker.sectorsOfLaunch;
    for (auto [sum, count] : llvm::zip(blockWarps, worker.blockWarps))
      sum += count;
    for (auto [sum, count] : llvm::zip(blockLanes, worker.blockLanes))
      sum += count;
    for (auto [sum, count] : llvm::zip(accesses, worker.accesses))
      sum += count;
    for (auto [space, met] : llvm::zip(spaces, worker.accessSpace))
      if (space == InstrClass::Free)
        space = met;
  }
}

/// From the counts of the blocks that ran to those of all.
void Summary::scale(uint64_t numBlocks, uint64_t numRun) {
  if (numBlocks == numRun)
    return;
  auto scaleOne = [&](uint64_t &count) {
    count = uint64_t((unsigned __int128)count * numBlocks / numRun);
  };
  for (uint64_t *count :
       {&counters.warps, &counters.blockBarriers, &counters.roundTrips,
        &sectorsOfWaves, &sectorsOfLaunch})
    scaleOne(*count);
  llvm::for_each(blockWarps, scaleOne);
  llvm::for_each(blockLanes, scaleOne);
  for (AccessCounters &counted : accesses)
    for (uint64_t *count : {&counted.warps, &counted.lanes, &counted.wavefronts,
                            &counted.idealWavefronts, &counted.sectors,
                            &counted.idealSectors, &counted.bytes})
      scaleOne(*count);
}

LineSummary &Summary::getLine(uint32_t location) {
  LineSummary *&line = lineOfLocation[location];
  if (!line) {
    const SourceLocation &from = program.locations[location];
    line = &lines[{from.file, from.line}];
    line->location.file = from.file;
    line->location.line = from.line;
  }
  return *line;
}

void Summary::addInstruction(const Instr &instr, uint64_t warps,
                             uint64_t lanes) {
  counters.flops += lanes * getInfo(instr.opcode).flops;
  if (instr.isPart)
    return;
  InstrClass instrClass = getClass(
      program, instr,
      isPlainAccess(instr.opcode) ? spaces[instr.extra] : InstrClass::Free);
  counters.warpInstructions[unsigned(instrClass)] += warps;
  if (instrClass == InstrClass::Free)
    return;
  counters.threadInstructions += lanes;
  LineSummary &line = getLine(instr.location);
  line.warpInstructions[unsigned(instrClass)] += warps;
  line.threadInstructions += lanes;
  if (instr.opcode == Opcode::Mma) {
    const Mma &mma = program.mmas[instr.extra];
    counters.mma += warps;
    addProducts(mma.a, warps * getFlops(mma));
  }
  if (instr.opcode == Opcode::Wgmma) {
    const Wgmma &mma = program.wgmmas[instr.extra];
    // Four warps are one instruction.
    const uint64_t flops = warps * 2 * 16 * mma.n * mma.k;
    counters.wgmma += warps;
    counters.wgmmaFlops += flops;
    const uint64_t operandRows = mma.n + (mma.aInRegisters ? 0 : 64);
    counters.wgmmaWavefronts += warps / 4 * operandRows * 32 / 128;
    addProducts(mma.a, flops);
  }
}

void Summary::addProducts(ElementType type, uint64_t flops) {
  counters.flops += flops;
  counters.mmaFlops += flops;
  if (type == ElementType::TF32)
    counters.mmaTf32Flops += flops;
  if (type == ElementType::F64)
    counters.mma64Flops += flops;
  // The tensor cores take bytes at one rate, integers or f8.
  if (type == ElementType::I8 || type == ElementType::U8 ||
      type == ElementType::E4M3 || type == ElementType::E5M2)
    counters.mma8Flops += flops;
}

void Summary::addAccess(uint32_t index) {
  const AccessCounters &counted = accesses[index];
  if (counted.warps == 0)
    return;
  const Access &access = program.accesses[index];
  const Instr &instr = program.code[access.instr];

  AccessSummary summary;
  summary.location = program.locations[instr.location];
  summary.space = getClass(program, instr, spaces[index]);
  summary.isStore = access.opcode == Opcode::Store ||
                    access.opcode == Opcode::StoreAsync ||
                    access.opcode == Opcode::StMatrix ||
                    access.opcode == Opcode::SurfaceStore;
  summary.isAtomic = access.isAtomic;
  summary.width = access.bytes;
  summary.counters = counted;
  counters.accesses.push_back(summary);
  if (access.opcode == Opcode::BulkCopy ||
      access.opcode == Opcode::StoreAsync ||
      access.opcode == Opcode::ReduceAsync)
    counters.bulkBytes += counted.bytes;

  // An asynchronous copy reads global and writes shared memory.
  bool isCopy = summary.space == InstrClass::AsyncCopy;
  LineSummary &line = getLine(instr.location);
  if (isCopy || summary.space == InstrClass::Shared) {
    AccessCounters part = counted;
    part.sectors = part.idealSectors = 0;
    counters.shared += part;
    line.shared += part;
  }
  if (isCopy || summary.space == InstrClass::Global) {
    AccessCounters part = counted;
    part.wavefronts = part.idealWavefronts = 0;
    counters.global += part;
    line.global += part;
  }
}

LaunchCounters Summary::take() {
  for (auto [block, warps, lanes] :
       llvm::zip(program.blocks, blockWarps, blockLanes)) {
    if (warps == 0)
      continue;
    for (uint32_t i = 0; i < block.count; ++i)
      addInstruction(program.code[block.first + i], warps, lanes);
  }
  std::map<uint32_t, uint32_t> order; // from instructions to accesses
  for (uint32_t index = 0; index < accesses.size(); ++index)
    order[program.accesses[index].instr] = index;
  for (auto [instr, index] : order)
    addAccess(index);
  counters.globalBytes = 32 * counters.global.sectors;
  for (auto &[key, line] : lines)
    counters.lines.push_back(std::move(line));
  return std::move(counters);
}

LaunchCounters tileir::sim::summarize(const Launch &launch,
                                      llvm::ArrayRef<Worker> workers) {
  return Summary(launch, workers).take();
}
