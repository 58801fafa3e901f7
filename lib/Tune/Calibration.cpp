//===- Calibration.cpp - Kernels that are timed ---------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Of each contraction the kernel that is chosen, and others that the model
// takes for less and less good, by chance: that they differ in lanes, copies,
// tiles and parts of sums is what costs are fitted to.
//
//===----------------------------------------------------------------------===//

#include "tileir/Tune/Calibration.h"

#include "tileir/Dialect/Einsum/IR/Einsum.h"
#include "tileir/Dialect/Einsum/IR/Schedule.h"
#include "tileir/Dialect/Einsum/Transforms/Passes.h"
#include "tileir/Execution/Program.h"
#include "tileir/Pipelines/Pipelines.h"
#include "tileir/Runtime/CpuProgram.h"
#include "tileir/Runtime/HostCpu.h"
#include "tileir/Runtime/NDArray.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Signals.h"

#include <chrono>
#include <random>

using namespace mlir;
using namespace tileir;
using namespace tileir::tune;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using runtime::NDArray;

/// Specification, and the shapes of the operands and of the result.
static constexpr std::pair<StringRef, StringRef> kCases[] = {
    {"mk, kn -> mn", "16x16 16x16 16x16"},
    {"mk, kn -> mn", "32x32 32x32 32x32"},
    {"mk, kn -> mn", "64x64 64x64 64x64"},
    {"mk, kn -> mn", "128x128 128x128 128x128"},
    {"mk, kn -> mn", "192x192 192x192 192x192"},
    {"mk, kn -> mn", "256x256 256x256 256x256"},
    {"mk, kn -> mn", "384x384 384x384 384x384"},
    {"mk, kn -> mn", "512x512 512x512 512x512"},
    {"mk, kn -> mn", "768x768 768x768 768x768"},
    {"mk, kn -> mn", "1024x1024 1024x1024 1024x1024"},
    {"mk, kn -> mn", "33x33 33x33 33x33"},
    {"mk, kn -> mn", "65x65 65x65 65x65"},
    {"mk, kn -> mn", "100x100 100x100 100x100"},
    {"mk, kn -> mn", "129x129 129x129 129x129"},
    {"mk, kn -> mn", "2048x256 256x32 2048x32"},
    {"mk, kn -> mn", "32x256 256x2048 32x2048"},
    {"mk, kn -> mn", "64x4096 4096x64 64x64"},
    {"mk, kn -> mn", "512x16 16x512 512x512"},
    {"mk, nk -> mn", "96x96 96x96 96x96"},
    {"mk, nk -> mn", "512x512 512x512 512x512"},
    {"km, kn -> mn", "128x128 128x128 128x128"},
    {"km, kn -> mn", "512x512 512x512 512x512"},
    {"bmk, bkn -> bmn", "256x16x16 256x16x16 256x16x16"},
    {"bmk, bnk -> bmn", "12x128x64 12x128x64 12x128x128"},
    {"abmk, kbn -> bman", "8x12x16x32 32x12x48 12x16x8x48"},
    {"mk, k -> m", "1024x1024 1024 1024"},
    {"nc(h+r)(w+s), kcrs -> nkhw", "1x64x58x58 64x64x3x3 1x64x56x56"},
    {"nc(h+r)(w+s), kcrs -> nkhw", "1x128x30x30 128x128x3x3 1x128x28x28"},
    {"nc(h+r)(w+s), kcrs -> nkhw", "1x256x16x16 256x256x3x3 1x256x14x14"},
    {"nc(2*h+r)(2*w+s), kcrs -> nkhw", "1x64x58x58 128x64x3x3 1x128x28x28"},
    {"n(h+r)(w+s)c, rsck -> nhwk", "1x30x30x128 3x3x128x128 1x28x28x128"},
    {"n(h+r)(w+s)c, rsck -> nhwk", "1x16x16x256 3x3x256x256 1x14x14x256"},
    {"nchw, kc -> nkhw", "1x256x56x56 64x256 1x64x56x56"},
    {"nchw, kc -> nkhw", "1x256x14x14 1024x256 1x1024x14x14"},
    {"nhwc, ck -> nhwk", "1x28x28x512 512x128 1x28x28x128"},
    {"nc(h+r)(w+s), crs -> nchw", "1x96x58x58 96x3x3 1x96x56x56"},
    {"nc(h+r)(w+s), kcrs -> nkhw", "8x3x226x226 16x3x3x3 8x16x224x224"},
    {"n(h+r)(w+s)c, rsck -> nhwk", "4x162x162x16 3x3x16x64 4x160x160x64"},
};
/// The same with a table `t`, of so many entries that are less than so many.
static constexpr std::tuple<StringRef, StringRef, int64_t, int32_t>
    kTabledCases[] = {
        {"n(h+t[c])wc, ck -> nhwk", "4x58x56x128 128x256 4x56x56x256", 128, 3},
        {"nh(w+t[c])c, ck -> nhwk", "4x28x30x256 256x512 4x28x28x512", 256, 3},
        {"nh(w+t[c])c, ck -> nhwk", "4x56x58x128 128x256 4x56x56x256", 128, 3},
        {"nc(h+t[c])w, ck -> nkhw", "4x128x58x56 128x256 4x256x56x56", 128, 3},
        {"nc(h+t[c])w, ck -> nkhw", "4x512x16x14 512x512 4x512x14x14", 512, 3},
};
/// Products for a matrix unit or dot products of pairs.
static constexpr std::pair<StringRef, StringRef> kPairCases[] = {
    {"mk, kn -> mn", "64x64 64x64 64x64"},
    {"mk, kn -> mn", "128x128 128x128 128x128"},
    {"mk, kn -> mn", "256x256 256x256 256x256"},
    {"mk, kn -> mn", "512x512 512x512 512x512"},
    {"mk, nk -> mn", "256x256 256x256 256x256"},
    {"n(h+r)(w+s)c, rsck -> nhwk", "1x30x30x128 3x3x128x128 1x28x28x128"},
    {"nc(h+r)(w+s), kcrs -> nkhw", "1x128x30x30 128x128x3x3 1x128x28x28"},
};
/// Each so many of them is not fitted to.
static constexpr size_t kHeldOut = 4;
/// The kernels of a case, of which the first is the best one: so many of up to
/// so many times its cycles.
static constexpr std::pair<unsigned, double> kKernels[] = {
    {4, 1.1}, {3, 1.4}, {2, 2.2}};
/// The least time of what is timed, the share of a case's time that is left for
/// its compilation, and the least rounds.
static constexpr double kLeastSeconds = 1e-3, kCompiling = 0.4;
static constexpr unsigned kLeastRounds = 3;

static std::atomic<bool> wasInterrupted;

static double getSeconds() {
  return std::chrono::duration<double>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

namespace {

/// A contraction as a program on memrefs.
struct Problem {
  std::string name, text;
  std::vector<NDArray> arrays;

  Problem(StringRef spec, StringRef shapes, StringRef type,
          int64_t numEntries = 0, int32_t range = 0);
};

/// A compiled kernel.
class Kernel {
public:
  static Expected<Kernel> compile(Problem &problem, MLIRContext &context,
                                  const machine::Cpu &cpu,
                                  const std::string &config);

  /// The seconds of a run, the mean of as many as take kLeastSeconds.
  Expected<double> time();

private:
  std::unique_ptr<runtime::CpuProgram> program;
  Problem *problem = nullptr;
  unsigned count = 1;
};

} // namespace

Problem::Problem(StringRef spec, StringRef shapes, StringRef type,
                 int64_t numEntries, int32_t range) {
  name = (spec + " " + shapes + (type == "f32" ? "" : " " + type)).str();
  std::vector<std::string> types;
  runtime::ElementKind kind =
      type == "f32" ? runtime::ElementKind::F32 : runtime::ElementKind::BF16;
  for (StringRef text : llvm::split(shapes, ' ')) {
    SmallVector<int64_t> shape;
    for (StringRef size : llvm::split(text, 'x'))
      size.getAsInteger(10, shape.emplace_back());
    // Zeros: their products take as long as others, and denormals do not come.
    arrays.emplace_back(kind, shape);
    types.push_back(("memref<" + text + "x" + type + ">").str());
  }
  size_t numOperands = types.size() - 1;
  llvm::raw_string_ostream os(text);
  os << "func.func @main(";
  for (auto [i, memref] : llvm::enumerate(types))
    os << (i ? ", " : "") << "%" << i << ": " << memref;
  std::string table = llvm::formatv("memref<{0}xi32>", numEntries);
  if (numEntries) {
    os << ", %t: " << table << " {einsum.value_range = array<i64: 0, "
       << range - 1 << ">}";
    NDArray &entries =
        arrays.emplace_back(runtime::ElementKind::I32, ArrayRef(numEntries));
    auto *values = reinterpret_cast<int32_t *>(entries.getData());
    // In no order that anything could follow.
    std::mt19937 random(range);
    for (int64_t i = 0; i < numEntries; ++i)
      values[i] = random() % range;
  }
  os << ") {\n  einsum.contract \"" << spec << "\" (";
  for (size_t i = 0; i < numOperands; ++i)
    os << (i ? ", " : "") << "%" << i;
  os << ") ";
  if (numEntries)
    os << "tables(t = %t : " << table << ") ";
  os << "outs(%" << numOperands << " : " << types.back() << ") : ("
     << llvm::join(ArrayRef(types).drop_back(), ", ") << ")\n  return\n}\n";
}

/// Parses the program for `cpu`.
static OwningOpRef<ModuleOp> parse(const Problem &problem, MLIRContext &context,
                                   const machine::Cpu &cpu) {
  auto module = parseSourceString<ModuleOp>(problem.text, &context);
  if (module)
    runtime::attachMachine(*module, cpu);
  return module;
}

static void setOptions(EinsumToCpuOptions &options, const std::string &config) {
  options.threads = 1;
  options.openmp = false;
  options.config = config;
}

Expected<Kernel> Kernel::compile(Problem &problem, MLIRContext &context,
                                 const machine::Cpu &cpu,
                                 const std::string &config) {
  OwningOpRef<ModuleOp> module = parse(problem, context, cpu);
  auto function = *module->getOps<func::FuncOp>().begin();
  FunctionType type = function.getFunctionType();
  runtime::CpuProgram::prepare(function);
  PassManager manager(&context);
  EinsumToCpuOptions options;
  setOptions(options, config);
  buildEinsumToCpuPipeline(manager, options);
  if (failed(manager.run(*module)))
    return createStringError(problem.name + " does not lower with '" + config +
                             "'");
  Kernel kernel;
  kernel.problem = &problem;
  if (Error error = runtime::CpuProgram::compile(*module, "main", type)
                        .moveInto(kernel.program))
    return std::move(error);
  // Caches and pages of a first run are not those of others.
  for (bool isFirst = true;; isFirst = false) {
    auto time = kernel.time();
    if (!time)
      return time.takeError();
    if (isFirst)
      continue;
    if (*time * kernel.count >= kLeastSeconds)
      return kernel;
    kernel.count *= 2;
  }
}

Expected<double> Kernel::time() {
  double seconds = 0;
  auto results = program->run(problem->arrays, &seconds, /*memory=*/{}, count);
  if (!results)
    return results.takeError();
  return seconds / count;
}

/// Some of the kernels that are compared for a contraction, the best one first.
static std::vector<einsum::KernelCandidate>
chooseKernels(const Problem &problem, MLIRContext &context,
              const machine::Cpu &cpu) {
  OwningOpRef<ModuleOp> module = parse(problem, context, cpu);
  PassManager manager(&context);
  EinsumToCpuOptions options;
  setOptions(options, "auto");
  buildCpuSchedulePipeline(manager, options);
  std::vector<einsum::KernelCandidate> all;
  if (!module || failed(manager.run(*module)))
    return all;
  module->walk([&](einsum::ContractOp op) { all = einsum::listKernels(op); });
  std::mt19937 random(all.size());
  std::vector<einsum::KernelCandidate> chosen;
  size_t begin = 0;
  for (auto [count, most] : kKernels) {
    size_t end = begin;
    while (end < all.size() && all[end].cycles <= most * all.front().cycles)
      ++end;
    auto first = all.begin() + begin + (begin == 0), last = all.begin() + end;
    if (begin == 0 && end > 0)
      chosen.push_back(all.front());
    if (first < last) {
      std::shuffle(first, last, random);
      std::copy_n(first, std::min<size_t>(count, last - first),
                  std::back_inserter(chosen));
    }
    begin = end;
  }
  return chosen;
}

/// Times kernels of `problem` for about so many seconds.
static Expected<CalibrationCase>
measure(Problem &problem, const std::shared_ptr<MLIRContext> &context,
        const machine::Cpu &cpu, double seconds) {
  double start = getSeconds();
  CalibrationCase result;
  result.name = problem.name;
  std::vector<Kernel> kernels;
  for (const einsum::KernelCandidate &candidate :
       chooseKernels(problem, *context, cpu)) {
    if (result.samples.size() > 1 &&
        getSeconds() - start > kCompiling * seconds)
      break;
    auto kernel = Kernel::compile(problem, *context, cpu, candidate.config);
    if (!kernel)
      return kernel.takeError();
    kernels.push_back(std::move(*kernel));
    CalibrationSample &sample = result.samples.emplace_back();
    sample.config = candidate.config;
    sample.estimate =
        [=, estimate = candidate.estimate](const machine::CpuCosts &costs) {
          machine::Cpu other = cpu;
          other.costs = costs;
          return estimate(einsum::MachineAttr::get(context.get(), other));
        };
  }
  for (unsigned round = 0;
       round < kLeastRounds || getSeconds() - start < seconds; ++round)
    for (auto [kernel, sample] : llvm::zip_equal(kernels, result.samples)) {
      auto time = kernel.time();
      if (!time)
        return time.takeError();
      if (round == 0 || *time < sample.seconds)
        sample.seconds = *time;
    }
  return result;
}

Expected<std::vector<CalibrationCase>>
tune::measureCases(const machine::Cpu &cpu, double seconds) {
  llvm::sys::SetInterruptFunction([] { wasInterrupted = true; });
  DialectRegistry registry;
  execution::registerAll(registry);
  auto context = std::make_shared<MLIRContext>(registry);
  std::vector<Problem> problems;
  for (auto [spec, shapes] : kCases)
    problems.emplace_back(spec, shapes, "f32");
  for (auto [spec, shapes, numEntries, range] : kTabledCases)
    problems.emplace_back(spec, shapes, "f32", numEntries, range);
  if (cpu.amx || cpu.bf16)
    for (auto [spec, shapes] : kPairCases)
      problems.emplace_back(spec, shapes, "bf16");
  std::vector<CalibrationCase> cases;
  double start = getSeconds();
  for (auto [i, problem] : llvm::enumerate(problems)) {
    double left = seconds - (getSeconds() - start);
    auto measured =
        measure(problem, context, cpu, left / double(problems.size() - i));
    problem.arrays.clear();
    if (!measured)
      return measured.takeError();
    if (wasInterrupted)
      break;
    const auto &samples = measured->samples;
    if (samples.size() < 2)
      continue;
    measured->isHeldOut = cases.size() % kHeldOut == kHeldOut - 1;
    double least = samples.front().seconds;
    for (const CalibrationSample &sample : samples)
      least = std::min(least, sample.seconds);
    llvm::errs() << "[calibrate] " << i + 1 << '/' << problems.size() << ' '
                 << problem.name
                 << llvm::format(
                        ": %zu kernels, %.4g us, the chosen one %.3f "
                        "times; %.0f s left\n",
                        samples.size(), 1e6 * least,
                        samples.front().seconds / least,
                        std::max(0.0, seconds - (getSeconds() - start)));
    cases.push_back(std::move(*measured));
  }
  if (wasInterrupted)
    llvm::errs()
        << "[calibrate] interrupted: costs are fitted to what is known\n";
  if (cases.size() < kHeldOut)
    return createStringError("expected the times of " + Twine(kHeldOut) +
                             " contractions at least, found " +
                             Twine(cases.size()));
  return cases;
}
