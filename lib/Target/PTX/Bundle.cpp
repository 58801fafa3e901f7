//===- Bundle.cpp - Kernels built ahead of time ---------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// One file of PTX for each gpu.module, which is what is loaded as a whole, and
// one of machine code for each chip.
//
//===----------------------------------------------------------------------===//

#include "tileir/Target/PTX/Bundle.h"

#include "tileir/Target/PTX/Lowering.h"
#include "tileir/Target/PTX/PTX.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::ptx;
using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
namespace json = llvm::json;

namespace {
class BundleWriter {
public:
  BundleWriter(StringRef folder, const BundleOptions &options)
      : folder(folder), options(options) {}

  /// Writes the files of a gpu.module. Gives the manifest's entry for it.
  Expected<json::Object> writeModule(gpu::GPUModuleOp kernels) {
    auto target = getNvvmTarget(kernels);
    if (!target)
      return target.takeError();
    auto ptx = translateToPTX(kernels);
    if (!ptx)
      return ptx.takeError();
    std::string name = kernels.getName().str();
    if (name.find_first_of("/\\:") != std::string::npos)
      return createStringError("gpu.module @" + name +
                               " names files of the bundle: expected a name "
                               "without '/', '\\' and ':'");
    if (Error error = writeFile(name + ".ptx", *ptx))
      return std::move(error);
    json::Object cubins;
    for (const std::string &chip : options.chips) {
      auto cubin = assemble(options.ptxas, *ptx, chip);
      if (!cubin)
        return cubin.takeError();
      std::string file = name + "." + chip + ".cubin";
      if (Error error = writeFile(file, *cubin))
        return std::move(error);
      cubins[chip] = file;
    }
    return json::Object{{"name", name},
                        {"chip", target->getChip()},
                        {"ptx", name + ".ptx"},
                        {"cubins", std::move(cubins)}};
  }

  Error writeFile(const Twine &name, StringRef text) {
    return llvm::writeToOutput((folder + "/" + name).str(),
                               [&](raw_ostream &os) {
                                 os << text;
                                 return Error::success();
                               });
  }

private:
  StringRef folder;
  const BundleOptions &options;
};
} // namespace

/// The version of the manifest: a reader of version 1 would launch kernels on
/// sizes that they do not take, one of version 2 would take maps for numbers,
/// and one of version 3 would copy what lies between the elements of a box.
static int64_t getVersion(const json::Array &kernels) {
  int64_t version = 1;
  for (const json::Value &kernel : kernels) {
    if (kernel.getAsObject()->get("requires"))
      version = std::max<int64_t>(version, 2);
    for (const json::Value &value :
         *kernel.getAsObject()->getArray("arguments")) {
      const json::Object &argument = *value.getAsObject();
      if (argument.getString("kind") == "tensor_map")
        version = std::max<int64_t>(version, argument.get("steps") ? 4 : 3);
    }
  }
  return version;
}

Error ptx::writeBundle(ModuleOp module, StringRef folder,
                       const BundleOptions &options) {
  auto kernels = describeKernels(module);
  if (!kernels)
    return kernels.takeError();
  if (std::error_code code = llvm::sys::fs::create_directories(folder))
    return createStringError(code, "cannot create the folder '" + folder +
                                       "': " + code.message());
  BundleWriter writer(folder, options);
  json::Array modules;
  for (auto gpuModule : module.getOps<gpu::GPUModuleOp>()) {
    auto entry = writer.writeModule(gpuModule);
    if (!entry)
      return entry.takeError();
    modules.push_back(std::move(*entry));
  }
  json::Object manifest{{"format", "tileir-bundle"},
                        {"version", getVersion(kernels->kernels)},
                        {"modules", std::move(modules)},
                        {"kernels", std::move(kernels->kernels)}};
  json::Value launches = describeLaunches(module, kernels->names);
  if (launches != nullptr)
    manifest["launches"] = std::move(launches);
  return writer.writeFile(
      "manifest.json",
      llvm::formatv("{0:2}\n", json::Value(std::move(manifest))).str());
}
