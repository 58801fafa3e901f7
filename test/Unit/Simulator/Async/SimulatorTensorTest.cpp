//===- SimulatorTensorTest.cpp --------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// cp.async.bulk.tensor of 1 to 5 axes, tiles and im2col, against loops over
// elements: types, boxes, places on and across all edges, swizzles, element
// strides, fills; loads, stores and reductions. One kernel a rank and
// direction, many maps each.
//
//===----------------------------------------------------------------------===//

#include "tileir/Simulator/Simulator.h"
#include "tileir/Target/Gpu/TensorMap.h"

#include "gtest/gtest.h"

#include <cstring>
#include <functional>
#include <memory>
#include <random>

using namespace tileir;
using namespace tileir::sim;
using machine::TensorMap;
using machine::TensorType;

namespace {

constexpr uint32_t kDataBytes = 4096;
constexpr uint64_t kTensorBytes = 1 << 16;

enum class Direction { Load, Store, Reduce, LoadIm2col };

/// A kernel that copies one box, and the tensor.
class TensorKernel {
public:
  TensorKernel(unsigned rank, Direction direction) : direction(direction) {
    auto chip = machine::getGpu("sm_90a");
    SimulatorOptions options;
    options.threads = 1;
    simulator =
        std::make_unique<Simulator>(*cantFail(std::move(chip)), options);
    std::string text = makeText(rank);
    module = llvm::cantFail(
        simulator->load(llvm::MemoryBufferRef(text, "tensor.ptx")));
    kernel = llvm::cantFail(module->getKernel("k"));
    tensor = static_cast<uint8_t *>(
        llvm::cantFail(simulator->getMemory().allocate(kTensorBytes)));
    data = static_cast<uint8_t *>(
        llvm::cantFail(simulator->getMemory().allocate(kDataBytes)));
  }

  /// Gives the findings.
  std::string launch(const TensorMap &map,
                     const std::array<int32_t, 5> &coordinates,
                     const std::array<int32_t, 3> &offsets = {}) {
    alignas(64) uint8_t bytes[machine::kTensorMapBytes];
    machine::encodeTensorMap(map, bytes);
    return launch(bytes, uint32_t(map.getBoxBytes()), coordinates, offsets);
  }
  std::string launch(const uint8_t *bytes, uint32_t boxBytes,
                     const std::array<int32_t, 5> &coordinates,
                     const std::array<int32_t, 3> &offsets = {}) {
    std::vector<const void *> arguments = {bytes, &data, &boxBytes};
    for (const int32_t &c : coordinates)
      arguments.push_back(&c);
    for (const int32_t &offset : offsets)
      arguments.push_back(&offset);
    LaunchConfig config;
    config.block = {64, 1, 1};
    auto result = simulator->launch(*kernel, config, arguments);
    if (!result)
      return llvm::toString(result.takeError());
    std::string findings;
    for (const Finding &finding : result->findings)
      findings +=
          std::string(getName(finding.kind)) + ": " + finding.message + "\n";
    return findings;
  }

  uint8_t *tensor, *data;

private:
  std::string makeText(unsigned rank) {
    const bool isLoad =
        direction == Direction::Load || direction == Direction::LoadIm2col;
    const bool isIm2col = direction == Direction::LoadIm2col;
    std::string place = "[%map, {", offsets;
    for (unsigned a = 0; a < rank; ++a)
      place += (a ? ", %c" : "%c") + std::to_string(a);
    place += "}]";
    if (isIm2col) {
      offsets = ", {";
      for (unsigned i = 0; i + 2 < rank; ++i)
        offsets += (i ? ", %o" : "%o") + std::to_string(i);
      offsets += "}";
    }
    const std::string dims = std::to_string(rank) + "d";
    std::string text =
        ".version 8.4\n.target sm_90a\n.address_size 64\n"
        ".visible .entry k(.param .align 64 .b8 p0[128], .param .u64 p1, "
        ".param .u32 p2, .param .u32 p3, .param .u32 p4, .param .u32 p5, "
        ".param .u32 p6, .param .u32 p7, .param .u32 p8, .param .u32 p9, "
        ".param .u32 p10)\n{\n"
        ".reg .pred %p, %first, %q;\n.reg .b16 %o0, %o1, %o2;\n"
        ".reg .b32 %c<5>, %r<8>, %tid, %bytes;\n"
        ".reg .b64 %map, %out, %at, %data, %bar, %g, %s;\n"
        ".shared .align 8 .b64 bars[2];\n.shared .align 1024 .b8 data[" +
        std::to_string(kDataBytes) +
        "];\nmov.b64 %map, p0;\ncvta.param.u64 %map, %map;\n"
        "ld.param.u64 %out, [p1];\nld.param.u32 %bytes, [p2];\n";
    for (unsigned a = 0; a < 5; ++a)
      text += "ld.param.u32 %c" + std::to_string(a) + ", [p" +
              std::to_string(3 + a) + "];\n";
    for (unsigned i = 0; i < 3; ++i)
      text += "ld.param.u32 %r1, [p" + std::to_string(8 + i) +
              "];\ncvt.u16.u32 %o" + std::to_string(i) + ", %r1;\n";
    text += "mov.u64 %bar, bars;\nmov.u64 %data, data;\nmov.u32 %tid, %tid.x;\n"
            "setp.eq.u32 %first, %tid, 0;\n";
    auto move = [&](bool isStore) {
      text += "mul.lo.u32 %r1, %tid, 4;\nbra C;\nL:\ncvt.u64.u32 %at, %r1;\n"
              "add.u64 %g, %out, %at;\nadd.u64 %s, %data, %at;\n";
      text += isStore ? "ld.shared.u32 %r2, [%s];\nst.global.u32 [%g], %r2;\n"
                      : "ld.global.u32 %r2, [%g];\nst.shared.u32 [%s], %r2;\n";
      text +=
          "add.u32 %r1, %r1, 256;\nC:\nsetp.lt.u32 %p, %r1, %bytes;\n@%p bra "
          "L;\n";
    };
    if (isLoad) {
      text += "@%first mbarrier.init.shared.b64 [%bar], 1;\n"
              "@%first fence.mbarrier_init.release.cluster;\nbar.sync 0;\n"
              "@!%first bra W;\nprefetch.tensormap [%map];\n"
              "mbarrier.arrive.expect_tx.shared.b64 _, [%bar], %bytes;\n"
              "cp.async.bulk.tensor." +
              dims + ".shared::cluster.global" +
              (isIm2col ? ".im2col" : ".tile") +
              ".mbarrier::complete_tx::bytes [%data], " + place + ", [%bar]" +
              offsets +
              ";\nW: mbarrier.try_wait.parity.shared.b64 %q, [%bar], 0;\n"
              "@!%q bra W;\n";
      move(/*isStore=*/true);
    } else {
      move(/*isStore=*/false);
      text += "fence.proxy.async;\nbar.sync 0;\n@!%first bra E;\n";
      text += direction == Direction::Reduce
                  ? "cp.reduce.async.bulk.tensor." + dims +
                        ".global.shared::cta.add.tile.bulk_group "
                  : "cp.async.bulk.tensor." + dims +
                        ".global.shared::cta.tile.bulk_group ";
      text += place + ", [%data];\ncp.async.bulk.commit_group;\n"
                      "cp.async.bulk.wait_group.read 0;\nE:\n";
    }
    return text + "ret;\n}\n";
  }

  Direction direction;
  std::unique_ptr<Simulator> simulator;
  LoadedModule *module = nullptr;
  Kernel *kernel = nullptr;
};

/// Where byte `i` of a dense box lies, from a multiple of 1024 on: within each
/// 128 bytes, the chunk that a table of the CUDA guide says.
uint32_t placeOf(uint32_t i, uint32_t swizzle) {
  const uint32_t line = i / 128, chunk = i % 128 / 16;
  uint32_t to = chunk;
  if (swizzle == 128)
    to = chunk ^ (line % 8);
  else if (swizzle == 64)
    to = chunk ^ (line % 4);
  else if (swizzle == 32)
    to = chunk ^ (line % 2);
  return line * 128 + to * 16 + i % 16;
}

/// The offset of an element in the tensor; -1: outside.
int64_t find(const TensorMap &map, const std::array<int64_t, 5> &at) {
  int64_t offset = 0;
  for (unsigned a = 0; a < map.rank; ++a) {
    if (at[a] < 0 || at[a] >= int64_t(map.sizes[a]))
      return -1;
    offset += at[a] * (a ? int64_t(map.strides[a]) : getBytes(map.type));
  }
  return offset;
}

/// Calls `body(element of the box, offset in the tensor)` in order.
void forBox(const TensorMap &map, const std::array<int32_t, 5> &c,
            const std::function<void(uint32_t, int64_t)> &body) {
  uint32_t count[5] = {1, 1, 1, 1, 1}, n = 0;
  for (unsigned a = 0; a < map.rank; ++a)
    count[a] = (map.box[a] + map.elementStrides[a] - 1) / map.elementStrides[a];
  for (uint32_t e = 0; e < count[4]; ++e)
    for (uint32_t d = 0; d < count[3]; ++d)
      for (uint32_t z = 0; z < count[2]; ++z)
        for (uint32_t y = 0; y < count[1]; ++y)
          for (uint32_t x = 0; x < count[0]; ++x) {
            const uint32_t index[5] = {x, y, z, d, e};
            std::array<int64_t, 5> at = {};
            for (unsigned a = 0; a < map.rank; ++a)
              at[a] = c[a] + int64_t(index[a]) * map.elementStrides[a];
            body(n++, find(map, at));
          }
}

bool isNaN(const uint8_t *bytes, TensorType type) {
  uint64_t bits = 0;
  std::memcpy(&bits, bytes, getBytes(type));
  const unsigned exponent = type == TensorType::F16   ? 5
                            : type == TensorType::F64 ? 11
                                                      : 8;
  const unsigned width = 8 * getBytes(type), mantissa = width - 1 - exponent;
  const uint64_t ones = (uint64_t(1) << exponent) - 1;
  return (bits >> mantissa & ones) == ones &&
         (bits & ((uint64_t(1) << mantissa) - 1)) != 0;
}

/// Maps of small tensors.
struct MapMaker {
  std::mt19937 random{11};
  uint32_t pick(uint32_t from, uint32_t to) {
    return from + random() % (to - from + 1);
  }

  TensorMap make(unsigned rank, TensorType type, uint32_t swizzle,
                 uint8_t *tensor) {
    TensorMap map;
    map.type = type;
    map.rank = rank;
    map.swizzle = swizzle;
    map.address = reinterpret_cast<uint64_t>(tensor) + 16 * pick(0, 3);
    map.fillsNaN = isFloat(type) && pick(0, 1);
    const uint32_t bytes = getBytes(type);
    const uint32_t span = swizzle ? swizzle : 64;
    map.box[0] = (swizzle ? span : 16 * pick(1, span / 16)) / bytes;
    uint64_t room = kDataBytes / (map.box[0] * bytes), stride = 0;
    for (unsigned a = 0; a < rank; ++a) {
      map.sizes[a] = pick(1, a == 0 ? 3 * map.box[0] : rank > 3 ? 3 : 5);
      if (a > 0) {
        map.strides[a] = stride;
        map.elementStrides[a] = pick(0, 3) ? 1 : pick(2, 3);
        map.box[a] = pick(1, std::min<uint64_t>(room, a == 1 ? 16 : 3));
        room /= map.getBoxSize(a);
      }
      stride = a ? stride * map.sizes[a]
                 : (map.sizes[0] * bytes + 15) / 16 * 16 + 16 * pick(0, 1);
    }
    return map;
  }
  /// On, before and behind the tensor.
  std::array<int32_t, 5> place(const TensorMap &map) {
    std::array<int32_t, 5> c = {};
    for (unsigned a = 0; a < map.rank; ++a)
      c[a] = int32_t(pick(0, map.sizes[a] + map.box[a])) - int32_t(map.box[a]) +
             (pick(0, 7) == 0);
    return c;
  }
};

constexpr TensorType kTypes[] = {
    TensorType::U8,  TensorType::U16,  TensorType::U32, TensorType::S32,
    TensorType::U64, TensorType::S64,  TensorType::F16, TensorType::F32,
    TensorType::F64, TensorType::BF16, TensorType::TF32};
constexpr uint32_t kSwizzles[] = {0, 32, 64, 128};

TEST(SimulatorTensor, Loads) {
  MapMaker maker;
  for (unsigned rank = 1; rank <= 5; ++rank) {
    TensorKernel kernel(rank, Direction::Load);
    for (uint64_t i = 0; i < kTensorBytes; ++i)
      kernel.tensor[i] = maker.random() & 0x3f; // no NaN
    for (TensorType type : kTypes)
      for (uint32_t swizzle : kSwizzles)
        for (int round = 0; round < 4; ++round) {
          TensorMap map = maker.make(rank, type, swizzle, kernel.tensor);
          auto c = maker.place(map);
          ASSERT_EQ(kernel.launch(map, c), "");
          const uint8_t *base = reinterpret_cast<uint8_t *>(map.address);
          const uint32_t bytes = getBytes(type);
          uint32_t bad = 0;
          forBox(map, c, [&](uint32_t n, int64_t offset) {
            const uint8_t *got = kernel.data + placeOf(n * bytes, swizzle);
            if (offset >= 0)
              bad += std::memcmp(got, base + offset, bytes) != 0;
            else if (map.fillsNaN)
              bad += !isNaN(got, type);
            else
              for (uint32_t i = 0; i < bytes; ++i)
                bad += got[i] != 0;
          });
          ASSERT_EQ(bad, 0u) << rank << " " << int(type) << " " << swizzle;
        }
  }
}

TEST(SimulatorTensor, StoresAndReductions) {
  MapMaker maker;
  for (Direction direction : {Direction::Store, Direction::Reduce})
    for (unsigned rank = 1; rank <= 5; ++rank) {
      TensorKernel kernel(rank, direction);
      for (TensorType type : kTypes)
        for (uint32_t swizzle : kSwizzles) {
          const bool adds = direction == Direction::Reduce;
          if (adds && type != TensorType::U32 && type != TensorType::S64 &&
              type != TensorType::F32)
            continue;
          const uint32_t bytes = getBytes(type);
          TensorMap map = maker.make(rank, type, swizzle, kernel.tensor);
          auto c = maker.place(map);
          // Numbers of few bits, so that sums are exact.
          for (uint64_t i = 0; i < kTensorBytes; i += 4) {
            uint32_t word = maker.random();
            if (adds) {
              float number = word % 64;
              if (type == TensorType::F32)
                std::memcpy(&word, &number, 4);
            }
            std::memcpy(kernel.tensor + i, &word, 4);
            if (i < kDataBytes)
              std::memcpy(kernel.data + i, kernel.tensor + i, 4);
          }
          std::vector<uint8_t> expected(kernel.tensor,
                                        kernel.tensor + kTensorBytes);
          const uint64_t base =
              map.address - reinterpret_cast<uint64_t>(kernel.tensor);
          forBox(map, c, [&](uint32_t n, int64_t offset) {
            if (offset < 0)
              return;
            const uint8_t *from = kernel.data + placeOf(n * bytes, swizzle);
            uint8_t *to = expected.data() + base + offset;
            uint64_t x = 0, y = 0;
            std::memcpy(&x, from, bytes);
            std::memcpy(&y, to, bytes);
            if (type == TensorType::F32 && adds) {
              float p, q;
              std::memcpy(&p, &x, 4);
              std::memcpy(&q, &y, 4);
              p += q;
              std::memcpy(&x, &p, 4);
            } else if (adds) {
              x += y;
            }
            std::memcpy(to, &x, bytes);
          });
          ASSERT_EQ(kernel.launch(map, c), "");
          ASSERT_EQ(std::memcmp(expected.data(), kernel.tensor, kTensorBytes),
                    0)
              << rank << " " << int(type) << " " << swizzle;
        }
    }
}

TEST(SimulatorTensor, Im2col) {
  // A column of pixels of an image, for one offset within the filter: what a
  // loop over all output pixels reads.
  MapMaker maker;
  for (unsigned rank = 3; rank <= 5; ++rank) {
    TensorKernel kernel(rank, Direction::LoadIm2col);
    for (uint64_t i = 0; i < kTensorBytes; ++i)
      kernel.tensor[i] = maker.random();
    for (int round = 0; round < 60; ++round) {
      const unsigned axes = rank - 2;
      TensorMap map;
      map.type = TensorType::F16;
      map.rank = rank;
      map.isIm2col = true;
      map.swizzle = kSwizzles[round % 4];
      map.address = reinterpret_cast<uint64_t>(kernel.tensor);
      map.channels = map.swizzle ? map.swizzle / 2 : 8 * maker.pick(1, 4);
      map.pixels = maker.pick(1, 16);
      map.sizes[0] = map.channels + 8 * maker.pick(0, 1);
      uint64_t stride = (map.sizes[0] * 2 + 15) / 16 * 16;
      int64_t filter[3], pad[3], outputs[3] = {1, 1, 1};
      for (unsigned a = 1; a < rank; ++a) {
        map.sizes[a] = maker.pick(3, 5);
        map.strides[a] = stride;
        stride *= map.sizes[a];
        if (a > axes)
          continue;
        filter[a - 1] = maker.pick(1, 3);
        pad[a - 1] = maker.pick(0, 1);
        map.elementStrides[a] = maker.pick(1, 2);
        map.lower[a - 1] = -pad[a - 1];
        map.upper[a - 1] = pad[a - 1] - (filter[a - 1] - 1);
        // Output pixels of a convolution with this padding and stride.
        outputs[a - 1] =
            (int64_t(map.sizes[a]) + 2 * pad[a - 1] - filter[a - 1]) /
                map.elementStrides[a] +
            1;
      }
      const int64_t images = map.sizes[rank - 1];
      int64_t all = images;
      for (unsigned i = 0; i < axes; ++i)
        all *= outputs[i];
      const int64_t first = maker.pick(0, all - 1);
      std::array<int32_t, 3> offset = {};
      for (unsigned i = 0; i < axes; ++i)
        offset[i] = maker.pick(0, filter[i] - 1);
      auto locate = [&](int64_t pixel) {
        std::array<int64_t, 5> at = {};
        for (unsigned i = 0; i < axes; ++i) {
          at[i + 1] = pixel % outputs[i] * map.elementStrides[i + 1] - pad[i];
          pixel /= outputs[i];
        }
        at[rank - 1] = pixel;
        return at;
      };
      auto begin = locate(first);
      std::array<int32_t, 5> c = {};
      std::copy(begin.begin(), begin.end(), c.begin());
      ASSERT_EQ(kernel.launch(map, c, offset), "");
      for (uint32_t p = 0; p < map.pixels; ++p)
        for (uint32_t x = 0; x < map.channels; ++x) {
          auto at = locate(first + p);
          at[0] = x;
          for (unsigned i = 0; i < axes; ++i)
            at[i + 1] += offset[i];
          const int64_t from = find(map, at);
          uint16_t expected = 0, got;
          if (from >= 0)
            std::memcpy(&expected, kernel.tensor + from, 2);
          std::memcpy(&got,
                      kernel.data +
                          placeOf((p * map.channels + x) * 2, map.swizzle),
                      2);
          ASSERT_EQ(got, expected) << rank << " " << p << " " << x;
        }
    }
  }
}

TEST(SimulatorTensor, RulesOfCopies) {
  TensorKernel kernel(2, Direction::Load);
  MapMaker maker;
  TensorMap good = maker.make(2, TensorType::F16, 64, kernel.tensor);
  auto expect = [&](const TensorMap &map, const std::string &text) {
    std::string findings = kernel.launch(map, {});
    EXPECT_NE(findings.find(text), std::string::npos) << findings;
  };
  TensorMap map = good;
  map.rank = 3;
  map.sizes[2] = map.box[2] = 1;
  expect(map, "invalid-copy: cp.async.bulk: 2 coordinates for a tensor map of "
              "rank 3");
  map = good;
  map.strides[1] = 24;
  expect(map, "invalid-copy: cp.async.bulk: tensor map: stride of 24 bytes of "
              "axis 1; expected a multiple of 16 below 2^40");
  map = good;
  map.sizes[1] = 1 << 20;
  expect(map, "out-of-bounds: cp.async.bulk: the tensor of");
  alignas(64) uint8_t bytes[machine::kTensorMapBytes];
  machine::encodeTensorMap(good, bytes);
  bytes[30] ^= 1;
  std::string findings = kernel.launch(bytes, 64, {});
  EXPECT_NE(findings.find("invalid-copy: cp.async.bulk: what it names is no "
                          "tensor map"),
            std::string::npos)
      << findings;
}

// LLVM with short pointers takes addresses of parameters in 32 bits.
TEST(SimulatorTensor, ParametersByShortPointers) {
  const std::string text =
      ".version 8.4\n.target sm_90a\n.address_size 64\n"
      ".visible .entry k(.param .align 64 .b8 p0[128], .param .u64 p1, "
      ".param .align 64 .b8 p2[128])\n{\n"
      ".reg .b32 %r<4>;\n.reg .b64 %x<4>;\n"
      "ld.param.u64 %x0, [p1];\n"
      "mov.b32 %r0, p0;\ncvt.u64.u32 %x1, %r0;\ncvta.param.u64 %x1, %x1;\n"
      "mov.b32 %r1, p2;\nadd.u32 %r1, %r1, 64;\ncvt.u64.u32 %x2, %r1;\n"
      "cvta.param.u64 %x2, %x2;\n"
      "ld.u32 %r2, [%x1+4];\nst.global.u32 [%x0], %r2;\n"
      "ld.u32 %r3, [%x2+60];\nst.global.u32 [%x0+4], %r3;\nret;\n}\n";
  SimulatorOptions options;
  options.threads = 1;
  Simulator simulator(*llvm::cantFail(machine::getGpu("sm_90a")), options);
  auto module = llvm::cantFail(
      simulator.load(llvm::MemoryBufferRef(text, "parameters.ptx")));
  auto kernel = llvm::cantFail(module->getKernel("k"));
  auto *out = static_cast<uint32_t *>(
      llvm::cantFail(simulator.getMemory().allocate(8)));
  uint32_t first[32], second[32];
  for (uint32_t i = 0; i < 32; ++i) {
    first[i] = 100 + i;
    second[i] = 200 + i;
  }
  auto result = simulator.launch(*kernel, {}, {first, &out, second});
  ASSERT_TRUE(bool(result)) << llvm::toString(result.takeError());
  for (const Finding &finding : result->findings)
    ADD_FAILURE() << finding.message;
  EXPECT_EQ(out[0], 101u);
  EXPECT_EQ(out[1], 231u);
}

} // namespace
