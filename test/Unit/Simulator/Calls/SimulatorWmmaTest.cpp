//===- SimulatorWmmaTest.cpp ----------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// llvm.nvvm.wmma.*: kernels that load tiles, multiply and store them, in all
// shapes, types and layouts, against a plain product of matrices of integers.
//
//===----------------------------------------------------------------------===//

#include "SimulatorEvaluate.h"

using namespace tileir::sim;
using namespace tileir::sim::test;

namespace {

struct WmmaCase {
  unsigned m, n, k;
  std::string type, d, c; ///< of A and B, of D, of C
  bool aRow, bRow, cRow, dRow;
  bool hasStride;
  std::string suffix = ""; ///< ".satfinite"
  std::string operation = "";

  std::string shape() const {
    return "m" + std::to_string(m) + "n" + std::to_string(n) + "k" +
           std::to_string(k);
  }
};

unsigned wmmaBits(const std::string &type) {
  return type == "bf16" || type == "f16" ? 16
         : type == "tf32"                ? 32
                                         : unsigned(std::stoul(type.substr(1)));
}

/// How many values of which LLVM type a fragment has, by IntrinsicsNVVM.td.
std::pair<unsigned, std::string> fragmentOf(const WmmaCase &w, char matrix,
                                            const std::string &type) {
  if (matrix == 'c' || matrix == 'd') {
    unsigned lanes = w.m * w.n / 32;
    if (type == "f16")
      return {lanes / 2, "<2 x half>"};
    return {lanes, type == "f32" ? "float" : type == "f64" ? "double" : "i32"};
  }
  unsigned elements = (matrix == 'a' ? w.m : w.n) * w.k;
  if (type == "f16")
    return {8, "<2 x half>"};
  if (type == "f64")
    return {1, "double"};
  return {elements * wmmaBits(type) / 32 / 32, "i32"};
}

std::string repeat(unsigned count, const std::string &text) {
  std::string result;
  for (unsigned i = 0; i < count; ++i)
    result += (i ? ", " : "") + text;
  return result;
}

std::string makeWmma(const WmmaCase &w, const unsigned (&strides)[4]) {
  std::string declarations, body;
  std::string arguments;
  std::string types;
  auto name = [&](const std::string &rest) {
    return "@llvm.nvvm.wmma." + w.shape() + "." + rest;
  };
  auto stride = [&](unsigned i) {
    return w.hasStride ? ", i32 " + std::to_string(strides[i]) : "";
  };
  struct {
    char matrix;
    std::string type;
    bool isRow;
  } loads[] = {
      {'a', w.type, w.aRow}, {'b', w.type, w.bRow}, {'c', w.c, w.cRow}};
  for (unsigned i = 0; i < 3; ++i) {
    auto &l = loads[i];
    auto [count, type] = fragmentOf(w, l.matrix, l.type);
    std::string result = count == 1 ? type : "{" + repeat(count, type) + "}";
    std::string function =
        name("load." + std::string(1, l.matrix) + (l.isRow ? ".row" : ".col") +
             (w.hasStride ? ".stride." : ".") + l.type + ".p1");
    declarations += "declare " + result + " " + function + "(ptr addrspace(1)" +
                    (w.hasStride ? ", i32" : "") + ")\n";
    std::string value = "%" + std::string(1, l.matrix);
    body += "  " + value + " = call " + result + " " + function +
            "(ptr addrspace(1) %p" + l.matrix + stride(i) + ")\n";
    for (unsigned j = 0; j < count; ++j) {
      std::string element = value + std::to_string(j);
      if (count == 1)
        element = value;
      else
        body += "  " + element + " = extractvalue " + result + " " + value +
                ", " + std::to_string(j) + "\n";
      arguments += (arguments.empty() ? "" : ", ") + type + " " + element;
      types += (types.empty() ? "" : ", ") + type;
    }
  }
  auto [count, type] = fragmentOf(w, 'd', w.d);
  std::string result = "{" + repeat(count, type) + "}";
  std::string ending = w.type == "f16" ? w.d + "." + w.c : w.type;
  std::string function =
      name("mma." + w.operation + (w.aRow ? "row." : "col.") +
           (w.bRow ? "row." : "col.") + ending + w.suffix);
  declarations += "declare " + result + " " + function + "(" + types + ")\n";
  body += "  %d = call " + result + " " + function + "(" + arguments + ")\n";
  std::string stored;
  for (unsigned j = 0; j < count; ++j) {
    std::string element = "%d" + std::to_string(j);
    body += "  " + element + " = extractvalue " + result + " %d, " +
            std::to_string(j) + "\n";
    stored += ", " + type + " " + element;
  }
  function = name("store.d" + std::string(w.dRow ? ".row" : ".col") +
                  (w.hasStride ? ".stride." : ".") + w.d + ".p1");
  declarations += "declare void " + function + "(ptr addrspace(1), " +
                  repeat(count, type) + (w.hasStride ? ", i32" : "") + ")\n";
  body += "  call void " + function + "(ptr addrspace(1) %pd" + stored +
          stride(3) + ")\n";
  return "target triple = \"nvptx64-nvidia-cuda\"\n" + declarations +
         "define ptx_kernel void @k(ptr addrspace(1) %pd, ptr addrspace(1) "
         "%pa, ptr addrspace(1) %pb, ptr addrspace(1) %pc) {\n" +
         body + "  ret void\n}\n";
}

using Bytes = std::vector<uint8_t>;

uint64_t encodeNumber(const std::string &type, int value) {
  if (type == "f16")
    return encode("half", value);
  if (type == "bf16")
    return encode("bfloat", value);
  if (type == "f32" || type == "tf32")
    return encode("float", value);
  if (type == "f64")
    return encode("double", value);
  return lowBits(uint64_t(int64_t(value)), wmmaBits(type));
}

/// A matrix in memory, with rows or columns `stride` apart.
struct TileInMemory {
  std::string type;
  unsigned rows, columns, stride;
  bool isRow;

  size_t at(unsigned row, unsigned column) const {
    return isRow ? size_t(row) * stride + column
                 : size_t(column) * stride + row;
  }
  size_t bytes() const {
    return size_t(stride) * (isRow ? rows : columns) * wmmaBits(type) / 8;
  }
  void set(Bytes &memory, unsigned row, unsigned column, int value) const {
    unsigned bits = wmmaBits(type);
    size_t place = at(row, column) * bits;
    uint64_t encoded = encodeNumber(type, value);
    if (bits < 8)
      memory[place / 8] |= uint8_t(encoded << place % 8);
    else
      std::memcpy(&memory[place / 8], &encoded, bits / 8);
  }
  uint64_t get(const Bytes &memory, unsigned row, unsigned column) const {
    uint64_t value = 0;
    unsigned bits = wmmaBits(type);
    std::memcpy(&value, &memory[at(row, column) * bits / 8], bits / 8);
    return value;
  }
};

void checkWmma(const WmmaCase &w) {
  bool isSigned = w.type[0] != 'u' && w.type != "b1";
  auto makeTile = [&](const std::string &type, unsigned rows, unsigned columns,
                      bool isRow) {
    unsigned least = isRow ? columns : rows;
    // Strides are of 16 bytes.
    unsigned unit = 128 / wmmaBits(type);
    unsigned stride = (least + unit - 1) / unit * unit + unit;
    return TileInMemory{type, rows, columns, w.hasStride ? stride : least,
                        isRow};
  };
  TileInMemory a = makeTile(w.type, w.m, w.k, w.aRow);
  TileInMemory b = makeTile(w.type, w.k, w.n, w.bRow);
  TileInMemory c = makeTile(w.c, w.m, w.n, w.cRow);
  TileInMemory d = makeTile(w.d, w.m, w.n, w.dRow);
  const unsigned strides[] = {a.stride, b.stride, c.stride, d.stride};
  std::vector<Bytes> arrays = {Bytes(d.bytes()), Bytes(a.bytes()),
                               Bytes(b.bytes()), Bytes(c.bytes())};
  std::mt19937 random(w.m + 7 * w.k + w.type.size());
  auto draw = [&](int low, int high) {
    return int(random() % unsigned(high - low + 1)) + low;
  };
  std::vector<std::vector<int>> left(w.m, std::vector<int>(w.k)),
      right(w.k, std::vector<int>(w.n));
  int low = w.type == "b1" ? 0 : isSigned ? -4 : 0;
  int high = w.type == "b1" ? 1 : isSigned ? 3 : 7;
  for (unsigned i = 0; i < w.m; ++i)
    for (unsigned j = 0; j < w.k; ++j)
      a.set(arrays[1], i, j, left[i][j] = draw(low, high));
  for (unsigned i = 0; i < w.k; ++i)
    for (unsigned j = 0; j < w.n; ++j)
      b.set(arrays[2], i, j, right[i][j] = draw(low, high));
  bool saturates = !w.suffix.empty() && w.d == "s32";
  std::vector<std::vector<int64_t>> expected(w.m, std::vector<int64_t>(w.n));
  for (unsigned i = 0; i < w.m; ++i)
    for (unsigned j = 0; j < w.n; ++j) {
      int start = draw(-20, 20);
      if (saturates && (i + j) % 3 == 0) // some that saturate
        start = std::numeric_limits<int>::max() - 5;
      c.set(arrays[3], i, j, start);
      int64_t sum = start;
      for (unsigned l = 0; l < w.k; ++l)
        sum += w.operation.find("xor") == 0 ? left[i][l] ^ right[l][j]
                                            : left[i][l] * right[l][j];
      if (saturates)
        sum = std::min<int64_t>(sum, std::numeric_limits<int>::max());
      expected[i][j] = sum;
    }
  std::string ir = makeWmma(w, strides);
  RunResult result = run(ir, arrays, {});
  ASSERT_EQ(result.error, "") << ir;
  ASSERT_EQ(result.text(), "") << ir;
  for (unsigned i = 0; i < w.m; ++i)
    for (unsigned j = 0; j < w.n; ++j)
      ASSERT_EQ(d.get(arrays[0], i, j), encodeNumber(w.d, expected[i][j]))
          << i << ", " << j << " of\n"
          << ir;
}

/// A and B, C and D in all layouts that a type has.
void checkLayouts(WmmaCase w, bool anyLayout) {
  for (unsigned layouts = 0; layouts < 32; ++layouts) {
    w.aRow = layouts & 1;
    w.bRow = layouts & 2;
    w.cRow = layouts & 4;
    w.dRow = layouts & 8;
    w.hasStride = layouts & 16;
    if (!anyLayout && (!w.aRow || w.bRow))
      continue;
    checkWmma(w);
    if (testing::Test::HasFatalFailure())
      return;
  }
}

const unsigned kShapes[][3] = {{16, 16, 16}, {32, 8, 16}, {8, 32, 16}};

TEST(SimulatorWmma, Halves) {
  for (auto &s : kShapes)
    for (std::string d : {"f16", "f32"})
      for (std::string c : {"f16", "f32"})
        checkLayouts({s[0], s[1], s[2], "f16", d, c, 0, 0, 0, 0, 0}, true);
}
TEST(SimulatorWmma, BFloats) {
  for (auto &s : kShapes)
    checkLayouts({s[0], s[1], s[2], "bf16", "f32", "f32", 0, 0, 0, 0, 0}, true);
}
TEST(SimulatorWmma, Bytes) {
  for (auto &s : kShapes)
    for (std::string type : {"s8", "u8"})
      for (std::string suffix : {"", ".satfinite"})
        checkLayouts(
            {s[0], s[1], s[2], type, "s32", "s32", 0, 0, 0, 0, 0, suffix},
            true);
}
TEST(SimulatorWmma, Others) {
  checkLayouts({16, 16, 8, "tf32", "f32", "f32", 0, 0, 0, 0, 0}, true);
  checkLayouts({8, 8, 4, "f64", "f64", "f64", 0, 0, 0, 0, 0}, true);
  for (std::string type : {"s4", "u4"})
    for (std::string suffix : {"", ".satfinite"})
      checkLayouts({8, 8, 32, type, "s32", "s32", 0, 0, 0, 0, 0, suffix},
                   false);
  for (std::string operation : {"xor.popc.", "and.popc."})
    checkLayouts({8, 8, 128, "b1", "s32", "s32", 0, 0, 0, 0, 0, "", operation},
                 false);
}

TEST(SimulatorWmma, FiniteHalves) {
  // 16 * 200 * 200 is more than a half holds.
  WmmaCase w{16, 16, 16, "f16", "f16", "f16", 1, 0, 1, 1, 0, ".satfinite"};
  const unsigned strides[4] = {};
  std::vector<Bytes> arrays = {Bytes(512), Bytes(512), Bytes(512), Bytes(512)};
  for (unsigned i = 0; i < 256; ++i) {
    uint64_t a = encode("half", i < 128 ? 200 : -200), b = encode("half", 200);
    std::memcpy(&arrays[1][2 * i], &a, 2);
    std::memcpy(&arrays[2][2 * i], &b, 2);
  }
  RunResult result = run(makeWmma(w, strides), arrays, {});
  ASSERT_EQ(result.error, "");
  for (unsigned i = 0; i < 256; ++i) {
    uint16_t found;
    std::memcpy(&found, &arrays[0][2 * i], 2);
    EXPECT_EQ(found, i < 128 ? 0x7bff : 0xfbff);
  }
}

TEST(SimulatorWmma, CountsAndFaults) {
  WmmaCase w{16, 16, 16, "f16", "f32", "f32", 1, 0, 1, 1, 0};
  const unsigned strides[4] = {};
  std::vector<Bytes> arrays = {Bytes(1024), Bytes(512), Bytes(512),
                               Bytes(1024)};
  RunResult result = run(makeWmma(w, strides), arrays, {});
  ASSERT_EQ(result.error, "");
  EXPECT_EQ(result.text(), "");
  EXPECT_EQ(result.counters.mmaFlops, 2u * 16 * 16 * 16);
  arrays[2].resize(510);
  result = run(makeWmma(w, strides), arrays, {});
  EXPECT_EQ(result.text().find("out-of-bounds: load"), 0u) << result.text();
}

} // namespace
