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

/// A copy of elements from one memref to another.
struct MemRefCopy {
  const AnyMemRef &source, &target;
  int64_t elementSize;
  /// The axes from `runAxis` on are contiguous in both: `runBytes` together.
  int64_t runAxis, runBytes;

  MemRefCopy(const AnyMemRef &source, const AnyMemRef &target,
             int64_t elementSize)
      : source(source), target(target), elementSize(elementSize),
        runAxis(source.rank), runBytes(elementSize) {
    auto follows = [&](int64_t axis) {
      int64_t step = runBytes / elementSize;
      return source.getSizes()[axis] == 1 ||
             (source.getStrides()[axis] == step &&
              target.getStrides()[axis] == step);
    };
    while (runBytes != 0 && runAxis > 0 && follows(runAxis - 1))
      runBytes *= source.getSizes()[--runAxis];
  }

  /// Copies what has the indices before `axis` that `from` and `to` are at.
  void copy(int64_t axis, const char *from, char *to) const {
    if (axis == runAxis) {
      std::memcpy(to, from, runBytes);
      return;
    }
    for (int64_t i = 0; i < source.getSizes()[axis]; ++i)
      copy(axis + 1, from + i * source.getStrides()[axis] * elementSize,
           to + i * target.getStrides()[axis] * elementSize);
  }
};

/// Calls `add(name, function pointer)` for the function.
template <typename Add> void addCopySupport(Add add) {
  add(
      "memrefCopy", +[](int64_t elementSize, const AnyMemRef *source,
                        const AnyMemRef *target) {
        MemRefCopy(*source, *target, elementSize)
            .copy(/*axis=*/0, source->getFirst(elementSize),
                  target->getFirst(elementSize));
      });
}

} // namespace tileir::runtime

#endif // TILEIR_LIB_RUNTIME_COPYSUPPORT_H
