//===- Json.h - A reader of JSON --------------------------------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// As much of JSON as manifests are written in: no escapes but \" \\ \/ \n \t.
// The file may be hostile: depth is limited, and nothing is read past its end.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_LAUNCH_JSON_H
#define TILEIR_LAUNCH_JSON_H

#include <cstring>
#include <string>
#include <utility>
#include <vector>

namespace tileir::launch {

struct Json {
  enum Kind { Null, Bool, Number, String, Array, Object } kind = Null;
  /// A number or a boolean as it is written, or a string.
  std::string text;
  std::vector<Json> items;
  std::vector<std::pair<std::string, Json>> members;

  /// A member; null if there is none.
  const Json &operator[](const char *key) const {
    static const Json none;
    for (const auto &[name, value] : members)
      if (name == key)
        return value;
    return none;
  }
};

class JsonReader {
public:
  explicit JsonReader(const std::string &text) : text(text) {}

  /// False, and `error` says why, if the text is no JSON.
  bool read(Json &value, std::string &error) {
    bool ok = readValue(value, 0);
    skipSpace();
    if (ok && position == text.size())
      return true;
    size_t line = 1;
    for (size_t i = 0; i < position && i < text.size(); ++i)
      line += text[i] == '\n';
    error = "line " + std::to_string(line) + " is no JSON as expected";
    return false;
  }

private:
  static constexpr int kMaxDepth = 16;

  char peek() const { return position < text.size() ? text[position] : '\0'; }

  void skipSpace() {
    while (peek() && std::strchr(" \t\r\n", peek()))
      ++position;
  }

  bool consume(char c) {
    skipSpace();
    if (peek() != c)
      return false;
    ++position;
    return true;
  }

  bool consumeWord(const char *word) {
    if (text.compare(position, std::strlen(word), word) != 0)
      return false;
    position += std::strlen(word);
    return true;
  }

  bool readString(std::string &result) {
    if (!consume('"'))
      return false;
    for (; peek() && peek() != '"'; ++position) {
      char c = peek();
      if (c == '\\') {
        ++position;
        const char *from = "\"\\/nt", *to = "\"\\/\n\t";
        const char *found = peek() ? std::strchr(from, peek()) : nullptr;
        if (!found)
          return false;
        c = to[found - from];
      }
      result += c;
    }
    return consume('"');
  }

  template <typename ReadItem> bool readList(char end, ReadItem readItem) {
    if (consume(end))
      return true;
    do
      if (!readItem())
        return false;
    while (consume(','));
    return consume(end);
  }

  bool readValue(Json &value, int depth) {
    skipSpace();
    if (depth > kMaxDepth)
      return false;
    if (consume('{')) {
      value.kind = Json::Object;
      return readList('}', [&] {
        auto &[key, member] = value.members.emplace_back();
        return readString(key) && consume(':') && readValue(member, depth + 1);
      });
    }
    if (consume('[')) {
      value.kind = Json::Array;
      return readList(']', [&] {
        return readValue(value.items.emplace_back(), depth + 1);
      });
    }
    if (peek() == '"') {
      value.kind = Json::String;
      return readString(value.text);
    }
    if (consumeWord("null"))
      return true;
    for (const char *word : {"true", "false"})
      if (consumeWord(word)) {
        value.kind = Json::Bool;
        value.text = word;
        return true;
      }
    value.kind = Json::Number;
    while (peek() && std::strchr("+-.0123456789eE", peek()))
      value.text += text[position++];
    return !value.text.empty();
  }

  const std::string &text;
  size_t position = 0;
};

} // namespace tileir::launch

#endif // TILEIR_LAUNCH_JSON_H
