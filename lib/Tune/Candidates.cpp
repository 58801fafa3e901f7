//===- Candidates.cpp - Configurations that a pass compares ---------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs the pipeline with `list-configs` instead of a configuration, for the CPU
// that this runs on, and reads the remarks.
//
//===----------------------------------------------------------------------===//

#include "tileir/Tune/Candidates.h"

#include "tileir/Execution/Program.h"
#include "tileir/Runtime/HostCpu.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tune;
using llvm::createStringError;

namespace {

/// The configurations of each contraction, in the order of their remarks.
using Candidates = llvm::MapVector<Location, Parameter>;

/// Puts remarks into `candidates`, which outlives it.
struct Collector final : remark::detail::MLIRRemarkStreamerBase {
  explicit Collector(Candidates &candidates) : candidates(candidates) {}

  void streamOptimizationRemark(const remark::detail::Remark &remark) override {
    if (remark.getRemarkName() != "list-configs")
      return;
    StringRef config, estimate;
    for (const remark::detail::Remark::Arg &arg : remark.getArgs())
      if (arg.key == "config")
        config = arg.val;
      else if (arg.key == "estimate")
        estimate = arg.val;
    Parameter &parameter = candidates[remark.getLocation()];
    double value = 0;
    if (config.empty() || estimate.getAsDouble(value) ||
        llvm::is_contained(parameter.values, config))
      return;
    parameter.values.push_back(config.str());
    parameter.predictions.push_back(value);
  }

private:
  Candidates &candidates;
};

} // namespace

std::string tune::getDefaultPipeline(StringRef chip) {
  if (chip.empty())
    return "einsum-to-cpu-pipeline{" + kConfigPlace.str() + "}";
  return ("einsum-to-nvvm-pipeline{chip=" + chip + " " + kConfigPlace + "}")
      .str();
}

llvm::Expected<Parameter> tune::listConfigs(const std::string &file,
                                            const std::string &pipeline,
                                            unsigned count) {
  std::string text = pipeline;
  bool isCpu = StringRef(text).contains("-to-cpu-pipeline");
  text.replace(text.find(kConfigPlace), kConfigPlace.size(),
               llvm::formatv("{0}list-configs={1}", isCpu ? "" : "config=auto ",
                             std::max(count, 2u) - 1));
  static const DialectRegistry registry = [] {
    DialectRegistry all;
    execution::registerAll(all);
    return all;
  }();
  MLIRContext context(registry);
  context.printOpOnDiagnostic(false);
  llvm::SourceMgr sources;
  SourceMgrDiagnosticHandler handler(sources, &context);
  OwningOpRef<ModuleOp> module =
      parseSourceFile<ModuleOp>(file, sources, &context);
  if (!module)
    return createStringError("'" + file + "' does not parse");
  auto cpu = runtime::getCpu(runtime::kHostCpu);
  if (!cpu)
    return cpu.takeError();
  runtime::attachMachine(*module, *cpu);
  Candidates candidates;
  remark::RemarkCategories categories;
  categories.analysis = isCpu ? "einsum" : "tile";
  if (failed(remark::enableOptimizationRemarks(
          context, std::make_unique<Collector>(candidates),
          std::make_unique<remark::RemarkEmittingPolicyAll>(), categories)))
    return createStringError("remarks cannot be read");
  PassManager manager(&context);
  if (failed(parsePassPipeline(text, manager)) || failed(manager.run(*module)))
    return createStringError("'" + text + "' does not run on '" + file + "'");
  // One configuration is for all of them.
  Parameter longest;
  for (auto &[location, parameter] : candidates)
    if (longest.values.empty() ||
        parameter.predictions.front() > longest.predictions.front())
      longest = std::move(parameter);
  if (longest.values.empty())
    return createStringError(
        "nothing to choose: '" + file +
        "' has no contraction whose configurations a pass compares: expected "
        "lists, as --space");
  longest.name = "config";
  // What is chosen without tuning is measured in any case.
  longest.values.insert(longest.values.begin(), "auto");
  longest.predictions.insert(longest.predictions.begin(),
                             longest.predictions.front());
  return longest;
}
