//===- ParseTypes.cpp - Types and promises --------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Frontend/TritonC/Parser.h"

#include "llvm/ADT/StringSwitch.h"

namespace tileir::triton_c {

namespace {

constexpr llvm::StringRef kTypeWords[] = {
    "bool",  "char",  "short",  "int",      "long",   "unsigned", "signed",
    "half",  "float", "double", "bfloat16", "int8",   "int16",    "int32",
    "int64", "uint8", "uint16", "uint32",   "uint64", "const",    "restrict"};
constexpr llvm::StringRef kPromises[] = {
    "__multipleof", "multiple_of", "__aligned", "aligned",      "__readonly",
    "read_only",    "__noalias",   "restrict",  "__restrict__", "const"};

bool isWord(const Token &token, llvm::ArrayRef<llvm::StringRef> words) {
  return token.kind == TokenKind::Name && llvm::is_contained(words, token.text);
}

} // namespace

bool Parser::startsType() const {
  return isWord(peek(), kTypeWords) || isWord(peek(), kPromises);
}

bool Parser::parsePromise(TypeSyntax &type, Promises &promises) {
  if (!isWord(peek(), kPromises))
    return false;
  llvm::StringRef name = take().text;
  if (name == "const")
    type.isConst = true;
  else if (name == "__readonly" || name == "read_only")
    promises.isReadOnly = true;
  else if (name == "__noalias" || name == "restrict" || name == "__restrict__")
    promises.isNoAlias = true;
  else if (expect("(", "behind '" + name + "'")) {
    int64_t number;
    Place place = peek().place;
    bool isNumber = peek().kind == TokenKind::Integer &&
                    !peek().text.getAsInteger(0, number);
    if (!isNumber || number < 1 || number > 1 << 20)
      failExpected("a number from 1 to 1048576 behind '" + name + "('");
    else if (promises.multiple)
      fail(place, "expected one '" + name + "' at most");
    else
      promises.multiple = number;
    if (!peek().is(")"))
      take();
    expect(")", "behind the number of '" + name + "'");
  }
  return true;
}

bool Parser::parseElement(Element &element) {
  const Token &token = peek();
  bool isSigned = takeName("signed");
  bool isUnsignedWord = !isSigned && takeName("unsigned");
  std::optional<Element> found =
      llvm::StringSwitch<std::optional<Element>>(
          peek().kind == TokenKind::Name ? peek().text : "")
          .Case("bool", Element::Bool)
          .Cases({"char", "int8"}, Element::Int8)
          .Cases({"short", "int16"}, Element::Int16)
          .Cases({"int", "int32"}, Element::Int32)
          .Cases({"long", "int64"}, Element::Int64)
          .Case("uint8", Element::UInt8)
          .Case("uint16", Element::UInt16)
          .Case("uint32", Element::UInt32)
          .Case("uint64", Element::UInt64)
          .Case("half", Element::Half)
          .Case("bfloat16", Element::BFloat16)
          .Case("float", Element::Float)
          .Case("double", Element::Double)
          .Default(std::nullopt);
  if (found) {
    if (take().text == "long")
      takeName("long");
    element = *found;
    if (isUnsignedWord && element >= Element::Int8 && element <= Element::Int64)
      element = static_cast<Element>(static_cast<int>(element) + 4);
    return true;
  }
  element = isUnsignedWord ? Element::UInt32 : Element::Int32;
  if (isSigned || isUnsignedWord)
    return true;
  if (token.kind == TokenKind::Name)
    failUnknownType(token.text, token.place);
  else
    failExpected("a type");
  return false;
}

void Parser::failUnknownType(llvm::StringRef name, const Place &place) {
  fail(place,
       "expected a type, found '" + name + "'" + suggest(name, kTypeWords));
}

bool Parser::parseType(TypeSyntax &type, Promises &promises) {
  while (takeName("tunable") || parsePromise(type, promises))
    ;
  if (takeName("tunable"))
    return parseType(type, promises);
  if (!parseElement(type.element))
    return false;
  while (parsePromise(type, promises))
    ;
  return true;
}

bool Parser::parseShape(TypeSyntax &type) {
  if (!takeIf("["))
    return true;
  do {
    type.sizes.push_back(parseExpr());
  } while (takeIf(","));
  return expect("]", "behind the sizes of a tile");
}

Variable *Parser::parseDeclarator(TypeSyntax type, Promises promises,
                                  const llvm::Twine &of) {
  if (takeIf("*")) {
    type.isPointer = true;
    if (peek().is("*")) {
      fail(peek().place, "expected a pointer to numbers, found a "
                         "pointer to pointers");
      while (takeIf("*"))
        ;
    }
  }
  // Behind the star const is of the pointer itself.
  TypeSyntax ignored;
  while (parsePromise(ignored, promises))
    ;
  if (peek().kind != TokenKind::Name || startsType()) {
    failExpected("the name of " + of);
    return nullptr;
  }
  Variable *variable = program.newVariable();
  variable->name = peek().text;
  variable->place = take().place;
  if (!parseShape(type))
    return nullptr;
  if (peek().is("[")) {
    fail(peek().place, "expected the sizes of a tile in one pair "
                       "of brackets, as [M, N], found '['");
    return nullptr;
  }
  while (parsePromise(ignored, promises))
    ;
  variable->syntax = std::move(type);
  variable->promises = promises;
  return variable;
}

} // namespace tileir::triton_c
