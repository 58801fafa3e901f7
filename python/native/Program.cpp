//===- Program.cpp - Modules compiled in process --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arrays go in as descriptors of memrefs. Results come out as descriptors of
// memory that the code allocated for them.
//
//===----------------------------------------------------------------------===//

#include "Program.h"

#include <algorithm>
#include <cstring>
#include <set>
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

/// Copies the strided elements of a descriptor (allocated, aligned, offset,
/// sizes, strides) to `output`.
static void copyResult(const int64_t *words, const Dense &output, size_t size) {
  const std::vector<int64_t> &shape = output.second;
  size_t rank = shape.size();
  int64_t count = 1;
  for (int64_t extent : shape)
    count *= extent;
  const int64_t *strides = words + 3 + rank;
  auto *data = reinterpret_cast<const char *>(words[1]);
  auto *to = reinterpret_cast<char *>(output.first);
  bool isDense = true;
  int64_t stride = 1;
  for (size_t axis = rank; axis-- > 0; stride *= shape[axis])
    isDense &= shape[axis] == 1 || strides[axis] == stride;
  if (isDense) {
    std::memcpy(to, data + words[2] * size, count * size);
    return;
  }
  for (int64_t i = 0; i < count; ++i) {
    int64_t offset = words[2], rest = i;
    for (size_t axis = rank; axis-- > 0; rest /= shape[axis])
      offset += rest % shape[axis] * strides[axis];
    std::memcpy(to + i * size, data + offset * size, size);
  }
}

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

void Program::run(const std::vector<Dense> &inputs,
                  const std::vector<Dense> &outputs,
                  const std::vector<size_t> &sizes) {
  std::vector<std::vector<int64_t>> descriptors;
  std::set<int64_t> given;
  for (const Dense &input : inputs) {
    given.insert(static_cast<int64_t>(input.first));
    descriptors.push_back(describe(input));
  }
  size_t numWords = 0;
  for (const auto &[address, shape] : outputs)
    numWords += 3 + 2 * shape.size();
  std::vector<int64_t> results(numWords);

  std::vector<void *> pointers;
  if (!outputs.empty())
    pointers.push_back(results.data());
  for (std::vector<int64_t> &words : descriptors)
    pointers.push_back(words.data());
  functions.run(code, pointers.data());

  std::set<int64_t> owned;
  const int64_t *words = results.data();
  for (size_t i = 0; i < outputs.size(); ++i) {
    copyResult(words, outputs[i], sizes[i]);
    if (!given.count(words[0]))
      owned.insert(words[0]);
    words += 3 + 2 * outputs[i].second.size();
  }
  for (int64_t pointer : owned)
    functions.releaseMemory(reinterpret_cast<void *>(pointer));
}

//===----------------------------------------------------------------------===//
// On a GPU
//===----------------------------------------------------------------------===//

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
