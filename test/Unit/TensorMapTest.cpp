//===- TensorMapTest.cpp --------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Rules of tensor maps, each violated once, and their bytes.
//
//===----------------------------------------------------------------------===//

#include "tileir/Target/Gpu/TensorMap.h"

#include "gtest/gtest.h"

#include <cstring>

using namespace tileir::machine;

namespace {

TensorMap makeMap() {
  TensorMap map;
  map.type = tileir::machine::TensorType::F16;
  map.rank = 3;
  map.address = 0x123456780;
  map.sizes = {100, 30, uint64_t(1) << 32};
  map.strides = {0, 208, (uint64_t(1) << 40) - 16};
  map.box = {64, 8, 256};
  map.elementStrides = {1, 2, 8, 1, 1};
  map.swizzle = 128;
  map.fillsNaN = true;
  return map;
}

TensorMap makeIm2col() {
  TensorMap map = makeMap();
  map.isIm2col = true;
  map.rank = 4;
  map.sizes[3] = 2;
  map.strides[3] = 1024;
  map.lower = {-1, -128, 0};
  map.upper = {127, -3, 0};
  map.channels = 64;
  map.pixels = 1024;
  return map;
}

TEST(TensorMap, BytesAreReadBack) {
  for (const TensorMap &map : {makeMap(), makeIm2col()}) {
    EXPECT_EQ(llvm::toString(checkTensorMap(map)), "");
    uint8_t bytes[kTensorMapBytes], again[kTensorMapBytes];
    encodeTensorMap(map, bytes);
    auto read = decodeTensorMap(bytes);
    ASSERT_TRUE(read);
    EXPECT_EQ(read->sizes, map.sizes);
    EXPECT_EQ(read->strides, map.strides);
    EXPECT_EQ(read->box, map.box);
    EXPECT_EQ(read->elementStrides, map.elementStrides);
    EXPECT_EQ(read->lower, map.lower);
    EXPECT_EQ(read->upper, map.upper);
    EXPECT_EQ(read->address, map.address);
    encodeTensorMap(*read, again);
    EXPECT_EQ(std::memcmp(bytes, again, kTensorMapBytes), 0);
    for (unsigned i = 0; i < kTensorMapBytes; ++i) {
      bytes[i] ^= 0x10;
      EXPECT_FALSE(decodeTensorMap(bytes)) << i;
      bytes[i] ^= 0x10;
    }
  }
}

TEST(TensorMap, BoxBytes) {
  EXPECT_EQ(makeMap().getBoxBytes(), 64u * 2 * 4 * 32);
  EXPECT_EQ(makeIm2col().getBoxBytes(), 64u * 2 * 1024);
}

TEST(TensorMap, Rules) {
  auto expect = [](auto change, const std::string &message,
                   TensorMap map = makeMap()) {
    change(map);
    EXPECT_EQ(llvm::toString(checkTensorMap(map)), "tensor map: " + message);
  };
  using M = TensorMap;
  expect([](M &m) { m.type = tileir::machine::TensorType(13); },
         "type 13; expected one of 0 to 12 of CUtensorMapDataType");
  expect([](M &m) { m.rank = 6; }, "rank 6; expected 1 to 5");
  expect([](M &m) { m.address += 8; },
         "global address 0x123456788; expected one that 16 divides");
  expect([](M &m) { m.sizes[1] = 0; }, "size 0 of axis 1; expected 1 to 2^32");
  expect([](M &m) { m.strides[1] = 200; },
         "stride of 200 bytes of axis 1; expected a multiple of 16 below 2^40");
  expect([](M &m) { m.strides[2] = uint64_t(1) << 40; },
         "stride of 1099511627776 bytes of axis 2; expected a multiple of 16 "
         "below 2^40");
  expect([](M &m) { m.elementStrides[2] = 9; },
         "element stride 9 of axis 2; expected 1 to 8");
  expect([](M &m) { m.elementStrides[0] = 2; },
         "element stride 2 of axis 0; expected 1, without interleave");
  expect([](M &m) { m.box[1] = 257; },
         "box of 257 elements along axis 1; expected 1 to 256");
  expect([](M &m) { m.box[0] = 4; },
         "8 bytes of the box along axis 0; expected a multiple of 16");
  expect([](M &m) { m.box[0] = 128; },
         "256 bytes of the box along axis 0; expected at most the 128 of the "
         "swizzle");
  expect([](M &m) { m.swizzle = 16; },
         "swizzle of 16 bytes; expected none, 32, 64 or 128");
  expect([](M &m) { m.type = tileir::machine::TensorType::U16; },
         "fill with NaN of integers; expected zeros");
  expect([](M &m) { m.rank = 2; }, "im2col of rank 2; expected 3 to 5",
         makeIm2col());
  expect([](M &m) { m.channels = 257; },
         "257 channels a pixel; expected 1 to 256", makeIm2col());
  expect([](M &m) { m.pixels = 0; }, "0 pixels a column; expected 1 to 1024",
         makeIm2col());
  expect([](M &m) { m.upper[1] = 128; },
         "a corner of the pixels at 128 along axis 2; expected -128 to 127 for "
         "rank 4",
         makeIm2col());
}

} // namespace
