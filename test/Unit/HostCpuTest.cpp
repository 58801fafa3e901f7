//===- HostCpuTest.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The table of CPUs, and which of them a program runs on.
//
//===----------------------------------------------------------------------===//

#include "tileir/Runtime/HostCpu.h"

#include "tileir/Dialect/Einsum/IR/Einsum.h"
#include "tileir/Dialect/Einsum/IR/Schedule.h"
#include "tileir/Target/Cpu/CpuFile.h"

#include "llvm/TargetParser/Host.h"
#include "gtest/gtest.h"

#include <fstream>

using namespace mlir;
using namespace tileir;
using namespace tileir::runtime;

namespace {

TEST(Cpu, EveryEntryIsAMachine) {
  MLIRContext context;
  context.loadDialect<einsum::EinsumDialect>();
  for (const machine::Cpu &cpu : machine::getCpus()) {
    SCOPED_TRACE(cpu.name);
    EXPECT_EQ(machine::findCpu(cpu.name), &cpu);
    EXPECT_EQ(llvm::cantFail(getCpu(cpu.name)).name, cpu.name);
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
    attachMachine(*module, cpu);
    // C++ makes attributes unverified; this is what the verifier asks.
    EXPECT_EQ(machine::findContradiction(cpu), "");
    EXPECT_EQ(einsum::MachineAttr::find(*module).getCpu(), cpu.name);
    EXPECT_EQ(einsum::MachineAttr::find(*module).getCosts(), cpu.costs);
  }
}

TEST(Cpu, WithoutAnAttributeItIsTheDefault) {
  MLIRContext context;
  context.loadDialect<einsum::EinsumDialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  EXPECT_EQ(einsum::MachineAttr::find(*module),
            einsum::MachineAttr::get(&context, machine::getDefaultCpu()));
}

TEST(Cpu, UnknownNamesListTheKnownOnes) {
  auto unknown = getCpu("z80");
  ASSERT_FALSE(bool(unknown));
  EXPECT_EQ(llvm::toString(unknown.takeError()),
            "unknown CPU 'z80': expected host, a file .json, or one of " +
                machine::getCpuNames());
  EXPECT_EQ(&machine::getNearestCpu("z80"), &machine::getDefaultCpu());
}

TEST(Cpu, UnknownOnesAreTakenForThoseBuiltAlike) {
  EXPECT_EQ(machine::findNearestCpu("emeraldrapids"),
            machine::findCpu("sapphirerapids"));
  EXPECT_EQ(machine::findNearestCpu("alderlake"), machine::findCpu("haswell"));
  EXPECT_EQ(machine::findNearestCpu("znver1"), machine::findCpu("znver2"));
  EXPECT_EQ(machine::findNearestCpu("znver3"), machine::findCpu("znver3"));
  EXPECT_EQ(machine::findNearestCpu("z80"), nullptr);
  EXPECT_EQ(&machine::getNearestCpu("emeraldrapids"),
            machine::findCpu("sapphirerapids"));
}

TEST(CpuFile, IsReadAsItIsWritten) {
  for (const machine::Cpu &cpu : machine::getCpus()) {
    SCOPED_TRACE(cpu.name);
    std::string text;
    llvm::raw_string_ostream os(text);
    machine::Cpu other = cpu;
    other.costs.tileCycles = 24.3;
    machine::printCpu(os, other);
    machine::Cpu read = llvm::cantFail(machine::parseCpu(text));
    EXPECT_EQ(read.name, cpu.name);
    EXPECT_EQ(read.costs.tileCycles, 24.3);
    EXPECT_TRUE(read.costs == other.costs);
    EXPECT_FALSE(read.costs == cpu.costs);
    for (const machine::NamedFigure &named : machine::getNamedFigures())
      EXPECT_EQ(read.*named.figure, cpu.*named.figure) << named.name.str();
    EXPECT_EQ(read.bf16, cpu.bf16);
    EXPECT_EQ(read.amx, cpu.amx);
  }
}

TEST(CpuFile, LeavesOutWhatTheNearestHas) {
  machine::Cpu cpu = llvm::cantFail(
      machine::parseCpu(R"({"cpu": "emeraldrapids", "l3": 4194304})"));
  const machine::Cpu &nearest = *machine::findCpu("sapphirerapids");
  EXPECT_EQ(cpu.name, "emeraldrapids");
  EXPECT_EQ(cpu.l3, 4 << 20);
  EXPECT_EQ(cpu.l2, nearest.l2);
  EXPECT_EQ(cpu.amx, nearest.amx);
}

TEST(CpuFile, TellsWhatIsWrong) {
  for (auto [text, message] : {
           std::pair("[]", "expected an object with 'cpu', a name of LLVM, "
                           "found []"),
           std::pair(R"({"l1": 4})", "expected an object with 'cpu', a name of "
                                     "LLVM, found {\"l1\":4}"),
           std::pair(R"({"cpu": "x", "l4": 1})",
                     "expected a name of '#einsum.machine', as 'vector_bits', "
                     "found 'l4'"),
           std::pair(R"({"cpu": "x", "l1": 1.5})",
                     "expected 'l1' to be an integer, found 1.5"),
           std::pair(R"({"cpu": "x", "amx": 1})",
                     "expected 'amx' to be true or false, found 1"),
           std::pair(R"({"cpu": "x", "costs": 1})",
                     "expected 'costs' to be an object, found 1"),
           std::pair(R"({"cpu": "x", "costs": {"speed": 1}})",
                     "expected a cost, as 'tile_cycles', found 'speed'"),
           std::pair(R"({"cpu": "x", "costs": {"uneven": "no"}})",
                     "expected 'uneven' to be a number, found \"no\""),
           std::pair(R"({"cpu": "x", "costs": {"uneven": -1}})",
                     "'x' expects 'uneven' to be a positive number, found "
                     "-1.000000"),
       }) {
    auto cpu = machine::parseCpu(text);
    ASSERT_FALSE(bool(cpu)) << text;
    EXPECT_EQ(llvm::toString(cpu.takeError()), message);
  }
  auto broken = machine::parseCpu("{");
  EXPECT_FALSE(bool(broken));
  llvm::consumeError(broken.takeError());
}

TEST(HostCpu, IsWhatLlvmAndTheSystemTell) {
  const machine::Cpu cpu = llvm::cantFail(getCpu(kHostCpu));
  auto features = llvm::sys::getHostCPUFeatures();
  // Guests with AMX may say that they are of an older processor.
  const machine::Cpu *told =
      machine::findNearestCpu(llvm::sys::getHostCPUName());
  bool isOlder = features.lookup("amx-tile") && !(told && told->amx);
  EXPECT_EQ(cpu.name, isOlder ? "sapphirerapids" : llvm::sys::getHostCPUName());
  EXPECT_EQ(cpu.amx, hasMatrixUnit());
  EXPECT_TRUE(!cpu.amx || features.lookup("amx-bf16"));
  EXPECT_EQ(cpu.vectorBits, features.lookup("avx512f") ? 512
                            : features.lookup("avx2")  ? 256
                                                       : 128);
  EXPECT_GE(cpu.cores, 1);
  if (const machine::Cpu *known = machine::findNearestCpu(cpu.name)) {
    EXPECT_EQ(cpu.fma, known->fma);
    EXPECT_EQ(cpu.latency, known->latency);
  }
}

TEST(HostCpu, HasTheCachesThatLinuxTellsOf) {
  const machine::Cpu cpu = llvm::cantFail(getCpu(kHostCpu));
  int64_t sizes[] = {0, cpu.l1, cpu.l2, cpu.l3};
  for (int index = 0; index < 8; ++index) {
    std::string folder = "/sys/devices/system/cpu/cpu0/cache/index" +
                         std::to_string(index) + "/";
    std::ifstream level(folder + "level"), type(folder + "type"),
        size(folder + "size");
    int number = 0;
    int64_t kilobytes = 0;
    std::string kind;
    if (level >> number && type >> kind && size >> kilobytes &&
        kind != "Instruction" && number <= 3)
      EXPECT_EQ(sizes[number], kilobytes << 10) << number;
  }
}

TEST(HostCpu, DoesNotReplaceAMachine) {
  MLIRContext context;
  context.loadDialect<einsum::EinsumDialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  attachMachine(*module, *machine::findCpu("haswell"));
  attachMachine(*module, getHostCpu());
  EXPECT_EQ(einsum::MachineAttr::find(*module).getCpu(), "haswell");
}

} // namespace
