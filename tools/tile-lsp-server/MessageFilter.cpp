//===- MessageFilter.cpp - Answer some messages of an editor --------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Upstream's server opens its transport on the variable `stdin`, which glibc
// allows to be set, and reads a message when it is done with the one before.
// So `stdin` becomes a stream whose bytes are made when they are asked for: no
// thread, no process, and one writer at a time.
//
//===----------------------------------------------------------------------===//

#include "MessageFilter.h"

#include "llvm/Support/LSP/Transport.h"
#include <cstdio>
#include <cstring>

using namespace llvm;
using namespace tileir;

namespace {

class MessageFilter {
public:
  MessageFilter(std::FILE *in, bool delimited, AnswerMessage answer)
      : in(in, delimited ? lsp::Delimited : lsp::Standard),
        out(in, outs(), delimited ? lsp::Delimited : lsp::Standard,
            /*PrettyOutput=*/delimited),
        delimited(delimited), answer(std::move(answer)) {}

  /// Copies bytes of messages for the server; 0 at the end of the input.
  size_t read(char *buffer, size_t size);

private:
  /// Replies to a message if it is answered here.
  bool reply(StringRef message);

  lsp::JSONTransportInputOverFile in;
  lsp::JSONTransport out; // writes alone
  bool delimited;
  AnswerMessage answer;
  /// A message for the server and how much of it was read.
  std::string pending;
  size_t position = 0;
};

} // namespace

size_t MessageFilter::read(char *buffer, size_t size) {
  while (position == pending.size()) {
    if (in.isEndOfInput() || in.hasError())
      return 0;
    std::string message;
    if (failed(in.readMessage(message)) || reply(message))
      continue;
    pending = delimited ? message + "\n// -----\n"
                        : "Content-Length: " + std::to_string(message.size()) +
                              "\r\n\r\n" + message;
    position = 0;
  }
  size = std::min(size, pending.size() - position);
  std::memcpy(buffer, pending.data() + position, size);
  position += size;
  return size;
}

bool MessageFilter::reply(StringRef message) {
  Expected<json::Value> parsed = json::parse(message);
  if (!parsed) {
    // The server reports it.
    consumeError(parsed.takeError());
    return false;
  }
  const json::Object *object = parsed->getAsObject();
  if (!object)
    return false;
  std::optional<StringRef> method = object->getString("method");
  const json::Value *params = object->get("params");
  if (!method || !params)
    return false;
  std::optional<json::Value> result = answer(*method, *params);
  const json::Value *id = object->get("id");
  if (!result || !id)
    return false;
  out.reply(*id, std::move(*result));
  return true;
}

void tileir::filterStandardInput(ArrayRef<char *> arguments,
                                 AnswerMessage answer) {
  bool delimited = any_of(arguments, [](StringRef argument) {
    argument = argument.ltrim('-');
    return argument == "lit-test" || argument == "input-style=delimited";
  });
  static MessageFilter filter(stdin, delimited, std::move(answer));
  cookie_io_functions_t functions = {};
  functions.read = [](void *, char *buffer, size_t size) -> ssize_t {
    return filter.read(buffer, size);
  };
  if (std::FILE *filtered = fopencookie(nullptr, "r", functions))
    stdin = filtered;
}
