//===- SimulatorCountersTest.cpp ------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The log of findings under several threads, counts of a small program worked
// by hand, the table of chips against the guide's values written out again, and
// estimates of made-up counters.
//
//===----------------------------------------------------------------------===//

#include "Report/Summarize.h"
#include "tileir/Simulator/Report.h"

#include "gtest/gtest.h"

#include <atomic>
#include <set>
#include <thread>

using namespace tileir::sim;

namespace {

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

Finding makeFinding(FindingKind kind, std::array<uint32_t, 3> block,
                    uint32_t lane = 0) {
  Finding finding;
  finding.kind = kind;
  finding.kernel = "k";
  finding.location = {"a.mlir", 7, 3};
  finding.block = block;
  finding.warp = 1;
  finding.lane = lane;
  finding.message = "expected this, found that";
  return finding;
}

TEST(Findings, names) {
  std::set<std::string> names;
  for (unsigned i = 0; i <= unsigned(FindingKind::SharedUndefined); ++i)
    names.insert(getName(FindingKind(i)));
  EXPECT_EQ(names.size(), size_t(FindingKind::SharedUndefined) + 1);
  EXPECT_STREQ(getName(FindingKind::OutOfBounds), "out-of-bounds");
  EXPECT_STREQ(getName(FindingKind::SharedRace), "shared-race");
}

TEST(Findings, text) {
  Finding finding = makeFinding(FindingKind::Misaligned, {1, 2, 3}, 5);
  EXPECT_EQ(finding.str(),
            "error: a.mlir:7:3: kernel @k, block (1,2,3), warp 1, lane 5: "
            "misaligned: expected this, found that");
  finding.address = 0x1000010;
  finding.count = 32;
  EXPECT_EQ(finding.str(),
            "error: a.mlir:7:3: kernel @k, block (1,2,3), warp 1, lane 5: "
            "misaligned: expected this, found that; address 0x1000010; seen "
            "32 times");
  finding.message = "load at 0x1000010"; // an address is named once
  finding.count = 1;
  EXPECT_EQ(finding.str(),
            "error: a.mlir:7:3: kernel @k, block (1,2,3), warp 1, lane 5: "
            "misaligned: load at 0x1000010");
  EXPECT_EQ(SourceLocation().str(), "<unknown>");
  EXPECT_EQ((SourceLocation{"b.ll", 4, 0}).str(), "b.ll:4");
}

TEST(Findings, keepsFirstBlockOfEach) {
  FindingLog log;
  EXPECT_TRUE(log.empty());
  log.add(9, makeFinding(FindingKind::SharedRace, {2, 0, 0}, 4));
  log.add(9, makeFinding(FindingKind::SharedRace, {0, 1, 0}, 5)); // later
  log.add(9, makeFinding(FindingKind::SharedRace, {1, 0, 0}, 6)); // earlier
  log.add(9, makeFinding(FindingKind::SharedRace, {1, 0, 0}, 7)); // the same
  log.add(9, makeFinding(FindingKind::OutOfBounds, {3, 0, 0}, 8));
  log.add(2, makeFinding(FindingKind::Trap, {4, 0, 0}, 9));
  EXPECT_FALSE(log.empty());
  std::vector<Finding> findings = log.take();
  ASSERT_EQ(findings.size(), 3u);
  EXPECT_EQ(findings[0].kind, FindingKind::Trap);
  EXPECT_EQ(findings[1].kind, FindingKind::OutOfBounds);
  EXPECT_EQ(findings[2].kind, FindingKind::SharedRace);
  EXPECT_EQ(findings[2].lane, 6u);
  EXPECT_EQ(findings[2].count, 4u);
  EXPECT_EQ(findings[1].count, 1u);
  EXPECT_TRUE(log.empty());
  EXPECT_TRUE(log.take().empty());
}

TEST(Findings, doNotDependOnThreads) {
  // Thread t adds the findings of the blocks t, t + 4, ..., from the last on.
  constexpr uint32_t kThreads = 4, kBlocks = 3333, kInstructions = 7;
  for (unsigned round = 0; round < 5; ++round) {
    FindingLog log;
    std::atomic<uint32_t> started{0};
    std::vector<std::thread> threads;
    for (uint32_t t = 0; t < kThreads; ++t)
      threads.emplace_back([&, t] {
        for (++started; started < kThreads;)
          std::this_thread::yield();
        for (uint32_t i = kBlocks; i-- > 0;)
          for (uint32_t at = 0; at < kInstructions; ++at)
            if (i % kThreads == t && i >= at) {
              Finding finding =
                  makeFinding(FindingKind::GlobalRace, {i, 0, 0}, t);
              finding.location.line = at + 1;
              log.add(at, std::move(finding));
            }
      });
    for (std::thread &thread : threads)
      thread.join();
    std::vector<Finding> findings = log.take();
    ASSERT_EQ(findings.size(), kInstructions);
    for (uint32_t at = 0; at < kInstructions; ++at) {
      EXPECT_EQ(findings[at].block[0], at);
      EXPECT_EQ(findings[at].lane, at % kThreads);
      EXPECT_EQ(findings[at].count, kBlocks - at);
    }
  }
}

//===----------------------------------------------------------------------===//
// Counters
//===----------------------------------------------------------------------===//

TEST(Counters, opcodes) {
  EXPECT_STREQ(getInfo(Opcode::FFmaF32).name, "FFmaF32");
  EXPECT_EQ(getInfo(Opcode::FFmaF32).instrClass, InstrClass::Float32);
  EXPECT_EQ(getInfo(Opcode::FFmaF32).flops, 2);
  EXPECT_EQ(getInfo(Opcode::FAddF64).instrClass, InstrClass::Float64);
  EXPECT_EQ(getInfo(Opcode::FAddF64).flops, 1);
  EXPECT_EQ(getInfo(Opcode::FMulBF16).instrClass, InstrClass::Half);
  EXPECT_EQ(getInfo(Opcode::FNegF32).flops, 0);
  EXPECT_EQ(getInfo(Opcode::Exp2F32).instrClass, InstrClass::Special);
  EXPECT_EQ(getInfo(Opcode::Copy64).instrClass, InstrClass::Free);
  EXPECT_EQ(getInfo(Opcode::Mma).instrClass, InstrClass::Mma);
  EXPECT_STREQ(kOpcodes[kNumOpcodes - 1].name, "Mma");

  std::set<std::string> names;
  for (unsigned i = 0; i < kNumInstrClasses; ++i)
    names.insert(getName(InstrClass(i)));
  EXPECT_EQ(names.size(), kNumInstrClasses);
}

TEST(Counters, flopsOfMma) {
  auto flops = [](MmaShape shape, ElementType type, int m, int n, int k) {
    Mma mma;
    mma.shape = shape;
    mma.a = mma.b = type;
    mma.m = m, mma.n = n, mma.k = k;
    return getFlops(mma);
  };
  // A warp does four m8n8k4 of f16, one of f64.
  EXPECT_EQ(flops(MmaShape::M8N8K4, ElementType::F16, 8, 8, 4), 2048u);
  EXPECT_EQ(flops(MmaShape::M8N8K4, ElementType::F64, 8, 8, 4), 512u);
  EXPECT_EQ(flops(MmaShape::M16N8K16, ElementType::F16, 16, 8, 16), 4096u);
  EXPECT_EQ(flops(MmaShape::M16N8K8, ElementType::TF32, 16, 8, 8), 2048u);
  EXPECT_EQ(flops(MmaShape::M16N8K4, ElementType::TF32, 16, 8, 4), 1024u);
  EXPECT_EQ(flops(MmaShape::M8N8K16, ElementType::I8, 8, 8, 16), 2048u);
}

TEST(Counters, sumOfAccesses) {
  AccessCounters a{1, 2, 3, 4, 5, 6, 7}, b{10, 20, 30, 40, 50, 60, 70};
  a += b;
  EXPECT_EQ(a.warps, 11u);
  EXPECT_EQ(a.lanes, 22u);
  EXPECT_EQ(a.wavefronts, 33u);
  EXPECT_EQ(a.idealWavefronts, 44u);
  EXPECT_EQ(a.sectors, 55u);
  EXPECT_EQ(a.idealSectors, 66u);
  EXPECT_EQ(a.bytes, 77u);
  // Broadcasts need fewer passes than their bytes would.
  EXPECT_EQ(a.getConflicts(), 0u);
  EXPECT_EQ((AccessCounters{1, 32, 32, 1, 0, 0, 128}).getConflicts(), 31u);
}

/// Three basic blocks: the second is a loop that a part of the lanes enters.
class SummarizeTest : public testing::Test {
protected:
  uint32_t emit(Opcode opcode, uint32_t location, uint32_t extra = 0) {
    Instr instr;
    instr.opcode = opcode;
    instr.location = location;
    instr.extra = extra;
    program.code.push_back(instr);
    ++program.blocks.back().count;
    return program.code.size() - 1;
  }
  void startBlock() {
    program.blocks.push_back({uint32_t(program.code.size()), 0});
    emit(Opcode::Block, 0);
  }
  void emitAccess(Opcode opcode, uint32_t location, Space space,
                  uint8_t bytes) {
    Access access;
    access.opcode = opcode;
    access.space = space;
    access.bytes = bytes;
    access.isAtomic = opcode == Opcode::AtomicRmw;
    access.instr = emit(opcode, location, program.accesses.size());
    program.accesses.push_back(access);
  }

  void SetUp() override {
    program.kernel = "k";
    program.locations = {{},
                         {"b.mlir", 9, 1},
                         {"a.mlir", 5, 2},
                         {"a.mlir", 5, 8},
                         {"a.mlir", 6, 1}};
    program.staticSharedBytes = 100;
    program.sharedAlignment = 16;
    program.mmas.resize(2);
    program.mmas[1].shape = MmaShape::M16N8K8;
    program.mmas[1].a = ElementType::TF32;
    program.mmas[1].m = 16, program.mmas[1].n = 8, program.mmas[1].k = 8;

    startBlock();
    emit(Opcode::ReadSpecial, 1);
    emit(Opcode::CmpSLt32, 2);
    emit(Opcode::Branch, 2);
    startBlock();
    emitAccess(Opcode::Load, 2, Space::Global, 4);   // 0
    emitAccess(Opcode::Load, 3, Space::Generic, 16); // 1
    emit(Opcode::FFmaF32, 3);
    emit(Opcode::FMulF32, 3);
    emit(Opcode::Copy32, 3);
    emitAccess(Opcode::Store, 4, Space::Shared, 8); // 2
    emit(Opcode::Jump, 4);
    startBlock();
    emitAccess(Opcode::CpAsync, 4, Space::Shared, 16); // 3
    emit(Opcode::Mma, 1, 0);
    emit(Opcode::Mma, 1, 1);
    emit(Opcode::Barrier, 1);
    emitAccess(Opcode::AtomicRmw, 1, Space::Generic, 4); // 4: not executed
    emit(Opcode::Return, 0);

    launch.program = &program;
    launch.grid[0] = 2, launch.grid[1] = 3;
    launch.numBlocks = 6;
    launch.blockDim[0] = 48;
    workers.resize(2);
    for (Worker &worker : workers) {
      worker.accesses.resize(program.accesses.size());
      worker.accessSpace.resize(program.accesses.size());
    }
    workers[0].blockWarps = {8, 20, 8};
    workers[0].blockLanes = {250, 333, 250};
    workers[0].accesses[0] = {20, 333, 0, 0, 100, 50, 1332};
    workers[0].accesses[2] = {20, 333, 64, 40, 0, 0, 2664};
    workers[0].accesses[3] = {8, 250, 32, 31, 125, 124, 4000};
    workers[0].blockBarriers = 4;
    workers[0].warpsRun = 8;
    workers[1].blockWarps = {4, 5, 4};
    workers[1].blockLanes = {100, 77, 100};
    workers[1].accesses[0] = {5, 77, 0, 0, 10, 10, 308};
    workers[1].accesses[1] = {5, 77, 9, 8, 0, 0, 1232};
    workers[1].accessSpace[1] = InstrClass::Shared;
    workers[1].blockBarriers = 2;
    workers[1].warpsRun = 4;
  }

  Program program;
  Launch launch;
  std::vector<Worker> workers;
};

/// The first two of six blocks stand for all.
TEST_F(SummarizeTest, scales) {
  LaunchCounters all = summarize(launch, workers);
  launch.numBlocks = 2;
  LaunchCounters some = summarize(launch, workers);
  EXPECT_EQ(some.blocksRun, 2u);
  EXPECT_EQ(some.warps, 3 * all.warps);
  EXPECT_EQ(some.getWarpInstructions(), 3 * all.getWarpInstructions());
  EXPECT_EQ(some.flops, 3 * all.flops);
  EXPECT_EQ(some.shared.wavefronts, 3 * all.shared.wavefronts);
  EXPECT_EQ(some.global.sectors, 3 * all.global.sectors);
}

TEST_F(SummarizeTest, totals) {
  LaunchCounters c = summarize(launch, workers);
  EXPECT_EQ(c.kernel, "k");
  EXPECT_EQ(c.grid, (std::array<uint32_t, 3>{2, 3, 1}));
  EXPECT_EQ(c.block, (std::array<uint32_t, 3>{48, 1, 1}));
  EXPECT_EQ(c.warps, 12u);
  EXPECT_EQ(c.blockBarriers, 6u);
  EXPECT_EQ(c.sharedBytes, 100u);

  // 12 warps run the outer blocks, 25 the inner one.
  std::array<uint64_t, kNumInstrClasses> expected = {};
  auto of = [&](InstrClass i) -> uint64_t & { return expected[unsigned(i)]; };
  of(InstrClass::Free) = 12 + 3 * 25 + 12;
  of(InstrClass::Integer) = 2 * 12;
  of(InstrClass::Control) = 12 + 12;
  of(InstrClass::Global) = 25 + 12;
  of(InstrClass::Shared) = 2 * 25;
  of(InstrClass::Float32) = 2 * 25;
  of(InstrClass::AsyncCopy) = 12;
  of(InstrClass::Mma) = 2 * 12;
  of(InstrClass::Barrier) = 12;
  EXPECT_EQ(c.warpInstructions, expected);
  EXPECT_EQ(c.getWarpInstructions(), 9u * 12 + 5 * 25);
  EXPECT_EQ(c.threadInstructions, 9u * 350 + 5 * 410);

  EXPECT_EQ(c.mma, 24u);
  EXPECT_EQ(c.mmaFlops, 12u * 2048 + 12 * 2048);
  EXPECT_EQ(c.mmaTf32Flops, 12u * 2048);
  EXPECT_EQ(c.mma8Flops, 0u);
  EXPECT_EQ(c.flops, c.mmaFlops + 3 * 410);

  EXPECT_EQ(c.shared.warps, 20u + 8 + 5);
  EXPECT_EQ(c.shared.wavefronts, 64u + 32 + 9);
  EXPECT_EQ(c.shared.idealWavefronts, 40u + 31 + 8);
  EXPECT_EQ(c.shared.sectors, 0u);
  EXPECT_EQ(c.shared.bytes, 2664u + 4000 + 1232);
  EXPECT_EQ(c.global.warps, 20u + 5 + 8);
  EXPECT_EQ(c.global.sectors, 100u + 10 + 125);
  EXPECT_EQ(c.global.idealSectors, 50u + 10 + 124);
  EXPECT_EQ(c.global.wavefronts, 0u);
  EXPECT_EQ(c.global.lanes, 333u + 77 + 250);
  EXPECT_EQ(c.globalBytes, 235u * 32);
}

TEST_F(SummarizeTest, dynamicSharedIsAligned) {
  launch.dynamicSharedBytes = 10;
  EXPECT_EQ(summarize(launch, workers).sharedBytes, 122u);
}

TEST_F(SummarizeTest, accesses) {
  LaunchCounters c = summarize(launch, workers);
  ASSERT_EQ(c.accesses.size(), 4u);
  EXPECT_EQ(c.accesses[0].location.str(), "a.mlir:5:2");
  EXPECT_EQ(c.accesses[0].space, InstrClass::Global);
  EXPECT_EQ(c.accesses[0].width, 4u);
  EXPECT_EQ(c.accesses[0].counters.warps, 25u);
  EXPECT_EQ(c.accesses[0].counters.sectors, 110u);
  EXPECT_FALSE(c.accesses[0].isStore);
  EXPECT_EQ(c.accesses[1].space, InstrClass::Shared); // generic
  EXPECT_EQ(c.accesses[1].location.str(), "a.mlir:5:8");
  EXPECT_EQ(c.accesses[2].space, InstrClass::Shared);
  EXPECT_TRUE(c.accesses[2].isStore);
  EXPECT_EQ(c.accesses[2].counters.getConflicts(), 24u);
  EXPECT_EQ(c.accesses[3].space, InstrClass::AsyncCopy);
  EXPECT_EQ(c.accesses[3].width, 16u);
  EXPECT_EQ(c.accesses[3].counters.sectors, 125u);
  EXPECT_EQ(c.accesses[3].counters.wavefronts, 32u);

  std::swap(workers[0], workers[1]); // whichever met the space
  EXPECT_EQ(summarize(launch, workers).accesses[1].space, InstrClass::Shared);

  workers[0].accesses[4] = {1, 32, 0, 0, 32, 4, 128};
  c = summarize(launch, workers);
  ASSERT_EQ(c.accesses.size(), 5u);
  EXPECT_TRUE(c.accesses[4].isAtomic);
  EXPECT_FALSE(c.accesses[4].isStore);
}

TEST_F(SummarizeTest, lines) {
  LaunchCounters c = summarize(launch, workers);
  // The unknown one (Return), then by file and line; columns are merged.
  ASSERT_EQ(c.lines.size(), 4u);
  EXPECT_EQ(c.lines[0].location.str(), "<unknown>");
  EXPECT_EQ(c.lines[1].location.str(), "a.mlir:5");
  EXPECT_EQ(c.lines[2].location.str(), "a.mlir:6");
  EXPECT_EQ(c.lines[3].location.str(), "b.mlir:9");
  auto of = [&](unsigned line, InstrClass i) {
    return c.lines[line].warpInstructions[unsigned(i)];
  };
  EXPECT_EQ(of(1, InstrClass::Integer), 12u);
  EXPECT_EQ(of(1, InstrClass::Control), 12u);
  EXPECT_EQ(of(1, InstrClass::Global), 25u);
  EXPECT_EQ(of(1, InstrClass::Shared), 25u);
  EXPECT_EQ(of(1, InstrClass::Float32), 50u);
  EXPECT_EQ(of(1, InstrClass::Free), 0u);
  EXPECT_EQ(c.lines[1].threadInstructions, 2u * 350 + 4 * 410);
  EXPECT_EQ(c.lines[1].global.sectors, 110u);
  EXPECT_EQ(c.lines[1].shared.wavefronts, 9u);
  EXPECT_EQ(c.lines[2].global.sectors, 125u);
  EXPECT_EQ(c.lines[2].shared.wavefronts, 64u + 32);
  EXPECT_EQ(of(3, InstrClass::Mma), 24u);

  // Lines hold all that the totals hold.
  uint64_t instructions = 0, threads = 0, sectors = 0, wavefronts = 0;
  for (const LineSummary &line : c.lines) {
    for (uint64_t count : line.warpInstructions)
      instructions += count;
    threads += line.threadInstructions;
    sectors += line.global.sectors;
    wavefronts += line.shared.wavefronts;
  }
  EXPECT_EQ(instructions, c.getWarpInstructions());
  EXPECT_EQ(threads, c.threadInstructions);
  EXPECT_EQ(sectors, c.global.sectors);
  EXPECT_EQ(wavefronts, c.shared.wavefronts);
}

} // namespace
