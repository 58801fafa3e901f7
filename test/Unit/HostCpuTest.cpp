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

#include "llvm/TargetParser/Host.h"
#include "gtest/gtest.h"

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
    EXPECT_EQ(llvm::cantFail(getCpu(cpu.name)), &cpu);
    OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
    attachMachine(*module, cpu);
    // C++ makes attributes unverified; this is what the verifier asks.
    EXPECT_TRUE(llvm::isPowerOf2_64(cpu.vectorBits));
    for (int64_t figure : {cpu.registers, cpu.fma, cpu.latency, cpu.l1, cpu.l2,
                           cpu.l3, cpu.cores})
      EXPECT_GT(figure, 0);
    EXPECT_EQ(einsum::MachineAttr::find(*module).getCpu(), cpu.name);
    EXPECT_EQ(&einsum::MachineAttr::find(*module).getCosts(), &cpu.costs);
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
            "unknown CPU 'z80': expected host, or one of " +
                machine::getCpuNames());
  EXPECT_EQ(&machine::getCpuCosts("z80"), &machine::getDefaultCpu().costs);
}

TEST(Cpu, UnknownOnesAreTakenForThoseBuiltAlike) {
  EXPECT_EQ(machine::findNearestCpu("emeraldrapids"),
            machine::findCpu("sapphirerapids"));
  EXPECT_EQ(machine::findNearestCpu("alderlake"), machine::findCpu("haswell"));
  EXPECT_EQ(machine::findNearestCpu("znver1"), machine::findCpu("znver2"));
  EXPECT_EQ(machine::findNearestCpu("znver3"), machine::findCpu("znver3"));
  EXPECT_EQ(machine::findNearestCpu("z80"), nullptr);
  EXPECT_EQ(&machine::getCpuCosts("emeraldrapids"),
            &machine::findCpu("sapphirerapids")->costs);
}

TEST(HostCpu, IsWhatLlvmAndTheSystemTell) {
  const machine::Cpu &cpu = *llvm::cantFail(getCpu(kHostCpu));
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

TEST(HostCpu, DoesNotReplaceAMachine) {
  MLIRContext context;
  context.loadDialect<einsum::EinsumDialect>();
  OwningOpRef<ModuleOp> module = ModuleOp::create(UnknownLoc::get(&context));
  attachMachine(*module, *machine::findCpu("haswell"));
  attachMachine(*module, getHostCpu());
  EXPECT_EQ(einsum::MachineAttr::find(*module).getCpu(), "haswell");
}

} // namespace
