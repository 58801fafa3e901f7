//===- Products.cpp - Matrix products and what is around them -------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cuBLAS computes products only; what is around them is another kernel, of
// ours: the part of the problem.
//
//===----------------------------------------------------------------------===//

#include "Products.h"

using namespace tileir::bench;
using namespace tileir::launch;

bool ProductTask::isNamed(const std::string &task) {
  return task == "gemm" || task == "relu-gemm" || task == "gemm-bias-relu" ||
         task == "add-gemm-gemm";
}

ProductTask::ProductTask(Machine &machine, const Problem &problem)
    : Task(machine, problem) {
  product = {problem.size[0], problem.size[1], problem.size[2],
             problem.order.compare(0, 2, "km") == 0,
             problem.order.compare(4, 2, "nk") == 0};
}

double ProductTask::getFlops() const {
  return (isSum() ? 4.0 : 2.0) * double(product.m) * double(product.n) *
         double(product.k);
}

int ProductTask::getNumRoundings() const {
  return isSum() ? 3 : hasBias() ? 2 : 1;
}

double ProductTask::getElement(size_t index) const {
  auto [m, n, k, isATransposed, isBTransposed] = product;
  int64_t row = int64_t(index) / n, column = int64_t(index) % n;
  double sum = 0;
  for (size_t i = 0; i < operands.size(); i += 2)
    for (int64_t l = 0; l < k; ++l) {
      double a = toFloat(
          operands[i][size_t(isATransposed ? l * m + row : row * k + l)]);
      double b = toFloat(operands[i + 1][size_t(
          isBTransposed ? column * k + l : l * n + column)]);
      sum += (isReluOfA() ? std::fmax(a, 0) : a) * b;
    }
  return hasBias() ? std::fmax(sum + toFloat(bias[size_t(column)]), 0) : sum;
}

Error ProductTask::setUpOperands() {
  auto [m, n, k, isATransposed, isBTransposed] = product;
  std::vector<int64_t> shapeA = {m, k}, shapeB = {k, n};
  if (isATransposed)
    std::swap(shapeA[0], shapeA[1]);
  if (isBTransposed)
    std::swap(shapeB[0], shapeB[1]);
  for (int i = 0; i < (isSum() ? 4 : 2); ++i) {
    const std::vector<int64_t> &shape = i % 2 ? shapeB : shapeA;
    operands.push_back(draw(size_t(shape[0] * shape[1]), unsigned(i)));
    if (Error error = upload(operands.back(), shape, arguments.emplace_back()))
      return error;
  }
  if (hasBias()) {
    // As large as the products, so that it matters.
    bias = draw(size_t(n), 4);
    for (uint16_t &number : bias)
      number = toSixteenBits(std::sqrt(double(k)) * toFloat(number), 10);
    if (Error error = upload(bias, {n}, arguments.emplace_back()))
      return error;
  }
  if (isReluOfA())
    if (Error error = allocate({m, k}, intermediates[0]))
      return error;
  for (int i = 0; i < (isSum() ? 2 : hasBias() ? 1 : 0); ++i)
    if (Error error = allocate({m, n}, intermediates[i]))
      return error;
  if (Error error = allocateResult({m, n}))
    return error;
  addCublas();
  if (machine.cublasLt.isOpen() && (hasBias() || isSum()))
    addCublasLt();
  return Error();
}

void ProductTask::addCublas() {
  std::shared_ptr<Program> part;
  if (!problem.parts.empty())
    part = std::make_shared<Program>(
        machine.device, machine.folder + "/" + problem.parts[0].folder);
  bool isPartMissing = !part && (isReluOfA() || hasBias() || isSum());
  auto prepare = [=] {
    return isPartMissing ? Error("expected a pointwise kernel in the index")
           : part        ? part->load()
                         : Error();
  };
  auto multiply = [this](const Value &a, const Value &b, const Value &c) {
    return machine.cublas.multiply(product, a.bits, b.bits, c.bits);
  };
  auto launch = [=] {
    const std::vector<Value> &given = arguments;
    const Value &first = intermediates[0], &second = intermediates[1];
    if (isReluOfA()) {
      Error error = part->run({given[0], first});
      return error ? error : multiply(first, given[1], resultValue);
    }
    if (hasBias()) {
      Error error = multiply(given[0], given[1], first);
      return error ? error : part->run({first, given[2], resultValue});
    }
    if (isSum()) {
      Error error = multiply(given[0], given[1], first);
      if (!error)
        error = multiply(given[2], given[3], second);
      return error ? error : part->run({first, second, resultValue});
    }
    return multiply(given[0], given[1], resultValue);
  };
  candidates.push_back({"cublas", "", "", prepare, launch});
}

void ProductTask::addCublasLt() {
  auto epilogue = std::make_shared<EpilogueProduct>(machine.cublasLt);
  auto prepare = [=] {
    return hasBias() ? epilogue->prepareBiasRelu(product, arguments[2].bits)
                     : epilogue->prepareSum(product);
  };
  auto launch = [=] {
    const std::vector<Value> &given = arguments;
    if (hasBias())
      return epilogue->multiply(given[0].bits, given[1].bits, resultValue.bits,
                                resultValue.bits);
    Error error = machine.cublas.multiply(product, given[0].bits, given[1].bits,
                                          intermediates[0].bits);
    return error ? error
                 : epilogue->multiply(given[2].bits, given[3].bits,
                                      intermediates[0].bits, resultValue.bits);
  };
  candidates.push_back({"cublaslt", "", "", prepare, launch});
}
