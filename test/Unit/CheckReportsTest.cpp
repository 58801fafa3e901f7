//===- CheckReportsTest.cpp - Tests of reports of failed checks -----------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Runtime/CheckReports.h"

#include "gtest/gtest.h"

#include <atomic>
#include <thread>

using namespace llvm;
using namespace tileir;
using namespace tileir::runtime;

/// Reports as compiled code does.
static void report(int64_t site, ArrayRef<int64_t> values) {
  std::vector<int64_t> memory(values.begin(), values.end());
  tileirReportCheck(site, memory.data(), memory.data(), /*offset=*/0,
                    memory.size(), /*stride=*/1);
}

/// The message of one report of `values` with template `site`.
static std::string format(std::string site, ArrayRef<int64_t> values) {
  CheckCollector collector;
  report(0, values);
  return collector.getMessage({site}).value_or("no message");
}

TEST(CheckReportsTest, NoReportIsNoMessage) {
  CheckCollector collector;
  EXPECT_EQ(collector.getMessage({"never"}), std::nullopt);
}

TEST(CheckReportsTest, FormatsValues) {
  EXPECT_EQ(format("nothing to fill in", {}), "nothing to fill in");
  EXPECT_EQ(format("", {1}), "");
  EXPECT_EQ(format("index {0} of {1}", {-3, 20}), "index -3 of 20");
  EXPECT_EQ(format("{1}{0}", {1, 2}), "21");
  EXPECT_EQ(format("{0} and again {0}.", {5}), "5 and again 5.");
  EXPECT_EQ(format("{0} {1}", {INT64_MIN, INT64_MAX}),
            "-9223372036854775808 9223372036854775807");
  EXPECT_EQ(format("{0}{1}{2}{3}{4}{5}{6}{7}{8}{9}{10}",
                   {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 1234}),
            "01234567891234");
}

TEST(CheckReportsTest, KeepsBracesThatNameNoValue) {
  EXPECT_EQ(format("a } b {0}", {7}), "a } b 7");
  EXPECT_EQ(format("add {pad = zero}, {0}", {7}), "add {pad = zero}, 7");
  EXPECT_EQ(format("{} {0}", {7}), "{} 7");
  EXPECT_EQ(format("{0} { open", {7}), "7 { open");
  EXPECT_EQ(format("{0} {", {7}), "7 {");
}

TEST(CheckReportsTest, ReadsStridedMemory) {
  CheckCollector collector;
  int64_t memory[] = {90, 1, 91, 2, 92, 3, 93};
  tileirReportCheck(0, /*base=*/nullptr, memory, /*offset=*/1, /*size=*/3,
                    /*stride=*/2);
  EXPECT_EQ(collector.getMessage({"{0} {1} {2}"}), "1 2 3");
}

TEST(CheckReportsTest, LeastReportWins) {
  const std::vector<std::string> sites = {"zero {0} {1}", "one {0} {1}"};
  // In order of site, then of the values; a prefix comes first.
  const std::vector<std::pair<int64_t, std::vector<int64_t>>> reports = {
      {0, {-5, 9}}, {0, {2, -1}}, {0, {2, 3}}, {1, {-100, 0}}};
  std::vector<unsigned> order = {0, 1, 2, 3};
  do {
    CheckCollector collector;
    for (unsigned index : order)
      report(reports[index].first, reports[index].second);
    EXPECT_EQ(collector.getMessage(sites),
              "zero -5 9 (the first of 4 failed checks)");
  } while (std::next_permutation(order.begin(), order.end()));

  CheckCollector collector;
  report(1, {4, 5});
  report(1, {4});
  report(1, {4, 4});
  EXPECT_EQ(collector.getMessage(sites)->substr(0, 5), "one 4");
  EXPECT_EQ(collector.getMessage(sites)->find("5"), std::string::npos);
}

TEST(CheckReportsTest, CountsReports) {
  CheckCollector collector;
  report(0, {1});
  EXPECT_EQ(collector.getMessage({"at {0}"}), "at 1");
  report(0, {1});
  EXPECT_EQ(collector.getMessage({"at {0}"}),
            "at 1 (the first of 2 failed checks)");
  report(0, {0});
  EXPECT_EQ(collector.getMessage({"at {0}"}),
            "at 0 (the first of 3 failed checks)");
}

TEST(CheckReportsTest, ReportsFromThreads) {
  constexpr int64_t numThreads = 8, numReports = 50000;
  CheckCollector collector;
  std::atomic<int64_t> numWaiting{numThreads};
  std::vector<std::thread> threads;
  for (int64_t thread = 0; thread < numThreads; ++thread)
    threads.emplace_back([thread, &numWaiting] {
      // All start together.
      --numWaiting;
      while (numWaiting > 0)
        std::this_thread::yield();
      for (int64_t i = numReports; i-- > 0;)
        report(/*site=*/1 + thread % 2, {i, thread});
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(collector.getMessage({"no", "at {0} in thread {1}", "no"}),
            "at 0 in thread 0 (the first of 400000 failed checks)");
}

TEST(CheckReportsTest, WithoutCollectorReportsAreDropped) {
  report(0, {1});
  {
    CheckCollector collector;
    EXPECT_EQ(collector.getMessage({"at {0}"}), std::nullopt);
    report(0, {2});
  }
  report(0, {3});
  CheckCollector collector;
  EXPECT_EQ(collector.getMessage({"at {0}"}), std::nullopt);
}

TEST(CheckReportsTest, SiteWithoutTemplate) {
  for (int64_t site : {INT64_MIN, int64_t(-1), int64_t(1), INT64_MAX}) {
    CheckCollector collector;
    report(site, {7});
    EXPECT_EQ(collector.getMessage({"only {0}"}),
              "check " + std::to_string(site) + " failed");
  }
  CheckCollector collector;
  report(0, {});
  EXPECT_EQ(collector.getMessage({}), "check 0 failed");
}

TEST(CheckReportsTest, SecondCollectorWaitsForTheFirst) {
  std::atomic<bool> constructed{false};
  auto first = std::make_unique<CheckCollector>();
  std::thread thread([&] {
    CheckCollector second;
    constructed = true;
    EXPECT_EQ(second.getMessage({"at {0}"}), std::nullopt);
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_FALSE(constructed);
  report(0, {3});
  EXPECT_EQ(first->getMessage({"at {0}"}), "at 3");
  first.reset();
  thread.join();
  EXPECT_TRUE(constructed);
}
