//===- Bundle.cpp - Kernels built ahead of time for Python ----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "Bundle.h"

#include "tileir-launch/Launch.h"

#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <map>
#include <mutex>
#include <stdexcept>

namespace nb = nanobind;
using namespace nanobind::literals;
using namespace tileir::launch;

namespace {

void require(const Error &error) {
  if (error)
    throw std::runtime_error(error.getMessage());
}

/// A GPU, which is opened once and never closed: the driver may be gone when
/// Python ends.
Device &getDevice(int ordinal) {
  static auto *devices = new std::map<int, Device>();
  auto [place, isNew] = devices->try_emplace(ordinal);
  if (isNew)
    if (Error error = place->second.open(ordinal)) {
      devices->erase(place);
      require(error);
    }
  return place->second;
}

/// Leaves the context of this thread as it was.
class ContextRestorer {
public:
  ContextRestorer() {
    require(driver.open());
    require(driver.check(driver.getContext(&before), "cuCtxGetCurrent"));
  }
  ~ContextRestorer() { driver.setContext(before); }

private:
  Driver driver;
  ContextHandle before = nullptr;
};

/// What Python is told of an argument that who launches gives: whether it is a
/// buffer, its type, its shape (-1: any), what divides its address.
using Told = std::tuple<bool, std::string, std::vector<int64_t>, size_t>;
/// A kernel: its name, its contractions, its arguments, whether it has a grid,
/// and the kernel that takes its place for other sizes, or nothing.
using ToldKernel =
    std::tuple<std::string, std::string, std::vector<Told>, bool, std::string>;

class Bundle {
public:
  explicit Bundle(const std::string &folder) {
    require(readManifest(folder, manifest));
  }

  std::vector<ToldKernel> getKernels() const {
    std::vector<ToldKernel> kernels;
    for (const Kernel &kernel : manifest.kernels) {
      std::vector<Told> arguments;
      for (const Argument &argument : kernel.arguments)
        if (argument.isFree())
          arguments.emplace_back(argument.isBuffer, argument.type,
                                 argument.shape, argument.alignment);
      kernels.emplace_back(kernel.name, kernel.source, std::move(arguments),
                           kernel.grid.has_value(), kernel.fallback);
    }
    return kernels;
  }

  /// Launches a kernel on pairs of an address, or the bits of a number, and a
  /// shape.
  void
  launch(const std::string &name,
         const std::vector<std::pair<uint64_t, std::vector<int64_t>>> &values,
         std::optional<std::array<unsigned, 3>> grid, int device,
         uintptr_t stream) {
    static std::mutex lock;
    std::lock_guard<std::mutex> guard(lock);
    ContextRestorer restorer;
    Device &gpu = getDevice(device);
    require(gpu.check(gpu.getDriver().setContext(gpu.getContext()),
                      "cuCtxSetCurrent"));
    // Loaded once, and never unloaded, like the GPU.
    LoadedKernel *&kernel = loaded[{device, name}];
    if (!kernel) {
      auto fresh = std::make_unique<LoadedKernel>(gpu);
      require(fresh->load(manifest, *manifest.findKernel(name)));
      kernel = fresh.release();
    }
    std::vector<Value> given;
    for (const auto &[bits, shape] : values)
      given.push_back({bits, shape});
    require(
        kernel->launch(given, grid, reinterpret_cast<StreamHandle>(stream)));
  }

private:
  Manifest manifest;
  std::map<std::pair<int, std::string>, LoadedKernel *> loaded;
};

/// The bits of a number of a type.
uint64_t getNumber(const std::string &type, const std::string &text) {
  uint64_t bits = 0;
  if (Error error = parseNumber(type, text, bits))
    throw nb::value_error(error.getMessage().c_str());
  return bits;
}

} // namespace

void tileir::python::defineBundle(nb::module_ &module) {
  nb::class_<Bundle>(module, "Bundle")
      .def(nb::init<std::string>(), "folder"_a)
      .def_prop_ro("kernels", &Bundle::getKernels)
      .def("launch", &Bundle::launch, "name"_a, "values"_a, "grid"_a.none(),
           "device"_a, "stream"_a, nb::call_guard<nb::gil_scoped_release>());
  module.def("get_number", &getNumber, "type"_a, "text"_a);
}
