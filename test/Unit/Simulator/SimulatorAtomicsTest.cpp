//===- SimulatorAtomicsTest.cpp -------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Atomic instructions against plain loops over typed values, and what they
// count. The order that they make is in SimulatorSyncTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "SimulatorTestSupport.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <limits>
#include <random>
#include <type_traits>

using namespace tileir::sim;

namespace {

// Slots: 64-bit registers take two.
constexpr uint32_t kOperand = 2, kNew = 4, kOld = 6;

Access atomicAccess(AtomicOp op, ElementType type, unsigned bytes) {
  Access access;
  access.space = Space::Generic;
  access.elementBytes = bytes;
  access.isAtomic = true;
  access.atomicOp = op;
  access.type = type;
  return access;
}

uint64_t wordOf(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  return bits;
}
uint64_t wordOf(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, 8);
  return bits;
}
/// The f16 or bf16 of a whole number that it can represent.
uint64_t smallFloatBits(ElementType type, int value) {
  if (value == 0)
    return 0;
  int mantissaBits = type == ElementType::F16 ? 10 : 7;
  int bias = type == ElementType::F16 ? 15 : 127;
  unsigned magnitude = std::abs(value), exponent = 0;
  while (magnitude >> (exponent + 1))
    ++exponent;
  unsigned fraction =
      (magnitude << mantissaBits >> exponent) & ((1u << mantissaBits) - 1);
  return (value < 0 ? 0x8000 : 0) | (exponent + bias) << mantissaBits |
         fraction;
}

/// What an operation leaves, in the types of C++.
template <typename T> T expectedInteger(AtomicOp op, T old, T x) {
  using S = std::make_signed_t<T>;
  switch (op) {
  case AtomicOp::Exchange:
    return x;
  case AtomicOp::Add:
    return T(old + x);
  case AtomicOp::Sub:
    return T(old - x);
  case AtomicOp::And:
    return old & x;
  case AtomicOp::Or:
    return old | x;
  case AtomicOp::Xor:
    return old ^ x;
  case AtomicOp::SMin:
    return T(std::min(S(old), S(x)));
  case AtomicOp::SMax:
    return T(std::max(S(old), S(x)));
  case AtomicOp::UMin:
    return std::min(old, x);
  case AtomicOp::UMax:
    return std::max(old, x);
  case AtomicOp::Inc:
    return old < x ? T(old + 1) : T(0);
  case AtomicOp::Dec:
    return old > 0 && old <= x ? T(old - 1) : x;
  default:
    ADD_FAILURE();
    return 0;
  }
}

constexpr AtomicOp kIntegerOps[] = {
    AtomicOp::Exchange, AtomicOp::Add,  AtomicOp::Sub,  AtomicOp::And,
    AtomicOp::Or,       AtomicOp::Xor,  AtomicOp::SMin, AtomicOp::SMax,
    AtomicOp::UMin,     AtomicOp::UMax, AtomicOp::Inc,  AtomicOp::Dec};

/// Executes one RMW with random operands on five colliding words.
template <typename T> void testIntegers(bool inShared) {
  constexpr unsigned kWords = 5;
  std::mt19937_64 random(17 + sizeof(T) + inShared);
  for (AtomicOp op : kIntegerOps) {
    SCOPED_TRACE(testing::Message() << "op " << unsigned(op) << ", bytes "
                                    << sizeof(T) << ", shared " << inShared);
    TestBlock test;
    Instr &instr = test.addAccess(
        Opcode::AtomicRmw,
        atomicAccess(op, sizeof(T) == 8 ? ElementType::I64 : ElementType::I32,
                     sizeof(T)));
    instr.a = kAddress;
    instr.b = kOperand;
    instr.dst = kOld;
    instr.imm = 2 * sizeof(T);
    test.start();
    uint8_t *memory = test.shared(64);
    uint64_t base = kSharedBase + 64;
    if (!inShared) {
      memory = static_cast<uint8_t *>(cantFail(test.memory.allocate(256)));
      base = reinterpret_cast<uint64_t>(memory);
    }
    T words[kWords + 2], before[kWords + 2];
    for (T &word : words)
      word = T(random() >> random() % 64);
    std::memcpy(before, words, sizeof(words));
    std::memcpy(memory, words, sizeof(words));
    const uint32_t active = 0xdffffffb;
    test.warps[0].setActive(active);
    T results[kLanes];
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      unsigned index = lane * 7 % kWords;
      T operand = T(random() >> random() % 64);
      if (lane % 8 == 3) // where Inc and Dec wrap
        operand = words[2 + index];
      test.get64(kAddress, lane) = base + index * sizeof(T);
      if (sizeof(T) == 8)
        test.get64(kOperand, lane) = operand;
      else
        test.get32(kOperand, lane) = operand;
      results[lane] = words[2 + index];
      if (active >> lane & 1)
        words[2 + index] = expectedInteger<T>(op, words[2 + index], operand);
    }
    ASSERT_EQ(test.run(instr), &instr + 1);
    EXPECT_EQ(std::memcmp(memory, words, sizeof(words)), 0);
    EXPECT_EQ(std::memcmp(memory, before, 2 * sizeof(T)), 0);
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      T result = sizeof(T) == 8 ? T(test.get64(kOld, lane))
                                : T(test.get32(kOld, lane));
      EXPECT_EQ(result, active >> lane & 1 ? results[lane] : T(0)) << lane;
    }
    if (!inShared) // shared memory was not written by the kernel
      EXPECT_TRUE(test.takeFindings().empty());
  }
}

TEST(SimulatorAtomics, IntegersAgainstLoop) {
  for (bool inShared : {true, false}) {
    testIntegers<uint8_t>(inShared);
    testIntegers<uint16_t>(inShared);
    testIntegers<uint32_t>(inShared);
    testIntegers<uint64_t>(inShared);
  }
}

/// One word, one lane after another: gives what is left, and the old values.
uint64_t runOnWord(AtomicOp op, ElementType type, unsigned bytes,
                   uint64_t start, const std::vector<uint64_t> &operands,
                   std::vector<uint64_t> &old) {
  TestBlock test(32);
  Instr &instr =
      test.addAccess(Opcode::AtomicRmw, atomicAccess(op, type, bytes));
  instr.a = kAddress;
  instr.b = kOperand;
  instr.dst = kOperand; // results may share the register of an operand
  test.start();
  void *memory = cantFail(test.memory.allocate(8));
  std::memcpy(memory, &start, bytes);
  test.warps[0].setActive(uint32_t((uint64_t(1) << operands.size()) - 1));
  for (unsigned lane = 0; lane < operands.size(); ++lane) {
    test.get64(kAddress, lane) = reinterpret_cast<uint64_t>(memory);
    if (bytes == 8)
      test.get64(kOperand, lane) = operands[lane];
    else
      test.get32(kOperand, lane) = operands[lane];
  }
  test.run(instr);
  EXPECT_TRUE(test.takeFindings().empty());
  old.clear();
  for (unsigned lane = 0; lane < operands.size(); ++lane)
    old.push_back(bytes == 8 ? test.get64(kOperand, lane)
                             : test.get32(kOperand, lane));
  uint64_t left = 0;
  std::memcpy(&left, memory, bytes);
  return left;
}

TEST(SimulatorAtomics, FloatsAgainstLoop) {
  auto encode = [](ElementType type, int value) -> uint64_t {
    if (type == ElementType::F32)
      return wordOf(float(value));
    if (type == ElementType::F64)
      return wordOf(double(value));
    return smallFloatBits(type, value);
  };
  const std::pair<ElementType, unsigned> types[] = {{ElementType::F16, 2},
                                                    {ElementType::BF16, 2},
                                                    {ElementType::F32, 4},
                                                    {ElementType::F64, 8}};
  for (auto [type, bytes] : types)
    for (AtomicOp op : {AtomicOp::Exchange, AtomicOp::FAdd, AtomicOp::FSub,
                        AtomicOp::FMin, AtomicOp::FMax}) {
      SCOPED_TRACE(testing::Message()
                   << "op " << unsigned(op) << " type " << unsigned(type));
      int value = 3;
      std::vector<uint64_t> operands, expected, old;
      for (int i = 0; i < 31; ++i) {
        int operand = i * 5 % 13 - 6; // sums stay below 128, exact in bf16
        expected.push_back(encode(type, value));
        operands.push_back(encode(type, operand));
        value = op == AtomicOp::Exchange ? operand
                : op == AtomicOp::FAdd   ? value + operand
                : op == AtomicOp::FSub   ? value - operand
                : op == AtomicOp::FMin   ? std::min(value, operand)
                                         : std::max(value, operand);
      }
      uint64_t left =
          runOnWord(op, type, bytes, encode(type, 3), operands, old);
      EXPECT_EQ(left, encode(type, value));
      EXPECT_EQ(old, expected);
    }
}

TEST(SimulatorAtomics, FloatsRoundAndOrderNaN) {
  std::vector<uint64_t> old;
  const uint64_t nan = wordOf(std::numeric_limits<float>::quiet_NaN());
  for (AtomicOp op : {AtomicOp::FMin, AtomicOp::FMax}) {
    EXPECT_EQ(runOnWord(op, ElementType::F32, 4, nan, {wordOf(2.f)}, old),
              wordOf(2.f));
    EXPECT_EQ(runOnWord(op, ElementType::F32, 4, wordOf(2.f), {nan}, old),
              wordOf(2.f));
  }
  EXPECT_EQ(runOnWord(AtomicOp::FAdd, ElementType::F32, 4, wordOf(0.1f),
                      {wordOf(0.2f), wordOf(0.7f)}, old),
            wordOf((0.1f + 0.2f) + 0.7f));
  // 2048 + 1 is between two f16: to the even one; 2050 + 1 up to 2052.
  EXPECT_EQ(runOnWord(AtomicOp::FAdd, ElementType::F16, 2,
                      smallFloatBits(ElementType::F16, 2048),
                      {smallFloatBits(ElementType::F16, 1)}, old),
            smallFloatBits(ElementType::F16, 2048));
  EXPECT_EQ(runOnWord(AtomicOp::FAdd, ElementType::F16, 2,
                      smallFloatBits(ElementType::F16, 2050),
                      {smallFloatBits(ElementType::F16, 1)}, old),
            smallFloatBits(ElementType::F16, 2052));
  // 256 + 1 in bf16, likewise; 258 + 1 up to 260.
  EXPECT_EQ(runOnWord(AtomicOp::FAdd, ElementType::BF16, 2,
                      smallFloatBits(ElementType::BF16, 256),
                      {smallFloatBits(ElementType::BF16, 1)}, old),
            smallFloatBits(ElementType::BF16, 256));
  EXPECT_EQ(runOnWord(AtomicOp::FAdd, ElementType::BF16, 2,
                      smallFloatBits(ElementType::BF16, 258),
                      {smallFloatBits(ElementType::BF16, 1)}, old),
            smallFloatBits(ElementType::BF16, 260));
}

template <typename T> void testCompareExchange() {
  TestBlock test;
  Instr &instr = test.addAccess(
      Opcode::AtomicCmpXchg,
      atomicAccess(AtomicOp::Exchange, ElementType::I32, sizeof(T)));
  instr.a = kAddress;
  instr.b = kOperand;
  instr.c = kNew;
  instr.dst = kOld;
  test.start();
  T *word = static_cast<T *>(cantFail(test.memory.allocate(sizeof(T))));
  *word = T(-3);
  // Lanes expect what the lane before leaves, but every fifth is wrong.
  T value = *word, expected[kLanes];
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    T compare = lane % 5 == 2 ? T(value + 1) : value, next = T(lane * 3 + 1);
    test.get64(kAddress, lane) = reinterpret_cast<uint64_t>(word);
    if (sizeof(T) == 8) {
      test.get64(kOperand, lane) = compare;
      test.get64(kNew, lane) = next;
    } else {
      test.get32(kOperand, lane) = compare;
      test.get32(kNew, lane) = next;
    }
    expected[lane] = value;
    if (compare == value)
      value = next;
  }
  test.run(instr);
  EXPECT_EQ(*word, value);
  for (unsigned lane = 0; lane < kLanes; ++lane)
    EXPECT_EQ(sizeof(T) == 8 ? T(test.get64(kOld, lane))
                             : T(test.get32(kOld, lane)),
              expected[lane])
        << lane;
  EXPECT_TRUE(test.takeFindings().empty());
}

TEST(SimulatorAtomics, CompareExchangeAgainstLoop) {
  testCompareExchange<uint8_t>();
  testCompareExchange<uint16_t>();
  testCompareExchange<uint32_t>();
  testCompareExchange<uint64_t>();
}

TEST(SimulatorAtomics, NoResult) {
  TestBlock test;
  Instr &instr = test.addAccess(
      Opcode::AtomicRmw, atomicAccess(AtomicOp::Add, ElementType::I32, 4));
  instr.a = kAddress;
  instr.b = kOperand;
  test.start();
  uint32_t *word = static_cast<uint32_t *>(cantFail(test.memory.allocate(4)));
  *word = 5;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    test.get64(kAddress, lane) = reinterpret_cast<uint64_t>(word);
    test.get32(kOperand, lane) = lane;
  }
  test.run(instr);
  EXPECT_EQ(*word, 5u + 31 * 32 / 2);
}

TEST(SimulatorAtomics, BadAddresses) {
  TestBlock test;
  Instr &instr = test.addAccess(
      Opcode::AtomicRmw, atomicAccess(AtomicOp::Add, ElementType::I32, 4));
  instr.a = kAddress;
  instr.b = kOperand;
  instr.dst = kOld;
  test.start();
  auto *words = static_cast<uint32_t *>(cantFail(test.memory.allocate(12)));
  words[0] = words[1] = words[2] = 7;
  uint64_t base = reinterpret_cast<uint64_t>(words);
  test.warps[0].setActive(0b111);
  const uint64_t addresses[] = {base + 4, base + 6, base + 12};
  for (unsigned lane = 0; lane < 3; ++lane) {
    test.get64(kAddress, lane) = addresses[lane];
    test.get32(kOperand, lane) = 1;
    test.get32(kOld, lane) = 99;
  }
  EXPECT_EQ(test.run(instr), &instr + 1);
  EXPECT_EQ(words[1], 8u);
  EXPECT_EQ(words[2], 7u);
  EXPECT_EQ(test.get32(kOld, 0), 7u);
  EXPECT_EQ(test.get32(kOld, 1), 0u);
  EXPECT_EQ(test.get32(kOld, 2), 0u);
  std::vector<Finding> findings = test.takeFindings();
  ASSERT_EQ(findings.size(), 2u);
  EXPECT_EQ(findings[0].kind, FindingKind::OutOfBounds);
  EXPECT_EQ(findings[0].lane, 2u);
  EXPECT_EQ(findings[0].address, base + 12);
  EXPECT_EQ(findings[1].kind, FindingKind::Misaligned);
  EXPECT_EQ(findings[1].lane, 1u);
}

/// Lanes at one bank take turns, at the same address too.
TEST(SimulatorAtomics, SharedTurns) {
  struct Case {
    unsigned bytes, stride;
    uint64_t wavefronts, ideal;
  };
  const Case cases[] = {
      {4, 4, 1, 1},  {4, 0, 32, 1}, {4, 8, 2, 1},  {4, 128, 32, 1},
      {4, 12, 1, 1}, {8, 8, 2, 2},  {8, 0, 32, 2}, {8, 16, 4, 2},
  };
  for (const Case &c : cases) {
    TestBlock test(32, 8192);
    Instr &instr = test.addAccess(
        Opcode::AtomicRmw,
        atomicAccess(AtomicOp::Exchange, ElementType::I32, c.bytes));
    instr.a = kAddress;
    instr.b = kOperand;
    test.start();
    for (unsigned lane = 0; lane < kLanes; ++lane)
      test.get64(kAddress, lane) = kSharedBase + lane * c.stride;
    test.run(instr);
    const AccessCounters &counters = test.worker.accesses[0];
    EXPECT_EQ(counters.wavefronts, c.wavefronts) << c.bytes << " " << c.stride;
    EXPECT_EQ(counters.idealWavefronts, c.ideal);
    EXPECT_EQ(counters.warps, 1u);
    EXPECT_EQ(counters.lanes, 32u);
    EXPECT_EQ(counters.bytes, 32u * c.bytes);
    EXPECT_TRUE(test.takeFindings().empty()); // nothing was read
  }
}

TEST(SimulatorAtomics, UninitializedShared) {
  TestBlock test;
  Instr &exchange = test.addAccess(
      Opcode::AtomicRmw, atomicAccess(AtomicOp::Exchange, ElementType::I32, 4));
  Instr &add = test.addAccess(Opcode::AtomicRmw,
                              atomicAccess(AtomicOp::Add, ElementType::I32, 4));
  exchange.a = add.a = kAddress;
  exchange.b = add.b = kOperand;
  test.start();
  test.warps[0].setActive(1);
  test.get64(kAddress, 0) = kSharedBase + 20;
  test.run(exchange);
  test.run(add);
  EXPECT_TRUE(test.takeFindings().empty());
  test.get64(kAddress, 0) = kSharedBase + 24;
  test.run(add);
  std::vector<Finding> findings = test.takeFindings();
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_EQ(findings[0].kind, FindingKind::UninitializedShared);
}

} // namespace
