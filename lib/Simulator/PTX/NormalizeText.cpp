//===- NormalizeText.cpp --------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// LLVM IR in text of newer versions of LLVM, such as Triton's. They write the
// bits of floats as f0x3F800000, infinities and NaN by name, the bits of NaN as
// +nan(0x3FFFFF) without the one that makes it quiet, and decimals that are
// rounded to the type.
//
//===----------------------------------------------------------------------===//

#include "PTX/PTX.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace tileir::sim::ptx {

static bool continuesToken(char c) {
  return isAlnum(c) || StringRef("._$%@+-!#\"\\").contains(c);
}

static const fltSemantics *getFormat(StringRef word) {
  return StringSwitch<const fltSemantics *>(word)
      .Case("half", &APFloat::IEEEhalf())
      .Case("bfloat", &APFloat::BFloat())
      .Case("float", &APFloat::IEEEsingle())
      .Case("double", &APFloat::IEEEdouble())
      .Default(nullptr);
}

/// The number that a token is, if only newer versions read it as this type.
static std::optional<APFloat> parseNumber(StringRef token,
                                          const fltSemantics &format) {
  unsigned bits = APFloat::getSizeInBits(format);
  StringRef text = token;
  if (text.consume_front("f0x")) {
    APInt value;
    if (text.getAsInteger(16, value) || value.getActiveBits() > bits)
      return std::nullopt;
    return APFloat(format, value.zextOrTrunc(bits));
  }
  bool isNegative = text.consume_front("-");
  text.consume_front("+");
  if (text == "inf")
    return APFloat::getInf(format, isNegative);
  if (text == "nan" || text == "qnan")
    return APFloat::getQNaN(format, isNegative);
  bool isSignaling = text.consume_front("s");
  if (text.consume_front("nan(") && text.consume_back(")")) {
    APInt payload;
    if (text.getAsInteger(0, payload))
      return std::nullopt;
    payload = payload.zextOrTrunc(bits);
    return isSignaling ? APFloat::getSNaN(format, isNegative, &payload)
                       : APFloat::getQNaN(format, isNegative, &payload);
  }
  bool isDecimal = !text.empty() && isDigit(text.front()) &&
                   text.contains('.') && !text.ends_with(".");
  if (!isDecimal || &format == &APFloat::IEEEdouble())
    return std::nullopt;
  APFloat number(format);
  auto status = number.convertFromString(token, APFloat::rmNearestTiesToEven);
  if (errorToBool(status.takeError()))
    return std::nullopt;
  return number;
}

/// As LLVM 22 writes bits: those of an f64 for f32 too.
static std::string print(APFloat number) {
  bool ignored;
  const fltSemantics &format = number.getSemantics();
  StringRef prefix = &format == &APFloat::IEEEhalf() ? "0xH"
                     : &format == &APFloat::BFloat() ? "0xR"
                                                     : "0x";
  if (&format == &APFloat::IEEEsingle()) {
    bool isSignaling = number.isSignaling();
    number.convert(APFloat::IEEEdouble(), APFloat::rmNearestTiesToEven,
                   &ignored);
    // The conversion has made it quiet.
    if (isSignaling) {
      APInt payload = number.bitcastToAPInt();
      number = APFloat::getSNaN(APFloat::IEEEdouble(), number.isNegative(),
                                &payload);
    }
  }
  APInt bits = number.bitcastToAPInt();
  return (prefix + utohexstr(bits.getZExtValue(), /*LowerCase=*/false,
                             bits.getBitWidth() / 4))
      .str();
}

std::optional<std::string> normalizeText(StringRef ir) {
  std::string result;
  bool changed = false;
  const fltSemantics *format = nullptr; // of the last type in the line
  while (!ir.empty()) {
    char c = ir.front();
    if (c == '\n')
      format = nullptr;
    size_t length = 1;
    if (c == '"') {
      size_t end = ir.find('"', 1);
      length = end == StringRef::npos ? ir.size() : end + 1;
    } else if (c == ';') {
      length = std::min(ir.find('\n'), ir.size());
    } else if (continuesToken(c)) {
      while (length < ir.size() && continuesToken(ir[length]) &&
             ir[length] != '"')
        ++length;
    }
    if (format && ir.take_front(length).ends_with("nan") &&
        ir.substr(length).starts_with("(0x"))
      length = std::min(ir.find(')', length), ir.size() - 1) + 1;
    StringRef token = ir.take_front(length);
    ir = ir.drop_front(length);
    if (const fltSemantics *type = getFormat(token))
      format = type;
    auto number = format ? parseNumber(token, *format) : std::nullopt;
    result += number ? print(*number) : token.str();
    changed |= number.has_value();
  }
  if (!changed)
    return std::nullopt;
  return result;
}

} // namespace tileir::sim::ptx
