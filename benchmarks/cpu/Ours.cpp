//===- Ours.cpp - Tensor operations of TileIR -----------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// By the C interface, whose library is opened when it is needed: this program
// builds without it.
//
//===----------------------------------------------------------------------===//

#include "Baseline.h"
#include "tileir-c/TensorOperation.h"

#include <cstring>
#include <deque>
#include <dlfcn.h>

using namespace tileir::bench;

namespace {
struct Interface {
  decltype(&tileirCreateOperation) createOperation;
  decltype(&tileirCreateEinsumWithOptions) createEinsum;
  decltype(&tileirFreeMessage) freeMessage;
  decltype(&tileirGetNumInputs) getNumInputs;
  decltype(&tileirRun) run;
  decltype(&tileirGetCompileSeconds) getCompileSeconds;
  decltype(&tileirGetSchedule) getSchedule;

  /// Empty, or why it is not there.
  std::string open(const std::string &file) {
    void *library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!library)
      return dlerror();
    std::string missing;
    auto find = [&](auto &function, const char *name) {
      function = reinterpret_cast<std::decay_t<decltype(function)>>(
          dlsym(library, name));
      if (!function)
        missing = file + " has no " + name;
    };
    find(createOperation, "tileirCreateOperation");
    find(createEinsum, "tileirCreateEinsumWithOptions");
    find(freeMessage, "tileirFreeMessage");
    find(getNumInputs, "tileirGetNumInputs");
    find(run, "tileirRun");
    find(getCompileSeconds, "tileirGetCompileSeconds");
    find(getSchedule, "tileirGetSchedule");
    return missing;
  }
};

/// Names of the problem's text, in the order of the interface's numbers.
constexpr const char *kTypes[] = {"f32", "f64", "f16", "bf16", "i32", "i8"};
constexpr const char *kPrimitives[] = {"none", "zero", "load",   "bias", "copy",
                                       "add",  "sub",  "mul",    "div",  "min",
                                       "max",  "gemm", "brgemm", "relu"};
constexpr const char *kRoles[] = {"c", "m", "n", "k"};
constexpr const char *kExecutions[] = {"seq", "shared", "prim"};

template <typename Enum, size_t count>
Enum read(const std::string &word, const char *const (&names)[count],
          Enum otherwise = Enum(0)) {
  for (size_t i = 0; i < count; ++i)
    if (word == names[i])
      return Enum(i);
  return otherwise;
}

/// Lists that outlive the call they are for.
struct Lists {
  std::deque<std::vector<int64_t>> kept;
  TileirInts hold(std::vector<int64_t> values) {
    kept.push_back(std::move(values));
    return {kept.back().data(), kept.back().size()};
  }
  template <size_t count>
  TileirInts readNames(const std::string &text,
                       const char *const (&names)[count]) {
    std::istringstream stream(text);
    std::vector<int64_t> values;
    for (std::string word; stream >> word;)
      values.push_back(read<int64_t>(word, names));
    return hold(values);
  }
};

TileirOperation *createOperation(const Interface &interface,
                                 const Problem &problem, Lists &lists,
                                 char **message) {
  TileirOperationDescription description = {};
  description.type = read<TileirType>(problem.get("type"), kTypes);
  description.first_touch =
      read<TileirPrimitive>(problem.get("first"), kPrimitives);
  description.main = read<TileirPrimitive>(problem.get("main"), kPrimitives);
  description.last_touch =
      read<TileirPrimitive>(problem.get("last"), kPrimitives);
  description.dim_types = lists.readNames(problem.get("dim_types"), kRoles);
  description.exec_types =
      lists.readNames(problem.get("exec_types"), kExecutions);
  description.dim_sizes = lists.hold(problem.getInts("dim_sizes"));
  description.strides_in0 = lists.hold(problem.getInts("strides_in0"));
  description.strides_in1 = lists.hold(problem.getInts("strides_in1"));
  description.strides_out = lists.hold(problem.getInts("strides_out"));
  description.strides_bias = lists.hold(problem.getInts("strides_bias"));
  description.optimize = int(problem.getInt("optimize"));
  description.threads = int(problem.getInt("threads", 1));
  return interface.createOperation(&description, message);
}

TileirOperation *createEinsum(const Interface &interface,
                              const Problem &problem, Lists &lists,
                              char **message) {
  std::vector<TileirInts> shapes;
  auto lines = problem.lines.find("shape");
  if (lines != problem.lines.end())
    for (const std::string &line : lines->second)
      shapes.push_back(lists.hold(Problem::readInts(line)));
  std::string spec = problem.get("spec"), sizes = problem.get("indices"),
              padding = problem.get("padding");
  TileirEinsumDescription description = {};
  description.spec = spec.c_str();
  description.type = read<TileirType>(problem.get("type"), kTypes);
  description.num_inputs = shapes.size();
  description.shapes = shapes.data();
  description.sizes = sizes.empty() ? nullptr : sizes.c_str();
  description.padding = padding.empty() ? nullptr : padding.c_str();
  description.first_touch =
      read<TileirPrimitive>(problem.get("first"), kPrimitives, TILEIR_ZERO);
  description.last_touch =
      read<TileirPrimitive>(problem.get("last"), kPrimitives);
  description.strides_bias = lists.hold(problem.getInts("strides_bias"));
  description.threads = int(problem.getInt("threads", 1));
  std::string ofInputs = problem.get("input_type");
  std::vector<TileirType> inputTypes(
      shapes.size(), read<TileirType>(ofInputs, kTypes, description.type));
  TileirEinsumOptions options = {};
  options.size = sizeof(options);
  options.input_types = inputTypes.data();
  return interface.createEinsum(&description, &options, message);
}
} // namespace

bool tileir::bench::makeOurs(const Problem &problem, Run &run,
                             std::string &text) {
  static Interface interface;
  static std::string missing = interface.open(problem.get("library"));
  if (!missing.empty())
    return text = missing, false;
  Lists lists;
  char *message = nullptr;
  TileirOperation *operation =
      problem.get("spec").empty()
          ? createOperation(interface, problem, lists, &message)
          : createEinsum(interface, problem, lists, &message);
  if (!operation) {
    text = message ? message : "no message";
    if (message)
      interface.freeMessage(message);
    return false;
  }
  size_t numInputs = interface.getNumInputs(operation);
  if (numInputs != problem.inputs.size()) {
    text = "expected " + std::to_string(problem.inputs.size()) +
           " inputs, found " + std::to_string(numInputs);
    return false;
  }
  // How long it took, in seconds, then its schedule.
  const char *schedule = interface.getSchedule(operation);
  text = std::to_string(interface.getCompileSeconds(operation)) + " " +
         (schedule ? schedule : "");
  std::vector<const void *> inputs = problem.inputs;
  void *output = problem.output;
  auto call = interface.run;
  run = repeat([=] { call(operation, inputs.data(), output); });
  return true;
}
