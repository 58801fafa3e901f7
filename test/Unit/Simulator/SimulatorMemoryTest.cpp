//===- SimulatorMemoryTest.cpp --------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Device buffers, loads and stores of every shape against plain copies, and
// what is found about addresses that are wrong. Counts and races of global
// memory are in SimulatorAccessTest.cpp, those of shared memory in
// SimulatorShadowTest.cpp.
//
//===----------------------------------------------------------------------===//

#include "SimulatorTestSupport.h"

#include "gtest/gtest.h"

#include <cstring>
#include <fstream>
#include <iterator>
#include <random>

using namespace tileir::sim;

namespace {

std::string messageOf(llvm::Error error) {
  return llvm::toString(std::move(error));
}

TEST(DeviceMemory, AllocatesApart) {
  DeviceMemory memory;
  auto *a = static_cast<uint8_t *>(llvm::cantFail(memory.allocate(100, "a")));
  auto *b = static_cast<uint8_t *>(llvm::cantFail(memory.allocate(5000)));
  auto *none = llvm::cantFail(memory.allocate(0));
  for (void *pointer : {(void *)a, (void *)b, none}) {
    EXPECT_EQ(reinterpret_cast<uint64_t>(pointer) % 256, 0u);
    EXPECT_GE(reinterpret_cast<uint64_t>(pointer), kGlobalBase);
  }
  EXPECT_GT(std::abs(a - b), 1 << 30);
  for (unsigned i = 0; i < 100; ++i)
    EXPECT_EQ(a[i], 0xff);
  uint64_t begin = reinterpret_cast<uint64_t>(a);
  EXPECT_EQ(memory.find(begin)->name, "a");
  EXPECT_EQ(memory.find(begin + 99)->size, 100u);
  EXPECT_EQ(memory.find(begin + 100), nullptr);
  EXPECT_EQ(memory.find(begin - 1), nullptr);
  EXPECT_EQ(memory.find(reinterpret_cast<uint64_t>(none)), nullptr);
  EXPECT_EQ(memory.findNearest(begin + 300)->name, "a");
  EXPECT_EQ(memory.find(reinterpret_cast<uint64_t>(b) + 4999)->name, "unnamed");
  EXPECT_FALSE(memory.free(a));
  EXPECT_EQ(memory.find(begin), nullptr);
  EXPECT_FALSE(memory.free(none));
  EXPECT_EQ(memory.getBuffers().size(), 1u);
}

/// Pages of this process that are in memory.
static uint64_t getResidentPages() {
  uint64_t all = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> all >> resident;
  return resident;
}

TEST(DeviceMemory, TakesMemoryWhereItIsWritten) {
  DeviceMemory memory;
  uint64_t before = getResidentPages();
  const uint64_t size = (uint64_t(2) << 30) + 12345;
  auto buffer = memory.allocate(size);
  ASSERT_TRUE(bool(buffer)) << llvm::toString(buffer.takeError());
  auto *bytes = static_cast<uint8_t *>(*buffer);
  for (uint64_t offset = 0; offset < size; offset += uint64_t(40) << 20)
    EXPECT_EQ(bytes[offset], 0xff) << offset;
  EXPECT_EQ(bytes[size - 1], 0xff);
  bytes[5] = 1;
  // Neither a part of the same buffer nor another one has the byte.
  EXPECT_EQ(bytes[(uint64_t(64) << 20) + 5], 0xff);
  auto other = memory.allocate(uint64_t(64) << 20);
  ASSERT_TRUE(bool(other)) << llvm::toString(other.takeError());
  EXPECT_EQ(static_cast<uint8_t *>(*other)[5], 0xff);
  EXPECT_LT((getResidentPages() - before) * 4096, uint64_t(512) << 20);
}

TEST(DeviceMemory, ReportsWrongUses) {
  DeviceMemory memory;
  EXPECT_EQ(memory.findNearest(1), nullptr);
  void *a = llvm::cantFail(memory.allocate(64, "a"));
  auto *bytes = static_cast<uint8_t *>(a);
  EXPECT_NE(messageOf(memory.free(bytes + 4)).find("expected the address of"),
            std::string::npos);
  EXPECT_FALSE(memory.free(a));
  EXPECT_NE(messageOf(memory.free(a)).find("has not been freed"),
            std::string::npos);
  for (uint64_t size : {~uint64_t(0) - 5, uint64_t(1) << 60})
    EXPECT_EQ(messageOf(memory.allocate(size).takeError())
                  .find("cannot allocate " + std::to_string(size) +
                        " bytes of device memory: expected at most the host's"),
              0u);

  alignas(16) static uint8_t host[64];
  EXPECT_FALSE(memory.registerHost(host + 16, 16, "host"));
  EXPECT_NE(messageOf(memory.free(host + 16)).find("registered host memory"),
            std::string::npos);
  for (auto [offset, size] : {std::pair(0, 17), {16, 4}, {31, 1}, {20, 40}})
    EXPECT_NE(messageOf(memory.registerHost(host + offset, size, "again"))
                  .find("overlaps 'host' at"),
              std::string::npos)
        << offset;
  EXPECT_FALSE(memory.registerHost(host, 16, "before"));
  EXPECT_FALSE(memory.registerHost(host + 32, 16, "behind"));
  EXPECT_NE(messageOf(memory.registerHost((void *)64, 16, "low"))
                .find("expected addresses from 0x100000000 on"),
            std::string::npos);
  EXPECT_EQ(memory.find(reinterpret_cast<uint64_t>(host + 31))->name, "host");
  EXPECT_FALSE(memory.unregisterHost(host + 16));
  EXPECT_NE(messageOf(memory.unregisterHost(host + 16))
                .find("expected the address of registered"),
            std::string::npos);
}

/// An instruction with one access whose lanes go where `address` says.
struct Shape {
  Space space = Space::Global;   ///< of the instruction
  Space reached = Space::Global; ///< of its addresses
  uint8_t elementBytes = 4, elements = 1;
  bool isStore = false, instrument = true;
};

/// Addresses of random kinds in [0, size) units of `bytes`; `bad` lanes leave.
enum class Kind { Consecutive, Same, Strided, Random, Bad };

/// Executes one load or store of `shape` and compares with copies lane by lane.
void testAccess(const Shape &shape, Kind kind, uint32_t active,
                std::mt19937 &random) {
  constexpr uint32_t kBytes = 2048;
  TestBlock test(32, kBytes, shape.instrument);
  const uint32_t bytes = shape.elementBytes * shape.elements;
  const uint32_t width = shape.elementBytes == 8 ? 2 : 1; // slots
  test.program.sharedGranule = test.program.globalGranule =
      std::min<uint32_t>(bytes, 4);
  test.program.localBytes = kBytes;
  test.program.locals.push_back({0, kBytes, 0});
  Access access;
  access.space = shape.space;
  access.elementBytes = shape.elementBytes;
  access.elements = shape.elements;
  Instr &instr =
      test.addAccess(shape.isStore ? Opcode::Store : Opcode::Load, access);
  instr.a = kAddress;
  instr.imm = -8;
  std::vector<uint32_t> slots;
  // The first result of a load lies where its address was.
  for (uint32_t i = 0; i < shape.elements; ++i)
    slots.push_back(i == 0 && !shape.isStore ? kAddress : kData + i * width);
  if (shape.isStore)
    test.setList(instr, {}, slots);
  else
    test.setList(instr, slots, {});
  test.start();
  std::vector<uint8_t> local(shape.reached == Space::Local ? kBytes * kLanes
                                                           : 0);
  test.warps[0].local = local.data();
  auto *global =
      static_cast<uint8_t *>(llvm::cantFail(test.memory.allocate(kBytes)));
  test.warps[0].setActive(active);

  // What the kernel sees at an offset, and where that is.
  auto getAddress = [&](int64_t offset) -> uint64_t {
    if (shape.reached == Space::Shared)
      return kSharedBase + offset;
    if (shape.reached == Space::Local)
      return kLocalBase + offset;
    return reinterpret_cast<uint64_t>(global) + offset;
  };
  auto getHost = [&](uint32_t lane) -> uint8_t * {
    if (shape.reached == Space::Shared)
      return test.shared();
    return shape.reached == Space::Local ? local.data() + lane * kBytes
                                         : global;
  };
  for (uint8_t *memory : {test.shared(), global})
    for (unsigned i = 0; i < kBytes; ++i)
      memory[i] = random();
  for (uint8_t &byte : local)
    byte = random();
  for (uint32_t i = 0; i < kTestSlots * kLanes; ++i)
    test.warps[0].registers[i] = random();

  int64_t offsets[kLanes];
  const uint32_t units = kBytes / bytes, base = random() % (units - kLanes);
  unsigned numBad = 0;
  bool isOutOfBounds = false, isMisaligned = false;
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    bool isBad = false;
    switch (kind) {
    case Kind::Consecutive:
      offsets[lane] = (base + lane) * bytes;
      break;
    case Kind::Same:
      offsets[lane] = base * bytes;
      break;
    case Kind::Strided:
      offsets[lane] = lane * (kBytes / kLanes);
      break;
    case Kind::Random:
    case Kind::Bad:
      offsets[lane] = random() % units * bytes;
      isBad = kind == Kind::Bad && random() % 4 == 0;
      if (isBad)
        switch (random() % (bytes > 1 ? 4 : 3)) {
        case 0:
          offsets[lane] = -int64_t(bytes);
          break;
        case 1:
          offsets[lane] = kBytes + random() % 1000 * bytes;
          break;
        case 2:
          offsets[lane] = kBytes;
          break;
        case 3:
          offsets[lane] += bytes / 2;
          break;
        }
      break;
    }
    test.get64(kAddress, lane) = getAddress(offsets[lane]) + 8;
    if (isBad && (active >> lane & 1)) {
      bool leaves = offsets[lane] < 0 || offsets[lane] + bytes > kBytes;
      (leaves ? isOutOfBounds : isMisaligned) = true;
      ++numBad;
    }
    if (isBad)
      offsets[lane] = -1;
  }

  // The oracle: registers of loads, memory of stores.
  std::vector<uint32_t> registers(
      test.warps[0].registers, test.warps[0].registers + kTestSlots * kLanes);
  std::vector<std::vector<uint8_t>> memory;
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    if (lane == 0 || shape.reached == Space::Local)
      memory.emplace_back(getHost(lane), getHost(lane) + kBytes);
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    for (uint32_t i = 0; (active >> lane & 1) && i < shape.elements; ++i) {
      uint64_t value = 0;
      uint32_t *slot = registers.data() + slots[i] * kLanes + lane * width;
      int64_t offset = offsets[lane] + i * shape.elementBytes;
      if (!shape.isStore) {
        if (offsets[lane] >= 0)
          std::memcpy(&value, getHost(lane) + offset, shape.elementBytes);
        std::memcpy(slot, &value, 4 * width);
      } else if (offsets[lane] >= 0) {
        uint32_t to = shape.reached == Space::Local ? lane : 0;
        std::memcpy(memory[to].data() + offset, slot, shape.elementBytes);
      }
    }

  EXPECT_EQ(test.run(instr), &instr + 1);
  // One finding of each kind.
  bool outOfBounds = false, misaligned = false;
  for (const Finding &finding : test.takeFindings()) {
    outOfBounds |= finding.kind == FindingKind::OutOfBounds;
    misaligned |= finding.kind == FindingKind::Misaligned;
    if (finding.kind == FindingKind::OutOfBounds ||
        finding.kind == FindingKind::Misaligned)
      EXPECT_EQ(finding.count, 1u);
  }
  EXPECT_EQ(outOfBounds, isOutOfBounds);
  EXPECT_EQ(misaligned, isMisaligned);
  EXPECT_EQ(std::memcmp(registers.data(), test.warps[0].registers,
                        registers.size() * 4),
            0);
  for (uint32_t lane = 0; lane < kLanes; ++lane)
    if (lane == 0 || shape.reached == Space::Local)
      EXPECT_EQ(std::memcmp(memory[lane].data(), getHost(lane), kBytes), 0);
  uint32_t lanes = __builtin_popcount(active) - numBad;
  const AccessCounters &counters = test.worker.accesses[0];
  EXPECT_EQ(counters.lanes, shape.instrument ? lanes : 0);
  EXPECT_EQ(counters.bytes, shape.instrument ? lanes * bytes : 0);
  if (shape.space == Space::Generic && lanes && shape.instrument)
    EXPECT_EQ(test.worker.accessSpace[0],
              shape.reached == Space::Shared  ? InstrClass::Shared
              : shape.reached == Space::Local ? InstrClass::Local
                                              : InstrClass::Global);
}

TEST(Accesses, MoveWhatPlainCopiesMove) {
  std::mt19937 random(7);
  for (uint8_t elementBytes : {1, 2, 4, 8})
    for (uint8_t elements : {1, 2, 4, 8, 16})
      for (Space reached : {Space::Global, Space::Shared, Space::Local})
        for (bool isGeneric : {false, true})
          for (Kind kind : {Kind::Consecutive, Kind::Same, Kind::Strided,
                            Kind::Random, Kind::Bad})
            for (uint32_t active :
                 {kAllLanes, uint32_t(1) << random() % 32, uint32_t(random())})
              for (bool isStore : {false, true})
                for (bool instrument : {false, true}) {
                  if (elementBytes * elements > 32 || !active)
                    continue;
                  SCOPED_TRACE(testing::Message()
                               << int(elementBytes) << " x " << int(elements)
                               << ", space " << int(reached) << ", generic "
                               << isGeneric << ", kind " << int(kind)
                               << ", active " << active << ", store "
                               << isStore);
                  Shape shape;
                  shape.space = isGeneric ? Space::Generic : reached;
                  shape.reached = reached;
                  shape.elementBytes = elementBytes;
                  shape.elements = elements;
                  shape.isStore = isStore;
                  shape.instrument = instrument;
                  testAccess(shape, kind, active, random);
                  if (HasFailure())
                    return;
                }
}

/// One generic load and store of 4 bytes, for messages.
class Messages : public testing::Test {
protected:
  Messages() : test(32, 512) {
    Access access;
    access.space = Space::Generic;
    load = &test.addAccess(Opcode::Load, access);
    test.setList(*load, {kData}, {});
    store = &test.addAccess(Opcode::Store, access);
    test.setList(*store, {}, {kData});
    access.space = Space::Constant;
    storeConstant = &test.addAccess(Opcode::Store, access);
    test.setList(*storeConstant, {}, {kData});
    for (Instr *instr : {load, store, storeConstant})
      instr->a = kAddress;
    test.program.locations.push_back({"kernel.py", 3, 0});
  }
  void start() {
    test.start();
    test.warps[0].setActive(1u << 5);
  }
  /// "kind: message" of one access by lane 5, "" if it is good.
  std::string run(const Instr &instr, uint64_t address) {
    test.get64(kAddress, 5) = address;
    test.get32(kData, 5) = 77;
    test.run(instr);
    std::vector<Finding> findings = test.takeFindings();
    if (findings.empty())
      return "";
    EXPECT_EQ(findings.size(), 1u);
    EXPECT_EQ(findings[0].lane, 5u);
    EXPECT_EQ(findings[0].address, address);
    if (&instr == load) {
      EXPECT_EQ(test.get32(kData, 5), 0u);
    }
    return std::string(getName(findings[0].kind)) + ": " + findings[0].message;
  }
  static std::string hex(uint64_t address) {
    char text[32];
    std::snprintf(text, sizeof(text), "0x%llx", (unsigned long long)address);
    return text;
  }

  TestBlock test;
  Instr *load, *store, *storeConstant;
};

TEST(Accesses, KnowTheirSpaces) {
  const uint64_t edges[] = {
      0,          kSharedBase - 1, kSharedBase, kSharedEnd - 1,
      kSharedEnd, kLocalBase - 1,  kLocalBase,  kLocalEnd - 1,
      kLocalEnd,  kGlobalBase - 1, kGlobalBase, ~uint64_t(0)};
  const char *expected = "--ss--ll--gg";
  for (auto [space, index] : {std::pair(Space::Shared, 's'),
                              {Space::Local, 'l'},
                              {Space::Global, 'g'}}) {
    TestBlock test;
    Instr &instr = test.add(Opcode::IsSpace);
    instr.a = kAddress;
    instr.dst = kData;
    instr.imm = int64_t(space);
    test.start();
    for (uint32_t lane = 0; lane < std::size(edges); ++lane)
      test.get64(kAddress, lane) = edges[lane];
    EXPECT_EQ(test.run(instr), &instr + 1);
    for (uint32_t lane = 0; lane < std::size(edges); ++lane)
      EXPECT_EQ(test.get32(kData, lane), uint32_t(expected[lane] == index))
          << index << " " << lane;
  }
}

TEST_F(Messages, OfGlobalMemory) {
  start();
  EXPECT_EQ(
      run(*load, kGlobalBase),
      "out-of-bounds: load of 4 bytes at 0x100000000; expected an address "
      "in a device buffer, none is near");
  uint64_t a = reinterpret_cast<uint64_t>(
      llvm::cantFail(test.memory.allocate(254, "arg0")));
  EXPECT_EQ(run(*load, a + 248), "");
  EXPECT_EQ(run(*load, a + 268),
            "out-of-bounds: load of 4 bytes at " + hex(a + 268) +
                ", 14 bytes behind the end of buffer 'arg0' of 254 bytes");
  EXPECT_EQ(run(*store, a - 4),
            "out-of-bounds: store of 4 bytes at " + hex(a - 4) +
                ", 4 bytes before the begin of buffer 'arg0' of 254 bytes");
  EXPECT_EQ(run(*store, a + 252),
            "out-of-bounds: store of 4 bytes at " + hex(a + 252) +
                ", 2 bytes across the end of buffer 'arg0' of 254 bytes");
  EXPECT_EQ(run(*load, a + 6), "misaligned: load of 4 bytes at " + hex(a + 6) +
                                   "; expected an address that 4 divides");
  EXPECT_EQ(run(*store, a + 8), "");
  test.memory.find(a)->readOnly = true;
  std::string readOnly = "read-only: store of 4 bytes at " + hex(a + 8) +
                         ", in the read-only buffer 'arg0'; expected a buffer "
                         "that may be written";
  EXPECT_EQ(run(*store, a + 8), readOnly);
  EXPECT_EQ(run(*load, a + 8), "");
  test.memory.find(a)->readOnly = false;
  EXPECT_EQ(run(*storeConstant, a + 8), readOnly);
}

TEST_F(Messages, OfSharedMemory) {
  start();
  EXPECT_EQ(run(*store, kSharedBase + 508), "");
  EXPECT_EQ(run(*load, kSharedBase + 508), "");
  EXPECT_EQ(run(*load, kSharedBase + 512),
            "out-of-bounds: load of 4 bytes at 0x1000200, 0 bytes behind the "
            "end of the block's 512 bytes of shared memory");
  EXPECT_EQ(run(*store, kSharedBase + 2),
            "misaligned: store of 4 bytes at 0x1000002; expected an address "
            "that 4 divides");
}

TEST_F(Messages, OfLocalMemory) {
  test.program.localBytes = 64;
  test.program.locals = {{0, 16, 1}, {32, 32, 1}};
  std::vector<uint8_t> local(64 * kLanes);
  start();
  test.warps[0].local = local.data();
  EXPECT_EQ(run(*store, kLocalBase + 60), "");
  EXPECT_EQ(local[5 * 64 + 60], 77);
  EXPECT_EQ(run(*load, kLocalBase + 16),
            "out-of-bounds: load of 4 bytes at 0x40000010, 0 bytes behind the "
            "end of the local variable of 16 bytes from kernel.py:3");
  EXPECT_EQ(run(*load, kLocalBase + 28),
            "out-of-bounds: load of 4 bytes at 0x4000001c, 4 bytes before the "
            "begin of the local variable of 32 bytes from kernel.py:3");
}

TEST_F(Messages, OfNoMemory) {
  start();
  EXPECT_EQ(run(*load, 0),
            "out-of-bounds: load of 4 bytes at 0x0; expected an address of "
            "global, shared or local memory");
  EXPECT_EQ(run(*load, kLocalBase),
            "out-of-bounds: load of 4 bytes at 0x40000000; expected an address "
            "in a local variable, there is none");
}

} // namespace
