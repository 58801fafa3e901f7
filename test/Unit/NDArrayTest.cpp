//===- NDArrayTest.cpp - Tests of the memory of arrays --------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Runtime/NDArray.h"

#include "gtest/gtest.h"

#include <algorithm>

using namespace tileir::runtime;

TEST(NDArrayTest, beginsWithALineOfZeros) {
  for (int64_t size : {1, 7, 64, 100000}) {
    NDArray array(ElementKind::I8, {size});
    EXPECT_EQ(reinterpret_cast<uintptr_t>(array.getData()) % 64, 0u);
    EXPECT_TRUE(std::all_of(array.getData(), array.getData() + size,
                            [](uint8_t byte) { return byte == 0; }));
  }
}

TEST(NDArrayTest, copiesAreApart) {
  NDArray one(ElementKind::I32, {3});
  one.setInteger(2, 5);
  NDArray other(one);
  other.setInteger(2, 7);
  EXPECT_EQ(one.getInteger(2), 5);
  EXPECT_EQ(other.getInteger(2), 7);
  NDArray moved(std::move(other));
  EXPECT_EQ(moved.getInteger(2), 7);
}

TEST(NDArrayTest, reusesMemoryOfTheSameSize) {
  NDArray from(ElementKind::I32, {2, 3}), to(ElementKind::F32, {6});
  from.setInteger(5, 9);
  const uint8_t *data = to.getData();
  to = from;
  EXPECT_EQ(to.getData(), data);
  EXPECT_EQ(to.getKind(), ElementKind::I32);
  EXPECT_EQ(to.getShape(), llvm::ArrayRef<int64_t>({2, 3}));
  EXPECT_EQ(to.getInteger(5), 9);
  to = NDArray(ElementKind::I32, {4});
  EXPECT_EQ(to.getInteger(3), 0);
  NDArray &self = to;
  to = self;
  EXPECT_EQ(to.getNumElements(), 4);
}

TEST(NDArrayTest, takesNoElements) {
  NDArray none(ElementKind::F64, {0, 4}), nothing;
  NDArray copy(none);
  copy = nothing;
  EXPECT_EQ(copy.getNumBytes(), 0u);
  nothing = none;
  EXPECT_EQ(nothing.getNumElements(), 0);
}
