//===- SimulatorWgmmaTest.cpp ---------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// wgmma.mma_async as PTX: all columns, types, orders, swizzles, immediates, and
// A in registers, against plain products of small integers. The operands are
// laid out by the canonical layouts of the PTX ISA, written as it has them: by
// tiles of 8 rows of 16 bytes, and swizzles as permutations of bits of the
// address. Then what is wrong with a kernel, a fault each.
//
//===----------------------------------------------------------------------===//

#include "SimulatorEvaluate.h"

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {

using Bytes = std::vector<uint8_t>;

struct WgmmaCase {
  unsigned n, k;
  std::string d, a, b;
  unsigned swizzleA = 3, swizzleB = 3; ///< log2 of the row over 16 bytes
  bool aTransposed = false, bTransposed = false, aInRegisters = false;
  int scaleA = 1, scaleB = 1;
  bool scaleD = true;
  std::string suffix = ""; ///< ".satfinite"
  unsigned startA = 0;     ///< bytes by which A begins within a 1024-byte tile

  unsigned bits() const { return 256 / k; }
  bool isInteger() const { return d == "s32"; }
  unsigned registersOfD() const { return n / (d == "f16" ? 4 : 2); }
};

uint64_t encodeElement(const std::string &type, int value) {
  if (type == "f16")
    return encode("half", value);
  if (type == "bf16")
    return encode("bfloat", value);
  if (type == "tf32" || type == "f32")
    return encode("float", value);
  if (type == "e4m3" || type == "e5m2") {
    unsigned mantissa = type == "e4m3" ? 3 : 2, bias = type == "e4m3" ? 7 : 15;
    unsigned magnitude = unsigned(std::abs(value));
    if (magnitude == 0)
      return 0;
    unsigned exponent = 0;
    while (magnitude >> (exponent + 1))
      ++exponent;
    unsigned fraction =
        (magnitude << mantissa >> exponent) & ((1 << mantissa) - 1);
    return (value < 0 ? 0x80 : 0) | (exponent + bias) << mantissa | fraction;
  }
  return lowBits(uint64_t(int64_t(value)), type == "s32"  ? 32
                                           : type == "b1" ? 1
                                                          : 8);
}

/// An operand in shared memory: `outer` is M or N.
struct SharedMatrix {
  unsigned outer, k, bits, swizzle;
  bool isTransposed;
  uint32_t start = 0, leading = 0, stride = 0, base = 0;

  /// Places the operand at `begin`, a multiple of 1024; gives its end.
  uint32_t place(uint32_t begin, uint32_t shift) {
    start = begin + shift;
    const uint32_t row = 16u << swizzle; // bytes of a swizzled row
    const uint32_t gap = 0;              // tiles lie side by side
    if (!isTransposed && swizzle == 0) {
      leading = 128 + gap; // the two halves of the depth
      stride = 256;        // 8 rows
      return begin + shift + outer / 8 * stride;
    }
    if (!isTransposed) {
      stride = 8 * row;
      return begin + (outer + 7) / 8 * stride;
    }
    if (swizzle == 0) {
      stride = 128; // the next 8 of outer
      leading = outer / 8 * 128;
      return begin + 2 * leading;
    }
    // Tiles of `row` bytes of outer by 8 of k.
    const uint32_t tiles = (outer * 2 + row - 1) / row;
    leading = 8 * row;
    stride = tiles * 8 * row;
    return begin + 2 * stride;
  }

  /// The address of the byte that holds element (i, j), i of outer.
  uint32_t getAddress(unsigned i, unsigned j) const {
    uint32_t address;
    if (!isTransposed) {
      const unsigned byte = j * bits / 8;
      if (swizzle == 0)
        address = start + i / 8 * stride + byte / 16 * leading + i % 8 * 16 +
                  byte % 16;
      else
        address = start + i / 8 * stride + i % 8 * (16u << swizzle) + byte;
    } else {
      const unsigned wide = 8u << swizzle; // elements of 16 bits
      if (swizzle == 0)
        address =
            start + i / 8 * stride + j / 8 * leading + j % 8 * 16 + i % 8 * 2;
      else
        address = start + i / wide * leading + j / 8 * stride +
                  j % 8 * (wide * 2) + i % wide * 2;
    }
    // Bits 7 and up to 9 go onto bits 4 to 6.
    for (unsigned bit = 0; bit < swizzle; ++bit)
      if (((address >> 7) - base) >> bit & 1)
        address ^= 16u << bit;
    return address;
  }
  uint64_t getDescriptor() const {
    const unsigned mode[] = {0, 3, 2, 1};
    return uint64_t(start >> 4) | uint64_t(leading >> 4) << 16 |
           uint64_t(stride >> 4) << 32 | uint64_t(base) << 49 |
           uint64_t(mode[swizzle]) << 62;
  }
  void set(Bytes &memory, unsigned i, unsigned j, uint64_t value) const {
    uint32_t address = getAddress(i, j);
    if (bits == 1)
      memory[address] |= uint8_t(value << j % 8);
    else
      std::memcpy(&memory[address], &value, bits / 8);
  }
};

std::string listRegisters(const std::string &prefix, unsigned count) {
  std::string text = "{";
  for (unsigned i = 0; i < count; ++i)
    text += (i ? ", %" : "%") + prefix + std::to_string(i);
  return text + "}";
}

std::string number(uint64_t value) { return std::to_string(value); }

/// Where a test may change the kernel.
struct Edits {
  std::string proxyFence = "  fence.proxy.async;\n";
  std::string beforeProduct, fence = "wgmma.fence.sync.aligned;",
                             commit = "wgmma.commit_group.sync.aligned;",
                             wait = "wgmma.wait_group.sync.aligned 0;",
                             afterProduct, afterWait;
};

/// A kernel of PTX that copies the image of shared memory from global memory,
/// multiplies, and stores the registers of D: parameters D, image, registers of
/// A.
std::string makeKernel(const WgmmaCase &w, const SharedMatrix &a,
                       const SharedMatrix &b, uint32_t bytes,
                       const Edits &edits = {}) {
  const unsigned count = w.registersOfD();
  std::string p =
      ".version 8.3\n.target sm_90a\n.address_size 64\n"
      ".extern .shared .align 1024 .b8 smem[];\n"
      ".visible .entry k(.param .u64 pd, .param .u64 ps, .param .u64 pa)\n{\n"
      "  .reg .pred %p<4>;\n  .reg .b32 %d<128>;\n  .reg .b32 %a<4>;\n  .reg "
      ".b32 %r<8>;\n"
      "  .reg .b64 %x<16>;\n"
      "  ld.param.u64 %x0, [pd];\n  ld.param.u64 %x1, [ps];\n  ld.param.u64 "
      "%x2, [pa];\n"
      "  mov.u32 %r0, %tid.x;\n  mul.wide.u32 %x3, %r0, 4;\n"
      "  mov.u32 %r1, smem;\n  shl.b32 %r2, %r0, 2;\n  add.u32 %r2, %r1, %r2;\n"
      "  add.u64 %x4, %x1, %x3;\n  mov.u32 %r3, %r2;\n  mov.u32 %r4, 0;\n"
      "copy:\n  ld.global.u32 %r5, [%x4];\n  st.shared.u32 [%r3], %r5;\n"
      "  add.u64 %x4, %x4, 512;\n  add.u32 %r3, %r3, 512;\n  add.u32 %r4, %r4, "
      "512;\n"
      "  setp.lt.u32 %p0, %r4, " +
      number(bytes) + ";\n  @%p0 bra copy;\n" + edits.proxyFence +
      "  bar.sync 0;\n"
      "  mul.wide.u32 %x5, %r0, " +
      number(4 * count) + ";\n  add.u64 %x5, %x0, %x5;\n";
  for (unsigned i = 0; i < count; ++i)
    p += "  ld.global.u32 %d" + number(i) + ", [%x5+" + number(4 * i) + "];\n";
  p += "  mul.wide.u32 %x6, %r0, 16;\n  add.u64 %x6, %x2, %x6;\n";
  for (unsigned i = 0; w.aInRegisters && i < 4; ++i)
    p += "  ld.global.u32 %a" + number(i) + ", [%x6+" + number(4 * i) + "];\n";
  // smem lies at a multiple of 2^18 in the window.
  p += "  mov.u64 %x7, " + number(a.getDescriptor()) + ";\n  mov.u64 %x8, " +
       number(b.getDescriptor()) + ";\n";
  p += "  setp.ne.u32 %p1, 0, " + std::string(w.scaleD ? "1" : "0") + ";\n";
  p += edits.beforeProduct + "  " + edits.fence + "\n";
  p += "  wgmma.mma_async.sync.aligned.m64n" + number(w.n) + "k" + number(w.k) +
       w.suffix + "." + w.d + "." + w.a + "." + w.b +
       (w.a == "b1" ? ".and.popc " : " ") + listRegisters("d", count) + ", " +
       (w.aInRegisters ? listRegisters("a", 4) : "%x7") + ", %x8, %p1";
  if (!w.isInteger()) {
    p += ", " + std::to_string(w.scaleA) + ", " + std::to_string(w.scaleB);
    if (w.bits() == 16)
      p += (w.aInRegisters  ? ""
            : w.aTransposed ? ", 1"
                            : ", 0") +
           std::string(w.bTransposed ? ", 1" : ", 0");
  }
  p += ";\n  " + edits.commit + "\n" + edits.afterProduct + "  " + edits.wait +
       "\n" + edits.afterWait;
  for (unsigned i = 0; i < count; ++i)
    p += "  st.global.u32 [%x5+" + number(4 * i) + "], %d" + number(i) + ";\n";
  return p + "  ret;\n}\n";
}

struct WgmmaScene {
  WgmmaCase w;
  SharedMatrix a, b;
  uint32_t bytes;
  std::vector<Bytes> arrays; ///< D, the image of shared memory, registers of A
  std::vector<int64_t> expected; ///< row by row

  explicit WgmmaScene(const WgmmaCase &w)
      : w(w), a{64, w.k, w.bits(), w.swizzleA, w.aTransposed},
        b{w.n, w.k, w.bits(), w.swizzleB, w.bTransposed} {
    uint32_t end = w.aInRegisters ? 0 : a.place(0, w.startA);
    end = b.place((end + 1023) / 1024 * 1024, 0);
    bytes = (end + 1023) / 1024 * 1024;
    arrays = {Bytes(128 * 4 * w.registersOfD()), Bytes(bytes), Bytes(128 * 16)};
    std::mt19937 random(w.n + 256 * w.k + w.a.size());
    auto draw = [&](int low, int high) {
      return int(random() % unsigned(high - low + 1)) + low;
    };
    auto drawOf = [&](const std::string &type) {
      return type == "b1"   ? draw(0, 1)
             : type == "u8" ? draw(0, 7)
                            : draw(-4, 3);
    };
    std::vector<int> left(64 * w.k), right(w.n * w.k);
    for (unsigned i = 0; i < 64; ++i)
      for (unsigned j = 0; j < w.k; ++j) {
        int value = left[i * w.k + j] = drawOf(w.a);
        uint64_t bits = encodeElement(w.a, value);
        if (!w.aInRegisters) {
          a.set(arrays[1], i, j, bits);
          continue;
        }
        // 8 rows of 16 bytes are a register: the PTX ISA's figures.
        const unsigned bit = j * w.bits(), reg = i / 8 % 2 + bit / 128 * 2;
        const unsigned lane = i % 8 * 4 + bit % 128 / 32;
        uint8_t *place = &arrays[2][((i / 16 * 32 + lane) * 4 + reg) * 4];
        if (w.bits() == 1)
          place[bit % 32 / 8] |= uint8_t(bits << bit % 8);
        else
          std::memcpy(place + bit % 32 / 8, &bits, w.bits() / 8);
      }
    for (unsigned i = 0; i < w.n; ++i)
      for (unsigned j = 0; j < w.k; ++j)
        b.set(arrays[1], i, j,
              encodeElement(w.b, right[i * w.k + j] = drawOf(w.b)));
    for (unsigned i = 0; i < 64; ++i)
      for (unsigned n = 0; n < w.n; ++n) {
        int start = draw(-20, 20);
        if (!w.suffix.empty() && (i + n) % 3 == 0)
          start = std::numeric_limits<int>::max() - 5;
        put(i, n, encodeElement(w.d, start));
        int64_t sum = 0;
        for (unsigned j = 0; j < w.k; ++j)
          sum += left[i * w.k + j] * right[n * w.k + j];
        sum = sum * w.scaleA * w.scaleB + (w.scaleD ? start : 0);
        if (!w.suffix.empty())
          sum = std::min<int64_t>(sum, std::numeric_limits<int>::max());
        expected.push_back(sum);
      }
  }

  /// Where D(row, column) is in the registers of threads: the PTX ISA's figure
  /// of the fragment.
  uint8_t *at(unsigned row, unsigned column) {
    unsigned thread = row / 16 * 32 + row % 8 * 4 + column % 8 / 2;
    unsigned element = column / 8 * 4 + row / 8 % 2 * 2 + column % 2;
    unsigned size = w.d == "f16" ? 2 : 4;
    return &arrays[0][thread * 4 * w.registersOfD() + element * size];
  }
  void put(unsigned row, unsigned column, uint64_t bits) {
    std::memcpy(at(row, column), &bits, w.d == "f16" ? 2 : 4);
  }
  RunResult run(const Edits &edits = {}, unsigned threads = 128,
                MmaSums sums = MmaSums::Exact) {
    RunOptions options;
    options.chip = "sm_90a";
    options.block = {threads, 1, 1};
    options.dynamicSharedBytes = bytes;
    options.simulator.mma = sums;
    return test::run(makeKernel(w, a, b, bytes, edits), arrays, options);
  }
  void check(MmaSums sums = MmaSums::Exact) {
    std::string name = "n" + number(w.n) + "k" + number(w.k) + "." + w.d + "." +
                       w.a + "." + w.b + " swizzles " + number(w.swizzleA) +
                       number(w.swizzleB) + " transposed " +
                       number(w.aTransposed) + number(w.bTransposed) +
                       (w.aInRegisters ? " registers" : "");
    RunResult result = run({}, 128, sums);
    ASSERT_EQ(result.error, "") << name;
    ASSERT_EQ(result.text(), "") << name;
    for (unsigned i = 0; i < 64; ++i)
      for (unsigned n = 0; n < w.n; ++n) {
        uint64_t found = 0;
        std::memcpy(&found, at(i, n), w.d == "f16" ? 2 : 4);
        ASSERT_EQ(found, encodeElement(w.d, int(expected[i * w.n + n])))
            << name << ": " << i << ", " << n << " expected "
            << expected[i * w.n + n];
      }
    EXPECT_EQ(result.counters.wgmma, 4u);
    EXPECT_EQ(result.counters.wgmmaFlops, 2u * 64 * w.n * w.k);
    EXPECT_EQ(result.counters.wgmmaWavefronts,
              (w.n + (w.aInRegisters ? 0 : 64)) * 32u / 128);
  }
};

#define CHECK_CASE(...)                                                        \
  do {                                                                         \
    WgmmaScene(__VA_ARGS__).check();                                           \
    if (HasFatalFailure())                                                     \
      return;                                                                  \
  } while (0)

TEST(SimulatorWgmma, AllColumns) {
  for (unsigned n = 8; n <= 256; n += 8) {
    CHECK_CASE(WgmmaCase{n, 16, "f32", "f16", "f16"});
    if (n <= 24 || n % 16 == 0)
      CHECK_CASE(WgmmaCase{n, 32, "s32", "s8", "u8", 1, 2});
  }
}

const std::vector<WgmmaCase> kWgmmaTypes = {
    {40, 16, "f32", "f16", "f16"},   {40, 16, "f16", "f16", "f16"},
    {40, 16, "f32", "bf16", "bf16"}, {24, 8, "f32", "tf32", "tf32"},
    {40, 32, "f32", "e4m3", "e4m3"}, {40, 32, "f32", "e4m3", "e5m2"},
    {40, 32, "f16", "e5m2", "e4m3"}, {40, 32, "f16", "e5m2", "e5m2"},
    {48, 32, "s32", "s8", "s8"},     {48, 32, "s32", "s8", "u8"},
    {48, 32, "s32", "u8", "s8"},     {48, 32, "s32", "u8", "u8"},
    {24, 256, "s32", "b1", "b1"}};

TEST(SimulatorWgmma, TypesAndSwizzles) {
  for (WgmmaCase w : kWgmmaTypes)
    for (w.swizzleA = 0; w.swizzleA < 4; ++w.swizzleA) {
      w.swizzleB = (w.swizzleA + w.k) % 4;
      CHECK_CASE(w);
    }
}

TEST(SimulatorWgmma, RegistersAndImmediates) {
  for (WgmmaCase w : kWgmmaTypes) {
    w.aInRegisters = true;
    CHECK_CASE(w);
    w.scaleD = false;
    CHECK_CASE(w);
    w.aInRegisters = false;
    if (w.a == "s8" || w.a == "u8") {
      w.scaleD = true;
      w.suffix = ".satfinite";
      CHECK_CASE(w);
    }
    if (w.isInteger())
      continue;
    for (int scale : {1, -1}) {
      w.scaleA = scale;
      w.scaleB = -1;
      CHECK_CASE(w);
    }
  }
}

TEST(SimulatorWgmma, Transposed) {
  for (std::string type : {"f16", "bf16"})
    for (unsigned orders = 1; orders < 4; ++orders)
      for (unsigned swizzle = 0; swizzle < 4; ++swizzle)
        for (unsigned n : {8u, 64u, 96u, 256u}) {
          WgmmaCase w{n, 16, "f32", type, type, swizzle, 3 - swizzle};
          w.aTransposed = orders & 1;
          w.bTransposed = orders & 2;
          CHECK_CASE(w);
          w.aInRegisters = !w.aTransposed;
          CHECK_CASE(w);
        }
}

TEST(SimulatorWgmma, WithinASwizzledTile) {
  // The next 32 bytes of the depth of a tile of 128.
  for (unsigned step = 1; step < 4; ++step) {
    WgmmaCase w{64, 16, "f32", "f16", "f16"};
    w.startA = 32 * step;
    CHECK_CASE(w);
  }
}

TEST(SimulatorWgmma, HardwareSumsOfIntegers) {
  for (WgmmaCase w :
       {kWgmmaTypes[0], kWgmmaTypes[1], kWgmmaTypes[2], kWgmmaTypes[3]}) {
    WgmmaScene(w).check(MmaSums::Hardware);
    if (HasFatalFailure())
      return;
  }
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

/// What is said of a kernel of 64x16x16 of f16 that is changed.
std::string findFaults(const Edits &edits, unsigned threads = 128,
                       bool inRegisters = false) {
  WgmmaCase w{16, 16, "f32", "f16", "f16"};
  w.aInRegisters = inRegisters;
  WgmmaScene scene(w);
  RunResult result = scene.run(edits, threads);
  return result.error + result.text();
}

#define EXPECT_BEGINS(text, begin)                                             \
  EXPECT_EQ((text).substr(0, std::strlen(begin)), begin) << text

TEST(SimulatorWgmmaFaults, None) { EXPECT_EQ(findFaults({}), ""); }

TEST(SimulatorWgmmaFaults, MissingFence) {
  Edits edits;
  edits.fence = "";
  EXPECT_BEGINS(
      findFaults(edits),
      "missing-fence: wgmma.mma_async uses registers of D that were written");
  // Before the registers are written it is of no use.
  Edits early;
  early.beforeProduct = "  wgmma.fence.sync.aligned;\n  add.u32 %a1, %a1, 1;\n";
  early.fence = "";
  EXPECT_EQ(findFaults(early), "");
  EXPECT_BEGINS(findFaults(early, 128, true),
                "missing-fence: wgmma.mma_async uses registers of A");
}

// D is not read, so nothing was written for it; PTX asks for a fence before the
// first product all the same.
TEST(SimulatorWgmmaFaults, MissingFirstFence) {
  WgmmaCase w{16, 16, "f32", "f16", "f16"};
  w.scaleD = false;
  WgmmaScene scene(w);
  Edits edits;
  EXPECT_EQ(scene.run(edits).text(), "");
  edits.fence = "";
  RunResult result = scene.run(edits);
  EXPECT_BEGINS(result.text(),
                "missing-fence: wgmma.mma_async comes before any wgmma.fence");
}

TEST(SimulatorWgmmaFaults, MissingProxyFence) {
  Edits edits;
  edits.proxyFence = "";
  EXPECT_BEGINS(findFaults(edits),
                "missing-proxy-fence: wgmma.mma_async reads at shared offset ");
}

TEST(SimulatorWgmmaFaults, MissingWait) {
  for (std::string wait : {"", "wgmma.wait_group.sync.aligned 1;"}) {
    Edits edits;
    edits.wait = wait;
    EXPECT_BEGINS(
        findFaults(edits),
        "missing-wait: uses a register that the wgmma.mma_async at test.ll:");
  }
  Edits edits;
  edits.commit = "";
  EXPECT_BEGINS(findFaults(edits), "missing-wait: uses a register");
}

TEST(SimulatorWgmmaFaults, UseBeforeTheWait) {
  Edits edits;
  edits.afterProduct = "  add.f32 %d0, %d0, %d1;\n";
  EXPECT_BEGINS(findFaults(edits), "missing-wait: uses a register");
}

TEST(SimulatorWgmmaFaults, WriteToOperandsInFlight) {
  Edits edits;
  edits.afterProduct = "  st.shared.u32 [%r2], %r0;\n";
  std::string text = findFaults(edits);
  EXPECT_BEGINS(text, "shared-race: store of 4 bytes at shared offset ");
  EXPECT_NE(text.find("meets bytes that the wgmma.mma_async by the warps 0 to "
                      "3 at test.ll:"),
            std::string::npos)
      << text;
  // Behind the wait all is well for the own warp, and for others of the group.
  std::swap(edits.afterProduct, edits.afterWait);
  EXPECT_EQ(findFaults(edits), "");
}

TEST(SimulatorWgmmaFaults, WriteByAnotherWarpgroup) {
  // The second warpgroup writes when the first one says so, before or behind
  // its wait.
  WgmmaCase w{16, 16, "f32", "f16", "f16"};
  for (bool isEarly : {true, false}) {
    Edits edits;
    edits.beforeProduct = "  setp.ge.u32 %p2, %r0, 128;\n  @%p2 bra other;\n";
    (isEarly ? edits.afterProduct : edits.afterWait) = "  bar.sync 1, 256;\n";
    edits.afterWait += "  bra done;\nother:\n  bar.sync 1, 256;\n"
                       "  sub.u32 %r2, %r2, 512;\n"
                       "  st.shared.u32 [%r2], %r0;\n  ret;\ndone:\n";
    WgmmaScene scene(w);
    scene.bytes += 512; // the copy of 256 threads reaches behind the end
    scene.arrays[1].resize(scene.bytes);
    std::string ptx = makeKernel(w, scene.a, scene.b, scene.bytes - 512, edits);
    RunOptions options;
    options.chip = "sm_90a";
    options.block = {256, 1, 1};
    options.dynamicSharedBytes = scene.bytes;
    scene.arrays[0].resize(2 * scene.arrays[0].size());
    std::string text = run(ptx, scene.arrays, options).text();
    EXPECT_EQ(text.find("meets bytes that the wgmma.mma_async by the warps 0 "
                        "to 3") != std::string::npos,
              isEarly)
        << text;
  }
}

TEST(SimulatorWgmmaFaults, MissingWarps) {
  EXPECT_BEGINS(findFaults({}, 96),
                "mismatched-collective: wgmma.mma_async of the warps "
                "0 to 3, of which only 3 are left");
  Edits edits;
  edits.beforeProduct = "  setp.ge.u32 %p2, %r0, 96;\n  @%p2 bra done;\n";
  edits.afterWait = "done:\n";
  std::string text = findFaults(edits);
  EXPECT_BEGINS(text, "mismatched-collective: ");
  edits.beforeProduct = "  and.b32 %r6, %r0, 31;\n  setp.ge.u32 %p2, %r6, "
                        "16;\n  @%p2 bra done;\n";
  EXPECT_BEGINS(findFaults(edits), "divergent-barrier: ");
}

TEST(SimulatorWgmmaFaults, Descriptors) {
  Edits edits;
  edits.beforeProduct = "  or.b64 %x8, %x8, 0x4000;\n";
  EXPECT_BEGINS(findFaults(edits), "bad-descriptor: the descriptor of B is ");
  edits.beforeProduct = "  or.b64 %x7, %x7, 0x3fff;\n";
  EXPECT_BEGINS(findFaults(edits),
                "out-of-bounds: A of wgmma reaches to shared offset ");
  edits.beforeProduct = "  cvt.u64.u32 %x9, %r0;\n  add.u64 %x8, %x8, %x9;\n";
  EXPECT_BEGINS(findFaults(edits),
                "mismatched-collective: the descriptor of B is ");
  // Behind what was written.
  edits.beforeProduct = "  add.u64 %x8, %x8, 64;\n";
  EXPECT_NE(findFaults(edits).find("B of wgmma reaches"), std::string::npos);
}

TEST(SimulatorWgmmaFaults, UnwrittenOperands) {
  WgmmaCase w{16, 16, "f32", "f16", "f16"};
  WgmmaScene scene(w);
  scene.bytes += 4096;
  scene.arrays[1].resize(scene.bytes);
  std::string ptx = makeKernel(w, scene.a, scene.b, 1024);
  RunOptions options;
  options.chip = "sm_90a";
  options.block = {128, 1, 1};
  options.dynamicSharedBytes = scene.bytes;
  EXPECT_BEGINS(run(ptx, scene.arrays, options).text(),
                "uninitialized-shared: wgmma.mma_async of 16 bytes");
}

TEST(SimulatorWgmmaFaults, BadForms) {
  auto getError = [](WgmmaCase w) {
    WgmmaScene scene(w);
    return scene.run().error;
  };
  EXPECT_NE(getError({12, 16, "f32", "f16", "f16"})
                .find("expected n8 to n256 in steps of 8, found n12"),
            std::string::npos);
  EXPECT_NE(getError({40, 32, "s32", "s8", "s8"})
                .find("from n32 on of 16, found n40"),
            std::string::npos);
  EXPECT_NE(getError({16, 32, "f32", "f16", "f16"})
                .find("expected a depth of k16 for f16, found k32"),
            std::string::npos);
  EXPECT_NE(
      getError({16, 16, "f16", "bf16", "bf16"}).find("found f16.bf16.bf16"),
      std::string::npos);
}

} // namespace
