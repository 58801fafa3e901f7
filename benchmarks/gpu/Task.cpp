//===- Task.cpp - A problem on a device -----------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// What all tasks have in common: memory, and our kernels.
//
//===----------------------------------------------------------------------===//

#include "Task.h"

#include "Convolutions.h"
#include "Products.h"

using namespace tileir::bench;
using namespace tileir::launch;

Error Machine::open() {
  if (Error error = device.open(0))
    return error;
  if (Error error = cublas.open())
    return error;
  if (Error error = cublasLt.open())
    return error;
  return cudnn.open();
}

std::unique_ptr<Task> Task::create(Machine &machine, const Problem &problem) {
  if (ProductTask::isNamed(problem.task) && problem.size.size() == 3 &&
      problem.order.size() == 6)
    return std::make_unique<ProductTask>(machine, problem);
  if (ConvolutionTask::isNamed(problem.task) && problem.size.size() == 7)
    return std::make_unique<ConvolutionTask>(machine, problem);
  return nullptr;
}

Error Task::setUp() {
  if (Error error = setUpOperands())
    return error;
  for (const Bundle &bundle : problem.bundles)
    candidates.push_back(makeOurs("ours", bundle, arguments, offsets));
  for (Candidate &candidate : candidates)
    candidate.tolerance *= getNumRoundings();
  return Error();
}

Candidate Task::makeOurs(const std::string &name, const Bundle &bundle,
                         std::vector<Value> given, const Value &offsets) {
  auto program = std::make_shared<Program>(
      machine.device, machine.folder + "/" + bundle.folder);
  return {name, bundle.options, bundle.chip, [=] { return program->load(); },
          [=] { return program->run(given, resultValue, offsets); }};
}

Error Task::upload(const void *numbers, size_t width,
                   std::vector<int64_t> shape, Value &value) {
  size_t size = 1;
  for (int64_t length : shape)
    size *= size_t(length);
  DeviceBuffer &buffer = buffers.emplace_back(machine.device);
  Error error = numbers ? buffer.upload(numbers, width * size)
                        : buffer.allocate(width * size);
  value = buffer.value(std::move(shape));
  return error;
}

Error Task::upload(const Halves &numbers, std::vector<int64_t> shape,
                   Value &value) {
  return upload(numbers.data(), sizeof(uint16_t), std::move(shape), value);
}

Error Task::upload(const std::vector<int64_t> &numbers, Value &value) {
  return upload(numbers.data(), sizeof(int64_t), {int64_t(numbers.size())},
                value);
}

Error Task::allocate(std::vector<int64_t> shape, Value &value) {
  return upload(nullptr, sizeof(uint16_t), std::move(shape), value);
}

Error Task::allocateResult(std::vector<int64_t> shape) {
  resultSize = 1;
  for (int64_t length : shape)
    resultSize *= size_t(length);
  Error error = allocate(std::move(shape), resultValue);
  result = &buffers.back();
  return error;
}
