//===- SimulatorExecTest.h --------------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Tests of the handlers of arithmetic, for each instruction set that this host
// has: one warp whose registers are set by hand executes one instruction, with
// all lanes and with some, with its result in a register of its own and in that
// of each operand; an oracle says what each lane should hold.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TEST_UNIT_SIMULATOR_SIMULATOREXECTEST_H
#define TILEIR_TEST_UNIT_SIMULATOR_SIMULATOREXECTEST_H

#include "Exec/Warp.h"

#include "gtest/gtest.h"

#include <array>
#include <cstring>
#include <functional>
#include <random>
#include <string>
#include <vector>

#define SIM_DECLARE_HANDLERS                                                   \
  void addIntegerHandlers(Handler *table);                                     \
  void addFloatHandlers(Handler *table);                                       \
  void addMathHandlers(Handler *table);                                        \
  void addConvertHandlers(Handler *table);
namespace tileir::sim {
namespace baseline {
SIM_DECLARE_HANDLERS
}
#ifdef __x86_64__
namespace avx2 {
SIM_DECLARE_HANDLERS
}
#endif
#undef SIM_DECLARE_HANDLERS

/// Widths of the registers of an instruction, in bits; 0: there is none.
struct Shape {
  unsigned dst = 32, a = 32, b = 0, c = 0;
};
inline Shape shapeOf(unsigned width, unsigned operands) {
  return {width, width, operands > 1 ? width : 0, operands > 2 ? width : 0};
}

using Inputs = std::array<uint64_t, 3>;
/// The bits that a lane's result should have.
using Oracle = std::function<uint64_t(uint64_t a, uint64_t b, uint64_t c)>;
/// Whether the bits that a lane's result has are right.
using Equal = std::function<bool(uint64_t expected, uint64_t found)>;

class ExecTest : public ::testing::TestWithParam<std::string> {
protected:
  void SetUp() override {
#ifdef __x86_64__
    if (GetParam() == "avx2") {
      if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") ||
          !__builtin_cpu_supports("f16c"))
        GTEST_SKIP() << "this host has no AVX2";
      avx2::addIntegerHandlers(handlers);
      avx2::addFloatHandlers(handlers);
      avx2::addMathHandlers(handlers);
      avx2::addConvertHandlers(handlers);
    }
#endif
    if (GetParam() == "baseline") {
      baseline::addIntegerHandlers(handlers);
      baseline::addFloatHandlers(handlers);
      baseline::addMathHandlers(handlers);
      baseline::addConvertHandlers(handlers);
    }
    program.kernel = "test";
    program.locations.resize(1);
    program.code.resize(1);
    launch.program = &program;
    launch.findings = &log;
    block.launch = &launch;
    warp.block = &block;
    warp.registers = words;
    warp.alive = kAllLanes;
  }

  uint64_t get(uint32_t slot, unsigned width, unsigned lane) {
    uint32_t *lanes = words + slot * kLanes;
    if (width == 32)
      return lanes[lane];
    uint64_t value;
    std::memcpy(&value, lanes + 2 * lane, 8);
    return value;
  }
  void set(uint32_t slot, unsigned width, unsigned lane, uint64_t value) {
    uint32_t *lanes = words + slot * kLanes;
    if (width == 32)
      lanes[lane] = uint32_t(value);
    else
      std::memcpy(lanes + 2 * lane, &value, 8);
  }

  /// Executes `instr`, whose operands it chooses, for 32 inputs.
  void checkWarp(Instr instr, const Shape &shape, const Inputs *inputs,
                 uint32_t mask, uint32_t dst, const Oracle &oracle,
                 const Equal &equal) {
    const unsigned widths[] = {shape.a, shape.b, shape.c};
    uint32_t *operands[] = {&instr.a, &instr.b, &instr.c};
    for (uint32_t &word : words)
      word = uint32_t(random());
    for (unsigned i = 0; i < 3; ++i) {
      if (!widths[i])
        continue;
      *operands[i] = 2 * (i + 1);
      for (unsigned lane = 0; lane < kLanes; ++lane)
        set(*operands[i], widths[i], lane, inputs[lane][i]);
    }
    instr.dst = dst;
    warp.setActive(mask);
    uint64_t before[kLanes];
    for (unsigned lane = 0; lane < kLanes; ++lane)
      before[lane] = get(dst, shape.dst, lane);
    program.code[0] = instr;
    const Instr *code = program.code.data();
    Handler handler = handlers[unsigned(instr.opcode)];
    ASSERT_NE(handler, nullptr);
    ASSERT_EQ(handler(warp, code), code + 1);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      uint64_t found = get(dst, shape.dst, lane);
      if (!(mask >> lane & 1)) {
        ASSERT_EQ(found, before[lane]) << "an inactive lane changed";
        continue;
      }
      const Inputs &in = inputs[lane];
      uint64_t expected = oracle(in[0], in[1], in[2]);
      ASSERT_TRUE(equal(expected, found))
          << std::hex << "of " << in[0] << ", " << in[1] << ", " << in[2]
          << ": expected " << expected << ", found " << found << ", dst slot "
          << dst << ", lane " << lane;
    }
  }

  void check(
      Instr instr, const Shape &shape, std::vector<Inputs> inputs,
      const Oracle &oracle,
      const Equal &equal = [](uint64_t x, uint64_t y) { return x == y; }) {
    SCOPED_TRACE(std::string(getInfo(instr.opcode).name) + " imm " +
                 std::to_string(instr.imm));
    ASSERT_FALSE(inputs.empty());
    while (inputs.size() % kLanes)
      inputs.push_back(inputs[inputs.size() - 1]);
    for (size_t i = 0; i < inputs.size(); i += kLanes) {
      uint32_t masks[] = {kAllLanes, uint32_t(random()), 1u << i / kLanes % 32};
      uint32_t dst = i / kLanes % 4 * 2; // of its own, that of a, b, c
      for (uint32_t mask : masks) {
        checkWarp(instr, shape, &inputs[i], mask, 0, oracle, equal);
        checkWarp(instr, shape, &inputs[i], mask, dst, oracle, equal);
        if (HasFatalFailure())
          return;
      }
    }
  }
  static Instr make(Opcode opcode, int64_t imm = 0, uint32_t extra = 0) {
    Instr instr;
    instr.opcode = opcode;
    instr.imm = imm;
    instr.extra = extra;
    return instr;
  }

  /// All combinations of `values` for so many operands, in part of the cases
  /// only if there are too many, then random ones.
  std::vector<Inputs> combine(const std::vector<uint64_t> &values,
                              unsigned operands, unsigned numRandom = 512) {
    std::vector<Inputs> inputs;
    for (uint64_t a : values)
      for (uint64_t b : operands > 1 ? values : std::vector<uint64_t>{0})
        for (uint64_t c : operands > 2 ? values : std::vector<uint64_t>{0})
          if (operands < 3 || random() % 4 == 0)
            inputs.push_back({a, b, c});
    for (unsigned i = 0; i < numRandom; ++i)
      inputs.push_back({random(), random(), random()});
    return inputs;
  }

  std::mt19937_64 random{12345};
  Handler handlers[kNumOpcodes] = {};
  Program program;
  FindingLog log;
  Launch launch;
  Block block;
  Warp warp;
  alignas(128) uint32_t words[8 * kLanes] = {};
};

inline std::vector<std::string> instructionSets() {
#ifdef __x86_64__
  return {"baseline", "avx2"};
#else
  return {"baseline"};
#endif
}

} // namespace tileir::sim

#endif // TILEIR_TEST_UNIT_SIMULATOR_SIMULATOREXECTEST_H
