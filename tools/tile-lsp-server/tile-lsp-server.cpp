//===- tile-lsp-server.cpp - The language server --------------------------===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// An mlir-lsp-server with the dialects of TileIR, which also describes einsum
// specifications. Upstream's server has no place where a dialect could answer
// for a part of an op, so that requests are looked at before it gets them.
//
//===----------------------------------------------------------------------===//

#include "../Dialects.h"
#include "MessageFilter.h"
#include "SpecHover.h"

#include "mlir/Tools/mlir-lsp-server/MlirLspServerMain.h"

using namespace llvm;
using namespace tileir;

namespace {

/// Knows the text of all open documents and answers what asks for
/// specifications.
class SpecRequests {
public:
  explicit SpecRequests(const mlir::DialectRegistry &registry)
      : registry(registry) {}

  /// The answer to a message, if it is a request that is for here.
  std::optional<json::Value> answer(StringRef method,
                                    const json::Value &params);

private:
  const mlir::DialectRegistry &registry;
  StringMap<std::string> documents; // by name of the file
};

} // namespace

/// Reads the parameters of a message; nothing if they are not what they should
/// be, which upstream's server reports.
template <typename T> static std::optional<T> read(const json::Value &params) {
  T result;
  json::Path::Root root;
  if (!fromJSON(params, result, root))
    return std::nullopt;
  return result;
}

std::optional<json::Value> SpecRequests::answer(StringRef method,
                                                const json::Value &params) {
  if (method == "textDocument/didOpen") {
    if (auto open = read<lsp::DidOpenTextDocumentParams>(params))
      documents[open->textDocument.uri.file()] = open->textDocument.text;
  } else if (method == "textDocument/didChange") {
    if (auto change = read<lsp::DidChangeTextDocumentParams>(params))
      (void)lsp::TextDocumentContentChangeEvent::applyTo(
          change->contentChanges, documents[change->textDocument.uri.file()]);
  } else if (method == "textDocument/didClose") {
    if (auto close = read<lsp::DidCloseTextDocumentParams>(params))
      documents.erase(close->textDocument.uri.file());
  } else if (method == "textDocument/hover") {
    if (auto where = read<lsp::TextDocumentPositionParams>(params))
      if (auto document = documents.find(where->textDocument.uri.file());
          document != documents.end())
        if (auto hover =
                getSpecHover(document->second, where->position, registry))
          return json::Value(*hover);
  }
  return std::nullopt;
}

int main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  registerToolDialects(registry);
  SpecRequests requests(registry);
  filterStandardInput(ArrayRef(argv, argc),
                      [&](StringRef method, const json::Value &params) {
                        return requests.answer(method, params);
                      });
  return failed(mlir::MlirLspServerMain(argc, argv, registry));
}
