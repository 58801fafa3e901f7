//===- CopySupport.h - Copies of memrefs with gaps --------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// A memref.copy whose memrefs are not contiguous is compiled to a call of
// memrefCopy, which otherwise is a function of MLIR's library of runners.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_RUNTIME_COPYSUPPORT_H
#define TILEIR_LIB_RUNTIME_COPYSUPPORT_H

#include <cstdint>
#include <cstring>

namespace tileir::runtime {

/// A memref of any rank, as compiled code passes it.
struct AnyMemRef {
  struct Descriptor {
    char *allocated, *aligned;
    int64_t offset; // followed by all sizes, then all strides
  };
  int64_t rank;
  Descriptor *descriptor;

  char *getFirst(int64_t elementSize) const {
    return descriptor->aligned + descriptor->offset * elementSize;
  }
  const int64_t *getSizes() const {
    return reinterpret_cast<const int64_t *>(descriptor + 1);
  }
  const int64_t *getStrides() const { return getSizes() + rank; }
};

/// Copies the elements that have the indices of `source` and `target` before
/// `axis`.
inline void copyElements(int64_t elementSize, const AnyMemRef &source,
                         const AnyMemRef &target, int64_t axis,
                         const char *from, char *to) {
  if (axis == source.rank) {
    std::memcpy(to, from, elementSize);
    return;
  }
  for (int64_t i = 0; i < source.getSizes()[axis]; ++i)
    copyElements(elementSize, source, target, axis + 1,
                 from + i * source.getStrides()[axis] * elementSize,
                 to + i * target.getStrides()[axis] * elementSize);
}

/// Calls `add(name, function pointer)` for the function.
template <typename Add> void addCopySupport(Add add) {
  add(
      "memrefCopy", +[](int64_t elementSize, const AnyMemRef *source,
                        const AnyMemRef *target) {
        copyElements(elementSize, *source, *target, /*axis=*/0,
                     source->getFirst(elementSize),
                     target->getFirst(elementSize));
      });
}

} // namespace tileir::runtime

#endif // TILEIR_LIB_RUNTIME_COPYSUPPORT_H
