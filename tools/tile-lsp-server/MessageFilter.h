//===- MessageFilter.h - Answer some messages of an editor ------*- C++ -*-===//
//
// Part of TileIR, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
//
// Stands between an editor and a language server that reads standard input.
//
//===----------------------------------------------------------------------===//

#ifndef TILEIR_TOOLS_TILE_LSP_SERVER_MESSAGEFILTER_H
#define TILEIR_TOOLS_TILE_LSP_SERVER_MESSAGEFILTER_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"
#include <functional>
#include <optional>

namespace tileir {

/// The result of a request, or nothing for messages that the server gets.
using AnswerMessage = std::function<std::optional<llvm::json::Value>(
    llvm::StringRef method, const llvm::json::Value &params)>;

/// From here on whoever reads `stdin` gets those messages that `answer` does
/// not answer. Answers go to llvm::outs(), while the server waits for input, so
/// that they mix with none of its own. `arguments` are those of
/// MlirLspServerMain, which tell how messages are separated.
void filterStandardInput(llvm::ArrayRef<char *> arguments,
                         AnswerMessage answer);

} // namespace tileir

#endif // TILEIR_TOOLS_TILE_LSP_SERVER_MESSAGEFILTER_H
