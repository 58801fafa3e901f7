//===- WorkspaceTest.cpp - Memory that operations work in -----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Runtime/Workspace.h"

#include "gtest/gtest.h"

#include <cstdint>
#include <cstring>
#include <thread>
#include <vector>

using namespace tileir;
using namespace tileir::runtime;

static bool isAligned(void *memory) {
  return reinterpret_cast<uintptr_t>(memory) % 64 == 0;
}

static void checkLargeBlocks() {
  for (size_t size : {size_t(100) << 10, size_t(3) << 20}) {
    void *first = allocateWorkspace(size);
    EXPECT_TRUE(isAligned(first));
    std::memset(first, 1, size);
    releaseWorkspace(first);
    // As large, or somewhat smaller.
    void *second = allocateWorkspace(size);
    EXPECT_EQ(first, second);
    releaseWorkspace(second);
    void *third = allocateWorkspace(size - size / 4);
    EXPECT_EQ(first, third);
    // It is in use now.
    void *other = allocateWorkspace(size);
    EXPECT_NE(first, other);
    std::memset(other, 2, size);
    releaseWorkspace(third);
    releaseWorkspace(other);
  }
}

/// In a thread that keeps none yet.
TEST(Workspace, LargeBlocksAreKept) { std::thread(checkLargeBlocks).join(); }

TEST(Workspace, BlocksAreLargeEnough) {
  // Each one larger than all that were kept before.
  for (size_t size = 64; size < (size_t(16) << 20); size = size * 3 / 2) {
    void *memory = allocateWorkspace(size);
    EXPECT_TRUE(isAligned(memory)) << size;
    std::memset(memory, 3, size);
    releaseWorkspace(memory);
  }
  releaseWorkspace(nullptr);
  releaseWorkspace(allocateWorkspace(0));
}

TEST(Workspace, AlignedBlocks) {
  for (size_t alignment = 16; alignment <= 8192; alignment *= 2)
    for (size_t size : {1, 1000, 1 << 20}) {
      void *memory = allocateAlignedWorkspace(alignment, size);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(memory) % alignment, 0u);
      std::memset(memory, 4, size);
      releaseWorkspace(memory);
    }
}

/// More than a thread keeps.
TEST(Workspace, ManyBlocks) {
  std::vector<unsigned char *> blocks;
  for (int i = 0; i < 20; ++i) {
    blocks.push_back(
        static_cast<unsigned char *>(allocateWorkspace(100000 + i * 1000)));
    std::memset(blocks.back(), i, 100000 + i * 1000);
  }
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(blocks[i][0], i);
    EXPECT_EQ(blocks[i][100000 + i * 1000 - 1], i);
    releaseWorkspace(blocks[i]);
  }
}

TEST(Workspace, ThreadsHaveTheirOwn) {
  // Larger than all before, so that it is kept.
  size_t size = size_t(64) << 20;
  void *mine = allocateWorkspace(size);
  releaseWorkspace(mine);
  void *theirs = nullptr;
  std::thread([&] { theirs = allocateWorkspace(size); }).join();
  EXPECT_NE(mine, theirs);
  // It may be given back by another thread.
  releaseWorkspace(theirs);
}
