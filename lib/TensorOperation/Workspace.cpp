//===- Workspace.cpp - Memory that operations work in ---------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A few blocks per thread, each with its size in front. Large ones begin where
// a huge page does, and ask for such pages: what is packed is read in an order
// that would otherwise miss address translations.
//
//===----------------------------------------------------------------------===//

#include "Workspace.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

using namespace tileir;
using namespace tileir::tensor_operation;

namespace {

/// Smaller blocks are quick to get from the C library.
constexpr size_t kLeastKept = 64 << 10;
/// Panels of this size take more small pages than a processor finds at once.
constexpr size_t kLeastHuge = 128 << 10, kHugePage = 2 << 20;
/// A cache line in front of each block, so that blocks are aligned as lines.
constexpr size_t kHeader = 64;

struct Block {
  size_t size; // with this header
};

/// The blocks that a thread does not use.
struct Kept {
  std::array<Block *, 8> blocks = {};

  ~Kept() {
    for (Block *block : blocks)
      std::free(block);
  }

  /// The smallest block of at least `size`, if it is not much larger; or null.
  Block *take(size_t size) {
    Block **best = nullptr;
    for (Block *&block : blocks)
      if (block && block->size >= size &&
          (block->size / 2 <= size || block->size <= kHugePage) &&
          (!best || block->size < (*best)->size))
        best = &block;
    return best ? std::exchange(*best, nullptr) : nullptr;
  }

  /// Keeps `block`, in the place of a smaller one if there is no other.
  void give(Block *block) {
    auto least = std::min_element(
        blocks.begin(), blocks.end(), [](const Block *a, const Block *b) {
          return (a ? a->size : 0) < (b ? b->size : 0);
        });
    if (!*least || (*least)->size < block->size)
      std::swap(*least, block);
    std::free(block);
  }
};

Kept &getKept() {
  static thread_local Kept kept;
  return kept;
}

} // namespace

void *tensor_operation::allocateWorkspace(size_t size) {
  size_t total = size + kHeader;
  Block *block = nullptr;
  if (total >= kLeastKept)
    block = getKept().take(total);
  if (!block) {
    bool isHuge = total >= kLeastHuge;
    size_t unit = isHuge ? kHugePage : kHeader;
    total = llvm::alignTo(total, unit);
    block = total < size
                ? nullptr
                : static_cast<Block *>(std::aligned_alloc(unit, total));
    if (!block) {
      llvm::errs() << "error: a tensor operation cannot allocate " << size
                   << " bytes: expected the machine to have them\n";
      std::_Exit(1);
    }
    if (isHuge)
      madvise(block, total, MADV_HUGEPAGE);
    block->size = total;
  }
  return reinterpret_cast<char *>(block) + kHeader;
}

void *tensor_operation::allocateZeroedWorkspace(size_t count, size_t size) {
  size_t bytes;
  // More than any machine has, where the product is.
  if (__builtin_mul_overflow(count, size, &bytes))
    bytes = SIZE_MAX / 2;
  return std::memset(allocateWorkspace(bytes), 0, bytes);
}

void tensor_operation::releaseWorkspace(void *memory) {
  if (!memory)
    return;
  auto *block =
      reinterpret_cast<Block *>(static_cast<char *>(memory) - kHeader);
  if (block->size >= kLeastKept)
    getKept().give(block);
  else
    std::free(block);
}
