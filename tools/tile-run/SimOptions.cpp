//===- SimOptions.cpp - Options of --backend=sim --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "SimOptions.h"

using namespace llvm;
using namespace tileir;

cl::OptionCategory tileir::simCategory("tile-run options for --backend=sim");

static const std::string chipHelp =
    ("Chip to simulate (default: that of #nvvm.target or of the attribute "
     "target-cpu, else " +
     Twine(machine::kDefaultGpu) + ")")
        .str();
static cl::opt<std::string> chip("chip", cl::desc(chipHelp),
                                 cl::value_desc("sm_NN"), cl::cat(simCategory));
static cl::list<uint32_t>
    grid("grid", cl::CommaSeparated,
         cl::desc("Launch a kernel by itself, with so many blocks; with the "
                  "other backends a kernel of tiles, with so many programs"),
         cl::value_desc("x[,y[,z]]"), cl::cat(simCategory));
static cl::list<uint32_t> block("block", cl::CommaSeparated,
                                cl::desc("Threads of a block, for --grid"),
                                cl::value_desc("x[,y[,z]]"),
                                cl::cat(simCategory));
static cl::list<uint32_t>
    cluster("cluster", cl::CommaSeparated,
            cl::desc("Blocks of a thread block cluster, for --grid"),
            cl::value_desc("x[,y[,z]]"), cl::cat(simCategory));
static cl::opt<uint32_t>
    sharedBytes("shared-bytes",
                cl::desc("Bytes of dynamic shared memory, for --grid"),
                cl::cat(simCategory));
static cl::opt<unsigned>
    threads("sim-threads",
            cl::desc("Host threads that blocks run on (default: one a core)"),
            cl::init(0), cl::cat(simCategory));
static cl::opt<uint64_t> stepLimit(
    "step-limit",
    cl::desc("Warp instructions of a block after which it counts as endless "
             "(default: 2^32)"),
    cl::init(sim::SimulatorOptions().stepLimit), cl::cat(simCategory));
static cl::opt<bool>
    noInstrument("no-instrument",
                 cl::desc("Check bounds only: no races, no counts of "
                          "conflicts and sectors"),
                 cl::cat(simCategory));
static cl::opt<uint64_t> programs(
    "sim-programs",
    cl::desc("Run only so many blocks of a launch, the first ones, and count "
             "as if all were alike: for estimates, results are not complete"),
    cl::init(0), cl::value_desc("count"), cl::cat(simCategory));
static cl::opt<bool> sameValueStores(
    "sim-same-value-stores",
    cl::desc("Report stores of the same value to one address that nothing "
             "orders"),
    cl::cat(simCategory));
static cl::opt<bool> earlyReturns(
    "sim-early-returns",
    cl::desc("Report barriers of all threads that some threads do not come to, "
             "since they have returned, which CUDA allows"),
    cl::cat(simCategory));
static cl::opt<bool> atomicReads(
    "sim-atomic-reads",
    cl::desc("Report plain loads of what atomics of other blocks have written "
             "and nothing orders, also where their values are not just stored"),
    cl::cat(simCategory));
static cl::opt<uint64_t>
    stackBytes("sim-stack-bytes",
               cl::desc("Bytes of a thread's stack for functions that call "
                        "themselves (default: 65536)"),
               cl::init(sim::SimulatorOptions().stackBytes),
               cl::cat(simCategory));
static cl::opt<bool>
    leakCheck("sim-leak-check",
              cl::desc("Report memory of the device that a CUDA program has "
                       "not freed when it ends"),
              cl::cat(simCategory));
static cl::list<std::string>
    suppressions("sim-suppress", cl::CommaSeparated,
                 cl::desc("Leave out findings at these source lines, or in "
                          "calls that were inlined there"),
                 cl::value_desc("file:line[,...]"), cl::cat(simCategory));
static cl::opt<sim::MmaSums> mmaSums(
    "mma", cl::desc("How tensor cores add, on the simulator"),
    cl::values(clEnumValN(sim::MmaSums::Exact, "exact",
                          "exactly, rounded once (default)"),
               clEnumValN(sim::MmaSums::Hardware, "hardware",
                          "as the chip does it, as far as that is published")),
    cl::init(sim::MmaSums::Exact), cl::cat(simCategory));
static cl::opt<bool> counters("counters",
                              cl::desc("Print what was counted, as tables"),
                              cl::cat(simCategory));
static cl::opt<std::string> roofline("roofline",
                                     cl::desc("Draw the launches' roofline"),
                                     cl::value_desc("out.svg"),
                                     cl::cat(simCategory));

static cl::opt<std::string>
    sarif("sarif", cl::desc("Write the findings as SARIF, for editors and CI"),
          cl::value_desc("out.sarif"), cl::cat(simCategory));

static cl::opt<std::string>
    clang("clang",
          cl::desc("clang that compiles a .cu file (default: clang++-22 or "
                   "clang++ of PATH)"),
          cl::value_desc("path"), cl::cat(simCategory));
static cl::opt<std::string>
    cudaPath("cuda-path",
             cl::desc("CUDA toolkit, whose headers a .cu file needs (default: "
                      "$CUDA_PATH, $CUDA_HOME, /usr/local/cuda)"),
             cl::value_desc("folder"), cl::cat(simCategory));
static cl::list<std::string> clangArguments(
    "clang-arg", cl::desc("An argument for clang, such as -Iinclude or -DN=4"),
    cl::value_desc("argument"), cl::cat(simCategory));

/// A thread of any chip has no more local memory.
constexpr uint64_t kMostStackBytes = 512 << 10;

static Error readSizes(const cl::list<uint32_t> &option, StringRef condition,
                       std::array<uint32_t, 3> &sizes) {
  if (option.empty() || option.size() > 3)
    return createStringError("--" + option.ArgStr + ": expected 1 to 3 sizes" +
                             condition + ", found " + Twine(option.size()));
  sizes.fill(1);
  for (auto [i, size] : enumerate(option)) {
    if (size == 0)
      return createStringError("--" + option.ArgStr +
                               ": expected sizes of at least 1, found 0");
    sizes[i] = size;
  }
  return Error::success();
}

llvm::StringRef tileir::getChipOption() { return chip; }

Expected<SimOptions> tileir::getSimOptions(bool isSimulated) {
  for (auto &[name, option] : cl::getRegisteredOptions())
    if (!isSimulated && option != std::addressof(grid) &&
        option->getNumOccurrences() &&
        is_contained(option->Categories, &simCategory))
      return createStringError("--" + name +
                               ": expected --backend=sim with it");
  for (cl::opt<std::string> *option :
       {&chip, &roofline, &sarif, &clang, &cudaPath})
    if (option->getNumOccurrences() && option->empty())
      return createStringError("--" + option->ArgStr +
                               ": expected a value, found nothing");
  if (stepLimit == 0)
    return createStringError("--step-limit: expected at least 1, found 0");
  if (stackBytes == 0 || stackBytes > kMostStackBytes)
    return createStringError("--sim-stack-bytes: expected 1 to " +
                             Twine(kMostStackBytes) + ", found " +
                             Twine(stackBytes));

  if (programs.getNumOccurrences() && programs == 0)
    return createStringError("--sim-programs: expected at least 1, found 0");
  for (const std::string &suppression : suppressions) {
    auto [file, line] = StringRef(suppression).rsplit(':');
    unsigned number = 0;
    if (file.empty() || line.getAsInteger(10, number) || number == 0)
      return createStringError("--sim-suppress: expected file:line, found '" +
                               suppression + "'");
  }

  SimOptions options;
  options.chip = chip;
  options.simulator.threads = threads;
  options.simulator.stepLimit = stepLimit;
  options.simulator.instrument = !noInstrument;
  options.simulator.programs = programs;
  options.simulator.sameValueStores = sameValueStores;
  options.simulator.earlyReturns = earlyReturns;
  options.simulator.atomicReads = atomicReads;
  options.simulator.stackBytes = stackBytes;
  options.simulator.suppressions = suppressions;
  options.simulator.mma = mmaSums;
  options.leakCheck = leakCheck;
  options.counters = counters;
  options.roofline = roofline;
  options.sarif = sarif;
  options.cuda = {clang, cudaPath, clangArguments};
  if (grid.getNumOccurrences() || block.getNumOccurrences()) {
    StringRef condition = isSimulated ? " with --grid and --block" : "";
    if (Error error = readSizes(grid, condition, options.grid.emplace()))
      return std::move(error);
    // Kernels of tiles say themselves how many threads a program has.
    if (!isSimulated ||
        !(block.getNumOccurrences() || sharedBytes.getNumOccurrences() ||
          cluster.getNumOccurrences()))
      return options;
    sim::LaunchConfig &launch = options.launch.emplace();
    launch.grid = *options.grid;
    if (Error error = readSizes(block, condition, launch.block))
      return std::move(error);
    launch.dynamicSharedBytes = sharedBytes;
    if (cluster.getNumOccurrences()) {
      if (Error error = readSizes(cluster, condition, launch.cluster))
        return std::move(error);
      launch.nonPortableCluster = true;
    }
  } else if (sharedBytes.getNumOccurrences() || cluster.getNumOccurrences()) {
    return createStringError(Twine(sharedBytes.getNumOccurrences()
                                       ? "--shared-bytes"
                                       : "--cluster") +
                             ": expected --grid and --block with it");
  }
  return options;
}
