//===- Baseline.h - A library that computes a problem -----------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A problem goes as text from rows.py to those who compute it, so that each
// reads what concerns it: lines of a word and what belongs to it, as in
// "sizes 64 64 64". A library that may not be there is opened at run time; one
// whose headers are needed has its baseline in a plugin, which exports
// tileirBenchMake.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_BENCHMARKS_CPU_BASELINE_H
#define TILEIR_BENCHMARKS_CPU_BASELINE_H

#include <cstdint>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace tileir::bench {

/// Runs something so many times, one after the other.
using Run = std::function<void(uint64_t)>;

/// The loop is where the callee is known: a small product takes less time than
/// a call by std::function.
template <typename Function> Run repeat(Function function) {
  return [function](uint64_t count) {
    for (uint64_t i = 0; i < count; ++i)
      function();
  };
}

struct Problem {
  std::map<std::string, std::vector<std::string>> lines;
  std::vector<const void *> inputs;
  void *output = nullptr;

  explicit Problem(const char *text) {
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);) {
      size_t blank = line.find(' ');
      lines[line.substr(0, blank)].push_back(
          blank == std::string::npos ? "" : line.substr(blank + 1));
    }
  }

  /// What belongs to a word; empty if it is not there.
  std::string get(const std::string &word) const {
    auto line = lines.find(word);
    return line == lines.end() ? std::string() : line->second.front();
  }

  static std::vector<int64_t> readInts(const std::string &text) {
    std::istringstream stream(text);
    std::vector<int64_t> values;
    for (int64_t value; stream >> value;)
      values.push_back(value);
    return values;
  }
  std::vector<int64_t> getInts(const std::string &word) const {
    return readInts(get(word));
  }
  int64_t getInt(const std::string &word, int64_t otherwise = 0) const {
    std::vector<int64_t> values = getInts(word);
    return values.empty() ? otherwise : values.front();
  }

  template <typename T> const T *getInput(size_t i) const {
    return static_cast<const T *>(inputs[i]);
  }
};

/// Sees to it that `run` computes the problem. If it cannot, it returns false
/// and `text` says why; otherwise, `text` may say how.
using MakeRun = bool (*)(const Problem &problem, Run &run, std::string &text);

bool makePeak(const Problem &problem, Run &run, std::string &text);
bool makeOurs(const Problem &problem, Run &run, std::string &text);
bool makeOpenBlas(const Problem &problem, Run &run, std::string &text);

} // namespace tileir::bench

#endif // TILEIR_BENCHMARKS_CPU_BASELINE_H
