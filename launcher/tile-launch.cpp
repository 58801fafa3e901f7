//===- tile-launch.cpp - Launch a kernel of a bundle ----------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Runs a kernel on files of NumPy or on drawn arrays, and times it. All that
// can be checked is, before the driver is opened.
//
//===----------------------------------------------------------------------===//

#include "NumPy.h"
#include "tileir-launch/Launch.h"

#include <algorithm>
#include <iostream>

using namespace tileir::launch;

static const char kHelp[] =
    R"(Launch a kernel of a bundle, which tile-translate --emit-bundle wrote

USAGE: tile-launch <bundle> [options]

  --list                print the kernels; needs no driver
  --kernel=<name>       the kernel (default: the only one)
  --inputs=<item>,...   the arguments without values in the manifest, in order:
                        a.npy, zeros, random, both also as zeros:4x4, or numbers
  --random=<seed>       draw all buffers, or those that --inputs calls random
  --outputs=<o.npy>,... files to write: the buffers that are not readonly
  --grid=<x>,<y>,<z>    the blocks (default: those of the manifest)
  --repeat=<n>          timed launches, after one that is not (default: 0)
  --device=<n>          the GPU (default: 0)
  --no-driver=<status>  exit status where there is no driver (default: 1)
)";

namespace {

struct Options {
  std::string folder, kernel;
  bool list = false, help = false;
  std::vector<std::string> inputs, outputs;
  std::optional<uint64_t> seed;
  std::optional<std::array<unsigned, 3>> grid;
  unsigned repeat = 0, device = 0, noDriverStatus = 1;
};

std::vector<std::string> split(const std::string &text, char separator) {
  std::vector<std::string> parts(1);
  for (char c : text)
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  return parts;
}

Error readUnsigned(const std::string &option, const std::string &text,
                   unsigned &number) {
  uint64_t bits = 0;
  if (parseNumber("i64", text, bits) || bits > UINT32_MAX)
    return Error(option + ": expected a number, found '" + text + "'");
  number = unsigned(bits);
  return Error();
}

Error readGrid(const std::string &text, Options &options) {
  std::array<unsigned, 3> grid = {1, 1, 1};
  std::vector<std::string> sizes = split(text, ',');
  if (sizes.size() > 3)
    return Error("--grid: expected up to three sizes, found '" + text + "'");
  for (size_t i = 0; i < sizes.size(); ++i) {
    if (Error error = readUnsigned("--grid", sizes[i], grid[i]))
      return error;
    if (grid[i] == 0)
      return Error("--grid: expected sizes of at least 1, found 0");
  }
  options.grid = grid;
  return Error();
}

Error readSeed(const std::string &text, Options &options) {
  Error error = parseNumber("i64", text, options.seed.emplace());
  return error ? Error("--random: " + error.getMessage()) : error;
}

Error readOptions(int argc, char **argv, Options &options) {
  for (int i = 1; i < argc; ++i) {
    std::string word = argv[i];
    if (word.compare(0, 2, "--") != 0) {
      if (!options.folder.empty())
        return Error("expected one bundle, found '" + options.folder +
                     "' and '" + word + "'");
      options.folder = word;
      continue;
    }
    size_t equals = word.find('=');
    std::string name = word.substr(0, equals), value;
    if (equals != std::string::npos)
      value = word.substr(equals + 1);
    Error error;
    if (name == "--list" && equals == std::string::npos)
      options.list = true;
    else if (name == "--help" && equals == std::string::npos)
      options.help = true;
    else if (value.empty())
      return Error("expected --option=value, as --help lists them, found '" +
                   word + "'");
    else if (name == "--kernel")
      options.kernel = value;
    else if (name == "--inputs")
      options.inputs = split(value, ',');
    else if (name == "--outputs")
      options.outputs = split(value, ',');
    else if (name == "--grid")
      error = readGrid(value, options);
    else if (name == "--random")
      error = readSeed(value, options);
    else if (name == "--repeat")
      error = readUnsigned(name, value, options.repeat);
    else if (name == "--device")
      error = readUnsigned(name, value, options.device);
    else if (name == "--no-driver")
      error = readUnsigned(name, value, options.noDriverStatus);
    else
      return Error("unknown option '" + name + "': --help lists the options");
    if (error)
      return error;
  }
  return options.folder.empty() && !options.help
             ? Error("expected the folder of a bundle")
             : Error();
}

void printKernels(const Manifest &manifest) {
  for (const Kernel &kernel : manifest.kernels) {
    std::cout << kernel.name << '(';
    for (const Argument &argument : kernel.arguments) {
      if (&argument != &kernel.arguments.front())
        std::cout << ", ";
      if (argument.isBuffer)
        std::cout << (argument.isReadOnly ? "const " : "") << argument.type
                  << '[' << shapeToString(argument.shape) << ']'
                  << (argument.isFree() ? "" : " = values");
      else if (argument.map)
        std::cout << "map of argument " << argument.map->buffer;
      else
        std::cout << argument.type
                  << (argument.value ? " = " + *argument.value : "")
                  << (argument.size ? " = size" : "");
    }
    std::cout << ')';
    if (!kernel.source.empty())
      std::cout << " \"" << kernel.source << '"';
    std::cout << " for " << manifest.findModule(kernel.module)->chip << '\n';
  }
}

Error chooseKernel(const Manifest &manifest, const Options &options,
                   const Kernel *&kernel) {
  kernel = manifest.findKernel(options.kernel);
  // Others stand behind kernels whose fallback they are.
  std::vector<const Kernel *> first;
  for (const Kernel &each : manifest.kernels)
    if (std::none_of(
            manifest.kernels.begin(), manifest.kernels.end(),
            [&](const Kernel &other) { return other.fallback == each.name; }))
      first.push_back(&each);
  if (options.kernel.empty() && first.size() == 1)
    kernel = first.front();
  if (kernel)
    return Error();
  std::string names;
  for (const Kernel &other : manifest.kernels)
    names += (names.empty() ? "" : ", ") + other.name;
  return Error("--kernel: expected one of " + names + ", found '" +
               options.kernel + "'");
}

/// Makes the buffer that an item of --inputs describes.
Error readBuffer(const std::string &item, const Argument &argument,
                 std::mt19937_64 &generator, Array &array) {
  bool isZeros = item.compare(0, 5, "zeros") == 0;
  bool isRandom = item.compare(0, 6, "random") == 0;
  size_t colon = item.find(':');
  bool isWord =
      colon == (isZeros ? 5 : 6) || item == "zeros" || item == "random";
  if ((!isZeros && !isRandom) || !isWord)
    return readNumPy(item, argument.type, array);
  std::vector<int64_t> shape = argument.shape;
  if (colon != std::string::npos) {
    shape.clear();
    for (const std::string &size : split(item.substr(colon + 1), 'x')) {
      unsigned number = 0;
      if (Error error = readUnsigned(item, size, number))
        return error;
      shape.push_back(number);
    }
  } else if (!argument.hasShape()) {
    return Error("'" + item + "': expected a shape, as " + item +
                 ":4x4, for a buffer of " + shapeToString(argument.shape));
  }
  double bytes = double(getElementBytes(argument.type));
  for (int64_t size : shape)
    bytes *= double(size);
  if (bytes > 0x1p36)
    return Error("'" + item + "': expected at most 2^36 bytes");
  array = isZeros ? makeZeros(argument.type, shape)
                  : drawArray(argument.type, shape, generator);
  return Error();
}

/// An argument that the manifest leaves open.
struct Input {
  const Argument *argument;
  Array array; ///< of a buffer
  Value value;
};

Error readInputs(const Kernel &kernel, const Options &options,
                 std::vector<Input> &inputs) {
  for (const Argument &argument : kernel.arguments)
    if (argument.isFree())
      inputs.push_back({&argument, {}, {}});
  std::vector<std::string> items = options.inputs;
  if (items.empty() && options.seed)
    items.assign(inputs.size(), "random");
  if (items.size() != inputs.size())
    return Error("--inputs: expected " + std::to_string(inputs.size()) +
                 " items for the arguments of " + kernel.name + ", found " +
                 std::to_string(items.size()) +
                 "; --random=<seed> draws all of them");
  std::mt19937_64 generator(options.seed.value_or(0));
  for (size_t i = 0; i < items.size(); ++i) {
    const Argument &argument = *inputs[i].argument;
    Error error =
        argument.isBuffer
            ? readBuffer(items[i], argument, generator, inputs[i].array)
            : parseNumber(argument.type, items[i], inputs[i].value.bits);
    if (error)
      return Error("--inputs: " + error.getMessage());
    inputs[i].value.shape = inputs[i].array.shape;
  }
  return Error();
}

/// That the kernel can be launched on `inputs`, as far as can be known.
/// `kernel` becomes its fallback if that has to take its place, and `grid` that
/// of the launch.
Error checkLaunch(const Manifest &manifest, const Kernel *&chosen,
                  const Options &options, const std::vector<Input> &inputs,
                  std::array<unsigned, 3> &grid) {
  const Kernel &kernel = *chosen;
  std::vector<Value> values;
  size_t numOutputs = 0;
  for (const Input &input : inputs) {
    values.push_back(input.value);
    numOutputs += input.argument->isBuffer && !input.argument->isReadOnly;
  }
  if (options.outputs.size() > numOutputs)
    return Error("--outputs: expected up to " + std::to_string(numOutputs) +
                 " files, for the buffers that " + kernel.name +
                 " writes, found " + std::to_string(options.outputs.size()));
  if (!kernel.grid && !options.grid)
    return Error("--grid: expected it for " + kernel.name +
                 ", whose manifest has no grid");
  std::vector<uint64_t> packed;
  if (Error error = packArguments(kernel, values, packed))
    return error;
  if (Error error = checkRequirements(kernel, values)) {
    chosen = manifest.findKernel(kernel.fallback);
    if (!chosen)
      return error;
    if (Error other = checkRequirements(*chosen, values))
      return other;
  }
  if (options.grid) {
    grid = *options.grid;
    return Error();
  }
  return computeGrid(*chosen, values, grid);
}

std::string describe(std::array<unsigned, 3> sizes) {
  return std::to_string(sizes[0]) + "x" + std::to_string(sizes[1]) + "x" +
         std::to_string(sizes[2]);
}

Error run(Device &device, const Manifest &manifest, const Kernel &kernel,
          const Options &options, std::array<unsigned, 3> grid,
          std::vector<Input> &inputs) {
  LoadedKernel loaded(device);
  if (Error error = loaded.load(manifest, kernel))
    return error;
  std::vector<DeviceBuffer> buffers;
  std::vector<Value> values;
  for (Input &input : inputs) {
    if (input.argument->isBuffer) {
      DeviceBuffer &buffer = buffers.emplace_back(device);
      const std::string &bytes = input.array.bytes;
      if (Error error = buffer.upload(bytes.data(), bytes.size()))
        return error;
      input.value = buffer.value(input.array.shape);
    }
    values.push_back(input.value);
  }
  if (Error error = loaded.launch(values, options.grid))
    return error;
  // The outputs of one launch: later launches may add to them.
  auto output = options.outputs.begin();
  auto buffer = buffers.begin();
  for (Input &input : inputs) {
    if (!input.argument->isBuffer)
      continue;
    const DeviceBuffer &source = *buffer++;
    if (input.argument->isReadOnly)
      continue;
    if (Error error = source.read(input.array.bytes.data()))
      return error;
    if (output != options.outputs.end())
      if (Error error = writeNumPy(*output++, input.array))
        return error;
  }
  std::vector<float> times;
  if (Error error = loaded.time(values, options.grid, options.repeat, times))
    return error;
  std::cout << kernel.name << " on " << device.getName() << " (sm_"
            << device.getMajor() << device.getMinor() << "): grid "
            << describe(grid) << ", block " << describe(kernel.block);
  std::sort(times.begin(), times.end());
  if (!times.empty())
    std::cout << ", " << times[times.size() / 2] << " ms (median of "
              << times.size() << ", least " << times.front() << ")";
  std::cout << '\n';
  return Error();
}

Error launchBundle(const Options &options, unsigned &status) {
  Manifest manifest;
  if (Error error = readManifest(options.folder, manifest))
    return error;
  if (options.list) {
    printKernels(manifest);
    return Error();
  }
  const Kernel *kernel = nullptr;
  if (Error error = chooseKernel(manifest, options, kernel))
    return error;
  std::vector<Input> inputs;
  if (Error error = readInputs(*kernel, options, inputs))
    return error;
  std::array<unsigned, 3> grid = {1, 1, 1};
  if (Error error = checkLaunch(manifest, kernel, options, inputs, grid))
    return error;
  Device device;
  if (Error error = device.open(int(options.device))) {
    status = options.noDriverStatus;
    return error;
  }
  return run(device, manifest, *kernel, options, grid, inputs);
}

} // namespace

int main(int argc, char **argv) {
  Options options;
  unsigned status = 1;
  Error error = readOptions(argc, argv, options);
  if (options.help && !error) {
    std::cout << kHelp;
    return 0;
  }
  if (!error)
    error = launchBundle(options, status);
  if (!error)
    return 0;
  std::cerr << "tile-launch: error: " << error.getMessage() << '\n';
  return int(status);
}
