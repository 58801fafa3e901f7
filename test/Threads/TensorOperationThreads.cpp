//===- TensorOperationThreads.cpp - Operations in several threads ---------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Under ThreadSanitizer, which ends the program with an error if two threads
// touch the same memory without an order: threads call one operation, compile
// the same one and different ones at the same time, get errors, and forget what
// was compiled while others use it. Numbers are checked, too.
//
//===----------------------------------------------------------------------===//

#include "tileir/Runtime/Workspace.h"
#include "tileir/TensorOperation/TensorOperation.h"

#include <atomic>
#include <cstdio>
#include <thread>
#include <vector>

using namespace tileir;
using namespace tileir::tensor_operation;

/// Of the OpenMP runtime, which is not instrumented, only false alarms come.
extern "C" const char *__tsan_default_options() {
  return "ignore_noninstrumented_modules=1:halt_on_error=1";
}

static std::atomic<int> failures{0};

static void fail(const char *what, const std::string &detail = "") {
  std::printf("%s%s%s\n", what, detail.empty() ? "" : ": ", detail.c_str());
  ++failures;
}

/// A product of row-major matrices.
static OperationDescription makeProduct(int64_t m, int64_t n, int64_t k,
                                        int threads) {
  OperationDescription description;
  description.dimTypes = {ContractionDim::M, ContractionDim::N,
                          ContractionDim::K};
  description.execTypes.assign(3, DimExecution::Seq);
  description.dimSizes = {m, n, k};
  description.stridesIn0 = {k, 0, 1};
  description.stridesIn1 = {0, 1, n};
  description.stridesOut = {n, 1, 0};
  description.optimize = true;
  description.threads = threads;
  return description;
}

/// Runs `operation`, a product, on matrices of its own and checks each element.
static void check(const TensorOperation &operation, int64_t m, int64_t n,
                  int64_t k, int salt) {
  std::vector<float> a(m * k), b(k * n), c(m * n, -1);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = static_cast<float>((i + salt) % 5) - 2;
  for (size_t i = 0; i < b.size(); ++i)
    b[i] = static_cast<float>((i * 3 + salt) % 7) - 3;
  const void *inputs[] = {a.data(), b.data()};
  operation(inputs, c.data());
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      float sum = 0;
      for (int64_t l = 0; l < k; ++l)
        sum += a[i * k + l] * b[l * n + j];
      if (!(c[i * n + j] == sum))
        return fail("wrong element");
    }
}

static void compileAndCheck(int64_t m, int64_t n, int64_t k, int threads,
                            int salt) {
  std::string message;
  auto operation =
      TensorOperation::create(makeProduct(m, n, k, threads), message);
  if (!operation)
    return fail("no operation", message);
  check(*operation, m, n, k, salt);
}

/// Calls `body(i)` in `count` threads.
template <typename Body> static void inThreads(int count, Body body) {
  std::vector<std::thread> threads;
  for (int i = 0; i < count; ++i)
    threads.emplace_back(body, i);
  for (std::thread &thread : threads)
    thread.join();
}

int main() {
  constexpr int numThreads = 4;
  // The same one, which is compiled once, and then only called.
  std::vector<TensorOperation::Pointer> same(numThreads);
  inThreads(numThreads, [&](int i) {
    std::string message;
    same[i] = TensorOperation::create(makeProduct(9, 40, 17, 1), message);
    if (!same[i])
      return fail("no operation", message);
    for (int call = 0; call < 20; ++call)
      check(*same[i], 9, 40, 17, call + i);
  });
  for (const TensorOperation::Pointer &operation : same)
    if (operation != same[0])
      fail("the same description was compiled twice");

  // Different ones; each is asked for by two threads.
  inThreads(numThreads, [](int i) {
    for (int64_t n = 1; n <= 8; ++n)
      compileAndCheck(1 + i / 2, 5 * n, n, /*threads=*/1, i);
  });

  // The memory that compiled code works in.
  inThreads(numThreads, [](int i) {
    for (size_t turn = 0; turn < 200; ++turn) {
      size_t size = 100000 + 20000 * (turn % 4);
      auto *bytes =
          static_cast<unsigned char *>(runtime::allocateWorkspace(size));
      bytes[0] = bytes[size - 1] = static_cast<unsigned char>(i);
      if (bytes[0] + bytes[size - 1] != 2 * i)
        fail("memory of another thread");
      runtime::releaseWorkspace(bytes);
    }
  });

  // Loops shared by threads, called by several.
  inThreads(numThreads, [](int i) {
    compileAndCheck(128, 64, 64 + 8 * (i % 2), /*threads=*/2, i);
  });

  // Errors, and a cache that is cleared while others look into it.
  inThreads(numThreads, [](int i) {
    for (int turn = 0; turn < 6; ++turn) {
      if (i == 0) {
        TensorOperation::clearCache();
      } else if (i == 1) {
        std::string message;
        if (TensorOperation::create(makeProduct(2, 0, 2, 1), message) ||
            message != "expected dim_sizes[1] to be positive, found 0")
          fail("expected an error", message);
      } else {
        compileAndCheck(3, 8 * turn + 8, 4, /*threads=*/1, i);
      }
    }
  });
  std::printf("%d failed\n", failures.load());
  return failures != 0;
}
