//===- PrintFormat.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// The format of tile.print, and its verifier.
//
//===----------------------------------------------------------------------===//

#include "tileir/Dialect/Tile/IR/PrintFormat.h"
#include "tileir/Dialect/Tile/IR/Tile.h"

#include "mlir/IR/Builders.h"

using namespace mlir;
using namespace tileir;
using namespace tileir::tile;

bool PrintPart::isFloat() const { return StringRef("fFeEgGaA").contains(kind); }

Type tile::getPrintedType(Type element) {
  Builder builder(element.getContext());
  if (isa<FloatType>(element))
    return builder.getF64Type();
  return element.isInteger(64) ? builder.getI64Type() : builder.getI32Type();
}

std::string PrintPart::getConversion(Type element) const {
  const char *length = getPrintedType(element).isInteger(64) ? "ll" : "";
  return "%" + flags + length + kind;
}

llvm::Expected<SmallVector<PrintPart>>
tile::parsePrintFormat(StringRef format) {
  auto fail = [](const Twine &message) {
    return llvm::createStringError(message);
  };
  SmallVector<PrintPart> parts(1);
  while (!format.empty()) {
    size_t percent = format.find('%');
    parts.back().text += format.substr(0, percent);
    if (percent == StringRef::npos)
      break;
    format = format.drop_front(percent + 1);
    if (format.consume_front("%")) {
      parts.back().text += '%';
      continue;
    }
    StringRef flags = format.take_while(
        [](char c) { return StringRef("-+ #0123456789.").contains(c); });
    StringRef rest = format.drop_front(flags.size()).ltrim('l');
    constexpr unsigned kDigits = 3; // of a width or a precision
    unsigned digits = 0;
    for (char c : flags)
      if ((digits = llvm::isDigit(c) ? digits + 1 : 0) > kDigits)
        return fail("a width or precision under 1000, found '%" + flags + "'");
    if (rest.empty() || !StringRef("diuxXfFeEgGaA").contains(rest.front()))
      return fail("one of %d, %u, %x, %X, %f, %e, %g, %a or %%, found '%" +
                  format.take_front(flags.size() + 1) + "'");
    parts.back().flags = flags.str();
    parts.back().kind = rest.front() == 'i' ? 'd' : rest.front();
    parts.emplace_back();
    format = rest.drop_front();
  }
  return parts;
}

std::string tile::escapePrintText(StringRef text) {
  std::string escaped;
  for (char c : text)
    escaped += c == '%' ? "%%" : std::string(1, c);
  return escaped;
}

std::string tile::getCFormat(ArrayRef<PrintPart> parts,
                             ArrayRef<Type> elements) {
  std::string format;
  for (auto [i, part] : llvm::enumerate(parts)) {
    format += escapePrintText(part.text);
    if (part.kind)
      format += part.getConversion(elements[i]);
  }
  return format;
}

LogicalResult PrintOp::verify() {
  auto parts = parsePrintFormat(getFormat());
  if (!parts)
    return emitOpError("expects ")
           << llvm::toString(parts.takeError()) << " in its format (T56)";
  if (parts->size() - 1 != getValues().size())
    return emitOpError("expects an operand for each of ")
           << parts->size() - 1 << " conversions of its format, found "
           << getValues().size() << " (T56)";
  RankedTensorType first;
  for (auto [part, value] : llvm::zip(*parts, getValues())) {
    Type element = getElement(value.getType());
    if (part.isFloat() != isa<FloatType>(element))
      return emitOpError("expects ")
             << (part.isFloat() ? "floats" : "integers") << " for '%"
             << part.flags << part.kind << "', found " << value.getType()
             << " (T56)";
    auto tile = dyn_cast<RankedTensorType>(value.getType());
    if (tile && first && tile.getShape() != first.getShape())
      return emitOpError("expects tiles of one shape, found ")
             << first << " and " << tile << " (T57)";
    if (tile)
      first = tile;
  }
  return success();
}
