//===- tile-run.cpp - Run a function of an .mlir file ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs one function on NumPy files or random arrays: by the reference
// interpreter, compiled for this CPU, or, with its kernels, on a GPU or on the
// simulator of GPUs, which also launches kernels by themselves. Checks one
// against the other. Exit status 0 only if the run, and the check where asked
// for, succeeded, and the simulator found no fault.
//
//===----------------------------------------------------------------------===//

#include "../Batch.h"
#include "../Programs.h"
#include "SimOptions.h"
#include "StandardOutput.h"
#include "TuneOptions.h"

#include "tileir/Execution/Bisect.h"
#include "tileir/Execution/Inputs.h"
#include "tileir/Execution/Program.h"
#include "tileir/Execution/Report.h"
#include "tileir/Execution/Sim/CudaProgram.h"
#include "tileir/Execution/Sim/SimKernel.h"
#include "tileir/Execution/TileKernel.h"
#include "tileir/Runtime/HostCpu.h"
#include "tileir/Runtime/NumPy.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

#include <chrono>
#include <cmath>

using namespace mlir;
using namespace tileir;
using namespace tileir::execution;
using namespace tileir::runtime;
namespace cl = llvm::cl;
using llvm::Error;
using llvm::Expected;

namespace {

cl::OptionCategory category("tile-run options");
cl::opt<std::string>
    inputFile(cl::Positional,
              cl::desc("<file.mlir, .c, .ttir, .ll, .bc, .ptx or .cu>"),
              cl::init("-"), cl::cat(category));
cl::opt<std::string>
    entryName("entry",
              cl::desc("Function to run (default: main, or the only one); with "
                       "--grid the kernel, or module::kernel"),
              cl::value_desc("name"), cl::cat(category));
enum class BackendName { Interp, Cpu, Sim, Cuda };
cl::opt<BackendName> backend(
    "backend", cl::desc("What runs it:"), cl::init(BackendName::Cpu),
    cl::values(clEnumValN(BackendName::Interp, "interp",
                          "the reference interpreter: slow, obviously right"),
               clEnumValN(BackendName::Cpu, "cpu",
                          "compiled in process for this CPU (default)"),
               clEnumValN(BackendName::Sim, "sim",
                          "host code for this CPU, kernels on a simulated "
                          "GPU"),
               clEnumValN(BackendName::Cuda, "cuda",
                          "host code for this CPU, kernels on an NVIDIA GPU")),
    cl::cat(category));
cl::opt<std::string> pipeline(
    "pipeline",
    cl::desc("Passes that lower the file for backend cpu (default: "
             "tile-to-cpu-pipeline if it has tile kernels, else "
             "einsum-to-cpu-pipeline), or its kernels for backends sim "
             "and cuda (default: gpu-to-nvvm-pipeline)"),
    cl::value_desc("name{options},..."), cl::cat(category));
cl::list<std::string>
    inputs("inputs", cl::CommaSeparated,
           cl::desc("The arguments, in order: NumPy files, zeros:4x4xf32, "
                    "nan:4xf16, random:8xi8, scalars as i32:5, f16:0.5; with "
                    "--grid pointers into arrays: offset:3:x.npy, same:0+64"),
           cl::value_desc("a.npy,b.npy,..."), cl::cat(category));
cl::opt<uint64_t> randomSeed(
    "random",
    cl::desc("Draw the arguments, or those that --inputs calls random, from "
             "this seed"),
    cl::value_desc("seed"), cl::cat(category));
cl::list<std::string> outputs(
    "outputs", cl::CommaSeparated,
    cl::desc("NumPy files to write: the results, then the memref arguments; "
             "with --grid the pointer arguments, where a name is not empty"),
    cl::value_desc("o.npy,..."), cl::cat(category));
cl::list<std::string>
    programArguments("args", cl::CommaSeparated,
                     cl::desc("Arguments of the main of a .cu file"),
                     cl::value_desc("argument,..."), cl::cat(simCategory));
cl::list<std::string> globals(
    "globals", cl::CommaSeparated,
    cl::desc("With --grid: what global variables of the kernel hold, such as "
             "__constant__ ones"),
    cl::value_desc("name=x.npy,..."), cl::cat(simCategory));
cl::list<std::string> moreSources(
    "sources", cl::CommaSeparated,
    cl::desc("More files of the program of a .cu file, CUDA C++ and C++"),
    cl::value_desc("a.cpp,b.cu,..."), cl::cat(simCategory));
cl::opt<std::string>
    check("check",
          cl::desc("Compare the results with those of the backend 'interp'"),
          cl::value_desc("interp"), cl::cat(category));
cl::opt<double> tolerance(
    "tolerance",
    cl::desc("Largest max|error| / max|reference| that --check accepts "
             "(default: by element type and length of the sums)"),
    cl::cat(category));
cl::opt<unsigned> repeat("repeat", cl::desc("Timed runs (default 1)"),
                         cl::init(1), cl::cat(category));
cl::opt<bool>
    flushL2("flush-l2",
            cl::desc("Before each kernel on a GPU, drive out what is in its "
                     "second cache: times are as with cold operands"),
            cl::cat(category));
cl::opt<bool> checked(
    "checked",
    cl::desc("Check tables and bounds in compiled code, as the interpreter "
             "always does"),
    cl::cat(category));
cl::opt<unsigned> optLevel(
    "opt-level",
    cl::desc("Level, 0 to 3, at which LLVM optimizes code for this CPU "
             "(default 3); at 0 neither does backend sim optimize kernels, and "
             "small programs are compiled in half the time"),
    cl::value_desc("level"), cl::init(3), cl::cat(category));
cl::opt<bool> verifyEach("verify-each", cl::desc("Verify after each pass"),
                         cl::cat(category));
cl::opt<bool> doBisect(
    "bisect",
    cl::desc("Run the interpreter after each pass of the pipeline and name the "
             "first after which the answer is another one"),
    cl::cat(category));
cl::opt<std::string> bisectPrefix(
    "bisect-prefix",
    cl::desc("Write the program before and after that pass to "
             "<prefix>-before.mlir and <prefix>-after.mlir (default: bisect)"),
    cl::value_desc("prefix"), cl::init("bisect"), cl::cat(category));
cl::list<std::string>
    passPlugins("load-pass-plugin",
                cl::desc("Libraries of passes for --pipeline"),
                cl::value_desc("library.so"), cl::cat(category));
cl::opt<std::string> reportFile("report", cl::desc("Write a report as JSON"),
                                cl::value_desc("out.json"), cl::cat(category));
cl::opt<std::string> printFile("print-file",
                               cl::desc("Where the program prints"),
                               cl::value_desc("out.txt"), cl::cat(category));
cl::opt<int64_t> injectFault(
    "inject-fault",
    cl::desc("Change this element of the first output before --check, to see "
             "the check fail"),
    cl::value_desc("element"), cl::init(-1), cl::Hidden, cl::cat(category));

cl::opt<std::string>
    cpuName("cpu",
            cl::desc("CPU that passes of backend cpu decide for, by its name "
                     "for LLVM (default: host, the one that this runs on); see "
                     "einsum-attach-machine"),
            cl::value_desc("name"), cl::init(kHostCpu.str()),
            cl::cat(category));

Error fail(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

StringRef getBackendName() {
  switch (backend) {
  case BackendName::Interp:
    return "interp";
  case BackendName::Cpu:
    return "cpu";
  case BackendName::Sim:
    return "sim";
  case BackendName::Cuda:
    return "cuda";
  }
  llvm_unreachable("all backends are listed");
}

/// Lines on stderr about a run, once it takes a while.
ProgressCallback showProgress(StringRef who) {
  using Clock = std::chrono::steady_clock;
  auto start = Clock::now();
  return [=, last = start](StringRef what, double fraction) mutable {
    auto now = Clock::now();
    if (now - start < std::chrono::seconds(3) ||
        now - last < std::chrono::seconds(2))
      return;
    last = now;
    llvm::errs() << llvm::formatv("[{0}] {1}: {2:P0}\n", who, what, fraction);
  };
}

BackendOptions getBackendOptions(StringRef name, const SimOptions &simOptions) {
  BackendOptions options;
  options.pipeline = pipeline;
  options.verifyEach = verifyEach;
  options.checked = checked;
  options.guarded = true;
  options.flushL2 = flushL2;
  options.cpu = cpuName;
  options.optLevel = *llvm::CodeGenOpt::getLevel(optLevel);
  options.chip = simOptions.chip;
  options.simulator = simOptions.simulator;
  options.progress = showProgress(name);
  return options;
}

std::optional<double> getTolerance() {
  return tolerance.getNumOccurrences() ? std::optional<double>(tolerance)
                                       : std::nullopt;
}

/// Compares with the backend that --check names.
Error runCheck(func::FuncOp entry, ArrayRef<NDArray> arguments,
               const RunResult &got, RunReport &report) {
  BackendOptions options;
  options.progress = showProgress(check);
  options.quiet = true;
  auto reference = createBackend(check, std::move(options));
  if (!reference)
    return reference.takeError();
  return checkAgainst(**reference, entry, arguments, got, getTolerance())
      .moveInto(report.check);
}

/// Writes a file, unless its name is empty.
Error writeFile(StringRef path,
                llvm::function_ref<void(llvm::raw_ostream &)> write) {
  if (path.empty())
    return Error::success();
  std::error_code error;
  llvm::raw_fd_ostream os(path, error);
  if (!error) {
    write(os);
    os.close();
    error = os.error();
    os.clear_error();
  }
  if (error)
    return fail("cannot write '" + path + "': " + error.message());
  return Error::success();
}

/// Writes a stage of a pipeline to a file, and tells of it.
Error writeStage(const PipelineStage &stage, StringRef which) {
  std::string path = (bisectPrefix + "-" + which + ".mlir").str();
  if (Error error = writeFile(path, [&](auto &os) { os << stage.text; }))
    return error;
  llvm::outs() << which << ": " << path << '\n';
  return Error::success();
}

Error runBisect(func::FuncOp entry, ArrayRef<NDArray> arguments) {
  auto cpu = getCpu(cpuName);
  if (!cpu)
    return cpu.takeError();
  attachMachine(entry->getParentOfType<ModuleOp>(), *cpu);
  std::string passes = pipeline;
  if (passes.empty())
    passes = getCpuPipeline(entry->getParentOfType<ModuleOp>(), checked);
  auto result = bisect(entry, passes, arguments, getTolerance(),
                       [](unsigned number, StringRef pass, StringRef verdict) {
                         if (verdict.empty())
                           llvm::errs()
                               << "[bisect] " << number << ' ' << pass << ": ";
                         else
                           llvm::errs() << verdict << '\n';
                       });
  if (!result)
    return result.takeError();
  if (result->firstDifferent) {
    Error error = fail(result->describe());
    error =
        joinErrors(std::move(error), writeStage(result->lastSame, "before"));
    error = joinErrors(std::move(error),
                       writeStage(*result->firstDifferent, "after"));
    llvm::outs() << "entry: " << entry.getName() << '\n';
    llvm::outs().flush(); // the error comes last
    return error;
  }
  llvm::outs() << "bisect: no pass changes the answer; " << result->numExecuted
               << " of " << result->numPasses << " passes executed\n";
  if (!result->unknownReason.empty())
    llvm::outs() << "after '" << result->unknownFrom
                 << "': " << result->unknownReason << '\n';
  return Error::success();
}

Error injectFaultInto(SmallVectorImpl<NDArray> &outputs) {
  if (outputs.empty() || injectFault >= outputs.front().getNumElements())
    return fail("--inject-fault: the first output has no such element");
  NDArray &output = outputs.front();
  if (isFloat(output.getKind()))
    output.setDouble(injectFault, output.getDouble(injectFault) * 1.5 + 1);
  else
    output.setInteger(injectFault, output.getInteger(injectFault) ^ 1);
  return Error::success();
}

Error writeOutputs(func::FuncOp entry, ArrayRef<NDArray> values,
                   bool mayLeaveOut) {
  if (outputs.empty())
    return Error::success();
  if (outputs.size() < entry.getNumResults() || outputs.size() > values.size())
    return fail("--outputs: expected " + llvm::Twine(entry.getNumResults()) +
                " files for the results of @" + entry.getName() +
                (values.size() > entry.getNumResults()
                     ? ", and up to " +
                           llvm::Twine(values.size() - entry.getNumResults()) +
                           " more for its memref arguments"
                     : "") +
                ", found " + llvm::Twine(outputs.size()));
  for (auto [path, value] : llvm::zip(outputs, values))
    if (!path.empty() || !mayLeaveOut)
      if (Error error = writeNumPy(path, value))
        return error;
  return Error::success();
}

/// Writes the files that tell of a run, and prints the rest. Fails where the
/// run was not right.
Error finish(const RunReport &report, const SimOptions &simOptions) {
  if (Error error = writeFile(reportFile, [&](llvm::raw_ostream &os) {
        os << llvm::formatv("{0:2}\n", report.toJSON());
      }))
    return error;
  if (report.sim) {
    if (Error error = writeFile(simOptions.roofline, [&](auto &os) {
          report.sim->drawRoofline(os);
        }))
      return error;
    if (Error error = writeFile(simOptions.sarif, [&](auto &os) {
          os << llvm::formatv("{0:2}\n", report.sim->toSarif());
        }))
      return error;
  }
  report.print(llvm::outs());
  size_t numFindings = 0;
  if (report.sim) {
    report.sim->print(llvm::outs(), simOptions.counters);
    llvm::outs().flush();
    report.sim->printFindings(llvm::errs());
    numFindings = report.sim->getNumFindings();
  }
  if (report.check && !report.check->passed)
    return fail("the check failed");
  if (numFindings > 0)
    return fail(report.sim->describeFindings());
  return Error::success();
}

/// Mistakes on the command line that need no file to be read.
Error checkOptions(const SimOptions &simOptions) {
  for (cl::opt<std::string> *option :
       {&entryName, &pipeline, &check, &bisectPrefix, &reportFile, &cpuName})
    if (option->getNumOccurrences() && option->empty())
      return fail("--" + option->ArgStr + ": expected a value, found nothing");
  if (backend == BackendName::Interp && !pipeline.empty() && !doBisect)
    return fail("--pipeline: expected --backend=cpu with it, the interpreter "
                "runs the file as it is");
  if (cpuName.getNumOccurrences() && backend != BackendName::Cpu && !doBisect)
    return fail("--cpu: expected --backend=cpu with it");
  if (!check.empty() && check != "interp")
    return fail("--check: expected 'interp', found '" + check + "'");
  if (!llvm::CodeGenOpt::getLevel(optLevel))
    return fail("--opt-level: expected 0 to 3, found " + llvm::Twine(optLevel));
  if (optLevel.getNumOccurrences() && backend == BackendName::Interp)
    return fail("--opt-level: expected another backend, the interpreter "
                "compiles nothing");
  if (flushL2 && backend != BackendName::Cuda)
    return fail("--flush-l2: expected --backend=cuda with it");
  if (repeat == 0)
    return fail("--repeat: expected at least 1 run, found 0");
  bool drawsInputs = llvm::any_of(
      inputs, [](StringRef item) { return item.starts_with("random:"); });
  if (inputs.getNumOccurrences() && randomSeed.getNumOccurrences() &&
      !drawsInputs)
    return fail("--inputs and --random: expected one of them, found both");
  if (checked && backend == BackendName::Sim)
    return fail("--checked: expected another backend, the simulator always "
                "checks kernels");
  if (checked && backend == BackendName::Cuda)
    return fail("--checked: expected another backend, kernels on a GPU are not "
                "checked; --backend=sim always checks them");
  if (checked && !pipeline.empty())
    return fail("--checked belongs to the default pipeline: with --pipeline "
                "give it the option checks=all instead");
  if (tolerance.getNumOccurrences() &&
      !(tolerance >= 0 && std::isfinite(tolerance)))
    return fail("--tolerance: expected a finite number that is not negative, "
                "found " +
                llvm::formatv("{0}", double(tolerance)).str());
  if (tolerance.getNumOccurrences() && check.empty() && !doBisect)
    return fail("--tolerance: expected --check or --bisect with it");
  if (bisectPrefix.getNumOccurrences() && !doBisect)
    return fail("--bisect-prefix: expected --bisect with it");
  if (doBisect &&
      (!check.empty() || !reportFile.empty() || outputs.getNumOccurrences()))
    return fail("--bisect runs no backend: expected it without --check, "
                "--outputs and --report");
  if ((backend == BackendName::Sim || backend == BackendName::Cuda) && doBisect)
    return fail("--bisect runs the interpreter, which knows no kernels: "
                "expected it without --backend=sim and --backend=cuda");
  if (simOptions.launch && (!check.empty() || injectFault >= 0))
    return fail("--check compares functions: expected it without --grid");
  return Error::success();
}

Expected<SmallVector<NDArray>> getArguments(func::FuncOp entry) {
  if (inputs.getNumOccurrences() || entry.getNumArguments() == 0)
    return readInputs(entry, inputs, randomSeed);
  if (randomSeed.getNumOccurrences())
    return drawInputs(entry, randomSeed);
  return fail("@" + entry.getName() + " has " +
              llvm::Twine(entry.getNumArguments()) +
              " arguments: give --inputs=a.npy,... or --random=seed");
}

/// Runs `entry` as the options say.
Error run(func::FuncOp entry, ArrayRef<NDArray> arguments,
          const SimOptions &simOptions) {
  if (doBisect)
    return runBisect(entry, arguments);
  StringRef name = getBackendName();
  auto runner = createBackend(name, getBackendOptions(name, simOptions));
  if (!runner)
    return runner.takeError();
  RunReport report = startReport(entry, name);
  report.file = inputFile;
  auto executable = (*runner)->compile(entry);
  if (!executable)
    return executable.takeError();
  if (check.empty())
    if (Error error = lockMeasurement(MeasureLock::Alone))
      return error;
  auto result =
      measurePrinting(printFile, **executable, arguments, repeat, report);
  if (!result)
    return result.takeError();
  if (injectFault >= 0)
    if (Error error = injectFaultInto(result->outputs))
      return error;
  if (!check.empty())
    if (Error error = runCheck(entry, arguments, *result, report))
      return error;
  if (Error error = writeOutputs(entry, result->outputs,
                                 /*mayLeaveOut=*/simOptions.grid.has_value()))
    return error;
  return finish(report, simOptions);
}

/// Runs a function of `module`.
Error run(ModuleOp module, const SimOptions &simOptions) {
  if (backend == BackendName::Sim && module.getOps<func::FuncOp>().empty())
    return fail("the file has no host function: expected --grid and --block, "
                "to launch a kernel");
  auto entry = findEntry(module, entryName);
  if (!entry)
    return entry.takeError();
  if (Error error = prepareProgram(*entry))
    return error;
  auto arguments = getArguments(*entry);
  if (!arguments)
    return arguments.takeError();
  return run(*entry, *arguments, simOptions);
}

/// Launches a tile kernel of `module` on the grid that the options give.
Error runTileKernel(ModuleOp module, const SimOptions &simOptions) {
  auto launch =
      addLaunch(module, entryName, *simOptions.grid, inputs, randomSeed);
  if (!launch)
    return launch.takeError();
  if (Error error = prepareProgram(launch->host))
    return error;
  return run(launch->host, launch->arguments, simOptions);
}

/// Launches a kernel of `program`, LLVM IR or a module, by itself.
template <typename Program>
Error runKernel(Program program, const SimOptions &simOptions) {
  auto kernel = SimKernel::load(program, entryName, *simOptions.launch,
                                getBackendOptions("sim", simOptions));
  if (!kernel)
    return kernel.takeError();
  if (Error error = (*kernel)->setGlobals(globals, randomSeed))
    return error;
  auto arguments = (*kernel)->readArguments(inputs, randomSeed);
  if (!arguments)
    return arguments.takeError();
  RunReport report;
  report.file = inputFile;
  report.entry = (*kernel)->getName().str();
  report.backend = "sim";
  auto result =
      measurePrinting(printFile, **kernel, *arguments, repeat, report);
  if (!result)
    return result.takeError();
  if (outputs.size() > result->outputs.size())
    return fail("--outputs: expected up to " +
                llvm::Twine(result->outputs.size()) +
                " files for the pointer arguments of @" + report.entry +
                ", found " + llvm::Twine(outputs.size()));
  for (auto [path, value] : llvm::zip(outputs, result->outputs))
    if (!path.empty())
      if (Error error = writeNumPy(path, value))
        return error;
  return finish(report, simOptions);
}

/// Reports on a CUDA program.
Error finishProgram(CudaOutcome outcome, const SimOptions &simOptions) {
  RunReport report;
  report.file = inputFile;
  report.entry = "main";
  report.backend = "sim";
  report.seconds = {outcome.seconds};
  report.sim = std::move(outcome.sim);
  if (!simOptions.leakCheck)
    outcome.leaks.clear();
  for (const std::string &leak : outcome.leaks)
    llvm::WithColor::error(llvm::errs()) << "leak: " << leak << '\n';
  if (Error error = finish(report, simOptions))
    return error;
  if (!outcome.signal.empty())
    return fail("the program ended by a signal: " + outcome.signal);
  if (!outcome.leaks.empty())
    return fail("the program left " + llvm::Twine(outcome.leaks.size()) +
                " allocations that it did not free");
  if (outcome.status != 0)
    return fail("the program ended with status " + llvm::Twine(outcome.status));
  if (outcome.hasFailed)
    return fail("a call of the CUDA runtime failed");
  return Error::success();
}

/// Tells of an error; the exit status.
int exitOn(Error error) {
  if (!error)
    return 0;
  llvm::WithColor::error(llvm::errs(), "tile-run")
      << llvm::toString(std::move(error)) << '\n';
  return 1;
}

/// Runs a program in CUDA C++, or launches one of its kernels by itself.
Error runCuda(SimOptions simOptions) {
  if (backend != BackendName::Sim)
    return fail("'" + inputFile + "' is CUDA C++: expected --backend=sim");
  if (simOptions.chip.empty())
    simOptions.chip = machine::kDefaultGpu.str();
  if (simOptions.grid && !simOptions.launch)
    return fail("--block: expected 1 to 3 sizes with --grid, to launch a "
                "kernel that is none of tiles, found 0");
  if (!simOptions.launch) {
    if (!printFile.empty())
      return fail("--print-file: expected --grid with it, found a program, "
                  "which prints by itself");
    SmallVector<std::string> arguments{inputFile};
    llvm::append_range(arguments, programArguments);
    SmallVector<std::string> sources{inputFile};
    llvm::append_range(sources, moreSources);
    return runCudaProgram(
        sources, arguments, simOptions.cuda,
        getBackendOptions("sim", simOptions), [&](CudaOutcome outcome) {
          return exitOn(finishProgram(std::move(outcome), simOptions));
        });
  }
  auto compiler = CudaCompiler::create(simOptions.cuda);
  if (!compiler)
    return compiler.takeError();
  auto kernels = (*compiler)->compileKernels(inputFile, simOptions.chip);
  if (!kernels)
    return kernels.takeError();
  std::string message;
  auto ir = openInputFile(*kernels, &message);
  if (!ir)
    return fail(message);
  return runKernel(ir->getMemBufferRef(), simOptions);
}

Error loadPasses() {
  for (const std::string &path : passPlugins) {
    auto plugin = mlir::PassPlugin::load(path);
    if (!plugin)
      return fail("--load-pass-plugin: " + llvm::toString(plugin.takeError()));
    plugin->registerPassRegistryCallbacks();
  }
  return Error::success();
}

/// All that files and pipelines may name.
const DialectRegistry &getRegistry() {
  static const DialectRegistry registry = [] {
    DialectRegistry all;
    registerAll(all, std::getenv("TILEIR_VERIFY_CONTRACTS") != nullptr);
    return all;
  }();
  return registry;
}

Error runFile() {
  auto simOptions = getSimOptions(backend == BackendName::Sim);
  if (!simOptions)
    return simOptions.takeError();
  if (Error error = checkOptions(*simOptions))
    return error;
  if (Error error = loadPasses())
    return error;
  if (Error error = lockMeasurement(MeasureLock::Shared))
    return error;
  if (inputFile == "-" && llvm::sys::Process::StandardInIsUserInput())
    llvm::errs() << "tile-run: reading the program from standard input\n";
  if (isCudaSource(inputFile))
    return runCuda(*simOptions);
  std::string message;
  auto file = openInputFile(inputFile, &message);
  if (!file)
    return fail(message);
  if (isLLVMIR(*file)) {
    if (backend != BackendName::Sim || !simOptions->launch)
      return fail("'" + inputFile +
                  "' is LLVM IR: expected --backend=sim with "
                  "--grid and --block, to launch a kernel");
    return runKernel(file->getMemBufferRef(), *simOptions);
  }
  MLIRContext context(getRegistry());
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  auto module = readProgram(inputFile, sources, context);
  if (!module)
    return module.takeError();
  if (simOptions->launch)
    return runKernel(**module, *simOptions);
  if (simOptions->grid && backend == BackendName::Sim &&
      !hasTileKernels(**module))
    return fail("--block: expected 1 to 3 sizes with --grid, to launch a "
                "kernel that is none of tiles, found 0");
  if (simOptions->grid)
    return runTileKernel(**module, *simOptions);
  return run(**module, *simOptions);
}

int runCommandLine(int argc, char **argv) {
  cl::HideUnrelatedOptions(
      {&category, &simCategory, &tuneCategory, &languageCategory});
  auto parse = [](ArrayRef<const char *> arguments) {
    cl::ParseCommandLineOptions(
        arguments.size(), arguments.data(),
        "Run a function of an .mlir file, or a kernel\n"
        "\n"
        "tile-run --batch runs the command lines of standard input.\n");
  };
  SmallVector<const char *> arguments(argv, argv + argc);
  parse(arguments);
  std::vector<std::string> more;
  if (asksForTuned()) {
    if (pipeline.getNumOccurrences())
      return exitOn(
          fail("--tuned and --pipeline: expected one of them, found both"));
    if (Error error = findTunedOptions(inputFile, getBackendName(), inputs)
                          .moveInto(more))
      return exitOn(std::move(error));
  }
  if (!more.empty()) {
    for (const std::string &option : more)
      arguments.push_back(option.c_str());
    cl::ResetAllOptionOccurrences();
    parse(arguments);
  }
  return exitOn(runFile());
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  if (!isBatch(argc, argv))
    return runCommandLine(argc, argv);
  getRegistry();
  return runBatch(argv[0], runCommandLine);
}
