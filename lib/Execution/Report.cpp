//===- Report.cpp - Times, counts and checks of runs ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Execution/Report.h"

#include "tileir/Dialect/Einsum/IR/IndexSizes.h"
#include "tileir/Dialect/Einsum/Transforms/Passes.h"

#include "mlir/Pass/PassManager.h"
#include "llvm/Support/Format.h"

#include <algorithm>
#include <cmath>

using namespace mlir;
using namespace tileir;
using namespace tileir::execution;
using namespace tileir::einsum;
using namespace tileir::runtime;
namespace json = llvm::json;

static double getMedian(std::vector<double> sorted) {
  std::sort(sorted.begin(), sorted.end());
  size_t half = sorted.size() / 2;
  return sorted.size() % 2 ? sorted[half]
                           : (sorted[half - 1] + sorted[half]) / 2;
}

double RunReport::getMedianSeconds() const {
  return getMedian(kernelSeconds.empty() ? seconds : kernelSeconds);
}

/// Milliseconds of several runs.
static json::Object summarize(const std::vector<double> &seconds) {
  auto [min, max] = std::minmax_element(seconds.begin(), seconds.end());
  return json::Object{{"median", getMedian(seconds) * 1e3},
                      {"min", *min * 1e3},
                      {"max", *max * 1e3}};
}

/// JSON has no NaN and no infinity.
static json::Value toJSON(double value) {
  if (std::isfinite(value))
    return value;
  return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

json::Value RunReport::toJSON() const {
  json::Object report{{"file", file},
                      {"entry", entry},
                      {"backend", backend},
                      {"repeat", static_cast<int64_t>(seconds.size())},
                      {"compile_ms", compileSeconds * 1e3}};
  report["time_ms"] = summarize(seconds);
  if (!kernelSeconds.empty())
    report["kernel_ms"] = summarize(kernelSeconds);
  if (megahertz)
    report["clock_mhz"] = int64_t(*megahertz);
  report["flops"] = flops ? json::Value(*flops) : json::Value(nullptr);
  report["gflops"] = flops ? json::Value(*flops / getMedianSeconds() / 1e9)
                           : json::Value(nullptr);
  report["contractions"] = json::Array(contractions);
  report["check"] = nullptr;
  if (check)
    report["check"] = json::Object{
        {"against", check->against},
        {"tolerance", check->tolerance},
        {"error", ::toJSON(check->error)},
        {"passed", check->passed},
        {"worst", json::Object{{"output", static_cast<int64_t>(check->output)},
                               {"index", json::Array(check->index)},
                               {"got", ::toJSON(check->got)},
                               {"expected", ::toJSON(check->expected)}}}};
  if (sim)
    sim->addTo(report);
  return report;
}

void RunReport::print(llvm::raw_ostream &os) const {
  os << '@' << entry << " on " << backend << ": "
     << llvm::format("%.3f ms", getMedian(seconds) * 1e3);
  if (!kernelSeconds.empty())
    os << llvm::format(", kernels %.4g ms", getMedianSeconds() * 1e3);
  if (megahertz)
    os << " at " << *megahertz << " MHz";
  if (seconds.size() > 1)
    os << " (median of " << seconds.size() << ')';
  if (flops)
    os << llvm::format(", %.2f GFLOP/s", *flops / getMedianSeconds() / 1e9);
  os << '\n';
  if (!check)
    return;
  os << "check against " << check->against << ": "
     << (check->passed ? "passed" : "FAILED")
     << llvm::format(", error %.3g, tolerance %.3g\n", check->error,
                     check->tolerance);
  if (check->passed)
    return;
  os << "worst element: " << check->describeWorst() << '\n';
}

static json::Array listContractions(ModuleOp module) {
  json::Array list;
  module.walk([&](ContractOp op) {
    json::Object sizes;
    for (auto [index, size] :
         llvm::zip(op.getSpec().getIndices(), getStaticIndexSizes(op)))
      sizes[std::string(1, index)] = ShapedType::isDynamic(size)
                                         ? json::Value(nullptr)
                                         : json::Value(size);
    list.push_back(json::Object{{"spec", op.getSpec().toString()},
                                {"sizes", std::move(sizes)}});
  });
  return list;
}

static std::optional<double> countFlops(ModuleOp module) {
  OwningOpRef<ModuleOp> pairs = module.clone();
  PassManager manager(module.getContext());
  manager.addPass(createEinsumContractPairwisePass());
  if (failed(manager.run(*pairs)))
    return std::nullopt;
  std::optional<double> flops = 0;
  pairs->walk([&](ContractOp op) {
    SpecAttr spec = op.getSpec();
    bool sums = spec.getNumIndices() > spec.getNumResultIndices();
    double perPoint = spec.getNumOperands() - 1 + sums;
    double points = 1;
    for (int64_t size : getStaticIndexSizes(op)) {
      if (ShapedType::isDynamic(size))
        flops.reset();
      points *= static_cast<double>(size);
    }
    if (flops)
      *flops += perPoint * points;
  });
  if (flops && *flops == 0)
    return std::nullopt;
  return flops;
}

RunReport execution::startReport(func::FuncOp entry, StringRef backend) {
  auto module = entry->getParentOfType<ModuleOp>();
  RunReport report;
  report.entry = entry.getName().str();
  report.backend = backend.str();
  report.contractions = listContractions(module);
  report.flops = countFlops(module);
  return report;
}

llvm::Expected<RunResult> execution::measure(Executable &executable,
                                             ArrayRef<NDArray> arguments,
                                             unsigned repeat,
                                             RunReport &report) {
  report.compileSeconds = executable.getCompileSeconds();
  if (repeat > 1 && executable.needsWarmUp())
    if (auto untimed = executable.run(arguments); !untimed)
      return untimed;
  while (true) {
    auto result = executable.run(arguments);
    if (!result)
      return result;
    report.seconds.push_back(result->seconds);
    if (result->kernelSeconds)
      report.kernelSeconds.push_back(*result->kernelSeconds);
    report.megahertz = result->megahertz;
    report.sim = std::move(result->sim);
    if (report.seconds.size() >= repeat)
      return result;
  }
}
