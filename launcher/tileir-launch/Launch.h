//===- Launch.h - Launch the kernels of a bundle ----------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// All that a program needs which launches kernels built ahead of time: C++17,
// the standard library and dlopen. docs/bundles.md has an example.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LAUNCH_LAUNCH_H
#define TILEIR_LAUNCH_LAUNCH_H

#include "tileir-launch/Driver.h"
#include "tileir-launch/Manifest.h"
#include "tileir-launch/TensorMaps.h"

#include <memory>
#include <vector>

namespace tileir::launch {

/// The value that is passed for an argument.
struct Value {
  uint64_t bits = 0; ///< an address, or a number from its lowest bit on
  std::vector<int64_t> shape; ///< of what is at the address
};

/// Device memory that is freed at the end.
class DeviceBuffer {
public:
  explicit DeviceBuffer(Device &device) : device(&device) {}
  DeviceBuffer(DeviceBuffer &&other)
      : device(other.device), address(std::exchange(other.address, 0)),
        bytes(other.bytes) {}
  DeviceBuffer &operator=(DeviceBuffer &&) = delete;
  ~DeviceBuffer() {
    if (address)
      device->getDriver().free(address);
  }

  /// Once.
  Error allocate(size_t numBytes) {
    bytes = numBytes;
    // The driver has no memory without bytes.
    return device->check(
        device->getDriver().allocate(&address, bytes ? bytes : 1),
        "cuMemAlloc");
  }
  /// Copies all bytes there.
  Error write(const void *source) {
    return device->check(
        device->getDriver().copyToDevice(address, source, bytes),
        "cuMemcpyHtoD");
  }
  /// Allocates as many bytes as there are, and copies them there.
  Error upload(const void *source, size_t numBytes) {
    Error error = allocate(numBytes);
    return error ? error : write(source);
  }
  /// Copies all bytes back, after the kernels that are running.
  Error read(void *target) const {
    return device->check(device->getDriver().copyToHost(target, address, bytes),
                         "cuMemcpyDtoH");
  }
  Value value(std::vector<int64_t> shape) const {
    return {address, std::move(shape)};
  }

private:
  Device *device;
  DevicePtr address = 0;
  size_t bytes = 0;
};

/// The values of all arguments, from those of the free ones (Argument::isFree),
/// in their order. Buffers with elements in the manifest get none.
inline Error packArguments(const Kernel &kernel,
                           const std::vector<Value> &values,
                           std::vector<uint64_t> &packed) {
  auto fail = [&](size_t i, const std::string &what) {
    return Error("argument " + std::to_string(i) + " of " + kernel.name +
                 ": expected " + what);
  };
  std::vector<const Value *> given;
  size_t numFree = 0;
  for (const Argument &argument : kernel.arguments) {
    size_t next = numFree + argument.isFree();
    given.push_back(argument.isFree() && next <= values.size()
                        ? &values[numFree]
                        : nullptr);
    numFree = next;
  }
  if (values.size() != numFree)
    return Error(kernel.name + " has " + std::to_string(numFree) +
                 " arguments to give, found " + std::to_string(values.size()));
  packed.assign(kernel.arguments.size(), 0);
  for (size_t i = 0; i < packed.size(); ++i) {
    const Argument &argument = kernel.arguments[i];
    if (argument.isBuffer && !argument.isFree())
      continue;
    if (given[i])
      packed[i] = given[i]->bits;
    if (argument.isBuffer) {
      const std::vector<int64_t> &shape = given[i]->shape;
      bool fits = shape.size() == argument.shape.size();
      for (size_t axis = 0; fits && axis < shape.size(); ++axis)
        fits = argument.shape[axis] < 0 || argument.shape[axis] == shape[axis];
      if (!fits)
        return fail(i, "the shape " + shapeToString(argument.shape) +
                           ", found " + shapeToString(shape));
      if (packed[i] % argument.alignment != 0)
        return fail(i, "an address that " + std::to_string(argument.alignment) +
                           " divides");
    } else if (argument.value) {
      if (Error error = parseNumber(argument.type, *argument.value, packed[i]))
        return fail(i, "a value in the manifest: " + error.getMessage());
    } else if (argument.size) {
      // Shapes of buffers that come later are checked later.
      const Value &buffer = *given[argument.size->first];
      if (argument.size->second >= buffer.shape.size())
        return fail(argument.size->first,
                    "more axes, found " + shapeToString(buffer.shape));
      packed[i] = uint64_t(buffer.shape[argument.size->second]);
    }
  }
  return Error();
}

/// Tells formulas of a kernel the sizes of `values`, those of its free
/// arguments.
inline GetSize getSizes(const Kernel &kernel,
                        const std::vector<Value> &values) {
  std::vector<std::vector<int64_t>> shapes;
  size_t numFree = 0;
  for (const Argument &argument : kernel.arguments)
    shapes.push_back(argument.isFree() && numFree < values.size()
                         ? values[numFree++].shape
                         : std::vector<int64_t>());
  return [shapes](size_t argument, size_t axis) {
    bool isKnown = argument < shapes.size() && axis < shapes[argument].size();
    return isKnown ? std::optional(shapes[argument][axis]) : std::nullopt;
  };
}

/// Checks that the kernel takes the sizes of `values`.
inline Error checkRequirements(const Kernel &kernel,
                               const std::vector<Value> &values) {
  GetSize getSize = getSizes(kernel, values);
  for (const Formula &condition : kernel.requirements)
    if (evaluate(condition, getSize).value_or(0) == 0)
      return Error(kernel.name + ": " + describeFailure(condition, getSize));
  return Error();
}

/// Computes the grid of a launch.
inline Error computeGrid(const Kernel &kernel, const std::vector<Value> &values,
                         std::array<unsigned, 3> &grid) {
  if (!kernel.grid)
    return Error(kernel.name + " has no grid in the manifest: expected one");
  GetSize getSize = getSizes(kernel, values);
  for (size_t i = 0; i < 3; ++i) {
    std::optional<int64_t> size = evaluate((*kernel.grid)[i], getSize);
    if (!size || *size < 0 || *size > INT32_MAX)
      return Error(kernel.name + ": expected a grid of at most " +
                   std::to_string(INT32_MAX) + " blocks along an axis for " +
                   toString((*kernel.grid)[i]));
    grid[i] = unsigned(*size);
  }
  return Error();
}

/// A kernel of a bundle on a device, with its fallback, unloaded at the end.
class LoadedKernel {
public:
  explicit LoadedKernel(Device &device) : device(device) {}
  LoadedKernel(const LoadedKernel &) = delete;
  LoadedKernel &operator=(const LoadedKernel &) = delete;
  ~LoadedKernel() {
    if (module && !isBorrowed)
      device.getDriver().unloadModule(module);
  }

  /// Once. Loads machine code if there is some for the device, else PTX.
  Error load(const Manifest &manifest, const Kernel &loaded) {
    kernel = loaded;
    if (!isBorrowed)
      if (Error error = loadModule(manifest))
        return error;
    if (const Kernel *other = manifest.findKernel(kernel.fallback)) {
      fallback = std::make_unique<LoadedKernel>(device);
      fallback->isBorrowed = other->module == kernel.module;
      fallback->module = fallback->isBorrowed ? module : nullptr;
      if (Error error = fallback->load(manifest, *other))
        return error;
    }
    for (const Argument &argument : kernel.arguments)
      if (argument.isBuffer && !argument.isFree())
        if (Error error = uploadElements(argument))
          return error;
    return device.check(device.getDriver().getFunction(&function, module,
                                                       kernel.function.c_str()),
                        "cuModuleGetFunction");
  }

  /// Begins to run the kernel, or its fallback where that takes these sizes and
  /// the kernel does not. `grid` is needed where the manifest has none; a grid
  /// without blocks launches nothing.
  Error launch(const std::vector<Value> &values,
               std::optional<std::array<unsigned, 3>> grid = std::nullopt,
               StreamHandle stream = nullptr) {
    std::vector<uint64_t> packed;
    if (Error error = packArguments(kernel, values, packed))
      return error;
    if (Error error = checkRequirements(kernel, values))
      return fallback ? fallback->launch(values, grid, stream) : error;
    if (!grid)
      if (Error error = computeGrid(kernel, values, grid.emplace()))
        return error;
    if ((*grid)[0] == 0 || (*grid)[1] == 0 || (*grid)[2] == 0)
      return Error();
    auto constant = constants.begin();
    for (size_t i = 0; i < packed.size(); ++i)
      if (const Argument &argument = kernel.arguments[i];
          argument.isBuffer && !argument.isFree())
        packed[i] = (constant++)->value({}).bits;
    std::vector<void *> pointers;
    for (uint64_t &value : packed)
      pointers.push_back(&value);
    std::vector<EncodedMap> maps(packed.size());
    for (size_t i = 0; i < packed.size(); ++i) {
      const Argument &argument = kernel.arguments[i];
      if (!argument.map)
        continue;
      size_t buffer = argument.map->buffer;
      size_t number = std::count_if(
          kernel.arguments.begin(), kernel.arguments.begin() + buffer,
          [](const Argument &before) { return before.isFree(); });
      if (Error error = encodeMap(device, argument, packed[buffer],
                                  values[number].shape, maps[i]))
        return Error("argument " + std::to_string(i) + " of " + kernel.name +
                     ": " + error.getMessage());
      pointers[i] = maps[i].bytes.data();
    }
    return device.launch(function,
                         {*grid, kernel.block, kernel.dynamicSharedBytes},
                         pointers.data(), stream);
  }

  /// Launches the kernel `repeat` times, one after the other. Gives the
  /// milliseconds of each, by events.
  Error time(const std::vector<Value> &values,
             std::optional<std::array<unsigned, 3>> grid, unsigned repeat,
             std::vector<float> &milliseconds) {
    const Driver &driver = device.getDriver();
    EventHandle events[2] = {};
    Error error;
    auto require = [&](int status, const char *call) {
      if (!error)
        error = device.check(status, call);
    };
    for (EventHandle &event : events)
      require(driver.createEvent(&event, 0), "cuEventCreate");
    for (unsigned run = 0; run < repeat && !error; ++run) {
      require(driver.recordEvent(events[0], nullptr), "cuEventRecord");
      if (!error)
        error = launch(values, grid);
      if (error)
        break;
      require(driver.recordEvent(events[1], nullptr), "cuEventRecord");
      require(driver.synchronizeEvent(events[1]), "cuEventSynchronize");
      float elapsed = 0;
      require(driver.getElapsed(&elapsed, events[0], events[1]),
              "cuEventElapsedTime");
      milliseconds.push_back(elapsed);
    }
    for (EventHandle event : events)
      if (event)
        driver.destroyEvent(event);
    return error;
  }

private:
  Error loadModule(const Manifest &manifest) {
    std::string image;
    std::string file = chooseFile(*manifest.findModule(kernel.module));
    if (Error error = readFile(manifest.folder + "/" + file, image))
      return error;
    return device.loadModule(image, module);
  }

  /// Of a buffer whose elements are in the manifest.
  Error uploadElements(const Argument &argument) {
    size_t width = getElementBytes(argument.type);
    std::string bytes;
    for (const std::string &value : argument.values) {
      uint64_t bits = 0;
      if (Error error = parseNumber(argument.type, value, bits))
        return Error(kernel.name +
                     ": values in the manifest: " + error.getMessage());
      bytes.append(reinterpret_cast<const char *>(&bits), width);
    }
    return constants.emplace_back(device).upload(bytes.data(), bytes.size());
  }

  /// Machine code runs on devices of its major version, from its minor one on.
  std::string chooseFile(const Module &files) const {
    std::string best = files.ptx;
    int bestMinor = -1;
    for (const auto &[chip, file] : files.cubins) {
      int number = chip.compare(0, 3, "sm_") ? 0 : std::atoi(&chip[3]);
      bool isOneOnly = chip.back() == 'a';
      int major = number / 10, minor = number % 10;
      if (major == device.getMajor() && minor <= device.getMinor() &&
          minor > bestMinor && (!isOneOnly || minor == device.getMinor())) {
        best = file;
        bestMinor = minor;
      }
    }
    return best;
  }

  Device &device;
  Kernel kernel;
  ModuleHandle module = nullptr;
  FunctionHandle function = nullptr;
  std::vector<DeviceBuffer> constants;
  /// What is launched on sizes that the kernel does not take; its module may be
  /// borrowed from it.
  std::unique_ptr<LoadedKernel> fallback;
  bool isBorrowed = false;
};

} // namespace tileir::launch

#endif // TILEIR_LAUNCH_LAUNCH_H
