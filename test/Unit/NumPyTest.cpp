//===- NumPyTest.cpp - Tests of NumPy files -------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Runtime/NumPy.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "gtest/gtest.h"

#include <cstring>

using namespace llvm;
using namespace tileir;
using namespace tileir::runtime;

/// A literal with zeros in it.
template <size_t N> static StringRef toBytes(const char (&text)[N]) {
  return StringRef(text, N - 1);
}

//===----------------------------------------------------------------------===//
// Files
//===----------------------------------------------------------------------===//

/// The bytes of a file that NumPy 1.24 wrote: `prefix`, `header` padded with
/// spaces and a newline to 128 bytes, `elements`.
template <size_t P, size_t H, size_t E>
static std::string makeBytes(const char (&prefix)[P], const char (&header)[H],
                             const char (&elements)[E]) {
  std::string bytes = (toBytes(prefix) + toBytes(header)).str();
  bytes.resize(127, ' ');
  return bytes + '\n' + toBytes(elements).str();
}
static constexpr char kVersion1[] = "\223NUMPY\001\000v\000";
static constexpr char kVersion2[] = "\223NUMPY\002\000t\000\000\000";
static constexpr char kVersion3[] = "\223NUMPY\003\000t\000\000\000";

/// A file that NumPy wrote, and what it holds.
struct File {
  template <size_t P, size_t H, size_t E>
  File(const char (&prefix)[P], const char (&header)[H],
       const char (&elements)[E], ElementKind kind, std::vector<int64_t> shape,
       std::vector<double> values)
      : bytes(makeBytes(prefix, header, elements)), kind(kind), shape(shape),
        values(values) {}

  std::string bytes;
  ElementKind kind;
  std::vector<int64_t> shape;
  std::vector<double> values;
};

static const File kFiles[] = {
    File(kVersion1, "{'descr': '|b1', 'fortran_order': False, 'shape': (3,), }",
         "\001\000\001", ElementKind::I1, {3}, {1, 0, 1}),
    File(kVersion1, "{'descr': '|i1', 'fortran_order': False, 'shape': (3,), }",
         "\001\376\177", ElementKind::I8, {3}, {1, -2, 127}),
    File(kVersion1, "{'descr': '<i2', 'fortran_order': False, 'shape': (3,), }",
         "\001\000\376\377,\001", ElementKind::I16, {3}, {1, -2, 300}),
    File(kVersion1,
         "{'descr': '<i4', 'fortran_order': False, 'shape': (2, 3), }",
         "\001\000\000\000\376\377\377\377\003\000\000\000\004\000\000\000\005"
         "\000\000\000p\021\001\000",
         ElementKind::I32, {2, 3}, {1, -2, 3, 4, 5, 70000}),
    File(kVersion1, "{'descr': '<i8', 'fortran_order': False, 'shape': (3,), }",
         "\001\000\000\000\000\000\000\000\376\377\377\377\377\377\377\377\000"
         "\000\000\000\000\001\000\000",
         ElementKind::I64, {3}, {1, -2, 0x1p40}),
    File(kVersion1, "{'descr': '<f2', 'fortran_order': False, 'shape': (3,), }",
         "\000<\000\270\377{", ElementKind::F16, {3}, {1, -0.5, 65504}),
    File(kVersion1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }",
         "\000\000\200?\000\000 \300\371\002\025P", ElementKind::F32, {3},
         {1, -2.5, 1e10}),
    File(kVersion1, "{'descr': '<f8', 'fortran_order': False, 'shape': (), }",
         "\232\231\231\231\231\231\271?", ElementKind::F64, {}, {0.1}),
    File(kVersion1,
         "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 3), }", "",
         ElementKind::F32, {0, 3}, {}),
    File(kVersion1, "{'descr': '>i2', 'fortran_order': False, 'shape': (3,), }",
         "\000\001\377\376\001,", ElementKind::I16, {3}, {1, -2, 300}),
    File(kVersion1, "{'descr': '>i4', 'fortran_order': False, 'shape': (3,), }",
         "\000\000\000\001\377\377\377\376\000\001\021p", ElementKind::I32, {3},
         {1, -2, 70000}),
    File(kVersion1, "{'descr': '>i8', 'fortran_order': False, 'shape': (3,), }",
         "\000\000\000\000\000\000\000\001\377\377\377\377\377\377\377\376\000"
         "\000\001\000\000\000\000\000",
         ElementKind::I64, {3}, {1, -2, 0x1p40}),
    File(kVersion1, "{'descr': '>f2', 'fortran_order': False, 'shape': (3,), }",
         "<\000\270\000{\377", ElementKind::F16, {3}, {1, -0.5, 65504}),
    File(kVersion1,
         "{'descr': '>f4', 'fortran_order': False, 'shape': (2, 1), }",
         "?\200\000\000\300 \000\000", ElementKind::F32, {2, 1}, {1, -2.5}),
    File(kVersion1, "{'descr': '>f8', 'fortran_order': False, 'shape': (1,), }",
         "?\271\231\231\231\231\231\232", ElementKind::F64, {1}, {0.1}),
    File(kVersion1, "{'descr': '|V2', 'fortran_order': False, 'shape': (2,), }",
         "\200? \300", ElementKind::BF16, {2}, {1, -2.5}),
    // As ml_dtypes writes them.
    File(kVersion1, "{'descr': '<V1', 'fortran_order': False, 'shape': (2,), }",
         "\070\302", ElementKind::F8E4M3FN, {2}, {1, -2.5}),
    File(kVersion1, "{'descr': '<f1', 'fortran_order': False, 'shape': (2,), }",
         "\074\301", ElementKind::F8E5M2, {2}, {1, -2.5}),
    File(kVersion2, "{'descr': '|i1', 'fortran_order': False, 'shape': (1,), }",
         "\007", ElementKind::I8, {1}, {7}),
    File(kVersion3, "{'descr': '|i1', 'fortran_order': False, 'shape': (1,), }",
         "\007", ElementKind::I8, {1}, {7})};

/// Refused, and with what message.
static const std::pair<std::string, StringRef> kUnsupportedDtypes[] = {
    {makeBytes(kVersion1,
               "{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }",
               "\000\000\000\000\000\000\000\000"),
     "dtype '<c8' is not supported"},
    {makeBytes(kVersion1,
               "{'descr': '<U1', 'fortran_order': False, 'shape': (1,), }",
               "a\000\000\000"),
     "dtype '<U1' is not supported"},
    {makeBytes(kVersion1,
               "{'descr': '|u1', 'fortran_order': False, 'shape': (1,), }",
               "\001"),
     "dtype '|u1' is not supported"},
    {makeBytes(kVersion1,
               "{'descr': '<u8', 'fortran_order': False, 'shape': (1,), }",
               "\001\000\000\000\000\000\000\000"),
     "dtype '<u8' is not supported"},
    {makeBytes(kVersion1,
               "{'descr': '<M8[s]', 'fortran_order': False, 'shape': (1,), }",
               "\000\000\000\000\000\000\000\000"),
     "dtype '<M8[s]' is not supported"},
    {makeBytes(kVersion1,
               "{'descr': '<f16', 'fortran_order': False, 'shape': (1,), }",
               "\000\000\000\000\000\000\000\200\377?\000\000\000\000\000\000"),
     "dtype '<f16' is not supported"},
    {makeBytes(kVersion1,
               "{'descr': '|O', 'fortran_order': False, 'shape': (1,), }",
               "\200\003cnumpy.core.multiarray\n_"
               "reconstruct\nq\000cnumpy\nndarray\nq\001K\000\205q\002C\001bq"
               "\003\207q\004Rq\005("
               "K\001K\001\205q\006cnumpy\ndtype\nq\007X\002\000\000\000O8q\010"
               "\211\210\207q\011Rq\n(K\003X\001\000\000\000|"
               "q\013NNNJ\377\377\377\377J\377\377\377\377K?tq\014b\211]"
               "q\015Natq\016b."),
     "dtype '|O' is not supported"},
    {makeBytes(kVersion1,
               "{'descr': [('a', '|i1'), ('b', '|i1')], 'fortran_order': "
               "False, 'shape': (2,), }",
               "\000\000\000\000"),
     "expected a plain dtype"},
};
static const std::string kFortranFile = makeBytes(
    kVersion1, "{'descr': '|i1', 'fortran_order': True, 'shape': (2, 2), }",
    "\001\003\002\004");

/// A file of the given header and elements.
static std::string makeFile(StringRef header, StringRef elements = "",
                            char version = 1) {
  std::string file = "\x93NUMPY";
  file += {version, 0};
  for (size_t i = 0; i < (version == 1 ? 2 : 4); ++i)
    file += static_cast<char>(header.size() >> 8 * i);
  return file + header.str() + elements.str();
}

/// Parses a copy of `contents` that ends where its memory does, so that a
/// sanitizer sees a read past the end.
static Expected<NDArray> parse(StringRef contents) {
  std::unique_ptr<char[]> copy(new char[contents.size()]);
  std::memcpy(copy.get(), contents.data(), contents.size());
  return parseNumPy(StringRef(copy.get(), contents.size()), "test.npy");
}

/// The error of parsing `contents`; empty if there is none.
static std::string getError(StringRef contents) {
  auto array = parse(contents);
  return array ? "" : toString(array.takeError());
}

static void expectError(StringRef contents, StringRef message) {
  std::string error = getError(contents);
  EXPECT_TRUE(StringRef(error).starts_with("test.npy: ")) << error;
  EXPECT_TRUE(StringRef(error).contains(message))
      << "expected: " << message.str() << "\n   found: " << error;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

TEST(NumPyTest, ReadsWhatNumPyWrites) {
  for (const File &file : kFiles) {
    SCOPED_TRACE(file.bytes.substr(10, 50));
    auto array = parse(file.bytes);
    ASSERT_TRUE(bool(array)) << toString(array.takeError());
    EXPECT_EQ(array->getKind(), file.kind);
    EXPECT_EQ(array->getShape(), ArrayRef<int64_t>(file.shape));
    ASSERT_EQ(array->getNumElements(),
              static_cast<int64_t>(file.values.size()));
    for (size_t i = 0; i < file.values.size(); ++i)
      EXPECT_EQ(array->getDouble(i), file.values[i]) << i;
  }
}

TEST(NumPyTest, EveryTruncationIsAnError) {
  for (const File &file : kFiles)
    for (size_t size = 0; size < file.bytes.size(); ++size) {
      std::string error = getError(StringRef(file.bytes).take_front(size));
      ASSERT_TRUE(StringRef(error).starts_with("test.npy: "))
          << size << " bytes: " << error;
    }
  StringRef first = kFiles[0].bytes;
  expectError("", "not a NumPy file");
  expectError(first.take_front(5), "not a NumPy file");
  expectError(first.take_front(7), "expected a version");
  expectError(first.take_front(20), "expected a header of 118 bytes, found 10");
  expectError(first.drop_back(1),
              "expected 3 bytes of elements for 3xi1, found 2");
}

TEST(NumPyTest, TrailingBytesAreAnError) {
  for (const File &file : kFiles)
    EXPECT_NE(getError(file.bytes + "x"), "");
  expectError(kFiles[0].bytes + "xy",
              "expected 3 bytes of elements for 3xi1, found 5");
}

TEST(NumPyTest, NoChangedByteCrashes) {
  // Whatever is read has as many bytes as its shape says.
  for (const File &file : kFiles)
    for (size_t position = 0; position < file.bytes.size(); ++position)
      for (unsigned value = 0; value < 256; ++value) {
        std::string bytes = file.bytes;
        bytes[position] = static_cast<char>(value);
        auto array = parse(bytes);
        if (array)
          ASSERT_EQ(array->getNumBytes(),
                    array->getNumElements() * getElementSize(array->getKind()));
        else
          consumeError(array.takeError());
      }
}

TEST(NumPyTest, UnsupportedDtypes) {
  for (const auto &[bytes, message] : kUnsupportedDtypes)
    expectError(bytes, message);
  for (StringRef dtype : {"", "<", "<<f4", "f", "f44", "float32", "|b2"})
    expectError(makeFile("{'descr': '" + dtype.str() +
                         "', 'fortran_order': False, 'shape': (0,), }"),
                "dtype '" + dtype.str() + "' is not supported");
}

TEST(NumPyTest, FortranOrder) {
  expectError(kFortranFile, "Fortran order is not supported");
  // With one axis there is no difference.
  EXPECT_EQ(
      getError(makeFile(
          "{'descr': '|i1', 'fortran_order': True, 'shape': (2,), }", "ab")),
      "");
}

TEST(NumPyTest, Versions) {
  StringRef header = "{'descr': '|i1', 'fortran_order': False, 'shape': (2,)}";
  for (char version : {1, 2, 3})
    EXPECT_EQ(getError(makeFile(header, "ab", version)), "");
  for (char version : {0, 4, -1})
    expectError(makeFile(header, "ab", version),
                "NumPy format version " + std::to_string(uint8_t(version)) +
                    " is not known: expected 1 to 3");
  // A length of 4 GiB.
  expectError(toBytes("\223NUMPY\002\000\377\377\377\377{"),
              "expected a header of 4294967295 bytes, found 1");
}

TEST(NumPyTest, AcceptsOtherSpellings) {
  for (StringRef header :
       {"{'descr':'<i2','fortran_order':False,'shape':(2,1)}",
        "{\"shape\": (2, 1,), \"fortran_order\": False, \"descr\": \"<i2\"}",
        "  { 'shape' : ( 2 , 1 ) , 'descr' : '=i2' , 'fortran_order' : "
        "False , } \n"}) {
    auto array = parse(makeFile(header, toBytes("\001\002\003\004")));
    ASSERT_TRUE(bool(array)) << toString(array.takeError());
    EXPECT_EQ(array->getShape(), (ArrayRef<int64_t>{2, 1}));
    EXPECT_EQ(array->getInteger(0), 0x0201);
    EXPECT_EQ(array->getInteger(1), 0x0403);
  }
}

TEST(NumPyTest, MalformedHeaders) {
  for (StringRef header :
       {"",
        " ",
        "[",
        "{",
        "{}",
        "}",
        "{,}",
        "{'descr': '|i1'}",
        "{'descr': '|i1', 'fortran_order': False}",
        "{'descr': '|i1', 'shape': (1,)}",
        "{'fortran_order': False, 'shape': (1,)}",
        "{'descr': '|i1', 'fortran_order': False, 'shape': (1,)",
        "{'descr': '|i1', 'fortran_order': False, 'shape': (1,",
        "{'descr': '|i1', 'fortran_order': False, 'shape': (1",
        "{'descr': '|i1', 'fortran_order': False, 'shape': (",
        "{'descr': '|i1', 'fortran_order': False, 'shape': 1}",
        "{'descr': '|i1', 'fortran_order': False, 'shape': (,)}",
        "{'descr': '|i1', 'fortran_order': False, 'shape': (1,,)}",
        "{'descr': '|i1', 'fortran_order': False, 'shape': (1 1)}",
        "{'descr': '|i1', 'fortran_order': False, 'shape': (-1,)}",
        "{'descr': '|i1', 'fortran_order': False, 'shape': (1.0,)}",
        "{'descr': '|i1', 'fortran_order': False, 'shape': (0x1,)}",
        "{'descr': '|i1', 'fortran_order': False, 'shape': [1]}",
        "{'descr': '|i1', 'fortran_order': False 'shape': (1,)}",
        "{'descr': '|i1', 'fortran_order': false, 'shape': (1,)}",
        "{'descr': '|i1', 'fortran_order': Falsehood, 'shape': (1,)}",
        "{'descr': '|i1', 'fortran_order': 0, 'shape': (1,)}",
        "{'descr': |i1, 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '|i1, 'fortran_order': False, 'shape': (1,)}",
        "{'descr' '|i1', 'fortran_order': False, 'shape': (1,)}",
        "{descr: '|i1', 'fortran_order': False, 'shape': (1,)}",
        "{'descr\": '|i1', 'fortran_order': False, 'shape': (1,)}",
        "{'descr': '|i1', 'fortran_order': False, 'shape': (1,), 'x': 1}"})
    expectError(makeFile(header, "a"), "malformed NumPy header: expected ");
}

TEST(NumPyTest, TextAfterTheHeader) {
  expectError(makeFile("{'descr': '|i1', 'fortran_order': False, 'shape': "
                       "(1,)} 'shape': (2,)}",
                       "a"),
              "malformed NumPy header");
}

TEST(NumPyTest, BooleansAreZeroOrOne) {
  auto array = parse(makeFile("{'descr': '|b1', 'fortran_order': False, "
                              "'shape': (3,)}",
                              StringRef("\0\2\377", 3)));
  ASSERT_TRUE(bool(array)) << toString(array.takeError());
  EXPECT_EQ(array->as<uint8_t>(), ArrayRef<uint8_t>({0, 1, 1}));
}

TEST(NumPyTest, KeyTwice) {
  // Python takes the last one; refusing it is fine too, but not (2, 3).
  auto array = parse(makeFile("{'descr': '|i1', 'fortran_order': False, "
                              "'shape': (2,), 'shape': (3,)}",
                              "abcdef"));
  EXPECT_FALSE(bool(array))
      << shapeToString(array->getShape(), array->getKind());
  consumeError(array.takeError());
}

TEST(NumPyTest, ShapeThatIsNoTuple) {
  // (1) is 1 in Python, and NumPy refuses it.
  expectError(
      makeFile("{'descr': '|i1', 'fortran_order': False, 'shape': (1)}", "a"),
      "malformed NumPy header");
}

TEST(NumPyTest, HugeShapes) {
  auto file = [](StringRef shape, StringRef dtype = "<f8") {
    return makeFile("{'descr': '" + dtype.str() +
                        "', 'fortran_order': False, 'shape': " + shape.str() +
                        "}",
                    "12345678");
  };
  expectError(file("(1152921504606846975,)"), "expected 9223372036854775800 ");
  expectError(file("(1152921504606846976,)"), "expected 2^63 or more bytes");
  expectError(file("(9223372036854775807,)"), "expected 2^63 or more bytes");
  expectError(file("(9223372036854775808,)"), "malformed NumPy header");
  expectError(file("(99999999999999999999999,)"), "malformed NumPy header");
  expectError(file("(4294967296, 4294967296, 4294967296, 4294967296)"),
              "expected 2^63 or more bytes");
  // 2^64 + 8 bytes, modulo 2^64 what is there.
  expectError(file("(18446744073709551624,)", "|i1"), "malformed");
  expectError(file("(3, 6148914691236517208)", "|i1"), "2^63 or more bytes");
  // Nothing times huge is nothing.
  expectError(file("(0, 9223372036854775807, 9223372036854775807)"),
              "expected 0 bytes");
  EXPECT_NE(getError(file("(9223372036854775807, 9223372036854775807, 0)")),
            "");
}

TEST(NumPyTest, ManyAxes) {
  std::string shape;
  for (int i = 0; i < 10000; ++i)
    shape += "1,";
  auto array = parse(makeFile(
      "{'descr': '|i1', 'fortran_order': False, 'shape': (" + shape + ")}",
      "a"));
  ASSERT_TRUE(bool(array)) << toString(array.takeError());
  EXPECT_EQ(array->getShape().size(), 10000u);
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

namespace {
class NumPyFileTest : public ::testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(sys::fs::createUniqueDirectory("numpy-test", directory));
    path = directory;
    sys::path::append(path, "array.npy");
  }
  void TearDown() override { sys::fs::remove_directories(directory); }

  std::string readBytes() {
    auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false);
    return buffer ? (*buffer)->getBuffer().str() : "no file";
  }

  SmallString<128> directory, path;
};
} // namespace

TEST_F(NumPyFileTest, RoundTrip) {
  using K = ElementKind;
  for (ElementKind kind : {K::I1, K::I8, K::I16, K::I32, K::I64, K::Index,
                           K::F16, K::BF16, K::F32, K::F64})
    for (std::vector<int64_t> shape :
         {std::vector<int64_t>{}, {1}, {7}, {0}, {2, 0, 3}, {2, 3, 4}}) {
      SCOPED_TRACE(shapeToString(shape, kind));
      NDArray array(kind, shape);
      for (size_t i = 0; i < array.getNumBytes(); ++i)
        array.getData()[i] = kind == K::I1 ? i % 2 : 7 * i + 1;
      Error error = writeNumPy(path, array);
      ASSERT_FALSE(bool(error)) << toString(std::move(error));
      auto read = readNumPy(path);
      ASSERT_TRUE(bool(read)) << toString(read.takeError());
      EXPECT_EQ(read->getKind(), kind == K::Index ? K::I64 : kind);
      EXPECT_EQ(read->getShape(), ArrayRef<int64_t>(shape));
      ASSERT_EQ(read->getNumBytes(), array.getNumBytes());
      EXPECT_EQ(read->as<uint8_t>(), array.as<uint8_t>());
    }
}

TEST_F(NumPyFileTest, WritesTheFormat) {
  NDArray array(ElementKind::I16, {2, 1});
  array.setInteger(0, 0x0102);
  array.setInteger(1, -2);
  cantFail(writeNumPy(path, array));
  std::string header =
      "{'descr': '<i2', 'fortran_order': False, 'shape': (2,1,), }";
  EXPECT_EQ(readBytes(), toBytes("\223NUMPY\001\000v\000").str() + header +
                             std::string(117 - header.size(), ' ') + "\n" +
                             toBytes("\002\001\376\377").str());
}

TEST_F(NumPyFileTest, ElementsBeginAtMultiplesOf64) {
  for (unsigned rank = 0; rank < 200; ++rank) {
    cantFail(writeNumPy(
        path, NDArray(ElementKind::I8, SmallVector<int64_t>(rank, 1))));
    std::string bytes = readBytes();
    ASSERT_EQ(bytes.size() % 64, 1u) << rank;
    ASSERT_EQ(bytes[bytes.size() - 2], '\n');
    size_t length = uint8_t(bytes[8]) + 256 * uint8_t(bytes[9]);
    ASSERT_EQ(length + 10 + 1, bytes.size());
    // No more padding than needed.
    ASSERT_LT(bytes.size() - 2 - bytes.rfind('}'), 65u);
  }
}

TEST_F(NumPyFileTest, OverwritesALongerFile) {
  cantFail(writeNumPy(path, NDArray(ElementKind::F64, {1000})));
  cantFail(writeNumPy(path, NDArray(ElementKind::F64, {2})));
  EXPECT_EQ(readBytes().size(), 128 + 16u);
}

TEST_F(NumPyFileTest, PathsThatCannotBeRead) {
  auto expectFailure = [](StringRef path) {
    auto array = readNumPy(path);
    ASSERT_FALSE(bool(array));
    std::string error = toString(array.takeError());
    EXPECT_TRUE(
        StringRef(error).starts_with("cannot read '" + path.str() + "': "))
        << error;
  };
  expectFailure(directory);
  expectFailure(path);
  expectFailure("");
}

TEST_F(NumPyFileTest, PathsThatCannotBeWritten) {
  auto expectFailure = [](StringRef path, int64_t size) {
    Error failed = writeNumPy(path, NDArray(ElementKind::F32, {size}));
    ASSERT_TRUE(bool(failed)) << path.str();
    std::string error = toString(std::move(failed));
    EXPECT_TRUE(
        StringRef(error).starts_with("cannot write '" + path.str() + "': "))
        << error;
  };
  expectFailure(directory, 1);
  expectFailure((directory + "/none/array.npy").str(), 1);
  if (!sys::fs::exists("/dev/full"))
    GTEST_SKIP() << "no /dev/full";
  // Both when closing and when a buffer is full.
  expectFailure("/dev/full", 1);
  expectFailure("/dev/full", 1 << 20);
}

TEST_F(NumPyFileTest, ErrorsNameThePath) {
  std::error_code error;
  raw_fd_ostream(path, error) << "no array";
  ASSERT_FALSE(error);
  auto array = readNumPy(path);
  ASSERT_FALSE(bool(array));
  EXPECT_EQ(toString(array.takeError()),
            path.str().str() + ": not a NumPy file: expected it to begin with "
                               "\\x93NUMPY");
}
