//===- Program.cpp - A bundle as a whole ----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// docs/bundles.md tells what the names of memory mean.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

using namespace tileir::bench;
using namespace tileir::launch;

Error Program::load() {
  if (Error error = readManifest(folder, manifest))
    return error;
  if (manifest.launches.empty())
    return Error(folder + ": expected launches in the manifest");
  for (const Launch &launch : manifest.launches) {
    const Kernel &kernel = *manifest.findKernel(launch.kernel);
    if (Error error = addTemporaries(launch, kernel))
      return error;
    std::unique_ptr<LoadedKernel> &loaded = kernels[launch.kernel];
    if (loaded)
      continue;
    loaded = std::make_unique<LoadedKernel>(device);
    if (Error error = loaded->load(manifest, kernel))
      return error;
  }
  return Error();
}

Error Program::addTemporaries(const Launch &launch, const Kernel &kernel) {
  for (size_t i = 0; i < launch.memory.size(); ++i) {
    const std::string &name = launch.memory[i];
    if (name.compare(0, 9, "temporary") != 0 || temporaries.count(name))
      continue;
    const Argument &argument = kernel.arguments[i];
    if (!argument.hasShape())
      return Error(folder + ": expected static shapes of what is temporary");
    size_t bytes = getElementBytes(argument.type);
    for (int64_t size : argument.shape)
      bytes *= size_t(size);
    DeviceBuffer &buffer = buffers.emplace_back(device);
    if (Error error = buffer.allocate(bytes))
      return error;
    temporaries[name] = buffer.value(argument.shape);
  }
  return Error();
}

Error Program::run(const std::vector<Value> &arguments, const Value &result,
                   const Value &computed) const {
  for (const Launch &launch : manifest.launches) {
    std::vector<Value> values;
    const Kernel &kernel = *manifest.findKernel(launch.kernel);
    for (size_t i = 0; i < launch.memory.size(); ++i) {
      if (!kernel.arguments[i].isFree())
        continue;
      const std::string &name = launch.memory[i];
      size_t space = name.find(' ');
      std::string kind = name.substr(0, space);
      size_t number =
          space == std::string::npos ? 0 : size_t(std::atoll(&name[space + 1]));
      auto temporary = temporaries.find(name);
      if (kind == "argument" && number < arguments.size())
        values.push_back(arguments[number]);
      else if (temporary != temporaries.end())
        values.push_back(temporary->second);
      else
        values.push_back(kind == "result" ? result : computed);
    }
    if (Error error = kernels.at(launch.kernel)->launch(values))
      return error;
  }
  return Error();
}
