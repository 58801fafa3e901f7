//===- SimulatorTextureTest.cpp - Textures and surfaces -------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Samples of textures against the formulas of the CUDA C++ programming guide,
// which are written down here once more, and accesses of surfaces.
//
//===----------------------------------------------------------------------===//

#include "SimulatorRun.h"

#include "tileir/Simulator/Texture.h"

#include "llvm/ADT/bit.h"

#include <cmath>
#include <cstring>
#include <random>

using namespace tileir::sim;
using namespace tileir::sim::test;
using llvm::bit_cast;

namespace {
constexpr uint32_t kThreads = 32;

/// A device with a texture of random floats and a kernel of one block: thread i
/// gets words[i * 3 + axis] as coordinates and writes four words.
struct Scene {
  std::unique_ptr<Simulator> simulator;
  Texture texture;
  std::vector<uint8_t> texels;
  std::vector<uint32_t> coordinates = std::vector<uint32_t>(3 * kThreads);
  std::vector<uint32_t> results = std::vector<uint32_t>(4 * kThreads);
  std::vector<Finding> findings;
  void *image = nullptr;

  Scene() {
    simulator = std::make_unique<Simulator>(
        *llvm::cantFail(tileir::machine::getGpu("sm_80")));
  }

  void setSize(uint32_t dimensions, uint32_t width, uint32_t height,
               uint32_t depth) {
    texture.dimensions = dimensions;
    texture.size[0] = width;
    texture.size[1] = height;
    texture.size[2] = texture.layers ? 1 : depth;
    texture.rowBytes = width * texture.getTexelBytes();
    texture.sliceBytes = texture.rowBytes * height;
    texels.resize(texture.sliceBytes * depth);
    image = llvm::cantFail(simulator->getMemory().allocate(texels.size()));
    texture.address = reinterpret_cast<uint64_t>(image);
  }

  /// Runs a kernel whose results are those of `call`, with the operands
  /// %handle, %c0, %c1, %c2, or as floats %f0, %f1, %f2. `results` is how many
  /// values the call gives, each of type `type`.
  void run(const std::string &call, uint64_t handle, unsigned numResults = 4,
           const std::string &type = "float") {
    std::memcpy(image, texels.data(), texels.size());
    std::string kernel = R"(
      target triple = "nvptx64-nvidia-cuda"
      declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
      define ptx_kernel void @k(ptr addrspace(1) %coordinates,
                                ptr addrspace(1) %results, i64 %handle) {
        %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
        %i3 = mul i32 %tid, 3
        %i4 = mul i32 %tid, 4
    )";
    for (std::string axis : {"0", "1", "2"})
      kernel += "%i" + axis + "3 = add i32 %i3, " + axis + "\n%p" + axis +
                " = getelementptr i32, ptr addrspace(1) %coordinates, i32 %i" +
                axis + "3\n%c" + axis + " = load i32, ptr addrspace(1) %p" +
                axis + "\n%f" + axis + " = bitcast i32 %c" + axis +
                " to float\n";
    kernel += call + "\n";
    for (unsigned r = 0; r < numResults; ++r) {
      std::string n = std::to_string(r);
      kernel += "%r" + n + " = extractvalue {" + type;
      for (unsigned i = 1; i < numResults; ++i)
        kernel += ", " + type;
      kernel += "} %all, " + n + "\n%j" + n + " = add i32 %i4, " + n + "\n%q" +
                n + " = getelementptr i32, ptr addrspace(1) %results, i32 %j" +
                n + "\nstore " + type + " %r" + n + ", ptr addrspace(1) %q" +
                n + "\n";
    }
    kernel += "ret void\n}\n";
    auto module = simulator->load(llvm::MemoryBufferRef(kernel, "test.ll"));
    ASSERT_TRUE(bool(module)) << llvm::toString(module.takeError());
    auto loaded = (*module)->getKernel("k");
    ASSERT_TRUE(bool(loaded)) << llvm::toString(loaded.takeError());
    void *buffers[] = {
        llvm::cantFail(simulator->getMemory().allocate(coordinates.size() * 4)),
        llvm::cantFail(simulator->getMemory().allocate(results.size() * 4))};
    std::memcpy(buffers[0], coordinates.data(), coordinates.size() * 4);
    const void *arguments[] = {&buffers[0], &buffers[1], &handle};
    LaunchConfig config;
    config.block = {kThreads, 1, 1};
    auto launched = simulator->launch(**loaded, config, arguments);
    ASSERT_TRUE(bool(launched)) << llvm::toString(launched.takeError());
    findings = launched->findings;
    std::memcpy(results.data(), buffers[1], results.size() * 4);
    std::memcpy(texels.data(), image, texels.size());
  }

  void sample(const std::string &call, unsigned numResults = 4,
              const std::string &type = "float") {
    run(call, simulator->getTextures().add(texture), numResults, type);
    EXPECT_TRUE(findings.empty()) << findings.front().message;
  }

  float coordinate(uint32_t thread, unsigned axis) const {
    return bit_cast<float>(coordinates[3 * thread + axis]);
  }
  float result(uint32_t thread, unsigned channel) const {
    return bit_cast<float>(results[4 * thread + channel]);
  }
};

std::string getSample(const std::string &geometry,
                      const std::string &coordinates,
                      const std::string &type = "f32") {
  std::string result = type == "f32" ? "float" : "i32";
  return "%all = call {" + result + ", " + result + ", " + result + ", " +
         result + "} @llvm.nvvm.tex.unified." + geometry + ".v4" + type +
         ".f32(i64 %handle, " + coordinates + ")";
}

const char *const kFloats[] = {"float %f0", "float %f0, float %f1",
                               "float %f0, float %f1, float %f2"};
const char *const kGeometries[] = {"1d", "2d", "3d"};

/// The guide's appendix on texture fetching: what becomes of coordinate `x` of
/// an axis of `n` texels; then the texel T[i], or 0 at the border.
struct Guide {
  const Scene &scene;

  float texel(const int *index) const {
    int64_t offset = 0;
    for (int axis = 2; axis >= 0; --axis) {
      int n = scene.texture.size[axis], i = index[axis];
      switch (scene.texture.hasUnitCoordinates ||
                      scene.texture.modes[axis] == TextureAddressMode::Border
                  ? scene.texture.modes[axis]
                  : TextureAddressMode::Clamp) {
      case TextureAddressMode::Clamp:
        i = i < 0 ? 0 : i >= n ? n - 1 : i;
        break;
      case TextureAddressMode::Wrap:
        while (i < 0)
          i += n;
        while (i >= n)
          i -= n;
        break;
      case TextureAddressMode::Mirror:
        while (i < 0 || i >= n)
          i = i < 0 ? -1 - i : 2 * n - 1 - i;
        break;
      case TextureAddressMode::Border:
        if (i < 0 || i >= n)
          return scene.texture.border[0];
        break;
      }
      offset = offset * n + i;
    }
    float value;
    std::memcpy(&value, &scene.texels[4 * offset], 4);
    return value;
  }

  double fetch(uint32_t thread) const {
    const unsigned dimensions = scene.texture.dimensions;
    int index[3] = {0, 0, 0};
    double weight[3] = {0, 0, 0};
    for (unsigned axis = 0; axis < dimensions; ++axis) {
      double x = scene.coordinate(thread, axis);
      if (scene.texture.hasUnitCoordinates)
        x *= scene.texture.size[axis];
      if (!scene.texture.isFiltered) {
        index[axis] = std::floor(x);
        continue;
      }
      double steps = std::round((x - 0.5) * 256);
      index[axis] = std::floor(steps / 256);
      weight[axis] = steps / 256 - index[axis];
    }
    double sum = 0;
    for (unsigned corner = 0; corner < 1u << dimensions; ++corner) {
      int at[3];
      double w = 1;
      for (unsigned axis = 0; axis < 3; ++axis) {
        bool second = corner >> axis & 1;
        at[axis] = index[axis] + second;
        w *= second ? weight[axis] : 1 - weight[axis];
      }
      if (w != 0)
        sum += w * texel(at);
    }
    return sum;
  }
};
} // namespace

TEST(SimulatorTextureTest, FetchesAsTheGuideSays) {
  std::mt19937 random(1);
  for (unsigned dimensions = 1; dimensions <= 3; ++dimensions)
    for (bool isFiltered : {false, true})
      for (bool hasUnitCoordinates : {false, true})
        for (unsigned mode = 0; mode < 4; ++mode) {
          Scene scene;
          Texture &texture = scene.texture;
          texture.isFiltered = isFiltered;
          texture.hasUnitCoordinates = hasUnitCoordinates;
          for (auto &axis : texture.modes)
            axis = TextureAddressMode(mode);
          texture.border[0] = 0.25f;
          texture.border[3] = 1;
          scene.setSize(dimensions, 7, dimensions > 1 ? 5 : 1,
                        dimensions > 2 ? 3 : 1);
          for (size_t i = 0; i < scene.texels.size(); i += 4) {
            float value = int(random() % 64);
            std::memcpy(&scene.texels[i], &value, 4);
          }
          for (uint32_t i = 0; i < scene.coordinates.size(); ++i) {
            const float n = hasUnitCoordinates ? 1 : texture.size[i % 3];
            // Inside, and well outside; eighths of texels, too.
            float x = (float(random() % 4096) / 1000 - 1.5f) * n;
            if (i % 2 && !hasUnitCoordinates)
              x = std::floor(x * 8) / 8;
            scene.coordinates[i] = bit_cast<uint32_t>(x);
          }
          scene.sample(
              getSample(kGeometries[dimensions - 1], kFloats[dimensions - 1]));
          for (uint32_t i = 0; i < kThreads; ++i) {
            EXPECT_EQ(scene.result(i, 0), float(Guide{scene}.fetch(i)))
                << dimensions << "D, mode " << mode << ", filter " << isFiltered
                << ", unit " << hasUnitCoordinates << ", thread " << i;
            EXPECT_EQ(scene.result(i, 1), 0.0f);
            EXPECT_NEAR(scene.result(i, 3), 1.0f, 1e-6f);
          }
        }
}

TEST(SimulatorTextureTest, Formats) {
  struct {
    TextureFormat format;
    uint8_t bits;
    bool isNormalized;
    uint32_t stored, read;
  } cases[] = {
      {TextureFormat::Unsigned, 8, false, 0xfe, 0xfe},
      {TextureFormat::Signed, 8, false, 0xfe, 0xfffffffe},
      {TextureFormat::Unsigned, 16, false, 0x8001, 0x8001},
      {TextureFormat::Signed, 16, false, 0x8001, 0xffff8001},
      {TextureFormat::Signed, 32, false, 0x80000001, 0x80000001},
      {TextureFormat::Float, 16, false, 0x3e00, bit_cast<uint32_t>(1.5f)},
      {TextureFormat::Unsigned, 8, true, 0x33, bit_cast<uint32_t>(0.2f)},
      {TextureFormat::Unsigned, 16, true, 0xffff, bit_cast<uint32_t>(1.0f)},
      {TextureFormat::Signed, 8, true, 0x80, bit_cast<uint32_t>(-1.0f)},
      {TextureFormat::Signed, 8, true, 0x7f, bit_cast<uint32_t>(1.0f)},
  };
  for (auto &test : cases)
    for (uint8_t channels : {1, 2, 4}) {
      Scene scene;
      scene.texture.format = test.format;
      scene.texture.bits = test.bits;
      scene.texture.channels = channels;
      scene.texture.isNormalized = test.isNormalized;
      scene.setSize(1, 4, 1, 1);
      for (size_t i = 0; i < scene.texels.size(); i += test.bits / 8)
        std::memcpy(&scene.texels[i], &test.stored, test.bits / 8);
      scene.sample(getSample("1d", kFloats[0],
                             scene.texture.readsFloats() ? "f32" : "u32"),
                   4, scene.texture.readsFloats() ? "float" : "i32");
      for (unsigned c = 0; c < channels; ++c)
        EXPECT_EQ(scene.results[c], test.read) << c;
      if (channels == 1)
        EXPECT_EQ(scene.results[1], 0u);
    }
}

TEST(SimulatorTextureTest, LinearMemoryByIntegers) {
  Scene scene;
  scene.texture.isLinear = true;
  scene.setSize(1, 20, 1, 1);
  for (uint32_t i = 0; i < 20; ++i) {
    float value = i + 1;
    std::memcpy(&scene.texels[4 * i], &value, 4);
  }
  for (uint32_t i = 0; i < kThreads; ++i)
    scene.coordinates[3 * i] = int(i) - 4;
  scene.sample("%all = call {float, float, float, float} asm "
               "\"tex.1d.v4.f32.s32\\09{$0, $1, $2, $3}, [$4, {$5}];\", "
               "\"=f,=f,=f,=f,l,r\"(i64 %handle, i32 %c0)");
  for (uint32_t i = 0; i < kThreads; ++i)
    EXPECT_EQ(scene.result(i, 0), i >= 4 && i < 24 ? float(i - 3) : 0.0f);
}

TEST(SimulatorTextureTest, LayersAndAssembly) {
  Scene scene;
  scene.texture.layers = 3;
  scene.setSize(2, 4, 2, 3);
  for (uint32_t i = 0; i < scene.texels.size() / 4; ++i) {
    float value = i;
    std::memcpy(&scene.texels[4 * i], &value, 4);
  }
  for (uint32_t i = 0; i < kThreads; ++i) {
    scene.coordinates[3 * i] = i % 5; // layers beyond the last are the last
    scene.coordinates[3 * i + 1] = bit_cast<uint32_t>(float(i % 4) + 0.5f);
    scene.coordinates[3 * i + 2] = bit_cast<uint32_t>(float(i / 16) + 0.5f);
  }
  auto check = [&] {
    for (uint32_t i = 0; i < kThreads; ++i)
      EXPECT_EQ(scene.result(i, 0),
                float(std::min(i % 5, 2u) * 8 + i / 16 * 4 + i % 4));
  };
  scene.sample("%all = call {float, float, float, float} asm "
               "\"tex.a2d.v4.f32.f32 {$0, $1, $2, $3}, [$4, {$5, $6, $7, "
               "$7}];\", \"=f,=f,=f,=f,l,r,f,f\"(i64 %handle, i32 %c0, float "
               "%f1, float %f2)");
  check();
  scene.sample(getSample("2d.array", "i32 %c0, float %f1, float %f2"));
  check();
  scene.sample("%all = call {float, float, float, float} asm "
               "\"tex.level.a2d.v4.f32.f32 {$0, $1, $2, $3}, [$4, {$5, $6, $7, "
               "$7}], $8;\", \"=f,=f,=f,=f,l,r,f,f,f\"(i64 %handle, i32 %c0, "
               "float %f1, float %f2, float 1.0)");
  check();
}

TEST(SimulatorTextureTest, FacesOfACube) {
  Scene scene;
  scene.texture.layers = 6;
  scene.texture.hasUnitCoordinates = true;
  scene.setSize(2, 2, 2, 6);
  for (uint32_t i = 0; i < scene.texels.size() / 4; ++i) {
    float value = i;
    std::memcpy(&scene.texels[4 * i], &value, 4);
  }
  // The guide's table: the major axis, then s and t of the face.
  const float directions[][3] = {{2, -1, -1}, {-2, -1, 1}, {1, 2, 1},
                                 {1, -2, -1}, {1, -1, 2},  {-1, -1, -2}};
  for (uint32_t i = 0; i < kThreads; ++i)
    for (unsigned axis = 0; axis < 3; ++axis)
      scene.coordinates[3 * i + axis] =
          bit_cast<uint32_t>(directions[i % 6][axis]);
  scene.sample(getSample("cube", kFloats[2]));
  // Each of them has s = t = 1/2 * (1/2 + 1), the last texel of its face.
  for (uint32_t i = 0; i < kThreads; ++i)
    EXPECT_EQ(scene.result(i, 0), float(i % 6 * 4 + 3));
}

TEST(SimulatorTextureTest, Gather) {
  Scene scene;
  scene.texture.channels = 2;
  scene.setSize(2, 4, 4, 1);
  for (uint32_t i = 0; i < scene.texels.size() / 4; ++i) {
    float value = i;
    std::memcpy(&scene.texels[4 * i], &value, 4);
  }
  for (uint32_t i = 0; i < kThreads; ++i)
    for (unsigned axis = 0; axis < 2; ++axis)
      scene.coordinates[3 * i + axis] = bit_cast<uint32_t>(2.0f);
  scene.sample("%all = call {float, float, float, float} asm "
               "\"tld4.g.2d.v4.f32.f32 {$0, $1, $2, $3}, [$4, {$5, $6}];\", "
               "\"=f,=f,=f,=f,l,f,f\"(i64 %handle, float %f0, float %f1)");
  auto texel = [](int x, int y) { return float((y * 4 + x) * 2 + 1); };
  EXPECT_EQ(scene.result(5, 0), texel(1, 2));
  EXPECT_EQ(scene.result(5, 1), texel(2, 2));
  EXPECT_EQ(scene.result(5, 2), texel(2, 1));
  EXPECT_EQ(scene.result(5, 3), texel(1, 1));
}

TEST(SimulatorTextureTest, Surfaces) {
  for (std::string mode : {"trap", "clamp", "zero"}) {
    Scene scene;
    scene.texture.isSurface = true;
    scene.texture.channels = 2;
    scene.setSize(2, 32, 2, 1);
    for (uint32_t i = 0; i < kThreads; ++i) {
      scene.coordinates[3 * i] = 8 * i;
      scene.coordinates[3 * i + 1] = mode == "trap" ? 1 : i % 3;
    }
    uint64_t handle = scene.simulator->getTextures().add(scene.texture);
    // Stores (i, 7) at texel i of row 1, and reads what is there.
    scene.run("call void asm sideeffect \"sust.b.2d.v2.b32." + mode +
                  " [$0, {$1, $2}], {$3, $4};\", \"l,r,r,r,r\"(i64 %handle, "
                  "i32 %c0, i32 %c1, i32 %tid, i32 7)\n"
                  "%all = call {i32, i32} asm sideeffect \"suld.b.2d.v2.b32." +
                  mode +
                  " {$0, $1}, [$2, {$3, $4}];\", \"=r,=r,l,r,r\"(i64 %handle, "
                  "i32 %c0, i32 %c1)",
              handle, 2, "i32");
    EXPECT_TRUE(scene.findings.empty()) << scene.findings.front().message;
    for (uint32_t i = 0; i < kThreads; ++i) {
      const uint32_t row = scene.coordinates[3 * i + 1];
      const bool isIgnored = row > 1 && mode == "zero";
      EXPECT_EQ(scene.results[4 * i], isIgnored ? 0 : i);
      EXPECT_EQ(scene.results[4 * i + 1], isIgnored ? 0 : 7u);
      uint32_t stored;
      std::memcpy(&stored, &scene.texels[(std::min(row, 1u) * 32 + i) * 8], 4);
      if (!isIgnored)
        EXPECT_EQ(stored, i);
    }
  }
}

TEST(SimulatorTextureTest, Faults) {
  Scene scene;
  scene.setSize(2, 8, 8, 1);
  scene.run(getSample("2d", kFloats[1]), 77);
  ASSERT_EQ(scene.findings.size(), 1u);
  EXPECT_EQ(scene.findings[0].message,
            "texture fetch of 0x4d; expected a texture object that was "
            "created, and not destroyed");
  // Memory that was freed.
  uint64_t handle = scene.simulator->getTextures().add(scene.texture);
  Texture freed = scene.texture;
  freed.address += 1 << 20;
  scene.run(getSample("2d", kFloats[1]),
            scene.simulator->getTextures().add(freed));
  ASSERT_EQ(scene.findings.size(), 1u);
  EXPECT_EQ(scene.findings[0].kind, FindingKind::OutOfBounds);
  // A surface is no texture.
  Texture surface = scene.texture;
  surface.isSurface = true;
  handle = scene.simulator->getTextures().add(surface);
  scene.run(getSample("2d", kFloats[1]), handle);
  ASSERT_EQ(scene.findings.size(), 1u);
  // Outside of a surface.
  for (uint32_t i = 0; i < kThreads; ++i)
    scene.coordinates[3 * i] = 4 * i, scene.coordinates[3 * i + 1] = 0;
  scene.run("%value = call i32 @llvm.nvvm.suld.2d.i32.trap(i64 %handle, i32 "
            "%c0, i32 %c1)\n%all = insertvalue {i32} poison, i32 %value, 0",
            handle, 1, "i32");
  ASSERT_EQ(scene.findings.size(), 1u);
  EXPECT_EQ(scene.findings[0].message,
            "surface load of 4 bytes at byte 32 of row 0 of slice 0; expected "
            "at most 32 bytes of 8 rows of 1");
}
