//===- SpecText.cpp - Places in the text of a specification ---------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Commas and letters outside parentheses end terms and are axes; names inside
// are tables where a bracket follows, else indices.
//
//===----------------------------------------------------------------------===//

#include "SpecText.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace tileir;
using namespace tileir::tensor_operation;

static bool isNameCharacter(char c) { return isAlnum(c) || c == '_'; }

SpecText::SpecText(StringRef text) : text(text) {
  StringRef operands;
  std::tie(operands, result) = text.split("->");
  int depth = 0;
  size_t start = 0;
  for (auto [position, c] : enumerate(operands)) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth <= 0) {
      scanTerm(operands.slice(start, position));
      start = position + 1;
    }
  }
  scanTerm(operands.substr(start));
  if (!result.data()) // there is no arrow
    result = text.take_back(0);
  for (char c : result)
    if (isAlpha(c) && !is_contained(unused, c) &&
        !is_contained(indices, StringRef(&c, 1)))
      unused.push_back(c);
}

void SpecText::scanTerm(StringRef term) {
  StringRef rest = term.trim();
  Term &added = terms.emplace_back(Term{rest, {}});
  while (!rest.empty()) {
    size_t size = 1;
    if (rest.front() == '(') {
      int depth = 0;
      size = 0;
      do
        depth += rest[size] == '(' ? 1 : rest[size] == ')' ? -1 : 0;
      while (++size < rest.size() && depth > 0);
    }
    StringRef axis = rest.take_front(size);
    rest = rest.drop_front(size);
    if (isSpace(axis.front()))
      continue;
    added.axes.push_back(axis);
    scanAxis(axis);
  }
}

void SpecText::scanAxis(StringRef axis) {
  while (!axis.empty()) {
    StringRef name = axis.take_while(isNameCharacter);
    axis = axis.drop_front(std::max<size_t>(name.size(), 1));
    if (name.empty())
      continue;
    if (axis.ltrim().starts_with("[")) {
      if (!is_contained(tables, name))
        tables.push_back(name);
    } else if (name.size() == 1 && isAlpha(name.front()) &&
               !is_contained(indices, name)) {
      indices.push_back(name);
    }
  }
}

std::string SpecText::withoutResultIndices(ArrayRef<char> dropped) const {
  std::string copy = text.str();
  for (size_t i = result.data() - text.data(); i < copy.size(); ++i)
    if (is_contained(dropped, copy[i]))
      copy[i] = ' ';
  return copy;
}

ErrorDetails SpecText::at(StringRef part, int operand, int axis) const {
  ErrorDetails details = {ErrorDetails::Kind::Shape, operand, axis};
  if (!part.empty()) {
    details.position = part.data() - text.data();
    details.length = part.size();
  }
  return details;
}

ErrorDetails SpecText::atTerm(size_t operand) const {
  return at(operand < terms.size() ? terms[operand].text : StringRef(),
            operand);
}

ErrorDetails SpecText::atAxis(size_t operand, size_t axis) const {
  bool isThere = operand < terms.size() && axis < terms[operand].axes.size();
  return at(isThere ? terms[operand].axes[axis] : StringRef(), operand, axis);
}

ErrorDetails SpecText::atIndex(char index) const {
  auto found =
      find_if(indices, [&](StringRef name) { return name.front() == index; });
  if (found != indices.end())
    return at(*found);
  size_t position = result.find(index);
  return at(position == StringRef::npos ? StringRef()
                                        : result.substr(position, 1));
}

ErrorDetails SpecText::atTable(StringRef table) const {
  auto found = find(tables, table);
  return at(found == tables.end() ? StringRef() : *found,
            terms.size() + (found - tables.begin()));
}
