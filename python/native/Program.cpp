//===- Program.cpp - Modules compiled in process --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Code for the CPU takes pointers; that for a GPU, whose host code keeps memory
// of several kinds apart, descriptors of memrefs.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include <algorithm>
#include <stdexcept>

Program::Program(const TileirProgramFunctions &functions, MlirModule module,
                 const std::string &entry)
    : functions(functions),
      code(functions.compile(module,
                             mlirStringRefCreate(entry.data(), entry.size()))) {
  if (!code)
    throw std::runtime_error("the module cannot be compiled");
}

Program::~Program() { functions.releaseCode(code); }

void Program::run(const std::vector<uintptr_t> &arguments) {
  std::vector<void *> pointers;
  for (uintptr_t argument : arguments)
    pointers.push_back(reinterpret_cast<void *>(argument));
  functions.run(code, pointers.data());
}

//===----------------------------------------------------------------------===//
// On a GPU
//===----------------------------------------------------------------------===//

/// A descriptor of memory in C order.
static std::vector<int64_t> describe(const Dense &dense) {
  const auto &[address, shape] = dense;
  auto pointer = static_cast<int64_t>(address);
  std::vector<int64_t> words = {pointer, pointer, 0};
  words.insert(words.end(), shape.begin(), shape.end());
  std::vector<int64_t> strides(shape.size());
  int64_t stride = 1;
  for (size_t axis = shape.size(); axis-- > 0; stride *= shape[axis])
    strides[axis] = stride;
  words.insert(words.end(), strides.begin(), strides.end());
  return words;
}

/// A callback that appends to the std::string of its user data.
static void append(MlirStringRef text, void *string) {
  static_cast<std::string *>(string)->append(text.data, text.length);
}

std::string getGpuChip(const TileirProgramFunctions &functions, int device) {
  std::string text;
  if (!functions.getGpuChip(device, append, append, &text))
    throw std::runtime_error(text);
  return text;
}

GpuProgram::GpuProgram(const TileirProgramFunctions &functions,
                       MlirModule module, const std::string &entry, int device)
    : functions(functions),
      code(functions.compileForGpu(
          module, mlirStringRefCreate(entry.data(), entry.size()), device)) {
  if (!code)
    throw std::runtime_error("the module cannot be compiled");
}

GpuProgram::~GpuProgram() { functions.releaseGpuCode(code); }

void GpuProgram::run(const std::vector<Dense> &arguments, uintptr_t stream) {
  std::vector<std::vector<int64_t>> descriptors;
  std::vector<void *> pointers;
  for (const Dense &argument : arguments) {
    descriptors.push_back(describe(argument));
    // An argument that is not accessed is of one element, whatever it was.
    descriptors.back().resize(std::max<size_t>(descriptors.back().size(), 5));
    pointers.push_back(descriptors.back().data());
  }
  std::string message;
  if (!functions.runOnGpu(code, pointers.data(),
                          reinterpret_cast<void *>(stream), append, &message))
    throw std::runtime_error(message);
}
