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

#include "Tuner.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/WithColor.h"
#include "llvm/Support/xxhash.h"
#include "llvm/TargetParser/Host.h"

#include <map>

using namespace tileir::tune;
namespace cl = llvm::cl;
using llvm::Error;
using llvm::formatv;
using llvm::StringRef;

static cl::OptionCategory category("tile-tune options");
static cl::opt<std::string> file(cl::Positional, cl::Required,
                                 cl::desc("<file.mlir, .c or .ttir>"),
                                 cl::cat(category));
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
                   "--chip and --run; several lists with ';' between"),
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
           cl::desc("How often those near the best are timed (default 3)"),
           cl::init(3), cl::cat(category));
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
    if (option.getNumOccurrences())
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

/// What results that are comparable have in common.
static std::string getKey(llvm::ArrayRef<std::string> arguments,
                          const Space &space) {
  std::string text = "1\n" + llvm::join(arguments, "\n") + "\n" + checkInputs;
  for (const std::string &definition : definitions)
    if (!StringRef(definition).split('=').second.trim().starts_with("["))
      text += "\n-D" + definition;
  if (measure == Measure::Cpu)
    text += "\n" + llvm::sys::getHostCPUName().str();
  if (auto buffer = llvm::MemoryBuffer::getFile(file))
    text += "\n" + (*buffer)->getBuffer().str();
  return llvm::utohexstr(llvm::xxh3_64bits(text), /*LowerCase=*/true,
                         /*Width=*/16);
}

/// The best ones, and why others are not among them.
static void print(llvm::raw_ostream &os, const Tuner &tuner,
                  const Space &space) {
  bool isEstimate = measure == Measure::Sim;
  os << (isEstimate ? " estimate, us   configuration\n"
                    : "   median, ms  spread   configuration\n");
  constexpr unsigned kMostLines = 20;
  unsigned numLines = 0, numRight = 0;
  std::map<std::string, std::pair<unsigned, std::string>> reasons;
  unsigned numMissing = 0;
  for (const Result &result : tuner.getResults()) {
    std::string text = space.describe(result.configuration);
    if (!result.isMeasured) {
      ++numMissing;
      continue;
    }
    if (!result.isRight()) {
      auto [it, isNew] = reasons.try_emplace(result.outcome.reason, 0, text);
      ++it->second.first;
      continue;
    }
    ++numRight;
    if (++numLines > kMostLines)
      continue;
    const Outcome &outcome = result.outcome;
    if (isEstimate)
      os << llvm::format("%13.4g", outcome.estimate);
    else
      os << llvm::format("%13.4g  %4.0f %%", outcome.median,
                         100 * (outcome.most - outcome.least) /
                             std::max(outcome.median, 1e-9));
    os << "   " << text << '\n';
  }
  if (numLines > kMostLines)
    os << "  and " << numRight - kMostLines << " slower ones\n";
  for (const auto &[reason, count] : reasons)
    os << count.first << (count.first == 1 ? " fails" : " fail") << ", such as "
       << count.second << ": " << reason << '\n';
  if (space.getNumExcluded())
    os << space.getNumExcluded() << " left out by --where\n";
  if (numMissing)
    os << numMissing << " not measured: " << tuner.getStop() << '\n';
}

/// A value of CSV.
static std::string quote(StringRef text) {
  if (text.find_first_of(",\"\n") == StringRef::npos)
    return text.str();
  std::string quoted = "\"";
  for (char c : text)
    quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + "\"";
}

static Error writeCsv(const Tuner &tuner, const Space &space) {
  std::error_code error;
  llvm::raw_fd_ostream os(csvPath, error);
  if (error)
    return fail("cannot write '" + csvPath + "': " + error.message());
  for (const Parameter &parameter : space.getParameters())
    os << quote(parameter.name) << ',';
  os << "median_ms,min_ms,max_ms,estimate_us,reason\n";
  for (const Result &result : tuner.getResults()) {
    for (const std::string &value : result.configuration)
      os << quote(value) << ',';
    const Outcome &outcome = result.outcome;
    if (result.isRight())
      os << llvm::format("%.6g,%.6g,%.6g,%.6g,\n", outcome.median,
                         outcome.least, outcome.most, outcome.estimate);
    else
      os << ",,,,"
         << quote(result.isMeasured ? StringRef(outcome.reason)
                                    : tuner.getStop())
         << '\n';
  }
  return Error::success();
}

/// What to give to tile-run.
static std::string getOptions(const Space &space,
                              llvm::ArrayRef<std::string> arguments,
                              const Configuration &configuration) {
  std::vector<std::string> options = space.getDefinitions(configuration);
  for (const std::string &argument : arguments)
    options.push_back(space.substitute(argument, configuration));
  std::string text;
  for (const std::string &option : options) {
    bool isPlain = llvm::all_of(option, [](char c) {
      return llvm::isAlnum(c) || StringRef("-_=.,:/+").contains(c);
    });
    text += " " + (isPlain ? option : "'" + option + "'");
  }
  return text;
}

static Error run(const char *program) {
  SpaceOptions spaceOptions;
  spaceOptions.file = file;
  spaceOptions.definitions.assign(definitions.begin(), definitions.end());
  spaceOptions.includeFolders.assign(includeFolders.begin(),
                                     includeFolders.end());
  for (const std::string &list : lists)
    for (StringRef one : llvm::split(list, ';'))
      spaceOptions.lists.push_back(one.str());
  spaceOptions.where = where;
  if (repeat == 0 || rounds == 0)
    return fail("--repeat and --rounds: expected at least 1, found 0");
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
  options.isEstimate = measure == Measure::Sim;
  options.isExhaustive = effort == Effort::Full;
  options.rounds = rounds;
  options.repeat = repeat;
  options.budgetSeconds = budget;
  options.limits = {timeout, memory};

  auto cache =
      Cache::open(cachePath.getNumOccurrences() ? cachePath.getValue()
                                                : Cache::getDefaultPath(),
                  getKey(arguments, *space));
  if (!cache)
    return cache.takeError();
  Tuner tuner(*space, options, *cache);
  if (Error error = tuner.run())
    return error;
  print(llvm::outs(), tuner, *space);
  if (csvPath.getNumOccurrences())
    if (Error error = writeCsv(tuner, *space))
      return error;
  const Result &best = tuner.getResults().front();
  if (!best.isRight())
    return fail(tuner.getStop().empty()
                    ? "no configuration works"
                    : "no configuration is known to work: " + tuner.getStop());
  if (llvm::all_of(tuner.getResults(),
                   [](const Result &result) { return result.isFromCache; }))
    llvm::outs() << "nothing was measured: all are in the cache\n";
  llvm::outs() << "tile-run " << file
               << getOptions(*space, arguments, best.configuration) << '\n';
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
