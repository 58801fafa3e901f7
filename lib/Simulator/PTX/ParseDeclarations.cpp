//===- ParseDeclarations.cpp ----------------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Declarations of registers, variables and functions, and files of them.
//
//===----------------------------------------------------------------------===//

#include "PTX/Parser.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace tileir::sim::ptx {

unsigned getTypeBits(StringRef type) {
  return StringSwitch<unsigned>(type)
      .Case("pred", 1)
      .Cases({"b8", "u8", "s8"}, 8)
      .Cases({"b16", "u16", "s16", "f16", "bf16", "e4m3x2", "e5m2x2"}, 16)
      .Cases({"b32", "u32", "s32", "f32", "tf32"}, 32)
      .Cases({"f16x2", "bf16x2", "s16x2", "u16x2"}, 32)
      .Cases({"b64", "u64", "s64", "f64", "f32x2"}, 64)
      .Case("b128", 128)
      .Default(0);
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

/// Appends `bytes` bytes: a number, or symbol, generic(symbol), symbol + n,
/// 0xff(symbol).
bool Parser::parseInitialValue(Variable &variable, unsigned bytes) {
  InitialValue value;
  value.bytes = bytes;
  if (token.is('{')) { // rows of an array of several dimensions
    advance();
    do {
      if (!parseInitialValue(variable, bytes))
        return false;
    } while (accept(','));
    return expect('}', "after initial values");
  }
  if (token.isWord()) {
    bool isGeneric = acceptWord("generic");
    if (isGeneric && !expect('(', "after 'generic'"))
      return false;
    if (!parseWord(value.symbol, "a variable"))
      return false;
    if (isGeneric && !expect(')', "after 'generic('"))
      return false;
    int64_t offset = 0;
    if ((token.is('+') || token.is('-')) && !parseSum(offset))
      return false;
    value.bits = offset;
  } else {
    Operand number;
    if (!parseConstant(number))
      return false;
    if (token.is('('))
      return refuse("expected a number, found a mask of an address");
    value.bits = number.bits;
    bool isFloat = number.kind == Operand::Kind::Float;
    if (isFloat && !number.isSingle && bytes == 4)
      value.bits =
          APFloat(float(APFloat(APFloat::IEEEdouble(), APInt(64, number.bits))
                            .convertToDouble()))
              .bitcastToAPInt()
              .getZExtValue();
  }
  variable.initial.push_back(value);
  return true;
}

bool Parser::parseInitial(Variable &variable) {
  return parseInitialValue(variable,
                           std::max(1u, getTypeBits(variable.type) / 8));
}

/// A name with <count> or [size] and an initial value.
bool Parser::parseVariable(Variable &variable) {
  variable.line = token.line;
  if (!parseWord(variable.name, "a name"))
    return false;
  if (accept('<')) {
    uint64_t count = 0;
    if (!parseNumber(count, "a number of registers"))
      return false;
    variable.family = count;
    return expect('>', "after a number of registers");
  }
  while (accept('[')) {
    uint64_t size = 0;
    if (!token.is(']') && !parseNumber(size, "the size of an array"))
      return false;
    constexpr uint64_t kMost = uint64_t(1) << 40;
    size *= variable.elements.value_or(1);
    if (size > kMost)
      return refuse("expected an array of at most 2^40 elements");
    variable.elements = size;
    if (!expect(']', "after the size of an array"))
      return false;
  }
  if (!accept('='))
    return true;
  if (!parseInitial(variable))
    return false;
  if (variable.elements && *variable.elements == 0)
    variable.elements = variable.initial.size();
  if (variable.initial.size() > variable.elements.value_or(1) * variable.lanes)
    return refuse("variable '" + variable.name + "' has " +
                  Twine(variable.initial.size()) +
                  " initial values: expected at most as many as elements");
  return true;
}

/// .space [.align n] [.ptr [.space] [.align n]] [.v4] .type
bool Parser::parseDeclaration(std::vector<Variable> &variables) {
  Variable pattern;
  StringRef word;
  while (token.isWord() && token.text.starts_with(".")) {
    word = token.text;
    advance();
    SmallVector<StringRef, 4> parts;
    word.drop_front().split(parts, '.');
    for (StringRef part : parts) {
      uint64_t number = 0;
      if (part == "align") {
        if (!parseNumber(number, "an alignment"))
          return false;
        if (number == 0 || number > 4096 || (number & (number - 1)))
          return refuse("alignment " + Twine(number) +
                        ": expected a power of two up to 4096");
        if (!pattern.isPointer) // else that of what it points to
          pattern.alignment = number;
      } else if (part == "ptr") {
        pattern.isPointer = true;
      } else if (part == "v2" || part == "v4") {
        pattern.lanes = part == "v2" ? 2 : 4;
      } else if (getTypeBits(part) > 0) {
        pattern.type = part;
      } else if (pattern.space.empty()) {
        pattern.space = part;
      } else if (!pattern.isPointer && part != "unified" && part != "noalias" &&
                 !part.starts_with("attribute")) {
        return refuse("expected a type, found '." + part + "'");
      }
    }
    if (word.starts_with(".attribute")) { // .attribute(.managed)
      while (!token.is(')') && token.kind != Token::Kind::End)
        advance();
      accept(')');
    }
  }
  if (pattern.type.empty())
    return fail("a type, such as .b32");
  do {
    variables.push_back(pattern);
    if (!parseVariable(variables.back()))
      return false;
  } while (pattern.space != "param" && accept(','));
  // Parameters of functions are separated by commas, and nothing ends them.
  return pattern.space == "param" ? (accept(';'), true)
                                  : expect(';', "after a declaration");
}

//===----------------------------------------------------------------------===//
// Functions and files
//===----------------------------------------------------------------------===//

bool Parser::parseParameters(std::vector<Variable> &parameters) {
  if (!expect('(', "before parameters"))
    return false;
  if (accept(')'))
    return true;
  do {
    if (!token.isWord() ||
        !(token.text.starts_with(".param") || token.text.starts_with(".reg")))
      return fail("'.param'");
    bool isRegister = token.text.starts_with(".reg");
    if (isRegister)
      return refuse("expected parameters in '.param', found '.reg'");
    if (!parseDeclaration(parameters))
      return false;
  } while (accept(','));
  return expect(')', "after parameters");
}

/// One to three numbers, as "128,1".
bool Parser::parseDimensions(std::string &dimensions) {
  for (unsigned i = 0; i < 3; ++i) {
    uint64_t value = 0;
    if (!parseNumber(value, "a number"))
      return false;
    dimensions += (i ? "," : "") + utostr(value);
    if (!accept(','))
      break;
  }
  return true;
}

/// After .entry or .func.
bool Parser::parseFunction(Function &function) {
  function.line = token.line;
  if (token.is('(') && !parseParameters(function.results))
    return false;
  if (!parseWord(function.name, "the name of a function"))
    return false;
  if (token.is('(') && !parseParameters(function.parameters))
    return false;
  while (token.isWord()) {
    StringRef word = token.text;
    advance();
    uint64_t ignored;
    bool isGood = true;
    StringRef attribute = StringSwitch<StringRef>(word)
                              .Case(".maxntid", "nvvm.maxntid")
                              .Case(".reqntid", "nvvm.reqntid")
                              .Case(".maxnreg", "nvvm.maxnreg")
                              .Case(".minnctapersm", "nvvm.minctasm")
                              .Case(".reqnctapercluster", "nvvm.cluster_dim")
                              .Default("");
    if (!attribute.empty())
      isGood = parseDimensions(
          function.attributes.emplace_back(attribute, "").second);
    else if (word == ".maxnctapersm" || word == ".maxclusterrank" ||
             word == ".abi_preserve" || word == ".abi_preserve_control")
      isGood = parseNumber(ignored, "a number after '" + word + "'");
    else if (word == ".pragma") {
      isGood = token.kind == Token::Kind::String;
      advance();
      accept(';');
    } else if (word != ".noreturn" && word != ".explicitcluster" &&
               word != ".blocksareclusters")
      return refuse("expected '{' or ';', found '" + word + "'");
    if (!isGood)
      return fail("a number after '" + word + "'");
  }
  if (accept(';'))
    return true;
  if (!expect('{', "before the body of '" + function.name + "'"))
    return false;
  function.isDefined = true;
  unsigned open = 1;
  while (true) {
    if (accept(';'))
      continue;
    if (token.kind == Token::Kind::End)
      return fail("'}' after the body of '" + function.name + "'");
    const char *begin = token.text.data();
    Statement statement;
    if (!parseStatement(statement))
      return false;
    open += statement.kind == Statement::Kind::Open;
    open -= statement.kind == Statement::Kind::Close;
    if (open == 0)
      return true;
    const char *end = token.text.empty() ? text.end() : token.text.data();
    statement.text = StringRef(begin, end - begin).split(';').first.trim();
    function.body.push_back(std::move(statement));
  }
}

/// After .file: 1 "name" [, time, size]
bool Parser::parseSource(File &file) {
  uint64_t number = 0;
  if (!parseNumber(number, "a number after '.file'"))
    return false;
  if (token.kind != Token::Kind::String)
    return fail("the name of a file");
  file.sources[number] = token.text;
  advance();
  while (accept(','))
    if (!parseNumber(number, "a number"))
      return false;
  return true;
}

/// After .section .debug_str: { label: .b8 97, 98 ... }. What is not of this
/// form names no function, and ends the part that does.
bool Parser::parseStrings(File &file) {
  if (!expect('{', "after '.section'"))
    return false;
  while (token.isWord()) {
    StringRef word = token.text;
    advance();
    if (accept(':')) {
      file.labels[word] = file.strings.size();
      continue;
    }
    if (word != ".b8")
      break;
    do {
      uint64_t byte = 0;
      if (!parseNumber(byte, "a number after '.b8'"))
        return false;
      file.strings.push_back(byte);
    } while (accept(','));
  }
  return skipToEndOfSection();
}

/// Debug information, in braces that hold no others.
bool Parser::skipSection() {
  while (!token.is('{'))
    if (token.kind == Token::Kind::End)
      return fail("'{' after '.section'");
    else
      advance();
  return skipToEndOfSection();
}

bool Parser::skipToEndOfSection() {
  while (!token.is('}'))
    if (token.kind == Token::Kind::End)
      return fail("'}' after '.section'");
    else
      advance();
  return accept('}');
}

bool Parser::parseFile(File &file) {
  bool isExternal = false;
  while (token.kind != Token::Kind::End) {
    if (accept(';'))
      continue;
    StringRef word;
    if (!token.isWord() || !token.text.starts_with("."))
      return fail("a directive");
    if (isStorage(token.text)) {
      size_t first = file.variables.size();
      if (!parseDeclaration(file.variables))
        return false;
      for (Variable &variable :
           MutableArrayRef(file.variables).drop_front(first))
        variable.isExternal = isExternal;
      isExternal = false;
      continue;
    }
    word = token.text;
    advance();
    uint64_t size = 0;
    if (word == ".version") {
      if (token.kind != Token::Kind::Double)
        return fail("a version, such as 8.0");
      advance();
    } else if (word == ".target") {
      if (!parseWord(file.target, "a target"))
        return false;
      StringRef option;
      while (accept(','))
        if (!parseWord(option, "an option of the target"))
          return false;
    } else if (word == ".address_size") {
      if (!parseNumber(size, "64"))
        return false;
      if (size != 64)
        return refuse("expected '.address_size 64', found " + Twine(size));
    } else if (word == ".file") {
      if (!parseSource(file))
        return false;
    } else if (word == ".section") {
      if (acceptWord(".debug_str") ? !parseStrings(file) : !skipSection())
        return false;
    } else if (word == ".visible" || word == ".weak" || word == ".common") {
    } else if (word == ".extern") {
      isExternal = true;
    } else if (word == ".pragma") {
      advance();
    } else if (word == ".alias") {
      return refuse("'.alias' is not known: expected functions under their "
                    "own names");
    } else if (word == ".entry" || word == ".func") {
      isExternal = false;
      Function &function = file.functions.emplace_back();
      function.isKernel = word == ".entry";
      if (!parseFunction(function))
        return false;
    } else {
      return refuse("expected a directive, found '" + word + "'");
    }
  }
  return true;
}

Expected<File> parseFile(StringRef text, StringRef name) {
  Parser parser(text);
  File file;
  if (parser.parseFile(file))
    return file;
  return createStringError(name + ":" + Twine(parser.line) + ": " +
                           parser.message);
}

} // namespace tileir::sim::ptx
