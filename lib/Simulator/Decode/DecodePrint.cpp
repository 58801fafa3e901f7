//===- DecodePrint.cpp ----------------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Decodes vprintf: its arguments, which lie in memory as the front end packed
// them, are loaded here, one register each.
//
//===----------------------------------------------------------------------===//

#include "Decode/DecodeCalls.h"
#include "Decode/FormatString.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace tileir::sim {

bool parseFormat(const std::string &format, std::vector<FormatPart> &parts) {
  parts.emplace_back();
  for (size_t i = 0; i < format.size(); ++i) {
    FormatPart &part = parts.back();
    if (format[i] != '%') {
      part.text += format[i];
      continue;
    }
    if (i + 1 < format.size() && format[i + 1] == '%') {
      part.text += '%';
      ++i;
      continue;
    }
    StringRef rest = StringRef(format).drop_front(i + 1);
    size_t length = rest.find_first_not_of("-+ #0123456789.*hlLqjzt");
    if (length == StringRef::npos)
      return false;
    StringRef flags = rest.take_front(length);
    part.kind = rest[length];
    if (!StringRef("diuoxXcsfFeEgGaAp").contains(part.kind))
      return false;
    part.stars = flags.count('*');
    constexpr unsigned kDigits = 3; // of a width or a precision
    unsigned digits = 0;
    for (char c : flags) {
      digits = isDigit(c) ? digits + 1 : 0;
      if (digits > kDigits)
        return false;
    }
    if (part.stars > 2)
      return false;
    bool isInteger = StringRef("diuoxXc").contains(part.kind);
    // An int has 4 bytes; all else, and what is called long, has 8.
    part.isWide = !isInteger || flags.find_first_of("lqjzt") != StringRef::npos;
    std::string kept;
    for (char c : flags)
      if (!StringRef("lLqjzt").contains(c))
        kept += c;
    part.conversion =
        "%" + kept + (isInteger && part.isWide ? "ll" : "") + part.kind;
    i += 1 + length;
    parts.emplace_back();
  }
  return true;
}

Expected<bool> decodePrint(Decoder &decoder, CallBase &call) {
  StringRef format;
  if (call.arg_size() != 2 ||
      !getConstantStringInfo(call.getArgOperand(0)->stripPointerCasts(),
                             format))
    return decoder.unsupported(
        call, "vprintf of a format that is not known before the kernel runs");
  std::vector<FormatPart> parts;
  if (!parseFormat(format.str(), parts))
    return decoder.unsupported(call, "vprintf of \"" + format + "\"");
  SmallVector<Register> uses;
  uint64_t offset = 0;
  size_t first = decoder.program.code.size();
  auto takeArgument = [&](unsigned bytes) {
    offset = alignTo(offset, bytes);
    Address address = decoder.getAddress(call.getArgOperand(1));
    address.offset += offset;
    offset += bytes;
    Access access;
    access.opcode = Opcode::Load;
    access.space = Decoder::getSpace(call.getArgOperand(1));
    access.elementBytes = access.bytes = bytes;
    uses.push_back(decoder.makeTemporary(bytes == 8));
    decoder.emitAccess(access, address, {uses.back()}, {});
  };
  for (const FormatPart &part : parts) {
    for (unsigned i = 0; i < part.stars; ++i)
      takeArgument(4);
    if (part.kind)
      takeArgument(part.isWide ? 8 : 4);
  }
  decoder.markParts(first);
  SmallVector<Register> defs;
  if (!call.use_empty())
    defs = decoder.define(call);
  decoder.emitList(Opcode::Print, defs, uses).extra =
      decoder.program.texts.size();
  decoder.program.texts.push_back(format.str());
  return true;
}

} // namespace tileir::sim
