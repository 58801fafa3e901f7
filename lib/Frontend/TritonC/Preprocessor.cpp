//===- Preprocessor.cpp - Directives --------------------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//

#include "tileir/Frontend/TritonC/Preprocessor.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace tileir::triton_c {

namespace {
constexpr unsigned kMaxIncludeDepth = 20;
constexpr llvm::StringRef kDirectives[] = {
    "define", "undef", "include", "pragma", "if",    "ifdef",
    "ifndef", "elif",  "else",    "endif",  "error", "warning"};
} // namespace

Preprocessor::Preprocessor(Diagnostics &diagnostics, const Options &options)
    : diagnostics(diagnostics), options(options) {
  for (const std::string &definition : options.definitions)
    defineFromCommandLine(definition);
}

void Preprocessor::defineFromCommandLine(const std::string &definition) {
  auto [name, value] = llvm::StringRef(definition).split('=');
  std::string text =
      definition.find('=') == std::string::npos ? "1" : value.trim().str();
  // A buffer of its own, for messages to point into.
  unsigned buffer = diagnostics.getSources().AddNewSourceBuffer(
      llvm::MemoryBuffer::getMemBufferCopy("-D" + definition, "command line"),
      llvm::SMLoc());
  llvm::StringRef whole =
      diagnostics.getSources().getMemoryBuffer(buffer)->getBuffer();
  auto placeOf = [](llvm::StringRef part) {
    auto start = llvm::SMLoc::getFromPointer(part.begin());
    return Place{
        start, {start, llvm::SMLoc::getFromPointer(part.end())}, nullptr};
  };
  bool isName =
      !name.empty() && !llvm::isDigit(name[0]) &&
      llvm::all_of(name, [](char c) { return llvm::isAlnum(c) || c == '_'; });
  if (!isName)
    return diagnostics.error(
        placeOf(
            whole.drop_front(2).take_front(std::max<size_t>(name.size(), 1))),
        "expected the name of a macro behind -D, found '" + name + "'");
  size_t glued = whole.find("-D", 2);
  if (glued != llvm::StringRef::npos && whole.find('=', glued) < whole.size())
    return diagnostics.error(placeOf(whole.substr(glued, 2)),
                             "expected a space before this '-D': it is part of "
                             "the value of '" +
                                 name + "'");
  if (llvm::StringRef(text).starts_with("[") &&
      llvm::StringRef(text).ends_with("]")) {
    Tunable &tunable = tunables.emplace_back();
    tunable.name = name.str();
    llvm::SmallVector<llvm::StringRef> values;
    llvm::StringRef(text).drop_front().drop_back().split(values, ',');
    for (llvm::StringRef value : values) {
      if (value.trim().empty())
        return diagnostics.error(placeOf(whole), "expected a value between the "
                                                 "commas of this list, found "
                                                 "nothing");
      tunable.values.push_back(value.trim().str());
    }
    text = tunable.values.front();
    diagnostics.warning(placeOf(whole), "'" + name + "' is a list of " +
                                            llvm::Twine(values.size()) +
                                            " values for a tuner: the first "
                                            "one, " +
                                            text + ", is taken");
  }
  Macro macro;
  macro.place = placeOf(whole);
  // Not the text of `value`: the tokens must outlive the options.
  llvm::StringRef body = whole.drop_front(2);
  if (definition.find('=') == std::string::npos || text != value.trim()) {
    unsigned own = diagnostics.getSources().AddNewSourceBuffer(
        llvm::MemoryBuffer::getMemBufferCopy(text, "command line"),
        llvm::SMLoc());
    body = diagnostics.getSources().getMemoryBuffer(own)->getBuffer();
  } else {
    body = body.drop_front(name.size() + 1);
  }
  macro.body = lexBuffer(body, diagnostics);
  macro.body.pop_back();
  macros[name] = std::move(macro);
  commandLine[name] = text;
}

std::optional<llvm::StringRef>
Preprocessor::getDefinition(llvm::StringRef name) const {
  auto it = commandLine.find(name);
  if (it == commandLine.end())
    return std::nullopt;
  return it->second;
}

std::vector<llvm::StringRef> Preprocessor::getMacroNames() const {
  return {macros.keys().begin(), macros.keys().end()};
}

std::vector<Token> Preprocessor::run() {
  processBuffer(diagnostics.getSources().getMainFileID());
  return std::move(output);
}

void Preprocessor::processBuffer(unsigned buffer) {
  std::vector<Token> tokens =
      lexBuffer(diagnostics.getSources().getMemoryBuffer(buffer)->getBuffer(),
                diagnostics);
  size_t numOpen = conditions.size();
  size_t at = 0;
  auto isDirective = [&](size_t i) {
    return tokens[i].is("#") && tokens[i].isFirstOfLine;
  };
  while (tokens[at].kind != TokenKind::End && !diagnostics.isFull()) {
    size_t end = at + 1;
    if (isDirective(at)) {
      while (tokens[end].kind != TokenKind::End && !tokens[end].isFirstOfLine)
        ++end;
      processDirective(tokens[at], Tokens(tokens).slice(at + 1, end - at - 1));
    } else {
      while (tokens[end].kind != TokenKind::End && !isDirective(end))
        ++end;
      if (isActive())
        expand(Tokens(tokens).slice(at, end - at), output);
    }
    at = end;
  }
  while (conditions.size() > numOpen) {
    diagnostics.error(conditions.back().place,
                      "expected '#endif' for this condition, found the end of "
                      "the file");
    conditions.pop_back();
  }
  if (includeDepth == 0)
    output.push_back(tokens.back());
}

void Preprocessor::expectEnd(Tokens rest, const llvm::Twine &after) {
  if (!rest.empty())
    diagnostics.error(rest.front().place,
                      "expected the end of the line behind " + after +
                          ", found " + rest.front().describe());
}

void Preprocessor::processDirective(const Token &hash, Tokens line) {
  if (line.empty())
    return;
  const Token &name = line.front();
  Tokens rest = line.drop_front();
  if (processConditional(name, rest) || !isActive())
    return;
  if (name.isName("define"))
    return define(line);
  if (name.isName("undef")) {
    if (rest.empty() || rest[0].kind != TokenKind::Name)
      return diagnostics.error(name.place,
                               "expected the name of a macro behind '#undef'");
    macros.erase(rest[0].text);
    return expectEnd(rest.drop_front(), "'#undef " + rest[0].text + "'");
  }
  if (name.isName("include"))
    return include(name, rest);
  if (name.isName("pragma"))
    return pragma(name, rest);
  if (name.isName("error") || name.isName("warning")) {
    llvm::StringRef text;
    if (!rest.empty())
      text =
          llvm::StringRef(rest.front().text.begin(),
                          rest.back().text.end() - rest.front().text.begin());
    if (name.isName("error"))
      return diagnostics.error(name.place, "#error: " + text);
    return diagnostics.warning(name.place, "#warning: " + text);
  }
  diagnostics.error(name.place, "expected a directive, found '#" + name.text +
                                    "'" + suggest(name.text, kDirectives));
}

bool Preprocessor::processConditional(const Token &name, Tokens rest) {
  bool isIfdef = name.isName("ifdef"), isIfndef = name.isName("ifndef");
  if (name.isName("if") || isIfdef || isIfndef) {
    Condition condition{name.place, false, !isActive(), false};
    if (isActive() && name.isName("if")) {
      condition.isActive = evaluate(name, rest);
    } else if (isActive()) {
      if (rest.empty() || rest[0].kind != TokenKind::Name)
        diagnostics.error(name.place, "expected the name of a macro behind '#" +
                                          name.text + "'");
      else
        condition.isActive = (macros.count(rest[0].text) != 0) == isIfdef;
    }
    condition.isDone |= condition.isActive;
    conditions.push_back(condition);
    return true;
  }
  if (!name.isName("elif") && !name.isName("else") && !name.isName("endif"))
    return false;
  if (conditions.empty()) {
    diagnostics.error(name.place,
                      "'#" + name.text + "' without an '#if' before it");
    return true;
  }
  Condition &condition = conditions.back();
  if (name.isName("endif")) {
    conditions.pop_back();
    expectEnd(rest, "'#endif'");
    return true;
  }
  if (condition.hasElse) {
    diagnostics.error(name.place, "expected '#endif' behind '#else', found '#" +
                                      name.text + "'");
    return true;
  }
  condition.hasElse = name.isName("else");
  condition.isActive =
      !condition.isDone && (condition.hasElse || evaluate(name, rest));
  condition.isDone |= condition.isActive;
  return true;
}

void Preprocessor::define(Tokens line) {
  const Token &directive = line.front();
  line = line.drop_front();
  if (line.empty() || line[0].kind != TokenKind::Name)
    return diagnostics.error(directive.place,
                             "expected the name of a macro behind '#define'");
  const Token &name = line.front();
  Macro macro;
  macro.place = name.place;
  line = line.drop_front();
  if (!line.empty() && line[0].is("(") && !line[0].isSpaced) {
    macro.isFunction = true;
    line = line.drop_front();
    while (!line.empty() && line[0].kind == TokenKind::Name) {
      macro.parameters.push_back(line[0].text);
      line = line.drop_front();
      if (line.empty() || !line[0].is(","))
        break;
      line = line.drop_front();
    }
    if (line.empty() || !line[0].is(")"))
      return diagnostics.error(
          line.empty() ? name.place : line[0].place,
          "expected ')' behind the parameters of macro '" + name.text +
              "', found " +
              (line.empty() ? "the end of the line" : line[0].describe()));
    line = line.drop_front();
  }
  for (const Token &token : line)
    if (token.is("#") || token.is("##"))
      return diagnostics.error(token.place,
                               "'" + token.text +
                                   "' in a macro is not part of Triton-C");
  macro.body = line;
  if (commandLine.count(name.text)) {
    diagnostics.error(name.place, "macro '" + name.text +
                                      "' is defined on the command line "
                                      "already: put '#ifndef " +
                                      name.text + "' around this line");
    return;
  }
  macros[name.text] = std::move(macro);
}

void Preprocessor::include(const Token &name, Tokens line) {
  if (line.size() != 1 || line[0].kind != TokenKind::String)
    return diagnostics.error(name.place,
                             "expected '#include \"file\"', with the name of "
                             "one file in quotes");
  if (includeDepth == kMaxIncludeDepth)
    return diagnostics.error(line[0].place,
                             "files include each other more than " +
                                 llvm::Twine(kMaxIncludeDepth) + " deep");
  llvm::StringRef file = line[0].text.drop_front().drop_back();
  llvm::SourceMgr &sources = diagnostics.getSources();
  unsigned from = sources.FindBufferContainingLoc(line[0].place.loc);
  std::vector<std::string> folders = {
      llvm::sys::path::parent_path(
          sources.getMemoryBuffer(from)->getBufferIdentifier())
          .str()};
  folders.insert(folders.end(), options.includeFolders.begin(),
                 options.includeFolders.end());
  for (const std::string &folder : folders) {
    llvm::SmallString<128> path(folder);
    llvm::sys::path::append(path, file);
    auto buffer = llvm::MemoryBuffer::getFile(path);
    if (!buffer)
      continue;
    unsigned id =
        sources.AddNewSourceBuffer(std::move(*buffer), line[0].place.loc);
    ++includeDepth;
    processBuffer(id);
    --includeDepth;
    return;
  }
  diagnostics.error(line[0].place, "cannot read '" + file + "'");
}

void Preprocessor::pragma(const Token &name, Tokens line) {
  // Those of others are for others, as everywhere in C.
  if (line.empty() || !line[0].isName("tile"))
    return;
  Token start = line[0], end = line.back();
  start.kind = TokenKind::Pragma;
  start.isFirstOfLine = true;
  output.push_back(start);
  expand(line.drop_front(), output);
  end.kind = TokenKind::PragmaEnd;
  end.place.loc = end.place.range.Start = end.place.range.End;
  output.push_back(end);
}

} // namespace tileir::triton_c
