//===- Manifest.h - What is in a bundle of kernels --------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// manifest.json of a folder that `tile-translate --emit-bundle` wrote, read and
// checked; its format is in docs/bundles.md.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LAUNCH_MANIFEST_H
#define TILEIR_LAUNCH_MANIFEST_H

#include "tileir-launch/Error.h"
#include "tileir-launch/Json.h"
#include "tileir-launch/Numbers.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <sstream>

namespace tileir::launch {

/// As 4x?x5, or ().
inline std::string shapeToString(const std::vector<int64_t> &shape) {
  std::string text;
  for (int64_t size : shape)
    text += (text.empty() ? "" : "x") +
            (size < 0 ? std::string("?") : std::to_string(size));
  return text.empty() ? "()" : text;
}

struct Argument {
  bool isBuffer = false;
  std::string type;           ///< of the number, or of the elements
  std::vector<int64_t> shape; ///< of a buffer; -1 where it is not known
  size_t alignment = 1;
  bool isReadOnly = false;
  /// Of a number: what it always is, as text.
  std::optional<std::string> value;
  /// Of a buffer: its elements, if they always are the same, as text.
  std::vector<std::string> values;
  /// Of a number: the argument and the axis whose size it is.
  std::optional<std::pair<size_t, size_t>> size;

  bool hasShape() const {
    for (int64_t length : shape)
      if (length < 0)
        return false;
    return true;
  }
  /// Whether who launches has to give it.
  bool isFree() const { return isBuffer ? values.empty() : !value && !size; }
};

/// A way to launch a function of a module.
struct Kernel {
  std::string name, function, module, source;
  std::optional<std::array<unsigned, 3>> grid;
  std::array<unsigned, 3> block = {1, 1, 1};
  unsigned dynamicSharedBytes = 0;
  std::vector<Argument> arguments;
};

/// What a program does with a kernel.
struct Launch {
  std::string kernel;
  std::vector<std::string> memory; ///< of each argument; empty for numbers
};

/// Files that are loaded as a whole.
struct Module {
  std::string name, chip, ptx;
  std::vector<std::pair<std::string, std::string>> cubins; ///< by chip
};

struct Manifest {
  std::string folder;
  std::vector<Kernel> kernels;
  std::vector<Module> modules;
  std::vector<Launch> launches; ///< empty if it is not known

  const Kernel *findKernel(const std::string &name) const {
    for (const Kernel &kernel : kernels)
      if (kernel.name == name)
        return &kernel;
    return nullptr;
  }
  const Module *findModule(const std::string &name) const {
    for (const Module &module : modules)
      if (module.name == name)
        return &module;
    return nullptr;
  }
};

inline Error readFile(const std::string &path, std::string &content) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    return Error("cannot open '" + path + "'");
  std::ostringstream os;
  os << file.rdbuf();
  content = os.str();
  return Error();
}

/// Takes a manifest apart. The first thing that is not as expected is kept.
class ManifestReader {
public:
  Error read(const std::string &folder, Manifest &manifest) {
    std::string path = folder + "/manifest.json", text, message;
    if (Error error = readFile(path, text))
      return error;
    Json root;
    if (!JsonReader(text).read(root, message))
      return Error("'" + path + "': " + message);
    if (root["format"].text != "tileir-bundle" || root["version"].text != "1")
      return Error("'" + path +
                   "': expected a manifest of format tileir-bundle, version 1");
    manifest.folder = folder;
    for (const Json &json : get(root, "modules", Json::Array).items)
      manifest.modules.push_back(readModule(json));
    for (const Json &json : get(root, "kernels", Json::Array).items)
      manifest.kernels.push_back(readKernel(json));
    for (const Kernel &kernel : manifest.kernels)
      if (!manifest.findModule(kernel.module))
        expect(false, "a module '" + kernel.module + "'");
    for (const Json &json : root["launches"].items)
      manifest.launches.push_back(readLaunch(json, manifest));
    return problem.empty() ? Error() : Error("'" + path + "': " + problem);
  }

private:
  void expect(bool condition, const std::string &what) {
    if (!condition && problem.empty())
      problem = "expected " + what;
  }

  const Json &get(const Json &object, const char *key, Json::Kind kind) {
    static const char *const kinds[] = {"null",   "boolean", "number",
                                        "string", "array",   "object"};
    const Json &value = object[key];
    expect(value.kind == kind,
           std::string("a member '") + key + "', " + kinds[kind]);
    return value;
  }

  int64_t getInteger(const Json &value, int64_t low, int64_t high) {
    char *end = nullptr;
    int64_t number = std::strtoll(value.text.c_str(), &end, 10);
    expect(value.kind == Json::Number && *end == '\0' && number >= low &&
               number <= high,
           "an integer from " + std::to_string(low) + " to " +
               std::to_string(high) + ", found '" + value.text + "'");
    return number;
  }

  Module readModule(const Json &json) {
    Module module{get(json, "name", Json::String).text,
                  get(json, "chip", Json::String).text,
                  get(json, "ptx", Json::String).text,
                  {}};
    for (const auto &[chip, file] : get(json, "cubins", Json::Object).members)
      module.cubins.emplace_back(chip, file.text);
    return module;
  }

  std::array<unsigned, 3> readSizes(const Json &json) {
    std::array<unsigned, 3> sizes = {1, 1, 1};
    expect(json.kind == Json::Array && json.items.size() == 3, "three sizes");
    for (size_t i = 0; i < 3 && i < json.items.size(); ++i)
      sizes[i] = unsigned(getInteger(json.items[i], 1, INT32_MAX));
    return sizes;
  }

  Argument readArgument(const Json &json) {
    Argument argument;
    argument.isBuffer = get(json, "kind", Json::String).text == "buffer";
    argument.type = get(json, "type", Json::String).text;
    expect(getElementBytes(argument.type) > 0,
           "a type of elements, found '" + argument.type + "'");
    if (argument.isBuffer) {
      for (const Json &size : get(json, "shape", Json::Array).items)
        argument.shape.push_back(size.kind == Json::Null
                                     ? -1
                                     : getInteger(size, 0, int64_t(1) << 40));
      argument.alignment = size_t(getInteger(json["alignment"], 1, 1 << 20));
      argument.isReadOnly = get(json, "readonly", Json::Bool).text == "true";
      for (const Json &value : json["values"].items)
        argument.values.push_back(value.text);
      double numElements = 1;
      for (int64_t size : argument.shape)
        numElements *= double(size);
      expect(argument.values.empty() ||
                 (argument.hasShape() &&
                  numElements == double(argument.values.size())),
             "as many values as a buffer of " + shapeToString(argument.shape) +
                 " has elements, found " +
                 std::to_string(argument.values.size()));
    } else if (const Json &size = json["size"]; size.kind == Json::Object) {
      argument.size.emplace(getInteger(size["argument"], 0, 1 << 16),
                            getInteger(size["axis"], 0, 1 << 16));
    } else if (json["value"].kind != Json::Null) {
      argument.value = json["value"].text;
    }
    return argument;
  }

  Kernel readKernel(const Json &json) {
    Kernel kernel;
    kernel.name = get(json, "name", Json::String).text;
    kernel.function = get(json, "function", Json::String).text;
    kernel.module = get(json, "module", Json::String).text;
    if (json["grid"].kind != Json::Null)
      kernel.grid = readSizes(json["grid"]);
    kernel.block = readSizes(json["block"]);
    kernel.dynamicSharedBytes =
        unsigned(getInteger(json["dynamicSharedBytes"], 0, 1 << 24));
    for (const Json &argument : get(json, "arguments", Json::Array).items)
      kernel.arguments.push_back(readArgument(argument));
    for (const Argument &argument : kernel.arguments)
      if (argument.size)
        expect(argument.size->first < kernel.arguments.size() &&
                   kernel.arguments[argument.size->first].isBuffer &&
                   kernel.arguments[argument.size->first].isFree() &&
                   argument.size->second <
                       kernel.arguments[argument.size->first].shape.size(),
               "a size to be that of an axis of a buffer that is given");
    for (const Json &spec : json["source"]["specs"].items)
      kernel.source += (kernel.source.empty() ? "" : "; ") + spec.text;
    return kernel;
  }

  Launch readLaunch(const Json &json, const Manifest &manifest) {
    Launch launch{get(json, "kernel", Json::String).text, {}};
    for (const Json &memory : get(json, "memory", Json::Array).items)
      launch.memory.push_back(memory.text);
    const Kernel *kernel = manifest.findKernel(launch.kernel);
    expect(kernel && kernel->arguments.size() == launch.memory.size(),
           "launches of a kernel, with the memory of each argument, found '" +
               launch.kernel + "'");
    return launch;
  }

  std::string problem;
};

/// Reads the manifest of a bundle.
inline Error readManifest(const std::string &folder, Manifest &manifest) {
  return ManifestReader().read(folder, manifest);
}

} // namespace tileir::launch

#endif // TILEIR_LAUNCH_MANIFEST_H
