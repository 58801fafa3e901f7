//===- HostCpu.cpp - The CPU that a program runs on -----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM tells the CPU's name and features, the operating system its caches and
// cores; the table of CPUs has what no interface tells.
//
//===----------------------------------------------------------------------===//

#include "tileir/Runtime/HostCpu.h"

#include "tileir/Dialect/Einsum/IR/Einsum.h"
#include "tileir/Dialect/Einsum/IR/Schedule.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/Threading.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"

#include <cstdlib>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

using namespace tileir;
using namespace tileir::runtime;
using machine::Cpu;

/// Bytes of a cache, or `otherwise` where the system does not tell.
static int64_t getCacheSize(int name, int64_t otherwise) {
  long size = sysconf(name);
  return size > 0 ? size : otherwise;
}

/// Asks the system for the registers of AMX, which a process may use only after
/// that; threads that it starts, and processes that it forks, may as well.
static bool requestMatrixUnit() {
#if defined(__linux__) && defined(__x86_64__)
  constexpr int kRequestPermission = 0x1023, kTileData = 18; // of arch_prctl
  return syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0;
#else
  return false;
#endif
}

bool runtime::hasMatrixUnit() {
  static const bool hasUnit = [] {
    const auto features = llvm::sys::getHostCPUFeatures();
    return features.lookup("amx-bf16") && features.lookup("amx-int8") &&
           requestMatrixUnit();
  }();
  return hasUnit;
}

/// The CPU that LLVM finds, with the vectors that it has.
static Cpu detectProcessor() {
  llvm::StringRef name = llvm::sys::getHostCPUName();
  const Cpu *known = machine::findNearestCpu(name);
  // A guest may have less than its processor, and be told that it runs on an
  // older one.
  const auto features = llvm::sys::getHostCPUFeatures();
  auto has = [&](llvm::StringRef feature) { return features.lookup(feature); };
  if (has("amx-tile") && !(known && known->amx)) {
    known = machine::findCpu("sapphirerapids");
    name = known->name;
  }
  Cpu cpu = known ? *known : machine::getDefaultCpu();
  cpu.name = name.str();
  bool isWide = has("avx512f");
  cpu.vectorBits = isWide ? 512 : has("avx2") ? 256 : 128;
  cpu.registers = isWide || has("neon") ? 32 : 16;
  cpu.bf16 &= has("avx512bf16");
  cpu.amx = hasMatrixUnit();
  return cpu;
}

llvm::Expected<const Cpu *> runtime::getNamedHostCpu() {
  const char *name = std::getenv(kCpuVariable.data());
  if (!name || !*name)
    return nullptr;
  const Cpu *cpu = machine::findCpu(name);
  if (!cpu)
    return llvm::createStringError(kCpuVariable + ": expected one of " +
                                   machine::getCpuNames() + ", found '" + name +
                                   "'");
  const auto here = llvm::sys::getHostCPUFeatures();
  llvm::SmallVector<llvm::StringRef> features;
  if (llvm::X86::parseArchX86(name) != llvm::X86::CK_None)
    llvm::X86::getFeaturesForCPU(name, features);
  // Those of vectors; compiled code has no others that are rare.
  for (llvm::StringRef feature : features)
    if ((feature.starts_with("avx") || feature == "fma") &&
        !here.lookup(feature))
      return llvm::createStringError(
          kCpuVariable + ": expected a CPU whose " + "instructions " +
          llvm::sys::getHostCPUName() + " has, found '" + name +
          "', which has " + feature);
  return cpu;
}

static Cpu detectHostCpu() {
  // What is wrong with a name is told when code is to be made.
  auto named = getNamedHostCpu();
  Cpu cpu = named && *named ? **named : detectProcessor();
  llvm::consumeError(named.takeError());
  cpu.amx &= hasMatrixUnit();
  cpu.l1 = getCacheSize(_SC_LEVEL1_DCACHE_SIZE, cpu.l1);
  cpu.l2 = getCacheSize(_SC_LEVEL2_CACHE_SIZE, cpu.l2);
  cpu.l3 = getCacheSize(_SC_LEVEL3_CACHE_SIZE, cpu.l3);
  cpu.cores = llvm::hardware_concurrency().compute_thread_count();
  return cpu;
}

const Cpu &runtime::getHostCpu() {
  static const Cpu cpu = detectHostCpu();
  return cpu;
}

llvm::Expected<const Cpu *> runtime::getCpu(llvm::StringRef name) {
  if (name == kHostCpu)
    return &getHostCpu();
  if (const Cpu *cpu = machine::findCpu(name))
    return cpu;
  return llvm::createStringError("unknown CPU '" + name +
                                 "': expected host, or one of " +
                                 machine::getCpuNames());
}

void runtime::attachMachine(mlir::ModuleOp module, const Cpu &cpu) {
  if (module->hasAttr(einsum::kMachineAttr))
    return;
  if (!machine::findCpu(cpu.name)) {
    const Cpu *nearest = machine::findNearestCpu(cpu.name);
    mlir::remark::analysis(
        module.getLoc(),
        mlir::remark::RemarkOpts::name("attach-machine").category("einsum"))
        << mlir::remark::reason(
               "{0} is not in the table of CPUs: costs are those of {1}",
               cpu.name,
               nearest ? nearest->name : machine::getDefaultCpu().name);
  }
  // The module may have no einsum in it.
  module.getContext()->loadDialect<einsum::EinsumDialect>();
  module->setAttr(einsum::kMachineAttr,
                  einsum::MachineAttr::get(module.getContext(), cpu));
}
