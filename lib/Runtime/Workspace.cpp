//===- Workspace.cpp - Memory of compiled code ----------------------------===//
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

#include "tileir/Runtime/Workspace.h"

#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <cstring>
#include <sys/mman.h>

using namespace tileir;
using namespace tileir::runtime;

namespace {

/// Smaller blocks are quick to get from the C library.
constexpr size_t kLeastKept = 64 << 10;
/// Panels of this size take more small pages than a processor finds at once.
constexpr size_t kLeastHuge = 128 << 10, kHugePage = 2 << 20;
/// A cache line in front of each block, so that blocks are aligned as lines.
constexpr size_t kHeader = 64;

struct Block {
  size_t size; // with this header; 0: is not kept
  void *start; // where the C library's block begins
};

/// The blocks that a thread does not use.
struct Kept {
  std::array<Block *, 8> blocks = {};

  ~Kept() {
    // Arrays may live longer than this.
    for (Block *&block : blocks)
      std::free(std::exchange(block, nullptr));
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

/// `memory`, unless there was none for `size` bytes.
void *check(void *memory, size_t size) {
  if (memory)
    return memory;
  llvm::errs() << "error: cannot allocate " << size
               << " bytes: expected the machine to have them\n";
  std::_Exit(1);
}

/// A block of the C library's, at a multiple of `alignment`.
Block *allocateBlock(size_t alignment, size_t total, size_t size) {
  void *memory = check(
      total < size ? nullptr : std::aligned_alloc(alignment, total), size);
  auto *block = static_cast<Block *>(memory);
  *block = {total, memory};
  return block;
}

/// A small block that is not kept. The C library aligns no block as fast as it
/// finds one.
Block *allocateSmall(size_t total) {
  void *memory = check(std::malloc(total + kHeader), total);
  auto *block = reinterpret_cast<Block *>(
      llvm::alignTo(reinterpret_cast<uintptr_t>(memory), kHeader));
  *block = {0, memory};
  return block;
}

} // namespace

void *runtime::allocateWorkspace(size_t size) {
  size_t total = size + kHeader;
  Block *block = nullptr;
  if (size < kLeastKept)
    block = allocateSmall(total);
  else
    block = getKept().take(total);
  if (!block) {
    bool isHuge = total >= kLeastHuge;
    size_t unit = isHuge ? kHugePage : kHeader;
    block = allocateBlock(unit, llvm::alignTo(total, unit), size);
    if (isHuge)
      madvise(block, block->size, MADV_HUGEPAGE);
  }
  return reinterpret_cast<char *>(block) + kHeader;
}

void *runtime::allocateZeroedWorkspace(size_t count, size_t size) {
  size_t bytes;
  // More than any machine has, where the product is.
  if (__builtin_mul_overflow(count, size, &bytes))
    bytes = SIZE_MAX / 2;
  return std::memset(allocateWorkspace(bytes), 0, bytes);
}

void *runtime::allocateAlignedWorkspace(size_t alignment, size_t size) {
  if (alignment <= kHeader)
    return allocateWorkspace(size);
  // The header is right in front of the memory, as it always is.
  size_t total = llvm::alignTo(size, alignment) + alignment;
  Block *block = allocateBlock(alignment, total, size);
  char *memory = reinterpret_cast<char *>(block) + alignment;
  *reinterpret_cast<Block *>(memory - kHeader) = {0, block};
  return memory;
}

void runtime::releaseWorkspace(void *memory) {
  if (!memory)
    return;
  auto *block =
      reinterpret_cast<Block *>(static_cast<char *>(memory) - kHeader);
  if (block->size >= kLeastKept)
    getKept().give(block);
  else
    std::free(block->start);
}

llvm::ArrayRef<HostFunction> runtime::getWorkspaceFunctions() {
  static const HostFunction functions[] = {
      {"malloc", &allocateWorkspace},
      {"calloc", &allocateZeroedWorkspace},
      {"aligned_alloc", &allocateAlignedWorkspace},
      {"free", &releaseWorkspace}};
  return functions;
}
