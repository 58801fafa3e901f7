//===- GuardedMemory.h - Arrays between guard pages -------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Kernels of tiles access memory by any address that they compute, and compiled
// code checks none. So that a wrong one is an error, and not a heap that is
// destroyed, their arrays lie between pages that cannot be accessed: this costs
// the code nothing.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LIB_EXECUTION_CPU_GUARDEDMEMORY_H
#define TILEIR_LIB_EXECUTION_CPU_GUARDEDMEMORY_H

#include "tileir/Runtime/NDArray.h"

#include "llvm/Support/Error.h"
#include <memory>

namespace tileir::execution {

/// What is known of an argument beside its elements.
struct GuardedArgument {
  std::string name;
  /// What its address is a multiple of, in bytes: a power of two.
  uint64_t alignment = 1;
};

/// Memory for copies of arrays, each followed at once by a gap, as far as its
/// alignment lets it; `where`, a prefix of messages, tells who accesses them.
class GuardedMemory {
public:
  /// For arrays of the sizes of `arrays`, one for each of `arguments`.
  static llvm::Expected<std::unique_ptr<GuardedMemory>>
  create(llvm::ArrayRef<runtime::NDArray> arrays,
         llvm::ArrayRef<GuardedArgument> arguments, std::string where);
  ~GuardedMemory();

  /// Copies elements here. Until the end of `finish` an access to a gap ends
  /// the process with status 1 and a message on stderr. Of several that are in
  /// use in one process at a time the last one tells.
  void start(llvm::ArrayRef<runtime::NDArray> arrays);

  /// Where the elements of each array are.
  llvm::ArrayRef<uint8_t *> getData() const { return data; }

  /// Copies elements back; fails if the pages around an array were written to.
  llvm::Error finish(llvm::MutableArrayRef<runtime::NDArray> arrays);

  /// For the handler of signals: what to say of an access to `address`, in
  /// `buffer`; null if it is in no gap.
  const char *describe(const uint8_t *address, const char *verb, char *buffer,
                       size_t size) const;

private:
  GuardedMemory() = default;

  /// The pages that array `i` lies in.
  std::pair<uint8_t *, uint8_t *> getPages(size_t i) const;

  std::vector<uint8_t *> data;
  std::vector<size_t> numBytes;
  std::vector<std::string> names;
  std::string where;
  uint8_t *reserved = nullptr;
  size_t numReserved = 0;
};

} // namespace tileir::execution

#endif // TILEIR_LIB_EXECUTION_CPU_GUARDEDMEMORY_H
