//===- NumPy.cpp - NumPy array files --------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format is a magic string, a version, the length of a header, the header
// (a Python dictionary literal of dtype, order and shape) and the raw elements.
// The file may be hostile: nothing is trusted before it was checked.
//
//===----------------------------------------------------------------------===//

#include "tileir/Runtime/NumPy.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CheckedArithmetic.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace tileir;

static constexpr StringLiteral kMagic("\x93NUMPY");

namespace {
/// What the header of a file says.
struct Header {
  std::string dtype;
  bool fortranOrder = false;
  SmallVector<int64_t> shape;
};

/// Reads the dictionary literal in the header.
class HeaderParser {
public:
  HeaderParser(StringRef text, StringRef name) : rest(text), name(name) {}

  Expected<Header> parse() {
    Header header;
    SmallVector<std::string> keys;
    if (!consume('{'))
      return expected("'{'");
    while (!consume('}')) {
      std::string key;
      if (!parseString(key) || !consume(':'))
        return expected("a key such as 'descr'");
      if (is_contained(keys, key))
        return expected("the key '" + key + "' only once");
      keys.push_back(key);
      bool ok;
      if (key == "descr")
        ok = parseString(header.dtype);
      else if (key == "fortran_order")
        ok = parseBool(header.fortranOrder);
      else if (key == "shape")
        ok = parseShape(header.shape);
      else
        return expected("one of the keys 'descr', 'fortran_order', 'shape'");
      if (!ok)
        return expected("a plain dtype, True or False, or a tuple of sizes "
                        "after '" +
                        key + "'");
      if (!consume(',') && !rest.starts_with("}"))
        return expected("',' or '}'");
    }
    if (keys.size() != 3)
      return expected("the keys 'descr', 'fortran_order' and 'shape'");
    if (!rest.empty())
      return expected("nothing after '}'");
    return header;
  }

private:
  Error expected(const Twine &what) {
    return createStringError(name + ": malformed NumPy header: expected " +
                             what + ", found \"" + rest.take_front(20) + "\"");
  }
  bool consume(char c) {
    rest = rest.ltrim();
    bool found = rest.consume_front(StringRef(&c, 1));
    rest = rest.ltrim();
    return found;
  }
  bool parseString(std::string &value) {
    for (StringRef quote : {"'", "\""})
      if (rest.consume_front(quote)) {
        size_t end = rest.find(quote);
        if (end == StringRef::npos)
          return false;
        value = rest.take_front(end).str();
        rest = rest.drop_front(end + 1).ltrim();
        return true;
      }
    return false;
  }
  bool parseBool(bool &value) {
    value = rest.starts_with("True");
    bool found = rest.consume_front("True") || rest.consume_front("False");
    rest = rest.ltrim();
    return found;
  }
  bool parseShape(SmallVectorImpl<int64_t> &shape) {
    if (!consume('('))
      return false;
    bool hasComma = true; // (3) is a number, (3,) a tuple
    while (!consume(')')) {
      int64_t size;
      if (rest.consumeInteger(10, size) || size < 0)
        return false;
      shape.push_back(size);
      hasComma = consume(',');
      if (!hasComma && !rest.starts_with(")"))
        return false;
    }
    return hasComma || shape.size() > 1;
  }

  StringRef rest;
  StringRef name;
};
} // namespace

static std::optional<ElementKind> getKind(StringRef dtype) {
  return StringSwitch<std::optional<ElementKind>>(dtype)
      .Case("b1", ElementKind::I1)
      .Case("i1", ElementKind::I8)
      .Case("i2", ElementKind::I16)
      .Case("i4", ElementKind::I32)
      .Case("i8", ElementKind::I64)
      .Case("f2", ElementKind::F16)
      .Case("V2", ElementKind::BF16)
      .Case("f4", ElementKind::F32)
      .Case("f8", ElementKind::F64)
      .Default(std::nullopt);
}

static StringRef getDtype(ElementKind kind) {
  switch (kind) {
  case ElementKind::I1:
    return "|b1";
  case ElementKind::I8:
    return "|i1";
  case ElementKind::I16:
    return "<i2";
  case ElementKind::I32:
    return "<i4";
  case ElementKind::I64:
  case ElementKind::Index:
    return "<i8";
  case ElementKind::F16:
    return "<f2";
  case ElementKind::BF16:
    return "|V2";
  case ElementKind::F32:
    return "<f4";
  case ElementKind::F64:
    return "<f8";
  }
  llvm_unreachable("unknown element kind");
}

/// The size in bytes of an array, if it fits in 64 bits.
static std::optional<int64_t> getNumBytes(ArrayRef<int64_t> shape,
                                          ElementKind kind) {
  std::optional<int64_t> bytes = getElementSize(kind);
  for (int64_t size : shape)
    bytes = bytes ? checkedMul(*bytes, size) : std::nullopt;
  return bytes;
}

/// Splits the file into header and elements.
static Expected<std::pair<StringRef, StringRef>> splitFile(StringRef contents,
                                                           StringRef name) {
  if (!contents.consume_front(kMagic))
    return createStringError(name + ": not a NumPy file: expected it to begin "
                                    "with \\x93NUMPY");
  if (contents.size() < 4)
    return createStringError(name + ": truncated NumPy file: expected a "
                                    "version and a header");
  unsigned version = static_cast<uint8_t>(contents[0]);
  if (version < 1 || version > 3)
    return createStringError(name + ": NumPy format version " + Twine(version) +
                             " is not known: expected 1 to 3");
  contents = contents.drop_front(2);
  size_t lengthSize = version == 1 ? 2 : 4;
  if (contents.size() < lengthSize)
    return createStringError(name + ": truncated NumPy file: expected the "
                                    "length of its header");
  size_t length = version == 1 ? support::endian::read16le(contents.data())
                               : support::endian::read32le(contents.data());
  contents = contents.drop_front(lengthSize);
  if (contents.size() < length)
    return createStringError(name +
                             ": truncated NumPy file: expected a header "
                             "of " +
                             Twine(length) + " bytes, found " +
                             Twine(contents.size()));
  return std::make_pair(contents.take_front(length),
                        contents.drop_front(length));
}

Expected<NDArray> tileir::parseNumPy(StringRef contents, StringRef name) {
  auto parts = splitFile(contents, name);
  if (!parts)
    return parts.takeError();
  auto header = HeaderParser(parts->first, name).parse();
  if (!header)
    return header.takeError();

  StringRef dtype = header->dtype;
  bool bigEndian = dtype.starts_with(">");
  if (!dtype.empty() && StringRef("<>|=").contains(dtype.front()))
    dtype = dtype.drop_front();
  std::optional<ElementKind> kind = getKind(dtype);
  if (!kind)
    return createStringError(
        name + ": dtype '" + header->dtype +
        "' is not supported: expected b1, i1, i2, i4, i8, f2, f4, f8, or V2 "
        "for bf16; convert with numpy.astype");
  if (header->fortranOrder && header->shape.size() > 1)
    return createStringError(name + ": Fortran order is not supported: "
                                    "expected C order; convert with "
                                    "numpy.ascontiguousarray");
  std::optional<int64_t> bytes = getNumBytes(header->shape, *kind);
  if (!bytes || *bytes != static_cast<int64_t>(parts->second.size()))
    return createStringError(
        name +
        (bytes && *bytes < static_cast<int64_t>(parts->second.size())
             ? ": malformed NumPy file: expected "
             : ": truncated NumPy file: expected ") +
        (bytes ? Twine(*bytes) : Twine("2^63 or more")) +
        " bytes of elements for " + shapeToString(header->shape, *kind) +
        ", found " + Twine(parts->second.size()));

  NDArray array(*kind, header->shape);
  llvm::copy(parts->second, array.getData());
  // True is 1 and nothing else, for compiled code.
  if (*kind == ElementKind::I1)
    for (uint8_t &element : array.as<uint8_t>())
      element = element != 0;
  if (bigEndian) {
    size_t size = getElementSize(*kind);
    for (uint8_t *element = array.getData();
         element != array.getData() + array.getNumBytes(); element += size)
      std::reverse(element, element + size);
  }
  return array;
}

Expected<NDArray> tileir::readNumPy(StringRef path) {
  // Devices have no end.
  if (sys::fs::get_file_type(path) == sys::fs::file_type::character_file)
    return createStringError("cannot read '" + path +
                             "': expected a file, found a device");
  auto buffer = MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
  if (!buffer)
    return createStringError("cannot read '" + path +
                             "': " + buffer.getError().message());
  return parseNumPy((*buffer)->getBuffer(), path);
}

Error tileir::writeNumPy(StringRef path, const NDArray &array) {
  std::string header = "{'descr': '" + getDtype(array.getKind()).str() +
                       "', 'fortran_order': False, 'shape': (";
  for (int64_t size : array.getShape())
    header += std::to_string(size) + ",";
  header += "), }";
  // The elements begin at a multiple of 64 bytes; the header ends in a newline.
  size_t prefix = kMagic.size() + 4;
  header.append(63 - (prefix + header.size()) % 64, ' ');
  header += '\n';

  std::error_code error;
  raw_fd_ostream os(path, error);
  if (!error) {
    char length[2];
    support::endian::write16le(length, header.size());
    os << kMagic << '\x01' << '\x00' << StringRef(length, 2) << header;
    os.write(reinterpret_cast<const char *>(array.getData()),
             array.getNumBytes());
    os.close();
    error = os.error();
    os.clear_error();
  }
  if (error)
    return createStringError("cannot write '" + path + "': " + error.message());
  return Error::success();
}
