//===- Print.cpp ----------------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// vprintf: formats the arguments of each lane by the C library.
//
//===----------------------------------------------------------------------===//

#include "Exec/Print.h"
#include "Decode/FormatString.h"
#include "tileir/Simulator/Buffer.h"
#include "tileir/Simulator/DeviceMemory.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <iterator>
#include <tuple>

namespace tileir::sim {

/// One conversion with its value, and at most two widths before it.
template <typename T>
static std::string format(const FormatPart &part, const int *stars, T value) {
  const char *text = part.conversion.c_str();
  auto print = [&](char *to, size_t size) {
    if (part.stars == 0)
      return snprintf(to, size, text, value);
    if (part.stars == 1)
      return snprintf(to, size, text, stars[0], value);
    return snprintf(to, size, text, stars[0], stars[1], value);
  };
  int length = print(nullptr, 0);
  if (length < 0)
    return {};
  std::string result(size_t(length) + 1, 0);
  print(result.data(), result.size());
  result.pop_back();
  return result;
}

/// The text at an address of the device, up to its zero or the end of the
/// buffer.
static std::string readText(DeviceMemory &memory, uint64_t address) {
  Buffer *buffer = memory.find(address);
  if (!buffer)
    return address ? "(text outside every buffer)" : "(null)";
  const char *text = reinterpret_cast<const char *>(address);
  return std::string(text, strnlen(text, buffer->end() - address));
}

/// Widths are bounded, or one could fill the memory of this process.
static int boundWidth(uint32_t width) {
  constexpr int kMost = 1024;
  return std::clamp(int(width), -kMost, kMost);
}

static std::string formatLane(Warp &warp, const Instr *instr, unsigned lane,
                              const std::vector<FormatPart> &parts) {
  const Launch &launch = *warp.block->launch;
  const uint32_t *use =
      launch.program->pool.data() + instr->list + instr->numDefs;
  auto getWord = [&] { return warp.registers[*use++ * kLanes + lane]; };
  auto getWide = [&] {
    uint64_t value;
    std::memcpy(&value, warp.registers + *use++ * kLanes + 2 * lane, 8);
    return value;
  };
  std::string text;
  for (const FormatPart &part : parts) {
    text += part.text;
    if (!part.kind)
      continue;
    int stars[2] = {0, 0};
    for (unsigned i = 0; i < part.stars && i < 2; ++i)
      stars[i] = boundWidth(getWord());
    if (!part.isWide) {
      text += format(part, stars, int(getWord()));
      continue;
    }
    uint64_t value = getWide();
    double number;
    std::memcpy(&number, &value, 8);
    if (std::strchr("fFeEgGaA", part.kind))
      text += format(part, stars, number);
    else if (part.kind == 's')
      text += format(part, stars, readText(*launch.memory, value).c_str());
    else if (part.kind == 'p')
      text += format(part, stars, reinterpret_cast<void *>(value));
    else
      text += format(part, stars, static_cast<long long>(value));
  }
  return text;
}

const Instr *print(Warp &warp, const Instr *instr) {
  const Launch &launch = *warp.block->launch;
  Worker &worker = *warp.block->worker;
  Printed &printed = worker.printed;
  const uint64_t block = warp.block->linear;
  if (printed.block != block) {
    printed.block = block;
    printed.bytesBefore = printed.bytes;
  }
  std::vector<FormatPart> parts;
  parseFormat(launch.program->texts[instr->extra], parts);
  for (uint32_t left = warp.active; left; left &= left - 1) {
    unsigned lane = __builtin_ctz(left);
    // This worker's blocks come in their order: what earlier ones printed
    // comes first.
    if (printed.bytesBefore > launch.printLimit) {
      ++printed.dropped;
      continue;
    }
    std::string text = formatLane(warp, instr, lane, parts);
    printed.bytes += text.size();
    printed.calls.push_back({block, warp.index * kLanes + lane,
                             printed.calls.size(), std::move(text)});
  }
  if (instr->numDefs)
    for (uint32_t left = warp.active; left; left &= left - 1)
      warp.registers[launch.program->pool[instr->list] * kLanes +
                     __builtin_ctz(left)] = instr->numUses;
  return instr + 1;
}

std::string takePrinted(std::vector<Worker> &workers, uint64_t limit) {
  std::vector<Printed::Call> calls;
  uint64_t dropped = 0;
  for (Worker &worker : workers) {
    dropped += worker.printed.dropped;
    std::move(worker.printed.calls.begin(), worker.printed.calls.end(),
              std::back_inserter(calls));
  }
  std::sort(calls.begin(), calls.end(),
            [](const Printed::Call &a, const Printed::Call &b) {
              return std::tie(a.block, a.thread, a.order) <
                     std::tie(b.block, b.thread, b.order);
            });
  std::string text;
  size_t next = 0;
  while (next < calls.size() && text.size() + calls[next].text.size() <= limit)
    text += calls[next++].text;
  dropped += calls.size() - next;
  if (dropped)
    text += "(" + std::to_string(dropped) + " more calls of printf: over " +
            std::to_string(limit) + " bytes)\n";
  return text;
}

} // namespace tileir::sim
