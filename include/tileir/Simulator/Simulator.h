//===- Simulator.h - Run GPU kernels on the host ----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A warp-accurate simulator of NVIDIA GPUs: it runs the LLVM IR of a kernel, as
// it goes to PTX, warp by warp in lock-step, finds faults (Findings.h) and
// counts what the machine would do (Counters.h). docs/simulator.md describes
// its model.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_SIMULATOR_SIMULATOR_H
#define TILEIR_SIMULATOR_SIMULATOR_H

#include "tileir/Simulator/Counters.h"
#include "tileir/Simulator/DeviceMemory.h"
#include "tileir/Simulator/Findings.h"
#include "tileir/Simulator/Texture.h"
#include "tileir/Target/Gpu/Gpu.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace tileir::sim {

class DeviceHeap;
struct Program;

/// How mma adds products: exactly, rounded once, or as the tensor cores of the
/// chip do it.
enum class MmaSums { Exact, Hardware };

struct SimulatorOptions {
  /// Host threads that blocks are run on; 0: one a core.
  unsigned threads = 0;
  /// Warp instructions that one block may execute before it counts as endless.
  uint64_t stepLimit = uint64_t(1) << 32;
  /// Races, uninitialised reads, bank conflicts, sectors: false runs the kernel
  /// with bounds checks only.
  bool instrument = true;
  /// Blocks that a launch runs, the first ones of the grid; what is counted is
  /// taken to be alike in the others. 0: all, as in cooperative launches.
  uint64_t programs = 0;
  /// Bytes a thread for the frames of functions that call themselves.
  uint64_t stackBytes = uint64_t(1) << 16;
  /// Reports stores of the same value to one address that nothing orders.
  bool sameValueStores = false;
  /// Reports barriers of all threads that some threads of the block do not come
  /// to, since they have returned: CUDA allows that.
  bool earlyReturns = false;
  /// Reports all plain loads of what atomics of other blocks have written and
  /// nothing orders, not only those whose value does no more than be stored:
  /// loops that only look for a hint are written so, too.
  bool atomicReads = false;
  /// "file:line": findings there are left out, see eraseSuppressed.
  std::vector<std::string> suppressions;
  /// Runs NVPTX's O2 pipeline before decoding. The load-store vectorizer always
  /// runs: it decides the widths of accesses.
  bool optimize = true;
  MmaSums mma = MmaSums::Exact;
  /// Gets what a launch printed by printf, in the order of blocks and threads;
  /// without it, standard output does.
  std::function<void(llvm::StringRef text)> print;
  /// Bytes that a launch may print; what is beyond them is counted.
  uint64_t printLimit = 1 << 20;
  /// Called with the fraction of the blocks done, at most twice a second.
  std::function<void(llvm::StringRef kernel, double fraction)> progress;
};

/// The size and kind of one argument of a kernel.
struct KernelArgument {
  uint32_t bytes = 0;
  bool isPointer = false;
  bool byval = false; ///< `bytes` are the pointee's; the kernel gets an address
  std::string type;   ///< as LLVM prints it
  /// The kernel may store to what it points at, or to what a pointer in it
  /// does.
  bool isStored = true;
};

/// A kernel of a loaded module.
struct Kernel {
  std::string name;
  std::vector<KernelArgument> arguments;
  uint32_t staticSharedBytes = 0;
  /// From nvvm.maxntid / nvvm.reqntid; 0: not given.
  uint32_t maxThreads = 0;
  std::array<uint32_t, 3> requiredBlock = {0, 0, 0};
  /// Blocks of a cluster, from nvvm.cluster_dim; 0: not given.
  std::array<uint32_t, 3> requiredCluster = {0, 0, 0};
  std::shared_ptr<Program> program;
  double decodeSeconds = 0;
};

struct LaunchConfig {
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  uint32_t dynamicSharedBytes = 0;
  /// All blocks are resident at once and may wait for each other.
  bool cooperative = false;
  /// Blocks of a cluster; 0: as the kernel says, or one.
  std::array<uint32_t, 3> cluster = {0, 0, 0};
  /// Allows clusters of up to 16 blocks, not 8.
  bool nonPortableCluster = false;
};

struct LaunchResult {
  LaunchCounters counters;
  std::vector<Finding> findings;
  uint64_t numSuppressed = 0; ///< findings that were left out
  bool aborted =
      false; ///< after a finding that the kernel could not go on from
};

/// What a module of NVPTX LLVM IR says before anything is done to it.
struct ModuleContents {
  std::vector<std::string> kernels; ///< their names, in order
  std::string chip;                 ///< the attribute target-cpu, or ""
};

/// Parses LLVM IR, text or bitcode, for NVPTX.
llvm::Expected<ModuleContents> readContents(llvm::MemoryBufferRef ir);

/// A module of NVPTX LLVM IR with its global variables in device memory.
class LoadedModule {
public:
  ~LoadedModule();
  /// The kernel `name`; an error lists the kernels there are.
  llvm::Expected<Kernel *> getKernel(llvm::StringRef name);
  std::vector<std::string> getKernelNames() const;
  /// The names of global variables in device memory, sorted.
  std::vector<std::string> getGlobalNames() const;
  /// The address of a global variable, as mgpuModuleGetGlobal gives it.
  llvm::Expected<void *> getGlobal(llvm::StringRef name);

private:
  friend class Simulator;
  LoadedModule();
  std::unique_ptr<llvm::LLVMContext> context;
  std::unique_ptr<llvm::Module> module;
  DeviceMemory *memory = nullptr;
  const machine::Gpu *chip = nullptr;
  llvm::StringMap<uint64_t> globals; ///< addresses of global variables
  llvm::StringMap<std::unique_ptr<Kernel>> kernels; ///< decoded on demand
};

/// Whether a file is PTX, by its name or its first words.
bool isPTX(llvm::MemoryBufferRef file);

class Simulator {
public:
  explicit Simulator(const machine::Gpu &chip, SimulatorOptions options = {});
  ~Simulator();

  /// Parses LLVM IR, text or bitcode, for NVPTX, and optimizes it as the
  /// options say; or PTX, which stays as it is. Errors name what cannot be
  /// simulated, with its location. If `kernel` is not empty, the module has
  /// this kernel alone.
  llvm::Expected<LoadedModule *> load(llvm::MemoryBufferRef ir,
                                      llvm::StringRef kernel = "");
  void unload(LoadedModule *module);

  /// Runs a kernel to its end. `arguments[i]` points at the i-th argument's
  /// `bytes` bytes. An error is a launch that the chip would refuse
  /// (dimensions, shared memory, number of arguments); faults of the kernel are
  /// findings.
  llvm::Expected<LaunchResult> launch(Kernel &kernel,
                                      const LaunchConfig &config,
                                      llvm::ArrayRef<const void *> arguments);

  DeviceMemory &getMemory() { return memory; }
  /// Texture and surface objects, whose handles kernels get.
  TextureTable &getTextures() { return textures; }
  /// Sets the bytes of the heap from which kernels allocate, 8 MiB at first.
  /// False: kernels have allocated already.
  bool setHeapLimit(uint64_t bytes);
  uint64_t getHeapLimit() const;
  /// The bytes of what kernels have allocated there and not freed, each.
  std::vector<uint64_t> getHeapAllocations() const;
  const machine::Gpu &getChip() const { return chip; }
  const SimulatorOptions &getOptions() const { return options; }

private:
  const machine::Gpu &chip;
  SimulatorOptions options;
  DeviceMemory memory;
  TextureTable textures;
  std::unique_ptr<DeviceHeap> heap;
  std::vector<std::unique_ptr<LoadedModule>> modules;
};

} // namespace tileir::sim

#endif // TILEIR_SIMULATOR_SIMULATOR_H
