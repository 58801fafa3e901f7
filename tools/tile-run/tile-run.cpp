//===- tile-run.cpp - Run a function of an .mlir file ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs one function on NumPy files or random arrays, by the reference
// interpreter or compiled for this CPU, and checks one against the other. Exit
// status 0 only if the run, and the check where asked for, succeeded.
//
//===----------------------------------------------------------------------===//

#include "Arguments.h"
#include "Bisect.h"
#include "Report.h"
#include "tileir/InitAllDialects.h"
#include "tileir/InitAllPasses.h"
#include "tileir/Interpreter/Interpreter.h"
#include "tileir/Runtime/CpuProgram.h"
#include "tileir/Runtime/NumPy.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/OpenMP/OpenMPDialect.h"
#include "mlir/InitAllDialects.h"
#include "mlir/InitAllExtensions.h"
#include "mlir/InitAllPasses.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Support/FileUtilities.h"
#include "mlir/Target/LLVMIR/Dialect/All.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"
#include "llvm/Support/WithColor.h"

#include <chrono>
#include <cmath>

using namespace mlir;
using namespace tileir;
namespace cl = llvm::cl;
using llvm::Error;
using llvm::Expected;

namespace {

enum class Backend { Interp, Cpu };

cl::OptionCategory category("tile-run options");
cl::opt<std::string> inputFile(cl::Positional, cl::desc("<file.mlir>"),
                               cl::init("-"), cl::cat(category));
cl::opt<std::string>
    entryName("entry",
              cl::desc("Function to run (default: main, or the only one)"),
              cl::value_desc("name"), cl::cat(category));
cl::opt<Backend> backend(
    "backend", cl::desc("What runs it:"), cl::init(Backend::Cpu),
    cl::values(clEnumValN(Backend::Interp, "interp",
                          "the reference interpreter: slow, obviously right"),
               clEnumValN(Backend::Cpu, "cpu",
                          "compiled in process for this CPU (default)")),
    cl::cat(category));
cl::opt<std::string>
    pipeline("pipeline",
             cl::desc("Passes that lower the file for backend cpu (default: "
                      "einsum-to-cpu-pipeline)"),
             cl::value_desc("name{options},..."), cl::cat(category));
cl::list<std::string>
    inputs("inputs", cl::CommaSeparated,
           cl::desc("NumPy files for the arguments, in order"),
           cl::value_desc("a.npy,b.npy,..."), cl::cat(category));
cl::opt<uint64_t> randomSeed("random",
                             cl::desc("Draw the arguments from this seed"),
                             cl::value_desc("seed"), cl::cat(category));
cl::list<std::string> outputs(
    "outputs", cl::CommaSeparated,
    cl::desc("NumPy files to write: the results, then the memref arguments"),
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

SmallVector<NDArray> collectOutputs(func::FuncOp entry,
                                    SmallVector<NDArray> results,
                                    ArrayRef<NDArray> arguments) {
  for (unsigned i : getWritableArguments(entry))
    results.push_back(arguments[i]);
  return results;
}

double now() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// Runs the interpreter. Progress goes to stderr once it takes a while.
Expected<RunOutputs> runInterpreter(func::FuncOp entry,
                                    ArrayRef<NDArray> arguments,
                                    double *seconds = nullptr) {
  double start = now(), lastLine = start;
  InterpreterOptions options;
  auto progress = [&](StringRef what, double fraction) {
    if (now() - start < 3 || now() - lastLine < 2)
      return;
    lastLine = now();
    llvm::errs() << llvm::formatv("[interp] {0}: {1:P0}\n", what, fraction);
  };
  options.progress = progress;
  SmallVector<NDArray> copies(arguments);
  auto result = interpret(entry, copies, options);
  if (seconds)
    *seconds = now() - start;
  if (failed(result))
    return fail("the interpreter stopped");
  return RunOutputs{collectOutputs(entry, std::move(result->results), copies),
                    result->longestReduction};
}

/// Removes all that `entry` does not reach: it is not compiled, nor counted.
LogicalResult removeUnreachable(ModuleOp module, StringRef entry) {
  for (auto function : module.getOps<func::FuncOp>())
    if (function.getName() != entry)
      function.setPrivate();
  PassManager manager(module.getContext());
  manager.addPass(createSymbolDCEPass());
  return manager.run(module);
}

std::string getPipeline() {
  if (!pipeline.empty())
    return pipeline;
  return checked ? "einsum-to-cpu-pipeline{checks=all}"
                 : "einsum-to-cpu-pipeline";
}

Error addPasses(PassManager &manager) {
  std::string text = getPipeline();
  StringRef passes = text;
  if (passes.starts_with("builtin.module(") && passes.ends_with(")"))
    passes = passes.drop_front(strlen("builtin.module(")).drop_back();
  std::string message;
  llvm::raw_string_ostream os(message);
  if (failed(parsePassPipeline(passes, manager, os)))
    return fail("--pipeline does not parse: " +
                StringRef(message).trim().str());
  return Error::success();
}

/// Lowers a copy of the module by --pipeline.
Expected<OwningOpRef<ModuleOp>> lower(ModuleOp module, StringRef entry) {
  OwningOpRef<ModuleOp> lowered = module.clone();
  CpuProgram::prepare(lowered->lookupSymbol<func::FuncOp>(entry));
  PassManager manager(module.getContext());
  if (Error error = addPasses(manager))
    return std::move(error);
  if (failed(manager.run(*lowered)))
    return fail("the pipeline '" + getPipeline() + "' failed");
  Operation *left = nullptr;
  lowered->walk([&](Operation *op) {
    if (!isa<LLVM::LLVMDialect, omp::OpenMPDialect>(op->getDialect()) &&
        !isa<ModuleOp>(op) && !left)
      left = op;
  });
  if (left)
    return fail("the pipeline '" + getPipeline() +
                "' must end in the LLVM dialect, but leaves " +
                left->getName().getStringRef());
  return lowered;
}

Expected<RunOutputs> runCpu(func::FuncOp entry, ArrayRef<NDArray> arguments,
                            RunReport &report) {
  double start = now();
  auto lowered = lower(entry->getParentOfType<ModuleOp>(), entry.getName());
  if (!lowered)
    return lowered.takeError();
  auto program =
      CpuProgram::compile(**lowered, entry.getName(), entry.getFunctionType());
  if (!program)
    return program.takeError();
  report.compileSeconds = now() - start;
  RunOutputs last;
  // Where several runs are timed, one before them starts threads and caches.
  for (unsigned run = repeat > 1 ? 0 : 1; run <= repeat; ++run) {
    SmallVector<NDArray> copies(arguments);
    double seconds;
    auto results = (*program)->run(copies, &seconds);
    if (!results)
      return results.takeError();
    if (run > 0)
      report.seconds.push_back(seconds);
    last.arrays = collectOutputs(entry, std::move(*results), copies);
  }
  return last;
}

Expected<RunOutputs> runBackend(func::FuncOp entry, ArrayRef<NDArray> arguments,
                                RunReport &report) {
  if (backend == Backend::Cpu)
    return runCpu(entry, arguments, report);
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
  if (Error error = addPasses(manager))
    return error;
  return bisect(module, entry.getName(), manager, arguments, *expected,
                getTolerance());
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

Error writeOutputs(func::FuncOp entry, ArrayRef<NDArray> values) {
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
    if (Error error = writeNumPy(path, value))
      return error;
  return Error::success();
}

Error writeReport(const RunReport &report) {
  if (reportFile.empty())
    return Error::success();
  std::error_code error;
  llvm::raw_fd_ostream os(reportFile, error);
  if (!error) {
    os << llvm::formatv("{0:2}\n", report.toJSON());
    os.close();
    error = os.error();
    os.clear_error();
  }
  if (error)
    return fail("cannot write '" + reportFile + "': " + error.message());
  return Error::success();
}

/// Mistakes on the command line that need no file to be read.
Error checkOptions() {
  for (cl::opt<std::string> *option :
       {&entryName, &pipeline, &check, &reportFile})
    if (option->getNumOccurrences() && option->empty())
      return fail("--" + option->ArgStr + ": expected a value, found nothing");
  if (backend == Backend::Interp && !pipeline.empty() && !doBisect)
    return fail("--pipeline: expected --backend=cpu with it, the interpreter "
                "runs the file as it is");
  if (!check.empty() && check != "interp")
    return fail("--check: expected 'interp', found '" + check + "'");
  if (repeat == 0)
    return fail("--repeat: expected at least 1 run, found 0");
  if (inputs.getNumOccurrences() && randomSeed.getNumOccurrences())
    return fail("--inputs and --random: expected one of them, found both");
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
  if (doBisect &&
      (!check.empty() || !reportFile.empty() || outputs.getNumOccurrences()))
    return fail("--bisect runs no backend: expected it without --check, "
                "--outputs and --report");
  return Error::success();
}

Expected<SmallVector<NDArray>> getArguments(func::FuncOp entry) {
  if (randomSeed.getNumOccurrences())
    return drawInputs(entry, randomSeed);
  if (inputs.getNumOccurrences() || entry.getNumArguments() == 0)
    return readInputs(entry, inputs);
  return fail("@" + entry.getName() + " has " +
              llvm::Twine(entry.getNumArguments()) +
              " arguments: give --inputs=a.npy,... or --random=seed");
}

Error run(ModuleOp module) {
  auto entry = findEntry(module, entryName);
  if (!entry)
    return entry.takeError();
  if (failed(removeUnreachable(module, entry->getName())))
    return fail("the file does not verify");
  if (Error error = checkStaticSizes(module))
    return error;
  auto arguments = getArguments(*entry);
  if (!arguments)
    return arguments.takeError();
  if (doBisect)
    return runBisect(*entry, *arguments);

  RunReport report;
  report.file = inputFile;
  report.entry = entry->getName().str();
  report.backend = backend == Backend::Cpu ? "cpu" : "interp";
  report.contractions = listContractions(module);
  report.flops = countFlops(module);
  auto values = runBackend(*entry, *arguments, report);
  if (!values)
    return values.takeError();
  if (injectFault >= 0)
    if (Error error = injectFaultInto(values->arrays))
      return error;
  if (!check.empty())
    if (Error error = runCheck(*entry, *arguments, *values, report))
      return error;
  if (Error error = writeOutputs(*entry, values->arrays))
    return error;
  if (Error error = writeReport(report))
    return error;
  report.print(llvm::outs());
  if (report.check && !report.check->passed)
    return fail("the check failed");
  return Error::success();
}

Error runFile() {
  if (Error error = checkOptions())
    return error;
  if (inputFile == "-" && llvm::sys::Process::StandardInIsUserInput())
    llvm::errs() << "tile-run: reading the program from standard input\n";
  std::string message;
  auto file = openInputFile(inputFile, &message);
  if (!file)
    return fail(message);
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
  return run(*module);
}

} // namespace

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  mlir::registerAllPasses();
  tileir::registerAllPasses();
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(argc, argv, "Run a function of an .mlir file\n");
  if (Error error = runFile()) {
    llvm::WithColor::error(llvm::errs(), "tile-run")
        << llvm::toString(std::move(error)) << '\n';
    return 1;
  }
  return 0;
}
