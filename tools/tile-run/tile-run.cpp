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

#include "SimOptions.h"

#include "tileir/Execution/Arguments.h"
#include "tileir/Execution/Bisect.h"
#include "tileir/Execution/Cpu/Cpu.h"
#include "tileir/Execution/Cuda/Cuda.h"
#include "tileir/Execution/Interp/Interp.h"
#include "tileir/Execution/Lower.h"
#include "tileir/Execution/Report.h"
#include "tileir/Execution/Sim/Kernel.h"
#include "tileir/Execution/Sim/Sim.h"
#include "tileir/Execution/TileKernel.h"
#include "tileir/InitAllDialects.h"
#include "tileir/InitAllPasses.h"
#include "tileir/Runtime/NumPy.h"
#include "tileir/Target/PTX/Lowering.h"

#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Tools/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

#include <cmath>

using namespace mlir;
using namespace tileir;
using namespace tileir::execution;
namespace cl = llvm::cl;
using llvm::Error;
using llvm::Expected;

namespace {

enum class Backend { Interp, Cpu, Sim, Cuda };

cl::OptionCategory category("tile-run options");
cl::opt<std::string> inputFile(cl::Positional,
                               cl::desc("<file.mlir, .ll or .bc>"),
                               cl::init("-"), cl::cat(category));
cl::opt<std::string>
    entryName("entry",
              cl::desc("Function to run (default: main, or the only one); with "
                       "--grid the kernel, or module::kernel"),
              cl::value_desc("name"), cl::cat(category));
cl::opt<Backend> backend(
    "backend", cl::desc("What runs it:"), cl::init(Backend::Cpu),
    cl::values(clEnumValN(Backend::Interp, "interp",
                          "the reference interpreter: slow, obviously right"),
               clEnumValN(Backend::Cpu, "cpu",
                          "compiled in process for this CPU (default)"),
               clEnumValN(Backend::Sim, "sim",
                          "host code for this CPU, kernels on a simulated "
                          "GPU"),
               clEnumValN(Backend::Cuda, "cuda",
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
                    "nan:4xf16, random:8xi8, scalars as i32:5, f16:0.5"),
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
cl::opt<bool> checked(
    "checked",
    cl::desc("Check tables and bounds in compiled code, as the interpreter "
             "always does"),
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
cl::opt<int64_t> injectFault(
    "inject-fault",
    cl::desc("Change this element of the first output before --check, to see "
             "the check fail"),
    cl::value_desc("element"), cl::init(-1), cl::Hidden, cl::cat(category));

Error fail(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

std::string getPipeline(ModuleOp module) {
  if (!pipeline.empty())
    return pipeline;
  bool hasKernels = llvm::any_of(module.getOps<func::FuncOp>(), tile::isKernel);
  std::string name =
      hasKernels ? "tile-to-cpu-pipeline" : "einsum-to-cpu-pipeline";
  return checked ? name + "{checks=all}" : name;
}

Expected<RunOutputs> runBackend(func::FuncOp entry, ArrayRef<NDArray> arguments,
                                const SimOptions &simOptions,
                                RunReport &report) {
  if (backend == Backend::Cpu)
    return runCpu(entry, arguments,
                  getPipeline(entry->getParentOfType<ModuleOp>()), repeat,
                  report);
  if (backend == Backend::Cuda)
    return runCuda(entry, arguments, pipeline, repeat, report);
  if (backend == Backend::Sim)
    return runSim(entry, arguments, pipeline, repeat, simOptions, report);
  RunOutputs last;
  for (unsigned run = 0; run < repeat; ++run) {
    auto result =
        runInterpreter(entry, arguments, &report.seconds.emplace_back());
    if (!result)
      return result.takeError();
    last = std::move(*result);
  }
  return last;
}

std::optional<double> getTolerance() {
  return tolerance.getNumOccurrences() ? std::optional<double>(tolerance)
                                       : std::nullopt;
}

Error runCheck(func::FuncOp entry, ArrayRef<NDArray> arguments,
               const RunOutputs &got, RunReport &report) {
  auto expected = runInterpreter(entry, arguments);
  if (!expected)
    return expected.takeError();
  auto outcome = checkOutputs(arguments, got, *expected, getTolerance());
  if (!outcome)
    return outcome.takeError();
  outcome->against = check;
  report.check = std::move(*outcome);
  return Error::success();
}

Error runBisect(func::FuncOp entry, ArrayRef<NDArray> arguments) {
  auto expected = runInterpreter(entry, arguments);
  if (!expected)
    return expected.takeError();
  auto module = entry->getParentOfType<ModuleOp>();
  CpuProgram::prepare(entry);
  PassManager manager(module.getContext());
  if (Error error = addPasses(manager, getPipeline(module)))
    return error;
  return bisect(module, entry.getName(), manager, arguments, *expected,
                getTolerance(), bisectPrefix);
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
  if (report.sim)
    if (Error error = writeFile(simOptions.roofline, [&](auto &os) {
          report.sim->drawRoofline(os);
        }))
      return error;
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
    return fail("the simulator found " + llvm::Twine(numFindings) +
                (numFindings == 1 ? " fault" : " faults"));
  return Error::success();
}

/// Mistakes on the command line that need no file to be read.
Error checkOptions(const SimOptions &simOptions) {
  for (cl::opt<std::string> *option :
       {&entryName, &pipeline, &check, &bisectPrefix, &reportFile})
    if (option->getNumOccurrences() && option->empty())
      return fail("--" + option->ArgStr + ": expected a value, found nothing");
  if (backend == Backend::Interp && !pipeline.empty() && !doBisect)
    return fail("--pipeline: expected --backend=cpu with it, the interpreter "
                "runs the file as it is");
  if (!check.empty() && check != "interp")
    return fail("--check: expected 'interp', found '" + check + "'");
  if (repeat == 0)
    return fail("--repeat: expected at least 1 run, found 0");
  bool drawsInputs = llvm::any_of(
      inputs, [](StringRef item) { return item.starts_with("random:"); });
  if (inputs.getNumOccurrences() && randomSeed.getNumOccurrences() &&
      !drawsInputs)
    return fail("--inputs and --random: expected one of them, found both");
  if (checked && backend == Backend::Sim)
    return fail("--checked: expected another backend, the simulator always "
                "checks kernels");
  if (checked && backend == Backend::Cuda)
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
  if ((backend == Backend::Sim || backend == Backend::Cuda) && doBisect)
    return fail("--bisect runs the interpreter, which knows no kernels: "
                "expected it without --backend=sim and --backend=cuda");
  if (simOptions.launch && (!check.empty() || injectFault >= 0))
    return fail("--check compares functions: expected it without --grid");
  return Error::success();
}

Expected<SmallVector<NDArray>> getArguments(func::FuncOp entry) {
  if (randomSeed.getNumOccurrences())
    return drawInputs(entry, randomSeed);
  if (inputs.getNumOccurrences() || entry.getNumArguments() == 0)
    return readInputs(entry, inputs, randomSeed);
  return fail("@" + entry.getName() + " has " +
              llvm::Twine(entry.getNumArguments()) +
              " arguments: give --inputs=a.npy,... or --random=seed");
}

RunReport startReport(StringRef entry) {
  RunReport report;
  report.file = inputFile;
  report.entry = entry.str();
  report.backend = backend == Backend::Cpu    ? "cpu"
                   : backend == Backend::Sim  ? "sim"
                   : backend == Backend::Cuda ? "cuda"
                                              : "interp";
  return report;
}

/// Leaves what `entry` needs, and refuses what no machine can hold.
Error prepare(ModuleOp module, func::FuncOp entry) {
  if (Error error = removeUnreachable(module, entry.getName()))
    return error;
  return checkStaticSizes(module);
}

/// Runs `entry` as the options say.
Error run(func::FuncOp entry, ArrayRef<NDArray> arguments,
          const SimOptions &simOptions) {
  if (doBisect)
    return runBisect(entry, arguments);
  auto module = entry->getParentOfType<ModuleOp>();
  RunReport report = startReport(entry.getName());
  report.contractions = listContractions(module);
  report.flops = countFlops(module);
  auto values = runBackend(entry, arguments, simOptions, report);
  if (!values)
    return values.takeError();
  if (injectFault >= 0)
    if (Error error = injectFaultInto(values->arrays))
      return error;
  if (!check.empty())
    if (Error error = runCheck(entry, arguments, *values, report))
      return error;
  if (Error error = writeOutputs(entry, values->arrays,
                                 /*mayLeaveOut=*/simOptions.grid.has_value()))
    return error;
  return finish(report, simOptions);
}

/// Runs a function of `module`.
Error run(ModuleOp module, const SimOptions &simOptions) {
  if (backend == Backend::Sim && module.getOps<func::FuncOp>().empty())
    return fail("the file has no host function: expected --grid and --block, "
                "to launch a kernel");
  auto entry = findEntry(module, entryName);
  if (!entry)
    return entry.takeError();
  if (Error error = prepare(module, *entry))
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
  if (Error error = prepare(module, launch->host))
    return error;
  return run(launch->host, launch->arguments, simOptions);
}

/// Launches a kernel of `program`: LLVM IR or a module.
template <typename... Program>
Error runKernel(const SimOptions &simOptions, Program... program) {
  KernelRequest request{entryName, inputs, randomSeed, repeat};
  RunReport report = startReport(entryName);
  auto values = runKernel(program..., request, simOptions, report);
  if (!values)
    return values.takeError();
  if (outputs.size() > values->arrays.size())
    return fail("--outputs: expected up to " +
                llvm::Twine(values->arrays.size()) +
                " files for the pointer arguments of @" + report.entry +
                ", found " + llvm::Twine(outputs.size()));
  for (auto [path, value] : llvm::zip(outputs, values->arrays))
    if (!path.empty())
      if (Error error = writeNumPy(path, value))
        return error;
  return finish(report, simOptions);
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

Error runFile() {
  auto simOptions = getSimOptions(backend == Backend::Sim);
  if (!simOptions)
    return simOptions.takeError();
  if (Error error = checkOptions(*simOptions))
    return error;
  if (Error error = loadPasses())
    return error;
  if (inputFile == "-" && llvm::sys::Process::StandardInIsUserInput())
    llvm::errs() << "tile-run: reading the program from standard input\n";
  std::string message;
  auto file = openInputFile(inputFile, &message);
  if (!file)
    return fail(message);
  if (isLLVMIR(*file)) {
    if (backend != Backend::Sim || !simOptions->launch)
      return fail("'" + inputFile +
                  "' is LLVM IR: expected --backend=sim with "
                  "--grid and --block, to launch a kernel");
    return runKernel(*simOptions, file->getMemBufferRef());
  }
  DialectRegistry registry;
  mlir::registerAllDialects(registry);
  registerAllExtensions(registry);
  tileir::registerAllDialects(registry);
  registerAllToLLVMIRTranslations(registry);
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(file), llvm::SMLoc());
  SourceMgrDiagnosticHandler handler(sources, &context);
  auto module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return fail("'" + (inputFile == "-" ? "<stdin>" : inputFile.getValue()) +
                "' does not parse or verify");
  if (simOptions->launch)
    return runKernel(*simOptions, *module, StringRef(pipeline));
  if (simOptions->grid)
    return runTileKernel(*module, *simOptions);
  return run(*module, *simOptions);
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::registerAllPasses();
  tileir::registerAllPasses();
  cl::HideUnrelatedOptions({&category, &simCategory});
  cl::ParseCommandLineOptions(argc, argv,
                              "Run a function of an .mlir file, or a kernel\n");
  if (Error error = runFile()) {
    llvm::WithColor::error(llvm::errs(), "tile-run")
        << llvm::toString(std::move(error)) << '\n';
    return 1;
  }
  return 0;
}
