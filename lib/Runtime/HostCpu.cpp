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
#include "tileir/Target/Cpu/CpuFile.h"

#include "mlir/IR/Remarks.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Threading.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/X86TargetParser.h"

#include <array>
#include <cstdlib>
#include <unistd.h>
#if defined(__linux__)
#include <sys/syscall.h>
#endif

using namespace tileir;
using namespace tileir::runtime;
using machine::Cpu;

/// The first line of a file of the system, or nothing.
static std::string readLine(const llvm::Twine &path) {
  auto buffer = llvm::MemoryBuffer::getFileAsStream(path);
  return buffer ? (*buffer)->getBuffer().split('\n').first.str() : "";
}

/// Sets the sizes and ways of the caches that Linux tells of. Not by sysconf:
/// on AMD's processors glibc takes the third caches of all cores together for
/// one.
static void setCaches(Cpu &cpu) {
  const std::string folder = "/sys/devices/system/cpu/cpu0/cache/index";
  for (int index = 0; index < 8; ++index) {
    const std::string cache = folder + std::to_string(index);
    if (readLine(cache + "/type") == "Instruction")
      continue;
    int level = 0, ways = 0;
    int64_t kilobytes = 0;
    llvm::StringRef(readLine(cache + "/level")).getAsInteger(10, level);
    llvm::StringRef(readLine(cache + "/ways_of_associativity"))
        .getAsInteger(10, ways);
    llvm::StringRef(readLine(cache + "/size")).consumeInteger(10, kilobytes);
    if (level < 1 || level > 3 || kilobytes <= 0)
      continue;
    int64_t bytes = kilobytes << 10;
    cpu.*std::array{&Cpu::l1, &Cpu::l2, &Cpu::l3}[level - 1] = bytes;
    if (ways > 0 && level < 3)
      cpu.costs.*(level == 1 ? &machine::CpuCosts::l1Way
                             : &machine::CpuCosts::l2Way) = bytes / ways;
  }
}

/// Sets what the system tells: the caches, the cores, and whether there is AMX.
static void setSystemFigures(Cpu &cpu) {
  setCaches(cpu);
  cpu.cores = llvm::hardware_concurrency().compute_thread_count();
  cpu.amx &= hasMatrixUnit();
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
  cpu.vnni = has(isWide ? "avx512vnni" : "avxvnni");
  cpu.amx = hasMatrixUnit();
  setSystemFigures(cpu);
  return cpu;
}

bool runtime::isOtherProcessor(const Cpu &cpu) {
  static const std::string here = detectProcessor().name;
  return cpu.name != here && cpu.name != machine::kDefaultCpu &&
         llvm::X86::parseArchX86(cpu.name) != llvm::X86::CK_None;
}

/// An error if this processor lacks instructions of `cpu`.
static llvm::Error checkInstructions(const Cpu &cpu) {
  const auto here = llvm::sys::getHostCPUFeatures();
  auto lacks = [&](llvm::StringRef feature) {
    return llvm::createStringError(
        kCpuVariable + ": expected a CPU whose instructions " +
        llvm::sys::getHostCPUName() + " has, found '" + cpu.name +
        "', which has " + feature);
  };
  if (cpu.vectorBits > detectProcessor().vectorBits)
    return lacks("vectors of " + std::to_string(cpu.vectorBits) + " bits");
  // A guest may lack some of those that its processor has.
  llvm::SmallVector<llvm::StringRef> features;
  if (isOtherProcessor(cpu))
    llvm::X86::getFeaturesForCPU(cpu.name, features);
  // Those of vectors; compiled code has no others that are rare.
  for (llvm::StringRef feature : features)
    if ((feature.starts_with("avx") || feature == "fma") &&
        !here.lookup(feature))
      return lacks(feature);
  return llvm::Error::success();
}

/// Whether a name is that of a file.
static bool isFile(llvm::StringRef name) { return name.ends_with(".json"); }

/// The CPU that kCpuVariable names, if it names one.
static llvm::Expected<std::optional<Cpu>> readNamedHostCpu() {
  const char *name = std::getenv(kCpuVariable.data());
  if (!name || !*name)
    return std::nullopt;
  Cpu cpu;
  if (isFile(name)) {
    auto read = machine::readCpuFile(name);
    if (!read)
      return llvm::createStringError(kCpuVariable + ": " +
                                     llvm::toString(read.takeError()));
    cpu = std::move(*read);
  } else if (const Cpu *known = machine::findCpu(name)) {
    cpu = *known;
    setSystemFigures(cpu);
  } else {
    return llvm::createStringError(kCpuVariable + ": expected one of " +
                                   machine::getCpuNames() +
                                   ", or a file .json, found '" + name + "'");
  }
  if (llvm::Error error = checkInstructions(cpu))
    return std::move(error);
  return cpu;
}

llvm::Expected<const Cpu *> runtime::getNamedHostCpu() {
  static std::string reason;
  static const std::optional<Cpu> named = [] {
    auto read = readNamedHostCpu();
    if (read)
      return *read;
    reason = llvm::toString(read.takeError());
    return std::optional<Cpu>();
  }();
  if (!reason.empty())
    return llvm::createStringError(reason);
  return named ? &*named : nullptr;
}

static Cpu detectHostCpu() {
  // What is wrong with a name is told when code is to be made.
  auto named = getNamedHostCpu();
  Cpu cpu = named && *named ? **named : detectProcessor();
  llvm::consumeError(named.takeError());
  return cpu;
}

const Cpu &runtime::getHostCpu() {
  static const Cpu cpu = detectHostCpu();
  return cpu;
}

llvm::Expected<Cpu> runtime::getCpu(llvm::StringRef name) {
  if (name == kHostCpu)
    return getHostCpu();
  if (isFile(name))
    return machine::readCpuFile(name);
  if (const Cpu *cpu = machine::findCpu(name))
    return *cpu;
  return llvm::createStringError("unknown CPU '" + name +
                                 "': expected host, a file .json, or one of " +
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
