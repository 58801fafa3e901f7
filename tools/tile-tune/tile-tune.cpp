//===- tile-tune.cpp - Choose values by measuring -------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a program by tile-run with each of many values for its macros and
// options, and tells which are fastest. docs/tuning.md.
//
//===----------------------------------------------------------------------===//

#include "tileir/Frontend/TritonC/Diagnostics.h"
#include "tileir/Runtime/HostCpu.h"
#include "tileir/Target/Cpu/CpuFile.h"
#include "tileir/Target/Gpu/Gpu.h"
#include "tileir/Tune/Arguments.h"
#include "tileir/Tune/Calibration.h"
#include "tileir/Tune/Candidates.h"
#include "tileir/Tune/Report.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/Threading.h"
#include "llvm/Support/WithColor.h"

using namespace tileir;
using namespace tileir::tune;
namespace cl = llvm::cl;
using llvm::Error;
using llvm::formatv;
using llvm::StringRef;

static cl::OptionCategory category("tile-tune options");
static cl::opt<std::string> file(cl::Positional,
                                 cl::desc("<file.mlir, .c or .ttir>"),
                                 cl::cat(category));
static cl::opt<std::string> calibrated(
    "calibrate",
    cl::desc("Instead of tuning a program, fit the costs by which kernels are "
             "chosen to this CPU, within a minute (--budget), and write its "
             "entry for TILEIR_CPU=<file.json>"),
    cl::value_desc("file.json"), cl::cat(category));
static cl::list<std::string> definitions(
    "D", cl::Prefix,
    cl::desc("Define a macro of a Triton-C file; [a, b] are the values to "
             "choose from"),
    cl::value_desc("name[=text]"), cl::cat(category));
static cl::list<std::string>
    includeFolders("I", cl::Prefix,
                   cl::desc("Where a Triton-C file's includes are looked for"),
                   cl::value_desc("folder"), cl::cat(category));
static cl::list<std::string>
    lists("space",
          cl::desc("Values to choose from for ${name} in --pipeline, --inputs, "
                   "--chip and --run; several lists with ';' between. Passes "
                   "list those of 'config={${config}}' in --pipeline, which is "
                   "the default for contractions"),
          cl::value_desc("name=value|value"), cl::cat(category));
static cl::opt<std::string>
    where("where",
          cl::desc("What configurations fulfil, as in '#if', such as "
                   "TM*TN<=16384"),
          cl::value_desc("condition"), cl::cat(category));
enum class Measure { Cpu, Sim, Cuda };
static cl::opt<Measure> measure(
    "measure", cl::desc("What is compared:"), cl::init(Measure::Cpu),
    cl::values(clEnumValN(Measure::Cpu, "cpu", "times on this CPU (default)"),
               clEnumValN(Measure::Sim, "sim",
                          "estimates of kernels on the simulated GPU"),
               clEnumValN(Measure::Cuda, "cuda", "times on an NVIDIA GPU")),
    cl::cat(category));
static cl::opt<std::string> inputs("inputs",
                                   cl::desc("The arguments, as for tile-run"),
                                   cl::value_desc("a.npy,b.npy,..."),
                                   cl::cat(category));
static cl::opt<std::string> checkInputs(
    "check-inputs",
    cl::desc("Other arguments, small ones of odd sizes, for the comparison "
             "with the interpreter"),
    cl::value_desc("a.npy,b.npy,..."), cl::cat(category));
static cl::opt<std::string> randomSeed("random", cl::desc("As for tile-run"),
                                       cl::value_desc("seed"),
                                       cl::cat(category));
static cl::opt<std::string> chip("chip", cl::desc("As for tile-run"),
                                 cl::value_desc("sm_NN"), cl::cat(category));
static cl::opt<std::string> pipeline("pipeline", cl::desc("As for tile-run"),
                                     cl::value_desc("name{options},..."),
                                     cl::cat(category));
static cl::list<std::string> runOptions("run",
                                        cl::desc("Another option of tile-run"),
                                        cl::value_desc("--option=value"),
                                        cl::cat(category));
enum class Effort { Quick, Full };
static cl::opt<Effort>
    effort("effort", cl::desc("How many configurations are run:"),
           cl::init(Effort::Quick),
           cl::values(clEnumValN(Effort::Quick, "quick",
                                 "all of up to 64, else a quarter (default)"),
                      clEnumValN(Effort::Full, "full", "all")),
           cl::cat(category));
static cl::opt<bool>
    noCheck("no-check",
            cl::desc("Do not compare with the interpreter, which is slow"),
            cl::cat(category));
static cl::opt<unsigned> repeat("repeat",
                                cl::desc("Timed runs of a process (default 5)"),
                                cl::init(5), cl::cat(category));
static cl::opt<unsigned>
    rounds("rounds",
           cl::desc("How often those near the best are timed at the most "
                    "(default 12)"),
           cl::init(12), cl::cat(category));
static cl::opt<unsigned>
    budget("budget", cl::desc("Seconds after which nothing new begins"),
           cl::value_desc("seconds"), cl::cat(category));
static cl::opt<unsigned>
    timeout("timeout", cl::desc("Seconds that a process may take (default 60)"),
            cl::init(60), cl::cat(category));
static cl::opt<unsigned>
    memory("memory", cl::desc("MiB that a process may allocate (default 8192)"),
           cl::init(8192), cl::cat(category));
static cl::opt<std::string> cachePath(
    "cache",
    cl::desc("File that keeps what is measured; empty: none (default: "
             "tileir/tune.jsonl in the user's cache folder)"),
    cl::value_desc("file"), cl::cat(category));
static cl::opt<std::string> csvPath("csv", cl::desc("Write all results"),
                                    cl::value_desc("file"), cl::cat(category));
static cl::opt<std::string>
    reportFolder("report",
                 cl::desc("Write all results, and a page of plots, to here"),
                 cl::value_desc("folder"), cl::cat(category));
static cl::opt<std::string>
    keys("key",
         cl::desc("Names or numbers of the arguments whose sizes or values the "
                  "result is for, as tile-run --tuned finds it (default: all)"),
         cl::value_desc("M,N,2"), cl::cat(category));
static cl::opt<unsigned> candidates(
    "candidates",
    cl::desc("How many configurations passes list, where no list of them is "
             "given (default 128)"),
    cl::init(128), cl::cat(category));
static cl::opt<unsigned> jobs(
    "jobs",
    cl::desc("Processes at once, none beside one that is timed (default: "
             "the cores, at most 8)"),
    cl::init(std::min(llvm::hardware_concurrency().compute_thread_count(), 8u)),
    cl::cat(category));
static cl::opt<std::string>
    tileRun("tile-run",
            cl::desc("The tile-run that runs (default: the one beside)"),
            cl::value_desc("path"), cl::cat(category));

static Error fail(const llvm::Twine &message) {
  return llvm::createStringError(message);
}

/// The options of tile-run that all configurations have.
static std::vector<std::string> getArguments() {
  std::vector<std::string> arguments = {std::string("--backend=") +
                                        (measure == Measure::Cpu   ? "cpu"
                                         : measure == Measure::Sim ? "sim"
                                                                   : "cuda")};
  for (const std::string &folder : includeFolders)
    arguments.push_back("-I" + folder);
  auto add = [&](StringRef name, const cl::opt<std::string> &option) {
    if (!option.empty())
      arguments.push_back(("--" + name + "=" + option.getValue()).str());
  };
  add("inputs", inputs);
  add("random", randomSeed);
  add("chip", chip);
  add("pipeline", pipeline);
  arguments.insert(arguments.end(), runOptions.begin(), runOptions.end());
  return arguments;
}

/// Each list has a place to go to, and each place a list.
static Error checkPlaces(const Space &space,
                         llvm::ArrayRef<std::string> arguments) {
  std::string text = llvm::join(arguments, " ") + " " + checkInputs;
  for (const Parameter &parameter : space.getParameters())
    if (!parameter.isMacro &&
        !StringRef(text).contains("${" + parameter.name + "}"))
      return fail("--space: expected ${" + parameter.name +
                  "} in --pipeline, --inputs, --chip or --run, found none");
  std::string rest = space.substitute(text, space.getConfigurations().front());
  if (size_t at = rest.find("${"); at != std::string::npos)
    return fail(
        "expected a parameter of --space, found '" +
        StringRef(rest).substr(at).take_until([](char c) { return c == '}'; }) +
        "}'");
  return Error::success();
}

/// The function that is run, if it is said.
static StringRef getEntry() {
  StringRef entry;
  for (StringRef option : runOptions)
    if (option.consume_front("--entry="))
      entry = option;
  entry.consume_front("@");
  return entry;
}

/// The text of the program, and what it is tuned for.
static llvm::Expected<Purpose> getPurpose(StringRef text) {
  Purpose purpose;
  purpose.program = getHash(text);
  purpose.target = getTarget(measure == Measure::Cpu   ? "cpu"
                             : measure == Measure::Sim ? "sim"
                                                       : "cuda",
                             chip);
  llvm::SmallVector<StringRef> items;
  StringRef(inputs).split(items, ',', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
  std::vector<std::string> list(items.begin(), items.end());
  auto arguments = describeArguments(list);
  if (!arguments)
    return arguments.takeError();
  if (!keys.getNumOccurrences()) {
    purpose.arguments = std::move(*arguments);
    return purpose;
  }
  std::optional<std::vector<std::string>> names;
  for (StringRef key : llvm::split(keys, ',')) {
    key = key.trim();
    if (key.empty())
      continue;
    auto it = arguments->find(key.str());
    if (it == arguments->end() && !names) {
      auto found =
          nameArguments(file,
                        {{definitions.begin(), definitions.end()},
                         {includeFolders.begin(), includeFolders.end()}},
                        getEntry());
      if (!found)
        return found.takeError();
      names = std::move(*found);
    }
    if (it == arguments->end())
      it = arguments->find(
          std::to_string(llvm::find(*names, key) - names->begin()));
    if (it == arguments->end()) {
      llvm::SmallVector<StringRef> known(names->begin(), names->end());
      return fail(formatv("--key: expected names of arguments ({0}) or their "
                          "numbers, 0 to {1}, found '{2}'{3}",
                          llvm::join(known, ", "),
                          int64_t(arguments->size()) - 1, key,
                          tileir::triton_c::suggest(key, known)));
    }
    purpose.arguments.insert(*it);
  }
  return purpose;
}

/// What results that are comparable have in common.
static std::string getKey(llvm::ArrayRef<std::string> arguments,
                          const Purpose &purpose) {
  std::string text = "2\n" + llvm::join(arguments, "\n") + "\n" + checkInputs;
  for (const std::string &definition : definitions)
    if (!StringRef(definition).split('=').second.trim().starts_with("["))
      text += "\n-D" + definition;
  return getHash(text + "\n" + purpose.target + "\n" + purpose.program);
}

/// The pipeline, and what there is to choose for its configuration where no
/// list of it is given.
static Error addCandidates(SpaceOptions &space) {
  bool isMlir = StringRef(file).ends_with(".mlir");
  if (!pipeline.getNumOccurrences() && isMlir && lists.empty() &&
      definitions.empty())
    pipeline.setValue(getDefaultPipeline(
        measure == Measure::Cpu ? StringRef()
        : chip.empty()          ? StringRef(tileir::machine::kDefaultGpu)
                                : StringRef(chip)));
  bool isListed = llvm::any_of(space.lists, [](StringRef list) {
    return list.split('=').first.trim() == "config";
  });
  if (isListed || !StringRef(pipeline).contains(kConfigPlace))
    return Error::success();
  if (!isMlir)
    return fail("--space: expected a list of values for ${config}: passes list "
                "them for contractions alone, in a file .mlir");
  auto parameter = listConfigs(file, pipeline, candidates);
  if (!parameter)
    return parameter.takeError();
  space.parameters.push_back(std::move(*parameter));
  return Error::success();
}

static Error
writeFile(llvm::Twine path, llvm::function_ref<void(llvm::raw_ostream &)> print,
          llvm::sys::fs::OpenFlags flags = llvm::sys::fs::OF_None) {
  std::error_code error;
  llvm::raw_fd_ostream os(path.str(), error, flags);
  if (error)
    return fail("cannot write '" + path + "': " + error.message());
  print(os);
  return Error::success();
}

/// The command that runs a configuration.
static std::string getCommand(const Tuner &tuner,
                              const Configuration &configuration) {
  std::string text = "tile-run " + file;
  for (const std::string &option : tuner.getOptions(configuration)) {
    bool isPlain = llvm::all_of(option, [](char c) {
      return llvm::isAlnum(c) || StringRef("-_=.,:/+").contains(c);
    });
    text += " " + (isPlain ? option : "'" + option + "'");
  }
  return text;
}

/// Writes what --csv and --report ask for.
static Error writeReports(const Report &report, StringRef command) {
  auto printCsv = [&](llvm::raw_ostream &os) { report.printCsv(os); };
  if (csvPath.getNumOccurrences())
    if (Error error = writeFile(csvPath, printCsv))
      return error;
  if (!reportFolder.getNumOccurrences())
    return Error::success();
  if (std::error_code error = llvm::sys::fs::create_directories(reportFolder))
    return fail("cannot make the folder '" + reportFolder +
                "': " + error.message());
  if (Error error = writeFile(reportFolder + "/results.csv", printCsv))
    return error;
  return writeFile(reportFolder + "/index.html", [&](llvm::raw_ostream &os) {
    report.printHtml(os, command);
  });
}

/// Fits the costs of this CPU, and writes its entry.
static Error calibrate() {
  if (file.getNumOccurrences())
    return fail("--calibrate: expected no program with it, found '" + file +
                "'");
  if (!StringRef(calibrated).ends_with(".json"))
    return fail("--calibrate: expected a file whose name ends in .json, by "
                "which TILEIR_CPU knows it, found '" +
                calibrated + "'");
  // Measuring takes a minute: what cannot be written is told before. What is
  // there stays until there is something else.
  if (Error error = writeFile(
          calibrated.getValue(), [](auto &) {}, llvm::sys::fs::OF_Append))
    return error;
  constexpr unsigned kSeconds = 50;
  auto named = runtime::getNamedHostCpu();
  if (!named)
    return named.takeError();
  machine::Cpu cpu = runtime::getHostCpu();
  auto cases = measureCases(cpu, budget.getNumOccurrences() ? budget.getValue()
                                                            : kSeconds);
  if (!cases)
    return cases.takeError();
  machine::CpuCosts before = cpu.costs;
  cpu.costs = fitCosts(*cases, before);
  auto tell = [&](StringRef which, bool heldOut) {
    auto [error, loss] = getQuality(*cases, heldOut, before);
    auto [errorNow, lossNow] = getQuality(*cases, heldOut, cpu.costs);
    llvm::outs() << formatv("{0}: the estimate of a kernel beside others of "
                            "its contraction is {1:f1} % off (before {2:f1}), "
                            "what is chosen takes {3:f3} times the fastest "
                            "({4:f3})\n",
                            which, 100 * errorNow, 100 * error, lossNow, loss);
  };
  tell("contractions fitted to", false);
  tell("others", true);
  if (!areBetter(*cases, cpu.costs, before)) {
    llvm::outs() << "others are not told apart better: costs stay what they "
                    "were\n";
    cpu.costs = before;
  }
  for (const machine::NamedCost &cost : machine::getNamedCosts())
    if (before.*cost.cost != cpu.costs.*cost.cost)
      llvm::outs() << formatv("  {0}: {1} (before {2})\n", cost.name,
                              cpu.costs.*cost.cost, before.*cost.cost);
  if (Error error = writeFile(calibrated.getValue(),
                              [&](auto &os) { machine::printCpu(os, cpu); }))
    return error;
  llvm::outs() << "TILEIR_CPU=" << calibrated << '\n';
  return Error::success();
}

static Error run(const char *program) {
  if (calibrated.getNumOccurrences())
    return calibrate();
  if (!file.getNumOccurrences())
    return fail("expected a program, or --calibrate, found neither");
  SpaceOptions spaceOptions;
  spaceOptions.file = file;
  spaceOptions.definitions.assign(definitions.begin(), definitions.end());
  spaceOptions.includeFolders.assign(includeFolders.begin(),
                                     includeFolders.end());
  for (const std::string &list : lists)
    for (StringRef one : llvm::split(list, ';'))
      spaceOptions.lists.push_back(one.str());
  spaceOptions.where = where;
  if (repeat == 0 || rounds == 0 || jobs == 0 || candidates == 0)
    return fail("--repeat, --rounds, --jobs and --candidates: expected at "
                "least 1, found 0");
  auto text = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!text)
    return fail("cannot read '" + file + "': " + text.getError().message());
  auto purpose = getPurpose((*text)->getBuffer());
  if (!purpose)
    return purpose.takeError();
  if (Error error = addCandidates(spaceOptions))
    return error;
  auto space = Space::read(spaceOptions);
  if (!space)
    return space.takeError();
  std::vector<std::string> arguments = getArguments();
  if (Error error = checkPlaces(*space, arguments))
    return error;

  TunerOptions options;
  options.tileRun = tileRun;
  if (options.tileRun.empty()) {
    llvm::SmallString<128> beside(llvm::sys::fs::getMainExecutable(
        program, reinterpret_cast<void *>(&run)));
    llvm::sys::path::remove_filename(beside);
    llvm::sys::path::append(beside, "tile-run");
    options.tileRun = beside.str().str();
  }
  if (!llvm::sys::fs::can_execute(options.tileRun))
    return fail("cannot run '" + options.tileRun +
                "': expected tile-run beside tile-tune, or --tile-run");
  options.file = file;
  options.arguments = arguments;
  if (!noCheck)
    options.checkArguments.push_back("--check=interp");
  if (checkInputs.getNumOccurrences() && noCheck)
    return fail("--check-inputs and --no-check: expected one of them, found "
                "both");
  if (checkInputs.getNumOccurrences())
    options.checkArguments.push_back("--inputs=" + checkInputs);
  // Times of a first use, as others report them.
  if (measure == Measure::Cuda)
    options.timeArguments.push_back("--flush-l2");
  options.isEstimate = measure == Measure::Sim;
  options.isExhaustive = effort == Effort::Full;
  options.rounds = rounds;
  options.repeat = repeat;
  options.jobs = jobs;
  options.budgetSeconds = budget;
  options.limits = {timeout, memory};

  auto cache =
      Cache::open(cachePath.getNumOccurrences() ? cachePath.getValue()
                                                : Cache::getDefaultPath(),
                  getKey(arguments, *purpose), *purpose);
  if (!cache)
    return cache.takeError();
  Tuner tuner(*space, options, *cache);
  if (Error error = tuner.run())
    return error;
  Report report(tuner, *space, options.isEstimate);
  report.print(llvm::outs());
  const Result &best = tuner.getResults().front();
  std::string command =
      best.isRight() ? getCommand(tuner, best.configuration) : "";
  if (Error error = writeReports(report, command))
    return error;
  if (!best.isRight())
    return fail(tuner.getStop().empty()
                    ? "no configuration works"
                    : "no configuration is known to work: " + tuner.getStop());
  if (llvm::all_of(tuner.getResults(),
                   [](const Result &result) { return result.isFromCache; }))
    llvm::outs() << "nothing was measured: all are in the cache\n";
  llvm::outs() << command << '\n';
  return Error::success();
}

int main(int argc, char **argv) {
  llvm::InitLLVM init(argc, argv);
  cl::HideUnrelatedOptions(category);
  cl::ParseCommandLineOptions(
      argc, argv, "Choose values for macros and options by measuring\n");
  if (Error error = run(argv[0])) {
    llvm::outs().flush();
    llvm::WithColor::error(llvm::errs(), "tile-tune")
        << llvm::toString(std::move(error)) << '\n';
    return 1;
  }
  return 0;
}
