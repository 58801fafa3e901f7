//===- KernelFuzzer.cpp ---------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Any text as the LLVM IR or PTX of kernels: an error, or kernels that run to
// an end, with findings perhaps, and touch no memory but their own. Mutations
// are of lines and words, so that many still parse.
//
//===----------------------------------------------------------------------===//

#include "tileir/Simulator/Simulator.h"
#include "tileir/Target/Gpu/Gpu.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <random>

using namespace llvm;
using namespace tileir;

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

/// Launches a kernel on a small buffer for each pointer, and on zeros.
static Error launch(sim::Simulator &simulator, sim::Kernel &kernel) {
  std::vector<std::vector<char>> values;
  for (const sim::KernelArgument &argument : kernel.arguments) {
    if (argument.bytes > 4096)
      return createStringError("large arguments are no use");
    std::vector<char> &value = values.emplace_back(argument.bytes + 8);
    if (!argument.isPointer || argument.byval)
      continue;
    auto buffer = simulator.getMemory().allocate(512);
    if (!buffer)
      return buffer.takeError();
    std::memset(*buffer, 1, 512);
    std::memcpy(value.data(), &*buffer, sizeof(void *));
  }
  std::vector<const void *> arguments;
  for (std::vector<char> &value : values)
    arguments.push_back(value.data());
  sim::LaunchConfig config;
  config.grid = {2, 1, 1};
  config.block = {40, 1, 1};
  config.dynamicSharedBytes = 256;
  return simulator.launch(kernel, config, arguments).takeError();
}

static Error run(StringRef text) {
  auto chip = machine::getGpu("sm_90a");
  if (!chip)
    return chip.takeError();
  sim::SimulatorOptions options;
  options.threads = 1;
  options.stepLimit = 4000;
  options.stackBytes = 1024;
  // What O2 does is LLVM's business, and takes most of the time.
  options.optimize = text.size() % 64 == 0;
  options.print = [](StringRef) {};
  sim::Simulator simulator(**chip, options);
  auto module = simulator.load({text, "fuzz.ll"});
  if (!module)
    return module.takeError();
  for (const std::string &name : (*module)->getKernelNames()) {
    auto kernel = (*module)->getKernel(name);
    if (!kernel)
      return kernel.takeError();
    if (Error error = launch(simulator, **kernel))
      return error;
  }
  return Error::success();
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data), size);
  // Of such sizes it is LLVM that takes long, or too much memory.
  for (StringRef line : split(StringRef(text), '\n'))
    for (StringRef word : split(line, ' ')) {
      uint64_t number = 0;
      word = word.trim("[]<>(),*");
      if (!word.consumeInteger(10, number) && word.starts_with("x") &&
          number > 4096)
        return 0;
    }
  consumeError(run(text));
  return 0;
}

//===----------------------------------------------------------------------===//
// Mutations
//===----------------------------------------------------------------------===//

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

/// Words that seeds may lack.
constexpr const char *kWords[] = {"i1",
                                  "i8",
                                  "i16",
                                  "i24",
                                  "i32",
                                  "i64",
                                  "i128",
                                  "half",
                                  "float",
                                  "double",
                                  "bfloat",
                                  "<2 x i32>",
                                  "ptr",
                                  "ptr addrspace(1)",
                                  "ptr addrspace(3)",
                                  "ptr addrspace(5)",
                                  "0",
                                  "1",
                                  "-1",
                                  "31",
                                  "32",
                                  "4294967295",
                                  "-2147483648",
                                  "null",
                                  "undef",
                                  "poison",
                                  "zeroinitializer",
                                  "volatile",
                                  "atomic",
                                  "align 1",
                                  "align 16",
                                  "0x7FF8000000000000",
                                  "true",
                                  "false",
                                  "nsw",
                                  "exact",
                                  "b32",
                                  "u64",
                                  "f16x2"};

static bool isWordCharacter(char c) {
  return isAlnum(c) || StringRef("%@._-+").contains(c);
}

namespace {
/// A file as lines, and these as words.
class Mutator {
public:
  Mutator(StringRef text, unsigned seed) : random(seed) {
    for (StringRef line : split(text, '\n'))
      lines.push_back(line.str());
  }

  std::string mutate() {
    for (unsigned i = 0, count = 1 + pick(3); i < count; ++i)
      change();
    return join(lines, "\n");
  }

private:
  size_t pick(size_t count) { return random() % count; }
  std::string &pickLine() { return lines[pick(lines.size())]; }

  /// The words of a line, as places in it.
  static SmallVector<std::pair<size_t, size_t>> findWords(StringRef line) {
    SmallVector<std::pair<size_t, size_t>> words;
    for (size_t at = 0; at < line.size();) {
      size_t end = at;
      while (end < line.size() && isWordCharacter(line[end]))
        ++end;
      if (end > at)
        words.emplace_back(at, end - at);
      at = end + 1;
    }
    return words;
  }

  std::string pickWord() {
    std::string &line = pickLine();
    auto words = findWords(line);
    if (words.empty() || pick(4) == 0)
      return kWords[pick(std::size(kWords))];
    auto [at, size] = words[pick(words.size())];
    return line.substr(at, size);
  }

  void change() {
    const size_t from = pick(lines.size()), to = pick(lines.size());
    switch (pick(8)) {
    case 0:
      if (lines.size() > 1)
        lines.erase(lines.begin() + from);
      return;
    case 1:
      lines.insert(lines.begin() + to, std::string(lines[from]));
      return;
    case 2:
      std::swap(lines[from], lines[to]);
      return;
    default:
      auto words = findWords(lines[from]);
      if (words.empty())
        return;
      auto [at, size] = words[pick(words.size())];
      lines[from].replace(at, size, pickWord());
    }
  }

  std::mt19937 random;
  std::vector<std::string> lines;
};
} // namespace

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  if (seed % 32 == 0)
    return LLVMFuzzerMutate(data, size, maxSize);
  StringRef text(reinterpret_cast<char *>(data), size);
  std::string result = Mutator(text, seed).mutate();
  if (result.size() > maxSize)
    return LLVMFuzzerMutate(data, size, maxSize);
  std::copy(result.begin(), result.end(), data);
  return result.size();
}
