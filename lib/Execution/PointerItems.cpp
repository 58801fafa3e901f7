//===- PointerItems.cpp - Where arguments of kernels point ----------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Execution/PointerItems.h"

using namespace llvm;
using namespace tileir;
using namespace tileir::execution;

static Error failItem(StringRef item, const Twine &message) {
  return createStringError("--inputs: '" + item + "': " + message);
}

static Expected<PointerItem> parsePointerItem(StringRef item) {
  PointerItem parsed;
  StringRef rest = item;
  if (rest.consume_front("same:")) {
    auto [argument, offset] = rest.split('+');
    bool hasOffset = rest.contains('+');
    if (argument.getAsInteger(10, parsed.same.emplace()) ||
        (hasOffset && offset.getAsInteger(10, parsed.offset)) ||
        parsed.offset < 0)
      return failItem(item, "expected same:argument+element, such as same:0 or "
                            "same:2+64");
    return parsed;
  }
  if (rest.consume_front("offset:")) {
    auto [offset, array] = rest.split(':');
    if (offset.getAsInteger(10, parsed.offset) || parsed.offset < 0 ||
        array.empty())
      return failItem(item, "expected offset:element:array, such as "
                            "offset:64:x.npy");
    rest = array;
  }
  parsed.array = rest.str();
  return parsed;
}

Expected<SmallVector<PointerItem>>
execution::parsePointerItems(ArrayRef<std::string> items) {
  SmallVector<PointerItem> parsed;
  for (const std::string &item : items)
    if (Error error = parsePointerItem(item).moveInto(parsed.emplace_back()))
      return std::move(error);
  for (auto [item, pointer] : zip_equal(items, parsed))
    if (pointer.same &&
        (*pointer.same >= parsed.size() || parsed[*pointer.same].same))
      return failItem(item, "expected the number of an argument with an array "
                            "of its own, found " +
                                Twine(*pointer.same));
  return parsed;
}

Error execution::checkOffset(StringRef item, const PointerItem &parsed,
                             int64_t numElements) {
  if (parsed.offset <= numElements)
    return Error::success();
  return failItem(item, "expected an element of its array, which has " +
                            Twine(numElements) + ", found " +
                            Twine(parsed.offset));
}
