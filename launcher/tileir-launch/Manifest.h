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
#include "tileir-launch/Formula.h"
#include "tileir-launch/Numbers.h"

#include <nlohmann/json.hpp>

#include <algorithm>
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

/// How bulk copies find boxes of a buffer: sizes and the box count from the
/// outermost axis.
struct TensorMap {
  size_t buffer = 0; ///< the argument
  std::vector<int64_t> box;
  std::vector<int64_t> steps; ///< how far apart its elements are
  unsigned swizzle = 0;       ///< bytes: 0, 32, 64 or 128
};

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
  /// Of a map, which is made at the launch and passed by value.
  std::optional<TensorMap> map;

  bool hasShape() const {
    for (int64_t length : shape)
      if (length < 0)
        return false;
    return true;
  }
  /// Whether who launches has to give it.
  bool isFree() const {
    return isBuffer ? values.empty() : !value && !size && !map;
  }
};

/// A way to launch a function of a module.
struct Kernel {
  std::string name, function, module, source;
  std::optional<std::array<Formula, 3>> grid;
  /// Conditions under which it can be launched.
  std::vector<Formula> requirements;
  /// The kernel that takes its place where they do not hold; empty if none
  /// does.
  std::string fallback;
  std::array<unsigned, 3> block = {1, 1, 1};
  unsigned dynamicSharedBytes = 0;
  std::vector<Argument> arguments;

  /// How many arguments who launches has to give.
  size_t countFree() const {
    return std::count_if(
        arguments.begin(), arguments.end(),
        [](const Argument &argument) { return argument.isFree(); });
  }
};

/// One launch of a kernel by the program.
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

using Json = nlohmann::json;

/// Follows the parser and keeps the position at which a text stops being JSON.
struct JsonErrorPosition : nlohmann::json_sax<Json> {
  size_t position = 0;

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t &) override { return true; }
  bool string(string_t &) override { return true; }
  bool binary(binary_t &) override { return true; }
  bool start_object(size_t) override { return true; }
  bool key(string_t &) override { return true; }
  bool end_object() override { return true; }
  bool start_array(size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(size_t place, const std::string &,
                   const Json::exception &) override {
    position = place;
    return false;
  }
};

/// Parses text that may be hostile; the error says in which line it is wrong.
/// No exceptions, because libraries of TileIR are compiled without them.
inline Error parseJson(const std::string &text, Json &root) {
  root = Json::parse(text, /*cb=*/nullptr, /*allow_exceptions=*/false);
  if (!root.is_discarded())
    return Error();
  JsonErrorPosition error;
  Json::sax_parse(text, &error);
  size_t end = std::min(error.position ? error.position - 1 : 0, text.size());
  auto line = 1 + std::count(text.begin(), text.begin() + end, '\n');
  return Error("line " + std::to_string(line) + " is no JSON as expected");
}

/// A member of an object; null if there is none.
inline const Json &getMember(const Json &object, const char *key) {
  static const Json none;
  if (!object.is_object())
    return none;
  auto member = object.find(key);
  return member == object.end() ? none : *member;
}

/// A string as it is, anything else as it is written; null is empty.
inline std::string getText(const Json &value) {
  if (value.is_null())
    return "";
  if (value.is_string())
    return value.get<std::string>();
  return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Reads a manifest. The first thing that is not as expected is kept.
class ManifestReader {
public:
  Error read(const std::string &folder, Manifest &manifest) {
    std::string path = folder + "/manifest.json", text;
    if (Error error = readFile(path, text))
      return error;
    manifest.folder = folder;
    return parse(text, path, manifest);
  }

  /// Parses the text of a manifest; errors begin with `path`.
  Error parse(const std::string &text, const std::string &path,
              Manifest &manifest) {
    Json root;
    if (Error error = parseJson(text, root))
      return Error("'" + path + "': " + error.getMessage());
    std::string version = getText(getMember(root, "version"));
    if (getText(getMember(root, "format")) != "tileir-bundle" ||
        (version != "1" && version != "2" && version != "3" && version != "4"))
      return Error("'" + path +
                   "': expected a manifest of format tileir-bundle, version 1, "
                   "2, 3 or 4");
    for (const Json &json : get(root, "modules", Json::value_t::array))
      manifest.modules.push_back(readModule(json));
    for (const Json &json : get(root, "kernels", Json::value_t::array))
      manifest.kernels.push_back(readKernel(json));
    for (const Kernel &kernel : manifest.kernels) {
      if (!manifest.findModule(kernel.module))
        expect(false, "a module '" + kernel.module + "'");
      checkFallback(manifest, kernel);
    }
    for (const Json &json : getMember(root, "launches"))
      manifest.launches.push_back(readLaunch(json, manifest));
    return problem.empty() ? Error() : Error("'" + path + "': " + problem);
  }

private:
  void expect(bool condition, const std::string &what) {
    if (!condition && problem.empty())
      problem = "expected " + what;
  }

  /// A member of the given type; an empty value of that type if there is none.
  const Json &get(const Json &object, const char *key, Json::value_t type) {
    const Json &value = getMember(object, key);
    bool isOfType = value.type() == type;
    static const Json none;
    expect(isOfType,
           std::string("a member '") + key + "', " + Json(type).type_name());
    return isOfType ? value : none;
  }

  std::string getString(const Json &object, const char *key) {
    return getText(get(object, key, Json::value_t::string));
  }

  int64_t getInteger(const Json &value, int64_t low, int64_t high) {
    bool fits = value.is_number_integer() &&
                (!value.is_number_unsigned() ||
                 value.get<uint64_t>() <= uint64_t(INT64_MAX));
    int64_t number = fits ? value.get<int64_t>() : low;
    expect(fits && number >= low && number <= high,
           "an integer from " + std::to_string(low) + " to " +
               std::to_string(high) + ", found '" + getText(value) + "'");
    return number;
  }

  Module readModule(const Json &json) {
    Module module{getString(json, "name"),
                  getString(json, "chip"),
                  getString(json, "ptx"),
                  {}};
    for (const auto &[chip, file] :
         get(json, "cubins", Json::value_t::object).items())
      module.cubins.emplace_back(chip, getText(file));
    return module;
  }

  std::array<unsigned, 3> readSizes(const Json &json) {
    std::array<unsigned, 3> sizes = {1, 1, 1};
    expect(json.is_array() && json.size() == 3, "three sizes");
    for (size_t i = 0; i < 3 && json.is_array() && i < json.size(); ++i)
      sizes[i] = unsigned(getInteger(json[i], 1, INT32_MAX));
    return sizes;
  }

  /// A number, {"argument": i, "axis": j} or {"operation": [a, b]}. Formulas of
  /// compilers are not deep.
  Formula readFormula(const Json &json, const Kernel &kernel, int depth = 64) {
    Formula formula;
    bool isObject = json.is_object() && !json.empty();
    if (!isObject || depth == 0) {
      formula.number = getInteger(json, INT64_MIN, INT64_MAX);
      return formula;
    }
    if (json.contains("argument")) {
      formula.kind = Formula::Kind::Size;
      formula.argument = getInteger(getMember(json, "argument"), 0, 1 << 16);
      formula.axis = getInteger(getMember(json, "axis"), 0, 1 << 16);
      expect(isSize(kernel, formula.argument, formula.axis),
             "a formula of sizes of buffers that are given");
      return formula;
    }
    formula.kind = Formula::Kind::Operation;
    formula.operation = json.begin().key();
    const Json &operands = json.begin().value();
    bool isKnown = std::find(std::begin(kOperations), std::end(kOperations),
                             formula.operation) != std::end(kOperations) &&
                   json.size() == 1 && operands.is_array() &&
                   operands.size() == 2;
    expect(isKnown, "an operation of a formula with two operands, found '" +
                        getText(json) + "'");
    for (size_t i = 0; i < 2; ++i)
      formula.operands.push_back(
          isKnown ? readFormula(operands[i], kernel, depth - 1) : Formula());
    return formula;
  }

  /// Whether an argument is a buffer that is given, and has the axis.
  static bool isSize(const Kernel &kernel, size_t argument, size_t axis) {
    return argument < kernel.arguments.size() &&
           kernel.arguments[argument].isBuffer &&
           kernel.arguments[argument].isFree() &&
           axis < kernel.arguments[argument].shape.size();
  }

  /// The grid, of numbers or formulas.
  std::array<Formula, 3> readGrid(const Json &json, const Kernel &kernel) {
    std::array<Formula, 3> grid;
    expect(json.is_array() && json.size() == 3, "three sizes");
    for (size_t i = 0; i < 3 && json.is_array() && i < json.size(); ++i) {
      grid[i] = readFormula(json[i], kernel);
      expect(grid[i].kind != Formula::Kind::Number ||
                 (grid[i].number >= 1 && grid[i].number <= INT32_MAX),
             "an integer from 1 to " + std::to_string(INT32_MAX) + ", found '" +
                 getText(json[i]) + "'");
    }
    return grid;
  }

  /// A fallback is given the same arguments, and has none itself.
  void checkFallback(const Manifest &manifest, const Kernel &kernel) {
    if (kernel.fallback.empty())
      return;
    const Kernel *other = manifest.findKernel(kernel.fallback);
    expect(other && other->fallback.empty() &&
               other->countFree() == kernel.countFree(),
           "a fallback with the arguments of '" + kernel.name + "', found '" +
               kernel.fallback + "'");
  }

  Argument readArgument(const Json &json) {
    Argument argument;
    argument.isBuffer = getString(json, "kind") == "buffer";
    argument.type = getString(json, "type");
    expect(getElementBytes(argument.type) > 0,
           "a type of elements, found '" + argument.type + "'");
    if (argument.isBuffer) {
      for (const Json &size : get(json, "shape", Json::value_t::array))
        argument.shape.push_back(
            size.is_null() ? -1 : getInteger(size, 0, int64_t(1) << 40));
      argument.alignment =
          size_t(getInteger(getMember(json, "alignment"), 1, 1 << 20));
      argument.isReadOnly =
          getText(get(json, "readonly", Json::value_t::boolean)) == "true";
      for (const Json &value : getMember(json, "values"))
        argument.values.push_back(getText(value));
      double numElements = 1;
      for (int64_t size : argument.shape)
        numElements *= double(size);
      expect(argument.values.empty() ||
                 (argument.hasShape() &&
                  numElements == double(argument.values.size())),
             "as many values as a buffer of " + shapeToString(argument.shape) +
                 " has elements, found " +
                 std::to_string(argument.values.size()));
    } else if (getString(json, "kind") == "tensor_map") {
      argument.map = readMap(json);
    } else if (const Json &size = getMember(json, "size"); size.is_object()) {
      argument.size.emplace(getInteger(getMember(size, "argument"), 0, 1 << 16),
                            getInteger(getMember(size, "axis"), 0, 1 << 16));
    } else if (!getMember(json, "value").is_null()) {
      argument.value = getText(getMember(json, "value"));
    }
    return argument;
  }

  TensorMap readMap(const Json &json) {
    TensorMap map;
    map.buffer = getInteger(getMember(json, "of"), 0, 1 << 16);
    for (const Json &size : get(json, "box", Json::value_t::array))
      map.box.push_back(getInteger(size, 1, 256));
    map.swizzle = unsigned(getInteger(getMember(json, "swizzle"), 0, 128));
    expect(!map.box.empty() && map.box.size() <= 5,
           "a box of 1 to 5 axes, found " + shapeToString(map.box));
    map.steps.assign(map.box.size(), 1);
    if (const Json &steps = getMember(json, "steps"); !steps.is_null()) {
      map.steps.clear();
      for (const Json &step : get(json, "steps", Json::value_t::array))
        map.steps.push_back(getInteger(step, 1, 8));
    }
    expect(map.steps.size() == map.box.size(),
           "a step for each of the " + std::to_string(map.box.size()) +
               " axes of the box, found " + std::to_string(map.steps.size()));
    expect(map.swizzle % 32 == 0 && map.swizzle != 96,
           "a swizzle of 0, 32, 64 or 128 bytes, found " +
               std::to_string(map.swizzle));
    return map;
  }

  Kernel readKernel(const Json &json) {
    Kernel kernel;
    kernel.name = getString(json, "name");
    kernel.function = getString(json, "function");
    kernel.module = getString(json, "module");
    kernel.block = readSizes(getMember(json, "block"));
    kernel.dynamicSharedBytes =
        unsigned(getInteger(getMember(json, "dynamicSharedBytes"), 0, 1 << 24));
    for (const Json &argument : get(json, "arguments", Json::value_t::array))
      kernel.arguments.push_back(readArgument(argument));
    for (const Argument &argument : kernel.arguments)
      if (argument.size)
        expect(isSize(kernel, argument.size->first, argument.size->second),
               "a size to be that of an axis of a buffer that is given");
    for (const Argument &argument : kernel.arguments)
      if (argument.map)
        expect(isSize(kernel, argument.map->buffer,
                      argument.map->box.size() - 1) &&
                   kernel.arguments[argument.map->buffer].shape.size() ==
                       argument.map->box.size(),
               "a tensor map of a buffer that is given, with a size of the box "
               "for each of its axes");
    if (!getMember(json, "grid").is_null())
      kernel.grid = readGrid(getMember(json, "grid"), kernel);
    for (const Json &condition : getMember(json, "requires"))
      kernel.requirements.push_back(readFormula(condition, kernel));
    kernel.fallback = getText(getMember(json, "fallback"));
    for (const Json &spec : getMember(getMember(json, "source"), "specs"))
      kernel.source += (kernel.source.empty() ? "" : "; ") + getText(spec);
    return kernel;
  }

  Launch readLaunch(const Json &json, const Manifest &manifest) {
    Launch launch{getString(json, "kernel"), {}};
    for (const Json &memory : get(json, "memory", Json::value_t::array))
      launch.memory.push_back(getText(memory));
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
