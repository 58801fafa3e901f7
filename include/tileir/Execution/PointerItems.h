//===- PointerItems.h - Where arguments of kernels point --------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Arguments of a kernel may point into one array, and not only at its first
// element: parts of one tensor, or what a kernel changes in place.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_EXECUTION_POINTERITEMS_H
#define TILEIR_EXECUTION_POINTERITEMS_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace tileir::execution {

/// What the item of an argument says:
///   offset:64:x.npy   element 64 of an array of its own; any item of Inputs.h
///                     may stand behind the second colon
///   same:2+64         element 64 of the array of argument 2
///   same:2            its first element
/// Other items are arrays of their own, or scalars.
struct PointerItem {
  /// The argument whose array it is, if it has none of its own.
  std::optional<unsigned> same;
  /// The element of the array.
  int64_t offset = 0;
  /// The item of its own array, or of a scalar.
  std::string array;

  /// Whether a scalar could be written like that.
  bool isPlain() const { return !same && offset == 0; }
};

/// Takes items apart. Fails for one that is malformed, and where an argument
/// whose array is used has none.
llvm::Expected<llvm::SmallVector<PointerItem>>
parsePointerItems(llvm::ArrayRef<std::string> items);

/// Checks that an item, which is given for messages, points into its array, or
/// right behind it.
llvm::Error checkOffset(llvm::StringRef item, const PointerItem &parsed,
                        int64_t numElements);

} // namespace tileir::execution

#endif // TILEIR_EXECUTION_POINTERITEMS_H
